// SPDX-License-Identifier: MIT
#include "limber/kinematics/figure_edit.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/figure_faults.h"
#include "limber/kinematics/figure_parts.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber {

namespace {

/// Where a link ends: its farthest child joint, else its farthest site or capsule end.
Eigen::Vector3d endOf(const Figure& figure, int link) {
  Eigen::Vector3d end = Eigen::Vector3d::Zero();
  const auto reach = [&](const Eigen::Vector3d& point) {
    if (point.norm() > end.norm()) end = point;
  };
  for (const int child : figure.children(link)) reach(figure.joint(child).parentFromJoint.translation);
  if (!end.isZero(0.0)) return end;
  for (const Site& site : figure.sites())
    if (site.link == link) reach(site.linkFromSite.translation);
  if (!end.isZero(0.0)) return end;
  for (const Capsule& capsule : figure.link(link).capsules) {
    reach(capsule.start);
    reach(capsule.end);
  }
  return end;
}

}  // namespace

FigureEdit scaleLink(const Figure& figure, int link, double factor) {
  if (!(factor > 0.0 && std::isfinite(factor))) return failedEdit("a link's length must be a number above zero");
  FigureParts parts = takeApart(figure);
  for (const int child : figure.children(link)) parts.joint(child).parentFromJoint.translation *= factor;
  for (Site& site : parts.sites)
    if (site.link == link) site.linkFromSite.translation *= factor;
  for (Capsule& capsule : parts.link(link).capsules) {
    capsule.start *= factor;
    capsule.end *= factor;
  }
  parts.link(link).centreOfMass *= factor;
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit setLimits(const Figure& figure, int joint, const Interval& limits) {
  if (poseSize(figure.joint(joint).type) != 1) return failedEdit("only revolute and prismatic joints have such limits");
  if (!(limits.lower <= limits.upper)) return failedEdit("the lower limit is above the upper one, or not a number");
  FigureParts parts = takeApart(figure);
  FigureEdit edit = keepLinks(figure);
  parts.joint(joint).limits = limits;
  double& rest = parts.restOf(joint)[0];
  const double clamped = std::clamp(rest, limits.lower, limits.upper);
  if (clamped != rest && !parts.follows(joint))
    edit.notes.push_back("the rest of " + inQuotes(parts.joint(joint).name) + " moves to its limit");
  rest = clamped;
  return putTogether(std::move(parts), std::move(edit));
}

FigureEdit setBallLimits(const Figure& figure, int joint, const BallLimits& limits) {
  if (figure.joint(joint).type != JointType::Ball) return failedEdit("only ball joints have a cone and a twist");
  if (std::string fault = findFault(limits); !fault.empty()) return failedEdit(fault);
  FigureParts parts = takeApart(figure);
  FigureEdit edit = keepLinks(figure);
  parts.joint(joint).ballLimits = limits;
  const Eigen::Quaterniond rest(Eigen::Vector4d(parts.restOf(joint)));
  const Eigen::Quaterniond clamped = BallRange(limits).clamp(rest);
  if (clamped.coeffs() != rest.coeffs())
    edit.notes.push_back("the rest of " + inQuotes(parts.joint(joint).name) + " moves to its limit");
  parts.restOf(joint) = clamped.coeffs();
  return putTogether(std::move(parts), std::move(edit));
}

FigureEdit setRigidity(const Figure& figure, int joint, double rigidity) {
  FigureParts parts = takeApart(figure);
  parts.joint(joint).rigidity = rigidity;
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit setRest(const Figure& figure, const Pose& pose) {
  assert(pose.coordinates.size() == figure.poseSize());
  FigureParts parts = takeApart(figure);
  for (int i = 0; i < figure.linkCount(); ++i)
    parts.restOf(i) = pose.coordinates.segment(figure.joint(i).poseIndex, poseSize(figure.joint(i).type));
  return putTogether(std::move(parts), keepLinks(figure));
}

namespace {

constexpr double kWeightless = 1e-12;  // kilograms: zero would ask the builder for an estimate

void freeJoint(FigureParts& parts, int i) {
  Joint& joint = parts.joint(i);
  joint.type = JointType::Free;
  joint.locked = joint.freed = true;
  parts.restOf(i) = Eigen::VectorXd::Unit(poseSize(JointType::Free), 6);
}

}  // namespace

FigureEdit freeBase(const Figure& figure, int link) {
  if (figure.joint(link).type != JointType::Fixed) return failedEdit(inQuotes(figure.link(link).name) + " is not fixed");
  for (int above = link; above >= 0; above = figure.link(above).parent)
    if (figure.joint(above).type != JointType::Fixed)
      return failedEdit(inQuotes(figure.link(link).name) + " is no base: " + inQuotes(figure.link(above).name) +
                        " above it moves");
  FigureParts parts = takeApart(figure);
  freeJoint(parts, link);
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit addFreeBase(const Figure& figure, int root, const std::string& name) {
  FigureParts parts = takeApart(figure);
  for (Link& link : parts.links)
    if (link.parent >= 0) ++link.parent;
  parts.link(root).parent = 0;
  parts.links.insert(parts.links.begin(), {.name = name, .mass = kWeightless});
  parts.joint(root).parentFromJoint = {};
  parts.joints.insert(parts.joints.begin(), {.name = name, .parentFromJoint = worldFromRootJoint(figure, root)});
  parts.rest.insert(parts.rest.begin(), Eigen::VectorXd());
  for (Site& site : parts.sites) ++site.link;
  for (Coupling& coupling : parts.couplings) {
    ++coupling.follower;
    for (Coupling::Term& term : coupling.terms) ++term.driver;
  }
  for (LinearLimit& limit : parts.linearLimits)
    for (LinearLimit::Term& term : limit.terms) ++term.joint;
  freeJoint(parts, 0);
  FigureEdit edit = keepLinks(figure);
  for (int& link : edit.linkFromOld) ++link;
  return putTogether(std::move(parts), std::move(edit));
}

FigureEdit fixBase(const Figure& figure) {
  FigureParts parts = takeApart(figure);
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (!parts.joint(i).freed) continue;
    parts.joint(i).type = JointType::Fixed;
    parts.joint(i).locked = parts.joint(i).freed = parts.joint(i).translationLocked = false;
    parts.joint(i).rigidity = 0.0;
    parts.restOf(i).resize(0);
  }
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit setFileOrigin(const Figure& figure, const Eigen::Vector3d& origin) {
  FigureParts parts = takeApart(figure);
  for (std::size_t i = 0; i < parts.links.size(); ++i)
    if (parts.links[i].parent < 0)
      parts.joints[i].parentFromJoint.translation += origin - parts.fileFrame.origin;
  parts.fileFrame.origin = origin;
  return putTogether(std::move(parts), keepLinks(figure));
}

NewLink continuationOf(const Figure& figure, int parent) {
  NewLink link{.parent = parent};
  link.parentFromJoint.translation = endOf(figure, parent);
  link.end = link.parentFromJoint.translation;
  const JointType type = figure.joint(parent).type;
  if (poseSize(type) == 1) link.axis = figure.joint(parent).axis;
  if (type == JointType::Revolute || type == JointType::Ball) link.type = type;
  if (link.end.isZero(0.0)) link.end = figure.meanLinkLength() * Eigen::Vector3d::UnitY();
  for (const Capsule& capsule : figure.link(parent).capsules)
    link.radius = link.radius > 0.0 ? std::min(link.radius, capsule.radius) : capsule.radius;
  return link;
}

FigureEdit addLink(const Figure& figure, const NewLink& link) {
  if (link.name.empty()) return failedEdit("a link needs a name");
  FigureParts parts = takeApart(figure);
  parts.links.push_back({.name = link.name, .parent = link.parent});
  parts.joints.push_back(
      {.name = link.name, .type = link.type, .parentFromJoint = link.parentFromJoint, .axis = link.axis});
  parts.rest.emplace_back();
  if (!(link.radius >= 0.0)) return failedEdit("the radius is not a number above zero");
  if (link.radius > 0.0) parts.links.back().capsules = {{Eigen::Vector3d::Zero(), link.end, link.radius}};
  if (!link.end.isZero(0.0))
    parts.sites.push_back({link.name + "_end", figure.linkCount(), Transform::fromTranslation(link.end)});
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit renameLink(const Figure& figure, int link, const std::string& name) {
  FigureParts parts = takeApart(figure);
  parts.link(link).name = name;
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit renameJoint(const Figure& figure, int joint, const std::string& name) {
  if (name.empty()) return failedEdit("a joint needs a name");  // the builder would give it the link's
  FigureParts parts = takeApart(figure);
  parts.joint(joint).name = name;
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit addSite(const Figure& figure, const Site& site) {
  FigureParts parts = takeApart(figure);
  parts.sites.push_back(site);
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit removeSite(const Figure& figure, int site) {
  FigureParts parts = takeApart(figure);
  parts.sites.erase(parts.sites.begin() + site);
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit renameSite(const Figure& figure, int site, const std::string& name) {
  FigureParts parts = takeApart(figure);
  parts.site(site).name = name;
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit moveSite(const Figure& figure, int site, const Transform& linkFromSite) {
  FigureParts parts = takeApart(figure);
  parts.site(site).linkFromSite = linkFromSite;
  return putTogether(std::move(parts), keepLinks(figure));
}

}  // namespace limber

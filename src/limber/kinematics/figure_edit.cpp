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

/// The end of a link: its farthest child joint, else its farthest site, else its farthest capsule end.
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

/// The figure after `change` of its parts, which must not renumber links.
template <typename Change>
FigureEdit edited(const Figure& figure, Change change) {
  FigureParts parts = takeApart(figure);
  change(parts);
  return putTogether(std::move(parts), keepLinks(figure));
}

}  // namespace

FigureEdit scaleLink(const Figure& figure, int link, double factor) {
  if (!(factor > 0.0 && std::isfinite(factor))) return failedEdit("a link's length must be a number above zero");
  FigureParts parts = takeApart(figure);
  for (const int child : figure.children(link)) parts.joints[child].parentFromJoint.translation *= factor;
  for (Site& site : parts.sites)
    if (site.link == link) site.linkFromSite.translation *= factor;
  for (LoopClosure& loop : parts.loops) {
    if (loop.link == link) loop.linkFromLoop.translation *= factor;
    if (loop.other == link) loop.otherFromLoop.translation *= factor;
  }
  for (Capsule& capsule : parts.links[link].capsules) {
    capsule.start *= factor;
    capsule.end *= factor;
  }
  parts.links[link].centreOfMass *= factor;
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit setLimits(const Figure& figure, int joint, const Interval& limits) {
  if (poseSize(figure.joint(joint).type) != 1) return failedEdit("only revolute and prismatic joints have such limits");
  if (!(limits.lower <= limits.upper)) return failedEdit("the lower limit is above the upper one, or not a number");
  FigureParts parts = takeApart(figure);
  FigureEdit edit = keepLinks(figure);
  parts.joints[joint].limits = limits;
  double& rest = parts.rest[joint][0];
  const double clamped = std::clamp(rest, limits.lower, limits.upper);
  if (clamped != rest && !parts.follows(joint))
    edit.notes.push_back("the rest of " + inQuotes(parts.joints[joint].name) + " moves to its limit");
  rest = clamped;
  return putTogether(std::move(parts), std::move(edit));
}

FigureEdit setBallLimits(const Figure& figure, int joint, const BallLimits& limits) {
  if (figure.joint(joint).type != JointType::Ball) return failedEdit("only ball joints have a cone and a twist");
  if (std::string fault = findFault(limits); !fault.empty()) return failedEdit(fault);
  FigureParts parts = takeApart(figure);
  FigureEdit edit = keepLinks(figure);
  parts.joints[joint].ballLimits = limits;
  const Eigen::Quaterniond rest(Eigen::Vector4d(parts.rest[joint]));
  const Eigen::Quaterniond clamped = BallRange(limits).clamp(rest);
  if (clamped.coeffs() != rest.coeffs())
    edit.notes.push_back("the rest of " + inQuotes(parts.joints[joint].name) + " moves to its limit");
  parts.rest[joint] = clamped.coeffs();
  return putTogether(std::move(parts), std::move(edit));
}

FigureEdit setRigidity(const Figure& figure, int joint, double rigidity) {
  return edited(figure, [&](FigureParts& parts) { parts.joints[joint].rigidity = rigidity; });
}

FigureEdit setRest(const Figure& figure, const Pose& pose) {
  assert(pose.coordinates.size() == figure.poseSize());
  return edited(figure, [&](FigureParts& parts) {
    for (int i = 0; i < figure.linkCount(); ++i)
      parts.rest[i] = pose.coordinates.segment(figure.joint(i).poseIndex, poseSize(figure.joint(i).type));
  });
}

namespace {

constexpr double kWeightless = 1e-12;  // kilograms: the builder would replace zero by an estimate

void freeJoint(FigureParts& parts, int i) {
  Joint& joint = parts.joints[i];
  joint.type = JointType::Free;
  joint.locked = joint.freed = true;
  parts.rest[i] = Eigen::VectorXd::Unit(poseSize(JointType::Free), 6);
}

}  // namespace

FigureEdit freeBase(const Figure& figure, int link) {
  if (figure.joint(link).type != JointType::Fixed)
    return failedEdit(inQuotes(figure.link(link).name) + " is not fixed");
  for (int above = link; above >= 0; above = figure.link(above).parent)
    if (figure.joint(above).type != JointType::Fixed)
      return failedEdit(inQuotes(figure.link(link).name) + " cannot be a base: " + inQuotes(figure.link(above).name) +
                        " above it moves");
  return edited(figure, [&](FigureParts& parts) { freeJoint(parts, link); });
}

FigureEdit addFreeBase(const Figure& figure, int root, const std::string& name) {
  FigureParts parts = takeApart(figure);
  for (Link& link : parts.links)
    if (link.parent >= 0) ++link.parent;
  parts.links[root].parent = 0;
  parts.links.insert(parts.links.begin(), {.name = name, .mass = kWeightless});
  parts.joints[root].parentFromJoint = {};
  parts.joints.insert(parts.joints.begin(), {.name = name, .parentFromJoint = worldFromRootJoint(figure, root)});
  parts.rest.insert(parts.rest.begin(), Eigen::VectorXd());
  for (Site& site : parts.sites) ++site.link;
  for (Coupling& coupling : parts.couplings) {
    ++coupling.follower;
    for (Coupling::Term& term : coupling.terms) ++term.driver;
  }
  for (LinearLimit& limit : parts.linearLimits)
    for (LinearLimit::Term& term : limit.terms) ++term.joint;
  for (LoopClosure& loop : parts.loops) {
    ++loop.link;
    if (loop.other >= 0) ++loop.other;
  }
  freeJoint(parts, 0);
  FigureEdit edit = keepLinks(figure);
  for (int& link : edit.linkFromOld) ++link;
  return putTogether(std::move(parts), std::move(edit));
}

FigureEdit fixBase(const Figure& figure) {
  FigureParts parts = takeApart(figure);
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (!parts.joints[i].freed) continue;
    parts.joints[i].type = JointType::Fixed;
    parts.joints[i].locked = parts.joints[i].freed = parts.joints[i].translationLocked = false;
    parts.joints[i].rigidity = 0.0;
    parts.rest[i].resize(0);
  }
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit setFileOrigin(const Figure& figure, const Eigen::Vector3d& origin) {
  return edited(figure, [&](FigureParts& parts) {
    for (std::size_t i = 0; i < parts.links.size(); ++i)
      if (parts.links[i].parent < 0) parts.joints[i].parentFromJoint.translation += origin - parts.fileFrame.origin;
    for (LoopClosure& loop : parts.loops)
      if (loop.other < 0) loop.otherFromLoop.translation += origin - parts.fileFrame.origin;
    parts.fileFrame.origin = origin;
  });
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
  return edited(figure, [&](FigureParts& parts) { parts.links[link].name = name; });
}

FigureEdit renameJoint(const Figure& figure, int joint, const std::string& name) {
  if (name.empty()) return failedEdit("a joint needs a name");  // the builder would use the link's
  return edited(figure, [&](FigureParts& parts) { parts.joints[joint].name = name; });
}

FigureEdit addSite(const Figure& figure, const Site& site) {
  return edited(figure, [&](FigureParts& parts) { parts.sites.push_back(site); });
}

FigureEdit removeSite(const Figure& figure, int site) {
  return edited(figure, [&](FigureParts& parts) { parts.sites.erase(parts.sites.begin() + site); });
}

FigureEdit renameSite(const Figure& figure, int site, const std::string& name) {
  return edited(figure, [&](FigureParts& parts) { parts.sites[site].name = name; });
}

FigureEdit moveSite(const Figure& figure, int site, const Transform& linkFromSite) {
  return edited(figure, [&](FigureParts& parts) { parts.sites[site].linkFromSite = linkFromSite; });
}

FigureEdit addLoop(const Figure& figure, const LoopClosure& loop) {
  FigureParts parts = takeApart(figure);
  parts.loops.push_back(loop);
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit changeLoop(const Figure& figure, int loop, const LoopClosure& changed) {
  if (loop < 0 || loop >= std::ssize(figure.loops())) return failedEdit("there is no such loop");
  FigureParts parts = takeApart(figure);
  parts.loops[loop] = changed;
  return putTogether(std::move(parts), keepLinks(figure));
}

FigureEdit removeLoop(const Figure& figure, int loop) {
  if (loop < 0 || loop >= std::ssize(figure.loops())) return failedEdit("there is no such loop");
  FigureParts parts = takeApart(figure);
  parts.loops.erase(parts.loops.begin() + loop);
  return putTogether(std::move(parts), keepLinks(figure));
}

}  // namespace limber

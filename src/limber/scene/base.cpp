// SPDX-License-Identifier: MIT
#include "limber/scene/base.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/body/body_map.h"
#include "limber/kinematics/figure_faults.h"
#include "limber/kinematics/figure_parts.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/figure_change.h"

namespace limber {

namespace {

constexpr double kNowhere = std::numeric_limits<double>::infinity();  // the height of an empty set
constexpr double kLevelAxis = 0.5;                                    // of a wheel's axis: sine of its rise
constexpr double kRoundAbout = 0.25;  // of a wheel's radius: largest distance of its middle from its axis
constexpr double kWeightless = 1e-9;  // kilograms: largest mass of a link that only marks a place
constexpr std::string_view kWorld = "world";

bool isWorld(const Figure& figure, int link) {
  return figure.link(link).name == kWorld && figure.joint(link).type == JointType::Fixed;
}

/// The link and all links fixed to it.
std::vector<int> rigidBodyOf(const Figure& figure, int link) {
  std::vector<int> body = {link};
  for (std::size_t k = 0; k < body.size(); ++k)
    for (const int below : figure.children(body[k]))
      if (figure.joint(below).type == JointType::Fixed) body.push_back(below);
  return body;
}

double lowestCapsuleOf(const Figure& figure, const Kinematics& kinematics, const std::vector<int>& links) {
  double lowest = kNowhere;
  for (const int link : links)
    for (const Capsule& capsule : figure.link(link).capsules)
      for (const Eigen::Vector3d& end : {capsule.start, capsule.end})
        lowest = std::min(lowest, (kinematics.worldFromLink[link] * end).y() - capsule.radius);
  return lowest;
}

/// The lowest height of surfaces with a single bone (the meshes of robots) on these links.
double lowestSkinOf(const Skin& skin, const Kinematics& kinematics, const std::vector<int>& links) {
  double lowest = kNowhere;
  for (const SkinSurface& surface : skin.surfaces) {
    if (surface.bones.size() != 1 || std::ranges::find(links, surface.bones[0].link) == links.end()) continue;
    const Transform& worldFromLink = kinematics.worldFromLink[surface.bones[0].link];
    for (const Eigen::Vector3f& position : surface.positions)
      lowest = std::min(
          lowest, (worldFromLink * Eigen::Vector3d((surface.bones[0].linkFromSkin * position).cast<double>())).y());
  }
  return lowest;
}

/// The length along the joints from a link up to one above it.
double lengthOfWay(const Figure& figure, const Kinematics& rest, int link, int above) {
  double length = 0.0;
  for (; link != above && figure.link(link).parent >= 0; link = figure.link(link).parent)
    length += (rest.worldFromLink[link].translation - rest.worldFromLink[figure.link(link).parent].translation).norm();
  return length;
}

/// The distance from a link's joint to the farthest end of its capsules and those of its descendants.
double reachBelow(const Figure& figure, const Kinematics& rest, int link) {
  double reach = 0.0;
  for (const int part : withAllBelow(figure, link))
    for (const Capsule& capsule : figure.link(part).capsules)
      for (const Eigen::Vector3d& end : {capsule.start, capsule.end})
        reach = std::max(reach, (rest.worldFromLink[part] * end - rest.worldFromLink[link].translation).norm());
  return reach;
}

/// True for a hinge without limits about a level axis, about which the link's capsules are centred.
bool isWheel(const Figure& figure, const Kinematics& rest, int link) {
  const Joint& joint = figure.joint(link);
  if (joint.type != JointType::Revolute || joint.limits.isBounded()) return false;
  if (std::abs((rest.worldFromLink[link].rotation * joint.axis).y()) > kLevelAxis) return false;
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();  // from the axis, summed over the ends of capsules
  double farthest = 0.0;
  int count = 0;
  for (const int part : withAllBelow(figure, link))
    for (const Capsule& capsule : figure.link(part).capsules)
      for (const Eigen::Vector3d& end : {capsule.start, capsule.end}) {
        const Eigen::Vector3d inLink = rest.worldFromLink[link].inverse() * (rest.worldFromLink[part] * end);
        const Eigen::Vector3d across = inLink - inLink.dot(joint.axis) * joint.axis;
        farthest = std::max(farthest, across.norm() + capsule.radius);
        middle += across;
        ++count;
      }
  return count == 0 || (middle / count).norm() < kRoundAbout * farthest;
}

/// True for a foot that ends a leg of the base.
bool isLeg(const Figure& figure, const Kinematics& rest, int base, const Foothold& foot) {
  const int end = rigidTopOf(figure, foot.link);
  if (!figure.isAncestorOrSelf(base, end) || isWheel(figure, rest, end)) return false;
  const std::vector<char> limb = bodyMapOf(figure).limbOf(end);
  const int top = static_cast<int>(std::ranges::find(limb, 1) - limb.begin());
  const int hangsOn = figure.link(top).parent;
  if (hangsOn < 0 || !figure.isAncestorOrSelf(base, hangsOn)) return false;
  int first = base;  // the first link on the way that moves relative to the base
  for (int link = hangsOn; link != base; link = figure.link(link).parent)
    if (figure.joint(link).type != JointType::Fixed) first = link;
  if (first == base) return true;
  const double leg = lengthOfWay(figure, rest, end, top) + reachBelow(figure, rest, end);
  return leg >= lengthOfWay(figure, rest, hangsOn, first);
}

/// True if the base itself stands on the ground, as a pedestal does. Links without mass, such as base_footprint, only
/// mark places and do not count.
bool touchesGround(const Figure& figure, const Kinematics& rest, int base, double ground) {
  std::vector<int> body = rigidBodyOf(figure, base);
  std::erase_if(body, [&](int link) { return figure.link(link).mass < kWeightless; });
  return lowestCapsuleOf(figure, rest, body) <= ground + kFootholdHeight * bodyMapOf(figure).size();
}

double lowestOfFeet(const Document& document, const Kinematics& rest, const std::vector<Foothold>& feet) {
  const Figure& figure = *document.figure;
  double lowest = kNowhere;
  for (const Foothold& foot : feet) {
    const std::vector<int> body = withAllBelow(figure, rigidTopOf(figure, foot.link));
    const double seen = document.skin ? lowestSkinOf(*document.skin, rest, body) : kNowhere;
    lowest = std::min(lowest, std::isfinite(seen) ? seen : lowestCapsuleOf(figure, rest, body));
  }
  return lowest;
}

/// The file's own free joint at the base or below it; -1 for none.
int ownFreeRoot(const Figure& figure, int base) {
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.isFreeRoot(i) && !figure.joint(i).freed && figure.isAncestorOrSelf(base, i)) return i;
  return -1;
}

std::string freeNameFor(const Figure& figure) {
  std::string name = "base";
  while (figure.findLink(name) >= 0 || figure.findJoint(name) >= 0) name += "_";
  return name;
}

bool isRobotFile(const Document& document) {
  if (!document.source) return false;
  const SourceFormat format = document.source->format;
  return format == SourceFormat::Urdf || format == SourceFormat::Sdf || format == SourceFormat::Mjcf;
}

/// Puts the lowest foot on y = 0, because a file may have the robot anywhere.
void setUponGround(Document& document, const std::vector<Foothold>& feet) {
  const double lowest = lowestOfFeet(document, bodyMapOf(*document.figure).rest(), feet);
  if (!std::isfinite(lowest)) return;
  const Eigen::Vector3d origin = document.figure->fileFrame().origin - lowest * Eigen::Vector3d::UnitY();
  const FigureEdit edit = setFileOrigin(*document.figure, origin);
  if (edit.figure) replaceFigure(document, edit.figure, edit.linkFromOld);
}

}  // namespace

std::optional<BaseChoice> findBase(std::string_view word) {
  if (word == "free") return BaseChoice::Free;
  if (word == "fixed") return BaseChoice::Fixed;
  return std::nullopt;
}

int baseLinkOf(const Figure& figure) {
  int base = 0;
  std::size_t most = 0;
  const auto consider = [&](int link) {
    if (const std::size_t size = withAllBelow(figure, link).size(); size > most) {
      base = link;
      most = size;
    }
  };
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (figure.link(i).parent >= 0) continue;
    const bool standsForWorld = isWorld(figure, i) && !figure.children(i).empty();
    if (!standsForWorld) consider(i);
    else
      for (const int child : figure.children(i)) consider(child);
  }
  return base;
}

std::vector<Foothold> legsOf(const Figure& figure) {
  const int base = baseLinkOf(figure);
  std::vector<Foothold> legs = bodyMapOf(figure).feetAtRest();
  if (legs.size() < 2) return {};
  const Kinematics& rest = bodyMapOf(figure).rest();
  std::vector<int> all;
  for (int i = 0; i < figure.linkCount(); ++i) all.push_back(i);
  std::erase_if(legs, [&](const Foothold& foot) { return !isLeg(figure, rest, base, foot); });
  if (legs.size() < 2 || touchesGround(figure, rest, base, lowestCapsuleOf(figure, rest, all))) return {};
  return legs;
}

bool hasFreedBase(const Figure& figure) { return std::ranges::any_of(figure.joints(), &Joint::freed); }

bool hasMovedBase(const Figure& figure, const Pose& pose) {
  const Eigen::VectorXd inFile = Eigen::VectorXd::Unit(poseSize(JointType::Free), 6);
  return std::ranges::any_of(figure.joints(), [&](const Joint& joint) {
    return joint.freed && pose.coordinates.segment(joint.poseIndex, inFile.size()) != inFile;
  });
}

bool hasBaseChoice(const Document& document) {
  const Figure& figure = *document.figure;
  return hasFreedBase(figure) || (isRobotFile(document) && ownFreeRoot(figure, baseLinkOf(figure)) < 0);
}

void chooseBase(Document& document, BaseChoice choice, std::vector<std::string>& notes) {
  if (choice == BaseChoice::Fixed || !hasBaseChoice(document)) return;
  const int base = baseLinkOf(*document.figure);
  const bool isLeftOpen =
      document.figure->link(base).parent < 0 && document.figure->joint(base).type == JointType::Fixed;
  const std::vector<Foothold> legs = legsOf(*document.figure);
  if (choice == BaseChoice::ByLegs && (!isLeftOpen || legs.empty())) return;
  if (!legs.empty()) setUponGround(document, legs);
  const FigureEdit edit = changeBase(*document.figure, true);
  if (!edit.figure) return notes.push_back("The base stays fixed: " + edit.fault + ".");
  replaceFigure(document, edit.figure, edit.linkFromOld);
  const std::string name = inQuotes(document.figure->joint(baseLinkOf(*document.figure)).name);
  notes.push_back(legs.empty() ? "The base is free: unlock joint " + name + " to move the robot as a whole."
                               : "The robot stands on " + std::to_string(legs.size()) + " legs: its base, joint " +
                                     name + ", is free; it moves only when you drag it.");
}

FigureEdit changeBase(const Figure& figure, bool isFree) {
  if (!isFree) return fixBase(figure);
  if (hasFreedBase(figure)) return failedEdit("the base is free already");
  const int base = baseLinkOf(figure);
  if (figure.joint(base).type == JointType::Fixed) return freeBase(figure, base);
  return addFreeBase(figure, base, freeNameFor(figure));
}

}  // namespace limber

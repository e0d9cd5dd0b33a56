// SPDX-License-Identifier: MIT
#include "render/limbs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::render {

namespace {

// Sizes, in mean link lengths unless a comment says otherwise.
constexpr double kSamePoint = 1e-6;           // distance of joints that count as at one point
constexpr double kJointOverLimb = 1.15;       // of a joint's ball, in radii of the limb
constexpr double kJointInLimb = 0.7;          // likewise
constexpr double kMaxJointRadius = 0.4;       // keeps the joint inside a waist
constexpr double kTrunkOverLimb = 1.5;        // in radii of the limb: a thicker parent is a trunk
constexpr double kEndsAtJoint = 0.6;          // in radii of a capsule: distance of its end from the joint
constexpr double kDefaultJointRadius = 0.06;  // without a capsule nearby
constexpr int kMaxHingesOnPoint = 8;          // number of links of length zero that are skipped
constexpr int kMaxSiblingsCompared = 16;      // number of siblings with which a joint is compared

/// The link, or the first one below it with capsules: links between joints at one point have no length.
const Link& limbOf(const Figure& figure, int link) {
  for (int depth = 0; depth < kMaxHingesOnPoint && figure.link(link).capsules.empty() && !figure.children(link).empty();
       ++depth)
    link = figure.children(link)[0];
  return figure.link(link);
}

/// Radius of a link's thinnest capsule that ends at a point; 0 if there is none.
double radiusEndingAt(const Link& link, const Eigen::Vector3d& place) {
  double radius = std::numeric_limits<double>::infinity();
  for (const Capsule& capsule : link.capsules) {
    const double gap = std::min((capsule.start - place).norm(), (capsule.end - place).norm());
    if (gap <= kEndsAtJoint * capsule.radius) radius = std::min(radius, capsule.radius);
  }
  return std::isfinite(radius) ? radius : 0.0;
}

/// The first of several joints at one point, which is on the limb above.
int firstOnPoint(const Figure& figure, int joint) {
  const double tolerance = kSamePoint * figure.meanLinkLength();
  for (int parent = figure.link(joint).parent; parent >= 0; parent = figure.link(joint).parent) {
    if (figure.joint(joint).parentFromJoint.translation.norm() >= tolerance || !showsBall(figure, parent)) break;
    joint = parent;
  }
  return joint;
}

}  // namespace

double limbRadius(const Figure& figure, int link) {
  double radius = std::numeric_limits<double>::infinity();
  for (const Capsule& capsule : limbOf(figure, link).capsules) radius = std::min(radius, capsule.radius);
  return std::isfinite(radius) ? radius : 0.0;
}

bool showsBall(const Figure& figure, int joint) {
  const JointType type = figure.joint(joint).type;
  return type == JointType::Revolute || type == JointType::Prismatic || type == JointType::Ball;
}

double jointRadius(const Figure& figure, int anyJoint) {
  const int joint = firstOnPoint(figure, anyJoint);
  const int parent = figure.link(joint).parent;
  const double mean = figure.meanLinkLength();
  const double own = radiusEndingAt(limbOf(figure, joint), Eigen::Vector3d::Zero());
  const double above =
      parent < 0 ? own : radiusEndingAt(figure.link(parent), figure.joint(joint).parentFromJoint.translation);
  double radius = kDefaultJointRadius * mean;
  if (above > 0.0) radius = kJointOverLimb * (own == 0.0 || above <= kTrunkOverLimb * own ? std::max(own, above) : own);
  else if (own > 0.0) radius = kJointInLimb * own;
  else if (const double near = limbRadius(figure, joint); near > 0.0) radius = kJointInLimb * near;
  return std::min(radius, kMaxJointRadius * mean);
}

bool standsOnShownJoint(const Figure& figure, int joint) {
  const int parent = figure.link(joint).parent;
  if (parent < 0) return false;
  if (firstOnPoint(figure, joint) != joint) return true;
  const double tolerance = kSamePoint * figure.meanLinkLength();
  const Eigen::Vector3d& place = figure.joint(joint).parentFromJoint.translation;
  int compared = 0;
  for (int sibling : figure.children(parent)) {
    if (sibling >= joint || ++compared > kMaxSiblingsCompared) return false;
    if (showsBall(figure, sibling) && (figure.joint(sibling).parentFromJoint.translation - place).norm() < tolerance)
      return true;
  }
  return false;
}

Eigen::Vector3d boneEnd(const Figure& figure, int link) {
  const double tolerance = kSamePoint * figure.meanLinkLength();
  for (const int child : figure.children(link))
    if (const auto& place = figure.joint(child).parentFromJoint.translation; place.norm() > tolerance) return place;
  Eigen::Vector3d farthest = Eigen::Vector3d::Zero();
  for (const Capsule& capsule : figure.link(link).capsules)
    for (const Eigen::Vector3d& end : {capsule.start, capsule.end})
      if (end.norm() > farthest.norm()) farthest = end;
  return farthest;
}

Eigen::Vector3d limbVector(const Figure& figure, const Kinematics& kinematics, int joint) {
  const Eigen::Vector3d& start = kinematics.worldFromLink[joint].translation;
  for (int link = joint, depth = 0; depth < kMaxHingesOnPoint; ++depth) {
    const Eigen::Vector3d end = kinematics.worldFromLink[link] * boneEnd(figure, link);
    if ((end - start).norm() > kSamePoint * figure.meanLinkLength()) return end - start;
    if (figure.children(link).empty()) break;
    link = figure.children(link)[0];
  }
  return Eigen::Vector3d::Zero();
}

double linkReach(const Link& link) {
  double reach = 0.0;
  for (const Capsule& capsule : link.capsules)
    reach = std::max(reach, std::max(capsule.start.norm(), capsule.end.norm()) + capsule.radius);
  return reach;
}

}  // namespace limber::render

// SPDX-License-Identifier: MIT
#include "render/draw_list.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>

#include "render/markers.h"
#include "render/palette.h"

namespace limber::render {

namespace {

// Sizes, in mean link lengths where nothing else is said.
constexpr double kSamePoint = 1e-6;          // joints nearer than this stand on one point
constexpr double kJointOverLimb = 1.15;      // joint ball, of the limb's radius
constexpr double kJointInLimb = 0.7;         // of the limb's radius
constexpr double kMaxJointRadius = 0.4;        // a waist keeps its joint inside
constexpr double kTrunkOverLimb = 1.5;       // a parent thicker than this is a trunk
constexpr double kEndsAtJoint = 0.6;         // of a capsule's radius: nearer than this it ends at the joint
constexpr double kDefaultJointRadius = 0.06; // where no capsule is near
constexpr double kMinTargetSize = 0.12;
constexpr double kMaxTargetSize = 0.24;
constexpr double kTargetOverLimb = 1.3;      // of the limb's radius: the target shows around the end effector
constexpr double kRingRatio = 0.35;          // rotation ring, of the link's length
constexpr double kMinRing = 0.25;
constexpr double kLowGround = 0.1;           // of the figure's height: less below zero is a sole or a radius
constexpr double kMinTargetPixels = 7.0;     // radius; when the view is known
constexpr double kMinRingPixels = 26.0;
constexpr int kMaxSiblingsCompared = 16;     // a joint is compared with that many siblings before it

/// So many pixels in metres, where the view is known.
double pixels(const Highlight& highlight, double count, const Eigen::Vector3d& place) {
  return highlight.view ? count * pixelSize(*highlight.view, place) : 0.0;
}

enum class Side { Middle, Left, Right };

/// By name: "left_hand", "LeftArm", "hand.L", "hand_l", "lHand", "l_hand".
Side sideOf(std::string_view name) {
  const auto lower = [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); };
  const auto contains = [&](std::string_view word) {
    return std::search(name.begin(), name.end(), word.begin(), word.end(),
                       [&](char a, char b) { return lower(a) == b; }) != name.end();
  };
  const auto sideOfLetter = [&](char c) { return lower(c) == 'l' ? Side::Left : lower(c) == 'r' ? Side::Right : Side::Middle; };
  const auto isSeparator = [](char c) { return c == '_' || c == '.' || c == '-'; };
  const auto isUpper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  if (contains("left")) return Side::Left;
  if (contains("right")) return Side::Right;
  if (name.size() < 3) return Side::Middle;
  if (isSeparator(name[name.size() - 2])) return sideOfLetter(name.back());
  if (isSeparator(name[1]) || (isUpper(name[1]) && !isUpper(name[2]))) return sideOfLetter(name[0]);
  return Side::Middle;
}

Color bodyColor(const Figure& figure, int link) {
  if (figure.linkCount() > kClutterLinks) return kBody;
  const Side side = sideOf(figure.link(link).name);
  return side == Side::Left ? kLeftLimb : side == Side::Right ? kRightLimb : kBody;
}

/// The link, or the first below it that has capsules: joints on one point have links of zero length between them.
const Link& limbOf(const Figure& figure, int link) {
  for (int depth = 0; depth < 8 && figure.link(link).capsules.empty() && !figure.children(link).empty(); ++depth)
    link = figure.children(link)[0];
  return figure.link(link);
}

/// The thinnest capsule of a limb; 0 when there is none.
double limbRadius(const Figure& figure, int link) {
  double radius = std::numeric_limits<double>::infinity();
  for (const Capsule& capsule : limbOf(figure, link).capsules) radius = std::min(radius, capsule.radius);
  return std::isfinite(radius) ? radius : 0.0;
}

/// The thinnest capsule of a link that ends at a point of it; 0 when none does.
double radiusEndingAt(const Link& link, const Eigen::Vector3d& place) {
  double radius = std::numeric_limits<double>::infinity();
  for (const Capsule& capsule : link.capsules) {
    const double gap = std::min((capsule.start - place).norm(), (capsule.end - place).norm());
    if (gap <= kEndsAtJoint * capsule.radius) radius = std::min(radius, capsule.radius);
  }
  return std::isfinite(radius) ? radius : 0.0;
}

bool showsBall(const Figure& figure, int joint) {
  const JointType type = figure.joint(joint).type;
  return type == JointType::Revolute || type == JointType::Prismatic || type == JointType::Ball;
}

/// Of several hinges on one point the first, which stands on the limb above.
int firstOnPoint(const Figure& figure, int joint) {
  const double tolerance = kSamePoint * figure.meanLinkLength();
  for (int parent = figure.link(joint).parent; parent >= 0; parent = figure.link(joint).parent) {
    if (figure.joint(joint).parentFromJoint.translation.norm() >= tolerance || !showsBall(figure, parent)) break;
    joint = parent;
  }
  return joint;
}

/// A ball that shows between two limbs that meet at the joint, and hides in the limb where only one ends there. A
/// trunk, much thicker than the limb, does not count.
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

/// True when a joint before it (its parent, a sibling) already shows a ball on the same point.
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

void appendLinks(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  const Figure& figure = *document.figure;
  for (int i = 0; i < figure.linkCount(); ++i) {
    Color color = bodyColor(figure, i);
    if (i == document.selection.joint) color = mix(color, kAccent, 0.35f);
    if (i == highlight.draggedLink) color = mix(color, kAccent, 0.75f);
    else if (i == highlight.hoveredLink) color = lighter(mix(color, kAccent, 0.25f));
    const Transform& worldFromLink = kinematics.worldFromLink[static_cast<std::size_t>(i)];
    for (const Capsule& capsule : figure.link(i).capsules)
      list.capsules.push_back({worldFromLink * capsule.start, worldFromLink * capsule.end, capsule.radius, color,
                               Layer::Scene, i, -1});
  }
}

void appendJoints(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  const Figure& figure = *document.figure;
  if (figure.linkCount() > kClutterLinks) return;
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (!showsBall(figure, i) || standsOnShownJoint(figure, i)) continue;
    const Eigen::Vector3d& centre = kinematics.worldFromLink[static_cast<std::size_t>(i)].translation;
    list.capsules.push_back({centre, centre, jointRadius(figure, i), kJoint, Layer::Scene, i, -1});
  }
  for (int joint : highlight.limitedJoints)
    if (joint >= 0 && joint < figure.linkCount() && showsBall(figure, joint))
      appendLimitMark(figure, kinematics, joint, jointRadius(figure, joint), list);
}

void appendSelectedJoint(const Document& document, const Kinematics& kinematics, const Highlight& highlight,
                         DrawList& list) {
  const Figure& figure = *document.figure;
  const int joint = document.selection.joint;
  if (joint < 0 || joint >= figure.linkCount() || figure.joint(joint).type == JointType::Fixed) return;
  const Eigen::Vector3d& centre = kinematics.worldFromLink[static_cast<std::size_t>(joint)].translation;
  const double ball = jointRadius(figure, joint);
  if (highlight.showJoints) list.capsules.push_back({centre, centre, 1.08 * ball, kAccent, Layer::Scene, joint, -1});
  appendRotationAxes(figure, kinematics, joint,
                     std::max({kRingRatio * figure.linkLength(joint), kMinRing * figure.meanLinkLength(), 1.8 * ball,
                               pixels(highlight, kMinRingPixels, centre)}),
                     list);
}

TargetMark makeTargetMark(const Document& document, const Kinematics& kinematics, const Highlight& highlight, int link,
                          const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& target) {
  const Figure& figure = *document.figure;
  const double mean = figure.meanLinkLength();
  TargetMark mark;
  mark.target = target;
  mark.endEffector = kinematics.worldFromLink[static_cast<std::size_t>(link)] * pointInLink;
  mark.size = std::clamp(kTargetOverLimb * limbRadius(figure, link), kMinTargetSize * mean, kMaxTargetSize * mean);
  mark.size = std::max(mark.size, pixels(highlight, kMinTargetPixels, target));
  mark.met = (mark.endEffector - target).norm() < document.solver.reachedTolerance * mean;
  mark.planar = figure.isPlanar();
  return mark;
}

void appendTargets(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  const auto isLink = [&](int link) { return link >= 0 && link < document.figure->linkCount(); };
  if (highlight.showTargets)
    for (const GoalItem& goal : document.goals) {
      if (!goal.enabled || !isLink(goal.link) || !goal.target.allFinite()) continue;
      TargetMark mark = makeTargetMark(document, kinematics, highlight, goal.link, goal.pointInLink, goal.target);
      mark.goal = goal.id;
      mark.faint = document.mode == Mode::Forward;
      mark.hovered = goal.id == highlight.hoveredGoal;
      mark.selected = goal.id == document.selection.goal;
      appendTarget(mark, list);
    }
  if (highlight.hasDragTarget && isLink(highlight.dragTargetLink) && highlight.dragTarget.allFinite())
    appendTarget(makeTargetMark(document, kinematics, highlight, highlight.dragTargetLink,
                                highlight.dragPointInLink, highlight.dragTarget), list);
}

void computeBounds(DrawList& list) {
  list.boundsMin.setConstant(std::numeric_limits<double>::infinity());
  list.boundsMax = -list.boundsMin;
  for (const DrawCapsule& capsule : list.capsules) {
    if (capsule.layer != Layer::Scene) continue;
    list.boundsMin = list.boundsMin.cwiseMin((capsule.start.cwiseMin(capsule.end).array() - capsule.radius).matrix());
    list.boundsMax = list.boundsMax.cwiseMax((capsule.start.cwiseMax(capsule.end).array() + capsule.radius).matrix());
  }
  if (!(list.boundsMin.array() <= list.boundsMax.array()).all()) {
    list.boundsMin.setZero();
    list.boundsMax.setZero();
  }
}

/// Where the figure's first pose stands: zero, unless it reaches clearly below.
double findGround(const Document& document) {
  const Figure& figure = *document.figure;
  Kinematics kinematics;
  computeTransforms(figure, document.motion && document.motion->frameCount > 0 ? document.motion->poseAt(figure, 0) : restPose(figure),
                    kinematics);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int i = 0; i < figure.linkCount(); ++i)
    for (const Capsule& capsule : figure.link(i).capsules)
      for (const Eigen::Vector3d& end : {capsule.start, capsule.end}) {
        const double y = (kinematics.worldFromLink[static_cast<std::size_t>(i)] * end).y();
        low = std::min(low, y - capsule.radius);
        high = std::max(high, y + capsule.radius);
      }
  return low < -kLowGround * (high - low) ? low : 0.0;
}

}  // namespace

void makeDrawList(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  list.capsules.clear();
  if (!document.figure) {
    computeBounds(list);
    return;
  }
  if (list.groundFigure != document.figure || list.groundMotion != document.motion) {
    list.groundHeight = findGround(document);
    list.groundFigure = document.figure;
    list.groundMotion = document.motion;
  }
  list.planar = document.figure->isPlanar();

  appendLinks(document, kinematics, highlight, list);
  if (highlight.showJoints) appendJoints(document, kinematics, highlight, list);
  appendSelectedJoint(document, kinematics, highlight, list);
  appendTargets(document, kinematics, highlight, list);
  computeBounds(list);
}

View frameList(const DrawList& list, int width, int height) {
  const View view = frameFigure(list.boundsMin, list.boundsMax, list.planar, width, height);
  Eigen::Matrix3d axes = cameraFromWorld(view).topLeftCorner<3, 3>();
  axes.row(2) *= -1.0;  // forward
  Eigen::Vector3d boxMin = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity()), boxMax = -boxMin;
  for (const DrawCapsule& capsule : list.capsules) {
    if (capsule.layer != Layer::Scene) continue;
    const Eigen::Vector3d start = axes * capsule.start, end = axes * capsule.end;
    boxMin = boxMin.cwiseMin((start.cwiseMin(end).array() - capsule.radius).matrix());
    boxMax = boxMax.cwiseMax((start.cwiseMax(end).array() + capsule.radius).matrix());
  }
  return boxMin.x() <= boxMax.x() ? frameCameraBox(view, boxMin, boxMax) : view;
}

}  // namespace limber::render

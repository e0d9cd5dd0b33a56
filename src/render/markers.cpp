// SPDX-License-Identifier: MIT
#include "render/marks.h"

namespace limber::render {

namespace {

constexpr int kAxisSegments = 48;
constexpr int kMarkSegments = 24;
constexpr float kFaint = 0.28f;

Eigen::Vector3d worldAxis(const Figure& figure, const Kinematics& kinematics, int joint) {
  return worldFromJoint(figure, kinematics, joint).rotation * figure.joint(joint).axis;
}

}  // namespace

double pixels(const Highlight& highlight, double count, const Eigen::Vector3d& place) {
  return highlight.view ? count * highlight.displayScale * pixelSize(*highlight.view, place) : 0.0;
}

Color targetColor(bool met, bool hovered, bool faint) {
  Color color = met ? kMet : kUnmet;
  if (hovered) color = lighter(color);
  if (faint) color.alpha = kFaint;
  return color;
}

void appendTarget(const TargetMark& mark, DrawList& list) {
  const Color color = targetColor(mark.met, mark.hovered, mark.faint);
  const Stroke thin{0.14 * mark.size, color, mark.goal};
  const Stroke unowned{thin.thickness, color};
  const Eigen::Vector3d ringAxis = mark.planar ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();

  appendBall(mark.target, mark.met ? mark.size : 0.8 * mark.size, gripped(thin, mark.grip), list);
  if (mark.met) {
    appendRing(mark.target, ringAxis, 1.75 * mark.size, kMarkSegments, unowned, list);
  } else {
    for (int axis = 0; axis < (mark.planar ? 2 : 3); ++axis) {
      const Eigen::Vector3d arm = 2.1 * mark.size * Eigen::Vector3d::Unit(axis);
      appendLine(mark.target - arm, mark.target + arm, thicker(thin, 1.3), list);
    }
    if (mark.from != mark.wanted)
      appendLine(mark.from, mark.wanted, colored(unowned, withAlpha(color, 0.75f * color.alpha)), list);
  }
  if (mark.selected)
    appendRing(mark.target, ringAxis, 2.4 * mark.size, kMarkSegments, colored(unowned, withAlpha(kAccent, color.alpha)),
               list);
}

void appendRotationAxes(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list) {
  const Transform& worldFromLink = kinematics.worldFromLink[joint];
  const Eigen::Vector3d centre = worldFromLink.translation;
  const Stroke stroke{0.03 * radius, kAccent};
  switch (figure.joint(joint).type) {
    case JointType::Fixed: return;
    case JointType::Revolute: {
      const Eigen::Vector3d axis = worldAxis(figure, kinematics, joint);
      appendRing(centre, axis, radius, kAxisSegments, stroke, list);
      appendLine(centre - 0.45 * radius * axis, centre + 0.45 * radius * axis, stroke, list);
      return;
    }
    case JointType::Prismatic: {
      const Eigen::Vector3d arm = radius * worldAxis(figure, kinematics, joint);
      appendLine(centre - arm, centre + arm, stroke, list);
      for (double side : {-1.0, 1.0}) appendBall(centre + side * arm, 3.0 * stroke.thickness, stroke, list);
      return;
    }
    case JointType::Ball:
    case JointType::Free:
      for (int axis = 0; axis < 3; ++axis)
        appendRing(centre, worldFromLink.rotation.col(axis), radius, kAxisSegments, colored(stroke, kAxisColors[axis]),
                   list);
      return;
  }
}

void appendLimitMark(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list) {
  const Eigen::Vector3d centre = kinematics.worldFromLink[joint].translation;
  appendBall(centre, 1.04 * radius, {.color = kOnLimit}, list);
  list.capsules.back().layer = Layer::Scene;  // it covers the joint's ball and is hidden like it
  list.capsules.back().link = joint;
  appendRing(centre, worldAxis(figure, kinematics, joint), 1.5 * radius, kMarkSegments, {0.09 * radius, kOnLimit},
             list);
}

}  // namespace limber::render

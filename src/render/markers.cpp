// SPDX-License-Identifier: MIT
#include "render/markers.h"

#include <Eigen/Geometry>
#include <cmath>

#include "render/palette.h"

namespace limber::render {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kAxisSegments = 48;
constexpr int kMarkSegments = 24;
constexpr float kFaint = 0.28f;

void appendOverlay(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double radius, const Color& color,
                   int goal, DrawList& list) {
  list.capsules.push_back({start, end, radius, color, Layer::Overlay, -1, goal});
}

Eigen::Vector3d worldAxis(const Figure& figure, const Kinematics& kinematics, int joint) {
  return kinematics.worldFromJoint[static_cast<std::size_t>(joint)].rotation * figure.joint(joint).axis;
}

}  // namespace

void appendRing(const Eigen::Vector3d& centre, const Eigen::Vector3d& axis, double radius, double thickness,
                const Color& color, int segments, DrawList& list) {
  const Eigen::Vector3d normal = axis.norm() > 0.0 ? Eigen::Vector3d(axis.normalized()) : Eigen::Vector3d::UnitY();
  const Eigen::Vector3d u = radius * normal.unitOrthogonal();
  const Eigen::Vector3d v = normal.cross(u);
  Eigen::Vector3d previous = centre + u;
  for (int i = 1; i <= segments; ++i) {
    const double angle = 2.0 * kPi * i / segments;
    const Eigen::Vector3d next = centre + std::cos(angle) * u + std::sin(angle) * v;
    appendOverlay(previous, next, thickness, color, -1, list);
    previous = next;
  }
}

void appendTarget(const TargetMark& mark, DrawList& list) {
  Color color = mark.met ? kMet : kUnmet;
  if (mark.hovered) color = lighter(color);
  if (mark.faint) color.alpha = kFaint;
  const double thin = 0.14 * mark.size;
  const Eigen::Vector3d ringAxis = mark.planar ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();

  if (mark.met) {
    appendOverlay(mark.target, mark.target, mark.size, color, mark.goal, list);
    appendRing(mark.target, ringAxis, 1.75 * mark.size, thin, color, kMarkSegments, list);
  } else {
    appendOverlay(mark.target, mark.target, 0.8 * mark.size, color, mark.goal, list);
    for (int axis = 0; axis < (mark.planar ? 2 : 3); ++axis) {
      const Eigen::Vector3d arm = 2.1 * mark.size * Eigen::Vector3d::Unit(axis);
      appendOverlay(mark.target - arm, mark.target + arm, 1.3 * thin, color, mark.goal, list);
    }
    appendOverlay(mark.endEffector, mark.target, thin, withAlpha(color, 0.75f * color.alpha), -1, list);
  }
  if (mark.selected)
    appendRing(mark.target, ringAxis, 2.4 * mark.size, thin, withAlpha(kAccent, color.alpha), kMarkSegments, list);
}

void appendRotationAxes(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list) {
  const Transform& worldFromLink = kinematics.worldFromLink[static_cast<std::size_t>(joint)];
  const Eigen::Vector3d centre = worldFromLink.translation;
  const double thin = 0.03 * radius;
  switch (figure.joint(joint).type) {
    case JointType::Fixed:
      return;
    case JointType::Revolute: {
      const Eigen::Vector3d axis = worldAxis(figure, kinematics, joint);
      appendRing(centre, axis, radius, thin, kAccent, kAxisSegments, list);
      appendOverlay(centre - 0.45 * radius * axis, centre + 0.45 * radius * axis, thin, kAccent, -1, list);
      return;
    }
    case JointType::Prismatic: {
      const Eigen::Vector3d arm = radius * worldAxis(figure, kinematics, joint);
      appendOverlay(centre - arm, centre + arm, thin, kAccent, -1, list);
      for (double side : {-1.0, 1.0})
        appendOverlay(centre + side * arm, centre + side * arm, 3.0 * thin, kAccent, -1, list);
      return;
    }
    case JointType::Ball:
    case JointType::Free: {
      const Color colors[] = {kAxisX, kAxisY, kAxisZ};
      for (int axis = 0; axis < 3; ++axis)
        appendRing(centre, worldFromLink.rotation.col(axis), radius, thin, colors[axis], kAxisSegments, list);
      return;
    }
  }
}

void appendLimitMark(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list) {
  const Eigen::Vector3d centre = kinematics.worldFromLink[static_cast<std::size_t>(joint)].translation;
  appendOverlay(centre, centre, 1.04 * radius, kOnLimit, -1, list);
  list.capsules.back().layer = Layer::Scene;  // over the slate joint ball, and as hidden as it is
  list.capsules.back().link = joint;
  appendRing(centre, worldAxis(figure, kinematics, joint), 1.5 * radius, 0.09 * radius, kOnLimit, kMarkSegments, list);
}

}  // namespace limber::render

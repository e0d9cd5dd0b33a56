// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/random_pose.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/kinematics/shortest_turn.h"

namespace limber {

namespace {

constexpr double kFewJoints = 4.0;  // number of joints that turn freely without curling up

/// Half-width for joints without limits: half a turn if they are few.
double freeReach(const Objective& objective) {
  const Figure& figure = objective.figure();
  int count = 0;
  for (const Joint& joint : figure.joints()) {
    const bool turns = joint.type == JointType::Ball || joint.type == JointType::Revolute;
    count += turns && !joint.limits.isBounded() && !joint.ballLimits.isBounded() &&
             objective.activeIndex(joint.stepIndex) >= 0;
  }
  return std::numbers::pi * std::min(1.0, std::sqrt(kFewJoints / std::max(count, 1)));
}

Eigen::Vector3d perpendicular(const Eigen::Vector3d& axis, double azimuth) {
  const Eigen::Vector3d across = axis.unitOrthogonal();
  return std::cos(azimuth) * across + std::sin(azimuth) * axis.cross(across);
}

/// The direction of the axis is uniform on the cap of the cone, the twist uniform in its interval.
Eigen::Quaterniond randomBall(const BallLimits& limits, RandomStream& random) {
  const double swing = std::acos(std::clamp(random.uniform(std::cos(limits.swing), 1.0), -1.0, 1.0));
  const Eigen::Vector3d across = perpendicular(limits.coneAxis, random.uniform(-std::numbers::pi, std::numbers::pi));
  const double twist =
      random.uniform(std::max(limits.twist.lower, -std::numbers::pi), std::min(limits.twist.upper, std::numbers::pi));
  return exponential(swing * across) * exponential(twist * limits.coneAxis) *
         shortestTurn(limits.twistAxis, limits.coneAxis);
}

void randomizeScalar(const Objective& objective, const Joint& joint, const Pose& around, double reach,
                     RandomStream& random, Pose& out) {
  const double q = around.coordinates[joint.poseIndex];
  if (joint.type == JointType::Prismatic) reach = objective.figure().meanLinkLength();
  double lower = q - objective.feasibleSet().room(around, joint.stepIndex, -1.0);
  double upper = q + objective.feasibleSet().room(around, joint.stepIndex, 1.0);
  if (!std::isfinite(lower)) lower = (std::isfinite(upper) ? upper - reach : q) - reach;
  if (!std::isfinite(upper)) upper = std::max(lower + 2.0 * reach, q);
  out.coordinates[joint.poseIndex] = random.uniform(lower, upper);
}

}  // namespace

void randomizePose(const Objective& objective, const FreeSpace& space, const Pose& around, RandomStream& random,
                   Pose& out) {
  const Figure& figure = objective.figure();
  const double reach = freeReach(objective);
  out = around;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    if (joint.type == JointType::Fixed || joint.type == JointType::Free) continue;
    if (objective.activeIndex(joint.stepIndex) < 0) continue;
    if (joint.type != JointType::Ball) {
      randomizeScalar(objective, joint, around, reach, random, out);
      continue;
    }
    const auto block = std::find_if(space.blocks.begin(), space.blocks.end(), [&](const FreeSpace::Block& b) {
      return b.ball >= 0 && objective.feasibleSet().jointOfBall(b.ball) == i;
    });
    if (block != space.blocks.end()) {
      setJointRotation(figure, i, randomBall(objective.feasibleSet().rangeOfBall(block->ball).limits(), random), out);
      continue;
    }
    const Eigen::Vector3d axis =
        perpendicular(Eigen::Vector3d::UnitZ(), random.uniform(-std::numbers::pi, std::numbers::pi));
    const double height = random.uniform(-1.0, 1.0);
    const Eigen::Vector3d direction = std::sqrt(1.0 - height * height) * axis + height * Eigen::Vector3d::UnitZ();
    setJointRotation(figure, i, jointRotation(figure, around, i) * exponential(reach * random.uniform() * direction),
                     out);
  }
  objective.feasibleSet().project(out);
}

}  // namespace limber

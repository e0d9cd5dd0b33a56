// SPDX-License-Identifier: MIT
#include "research/starts.h"

#include <numbers>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/solvers/convex/rigid_fit.h"

namespace limber::experiments {

namespace {

/// Uniform on the sphere of unit quaternions (Shoemake 1992).
Eigen::Quaterniond randomTurn(RandomStream& random) {
  const double part = random.uniform(), a = random.uniform(0.0, 2.0 * std::numbers::pi),
               b = random.uniform(0.0, 2.0 * std::numbers::pi);
  const double lower = std::sqrt(1.0 - part), upper = std::sqrt(part);
  return {upper * std::cos(b), lower * std::sin(a), lower * std::cos(a), upper * std::sin(b)};
}

/// The points of the pose beside their targets.
std::vector<PointPair> pairsOf(const test::ObservedFigure& problem, const Kinematics& kinematics) {
  std::vector<PointPair> pairs;
  for (std::size_t k = 0; k < problem.points.size(); ++k) {
    const Relaxation::Point& p = problem.points[k];
    const Transform& link = kinematics.worldFromLink[static_cast<std::size_t>(p.link)];
    pairs.push_back({p.weight, link * p.pointInLink, problem.targets[k]});
  }
  return pairs;
}

constexpr int kRoot = 0;  // links stand parents first

void moveFigure(const test::ObservedFigure& problem, const Kinematics& kinematics, const Transform& motion,
                Pose& pose) {
  moveRoot(*problem.figure, kRoot, kinematics.worldFromLink[kRoot], motion, pose);
}

void centreOnTargets(const test::ObservedFigure& problem, Pose& pose) {
  Kinematics kinematics;
  computeTransforms(*problem.figure, pose, kinematics);
  Transform shift;
  const std::vector<PointPair> pairs = pairsOf(problem, kinematics);
  for (const PointPair& pair : pairs) shift.translation += (pair.there - pair.here) / static_cast<double>(pairs.size());
  moveFigure(problem, kinematics, shift, pose);
}

}  // namespace

std::vector<Pose> randomStarts(const test::ObservedFigure& problem, const Objective& objective, int count,
                               RandomStream& random) {
  FreeSpace space;
  const Pose rest = restPose(*problem.figure);
  objective.feasibleSet().findFreeSpace(rest, Eigen::VectorXd::Zero(objective.activeCount()), space);
  std::vector<Pose> starts(static_cast<std::size_t>(count));
  for (Pose& start : starts) {
    randomizePose(objective, space, rest, random, start);
    setJointRotation(*problem.figure, kRoot, randomTurn(random), start);
    centreOnTargets(problem, start);
  }
  return starts;
}

Pose laidOnTargets(const test::ObservedFigure& problem, Pose pose) {
  Kinematics kinematics;
  computeTransforms(*problem.figure, pose, kinematics);
  if (const std::optional<Transform> motion = bestMotion(pairsOf(problem, kinematics)))
    moveFigure(problem, kinematics, *motion, pose);
  return pose;
}

}  // namespace limber::experiments

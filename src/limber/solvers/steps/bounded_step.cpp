// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/bounded_step.h"

#include <algorithm>
#include <cmath>

#include "limber/solvers/steps/limit_penalty.h"

namespace limber {

namespace {

constexpr double kBlockedShare = 0.1;  // of its step: a coordinate that a limit stops before this is blocked
constexpr double kBlockedGain = 1e-3;  // of the free step's decrement: with less, blocked coordinates must move
constexpr int kMaxBlockedRounds = 20;

double cutOfBall(const Objective& objective, const Pose& pose, const Workspace& workspace,
                 const FreeSpace::Block& block) {
  const int k = block.active[0], joint = objective.feasibleSet().jointOfBall(block.ball);
  const Figure& figure = objective.figure();
  const Eigen::Vector3d asked = workspace.direction.segment<3>(k);
  Eigen::Vector3d cut =
      logarithm(jointRotation(figure, pose, joint).conjugate() * jointRotation(figure, workspace.trialPose, joint)) -
      asked;
  if (cut.norm() <= 1e-9 * asked.norm()) return 0.0;
  if (block.held > 0) cut = (Eigen::Matrix3d(block.projector) * cut).eval();
  return workspace.gradient.segment<3>(k).dot(cut);
}

}  // namespace

void computeStepMetric(const Objective& objective, const Evaluation& evaluation, const FreeSpace& space,
                       Eigen::VectorXd& metric) {
  metric.resize(objective.activeCount());
  for (int k = 0; k < objective.activeCount(); ++k) metric[k] = objective.metric()[objective.active()[k]];
  const auto terms = objective.feasibleSet().couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = objective.activeIndex(terms[i].driver); k >= 0)
      metric[k] += evaluation.slopes[i] * evaluation.slopes[i] * objective.metric()[terms[i].follower];
  space.evenOut(metric);
}

void findTakenStep(const Objective& objective, const FreeSpace& space, const Pose& from, const Pose& to,
                   Eigen::VectorXd& fullStep, Eigen::VectorXd& taken) {
  difference(objective.figure(), from, to, fullStep);
  taken.resize(objective.activeCount());
  for (int k = 0; k < objective.activeCount(); ++k) taken[k] = fullStep[objective.active()[k]];
  space.project(taken);
}

bool takeBlocked(const Objective& objective, const Pose& pose, const Workspace& workspace, const Eigen::VectorXd& step,
                 double share, std::vector<char>& free) {
  if (workspace.springs) return false;
  bool found = false;
  for (int k = 0; k < objective.activeCount(); ++k) {
    char& isFree = free[k];
    if (!isFree || step[k] == 0.0) continue;
    const double room = objective.feasibleSet().room(pose, objective.active()[k], step[k]);
    if (room > share * std::abs(step[k])) continue;
    isFree = 0;
    found = true;
  }
  return found;
}

void applyWithin(HessianProduct& product, const Workspace& workspace, const Eigen::VectorXd& v, Eigen::VectorXd& out) {
  product.apply(v, out);
  if (workspace.springs) workspace.springs->addCurvature(v, out);
  for (const FreeSpace::Block& block : workspace.freeSpace.blocks) {
    if (block.held == 0 || block.ball < 0) continue;
    const auto first = static_cast<Eigen::Index>(block.active[0]);
    out.segment<3>(first) += Eigen::Matrix3d(block.curvature) * v.segment<3>(first);
  }
  workspace.freeSpace.project(out);
}

void applyInverseMetric(const FreeSpace& space, const Eigen::VectorXd& metric, const Eigen::VectorXd& v,
                        Eigen::VectorXd& z) {
  z = v.cwiseQuotient(metric);
  space.project(z);
}

void describeHeld(const FreeSpace& space, std::vector<char>& held) {
  held.assign(space.free.begin(), space.free.end());
  for (const FreeSpace::Block& block : space.blocks) {
    held.push_back(static_cast<char>(block.held));
    held.push_back(block.holdsSwing ? 1 : 0);
    held.push_back(static_cast<char>(block.twistSide + 1));
    held.insert(held.end(), block.holds.begin(), block.holds.end());
  }
}

void moveWithin(const Objective& objective, const Pose& pose, const Eigen::VectorXd& step, Workspace& workspace) {
  const Figure& figure = objective.figure();
  workspace.step.setZero(figure.stepSize());
  for (int k = 0; k < objective.activeCount(); ++k) workspace.step[objective.active()[k]] = step[k];
  integrate(figure, pose, workspace.step, workspace.trialPose);
  const FeasibleSet& set = objective.feasibleSet();
  if (workspace.springs) set.couplings().apply(workspace.trialPose);
  else set.project(workspace.trialPose, workspace.freeSpace);
}

void clearMultipliers(const Objective& objective, std::vector<Residual>& multipliers) {
  multipliers.resize(objective.goals().size());
  for (std::size_t k = 0; k < multipliers.size(); ++k) multipliers[k].setZero(objective.goals()[k]->residualSize());
}

double largestWeight(const Objective& objective) {
  double largest = 0.0;
  for (const auto& goal : objective.goals()) largest = std::max(largest, goal->weight());
  return largest > 0.0 ? largest : 1.0;
}

void fixSign(Eigen::VectorXd& direction) {
  Eigen::Index first = 0;
  while (first + 1 < direction.size() && std::abs(direction[first]) < 1e-3) ++first;
  if (direction.size() > 0 && direction[first] < 0.0) direction = -direction;
}

double holdBlocked(const Objective& objective, const Pose& pose, double lambda, double decrement,
                   const std::vector<char>& free, NewtonSystem& system, Workspace& workspace) {
  double held = decrement;
  for (int round = 0; round < kMaxBlockedRounds; ++round) {
    if (!takeBlocked(objective, pose, workspace, workspace.direction, kBlockedShare, workspace.freeSpace.free)) break;
    system.factor(lambda, workspace.freeSpace);  // a principal part of a positive definite matrix is positive definite
    system.solve(workspace.direction);
    held = -workspace.gradient.dot(workspace.direction);
    if (held >= kBlockedGain * decrement) continue;
    workspace.freeSpace.free = free;
    system.factor(lambda, workspace.freeSpace);
    system.solve(workspace.direction);
    return decrement;
  }
  return held;
}

double slopeOfTrial(const Objective& objective, const Pose& pose, const Workspace& workspace) {
  double slope = workspace.gradient.dot(workspace.direction);
  for (const MotionTable::Stretch& stretch : objective.figure().motionTable().stretches)
    for (int i = 0; i < stretch.count; ++i) {
      const int k = objective.activeIndex(stretch.stepIndex + i), p = stretch.poseIndex + i;
      if (k < 0) continue;
      const double asked = workspace.direction[k];
      const double cut = workspace.trialPose.coordinates[p] - pose.coordinates[p] - asked;
      if (std::abs(cut) > 1e-9 * std::abs(asked)) slope += workspace.gradient[k] * cut;
    }
  for (const FreeSpace::Block& block : workspace.freeSpace.blocks)
    if (block.ball >= 0) slope += cutOfBall(objective, pose, workspace, block);
  return slope;
}

}  // namespace limber

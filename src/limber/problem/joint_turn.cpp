// SPDX-License-Identifier: MIT
#include "limber/problem/joint_turn.h"

#include <algorithm>
#include <cmath>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/goal_place.h"
#include "limber/problem/new_goal.h"

namespace limber {

namespace {
constexpr double kPiece = 0.05;     // radians: about three degrees
constexpr int kMostPieces = 10000;  // about eighty turns

/// Moves the drivers of a follower until its value is `wanted`, by Newton's method with shortest steps.
void turnDrivers(const Couplings& couplings, const Couplings::Follower& follower, double wanted, Pose& pose) {
  constexpr int kMaxRounds = 20;
  std::vector<double> slopes, bends, crossBends;
  const auto slopeOf = [&](int term) { return slopes[term]; };
  for (int round = 0; round < kMaxRounds; ++round) {
    couplings.differentiate(pose, slopes, bends, crossBends);
    double left = wanted - follower.offset, squares = 0.0;
    for (const Couplings::Drive& drive : couplings.drivesOf(follower)) {
      left -= drive.value(pose);
      for (int i = drive.firstTerm; i < drive.firstTerm + drive.termCount; ++i) squares += slopeOf(i) * slopeOf(i);
    }
    if (left == 0.0 || !(squares > 0.0) || !std::isfinite(left / squares)) return;
    const auto stepOf = [&](int term) { return std::clamp(slopeOf(term) * left / squares, -1.0, 1.0); };
    for (const Couplings::Drive& drive : couplings.drivesOf(follower)) {
      if (drive.kind == Couplings::Drive::Kind::Scalar) {
        pose.coordinates[drive.driverPoseIndex] += stepOf(drive.firstTerm);
        continue;
      }
      const Eigen::Vector3d step(stepOf(drive.firstTerm), stepOf(drive.firstTerm + 1), stepOf(drive.firstTerm + 2));
      auto rotation = pose.coordinates.segment<4>(drive.driverPoseIndex);
      rotation = (Eigen::Quaterniond(Eigen::Vector4d(rotation)) * exponential(step)).normalized().coeffs();
    }
  }
}

/// How far the pose violates linear limits and the limits of followers.
double tiedViolation(const IkProblem& problem, const Couplings& couplings, const Pose& pose) {
  const Figure& figure = *problem.figure;
  const auto outside = [](const Interval& bounds, double q) { return std::max(bounds.lower - q, q - bounds.upper); };
  double worst = 0.0;
  for (std::size_t i = 0; i < figure.linearLimits().size(); ++i) {
    if (!problem.linearLimitEnabled[i]) continue;
    double sum = 0.0;
    for (const LinearLimit::Term& term : figure.linearLimits()[i].terms)
      sum += term.coefficient * pose.coordinates[figure.joint(term.joint).poseIndex];
    worst = std::max(worst, outside(figure.linearLimits()[i].bounds, sum));
  }
  for (int i = 0; i < figure.linkCount(); ++i)
    if (stepSize(figure.joint(i).type) == 1 && couplings.isFollower(figure.joint(i).stepIndex))
      worst = std::max(worst, outside(problem.joints[i].limits, pose.coordinates[figure.joint(i).poseIndex]));
  return worst;
}

/// The pose with one coordinate of a joint turned by `amount`, within the joints' own limits.
Pose turned(const IkProblem& problem, const Couplings& couplings, int joint, int coordinate, double amount) {
  const Joint& j = problem.figure->joint(joint);
  Pose pose = problem.pose;
  const auto followers = couplings.followers();
  const auto follower = std::find_if(followers.begin(), followers.end(),
                                     [&](const Couplings::Follower& f) { return f.coordinate == j.stepIndex; });
  const bool follows = follower != followers.end();
  if (follows && follower->isScalar) {
    const Interval& limits = problem.joints[joint].limits;
    const double wanted = std::clamp(pose.coordinates[j.poseIndex] + amount, limits.lower, limits.upper);
    turnDrivers(couplings, *follower, wanted, pose);
  } else {  // for a ball that follows, its driver turns
    Eigen::VectorXd step = Eigen::VectorXd::Zero(problem.figure->stepSize());
    step[(follows ? couplings.drivesOf(*follower)[0].driver : j.stepIndex) + coordinate] = amount;
    integrate(*problem.figure, problem.pose, step, pose);
  }
  clampToLimits(problem, pose);
  return pose;
}

}  // namespace

void turnJoint(IkProblem& problem, int joint, int coordinate, double amount) {
  if (coordinate < 0 || coordinate >= stepSize(problem.figure->joint(joint).type)) return;
  constexpr double kRounding = 1e-12;
  constexpr int kHalvings = 50;
  const Couplings couplings(*problem.figure, activeCouplings(problem));
  const double allowed = tiedViolation(problem, couplings, problem.pose) + kRounding;
  Pose pose = turned(problem, couplings, joint, coordinate, amount);
  if (tiedViolation(problem, couplings, pose) > allowed) {  // bisect for the allowed part of the turn
    double inside = 0.0, outside = 1.0;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (inside + outside);
      pose = turned(problem, couplings, joint, coordinate, middle * amount);
      (tiedViolation(problem, couplings, pose) > allowed ? outside : inside) = middle;
    }
    pose = turned(problem, couplings, joint, coordinate, inside * amount);
  }
  problem.pose = pose;
  wrapAngles(*problem.figure, problem.pose);
}

void turnAbout(IkProblem& problem, int joint, const Eigen::Vector3d& axisInJoint, double angle) {
  const Figure& figure = *problem.figure;
  const JointType type = figure.joint(joint).type;
  if ((type != JointType::Ball && type != JointType::Free) || !std::isfinite(angle)) return;
  const BallLimits& limits = problem.joints[joint].ballLimits;
  Eigen::Quaterniond rotation = jointRotation(figure, problem.pose, joint);
  if (type == JointType::Free || !limits.isBounded()) {
    rotation = Eigen::AngleAxisd(angle, axisInJoint) * rotation;
  } else {
    const BallRange range(limits);
    const int pieces = static_cast<int>(std::clamp(std::ceil(std::abs(angle) / kPiece), 1.0, double{kMostPieces}));
    const Eigen::Quaterniond piece(Eigen::AngleAxisd(angle / pieces, axisInJoint));
    for (int i = 0; i < pieces; ++i) rotation = range.clamp((piece * rotation).normalized());
  }
  setJointRotation(figure, joint, rotation.normalized(), problem.pose);
}

void shiftFree(IkProblem& problem, int joint, const Eigen::Vector3d& wayInJoint) {
  const Joint& j = problem.figure->joint(joint);
  if (j.type != JointType::Free || !wayInJoint.allFinite()) return;
  Eigen::VectorXd step = Eigen::VectorXd::Zero(problem.figure->stepSize());
  step.segment<3>(j.stepIndex) = wayInJoint;
  integrate(*problem.figure, problem.pose, step, problem.pose);
}

int bringTargetsAlong(const IkProblem& before, IkProblem& problem) {
  const Kinematics was = transformsOf(*before.figure, before.pose), is = transformsOf(*problem.figure, problem.pose);
  int count = 0;
  for (GoalItem& goal : problem.goals) {
    const GoalPlace from = placeOfGoal(before, was, goal), to = placeOfGoal(problem, is, goal);
    if (from.point == to.point && from.frame == to.frame) continue;
    moveTargetToEndEffector(problem, is, goal);
    ++count;
  }
  return count;
}

}  // namespace limber

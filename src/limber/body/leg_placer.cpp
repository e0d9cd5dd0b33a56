// SPDX-License-Identifier: MIT
#include "limber/body/leg_placer.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "limber/body/body_map.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber {

namespace {

constexpr int kMostSteps = 16;
constexpr double kPlaced = 1e-9;         // lengths of the leg: tolerance of a placed point
constexpr double kFirstDamping = 1e-10;  // of the trace
constexpr double kMostDamping = 1e-1;
constexpr double kBentLeg = 0.02;          // sine: a leg that bends by twice this has a plane of bending of its own
constexpr double kLeastGain = 1.0 - 1e-3;  // of the error: a smaller gain ends the steps
constexpr double kHold = 1e9;              // of the trace: weight of a coordinate that must not move
constexpr double kMissed = 1e-5;           // lengths of the leg: a smaller error of a point is none
constexpr double kBaseMoves = 0.3;         // metres that the base moves as readily as a joint turns by a radian
constexpr double kBesideAnkle = 0.1;       // of the leg: the third point of the foot

}  // namespace

LegPlacer::LegPlacer(const IkProblem& problem, const PoseParts& parts, const Sole& sole)
    : problem_(problem), figure_(*problem.figure), sole_(sole) {
  const auto linkOf = [&](BodyPart part) {
    const auto found = parts.links.find({part, sole.side});
    return found == parts.links.end() ? -1 : found->second.back();
  };
  thigh_ = linkOf(BodyPart::UpperLeg);
  shank_ = linkOf(BodyPart::LowerLeg);
  if (!isLeg()) return;
  base_ = commonAncestor(figure_, parts.links.at({BodyPart::Hips, BodySide::Middle}).front(), thigh_);
  for (int link = sole.foot; link >= 0 && link != base_; link = figure_.link(link).parent) links_.push_back(link);
  std::ranges::reverse(links_);
  if (base_ < 0 || std::ranges::count(links_, thigh_) == 0 || std::ranges::count(links_, shank_) == 0) {
    thigh_ = -1;
    return;
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (links_[i] == thigh_) thighEntry_ = i;
    if (links_[i] == shank_) shankEntry_ = i;
  }
  worldFromLink_.resize(links_.size());
  worldFromJoint_.resize(links_.size());
  const BodyMap& body = bodyMapOf(figure_);
  upperLength_ = (body.jointAtRest(shank_) - body.jointAtRest(thigh_)).norm();
  lowerLength_ = (body.jointAtRest(sole.foot) - body.jointAtRest(shank_)).norm();
  leftInBase_ = body.rest().worldFromLink[base_].rotation.transpose() * parts.worldFromBody.col(0);
  side_ = kBesideAnkle * parts.legLength * parts.linkFromStraight[sole.foot].col(0);
  joints_ = LimitedJoints(problem, links_);
  if (std::ssize(joints_.coordinates()) + 3 > LimitedJoints::kMost) thigh_ = -1;
}

void LegPlacer::computeTransforms(const Pose& pose) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Transform& above = i == 0 ? worldFromBase_ : worldFromLink_[i - 1];
    worldFromJoint_[i] = above * figure_.joint(links_[i]).parentFromJoint;
    worldFromLink_[i] = worldFromJoint_[i] * jointMotion(figure_, pose, links_[i]);
  }
}

void LegPlacer::turnTo(std::size_t entry, const Eigen::Matrix3d& world, Pose& pose) {
  const Eigen::Quaterniond rotation(worldFromJoint_[entry].rotation.transpose() * world);
  setJointRotation(figure_, links_[entry], joints_.rangeOf(entry).clamp(rotation.normalized()), pose);
  computeTransforms(pose);
}

/// The law of cosines at the knee, then the shortest turn of the whole leg.
void LegPlacer::start(const Transform& wanted, Pose& pose) {
  const Eigen::Vector3d hip = worldFromLink_[thighEntry_].translation;
  const Eigen::Vector3d upper = worldFromLink_[shankEntry_].translation - hip;
  const Eigen::Vector3d lower = worldFromLink_.back().translation - worldFromLink_[shankEntry_].translation;
  const Eigen::Vector3d leg = wanted.translation - hip;
  const double a = upper.norm(), b = lower.norm();
  if (!(a > 0.0) || !(b > 0.0) || !(leg.norm() > 0.0)) return;
  if (!joints_.isFree(shank_)) return;
  const double span = std::clamp(leg.norm(), std::abs(a - b), a + b);
  const double bend = std::acos(std::clamp((span * span - a * a - b * b) / (2.0 * a * b), -1.0, 1.0));
  const auto type = [&](std::size_t entry) { return figure_.joint(links_[entry]).type; };
  if (type(shankEntry_) == JointType::Revolute) {
    const Eigen::Vector3d axis = worldFromLink_[shankEntry_].rotation * figure_.joint(shank_).axis;
    const Interval& limits = problem_.joints[shank_].limits;
    const double bent = std::atan2(upper.cross(lower).dot(axis), upper.dot(lower));
    const double side = limits.lower + limits.upper > 0.0 ? 1.0 : -1.0;  // knees bend to the side of their wider range
    double& angle = pose.coordinates[figure_.joint(shank_).poseIndex];
    angle = std::clamp(angle + side * bend - bent, limits.lower, limits.upper);
    computeTransforms(pose);
  } else {
    Eigen::Vector3d axis = upper.cross(lower) / (a * b);
    const double straightness = std::max(0.0, 1.0 - 0.5 * axis.norm() / kBentLeg);
    axis += kBentLeg * straightness * straightness * (worldFromBase_.rotation * leftInBase_);
    axis -= axis.dot(upper) / (a * a) * upper;
    if (!(axis.norm() > 0.0)) return;
    axis.normalize();
    const double by = bend - std::atan2(upper.cross(lower).dot(axis), upper.dot(lower));
    turnTo(shankEntry_, Eigen::AngleAxisd(by, axis).toRotationMatrix() * worldFromLink_[shankEntry_].rotation, pose);
  }
  if (type(thighEntry_) == JointType::Ball && joints_.isFree(thigh_)) {
    const Eigen::Quaterniond turn = shortestTurn(worldFromLink_.back().translation - hip, leg);
    turnTo(thighEntry_, turn * worldFromLink_[thighEntry_].rotation, pose);
  }
  if (figure_.joint(sole_.foot).type == JointType::Ball && joints_.isFree(sole_.foot))
    turnTo(links_.size() - 1, wanted.rotation, pose);
}

LegPlacer::Residual LegPlacer::residual(const Transform& wanted, const Weights& weights) const {
  const Transform& foot = worldFromLink_.back();
  Residual out;
  out << weights.heel * (wanted * sole_.heel - foot * sole_.heel),
      weights.ball * (wanted * sole_.ball - foot * sole_.ball), weights.side * (wanted * side_ - foot * side_);
  return out;
}

void LegPlacer::place(const Transform& worldFromBase, const Transform& wanted, const Weights& weights, Pose& pose) {
  worldFromBase_ = worldFromBase;
  computeTransforms(pose);
  if (residual(wanted, {}).norm() < kPlaced * (upperLength_ + lowerLength_)) return;
  start(wanted, pose);
  improve(wanted, weights, false, pose);
}

Eigen::Vector3d LegPlacer::turnByLimits(const Transform& worldFromBase, const Transform& wanted, Pose pose) {
  worldFromBase_ = worldFromBase;
  computeTransforms(pose);
  start(wanted, pose);
  if (figure_.joint(sole_.foot).type != JointType::Ball) improve(wanted, {}, false, pose);  // an ankle of hinges
  return logarithm(
      Eigen::Quaterniond(Eigen::Matrix3d(worldFromLink_.back().rotation * wanted.rotation.transpose())).normalized());
}

Eigen::Vector3d LegPlacer::missingShift(const Transform& wanted, Weights weights, const Pose& pose) {
  for (double* weight : {&weights.heel, &weights.ball, &weights.side}) *weight = *weight < 1.0 ? 0.0 : 1.0;
  if (residual(wanted, weights).norm() < kMissed * (upperLength_ + lowerLength_)) return Eigen::Vector3d::Zero();
  const Transform before = worldFromBase_;
  Pose shifted = pose;
  improve(wanted, weights, true, shifted);
  const Eigen::Vector3d shift = worldFromBase_.translation - before.translation;
  worldFromBase_ = before;
  computeTransforms(pose);
  return shift;
}

/// How the residual falls as each coordinate of the joints, and then each of the base's place, grows.
LegPlacer::Slopes LegPlacer::slopes(const Weights& weights, bool movesBase) const {
  const auto count = std::ssize(joints_.coordinates());
  const Transform& foot = worldFromLink_.back();
  const std::pair<double, Eigen::Vector3d> points[] = {
      {weights.heel, foot * sole_.heel}, {weights.ball, foot * sole_.ball}, {weights.side, foot * side_}};
  Slopes out(9, count + (movesBase ? 3 : 0));
  for (int p = 0; p < 3; ++p) {
    const auto& [weight, place] = points[p];
    for (Eigen::Index k = 0; k < count; ++k) {
      const LimitedJoints::Coordinate& coordinate = joints_.coordinates()[static_cast<std::size_t>(k)];
      const Transform& link = worldFromLink_[coordinate.entry];
      out.block<3, 1>(3 * p, k) = weight * joints_.axisOf(coordinate, link).cross(place - link.translation);
    }
    if (movesBase) out.block<3, 3>(3 * p, count) = weight * kBaseMoves * Eigen::Matrix3d::Identity();
  }
  return out;
}

/// Gauss-Newton steps within the limits, damped as in Levenberg's method.
void LegPlacer::improve(const Transform& wanted, const Weights& weights, bool movesBase, Pose& pose) {
  const double tolerance = kPlaced * (upperLength_ + lowerLength_);
  Residual error = residual(wanted, weights);
  double damping = kFirstDamping;
  for (int step = 0; step < kMostSteps && error.norm() > tolerance && damping < kMostDamping; ++step) {
    const Slopes down = slopes(weights, movesBase);
    LimitedJoints::Step by;
    LimitedJoints::Square square = LimitedJoints::Square::Zero(down.cols(), down.cols());
    square += down.transpose().lazyProduct(down);  // too small for a blocked product
    const LimitedJoints::Step slope = down.transpose().lazyProduct(error);
    const double scale = std::max(square.trace(), 1e-12);
    square.diagonal().array() += damping * scale;
    do by = square.ldlt().solve(slope);
    while (joints_.holdLimits(by, pose, kHold * scale, square));
    const Pose before = pose;
    const Eigen::Vector3d baseBefore = worldFromBase_.translation;
    pose = joints_.moved(pose, by);
    if (movesBase) worldFromBase_.translation += kBaseMoves * by.tail<3>();
    computeTransforms(pose);
    const Residual now = residual(wanted, weights);
    if (now.norm() < error.norm()) {
      const bool isDone = now.norm() > kLeastGain * error.norm();
      error = now;
      damping = std::max(kFirstDamping, 0.01 * damping);
      if (isDone) return;
    } else {
      pose = before;
      worldFromBase_.translation = baseBefore;
      computeTransforms(pose);
      damping = 100.0 * damping;
    }
  }
}

}  // namespace limber

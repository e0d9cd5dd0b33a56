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
constexpr double kBentLeg = 0.02;          // sine: a leg that bends less has no plane of bending of its own
constexpr double kLeastGain = 1.0 - 1e-3;  // of the error: a smaller gain ends the steps
constexpr double kHold = 1e9;              // of the trace: weight of a coordinate that must not move
constexpr double kMoved = 1e-7;            // radians: a smaller move past a limit is rounding
constexpr double kAtLimit = 1e-6;          // radians
constexpr double kMissed = 1e-5;           // lengths of the leg: a smaller error of a point is none
constexpr double kBaseMoves = 0.3;         // metres that the base moves as readily as a joint turns by a radian
constexpr double kBesideAnkle = 0.1;       // of the leg: the third point of the foot

}  // namespace

LegPlacer::LegPlacer(const IkProblem& problem, const PoseParts& parts, const Sole& sole)
    : problem_(problem), figure_(*problem.figure), couplings_(figure_, activeCouplings(problem)), sole_(sole) {
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
    ranges_.emplace_back(problem.joints[links_[i]].ballLimits);
  }
  worldFromLink_.resize(links_.size());
  worldFromJoint_.resize(links_.size());
  const BodyMap& body = bodyMapOf(figure_);
  upperLength_ = (body.jointAtRest(shank_) - body.jointAtRest(thigh_)).norm();
  lowerLength_ = (body.jointAtRest(sole.foot) - body.jointAtRest(shank_)).norm();
  leftInBase_ = body.rest().worldFromLink[base_].rotation.transpose() * parts.worldFromBody.col(0);
  side_ = kBesideAnkle * parts.legLength * parts.linkFromStraight[sole.foot].col(0);
  findColumns();
}

bool LegPlacer::isFree(int link) const {
  const Joint& joint = figure_.joint(link);
  const JointSettings& settings = problem_.joints[link];
  return !settings.locked && settings.rigidity < 1.0 &&
         (joint.type == JointType::Ball || joint.type == JointType::Revolute) &&
         !couplings_.isFollower(joint.stepIndex);
}

void LegPlacer::findColumns() {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (!isFree(links_[i])) continue;
    if (figure_.joint(links_[i]).type == JointType::Revolute) columns_.push_back({static_cast<int>(i), -1});
    else
      for (int axis = 0; axis < 3; ++axis) columns_.push_back({static_cast<int>(i), axis});
  }
  if (std::ssize(columns_) + 3 > kMostColumns) thigh_ = -1;
}

void LegPlacer::computeTransforms(const Pose& pose) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Transform& above = i == 0 ? worldFromBase_ : worldFromLink_[i - 1];
    worldFromJoint_[i] = above * figure_.joint(links_[i]).parentFromJoint;
    worldFromLink_[i] = worldFromJoint_[i] * jointMotion(figure_, pose, links_[i]);
  }
  for (Column& column : columns_) {
    const Transform& link = worldFromLink_[column.entry];
    const Joint& joint = figure_.joint(links_[column.entry]);
    column.turn =
        column.axis < 0 ? Eigen::Vector3d(link.rotation * joint.axis) : Eigen::Vector3d(link.rotation.col(column.axis));
    column.pivot = link.translation;
  }
}

void LegPlacer::turnTo(std::size_t entry, const Eigen::Matrix3d& world, Pose& pose) {
  const Eigen::Quaterniond rotation(worldFromJoint_[entry].rotation.transpose() * world);
  setJointRotation(figure_, links_[entry], ranges_[entry].clamp(rotation.normalized()), pose);
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
  if (!isFree(shank_)) return;
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
    Eigen::Vector3d axis = upper.cross(lower);
    if (axis.norm() < kBentLeg * a * b) axis = worldFromBase_.rotation * leftInBase_;
    axis -= axis.dot(upper) / (a * a) * upper;
    if (!(axis.norm() > 0.0)) return;
    axis.normalize();
    const double by = bend - std::atan2(upper.cross(lower).dot(axis), upper.dot(lower));
    turnTo(shankEntry_, Eigen::AngleAxisd(by, axis).toRotationMatrix() * worldFromLink_[shankEntry_].rotation, pose);
  }
  if (type(thighEntry_) == JointType::Ball && isFree(thigh_)) {
    const Eigen::Quaterniond turn = shortestTurn(worldFromLink_.back().translation - hip, leg);
    turnTo(thighEntry_, turn * worldFromLink_[thighEntry_].rotation, pose);
  }
  if (figure_.joint(sole_.foot).type == JointType::Ball && isFree(sole_.foot))
    turnTo(links_.size() - 1, wanted.rotation, pose);
}

LegPlacer::Residual LegPlacer::residual(const Transform& wanted, const Weights& weights) const {
  const Transform& foot = worldFromLink_.back();
  Residual out;
  out << weights.heel * (wanted * sole_.heel - foot * sole_.heel),
      weights.ball * (wanted * sole_.ball - foot * sole_.ball), weights.side * (wanted * side_ - foot * side_);
  return out;
}

/// Holds the coordinates, or the swing or twist of a ball, that a step would move past a limit. False if there are
/// none.
bool LegPlacer::holdLimits(const LegStep& by, const Pose& pose, double weight, LegMatrix& square) const {
  bool isHeld = false;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    const int link = links_[columns_[k].entry];
    if (columns_[k].axis < 0) {
      const Interval& limits = problem_.joints[link].limits;
      const double angle = pose.coordinates[figure_.joint(link).poseIndex];
      const bool isStopped = (by[at] > kMoved && angle >= limits.upper) || (by[at] < -kMoved && angle <= limits.lower);
      if (isStopped) square(at, at) += weight;
      isHeld |= isStopped;
      continue;
    }
    const BallRange& range = ranges_[columns_[k].entry];
    if (columns_[k].axis > 0 || !range.limits().isBounded()) continue;
    const BallRange::Place place = range.placeOf(jointRotation(figure_, pose, link));
    const auto hold = [&](const Eigen::Vector3d& outward) {
      if (!(outward.dot(by.segment<3>(at)) > kMoved)) return;
      square.block<3, 3>(at, at) += weight * outward * outward.transpose();
      isHeld = true;
    };
    if (range.limitsSwing() && place.swing >= range.swing() - kAtLimit) hold(swingNormal(place));
    if (range.limitsTwist() && std::abs(place.twist) >= range.halfTwist() - kAtLimit)
      hold(place.twist > 0.0 ? twistNormal(place) : Eigen::Vector3d(-twistNormal(place)));
  }
  return isHeld;
}

Pose LegPlacer::moved(const Pose& pose, const LegStep& step) const {
  Pose out = pose;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const int link = links_[columns_[k].entry];
    const Joint& joint = figure_.joint(link);
    if (columns_[k].axis < 0) {
      const Interval& limits = problem_.joints[link].limits;
      double& angle = out.coordinates[joint.poseIndex];
      angle = std::clamp(angle + step[static_cast<Eigen::Index>(k)], limits.lower, limits.upper);
    } else if (columns_[k].axis == 0) {
      const Eigen::Vector3d turn = step.segment<3>(static_cast<Eigen::Index>(k));
      const Eigen::Quaterniond rotation = jointRotation(figure_, pose, link) * exponential(turn);
      setJointRotation(figure_, link, ranges_[columns_[k].entry].clamp(rotation.normalized()), out);
    }
  }
  couplings_.apply(out);
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

Eigen::Vector3d LegPlacer::missingShift(const Transform& wanted, Weights weights, Pose pose) {
  for (double* weight : {&weights.heel, &weights.ball, &weights.side}) *weight = *weight < 1.0 ? 0.0 : 1.0;
  if (residual(wanted, weights).norm() < kMissed * (upperLength_ + lowerLength_)) return Eigen::Vector3d::Zero();
  const Transform before = worldFromBase_;
  improve(wanted, weights, true, pose);
  return worldFromBase_.translation - before.translation;
}

/// Gauss-Newton steps within the limits, damped as in Levenberg's method.
void LegPlacer::improve(const Transform& wanted, const Weights& weights, bool movesBase, Pose& pose) {
  const double tolerance = kPlaced * (upperLength_ + lowerLength_);
  const auto jointColumns = std::ssize(columns_), all = jointColumns + (movesBase ? 3 : 0);
  Residual error = residual(wanted, weights);
  double damping = kFirstDamping;
  for (int step = 0; step < kMostSteps && error.norm() > tolerance && damping < kMostDamping; ++step) {
    Eigen::Matrix<double, 9, Eigen::Dynamic, 0, 9, kMostColumns> slopes(9, all);
    const Transform& foot = worldFromLink_.back();
    for (Eigen::Index k = 0; k < all; ++k) {
      const auto moves = [&](const Eigen::Vector3d& point) -> Eigen::Vector3d {
        if (k >= jointColumns) return kBaseMoves * Eigen::Vector3d::Unit(k - jointColumns);
        const Column& column = columns_[static_cast<std::size_t>(k)];
        return column.turn.cross(foot * point - column.pivot);
      };
      slopes.col(k) << weights.heel * moves(sole_.heel), weights.ball * moves(sole_.ball), weights.side * moves(side_);
    }
    LegStep by = LegStep::Zero(all);
    LegMatrix square = LegMatrix::Zero(all, all);
    square.noalias() += slopes.transpose() * slopes;
    const double scale = std::max(square.trace(), 1e-12);
    square.diagonal().array() += damping * scale;
    do by = square.ldlt().solve(slopes.transpose() * error);
    while (holdLimits(by, pose, kHold * scale, square));
    const Pose before = pose;
    const Eigen::Vector3d baseBefore = worldFromBase_.translation;
    pose = moved(pose, by);
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

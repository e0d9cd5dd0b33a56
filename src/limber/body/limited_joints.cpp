// SPDX-License-Identifier: MIT
#include "limber/body/limited_joints.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

constexpr double kMoved = 1e-7;    // radians: a smaller move past a limit is rounding
constexpr double kAtLimit = 1e-6;  // radians

}  // namespace

LimitedJoints::LimitedJoints(const IkProblem& problem, std::vector<int> links)
    : problem_(&problem), figure_(problem.figure.get()), links_(std::move(links)) {
  std::vector<char> active = activeCouplings(problem);
  const std::span<const Coupling> couplings = figure_->couplings();
  for (std::size_t i = 0; i < couplings.size(); ++i) {
    const auto isMoved = [&](const Coupling::Term& term) { return std::ranges::count(links_, term.driver) > 0; };
    active[i] = active[i] && std::ranges::any_of(couplings[i].terms, isMoved);
  }
  couplings_ = Couplings(*figure_, active);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    ranges_.emplace_back(problem.joints[links_[i]].ballLimits);
    if (!isFree(links_[i])) continue;
    const int entry = static_cast<int>(i);
    if (figure_->joint(links_[i]).type == JointType::Revolute) coordinates_.push_back({entry, -1});
    else
      for (int axis = 0; axis < 3; ++axis) coordinates_.push_back({entry, axis});
  }
}

bool LimitedJoints::isFree(int link) const {
  const Joint& joint = figure_->joint(link);
  const JointSettings& settings = problem_->joints[link];
  const std::span<const Coupling> couplings = figure_->couplings();
  for (std::size_t i = 0; i < couplings.size(); ++i)
    if (couplings[i].follower == link && problem_->couplingEnabled[i]) return false;
  return !settings.locked && settings.rigidity < 1.0 &&
         (joint.type == JointType::Ball || joint.type == JointType::Revolute);
}

Eigen::Vector3d LimitedJoints::axisOf(const Coordinate& coordinate, const Transform& fromLink) const {
  if (coordinate.axis >= 0) return fromLink.rotation.col(coordinate.axis);
  return fromLink.rotation * figure_->joint(links_[coordinate.entry]).axis;
}

bool LimitedJoints::holdLimits(const Step& by, const Pose& pose, double weight, Square& square) const {
  bool isHeld = false;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    const int link = links_[coordinates_[k].entry];
    if (coordinates_[k].axis < 0) {
      const Interval& limits = problem_->joints[link].limits;
      const double angle = pose.coordinates[figure_->joint(link).poseIndex];
      const bool isStopped = (by[at] > kMoved && angle >= limits.upper) || (by[at] < -kMoved && angle <= limits.lower);
      if (isStopped) square(at, at) += weight;
      isHeld |= isStopped;
      continue;
    }
    const BallRange& range = ranges_[coordinates_[k].entry];
    if (coordinates_[k].axis > 0 || !range.limits().isBounded()) continue;
    const BallRange::Place place = range.placeOf(jointRotation(*figure_, pose, link));
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

Pose LimitedJoints::moved(const Pose& pose, const Step& step) const {
  Pose out = pose;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const int link = links_[coordinates_[k].entry];
    if (coordinates_[k].axis < 0) {
      const Interval& limits = problem_->joints[link].limits;
      double& angle = out.coordinates[figure_->joint(link).poseIndex];
      angle = std::clamp(angle + step[static_cast<Eigen::Index>(k)], limits.lower, limits.upper);
    } else if (coordinates_[k].axis == 0) {
      const Eigen::Vector3d turn = step.segment<3>(static_cast<Eigen::Index>(k));
      const Eigen::Quaterniond rotation = jointRotation(*figure_, pose, link) * exponential(turn);
      setJointRotation(*figure_, link, ranges_[coordinates_[k].entry].clamp(rotation.normalized()), out);
    }
  }
  couplings_.apply(out);
  return out;
}

}  // namespace limber

// SPDX-License-Identifier: MIT
#include "objective/feasible_set.h"

#include <algorithm>
#include <cassert>

namespace limber {

Limits limitsOf(const Figure& figure) {
  Limits limits;
  for (const Joint& joint : figure.joints()) {
    limits.intervals.push_back(joint.limits);
    limits.balls.push_back(joint.ballLimits);
  }
  limits.couplingEnabled.assign(figure.couplings().size(), 1);
  limits.linearLimitEnabled.assign(figure.linearLimits().size(), 1);
  return limits;
}

FeasibleSet::FeasibleSet(const Figure& figure, Limits limits)
    : limits_(std::move(limits)), couplings_(figure, limits_.couplingEnabled),
      bounds_(static_cast<std::size_t>(figure.stepSize())) {
  assert(static_cast<int>(limits_.intervals.size()) == figure.linkCount());
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    const Interval& interval = limits_.intervals[static_cast<std::size_t>(i)];
    const bool isScalar = joint.type == JointType::Revolute || joint.type == JointType::Prismatic;
    if (!isScalar || !interval.isBounded()) continue;
    assert(interval.lower <= interval.upper);
    bounds_[static_cast<std::size_t>(joint.stepIndex)] = {joint.poseIndex, interval};
    bounded_.push_back(joint.stepIndex);
  }
}

void FeasibleSet::bind(const Figure&, const std::vector<int>&) {}

void FeasibleSet::project(Pose& pose) const {
  for (int coordinate : bounded_) {
    const Bound& bound = bounds_[static_cast<std::size_t>(coordinate)];
    double& q = pose.coordinates[bound.poseIndex];
    q = std::clamp(q, bound.interval.lower, bound.interval.upper);
  }
  couplings_.apply(pose);
}

bool FeasibleSet::isHeld(const Pose& pose, int coordinate, double gradient) const {
  const Bound& bound = bounds_[static_cast<std::size_t>(coordinate)];
  if (bound.poseIndex < 0) return false;
  const double q = pose.coordinates[bound.poseIndex];
  if (bound.interval.lower == bound.interval.upper) return true;
  return (q <= bound.interval.lower && gradient > 0.0) || (q >= bound.interval.upper && gradient < 0.0);
}

double FeasibleSet::violation(const Pose& pose) const {
  double worst = 0.0;
  for (int coordinate : bounded_) {
    const Bound& bound = bounds_[static_cast<std::size_t>(coordinate)];
    const double q = pose.coordinates[bound.poseIndex];
    worst = std::max({worst, bound.interval.lower - q, q - bound.interval.upper});
  }
  return worst;
}

}  // namespace limber

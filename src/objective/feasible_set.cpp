// SPDX-License-Identifier: MIT
#include "objective/feasible_set.h"

#include <algorithm>
#include <cassert>

namespace limber {

FeasibleSet::FeasibleSet(const Figure& figure, std::span<const Interval> limits)
    : bounds_(static_cast<std::size_t>(figure.stepSize())) {
  assert(static_cast<int>(limits.size()) == figure.linkCount());
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    const Interval& interval = limits[static_cast<std::size_t>(i)];
    const bool isScalar = joint.type == JointType::Revolute || joint.type == JointType::Prismatic;
    if (!isScalar || !interval.isBounded()) continue;
    assert(interval.lower <= interval.upper);
    bounds_[static_cast<std::size_t>(joint.stepIndex)] = {joint.poseIndex, interval};
    bounded_.push_back(joint.stepIndex);
  }
}

void FeasibleSet::project(Pose& pose) const {
  for (int coordinate : bounded_) {
    const Bound& bound = bounds_[static_cast<std::size_t>(coordinate)];
    double& q = pose.coordinates[bound.poseIndex];
    q = std::clamp(q, bound.interval.lower, bound.interval.upper);
  }
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

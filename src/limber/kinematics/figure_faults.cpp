// SPDX-License-Identifier: MIT
#include "limber/kinematics/figure_faults.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/coupling.h"

namespace limber {

namespace {

constexpr double kAxisTolerance = 1e-6;  // the builder normalises vectors within it

bool isUnit(const Eigen::Vector3d& v) { return std::abs(v.norm() - 1.0) < kAxisTolerance; }  // false for NaN

bool isOrdered(const Interval& interval) { return interval.lower <= interval.upper; }  // false for NaN

bool holds(const Interval& interval, double value) {
  return value >= interval.lower - kRestTolerance && value <= interval.upper + kRestTolerance;
}

/// The fault of a joint that a coupling or linear limit names and that must be scalar.
std::string findJointFault(int joint, std::span<const Joint> joints) {
  if (joint < 0 || joint >= static_cast<int>(joints.size())) return "it names a joint that does not exist";
  const Joint& named = joints[joint];
  if (poseSize(named.type) == 1) return {};
  return "the joint " + inQuotes(named.name) + " is " + std::string(jointTypeName(named.type)) +
         ", not revolute or prismatic";
}

bool isBall(int joint, std::span<const Joint> joints) {
  return joint >= 0 && joint < static_cast<int>(joints.size()) && joints[joint].type == JointType::Ball;
}

/// The fault of a ball joint's coupling.
std::string findAlikeFault(const Coupling& coupling, std::span<const Joint> joints) {
  if (coupling.terms.size() != 1) return "a ball joint has one driver, as which it turns";
  const Coupling::Term& term = coupling.terms[0];
  if (!isBall(term.driver, joints)) return "a ball joint turns only as another ball joint does";
  const bool isBare = !term.pointing && term.coefficients == std::array<double, 4>{} && coupling.offset == 0.0;
  return isBare ? "" : "a ball joint follows without axis, bone, coefficients and offset";
}

std::string findDriverFault(const Coupling::Term& term, std::span<const Joint> joints) {
  if (!term.pointing) return findJointFault(term.driver, joints);
  if (!isBall(term.driver, joints)) return "axis and bone belong to a driver that is a ball joint";
  return isUnit(term.pointing->axis) && isUnit(term.pointing->bone) ? "" : "an axis or a bone is not of unit length";
}

/// A follower does not limit the ball joint that drives it, so its limits must contain all values that it can get.
std::string findRangeFault(const Coupling& coupling, std::span<const Joint> joints) {
  Interval range{coupling.offset, coupling.offset};
  bool followsBall = false;
  for (const Coupling::Term& term : coupling.terms) {
    const Interval driven = term.pointing ? Interval{-1.0, 1.0} : joints[term.driver].limits;
    followsBall = followsBall || term.pointing;
    const Interval part = rangeOf({term.coefficients}, driven);
    range = {range.lower + part.lower, range.upper + part.upper};
  }
  const Interval& limits = joints[coupling.follower].limits;
  const bool fits = holds(limits, range.lower) && holds(limits, range.upper);
  return !followsBall || fits ? "" : "the ball joint that it follows takes it beyond its limits";
}

std::string findTermsFault(const Coupling& coupling, std::span<const Joint> joints) {
  if (coupling.terms.empty()) return "it has no driver";
  std::set<int> drivers;
  for (const Coupling::Term& term : coupling.terms) {
    if (std::string fault = findDriverFault(term, joints); !fault.empty()) return fault;
    if (!drivers.insert(term.driver).second && !term.pointing)  // a ball joint may drive by several bones
      return "it names the driver " + inQuotes(joints[term.driver].name) + " twice";
    if (!std::all_of(term.coefficients.begin(), term.coefficients.end(), [](double c) { return std::isfinite(c); }))
      return "a coefficient is not finite";
  }
  return findRangeFault(coupling, joints);
}

std::string findTermsFault(const LinearLimit& limit, std::span<const Joint> joints) {
  std::set<int> named;
  bool isZero = true;
  for (const LinearLimit::Term& term : limit.terms) {
    if (std::string fault = findJointFault(term.joint, joints); !fault.empty()) return fault;
    if (!named.insert(term.joint).second) return "it names the joint " + inQuotes(joints[term.joint].name) + " twice";
    if (!std::isfinite(term.coefficient)) return "a coefficient is not finite";
    isZero = isZero && term.coefficient == 0.0;
  }
  return isZero ? "it has no coefficient other than zero" : "";
}

}  // namespace

std::string inQuotes(const std::string& name) { return "\"" + name + "\""; }

std::string findFault(const BallLimits& limits) {
  if (!isUnit(limits.coneAxis)) return "the axis of its cone is not of unit length";
  if (!isUnit(limits.twistAxis)) return "its twist axis is not of unit length";
  if (!(limits.swing >= 0.0 && limits.swing <= std::numbers::pi)) return "its swing is outside [0, pi]";
  const Interval& twist = limits.twist;
  if (!isOrdered(twist)) return "its lower twist limit is above the upper one, or not a number";
  const auto isOpen = [](double end) { return std::isinf(end); };
  if (!(isOpen(twist.lower) && twist.lower < 0.0) && std::abs(twist.lower) > std::numbers::pi)
    return "its lower twist limit is outside [-pi, pi]";
  if (!(isOpen(twist.upper) && twist.upper > 0.0) && std::abs(twist.upper) > std::numbers::pi)
    return "its upper twist limit is outside [-pi, pi]";
  return {};
}

std::string findRestFault(const BallLimits& limits, const Eigen::Quaterniond& rest) {
  if (!limits.isBounded()) return {};
  const SwingTwist angles = swingTwist(limits, rest);
  if (angles.swing > limits.swing + kRestTolerance) return "its rest is outside its swing cone";
  if (!holds(limits.twist, angles.twist)) return "its rest is outside its twist limits";
  return {};
}

std::string findFault(std::span<const Coupling> couplings, std::span<const Joint> joints) {
  std::set<int> followers;
  for (const Coupling& coupling : couplings) {
    if (coupling.name.empty()) return "a coupling has no name";
    const std::string where = "coupling " + inQuotes(coupling.name) + ": ";
    const bool isOfBall = isBall(coupling.follower, joints);
    if (!isOfBall)
      if (std::string fault = findJointFault(coupling.follower, joints); !fault.empty()) return where + fault;
    const std::string& follower = joints[coupling.follower].name;
    if (!followers.insert(coupling.follower).second)
      return where + "the joint " + inQuotes(follower) + " follows twice";
    if (!std::isfinite(coupling.offset)) return where + "the offset of " + inQuotes(follower) + " is not finite";
    const std::string fault = isOfBall ? findAlikeFault(coupling, joints) : findTermsFault(coupling, joints);
    if (!fault.empty()) return where + inQuotes(follower) + ": " + fault;
  }
  for (const Coupling& coupling : couplings)
    for (const Coupling::Term& term : coupling.terms)
      if (followers.contains(term.driver))
        return "coupling " + inQuotes(coupling.name) + ": the driver " + inQuotes(joints[term.driver].name) +
               " follows others itself";
  return {};
}

std::string findFault(std::span<const LinearLimit> limits, std::span<const Joint> joints) {
  std::set<std::string> names;
  for (const LinearLimit& limit : limits) {
    if (limit.name.empty()) return "a linear limit has no name";
    const std::string where = "linear limit " + inQuotes(limit.name) + ": ";
    if (!names.insert(limit.name).second) return where + "another one has its name";
    if (std::string fault = findTermsFault(limit, joints); !fault.empty()) return where + fault;
    if (!isOrdered(limit.bounds)) return where + "the lower bound is above the upper one, or not a number";
  }
  return {};
}

std::string findFault(std::span<const LoopClosure> loops, int linkCount) {
  std::set<std::string> names;
  for (const LoopClosure& loop : loops) {
    if (loop.name.empty()) return "a loop has no name";
    const std::string where = "loop " + inQuotes(loop.name) + ": ";
    if (!names.insert(loop.name).second) return where + "another one has its name";
    if (loop.link < 0 || loop.link >= linkCount || loop.other < -1 || loop.other >= linkCount)
      return where + "it names a link that does not exist";
    if (loop.link == loop.other) return where + "it joins a link to itself";
    for (const Transform& frame : {loop.linkFromLoop, loop.otherFromLoop})
      if (!isFinite(frame) || !isRotation(frame.rotation)) return where + "a frame is not finite or not a rotation";
  }
  return {};
}

std::string findRestFault(std::span<const LinearLimit> limits, std::span<const Joint> joints,
                          const Eigen::VectorXd& restPose) {
  for (const LinearLimit& limit : limits) {
    double sum = 0.0;
    for (const LinearLimit::Term& term : limit.terms) sum += term.coefficient * restPose[joints[term.joint].poseIndex];
    if (!holds(limit.bounds, sum)) return "linear limit " + inQuotes(limit.name) + ": the rest pose is outside it";
  }
  return {};
}

}  // namespace limber

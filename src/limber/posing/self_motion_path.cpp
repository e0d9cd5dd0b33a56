// SPDX-License-Identifier: MIT
#include "limber/posing/self_motion_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "limber/kinematics/coupling.h"
#include "limber/posing/all_ways.h"
#include "limber/posing/contacts.h"
#include "limber/posing/goal_arm.h"
#include "limber/problem/goal_types.h"
#include "limber/ways/polish.h"

namespace limber {

namespace {

using ways::Coordinates;
using State = SelfMotionPath::State;

constexpr double kPathSlack = 1e-9;  // radians and metres
constexpr double kTurn = 2.0 * std::numbers::pi;
/// Halvings of a step of at most 0.1 rad: the sample that is still within the limits is nearer than 1e-9 to them.
constexpr int kHalvings = 30;

IkProblem withoutLimits(IkProblem problem) {
  for (JointSettings& joint : problem.joints) joint.limits = Interval();
  std::fill(problem.linearLimitEnabled.begin(), problem.linearLimitEnabled.end(), 0);
  return problem;
}

const GoalItem* onlyGoal(const IkProblem& problem) {
  const auto counts = [](const GoalItem& goal) { return goal.enabled && goal.weight > 0.0 && !isPreference(goal); };
  const auto found = std::ranges::find_if(problem.goals, counts);
  return found == problem.goals.end() ? nullptr : &*found;
}

bool keepsLinearLimits(const IkProblem& problem, const Pose& pose) {
  const Figure& figure = *problem.figure;
  for (std::size_t i = 0; i < figure.linearLimits().size(); ++i) {
    if (!problem.linearLimitEnabled[i]) continue;
    const LinearLimit& limit = figure.linearLimits()[i];
    double sum = 0.0;
    for (const LinearLimit::Term& term : limit.terms)
      sum += term.coefficient * pose.coordinates[figure.joint(term.joint).poseIndex];
    if (sum < limit.bounds.lower - kPathSlack || sum > limit.bounds.upper + kPathSlack) return false;
  }
  return true;
}

/// Of joints that the arm moves, or that follow it.
bool keepsJointLimits(const IkProblem& problem, const Pose& pose) {
  const Figure& figure = *problem.figure;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    if (!isScalar(joint)) continue;
    const double q = pose.coordinates[joint.poseIndex];
    const Interval& limits = problem.joints[i].limits;
    const bool isMoved = q != problem.pose.coordinates[joint.poseIndex];
    if (isMoved && (q < limits.lower - kPathSlack || q > limits.upper + kPathSlack)) return false;
  }
  return true;
}

/// An angle moved by the whole turns that bring it to the limits from outside.
double turnedTo(const Interval& limits, double q) {
  if (q < limits.lower - kPathSlack) q += kTurn * std::ceil((limits.lower - kPathSlack - q) / kTurn);
  else if (q > limits.upper + kPathSlack) q -= kTurn * std::ceil((q - limits.upper - kPathSlack) / kTurn);
  return q;
}

/// The limit, if a value is outside of it by rounding.
double withoutRounding(const Interval& limits, double q) {
  const bool isBelow = q < limits.lower && q >= limits.lower - kPathSlack;
  const bool isAbove = q > limits.upper && q <= limits.upper + kPathSlack;
  return isBelow ? limits.lower : isAbove ? limits.upper : q;
}

/// The sample before a position, of which there is one after it.
std::size_t before(const SelfMotionPath& path, double at) {
  const auto after = std::ranges::upper_bound(path.samples, at, {}, &SelfMotionPath::Sample::at);
  const auto index = static_cast<std::size_t>(after - path.samples.begin());
  return std::min(index > 0 ? index - 1 : 0, path.samples.size() < 2 ? 0 : path.samples.size() - 2);
}

}  // namespace

State SelfMotionPath::stateAt(double at) const {
  const std::size_t i = before(*this, at);
  if (i + 1 >= samples.size()) return samples[i].state;
  if (at <= samples[i].at) return samples[i].state;
  if (at >= samples[i + 1].at) return samples[i + 1].state;
  return std::max(samples[i].state, samples[i + 1].state);
}

std::optional<double> SelfMotionPath::nearestInside(double at) const {
  if (stateAt(at) != State::OutsideLimits) return at;
  std::optional<double> nearest;
  for (const Sample& sample : samples)
    if (sample.state != State::OutsideLimits && (!nearest || std::abs(sample.at - at) < std::abs(*nearest - at)))
      nearest = sample.at;
  return nearest;
}

SelfMotionPaths::SelfMotionPaths(IkProblem problem, const Progress& progress) : problem_(std::move(problem)) {
  const auto goesOn = [&](double part, std::string_view what) { return !progress || progress(part, what); };
  if (!goesOn(0.0, "finding the curves")) return;
  const AllWays all = allWaysOf(withoutLimits(problem_));
  const GoalItem* goal = onlyGoal(problem_);
  if (fault_ = all.fault; !fault_.empty() || !goal) return;
  const ways::ScrewChain chain = armOf(problem_, *goal);
  solver_.emplace(chain, aspectOf(*goal));
  if (chain.count != ways::kMaxJoints) {
    fault_ = "only arms of seven joints move while their end effector stays";
    return;
  }
  target_ = {goal->targetFrame, goal->target};
  start_ = ways::coordinatesOf(chain, *problem_.figure, problem_.pose);
  for (const WayCurve& curve : all.curves) addSamples(curve.poses, curve.isClosed);
  const auto count = static_cast<double>(paths_.size());
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    if (!goesOn(static_cast<double>(i + 1) / (count + 1.0), "looking for limits and collisions")) return;
    judge(paths_[i]);
  }
}

/// `to` less `from`, by the shorter way round.
Coordinates SelfMotionPaths::difference(const Coordinates& to, const Coordinates& from) const {
  Coordinates way = to - from;
  for (int i = 0; i < way.size(); ++i)
    if (!solver_->chain().screws[i].isSlide) way[i] = wrapAngle(way[i]);
  return way;
}

void SelfMotionPaths::addSamples(const std::vector<Pose>& poses, bool isClosed) {
  Path path{.samples = {}, .isClosed = isClosed};
  double length = 0.0;
  const auto add = [&](const Coordinates& q) {
    if (path.samples.empty()) return path.samples.push_back({q, 0.0});
    const Coordinates& last = path.samples.back().q;
    const Coordinates way = difference(q, last);
    length += way.norm();
    path.samples.push_back({last + way, length});
  };
  for (const Pose& pose : poses) add(ways::coordinatesOf(solver_->chain(), *problem_.figure, pose));
  if (isClosed) add(path.samples.front().q);
  for (Path::Sample& sample : path.samples) sample.at = length > 0.0 ? sample.at / length : 0.0;
  paths_.push_back(std::move(path));
}

/// Sets the states of the samples, and adds two samples where the state changes.
void SelfMotionPaths::judge(Path& path) const {
  for (Path::Sample& sample : path.samples) sample.state = stateOf(sample.q);
  std::vector<Path::Sample> judged;
  for (const Path::Sample& next : path.samples) {
    if (!judged.empty() && judged.back().state != next.state) {
      Path::Sample low = judged.back(), high = next;
      for (int i = 0; i < kHalvings; ++i) {
        Path::Sample middle{corrected(0.5 * (low.q + high.q)), 0.5 * (low.at + high.at)};
        middle.state = stateOf(middle.q);
        (middle.state == low.state ? low : high) = middle;
      }
      for (const Path::Sample& added : {low, high})
        if (added.at > judged.back().at && added.at < next.at) judged.push_back(added);
    }
    judged.push_back(next);
  }
  path.samples = std::move(judged);
}

/// The solution near q, by Newton's method; its angles go on from those of q.
Coordinates SelfMotionPaths::corrected(const Coordinates& q) const {
  Coordinates scaled = solver_->scaled(q);
  ways::polish(solver_->scaled(), solver_->aspect(), solver_->scaled(target_), scaled);
  return q + difference(solver_->unscaled(scaled), q);
}

Coordinates SelfMotionPaths::between(const Path& path, double at) const {
  const std::size_t i = before(path, at);
  const Path::Sample& low = path.samples[i];
  if (i + 1 >= path.samples.size()) return low.q;
  const Path::Sample& high = path.samples[i + 1];
  const double step = high.at - low.at;
  const double share = step > 0.0 ? std::clamp((at - low.at) / step, 0.0, 1.0) : 0.0;
  return corrected(low.q + share * (high.q - low.q));
}

/// Each angle by the whole turn that is nearest to `near` within its limits; outside of them if none is within.
Coordinates SelfMotionPaths::turnedInside(const Coordinates& q, const Coordinates& near) const {
  const ways::ScrewChain& chain = solver_->chain();
  Coordinates turned = near + difference(q, near);
  for (int i = 0; i < turned.size(); ++i) {
    const Interval& limits = problem_.joints[chain.joints[i]].limits;
    turned[i] = withoutRounding(limits, chain.screws[i].isSlide ? q[i] : turnedTo(limits, turned[i]));
  }
  return turned;
}

Pose SelfMotionPaths::poseOf(const Coordinates& q) const {
  Pose pose = problem_.pose;
  ways::setCoordinates(solver_->chain(), *problem_.figure, q, pose);
  Couplings(*problem_.figure, activeCouplings(problem_)).apply(pose);
  return pose;
}

State SelfMotionPaths::stateOf(const Coordinates& q) const {
  const Pose pose = poseOf(turnedInside(q, start_));
  if (!keepsJointLimits(problem_, pose) || !keepsLinearLimits(problem_, pose)) return State::OutsideLimits;
  if (!avoidsCollisions(problem_)) return State::Free;
  IkProblem there = problem_;
  there.pose = pose;
  return std::ranges::any_of(findContacts(there), &ContactReport::isInside) ? State::Colliding : State::Free;
}

Pose SelfMotionPaths::poseAt(int path, double at, const Pose& near) const {
  const Path& taken = paths_[path];
  const Coordinates from = ways::coordinatesOf(solver_->chain(), *problem_.figure, near);
  const Pose pose = poseOf(turnedInside(between(taken, at), from));
  if (taken.stateAt(at) == State::OutsideLimits || keepsJointLimits(problem_, pose)) return pose;
  // The path touches a limit between two samples: the nearer one is within.
  const std::size_t i = before(taken, at);
  const std::size_t next = std::min(i + 1, taken.samples.size() - 1);
  const bool isNextNearer = taken.samples[next].at - at < at - taken.samples[i].at;
  return poseOf(turnedInside(taken.samples[isNextNearer ? next : i].q, from));
}

SelfMotionPaths::Place SelfMotionPaths::nearestOn(int path, const Pose& pose) const {
  const Coordinates q = ways::coordinatesOf(solver_->chain(), *problem_.figure, pose);
  const std::vector<Path::Sample>& samples = paths_[path].samples;
  Place best{path, 0.0, difference(q, samples.front().q).norm()};
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const Coordinates step = samples[i + 1].q - samples[i].q, way = difference(q, samples[i].q);
    const double share = std::clamp(way.dot(step) / std::max(step.squaredNorm(), 1e-300), 0.0, 1.0);
    const double distance = (way - share * step).norm();
    if (distance < best.distance) best = {path, samples[i].at + share * (samples[i + 1].at - samples[i].at), distance};
  }
  return best;
}

SelfMotionPaths::Place SelfMotionPaths::nearest(const Pose& pose) const {
  Place best;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const Place place = nearestOn(static_cast<int>(i), pose);
    if (best.path < 0 || place.distance < best.distance) best = place;
  }
  return best;
}

}  // namespace limber

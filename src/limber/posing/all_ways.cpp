// SPDX-License-Identifier: MIT
#include "limber/posing/all_ways.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "limber/kinematics/coupling.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/contacts.h"
#include "limber/posing/goal_arm.h"
#include "limber/posing/posed_problem.h"
#include "limber/problem/goal_types.h"
#include "limber/ways/branch.h"
#include "limber/ways/self_motion.h"

namespace limber {

namespace {

using ways::Coordinates;

constexpr double kLimitSlack = 1e-9;  ///< radians and metres outside limits by rounding
constexpr std::size_t kMostWindings = 4096;

/// The goal that the ways shall meet, or the fault.
const GoalItem* placeGoalOf(const IkProblem& problem, std::string& fault) {
  const GoalItem* place = nullptr;
  int count = 0;
  for (const GoalItem& goal : problem.goals)
    if (goal.enabled && goal.weight > 0.0 && !isPreference(goal)) {
      place = &goal;
      ++count;
    }
  if (count != 1 || !problem.pins.empty()) {
    fault = "all ways need a problem with exactly one goal and no pin: it has " + std::to_string(count) +
            " goals and " + std::to_string(problem.pins.size()) + " pins";
    return nullptr;
  }
  const bool isPlace = place->type == GoalType::PositionOrientation && place->directionScale[0] > 0.0 &&
                       place->directionScale[1] > 0.0 && place->positionShare > 0.0 && place->positionShare < 1.0;
  if (!isPlace && place->type != GoalType::Position) {
    fault = goalInWords(*place) + " is not a position, or a position and orientation with all axes";
    return nullptr;
  }
  return place;
}

/// Measures the clearance of poses whose joints outside the chain stay where they are.
class Clearances {
 public:
  Clearances(const IkProblem& problem, const ways::ScrewChain& chain) : problem_(problem) {
    std::vector<int> active;
    for (int i = 0; i < chain.count; ++i) active.push_back(problem.figure->joint(chain.joints[i]).stepIndex);
    const Couplings couplings(*problem.figure, activeCouplings(problem));
    // Started at rest, because a pair that is inside at the start of a solve may stay there.
    PosingRequest request;
    request.startPose = restPose(*problem.figure);
    contacts_.begin(problem, request, movesOf(*problem.figure, active, couplings), selfAvoidanceOf(problem));
    contacts_.release();
  }

  bool isNeeded() const { return contacts_.isNeeded(); }
  bool collides(const Kinematics& kinematics) const { return contacts_.isAnyInside(kinematics); }
  Contacts::Nearest nearest(const Kinematics& kinematics) const { return contacts_.nearest(problem_, kinematics); }

 private:
  const IkProblem& problem_;
  Contacts contacts_;
};

/// Turns ways of the chain into poses of the figure within the limits.
class WayLister {
 public:
  WayLister(const IkProblem& problem, const ways::ArmSolver& solver, const GoalItem& goal,
            const AllWaysOptions& options)
      : problem_(problem), solver_(solver), goal_(goal), options_(options),
        couplings_(*problem.figure, activeCouplings(problem)), clearances_(problem, solver.chain()),
        start_(ways::coordinatesOf(solver.chain(), *problem.figure, problem.pose)) {}

  const Coordinates& start() const { return start_; }
  const Clearances& clearances() const { return clearances_; }
  Kinematics transformsOfPose(const Pose& pose) const { return transformsOf(*problem_.figure, pose); }

  /// Lists a way, unless it collides and such are left out. False then.
  bool list(ArmWay way, AllWays& result) const {
    result.colliding += way.collides;
    if (way.collides && options_.leavesOutColliding) return false;
    result.ways.push_back(std::move(way));
    return true;
  }

  Pose poseOf(const Coordinates& q) const {
    Pose pose = problem_.pose;
    ways::setCoordinates(solver_.chain(), *problem_.figure, q, pose);
    couplings_.apply(pose);
    return pose;
  }

  /// Moves angles by whole turns into their limits, as near to `near` as possible. False if that is impossible.
  bool bringInside(Coordinates& q, const Coordinates& near) const {
    for (int i = 0; i < q.size(); ++i) {
      const std::vector<double> inside = turnsInside(i, q[i]);
      if (inside.empty()) return false;
      q[i] = *std::min_element(inside.begin(), inside.end(),
                               [&](double a, double b) { return std::abs(a - near[i]) < std::abs(b - near[i]); });
    }
    return keepsOtherLimits(poseOf(q));
  }

  void add(const ways::Way& way, AllWays& result) const {
    Coordinates nearest = way.q;
    if (!bringInside(nearest, start_)) {
      ++result.outsideLimits;
      return;
    }
    const auto choices = windingsOf(nearest);
    int count = 1;
    for (const auto& choice : choices) count = std::min<int>(count * static_cast<int>(choice.size()), kMostWindings);
    if (!options_.listsWindings) {
      list(describe(nearest, way, count), result);
      return;
    }
    for (int k = 0; k < count; ++k) {
      Coordinates q = nearest;
      for (int i = 0, rest = k; i < q.size(); rest /= static_cast<int>(choices[i].size()), ++i)
        q[i] = choices[i][rest % choices[i].size()];
      if (keepsOtherLimits(poseOf(q))) list(describe(q, way, 1), result);
    }
  }

  ArmWay describe(const Coordinates& q, const ways::Way& way, int windings) const {
    ArmWay result{.pose = poseOf(q), .distance = (q - start_).norm(), .windings = windings};
    result.manipulability = ways::manipulabilityOf(solver_.chain(), solver_.aspect(), q);
    const ways::BranchLabels labels = ways::labelsOf(solver_, q);
    result.shoulder = labels.shoulder;
    result.elbow = labels.elbow;
    result.wrist = labels.wrist;
    for (int i = 0; i < q.size(); ++i)
      if (way.freeJoints >> i & 1u) result.freeJoints.push_back(solver_.chain().joints[i]);
    const Kinematics kinematics = transformsOfPose(result.pose);
    if (clearances_.isNeeded()) {
      const Contacts::Nearest nearest = clearances_.nearest(kinematics);
      result.clearance = nearest.clearance;
      result.nearestLink = nearest.link;
      result.nearestOther = nearest.other;
      result.collides = clearances_.collides(kinematics);
    }
    const Transform& link = kinematics.worldFromLink[goal_.link];
    result.error = (link * goal_.pointInLink - goal_.target).norm();
    if (solver_.aspect() == ways::Aspect::Place)
      result.angle = Eigen::AngleAxisd(goal_.targetFrame.transpose() * link.rotation * goal_.frameInLink).angle();
    return result;
  }

 private:
  /// Values of a coordinate within its limits that differ by whole turns; the nearest to the start without limits.
  std::vector<double> turnsInside(int i, double value) const {
    const Interval limits = problem_.joints[solver_.chain().joints[i]].limits;
    constexpr double kTurn = 2.0 * std::numbers::pi;
    const auto isInside = [&](double x) { return x >= limits.lower - kLimitSlack && x <= limits.upper + kLimitSlack; };
    const auto clamped = [&](double x) { return std::clamp(x, limits.lower, limits.upper); };
    if (solver_.chain().screws[i].isSlide)
      return isInside(value) ? std::vector<double>{clamped(value)} : std::vector<double>{};
    const double nearest = start_[i] + wrapAngle(value - start_[i]);
    if (!std::isfinite(limits.upper - limits.lower) && isInside(nearest)) return {nearest};
    // With limits on both sides these are all turns; with one limit the one that is nearest to it.
    std::vector<double> inside;
    const double lowest = std::isfinite(limits.lower) ? limits.lower : limits.upper - kTurn;
    const double highest = std::isfinite(limits.upper) ? limits.upper : limits.lower + kTurn;
    for (double x = value + kTurn * std::ceil((lowest - kLimitSlack - value) / kTurn);
         x <= highest + kLimitSlack && inside.size() < kMostWindings; x += kTurn)
      if (isInside(x)) inside.push_back(clamped(x));
    return inside;
  }

  std::vector<std::vector<double>> windingsOf(const Coordinates& q) const {
    std::vector<std::vector<double>> choices;
    for (int i = 0; i < q.size(); ++i) choices.push_back(turnsInside(i, q[i]));
    return choices;
  }

  /// Linear limits, and limits of joints that follow those of the chain.
  bool keepsOtherLimits(const Pose& pose) const {
    const Figure& figure = *problem_.figure;
    const auto coordinate = [&](int joint) { return pose.coordinates[figure.joint(joint).poseIndex]; };
    for (std::size_t i = 0; i < figure.linearLimits().size(); ++i) {
      const LinearLimit& limit = figure.linearLimits()[i];
      if (!problem_.linearLimitEnabled[i]) continue;
      double sum = 0.0;
      for (const LinearLimit::Term& term : limit.terms) sum += term.coefficient * coordinate(term.joint);
      if (sum < limit.bounds.lower - kLimitSlack || sum > limit.bounds.upper + kLimitSlack) return false;
    }
    const std::vector<char> enabled = activeCouplings(problem_);
    for (std::size_t i = 0; i < enabled.size(); ++i) {
      const int follower = figure.couplings()[i].follower;
      if (!enabled[i] || !isScalar(figure.joint(follower))) continue;
      const Interval limits = problem_.joints[follower].limits;
      if (coordinate(follower) < limits.lower - kLimitSlack || coordinate(follower) > limits.upper + kLimitSlack)
        return false;
    }
    return true;
  }

  const IkProblem& problem_;
  const ways::ArmSolver& solver_;
  const GoalItem& goal_;
  AllWaysOptions options_;
  Couplings couplings_;
  Clearances clearances_;
  Coordinates start_;
};

void listCurves(const ways::ArmSolver& solver, const Transform& target, const WayLister& lister, AllWays& result) {
  result.shape = "seven joints";
  result.reason = "the arm has seven joints: its ways are curves, of which short ones may be missing";
  for (const ways::SelfMotion& motion : ways::selfMotionsOf(solver, target, lister.start())) {
    // Parts of the curve within the limits; each is continuous, so that whole turns follow from its first point.
    const std::size_t size = motion.points.size();
    std::vector<Coordinates> points = motion.points;
    std::vector<char> isInside(size);
    for (std::size_t i = 0; i < size; ++i)
      isInside[i] = lister.bringInside(points[i], i > 0 ? points[i - 1] : lister.start());
    const bool isWhole = std::all_of(isInside.begin(), isInside.end(), [](char inside) { return inside; });
    std::size_t first = 0;  // a closed curve is cut where it is outside
    if (!isWhole && motion.isClosed)
      while (isInside[first]) ++first;
    WayCurve curve;
    double nearest = 0.0;
    bool bestCollides = false;
    Coordinates best;
    const auto finish = [&] {
      if (curve.poses.empty()) return;
      curve.isClosed = isWhole && motion.isClosed;
      curve.endsAtLimits = !isWhole;
      ArmWay way = lister.describe(best, ways::Way{.q = best}, 1);
      way.curve = static_cast<int>(result.curves.size());
      WayCurve whole = std::exchange(curve, {});
      if (lister.list(std::move(way), result)) result.curves.push_back(std::move(whole));
    };
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t i = (first + k) % size;
      if (!isInside[i]) {
        finish();
        continue;
      }
      const double distance = (points[i] - lister.start()).norm();
      Pose pose = lister.poseOf(points[i]);
      bool collides = false;
      if (result.isCompared) {
        const Kinematics kinematics = lister.transformsOfPose(pose);
        collides = lister.clearances().collides(kinematics);
        curve.clearances.push_back(lister.clearances().nearest(kinematics).clearance);
        curve.collides.push_back(collides);
      }
      if (curve.poses.empty() || std::pair(collides, distance) < std::pair(bestCollides, nearest)) {
        nearest = distance;
        bestCollides = collides;
        best = points[i];
      }
      curve.poses.push_back(std::move(pose));
    }
    finish();
    if (std::none_of(isInside.begin(), isInside.end(), [](char inside) { return inside; })) ++result.outsideLimits;
  }
}

}  // namespace

AllWays allWaysOf(const IkProblem& problem, const AllWaysOptions& options) {
  AllWays result;
  if (result.fault = findFault(problem); !result.fault.empty()) return result;
  const GoalItem* goal = placeGoalOf(problem, result.fault);
  if (!goal) return result;
  if (result.fault = findFault(*goal, *problem.figure); !result.fault.empty()) return result;
  if (!problem.figure->loops().empty()) {
    result.fault = "the figure has closed loops, which closed forms of serial arms do not keep";
    return result;
  }
  const ways::ScrewChain chain = armOf(problem, *goal);
  const ways::ArmSolver solver(chain, aspectOf(*goal));
  if (result.fault = solver.fault(); !result.fault.empty()) return result;

  const Transform target{goal->targetFrame, goal->target};
  const WayLister lister(problem, solver, *goal, options);
  result.isCompared = lister.clearances().isNeeded();
  if (chain.count == ways::kMaxJoints) {
    listCurves(solver, target, lister, result);
  } else {
    ways::Ways found;
    solver.solve(target, lister.start(), found);
    result.isComplete = found.completeness == ways::Completeness::Proved;
    result.reason = found.reason;
    result.shape = ways::shapeName(found.shape);
    for (const ways::Way& way : found.all) lister.add(way, result);
  }
  std::stable_sort(result.ways.begin(), result.ways.end(),
                   [](const ArmWay& a, const ArmWay& b) { return a.distance < b.distance; });
  return result;
}

}  // namespace limber

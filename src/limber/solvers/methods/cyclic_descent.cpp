// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/cyclic_descent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "limber/solvers/convex/point_goals.h"
#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/best_rotation.h"

namespace limber {

namespace {

constexpr OptionInfo kCyclicDescentOptions[] = {
    option<&CyclicDescentOptions::maxIterations>("maxIterations", "Sweep cap", "", 1, 1000000,
                                                 "Stop after this many sweeps."),
    option<&CyclicDescentOptions::tolerance>("tolerance", "Tolerance", "rad", 0.0, 1.0,
                                             "Converged when no joint of a sweep moves by more than this.",
                                             kLogarithmic),
};
bool cyclicDescentMoves(const Figure&, const Joint& joint) { return joint.type != JointType::Free; }

constexpr SolverInfo kCyclicDescentInfo{
    .name = "ccd",
    .title = "Cyclic coordinate descent (CCD)",
    .description =
        "Moves one joint at a time, from the tips to the root, exactly to its minimum of f (Wang and Chen "
        "1991, for trees and ball joints). Position goals only; many cheap sweeps.",
    .limits = LimitHandling::Exact,
    .options = kCyclicDescentOptions,
    .seesOneSidedGoals = false,
    .refusal =
        [](const Objective& objective) {
          return refuseForGeometry(objective, "CCD", "moves hinges, slides and ball joints", cyclicDescentMoves);
        },
};

constexpr int kHingeSteps = 8;  // Newton steps; they converge quadratically
constexpr int kBallSteps = 4;   // the next sweep continues
constexpr int kHalvings = 30;
constexpr double kNothing = 1e-17;  // of the joint's own part of f: below rounding
constexpr double kOnLimit = 1e-9;   // radians: a ball this near to a limit is on it

/// Memory of a sweep for one objective, in addition to the common memory.
struct SweepMemory final : SolverMemory {
  std::vector<PointGoal> goals;
  std::vector<Eigen::Vector3d> points;  ///< per goal: its current position, world
  std::vector<int> first, below;        ///< below[first[i]] to below[first[i + 1]]: the goals at and below link i
  std::vector<int> ballOf;              ///< per joint: its index in the feasible set's balls, -1 without limits
};

/// 1/2 weight (q - mean)^2: the sum of the pulls on one scalar.
struct ScalarPull {
  double weight = 0.0, mean = 0.0;
};

/// -A cos d - B sin d + 1/2 W (d - m)^2 over lower <= d <= upper.
struct HingeProblem {
  double a = 0.0, b = 0.0, weight = 0.0, mean = 0.0, lower = 0.0, upper = 0.0;

  double value(double d) const { return -a * std::cos(d) - b * std::sin(d) + 0.5 * weight * (d - mean) * (d - mean); }
  double slope(double d) const { return a * std::sin(d) - b * std::cos(d) + weight * (d - mean); }
  double curvature(double d) const { return a * std::cos(d) + b * std::sin(d) + weight; }
  double clamp(double d) const { return std::clamp(d, lower, upper); }

  double minimum() const {
    constexpr double kTurn = 2.0 * std::numbers::pi;
    const double least = std::atan2(b, a);  // of the goals; another turn may be inside, or nearer to the mean
    double again = least;
    if (weight > 0.0) again += kTurn * std::round((mean - least) / kTurn);
    else if (least < lower) again += kTurn;
    else if (least > upper) again -= kTurn;
    double best = 0.0;
    for (const double start : {least, again, weight > 0.0 ? mean : 0.0, lower, upper})
      if (std::isfinite(start) && value(clamp(start)) < value(best)) best = clamp(start);
    for (int step = 0; step < kHingeSteps && weight > 0.0; ++step) {
      const double stiffness = std::abs(curvature(best));
      if (!(stiffness > 0.0)) break;
      double move = -slope(best) / stiffness;
      if (std::abs(slope(best) * move) <= kNothing * std::abs(value(best))) break;
      for (int halvings = 0; halvings < kHalvings && !(value(clamp(best + move)) < value(best)); ++halvings)
        move *= 0.5;
      const double next = clamp(best + move);
      if (!(value(next) < value(best))) break;
      best = next;
    }
    return best;
  }
};

class CyclicDescentRun : public SolverRun<CyclicDescentOptions> {
 public:
  CyclicDescentRun(const Objective& objective, Pose& pose, const CyclicDescentOptions& options, Workspace& workspace,
                   SolveLoop& loop)
      : SolverRun(objective, pose, options, workspace, loop) {
    collectPointGoals(objective, memory_.goals);
    addStayPoints(objective.stay(), memory_.goals);
    memory_.points.resize(memory_.goals.size());
    listGoalsBelow();
    memory_.ballOf.assign(figure_.linkCount(), -1);
    for (const FreeSpace::Block& block : workspace.freeSpace.blocks)
      if (block.ball >= 0) memory_.ballOf[objective.feasibleSet().jointOfBall(block.ball)] = block.ball;
  }

  SolveStatus iterate() {
    while (objective_.activeCount() > 0) {
      if (loop_.iterationsOfPhase() >= options_.maxIterations) return SolveStatus::IterationCap;
      sweep();
      const double before = loop_.objective(), rounding = loop_.rounding();
      const double moved = loop_.trialDistance();
      if (!(loop_.evaluateTrial() <= before))
        return moved <= options_.tolerance ? SolveStatus::Converged : SolveStatus::Stalled;
      loop_.acceptTrial();
      const bool mayGoOn = loop_.endIteration(moved, 0.0);
      if (moved <= options_.tolerance) return SolveStatus::Converged;
      if (before - loop_.objective() <= rounding) return SolveStatus::Stalled;
      if (!mayGoOn) return loop_.status();
    }
    return SolveStatus::Converged;
  }

 private:
  void listGoalsBelow() {
    const auto& goals = memory_.goals;
    auto& first = memory_.first;
    auto& below = memory_.below;
    first.assign(figure_.linkCount() + 1, 0);
    const auto walk = [&](const auto& visit) {
      for (std::size_t k = 0; k < goals.size(); ++k)
        for (int link = goals[k].link; link >= 0; link = figure_.link(link).parent) visit(static_cast<int>(k), link);
    };
    walk([&](int, int link) { ++first[link]; });
    for (std::size_t link = 1; link < first.size(); ++link) first[link] += first[link - 1];
    below.resize(first.back());
    walk([&](int goal, int link) { below[--first[link]] = goal; });
  }

  std::span<const int> goalsBelow(int link) const {
    const int from = memory_.first[link], to = memory_.first[link + 1];
    return std::span(memory_.below).subspan(from, to - from);
  }
  const PointGoal& goal(int k) const { return memory_.goals[k]; }
  Eigen::Vector3d& point(int k) { return memory_.points[k]; }
  /// The centre about which a joint at that position turns the point.
  Eigen::Vector3d centreFor(int k, const Eigen::Vector3d& joint) const {
    return goal(k).turned >= 0 ? Eigen::Vector3d(Eigen::Vector3d::Zero()) : joint;
  }
  /// The goal's weight at the current pose. For a limited force or torque it belongs to a parabola that touches f there
  /// and is never below it, so that f falls whenever the parabola does.
  double weightOf(int k) {
    const double weight = goal(k).weight, limit = goal(k).forceLimit;
    if (goal(k).turned >= 0) return weight * workspace_.current.stays[goal(k).turned].slope;
    if (limit == std::numeric_limits<double>::infinity()) return weight;
    const double distance = (point(k) - goal(k).target).norm();
    return weight * distance > limit ? limit / distance : weight;
  }

  /// Computes the trial pose: one joint after the other moves to its own minimum. When it is a joint's turn, the joints
  /// above it have not moved yet.
  void sweep() {
    const Kinematics& kinematics = workspace_.current.kinematics;
    for (std::size_t k = 0; k < memory_.goals.size(); ++k) {
      const PointGoal& goal = memory_.goals[k];
      const Transform& worldFromLink = kinematics.worldFromLink[goal.link];
      memory_.points[k] = worldFromLink.rotation * goal.pointInLink;
      if (goal.turned < 0) memory_.points[k] += worldFromLink.translation;
    }
    workspace_.trialPose.coordinates = pose_.coordinates;
    for (int i = figure_.linkCount() - 1; i >= 0; --i) {
      const Joint& joint = figure_.joint(i);
      if (stepSize(joint.type) == 0 || objective_.activeIndex(joint.stepIndex) < 0) continue;
      const Transform frame = worldFromJoint(figure_, kinematics, i);
      if (joint.type == JointType::Revolute) turnHinge(i, joint, frame);
      else if (joint.type == JointType::Prismatic) shiftSlide(i, joint, frame);
      else turnBall(i, frame);
    }
    objective_.feasibleSet().project(workspace_.trialPose);
  }

  ScalarPull pullOf(const Joint& joint) const {
    ScalarPull pull;
    for (const Regulariser& regulariser : objective_.regularisers()) {
      const double weight = regulariser.weights()[joint.stepIndex];
      pull.weight += weight;
      pull.mean += weight * regulariser.reference().coordinates[joint.poseIndex];
    }
    if (pull.weight > 0.0) pull.mean /= pull.weight;
    return pull;
  }

  void turnHinge(int i, const Joint& joint, const Transform& worldFromJoint) {
    const Eigen::Vector3d axis = worldFromJoint.rotation * joint.axis;
    double& q = workspace_.trialPose.coordinates[joint.poseIndex];
    const ScalarPull pull = pullOf(joint);
    HingeProblem problem;
    problem.weight = pull.weight;
    problem.mean = pull.mean - q;
    problem.lower = -objective_.feasibleSet().room(pose_, joint.stepIndex, -1.0);
    problem.upper = objective_.feasibleSet().room(pose_, joint.stepIndex, 1.0);
    for (const int k : goalsBelow(i)) {
      const Eigen::Vector3d centre = centreFor(k, worldFromJoint.translation);
      const Eigen::Vector3d y = point(k) - centre, v = goal(k).target - centre;
      problem.a += weightOf(k) * (y.dot(v) - axis.dot(y) * axis.dot(v));
      problem.b += weightOf(k) * axis.dot(y.cross(v));
    }
    const double turn = problem.minimum();
    if (turn == 0.0) return;
    q += turn;
    turnPoints(i, worldFromJoint.translation, Eigen::AngleAxisd(turn, axis).toRotationMatrix());
  }

  void shiftSlide(int i, const Joint& joint, const Transform& worldFromJoint) {
    const Eigen::Vector3d axis = worldFromJoint.rotation * joint.axis;
    double& q = workspace_.trialPose.coordinates[joint.poseIndex];
    const ScalarPull pull = pullOf(joint);
    double force = pull.weight * (pull.mean - q), stiffness = pull.weight;
    for (const int k : goalsBelow(i)) {
      if (goal(k).turned >= 0) continue;
      force += weightOf(k) * axis.dot(goal(k).target - point(k));
      stiffness += weightOf(k);
    }
    if (!(stiffness > 0.0)) return;
    const double shift = std::clamp(force / stiffness, -objective_.feasibleSet().room(pose_, joint.stepIndex, -1.0),
                                    objective_.feasibleSet().room(pose_, joint.stepIndex, 1.0));
    q += shift;
    for (const int k : goalsBelow(i))
      if (goal(k).turned < 0) point(k) += shift * axis;
  }

  void turnPoints(int link, const Eigen::Vector3d& centre, const Eigen::Matrix3d& rotation) {
    for (const int k : goalsBelow(link)) {
      const Eigen::Vector3d about = centreFor(k, centre);
      point(k) = about + rotation * (point(k) - about);
    }
  }

  /// f as a function of one ball joint's rotation R = worldFromLink, up to a constant: -trace(R M) plus the pulls.
  struct BallProblem {
    int joint = 0;
    Eigen::Matrix3d worldFromJoint, m;
    const BallRange* range = nullptr;  ///< null without limits
  };

  double value(const BallProblem& problem, const Eigen::Quaterniond& rotation) const {
    double sum = -(problem.worldFromJoint * rotation.toRotationMatrix() * problem.m).trace();
    for (const Regulariser& regulariser : objective_.regularisers())
      sum += regulariser.rotationValue(coordinateOf(problem), offset(problem, regulariser, rotation));
    return sum;
  }

  int coordinateOf(const BallProblem& problem) const { return figure_.joint(problem.joint).stepIndex; }

  Eigen::Vector3d offset(const BallProblem& problem, const Regulariser& regulariser,
                         const Eigen::Quaterniond& rotation) const {
    return logarithm(jointRotation(figure_, regulariser.reference(), problem.joint).conjugate() * rotation);
  }

  void turnBall(int i, const Transform& worldFromJoint) {
    BallProblem problem{i, worldFromJoint.rotation, Eigen::Matrix3d::Zero()};
    if (const int ball = memory_.ballOf[i]; ball >= 0) problem.range = &objective_.feasibleSet().rangeOfBall(ball);
    const Eigen::Quaterniond start = jointRotation(figure_, pose_, i);
    const Eigen::Matrix3d worldFromLink = worldFromJoint.rotation * start.toRotationMatrix();
    for (const int k : goalsBelow(i)) {
      const Eigen::Vector3d centre = centreFor(k, worldFromJoint.translation);
      problem.m +=
          weightOf(k) * (worldFromLink.transpose() * (point(k) - centre)) * (goal(k).target - centre).transpose();
    }
    double pull = 0.0;
    Eigen::Matrix3d m = problem.m;
    for (const Regulariser& regulariser : objective_.regularisers()) {
      const double weight = regulariser.weights()[coordinateOf(problem)];
      pull += weight;
      const Eigen::Quaterniond reference = jointRotation(figure_, regulariser.reference(), i);
      m += 0.5 * weight * (worldFromJoint.rotation * reference.toRotationMatrix()).transpose();
    }
    if (m.isZero(0.0)) return;
    Eigen::Quaterniond best = start;
    double least = value(problem, start);
    const Eigen::Matrix3d turned = worldFromJoint.rotation.transpose() * bestRotation(m, worldFromLink);
    Eigen::Quaterniond closed = Eigen::Quaterniond(turned).normalized();
    if (problem.range) closed = problem.range->clamp(closed);
    if (const double f = value(problem, closed); f < least) {
      best = closed;
      least = f;
    }
    if (pull > 0.0 || problem.range)
      for (int step = 0; step < kBallSteps && descend(problem, pull, best, least); ++step) {
      }
    if (best.coeffs() == start.coeffs()) return;
    setJointRotation(figure_, i, best, workspace_.trialPose);
    const Eigen::Matrix3d change = worldFromJoint.rotation * best.toRotationMatrix() * worldFromLink.transpose();
    turnPoints(i, worldFromJoint.translation, change);
  }

  /// The active limits of a rotation that a step would violate.
  struct Held {
    bool swing = false;
    int twistSide = 0;
  };

  /// Removes from a step the components that would leave the active limits of the rotation.
  static Held stayAlongLimits(const BallRange& range, const Eigen::Quaterniond& rotation, Eigen::Vector3d& step) {
    Held held;
    const BallRange::Place place = range.placeOf(rotation);
    if (range.isHinge()) step = (place.twistAxis.dot(step) * place.twistAxis).eval();
    else if (range.limitsSwing() && place.swing >= range.swing() - kOnLimit) {
      const Eigen::Vector3d outward = swingNormal(place);
      held.swing = outward.dot(step) > 0.0;
      if (held.swing) step -= outward.dot(step) * outward;
    }
    if (!range.limitsTwist() || std::abs(place.twist) < range.halfTwist() - kOnLimit) return held;
    const int side = place.twist > 0.0 ? 1 : -1;
    const Eigen::Vector3d outward = side * twistNormal(place);
    if (!range.isTwistFixed() && !(outward.dot(step) > 0.0)) return held;
    step -= outward.dot(step) * outward;
    held.twistSide = side;
    return held;
  }

  /// A Newton step of the rotation, or a gradient step if it has limits, halved until f falls. False if f does not
  /// fall.
  ///   d trace(R exp(s) M) = s.axial(N) + 1/2 s'(sym N - trace N) s,  N = M R
  bool descend(const BallProblem& problem, double pull, Eigen::Quaterniond& rotation, double& least) const {
    const Eigen::Matrix3d n = problem.m * problem.worldFromJoint * rotation.toRotationMatrix();
    Eigen::Vector3d gradient(n(2, 1) - n(1, 2), n(0, 2) - n(2, 0), n(1, 0) - n(0, 1));
    for (const Regulariser& regulariser : objective_.regularisers())
      gradient += regulariser.rotationGradient(coordinateOf(problem), offset(problem, regulariser, rotation));
    const Eigen::Matrix3d hessian = (n.trace() + pull) * Eigen::Matrix3d::Identity() - 0.5 * (n + n.transpose());
    const Eigen::LLT<Eigen::Matrix3d> factors(hessian);
    const double stiffest = hessian.norm();
    if (!(stiffest > 0.0)) return false;
    Eigen::Vector3d step = gradient / -stiffest;
    Held held;
    if (problem.range) held = stayAlongLimits(*problem.range, rotation, step);
    else if (factors.info() == Eigen::Success) step = -factors.solve(gradient);
    // If f cannot decrease along the limits, the rotation may still be moved exactly onto them.
    const bool isLast = -gradient.dot(step) <= kNothing * std::abs(least);
    if (isLast && !held.swing && held.twistSide == 0) return false;
    for (int halvings = 0; halvings < (isLast ? 1 : kHalvings); ++halvings, step *= 0.5) {
      Eigen::Quaterniond trial = (rotation * exponential(step)).normalized();
      if (problem.range) trial = problem.range->clampOnto(trial, held.swing, held.twistSide);
      const double f = value(problem, trial);
      if (!(f < least)) continue;
      rotation = trial;
      least = f;
      return true;
    }
    return false;
  }

  const Figure& figure_ = objective_.figure();
  SweepMemory& memory_ = workspace_.memoryOf<SweepMemory>();
};

}  // namespace

const TypedSolver<CyclicDescentOptions>& CyclicDescentOptions::solver() {
  static const TypedSolver solver(kCyclicDescentInfo, iterate<CyclicDescentRun>);
  return solver;
}

}  // namespace limber

// SPDX-License-Identifier: MIT
#include "limber/posing/fitter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "limber/goals/position_goal.h"
#include "limber/posing/body_prior.h"
#include "limber/posing/fit_coordinates.h"
#include "limber/posing/loop_keeper.h"
#include "limber/posing/posed_problem.h"
#include "limber/solvers/convex/global_pose.h"
#include "limber/solvers/methods/globalised_newton.h"
#include "limber/solvers/methods/levenberg_marquardt.h"
#include "limber/solvers/steps/random_pose.h"

namespace limber {

namespace {

constexpr int kQuick = 30;  // iterations: a Gauss-Newton solve that needs more is in a flat valley
constexpr double kFirstFitDamping =
    1e-5;                              // of a weight: starts are near the minimum, where Gauss-Newton steps are best
constexpr double kExactCost = 1e-7;    // mean link lengths: no other start is tried below this cost
constexpr double kClearlyLower = 0.5;  // of f: another start must be better than this, because many contorted poses
                                       // come slightly nearer to unreachable points

/// f of one frame: the seen points, damping, a pull of the given weight to a pose, and loops.
Objective makeObjective(const IkProblem& problem, const std::vector<FitPoint>& points,
                        std::span<const Eigen::Vector3d> targets, std::vector<int> active, const Pose& last,
                        double damping, const LoopKeeper& loops) {
  const Figure& figure = *problem.figure;
  std::vector<std::unique_ptr<Goal>> goals;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (targets[k].allFinite())
      goals.push_back(std::make_unique<PositionGoal>(points[k].point.link, points[k].point.pointInLink, targets[k],
                                                     points[k].weight, figure.meanLinkLength()));
  loops.addTo(goals);
  std::vector<double> weights(figure.linkCount(), damping);
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.isFreeRoot(i)) weights[i] = 0.0;
  return {problem.figure, std::move(goals), Regulariser(figure, last, weights), FeasibleSet(figure, limitsOf(problem)),
          std::move(active)};
}

std::string faultOf(const IkProblem& problem, const std::vector<FitPoint>& points, const FitOptions& options) {
  if (!(options.scale > 0.0 && std::isfinite(options.scale))) return "the scale is not a number > 0";
  if (!(options.damping >= 0.0 && std::isfinite(options.damping))) return "the damping is not a number >= 0";
  return faultOfPoints(problem, points);
}

}  // namespace

struct Fitter::State {
  IkProblem problem;
  std::vector<FitPoint> points;
  FitOptions options;
  std::string fault;
  std::vector<int> active;
  LoopKeeper loops;
  LevenbergMarquardtOptions solverOptions;
  GlobalisedNewtonOptions finisherOptions;
  Workspace workspace, finish;
  Kinematics kinematics;
  std::vector<Eigen::Vector3d> targets;  ///< one entry per point, metres; NaN where missing
  std::vector<PointPair> pairs;          ///< scratch
  std::vector<double> errors;            ///< one entry per point, metres; NaN where missing
  int seen = 0;                          ///< |J|
  bool hasStarted = false;
  double lastCost = 0.0;  ///< (15) of the last frame, metres
  Pose pose;
  Observer* observer = nullptr;

  State(const IkProblem& source, std::vector<FitPoint> all, const FitOptions& chosen)
      : problem(withFreeRoots(source)), points(std::move(all)), options(chosen) {
    pose = firstPose();
    clampToLimits(problem, pose);
    fault = faultOf(problem, points, options);
    if (fault.empty()) begin();
  }

  /// The first start: the prior's mean pose for a person, the rest pose for other figures.
  Pose firstPose() const {
    const Pose rest = restPose(*problem.figure);
    if (!problem.posePrior) return rest;
    const auto body = findBodyPrior(problem, *problem.posePrior);
    return body ? priorStart(problem, *body, rest, {}) : rest;
  }

  void begin() {
    const std::vector<char> usable = usableCoordinates(problem, true);
    targets.assign(points.size(), Eigen::Vector3d::Zero());
    errors.resize(points.size());
    const Objective all =
        makeObjective(problem, points, targets, coordinatesAbove(problem, points, usable), pose, 0.0, {});
    fault = all.feasibleSet().fault();
    if (fault.empty()) fault = all.feasibleSet().fault(*problem.figure, pose);
    if (!fault.empty()) return;
    active = coordinatesAbove(problem, points, observableCoordinates(problem, points, all, usable));
    if (active.empty()) fault = "no joint can move the observed points: all are fixed, locked or rigid";
    loops = LoopKeeper(problem, active);
    loops.close(pose);
    solverOptions = {.tau = kFirstFitDamping,
                     .tolerance = options.tolerance,
                     .maxIterations = std::min(options.maxIterations, kQuick)};
    finisherOptions = {.maxIterations = options.maxIterations - kQuick, .tolerance = options.tolerance};
  }

  void take(std::span<const Eigen::Vector3d> positions) {
    seen = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      targets[k] = options.scale * positions[points[k].observed];
      seen += targets[k].allFinite();
    }
  }

  /// Minimises f. If there are loops, they are closed, and the summary's objective is the part of the points.
  Summary solve(Objective objective, Pose& from) {
    Summary summary;
    int iterations = 0;
    const bool isClosed = loops.solve(objective, from, [&] {
      summary = minimise(objective, from);
      iterations += summary.iterations();
      return summary.status != SolveStatus::Cancelled;
    });
    if (!loops.isNeeded()) return summary;
    summary.phases[0].iterations += iterations - summary.iterations();
    summary.objective = isClosed ? squaresAt(from) : std::numeric_limits<double>::infinity();
    return summary;
  }

  /// The points' part of f.
  double squaresAt(const Pose& at) {
    computeTransforms(*problem.figure, at, kinematics);
    double sum = 0.0;
    for (std::size_t k = 0; k < points.size(); ++k)
      if (targets[k].allFinite())
        sum += points[k].weight * (placeOf(kinematics, points[k].point) - targets[k]).squaredNorm();
    const double length = problem.figure->meanLinkLength();
    return 0.5 * sum / (length * length);
  }

  /// Takes Levenberg-Marquardt steps first. A solve that does not converge in kQuick of them continues with exact
  /// second derivatives.
  Summary minimise(const Objective& objective, Pose& from) {
    Summary summary =
        solverOptions.solver().solve(objective, from, solverOptions, workspace, {}, Start::Here, observer);
    if (summary.status != SolveStatus::IterationCap || options.maxIterations <= kQuick) return summary;
    const int quick = summary.iterations();
    summary = finisherOptions.solver().solve(objective, from, finisherOptions, finish, {}, Start::Here, observer);
    summary.phases[0].iterations += quick;
    return summary;
  }

  /// Solves a frame after the first.
  Summary follow() {
    const double left = lastCost / problem.figure->meanLinkLength();
    return solve(makeObjective(problem, points, targets, active, pose, options.damping * left * left, loops), pose);
  }

  /// Solves the first frame from a pose, which it moves.
  using StartSolve = std::function<Summary(Pose&)>;

  /// Solves the first frame: from the aligned first pose and, if that is not exact, from the relaxation and from random
  /// poses.
  Summary start() {
    const Pose rest = pose;
    const auto objectiveWith = [&](const LoopKeeper& keeper) {
      return makeObjective(problem, points, targets, active, rest, 0.0, keeper);
    };
    const Objective objective = objectiveWith({});
    const auto solved = [&](Pose& from) { return solve(objectiveWith(loops), from); };
    std::vector<PointGoal> goals;
    collectPointGoals(objective, goals);
    layRootsOnto(objective, goals, kinematics, pairs, pose);
    Summary best = solved(pose);
    const double exact = 0.5 * seen * kExactCost * kExactCost;
    const auto isDone = [&] { return best.objective <= exact || best.status == SolveStatus::Cancelled; };
    if (!isDone()) startFromRelaxation(objective, rest, solved, best);
    FreeSpace space;
    objective.feasibleSet().findFreeSpace(rest, Eigen::VectorXd::Zero(objective.activeCount()), space);
    RandomStream random(options.seed);
    Pose trial = rest;
    for (int k = 0; k < options.restarts && !isDone(); ++k) {
      randomizePose(objective, space, rest, random, trial);
      layRootsOnto(objective, goals, kinematics, pairs, trial);
      startFrom(solved, trial, best);
    }
    return best;
  }

  /// Solves from both roundings of the relaxation, which figures with sliding joints do not have.
  void startFromRelaxation(const Objective& objective, const Pose& rest, const StartSolve& solved, Summary& best) {
    GlobalMethod method(objective, limitsOf(problem), rest);
    if (method.relax(objective).status == InteriorPointStatus::BadInput) return;
    for (const bool fromRoot : {false, true}) {
      Pose trial;
      method.round(objective, fromRoot, trial);
      startFrom(solved, trial, best);
    }
  }

  /// Solves from `trial`, and keeps the result if it is clearly lower.
  void startFrom(const StartSolve& solved, Pose& trial, Summary& best) {
    Summary other = solved(trial);
    other.phases[0].iterations += best.phases[0].iterations;  // total of the frame
    if (other.objective < kClearlyLower * best.objective || other.status == SolveStatus::Cancelled) {
      best = other;
      pose = trial;
    }
    best.phases[0].iterations = other.phases[0].iterations;
  }

  /// The cost of the pose, from forward kinematics alone.
  void measure(FittedFrame& frame) {
    computeTransforms(*problem.figure, pose, kinematics);
    frame.points = seen;
    double squares = 0.0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      errors[k] = (placeOf(kinematics, points[k].point) - targets[k]).norm();
      if (!std::isnan(errors[k])) squares += errors[k] * errors[k];
    }
    if (seen == 0) return;
    frame.squares = squares;
    frame.cost = lastCost = std::sqrt(squares / seen);
  }
};

Fitter::Fitter(const IkProblem& problem, std::vector<FitPoint> points, const FitOptions& options)
    : state_(std::make_unique<State>(problem, std::move(points), options)) {}
Fitter::~Fitter() = default;
Fitter::Fitter(Fitter&&) noexcept = default;
Fitter& Fitter::operator=(Fitter&&) noexcept = default;

void Fitter::observe(Observer* observer) { state_->observer = observer; }
const std::string& Fitter::fault() const { return state_->fault; }
int Fitter::activeCount() const { return static_cast<int>(state_->active.size()); }
std::span<const double> Fitter::errors() const { return state_->errors; }

FittedFrame Fitter::fit(std::span<const Eigen::Vector3d> positions) {
  State& s = *state_;
  FittedFrame frame;
  if (s.fault.empty()) {
    s.take(positions);
    if (s.seen > 0) {
      const Summary summary = s.hasStarted ? s.follow() : s.start();
      s.hasStarted = true;
      frame.iterations = summary.iterations();
      frame.status = fitStatusOf(summary.status);
    }
    s.measure(frame);
  }
  frame.pose = s.pose;
  return frame;
}

FitStatus fitStatusOf(SolveStatus status) {
  switch (status) {
    case SolveStatus::Converged: return FitStatus::Converged;
    case SolveStatus::IterationCap:
    case SolveStatus::BudgetSpent: return FitStatus::IterationCap;
    case SolveStatus::Cancelled: return FitStatus::Cancelled;
    default: return FitStatus::Stalled;
  }
}

std::string_view fitStatusName(FitStatus status) {
  constexpr std::array<std::string_view, 5> kNames = {"converged", "iteration cap", "stalled", "cancelled",
                                                      "not observed"};
  return kNames[static_cast<std::size_t>(status)];
}

}  // namespace limber

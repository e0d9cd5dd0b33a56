// SPDX-License-Identifier: MIT
// Limber's own methods, as another program would call them: through the registry, on the objective.
#include <algorithm>
#include <cmath>
#include <random>

#include "bench/peers/entrants.h"
#include "bench/peers/hinge_model.h"
#include "limber/solvers/registry.h"

namespace limber::bench {

namespace {

/// How a method is called.
struct Way {
  const char* solver = "newton";
  Start start = Start::Here;
  bool restarts = false;         ///< random ones, while the targets are not met
  bool stops = false;            ///< at the tolerance, as the other libraries do, instead of at a minimum
  const char* option = nullptr;  ///< that is not at its default
  double value = 0.0;
};

class LimberEntrant final : public Entrant, private Observer {
 public:
  LimberEntrant(const Solver& solver, const Way& way) : solver_(solver), way_(way), options_(defaultOptions(solver)) {
    if (way.option) setOption(solver_, way.option, way.value, options_);
  }

  std::string name() const override {
    std::string name = "Limber " + std::string(solver_.name());
    if (way_.start == Start::Anywhere) name += ", anywhere";
    if (way_.option) name += ", " + std::string(way_.option) + " " + std::to_string(static_cast<int>(way_.value));
    if (way_.restarts) name += ", random restarts";
    return way_.stops ? name + ", to the tolerance" : name;
  }

  bool prepare(const Task& task) override {
    isDrag_ = task.isDrag;
    length_ = task.length;
    angle_ = task.angle;
    const Problem& problem = task.problems.front();
    const bool hasTargets = HingeModel::fits(*task.figure) && !problem.targets.empty();
    const bool hasPull = !problem.objective->regularisers()[0].weights().isZero();
    if (way_.restarts && !hasTargets) return false;
    if (way_.stops && !hasTargets && (!problem.document || hasPull)) return false;
    if ((way_.restarts || way_.start == Start::Anywhere) && isDrag_) return false;
    if (!solver_.refusal(*problem.objective).empty()) return false;
    const bool isDense = solver_.needsDenseHessian() || solver_.name() == "variable-metric";  // of H, or of its inverse
    if (isDense && problem.objective->activeCount() > kMaxDense) return false;
    if (hasTargets) model_.build(*task.figure, 1.0);
    // A method with restarts of its own has a tolerance of its own, of the residuals.
    if (way_.stops && solver_.name() == kRestarting) setOption(solver_, "tolerance", toleranceOf(task), options_);
    workspace_ = {};
    return true;
  }

  void solve(const Problem& problem, Pose& pose) override {
    hasTargets_ = !problem.targets.empty();
    if (problem.document) enough_ = enoughOf(problem);
    model_.setTargets(problem.targets);
    run(problem, pose, isDrag_ ? Start::Warm : way_.start);
    if (!way_.restarts) return;
    random_.seed(7);
    for (int i = 0; i < kMaxRestarts && !isSolved(pose); ++i) {
      model_.drawStart(random_, pose.coordinates.data());
      run(problem, pose, way_.start);
    }
  }

 private:
  static constexpr int kMaxDense = 200;  // larger ones would take seconds for each problem
  static constexpr std::string_view kRestarting = "multi-start";

  /// Residuals are in mean link lengths and radians; half of a goal's weight goes to its place, half to its directions.
  static double toleranceOf(const Task& task) {
    const Problem& problem = task.problems.front();
    double tolerance = task.length / task.figure->meanLinkLength();
    if (task.angle > 0.0) tolerance = std::min(tolerance, task.angle);
    if (problem.document) tolerance = problem.document->solver.reachedTolerance;
    return 0.9 * std::sqrt(0.5) * tolerance;
  }

  void run(const Problem& problem, Pose& pose, Start start) {
    const bool isWatched = way_.stops && solver_.name() != kRestarting;
    solver_.solve(*problem.objective, pose, options_, workspace_, {}, start, isWatched ? this : nullptr);
  }

  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    return hasTargets_ ? !isSolved(pose) : record.objective > enough_;
  }

  /// An f at which every goal is met, whichever it may be that is not. Half of a goal's weight goes to its place.
  static double enoughOf(const Problem& problem) {
    double weight = std::numeric_limits<double>::infinity();
    for (const auto& goal : problem.objective->goals()) weight = std::min(weight, goal->weight());
    const double residual = 0.9 * problem.document->solver.reachedTolerance;
    return 0.5 * (0.5 * weight) * residual * residual;
  }

  bool isSolved(const Pose& pose) {
    model_.computeFrames(pose.coordinates.data());
    return model_.isSolved(length_, angle_) && model_.isInside(pose.coordinates.data());
  }

  const Solver& solver_;
  Way way_;
  OptionValues options_;
  Workspace workspace_;
  HingeModel model_;
  std::mt19937 random_;
  double length_ = 0.0, angle_ = 0.0;
  double enough_ = 0.0;
  bool isDrag_ = false, hasTargets_ = false;
};

}  // namespace

void addLimberEntrants(Entrants& entrants) {
  const Way ways[] = {
      {.solver = "newton"},
      {.solver = "newton", .start = Start::Anywhere},
      {.solver = "newton", .stops = true},
      {.solver = "newton", .restarts = true},
      {.solver = "newton", .restarts = true, .stops = true},
      {.solver = "multi-start"},
      {.solver = "multi-start", .stops = true, .option = "answers", .value = 1.0},
      {.solver = "lm"},
      {.solver = "lm", .stops = true},
      {.solver = "trust-region", .stops = true},
      {.solver = "lbfgs", .stops = true},
      {.solver = "lbfgs", .restarts = true, .stops = true},
      {.solver = "ccd", .stops = true},
      {.solver = "variable-metric"},
      {.solver = "gdls+nm"},
      {.solver = "gdls+nm", .restarts = true},
  };
  for (const Way& way : ways)
    if (const Solver* solver = findSolver(way.solver))
      entrants.push_back(std::make_unique<LimberEntrant>(*solver, way));
}

}  // namespace limber::bench

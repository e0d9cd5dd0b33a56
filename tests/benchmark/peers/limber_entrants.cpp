// SPDX-License-Identifier: MIT
// Limber's own methods, as another program would call them: through the registry, on the objective.
#include <algorithm>
#include <random>

#include "benchmark/peers/entrants.h"
#include "benchmark/peers/hinge_model.h"
#include "solvers/registry.h"

namespace limber::bench {

namespace {

enum class Restarts { None, Random };

class LimberEntrant final : public Entrant {
 public:
  LimberEntrant(const Solver& solver, Start start, Restarts restarts)
      : solver_(solver), options_(defaultOptions(solver)), start_(start), restarts_(restarts) {}

  std::string name() const override {
    std::string name = "Limber " + std::string(solver_.name());
    if (start_ == Start::Anywhere) name += ", anywhere";
    return restarts_ == Restarts::Random ? name + ", random restarts" : name;
  }

  bool prepare(const Task& task) override {
    isDrag_ = task.isDrag;
    length_ = task.length;
    angle_ = task.angle;
    const Problem& problem = task.problems.front();
    const bool isHinged = HingeModel::fits(*task.figure);
    if (restarts_ == Restarts::Random && (!isHinged || isDrag_ || problem.targets.empty())) return false;
    if (start_ == Start::Anywhere && isDrag_) return false;
    if (!solver_.refusal(*problem.objective).empty()) return false;
    const bool isDense = solver_.needsDenseHessian() || solver_.name() == "variable-metric";  // of H, or of its inverse
    if (isDense && problem.objective->activeCount() > kMaxDense) return false;
    if (isHinged) model_.build(*task.figure, 1.0);
    workspace_ = {};
    return true;
  }

  void solve(const Problem& problem, Pose& pose) override {
    solver_.solve(*problem.objective, pose, options_, workspace_, {}, isDrag_ ? Start::Warm : start_);
    if (restarts_ == Restarts::None || isSolved(problem, pose)) return;
    random_.seed(7);
    for (int i = 0; i < kMaxRestarts; ++i) {
      model_.drawStart(random_, pose.coordinates.data());
      solver_.solve(*problem.objective, pose, options_, workspace_, {}, start_);
      if (isSolved(problem, pose)) return;
    }
  }

 private:
  static constexpr int kMaxDense = 200;  // larger ones would take seconds for each problem

  bool isSolved(const Problem& problem, const Pose& pose) {
    model_.setTargets(problem.targets);
    model_.computeFrames(pose.coordinates.data());
    return model_.isSolved(length_, angle_) && model_.isInside(pose.coordinates.data());
  }

  const Solver& solver_;
  OptionValues options_;
  Start start_;
  Restarts restarts_;
  Workspace workspace_;
  HingeModel model_;
  std::mt19937 random_;
  double length_ = 0.0, angle_ = 0.0;
  bool isDrag_ = false;
};

void add(Entrants& entrants, const char* name, Start start, Restarts restarts = Restarts::None) {
  if (const Solver* solver = findSolver(name))
    entrants.push_back(std::make_unique<LimberEntrant>(*solver, start, restarts));
}

}  // namespace

void addLimberEntrants(Entrants& entrants) {
  add(entrants, "newton", Start::Here);
  add(entrants, "newton", Start::Anywhere);
  add(entrants, "newton", Start::Here, Restarts::Random);
  add(entrants, "multi-start", Start::Here);
  add(entrants, "variable-metric", Start::Here);
  add(entrants, "gdls+nm", Start::Here);
  add(entrants, "gdls+nm", Start::Here, Restarts::Random);
}

}  // namespace limber::bench

// SPDX-License-Identifier: MIT
// NLopt's L-BFGS and SLSQP with analytic gradients, bounds, a stop as soon as the targets are met, and random restarts
// where one start ends short of them, as TRAC-IK and OptIK use them.
#include <nlopt.h>

#include <algorithm>

#include "bench/peers/entrants.h"
#include "bench/peers/functions.h"
#include "bench/peers/hinge_model.h"

namespace limber::bench {

namespace {

struct DeleteOptimiser {
  void operator()(nlopt_opt optimiser) const { nlopt_destroy(optimiser); }
};

class NloptEntrant final : public Entrant {
 public:
  NloptEntrant(nlopt_algorithm algorithm, std::string name) : algorithm_(algorithm), name_(std::move(name)) {}

  std::string name() const override { return restarts_ > 0 ? name_ + ", random restarts" : name_; }

  bool prepare(const Task& task) override {
    constexpr int kMaxDense = 80;  // SLSQP takes seconds for larger ones
    function_ = makeFunction(task);
    if (!function_ || (algorithm_ == NLOPT_LD_SLSQP && function_->size() > kMaxDense)) return false;
    const auto n = static_cast<unsigned>(function_->size());
    optimiser_.reset(nlopt_create(algorithm_, n));
    nlopt_opt o = optimiser_.get();
    nlopt_set_min_objective(o, evaluate, this);
    nlopt_set_lower_bounds(o, function_->lower.data());
    nlopt_set_upper_bounds(o, function_->upper.data());
    const bool isMinimum = task.problems.front().targets.empty() && !task.problems.front().document;
    nlopt_set_ftol_rel(o, isMinimum ? 1e-13 : 1e-5);  // a start that no longer gains is given up
    nlopt_set_maxeval(o, isMinimum ? 20000 : 2000);
    if (algorithm_ == NLOPT_LD_LBFGS) nlopt_set_vector_storage(o, 10);
    restarts_ = isMinimum ? 0 : function_->hasRestarts ? kMaxRestarts : 0;
    x_.resize(function_->size());
    solution_.resize(function_->size());
    return true;
  }

  void solve(const Problem& problem, Pose& pose) override {
    function_->setProblem(problem);
    random_.seed(7);
    isSolved_ = false;
    best_ = std::numeric_limits<double>::infinity();
    function_->readPose(pose, x_.data());
    for (int i = 0;; ++i) {
      x_ = x_.cwiseMax(function_->lower).cwiseMin(function_->upper);
      optimise(function_->typical);
      // The first step is the gradient, which must be small; the stop is one of the gradient, which must not be.
      if (function_->typical != 1.0) optimise(1.0);
      if (isSolved_ || i == restarts_) break;
      function_->drawStart(random_, x_.data());
    }
    function_->writePose(solution_.data(), pose);
  }

 private:
  /// Of f over `typical`, from x_ to x_.
  void optimise(double typical) {
    double f = 0.0;
    typical_ = typical;
    nlopt_set_force_stop(optimiser_.get(), 0);
    nlopt_optimize(optimiser_.get(), x_.data(), &f);
  }

  /// Remembers the best x inside; stops the optimiser at one that meets everything.
  static double evaluate(unsigned n, const double* x, double* gradient, void* self) {
    auto& entrant = *static_cast<NloptEntrant*>(self);
    const double f = entrant.function_->evaluate(x, gradient) / entrant.typical_;
    if (gradient) Eigen::Map<Eigen::VectorXd>(gradient, n) /= entrant.typical_;
    if (entrant.isSolved_ || !(f * entrant.typical_ < entrant.best_)) return f;
    const Eigen::Map<const Eigen::VectorXd> at(x, n);
    entrant.best_ = f * entrant.typical_;
    entrant.solution_ = at;
    if (entrant.function_->isSolved() && (at.array() >= entrant.function_->lower.array()).all() &&
        (at.array() <= entrant.function_->upper.array()).all()) {
      entrant.isSolved_ = true;
      nlopt_force_stop(entrant.optimiser_.get());
    }
    return f;
  }

  nlopt_algorithm algorithm_;
  std::string name_;
  std::unique_ptr<Function> function_;
  std::unique_ptr<nlopt_opt_s, DeleteOptimiser> optimiser_;
  std::mt19937 random_;
  Eigen::VectorXd x_, solution_;
  double best_ = 0.0, typical_ = 1.0;
  int restarts_ = 0;
  bool isSolved_ = false;
};

}  // namespace

void addNloptEntrants(Entrants& entrants) {
  entrants.push_back(std::make_unique<NloptEntrant>(NLOPT_LD_LBFGS, "NLopt L-BFGS"));
  entrants.push_back(std::make_unique<NloptEntrant>(NLOPT_LD_SLSQP, "NLopt SLSQP"));
}

}  // namespace limber::bench

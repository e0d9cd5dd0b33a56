// SPDX-License-Identifier: MIT
// Ceres: its trust region (Levenberg-Marquardt) with bounds on residuals with analytic Jacobians, one thread, stopped
// as soon as the targets are met, random restarts where one start ends short of them. Long chains take conjugate
// gradients for the step: a matrix of rank two plus the identity.
//
// TinySolver, its Levenberg-Marquardt for small dense problems, knows no bounds: its answer counts when its angles,
// brought back by whole turns, are inside.
#include <ceres/ceres.h>
#include <ceres/tiny_solver.h>

#include <algorithm>

#include "bench/peers/entrants.h"
#include "bench/peers/functions.h"
#include "bench/peers/hinge_model.h"

namespace limber::bench {

namespace {

/// The residual over one block of all coordinates, or over as many blocks as there are coordinates.
class FunctionCost final : public ceres::CostFunction {
 public:
  FunctionCost(Function& function, bool isSplit) : function_(function), isSplit_(isSplit) {
    set_num_residuals(function.residualSize());
    const int blocks = isSplit ? function.size() : 1;
    mutable_parameter_block_sizes()->assign(static_cast<std::size_t>(blocks), function.size() / blocks);
    x_.resize(function.size());
    jacobian_.resize(function.residualSize(), function.size());
  }

  bool Evaluate(double const* const* x, double* residuals, double** jacobians) const override {
    if (!isSplit_) {
      function_.evaluateResidual(x[0], residuals, jacobians ? jacobians[0] : nullptr);
      return true;
    }
    for (Eigen::Index i = 0; i < x_.size(); ++i) x_[i] = x[i][0];
    function_.evaluateResidual(x_.data(), residuals, jacobians ? jacobian_.data() : nullptr);
    for (Eigen::Index i = 0; jacobians && i < x_.size(); ++i)
      if (jacobians[i]) Eigen::Map<Eigen::VectorXd>(jacobians[i], jacobian_.rows()) = jacobian_.col(i);
    return true;
  }

 private:
  Function& function_;
  bool isSplit_;
  mutable Eigen::VectorXd x_;
  mutable Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> jacobian_;
};

/// residual = q of one joint: the pull to rest of the chain.
class RestCost final : public ceres::SizedCostFunction<1, 1> {
 public:
  bool Evaluate(double const* const* x, double* residuals, double** jacobians) const override {
    residuals[0] = x[0][0];
    if (jacobians && jacobians[0]) jacobians[0][0] = 1.0;
    return true;
  }
};

class StopWhenSolved final : public ceres::IterationCallback {
 public:
  explicit StopWhenSolved(const Function& function) : function_(function) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary& summary) override {
    const bool stop = summary.step_is_successful && function_.isSolved();
    return stop ? ceres::SOLVER_TERMINATE_SUCCESSFULLY : ceres::SOLVER_CONTINUE;
  }

 private:
  const Function& function_;
};

class CeresEntrant final : public Entrant {
 public:
  std::string name() const override { return restarts_ > 0 ? "Ceres, random restarts" : "Ceres"; }

  bool prepare(const Task& task) override {
    function_ = makeFunction(task);
    if (!function_) return false;
    const bool isMinimum = task.problems.front().targets.empty() && !task.problems.front().document;
    x_.resize(function_->size());
    problem_ = std::make_unique<ceres::Problem>();
    if (isMinimum) addChain();
    else addBounded();
    setOptions(isMinimum, task.problems.front().targets.empty() ? 1e-3 : 0.1);
    restarts_ = !isMinimum && function_->hasRestarts ? kMaxRestarts : 0;
    return true;
  }

  void solve(const Problem& problem, Pose& pose) override {
    function_->setProblem(problem);
    random_.seed(7);
    function_->readPose(pose, x_.data());
    for (int i = 0;; ++i) {
      x_ = x_.cwiseMax(function_->lower).cwiseMin(function_->upper);
      ceres::Solver::Summary summary;
      ceres::Solve(options_, problem_.get(), &summary);
      function_->evaluateResidual(x_.data(), residual_.data(), nullptr);
      if (function_->isSolved() || i == restarts_) break;
      function_->drawStart(random_, x_.data());
    }
    function_->writePose(x_.data(), pose);
  }

 private:
  void addBounded() {
    problem_->AddResidualBlock(new FunctionCost(*function_, false), nullptr, x_.data());
    for (int i = 0; i < function_->size(); ++i) {
      problem_->SetParameterLowerBound(x_.data(), i, function_->lower[i]);
      problem_->SetParameterUpperBound(x_.data(), i, function_->upper[i]);
    }
  }

  void addChain() {
    std::vector<double*> blocks;
    for (double& x : x_) blocks.push_back(&x);
    problem_->AddResidualBlock(new FunctionCost(*function_, true), nullptr, blocks);
    for (double* block : blocks) problem_->AddResidualBlock(new RestCost, nullptr, block);
  }

  /// gain: a start that gains no more than this part of f at a step is given up.
  void setOptions(bool isMinimum, double gain) {
    stop_ = std::make_unique<StopWhenSolved>(*function_);
    residual_.resize(function_->residualSize());
    options_ = {};
    options_.linear_solver_type = function_->size() > 20 ? ceres::DENSE_NORMAL_CHOLESKY : ceres::DENSE_QR;
    if (isMinimum) {
      options_.linear_solver_type = ceres::CGNR;
      options_.eta = 1e-6;  // the matrix has few different eigenvalues: a handful of its steps are exact
    }
    options_.num_threads = 1;
    options_.logging_type = ceres::SILENT;
    options_.max_num_iterations = isMinimum ? 1000 : 200;
    options_.function_tolerance = isMinimum ? 1e-14 : gain;
    options_.gradient_tolerance = 1e-12;
    options_.parameter_tolerance = 1e-12;
    options_.callbacks.push_back(stop_.get());
  }

  std::unique_ptr<Function> function_;
  std::unique_ptr<ceres::Problem> problem_;
  std::unique_ptr<StopWhenSolved> stop_;
  ceres::Solver::Options options_;
  std::mt19937 random_;
  Eigen::VectorXd x_, residual_;
  int restarts_ = 0;
};

/// What TinySolver asks of a function; it keeps the Jacobian by columns.
struct TinyFunction {
  using Scalar = double;
  enum { NUM_RESIDUALS = Eigen::Dynamic, NUM_PARAMETERS = Eigen::Dynamic };

  int NumResiduals() const { return function->residualSize(); }
  int NumParameters() const { return function->size(); }
  bool operator()(const double* x, double* residuals, double* jacobian) const {
    if (!jacobian) {
      function->evaluateResidual(x, residuals, nullptr);
      return true;
    }
    rows.resize(NumResiduals(), NumParameters());
    function->evaluateResidual(x, residuals, rows.data());
    Eigen::Map<Eigen::MatrixXd>(jacobian, rows.rows(), rows.cols()) = rows;
    return true;
  }

  Function* function = nullptr;
  mutable Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows;
};

class TinySolverEntrant final : public Entrant {
 public:
  std::string name() const override { return restarts_ > 0 ? "Ceres TinySolver, random restarts" : "Ceres TinySolver"; }

  bool prepare(const Task& task) override {
    function_ = makeFunction(task);
    if (!function_ || task.problems.front().targets.empty()) return false;
    tiny_.function = function_.get();
    residual_.resize(function_->residualSize());
    solver_ = std::make_unique<ceres::TinySolver<TinyFunction>>();
    const double enough = 0.9 * (task.angle > 0.0 ? 0.5 * std::min(task.length, task.angle) : task.length);
    solver_->options.cost_threshold = 0.5 * enough * enough;  // s of a radian is half a metre
    solver_->options.function_tolerance = 1e-10;
    solver_->options.initial_trust_region_radius = 100.0;
    solver_->options.max_num_iterations = 60;
    restarts_ = function_->hasRestarts ? kMaxRestarts : 0;
    return true;
  }

  void solve(const Problem& problem, Pose& pose) override {
    function_->setProblem(problem);
    random_.seed(7);
    x_.resize(function_->size());
    function_->readPose(pose, x_.data());
    for (int i = 0;; ++i) {
      solver_->Solve(tiny_, &x_);
      for (double& q : x_) q = wrapAngle(q);
      function_->evaluateResidual(x_.data(), residual_.data(), nullptr);
      const bool isInside =
          (x_.array() >= function_->lower.array()).all() && (x_.array() <= function_->upper.array()).all();
      if ((isInside && function_->isSolved()) || i == restarts_) break;
      function_->drawStart(random_, x_.data());
    }
    function_->writePose(x_.data(), pose);
  }

 private:
  std::unique_ptr<Function> function_;
  TinyFunction tiny_;
  std::unique_ptr<ceres::TinySolver<TinyFunction>> solver_;
  std::mt19937 random_;
  Eigen::VectorXd x_, residual_;
  int restarts_ = 0;
};

}  // namespace

void addCeresEntrants(Entrants& entrants) {
  static const bool isQuiet = (google::InitGoogleLogging("peers"), true);
  static_cast<void>(isQuiet);
  entrants.push_back(std::make_unique<CeresEntrant>());
  entrants.push_back(std::make_unique<TinySolverEntrant>());
}

}  // namespace limber::bench

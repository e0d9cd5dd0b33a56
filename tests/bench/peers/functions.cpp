// SPDX-License-Identifier: MIT
#include "bench/peers/functions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/peers/hinge_model.h"
#include "limber/objective/limits/limit_list.h"
#include "limber/posing/posed_problem.h"

namespace limber::bench {

namespace {

/// Frames of hinges at their targets.
class HingeFunction final : public Function {
 public:
  explicit HingeFunction(const Task& task) : length_(task.length), angle_(task.angle) {
    constexpr double kTurnScale = 0.5;  // metres a radian: about what a turn of the wrist moves
    model_.build(*task.figure, kTurnScale);
    model_.setTargets(task.problems.front().targets);
    lower = model_.lower();
    upper = model_.upper();
    hasRestarts = !task.isDrag;
  }

  void setProblem(const Problem& problem) override { model_.setTargets(problem.targets); }
  void readPose(const Pose& pose, double* x) const override { std::copy_n(pose.coordinates.data(), size(), x); }
  void writePose(const double* x, Pose& pose) const override { std::copy_n(x, size(), pose.coordinates.data()); }
  int residualSize() const override { return model_.residualSize(); }
  void drawStart(std::mt19937& random, double* x) override { model_.drawStart(random, x); }

  double evaluate(const double* x, double* gradient) override {
    model_.computeFrames(x);
    const double f = model_.computeObjective(gradient);
    isSolved_ = f < length_ && model_.isSolved(length_, angle_);
    return f;
  }

  void evaluateResidual(const double* x, double* residual, double* jacobian) override {
    model_.computeFrames(x);
    model_.computeResidual(residual, jacobian);
    isSolved_ = model_.isSolved(length_, angle_);
  }

  bool isSolved() const override { return isSolved_; }

 private:
  HingeModel model_;
  double length_, angle_;
  bool isSolved_ = false;
};

/// f = 1/2 w |x - target|^2 + 1/2 |q|^2 of links of length 1 in the plane.
class ChainFunction final : public Function {
 public:
  explicit ChainFunction(const Task& task) {
    const int n = task.figure->linkCount();
    lower = Eigen::VectorXd::Constant(n, -std::numeric_limits<double>::infinity());
    upper = -lower;
    steps_.resize(static_cast<std::size_t>(n));
    typical = 10.0 * n * n * n;
  }

  void setProblem(const Problem& problem) override {
    const Goal& goal = *problem.objective->goals()[0];
    Kinematics kinematics;
    computeTransforms(problem.objective->figure(), problem.start, kinematics);
    Residual residual;
    goal.computeResidual(kinematics, residual);
    target_ = Eigen::Vector2d(size(), 0.0) - residual.head<2>();  // the straight chain's end is at (n, 0)
    weight_ = goal.weight();
  }

  void readPose(const Pose& pose, double* x) const override { std::copy_n(pose.coordinates.data(), size(), x); }
  void writePose(const double* x, Pose& pose) const override { std::copy_n(x, size(), pose.coordinates.data()); }
  int residualSize() const override { return 2; }  // and x itself

  double evaluate(const double* x, double* gradient) override {
    const Eigen::Vector2d gap = findGap(x);
    double f = 0.5 * weight_ * gap.squaredNorm();
    Eigen::Vector2d reach = Eigen::Vector2d::Zero();  // from joint i to the end
    for (int i = size() - 1; i >= 0; --i) {
      f += 0.5 * x[i] * x[i];
      reach += steps_[static_cast<std::size_t>(i)];
      if (gradient) gradient[i] = weight_ * (gap.y() * reach.x() - gap.x() * reach.y()) + x[i];
    }
    return f;
  }

  void evaluateResidual(const double* x, double* residual, double* jacobian) override {
    const double scale = std::sqrt(weight_);
    Eigen::Map<Eigen::Vector2d> r(residual);
    r = scale * findGap(x);
    Eigen::Vector2d reach = Eigen::Vector2d::Zero();
    for (int i = size() - 1; jacobian && i >= 0; --i) {
      reach += steps_[static_cast<std::size_t>(i)];
      jacobian[i] = -scale * reach.y();
      jacobian[size() + i] = scale * reach.x();
    }
  }

  bool isSolved() const override { return false; }
  void drawStart(std::mt19937& random, double* x) override {
    std::uniform_real_distribution<double> angle(-0.5 * std::numbers::pi / size(), 0.5 * std::numbers::pi / size());
    for (int i = 0; i < size(); ++i) x[i] = angle(random);
  }

 private:
  Eigen::Vector2d findGap(const double* x) {
    double angle = 0.0;
    Eigen::Vector2d end = Eigen::Vector2d::Zero();
    for (int i = 0; i < size(); ++i) {
      angle += x[i];
      steps_[static_cast<std::size_t>(i)] = {std::cos(angle), std::sin(angle)};
      end += steps_[static_cast<std::size_t>(i)];
    }
    return end - target_;
  }

  std::vector<Eigen::Vector2d> steps_;
  Eigen::Vector2d target_ = Eigen::Vector2d::Zero();
  double weight_ = 1.0;
};

/// Limber's own objective over its active coordinates, all of them scalars. Linear limits are rows; for methods that
/// take bounds alone they are residuals, too, that begin a little inside.
class ObjectiveFunction final : public Function {
 public:
  static bool fits(const Task& task) {
    const Objective& objective = *task.problems.front().objective;
    for (const Joint& joint : task.figure->joints())
      if (stepSize(joint.type) > 1 && objective.activeIndex(joint.stepIndex) >= 0) return false;
    for (const auto& goal : objective.goals())
      if (goal->linkCount() != 1) return false;
    return objective.regularisers()[0].weights().isZero() && objective.regularisers().size() == 1;
  }

  explicit ObjectiveFunction(const Task& task) : figure_(*task.figure) {
    linkOf_.resize(static_cast<std::size_t>(figure_.stepSize()));
    poseIndexOf_.resize(linkOf_.size());
    for (int i = 0; i < figure_.linkCount(); ++i)
      for (int k = 0; k < stepSize(figure_.joint(i).type); ++k) {
        linkOf_[static_cast<std::size_t>(figure_.joint(i).stepIndex + k)] = i;
        poseIndexOf_[static_cast<std::size_t>(figure_.joint(i).stepIndex + k)] = figure_.joint(i).poseIndex + k;
      }
    setProblem(task.problems.front());
    readLimits(*task.problems.front().document);
  }

  void setProblem(const Problem& problem) override {
    objective_ = problem.objective.get();
    pose_ = problem.start;
    // Half of a goal's weight goes to its place, half to its directions.
    tolerance_ = 0.9 * std::sqrt(0.5) * problem.document->solver.reachedTolerance;
  }

  void readPose(const Pose& pose, double* x) const override {
    for (int k = 0; k < size(); ++k) x[k] = pose.coordinates[poseIndex(k)];
  }
  void writePose(const double* x, Pose& pose) const override {
    for (int k = 0; k < size(); ++k) pose.coordinates[poseIndex(k)] = x[k];
    objective_->feasibleSet().couplings().apply(pose);
  }

  double evaluate(const double* x, double* gradient) override {
    writePose(x, pose_);
    double f = objective_->evaluate(pose_, evaluation_);
    if (gradient) {
      objective_->computeGradient(evaluation_, gradient_);
      Eigen::Map<Eigen::VectorXd>(gradient, size()) = gradient_;
    }
    isSolved_ = areGoalsMet();
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const double excess = excessOf(i, x);
      if (excess > kRowMargin) isSolved_ = false;
      if (excess <= 0.0) continue;
      f += 0.5 * kRowWeight * excess * excess;
      if (gradient) Eigen::Map<Eigen::VectorXd>(gradient, size()) += kRowWeight * excess * rows.row(i).transpose();
    }
    return f;
  }

  int residualSize() const override {
    int size = static_cast<int>(rows.rows());
    for (const auto& goal : objective_->goals()) size += goal->residualSize();
    return size;
  }

  void evaluateResidual(const double* x, double* residual, double* jacobian) override {
    writePose(x, pose_);
    objective_->evaluate(pose_, evaluation_);
    if (jacobian) computeTwists(figure_, evaluation_.kinematics);
    Eigen::Map<Rows> J(jacobian, jacobian ? residualSize() : 0, jacobian ? size() : 0);
    if (jacobian) J.setZero();
    Eigen::Index row = 0;
    for (std::size_t g = 0; g < objective_->goals().size(); ++g) {
      const Goal& goal = *objective_->goals()[g];
      const double scale = std::sqrt(goal.weight());
      const Eigen::Index m = goal.residualSize();
      Eigen::Map<Eigen::VectorXd>(residual + row, m) = scale * evaluation_.residuals[g];
      if (jacobian) fillRows(goal, scale, J.middleRows(row, m));
      row += m;
    }
    isSolved_ = areGoalsMet();
    for (Eigen::Index i = 0; i < rows.rows(); ++i, ++row) {
      const double excess = excessOf(i, x);
      if (excess > kRowMargin) isSolved_ = false;
      residual[row] = std::sqrt(kRowWeight) * std::max(0.0, excess);
      if (jacobian && excess > 0.0) J.row(row) = std::sqrt(kRowWeight) * rows.row(i);
    }
  }

  bool isSolved() const override { return isSolved_; }

  /// Drawn between the bounds, then brought inside the rows.
  void drawStart(std::mt19937& random, double* x) override {
    for (int k = 0; k < size(); ++k) x[k] = std::uniform_real_distribution<double>(lower[k], upper[k])(random);
    writePose(x, pose_);
    objective_->feasibleSet().project(pose_);
    readPose(pose_, x);
  }

 private:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  static constexpr double kRowMargin = 2e-3, kRowWeight = 1e3;  // radians; as much as a goal

  int poseIndex(int k) const {
    return poseIndexOf_[static_cast<std::size_t>(objective_->active()[static_cast<std::size_t>(k)])];
  }

  double excessOf(Eigen::Index row, const double* x) const {
    return rows.row(row).dot(Eigen::Map<const Eigen::VectorXd>(x, size())) - rowBounds[row] + kRowMargin;
  }

  bool areGoalsMet() const {
    return std::all_of(evaluation_.residuals.begin(), evaluation_.residuals.end(),
                       [&](const Residual& r) { return r.norm() <= tolerance_; });
  }

  void readLimits(const Document& document) {
    const LimitList list = listLimits(figure_, limitsOf(document), objective_->feasibleSet().couplings());
    lower.resize(objective_->activeCount());
    upper.resize(objective_->activeCount());
    for (Eigen::Index k = 0; k < lower.size(); ++k) {
      const int c = objective_->active()[static_cast<std::size_t>(k)];
      const Interval& interval = list.bounds[static_cast<std::size_t>(c)].interval;
      lower[k] = std::max(interval.lower, -std::numbers::pi);
      upper[k] = std::min(interval.upper, std::numbers::pi);
    }
    rows.resize(0, lower.size());
    for (const LimitList::Row& row : list.rows) {
      if (std::isfinite(row.bounds.upper)) addRow(row, 1.0, row.bounds.upper);
      if (std::isfinite(row.bounds.lower)) addRow(row, -1.0, -row.bounds.lower);
    }
  }

  void addRow(const LimitList::Row& row, double sign, double bound) {
    rows.conservativeResize(rows.rows() + 1, Eigen::NoChange);
    rowBounds.conservativeResize(rows.rows());
    rows.bottomRows<1>().setZero();
    for (const LimitList::Row::Term& term : row.terms) {
      const int k = objective_->activeIndex(term.coordinate);
      if (k >= 0) rows(rows.rows() - 1, k) = sign * term.coefficient;
      else bound -= sign * term.coefficient * pose_.coordinates[term.poseIndex];
    }
    rowBounds[rows.rows() - 1] = bound;
  }

  /// How a goal's residual moves with every active coordinate; followers count for their drivers.
  template <class Block>
  void fillRows(const Goal& goal, double scale, Block&& block) {
    goal.computeJacobian(evaluation_.kinematics, 0, twistJacobian_);
    const auto moves = [&](int c) {
      return figure_.isAncestorOrSelf(linkOf_[static_cast<std::size_t>(c)], goal.link(0));
    };
    for (int k = 0; k < size(); ++k) {
      const int c = objective_->active()[static_cast<std::size_t>(k)];
      if (moves(c)) block.col(k) = scale * (twistJacobian_ * evaluation_.kinematics.twists.col(c));
    }
    const Couplings& couplings = objective_->feasibleSet().couplings();
    couplings.differentiate(pose_, slopes_, bends_, crossBends_);
    for (std::size_t i = 0; i < couplings.terms().size(); ++i) {
      const Couplings::Term& term = couplings.terms()[i];
      const int k = objective_->activeIndex(term.driver);
      if (k < 0 || !moves(term.follower)) continue;
      block.col(k) += scale * slopes_[i] * (twistJacobian_ * evaluation_.kinematics.twists.col(term.follower));
    }
  }

  const Figure& figure_;
  const Objective* objective_ = nullptr;
  std::vector<int> linkOf_, poseIndexOf_;  ///< of step coordinates
  Pose pose_;
  Evaluation evaluation_;
  Eigen::VectorXd gradient_;
  TwistJacobian twistJacobian_;
  std::vector<double> slopes_, bends_, crossBends_;  ///< of couplings
  double tolerance_ = 0.0;
  bool isSolved_ = false;
};

}  // namespace

std::unique_ptr<Function> makeFunction(const Task& task) {
  const Problem& problem = task.problems.front();
  if (!problem.targets.empty() && HingeModel::fits(*task.figure)) return std::make_unique<HingeFunction>(task);
  if (!problem.document && task.figure->isPlanar()) return std::make_unique<ChainFunction>(task);
  if (problem.document && ObjectiveFunction::fits(task)) return std::make_unique<ObjectiveFunction>(task);
  return nullptr;
}

}  // namespace limber::bench

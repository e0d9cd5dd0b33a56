// SPDX-License-Identifier: MIT
#include "limber/posing/answer_derivative.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "limber/kinematics/rotation_logarithm.h"
#include "limber/posing/posed_problem.h"
#include "limber/problem/goal_types.h"
#include "limber/solvers/registry.h"
#include "limber/solvers/steps/meet_goals.h"

namespace limber {

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kMetExactly = 1e-9;           // of |r|: a goal that the last step of a solve has met
constexpr double kMetByUpdates = 3e-5;         // of |r|: a hard goal that multiplier updates have met
constexpr double kFarFromMinimum = 0.2;        // radians, mean link lengths: largest step onto the goals
constexpr double kTargetStep = 1e-5;           // radians, mean link lengths: of the differences by a target
constexpr double kDependent = 1e-8;            // relative: smaller singular values of rows count as zero
constexpr double kFlatCurvature = 1e-9;        // relative to the largest, after scaling to a unit diagonal
constexpr double kUnfollowed = 1e-5;           // relative: a larger rest of a target's motion is not followed
constexpr int kMinimumIterations = 200;        // of the default solver, back to the minimum
constexpr int kMostDerivedCoordinates = 2000;  // its time grows with their cube

/// What is computed at one pose.
struct Place {
  Pose pose;
  Evaluation evaluation;
  VectorXd gradient;  ///< (active x 1)
};

/// A goal with one of its targets moved: its residual and Jacobians.
struct Moved {
  Residual residual;
  std::vector<TwistJacobian> jacobians;
};

/// A turn about an axis of the world.
Matrix3d turnAbout(int axis, double angle) { return Eigen::AngleAxisd(angle, Vector3d::Unit(axis)).toRotationMatrix(); }

/// X with A X = B to the least squares, of the least norm.
MatrixXd leastSquares(const MatrixXd& a, const MatrixXd& b) {
  if (a.rows() == 0 || a.cols() == 0) return MatrixXd::Zero(a.cols(), b.cols());
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
  factors.setThreshold(kDependent);
  factors.compute(a);
  return factors.solve(b);
}

class Derivation {
 public:
  Derivation(const PosedProblem& posed, const Pose& answer)
      : posed_(posed), objective_(*posed.objective), figure_(objective_.figure()), answer_(answer) {}

  AnswerDerivative run() {
    listColumns();
    if (objective_.activeCount() > kMostDerivedCoordinates) return fail(tooManyCoordinates(objective_.activeCount()));
    end_.pose = answer_;
    evaluate(end_);
    if (!std::isfinite(end_.evaluation.objective)) return fail("the pose has no derivative: it is not finite");
    if (!isFreeOfContacts() || !findMinimum()) return std::move(result_);
    findBasis();
    if (!differentiateMinimum() || !differentiateMeeting()) return std::move(result_);
    spread();
    return std::move(result_);
  }

 private:
  AnswerDerivative fail(std::string fault) {
    result_.fault = std::move(fault);
    return std::move(result_);
  }
  bool refuse(const std::string& cause) {
    result_.fault = "the pose has no derivative: " + cause;
    return false;
  }
  Eigen::Index active() const { return objective_.activeCount(); }
  double metric(Eigen::Index k) const { return objective_.metric()[objective_.active()[k]]; }
  const Goal& goalAt(int place) const { return *objective_.goals()[place]; }

  void listColumns() {
    for (const PosedGoal& goal : posed_.goals) {
      if (goal.source != GoalSource::Problem) continue;
      const GoalTypeInfo& info = infoOf(goal.item.type);
      TargetColumns columns{.goal = goal.item.id};
      if (info.target && !isTied(goal.item)) columns.position = std::exchange(count_, count_ + 3);
      if (info.hasTargetFrame()) columns.rotation = std::exchange(count_, count_ + 3);
      result_.goals.push_back(columns);
    }
  }

  void evaluate(Place& place) const {
    objective_.evaluate(place.pose, place.evaluation);
    objective_.computeGradient(place.evaluation, place.gradient);
  }

  /// The plane of a contact that presses turns with the pose, which these formulas leave out.
  bool isFreeOfContacts() {
    for (const PosedContact& contact : posed_.contacts)
      if (end_.evaluation.residuals[contact.place].minCoeff() < 0.0)
        return refuse("link \"" + figure_.link(contact.goal->link(0)).name + "\" is stopped by a contact");
    return true;
  }

  /// The minimum from which the solve stepped onto its goals: the default solver finds it again from there.
  bool findMinimum() {
    minimum_.pose = answer_;
    const Solver& solver = *allSolvers().front();
    Workspace workspace;
    solver.solve(objective_, minimum_.pose, defaultOptions(solver), workspace, {kMinimumIterations});
    evaluate(minimum_);
    VectorXd way;
    difference(figure_, answer_, minimum_.pose, way);
    double far = 0.0;
    for (const int k : objective_.active()) far = std::max(far, std::sqrt(objective_.metric()[k]) * std::abs(way[k]));
    if (!(far <= kFarFromMinimum)) return refuse("it is not a minimum of its goals and preferences");
    return true;
  }

  /// The free directions at the minimum, as columns of about unit length in the metric.
  void findBasis() {
    objective_.feasibleSet().findFreeSpace(minimum_.pose, minimum_.gradient, space_);
    std::vector<char> isSingle(active(), 1);
    std::vector<VectorXd> columns;
    for (const FreeSpace::Block& block : space_.blocks) {
      if (block.held == 0) continue;
      const Eigen::SelfAdjointEigenSolver<MatrixXd> parts(block.projector);
      for (Eigen::Index i = 0; i < parts.eigenvalues().size(); ++i) {
        if (parts.eigenvalues()[i] < 0.5) continue;
        VectorXd column = VectorXd::Zero(active());
        for (std::size_t j = 0; j < block.active.size(); ++j) column[block.active[j]] = parts.eigenvectors()(j, i);
        columns.push_back(column);
      }
      for (const int k : block.active) isSingle[k] = 0;
    }
    for (Eigen::Index k = 0; k < active(); ++k)
      if (isSingle[k] && space_.free[k]) columns.push_back(VectorXd::Unit(active(), k));
    basis_.resize(active(), std::ssize(columns));
    for (Eigen::Index i = 0; i < basis_.cols(); ++i) {
      double square = 0.0;
      for (Eigen::Index k = 0; k < active(); ++k) square += metric(k) * columns[i][k] * columns[i][k];
      basis_.col(i) = columns[i] / std::sqrt(square);
    }
  }

  /// r without the shift.
  Residual unshifted(const Place& place, int goal) const {
    return place.evaluation.residuals[goal] - objective_.residualShift(goal);
  }

  /// The rows of a goal's residual that count at a pose: of a one-sided goal those that are violated or press.
  std::vector<Eigen::Index> rowsOf(const Place& place, int goal) const {
    std::vector<Eigen::Index> rows;
    const Residual& residual = place.evaluation.residuals[goal];
    for (Eigen::Index i = 0; i < residual.size(); ++i)
      if (!goalAt(goal).isOneSided() || residual[i] < 0.0) rows.push_back(i);
    return rows;
  }

  std::vector<Residual> noForces() const {
    std::vector<Residual> forces(objective_.goals().size());
    for (std::size_t k = 0; k < forces.size(); ++k) forces[k].setZero(objective_.goals()[k]->residualSize());
    return forces;
  }

  /// The Jacobian (rows x active) of the selected goals' rows, which are those at the minimum.
  MatrixXd rowsAt(Place& place, const std::vector<char>& selected) const {
    std::vector<VectorXd> rows;
    std::vector<Residual> forces = noForces();
    VectorXd row;
    for (std::size_t k = 0; k < forces.size(); ++k) {
      if (!selected[k]) continue;
      for (const Eigen::Index i : rowsOf(minimum_, static_cast<int>(k))) {
        forces[k][i] = 1.0;
        objective_.applyTransposedJacobian(place.evaluation, forces, row);
        forces[k][i] = 0.0;
        rows.push_back(row);
      }
    }
    MatrixXd all(std::ssize(rows), active());
    for (Eigen::Index i = 0; i < all.rows(); ++i) all.row(i) = rows[i];
    return all;
  }

  Moved movedGoal(const Place& place, const GoalItem& item, int goal) const {
    const std::unique_ptr<Goal> made = makeGoal(item, figure_, goalAt(goal).weight());
    Moved moved;
    made->computeResidual(place.evaluation.kinematics, moved.residual);
    moved.jacobians.resize(made->linkCount());
    for (int which = 0; which < made->linkCount(); ++which)
      made->computeJacobian(place.evaluation.kinematics, which, moved.jacobians[which]);
    return moved;
  }

  /// Calls take(column, goal, plus, minus, step) for each column of a target: its goal at both sides of the target.
  template <class Take>
  void forEachTarget(const Place& place, const Take& take) const {
    const double length = kTargetStep * figure_.meanLinkLength();
    auto columns = result_.goals.begin();
    for (const PosedGoal& goal : posed_.goals) {
      if (goal.source != GoalSource::Problem) continue;
      const TargetColumns& at = *columns++;
      if (goal.place < 0) continue;  // an alternative that is not live
      for (int axis = 0; axis < 3; ++axis) {
        GoalItem plus = goal.item, minus = goal.item;
        if (at.position >= 0) {
          plus.target[axis] += length;
          minus.target[axis] -= length;
          take(at.position + axis, goal.place, movedGoal(place, plus, goal.place), movedGoal(place, minus, goal.place),
               plus.target[axis] - minus.target[axis]);
        }
        if (at.rotation < 0) continue;
        plus = minus = goal.item;
        plus.targetFrame = turnAbout(axis, kTargetStep) * goal.item.targetFrame;
        minus.targetFrame = turnAbout(axis, -kTargetStep) * goal.item.targetFrame;
        take(at.rotation + axis, goal.place, movedGoal(place, plus, goal.place), movedGoal(place, minus, goal.place),
             2.0 * kTargetStep);
      }
    }
  }

  /// (rows x columns): how the selected rows change with the targets.
  MatrixXd rowsByTarget(const Place& place, const std::vector<char>& selected) const {
    std::vector<Eigen::Index> first(objective_.goals().size() + 1, 0);
    for (std::size_t k = 0; k < objective_.goals().size(); ++k)
      first[k + 1] = first[k] + (selected[k] ? std::ssize(rowsOf(minimum_, static_cast<int>(k))) : 0);
    MatrixXd changes = MatrixXd::Zero(first.back(), count_);
    forEachTarget(place, [&](int column, int goal, const Moved& plus, const Moved& minus, double step) {
      if (!selected[goal]) return;
      Eigen::Index at = first[goal];
      for (const Eigen::Index i : rowsOf(minimum_, goal))
        changes(at++, column) = (plus.residual[i] - minus.residual[i]) / step;
    });
    return changes;
  }

  /// (active x columns): how J' force changes with the targets; force(goal, residual) is that of the goal at a residual
  /// without its shift.
  template <class Force>
  MatrixXd pullsByTarget(Place& place, const Force& force) const {
    MatrixXd changes = MatrixXd::Zero(active(), count_);
    std::vector<Residual> forces = noForces();
    forEachTarget(place, [&](int column, int goal, const Moved& plus, const Moved& minus, double step) {
      VectorXd pull;
      for (const auto& [moved, sign] : {std::pair(&plus, 1.0), std::pair(&minus, -1.0)}) {
        std::vector<TwistJacobian>& jacobians = place.evaluation.jacobians[goal];
        const std::vector<TwistJacobian> kept = std::exchange(jacobians, moved->jacobians);
        forces[goal] = force(goal, moved->residual);
        objective_.applyTransposedJacobian(place.evaluation, forces, pull);
        jacobians = kept;
        changes.col(column) += sign / step * pull;
      }
      forces[goal].setZero();
    });
    return changes;
  }

  /// The goals that the minimum meets exactly as the targets move: those that multiplier updates have met, and loops.
  std::vector<char> constraintsOfMinimum() const {
    std::vector<char> isOne(objective_.goals().size(), 0);
    const auto isMet = [&](int place, double tolerance) {
      Residual left = unshifted(minimum_, place);
      if (goalAt(place).isOneSided()) {
        const Residual& shifted = minimum_.evaluation.residuals[place];
        for (Eigen::Index i = 0; i < left.size(); ++i)
          if (!(shifted[i] < 0.0)) left[i] = 0.0;
      }
      return left.norm() <= tolerance;
    };
    for (const PosedGoal& goal : posed_.goals)
      if (goal.place >= 0 && goal.isShifted() && !goal.hasLimitedForce())
        isOne[goal.place] = isMet(goal.place, std::max(kMetByUpdates, 1.01 * goal.tolerance));
    for (const PosedLoop& loop : posed_.loops) isOne[loop.place] = isMet(loop.place, kMetByUpdates);
    return isOne;
  }

  /// Sets change_ (active x columns): how the minimum changes with the targets.
  bool differentiateMinimum() {
    const std::vector<char> constraints = constraintsOfMinimum();
    MatrixXd hessian;
    objective_.computeHessian(minimum_.evaluation, hessian);
    for (const FreeSpace::Block& block : space_.blocks)
      if (block.held > 0)
        for (std::size_t i = 0; i < block.active.size(); ++i)
          for (std::size_t j = 0; j < block.active.size(); ++j)
            hessian(block.active[i], block.active[j]) += block.curvature(i, j);
    const MatrixXd pulls = pullsByTarget(minimum_, [&](int goal, const Residual& residual) {
      Residual force = residual + objective_.residualShift(goal);
      if (goalAt(goal).isOneSided()) clampOneSided(force);
      return Residual(goalAt(goal).weight() * force);
    });
    const MatrixXd square = basis_.transpose() * hessian * basis_, pull = basis_.transpose() * pulls;
    const MatrixXd rows = rowsAt(minimum_, constraints) * basis_, moves = rowsByTarget(minimum_, constraints);
    MatrixXd change = -leastSquares(rows, moves);
    if (!isFollowed(rows * change + moves, moves)) return false;
    MatrixXd kernel = MatrixXd::Identity(basis_.cols(), basis_.cols());
    if (rows.rows() > 0 && rows.cols() > 0) {
      Eigen::ColPivHouseholderQR<MatrixXd> factors;
      factors.setThreshold(kDependent);
      factors.compute(rows.transpose());
      kernel = (factors.householderQ() * kernel).rightCols(basis_.cols() - factors.rank()).eval();
    }
    if (kernel.cols() > 0) {
      const MatrixXd inside = kernel.transpose() * square * kernel;
      if (!isCurved(inside, kernel)) return false;
      change -= kernel * inside.ldlt().solve(kernel.transpose() * (square * change + pull));
    }
    change_ = basis_ * change;
    return true;
  }

  /// False, with a fault, unless the function is convex along all directions (kernel's columns in the basis).
  bool isCurved(const MatrixXd& square, const MatrixXd& kernel) {
    const VectorXd scale = square.diagonal().cwiseMax(0.0).cwiseSqrt();
    Eigen::Index flat = 0;
    VectorXd direction;
    if (!(scale.minCoeff(&flat) > 0.0)) {
      direction = VectorXd::Unit(square.cols(), flat);
    } else {
      const MatrixXd scaled = scale.cwiseInverse().asDiagonal() * square * scale.cwiseInverse().asDiagonal();
      const Eigen::SelfAdjointEigenSolver<MatrixXd> parts(scaled);
      if (parts.eigenvalues()[0] > kFlatCurvature * parts.eigenvalues().tail<1>()[0]) return true;
      direction = scale.cwiseInverse().cwiseProduct(parts.eigenvectors().col(0));
    }
    const VectorXd step = basis_ * (kernel * direction);
    Eigen::Index most = 0;
    for (Eigen::Index k = 0; k < active(); ++k)
      if (std::sqrt(metric(k)) * std::abs(step[k]) > std::sqrt(metric(most)) * std::abs(step[most])) most = k;
    return refuse("joint \"" + figure_.joint(objective_.linkOf(objective_.active()[most])).name +
                  "\" and others can move without a change of what is minimised");
  }

  /// False, with a fault, if a rest of the targets' motions cannot be followed.
  bool isFollowed(const MatrixXd& rest, const MatrixXd& moves) {
    for (const PosedGoal& goal : posed_.goals)
      for (const TargetColumns& at : result_.goals) {
        if (goal.source != GoalSource::Problem || at.goal != goal.item.id) continue;
        for (const int first : {at.position, at.rotation}) {
          if (first < 0 || rest.rows() == 0) continue;
          const double all = moves.middleCols<3>(first).norm(), left = rest.middleCols<3>(first).norm();
          if (all > 0.0 && left > kUnfollowed * all)
            return refuse(goalInWords(goal.item) +
                          " cannot follow its target in every direction: the pose is singular, or limits hold it");
        }
      }
    return true;
  }

  /// The goals onto which the solve has stepped from the minimum; none if it missed them.
  std::optional<std::vector<char>> metGoals() const {
    int most = 0;
    for (const PosedGoal& goal : posed_.goals) most = std::max(most, goal.outranked);
    for (int outranked = 0; outranked <= most; ++outranked) {
      std::vector<char> selected;
      findGoalsToMeet(posed_, outranked, selected);
      if (missedBy(objective_, end_.evaluation, selected) <= kMetExactly) return selected;
    }
    return std::nullopt;
  }

  /// M^-1 within the free space at the answer. The step may have reached or left limits of scalars.
  MatrixXd inverseMetric() const {
    MatrixXd inverse = MatrixXd::Zero(active(), active());
    for (Eigen::Index k = 0; k < active(); ++k) {
      const int coordinate = objective_.active()[k];
      const auto isHeld = [&](double gradient) {
        return objective_.feasibleSet().isHeld(answer_, coordinate, gradient);
      };
      if (!isHeld(1.0) && !isHeld(-1.0)) inverse(k, k) = 1.0 / metric(k);
    }
    for (const FreeSpace::Block& block : space_.blocks) {
      if (block.held == 0) continue;
      const auto size = std::ssize(block.active);
      MatrixXd part = MatrixXd::Zero(size, size);
      for (Eigen::Index i = 0; i < size; ++i) part(i, i) = 1.0 / metric(block.active[i]);
      part = (block.projector * part * block.projector).eval();
      for (Eigen::Index i = 0; i < size; ++i)
        for (Eigen::Index j = 0; j < size; ++j) inverse(block.active[i], block.active[j]) = part(i, j);
    }
    return inverse;
  }

  /// Calls visit(first) with the first of the three active indices of each rotation that may turn.
  template <class Visit>
  void forEachRotation(const Visit& visit) const {
    for (int i = 0; i < figure_.linkCount(); ++i) {
      const Joint& joint = figure_.joint(i);
      if (joint.type != JointType::Ball && joint.type != JointType::Free) continue;
      const int first = objective_.activeIndex(joint.stepIndex + (joint.type == JointType::Free ? 3 : 0));
      if (first >= 0) visit(first);
    }
  }

  /// change_ becomes that of the answer, the minimum moved by s = -M^-1 J' mu onto the goals.
  bool differentiateMeeting() {
    const std::optional<std::vector<char>> met = metGoals();
    if (!met) return true;
    const MatrixXd inverse = inverseMetric();
    const MatrixXd rows = rowsAt(minimum_, *met), rowsAtEnd = rowsAt(end_, *met);
    VectorXd residual(rows.rows());
    Eigen::Index at = 0;
    for (std::size_t k = 0; k < met->size(); ++k)
      if ((*met)[k])
        for (const Eigen::Index i : rowsOf(minimum_, static_cast<int>(k)))
          residual[at++] = unshifted(minimum_, static_cast<int>(k))[i];
    const VectorXd weights = leastSquares(rows * inverse * rows.transpose(), residual);
    std::vector<Residual> forces = noForces();
    at = 0;
    for (std::size_t k = 0; k < met->size(); ++k)
      if ((*met)[k])
        for (const Eigen::Index i : rowsOf(minimum_, static_cast<int>(k))) forces[k][i] = weights[at++];
    const VectorXd pull = rows.transpose() * weights, step = -inverse * pull;

    MatrixXd bend, without;
    objective_.computeHessian(minimum_.evaluation, forces, bend);
    objective_.computeHessian(minimum_.evaluation, noForces(), without);
    MatrixXd pullChange =
        (bend - without) * change_ + pullsByTarget(minimum_, [&](int goal, const Residual&) { return forces[goal]; });
    MatrixXd turned = change_;
    MatrixXd jacobian = MatrixXd::Identity(active(), active());  // of the end by the step
    forEachRotation([&](int first) {
      const Vector3d turn = step.segment<3>(first), moment = pull.segment<3>(first);
      for (Eigen::Index column = 0; column < count_; ++column) {
        const Vector3d before = change_.col(column).segment<3>(first);
        pullChange.col(column).segment<3>(first) += 0.5 * moment.cross(before);
        turned.col(column).segment<3>(first) = turnBack(turn) * before;
      }
      jacobian.block<3, 3>(first, first) = inverseRightJacobian(turn).inverse();
    });
    turned -= jacobian * (inverse * pullChange);
    const MatrixXd moves = rowsByTarget(end_, *met);
    const MatrixXd rest = rowsAtEnd * turned + moves;
    const MatrixXd along = jacobian * (inverse * rows.transpose());
    change_ = turned - along * leastSquares(rowsAtEnd * along, rest);
    return isFollowed(rowsAtEnd * change_ + moves, moves);
  }

  static Matrix3d turnBack(const Vector3d& turn) {
    const double angle = turn.norm();
    if (!(angle > 0.0)) return Matrix3d::Identity();
    return Eigen::AngleAxisd(-angle, turn / angle).toRotationMatrix();
  }

  /// Writes the change of all step coordinates, also of followers.
  void spread() {
    result_.matrix = MatrixXd::Zero(figure_.stepSize(), count_);
    for (Eigen::Index k = 0; k < active(); ++k) result_.matrix.row(objective_.active()[k]) = change_.row(k);
    const Couplings& couplings = objective_.feasibleSet().couplings();
    for (const Couplings::Follower& follower : couplings.followers()) {
      const auto terms = couplings.termsOf(follower);
      for (std::size_t t = 0; t < terms.size(); ++t)
        result_.matrix.row(terms[t].follower) +=
            end_.evaluation.slopes[follower.firstTerm + t] * result_.matrix.row(terms[t].driver);
    }
    if (!result_.matrix.allFinite()) {
      result_.matrix.resize(0, 0);
      refuse("its system is singular");
    }
  }

  const PosedProblem& posed_;
  const Objective& objective_;
  const Figure& figure_;
  const Pose& answer_;
  AnswerDerivative result_;
  int count_ = 0;  ///< columns
  Place minimum_, end_;
  FreeSpace space_;  ///< at the minimum
  MatrixXd basis_;   ///< (active x free)
  MatrixXd change_;  ///< (active x columns)
};

}  // namespace

AnswerDerivative answerDerivative(const PosedProblem& posed, const Pose& answer) {
  if (!posed.objective) return {.fault = "there is no answer to differentiate: solve first"};
  return Derivation(posed, answer).run();
}

}  // namespace limber

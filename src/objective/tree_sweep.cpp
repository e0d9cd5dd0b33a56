// SPDX-License-Identifier: MIT
#include "objective/tree_sweep.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>

#include "kinematics/processor.h"

namespace limber {

namespace {

const SweepKernel& kernel() { return hasAvx2() ? kSweepAvx2 : kSweepBaseline; }

std::size_t at(int i) { return static_cast<std::size_t>(i); }

const Matrix6d kNoInertia = Matrix6d::Zero();  // a copy of it is faster than setZero()
const Vector6d kNoMotion = Vector6d::Zero();

/// wrench += weight J' r.
void addWrench(double weight, const TwistJacobian& jacobian, const Residual& r, Vector6d& wrench) {
  if (r.size() == 3) {  // most goals, and worth a product of fixed size
    const Eigen::Map<const Eigen::Matrix<double, 3, 6>> rows(jacobian.data());
    wrench.noalias() += rows.transpose().lazyProduct(weight * Eigen::Map<const Eigen::Vector3d>(r.data()));
  } else {
    wrench.noalias() += weight * (jacobian.transpose() * r);
  }
}

}  // namespace

void TreeSweep::assemble(const Objective& objective, const Evaluation& evaluation,
                         const std::vector<Residual>& multipliers) {
  objective_ = &objective;
  evaluation_ = &evaluation;
  tree_ = &objective.tree();
  runs_.resize(tree_->runs.size());
  const int count = tree_->elementCount();
  h_.resize(kSweepRows, count);
  for (Eigen::VectorXd* v : {&weight_, &slope_, &pull_, &inverse_, &above_, &right_, &solution_}) v->resize(count);
  free_.resize(at(count));
  for (int e = 0; e < count; ++e) {
    const int coordinate = tree_->coordinates[at(e)];
    weight_[e] = objective.regulariserWeight(coordinate);
    slope_[e] = evaluation.pulls[coordinate];
  }
  for (RunTerms& terms : runs_) {
    terms.own = kNoInertia;
    terms.wrench.setZero();
  }
  Matrix6d inertia;
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    const int run = tree_->goalRuns[k][0];
    if (run < 0) continue;
    const TwistJacobian& jacobian = evaluation.jacobians[k][0];
    computeGoalInertia(*objective.goals()[k], evaluation.kinematics, multipliers[k], jacobian, inertia);
    termsOf(run).own += inertia;
    addWrench(1.0, jacobian, multipliers[k], termsOf(run).wrench);
  }
  for (std::size_t r = runs_.size(); r-- > 0;)
    if (const int parent = tree_->runs[r].parent; parent >= 0) termsOf(parent).wrench += runs_[r].wrench;
}

bool TreeSweep::isFree(int coordinate) const {
  const int k = objective_->activeIndex(coordinate);
  return k >= 0 && space_->free[at(k)] != 0;
}

TreeSweep::ThreeColumns TreeSweep::twistsOf(int element) const {
  return evaluation_->kinematics.twists.middleCols<3>(tree_->coordinates[at(element)]);
}

SweepArrays TreeSweep::arrays() {
  return {.coordinates = tree_->coordinates.data(),
          .twists = evaluation_->kinematics.twists.data(),
          .free = free_.data(),
          .pull = pull_.data(),
          .slope = slope_.data(),
          .h = h_.data(),
          .inverse = inverse_.data(),
          .above = above_.data(),
          .right = right_.data(),
          .solution = solution_.data()};
}

void TreeSweep::takeFreeSpace(const FreeSpace& space, const Eigen::VectorXd& metric) {
  assert(static_cast<int>(space.free.size()) == objective_->activeCount());
  space_ = &space;
  metric_ = &metric;
  for (int e = 0; e < tree_->elementCount(); ++e) {
    const int k = tree_->active[at(e)];
    free_[at(e)] = space.free[at(k)];
    pull_[e] = weight_[e] + lambda_ * metric[k];
  }
  for (RunTerms& terms : runs_) terms.limits = nullptr;
  for (const FreeSpace::Block& block : space.blocks) {
    if (block.held == 0) continue;
    assert(block.ball >= 0 && "scalars tied by a limit that holds do not have the shape of a tree");
    for (std::size_t r = 0; r < runs_.size(); ++r)
      if (tree_->runs[r].isRotation && tree_->active[at(tree_->runs[r].first)] == block.active[0]) runs_[r].limits = &block;
  }
}

void TreeSweep::takeForces(const std::vector<Residual>& residuals) {
  for (RunTerms& terms : runs_) terms.bias.setZero();
  for (std::size_t k = 0; k < residuals.size(); ++k)
    if (const int run = tree_->goalRuns[k][0]; run >= 0)
      addWrench(objective_->goals()[k]->weight(), evaluation_->jacobians[k][0], residuals[k], termsOf(run).bias);
}

bool TreeSweep::factor(double lambda, const FreeSpace& space, const Eigen::VectorXd& metric) {
  lambda_ = lambda;
  badRun_ = -1;
  takeFreeSpace(space, metric);
  takeForces(evaluation_->residuals);
  for (RunTerms& terms : runs_) terms.articulated = terms.own;
  const SweepArrays scalars = arrays();
  for (std::size_t r = runs_.size(); r-- > 0;) {
    const CoordinateTree::Run& run = tree_->runs[r];
    RunTerms& terms = runs_[r];
    badRun_ = static_cast<int>(r);
    if (run.isRotation) {
      if (!factorRotation(run.first, terms)) return false;
      eliminateRotation(run.first, true, terms);
    } else {
      const RunState state{terms.wrench.data(), terms.articulated.data(), terms.bias.data()};
      badElement_ = kernel().factorRun(scalars, run.first, run.end, state, &badPivot_);
      if (badElement_ >= 0) return false;
    }
    if (run.parent < 0) continue;
    termsOf(run.parent).articulated += terms.articulated;
    termsOf(run.parent).bias += terms.bias;
  }
  return true;
}

bool TreeSweep::factorRotation(int element, RunTerms& terms) {
  const int coordinate = tree_->coordinates[at(element)];
  const ThreeColumns twists = twistsOf(element);
  ThreeColumns& h = terms.h;
  Eigen::Matrix3d block = objective_->regulariserHessian(*evaluation_, coordinate);
  h.noalias() = terms.articulated * twists;
  block.noalias() += twists.transpose() * h;  // without the bracket term: the three axes turn at once
  for (int a = 0; a < 3; ++a) h.col(a) += 0.5 * crossDual(twists.col(a), terms.wrench);
  bool allFree = true;
  for (int a = 0; a < 3; ++a) {
    const int k = objective_->activeIndex(coordinate + a);
    if (k >= 0) block(a, a) += lambda_ * (*metric_)[k];
    if (isFree(coordinate + a)) continue;
    h.col(a).setZero();
    block.row(a).setZero();
    block.col(a).setZero();
    block(a, a) = 1.0;
    allFree = false;
  }
  Eigen::Matrix3d projector;
  double across = 0.0;
  if (terms.limits) {
    projector = terms.limits->projector;
    across = block.cwiseAbs().trace();
    h = (h * projector).eval();
    block = (projector * (block + terms.limits->curvature) * projector).eval();
  }
  if (allFree && block.isZero(0.0) && h.isZero(0.0)) {  // nothing depends on it
    terms.inverse.setZero();
    return true;
  }
  if (terms.limits)  // across the projector a positive number of the block's own size, which the solution never sees
    block += (across > 0.0 ? across : 1.0) * (Eigen::Matrix3d::Identity() - projector);
  // Positive definite when the three leading minors are.
  const double floor = kSweepPivotFloor * pull_[element];
  const double minor1 = block(0, 0);
  const double minor2 = minor1 * block(1, 1) - block(0, 1) * block(1, 0);
  const double minor3 = block.determinant();
  if (!(minor1 > floor && minor2 > floor * minor1 && minor3 > floor * minor2)) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(0.5 * (block + block.transpose()));
    badElement_ = element;
    badPivot_ = eigen.eigenvalues()[0];
    badAxis_ = eigen.eigenvectors().col(0);
    if (terms.limits) badAxis_ = (projector * badAxis_).eval();
    return false;
  }
  terms.inverse = block.inverse();
  if (terms.limits) terms.inverse = (projector * terms.inverse * projector).eval();
  terms.articulated.noalias() -= h * terms.inverse * h.transpose();
  return true;
}

void TreeSweep::eliminateRotation(int element, bool withRegulariser, RunTerms& terms) {
  const int coordinate = tree_->coordinates[at(element)];
  Eigen::Vector3d alpha = twistsOf(element).transpose() * terms.bias;
  if (withRegulariser) alpha += evaluation_->pulls.segment<3>(coordinate);
  for (int a = 0; a < 3; ++a)
    if (!isFree(coordinate + a)) alpha[a] = 0.0;
  terms.right = terms.inverse * alpha;
  terms.bias.noalias() -= terms.h * terms.right;
}

void TreeSweep::solve(Eigen::VectorXd& direction) {
  moveAll(direction);
  for (const int k : tree_->loose) {
    const int coordinate = objective_->active()[at(k)];
    const double own = objective_->regulariserWeight(coordinate) + lambda_ * (*metric_)[k];
    if (space_->free[at(k)] && own > 0.0) direction[k] = -evaluation_->pulls[coordinate] / own;
  }
}

void TreeSweep::solveForResiduals(const std::vector<Residual>& residuals, Eigen::VectorXd& direction) {
  takeForces(residuals);
  const SweepArrays scalars = arrays();
  for (std::size_t r = runs_.size(); r-- > 0;) {
    const CoordinateTree::Run& run = tree_->runs[r];
    RunTerms& terms = runs_[r];
    if (run.isRotation) eliminateRotation(run.first, false, terms);
    else kernel().eliminateRun(scalars, run.first, run.end, terms.bias.data());
    if (run.parent >= 0) termsOf(run.parent).bias += terms.bias;
  }
  moveAll(direction);
}

void TreeSweep::linearResiduals(std::vector<Residual>& residuals) const {
  residuals.resize(evaluation_->residuals.size());
  for (std::size_t k = 0; k < residuals.size(); ++k) {
    residuals[k] = evaluation_->residuals[k];
    if (const int run = tree_->goalRuns[k][0]; run >= 0)
      residuals[k].noalias() += evaluation_->jacobians[k][0] * runs_[at(run)].motion;
  }
}

/// From the root outward; loose coordinates stay at zero.
void TreeSweep::moveAll(Eigen::VectorXd& direction) {
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    RunTerms& terms = runs_[r];
    const int parent = tree_->runs[r].parent;
    moveRun(tree_->runs[r], parent >= 0 ? termsOf(parent).motion : kNoMotion, terms);
  }
  gather(direction);
}

/// above: the motion of what the run hangs on.
void TreeSweep::moveRun(const CoordinateTree::Run& run, const Vector6d& above, RunTerms& terms) {
  if (run.isRotation) moveRotation(run.first, above, terms);
  else kernel().moveRun(arrays(), run.first, run.end, above.data(), terms.motion.data());
}

void TreeSweep::moveRotation(int element, const Vector6d& above, RunTerms& terms) {
  terms.solution = -(terms.right + terms.inverse * (terms.h.transpose() * above));
  for (int a = 0; a < 3; ++a)
    if (!isFree(tree_->coordinates[at(element)] + a)) terms.solution[a] = 0.0;
  terms.motion = above;
  terms.motion.noalias() += twistsOf(element) * terms.solution;
}

void TreeSweep::gather(Eigen::VectorXd& direction) const {
  direction.setZero(objective_->activeCount());
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const CoordinateTree::Run& run = tree_->runs[r];
    if (run.isRotation) {
      for (int a = 0; a < 3; ++a)
        if (const int k = objective_->activeIndex(tree_->coordinates[at(run.first)] + a); k >= 0)
          direction[k] = runs_[r].solution[a];
      continue;
    }
    for (int e = run.first; e < run.end; ++e) direction[tree_->active[at(e)]] = solution_[e];
  }
}

double TreeSweep::curvatureDirection(Eigen::VectorXd& direction) {
  assert(badElement_ >= 0 && "only after a factor() that met a bad pivot");
  solution_.setZero();
  right_.setZero();  // no gradient: only the coupling through h counts
  isBelow_.assign(runs_.size(), 0);
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const CoordinateTree::Run& run = tree_->runs[r];
    RunTerms& terms = runs_[r];
    terms.right.setZero();
    terms.solution.setZero();
    if (static_cast<int>(r) == badRun_) {  // the bad element moves by one; what was eliminated before it follows
      isBelow_[r] = 1;
      if (run.isRotation) {
        terms.solution = badAxis_;
        terms.motion = twistsOf(badElement_) * badAxis_;
      } else {
        solution_[badElement_] = 1.0;
        const double* twist = evaluation_->kinematics.twists.col(tree_->coordinates[at(badElement_)]).data();
        kernel().moveRun(arrays(), badElement_ + 1, run.end, twist, terms.motion.data());
      }
    } else if (run.parent >= 0 && isBelow_[at(run.parent)]) {
      isBelow_[r] = 1;
      moveRun(run, termsOf(run.parent).motion, terms);
    }
  }
  gather(direction);
  return badPivot_;
}

}  // namespace limber

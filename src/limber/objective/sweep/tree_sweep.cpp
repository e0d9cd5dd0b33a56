// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/tree_sweep.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "limber/kinematics/decompositions.h"
#include "limber/vector/processor.h"

namespace limber {

namespace {

const SweepKernel& kernel() { return hasAvx2() ? kSweepAvx2 : kSweepBaseline; }

const Matrix6d kNoInertia = Matrix6d::Zero();  // copying it is faster than setZero()
const Vector6d kNoMotion = Vector6d::Zero();

/// wrench += weight J' r.
void addWrench(double weight, const TwistJacobian& jacobian, const Residual& r, Vector6d& wrench) {
  if (r.size() == 3) {  // most goals: a product of fixed size is faster
    const Eigen::Map<const Eigen::Matrix<double, 3, 6>> rows(jacobian.data());
    wrench.noalias() += rows.transpose().lazyProduct(weight * Eigen::Map<const Eigen::Vector3d>(r.data()));
  } else {
    wrench.noalias() += weight * (jacobian.transpose() * r);
  }
}

}  // namespace

// ---- Goals ----------------------------------------------------------------------------------------------------------

void TreeSweep::assemble(const Objective& objective, const Evaluation& evaluation,
                         const std::vector<Residual>& multipliers, Curvature ofPulls) {
  objective_ = &objective;
  evaluation_ = &evaluation;
  tree_ = &objective.tree();
  runs_.resize(tree_->runs.size());
  const int count = tree_->elementCount();
  h_.resize(kSweepRows, count);
  for (Eigen::VectorXd* v : {&weight_, &slope_, &pull_, &inverse_, &above_, &right_, &solution_}) v->resize(count);
  free_.resize(count);
  for (int e = 0; e < count; ++e) {
    const int coordinate = tree_->coordinates[e];
    weight_[e] = objective.regulariserWeight(coordinate);
    slope_[e] = evaluation.pulls[coordinate];
  }
  for (RunTerms& terms : runs_) {
    terms.own = kNoInertia;
    terms.wrench.setZero();
  }
  joining_.take(objective, evaluation, multipliers);
  for (std::size_t k = 0; k < objective.goals().size(); ++k) takeGoal(k, multipliers, ofPulls);
  takeStay(ofPulls);
  for (std::size_t r = runs_.size(); r-- > 0;)
    if (const int parent = tree_->runs[r].parent; parent >= 0) runs_[parent].wrench += runs_[r].wrench;
}

/// Adds a goal; for one with several links only its curvature, as the rest stays open.
void TreeSweep::takeGoal(std::size_t goal, const std::vector<Residual>& multipliers, Curvature ofPulls) {
  const Goal& asked = *objective_->goals()[goal];
  const std::vector<int>& runs = tree_->goalRuns[goal];
  Matrix6d inertia;
  for (std::size_t which = 0; which < runs.size(); ++which) {
    if (runs[which] < 0) continue;
    const TwistJacobian& jacobian = evaluation_->jacobians[goal][which];
    if (runs.size() == 1) computeGoalInertia(*objective_, *evaluation_, goal, multipliers[goal], ofPulls, inertia);
    else asked.computeCurvature(evaluation_->kinematics, multipliers[goal], static_cast<int>(which), inertia);
    RunTerms& terms = runs_[runs[which]];
    terms.own += inertia;
    addWrench(1.0, jacobian, multipliers[goal], terms.wrench);
  }
}

void TreeSweep::takeStay(Curvature curvature) {
  const auto& bodies = objective_->stay().bodies();
  Matrix6d inertia;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    RunTerms& terms = runs_[tree_->stayRuns[i]];
    StayTerm::computeInertia(bodies[i], evaluation_->stays[i], curvature, inertia);
    terms.own += inertia;
    if (curvature == Curvature::Exact) terms.wrench += evaluation_->stays[i].wrench;
  }
}

void TreeSweep::takeStayForces() {
  for (std::size_t i = 0; i < tree_->stayRuns.size(); ++i)
    runs_[tree_->stayRuns[i]].bias += evaluation_->stays[i].wrench;
}

void TreeSweep::takeForces(const std::vector<Residual>& residuals) {
  for (RunTerms& terms : runs_) terms.bias.setZero();
  for (std::size_t k = 0; k < residuals.size(); ++k) {
    const double weight = evaluation_->weights[k];
    if (tree_->goalRuns[k].size() == 1) {
      if (const int run = tree_->goalRuns[k][0]; run >= 0)
        addWrench(weight, evaluation_->jacobians[k][0], residuals[k], runs_[run].bias);
    } else if (const int first = joining_.firstUnknown[k]; first >= 0) {
      for (Eigen::Index row = 0; row < residuals[k].size(); ++row)
        open_.right(first + static_cast<int>(row)) = std::sqrt(weight) * residuals[k][row];
    }
  }
}

// ---- Free space and open unknowns -----------------------------------------------------------------------------------

bool TreeSweep::isFree(int coordinate) const {
  const int k = objective_->activeIndex(coordinate);
  return k >= 0 && space_->free[k] != 0;
}

TreeSweep::ThreeColumns TreeSweep::twistsOf(int element) const {
  return evaluation_->kinematics.twists.middleCols<3>(tree_->coordinates[element]);
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
    const int k = tree_->active[e];
    free_[e] = k >= 0 && space.free[k];
    pull_[e] = weight_[e] + (k >= 0 ? lambda_ * metric[k] : 0.0);
  }
  for (RunTerms& terms : runs_) {
    terms.limits = nullptr;
    terms.bundle = -1;
    terms.isPlain = true;
  }
  bool isTied = false;
  for (const FreeSpace::Block& block : space.blocks) {
    if (block.held == 0) continue;
    if (block.ball < 0) {
      isTied = true;
      continue;
    }
    for (std::size_t r = 0; r < runs_.size(); ++r)
      if (tree_->runs[r].isRotation && tree_->active[tree_->runs[r].first] == block.active[0]) runs_[r].limits = &block;
  }
  mayOpen_ = isTied || !tree_->drivers.empty() || !joining_.diagonals.empty();
  open_.clear();
  bundleCount_ = 0;
  if (mayOpen_) openUnknowns(space);
}

void TreeSweep::openUnknowns(const FreeSpace& space) {
  const int count = tree_->elementCount();
  borders_.resize(kSweepRows, count);
  total_.resize(count);
  isOpen_.assign(count, 0);
  bundleOf_.assign(count, -1);
  unknownOf_.assign(objective_->activeCount(), -1);
  for (const double diagonal : joining_.diagonals) open_.addAuxiliary(diagonal);
  const auto open = [&](int k) {
    if (unknownOf_[k] >= 0) return;
    const int coordinate = objective_->active()[k];
    const double own = objective_->regulariserWeight(coordinate) + lambda_ * (*metric_)[k];
    // The element of a rotation adds its block.
    const bool isOfRotation = hasRotation(objective_->figure().joint(objective_->linkOf(coordinate)));
    const int unknown =
        !space.free[k] ? open_.addCoordinate(k, 1.0, 0.0) : open_.addCoordinate(k, isOfRotation ? 0.0 : own, own);
    if (space.free[k]) open_.right(unknown) = evaluation_->pulls[coordinate];
    unknownOf_[k] = unknown;
  };
  for (const FreeSpace::Block& block : space.blocks)
    if (block.ball < 0 && block.held > 0)
      for (const int k : block.active) open(k);
  for (const int k : tree_->drivers)
    if (space.free[k]) open(k);
  for (int e = 0; e < count; ++e) {
    findDependences(tree_->active[e], tree_->followers[e]);
    isOpen_[e] = !dependences_.empty();
  }
  openUnloaded();
  for (const JoiningColumns::Part& part : joining_.parts) {
    ColumnBundle& bundle = renewBundle(runs_[part.run]);
    bundle.add(part.unknown, part.wrench);
    bundle.isJoined = true;
  }
}

/// Finds the open unknowns on which a scalar depends.
void TreeSweep::findDependences(int active, int follower) {
  dependences_.clear();
  mixedDependences_.clear();
  if (active >= 0 && unknownOf_[active] >= 0 && space_->free[active])
    dependences_.push_back({unknownOf_[active], 1.0, 0.0});
  if (follower < 0) return;
  const Couplings& couplings = objective_->feasibleSet().couplings();
  const Couplings::Follower& follows = couplings.followers()[follower];
  for (int i = follows.firstTerm; i < follows.firstTerm + follows.termCount; ++i) {
    const int k = objective_->activeIndex(couplings.terms()[i].driver);
    if (k >= 0 && space_->free[k])
      dependences_.push_back({unknownOf_[k], evaluation_->slopes[i], evaluation_->curvatures[i]});
  }
  findMixedDependences(follows);
}

void TreeSweep::findMixedDependences(const Couplings::Follower& follows) {
  const Couplings& couplings = objective_->feasibleSet().couplings();
  const auto unknown = [&](int term) {
    const int k = objective_->activeIndex(couplings.terms()[term].driver);
    return k >= 0 && space_->free[k] ? unknownOf_[k] : -1;
  };
  for (int i = follows.firstCross; i < follows.firstCross + follows.crossCount; ++i) {
    const Couplings::Cross& cross = couplings.crosses()[i];
    const int a = unknown(cross.term), b = unknown(cross.other);
    if (a >= 0 && b >= 0) mixedDependences_.push_back({a, b, evaluation_->crossCurvatures[i]});
  }
}

/// The open unknown of one axis of a rotation, its own or that of the ball joint that it copies; -1 for none.
int TreeSweep::unknownOfAxis(int element, int axis) const {
  int coordinate = tree_->coordinates[element] + axis;
  if (tree_->followers[element] >= 0) {
    const Couplings& couplings = objective_->feasibleSet().couplings();
    const Couplings::Follower& follows = couplings.followers()[tree_->followers[element] + axis];
    coordinate = couplings.terms()[follows.firstTerm].driver;
  }
  return isFree(coordinate) ? unknownOf_[objective_->activeIndex(coordinate)] : -1;
}

/// Adds the terms of an open scalar for its unknowns: its diagonal entry, its gradient times second derivatives, and
/// its right-hand side.
void TreeSweep::addToUnknowns(double diagonal, double gradient, double right) {
  for (std::size_t a = 0; a < dependences_.size(); ++a) {
    const Dependence& dependence = dependences_[a];
    open_.addDiagonal(dependence.unknown, dependence.slope * dependence.slope * diagonal);
    open_.add(dependence.unknown, dependence.unknown, dependence.curvature * gradient);
    open_.right(dependence.unknown) += dependence.slope * right;
    for (std::size_t b = 0; b < a; ++b) {
      const double both = dependence.slope * dependences_[b].slope * diagonal;
      const int other = dependences_[b].unknown;
      open_.add(dependence.unknown, other, other == dependence.unknown ? 2.0 * both : both);
    }
  }
  for (const MixedDependence& cross : mixedDependences_)
    open_.add(cross.unknown, cross.other, cross.curvature * gradient);
}

/// Adds followers without goals, which have only regularisers.
void TreeSweep::openUnloaded() {
  for (const CoordinateTree::Unloaded& unloaded : tree_->unloaded) {
    if (unloaded.follower < 0) continue;
    findDependences(-1, unloaded.follower);
    const double pull = evaluation_->pulls[unloaded.coordinate];
    addToUnknowns(objective_->regulariserWeight(unloaded.coordinate), pull, pull);
  }
}

// ---- Elimination, from the leaves to the root -----------------------------------------------------------------------

bool TreeSweep::factor(double lambda, const FreeSpace& space, const Eigen::VectorXd& metric) {
  lambda_ = lambda;
  badRun_ = badElement_ = -1;
  takeFreeSpace(space, metric);
  takeForces(evaluation_->residuals);
  takeStayForces();
  for (RunTerms& terms : runs_) terms.articulated = terms.own;
  for (int r = static_cast<int>(runs_.size()); r-- > 0;) {
    const bool isGood = tree_->runs[r].isRotation ? factorRotation(r) : factorScalars(r);
    if (!isGood) {
      badRun_ = r;
      return false;
    }
    passUp(r);
  }
  return !mayOpen_ || factorOpen();
}

bool TreeSweep::factorScalars(int r) {
  const CoordinateTree::Run& run = tree_->runs[r];
  RunTerms& terms = runs_[r];
  const RunState state{terms.wrench.data(), terms.articulated.data(), terms.bias.data()};
  if (terms.bundle < 0 && !(mayOpen_ && isOpen_[run.first])) {
    badElement_ = kernel().factorRun(arrays(), run.first, run.end, state, &badPivot_);
    return badElement_ < 0;
  }
  terms.isPlain = false;
  int end = run.end;
  if (isOpen_[run.first]) openScalar(run.first, terms);  // it is a run of its own
  else
    while (end > run.first) {
      ColumnBundle& bundle = beginElimination(terms);
      const ColumnState columns{bundle.basis.data(), bundle.gram.data(), borders_.data(),
                                bundle.isJoined ? bundle.missing.data() : nullptr};
      const int bad = kernel().factorOpenRun(arrays(), run.first, end, state, columns, &badPivot_);
      for (int e = std::max(bad + 1, run.first); e < end; ++e) bundleOf_[e] = terms.bundle;
      if (bad < 0) break;
      if (!bundle.isJoined) {
        badElement_ = bad;
        return false;
      }
      const int k = tree_->active[bad];
      unknownOf_[k] = open_.addCoordinate(k, pull_[bad], pull_[bad]);
      open_.right(unknownOf_[k]) = slope_[bad];
      openScalar(bad, terms);
      end = bad;
    }
  loadScalars(run);
  return true;
}

/// Adds an element to its unknowns without eliminating it: P and pA do not change.
void TreeSweep::openScalar(int element, RunTerms& terms) {
  const auto twist = evaluation_->kinematics.twists.col(tree_->coordinates[element]);
  const Vector6d force = terms.articulated * twist;
  const Vector6d h = force + 0.5 * crossDual(twist, terms.wrench);
  ColumnBundle& bundle = renewBundle(terms);
  findDependences(tree_->active[element], tree_->followers[element]);
  for (std::size_t i = 0; i < bundle.unknowns.size(); ++i) {
    const double entry = twist.dot(bundle.columns[i]);
    for (const Dependence& dependence : dependences_) {
      const bool isSame = dependence.unknown == bundle.unknowns[i];
      open_.add(dependence.unknown, bundle.unknowns[i], (isSame ? 2.0 : 1.0) * dependence.slope * entry);
    }
  }
  const bool follows = tree_->followers[element] >= 0;  // openUnknowns() has added the regularisers of others
  addToUnknowns(twist.dot(force) + (follows ? weight_[element] : 0.0), twist.dot(terms.wrench) + slope_[element],
                twist.dot(terms.bias) + (follows ? slope_[element] : 0.0));
  for (const Dependence& dependence : dependences_) bundle.add(dependence.unknown, dependence.slope * h);
  isOpen_[element] = 1;
  h_.col(element).setZero();
  inverse_[element] = right_[element] = 0.0;
}

bool TreeSweep::factorRotation(int r) {
  RunTerms& terms = runs_[r];
  const int element = tree_->runs[r].first, coordinate = tree_->coordinates[element];
  const ThreeColumns twists = twistsOf(element);
  ThreeColumns& h = terms.h;
  Eigen::Matrix3d block = objective_->regulariserHessian(*evaluation_, coordinate);
  h.noalias() = terms.articulated * twists;
  block.noalias() += twists.transpose() * h;  // without the bracket term, as the axes turn simultaneously
  for (int a = 0; a < 3; ++a) h.col(a) += 0.5 * crossDual(twists.col(a), terms.wrench);
  for (int a = 0; a < 3; ++a)
    if (const int k = objective_->activeIndex(coordinate + a); k >= 0) block(a, a) += lambda_ * (*metric_)[k];
  if (isOpenRotation(element)) {
    openRotation(element, block, terms);
    eliminateRotation(element, true, terms);
    return true;
  }
  if (terms.bundle >= 0) {
    terms.isPlain = false;
    terms.border.noalias() = beginElimination(terms).basis.leftCols<6>().transpose() * twists;
  }
  for (int a = 0; a < 3; ++a) {
    if (isFree(coordinate + a)) continue;
    h.col(a).setZero();
    if (terms.bundle >= 0) terms.border.col(a).setZero();
    block.row(a).setZero();
    block.col(a).setZero();
    block(a, a) = 1.0;
  }
  if (!isEliminated(r, block)) {
    if (terms.bundle < 0 || !bundles_[terms.bundle].isJoined) return false;
    for (int a = 0; a < 3; ++a) {
      if (!isFree(coordinate + a)) continue;
      const int k = objective_->activeIndex(coordinate + a);
      unknownOf_[k] = open_.addCoordinate(k, 0.0, pull_[element]);
      open_.right(unknownOf_[k]) = evaluation_->pulls[coordinate + a];
    }
    openRotation(element, block, terms);
  }
  eliminateRotation(element, true, terms);
  return true;
}

/// Eliminates a rotation from P and the columns if its block is positive definite, else returns false.
bool TreeSweep::isEliminated(int r, const Eigen::Matrix3d& whole) {
  RunTerms& terms = runs_[r];
  const int element = tree_->runs[r].first;
  ColumnBundle* const bundle = terms.bundle < 0 ? nullptr : &bundles_[terms.bundle];
  Eigen::Matrix3d block = whole, projector;
  ThreeColumns h = terms.h;
  double across = 0.0;
  if (terms.limits) {
    projector = terms.limits->projector;
    across = block.cwiseAbs().trace();
    h = (h * projector).eval();
    block = (projector * (block + terms.limits->curvature) * projector).eval();
  }
  if (block.isZero(0.0) && h.isZero(0.0) && !(bundle && !terms.border.isZero(0.0))) {  // f does not depend on it
    terms.inverse.setZero();
    return true;
  }
  if (terms.limits)  // a positive multiple of 1 - P, of the block's size, which the solution does not see
    block += (across > 0.0 ? across : 1.0) * (Eigen::Matrix3d::Identity() - projector);
  double floor = kSweepPivotFloor * pull_[element];
  if (bundle && bundle->isJoined)
    floor = std::max(kLeastPivot * pull_[element],
                     kLeastMissing * (terms.border.transpose() * bundle->missing.leftCols<6>() * terms.border).trace());
  // Cholesky, because a stiff goal beside a weak regulariser makes the condition number 1e10, and cofactors lose its
  // square.
  const Eigen::LLT<Eigen::Matrix3d> cholesky(0.5 * (block + block.transpose()));
  const bool isPositive =
      cholesky.info() == Eigen::Success && cholesky.matrixLLT().diagonal().array().square().minCoeff() > floor;
  if (!isPositive && bundle && bundle->isJoined) return false;  // it becomes open, whatever its worst axis
  if (!isPositive) {
    const SymmetricEigen eigen = eigenOfSymmetric(0.5 * (block + block.transpose()));
    badElement_ = element;
    badPivot_ = eigen.values[0];
    badAxis_ = eigen.vectors.col(0);
    if (terms.limits) badAxis_ = (projector * badAxis_).eval();
    return false;
  }
  terms.h = h;
  Eigen::Matrix3d root = Eigen::Matrix3d::Identity();
  cholesky.matrixL().solveInPlace(root);  // L^-1
  terms.inverse = root.transpose() * root;
  if (terms.limits) terms.inverse = (projector * terms.inverse * projector).eval();
  const Eigen::Matrix<double, 3, 6> half = root * h.transpose();
  terms.articulated.noalias() -= half.transpose() * half;
  if (bundle) {
    const ThreeColumns scaled = terms.border * terms.inverse;
    bundle->basis.leftCols<6>().noalias() -= h * scaled.transpose();
    bundle->gram.leftCols<6>().noalias() += scaled * terms.border.transpose();
  }
  return true;
}

/// Adds a rotation to its unknowns without eliminating it. `block` is added to their diagonal block.
void TreeSweep::openRotation(int element, const Eigen::Matrix3d& block, RunTerms& terms) {
  const ThreeColumns twists = twistsOf(element);
  ColumnBundle& bundle = renewBundle(terms);
  const std::size_t columnsBelow = bundle.unknowns.size();
  for (int a = 0; a < 3; ++a) {
    const int unknown = unknownOfAxis(element, a);
    if (unknown < 0) continue;
    open_.addDiagonal(unknown, block(a, a));
    for (int b = 0; b < a; ++b)
      if (const int other = unknownOfAxis(element, b); other >= 0) open_.add(unknown, other, block(a, b));
    for (std::size_t i = 0; i < columnsBelow; ++i) {
      const bool isSame = bundle.unknowns[i] == unknown;
      open_.add(unknown, bundle.unknowns[i], (isSame ? 2.0 : 1.0) * twists.col(a).dot(bundle.columns[i]));
    }
  }
  for (int a = 0; a < 3; ++a)  // last, as the unknown may have a column from below
    if (const int unknown = unknownOfAxis(element, a); unknown >= 0) bundle.add(unknown, terms.h.col(a));
  terms.isPlain = false;
  isOpen_[element] = 1;
  terms.h.setZero();
  terms.inverse.setZero();
}

void TreeSweep::eliminateRotation(int element, bool withRegulariser, RunTerms& terms) {
  const int coordinate = tree_->coordinates[element];
  Eigen::Vector3d alpha = twistsOf(element).transpose() * terms.bias;
  if (isOpenRotation(element)) {  // openUnknowns() has added the regularisers of its own unknowns
    const bool addsPull = withRegulariser && tree_->followers[element] >= 0;
    for (int a = 0; a < 3; ++a)
      if (const int unknown = unknownOfAxis(element, a); unknown >= 0)
        open_.right(unknown) += alpha[a] + (addsPull ? evaluation_->pulls[coordinate + a] : 0.0);
    terms.right.setZero();
    return;
  }
  for (int a = 0; a < 3; ++a)
    if (!isFree(coordinate + a)) alpha[a] = 0.0;
  if (withRegulariser)
    for (int a = 0; a < 3; ++a)
      if (isFree(coordinate + a)) alpha[a] += evaluation_->pulls[coordinate + a];
  terms.right = terms.inverse * alpha;
  terms.bias.noalias() -= terms.h * terms.right;
  if (terms.bundle >= 0) bundles_[terms.bundle].load.noalias() += terms.border * terms.right;
}

void TreeSweep::passUp(int r) {
  RunTerms& terms = runs_[r];
  const int parent = tree_->runs[r].parent;
  if (parent < 0) {
    if (terms.bundle >= 0) closeBundle(bundles_[terms.bundle]);
    return;
  }
  RunTerms& above = runs_[parent];
  above.articulated += terms.articulated;
  above.bias += terms.bias;
  if (terms.bundle < 0) return;
  if (above.bundle < 0) above.bundle = terms.bundle;
  else {
    renewBundle(above);
    passColumns(terms.bundle, bundles_[above.bundle]);
  }
}

bool TreeSweep::factorOpen() {
  pullLoads();
  for (const FreeSpace::Block& block : space_->blocks)
    if (block.held > 0 && unknownOf_[block.active[0]] >= 0) open_.restrictTo(block, unknownOf_);
  return open_.factor();
}

// ---- Columns of open unknowns ---------------------------------------------------------------------------------------

/// A bundle of the columns at a run as they are now, to which columns can be added.
ColumnBundle& TreeSweep::renewBundle(RunTerms& terms) {
  if (terms.bundle >= 0 && bundles_[terms.bundle].isFresh) return bundles_[terms.bundle];
  const int old = std::exchange(terms.bundle, bundleCount_++);
  if (static_cast<int>(bundles_.size()) < bundleCount_) bundles_.emplace_back();
  bundles_[terms.bundle].clear();
  if (old >= 0) passColumns(old, bundles_[terms.bundle]);
  return bundles_[terms.bundle];
}

ColumnBundle& TreeSweep::beginElimination(RunTerms& terms) {
  ColumnBundle& bundle = bundles_[terms.bundle];
  if (!bundle.isFresh) return bundle;
  bundle.isFresh = false;
  for (std::size_t i = 0; i < bundle.unknowns.size() && bundle.isJoined; ++i)
    if (open_.isNegative(bundle.unknowns[i]))
      bundle.missing.leftCols<6>().noalias() += bundle.columns[i] * bundle.columns[i].transpose();
  return bundle;
}

void TreeSweep::passColumns(int from, ColumnBundle& to) {
  const ColumnBundle& bundle = bundles_[from];
  for (std::size_t i = 0; i < bundle.unknowns.size(); ++i)
    to.add(bundle.unknowns[i], bundle.basis.leftCols<6>() * bundle.columns[i]);
  to.isJoined |= bundle.isJoined;
  closeBundle(bundle);
}

/// K <- K - sum of e' e / d.
void TreeSweep::closeBundle(const ColumnBundle& bundle) {
  for (std::size_t j = 0; j < bundle.unknowns.size(); ++j) {
    const Vector6d column = bundle.gram.leftCols<6>() * bundle.columns[j];
    for (std::size_t i = 0; i <= j; ++i)
      open_.add(bundle.unknowns[i], bundle.unknowns[j], -bundle.columns[i].dot(column));
  }
}

void TreeSweep::loadScalars(const CoordinateTree::Run& run) {
  for (int e = run.first; e < run.end; ++e)
    if (const int bundle = bundleOf_[e]; bundle >= 0 && inverse_[e] != 0.0)
      bundles_[bundle].load += right_[e] * borders_.col(e).head<6>();
}

/// b <- b - sum of e' alpha / d.
void TreeSweep::pullLoads() {
  for (int i = 0; i < bundleCount_; ++i) {
    const ColumnBundle& bundle = bundles_[i];
    for (std::size_t c = 0; c < bundle.unknowns.size(); ++c)
      open_.right(bundle.unknowns[c]) -= bundle.columns[c].dot(bundle.load);
  }
}

// ---- Solutions ------------------------------------------------------------------------------------------------------

void TreeSweep::solve(Eigen::VectorXd& direction) {
  if (mayOpen_) open_.solve();
  moveAll(direction);
  for (const CoordinateTree::Unloaded& unloaded : tree_->unloaded) {
    const int k = unloaded.active;
    if (k < 0 || !space_->free[k] || (mayOpen_ && unknownOf_[k] >= 0)) continue;
    const double own = objective_->regulariserWeight(unloaded.coordinate) + lambda_ * (*metric_)[k];
    if (own > 0.0) direction[k] = -evaluation_->pulls[unloaded.coordinate] / own;
  }
}

void TreeSweep::solveForResiduals(const std::vector<Residual>& residuals, Eigen::VectorXd& direction) {
  open_.clearRight();
  takeForces(residuals);
  for (int i = 0; i < bundleCount_; ++i) bundles_[i].load.setZero();
  for (std::size_t r = runs_.size(); r-- > 0;) {
    const CoordinateTree::Run& run = tree_->runs[r];
    RunTerms& terms = runs_[r];
    if (run.isRotation) eliminateRotation(run.first, false, terms);
    else eliminateScalars(run, terms);
    if (run.parent >= 0) runs_[run.parent].bias += terms.bias;
  }
  if (mayOpen_) {
    pullLoads();
    open_.solve();
  }
  moveAll(direction);
}

void TreeSweep::eliminateScalars(const CoordinateTree::Run& run, RunTerms& terms) {
  int end = run.end;
  for (int e = run.end - 1; !terms.isPlain && e >= run.first; --e) {
    if (!isOpen_[e]) continue;
    kernel().eliminateRun(arrays(), e + 1, end, terms.bias.data());
    findDependences(tree_->active[e], tree_->followers[e]);
    const double alpha = evaluation_->kinematics.twists.col(tree_->coordinates[e]).dot(terms.bias);
    for (const Dependence& dependence : dependences_) open_.right(dependence.unknown) += dependence.slope * alpha;
    end = e;
  }
  kernel().eliminateRun(arrays(), run.first, end, terms.bias.data());
  if (!terms.isPlain) loadScalars(run);
}

void TreeSweep::linearResiduals(std::vector<Residual>& residuals) const {
  residuals.resize(evaluation_->residuals.size());
  for (std::size_t k = 0; k < residuals.size(); ++k) {
    residuals[k] = evaluation_->residuals[k];
    for (std::size_t which = 0; which < tree_->goalRuns[k].size(); ++which)
      if (const int run = tree_->goalRuns[k][which]; run >= 0)
        residuals[k].noalias() += evaluation_->jacobians[k][which] * runs_[run].motion;
  }
}

/// Moves all runs from the root outward. Unloaded coordinates stay at zero unless they are open.
void TreeSweep::moveAll(Eigen::VectorXd& direction) {
  if (mayOpen_) pullBundles();
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const int parent = tree_->runs[r].parent;
    moveRun(tree_->runs[r], parent >= 0 ? runs_[parent].motion : kNoMotion, runs_[r]);
  }
  gather(direction);
}

void TreeSweep::pullBundles() {
  for (int i = 0; i < bundleCount_; ++i) {
    ColumnBundle& bundle = bundles_[i];
    bundle.pull.setZero();
    for (std::size_t c = 0; c < bundle.unknowns.size(); ++c)
      bundle.pull.head<6>() += open_.solution(bundle.unknowns[c]) * bundle.columns[c];
  }
}

/// `above` is the motion of the run's parent.
void TreeSweep::moveRun(const CoordinateTree::Run& run, const Vector6d& above, RunTerms& terms) {
  if (run.isRotation) moveRotation(run.first, above, terms);
  else if (terms.isPlain) kernel().moveRun(arrays(), run.first, run.end, above.data(), terms.motion.data());
  else moveScalars(run.first, run.end, above, terms);
}

/// Moves scalars, with the terms of open unknowns.
void TreeSweep::moveScalars(int first, int end, const Vector6d& above, RunTerms& terms) {
  SweepArrays scalars = arrays();
  scalars.right = total_.data();
  Vector6d motion = above;
  int start = first;
  for (int e = first; e < end; ++e) {
    if (!isOpen_[e]) {
      const int bundle = bundleOf_[e];
      total_[e] = right_[e];
      if (bundle >= 0 && inverse_[e] != 0.0) total_[e] += inverse_[e] * borders_.col(e).dot(bundles_[bundle].pull);
      continue;
    }
    kernel().moveRun(scalars, start, e, motion.data(), terms.motion.data());
    solution_[e] = 0.0;
    findDependences(tree_->active[e], tree_->followers[e]);
    for (const Dependence& dependence : dependences_)
      solution_[e] += dependence.slope * open_.solution(dependence.unknown);
    motion = terms.motion + evaluation_->kinematics.twists.col(tree_->coordinates[e]) * solution_[e];
    start = e + 1;
  }
  kernel().moveRun(scalars, start, end, motion.data(), terms.motion.data());
}

void TreeSweep::moveRotation(int element, const Vector6d& above, RunTerms& terms) {
  const int coordinate = tree_->coordinates[element];
  Eigen::Vector3d turned = terms.h.transpose() * above;
  const bool isOpen = isOpenRotation(element);
  if (terms.bundle >= 0 && !isOpen)
    turned.noalias() += terms.border.transpose() * bundles_[terms.bundle].pull.head<6>();
  terms.solution = -(terms.right + terms.inverse * turned);
  for (int a = 0; a < 3; ++a) {
    const int unknown = isOpen ? unknownOfAxis(element, a) : -1;
    if (unknown >= 0) terms.solution[a] = open_.solution(unknown);
    else if (!isFree(coordinate + a)) terms.solution[a] = 0.0;
  }
  terms.motion = above;
  terms.motion.noalias() += twistsOf(element) * terms.solution;
}

void TreeSweep::gather(Eigen::VectorXd& direction) const {
  direction.setZero(objective_->activeCount());
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const CoordinateTree::Run& run = tree_->runs[r];
    if (run.isRotation) {
      for (int a = 0; a < 3; ++a)
        if (const int k = objective_->activeIndex(tree_->coordinates[run.first] + a); k >= 0)
          direction[k] = runs_[r].solution[a];
      continue;
    }
    for (int e = run.first; e < run.end; ++e)
      if (const int k = tree_->active[e]; k >= 0) direction[k] = solution_[e];
  }
  for (int unknown = 0; unknown < open_.count(); ++unknown)
    if (!open_.isAuxiliary(unknown)) direction[open_.active(unknown)] = open_.solution(unknown);
}

double TreeSweep::curvatureDirection(Eigen::VectorXd& direction) {
  solution_.setZero();
  right_.setZero();  // no gradient: motions are due to h alone
  for (RunTerms& terms : runs_) terms.right.setZero();
  if (badRun_ >= 0) {
    moveBelowBadPivot(direction);
    return badPivot_;
  }
  const double bound = open_.curvatureDirection();
  moveAll(direction);
  return bound;
}

/// Moves the bad element by one, and with it what was eliminated before it.
void TreeSweep::moveBelowBadPivot(Eigen::VectorXd& direction) {
  if (mayOpen_) {
    open_.clearSolution();
    pullBundles();
  }
  isBelow_.assign(runs_.size(), 0);
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const CoordinateTree::Run& run = tree_->runs[r];
    RunTerms& terms = runs_[r];
    terms.solution.setZero();
    if (static_cast<int>(r) == badRun_) {
      isBelow_[r] = 1;
      if (run.isRotation) {
        terms.solution = badAxis_;
        terms.motion = twistsOf(badElement_) * badAxis_;
      } else {
        solution_[badElement_] = 1.0;
        moveRun({badElement_ + 1, run.end, -1, false},
                evaluation_->kinematics.twists.col(tree_->coordinates[badElement_]), terms);
      }
    } else if (run.parent >= 0 && isBelow_[run.parent]) {
      isBelow_[r] = 1;
      moveRun(run, runs_[run.parent].motion, terms);
    }
  }
  gather(direction);
}

}  // namespace limber

// SPDX-License-Identifier: MIT
#include "objective/tree_sweep.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>

namespace limber {

namespace {

/// A pivot below this part of its own regulariser and damping is rounding.
constexpr double kPivotFloor = 1e-10;

/// The step coordinates of one joint: shifts and hinges one by one from the root outward, then the rotation block.
struct Coordinates {
  int first, scalarEnd, rotation;  ///< rotation is -1 when there is none
};

Coordinates coordinatesOf(const Joint& joint) {
  const int first = joint.stepIndex;
  switch (joint.type) {
    case JointType::Fixed: return {first, first, -1};
    case JointType::Revolute:
    case JointType::Prismatic: return {first, first + 1, -1};
    case JointType::Ball: return {first, first, first};
    case JointType::Free: return {first, first + 3, first + 3};
  }
  return {first, first, -1};
}

}  // namespace

void TreeSweep::assemble(const Objective& objective, const Evaluation& evaluation,
                         const std::vector<Residual>& multipliers) {
  objective_ = &objective;
  evaluation_ = &evaluation;
  const Figure& figure = objective.figure();
  links_.resize(static_cast<std::size_t>(figure.linkCount()));
  jacobians_.resize(objective.goals().size());
  h_.resize(6, figure.stepSize());
  inverse_.resize(figure.stepSize());
  right_.resize(figure.stepSize());
  solution_.resize(figure.stepSize());
  free_.resize(static_cast<std::size_t>(figure.stepSize()));
  blocks_.resize(static_cast<std::size_t>(figure.stepSize()));
  for (LinkTerms& terms : links_) terms.wrench.setZero();
  for (int i = 0; i < figure.linkCount(); ++i)
    if (objective.isLoaded(i)) links_[static_cast<std::size_t>(i)].own.setZero();
  Matrix6d inertia;
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    const Goal& goal = *objective.goals()[k];
    LinkTerms& terms = links_[static_cast<std::size_t>(goal.link(0))];
    computeGoalInertia(goal, evaluation.kinematics, multipliers[k], jacobians_[k], inertia);
    terms.own += inertia;
    terms.wrench.noalias() += jacobians_[k].transpose() * multipliers[k];
  }
  for (int i = figure.linkCount() - 1; i >= 0; --i)
    if (const int parent = figure.link(i).parent; parent >= 0 && objective.isLoaded(i))
      links_[static_cast<std::size_t>(parent)].wrench += links_[static_cast<std::size_t>(i)].wrench;
}

double TreeSweep::damping(int coordinate) const { return lambda_ * objective_->metric()[coordinate]; }

bool TreeSweep::isFree(int coordinate) const { return free_[static_cast<std::size_t>(coordinate)] != 0; }

void TreeSweep::takeFreeSpace(const FreeSpace& space) {
  assert(static_cast<int>(space.free.size()) == objective_->activeCount());
  std::fill(free_.begin(), free_.end(), char(0));
  for (std::size_t k = 0; k < space.free.size(); ++k)
    free_[static_cast<std::size_t>(objective_->active()[k])] = space.free[k];
  std::fill(blocks_.begin(), blocks_.end(), nullptr);
  for (const FreeSpace::Block& block : space.blocks) {
    assert(block.ball >= 0 && "tied scalars do not have the shape of a tree");
    if (block.held == 0) continue;
    blocks_[static_cast<std::size_t>(objective_->active()[static_cast<std::size_t>(block.active[0])])] = &block;
  }
}

bool TreeSweep::factor(double lambda, const FreeSpace& space) {
  lambda_ = lambda;
  badCoordinate_ = -1;
  takeFreeSpace(space);
  const Figure& figure = objective_->figure();
  for (int i = 0; i < figure.linkCount(); ++i)
    if (objective_->isLoaded(i)) links_[static_cast<std::size_t>(i)].articulated = links_[static_cast<std::size_t>(i)].own;

  for (int i = figure.linkCount() - 1; i >= 0; --i) {
    LinkTerms& terms = links_[static_cast<std::size_t>(i)];
    const Coordinates c = coordinatesOf(figure.joint(i));
    badLink_ = i;
    if (!objective_->isLoaded(i)) terms.articulated.setZero();  // nothing but the regulariser here
    if (c.rotation >= 0 && !factorRotation(c.rotation, terms)) return false;
    for (int s = c.scalarEnd - 1; s >= c.first; --s)
      if (!factorScalar(s, terms)) return false;
    const int parent = figure.link(i).parent;
    if (parent >= 0 && objective_->isLoaded(i)) links_[static_cast<std::size_t>(parent)].articulated += terms.articulated;
  }
  return true;
}

bool TreeSweep::factorScalar(int coordinate, LinkTerms& terms) {
  auto h = h_.col(coordinate);
  h.setZero();
  inverse_[coordinate] = 0.0;
  if (!isFree(coordinate)) return true;
  const Vector6d twist = evaluation_->kinematics.twists.col(coordinate);
  const double own = objective_->regulariserWeight(coordinate) + damping(coordinate);
  h = terms.articulated * twist + 0.5 * crossDual(twist, terms.wrench);
  const double pivot = twist.dot(h) + own;
  if (own == 0.0 && pivot == 0.0 && h.isZero(0.0)) return true;  // nothing depends on it: it stays where it is
  if (!(pivot > kPivotFloor * own) || pivot <= 0.0) {
    badCoordinate_ = coordinate;
    badIsRotation_ = false;
    badPivot_ = pivot;
    return false;
  }
  inverse_[coordinate] = 1.0 / pivot;
  terms.articulated.noalias() -= (h * inverse_[coordinate]) * h.transpose();
  return true;
}

bool TreeSweep::factorRotation(int coordinate, LinkTerms& terms) {
  auto h = h_.middleCols<3>(coordinate);
  const Eigen::Matrix<double, 6, 3> twists = evaluation_->kinematics.twists.middleCols<3>(coordinate);
  Eigen::Matrix3d block = objective_->regulariserHessian(*evaluation_, coordinate);
  h.noalias() = terms.articulated * twists;
  block.noalias() += twists.transpose() * h;  // without the bracket term: the three axes turn at once
  for (int a = 0; a < 3; ++a) h.col(a) += 0.5 * crossDual(twists.col(a), terms.wrench);
  bool allFree = true;
  for (int a = 0; a < 3; ++a) {
    block(a, a) += damping(coordinate + a);
    if (isFree(coordinate + a)) continue;
    h.col(a).setZero();
    block.row(a).setZero();
    block.col(a).setZero();
    block(a, a) = 1.0;
    allFree = false;
  }
  const FreeSpace::Block* limits = blocks_[static_cast<std::size_t>(coordinate)];
  Eigen::Matrix3d projector;
  double across = 0.0;
  if (limits) {
    projector = limits->projector;
    across = block.cwiseAbs().trace();
    h = (h * projector).eval();
    block = (projector * (block + limits->curvature) * projector).eval();
  }
  if (allFree && block.isZero(0.0) && h.isZero(0.0)) {  // nothing depends on it
    terms.inverse.setZero();
    return true;
  }
  if (limits) {  // across the projector a positive number of the block's own size, which the solution never sees
    block += (across > 0.0 ? across : 1.0) * (Eigen::Matrix3d::Identity() - projector);
  }
  // Positive definite when the three leading minors are.
  const double floor = kPivotFloor * (objective_->regulariserWeight(coordinate) + damping(coordinate));
  const double minor1 = block(0, 0);
  const double minor2 = minor1 * block(1, 1) - block(0, 1) * block(1, 0);
  const double minor3 = block.determinant();
  if (!(minor1 > floor && minor2 > floor * minor1 && minor3 > floor * minor2)) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(0.5 * (block + block.transpose()));
    badCoordinate_ = coordinate;
    badIsRotation_ = true;
    badPivot_ = eigen.eigenvalues()[0];
    badAxis_ = eigen.eigenvectors().col(0);
    if (limits) badAxis_ = (projector * badAxis_).eval();
    return false;
  }
  terms.inverse = block.inverse();
  if (limits) terms.inverse = (projector * terms.inverse * projector).eval();
  terms.articulated.noalias() -= h * terms.inverse * h.transpose();
  return true;
}

void TreeSweep::solve(Eigen::VectorXd& direction) { sweep(evaluation_->residuals, true, direction); }

void TreeSweep::solveForResiduals(const std::vector<Residual>& residuals, Eigen::VectorXd& direction) {
  sweep(residuals, false, direction);
}

void TreeSweep::linearResiduals(std::vector<Residual>& residuals) const {
  residuals.resize(jacobians_.size());
  for (std::size_t k = 0; k < jacobians_.size(); ++k) {
    const int link = objective_->goals()[k]->link(0);
    residuals[k] = evaluation_->residuals[k];
    residuals[k].noalias() += jacobians_[k] * links_[static_cast<std::size_t>(link)].motion;
  }
}

void TreeSweep::sweep(const std::vector<Residual>& residuals, bool withRegulariser, Eigen::VectorXd& direction) {
  const Figure& figure = objective_->figure();
  withRegulariser_ = withRegulariser;
  for (LinkTerms& terms : links_) terms.bias.setZero();
  for (std::size_t k = 0; k < jacobians_.size(); ++k) {
    const Goal& goal = *objective_->goals()[k];
    links_[static_cast<std::size_t>(goal.link(0))].bias.noalias() +=
        goal.weight() * (jacobians_[k].transpose() * residuals[k]);
  }
  for (int i = figure.linkCount() - 1; i >= 0; --i) {
    LinkTerms& terms = links_[static_cast<std::size_t>(i)];
    const Coordinates c = coordinatesOf(figure.joint(i));
    if (c.rotation >= 0) eliminateRotation(c.rotation, terms, terms.bias);
    for (int s = c.scalarEnd - 1; s >= c.first; --s) eliminateScalar(s, terms.bias);
    const int parent = figure.link(i).parent;
    if (parent >= 0 && objective_->isLoaded(i)) links_[static_cast<std::size_t>(parent)].bias += terms.bias;
  }
  for (int i = 0; i < figure.linkCount(); ++i) {
    LinkTerms& terms = links_[static_cast<std::size_t>(i)];
    const int parent = figure.link(i).parent;
    if (parent < 0) terms.motion.setZero();
    else terms.motion = links_[static_cast<std::size_t>(parent)].motion;
    moveLink(i, terms.motion);
  }
  direction.resize(objective_->activeCount());
  for (int k = 0; k < objective_->activeCount(); ++k)
    direction[k] = solution_[objective_->active()[static_cast<std::size_t>(k)]];
}

void TreeSweep::moveLink(int link, Vector6d& motion) {
  const Coordinates c = coordinatesOf(objective_->figure().joint(link));
  for (int s = c.first; s < c.scalarEnd; ++s) moveScalar(s, motion);
  if (c.rotation >= 0) moveRotation(c.rotation, links_[static_cast<std::size_t>(link)], motion);
}

void TreeSweep::eliminateScalar(int coordinate, Vector6d& bias) {
  if (!isFree(coordinate)) {
    right_[coordinate] = 0.0;
    return;
  }
  double alpha = evaluation_->kinematics.twists.col(coordinate).dot(bias);
  if (withRegulariser_) alpha += objective_->regulariserGradient(*evaluation_, coordinate);
  right_[coordinate] = inverse_[coordinate] * alpha;
  bias.noalias() -= h_.col(coordinate) * right_[coordinate];
}

void TreeSweep::eliminateRotation(int coordinate, const LinkTerms& terms, Vector6d& bias) {
  Eigen::Vector3d alpha = evaluation_->kinematics.twists.middleCols<3>(coordinate).transpose() * bias;
  for (int a = 0; a < 3; ++a) {
    if (withRegulariser_) alpha[a] += objective_->regulariserGradient(*evaluation_, coordinate + a);
    if (!isFree(coordinate + a)) alpha[a] = 0.0;
  }
  right_.segment<3>(coordinate) = terms.inverse * alpha;
  bias.noalias() -= h_.middleCols<3>(coordinate) * right_.segment<3>(coordinate);
}

void TreeSweep::moveScalar(int coordinate, Vector6d& motion) {
  if (!isFree(coordinate)) {
    solution_[coordinate] = 0.0;
    return;
  }
  solution_[coordinate] = -(right_[coordinate] + inverse_[coordinate] * h_.col(coordinate).dot(motion));
  motion += evaluation_->kinematics.twists.col(coordinate) * solution_[coordinate];
}

void TreeSweep::moveRotation(int coordinate, const LinkTerms& terms, Vector6d& motion) {
  Eigen::Vector3d s = -(right_.segment<3>(coordinate) + terms.inverse * (h_.middleCols<3>(coordinate).transpose() * motion));
  for (int a = 0; a < 3; ++a)
    if (!isFree(coordinate + a)) s[a] = 0.0;
  solution_.segment<3>(coordinate) = s;
  motion.noalias() += evaluation_->kinematics.twists.middleCols<3>(coordinate) * s;
}

double TreeSweep::curvatureDirection(Eigen::VectorXd& direction) {
  assert(badCoordinate_ >= 0 && "only after a factor() that met a bad pivot");
  const Figure& figure = objective_->figure();
  solution_.setZero();
  right_.setZero();  // no gradient: only the coupling through h counts
  for (int i = badLink_; i < figure.linkCount(); ++i) {
    Vector6d& motion = links_[static_cast<std::size_t>(i)].motion;
    motion.setZero();
    if (i == badLink_) {
      // The bad coordinate moves by one; what stands after it in the same joint was eliminated before it and follows.
      const Coordinates c = coordinatesOf(figure.joint(i));
      if (badIsRotation_) {
        solution_.segment<3>(badCoordinate_) = badAxis_;
        motion = evaluation_->kinematics.twists.middleCols<3>(badCoordinate_) * badAxis_;
      } else {
        solution_[badCoordinate_] = 1.0;
        motion = evaluation_->kinematics.twists.col(badCoordinate_);
        for (int s = badCoordinate_ + 1; s < c.scalarEnd; ++s) moveScalar(s, motion);
        if (c.rotation >= 0) moveRotation(c.rotation, links_[static_cast<std::size_t>(i)], motion);
      }
      continue;
    }
    if (!figure.isAncestorOrSelf(badLink_, i)) continue;
    motion = links_[static_cast<std::size_t>(figure.link(i).parent)].motion;
    moveLink(i, motion);
  }
  direction.resize(objective_->activeCount());
  for (int k = 0; k < objective_->activeCount(); ++k)
    direction[k] = solution_[objective_->active()[static_cast<std::size_t>(k)]];
  return badPivot_;
}

}  // namespace limber

// SPDX-License-Identifier: MIT
// Gradient: with g_i the sum of the wrenches at and below link i, entry j of link i is S_j . g_i.
// Hessian:  with M_i the sum of the goals' inertias at and below link i,
//             H_jk = S_k . h_j,   h_j = M_i S_j + 1/2 S_j x* g_i,   for every coordinate k above j,
// and inside a rotation, whose three axes turn at once, the symmetric part alone.
#include "limber/objective/objective.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "limber/objective/sweep/coordinate_tree.h"

namespace limber {

namespace {

/// A rough bound on the rounding of one world position: relative to what a figure's links add up to, and a part of the
/// last digit of a place far from the world's origin.
constexpr double kPositionRounding = std::numeric_limits<double>::epsilon();
constexpr double kPlaceRounding = 0.25;  // of that

/// What is met of an inequality is not felt. Its multipliers are zero there, and so is its curvature.
void dropMetRows(const Residual& residual, TwistJacobian& jacobian) {
  for (Eigen::Index row = 0; row < jacobian.rows(); ++row)
    if (residual[row] == 0.0) jacobian.row(row).setZero();
}

/// First coordinate of the rotation of a ball or free joint.
int rotationIndex(const Joint& joint) { return joint.type == JointType::Free ? joint.stepIndex + 3 : joint.stepIndex; }

}  // namespace

Objective::Objective(std::shared_ptr<const Figure> figure, std::vector<std::unique_ptr<Goal>> goals,
                     Regulariser regulariser, FeasibleSet feasibleSet, std::vector<int> active,
                     std::vector<Regulariser> keepPoses, StayTerm stay)
    : figure_(std::move(figure)), goals_(std::move(goals)), stay_(std::move(stay)),
      feasibleSet_(std::move(feasibleSet)), active_(std::move(active)),
      activeIndex_(static_cast<std::size_t>(figure_->stepSize()), -1), movingIndex_(activeIndex_),
      shifts_(goals_.size()), forceLimits_(goals_.size(), std::numeric_limits<double>::infinity()),
      isLoaded_(static_cast<std::size_t>(figure_->linkCount()), 0), metric_(figure_->stepSize()) {
  for (std::size_t k = 0; k < active_.size(); ++k) {
    assert(k == 0 || active_[k - 1] < active_[k]);
    assert(!feasibleSet_.couplings().isFollower(active_[k]));
    activeIndex_[static_cast<std::size_t>(active_[k])] = static_cast<int>(k);
  }
  moving_ = active_;
  for (const Couplings::Follower& follower : feasibleSet_.couplings().followers())
    for (const Couplings::Term& term : feasibleSet_.couplings().termsOf(follower))
      if (activeIndex(term.driver) >= 0) {
        moving_.push_back(follower.coordinate);
        break;
      }
  for (std::size_t k = 0; k < moving_.size(); ++k)
    movingIndex_[static_cast<std::size_t>(moving_[k])] = static_cast<int>(k);
  findMovingAbove();
  const auto load = [&](int link) {
    for (; link >= 0 && !isLoaded(link); link = figure_->link(link).parent)
      isLoaded_[static_cast<std::size_t>(link)] = 1;
  };
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    shifts_[k].setZero(goals_[k]->residualSize());
    for (int which = 0; which < goals_[k]->linkCount(); ++which) load(goals_[k]->link(which));
  }
  for (const StayTerm::Body& body : stay_.bodies()) load(body.link);
  linkOf_.resize(static_cast<std::size_t>(figure_->stepSize()));
  for (int i = 0; i < figure_->linkCount(); ++i)
    for (int c = 0; c < stepSize(figure_->joint(i).type); ++c)
      linkOf_[static_cast<std::size_t>(figure_->joint(i).stepIndex + c)] = i;
  const double lengthScale = 1.0 / (figure_->meanLinkLength() * figure_->meanLinkLength());
  metric_.setOnes();
  isLength_.assign(static_cast<std::size_t>(figure_->stepSize()), 0);
  for (const Joint& joint : figure_->joints()) {
    const int lengths = joint.type == JointType::Prismatic ? 1 : joint.type == JointType::Free ? 3 : 0;
    if (lengths == 0) continue;
    metric_.segment(joint.stepIndex, lengths).setConstant(lengthScale);
    std::fill_n(isLength_.begin() + joint.stepIndex, lengths, 1);
  }
  regularisers_.push_back(std::move(regulariser));
  for (Regulariser& keepPose : keepPoses) regularisers_.push_back(std::move(keepPose));
  regulariserWeights_ = regularisers_.front().weights();
  for (std::size_t i = 1; i < regularisers_.size(); ++i) regulariserWeights_ += regularisers_[i].weights();
  feasibleSet_.bind(*figure_, active_);
  tree_ = std::make_shared<const CoordinateTree>(makeCoordinateTree(*figure_, goals_, stay_, activeIndex_, feasibleSet_));
  measure();
}

/// How far from its root a link can be, and what adds to it.
void Objective::measure() {
  std::vector<double> lengths(static_cast<std::size_t>(figure_->linkCount()));
  for (int i = 0; i < figure_->linkCount(); ++i) {
    double& length = lengths[static_cast<std::size_t>(i)];
    const int parent = figure_->link(i).parent;
    if (parent >= 0)
      length = lengths[static_cast<std::size_t>(parent)] + figure_->joint(i).parentFromJoint.translation.norm();
    reach_ = std::max(reach_, length);
  }
  for (const MotionTable::Slide& slide : figure_->motionTable().slides) slides_.push_back(slide.poseIndex);
  for (const MotionTable::Rotation& rotation : figure_->motionTable().rotations)
    if (rotation.shiftIndex >= 0 && figure_->link(rotation.link).parent >= 0)
      for (int axis = 0; axis < 3; ++axis) slides_.push_back(rotation.shiftIndex + axis);
}

/// The largest number that can stand in a link's position: what rounding is relative to. Metres.
double Objective::extentOf(const Pose& pose, const Kinematics& kinematics) const {
  double extent = std::max(reach_, figure_->meanLinkLength()) +
                  kPlaceRounding * kinematics.origin.cwiseAbs().maxCoeff();
  for (const int slide : slides_) extent += std::abs(pose.coordinates[slide]);
  return extent;
}

void Objective::findMovingAbove() {
  std::vector<int> last(static_cast<std::size_t>(figure_->linkCount()), -1);  // at or above each link
  movingAbove_.resize(moving_.size());
  for (int i = 0; i < figure_->linkCount(); ++i) {
    const Joint& joint = figure_->joint(i);
    const int parent = figure_->link(i).parent;
    int& above = last[static_cast<std::size_t>(i)];
    if (parent >= 0) above = last[static_cast<std::size_t>(parent)];
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c)
      if (const int k = movingIndex(c); k >= 0) movingAbove_[static_cast<std::size_t>(k)] = std::exchange(above, k);
  }
}

void Objective::setForceLimit(int goal, double limit) {
  assert(limit > 0.0 && goals_[static_cast<std::size_t>(goal)]->linkCount() == 1);
  forceLimits_[static_cast<std::size_t>(goal)] = limit;
  limitsForces_ = true;
}

double Objective::weightAt(std::size_t goal, const Residual& residual) const {
  const double weight = goals_[goal]->weight(), limit = forceLimits_[goal];
  if (limit == std::numeric_limits<double>::infinity()) return weight;
  const double force = weight * residual.norm();
  return force > limit ? weight * (limit / force) : weight;
}

void Objective::computeResidual(const Kinematics& kinematics, std::size_t goal, Residual& residual) const {
  goals_[goal]->computeResidual(kinematics, residual);
  residual += shifts_[goal];
  if (goals_[goal]->isOneSided()) clampOneSided(residual);
}

double Objective::goalValue(std::size_t goal, const Residual& residual) const {
  const double weight = goals_[goal]->weight();
  if (!(weightAt(goal, residual) < weight)) return 0.5 * weight * residual.squaredNorm();
  return forceLimits_[goal] * (residual.norm() - 0.5 * forceLimits_[goal] / weight);
}

double Objective::evaluate(const Pose& pose, Evaluation& evaluation) const {
  computeTransforms(*figure_, pose, evaluation.kinematics);
  evaluation.residuals.resize(goals_.size());
  evaluation.weights.resize(goals_.size());
  evaluation.offsets.resize(regularisers_.size());
  double f = 0.0;
  for (std::size_t i = 0; i < regularisers_.size(); ++i)
    f += regularisers_[i].evaluate(*figure_, pose, evaluation.offsets[i]);
  const double epsilon = std::numeric_limits<double>::epsilon();
  const double positionRounding =
      kPositionRounding * extentOf(pose, evaluation.kinematics) / figure_->meanLinkLength();
  double rounding = 0.0;
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    Residual& residual = evaluation.residuals[k];
    computeResidual(evaluation.kinematics, k, residual);
    evaluation.weights[k] = weightAt(k, residual);
    f += goalValue(evaluation, k);
    rounding += goals_[k]->weight() * positionRounding * (residual.norm() + positionRounding);
  }
  if (!stay_.isEmpty()) {
    f += stay_.evaluate(evaluation.kinematics, evaluation.stays);
    rounding += stay_.rounding(evaluation.stays, positionRounding * figure_->meanLinkLength());
  }
  feasibleSet_.couplings().differentiate(pose, evaluation.slopes, evaluation.bends, evaluation.crossBends);
  evaluation.objective = f;
  evaluation.rounding = rounding + 4.0 * epsilon * f;
  evaluation.positionRounding = positionRounding;
  return f;
}

void Objective::sumWrenches(const Evaluation& evaluation, const std::vector<Residual>& forces,
                            std::vector<Vector6d>& wrenches) const {
  wrenches.assign(static_cast<std::size_t>(figure_->linkCount()), Vector6d::Zero());
  for (std::size_t k = 0; k < goals_.size(); ++k)
    for (int which = 0; which < goals_[k]->linkCount(); ++which)
      wrenches[static_cast<std::size_t>(goals_[k]->link(which))].noalias() +=
          evaluation.jacobians[k][static_cast<std::size_t>(which)].transpose() * forces[k];
}

/// Of each link becomes that of everything at and below it.
void Objective::sumUp(std::vector<Vector6d>& wrenches) const {
  for (int i = figure_->linkCount() - 1; i >= 0; --i)
    if (const int parent = figure_->link(i).parent; parent >= 0 && isLoaded(i))
      wrenches[static_cast<std::size_t>(parent)] += wrenches[static_cast<std::size_t>(i)];
}

void Objective::addStayWrenches(const Evaluation& evaluation, std::vector<Vector6d>& wrenches) const {
  for (std::size_t i = 0; i < stay_.bodies().size(); ++i)
    wrenches[static_cast<std::size_t>(stay_.bodies()[i].link)] += evaluation.stays[i].wrench;
}

double Objective::goalGradient(const Kinematics& kinematics, const std::vector<Vector6d>& wrenches,
                               int coordinate) const {
  const int link = linkOf_[static_cast<std::size_t>(coordinate)];
  return isLoaded(link) ? kinematics.twists.col(coordinate).dot(wrenches[static_cast<std::size_t>(link)]) : 0.0;
}

/// C' full: what a follower feels counts for its drivers.
void Objective::foldFollowers(const Evaluation& evaluation, const Eigen::VectorXd& full,
                              Eigen::VectorXd& gradient) const {
  gradient.resize(activeCount());
  for (int k = 0; k < activeCount(); ++k) gradient[k] = full[active_[static_cast<std::size_t>(k)]];
  const auto terms = feasibleSet_.couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = activeIndex(terms[i].driver); k >= 0)
      gradient[k] += evaluation.slopes[i] * full[terms[i].follower];
}

void Objective::computeGradient(Evaluation& evaluation, Eigen::VectorXd& gradient) const {
  computeTwists(*figure_, evaluation.kinematics);
  evaluation.jacobians.resize(goals_.size());
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    evaluation.jacobians[k].resize(static_cast<std::size_t>(goals_[k]->linkCount()));
    for (int which = 0; which < goals_[k]->linkCount(); ++which) {
      TwistJacobian& jacobian = evaluation.jacobians[k][static_cast<std::size_t>(which)];
      goals_[k]->computeJacobian(evaluation.kinematics, which, jacobian);
      if (goals_[k]->isOneSided()) dropMetRows(evaluation.residuals[k], jacobian);
    }
  }
  exactMultipliers(*this, evaluation, evaluation.forces);
  sumWrenches(evaluation, evaluation.forces, evaluation.wrenches);
  for (std::size_t i = 0; i < stay_.bodies().size(); ++i)
    StayTerm::computeWrench(stay_.bodies()[i], evaluation.stays[i]);
  addStayWrenches(evaluation, evaluation.wrenches);
  sumUp(evaluation.wrenches);
  evaluation.pulls.setConstant(figure_->stepSize(), -0.0);  // adding to it leaves every number as it is
  for (std::size_t i = 0; i < regularisers_.size(); ++i)
    regularisers_[i].addGradient(evaluation.offsets[i], evaluation.pulls);
  evaluation.fullGradient.setZero(figure_->stepSize());
  for (const int c : moving_)
    evaluation.fullGradient[c] = goalGradient(evaluation.kinematics, evaluation.wrenches, c) + evaluation.pulls[c];
  foldFollowers(evaluation, evaluation.fullGradient, gradient);
}

void Objective::applyTransposedJacobian(Evaluation& evaluation, const std::vector<Residual>& forces,
                                        Eigen::VectorXd& gradient) const {
  sumWrenches(evaluation, forces, evaluation.multiplierWrenches);
  sumUp(evaluation.multiplierWrenches);
  gradient.setZero(activeCount());
  for (int k = 0; k < activeCount(); ++k)
    gradient[k] = goalGradient(evaluation.kinematics, evaluation.multiplierWrenches,
                               active_[static_cast<std::size_t>(k)]);
  const auto terms = feasibleSet_.couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = activeIndex(terms[i].driver); k >= 0)
      gradient[k] += evaluation.slopes[i] *
                     goalGradient(evaluation.kinematics, evaluation.multiplierWrenches, terms[i].follower);
}

void Objective::applyJacobian(Evaluation& evaluation, const Eigen::VectorXd& activeStep,
                              std::vector<Residual>& changes) const {
  const auto& twists = evaluation.kinematics.twists;
  auto& motions = evaluation.motions;
  motions.assign(static_cast<std::size_t>(figure_->linkCount()), Vector6d::Zero());
  const auto add = [&](int coordinate, double amount) {
    motions[static_cast<std::size_t>(linkOf_[static_cast<std::size_t>(coordinate)])] += amount * twists.col(coordinate);
  };
  for (int k = 0; k < activeCount(); ++k) add(active_[static_cast<std::size_t>(k)], activeStep[k]);
  const auto terms = feasibleSet_.couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = activeIndex(terms[i].driver); k >= 0)
      add(terms[i].follower, evaluation.slopes[i] * activeStep[k]);
  for (int i = 0; i < figure_->linkCount(); ++i)
    if (const int parent = figure_->link(i).parent; parent >= 0)
      motions[static_cast<std::size_t>(i)] += motions[static_cast<std::size_t>(parent)];
  changes.resize(goals_.size());
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    changes[k].setZero(goals_[k]->residualSize());
    for (int which = 0; which < goals_[k]->linkCount(); ++which) {
      const TwistJacobian& jacobian = evaluation.jacobians[k][static_cast<std::size_t>(which)];
      changes[k].noalias() += jacobian * motions[static_cast<std::size_t>(goals_[k]->link(which))];
    }
  }
}

namespace {

/// inertia += weight J'J, of a known number of rows: the products are then of fixed size.
template <int rows>
void addInertia(double weight, const TwistJacobian& jacobian, Matrix6d& inertia) {
  const Eigen::Map<const Eigen::Matrix<double, rows, 6>> fixed(jacobian.data());
  const Eigen::Matrix<double, 6, rows> columns = weight * fixed.transpose();
  inertia.noalias() += columns.lazyProduct(fixed);
}

}  // namespace

void computeGoalInertia(const Objective& objective, const Evaluation& evaluation, std::size_t goal,
                        const Residual& multipliers, Curvature curvature, Matrix6d& inertia) {
  const TwistJacobian& jacobian = evaluation.jacobians[goal][0];
  const double weight = evaluation.weights[goal];
  objective.goals()[goal]->computeCurvature(evaluation.kinematics, multipliers, 0, inertia);
  switch (jacobian.rows()) {
    case 3: addInertia<3>(weight, jacobian, inertia); break;  // a place or a direction
    case 6: addInertia<6>(weight, jacobian, inertia); break;  // a rotation
    case 9: addInertia<9>(weight, jacobian, inertia); break;  // a place and a rotation
    default: inertia.noalias() += weight * jacobian.transpose().lazyProduct(jacobian);
  }
  if (curvature == Curvature::GaussNewton || !objective.isForceLimited(evaluation, goal)) return;
  const Vector6d along = jacobian.transpose() * evaluation.residuals[goal].normalized();
  inertia.noalias() -= weight * along * along.transpose();
}

void exactMultipliers(const Objective& objective, const Evaluation& evaluation, std::vector<Residual>& multipliers) {
  multipliers.resize(objective.goals().size());
  for (std::size_t k = 0; k < multipliers.size(); ++k)
    multipliers[k] = evaluation.weights[k] * evaluation.residuals[k];
}

Eigen::Matrix3d Objective::regulariserHessian(const Evaluation& evaluation, int rotation) const {
  Eigen::Matrix3d sum = regularisers_.front().rotationHessian(evaluation.offsets.front(), rotation);
  for (std::size_t i = 1; i < regularisers_.size(); ++i)
    sum += regularisers_[i].rotationHessian(evaluation.offsets[i], rotation);
  return sum;
}

void Objective::computeHessian(Evaluation& evaluation, Eigen::MatrixXd& hessian) const {
  computeHessian(evaluation, evaluation.forces, hessian);
}

void Objective::computeHessian(Evaluation& evaluation, const std::vector<Residual>& multipliers,
                               Eigen::MatrixXd& hessian, Curvature ofPulls) const {
  const auto size = static_cast<Eigen::Index>(moving_.size());
  evaluation.movingHessian.setZero(size, size);
  sumWrenches(evaluation, multipliers, evaluation.multiplierWrenches);
  if (ofPulls == Curvature::Exact) addStayWrenches(evaluation, evaluation.multiplierWrenches);
  sumUp(evaluation.multiplierWrenches);
  gatherInertias(evaluation, multipliers, ofPulls);
  addTreePart(evaluation);
  addJoiningGoals(evaluation, multipliers);
  addRegularisers(evaluation);
  foldCouplings(evaluation);
  hessian = evaluation.movingHessian.topLeftCorner(activeCount(), activeCount());
}

/// What the goals add on their own links; of a goal with several links the curvature alone.
void Objective::gatherInertias(Evaluation& evaluation, const std::vector<Residual>& multipliers,
                               Curvature ofPulls) const {
  auto& inertias = evaluation.inertias;
  inertias.assign(static_cast<std::size_t>(figure_->linkCount()), Matrix6d::Zero());
  Matrix6d inertia;
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    const Goal& goal = *goals_[k];
    for (int which = 0; which < goal.linkCount(); ++which) {
      if (goal.linkCount() == 1) computeGoalInertia(*this, evaluation, k, multipliers[k], ofPulls, inertia);
      else goal.computeCurvature(evaluation.kinematics, multipliers[k], which, inertia);
      inertias[static_cast<std::size_t>(goal.link(which))] += inertia;
    }
  }
  for (std::size_t i = 0; i < stay_.bodies().size(); ++i) {
    StayTerm::computeInertia(stay_.bodies()[i], evaluation.stays[i], ofPulls, inertia);
    inertias[static_cast<std::size_t>(stay_.bodies()[i].link)] += inertia;
  }
}

void Objective::addTreePart(Evaluation& evaluation) const {
  const auto& twists = evaluation.kinematics.twists;
  auto& inertias = evaluation.inertias;
  Eigen::MatrixXd& hessian = evaluation.movingHessian;
  for (int i = figure_->linkCount() - 1; i >= 0; --i) {
    const Joint& joint = figure_->joint(i);
    const auto link = static_cast<std::size_t>(i);
    const int parent = figure_->link(i).parent;
    if (!isLoaded(i)) continue;
    if (parent >= 0) inertias[static_cast<std::size_t>(parent)] += inertias[link];
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c) {
      const int row = movingIndex(c);
      if (row < 0) continue;
      const Vector6d force = inertias[link] * twists.col(c);
      const Vector6d h = force + 0.5 * crossDual(twists.col(c), evaluation.multiplierWrenches[link]);
      // Within the joint: the three axes of a rotation act at once; shifts come before it, and do not turn each other.
      const bool inRotation = hasRotation(joint) && c >= rotationIndex(joint);
      const int firstTogether = inRotation ? rotationIndex(joint) : figure_->stepSize();
      for (int column = row; column >= 0; column = movingAbove_[static_cast<std::size_t>(column)]) {
        const int d = moving_[static_cast<std::size_t>(column)];
        hessian(row, column) = hessian(column, row) = twists.col(d).dot(d >= firstTogether ? force : h);
      }
    }
  }
}

/// Goals that join links tie branches together: weight J'J of the whole Jacobian, and what bends across links.
void Objective::addJoiningGoals(Evaluation& evaluation, const std::vector<Residual>& multipliers) const {
  const auto& twists = evaluation.kinematics.twists;
  const auto size = static_cast<Eigen::Index>(moving_.size());
  Eigen::MatrixXd& jacobian = evaluation.goalJacobian;
  auto& linkJacobians = evaluation.linkJacobians;
  Matrix6d cross;
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    const Goal& goal = *goals_[g];
    if (goal.linkCount() == 1) continue;
    linkJacobians.resize(static_cast<std::size_t>(figure_->linkCount()));
    for (TwistJacobian& sum : linkJacobians) sum.setZero(goal.residualSize(), 6);
    for (int which = 0; which < goal.linkCount(); ++which)
      linkJacobians[static_cast<std::size_t>(goal.link(which))] +=
          evaluation.jacobians[g][static_cast<std::size_t>(which)];
    for (int i = figure_->linkCount() - 1; i >= 0; --i)
      if (const int parent = figure_->link(i).parent; parent >= 0)
        linkJacobians[static_cast<std::size_t>(parent)] += linkJacobians[static_cast<std::size_t>(i)];
    jacobian.resize(goal.residualSize(), size);
    for (Eigen::Index j = 0; j < size; ++j) {
      const int c = moving_[static_cast<std::size_t>(j)];
      jacobian.col(j).noalias() =
          linkJacobians[static_cast<std::size_t>(linkOf_[static_cast<std::size_t>(c)])] * twists.col(c);
    }
    evaluation.movingHessian.noalias() += goal.weight() * jacobian.transpose() * jacobian;
    if (!goal.crossesLinks()) continue;
    for (int a = 0; a < goal.linkCount(); ++a)
      for (int b = 0; b < goal.linkCount(); ++b) {
        if (a == b) continue;
        goal.computeCrossCurvature(evaluation.kinematics, multipliers[g], a, b, cross);
        for (Eigen::Index j = 0; j < size; ++j) {
          const int c = moving_[static_cast<std::size_t>(j)];
          if (!figure_->isAncestorOrSelf(linkOf_[static_cast<std::size_t>(c)], goal.link(a))) continue;
          const Vector6d force = cross.transpose() * twists.col(c);
          for (Eigen::Index k = 0; k < size; ++k) {
            const int d = moving_[static_cast<std::size_t>(k)];
            if (figure_->isAncestorOrSelf(linkOf_[static_cast<std::size_t>(d)], goal.link(b)))
              evaluation.movingHessian(j, k) += twists.col(d).dot(force);
          }
        }
      }
  }
}

void Objective::addRegularisers(Evaluation& evaluation) const {
  Eigen::MatrixXd& hessian = evaluation.movingHessian;
  for (const Joint& joint : figure_->joints()) {
    const int end = joint.stepIndex + stepSize(joint.type);
    const int scalars = hasRotation(joint) ? rotationIndex(joint) : end;
    for (int c = joint.stepIndex; c < scalars; ++c)
      if (const int k = movingIndex(c); k >= 0) hessian(k, k) += regulariserWeights_[c];
    if (scalars == end) continue;
    const Eigen::Matrix3d block = regulariserHessian(evaluation, scalars);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        if (movingIndex(scalars + a) >= 0 && movingIndex(scalars + b) >= 0)
          hessian(movingIndex(scalars + a), movingIndex(scalars + b)) += block(a, b);
  }
}

/// C'HC + sum p'' g in place: columns, then rows; the active corner is the result, so rows need no more than that.
void Objective::foldCouplings(Evaluation& evaluation) const {
  Eigen::MatrixXd& hessian = evaluation.movingHessian;
  const auto terms = feasibleSet_.couplings().terms();
  const auto fold = [&](auto&& addTo) {
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (const int driver = activeIndex(terms[i].driver); driver >= 0)
        addTo(driver, movingIndex(terms[i].follower), evaluation.slopes[i]);
  };
  fold([&](int driver, int follower, double slope) { hessian.col(driver) += slope * hessian.col(follower); });
  fold([&](int driver, int follower, double slope) {
    hessian.row(driver).head(activeCount()) += slope * hessian.row(follower).head(activeCount());
  });
  const auto felt = [&](int follower) {
    return goalGradient(evaluation.kinematics, evaluation.multiplierWrenches, follower) +
           regulariserGradient(evaluation, follower);
  };
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int driver = activeIndex(terms[i].driver); driver >= 0)
      hessian(driver, driver) += evaluation.bends[i] * felt(terms[i].follower);
  const auto crosses = feasibleSet_.couplings().crosses();
  for (std::size_t i = 0; i < crosses.size(); ++i) {
    const Couplings::Term &term = terms[static_cast<std::size_t>(crosses[i].term)],
                          &other = terms[static_cast<std::size_t>(crosses[i].other)];
    const int a = activeIndex(term.driver), b = activeIndex(other.driver);
    if (a < 0 || b < 0) continue;
    const double bend = evaluation.crossBends[i] * felt(term.follower);
    hessian(a, b) += bend;
    hessian(b, a) += bend;
  }
}

void Objective::move(const Pose& pose, const Eigen::VectorXd& activeStep, Eigen::VectorXd& fullStep, Pose& out) const {
  fullStep.setZero(figure_->stepSize());
  for (std::size_t k = 0; k < active_.size(); ++k) fullStep[active_[k]] = activeStep[static_cast<Eigen::Index>(k)];
  integrate(*figure_, pose, fullStep, out);
  feasibleSet_.project(out);
}

}  // namespace limber

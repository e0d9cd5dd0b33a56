// SPDX-License-Identifier: MIT
// Gradient: with g_i the sum of the wrenches of link i and its descendants, entry j of link i is S_j . g_i.
// Hessian:  with M_i the sum of the goals' inertias on link i and its descendants,
//             H_jk = S_k . h_j,   h_j = M_i S_j + 1/2 S_j x* g_i,   for every coordinate k above j,
// and within one rotation, whose three axes turn simultaneously, only its symmetric part.
#include "limber/objective/objective.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "limber/objective/sweep/coordinate_tree.h"

namespace limber {

namespace {

/// A rough bound on the rounding error of a point, relative to the length of the chain from its root plus
/// kPlaceRounding times its distance from the world's origin.
constexpr double kPositionRounding = std::numeric_limits<double>::epsilon();
constexpr double kPlaceRounding = 0.25;

/// Zeroes the rows of an inequality that holds. Their multipliers are zero, and so is their curvature.
void dropMetRows(const Residual& residual, TwistJacobian& jacobian) {
  for (Eigen::Index row = 0; row < jacobian.rows(); ++row)
    if (residual[row] == 0.0) jacobian.row(row).setZero();
}

}  // namespace

Objective::Objective(std::shared_ptr<const Figure> figure, std::vector<std::unique_ptr<Goal>> goals,
                     Regulariser regulariser, FeasibleSet feasibleSet, std::vector<int> active,
                     std::vector<Regulariser> keepPoses, StayTerm stay)
    : figure_(std::move(figure)), goals_(std::move(goals)), stay_(std::move(stay)),
      feasibleSet_(std::move(feasibleSet)), active_(std::move(active)), activeIndex_(figure_->stepSize(), -1),
      movingIndex_(activeIndex_), shifts_(goals_.size()),
      forceLimits_(goals_.size(), std::numeric_limits<double>::infinity()), isLoaded_(figure_->linkCount(), 0),
      metric_(figure_->stepSize()) {
  for (std::size_t k = 0; k < active_.size(); ++k) {
    assert(k == 0 || active_[k - 1] < active_[k]);
    assert(!feasibleSet_.couplings().isFollower(active_[k]));
    activeIndex_[active_[k]] = static_cast<int>(k);
  }
  moving_ = active_;
  for (const Couplings::Follower& follower : feasibleSet_.couplings().followers())
    for (const Couplings::Term& term : feasibleSet_.couplings().termsOf(follower))
      if (activeIndex(term.driver) >= 0) {
        moving_.push_back(follower.coordinate);
        break;
      }
  for (std::size_t k = 0; k < moving_.size(); ++k) movingIndex_[moving_[k]] = static_cast<int>(k);
  findMovingAbove();
  const auto load = [&](int link) {
    for (; link >= 0 && !isLoaded(link); link = figure_->link(link).parent) isLoaded_[link] = 1;
  };
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    shifts_[k].setZero(goals_[k]->residualSize());
    for (int which = 0; which < goals_[k]->linkCount(); ++which) load(goals_[k]->link(which));
  }
  for (const StayTerm::Body& body : stay_.bodies()) load(body.link);
  linkOf_.resize(figure_->stepSize());
  for (int i = 0; i < figure_->linkCount(); ++i)
    for (int c = 0; c < stepSize(figure_->joint(i).type); ++c) linkOf_[figure_->joint(i).stepIndex + c] = i;
  const double lengthScale = 1.0 / (figure_->meanLinkLength() * figure_->meanLinkLength());
  metric_.setOnes();
  isLength_.assign(figure_->stepSize(), 0);
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
  tree_ =
      std::make_shared<const CoordinateTree>(makeCoordinateTree(*figure_, goals_, stay_, activeIndex_, feasibleSet_));
  measure();
}

/// Computes reach_ and slides_.
void Objective::measure() {
  std::vector<double> lengths(figure_->linkCount());
  for (int i = 0; i < figure_->linkCount(); ++i) {
    double& length = lengths[i];
    const int parent = figure_->link(i).parent;
    if (parent >= 0) length = lengths[parent] + figure_->joint(i).parentFromJoint.translation.norm();
    reach_ = std::max(reach_, length);
  }
  for (const MotionTable::Slide& slide : figure_->motionTable().slides) slides_.push_back(slide.poseIndex);
  for (const MotionTable::Rotation& rotation : figure_->motionTable().rotations)
    if (rotation.shiftIndex >= 0 && figure_->link(rotation.link).parent >= 0)
      for (int axis = 0; axis < 3; ++axis) slides_.push_back(rotation.shiftIndex + axis);
}

/// The largest number in the computation of a link's position, to which rounding is relative. Metres.
double Objective::extentOf(const Pose& pose, const Kinematics& kinematics) const {
  double extent =
      std::max(reach_, figure_->meanLinkLength()) + kPlaceRounding * kinematics.origin.cwiseAbs().maxCoeff();
  for (const int slide : slides_) extent += std::abs(pose.coordinates[slide]);
  return extent;
}

void Objective::findMovingAbove() {
  std::vector<int> last(figure_->linkCount(), -1);  // at or above each link
  movingAbove_.resize(moving_.size());
  for (int i = 0; i < figure_->linkCount(); ++i) {
    const Joint& joint = figure_->joint(i);
    const int parent = figure_->link(i).parent;
    int& above = last[i];
    if (parent >= 0) above = last[parent];
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c)
      if (const int k = movingIndex_[c]; k >= 0) movingAbove_[k] = std::exchange(above, k);
  }
}

void Objective::setForceLimit(int goal, double limit) {
  assert(limit > 0.0 && goals_[goal]->linkCount() == 1);
  forceLimits_[goal] = limit;
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
  const double positionRounding = kPositionRounding * extentOf(pose, evaluation.kinematics) / figure_->meanLinkLength();
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
  feasibleSet_.couplings().differentiate(pose, evaluation.slopes, evaluation.curvatures, evaluation.crossCurvatures);
  evaluation.objective = f;
  evaluation.rounding = rounding + 4.0 * epsilon * f;
  evaluation.positionRounding = positionRounding;
  return f;
}

void Objective::sumWrenches(const Evaluation& evaluation, const std::vector<Residual>& forces,
                            std::vector<Vector6d>& wrenches) const {
  wrenches.assign(figure_->linkCount(), Vector6d::Zero());
  for (std::size_t k = 0; k < goals_.size(); ++k)
    for (int which = 0; which < goals_[k]->linkCount(); ++which)
      wrenches[goals_[k]->link(which)].noalias() += evaluation.jacobians[k][which].transpose() * forces[k];
}

/// Adds the wrenches of all descendants to each link's.
void Objective::sumUp(std::vector<Vector6d>& wrenches) const {
  for (int i = figure_->linkCount() - 1; i >= 0; --i)
    if (const int parent = figure_->link(i).parent; parent >= 0 && isLoaded(i)) wrenches[parent] += wrenches[i];
}

void Objective::addStayWrenches(const Evaluation& evaluation, std::vector<Vector6d>& wrenches) const {
  for (std::size_t i = 0; i < stay_.bodies().size(); ++i)
    wrenches[stay_.bodies()[i].link] += evaluation.stays[i].wrench;
}

double Objective::goalGradient(const Kinematics& kinematics, const std::vector<Vector6d>& wrenches,
                               int coordinate) const {
  const int link = linkOf_[coordinate];
  return isLoaded(link) ? kinematics.twists.col(coordinate).dot(wrenches[link]) : 0.0;
}

/// C' full, with full(c) the entry of step coordinate c.
template <class F>
void Objective::foldFollowers(const Evaluation& evaluation, F full, Eigen::VectorXd& gradient) const {
  gradient.resize(activeCount());
  for (int k = 0; k < activeCount(); ++k) gradient[k] = full(active_[k]);
  const auto terms = feasibleSet_.couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = activeIndex(terms[i].driver); k >= 0)
      gradient[k] += evaluation.slopes[i] * full(terms[i].follower);
}

void Objective::computeGradient(Evaluation& evaluation, Eigen::VectorXd& gradient) const {
  computeTwists(*figure_, evaluation.kinematics);
  evaluation.jacobians.resize(goals_.size());
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    evaluation.jacobians[k].resize(goals_[k]->linkCount());
    for (int which = 0; which < goals_[k]->linkCount(); ++which) {
      TwistJacobian& jacobian = evaluation.jacobians[k][which];
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
  evaluation.pulls.setConstant(figure_->stepSize(), -0.0);  // x + -0.0 is x for every x
  for (std::size_t i = 0; i < regularisers_.size(); ++i)
    regularisers_[i].addGradient(evaluation.offsets[i], evaluation.pulls);
  evaluation.fullGradient.setZero(figure_->stepSize());
  for (const int c : moving_)
    evaluation.fullGradient[c] = goalGradient(evaluation.kinematics, evaluation.wrenches, c) + evaluation.pulls[c];
  foldFollowers(
      evaluation, [&](int c) { return evaluation.fullGradient[c]; }, gradient);
}

void Objective::applyTransposedJacobian(Evaluation& evaluation, const std::vector<Residual>& forces,
                                        Eigen::VectorXd& gradient) const {
  sumWrenches(evaluation, forces, evaluation.multiplierWrenches);
  sumUp(evaluation.multiplierWrenches);
  const auto entry = [&](int c) { return goalGradient(evaluation.kinematics, evaluation.multiplierWrenches, c); };
  foldFollowers(evaluation, entry, gradient);
}

void Objective::applyJacobian(Evaluation& evaluation, const Eigen::VectorXd& activeStep,
                              std::vector<Residual>& changes) const {
  const auto& twists = evaluation.kinematics.twists;
  auto& motions = evaluation.motions;
  motions.assign(figure_->linkCount(), Vector6d::Zero());
  const auto add = [&](int coordinate, double amount) {
    motions[linkOf_[coordinate]] += amount * twists.col(coordinate);
  };
  for (int k = 0; k < activeCount(); ++k) add(active_[k], activeStep[k]);
  const auto terms = feasibleSet_.couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = activeIndex(terms[i].driver); k >= 0)
      add(terms[i].follower, evaluation.slopes[i] * activeStep[k]);
  for (int i = 0; i < figure_->linkCount(); ++i)
    if (const int parent = figure_->link(i).parent; parent >= 0) motions[i] += motions[parent];
  changes.resize(goals_.size());
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    changes[k].setZero(goals_[k]->residualSize());
    for (int which = 0; which < goals_[k]->linkCount(); ++which) {
      const TwistJacobian& jacobian = evaluation.jacobians[k][which];
      changes[k].noalias() += jacobian * motions[goals_[k]->link(which)];
    }
  }
}

namespace {

/// inertia += weight J'J, with products of fixed size.
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
    case 3: addInertia<3>(weight, jacobian, inertia); break;  // a point or a direction
    case 6: addInertia<6>(weight, jacobian, inertia); break;  // two directions
    case 9: addInertia<9>(weight, jacobian, inertia); break;  // a point and two directions
    default: inertia.noalias() += weight * jacobian.transpose().lazyProduct(jacobian);
  }
  if (curvature == Curvature::GaussNewton || !objective.isForceLimited(evaluation, goal)) return;
  const Vector6d along = jacobian.transpose() * evaluation.residuals[goal].normalized();
  inertia.noalias() -= weight * along * along.transpose();
}

void exactMultipliers(const Objective& objective, const Evaluation& evaluation, std::vector<Residual>& multipliers) {
  multipliers.resize(objective.goals().size());
  for (std::size_t k = 0; k < multipliers.size(); ++k) multipliers[k] = evaluation.weights[k] * evaluation.residuals[k];
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

/// Terms of the goals by their own links' twists; for a goal with several links only its curvature.
void Objective::gatherInertias(Evaluation& evaluation, const std::vector<Residual>& multipliers,
                               Curvature ofPulls) const {
  auto& inertias = evaluation.inertias;
  inertias.assign(figure_->linkCount(), Matrix6d::Zero());
  Matrix6d inertia;
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    const Goal& goal = *goals_[k];
    for (int which = 0; which < goal.linkCount(); ++which) {
      if (goal.linkCount() == 1) computeGoalInertia(*this, evaluation, k, multipliers[k], ofPulls, inertia);
      else goal.computeCurvature(evaluation.kinematics, multipliers[k], which, inertia);
      inertias[goal.link(which)] += inertia;
    }
  }
  for (std::size_t i = 0; i < stay_.bodies().size(); ++i) {
    StayTerm::computeInertia(stay_.bodies()[i], evaluation.stays[i], ofPulls, inertia);
    inertias[stay_.bodies()[i].link] += inertia;
  }
}

void Objective::addTreePart(Evaluation& evaluation) const {
  const auto& twists = evaluation.kinematics.twists;
  auto& inertias = evaluation.inertias;
  Eigen::MatrixXd& hessian = evaluation.movingHessian;
  for (int i = figure_->linkCount() - 1; i >= 0; --i) {
    const Joint& joint = figure_->joint(i);
    const int parent = figure_->link(i).parent;
    if (!isLoaded(i)) continue;
    if (parent >= 0) inertias[parent] += inertias[i];
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c) {
      const int row = movingIndex_[c];
      if (row < 0) continue;
      const Vector6d force = inertias[i] * twists.col(c);
      const Vector6d h = force + 0.5 * crossDual(twists.col(c), evaluation.multiplierWrenches[i]);
      // Within a joint, the axes of a rotation turn simultaneously, and translations come before it and do not turn.
      const int rotation = joint.stepIndex + scalarCount(joint);
      const int firstTogether = c >= rotation ? rotation : figure_->stepSize();
      for (int column = row; column >= 0; column = movingAbove_[column]) {
        const int d = moving_[column];
        hessian(row, column) = hessian(column, row) = twists.col(d).dot(d >= firstTogether ? force : h);
      }
    }
  }
}

/// Goals with several links couple branches: weight J'J of the whole Jacobian, and mixed second derivatives.
void Objective::addJoiningGoals(Evaluation& evaluation, const std::vector<Residual>& multipliers) const {
  const auto& twists = evaluation.kinematics.twists;
  const auto size = static_cast<Eigen::Index>(moving_.size());
  Eigen::MatrixXd& jacobian = evaluation.goalJacobian;
  auto& linkJacobians = evaluation.linkJacobians;
  Matrix6d cross;
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    const Goal& goal = *goals_[g];
    if (goal.linkCount() == 1) continue;
    linkJacobians.resize(figure_->linkCount());
    for (TwistJacobian& sum : linkJacobians) sum.setZero(goal.residualSize(), 6);
    for (int which = 0; which < goal.linkCount(); ++which)
      linkJacobians[goal.link(which)] += evaluation.jacobians[g][which];
    for (int i = figure_->linkCount() - 1; i >= 0; --i)
      if (const int parent = figure_->link(i).parent; parent >= 0) linkJacobians[parent] += linkJacobians[i];
    jacobian.resize(goal.residualSize(), size);
    for (Eigen::Index j = 0; j < size; ++j) {
      const int c = moving_[j];
      jacobian.col(j).noalias() = linkJacobians[linkOf_[c]] * twists.col(c);
    }
    evaluation.movingHessian.noalias() += goal.weight() * jacobian.transpose() * jacobian;
    if (!goal.crossesLinks()) continue;
    for (int a = 0; a < goal.linkCount(); ++a)
      for (int b = 0; b < goal.linkCount(); ++b) {
        if (a == b) continue;
        goal.computeCrossCurvature(evaluation.kinematics, multipliers[g], a, b, cross);
        for (Eigen::Index j = 0; j < size; ++j) {
          const int c = moving_[j];
          if (!figure_->isAncestorOrSelf(linkOf_[c], goal.link(a))) continue;
          const Vector6d force = cross.transpose() * twists.col(c);
          for (Eigen::Index k = 0; k < size; ++k) {
            const int d = moving_[k];
            if (figure_->isAncestorOrSelf(linkOf_[d], goal.link(b)))
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
    const int rotation = joint.stepIndex + scalarCount(joint);
    for (int c = joint.stepIndex; c < rotation; ++c)
      if (const int k = movingIndex_[c]; k >= 0) hessian(k, k) += regulariserWeights_[c];
    if (rotation == end) continue;
    const Eigen::Matrix3d block = regulariserHessian(evaluation, rotation);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        if (movingIndex_[rotation + a] >= 0 && movingIndex_[rotation + b] >= 0)
          hessian(movingIndex_[rotation + a], movingIndex_[rotation + b]) += block(a, b);
  }
}

/// C'HC + sum p'' g in place: columns, then rows. Only the active corner is needed, so the rows are that long.
void Objective::foldCouplings(Evaluation& evaluation) const {
  Eigen::MatrixXd& hessian = evaluation.movingHessian;
  const auto terms = feasibleSet_.couplings().terms();
  const auto fold = [&](auto&& addTo) {
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (const int driver = activeIndex(terms[i].driver); driver >= 0)
        addTo(driver, movingIndex_[terms[i].follower], evaluation.slopes[i]);
  };
  fold([&](int driver, int follower, double slope) { hessian.col(driver) += slope * hessian.col(follower); });
  fold([&](int driver, int follower, double slope) {
    hessian.row(driver).head(activeCount()) += slope * hessian.row(follower).head(activeCount());
  });
  const auto gradientAt = [&](int follower) {
    return goalGradient(evaluation.kinematics, evaluation.multiplierWrenches, follower) + evaluation.pulls[follower];
  };
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int driver = activeIndex(terms[i].driver); driver >= 0)
      hessian(driver, driver) += evaluation.curvatures[i] * gradientAt(terms[i].follower);
  const auto crosses = feasibleSet_.couplings().crosses();
  for (std::size_t i = 0; i < crosses.size(); ++i) {
    const Couplings::Term &term = terms[crosses[i].term], &other = terms[crosses[i].other];
    const int a = activeIndex(term.driver), b = activeIndex(other.driver);
    if (a < 0 || b < 0) continue;
    const double curvature = evaluation.crossCurvatures[i] * gradientAt(term.follower);
    hessian(a, b) += curvature;
    hessian(b, a) += curvature;
  }
}

void Objective::move(const Pose& pose, const Eigen::VectorXd& activeStep, Eigen::VectorXd& fullStep, Pose& out) const {
  fullStep.setZero(figure_->stepSize());
  for (std::size_t k = 0; k < active_.size(); ++k) fullStep[active_[k]] = activeStep[k];
  integrate(*figure_, pose, fullStep, out);
  feasibleSet_.project(out);
}

}  // namespace limber

// SPDX-License-Identifier: MIT
#include "limber/objective/objective.h"

#include <gtest/gtest.h>

#include "limber/goals/coupled_rotations_goal.h"
#include "limber/goals/link_feature.h"
#include "limber/goals/position_goal.h"
#include "limber/goals/upright_goal.h"
#include "limber/objective/sweep/hessian_product.h"
#include "limber/objective/sweep/tree_sweep.h"
#include "support/awkward_figure.h"
#include "support/dense_algebra.h"

#include <Eigen/Dense>
#include <array>
#include <cstdlib>

namespace limber::objective_test {
namespace {

// Central differences with h = 1e-5 on f of order 1e3 to 1e5: truncation h^2 f''' and rounding eps f / h, relative to
// the largest entry.
constexpr double kStep = 1e-5;
constexpr double kGradientTolerance = 1e-8;
constexpr double kHessianTolerance = 1e-8;

Eigen::VectorXd gradientAt(const Objective& objective, const Pose& pose) {
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  objective.evaluate(pose, evaluation);
  objective.computeGradient(evaluation, gradient);
  return gradient;
}

Pose movedBy(const Objective& objective, const Pose& pose, int k, double amount) {
  Pose moved;
  integrate(
      objective.figure(), pose,
      amount * Eigen::VectorXd::Unit(objective.figure().stepSize(), objective.active()[static_cast<std::size_t>(k)]),
      moved);
  objective.feasibleSet().couplings().apply(moved);
  return moved;
}

void expectDerivativesMatch(const Objective& objective, const Pose& pose) {
  Evaluation evaluation, scratch;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
  objective.evaluate(pose, evaluation);
  objective.computeGradient(evaluation, gradient);
  objective.computeHessian(evaluation, hessian);
  EXPECT_LE((hessian - hessian.transpose()).cwiseAbs().maxCoeff(), 1e-13 * hessian.cwiseAbs().maxCoeff());
  const double gradientScale = 1.0 + gradient.cwiseAbs().maxCoeff();
  const double hessianScale = 1.0 + hessian.cwiseAbs().maxCoeff();
  const int n = objective.activeCount();
  // f along two coordinates a and b at once: the step is one tangent vector, so no order of joints is preferred.
  const auto at = [&](int a, double s, int b, double t) {
    Eigen::VectorXd step = Eigen::VectorXd::Zero(objective.figure().stepSize());
    step[objective.active()[static_cast<std::size_t>(a)]] += s;
    step[objective.active()[static_cast<std::size_t>(b)]] += t;
    Pose moved;
    integrate(objective.figure(), pose, step, moved);
    objective.feasibleSet().couplings().apply(moved);
    return objective.evaluate(moved, scratch);
  };
  for (int k = 0; k < n; ++k) {
    const double difference = (objective.evaluate(movedBy(objective, pose, k, kStep), scratch) -
                               objective.evaluate(movedBy(objective, pose, k, -kStep), scratch)) /
                              (2 * kStep);
    EXPECT_NEAR(gradient[k], difference, kGradientTolerance * gradientScale) << "gradient entry " << k;
  }
  const double h = 1e-3;  // fourth-order differences of f: rounding eps f / h^2, truncation h^4
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b) {
      const auto mixed = [&](double d) {
        return (at(a, d, b, d) - at(a, d, b, -d) - at(a, -d, b, d) + at(a, -d, b, -d)) / (4 * d * d);
      };
      const double difference = (4.0 * mixed(h) - mixed(2 * h)) / 3.0;
      EXPECT_NEAR(hessian(a, b), difference, kHessianTolerance * hessianScale * 10)
          << "Hessian entry " << a << ", " << b;
    }
}

/// Half the squared distance of two links' points, and its part along an axis: curved within and across the links.
class JoiningGoal final : public Goal {
 public:
  JoiningGoal(int a, int b) : Goal(30.0), links_{a, b} {}
  int linkCount() const override { return 2; }
  int link(int which) const override { return links_[which]; }
  int residualSize() const override { return 2; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override {
    const Eigen::Vector3d d = point(kinematics, 0) - point(kinematics, 1);
    residual = Eigen::Vector2d(0.5 * d.squaredNorm(), d.dot(kAxis));
  }
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override {
    const Eigen::Vector3d d = point(kinematics, 0) - point(kinematics, 1);
    const double sign = which == 0 ? 1.0 : -1.0;
    jacobian.resize(2, 6);
    jacobian.row(0) = sign * d.transpose() * pointJacobian(kinematics, point(kinematics, which));
    jacobian.row(1) = sign * kAxis.transpose() * pointJacobian(kinematics, point(kinematics, which));
  }
  void computeCurvature(const Kinematics& kinematics, const Residual& m, int which,
                        Matrix6d& curvature) const override {
    const Eigen::Vector3d d = point(kinematics, 0) - point(kinematics, 1);
    const FeatureJacobian j = pointJacobian(kinematics, point(kinematics, which));
    const double sign = which == 0 ? 1.0 : -1.0;
    curvature = m[0] * j.transpose() * j +
                pointCurvature(kinematics, sign * (m[0] * d + m[1] * kAxis), point(kinematics, which));
  }
  bool crossesLinks() const override { return true; }
  void computeCrossCurvature(const Kinematics& kinematics, const Residual& m, int which, int other,
                             Matrix6d& curvature) const override {
    curvature = -m[0] * pointJacobian(kinematics, point(kinematics, which)).transpose() *
                pointJacobian(kinematics, point(kinematics, other));
  }

 private:
  Eigen::Vector3d point(const Kinematics& kinematics, int which) const {
    return kinematics.worldFromLink[links_[which]] * Eigen::Vector3d(0.2, -0.1 - which, 0.3);
  }
  const Eigen::Vector3d kAxis = Eigen::Vector3d(0.6, 0.0, 0.8);
  int links_[2];
};

TEST(Objective, DerivativesMatchCentralDifferencesOnAwkwardFigure) {
  std::mt19937 random(4);
  const auto figure = test::makeAwkwardFigure();
  for (int trial = 0; trial < 10; ++trial) {
    const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random);
    expectDerivativesMatch(objective, test::randomPose(*figure, random));
  }
}

TEST(Objective, DerivativesMatchWithTwoGoalsOnOneLink) {
  std::mt19937 random(5);
  const auto figure = test::makeAwkwardFigure();
  const int links[] = {6, 6, 5};
  const Objective objective = test::makeRandomObjective(figure, links, random);
  expectDerivativesMatch(objective, test::randomPose(*figure, random));
}

TEST(Objective, DerivativesMatchWhereCoordinatesFollowOthers) {
  std::mt19937 random(7);
  const auto figure = test::makeCoupledFigure();
  for (int trial = 0; trial < 5; ++trial) {
    const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random);
    EXPECT_EQ(objective.moving().size(), objective.active().size() + 3);
    expectDerivativesMatch(objective, test::randomPose(*figure, random));
  }
}

TEST(Objective, DerivativesMatchWhereBallsLead) {
  std::mt19937 random(15);
  const auto led = test::makeBallLedFigure(), alike = test::makeAlikeBallTree();
  for (int trial = 0; trial < 5; ++trial) {
    const Objective ofLed = test::makeRandomObjective(led, test::kAwkwardTips, random);
    EXPECT_EQ(ofLed.moving().size(), ofLed.active().size() + 6);
    expectDerivativesMatch(ofLed, test::randomPose(*led, random));
    test::ObjectiveOptions options;
    options.stayWeight = trial % 2 ? 300.0 : 0.0;
    const Objective ofAlike = test::makeRandomObjective(alike, test::kBallTreeTips, random, std::move(options));
    expectDerivativesMatch(ofAlike, test::randomPose(*alike, random));
  }
}

TEST(Objective, DerivativesMatchWhereACouplingIsOffOrADriverIsLocked) {
  std::mt19937 random(16);
  const auto figure = test::makeBallLedFigure();
  const std::vector<double> rigidities(static_cast<std::size_t>(figure->linkCount()), 0.2);
  Kinematics there;
  for (const bool isOff : {true, false}) {
    computeTransforms(*figure, test::randomPose(*figure, random), there);
    std::vector<std::unique_ptr<Goal>> goals;
    for (const int link : test::kAwkwardTips)
      goals.push_back(std::make_unique<PositionGoal>(link, Eigen::Vector3d(0.1, 0.2, -0.1),
                                                     there.worldFromLink[static_cast<std::size_t>(link)].translation,
                                                     500.0, figure->meanLinkLength()));
    Limits limits = limitsOf(*figure);
    if (isOff) limits.couplingEnabled = {0, 1, 0, 1};
    FeasibleSet feasible(*figure, limits);
    std::vector<int> active;
    for (int c = 0; c < figure->stepSize(); ++c) {
      const int hip = figure->joint(7).stepIndex;
      if (!feasible.couplings().isFollower(c) && (isOff || c < hip || c >= hip + 3)) active.push_back(c);
    }
    const Objective objective(figure, std::move(goals),
                              Regulariser(*figure, test::randomPose(*figure, random), 1.0, rigidities),
                              std::move(feasible), std::move(active));
    Pose pose = test::randomPose(*figure, random);
    objective.feasibleSet().couplings().apply(pose);
    expectDerivativesMatch(objective, pose);
  }
}

TEST(Objective, DerivativesMatchWhereGoalsJoinLinks) {
  std::mt19937 random(8);
  for (const auto& figure : {test::makeAwkwardFigure(), test::makeCoupledFigure(), test::makeBallLedFigure()})
    for (const auto& [a, b] : {std::pair{6, 9}, std::pair{6, 4}, std::pair{0, 9}}) {
      test::ObjectiveOptions options;
      options.furtherGoals.push_back(std::make_unique<JoiningGoal>(a, b));
      const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random, std::move(options));
      expectDerivativesMatch(objective, test::randomPose(*figure, random));
    }
}

/// The terms of a pose prior: matrices on the ball joints, correlated joints, an upright link.
Objective makePriorObjective(std::shared_ptr<const Figure> figure, std::span<const int> tips,
                             const std::array<int, 3>& coupled, std::mt19937& random) {
  const auto turn = [&] { return exponential(2.0 * Eigen::Vector3d::Random()).normalized(); };
  std::srand(random());
  test::ObjectiveOptions options;
  const std::vector<double> none(static_cast<std::size_t>(figure->linkCount()), 0.0);
  Regulariser prior(*figure, test::randomPose(*figure, random), none);
  for (const Joint& joint : figure->joints()) {
    if (!hasRotation(joint)) continue;
    const Eigen::Matrix3d root = 3.0 * Eigen::Matrix3d::Random();
    prior.setRotationWeight(joint.stepIndex + (joint.type == JointType::Free ? 3 : 0), root * root.transpose());
  }
  options.keepPoses.push_back(std::move(prior));
  std::array<CoupledRotationsGoal::Part, 3> parts;
  for (std::size_t i = 0; i < 3; ++i) parts[i] = {coupled[i], turn().toRotationMatrix()};
  options.furtherGoals.push_back(std::make_unique<CoupledRotationsGoal>(
      parts, std::array{turn(), turn()}, CoupledRotationsGoal::Rows(Eigen::Matrix<double, 2, 6>::Random()), 40.0));
  options.furtherGoals.push_back(
      std::make_unique<UprightGoal>(coupled[1], turn().toRotationMatrix(), Eigen::Vector3d(2.0, 1.0, 3.0), 30.0));
  return test::makeRandomObjective(std::move(figure), tips, random, std::move(options));
}

constexpr std::array<int, 3> kCoupledAwkward = {3, 6, 9}, kCoupledBalls = {1, 3, 5};

TEST(Objective, DerivativesMatchWithAPosePrior) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 4; ++trial) {
    const auto balls = test::makeBallTree(), awkward = test::makeAwkwardFigure(), coupled = test::makeCoupledFigure();
    expectDerivativesMatch(makePriorObjective(balls, test::kBallTreeTips, kCoupledBalls, random),
                           test::randomPose(*balls, random));
    expectDerivativesMatch(makePriorObjective(awkward, test::kAwkwardTips, kCoupledAwkward, random),
                           test::randomPose(*awkward, random));
    expectDerivativesMatch(makePriorObjective(coupled, test::kAwkwardTips, kCoupledAwkward, random),
                           test::randomPose(*coupled, random));
  }
}

TEST(Objective, SweepAndProductsAgreeWithTheHessianOfAPosePrior) {
  std::mt19937 random(12);
  for (int trial = 0; trial < 40; ++trial) {
    const auto figure = trial % 2 ? test::makeBallTree() : test::makeAlikeBallTree();
    const Objective objective = makePriorObjective(figure, test::kBallTreeTips, kCoupledBalls, random);
    const Pose pose = test::randomPose(*figure, random);
    Evaluation evaluation;
    Eigen::VectorXd gradient, direction, product;
    Eigen::MatrixXd hessian;
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    objective.computeHessian(evaluation, hessian);
    HessianProduct times;
    times.prepare(objective, evaluation);
    const Eigen::VectorXd v = Eigen::VectorXd::Random(objective.activeCount());
    times.apply(v, product);
    EXPECT_LT((product - hessian * v).norm(), 1e-12 * (1.0 + product.norm()));
    std::vector<Residual> multipliers;
    exactMultipliers(objective, evaluation, multipliers);
    TreeSweep sweep;
    sweep.assemble(objective, evaluation, multipliers);
    const double lambda = 2.0 * hessian.norm();  // far from singular
    const FreeSpace space{std::vector<char>(static_cast<std::size_t>(objective.activeCount()), 1)};
    const Eigen::VectorXd metric = Eigen::VectorXd::Ones(objective.activeCount());
    ASSERT_TRUE(sweep.factor(lambda, space, metric));
    sweep.solve(direction);
    hessian.diagonal().array() += lambda;
    EXPECT_LT((direction + test::solveSymmetric(hessian, gradient)).norm(), 1e-9 * direction.norm());
  }
}

TEST(Objective, DerivativesMatchWithKeptPosesAndShifts) {
  std::mt19937 random(9);
  const auto figure = test::makeCoupledFigure();
  test::ObjectiveOptions options;
  const std::vector<double> rigidities(static_cast<std::size_t>(figure->linkCount()), 0.3);
  options.keepPoses.emplace_back(*figure, test::randomPose(*figure, random), 7.0, rigidities);
  Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random, std::move(options));
  objective.setResidualShift(1, Eigen::Vector3d(0.3, -0.2, 0.5));
  expectDerivativesMatch(objective, test::randomPose(*figure, random));
}

TEST(Objective, DerivativesMatchWhereLinksStay) {
  std::mt19937 random(11);
  for (const auto& figure : {test::makeAwkwardFigure(), test::makeCoupledFigure(), test::makeBallTree()})
    for (int trial = 0; trial < 5; ++trial) {
      test::ObjectiveOptions options;
      options.stayWeight = 300.0;
      const Objective objective = test::makeRandomObjective(figure, test::kBallTreeTips, random, std::move(options));
      ASSERT_GT(objective.stay().bodies().size(), 2u);
      expectDerivativesMatch(objective, test::randomPose(*figure, random));
    }
}

TEST(Objective, DerivativesMatchOnBothSidesOfALimitedForce) {
  std::mt19937 random(12);
  const auto figure = test::makeAwkwardFigure();
  int limited = 0;
  for (int trial = 0; trial < 10; ++trial) {
    test::ObjectiveOptions options;
    options.forceLimit = trial % 2 ? 0.3 : 30.0;
    options.stayWeight = 100.0;
    const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random, std::move(options));
    const Pose pose = test::randomPose(*figure, random);
    expectDerivativesMatch(objective, pose);
    Evaluation evaluation;
    objective.evaluate(pose, evaluation);
    limited += objective.isForceLimited(evaluation, 0);
  }
  EXPECT_EQ(limited, 5);
}

TEST(Objective, JacobianProductsAgreeWithTheGradientAndDifferences) {
  std::mt19937 random(10);
  const auto figure = test::makeCoupledFigure();
  test::ObjectiveOptions options;
  options.restWeight = 0.0;
  options.furtherGoals.push_back(std::make_unique<JoiningGoal>(6, 9));
  const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random, std::move(options));
  const Pose pose = test::randomPose(*figure, random);
  Evaluation evaluation, moved;
  Eigen::VectorXd gradient, transposed;
  std::vector<Residual> changes;
  objective.evaluate(pose, evaluation);
  objective.computeGradient(evaluation, gradient);
  objective.applyTransposedJacobian(evaluation, evaluation.forces, transposed);
  EXPECT_LT((gradient - transposed).cwiseAbs().maxCoeff(), 1e-12 * gradient.cwiseAbs().maxCoeff());
  for (int k = 0; k < objective.activeCount(); ++k) {
    objective.applyJacobian(evaluation, Eigen::VectorXd::Unit(objective.activeCount(), k), changes);
    objective.evaluate(movedBy(objective, pose, k, kStep), moved);
    std::vector<Residual> plus = moved.residuals;
    objective.evaluate(movedBy(objective, pose, k, -kStep), moved);
    for (std::size_t g = 0; g < changes.size(); ++g)
      EXPECT_LT(((plus[g] - moved.residuals[g]) / (2 * kStep) - changes[g]).cwiseAbs().maxCoeff(), 1e-6) << k;
  }
}

TEST(Objective, HessianMatchesDifferencesOfTheGradientForHinges) {
  std::mt19937 random(6);
  const Objective objective = test::makeChainObjective(7, {2.0, 3.0, 0.0});
  const Pose pose = test::randomPose(objective.figure(), random);
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
  objective.evaluate(pose, evaluation);
  objective.computeGradient(evaluation, gradient);
  objective.computeHessian(evaluation, hessian);
  for (int k = 0; k < 7; ++k) {
    const Eigen::VectorXd difference = (gradientAt(objective, movedBy(objective, pose, k, kStep)) -
                                        gradientAt(objective, movedBy(objective, pose, k, -kStep))) /
                                       (2 * kStep);
    EXPECT_LT((difference - hessian.col(k)).cwiseAbs().maxCoeff(), 1e-9 * hessian.cwiseAbs().maxCoeff());
  }
}

/// Values printed in the assignment.
struct Reference {
  int links;
  Eigen::Vector3d target;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
};

std::vector<Reference> assignmentReferences() {
  Eigen::MatrixXd two(2, 2), four(4, 4);
  two << 2001, 1000, 1000, 1;
  four << 12001, 9000, 6000, 3000, 9000, 6001, 4000, 2000, 6000, 4000, 2001, 1000, 3000, 2000, 1000, 1;
  return {{1, {0, 1, 0}, Eigen::VectorXd::Constant(1, -1000), Eigen::MatrixXd::Constant(1, 1, 1)},
          {2, {1, 1, 0}, Eigen::Vector2d(-2000, -1000), two},
          {4, {3, 1, 0}, Eigen::Vector4d(-4000, -3000, -2000, -1000), four}};
}

TEST(Objective, AssignmentValuesOfFGradientAndHessian) {
  for (const Reference& reference : assignmentReferences()) {
    const Objective objective = test::makeChainObjective(reference.links, reference.target);
    Evaluation evaluation;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
    EXPECT_NEAR(objective.evaluate(restPose(objective.figure()), evaluation), 1000.0, 1e-12);
    objective.computeGradient(evaluation, gradient);
    objective.computeHessian(evaluation, hessian);
    EXPECT_LE((gradient - reference.gradient).cwiseAbs().maxCoeff(), 1e-12) << reference.links << " links";
    EXPECT_LE((hessian - reference.hessian).cwiseAbs().maxCoeff(), 1e-12) << reference.links << " links\n" << hessian;
  }
}

TEST(Objective, AssignmentValuesOfPositionAndItsDerivatives) {
  for (const int n : {1, 2, 4}) {
    const Objective objective = test::makeChainObjective(n, {0, 0, 0}, 1.0, 0.0);
    Evaluation evaluation;
    Eigen::VectorXd gradient;
    objective.evaluate(restPose(objective.figure()), evaluation);
    objective.computeGradient(evaluation, gradient);
    const Eigen::Vector3d x = evaluation.residuals[0];  // the target is the origin
    EXPECT_LE((x - Eigen::Vector3d(n, 0, 0)).norm(), 1e-12);
    TwistJacobian jacobian;
    objective.goals()[0]->computeJacobian(evaluation.kinematics, 0, jacobian);
    for (int j = 0; j < n; ++j) {
      const Eigen::Vector3d first = jacobian * evaluation.kinematics.twists.col(j);
      EXPECT_LE((first - Eigen::Vector3d(0, n - j, 0)).norm(), 1e-12);
    }
    // x''_jk, one component at a time: the Hessian of the potential m . x with the reference multipliers.
    for (int component = 0; component < 2; ++component) {
      Matrix6d curvature;
      const Residual m = Eigen::Vector3d::Unit(component);
      objective.goals()[0]->computeCurvature(evaluation.kinematics, m, 0, curvature);
      const Vector6d wrench = jacobian.transpose() * m;
      for (int j = 0; j < n; ++j)
        for (int k = j; k < n; ++k) {
          const auto upper = evaluation.kinematics.twists.col(j);
          const auto lower = evaluation.kinematics.twists.col(k);
          const double second = upper.dot(curvature * lower + 0.5 * crossDual(lower, wrench));
          EXPECT_NEAR(second, component == 0 ? -(n - std::max(j, k)) : 0.0, 1e-12);
        }
    }
  }
}

}  // namespace
}  // namespace limber::objective_test

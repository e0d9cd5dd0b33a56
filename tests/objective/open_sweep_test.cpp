// SPDX-License-Identifier: MIT
// The sweep where coordinates follow others, linear limits tie scalars and goals join links, against a dense solution
// in long double that shares no code with it.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "limber/goals/centre_of_mass_goal.h"
#include "limber/goals/distance_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/goals/relative_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/objective/sweep/newton_system.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/dense_algebra.h"
#include "support/long_double_hessian.h"

namespace limber::open_sweep_test {
namespace {

using test::LongMatrix;
using test::LongVector;

double uniform(std::mt19937& random, double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(random);
}

int pick(std::mt19937& random, int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); }

Eigen::Vector3d vectorWithin(std::mt19937& random, double size) {
  const double x = uniform(random, -size, size), y = uniform(random, -size, size), z = uniform(random, -size, size);
  return {x, y, z};
}

/// A tree of every joint type with masses; some scalars follow one or two others, above or below them, by curves, or
/// how a ball's bone points; some balls turn as others; sums of scalars are limited to almost nothing, so that limits
/// hold.
std::shared_ptr<const Figure> makeTiedFigure(std::mt19937& random, int coordinates, int groups = 3) {
  FigureBuilder builder("tied");
  constexpr JointType kTypes[] = {JointType::Revolute, JointType::Revolute,  JointType::Revolute,
                                  JointType::Ball,     JointType::Prismatic, JointType::Fixed};
  std::vector<int> scalars, balls;
  for (int i = 0, count = 0; count < coordinates; ++i) {
    Joint joint{.name = "joint " + std::to_string(i)};
    joint.type = i == 0 && coordinates > 6 ? JointType::Free : kTypes[pick(random, 6)];
    joint.axis = vectorWithin(random, 1.0).normalized();
    joint.parentFromJoint = {exponential(vectorWithin(random, 1.0)).toRotationMatrix(), vectorWithin(random, 0.5)};
    const int parent = i == 0 ? -1 : std::max(0, i - 1 - (pick(random, 5) == 0 ? 3 : 0));
    const int link = builder.addLink({.name = "link " + std::to_string(i),
                                      .parent = parent,
                                      .mass = uniform(random, 0.1, 2.0),
                                      .centreOfMass = vectorWithin(random, 0.2)},
                                     joint);
    if (joint.type == JointType::Revolute || joint.type == JointType::Prismatic) scalars.push_back(link);
    if (joint.type == JointType::Ball) balls.push_back(link);
    count += stepSize(joint.type);
  }
  std::shuffle(scalars.begin(), scalars.end(), random);
  std::shuffle(balls.begin(), balls.end(), random);
  const auto next = [&] {
    const int scalar = scalars.back();
    scalars.pop_back();
    return scalar;
  };
  for (int k = 0; k < groups && scalars.size() >= 5; ++k) {
    const int driver = next(), other = next();
    builder.addCoupling(
        {.name = "group",
         .follower = next(),
         .offset = 0.1,
         .terms = {{driver, {uniform(random, -1.0, 1.0), 0.3, -0.2, 0.05}}, {other, {0.4, 0.0, 0.0, 0.0}}}});
    builder.addCoupling(
        {.name = "group", .follower = next(), .offset = 0.0, .terms = {{driver, {0.7, 0.0, 0.1, 0.0}}}});
    if (!scalars.empty() && k % 2 == 0)
      builder.addLinearLimit(
          {.name = "side " + std::to_string(k), .terms = {{driver, 0.5}, {next(), 1.0}}, .bounds = {-0.01, 0.01}});
  }
  for (int k = 0; k < groups && balls.size() >= 2 && !scalars.empty(); ++k) {
    const auto nextBall = [&] {
      const int ball = balls.back();
      balls.pop_back();
      return ball;
    };
    const auto pointing = [&] {
      return Coupling::Pointing{vectorWithin(random, 1.0).normalized(), vectorWithin(random, 1.0).normalized()};
    };
    const int driver = nextBall();
    builder.addCoupling({.name = "balls", .follower = nextBall(), .terms = {{.driver = driver}}});
    builder.addCoupling({.name = "balls",
                         .follower = next(),
                         .offset = 0.2,
                         .terms = {{driver, {uniform(random, -1.0, 1.0), 0.4, -0.3, 0.1}, pointing()},
                                   {balls.empty() ? driver : balls.back(), {-0.5, 0.2, 0.0, 0.0}, pointing()}}});
  }
  if (scalars.size() >= 3)
    builder.addLinearLimit(
        {.name = "sum", .terms = {{next(), 1.0}, {next(), -0.6}, {next(), 0.3}}, .bounds = {-0.01, 0.02}});
  return test::built(builder);
}

/// Goals, and the same for the oracle.
struct Asked {
  std::vector<std::unique_ptr<Goal>> goals;
  std::vector<test::ReachGoal> reaches;
  std::vector<test::SpreadGoal> spread;
};

struct Asking {
  const Figure& figure;
  Kinematics kinematics;
  double unit;
  std::mt19937& random;
  double weightScale = 1.0;
  Asked asked;

  Asking(const Figure& of, const Pose& near, std::mt19937& from) : figure(of), unit(of.meanLinkLength()), random(from) {
    computeTransforms(figure, near, kinematics);
  }
  double weight() { return weightScale * uniform(random, 100.0, 1000.0); }
  int link() { return pick(random, figure.linkCount()); }
  Eigen::Vector3d worldOf(int link, const Eigen::Vector3d& point) const {
    return kinematics.worldFromLink[static_cast<std::size_t>(link)] * point;
  }

  void reach() {
    const int at = std::max(link(), figure.linkCount() / 2);
    const Eigen::Vector3d point = vectorWithin(random, 0.3), target = worldOf(at, point) + vectorWithin(random, 0.2);
    asked.reaches.push_back({at, point, target, weight()});
    asked.goals.push_back(std::make_unique<PositionGoal>(at, point, target, asked.reaches.back().weight, unit));
  }

  std::pair<int, int> twoLinks() {
    const int a = link();
    return {a, (a + 1 + pick(random, figure.linkCount() - 1)) % figure.linkCount()};
  }

  void hold() {
    const auto [a, b] = twoLinks();
    const std::array<double, 2> scale = {0.7, 0.4};
    const double share = 0.6, w = weight();
    const RelativeGoal::End ends[] = {
        {a, vectorWithin(random, 0.3), exponential(vectorWithin(random, 1.0)).toRotationMatrix()},
        {b, vectorWithin(random, 0.3), exponential(vectorWithin(random, 1.0)).toRotationMatrix()}};
    asked.goals.push_back(std::make_unique<RelativeGoal>(ends[0], ends[1], scale, share, w, unit));
    test::SpreadGoal goal{.constant = Eigen::VectorXd::Zero(9), .weight = w};
    const double factors[] = {std::sqrt(share) / unit, std::sqrt(1.0 - share) * scale[0],
                              std::sqrt(1.0 - share) * scale[1]};
    for (int end = 0; end < 2; ++end)
      for (int which = 0; which < 3; ++which) {
        Eigen::MatrixXd factor = Eigen::MatrixXd::Zero(9, 3);
        factor.middleRows<3>(3 * which) = (end == 0 ? 1.0 : -1.0) * factors[which] * Eigen::Matrix3d::Identity();
        const Eigen::Vector3d vector =
            which == 0 ? ends[end].pointInLink : Eigen::Vector3d(ends[end].frameInLink.col(which - 1));
        goal.features.push_back({ends[end].link, vector, which > 0, factor});
      }
    asked.spread.push_back(goal);
  }

  void keepDistance() {
    const auto [a, b] = twoLinks();
    const DistanceGoal::End ends[] = {{a, vectorWithin(random, 0.3)}, {b, vectorWithin(random, 0.3)}};
    const double w = weight(), lower = uniform(random, 0.05, 2.0);
    const Interval distance{lower, lower + (pick(random, 2) ? 0.1 : 0.0)};
    asked.goals.push_back(std::make_unique<DistanceGoal>(ends[0], ends[1], distance, w, unit));
    test::SpreadGoal goal{.constant = Eigen::VectorXd::Zero(3),
                          .weight = w,
                          .isDistance = true,
                          .softening = 1e-3 * unit,
                          .lower = std::hypot(distance.lower, 1e-3 * unit),
                          .upper = std::hypot(distance.upper, 1e-3 * unit),
                          .unit = unit};
    for (int end = 0; end < 2; ++end)
      goal.features.push_back(
          {ends[end].link, ends[end].point, false, (end == 0 ? 1.0 : -1.0) * Eigen::Matrix3d::Identity()});
    asked.spread.push_back(goal);
  }

  void balance() {
    const Eigen::Vector3d target = vectorWithin(random, 0.5);
    const double w = weight();
    asked.goals.push_back(std::make_unique<CentreOfMassGoal>(figure, target, w, unit));
    double mass = 0.0;
    for (const Link& link : figure.links()) mass += link.mass;
    test::SpreadGoal goal{.constant = Eigen::Vector2d(target.x(), target.z()) / unit, .weight = w};
    for (int i = 0; i < figure.linkCount(); ++i) {
      Eigen::MatrixXd factor = Eigen::MatrixXd::Zero(2, 3);
      factor(0, 0) = factor(1, 2) = figure.link(i).mass / (mass * unit);
      goal.features.push_back({i, figure.link(i).centreOfMass, false, factor});
    }
    asked.spread.push_back(goal);
  }

  void anything(int count) {
    for (int k = 0; k < count; ++k) switch (pick(random, figure.linkCount() > 1 ? 5 : 1)) {
        case 0:
        case 1: reach(); break;
        case 2: hold(); break;
        case 3: keepDistance(); break;
        default: balance();
      }
  }
};

Objective makeObjective(const std::shared_ptr<const Figure>& figure, std::vector<std::unique_ptr<Goal>> goals,
                        const Pose& reference, double restWeight = 1.0) {
  FeasibleSet feasible(*figure, limitsOf(*figure));
  std::vector<int> active;
  for (int c = 0; c < figure->stepSize(); ++c)
    if (!feasible.couplings().isFollower(c)) active.push_back(c);
  const std::vector<double> rigidities(static_cast<std::size_t>(figure->linkCount()), 0.0);
  return Objective(figure, std::move(goals), Regulariser(*figure, reference, restWeight, rigidities),
                   std::move(feasible), std::move(active));
}

/// A problem at a pose, by the oracle and for the system.
struct Place {
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  FreeSpace space;
  std::vector<Residual> multipliers;
  LongVector exactGradient;
  LongMatrix exactHessian;  ///< H + C
  Eigen::MatrixXd projector;
  int held = 0;

  void take(const Objective& objective, const Asked& asked, Pose pose) {
    objective.feasibleSet().project(pose);
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    objective.feasibleSet().findFreeSpace(pose, gradient, space);
    exactMultipliers(objective, evaluation, multipliers);
    const auto full =
        test::computeLongReach(objective.figure(), pose, asked.reaches, objective.regularisers().front(), asked.spread);
    const auto folded = test::foldFollowers(full, objective, pose);
    exactGradient = folded.gradient;
    exactHessian = folded.hessian;
    held = 0;
    for (const auto& block : space.blocks) {
      held += block.held > 0;
      for (std::size_t i = 0; i < block.active.size(); ++i)
        for (std::size_t j = 0; j < block.active.size(); ++j)
          exactHessian(block.active[i], block.active[j]) +=
              block.curvature(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
    const auto n = gradient.size();
    projector.resize(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      Eigen::VectorXd e = Eigen::VectorXd::Unit(n, k);
      space.project(e);
      projector.col(k) = e;
    }
  }

  LongMatrix damped(double lambda, const Eigen::VectorXd& metric) const {
    LongMatrix hessian = exactHessian;
    hessian.diagonal() += static_cast<long double>(lambda) * metric.cast<long double>();
    return hessian;
  }

  /// Lowest curvature over what is free, in the metric.
  double lowest(const Eigen::VectorXd& metric) const {
    const LongMatrix n = test::rangeOf(projector).cast<long double>();
    if (n.cols() == 0) return 1.0;
    return test::lowestEigenvalue(test::restrictedTo(n, exactHessian),
                                  test::restrictedTo(n, metric.cast<long double>().asDiagonal()));
  }

  LongVector step(double lambda, const Eigen::VectorXd& metric) const {
    const LongMatrix n = test::rangeOf(projector).cast<long double>();
    return -n * test::solveSymmetric(test::restrictedTo(n, damped(lambda, metric)), n.transpose() * exactGradient);
  }
};

TEST(OpenSweep, StepIsWithinABillionthOfTheExactOne) {
  std::mt19937 random(31);
  NewtonSystem system;
  Place place;
  Eigen::VectorXd step;
  int held = 0, shaped = 0;
  for (const int coordinates : {3, 10, 30, 60, 100})
    for (int trial = 0; trial < 12; ++trial) {
      const auto figure = makeTiedFigure(random, coordinates, coordinates / 12 + 1);
      const Pose pose = test::randomPose(*figure, random), reference = test::randomPose(*figure, random);
      Asking asking(*figure, pose, random);
      asking.anything(4);
      const Objective objective = makeObjective(figure, std::move(asking.asked.goals), reference);
      place.take(objective, asking.asked, pose);
      EXPECT_LT((place.gradient - place.exactGradient.cast<double>()).norm(),
                1e-10 * (1.0 + static_cast<double>(place.exactGradient.norm())));
      system.assemble(objective, place.evaluation, place.multipliers);
      system.factor(0.0, place.space);
      const double lambda = std::max(0.0, -1.1 * place.lowest(system.metric()));
      ASSERT_TRUE(system.factor(lambda, place.space)) << coordinates << " coordinates, trial " << trial;
      system.solve(step);
      const LongVector exact = place.step(lambda, system.metric());
      EXPECT_LT((step - exact.cast<double>()).norm(), 1e-9 * static_cast<double>(exact.norm()))
          << coordinates << " coordinates, trial " << trial;
      held += place.held > 0;
      shaped += !objective.tree().drivers.empty();
    }
  EXPECT_GT(held, 10);
  EXPECT_GT(shaped, 20);
}

TEST(OpenSweep, NoVerdictIsWrongInTenThousandStates) {
  std::mt19937 random(32);
  NewtonSystem system;
  Place place;
  Eigen::VectorXd v;
  int definite = 0, indefinite = 0;
  for (int f = 0; f < 200; ++f) {
    const auto figure = makeTiedFigure(random, 4 + f % 17, 1 + f % 2);
    const Pose reference = test::randomPose(*figure, random);
    Asking asking(*figure, test::randomPose(*figure, random), random);
    asking.anything(1 + f % 4);
    const Objective objective = makeObjective(figure, std::move(asking.asked.goals), reference);
    for (int trial = 0; trial < 50; ++trial) {
      place.take(objective, asking.asked, test::randomPose(*figure, random));
      if (trial % 5 == 0) std::fill(place.space.free.begin(), place.space.free.end(), 1);
      system.assemble(objective, place.evaluation, place.multipliers);
      system.factor(0.0, place.space);
      const double lowest = place.lowest(system.metric());
      const double lambda = uniform(random, 0.0, 2.0) * std::abs(lowest);
      const bool isDefinite = lowest + lambda > 0.0;
      (isDefinite ? definite : indefinite) += 1;
      ASSERT_EQ(system.factor(lambda, place.space), isDefinite) << "figure " << f << ", trial " << trial;
      if (isDefinite) continue;
      const double bound = system.curvatureDirection(v);
      const double curvature =
          static_cast<double>(v.cast<long double>().dot(place.damped(lambda, system.metric()) * v.cast<long double>()));
      const double rounding = 1e-10 * static_cast<double>(place.exactHessian.cwiseAbs().maxCoeff()) * v.squaredNorm();
      EXPECT_GT(v.norm(), 0.0);
      EXPECT_LE(curvature, bound + rounding) << "figure " << f << ", trial " << trial;
      EXPECT_LE(bound, 0.0);
      EXPECT_LT((place.projector * v - v).norm(), 1e-10 * v.norm()) << "figure " << f << ", trial " << trial;
    }
  }
  EXPECT_GT(definite, 1000);
  EXPECT_GT(indefinite, 1000);
}

TEST(OpenSweep, ResidualsAndCorrectionsAgreeWithTheJacobian) {
  std::mt19937 random(33);
  NewtonSystem system;
  Place place;
  Eigen::VectorXd step, correction, expected;
  std::vector<Residual> linear, changes, forces;
  for (int trial = 0; trial < 200; ++trial) {
    const auto figure = makeTiedFigure(random, 4 + trial % 30, 2);
    const Pose pose = test::randomPose(*figure, random);
    Asking asking(*figure, pose, random);
    asking.anything(3);
    const Objective objective = makeObjective(figure, std::move(asking.asked.goals), test::randomPose(*figure, random));
    place.take(objective, asking.asked, pose);
    system.assemble(objective, place.evaluation, place.multipliers);
    system.factor(0.0, place.space);
    const double lambda = std::max(0.0, -1.5 * place.lowest(system.metric())) + 1.0;
    ASSERT_TRUE(system.factor(lambda, place.space));
    system.solve(step);
    system.linearResiduals(linear);
    objective.applyJacobian(place.evaluation, step, changes);
    for (std::size_t k = 0; k < linear.size(); ++k)
      EXPECT_LT((linear[k] - place.evaluation.residuals[k] - changes[k]).norm(), 1e-9 * (1.0 + changes[k].norm()))
          << trial;
    for (Residual& residual : linear)
      for (double& r : residual) r = uniform(random, -1.0, 1.0);
    system.solveForResiduals(linear, correction);
    forces.resize(linear.size());
    for (std::size_t k = 0; k < linear.size(); ++k) forces[k] = objective.goals()[k]->weight() * linear[k];
    objective.applyTransposedJacobian(place.evaluation, forces, expected);
    place.exactGradient = expected.cast<long double>();
    const LongVector exact = place.step(lambda, system.metric());
    EXPECT_LT((correction - exact.cast<double>()).norm(), 1e-9 * static_cast<double>(exact.norm()) + 1e-14) << trial;
  }
}

TEST(OpenSweep, HostileWeightsLeaveASmallResidual) {
  std::mt19937 random(34);
  NewtonSystem system;
  Place place;
  Eigen::VectorXd step;
  for (const double goalWeight : {1e-9, 1e-3, 1e5})
    for (const double restWeight : {1e-6, 1.0, 1e6})
      for (int trial = 0; trial < 20; ++trial) {
        const auto figure = makeTiedFigure(random, 8 + trial, 2);
        const Pose pose = test::randomPose(*figure, random);
        Asking asking(*figure, pose, random);
        asking.weightScale = goalWeight;
        asking.anything(3);
        const Objective objective =
            makeObjective(figure, std::move(asking.asked.goals), test::randomPose(*figure, random), restWeight);
        place.take(objective, asking.asked, pose);
        system.assemble(objective, place.evaluation, place.multipliers);
        system.factor(0.0, place.space);
        const double lambda = std::max(0.0, -1.5 * place.lowest(system.metric()));
        ASSERT_TRUE(system.factor(lambda, place.space)) << goalWeight << ", " << restWeight << ", " << trial;
        system.solve(step);
        const LongMatrix hessian = place.damped(lambda, system.metric()), p = place.projector.cast<long double>();
        const LongVector left = p * (hessian * step.cast<long double>() + place.exactGradient);
        const double scale = static_cast<double>(hessian.cwiseAbs().maxCoeff()) * step.norm() + place.gradient.norm();
        EXPECT_LT(static_cast<double>(left.norm()), 1e-9 * scale) << goalWeight << ", " << restWeight << ", " << trial;
      }
}

TEST(OpenSweep, WarmStepsAllocateNothing) {
  std::mt19937 random(35);
  NewtonSystem system;
  Eigen::VectorXd step;
  std::vector<Residual> linear;
  for (int trial = 0; trial < 20; ++trial) {
    const auto figure = makeTiedFigure(random, 40, 3);
    const Pose pose = test::randomPose(*figure, random);
    Asking asking(*figure, pose, random);
    asking.hold();
    asking.keepDistance();
    asking.balance();
    const Objective objective = makeObjective(figure, std::move(asking.asked.goals), pose);
    Place place;
    place.take(objective, asking.asked, pose);
    std::size_t before = 0;
    for (int round = 0; round < 2; ++round) {
      before = test::allocationCount();
      system.assemble(objective, place.evaluation, place.multipliers);
      if (!system.factor(0.0, place.space)) system.curvatureDirection(step);
      if (!system.factor(1e7, place.space)) ADD_FAILURE();
      system.solve(step);
      system.linearResiduals(linear);
      system.solveForResiduals(linear, step);
    }
    EXPECT_EQ(test::allocationCount(), before) << trial;
  }
}

TEST(OpenSweep, WithoutRegularisersTheVerdictStillHolds) {
  std::mt19937 random(36);
  NewtonSystem system;
  Place place;
  Eigen::VectorXd step;
  for (int trial = 0; trial < 200; ++trial) {
    const auto figure = makeTiedFigure(random, 3 + trial % 12, 1);
    const Pose pose = test::randomPose(*figure, random);
    Asking asking(*figure, pose, random);
    asking.anything(4);
    const Objective objective = makeObjective(figure, std::move(asking.asked.goals), pose, 0.0);
    place.take(objective, asking.asked, pose);
    system.assemble(objective, place.evaluation, place.multipliers);
    system.factor(0.0, place.space);
    const double lambda = 1e-6 + std::max(0.0, -1.5 * place.lowest(system.metric()));
    ASSERT_TRUE(system.factor(lambda, place.space)) << trial;
    system.solve(step);
    EXPECT_TRUE(step.allFinite());
    const LongMatrix hessian = place.damped(lambda, system.metric()), p = place.projector.cast<long double>();
    const LongVector left = p * (hessian * step.cast<long double>() + place.exactGradient);
    EXPECT_LT(static_cast<double>(left.norm()),
              1e-9 * (static_cast<double>(hessian.cwiseAbs().maxCoeff()) * step.norm() + place.gradient.norm()))
        << trial;
  }
}

}  // namespace
}  // namespace limber::open_sweep_test

// SPDX-License-Identifier: MIT
#include "limber/objective/stay_term.h"

#include <gtest/gtest.h>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/objective/sweep/hessian_product.h"
#include "limber/objective/sweep/tree_sweep.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"

namespace limber::stay_term_test {
namespace {

Link boneOf(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double radius) {
  Link link;
  link.capsules = {{start, end, radius}};
  return link;
}

TEST(StayTerm, MomentsOfABoneAreThoseOfARod) {
  const Eigen::Matrix3d moments = secondMoments(boneOf({0.1, 0, 0}, {0.7, 0, 0}, 0.05));
  EXPECT_NEAR(moments(0, 0), 0.36 / 12.0 + 0.25 * 0.0025, 1e-15);
  EXPECT_NEAR(moments(1, 1), 0.25 * 0.0025, 1e-15);
  EXPECT_NEAR(moments(0, 1), 0.0, 1e-15);
}

TEST(StayTerm, TwoHalvesOfARodAreTheRod) {
  Link halves = boneOf({0, 0, 0}, {0.3, 0, 0}, 1e-9);
  halves.capsules.push_back({{0.3, 0, 0}, {0.6, 0, 0}, 1e-9});
  EXPECT_LT((secondMoments(halves) - secondMoments(boneOf({0, 0, 0}, {0.6, 0, 0}, 1e-9))).norm(), 1e-9);
}

/// The integral over a body as a sum over its mass points: four of a quarter each have its centre and its moments.
double valueOfPoints(const StayTerm& stay, const Kinematics& kinematics) {
  double sum = 0.0;
  for (const StayTerm::Body& body : stay.bodies()) {
    const Eigen::Matrix3d root =
        Eigen::LLT<Eigen::Matrix3d>(body.moments + 1e-14 * Eigen::Matrix3d::Identity()).matrixL();
    for (const Eigen::Vector3d& corner : {Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(1, -1, -1),
                                          Eigen::Vector3d(-1, 1, -1), Eigen::Vector3d(-1, -1, 1)}) {
      const Eigen::Vector3d arm = root * corner;
      const Eigen::Vector3d now = kinematics.worldFromLink[static_cast<std::size_t>(body.link)] * (body.centre + arm);
      sum += 0.5 * 0.25 * body.weight * (now - body.place - body.rotation * arm).squaredNorm();
    }
  }
  return sum;
}

TEST(StayTerm, IsThePullOfItsMassPoints) {
  std::mt19937 random(3);
  for (const auto& figure : {test::makeAwkwardFigure(), test::makeBallTree()}) {
    std::vector<int> active;
    for (int c = 0; c < figure->stepSize(); ++c) active.push_back(c);
    const StayTerm stay = test::makeRandomStay(*figure, active, 100.0, random);
    std::vector<StayTerm::State> states;
    Kinematics kinematics;
    for (int trial = 0; trial < 20; ++trial) {
      computeTransforms(*figure, test::randomPose(*figure, random), kinematics);
      const double value = stay.evaluate(kinematics, states);
      EXPECT_NEAR(value, valueOfPoints(stay, kinematics), 1e-9 * value);
    }
  }
}

TEST(StayTerm, IsNothingWhereTheFigureStayed) {
  std::mt19937 random(4);
  const auto figure = test::makeBallTree();
  Kinematics there;
  computeTransforms(*figure, test::randomPose(*figure, random), there);
  const std::vector<double> weights(static_cast<std::size_t>(figure->linkCount()), 2.0);
  const std::vector<char> moves(static_cast<std::size_t>(figure->stepSize()), 1);
  const StayTerm stay(*figure, weights, there, moves);
  std::vector<StayTerm::State> states;
  EXPECT_EQ(stay.evaluate(there, states), 0.0);
  for (std::size_t i = 0; i < states.size(); ++i) {
    StayTerm::computeWrench(stay.bodies()[i], states[i]);
    EXPECT_TRUE(states[i].wrench.isZero(1e-15));
    Matrix6d exact, gaussNewton;
    StayTerm::computeInertia(stay.bodies()[i], states[i], Curvature::Exact, exact);
    StayTerm::computeInertia(stay.bodies()[i], states[i], Curvature::GaussNewton, gaussNewton);
    EXPECT_TRUE(exact.isApprox(gaussNewton, 1e-12)) << "there the Hessian is the body's inertia";
  }
}

TEST(StayTerm, LinksThatMoveAsOneAreOneBody) {
  std::mt19937 random(5);
  const auto figure = test::makeAwkwardFigure();
  const std::vector<double> weights(static_cast<std::size_t>(figure->linkCount()), 3.0);
  Kinematics there, now;
  Pose pose = test::randomPose(*figure, random), moved = pose;
  computeTransforms(*figure, pose, there);
  std::vector<char> moves(static_cast<std::size_t>(figure->stepSize()), 0), all(moves.size(), 1);
  const int joint = 4;  // alone it moves what hangs on it
  for (int c = 0; c < stepSize(figure->joint(joint).type); ++c)
    moves[static_cast<std::size_t>(figure->joint(joint).stepIndex + c)] = 1;
  const StayTerm one(*figure, weights, there, moves), many(*figure, weights, there, all);
  ASSERT_EQ(one.bodies().size(), 1u);
  EXPECT_EQ(one.bodies()[0].link, joint);
  Eigen::VectorXd step = Eigen::VectorXd::Zero(figure->stepSize());
  step.segment(figure->joint(joint).stepIndex, stepSize(figure->joint(joint).type)).setConstant(0.4);
  integrate(*figure, pose, step, moved);
  computeTransforms(*figure, moved, now);
  std::vector<StayTerm::State> states;
  const double value = one.evaluate(now, states);
  EXPECT_GT(value, 0.0);
  EXPECT_NEAR(many.evaluate(now, states), value, 1e-12 * value);
}

TEST(StayTerm, ARotationAloneIsKeptAgainstALimitedTorque) {
  const auto figure = makeBallChain(2);
  Kinematics there, now;
  Pose pose = restPose(*figure);
  computeTransforms(*figure, pose, there);
  const std::vector<double> weights(2, 0.0);
  const std::vector<char> moves(static_cast<std::size_t>(figure->stepSize()), 1);
  const double weight = 3.0, saturation = 0.2;
  const StayTerm::Rotation rotation{1, weight, saturation};
  const StayTerm stay(*figure, weights, there, moves, {&rotation, 1});
  std::vector<StayTerm::State> states;
  for (const double angle : {0.01, 0.3, 1.5, 3.0}) {
    setJointRotation(*figure, 0, Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ())), pose);
    computeTransforms(*figure, pose, now);
    const double u = 1.0 - std::cos(angle), root = std::sqrt(1.0 + 2.0 * u / (saturation * saturation));
    EXPECT_NEAR(stay.evaluate(now, states), weight * saturation * saturation * (root - 1.0), 1e-12);
    StayTerm::computeWrench(stay.bodies()[0], states[0]);
    EXPECT_NEAR(states[0].wrench[2], weight * std::sin(angle) / root, 1e-12);
    EXPECT_LT(states[0].wrench.norm(), weight * saturation);
    EXPECT_TRUE(states[0].wrench.tail<3>().isZero(0.0)) << "it moves freely";
  }
}

TEST(StayTerm, AllocatesNothingWhenWarm) {
  std::mt19937 random(6);
  const auto figure = test::makeCoupledFigure();
  test::ObjectiveOptions options;
  options.stayWeight = 300.0;
  options.forceLimit = 0.5;
  const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random, std::move(options));
  const Pose pose = test::randomPose(*figure, random);
  Evaluation evaluation;
  Eigen::VectorXd gradient, product, v = Eigen::VectorXd::Ones(objective.activeCount());
  std::vector<Residual> multipliers;
  TreeSweep sweep;
  HessianProduct products;
  const auto useAll = [&] {
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    exactMultipliers(objective, evaluation, multipliers);
    sweep.assemble(objective, evaluation, multipliers);
    products.prepare(objective, evaluation);
    products.apply(v, product);
  };
  useAll();
  const std::size_t before = test::allocationCount();
  useAll();
  EXPECT_EQ(test::allocationCount() - before, 0u);
}

}  // namespace
}  // namespace limber::stay_term_test

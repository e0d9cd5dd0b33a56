// SPDX-License-Identifier: MIT
// Differential steps: twists are attained, limits of velocity and position hold, priorities are strict, the answer is
// the minimum, and a warm step allocates nothing.
#include "limber/posing/velocity_step.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/figure_parts.h"
#include "limber/kinematics/standard_figures.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/random_vector.h"

namespace limber::velocity_step_test {
namespace {

using V = Eigen::Vector3d;
constexpr double kPeriod = 1e-3;  // seconds

Vector6d twistOf(const V& linear, const V& angular) {
  Vector6d twist;
  twist << linear, angular;
  return twist;
}

/// A pose of the arm in which no joint is near a limit.
Pose bentArm(const Figure& arm) {
  Pose pose = restPose(arm);
  pose.coordinates.array() += 0.3;
  return pose;
}

/// The figure with a velocity limit for every hinge and slide.
std::shared_ptr<const Figure> limited(const Figure& figure, double velocity) {
  FigureParts parts = takeApart(figure);
  for (Joint& joint : parts.joints) joint.velocityLimit = velocity;
  return putTogether(parts, {}).figure;
}

TEST(VelocityStep, AttainsATwist) {
  const auto arm = makeArm();
  VelocityStep step(arm);
  const int tool = step.add({.end = "tool"});
  step[tool].twist = twistOf(V(0.1, -0.05, 0.02), V(0.1, 0.2, 0));
  const Pose pose = bentArm(*arm);
  const VelocityAnswer& answer = step.solve(pose, kPeriod);
  EXPECT_TRUE(answer.isReached) << answer.missed[0];
  EXPECT_LT((jacobianOf(*arm, pose, "tool") * answer.velocity - step[tool].twist).norm(), 1e-6);
  const V moved = placeOf(*arm, answer.pose, "tool").translation - placeOf(*arm, pose, "tool").translation;
  EXPECT_LT((moved / kPeriod - V(0.1, -0.05, 0.02)).norm(), 1e-3);
}

TEST(VelocityStep, FollowsALineAtTheWantedSpeed) {
  const auto arm = makeArm();
  VelocityStep step(arm);
  const int tool = step.add({.end = "tool", .turns = false});
  step[tool].twist = twistOf(V(0.0, 0.1, 0.0), V::Zero());
  Pose pose = bentArm(*arm);
  const V start = placeOf(*arm, pose, "tool").translation;
  for (int tick = 0; tick < 500; ++tick) pose = step.solve(pose, kPeriod).pose;
  EXPECT_LT((placeOf(*arm, pose, "tool").translation - start - V(0, 0.05, 0)).norm(), 2e-4);
}

TEST(VelocityStep, KeepsVelocityLimitsOfTheFigureAndOnes) {
  const auto arm = limited(*makeArm(), 0.2);
  VelocityStep step(arm);
  const int tool = step.add({.end = "tool"});
  step[tool].twist = twistOf(V(2, 0, 0), V(0, 0, 1));
  const VelocityAnswer first = step.solve(bentArm(*arm), kPeriod);
  EXPECT_LE(first.velocity.cwiseAbs().maxCoeff(), 0.2);
  EXPECT_FALSE(first.isReached);
  EXPECT_NE(std::count(first.isLimited.begin(), first.isLimited.end(), 1), 0);
  step.setVelocityLimit(arm->joint(2).name, 0.05);
  EXPECT_LE(std::abs(step.solve(bentArm(*arm), kPeriod).velocity[2]), 0.05);
}

TEST(VelocityStep, StopsAtTheLimitsOfJoints) {
  IkProblem problem = makeIkProblem(makePlanarChain(3));
  for (JointSettings& joint : problem.joints) joint.limits = {-0.5, 0.5};
  VelocityStep step(problem);
  const int tip = step.add({.end = "tip", .turns = false});
  step[tip].twist = twistOf(V(-3, 3, 0), V::Zero());
  Pose pose = problem.pose;
  for (int tick = 0; tick < 1000; ++tick) {
    pose = step.solve(pose, kPeriod).pose;
    ASSERT_LE(pose.coordinates.cwiseAbs().maxCoeff(), 0.5 + 1e-12);
  }
  EXPECT_NEAR(pose.coordinates.maxCoeff(), 0.5, 1e-9);
}

TEST(VelocityStep, KeepsLocksAndEarlierPriorities) {
  const auto arm = makeArm();
  IkProblem problem = makeIkProblem(arm);
  problem.joints[1].locked = true;
  VelocityStep step(problem);
  const int tool = step.add({.end = "tool", .turns = false});
  const int axes = step.add({.end = "tool", .moves = false, .priority = 2});
  step[tool].twist = twistOf(V(0.1, 0.1, 0), V::Zero());
  const Pose pose = bentArm(*arm);
  const Jacobian jacobian = jacobianOf(*arm, pose, "tool");
  for (const V& turn : {V(0, 0, 0), V(5, 1, 0), V(-3, 2, 7)}) {
    step[axes].twist = twistOf(V::Zero(), turn);
    const VelocityAnswer& answer = step.solve(pose, kPeriod);
    EXPECT_EQ(answer.velocity[arm->joint(1).stepIndex], 0.0);
    EXPECT_LT((jacobian.topRows<3>() * answer.velocity - V(0.1, 0.1, 0)).norm(), 1e-6);
    EXPECT_LT(answer.missed[0], 1e-6);
  }
}

/// Expects that no feasible change of the velocities by one coordinate's multiples, or by random ones, lowers the sum
/// of squares of the first goal.
void expectMinimum(const VelocityStep& step, const VelocityAnswer& answer, const Jacobian& jacobian,
                   const Vector6d& twist, double fastest, std::mt19937& random) {
  const Couplings couplings(step.figure(), std::vector<char>(step.figure().couplings().size(), 1));
  const double least = (jacobian * answer.velocity - twist).squaredNorm();
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int trial = 0; trial < 300; ++trial) {
    Eigen::VectorXd other = answer.velocity;
    const double size = std::pow(10.0, -1.0 - trial % 5);
    for (int c = 0; c < other.size(); ++c) {
      if (trial % 2 == 0 && trial / 2 % other.size() != c) continue;
      other[c] = std::clamp(other[c] + size * uniform(random), -fastest, fastest);
    }
    EXPECT_GE((jacobian * other - twist).squaredNorm(), least - 1e-6 * (1.0 + least));
  }
}

TEST(VelocityStep, FindsTheMinimumWithinTheLimits) {
  std::mt19937 random(3);
  constexpr double kFastest = 0.3;
  for (int trial = 0; trial < 20; ++trial) {
    IkProblem problem = makeIkProblem(test::makeAwkwardFigure());
    for (JointSettings& joint : problem.joints) {
      joint.limits = {};
      joint.ballLimits = {};
    }
    problem.pose = test::randomPose(*problem.figure, random);
    VelocityStep step(problem);
    for (const Joint& joint : problem.figure->joints())
      if (stepSize(joint.type) > 0) step.setVelocityLimit(joint.name, kFastest);
    const int palm = step.add({.end = "palm"});
    step[palm].twist = twistOf(3.0 * test::randomVector(random), 3.0 * test::randomVector(random));
    const VelocityAnswer& answer = step.solve(problem.pose, kPeriod);
    EXPECT_LE(answer.velocity.cwiseAbs().maxCoeff(), kFastest);
    expectMinimum(step, answer, jacobianOf(*problem.figure, problem.pose, "palm"), step[palm].twist, kFastest, random);
  }
}

TEST(VelocityStep, MovesFollowersWithTheirDriversAndKeepsTheirLimits) {
  std::mt19937 random(5);
  for (const auto& bare : {test::makeCoupledFigure(), test::makeBallLedFigure()}) {
    const auto figure = limited(*bare, 0.4);
    const Couplings couplings(*figure, std::vector<char>(figure->couplings().size(), 1));
    for (int trial = 0; trial < 10; ++trial) {
      VelocityStep step(figure);
      const int palm = step.add({.end = "palm"});
      step[palm].twist = twistOf(test::randomVector(random), test::randomVector(random));
      const Pose pose = test::randomPose(*figure, random);
      const VelocityAnswer& answer = step.solve(pose, 1e-5);
      Pose expected = answer.pose;
      couplings.apply(expected);
      EXPECT_TRUE(expected == answer.pose);
      Eigen::VectorXd way;
      difference(*figure, pose, answer.pose, way);
      EXPECT_LT((way / 1e-5 - answer.velocity).cwiseAbs().maxCoeff(), 1e-3) << figure->name();
      for (const Joint& joint : figure->joints())
        EXPECT_TRUE(!isScalar(joint) || std::abs(answer.velocity[joint.stepIndex]) <= 0.4 + 1e-9) << joint.name;
    }
  }
}

TEST(VelocityStep, KeepsTheLimitsOfBallJoints) {
  IkProblem problem = makeIkProblem(makeBallChain(2));
  for (JointSettings& joint : problem.joints) {
    joint.ballLimits.coneAxis = joint.ballLimits.twistAxis = V::UnitX();
    joint.ballLimits.swing = 0.4;
  }
  VelocityStep step(problem);
  const int tip = step.add({.end = "tip", .turns = false});
  step[tip].twist = twistOf(V(0, 3, 0), V::Zero());
  Pose pose = problem.pose;
  for (int tick = 0; tick < 1000; ++tick) pose = step.solve(pose, kPeriod).pose;
  for (int joint = 0; joint < 2; ++joint)
    EXPECT_LE(swingTwist(problem.joints[joint].ballLimits, jointRotation(*problem.figure, pose, joint)).swing,
              0.4 + 1e-6);
}

TEST(VelocityStep, AllocatesNothingWhenWarm) {
  const auto arm = limited(*makeArm(), 0.5);
  VelocityStep step(arm);
  const int tool = step.add({.end = "tool", .turns = false});
  step.add({.end = "tool", .moves = false, .priority = 2});
  Pose pose = bentArm(*arm);
  step.solve(pose, kPeriod);
  step.solve(pose, kPeriod);
  std::size_t count = test::allocationCount();
  for (int tick = 0; tick < 50; ++tick) {
    step[tool].twist = twistOf(V(0.01 * tick, 1.0 - 0.1 * tick, 0.3), V::Zero());
    pose.coordinates = step.solve(pose, kPeriod).pose.coordinates;
  }
  EXPECT_EQ(test::allocationCount() - count, 0u);
}

TEST(VelocityStep, RefusesWhatHasNoMeaning) {
  EXPECT_THROW(VelocityStep(std::shared_ptr<const Figure>{}), std::invalid_argument);
  VelocityStep step(makeArm());
  EXPECT_THROW(step.add({.end = "nope"}), std::invalid_argument);
  EXPECT_THROW(step.add({.end = "tool", .weight = -1.0}), std::invalid_argument);
  EXPECT_THROW(step.add({.end = "tool", .priority = 0}), std::invalid_argument);
  EXPECT_THROW(step.add({.end = "tool", .moves = false, .turns = false}), std::invalid_argument);
  EXPECT_THROW(step.setVelocityLimit("nope", 1.0), std::invalid_argument);
  EXPECT_THROW(step.setVelocityLimit(step.figure().joint(0).name, 0.0), std::invalid_argument);
  const int tool = step.add({.end = "tool"});
  const Pose pose = restPose(step.figure());
  EXPECT_THROW(step.solve(pose, 0.0), std::invalid_argument);
  EXPECT_THROW(step.solve({V::Zero()}, kPeriod), std::invalid_argument);
  step[tool].twist[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(step.solve(pose, kPeriod), std::invalid_argument);
}

}  // namespace
}  // namespace limber::velocity_step_test

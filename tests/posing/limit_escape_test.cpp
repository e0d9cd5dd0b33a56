// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <gtest/gtest.h>

#include "posing/refined.h"

namespace limber::limit_escape_test {
namespace {

using test::RunCounter, test::solveWith;
using V = Eigen::Vector3d;

const V kHip(0, 1, 0);
const V kUp(0.0, 0.36, 0.03);  ///< nearly up the straight leg's own axis

double missOf(const Solve& solve) {
  return (test::placeOf(solve, test::kShankLink, test::kAnkle) - solve.request->drag->target).norm();
}

/// A straight leg whose knee is at its limit.
IkProblem makeLatchedLeg() { return makeIkProblem(test::makeLeg({0.0, 2.4})); }

TEST(LimitEscape, AStraightLegPulledUpBendsItsKnee) {
  const IkProblem problem = makeLatchedLeg();
  const PosingRequest request = test::dragAnkleTo(kUp);
  Solve latched, escaped;
  ASSERT_TRUE(solveWith(latched, problem, request, {}));
  EXPECT_GT(missOf(latched), 0.1) << "or there is nothing to escape from";
  LimitEscape escape;
  ASSERT_TRUE(solveWith(escaped, problem, request, {&escape}));
  EXPECT_LT(missOf(escaped), 1e-3);
  EXPECT_GT(test::kneeOf(escaped), 0.5);
}

TEST(LimitEscape, AMethodThatIsToBeSeenAsItIsGetsNoHelp) {
  IkProblem problem = makeLatchedLeg();
  problem.solver.solver = "trust-region";
  LimitEscape escape;
  RunCounter counter;
  Solve solve;
  ASSERT_TRUE(solveWith(solve, problem, test::dragAnkleTo(kUp), {&counter, &escape})) << solve.fault;
  EXPECT_EQ(counter.runs, 1);
}

TEST(LimitEscape, WhatIsProvedOutOfReachIsNoReasonToTry) {
  const IkProblem problem = makeLatchedLeg();
  LimitEscape escape;
  RunCounter counter;
  Solve solve;
  ASSERT_TRUE(solveWith(solve, problem, test::dragAnkleTo(kHip - V(0, 2.0, 0)), {&counter, &escape}));
  EXPECT_EQ(counter.runs, 1);
}

/// A hip and a knee at limits, where no pose off the limits helps: the target is behind both.
IkProblem makeBlockedArm() {
  FigureBuilder builder("arm");
  const int upper =
      builder.addLink({.name = "upper"}, {.type = JointType::Revolute, .axis = V::UnitZ(), .limits = {0, 1}});
  const int lower =
      builder.addLink({.name = "lower", .parent = upper}, {.type = JointType::Revolute,
                                                           .parentFromJoint = Transform::fromTranslation(V::UnitX()),
                                                           .axis = V::UnitZ(),
                                                           .limits = {0, 1}});
  builder.addSite({.name = "tip", .link = lower, .linkFromSite = Transform::fromTranslation(V::UnitX())});
  std::string error;
  return makeIkProblem(builder.build(error));
}

TEST(LimitEscape, ATrialInVainIsTakenBack) {
  const IkProblem problem = makeBlockedArm();
  const PosingRequest request = {.drag = DragGoal{.link = 1, .pointInLink = V::UnitX(), .target = V(1, -1, 0)}};
  Solve plain, tried;
  LimitEscape escape;
  RunCounter counter;
  ASSERT_TRUE(solveWith(plain, problem, request, {}));
  ASSERT_TRUE(solveWith(tried, problem, request, {&counter, &escape}));
  EXPECT_GT(counter.runs, 1);
  EXPECT_LE(counter.runs, 3) << "each attempt once";
  EXPECT_TRUE(tried.pose == plain.pose);
}

}  // namespace
}  // namespace limber::limit_escape_test

// SPDX-License-Identifier: MIT
// First page of src/limber/goals: how a goal becomes a residual that a solver minimises.
//
// A Goal computes a residual r from the transforms of links: zero where the goal is met. It adds 1/2 weight |r|^2 to
// what a solver minimises, and gives the first and second derivatives of r. Each goal type has a class and a file.
//
// Read next: goals/goal.h, goals/position_goal.h, goals/link_feature.h (the derivatives from which most goals are
// composed); docs/goals for what each type asks.
#include <gtest/gtest.h>

#include "limber/goals/plane_goal.h"
#include "limber/goals/position_goal.h"

namespace limber::goals_first_page {
namespace {

using Eigen::Vector3d;

/// The result of forward kinematics for one link whose frame is at the given position.
Kinematics linkAt(const Vector3d& place) {
  Kinematics kinematics;
  kinematics.worldFromLink = {Transform::fromTranslation(place)};
  return kinematics;
}

Residual residualOf(const Goal& goal, const Kinematics& kinematics) {
  Residual residual;
  goal.computeResidual(kinematics, residual);
  return residual;
}

TEST(GoalsFirstPage, AResidualIsTheWayFromTheTargetInUnitsOfTheFigure) {
  const Vector3d tip(0.5, 0.0, 0.0);  // in the link
  const PositionGoal goal(0, tip, Vector3d(1.0, 2.0, 0.0), 3.0, 0.5);
  const Residual residual = residualOf(goal, linkAt({1.0, 2.0, 0.0}));
  EXPECT_EQ(Vector3d(residual), Vector3d(1.0, 0.0, 0.0)) << "0.5 m too far along x, with a length unit of 0.5 m";
  EXPECT_EQ(0.5 * goal.weight() * residual.squaredNorm(), 1.5);
  EXPECT_EQ(residualOf(goal, linkAt({0.5, 2.0, 0.0})).norm(), 0.0);
}

TEST(GoalsFirstPage, AJacobianSaysHowTheResidualChangesWithATwistOfTheLink) {
  const PositionGoal goal(0, Vector3d(0.5, 0.0, 0.0), Vector3d::Zero(), 1.0, 1.0);
  TwistJacobian jacobian;
  goal.computeJacobian(linkAt(Vector3d::Zero()), 0, jacobian);
  Vector6d aboutZ = Vector6d::Zero(), alongX = Vector6d::Zero();
  aboutZ[2] = 1.0;  // a twist is (angular; linear)
  alongX[3] = 1.0;
  EXPECT_EQ(Vector3d(jacobian * aboutZ), Vector3d(0.0, 0.5, 0.0));
  EXPECT_EQ(Vector3d(jacobian * alongX), Vector3d(1.0, 0.0, 0.0));
}

TEST(GoalsFirstPage, AOneSidedGoalCountsOnlyWhereItIsViolated) {
  const Vector3d up = Vector3d::UnitY();
  const PlaneGoal aboveGround(0, Vector3d::Zero(), Vector3d::Zero(), up, PlaneGoal::Side::HalfSpace, 1.0, 1.0);
  ASSERT_TRUE(aboveGround.isOneSided());
  Residual above = residualOf(aboveGround, linkAt({0.0, 0.2, 0.0}));
  Residual below = residualOf(aboveGround, linkAt({0.0, -0.2, 0.0}));
  clampOneSided(above);
  clampOneSided(below);
  EXPECT_EQ(above[0], 0.0);
  EXPECT_EQ(below[0], -0.2);
}

}  // namespace
}  // namespace limber::goals_first_page

// SPDX-License-Identifier: MIT
// First page of src/limber/problem: describes an inverse kinematics problem in the user's terms.
//
// An IkProblem is a value: a figure, its pose, settings of joints, goals, pins, obstacles and the solver's settings.
// src/limber/posing solves it. One table has the name of each goal type, the numbers that it uses, and how it is
// judged.
//
// Read next: problem/ik_problem.h, problem/goal_types.h (the table), problem/goal_error.h.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/kinematics/standard_figures.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "limber/problem/new_goal.h"

namespace limber::problem_first_page {
namespace {

constexpr double kPi = std::numbers::pi;

Kinematics kinematicsOf(const IkProblem& problem) { return transformsOf(*problem.figure, problem.pose); }

TEST(ProblemFirstPage, AGoalIsMetWhereItIsPlantedAndMissedWhenItMoves) {
  IkProblem problem = makeIkProblem(makePlanarChain(2));
  const int id = addGoal(problem, GoalType::Position, mainEndEffector(*problem.figure));
  GoalItem& goal = *findGoal(problem, id);
  EXPECT_TRUE(isMet(problem, goalErrorOf(problem, kinematicsOf(problem), goal)));

  goal.target = {1.0, 1.0, 0.0};  // the tip is at (2, 0)
  const GoalError error = goalErrorOf(problem, kinematicsOf(problem), goal);
  EXPECT_DOUBLE_EQ(error.length, std::sqrt(2.0)) << "metres";
  EXPECT_EQ(error.angle, -1.0) << "a position goal asks for no direction";

  problem.pose.coordinates[1] = kPi / 2;
  EXPECT_TRUE(isMet(problem, goalErrorOf(problem, kinematicsOf(problem), goal)));
}

TEST(ProblemFirstPage, APinRemembersAPlace) {
  IkProblem problem = makeIkProblem(makePlanarChain(3));
  pinLink(problem, 2, true, false);       // its position: (2, 0)
  problem.pose.coordinates[0] = kPi / 2;  // moves it to (0, 2)
  EXPECT_NEAR(pinErrorOf(kinematicsOf(problem), *findPin(problem, 2)).length, 2.0 * std::sqrt(2.0), 1e-12);
}

TEST(ProblemFirstPage, SettingsOfJointsReplaceTheFiguresOwn) {
  IkProblem problem = makeIkProblem(makePlanarChain(2));
  problem.joints[1].limits = {0.0, 1.0};
  Pose pose = problem.pose;
  pose.coordinates << 2.5, 2.5;
  clampToLimits(problem, pose);
  EXPECT_EQ(Eigen::Vector2d(pose.coordinates), Eigen::Vector2d(2.5, 1.0));
}

TEST(ProblemFirstPage, AFaultNamesTheGoal) {
  const IkProblem problem = makeIkProblem(makePlanarChain(2));
  const GoalItem goal{.id = 1, .name = "left hand", .weight = -1.0};
  EXPECT_NE(findFault(goal, *problem.figure).find("left hand"), std::string::npos);
}

}  // namespace
}  // namespace limber::problem_first_page

// SPDX-License-Identifier: MIT
// Goals before preferences, and goals of a high rank before those of a lower one.
#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posing.h"
#include "limber/posing/refinements/refinements.h"
#include "posing/refined.h"

namespace limber::goals_first_test {
namespace {

using test::RunCounter, test::solveWith;
using V = Eigen::Vector3d;

constexpr int kTip = 2;  // link of the chain, whose tip is at (1, 0, 0)
constexpr double kExactly = 1e-9;

IkProblem makeChain() {
  IkProblem problem = makeIkProblem(makePlanarChain(3));
  problem.solver.restWeight = 1e-3;
  return problem;
}

GoalItem& addTarget(IkProblem& problem, const V& target) {
  addGoal(problem, kTip, V::UnitX());
  problem.goals.back().target = target;
  return problem.goals.back();
}

/// The errors of the goals, in metres.
std::vector<double> errorsOf(IkProblem& problem, const PosingRequest& request = {}) {
  Posing posing;
  std::vector<double> errors;
  for (const GoalReport& goal : solveToEnd(posing, problem, request).goals) errors.push_back(goal.error);
  return errors;
}

TEST(Ranks, TheGoalOfTheLowerRankYields) {
  const V places[] = {{1.5, 1.0, 0.0}, {1.5, 1.3, 0.0}};
  for (const int first : {0, 1}) {
    IkProblem problem = makeChain();
    addTarget(problem, places[0]).priority = first == 0 ? 1 : 2;
    addTarget(problem, places[1]).priority = first == 0 ? 2 : 1;
    problem.goals[1 - first].weight = 100.0;  // the rank decides, whatever the weights
    const std::vector<double> errors = errorsOf(problem);
    EXPECT_LT(errors[first], kExactly);
    EXPECT_NEAR(errors[1 - first], 0.3, kExactly);
  }
}

TEST(Ranks, EqualOnesShareByTheirWeights) {
  IkProblem problem = makeChain();
  problem.solver.restWeight = 0.0;
  for (const double y : {1.0, 1.3}) addTarget(problem, {1.5, y, 0.0}).priority = 3;
  problem.goals[1].weight = 2.0;
  const std::vector<double> errors = errorsOf(problem);
  EXPECT_NEAR(errors[0], 0.2, 1e-6);
  EXPECT_NEAR(errors[1], 0.1, 1e-6);
}

TEST(Ranks, ALowerOneIsMetExactlyWhereTheHigherOneLetsIt) {
  IkProblem problem = makeChain();
  addTarget(problem, {1.5, 1.0, 0.0}).priority = 2;
  addGoal(problem, 0, V::UnitX());
  problem.goals.back().target = V(0.6, 0.8, 0.0);
  for (const double error : errorsOf(problem)) EXPECT_LT(error, kExactly);
}

TEST(Preferences, NeverKeepAGoalFromBeingMet) {
  IkProblem problem = makeChain();
  addTarget(problem, {1.5, 1.0, 0.0});
  GoalItem& preference = addTarget(problem, {1.5, 1.3, 0.0});
  preference.preference = true;
  preference.weight = 100.0;
  Posing posing;
  const PosingReport report = solveToEnd(posing, problem);
  EXPECT_EQ(report.outcome, Outcome::Reached);
  EXPECT_LT(report.goals[0].error, kExactly);
  EXPECT_TRUE(report.goals[1].isPreference);
  EXPECT_NEAR(report.goals[1].error, 0.3, kExactly);
}

/// Preferences are the goals if there are no others.
TEST(Preferences, AloneAreSolvedAsGoals) {
  Pose poses[2];
  int runs[2];
  for (const bool arePreferences : {false, true}) {
    IkProblem problem = makeChain();
    for (const double y : {1.0, 1.3}) addTarget(problem, {1.5, y, 0.0}).preference = arePreferences;
    GoalsFirst goalsFirst;
    RunCounter counter;
    Solve solve;
    ASSERT_TRUE(solveWith(solve, problem, {}, {&counter, &goalsFirst}));
    poses[arePreferences] = solve.pose;
    runs[arePreferences] = counter.runs;
  }
  EXPECT_TRUE(poses[0] == poses[1]);
  EXPECT_EQ(runs[0], runs[1]);
}

/// The hand must be outside one face of a box. Its target is inside, 3 cm from the right face.
TEST(Alternatives, TheFaceNearestToTheGoalIsChosenFromEveryStart) {
  const V starts[] = {{1.6, -1.9, -0.5}, {0.8, 1.0, 1.0}, {0.0, 0.0, 0.0}};
  for (const V& start : starts) {
    IkProblem problem = makeChain();
    addTarget(problem, {2.17, 0.8, 0.0}).weight = 1e-3;
    const struct {
      V place, normal;
    } faces[] = {{{1.4, 0.8, 0}, -V::UnitX()},
                 {{2.2, 0.8, 0}, V::UnitX()},
                 {{1.8, 0.4, 0}, -V::UnitY()},
                 {{1.8, 1.2, 0}, V::UnitY()}};
    for (const auto& face : faces) {
      GoalItem& goal = addTarget(problem, face.place);
      goal.type = GoalType::HalfSpace;
      goal.targetFrame.col(0) = face.normal;
      goal.targetFrame.col(1) = V::UnitZ().cross(face.normal);
      goal.targetFrame.col(2) = V::UnitZ();
      goal.anyOf = 1;
    }
    problem.pose.coordinates = start;
    const std::vector<double> errors = errorsOf(problem, {.searches = true});
    EXPECT_NEAR(errors[0], 0.03, 1e-3) << start.transpose();
    EXPECT_LT(errors[2], 1e-3) << start.transpose();
  }
}

}  // namespace
}  // namespace limber::goals_first_test

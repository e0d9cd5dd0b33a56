// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "posing/refined.h"

namespace limber::goal_search_test {
namespace {

using test::RunCounter, test::solveWith;
using V = Eigen::Vector3d;

/// Two alternatives, the nearer of which is out of reach.
IkProblem makeAlternatives(const V& second = {0.5, 2, 0}) {
  IkProblem problem = makeIkProblem(makePlanarChain(3));
  problem.solver.restWeight = 1e-3;
  for (const V& target : {V(3.6, 0, 0), second}) {
    addGoal(problem, 2, V::UnitX());
    problem.goals.back().target = target;
    problem.goals.back().anyOf = 1;
  }
  return problem;
}

TEST(GoalSearch, TriesTheAlternativesOfWhatIsMissed) {
  const IkProblem problem = makeAlternatives();
  for (const bool searches : {false, true}) {
    GoalSearch search;
    RunCounter counter;
    Solve solve;
    ASSERT_TRUE(solveWith(solve, problem, {.searches = searches}, {&counter, &search}));
    EXPECT_EQ(solve.branches.at(1), problem.goals[searches ? 1 : 0].id);
    EXPECT_EQ(solve.isSearching, searches) << "only where it is asked for";
    EXPECT_EQ(solve.summary.phases[1].phase == "restarts", searches);
    if (!searches) continue;
    EXPECT_LT((test::placeOf(solve, 2, V::UnitX()) - problem.goals[1].target).norm(), 1e-2);
  }
}

TEST(GoalSearch, WhereNoTryMeetsMoreTheFirstAnswerStands) {
  const IkProblem problem = makeAlternatives({0.0, 3.7, 0.0});
  Solve plain, searched;
  GoalSearch search;
  ASSERT_TRUE(solveWith(plain, problem, {}, {}));
  ASSERT_TRUE(solveWith(searched, problem, {.searches = true}, {&search}));
  EXPECT_TRUE(searched.pose == plain.pose);
  EXPECT_EQ(searched.branches, plain.branches);
  EXPECT_EQ(searched.summary.objective, plain.summary.objective);
}

TEST(GoalSearch, WhatIsMetIsNotSearchedFor) {
  IkProblem problem = makeAlternatives();
  problem.goals[0].target = V(2.0, 1.0, 0.0);
  GoalSearch search;
  Solve solve;
  ASSERT_TRUE(solveWith(solve, problem, {.searches = true}, {&search}));
  EXPECT_FALSE(solve.isSearching);
}

/// Cancels in the first try.
struct CancelInSearch final : Observer {
  const Solve& solve;
  explicit CancelInSearch(const Solve& solve_) : solve(solve_) {}
  bool onIteration(const IterationRecord&, const Pose&) override { return !solve.isSearching; }
};

TEST(GoalSearch, CancelledTheBestAnswerSoFarStands) {
  const IkProblem problem = makeAlternatives();
  Solve plain, cancelled;
  ASSERT_TRUE(solveWith(plain, problem, {}, {}));
  CancelInSearch observer(cancelled);
  cancelled.observer = &observer;
  GoalSearch search;
  ASSERT_TRUE(solveWith(cancelled, problem, {.searches = true}, {&search}));
  EXPECT_EQ(cancelled.summary.status, SolveStatus::Cancelled);
  EXPECT_TRUE(cancelled.pose == plain.pose);
  EXPECT_EQ(cancelled.branches, plain.branches);
}

}  // namespace
}  // namespace limber::goal_search_test

// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "posing/refined.h"

namespace limber::live_branches_test {
namespace {

using test::RunCounter, test::solveWith;
using V = Eigen::Vector3d;

IkProblem makeAlternatives(const V& first, const V& second) {
  IkProblem problem = makeIkProblem(makePlanarChain(4));
  for (const V& target : {first, second}) {
    addGoal(problem, 3, V::UnitX());
    problem.goals.back().target = target;
    problem.goals.back().anyOf = 5;
  }
  return problem;
}

TEST(LiveBranches, SwitchesWhereAnotherIsNearerAtTheEnd) {
  // From the tip at (4, 0) the first is nearer (0.67 against 0.71), but 0.6 beyond reach. Where the run toward it ends,
  // the second is nearer by more than the margin.
  const IkProblem problem = makeAlternatives({4.6, 0.3, 0}, {3.9, 0.7, 0});
  Solve plain, switched;
  ASSERT_TRUE(solveWith(plain, problem, {}, {}));
  EXPECT_EQ(plain.branches.at(5), problem.goals[0].id);
  LiveBranches liveBranches;
  RunCounter counter;
  ASSERT_TRUE(solveWith(switched, problem, {}, {&counter, &liveBranches}));
  EXPECT_EQ(switched.branches.at(5), problem.goals[1].id);
  EXPECT_EQ(counter.runs, 2);
  EXPECT_LT((test::placeOf(switched, 3, V::UnitX()) - problem.goals[1].target).norm(), 0.01);
}

TEST(LiveBranches, StaysWhereTheLiveOneIsMet) {
  const IkProblem problem = makeAlternatives({3, 2, 0}, {3, -2, 0});
  LiveBranches liveBranches;
  RunCounter counter;
  Solve solve;
  ASSERT_TRUE(solveWith(solve, problem, {}, {&counter, &liveBranches}));
  EXPECT_EQ(counter.runs, 1);
}

}  // namespace
}  // namespace limber::live_branches_test

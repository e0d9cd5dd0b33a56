// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "posing/refined.h"

namespace limber::stages_test {
namespace {

using test::RunCounter, test::solveWith;
using V = Eigen::Vector3d;

TEST(Stages, EachIsSolvedFromTheLastOnesPose) {
  IkProblem problem = makeIkProblem(makePlanarChain(4));
  addGoal(problem, 3, V::UnitX());
  problem.goals[0].target = V(0.0, 2.0, 0.0);
  problem.pose.coordinates << 0.7, -1.2, 0.4, 0.9;
  Stages stages(problem, {}, 5);
  RunCounter counter;
  Solve solve;
  ASSERT_TRUE(solveWith(solve, stages.problem(), stages.request(), {&counter, &stages}));
  EXPECT_LT((test::placeOf(solve, 3, V::UnitX()) - problem.goals[0].target).norm(), 0.05);
  EXPECT_FALSE(stages.next(solve.pose)) << "all were solved";
  EXPECT_EQ(counter.runs, 1) << "each stage begins the other refinements anew";
}

TEST(Stages, TheLastAsksWhatIsAsked) {
  IkProblem problem = makeIkProblem(makePlanarChain(4));
  addGoal(problem, 3, V::UnitX());
  problem.goals[0].target = V(0.0, 2.0, 0.0);
  Stages stages(problem, {}, 2);
  EXPECT_LT((stages.problem().goals[0].target - V(2.0, 1.0, 0.0)).norm(), 1e-12) << "half the way from (4, 0)";
  EXPECT_TRUE(stages.next(problem.pose));
  EXPECT_EQ(stages.problem().goals[0].target, problem.goals[0].target);
  EXPECT_FALSE(stages.next(problem.pose));
}

}  // namespace
}  // namespace limber::stages_test

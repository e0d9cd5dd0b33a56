// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/kinematics/standard_figures.h"
#include "posing/refined.h"

namespace limber::weak_pull_test {
namespace {

using test::RunCounter, test::solveWith;
using V = Eigen::Vector3d;

/// A chain without a pull to rest, with one rigid joint.
IkProblem makeStiffChain(double rigidity) {
  IkProblem problem = makeIkProblem(makePlanarChain(4));
  problem.solver.restWeight = 0.0;
  problem.joints[1].rigidity = rigidity;
  addGoal(problem, 3, V::UnitX());
  problem.goals[0].target = V(2.0, 2.0, 0);
  return problem;
}

TEST(WeakPull, OfThePosesThatMeetTheGoalItChoosesOneThatSparesTheRigidJoint) {
  const IkProblem problem = makeStiffChain(0.95);
  Solve plain, pulled;
  WeakPull weakPull;
  RunCounter counter;
  ASSERT_TRUE(solveWith(plain, problem, {}, {}));
  ASSERT_TRUE(solveWith(pulled, problem, {}, {&counter, &weakPull}));
  EXPECT_EQ(counter.runs, 2);
  EXPECT_LT(std::abs(pulled.pose.coordinates[1]), 0.5 * std::abs(plain.pose.coordinates[1]));
  EXPECT_LT((test::placeOf(pulled, 3, V::UnitX()) - problem.goals[0].target).norm(), 1e-5)
      << "nothing pulls in the end";
}

TEST(WeakPull, WithoutRigidityNothingChanges) {
  const IkProblem problem = makeStiffChain(0.0);
  Solve plain, pulled;
  WeakPull weakPull;
  ASSERT_TRUE(solveWith(plain, problem, {}, {}));
  ASSERT_TRUE(solveWith(pulled, problem, {}, {&weakPull}));
  EXPECT_TRUE(pulled.pose == plain.pose);
}

struct CancelAtOnce final : Observer {
  bool onIteration(const IterationRecord&, const Pose&) override { return false; }
};

TEST(WeakPull, CancelledUnderThePullTheObjectiveIsTheAskedOne) {
  const IkProblem problem = makeStiffChain(0.95);
  CancelAtOnce observer;
  WeakPull weakPull;
  Solve solve;
  solve.observer = &observer;
  ASSERT_TRUE(solveWith(solve, problem, {}, {&weakPull}));
  EXPECT_EQ(solve.summary.status, SolveStatus::Cancelled);
  EXPECT_EQ(solve.posed.objective->regulariserWeights().maxCoeff(), 0.0);
  EXPECT_EQ(solve.summary.objective, solve.posed.objective->evaluate(solve.pose, solve.workspace.trial));
}

}  // namespace
}  // namespace limber::weak_pull_test

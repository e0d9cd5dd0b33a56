// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "posing/refined.h"

namespace limber::contact_rounds_test {
namespace {

using test::RunCounter, test::solveWith;
using V = Eigen::Vector3d;

constexpr int kTipLink = 3;

/// A chain along x with a block above its tip, which is 0.3 m away.
IkProblem makeBlockedChain(const V& size = {1.0, 0.6, 1.0}) {
  IkProblem problem = makeIkProblem(makePlanarChain(4));
  problem.solver.restWeight = 1e-3;
  Obstacle block;
  block.name = "block";
  block.worldFromObstacle.translation = V(4.0, 0.7, 0.0);
  block.size = size;
  addObstacle(problem, block);
  return problem;
}

PosingRequest pullTipTo(const V& target) {
  return {.drag = DragGoal{.link = kTipLink, .pointInLink = V::UnitX(), .target = target}};
}

bool isClear(Solve& solve) {
  Kinematics kinematics;
  computeTransforms(*solve.problem->figure, solve.pose, kinematics);
  return solve.contacts.isClear(kinematics);
}

TEST(ContactRounds, PairsThatTheSolverBringsTogetherEnter) {
  const IkProblem problem = makeBlockedChain();
  const PosingRequest request = pullTipTo({3.7, 0.7, 0.0});
  Solve plain, apart;
  ASSERT_TRUE(solveWith(plain, problem, request, {}));
  ASSERT_FALSE(isClear(plain)) << "or nothing is in the way";
  MultiplierUpdates updates;
  ContactRounds rounds;
  RunCounter counter;
  ASSERT_TRUE(solveWith(apart, problem, request, {&counter, &updates, &rounds}));
  EXPECT_TRUE(isClear(apart));
  EXPECT_FALSE(apart.contacts.live().empty());
  EXPECT_TRUE(apart.isStoppedByContact());
  EXPECT_GT(counter.runs, 1);
}

TEST(ContactRounds, WhatIsNotMetCostsNoRun) {
  const IkProblem problem = makeBlockedChain();
  ContactRounds rounds;
  RunCounter counter;
  Solve solve;
  ASSERT_TRUE(solveWith(solve, problem, pullTipTo({3.7, -0.7, 0.0}), {&counter, &rounds}));
  EXPECT_EQ(counter.runs, 1);
  EXPECT_TRUE(solve.contacts.live().empty());
}

/// Cancels as soon as a pair is in contact.
struct CancelInContact final : Observer {
  const Solve& solve;
  explicit CancelInContact(const Solve& solve_) : solve(solve_) {}
  bool onIteration(const IterationRecord&, const Pose&) override { return solve.posed.contacts.empty(); }
};

TEST(ContactRounds, CancelledInsideItGoesBackToAPoseThatIsClear) {
  const IkProblem problem = makeBlockedChain();
  MultiplierUpdates updates;
  ContactRounds rounds;
  Solve solve;
  CancelInContact observer(solve);
  solve.observer = &observer;
  ASSERT_TRUE(solveWith(solve, problem, pullTipTo({3.7, 0.7, 0.0}), {&updates, &rounds}));
  EXPECT_EQ(solve.summary.status, SolveStatus::Cancelled);
  EXPECT_TRUE(isClear(solve));
}

TEST(ContactRounds, NewPlanesLeadRoundAnEdge) {
  // The tip is pulled down next to the block. The plane of the start, that of its upper face, would hold it 0.08 m (its
  // radius) above -0.3; one across the edge lets it down further.
  IkProblem problem = makeBlockedChain({0.6, 0.6, 0.6});
  problem.obstacles[0].worldFromObstacle.translation = V(3.4, -0.6, 0.0);
  const PosingRequest request = pullTipTo({3.78, -0.6, 0.0});
  MultiplierUpdates updates;
  ContactRounds rounds;
  Solve solve;
  ASSERT_TRUE(solveWith(solve, problem, request, {&updates, &rounds}));
  EXPECT_TRUE(isClear(solve));
  EXPECT_LT(test::placeOf(solve, kTipLink, V::UnitX()).y(), -0.28);
  ASSERT_FALSE(solve.contacts.live().empty());
  EXPECT_GT(solve.contacts.live().front().normal.x(), 0.3);
}

}  // namespace
}  // namespace limber::contact_rounds_test

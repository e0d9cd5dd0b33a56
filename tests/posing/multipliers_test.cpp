// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "posing/refined.h"

namespace limber::multipliers_test {
namespace {

using test::RunCounter, test::solveWith;
using V = Eigen::Vector3d;

/// A chain whose second link is pinned while its tip is pulled to a target that the pin prevents.
IkProblem makePinnedChain() {
  IkProblem problem = makeIkProblem(makePlanarChain(4));
  problem.pose.coordinates << 0.9, -1.3, 0.4, 0.2;
  pinLink(problem, 1, true, false, V::UnitX());
  addGoal(problem, 3, V::UnitX());
  problem.goals[0].target = V(0.0, 3.5, 0.0);
  return problem;
}

double pinErrorOf(const Solve& solve) {
  const Pin& pin = solve.problem->pins[0];
  return (test::placeOf(solve, pin.link, pin.pointInLink) - pin.worldFromLink * pin.pointInLink).norm();
}

TEST(MultiplierUpdates, APinHoldsAgainstAPullThatAWeightAloneGivesWayTo) {
  const IkProblem problem = makePinnedChain();
  Solve weighed, held;
  MultiplierUpdates updates;
  ASSERT_TRUE(solveWith(weighed, problem, {}, {}));
  EXPECT_GT(pinErrorOf(weighed), 1e-4) << "or there is nothing to do";
  ASSERT_TRUE(solveWith(held, problem, {}, {&updates}));
  EXPECT_LT(pinErrorOf(held), 1e-5);
}

TEST(MultiplierUpdates, TheNextSolveBeginsWithTheMultipliersOfTheLast) {
  IkProblem problem = makePinnedChain();
  Solve solve;
  MultiplierUpdates updates;
  RunCounter counter;
  ASSERT_TRUE(solveWith(solve, problem, {}, {&counter, &updates}));
  EXPECT_GT(counter.runs, 1);
  problem.pose = solve.pose;
  ASSERT_TRUE(solveWith(solve, problem, {}, {&counter, &updates}));
  EXPECT_EQ(counter.runs, 1);
  EXPECT_LT(pinErrorOf(solve), 1e-5);
}

TEST(MultiplierUpdates, APinThatCannotBeMetEndsWithinItsRounds) {
  IkProblem problem = makePinnedChain();
  problem.pins[0].worldFromLink.translation += V(4.0, 0.0, 0.0);
  MultiplierUpdates updates;
  RunCounter counter;
  Solve solve;
  ASSERT_TRUE(solveWith(solve, problem, {}, {&counter, &updates}));
  EXPECT_LE(counter.runs, 6);
  EXPECT_TRUE(solve.pose.coordinates.allFinite());
}

/// Notes the error of the pin when it is first called.
struct PinWitness final : Refinement {
  double error = -1.0;
  bool refine(Solve& solve) override {
    if (error < 0.0) error = pinErrorOf(solve);
    return false;
  }
};

TEST(MultiplierUpdates, ComeFirstOnlyIfSomethingStays) {
  for (const bool stays : {false, true}) {
    IkProblem problem = makePinnedChain();
    if (stays) problem.solver.posing = PosingChoice::Still;
    if (stays) problem.solver.reference = RestReference::StartPose;
    PinWitness witness;
    MultiplierUpdates updates;
    RunCounter counter;
    Solve solve;
    ASSERT_TRUE(solveWith(solve, problem, {}, {&counter, &witness, &updates}));
    ASSERT_EQ(solve.request->staying->isOn(), stays);
    EXPECT_GT(counter.runs, 1);
    if (stays) EXPECT_LT(witness.error, 1e-5);
    else EXPECT_GT(witness.error, 1e-4);
  }
}

}  // namespace
}  // namespace limber::multipliers_test

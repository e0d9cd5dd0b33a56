// SPDX-License-Identifier: MIT
// First page of src/limber/posing: solves a problem for a pose, and reports what was reached.
//
// `Ik` is the simple interface for programs: a figure, goals by name, an answer. Window and command line use `Posing`,
// which can also solve in slices, so that a drag stays fluent, and takes a PosingRequest with what is not part of a
// problem, such as the drag. Reports are computed by forward kinematics from the pose, independently of the solver.
//
// Read next: posing/ik.h, posing/posing.h, posing/posed_problem.h (the objective of a problem), then
// posing/refinements/solve.h (the loop around the solver).
#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/ik.h"
#include "limber/posing/posing.h"

namespace limber::posing_first_page {
namespace {

using Eigen::Vector3d;

TEST(PosingFirstPage, AnArmReachesATarget) {
  Ik ik(makeArm());
  const Vector3d target(0.4, 0.6, 0.2);
  ik.add(position("tool", target));
  const Answer answer = ik.solve();
  EXPECT_EQ(answer.outcome, Outcome::Reached) << answer.sentence;
  EXPECT_LT((ik.placeOf("tool").translation - target).norm(), 1e-3);
}

TEST(PosingFirstPage, WhatCannotBeReachedIsSaid) {
  // Three links of 1 m cannot come nearer than 2 m to a target at a distance of 5 m.
  Ik ik(makeBallChain(3));
  ik.add(position("tip", {5.0, 0.0, 0.0}));
  const Answer answer = ik.solve();
  EXPECT_EQ(answer.outcome, Outcome::OutOfReach) << answer.sentence;
  EXPECT_NEAR(answer.worstError, 2.0, 0.02);
}

TEST(PosingFirstPage, APinHoldsWhileTheRestMoves) {
  Ik ik(makeBallChain(4));
  ik.pin("link1", Keep::Position);
  const Vector3d pinned = ik.placeOf("link1").translation;
  ik.add(position("tip", {1.0, 2.0, 0.5}));
  EXPECT_TRUE(ik.solve().isReached());
  EXPECT_LT((ik.placeOf("link1").translation - pinned).norm(), 1e-6);
}

TEST(PosingFirstPage, ADragIsARequestThatIsSolvedInSlices) {
  IkProblem problem = makeIkProblem(makePlanarChain(3));
  PosingRequest request;
  request.drag = DragGoal{.link = 2, .pointInLink = {1.0, 0.0, 0.0}, .target = {1.5, 1.5, 0.0}};
  Posing posing;
  ASSERT_TRUE(posing.start(problem, request)) << posing.report().sentence;
  while (!posing.advance(problem, 2)) {
    // The window would draw problem.pose between slices.
  }
  const Transform& last = transformsOf(*problem.figure, problem.pose).worldFromLink[2];
  EXPECT_LT((last * request.drag->pointInLink - request.drag->target).norm(), 0.02);
  EXPECT_TRUE(problem.goals.empty()) << "a drag leaves no goal behind";
}

}  // namespace
}  // namespace limber::posing_first_page

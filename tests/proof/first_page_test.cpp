// SPDX-License-Identifier: MIT
// First page of src/limber/proof: proves what no pose can reach, and bounds the best that any pose can reach.
//
// A solver finds a pose near its start. This room makes statements about all poses: where an end effector can go
// (findReachable), and how near to their targets points can come at best (searchGlobally). What it calls proved holds
// for every pose within the limits; anything else was found, or not found, by a search.
//
// Read next: proof/reach_search.h with proof/reach_map.h, proof/reach_bound.h (the bound), proof/global_search.h, and
// solvers/convex/certificate.h.
#include <gtest/gtest.h>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/proof/global_search.h"
#include "limber/proof/reach_search.h"

namespace limber::proof_first_page {
namespace {

using Eigen::Vector3d;

/// Two hinges about z with links of 1 m and 0.5 m: the tip reaches the ring from 0.5 m to 1.5 m, and nothing else.
std::shared_ptr<const Figure> makeRingArm() {
  FigureBuilder builder("ring arm");
  const int upper = builder.addLink({.name = "upper"}, {.type = JointType::Revolute});
  const int lower =
      builder.addLink({.name = "lower", .parent = upper},
                      {.type = JointType::Revolute, .parentFromJoint = Transform::fromTranslation({1.0, 0.0, 0.0})});
  builder.addSite({.name = "tip", .link = lower, .linkFromSite = Transform::fromTranslation({0.5, 0.0, 0.0})});
  std::string error;
  return builder.build(error);
}

TEST(ProofFirstPage, AMapShowsWhereATipCanGo) {
  const IkProblem problem = makeIkProblem(makeRingArm());
  const ReachAnswer answer = findReachable(problem, {.link = 1, .pointInLink = {0.5, 0.0, 0.0}, .cellsAcross = 24});
  ASSERT_EQ(answer.fault, "");
  const auto stateAt = [&](const Vector3d& place) { return answer.map.state(answer.map.cellAt(place)); };
  EXPECT_EQ(stateAt({1.0, 0.0, 0.0}), CellState::Reachable);
  EXPECT_EQ(stateAt({0.0, -1.2, 0.0}), CellState::Reachable);
  EXPECT_EQ(stateAt({0.0, 0.0, 0.0}), CellState::ProvedOutside) << "inside the ring";

  // Each place that is called reachable comes with a pose that reaches it.
  const int cell = answer.map.cellAt(Vector3d(0.0, -1.2, 0.0));
  const Kinematics kinematics = transformsOf(*problem.figure, answer.poseOf(cell));
  EXPECT_EQ(answer.map.cellAt(kinematics.worldFromLink[1] * Vector3d(0.5, 0.0, 0.0)), cell);
}

TEST(ProofFirstPage, ACertificateSaysHowMuchRemainsInAnyPose) {
  IkProblem problem = makeIkProblem(makePlanarChain(2));
  GoalItem& goal = *findGoal(problem, addGoal(problem, 1, {1.0, 0.0, 0.0}));
  goal.target = {0.0, 3.0, 0.0};  // 1 m farther than both links together
  const GlobalAnswer answer = searchGlobally(problem);
  const Certificate& certificate = answer.result.certificate;
  EXPECT_TRUE(certificate.isOutOfReach);
  EXPECT_TRUE(certificate.isCertified);
  EXPECT_NEAR(certificate.leastCost(), 1.0, 0.01);
  EXPECT_NEAR(certificate.cost(), 1.0, 0.01);
}

}  // namespace
}  // namespace limber::proof_first_page

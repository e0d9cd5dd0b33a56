// SPDX-License-Identifier: MIT
// How the room is used. Read limber/ways/screw_chain.h, arm_solver.h and self_motion.h next.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "limber/kinematics/standard_figures.h"
#include "limber/ways/arm_solver.h"
#include "limber/ways/self_motion.h"

namespace limber::ways_first_page_test {
namespace {

// Two links of length 1 reach the point (1, 1) with the elbow on either side: angles (0, 90) and (90, -90) degrees.
TEST(FirstPage, BothWaysOfTwoLinks) {
  const auto figure = makePlanarChain(2);
  const ways::ArmSolver solver(
      ways::screwChainOf(*figure, figure->findLink("link1"), Transform::fromTranslation({1, 0, 0})),
      ways::Aspect::Position);
  ways::Ways found;
  solver.solve(Transform::fromTranslation({1, 1, 0}), ways::Coordinates::Zero(2), found);
  ASSERT_EQ(found.all.size(), 2u);
  EXPECT_EQ(found.completeness, ways::Completeness::Proved);
  std::sort(found.all.begin(), found.all.end(), [](const ways::Way& a, const ways::Way& b) { return a.q[0] < b.q[0]; });
  constexpr double kQuarter = std::numbers::pi / 2;
  EXPECT_NEAR(found.all[0].q[0], 0.0, 1e-12);
  EXPECT_NEAR(found.all[0].q[1], kQuarter, 1e-12);
  EXPECT_NEAR(found.all[1].q[0], kQuarter, 1e-12);
  EXPECT_NEAR(found.all[1].q[1], -kQuarter, 1e-12);
}

// The arm of seven joints can move its elbow around while its tool stays: its ways are closed curves.
TEST(FirstPage, TheElbowOfSevenJointsMovesOnCurves) {
  const auto figure = makeArm();
  const Site& tool = figure->sites()[0];
  const ways::ArmSolver solver(ways::screwChainOf(*figure, tool.link, tool.linkFromSite), ways::Aspect::Place);
  ways::Coordinates q(7);
  q << 0.3, 0.5, -0.2, 1.1, 0.4, 0.6, 0.1;
  const Transform target = solver.chain().place(q);
  const auto curves = ways::selfMotionsOf(solver, target, q);
  ASSERT_FALSE(curves.empty());
  for (const ways::SelfMotion& curve : curves)
    for (const ways::Coordinates& point : curve.points)
      EXPECT_LT((solver.chain().place(point).translation - target.translation).norm(), 1e-9);
}

}  // namespace
}  // namespace limber::ways_first_page_test

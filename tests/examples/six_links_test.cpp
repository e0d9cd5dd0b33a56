// SPDX-License-Identifier: MIT
// The example of the damped least squares solver: two goals at points of different links of one chain.
#include "example_scenes.h"
#include "limber/posing/posing.h"

namespace limber::six_links_test {
namespace {

TEST(SixLinks, DampedLeastSquaresMeetsBothGoals) {
  Document document = test::openExample("six_links_two_goals");
  ASSERT_EQ(document.solver.solver, "dls");
  const Pose start = document.pose;
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_EQ(report.outcome, Outcome::Reached) << report.sentence;
  EXPECT_LT(report.worstError, 1e-3);
  EXPECT_EQ(report.goals.size(), 2u);
  EXPECT_TRUE(jointRotation(*document.figure, document.pose, 0).isApprox(jointRotation(*document.figure, start, 0)))
      << "the source leaves the root's rotation alone";
}

TEST(SixLinks, OtherMethodsMeetThemToo) {
  std::vector<std::string> names = test::exactSecondOrderSolvers();
  names.insert(names.end(), {"ccd", "fabrik"});
  for (const std::string& name : names) {
    Document document = test::openExample("six_links_two_goals");
    document.solver.solver = name;
    Posing posing;
    const PosingReport report = solveToEnd(posing, document);
    EXPECT_EQ(report.outcome, Outcome::Reached) << name << ": " << report.sentence;
  }
}

}  // namespace
}  // namespace limber::six_links_test

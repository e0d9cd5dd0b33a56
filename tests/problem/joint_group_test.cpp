// SPDX-License-Identifier: MIT
#include "limber/problem/joint_group.h"

#include <gtest/gtest.h>

#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"

namespace limber::joint_group_test {
namespace {

/// A chain of five hinges and a separate sixth one, with the given couplings.
std::shared_ptr<const Figure> makeFigure(const std::vector<Coupling>& couplings) {
  FigureBuilder builder("row");
  for (int i = 0; i < 6; ++i) {
    Link link{.name = "link" + std::to_string(i), .parent = i < 5 ? i - 1 : 0};
    Joint joint{.type = JointType::Revolute};
    joint.parentFromJoint.translation = {0, 0.1, 0};
    builder.addLink(link, joint);
  }
  for (const Coupling& coupling : couplings) builder.addCoupling(coupling);
  return test::built(builder);
}

Coupling follow(const std::string& name, int follower, std::vector<int> drivers) {
  Coupling coupling{.name = name, .follower = follower};
  for (const int driver : drivers) coupling.terms.push_back({driver, {0.5, 0, 0, 0}});
  return coupling;
}

TEST(JointGroup, HoldsFollowersAndDriverFromTheRootOutward) {
  const auto groups = jointGroups(*makeFigure({follow("spine", 4, {2}), follow("spine", 0, {2})}));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].name, "spine");
  EXPECT_EQ(groups[0].joints, (std::vector<int>{0, 2, 4}));
  EXPECT_TRUE(groups[0].isRow);
}

TEST(JointGroup, GroupsStandInTheOrderInWhichTheyAreNamed) {
  const auto groups = jointGroups(*makeFigure({follow("b", 1, {0}), follow("a", 3, {2}), follow("b", 4, {0})}));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].name, "b");
  EXPECT_EQ(groups[0].joints, (std::vector<int>{0, 1, 4}));
  EXPECT_EQ(groups[1].joints, (std::vector<int>{2, 3}));
}

TEST(JointGroup, TwoDriversOrABranchMakeNoRow) {
  EXPECT_FALSE(jointGroups(*makeFigure({follow("shoulder", 0, {1, 2})}))[0].isRow);
  EXPECT_FALSE(jointGroups(*makeFigure({follow("shoulder", 0, {1}), follow("shoulder", 3, {2})}))[0].isRow);
  EXPECT_FALSE(jointGroups(*makeFigure({follow("branch", 5, {3})}))[0].isRow);
}

TEST(JointGroup, AFigureWithoutCouplingsHasNone) { EXPECT_TRUE(jointGroups(*makeFigure({})).empty()); }

}  // namespace
}  // namespace limber::joint_group_test

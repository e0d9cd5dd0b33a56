// SPDX-License-Identifier: MIT
#include "limber/body/body_map.h"

#include <gtest/gtest.h>

#include <set>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "support/figure_tree.h"

namespace limber::limb_test {
namespace {

using V = Eigen::Vector3d;

using Tree = test::FigureTree;

/// A body with pelvis, chest, a head with eyes and a fixed camera, arms with twist links, hands with three fingers, and
/// legs with toes.
std::shared_ptr<const Figure> makePerson() {
  Tree tree;
  const int pelvis = tree.add("pelvis", -1, V(0, 0.95, 0), V(0, 0.2, 0), JointType::Free);
  const int chest = tree.add("chest", pelvis, V(0, 0.2, 0), V(0, 0.3, 0));
  const int head = tree.add("head", chest, V(0, 0.3, 0), V(0, 0.25, 0));
  tree.add("eye", head, V(0.03, 0.12, 0.1), V(0, 0, 0.02));
  tree.add("camera", head, V(0, 0.2, 0.1), V(0, 0, 0.3), JointType::Fixed);
  for (const double side : {-1.0, 1.0}) {
    const std::string s = side < 0.0 ? "right_" : "left_";
    const int upper = tree.add(s + "upper_arm", chest, V(0.2 * side, 0.25, 0), V(0.3 * side, 0, 0));
    tree.add(s + "twist", upper, V(0.15 * side, 0, 0), V(0.1 * side, 0, 0));
    const int lower = tree.add(s + "lower_arm", upper, V(0.3 * side, 0, 0), V(0.25 * side, 0, 0));
    const int hand = tree.add(s + "hand", lower, V(0.25 * side, 0, 0), V(0.1 * side, 0, 0));
    for (const double across : {-0.02, 0.0, 0.02})
      tree.add(s + "finger" + std::to_string(across), hand, V(0.1 * side, 0, across), V(0.08 * side, 0, 0));
    const int thigh = tree.add(s + "thigh", pelvis, V(0.1 * side, 0, 0), V(0, -0.45, 0));
    const int shank = tree.add(s + "shank", thigh, V(0, -0.45, 0), V(0, -0.43, 0));
    const int foot = tree.add(s + "foot", shank, V(0, -0.43, 0), V(0, -0.05, 0.15));
    tree.add(s + "toes", foot, V(0, -0.05, 0.15), V(0, 0, 0.06));
  }
  return tree.build();
}

std::set<std::string> limbOf(const Figure& figure, const std::string& link) {
  const int index = figure.findLink(link);
  EXPECT_GE(index, 0) << link;
  const std::vector<char> limb = bodyMapOf(figure).limbOf(index);
  EXPECT_EQ(limb.size(), static_cast<std::size_t>(figure.linkCount()));
  std::set<std::string> names;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (limb[i]) names.insert(figure.link(i).name);
  return names;
}

bool isWhole(const Figure& figure, int link) {
  for (const char inLimb : bodyMapOf(figure).limbOf(link))
    if (!inLimb) return false;
  return true;
}

TEST(Limb, ArmIsAllBelowTheChest) {
  const auto person = makePerson();
  const auto arm = limbOf(*person, "left_hand");
  EXPECT_EQ(arm.size(), 7u);
  EXPECT_TRUE(arm.contains("left_upper_arm") && arm.contains("left_twist"));
  EXPECT_FALSE(arm.contains("chest") || arm.contains("head") || arm.contains("right_hand"));
  EXPECT_EQ(limbOf(*person, "left_lower_arm"), arm);
  EXPECT_EQ(limbOf(*person, "left_twist").size(), 1u) << "the forearm reaches farther than the helper that is dragged";
}

TEST(Limb, LegIsAllBelowThePelvis) {
  const auto person = makePerson();
  const std::set<std::string> leg = {"right_thigh", "right_shank", "right_foot", "right_toes"};
  EXPECT_EQ(limbOf(*person, "right_foot"), leg);
  EXPECT_EQ(limbOf(*person, "right_toes"), leg);
}

TEST(Limb, FingerIsALimbOfItsPalm) {
  const auto person = makePerson();
  EXPECT_EQ(limbOf(*person, "left_finger" + std::to_string(0.0)).size(), 1u);
}

TEST(Limb, ChestTakesItsArmsAlongAndThePelvisEverything) {
  const auto person = makePerson();
  const auto trunk = limbOf(*person, "chest");
  EXPECT_TRUE(trunk.contains("head") && trunk.contains("left_hand"));
  EXPECT_FALSE(trunk.contains("pelvis") || trunk.contains("left_thigh"));
  EXPECT_TRUE(isWhole(*person, person->findLink("pelvis")));
}

TEST(Limb, WhatIsFixedIsPartOfItsCarrier) {
  const auto person = makePerson();
  EXPECT_EQ(limbOf(*person, "camera"), limbOf(*person, "head"));
  EXPECT_EQ(limbOf(*person, "head"), (std::set<std::string>{"head", "eye", "camera"}));
}

TEST(Limb, ChainIsAWhole) {
  for (const auto& figure : {makePlanarChain(5), makeBallChain(5)})
    for (int link = 0; link < figure->linkCount(); ++link) EXPECT_TRUE(isWhole(*figure, link));
}

TEST(Limb, FreeJointIsAForkUnlessItOnlyTurns) {
  for (const bool onlyTurns : {false, true}) {
    Tree tree;
    const int base = tree.add("base", -1, V::Zero(), V(1, 0, 0), JointType::Free);
    tree.builder.joint(base).translationLocked = onlyTurns;
    const int first = tree.add("first", base, V(1, 0, 0), V(1, 0, 0));
    tree.add("second", first, V(1, 0, 0), V(1, 0, 0));
    const auto figure = tree.build();
    EXPECT_EQ(limbOf(*figure, "second").contains("base"), onlyTurns);
    EXPECT_TRUE(limbOf(*figure, "second").contains("first"));
  }
}

TEST(Limb, BranchIsAForkFromHalfTheReachOn) {
  for (const double length : {0.99, 1.01}) {
    Tree tree;
    const int base = tree.add("base", -1, V::Zero(), V(0, 1, 0));
    const int middle = tree.add("middle", base, V(0, 1, 0), V(1, 0, 0));
    tree.add("branch", middle, V::Zero(), V(0, 0, length));
    const int end = tree.add("end", middle, V(1, 0, 0), V(1, 0, 0));
    const auto figure = tree.build();
    EXPECT_EQ(isWhole(*figure, end), length < 1.0) << length;
  }
}

TEST(Limb, SiteReachesAsFarAsABone) {
  Tree tree;
  const int base = tree.add("base", -1, V::Zero(), V(0, 1, 0));
  const int arm = tree.add("arm", base, V(0, 1, 0), V(1, 0, 0));
  const int mast = tree.add("mast", base, V(0, 1, 0), V(0, 0, 0.1));
  tree.builder.addSite({"top", mast, Transform::fromTranslation({0, 0, 3})});
  const auto figure = tree.build();
  EXPECT_EQ(limbOf(*figure, "arm").size(), 1u);
  EXPECT_FALSE(isWhole(*figure, arm));
}

TEST(Limb, EmptyReachIsNoFork) {
  Tree tree;
  const int base = tree.add("base", -1, V::Zero(), V::Zero());
  const int twin = tree.add("twin", base, V::Zero(), V::Zero());
  tree.add("other", base, V::Zero(), V::Zero());
  EXPECT_TRUE(isWhole(*tree.build(), twin));
}

// A spine with a short branch at every vertebra: computing distances at every link again would take 5 * 10^9 of them.
TEST(Limb, LongSpineWithTwigsIsOneLimb) {  // of eighty thousand links: in time linear in them
  constexpr int kVertebrae = 40000;
  Tree tree;
  int vertebra = -1;
  for (int i = 0; i < kVertebrae; ++i) {
    vertebra = tree.add("v" + std::to_string(i), vertebra, V(i == 0 ? 0 : 1, 0, 0), V(1, 0, 0));
    tree.add("t" + std::to_string(i), vertebra, V::Zero(), V(0, 0.1, 0));
  }
  const auto figure = tree.build();
  EXPECT_TRUE(isWhole(*figure, vertebra));
  EXPECT_FALSE(bodyMapOf(*figure).hasLimbs());
}

TEST(FigureSize, IsTheLargestEdgeAboutTheJoints) {
  EXPECT_DOUBLE_EQ(bodyMapOf(*makePlanarChain(5)).size(), 4.0);  // the last joint, not the tip
  EXPECT_NEAR(bodyMapOf(*makePerson()).size(), 1.7, 1e-12);      // from finger to finger
}

TEST(HasLimbs, PersonHasAndChainHasNot) {
  EXPECT_TRUE(bodyMapOf(*makePerson()).hasLimbs());
  EXPECT_FALSE(bodyMapOf(*makePlanarChain(8)).hasLimbs());
  EXPECT_FALSE(bodyMapOf(*makeBallChain(8)).hasLimbs());
}

TEST(HasLimbs, GripperAndFixedMastAreNone) {
  Tree tree;
  int link = tree.add("link0", -1, V::Zero(), V(0, 0.3, 0), JointType::Revolute);
  for (int i = 1; i < 4; ++i)
    link = tree.add("link" + std::to_string(i), link, V(0, 0.3, 0), V(0, 0.3, 0), JointType::Revolute);
  for (const double side : {-0.05, 0.05})
    tree.add("finger" + std::to_string(side), link, V(side, 0.3, 0), V(0, 0.1, 0), JointType::Prismatic);
  tree.add("mast", 0, V(0.2, 0, 0), V(0, 1, 0), JointType::Fixed);
  EXPECT_FALSE(bodyMapOf(*tree.build()).hasLimbs());
}

}  // namespace
}  // namespace limber::limb_test

// SPDX-License-Identifier: MIT
#include "limber/body/body_map.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "limber/body/rigid_bodies.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/document.h"
#include "support/figure_tree.h"
#include "support/hinge_tree.h"
#include "support/standing_body.h"

namespace limber::parts_test {
namespace {

using V = Eigen::Vector3d;

NamedParts partsOf(const std::shared_ptr<const Figure>& figure) { return bodyMapOf(*figure).parts(); }

/// The part of this name; -1 without one.
int partNamed(const NamedParts& parts, std::string_view name) {
  for (std::size_t i = 0; i < parts.parts.size(); ++i)
    if (parts.parts[i].name == name) return static_cast<int>(i);
  return -1;
}

std::set<std::string> namesOf(const Figure& figure, const std::vector<int>& links) {
  std::set<std::string> names;
  for (const int link : links) names.insert(figure.link(link).name);
  return names;
}

/// Checks that each link is in one part and that the attributes of parts match their links.
void expectSound(const Figure& figure, const NamedParts& parts) {
  ASSERT_EQ(parts.partOfLink.size(), static_cast<std::size_t>(figure.linkCount()));
  std::vector<int> times(parts.partOfLink.size(), 0);
  std::set<std::string> names;
  for (std::size_t i = 0; i < parts.parts.size(); ++i) {
    const FigurePart& part = parts.parts[i];
    SCOPED_TRACE(part.name);
    EXPECT_TRUE(names.insert(part.name).second) << "named twice";
    EXPECT_FALSE(part.name.empty());
    EXPECT_LT(part.parent, static_cast<int>(i));
    EXPECT_EQ(part.kind == PartKind::Limb, part.links.empty());
    EXPECT_TRUE(std::ranges::is_sorted(part.links));
    for (const int link : part.links) {
      ++times[link];
      EXPECT_EQ(parts.partOfLink[link], static_cast<int>(i));
    }
    if (part.kind != PartKind::Limb) {
      EXPECT_TRUE(std::ranges::binary_search(part.links, part.mainLink));
    }
    if (part.kind == PartKind::Digit) {
      EXPECT_EQ(parts[part.parent].kind, PartKind::Part);
    }
    EXPECT_GE(parts.mainLinkOf(static_cast<int>(i)), 0);
  }
  for (const int count : times) EXPECT_EQ(count, 1);
}

using Tree = test::FigureTree;

TEST(Parts, OfAPersonAreItsLimbsAndTrunk) {
  const auto figure = test::makeStandingBody();
  const NamedParts parts = partsOf(figure);
  expectSound(*figure, parts);
  for (const char* name : {"head", "neck", "chest", "pelvis", "left arm", "right upper arm", "left hand", "right foot"})
    EXPECT_GE(partNamed(parts, name), 0) << name;
  const int foot = partNamed(parts, "left foot");
  EXPECT_EQ(namesOf(*figure, parts[foot].links), (std::set<std::string>{"LeftFoot", "LeftToeBase"}));
  EXPECT_EQ(parts[foot].mainLink, figure->findLink("LeftFoot"));
  EXPECT_EQ(parts.wholeOf(figure->findLink("LeftToeBase")), foot);
  const int leg = parts[foot].parent;
  EXPECT_EQ(parts[leg].name, "left leg");
  EXPECT_EQ(parts.mainLinkOf(leg), figure->findLink("LeftUpLeg"));
  EXPECT_EQ(namesOf(*figure, parts.linksOf(leg)),
            (std::set<std::string>{"LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"}));
}

TEST(Parts, OfAPersonWithoutNamesAreTheSame) {
  const NamedParts named = partsOf(test::makeStandingBody());
  const auto figure = test::makeStandingBody({.hasNames = false});
  const NamedParts found = partsOf(figure);
  expectSound(*figure, found);
  EXPECT_EQ(found.partOfLink.size(), named.partOfLink.size());
  for (std::size_t link = 0; link < named.partOfLink.size(); ++link)
    if (found[found.partOfLink[link]].name.find("part") == std::string::npos) {  // a vertebra keeps the file's name
      EXPECT_EQ(found[found.partOfLink[link]].name, named[named.partOfLink[link]].name) << link;
    }
}

/// Three hinges at one point, of which only the last link has a shape; the next link is fixed to it.
TEST(Parts, HingesAtOnePlaceAndWhatIsFixedAreOneBody) {
  Tree tree;
  const int base = tree.add("base", -1, V::Zero(), V(0, 0.5, 0), JointType::Fixed);
  const int first = tree.add("first", base, V(0, 0.5, 0), V::Zero(), JointType::Revolute);
  const int second = tree.add("second", first, V::Zero(), V::Zero(), JointType::Revolute);
  const int third = tree.add("third", second, V::Zero(), V(0, 0.4, 0), JointType::Revolute);
  const int camera = tree.add("camera", third, V(0, 0.4, 0), V(0, 0, 0.1), JointType::Fixed);
  const int tool = tree.add("tool", third, V(0, 0.4, 0), V(0, 0.3, 0), JointType::Revolute);
  const auto figure = tree.build();
  const RigidBodies bodies = findRigidBodies(*figure);
  EXPECT_EQ(bodies.count(), 3);
  EXPECT_EQ(bodies[1].links, (std::vector<int>{first, second, third, camera}));
  EXPECT_EQ(bodies[1].main, third);
  EXPECT_EQ(bodies[2].parent, 1);
  EXPECT_NEAR(bodies[1].reach, 0.7 + 0.0, 0.03);
  EXPECT_NEAR(bodies.stepTo(2), 0.4, 1e-12);
  const NamedParts parts = partsOf(figure);
  expectSound(*figure, parts);
  EXPECT_EQ(parts.partOfLink[camera], parts.partOfLink[first]);
  EXPECT_NE(parts.partOfLink[tool], parts.partOfLink[third]);
}

/// Below the pelvis in the tree, nearer to it than to the thigh, as in humanoid robots.
TEST(Parts, TheFirstHingeOfAHipBelongsToItsThighAndAHalfOfThePelvisDoesNot) {
  for (const JointType type : {JointType::Revolute, JointType::Ball}) {
    Tree tree;
    const int hips = tree.add("hips", -1, V(0, 1, 0), V(0, 0.1, 0), JointType::Free);
    const int spine = tree.add("spine", hips, V(0, 0.2, 0), V(0, 0.2, 0));
    tree.add("head", spine, V(0, 0.4, 0), V(0, 0.1, 0));
    std::vector<int> hinges;
    for (const double side : {1.0, -1.0}) {
      const std::string s = side > 0 ? "left_" : "right_";
      hinges.push_back(tree.add(s + "hip_pitch", hips, V(0.06 * side, -0.08, 0), V(0.05 * side, 0, 0), type));
      const int thigh = tree.add(s + "thigh", hinges.back(), V(0.05 * side, -0.12, 0), V(0, -0.4, 0));
      const int shin = tree.add(s + "shin", thigh, V(0, -0.4, 0), V(0, -0.4, 0));
      tree.add(s + "foot", shin, V(0, -0.4, 0), V(0, 0, 0.1));
      const int upper = tree.add(s + "upper_arm", spine, V(0.2 * side, 0.3, 0), V(0.3 * side, 0, 0));
      const int lower = tree.add(s + "forearm", upper, V(0.3 * side, 0, 0), V(0.3 * side, 0, 0));
      tree.add(s + "hand", lower, V(0.3 * side, 0, 0), V(0.1 * side, 0, 0));
    }
    const auto figure = tree.build();
    const NamedParts parts = partsOf(figure);
    expectSound(*figure, parts);
    const bool isHinge = type == JointType::Revolute;
    EXPECT_EQ(parts[parts.partOfLink[hinges[0]]].name, isHinge ? "left thigh" : "pelvis");
    EXPECT_EQ(parts[parts.partOfLink[hinges[1]]].name, isHinge ? "right thigh" : "pelvis");
    const int thigh = partNamed(parts, "left thigh");
    ASSERT_GE(thigh, 0);
    EXPECT_EQ(parts[thigh].mainLink, figure->findLink("left_thigh"));
  }
}

TEST(Parts, AChainShowsItsLinks) {
  for (const int count : {1, 2, 7, 1000}) {
    const auto figure = makePlanarChain(count);
    const NamedParts parts = partsOf(figure);
    expectSound(*figure, parts);
    ASSERT_EQ(parts.parts.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(parts.partOfLink[i], i);
      EXPECT_EQ(parts[i].parent, -1);
    }
  }
}

TEST(Parts, ShortBranchesAtTheEndOfAnArmAreFingers) {
  Tree tree;
  int link = tree.add("base", -1, V::Zero(), V(0, 0.3, 0), JointType::Fixed);
  for (const char* name : {"shoulder", "elbow", "wrist"})
    link = tree.add(name, link, V(0, 0.3, 0), V(0, 0.3, 0), JointType::Revolute);
  const int left = tree.add("gripper_left", link, V(0.03, 0.3, 0), V(0, 0.08, 0), JointType::Prismatic);
  tree.add("gripper_right", link, V(-0.03, 0.3, 0), V(0, 0.08, 0), JointType::Prismatic);
  const auto figure = tree.build();
  const NamedParts parts = partsOf(figure);
  expectSound(*figure, parts);
  EXPECT_EQ(parts.wholeOf(left), parts.wholeOf(link));
  EXPECT_EQ(parts[parts.partOfLink[left]].kind, PartKind::Digit);
  EXPECT_EQ(parts[parts.wholeOf(left)].mainLink, link);
  EXPECT_EQ(parts.linksOf(parts.wholeOf(left)).size(), 3u);
}

/// A body on four legs of three links, with a tail and ears.
std::shared_ptr<const Figure> makeDog() {
  Tree tree;
  const int trunk = tree.add("trunk", -1, V(0, 0.5, 0), V(0.6, 0, 0), JointType::Free);
  for (const auto& [name, x] : {std::pair{"front", 0.6}, std::pair{"hind", 0.0}})
    for (const auto& [side, z] : {std::pair{"left", -0.1}, std::pair{"right", 0.1}}) {
      const std::string stem = std::string(name) + "_" + side + "_";
      const int thigh = tree.add(stem + "thigh", trunk, V(x, 0, z), V(0, -0.25, 0));
      const int shin = tree.add(stem + "shin", thigh, V(0, -0.25, 0), V(0, -0.2, 0));
      const int paw = tree.add(stem + "paw", shin, V(0, -0.2, 0), V(0.1, 0, 0));
      tree.add(stem + "claw", paw, V(0.1, 0, 0), V(0.02, 0, 0));
    }
  const int head = tree.add("head", trunk, V(0.7, 0.2, 0), V(0.25, 0, 0));
  tree.add("ear", head, V(0, 0.1, 0), V(0, 0.03, 0));
  tree.add("muzzle", head, V(0.25, 0, 0), V(0.1, 0, 0));
  return tree.build();
}

TEST(Parts, OfAnAnimalAreFoldedByLeg) {
  const auto figure = makeDog();
  const NamedParts parts = partsOf(figure);
  expectSound(*figure, parts);
  const int leg = partNamed(parts, "left hind leg");
  ASSERT_GE(leg, 0);
  EXPECT_EQ(parts[leg].kind, PartKind::Limb);
  ASSERT_EQ(parts[leg].children.size(), 3u);
  EXPECT_EQ(parts[parts[leg].children[0]].name, "left hind thigh");
  EXPECT_EQ(namesOf(*figure, parts[parts[leg].children[2]].links),
            (std::set<std::string>{"hind_left_paw", "hind_left_claw"}));
  EXPECT_EQ(parts[partNamed(parts, "trunk")].parent, -1);
}

TEST(Parts, OfALargeTreeAreFoundAtOnce) {
  const auto figure = test::makeHingeTree(1000, 7);
  const auto start = std::chrono::steady_clock::now();
  const NamedParts parts = partsOf(figure);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  expectSound(*figure, parts);
  EXPECT_LT(taken.count(), 1.0);
  int limbs = 0;
  for (const FigurePart& part : parts.parts) limbs += part.kind == PartKind::Limb;
  EXPECT_EQ(limbs, 7);
}

TEST(Parts, OfAStarOfManyAreFoundAtOnce) {
  Tree tree;
  const int middle = tree.add("middle", -1, V::Zero(), V(0, 0.1, 0), JointType::Free);
  for (int i = 0; i < 3000; ++i)
    tree.add("ray" + std::to_string(i), middle, V(0, 0.1, 0), V(1, 0.001 * i, 0), JointType::Revolute);
  const auto figure = tree.build();
  const auto start = std::chrono::steady_clock::now();
  const NamedParts parts = partsOf(figure);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(parts.parts.size(), 3001u);
  EXPECT_LT(taken.count(), 2.0);
}

TEST(Parts, OfOneLinkAndOfSeveralRoots) {
  for (const std::size_t roots : {1u, 2u}) {
    Tree tree;
    for (std::size_t i = 0; i < roots; ++i)
      tree.add("root" + std::to_string(i), -1, V(0, static_cast<double>(i), 0), V(1, 0, 0), JointType::Free);
    const auto figure = tree.build();
    const NamedParts parts = partsOf(figure);
    expectSound(*figure, parts);
    EXPECT_EQ(parts.parts.size(), roots);
  }
}

TEST(Parts, NamesThatReadAlikeAreTold) {
  Tree tree;
  const int a = tree.add("left_wing", -1, V::Zero(), V(1, 0, 0), JointType::Free);
  tree.add("wing_left", a, V(1, 0, 0), V(1, 0, 0));
  const NamedParts parts = partsOf(tree.build());
  EXPECT_EQ(parts[0].name, "left wing");
  EXPECT_EQ(parts[1].name, "left wing 2");
}

TEST(Parts, ReadableNames) {
  EXPECT_EQ(readableName("mixamorig:LeftUpperArm"), "left upper arm");
  EXPECT_EQ(readableName("left_hip_pitch_link"), "left hip pitch");
  EXPECT_EQ(readableName("front_right_shin"), "right front shin");
  EXPECT_EQ(readableName("HL_thigh"), "left hind leg thigh");
  EXPECT_EQ(readableName("panda_link3"), "panda link3");
  EXPECT_EQ(readableName("shin_right/knee_right"), "right shin");
  EXPECT_EQ(readableName("link0"), "link0");
  EXPECT_EQ(readableName("_"), "_");
  EXPECT_EQ(readableName("L"), "L");
  EXPECT_EQ(readableName(":"), ":");
}

}  // namespace
}  // namespace limber::parts_test

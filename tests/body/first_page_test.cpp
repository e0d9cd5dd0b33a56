// SPDX-License-Identifier: MIT
// First page of src/limber/body: recognises bodies in figures: sides, limbs, mirror images.
//
// A figure is a tree of links with names. This room finds out which part of a body each link is: by its name if
// possible, else by the shape of the rest pose. Posing, panels and files ask it which links belong to an arm, which
// foot is the left one, and for the mirror image of a pose.
//
// Read next: body/body_map.h, body/body_words.h, body/anatomy.h (human bodies), body/limb.h, body/parts.h,
// body/symmetry.h and body/mirror.h.
#include <gtest/gtest.h>

#include "limber/body/body_map.h"
#include "limber/body/body_words.h"
#include "limber/body/mirror.h"
#include "limber/kinematics/figure_builder.h"

namespace limber::body_first_page {
namespace {

/// A trunk on a free joint at a height of 1 m, with two arms of two links along the x axis: 0 trunk, 1 and 2 the left
/// arm (+x), 3 and 4 the right one. All arm joints are hinges about z.
std::shared_ptr<const Figure> makeTorso() {
  FigureBuilder builder("torso");
  builder.addLink({.name = "trunk"},
                  {.type = JointType::Free, .parentFromJoint = Transform::fromTranslation({0.0, 1.0, 0.0})});
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0.0 ? "left_" : "right_";
    const auto hingeAt = [](double x) {
      return Joint{.type = JointType::Revolute, .parentFromJoint = Transform::fromTranslation({x, 0.0, 0.0})};
    };
    const int upper = builder.addLink({.name = name + "upper_arm", .parent = 0}, hingeAt(0.2 * side));
    const int lower = builder.addLink({.name = name + "forearm", .parent = upper}, hingeAt(0.3 * side));
    builder.addSite(
        {.name = name + "wrist", .link = lower, .linkFromSite = Transform::fromTranslation({0.25 * side, 0.0, 0.0})});
  }
  std::string error;
  return builder.build(error);
}

TEST(BodyFirstPage, NamesOfBothSidesShareAStem) {
  for (const auto& [left, right] : {std::pair("left_hand", "right_hand"), std::pair("hand.L", "hand.R")}) {
    EXPECT_EQ(sidedName(left).side, BodySide::Left);
    EXPECT_EQ(sidedName(right).side, BodySide::Right);
    EXPECT_EQ(sidedName(left).stem, sidedName(right).stem);
  }
}

TEST(BodyFirstPage, AHandBelongsToItsArm) {
  EXPECT_EQ(bodyMapOf(*makeTorso()).limbOf(2), (std::vector<char>{0, 1, 1, 0, 0}));
}

TEST(BodyFirstPage, AMirrorExchangesTheSides) {
  const auto torso = makeTorso();
  const auto symmetry = bodyMapOf(*torso).symmetry().symmetry;
  ASSERT_TRUE(symmetry);
  EXPECT_EQ(symmetry->partner, (std::vector<int>{0, 3, 4, 1, 2}));

  Pose pose = restPose(*torso);
  const int leftElbow = torso->joint(2).poseIndex, rightElbow = torso->joint(4).poseIndex;
  pose.coordinates[leftElbow] = 0.5;  // raises the left forearm
  const Pose mirrored = flipped(*torso, *symmetry, pose);
  EXPECT_NEAR(mirrored.coordinates[rightElbow], -0.5, 1e-12) << "about z, the right forearm rises the other way round";
  EXPECT_NEAR(mirrored.coordinates[leftElbow], 0.0, 1e-12);
}

}  // namespace
}  // namespace limber::body_first_page

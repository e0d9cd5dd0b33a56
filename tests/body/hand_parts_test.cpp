// SPDX-License-Identifier: MIT
#include "limber/body/hand_parts.h"

#include <gtest/gtest.h>

#include "limber/body/body_map.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "support/built_figure.h"
#include "support/made_hand.h"

namespace limber::hand_parts_test {
namespace {

std::optional<HandParts> handOf(const std::shared_ptr<const Figure>& figure) {
  return findLoneHand(bodyMapOf(*figure));
}

/// The digits in the order of makeMadeHand, three links each.
void expectAllDigits(const HandParts& hand, const char* what) {
  SCOPED_TRACE(what);
  EXPECT_EQ(hand.palm, 0);
  for (std::size_t i = 0; i < kDigitCount; ++i) {
    const int first = 1 + 3 * static_cast<int>(i);
    EXPECT_EQ(hand.digits[i], (std::vector<int>{first, first + 1, first + 2})) << i;
  }
}

TEST(HandParts, FingersAreKnownByTheirNames) {
  const auto check = [](std::vector<std::string> names, const char* what) {
    const auto hand = handOf(test::makeMadeHand({.names = std::move(names)}));
    ASSERT_TRUE(hand) << what;
    expectAllDigits(*hand, what);
  };
  check({"rightThumbMetacarpal", "rightThumbProximal", "rightThumbDistal", "rightIndexProximal",
         "rightIndexIntermediate", "rightIndexDistal", "rightMiddleProximal", "rightMiddleIntermediate",
         "rightMiddleDistal", "rightRingProximal", "rightRingIntermediate", "rightRingDistal", "rightLittleProximal",
         "rightLittleIntermediate", "rightLittleDistal"},
        "VRM");
  check({"mixamorig:RightHandThumb1", "mixamorig:RightHandThumb2", "mixamorig:RightHandThumb3",
         "mixamorig:RightHandIndex1", "mixamorig:RightHandIndex2", "mixamorig:RightHandIndex3",
         "mixamorig:RightHandMiddle1", "mixamorig:RightHandMiddle2", "mixamorig:RightHandMiddle3",
         "mixamorig:RightHandRing1", "mixamorig:RightHandRing2", "mixamorig:RightHandRing3",
         "mixamorig:RightHandPinky1", "mixamorig:RightHandPinky2", "mixamorig:RightHandPinky3"},
        "Mixamo");
  check({"finger1-1.R", "finger1-2.R", "finger1-3.R", "finger2-1.R", "finger2-2.R", "finger2-3.R", "finger3-1.R",
         "finger3-2.R", "finger3-3.R", "finger4-1.R", "finger4-2.R", "finger4-3.R", "finger5-1.R", "finger5-2.R",
         "finger5-3.R"},
        "MakeHuman");
  check({"thumb-metacarpal", "thumb-phalanx-proximal", "thumb-phalanx-distal", "index-finger-phalanx-proximal",
         "index-finger-phalanx-intermediate", "index-finger-phalanx-distal", "middle-finger-phalanx-proximal",
         "middle-finger-phalanx-intermediate", "middle-finger-phalanx-distal", "ring-finger-phalanx-proximal",
         "ring-finger-phalanx-intermediate", "ring-finger-phalanx-distal", "pinky-finger-phalanx-proximal",
         "pinky-finger-phalanx-intermediate", "pinky-finger-phalanx-distal"},
        "WebXR");
  check({"Bip01 R Finger0", "Bip01 R Finger01", "Bip01 R Finger02", "Bip01 R Finger1", "Bip01 R Finger11",
         "Bip01 R Finger12", "Bip01 R Finger2", "Bip01 R Finger21", "Bip01 R Finger22", "Bip01 R Finger3",
         "Bip01 R Finger31", "Bip01 R Finger32", "Bip01 R Finger4", "Bip01 R Finger41", "Bip01 R Finger42"},
        "Biped");
  check({"right thumb metacarpal", "right thumb proximal", "right thumb distal", "right index proximal",
         "right index middle", "right index distal", "right middle proximal", "right middle middle",
         "right middle distal", "right ring proximal", "right ring middle", "right ring distal",
         "right little proximal", "right little middle", "right little distal"},
        "words");
}

TEST(HandParts, ShapeTellsAHandWithoutNames) {
  for (const bool isLeft : {false, true})
    for (const bool hasHinges : {false, true})
      for (const int fingers : {3, 4}) {
        SCOPED_TRACE(testing::Message() << isLeft << hasHinges << fingers);
        const auto hand = handOf(test::makeMadeHand({.isLeft = isLeft, .hasHinges = hasHinges, .fingers = fingers}));
        ASSERT_TRUE(hand);
        if (fingers == 4) expectAllDigits(*hand, "shape");
        EXPECT_EQ(hand->digits[0], (std::vector<int>{1, 2, 3}));
        EXPECT_EQ(hand->digits[1], (std::vector<int>{4, 5, 6})) << "the finger next to the thumb";
        EXPECT_EQ(hand->side, isLeft ? BodySide::Left : BodySide::Right) << "the thumb stands before the palm";
      }
}

TEST(HandParts, AxesLeadToTheThumbAlongTheFingersAndOutOfThePalm) {
  for (const bool isLeft : {false, true}) {
    const auto hand = handOf(test::makeMadeHand({.isLeft = isLeft}));
    ASSERT_TRUE(hand);
    EXPECT_GT(hand->palmFromHand.col(0).x() * (isLeft ? -1.0 : 1.0), 0.95);
    EXPECT_GT(hand->palmFromHand.col(1).y(), 0.95);
    EXPECT_GT(hand->palmFromHand.col(2).z(), 0.95);
    EXPECT_NEAR(hand->palmFromHand.determinant(), isLeft ? -1.0 : 1.0, 1e-9);
  }
}

TEST(HandParts, OthersAreNoHands) {
  EXPECT_FALSE(handOf(makePlanarChain(5)));
  EXPECT_FALSE(handOf(makeArm()));
  // Pairs of legs are not fingers, because they do not diverge.
  for (const int pairs : {2, 3}) {
    FigureBuilder builder("legs");
    const int trunk = builder.addLink({.name = "t"}, {.type = JointType::Free});
    for (int leg = 0; leg < 2 * pairs; ++leg) {
      const std::string n = std::to_string(leg);
      const int upper = builder.addLink(
          {.name = "u" + n, .parent = trunk},
          {.name = "ju" + n,
           .type = JointType::Ball,
           .parentFromJoint = Transform::fromTranslation({leg % 2 ? 0.1 : -0.1, 0.0, 0.4 * (leg / 2)})});
      builder.addLink(
          {.name = "l" + n, .parent = upper},
          {.name = "jl" + n, .type = JointType::Ball, .parentFromJoint = Transform::fromTranslation({0, -0.25, 0})});
    }
    const auto figure = test::built(builder);
    EXPECT_FALSE(handOf(figure)) << pairs;
  }
}

TEST(HandParts, JointsThatAllHangOnOneNodeAreNoFingers) {
  FigureBuilder builder("flat");
  const int root = builder.addLink({.name = "root"}, {.type = JointType::Free});
  for (const char* name :
       {"thumb-metacarpal", "thumb-phalanx-proximal", "index-finger-phalanx-proximal", "index-finger-phalanx-distal"})
    builder.addLink({.name = name, .parent = root}, {.name = name, .type = JointType::Ball});
  const auto figure = test::built(builder);
  EXPECT_FALSE(handOf(figure));
}

TEST(PoseParts, NamesAreReadBack) {
  for (const BodyPlace place : {BodyPlace{BodyPart::Hips, BodySide::Middle},
                                {BodyPart::UpperArm, BodySide::Left},
                                {BodyPart::LittleFinger, BodySide::Right},
                                {BodyPart::Fingers, BodySide::Left}})
    EXPECT_EQ(findPosePlace(poseName(place)), place) << poseName(place);
  EXPECT_EQ(poseName({BodyPart::UpperArm, BodySide::Left}), "left upper arm");
  for (const char* name : {"", "upper arm", "left hips", "left tail"}) EXPECT_FALSE(findPosePlace(name)) << name;
}

}  // namespace
}  // namespace limber::hand_parts_test

// SPDX-License-Identifier: MIT
#include "limber/body/body_words.h"

#include <gtest/gtest.h>

namespace limber::body_words_test {
namespace {

TEST(SidedName, KnowsTheWaysThatSidesAreTold) {
  const std::pair<const char*, const char*> pairs[] = {
      {"left_hand", "right_hand"}, {"hand_left", "hand_right"},
      {"LeftHand", "RightHand"},   {"mixamorig:LeftForeArm", "mixamorig:RightForeArm"},
      {"hand.L", "hand.R"},        {"upperarm01.L", "upperarm01.R"},
      {"Hand_L", "Hand_R"},        {"l_hand", "r_hand"},
      {"LHipJoint", "RHipJoint"},  {"LThumb", "RThumb"},
      {"lShldr", "rShldr"},        {"J_Bip_L_UpperArm", "J_Bip_R_UpperArm"},
      {"leftarm", "rightarm"},     {"FL_thigh", "FR_thigh"},
      {"lf_foot", "rf_foot"},      {"RL_calf", "RR_calf"},
      {"hl_paw", "hr_paw"},        {"front_left_1", "front_right_1"},
      {"LEFT-knee", "RIGHT-knee"},
  };
  for (const auto& [left, right] : pairs) {
    EXPECT_EQ(sidedName(left).side, BodySide::Left) << left;
    EXPECT_EQ(sidedName(right).side, BodySide::Right) << right;
    EXPECT_EQ(sidedName(left).stem, sidedName(right).stem) << left << ", " << right;
    EXPECT_FALSE(sidedName(left).stem.empty()) << left;
  }
}

TEST(SidedName, KeepsLegsOfOneSideApart) {
  EXPECT_NE(sidedName("FL_thigh").stem, sidedName("RL_thigh").stem);
  EXPECT_NE(sidedName("lf_foot").stem, sidedName("lh_foot").stem);
}

TEST(SidedName, LeavesOthersInTheMiddle) {
  for (const char* name : {"pelvis", "Spine1", "lumbar_lateral", "lower_thorax", "root", "link0", "", "chest_rotation",
                           "bright", "upright_mount"})
    EXPECT_EQ(sidedName(name).side, BodySide::Middle) << name;
}

TEST(BareName, DropsWhatExportersAdd) {
  for (const char* name : {"mixamorig:LeftForeArm", "mixamorigLeftForeArm", "fore_arm_left", "DEF-forearm.L",
                           "Bip01 L Forearm", "Bip001 L Forearm", "J_Bip_L_ForeArm", "LFOREARM", "left_forearm_link"}) {
    EXPECT_EQ(bareName(name).stem, "forearm") << name;
    EXPECT_EQ(bareName(name).side, BodySide::Left) << name;
  }
  EXPECT_EQ(bareName("J_Bip_C_Hips").stem, "hips");
  EXPECT_EQ(bareName("bright").side, BodySide::Middle);
}

TEST(DigitNamed, KnowsEachFinger) {
  EXPECT_EQ(digitNamed("hand thumb 1"), BodyPart::Thumb);
  EXPECT_EQ(digitNamed("ring middle"), BodyPart::RingFinger) << "its middle joint";
  EXPECT_EQ(digitNamed("pinky 2"), BodyPart::LittleFinger);
  EXPECT_EQ(digitNamed("finger 2 1"), BodyPart::Fingers);
  EXPECT_EQ(digitNamed("forearm"), std::nullopt);
}

TEST(RecogniseParts, AWordMayDependOnOthers) {
  const auto partOf = [](const std::vector<std::string>& names) { return recogniseParts(names).at(0).part; };
  EXPECT_EQ(partOf({"left_shoulder", "left_arm"}), BodyPart::Clavicle);
  EXPECT_EQ(partOf({"left_shoulder", "left_elbow"}), BodyPart::UpperArm);
  EXPECT_EQ(partOf({"left_leg", "left_thigh"}), BodyPart::LowerLeg);
  EXPECT_EQ(partOf({"left_leg", "left_foot"}), BodyPart::UpperLeg);
  EXPECT_EQ(partOf({"left_foot", "left_ankle"}), BodyPart::Toes);
  EXPECT_EQ(partOf({"left_foot"}), BodyPart::Foot);
  EXPECT_TRUE(recogniseParts({"FL_thigh", "left_", ""}).empty()) << "no leg of a person";
}

}  // namespace
}  // namespace limber::body_words_test

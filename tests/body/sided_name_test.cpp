// SPDX-License-Identifier: MIT
#include "limber/body/sided_name.h"

#include <gtest/gtest.h>

namespace limber::sided_name_test {
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

}  // namespace
}  // namespace limber::sided_name_test

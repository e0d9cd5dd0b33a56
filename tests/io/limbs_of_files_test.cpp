// SPDX-License-Identifier: MIT
// Which figures have limbs, and which limb a drag moves, in files of every format. Those of the sample data are skipped
// where it is not present.
#include <gtest/gtest.h>

#include <filesystem>

#include "limber/body/body_map.h"
#include "limber/io/open.h"
#include "locations.h"
#include "results.h"

namespace limber::io::limbs_of_files_test {
namespace {
namespace fs = std::filesystem;

struct Expected {
  std::string name;
  bool hasLimbs;
};

std::string nameOf(const testing::TestParamInfo<Expected>& info) {
  std::string name;
  for (const char c : info.param.name)
    if (std::isalnum(static_cast<unsigned char>(c))) name += c;
  return name;
}

class LimbsOfFiles : public testing::TestWithParam<Expected> {};

std::string pathOf(const std::string& name) {
  if (name.find('/') == std::string::npos) return name;
  return (name.starts_with("resources/") ? fs::path(LIMBER_SOURCE_DIR) : fs::path(LIMBER_SHARED_DATA_DIR)) / name;
}

bool isMissing(const std::string& path) { return path.find('/') != std::string::npos && !fs::exists(path); }

TEST_P(LimbsOfFiles, HaveThemOrNot) {
  const std::string path = pathOf(GetParam().name);
  if (isMissing(path)) GTEST_SKIP() << "no sample data: " << path;
  const auto opened = test::valueOf(openAny(path));
  EXPECT_EQ(bodyMapOf(*opened.document.figure).hasLimbs(), GetParam().hasLimbs);
}

INSTANTIATE_TEST_SUITE_P(
    , LimbsOfFiles,
    testing::Values(Expected{"planar:8", false}, Expected{"ball:8", false}, Expected{"arm", false},
                    Expected{"humanoid", true}, Expected{"resources/figures/body.json", true},
                    Expected{"resources/figures/hand.json", true}, Expected{"resources/figures/pupper.json", true},
                    Expected{"resources/figures/spine_human.json", true},
                    Expected{"resources/figures/torso_human.json", true}, Expected{"urdf/panda/panda.urdf", false},
                    Expected{"urdf/g1/g1_29dof_rev_1_0.urdf", true}, Expected{"urdf/pupper/pupper_v2a.urdf", true},
                    Expected{"urdf/allegro_hand/allegro_hand_right.urdf", true},
                    Expected{"urdf/packages/example-robot-data/robots/double_pendulum_description/urdf/"
                             "double_pendulum_continuous.urdf",
                             false},
                    Expected{"mjcf/humanoid.xml", true}, Expected{"vrm/cryptovoxels.vrm", true},
                    Expected{"gltf/CesiumMan.gltf", true}, Expected{"gltf/Fox.glb", true},
                    Expected{"gltf/generic_hand_right.glb", true}, Expected{"gltf/SimpleSkin.gltf", false},
                    Expected{"bvh/cmu_01_01.bvh", true}, Expected{"bvh/fair_dab.bvh", true},
                    Expected{"bvh/makehuman_tpose.bvh", true}, Expected{"problems/rail_figure.json", false}),
    nameOf);

/// Some of the links that belong to the limb of the dragged link, and some that do not.
struct LimbOfFile {
  std::string file, dragged;
  std::vector<std::string> in, out;
};

std::string nameOfLimb(const testing::TestParamInfo<LimbOfFile>& info) {
  return nameOf({{info.param.file + info.param.dragged, false}, info.index});
}

class LimbOf : public testing::TestWithParam<LimbOfFile> {};

TEST_P(LimbOf, HoldsWhatBelongsToIt) {
  const LimbOfFile& expected = GetParam();
  const std::string path = pathOf(expected.file);
  if (isMissing(path)) GTEST_SKIP() << "no sample data: " << path;
  const auto opened = test::valueOf(openAny(path));
  const Figure& figure = *opened.document.figure;
  const auto linkOf = [&](const std::string& name) {
    const int link = figure.findLink(name);
    EXPECT_GE(link, 0) << name;
    return static_cast<std::size_t>(std::max(link, 0));
  };
  const std::vector<char> limb = bodyMapOf(figure).limbOf(static_cast<int>(linkOf(expected.dragged)));
  for (const std::string& name : expected.in) EXPECT_TRUE(limb[linkOf(name)]) << name;
  for (const std::string& name : expected.out) EXPECT_FALSE(limb[linkOf(name)]) << name;
}

INSTANTIATE_TEST_SUITE_P(
    , LimbOf,
    testing::Values(
        LimbOfFile{"humanoid", "left_hand", {"left_clavicle", "left_fingers"}, {"chest", "neck", "right_hand"}},
        LimbOfFile{"humanoid", "right_toes", {"right_hip_flexion", "right_foot"}, {"pelvis", "left_foot"}},
        LimbOfFile{"humanoid", "head", {"neck"}, {"chest", "left_clavicle"}},
        LimbOfFile{"humanoid", "chest", {"lumbar", "head", "left_hand"}, {"pelvis", "left_thigh"}},
        LimbOfFile{"resources/figures/hand.json", "index_distal", {"index_spread"}, {"palm", "middle_distal"}},
        LimbOfFile{"urdf/panda/panda.urdf", "panda_hand", {"panda_link0", "panda_leftfinger"}, {}},
        LimbOfFile{"urdf/g1/g1_29dof_rev_1_0.urdf",
                   "left_rubber_hand",
                   {"left_shoulder_pitch_link"},
                   {"torso_link", "head_link", "right_rubber_hand"}},
        LimbOfFile{"urdf/g1/g1_29dof_rev_1_0.urdf",
                   "d435_link",
                   {"waist_yaw_link", "left_rubber_hand"},
                   {"pelvis", "left_knee_link"}},
        LimbOfFile{"urdf/pupper/pupper_v2a.urdf", "leftFrontToe", {"leftFrontLeg"}, {"pupper_v2_dji_chassis"}},
        LimbOfFile{"mjcf/humanoid.xml", "hand_right", {"upper_arm_right"}, {"torso", "head", "pelvis"}},
        LimbOfFile{"vrm/cryptovoxels.vrm", "Left wrist", {"Left shoulder", "Thumb2_L"}, {"Chest", "Neck", "Right arm"}},
        LimbOfFile{"vrm/cryptovoxels.vrm", "Left toe", {"Left leg"}, {"Hips", "Right leg"}},
        LimbOfFile{"gltf/CesiumMan.gltf", "node15", {"node13"}, {"node12", "node18"}},
        LimbOfFile{"gltf/Fox.glb", "b_LeftHand_011", {"b_LeftUpperArm_09"}, {"b_Spine02_03", "b_Head_05"}},
        LimbOfFile{"gltf/Fox.glb", "b_Tail03_014", {"b_Tail01_012"}, {"b_Hip_01", "b_LeftLeg01_015"}},
        LimbOfFile{"bvh/cmu_01_01.bvh", "LeftHand", {"LeftShoulder", "LFingers"}, {"Spine1", "Neck"}},
        LimbOfFile{"bvh/fair_dab.bvh", "RightToeBase", {"RightUpLeg"}, {"Hips", "LeftUpLeg"}}),
    nameOfLimb);

}  // namespace
}  // namespace limber::io::limbs_of_files_test

// SPDX-License-Identifier: MIT
// Which links of a file's figure hold their place while something else is dragged, and which free joint then carries
// the body. Files of the sample data are skipped where it is not present.
#include <gtest/gtest.h>

#include <filesystem>

#include "limber/body/footholds.h"
#include "limber/io/open.h"
#include "locations.h"
#include "results.h"

namespace limber::io::footholds_of_files_test {
namespace {
namespace fs = std::filesystem;

struct Feet {
  std::string file;
  std::vector<std::string> links;  ///< at rest; with ":1" where one point is held
  std::string freeLink;
};

class FootholdsOfFiles : public testing::TestWithParam<Feet> {};

TEST_P(FootholdsOfFiles, AreTheFeet) {
  std::string path = GetParam().file;
  if (path.find('/') != std::string::npos) {
    path = (path.starts_with("resources/") ? fs::path(LIMBER_SOURCE_DIR) : fs::path(LIMBER_SHARED_DATA_DIR)) / path;
    if (!fs::exists(path)) GTEST_SKIP() << "no sample data: " << path;
  }
  const auto opened = test::valueOf(openAny(path));
  const Document& document = opened.document;
  const Figure& figure = *document.figure;
  const Kinematics kinematics = transformsOf(figure, restPose(figure));
  std::vector<std::string> found;
  for (const Foothold& foot : findFootholds(document, kinematics, {})) {
    found.push_back(figure.link(foot.link).name + (foot.isSole ? "" : ":1"));
    const int freeLink = freeLinkFor(document, foot.link);
    ASSERT_GE(freeLink, 0);
    EXPECT_EQ(figure.link(freeLink).name, GetParam().freeLink);
  }
  EXPECT_EQ(found, GetParam().links);
}

std::string nameOf(const testing::TestParamInfo<Feet>& info) {
  std::string name;
  for (const char c : info.param.file)
    if (std::isalnum(static_cast<unsigned char>(c))) name += c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    , FootholdsOfFiles,
    testing::Values(
        Feet{"arm", {}, ""}, Feet{"humanoid", {"left_foot", "right_foot"}, "pelvis"},
        Feet{"resources/figures/spine_human.json", {"left_foot", "right_foot"}, "pelvis"},
        Feet{"resources/figures/hand.json", {}, ""},
        Feet{"resources/figures/pupper.json",
             {"front_right_foot:1", "front_left_foot:1", "back_right_foot:1", "back_left_foot:1"},
             "torso"},
        Feet{"urdf/panda/panda.urdf", {}, ""},
        Feet{"urdf/g1/g1_29dof_rev_1_0.urdf", {"left_ankle_roll_link", "right_ankle_roll_link"}, "pelvis"},
        Feet{"urdf/pupper/pupper_v2a.urdf",
             {"leftFrontToe:1", "leftRearToe:1", "rightFrontToe:1", "rightRearToe:1"},
             "pupper_v2_dji_chassis"},
        Feet{"mjcf/humanoid.xml", {"foot_right", "foot_left"}, "torso"},
        Feet{"vrm/cryptovoxels.vrm", {"Left ankle", "Right ankle"}, "Armature"},
        Feet{"gltf/CesiumMan.gltf", {"node10", "node6"}, "node0"},
        Feet{"gltf/Fox.glb", {"b_RightHand_08:1", "b_LeftHand_011:1", "b_LeftFoot02_018", "b_RightFoot02_022"}, "root"},
        Feet{"gltf/generic_hand_right.glb", {}, ""}, Feet{"bvh/cmu_01_01.bvh", {"LeftFoot", "RightFoot"}, "Hips"},
        Feet{"bvh/fair_dab.bvh", {"RightFoot", "LeftFoot"}, "Hips"},
        Feet{"bvh/makehuman_tpose.bvh", {"foot.R", "foot.L"}, "root"}),
    nameOf);

// The floor of motion capture is rarely exactly at y = 0; here it is 5 cm above.
TEST(FootholdsOfMotion, FloorIsWhereTheClipStands) {
  const fs::path path = fs::path(LIMBER_SHARED_DATA_DIR) / "bvh/cmu_01_01.bvh";
  if (!fs::exists(path)) GTEST_SKIP() << "no sample data: " << path;
  const auto opened = test::valueOf(openAny(path.string()));
  Document document = opened.document;
  const auto feetAt = [&](int frame) {
    document.frame = frame;
    showFrame(document, frame);
    const Kinematics kinematics = transformsOf(*document.figure, document.pose);
    return findFootholds(document, kinematics, {}).size();
  };
  EXPECT_EQ(feetAt(548), 2u);  // standing
  EXPECT_EQ(feetAt(822), 0u);  // in the air
}

}  // namespace
}  // namespace limber::io::footholds_of_files_test

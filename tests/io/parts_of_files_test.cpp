// SPDX-License-Identifier: MIT
// Which parts are found in files of every format. Those of the sample data are skipped where it is not present.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "limber/body/body_map.h"
#include "limber/io/open.h"
#include "locations.h"
#include "results.h"

namespace limber::io::parts_of_files_test {
namespace {
namespace fs = std::filesystem;

struct Expected {
  std::string file;
  std::vector<std::string> parts;                         ///< that are found, among others
  std::vector<std::pair<std::string, std::string>> held;  ///< link, and the part that a click on it is for
};

std::string nameOf(const testing::TestParamInfo<Expected>& info) {
  std::string name;
  for (const char c : info.param.file)
    if (std::isalnum(static_cast<unsigned char>(c))) name += c;
  return name;
}

std::string pathOf(const std::string& name) {
  if (name.find('/') == std::string::npos) return name;
  return (name.starts_with("resources/") ? fs::path(LIMBER_SOURCE_DIR) : fs::path(LIMBER_SHARED_DATA_DIR)) / name;
}

class PartsOfFiles : public testing::TestWithParam<Expected> {};

TEST_P(PartsOfFiles, AreThoseThatAPersonWouldName) {
  const std::string path = pathOf(GetParam().file);
  if (path.find('/') != std::string::npos && !fs::exists(path)) GTEST_SKIP() << "no sample data: " << path;
  const auto opened = test::valueOf(openAny(path));
  const Figure& figure = *opened.document.figure;
  const NamedParts parts = bodyMapOf(*opened.document.figure).parts();
  for (const int part : parts.partOfLink) EXPECT_GE(part, 0);
  std::size_t links = 0;
  for (const FigurePart& part : parts.parts) links += part.links.size();
  EXPECT_EQ(links, static_cast<std::size_t>(figure.linkCount()));
  for (const std::string& name : GetParam().parts)
    EXPECT_TRUE(std::ranges::any_of(parts.parts, [&](const FigurePart& part) { return part.name == name; })) << name;
  for (const auto& [link, part] : GetParam().held) {
    const int index = figure.findLink(link);
    ASSERT_GE(index, 0) << link;
    EXPECT_EQ(parts[parts.wholeOf(index)].name, part) << link;
  }
}

const std::vector<std::string> kPerson = {"head",     "neck",       "chest",       "pelvis",   "left arm",
                                          "left leg", "right hand", "right thigh", "left foot"};
const std::vector<std::string> kTwoNecks = {"head",     "neck 1",     "neck 2",      "chest",    "pelvis",
                                            "left arm", "right hand", "right thigh", "left foot"};

INSTANTIATE_TEST_SUITE_P(
    , PartsOfFiles,
    testing::Values(
        Expected{"humanoid",
                 kPerson,
                 {{"left_toes", "left foot"},
                  {"left_ankle_dorsiflexion", "left foot"},
                  {"right_fingers", "right hand"},
                  {"right_hip_flexion", "right thigh"}}},
        Expected{"resources/figures/body.json", kPerson, {{"left_toes", "left foot"}}},
        Expected{"resources/figures/spine_human.json", kPerson, {{"T2_lateral", "T2"}, {"T1", "chest"}}},
        Expected{
            "resources/figures/torso_human.json", kPerson, {{"left_clavicle", "chest"}, {"left_toes", "left foot"}}},
        Expected{"resources/figures/hand.json", {"palm", "thumb", "index"}, {{"index_spread", "index proximal"}}},
        Expected{"resources/figures/pupper.json", {"torso", "right front leg"}, {{"back_left_foot", "left back foot"}}},
        Expected{"arm", {"shoulder", "elbow", "hand"}, {}},
        Expected{"gltf/CesiumMan.gltf", kPerson, {{"node10", "left foot"}, {"node2", "pelvis"}}},
        Expected{"gltf/Fox.glb", {"left back leg", "b Root 00"}, {}},
        Expected{"vrm/cryptovoxels.vrm", kPerson, {{"IndexFinger2_L", "left hand"}, {"Head_End", "head"}}},
        Expected{"bvh/cmu_01_01.bvh", kTwoNecks, {{"LThumb", "left hand"}, {"LHipJoint", "pelvis"}}},
        Expected{"bvh/fair_dab.bvh", kPerson, {{"LeftToeBase", "left foot"}}},
        Expected{"bvh/makehuman_tpose.bvh", kTwoNecks, {{"toe1-1.L", "left foot"}, {"finger5-2.R", "right hand"}}},
        Expected{"urdf/panda/panda.urdf", {"panda link3"}, {{"panda_leftfinger", "panda link7"}}},
        Expected{"urdf/g1/g1_29dof_rev_1_0.urdf",
                 {"left leg", "right arm", "chest"},
                 {{"head_link", "chest"}, {"left_shoulder_roll_link", "left upper arm"}}},
        Expected{"urdf/allegro_hand/allegro_hand_right.urdf", {"link 0.0 to link 3.0"}, {{"palm", "base"}}},
        Expected{"mjcf/humanoid.xml",
                 {"chest", "right leg", "left arm"},
                 {{"thigh_left", "left thigh"}, {"shin_left", "left shin"}, {"foot_right", "right foot"}}}),
    nameOf);

}  // namespace
}  // namespace limber::io::parts_of_files_test

// SPDX-License-Identifier: MIT
// Figures that did not come from a glTF file, written as glTF and read back.
#include "limber/io/gltf/gltf.h"

#include <gtest/gtest.h>

#include <random>

#include "limber/io/export_formats.h"
#include "limber/io/open.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "results.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/temporary_folder.h"

namespace limber::io::gltf_figure_test {
namespace {

using GltfFigure = test::TemporaryFolder;

constexpr double kFloat = 2e-6;  // metres: of floats, through a chain of links of a metre

void expectSamePlaces(const Figure& ours, const Pose& pose, const Figure& theirs, const Pose& read) {
  Kinematics a, b;
  computeTransforms(ours, pose, a);
  computeTransforms(theirs, read, b);
  for (int i = 0; i < ours.linkCount(); ++i) {
    const int same = theirs.findLink(ours.link(i).name);
    ASSERT_GE(same, 0) << ours.link(i).name;
    EXPECT_LT((a.worldFromLink[i].translation - b.worldFromLink[same].translation).norm(), kFloat) << ours.link(i).name;
  }
}

std::shared_ptr<const Motion> randomMotion(const Document& document, int frames) {
  std::mt19937 random(11);
  auto motion = std::make_shared<Motion>();
  motion->name = "baked";
  motion->frameTime = 0.04;
  for (int k = 0; k < frames; ++k) motion->append(test::randomPose(*document.figure, random));
  return motion;
}

TEST_F(GltfFigure, MotionReadsBackFrameByFrame) {
  for (const bool isBinary : {true, false}) {
    for (const auto& figure : {makeBallChain(5), makePlanarChain(4), makeArm(), test::makeAwkwardFigure()}) {
      Document document = makeDocument(figure);
      document.motion = randomMotion(document, 7);
      showFrame(document, 0);
      const auto bytes = test::valueOf(formatNewGltf(document, isBinary));
      const auto read = test::valueOf(readGltf(bytes, isBinary ? "new.glb" : "new.gltf"));
      ASSERT_TRUE(read.motion);
      ASSERT_EQ(read.motion->frameCount, 7);
      EXPECT_NEAR(read.motion->frameTime, 0.04, 1e-6);
      for (int k = 0; k < 7; ++k)
        expectSamePlaces(*figure, document.motion->poseAt(*figure, k), *read.figure,
                         read.motion->poseAtTime(*read.figure, k * 0.04));
    }
  }
}

TEST_F(GltfFigure, PoseAloneReadsBack) {
  std::mt19937 random(4);
  Document document = makeDocument(makeArm());
  document.pose = test::randomPose(*document.figure, random);
  test::valueOf(exportFile(document, folder_ / "arm.glb"));
  const auto opened = test::valueOf(openAny((folder_ / "arm.glb").string()));
  expectSamePlaces(*document.figure, document.pose, *opened.document.figure, opened.document.pose);
}

TEST_F(GltfFigure, LinksWithoutCapsulesAndNamesOfJointsComeBack) {
  FigureBuilder builder("rig");
  const auto joint = [](const char* name, JointType type) {
    Joint out;
    out.name = name;
    out.type = type;
    return out;
  };
  const auto link = [](const char* name, int parent) {
    Link out;
    out.name = name;
    out.parent = parent;
    return out;
  };
  const int base = builder.addLink(link("base", -1), joint("ground", JointType::Fixed));
  Link arm = link("arm", base);
  arm.capsules = {{Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX(), 0.1}};
  const int upper = builder.addLink(arm, joint("shoulder", JointType::Revolute));
  builder.addLink(link("camera", upper), joint("mount", JointType::Fixed));
  builder.addLink(link("wrist", upper), joint("turn", JointType::Ball));
  const auto read =
      test::valueOf(readGltf(test::valueOf(formatNewGltf(makeDocument(test::built(builder)), true)), "rig.glb"));
  ASSERT_EQ(read.figure->linkCount(), 4);
  for (const auto& [name, type] : {std::pair("ground", JointType::Fixed), std::pair("shoulder", JointType::Ball),
                                   std::pair("mount", JointType::Fixed), std::pair("turn", JointType::Ball)}) {
    ASSERT_GE(read.figure->findJoint(name), 0) << name;
    EXPECT_EQ(read.figure->joint(read.figure->findJoint(name)).type, type) << name;
  }
}

TEST_F(GltfFigure, ExtrasOfOthersAreIgnored) {
  const std::string text = R"({"asset": {"version": "2.0"}, "nodes": [
    {"name": "a", "extras": {"limber": {"joint": 7, "type": ["ball"]}}, "children": [1, 2]},
    {"name": "b", "extras": {"limber": "ball"}}, {"name": "c", "extras": {"limber": {"joint": "a", "type": "x"}}}]})";
  const auto read = test::valueOf(readGltf(text, "a.gltf"));
  EXPECT_EQ(read.figure->linkCount(), 3);
  EXPECT_TRUE(test::hasNote(read.notes, "neither skin nor mesh"));
}

TEST_F(GltfFigure, AllMotionsComeBackWithNamesAndFrameTimes) {
  Document document = makeDocument(makeBallChain(3));
  for (const double frameTime : {0.0083333, 0.4, 1.0 / 24.0}) {
    auto motion = std::make_shared<Motion>(*randomMotion(document, 6));
    motion->frameTime = frameTime;
    motion->name = frameTime > 0.1 ? "slow" : "";
    document.clips.push_back(motion);
  }
  showClip(document, 1);
  const auto read = test::valueOf(readGltf(test::valueOf(formatNewGltf(document, true)), "a.glb"));
  ASSERT_EQ(read.clips.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.clips[i]->name, document.clips[i]->name);
    EXPECT_EQ(read.clips[i]->frameTime, document.clips[i]->frameTime);
    EXPECT_EQ(read.clips[i]->frameCount, 6);
  }
}

TEST_F(GltfFigure, PoseThatIsNotFiniteIsRefused) {
  Document document = makeDocument(makePlanarChain(2));
  document.pose.coordinates[1] = std::nan("");
  EXPECT_FALSE(formatNewGltf(document, true));
}

}  // namespace
}  // namespace limber::io::gltf_figure_test

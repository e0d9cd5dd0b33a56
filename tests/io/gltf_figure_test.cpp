// SPDX-License-Identifier: MIT
// Figures that did not come from a glTF file, written as glTF and read back.
#include "limber/io/gltf/gltf.h"

#include <gtest/gtest.h>

#include <random>

#include "limber/io/export_formats.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "results.h"
#include "support/awkward_figure.h"
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

TEST_F(GltfFigure, PoseThatIsNotFiniteIsRefused) {
  Document document = makeDocument(makePlanarChain(2));
  document.pose.coordinates[1] = std::nan("");
  EXPECT_FALSE(formatNewGltf(document, true));
}

}  // namespace
}  // namespace limber::io::gltf_figure_test

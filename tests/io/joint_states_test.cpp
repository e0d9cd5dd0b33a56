// SPDX-License-Identifier: MIT
#include "limber/io/motion_file.h"

#include <gtest/gtest.h>

#include <random>

#include <nlohmann/json.hpp>

#include "limber/io/base/file.h"
#include "limber/io/bvh/bvh.h"
#include "limber/io/export_formats.h"
#include "limber/io/json/pose_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"
#include "results.h"
#include "support/awkward_figure.h"
#include "support/temporary_folder.h"

namespace limber::io::joint_states_test {
namespace {

using JointStates = test::TemporaryFolder;

const std::string kBvh =
    "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
    "Yrotation\nJOINT knee\n{\n"
    "OFFSET 0 -150 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n"
    "1 2 3 0 0 0 0 0 0\n10 20 30 0 0 0 90 0 0\n";

TEST_F(JointStates, ATableHasALineAFrameInTheFilesUnits) {
  const auto text = test::valueOf(formatJointStatesCsv(documentOf(*readBvh(kBvh, "f.bvh"))));
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "time [s],hip.tx,hip.ty,hip.tz,hip.x,hip.y,hip.z,hip.w,knee.x,knee.y,knee.z,knee.w");
  EXPECT_NE(text.find("\n0,1,2,3,0,0,0,1,0,0,0,1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n0.5,10,20,30,0,0,0,1,0,0,0.70710678118654"), std::string::npos) << text;
}

TEST_F(JointStates, AngleColumnsSayTheirUnitAndNamesAreQuoted) {
  const auto text = formatJointStatesCsv(makeDocument(makePlanarChain(2)));
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "time [s],joint0 [rad],joint1 [rad]\n0,0,0\n");
}

TEST_F(JointStates, JsonOfAPoseReadsBackAsTheSamePose) {
  std::mt19937 random(1);
  const auto figure = test::makeAwkwardFigure();
  Document document = makeDocument(figure);
  document.pose = test::randomPose(*figure, random);
  const auto text = formatJointStatesJson(document);
  ASSERT_TRUE(text);
  const auto back = test::valueOf(parsePose(*text, "p.json", *figure, restPose(*figure)));
  EXPECT_EQ(back.coordinates, document.pose.coordinates);
}

TEST_F(JointStates, JsonOfAMotionHasAllFramesAndTheOneOnTheScreenAsItIs) {
  Document document = documentOf(*readBvh(kBvh, "f.bvh"));
  showFrame(document, 1);
  document.pose.coordinates[document.figure->joint(0).poseIndex] += 1.0;
  const auto text = formatJointStatesJson(document);
  ASSERT_TRUE(text);
  const nlohmann::json json = nlohmann::json::parse(*text);
  EXPECT_EQ(json.at("frame_time"), 0.5);
  ASSERT_EQ(json.at("frames").size(), 2u);
  EXPECT_NEAR(json.at("frames")[0].at("hip")[0].get<double>(), 1.0, 1e-12);
  EXPECT_NEAR(json.at("frames")[1].at("hip")[0].get<double>(), 10.0 + 1.0 / document.figure->fileFrame().metresPerUnit,
              1e-9);
}

TEST_F(JointStates, TheEndingOfANameChoosesTheFormat) {
  const Document document = documentOf(*readBvh(kBvh, "f.bvh"));
  for (const std::string ending : {".bvh", ".json", ".csv", ".limber"}) {
    const auto path = folder_ / ("out" + ending);
    test::valueOf(exportFile(document, path));
    EXPECT_FALSE(readFile(path)->empty());
  }
  EXPECT_TRUE(openAny((folder_ / "out.limber").string()));
  EXPECT_TRUE(openAny((folder_ / "out.bvh").string()));
  const auto refused = exportFile(document, folder_ / "out.exe");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find(".bvh"), std::string::npos);
}

TEST_F(JointStates, NotANumberIsRefusedAndTheOldFileStays) {
  Document document = documentOf(*readBvh(kBvh, "f.bvh"));
  for (const ExportFormat& format : exportFormats()) {
    const auto path = folder_ / ("kept" + std::string(format.ending));
    ASSERT_FALSE(writeFileAtomically(path, "old"));
    document.pose.coordinates[0] = std::nan("");
    EXPECT_FALSE(exportFile(document, path)) << format.name;
    EXPECT_EQ(*readFile(path), "old");
  }
}

}  // namespace
}  // namespace limber::io::joint_states_test

// SPDX-License-Identifier: MIT
#include "limber/io/json/pose_json.h"

#include <gtest/gtest.h>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "results.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/says.h"

namespace limber::io::pose_json_test {
namespace {

std::string faultOf(const std::string& text, const Figure& figure) {
  return test::messageOf(parsePose(text, "p.json", figure, restPose(figure)));
}

TEST(PoseJson, RandomPosesSurviveBitForBit) {
  const auto figure = test::makeAwkwardFigure();
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const Pose pose = test::randomPose(*figure, random);
    const auto back = test::valueOf(parsePose(formatPose(*figure, pose), "p.json", *figure, restPose(*figure)));
    EXPECT_EQ(back.coordinates, pose.coordinates);
  }
}

TEST(PoseJson, UnnamedJointsKeepTheirValue) {
  const auto figure = makePlanarChain(3);
  Pose base = restPose(*figure);
  base.coordinates << 1, 2, 3;
  const auto pose = parsePose(R"({"joint1": 0.5})", "p.json", *figure, base);
  ASSERT_TRUE(pose);
  EXPECT_EQ(pose->coordinates, Eigen::Vector3d(1, 0.5, 3));
}

TEST(PoseJson, LengthsAreInFileUnits) {
  FigureBuilder builder("slide");
  builder.addLink({.name = "a"}, {.name = "slide", .type = JointType::Prismatic});
  builder.addLink({.name = "b", .parent = 0}, {.name = "float", .type = JointType::Free});
  builder.setFileFrame({.metresPerUnit = 0.01});
  const auto figure = test::built(builder);
  const auto pose = test::valueOf(
      parsePose(R"({"slide": 50, "float": [100, 0, 0, 0, 0, 0.7071, 0.7071]})", "p.json", *figure, restPose(*figure)));
  EXPECT_EQ(pose.coordinates[0], 0.5);
  EXPECT_EQ(pose.coordinates[1], 1.0);
  EXPECT_TRUE(isValid(*figure, pose));
}

TEST(PoseJson, LongChainIsWrittenInLinearTime) {
  const auto figure = makePlanarChain(50000);
  const auto back = parsePose(formatPose(*figure, restPose(*figure)), "p.json", *figure, restPose(*figure));
  ASSERT_TRUE(back);
}

TEST(PoseJson, FaultsNameTheJoint) {
  const auto figure = test::makeAwkwardFigure();
  EXPECT_EQ(faultOf(R"({"elbow": 1})", *figure), "p.json: elbow: the figure has no joint \"elbow\"");
  EXPECT_EQ(faultOf(R"({"bolt": 1})", *figure), "p.json: bolt: is a fixed joint and takes no value");
  EXPECT_EQ(faultOf(R"({"knee": [1]})", *figure), "p.json: knee: must be a number, not an array");
  EXPECT_TRUE(test::says(faultOf(R"({"hip": [0, 0, 0, 2]})", *figure), {"p.json: hip", "quaternion", "unit length"}));
  EXPECT_EQ(faultOf(R"({"hip": [0, 0, 0]})", *figure), "p.json: hip: must hold 4 numbers, not 3");
  EXPECT_EQ(faultOf("[]", *figure), "p.json: must be an object, not an array");
}

}  // namespace
}  // namespace limber::io::pose_json_test

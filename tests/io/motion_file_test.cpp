// SPDX-License-Identifier: MIT
#include "limber/io/motion_file.h"

#include <gtest/gtest.h>

#include "fuzz/mutation.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"
#include "results.h"
#include "support/temporary_folder.h"

namespace limber::io {
namespace {

/// A bending chain of three ball joints with a pose per frame.
Document bending(int frames) {
  Document document = makeDocument(makeBallChain(3));
  auto motion = std::make_shared<Motion>();
  motion->frameTime = 0.02;
  Pose pose = restPose(*document.figure);
  for (int frame = 0; frame < frames; ++frame) {
    const Eigen::AngleAxisd turn(0.1 * frame, Eigen::Vector3d(1, 2, 3).normalized());
    setJointRotation(*document.figure, 1, Eigen::Quaterniond(turn), pose);
    motion->append(pose);
  }
  document.motion = motion;
  showFrame(document, 0);
  return document;
}

class MotionFile : public test::TemporaryFolder {
 protected:
  std::string faultOf(const std::string& name, const std::string& text, const FigurePointer& figure) const {
    return test::messageOf(readMotionFor(makeDocument(figure), write(name, text)));
  }
};

TEST_F(MotionFile, JointStatesAndScenesComeBackToTheLastBit) {
  const Document document = bending(5);
  const auto states = formatJointStatesJson(document);
  ASSERT_TRUE(states);
  ASSERT_FALSE(writeScene(folder_ / "a.limber", document));
  for (const auto& path : {write("a.json", *states), folder_ / "a.limber"}) {
    const auto motion = test::valueOf(readMotionFor(document, path));
    EXPECT_EQ(motion->frameTime, 0.02);
    ASSERT_EQ(motion->frameCount, 5);
    for (int frame = 0; frame < 5; ++frame)
      EXPECT_TRUE(motion->poseAt(*document.figure, frame) == document.motion->poseAt(*document.figure, frame));
  }
}

TEST_F(MotionFile, TablesComeBackToTheLastBit) {
  const Document document = bending(5);
  const auto motion =
      test::valueOf(readMotionFor(document, write("a.csv", test::valueOf(formatJointStatesCsv(document)))));
  EXPECT_EQ(motion->frameTime, 0.02);
  ASSERT_EQ(motion->frameCount, 5);
  for (int frame = 0; frame < 5; ++frame)
    EXPECT_TRUE(motion->poseAt(*document.figure, frame) == document.motion->poseAt(*document.figure, frame));
}

TEST_F(MotionFile, ColumnsOfATableMayBeInAnyOrderOrMissing) {
  const auto figure = makePlanarChain(3);
  const auto motion = test::valueOf(readMotionFor(
      makeDocument(figure), write("a.csv", "time [s],joint2 [rad],\"joint0 [rad]\"\r\n5,1,2\r\n\r\n5.25,3,4\r\n")));
  EXPECT_EQ(motion->poses, (std::vector<double>{2, 0, 1, 4, 0, 3}));
  EXPECT_EQ(motion->frameTime, 0.25);
}

TEST_F(MotionFile, FaultsOfATableNameLineAndColumn) {
  const auto figure = makePlanarChain(2), balls = makeBallChain(1);
  const auto has = [&](const std::string& text, const FigurePointer& of, std::string_view words) {
    const std::string fault = faultOf("a.csv", text, of);
    EXPECT_NE(fault.find(words), std::string::npos) << fault;
  };
  const std::string head = "time [s],joint0 [rad]\n";
  has(head, figure, "no frame below");
  has("time [s],elbow [rad]\n0,1\n", figure, "line 1: the figure has no joint for the column \"elbow [rad]\"");
  has("time [s],joint0 [rad],joint0 [rad]\n0,1,1\n", figure, "occurs twice");
  has("time [s],joint0.x,joint0.y\n0,1,0\n", balls, "only some of the columns");
  has("time [s],joint0.x,joint0.y,joint0.z,joint0.w\n0,1,1,1,1\n", balls, "line 2: the quaternion");
  has(head + "0,1\n1,2,3\n", figure, "line 3: has 3 columns, the names are 2");
  has(head + "0,nan\n", figure, "line 2: \"nan\" in the column \"joint0 [rad]\" is not a number");
  has(head + "0,1\n1,1\n3,1\n", figure, "not evenly spaced");
  has(head + "0,1\n0,1\n", figure, "line 3: the times must rise");
}

TEST_F(MotionFile, AllMotionsOfAFileAreTaken) {
  Document document = bending(3);
  auto second = std::make_shared<Motion>(*document.motion);
  second->name = "second";
  document.clips = {document.motion, second};
  setMotion(document, second);
  ASSERT_FALSE(writeScene(folder_ / "a.limber", document));
  const auto read = test::valueOf(readMotionsFor(document, folder_ / "a.limber"));
  ASSERT_EQ(read.motions.size(), 2u);
  EXPECT_EQ(read.shown, read.motions[1]);
  EXPECT_EQ(read.shown->name, "second");
}

TEST_F(MotionFile, AJointThatAFrameDoesNotNameStays) {
  const auto figure = makePlanarChain(2);
  const auto motion = test::valueOf(readMotionFor(
      makeDocument(figure), write("a.json", R"({"frame_time": 0.1, "frames": [{"joint0": 1}, {"joint1": 2}]})")));
  EXPECT_EQ(motion->poses, (std::vector<double>{1, 0, 1, 2}));
}

TEST_F(MotionFile, FaultsNameFilePlaceAndCause) {
  const auto figure = makePlanarChain(2);
  EXPECT_NE(faultOf("a.json", R"({"frames": [{}]})", figure).find("a.json"), std::string::npos);
  EXPECT_NE(faultOf("a.json", R"({"frame_time": 0, "frames": [{}]})", figure).find("frame_time"), std::string::npos);
  EXPECT_NE(faultOf("a.json", R"({"frame_time": 1, "frames": []})", figure).find("holds no frame"), std::string::npos);
  EXPECT_NE(faultOf("a.json", R"({"frame_time": 1, "frames": [{}, {"elbow": 1}]})", figure).find("frames[1].elbow"),
            std::string::npos);
  EXPECT_FALSE(readMotionFor(makeDocument(figure), folder_ / "none.json"));
  EXPECT_NE(faultOf("a.json", formatFigure(*figure), figure).find("holds no motion"), std::string::npos);
}

TEST_F(MotionFile, AnotherFiguresMotionIsRefused) {
  ASSERT_FALSE(writeScene(folder_ / "a.limber", bending(3)));
  for (const auto& other : {makePlanarChain(3), makeBallChain(2)}) {
    const auto motion = readMotionFor(makeDocument(other), folder_ / "a.limber");
    ASSERT_FALSE(motion);
    EXPECT_NE(motion.error().message().find("is a motion of another figure"), std::string::npos);
  }
  const auto longer = readMotionFor(makeDocument(makeBallChain(5)), folder_ / "a.limber");
  ASSERT_TRUE(longer) << "what it has no joint for rests: " << longer.error().message();
}

TEST_F(MotionFile, TooManyNumbersAreRefusedBeforeTheyAreMade) {
  std::string frames = "{}";
  for (int i = 0; i < 2000; ++i) frames += ",{}";
  const std::string fault =
      faultOf("a.json", R"({"frame_time": 1, "frames": [)" + frames + "]}", makePlanarChain(20000));
  EXPECT_NE(fault.find("too long"), std::string::npos) << fault;
}

TEST_F(MotionFile, BrokenJointStatesAreErrorsOrMotions) {
  const Document document = bending(3);
  for (const std::string& states : {*formatJointStatesJson(document), *formatJointStatesCsv(document)})
    for (std::uint32_t i = 0; i < 300; ++i) {
      const auto motion = readMotionFor(document, write("a.json", test::Mutation(i)(states)));
      if (motion) EXPECT_EQ((*motion)->poses.size() % static_cast<std::size_t>(document.figure->poseSize()), 0u);
      else EXPECT_FALSE(motion.error().cause.empty()) << i;
    }
}

}  // namespace
}  // namespace limber::io

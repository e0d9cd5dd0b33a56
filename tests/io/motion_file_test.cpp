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
  const std::string states = *formatJointStatesJson(document);
  for (std::uint32_t i = 0; i < 300; ++i) {
    const auto motion = readMotionFor(document, write("a.json", test::Mutation(i)(states)));
    if (motion) EXPECT_EQ((*motion)->poses.size() % static_cast<std::size_t>(document.figure->poseSize()), 0u);
    else EXPECT_FALSE(motion.error().cause.empty()) << i;
  }
}

}  // namespace
}  // namespace limber::io

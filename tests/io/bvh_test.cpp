// SPDX-License-Identifier: MIT
#include "limber/io/bvh/bvh.h"

#include <gtest/gtest.h>

#include "limber/kinematics/forward_kinematics.h"
#include "results.h"

namespace limber::io::bvh_test {
namespace {

const std::string kMotionless = "MOTION\nFrames: 0\nFrame Time: 0.1\n";

std::string oneJoint(const std::string& channels, const std::string& motion) {
  return "HIERARCHY\nROOT hip\n{\n OFFSET 0 1 0\n CHANNELS " + channels +
         "\n JOINT knee\n {\n  OFFSET 0 -1 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 "
         "-0.8 "
         "0\n  }\n }\n}\n" +
         motion;
}

const std::string kSixChannels = "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";

std::string faultOf(const std::string& text) { return test::messageOf(readBvh(text, "f.bvh")); }

Eigen::Vector3d placeOf(const FigureSource& file, const Pose& pose, const std::string& link) {
  return transformsOf(*file.figure, pose).worldFromLink[file.figure->findLink(link)].translation;
}

TEST(Bvh, RootOffsetAndPositionAreAdded) {
  const auto file =
      readBvh(oneJoint(kSixChannels, "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3 0 0 0 90 0 0\n"), "f.bvh");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->figure->fileFrame().metresPerUnit, 1.0);
  const Pose pose = file->motion->poseAt(*file->figure, 0);
  EXPECT_LT((placeOf(*file, pose, "hip") - Eigen::Vector3d(1, 3, 3)).norm(), 1e-12);
  EXPECT_EQ(file->figure->joint(0).type, JointType::Free);
  EXPECT_TRUE(file->figure->joint(0).locked);
  EXPECT_EQ(file->figure->joint(1).type, JointType::Ball);
  EXPECT_EQ(file->figure->findSite("knee_end"), 0);
}

TEST(Bvh, RestStandsOnTheGround) {
  const auto file = test::valueOf(readBvh(oneJoint(kSixChannels, kMotionless), "f.bvh"));
  EXPECT_NEAR(placeOf(file, restPose(*file.figure), "knee").y(), 0.8, 1e-12);
  EXPECT_EQ(file.motion->frameCount, 0);
}

TEST(Bvh, ChannelsMultiplyInTheOrderListed) {
  const auto file =
      readBvh(oneJoint(kSixChannels, "MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 90 90 0 0 0 0\n"), "f.bvh");
  ASSERT_TRUE(file) << file.error().message();
  // Rz(90) Rx(90) takes -y to Rz(90) (-z) = -z.
  const Pose pose = file->motion->poseAt(*file->figure, 0);
  EXPECT_LT((placeOf(*file, pose, "knee") - Eigen::Vector3d(0, 1, -1)).norm(), 1e-12);
}

TEST(Bvh, ZUpIsTurnedAndCentimetresAreScaled) {
  const auto file =
      test::valueOf(readBvh("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT b\n"
                            "{\nOFFSET 10 20 170\nCHANNELS 0\n}\n}\n" +
                                kMotionless,
                            "f.bvh"));
  EXPECT_LT((placeOf(file, restPose(*file.figure), "b") - Eigen::Vector3d(0.1, 1.7, -0.2)).norm(), 1e-12);
  EXPECT_EQ(file.figure->joint(1).type, JointType::Fixed);
  EXPECT_EQ(file.figure->fileFrame().metresPerUnit, 0.01);
  EXPECT_EQ(file.notes.size(), 2u);
}

TEST(Bvh, ConstantPositionsOfInnerJointsBelongToTheSkeleton) {
  const std::string text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT b\n{\nOFFSET 0 1 0\nCHANNELS " +
                           kSixChannels + "\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0.7 0 0 0 0\n";
  const auto constant = test::valueOf(readBvh(text + "0 0.7 0 0 0 9\n", "f.bvh"));
  EXPECT_EQ(constant.figure->joint(1).type, JointType::Ball);
  EXPECT_NEAR(placeOf(constant, constant.motion->poseAt(*constant.figure, 1), "b").y(), 1.7, 1e-12);
  const auto moving = test::valueOf(readBvh(text + "0 0.5 0 0 0 9\n", "f.bvh"));
  EXPECT_EQ(moving.figure->joint(1).type, JointType::Free);
  EXPECT_TRUE(moving.figure->joint(1).translationLocked);
  const double scale = moving.figure->fileFrame().metresPerUnit;
  EXPECT_NEAR(placeOf(moving, moving.motion->poseAt(*moving.figure, 1), "b").y(), 1.5 * scale, 1e-12);
}

TEST(Bvh, DialectsAreRead) {
  const std::string dialects[] = {
      "hierarchy\r\nroot my hip {\r\n\toffset 0 1e0 +.0\r\n\tchannels 1 xROTATION\r\n}\r\nmotion\r\nframes : "
      "1\r\nframe "
      "time : 1e-2\r\n9\r\n",
      "\xef\xbb\xbfHIERARCHY ROOT my hip{ OFFSET 0 1 0 CHANNELS 1 Xrotation End Site{ OFFSET 0 1 0 }} MOTION Frames: 1 "
      "Frame Time: .01 9",
      "HIERARCHY\nROOT my hip\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames:1\nFrame Time:.01\n9\n",
      "HIERARCHY\rROOT my hip\r{\rOFFSET 0 1 0\rCHANNELS 1 Xrotation\r}\rMOTION\rFrames: 1\rFrame Time:\t.01\r\r9\r",
  };
  for (const std::string& text : dialects) {
    const auto file = test::valueOf(readBvh(text, "f.bvh"));
    EXPECT_EQ(file.figure->link(0).name, "my hip");
    EXPECT_EQ(file.motion->values, std::vector<double>{9.0});
    EXPECT_EQ(file.motion->frameTime, 0.01);
  }
}

TEST(Bvh, RowsMayBeBrokenOverLines) {
  const auto file =
      test::valueOf(readBvh(oneJoint(kSixChannels,
                                     "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3 4\n5 6 7 8 9\n\n1 2 3 4 5 "
                                     "6 7\n8\n9"),
                            "f.bvh"));
  EXPECT_EQ(file.motion->values.size(), 18u);
}

TEST(Bvh, SeveralRootsAndSharedNames) {
  const std::string root = "ROOT a\n{\nOFFSET 0 1 0\nCHANNELS 0\nJOINT b\n{\nOFFSET 0 1 0\n}\n}\n";
  const auto file = test::valueOf(readBvh("HIERARCHY\n" + root + root + kMotionless, "f.bvh"));
  EXPECT_EQ(file.figure->link(2).parent, -1);
  EXPECT_EQ(file.figure->link(0).name, "a#0");
  EXPECT_EQ(file.figure->link(3).name, "b#3");
}

TEST(Bvh, NamesThatAreNotUtf8StayApart) {
  const std::string text =
      "HIERARCHY\nROOT caf\xe9\n{\nOFFSET 0 1 0\nJOINT caf\xe8\n{\nOFFSET 0 1 0\n}\n}\n" + kMotionless;
  const auto file = test::valueOf(readBvh(text, "f.bvh"));
  EXPECT_EQ(file.figure->link(0).name, "caf\xc3\xa9");
  EXPECT_EQ(file.figure->link(1).name, "caf\xc3\xa8");
  EXPECT_EQ(file.file->bytes, text);
}

TEST(Bvh, RowsBeyondTheAnnouncedAreNoted) {
  const auto file =
      test::valueOf(readBvh(oneJoint(kSixChannels, "MOTION\nFrames: 0\nFrame Time: 0\n1 2 3 4 5 6 7 8 9\n"), "f.bvh"));
  EXPECT_EQ(file.notes.size(), 5u) << "axis, unit, OFFSET, frame time and rows";
}

TEST(Bvh, DeepHierarchyNeedsNoStack) {
  std::string text = "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\n";
  for (int i = 0; i < 50000; ++i) text += "JOINT b" + std::to_string(i) + "\n{\nOFFSET 0 1 0\n";
  const auto file = test::valueOf(readBvh(text + std::string(50001, '}') + "\n" + kMotionless, "f.bvh"));
  EXPECT_EQ(file.figure->linkCount(), 50001);
  EXPECT_NE(faultOf(text).find("found the end of the file"), std::string::npos);
}

TEST(Bvh, FaultsNameFileLineAndCause) {
  const std::string good = oneJoint(kSixChannels, "");
  const std::pair<std::string, std::string> cases[] = {
      {"", "f.bvh: the file is empty"},
      {" \n", "f.bvh: the file is empty"},
      {std::string("\x7f"
                   "ELF\0\1\2",
                   7),
       "f.bvh: line 1: the file does not begin with HIERARCHY: it is not a BVH file"},
      {"HIERARCHY\n", "f.bvh: line 2: \"root\" expected after HIERARCHY, found the end of the file"},
      {"HIERARCHY\nROOT\n{\n}\n", "f.bvh: line 2: a joint has no name"},
      {"HIERARCHY\nROOT a\n{\n}\n", "f.bvh: line 4: the joint \"a\" has no OFFSET"},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 1\n}\n", "f.bvh: line 5: \"}\" is not a number (an OFFSET)"},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 1 1e13\n}\n", "f.bvh: line 4: an OFFSET is larger than 1e12"},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 1 nan\n}\n", "f.bvh: line 4: \"nan\" is not a finite number (an OFFSET)"},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 1000000000 X\n", "f.bvh: line 5: a joint has 0 to 6 channels"},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 2 Xrotation\n}\n",
       "f.bvh: line 6: \"}\" is not a channel (Xposition ... Zrotation)"},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nLIMITS\n",
       "f.bvh: line 5: OFFSET, CHANNELS, JOINT, End Site or \"}\" expected in the joint \"a\", found \"LIMITS\""},
      {good, "f.bvh: line 16: \"motion\" expected after the hierarchy, found the end of the file"},
      {good + "MOTION\nFrames: 999999999999\n",
       "f.bvh: line 17: the file is too short for the 999999999999 frames of 9 channels that it announces"},
      {good + "MOTION\nFrames: -1\n", "f.bvh: line 17: the number of frames must be a whole number"},
      {good + "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8\n",
       "f.bvh: line 21: the file ends in frame 1 (counted from 0): 8 of 9 values; 2 frames are announced"},
      {good + "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3 4 5 6 7 8 inf\n",
       "f.bvh: line 19: \"inf\" is not a finite number (a frame value)"},
      {good + "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3 4 5 6 7 8 9 10\n",
       "f.bvh: line 19: 1 values are left over after 1 frames of 9 channels"},
  };
  for (const auto& [text, fault] : cases) EXPECT_EQ(faultOf(text), fault);
}

TEST(Bvh, EveryTruncationIsAnError) {
  const std::string text =
      oneJoint(kSixChannels, "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 ");
  for (std::size_t length = 0; length <= text.size(); ++length)
    EXPECT_NE(faultOf(text.substr(0, length)), "") << length;
}

}  // namespace
}  // namespace limber::io::bvh_test

// SPDX-License-Identifier: MIT
#include "limber/io/bvh/bvh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "limber/io/base/file.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/figure_change.h"
#include "limber/scene/motion_layer.h"
#include "locations.h"
#include "results.h"
#include "support/awkward_figure.h"

namespace limber::io::bvh_export_test {
namespace {

const std::string kHead =
    "HIERARCHY\r\nROOT hip\r\n{\r\n\tOFFSET 0 0.9 0\r\n\tCHANNELS 6 Xposition Yposition Zposition Yrotation Zrotation "
    "Xrotation\r\n\tJOINT left knee\r\n\t{\r\n\t\tOFFSET 0 -0.45 0\r\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\r\n"
    "\t\tJOINT toe\r\n\t\t{\r\n\t\t\tOFFSET 0 -0.4 0.05\r\n\t\t\tCHANNELS 1 Xrotation\r\n\t\t\tEnd Site\r\n\t\t\t{\r\n"
    "\t\t\t\tOFFSET 0 0 0.1\r\n\t\t\t}\r\n\t\t}\r\n\t}\r\n}\r\n";
const std::string kMotion =
    "MOTION\r\nFrames:\t2\r\nFrame Time: 0.0333330\r\n0.100 0.2 -0 1.50e1 20 -30  4 5 6\r\n\t7.000000\r\n"
    "0 0 0 0 0 0 0 0 0 0 \r\n\r\n";

Document opened(const std::string& text) { return documentOf(test::valueOf(readBvh(text, "legs.bvh"))); }

std::vector<Eigen::Vector3d> placesOf(const Document& document, const Pose& pose) {
  const Kinematics kinematics = transformsOf(*document.figure, pose);
  std::vector<Eigen::Vector3d> places;
  for (const Transform& t : kinematics.worldFromLink) places.push_back(t.translation);
  return places;
}

double distance(const std::vector<Eigen::Vector3d>& a, const std::vector<Eigen::Vector3d>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

TEST(BvhExport, AnUntouchedMotionIsTheSameToTheLetter) {
  const auto text = test::valueOf(formatBvh(opened(kHead + kMotion)));
  EXPECT_EQ(text.bytes, kHead + kMotion);
  EXPECT_TRUE(text.notes.empty());
}

TEST(BvhExport, APosedFrameChangesItsOwnNumbersAlone) {
  Document document = opened(kHead + kMotion);
  showFrame(document, 0);
  const int knee = document.figure->findJoint("left knee");
  setJointRotation(*document.figure, knee,
                   Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized())), document.pose);
  const auto text = test::valueOf(formatBvh(document));
  EXPECT_EQ(text.bytes.substr(0, kHead.size()), kHead);
  EXPECT_NE(text.bytes.find("0.100 0.2 -0 1.50e1 20 -30  "), std::string::npos) << "the root's are still the same";
  EXPECT_NE(text.bytes.find("\r\n\t7.000000\r\n0 0 0 0 0 0 0 0 0 0 \r\n\r\n"), std::string::npos);
  const Document back = opened(text.bytes);
  EXPECT_LT(distance(placesOf(back, back.motion->poseAt(*back.figure, 0)), placesOf(document, document.pose)), 1e-14);
}

/// A motion with a pose per frame, like that of a fit.
std::shared_ptr<const Motion> posedMotion(const Document& document, int frames) {
  std::mt19937 random(4);
  auto motion = std::make_shared<Motion>();
  motion->frameTime = 0.01;
  for (int i = 0; i < frames; ++i) {
    Pose pose = test::randomPose(*document.figure, random);
    EXPECT_EQ(document.figure->joint(2).type, JointType::Ball);  // its one channel turns about x alone
    setJointRotation(*document.figure, 2, exponential({0.3 * i, 0.0, 0.0}), pose);
    motion->append(pose);
  }
  return motion;
}

TEST(BvhExport, KeysOverTheMotionChangeTheFramesThatTheyReachAlone) {
  Document document = opened(kHead + kMotion);
  showFrame(document, 1);
  const int knee = document.figure->findJoint("left knee");
  setJointRotation(*document.figure, knee, exponential({0.4, 0.1, 0.0}), document.pose);
  ASSERT_TRUE(keyLayer(document));
  setFade(document, 0.0);
  const Pose posed = document.pose;
  showFrame(document, 0);
  const auto text = test::valueOf(formatBvh(document));
  EXPECT_NE(text.bytes.find("0.100 0.2 -0 1.50e1 20 -30  4 5 6\r\n\t7.000000\r\n"), std::string::npos) << text.bytes;
  const Document back = opened(text.bytes);
  EXPECT_LT(distance(placesOf(back, back.motion->poseAt(*back.figure, 1)), placesOf(document, posed)), 1e-9);
}

TEST(BvhExport, AMotionOfPosesGoesIntoTheOldHierarchy) {
  for (const int frames : {2, 5}) {
    Document document = opened(kHead + kMotion);
    document.motion = posedMotion(document, frames);
    showFrame(document, 0);
    const auto text = test::valueOf(formatBvh(document));
    EXPECT_TRUE(text.bytes.starts_with(kHead));
    const Document again =  // random shifts do not show whether they replace OFFSET
        documentOf(test::valueOf(readBvh(text.bytes, "legs.bvh", {.offsetRule = OffsetRule::Add})));
    ASSERT_EQ(again.motion->frameCount, frames);
    for (int i = 0; i < frames; ++i)
      EXPECT_LT(distance(placesOf(document, document.motion->poseAt(*document.figure, i)),
                         placesOf(again, again.motion->poseAt(*again.figure, i))),
                1e-9)
          << i;
  }
}

TEST(BvhExport, AnotherUnitLeavesTheFilesOwnNumbers) {
  Document document = opened(kHead + kMotion);
  const Document guessed = document;
  for (const double metres : {0.01, 3.7, guessed.figure->fileFrame().metresPerUnit}) {
    const double factor = metres / document.figure->fileFrame().metresPerUnit;
    const FigureEdit edit = changeUnit(*document.figure, metres);
    ASSERT_TRUE(edit.figure) << edit.fault;
    replaceFigure(document, edit.figure, edit.linkFromOld);
    scaleLengths(document, factor);
    EXPECT_EQ(document.figure->fileFrame().metresPerUnit, metres);
    for (int frame = 0; frame < 2; ++frame) {
      const auto now = placesOf(document, document.motion->poseAt(*document.figure, frame));
      const auto before = placesOf(guessed, guessed.motion->poseAt(*guessed.figure, frame));
      for (std::size_t i = 0; i < now.size(); ++i)
        EXPECT_LT((now[i] / metres - before[i] / guessed.figure->fileFrame().metresPerUnit).norm(), 1e-9);
    }
    EXPECT_EQ(formatBvh(document)->bytes, kHead + kMotion) << "the frame on the screen went along, and nobody posed it";
  }
}

TEST(BvhExport, WhatChannelsCannotExpressIsSaid) {
  Document document = opened(kHead + kMotion);
  const int toe = document.figure->findJoint("toe");
  setJointRotation(*document.figure, toe, Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitZ())),
                   document.pose);
  const auto text = formatBvh(document);
  ASSERT_TRUE(text);
  ASSERT_EQ(text->notes.size(), 1u);
  EXPECT_NE(text->notes[0].find("toe"), std::string::npos);
}

TEST(BvhExport, AFileWithoutFramesGetsOneWithThePose) {
  Document document = opened(kHead + "MOTION\nFrames: 0\nFrame Time: 0.1\n");
  const int knee = document.figure->findJoint("left knee");
  setJointRotation(*document.figure, knee, Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitX())),
                   document.pose);
  const auto text = formatBvh(document);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->bytes.substr(0, kHead.size()), kHead);
  const Document back = opened(text->bytes);
  ASSERT_EQ(back.motion->frameCount, 1);
  EXPECT_LT(distance(placesOf(back, back.pose), placesOf(document, document.pose)), 1e-14);
}

/// Joints of all types, rotated frames and branches: positions are read back in every frame, whatever pose is written.
TEST(BvhExport, AnyFigureIsWritten) {
  std::mt19937 random(3);
  for (const auto& figure : {test::makeAwkwardFigure(), test::makeBallTree(), test::makeCoupledFigure()}) {
    Document document = makeDocument(figure);
    document.pose = test::randomPose(*figure, random);
    const auto text = test::valueOf(formatBvh(document));
    const auto source = test::valueOf(readBvh(text.bytes, "back.bvh"));
    ASSERT_EQ(source.figure->linkCount(), figure->linkCount());
    const Pose pose = source.motion->poseAt(*source.figure, 0);
    Kinematics before, after;
    computeTransforms(*figure, document.pose, before);
    computeTransforms(*source.figure, pose, after);
    const FileFrame& frame = source.figure->fileFrame();  // the reader guesses anew: places are compared in the file
    double size = 0.0;
    for (const Transform& t : before.worldFromLink) size = std::max(size, t.translation.norm());
    for (int i = 0; i < figure->linkCount(); ++i) {
      std::string name = figure->link(i).name;
      std::ranges::replace(name, ' ', '_');  // many readers take a space for the end of a name
      const int link = source.figure->findLink(name);
      ASSERT_GE(link, 0) << figure->link(i).name;
      const Eigen::Vector3d place =
          frame.sceneFromFile.transpose() * after.worldFromLink[link].translation / frame.metresPerUnit;
      EXPECT_LT((place - before.worldFromLink[i].translation).norm(), 1e-12 * size) << figure->link(i).name;
    }
  }
}

TEST(BvhExport, AnEditedSkeletonIsNotPutIntoTheOldText) {
  Document document = opened(kHead + kMotion);
  const auto other = readBvh(kHead + kMotion, "legs.bvh");
  std::string longer = kHead;
  longer.replace(longer.find("-0.45"), 5, "-0.65");
  document.figure = readBvh(longer + kMotion, "legs.bvh")->figure;
  const auto text = formatBvh(document);
  ASSERT_TRUE(text);
  const Document back = opened(text->bytes);
  EXPECT_EQ(back.motion->frameCount, 2);
  EXPECT_LT(distance(placesOf(back, back.pose), placesOf(document, document.pose)), 1e-12);
}

TEST(BvhExport, EveryFileOfTheSampleDataComesBackToTheLetter) {
  const std::filesystem::path folder = std::filesystem::path(LIMBER_SHARED_DATA_DIR) / "bvh";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".bvh") continue;
    const std::string text = *readFile(entry.path());
    const auto back = test::valueOf(formatBvh(openAny(entry.path().string())->document));
    EXPECT_TRUE(back.bytes == text) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace limber::io::bvh_export_test

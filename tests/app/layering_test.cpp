// SPDX-License-Identifier: MIT
// Poses made over the frames of a motion in the window: keyed automatically, by K, or marked with a warning when left.
#include "app/features/layering.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/features/timeline_actions.h"
#include "headless_gui.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/motion_layer.h"

namespace limber::app::layering_test {
namespace {

Document waving() {
  const auto figure = makeBallChain(3);
  auto motion = std::make_shared<Motion>();
  motion->name = "waves";
  motion->frameCount = 60;
  motion->frameTime = 1.0 / 30.0;
  for (int frame = 0; frame < motion->frameCount; ++frame) {
    Pose pose = restPose(*figure);
    for (int joint = 0; joint < figure->linkCount(); ++joint)
      setJointRotation(*figure, joint, exponential(Eigen::Vector3d(0.01 * frame, 0.0, 0.1 * joint)), pose);
    motion->poses.insert(motion->poses.end(), pose.coordinates.begin(), pose.coordinates.end());
  }
  return makeDocument(figure, motion);
}

class Layering : public testing::Test, protected HeadlessWindow {
 protected:
  Layering() : HeadlessWindow(waving()) { frames(3); }

  void turn(int joint) {
    session_.editor.edit("turn", "", [&](Document& d) {
      setJointRotation(*d.figure, joint, jointRotation(*d.figure, d.pose, joint) * exponential({0.0, 0.0, 0.4}),
                       d.pose);
    });
    frames(2);
  }
  void step(int by) {
    stepFrame(session_, by);
    frames(2);
  }
  const Document& document() const { return session_.document(); }
  std::vector<int> keys() const { return document().motion->layer.frames(); }
};

TEST_F(Layering, WhatIsPosedOverAFrameIsKeyedAndComesBack) {
  step(20);
  turn(1);
  const Pose posed = document().pose;
  EXPECT_EQ(keys(), std::vector<int>{20});
  EXPECT_FALSE(isUnkeyed(document()));
  step(7);
  step(-7);
  EXPECT_LT((document().pose.coordinates - posed.coordinates).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(Layering, TheKeyIsAPartOfTheStepThatPosed) {
  step(20);
  const auto before = document().motion;
  turn(1);
  perform(session_, Command::Undo);
  frames(2);
  EXPECT_EQ(document().motion, before);
  EXPECT_EQ(document().frame, 20);
  perform(session_, Command::Redo);
  frames(2);
  EXPECT_EQ(keys(), std::vector<int>{20});
}

TEST_F(Layering, SwitchedOffAnUnkeyedPoseIsMarkedAndToldWhenItIsLeft) {
  queue_.add(Command::AutoKey, false);
  frames(2);
  step(10);
  turn(2);
  const Pose posed = document().pose;
  EXPECT_TRUE(keys().empty());
  EXPECT_TRUE(isUnkeyed(document()));
  step(1);
  EXPECT_NE(session_.ui.message.text.find("frame 10"), std::string::npos) << session_.ui.message.text;
  perform(session_, Command::Undo);
  frames(2);
  EXPECT_EQ(document().pose, posed) << "nothing is lost";
  perform(session_, Command::KeyPose);
  frames(2);
  EXPECT_EQ(keys(), std::vector<int>{10});
}

TEST_F(Layering, KeysEndAnEditAreSteppedToAndGo) {
  step(20);
  turn(1);
  step(15);
  session_.editor.touch().selection = {1, -1};
  perform(session_, Command::KeyPose);
  frames(2);
  EXPECT_EQ(keys(), (std::vector<int>{20, 35}));
  goToKey(session_, -1);
  frames(2);
  EXPECT_EQ(document().frame, 20);
  goToKey(session_, 1);
  frames(2);
  EXPECT_EQ(document().frame, 35);
  perform(session_, Command::RemoveKey);
  frames(2);
  EXPECT_EQ(keys(), std::vector<int>{20});
}

TEST_F(Layering, OnionSkinShowsTheFramesBeforeAndAfter) {
  step(30);
  const auto ghosts = [&] {
    return std::ranges::count(session_.picture.drawList.capsules, render::Layer::Ghost, &render::DrawCapsule::layer);
  };
  EXPECT_EQ(ghosts(), 0);
  session_.settings.onionSkin = true;
  frames(2);
  EXPECT_GT(ghosts(), 0);
}

}  // namespace
}  // namespace limber::app::layering_test

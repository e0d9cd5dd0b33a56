// SPDX-License-Identifier: MIT
// A fit in the window: observations are read and matched, the motion arrives as one step and plays.
#include <gtest/gtest.h>

#include <fstream>

#include "app/panels/panels.h"
#include "app/stage/fit_job.h"
#include "headless_gui.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app::fit_panel_test {
namespace {

constexpr const char* kClip =
    "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "JOINT knee\n{\nOFFSET 0 -1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 -0.7 0.1\n}\n}\n}\n"
    "MOTION\nFrames: 3\nFrame Time: 0.02\n0 1 0 0 0 0 0 0 0\n0 1 0 10 0 0 0 5 0\n0.1 1 0 20 3 0 0 10 0\n";

class FitPanel : public test::TemporaryFolder, protected HeadlessWindow {
 protected:
  FitPanel() : HeadlessWindow(makeDocument(makePlanarChain(2))) {}

  void SetUp() override {
    TemporaryFolder::SetUp();
    clip_ = write("clip.bvh", kClip);
    auto opened = io::openAny(clip_.string());
    ASSERT_TRUE(opened) << opened.error().message();
    session_.editor.open(std::move(opened->document), {}, "open");
    frames(2);
  }

  /// Runs frames until the job is over.
  void settle() {
    frames(1);
    while (session_.services.job.isRunning()) {
      session_.services.job.wait(10.0);
      frames(1);
    }
    frames(2);
  }

  void observe(const std::filesystem::path& path) {
    queue_.add(Command::OpenObservations, path);
    settle();
  }

  void fit() {
    queue_.add(Command::Fit);
    settle();
  }

  std::filesystem::path clip_;
};

TEST_F(FitPanel, ReadsObservationsAndGuessesNames) {
  observe(clip_);
  ASSERT_TRUE(session_.ui.fit.plan) << session_.ui.error;
  EXPECT_EQ(session_.ui.fit.plan->names, (std::vector<std::string>{"knee_end", "hip", "knee"}));
  EXPECT_FALSE(session_.ui.fit.answer);
}

TEST_F(FitPanel, TheMotionIsOneStepAndPlays) {
  const Document before = session_.document();
  observe(clip_);
  session_.ui.fit.plan->scale = 1.0;  // two bones are too few to guess it
  fit();
  ASSERT_TRUE(session_.ui.fit.answer) << session_.ui.message.text;
  EXPECT_LT(session_.ui.fit.answer->result.worstCost, 1e-9);
  EXPECT_FALSE(session_.document().motion->poses.empty());
  EXPECT_TRUE(session_.playing.isPlaying());
  frames(30);
  perform(session_, Command::Undo);
  EXPECT_EQ(session_.document().motion, before.motion);
  EXPECT_EQ(session_.document().pose, before.pose);
}

TEST_F(FitPanel, AnotherFigureIsMatchedAnew) {
  observe(clip_);
  fit();
  session_.editor.open(makeDocument(makePlanarChain(3)), {}, "open");
  frames(2);
  EXPECT_EQ(session_.ui.fit.plan->names, (std::vector<std::string>{"", "", ""}));
  EXPECT_FALSE(session_.ui.fit.answer);
  const Document before = session_.document();
  fit();
  EXPECT_TRUE(isSameContent(before, session_.document()));
  EXPECT_TRUE(session_.ui.message.isError);
}

TEST_F(FitPanel, WhatCannotBeReadIsSaid) {
  observe(write("points.csv", "a.x,a.y,a.z\n1,2,b\n"));
  EXPECT_TRUE(session_.ui.showError || !session_.ui.error.empty());
  EXPECT_NE(session_.ui.error.find("line 2"), std::string::npos) << session_.ui.error;
  EXPECT_FALSE(session_.ui.fit.plan);
}

TEST_F(FitPanel, GapsAndSingleFramesAreDrawn) {
  observe(write("points.csv", "hip.x,hip.y,hip.z,knee.x,knee.y,knee.z\n0,1,0,0,0,0\n,,,,,\n0,1,0,0.1,0,0\n"));
  ASSERT_TRUE(session_.ui.fit.plan) << session_.ui.error;
  fit();
  ASSERT_TRUE(session_.ui.fit.answer);
  EXPECT_EQ(session_.ui.fit.answer->result.unobservedFrames, 1);
  observe(write("one.json", R"({"points": {"hip": [0, 1, 0], "knee": [0, 0, 0.1]}})"));
  fit();
  ASSERT_TRUE(session_.ui.fit.answer);
  EXPECT_FALSE(session_.playing.isPlaying());
  frames(3);
  queue_.add(Command::CloseFit);
  frames(2);
  EXPECT_FALSE(session_.ui.fit.plan);
}

}  // namespace
}  // namespace limber::app::fit_panel_test

// SPDX-License-Identifier: MIT
// Pictures written from the window, in the background; and the early end of a sequence.
#include "app/jobs/pictures.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "app/session/documents.h"
#include "headless_gui.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/joint_turn.h"
#include "render/offscreen.h"
#include "support/temporary_folder.h"
#include "support/text_of.h"

namespace limber::app::pictures_test {
namespace {

namespace fs = std::filesystem;

constexpr double kForever = 60.0;  // seconds

Document makeSwing(int frames) {
  auto motion = std::make_shared<Motion>();
  motion->channels = {{0, ChannelType::ZRotation}};
  for (int frame = 0; frame < frames; ++frame) motion->values.push_back(10.0 * frame);
  motion->frameCount = frames;
  Document document = makeDocument(makeBallChain(2), motion);
  document.goals.clear();
  return document;
}

/// Width, height and the kind of colour, as the header has them; the end must be there too.
void expectPng(const fs::path& path, int width, int height, bool hasAlpha) {
  const std::string bytes = test::textOf(path);
  ASSERT_GT(bytes.size(), 33u) << path;
  const auto word = [&](std::size_t at) {
    int value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  EXPECT_EQ(bytes.substr(0, 4), "\x89PNG");
  EXPECT_EQ(word(16), width);
  EXPECT_EQ(word(20), height);
  EXPECT_EQ(bytes[25], hasAlpha ? 6 : 2);
  EXPECT_EQ(bytes.substr(bytes.size() - 8, 4), "IEND") << path << " is whole";
}

class Pictures : public test::TemporaryFolder, protected HeadlessWindow {
 protected:
  Pictures() : HeadlessWindow(makeSwing(5)) { session_.ui.browser.pictures = {64, 48, false, 0, 4, 1}; }

  void needContext() {
    std::string error;
    if (!render::OffscreenContext::create(error)) GTEST_SKIP() << "no OpenGL context";
  }
  void finish() {
    ASSERT_TRUE(session_.services.drawing.wait(kForever));
    finishJob(session_);
    EXPECT_FALSE(session_.ui.showError) << session_.ui.error;
  }
};

TEST_F(Pictures, OneIsWhatTheWindowShows) {
  if (needContext(); IsSkipped()) return;
  drawPictureTo(session_, folder_ / "a.png");
  finish();
  expectPng(folder_ / "a.png", 64, 48, false);
  EXPECT_EQ(session_.ui.message.text, "a.png saved");
  session_.ui.browser.pictures.isTransparent = true;
  drawPictureTo(session_, folder_ / "b.png");
  finish();
  expectPng(folder_ / "b.png", 64, 48, true);
  session_.picture.camera.distance *= 3.0;
  drawPictureTo(session_, folder_ / "c.png");
  finish();
  EXPECT_NE(test::textOf(folder_ / "b.png"), test::textOf(folder_ / "c.png")) << "the camera counts";
}

TEST_F(Pictures, ASequenceIsTheMotionWithTheFrameThatWasPosed) {
  if (needContext(); IsSkipped()) return;
  const std::string pattern = (folder_ / "plain_%d.png").string();
  drawSequenceTo(session_, pattern);
  finish();
  EXPECT_EQ(fileCount(), 5u);
  EXPECT_EQ(session_.ui.message.text, "5 pictures saved");
  showFrame(session_.editor.touch(), 2);
  turnJoint(session_.editor.touch(), 1, 2, 1.0);
  drawSequenceTo(session_, folder_ / "posed_%d.png");
  finish();
  for (int frame = 0; frame < 5; ++frame) {
    const std::string name = std::to_string(frame) + ".png";
    EXPECT_EQ(test::textOf(folder_ / ("plain_" + name)) == test::textOf(folder_ / ("posed_" + name)), frame != 2)
        << name;
  }
}

TEST_F(Pictures, ACancelledSequenceLeavesWholePicturesOnly) {
  if (needContext(); IsSkipped()) return;
  const Document document = makeSwing(50);
  int told = 0;
  const SequenceDrawn drawn = drawSequence(document, {0, 49, 1}, (folder_ / "%d.png").string(),
                                           {.width = 64, .height = 48, .view = session_.picture.view()},
                                           [&](double, std::string_view) { return ++told < 3; });
  EXPECT_TRUE(drawn.isCancelled);
  EXPECT_EQ(drawn.count, 3);
  EXPECT_EQ(drawn.fault, "");
  EXPECT_EQ(fileCount(), 3u) << "no picture after it, and none half written";
  for (int frame = 0; frame < 3; ++frame) expectPng(folder_ / (std::to_string(frame) + ".png"), 64, 48, false);
}

TEST_F(Pictures, WhatCannotBeWrittenIsTold) {
  if (needContext(); IsSkipped()) return;
  drawSequenceTo(session_, folder_ / "nowhere" / "%d.png");
  ASSERT_TRUE(session_.services.drawing.wait(kForever));
  finishJob(session_);
  EXPECT_TRUE(session_.ui.showError);
  EXPECT_NE(session_.ui.error.find("nowhere"), std::string::npos) << session_.ui.error;
}

TEST_F(Pictures, TheDialogAsksForSizeAndFrames) {
  session_.ui.browser.pictures = {};
  for (const auto command : {Command::SavePicture, Command::SavePictures}) {
    session_.ui.browser.command = command;
    session_.ui.browser.wanted = true;
    frames(4);
    EXPECT_TRUE(session_.ui.browser.isOpen);
    EXPECT_EQ(session_.ui.browser.pictures.width, static_cast<int>(session_.picture.area.width));
    EXPECT_EQ(session_.ui.browser.pictures.last, 4);
    const bool isSequence = command == Command::SavePictures;
    EXPECT_EQ(session_.ui.browser.typed.ends_with("_%04d.png"), isSequence) << session_.ui.browser.typed;
    session_.ui.popups.closes = true;
    frames(2);
  }
}

}  // namespace
}  // namespace limber::app::pictures_test

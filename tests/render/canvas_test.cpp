// SPDX-License-Identifier: MIT
// Where the system has an OpenGL context; skipped, visibly, where not.
#include "render/canvas.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/kinematics/standard_figures.h"
#include "limber/problem/joint_turn.h"
#include "locations.h"
#include "render/picture.h"

namespace limber::render::canvas_test {
namespace {

const std::filesystem::path kShaders = std::filesystem::path(LIMBER_SOURCE_DIR) / "shaders";
constexpr int kWindowWidth = 400, kWindowHeight = 300, kLeft = 50, kBottom = 20;

class OnCanvas : public testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    context_ = OffscreenContext::create(error);
    if (!context_) GTEST_SKIP() << error;
    renderer_ = Renderer::create(kShaders, OffscreenContext::loader(), error);
    ASSERT_TRUE(renderer_) << error;
    window_ = OffscreenTarget::create(kWindowWidth, kWindowHeight, error, 0);
    ASSERT_TRUE(window_) << error;
    canvas_.emplace(*renderer_, kShaders);
    document_ = makeDocument(makeBallChain(3));
    document_.goals.clear();
    place();
    view_ = frameList(list_, 320, 240);
  }
  void place() {
    computeKinematics(*document_.figure, document_.pose, kinematics_);
    makeDrawList(document_, kinematics_, {}, list_);
  }
  bool show(bool isStill) { return canvas_->show(list_, view_, kLeft, kBottom, isStill, window_->framebuffer()); }
  Picture window() { return readPicture(window_->resolve(), kWindowWidth, kWindowHeight); }

  std::unique_ptr<OffscreenContext> context_;  // dies last
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<OffscreenTarget> window_;
  std::optional<Canvas> canvas_;
  Document document_;
  Kinematics kinematics_;
  DrawList list_;
  View view_;
};

TEST_F(OnCanvas, DrawsOnlyWhatChangedOrCanNowBeDrawnBetter) {
  for (int i = 0; i < 20; ++i) canvas_->tookFrame(1.0, i);  // a slow machine
  EXPECT_TRUE(show(false));
  EXPECT_EQ(canvas_->smoothing(), Smoothing::Coarse);
  EXPECT_FALSE(show(false)) << "nothing has moved";
  EXPECT_TRUE(show(true)) << "now there is time";
  const Smoothing best = canvas_->smoothing();
  EXPECT_NE(best, Smoothing::None);
  const Picture fine = window();
  EXPECT_FALSE(show(true));
  EXPECT_FALSE(show(false)) << "what is drawn well stays so";
  EXPECT_EQ(canvas_->smoothing(), best);
  EXPECT_EQ(window().pixels, fine.pixels);

  turnJoint(document_, 1, 0, 0.4);
  place();
  EXPECT_TRUE(show(false));
  EXPECT_EQ(canvas_->smoothing(), Smoothing::Coarse);
  EXPECT_NE(window().pixels, fine.pixels);
  view_.eye.x() += 0.01;
  EXPECT_TRUE(show(false)) << "the camera has moved";
  EXPECT_TRUE(canvas_->fault().empty()) << canvas_->fault();
}

TEST_F(OnCanvas, ACoarsePictureShowsTheSameInTheSamePlace) {
  for (int i = 0; i < 20; ++i) canvas_->tookFrame(1.0, i);
  show(false);
  ASSERT_EQ(canvas_->smoothing(), Smoothing::Coarse);
  const Picture coarse = window();
  show(true);
  const Picture fine = window();
  double difference = 0.0;
  for (std::size_t i = 0; i < fine.pixels.size(); ++i) difference += std::abs(coarse.pixels[i] - fine.pixels[i]);
  EXPECT_LT(difference / static_cast<double>(fine.pixels.size()), 4.0) << "mean grey steps";
  EXPECT_NE(coarse.pixels, fine.pixels);
}

TEST_F(OnCanvas, PutsThePictureInItsPlace) {
  show(true);
  const Picture shown = window();
  std::string error;
  const auto alone = OffscreenTarget::create(view_.width, view_.height, error, 4);
  ASSERT_TRUE(alone) << error;
  renderer_->draw(list_, view_, alone->framebuffer());
  const Picture expected = readPicture(alone->resolve(), view_.width, view_.height);
  if (alone->sampleCount() < 2) GTEST_SKIP() << "the driver has no multisampling";
  const int top = kWindowHeight - kBottom - view_.height;
  for (int y = 0; y < view_.height; ++y) {
    const auto at = [](const Picture& picture, int x, int row) {
      return picture.pixels.begin() + 3 * (static_cast<std::ptrdiff_t>(row) * picture.width + x);
    };
    ASSERT_TRUE(std::equal(at(expected, 0, y), at(expected, 0, y) + 3 * view_.width, at(shown, kLeft, top + y))) << y;
  }
}

TEST_F(OnCanvas, FilteredEdgesAreBetweenTheirSides) {
  for (int i = 0; i < 20; ++i) canvas_->tookFrame(1.0, i);
  for (int i = 0; i < 10; ++i) canvas_->tookFrame(0.001, 1000.0 + i);  // one step better
  show(false);
  ASSERT_EQ(canvas_->smoothing(), Smoothing::None);
  const Picture raw = window();
  for (int i = 0; i < 4; ++i) canvas_->tookFrame(0.001, 2000.0 + i);  // and another
  view_.eye.x() += 1e-9;
  EXPECT_TRUE(show(false));
  ASSERT_EQ(canvas_->smoothing(), Smoothing::Filtered);
  const Picture filtered = window();
  int changed = 0;
  for (int y = 1; y + 1 < raw.height; ++y)
    for (int x = 1; x + 1 < raw.width; ++x) {
      const auto at = [&](const Picture& p, int dx, int dy) {
        return p.pixels[3 * static_cast<std::size_t>((y + dy) * p.width + x + dx) + 1];
      };
      changed += std::abs(at(raw, 0, 0) - at(filtered, 0, 0)) > 8;
    }
  EXPECT_GT(changed, 100) << "the outline of the figure";
  EXPECT_LT(changed, raw.width * raw.height / 20) << "and little else";
}

TEST_F(OnCanvas, FollowsTheSizeOfTheView) {
  show(true);
  for (const auto& [width, height] : {std::pair(100, 80), std::pair(321, 199), std::pair(1, 1)}) {
    view_.width = width;
    view_.height = height;
    for (const bool isStill : {false, true}) EXPECT_TRUE(show(isStill)) << width;
    EXPECT_TRUE(canvas_->fault().empty()) << canvas_->fault();
  }
}

}  // namespace
}  // namespace limber::render::canvas_test

// SPDX-License-Identifier: MIT
// Offscreen pictures, where the system has an OpenGL context; skipped, visibly, where not.
#include "render/picture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/kinematics/standard_figures.h"
#include "limber/problem/joint_turn.h"
#include "render/offscreen_fixture.h"

namespace limber::render::picture_test {
namespace {

using test::kShaders;
using OffscreenPicture = test::Offscreen;

constexpr int kWidth = 320, kHeight = 240;

Document makeScene(int linkCount = 3) {
  Document document = makeDocument(makeBallChain(linkCount));
  document.goals.clear();
  return document;
}

Picture draw(const Document& document) {
  std::string error;
  auto picture = drawPicture(document, kWidth, kHeight, kShaders, error);
  EXPECT_TRUE(picture) << error;
  return picture.value_or(Picture{});
}

/// Pixels of a clay limb: warm and bright, which neither ground nor backdrop is.
bool isLimb(const std::uint8_t* pixel) { return pixel[0] > 140 && pixel[0] > pixel[2] + 8; }

struct Extent {
  int count = 0;
  double meanX = 0.0, meanY = 0.0;
};
Extent limbPixels(const Picture& picture) {
  Extent extent;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      if (isLimb(&picture.pixels[3 * static_cast<std::size_t>(y * picture.width + x)])) {
        ++extent.count;
        extent.meanX += x;
        extent.meanY += y;
      }
  extent.meanX /= std::max(extent.count, 1);
  extent.meanY /= std::max(extent.count, 1);
  return extent;
}

TEST_F(OffscreenPicture, ShowsTheFigureInTheMiddle) {
  const Extent extent = limbPixels(draw(makeScene()));
  EXPECT_GT(extent.count, 400);
  EXPECT_NEAR(extent.meanX, kWidth / 2.0, 0.1 * kWidth);
  EXPECT_NEAR(extent.meanY, kHeight / 2.0, 0.15 * kHeight);
}

TEST_F(OffscreenPicture, StandsTheRightWayUp) {
  const Picture picture = draw(makeScene());
  const auto brightness = [&](int y) {
    const std::uint8_t* pixel = &picture.pixels[3 * static_cast<std::size_t>(y * picture.width)];
    return pixel[0] + pixel[1] + pixel[2];
  };
  EXPECT_GT(brightness(kHeight - 1), brightness(0)) << "the ground is lighter than the sky";
}

TEST_F(OffscreenPicture, IsTheSameEachTime) {
  const Document document = makeScene();
  EXPECT_EQ(draw(document).pixels, draw(document).pixels);
}

TEST_F(OffscreenPicture, ChangesWithThePose) {
  Document document = makeScene();
  const Picture before = draw(document);
  turnJoint(document, 1, 0, 0.7);
  EXPECT_NE(draw(document).pixels, before.pixels);
}

TEST_F(OffscreenPicture, ShadowDarkensTheGround) {
  Document document = makeScene(1);
  View view = frameFigure({-0.5, 0.0, -0.5}, {0.5, 1.0, 0.5}, false, kWidth, kHeight);
  view.eye.y() += 1.5;
  std::string error;
  const auto picture = drawPicture(document, kWidth, kHeight, kShaders, error, {.view = &view});
  ASSERT_TRUE(picture) << error;
  const auto brightnessAt = [&](const Eigen::Vector3d& point) {
    const auto pixel = projectToPixel(view, point);
    const auto index = static_cast<std::size_t>(std::lround(pixel->y()) * kWidth + std::lround(pixel->x()));
    return picture->pixels[3 * index] + picture->pixels[3 * index + 1] + picture->pixels[3 * index + 2];
  };
  // The light comes from (-0.5, 1, 0.55); half way up the limb casts here, and the mirrored point stays lit.
  EXPECT_LT(brightnessAt({0.27, 0.0, -0.27}), brightnessAt({0.27, 0.0, 0.27}) - 40);
}

TEST_F(OffscreenPicture, FarFromTheOriginLooksTheSame) {
  const Document near = makeScene();
  Kinematics kinematics;
  computeKinematics(*near.figure, near.pose, kinematics);
  std::string error;
  const auto context = OffscreenContext::create(error);
  const auto renderer = Renderer::create(kShaders, OffscreenContext::loader(), error);
  ASSERT_TRUE(renderer) << error;
  const auto target = OffscreenTarget::create(kWidth, kHeight, error);
  ASSERT_TRUE(target) << error;
  std::vector<Picture> pictures;
  for (double far : {0.0, 1e7}) {
    DrawList list;
    makeDrawList(near, kinematics, Highlight{}, list);
    list.showGround = false;
    const Eigen::Vector3d shift(far, 0.0, -far);
    for (DrawCapsule& capsule : list.capsules) {
      capsule.start += shift;
      capsule.end += shift;
    }
    list.boundsMin += shift;
    list.boundsMax += shift;
    const View view = frameFigure(list.boundsMin, list.boundsMax, false, kWidth, kHeight);
    renderer->draw(list, view, target->framebuffer());
    pictures.push_back(readPicture(target->resolve(), kWidth, kHeight));
  }
  double difference = 0.0;
  for (std::size_t i = 0; i < pictures[0].pixels.size(); ++i)
    difference += std::abs(pictures[0].pixels[i] - pictures[1].pixels[i]);
  EXPECT_LT(difference / static_cast<double>(pictures[0].pixels.size()), 0.1) << "grey steps, on average";
}

TEST_F(OffscreenPicture, LongChainsAreAThinLine) {
  for (const int links : {100, 1000, 10000, 100000}) {
    Document document = makeDocument(makePlanarChain(links));
    document.goals.clear();
    const Extent extent = limbPixels(draw(document));
    EXPECT_LT(extent.count, 8 * kWidth) << links;
    EXPECT_NEAR(extent.meanY, kHeight / 2.0, 0.15 * kHeight) << links;
  }
}

TEST_F(OffscreenPicture, MayHaveNothingBehindTheFigure) {
  std::string error;
  const Document document = makeScene();
  const auto picture = drawPicture(document, kWidth, kHeight, kShaders, error, {.isTransparent = true});
  ASSERT_TRUE(picture) << error;
  ASSERT_EQ(picture->channels, 4);
  const Picture plain = draw(document);
  int clear = 0, full = 0, alike = 0;
  for (std::size_t i = 0; i < picture->pixels.size() / 4; ++i) {
    const std::uint8_t* pixel = &picture->pixels[4 * i];
    if (pixel[3] == 0) ++clear;
    if (pixel[3] < 255) continue;
    ++full;
    bool isAlike = true;
    for (std::size_t k = 0; k < 3; ++k) isAlike = isAlike && std::abs(pixel[k] - plain.pixels[3 * i + k]) <= 1;
    alike += isAlike;
  }
  EXPECT_GT(alike, 0.9 * full) << "drawn as ever, but for the foot that the ground hides";
  EXPECT_GT(clear, kWidth * kHeight / 2);
  EXPECT_GT(full, 400);
  EXPECT_EQ(picture->pixels[3], 0) << "a corner";
}

TEST_F(OffscreenPicture, BecomesAPng) {
  std::string error;
  const auto picture = drawPicture(makeScene(), 64, 48, kShaders, error);
  ASSERT_TRUE(picture) << error;
  const std::vector<std::uint8_t> bytes = encodePng(*picture);
  const std::vector<std::uint8_t> signature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  ASSERT_GT(bytes.size(), 100u);
  EXPECT_EQ(std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + 8), signature);
}

TEST_F(OffscreenPicture, MissingShadersAreNamed) {
  std::string error;
  EXPECT_FALSE(drawPicture(makeScene(), kWidth, kHeight, "/nowhere", error));
  EXPECT_NE(error.find("/nowhere/capsule.vert"), std::string::npos) << error;
}

TEST(Picture, SizeOutsideItsRangeIsRefused) {
  for (const auto& [width, height] : {std::pair(15, 100), std::pair(100, 8193), std::pair(-1, -1)}) {
    std::string error;
    EXPECT_FALSE(drawPicture(makeScene(), width, height, kShaders, error));
    EXPECT_NE(error.find("16 to 8192"), std::string::npos) << error;
  }
}

TEST(Picture, NoFigureIsRefused) {
  std::string error;
  EXPECT_FALSE(drawPicture(Document{}, kWidth, kHeight, kShaders, error));
  EXPECT_NE(error.find("no figure"), std::string::npos) << error;
}

}  // namespace
}  // namespace limber::render::picture_test

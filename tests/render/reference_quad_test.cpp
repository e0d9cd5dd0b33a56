// SPDX-License-Identifier: MIT
// Reference pictures in offscreen pictures; skipped, visibly, where the system has no OpenGL context.
#include "render/reference_quad.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "locations.h"
#include "render/offscreen.h"
#include "render/picture.h"

namespace limber::render::reference_quad_test {
namespace {

const std::filesystem::path kShaders = std::filesystem::path(LIMBER_SOURCE_DIR) / "shaders";
constexpr int kWidth = 320, kHeight = 240;

/// Red on its upper left quarter, else blue.
SkinTexture quarterRed() {
  SkinTexture image{.width = 64, .height = 48};
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const bool isRed = x < 32 && y < 24;
      for (const int value : {isRed ? 255 : 0, 0, isRed ? 0 : 255, 255})
        image.pixels.push_back(static_cast<std::uint8_t>(value));
    }
  return image;
}

class ReferenceQuadPicture : public testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    if (!OffscreenContext::create(error)) GTEST_SKIP() << error;
    document_ = makeDocument(makeBallChain(2));
    document_.goals.clear();
    auto file = std::make_shared<PictureFile>();
    file->image = quarterRed();
    ReferencePicture picture{.file = file, .width = 64, .height = 48, .opacity = 1.0};
    // The view of the drawn picture, so that the reference fills it.
    view_ = {.eye = {0.0, 1.0, 5.0}, .centre = {0.0, 1.0, 0.0}, .width = kWidth, .height = kHeight};
    picture.camera = cameraLookingAt(view_.eye, view_.centre, 24.0 / std::tan(0.5 * view_.fieldOfView), {32.0, 24.0});
    addPicture(document_, picture);
  }

  ReferencePicture& picture() { return document_.pictures[0]; }
  Picture draw(bool hasReference = true, bool isTransparent = false) {
    std::string error;
    auto drawn = drawPicture(document_, kWidth, kHeight, kShaders, error,
                             {.view = &view_, .isTransparent = isTransparent, .hasReference = hasReference});
    EXPECT_TRUE(drawn) << error;
    return drawn.value_or(Picture{});
  }
  static Eigen::Vector3i at(const Picture& drawn, int x, int y) {
    const std::uint8_t* pixel = &drawn.pixels[static_cast<std::size_t>(drawn.channels * (y * drawn.width + x))];
    return {pixel[0], pixel[1], pixel[2]};
  }
  static bool isRed(const Eigen::Vector3i& c) { return c[0] > 200 && c[1] < 40 && c[2] < 40; }
  static bool isBlue(const Eigen::Vector3i& c) { return c[2] > 200 && c[0] < 40 && c[1] < 40; }
  /// A pixel in the middle of the lower link.
  Eigen::Vector2d onFigure() const {
    const Kinematics kinematics = transformsOf(*document_.figure, document_.pose);
    const Capsule& limb = document_.figure->link(0).capsules.at(0);
    return *projectToPixel(view_, kinematics.worldFromLink[0] * (0.5 * (limb.start + limb.end)));
  }

  Document document_;
  View view_;
};

TEST_F(ReferenceQuadPicture, FillsWhatItsCameraSeesBehindTheFigure) {
  const Picture drawn = draw();
  EXPECT_TRUE(isRed(at(drawn, 3, 3)));
  EXPECT_TRUE(isRed(at(drawn, kWidth / 2 - 6, 3)));
  EXPECT_TRUE(isBlue(at(drawn, kWidth / 2 + 6, 3)));
  EXPECT_TRUE(isBlue(at(drawn, 3, kHeight / 2 + 6)));
  EXPECT_TRUE(isBlue(at(drawn, kWidth - 4, kHeight - 4))) << "the ground is behind it, too";
  const Eigen::Vector2d limb = onFigure();
  const Eigen::Vector3i figure = at(drawn, static_cast<int>(limb.x()), static_cast<int>(limb.y()));
  EXPECT_FALSE(isRed(figure) || isBlue(figure)) << figure;
}

TEST_F(ReferenceQuadPicture, CoversTheFigureWhereItIsInFront) {
  picture().isInFront = true;
  const Picture drawn = draw();
  const Eigen::Vector2d limb = onFigure();
  const Eigen::Vector3i figure = at(drawn, static_cast<int>(limb.x()), static_cast<int>(limb.y()));
  EXPECT_TRUE(isRed(figure) || isBlue(figure)) << figure;
}

TEST_F(ReferenceQuadPicture, IsCroppedAndBlended) {
  const Picture without = draw(false);
  picture().crop = {0.25, 0.0, 0.0, 0.25};
  picture().opacity = 0.5;
  const Picture drawn = draw();
  EXPECT_EQ(at(drawn, 3, 3), at(without, 3, 3));
  EXPECT_EQ(at(drawn, kWidth - 4, kHeight - 4), at(without, kWidth - 4, kHeight - 4));
  const Eigen::Vector3i mixed = at(drawn, kWidth / 2 - 6, 3), below = at(without, kWidth / 2 - 6, 3);
  EXPECT_NEAR(mixed[0], 0.5 * (255 + below[0]), 2.0);
  EXPECT_NEAR(mixed[1], 0.5 * below[1], 2.0);
}

TEST_F(ReferenceQuadPicture, IsLeftOutOfTransparentPicturesAndWithoutPixels) {
  const Picture transparent = draw(true, true);
  EXPECT_EQ(transparent.pixels, draw(false, true).pixels);
  const Picture without = draw(false);
  picture().file = std::make_shared<PictureFile>();
  EXPECT_EQ(draw().pixels, without.pixels) << "the file was not found";
}

}  // namespace
}  // namespace limber::render::reference_quad_test

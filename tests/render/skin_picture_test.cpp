// SPDX-License-Identifier: MIT
// Skins drawn offscreen, where the system has an OpenGL context; skipped, visibly, where not.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "limber/problem/joint_turn.h"
#include "limber/scene/skin.h"
#include "locations.h"
#include "render/offscreen.h"
#include "render/picture.h"
#include "support/skinned_tube.h"

namespace limber::render::skin_picture_test {
namespace {

constexpr int kWidth = 320, kHeight = 240;

class SkinPicture : public testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    context_ = OffscreenContext::create(error);
    if (!context_) GTEST_SKIP() << error;
    const auto shaders = std::filesystem::path(LIMBER_SOURCE_DIR) / "shaders";
    renderer_ = Renderer::create(shaders, OffscreenContext::loader(), error);
    ASSERT_TRUE(renderer_) << error;
    target_ = OffscreenTarget::create(kWidth, kHeight, error);
    ASSERT_TRUE(target_) << error;
  }

  Picture draw(const Document& document, const Highlight& highlight = {}) {
    Kinematics kinematics;
    computeKinematics(*document.figure, document.pose, kinematics);
    makeDrawList(document, kinematics, highlight, list_);
    view_ = frameFigure({-1, 0, -1}, {1, 3, 1}, false, kWidth, kHeight);
    renderer_->draw(list_, view_, target_->framebuffer());
    return readPicture(target_->resolve(), kWidth, kHeight);
  }

  Eigen::Vector3i at(const Picture& picture, const Eigen::Vector3d& point) const {
    const auto pixel = projectToPixel(view_, point);
    const auto index = 3 * static_cast<std::size_t>(std::lround(pixel->y()) * kWidth + std::lround(pixel->x()));
    return {picture.pixels[index], picture.pixels[index + 1], picture.pixels[index + 2]};
  }

  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<OffscreenTarget> target_;
  DrawList list_;
  View view_;
};

SkinMaterial colored(float red, float green, float blue) { return {.color = Eigen::Vector4f(red, green, blue, 1.0f)}; }

Document bent(Document document) {
  turnJoint(document, 1, 2, 0.6);
  turnJoint(document, 2, 0, -0.8);
  return document;
}

/// The surface as the processor moves it: rigid, its vertices where the posed ones are.
Document frozen(const Document& document) {
  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  std::vector<Eigen::Affine3d> bones;
  computeBoneTransforms(*document.skin, kinematics, bones);
  const SkinSurface& from = document.skin->surfaces[0];
  SkinSurface still = from;
  for (std::size_t i = 0; i < from.positions.size(); ++i) {
    const Eigen::Affine3d worldFromSkin = blendedTransform(from, i, bones);
    still.positions[i] = (worldFromSkin * from.positions[i].cast<double>()).cast<float>();
    still.normals[i] = carriedNormal(worldFromSkin, from.normals[i].cast<double>()).cast<float>();
  }
  still.influences = 0;
  still.boneOf.clear();
  still.weights.clear();
  still.bones = {SkinBone{}};
  return test::withSkin(still, document.skin->materials[0]);
}

double meanDifference(const Picture& a, const Picture& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(a.pixels[i] - b.pixels[i]);
  return sum / static_cast<double>(a.pixels.size());
}

TEST_F(SkinPicture, ShowsTheColourOfItsMaterial) {
  const Document document = test::withSkin(test::makeTube(4), colored(0.0f, 0.6f, 0.0f));
  const Eigen::Vector3i color = at(draw(document), {0.0, 1.5, 0.0});
  EXPECT_GT(color.y(), 100);
  EXPECT_GT(color.y(), 2 * color.x());
  EXPECT_GT(color.y(), 2 * color.z());
}

TEST_F(SkinPicture, FourAndEightInfluencesAgreeWithTheProcessor) {
  for (const int influences : {4, 8}) {
    const Document document = bent(test::makeSkinnedTube(influences));
    const Picture picture = draw(document), expected = draw(frozen(document));
    EXPECT_GT(meanDifference(picture, draw(test::makeSkinnedTube(influences))), 1.0) << "the pose shows";
    EXPECT_LT(meanDifference(picture, expected), 0.1) << influences << ": grey steps, on average";
  }
}

TEST_F(SkinPicture, NonUniformScaleLightsAsTheProcessorSays) {
  SkinSurface tube = test::makeTube(4);
  for (SkinBone& bone : tube.bones) bone.linkFromSkin.linear().diagonal() = Eigen::Vector3f(3.0f, 1.0f, 0.5f);
  const Document document = test::withSkin(tube);
  EXPECT_LT(meanDifference(draw(document), draw(frozen(document))), 0.1);
}

TEST_F(SkinPicture, MoreThan256BonesWork) {
  SkinSurface tube = test::makeTube(4);
  tube.bones.insert(tube.bones.begin(), 300, SkinBone{.link = 2});
  for (std::uint16_t& bone : tube.boneOf) bone = static_cast<std::uint16_t>(bone + 300);
  EXPECT_EQ(draw(bent(test::withSkin(tube))).pixels, draw(bent(test::makeSkinnedTube())).pixels);
}

TEST_F(SkinPicture, AlphaMeansWhatTheMaterialSays) {
  const Eigen::Vector3d middle(0.0, 1.5, 0.0);
  const auto colorOf = [&](SkinAlpha alpha, float value, float cutoff = 0.5f) {
    SkinMaterial material = colored(0.8f, 0.0f, 0.0f);
    material.color.w() = value;
    material.alpha = alpha;
    material.alphaCutoff = cutoff;
    return at(draw(test::withSkin(test::makeTube(4), material)), middle);
  };
  const Eigen::Vector3i whole = colorOf(SkinAlpha::Opaque, 1.0f), none = colorOf(SkinAlpha::Blend, 0.0f);
  EXPECT_GT(whole.x(), 2 * whole.y());
  EXPECT_LT(std::abs(none.x() - none.z()), 40) << "the backdrop: " << none.transpose();
  EXPECT_EQ(colorOf(SkinAlpha::Opaque, 0.2f), whole) << "alpha means nothing";
  EXPECT_EQ(colorOf(SkinAlpha::Mask, 0.4f, 0.3f), whole);
  EXPECT_EQ(colorOf(SkinAlpha::Mask, 0.4f, 0.5f), none);
  EXPECT_EQ(colorOf(SkinAlpha::Blend, 1.0f), whole);
  const Eigen::Vector3i half = colorOf(SkinAlpha::Blend, 0.5f);
  const Eigen::Vector3d mean = 0.5 * (whole + none).cast<double>();
  EXPECT_LT((half.cast<double>() - mean).cwiseAbs().maxCoeff(), 4.0) << half.transpose() << ", " << mean.transpose();
}

TEST_F(SkinPicture, WhatIsSeenThroughABlendedSurfaceShows) {
  Document document = test::withSkin(test::makeTube(4), colored(0.0f, 0.0f, 0.8f));
  auto skin = std::make_shared<Skin>(*document.skin);
  SkinMaterial glass = colored(1.0f, 1.0f, 1.0f);
  glass.color.w() = 0.3f;
  glass.alpha = SkinAlpha::Blend;
  glass.isDoubleSided = true;
  skin->materials.insert(skin->materials.begin(), glass);  // still drawn last
  skin->surfaces.push_back(skin->surfaces[0]);
  skin->surfaces[0].material = 1;
  skin->surfaces[1].material = 0;
  for (Eigen::Vector3f& position : skin->surfaces[1].positions)
    position.head<3>() = position.cwiseProduct(Eigen::Vector3f(2.0f, 1.0f, 2.0f));
  document.skin = skin;
  const Eigen::Vector3i color = at(draw(document), {0.0, 1.5, 0.0});
  EXPECT_GT(color.z(), color.x() + 20) << "the tube within: " << color.transpose();
  EXPECT_GT(color.x(), 40) << "the glass before it: " << color.transpose();
}

TEST_F(SkinPicture, TextureColoursAndCutsAway) {
  Document document = test::withSkin(test::makeTube(4), colored(1.0f, 1.0f, 1.0f));
  auto skin = std::make_shared<Skin>(*document.skin);
  SkinTexture texture{2, 2, {255, 0, 0, 255, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 0}};  // red above; nothing below
  skin->textures.push_back(texture);
  skin->materials[0].texture = 0;
  skin->materials[0].alpha = SkinAlpha::Mask;
  for (Eigen::Vector2f& place : skin->surfaces[0].textureCoordinates) place.y() = place.y() < 0.5f ? 0.25f : 0.75f;
  document.skin = skin;
  const Picture picture = draw(document);
  const Eigen::Vector3i low = at(picture, {0.0, 0.8, 0.0}), high = at(picture, {0.0, 2.5, 0.0});
  EXPECT_GT(low.x(), 2 * low.y()) << low.transpose();
  EXPECT_LT(std::abs(high.x() - high.z()), 40) << "the backdrop: " << high.transpose();
}

TEST_F(SkinPicture, InsideShowsOfTwoSidedMaterialsOnly) {
  SkinSurface tube = test::makeTube(4);
  for (std::size_t t = 0; t + 2 < tube.triangles.size(); t += 3) std::swap(tube.triangles[t], tube.triangles[t + 1]);
  SkinMaterial material = colored(0.8f, 0.0f, 0.0f);
  const Document oneSided = test::withSkin(tube, material);
  material.isDoubleSided = true;
  const Document twoSided = test::withSkin(tube, material);
  EXPECT_GT(meanDifference(draw(oneSided), draw(twoSided)), 0.2) << "the near side shows, or the far one alone";
}

TEST_F(SkinPicture, HoveredLinkIsLitUp) {
  const Document document = test::makeSkinnedTube();
  Highlight highlight;
  const Picture before = draw(document, highlight);
  highlight.hoveredLink = 2;
  highlight.showJoints = false;
  const Picture after = draw(document, highlight);
  const auto brightness = [&](const Picture& picture) { return at(picture, {0, 2.5, 0}).sum(); };
  EXPECT_GT(brightness(after), brightness(before));
  EXPECT_EQ(at(after, {0, 0.4, 0}), at(before, {0, 0.4, 0}));
}

TEST_F(SkinPicture, FigureShowsThroughOrAloneByChoice) {
  const Document document = test::withSkin(test::makeTube(4), colored(0.0f, 0.0f, 0.8f));
  Highlight highlight;
  const Eigen::Vector3d middle(0.0, 1.5, 0.0);
  const auto warmth = [&](SkinView view) {
    highlight.skinView = view;
    const Eigen::Vector3i color = at(draw(document, highlight), middle);
    return color.x() - color.z();
  };
  const int skin = warmth(SkinView::Skin), both = warmth(SkinView::FigureInSkin), figure = warmth(SkinView::Figure);
  EXPECT_LT(skin, both);
  EXPECT_LT(both, figure);
  Document bare = document;
  bare.skin = nullptr;
  EXPECT_EQ(draw(document, highlight).pixels, draw(bare).pixels) << "the figure alone is as if there were no skin";
}

TEST_F(SkinPicture, CastsAShadow) {
  const Eigen::Vector3i lit = at(draw(test::makeSkinnedTube()), {0.5, 0.0, 0.5});
  const Picture picture = draw(test::makeSkinnedTube());
  const Eigen::Vector3i dark = at(picture, {0.25, 0.0, -0.275});
  EXPECT_LT(dark.sum(), lit.sum() - 40);
}

TEST_F(SkinPicture, AnotherSkinTakesItsPlace) {
  const Picture first = draw(test::makeSkinnedTube(4));
  draw(test::withSkin(test::makeTube(4), colored(0.0f, 0.6f, 0.0f)));
  EXPECT_EQ(draw(test::makeSkinnedTube(4)).pixels, first.pixels);
}

TEST(SkinDrawList, TakesThePlaceOfTheFigureAndBoundsIt) {
  const Document document = test::makeSkinnedTube();
  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  DrawList list;
  makeDrawList(document, kinematics, {}, list);
  EXPECT_TRUE(list.skin.isShown);
  EXPECT_TRUE(list.capsules.empty());
  EXPECT_NEAR(list.boundsMax.y(), 3.0, 0.2);
  EXPECT_NEAR(list.boundsMax.x(), test::kTubeRadius, 1e-6);
  const auto groups = list.skin.groups;
  makeDrawList(document, kinematics, {}, list);
  EXPECT_EQ(list.skin.groups, groups) << "found once for a skin";
}

}  // namespace
}  // namespace limber::render::skin_picture_test

// SPDX-License-Identifier: MIT
#include "app/view/picking.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/skinned_tube.h"

namespace limber::app::picking_test {
namespace {

using render::DrawCapsule;
using render::DrawList;

constexpr double kTolerance = 1e-9;

render::View lookingAlongMinusZ() {
  render::View view;
  view.eye = {0, 0, 5};
  view.centre = {0, 0, 0};
  view.width = 800;
  view.height = 600;
  return view;
}

DrawCapsule link(int index, const Eigen::Vector3d& start, const Eigen::Vector3d& end, double radius) {
  DrawCapsule capsule;
  capsule.start = start;
  capsule.end = end;
  capsule.radius = radius;
  capsule.link = index;
  return capsule;
}

DrawCapsule target(int id, const Eigen::Vector3d& centre, double radius) {
  DrawCapsule ball = link(-1, centre, centre, radius);
  ball.goal = id;
  ball.layer = render::Layer::Overlay;
  ball.grip = render::Grip::Target;
  return ball;
}

TEST(Capsule, IsHitOnItsSideItsEndsAndFromInside) {
  const Eigen::Vector3d a(-1, 0, 0), b(1, 0, 0);
  const render::Ray side{{0.5, 0, 5}, {0, 0, -1}};
  EXPECT_NEAR(intersectCapsule(side, a, b, 0.2).value(), 4.8, kTolerance);
  const render::Ray end{{5, 0, 0}, {-1, 0, 0}};
  EXPECT_NEAR(intersectCapsule(end, a, b, 0.2).value(), 3.8, kTolerance);
  const render::Ray inside{{0, 0, 0}, {0, 1, 0}};
  EXPECT_NEAR(intersectCapsule(inside, a, b, 0.2).value(), 0.0, kTolerance);
}

TEST(Capsule, IsMissedBesideBeyondAndBehind) {
  const Eigen::Vector3d a(-1, 0, 0), b(1, 0, 0);
  EXPECT_FALSE(intersectCapsule({{0, 0.3, 5}, {0, 0, -1}}, a, b, 0.2));
  EXPECT_FALSE(intersectCapsule({{1.3, 0, 5}, {0, 0, -1}}, a, b, 0.2));
  EXPECT_FALSE(intersectCapsule({{0, 0, 5}, {0, 0, 1}}, a, b, 0.2));
}

TEST(Capsule, WithEqualEndsIsABall) {
  const Eigen::Vector3d centre(0, 0, 0);
  EXPECT_NEAR(intersectCapsule({{0, 0, 5}, {0, 0, -1}}, centre, centre, 0.5).value(), 4.5, kTolerance);
  EXPECT_FALSE(intersectCapsule({{0, 0.6, 5}, {0, 0, -1}}, centre, centre, 0.5));
}

TEST(Picking, TakesTheNearestLink) {
  DrawList list;
  list.capsules = {link(3, {-1, 0, -1}, {1, 0, -1}, 0.2), link(4, {0, -1, 1}, {0, 1, 1}, 0.2)};
  const auto hit = pick(list, lookingAlongMinusZ(), 400, 300);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->link, 4);
  EXPECT_NEAR(hit->point.z(), 1.2, kTolerance);
  EXPECT_NEAR(hit->distance, 3.8, kTolerance);
}

TEST(Picking, FindsNothingOnEmptySpace) {
  DrawList list;
  list.capsules = {link(0, {-1, 0, 0}, {1, 0, 0}, 0.1)};
  EXPECT_FALSE(pick(list, lookingAlongMinusZ(), 400, 100));
  EXPECT_FALSE(pick(DrawList{}, lookingAlongMinusZ(), 400, 300));
}

TEST(Picking, ForgivesAFewPixelsBesideAThinLink) {
  DrawList list;
  list.capsules = {link(7, {-1, 0, 0}, {1, 0, 0}, 1e-4)};
  const auto hit = pick(list, lookingAlongMinusZ(), 400, 296);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->link, 7);
  EXPECT_NEAR(hit->point.y(), 0.0, kTolerance);
  EXPECT_TRUE(pick(list, lookingAlongMinusZ(), 400, 290)) << "a hand that moves fast misses by as much";
  EXPECT_FALSE(pick(list, lookingAlongMinusZ(), 400, 288));
  list.capsules = {link(7, {-1, 0, 0}, {1, 0, 0}, 0.3)};
  const double edge = 300.0 - 0.3 / render::pixelSize(lookingAlongMinusZ(), {0, 0, 0});
  EXPECT_TRUE(pick(list, lookingAlongMinusZ(), 400, edge - 4));
  EXPECT_FALSE(pick(list, lookingAlongMinusZ(), 400, edge - 8)) << "a thick one needs no more than that";
}

TEST(Picking, ForgivesAFewPixelsBesideASkinAndABlock) {
  const Document document = test::makeSkinnedTube();
  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  DrawList list;
  render::makeDrawList(document, kinematics, {.skinView = render::SkinView::Skin}, list);
  const auto edge = render::projectToPixel(lookingAlongMinusZ(), {test::kTubeRadius, 1.5, 0.0});
  const auto hit = pick(list, lookingAlongMinusZ(), edge->x() + 8, edge->y());
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->link, 1);
  EXPECT_FALSE(pick(list, lookingAlongMinusZ(), edge->x() + 14, edge->y()));
  list = {};
  render::DrawBlock block;
  block.link = 3;
  block.block = {
      .start = {-0.5, 0, 0}, .end = {0.5, 0, 0}, .side = {0, 1, 0}, .startHalf = {0.05, 0.05}, .endHalf = {0.05, 0.05}};
  list.blocks = {block};
  const auto above = render::projectToPixel(lookingAlongMinusZ(), {0.0, 0.05, 0.05});
  EXPECT_TRUE(pick(list, lookingAlongMinusZ(), above->x(), above->y() - 8));
  EXPECT_FALSE(pick(list, lookingAlongMinusZ(), above->x(), above->y() - 14));
}

TEST(Picking, TargetInsideALinkWins) {
  DrawList list;
  list.capsules = {link(0, {-1, 0, 0}, {1, 0, 0}, 0.3), target(5, {0, 0, 0}, 0.1)};
  const auto hit = pick(list, lookingAlongMinusZ(), 402, 301);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->goal, 5);
  EXPECT_EQ(hit->link, -1);
  EXPECT_EQ(hit->point, Eigen::Vector3d(0, 0, 0));
}

TEST(Picking, FarFromItsTargetALinkIsItself) {
  DrawList list;
  list.capsules = {link(0, {-1, 0, 0}, {1, 0, 0}, 0.3), target(5, {0, 0, 0}, 0.1)};
  const auto hit = pick(list, lookingAlongMinusZ(), 460, 300);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->link, 0);
}

TEST(Picking, OfTwoTargetsTakesTheOneNearerToTheCursor) {
  DrawList list;
  list.capsules = {target(1, {0, 0, 0}, 0.01), target(2, {0.05, 0, 0}, 0.01)};
  EXPECT_EQ(pick(list, lookingAlongMinusZ(), 400, 300)->goal, 1);
  const auto second = render::projectToPixel(lookingAlongMinusZ(), {0.05, 0, 0});
  EXPECT_EQ(pick(list, lookingAlongMinusZ(), second->x(), second->y())->goal, 2);
}

TEST(Picking, TellsWhichGripOfAMarkWasHit) {
  DrawList list;
  DrawCapsule ring = target(5, {0.5, 0, 0}, 0.01);
  ring.end = {0, 0.5, 0};
  ring.grip = render::Grip::TurnZ;
  list.capsules = {target(5, {0, 0, 0}, 0.1), ring};
  EXPECT_EQ(pick(list, lookingAlongMinusZ(), 400, 300)->grip, render::Grip::Target);
  const auto onRing = render::projectToPixel(lookingAlongMinusZ(), {0.25, 0.25, 0});
  const auto hit = pick(list, lookingAlongMinusZ(), onRing->x() + 3, onRing->y());
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->grip, render::Grip::TurnZ);
  EXPECT_NEAR(hit->point.x() + hit->point.y(), 0.5, kTolerance) << "on the ring's middle";
}

TEST(Picking, ABallWinsOverTheRingAroundIt) {
  DrawList list;
  DrawCapsule ring = target(5, {-0.5, 0, 0.4}, 0.02);  // edge on, before the ball
  ring.end = {0.5, 0, 0.4};
  ring.grip = render::Grip::TurnY;
  list.capsules = {ring, target(5, {0, 0, 0}, 0.1)};
  EXPECT_EQ(pick(list, lookingAlongMinusZ(), 400, 300)->grip, render::Grip::Target);
  std::swap(list.capsules[0], list.capsules[1]);
  EXPECT_EQ(pick(list, lookingAlongMinusZ(), 400, 300)->grip, render::Grip::Target);
}

TEST(Picking, PassesOverWhatOnlyShowsAGoal) {
  DrawList list;
  DrawCapsule cross = target(5, {-1, 0, 1}, 0.1);
  cross.end = {1, 0, 1};
  cross.grip = render::Grip::None;
  list.capsules = {cross};
  EXPECT_FALSE(pick(list, lookingAlongMinusZ(), 400, 300));
}

TEST(Picking, ReachesFartherOnADenseDisplay) {
  DrawList list;
  list.capsules = {target(1, {0, 0, 0}, 1e-6)};
  EXPECT_FALSE(pick(list, lookingAlongMinusZ(), 410, 300));
  EXPECT_TRUE(pick(list, lookingAlongMinusZ(), 410, 300, 2.0));
}

TEST(Picking, PassesOverWhatBelongsToNothing) {
  DrawList list;
  list.capsules = {link(-1, {-1, 0, 1}, {1, 0, 1}, 0.3), link(2, {-1, 0, 0}, {1, 0, 0}, 0.3)};
  EXPECT_EQ(pick(list, lookingAlongMinusZ(), 400, 300)->link, 2);
}

TEST(Picking, IgnoresWhatIsBehindTheEye) {
  DrawList list;
  list.capsules = {link(0, {-1, 0, 8}, {1, 0, 8}, 0.3), target(1, {0, 0, 9}, 0.3)};
  EXPECT_FALSE(pick(list, lookingAlongMinusZ(), 400, 300));
}

TEST(Picking, FindsTheSkinUnlessTheFigureShows) {
  const Document document = test::makeSkinnedTube();
  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  DrawList list;
  const auto at = [&](render::SkinView skinView, const Eigen::Vector3d& point) {
    render::makeDrawList(document, kinematics, {.skinView = skinView}, list);
    const auto pixel = render::projectToPixel(lookingAlongMinusZ(), point);
    return pick(list, lookingAlongMinusZ(), pixel->x(), pixel->y());
  };
  using render::SkinView;
  const Eigen::Vector3d beside(0.9 * test::kTubeRadius, 1.5, 0.0);
  const auto onSkin = at(SkinView::Skin, beside);
  ASSERT_TRUE(onSkin);
  EXPECT_EQ(onSkin->link, 1);
  EXPECT_NEAR(std::hypot(onSkin->point.x(), onSkin->point.z()), test::kTubeRadius, 0.003) << "on the surface";
  EXPECT_TRUE(at(SkinView::FigureInSkin, beside)) << "beside the figure the skin counts";
  EXPECT_FALSE(at(SkinView::Figure, beside));
  const auto throughSkin = at(SkinView::FigureInSkin, {0.0, 1.5, 0.0});
  ASSERT_TRUE(throughSkin);
  EXPECT_LT(throughSkin->point.z(), 0.9 * test::kTubeRadius) << "the figure inside";
}

}  // namespace
}  // namespace limber::app::picking_test

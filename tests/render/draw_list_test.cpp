// SPDX-License-Identifier: MIT
#include "render/draw_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "support/built_figure.h"

namespace limber::render::draw_list_test {
namespace {

struct Scene {
  Document document;
  Kinematics kinematics;
  Highlight highlight;
  DrawList list;

  explicit Scene(std::shared_ptr<const Figure> figure) : document(makeDocument(std::move(figure))) {
    document.goals.clear();
  }
  DrawList& make() {
    computeKinematics(*document.figure, document.pose, kinematics);
    makeDrawList(document, kinematics, highlight, list);
    return list;
  }
};

using Predicate = std::function<bool(const DrawCapsule&)>;
long count(const DrawList& list, const Predicate& predicate) {
  return std::count_if(list.capsules.begin(), list.capsules.end(), predicate);
}
bool isBall(const DrawCapsule& c) { return c.start == c.end; }
bool isRed(const DrawCapsule& c) { return c.color.red > 0.7f && c.color.green < 0.4f; }
bool isGreen(const DrawCapsule& c) { return c.color.green > 0.7f && c.color.red < 0.4f; }
bool isAmber(const DrawCapsule& c) { return c.color.red > 0.9f && c.color.green > 0.5f && c.color.blue < 0.3f; }
bool isOverlay(const DrawCapsule& c) { return c.layer == Layer::Overlay; }

/// Hip and knee: the hip is three hinges on one point, as motion files have it.
std::shared_ptr<const Figure> makeLeg() {
  FigureBuilder builder("leg");
  builder.addLink({.name = "pelvis", .capsules = {{{-0.1, 0, 0}, {0.1, 0, 0}, 0.08}}}, {.type = JointType::Fixed});
  int link = 0;
  for (int axis = 0; axis < 3; ++axis)
    link = builder.addLink({.name = "hip" + std::to_string(axis), .parent = link},
                           {.type = JointType::Revolute, .axis = Eigen::Vector3d::Unit(axis)});
  link =
      builder.addLink({.name = "shank", .parent = link}, {.type = JointType::Revolute,
                                                          .parentFromJoint = Transform::fromTranslation({0, -0.4, 0}),
                                                          .axis = Eigen::Vector3d::UnitX()});
  builder.addSite({.name = "sole", .link = link, .linkFromSite = Transform::fromTranslation({0, -0.4, 0})});
  return test::built(builder);
}

/// The colour of a link of that name.
Color colorOf(const char* name) {
  FigureBuilder builder("link");
  builder.addLink({.name = name, .capsules = {{{0, 0, 0}, {0.5, 0, 0}, 0.08}}}, {.type = JointType::Revolute});
  Scene scene(test::built(builder));
  return scene.make().capsules.front().color;
}

TEST(DrawList, SidesHaveTheColoursOfTheirNames) {
  const auto isSame = [](const char* a, const char* b) {
    const Color x = colorOf(a), y = colorOf(b);
    return x.red == y.red && x.green == y.green && x.blue == y.blue;
  };
  EXPECT_TRUE(isSame("FL_thigh", "left hand"));
  EXPECT_TRUE(isSame("FR_thigh", "right hand"));
  EXPECT_FALSE(isSame("FL_thigh", "FR_thigh"));
  EXPECT_TRUE(isSame("bright", "pelvis"));
}

TEST(DrawList, ChainIsLinksAndJointBalls) {
  Scene scene(makePlanarChain(4));
  const DrawList& list = scene.make();
  EXPECT_TRUE(list.planar);
  EXPECT_EQ(list.capsules.size(), 8u);
  EXPECT_EQ(count(list, isBall), 4);
  for (int link = 0; link < 4; ++link)
    EXPECT_EQ(count(list, [&](const DrawCapsule& c) { return c.link == link; }), 2) << "link " << link;
  EXPECT_LT(list.boundsMin.x(), 0.0);
  EXPECT_GT(list.boundsMax.x(), 4.0);
}

TEST(DrawList, JointsOnOnePointShareABall) {
  Scene scene(makeLeg());
  EXPECT_EQ(count(scene.make(), isBall), 2) << "one for the hip, one for the knee";
}

TEST(DrawList, JointBallsAreThickerThanTheirLimb) {
  Scene scene(makePlanarChain(2));
  for (const DrawCapsule& c : scene.make().capsules)
    EXPECT_TRUE(!isBall(c) || c.radius > scene.document.figure->link(0).capsules[0].radius);
}

TEST(DrawList, FollowsThePose) {
  Scene scene(makePlanarChain(2));
  scene.document.pose.coordinates << 1.5707963267948966, 0.0;
  const DrawList& list = scene.make();
  EXPECT_NEAR(list.boundsMax.y(), 2.08, 1e-9);
  EXPECT_NEAR(list.boundsMax.x(), 1.15 * 0.08, 1e-9) << "the joint ball";
}

TEST(DrawList, UnmetTargetIsRedWithACrossAndALine) {
  Scene scene(makePlanarChain(3));
  const int id = addGoal(scene.document, 2, {1.0, 0.0, 0.0});
  scene.document.goals[0].target = {1.0, 1.5, 0.0};
  const DrawList& list = scene.make();
  EXPECT_EQ(count(list, isGreen), 0);
  EXPECT_EQ(count(list, isRed), 4) << "ball, two arms, residual line";
  EXPECT_EQ(count(list, [&](const DrawCapsule& c) { return c.goal == id; }), 3) << "the line is not part of the target";
  EXPECT_EQ(count(list,
                  [](const DrawCapsule& c) {
                    return isRed(c) && c.start.isApprox(Eigen::Vector3d(3, 0, 0)) &&
                           c.end.isApprox(Eigen::Vector3d(1, 1.5, 0));
                  }),
            1);
}

TEST(DrawList, MetTargetIsAGreenBallWithARing) {
  Scene scene(makePlanarChain(3));
  const int id = addGoal(scene.document, 2, {1.0, 0.0, 0.0});
  scene.document.goals[0].target += Eigen::Vector3d(0.5e-3, 0.0, 0.0);  // half the tolerance
  const DrawList& list = scene.make();
  EXPECT_EQ(count(list, isRed), 0);
  EXPECT_EQ(count(list, [&](const DrawCapsule& c) { return isGreen(c) && isBall(c) && c.goal == id; }), 1);
  EXPECT_GE(count(list, [](const DrawCapsule& c) { return isGreen(c) && !isBall(c); }), 12) << "the ring";
}

TEST(DrawList, TargetsSeenFromAfarStayLargeEnoughToGrab) {
  Scene scene(makePlanarChain(1000));
  const int id = addGoal(scene.document, 999, {1.0, 0.0, 0.0});
  const View view = frameFigure({0.0, -1.0, -0.1}, {1000.0, 1.0, 0.1}, true, 1400, 900);
  scene.highlight.view = &view;
  for (const DrawCapsule& c : scene.make().capsules)
    if (c.goal == id && isBall(c)) {
      EXPECT_GE(c.radius, 6.0 * pixelSize(view, c.start));
    }
}

TEST(DrawList, DisabledOrHiddenTargetsAreNotShown) {
  Scene scene(makePlanarChain(3));
  addGoal(scene.document, 2, {1.0, 0.0, 0.0});
  scene.document.goals[0].enabled = false;
  EXPECT_EQ(count(scene.make(), isOverlay), 0);
  scene.document.goals[0].enabled = true;
  scene.highlight.showTargets = false;
  EXPECT_EQ(count(scene.make(), isOverlay), 0);
}

TEST(DrawList, TargetsAreFaintInForwardMode) {
  Scene scene(makePlanarChain(3));
  addGoal(scene.document, 2, {1.0, 0.0, 0.0});
  scene.document.mode = Mode::Forward;
  for (const DrawCapsule& c : scene.make().capsules) EXPECT_TRUE(!isOverlay(c) || c.color.alpha < 0.5f);
}

TEST(DrawList, DragTargetIsShownLikeAGoal) {
  Scene scene(makeBallChain(3));
  scene.highlight.hasDragTarget = true;
  scene.highlight.dragTargetLink = 1;
  scene.highlight.dragTarget = {1.0, 1.0, 0.0};
  EXPECT_EQ(count(scene.make(), isRed), 5) << "ball, three arms, residual line";
}

TEST(DrawList, InfiniteTargetDrawsNothing) {
  Scene scene(makePlanarChain(3));
  addGoal(scene.document, 2, {1.0, 0.0, 0.0});
  scene.document.goals[0].target.x() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(count(scene.make(), isOverlay), 0);
}

TEST(DrawList, JointOnALimitIsAmberAndRinged) {
  Scene scene(makeLeg());
  scene.highlight.limitedJoints = {4};
  const DrawList& list = scene.make();
  EXPECT_EQ(count(list, [](const DrawCapsule& c) { return isAmber(c) && isBall(c); }), 1);
  EXPECT_GE(count(list, [](const DrawCapsule& c) { return isAmber(c) && isOverlay(c); }), 12);
}

TEST(DrawList, SelectedHingeShowsARingAboutItsAxis) {
  Scene scene(makeLeg());
  scene.document.selection.joint = 4;
  const Eigen::Vector3d knee(0.0, -0.4, 0.0);
  long ringCapsules = 0;
  for (const DrawCapsule& c : scene.make().capsules) {
    if (!isOverlay(c) || (c.start - knee).norm() < 0.1) continue;
    ++ringCapsules;
    EXPECT_NEAR(c.start.x(), 0.0, 1e-12) << "the axis is x";
    EXPECT_NEAR((c.start - knee).norm(), 0.35 * 0.4, 1e-9);
  }
  EXPECT_GE(ringCapsules, 24);
}

TEST(DrawList, SelectedBallShowsThreeRings) {
  Scene scene(makeBallChain(3));
  const auto before = scene.make().capsules.size();
  scene.document.selection.joint = 1;
  EXPECT_EQ(scene.make().capsules.size() - before, 3u * 48u + 1u);
}

TEST(DrawList, HoveredLinkIsLighterAndDraggedLinkIsNot) {
  Scene scene(makePlanarChain(3));
  const float plain = scene.make().capsules[1].color.red;
  scene.highlight.hoveredLink = 1;
  EXPECT_NE(scene.make().capsules[1].color.red, plain);
  scene.highlight.hoveredLink = -1;
  scene.highlight.draggedLink = 1;
  const Color dragged = scene.make().capsules[1].color;
  EXPECT_GT(dragged.blue, dragged.red) << "the accent is blue";
}

TEST(DrawList, GroundIsZeroUnlessTheFirstPoseIsClearlyBelow) {
  Scene above(makeBallChain(4));
  EXPECT_EQ(above.make().groundHeight, 0.0);
  Scene below(makeLeg());
  const double radius = below.document.figure->links().back().capsules[0].radius;
  EXPECT_NEAR(below.make().groundHeight, -0.8 - radius, 1e-9) << "the sole, and the radius there";
  const double stays = below.list.groundHeight;
  below.document.pose.coordinates[3] = -1.0;
  EXPECT_EQ(below.make().groundHeight, stays) << "posing does not move the ground";
}

TEST(DrawList, LongChainHasNoClutterAndWarmRefillsAllocateNothing) {
  Scene scene(makePlanarChain(kClutterLinks + 1));
  scene.highlight.limitedJoints.assign(500, 7);
  const DrawList& list = scene.make();
  EXPECT_EQ(list.capsules.size(), static_cast<std::size_t>(kClutterLinks + 1));
  const auto* memory = list.capsules.data();
  const auto capacity = list.capsules.capacity();
  for (int i = 0; i < 3; ++i) scene.make();
  EXPECT_EQ(list.capsules.data(), memory);
  EXPECT_EQ(list.capsules.capacity(), capacity);
}

TEST(DrawList, FramedWhollyAndNoFartherThanItsBounds) {
  Scene scene(makeLeg());
  scene.document.pose.coordinates[3] = -1.0;
  const DrawList& list = scene.make();
  const View view = frameList(list, 640, 480);
  for (const DrawCapsule& c : list.capsules)
    for (const Eigen::Vector3d& end : {c.start, c.end}) {
      const auto pixel = projectToPixel(view, end);
      ASSERT_TRUE(pixel);
      const double radius = c.radius / pixelSize(view, end);
      EXPECT_GE(std::min(pixel->x(), pixel->y()), radius);
      EXPECT_LE(pixel->x(), 640.0 - radius);
      EXPECT_LE(pixel->y(), 480.0 - radius);
    }
  const View bounds = frameFigure(list.boundsMin, list.boundsMax, false, 640, 480);
  EXPECT_LE((view.eye - view.centre).norm(), (bounds.eye - bounds.centre).norm());
}

TEST(DrawList, JointBetweenTwoLimbsShowsAndAJointInTheTrunkHides) {
  FigureBuilder builder("trunk");
  builder.addLink({.name = "trunk", .capsules = {{{0, 0, 0}, {0, 0.5, 0}, 0.2}}}, {.type = JointType::Fixed});
  builder.addLink({.name = "upper", .parent = 0, .capsules = {{{0, 0, 0}, {0.3, 0, 0}, 0.05}}},
                  {.type = JointType::Ball, .parentFromJoint = Transform::fromTranslation({0.2, 0.3, 0})});
  builder.addLink({.name = "lower", .parent = 1, .capsules = {{{0, 0, 0}, {0.3, 0, 0}, 0.04}}},
                  {.type = JointType::Revolute, .parentFromJoint = Transform::fromTranslation({0.3, 0, 0})});
  Scene scene(test::built(builder));
  for (const DrawCapsule& c : scene.make().capsules)
    if (isBall(c)) {
      EXPECT_EQ(c.radius > 0.05, c.link == 2) << "link " << c.link;
    }
}

TEST(DrawList, DocumentWithoutAFigureIsEmpty) {
  DrawList list;
  makeDrawList(Document{}, Kinematics{}, Highlight{}, list);
  EXPECT_TRUE(list.capsules.empty());
  EXPECT_EQ(list.boundsMin, list.boundsMax);
}

}  // namespace
}  // namespace limber::render::draw_list_test

// SPDX-License-Identifier: MIT
#include "render/link_blocks.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "render/draw_list.h"
#include "support/built_figure.h"

namespace limber::render::link_blocks_test {
namespace {

std::shared_ptr<const Figure> makeLink(std::vector<Capsule> capsules) {
  FigureBuilder builder("one");
  builder.addLink({.name = "link", .capsules = std::move(capsules)}, {.type = JointType::Fixed});
  return test::built(builder);
}

Block boxOf(std::vector<Capsule> capsules) {
  const LinkBlocks made = makeLinkBlocks(makeLink(std::move(capsules)), LinkStyle::Boxes);
  EXPECT_EQ(made.blocks.size(), 1u);
  return made.blocks.empty() ? Block{} : made.blocks[0].block;
}

double lengthOf(const Block& block) { return (block.end - block.start).norm(); }

void expectSound(const Block& block) {
  EXPECT_TRUE(block.start.allFinite() && block.end.allFinite() && block.side.allFinite());
  EXPECT_GT(lengthOf(block), 0.0);
  EXPECT_NEAR(block.side.norm(), 1.0, 1e-12);
  EXPECT_NEAR(block.side.dot(block.end - block.start), 0.0, 1e-12);
  EXPECT_GE(block.startHalf.minCoeff(), 0.0);
  EXPECT_GE(block.endHalf.minCoeff(), 0.0);
  EXPECT_GE(block.rounding, 0.0);
}

TEST(LinkBlocks, BoxOfACapsuleLiesAlongIt) {
  const Block box = boxOf({{{0, 0, 0}, {0, -0.4, 0}, 0.05}});
  expectSound(box);
  EXPECT_NEAR(std::abs((box.end - box.start).normalized().y()), 1.0, 1e-12);
  EXPECT_NEAR(lengthOf(box), 0.4 + 2 * 0.35 * 0.05, 1e-12);
  EXPECT_NEAR((0.5 * (box.start + box.end) - Eigen::Vector3d(0, -0.2, 0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((box.startHalf - box.endHalf).norm(), 0.0, 1e-9) << "a capsule does not taper";
  EXPECT_NEAR(box.startHalf.maxCoeff(), 0.05, 0.005);
}

TEST(LinkBlocks, BoxTapersWithItsLimb) {
  const Block box = boxOf({{{0, 0, 0}, {0, 0.2, 0}, 0.10}, {{0, 0.2, 0}, {0, 0.4, 0}, 0.06}});
  expectSound(box);
  const bool isUp = box.end.y() > box.start.y();
  EXPECT_GT((isUp ? box.startHalf : box.endHalf).x(), 1.2 * (isUp ? box.endHalf : box.startHalf).x());
}

TEST(LinkBlocks, BoxIsAsWideAsTheTrunk) {
  const Block box = boxOf({{{-0.1, 0, 0}, {-0.1, 0.5, 0}, 0.08}, {{0.1, 0, 0}, {0.1, 0.5, 0}, 0.08}});
  expectSound(box);
  EXPECT_NEAR(std::abs(box.side.x()), 1.0, 1e-9) << "its first side is the wide one";
  EXPECT_NEAR(box.startHalf.x(), 0.18, 0.01);
  EXPECT_NEAR(box.startHalf.y(), 0.08, 0.01);
}

TEST(LinkBlocks, AnyCapsulesGiveASoundBox) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> somewhere(-1.0, 1.0), size(1e-3, 0.5);
  for (int i = 0; i < 300; ++i) {
    std::vector<Capsule> capsules;
    for (int k = 0; k <= i % 5; ++k) {
      const Eigen::Vector3d start(somewhere(random), somewhere(random), somewhere(random));
      const Eigen::Vector3d end(somewhere(random), somewhere(random), somewhere(random));
      capsules.push_back({start, k % 2 ? start : end, size(random)});
    }
    expectSound(boxOf(capsules));
  }
  expectSound(boxOf({{{0, 0, 0}, {0, 0, 0}, 0.1}}));
  expectSound(boxOf({{{1e6, 0, 0}, {1e6, 1e-9, 0}, 1e-6}}));
}

TEST(LinkBlocks, BonesRunFromJointToJoint) {
  const auto figure = makeBallChain(3);
  const LinkBlocks made = makeLinkBlocks(figure, LinkStyle::Bones);
  ASSERT_EQ(made.blocks.size(), 6u) << "two pyramids for each of three links";
  for (std::size_t i = 0; i < made.blocks.size(); ++i) {
    const Block& block = made.blocks[i].block;
    expectSound(block);
    EXPECT_EQ(made.blocks[i].link, static_cast<int>(i / 2));
    if (i % 2 == 0) EXPECT_EQ(block.start.norm(), 0.0) << "at its joint";
    else EXPECT_EQ(block.start, made.blocks[i - 1].block.end) << "on the same base";
    EXPECT_EQ((i % 2 ? block.endHalf : block.startHalf).norm(), 0.0) << "a point";
  }
  EXPECT_LT((made.blocks[1].block.end - figure->joint(1).parentFromJoint.translation).norm(), 1e-12);
}

TEST(LinkBlocks, RayMeetsTheBlockWhereItsSidesAre) {
  Block block;
  block.start = {0, 0, 0};
  block.end = {0, 2, 0};
  block.side = {1, 0, 0};
  block.startHalf = {0.5, 0.25};
  block.endHalf = {0.1, 0.25};
  const auto hit = [&](const Eigen::Vector3d& origin, const Eigen::Vector3d& direction) {
    return intersectBlock({origin, direction.normalized()}, block);
  };
  EXPECT_NEAR(hit({0, 1, 5}, {0, 0, -1}).value(), 4.75, 1e-12) << "from the front";
  EXPECT_NEAR(hit({5, 1, 0}, {-1, 0, 0}).value(), 4.7, 1e-12) << "half way up it is 0.3 wide";
  EXPECT_NEAR(hit({0, 5, 0}, {0, -1, 0}).value(), 3.0, 1e-12) << "from above";
  EXPECT_FALSE(hit({0.31, 1, 5}, {0, 0, -1})) << "beside the taper";
  EXPECT_TRUE(hit({0.31, 0.5, 5}, {0, 0, -1}));
  EXPECT_FALSE(hit({0, 1, 5}, {0, 0, 1})) << "behind";
  EXPECT_NEAR(hit({0, 1, 0}, {0, 0, 1}).value(), 0.0, 1e-12) << "from inside";
  block.end = block.start;
  EXPECT_FALSE(hit({0, 1, 5}, {0, 0, -1})) << "no length, nothing to meet";

  const Transform turned{Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix(), {3, -1, 2}};
  block.end = {0, 2, 0};
  const Ray ray{turned * Eigen::Vector3d(5, 1, 0), turned.rotation * Eigen::Vector3d(-1, 0, 0)};
  EXPECT_NEAR(intersectBlock(ray, turned * block).value(), 4.7, 1e-12);
}

TEST(LinkBlocks, TakeThePlaceOfTheCapsules) {
  const Document document = makeDocument(makeBallChain(4));
  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  Highlight highlight;
  DrawList list;
  makeDrawList(document, kinematics, highlight, list);
  EXPECT_TRUE(list.blocks.empty());
  const Eigen::Vector3d size = list.boundsMax - list.boundsMin;
  const auto isLimb = [](const DrawCapsule& c) { return c.layer == Layer::Scene && c.start != c.end; };
  EXPECT_EQ(std::ranges::count_if(list.capsules, isLimb), 4);
  for (const LinkStyle style : {LinkStyle::Boxes, LinkStyle::Bones}) {
    highlight.linkStyle = style;
    highlight.hoveredLink = 2;
    makeDrawList(document, kinematics, highlight, list);
    EXPECT_EQ(std::ranges::count_if(list.capsules, isLimb), 0);
    ASSERT_EQ(list.blocks.size(), style == LinkStyle::Boxes ? 4u : 8u);
    EXPECT_NE(list.blocks[style == LinkStyle::Boxes ? 2 : 4].color, list.blocks[0].color) << "lit up under the cursor";
    EXPECT_LT((list.boundsMax - list.boundsMin - size).norm(), 0.3 * size.norm());
    const Eigen::Vector3d tip = kinematics.worldFromLink[3] * document.figure->link(3).capsules[0].end;
    EXPECT_LT((list.blocks.back().block.end - tip).norm(), 0.3 * document.figure->meanLinkLength());
  }
  DrawList again = list;
  EXPECT_TRUE(again == list);
  again.blocks[0].block.end.x() += 1e-9;
  EXPECT_FALSE(again == list);
}

/// An arm of three hinges on a fixed base, as a robot's file without shapes has it.
std::shared_ptr<const Figure> makeBareArm() {
  FigureBuilder builder("arm");
  for (int i = 0; i < 4; ++i) {
    Joint joint{.type = i == 0 ? JointType::Fixed : JointType::Revolute, .axis = Eigen::Vector3d::UnitZ()};
    joint.parentFromJoint = Transform::fromTranslation({0.0, i == 0 ? 0.0 : 0.3, 0.0});
    builder.addLink({.name = "link" + std::to_string(i), .parent = i - 1}, joint);
  }
  builder.link(3).capsules = {{{0, 0.1, 0}, {0, 0.2, 0}, 0.03}};
  return test::built(builder);
}

TEST(LinkBlocks, ARobotWithoutMeshesHasTubesMotorsAndABase) {
  Document document = makeDocument(makeBareArm());
  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  DrawList list;
  makeDrawList(document, kinematics, {}, list);
  EXPECT_TRUE(list.blocks.empty()) << "figures of other files keep their capsules";
  auto source = std::make_shared<SourceFile>();
  source->format = SourceFormat::Urdf;
  document.source = source;
  makeDrawList(document, kinematics, {}, list);
  ASSERT_EQ(list.blocks.size(), 6u) << "a plate, three tubes, a box at the end and what holds it";
  for (const DrawBlock& drawn : list.blocks) expectSound(drawn.block);
  EXPECT_GT(list.blocks[0].block.startHalf.x(), 2.0 * list.blocks[1].block.startHalf.x()) << "the plate is broad";
  int motors = 0;
  for (const DrawCapsule& capsule : list.capsules) {
    if (capsule.layer != Layer::Scene || capsule.link < 0) continue;
    ++motors;
    EXPECT_NEAR(std::abs((capsule.end - capsule.start).normalized().z()), 1.0, 1e-12) << "along the hinge";
    EXPECT_GT(capsule.radius, 1.2 * tubeRadius(*document.figure, capsule.link));
  }
  EXPECT_EQ(motors, 3);
  makeDrawList(document, kinematics, {.linkStyle = LinkStyle::Capsules}, list);
  EXPECT_TRUE(list.blocks.empty());
}

TEST(LinkBlocks, AreNotMadeOfLongChains) {
  const Document document = makeDocument(makePlanarChain(kClutterLinks + 1));
  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  DrawList list;
  makeDrawList(document, kinematics, {.linkStyle = LinkStyle::Boxes}, list);
  EXPECT_TRUE(list.blocks.empty());
  EXPECT_GT(list.capsules.size(), 2000u);
}

}  // namespace
}  // namespace limber::render::link_blocks_test

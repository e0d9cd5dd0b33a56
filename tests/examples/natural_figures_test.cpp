// SPDX-License-Identifier: MIT
// The parts that a drag moves in figures other than people (docs/natural_posing.md): animals, robots, trees.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "limber/body/body_map.h"
#include "limber/kinematics/figure_builder.h"
#include "puller.h"
#include "support/built_figure.h"

namespace limber::natural_figures_test {
namespace {

using test::openFigure;
using test::Puller;
using V = Eigen::Vector3d;

std::string resourceFigure(const char* name) {
  return std::string(LIMBER_SOURCE_DIR "/resources/figures/") + name + ".json";
}

/// Two long tails that branch, a thousand links.
Document makeBigTree() {
  FigureBuilder builder("tree");
  std::mt19937 random(3);
  std::vector<int> links = {builder.addLink({.name = "0"}, {.name = "root", .type = JointType::Ball})};
  for (int i = 1; i < 1000; ++i) {
    const int parent = i < 6 ? 0 : links[static_cast<std::size_t>(i - 5)];
    links.push_back(
        builder.addLink({.name = std::to_string(i), .parent = parent},
                        {.name = "j" + std::to_string(i),
                         .type = i % 3 ? JointType::Revolute : JointType::Ball,
                         .parentFromJoint = {Eigen::Matrix3d::Identity(),
                                             parent == 0 ? V(std::cos(i), 0.2, std::sin(i)) : V(0, 0.05, 0)},
                         .axis = i % 2 ? V::UnitX() : V::UnitZ()}));
  }
  const auto figure = test::built(builder);
  Document document = makeDocument(figure);
  document.solver.reference = RestReference::StartPose;
  document.solver.restWeight = 0.1;
  return document;
}

TEST(NaturalFigures, ATreeOfAThousandLinksKeepsItsOtherBranches) {
  Puller puller(makeBigTree(), "999");
  puller.to(puller.start() + V(0.5, -0.5, 0.5));
  EXPECT_LT(puller.miss(), 1e-2);
  EXPECT_LT(puller.way("998"), 0.05);
}

TEST(NaturalFigures, OneFingerOfAHandMovesAlone) {
  Document document = openFigure(resourceFigure("hand"));
  ASSERT_TRUE(document.figure);
  ASSERT_TRUE(bodyMapOf(*document.figure).hasLimbs());
  int tip = -1;
  for (const Site& site : document.figure->sites())
    if (site.name.find("index") != std::string::npos) tip = site.link;
  ASSERT_GE(tip, 0);
  const std::string name = document.figure->link(tip).name;
  Puller puller(std::move(document), name.c_str());
  puller.to(puller.start() + V(0.0, -0.02, 0.01));
  for (int link = 0; link < puller.document.figure->linkCount(); ++link) {
    const auto i = static_cast<std::size_t>(link);
    if (puller.report.limb.empty() || puller.report.limb[i]) continue;
    EXPECT_LT((puller.now.worldFromLink[i].translation - puller.before.worldFromLink[i].translation).norm(), 2e-3)
        << puller.document.figure->link(link).name;
  }
}

TEST(NaturalFigures, AFingerPulledFarTakesItsArmAlongBeforeTheBody) {
  for (const Eigen::Vector3d& way :
       {Eigen::Vector3d(0, 0.1, 0.1), Eigen::Vector3d(-0.1, 0.2, 0.25), Eigen::Vector3d(-0.1, 0.35, 0.25)}) {
    Puller puller(openFigure("human"), "right middle finger base");
    puller.to(puller.start() + way);
    EXPECT_LT(puller.miss(), 5e-5) << way.transpose();
    EXPECT_LT(puller.turn("chest"), 1.0) << way.transpose();
    EXPECT_LT(puller.way("left hand"), 5e-3) << way.transpose();
    EXPECT_FALSE(puller.report.bodyMoved);
  }
}

TEST(NaturalFigures, APawOfAQuadrupedMovesAlone) {
  Document document = openFigure(resourceFigure("pupper"));
  ASSERT_TRUE(document.figure);
  const Figure& figure = *document.figure;
  int paw = -1;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.children(i).empty()) paw = i;
  const std::string name = figure.link(paw).name;
  const double length = figure.linkLength(paw);
  Puller puller(std::move(document), name.c_str(), PosingChoice::Natural, V(0, -0.9 * length, 0));
  puller.to(puller.start() + V(0.01, 0.02, 0.02));
  EXPECT_LT(puller.miss(), 1e-4);
  EXPECT_LT(puller.turn(puller.document.figure->link(0).name.c_str()), 3.0);
}

/// A body on six legs of three links that end in a point on the ground.
Document makeHexapod() {
  constexpr double kHip = 0.12, kThigh = 0.3, kShank = 0.42, kHeight = 0.3, kRadius = 0.015;  // metres
  const double raised = 0.4, lowered = std::asin((kHeight + kThigh * std::sin(raised) - kRadius) / kShank);
  FigureBuilder builder("hexapod");
  const auto addLeg = [&](const std::string& name, int above, const V& at, const V& axis, const V& end) {
    return builder.addLink({.name = name, .parent = above, .capsules = {{V::Zero(), end, kRadius}}},
                           {.name = name,
                            .type = JointType::Revolute,
                            .parentFromJoint = Transform::fromTranslation(at),
                            .axis = axis,
                            .limits = {-1.2, 1.2}});
  };
  const int body = builder.addLink({.name = "body", .capsules = {{V(0, 0, -0.3), V(0, 0, 0.3), 0.08}}},
                                   {.name = "body", .type = JointType::Free, .locked = true});
  for (const auto& [side, x] : {std::pair{"left", 1.0}, {"right", -1.0}})
    for (const auto& [row, z] : {std::pair{"front", 0.3}, {"middle", 0.0}, {"back", -0.3}}) {
      const std::string name = std::string(side) + "_" + row;
      const V hip(x * kHip, 0, 0), thigh(x * kThigh * std::cos(raised), kThigh * std::sin(raised), 0),
          shank(x * kShank * std::cos(lowered), -kShank * std::sin(lowered), 0);
      const int one = addLeg(name + "_hip", body, V(0.08 * x, 0, z), V::UnitY(), hip);
      const int two = addLeg(name + "_thigh", one, hip, V::UnitZ(), thigh);
      const int three = addLeg(name + "_shank", two, thigh, V::UnitZ(), shank);
      builder.addSite({.name = name, .link = three, .linkFromSite = Transform::fromTranslation(shank)});
    }
  Eigen::VectorXd rest(7);
  rest << 0, kHeight, 0, 0, 0, 0, 1;
  builder.setRest(body, rest);
  const auto figure = test::built(builder);
  return makeDocument(figure);
}

V placeOfSite(const Kinematics& kinematics, const Site& site) {
  return kinematics.worldFromLink[static_cast<std::size_t>(site.link)] * site.linkFromSite.translation;
}

TEST(NaturalFigures, OneFootOfAHexapodReachesAndTheOtherFiveStay) {
  const Document hexapod = makeHexapod();
  const V foot = hexapod.figure->sites().front().linkFromSite.translation;
  for (const V& way : {V(0.05, 0.1, 0.1), V(-0.05, 0.15, -0.1), V(0.0, 0.0, 0.15)}) {
    Puller puller(hexapod, "left_front_shank", PosingChoice::Natural, foot);
    puller.to(puller.start() + way);
    EXPECT_EQ(puller.report.outcome, Outcome::Reached) << puller.report.sentence;
    EXPECT_LT(puller.miss(), 1e-4);
    EXPECT_EQ(puller.report.heldFeet.size(), 5u);
    for (const Site& site : hexapod.figure->sites()) {
      if (site.name == "left_front") continue;
      EXPECT_LT((placeOfSite(puller.now, site) - placeOfSite(puller.before, site)).norm(), 1e-5) << site.name;
    }
    EXPECT_LT(puller.turn("body"), 1.0) << way.transpose();
  }
}

TEST(NaturalFigures, AHexapodLeansAfterAFootPulledFarOffAndFiveStay) {
  const Document hexapod = makeHexapod();
  Puller puller(hexapod, "left_front_shank", PosingChoice::Natural,
                hexapod.figure->sites().front().linkFromSite.translation);
  puller.to(puller.start() + V(0.6, 0.3, 0.6));
  EXPECT_TRUE(puller.report.bodyMoved);
  EXPECT_LT(puller.turn("body"), 45.0);
  for (const Site& site : hexapod.figure->sites()) {
    if (site.name == "left_front") continue;
    EXPECT_LT((placeOfSite(puller.now, site) - placeOfSite(puller.before, site)).norm(), 1e-5) << site.name;
  }
}

TEST(NaturalFigures, AHexapodsDraggedBodyMovesOverSixFeet) {
  const Document hexapod = makeHexapod();
  Puller puller(hexapod, "body");
  puller.to(puller.start() + V(0.03, -0.05, 0.04));
  EXPECT_LT(puller.miss(), 1e-3);
  EXPECT_EQ(puller.report.heldFeet.size(), 6u);
  EXPECT_LT(puller.turn("body"), 5.0);
  for (const Site& site : hexapod.figure->sites())
    EXPECT_LT((placeOfSite(puller.now, site) - placeOfSite(puller.before, site)).norm(), 1e-5) << site.name;
}

TEST(NaturalFigures, AFigureWhoseJointsStandAtOnePlaceIsPosed) {
  FigureBuilder builder("star");
  int legs = 0;
  const int hub = builder.addLink({.name = "hub"}, {.name = "root", .type = JointType::Free});
  for (const V& tip : {V(0.3, -0.4, 0), V(-0.3, -0.4, 0), V(0, -0.4, 0.3)}) {
    const std::string name = "leg" + std::to_string(++legs);
    builder.addLink({.name = name, .parent = hub, .capsules = {{V::Zero(), tip, 0.02}}},
                    {.name = name, .type = JointType::Ball});
  }
  const auto figure = test::built(builder);
  Puller puller(makeDocument(figure), "leg1", PosingChoice::Natural, V(0.3, -0.4, 0));
  puller.to(puller.start() + V(0.1, 0.2, 0.1));
  EXPECT_NE(puller.report.outcome, Outcome::BadInput) << puller.report.sentence;
  EXPECT_TRUE(std::isfinite(puller.report.summary.objective));
}

TEST(NaturalFigures, AFigureWithoutMassesAndOneWithAHeavyTailArePosed) {
  for (const double tail : {0.0, 50.0}) {
    FigureBuilder builder("tailed");
    Link body{.name = "body", .mass = tail > 0.0 ? 5.0 : 0.0};
    const int root = builder.addLink(body, {.name = "root", .type = JointType::Free, .locked = true});
    for (const char* side : {"left", "right", "tail"}) {
      const bool isTail = std::string(side) == "tail";
      int above = root;
      for (int i = 0; i < 3; ++i) {
        Link link{.name = side + std::to_string(i), .parent = above, .mass = isTail ? tail : tail > 0.0 ? 1.0 : 0.0};
        if (tail == 0.0) link.capsules = {{V::Zero(), V(0, -1e-6, 0), 0.0}};
        above = builder.addLink(
            link, {.name = link.name,
                   .type = JointType::Ball,
                   .parentFromJoint = {Eigen::Matrix3d::Identity(), i        ? V(0, -0.4, 0)
                                                                    : isTail ? V(0, 0, -0.3)
                                                                             : V(side[0] == 'l' ? 0.3 : -0.3, 0, 0)}});
      }
      builder.addSite({.name = std::string(side) + " tip",
                       .link = above,
                       .linkFromSite = {Eigen::Matrix3d::Identity(), V(0, -0.4, 0)}});
    }
    const auto figure = test::built(builder);
    Document document = makeDocument(figure);
    Puller puller(std::move(document), "left2", PosingChoice::Natural, V(0, -0.4, 0));
    puller.to(puller.start() + V(0.3, 0.3, 0.2));
    EXPECT_LT(puller.miss(), 1e-3) << tail;
    EXPECT_LT(puller.way("right2"), 2e-2) << tail;
  }
}

}  // namespace
}  // namespace limber::natural_figures_test

// SPDX-License-Identifier: MIT
#include "limber/body/balance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "limber/kinematics/figure_builder.h"
#include "limber/scene/document.h"
#include "support/built_figure.h"

namespace limber::balance_test {
namespace {

using P = Eigen::Vector2d;
using V = Eigen::Vector3d;

/// A body on two straight legs, each with a foot along z.
struct Biped {
  std::shared_ptr<const Figure> figure;
  Document document;
  Kinematics kinematics;

  explicit Biped(double footRadius = 0.04) {
    FigureBuilder builder("biped");
    builder.addLink({.name = "body", .capsules = {{V(0, 0, 0), V(0, 0.5, 0), 0.1}}},
                    {.name = "root", .type = JointType::Free});
    for (const double side : {-1.0, 1.0}) {
      const std::string name = side < 0.0 ? "right_" : "left_";
      Joint hip{.name = name + "hip", .type = JointType::Ball};
      hip.parentFromJoint.translation = V(0.1 * side, 0.0, 0.0);
      const int leg =
          builder.addLink({.name = name + "leg", .parent = 0, .capsules = {{V(0, 0, 0), V(0, -0.8, 0), 0.05}}}, hip);
      Joint ankle{.name = name + "ankle", .type = JointType::Ball};
      ankle.parentFromJoint.translation = V(0.0, -0.86, 0.0);
      builder.addLink({.name = name + "foot", .parent = leg, .capsules = {{V(0, 0, -0.05), V(0, 0, 0.2), footRadius}}},
                      ankle);
    }
    figure = test::built(builder);
    document = makeDocument(figure);
    computeTransforms(*figure, document.pose, kinematics);
  }

  std::vector<int> planted() const { return plantedLinks(document, kinematics); }
  std::vector<P> polygon() const { return supportPolygon(*figure, kinematics, planted()); }
};

double area(const std::vector<P>& polygon) {
  double sum = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const P &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    sum += 0.5 * (a.x() * b.y() - a.y() * b.x());
  }
  return sum;
}

TEST(Balance, SupportIsTheHullOfBothFeet) {
  const Biped biped;
  ASSERT_EQ(biped.planted().size(), 2u);
  const std::vector<P> polygon = biped.polygon();
  ASSERT_EQ(polygon.size(), 4u);
  EXPECT_NEAR(area(polygon), 0.28 * 0.25, 1e-12) << "0.2 apart and 0.08 wide, 0.25 long; counterclockwise";
  EXPECT_NEAR(supportMargin(polygon, P(0.0, 0.1)), 0.1, 1e-12);
  EXPECT_NEAR(supportMargin(polygon, P(0.17, 0.23)), -std::hypot(0.03, 0.03), 1e-12);
  EXPECT_NEAR((nearestOnSupport(polygon, P(0.17, 0.1)) - P(0.14, 0.1)).norm(), 0.0, 1e-12);
  EXPECT_EQ(nearestOnSupport(polygon, P(0.01, 0.1)), P(0.01, 0.1));
}

TEST(Balance, FeetOfOneLineHaveALineBetweenTheirSides) {
  Biped biped(0.0);
  biped.document.pins.push_back({.link = biped.figure->findLink("left_foot")});
  const std::vector<P> line = biped.polygon();
  ASSERT_EQ(line.size(), 2u);
  EXPECT_NEAR(supportMargin(line, P(0.1, 0.1)), 0.0, 1e-12);
  EXPECT_NEAR(supportMargin(line, P(0.13, 0.24)), -0.05, 1e-12);
  for (const SupportGoal::Side& side : supportSides(line, 0.01))
    EXPECT_GE(side.normal.dot(P(0.1, 0.1)), side.offset - 1e-12);
}

TEST(Balance, PinnedFeetCarryAndARootThatStandsFastNeedsNone) {
  Biped biped;
  biped.document.pins.push_back({.link = biped.figure->findLink("left_foot")});
  EXPECT_EQ(biped.planted(), std::vector<int>{biped.figure->findLink("left_foot")});
  biped.document.pins.push_back({.link = 0});
  EXPECT_EQ(biped.planted(), std::vector<int>{biped.figure->findLink("left_foot")}) << "a pelvis carries nothing";
  FigureBuilder builder("post");
  builder.addLink({.name = "post"}, {.name = "root", .type = JointType::Fixed});
  const Document fixed = makeDocument(test::built(builder));
  const Kinematics kinematics = transformsOf(*fixed.figure, fixed.pose);
  EXPECT_TRUE(plantedLinks(fixed, kinematics).empty());
}

TEST(Balance, SidesAndMarginAgreeOnRandomPolygons) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int trial = 0; trial < 50; ++trial) {
    // Any convex polygon is suitable, such as that of the feet in a random pose.
    Biped biped;
    Eigen::VectorXd step(biped.figure->stepSize());
    for (double& s : step) s = 0.05 * uniform(random);
    integrate(*biped.figure, biped.document.pose, step, biped.document.pose);
    computeTransforms(*biped.figure, biped.document.pose, biped.kinematics);
    const std::vector<P> polygon = biped.polygon();
    ASSERT_LE(polygon.size(), static_cast<std::size_t>(kMaxSupportCorners));
    if (polygon.size() < 3) continue;
    for (int k = 0; k < 20; ++k) {
      const P place(0.3 * uniform(random), 0.3 * uniform(random));
      double least = 1e9;
      for (const SupportGoal::Side& side : supportSides(polygon))
        least = std::min(least, side.normal.dot(place) - side.offset);
      EXPECT_EQ(least >= 0.0, supportMargin(polygon, place) >= 0.0);
      const double inside = std::max(supportMargin(polygon, place), 0.0);
      EXPECT_NEAR(std::max(least, 0.0), inside, 1e-12);
    }
  }
}

}  // namespace
}  // namespace limber::balance_test

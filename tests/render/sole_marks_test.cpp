// SPDX-License-Identifier: MIT
#include "render/marks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"

namespace limber::render::sole_marks_test {
namespace {

using V = Eigen::Vector3d;

/// A body on a leg with a flat foot and on one that ends in a point.
std::shared_ptr<const Figure> makeFigure() {
  FigureBuilder builder("two feet");
  const auto add = [&](const char* name, int parent, const V& at, const V& end) {
    Link link{.name = name, .parent = parent};
    link.capsules = {{V::Zero(), end, 0.02}};
    Joint joint{.name = name, .type = parent < 0 ? JointType::Free : JointType::Ball};
    joint.parentFromJoint.translation = at;
    return builder.addLink(link, joint);
  };
  const int body = add("body", -1, V(0, 1, 0), V(0, 0.5, 0));
  const int leg = add("leg", body, V(-0.2, 0, 0), V(0, -0.9, 0));
  add("foot", leg, V(0, -0.98, 0), V(0, 0, 0.25));
  add("stilt", body, V(0.2, 0, 0), V(0, -0.98, 0));
  return test::built(builder);
}

std::vector<DrawCapsule> marks(const std::vector<int>& feet) {
  const Document document = makeDocument(makeFigure());
  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  Highlight highlight;
  DrawList bare, list;
  makeDrawList(document, kinematics, highlight, bare);
  highlight.heldFeet = feet;
  makeDrawList(document, kinematics, highlight, list);
  EXPECT_TRUE(std::equal(bare.capsules.begin(), bare.capsules.end(), list.capsules.begin()));
  return {list.capsules.begin() + std::ssize(bare.capsules), list.capsules.end()};
}

TEST(SoleMarks, FlatFootIsOutlinedOnTheGround) {
  const auto lines = marks({2});
  ASSERT_GE(lines.size(), 4u);
  double length = 0.0;
  for (const DrawCapsule& line : lines) {
    EXPECT_EQ(line.layer, Layer::Overlay);
    EXPECT_EQ(line.link, -1) << "a mark is not picked";
    EXPECT_NEAR(line.start.y(), 0.0, 1e-9);
    EXPECT_LT(line.start.x(), 0.0);
    length = std::max(length, (line.end - line.start).norm());
  }
  EXPECT_NEAR(length, 0.25, 0.05);
}

TEST(SoleMarks, PointHasARing) {
  const auto lines = marks({3});
  ASSERT_GE(lines.size(), 8u);
  for (const DrawCapsule& line : lines) EXPECT_NEAR(line.start.x(), 0.2, 0.1);
}

TEST(SoleMarks, NothingIsMarkedWithoutHeldFeet) {
  EXPECT_TRUE(marks({}).empty());
  EXPECT_TRUE(marks({-1, 99}).empty()) << "what has gone is left out";
}

}  // namespace
}  // namespace limber::render::sole_marks_test

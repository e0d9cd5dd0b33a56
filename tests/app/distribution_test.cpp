// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "app/panels/distribution_panel.h"
#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"

namespace limber::app::distribution_test {
namespace {

/// `count` vertebrae V1 (outermost) ... with two hinges each, whose flexions and laterals each follow the lowest.
std::shared_ptr<const Figure> makeSpine(int count, JointType type = JointType::Revolute) {
  FigureBuilder builder("spine");
  for (int i = 0; i < 2 * count; ++i) {
    const std::string name = "V" + std::to_string(count - i / 2) + (i % 2 == 0 ? "_flexion" : "_lateral");
    Joint joint{.name = name, .type = type};
    joint.parentFromJoint.translation = {0, i % 2 == 0 ? 0.1 : 0.0, 0};
    builder.addLink({.name = name, .parent = i - 1}, joint);
    if (i >= 2) builder.addCoupling({i % 2 == 0 ? "flexion" : "lateral", i, 0.0, {{i % 2, {1, 0, 0, 0}}}});
  }
  return test::built(builder);
}

TEST(Distribution, CurvesOfTheSameJointsShareAPlotOutermostFirst) {
  const auto plots = distributions(*makeSpine(4));
  ASSERT_EQ(plots.size(), 1u);
  EXPECT_EQ(plots[0].labels, (std::vector<std::string>{"V1", "V2", "V3", "V4"}));
  ASSERT_EQ(plots[0].curves.size(), 2u);
  EXPECT_EQ(plots[0].curves[0].name, "flexion");
  EXPECT_EQ(plots[0].curves[1].name, "lateral");
  EXPECT_EQ(plots[0].curves[1].joints, (std::vector<int>{1, 3, 5, 7}));
}

TEST(Distribution, TwoJointsOrSlidersMakeNoPlot) {
  EXPECT_TRUE(distributions(*makeSpine(2)).empty());
  EXPECT_TRUE(distributions(*makeSpine(4, JointType::Prismatic)).empty());
}

}  // namespace
}  // namespace limber::app::distribution_test

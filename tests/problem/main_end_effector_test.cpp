// SPDX-License-Identifier: MIT
#include "limber/problem/new_goal.h"

#include <gtest/gtest.h>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::main_end_effector_test {
namespace {

TEST(MainEndEffector, IsAtAnEndOfTheFigure) {
  const auto arm = makeArm();
  EXPECT_EQ(mainEndEffector(*arm).link, 6);
  EXPECT_EQ(mainEndEffector(*arm).point, Eigen::Vector3d(0.0, 0.1, 0.0));
  FigureBuilder builder("stick");
  const int root = builder.addLink({.name = "root"}, {});
  builder.addLink({.name = "end", .parent = root}, {});
  builder.addSite({.name = "middle", .link = root});
  std::string error;
  EXPECT_EQ(mainEndEffector(*builder.build(error)).link, 1) << "the site is on a link that another hangs on";
}

}  // namespace
}  // namespace limber::main_end_effector_test

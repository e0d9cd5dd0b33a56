// SPDX-License-Identifier: MIT
#include "limber/kinematics/forward_kinematics.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "support/awkward_figure.h"

namespace limber::forward_kinematics_test {
namespace {

TEST(ForwardKinematics, TwoLinkChainMatchesHandComputedPose) {
  const auto figure = makePlanarChain(2);
  Kinematics kinematics;
  computeKinematics(*figure, Pose{Eigen::Vector2d(0.5, -1.2)}, kinematics);
  const Eigen::Vector3d tip = kinematics.worldFromLink[1] * Eigen::Vector3d::UnitX();
  EXPECT_NEAR(tip.x(), std::cos(0.5) + std::cos(-0.7), 1e-15);
  EXPECT_NEAR(tip.y(), std::sin(0.5) + std::sin(-0.7), 1e-15);
  EXPECT_EQ(tip.z(), 0.0);
}

TEST(ForwardKinematics, TwistsOfTheDocumentedExample) {
  const auto figure = makePlanarChain(2);
  Kinematics kinematics;
  computeKinematics(*figure, restPose(*figure), kinematics);
  Vector6d first, second;
  first << 0, 0, 1, 0, 0, 0;
  second << 0, 0, 1, 0, -1, 0;
  EXPECT_EQ(kinematics.twists.col(0), first);
  EXPECT_EQ(kinematics.twists.col(1), second);
}

TEST(ForwardKinematics, TwistsMatchCentralDifferencesOnAwkwardFigure) {
  std::mt19937 random(3);
  const auto figure = test::makeAwkwardFigure();
  const double h = 1e-5;
  const Eigen::Vector3d point(0.2, -0.1, 0.3);
  for (int trial = 0; trial < 20; ++trial) {
    const Pose pose = test::randomPose(*figure, random);
    Kinematics at, plus, minus;
    computeKinematics(*figure, pose, at);
    for (int c = 0; c < figure->stepSize(); ++c) {
      Pose moved;
      const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(figure->stepSize(), c);
      integrate(*figure, pose, step, moved);
      computeTransforms(*figure, moved, plus);
      integrate(*figure, pose, -step, moved);
      computeTransforms(*figure, moved, minus);
      int owner = 0;
      for (int i = 0; i < figure->linkCount(); ++i)
        if (figure->joint(i).stepIndex <= c) owner = i;
      for (std::size_t link = 0; link < static_cast<std::size_t>(figure->linkCount()); ++link) {
        const Eigen::Vector3d x = at.worldFromLink[link] * point;
        const Eigen::Vector3d difference =
            (plus.worldFromLink[link] * point - minus.worldFromLink[link] * point) / (2 * h);
        const auto twist = at.twists.col(c);
        Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
        if (figure->isAncestorOrSelf(owner, static_cast<int>(link)))
          velocity = twist.tail<3>() + twist.head<3>().cross(x - at.origin);
        // 50 m from the origin: rounding 1e-14 over 2e-5, and h^2 for the third derivative.
        EXPECT_LT((velocity - difference).norm(), 5e-9) << "coordinate " << c << ", link " << link;
      }
    }
  }
}

}  // namespace
}  // namespace limber::forward_kinematics_test

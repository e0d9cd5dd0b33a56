// SPDX-License-Identifier: MIT
#include "kinematics/ball_limits.h"

#include <gtest/gtest.h>

#include <random>

namespace limber {
namespace {

constexpr double kRounding = 1e-12;  // a few products of unit quaternions

Eigen::Vector3d randomUnit(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return Eigen::Vector3d(x, y, z).normalized();
}

TEST(BallLimits, SwingAndTwistComeApartAgain) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 200; ++i) {
    const BallLimits limits{.coneAxis = randomUnit(random), .twistAxis = randomUnit(random)};
    const Eigen::Vector3d across = limits.coneAxis.cross(randomUnit(random)).normalized();
    const double swing = 0.01 + 3.0 * unit(random), twist = 6.2 * (unit(random) - 0.5);
    const Eigen::Quaterniond rotation = Eigen::AngleAxisd(swing, across) * Eigen::AngleAxisd(twist, limits.coneAxis) *
                                        Eigen::Quaterniond::FromTwoVectors(limits.twistAxis, limits.coneAxis);
    const SwingTwist angles = swingTwist(limits, rotation);
    EXPECT_NEAR(angles.swing, swing, kRounding);
    EXPECT_NEAR(angles.twist, twist, kRounding / std::cos(0.5 * swing));  // ill-defined toward a half turn
    const SwingTwist same = swingTwist(limits, Eigen::Quaterniond(-rotation.coeffs()));
    EXPECT_NEAR(same.twist, twist, kRounding / std::cos(0.5 * swing));
  }
}

TEST(BallLimits, HalfTurnOfSwingHasNoTwist) {
  const SwingTwist angles = swingTwist({}, Eigen::Quaterniond(0, 1, 0, 0));
  EXPECT_EQ(angles.swing, std::numbers::pi);
  EXPECT_EQ(angles.twist, 0.0);
}

}  // namespace
}  // namespace limber

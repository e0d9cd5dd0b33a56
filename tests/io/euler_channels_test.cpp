// SPDX-License-Identifier: MIT
#include "limber/io/bvh/euler_channels.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace limber::io::euler_channels_test {
namespace {

Eigen::Matrix3d product(const std::vector<int>& axes, const std::vector<double>& degrees) {
  Eigen::Matrix3d out = Eigen::Matrix3d::Identity();
  for (std::size_t i = 0; i < axes.size(); ++i)
    out *= Eigen::AngleAxisd(degrees[i] * std::numbers::pi / 180.0, Eigen::Vector3d::Unit(axes[i])).toRotationMatrix();
  return out;
}

const std::vector<std::vector<int>> kOrders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

TEST(EulerChannels, EveryOrderGivesTheRotationBack) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (const std::vector<int>& axes : kOrders)
    for (int i = 0; i < 200; ++i) {
      const Eigen::Matrix3d rotation =
          Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
              .normalized()
              .toRotationMatrix();
      std::vector<double> angles = {0.0, 0.0, 0.0};
      EXPECT_LT(eulerAngles(rotation, axes, angles), 1e-7);  // the logarithm's own rounding is a square root
      EXPECT_LT((product(axes, angles) - rotation).norm(), 1e-14);
    }
}

TEST(EulerChannels, WhereTheMiddleAngleIsARightOneTheRotationIsStillExact) {
  for (const std::vector<int>& axes : kOrders)
    for (const double middle : {90.0, -90.0, 90.0 - 1e-6, -90.0 + 1e-9, 90.0 - 1e-3}) {
      const Eigen::Matrix3d rotation = product(axes, {20.0, middle, -35.0});
      std::vector<double> angles = {10.0, 80.0, 5.0};
      eulerAngles(rotation, axes, angles);
      EXPECT_LT((product(axes, angles) - rotation).norm(), 1e-14) << axes[0] << axes[1] << axes[2] << " " << middle;
    }
}

TEST(EulerChannels, TheSolutionNearestToTheGivenAnglesIsTaken) {
  const std::vector<int> axes = {2, 0, 1};
  const std::vector<double> far = {170.0 + 720.0, 130.0, -200.0};  // beyond a right angle, whole turns away
  std::vector<double> angles = {168.0 + 720.0, 128.0, -199.0};
  eulerAngles(product(axes, far), axes, angles);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(angles[i], far[i], 1e-9);
}

TEST(EulerChannels, FewerOtherAndMoreChannelsComeAsNearAsTheyCan) {
  const auto fit = [](const std::vector<int>& axes, const Eigen::Matrix3d& rotation, std::vector<double> angles) {
    const double left = eulerAngles(rotation, axes, angles);
    EXPECT_NEAR((product(axes, angles).transpose() * rotation - Eigen::Matrix3d::Identity()).norm(),
                2.0 * std::sqrt(2.0) * std::sin(0.5 * left), 1e-7);
    return left;
  };
  EXPECT_LT(fit({1}, product({1}, {40.0}), {0.0}), 1e-7);
  EXPECT_LT(fit({2, 0}, product({2, 0}, {40.0, -70.0}), {0.0, 0.0}), 1e-7);
  EXPECT_LT(fit({0, 1, 0}, product({0, 1, 0}, {40.0, -70.0, 10.0}), {30.0, -50.0, 0.0}), 1e-7);
  EXPECT_LT(fit({0, 1, 2, 0, 1, 2}, product({0, 1, 2}, {40.0, -70.0, 10.0}), {0, 0, 0, 0, 0, 0}), 1e-7);
  EXPECT_NEAR(fit({1}, product({0}, {30.0}), {0.0}), 30.0 * std::numbers::pi / 180.0, 1e-7);
  EXPECT_NEAR(fit({}, product({0}, {30.0}), {}), 30.0 * std::numbers::pi / 180.0, 1e-7);
}

}  // namespace
}  // namespace limber::io::euler_channels_test

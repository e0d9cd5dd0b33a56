// SPDX-License-Identifier: MIT
#include "limber/body/nearest_angles.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

namespace limber::nearest_angles_test {
namespace {

constexpr double kExact = 1e-9;  // radians: the end of a Gauss-Newton iteration

Eigen::Matrix3d turn(double angle, const Eigen::Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

Eigen::Matrix3d rotationOf(const HingeRow& row, const std::vector<double>& angles) {
  Eigen::Matrix3d r = Eigen::Matrix3d::Identity();
  for (std::size_t i = 0; i < row.hinges.size(); ++i) r *= row.hinges[i].before * turn(angles[i], row.hinges[i].axis);
  return r * row.after;
}

double errorOf(const HingeRow& row, const std::vector<double>& angles, const Eigen::Matrix3d& wanted,
               const Eigen::Matrix3d& metric) {
  const Eigen::Matrix3d d = rotationOf(row, angles) - wanted;
  return 0.5 * (d * metric * d.transpose()).trace();
}

/// A shoulder of three hinges with oblique frames.
HingeRow shoulder() {
  HingeRow row;
  row.hinges = {{turn(0.4, {1, 2, 3}), Eigen::Vector3d(-1, 0, 0), {-1.05, 3.14}, 0.0},
                {turn(0.0, {0, 1, 0}), Eigen::Vector3d(0, 0, 1), {-0.79, 3.14}, 0.0},
                {turn(0.0, {0, 1, 0}), Eigen::Vector3d(0, 1, 0), {-1.22, 1.57}, 0.0}};
  row.after = turn(-0.7, {3, 1, -1});
  return row;
}

TEST(NearestAngles, AngleThatTurnedItIsFoundAgain) {
  const HingeRow row = shoulder();
  std::mt19937 random(7);
  const Eigen::Matrix3d metric = Eigen::Vector3d(0.05, 1.0, 0.3).asDiagonal();
  for (int i = 0; i < 200; ++i) {
    std::vector<double> angles;
    for (const HingeRow::Hinge& hinge : row.hinges)
      angles.push_back(std::uniform_real_distribution(hinge.limits.lower, hinge.limits.upper)(random));
    const std::vector<double> found = nearestAngles(row, rotationOf(row, angles), metric);
    EXPECT_LT((rotationOf(row, found) - rotationOf(row, angles)).norm(), kExact) << i;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GE(found[k], row.hinges[k].limits.lower);
      EXPECT_LE(found[k], row.hinges[k].limits.upper);
    }
  }
}

TEST(NearestAngles, GimbalLockHasTheRotationAllTheSame) {
  const HingeRow row = shoulder();
  const std::vector<double> angles = {0.3, std::numbers::pi / 2.0, -0.2};
  const std::vector<double> found = nearestAngles(row, rotationOf(row, angles), Eigen::Matrix3d::Identity());
  EXPECT_LT((rotationOf(row, found) - rotationOf(row, angles)).norm(), kExact);
}

TEST(NearestAngles, NothingOnAGridComesNearer) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int i = 0; i < 40; ++i) {
    HingeRow row = shoulder();
    row.hinges.resize(2);
    row.hinges[0].limits = {-0.6, 0.9};
    row.hinges[1].limits = {-0.2, 1.3};
    const Eigen::Matrix3d wanted =
        Eigen::Quaterniond(any(random), any(random), any(random), any(random)).normalized().toRotationMatrix();
    Eigen::Matrix3d half = Eigen::Matrix3d::Identity();
    for (int k = 0; k < 9; ++k) half(k / 3, k % 3) += any(random);
    const Eigen::Matrix3d metric = half * half.transpose();
    const double found = errorOf(row, nearestAngles(row, wanted, metric), wanted, metric);
    double best = found;
    for (double a = -0.6; a <= 0.9; a += 0.05)
      for (double b = -0.2; b <= 1.3; b += 0.05) best = std::min(best, errorOf(row, {a, b}, wanted, metric));
    EXPECT_GE(best, found - 1e-9 * metric.trace()) << i;
  }
}

TEST(NearestAngles, HingeWithoutLimitsTakesTheShortWay) {
  HingeRow row;
  row.hinges = {{Eigen::Matrix3d::Identity(), Eigen::Vector3d::UnitZ(), {}, 0.2}};
  const auto found = nearestAngles(row, turn(3.0 + 2.0 * std::numbers::pi, {0, 0, 1}), Eigen::Matrix3d::Identity());
  EXPECT_NEAR(found[0], 3.0, 1e-12);
}

TEST(NearestAngles, WhatNoAngleChangesStaysAsPreferred) {
  HingeRow row;
  row.hinges = {{Eigen::Matrix3d::Identity(), Eigen::Vector3d::UnitZ(), {-1.0, 1.0}, 0.25}};
  EXPECT_EQ(nearestAngles(row, turn(0.5, {1, 0, 0}), Eigen::Matrix3d::Zero()), std::vector<double>{0.25});
  EXPECT_TRUE(nearestAngles({}, turn(0.5, {1, 0, 0}), Eigen::Matrix3d::Identity()).empty());
}

}  // namespace
}  // namespace limber::nearest_angles_test

// SPDX-License-Identifier: MIT
#include "limber/kinematics/ball_limits.h"

#include <gtest/gtest.h>

#include <random>

namespace limber::ball_limits_test {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kRounding = 1e-12;  // a few products of unit quaternions

Eigen::Vector3d randomDirection(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return Eigen::Vector3d(x, y, z).normalized();
}

Eigen::Quaterniond randomRotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double w = normal(random), x = normal(random), y = normal(random), z = normal(random);
  return Eigen::Quaterniond(w, x, y, z).normalized();
}

BallLimits randomLimits(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  BallLimits limits;
  limits.coneAxis = randomDirection(random);
  limits.twistAxis = randomDirection(random);
  limits.swing = kPi * unit(random);
  const double a = kPi * (2.0 * unit(random) - 1.0), b = kPi * (2.0 * unit(random) - 1.0);
  limits.twist = {std::min(a, b), std::max(a, b)};
  return limits;
}

double turnBetween(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
  return logarithm(a.conjugate() * b).norm();
}

TEST(BallLimits, SwingAndTwistComeApartAgain) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 200; ++i) {
    const BallLimits limits{.coneAxis = randomDirection(random), .twistAxis = randomDirection(random)};
    const Eigen::Vector3d across = limits.coneAxis.cross(randomDirection(random)).normalized();
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

TEST(BallLimits, SwingAndTwistComposeTheRotation) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    BallLimits limits = randomLimits(random);
    limits.twist = {-1.0, 1.0};
    const BallRange range(limits);
    const Eigen::Quaterniond rotation = randomRotation(random);
    const auto place = range.placeOf(rotation);
    const Eigen::Quaterniond rest = Eigen::Quaterniond::FromTwoVectors(limits.twistAxis, limits.coneAxis);
    const Eigen::Quaterniond swing = Eigen::Quaterniond::FromTwoVectors(limits.coneAxis, rotation * limits.twistAxis);
    const Eigen::Quaterniond twist(Eigen::AngleAxisd(place.twist, limits.coneAxis));
    EXPECT_LT(turnBetween(rotation, swing * twist * rest), 1e-7);
    EXPECT_NEAR(std::cos(place.swing), limits.coneAxis.dot(rotation * limits.twistAxis), kRounding);
  }
}

TEST(BallLimits, NormalsAndCurvaturesMatchCentralDifferences) {
  std::mt19937 random(2);
  constexpr double h = 1e-4;
  for (int trial = 0; trial < 200; ++trial) {
    BallLimits limits = randomLimits(random);
    limits.twist = {-3.0, 3.0};
    const BallRange range(limits);
    const Eigen::Quaterniond rotation = randomRotation(random);
    const auto place = range.placeOf(rotation);
    if (place.swing < 0.2 || place.swing > kPi - 0.3 || std::abs(place.twist) > 3.0) continue;
    const auto swingAt = [&](const Eigen::Vector3d& s) { return range.placeOf(rotation * exponential(s)).swing; };
    const double rate = twistRate(place);
    const auto twistAt = [&](const Eigen::Vector3d& s) {
      return rate * range.placeOf(rotation * exponential(s)).twist;
    };
    const auto compare = [&](const auto& value, const Eigen::Vector3d& normal, const Eigen::Matrix3d& curvature,
                             bool along) {
      for (int k = 0; k < 10; ++k) {
        Eigen::Vector3d d = randomDirection(random);
        if (along) d = (d - normal * normal.dot(d)).normalized();
        const double slope = (value(h * d) - value(-h * d)) / (2.0 * h);
        const double bend = (value(h * d) - 2.0 * value(Eigen::Vector3d::Zero()) + value(-h * d)) / (h * h);
        EXPECT_NEAR(slope, normal.dot(d), 1e-6);
        EXPECT_NEAR(bend, d.dot(curvature * d), 1e-5 * (1.0 + curvature.cwiseAbs().maxCoeff()));
      }
    };
    compare(swingAt, swingNormal(place), swingCurvature(place), false);
    compare(twistAt, twistNormal(place), Eigen::Matrix3d::Zero(), true);
    const Eigen::Vector3d d = randomDirection(random);
    EXPECT_NEAR((twistAt(h * d) - twistAt(-h * d)) / (2.0 * h), twistNormal(place).dot(d), 1e-6);
    EXPECT_NEAR(swingNormal(place).dot(twistNormal(place)), 0.0, kRounding);
  }
}

/// The twist grows along the middle between the twist axis and the cone's, not along the twist axis.
TEST(BallLimits, WithSwingTheTwistsGradientLeansHalfTheSwingAwayFromItsAxis) {
  std::mt19937 random(7);
  constexpr double h = 1e-5;
  for (const double swing : {0.0, 0.1, 0.8, 1.6, 2.4, 3.0}) {
    BallLimits limits = randomLimits(random);
    limits.twist = {-3.0, 3.0};
    const BallRange range(limits);
    const Eigen::Quaterniond rest = Eigen::Quaterniond::FromTwoVectors(limits.twistAxis, limits.coneAxis);
    const Eigen::Vector3d across = limits.coneAxis.unitOrthogonal();
    const Eigen::Quaterniond rotation =
        Eigen::AngleAxisd(swing, across) * Eigen::AngleAxisd(0.7, limits.coneAxis) * rest;
    const auto place = range.placeOf(rotation);
    ASSERT_NEAR(place.swing, swing, 1e-7);
    const auto twistAt = [&](const Eigen::Vector3d& step) { return range.placeOf(rotation * exponential(step)).twist; };
    Eigen::Vector3d gradient;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d step = h * Eigen::Vector3d::Unit(k);
      gradient[k] = (twistAt(step) - twistAt(-step)) / (2.0 * h);
    }
    EXPECT_LT((gradient * twistRate(place) - twistNormal(place)).norm(), 1e-6) << swing;
    EXPECT_NEAR(gradient.norm(), 1.0 / std::cos(0.5 * swing), 1e-4) << swing;
    EXPECT_NEAR(gradient.normalized().dot(place.twistAxis), std::cos(0.5 * swing), 1e-6) << swing;
  }
}

TEST(BallLimits, ClampEndsInsideAndStaysThere) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const BallRange range(randomLimits(random));
    const Eigen::Quaterniond rotation = randomRotation(random);
    const Eigen::Quaterniond inside = range.clamp(rotation);
    EXPECT_EQ(range.violation(inside), 0.0);
    EXPECT_TRUE(range.clamp(inside).coeffs() == inside.coeffs());
    if (range.violation(rotation) == 0.0) {
      EXPECT_TRUE(inside.coeffs() == rotation.coeffs());
    }
    const auto before = range.placeOf(rotation), after = range.placeOf(inside);
    EXPECT_NEAR(after.swing, std::min(before.swing, range.swing()), kRounding);
  }
}

TEST(BallLimits, NoRotationInsideTheConeIsNearerThanTheClampedOne) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 50; ++trial) {
    BallLimits limits = randomLimits(random);
    limits.twist = {};
    const BallRange range(limits);
    const Eigen::Quaterniond rotation = randomRotation(random);
    const double turn = turnBetween(rotation, range.clamp(rotation));
    for (int k = 0; k < 200; ++k) {
      const Eigen::Quaterniond other = range.clamp(randomRotation(random));
      EXPECT_GE(turnBetween(rotation, other), turn - 1e-7);
    }
  }
}

TEST(BallLimits, SingularPlacesAreHandledTheSameWayEachTime) {
  BallLimits limits;
  limits.swing = 0.5;
  limits.twist = {-0.3, 0.4};
  const Eigen::Quaterniond upsideDown(Eigen::AngleAxisd(kPi, Eigen::Vector3d::UnitX()));
  const BallRange cone(limits);
  const Eigen::Quaterniond inside = cone.clamp(upsideDown);
  EXPECT_TRUE(inside.coeffs().allFinite());
  EXPECT_LT(cone.violation(inside), kRounding);
  EXPECT_TRUE(cone.clamp(upsideDown).coeffs() == inside.coeffs());

  limits.swing = 0.0;
  const BallRange hinge(limits);
  std::mt19937 random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const Eigen::Quaterniond q = hinge.clamp(randomRotation(random));
    EXPECT_LT(((q * limits.twistAxis) - limits.coneAxis).norm(), kRounding);
    EXPECT_EQ(hinge.violation(q), 0.0);
  }
  limits.twist = {0.2, 0.2};
  const BallRange fixed(limits);
  for (int trial = 0; trial < 100; ++trial)
    EXPECT_NEAR(fixed.placeOf(fixed.clamp(randomRotation(random))).twist, 0.0, kRounding);
  limits.coneAxis = -limits.twistAxis;
  EXPECT_TRUE(BallRange(limits).clamp(Eigen::Quaterniond::Identity()).coeffs().allFinite());
}

TEST(BallLimits, ATwistRangeAtTheCutKeepsItsSides) {
  BallLimits limits;
  limits.twist = {-kPi, -2.0};
  const BallRange range(limits);
  const auto turned = [](double angle) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitY()));
  };
  EXPECT_EQ(range.violation(turned(-2.5)), 0.0);
  EXPECT_EQ(range.violation(turned(kPi)), 0.0);
  EXPECT_NEAR(range.violation(turned(kPi - 0.1)), 0.1, kRounding);
  EXPECT_NEAR(turnBetween(range.clamp(turned(kPi - 0.1)), turned(kPi)), 0.0, 1e-7);
  EXPECT_NEAR(turnBetween(range.clamp(turned(-1.9)), turned(-2.0)), 0.0, 1e-7);
}

TEST(BallLimits, ReachIsWhereTheLimitIsFirstMet) {
  std::mt19937 random(6);
  for (int trial = 0; trial < 2000; ++trial) {
    const BallRange range(randomLimits(random));
    const Eigen::Quaterniond rotation = randomRotation(random);
    const auto start = range.placeOf(rotation);
    if (start.swing > range.swing() || std::abs(start.twist) > range.halfTwist()) continue;
    const Eigen::Vector3d axis = randomDirection(random);
    constexpr double upTo = 2.0;
    const auto at = [&](double angle) { return range.placeOf(rotation * exponential(angle * axis)); };
    const double swing = swingReach(range, rotation, axis, upTo);
    if (swing < upTo) {
      EXPECT_NEAR(at(swing).swing, range.swing(), 1e-7);
    }
    for (const int side : {1, -1}) {
      const double twist = twistReach(range, rotation, axis, upTo, side);
      if (twist == upTo || twistRate(at(twist)) < 1e-3) continue;
      EXPECT_NEAR(std::remainder(at(twist).twist - side * range.halfTwist(), 2.0 * kPi), 0.0, 1e-7);
    }
    const double first =
        std::min({swing, twistReach(range, rotation, axis, upTo, 1), twistReach(range, rotation, axis, upTo, -1)});
    for (int k = 1; k < 100; ++k) {
      EXPECT_LT(at(0.01 * k * first).swing, range.swing() + 1e-7);
      EXPECT_LT(std::abs(at(0.01 * k * first).twist), range.halfTwist() + 1e-6);
    }
  }
}

}  // namespace
}  // namespace limber::ball_limits_test

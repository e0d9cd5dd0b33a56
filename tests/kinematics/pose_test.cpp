// SPDX-License-Identifier: MIT
#include "limber/kinematics/pose.h"

#include <gtest/gtest.h>

#include <numbers>

#include "limber/kinematics/standard_figures.h"
#include "support/awkward_figure.h"

namespace limber::pose_test {
namespace {

constexpr double kRounding = 1e-13;  // a few operations on numbers of order one

TEST(Pose, DifferenceInvertsIntegrate) {
  std::mt19937 random(1);
  const auto figure = test::makeAwkwardFigure();
  for (int trial = 0; trial < 50; ++trial) {
    const Pose from = test::randomPose(*figure, random);
    const Eigen::VectorXd step = Eigen::VectorXd::NullaryExpr(
        figure->stepSize(), [&](Eigen::Index) { return std::uniform_real_distribution<double>(-1.5, 1.5)(random); });
    Pose to;
    integrate(*figure, from, step, to);
    Eigen::VectorXd back;
    difference(*figure, from, to, back);
    EXPECT_LT((back - step).cwiseAbs().maxCoeff(), kRounding);
  }
}

TEST(Pose, IntegrateWorksInPlaceAndKeepsWhatDoesNotMove) {
  std::mt19937 random(2);
  const auto figure = test::makeAwkwardFigure();
  Pose pose = test::randomPose(*figure, random);
  const Pose before = pose;
  integrate(*figure, pose, Eigen::VectorXd::Zero(figure->stepSize()), pose);
  EXPECT_TRUE(pose == before) << "a zero step must not change a bit";
}

TEST(Pose, LogarithmTakesTheShorterTurn) {
  const Eigen::Vector3d axis = Eigen::Vector3d(1, -2, 0.5).normalized();
  for (double angle : {0.0, 1e-9, 1e-5, 0.3, 3.0, 3.1415}) {
    const Eigen::Quaterniond q = exponential(angle * axis);
    EXPECT_LT((logarithm(q) - angle * axis).norm(), kRounding) << angle;
    EXPECT_LT((logarithm(Eigen::Quaterniond(-q.coeffs())) - angle * axis).norm(), kRounding) << angle;
  }
  EXPECT_LT((logarithm(exponential(4.0 * axis)) - (4.0 - 2.0 * std::numbers::pi) * axis).norm(), kRounding);
}

TEST(Pose, WrapAnglesBringsUnlimitedHingesIntoPlusMinusPi) {
  const auto figure = makePlanarChain(4);
  Pose pose{Eigen::Vector4d(7.0, -4.0, std::numbers::pi, 100.0)};
  wrapAngles(*figure, pose);
  EXPECT_NEAR(pose.coordinates[0], 7.0 - 2 * std::numbers::pi, kRounding);
  EXPECT_NEAR(pose.coordinates[1], 2 * std::numbers::pi - 4.0, kRounding);
  EXPECT_EQ(pose.coordinates[2], std::numbers::pi);
  EXPECT_LE(std::abs(pose.coordinates[3]), std::numbers::pi);
  EXPECT_NEAR(std::sin(pose.coordinates[3]), std::sin(100.0), 1e-12);
}

TEST(Pose, IsValidRefusesNumbersThatAreNotFinite) {
  const auto figure = test::makeAwkwardFigure();
  Pose pose = restPose(*figure);
  EXPECT_TRUE(isValid(*figure, pose));
  pose.coordinates[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(isValid(*figure, pose));
  pose = restPose(*figure);
  pose.coordinates[6] = 2.0;  // a quaternion of length two
  EXPECT_FALSE(isValid(*figure, pose));
}

}  // namespace
}  // namespace limber::pose_test

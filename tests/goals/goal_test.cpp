// SPDX-License-Identifier: MIT
// Jacobian and curvature of every goal type against central differences along twists of the link; then what each goal
// means, by hand.
#include "goals/goal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "goals/aim_goal.h"
#include "goals/direction_goal.h"
#include "goals/line_goal.h"
#include "goals/plane_goal.h"
#include "goals/position_goal.h"

namespace limber {
namespace {

using V = Eigen::Vector3d;

V randomVector(std::mt19937& random, double size = 1.0) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

Kinematics oneLinkAt(const Transform& worldFromLink, const V& origin) {
  Kinematics kinematics;
  kinematics.worldFromLink = kinematics.worldFromJoint = {worldFromLink};
  kinematics.origin = origin;
  return kinematics;
}

Kinematics randomKinematics(std::mt19937& random) {
  const Eigen::Matrix3d rotation = exponential(randomVector(random, 2.0)).toRotationMatrix();
  return oneLinkAt({rotation, randomVector(random, 2.0)}, randomVector(random, 2.0));
}

/// The kinematics moved by exp(twist) about the origin.
Kinematics movedBy(Kinematics kinematics, const Vector6d& twist) {
  const V w = twist.head<3>();
  const double angle = w.norm();
  const Eigen::Matrix3d rotation = exponential(w).toRotationMatrix();
  // V(w) v = v + (1 - cos)/angle^2 w x v + (angle - sin)/angle^3 w x (w x v); series near zero.
  const double a = angle < 1e-4 ? 0.5 - angle * angle / 24 : (1 - std::cos(angle)) / (angle * angle);
  const double b = angle < 1e-2 ? 1.0 / 6 - angle * angle / 120 : (angle - std::sin(angle)) / (angle * angle * angle);
  const V v = twist.tail<3>();
  const V shift = v + a * w.cross(v) + b * w.cross(w.cross(v));
  Transform& link = kinematics.worldFromLink[0];
  link = {rotation * link.rotation, kinematics.origin + rotation * (link.translation - kinematics.origin) + shift};
  return kinematics;
}

struct GoalType {
  const char* name;
  std::function<std::unique_ptr<Goal>(std::mt19937&)> make;
};

std::vector<GoalType> goalTypes() {
  const auto unit = [](std::mt19937& r) { return randomVector(r).normalized().eval(); };
  const auto plane = [=](PlaneGoal::Side side) {
    return [=](std::mt19937& r) { return std::make_unique<PlaneGoal>(0, randomVector(r), randomVector(r), unit(r), side, 2.0, 0.3); };
  };
  return {
      {"position", [](std::mt19937& r) { return std::make_unique<PositionGoal>(0, randomVector(r), randomVector(r), 2.0, 0.3); }},
      {"direction", [=](std::mt19937& r) { return std::make_unique<DirectionGoal>(0, unit(r), unit(r), 1.7, 2.0); }},
      {"aim", [=](std::mt19937& r) { return std::make_unique<AimGoal>(0, randomVector(r), unit(r), randomVector(r, 3.0) + V(4, 0, 0), 1.7, 2.0, 0.3); }},
      {"line", [=](std::mt19937& r) { return std::make_unique<LineGoal>(0, randomVector(r), randomVector(r), unit(r), 2.0, 0.3); }},
      {"plane", plane(PlaneGoal::Side::On)},
      {"half-space", plane(PlaneGoal::Side::HalfSpace)},
  };
}

TEST(Goal, DerivativesOfEveryTypeMatchCentralDifferences) {
  std::mt19937 random(41);
  for (const GoalType& type : goalTypes())
    for (int trial = 0; trial < 50; ++trial) {
      const auto goal = type.make(random);
      const Kinematics at = randomKinematics(random);
      Residual residual, plus, minus;
      TwistJacobian jacobian;
      Matrix6d curvature;
      goal->computeResidual(at, residual);
      goal->computeJacobian(at, 0, jacobian);
      ASSERT_EQ(residual.size(), goal->residualSize());
      const Residual m = Residual::NullaryExpr(residual.size(), [&](Eigen::Index) { return randomVector(random).x(); });
      goal->computeCurvature(at, m, 0, curvature);
      const double scale = 1 + curvature.cwiseAbs().maxCoeff();
      EXPECT_LT((curvature - curvature.transpose()).cwiseAbs().maxCoeff(), 1e-12 * scale);
      for (int i = 0; i < 6; ++i) {
        const double h = 1e-5;
        goal->computeResidual(movedBy(at, h * Vector6d::Unit(i)), plus);
        goal->computeResidual(movedBy(at, -h * Vector6d::Unit(i)), minus);
        // Truncation h^2 r''' and rounding eps r / h, with r of order ten and third derivatives of order a hundred.
        EXPECT_LT(((plus - minus) / (2 * h) - jacobian.col(i)).cwiseAbs().maxCoeff(), 1e-7) << type.name << ", column " << i;
      }
      for (int direction = 0; direction < 4; ++direction) {
        Vector6d twist;
        twist << randomVector(random), randomVector(random);
        const auto second = [&](double h) {
          goal->computeResidual(movedBy(at, h * twist), plus);
          goal->computeResidual(movedBy(at, -h * twist), minus);
          return m.dot(plus - 2.0 * residual + minus) / (h * h);
        };
        const double difference = (4.0 * second(1e-3) - second(2e-3)) / 3.0;
        EXPECT_NEAR(twist.dot(curvature * twist), difference, 1e-7 * scale) << type.name;
      }
    }
}

TEST(DirectionGoal, ScaleTurnsDegreesIntoLengths) {
  EXPECT_NEAR(radianScale(180.0 / std::numbers::pi), 1.0, 1e-15);
  Residual residual;
  const DirectionGoal goal(0, V::UnitX(), V(std::cos(0.01), std::sin(0.01), 0), radianScale(10.0), 1.0);
  goal.computeResidual(oneLinkAt(Transform::identity(), V::Zero()), residual);
  EXPECT_NEAR(residual.norm(), 0.01 * 18.0 / std::numbers::pi, 1e-6) << "ten degrees weigh one unit of length";
}

TEST(AimGoal, IsMetAlongTheRayAndQuietOnTheTargetItself) {
  const Kinematics at = oneLinkAt(Transform::identity(), V::Zero());
  Residual residual;
  AimGoal(0, V(1, 0, 0), V::UnitY(), V(1, 5, 0), 1.0, 1.0, 1.0).computeResidual(at, residual);
  EXPECT_LT(residual.norm(), 1e-6);
  const AimGoal onItself(0, V(1, 0, 0), V::UnitY(), V(1, 0, 0), 1.0, 1.0, 1.0);
  TwistJacobian jacobian;
  Matrix6d curvature;
  onItself.computeResidual(at, residual);
  onItself.computeJacobian(at, 0, jacobian);
  onItself.computeCurvature(at, residual, 0, curvature);
  EXPECT_TRUE(residual.allFinite() && jacobian.allFinite() && curvature.allFinite());
}

TEST(AimGoal, BackwardsHasNegativeCurvature) {
  const Kinematics at = oneLinkAt(Transform::identity(), V::Zero());
  const AimGoal goal(0, V::Zero(), V::UnitX(), V(-4, 0, 0), 1.0, 1.0, 1.0);
  Residual residual;
  TwistJacobian jacobian;
  Matrix6d curvature;
  goal.computeResidual(at, residual);
  goal.computeJacobian(at, 0, jacobian);
  goal.computeCurvature(at, residual, 0, curvature);
  const Matrix6d hessian = jacobian.transpose() * jacobian + curvature;
  EXPECT_LT((jacobian.transpose() * residual).head<3>().norm(), 1e-12);
  EXPECT_LT(hessian(2, 2), -0.5);
}

TEST(LineGoal, MeasuresTheDistanceToTheLine) {
  Residual residual;
  const LineGoal goal(0, V(3, 4, 7), V(0, 0, -2), V::UnitZ(), 1.0, 2.0);
  goal.computeResidual(oneLinkAt(Transform::identity(), V::Zero()), residual);
  EXPECT_NEAR(residual.norm(), 2.5, 1e-15);
}

TEST(PlaneGoal, HalfSpaceAsksForNothingOnItsSide) {
  const Kinematics at = oneLinkAt(Transform::identity(), V::Zero());
  const auto residualAt = [&](double height, PlaneGoal::Side side) {
    Residual residual;
    PlaneGoal(0, V(0, height, 0), V(5, 1, 5), V::UnitY(), side, 1.0, 1.0).computeResidual(at, residual);
    return residual[0];
  };
  EXPECT_EQ(residualAt(3.0, PlaneGoal::Side::HalfSpace), 0.0);
  EXPECT_EQ(residualAt(-3.0, PlaneGoal::Side::HalfSpace), -4.0);
  EXPECT_EQ(residualAt(3.0, PlaneGoal::Side::On), 2.0);
}

}  // namespace
}  // namespace limber

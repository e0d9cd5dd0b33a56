// SPDX-License-Identifier: MIT
// Jacobian and curvature of every goal type against central differences along twists of its links; then values of each
// goal, computed by hand. On the awkward figure, with couplings: tests/posing/goal_types_test.cpp.
#include "limber/goals/goal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "limber/goals/aim_goal.h"
#include "limber/goals/centre_of_mass_goal.h"
#include "limber/goals/clearance_goal.h"
#include "limber/goals/direction_goal.h"
#include "limber/goals/distance_goal.h"
#include "limber/goals/level_goal.h"
#include "limber/goals/line_goal.h"
#include "limber/goals/loop_goal.h"
#include "limber/goals/orientation_goal.h"
#include "limber/goals/plane_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/goals/position_orientation_goal.h"
#include "limber/goals/relative_goal.h"
#include "limber/goals/support_goal.h"
#include "limber/goals/swivel_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"

namespace limber::goal_test {
namespace {

using V = Eigen::Vector3d;

V randomVector(std::mt19937& random, double size = 1.0) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

Eigen::Matrix3d randomRotation(std::mt19937& random) {
  return exponential(randomVector(random, 2.0)).toRotationMatrix();
}

Kinematics linksAt(std::vector<Transform> worldFromLinks, const V& origin = V::Zero()) {
  Kinematics kinematics;
  kinematics.worldFromLink = std::move(worldFromLinks);
  kinematics.origin = origin;
  return kinematics;
}

Kinematics oneLinkAt(const Transform& worldFromLink, const V& origin) { return linksAt({worldFromLink}, origin); }

/// Ten links, anywhere.
Kinematics randomKinematics(std::mt19937& random) {
  std::vector<Transform> links;
  for (int i = 0; i < 10; ++i) {
    const Eigen::Matrix3d rotation = randomRotation(random);
    links.push_back({rotation, randomVector(random, 2.0)});
  }
  return linksAt(std::move(links), randomVector(random, 2.0));
}

/// One link of the kinematics moved by exp(twist) about the origin.
Kinematics movedBy(Kinematics kinematics, int link, const Vector6d& twist) {
  const V w = twist.head<3>();
  const double angle = w.norm();
  const Eigen::Matrix3d rotation = exponential(w).toRotationMatrix();
  // V(w) v = v + (1 - cos)/angle^2 w x v + (angle - sin)/angle^3 w x (w x v); series near zero.
  const double a = angle < 1e-4 ? 0.5 - angle * angle / 24 : (1 - std::cos(angle)) / (angle * angle);
  const double b = angle < 1e-2 ? 1.0 / 6 - angle * angle / 120 : (angle - std::sin(angle)) / (angle * angle * angle);
  const V v = twist.tail<3>();
  const V shift = v + a * w.cross(v) + b * w.cross(w.cross(v));
  Transform& world = kinematics.worldFromLink[static_cast<std::size_t>(link)];
  world = {rotation * world.rotation, kinematics.origin + rotation * (world.translation - kinematics.origin) + shift};
  return kinematics;
}

struct GoalType {
  const char* name;
  std::function<std::unique_ptr<Goal>(std::mt19937&)> make;
};

std::shared_ptr<const Figure> makeHeavyFigure() {
  FigureBuilder builder("heavy");
  for (int i = 0; i < 10; ++i)
    builder.addLink({.name = std::to_string(i),
                     .parent = i - 1,
                     .mass = i % 3 == 0 ? 0.0 : 0.5 + i,
                     .centreOfMass = V(0.1 * i, -0.2, 0.3)},
                    {.type = JointType::Ball});
  return test::built(builder);
}

std::vector<GoalType> goalTypes() {
  const auto unit = [](std::mt19937& r) { return randomVector(r).normalized().eval(); };
  const auto plane = [=](PlaneGoal::Side side) {
    return [=](std::mt19937& r) {
      return std::make_unique<PlaneGoal>(0, randomVector(r), randomVector(r), unit(r), side, 2.0, 0.3);
    };
  };
  const auto orientation = [](std::mt19937& r, double y) {
    const Eigen::Matrix3d frame = randomRotation(r);
    return OrientationGoal(0, frame, randomRotation(r), {1.7, y}, 2.0);
  };
  const auto end = [](std::mt19937& r, int link) {
    const V point = randomVector(r);
    return RelativeGoal::End{link, point, randomRotation(r)};
  };
  const auto loop = [](LoopClosure::Kind kind, int other) {
    return [=](std::mt19937& r) {
      const auto frame = [&] {
        const Eigen::Matrix3d rotation = randomRotation(r);
        return Transform{rotation, randomVector(r)};
      };
      const Transform a = frame();
      return std::make_unique<LoopGoal>(LoopClosure{"loop", kind, 4, a, other, frame()}, 2.0, 0.3);
    };
  };
  const auto distance = [](int other, Interval interval) {
    return [=](std::mt19937& r) {
      const DistanceGoal::End a{0, randomVector(r)}, b{other, randomVector(r) + V(9, 0, 0)};
      return std::make_unique<DistanceGoal>(a, b, interval, 2.0, 0.3);
    };
  };
  const auto clearance = [=](int otherLink, bool isPoint) {
    return [=](std::mt19937& r) {
      const auto line = [&](int link) {
        const V start = randomVector(r), other = randomVector(r);
        return ClearanceGoal::Line{link, start, isPoint ? start : other};
      };
      auto goal = otherLink < 0 ? std::make_unique<ClearanceGoal>(line(0), 2.0, 0.3)
                                : std::make_unique<ClearanceGoal>(line(0), line(otherLink), 2.0, 0.3);
      goal->setPlane(unit(r), randomVector(r).x());
      return goal;
    };
  };
  return {
      {"position",
       [](std::mt19937& r) { return std::make_unique<PositionGoal>(0, randomVector(r), randomVector(r), 2.0, 0.3); }},
      {"orientation", [=](std::mt19937& r) { return std::make_unique<OrientationGoal>(orientation(r, 0.6)); }},
      {"orientation, y free", [=](std::mt19937& r) { return std::make_unique<OrientationGoal>(orientation(r, 0.0)); }},
      {"position and orientation",
       [=](std::mt19937& r) {
         const PositionGoal position(0, randomVector(r), randomVector(r), 1.0, 0.3);
         return std::make_unique<PositionOrientationGoal>(position, orientation(r, 0.6), 0.3, 2.0);
       }},
      {"direction", [=](std::mt19937& r) { return std::make_unique<DirectionGoal>(0, unit(r), unit(r), 1.7, 2.0); }},
      {"aim",
       [=](std::mt19937& r) {
         return std::make_unique<AimGoal>(0, randomVector(r), unit(r), randomVector(r, 3.0) + V(4, 0, 0), 1.7, 2.0,
                                          0.3);
       }},
      {"level",
       [=](std::mt19937& r) {
         const V axis = unit(r);
         return std::make_unique<LevelGoal>(0, axis, unit(r), 2.0);
       }},
      {"line",
       [=](std::mt19937& r) {
         return std::make_unique<LineGoal>(0, randomVector(r), randomVector(r), unit(r), 2.0, 0.3);
       }},
      {"plane", plane(PlaneGoal::Side::On)},
      {"half-space", plane(PlaneGoal::Side::HalfSpace)},
      {"relative",
       [=](std::mt19937& r) {
         const RelativeGoal::End a = end(r, 4);
         return std::make_unique<RelativeGoal>(a, end(r, 7), std::array{1.7, 0.6}, 0.3, 2.0, 0.3);
       }},
      {"loop of a ball", loop(LoopClosure::Kind::Ball, 7)},
      {"loop of a hinge", loop(LoopClosure::Kind::Hinge, 7)},
      {"loop of a weld", loop(LoopClosure::Kind::Weld, 7)},
      {"loop to the world", loop(LoopClosure::Kind::Weld, -1)},
      {"distance, exact", distance(5, {1.5, 1.5})},
      {"distance, at most", distance(5, {0.0, 0.05})},
      {"distance, at least", distance(5, {20.0, std::numeric_limits<double>::infinity()})},
      {"distance, between", distance(5, {0.0, 20.0})},
      {"distance to a place", distance(-1, {0.02, 0.05})},
      {"clearance from the world", clearance(-1, false)},
      {"clearance of a point", clearance(-1, true)},
      {"clearance of two links", clearance(5, false)},
      {"support",
       [](std::mt19937& r) {
         std::vector<SupportGoal::Side> sides;
         for (int k = 0; k < 5; ++k) {
           const V normal = randomVector(r);
           sides.push_back({Eigen::Vector2d(normal.x(), normal.y()).normalized(), normal.z()});
         }
         return std::make_unique<SupportGoal>(*makeHeavyFigure(), sides, 2.0, 0.3);
       }},
      {"swivel",
       [=](std::mt19937& r) {
         while (true) {  // a limb that is well bent across its direction at the kinematics that come next
           const V root = randomVector(r), middle = root + 6.0 * unit(r), wrist = randomVector(r, 5.0), d = unit(r);
           std::mt19937 ahead = r;
           const Kinematics at = randomKinematics(ahead);
           const V h = at.worldFromLink[3] * root, c = at.worldFromLink[3] * middle;
           const V line = at.worldFromLink[8] * wrist - h;
           const double across = line.cross(c - h).norm() * line.cross(d).norm() / (3.0 * line.squaredNorm());
           if (line.norm() > 3.0 && across > 0.5 && std::abs(swivelAngle(h, c, h + line, d, 3.0)) < 2.5)
             return std::make_unique<SwivelGoal>(SwivelGoal::Upper{3, root, middle}, 8, wrist, d, 2.0, 3.0);
         }
       }},
      {"centre of mass",
       [](std::mt19937& r) {
         return std::make_unique<CentreOfMassGoal>(*makeHeavyFigure(), randomVector(r), 2.0, 0.3);
       }},
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
      ASSERT_EQ(residual.size(), goal->residualSize());
      const Residual m = Residual::NullaryExpr(residual.size(), [&](Eigen::Index) { return randomVector(random).x(); });
      for (int which = 0; which < goal->linkCount(); ++which) {
        const int link = goal->link(which);
        goal->computeJacobian(at, which, jacobian);
        goal->computeCurvature(at, m, which, curvature);
        const double scale = 1 + curvature.cwiseAbs().maxCoeff();
        EXPECT_LT((curvature - curvature.transpose()).cwiseAbs().maxCoeff(), 1e-12 * scale);
        for (int i = 0; i < 6; ++i) {
          const double h = 1e-5;
          goal->computeResidual(movedBy(at, link, h * Vector6d::Unit(i)), plus);
          goal->computeResidual(movedBy(at, link, -h * Vector6d::Unit(i)), minus);
          // Truncation h^2 r''' and rounding eps r / h, with r of order ten and third derivatives of order a hundred.
          EXPECT_LT(((plus - minus) / (2 * h) - jacobian.col(i)).cwiseAbs().maxCoeff(), 1e-7)
              << type.name << ", column " << i;
        }
        for (int direction = 0; direction < 4; ++direction) {
          Vector6d twist;
          twist << randomVector(random), randomVector(random);
          const auto second = [&](double h) {
            goal->computeResidual(movedBy(at, link, h * twist), plus);
            goal->computeResidual(movedBy(at, link, -h * twist), minus);
            return m.dot(plus - 2.0 * residual + minus) / (h * h);
          };
          const double difference = (4.0 * second(1e-3) - second(2e-3)) / 3.0;
          EXPECT_NEAR(twist.dot(curvature * twist), difference, 1e-7 * scale) << type.name;
        }
      }
    }
}

/// d2 value / ds dt at zero, to fourth order.
double mixedDifference(const std::function<double(double s, double t)>& value) {
  const auto mixed = [&](double h) {
    return (value(h, h) - value(h, -h) - value(-h, h) + value(-h, -h)) / (4 * h * h);
  };
  return (4.0 * mixed(1e-3) - mixed(2e-3)) / 3.0;
}

TEST(Goal, CurvatureAcrossLinksMatchesCentralDifferences) {
  std::mt19937 random(42);
  for (const GoalType& type : goalTypes())
    for (int trial = 0; trial < 10; ++trial) {
      const auto goal = type.make(random);
      const Kinematics at = randomKinematics(random);
      Residual residual;
      Matrix6d curvature;
      const Residual m =
          Residual::NullaryExpr(goal->residualSize(), [&](Eigen::Index) { return randomVector(random).x(); });
      for (int a = 0; a < goal->linkCount(); ++a)
        for (int b = 0; b < goal->linkCount(); ++b) {
          if (a == b) continue;
          Vector6d s, t;
          s << randomVector(random), randomVector(random);
          t << randomVector(random), randomVector(random);
          goal->computeCrossCurvature(at, m, a, b, curvature);
          const double difference = mixedDifference([&](double x, double y) {
            goal->computeResidual(movedBy(movedBy(at, goal->link(a), x * s), goal->link(b), y * t), residual);
            return m.dot(residual);
          });
          EXPECT_NEAR(s.dot(curvature * t), difference, 1e-7 * (1 + curvature.cwiseAbs().maxCoeff())) << type.name;
          EXPECT_TRUE(goal->crossesLinks() || curvature.isZero(0.0)) << type.name;
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

TEST(LevelGoal, IsTheSineOfTheTilt) {
  const LevelGoal goal(0, V::UnitX(), V::UnitY(), 1.0);
  Residual residual;
  const Eigen::AngleAxisd tilt(0.3, V::UnitZ()), heading(1.0, V::UnitY());
  goal.computeResidual(oneLinkAt({(heading * tilt).toRotationMatrix(), V(1, 2, 3)}, V::Zero()), residual);
  EXPECT_NEAR(residual[0], std::sin(0.3), 1e-15);
}

TEST(LineGoal, MeasuresTheDistanceToTheLine) {
  Residual residual;
  const LineGoal goal(0, V(3, 4, 7), V(0, 0, -2), V::UnitZ(), 1.0, 2.0);
  goal.computeResidual(oneLinkAt(Transform::identity(), V::Zero()), residual);
  EXPECT_NEAR(residual.norm(), 2.5, 1e-15);
}

TEST(ClearanceGoal, HasARowForEveryEndAndPairOfEnds) {
  const Kinematics at = linksAt({Transform::identity(), Transform::fromTranslation(V(0, 3, 0))});
  Residual residual;
  ClearanceGoal above({0, V(0, 1, 0), V(5, 2, 0)}, 1.0, 2.0);
  above.setPlane(V::UnitY(), 0.5);
  above.computeResidual(at, residual);
  ASSERT_EQ(residual.size(), 2);
  EXPECT_DOUBLE_EQ(residual[0], 0.25);
  EXPECT_DOUBLE_EQ(residual[1], 0.75);
  ClearanceGoal apart({1, V(0, 1, 0), V(0, 2, 0)}, {0, V(0, 1, 0), V(0, 2, 7)}, 1.0, 1.0);
  apart.setPlane(V::UnitY(), 0.5);
  apart.computeResidual(at, residual);
  ASSERT_EQ(residual.size(), 4);
  EXPECT_DOUBLE_EQ(residual.minCoeff(), 4.0 - 2.0 - 0.5) << "the lower end of the one above the upper of the other";
  EXPECT_DOUBLE_EQ(residual.maxCoeff(), 5.0 - 1.0 - 0.5);
  EXPECT_EQ(ClearanceGoal({0, V(1, 1, 1), V(1, 1, 1)}, 1.0, 1.0).residualSize(), 1) << "a point";
}

TEST(PlaneGoal, HalfSpaceAsksForNothingOnItsSide) {
  const Kinematics at = oneLinkAt(Transform::identity(), V::Zero());
  const auto residualAt = [&](double height, PlaneGoal::Side side) {
    Residual residual;
    PlaneGoal(0, V(0, height, 0), V(5, 1, 5), V::UnitY(), side, 1.0, 1.0).computeResidual(at, residual);
    return residual[0];
  };
  const PlaneGoal beside(0, V::Zero(), V(5, 1, 5), V::UnitY(), PlaneGoal::Side::HalfSpace, 1.0, 1.0);
  EXPECT_TRUE(beside.isOneSided());
  Residual residual = Residual::Constant(1, residualAt(3.0, PlaneGoal::Side::HalfSpace));
  EXPECT_EQ(residual[0], 2.0);
  clampOneSided(residual);
  EXPECT_EQ(residual[0], 0.0);
  EXPECT_EQ(residualAt(-3.0, PlaneGoal::Side::HalfSpace), -4.0);
  EXPECT_EQ(residualAt(3.0, PlaneGoal::Side::On), 2.0);
}

Residual residualOf(const Goal& goal, const Kinematics& at) {
  Residual residual;
  goal.computeResidual(at, residual);
  return residual;
}

/// r, J and curvature are finite.
void expectRegular(const Goal& goal, const Kinematics& at) {
  const Residual residual = residualOf(goal, at);
  EXPECT_TRUE(residual.allFinite());
  TwistJacobian jacobian;
  Matrix6d curvature;
  for (int which = 0; which < goal.linkCount(); ++which) {
    goal.computeJacobian(at, which, jacobian);
    goal.computeCurvature(at, residual, which, curvature);
    EXPECT_TRUE(jacobian.allFinite() && curvature.allFinite());
  }
}

TEST(OrientationGoal, AScaleOfZeroLeavesItsDirectionFree) {
  const Kinematics at = oneLinkAt(Transform::identity(), V::Zero());
  const Eigen::Matrix3d turned = Eigen::AngleAxisd(0.8, V::UnitX()).toRotationMatrix();
  EXPECT_EQ(residualOf(OrientationGoal(0, turned, Eigen::Matrix3d::Identity(), {2.0, 0.0}, 1.0), at).norm(), 0.0);
  const double left = residualOf(OrientationGoal(0, turned, Eigen::Matrix3d::Identity(), {2.0, 3.0}, 1.0), at).norm();
  EXPECT_NEAR(left, 3.0 * 2.0 * std::sin(0.4), 1e-12) << "the chord between the y axes, times c_dy";
}

TEST(OrientationGoal, TheOppositeIsStationaryAndOfNegativeCurvature) {
  const Kinematics at = oneLinkAt(Transform::identity(), V::Zero());
  const Eigen::Matrix3d opposite = Eigen::AngleAxisd(std::numbers::pi, V::UnitZ()).toRotationMatrix();
  const OrientationGoal goal(0, opposite, Eigen::Matrix3d::Identity(), {1.0, 1.0}, 1.0);
  expectRegular(goal, at);
  TwistJacobian jacobian;
  Matrix6d curvature;
  const Residual residual = residualOf(goal, at);
  goal.computeJacobian(at, 0, jacobian);
  goal.computeCurvature(at, residual, 0, curvature);
  EXPECT_LT((jacobian.transpose() * residual).norm(), 1e-12);
  EXPECT_LT((jacobian.transpose() * jacobian + curvature)(2, 2), -0.5);
}

TEST(PositionOrientationGoal, SharesOutItsWeight) {
  const Kinematics at = oneLinkAt(Transform::identity(), V::Zero());
  const PositionGoal place(0, V(1, 2, 3), V::Zero(), 1.0, 2.0);
  const OrientationGoal turn(0, Eigen::AngleAxisd(1.0, V::UnitY()).toRotationMatrix(), Eigen::Matrix3d::Identity(),
                             {1.5, 0.5}, 1.0);
  const double p = residualOf(place, at).squaredNorm(), o = residualOf(turn, at).squaredNorm();
  for (const double share : {0.0, 0.3, 1.0})
    EXPECT_NEAR(residualOf(PositionOrientationGoal(place, turn, share, 1.0), at).squaredNorm(),
                share * p + (1 - share) * o, 1e-12);
}

TEST(RelativeGoal, IsMetWhereTheEndsMeetWhereverThatIs) {
  std::mt19937 random(43);
  const auto place = [&] {
    const Eigen::Matrix3d turn = randomRotation(random);
    return Transform{turn, randomVector(random)};
  };
  const Transform a = place(), b = place(), moved = place();
  const V tube = randomVector(random);  // where in the world both hold it
  const RelativeGoal goal({0, a.inverse() * tube, a.rotation.transpose()},
                          {1, b.inverse() * tube, b.rotation.transpose()}, {1.0, 1.0}, 0.5, 1.0, 0.3);
  EXPECT_LT(residualOf(goal, linksAt({a, b})).norm(), 1e-14);
  EXPECT_LT(residualOf(goal, linksAt({moved * a, moved * b})).norm(), 1e-13);
  EXPECT_GT(residualOf(goal, linksAt({moved * a, b})).norm(), 0.1);
}

TEST(DistanceGoal, MeetsItsBoundsExactlyAndAsksForNothingBetween) {
  const auto left = [](double distance, Interval interval) {
    const DistanceGoal goal({0, V::Zero()}, {-1, V(0, 0, distance)}, interval, 1.0, 0.5);
    return residualOf(goal, oneLinkAt(Transform::identity(), V::Zero()))[0];
  };
  EXPECT_NEAR(left(2.0, {2.0, 2.0}), 0.0, 1e-15);
  EXPECT_EQ(left(2.0, {1.0, 3.0}), 0.0);
  EXPECT_EQ(left(0.0, {0.0, 0.0}), 0.0);
  EXPECT_NEAR(left(4.0, {1.0, 3.0}), 2.0, 1e-6) << "a metre is two units of length";
  EXPECT_NEAR(left(0.25, {1.0, 3.0}), -1.5, 1e-5);
}

TEST(DistanceGoal, PointsThatMeetAndShouldNotCurveApart) {
  const Kinematics at = linksAt({Transform::identity(), Transform::identity()});
  const DistanceGoal goal({0, V(1, 0, 0)}, {1, V(1, 0, 0)}, {0.5, 0.5}, 1.0, 1.0);
  expectRegular(goal, at);
  TwistJacobian jacobian;
  Matrix6d curvature;
  goal.computeJacobian(at, 0, jacobian);
  goal.computeCurvature(at, residualOf(goal, at), 0, curvature);
  EXPECT_TRUE(jacobian.isZero(0.0));
  EXPECT_LT(curvature(3, 3), -1.0);
}

/// A limb in the plane of x and y, from the origin along x, bent toward `bend`; its upper bone is link 0.
double swivelOf(const V& bend, const V& direction) {
  const Kinematics at = linksAt({Transform::identity(), Transform::fromTranslation(V(2, 0, 0))});
  const SwivelGoal goal({0, V::Zero(), V(1, 0, 0) + bend}, 1, V::Zero(), direction, 1.0, 1.0);
  expectRegular(goal, at);
  return residualOf(goal, at)[0];
}

TEST(SwivelGoal, IsTheSignedAngleAboutTheLimb) {
  const double fade = 1.0 / (1.0 + 0.05 * 0.05);  // of a bend of one unit of length
  EXPECT_NEAR(swivelOf(V(0, 1, 0), V(0, 1, 0)), 0.0, 1e-15);
  EXPECT_NEAR(swivelOf(V(0, 0, 1), V(0, 1, 0)), fade * std::numbers::pi / 2, 1e-6) << "a right-handed turn about x";
  EXPECT_NEAR(swivelOf(V(0, 0, -1), V(0, 1, 0)), -fade * std::numbers::pi / 2, 1e-6);
  EXPECT_NEAR(std::abs(swivelOf(V(0, -1, 0), V(0, 1, 0))), fade * std::numbers::pi, 1e-6);
  EXPECT_NEAR(swivelOf(V(0, 1, 0), V(-0.8, 0.6, 0)), 0.0, 1e-15) << "what lies along the limb plays no part";
}

TEST(SwivelGoal, AsksNothingOfAStraightLimb) {
  EXPECT_EQ(swivelOf(V::Zero(), V(0, 1, 0)), 0.0);
  EXPECT_LT(std::abs(swivelOf(V(0, 0, 1e-3), V(0, 1, 0))), 1e-3);
  EXPECT_EQ(swivelOf(V(0, 0, 1), V(1, 0, 0)), 0.0) << "a direction along the limb says nothing";
}

TEST(CentreOfMassGoal, WeighsLinksByMassAndLeavesHeightFree) {
  FigureBuilder builder("two");
  builder.addLink({.name = "a", .mass = 3.0, .centreOfMass = V(1, 0, 0)}, {.type = JointType::Ball});
  builder.addLink({.name = "b", .parent = 0, .mass = 1.0}, {.type = JointType::Ball});
  const auto figure = test::built(builder);
  const Kinematics at = linksAt({Transform::identity(), Transform::fromTranslation(V(5, 7, 4))});
  const V centre(0.75 * 1 + 0.25 * 5, 0.25 * 7, 0.25 * 4);
  EXPECT_LT(residualOf(CentreOfMassGoal(*figure, centre, 1.0, 0.5), at).norm(), 1e-15);
  EXPECT_LT(residualOf(CentreOfMassGoal(*figure, centre + V(0, 9, 0), 1.0, 0.5), at).norm(), 1e-15);
  EXPECT_NEAR(residualOf(CentreOfMassGoal(*figure, centre + V(0.3, 0, 0.4), 1.0, 0.5), at).norm(), 1.0, 1e-15);
}

TEST(CentreOfMassGoal, IsNotDefinedWithoutMass) {
  FigureBuilder builder("a point, of which no mass can be estimated");
  builder.addLink({.name = "point"}, {.type = JointType::Ball});
  const auto figure = test::built(builder);
  EXPECT_FALSE(CentreOfMassGoal::isDefined(*figure));
  EXPECT_TRUE(CentreOfMassGoal::isDefined(*makeHeavyFigure()));
  const CentreOfMassGoal goal(*figure, V(1, 2, 3), 1.0, 1.0);
  EXPECT_EQ(goal.linkCount(), 0);
  EXPECT_EQ(residualOf(goal, oneLinkAt(Transform::identity(), V::Zero())).norm(), 0.0);
}

}  // namespace
}  // namespace limber::goal_test

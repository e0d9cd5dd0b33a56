// SPDX-License-Identifier: MIT
#include "app/view/gizmo.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

namespace limber::app::gizmo_test {
namespace {

using V = Eigen::Vector3d;
using render::Ray;

constexpr double kPi = std::numbers::pi;
constexpr double kTolerance = 1e-9;  // metres or radians, of a few products at distances of some metres

/// An eye three metres away, a little above the ground.
constexpr double kEyeHeight = 1.6;
const V kEye(0.4, kEyeHeight, 3.0);

Ray rayTo(const V& point, const V& eye = kEye) { return {eye, (point - eye).normalized()}; }

V randomUnit(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return V(normal(random), normal(random), normal(random)).normalized();
}

TEST(Gizmo, NothingMovesWhereItWasTaken) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const V point = V(0, 1, 0) + 0.5 * randomUnit(random), axis = randomUnit(random);
    const Ray ray = rayTo(point + 0.02 * randomUnit(random));
    EXPECT_EQ(slideBy(takeInPlane(ray, point, axis), ray), V::Zero());
    EXPECT_EQ(slideBy(takeAlongLine(ray, point, axis), ray), V::Zero());
    Turn turn = takeRing(ray, point, axis, point + 0.3 * axis.unitOrthogonal());
    EXPECT_NEAR(turnBy(turn, ray), 0.0, kTolerance);
  }
}

TEST(Gizmo, APointOfThePlaneUnderTheCursorIsReachedExactly) {
  const V point(0.2, 0.3, 0.1);
  for (const V& to : {V(0.5, 0.3, 0.6), V(-0.4, 0.3, -0.2), V(0.2, 0.3, 0.1)}) {
    const Slide slide = takeInPlane(rayTo(point), point, V::UnitY());
    EXPECT_LT((slideBy(slide, rayTo(to)) - (to - point)).norm(), kTolerance);
  }
}

TEST(Gizmo, TheOffsetOfTheHandIsKept) {
  const V point(0.2, 0.3, 0.1), beside(0.25, 0.3, 0.12), to(0.6, 0.3, 0.4);
  const Slide slide = takeInPlane(rayTo(beside), point, V::UnitY());
  EXPECT_LT((slideBy(slide, rayTo(to)) - (to - beside)).norm(), kTolerance);
}

TEST(Gizmo, APointOfTheLineUnderTheCursorIsReachedExactly) {
  std::mt19937 random(2);
  for (int i = 0; i < 1000; ++i) {
    const V point = V(0, 1, 0) + 0.3 * randomUnit(random), axis = randomUnit(random);
    if (axis.cross(rayTo(point).direction).norm() < 0.3) continue;  // the next test but one
    const Slide slide = takeAlongLine(rayTo(point), point, axis);
    for (const double way : {-0.4, 0.1, 0.5})
      EXPECT_LT((slideBy(slide, rayTo(point + way * axis)) - way * axis).norm(), kTolerance);
  }
}

TEST(Gizmo, ALineIsNeverLeft) {
  std::mt19937 random(3);
  for (int i = 0; i < 1000; ++i) {
    const V point = V(0, 1, 0) + 0.3 * randomUnit(random), axis = randomUnit(random);
    const V way = slideBy(takeAlongLine(rayTo(point), point, axis), rayTo(V(0, 1, 0) + randomUnit(random)));
    EXPECT_LT(way.cross(axis).norm(), kTolerance);
    EXPECT_TRUE(way.allFinite());
  }
}

TEST(Gizmo, ALineThatPointsAtTheEyeFollowsTheCursorsWayUp) {
  const V point(0, 1, 0);
  for (const double sign : {1.0, -1.0}) {
    const V axis = sign * rayTo(point).direction;  // away from the eye, and towards it
    const Slide slide = takeAlongLine(rayTo(point), point, axis);
    const V up = slideBy(slide, rayTo(point + V(0, 0.1, 0))), down = slideBy(slide, rayTo(point - V(0, 0.1, 0)));
    EXPECT_NEAR(up.dot(rayTo(point).direction), 0.1, 0.02) << "up on the screen is farther away";
    EXPECT_NEAR(down.dot(rayTo(point).direction), -0.1, 0.02);
  }
}

TEST(Gizmo, APlaneSeenEdgeOnLeavesTheLineThatIsSeen) {
  const V point(0, kEyeHeight, 0);  // as high as the eye
  const Slide slide = takeInPlane(rayTo(point), point, V::UnitY());
  ASSERT_TRUE(slide.isLine());
  EXPECT_NEAR(slide.along.y(), 0.0, kTolerance);
  const V way = slideBy(slide, rayTo(point + V(0.3, 0.2, 0)));
  EXPECT_NEAR(way.y(), 0.0, kTolerance);
  EXPECT_GT(way.norm(), 0.2);
}

/// The cursor goes up past the horizon, a thousandth of a radian (about a pixel) at a time.
TEST(Gizmo, AtTheHorizonTheWayIsClampedAndNeverLeaps) {
  const V point(0.0, 0.0, 0.0);
  const Slide slide = takeInPlane(rayTo(point), point, V::UnitY());
  const double start = std::asin(-rayTo(point).direction.y()), length = (point - kEye).norm();
  const V level = V(point.x() - kEye.x(), 0.0, point.z() - kEye.z()).normalized();
  constexpr double kPixel = 1e-3;
  double last = 0.0, lastStep = 0.0, most = 0.0;
  for (double angle = start; angle > -1.2; angle -= kPixel) {
    const V way = slideBy(slide, {kEye, std::cos(angle) * level - std::sin(angle) * V::UnitY()});
    EXPECT_NEAR(way.y(), 0.0, kTolerance) << "it stays in the plane";
    const double along = way.dot(level), step = along - last;
    EXPECT_GE(step, -kTolerance) << "it never comes back";
    EXPECT_LT(step, 0.07 * length) << "a pixel is never more than this, at " << angle;
    if (angle < -kPixel) {
      EXPECT_NEAR(step, 0.0, kTolerance) << "beyond it stays put";
    }
    EXPECT_LT(std::abs(step - lastStep), 0.01 * length) << "no kink, at " << angle;
    last = along;
    lastStep = step;
    most = std::max(most, along);
  }
  EXPECT_LT(most, (kFarthest + 0.5) * length);
  EXPECT_GT(most, 0.8 * (kFarthest - 1.0) * length);
}

TEST(Gizmo, AtTheVanishingPointOfALineItIsClampedToo) {
  const V point(0.0, 0.5, 0.0), axis = V(0.0, 0.0, -1.0);  // away from the eye
  const Slide slide = takeAlongLine(rayTo(point), point, axis);
  const V start = rayTo(point).direction;
  double last = 0.0;
  for (double t = 0.0; t < 1.5; t += 1e-3) {  // through the vanishing point and on
    const double way = slideBy(slide, {kEye, (start + t * (axis - start)).normalized()}).dot(axis);
    EXPECT_GE(way, last - kTolerance);
    EXPECT_LT(way - last, 0.3) << "at " << t;
    last = way;
  }
  EXPECT_LT(last, (kFarthest + 0.5) * (point - kEye).norm());
}

TEST(Gizmo, ParallelRaysMoveAsFarAsTheyMove) {
  const V point(0, 1, 0), direction = V(0, -0.3, -1).normalized();
  const Slide slide = takeInPlane({V(0, 1, 5), direction}, point, V::UnitZ());
  EXPECT_LT((slideBy(slide, {V(0.3, 1.2, 5), direction}) - V(0.3, 0.2, 0)).norm(), kTolerance);
  const V behind = V(0.3, 1.2, 5) + 9.0 * direction;
  EXPECT_LT((slideBy(slide, {behind, direction}) - V(0.3, 0.2, 0)).norm(), kTolerance) << "from wherever they start";
}

TEST(Gizmo, WholeStepsAreCountedFromTheStart) {
  const V point(0, 1, 0);
  const Slide line = takeAlongLine(rayTo(point), point, V::UnitX());
  EXPECT_LT((inSteps(line, V(0.234, 0, 0), 0.1) - V(0.2, 0, 0)).norm(), kTolerance);
  EXPECT_LT((inSteps(line, V(-0.26, 0, 0), 0.1) - V(-0.3, 0, 0)).norm(), kTolerance);
  EXPECT_EQ(inSteps(line, V(0.234, 0, 0), 0.0), V(0.234, 0, 0));
  const Slide plane = takeInPlane(rayTo(point), point, V::UnitY(), V(V::UnitX()));
  EXPECT_LT((inSteps(plane, V(0.234, 0, -0.08), 0.1) - V(0.2, 0, -0.1)).norm(), kTolerance);
  EXPECT_LT((inSteps(plane, V(0.234, 0.033, -0.08), 0.1) - V(0.2, 0.033, -0.1)).norm(), kTolerance)
      << "what it was pushed across the plane stays";
  EXPECT_NEAR(inSteps(37.0, 15.0), 30.0, kTolerance);
  EXPECT_NEAR(inSteps(-38.0, 15.0), -45.0, kTolerance);
  EXPECT_EQ(inSteps(37.3, 0.0), 37.3);
}

TEST(Gizmo, AnExactLengthKeepsTheDirection) {
  const V point(0, 1, 0);
  const Slide line = takeAlongLine(rayTo(point), point, V::UnitX());
  EXPECT_LT((withLength(line, V(0.2, 0, 0), -0.5) - V(-0.5, 0, 0)).norm(), kTolerance) << "signed along a line";
  const Slide plane = takeInPlane(rayTo(point), point, V::UnitY(), V(V::UnitX()));
  EXPECT_LT((withLength(plane, V(0.3, 0, 0.4), 1.0) - V(0.6, 0, 0.8)).norm(), kTolerance);
  EXPECT_LT((withLength(plane, V::Zero(), 1.0) - V(1, 0, 0)).norm(), kTolerance) << "from nowhere along the first";
}

/// The point of a ring at an angle from where it was taken.
V onRing(const V& centre, const V& axis, const V& arm, double angle) {
  return centre + Eigen::AngleAxisd(angle, axis) * arm;
}

TEST(Gizmo, ARingTurnsAsFarAsTheCursorGoesAround) {
  const V centre(0, 1, 0);
  for (const V& axis : {V(0, 0, 1), V(0, 0, -1), V(V(0.3, 0.5, 0.8).normalized())}) {
    const V arm = 0.2 * axis.unitOrthogonal();
    for (const double angle : {0.3, -0.3, 3.0, -3.0}) {
      Turn turn = takeRing(rayTo(centre + arm), centre, axis, centre + arm);
      ASSERT_FALSE(turn.isEdgeOn);
      EXPECT_NEAR(turnBy(turn, rayTo(onRing(centre, axis, arm, angle))), angle, kTolerance);
    }
  }
}

TEST(Gizmo, ARingTurnsMoreThanOnceAroundAndBack) {
  const V centre(0, 1, 0), axis(0, 0, 1), arm(0.2, 0, 0);
  Turn turn = takeRing(rayTo(centre + arm), centre, axis, centre + arm);
  for (int i = 1; i <= 50; ++i) turnBy(turn, rayTo(onRing(centre, axis, arm, 0.5 * i)));
  EXPECT_NEAR(turn.angle, 25.0, 1e-8);
  for (int i = 49; i >= -10; --i) turnBy(turn, rayTo(onRing(centre, axis, arm, 0.5 * i)));
  EXPECT_NEAR(turn.angle, -5.0, 1e-8);
}

TEST(Gizmo, ARingSeenEdgeOnTurnsLikeARoller) {
  const V centre(0, kEyeHeight, 0), axis(0, 1, 0);  // a level ring as high as the eye
  const V toEye = V(kEye.x(), 0.0, kEye.z()).normalized(), right = axis.cross(toEye);
  const V front = centre + 0.2 * toEye, back = centre - 0.2 * toEye, side = centre + 0.2 * right;
  for (const V& grabbed : {front, side}) {
    Turn turn = takeRing(rayTo(grabbed), centre, axis, grabbed);
    ASSERT_TRUE(turn.isEdgeOn);
    EXPECT_NEAR(turnBy(turn, rayTo(grabbed + 0.1 * right)), 0.5, 0.05) << "a tenth of a metre at a fifth";
    EXPECT_NEAR(turnBy(turn, rayTo(grabbed + V(0, 0.1, 0))), 0.0, 0.01) << "across it nothing";
    EXPECT_NEAR(turnBy(turn, rayTo(grabbed + 2.0 * right)), 10.0, 1.5) << "more than a turn";
  }
  Turn turn = takeRing(rayTo(back), centre, axis, back);
  EXPECT_NEAR(turnBy(turn, rayTo(back + 0.1 * right)), -0.5, 0.05) << "the back goes the other way";
}

TEST(Gizmo, ARingSeenAtAGrazingAngleNeverLeaps) {
  const V centre(0, 1, 0), axis = V(0, 1, 0.05).normalized();
  const V arm = 0.2 * axis.unitOrthogonal();
  Turn turn = takeRing(rayTo(centre + arm), centre, axis, centre + arm);
  double last = 0.0;
  for (int i = 0; i < 2000; ++i) {  // up and over the horizon of the ring's plane
    const double angle = turnBy(turn, {kEye, (rayTo(centre + arm).direction + 5e-4 * i * V::UnitY()).normalized()});
    EXPECT_LT(std::abs(angle - last), 0.2) << i;
    last = angle;
  }
}

TEST(Gizmo, StepsSuitTheFigure) {
  EXPECT_NEAR(snapStepsOf(1.75).coarse, 0.1, 1e-12) << "10 cm for a human";
  EXPECT_NEAR(snapStepsOf(1.75).fine, 0.01, 1e-12);
  EXPECT_NEAR(snapStepsOf(0.19).coarse, 0.01, 1e-12) << "1 cm for a hand";
  EXPECT_NEAR(snapStepsOf(40.0).coarse, 1.0, 1e-12) << "1 m for a crane";
  EXPECT_GT(snapStepsOf(0.0).coarse, 0.0);
  EXPECT_GT(snapStepsOf(std::nan("")).fine, 0.0);
}

TypedNumber typed(std::u32string_view text) {
  TypedNumber number;
  for (const char32_t c : text) number.type(c);
  return number;
}

TEST(Gizmo, ANumberIsTyped) {
  EXPECT_EQ(typed(U"12.5").value(), 12.5);
  EXPECT_EQ(typed(U"12,5").value(), 12.5) << "a comma is a point";
  EXPECT_EQ(typed(U"-.25").value(), -0.25);
  EXPECT_EQ(typed(U"3-").value(), -3.0) << "a minus at any time";
  EXPECT_EQ(typed(U"3--").value(), 3.0);
  EXPECT_EQ(typed(U"0.1").value(), 0.1) << "to the bit";
  EXPECT_FALSE(typed(U"").value());
  EXPECT_FALSE(typed(U"-").value());
  EXPECT_FALSE(typed(U".").value());
  EXPECT_TRUE(typed(U"").isEmpty());
  EXPECT_FALSE(typed(U"-").isEmpty());
  EXPECT_EQ(typed(U"1.2.3").value(), 1.23) << "a second point is passed over";
  EXPECT_TRUE(std::isfinite(*typed(std::u32string(400, U'9')).value()));
  TypedNumber number;
  EXPECT_FALSE(number.type(U'x'));
  EXPECT_FALSE(number.type(U'+'));
}

TEST(Gizmo, BackspaceTakesTheNumberBack) {
  TypedNumber number = typed(U"-1.5");
  EXPECT_TRUE(number.erase());
  EXPECT_EQ(number.text(), "-1.");
  EXPECT_EQ(number.value(), -1.0);
  EXPECT_TRUE(number.erase() && number.erase());
  EXPECT_EQ(number.text(), "-");
  EXPECT_TRUE(number.erase());
  EXPECT_TRUE(number.isEmpty());
  EXPECT_FALSE(number.erase());
}

}  // namespace
}  // namespace limber::app::gizmo_test

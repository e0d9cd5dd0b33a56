// SPDX-License-Identifier: MIT
// Path curves: interpolation of the points, length, and parameterisation by arc length.
#include "limber/scene/path_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace limber::path_curve_test {
namespace {

using V = Eigen::Vector3d;
using Curve = TargetPath::Curve;

constexpr double kEven = 1e-3;  // relative tolerance of the speed

TargetPath winding() {
  return {.points = {V(0, 0, 0), V(1, 0.2, 0), V(1.1, 2, 0.5), V(-1, 2.5, 1), V(-1.2, 2.4, 1.05), V(0, 0, 2)}};
}

/// The length by a very fine polygon.
double lengthByChords(const PathCurve& curve) {
  constexpr int kParts = 400000;
  double length = 0.0;
  V before = curve.at(0.0);
  for (int i = 1; i <= kParts; ++i) {
    const V now = curve.at(static_cast<double>(i) * curve.pieceCount() / kParts);
    length += (now - before).norm();
    before = now;
  }
  return length;
}

/// Expects equal distances in equal times: chords of small steps differ by at most kEven.
void expectEvenSpeed(const TargetPath& path) {
  const PathCurve curve(path);
  constexpr int kSteps = 4000;
  double least = 1e300, most = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const auto place = [&](int step) { return curve.atLength(curve.length() * step / kSteps); };
    const double way = (place(i + 1) - place(i)).norm();
    least = std::min(least, way);
    most = std::max(most, way);
  }
  EXPECT_LT(most / least - 1.0, kEven);
  EXPECT_NEAR(most * kSteps, curve.length(), kEven * curve.length());
}

TEST(PathCurve, PassesThroughItsPoints) {
  for (const bool isClosed : {false, true}) {
    TargetPath path = winding();
    path.isClosed = isClosed;
    const PathCurve curve(path);
    ASSERT_EQ(curve.pieceCount(), isClosed ? 6 : 5);
    for (std::size_t i = 0; i < path.points.size(); ++i)
      EXPECT_LT((curve.at(static_cast<double>(i)) - path.points[i]).norm(), 1e-12);
    if (isClosed) {
      EXPECT_LT((curve.at(6.0) - path.points[0]).norm(), 1e-12);
    }
  }
}

TEST(PathCurve, HasNoCornerAtItsPoints) {
  TargetPath path = winding();
  path.isClosed = true;
  const PathCurve curve(path);
  constexpr double h = 1e-6;
  for (int i = 0; i < 6; ++i) {
    const V before = (curve.at(i == 0 ? 6.0 : i) - curve.at((i == 0 ? 6.0 : i) - h)).normalized();
    const V after = (curve.at(i + h) - curve.at(i)).normalized();
    EXPECT_LT((before - after).norm(), 1e-4) << i;
  }
}

TEST(PathCurve, StraightLineIsAsLongAsItsEndsAreApart) {
  const PathCurve curve({.points = {V(1, 2, 3), V(1, 2, 3.5), V(1, 2, 7)}});
  EXPECT_NEAR(curve.length(), 4.0, 1e-9);
  EXPECT_LT((curve.atLength(1.0) - V(1, 2, 4)).norm(), 1e-9);
}

TEST(PathCurve, QuarterCircleOfBezierHasTheKnownLength) {
  const double k = 4.0 / 3.0 * (std::sqrt(2.0) - 1.0);  // the usual handles: within 2.8e-4 of the circle
  const PathCurve curve({.curve = Curve::Bezier, .points = {V(1, 0, 0), V(1, k, 0), V(k, 1, 0), V(0, 1, 0)}});
  EXPECT_NEAR(curve.length(), 0.5 * std::numbers::pi, 3e-4);
  EXPECT_NEAR(curve.length(), lengthByChords(curve), 1e-9);
}

TEST(PathCurve, LengthAgreesWithChords) {
  const PathCurve curve(winding());
  EXPECT_NEAR(curve.length(), lengthByChords(curve), 1e-8);
  for (const double parameter : {0.0, 0.3, 1.0, 2.7, 3.0, 3.5, 4.99, 5.0})
    EXPECT_NEAR(curve.parameterAt(curve.lengthAt(parameter)), parameter, 1e-7);
}

TEST(PathCurve, IsRunAlongEvenly) {
  expectEvenSpeed(winding());
  TargetPath closed = winding();
  closed.isClosed = true;
  expectEvenSpeed(closed);
  // Handles coincide with their points: the speed by the curve parameter is zero at both ends.
  expectEvenSpeed({.curve = Curve::Bezier, .points = {V(0, 0, 0), V(0, 0, 0), V(2, 1, 0), V(2, 1, 0)}});
}

TEST(PathCurve, PointsThatCoincideCountOnce) {
  TargetPath twice = winding(), once = winding();
  twice.points.insert(twice.points.begin() + 2, twice.points[2]);
  const PathCurve a(twice), b(once);
  EXPECT_NEAR(a.length(), b.length(), 1e-9);
  for (const double part : {0.1, 0.35, 0.5, 0.77})
    EXPECT_LT((a.atLength(part * a.length()) - b.atLength(part * b.length())).norm(), 1e-7);
}

TEST(PathCurve, OnePointAndPointsInOnePlaceStandStill) {
  const V place(1, 2, 3);
  for (const TargetPath& path : {TargetPath{.points = {place}}, TargetPath{.points = {place, place, place}},
                                 TargetPath{.curve = Curve::Bezier, .points = {place, place, place, place}},
                                 TargetPath{.points = {place, place}, .isClosed = true}}) {
    const PathCurve curve(path);
    EXPECT_EQ(curve.length(), 0.0);
    EXPECT_EQ(curve.atLength(0.0), place);
    EXPECT_EQ(curve.atLength(1.0), place);
    EXPECT_NE(remarkOn(path).find("stands still"), std::string::npos) << remarkOn(path);
  }
}

TEST(PathCurve, TakesTheWholePiecesOfABezierCurveThatHasPointsOver) {
  TargetPath path{.curve = Curve::Bezier, .points = {V(0, 0, 0), V(1, 0, 0), V(2, 0, 0), V(3, 0, 0), V(9, 9, 9)}};
  EXPECT_NEAR(PathCurve(path).length(), 3.0, 1e-12);
  EXPECT_NE(remarkOn(path), "");
  path.points.resize(2);
  EXPECT_EQ(PathCurve(path).length(), 0.0);
  EXPECT_EQ(PathCurve(path).at(0.0), V::Zero());
}

TEST(PathCurve, CentripetalPieceStaysNearItsChord) {
  // With uniform tangents the short piece in the middle would loop.
  const PathCurve curve({.points = {V(0, 0, 0), V(10, 0, 0), V(10, 0.1, 0), V(0, 0.1, 0)}});
  for (double t = 1.0; t <= 2.0; t += 0.01) EXPECT_NEAR(curve.at(t).x(), 10.0, 0.2);
}

TEST(PathCurve, TargetHoldsBeforeItBeginsAndAfterItEnds) {
  const TargetPath path{.points = {V::Zero(), V::UnitX()}, .begin = 1.0, .end = 3.0};
  EXPECT_EQ(PathCurve::partAt(path, 0.5), 0.0);
  EXPECT_EQ(PathCurve::partAt(path, 2.0), 0.5);
  EXPECT_EQ(PathCurve::partAt(path, 9.0), 1.0);
}

}  // namespace
}  // namespace limber::path_curve_test

// SPDX-License-Identifier: MIT
// Distances and separating planes against brute force: a grid over both bodies where they are apart, a fan of normals
// where they overlap.
#include "limber/posing/separation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace limber::separation_test {
namespace {

using V = Eigen::Vector3d;

V anyVector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

Solid anySolid(std::mt19937& random, bool isBox) {
  Obstacle obstacle;
  obstacle.worldFromObstacle = {
      Eigen::AngleAxisd(anyVector(random, 3.0).x(), anyVector(random, 1.0).normalized()).toRotationMatrix(),
      anyVector(random, 0.5)};
  obstacle.size = anyVector(random, 0.8).cwiseAbs() + V::Constant(0.1);
  if (!isBox) {
    std::vector<V> points;
    for (int i = 0; i < 12; ++i) points.push_back(anyVector(random, 1.0));
    auto hull = std::make_shared<ConvexHull>();
    EXPECT_EQ(makeConvexHull(points, *hull), "");
    obstacle.shape = Obstacle::Shape::Polyhedron;
    obstacle.hull = hull;
  }
  return makeSolid(hullInWorld(obstacle));
}

/// The distance of a point outside a polyhedron, by Dykstra's alternating projections onto the half-spaces.
double distanceByProjections(const Solid& solid, const V& point) {
  const auto& faces = solid.hull.faces;
  V x = point;
  std::vector<V> corrections(faces.size(), V::Zero());
  for (int sweep = 0; sweep < 1000; ++sweep)
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const V y = x + corrections[i];
      x = y - std::max(0.0, faces[i].normal.dot(y) - faces[i].offset) * faces[i].normal;
      corrections[i] = y - x;
    }
  return (x - point).norm();
}

TEST(Separation, ClosestPointsOfLinesBeatEveryPairOfAGrid) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    LineEnds a{anyVector(random, 1.0), anyVector(random, 1.0)}, b{anyVector(random, 1.0), anyVector(random, 1.0)};
    if (trial % 5 == 1) b.end = b.start;
    if (trial % 5 == 2) b.end = b.start + 0.7 * (a.end - a.start);  // parallel
    if (trial % 5 == 3) b.end = b.start + 0.7 * (a.end - a.start) + 1e-7 * V::UnitX();
    if (trial % 25 == 4) a.end = a.start, b.end = b.start;
    const auto [onA, onB] = closestPoints(a, b);
    const double distance = (onA - onB).norm();
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 100; ++i)
      for (int j = 0; j <= 100; ++j)
        least =
            std::min(least, (a.start + 0.01 * i * (a.end - a.start) - b.start - 0.01 * j * (b.end - b.start)).norm());
    EXPECT_LE(distance, least + 1e-12) << trial;
    EXPECT_GT(distance, least - 0.03) << "on the lines themselves: " << trial;
    const Separation separation = separationOf(a, b);
    EXPECT_DOUBLE_EQ(separation.distance, lowestOf(a, separation.normal) + lowestOf(b, -separation.normal));
    EXPECT_NEAR(separation.distance, distance, 1e-6) << "between lines that are parallel to 1e-7";
  }
}

TEST(Separation, LinesThatCrossArePartedAcrossBoth) {
  const LineEnds a{V(-1, 0, 0), V(1, 0, 0)}, b{V(0, -1, 0), V(0, 1, 0)};
  EXPECT_EQ(separationOf(a, b).distance, 0.0);
  EXPECT_NEAR(std::abs(separationOf(a, b).normal.z()), 1.0, 1e-15);
  for (const LineEnds& other : {LineEnds{V(-2, 0, 0), V(0, 0, 0)}, LineEnds{V(0.5, 0, 0), V(0.5, 0, 0)}, a}) {
    const Separation inOneLine = separationOf(a, other);
    EXPECT_TRUE(inOneLine.normal.allFinite());
    EXPECT_NEAR(inOneLine.normal.norm(), 1.0, 1e-15);
    EXPECT_NEAR(inOneLine.normal.x(), 0.0, 1e-15);
  }
  EXPECT_TRUE(separationOf({V::Ones(), V::Ones()}, {V::Ones(), V::Ones()}).normal.allFinite()) << "two points in one";
}

TEST(Separation, OfALineAndASolidIsTheirDistance) {
  std::mt19937 random(8);
  int apart = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Solid solid = anySolid(random, trial % 2 == 0);
    LineEnds line{anyVector(random, 1.6), anyVector(random, 1.6)};
    if (trial % 6 == 1) line.end = line.start;
    const Separation found = separationOf(solid, line);
    EXPECT_NEAR(found.normal.norm(), 1.0, 1e-12);
    EXPECT_NEAR(found.distance, lowestOf(line, found.normal) - supportOf(solid, found.normal), 1e-12)
        << "the plane does what it says";
    for (const ConvexHull::Face& face : solid.hull.faces)
      EXPECT_LE(lowestOf(line, face.normal) - face.offset, found.distance) << "no face separates better";
    if (found.distance <= 0.0) continue;
    ++apart;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 40; ++i)
      least = std::min(least, distanceByProjections(solid, line.start + i / 40.0 * (line.end - line.start)));
    EXPECT_LE(found.distance, least + 1e-6) << trial;
    EXPECT_GT(found.distance, least - 0.03) << trial;
  }
  EXPECT_GT(apart, 20);
}

TEST(Separation, OverlappingItIsTheLeastWayOut) {
  std::mt19937 random(9);
  int inside = 0;
  for (int trial = 0; trial < 200 && inside < 40; ++trial) {
    const Solid solid = anySolid(random, trial % 2 == 0);
    const LineEnds line{anyVector(random, 0.7), anyVector(random, 0.7)};
    const Separation found = separationOf(solid, line);
    if (found.distance > 0.0) continue;
    ++inside;
    for (int sample = 0; sample < 20000; ++sample) {
      const V normal = anyVector(random, 1.0).normalized();
      ASSERT_LE(lowestOf(line, normal) - supportOf(solid, normal), found.distance + 1e-12) << trial;
    }
  }
  EXPECT_EQ(inside, 40);
}

TEST(Separation, FollowsALineAroundACornerWithoutAJump) {
  Obstacle box;
  const Solid solid = makeSolid(hullInWorld(box));
  V last = V::Zero();
  for (int i = 0; i <= 1000; ++i) {  // a point around an edge, 0.1 away from it where it passes
    const double angle = 0.5 * M_PI * i / 1000.0;
    const V point = V(0.5, 0.5, 0.2) + 0.1 * V(std::sin(angle), std::cos(angle), 0.0);
    const Separation found = separationOf(solid, {point, point});
    EXPECT_NEAR(found.distance, 0.1, 1e-12);
    if (i > 0) {
      EXPECT_LT((found.normal - last).norm(), 0.002);
    }
    last = found.normal;
  }
}

TEST(Separation, OfARoundSolidIsTheDistanceOfItsAxisLessItsRadius) {
  std::mt19937 random(10);
  for (int trial = 0; trial < 100; ++trial) {
    const V start = anyVector(random, 1.0), end = trial % 2 ? anyVector(random, 1.0) : start;
    const Obstacle round = trial % 2 ? makeCapsule(start, end, 0.2) : makeSphere(start, 0.2);
    const Solid solid = makeSolid(round);
    const LineEnds line{anyVector(random, 1.5), anyVector(random, 1.5)};
    const Separation found = separationOf(solid, line);
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 200; ++i)
      least = std::min(least, heightAbove(round, line.start + i / 200.0 * (line.end - line.start)));
    EXPECT_LE(found.distance, least + 1e-9) << trial;
    EXPECT_GT(found.distance, least - 0.02) << trial;
    EXPECT_NEAR(found.distance, lowestOf(line, found.normal) - supportOf(solid, found.normal), 1e-12);
    const V point = anyVector(random, 2.0);
    EXPECT_NEAR(heightAbove(solid, point), heightAbove(round, point), 1e-12);
  }
}

TEST(Separation, OfAPlaneIsTheHeightOfTheLowerEnd) {
  Obstacle floor;
  floor.shape = Obstacle::Shape::Plane;
  floor.worldFromObstacle.translation.y() = 0.25;
  const Solid solid = makeSolid(hullInWorld(floor));
  EXPECT_TRUE(solid.edges.empty());
  const Separation found = separationOf(solid, {V(0, 1, 0), V(3, 2, 5)});
  EXPECT_DOUBLE_EQ(found.distance, 0.75);
  EXPECT_EQ(found.normal, V(0, 1, 0));
}

}  // namespace
}  // namespace limber::separation_test

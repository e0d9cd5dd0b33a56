// SPDX-License-Identifier: MIT
#include "limber/problem/obstacle.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace limber::obstacle_test {
namespace {

using V = Eigen::Vector3d;

Obstacle turnedBox() {
  Obstacle box;
  box.size = V(0.4, 1.0, 2.0);
  box.worldFromObstacle.translation = V(3.0, -1.0, 0.5);
  box.worldFromObstacle.rotation = Eigen::AngleAxisd(0.7, V(1, 2, 3).normalized()).toRotationMatrix();
  return box;
}

std::vector<V> randomPoints(int count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<V> points;
  for (int i = 0; i < count; ++i) points.emplace_back(uniform(random), 2.0 * uniform(random), uniform(random));
  return points;
}

/// Checks that all vertices are below or on the planes of all faces, and that faces are planar and counterclockwise.
void expectSound(const ConvexHull& hull) {
  for (const ConvexHull::Face& face : hull.faces) {
    EXPECT_NEAR(face.normal.norm(), 1.0, 1e-12);
    for (const V& vertex : hull.vertices) EXPECT_LE(face.normal.dot(vertex), face.offset + 1e-9);
    ASSERT_GE(face.vertices.size(), 3u);
    const auto corner = [&](std::size_t i) { return hull.vertices[face.vertices[i % face.vertices.size()]]; };
    for (std::size_t i = 0; i < face.vertices.size(); ++i) {
      EXPECT_NEAR(face.normal.dot(corner(i)), face.offset, 1e-9);
      EXPECT_GT(face.normal.dot((corner(i + 1) - corner(i)).cross(corner(i + 2) - corner(i + 1))), 0.0);
    }
  }
}

TEST(Obstacle, BoxInTheWorldHasItsCornersOnItsFaces) {
  const Obstacle box = turnedBox();
  const ConvexHull hull = hullInWorld(box);
  ASSERT_EQ(hull.faces.size(), 6u);
  ASSERT_EQ(hull.vertices.size(), 8u);
  expectSound(hull);
  const auto height = [&](const V& inBox) { return heightAbove(hull, box.worldFromObstacle * inBox); };
  EXPECT_NEAR(height(V::Zero()), -0.2, 1e-12);
  EXPECT_NEAR(height(V(0.25, 0.3, -0.7)), 0.05, 1e-12);
  EXPECT_NEAR(height(V(0.0, 0.0, 1.25)), 0.25, 1e-12);
}

TEST(Obstacle, PlaneKeepsOutOfTheHalfSpaceBelowIt) {
  Obstacle wall;
  wall.shape = Obstacle::Shape::Plane;
  wall.worldFromObstacle = {Eigen::AngleAxisd(-0.5 * std::numbers::pi, V::UnitZ()).toRotationMatrix(), V(2, 0, 0)};
  wall.size = V::Zero();  // plays no part
  EXPECT_EQ(findFault(wall, 1), "");
  EXPECT_NEAR(heightAbove(hullInWorld(wall), V(5, 8, -3)), 3.0, 1e-12) << "y was turned to x";
  EXPECT_NEAR(heightAbove(hullInWorld(wall), V(1.5, 8, -3)), -0.5, 1e-12);
}

TEST(Obstacle, StretchedPolyhedronKeepsItsPlanes) {
  auto hull = std::make_shared<ConvexHull>();
  ASSERT_EQ(makeConvexHull(randomPoints(60), *hull), "");
  Obstacle rock = turnedBox();
  rock.shape = Obstacle::Shape::Polyhedron;
  rock.hull = hull;
  rock.size = V(0.2, 3.0, 1.0);
  ASSERT_EQ(findFault(rock, 1), "");
  const ConvexHull inWorld = hullInWorld(rock);
  expectSound(inWorld);
  for (const V& point : randomPoints(200)) {
    const V stretched = rock.worldFromObstacle * (1.5 * point).cwiseProduct(rock.size).eval();
    EXPECT_EQ(heightAbove(*hull, 1.5 * point) > 0.0, heightAbove(inWorld, stretched) > 0.0);
  }
}

TEST(Obstacle, RoundOnesHaveASurfaceAndABoxAroundIt) {
  const Obstacle ball = makeSphere(V(1, 2, 3), 0.5), pole = makeCapsule(V(1, 0, 0), V(1, 0, 2), 0.25);
  EXPECT_EQ(findFault(ball, 1), "");
  EXPECT_EQ(findFault(pole, 1), "");
  EXPECT_NEAR(heightAbove(ball, V(1, 2, 4)), 0.5, 1e-15);
  EXPECT_NEAR(heightAbove(ball, V(1, 2, 3)), -0.5, 1e-15);
  EXPECT_NEAR(heightAbove(pole, V(2, 0, 1)), 0.75, 1e-15) << "beside it";
  EXPECT_NEAR(heightAbove(pole, V(1, 0, 3)), 0.75, 1e-15) << "beyond its end";
  EXPECT_NEAR(heightAbove(pole, V(1, 0.1, 1)), -0.15, 1e-15);
  const Capsule capsule = capsuleInWorld(pole);
  EXPECT_LT((capsule.start - V(1, 0, 0)).norm() + (capsule.end - V(1, 0, 2)).norm(), 1e-15);
  EXPECT_EQ(capsule.radius, 0.25);
  EXPECT_LT((extentOf(pole) - V(0.5, 2.5, 0.5)).norm(), 1e-15);
  const ConvexHull box = hullInWorld(pole);
  expectSound(box);
  EXPECT_NEAR(heightAbove(box, V(1, 0, 2.3)), 0.05, 1e-12);
  const Obstacle dot = makeCapsule(V(1, 1, 1), V(1, 1, 1), 0.1);
  EXPECT_EQ(findFault(dot, 1), "") << "a capsule without length is a sphere";
}

TEST(Obstacle, RoundOnesStayRoundWhenResized) {
  Obstacle ball = makeSphere(V::Zero(), 0.5), pole = makeCapsule(V::Zero(), V(0, 2, 0), 0.25);
  resize(ball, 2, 1.5);
  EXPECT_EQ(ball.size, V::Constant(1.5));
  resize(pole, 1, 2.0);
  EXPECT_EQ(pole.size, V(0.5, 4.5, 0.5)) << "its whole length is doubled";
  resize(pole, 0, 2.0);
  EXPECT_EQ(pole.size, V(1.0, 4.5, 1.0));
  resize(pole, 1, 0.01);
  EXPECT_EQ(pole.size.y(), 0.0);
  EXPECT_EQ(findFault(pole, 1), "");
  pole.size.z() = 2.0;
  EXPECT_NE(findFault(pole, 1), "");
  ball.size.x() = -1.0;
  EXPECT_NE(findFault(ball, 1), "");
}

TEST(ConvexHull, HoldsEveryPointAndTouchesItsCorners) {
  const std::vector<V> points = randomPoints(500);
  ConvexHull hull;
  ASSERT_EQ(makeConvexHull(points, hull), "");
  expectSound(hull);
  for (const V& point : points) EXPECT_LE(heightAbove(hull, point), 1e-9);
}

TEST(ConvexHull, PutsTrianglesOfOneSideTogether) {
  std::vector<V> points;
  for (int i = 0; i < 27; ++i) points.emplace_back(i % 3, i / 3 % 3, i / 9);
  ConvexHull hull;
  ASSERT_EQ(makeConvexHull(points, hull), "");
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.faces.size(), 6u);
  expectSound(hull);
}

TEST(ConvexHull, RefusesWhatHasNoVolume) {
  ConvexHull hull;
  EXPECT_NE(makeConvexHull({}, hull), "");
  EXPECT_NE(makeConvexHull(std::vector<V>(9, V(1, 2, 3)), hull), "");
  std::vector<V> flat = randomPoints(50), line = flat, thin = flat;
  for (V& point : flat) point.y() = 0.5 * point.x() + 1.0;
  for (V& point : line) point = point.x() * V(1, 2, 3);
  for (V& point : thin) point.y() *= 1e-9;
  EXPECT_NE(makeConvexHull(flat, hull), "");
  EXPECT_NE(makeConvexHull(line, hull), "");
  EXPECT_NE(makeConvexHull(thin, hull), "");
  std::vector<V> infinite = randomPoints(50);
  infinite[7].x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(makeConvexHull(infinite, hull), "");
  EXPECT_TRUE(hull.faces.empty());
}

TEST(Obstacle, FaultsNameTheObstacle) {
  Obstacle box = turnedBox();
  box.id = 3;
  box.size.y() = 0.0;
  EXPECT_EQ(findFault(box, 1), "obstacle 3: it has no volume: every size must be above zero");
  box.name = "table";
  box.size.y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(findFault(box, 1), "obstacle \"table\": it has no volume: every size must be above zero");
  box.size = V::Ones();
  box.links = {4};
  EXPECT_EQ(findFault(box, 4), "obstacle \"table\": names a link that does not exist");
  EXPECT_EQ(findFault(box, 5), "");
}

}  // namespace
}  // namespace limber::obstacle_test

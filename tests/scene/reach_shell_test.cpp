// SPDX-License-Identifier: MIT
#include "limber/scene/reach_shell.h"
#include "support/says.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include <Eigen/Geometry>

namespace limber::reach_shell_test {
namespace {

using Eigen::Vector3d;

/// A grid whose cells are reachable if their centre is in the set; other cells below `notFoundBelow` were not found.
ReachMap makeMap(int across, bool isPlanar, const std::function<bool(const Vector3d&)>& isIn,
                 double notFoundBelow = -10.0) {
  ReachMap map;
  map.isPlanar = isPlanar;
  map.edge = 2.4 / across;
  map.corner = Vector3d(-1.2, -1.2, isPlanar ? 0.3 : -1.2);
  map.size = {across, across, isPlanar ? 1 : across};
  map.cells.assign(map.cellCount(), CellState::ProvedOutside);
  for (int cell = 0; cell < map.cellCount(); ++cell) {
    const Vector3d x = map.centreOf(cell);
    auto& state = map.cells[cell];
    if (isIn(x)) state = CellState::Reachable;
    else if (x.y() < notFoundBelow) state = CellState::NotFound;
  }
  return map;
}

/// Checks for a closed, oriented surface: every edge has two triangles, which contain it in opposite directions.
void expectClosed(const ReachShell& shell) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> balance;
  for (const auto& t : shell.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      balance[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  for (const auto& [edge, sum] : balance) ASSERT_EQ(sum, 0);
}

double volumeOf(const ReachShell& shell) {
  double sum = 0.0;
  for (const auto& [a, b, c] : shell.triangles)
    sum += shell.vertices[a].dot(shell.vertices[b].cross(shell.vertices[c])) / 6.0;
  return sum;
}

double areaOf(const ReachShell& shell, bool ofBands) {
  double sum = 0.0;
  for (std::size_t i = 0; i < shell.triangles.size(); ++i) {
    const auto& [a, b, c] = shell.triangles[i];
    const double area = 0.5 * (shell.vertices[b] - shell.vertices[a]).cross(shell.vertices[c] - shell.vertices[a]).z();
    if (ofBands == (shell.beyond[i] != Beyond::Area)) sum += area;
  }
  return sum;
}

TEST(ReachShell, BallIsClosedSmoothAndFacesOutward) {
  const ReachMap map = makeMap(24, false, [](const Vector3d& x) { return x.norm() < 1.0; });
  const ReachShell shell = makeReachShell(map);
  ASSERT_EQ(shell.beyond.size(), shell.triangles.size());
  ASSERT_EQ(shell.normals.size(), shell.vertices.size());
  expectClosed(shell);
  EXPECT_NEAR(volumeOf(shell), 4.0 / 3.0 * std::numbers::pi, 0.25);
  for (std::size_t i = 0; i < shell.vertices.size(); ++i) {
    ASSERT_NEAR(shell.vertices[i].norm(), 1.0, map.edge);
    ASSERT_NEAR(shell.normals[i].norm(), 1.0, 1e-12);
    ASSERT_GT(shell.normals[i].dot(shell.vertices[i].normalized()), 0.8);
  }
  for (const Beyond beyond : shell.beyond) ASSERT_EQ(beyond, Beyond::Outside);
}

TEST(ReachShell, FacesSayWhatIsBeyondThem) {
  const ReachMap map = makeMap(
      20, false, [](const Vector3d& x) { return x.norm() < 0.9; }, 0.0);
  const ReachShell shell = makeReachShell(map);
  for (std::size_t i = 0; i < shell.triangles.size(); ++i) {
    double highest = -2.0, lowest = 2.0;
    for (const std::uint32_t v : shell.triangles[i]) {
      highest = std::max(highest, shell.vertices[v].y());
      lowest = std::min(lowest, shell.vertices[v].y());
    }
    if (lowest > map.edge) {
      ASSERT_EQ(shell.beyond[i], Beyond::Outside);
    }
    if (highest < -map.edge) {
      ASSERT_EQ(shell.beyond[i], Beyond::NotFound);
    }
  }
}

TEST(ReachShell, HollowBallHasTwoSkins) {
  const ReachMap map = makeMap(24, false, [](const Vector3d& x) { return x.norm() < 1.0 && x.norm() > 0.5; });
  const ReachShell shell = makeReachShell(map);
  expectClosed(shell);
  EXPECT_NEAR(volumeOf(shell), 4.0 / 3.0 * std::numbers::pi * (1.0 - 0.125), 0.25);
}

TEST(ReachShell, AnnulusInAPlaneIsItsAreaWithABand) {
  const ReachMap map = makeMap(40, true, [](const Vector3d& x) {
    const double r = x.head<2>().norm();
    return r < 1.0 && r > 0.4;
  });
  const ReachShell shell = makeReachShell(map);
  EXPECT_TRUE(shell.isPlanar);
  EXPECT_NEAR(areaOf(shell, false), std::numbers::pi * (1.0 - 0.16), 0.15);
  EXPECT_NEAR(areaOf(shell, true), 2.0 * std::numbers::pi * 1.4 * 0.3 * map.edge, 0.2 * map.edge);
  for (const Vector3d& vertex : shell.vertices) {
    ASSERT_EQ(vertex.z(), 0.3);
    ASSERT_LT(vertex.norm(), 1.0 + 2.0 * map.edge);
  }
}

TEST(ReachShell, OneCellAndNoneAreShellsToo) {
  const ReachMap one = makeMap(1, false, [](const Vector3d&) { return true; });
  const ReachShell shell = makeReachShell(one);
  EXPECT_EQ(shell.triangles.size(), 12u);
  expectClosed(shell);
  EXPECT_GT(volumeOf(shell), 0.0);
  for (const bool isPlanar : {false, true})
    EXPECT_TRUE(makeReachShell(makeMap(5, isPlanar, [](const Vector3d&) { return false; })).triangles.empty());
  EXPECT_EQ(makeReachShell(makeMap(1, true, [](const Vector3d&) { return true; })).triangles.size(), 2u + 8u);
}

TEST(ReachMap, SaysWhatItCounts) {
  ReachMap map = makeMap(
      20, false, [](const Vector3d& x) { return x.norm() < 0.9; }, 0.0);
  map.edge = 0.025;
  const auto counts = map.counts();
  EXPECT_EQ(counts[0] + counts[1] + counts[2] + counts[3], 8000);
  EXPECT_TRUE(test::says(sentenceOf(map), {"1,736", "reachable", "3,132", "outside", "3,132", "not found", "25 mm"}));
  EXPECT_EQ(map.cellAt(map.centreOf(4321)), 4321);
  EXPECT_EQ(map.cellAt(Vector3d(100.0, 0.0, 0.0)), -1);
  EXPECT_EQ(map.cellAt(Vector3d(std::nan(""), 0.0, 0.0)), -1);
}

}  // namespace
}  // namespace limber::reach_shell_test

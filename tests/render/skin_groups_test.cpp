// SPDX-License-Identifier: MIT
#include "render/skin_groups.h"

#include <gtest/gtest.h>

#include <limits>

#include "limber/problem/joint_turn.h"
#include "support/skinned_tube.h"

namespace limber::render::skin_groups_test {
namespace {

constexpr double kTolerance = 1e-9;

/// The tube, bent, and every vertex of it moved.
struct Posed {
  Document document;
  Kinematics kinematics;
  std::shared_ptr<const SkinGroups> groups;
  std::vector<Eigen::Affine3d> worldFromSkin;
  std::vector<Eigen::Vector3d> vertices;

  explicit Posed(Document someDocument) : document(std::move(someDocument)) {
    turnJoint(document, 1, 2, 0.9);
    turnJoint(document, 2, 0, -1.3);
    computeKinematics(*document.figure, document.pose, kinematics);
    groups = groupTriangles(document.skin);
    computeBoneTransforms(*document.skin, kinematics, worldFromSkin);
    for (std::size_t i = 0; i < surface().positions.size(); ++i)
      vertices.push_back(blendedTransform(surface(), i, worldFromSkin) * surface().positions[i].cast<double>());
  }
  const SkinSurface& surface() const { return document.skin->surfaces[0]; }

  /// Distance to the nearest triangle and its number; every triangle is tried.
  std::pair<double, std::uint32_t> nearestTriangle(const Ray& ray, bool fromBothSides) const {
    std::pair<double, std::uint32_t> nearest{std::numeric_limits<double>::infinity(), 0};
    for (std::uint32_t t = 0; t < surface().triangles.size() / 3; ++t) {
      Eigen::Matrix3d corners;
      for (int k = 0; k < 3; ++k) corners.col(k) = vertices[surface().triangles[3 * t + static_cast<std::size_t>(k)]];
      const Eigen::Vector3d u = corners.col(1) - corners.col(0), v = corners.col(2) - corners.col(0);
      if (!fromBothSides && u.cross(v).dot(ray.direction) >= 0.0) continue;
      Eigen::Matrix3d system;
      system << u, v, -ray.direction;
      if (std::abs(system.determinant()) < 1e-15) continue;  // the ray runs along the triangle
      const Eigen::Vector3d solution = system.inverse() * (ray.origin - corners.col(0));
      if (solution[0] < 0.0 || solution[1] < 0.0 || solution[0] + solution[1] > 1.0 || solution[2] < 0.0) continue;
      if (solution[2] < nearest.first) nearest = {solution[2], t};
    }
    return nearest;
  }
};

TEST(SkinGroups, HoldEveryTriangleOnce) {
  const auto groups = groupTriangles(test::makeSkinnedTube().skin);
  std::vector<int> seen(groups->skin->surfaces[0].triangles.size() / 3, 0);
  for (const std::uint32_t triangle : groups->triangles) ++seen[triangle];
  EXPECT_EQ(std::ranges::count(seen, 1), static_cast<std::ptrdiff_t>(seen.size()));
}

TEST(SkinGroups, BoxHoldsThePosedSkinTightly) {
  for (const int influences : {0, 4, 8}) {
    const Posed posed(test::makeSkinnedTube(influences));
    const Eigen::Matrix3d turned = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    for (const Eigen::Matrix3d& axes : {Eigen::Matrix3d(Eigen::Matrix3d::Identity()), turned}) {
      Eigen::AlignedBox3d exact;
      for (const Eigen::Vector3d& vertex : posed.vertices) exact.extend(axes * vertex);
      const Eigen::AlignedBox3d box = boxAround(*posed.groups, posed.worldFromSkin, axes);
      Eigen::AlignedBox3d grown = box;
      grown.min().array() -= kTolerance;
      grown.max().array() += kTolerance;
      EXPECT_TRUE(grown.contains(exact)) << influences;
      EXPECT_LT((box.sizes() - exact.sizes()).maxCoeff(), 0.35) << influences;
    }
  }
}

TEST(SkinGroups, RayFindsTheTriangleThatTryingAllFinds) {
  constexpr int kRays = 100;
  for (const bool isDoubleSided : {false, true}) {
    const Posed posed(test::withSkin(test::makeTube(4, 31, 24, 0.04f), {.isDoubleSided = isDoubleSided}));
    int hits = 0;
    for (int i = 0; i < kRays; ++i) {
      const Eigen::Vector3d eye(4.0 * std::cos(0.7 * i), 1.0 + 4.0 * i / kRays, 4.0 * std::sin(0.7 * i));
      const Eigen::Vector3d seen = posed.vertices[static_cast<std::size_t>(29 * i) % posed.vertices.size()];
      const Eigen::Vector3d beside(0.003 * (i % 17), 0.002 * (i % 13), 0.04 * (i % 5 - 2));
      const Ray ray{eye, (seen + beside - eye).normalized()};
      const auto [distance, triangle] = posed.nearestTriangle(ray, isDoubleSided);
      const auto hit = intersectSkin(ray, *posed.groups, posed.worldFromSkin);
      ASSERT_EQ(hit.has_value(), std::isfinite(distance)) << i;
      if (!hit) continue;
      ++hits;
      EXPECT_NEAR(hit->distance, distance, 1e-9) << i;
    }
    EXPECT_GT(hits, kRays / 2);
  }
}

TEST(SkinGroups, RayTellsTheLinkOfTheGreatestWeight) {
  Document document = test::makeSkinnedTube(8);
  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  std::vector<Eigen::Affine3d> worldFromSkin;
  computeBoneTransforms(*document.skin, kinematics, worldFromSkin);
  const auto groups = groupTriangles(document.skin);
  for (const int link : {0, 1, 2}) {
    for (const double along : {0.1, 0.5, 0.9}) {
      const auto hit = intersectSkin({{0.01, link + along, 5.0}, {0, 0, -1}}, *groups, worldFromSkin);
      ASSERT_TRUE(hit) << link << " " << along;
      EXPECT_EQ(hit->link, link) << along;
      EXPECT_NEAR(hit->distance, 5.0 - test::kTubeRadius, 0.01);
    }
  }
  EXPECT_FALSE(intersectSkin({{0.01, 0.5, 5.0}, {0, 0, 1}}, *groups, worldFromSkin)) << "behind the eye";
}

TEST(SkinGroups, MirroredSurfaceIsHitFromOutside) {
  SkinSurface tube = test::makeTube(0);
  tube.bones[0].linkFromSkin.linear().diagonal().x() = -1.0f;
  const Posed posed(test::withSkin(tube));
  const auto hit = intersectSkin({{0.01, 0.5, 5.0}, {0, 0, -1}}, *posed.groups, posed.worldFromSkin);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->distance, 5.0 - test::kTubeRadius, 0.01);
}

}  // namespace
}  // namespace limber::render::skin_groups_test

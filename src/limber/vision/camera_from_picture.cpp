// SPDX-License-Identifier: MIT
#include "limber/vision/camera_from_picture.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>

namespace limber {

namespace {

constexpr double kOneLine = 1e-6;        // ratio of eigenvalues: edges of 1,000 pixels that are a pixel apart
constexpr double kFarthest = 0.02;       // inverse distance of a vanishing point from the centre, in focal lengths
constexpr double kMostSkew = 0.7;        // cosine between directions that should be perpendicular
constexpr double kShortestFocal = 0.27;  // focal length of half the picture's height: a field of view of 150 degrees
constexpr double kLongestFocal = 115.0;  // the same: 1 degree
constexpr double kLeastAngle = 2e-3;     // radians between the rays to both ends of a height

/// The point where the edges meet, homogeneous and of unit length, in focal lengths from the camera's centre.
std::optional<Eigen::Vector3d> vanishingPoint(std::span<const PictureEdge> edges, const PictureCamera& camera) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const PictureEdge& edge : edges) {
    const Eigen::Vector3d from = ((edge.from - camera.centre) / camera.focal).homogeneous();
    const Eigen::Vector3d to = ((edge.to - camera.centre) / camera.focal).homogeneous();
    const Eigen::Vector3d line = from.cross(to);  // its length gives long edges more weight
    sum += line * line.transpose();
  }
  if (!sum.allFinite()) return std::nullopt;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solved(sum);
  if (!(solved.eigenvalues()[1] > kOneLine * solved.eigenvalues()[2])) return std::nullopt;
  return solved.eigenvectors().col(0);
}

/// The focal length that makes the directions of both vanishing points perpendicular, in units of the present one.
std::optional<double> focalOf(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const PictureCamera& present) {
  if (std::min(std::abs(a.z()), std::abs(b.z())) < kFarthest) return std::nullopt;
  const double squared = -a.head<2>().dot(b.head<2>()) / (a.z() * b.z());
  if (!(squared > 0.0)) return std::nullopt;
  const double focal = std::sqrt(squared), ofHalfHeight = focal * present.focal / present.centre.y();
  return ofHalfHeight > kShortestFocal && ofHalfHeight < kLongestFocal ? std::optional(focal) : std::nullopt;
}

/// The rotation nearest to `present` whose columns are the columns of `axes`, in any order and sign.
Eigen::Matrix3d namedLike(const Eigen::Matrix3d& axes, const Eigen::Matrix3d& present) {
  Eigen::Matrix3d best = present;
  double most = -4.0;
  std::array<int, 3> order = {0, 1, 2};
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Eigen::Matrix3d named;
      for (int i = 0; i < 3; ++i) named.col(i) = (signs >> i & 1 ? -1.0 : 1.0) * axes.col(order[i]);
      const double alike = named.cwiseProduct(present).sum();
      if (named.determinant() < 0.0 || alike <= most) continue;
      most = alike;
      best = named;
    }
  } while (std::ranges::next_permutation(order).found);
  return best;
}

}  // namespace

std::optional<CameraFromEdges> cameraFromEdges(std::span<const PictureEdge> first, std::span<const PictureEdge> second,
                                               const PictureCamera& present) {
  const auto a = vanishingPoint(first, present), b = vanishingPoint(second, present);
  if (!a || !b) return std::nullopt;
  const auto found = focalOf(*a, *b, present);
  const Eigen::Vector3d toDirection(1.0, 1.0, found.value_or(1.0));
  Eigen::Matrix3d directions;  // of the edges, in the camera
  directions.col(0) = toDirection.cwiseProduct(*a).normalized();
  directions.col(1) = toDirection.cwiseProduct(*b).normalized();
  if (!(std::abs(directions.col(0).dot(directions.col(1))) < kMostSkew)) return std::nullopt;
  directions.col(2) = directions.col(0).cross(directions.col(1)).normalized();
  const Eigen::JacobiSVD<Eigen::Matrix3d> split(directions, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Matrix3d axes = split.matrixU() * split.matrixV().transpose();
  return CameraFromEdges{.worldFromCamera = namedLike(axes, present.worldFromCamera.rotation.transpose()).transpose(),
                         .focal = found.value_or(1.0) * present.focal,
                         .tellsFocal = found.has_value()};
}

std::optional<PictureCamera> cameraFromHeight(const PictureCamera& camera, const Eigen::Vector2d& groundPixel,
                                              const Eigen::Vector2d& topPixel, const Eigen::Vector3d& ground,
                                              double height) {
  PictureCamera moved = camera;
  double depth = camera.depthOf(ground);
  if (camera.isParallel) {
    const Eigen::Vector2d metres = height * camera.worldFromCamera.rotation.row(1).head<2>().transpose();
    if (!(metres.norm() > kLeastAngle * height)) return std::nullopt;
    moved.focal = metres.dot(topPixel - groundPixel) / metres.squaredNorm();
    if (!(moved.focal > 0.0)) return std::nullopt;
  } else {
    // The top is on its ray: toTop x (along toGround + height up) = 0, solved by least squares.
    const Eigen::Vector3d toGround = camera.rayThrough(groundPixel).direction;
    const Eigen::Vector3d toTop = camera.rayThrough(topPixel).direction, across = toTop.cross(toGround);
    if (!(across.norm() > kLeastAngle)) return std::nullopt;
    const double along = -across.dot(toTop.cross(height * Eigen::Vector3d::UnitY())) / across.squaredNorm();
    if (!(along > 0.0)) return std::nullopt;
    depth = along * toGround.dot(camera.ahead());
  }
  moved.worldFromCamera.translation += ground - moved.pointAt(groundPixel, depth);
  return moved;
}

}  // namespace limber

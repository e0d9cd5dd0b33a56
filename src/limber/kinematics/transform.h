// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>

// Eigen's alignment follows the compiler's flags, such as -mavx. An object whose Eigen aligns otherwise than that of
// the library would corrupt memory, without a word by the linker.
#if EIGEN_MAX_ALIGN_BYTES != 16
#error \
    "Limber is built with EIGEN_MAX_ALIGN_BYTES=16: define it for every source of the program, or link limber::ik by \
CMake or pkg-config, which do (docs/library.md, Flags of the compiler)"
#endif
#if UINTPTR_MAX > 0xFFFFFFFFu && !EIGEN_MALLOC_ALREADY_ALIGNED
#error \
    "Limber is built with EIGEN_MALLOC_ALREADY_ALIGNED=1: define it for every source of the program, or link \
limber::ik by CMake or pkg-config, which do (docs/library.md, Flags of the compiler)"
#endif

namespace limber {

/// A rigid transform, named target-from-source: `worldFromLink * pointInLink` is the point in the world.
struct Transform {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();

  static Transform identity() { return {}; }
  static Transform fromTranslation(const Eigen::Vector3d& translation) {
    return {Eigen::Matrix3d::Identity(), translation};
  }

  Eigen::Vector3d operator*(const Eigen::Vector3d& point) const { return rotation * point + translation; }
  Transform operator*(const Transform& right) const {
    return {rotation * right.rotation, rotation * right.translation + translation};
  }
  bool operator==(const Transform&) const = default;
  Transform inverse() const { return {rotation.transpose(), -(rotation.transpose() * translation)}; }
};

inline bool isFinite(const Transform& t) { return t.rotation.allFinite() && t.translation.allFinite(); }

/// True for a rotation matrix, up to the rounding of a file.
inline bool isRotation(const Eigen::Matrix3d& r) {
  constexpr double kRounding = 1e-6;
  return r.allFinite() && (r.transpose() * r - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < kRounding &&
         r.determinant() > 0.0;
}

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

/// The matrix of the cross product: skew(a) * b = a x b.
inline Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

}  // namespace limber

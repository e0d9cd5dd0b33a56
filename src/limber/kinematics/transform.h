// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

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

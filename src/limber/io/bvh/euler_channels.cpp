// SPDX-License-Identifier: MIT
#include "limber/io/bvh/euler_channels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "limber/kinematics/pose.h"

namespace limber::io {

namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr double kLocked = 1e-15;  // cosine of the middle angle in gimbal lock
constexpr int kMaxChannels = 6;
constexpr int kMaxIterations = 60;

Eigen::Matrix3d turn(int axis, double degrees) {
  return Eigen::AngleAxisd(degrees / kDegrees, Eigen::Vector3d::Unit(axis)).toRotationMatrix();
}

Eigen::Matrix3d product(std::span<const int> axes, std::span<const double> angles) {
  Eigen::Matrix3d out = Eigen::Matrix3d::Identity();
  for (std::size_t i = 0; i < axes.size(); ++i) out *= turn(axes[i], angles[i]);
  return out;
}

/// `angle` plus the full turns that bring it nearest to `to`; degrees.
double unwound(double angle, double to) { return angle + 360.0 * std::round((to - angle) / 360.0); }

double distance(const std::array<double, 3>& a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < 3; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// Three different axes: the nearer of the two closed-form solutions. Each angle is computed from the rotation that
/// remains after the angles before it, so that rounding does not accumulate near gimbal lock.
void solveThree(const Eigen::Matrix3d& rotation, std::span<const int> axes, std::span<double> angles) {
  const int i = axes[0], j = axes[1], k = axes[2];
  const double sign = (i + 1) % 3 == j ? 1.0 : -1.0;
  std::array<double, 3> first = {angles[0], 0.0, 0.0};  // in gimbal lock the first angle is kept
  if (std::hypot(rotation(j, k), rotation(k, k)) > kLocked)
    first[0] = kDegrees * std::atan2(-sign * rotation(j, k), rotation(k, k));
  const Eigen::Matrix3d behindFirst = turn(i, -first[0]) * rotation;
  first[1] = kDegrees * std::atan2(sign * behindFirst(i, k), behindFirst(k, k));
  const Eigen::Matrix3d behindSecond = turn(j, -first[1]) * behindFirst;
  first[2] = kDegrees * std::atan2(sign * behindSecond(j, i), behindSecond(i, i));
  std::array<double, 3> second = {first[0] + 180.0, 180.0 - first[1], first[2] + 180.0};
  for (std::size_t a = 0; a < 3; ++a) {
    first[a] = unwound(first[a], angles[a]);
    second[a] = unwound(second[a], angles[a]);
  }
  const std::array<double, 3>& nearer = distance(second, angles) < distance(first, angles) ? second : first;
  std::copy(nearer.begin(), nearer.end(), angles.begin());
}

/// Any other channels: the nearest rotation by Gauss-Newton steps from the present angles.
void solveAny(const Eigen::Matrix3d& rotation, std::span<const int> axes, std::span<double> angles) {
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMaxChannels> columns(3, axes.size());
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const Eigen::Matrix3d reached = product(axes, angles);
    const Eigen::Vector3d left = logarithm(Eigen::Quaterniond(Eigen::Matrix3d(reached.transpose() * rotation)));
    Eigen::Matrix3d after = Eigen::Matrix3d::Identity();  // rotation of the channels behind this one
    for (std::size_t i = axes.size(); i-- > 0;) {
      columns.col(static_cast<Eigen::Index>(i)) = after.transpose() * Eigen::Vector3d::Unit(axes[i]);
      after = turn(axes[i], angles[i]) * after;
    }
    const Eigen::Matrix3d normal = columns * columns.transpose() + 1e-9 * Eigen::Matrix3d::Identity();
    const Eigen::VectorXd step = columns.transpose() * normal.ldlt().solve(left);
    for (std::size_t i = 0; i < axes.size(); ++i) angles[i] += kDegrees * step[i];
    if (step.norm() < 1e-14) break;
  }
}

bool areDifferent(std::span<const int> axes) {
  return axes.size() == 3 && axes[0] != axes[1] && axes[1] != axes[2] && axes[0] != axes[2];
}

}  // namespace

double eulerAngles(const Eigen::Matrix3d& rotation, std::span<const int> axes, std::span<double> angles) {
  if (areDifferent(axes)) solveThree(rotation, axes, angles);
  else solveAny(rotation, axes, angles);
  const Eigen::Matrix3d left = product(axes, angles).transpose() * rotation;
  return logarithm(Eigen::Quaterniond(left)).norm();
}

}  // namespace limber::io

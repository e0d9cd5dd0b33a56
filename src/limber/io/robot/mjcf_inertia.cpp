// SPDX-License-Identifier: MIT
#include "limber/io/robot/mjcf_inertia.h"

#include <cmath>
#include <numbers>

namespace limber::io {

namespace {

/// A turn by `angle` in the plane of two axes.
Eigen::Matrix3d planeTurn(int from, int to, double angle) {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  turn(from, from) = turn(to, to) = std::cos(angle);
  turn(to, from) = std::sin(angle);
  turn(from, to) = -std::sin(angle);
  return turn;
}

/// Of a point mass at the offset.
Eigen::Matrix3d inertiaOfOffset(double mass, const Eigen::Vector3d& offset) {
  return mass * (offset.squaredNorm() * Eigen::Matrix3d::Identity() - offset * offset.transpose());
}

}  // namespace

Eigen::Vector3d momentsOf(const RobotShape& shape, double mass) {
  const Eigen::Vector3d& s = shape.size;
  const auto ofSquares = [&](const Eigen::Vector3d& squares) -> Eigen::Vector3d {
    return mass * Eigen::Vector3d(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
  };
  const double radius = s.x(), half = s.z();
  switch (shape.type) {
    case ShapeType::Box: return ofSquares(s.cwiseAbs2() / 3.0);
    case ShapeType::Sphere:
    case ShapeType::Ellipsoid: return ofSquares(s.cwiseAbs2() / 5.0);
    case ShapeType::Cylinder: return ofSquares({0.25 * radius * radius, 0.25 * radius * radius, half * half / 3.0});
    case ShapeType::Capsule: {
      // A cylinder, and two half balls whose centres of mass are 3/8 of the radius beyond its ends.
      const double tube = 2.0 * half, ball = 4.0 / 3.0 * radius, whole = tube + ball;  // volumes / (pi r^2)
      if (!(whole > 0.0)) return Eigen::Vector3d::Zero();
      const double across = radius * radius, ofTube = tube / whole, ofBall = ball / whole;
      // Second moments of the mass along each axis.
      const double sideways = ofTube * 0.25 * across + ofBall * 0.2 * across;
      const double along = ofTube * half * half / 3.0 + ofBall * (0.2 * across + half * half + 0.75 * half * radius);
      return ofSquares({sideways, sideways, along});
    }
  }
  return Eigen::Vector3d::Zero();
}

/// Jacobi's method: each turn makes the largest entry beside the diagonal zero.
Eigen::Matrix3d principalAxes(const Eigen::Matrix3d& symmetric) {
  constexpr int kMostTurns = 500;
  constexpr double kZero = 1e-12;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  for (int turns = 0; turns < kMostTurns; ++turns) {
    const Eigen::Matrix3d d = axes.transpose() * symmetric * axes;
    int row = 1, column = 2;
    if (std::abs(d(0, 1)) > std::abs(d(0, 2)) && std::abs(d(0, 1)) > std::abs(d(1, 2))) row = 0, column = 1;
    else if (std::abs(d(0, 2)) > std::abs(d(1, 2))) row = 0;
    if (std::abs(d(row, column)) < kZero) break;
    const double tau = (d(column, column) - d(row, row)) / (2.0 * d(row, column));
    const double tangent = std::copysign(1.0, tau) / (std::abs(tau) + std::sqrt(1.0 + tau * tau));
    axes = axes * planeTurn(row, column, -std::atan(tangent));
  }
  Eigen::Vector3d moments = (axes.transpose() * symmetric * axes).diagonal();
  for (const int first : {0, 1, 0}) {  // sorts, by quarter turns about the third axis
    if (!(moments[first] < moments[first + 1])) continue;
    std::swap(moments[first], moments[first + 1]);
    axes = axes * planeTurn(first, first + 1, 0.5 * std::numbers::pi);
  }
  return Eigen::Quaterniond(axes).normalized().toRotationMatrix();
}

void BodyInertia::add(const RobotShape& shape, double mass) { parts_.push_back({shape, mass}); }

std::optional<Transform> BodyInertia::place() const {
  if (parts_.size() == 1) return parts_.front().shape.linkFromShape;
  double mass = 0.0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (const Part& part : parts_) {
    mass += part.mass;
    centre += part.mass * part.shape.linkFromShape.translation;
  }
  if (!(mass > 0.0)) return std::nullopt;
  centre /= mass;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (const Part& part : parts_) {
    const Eigen::Matrix3d& turn = part.shape.linkFromShape.rotation;
    inertia += turn * momentsOf(part.shape, part.mass).asDiagonal() * turn.transpose();
    inertia += inertiaOfOffset(part.mass, part.shape.linkFromShape.translation - centre);
  }
  return Transform{principalAxes(inertia), centre};
}

Transform inertialPlace(const MjcfElement& inertial) {
  Transform place = inertial.place();
  const std::vector<double> full = inertial.numbers("fullinertia", 6, 6);  // xx yy zz xy xz yz
  if (full.empty()) return place;
  Eigen::Matrix3d inertia;
  inertia << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
  place.rotation = principalAxes(inertia);
  return place;
}

}  // namespace limber::io

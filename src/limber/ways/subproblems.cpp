// SPDX-License-Identifier: MIT
#include "limber/ways/subproblems.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/kinematics/pose.h"
#include "limber/ways/screw.h"

namespace limber::ways {

namespace {

/// Below this part of the lengths involved, a lever has no direction: the angle about its axis has no effect.
constexpr double kNoLever = 1e-10;

}  // namespace

Angles turnOnto(const Eigen::Vector3d& axis, const Eigen::Vector3d& p, const Eigen::Vector3d& q) {
  const double heightP = axis.dot(p), heightQ = axis.dot(q);
  const Eigen::Vector3d leverP = p - heightP * axis, leverQ = q - heightQ * axis;
  const double lengthP = leverP.norm(), lengthQ = leverQ.norm();
  Angles result{.count = 1, .excess = std::hypot(lengthP - lengthQ, heightP - heightQ)};
  if (std::min(lengthP, lengthQ) <= kNoLever * std::max(p.norm(), q.norm())) {
    result.isFree = true;
    return result;
  }
  result.value[0] = std::atan2(axis.dot(leverP.cross(leverQ)), leverP.dot(leverQ));
  return result;
}

Angles turnToSum(double a, double b, double c) {
  const double length = std::hypot(a, b);
  if (length <= kNoLever * std::max(1.0, std::abs(c)))
    return {.count = 1, .isFree = std::abs(c) <= kNoLever, .excess = std::abs(c)};
  const double cosine = c / length, middle = std::atan2(b, a);
  if (std::abs(cosine) >= 1.0)
    return {.count = 1,
            .value = {wrapAngle(cosine > 0.0 ? middle : middle + std::acos(-1.0))},
            .excess = std::abs(cosine) - 1.0};
  // atan2 has full accuracy where acos would lose half of the digits
  const double half = std::atan2(std::sqrt((1.0 - cosine) * (1.0 + cosine)), cosine);
  return {.count = 2, .value = {wrapAngle(middle + half), wrapAngle(middle - half)}};
}

Angles turnToPlane(const Eigen::Vector3d& axis, const Eigen::Vector3d& p, const Eigen::Vector3d& normal,
                   double height) {
  const double constant = axis.dot(normal) * axis.dot(p);
  return turnToSum(normal.dot(p) - constant, normal.dot(axis.cross(p)), height - constant);
}

Angles turnToDistance(const Eigen::Vector3d& axis, const Eigen::Vector3d& p, const Eigen::Vector3d& q,
                      double distance) {
  return turnToPlane(axis, p, q, 0.5 * (p.squaredNorm() + q.squaredNorm() - distance * distance));
}

AnglePairs turnBothOnto(const Eigen::Vector3d& axis1, const Eigen::Vector3d& p, const Eigen::Vector3d& axis2,
                        const Eigen::Vector3d& q) {
  // The common image v has the heights of p and q over the two axes:  v = a axis1 + b axis2 + g axis1 x axis2.
  const Eigen::Vector3d normal = axis1.cross(axis2);
  const double squaredSine = normal.squaredNorm(), cosine = axis1.dot(axis2);
  AnglePairs result;
  if (squaredSine <= kNoLever * kNoLever) {
    const Angles turn = turnOnto(axis1, p, q);
    result = {.count = 1, .value = {{{turn.value[0], 0.0}}}, .isFree = true, .excess = turn.excess};
    return result;
  }
  const double heightP = axis1.dot(p), heightQ = axis2.dot(q);
  const double a = (heightP - cosine * heightQ) / squaredSine, b = (heightQ - cosine * heightP) / squaredSine;
  const double square =
      (0.5 * (p.squaredNorm() + q.squaredNorm()) - a * a - b * b - 2.0 * a * b * cosine) / squaredSine;
  result.excess = std::max(std::abs(p.norm() - q.norm()), square < 0.0 ? std::sqrt(-square * squaredSine) : 0.0);
  result.count = square > 0.0 ? 2 : 1;
  const double g = std::sqrt(std::max(square, 0.0));
  for (int i = 0; i < result.count; ++i) {
    const Eigen::Vector3d v = a * axis1 + b * axis2 + (i == 0 ? g : -g) * normal;
    const Angles first = turnOnto(axis1, p, v), second = turnOnto(axis2, q, v);
    result.value[i] = {first.value[0], second.value[0]};
    result.isFree = result.isFree || first.isFree || second.isFree;
  }
  return result;
}

}  // namespace limber::ways

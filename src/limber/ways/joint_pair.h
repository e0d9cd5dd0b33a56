// SPDX-License-Identifier: MIT
// Two joints that bring a point y to a point x:  E_1(q_1) E_2(q_2) y = x. For skew hinges this is Pieper's (1968)
// reduction: the height over the first axis and the distance from a point on it do not depend on q_1.
#pragma once

#include <array>

#include "limber/ways/screw.h"

namespace limber::ways {

struct PairAnswers {
  int count = 0;
  std::array<std::array<double, 2>, 4> value = {};
  bool isFree = false;    ///< a coordinate has no effect; it has its value of `preferred`
  bool isUnsure = false;  ///< two answers are so close that rounding may hide them
  void add(double first, double second) {
    if (count < static_cast<int>(value.size())) value[count++] = {first, second};
  }
};

class JointPair {
 public:
  JointPair(const Screw& first, const Screw& second);

  /// Zero if and only if the pair can bring y to x, except where two equations are needed (both axes equal). Polynomial
  /// of degree 4 in y.
  double gap(const Eigen::Vector3d& y, const Eigen::Vector3d& x) const;
  /// The size of the terms of the gap, for points within 1 of the axes.
  double gapScale() const;
  /// Coordinates that bring y to x, or near it if the gap is not zero.
  PairAnswers solve(const Eigen::Vector3d& y, const Eigen::Vector3d& x, const std::array<double, 2>& preferred) const;

 private:
  /// y relative to origin2_ in the axes (side_, across_, second axis).
  struct Lever {
    double along, squaredRadius, angle;
  };
  Lever leverOf(const Eigen::Vector3d& y) const;
  double turnOfFirst(const Eigen::Vector3d& from, const Eigen::Vector3d& x, double preferred, bool& isFree) const;
  void addTurns(PairAnswers& answers, const Lever& lever, double side, double across, const Eigen::Vector3d& y,
                const Eigen::Vector3d& x, const std::array<double, 2>& preferred) const;

  Screw first_, second_;
  double cosine_ = 0.0, sine_ = 0.0;  ///< of the angle between the axes
  double offset_ = 0.0;               ///< between the axes along side_
  bool isParallel_ = false, isCrossing_ = false;
  Eigen::Vector3d origin1_, origin2_;  ///< on the axes, at their common perpendicular
  Eigen::Vector3d side_, across_;      ///< (side_, across_, second axis) is a right-handed frame
};

}  // namespace limber::ways

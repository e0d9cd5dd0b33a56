// SPDX-License-Identifier: MIT
#include "limber/ways/joint_pair.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/kinematics/pose.h"
#include "limber/ways/subproblems.h"

namespace limber::ways {

namespace {

constexpr double kSmallAngle = 1e-7;   ///< axes below this angle count as parallel; Newton's method corrects the answer
constexpr double kSmallOffset = 1e-7;  ///< relative to the arm's size, which is 1

/// Square root of what may be negative by rounding; unsure near zero.
double rootOf(double square, bool& isUnsure) {
  if (std::abs(square) < 1e-10) isUnsure = true;
  return std::sqrt(std::max(square, 0.0));
}

}  // namespace

JointPair::JointPair(const Screw& first, const Screw& second) : first_(first), second_(second) {
  const Eigen::Vector3d& a1 = first.axis;
  const Eigen::Vector3d& a2 = second.axis;
  const Eigen::Vector3d normal = a1.cross(a2), between = second.point - first.point;
  cosine_ = a1.dot(a2);
  sine_ = normal.norm();
  isParallel_ = sine_ < kSmallAngle;
  origin1_ = first.point;
  origin2_ = second.point;
  if (!isParallel_) {
    side_ = normal / sine_;
    offset_ = side_.dot(between);
    const double along1 = between.cross(a2).dot(normal) / (sine_ * sine_);
    const double along2 = between.cross(a1).dot(normal) / (sine_ * sine_);
    if (!first.isSlide) origin1_ += along1 * a1;
    if (!second.isSlide && !first.isSlide) origin2_ += along2 * a2;
  } else {
    const Eigen::Vector3d apart = between - a2.dot(between) * a2;
    offset_ = apart.norm();
    side_ = offset_ > kSmallOffset ? Eigen::Vector3d(apart / offset_) : a2.unitOrthogonal();
    origin1_ = origin2_ - offset_ * side_;
  }
  across_ = a2.cross(side_);
  isCrossing_ = std::abs(offset_) < kSmallOffset;
}

JointPair::Lever JointPair::leverOf(const Eigen::Vector3d& y) const {
  const Eigen::Vector3d r = y - origin2_;
  const double side = side_.dot(r), across = across_.dot(r);
  return {second_.axis.dot(r), side * side + across * across, std::atan2(across, side)};
}

double JointPair::gap(const Eigen::Vector3d& y, const Eigen::Vector3d& x) const {
  const double d = offset_, s = sine_, k = cosine_;
  if (first_.isSlide && second_.isSlide) return side_.dot(x - y);
  if (second_.isSlide) {
    const Eigen::Vector3d r = y - first_.point, target = x - first_.point;
    const double climb = first_.axis.dot(target - r);
    if (std::abs(k) < kSmallAngle) return climb;
    return (k * r + climb * second_.axis).squaredNorm() - k * k * target.squaredNorm();
  }
  const Eigen::Vector3d r = y - origin2_;
  const double along = second_.axis.dot(r), square = r.squaredNorm(), squaredRadius = square - along * along;
  if (first_.isSlide) {
    const Eigen::Vector3d target = x - origin2_;
    if (isParallel_) {
      const double height = second_.axis.dot(target);
      return squaredRadius - target.squaredNorm() + height * height;
    }
    const double side = side_.dot(target), rest = first_.axis.cross(side_).dot(target) + s * along;
    if (std::abs(k) < kSmallAngle) return rest;
    return k * k * (side * side - squaredRadius) + rest * rest;
  }
  const Eigen::Vector3d target = x - origin1_;
  const double farther = target.squaredNorm() - d * d - square, higher = first_.axis.dot(target) - k * along;
  if (isParallel_) return higher;
  if (isCrossing_) return farther;
  return s * s * farther * farther + 4.0 * d * d * (higher * higher - s * s * squaredRadius);
}

double JointPair::gapScale() const {
  const bool isQuartic = !first_.isSlide && !second_.isSlide && !isParallel_ && !isCrossing_;
  return isQuartic ? sine_ * sine_ + 4.0 * offset_ * offset_ : 1.0;
}

double JointPair::turnOfFirst(const Eigen::Vector3d& from, const Eigen::Vector3d& x, double preferred,
                              bool& isFree) const {
  const Angles turn = turnOnto(first_.axis, from - origin1_, x - origin1_);
  isFree = isFree || turn.isFree;
  return turn.isFree ? preferred : turn.value[0];
}

/// Adds the answer for which the turned y has the coordinates (side, across).
void JointPair::addTurns(PairAnswers& answers, const Lever& lever, double side, double across, const Eigen::Vector3d& y,
                         const Eigen::Vector3d& x, const std::array<double, 2>& preferred) const {
  const bool hasLever =
      lever.squaredRadius > 1e-20 * (1.0 + lever.along * lever.along) && side * side + across * across > 0.0;
  const double second = hasLever ? wrapAngle(std::atan2(across, side) - lever.angle) : preferred[1];
  answers.isFree = answers.isFree || !hasLever;
  const Eigen::Vector3d turned = movedPoint(second_, second, y);
  const double first =
      first_.isSlide ? first_.axis.dot(x - turned) : turnOfFirst(turned, x, preferred[0], answers.isFree);
  answers.add(first, second);
}

PairAnswers JointPair::solve(const Eigen::Vector3d& y, const Eigen::Vector3d& x,
                             const std::array<double, 2>& preferred) const {
  PairAnswers answers;
  const double d = offset_, s = sine_, k = cosine_;
  if (first_.isSlide && second_.isSlide) {
    const Eigen::Vector3d move = x - y;
    answers.isFree = isParallel_;
    if (isParallel_) answers.add(first_.axis.dot(move) - k * preferred[1], preferred[1]);
    else
      answers.add((first_.axis.dot(move) - k * second_.axis.dot(move)) / (s * s),
                  (second_.axis.dot(move) - k * first_.axis.dot(move)) / (s * s));
    return answers;
  }
  if (second_.isSlide) {
    const Eigen::Vector3d r = y - first_.point, target = x - first_.point;
    const auto add = [&](double slide) {
      const Eigen::Vector3d from = r + slide * second_.axis;
      const Angles turn = turnOnto(first_.axis, from, target);
      answers.isFree = answers.isFree || turn.isFree;
      answers.add(turn.isFree ? preferred[0] : turn.value[0], slide);
    };
    if (std::abs(k) >= kSmallAngle) {
      add(first_.axis.dot(target - r) / k);
      return answers;
    }
    const double middle = -second_.axis.dot(r);
    const double half = rootOf(middle * middle - r.squaredNorm() + target.squaredNorm(), answers.isUnsure);
    add(middle + half);
    if (half > 0.0) add(middle - half);
    return answers;
  }
  const Lever lever = leverOf(y);
  const auto addBoth = [&](double side, double across, bool mirrorsSide) {
    addTurns(answers, lever, side, across, y, x, preferred);
    if (mirrorsSide ? side != 0.0 : across != 0.0)
      addTurns(answers, lever, mirrorsSide ? -side : side, mirrorsSide ? across : -across, y, x, preferred);
  };
  if (first_.isSlide) {
    const Eigen::Vector3d target = x - origin2_;
    const double side = side_.dot(target);
    if (isParallel_) addTurns(answers, lever, side, across_.dot(target), y, x, preferred);
    else if (std::abs(k) >= kSmallAngle)
      addTurns(answers, lever, side, (first_.axis.cross(side_).dot(target) + s * lever.along) / k, y, x, preferred);
    else addBoth(side, rootOf(lever.squaredRadius - side * side, answers.isUnsure), false);
    return answers;
  }
  const Eigen::Vector3d target = x - origin1_;
  const double farther = target.squaredNorm() - d * d - lever.along * lever.along - lever.squaredRadius;
  const double higher = first_.axis.dot(target) - k * lever.along;
  if (isParallel_ && isCrossing_) {  // one axis: only the sum of both angles matters
    answers.isFree = true;
    const double total = k * turnOfFirst(y, x, preferred[0], answers.isFree);
    answers.add(wrapAngle(k * (total - preferred[1])), preferred[1]);
  } else if (isParallel_) {
    const double side = farther / (2.0 * d);
    addBoth(side, rootOf(lever.squaredRadius - side * side, answers.isUnsure), false);
  } else if (isCrossing_) {
    const double across = higher / s;
    addBoth(rootOf(lever.squaredRadius - across * across, answers.isUnsure), across, true);
  } else {
    addTurns(answers, lever, farther / (2.0 * d), higher / s, y, x, preferred);
  }
  return answers;
}

}  // namespace limber::ways

// SPDX-License-Identifier: MIT
#include "limber/ways/parallel_triple.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "limber/kinematics/pose.h"
#include "limber/ways/roots.h"
#include "limber/ways/subproblems.h"

namespace limber::ways {

namespace {

constexpr double kMaxExcess = 1e-4;     ///< as kSlack for spherical wrists
constexpr double kParallelSine = 1e-9;  ///< of axes that count as parallel
constexpr double kDependent = 1e-7;     ///< relative size of a determinant that counts as zero

using Joints = std::array<double, kMaxLoop>;

Eigen::Vector3d acrossTo(const Eigen::Vector3d& direction, const Eigen::Vector3d& v) {
  return v - direction.dot(v) * direction;
}

/// The last equation: three parallel hinges from index `first` on make the planar motion.
void addPlanar(const Loop& loop, int first, const Transform& motion, Joints& q, Candidates& candidates) {
  const Screw &a = loop.screws[first], &b = loop.screws[first + 1], &c = loop.screws[first + 2];
  const Eigen::Vector3d& h = a.axis;
  const Eigen::Vector3d end = acrossTo(h, motion * c.point - a.point);
  const Angles bend =
      turnToDistance(b.axis, acrossTo(h, c.point - b.point), acrossTo(h, a.point - b.point), end.norm());
  if (bend.excess > kMaxExcess) return;
  const Eigen::Vector3d lever = h.unitOrthogonal();
  const double total = turnOnto(h, lever, motion.rotation * lever).value[0];
  for (int i = 0; i < bend.count; ++i) {
    q[first + 1] = bend.isFree ? loop.preferred[first + 1] : bend.value[i];
    const Angles base = turnOnto(h, acrossTo(h, movedPoint(b, q[first + 1], c.point) - a.point), end);
    q[first] = base.isFree ? loop.preferred[first] : base.value[0];
    q[first + 2] = wrapAngle(h.dot(c.axis) * (total - q[first] - h.dot(b.axis) * q[first + 1]));
    candidates.isFree = candidates.isFree || bend.isFree || base.isFree;
    candidates.add(loop, q);
  }
}

/// Two equations  first (cos a, sin a) + last (cos b, sin b) = right.
struct TwoTurns {
  Eigen::Matrix2d first, last;
  Eigen::Vector2d right;
};

struct TurnPair {
  int count = 0;
  std::array<std::array<double, 2>, 24> value = {};
  bool isFree = false, isUnsure = false;
  void add(double a, double b) {
    if (count < static_cast<int>(value.size())) value[count++] = {a, b};
  }
};

/// The combination of two rows that is zero, if there is one: unit.
bool findDependence(const Eigen::Matrix2d& m, Eigen::Vector2d& weights) {
  const double size = m.squaredNorm();
  if (std::abs(m.determinant()) > kDependent * std::max(size, 1e-6)) return false;
  // the row space is spanned by the larger column, if there is any
  const Eigen::Vector2d column = m.col(0).squaredNorm() > m.col(1).squaredNorm() ? m.col(0) : m.col(1);
  weights = column.norm() > 1e-12 ? Eigen::Vector2d(-column.y(), column.x()).normalized() : Eigen::Vector2d(0.0, 1.0);
  return true;
}

/// Answers if the last angle is absent from one combination of the equations.
TurnPair solveInSteps(const TwoTurns& t, const Eigen::Vector2d& weights) {
  TurnPair result;
  const Eigen::RowVector2d alone = weights.transpose() * t.first;
  const Angles firsts = turnToSum(alone.x(), alone.y(), weights.dot(t.right));
  if (firsts.excess > kMaxExcess) return result;
  result.isFree = firsts.isFree;
  const Eigen::Vector2d other(weights.y(), -weights.x());
  const Eigen::RowVector2d a = other.transpose() * t.first, b = other.transpose() * t.last;
  for (int i = 0; i < firsts.count; ++i) {
    const double x = firsts.value[i];
    const Angles lasts = turnToSum(b.x(), b.y(), other.dot(t.right) - a.x() * std::cos(x) - a.y() * std::sin(x));
    if (lasts.excess > kMaxExcess) continue;
    result.isFree = result.isFree || lasts.isFree;
    for (int j = 0; j < lasts.count; ++j) result.add(x, lasts.value[j]);
  }
  return result;
}

/// Answers if the equations can be solved for the cosine and sine of the last angle.
TurnPair solveByQuartic(const TwoTurns& t) {
  TurnPair result;
  const Eigen::Matrix2d inverse = t.last.inverse();
  const Eigen::Vector2d constant = inverse * t.right;
  const Eigen::Matrix2d turning = inverse * t.first;
  const auto lastOf = [&](double x) -> Eigen::Vector2d {
    return constant - turning * Eigen::Vector2d(std::cos(x), std::sin(x));
  };
  std::array<double, 5> samples;
  for (int k = 0; k < 5; ++k) samples[k] = lastOf(2.0 * 3.14159265358979323846 * k / 5.0).squaredNorm() - 1.0;
  const Zeros zeros = zerosOfCircle(samples, 1.0 + constant.squaredNorm() + turning.squaredNorm());
  result.isFree = zeros.isFree;
  result.isUnsure = zeros.isUnsure;
  for (int i = 0; i < zeros.count; ++i) {
    const Eigen::Vector2d last = lastOf(zeros.value[i]);
    result.add(zeros.value[i], std::atan2(last.y(), last.x()));
  }
  return result;
}

TurnPair swapped(TurnPair pair) {
  for (auto& value : pair.value) std::swap(value[0], value[1]);
  return pair;
}

TurnPair solveTwoTurns(const TwoTurns& t) {
  const TwoTurns other{t.last, t.first, t.right};
  Eigen::Vector2d weights;
  if (findDependence(t.last, weights)) return solveInSteps(t, weights);
  if (findDependence(t.first, weights)) return swapped(solveInSteps(other, weights));
  const bool solvesForLast =
      std::abs(t.last.determinant()) * t.first.squaredNorm() > std::abs(t.first.determinant()) * t.last.squaredNorm();
  return solvesForLast ? solveByQuartic(t) : swapped(solveByQuartic(other));
}

/// Coefficients of cosine and sine, and the constant, of  normal . R(axis, angle) v.
struct Wave {
  double cosine, sine, constant;
};
Wave waveOf(const Eigen::Vector3d& normal, const Eigen::Vector3d& axis, const Eigen::Vector3d& v) {
  const double constant = normal.dot(axis) * axis.dot(v);
  return {normal.dot(v) - constant, normal.dot(axis.cross(v)), constant};
}

/// E_0 [three] E_4 E_5 = goal: the direction and a point of the last axis do not depend on the last joint.
void solveSix(const Loop& loop, Candidates& candidates) {
  const Screw &base = loop.screws[0], &wrist = loop.screws[4], &tool = loop.screws[5];
  const Eigen::Vector3d& h = loop.screws[1].axis;
  const Transform& goal = loop.goal;
  // h . R_0^T v = h . R_4 w, for the direction of the last axis and for its point.
  const Wave direction0 = waveOf(h, -base.axis, goal.rotation * tool.axis);
  const Wave direction4 = waveOf(h, wrist.axis, tool.axis);
  const Wave point0 = waveOf(h, -base.axis, goal * tool.point - base.point);
  const Wave point4 = waveOf(h, wrist.axis, tool.point - wrist.point);
  TwoTurns turns;
  turns.first << direction0.cosine, direction0.sine, point0.cosine, point0.sine;
  turns.last << -direction4.cosine, -direction4.sine, -point4.cosine, -point4.sine;
  turns.right << direction4.constant - direction0.constant,
      point4.constant - point0.constant + h.dot(wrist.point - base.point);
  const TurnPair pairs = solveTwoTurns(turns);
  candidates.isUnsure = candidates.isUnsure || pairs.isUnsure;
  candidates.isFree = candidates.isFree || pairs.isFree;
  Joints q = {};
  for (int i = 0; i < pairs.count; ++i) {
    q[0] = pairs.value[i][0];
    q[4] = pairs.value[i][1];
    const Eigen::Matrix3d baseTurn = turnAbout(base.axis, q[0]);
    const Angles last =
        turnOnto(tool.axis, goal.rotation.transpose() * (baseTurn * h), turnAbout(wrist.axis, -q[4]) * h);
    q[5] = last.isFree ? loop.preferred[5] : last.value[0];
    candidates.isFree = candidates.isFree || last.isFree;
    const Transform motion = motionOf(base, -q[0]) * goal * motionOf(tool, -q[5]) * motionOf(wrist, -q[4]);
    addPlanar(loop, 1, motion, q, candidates);
  }
}

/// E_0 [three] E_4 = goal:  R_0 h = goal R_4^T h.
void solveFive(const Loop& loop, Candidates& candidates) {
  const Screw &base = loop.screws[0], &wrist = loop.screws[4];
  const Eigen::Vector3d& h = loop.screws[1].axis;
  const Transform& goal = loop.goal;
  const AnglePairs pairs = turnBothOnto(base.axis, h, goal.rotation * -wrist.axis, goal.rotation * h);
  candidates.isFree = candidates.isFree || pairs.isFree;
  Joints q = {};
  for (int i = 0; i < pairs.count; ++i) {
    q[0] = pairs.value[i][0];
    q[4] = pairs.value[i][1];
    addPlanar(loop, 1, motionOf(base, -q[0]) * goal * motionOf(wrist, -q[4]), q, candidates);
  }
}

void solveFour(const Loop& loop, Candidates& candidates) {
  const Screw& base = loop.screws[0];
  const Eigen::Vector3d& h = loop.screws[1].axis;
  const Eigen::Vector3d& end = loop.screws[3].point;
  Joints q = {};
  if (base.isSlide) {
    const double climb = h.dot(base.axis);
    const bool isFree = std::abs(climb) < kDependent;
    q[0] = isFree ? loop.preferred[0] : h.dot(loop.goal * end - end) / climb;
    candidates.isFree = candidates.isFree || isFree;
  } else {
    const Angles turn = turnOnto(base.axis, h, loop.goal.rotation * h);
    q[0] = turn.isFree ? loop.preferred[0] : turn.value[0];
    candidates.isFree = candidates.isFree || turn.isFree;
  }
  addPlanar(loop, 1, motionOf(base, -q[0]) * loop.goal, q, candidates);
}

}  // namespace

int findParallelTriple(const Loop& loop) {
  int slides = 0;
  for (int i = 0; i < loop.count; ++i) slides += loop.screws[i].isSlide;
  if (loop.count < 3 || (slides > 0 && loop.count > 4)) return -1;
  for (int i = 0; i + 2 < loop.count; ++i) {
    const Screw &a = loop.screws[i], &b = loop.screws[i + 1], &c = loop.screws[i + 2];
    if (a.isSlide || b.isSlide || c.isSlide) continue;
    if (a.axis.cross(b.axis).norm() < kParallelSine && a.axis.cross(c.axis).norm() < kParallelSine) return i;
  }
  return -1;
}

void solveParallel(const Loop& loop, Candidates& candidates) {
  Joints q = {};
  switch (loop.count) {
    case 3: addPlanar(loop, 0, loop.goal, q, candidates); break;
    case 4: solveFour(loop, candidates); break;
    case 5: solveFive(loop, candidates); break;
    default: solveSix(loop, candidates); break;
  }
}

}  // namespace limber::ways

// SPDX-License-Identifier: MIT
#include "posing/reach_bound.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace limber {

namespace {

using Eigen::Vector3d;
using Kind = ChainMotion::Kind;

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr std::size_t kMaxMotions = 24;    // from the base; what hangs on them counts as a ball
constexpr int kTurnBudget = 2000;          // evaluations for one minimum
constexpr int kSwingBudget = 1500;
constexpr int kSphereBudget = 20000;       // of which there are few
constexpr int kRadialNodes = 256;
constexpr double kNodeSlack = 0.25;        // of a grid's step: how exact a node is
constexpr double kFarSlack = 0.05;         // of the distance: far away less will do
constexpr double kReachRounding = 1e-6;    // of the reach

/// M(q)^-1 x.
Vector3d undo(const ChainMotion& motion, double q, const Vector3d& x) {
  if (motion.kind == Kind::Slide) return x - q * motion.axis;
  return Eigen::AngleAxisd(-q, motion.axis) * x;
}

/// How fast M(q)^-1 x moves.
double speedOf(const ChainMotion& motion, const Vector3d& x) {
  return motion.kind == Kind::Slide ? 1.0 : motion.axis.cross(x).norm();
}

/// From x to the arc, or the line, that the motion makes of the point p: exact.
double distanceToPath(const ChainMotion& motion, const Vector3d& p, const Vector3d& x) {
  const Interval& range = motion.range;
  double q = 0.5 * (range.lower + range.upper);
  if (motion.kind == Kind::Slide) q = std::clamp(motion.axis.dot(x - p), range.lower, range.upper);
  else {
    constexpr double kTurn = 2.0 * std::numbers::pi;
    const double angle = std::atan2(motion.axis.dot(p.cross(x)), p.dot(x) - motion.axis.dot(p) * motion.axis.dot(x));
    const double off = std::remainder(angle - q, kTurn), half = 0.5 * (range.upper - range.lower);
    q += std::clamp(off, -half, half);
  }
  return (undo(motion, q, x) - p).norm();
}

/// A square of swings, of which those within the cone count.
struct Square {
  double a, b, half;
};

}  // namespace

Vector3d ReachBound::Field::nodeAt(int i, int j, int k) const {
  return {step * i - radius, step * j - radius, shape == Shape::Planar ? plane : step * k - radius};
}

double ReachBound::Field::least(const Vector3d& x) const {
  if (shape == Shape::Radial) {
    const double r = x.norm();
    const int i = std::clamp(static_cast<int>(r / step), 0, nodes - 2);
    const auto at = static_cast<std::size_t>(i);
    return std::max(values[at] - std::abs(r - step * i), values[at + 1] - std::abs(r - step * (i + 1)));
  }
  const bool isFlat = shape == Shape::Planar;
  std::array<int, 3> low{};
  for (int k = 0; k < (isFlat ? 2 : 3); ++k) {
    const double at = (x[k] + radius) / step;
    if (!(at >= 0.0 && at <= nodes - 1)) return 0.0;  // beyond the ball: its bound is the better one
    low[static_cast<std::size_t>(k)] = std::min(static_cast<int>(at), nodes - 2);
  }
  double best = 0.0;
  for (int corner = 0; corner < (isFlat ? 4 : 8); ++corner) {
    const int i = low[0] + (corner & 1), j = low[1] + (corner >> 1 & 1), k = low[2] + (corner >> 2 & 1);
    const double value = values[static_cast<std::size_t>(i + nodes * (j + nodes * k))];
    if (value <= best) continue;
    Vector3d off = x - nodeAt(i, j, k);
    if (isFlat) off.z() = 0.0;
    best = std::max(best, value - off.norm());
  }
  return best;
}

ReachBound::ReachBound(ReachChain chain, int nodes, const double* plane, const Watch& watch)
    : chain_(std::move(chain)) {
  assert(nodes >= 2 && "a grid has two nodes at least");
  isKnown_ = chain_.unbounded.empty();
  if (!isKnown_) return;
  const std::size_t count = chain_.motions.size();
  depth_ = std::min(count, kMaxMotions);
  fields_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    balls_.push_back(chain_.ballOf(i));
    intoNext_.push_back(i + 1 < count ? chain_.motions[i + 1].before.inverse() : Transform{});
  }
  rounding_ = kReachRounding * (count > 0 ? balls_[0].radius : chain_.point.norm());
  for (std::size_t i = depth_; i-- > 0;) {
    const ChainMotion& motion = chain_.motions[i];
    const bool isSphere = motion.kind == Kind::Swing && motion.range.upper >= std::numbers::pi;
    const bool isExact = i + 1 == count && motion.kind != Kind::Swing;
    if (isExact || (i == 0 && !isSphere)) continue;
    const auto tell = [&](double part) {
      return !watch || watch((static_cast<double>(depth_ - 1 - i) + part) / static_cast<double>(depth_));
    };
    if (!fill(i, nodes, plane, tell)) {
      isKnown_ = false;
      return;
    }
  }
}

/// Above which a part of the range need not be looked at more closely, when the least value yet is `best`.
double ReachBound::Search::enough(double best) const {
  return slack > 0.0 ? (1.0 - kFarSlack) * best - slack : threshold;
}

bool ReachBound::excludes(const Vector3d& x, double radius) const {
  if (!isKnown_) return false;
  const double needed = radius + rounding_;
  if (chain_.motions.empty()) return (x - chain_.point).norm() > needed;
  const Vector3d inFirst = chain_.motions.front().before.inverse() * x;
  if (ofBall(0, inFirst) > needed) return true;
  return least(0, inFirst, {.threshold = needed, .slack = 0.0, .budget = kSphereBudget}) > needed;
}

/// What of the ball around all that motion i gives is known: how far x is from it, or within its hollow.
double ReachBound::ofBall(std::size_t motion, const Vector3d& x) const {
  const double r = x.norm();
  return std::max({0.0, r - balls_[motion].radius, balls_[motion].least - r});
}

/// d_(i+1) of x given in the frame of motion i, moved back by it.
double ReachBound::inner(std::size_t motion, const Vector3d& x) const {
  const std::size_t next = motion + 1;
  if (next == chain_.motions.size()) return (x - chain_.point).norm();
  const Vector3d y = intoNext_[motion] * x;
  const double ball = ofBall(next, y);
  if (next >= depth_) return ball;
  if (fields_[next].nodes > 0) return std::max(ball, fields_[next].least(y));
  return std::max(ball, distanceToPath(chain_.motions[next], chain_.point, y));
}

double ReachBound::least(std::size_t motion, const Vector3d& x, const Search& search) const {
  const ChainMotion& m = chain_.motions[motion];
  if (fields_[motion].nodes > 0) return fields_[motion].least(x);
  if (motion + 1 == chain_.motions.size() && m.kind != Kind::Swing) return distanceToPath(m, chain_.point, x);
  return m.kind == Kind::Swing ? leastSwung(motion, x, search) : leastTurned(motion, x, search);
}

double ReachBound::leastTurned(std::size_t motion, const Vector3d& x, const Search& search) const {
  const ChainMotion& m = chain_.motions[motion];
  const double speed = speedOf(m, x);
  double best = kFar, bound = kFar;
  std::array<std::pair<double, double>, 64> ranges;  // lower and upper, yet to be looked at: the depth of halving
  std::size_t count = 0;
  ranges[count++] = {m.range.lower, m.range.upper};
  for (int evaluations = 0; count > 0; ++evaluations) {
    const auto [lower, upper] = ranges[--count];
    const double middle = 0.5 * (lower + upper);
    const double value = inner(motion, undo(m, middle, x));
    best = std::min(best, value);
    if (best <= search.threshold) return 0.0;
    const double here = value - 0.5 * speed * (upper - lower);
    if (here > search.enough(best) || evaluations >= search.budget || count + 2 > ranges.size()) {
      bound = std::min(bound, here);
      continue;
    }
    ranges[count++] = {lower, middle};
    ranges[count++] = {middle, upper};
  }
  return std::max(bound, 0.0);
}

double ReachBound::leastSwung(std::size_t motion, const Vector3d& x, const Search& search) const {
  const ChainMotion& m = chain_.motions[motion];
  const Vector3d across = m.axis.unitOrthogonal(), other = m.axis.cross(across);
  const double speed = x.norm(), cone = m.range.upper;
  double best = kFar, bound = kFar;
  std::array<Square, 160> squares;  // yet to be looked at
  std::size_t count = 0;
  squares[count++] = {0.0, 0.0, cone};
  for (int evaluations = 0; count > 0;) {
    const Square s = squares[--count];
    const double nearA = std::max(0.0, std::abs(s.a) - s.half), nearB = std::max(0.0, std::abs(s.b) - s.half);
    if (std::hypot(nearA, nearB) > cone) continue;
    const double out = std::max(1.0, std::hypot(s.a, s.b) / cone);
    const Vector3d swing = (s.a / out) * across + (s.b / out) * other;
    const double angle = swing.norm();
    const Vector3d moved = angle > 0.0 ? Vector3d(Eigen::AngleAxisd(-angle, swing / angle) * x) : x;
    const double value = inner(motion, moved);
    ++evaluations;
    best = std::min(best, value);
    if (best <= search.threshold) return 0.0;
    const double here = value - speed * std::numbers::sqrt2 * s.half;
    if (here > search.enough(best) || evaluations >= search.budget || count + 4 > squares.size()) {
      bound = std::min(bound, here);
      continue;
    }
    const double half = 0.5 * s.half;
    for (const double a : {-half, half})
      for (const double b : {-half, half}) squares[count++] = {s.a + a, s.b + b, half};
  }
  return std::max(bound, 0.0);
}

void ReachBound::fillNode(std::size_t motion, Field& field, const Vector3d& node, std::size_t place) const {
  const double ball = ofBall(motion, node);
  double value = ball;
  if (node.norm() <= field.radius + field.step) {
    const bool isSphere = field.shape == Field::Shape::Radial;
    const int budget = isSphere                                              ? kSphereBudget
                       : chain_.motions[motion].kind == Kind::Swing ? kSwingBudget
                                                                             : kTurnBudget;
    const Search search{.threshold = 0.0, .slack = kNodeSlack * field.step, .budget = budget};
    const ChainMotion& m = chain_.motions[motion];
    value = m.kind == Kind::Swing ? leastSwung(motion, node, search) : leastTurned(motion, node, search);
    value = std::max(value, ball);
  }
  field.values[place] = static_cast<float>(std::max(0.0, value - 0.1 * rounding_));
}

bool ReachBound::fill(std::size_t motion, int nodes, const double* plane, const std::function<bool(double)>& watch) {
  const ChainMotion& m = chain_.motions[motion];
  Field field;
  const bool isSphere = m.kind == Kind::Swing && m.range.upper >= std::numbers::pi;
  field.shape = isSphere ? Field::Shape::Radial : plane ? Field::Shape::Planar : Field::Shape::Spatial;
  field.radius = std::max(balls_[motion].radius, std::numeric_limits<double>::min());
  field.nodes = isSphere ? kRadialNodes : nodes;
  field.step = (isSphere ? 1.0 : 2.0) * field.radius / (field.nodes - 1);
  if (plane) {
    Transform world;
    for (std::size_t i = 0; i <= motion; ++i) world = world * chain_.motions[i].before;
    field.plane = (world.inverse() * Vector3d(0.0, 0.0, *plane)).z();  // turns about z leave heights as they are
  }
  const int n = field.nodes, ny = isSphere ? 1 : n, nz = isSphere || plane ? 1 : n;
  field.values.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz));
  std::size_t place = 0;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j) {
      if (!watch(static_cast<double>(j + ny * k) / (ny * nz))) return false;
      for (int i = 0; i < n; ++i)
        fillNode(motion, field, isSphere ? Vector3d(field.step * i * m.axis) : field.nodeAt(i, j, k), place++);
    }
  fields_[motion] = std::move(field);
  return true;
}

}  // namespace limber

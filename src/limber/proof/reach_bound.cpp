// SPDX-License-Identifier: MIT
#include "limber/proof/reach_bound.h"

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

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::size_t kMaxMotions = 24;  // from the base; further motions count as a ball
constexpr int kTurnBudget = 2000;        // evaluations for one minimum
constexpr int kSwingBudget = 1500;
constexpr int kSphereBudget = 20000;  // for a sphere: only a few are needed
constexpr int kRadialNodes = 256;
constexpr std::array<double, 2> kPointedAhead = {2.5, 5.0};  // steps along the gradient
constexpr double kNodeSlack = 0.15;                          // of a grid's step: accuracy of a node
constexpr double kCap = 6.0;             // steps of the widest grid: farther distances need not be exact
constexpr double kFarSlack = 0.01;       // of the distance: accuracy far away
constexpr double kLeastBall = 1e-9;      // of the reach: radius of the grid for a set that is (nearly) a point
constexpr double kLeastRadius = 1e-30;   // metres
constexpr double kReachRounding = 1e-6;  // of the reach

/// M(q)^-1 x.
Vector3d undo(const ChainMotion& motion, double q, const Vector3d& x) {
  if (motion.kind == Kind::Slide) return x - q * motion.axis;
  return Eigen::AngleAxisd(-q, motion.axis) * x;
}

/// The speed of M(q)^-1 x with respect to q.
double speedOf(const ChainMotion& motion, const Vector3d& x) {
  return motion.kind == Kind::Slide ? 1.0 : motion.axis.cross(x).norm();
}

/// The exact distance of x from the arc or line on which the motion moves the point p.
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

/// A square of swings; only those within the cone count.
struct Square {
  double a, b, half;
};

}  // namespace

Vector3d ReachBound::Field::nodeAt(int i, int j, int k) const {
  return {step * i - radius, step * j - radius, shape == Shape::Planar ? plane : step * k - radius};
}

/// For a point x outside the ball that contains W, the bound uses the nearest point p of the ball: since the ball is
/// convex, the angle at p between x and any point of W is obtuse, so d(x)^2 >= d(p)^2 + |x - p|^2.
double ReachBound::Field::least(const Vector3d& x) const {
  const double r = shape == Shape::Planar ? x.head<2>().norm() : x.norm();
  if (r <= radius) return leastInBall(x);
  Vector3d nearest = (radius / r) * x;
  if (shape == Shape::Planar) nearest.z() = x.z();
  return std::hypot(leastInBall(nearest), r - radius);
}

/// Uses the nodes around x, and some farther away along the gradient: there the distance grows by about as much as the
/// nodes are farther, whereas few of the nodes around x lie in the direction of the gradient.
double ReachBound::Field::leastInBall(const Vector3d& x) const {
  if (shape == Shape::Radial) {
    const double r = x.norm();
    const auto at = static_cast<std::size_t>(std::clamp(static_cast<int>(r / step), 0, nodes - 2));
    const double low = step * static_cast<double>(at);
    return std::max({0.0, values[at] - std::abs(r - low), values[at + 1] - std::abs(r - low - step)});
  }
  const int axes = shape == Shape::Planar ? 2 : 3;
  std::array<int, 3> low{};
  for (int k = 0; k < axes; ++k) low[k] = std::clamp(static_cast<int>((x[k] + radius) / step), 0, nodes - 2);
  double best = 0.0;
  Vector3d gradient = Vector3d::Zero();
  for (int corner = 0; corner < 1 << axes; ++corner) {
    const std::array<int, 3> node = {low[0] + (corner & 1), low[1] + (corner >> 1 & 1), low[2] + (corner >> 2 & 1)};
    const double value = valueAt(node, x, best);
    for (int k = 0; k < axes; ++k) gradient[k] += (corner >> k & 1) != 0 ? value : -value;
  }
  const double steepness = gradient.norm();
  if (!(steepness > 0.0)) return best;
  for (const double ahead : kPointedAhead) {
    const Vector3d there = x + (ahead * step / steepness) * gradient;
    std::array<int, 3> node{};
    for (int k = 0; k < axes; ++k)
      node[k] = std::clamp(static_cast<int>(std::lround((there[k] + radius) / step)), 0, nodes - 1);
    valueAt(node, x, best);
  }
  return best;
}

/// The value at a node. best: raised to the node's bound for x.
double ReachBound::Field::valueAt(const std::array<int, 3>& node, const Vector3d& x, double& best) const {
  const double value = values[node[0] + nodes * (node[1] + nodes * node[2])];
  if (value <= best) return value;
  Vector3d off = x - nodeAt(node[0], node[1], node[2]);
  if (shape == Shape::Planar) off.z() = 0.0;
  best = std::max(best, value - off.norm());
  return value;
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

/// A part of the range with a bound above this need not be halved further, if the least value so far is `best`.
double ReachBound::Search::enough(double best) const {
  return slack > 0.0 ? std::min((1.0 - kFarSlack) * best - slack, cap) : threshold;
}

bool ReachBound::excludes(const Vector3d& x, double radius) const {
  if (!isKnown_) return false;
  const double needed = radius + rounding_;
  if (chain_.motions.empty()) return (x - chain_.point).norm() > needed;
  const Vector3d inFirst = chain_.motions.front().before.inverse() * x;
  if (ofBall(0, inFirst) > needed) return true;
  Search search{.threshold = needed, .slack = 0.0, .cap = needed, .budget = kSphereBudget};
  return least(0, inFirst, search) > needed;
}

/// The distance of x from the ball (or hollow ball) that contains all points of motion i.
double ReachBound::ofBall(std::size_t motion, const Vector3d& x) const {
  const double r = x.norm();
  return std::max({0.0, r - balls_[motion].radius, balls_[motion].least - r});
}

/// d_(i+1) of x, which is in the frame of motion i, after undoing the motion.
double ReachBound::inner(std::size_t motion, const Vector3d& x) const {
  const std::size_t next = motion + 1;
  if (next == chain_.motions.size()) return (x - chain_.point).norm();
  const Vector3d y = intoNext_[motion] * x;
  const double ball = ofBall(next, y);
  if (next >= depth_) return ball;
  if (fields_[next].nodes > 0) return std::max(ball, fields_[next].least(y));
  return std::max(ball, distanceToPath(chain_.motions[next], chain_.point, y));
}

double ReachBound::least(std::size_t motion, const Vector3d& x, Search& search) const {
  const ChainMotion& m = chain_.motions[motion];
  if (fields_[motion].nodes > 0) return fields_[motion].least(x);
  if (motion + 1 == chain_.motions.size() && m.kind != Kind::Swing) return distanceToPath(m, chain_.point, x);
  return m.kind == Kind::Swing ? leastSwung(motion, x, search) : leastTurned(motion, x, search);
}

double ReachBound::leastTurned(std::size_t motion, const Vector3d& x, Search& search) const {
  const ChainMotion& m = chain_.motions[motion];
  const double speed = speedOf(m, x);
  double best = search.hasGuess ? inner(motion, undo(m, search.at.x(), x)) : kUnbounded, bound = kUnbounded;
  if (best <= search.threshold) return 0.0;
  std::array<std::pair<double, double>, 64> ranges;  // ranges to examine; the size bounds the depth of halving
  std::size_t count = 0;
  ranges[count++] = {m.range.lower, m.range.upper};
  for (int evaluations = 0; count > 0; ++evaluations) {
    const auto [lower, upper] = ranges[--count];
    const double middle = 0.5 * (lower + upper);
    const double value = inner(motion, undo(m, middle, x));
    if (value < best) search.at.x() = middle;
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

/// d_(i+1) of x, after undoing the swing `by` about an axis across the motion's axis.
double ReachBound::swung(std::size_t motion, const Eigen::Vector2d& by, const Vector3d& x) const {
  const double angle = by.norm();
  if (!(angle > 0.0)) return inner(motion, x);
  const Vector3d& axis = chain_.motions[motion].axis;
  const Vector3d across = axis.unitOrthogonal();
  const Vector3d about = (by.x() * across + by.y() * axis.cross(across)) / angle;
  return inner(motion, Eigen::AngleAxisd(-angle, about) * x);
}

double ReachBound::leastSwung(std::size_t motion, const Vector3d& x, Search& search) const {
  const double speed = x.norm(), cone = chain_.motions[motion].range.upper;
  double best = search.hasGuess ? swung(motion, search.at, x) : kUnbounded, bound = kUnbounded;
  if (best <= search.threshold) return 0.0;
  std::array<Square, 160> squares;  // to examine
  std::size_t count = 0;
  squares[count++] = {0.0, 0.0, cone};
  for (int evaluations = 0; count > 0;) {
    const Square s = squares[--count];
    const double nearA = std::max(0.0, std::abs(s.a) - s.half), nearB = std::max(0.0, std::abs(s.b) - s.half);
    if (std::hypot(nearA, nearB) > cone) continue;
    const Eigen::Vector2d middle = Eigen::Vector2d(s.a, s.b) / std::max(1.0, std::hypot(s.a, s.b) / cone);
    const double value = swung(motion, middle, x);
    ++evaluations;
    if (value < best) search.at = middle;
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

void ReachBound::fillNode(std::size_t motion, Field& field, const Vector3d& node, std::size_t place,
                          Search& search) const {
  const double ball = ofBall(motion, node);
  double value = ball;
  if (node.norm() <= field.radius + 2.0 * field.step) {
    const bool isSwing = chain_.motions[motion].kind == Kind::Swing;
    value = isSwing ? leastSwung(motion, node, search) : leastTurned(motion, node, search);
    search.hasGuess = true;  // the previous node is near
    value = std::max(value, ball);
  }
  field.values[place] = static_cast<float>(std::max(0.0, value - 0.1 * rounding_));
}

/// Fills the nodes outside the ball from those inside.
void ReachBound::fillBeyond(Field& field) {
  if (field.shape == Field::Shape::Radial) return;
  const int n = field.nodes;
  for (std::size_t place = 0; place < field.values.size(); ++place) {
    const int at = static_cast<int>(place);
    const Vector3d node = field.nodeAt(at % n, at / n % n, at / (n * n));
    const double r = field.shape == Field::Shape::Planar ? node.head<2>().norm() : node.norm();
    if (r <= field.radius) continue;
    const float value = std::nextafter(static_cast<float>(field.least(node)), 0.0f);  // rounded down
    field.values[place] = std::max(field.values[place], value);
  }
}

bool ReachBound::fill(std::size_t motion, int nodes, const double* plane, const std::function<bool(double)>& watch) {
  const ChainMotion& m = chain_.motions[motion];
  Field field;
  const bool isSphere = m.kind == Kind::Swing && m.range.upper >= std::numbers::pi;
  field.shape = isSphere ? Field::Shape::Radial : plane ? Field::Shape::Planar : Field::Shape::Spatial;
  field.radius = std::max({balls_[motion].radius, kLeastBall * balls_[0].radius, kLeastRadius});
  field.nodes = isSphere ? kRadialNodes : nodes;
  field.step = (isSphere ? 1.0 : 2.0) * field.radius / (field.nodes - 1);
  if (plane) {
    Transform world;
    for (std::size_t i = 0; i <= motion; ++i) world = world * chain_.motions[i].before;
    field.plane = (world.inverse() * Vector3d(0.0, 0.0, *plane)).z();  // rotations about z do not change heights
  }
  const int n = field.nodes, ny = isSphere ? 1 : n, nz = isSphere || plane ? 1 : n;
  field.values.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz));
  const int budget = isSphere ? kSphereBudget : m.kind == Kind::Swing ? kSwingBudget : kTurnBudget;
  const double widest = 2.0 * balls_[0].radius / nodes;
  Search search{.threshold = 0.0, .slack = kNodeSlack * field.step, .cap = kCap * widest, .budget = budget};
  std::size_t place = 0;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j) {
      if (!watch(static_cast<double>(j + ny * k) / (ny * nz))) return false;
      for (int i = 0; i < n; ++i)
        fillNode(motion, field, isSphere ? Vector3d(field.step * i * m.axis) : field.nodeAt(i, j, k), place++, search);
    }
  fields_[motion] = std::move(field);
  fillBeyond(fields_[motion]);
  return true;
}

}  // namespace limber

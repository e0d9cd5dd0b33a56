// SPDX-License-Identifier: MIT
#include "limber/scene/path_curve.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

constexpr double kLengthTolerance = 1e-10;  // of the polygon's length
constexpr int kMaxHalvings = 24;
constexpr double kCoincident = 1e-12;  // of the path's size: points nearer than this count as one

Eigen::Vector3d pointOfPiece(const PathCurve::Piece& p, double t) {
  const double u = 1.0 - t;
  return u * u * u * p[0] + 3.0 * u * u * t * p[1] + 3.0 * u * t * t * p[2] + t * t * t * p[3];
}

double speedOfPiece(const PathCurve::Piece& p, double t) {
  const double u = 1.0 - t;
  return 3.0 * (u * u * (p[1] - p[0]) + 2.0 * u * t * (p[2] - p[1]) + t * t * (p[3] - p[2])).norm();
}

/// The length from a to b of a piece, by Gauss-Legendre of five points.
double gaussLength(const PathCurve::Piece& piece, double a, double b) {
  constexpr double kNodes[] = {0.0, 0.53846931010568309104, 0.90617984593866399280};
  constexpr double kWeights[] = {0.56888888888888888889, 0.47862867049936646804, 0.23692688505618908751};
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  double sum = kWeights[0] * speedOfPiece(piece, middle);
  for (const int i : {1, 2})
    sum +=
        kWeights[i] * (speedOfPiece(piece, middle - half * kNodes[i]) + speedOfPiece(piece, middle + half * kNodes[i]));
  return half * sum;
}

double sizeOf(const std::vector<Eigen::Vector3d>& points) {
  double size = 0.0;
  for (const Eigen::Vector3d& point : points) size = std::max(size, (point - points.front()).norm());
  return size;
}

/// The centripetal tangent at p1 towards p2, for a piece of unit parameter.
Eigen::Vector3d centripetalTangent(const Eigen::Vector3d& p0, const Eigen::Vector3d& p1, const Eigen::Vector3d& p2) {
  const double d0 = std::sqrt((p1 - p0).norm()), d1 = std::sqrt((p2 - p1).norm());
  return d1 * ((p1 - p0) / d0 - (p2 - p0) / (d0 + d1) + (p2 - p1) / d1);
}

/// The pieces through all points of a path of at least two.
std::vector<PathCurve::Piece> catmullRomPieces(const TargetPath& path) {
  const std::vector<Eigen::Vector3d>& points = path.points;
  const int count = static_cast<int>(points.size());
  const double least = kCoincident * sizeOf(points);
  const auto at = [&](int i) -> const Eigen::Vector3d& { return points[(i + count) % count]; };
  // The next point in a direction that differs from p; without one, the mirror image at p.
  const auto beyond = [&](int i, int direction, const Eigen::Vector3d& p, const Eigen::Vector3d& other) {
    for (int k = 1; k < count; ++k) {
      const int j = i + direction * k;
      if (!path.isClosed && (j < 0 || j >= count)) break;
      if ((at(j) - p).norm() > least) return at(j);
    }
    return Eigen::Vector3d(2.0 * p - other);
  };
  std::vector<PathCurve::Piece> pieces;
  for (int i = 0; i < (path.isClosed ? count : count - 1); ++i) {
    const Eigen::Vector3d &p1 = at(i), &p2 = at(i + 1);
    if ((p2 - p1).norm() <= least) {
      pieces.push_back({p1, p1, p2, p2});
      continue;
    }
    const Eigen::Vector3d before = beyond(i, -1, p1, p2), after = beyond(i + 1, 1, p2, p1);
    pieces.push_back(
        {p1, p1 + centripetalTangent(before, p1, p2) / 3.0, p2 + centripetalTangent(after, p2, p1) / 3.0, p2});
  }
  return pieces;
}

std::vector<PathCurve::Piece> bezierPieces(const TargetPath& path) {
  const std::size_t count = path.points.size();
  std::vector<PathCurve::Piece> pieces;
  const std::size_t last = path.isClosed ? count / 3 : (count - 1) / 3;
  for (std::size_t i = 0; i < last; ++i) {
    PathCurve::Piece piece;
    for (std::size_t k = 0; k < 4; ++k) piece[k] = path.points[(3 * i + k) % (path.isClosed ? 3 * last : count)];
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace

PathCurve::PathCurve(const TargetPath& path) {
  if (path.points.empty()) return;
  place_ = path.points.front();
  if (path.points.size() > 1)
    pieces_ = path.curve == TargetPath::Curve::Bezier ? bezierPieces(path) : catmullRomPieces(path);
  double polygon = 0.0;
  for (const Piece& piece : pieces_)
    for (std::size_t k = 0; k < 3; ++k) polygon += (piece[k + 1] - piece[k]).norm();
  tolerance_ = kLengthTolerance * polygon;
  if (pieces_.empty()) return;
  knots_.push_back({});
  for (int i = 0; i < pieceCount(); ++i) measure(i, 0.0, 1.0, gaussLength(piece(i), 0.0, 1.0), 0);
}

void PathCurve::measure(int i, double from, double to, double whole, int depth) {
  const double middle = 0.5 * (from + to);
  const double first = gaussLength(piece(i), from, middle), second = gaussLength(piece(i), middle, to);
  if (std::abs(first + second - whole) > tolerance_ && depth < kMaxHalvings) {
    measure(i, from, middle, first, depth + 1);
    measure(i, middle, to, second, depth + 1);
    return;
  }
  const double before = length();
  knots_.push_back({i + middle, before + first});
  knots_.push_back({i + to, before + first + second});
}

Eigen::Vector3d PathCurve::at(double parameter) const {
  if (pieces_.empty()) return place_;
  const double held = std::clamp(parameter, 0.0, static_cast<double>(pieceCount()));
  const int i = std::min(static_cast<int>(held), pieceCount() - 1);
  return pointOfPiece(piece(i), held - i);
}

double PathCurve::lengthAt(double parameter) const {
  if (pieces_.empty()) return 0.0;
  const double held = std::clamp(parameter, 0.0, static_cast<double>(pieceCount()));
  const auto next = std::ranges::upper_bound(knots_, held, {}, &Knot::parameter);
  const Knot& knot = *(next - 1);
  const int i = std::min(static_cast<int>(knot.parameter), pieceCount() - 1);
  return knot.length + gaussLength(piece(i), knot.parameter - i, held - i);
}

double PathCurve::parameterAt(double metres) const {
  if (pieces_.empty()) return 0.0;
  const double wanted = std::clamp(metres, 0.0, length());
  const auto next = std::ranges::lower_bound(knots_, wanted, {}, &Knot::length);
  if (next == knots_.begin()) return 0.0;
  const Knot knot = *(next - 1);
  const int i = std::min(static_cast<int>(knot.parameter), pieceCount() - 1);
  // Newton's method, kept between the knots by halving.
  double low = knot.parameter, high = next->parameter;
  double u = low + (high - low) * (wanted - knot.length) / (next->length - knot.length);
  constexpr int kMaxRounds = 50;
  for (int round = 0; round < kMaxRounds; ++round) {
    const double left = wanted - knot.length - gaussLength(piece(i), knot.parameter - i, u - i);
    if (std::abs(left) <= tolerance_) break;
    (left > 0.0 ? low : high) = u;
    const double speed = speedOfPiece(piece(i), u - i), step = speed > 0.0 ? u + left / speed : low;
    u = step > low && step < high ? step : 0.5 * (low + high);
  }
  return u;
}

double PathCurve::parameterNearest(const Eigen::Vector3d& point) const {
  constexpr int kSamples = 64;  // per piece
  const auto squared = [&](double parameter) { return (at(parameter) - point).squaredNorm(); };
  double best = 0.0;
  for (int i = 0; i <= kSamples * pieceCount(); ++i)
    if (const double u = static_cast<double>(i) / kSamples; squared(u) < squared(best)) best = u;
  for (double step = 0.5 / kSamples; step > 5e-7; step *= 0.5)
    for (const double u : {best - step, best + step})
      if (squared(u) < squared(best)) best = std::clamp(u, 0.0, static_cast<double>(pieceCount()));
  return best;
}

double PathCurve::partAt(const TargetPath& path, double time) {
  if (!(path.end > path.begin)) return time < path.begin ? 0.0 : 1.0;
  return std::clamp((time - path.begin) / (path.end - path.begin), 0.0, 1.0);
}

}  // namespace limber

// SPDX-License-Identifier: MIT
#include "limber/posing/separation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace limber {

namespace {

using V = Eigen::Vector3d;

constexpr double kSamePoint = 1e-12;  // metres: shorter lines are points, nearer points the same
constexpr double kParallel = 1e-12;   // squared sine of the angle between two lines

double clampToUnit(double value) { return std::clamp(value, 0.0, 1.0); }

/// The place on a line, in [0, 1], that is closest to a point.
double closestPlace(const LineEnds& line, const V& point) {
  const V along = line.end - line.start;
  const double length = along.squaredNorm();
  return length > kSamePoint * kSamePoint ? clampToUnit(along.dot(point - line.start) / length) : 0.0;
}

V pointAt(const LineEnds& line, double place) { return line.start + place * (line.end - line.start); }

/// Closest places; for parallel lines one of them is an end.
std::pair<V, V> closestOfParallels(const LineEnds& a, const LineEnds& b) {
  const std::array<std::pair<V, V>, 4> offers = {std::pair(a.start, pointAt(b, closestPlace(b, a.start))),
                                                 {a.end, pointAt(b, closestPlace(b, a.end))},
                                                 {pointAt(a, closestPlace(a, b.start)), b.start},
                                                 {pointAt(a, closestPlace(a, b.end)), b.end}};
  return *std::min_element(offers.begin(), offers.end(), [](const auto& x, const auto& y) {
    return (x.first - x.second).squaredNorm() < (y.first - y.second).squaredNorm();
  });
}

/// True if the projection of the point to the face's plane is in the face.
bool isOverFace(const ConvexHull& hull, const ConvexHull::Face& face, const V& point) {
  const std::size_t count = face.vertices.size();
  for (std::size_t i = 0; i < count; ++i) {
    const V& from = hull.vertices[face.vertices[i]];
    const V& to = hull.vertices[face.vertices[(i + 1) % count]];
    if ((to - from).cross(point - from).dot(face.normal) < 0.0) return false;
  }
  return true;
}

class SolidSeparation {
 public:
  SolidSeparation(const Solid& solid, const LineEnds& line) : solid_(solid), line_(line) {}

  Separation find() {
    for (const ConvexHull::Face& face : solid_.hull.faces)
      take(face.normal, lowestOf(line_, face.normal) - face.offset);
    takeEdgesAcross();
    if (best_.distance > 0.0 && !solid_.edges.empty()) takeClosestPoints();
    return best_;
  }

 private:
  void take(const V& normal, double distance) {
    if (distance > best_.distance) best_ = {distance, normal};
  }

  /// Tries the faces of the Minkowski difference that an edge of the silhouette spans with the line. The normal is
  /// between those of the edge's faces: |n_right . d| n_left + |n_left . d| n_right.
  void takeEdgesAcross() {
    const V along = line_.end - line_.start;
    if (along.squaredNorm() <= kSamePoint * kSamePoint) return;
    for (const Solid::Edge& edge : solid_.edges) {
      const V& left = solid_.hull.faces[edge.left].normal;
      const V& right = solid_.hull.faces[edge.right].normal;
      const double byLeft = left.dot(along), byRight = right.dot(along);
      if (!(byLeft * byRight < 0.0)) continue;
      const V normal = (std::abs(byRight) * left + std::abs(byLeft) * right).normalized();
      take(normal, lowestOf(line_, normal) - normal.dot(solid_.hull.vertices[edge.start]));
    }
  }

  /// True if a part of the line is above the face.
  bool isSeen(int index) const {
    const ConvexHull::Face& face = solid_.hull.faces[index];
    return std::max(face.normal.dot(line_.start), face.normal.dot(line_.end)) > face.offset;
  }

  /// If they are apart, a corner or edge may be closest to the line or one of its ends: the normal then connects them.
  void takeClosestPoints() {
    double least = std::numeric_limits<double>::infinity();
    V between = V::Zero();
    const auto offer = [&](const V& onLine, const V& onSolid) {
      const V gap = onLine - onSolid;
      if (const double squared = gap.squaredNorm(); squared < least) {
        least = squared;
        between = gap;
      }
    };
    for (const Solid::Edge& edge : solid_.edges) {
      if (!isSeen(edge.left) && !isSeen(edge.right)) continue;
      const auto [onLine, onEdge] =
          closestPoints(line_, {solid_.hull.vertices[edge.start], solid_.hull.vertices[edge.end]});
      offer(onLine, onEdge);
    }
    for (const ConvexHull::Face& face : solid_.hull.faces)
      for (const V& end : {line_.start, line_.end}) {
        const double height = face.normal.dot(end) - face.offset;
        if (height > 0.0 && height * height < least && isOverFace(solid_.hull, face, end))
          offer(end, end - height * face.normal);
      }
    const double distance = std::sqrt(least);
    if (!(distance > kSamePoint)) return;
    // The separation along the rounded normal is computed, so that rounding cannot overstate it.
    const V normal = between / distance;
    take(normal, lowestOf(line_, normal) - supportOf(solid_, normal));
  }

  const Solid& solid_;
  const LineEnds& line_;
  Separation best_{-std::numeric_limits<double>::infinity(), V::UnitY()};
};

}  // namespace

std::pair<V, V> closestPoints(const LineEnds& a, const LineEnds& b) {
  const V u = a.end - a.start, v = b.end - b.start, w = a.start - b.start;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
  double s = 0.0, t = 0.0;
  if (uu <= kSamePoint * kSamePoint) {
    t = closestPlace(b, a.start);
  } else if (vv <= kSamePoint * kSamePoint) {
    s = closestPlace(a, b.start);
  } else {
    const double across = uu * vv - uv * uv;
    if (!(across > kParallel * uu * vv)) return closestOfParallels(a, b);
    s = clampToUnit((uv * vw - vv * uw) / across);
    t = clampToUnit((uv * s + vw) / vv);
    s = closestPlace(a, pointAt(b, t));  // the clamp of the other place changes it
  }
  return {pointAt(a, s), pointAt(b, t)};
}

Solid makeSolid(ConvexHull hullInWorld) {
  Solid solid{.hull = std::move(hullInWorld)};
  std::map<std::pair<int, int>, int> faceLeftOf;  // face left of the edge from the first vertex to the second
  for (std::size_t f = 0; f < solid.hull.faces.size(); ++f) {
    const std::vector<int>& vertices = solid.hull.faces[f].vertices;
    for (std::size_t i = 0; i < vertices.size(); ++i)
      faceLeftOf[{vertices[i], vertices[(i + 1) % vertices.size()]}] = static_cast<int>(f);
  }
  for (const auto& [ends, face] : faceLeftOf)
    if (const auto other = faceLeftOf.find({ends.second, ends.first});
        other != faceLeftOf.end() && ends.first < ends.second)
      solid.edges.push_back({ends.first, ends.second, face, other->second});
  return solid;
}

Solid makeSolid(const Obstacle& obstacle) {
  if (!isRound(obstacle)) return makeSolid(hullInWorld(obstacle));
  const Capsule capsule = capsuleInWorld(obstacle);
  return {.axis = {capsule.start, capsule.end}, .radius = capsule.radius};
}

double heightAbove(const Solid& solid, const V& point) {
  return solid.isRound() ? heightAbove(Capsule{solid.axis.start, solid.axis.end, solid.radius}, point)
                         : heightAbove(solid.hull, point);
}

double lowestOf(const LineEnds& line, const V& normal) {
  return std::min(normal.dot(line.start), normal.dot(line.end));
}

double supportOf(const Solid& solid, const V& normal) {
  if (solid.isRound()) return solid.radius - lowestOf(solid.axis, -normal);
  if (solid.hull.vertices.empty()) {
    const ConvexHull::Face& face = solid.hull.faces.front();
    return normal == face.normal ? face.offset : std::numeric_limits<double>::infinity();
  }
  double highest = -std::numeric_limits<double>::infinity();
  for (const V& vertex : solid.hull.vertices) highest = std::max(highest, normal.dot(vertex));
  return highest;
}

Separation separationOf(const Solid& solid, const LineEnds& line) {
  if (!solid.isRound()) return SolidSeparation(solid, line).find();
  const Separation ofAxis = separationOf(line, solid.axis);
  return {ofAxis.distance - solid.radius, ofAxis.normal};
}

Separation separationOf(const LineEnds& a, const LineEnds& b) {
  const auto [onA, onB] = closestPoints(a, b);
  const V gap = onA - onB;
  const double distance = gap.norm();
  if (distance > kSamePoint) {  // computed along the normal, because closest points of parallel lines are uncertain
    const V normal = gap / distance;
    return {lowestOf(a, normal) + lowestOf(b, -normal), normal};
  }
  const V u = a.end - a.start, v = b.end - b.start, middle = 0.5 * (a.start + a.end - b.start - b.end);
  V normal = u.cross(v);
  if (!(normal.squaredNorm() > kParallel * u.squaredNorm() * v.squaredNorm())) {  // in one line, or a point on a line
    const V& along = u.squaredNorm() > v.squaredNorm() ? u : v;
    normal = along.isZero(0.0) ? V::UnitY() : along.unitOrthogonal();
  }
  normal.normalize();
  if (normal.dot(middle) < 0.0) normal = -normal;
  return {0.0, normal};
}

}  // namespace limber

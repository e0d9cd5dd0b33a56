// SPDX-License-Identifier: MIT
#include "limber/body/balance.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "limber/body/body_map.h"

namespace limber {

namespace {

constexpr double kAlike = 0.01;  // relative difference of areas that count as equal

using Polygon = std::vector<Eigen::Vector2d>;

bool isNamedLikeAFoot(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.find("foot") != std::string::npos || lower.find("toe") != std::string::npos ||
         lower.find("ankle") != std::string::npos;
}

/// The ends of a link's bones, without capsule radii: a calf must not count as standing.
void extendByBones(const Link& link, const Transform& worldFromLink, double& lowest, double& highest) {
  const auto extend = [&](const Eigen::Vector3d& point) {
    const double y = (worldFromLink * point).y();
    lowest = std::min(lowest, y);
    highest = std::max(highest, y);
  };
  if (link.capsules.empty()) extend(Eigen::Vector3d::Zero());
  for (const Capsule& capsule : link.capsules) {
    extend(capsule.start);
    extend(capsule.end);
  }
}

double across(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Andrew's monotone chain; points on an edge are left out.
Polygon convexHull(Polygon points) {
  const auto before = [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  };
  std::sort(points.begin(), points.end(), before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  Polygon hull;
  const auto addChain = [&](auto first, auto last) {
    const std::size_t start = hull.size();
    for (auto it = first; it != last; ++it) {
      while (hull.size() >= start + 2 && across(hull.back() - hull[hull.size() - 2], *it - hull.back()) <= 0.0)
        hull.pop_back();
      hull.push_back(*it);
    }
    hull.pop_back();  // it is also the first point of the other chain
  };
  addChain(points.begin(), points.end());
  addChain(points.rbegin(), points.rend());
  return hull;
}

/// The corner whose triangle with its neighbours is the smallest; of several equally small ones, as on a disc, the
/// first. A held foot moves only by rounding, which must not change the choice.
std::size_t leastCorner(const Polygon& polygon) {
  const std::size_t n = polygon.size();
  std::size_t least = 0;
  double leastArea = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    const Eigen::Vector2d &a = polygon[(i + n - 1) % n], &b = polygon[i], &c = polygon[(i + 1) % n];
    if (const double area = across(b - a, c - b); area < (1.0 - kAlike) * leastArea) {
      least = i;
      leastArea = area;
    }
  }
  return least;
}

/// An end of a capsule on the ground: a disc as an octagon within, or, along the capsule, its two flanks.
void appendOutline(const Eigen::Vector2d& place, const Eigen::Vector2d& way, double radius, Polygon& out) {
  if (radius == 0.0) return out.push_back(place);
  const double length = way.norm();
  if (length > radius) {
    const Eigen::Vector2d flank = radius / length * Eigen::Vector2d(-way.y(), way.x());
    out.push_back(place + flank);
    out.push_back(place - flank);
    return;
  }
  for (int k = 0; k < 8; ++k) {
    const double angle = 0.25 * std::numbers::pi * k;
    out.push_back(place + radius * Eigen::Vector2d(std::cos(angle), std::sin(angle)));
  }
}

/// A capsule in the world.
struct PosedCapsule {
  Eigen::Vector3d start, end;
  double radius = 0.0;
};

/// The capsules of a link and its descendants; a link without capsules counts as its origin.
std::vector<PosedCapsule> capsulesBelow(const Figure& figure, const Kinematics& kinematics, int top) {
  std::vector<PosedCapsule> capsules;
  for (const int i : withAllBelow(figure, top)) {
    const Transform& worldFromLink = kinematics.worldFromLink[i];
    if (figure.link(i).capsules.empty()) capsules.push_back({worldFromLink.translation, worldFromLink.translation});
    for (const Capsule& capsule : figure.link(i).capsules)
      capsules.push_back({worldFromLink * capsule.start, worldFromLink * capsule.end, capsule.radius});
  }
  return capsules;
}

/// At rest, because with a measure that depends on the pose corners would appear and vanish.
double heightOf(const Figure& figure) {
  const Kinematics& kinematics = bodyMapOf(figure).rest();
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (int i = 0; i < figure.linkCount(); ++i)
    extendByBones(figure.link(i), kinematics.worldFromLink[i], lowest, highest);
  return highest - lowest;
}

/// The parts of the capsules that touch the ground below them.
void appendContact(const std::vector<PosedCapsule>& capsules, double tolerance, Polygon& out) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const PosedCapsule& c : capsules) lowest = std::min(lowest, std::min(c.start.y(), c.end.y()) - c.radius);
  for (const PosedCapsule& c : capsules) {
    const Eigen::Vector2d way = onGround(c.end - c.start);
    if (c.start.y() - c.radius <= lowest + tolerance) appendOutline(onGround(c.start), way, c.radius, out);
    if (c.end.y() - c.radius <= lowest + tolerance) appendOutline(onGround(c.end), way, c.radius, out);
  }
}

Eigen::Vector2d inwardNormal(const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
  const Eigen::Vector2d way = (to - from).normalized();
  return {-way.y(), way.x()};
}

/// The least extent of a polygon across one of its sides.
double widthOf(const Polygon& polygon) {
  double width = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Eigen::Vector2d& a = polygon[i];
    const Eigen::Vector2d normal = inwardNormal(a, polygon[(i + 1) % polygon.size()]);
    double depth = 0.0;
    for (const Eigen::Vector2d& corner : polygon) depth = std::max(depth, normal.dot(corner - a));
    width = std::min(width, depth);
  }
  return width;
}

Eigen::Vector2d nearestOnSegment(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& place) {
  const Eigen::Vector2d way = b - a;
  const double square = way.squaredNorm();
  const double t = square > 0.0 ? std::clamp(way.dot(place - a) / square, 0.0, 1.0) : 0.0;
  return a + t * way;
}

Eigen::Vector2d nearestOnOutline(const Polygon& polygon, const Eigen::Vector2d& place) {
  Eigen::Vector2d nearest = polygon.front();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Eigen::Vector2d point = nearestOnSegment(polygon[i], polygon[(i + 1) % polygon.size()], place);
    if ((point - place).squaredNorm() < (nearest - place).squaredNorm()) nearest = point;
  }
  return nearest;
}

bool isInside(const Polygon& polygon, const Eigen::Vector2d& place) {
  if (polygon.size() < 3) return false;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    if (across(polygon[(i + 1) % polygon.size()] - polygon[i], place - polygon[i]) < 0.0) return false;
  return true;
}

}  // namespace

std::vector<int> standingLinks(const Figure& figure, const Kinematics& kinematics) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> lowestOf(figure.linkCount(), infinity);
  double lowest = infinity, highest = -infinity;
  for (int i = 0; i < figure.linkCount(); ++i) {
    extendByBones(figure.link(i), kinematics.worldFromLink[i], lowestOf[i], highest);
    lowest = std::min(lowest, lowestOf[i]);
  }
  const double ground = lowest + kStandingHeight * (highest - lowest);
  const auto stands = [&](int link) { return lowestOf[link] <= ground; };

  std::vector<int> all, feet;
  for (int leaf = 0; leaf < figure.linkCount(); ++leaf) {
    if (!figure.children(leaf).empty() || !stands(leaf)) continue;
    int link = leaf;
    bool named = isNamedLikeAFoot(figure.link(leaf).name);
    while (figure.link(link).parent > 0 && stands(figure.link(link).parent)) {
      link = figure.link(link).parent;
      named = named || isNamedLikeAFoot(figure.link(link).name);
    }
    if (link == 0 || std::find(all.begin(), all.end(), link) != all.end()) continue;
    all.push_back(link);
    if (named) feet.push_back(link);
  }
  return feet.empty() ? all : feet;
}

std::vector<int> plantedLinks(const IkProblem& problem, const Kinematics& kinematics) {
  const Figure& figure = *problem.figure;
  int root = 0;
  while (root < figure.linkCount() && !figure.isFreeRoot(root)) ++root;
  if (root == figure.linkCount()) return {};
  std::vector<int> pinned, feet;
  for (const Pin& pin : problem.pins) {
    if (!pin.position) continue;
    pinned.push_back(pin.link);
    if (isNamedLikeAFoot(figure.link(pin.link).name)) feet.push_back(pin.link);
  }
  if (pinned.empty()) return standingLinks(figure, kinematics);
  std::vector<int>& planted = feet.empty() ? pinned : feet;
  std::sort(planted.begin(), planted.end());
  return planted;
}

Polygon supportPolygon(const Figure& figure, const Kinematics& kinematics, const std::vector<int>& planted) {
  Polygon points;
  const double tolerance = kStandingHeight * heightOf(figure);
  for (const int link : planted) appendContact(capsulesBelow(figure, kinematics, link), tolerance, points);
  Polygon polygon = convexHull(std::move(points));
  while (polygon.size() > static_cast<std::size_t>(kMaxSupportCorners))
    polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(leastCorner(polygon)));
  return polygon;
}

std::vector<SupportGoal::Side> supportSides(const Polygon& polygon, double margin) {
  std::vector<SupportGoal::Side> sides;
  const auto add = [&](const Eigen::Vector2d& normal, const Eigen::Vector2d& through, double inset) {
    sides.push_back({normal, normal.dot(through) + inset});
  };
  if (polygon.size() >= 3) {
    const double inset = std::min(margin, 0.25 * widthOf(polygon));
    for (std::size_t i = 0; i < polygon.size(); ++i)
      add(inwardNormal(polygon[i], polygon[(i + 1) % polygon.size()]), polygon[i], inset);
  } else if (!polygon.empty()) {  // a line's two flanks and two ends; a point's four
    const Eigen::Vector2d &a = polygon.front(), &b = polygon.back();
    const double length = (b - a).norm();
    const Eigen::Vector2d along = length > 0.0 ? Eigen::Vector2d((b - a) / length) : Eigen::Vector2d::UnitX();
    const Eigen::Vector2d flank(-along.y(), along.x());
    const double inset = std::min(margin, 0.25 * length);
    add(flank, a, 0.0);
    add(-flank, a, 0.0);
    add(along, a, inset);
    add(-along, b, inset);
  }
  return sides;
}

Eigen::Vector2d nearestOnSupport(const Polygon& polygon, const Eigen::Vector2d& place) {
  return polygon.empty() || isInside(polygon, place) ? place : nearestOnOutline(polygon, place);
}

double supportMargin(const Polygon& polygon, const Eigen::Vector2d& place) {
  if (polygon.empty()) return -std::numeric_limits<double>::infinity();
  const double distance = (nearestOnOutline(polygon, place) - place).norm();
  return isInside(polygon, place) ? distance : -distance;
}

}  // namespace limber

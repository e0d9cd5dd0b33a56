// SPDX-License-Identifier: MIT
// Convex hulls by Qhull. Coplanar facets are merged into one face.
extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <numeric>

#include "limber/problem/obstacle.h"

namespace limber {

namespace {

constexpr double kLeastThickness = 1e-6;  // of the points' extent: a thinner hull has no volume to avoid

/// Sorts a face's vertices by their angle around its middle, because Qhull lists them in no such order.
void orderAround(const std::vector<Eigen::Vector3d>& vertices, ConvexHull::Face& face) {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const int v : face.vertices) middle += vertices[v];
  middle /= static_cast<double>(face.vertices.size());
  const Eigen::Vector3d x = face.normal.unitOrthogonal(), y = face.normal.cross(x);
  const auto angle = [&](int v) {
    const Eigen::Vector3d arm = vertices[v] - middle;
    return std::atan2(arm.dot(y), arm.dot(x));
  };
  std::sort(face.vertices.begin(), face.vertices.end(), [&](int a, int b) { return angle(a) < angle(b); });
}

Eigen::AlignedBox3d boxOf(const std::vector<Eigen::Vector3d>& points) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& point : points) box.extend(point);
  return box;
}

/// Empty, or why the points span no volume (beyond rounding).
std::string findFlatness(const std::vector<Eigen::Vector3d>& points) {
  if (points.size() < 4) return "fewer than four points: there is no volume";
  if (points.size() > static_cast<std::size_t>(kMaxHullPoints))
    return std::to_string(points.size()) + " points are too many: at most " + std::to_string(kMaxHullPoints);
  for (const Eigen::Vector3d& point : points)
    if (!point.allFinite()) return "a point is not finite";
  if (boxOf(points).sizes().isZero(0.0)) return "the points are all the same: there is no volume";
  return {};
}

struct HullFileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Qhull's state, freed at the end. Its messages about flat input go to a temporary file, which is never read.
class QhullRun {
 public:
  explicit QhullRun(std::vector<Eigen::Vector3d> points) : points_(std::move(points)), words_(std::tmpfile()) {
    qh_zero(&state_, words_ ? words_.get() : stderr);
    char options[] = "qhull Pp";
    isWhole_ = qh_new_qhull(&state_, 3, static_cast<int>(points_.size()), points_.front().data(), False, options,
                            nullptr, words_ ? words_.get() : stderr) == 0;
  }
  ~QhullRun() {
    qh_freeqhull(&state_, !qh_ALL);
    int left = 0, leftBytes = 0;
    qh_memfreeshort(&state_, &left, &leftBytes);
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;

  bool isWhole() const { return isWhole_; }
  void takeFaces(ConvexHull& hull);

 private:
  std::vector<Eigen::Vector3d> points_;
  std::unique_ptr<std::FILE, HullFileCloser> words_;
  qhT state_;
  bool isWhole_ = false;
};

void QhullRun::takeFaces(ConvexHull& hull) {
  qhT* qh = &state_;            // the name that Qhull's macros require
  std::map<int, int> cornerOf;  // by index of the point
  facetT* facet = nullptr;
  FORALLfacets {
    ConvexHull::Face face;
    face.normal = Eigen::Vector3d(facet->normal[0], facet->normal[1], facet->normal[2]).normalized();
    face.offset = -std::numeric_limits<double>::infinity();
    vertexT *vertex = nullptr, **vertexp = nullptr;
    FOREACHvertex_(facet->vertices) {
      const int point = qh_pointid(qh, vertex->point);
      const auto [corner, isNew] = cornerOf.try_emplace(point, static_cast<int>(hull.vertices.size()));
      if (isNew) hull.vertices.push_back(points_[point]);
      face.vertices.push_back(corner->second);
      // Merged facets have a thickness: the face's plane is moved until no corner is above it.
      face.offset = std::max(face.offset, face.normal.dot(points_[point]));
    }
    orderAround(hull.vertices, face);
    hull.faces.push_back(std::move(face));
  }
}

/// Corners by x, then y, then z: the same for the same points in any order.
void sortCorners(ConvexHull& hull) {
  std::vector<int> order(hull.vertices.size()), place(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Eigen::Vector3d& u = hull.vertices[a];
    const Eigen::Vector3d& v = hull.vertices[b];
    return std::lexicographical_compare(u.begin(), u.end(), v.begin(), v.end());
  });
  std::vector<Eigen::Vector3d> sorted;
  for (const int corner : order) {
    place[corner] = static_cast<int>(sorted.size());
    sorted.push_back(hull.vertices[corner]);
  }
  hull.vertices = std::move(sorted);
  for (ConvexHull::Face& face : hull.faces)
    for (int& corner : face.vertices) corner = place[corner];
}

/// The thickness of the hull: the least distance between a face and a parallel plane with the hull between them.
double thicknessOf(const ConvexHull& hull) {
  double thickness = std::numeric_limits<double>::infinity();
  for (const ConvexHull::Face& face : hull.faces) {
    double depth = 0.0;
    for (const Eigen::Vector3d& vertex : hull.vertices) depth = std::max(depth, face.offset - face.normal.dot(vertex));
    thickness = std::min(thickness, depth);
  }
  return thickness;
}

}  // namespace

std::string makeConvexHull(const std::vector<Eigen::Vector3d>& points, ConvexHull& hull) {
  constexpr const char* kFlat = "the points lie in one plane: there is no volume";
  hull = {};
  if (std::string fault = findFlatness(points); !fault.empty()) return fault;
  QhullRun run(points);
  if (!run.isWhole()) return kFlat;
  run.takeFaces(hull);
  sortCorners(hull);
  if (thicknessOf(hull) > kLeastThickness * boxOf(hull.vertices).diagonal().norm()) return {};
  hull = {};
  return kFlat;
}

}  // namespace limber

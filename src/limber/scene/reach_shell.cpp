// SPDX-License-Identifier: MIT
#include "limber/scene/reach_shell.h"

#include <cstddef>

#include <Eigen/Geometry>

namespace limber {

namespace {

using Eigen::Vector3d;
using Place = std::array<int, 3>;

constexpr int kSmoothings = 8;
constexpr double kBand = 0.3;  // width of the band along the edge of an area, in cells

/// Corner p lies between the cells p - 1 and p; it has eight cells, or four in a plane.
class ShellMaker {
 public:
  explicit ShellMaker(const ReachMap& map) : map_(map), axes_(map.isPlanar ? 2 : 3) {
    shell_.edge = map.edge;
    shell_.isPlanar = map.isPlanar;
    const auto corners = static_cast<std::size_t>(map.size[0] + 1) * static_cast<std::size_t>(map.size[1] + 1) *
                         static_cast<std::size_t>(map.size[2] + 1);
    vertexAt_.assign(corners, -1);
  }

  ReachShell make() {
    for (int z = 0; z <= (axes_ == 3 ? map_.size[2] : 0); ++z)
      for (int y = 0; y <= map_.size[1]; ++y)
        for (int x = 0; x <= map_.size[0]; ++x) addVertex({x, y, z});
    for (int z = 0; z <= (axes_ == 3 ? map_.size[2] : 0); ++z)
      for (int y = 0; y <= map_.size[1]; ++y)
        for (int x = 0; x <= map_.size[0]; ++x)
          for (int axis = 0; axis < axes_; ++axis) addFace({x, y, z}, axis);
    smooth();
    if (axes_ == 3) close();
    else fill();
    for (std::size_t i = 0; i < shell_.vertices.size(); ++i) {
      const Vector3d& vertex = shell_.vertices[i];
      shell_.boundsMin = i > 0 ? Vector3d(shell_.boundsMin.cwiseMin(vertex)) : vertex;
      shell_.boundsMax = i > 0 ? Vector3d(shell_.boundsMax.cwiseMax(vertex)) : vertex;
    }
    return std::move(shell_);
  }

 private:
  /// A face between the cell `inside` and one beyond it.
  struct Face {
    std::array<std::uint32_t, 4> corners;  ///< counterclockwise from outside; in a plane two, the area on their left
    Beyond beyond;
  };

  bool isReached(const Place& cell) const {
    const int index = map_.cellAt(cell);
    return index >= 0 && map_.state(index) == CellState::Reachable;
  }
  Beyond beyondAt(const Place& cell) const {
    const int index = map_.cellAt(cell);
    return index < 0 || map_.state(index) == CellState::ProvedOutside ? Beyond::Outside : Beyond::NotFound;
  }
  int& vertexAt(const Place& p) { return vertexAt_[p[0] + (map_.size[0] + 1) * (p[1] + (map_.size[1] + 1) * p[2])]; }
  Vector3d cornerAt(const Place& p) const {
    return map_.corner + map_.edge * Vector3d(p[0], p[1], axes_ == 3 ? p[2] : 0);
  }

  /// The vertex starts at the mean of the midpoints between neighbouring cells around the corner that differ.
  void addVertex(const Place& corner) {
    Vector3d sum = Vector3d::Zero();
    int crossings = 0;
    const int cells = 1 << axes_;
    for (int a = 0; a < cells; ++a)
      for (int axis = 0; axis < axes_; ++axis) {
        const int b = a | 1 << axis;
        if (a == b || isReached(cellOf(corner, a)) == isReached(cellOf(corner, b))) continue;
        for (int k = 0; k < axes_; ++k) sum[k] += k == axis ? 0.0 : (a >> k & 1) - 0.5;
        ++crossings;
      }
    if (crossings == 0) return;
    vertexAt(corner) = static_cast<int>(shell_.vertices.size());
    shell_.vertices.push_back(cornerAt(corner) + map_.edge * sum / crossings);
    homes_.push_back(cornerAt(corner));
  }

  Place cellOf(const Place& corner, int which) const {
    return {corner[0] - 1 + (which & 1), corner[1] - 1 + (which >> 1 & 1),
            axes_ == 3 ? corner[2] - 1 + (which >> 2 & 1) : 0};
  }

  /// Adds the face between the cell at `place` and the one before it along the axis, if they differ.
  void addFace(const Place& place, std::size_t axis) {
    Place before = place;
    --before[axis];
    const bool isHere = isReached(place);
    if (isHere == isReached(before)) return;
    const Beyond beyond = beyondAt(isHere ? before : place);
    const std::size_t u = axes_ == 3 ? (axis + 1) % 3 : 1 - axis, v = (axis + 2) % 3;
    const auto corner = [&](int alongU, int alongV) {
      Place p = place;
      p[u] += alongU;
      if (axes_ == 3) p[v] += alongV;
      return static_cast<std::uint32_t>(vertexAt(p));
    };
    if (axes_ == 3) {
      Face face{{corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)}, beyond};
      if (isHere) std::swap(face.corners[1], face.corners[3]);
      faces_.push_back(face);
    } else {
      // Across x the edge runs up, and the cell before it is on its left; across y it runs along x: on its right.
      const bool isForward = isHere == (axis == 1);
      faces_.push_back({{corner(isForward ? 0 : 1, 0), corner(isForward ? 1 : 0, 0), 0, 0}, beyond});
    }
  }

  int sides() const { return axes_ == 3 ? 4 : 1; }  ///< of a face

  /// Moves each vertex to the mean of its neighbours, within half a cell of its corner.
  void smooth() {
    std::vector<Vector3d> sums(shell_.vertices.size());
    std::vector<int> counts(sums.size());
    for (int round = 0; round < kSmoothings; ++round) {
      sums.assign(sums.size(), Vector3d::Zero());
      counts.assign(counts.size(), 0);
      for (const Face& face : faces_)
        for (int side = 0; side < sides(); ++side) {
          const std::size_t a = face.corners[side];
          const std::size_t b = face.corners[static_cast<std::size_t>(side + 1) % 4];
          sums[a] += shell_.vertices[b];
          sums[b] += shell_.vertices[a];
          ++counts[a];
          ++counts[b];
        }
      for (std::size_t i = 0; i < sums.size(); ++i) {
        if (counts[i] == 0) continue;
        const Vector3d half = Vector3d::Constant(0.5 * map_.edge);
        const Vector3d mean = 0.5 * (shell_.vertices[i] + sums[i] / counts[i]);
        shell_.vertices[i] = mean.cwiseMax(homes_[i] - half).cwiseMin(homes_[i] + half);
      }
    }
  }

  void addTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, Beyond beyond) {
    shell_.triangles.push_back({a, b, c});
    shell_.beyond.push_back(beyond);
  }

  /// Adds two triangles per face, cut along the shorter diagonal.
  void close() {
    const auto& at = shell_.vertices;
    for (const auto& [c, beyond] : faces_) {
      const bool isShort = (at[c[0]] - at[c[2]]).squaredNorm() <= (at[c[1]] - at[c[3]]).squaredNorm();
      const std::size_t first = isShort ? 0 : 1;
      addTriangle(c[first], c[first + 1], c[first + 2], beyond);
      addTriangle(c[first], c[first + 2], c[(first + 3) % 4], beyond);
    }
    shell_.normals.assign(at.size(), Vector3d::Zero());
    for (const auto& [a, b, c] : shell_.triangles) {
      const Vector3d normal = (at[b] - at[a]).cross(at[c] - at[a]);
      for (const std::uint32_t i : {a, b, c}) shell_.normals[i] += normal;
    }
    for (Vector3d& normal : shell_.normals)
      normal = normal.squaredNorm() > 0.0 ? Vector3d(normal.normalized()) : Vector3d(Vector3d::UnitZ());
  }

  /// Adds the cells of an area, then the band along its edge.
  void fill() {
    const std::size_t border = shell_.vertices.size();
    for (int y = 0; y < map_.size[1]; ++y)
      for (int x = 0; x < map_.size[0]; ++x) {
        if (!isReached({x, y, 0})) continue;
        const std::uint32_t a = areaCorner({x, y, 0}), b = areaCorner({x + 1, y, 0});
        const std::uint32_t c = areaCorner({x + 1, y + 1, 0}), d = areaCorner({x, y + 1, 0});
        addTriangle(a, b, c, Beyond::Area);
        addTriangle(a, c, d, Beyond::Area);
      }
    addBand(border);
    shell_.normals.assign(shell_.vertices.size(), Vector3d::UnitZ());
  }

  std::uint32_t areaCorner(const Place& corner) {
    int& vertex = vertexAt(corner);
    if (vertex < 0) {
      vertex = static_cast<int>(shell_.vertices.size());
      shell_.vertices.push_back(cornerAt(corner));
    }
    return static_cast<std::uint32_t>(vertex);
  }

  /// border: number of vertices on the edge, which come first.
  void addBand(std::size_t border) {
    std::vector<Vector3d> inward(border, Vector3d::Zero());
    for (const Face& face : faces_) {
      const Vector3d along = shell_.vertices[face.corners[1]] - shell_.vertices[face.corners[0]];
      for (const std::size_t i : {face.corners[0], face.corners[1]}) inward[i] += Vector3d::UnitZ().cross(along);
    }
    const auto inner = static_cast<std::uint32_t>(shell_.vertices.size());
    for (std::size_t i = 0; i < border; ++i)
      shell_.vertices.push_back(shell_.vertices[i] + kBand * map_.edge * inward[i].normalized());
    for (const auto& [c, beyond] : faces_) {
      addTriangle(c[0], c[1], inner + c[1], beyond);
      addTriangle(c[0], inner + c[1], inner + c[0], beyond);
    }
  }

  const ReachMap& map_;
  const int axes_;
  ReachShell shell_;
  std::vector<int> vertexAt_;    ///< by corner, -1 for none
  std::vector<Vector3d> homes_;  ///< the corners of the vertices
  std::vector<Face> faces_;
};

}  // namespace

ReachShell makeReachShell(const ReachMap& map) { return ShellMaker(map).make(); }

}  // namespace limber

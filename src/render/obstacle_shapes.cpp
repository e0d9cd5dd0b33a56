// SPDX-License-Identifier: MIT
#include "render/obstacle_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/marks.h"

namespace limber::render {

namespace {

constexpr double kPaneSize = 2.0;    // half the side of a plane's pane, in figure sizes
constexpr double kKnobSize = 0.012;  // of the figure's size
constexpr double kMinKnobPixels = 5.0;
constexpr double kLiftLength = 0.12;  // of the figure's size
constexpr double kMinLiftPixels = 40.0;
constexpr float kTintSelected = 0.45f, kTintHovered = 0.25f, kTintHit = 0.65f;

/// A cube, a hull or a pane of edge 2. Each face has its own vertices, so that edges are sharp.
SkinSurface surfaceOf(const ConvexHull& hull) {
  SkinSurface surface;
  for (const ConvexHull::Face& face : hull.faces) {
    const auto first = static_cast<std::uint32_t>(surface.positions.size());
    for (const int vertex : face.vertices) {
      surface.positions.push_back(hull.vertices[vertex].cast<float>());
      surface.normals.push_back(face.normal.cast<float>());
    }
    for (std::uint32_t i = 2; i < face.vertices.size(); ++i)
      surface.triangles.insert(surface.triangles.end(), {first, first + i - 1, first + i});
  }
  return surface;
}

SkinSurface surfaceOf(const PropMesh& prop) {
  SkinSurface surface;
  for (std::size_t i = 0; i + 2 < prop.triangles.size(); i += 3) {
    const auto corner = [&](std::size_t k) { return prop.positions[prop.triangles[i + k]]; };
    const Eigen::Vector3f normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    if (!(normal.norm() > 0.0f)) continue;  // a triangle without area is invisible
    for (std::size_t k = 0; k < 3; ++k) {
      surface.triangles.push_back(static_cast<std::uint32_t>(surface.positions.size()));
      surface.positions.push_back(corner(k));
      surface.normals.push_back(normal.normalized());
    }
  }
  return surface;
}

SkinSurface paneSurface() {
  ConvexHull pane;
  pane.vertices = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}};
  pane.faces = {{Eigen::Vector3d::UnitY(), 0.0, {0, 1, 2, 3}}};
  return surfaceOf(pane);
}

/// A sphere or capsule around its centre, along y. Of a sphere the diameter is 1; a capsule has its own size, because
/// its ends stay round when its length changes.
SkinSurface roundSurface(const Obstacle& obstacle) {
  constexpr int kSides = 32, kRings = 16;  // rings from pole to pole; the middle one is doubled
  const bool isCapsule = obstacle.shape == Obstacle::Shape::Capsule;
  const double radius = isCapsule ? 0.5 * obstacle.size.x() : 0.5, half = isCapsule ? 0.5 * obstacle.size.y() : 0.0;
  SkinSurface surface;
  for (int row = 0; row <= kRings + 1; ++row) {
    const bool isUpper = row > kRings / 2;
    const double fromPole = std::numbers::pi * (row - (isUpper ? 1 : 0)) / kRings;
    for (int side = 0; side <= kSides; ++side) {
      const double around = 2.0 * std::numbers::pi * side / kSides;
      const Eigen::Vector3d normal(std::sin(fromPole) * std::cos(around), -std::cos(fromPole),
                                   std::sin(fromPole) * std::sin(around));
      const Eigen::Vector3d centre(0.0, isUpper ? half : -half, 0.0);
      surface.positions.push_back((centre + radius * normal).cast<float>());
      surface.normals.push_back(normal.cast<float>());
    }
  }
  for (std::uint32_t row = 0; row <= kRings; ++row)
    for (std::uint32_t side = 0; side < kSides; ++side) {
      const std::uint32_t low = row * (kSides + 1) + side, high = low + kSides + 1;
      surface.triangles.insert(surface.triangles.end(), {low, high, high + 1, low, high + 1, low + 1});
    }
  return surface;
}

SkinSurface surfaceOf(const Obstacle& obstacle) {
  if (obstacle.shape == Obstacle::Shape::Plane) return paneSurface();
  if (isRound(obstacle)) return roundSurface(obstacle);
  if (obstacle.prop && !obstacle.prop->triangles.empty()) return surfaceOf(*obstacle.prop);
  Obstacle plain = obstacle;  // without size and position
  plain.size.setOnes();
  plain.worldFromObstacle = Transform::identity();
  return surfaceOf(hullInWorld(plain));
}

bool hasSameShape(const Obstacle& a, const Obstacle& b) {
  if (a.shape == Obstacle::Shape::Capsule && a.size != b.size) return false;
  return a.id == b.id && a.shape == b.shape && a.hull == b.hull && a.prop == b.prop;
}

/// Solid obstacles have one material, panes another.
std::shared_ptr<const Skin> propSkin(const std::vector<Obstacle>& obstacles) {
  auto skin = std::make_shared<Skin>();
  skin->materials.push_back({.name = "prop", .color = {0.30f, 0.34f, 0.40f, 1.0f}, .isDoubleSided = true});
  skin->materials.push_back(
      {.name = "pane", .color = {0.35f, 0.50f, 0.62f, 0.16f}, .alpha = SkinAlpha::Blend, .isDoubleSided = true});
  for (const Obstacle& obstacle : obstacles) {
    SkinSurface surface = surfaceOf(obstacle);
    surface.name = obstacle.name;
    surface.material = obstacle.shape == Obstacle::Shape::Plane ? 1 : 0;
    surface.bones = {SkinBone{}};
    skin->surfaces.push_back(std::move(surface));
  }
  return skin;
}

Eigen::Affine3d worldFromProp(const Obstacle& obstacle, double figureSize) {
  const bool isPlane = obstacle.shape == Obstacle::Shape::Plane;
  const bool isCapsule = obstacle.shape == Obstacle::Shape::Capsule;
  const Eigen::Vector3d size = isPlane     ? Eigen::Vector3d::Constant(kPaneSize * figureSize).eval()
                               : isCapsule ? Eigen::Vector3d::Ones().eval()
                                           : obstacle.size;
  Eigen::Affine3d place = Eigen::Affine3d::Identity();
  place.linear() = obstacle.worldFromObstacle.rotation * size.asDiagonal();
  place.translation() = obstacle.worldFromObstacle.translation;
  return place;
}

bool isHit(const Highlight& highlight, int id) {
  return std::find(highlight.hitObstacles.begin(), highlight.hitObstacles.end(), id) != highlight.hitObstacles.end();
}

Color tintOf(const Obstacle& obstacle, const Document& document, const Highlight& highlight) {
  if (isHit(highlight, obstacle.id)) return withAlpha(kUnmet, kTintHit);
  if (obstacle.id == document.selection.obstacle) return withAlpha(kAccent, kTintSelected);
  if (obstacle.id == highlight.hoveredObstacle) return withAlpha(lighter(kAccent), kTintHovered);
  return withAlpha(kAccent, 0.0f);
}

void appendPaneOutline(const Obstacle& plane, const Color& color, DrawList& list) {
  const Transform& place = plane.worldFromObstacle;
  const double half = kPaneSize * list.figureSize;
  const Stroke stroke{0.0015 * list.figureSize, color};
  appendSquare(place.translation, half * place.rotation.col(0), half * place.rotation.col(2), stroke, list);
  appendArrow(place.translation, place * Eigen::Vector3d(0.0, 0.15 * list.figureSize, 0.0), 0.03 * list.figureSize,
              stroke, list);
}

/// Centre and half edges of the box around the obstacle's own shape, without its size.
std::pair<Eigen::Vector3d, Eigen::Vector3d> ownBox(const Obstacle& obstacle) {
  if (!obstacle.hull || obstacle.hull->vertices.empty())
    return {Eigen::Vector3d::Zero(), Eigen::Vector3d::Constant(0.5)};
  Eigen::Vector3d low = obstacle.hull->vertices.front(), high = low;
  for (const Eigen::Vector3d& vertex : obstacle.hull->vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  return {0.5 * (low + high), 0.5 * (high - low)};
}

void appendEdges(const Obstacle& obstacle, DrawList& list) {
  const ConvexHull hull = hullInWorld(obstacle);
  const Stroke stroke{0.002 * list.figureSize, kAccent};
  for (const ConvexHull::Face& face : hull.faces)
    for (std::size_t i = 0; i < face.vertices.size(); ++i) {
      const int a = face.vertices[i], b = face.vertices[(i + 1) % face.vertices.size()];
      if (a < b)  // each edge belongs to two faces
        appendLine(hull.vertices[a], hull.vertices[b], stroke, list);
    }
}

/// Appends the selected obstacle's handles.
void appendHandles(const Obstacle& obstacle, const Highlight& highlight, DrawList& list) {
  const auto gripped = [&](Grip grip, const Color& color) {
    const bool isHovered = highlight.hoveredObstacle == obstacle.id && highlight.hoveredGrip == grip;
    return isHovered ? lighter(color) : color;
  };
  const std::size_t first = list.capsules.size();
  for (const ObstacleKnob& knob : knobsOf(obstacle)) {
    const int axis = (static_cast<int>(knob.grip) - static_cast<int>(Grip::SizeLowX)) / 2;
    const double size = std::max(kKnobSize * list.figureSize, pixels(highlight, kMinKnobPixels, knob.place));
    appendBall(knob.place, size, {size, gripped(knob.grip, kAxisColors[axis]), -1, knob.grip}, list);
  }
  for (std::size_t i = first; i < list.capsules.size(); ++i) list.capsules[i].obstacle = obstacle.id;
  if (highlight.obstacleHasArrows) return;
  const std::size_t arrow = list.capsules.size();
  const Eigen::Vector3d& middle = obstacle.worldFromObstacle.translation;
  const ConvexHull hull = hullInWorld(obstacle);
  double top = middle.y();
  for (const Eigen::Vector3d& vertex : hull.vertices) top = std::max(top, vertex.y());
  const Eigen::Vector3d foot(middle.x(), top, middle.z());
  const double length = std::max(kLiftLength * list.figureSize, pixels(highlight, kMinLiftPixels, foot));
  appendArrow(foot, foot + length * Eigen::Vector3d::UnitY(), 0.25 * length,
              {0.03 * length, gripped(Grip::Lift, kAxisY), -1, Grip::Lift}, list);
  for (std::size_t i = arrow; i < list.capsules.size(); ++i) list.capsules[i].obstacle = obstacle.id;
}

}  // namespace

std::vector<ObstacleKnob> knobsOf(const Obstacle& obstacle) {
  if (obstacle.shape == Obstacle::Shape::Plane) return {};
  const auto [middle, half] = ownBox(obstacle);
  std::vector<ObstacleKnob> knobs;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const double sign = side % 2 ? 1.0 : -1.0;
    const Eigen::Vector3d own = middle + sign * half[axis] * Eigen::Vector3d::Unit(axis);
    knobs.push_back({static_cast<Grip>(static_cast<int>(Grip::SizeLowX) + side),
                     obstacle.worldFromObstacle * own.cwiseProduct(extentOf(obstacle)).eval(),
                     sign * obstacle.worldFromObstacle.rotation.col(axis)});
  }
  return knobs;
}

void placeObstacles(const Document& document, const Highlight& highlight, DrawList& list) {
  std::vector<Obstacle> shown;
  for (const Obstacle& obstacle : document.obstacles)
    if (obstacle.enabled && findFault(obstacle, document.figure->linkCount()).empty()) shown.push_back(obstacle);
  list.props.isShown = !shown.empty();
  if (!std::equal(shown.begin(), shown.end(), list.obstacles.begin(), list.obstacles.end(), hasSameShape))
    list.props.groups.reset();
  list.obstacles = std::move(shown);
  if (!list.props.isShown) return;
  if (!list.props.groups) list.props.groups = groupTriangles(propSkin(list.obstacles));
  list.props.worldFromSkin.clear();
  list.props.tints.clear();
  for (const Obstacle& obstacle : list.obstacles) {
    list.props.worldFromSkin.push_back(worldFromProp(obstacle, list.figureSize));
    list.props.tints.push_back(tintOf(obstacle, document, highlight));
  }
}

void appendObstacleMarks(const Document& document, const Highlight& highlight, DrawList& list) {
  for (const Obstacle& obstacle : list.obstacles) {
    const bool isSelected = obstacle.id == document.selection.obstacle;
    const bool isPlane = obstacle.shape == Obstacle::Shape::Plane;
    if (isPlane)
      appendPaneOutline(obstacle, isHit(highlight, obstacle.id) ? kUnmet : isSelected ? kAccent : kQuietGrey, list);
    if (!isSelected) continue;
    if (!isPlane) appendEdges(obstacle, list);
    appendHandles(obstacle, highlight, list);
  }
}

}  // namespace limber::render

// SPDX-License-Identifier: MIT
#include "limber/io/robot/robot_parts.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "limber/kinematics/shortest_turn.h"

namespace limber::io {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kSegments = 24;  // around an axis
constexpr int kRings = 6;      // of a hemisphere

/// A point of the outline of a solid of revolution about z, in units of the shape's size, and its outward normal.
struct OutlinePoint {
  double radius, height;  ///< of a unit shape; of a capsule's caps, height is in radii
  double offset;          ///< shift along z in half lengths: -1, 0 or 1
  double normalRadius, normalHeight;
};

/// The outline from bottom to top.
std::vector<OutlinePoint> outlineOf(ShapeType type) {
  if (type == ShapeType::Cylinder)
    return {{0, 0, -1, 0, -1}, {1, 0, -1, 0, -1}, {1, 0, -1, 1, 0}, {1, 0, 1, 1, 0}, {1, 0, 1, 0, 1}, {0, 0, 1, 0, 1}};
  std::vector<OutlinePoint> outline;
  const double shift = type == ShapeType::Capsule ? 1.0 : 0.0;
  for (int half = -1; half <= 1; half += 2)
    for (int ring = 0; ring <= kRings; ++ring) {
      const double angle = 0.5 * kPi * (half < 0 ? ring - kRings : ring) / kRings;
      if (shift == 0.0 && half > 0 && ring == 0) continue;  // the equator of a sphere is one circle
      outline.push_back({std::cos(angle), std::sin(angle), half * shift, std::cos(angle), std::sin(angle)});
    }
  return outline;
}

void addRevolution(const RobotShape& shape, SkinSurface& surface) {
  const std::vector<OutlinePoint> outline = outlineOf(shape.type);
  const bool isEllipsoid = shape.type == ShapeType::Ellipsoid;
  const Eigen::Vector3d radii = isEllipsoid ? shape.size : Eigen::Vector3d::Constant(shape.size.x());
  for (const OutlinePoint& point : outline)
    for (int i = 0; i <= kSegments; ++i) {
      const double angle = 2.0 * kPi * i / kSegments;
      const Eigen::Vector3d around(std::cos(angle), std::sin(angle), 0.0);
      const Eigen::Vector3d unit = point.radius * around + point.height * Eigen::Vector3d::UnitZ();
      const Eigen::Vector3d normal = point.normalRadius * around + point.normalHeight * Eigen::Vector3d::UnitZ();
      surface.positions.push_back(
          (radii.cwiseProduct(unit) + point.offset * shape.size.z() * Eigen::Vector3d::UnitZ()).cast<float>());
      surface.normals.push_back(normal.cwiseQuotient(radii).normalized().cast<float>());
    }
  for (std::uint32_t row = 0; row + 1 < outline.size(); ++row)
    for (std::uint32_t i = 0; i < kSegments; ++i) {
      const std::uint32_t a = row * (kSegments + 1) + i, b = a + kSegments + 1;
      surface.triangles.insert(surface.triangles.end(), {a, a + 1, b + 1, a, b + 1, b});
    }
}

void addBox(const Eigen::Vector3d& size, SkinSurface& surface) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const auto first = static_cast<std::uint32_t>(surface.positions.size());
      const Eigen::Vector3d normal = side * Eigen::Vector3d::Unit(axis);
      const Eigen::Vector3d u = Eigen::Vector3d::Unit((axis + 1) % 3), v = normal.cross(u);
      for (const auto& corner :
           {Eigen::Vector3d(-u - v), Eigen::Vector3d(u - v), Eigen::Vector3d(u + v), Eigen::Vector3d(v - u)}) {
        surface.positions.push_back(size.cwiseProduct(normal + corner).cast<float>());
        surface.normals.push_back(normal.cast<float>());
      }
      surface.triangles.insert(surface.triangles.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
    }
}

float linearOf(float sRgb) {
  const float c = std::clamp(sRgb, 0.0f, 1.0f);
  return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

/// The shape of a link's capsule, with z along its axis.
RobotShape shapeOf(const Capsule& capsule) {
  const Eigen::Vector3d along = capsule.end - capsule.start;
  RobotShape shape{.type = ShapeType::Capsule, .size = {capsule.radius, capsule.radius, 0.5 * along.norm()}};
  shape.linkFromShape.translation = 0.5 * (capsule.start + capsule.end);
  if (along.norm() > 0.0)
    shape.linkFromShape.rotation = shortestTurn(Eigen::Vector3d::UnitZ(), along).toRotationMatrix();
  return shape;
}

}  // namespace

double volumeOf(const RobotShape& shape) {
  const Eigen::Vector3d& s = shape.size;
  switch (shape.type) {
    case ShapeType::Box: return 8.0 * s.prod();
    case ShapeType::Cylinder: return 2.0 * kPi * s.prod();
    case ShapeType::Capsule: return kPi * s.x() * s.x() * (2.0 * s.z() + 4.0 / 3.0 * s.x());
    case ShapeType::Sphere:
    case ShapeType::Ellipsoid: break;
  }
  return 4.0 / 3.0 * kPi * s.prod();
}

Capsule capsuleOf(const RobotShape& shape) {
  Eigen::Vector3d half = shape.size;
  if (shape.type == ShapeType::Capsule) half.z() += half.x();
  int axis = 0;
  const double length = half.maxCoeff(&axis);
  const double radius = std::min(length, std::sqrt(half[(axis + 1) % 3] * half[(axis + 2) % 3]));
  const Eigen::Vector3d end = (length - radius) * Eigen::Vector3d::Unit(axis);
  return {shape.linkFromShape * -end, shape.linkFromShape * end, radius};
}

int materialOf(const Eigen::Vector4f& color, Skin& skin) {
  const Eigen::Vector4f linear(linearOf(color[0]), linearOf(color[1]), linearOf(color[2]),
                               std::clamp(color[3], 0.0f, 1.0f));
  for (std::size_t i = 0; i < skin.materials.size(); ++i)
    if (skin.materials[i].color == linear) return static_cast<int>(i);
  SkinMaterial material{.name = "color" + std::to_string(skin.materials.size()), .color = linear};
  const bool isGlass = linear.w() > 0.0f && linear.w() < 1.0f;  // alpha 0 is usually an error of the file
  if (isGlass) material.alpha = SkinAlpha::Blend;
  skin.materials.push_back(std::move(material));
  return static_cast<int>(skin.materials.size()) - 1;
}

void addSurface(const RobotShape& shape, int link, Skin& skin) {
  if (skin.surfaces.size() >= kMaxDrawnShapes || shape.size.minCoeff() < 0.0 || shape.size.x() == 0.0) return;
  SkinSurface surface;
  if (shape.type == ShapeType::Box) addBox(shape.size, surface);
  else addRevolution(shape, surface);
  if (shape.color) surface.material = materialOf(*shape.color, skin);
  SkinBone bone{.link = link};
  bone.linkFromSkin.linear() = shape.linkFromShape.rotation.cast<float>();
  bone.linkFromSkin.translation() = shape.linkFromShape.translation.cast<float>();
  surface.bones.push_back(bone);
  skin.surfaces.push_back(std::move(surface));
}

std::shared_ptr<const Skin> finishSkin(Skin skin, const Figure& figure) {
  if (skin.surfaces.empty()) return nullptr;
  std::vector<char> isCovered(figure.linkCount(), 0);
  for (const SkinSurface& surface : skin.surfaces)
    for (const SkinBone& bone : surface.bones) isCovered[bone.link] = 1;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (!isCovered[i])
      for (const Capsule& capsule : figure.link(i).capsules) addSurface(shapeOf(capsule), i, skin);
  for (SkinSurface& surface : skin.surfaces)
    if (surface.name.empty()) surface.name = figure.link(surface.bones[0].link).name;
  return std::make_shared<const Skin>(std::move(skin));
}

}  // namespace limber::io

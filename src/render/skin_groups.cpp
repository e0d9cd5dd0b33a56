// SPDX-License-Identifier: MIT
#include "render/skin_groups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>

namespace limber::render {

namespace {

constexpr std::size_t kGroupSize = 32;            // triangles
constexpr std::uint64_t kMortonSteps = 1u << 16;  // along each side of a surface's box

/// Spreads the bits of a number to every third bit.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffffu;
  x = (x | x << 16) & 0x001f0000ff0000ffu;
  x = (x | x << 8) & 0x100f00f00f00f00fu;
  x = (x | x << 4) & 0x10c30c30c30c30c3u;
  return (x | x << 2) & 0x1249249249249249u;
}

/// The triangles in Morton order, in which neighbours are close to each other.
std::vector<std::uint32_t> sortTriangles(const SkinSurface& surface) {
  Eigen::AlignedBox3f box;
  for (const Eigen::Vector3f& position : surface.positions) box.extend(position);
  const Eigen::Vector3f sides = box.sizes().cwiseMax(1e-30f);
  const Eigen::Vector3f scale = static_cast<float>(kMortonSteps - 1) / 3.0f * sides.cwiseInverse();
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(surface.triangles.size() / 3);
  for (std::uint32_t t = 0; t < keys.size(); ++t) {
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    for (std::size_t k = 0; k < 3; ++k) sum += surface.positions[surface.triangles[3 * t + k]] - box.min();
    const Eigen::Vector3f place = sum.cwiseProduct(scale).cwiseMax(0.0f).cwiseMin(static_cast<float>(kMortonSteps - 1));
    const auto step = [&](int i) { return spread(static_cast<std::uint64_t>(place[i])); };
    keys[t] = {step(0) | step(1) << 1 | step(2) << 2, t};
  }
  std::ranges::sort(keys);
  std::vector<std::uint32_t> sorted;
  sorted.reserve(keys.size());
  for (const auto& [key, triangle] : keys) sorted.push_back(triangle);
  return sorted;
}

/// Calls `visit` with each bone of the surface that moves a vertex.
template <typename Visit>
void visitBones(const SkinSurface& surface, std::size_t vertex, Visit visit) {
  if (surface.influences == 0) visit(std::size_t{0});
  const auto count = static_cast<std::size_t>(surface.influences);
  for (std::size_t i = vertex * count; i < (vertex + 1) * count; ++i)
    if (surface.weights[i] > 0.0f) visit(std::size_t{surface.boneOf[i]});
}

void appendGroups(std::size_t index, const std::vector<std::uint32_t>& triangles, SkinGroups& out) {
  const SkinSurface& surface = out.skin->surfaces[index];
  std::map<std::size_t, Eigen::AlignedBox3d> boxes;
  for (std::size_t first = 0; first < triangles.size(); first += kGroupSize) {
    SkinGroup group{.surface = index,
                    .firstTriangle = out.triangles.size(),
                    .triangleCount = std::min(kGroupSize, triangles.size() - first),
                    .firstBone = out.bones.size()};
    boxes.clear();
    for (std::size_t t = first; t < first + group.triangleCount; ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t vertex = surface.triangles[3 * triangles[t] + k];
        const Eigen::Vector3d position = surface.positions[vertex].cast<double>();
        visitBones(surface, vertex, [&](std::size_t bone) { boxes[bone].extend(position); });
      }
    group.boneCount = boxes.size();
    for (const auto& [bone, box] : boxes)
      out.bones.push_back({static_cast<std::uint32_t>(out.firstBone[index] + bone), box});
    out.triangles.insert(out.triangles.end(), triangles.begin() + static_cast<std::ptrdiff_t>(first),
                         triangles.begin() + static_cast<std::ptrdiff_t>(first + group.triangleCount));
    out.groups.push_back(group);
  }
}

/// The box around a posed group, in the world.
Eigen::AlignedBox3d posedBox(const SkinGroup& group, const SkinGroups& groups,
                             const std::vector<Eigen::Affine3d>& worldFromSkin, const Eigen::Matrix3d& axes,
                             bool isAlongWorld) {
  Eigen::AlignedBox3d box;
  for (std::size_t b = group.firstBone; b < group.firstBone + group.boneCount; ++b) {
    const Eigen::Affine3d& bone = worldFromSkin[groups.bones[b].bone];
    const Eigen::Vector3d half = 0.5 * groups.bones[b].box.sizes();
    Eigen::Vector3d place = bone * groups.bones[b].box.center();
    Eigen::Matrix3d turn = bone.linear();
    if (!isAlongWorld) {
      place = axes * place;
      turn = axes * turn;
    }
    const Eigen::Vector3d reach = turn.cwiseAbs() * half;
    box.extend(place - reach);
    box.extend(place + reach);
  }
  return box;
}

/// True if the ray enters the box before `limit`.
bool meets(const Ray& ray, const Eigen::Vector3d& inverseDirection, const Eigen::AlignedBox3d& box, double limit) {
  const Eigen::Array3d a = (box.min() - ray.origin).array() * inverseDirection.array();
  const Eigen::Array3d b = (box.max() - ray.origin).array() * inverseDirection.array();
  const double enter = a.min(b).maxCoeff(), leave = a.max(b).minCoeff();
  return leave >= std::max(enter, 0.0) && enter < limit;
}

struct TriangleHit {
  double distance = 0.0;
  Eigen::Vector3d barycentric;
};

/// T. Moeller and B. Trumbore, "Fast, minimum storage ray/triangle intersection" (1997). `facing` > 0: only from the
/// counterclockwise side; < 0: only from the other; 0: from both.
std::optional<TriangleHit> intersectTriangle(const Ray& ray, const std::array<Eigen::Vector3d, 3>& corners,
                                             int facing) {
  const Eigen::Vector3d u = corners[1] - corners[0], v = corners[2] - corners[0];
  const Eigen::Vector3d p = ray.direction.cross(v);
  const double determinant = u.dot(p);
  if (determinant == 0.0 || facing * determinant < 0.0) return std::nullopt;
  const Eigen::Vector3d s = (ray.origin - corners[0]) / determinant;
  const double b = s.dot(p);
  const Eigen::Vector3d q = s.cross(u);
  const double c = ray.direction.dot(q);
  if (!(b >= 0.0 && c >= 0.0 && b + c <= 1.0)) return std::nullopt;
  const double distance = v.dot(q);
  if (!(distance >= 0.0)) return std::nullopt;
  return TriangleHit{distance, {1.0 - b - c, b, c}};
}

int facingOf(const Skin& skin, const SkinSurface& surface) {
  const bool isDoubleSided = surface.material >= 0 && skin.materials[surface.material].isDoubleSided;
  return isDoubleSided ? 0 : isMirrored(surface) ? -1 : 1;
}

int heaviestLink(const SkinSurface& surface, std::uint32_t triangle, const Eigen::Vector3d& barycentric) {
  if (surface.influences == 0) return surface.bones[0].link;
  std::map<int, double> weights;
  const auto count = static_cast<std::size_t>(surface.influences);
  for (int k = 0; k < 3; ++k)
    for (std::size_t i = 0, vertex = surface.triangles[3 * triangle + k]; i < count; ++i)
      weights[surface.bones[surface.boneOf[vertex * count + i]].link] +=
          barycentric[k] * static_cast<double>(surface.weights[vertex * count + i]);
  return std::ranges::max_element(weights, {}, [](const auto& entry) { return entry.second; })->first;
}

}  // namespace

std::shared_ptr<const SkinGroups> groupTriangles(std::shared_ptr<const Skin> skin) {
  auto out = std::make_shared<SkinGroups>();
  out->skin = std::move(skin);
  std::size_t bones = 0;
  for (const SkinSurface& surface : out->skin->surfaces) {
    out->firstBone.push_back(bones);
    bones += surface.bones.size();
  }
  for (std::size_t i = 0; i < out->skin->surfaces.size(); ++i)
    appendGroups(i, sortTriangles(out->skin->surfaces[i]), *out);
  return out;
}

Eigen::AlignedBox3d boxAround(const SkinGroups& groups, const std::vector<Eigen::Affine3d>& worldFromSkin,
                              const Eigen::Matrix3d& axes) {
  const bool isAlongWorld = axes.isIdentity(0.0);
  Eigen::AlignedBox3d box;
  for (const SkinGroup& group : groups.groups) box.extend(posedBox(group, groups, worldFromSkin, axes, isAlongWorld));
  return box;
}

std::optional<SkinHit> intersectSkin(const Ray& ray, const SkinGroups& groups,
                                     const std::vector<Eigen::Affine3d>& worldFromSkin) {
  // For a ray along an axis, divides by a tiny number instead of zero, as 0 * infinity is NaN.
  const Eigen::Vector3d inverseDirection =
      ray.direction.unaryExpr([](double x) { return 1.0 / (std::abs(x) > 1e-30 ? x : 1e-30); });
  double nearest = std::numeric_limits<double>::infinity();
  std::optional<SkinHit> hit;
  Eigen::Vector3d barycentric = Eigen::Vector3d::Zero();
  for (const SkinGroup& group : groups.groups) {
    const Eigen::AlignedBox3d box = posedBox(group, groups, worldFromSkin, Eigen::Matrix3d::Identity(), true);
    if (!meets(ray, inverseDirection, box, nearest)) continue;
    const SkinSurface& surface = groups.skin->surfaces[group.surface];
    const std::span bones(worldFromSkin.data() + groups.firstBone[group.surface], surface.bones.size());
    const int facing = facingOf(*groups.skin, surface);
    for (std::size_t t = group.firstTriangle; t < group.firstTriangle + group.triangleCount; ++t) {
      std::array<Eigen::Vector3d, 3> corners;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t vertex = surface.triangles[3 * groups.triangles[t] + k];
        corners[k] = blendedTransform(surface, vertex, bones) * surface.positions[vertex].cast<double>();
      }
      const auto met = intersectTriangle(ray, corners, facing);
      if (!met || !(met->distance < nearest)) continue;
      nearest = met->distance;
      barycentric = met->barycentric;
      hit = SkinHit{nearest, group.surface, groups.triangles[t], -1};
    }
  }
  if (hit) hit->link = heaviestLink(groups.skin->surfaces[hit->surface], hit->triangle, barycentric);
  return hit;
}

}  // namespace limber::render

// SPDX-License-Identifier: MIT
#include "limber/io/mesh/prop.h"

#include <array>
#include <memory>

#include "limber/io/base/text.h"
#include "limber/io/mesh/foreign.h"

namespace limber::io {

namespace {

PropMesh meshOf(const Skin& skin) {
  PropMesh prop;
  for (const SkinSurface& surface : skin.surfaces) {
    const auto first = static_cast<std::uint32_t>(prop.positions.size());
    prop.positions.insert(prop.positions.end(), surface.positions.begin(), surface.positions.end());
    for (const std::uint32_t corner : surface.triangles) prop.triangles.push_back(first + corner);
  }
  return prop;
}

}  // namespace

Result<Obstacle> readProp(const std::filesystem::path& path, const OpenContext& context) {
  const std::array paths = {path};
  const auto read = readMeshes(paths, context);
  if (!read.front()) return read.front().error();
  auto mesh = std::make_shared<PropMesh>(meshOf(**read.front()));
  std::vector<Eigen::Vector3d> points;
  for (const Eigen::Vector3f& position : mesh->positions) points.push_back(position.cast<double>());
  auto hull = std::make_shared<ConvexHull>();
  if (const std::string fault = makeConvexHull(points, *hull); !fault.empty()) return Error{path.string(), "", fault};
  Obstacle prop{.name = asUtf8(path.stem().string()), .shape = Obstacle::Shape::Polyhedron};
  prop.hull = std::move(hull);
  prop.prop = std::move(mesh);
  return prop;
}

}  // namespace limber::io

// SPDX-License-Identifier: MIT
#include "limber/io/json/scene_parts.h"

#include <algorithm>
#include <cmath>

namespace limber::io {

namespace {

Obstacle::Shape readShape(const JsonValue& value) {
  for (const auto shape : {Obstacle::Shape::Box, Obstacle::Shape::Plane, Obstacle::Shape::Polyhedron})
    if (value.text() == shapeName(shape)) return shape;
  value.fail(inQuotes(value.text()) + " is not a shape (box, plane, polyhedron)");
}

std::shared_ptr<const ConvexHull> readHull(const JsonValue& value) {
  std::vector<Eigen::Vector3d> vertices;
  for (const JsonValue& vertex : value.elements()) vertices.push_back(lengthsFromJson(vertex));
  auto hull = std::make_shared<ConvexHull>();
  if (const std::string fault = makeConvexHull(vertices, *hull); !fault.empty()) value.fail(fault);
  return hull;
}

std::shared_ptr<const PropMesh> readProp(const JsonValue& value) {
  value.allowOnly("positions triangles");
  auto prop = std::make_shared<PropMesh>();
  const std::vector<double> positions = value.at("positions").numbers();
  if (positions.size() % 3 != 0) value.at("positions").fail("must hold three numbers for each point");
  for (std::size_t i = 0; i + 2 < positions.size(); i += 3) {
    const Eigen::Vector3d point(positions[i], positions[i + 1], positions[i + 2]);
    if (point.cwiseAbs().maxCoeff() > kLargestLength) value.at("positions").fail("goes beyond 1e9 metres");
    prop->positions.push_back(point.cast<float>());
  }
  const std::vector<double> triangles = value.at("triangles").numbers();
  if (triangles.size() % 3 != 0) value.at("triangles").fail("must hold three points for each triangle");
  for (const double corner : triangles) {
    if (!(corner >= 0.0 && corner < static_cast<double>(prop->positions.size()) && corner == std::floor(corner)))
      value.at("triangles").fail("names a point that does not exist");
    prop->triangles.push_back(static_cast<std::uint32_t>(corner));
  }
  return prop;
}

Obstacle::Point readKeptOutPoint(const JsonValue& value, const Figure& figure) {
  value.allowOnly("link point");
  return {linkFromJson(value.at("link"), figure), lengthsFromJson(value.at("point"))};
}

}  // namespace

Obstacle obstacleFromJson(const JsonValue& value, const Figure& figure) {
  value.allowOnly("id name shape place size vertices prop links points enabled");
  Obstacle obstacle;
  if (const auto id = value.find("id")) obstacle.id = id->integerIn(0, kLargestId);
  if (const auto name = value.find("name")) obstacle.name = name->text();
  obstacle.shape = readShape(value.at("shape"));
  if (const auto place = value.find("place")) {
    place->allowOnly("position rotation");
    obstacle.worldFromObstacle = placeFromJson(*place);
  }
  const bool isPolyhedron = obstacle.shape == Obstacle::Shape::Polyhedron;
  if (const auto size = value.find("size")) {
    obstacle.size = lengthsFromJson(*size);
    if (!(obstacle.size.minCoeff() > 0.0)) size->fail("must be above zero: there is no volume");
  } else if (obstacle.shape == Obstacle::Shape::Box) {
    value.at("size");  // throws
  }
  if (isPolyhedron) obstacle.hull = readHull(value.at("vertices"));
  else if (const auto vertices = value.find("vertices")) vertices->fail("belongs to polyhedra only");
  if (const auto prop = value.find("prop")) {
    if (!isPolyhedron) prop->fail("belongs to polyhedra only");
    obstacle.prop = readProp(*prop);
  }
  if (const auto links = value.find("links"))
    for (const JsonValue& link : links->elements()) obstacle.links.push_back(linkFromJson(link, figure));
  if (const auto points = value.find("points"))
    for (const JsonValue& point : points->elements()) obstacle.points.push_back(readKeptOutPoint(point, figure));
  if (const auto enabled = value.find("enabled")) obstacle.enabled = enabled->boolean();
  if (const std::string fault = findFault(obstacle, figure.linkCount()); !fault.empty()) value.fail(fault);
  return obstacle;
}

SelfAvoidance selfAvoidanceFromJson(const JsonValue& value) {
  if (!value.isText()) return value.boolean() ? SelfAvoidance::All : SelfAvoidance::Off;
  const auto choice = findSelfAvoidance(value.text());
  if (!choice) value.fail("must be \"off\", \"arms\", \"all\", true or false");
  return *choice;
}

OrderedJson selfAvoidanceToJson(SelfAvoidance choice) {
  if (choice == SelfAvoidance::Arms) return selfAvoidanceName(choice);
  return choice == SelfAvoidance::All;
}

OrderedJson obstacleToJson(const Obstacle& obstacle, const Figure& figure) {
  OrderedJson out = {{"id", obstacle.id},
                     {"name", obstacle.name},
                     {"shape", shapeName(obstacle.shape)},
                     {"place",
                      {{"position", toJson(obstacle.worldFromObstacle.translation)},
                       {"rotation", rotationToJson(obstacle.worldFromObstacle.rotation)}}}};
  if (obstacle.shape != Obstacle::Shape::Plane) out["size"] = toJson(obstacle.size);
  if (obstacle.hull)
    for (const Eigen::Vector3d& vertex : obstacle.hull->vertices) out["vertices"].push_back(toJson(vertex));
  if (obstacle.prop) {
    OrderedJson positions = OrderedJson::array(), triangles = OrderedJson::array();
    for (const Eigen::Vector3f& position : obstacle.prop->positions)
      for (const float coordinate : position) positions.push_back(toJson(static_cast<double>(coordinate)));
    for (const std::uint32_t corner : obstacle.prop->triangles) triangles.push_back(corner);
    out["prop"] = {{"positions", std::move(positions)}, {"triangles", std::move(triangles)}};
  }
  for (const int link : obstacle.links) out["links"].push_back(figure.link(link).name);
  for (const Obstacle::Point& point : obstacle.points)
    out["points"].push_back({{"link", figure.link(point.link).name}, {"point", toJson(point.pointInLink)}});
  out["enabled"] = obstacle.enabled;
  return out;
}

}  // namespace limber::io

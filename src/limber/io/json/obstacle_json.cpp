// SPDX-License-Identifier: MIT
#include "limber/io/json/scene_parts.h"

#include <algorithm>
#include <cmath>

namespace limber::io {

namespace {

Obstacle::Shape readShape(const JsonValue& value) {
  using enum Obstacle::Shape;
  for (const auto shape : {Box, Plane, Polyhedron, Sphere, Capsule})
    if (value.text() == shapeName(shape)) return shape;
  value.fail(inQuotes(value.text()) + " is not a shape (box, plane, polyhedron, sphere, capsule)");
}

/// "size" of a box or polyhedron, "radius" of a sphere or capsule, "length" of a capsule.
void readSize(const JsonValue& value, Obstacle& obstacle) {
  const auto size = value.find("size"), radius = value.find("radius"), length = value.find("length");
  if (isRound(obstacle)) {
    if (size) size->fail("does not belong to spheres and capsules: they have a radius");
    const double diameter = 2.0 * value.at("radius").numberIn(0.0, kLargestLength);
    if (!(diameter > 0.0)) radius->fail("must be above zero: there is no volume");
    obstacle.size.setConstant(diameter);
  } else if (radius) {
    radius->fail("belongs to spheres and capsules only");
  }
  if (obstacle.shape == Obstacle::Shape::Capsule) obstacle.size.y() = value.at("length").numberIn(0.0, kLargestLength);
  else if (length) length->fail("belongs to capsules only");
  if (isRound(obstacle)) return;
  if (size) {
    obstacle.size = lengthsFromJson(*size);
    if (!(obstacle.size.minCoeff() > 0.0)) size->fail("must be above zero: there is no volume");
  } else if (obstacle.shape == Obstacle::Shape::Box) {
    value.at("size");  // throws
  }
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
  value.allowOnly("id name shape place size radius length vertices prop links points enabled");
  Obstacle obstacle;
  if (const auto id = value.find("id")) obstacle.id = id->integerIn(0, kLargestId);
  if (const auto name = value.find("name")) obstacle.name = name->text();
  obstacle.shape = readShape(value.at("shape"));
  if (const auto place = value.find("place")) {
    place->allowOnly("position rotation");
    obstacle.worldFromObstacle = placeFromJson(*place);
  }
  const bool isPolyhedron = obstacle.shape == Obstacle::Shape::Polyhedron;
  readSize(value, obstacle);
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

void disablePairsFromJson(const JsonValue& value, Document& document) {
  for (const JsonValue& pair : value.elements()) {
    const std::vector<JsonValue> links = pair.elements();
    if (links.size() != 2) pair.fail("must be the names of two links");
    const int link = linkFromJson(links[0], *document.figure), other = linkFromJson(links[1], *document.figure);
    if (link == other) pair.fail("names one link twice");
    setCollision(document, link, other, false);
  }
}

OrderedJson disabledPairsToJson(const IkProblem& problem) {
  OrderedJson out = OrderedJson::array();
  for (const LinkPair& pair : problem.disabledPairs)
    out.push_back({problem.figure->link(pair.link).name, problem.figure->link(pair.other).name});
  return out;
}

OrderedJson obstacleToJson(const Obstacle& obstacle, const Figure& figure) {
  OrderedJson out = {{"id", obstacle.id},
                     {"name", obstacle.name},
                     {"shape", shapeName(obstacle.shape)},
                     {"place",
                      {{"position", toJson(obstacle.worldFromObstacle.translation)},
                       {"rotation", rotationToJson(obstacle.worldFromObstacle.rotation)}}}};
  if (isRound(obstacle)) out["radius"] = toJson(0.5 * obstacle.size.x());
  else if (obstacle.shape != Obstacle::Shape::Plane) out["size"] = toJson(obstacle.size);
  if (obstacle.shape == Obstacle::Shape::Capsule) out["length"] = toJson(obstacle.size.y());
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

// SPDX-License-Identifier: MIT
#include "limber/io/robot/osim_model.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"

namespace limber::io {

namespace {

constexpr int kDeepestFrame = 100;

std::string osimText(const XmlElement& element, std::string_view child) {
  const auto found = element.child(child);
  if (found && found->text().size() > kMaxXmlName) found->fail("is longer than 1000 bytes");
  return found ? std::string(found->text()) : std::string();
}

bool isOsimTrue(const XmlElement& element, std::string_view child, bool otherwise) {
  const std::string text = lowerCase(osimText(element, child));
  return text.empty() ? otherwise : text == "true" || text == "1";
}

/// `count` finite numbers within kMaxXmlNumber; empty without the child or its text.
std::vector<double> osimNumbers(const XmlElement& element, std::string_view child, std::size_t count) {
  const auto found = element.child(child);
  if (!found || found->text().empty()) return {};
  auto numbers = parseNumbers(found->text());
  if (!numbers || numbers->size() != count)
    found->fail("must be " + countInWords(count, "finite number") + ", not " + inQuotes(found->text()));
  for (const double number : *numbers)
    if (std::abs(number) > kMaxXmlNumber) found->fail("a number is larger than 1e9");
  return std::move(*numbers);
}

Eigen::Vector3d osimVector(const XmlElement& element, std::string_view child,
                           const Eigen::Vector3d& otherwise = Eigen::Vector3d::Zero()) {
  const std::vector<double> numbers = osimNumbers(element, child, 3);
  return numbers.empty() ? otherwise : Eigen::Vector3d(numbers.data());
}

double osimNumber(const XmlElement& element, std::string_view child, double otherwise) {
  const std::vector<double> numbers = osimNumbers(element, child, 1);
  return numbers.empty() ? otherwise : numbers.front();
}

Transform osimPlace(const XmlElement& element, std::string_view place, std::string_view turn) {
  return {turnAboutAxes(osimVector(element, turn)), osimVector(element, place)};
}

/// The members of a set, which may stand in <objects>.
std::vector<XmlElement> osimMembers(const XmlElement& element, std::string_view set) {
  const auto found = element.child(set);
  if (!found) return {};
  const auto objects = found->child("objects");
  return objects ? objects->children() : found->children();
}

/// The path of what a socket connects to, in the manner of any version 4.
std::string osimSocket(const XmlElement& element, const std::string& name) {
  for (const std::string& child : {"socket_" + name, "socket_" + name + "_connectee_name"})
    if (std::string text = osimText(element, child); !text.empty()) return text;
  if (const auto connectors = element.child("connectors"))
    for (const XmlElement& connector : connectors->children())
      if (connector.find("name").value_or("") == name) return osimText(connector, "connectee_name");
  return {};
}

std::string osimNameIn(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Eigen::Matrix3d turnAboutAxes(const Eigen::Vector3d& angles) {
  return (Eigen::AngleAxisd(angles.x(), Eigen::Vector3d::UnitX()) *
          Eigen::AngleAxisd(angles.y(), Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(angles.z(), Eigen::Vector3d::UnitZ()))
      .toRotationMatrix();
}

OsimModel::OsimModel(const XmlFile& file) : model_(file.root()) {
  if (model_.name() != "OpenSimDocument") model_.fail("the first element is not <OpenSimDocument>");
  model_ = model_.needChild("Model");
  if (model_.find("name")) name_ = model_.needName();
  const std::string unit = osimText(model_, "length_units");
  if (!unit.empty() && lowerCase(unit) != "meters") model_.fail("its lengths are " + inQuotes(unit) + ", not meters");
  readBodies();
  const std::vector<XmlElement> joints = osimMembers(model_, "JointSet");
  for (const XmlElement& joint : joints) collectFrames(joint, std::string(joint.find("name").value_or("")));
  for (const XmlElement& joint : joints) readJoint(joint, -1);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {  // as before version 4
    const auto holder = bodies_[i].element.child("Joint");
    if (!holder) continue;
    for (const XmlElement& joint : holder->children()) readJoint(joint, static_cast<int>(i));
  }
  readMarkers();
  readConstraints();
  noteWhatIsLeftOut();
}

void OsimModel::readBodies() {
  bodyIndex_["ground"] = -1;
  if (const auto ground = model_.child("Ground")) collectFrames(*ground, "ground");
  for (const XmlElement& element : osimMembers(model_, "BodySet")) {
    if (element.name() != "Body") continue;
    OsimBody body{.element = element, .name = element.needName()};
    if (body.name == "ground") continue;
    body.mass = osimNumber(element, "mass", 0.0);
    if (body.mass < 0.0) element.fail("its mass is negative");
    body.centreOfMass = osimVector(element, "mass_center");
    if (!bodyIndex_.emplace(body.name, static_cast<int>(bodies_.size())).second)
      element.fail("there are two bodies of this name");
    collectFrames(element, body.name);
    bodies_.push_back(std::move(body));
  }
  if (bodies_.empty()) model_.fail("has no body");
  collectFrames(model_, "");
}

void OsimModel::collectFrames(const XmlElement& element, const std::string& owner) {
  for (const char* set : {"frames", "components", "ComponentSet"})
    for (const XmlElement& frame : osimMembers(element, set)) {
      if (frame.name() != "PhysicalOffsetFrame") continue;
      const std::string name = frame.needName();
      frameIndex_.emplace(owner + "/" + name, frames_.size());
      frameIndex_.emplace(name, frames_.size());
      frames_.push_back({frame, owner});
    }
}

const OsimModel::Frame* OsimModel::findFrame(const std::string& path, const std::string& owner) const {
  const std::string name = osimNameIn(path);
  std::string holder = owner;
  if (path.size() > name.size()) {
    const std::string above = osimNameIn(path.substr(0, path.size() - name.size() - 1));
    if (!above.empty() && above != "..") holder = above;
  }
  for (const std::string& key : {holder + "/" + name, name})
    if (const auto found = frameIndex_.find(key); found != frameIndex_.end()) return &frames_[found->second];
  return nullptr;
}

OsimModel::Place OsimModel::placeOf(const std::string& path, const std::string& owner, const XmlElement& user,
                                    int depth) const {
  if (depth == kDeepestFrame) user.fail("its frames hang on one another in a cycle");
  const Frame* frame = findFrame(path, owner);
  // A frame of the joint itself goes before a body of the same name.
  const auto body = bodyIndex_.find(osimNameIn(path));
  if (body != bodyIndex_.end() && (!frame || frame->owner != owner || frame->element.id() == user.id()))
    return {body->second, {}};
  if (!frame) user.fail("there is no body or frame " + inQuotes(path));
  Place place = placeOf(osimSocket(frame->element, "parent"), frame->owner, frame->element, depth + 1);
  place.bodyFromFrame = place.bodyFromFrame * osimPlace(frame->element, "translation", "orientation");
  return place;
}

int OsimModel::bodyNamed(const std::string& path, const XmlElement& user) const {
  const auto found = bodyIndex_.find(osimNameIn(path));
  if (found == bodyIndex_.end()) user.fail("there is no body " + inQuotes(path));
  return found->second;
}

void OsimModel::readJoint(const XmlElement& joint, int child) {
  OsimJoint out{.element = joint, .name = joint.find("name") ? joint.needName() : std::string(), .child = child};
  if (out.name.empty()) out.name = child >= 0 ? bodies_[child].name + "_joint" : joint.needName();
  if (isOsimTrue(joint, "reverse", false)) joint.fail("reversed joints are not read");
  if (child >= 0) {
    out.parent = bodyNamed(osimText(joint, "parent_body"), joint);
    out.parentFromJoint = osimPlace(joint, "location_in_parent", "orientation_in_parent");
    const bool isInChild = joint.child("location_in_child").has_value();
    out.childFromJoint = isInChild ? osimPlace(joint, "location_in_child", "orientation_in_child")
                                   : osimPlace(joint, "location", "orientation");
  } else {
    const Place parent = placeOf(osimSocket(joint, "parent_frame"), out.name, joint);
    const Place moved = placeOf(osimSocket(joint, "child_frame"), out.name, joint);
    if (moved.body < 0) joint.fail("its child is the ground");
    out.parent = parent.body;
    out.child = moved.body;
    out.parentFromJoint = parent.bodyFromFrame;
    out.childFromJoint = moved.bodyFromFrame;
  }
  if (out.parent == out.child) joint.fail("it joins a body to itself");
  readCoordinates(joint, out);
  readMotion(out);
  joints_.push_back(std::move(out));
}

void OsimModel::readCoordinates(const XmlElement& joint, OsimJoint& out) const {
  const char* set = joint.child("coordinates") ? "coordinates" : "CoordinateSet";
  for (const XmlElement& element : osimMembers(joint, set)) {
    if (element.name() != "Coordinate") continue;
    OsimCoordinate coordinate{.name = element.needName(), .value = osimNumber(element, "default_value", 0.0)};
    const std::vector<double> range = osimNumbers(element, "range", 2);
    if (!range.empty()) coordinate.range = {std::min(range[0], range[1]), std::max(range[0], range[1])};
    coordinate.isClamped = isOsimTrue(element, "clamped", false);
    coordinate.isLocked = isOsimTrue(element, "locked", false);
    out.coordinates.push_back(std::move(coordinate));
  }
}

void OsimModel::readMotion(OsimJoint& out) {
  struct Simple {
    std::string_view type;
    OsimJoint::Kind kind;
    std::size_t coordinates;
    std::string_view axes;  ///< "rx": rotation about x; "t": translation; with the index of the coordinate
  };
  using Kind = OsimJoint::Kind;
  constexpr std::array<Simple, 9> kSimple = {{{"WeldJoint", Kind::Fixed, 0, ""},
                                              {"PinJoint", Kind::Axes, 1, "rz0"},
                                              {"SliderJoint", Kind::Axes, 1, "tx0"},
                                              {"UniversalJoint", Kind::Axes, 2, "rx0ry1"},
                                              {"GimbalJoint", Kind::Axes, 3, "rx0ry1rz2"},
                                              {"PlanarJoint", Kind::Axes, 3, "tx1ty2rz0"},
                                              {"BallJoint", Kind::Ball, 3, ""},
                                              {"EllipsoidJoint", Kind::Ball, 3, ""},
                                              {"FreeJoint", Kind::Free, 6, ""}}};
  const std::string_view type = out.element.name();
  if (type == "CustomJoint") return readTransform(out);
  const auto* simple = std::ranges::find(kSimple, type, &Simple::type);
  if (simple == kSimple.end()) out.element.fail("joints of type " + inQuotes(type) + " are not read");
  out.kind = simple->kind;
  while (out.coordinates.size() < simple->coordinates)
    out.coordinates.push_back({.name = out.name + "_coord_" + std::to_string(out.coordinates.size())});
  for (std::size_t i = 0; i + 2 < simple->axes.size(); i += 3)
    out.axes.push_back({.isRotation = simple->axes[i] == 'r',
                        .axis = Eigen::Vector3d::Unit(simple->axes[i + 1] - 'x'),
                        .coordinate = static_cast<std::size_t>(simple->axes[i + 2] - '0')});
  if (type == "EllipsoidJoint")
    notes_.push_back("Joint " + inQuotes(out.name) +
                     " slides on an ellipsoid: it became a ball joint at the ellipsoid's centre.");
}

void OsimModel::readTransform(OsimJoint& out) const {
  constexpr std::array<std::string_view, 6> kOrder = {"translation1", "translation2", "translation3",
                                                      "rotation1",    "rotation2",    "rotation3"};
  constexpr std::array<int, 6> kAxis = {0, 1, 2, 0, 1, 2};
  out.kind = OsimJoint::Kind::Axes;
  const auto transform = out.element.child("SpatialTransform");
  std::map<std::string_view, XmlElement> axes;
  if (transform)
    for (const XmlElement& axis : transform->children("TransformAxis"))
      axes.emplace(axis.find("name").value_or(""), axis);
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    const auto found = axes.find(kOrder[i]);
    if (found == axes.end()) continue;
    const XmlElement& element = found->second;
    OsimAxis axis{.isRotation = i >= 3, .axis = osimVector(element, "axis", Eigen::Vector3d::Unit(kAxis[i]))};
    if (axis.axis.norm() < 1e-9) element.fail("its axis is zero");
    axis.axis.normalize();
    const std::string names = osimText(element, "coordinates");
    const auto function = OsimFunction::find(element);
    if (!names.empty()) {
      if (names.find_first_of(" \t\r\n") != std::string::npos)
        element.fail("functions of several coordinates are not read");
      const auto coordinate = std::ranges::find(out.coordinates, names, &OsimCoordinate::name);
      if (coordinate == out.coordinates.end()) element.fail("the joint has no coordinate " + inQuotes(names));
      axis.coordinate = static_cast<std::size_t>(coordinate - out.coordinates.begin());
      if (function) axis.function = *function;
    } else {
      axis.function = OsimFunction::linear(function ? function->at(0.0) : 0.0, 0.0);
    }
    if (axis.function.constant()) axis.coordinate.reset();
    if (!axis.coordinate && axis.function.at(0.0) == 0.0) continue;
    out.axes.push_back(std::move(axis));
  }
}

void OsimModel::readMarkers() {
  for (const XmlElement& element : osimMembers(model_, "MarkerSet")) {
    if (element.name() != "Marker") continue;
    OsimMarker marker{.name = element.needName(), .place = osimVector(element, "location")};
    const std::string path = osimSocket(element, "parent_frame");
    if (path.empty()) {
      marker.body = bodyNamed(osimText(element, "body"), element);
    } else {
      const Place place = placeOf(path, "", element);
      marker.body = place.body;
      marker.place = place.bodyFromFrame * marker.place;
    }
    markers_.push_back(std::move(marker));
  }
}

void OsimModel::readConstraints() {
  std::map<std::string, std::size_t> others;
  for (const XmlElement& element : osimMembers(model_, "ConstraintSet")) {
    if (isOsimTrue(element, "isDisabled", false) || !isOsimTrue(element, "isEnforced", true)) continue;
    const auto holder = element.child("coupled_coordinates_function");
    const auto function = holder ? OsimFunction::find(*holder) : std::nullopt;
    const std::string drivers = osimText(element, "independent_coordinate_names");
    if (element.name() != "CoordinateCouplerConstraint" || !function || drivers.empty() ||
        drivers.find_first_of(" \t\r\n") != std::string::npos) {
      ++others[printable(element.name())];
      continue;
    }
    couplers_.push_back({element, osimText(element, "dependent_coordinate_name"), drivers, *function});
  }
  for (const auto& [type, count] : others)
    notes_.push_back(countInWords(count, "constraint") + " of type " + type + (count == 1 ? " is" : " are") +
                     " left out.");
}

void OsimModel::noteWhatIsLeftOut() {
  std::size_t meshes = 0;
  for (const OsimBody& body : bodies_) {
    for (const XmlElement& mesh : osimMembers(body.element, "attached_geometry"))
      meshes += mesh.name() == "Mesh" ? 1 : 0;
    if (const auto visible = body.element.child("VisibleObject"))
      for (const XmlElement& mesh : osimMembers(*visible, "GeometrySet")) meshes += mesh.child("geometry_file") ? 1 : 0;
  }
  if (meshes > 0)
    notes_.push_back(countInWords(meshes, "geometry file") + (meshes == 1 ? " is" : " are") +
                     " left out: bodies are drawn as capsules.");
  if (const std::size_t forces = osimMembers(model_, "ForceSet").size(); forces > 0)
    notes_.push_back("Left out, not part of the kinematics: " + countInWords(forces, "force") +
                     " (muscles and others).");
}

}  // namespace limber::io

// SPDX-License-Identifier: MIT
#include "limber/io/robot/mjcf_cable.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber::io {

namespace {

constexpr std::size_t kMostVertices = 300;  // bodies in bodies are nested this deep
constexpr double kShortestEdge = 1e-9;      // metres, of an edge

std::string cableText(std::initializer_list<double> numbers) {
  std::string text;
  for (const double number : numbers) {
    if (!text.empty()) text += ' ';
    appendNumber(number, text);
  }
  return text;
}

std::string cableText(const Eigen::Vector3d& v) { return cableText({v.x(), v.y(), v.z()}); }

Eigen::Vector3d cableVector(const XmlElement& element, const char* attribute, const Eigen::Vector3d& otherwise) {
  return element.has(attribute) ? element.vector3(attribute) : otherwise;
}

/// The words of an attribute.
std::vector<std::string> cableWords(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (isSpace(text[at])) {
      ++at;
      continue;
    }
    const std::size_t start = at;
    while (at < text.size() && !isSpace(text[at])) ++at;
    words.emplace_back(text.substr(start, at - start));
  }
  return words;
}

/// A coordinate of the curve at `part`, from 0 to 1 along it.
double curveAt(const XmlElement& composite, const std::string& word, const Eigen::Vector3d& size, double part) {
  const double angle = std::numbers::pi * size[2] * part;
  if (word == "s" || word == "l" || word == "line") return size[0] * part;
  if (word == "cos(s)" || word == "cos") return size[1] * std::cos(angle);
  if (word == "sin(s)" || word == "sin") return size[1] * std::sin(angle);
  if (word != "0" && word != "zero") composite.fail("a curve is made of s, cos(s), sin(s) and 0");
  return 0.0;
}

/// The vertices that the element lists, or those of its curve.
std::vector<Eigen::Vector3d> verticesOf(const XmlElement& composite, std::string& fault) {
  std::vector<Eigen::Vector3d> vertices;
  if (composite.has("vertex")) {
    const std::vector<double> numbers = composite.numbers("vertex");
    if (numbers.size() % 3 != 0) composite.fail("vertex must be points of three numbers");
    for (std::size_t i = 0; i < numbers.size(); i += 3) vertices.emplace_back(Eigen::Vector3d(&numbers[i]));
  } else {
    const std::vector<double> counts = composite.numbers("count");
    if (counts.empty() || !(counts[0] >= 2.0)) composite.fail("count must begin with a number of 2 or more");
    if (counts[0] > static_cast<double>(kMostVertices)) {
      fault = "it has more than " + std::to_string(kMostVertices) + " points.";
      return {};
    }
    const auto count = static_cast<std::size_t>(counts[0]);
    std::vector<std::string> curve = cableWords(composite.find("curve").value_or(""));
    if (curve.empty() || curve.size() > 3) composite.fail("a cable has a curve of one to three words, or vertices");
    curve.resize(3, "0");
    const std::vector<double> given = composite.numbers("size");
    Eigen::Vector3d size(1.0, 0.0, 0.0);
    for (std::size_t i = 0; i < std::min<std::size_t>(given.size(), 3); ++i) size[static_cast<int>(i)] = given[i];
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
    if (composite.has("quat")) {
      const std::vector<double> q = composite.numbers("quat");
      if (q.size() != 4) composite.fail("quat must be four numbers");
      turn = Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
      if (!(turn.norm() > kShortestEdge)) composite.fail("quat has no length");
      turn.normalize();
    }
    for (std::size_t i = 0; i < count; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(count - 1);
      Eigen::Vector3d vertex;
      for (int k = 0; k < 3; ++k) vertex[k] = curveAt(composite, curve[static_cast<std::size_t>(k)], size, part);
      vertices.push_back(turn * vertex);
    }
  }
  if (vertices.size() > kMostVertices) fault = "it has more than " + std::to_string(kMostVertices) + " points.";
  if (vertices.size() < 2) composite.fail("a cable has at least two points");
  for (std::size_t i = 1; i < vertices.size(); ++i)
    if (!((vertices[i] - vertices[i - 1]).norm() > kShortestEdge))
      composite.fail("two points of the cable are the same");
  return vertices;
}

/// The axes of the bodies. The first y is normal to the first edge, in the plane of the first two; each further frame
/// is turned by the shortest turn from edge to edge.
std::vector<Eigen::Matrix3d> framesAlong(const std::vector<Eigen::Vector3d>& vertices) {
  std::vector<Eigen::Matrix3d> frames;
  Eigen::Vector3d before;
  for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
    const Eigen::Vector3d x = (vertices[i + 1] - vertices[i]).normalized();
    if (i > 0) {
      frames.push_back(shortestTurn(before, x).toRotationMatrix() * frames.back());
    } else {
      const Eigen::Vector3d next = vertices.size() > 2 ? Eigen::Vector3d(vertices[2] - vertices[1]) : x;
      const Eigen::Vector3d z = x.cross(next.normalized());
      Eigen::Matrix3d frame = shortestTurn(Eigen::Vector3d::UnitX(), x).toRotationMatrix();  // of a straight beginning
      if (z.norm() > kShortestEdge) frame << x, z.normalized().cross(x), z.normalized();
      frames.push_back(frame);
    }
    before = x;
  }
  return frames;
}

class CableWriter {
 public:
  CableWriter(const XmlElement& composite, XmlFile& file)
      : composite_(composite), file_(file), prefix_(composite.find("prefix").value_or("")),
        initial_(composite.find("initial").value_or("ball")) {
    if (initial_ != "ball" && initial_ != "free" && initial_ != "none")
      composite.fail("initial must be ball, free or none");
    for (const XmlElement& joint : composite.children("joint"))
      if (joint.find("kind").value_or("main") == "main") joint_ = joint;
    geom_ = composite.child("geom");
  }

  void write(const std::vector<Eigen::Vector3d>& vertices) {
    const std::vector<Eigen::Matrix3d> frames = framesAlong(vertices);
    tinyxml2::XMLElement* parent = &file_.add(nullptr, "cable", composite_);
    const Eigen::Vector3d offset = cableVector(composite_, "offset", Eigen::Vector3d::Zero());
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const double length = (vertices[i + 1] - vertices[i]).norm();
      tinyxml2::XMLElement& body = file_.add(parent, "body", composite_);
      const std::string end = i == 0 ? "first" : i + 1 == frames.size() ? "last" : std::to_string(i);
      set(body, "name", prefix_ + "B_" + end);
      const Eigen::Vector3d place = i == 0 ? Eigen::Vector3d(offset + vertices[0])
                                           : Eigen::Vector3d((vertices[i] - vertices[i - 1]).norm(), 0, 0);
      const Eigen::Quaterniond turn(i == 0 ? frames[0] : Eigen::Matrix3d(frames[i - 1].transpose() * frames[i]));
      set(body, "pos", cableText(place));
      set(body, "quat", cableText({turn.w(), turn.x(), turn.y(), turn.z()}));
      addJoint(body, end, i == 0);
      addGeom(body, i, length);
      if (i == 0 || i + 1 == frames.size()) addSite(body, end, i + 1 == frames.size() ? length : 0.0);
      parent = &body;
    }
  }

 private:
  static void set(tinyxml2::XMLElement& element, const char* name, const std::string& value) {
    element.SetAttribute(name, value.c_str());
  }

  void copy(const std::optional<XmlElement>& from, std::string_view without, tinyxml2::XMLElement& to) {
    if (!from) return;
    for (const auto& [name, value] : from->attributes())
      if (!isAmong(name, without)) set(to, std::string(name).c_str(), std::string(value));
  }

  void addJoint(tinyxml2::XMLElement& body, const std::string& end, bool isFirst) {
    if (isFirst && initial_ == "none") return;
    tinyxml2::XMLElement& joint = file_.add(&body, "joint", joint_.value_or(composite_));
    const bool isFree = isFirst && initial_ == "free";
    copy(joint_, isFree ? "kind type name pos axis range limited" : "kind type name pos axis", joint);
    set(joint, "name", prefix_ + "J_" + end);
    set(joint, "type", isFree ? "free" : "ball");
  }

  void addGeom(tinyxml2::XMLElement& body, std::size_t index, double length) {
    if (!geom_) return;
    tinyxml2::XMLElement& geom = file_.add(&body, "geom", *geom_);
    copy(geom_, "name pos quat fromto", geom);
    set(geom, "name", prefix_ + "G" + std::to_string(index));
    if (geom_->find("type") != "box") {
      set(geom, "fromto", "0 0 0 " + cableText(Eigen::Vector3d(length, 0, 0)));
      return;
    }
    const std::vector<double> size = geom_->numbers("size");
    if (size.size() != 3) geom_->fail("the size of a box must be three numbers");
    set(geom, "pos", cableText(Eigen::Vector3d(0.5 * length, 0, 0)));
    set(geom, "size", cableText(Eigen::Vector3d(0.5 * length, size[1], size[2])));
  }

  void addSite(tinyxml2::XMLElement& body, const std::string& end, double along) {
    tinyxml2::XMLElement& site = file_.add(&body, "site", composite_);
    set(site, "name", prefix_ + "S_" + end);
    set(site, "pos", cableText(Eigen::Vector3d(along, 0, 0)));
  }

  const XmlElement& composite_;
  XmlFile& file_;
  std::string prefix_, initial_;
  std::optional<XmlElement> joint_, geom_;
};

}  // namespace

MjcfCable cableBodies(const XmlElement& composite) {
  const std::string type(composite.find("type").value_or(""));
  if (type != "cable")
    return {nullptr, "one of type " + inQuotes(type) + " has no chain of joints. Let MuJoCo save the compiled model."};
  const auto geom = composite.child("geom");
  if (geom && !isAmong(geom->find("type").value_or("sphere"), "capsule cylinder box"))
    composite.fail("the geom of a cable must be a capsule, a cylinder or a box");
  MjcfCable cable;
  const std::vector<Eigen::Vector3d> vertices = verticesOf(composite, cable.fault);
  if (!cable.fault.empty()) return cable;
  cable.bodies = std::make_unique<XmlFile>(composite.file());
  CableWriter(composite, *cable.bodies).write(vertices);
  return cable;
}

}  // namespace limber::io

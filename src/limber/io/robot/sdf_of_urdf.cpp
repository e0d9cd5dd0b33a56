// SPDX-License-Identifier: MIT
#include "limber/io/robot/sdf_of_urdf.h"

#include <map>
#include <string>

namespace limber::io {

namespace {

class SdfOfUrdf {
 public:
  SdfOfUrdf(const XmlElement& robot, XmlFile& out) : robot_(robot), out_(out) {}

  void convert() {
    tinyxml2::XMLElement& sdf = out_.add(nullptr, "sdf", robot_);
    sdf.SetAttribute("version", "1.9");
    tinyxml2::XMLElement& model = out_.add(&sdf, "model", robot_);
    model.SetAttribute("name", std::string(robot_.find("name").value_or("robot")).c_str());
    for (const XmlElement& material : robot_.children("material"))
      if (const auto color = material.child("color"))
        colors_[std::string(material.find("name").value_or(""))] = std::string(color->find("rgba").value_or(""));
    std::map<std::string, std::string> jointAbove;
    for (const XmlElement& joint : robot_.children("joint"))
      jointAbove.emplace(joint.needChild("child").need("link"), joint.needName());
    for (const XmlElement& link : robot_.children("link")) {
      const auto above = jointAbove.find(link.needName());
      addLink(model, link, above == jointAbove.end() ? "" : above->second);
    }
    for (const XmlElement& joint : robot_.children("joint")) addJoint(model, joint);
  }

 private:
  void addText(tinyxml2::XMLElement& parent, const char* name, std::string_view text, const XmlElement& origin) {
    out_.add(&parent, name, origin).SetText(std::string(text).c_str());
  }

  /// The <origin> of an element as a <pose> in the frame of that name; none is the default.
  void addPose(tinyxml2::XMLElement& parent, const XmlElement& element, const std::string& relativeTo) {
    const auto origin = element.child("origin");
    const std::string xyz(origin ? origin->find("xyz").value_or("0 0 0") : "0 0 0"),
        rpy(origin ? origin->find("rpy").value_or("0 0 0") : "0 0 0");
    tinyxml2::XMLElement& pose = out_.add(&parent, "pose", origin.value_or(element));
    if (!relativeTo.empty()) pose.SetAttribute("relative_to", relativeTo.c_str());
    pose.SetText((xyz + " " + rpy).c_str());
  }

  void addLink(tinyxml2::XMLElement& model, const XmlElement& link, const std::string& jointAbove) {
    tinyxml2::XMLElement& out = out_.add(&model, "link", link);
    out.SetAttribute("name", link.needName().c_str());
    if (!jointAbove.empty()) {
      tinyxml2::XMLElement& pose = out_.add(&out, "pose", link);
      pose.SetAttribute("relative_to", jointAbove.c_str());
    }
    if (const auto inertial = link.child("inertial")) {
      tinyxml2::XMLElement& weight = out_.add(&out, "inertial", *inertial);
      addPose(weight, *inertial, "");
      if (const auto mass = inertial->child("mass")) addText(weight, "mass", mass->find("value").value_or("0"), *mass);
    }
    for (const char* kind : {"visual", "collision"})
      for (const XmlElement& shape : link.children(kind)) addShape(out, kind, shape);
  }

  void addShape(tinyxml2::XMLElement& link, const char* kind, const XmlElement& shape) {
    const auto geometry = shape.child("geometry");
    if (!geometry) return;
    tinyxml2::XMLElement& out = out_.add(&link, kind, shape);
    addPose(out, shape, "");
    tinyxml2::XMLElement& form = out_.add(&out, "geometry", *geometry);
    for (const XmlElement& solid : geometry->children()) {
      tinyxml2::XMLElement& as = out_.add(&form, std::string(solid.name()), solid);
      for (const auto& [name, value] : solid.attributes())
        addText(as, name == "filename" ? "uri" : std::string(name).c_str(), value, solid);
    }
    const auto material = shape.child("material");
    if (!material) return;
    const auto own = material->child("color");
    const auto named = colors_.find(std::string(material->find("name").value_or("")));
    const std::string rgba = own                      ? std::string(own->find("rgba").value_or(""))
                             : named == colors_.end() ? ""
                                                      : named->second;
    if (!rgba.empty()) addText(out_.add(&out, "material", *material), "diffuse", rgba, *material);
  }

  void addJoint(tinyxml2::XMLElement& model, const XmlElement& joint) {
    const std::string type = joint.need("type"), parent = joint.needChild("parent").need("link");
    tinyxml2::XMLElement& out = out_.add(&model, "joint", joint);
    out.SetAttribute("name", joint.needName().c_str());
    const bool isKnown = type != "floating" && type != "planar";
    if (!isKnown) joint.fail("a joint of type " + type + " in an included URDF is not read");
    out.SetAttribute("type", type == "spherical" ? "ball" : type.c_str());
    addPose(out, joint, parent);
    addText(out, "parent", parent, joint);
    addText(out, "child", joint.needChild("child").need("link"), joint);
    if (type == "fixed" || type == "ball" || type == "spherical") return;
    tinyxml2::XMLElement& axis = out_.add(&out, "axis", joint);
    const auto written = joint.child("axis");
    addText(axis, "xyz", written ? written->find("xyz").value_or("1 0 0") : "1 0 0", written.value_or(joint));
    if (const auto limit = joint.child("limit"); limit && type != "continuous") {
      tinyxml2::XMLElement& range = out_.add(&axis, "limit", *limit);
      for (const char* end : {"lower", "upper", "velocity"})
        if (limit->has(end) || std::string_view(end) != "velocity")
          addText(range, end, limit->find(end).value_or("0"), *limit);
    }
    if (const auto mimic = joint.child("mimic")) {
      tinyxml2::XMLElement& follows = out_.add(&axis, "mimic", *mimic);
      follows.SetAttribute("joint", mimic->need("joint").c_str());
      addText(follows, "multiplier", mimic->find("multiplier").value_or("1"), *mimic);
      addText(follows, "offset", mimic->find("offset").value_or("0"), *mimic);
    }
  }

  const XmlElement& robot_;
  XmlFile& out_;
  std::map<std::string, std::string> colors_;  ///< "r g b a" by the name of a material
};

}  // namespace

void addSdfOfUrdf(const XmlElement& robot, XmlFile& out) { SdfOfUrdf(robot, out).convert(); }

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// A figure as URDF: in the text of the file that it came from if its links are still those of that file, else as a new
// file. In figures and in URDF the frame of a link is that of its joint, so that only the axes of the world differ.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/robot/robot.h"
#include "limber/io/robot/robot_parts.h"
#include "limber/io/robot/xml_text.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber::io {

namespace {

constexpr double kNowhere = 1e10;  // written for no limit: readUrdf takes limits beyond 1e9 for none
constexpr double kWater = 1000.0;  // kg/m^3

std::string textOf(double number) {
  std::string out;
  appendNumber(number == 0.0 ? 0.0 : number, out);
  return out;
}

std::string textOf(const Eigen::Vector3d& vector) {
  return textOf(vector.x()) + ' ' + textOf(vector.y()) + ' ' + textOf(vector.z());
}

/// roll, pitch and yaw of R = Rz(yaw) Ry(pitch) Rx(roll). If pitch is a right angle, yaw is
/// arbitrary and taken as 0.
Eigen::Vector3d rollPitchYaw(const Eigen::Matrix3d& R) {
  const double across = std::hypot(R(0, 0), R(1, 0));
  const double yaw = across > 1e-9 ? std::atan2(R(1, 0), R(0, 0)) : 0.0;
  const Eigen::Matrix3d rest = Eigen::AngleAxisd(-yaw, Eigen::Vector3d::UnitZ()) * R;  // Ry(pitch) Rx(roll)
  return {std::atan2(-rest(1, 2), rest(1, 1)), std::atan2(-R(2, 0), across), yaw};
}

std::string attributeOf(const char* name, const std::string& value) {
  return " " + std::string(name) + "=\"" + escapedXml(value) + "\"";
}

std::string placeText(const Transform& place) {
  return attributeOf("xyz", textOf(place.translation)) +
         (place.rotation.isIdentity(0.0) ? "" : attributeOf("rpy", textOf(rollPitchYaw(place.rotation))));
}

std::string originOf(const Transform& place) {
  if (place.translation.isZero(0.0) && place.rotation.isIdentity(0.0)) return {};
  return "<origin" + placeText(place) + "/>";
}

/// Limber's extension (UrdfReader::readLoops).
std::string loopText(const Figure& figure, const LoopClosure& loop) {
  const auto side = [&](const char* tag, int link, Transform frame) {
    if (link < 0) frame = Transform{zUpFrame().sceneFromFile.transpose(), Eigen::Vector3d::Zero()} * frame;
    return std::string("<") + tag + (link < 0 ? "" : attributeOf("link", figure.link(link).name)) + placeText(frame) +
           "/>";
  };
  return "<limber_loop" + attributeOf("name", loop.name) + attributeOf("type", std::string(loopKindName(loop.kind))) +
         ">" + side("link_a", loop.link, loop.linkFromLoop) + side("link_b", loop.other, loop.otherFromLoop) +
         "</limber_loop>";
}

/// True for q = offset + multiplier * driver, which a mimic can express.
bool isMimic(const Figure& figure, const Coupling& coupling) {
  if (coupling.terms.size() != 1 || !isScalar(figure.joint(coupling.follower))) return false;
  const Coupling::Term& term = coupling.terms[0];
  const auto& c = term.coefficients;
  return !term.pointing && isScalar(figure.joint(term.driver)) && c[1] == 0.0 && c[2] == 0.0 && c[3] == 0.0;
}

/// By joint: the enabled coupling that it follows; null for none.
std::vector<const Coupling*> couplingsOf(const Document& document) {
  std::vector<const Coupling*> out(document.figure->linkCount(), nullptr);
  const auto couplings = document.figure->couplings();
  for (std::size_t i = 0; i < couplings.size(); ++i)
    if (document.couplingEnabled[i]) out[couplings[i].follower] = &couplings[i];
  return out;
}

std::string mimicOf(const Figure& figure, const Coupling& coupling) {
  return "<mimic" + attributeOf("joint", figure.joint(coupling.terms[0].driver).name) +
         attributeOf("multiplier", textOf(coupling.terms[0].coefficients[0])) +
         attributeOf("offset", textOf(coupling.offset)) + "/>";
}

/// Sites become links without extent on fixed joints.
std::string siteText(const Figure& figure, const Site& site, std::set<std::string>& linkNames,
                     std::set<std::string>& jointNames, const std::string& line) {
  const std::string name = unusedName(site.name, linkNames), joint = unusedName(site.name + "_joint", jointNames);
  return "<link" + attributeOf("name", name) + "/>" + line + "<joint" + attributeOf("name", joint) +
         " type=\"fixed\">" + originOf(site.linkFromSite) + "<parent" +
         attributeOf("link", figure.link(site.link).name) + "/><child" + attributeOf("link", name) + "/></joint>";
}

void noteWhatUrdfLacks(const Document& document, std::vector<std::string>& notes) {
  const Figure& figure = *document.figure;
  std::size_t cones = 0, curved = 0;
  for (int i = 0; i < figure.linkCount(); ++i)
    cones += figure.joint(i).type == JointType::Ball && document.joints[i].ballLimits.isBounded();
  for (const Coupling* coupling : couplingsOf(document)) curved += coupling && !isMimic(figure, *coupling);
  const auto say = [&](const char* what, std::size_t count) {
    if (count > 0) notes.push_back(std::string(what) + " are left out (" + std::to_string(count) + ").");
  };
  say("Limits of ball joints", cones);
  say("Couplings that are not a mimic of one joint by another", curved);
  say("Linear limits", figure.linearLimits().size());
}

// -- a new file

class UrdfWriter {
 public:
  explicit UrdfWriter(const Document& document) : document_(document), figure_(*document.figure) {
    for (const Link& link : figure_.links()) linkNames_.insert(link.name);
    for (const Joint& joint : figure_.joints()) jointNames_.insert(joint.name);
  }

  Exported write() {
    text_ = "<?xml version=\"1.0\"?>\n<robot" + attributeOf("name", figure_.name().empty() ? "robot" : figure_.name()) +
            ">\n";
    const int root = plainRoot();
    const std::string world = root < 0 ? unusedName("world", linkNames_) : "";
    if (root < 0) text_ += "  <link" + attributeOf("name", world) + "/>\n";
    const auto couplings = couplingsOf(document_);
    for (int i = 0; i < figure_.linkCount(); ++i) {
      addLink(i);
      if (i != root) addJoint(i, world, couplings[i]);
    }
    for (const Site& site : figure_.sites())
      text_ += "  " + siteText(figure_, site, linkNames_, jointNames_, "\n  ") + "\n";
    for (const LoopClosure& loop : figure_.loops()) text_ += "  " + loopText(figure_, loop) + "\n";
    text_ += "</robot>\n";
    return {.bytes = std::move(text_)};
  }

 private:
  /// The root if it is the only one and fixed at the origin, as in a URDF; -1 if the world must be a link.
  int plainRoot() const {
    int root = -1;
    for (int i = 0; i < figure_.linkCount(); ++i) {
      if (figure_.link(i).parent >= 0) continue;
      if (root >= 0) return -1;
      root = i;
    }
    const Joint& joint = figure_.joint(root);
    const bool isStill = joint.type == JointType::Fixed || joint.freed;
    const Transform place = inFile(joint.parentFromJoint);
    return isStill && place.translation.isZero(0.0) && place.rotation.isIdentity(1e-15) ? root : -1;
  }

  /// Converts a transform in the scene to one in a world with z up.
  Transform inFile(const Transform& place) const {
    const Eigen::Matrix3d fileFromScene = zUpFrame().sceneFromFile.transpose();
    const Eigen::Vector3d origin = figure_.fileFrame().sceneFromFile == zUpFrame().sceneFromFile
                                       ? figure_.fileFrame().origin
                                       : Eigen::Vector3d::Zero().eval();
    return {fileFromScene * place.rotation, fileFromScene * (place.translation - origin)};
  }

  void addLink(int i) {
    const Link& link = figure_.link(i);
    text_ += "  <link" + attributeOf("name", link.name);
    const std::string inside = inertialOf(link) + shapesOf(link);
    text_ += inside.empty() ? "/>\n" : ">\n" + inside + "  </link>\n";
  }

  /// The inertia is that of a ball of water, since the figure has none.
  static std::string inertialOf(const Link& link) {
    if (!(link.mass > 0.0)) return {};
    const double radius = std::cbrt(0.75 * link.mass / (kWater * std::numbers::pi));
    const std::string inertia = textOf(0.4 * link.mass * radius * radius);
    return "    <inertial>" + originOf(Transform::fromTranslation(link.centreOfMass)) + "<mass" +
           attributeOf("value", textOf(link.mass)) + "/><inertia" + attributeOf("ixx", inertia) +
           " ixy=\"0\" ixz=\"0\"" + attributeOf("iyy", inertia) + " iyz=\"0\"" + attributeOf("izz", inertia) +
           "/></inertial>\n";
  }

  /// A capsule becomes a cylinder with a ball at each end, because URDF has none.
  static std::string shapesOf(const Link& link) {
    std::string out;
    const auto add = [&](const Transform& place, const std::string& geometry) {
      for (const char* kind : {"visual", "collision"})
        out += "    <" + std::string(kind) + ">" + originOf(place) + "<geometry>" + geometry + "</geometry></" + kind +
               ">\n";
    };
    for (const Capsule& capsule : link.capsules) {
      if (!(capsule.radius > 0.0)) continue;
      const Eigen::Vector3d axis = capsule.end - capsule.start;
      const std::string radius = attributeOf("radius", textOf(capsule.radius));
      add(Transform::fromTranslation(capsule.start), "<sphere" + radius + "/>");
      if (axis.isZero(0.0)) continue;
      add(Transform::fromTranslation(capsule.end), "<sphere" + radius + "/>");
      add({shortestTurn(Eigen::Vector3d::UnitZ(), axis).toRotationMatrix(), 0.5 * (capsule.start + capsule.end)},
          "<cylinder" + radius + attributeOf("length", textOf(axis.norm())) + "/>");
    }
    return out;
  }

  std::string typeOf(int i) const {
    const Joint& joint = figure_.joint(i);
    switch (joint.type) {
      case JointType::Revolute: return document_.joints[i].limits.isBounded() ? "revolute" : "continuous";
      case JointType::Prismatic: return "prismatic";
      case JointType::Ball: return "spherical";
      case JointType::Free: return joint.freed ? "fixed" : "floating";
      case JointType::Fixed: break;
    }
    return "fixed";
  }

  void addJoint(int i, const std::string& world, const Coupling* coupling) {
    const Joint& joint = figure_.joint(i);
    const int parent = figure_.link(i).parent;
    const std::string type = typeOf(i);
    text_ += "  <joint" + attributeOf("name", joint.name) + attributeOf("type", type) + ">" +
             originOf(parent < 0 ? inFile(joint.parentFromJoint) : joint.parentFromJoint) + "<parent" +
             attributeOf("link", parent < 0 ? world : figure_.link(parent).name) + "/><child" +
             attributeOf("link", figure_.link(i).name) + "/>";
    if (isScalar(joint)) text_ += "<axis" + attributeOf("xyz", textOf(joint.axis)) + "/>";
    if (type == "revolute" || type == "prismatic") text_ += limitText(document_.joints[i].limits, joint.velocityLimit);
    if (coupling && isMimic(figure_, *coupling)) text_ += mimicOf(figure_, *coupling);
    text_ += "</joint>\n";
  }

 public:
  /// URDF requires an effort, which a figure does not have, and a velocity.
  static std::string limitText(const Interval& limits, double velocity) {
    constexpr double kUnknownVelocity = 10.0;
    return "<limit" + attributeOf("lower", textOf(std::max(limits.lower, -kNowhere))) +
           attributeOf("upper", textOf(std::min(limits.upper, kNowhere))) + " effort=\"1000\"" +
           attributeOf("velocity", textOf(std::isfinite(velocity) ? velocity : kUnknownVelocity)) + "/>";
  }

 private:
  const Document& document_;
  const Figure& figure_;
  std::set<std::string> linkNames_, jointNames_;
  std::string text_;
};

Exported writeNewUrdf(const Document& document) {
  Exported out = UrdfWriter(document).write();
  const Figure& figure = *document.figure;
  const auto isBall = [](const Joint& joint) { return joint.type == JointType::Ball; };
  if (std::ranges::any_of(figure.joints(), isBall))
    out.notes.push_back("Ball joints are of the type spherical, which MuJoCo and Bullet read, and ROS does not.");
  if (document.skin) out.notes.push_back("The skin is left out: cylinders and balls stand for links.");
  noteWhatUrdfLacks(document, out.notes);
  return out;
}

// -- into the robot's own file

class UrdfPatch {
 public:
  UrdfPatch(const Document& document, const Figure& inFile)
      : document_(document), figure_(*document.figure), inFile_(inFile), text_(document.source->bytes) {}

  Exported write() {
    const auto ours = couplingsOf(document_);
    for (int i = 0; i < inFile_.linkCount(); ++i) {
      const int link = figure_.findLink(inFile_.link(i).name);
      patchMass(i, figure_.link(link));
      if (isScalar(inFile_.joint(i))) {
        patchLimits(i, document_.joints[link].limits);
        patchMimic(i, ours[link]);
      }
    }
    addSites();
    Exported out{.bytes = text_.result()};
    noteWhatUrdfLacks(document_, out.notes);
    return out;
  }

 private:
  int elementOf(const char* what, const std::string& name) const { return text_.child(0, what, "name", name); }

  /// An unchanged number stays as written.
  void setNumber(int element, std::string_view name, double number) {
    const auto old = text_.attribute(element, name);
    if (!old || numberOf(trimmed(*old)) != number) text_.setAttribute(element, name, textOf(number));
  }

  void patchLimits(int i, const Interval& limits) {
    const Joint& joint = inFile_.joint(i);
    if (limits == joint.limits) return;
    const int element = elementOf("joint", joint.name);
    if (element < 0) return;  // a slide of a planar joint
    const std::string type(text_.attribute(element, "type").value_or(""));
    if (type == "revolute" && !limits.isBounded()) return text_.setAttribute(element, "type", "continuous");
    if (type == "continuous") text_.setAttribute(element, "type", "revolute");
    const int limit = text_.child(element, "limit");
    if (limit < 0) return text_.append(element, UrdfWriter::limitText(limits, joint.velocityLimit));
    setNumber(limit, "lower", std::max(limits.lower, -kNowhere));
    setNumber(limit, "upper", std::min(limits.upper, kNowhere));
  }

  void patchMass(int i, const Link& link) {
    if (link.mass == inFile_.link(i).mass) return;
    const int element = elementOf("link", link.name);
    if (element < 0) return;
    const int inertial = text_.child(element, "inertial"), mass = inertial < 0 ? -1 : text_.child(inertial, "mass");
    const std::string value = textOf(link.mass);
    if (mass >= 0) return text_.setAttribute(mass, "value", value);
    const std::string written = "<mass" + attributeOf("value", value) + "/>";
    if (inertial >= 0) return text_.append(inertial, written);
    text_.append(element, "<inertial>" + written + "</inertial>");
  }

  /// A mimic stays as written if it still expresses the coupling, also through a chain of mimics.
  void patchMimic(int i, const Coupling* ours) {
    const Coupling* theirs = nullptr;
    for (const Coupling& coupling : inFile_.couplings())
      if (coupling.follower == i) theirs = &coupling;
    if (isSame(ours, theirs)) return;
    const int element = elementOf("joint", inFile_.joint(i).name);
    if (element < 0) return;
    if (const int mimic = text_.child(element, "mimic"); mimic >= 0) text_.remove(mimic);
    if (ours && isMimic(figure_, *ours)) text_.append(element, mimicOf(figure_, *ours));
  }

  bool isSame(const Coupling* ours, const Coupling* theirs) const {
    if (!ours || !theirs) return !ours && !theirs;
    const auto sameTerm = [&](const Coupling::Term& a, const Coupling::Term& b) {
      return figure_.joint(a.driver).name == inFile_.joint(b.driver).name && a.coefficients == b.coefficients &&
             a.pointing == b.pointing;
    };
    return ours->offset == theirs->offset && std::ranges::equal(ours->terms, theirs->terms, sameTerm);
  }

  void addSites() {
    std::set<std::string> linkNames, jointNames;
    for (const XmlText::Element& element : text_.elements())
      for (const XmlText::Attribute& attribute : element.attributes)
        if (element.parent == 0 && attribute.name == "name")
          (element.name == "link" ? linkNames : jointNames).insert(std::string(attribute.value));
    for (const Site& site : figure_.sites())
      if (inFile_.findSite(site.name) < 0 && inFile_.findLink(figure_.link(site.link).name) >= 0)
        text_.append(0, siteText(figure_, site, linkNames, jointNames, "\n  "));
  }

  const Document& document_;
  const Figure& figure_;
  const Figure& inFile_;
  XmlText text_;
};

Exported writeUrdfOf(const Document& document) {
  const SourceFile* source = document.source.get();
  if (!source || source->format != SourceFormat::Urdf || source->bytes.empty()) return writeNewUrdf(document);
  const Result<FigureSource> inFile = readUrdf(source->bytes, source->path);
  if (inFile && hasLinksOfFile(*document.figure, *inFile->figure)) return UrdfPatch(document, *inFile->figure).write();
  Exported out = writeNewUrdf(document);
  out.notes.insert(out.notes.begin(),
                   "The links are no longer those of " + source->path.filename().string() + ": a new file is written.");
  return out;
}

}  // namespace

Result<Exported> formatUrdf(const Document& document) {
  if (!isValid(*document.figure, document.pose)) return Error{"", "pose", "holds a number that is not finite"};
  Exported out = writeUrdfOf(document);
  if (document.motion) out.notes.push_back("Motions are left out: URDF has none.");
  return out;
}

}  // namespace limber::io

// SPDX-License-Identifier: MIT
#include "limber/io/json/figure_json.h"

#include <cmath>

#include "limber/io/json/scene_parts.h"
#include "limber/kinematics/figure_builder.h"

namespace limber::io {

namespace {

constexpr double kMaxMass = 1e12;  // kilograms
constexpr std::string_view kFigureFormat = "limber figure";

JointType readJointType(const JsonValue& value) {
  if (const auto type = findJointType(value.text())) return *type;
  value.fail(inQuotes(value.text()) + " is not a joint type (fixed, revolute, prismatic, ball, free)");
}

Joint readJoint(const JsonValue& value) {
  value.allowOnly(
      "name type position rotation axis limits ball_limits velocity_limit rigidity locked translation_locked freed "
      "rest");
  Joint joint;
  if (const auto name = value.find("name")) joint.name = name->name();
  joint.type = readJointType(value.at("type"));
  joint.parentFromJoint = placeFromJson(value);
  if (isScalar(joint)) {
    joint.axis = value.at("axis").vector3();
    if (!(joint.axis.norm() > 1e-9 && joint.axis.norm() < kLargestLength)) value.at("axis").fail("has no direction");
  }
  for (const char* key : {"axis", "limits", "velocity_limit"})
    if (const auto member = value.find(key); member && !isScalar(joint))
      member->fail("belongs to revolute and prismatic joints only");
  if (const auto limits = value.find("limits")) joint.limits = intervalFromJson(*limits);
  if (const auto limit = value.find("velocity_limit")) joint.velocityLimit = limit->numberIn(0.0, kLargestLength);
  if (const auto limits = value.find("ball_limits")) {
    if (joint.type != JointType::Ball) limits->fail("belongs to ball joints only");
    joint.ballLimits = ballLimitsFromJson(*limits);
  }
  if (const auto rigidity = value.find("rigidity")) joint.rigidity = rigidity->numberIn(0.0, 1.0);
  if (const auto locked = value.find("locked")) joint.locked = locked->boolean();
  if (const auto locked = value.find("translation_locked")) joint.translationLocked = locked->boolean();
  if (const auto freed = value.find("freed")) {
    joint.freed = freed->boolean();
    if (joint.freed && joint.type != JointType::Free) freed->fail("belongs to free joints only");
  }
  return joint;
}

Eigen::VectorXd readRest(const JsonValue& value, JointType type) {
  if (poseSize(type) == 1) return Eigen::VectorXd::Constant(1, value.numberIn(-kLargestLength, kLargestLength));
  const std::vector<double> numbers = value.numbers(poseSize(type));
  Eigen::VectorXd rest = Eigen::VectorXd::Map(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  if (rest.size() >= 4 && !normalizeQuaternion(rest.tail<4>())) value.fail("its quaternion is not of unit length");
  return rest;
}

Link readLink(const JsonValue& value) {
  value.allowOnly("name parent joint mass centre_of_mass capsules");
  Link link;
  link.name = value.at("name").name();
  if (const auto mass = value.find("mass")) link.mass = mass->numberIn(0.0, kMaxMass);
  if (const auto centre = value.find("centre_of_mass")) link.centreOfMass = lengthsFromJson(*centre);
  if (const auto capsules = value.find("capsules"))
    for (const JsonValue& capsule : capsules->elements()) {
      capsule.allowOnly("start end radius");
      link.capsules.push_back({lengthsFromJson(capsule.at("start")), lengthsFromJson(capsule.at("end")),
                               capsule.at("radius").numberIn(0.0, kLargestLength)});
    }
  return link;
}

/// Index of each link's parent, both in file order.
std::vector<int> readParents(const std::vector<JsonValue>& links, const IndexByName& indexByName) {
  std::vector<int> parents;
  for (const JsonValue& link : links) {
    const JsonValue parent = link.at("parent");
    parents.push_back(parent.isNull() ? -1 : indexFromJson(parent, indexByName, "link"));
  }
  return parents;
}

/// Links in file order, but parents before their children. The fault of a cycle names its links.
std::vector<int> sortParentsFirst(const std::vector<int>& parents, const std::vector<JsonValue>& links) {
  enum class Mark : char { New, OnPath, Placed };
  std::vector<Mark> marks(parents.size(), Mark::New);
  std::vector<int> order, path;
  for (int i = 0; i < static_cast<int>(parents.size()); ++i) {
    for (int at = i; at >= 0 && marks[at] != Mark::Placed; at = parents[at]) {
      if (marks[at] == Mark::OnPath) {
        std::string cycle = links[at].at("name").text();
        for (std::size_t k = path.size(); k-- > 0 && path[k] != at;)
          cycle = links[path[k]].at("name").text() + " -> " + cycle;
        links[at].at("parent").fail(std::string("the links are their own ancestors: ") +
                                    printable(links[at].at("name").text() + " -> " + cycle));
      }
      marks[at] = Mark::OnPath;
      path.push_back(at);
    }
    for (; !path.empty(); path.pop_back()) {
      marks[path.back()] = Mark::Placed;
      order.push_back(path.back());
    }
  }
  return order;
}

IndexByName readNames(const std::vector<JsonValue>& links) {
  IndexByName indexByName;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const JsonValue name = links[i].at("name");
    if (!indexByName.emplace(name.name(), static_cast<int>(i)).second)
      name.fail(std::string("two links are called ") + inQuotes(name.text()));
  }
  return indexByName;
}

FileFrame readFileFrame(const JsonValue& value) {
  value.allowOnly("metres_per_unit scene_from_file origin");
  FileFrame frame;
  if (const auto scale = value.find("metres_per_unit")) frame.metresPerUnit = scale->numberIn(1e-9, 1e9);
  if (const auto rotation = value.find("scene_from_file")) frame.sceneFromFile = rotation->rotation();
  if (const auto origin = value.find("origin")) frame.origin = lengthsFromJson(*origin);
  return frame;
}

void addSites(const JsonValue& sites, const IndexByName& linkByName, FigureBuilder& builder) {
  for (const JsonValue& value : sites.elements()) {
    value.allowOnly("name link position rotation");
    const int link = indexFromJson(value.at("link"), linkByName, "link");
    builder.addSite({value.at("name").name(), link, placeFromJson(value)});
  }
}

/// {"name", "type", "a": {"link", "position", "rotation"}, "b": the same; its link is null for the world}.
LoopClosure readLoop(const JsonValue& value, const IndexByName& linkByName) {
  value.allowOnly("name type a b");
  LoopClosure loop{.name = value.at("name").name()};
  const JsonValue type = value.at("type");
  const auto kind = findLoopKind(type.text());
  if (!kind) type.fail(inQuotes(type.text()) + " is not a type of loop (ball, hinge, weld)");
  loop.kind = *kind;
  const JsonValue a = value.at("a"), b = value.at("b");
  for (const JsonValue& side : {a, b}) side.allowOnly("link position rotation");
  loop.link = indexFromJson(a.at("link"), linkByName, "link");
  loop.linkFromLoop = placeFromJson(a);
  loop.other = b.at("link").isNull() ? -1 : indexFromJson(b.at("link"), linkByName, "link");
  loop.otherFromLoop = placeFromJson(b);
  return loop;
}

/// The figure's indices by name.
struct Names {
  IndexByName links, joints;
};

/// Adds every link.
Names addLinks(const std::vector<JsonValue>& links, FigureBuilder& builder) {
  const IndexByName fileIndex = readNames(links);
  const std::vector<int> parents = readParents(links, fileIndex);
  std::vector<int> figureIndex(links.size(), -1);
  Names names;
  for (const int i : sortParentsFirst(parents, links)) {
    const JsonValue& value = links[i];
    const JsonValue jointValue = value.at("joint");
    Link link = readLink(value);
    Joint joint = readJoint(jointValue);
    const int parent = parents[i];
    link.parent = parent < 0 ? -1 : figureIndex[parent];
    const std::string name = link.name;
    const std::string jointName = joint.name.empty() ? name : joint.name;
    const JointType type = joint.type;
    const int index = builder.addLink(std::move(link), std::move(joint));
    if (!names.joints.emplace(jointName, index).second)
      jointValue.fail(std::string("two joints are called ") + inQuotes(jointName));
    if (const auto rest = jointValue.find("rest")) builder.setRest(index, readRest(*rest, type));
    figureIndex[i] = index;
    names.links[name] = index;
  }
  return names;
}

}  // namespace

std::optional<JointType> findJointType(std::string_view name) {
  for (const JointType type :
       {JointType::Fixed, JointType::Revolute, JointType::Prismatic, JointType::Ball, JointType::Free})
    if (name == jointTypeName(type)) return type;
  return std::nullopt;
}

FigurePointer figureFromJson(const JsonValue& value) {
  value.allowOnly("format version name source file_frame links sites couplings linear_limits loops");
  if (value.at("format").text() != kFigureFormat) value.at("format").fail("must be \"limber figure\"");
  value.at("version").integerIn(1, 1);
  const auto name = value.find("name");
  FigureBuilder builder(name ? name->text() : "");
  if (const auto frame = value.find("file_frame")) builder.setFileFrame(readFileFrame(*frame));
  const JsonValue links = value.at("links");
  if (links.size() > kMaxLinks) links.fail("a figure has at most 100000 links");
  const Names names = addLinks(links.elements(), builder);
  if (const auto sites = value.find("sites")) addSites(*sites, names.links, builder);
  const auto isBall = [&](int joint) { return builder.joint(joint).type == JointType::Ball; };
  if (const auto couplings = value.find("couplings"))
    for (const JsonValue& coupling : couplings->elements())
      builder.addCoupling(couplingFromJson(coupling, names.joints, isBall));
  if (const auto limits = value.find("linear_limits"))
    for (const JsonValue& limit : limits->elements()) builder.addLinearLimit(linearLimitFromJson(limit, names.joints));
  if (const auto loops = value.find("loops"))
    for (const JsonValue& loop : loops->elements()) builder.addLoop(readLoop(loop, names.links));
  std::string error;
  FigurePointer figure = builder.build(error);
  if (figure) return figure;
  // The builder's message names the element; the place is its key.
  for (const auto& [key, word] :
       {std::pair{"couplings", "coupling "}, {"linear_limits", "linear limit "}, {"loops", "loop "}})
    if (error.starts_with(word) && value.find(key)) value.at(key).fail(error);
  links.fail(error);
}

namespace {

OrderedJson jointToJson(const Figure& figure, int index) {
  const Joint& joint = figure.joint(index);
  OrderedJson out;
  out["name"] = joint.name;
  out["type"] = jointTypeName(joint.type);
  out["position"] = toJson(joint.parentFromJoint.translation);
  if (joint.parentFromJoint.rotation != Eigen::Matrix3d::Identity())
    out["rotation"] = rotationToJson(joint.parentFromJoint.rotation);
  if (isScalar(joint)) {
    out["axis"] = toJson(joint.axis);
    if (joint.limits.isBounded()) out["limits"] = intervalToJson(joint.limits);
    if (std::isfinite(joint.velocityLimit)) out["velocity_limit"] = toJson(joint.velocityLimit);
    out["rest"] = toJson(figure.restPose()[joint.poseIndex]);
  } else if (joint.type != JointType::Fixed) {
    out["rest"] = toJson(figure.restPose().segment(joint.poseIndex, poseSize(joint.type)));
  }
  if (joint.type == JointType::Ball && joint.ballLimits != BallLimits{})
    out["ball_limits"] = ballLimitsToJson(joint.ballLimits);
  if (joint.rigidity != 0.0) out["rigidity"] = toJson(joint.rigidity);
  if (joint.locked) out["locked"] = true;
  if (joint.translationLocked) out["translation_locked"] = true;
  if (joint.freed) out["freed"] = true;
  return out;
}

OrderedJson linkToJson(const Figure& figure, int index) {
  const Link& link = figure.link(index);
  OrderedJson out;
  out["name"] = link.name;
  out["parent"] = link.parent < 0 ? OrderedJson(nullptr) : OrderedJson(figure.link(link.parent).name);
  out["joint"] = jointToJson(figure, index);
  out["mass"] = toJson(link.mass);
  out["centre_of_mass"] = toJson(link.centreOfMass);
  out["capsules"] = OrderedJson::array();
  for (const Capsule& capsule : link.capsules)
    out["capsules"].push_back(
        {{"start", toJson(capsule.start)}, {"end", toJson(capsule.end)}, {"radius", toJson(capsule.radius)}});
  return out;
}

OrderedJson loopSideToJson(const Figure& figure, int link, const Transform& frame) {
  OrderedJson out = {{"link", link < 0 ? OrderedJson(nullptr) : OrderedJson(figure.link(link).name)},
                     {"position", toJson(frame.translation)}};
  if (frame.rotation != Eigen::Matrix3d::Identity()) out["rotation"] = rotationToJson(frame.rotation);
  return out;
}

}  // namespace

OrderedJson figureToJson(const Figure& figure) {
  OrderedJson out;
  out["format"] = kFigureFormat;
  out["version"] = 1;
  out["name"] = figure.name();
  out["file_frame"] = {{"metres_per_unit", toJson(figure.fileFrame().metresPerUnit)},
                       {"scene_from_file", rotationToJson(figure.fileFrame().sceneFromFile)}};
  if (!figure.fileFrame().origin.isZero(0.0)) out["file_frame"]["origin"] = toJson(figure.fileFrame().origin);
  out["links"] = OrderedJson::array();
  for (int i = 0; i < figure.linkCount(); ++i) out["links"].push_back(linkToJson(figure, i));
  out["sites"] = OrderedJson::array();
  for (const Site& site : figure.sites()) {
    OrderedJson frame = {{"name", site.name},
                         {"link", figure.link(site.link).name},
                         {"position", toJson(site.linkFromSite.translation)}};
    if (site.linkFromSite.rotation != Eigen::Matrix3d::Identity())
      frame["rotation"] = rotationToJson(site.linkFromSite.rotation);
    out["sites"].push_back(std::move(frame));
  }
  for (const Coupling& coupling : figure.couplings()) out["couplings"].push_back(couplingToJson(figure, coupling));
  for (const LinearLimit& limit : figure.linearLimits())
    out["linear_limits"].push_back(linearLimitToJson(figure, limit));
  for (const LoopClosure& loop : figure.loops())
    out["loops"].push_back({{"name", loop.name},
                            {"type", loopKindName(loop.kind)},
                            {"a", loopSideToJson(figure, loop.link, loop.linkFromLoop)},
                            {"b", loopSideToJson(figure, loop.other, loop.otherFromLoop)}});
  return out;
}

std::string formatFigure(const Figure& figure) { return formatJson(figureToJson(figure)); }

std::optional<Error> writeFigure(const std::filesystem::path& path, const Figure& figure) {
  return writeJsonFile(path, "figure", [&] { return figureToJson(figure); });
}

Result<FigurePointer> parseFigure(std::string_view text, const std::string& file) {
  return readJsonText<FigurePointer>(text, file, figureFromJson);
}

Result<FigurePointer> readFigure(const std::filesystem::path& path) {
  return readJsonFile<FigurePointer>(path, figureFromJson);
}

}  // namespace limber::io

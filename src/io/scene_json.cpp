// SPDX-License-Identifier: MIT
#include "io/scene_json.h"

#include <set>

#include "io/figure_json.h"
#include "io/file.h"
#include "io/json.h"
#include "io/json_format.h"
#include "io/limits_json.h"
#include "io/motion_json.h"

namespace limber::io {

namespace {

constexpr std::string_view kFormat = "limber scene";
constexpr double kMaxWeight = 1e12;
constexpr double kMaxLength = 1e9;  // metres
constexpr int kMaxId = 1'000'000'000;

// Words of the enumerations.
constexpr std::string_view modeName(Mode mode) { return mode == Mode::Forward ? "forward" : "inverse"; }
constexpr std::string_view referenceName(RestReference reference) {
  return reference == RestReference::RestPose ? "rest" : "start";
}

template <typename Enum, typename Name>
Enum readWord(const JsonValue& value, std::initializer_list<Enum> choices, Name name) {
  std::string known;
  for (const Enum choice : choices) {
    if (value.text() == name(choice)) return choice;
    known += (known.empty() ? "" : " or ") + inQuotes(name(choice));
  }
  value.fail(std::string("must be ") + known);
}

int readLink(const JsonValue& value, const Figure& figure) {
  const int link = figure.findLink(value.text());
  if (link < 0) value.fail(std::string("the figure has no link ") + inQuotes(value.text()));
  return link;
}

Eigen::Vector3d readPoint(const JsonValue& value) {
  const Eigen::Vector3d point = value.vector3();
  if (point.cwiseAbs().maxCoeff() > kMaxLength) value.fail("is more than 1e9 metres away");
  return point;
}

JointSettings readJointSettings(const JsonValue& value, const Joint& joint) {
  value.allowOnly({"name", "limits", "rigidity", "locked", "translation_locked"});
  if (value.at("name").text() != joint.name)
    value.at("name").fail(std::string("the figure's joint here is ") + inQuotes(joint.name));
  JointSettings settings;
  if (const auto limits = value.find("limits")) settings.limits = intervalFromJson(*limits);
  settings.rigidity = value.at("rigidity").numberIn(0.0, 1.0);
  settings.locked = value.at("locked").boolean();
  settings.translationLocked = value.at("translation_locked").boolean();
  return settings;
}

std::vector<JointSettings> readJoints(const JsonValue& value, const Figure& figure) {
  const std::vector<JsonValue> elements = value.elements();
  if (static_cast<int>(elements.size()) != figure.linkCount())
    value.fail(std::string("must hold the figure's ") + std::to_string(figure.linkCount()) + " joints");
  std::vector<JointSettings> joints;
  for (const JsonValue& element : elements)
    joints.push_back(readJointSettings(element, figure.joint(static_cast<int>(joints.size()))));
  return joints;
}

Pose readPose(const JsonValue& value, const Figure& figure) {
  const std::vector<double> numbers = value.numbers(static_cast<std::size_t>(figure.poseSize()));
  Pose pose{Eigen::VectorXd::Map(numbers.data(), figure.poseSize())};
  for (const Joint& joint : figure.joints())
    if (const int size = poseSize(joint.type); size >= 4)
      if (!normalizeQuaternion(pose.coordinates.segment<4>(joint.poseIndex + size - 4)))
        value.fail(std::string("the quaternion of the joint ") + inQuotes(joint.name) + " is not of unit length");
  return pose;
}

GoalItem readGoal(const JsonValue& value, const Figure& figure) {
  value.allowOnly({"id", "type", "name", "link", "point", "target", "weight", "enabled"});
  GoalItem goal;
  goal.id = value.at("id").integerIn(0, kMaxId);
  if (value.at("type").text() != "position") value.at("type").fail("must be \"position\"");
  goal.name = value.at("name").text();
  goal.link = readLink(value.at("link"), figure);
  goal.pointInLink = readPoint(value.at("point"));
  goal.target = readPoint(value.at("target"));
  goal.weight = value.at("weight").numberIn(0.0, kMaxWeight);
  goal.enabled = value.at("enabled").boolean();
  return goal;
}

void readGoals(const JsonValue& scene, Document& document) {
  std::set<int> ids;
  for (const JsonValue& value : scene.at("goals").elements()) {
    document.goals.push_back(readGoal(value, *document.figure));
    if (!ids.insert(document.goals.back().id).second) value.at("id").fail("is taken by another goal");
  }
  const int lowest = ids.empty() ? 0 : *ids.rbegin() + 1;
  document.nextGoalId = scene.at("next_goal_id").integerIn(lowest, kMaxId + 1);
}

SolverSettings readSolver(const JsonValue& value) {
  value.allowOnly({"name", "target_weight", "rest_weight", "reference", "reached_tolerance", "options"});
  SolverSettings settings;
  settings.solver = value.at("name").text();
  settings.targetWeight = value.at("target_weight").numberIn(0.0, kMaxWeight);
  settings.restWeight = value.at("rest_weight").numberIn(0.0, kMaxWeight);
  settings.reference =
      readWord(value.at("reference"), {RestReference::RestPose, RestReference::StartPose}, referenceName);
  settings.reachedTolerance = value.at("reached_tolerance").numberIn(0.0, kMaxLength);
  for (const auto& [solver, options] : value.at("options").members())
    for (const auto& [name, option] : options.members()) settings.options[solver][name] = option.number();
  return settings;
}

Selection readSelection(const JsonValue& value, const Document& document) {
  value.allowOnly({"joint", "goal"});
  Selection selection;
  if (const JsonValue joint = value.at("joint"); !joint.isNull()) {
    selection.joint = document.figure->findJoint(joint.text());
    if (selection.joint < 0) joint.fail(std::string("the figure has no joint ") + inQuotes(joint.text()));
  }
  if (const JsonValue goal = value.at("goal"); !goal.isNull()) {
    selection.goal = goal.integerIn(0, kMaxId);
    if (!findGoal(document, selection.goal)) goal.fail("there is no such goal");
  }
  return selection;
}

}  // namespace

Document documentFromJson(const JsonValue& scene) {
  scene.allowOnly({"format", "version", "figure", "joints", "pose", "goals", "next_goal_id", "mode", "follow", "solver",
                   "selection", "frame", "motion"});
  if (scene.at("format").text() != kFormat) scene.at("format").fail("must be \"limber scene\"");
  scene.at("version").integerIn(1, 1);
  Document document;
  document.figure = figureFromJson(scene.at("figure"));
  const Figure& figure = *document.figure;
  document.joints = readJoints(scene.at("joints"), figure);
  document.pose = readPose(scene.at("pose"), figure);
  readGoals(scene, document);
  document.mode = readWord(scene.at("mode"), {Mode::Forward, Mode::Inverse}, modeName);
  document.follow = scene.at("follow").boolean();
  document.solver = readSolver(scene.at("solver"));
  document.selection = readSelection(scene.at("selection"), document);
  if (const auto motion = scene.find("motion")) document.motion = motionFromJson(*motion, figure);
  const int frames = document.motion ? document.motion->frameCount : 0;
  document.frame = scene.at("frame").integerIn(0, std::max(frames - 1, 0));
  return document;
}

namespace {

OrderedJson jointsToJson(const Document& document) {
  OrderedJson out = OrderedJson::array();
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    const JointSettings& settings = document.joints[static_cast<std::size_t>(i)];
    OrderedJson joint = {{"name", document.figure->joint(i).name}};
    if (settings.limits.isBounded()) joint["limits"] = intervalToJson(settings.limits);
    joint["rigidity"] = toJson(settings.rigidity);
    joint["locked"] = settings.locked;
    joint["translation_locked"] = settings.translationLocked;
    out.push_back(std::move(joint));
  }
  return out;
}

OrderedJson goalsToJson(const Document& document) {
  OrderedJson out = OrderedJson::array();
  for (const GoalItem& goal : document.goals)
    out.push_back({{"id", goal.id}, {"type", "position"}, {"name", goal.name},
                   {"link", document.figure->link(goal.link).name}, {"point", toJson(goal.pointInLink)},
                   {"target", toJson(goal.target)}, {"weight", toJson(goal.weight)}, {"enabled", goal.enabled}});
  return out;
}

OrderedJson solverToJson(const SolverSettings& settings) {
  OrderedJson options = OrderedJson::object();
  for (const auto& [solver, values] : settings.options) {
    options[solver] = OrderedJson::object();
    for (const auto& [name, value] : values) options[solver][name] = toJson(value);
  }
  return {{"name", settings.solver}, {"target_weight", toJson(settings.targetWeight)},
          {"rest_weight", toJson(settings.restWeight)}, {"reference", referenceName(settings.reference)},
          {"reached_tolerance", toJson(settings.reachedTolerance)}, {"options", options}};
}

OrderedJson selectionToJson(const Document& document) {
  OrderedJson out = {{"joint", nullptr}, {"goal", nullptr}};
  if (document.selection.joint >= 0) out["joint"] = document.figure->joint(document.selection.joint).name;
  if (findGoal(document, document.selection.goal)) out["goal"] = document.selection.goal;
  return out;
}

OrderedJson documentToJson(const Document& document) {
  OrderedJson out;
  out["format"] = kFormat;
  out["version"] = 1;
  out["mode"] = modeName(document.mode);
  out["follow"] = document.follow;
  out["solver"] = solverToJson(document.solver);
  out["selection"] = selectionToJson(document);
  out["goals"] = goalsToJson(document);
  out["next_goal_id"] = document.nextGoalId;
  out["pose"] = toJson(document.pose.coordinates);
  out["joints"] = jointsToJson(document);
  out["figure"] = figureToJson(*document.figure);
  out["frame"] = document.frame;
  if (document.motion) out["motion"] = motionToJson(*document.motion, *document.figure);
  return out;
}

}  // namespace

Result<Document> parseScene(std::string_view text, const std::string& file) {
  try {
    const Json json = parseJson(text);
    return documentFromJson(JsonValue(json));
  } catch (const JsonFault& fault) {
    return Error{file, fault.place, fault.cause};
  }
}

Result<Document> readScene(const std::filesystem::path& path) {
  const Result<std::string> text = readFile(path, kMaxJsonBytes);
  if (!text) return text.error();
  return parseScene(*text, path.string());
}

Result<std::string> formatScene(const Document& document) {
  try {
    return formatJson(documentToJson(document));
  } catch (const JsonFault& fault) {
    return Error{"", fault.place, fault.cause};
  }
}

std::optional<Error> writeScene(const std::filesystem::path& path, const Document& document) {
  const Result<std::string> text = formatScene(document);
  if (!text) return Error{path.string(), text.error().place, text.error().cause};
  if (text->size() > kMaxJsonBytes) return Error{path.string(), "", "the scene is too large to be read again"};
  return writeFileAtomically(path, *text);
}

}  // namespace limber::io

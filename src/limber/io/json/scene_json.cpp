// SPDX-License-Identifier: MIT
#include "limber/io/json/scene_json.h"

#include <algorithm>
#include <numbers>
#include <set>

#include "limber/body/body_map.h"
#include "limber/io/json/figure_json.h"
#include "limber/io/json/pose_json.h"
#include "limber/io/json/pose_prior_json.h"
#include "limber/io/json/scene_parts.h"
#include "limber/scene/clock.h"

namespace limber::io {

namespace {

constexpr std::string_view kSceneFormat = "limber scene";

// Words of the enumerations.
constexpr std::string_view modeName(Mode mode) { return mode == Mode::Forward ? "forward" : "inverse"; }
constexpr std::string_view referenceName(RestReference reference) {
  return reference == RestReference::RestPose ? "rest" : reference == RestReference::StartPose ? "start" : "natural";
}

std::string_view formatName(SourceFormat format) {
  switch (format) {
    case SourceFormat::Bvh: return "bvh";
    case SourceFormat::Gltf: return "gltf";
    case SourceFormat::Glb: return "glb";
    case SourceFormat::Urdf: return "urdf";
    case SourceFormat::Sdf: return "sdf";
    case SourceFormat::Mjcf: return "mjcf";
    case SourceFormat::Fbx: return "fbx";
    case SourceFormat::Collada: return "collada";
  }
  return "";
}

JointSettings readJointSettings(const JsonValue& value, const Joint& joint) {
  value.allowOnly("name limits ball_limits rigidity locked translation_locked preferred");
  if (value.at("name").text() != joint.name)
    value.at("name").fail(std::string("the figure's joint here is ") + inQuotes(joint.name));
  for (const char* key : {"rigidity", "locked", "translation_locked"}) value.at(key);  // throws when one is missing
  JointSettings settings;
  readJointSettings(value, joint, 1.0, settings);
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

void readGoals(const JsonValue& scene, Document& document) {
  std::set<int> ids;
  for (const JsonValue& value : scene.at("goals").elements()) {
    document.goals.push_back(goalFromJson(value, *document.figure, FileFrame{}, document.pose));
    document.goals.back().id = value.at("id").integerIn(0, kLargestId);
    if (!ids.insert(document.goals.back().id).second) value.at("id").fail("is taken by another goal");
    if (const auto picture = value.find("seen_in")) {
      document.goals.back().seenIn = picture->integerIn(0, kLargestId);
      if (!pictureOf(document, document.goals.back()))
        picture->fail("a goal on a line is seen in a picture of the scene");
    }
  }
  const int lowest = ids.empty() ? 0 : *ids.rbegin() + 1;
  document.nextGoalId = scene.at("next_goal_id").integerIn(lowest, kLargestId + 1);
}

void readObstacles(const JsonValue& scene, Document& document) {
  std::set<int> ids;
  if (const auto obstacles = scene.find("obstacles"))
    for (const JsonValue& value : obstacles->elements()) {
      document.obstacles.push_back(obstacleFromJson(value, *document.figure));
      if (!ids.insert(value.at("id").integerIn(0, kLargestId)).second)
        value.at("id").fail("is taken by another obstacle");
    }
  const int lowest = ids.empty() ? 0 : *ids.rbegin() + 1;
  if (const auto next = scene.find("next_obstacle_id"))
    document.nextObstacleId = next->integerIn(lowest, kLargestId + 1);
  else document.nextObstacleId = std::max(lowest, 1);
  if (const auto avoids = scene.find("avoids_itself")) document.selfAvoidance = selfAvoidanceFromJson(*avoids);
  if (const auto pairs = scene.find("disabled_pairs")) disablePairsFromJson(*pairs, document);
  if (const auto distance = scene.find("safety_distance"))
    document.safetyDistance = distance->numberIn(0.0, kLargestLength);
  if (const auto keeps = scene.find("keeps_balance")) document.keepsBalance = keeps->boolean();
}

/// Couplings are identified by their followers, linear limits by their names.
void readSwitches(const JsonValue& scene, Document& document) {
  const Figure& figure = *document.figure;
  if (const auto couplings = scene.find("couplings"))
    for (const JsonValue& value : couplings->elements()) {
      value.allowOnly("follower enabled");
      const int joint = jointFromJson(value.at("follower"), figure);
      const auto found = std::ranges::find(figure.couplings(), joint, &Coupling::follower);
      if (found == figure.couplings().end()) value.at("follower").fail("the joint follows nothing");
      document.couplingEnabled[found - figure.couplings().begin()] = value.at("enabled").boolean();
    }
  if (const auto limits = scene.find("linear_limits"))
    for (const JsonValue& value : limits->elements()) {
      value.allowOnly("name enabled");
      const auto found = std::ranges::find(figure.linearLimits(), value.at("name").text(), &LinearLimit::name);
      if (found == figure.linearLimits().end()) value.at("name").fail("the figure has no such linear limit");
      document.linearLimitEnabled[found - figure.linearLimits().begin()] = value.at("enabled").boolean();
    }
}

SolverSettings readSolver(const JsonValue& value) {
  value.allowOnly(
      "name target_weight rest_weight reference reached_tolerance reached_distance reached_angle insist "
      "path_independent posing body_follows options");
  SolverSettings settings;
  settings.solver = value.at("name").text();
  settings.targetWeight = value.at("target_weight").numberIn(0.0, kLargestWeight);
  settings.restWeight = value.at("rest_weight").numberIn(0.0, kLargestWeight);
  settings.reference =
      readWord(value.at("reference"), {RestReference::RestPose, RestReference::StartPose, RestReference::Natural},
               referenceName);
  settings.reachedTolerance = value.at("reached_tolerance").numberIn(0.0, kLargestLength);
  if (const auto distance = value.find("reached_distance"))
    settings.reachedDistance = distance->numberIn(0.0, kLargestLength);
  if (const auto angle = value.find("reached_angle")) settings.reachedAngle = angle->numberIn(0.0, kLargestLength);
  readSolverSettings(value, settings);
  for (const auto& [solver, options] : value.at("options").members())
    for (const auto& [name, option] : options.members()) settings.options[solver][name] = option.number();
  return settings;
}

Selection readSelection(const JsonValue& value, const Document& document) {
  value.allowOnly("joint goal obstacle links");
  Selection selection;
  if (const JsonValue joint = value.at("joint"); !joint.isNull())
    selection.joint = jointFromJson(joint, *document.figure);
  if (const JsonValue goal = value.at("goal"); !goal.isNull()) {
    selection.goal = goal.integerIn(0, kLargestId);
    if (!findGoal(document, selection.goal)) goal.fail("there is no such goal");
  }
  if (const auto obstacle = value.find("obstacle")) {
    selection.obstacle = obstacle->integerIn(0, kLargestId);
    if (!findObstacle(document, selection.obstacle)) obstacle->fail("there is no such obstacle");
  }
  if (const auto links = value.find("links")) {
    std::vector<int> all;
    for (const JsonValue& link : links->elements()) all.push_back(linkFromJson(link, *document.figure));
    const Selection selected = selectionOf(std::move(all), selection.joint);
    if (selected.joint != selection.joint) links->fail("must hold the link of the joint that is selected");
    selection.links = selected.links;
  }
  return selection;
}

StoredView readView(const JsonValue& value) {
  value.allowOnly("centre azimuth elevation distance orthographic");
  constexpr double kTurn = 2.0 * std::numbers::pi, kUpright = 0.5 * std::numbers::pi;
  StoredView view{.centre = lengthsFromJson(value.at("centre")),
                  .azimuth = value.at("azimuth").numberIn(-kTurn, kTurn),
                  .elevation = value.at("elevation").numberIn(-kUpright, kUpright),
                  .distance = value.at("distance").numberIn(kNearestView, kFarthestView)};
  if (const auto orthographic = value.find("orthographic")) view.isOrthographic = orthographic->boolean();
  return view;
}

void readMotions(const JsonValue& scene, Document& document) {
  if (const auto motion = scene.find("motion")) setMotion(document, motionFromJson(*motion, *document.figure));
  const auto clips = scene.find("clips");
  if (!clips) return;
  for (const JsonValue& clip : clips->elements()) document.clips.push_back(motionFromJson(clip, *document.figure));
  if (document.clips.empty()) clips->fail("is empty");
  const int last = static_cast<int>(document.clips.size()) - 1;
  setMotion(document, document.clips[scene.at("clip").integerIn(0, last)]);
}

std::shared_ptr<const SourceFile> readSource(const JsonValue& value, const std::filesystem::path& folder) {
  value.allowOnly("file format position_channels");
  const std::string& name = value.at("file").text();
  if (name.empty() || name.find('\0') != std::string::npos) value.at("file").fail("is not the name of a file");
  auto source = std::make_shared<SourceFile>();
  source->path = (folder / name).lexically_normal();
  source->format = readWord(value.at("format"),
                            {SourceFormat::Bvh, SourceFormat::Gltf, SourceFormat::Glb, SourceFormat::Urdf,
                             SourceFormat::Sdf, SourceFormat::Mjcf, SourceFormat::Fbx, SourceFormat::Collada},
                            formatName);
  if (const auto rule = value.find("position_channels"))
    source->offsetRule = readWord(*rule, {OffsetRule::Replace, OffsetRule::Add}, offsetRuleName);
  return source;
}

}  // namespace

Document documentFromJson(const JsonValue& scene, const std::filesystem::path& folder, const Document* shared) {
  scene.allowOnly(
      "format version figure joints pose goals next_goal_id pins couplings linear_limits base_pose mode follow solver "
      "selection frame motion clips clip source obstacles next_obstacle_id avoids_itself disabled_pairs "
      "safety_distance keeps_balance symmetry timeline time kept pictures next_picture_id shown_picture view");
  if (scene.at("format").text() != kSceneFormat) scene.at("format").fail("must be \"limber scene\"");
  scene.at("version").integerIn(1, 1);
  Document document;
  if (shared && !scene.find("figure")) {
    document.figure = shared->figure;
    document.timeline = shared->timeline;
    document.motion = shared->motion;
    document.motionFloor = shared->motionFloor;
    document.clips = shared->clips;
  } else {
    document.figure = figureFromJson(scene.at("figure"));
  }
  const Figure& figure = *document.figure;
  document.joints = readJoints(scene.at("joints"), figure);
  document.couplingEnabled.assign(figure.couplings().size(), 1);
  document.linearLimitEnabled.assign(figure.linearLimits().size(), 1);
  document.pose = poseFromCoordinates(scene.at("pose"), figure);
  if (const auto base = scene.find("base_pose")) document.basePose = poseFromCoordinates(*base, figure);
  picturesFromJson(scene, folder, shared, document);
  readGoals(scene, document);
  if (const auto pins = scene.find("pins")) document.pins = pinsFromJson(*pins, figure, FileFrame{}, document.pose);
  readObstacles(scene, document);
  if (const auto symmetry = scene.find("symmetry"); symmetry && symmetry->boolean()) {
    FoundSymmetry found = bodyMapOf(figure).symmetry();
    if (!found.symmetry) symmetry->fail(found.note);
    document.symmetry = std::move(found.symmetry);
  }
  if (const auto timeline = scene.find("timeline")) document.timeline = timelineFromJson(*timeline, document);
  if (const auto time = scene.find("time")) document.time = time->numberIn(0.0, kMaxTimelineSeconds);
  readSwitches(scene, document);
  document.mode = readWord(scene.at("mode"), {Mode::Forward, Mode::Inverse}, modeName);
  document.follow = scene.at("follow").boolean();
  document.solver = readSolver(scene.at("solver"));
  if (document.solver.reference == RestReference::Natural) readPosePriorFor(scene.at("solver"), document);
  document.selection = readSelection(scene.at("selection"), document);
  if (const auto view = scene.find("view")) document.view = readView(*view);
  readMotions(scene, document);
  if (const auto source = scene.find("source")) document.source = readSource(*source, folder);
  const int frames = document.motion ? document.motion->frameCount : 0;
  document.frame = scene.at("frame").integerIn(0, std::max(frames - 1, 0));
  if (showsMotion(document) && !scene.find("time")) document.time = document.motion->timeOf(document.frame);
  return document;
}

namespace {

OrderedJson jointsToJson(const Document& document) {
  OrderedJson out = OrderedJson::array();
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    const JointSettings& settings = document.joints[i];
    OrderedJson joint = {{"name", document.figure->joint(i).name}};
    if (settings.limits.isBounded()) joint["limits"] = intervalToJson(settings.limits);
    if (document.figure->joint(i).type == JointType::Ball && settings.ballLimits != BallLimits{})
      joint["ball_limits"] = ballLimitsToJson(settings.ballLimits);
    joint["rigidity"] = toJson(settings.rigidity);
    joint["locked"] = settings.locked;
    joint["translation_locked"] = settings.translationLocked;
    if (settings.preferred) joint["preferred"] = toJson(*settings.preferred);
    out.push_back(std::move(joint));
  }
  return out;
}

OrderedJson goalsToJson(const Document& document) {
  OrderedJson out = OrderedJson::array();
  for (const GoalItem& goal : document.goals) out.push_back(goalToJson(goal, *document.figure));
  return out;
}

/// Lists only elements that exist and are switched off, so that scenes without such elements keep their form.
void appendPinsAndSwitches(const Document& document, OrderedJson& out) {
  const Figure& figure = *document.figure;
  for (const Pin& pin : document.pins) out["pins"].push_back(pinToJson(pin, figure));
  for (std::size_t i = 0; i < document.couplingEnabled.size(); ++i)
    if (!document.couplingEnabled[i])
      out["couplings"].push_back({{"follower", figure.joint(figure.couplings()[i].follower).name}, {"enabled", false}});
  for (std::size_t i = 0; i < document.linearLimitEnabled.size(); ++i)
    if (!document.linearLimitEnabled[i])
      out["linear_limits"].push_back({{"name", figure.linearLimits()[i].name}, {"enabled", false}});
}

/// Writes only existing elements.
void appendWorld(const Document& document, OrderedJson& out) {
  for (const Obstacle& obstacle : document.obstacles)
    out["obstacles"].push_back(obstacleToJson(obstacle, *document.figure));
  if (document.nextObstacleId > 1) out["next_obstacle_id"] = document.nextObstacleId;
  if (document.selfAvoidance) out["avoids_itself"] = selfAvoidanceToJson(*document.selfAvoidance);
  if (!document.disabledPairs.empty()) out["disabled_pairs"] = disabledPairsToJson(document);
  if (document.safetyDistance > 0.0) out["safety_distance"] = toJson(document.safetyDistance);
  if (document.keepsBalance) out["keeps_balance"] = true;
  if (document.symmetry) out["symmetry"] = true;
}

OrderedJson solverToJson(const SolverSettings& settings) {
  OrderedJson options = OrderedJson::object();
  for (const auto& [solver, values] : settings.options) {
    options[solver] = OrderedJson::object();
    for (const auto& [name, value] : values) options[solver][name] = toJson(value);
  }
  OrderedJson out = {{"name", settings.solver},
                     {"target_weight", toJson(settings.targetWeight)},
                     {"rest_weight", toJson(settings.restWeight)},
                     {"reference", referenceName(settings.reference)},
                     {"reached_tolerance", toJson(settings.reachedTolerance)}};
  if (settings.reachedDistance) out["reached_distance"] = toJson(*settings.reachedDistance);
  if (settings.reachedAngle) out["reached_angle"] = toJson(*settings.reachedAngle);
  appendSolverSettings(settings, out);
  out["options"] = options;
  return out;
}

OrderedJson selectionToJson(const Document& document) {
  OrderedJson out = {{"joint", nullptr}, {"goal", nullptr}};
  if (document.selection.joint >= 0) out["joint"] = document.figure->joint(document.selection.joint).name;
  if (findGoal(document, document.selection.goal)) out["goal"] = document.selection.goal;
  if (findObstacle(document, document.selection.obstacle)) out["obstacle"] = document.selection.obstacle;
  for (const int link : document.selection.links) out["links"].push_back(document.figure->link(link).name);
  return out;
}

OrderedJson viewToJson(const StoredView& view) {
  OrderedJson out = {{"centre", toJson(view.centre)},
                     {"azimuth", toJson(view.azimuth)},
                     {"elevation", toJson(view.elevation)},
                     {"distance", toJson(view.distance)}};
  if (view.isOrthographic) out["orthographic"] = true;
  return out;
}

OrderedJson sourceToJson(const SourceFile& source, const std::filesystem::path& folder) {
  OrderedJson out = {{"file", pathFrom(folder, source.path)}, {"format", formatName(source.format)}};
  if (source.offsetRule != OffsetRule::ByMotion) out["position_channels"] = offsetRuleName(source.offsetRule);
  return out;
}

}  // namespace

std::string pathFrom(const std::filesystem::path& folder, const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(path, failed).lexically_normal();
  const std::filesystem::path scene = std::filesystem::absolute(folder / "scene", failed).lexically_normal();
  const std::filesystem::path relative = whole.lexically_relative(scene.parent_path());
  return (relative.empty() ? whole : relative).generic_string();
}

OrderedJson documentToJson(const Document& document, const std::filesystem::path& folder, const Document* shared) {
  OrderedJson out;
  out["format"] = kSceneFormat;
  out["version"] = 1;
  out["mode"] = modeName(document.mode);
  out["follow"] = document.follow;
  out["solver"] = solverToJson(document.solver);
  out["selection"] = selectionToJson(document);
  if (document.view) out["view"] = viewToJson(*document.view);
  out["goals"] = goalsToJson(document);
  out["next_goal_id"] = document.nextGoalId;
  appendPinsAndSwitches(document, out);
  appendWorld(document, out);
  appendPictures(document, folder, shared, out);
  const bool hasFigure = !shared || shared->figure != document.figure;
  if (document.timeline && (hasFigure || shared->timeline != document.timeline))
    out["timeline"] = timelineToJson(*document.timeline);
  if (document.time != 0.0) out["time"] = toJson(document.time);
  out["pose"] = toJson(document.pose.coordinates);
  if (document.basePose.coordinates.size() > 0) out["base_pose"] = toJson(document.basePose.coordinates);
  out["joints"] = jointsToJson(document);
  if (hasFigure) out["figure"] = figureToJson(*document.figure);
  if (document.source && !document.source->path.empty()) out["source"] = sourceToJson(*document.source, folder);
  out["frame"] = document.frame;
  if (!hasFigure && shared->motion == document.motion && shared->clips == document.clips) return out;
  if (document.clips.empty()) {
    if (document.motion) out["motion"] = motionToJson(*document.motion, *document.figure);
    return out;
  }
  for (std::size_t i = 0; i < document.clips.size(); ++i) {
    out["clips"].push_back(motionToJson(*document.clips[i], *document.figure));
    if (document.clips[i] == document.motion) out["clip"] = i;
  }
  return out;
}

Result<Document> parseScene(std::string_view text, const std::string& file, const Document* shared) {
  const auto folder = std::filesystem::path(file).parent_path();
  return readJsonText<Document>(text, file,
                                [&](const JsonValue& scene) { return documentFromJson(scene, folder, shared); });
}

Result<Document> readScene(const std::filesystem::path& path) {
  const auto folder = path.parent_path();
  return readJsonFile<Document>(path, [&](const JsonValue& scene) { return documentFromJson(scene, folder); });
}

Result<std::string> formatScene(const Document& document, const std::filesystem::path& folder, const Document* shared) {
  return faultsAsErrors<std::string>("", [&] { return formatJson(documentToJson(document, folder, shared)); });
}

std::optional<Error> writeScene(const std::filesystem::path& path, const Document& document) {
  return writeJsonFile(path, "scene", [&] { return documentToJson(document, path.parent_path()); });
}

std::optional<Error> writeKeptScene(const std::filesystem::path& path, const Document& document, const KeptNote& note) {
  return writeJsonFile(path, "scene", [&] {
    OrderedJson scene = documentToJson(document, path.parent_path());
    scene["kept"] = {{"file", note.file}, {"at", note.keptAt}, {"figure", note.figure}};
    return scene;
  });
}

Result<KeptNote> readKeptNote(const std::filesystem::path& path) {
  return readJsonFile<KeptNote>(path, [](const JsonValue& scene) {
    const JsonValue note = scene.at("kept");
    return KeptNote{note.at("file").text(), static_cast<std::int64_t>(note.at("at").numberIn(0.0, 1e15)),
                    note.at("figure").text()};
  });
}

}  // namespace limber::io

// SPDX-License-Identifier: MIT
#include "limber/io/json/problem_json.h"

#include <algorithm>
#include <span>

#include "limber/io/figure_source.h"
#include "limber/io/json/pose_json.h"
#include "limber/io/json/pose_prior_json.h"
#include "limber/io/json/scene_parts.h"
#include "limber/io/open.h"
#include "limber/kinematics/coupling.h"

namespace limber::io {

namespace {

using Texts = std::vector<std::shared_ptr<const Json>>;  // the JSON of goals or obstacles, as given

constexpr double kDefaultTargetWeight = 1e3;  // w_tar

/// In a problem with "target_weight" a goal's weight is a factor of it, otherwise an absolute weight. Documents store
/// factors.
void setWeights(const Texts& goals, std::optional<double> targetWeight, Document& document) {
  double scale = targetWeight.value_or(0.0);
  std::vector<double> weights;
  for (const auto& goal : goals) {
    const auto weight = goal->find("weight");
    weights.push_back(weight != goal->end() ? weight->get<double>() : targetWeight ? 1.0 : kDefaultTargetWeight);
  }
  if (!targetWeight) {
    for (const double weight : weights) scale = scale > 0.0 ? scale : weight;
    if (scale <= 0.0) scale = kDefaultTargetWeight;
    for (double& weight : weights) weight /= scale;
  }
  document.solver.targetWeight = scale;
  for (std::size_t i = 0; i < weights.size(); ++i) document.goals[i].weight = weights[i];
}

void readSolver(const JsonValue& problem, Document& document) {
  SolverSettings& settings = document.solver;
  if (const auto solver = problem.find("solver")) settings.solver = solver->text();
  if (const auto weight = problem.find("rest_weight")) settings.restWeight = weight->numberIn(0.0, kLargestWeight);
  if (const auto tolerance = problem.find("reached_tolerance"))
    settings.reachedTolerance = tolerance->numberIn(0.0, kLargestLength);
  const double unit = document.figure->fileFrame().metresPerUnit;
  if (const auto distance = problem.find("reached_distance"))
    settings.reachedDistance = unit * distance->numberIn(0.0, kLargestLength);
  if (const auto angle = problem.find("reached_angle")) settings.reachedAngle = angle->numberIn(0.0, kLargestLength);
  readSolverSettings(problem, settings);
  if (const auto reference = problem.find("reference")) {
    const std::string& word = reference->text();
    if (word != "rest" && word != "start" && word != "natural")
      reference->fail("must be \"rest\", \"start\" or \"natural\"");
    settings.reference = word == "rest"    ? RestReference::RestPose
                         : word == "start" ? RestReference::StartPose
                                           : RestReference::Natural;
    if (settings.reference == RestReference::Natural) readPosePriorFor(*reference, document);
  }
  if (const auto options = problem.find("options"))
    for (const auto& [name, value] : options->members())
      settings.options[settings.solver][name] = value.isBoolean() ? (value.boolean() ? 1.0 : 0.0) : value.number();
}

/// "joints": the problem's changes to joint settings.
void readJoints(const JsonValue& value, Document& document) {
  const Figure& figure = *document.figure;
  for (const auto& [name, member] : value.members()) {
    const int joint = figure.findJoint(name);
    if (joint < 0) member.fail(std::string("the figure has no joint ") + inQuotes(name));
    member.allowOnly("limits ball_limits rigidity locked translation_locked preferred");
    if (const auto limits = member.find("limits"); limits && !isScalar(figure.joint(joint)))
      limits->fail("belongs to revolute and prismatic joints only");
    readJointSettings(member, figure.joint(joint), figure.fileFrame().metresPerUnit, document.joints[joint]);
  }
}

/// false switches all elements off; a list switches off the elements with these names.
template <typename Named>
void switchOff(const JsonValue& value, std::span<const Named> all, std::vector<char>& enabled) {
  if (value.isBoolean()) return enabled.assign(all.size(), value.boolean() ? 1 : 0);
  for (const JsonValue& name : value.elements()) {
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].name == name.text()) {
        enabled[i] = 0;
        found = true;
      }
    if (!found) name.fail(std::string("the figure has nothing here called ") + inQuotes(name.text()));
  }
}

/// Refuses zero bytes, at which the system cuts names, and line ends, which break messages.
const std::string& readFigureName(const JsonValue& value) {
  for (const char c : value.text())
    if (static_cast<unsigned char>(c) < 0x20) value.fail("holds a control character");
  return value.text();
}

/// The pose of the frame that the problem names, or else the rest pose.
Pose readFrame(const JsonValue& problem, const Motion* motion, Document& document) {
  const auto frame = problem.find("frame");
  if (!frame) return restPose(*document.figure);
  if (!motion || motion->frameCount == 0) frame->fail("the figure has no motion");
  document.frame = frame->integerIn(0, motion->frameCount - 1);
  return motion->poseAt(*document.figure, document.frame);
}

/// The base chosen when opening overrides that of the problem.
BaseChoice readBase(const JsonValue& problem, const Document& document, const OpenContext& context) {
  const auto base = problem.find("base");
  if (!base && !context.base) return BaseChoice::ByLegs;
  const auto choice = base ? findBase(base->text()) : context.base;
  if (!choice) base->fail("must be \"free\" or \"fixed\"");
  if (!hasBaseChoice(document)) (base ? *base : problem).fail(std::string(kNoBaseChoice));
  return context.base.value_or(*choice);
}

/// An obstacle in the file's axes and unit. Its edges lie along these axes; a plane without rotation is a floor, and a
/// capsule is upright.
Obstacle readObstacle(const JsonValue& value, const Figure& figure) {
  const FileFrame& frame = figure.fileFrame();
  if (const auto id = value.find("id")) id->fail("belongs to scenes only");
  Obstacle obstacle = obstacleFromJson(value, figure);
  Transform& place = obstacle.worldFromObstacle;
  place.translation = frame.toScene(place.translation);
  place.rotation = frame.sceneFromFile * place.rotation;
  const bool isPlane = obstacle.shape == Obstacle::Shape::Plane;
  if (isPlane || obstacle.shape == Obstacle::Shape::Capsule)
    place.rotation = place.rotation * frame.sceneFromFile.transpose();
  if (!isPlane) obstacle.size *= frame.metresPerUnit;
  for (Obstacle::Point& point : obstacle.points) point.pointInLink *= frame.metresPerUnit;
  if (std::max(place.translation.cwiseAbs().maxCoeff(), obstacle.size.maxCoeff()) > kLargestLength)
    value.fail("goes beyond 1e9 metres");
  return obstacle;
}

/// The index of the item with this name; -1 for none.
template <typename Item>
int placeOfNamed(const JsonValue& value, const std::vector<Item>& items, const std::string& name) {
  const auto found = std::ranges::find(items, name, &Item::name);
  if (found == items.end()) return -1;
  if (std::ranges::find(found + 1, items.end(), name, &Item::name) != items.end()) value.fail("two have this name");
  return static_cast<int>(found - items.begin());
}

bool holdsAny(const JsonValue& value, std::initializer_list<const char*> keys) {
  return std::ranges::any_of(keys, [&](const char* key) { return value.find(key).has_value(); });
}

/// Reads `text`, the value of `member`: a fault names its path below the member's.
template <typename Read>
auto readInPlaceOf(const JsonValue& member, const Json& text, const Read& read) {
  try {
    return read(JsonValue(text));
  } catch (JsonFault& fault) {
    fault.place = joinPaths(member.path(), fault.place);
    throw;
  }
}

/// Reads goals or obstacles: a list replaces all items; an object adds, changes or, with null, removes items by name. A
/// member with one of `wholeKeys` is a complete item, any other changes single keys. `texts` are the items as given;
/// `read(value, item)` reads one item, where `item` is the one to be changed, or null for a complete one.
template <typename Item, typename Read>
void readNamed(const JsonValue& value, std::initializer_list<const char*> wholeKeys, Texts& texts,
               std::vector<Item>& items, const Read& read) {
  if (!value.isObject()) {
    texts.clear();
    items.clear();
    for (const JsonValue& element : value.elements()) {
      items.push_back(read(element, nullptr));
      texts.push_back(std::make_shared<const Json>(element.json()));
    }
    return;
  }
  for (const auto& [name, member] : value.members()) {
    if (name.empty()) member.fail("has no name");
    const int place = placeOfNamed(member, items, name);
    if (member.isNull()) {
      if (place < 0) member.fail("nothing has this name");
      texts.erase(texts.begin() + place);
      items.erase(items.begin() + place);
      continue;
    }
    if (const auto inside = member.find("name")) inside->fail("is not allowed here: the key is the name");
    const bool isWhole = holdsAny(member, wholeKeys);
    if (place < 0 && !isWhole) member.fail("nothing has this name, and a new one needs more keys");
    const auto text = std::make_shared<Json>(isWhole ? Json::object() : *texts[place]);
    text->update(member.json());
    (*text)["name"] = name;
    Item item = readInPlaceOf(member, *text,
                              [&](const JsonValue& whole) { return read(whole, isWhole ? nullptr : &items[place]); });
    if (place < 0) {
      items.push_back(std::move(item));
      texts.push_back(text);
    } else {
      items[place] = std::move(item);
      texts[place] = text;
    }
  }
}

}  // namespace

GoalItem problemGoalFromJson(const JsonValue& value, const Document& document, const Pose& start) {
  const Figure& figure = *document.figure;
  const GroupsOfJoints groups = document.source ? document.source->groups : GroupsOfJoints();
  GoalItem goal = goalFromJson(value, figure, figure.fileFrame(), start, groups);
  if (const auto id = value.find("id")) id->fail("belongs to scenes only");
  checkGoalKeys(value, goal);
  return goal;
}

void OpenProblem::changeGoals(const JsonValue& value) {
  const auto read = [&](const JsonValue& goal, const GoalItem* old) {
    GoalItem item = problemGoalFromJson(goal, document, document.pose);
    if (item.name.empty()) item.name = document.figure->link(item.link).name;
    item.id = old ? old->id : document.nextGoalId++;
    if (old && !goal.find("kept")) item.kept = old->kept;
    return item;
  };
  readNamed(value, {"type", "link", "site"}, goals_, document.goals, read);
}

void OpenProblem::changeObstacles(const JsonValue& value) {
  const auto read = [&](const JsonValue& text, const Obstacle* old) {
    Obstacle obstacle = readObstacle(text, *document.figure);
    obstacle.id = old ? old->id : document.nextObstacleId++;
    return obstacle;
  };
  readNamed(value, {"shape"}, obstacles_, document.obstacles, read);
}

void OpenProblem::change(const JsonValue& keys) {
  const Figure& figure = *document.figure;
  if (const auto joints = keys.find("joints")) readJoints(*joints, document);
  if (const auto couplings = keys.find("couplings"))
    switchOff(*couplings, figure.couplings(), document.couplingEnabled);
  if (const auto limits = keys.find("linear_limits"))
    switchOff(*limits, figure.linearLimits(), document.linearLimitEnabled);
  if (const auto start = keys.find("start")) document.pose = poseFromJson(*start, figure, start_);
  Couplings(figure, activeCouplings(document)).apply(document.pose);
  if (const auto pins = keys.find("pins"))
    document.pins = pinsFromJson(*pins, figure, figure.fileFrame(), document.pose);
  if (const auto obstacles = keys.find("obstacles")) changeObstacles(*obstacles);
  if (const auto avoids = keys.find("avoids_itself")) document.selfAvoidance = selfAvoidanceFromJson(*avoids);
  if (const auto pairs = keys.find("disabled_pairs")) {
    document.disabledPairs = filePairs_;
    disablePairsFromJson(*pairs, document);
  }
  if (const auto distance = keys.find("safety_distance"))
    document.safetyDistance = figure.fileFrame().metresPerUnit * distance->numberIn(0.0, kLargestLength);
  if (const auto keeps = keys.find("keeps_balance")) document.keepsBalance = keeps->boolean();
  const auto goals = keys.find("goals"), targetWeight = keys.find("target_weight");
  if (goals) changeGoals(*goals);
  if (targetWeight) targetWeight_ = targetWeight->numberIn(0.0, kLargestWeight);
  if (goals || targetWeight) setWeights(goals_, targetWeight_, document);
  readSolver(keys, document);
}

Result<OpenProblem> openProblemFromJson(const JsonValue& value, const std::filesystem::path& folder,
                                        const OpenContext& context) {
  value.allowOnly("figure frame base", kChangeableKeys);
  value.at("goals").elements();  // throws if it is missing or an object, because there is nothing to change yet
  const Result<FigureSource> source = openFigureSource(readFigureName(value.at("figure")), folder, context);
  if (!source) return source.error();
  OpenProblem problem;
  problem.document = documentOf(*source);
  problem.notes = source->notes;
  Document& document = problem.document;
  chooseBase(document, readBase(value, document, context), problem.notes);
  problem.filePairs_ = document.disabledPairs;
  document.goals.clear();
  document.nextGoalId = 1;
  document.pose = problem.start_ = readFrame(value, source->motion.get(), document);
  problem.change(value);
  problem.start_ = document.pose;
  return problem;
}

Result<Problem> problemFromJson(const JsonValue& value, const std::filesystem::path& folder,
                                const OpenContext& context) {
  Result<OpenProblem> problem = openProblemFromJson(value, folder, context);
  if (!problem) return problem.error();
  return Problem{std::move(problem->document), std::move(problem->notes)};
}

Result<Problem> parseProblem(std::string_view text, const std::string& file, const std::filesystem::path& folder) {
  return readJsonText<Problem>(text, file, [&](const JsonValue& value) { return problemFromJson(value, folder); });
}

}  // namespace limber::io

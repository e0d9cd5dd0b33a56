// SPDX-License-Identifier: MIT
#include "io/problem_json.h"

#include "io/figure_source.h"
#include "io/file.h"
#include "io/json.h"
#include "io/pose_json.h"

namespace limber::io {

namespace {

constexpr double kMaxWeight = 1e12;
constexpr double kMaxLength = 1e9;           // metres
constexpr double kDefaultTargetWeight = 1e3;  // the assignment's w_tar

/// The point of a link that a goal moves: a site, a link with a point, or the site "tip".
void readEndEffector(const JsonValue& value, const Figure& figure, GoalItem& goal) {
  const auto site = value.find("site");
  const auto link = value.find("link");
  const auto point = value.find("point");
  if (site && (link || point)) site->fail("stands in place of link and point");
  const int tip = figure.findSite(site ? site->text() : "tip");
  if (site && tip < 0) site->fail(std::string("the figure has no site ") + inQuotes(site->text()));
  goal.link = -1;
  if (link) {
    goal.link = figure.findLink(link->text());
    if (goal.link < 0) link->fail(std::string("the figure has no link ") + inQuotes(link->text()));
  }
  const Site* effector = tip < 0 ? nullptr : &figure.sites()[static_cast<std::size_t>(tip)];
  if (effector && (goal.link < 0 || goal.link == effector->link)) {
    goal.link = effector->link;
    goal.pointInLink = effector->linkFromSite.translation;
  }
  if (goal.link < 0) value.at("link");  // missing, and there is no tip to stand in for it
  if (!point) return;
  goal.pointInLink = figure.fileFrame().metresPerUnit * point->vector3();
  if (goal.pointInLink.cwiseAbs().maxCoeff() > kMaxLength) point->fail("is more than 1e9 metres away");
}

GoalItem readGoal(const JsonValue& value, const Figure& figure) {
  value.allowOnly({"type", "site", "link", "point", "target", "weight"});
  if (const auto type = value.find("type"); type && type->text() != "position") type->fail("must be \"position\"");
  GoalItem goal;
  readEndEffector(value, figure, goal);
  goal.name = figure.link(goal.link).name;
  const JsonValue target = value.at("target");
  goal.target = worldFromFile(figure, target.vector3());
  if (goal.target.cwiseAbs().maxCoeff() > kMaxLength) target.fail("is more than 1e9 metres away");
  return goal;
}

/// With "target_weight" a goal's weight is a factor of it, else the whole weight. The document always holds factors.
void readWeights(const JsonValue& problem, Document& document) {
  const auto targetWeight = problem.find("target_weight");
  double scale = targetWeight ? targetWeight->numberIn(0.0, kMaxWeight) : 0.0;
  std::vector<double> weights;
  for (const JsonValue& goal : problem.at("goals").elements()) {
    const auto weight = goal.find("weight");
    weights.push_back(weight ? weight->numberIn(0.0, kMaxWeight) : targetWeight ? 1.0 : kDefaultTargetWeight);
  }
  if (!targetWeight) {
    for (const double weight : weights) scale = scale > 0.0 ? scale : weight;
    if (scale <= 0.0) scale = kDefaultTargetWeight;
    for (double& weight : weights) weight /= scale;
  }
  document.solver.targetWeight = scale;
  for (std::size_t i = 0; i < weights.size(); ++i) document.goals[i].weight = weights[i];
}

void readSolver(const JsonValue& problem, SolverSettings& settings) {
  if (const auto solver = problem.find("solver")) settings.solver = solver->text();
  if (const auto weight = problem.find("rest_weight")) settings.restWeight = weight->numberIn(0.0, kMaxWeight);
  if (const auto tolerance = problem.find("reached_tolerance"))
    settings.reachedTolerance = tolerance->numberIn(0.0, kMaxLength);
  if (const auto reference = problem.find("reference")) {
    if (reference->text() != "rest" && reference->text() != "start") reference->fail("must be \"rest\" or \"start\"");
    settings.reference = reference->text() == "rest" ? RestReference::RestPose : RestReference::StartPose;
  }
  if (const auto options = problem.find("options"))
    for (const auto& [name, value] : options->members())
      settings.options[settings.solver][name] = value.isBoolean() ? (value.boolean() ? 1.0 : 0.0) : value.number();
}

/// A zero byte would cut the name short where the system reads it, a line end break up messages.
const std::string& readFigureName(const JsonValue& value) {
  for (const char c : value.text())
    if (static_cast<unsigned char>(c) < 0x20) value.fail("holds a control character");
  return value.text();
}

Pose readStart(const JsonValue& problem, const Figure& figure, const Motion* motion) {
  Pose start = restPose(figure);
  if (const auto frame = problem.find("frame")) {
    if (!motion || motion->frameCount == 0) frame->fail("the figure has no motion");
    start = motion->poseAt(figure, frame->integerIn(0, motion->frameCount - 1));
  }
  const auto pose = problem.find("start");
  return pose ? poseFromJson(*pose, figure, start) : start;
}

}  // namespace

Eigen::Vector3d worldFromFile(const Figure& figure, const Eigen::Vector3d& pointInFile) {
  return figure.fileFrame().metresPerUnit * (figure.fileFrame().sceneFromFile * pointInFile);
}

Eigen::Vector3d fileFromWorld(const Figure& figure, const Eigen::Vector3d& point) {
  return figure.fileFrame().sceneFromFile.transpose() * point / figure.fileFrame().metresPerUnit;
}

Result<Problem> problemFromJson(const JsonValue& value, const std::filesystem::path& folder) {
  value.allowOnly({"figure", "start", "frame", "goals", "target_weight", "rest_weight", "reference", "solver", "options",
                   "reached_tolerance"});
  const Result<FigureSource> source = openFigureSource(readFigureName(value.at("figure")), folder);
  if (!source) return source.error();
  Problem problem{makeDocument(source->figure, source->motion), source->notes};
  Document& document = problem.document;
  document.pose = readStart(value, *source->figure, source->motion.get());
  if (const auto frame = value.find("frame")) document.frame = static_cast<int>(frame->number());
  document.goals.clear();
  document.nextGoalId = 1;
  for (const JsonValue& goal : value.at("goals").elements()) {
    document.goals.push_back(readGoal(goal, *source->figure));
    document.goals.back().id = document.nextGoalId++;
  }
  readWeights(value, document);
  readSolver(value, document.solver);
  return problem;
}

Result<Problem> parseProblem(std::string_view text, const std::string& file, const std::filesystem::path& folder) {
  try {
    const Json json = parseJson(text);
    return problemFromJson(JsonValue(json), folder);
  } catch (const JsonFault& fault) {
    return Error{file, fault.place, fault.cause};
  }
}

Result<Problem> readProblem(const std::filesystem::path& path) {
  const Result<std::string> text = readFile(path, kMaxJsonBytes);
  if (!text) return text.error();
  return parseProblem(*text, path.string(), path.parent_path());
}

}  // namespace limber::io

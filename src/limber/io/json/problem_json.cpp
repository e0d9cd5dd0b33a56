// SPDX-License-Identifier: MIT
#include "limber/io/json/problem_json.h"

#include <span>

#include "limber/io/base/file.h"
#include "limber/io/figure_source.h"
#include "limber/io/json/pose_json.h"
#include "limber/io/json/pose_prior_json.h"
#include "limber/io/json/scene_parts.h"
#include "limber/io/open.h"
#include "limber/kinematics/coupling.h"

namespace limber::io {

namespace {

constexpr double kDefaultTargetWeight = 1e3;  // w_tar

/// In a problem with "target_weight" a goal's weight is a factor of that, otherwise an absolute weight. Documents have
/// factors.
void readWeights(const JsonValue& problem, Document& document) {
  const auto targetWeight = problem.find("target_weight");
  double scale = targetWeight ? targetWeight->numberIn(0.0, kLargestWeight) : 0.0;
  std::vector<double> weights;
  for (const JsonValue& goal : problem.at("goals").elements()) {
    const auto weight = goal.find("weight");
    weights.push_back(weight ? weight->numberIn(0.0, kLargestWeight) : targetWeight ? 1.0 : kDefaultTargetWeight);
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
  if (const auto weight = problem.find("rest_weight")) settings.restWeight = weight->numberIn(0.0, kLargestWeight);
  if (const auto tolerance = problem.find("reached_tolerance"))
    settings.reachedTolerance = tolerance->numberIn(0.0, kLargestLength);
  readSolverSettings(problem, settings);
  if (const auto reference = problem.find("reference")) {
    const std::string& word = reference->text();
    if (word != "rest" && word != "start" && word != "natural")
      reference->fail("must be \"rest\", \"start\" or \"natural\"");
    settings.reference = word == "rest"    ? RestReference::RestPose
                         : word == "start" ? RestReference::StartPose
                                           : RestReference::Natural;
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
    member.allowOnly({"limits", "ball_limits", "rigidity", "locked", "translation_locked", "preferred"});
    if (const auto limits = member.find("limits"); limits && !isScalar(figure.joint(joint)))
      limits->fail("belongs to revolute and prismatic joints only");
    readJointSettings(member, figure.joint(joint), figure.fileFrame().metresPerUnit, document.joints[joint]);
  }
}

/// false switches all elements off, a list of names those with these names.
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

Pose readStart(const JsonValue& problem, const Figure& figure, const Motion* motion) {
  Pose start = restPose(figure);
  if (const auto frame = problem.find("frame")) {
    if (!motion || motion->frameCount == 0) frame->fail("the figure has no motion");
    start = motion->poseAt(figure, frame->integerIn(0, motion->frameCount - 1));
  }
  const auto pose = problem.find("start");
  return pose ? poseFromJson(*pose, figure, start) : start;
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

/// The parts of the problem that goals depend on: the start pose, with couplings applied, and limits.
void readFigureState(const JsonValue& problem, const Motion* motion, Document& document) {
  const Figure& figure = *document.figure;
  if (const auto joints = problem.find("joints")) readJoints(*joints, document);
  if (const auto couplings = problem.find("couplings"))
    switchOff(*couplings, figure.couplings(), document.couplingEnabled);
  if (const auto limits = problem.find("linear_limits"))
    switchOff(*limits, figure.linearLimits(), document.linearLimitEnabled);
  document.pose = readStart(problem, figure, motion);
  Couplings(figure, document.couplingEnabled).apply(document.pose);
  if (const auto pins = problem.find("pins"))
    document.pins = pinsFromJson(*pins, figure, figure.fileFrame(), document.pose);
}

}  // namespace

GoalItem problemGoalFromJson(const JsonValue& value, const Figure& figure, const Pose& start) {
  GoalItem goal = goalFromJson(value, figure, figure.fileFrame(), start);
  if (const auto id = value.find("id")) id->fail("belongs to scenes only");
  checkGoalKeys(value, goal);
  return goal;
}

Result<Problem> problemFromJson(const JsonValue& value, const std::filesystem::path& folder,
                                const OpenContext& context) {
  value.allowOnly({"figure", "start", "frame", "goals", "target_weight", "rest_weight", "reference", "solver",
                   "options", "reached_tolerance", "insist", "path_independent", "posing", "body_follows", "base",
                   "joints", "couplings", "linear_limits", "pins"});
  const Result<FigureSource> source = openFigureSource(readFigureName(value.at("figure")), folder, context);
  if (!source) return source.error();
  Problem problem{documentOf(*source), source->notes};
  Document& document = problem.document;
  chooseBase(document, readBase(value, document, context), problem.notes);
  readFigureState(value, source->motion.get(), document);
  if (const auto frame = value.find("frame")) document.frame = static_cast<int>(frame->number());
  document.goals.clear();
  document.nextGoalId = 1;
  for (const JsonValue& goal : value.at("goals").elements()) {
    GoalItem& read = document.goals.emplace_back(problemGoalFromJson(goal, *document.figure, document.pose));
    if (read.name.empty()) read.name = document.figure->link(read.link).name;
    read.id = document.nextGoalId++;
  }
  readWeights(value, document);
  readSolver(value, document.solver);
  if (document.solver.reference == RestReference::Natural) readPosePriorFor(value.at("reference"), document);
  return problem;
}

Result<Problem> parseProblem(std::string_view text, const std::string& file, const std::filesystem::path& folder) {
  return readJsonText<Problem>(text, file, [&](const JsonValue& value) { return problemFromJson(value, folder); });
}

}  // namespace limber::io

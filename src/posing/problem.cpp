// SPDX-License-Identifier: MIT
#include "posing/problem.h"

#include <cmath>
#include <numbers>

#include "solvers/registry.h"

namespace limber {

namespace {

/// A hold must outweigh the drag that pulls at it, or the multiplier updates would need many rounds.
constexpr double kHoldWeight = 1000.0;

bool isRoot(const Figure& figure, int link) {
  return figure.link(link).parent < 0 && figure.joint(link).type == JointType::Free;
}

std::vector<double> rigidities(const Document& document, bool freeRoot) {
  std::vector<double> values;
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    const double rigidity = document.joints[static_cast<std::size_t>(i)].rigidity;
    // A lock takes the coordinate out of the active ones; its weight then plays no part.
    values.push_back(rigidity >= 1.0 || (freeRoot && isRoot(*document.figure, i)) ? 0.0 : rigidity);
  }
  return values;
}

Limits limits(const Document& document) {
  Limits limits;
  for (const JointSettings& settings : document.joints) {
    limits.intervals.push_back(settings.limits);
    limits.balls.push_back(settings.ballLimits);
  }
  limits.couplingEnabled = document.couplingEnabled;
  limits.linearLimitEnabled = document.linearLimitEnabled;
  return limits;
}

/// The pose that the regulariser pulls to. Angles that go round are taken on the turn that the pose is on: it has
/// been wrapped since the reference was taken.
Pose referencePose(const Document& document, const PosingRequest& request) {
  const Figure& figure = *document.figure;
  if (document.solver.reference == RestReference::RestPose) return restPose(figure);
  if (!request.startPose) return document.pose;
  Pose reference = *request.startPose;
  constexpr double kTurn = 2.0 * std::numbers::pi;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    if (joint.type != JointType::Revolute || document.joints[static_cast<std::size_t>(i)].limits.isBounded()) continue;
    double& q = reference.coordinates[joint.poseIndex];
    q += kTurn * std::round((document.pose.coordinates[joint.poseIndex] - q) / kTurn);
  }
  return reference;
}

std::string findFault(const Document& document, const std::vector<PosedGoal>& goals) {
  if (goals.empty()) return "no goal: add one, or drag a link";
  for (const PosedGoal& goal : goals) {
    if (goal.link < 0 || goal.link >= document.figure->linkCount()) return "a goal names a link that does not exist";
    if (!goal.target.allFinite() || !goal.pointInLink.allFinite()) return "a target is not finite";
  }
  const SolverSettings& settings = document.solver;
  if (!(settings.targetWeight >= 0.0) || !std::isfinite(settings.targetWeight)) return "the target weight is not a number >= 0";
  if (!(settings.restWeight >= 0.0) || !std::isfinite(settings.restWeight)) return "the rest weight is not a number >= 0";
  if (!isValid(*document.figure, document.pose)) return "the pose holds a number that is not finite";
  return {};
}

}  // namespace

std::string tooManyCoordinates(int count) {
  return std::to_string(count) + " active coordinates are too many for a dense Hessian: at most " +
         std::to_string(kMaxDenseCoordinates);
}

std::vector<int> activeCoordinates(const Document& document, bool freeRoot) {
  std::vector<int> active;
  const Figure& figure = *document.figure;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    const JointSettings& settings = document.joints[static_cast<std::size_t>(i)];
    const bool freed = freeRoot && isRoot(figure, i);
    if (!freed && (settings.locked || settings.rigidity >= 1.0)) continue;
    const int skipped = !freed && joint.type == JointType::Free && settings.translationLocked ? 3 : 0;
    for (int k = skipped; k < stepSize(joint.type); ++k) active.push_back(joint.stepIndex + k);
  }
  return active;
}

Problem makeProblem(const Document& document, const PosingRequest& request) {
  Problem problem;
  const double unit = document.figure->meanLinkLength();
  std::vector<double> weights;
  for (const GoalItem& item : document.goals) {
    if (!item.enabled) continue;
    problem.goals.push_back({.id = item.id, .link = item.link, .pointInLink = item.pointInLink, .target = item.target});
    weights.push_back(item.weight);
  }
  if (request.drag) {
    const DragGoal& drag = *request.drag;
    problem.goals.push_back({.link = drag.link, .pointInLink = drag.pointInLink, .target = drag.target});
    weights.push_back(drag.weight);
  }
  for (const DragGoal& hold : request.holds) {
    problem.goals.push_back({.link = hold.link, .pointInLink = hold.pointInLink, .target = hold.target, .isHold = true});
    weights.push_back(kHoldWeight * hold.weight);
  }
  problem.fault = findFault(document, problem.goals);
  for (double weight : weights)
    if (!(weight >= 0.0) || !std::isfinite(weight)) problem.fault = "a goal's weight is not a number >= 0";
  if (!problem.fault.empty()) return problem;

  std::vector<std::unique_ptr<Goal>> goals;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    PosedGoal& posed = problem.goals[i];
    auto goal = std::make_unique<PositionGoal>(posed.link, posed.pointInLink, posed.target,
                                               weights[i] * document.solver.targetWeight, unit);
    posed.goal = goal.get();
    goals.push_back(std::move(goal));
  }
  Regulariser regulariser(*document.figure, referencePose(document, request), document.solver.restWeight,
                          rigidities(document, request.freeRoot));
  problem.objective = std::make_unique<Objective>(document.figure, std::move(goals), std::move(regulariser),
                                                  FeasibleSet(*document.figure, limits(document)),
                                                  activeCoordinates(document, request.freeRoot));
  return problem;
}

OptionValues solverOptions(const SolverSettings& settings, std::string& fault) {
  fault.clear();
  const Solver* solver = findSolver(settings.solver);
  if (!solver) {
    fault = "there is no solver \"" + settings.solver + "\"";
    return {};
  }
  OptionValues values = defaultOptions(*solver);
  if (const auto changed = settings.options.find(settings.solver); changed != settings.options.end())
    for (const auto& [name, value] : changed->second) {
      std::size_t i = 0;
      while (i < values.size() && solver->options()[i].name != name) ++i;
      if (i == values.size()) {
        fault = "solver \"" + settings.solver + "\" has no option \"" + name + "\", only";
        for (const OptionInfo& option : solver->options()) fault += " " + std::string(option.name);
        return {};
      }
      values[i] = value;
    }
  fault = validate(*solver, values);
  return fault.empty() ? values : OptionValues{};
}

bool isProvedOutOfReach(const Document& document, const Objective& objective, const Kinematics& kinematics,
                        const PosedGoal& goal) {
  const Figure& figure = objective.figure();
  const auto isActive = [&](int link) {
    const Joint& joint = figure.joint(link);
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c)
      if (objective.activeIndex(c) >= 0) return true;
    return false;
  };
  // Lengths from the point up to each joint; what counts is the sum at the highest joint that can move.
  double length = goal.pointInLink.norm();
  double reach = 0.0;
  int base = -1;
  for (int link = goal.link; link >= 0; link = figure.link(link).parent) {
    const Joint& joint = figure.joint(link);
    const double* q = document.pose.coordinates.data() + joint.poseIndex;
    if (joint.type == JointType::Free && isActive(link)) {
      if (objective.activeIndex(joint.stepIndex) >= 0) return false;  // it can go anywhere
    }
    if (joint.type == JointType::Prismatic) {
      const Interval& limits = document.joints[static_cast<std::size_t>(link)].limits;
      length += isActive(link) ? std::max(std::abs(limits.lower), std::abs(limits.upper)) : std::abs(*q);
    }
    if (isActive(link)) {
      base = link;
      reach = length;
    }
    if (joint.type == JointType::Free) length += Eigen::Map<const Eigen::Vector3d>(q).norm();
    length += joint.parentFromJoint.translation.norm();
  }
  if (base < 0) return (kinematics.worldFromLink[static_cast<std::size_t>(goal.link)] * goal.pointInLink - goal.target).norm() > 0.0;
  const auto b = static_cast<std::size_t>(base);
  const Eigen::Vector3d centre = figure.joint(base).type == JointType::Prismatic
                                     ? kinematics.worldFromJoint[b].translation
                                     : kinematics.worldFromLink[b].translation;
  return (goal.target - centre).norm() > reach * (1.0 + 1e-12);
}

}  // namespace limber

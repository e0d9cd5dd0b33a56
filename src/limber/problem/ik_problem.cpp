// SPDX-License-Identifier: MIT
#include "limber/problem/ik_problem.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/figure_faults.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/new_goal.h"

namespace limber {

namespace {

/// The default rest weight leaves an arm of a metre a millimetre from its target; dragged figures should meet their
/// targets.
constexpr double kFigureRestWeight = 0.1;
/// Mean link lengths. Even with the default weights, a chain's tip stays up to pi w_reg / w_tar = 0.003 from its
/// target.
constexpr double kChainReachedTolerance = 1e-2;

constexpr std::array<std::string_view, 3> kSelfAvoidanceNames = {"off", "arms", "all"};

}  // namespace

bool isChain(const Figure& figure) {
  const JointType type = figure.joint(0).type;
  if (type != JointType::Ball && !(type == JointType::Revolute && figure.isPlanar())) return false;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.joint(i).type != type || figure.link(i).parent != i - 1) return false;
  return true;
}

std::string_view posingName(PosingChoice choice) {
  constexpr std::array<std::string_view, 3> kNames = {"even", "natural", "still"};
  return kNames[static_cast<std::size_t>(choice)];
}

std::optional<PosingChoice> findPosing(std::string_view name) {
  for (const PosingChoice choice : {PosingChoice::Even, PosingChoice::Natural, PosingChoice::Still})
    if (posingName(choice) == name) return choice;
  return std::nullopt;
}

SolverSettings defaultSolverSettings(const Figure& figure) {
  SolverSettings settings;
  const bool chain = isChain(figure);
  settings.reference = chain ? RestReference::RestPose : RestReference::StartPose;
  if (chain) settings.reachedTolerance = kChainReachedTolerance;
  else settings.restWeight = kFigureRestWeight;
  return settings;
}

JointSettings settingsOf(const Joint& joint) {
  return {joint.limits, joint.ballLimits, joint.rigidity, joint.locked, joint.translationLocked, {}};
}

IkProblem makeIkProblem(std::shared_ptr<const Figure> figure) {
  assert(figure);
  IkProblem problem;
  problem.figure = std::move(figure);
  const Figure& f = *problem.figure;
  for (const Joint& joint : f.joints()) problem.joints.push_back(settingsOf(joint));
  problem.couplingEnabled.assign(f.couplings().size(), 1);
  problem.linearLimitEnabled.assign(f.linearLimits().size(), 1);
  problem.pose = restPose(f);
  Couplings(f, problem.couplingEnabled).apply(problem.pose);
  problem.solver = defaultSolverSettings(f);
  return problem;
}

namespace {

std::string findFault(const JointSettings& settings, const Joint& joint) {
  const std::string where = "joint \"" + joint.name + "\": ";
  if (std::string fault = faultOf(settings.limits); !fault.empty()) return where + fault;
  if (!(settings.rigidity >= 0.0 && settings.rigidity <= 1.0)) return where + "the rigidity is not in [0, 1]";
  if (joint.type != JointType::Ball) return {};
  const std::string fault = findFault(settings.ballLimits);
  return fault.empty() ? fault : where + fault;
}

}  // namespace

std::string faultOf(const Interval& limits) {
  if (std::isnan(limits.lower) || std::isnan(limits.upper)) return "a limit is not a number";
  if (limits.lower > limits.upper) return "the lower limit is above the upper one";
  return {};
}

std::string findFault(const IkProblem& problem) {
  if (!problem.figure) return "there is no figure: the pointer is null, as after a figure that could not be built";
  const Figure& figure = *problem.figure;
  if (problem.joints.size() != figure.joints().size() || problem.couplingEnabled.size() != figure.couplings().size() ||
      problem.linearLimitEnabled.size() != figure.linearLimits().size())
    return "its settings are those of another figure: makeIkProblem() makes a problem of a figure";
  if (std::string fault = findFault(figure, problem.pose); !fault.empty()) return fault;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (std::string fault = findFault(problem.joints[i], figure.joint(i)); !fault.empty()) return fault;
  for (const Obstacle& obstacle : problem.obstacles)
    if (std::string fault = findFault(obstacle, figure.linkCount()); !fault.empty() && obstacle.enabled) return fault;
  for (const Pin& pin : problem.pins)
    if (pin.link < 0 || pin.link >= figure.linkCount()) return "a pin is on a link that does not exist";
  for (const LinkPair& pair : problem.disabledPairs)
    if (pair.link < 0 || pair.link >= pair.other || pair.other >= figure.linkCount())
      return "a disabled pair does not name two links of the figure in ascending order";
  if (!(problem.safetyDistance >= 0.0) || !std::isfinite(problem.safetyDistance))
    return "the safety distance must be a number >= 0";
  return {};
}

const GoalItem* findGoal(const IkProblem& problem, int id) {
  const auto found = std::ranges::find(problem.goals, id, &GoalItem::id);
  return found == problem.goals.end() ? nullptr : &*found;
}

GoalItem* findGoal(IkProblem& problem, int id) {
  return const_cast<GoalItem*>(findGoal(static_cast<const IkProblem&>(problem), id));
}

int addGoal(IkProblem& problem, int link, const Eigen::Vector3d& pointInLink) {
  return addGoal(problem, GoalType::Position, {.link = link, .point = pointInLink});
}

void moveTargetsToEndEffectors(IkProblem& problem) {
  const Kinematics kinematics = transformsOf(*problem.figure, problem.pose);
  for (GoalItem& goal : problem.goals) moveTargetToEndEffector(problem, kinematics, goal);
}

const Obstacle* findObstacle(const IkProblem& problem, int id) {
  const auto found = std::ranges::find(problem.obstacles, id, &Obstacle::id);
  return found == problem.obstacles.end() ? nullptr : &*found;
}

Obstacle* findObstacle(IkProblem& problem, int id) {
  return const_cast<Obstacle*>(findObstacle(static_cast<const IkProblem&>(problem), id));
}

int addObstacle(IkProblem& problem, Obstacle obstacle) {
  obstacle.id = problem.nextObstacleId++;
  problem.obstacles.push_back(std::move(obstacle));
  return problem.obstacles.back().id;
}

const Pin* findPin(const IkProblem& problem, int link) {
  const auto found = std::ranges::find(problem.pins, link, &Pin::link);
  return found == problem.pins.end() ? nullptr : &*found;
}

void pinLink(IkProblem& problem, int link, bool position, bool rotation, const Eigen::Vector3d& pointInLink) {
  unpinLink(problem, link);
  if (!position && !rotation) return;
  const Kinematics kinematics = transformsOf(*problem.figure, problem.pose);
  problem.pins.push_back({link, position, rotation, pointInLink, kinematics.worldFromLink[link]});
}

void unpinLink(IkProblem& problem, int link) {
  std::erase_if(problem.pins, [&](const Pin& pin) { return pin.link == link; });
}

bool goesRound(const IkProblem& problem, int joint) {
  return problem.figure->joint(joint).type == JointType::Revolute && !problem.joints[joint].limits.isBounded();
}

std::vector<char> jointsThatGoRound(const IkProblem& problem) {
  std::vector<char> round(problem.figure->linkCount());
  for (std::size_t i = 0; i < round.size(); ++i) round[i] = goesRound(problem, static_cast<int>(i));
  return round;
}

std::string_view selfAvoidanceName(SelfAvoidance choice) { return kSelfAvoidanceNames[static_cast<int>(choice)]; }

std::optional<SelfAvoidance> findSelfAvoidance(std::string_view name) {
  const auto found = std::ranges::find(kSelfAvoidanceNames, name);
  if (found == kSelfAvoidanceNames.end()) return std::nullopt;
  return static_cast<SelfAvoidance>(found - kSelfAvoidanceNames.begin());
}

SelfAvoidance selfAvoidanceOf(const IkProblem& problem) {
  if (problem.selfAvoidance) return *problem.selfAvoidance;
  return problem.solver.posing == PosingChoice::Even ? SelfAvoidance::Off : SelfAvoidance::Arms;
}

void setCollision(IkProblem& problem, int link, int other, bool isEnabled) {
  if (link == other) return;
  const LinkPair pair{std::min(link, other), std::max(link, other)};
  std::vector<LinkPair>& disabled = problem.disabledPairs;
  const auto place = std::ranges::lower_bound(disabled, pair);
  const bool isThere = place != disabled.end() && *place == pair;
  if (isEnabled && isThere) disabled.erase(place);
  if (!isEnabled && !isThere) disabled.insert(place, pair);
}

bool hasSameWorld(const IkProblem& a, const IkProblem& b) {
  return a.obstacles == b.obstacles && a.selfAvoidance == b.selfAvoidance && a.disabledPairs == b.disabledPairs &&
         a.safetyDistance == b.safetyDistance && a.keepsBalance == b.keepsBalance;
}

bool avoidsCollisions(const IkProblem& problem) {
  return problem.selfAvoidance.value_or(SelfAvoidance::Off) != SelfAvoidance::Off ||
         std::ranges::any_of(problem.obstacles, &Obstacle::enabled);
}

bool hasGoalsOrPins(const IkProblem& problem) {
  return std::ranges::any_of(problem.goals, &GoalItem::enabled) ||
         std::ranges::any_of(problem.pins, [](const Pin& pin) { return pin.position || pin.rotation; });
}

Pose basePoseOf(const IkProblem& problem) {
  const Figure& figure = *problem.figure;
  Pose base = problem.basePose.coordinates.size() == figure.poseSize() ? problem.basePose : restPose(figure);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    const JointSettings& settings = problem.joints[i];
    const bool isLocked = settings.locked || settings.rigidity >= 1.0;
    const bool isHeldInPlace = joint.type == JointType::Free && settings.translationLocked;
    const int size = isLocked ? poseSize(joint.type) : isHeldInPlace ? 3 : 0;
    base.coordinates.segment(joint.poseIndex, size) = problem.pose.coordinates.segment(joint.poseIndex, size);
  }
  clampToLimits(problem, base);
  return base;
}

void resetPose(IkProblem& problem) {
  problem.pose = restPose(*problem.figure);
  clampToLimits(problem, problem.pose);
  moveTargetsToEndEffectors(problem);
}

std::vector<char> activeCouplings(const IkProblem& problem) {
  std::vector<char> active = problem.couplingEnabled;
  const std::span<const Coupling> couplings = problem.figure->couplings();
  for (std::size_t i = 0; i < couplings.size(); ++i) {
    const JointSettings& follower = problem.joints[couplings[i].follower];
    if (follower.locked || follower.rigidity >= 1.0) active[i] = 0;
  }
  return active;
}

void clampToLimits(const IkProblem& problem, Pose& pose) {
  const Couplings couplings(*problem.figure, activeCouplings(problem));
  for (int i = 0; i < problem.figure->linkCount(); ++i) {
    const Joint& joint = problem.figure->joint(i);
    const BallLimits& ball = problem.joints[i].ballLimits;
    if (joint.type == JointType::Ball && ball.isBounded())
      setJointRotation(*problem.figure, i, BallRange(ball).clamp(jointRotation(*problem.figure, pose, i)), pose);
    if (joint.type != JointType::Revolute && joint.type != JointType::Prismatic) continue;
    if (couplings.isFollower(joint.stepIndex)) continue;
    const Interval& limits = problem.joints[i].limits;
    double& q = pose.coordinates[joint.poseIndex];
    q = std::clamp(q, limits.lower, limits.upper);
  }
  for (const Couplings::Follower& follower : couplings.followers()) {  // a driven ball also keeps its own limits
    if (follower.isScalar) continue;
    const auto link = std::ranges::find(problem.figure->joints(), follower.poseIndex, &Joint::poseIndex) -
                      problem.figure->joints().begin();
    const BallLimits& limits = problem.joints[link].ballLimits;
    auto rotation = pose.coordinates.segment<4>(couplings.drivesOf(follower)[0].driverPoseIndex);
    if (limits.isBounded()) rotation = BallRange(limits).clamp(Eigen::Quaterniond(Eigen::Vector4d(rotation))).coeffs();
  }
  couplings.apply(pose);
}

}  // namespace limber

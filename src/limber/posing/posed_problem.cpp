// SPDX-License-Identifier: MIT
#include "limber/posing/posed_problem.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/goals/loop_goal.h"
#include "limber/problem/goal_types.h"
#include "limber/solvers/registry.h"

namespace limber {

namespace {

/// The weight of a contact with an obstacle, as of other hard goals.
constexpr double kObstacleWeight = 1000.0;

/// The weight of a contact of two links. Their surfaces turn with the limbs, so with the weight of pins Newton's steps
/// would be short. With 1000, 100, 10, 3 and 1, eleven poses of hands at the trunk take 783, 556, 453, 424 and 428
/// iterations.
constexpr double kApartWeight = 10.0;

std::vector<double> rigidities(const IkProblem& problem, bool freeRoot) {
  std::vector<double> values;
  for (int i = 0; i < problem.figure->linkCount(); ++i) {
    const double rigidity = problem.joints[i].rigidity;
    // A locked coordinate is not active, so its weight has no effect.
    values.push_back(rigidity >= 1.0 || (freeRoot && problem.figure->isFreeRoot(i)) ? 0.0 : rigidity);
  }
  return values;
}

/// The usable coordinates of a request: without joints that rest.
std::vector<char> usableIn(const IkProblem& problem, const CompletedRequest& request) {
  std::vector<char> usable = usableCoordinates(problem, request.freesRoot());
  for (int i = 0; i < problem.figure->linkCount(); ++i)
    if (const Joint& joint = problem.figure->joint(i); request.staying->isResting(i))
      std::fill_n(usable.begin() + joint.stepIndex, stepSize(joint.type), 0);
  return usable;
}

/// Weight of the prior, relative to the rest weight: small enough that a nearly straight limb, where the prior has the
/// longest lever, meets its target in few rounds of multipliers, and large enough that solves take no more steps.
constexpr double kPriorWeight = 0.1;

Regulariser pullToRest(const IkProblem& problem, const CompletedRequest& request, const Pose& reference) {
  const std::vector<double> values = rigidities(problem, request.freesRoot());
  if (!request.staying->isOn()) return {*problem.figure, reference, problem.solver.restWeight, values};
  std::vector<double> weights;
  for (int i = 0; i < problem.figure->linkCount(); ++i) {
    const double soft = 1.0 - values[i];
    weights.push_back(problem.solver.restWeight * request.staying->resistance(i) / (soft * soft));
  }
  Regulariser pull(*problem.figure, reference, weights);
  for (const LooseAxis& loose : request.staying->looseAxes()) {
    const double about = loose.resistance / request.staying->resistance(loose.link);
    const Eigen::Matrix3d along = loose.axis * loose.axis.transpose();
    pull.setRotationWeight(problem.figure->joint(loose.link).stepIndex,
                           weights[loose.link] * (Eigen::Matrix3d::Identity() - (1.0 - about) * along));
  }
  return pull;
}

std::string findFault(const IkProblem& problem, const std::vector<PosedGoal>& goals) {
  if (goals.empty()) return "the problem has no goal";
  const SolverSettings& settings = problem.solver;
  const auto isWeight = [](double weight) { return weight >= 0.0 && std::isfinite(weight); };
  if (!isWeight(settings.targetWeight)) return "the target weight is not a number >= 0";
  if (!isWeight(settings.restWeight)) return "the rest weight is not a number >= 0";
  if (!isValid(*problem.figure, problem.pose)) return "the pose holds a number that is not finite";
  for (const PosedGoal& goal : goals)
    if (std::string fault = limber::findFault(goal.item, *problem.figure); !fault.empty()) return fault;
  return {};
}

std::unique_ptr<Goal> makePosed(const PosedGoal& goal, const Figure& figure, double weight) {
  if (goal.source != GoalSource::Balance) return makeGoal(goal.item, figure, weight);
  return std::make_unique<SupportGoal>(figure, goal.support, weight, figure.meanLinkLength());
}

/// The joints that a goal may use. A drag may use all; held links only compensate.
JointChain chainOf(const PosedGoal& goal) {
  const bool isHard = goal.strength == Strength::Hard;
  const bool isDrag = goal.item.id < 0 && !isHard;
  return {.links = isDrag ? std::vector<int>{} : linksOf(goal.item),
          .joints = goal.item.chain,
          .onlyCompensates = isHard && goal.source != GoalSource::Balance};
}

/// The chains of the live goals; `fault` names the first goal, live or not, whose chain cannot move.
ChainUnion uniteChainsOf(const IkProblem& problem, const std::vector<PosedGoal>& goals, const CompletedRequest& request,
                         std::string& fault) {
  const Couplings couplings(*problem.figure, activeCouplings(problem));
  const std::vector<char> usable = usableIn(problem, request);
  std::vector<JointChain> all, live;
  for (const PosedGoal& goal : goals) {
    all.push_back(chainOf(goal));
    if (goal.isLive) live.push_back(all.back());
  }
  for (const LoopClosure& loop : problem.figure->loops()) {
    all.push_back({.onlyCompensates = true, .loop = &loop});
    live.push_back(all.back());
  }
  ChainUnion chains = uniteChains(*problem.figure, couplings, all, usable);
  for (std::size_t i = 0; i < goals.size() && fault.empty(); ++i)
    if (chains.isEmpty[i])
      fault = goalInWords(goals[i].item) + ": no joint of its chain can move: all are fixed, locked or rigid";
  return live.size() == all.size() ? chains : uniteChains(*problem.figure, couplings, live, usable);
}

/// Finds the prior's parts on the figure. False, with a fault, if there is no prior or no human body.
bool findBody(const IkProblem& problem, PosedProblem& posed) {
  if (!problem.posePrior) {
    posed.fault = "reference natural: the file of the pose prior has not been read";
    return false;
  }
  if (auto body = findBodyPrior(problem, *problem.posePrior))
    posed.body = std::make_shared<const BodyPrior>(std::move(*body));
  else
    posed.fault = "reference natural: " + problem.figure->name() +
                  " has no human body: no arms, legs and head are found by name or shape";
  return posed.body != nullptr;
}

/// Adds the loops that the active coordinates move.
void addLoops(const IkProblem& problem, PosedProblem& posed, std::vector<std::unique_ptr<Goal>>& goals) {
  const Figure& figure = *problem.figure;
  if (figure.loops().empty()) return;
  const std::vector<char> moves = movesOf(figure, posed.chains.active, Couplings(figure, activeCouplings(problem)));
  for (int i = 0; i < std::ssize(figure.loops()); ++i) {
    const LoopClosure& loop = figure.loops()[i];
    if (!isMovedBy(figure, loop, moves)) continue;
    posed.loops.push_back({i, static_cast<int>(goals.size())});
    goals.push_back(
        std::make_unique<LoopGoal>(loop, kLoopWeight * problem.solver.targetWeight, figure.meanLinkLength()));
  }
}

/// The coordinates that the objective may change; with alternatives, those that any choice of them may change.
std::vector<char> mayMove(const IkProblem& problem, const PosedProblem& posed, const CompletedRequest& request) {
  const bool hasChoice =
      std::any_of(posed.goals.begin(), posed.goals.end(), [](const PosedGoal& goal) { return goal.item.anyOf >= 0; });
  if (!hasChoice) return movesOf(*posed.objective);
  const Couplings couplings(*problem.figure, activeCouplings(problem));
  std::vector<char> moves = usableIn(problem, request);
  for (const Couplings::Follower& follower : couplings.followers()) moves[follower.coordinate] = 1;
  return moves;
}

}  // namespace

Hold holdPoint(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& target) {
  return {.goal = {.link = link, .pointInLink = pointInLink, .target = target}};
}

Hold holdRotation(int link, const Eigen::Matrix3d& worldFromLink) {
  return {.goal = {.type = GoalType::Orientation, .link = link, .targetFrame = worldFromLink}};
}

std::string tooManyCoordinates(int count) {
  return std::to_string(count) + " active coordinates are too many for a dense Hessian: at most " +
         std::to_string(kMaxDenseCoordinates);
}

std::vector<char> usableCoordinates(const IkProblem& problem, bool freeRoot) {
  const Figure& figure = *problem.figure;
  std::vector<char> usable(figure.stepSize(), 0);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    const JointSettings& settings = problem.joints[i];
    const bool freed = freeRoot && figure.isFreeRoot(i);
    if (!freed && (settings.locked || settings.rigidity >= 1.0)) continue;
    const int skipped = !freed && joint.type == JointType::Free && settings.translationLocked ? 3 : 0;
    for (int k = skipped; k < stepSize(joint.type); ++k) usable[joint.stepIndex + k] = 1;
  }
  return usable;
}

void putOnTurn(const IkProblem& problem, Pose& pose) {
  const Figure& figure = *problem.figure;
  constexpr double kTurn = 2.0 * std::numbers::pi;
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (!goesRound(problem, i)) continue;
    const int at = figure.joint(i).poseIndex;
    double& q = pose.coordinates[at];
    q += kTurn * std::round((problem.pose.coordinates[at] - q) / kTurn);
  }
}

void findReference(const IkProblem& problem, const CompletedRequest& request, Pose& reference) {
  if (problem.solver.reference == RestReference::RestPose && !request.pullsToStart) {
    reference = restPose(*problem.figure);
    return;
  }
  reference = *request.startPose;
  putOnTurn(problem, reference);
  request.staying->placeLimb(reference);
}

Regulariser keepPoseOf(const IkProblem& problem, const GoalItem& goal, double weight) {
  const Figure& figure = *problem.figure;
  std::vector<double> weights(figure.linkCount(), goal.chain.empty() ? weight : 0.0);
  for (const int joint : goal.chain) weights[joint] = weight;
  Pose kept = goal.kept;
  putOnTurn(problem, kept);
  return {figure, std::move(kept), weights};
}

Limits limitsOf(const IkProblem& problem) {
  Limits limits;
  for (const JointSettings& settings : problem.joints) {
    limits.intervals.push_back(settings.limits);
    limits.balls.push_back(settings.ballLimits);
  }
  limits.couplingEnabled = activeCouplings(problem);
  limits.linearLimitEnabled = problem.linearLimitEnabled;
  return limits;
}

Pose naturalStart(const IkProblem& problem, const PosedProblem& posed) {
  std::vector<WantedPlace> wanted;
  for (const PosedGoal& goal : posed.goals) {
    const GoalTypeInfo& info = infoOf(goal.item.type);
    const bool asksForPlace = info.isPlace && (!info.share || goal.item.positionShare > 0.0);
    if (goal.isLive && asksForPlace) wanted.push_back({goal.item.link, goal.item.pointInLink, goal.item.target});
  }
  return priorStart(problem, *posed.body, problem.pose, wanted);
}

bool fitsContacts(const PosedProblem& posed, std::span<const LiveContact> contacts) {
  return std::equal(posed.contacts.begin(), posed.contacts.end(), contacts.begin(), contacts.end(),
                    [](const PosedContact& contact, const LiveContact& live) { return contact.pair == live.pair; });
}

void setPlanes(PosedProblem& posed, std::span<const LiveContact> contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i)
    posed.contacts[i].goal->setPlane(contacts[i].normal, contacts[i].gap);
}

PosedProblem makeProblem(const IkProblem& problem, const PosingRequest& request, const Branches& branches,
                         const Pose* reference, std::span<const LiveContact> contacts) {
  return makeProblem(problem, completed(problem, request), branches, reference, contacts);
}

PosedProblem makeProblem(const IkProblem& problem, const CompletedRequest& request, const Branches& branches,
                         const Pose* reference, std::span<const LiveContact> contacts) {
  PosedProblem posed;
  const Staying& staying = *request.staying;
  posed.goals = posedGoals(problem, request, branches);
  posed.fault = findFault(problem, posed.goals);
  if (!posed.fault.empty()) return posed;
  posed.chains = uniteChainsOf(problem, posed.goals, request, posed.fault);
  if (!posed.fault.empty()) return posed;
  if (request.natural && !findBody(problem, posed)) return posed;

  std::vector<std::unique_ptr<Goal>> goals;
  std::vector<Regulariser> keepPoses;
  for (PosedGoal& goal : posed.goals) {
    if (!goal.isLive) continue;
    const double weight = goal.item.weight * problem.solver.targetWeight;
    if (infoOf(goal.item.type).kept) {
      keepPoses.push_back(keepPoseOf(problem, goal.item, weight));
      continue;
    }
    goal.place = static_cast<int>(goals.size());
    goals.push_back(makePosed(goal, *problem.figure, weight));
  }
  for (const LiveContact& contact : contacts) {
    const double ofTargets = contact.pair.isObstacle ? kObstacleWeight : kApartWeight;
    const double weight = ofTargets * problem.solver.targetWeight, unit = problem.figure->meanLinkLength();
    auto goal = contact.otherLine.link < 0
                    ? std::make_unique<ClearanceGoal>(contact.line, weight, unit)
                    : std::make_unique<ClearanceGoal>(contact.line, contact.otherLine, weight, unit);
    posed.contacts.push_back({contact.pair, static_cast<int>(goals.size()), goal.get()});
    goals.push_back(std::move(goal));
  }
  setPlanes(posed, contacts);
  addLoops(problem, posed, goals);
  if (posed.body) posed.reference = posed.body->mean;
  else if (reference) posed.reference = *reference;
  else findReference(problem, request, posed.reference);
  const double priorWeight = kPriorWeight * problem.solver.restWeight;
  FeasibleSet feasibleSet(*problem.figure, limitsOf(problem));
  StayTerm stay;
  if (staying.isOn()) stay = staying.term(movesOf(*problem.figure, posed.chains.active, feasibleSet.couplings()));
  Regulariser regulariser = posed.body ? regulariserOf(*problem.figure, *posed.body, priorWeight)
                                       : pullToRest(problem, request, posed.reference);
  for (const PosedGoal& goal : posed.goals)
    if (goal.isLive) std::ranges::move(staying.gazeGoals(goal.item), std::back_inserter(goals));
  if (posed.body)
    for (auto& goal : priorGoals(*posed.body, *problem.posePrior, priorWeight)) goals.push_back(std::move(goal));
  posed.objective =
      std::make_unique<Objective>(problem.figure, std::move(goals), std::move(regulariser), std::move(feasibleSet),
                                  posed.chains.active, std::move(keepPoses), std::move(stay));
  for (const PosedGoal& goal : posed.goals)
    if (goal.hasLimitedForce() && goal.place >= 0) posed.objective->setForceLimit(goal.place, goal.force);
  posed.mayMove = mayMove(problem, posed, request);
  posed.fault = posed.objective->feasibleSet().fault();
  if (posed.fault.empty()) posed.fault = posed.objective->feasibleSet().fault(*problem.figure, problem.pose);
  if (!posed.fault.empty()) posed.objective.reset();
  if (posed.objective && branches.empty() && !reference && contacts.empty()) posed.origin = originOf(problem, request);
  return posed;
}

std::vector<char> movesOf(const Figure& figure, std::span<const int> active, const Couplings& couplings) {
  std::vector<char> moves(figure.stepSize(), 0);
  for (const int c : active) moves[c] = 1;
  for (const Couplings::Follower& follower : couplings.followers())
    for (const Couplings::Term& term : couplings.termsOf(follower))
      if (std::ranges::binary_search(active, term.driver)) moves[follower.coordinate] = 1;
  return moves;
}

void findGoalsToMeet(const PosedProblem& posed, int outranked, std::vector<char>& selected) {
  selected.assign(posed.objective->goals().size(), 0);
  for (const PosedGoal& goal : posed.goals)
    if (goal.place >= 0) selected[goal.place] = (goal.isAsked() && goal.outranked >= outranked) || goal.isExact();
  for (const PosedContact& contact : posed.contacts) selected[contact.place] = 1;
  for (const PosedLoop& loop : posed.loops) selected[loop.place] = 1;
}

bool hasIdleRigidities(const IkProblem& problem, const Objective& objective) {
  if (problem.solver.restWeight > 0.0) return false;
  const Figure& figure = *problem.figure;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const bool isActive = stepSize(figure.joint(i).type) > 0 && objective.activeIndex(figure.joint(i).stepIndex) >= 0;
    if (isActive && problem.joints[i].rigidity > 0.0) return true;
  }
  return false;
}

PosedProblem makeProblemToJudge(const IkProblem& problem) {
  PosedProblem posed = makeProblem(problem, {});
  if (posed.objective || !posed.goals.empty()) return posed;
  return makeProblem(problem, {.drag = DragGoal{.link = problem.figure->linkCount() - 1}});
}

OptionValues solverOptions(const SolverSettings& settings, std::string& fault) {
  OptionValues values;
  fault = takeSolverOptions(settings, settings.solver, values);
  return values;
}

std::string takeSolverOptions(const SolverSettings& settings, const std::string& name, OptionValues& values) {
  values.clear();
  const Solver* solver = findSolver(name);
  if (!solver) {
    std::string fault = "there is no solver \"" + name + "\"; there are";
    for (const Solver* other : allSolvers()) fault += ' ' + std::string(other->name());
    return fault;
  }
  for (const OptionInfo& option : solver->options()) values.push_back(option.defaultValue);
  std::string fault;
  if (const auto changed = settings.options.find(name); changed != settings.options.end())
    for (const auto& [option, value] : changed->second)
      if (fault.empty() && !setOption(*solver, option, value, values)) {
        fault = "solver \"" + name + "\" has no option \"" + option + "\", only";
        for (const OptionInfo& known : solver->options()) fault += " " + std::string(known.name);
      }
  if (fault.empty()) fault = validate(*solver, values);
  if (!fault.empty()) values.clear();
  return fault;
}

std::vector<char> movesOf(const Objective& objective) {
  std::vector<char> moves;
  findMoves(objective, moves);
  return moves;
}

void findMoves(const Objective& objective, std::vector<char>& moves) {
  moves.assign(objective.figure().stepSize(), 0);
  for (const int c : objective.moving()) moves[c] = 1;
}

std::string findLimitFault(const IkProblem& problem, const Solver& solver, const PosedProblem& posed) {
  if (problem.solver.insist || solver.limitHandling() != LimitHandling::None) return {};
  const Figure& figure = *problem.figure;
  std::string limited;
  const std::vector<char> moves = movesOf(*posed.objective);
  const auto isMoving = [&](int i) {
    const Joint& joint = figure.joint(i);
    return stepSize(joint.type) > 0 && moves[joint.stepIndex] != 0;
  };
  for (int i = 0; i < figure.linkCount() && limited.empty(); ++i) {
    const JointSettings& settings = problem.joints[i];
    const JointType type = figure.joint(i).type;
    const bool isScalar = type == JointType::Revolute || type == JointType::Prismatic;
    const bool isLimited =
        (isScalar && settings.limits.isBounded()) || (type == JointType::Ball && settings.ballLimits.isBounded());
    if (isLimited && isMoving(i)) limited = figure.joint(i).name;
  }
  for (std::size_t i = 0; i < figure.linearLimits().size() && limited.empty(); ++i) {
    const LinearLimit& limit = figure.linearLimits()[i];
    const auto ties = [&](const LinearLimit::Term& term) { return isMoving(term.joint); };
    if (problem.linearLimitEnabled[i] && std::any_of(limit.terms.begin(), limit.terms.end(), ties))
      limited = limit.name;
  }
  if (limited.empty()) return {};
  return "solver \"" + std::string(solver.name()) + "\" does not keep limits exactly, and " + limited +
         " has limits: choose one that does, such as \"newton\", or insist (\"insist\": true)";
}

}  // namespace limber

// SPDX-License-Identifier: MIT
#include "limber/posing/problem.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/goals/centre_of_mass_goal.h"
#include "limber/posing/goal_table.h"
#include "limber/posing/held_feet.h"
#include "limber/scene/balance.h"
#include "limber/scene/footholds.h"
#include "limber/solvers/registry.h"

namespace limber {

namespace {

/// A hard goal must outweigh the drag that pulls at it, or the multiplier updates would need many rounds.
constexpr double kHardWeight = 1000.0;

/// So little that a swivel which limits hold back moves no target by more than what counts as reached, and more than
/// the pull to rest: what this takes from it, multiplier updates give back.
constexpr double kSwivelWeight = 1e-3;

/// Less than what carries the figure: where balance cannot be kept, its pull tears no foot off the ground.
constexpr double kBalanceWeight = 1000.0;
constexpr double kSupportMargin = 0.02;  // mean link lengths: so far inside its support the centre of mass is kept

std::vector<double> rigidities(const Document& document, bool freeRoot) {
  std::vector<double> values;
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    const double rigidity = document.joints[static_cast<std::size_t>(i)].rigidity;
    // A lock takes the coordinate out of the active ones; its weight then plays no part.
    values.push_back(rigidity >= 1.0 || (freeRoot && document.figure->isFreeRoot(i)) ? 0.0 : rigidity);
  }
  return values;
}

/// One a step coordinate: 0 where locked.
std::vector<char> usableCoordinates(const Document& document, const PosingRequest& request) {
  const Figure& figure = *document.figure;
  std::vector<char> usable(static_cast<std::size_t>(figure.stepSize()), 0);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    const JointSettings& settings = document.joints[static_cast<std::size_t>(i)];
    const bool freed = request.freeRoot && figure.isFreeRoot(i);
    if (request.staying->isResting(i)) continue;
    if (!freed && (settings.locked || settings.rigidity >= 1.0)) continue;
    const int skipped = !freed && joint.type == JointType::Free && settings.translationLocked ? 3 : 0;
    for (int k = skipped; k < stepSize(joint.type); ++k) usable[static_cast<std::size_t>(joint.stepIndex + k)] = 1;
  }
  return usable;
}

/// Angles that go round, taken on the turn that the document's pose is on: it has been wrapped since.
Pose onTurnOf(const Document& document, Pose reference) {
  const Figure& figure = *document.figure;
  constexpr double kTurn = 2.0 * std::numbers::pi;
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (!goesRound(document, i)) continue;
    const int at = figure.joint(i).poseIndex;
    double& q = reference.coordinates[at];
    q += kTurn * std::round((document.pose.coordinates[at] - q) / kTurn);
  }
  return reference;
}

/// What a natural pose leaves of its targets when it stops shifting them.
constexpr double kNaturalTolerance = 0.95;  // of what counts as reached

/// Of the rest weight. So little that a limb near full stretch, where the prior has the longest lever, meets its target
/// in few rounds of multipliers; not so little that solves far from their end take more steps.
constexpr double kPriorWeight = 0.1;

/// The pose that the regulariser pulls to.
Pose referencePose(const Document& document, const PosingRequest& request) {
  if (document.solver.reference == RestReference::RestPose && !request.pullsToStart) return restPose(*document.figure);
  return request.startPose ? onTurnOf(document, *request.startPose) : document.pose;
}

Regulariser pullToRest(const Document& document, const PosingRequest& request, const Pose& reference) {
  const std::vector<double> values = rigidities(document, request.freeRoot);
  if (!request.staying->isOn()) return {*document.figure, reference, document.solver.restWeight, values};
  std::vector<double> weights;
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    const double soft = 1.0 - values[static_cast<std::size_t>(i)];
    weights.push_back(document.solver.restWeight * request.staying->resistance(i) / (soft * soft));
  }
  return {*document.figure, reference, weights};
}

PosedGoal posedGoal(const DragGoal& drag, const char* name, double weight) {
  PosedGoal posed{.item = itemOf(drag)};
  posed.item.id = -1;
  posed.item.name = name;
  posed.item.weight = weight;
  return posed;
}

PosedGoal posedPlanted(const GoalItem& item, const Branches& branches) {
  PosedGoal posed{.item = item, .isLive = isLive(branches, item)};
  posed.isGentle = item.type == GoalType::Swivel;
  if (posed.isGentle) posed.item.weight *= kSwivelWeight;
  return posed;
}

/// A natural pose meets its targets exactly: a weak prior would hold them off.
void meetExactly(const Document& document, std::vector<PosedGoal>& goals) {
  for (PosedGoal& goal : goals) {
    if (goal.isHard || goal.isGentle || goal.item.type == GoalType::KeepPose) continue;
    goal.isExact = true;
    goal.tolerance = kNaturalTolerance * document.solver.reachedTolerance;
  }
}

PosedGoal posedHold(const DragGoal& hold) {
  PosedGoal posed = posedGoal(hold, "held point", kHardWeight * hold.weight);
  posed.isHard = true;
  if (hold.frame) {
    posed.item.type = hold.isTurnAlone ? GoalType::Orientation : GoalType::PositionOrientation;
    posed.item.targetFrame = *hold.frame;
    if (!hold.isTurnAlone) posed.item.weight *= 2.0;  // each half of it its own
  }
  return posed;
}

PosedGoal posedPin(const Pin& pin) {
  PosedGoal posed;
  posed.pinnedLink = pin.link;
  posed.isHard = true;
  posed.item.id = -1;
  posed.item.name = "pin";
  posed.item.link = pin.link;
  posed.item.pointInLink = pin.pointInLink;
  posed.item.target = pin.worldFromLink * pin.pointInLink;
  posed.item.targetFrame = pin.worldFromLink.rotation;
  posed.item.weight = kHardWeight;
  posed.item.type = pin.position ? GoalType::Position : GoalType::Orientation;
  if (pin.position && pin.rotation) {
    posed.item.type = GoalType::PositionOrientation;
    posed.item.weight = 2.0 * kHardWeight;  // each half of it its own
  }
  return posed;
}

/// The pose that a drag began with: what stands then is what carries the figure to its end. Nothing when no balance is
/// kept, or the figure cannot lose it.
std::optional<Kinematics> startOfBalance(const Document& document, const PosingRequest& request) {
  if (!document.keepsBalance || !CentreOfMassGoal::isDefined(*document.figure)) return std::nullopt;
  const Pose& pose = request.startPose ? *request.startPose : document.pose;
  if (!isValid(*document.figure, pose)) return std::nullopt;
  Kinematics kinematics;
  computeTransforms(*document.figure, pose, kinematics);
  if (plantedLinks(document, kinematics).empty()) return std::nullopt;
  return kinematics;
}

bool isHeld(const PosingRequest& request, int link) {
  return std::ranges::any_of(request.holds, [&](const DragGoal& hold) { return hold.link == link; });
}

/// What keeping balance asks beside the document: the root may move, and what carries the figure stays.
PosingRequest withBalance(const Document& document, PosingRequest request, const Kinematics& start) {
  request.freeRoot = true;
  const Figure& figure = *document.figure;
  const std::vector<int> planted = plantedLinks(document, start);
  std::vector<int> held;
  for (int link = 0; link < figure.linkCount(); ++link) {
    const auto carries = [&](int foot) { return figure.isAncestorOrSelf(foot, link); };  // a foot's toes carry, too
    if (std::any_of(planted.begin(), planted.end(), carries) && !figure.link(link).capsules.empty() &&
        !isWhollyPinned(document, link) && !isHeld(request, link))
      held.push_back(link);
  }
  for (const DragGoal& hold : holdLinks(figure, start, held)) request.holds.push_back(hold);
  return request;
}

PosedGoal posedBalance(const Document& document, const Kinematics& start) {
  PosedGoal posed;
  posed.isHard = true;
  posed.item.id = -1;
  posed.item.name = "balance";
  posed.item.type = GoalType::CentreOfMass;
  posed.item.weight = kBalanceWeight;
  posed.support = supportSides(supportPolygon(*document.figure, start, plantedLinks(document, start)),
                               kSupportMargin * document.figure->meanLinkLength());
  return posed;
}

std::vector<PosedGoal> posedGoals(const Document& document, const PosingRequest& request, const Branches& branches) {
  std::vector<PosedGoal> goals;
  for (const GoalItem& item : document.goals)
    if (item.enabled) goals.push_back(posedPlanted(item, branches));
  if (request.drag) goals.push_back(posedGoal(*request.drag, "drag", request.drag->weight));
  for (const GoalItem& image : request.images) goals.push_back(posedPlanted(image, branches));
  for (const DragGoal& hold : request.holds) goals.push_back(posedHold(hold));
  for (const Pin& pin : document.pins)
    if (pin.position || pin.rotation) goals.push_back(posedPin(pin));
  return goals;
}

std::string findFault(const Document& document, const std::vector<PosedGoal>& goals) {
  if (goals.empty()) return "no goal: add one, or drag a link";
  const SolverSettings& settings = document.solver;
  const auto isWeight = [](double weight) { return weight >= 0.0 && std::isfinite(weight); };
  if (!isWeight(settings.targetWeight)) return "the target weight is not a number >= 0";
  if (!isWeight(settings.restWeight)) return "the rest weight is not a number >= 0";
  if (!isValid(*document.figure, document.pose)) return "the pose holds a number that is not finite";
  for (const PosedGoal& goal : goals)
    if (std::string fault = limber::findFault(goal.item, *document.figure); !fault.empty()) return fault;
  return {};
}

std::unique_ptr<Goal> makePosed(const PosedGoal& posed, const Figure& figure, double weight) {
  if (posed.support.empty()) return makeGoal(posed.item, figure, weight);
  return std::make_unique<SupportGoal>(figure, posed.support, weight, figure.meanLinkLength());
}

/// What a goal may use. A drag reaches for everything; what is held only keeps still.
JointChain chainOf(const PosedGoal& goal) {
  const bool isDrag = goal.item.id < 0 && !goal.isHard;
  return {.links = isDrag ? std::vector<int>{} : linksOf(goal.item), .joints = goal.item.chain,
          .onlyCompensates = goal.isHard && goal.support.empty()};
}

/// The chains of the goals that count; `fault` names the first goal, counting or not, whose chain cannot move.
ChainUnion uniteChainsOf(const Document& document, const std::vector<PosedGoal>& goals,
                         const PosingRequest& request, std::string& fault) {
  const Couplings couplings(*document.figure, document.couplingEnabled);
  const std::vector<char> usable = usableCoordinates(document, request);
  std::vector<JointChain> all, live;
  for (const PosedGoal& goal : goals) {
    all.push_back(chainOf(goal));
    if (goal.isLive) live.push_back(all.back());
  }
  ChainUnion chains = uniteChains(*document.figure, couplings, all, usable);
  for (std::size_t i = 0; i < goals.size() && fault.empty(); ++i)
    if (chains.isEmpty[i])
      fault = goalInWords(goals[i].item) + ": no joint of its chain can move: all are fixed, locked or rigid";
  return live.size() == all.size() ? chains : uniteChains(*document.figure, couplings, live, usable);
}

/// The prior on the figure; false with the problem's fault where there is none.
bool findBody(const Document& document, Problem& problem) {
  if (!document.posePrior) {
    problem.fault = "reference natural: the file of the pose prior has not been read";
    return false;
  }
  if (auto body = findBodyPrior(document, *document.posePrior))
    problem.body = std::make_shared<const BodyPrior>(std::move(*body));
  else
    problem.fault = "reference natural: " + document.figure->name() +
                    " has no human body: neither its names nor its shape tell arms, legs and head";
  return problem.body != nullptr;
}

/// What the objective moves; where goals are alternatives, whatever some choice of them could move.
std::vector<char> mayMove(const Document& document, const Problem& problem, const PosingRequest& request) {
  const bool hasChoice = std::any_of(problem.goals.begin(), problem.goals.end(),
                                     [](const PosedGoal& goal) { return goal.item.anyOf >= 0; });
  if (!hasChoice) return movesOf(*problem.objective);
  const Couplings couplings(*document.figure, document.couplingEnabled);
  std::vector<char> moves = usableCoordinates(document, request);
  for (const Couplings::Follower& follower : couplings.followers())
    moves[static_cast<std::size_t>(follower.coordinate)] = 1;
  return moves;
}

}  // namespace

GoalItem itemOf(const DragGoal& drag) {
  return {.link = drag.link, .pointInLink = drag.pointInLink, .target = drag.target, .chain = drag.chain,
          .weight = drag.weight};
}

std::string tooManyCoordinates(int count) {
  return std::to_string(count) + " active coordinates are too many for a dense Hessian: at most " +
         std::to_string(kMaxDenseCoordinates);
}

Regulariser keepPoseOf(const Document& document, const GoalItem& goal, double weight) {
  const Figure& figure = *document.figure;
  std::vector<double> weights(static_cast<std::size_t>(figure.linkCount()), goal.chain.empty() ? weight : 0.0);
  for (const int joint : goal.chain) weights[static_cast<std::size_t>(joint)] = weight;
  return {figure, onTurnOf(document, goal.kept), weights};
}

Limits limitsOf(const Document& document) {
  Limits limits;
  for (const JointSettings& settings : document.joints) {
    limits.intervals.push_back(settings.limits);
    limits.balls.push_back(settings.ballLimits);
  }
  limits.couplingEnabled = document.couplingEnabled;
  limits.linearLimitEnabled = document.linearLimitEnabled;
  return limits;
}

bool isNatural(const Document& document, const PosingRequest& request) {
  if (request.natural) return true;
  return document.solver.reference == RestReference::Natural && !request.drag && !request.startPose;
}

Pose naturalStart(const Document& document, const Problem& problem) {
  std::vector<WantedPlace> wanted;
  for (const PosedGoal& goal : problem.goals) {
    const bool hasPlace = goal.item.type == GoalType::Position ||
                          (goal.item.type == GoalType::PositionOrientation && goal.item.positionShare > 0.0);
    if (goal.isLive && hasPlace) wanted.push_back({goal.item.link, goal.item.pointInLink, goal.item.target});
  }
  return priorStart(document, *problem.body, document.pose, wanted);
}

PosingRequest wholeRequest(const Document& document, const PosingRequest& asked) {
  PosingRequest request = asked;
  if (!request.staying || !request.staying->fits(document, request))
    request.staying = std::make_shared<const Staying>(document, request);
  if (!request.staying->holds().empty()) {
    request.freeRoot = true;
    for (const DragGoal& hold : request.staying->holds())
      if (!isHeld(asked, hold.link)) request.holds.push_back(hold);
  }
  const auto start = startOfBalance(document, request);
  return start ? withBalance(document, request, *start) : request;
}

bool fitsContacts(const Problem& problem, std::span<const LiveContact> contacts) {
  return std::equal(problem.contacts.begin(), problem.contacts.end(), contacts.begin(), contacts.end(),
                    [](const PosedContact& posed, const LiveContact& live) { return posed.pair == live.pair; });
}

void setPlanes(Problem& problem, std::span<const LiveContact> contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i)
    problem.contacts[i].goal->setPlane(contacts[i].normal, contacts[i].gap);
}

Problem makeProblem(const Document& document, const PosingRequest& asked, const Branches& branches,
                    const Pose* reference, std::span<const LiveContact> contacts) {
  Problem problem;
  PosingRequest request = asked.staying ? asked : wholeRequest(document, asked);
  const bool isPrior = isNatural(document, request);
  if (isPrior) request.freeRoot = true;
  const Staying& staying = *request.staying;
  const auto start = startOfBalance(document, request);
  problem.goals = posedGoals(document, request, branches);
  if (isPrior) meetExactly(document, problem.goals);
  for (PosedGoal& posed : problem.goals)
    posed.isPulled = !posed.isHard && posed.isLive && staying.isPulled(posed.item);
  if (start && !problem.goals.empty()) problem.goals.push_back(posedBalance(document, *start));
  problem.fault = findFault(document, problem.goals);
  if (!problem.fault.empty()) return problem;
  problem.chains = uniteChainsOf(document, problem.goals, request, problem.fault);
  if (!problem.fault.empty()) return problem;
  if (isPrior && !findBody(document, problem)) return problem;

  std::vector<std::unique_ptr<Goal>> goals;
  std::vector<Regulariser> keepPoses;
  for (PosedGoal& posed : problem.goals) {
    if (!posed.isLive) continue;
    const double weight = posed.item.weight * document.solver.targetWeight;
    if (posed.item.type == GoalType::KeepPose) {
      keepPoses.push_back(keepPoseOf(document, posed.item, weight));
      continue;
    }
    posed.place = static_cast<int>(goals.size());
    goals.push_back(makePosed(posed, *document.figure, weight));
  }
  for (const LiveContact& contact : contacts) {
    const double weight = kHardWeight * document.solver.targetWeight, unit = document.figure->meanLinkLength();
    auto goal = contact.otherLine.link < 0
                    ? std::make_unique<ClearanceGoal>(contact.line, weight, unit)
                    : std::make_unique<ClearanceGoal>(contact.line, contact.otherLine, weight, unit);
    problem.contacts.push_back({contact.pair, static_cast<int>(goals.size()), goal.get()});
    goals.push_back(std::move(goal));
  }
  setPlanes(problem, contacts);
  problem.reference = problem.body ? problem.body->mean : reference ? *reference : referencePose(document, request);
  const double priorWeight = kPriorWeight * document.solver.restWeight;
  FeasibleSet feasibleSet(*document.figure, limitsOf(document));
  StayTerm stay;
  if (staying.isOn()) stay = staying.term(movesOf(*document.figure, problem.chains.active, feasibleSet.couplings()));
  Regulariser regulariser = problem.body
                                ? regulariserOf(*document.figure, *problem.body, priorWeight)
                                : pullToRest(document, request, problem.reference);
  if (problem.body)
    for (auto& goal : priorGoals(*problem.body, *document.posePrior, priorWeight))
      goals.push_back(std::move(goal));
  problem.objective = std::make_unique<Objective>(document.figure, std::move(goals), std::move(regulariser),
                                                  std::move(feasibleSet), problem.chains.active, std::move(keepPoses),
                                                  std::move(stay));
  for (const PosedGoal& posed : problem.goals)
    if (posed.isPulled && posed.place >= 0)
      problem.objective->setForceLimit(posed.place, staying.forceLimit() * posed.item.weight);
  problem.mayMove = mayMove(document, problem, request);
  problem.fault = problem.objective->feasibleSet().fault();
  if (problem.fault.empty()) problem.fault = problem.objective->feasibleSet().fault(document.pose);
  if (!problem.fault.empty()) problem.objective.reset();
  return problem;
}

std::vector<char> movesOf(const Figure& figure, std::span<const int> active, const Couplings& couplings) {
  std::vector<char> moves(static_cast<std::size_t>(figure.stepSize()), 0);
  for (const int c : active) moves[static_cast<std::size_t>(c)] = 1;
  for (const Couplings::Follower& follower : couplings.followers())
    for (const Couplings::Term& term : couplings.termsOf(follower))
      if (std::ranges::binary_search(active, term.driver)) moves[static_cast<std::size_t>(follower.coordinate)] = 1;
  return moves;
}

bool hasIdleRigidities(const Document& document, const Objective& objective) {
  if (document.solver.restWeight > 0.0) return false;
  const Figure& figure = *document.figure;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const bool isActive = stepSize(figure.joint(i).type) > 0 && objective.activeIndex(figure.joint(i).stepIndex) >= 0;
    if (isActive && document.joints[static_cast<std::size_t>(i)].rigidity > 0.0) return true;
  }
  return false;
}

Problem makeProblemToJudge(const Document& document) {
  Problem problem = makeProblem(document, {});
  if (problem.objective || !problem.goals.empty()) return problem;
  return makeProblem(document, {.drag = DragGoal{.link = document.figure->linkCount() - 1}});
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

std::vector<char> movesOf(const Objective& objective) {
  std::vector<char> moves(static_cast<std::size_t>(objective.figure().stepSize()), 0);
  for (const int c : objective.moving()) moves[static_cast<std::size_t>(c)] = 1;
  return moves;
}

std::string findLimitFault(const Document& document, const Solver& solver, const Problem& problem) {
  if (document.solver.insist || solver.limitHandling() != LimitHandling::None) return {};
  const Figure& figure = *document.figure;
  std::string limited;
  const std::vector<char> moves = movesOf(*problem.objective);
  const auto isMoving = [&](int i) {
    const Joint& joint = figure.joint(i);
    return stepSize(joint.type) > 0 && moves[static_cast<std::size_t>(joint.stepIndex)] != 0;
  };
  for (int i = 0; i < figure.linkCount() && limited.empty(); ++i) {
    const JointSettings& settings = document.joints[static_cast<std::size_t>(i)];
    const JointType type = figure.joint(i).type;
    const bool isScalar = type == JointType::Revolute || type == JointType::Prismatic;
    const bool isLimited = (isScalar && settings.limits.isBounded()) ||
                           (type == JointType::Ball && settings.ballLimits.isBounded());
    if (isLimited && isMoving(i)) limited = figure.joint(i).name;
  }
  for (std::size_t i = 0; i < figure.linearLimits().size() && limited.empty(); ++i) {
    const LinearLimit& limit = figure.linearLimits()[i];
    const auto ties = [&](const LinearLimit::Term& term) { return isMoving(term.joint); };
    if (document.linearLimitEnabled[i] && std::any_of(limit.terms.begin(), limit.terms.end(), ties))
      limited = limit.name;
  }
  if (limited.empty()) return {};
  return "solver \"" + std::string(solver.name()) + "\" is not exact about limits, and " + limited +
         " has some: choose one that is, such as \"newton\", or insist (\"insist\": true)";
}

}  // namespace limber

// SPDX-License-Identifier: MIT
#include "limber/proof/reach_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <deque>
#include <optional>

#include "limber/posing/loop_keeper.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/refinements/multipliers.h"
#include "limber/proof/reach_bound.h"
#include "limber/solvers/registry.h"
#include "limber/solvers/steps/random_pose.h"

namespace limber {

namespace {

using Eigen::Vector3d;

constexpr double kWidening = 1.0 + 1e-6;                   // of the ball: its cells contain points at full stretch
constexpr double kTargetWeight = 1e3, kRestWeight = 1e-3;  // the pull only holds joints that are not needed
constexpr int kMaxIterations = 60;                         // cap of one solve
constexpr double kPinsHoldWithin = 1e-4;                   // mean link lengths, radians: tolerance of pins
constexpr int kFloodTries = 3;                             // per cell, from adjacent cells
constexpr int kNeighbourTries = 4;                         // per boundary cell, from poses of cells around it
constexpr int kAimRounds = 3;                              // of aiming at the nearest point of the cell
constexpr double kAimInside = 0.02;                        // of the edge: distance of such a point inside the cell
constexpr int kCloudBatch = 500;                           // random poses per batch, as long as batches find many cells
constexpr int kMaxCloudBatches = 60;
constexpr int kFewNew = 50;       // new cells in a batch
constexpr int kPinnedSeeds = 60;  // random points to solve for if there are pins
constexpr int kCuts = 3;          // how often a cell that was not found is split into parts to be excluded one by one
constexpr int kTold = 32;         // cells between two calls of the observer

/// The problem with a single goal and no competing terms.
IkProblem documentToReach(const IkProblem& problem, const ReachQuestion& question) {
  IkProblem own = problem;
  own.goals = {{.id = 1, .name = "end effector", .link = question.link, .pointInLink = question.pointInLink}};
  own.obstacles.clear();
  own.selfAvoidance = SelfAvoidance::Off;
  own.keepsBalance = false;
  own.solver = {};
  own.solver.targetWeight = kTargetWeight;
  own.solver.restWeight = kRestWeight;
  own.solver.reference = RestReference::StartPose;
  return own;
}

std::string questionFault(const IkProblem& problem, const ReachQuestion& question) {
  if (question.link < 0 || question.link >= problem.figure->linkCount()) return "there is no such link";
  if (!question.pointInLink.allFinite()) return "the end effector's point is not finite";
  if (question.cellsAcross < kMinReachCells || question.cellsAcross > kMaxReachCells)
    return "cells across must be from " + std::to_string(kMinReachCells) + " to " + std::to_string(kMaxReachCells);
  if (question.starts < 0 || question.starts > 100) return "starts must be from 0 to 100";
  return {};
}

/// The data of a search, with the grid.
struct Ground {
  IkProblem problem;
  PosedProblem posed;
  Pose pose;                ///< the problem's, within its limits
  std::vector<char> moves;  ///< one per step coordinate
  std::vector<ReachChain> chains;
  Vector3d place;        ///< position of the end effector at `pose`
  bool isFixed = false;  ///< it cannot move
  ReachMap map;
  std::string fault;
};

Vector3d placeIn(const Figure& figure, const Pose& pose, const ReachQuestion& question, Kinematics& kinematics) {
  computeTransforms(figure, pose, kinematics);
  return kinematics.worldFromLink[question.link] * question.pointInLink;
}

/// The smallest ball that is proved to contain all positions, over all chains.
std::optional<ReachChain::Ball> smallestBall(const std::vector<ReachChain>& chains) {
  std::optional<ReachChain::Ball> best;
  for (const ReachChain& chain : chains)
    if (chain.unbounded.empty() && (!best || chain.ball().radius < best->radius)) best = chain.ball();
  return best;
}

void layGrid(const ReachQuestion& question, const ReachChain::Ball& ball, Ground& ground) {
  const Figure& figure = *ground.problem.figure;
  ReachMap& map = ground.map;
  map.isPlanar = figure.isPlanar();
  const double radius = kWidening * ball.radius;
  const bool isPoint = ground.isFixed || !(radius > 1e-9 * figure.meanLinkLength());
  map.edge = 2.0 * (isPoint ? figure.meanLinkLength() : radius) / question.cellsAcross;
  const int across = isPoint ? 1 : question.cellsAcross + 2;
  map.size = {across, across, map.isPlanar ? 1 : across};
  map.corner = (isPoint ? ground.place : ball.centre) - Vector3d::Constant(0.5 * across * map.edge);
  if (map.isPlanar) map.corner.z() = ground.place.z();
  map.cells.assign(map.cellCount(), CellState::Undecided);
}

Ground prepareGround(const IkProblem& problem, const ReachQuestion& question) {
  Ground ground;
  ground.fault = questionFault(problem, question);
  if (!ground.fault.empty()) return ground;
  ground.problem = documentToReach(problem, question);
  ground.pose = problem.pose;
  const Figure& figure = *problem.figure;
  ground.moves.assign(figure.stepSize(), 0);
  ground.posed = makeProblem(ground.problem, {});
  const PosedProblem& posed = ground.posed;
  if (!posed.objective && (posed.chains.isEmpty.empty() || !posed.chains.isEmpty.front())) {
    ground.fault = posed.fault;
    return ground;
  }
  if (posed.objective) {
    posed.objective->feasibleSet().project(ground.pose);
    for (const int c : posed.objective->moving()) ground.moves[c] = 1;
  }
  Kinematics kinematics;
  ground.place = placeIn(figure, ground.pose, question, kinematics);
  ground.chains = reachChains(ground.problem, ground.pose, ground.moves, question.link, question.pointInLink);
  ground.isFixed = std::ranges::any_of(
      ground.chains, [](const ReachChain& chain) { return chain.motions.empty() && chain.unbounded.empty(); });
  const auto ball = smallestBall(ground.chains);
  if (!ball) ground.fault = "the workspace has no bounds: " + ground.chains.front().unbounded + " slides without end";
  else if (!std::isfinite(ball->radius)) ground.fault = "the figure's lengths are not finite";
  else layGrid(question, *ball, ground);
  return ground;
}

class ReachSearch {
 public:
  ReachSearch(Ground ground, const ReachQuestion& question, const ReachObserver& observer, ReachAnswer& answer)
      : ground_(std::move(ground)), question_(question), observer_(observer), answer_(answer), map_(answer.map) {
    map_ = ground_.map;
    counts_ = map_.counts();
    answer_.around = ground_.pose;
    answer_.keptAt.assign(map_.cells.size(), -1);
    const Figure& figure = *ground_.problem.figure;
    for (int i = 0; i < figure.linkCount(); ++i) {
      const Joint& joint = figure.joint(i);
      const auto first = ground_.moves.begin() + joint.stepIndex;
      if (std::any_of(first, first + stepSize(joint.type), [](char moves) { return moves != 0; }))
        for (int k = 0; k < poseSize(joint.type); ++k) answer_.changing.push_back(joint.poseIndex + k);
    }
    noteStanding();
  }

  void run() {
    if (ground_.isFixed || !ground_.posed.objective) {
      take(map_.cellAt(ground_.place), ground_.pose);
      return;
    }
    prepareSolver();
    if (!ruleOut() || !begin()) return;
    if (scatter() && flood()) decideRest();
  }

 private:
  const Objective& objective() const { return *ground_.posed.objective; }
  const Figure& figure() const { return *ground_.problem.figure; }
  CellState stateOf(int cell) const { return map_.state(cell); }
  void setState(int cell, CellState state) {
    --counts_[static_cast<std::size_t>(stateOf(cell))];
    ++counts_[static_cast<std::size_t>(state)];
    map_.cells[cell] = state;
  }
  bool isOpen(int cell) const { return stateOf(cell) == CellState::Undecided || stateOf(cell) == CellState::NotFound; }
  Vector3d placeOf(const Pose& pose) { return placeIn(figure(), pose, question_, kinematics_); }

  /// Joints above the end effector, a pin or a side of a loop that do not move: the map depends on their values.
  void noteStanding() {
    std::vector<char> isAbove(figure().linkCount(), 0);
    const auto mark = [&](int link) {
      for (; link >= 0; link = figure().link(link).parent) isAbove[link] = 1;
    };
    mark(question_.link);
    for (const Pin& pin : ground_.problem.pins) mark(pin.link);
    for (const LoopClosure& loop : figure().loops()) {
      mark(loop.link);
      mark(loop.other);
    }
    for (int i = 0; i < figure().linkCount(); ++i) {
      const Joint& joint = figure().joint(i);
      for (int k = 0; k < poseSize(joint.type) && isAbove[i] != 0; ++k)
        if (!std::ranges::binary_search(answer_.changing, joint.poseIndex + k))
          answer_.standing.push_back(joint.poseIndex + k);
    }
  }

  void prepareSolver() {
    solver_ = allSolvers().front();
    options_ = defaultOptions(*solver_);
    for (const PosedGoal& goal : ground_.posed.goals) hasPins_ = hasPins_ || goal.isExact();
    loops_ = LoopKeeper(ground_.problem, objective().active());
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(objective().activeCount());
    objective().feasibleSet().findFreeSpace(ground_.pose, gradient, space_);
    tries_.assign(map_.cells.size(), 0);
    watcher_.search = this;
  }

  bool tell(ReachProgress::Phase phase, double part) {
    if (!observer_) return true;
    ReachProgress progress{.phase = phase, .part = part, .counts = counts_};
    if (!observer_(progress)) answer_.isCancelled = true;
    return !answer_.isCancelled;
  }
  bool tellNowAndThen(ReachProgress::Phase phase, double part) { return ++words_ % kTold != 0 || tell(phase, part); }

  /// Marks the cells that are proved unreachable.
  bool ruleOut() {
    const int nodes = map_.isPlanar ? std::clamp(3 * question_.cellsAcross, 64, 320)
                                    : std::clamp(5 * question_.cellsAcross / 4, 24, 64);
    const double plane = map_.corner.z();
    const auto count = static_cast<double>(ground_.chains.size());
    for (std::size_t i = 0; i < ground_.chains.size(); ++i) {
      const auto watch = [&](double part) {
        return tell(ReachProgress::Phase::Bound, kBoundPart * (static_cast<double>(i) + part) / count);
      };
      bounds_.emplace_back(ground_.chains[i], nodes, map_.isPlanar ? &plane : nullptr, watch);
      if (answer_.isCancelled) return false;
    }
    if (hasPins_) pinSlack_ = kPinsHoldWithin * (figure().meanLinkLength() + map_.edge * question_.cellsAcross);
    for (int cell = 0; cell < map_.cellCount(); ++cell) {
      if (isRuledOut(map_.centreOf(cell), map_.edge, 0)) setState(cell, CellState::ProvedOutside);
      if (cell % 1024 == 0 && !tell(ReachProgress::Phase::Bound, kBoundPart)) return false;
    }
    return true;
  }

  /// True if no pose reaches the cube (square) of this centre and edge, which may be split into parts `cuts` times.
  bool isRuledOut(const Vector3d& centre, double edge, int cuts) const {
    const double radius = 0.5 * edge * std::sqrt(map_.isPlanar ? 2.0 : 3.0) + pinSlack_;
    if (std::ranges::any_of(bounds_, [&](const ReachBound& bound) { return bound.excludes(centre, radius); }))
      return true;
    if (cuts == 0) return false;
    for (int part = 0; part < (map_.isPlanar ? 4 : 8); ++part) {
      const Vector3d off((part & 1) - 0.5, (part >> 1 & 1) - 0.5, map_.isPlanar ? 0.0 : (part >> 2 & 1) - 0.5);
      if (!isRuledOut(centre + 0.5 * edge * off, 0.5 * edge, cuts - 1)) return false;
    }
    return true;
  }

  /// Begins with the cell of the problem's own pose.
  bool begin() {
    Pose pose = ground_.pose;
    const bool isClosed = loops_.close(pose);
    if (!hasPins_ && isClosed) take(map_.cellAt(placeOf(pose)), pose);
    else seek(ground_.pose, ground_.place, -1);
    if (queue_.empty())
      answer_.fault = isClosed ? "the pins cannot hold: no pose was found that meets all of them"
                               : "the loops cannot be closed: no pose was found that closes all of them";
    return !queue_.empty();
  }

  void take(int cell, const Pose& pose) {
    if (cell < 0 || answer_.keptAt[cell] >= 0) return;
    setState(cell, CellState::Reachable);
    answer_.keptAt[cell] = keptCount_++;
    for (const int k : answer_.changing) answer_.kept.push_back(pose.coordinates[k]);
    queue_.push_back(cell);
  }

  /// Receives the iterates of a solve without pins and loops: each is a pose within the limits and marks its cell as
  /// reachable.
  struct Watcher final : Observer {
    ReachSearch* search = nullptr;
    int wanted = -1;
    bool onIteration(const IterationRecord&, const Pose& pose) override {
      const int cell = search->map_.cellAt(search->placeOf(pose));
      search->take(cell, pose);
      return cell < 0 || cell != wanted;
    }
  };

  /// Solves for a target point; true if a pose put the end effector into the wanted cell. endPlace_ is its final
  /// position.
  bool seek(const Pose& from, const Vector3d& target, int wanted) {
    Pose pose = from;
    PosedProblem& posed = ground_.posed;
    posed.objective->setResidualShift(posed.goals.front().place,
                                      (posed.goals.front().item.target - target) / figure().meanLinkLength());
    watcher_.wanted = wanted;
    const bool isHeld = hasPins_ || loops_.isNeeded();
    if (isHeld) multipliers_.begin(ground_.problem.figure, posed);
    do {
      solver_->solve(objective(), pose, options_, workspace_, {kMaxIterations}, Start::Here,
                     isHeld ? nullptr : &watcher_);
      ++answer_.solves;
    } while (isHeld && multipliers_.update(posed, workspace_.current.residuals, pose));
    if (wanted >= 0 && stateOf(wanted) == CellState::Reachable) return true;
    if (!isValid(figure(), pose) || !loops_.close(pose)) return false;
    endPlace_ = placeOf(pose);
    if (!hasPins_ || pinsHold()) take(map_.cellAt(endPlace_), pose);
    return wanted >= 0 && stateOf(wanted) == CellState::Reachable;
  }

  bool pinsHold() const {
    return std::ranges::all_of(ground_.posed.goals, [&](const PosedGoal& goal) {
      if (!goal.isExact()) return true;
      const Residual left = workspace_.current.residuals[goal.place] - objective().residualShift(goal.place);
      return left.norm() <= kPinsHoldWithin;
    });
  }

  Pose randomPoseFrom(RandomStream& random) {
    Pose pose;
    randomizePose(objective(), space_, ground_.pose, random, pose);
    return pose;
  }

  /// Random poses: seeds for regions that are not connected to the problem's pose, and a quick start for the rest.
  bool scatter() {
    RandomStream random(1);
    if (hasPins_) {
      for (int i = 0; i < kPinnedSeeds; ++i) {
        const Pose pose = randomPoseFrom(random);
        seek(pose, placeOf(pose), -1);
        if (!tellNowAndThen(ReachProgress::Phase::Flood, kBoundPart)) return false;
      }
      return true;
    }
    for (int batch = 0; batch < kMaxCloudBatches; ++batch) {
      const int before = keptCount_;
      for (int i = 0; i < kCloudBatch; ++i) {
        Pose pose = randomPoseFrom(random);
        if (loops_.close(pose)) take(map_.cellAt(placeOf(pose)), pose);
      }
      if (!tell(ReachProgress::Phase::Flood, kBoundPart)) return false;
      if (keptCount_ - before < kFewNew) break;
    }
    return true;
  }

  /// Solves from every reached cell toward the open cells next to it.
  bool flood() {
    while (!queue_.empty()) {
      const int cell = queue_.front();
      queue_.pop_front();
      for (int axis = 0; axis < (map_.isPlanar ? 2 : 3); ++axis)
        for (const int side : {-1, 1}) {
          std::array<int, 3> place = map_.placeOf(cell);
          place[axis] += side;
          const int next = map_.cellAt(place);
          if (next < 0 || !isOpen(next) || tries_[next] >= kFloodTries) continue;
          ++tries_[next];
          seek(answer_.poseOf(cell), map_.centreOf(next), next);
        }
      const double part = 1.0 - static_cast<double>(queue_.size()) / std::max(1, keptCount_);
      if (!tellNowAndThen(ReachProgress::Phase::Flood, kBoundPart + kFloodPart * part)) return false;
    }
    return true;
  }

  /// Open cells, those next to reached ones first, each with the nearest reached cell in steps from cell to cell.
  std::vector<std::pair<int, int>> openCells() {
    std::vector<int> source(map_.cells.size(), -1);
    std::vector<int> front;
    std::vector<std::pair<int, int>> open;
    for (int cell = 0; cell < map_.cellCount(); ++cell)
      if (stateOf(cell) == CellState::Reachable) {
        source[cell] = cell;
        front.push_back(cell);
      }
    for (std::size_t at = 0; at < front.size(); ++at)
      for (const int next : neighbours(front[at])) {
        int& from = source[next];
        if (from >= 0) continue;
        from = source[front[at]];
        front.push_back(next);
        if (isOpen(next)) open.emplace_back(next, from);
      }
    return open;
  }

  /// All cells that touch this one, nearest first.
  std::vector<int> neighbours(int cell) const {
    std::vector<int> found;
    const std::array<int, 3> place = map_.placeOf(cell);
    for (int distance = 1; distance <= 3; ++distance)
      for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
          for (int x = -1; x <= 1; ++x) {
            if (x * x + y * y + z * z != distance) continue;
            const std::array<int, 3> there = {place[0] + x, place[1] + y, place[2] + z};
            if (const int next = map_.cellAt(there); next >= 0) found.push_back(next);
          }
    return found;
  }

  /// Tries each open cell again from several poses, and floods from the cells that this reaches.
  bool decideRest() {
    const auto open = openCells();
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto [cell, source] = open[i];
      if (isOpen(cell) && !decide(cell, source))
        setState(cell,
                 isRuledOut(map_.centreOf(cell), map_.edge, kCuts) ? CellState::ProvedOutside : CellState::NotFound);
      if (!queue_.empty() && !flood()) return false;
      const double part = static_cast<double>(i + 1) / static_cast<double>(open.size());
      if (!tellNowAndThen(ReachProgress::Phase::Boundary, kBoundPart + kFloodPart + kRestPart * part)) return false;
    }
    return true;
  }

  bool decide(int cell, int source) {
    int tries = 0;
    for (const int next : neighbours(cell)) {
      if (stateOf(next) != CellState::Reachable) continue;
      if (aim(answer_.poseOf(next), cell)) return true;
      if (++tries == kNeighbourTries) break;
    }
    if (tries == 0 && aim(answer_.poseOf(source), cell)) return true;
    RandomStream random(static_cast<std::uint64_t>(cell) + 2);
    for (int i = 0; i < question_.starts; ++i)
      if (aim(randomPoseFrom(random), cell)) return true;
    return false;
  }

  /// Solves for the centre of the cell, then for the point of the cell nearest to the result.
  bool aim(const Pose& from, int cell) {
    const Vector3d centre = map_.centreOf(cell);
    const Vector3d half = Vector3d::Constant((0.5 - kAimInside) * map_.edge);
    Vector3d target = centre;
    for (int round = 0; round < kAimRounds; ++round) {
      if (seek(from, target, cell)) return true;
      const Vector3d nearest = endPlace_.cwiseMax(centre - half).cwiseMin(centre + half);
      if ((nearest - target).norm() < kAimInside * map_.edge) return false;
      target = nearest;
      if (map_.isPlanar) target.z() = centre.z();
    }
    return false;
  }

  static constexpr double kBoundPart = 0.3, kFloodPart = 0.4, kRestPart = 0.3;  // approximate parts of the work

  Ground ground_;
  const ReachQuestion& question_;
  const ReachObserver& observer_;
  ReachAnswer& answer_;
  ReachMap& map_;
  const Solver* solver_ = nullptr;
  OptionValues options_;
  Workspace workspace_;
  Multipliers multipliers_;
  LoopKeeper loops_;
  FreeSpace space_;
  Kinematics kinematics_;
  Watcher watcher_;
  bool hasPins_ = false;
  std::vector<unsigned char> tries_;  ///< tries of the flood, per cell
  std::deque<int> queue_;             ///< reached cells from which the flood has not continued yet
  int keptCount_ = 0, words_ = 0;
  std::array<int, 4> counts_{};     ///< cells of the map per state
  std::vector<ReachBound> bounds_;  ///< one per chain
  double pinSlack_ = 0.0;           ///< motion of the end effector that the tolerance of pins allows, metres
  Vector3d endPlace_ = Vector3d::Zero();
};

}  // namespace

Pose ReachAnswer::poseOf(int cell) const {
  Pose pose = around;
  const auto first = static_cast<std::size_t>(keptAt[cell]) * changing.size();
  for (std::size_t k = 0; k < changing.size(); ++k) pose.coordinates[changing[k]] = kept[first + k];
  return pose;
}

bool ReachAnswer::stillHolds(const Pose& pose) const {
  return std::ranges::all_of(standing, [&](int k) { return pose.coordinates[k] == around.coordinates[k]; });
}

std::string planReach(const IkProblem& problem, const ReachQuestion& question, ReachMap& map) {
  Ground ground = prepareGround(problem, question);
  map = std::move(ground.map);
  return ground.fault;
}

ReachAnswer findReachable(const IkProblem& problem, const ReachQuestion& question, const ReachObserver& observer) {
  const auto start = std::chrono::steady_clock::now();
  ReachAnswer answer;
  Ground ground = prepareGround(problem, question);
  answer.fault = ground.fault;
  if (answer.fault.empty()) ReachSearch(std::move(ground), question, observer, answer).run();
  answer.timeMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

std::vector<std::string> commentsOf(const IkProblem& problem, const ReachQuestion& question, const ReachMap& map) {
  const auto inText = [](double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", number);
    return std::string(text);
  };
  const Vector3d& p = question.pointInLink;
  return {"reachable workspace by Limber, metres, y up", "figure " + problem.figure->name(),
          "end effector: link " + problem.figure->link(question.link).name + ", at " + inText(p.x()) + " " +
              inText(p.y()) + " " + inText(p.z()) + " in it",
          "cell edge " + inText(map.edge) + " m", sentenceOf(map)};
}

}  // namespace limber

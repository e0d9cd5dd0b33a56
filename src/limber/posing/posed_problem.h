// SPDX-License-Identifier: MIT
// Builds the objective that a solver sees from a problem and a request.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/objective/joint_chain.h"
#include "limber/objective/objective.h"
#include "limber/posing/body_prior.h"
#include "limber/posing/completed_request.h"
#include "limber/posing/contacts.h"
#include "limber/posing/posed_goal.h"
#include "limber/posing/staying.h"

namespace limber {

/// Limit of active coordinates for methods with a dense Hessian, which then takes 800 MB.
inline constexpr int kMaxDenseCoordinates = 10000;
std::string tooManyCoordinates(int count);  ///< the sentence for the user

/// A contact pair in the objective. Contacts are always hard constraints.
struct PosedContact {
  ContactPair pair;
  int place = -1;                 ///< index in the objective, after all other goals
  ClearanceGoal* goal = nullptr;  ///< owned by the objective
};

/// The part of its input from which an objective was built, without the pose. retarget() compares it.
struct PosedOrigin {
  std::vector<GoalItem> goals;
  std::vector<Pin> pins;
  std::vector<JointSettings> joints;
  std::vector<char> couplingEnabled, linearLimitEnabled;
  double targetWeight = 0.0, restWeight = 0.0;
  RestReference reference = RestReference::RestPose;
  bool pullsToStart = false, freesRoot = false;
};

/// The weight of a loop, relative to that of targets. Its sides turn with the limbs, as those of contacts do, so that
/// it weighs less than a pin.
inline constexpr double kLoopWeight = 100.0;

/// A loop of the figure in the objective. Loops are always hard constraints.
struct PosedLoop {
  int loop = 0;    ///< index in Figure::loops
  int place = -1;  ///< index in the objective
};

struct PosedProblem {
  std::unique_ptr<Objective> objective;
  std::vector<PosedGoal> goals;
  std::vector<PosedContact> contacts;
  std::vector<PosedLoop> loops;           ///< those that the active coordinates move
  Pose reference;                         ///< to which the regulariser pulls
  std::shared_ptr<const BodyPrior> body;  ///< of a natural pose, else null
  ChainUnion chains;                      ///< of the live goals
  std::vector<char> mayMove;  ///< one entry per step coordinate: 1 if some choice of alternatives may change it, also
                              ///< as a follower
  std::string fault;          ///< empty, or why nothing can be solved
  std::optional<PosedOrigin> origin;  ///< if retarget() may bring it up to date
};

/// The start of a natural pose: the prior's mean, turned and shifted onto the targets.
Pose naturalStart(const IkProblem& problem, const PosedProblem& posed);

/// The problem's limits: those of the figure with the user's changes.
Limits limitsOf(const IkProblem& problem);

/// One entry per step coordinate: 0 if it is locked or rigid, else 1. With freeRoot, free roots count as unlocked.
std::vector<char> usableCoordinates(const IkProblem& problem, bool freeRoot);

/// Builds the objective; without one, `fault` says why.
/// branches   which alternatives are live; of an any-of that it does not contain, all are
/// reference  the pose of the pull to rest; null for that of problem and request
/// contacts   the live pairs; they add no coordinates
PosedProblem makeProblem(const IkProblem& problem, const CompletedRequest& request, const Branches& branches = {},
                         const Pose* reference = nullptr, std::span<const LiveContact> contacts = {});
PosedProblem makeProblem(const IkProblem& problem, const PosingRequest& request, const Branches& branches = {},
                         const Pose* reference = nullptr, std::span<const LiveContact> contacts = {});

/// Brings a problem up to date that was made for another pose, or other targets of the problem's goals, and is else the
/// same; nothing is allocated, except for a new target of the centre of mass. False if it must be made anew: it is then
/// no longer valid. The bits of the objective are those of makeProblem(problem, request).
bool retarget(PosedProblem& posed, const IkProblem& problem, const CompletedRequest& request);
/// What retarget() needs to know; empty if the objective has terms that depend on more than goals, pins and settings.
std::optional<PosedOrigin> originOf(const IkProblem& problem, const CompletedRequest& request);

/// reference = the pose of the pull to rest.
void findReference(const IkProblem& problem, const CompletedRequest& request, Pose& reference);
/// Moves each angle of a pose that may turn fully to the same turn as in the problem's pose, which has been wrapped.
void putOnTurn(const IkProblem& problem, Pose& pose);

/// selected = one entry per goal of the objective: 1 for the goals that count and outrank at least this number of
/// priorities, hard goals, contacts and loops. A solve meets them exactly if it can.
void findGoalsToMeet(const PosedProblem& posed, int outranked, std::vector<char>& selected);

/// True if rigidities are set but have no effect because the rest weight is 0.
bool hasIdleRigidities(const IkProblem& problem, const Objective& objective);

/// One entry per step coordinate of the figure: 1 if it is active or follows an active one.
std::vector<char> movesOf(const Figure& figure, std::span<const int> active, const Couplings& couplings);
/// One entry per step coordinate of the figure: 1 if the objective may change it, also as a follower.
std::vector<char> movesOf(const Objective& objective);
void findMoves(const Objective& objective, std::vector<char>& moves);

/// True if the problem has goals for exactly these pairs, in this order.
bool fitsContacts(const PosedProblem& posed, std::span<const LiveContact> contacts);
/// Sets the planes of the contacts.
void setPlanes(PosedProblem& posed, std::span<const LiveContact> contacts);

/// The problem for asking whether a solver accepts it (Solver::refusal). Without goals it has a drag of the last link.
PosedProblem makeProblemToJudge(const IkProblem& problem);

/// The pull of a keep-pose goal with its effective weight, on the joints of its chain.
Regulariser keepPoseOf(const IkProblem& problem, const GoalItem& goal, double weight);

/// Option values of the problem's solver: the registry's defaults with the problem's changes. On failure empty, and
/// `fault` says which option or solver is unknown or out of range.
OptionValues solverOptions(const SolverSettings& settings, std::string& fault);
/// The same for another solver with the problem's changes. Returns the fault; `values` is then empty.
std::string takeSolverOptions(const SolverSettings& settings, const std::string& solver, OptionValues& values);

/// Empty, or a sentence that the solver does not treat the problem's limits exactly, and how to insist.
std::string findLimitFault(const IkProblem& problem, const Solver& solver, const PosedProblem& posed);

}  // namespace limber

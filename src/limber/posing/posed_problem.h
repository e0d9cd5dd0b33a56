// SPDX-License-Identifier: MIT
// From a problem and what a drag asks beside it to the objective that a solver sees.
#pragma once

#include <memory>
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

/// Most active coordinates of which the square is kept: a dense Hessian of them takes 800 MB.
inline constexpr int kMaxDenseCoordinates = 10000;
std::string tooManyCoordinates(int count);  ///< the sentence that says so

/// A pair that keeps apart as it stands in the objective: always hard.
struct PosedContact {
  ContactPair pair;
  int place = -1;                 ///< among the objective's goals, after those that are asked for
  ClearanceGoal* goal = nullptr;  ///< the objective's own
};

struct PosedProblem {
  std::unique_ptr<Objective> objective;
  std::vector<PosedGoal> goals;
  std::vector<PosedContact> contacts;
  Pose reference;                         ///< of the pull to rest
  std::shared_ptr<const BodyPrior> body;  ///< of a natural pose, else null
  ChainUnion chains;                      ///< one a goal that counts
  std::vector<char> mayMove;  ///< one a step coordinate: 1 for what moves whichever alternatives count, followers too
  std::string fault;          ///< empty, or why there is nothing to solve
};

/// Where a natural pose begins: the prior's mean, turned and shifted onto what the problem asks.
Pose naturalStart(const IkProblem& problem, const PosedProblem& posed);

/// The problem's limits: the figure's own with the user's changes.
Limits limitsOf(const IkProblem& problem);

/// One a step coordinate: 0 where locked. freeRoot: but for free roots, whatever the user locked.
std::vector<char> usableCoordinates(const IkProblem& problem, bool freeRoot);

/// branches: which alternatives count; those that it does not name all do. reference: where the pull to rest leads;
/// null for what problem and request say. contacts: the pairs that keep apart; they add no coordinates of their own.
PosedProblem makeProblem(const IkProblem& problem, const CompletedRequest& request, const Branches& branches = {},
                         const Pose* reference = nullptr, std::span<const LiveContact> contacts = {});
PosedProblem makeProblem(const IkProblem& problem, const PosingRequest& request, const Branches& branches = {},
                         const Pose* reference = nullptr, std::span<const LiveContact> contacts = {});

/// True where rigidities are set that a rest weight of zero makes nothing of.
bool hasIdleRigidities(const IkProblem& problem, const Objective& objective);

/// One a step coordinate of the figure: 1 for what is active, or follows what is.
std::vector<char> movesOf(const Figure& figure, std::span<const int> active, const Couplings& couplings);
/// One a step coordinate of the figure: 1 where the objective may move it, its followers among them.
std::vector<char> movesOf(const Objective& objective);

/// True when the problem has goals for these very pairs, in this order.
bool fitsContacts(const PosedProblem& posed, std::span<const LiveContact> contacts);
/// Gives the goals of the pairs their planes.
void setPlanes(PosedProblem& posed, std::span<const LiveContact> contacts);

/// What the problem asks now, to judge by whether a solver would take it (Solver::refusal); where nothing is asked,
/// what a drag of the last link would ask.
PosedProblem makeProblemToJudge(const IkProblem& problem);

/// The pull of a keep-pose goal with its effective weight, on the joints of its chain.
Regulariser keepPoseOf(const IkProblem& problem, const GoalItem& goal, double weight);

/// Option values of the problem's solver: the registry's defaults with the problem's changes. Empty with `fault`
/// saying which option or solver is unknown or out of range, or that the solver may not drive this figure.
OptionValues solverOptions(const SolverSettings& settings, std::string& fault);

/// Empty, or that the solver does not treat the limits of the problem exactly, and how to insist.
std::string findLimitFault(const IkProblem& problem, const Solver& solver, const PosedProblem& posed);

}  // namespace limber

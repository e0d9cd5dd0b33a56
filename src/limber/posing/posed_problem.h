// SPDX-License-Identifier: MIT
// From a problem and what a drag asks beside it to the objective that a solver sees.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "limber/goals/support_goal.h"
#include "limber/objective/joint_chain.h"
#include "limber/objective/objective.h"
#include "limber/posing/body_prior.h"
#include "limber/posing/branch.h"
#include "limber/posing/contacts.h"
#include "limber/posing/posing.h"
#include "limber/posing/staying.h"

namespace limber {

/// Most active coordinates of which the square is kept: a dense Hessian of them takes 800 MB.
inline constexpr int kMaxDenseCoordinates = 10000;
std::string tooManyCoordinates(int count);  ///< the sentence that says so

GoalItem itemOf(const DragGoal& drag);  ///< what a drag asks in the words of a goal, without id and name

/// A goal as it stands in the objective. What a drag, a hold or a pin asks is put in the words of a goal.
struct PosedGoal {
  GoalItem item;          ///< its id is -1 if no planted goal of the problem asks it
  bool isDrag = false;    ///< the target of PosingRequest::drag
  int pinnedLink = -1;    ///< of a pin
  bool isHard = false;    ///< must be met exactly: multiplier updates shift its residual
  bool givesWay = false;  ///< a hold of a limited force (Hold::force): not judged
  bool isSpring = false;  ///< a hold that gives way, and that no multiplier updates shift
  bool isPulled = false;  ///< dragged with a limited force, and met exactly where that is enough
  double force = std::numeric_limits<double>::infinity();  ///< largest force of a pulled goal or a hold that gives way
  bool isGentle = false;  ///< weighs little, and is met exactly all the same where nothing is against it: a swivel
  bool isAsked = false;   ///< it counts for "reached": neither a hold nor, beside others, a preference
  int level = 0;          ///< among the priorities that are asked; 0 for the first
  bool isExact =
      false;  ///< met to `tolerance` where it can be: of a natural pose, and before goals of a lower priority
  double tolerance = 0.0;  ///< of |r| where isExact or givesWay, mean link lengths and radians; 0: as of a pin
  bool isLive = true;      ///< false: another goal of its any-of counts
  std::vector<SupportGoal::Side> support;  ///< of the balance that is kept: in place of what the item asks
  int place = -1;  ///< among the objective's goals; -1 for keep-poses and for what does not count

  /// Whether multiplier updates shift its residual.
  bool isShifted() const { return isHard || (givesWay && !isSpring) || ((isGentle || isExact || isPulled) && isLive); }
  /// Whether "reached" depends on it. Of what only keeps something in place balance is judged by itself.
  bool counts() const { return isAsked || (isHard && isLive && support.empty()); }
  /// Whether it only keeps something in place.
  bool isHold() const { return isHard || givesWay; }
};

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

/// The request with what is asked besides: what stays while something is dragged, and what keeping balance asks. Where
/// feet are held, or carry the figure, the root is free.
PosingRequest wholeRequest(const IkProblem& problem, const PosingRequest& request);

/// True where the prior poses the figure: asked for, or the problem's reference and no drag.
bool isNatural(const IkProblem& problem, const PosingRequest& request);

/// Where a natural pose begins: the prior's mean, turned and shifted onto what the problem asks.
Pose naturalStart(const IkProblem& problem, const PosedProblem& posed);

/// The problem's limits: the figure's own with the user's changes.
Limits limitsOf(const IkProblem& problem);

/// One a step coordinate: 0 where locked. freeRoot: but for free roots, whatever the user locked.
std::vector<char> usableCoordinates(const IkProblem& problem, bool freeRoot);

/// branches: which alternatives count; those that it does not name all do. reference: where the pull to rest leads;
/// null for what problem and request say. contacts: the pairs that keep apart; they add no coordinates of their own.
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

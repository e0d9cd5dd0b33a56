// SPDX-License-Identifier: MIT
// The refinements, in the order in which a solve calls them.
#pragma once

#include "limber/posing/refinements/solve.h"
#include "limber/solvers/steps/meet_goals.h"

namespace limber {

/// Gives rigidities an effect when the rest weight is 0 (Zhao and Badler 1994, whose rigid joints take shorter steps):
/// the solver first runs with a weak pull to the start, which chooses among the poses that meet the goals, and then
/// without it. The pull is zero at the start, so f never ends higher.
class WeakPull final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  void breakOff(Solve& solve) override;

 private:
  PosedProblem unpulled_;  ///< the problem without the pull while the solver runs with it; else without an objective
};

/// The rounds of multiplier updates (Multipliers). They come first if there is a stay term: a target that is dragged
/// with a limited force is missed until its multiplier has grown, which looks as if a limit blocked it.
class MultiplierUpdates final : public Refinement {
 public:
  bool refine(Solve& solve) override;
  bool comesFirst(const Solve& solve) const override;
};

/// Escapes a minimum at joint limits. Pulled by its toes, a straight leg presses its knee against the stop instead of
/// bending it, while a better minimum is near. Two poses are tried, each once: the blocked joints moved off their
/// limits, then the start pose with straight limbs folded.
class LimitEscape final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  bool refine(Solve& solve) override;

 private:
  enum class Attempt { None, OffLimits, Folded };
  bool isLatched(const Solve& solve);
  bool hasFailedHere(const Solve& solve) const;

  Attempt last_ = Attempt::None;  ///< of this solve
  bool isOnTrial_ = false;
  std::optional<Eigen::Vector3d> failedTarget_;  ///< the target of a drag at which no attempt helped
  FreeSpace space_;
  std::vector<ActiveLimit> limits_;  ///< at the end of a run
};

/// Preferred bend directions: if the solver has bent a straight limb against its preference, it runs once from the
/// opposite bend. It first runs with the straight limb as a limit, because the pull to rest may lead across, and then
/// with the original limits.
class OtherBend final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  bool refine(Solve& solve) override;

 private:
  bool isKept(const Solve& solve) const;

  enum class Trial { None, Limited, Free } trial_ = Trial::None;
  bool hasTried_ = false;
  std::vector<char> met_;  ///< before the trial, one entry per goal
  double goalPart_ = 0.0;  ///< of f, before the trial
};

/// Alternatives: if another goal of an any-of is clearly nearer to being met than the live one, the solver runs again
/// toward that goal.
class LiveBranches final : public Refinement {
 public:
  void begin(Solve& solve) override;
  bool refine(Solve& solve) override;

 private:
  int switches_ = 0;  ///< of this solve
};

/// The active set of contacts. When the multipliers are done, pairs that penetrate each other enter the objective. If
/// none does, the planes that separate pairs are chosen anew as long as f falls.
class ContactRounds final : public Refinement {
 public:
  void begin(Solve& solve) override;
  bool refine(Solve& solve) override;
  /// Replaces a cancelled pose that penetrates an obstacle by the last one that was clear.
  void breakOff(Solve& solve) override;

 private:
  int entries_ = 0, planeRounds_ = 0, capped_ = 0;  ///< of this solve
  Snapshot clear_;  ///< where the present round of planes began; its f has no terms of contacts
};

/// Detours for an arm of a person that its own body or its limits stop short of a place within its length, such as
/// behind the neck: other places of the elbow are tried with the trunk locked, and the arm is then pulled to the best
/// pose. Once in a solve, and not in the middle of a drag, where the hand leads the arm.
class ArmDetour final : public Refinement {
 public:
  void begin(Solve& solve) override;
  bool refine(Solve& solve) override;
  void breakOff(Solve& solve) override;

 private:
  /// The state to which the solve returns if the detour does not help.
  struct Before {
    Snapshot end;
    Contacts contacts;
    Multipliers multipliers;
    std::shared_ptr<const Staying> staying;
    GoalItem goal;
    double missed = 0.0;
  };
  const PosedGoal* missedGoal(const Solve& solve) const;
  void begin(Solve& solve, const GoalItem& goal, const Pose& pose);
  void endTrial(Solve& solve);
  void goBack(Solve& solve, SolveStatus status);

  bool hasTried_ = false;         ///< in this solve
  std::optional<Before> before_;  ///< during a trial
};

/// Goals before preferences. Pulls, kept poses and preferences leave a small residual of the goals. At the end, a pose
/// that nearly meets them is replaced by the nearest one within its limits that meets them exactly (meetGoals()). If
/// goals are missed that may be in reach, the solver runs with nearly weightless preferences: from the present pose if
/// they hold it back, then from the start. A result that meets more goals is kept. Not in a drag, which needs speed
/// more than the last digits.
class GoalsFirst final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  bool refine(Solve& solve) override;
  void breakOff(Solve&) override { isOnTrial_ = false; }

 private:
  void meetHolds(Solve& solve);
  bool meet(Solve& solve);
  bool isHeldByPreferences(Solve& solve);
  bool mayBeInReach(const Solve& solve) const;
  bool beginTrial(Solve& solve, const Pose& from);

  enum class Trial { None, FromHere, FromStart };
  std::vector<char> selected_;  ///< one entry per goal of the objective: 1 for those that must be met
  Trial last_ = Trial::None;    ///< of this solve
  bool isOnTrial_ = false;
  int met_ = 0;  ///< before the trial
  std::vector<Residual> forces_;
  Eigen::VectorXd goalGradient_, pull_;
  FreeSpace space_;
  Pose tried_, before_;  ///< of meet()
  MeetGoalsWorkspace meeting_;
};

inline constexpr int kStages = 8;

/// Path-independent posing: the same request gives the same pose, to the bit, whatever was solved before.
///
/// A solve begins at the base pose instead of the current one, and keeps nothing of earlier solves: no multipliers, no
/// live branches, no contacts. Targets move from where the base pose meets them to their given places in a fixed number
/// of stages, each solved from the pose of the stage before. The way is a function of base pose, settings and targets
/// alone. Near targets have near ways, and so near poses, except where some stage comes to another minimum: there, any
/// such map must jump.
class Stages final : public Refinement {
 public:
  /// Begins with the first stage. `stages` >= 1; 1 means the final targets at once.
  Stages(const IkProblem& problem, const PosingRequest& request, int stages = kStages);

  /// Problem and request of the present stage, with the pose where it begins.
  const IkProblem& problem() const { return problem_; }
  const PosingRequest& request() const { return request_; }

  /// Continues from the end of a stage. False after the last one.
  bool next(const Pose& reached);
  /// Continues a solve with the next stage.
  bool refine(Solve& solve) override;

 private:
  void moveTargets(double share);

  IkProblem finalProblem_;  ///< at the base pose
  PosingRequest finalRequest_;
  IkProblem problem_;      ///< of the present stage
  PosingRequest request_;  ///< of the present stage
  Kinematics base_;
  int stage_ = 1, stages_;
};

/// Searches when goals are missed that may be in reach: solves again from the start by the solver's search solver
/// (Solver::searchSolver), once for each choice of alternatives. The result that meets the most goals is kept, and
/// among equal ones that with the lowest f.
class GoalSearch final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  bool refine(Solve& solve) override;
  void breakOff(Solve& solve) override;

  /// The pose of the best result so far; null if there is no search.
  const Pose* bestPose() const { return best_ ? &best_->end.pose : nullptr; }

 private:
  /// Everything that the end of a solve leaves.
  struct Result {
    Snapshot end;
    Branches branches;
    Contacts contacts;
    int met = 0;  ///< number of goals that count and are met
  };
  bool beginSearch(Solve& solve);
  bool beginNextTry(Solve& solve);
  bool beginTry(Solve& solve, const Branches& choice);
  bool isBetter(const Solve& solve, int met) const;
  static Result takeResult(Solve& solve, int met);

  std::optional<Result> best_;
  int goalCount_ = 0;              ///< goals that count
  std::vector<Branches> choices_;  ///< one entry per try: which alternatives are live
  std::size_t next_ = 0;
};

}  // namespace limber

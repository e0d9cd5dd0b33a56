// SPDX-License-Identifier: MIT
// The refinements, in the order in which a solve asks them.
#pragma once

#include "limber/posing/refinements/solve.h"

namespace limber {

/// Rigidity weighs the pull to rest. Without one (Zhao and Badler 1994, whose rigid joints take shorter steps) it
/// chooses among the poses that meet the goals: the solver first runs with a weak pull to where the solve begins, then
/// without. That pull is zero at the start, so f itself is never higher in the end.
class WeakPull final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  void breakOff(Solve& solve) override;

 private:
  PosedProblem asked_;  ///< without the pull, while it acts; else without an objective
};

/// The rounds of multiplier updates (HardGoals). What is dragged with a limited force is missed by what its multiplier
/// has yet to bring, which looks as if it were latched at a limit: where something stays, updates come before all else.
class MultiplierUpdates final : public Refinement {
 public:
  explicit MultiplierUpdates(bool whereSomethingStays) : whereSomethingStays_(whereSomethingStays) {}
  bool refine(Solve& solve) override;

 private:
  bool whereSomethingStays_;
};

/// A way out where limits block. Pulled by its toes, a straight leg presses its knee against the stop instead of
/// bending it: the solver ends at a minimum, latched, while a better one is near. Two poses are tried from there, each
/// once: the held joints off their limits, then the pose of the start with straight limbs folded.
class LimitEscape final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  bool refine(Solve& solve) override;

 private:
  enum class Attempt { None, OffLimits, Folded };
  bool isLatched(const Solve& solve) const;
  bool isTriedHere(const Solve& solve) const;

  Attempt last_ = Attempt::None;  ///< of this solve
  bool isOnTrial_ = false;
  std::optional<Eigen::Vector3d> triedInVain_;  ///< where a drag's target was when neither helped
};

/// Preferred bending: where a limb that was straight has come to bend against its preference, the solver runs from the
/// other bend, once a solve. It first runs with the straight limb as a limit, for the pull to rest may well lead over
/// it, and then as is asked.
class OtherBend final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  bool refine(Solve& solve) override;

 private:
  bool isKept(const Solve& solve) const;

  enum class Trial { None, Held, Free } trial_ = Trial::None;
  bool hasTried_ = false;
  std::vector<char> met_;  ///< one a goal, before the trial
  double goalPart_ = 0.0;  ///< of f, then
};

/// Goals that are alternatives: where the solver has come clearly nearer to another of them than to the one that
/// counts, it runs again toward that one.
class LiveBranches final : public Refinement {
 public:
  void begin(Solve& solve) override;
  bool refine(Solve& solve) override;

 private:
  int switches_ = 0;  ///< of this solve
};

/// The active set of contacts. After the goals are met as far as can be, pairs that the solver has brought together
/// enter the objective; when none does, the planes between pairs are chosen anew where they are in the way, as long as
/// f falls.
class ContactRounds final : public Refinement {
 public:
  void begin(Solve& solve) override;
  bool refine(Solve& solve) override;
  /// A pose that is cancelled inside of something goes back to the last one that was clear.
  void breakOff(Solve& solve) override;

 private:
  int entries_ = 0, planeRounds_ = 0, capped_ = 0;  ///< of this solve
  Snapshot clear_;  ///< where the present round of planes began; f without what holds pairs apart
};

/// An arm of a person that its body or its limits stop short of a place within its length, as behind the own neck:
/// other places of the elbow are tried with the trunk locked. The arm is then pulled to the best pose that was found.
/// Once a solve, and not in the middle of a drag: there the hand shows the way.
class ArmDetour final : public Refinement {
 public:
  void begin(Solve& solve) override;
  bool refine(Solve& solve) override;
  void breakOff(Solve& solve) override;

 private:
  /// What the solve goes back to if the detour is in vain.
  struct Before {
    Snapshot end;
    Contacts contacts;
    HardGoals hardGoals;
    std::shared_ptr<const Staying> staying;
    GoalItem goal;
    double missed = 0.0;
  };
  const PosedGoal* missedGoal(const Solve& solve) const;
  void begin(Solve& solve, const GoalItem& goal, const Pose& pose);
  void endTrial(Solve& solve);
  void goBack(Solve& solve, SolveStatus status);

  bool hasTried_ = false;         ///< in this solve
  std::optional<Before> before_;  ///< while a detour is on trial
};

/// Goals before preferences. What a pull, a kept pose or a goal that is a preference leaves of the goals is made up for
/// at the end: a pose that nearly meets them is moved to one that meets them exactly (meetGoals()), the nearest within
/// its limits. Where goals are missed that may be in reach, the solver runs with little of the preferences: from the
/// present pose, if they hold it back, then from the start. An answer is kept if it meets more goals. Not in a drag,
/// which follows its target at the price of its last digits.
class GoalsFirst final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  bool refine(Solve& solve) override;
  void breakOff(Solve&) override { isOnTrial_ = false; }

 private:
  void findAsked(const Solve& solve, int lowest);
  bool meet(Solve& solve);
  bool isHeldByPreferences(Solve& solve);
  bool mayBeInReach(const Solve& solve) const;
  bool beginTrial(Solve& solve, const Pose& from);

  enum class Trial { None, FromHere, FromStart };
  std::vector<char> asked_;   ///< one a goal of the objective: 1 for what must be met
  Trial last_ = Trial::None;  ///< of this solve
  bool isOnTrial_ = false;
  int met_ = 0;  ///< before the trial
  std::vector<Residual> forces_;
  Eigen::VectorXd goalGradient_, pull_;
  FreeSpace space_;
};

inline constexpr int kStages = 8;

/// Path-independent posing: the same question gives the same pose, to the bit, whatever was asked before.
///
/// A solve then begins at the base pose, not where the figure stands, with nothing kept of earlier solves: no
/// multipliers, no live branches, no contacts. What is asked moves from where the base pose meets it to where it is
/// asked in a fixed number of stages, each solved from the last one's pose. The course is a function of base pose,
/// settings and targets alone; and since neighbouring targets have neighbouring courses, the poses at their ends are
/// neighbours, too, but for the targets between which some stage comes to another minimum: there any such map must
/// jump.
class Stages final : public Refinement {
 public:
  /// At the first stage. `stages` >= 1; 1 asks for everything at once.
  Stages(const IkProblem& problem, const PosingRequest& request, int stages = kStages);

  /// What the present stage asks, posed where it begins.
  const IkProblem& problem() const { return problem_; }
  const PosingRequest& request() const { return request_; }

  /// Goes on from a stage's end. False after the last one.
  bool next(const Pose& reached);
  /// The same where a solve has ended, which then begins the next stage.
  bool refine(Solve& solve) override;

 private:
  void askPart(double share);

  IkProblem asked_;        ///< at the base pose
  PosingRequest request_;  ///< the present stage's
  PosingRequest askedRequest_;
  IkProblem problem_;  ///< the present stage's
  Kinematics base_;
  int stage_ = 1, stages_;
};

/// Looks farther where a solve has missed goals that might be met: solves again from its start by the solver that it
/// names for this (Solver::searchSolver), one choice of alternatives after the other. The answer that meets the most
/// goals stands; of those that meet as many the one with the lowest f.
class GoalSearch final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  bool refine(Solve& solve) override;
  void breakOff(Solve& solve) override;

  /// The pose of the best answer so far; null while nothing is searched.
  const Pose* bestPose() const { return best_ ? &best_->end.pose : nullptr; }

 private:
  /// Everything that the end of a solve leaves.
  struct Answer {
    Snapshot end;
    Branches branches;
    Contacts contacts;
    int met = 0;  ///< of the goals that count
  };
  bool beginSearch(Solve& solve);
  bool beginNextTry(Solve& solve);
  bool beginTry(Solve& solve, const Branches& choice);
  bool isBetter(const Solve& solve, int met) const;
  static Answer takeAnswer(Solve& solve, int met);

  std::optional<Answer> best_;
  int asked_ = 0;                  ///< goals that count
  std::vector<Branches> choices_;  ///< one a try: which alternatives count in it
  std::size_t next_ = 0;
};

}  // namespace limber

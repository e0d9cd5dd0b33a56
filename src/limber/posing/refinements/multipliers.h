// SPDX-License-Identifier: MIT
// The method of multipliers around a solver, for pins, held points, contacts and other goals with a tolerance
// (PosedGoal::isShifted). After a solve, the residual r of such a goal is added to its shift,
//
//   f = ... + w/2 |r + shift|^2,   shift <- shift + r,
//
// so that w shift approaches the multiplier, the force that holds the goal, and the solver continues from the same
// pose. Shifts are kept for the next solve: in the next event of a drag they are nearly right.
//
// The shift of a goal that no pose meets would grow without end. A goal whose residual does not shrink in as many
// rounds in a row as its patience is given up: it keeps the shift that last helped, and the others are still met. If
// an exact goal and balance cannot both be met, balance is given up first, and entirely, so that the feet are not torn
// off the ground.
//
// The shift of a goal with a limited force is at most that force divided by its weight. In a drag it is kept from event
// to event although the target moves. docs/theory/hard_goals_and_contacts.md derives all this.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "limber/posing/posed_problem.h"
#include "limber/posing/trail.h"

namespace limber {

class Multipliers {
 public:
  /// Restores the shifts of the same goals (figure, end effector, target, weight) from the last solve; others begin at
  /// zero. Goals with a limited force begin at zero too, unless the drag continues. If `ahead` is known, shifts are
  /// extrapolated.
  void begin(const std::shared_ptr<const Figure>& figure, PosedProblem& posed, bool dragContinues = true,
             const Ahead& ahead = {});

  /// Updates the shifts after a solve that ended at `pose` with these residuals. True if the problem must be solved
  /// again from `pose`, which may have been reset to an earlier one.
  bool update(PosedProblem& posed, const std::vector<Residual>& residuals, Pose& pose);

  /// Copies the shifts from one problem to another one with the same goals.
  static void copyShifts(const PosedProblem& from, PosedProblem& to);
  /// Only those of loops, for problems with other goals.
  static void copyLoopShifts(const PosedProblem& from, PosedProblem& to);

 private:
  struct Held {
    GoalItem item;
    std::optional<ContactPair> pair;  ///< of a contact, which has no item
    int loop = -1;                    ///< of a loop of the figure, which has no item either
    int place = 0;                    ///< index in the objective
    double tolerance = 0.0;           ///< of |left|
    int patience = 1;                 ///< rounds in a row that may fail before it is stuck
    bool isBalance = false, isExact = false;
    double mostShift = std::numeric_limits<double>::infinity();  ///< largest force divided by weight
    Residual shift;                                              ///< that of the objective
    Residual helpful;                                            ///< the last shift that made the residual shrink
    Residual before;       ///< limited forces: the shift that the last event predicted to leave nothing
    Residual change;       ///< of `before` since the event before
    Residual left;         ///< r after the last solve, without the shift
    int failures = 0;      ///< rounds in a row without progress
    bool isStuck = false;  ///< given up

    bool hasLimitedForce() const { return mostShift < std::numeric_limits<double>::infinity(); }
    bool isForceSpent() const { return (left + shift).norm() >= mostShift; }
    bool isUnmet() const { return left.norm() > tolerance && !isForceSpent(); }
    bool isGivenUp() const { return !isStuck && failures >= patience; }
    Residual limited(const Residual& wanted) const;
    Residual bestShift() const;
  };
  void hold(PosedProblem& posed, Held held, const Ahead& ahead);
  void judge(Held& held, const Residual& residual) const;
  bool giveUp();
  bool giveUpBalance();

  std::shared_ptr<const Figure> figure_;
  std::vector<Held> held_;    ///< in the order of the problem's goals, then of its contacts and its loops
  std::vector<Held> before_;  ///< those of the last solve, while begin() runs
  Pose poseBefore_;           ///< after the last round in which no goal had failed
  int round_ = 0;
};

}  // namespace limber

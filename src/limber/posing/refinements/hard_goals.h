// SPDX-License-Identifier: MIT
// Hard goals: pins, held points and what keeps links out of each other and of obstacles (inequalities), met by
// multiplier updates around the solver. A hard goal weighs a thousand times a soft one; what is left of it after a
// solve, r, is added to its residual's shift,
//
//   f = ... + w/2 |r + shift|^2,   shift <- shift + r,
//
// so that w shift grows to the force that holds it (the method of multipliers), and the solver goes on from where it
// stands. The shifts are kept: in the next frame of a drag they are nearly right.
//
// A goal that cannot be met would wind its shift up without end. One whose residual does not shrink in two rounds (five
// of a contact) loses what they added: it keeps the shift that last helped, and the rest is met beside it. Balance goes
// first, and wholly: what carries the figure is not torn off the ground for it.
//
// A gentle goal (a swivel) is met the same way, from a small weight: a round that does not help ends its updates, and
// nothing else is given up for it. What is dragged with a limited force (Objective::setForceLimit) likewise: its shift
// grows to that force at most. In a drag it is kept from event to event, though the target moves.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "limber/posing/posed_problem.h"
#include "limber/posing/trail.h"

namespace limber {

class HardGoals {
 public:
  /// Takes over what the same goals (figure, place, weight) needed when last held; others begin at zero, and so does
  /// what is dragged where the drag does not go on. Where it is known what is ahead in a drag, they begin there.
  void begin(const std::shared_ptr<const Figure>& figure, PosedProblem& posed, bool dragGoesOn = true,
             const Ahead& ahead = {});

  /// After a solve has ended at `pose` with the problem's residuals: shifts what is not met. True when it must be
  /// solved again, from `pose`, which may have been put back; false when all are met as far as can be.
  bool update(PosedProblem& posed, const std::vector<Residual>& residuals, Pose& pose);

  /// The shifts of another problem's goals, for the same goals in this one.
  static void copyShifts(const PosedProblem& from, PosedProblem& to);

 private:
  struct Held {
    GoalItem item;
    std::optional<ContactPair> pair;  ///< in place of the item
    int place = 0;                    ///< among the objective's goals
    Residual shift;                   ///< as the solver sees it
    Residual helpful;                 ///< the shift that last made the residual shrink
    Residual before;                  ///< in a drag: the shift with which the last event would have left nothing
    Residual change;                  ///< of `before` from the event before it
    Residual left;                    ///< r after the last solve
    int failures = 0;                 ///< rounds in a row that did not help
    bool isStuck = false;             ///< cannot be met
    bool yields = false;              ///< balance: where it and others cannot be met together, they are
    bool isGentle = false;
    double tolerance = 0.0;                                      ///< of |r|; zero for that of all others
    double mostShift = std::numeric_limits<double>::infinity();  ///< of what is dragged: its force by its weight
    bool isDragged() const { return mostShift < std::numeric_limits<double>::infinity(); }
    /// The force is all that it may be: a shift adds nothing.
    bool isSpent() const { return (left + shift).norm() >= mostShift; }
  };
  void hold(PosedProblem& posed, Held held, const std::vector<Held>& before, const Ahead& ahead);
  static Residual limited(const Held& held, const Residual& shift);
  static Residual bestShift(const Held& held);
  void judge(Held& held, const Residual& residual) const;
  static double toleranceOf(const Held& held);
  static bool isUnmet(const Held& held);
  static int mostFailures(const Held& held);
  bool dropStuck();
  bool drop(bool yielding);

  std::shared_ptr<const Figure> figure_;
  std::vector<Held> held_;  ///< in the order of the problem's hard goals, then of its contacts
  Pose poseBefore_;         ///< after the last round that helped all
  int round_ = 0;
};

}  // namespace limber

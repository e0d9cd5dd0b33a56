// SPDX-License-Identifier: MIT
// A planar chain at a pose, and its exact Newton step in time linear in the chain.
//
// Over the directions x of the segments the Hessian is A + w T'T, with T the two rows of the goal and A tridiagonal:
// stiffnesses, and -nu . u_i on the diagonal, where u_i leads along segment i and has its length. The step d and the
// new multiplier nu solve
//
//   A d + T' nu = -(gradient of the pull to rest),   T d - nu / w = -e,
//
// by one sweep along the chain, which gathers S = 1/w + T A^-1 T' (2 x 2), and one back, which moves the chain and
// evaluates it there. With #- the number of negative pivots of A and #+ that of positive eigenvalues of S, H is
// positive definite where #- + #+ = 2 (Haynsworth). Goals other than one at the end, and pivots too small to trust, are
// left to objective/sweep/planar_riccati.h.
#pragma once

#include <vector>

#include "limber/objective/sweep/planar_chain.h"
#include "limber/objective/sweep/planar_kernels.h"
#include "limber/objective/sweep/planar_riccati.h"

namespace limber {

/// One a goal: residual or multiplier, metres or per metre.
using PlanarPulls = std::vector<Eigen::Vector2d>;

class PlanarSystem {
 public:
  /// Allocates nothing for a chain no longer than those before.
  void bind(const PlanarChain& chain);

  /// Stands at the pose.
  void place(const Pose& pose);
  /// Stands where segment i points to direction(i).
  template <class F>
  void placeBy(F direction) {
    double last = 0.0;
    forEachPlace(rows_, [&](int i, int at) {
      if (i < chain_->count()) last = direction(i);
      current_.angles.angle[at] = last;
    });
    evaluateCurrent();
  }
  double direction(int segment) const { return current_.angles.angle[placeOf(rows_, segment)]; }
  void writePose(Pose& pose) const;

  double objective() const { return current_.objective; }
  /// How far rounding alone can move `objective`.
  double rounding() const { return rounding(current_); }
  double goalPart() const;  ///< of the objective
  const PlanarPulls& residuals() const { return current_.residuals; }
  double gradientNorm();
  /// (count x 1), by the pose's coordinates, in the order of the hinges: that of the objective's active coordinates.
  void copyGradient(Eigen::VectorXd& gradient) const;

  /// Factors H + damping over the joint angles. False when it is not positive definite. A short chain's step without
  /// curvedness is found at once, and step() only hands it out.
  bool factor(const PlanarPulls& multipliers, double damping);

  /// The step that answers to the residuals and `curvedness` beyond them (a second-order correction), and the chain
  /// moved by it on trial. After factor().
  void step(const PlanarPulls& curvedness);
  const PlanarPulls& multipliers() const { return multipliers_; }  ///< that belong to the step: w (e + T d)
  double decrement() const { return moved_.decrement; }            ///< -gradient . step
  double squaredStep() const { return moved_.squared; }
  double largestTurn() const { return moved_.largest; }  ///< of a hinge
  double largestSwing() const { return moved_.swing; }   ///< of a segment in the world
  double trialObjective() const { return trial_.objective; }
  const PlanarPulls& trialResiduals() const { return trial_.residuals; }

  /// Takes the trial.
  void accept() { std::swap(current_, trial_); }

  /// The turns of the hinges along the lowest curvature, found by inverse iteration with the damping at which H is just
  /// positive definite; curvature, or a number >= 0 when none is negative.
  double findLowestCurvature(const PlanarPulls& multipliers, double damping);
  /// Puts on trial what findLowestCurvature() found, times `factor`.
  void stepAlongCurvature(double factor);

  /// True when the last factor() or step() took the Riccati form.
  bool usedRiccati() const { return usesRiccati_; }
  /// Takes it for the next step(): an oracle for tests.
  void useRiccati() { usesRiccati_ = true; }
  /// The hinge turns of the last step, (count x 1): for tests.
  void copyStep(Eigen::VectorXd& turns) const;

 private:
  struct Iterate {
    PlanarAngles angles;
    PlanarPulls residuals;
    double bending = 0.0;  ///< twice the pull to rest
    double objective = 0.0;
  };

  enum class Verdict { Definite, Indefinite, Marginal };

  void layOut();
  void evaluateCurrent();
  void judge(Iterate& iterate, const PlanarSums& at);
  void judgeGoal(Iterate& iterate, const PlanarSums& at);
  double rounding(const Iterate& iterate) const;
  Verdict solveFold(const Eigen::Vector2d& wanted);
  Verdict examineFold() const;
  Verdict solveEnds();
  static Verdict verdict(double determinant, double magnitude, double xx, int negatives, double largestCarry,
                         bool lastIsSure);
  void ask(const Eigen::Vector2d& wanted);
  void stepByMultiplier(const Eigen::Vector2d& wanted);
  void takeTrial();
  void stepOtherwise(const PlanarPulls& curvedness);
  void stepByRiccati();
  void moveTrial();

  const PlanarChain* chain_ = nullptr;
  const PlanarKernels* kernels_ = nullptr;
  PlanarRows rows_;
  std::vector<double> memory_;
  double *length_ = nullptr, *stiffness_ = nullptr, *rest_ = nullptr;
  double *inwardStiffness_ = nullptr, *inwardRest_ = nullptr;
  double *turns_ = nullptr, *directions_ = nullptr;
  PlanarFactors factors_;
  Iterate current_, trial_;
  double largestStiffness_ = 0.0;

  PlanarEnds ends_;
  PlanarPulls curvatureMultipliers_, multipliers_, wanted_, linear_;
  // Of a chain in lanes, the ends solved: right-hand sides over pivots, the coupling, and S with its right-hand side.
  PlanarLanes endBend_, endX_, endY_, endCarry_;
  Eigen::Matrix2d S_;
  Eigen::Vector2d Sg_;
  bool hasOneGoal_ = false;
  PlanarQuestion question_;  ///< where there is one; the damping always
  bool isSolved_ = false;    ///< a folded chain, for wanted_: its step is on trial
  bool usesRiccati_ = false;
  PlanarRiccati riccati_;
  PlanarTrial moved_;
  Eigen::VectorXd gradient_;  ///< scratch
};

}  // namespace limber

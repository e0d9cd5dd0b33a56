// SPDX-License-Identifier: MIT
// A planar chain at a pose, and its exact Newton step in time linear in the chain.
//
// Over the directions x of the segments the Hessian is A + w T'T, with T the two rows of the goal and A tridiagonal:
// stiffnesses, and -nu . u_i on the diagonal, where u_i is the vector along segment i with its length. The step d and
// the new multiplier nu solve
//
//   A d + T' nu = -(gradient of the pull to rest),   T d - nu / w = -e,
//
// by one sweep along the chain, which accumulates S = 1/w + T A^-1 T' (2 x 2), and one back, which moves the chain and
// evaluates it. With #- the number of negative pivots of A and #+ that of positive eigenvalues of S, H is positive
// definite if #- + #+ = 2 (Haynsworth). Goals other than a single one at the end, and pivots too small to be reliable,
// are left to objective/sweep/planar_riccati.h.
#pragma once

#include <vector>

#include "limber/objective/sweep/planar_chain.h"
#include "limber/objective/sweep/planar_kernels.h"
#include "limber/objective/sweep/planar_riccati.h"

namespace limber {

/// One entry per goal: residual in metres, or multiplier per metre.
using PlanarPulls = std::vector<Eigen::Vector2d>;

class PlanarSystem {
 public:
  /// Allocates nothing if the chain is not longer than earlier ones.
  void bind(const PlanarChain& chain);

  /// Sets the chain to the pose.
  void place(const Pose& pose);
  /// Sets the chain such that segment i points to direction(i).
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
  /// Bound on the rounding error of `objective`.
  double rounding() const { return rounding(current_); }
  double goalPart() const;  ///< part of the objective due to goals
  const PlanarPulls& residuals() const { return current_.residuals; }
  double gradientNorm();
  /// (count x 1), with respect to the pose's coordinates, in the order of the hinges, which is that of the active
  /// coordinates.
  void copyGradient(Eigen::VectorXd& gradient) const;

  /// Factors H + damping over the joint angles. False if it is not positive definite. For a short chain this also
  /// computes the step without curvedness, which step() then returns.
  bool factor(const PlanarPulls& multipliers, double damping);

  /// Computes the step for the residuals plus `curvedness` (a second-order correction), and the trial chain moved by
  /// it. After factor().
  void step(const PlanarPulls& curvedness);
  const PlanarPulls& multipliers() const { return multipliers_; }  ///< of the step: w (e + T d)
  double decrement() const { return moved_.decrement; }            ///< -gradient . step
  double squaredStep() const { return moved_.squared; }
  double largestTurn() const { return moved_.largest; }  ///< of a hinge
  double largestSwing() const { return moved_.swing; }   ///< of a segment in the world
  double trialObjective() const { return trial_.objective; }
  const PlanarPulls& trialResiduals() const { return trial_.residuals; }

  /// Accepts the trial.
  void accept() { std::swap(current_, trial_); }

  /// The turns of the hinges along the lowest curvature, found by inverse iteration with the damping at which H is just
  /// positive definite; returns the curvature, or a number >= 0 if none is negative.
  double findLowestCurvature(const PlanarPulls& multipliers, double damping);
  /// Sets the trial to the direction of findLowestCurvature() times `factor`.
  void stepAlongCurvature(double factor);

  /// True if the last factor() or step() used the Riccati recursion.
  bool usedRiccati() const { return usesRiccati_; }
  /// Uses it for the next step(): an oracle for tests.
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
  // For a chain in lanes, the solved ends: right-hand sides divided by pivots, the coupling, and S with its right-hand
  // side.
  PlanarLanes endBend_, endX_, endY_, endCarry_;
  Eigen::Matrix2d S_;
  Eigen::Vector2d Sg_;
  bool hasOneGoal_ = false;
  PlanarQuestion question_;  ///< of the goal if there is one; the damping is always valid
  bool isSolved_ = false;    ///< of a folded chain: the trial has its step for wanted_
  bool usesRiccati_ = false;
  PlanarRiccati riccati_;
  PlanarTrial moved_;
  Eigen::VectorXd gradient_;  ///< scratch
};

}  // namespace limber

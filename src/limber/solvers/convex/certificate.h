// SPDX-License-Identifier: MIT
// How much better than a pose any other could be: its distance from the targets, measured by forward kinematics, beside
// a lower bound over all poses within the limits.
//
//   f(q) = sum_k w_k |x_k(q) - y_k|^2 / sum_k w_k      over the points that the relaxation sees, square metres
//   f(q) >= bound >= 0                                 for all q within the limits (interior_point.h)
//
// With the exact fit e = exact * L^2, L the relaxation's length, half the reach:
//
//   certified      f(pose) - bound <= max(tolerance * f(pose), e): no pose is better by more than that
//   out of reach   bound > e: whatever the joints do, so much remains
//
// Where one relaxation does not certify the pose, the limits are split: of the region with the least bound the
// interval of the hinge whose turns are means of turns where it matters most. Each half has a relaxation of its own,
// which is tighter. The bound is the least of all regions (branch and bound, Land and Doig 1960). A few splits help
// many a pose.
//
// The bound speaks of places alone. Everything else that is asked is left out of it, which forbids no pose and takes no
// part of f, so the bound holds: other goals, pulls to a pose, limits of ball joints, linear limits, couplings. Of a
// goal with a place and an orientation the place counts. What was left out is counted.
//
// In doubt a pose is not certified: one outside its limits, one that lies below its bound (which then has a fault).
#pragma once

#include <limits>
#include <span>
#include <string>

#include "limber/solvers/convex/interior_point.h"
#include "limber/solvers/convex/point_goals.h"

namespace limber {

struct CertificateOptions {
  RelaxationForm form = RelaxationForm::Hull;  ///< the tighter one
  double tolerance = 0.01;                     ///< part of f; >= 0
  double exact = 1e-6;                         ///< part of L^2; > 0
  int splits = 2;                              ///< at most, of regions in two; >= 0
  InteriorPointOptions relaxation{.tolerance = 1e-7, .tieBreak = 0.0, .maxIterations = 60};
};

struct Certificate {
  static constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

  std::string fault;          ///< empty, or why nothing is known but what else stands here
  double value = kNotKnown;   ///< f(pose), square metres
  double bound = kNotKnown;   ///< of f, square metres; >= 0
  double length = kNotKnown;  ///< L, metres
  bool isCertified = false;
  bool isOutOfReach = false;
  bool isCancelled = false;  ///< by the observer; the bound holds as far as it came
  int iterations = 0;        ///< of the interior-point method; 0 where 0 is bound enough
  int regions = 1;           ///< into which the limits were split
  int points = 0;            ///< seen
  struct LeftOut {
    int goals = 0;       ///< of other kinds, or asked to be ignored; of those with a place the rest
    int pulls = 0;       ///< to a pose, that weigh anything
    int ballLimits = 0;  ///< joints
    int linearLimits = 0;
    int couplings = 0;
    bool operator==(const LeftOut&) const = default;
  } leftOut;

  // Root mean squares (Yenamandra and others, eq. 15), metres; not known where what they are made of is not.
  double cost() const;       ///< of the pose
  double leastCost() const;  ///< of any pose, at least
  double gap() const;        ///< cost - leastCost, >= 0: at most so much better is possible
};

/// Certifies a pose within the objective's limits. limits: those of its feasible set. ignored[k] != 0 leaves goal k
/// out; an empty list ignores none. The observer sees every iteration of the interior-point method (iterations and
/// lowerBound are then those of all regions together) and can cancel.
Certificate certify(const Objective& objective, const Limits& limits, const Pose& pose,
                    const CertificateOptions& options = {}, std::span<const char> ignored = {},
                    const InteriorPointObserver& observer = {});

/// What a bound that is known says of another pose within the same limits; value: its f (meanSquareOf).
Certificate judgeAnother(Certificate known, double value, const CertificateOptions& options = {});

}  // namespace limber

// SPDX-License-Identifier: MIT
// Bounds how much better than a pose any other could be: compares its distance from the targets, by forward kinematics,
// with a lower bound over all poses within the limits.
//
//   f(q) = sum_k w_k |x_k(q) - y_k|^2 / sum_k w_k      over the points of the relaxation, square metres
//   f(q) >= bound >= 0                                 for all q within the limits (interior_point.h)
//
// With the exact fit e = exact * L^2, L the relaxation's length, half the reach:
//
//   certified      f(pose) - bound <= max(tolerance * f(pose), e): no pose is better by more than that
//   out of reach   bound > e: every pose misses the targets by at least that
//
// If one relaxation does not certify the pose, the limits are split: in the region with the least bound, the interval
// of the hinge whose rotation in the relaxation is a mean of rotations with the largest effect. Each half has its own
// relaxation, which is tighter. The bound is the least of all regions (branch and bound, Land and Doig 1960). A few
// splits often suffice.
//
// The bound concerns positions only. Other goals, pulls to a pose, limits of ball joints, linear limits and couplings
// are left out. They are not part of f and only forbid poses, so the bound remains valid. For a goal with a position
// and an orientation, only the position is used. The certificate counts the omissions.
//
// In doubt a pose is not certified: if it is outside its limits, or below its bound (which is then wrong).
#pragma once

#include <limits>
#include <span>
#include <string>

#include "limber/solvers/convex/interior_point.h"
#include "limber/solvers/convex/point_goals.h"

namespace limber {

struct CertificateOptions {
  RelaxationForm form = RelaxationForm::Hull;  ///< the tighter form
  double tolerance = 0.01;                     ///< fraction of f; >= 0
  double exact = 1e-6;                         ///< fraction of L^2; > 0
  int splits = 2;                              ///< maximum number of splits of a region in two; >= 0
  InteriorPointOptions relaxation{.tolerance = 1e-7, .tieBreak = 0.0, .maxIterations = 60};
};

struct Certificate {
  static constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

  std::string fault = {};     ///< empty, or why there is no certificate; the other members are then as far as known
  double value = kNotKnown;   ///< f(pose), square metres
  double bound = kNotKnown;   ///< of f, square metres; >= 0
  double length = kNotKnown;  ///< L, metres
  bool isCertified = false;
  bool isOutOfReach = false;
  bool isCancelled = false;  ///< by the observer; the bound so far is valid
  int iterations = 0;        ///< of the interior-point method; 0 if the trivial bound 0 suffices
  int regions = 1;           ///< number of regions of the limits
  int points = 0;            ///< number of points
  struct LeftOut {
    int goals = 0;       ///< goals of other kinds or ignored on request, and goals of which only the position counts
    int pulls = 0;       ///< pulls to a pose that have a weight
    int ballLimits = 0;  ///< joints with such limits
    int linearLimits = 0;
    int couplings = 0;
    int loops = 0;  ///< closed loops that the active coordinates move
    bool operator==(const LeftOut&) const = default;
  } leftOut;

  // Root mean squares (Yenamandra and others, eq. 15), metres; NaN if their inputs are not known.
  double cost() const;       ///< of the pose
  double leastCost() const;  ///< lower bound for any pose
  double gap() const;        ///< cost - leastCost, >= 0: the largest possible improvement
};

/// Certifies a pose within the objective's limits. limits: those of its feasible set. ignored[k] != 0 leaves goal k
/// out; an empty list ignores none. The observer receives every iteration of the interior-point method (iterations and
/// lowerBound are then those of all regions together) and can cancel.
Certificate certify(const Objective& objective, const Limits& limits, const Pose& pose,
                    const CertificateOptions& options = {}, std::span<const char> ignored = {},
                    const InteriorPointObserver& observer = {});

/// The certificate of another pose within the same limits, from a known bound; value: its f (meanSquareOf).
Certificate judgeAnother(Certificate known, double value, const CertificateOptions& options = {});

}  // namespace limber

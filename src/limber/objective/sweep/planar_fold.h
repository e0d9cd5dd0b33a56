// SPDX-License-Identifier: MIT
// The sweeps of objective/sweep/planar_system.h for a short chain, folded at its middle: both halves are eliminated
// simultaneously, each from its end of the chain, and meet in the middle segment. Compiled twice (vector/lanes.h).
//
// With 2 R - 1 segments, step k eliminates segments k ("left") and 2 R - 2 - k ("right"); the middle one, R - 1, is the
// left one of step R - 1, whose right one has no length and repeats its angle. R is even: two steps fill a vector of
// four lanes, (left k, left k + 1, right k, right k + 1), in which all quantities without recurrences are computed.
// Recurrences have two lanes for each side: (left, left, right, right), or (left x, left y, right x, right y). So only
// the few shuffles at the middle cross the halves of a register.
//
// A pivot is D' / D of the recurrence  D' = N + w D,  N' = w N - c D' = (w - c) N - c w D,  with w the stiffness of the
// joint toward the middle, c the curvature of the next segment and N / D the stiffness of the segment from the other
// side: no step depends on a division. Back substitution does not depend on the multiplier, because it solves for the
// regularisers and for the rows of T separately and combines them at the end.
//
// Coordinates (x, y) are the world's (y, -x) here, so that the rows of T, which are normal to a segment, are length *
// (cos, sin).
#pragma once

#include "limber/objective/sweep/planar_kernels.h"

namespace limber::LIMBER_KERNEL_NAMESPACE {

// For loops whose arrays then stay in registers.
#if defined(__clang__)
#define LIMBER_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define LIMBER_UNROLL _Pragma("GCC unroll 16")
#else
#define LIMBER_UNROLL
#endif

/// The first term of a sum: compilers may omit adding -0.0, but not 0.0, which turns -0.0 into 0.0.
LIMBER_INLINE Four nothing() { return Four::all(-0.0); }

/// (left, left, right, right) of the first or second step in a vector.
template <int step>
LIMBER_INLINE Four twice(Four a) {
  return pick<step, step>(a, a);
}
/// (left a, left b, right a, right b) of the first or second step.
template <int step>
LIMBER_INLINE Four beside(Four a, Four b) {
  return pick<step, step + 2>(a, b);
}
/// The vector of two steps, each given as (left, left, right, right).
LIMBER_INLINE Four both(Four first, Four second) { return blend<0b1010>(first, second); }
LIMBER_INLINE Four otherSide(Four a) { return Four::of(a[2], a[3], a[0], a[1]); }
LIMBER_INLINE Four bothSides(Four a) { return a + otherSide(a); }

/// Differences of the next segments toward the middle and these.
LIMBER_INLINE Four inward(Four a, Four next) { return pick<1, 2>(a, next) - a; }
/// The same for the last vector. The middle has the value of the chain's first segment.
LIMBER_INLINE Four inwardLast(Four a, double first) {
  return pick<1, 2>(a, Four::of(first, 0.0, 0.0, 0.0)) - pick<0, 3>(a, Four::all(0.0));
}
/// Angles of the joints from rest.
LIMBER_INLINE Four deflections(const PlanarRows& rows, const double* angle, int at, bool isLast) {
  const Four own = Four::load(angle + at);
  const Four bent = isLast ? inwardLast(own, angle[0]) : inward(own, Four::load(angle + at + 4));
  return bent - Four::load(rows.inwardRest + at);
}

/// The vector of the sums over four vectors.
LIMBER_INLINE Four sumsOf(Four a, Four b, Four c, Four d) {
  const Four ab = pick<0, 2>(a, b) + pick<1, 3>(a, b), cd = pick<0, 2>(c, d) + pick<1, 3>(c, d);
  return Four::of(ab[0], ab[1], cd[0], cd[1]) + Four::of(ab[2], ab[3], cd[2], cd[3]);
}

inline void evaluateFold(const PlanarRows& rows, const PlanarAngles& angles, PlanarSums& sums) {
  const int size = 2 * rows.rows;
  angles.angle[size - 1] = angles.angle[size - 3];
  Four x = nothing(), y = x, bending = x;
  for (int at = 0; at < size; at += 4) {
    const Four length = Four::load(rows.length + at), deflection = deflections(rows, angles.angle, at, at + 4 == size);
    Four sine, cosine;
    sineCosine(Four::load(angles.angle + at), sine, cosine);
    sine.store(angles.sine + at);
    cosine.store(angles.cosine + at);
    const Four across = length * cosine, down = length * sine;
    across.store(angles.across + at);
    down.store(angles.down + at);
    x += across;
    y += down;
    bending += Four::load(rows.inwardStiffness + at) * (deflection * deflection);
  }
  const Four sum = sumsOf(x, y, bending, bending);
  sums.x = sum[0];
  sums.y = sum[1];
  sums.bending = sum[2];
}

inline double foldGradientNorm(const PlanarRows& rows, const PlanarAngles& angles, double forceX, double forceY) {
  const Four fx = Four::all(forceX), fy = Four::all(forceY);
  const int size = 2 * rows.rows, middle = rows.rows - 1;
  double torque[2 * kMostFoldedRows], moment[2 * kMostFoldedRows];
  for (int at = 0; at < size; at += 4) {
    (fy * Four::load(angles.across + at) - fx * Four::load(angles.down + at)).store(torque + at);
    (Four::load(rows.inwardStiffness + at) * deflections(rows, angles.angle, at, at + 4 == size)).store(moment + at);
  }
  double beyond = 0.0, norm = 0.0;
  const auto add = [&](double own, double pull) LIMBER_INLINE_CALL {
    beyond += own;
    const double entry = std::abs(beyond + pull);
    norm = entry <= norm ? norm : entry;
  };
  const auto left = [](int k) LIMBER_INLINE_CALL { return k / 2 * 4 + k % 2; };
  for (int k = 0; k < middle; ++k) add(torque[left(k) + 2], -moment[left(k) + 2]);
  for (int k = middle; k > 0; --k) add(torque[left(k)], moment[left(k - 1)]);
  add(torque[0], moment[left(middle)]);
  return norm;
}

/// The system of a chain folded into V vectors, R = 2 V, and its step.
template <int V>
class PlanarFold {
 public:
  static void solve(const PlanarRows& rows, const PlanarAngles& from, const PlanarQuestion& question,
                    const PlanarAngles& to, PlanarTrial& trial) {
    PlanarFold fold(rows, from);
    fold.eliminate(question);
    fold.meet();
    fold.goBack();
    fold.move(question, to, trial);
    trial.isDefinite = fold.isDefinite();
  }

  static void examine(const PlanarRows& rows, const PlanarAngles& from, const PlanarQuestion& question,
                      PlanarMiddle& middle) {
    PlanarFold fold(rows, from);
    fold.eliminate(question);
    fold.meet();
    fold.summarise(middle);
  }

 private:
  static constexpr int kLast = V - 1;

  LIMBER_INLINE PlanarFold(const PlanarRows& rows, const PlanarAngles& from) : rows_(rows), from_(from) {
    LIMBER_UNROLL
    for (int i = 0; i < V; ++i) {
      const int at = 4 * i;
      across_[i] = Four::load(from.across + at);
      down_[i] = Four::load(from.down + at);
      deflection_[i] = deflections(rows, from.angle, at, i == kLast);
      pull_[i] = Four::load(rows.inwardStiffness + at) * deflection_[i];
    }
  }

  /// Eliminates both halves up to the middle. The left side begins with the first joint's stiffness and moment.
  LIMBER_INLINE void eliminate(const PlanarQuestion& question) {
    const Four weighX = Four::all(question.multiplier[0]), weighY = Four::all(question.multiplier[1]);
    const Four lambda = Four::all(question.damping);
    Four curvature[V];
    LIMBER_UNROLL
    for (int i = 0; i < V; ++i) curvature[i] = weighX * across_[i] + weighY * down_[i];
    const double first = rows_.inwardStiffness[4 * kLast + 1] + question.damping, firstPull = pull_[kLast][1];
    N_ = Four::of(first, first, 0.0, 0.0) - twice<0>(curvature[0]);
    row_ = beside<0>(across_[0], down_[0]);
    bend_ = twice<0>(pull_[0]) - Four::of(firstPull, firstPull, 0.0, 0.0);
    squares_ = Four::of(question.compliance, question.compliance, 0.0, 0.0);
    pulled_ = swapped(repeat(question.wanted)) * Four::of(1.0, -1.0, 0.0, 0.0);
    LIMBER_UNROLL
    for (int i = 0; i < kLast; ++i) {
      const Four weight = Four::load(rows_.inwardStiffness + 4 * i) + lambda, more = inward(pull_[i], pull_[i + 1]);
      eliminate(2 * i, twice<0>(weight), twice<1>(curvature[i]), beside<1>(across_[i], down_[i]));
      bend_ += twice<0>(more);
      eliminate(2 * i + 1, twice<1>(weight), twice<0>(curvature[i + 1]), beside<0>(across_[i + 1], down_[i + 1]));
      bend_ += twice<1>(more);
    }
    const Four weight = Four::load(rows_.inwardStiffness + 4 * kLast) + lambda;
    eliminate(2 * kLast, twice<0>(weight), twice<1>(curvature[kLast]), beside<1>(across_[kLast], down_[kLast]));
    bend_ -= twice<0>(pull_[kLast]);
  }

  /// Step k. w: stiffness of its joint; c, next: curvature and entries of T of the next segment.
  LIMBER_INLINE void eliminate(int k, Four w, Four c, Four next) {
    const Four grown = N_ + w * D_, inverse = D_ / grown;
    N_ = (w - c) * N_ - (c * w) * D_;
    D_ = grown;
    carry_[k] = w * inverse;
    toRow_[k] = inverse * row_;
    toBend_[k] = inverse * bend_;
    squares_ += row_ * toRow_[k];
    product_ += swapped(row_) * toRow_[k];
    pulled_ += bend_ * toRow_[k];
    row_ = carry_[k] * row_ + next;
    bend_ = carry_[k] * bend_;
    lowest_ = k == 0 ? carry_[k] : min(lowest_, carry_[k]);
    highest_ = k == 0 ? carry_[k] : max(highest_, carry_[k]);
  }

  /// Adds the stiffnesses, right-hand sides and sums of both sides. S and its right-hand side are multiplied by the
  /// last pivot, so that the multiplier does not depend on its inverse.
  LIMBER_INLINE void meet() {
    const Four side = N_ / D_, other = otherSide(side);
    pivot_ = side + other;
    difference_ = side - other;
    const Four row = bothSides(row_), bend = bothSides(bend_), pulled = bothSides(pulled_);
    const Four inverse = Four::all(1.0) / pivot_;
    toRow_[2 * V - 1] = inverse * row;
    toBend_[2 * V - 1] = inverse * bend;
    squares_ = pivot_ * bothSides(squares_) + row * row;
    const Four product = pivot_ * bothSides(product_) + row * swapped(row), right = pivot_ * pulled + row * bend;
    const Four products = squares_ * swapped(squares_), square = product * product;
    determinant_ = products - square;
    magnitude_ = absolute(products) + square;
    reaction_ = (product * swapped(right) - swapped(squares_) * right) / determinant_;
    pulled_ = pulled + bend * toRow_[2 * V - 1];
  }

  /// True if the system is certainly positive definite. If no pivot but possibly the last is negative, the sign of det
  /// S decides.
  LIMBER_INLINE bool isDefinite() const {
    const Four size = absolute(pivot_);
    const Four low = Four::all(kNearlySingular) * blend<0b1010>(absolute(difference_), size * magnitude_);
    const Four high = blend<0b1010>(size, pivot_ * determinant_);
    return areAll((low < high) & (Four::all(0.0) < lowest_) & (highest_ < Four::all(kLargestCarry)));
  }

  /// A carry has the sign of its pivot. It is zero where D overflows, and then unreliable.
  LIMBER_INLINE void summarise(PlanarMiddle& middle) const {
    middle.xx = squares_[0];
    middle.determinant = determinant_[0];
    middle.magnitude = magnitude_[0];
    middle.pivot = pivot_[0];
    middle.difference = difference_[0];
    middle.largestCarry = max(highest_, otherSide(highest_))[0];
    middle.negatives = 0;
    for (int k = 0; k <= 2 * kLast; ++k) {
      countNegative(carry_[k][0], middle);
      countNegative(carry_[k][2], middle);
    }
  }
  static LIMBER_INLINE void countNegative(double carry, PlanarMiddle& middle) {
    middle.negatives += carry < 0.0;
    const double size = std::abs(carry);
    if (!(size > 0.0)) middle.largestCarry = std::numeric_limits<double>::infinity();
    if (middle.largestCarry < size) middle.largestCarry = size;
  }

  /// Back substitution from the middle outward, for the regularisers and for each row of T.
  LIMBER_INLINE void goBack() {
    LIMBER_UNROLL
    for (int k = 2 * kLast; k >= 0; --k) {
      toRow_[k] += carry_[k] * toRow_[k + 1];
      toBend_[k] += carry_[k] * toBend_[k + 1];
    }
  }

  LIMBER_INLINE void move(const PlanarQuestion& question, const PlanarAngles& to, PlanarTrial& trial) {
    const Four multiplier = swapped(reaction_) * Four::of(1.0, -1.0, 1.0, -1.0);
    Four turn[V], x = nothing(), y = x, alongX = x, alongY = x, swing = x;
    LIMBER_UNROLL
    for (int i = kLast; i >= 0; --i) {
      const int at = 4 * i;
      const Four a = reaction_ * toRow_[2 * i], b = reaction_ * toRow_[2 * i + 1];
      turn[i] = both(toBend_[2 * i], toBend_[2 * i + 1]) + (beside<0>(a, b) + beside<1>(a, b));
      alongX -= down_[i] * turn[i];
      alongY += across_[i] * turn[i];
      swing = i == kLast ? absolute(turn[i]) : max(swing, absolute(turn[i]));
      const Four angle = Four::load(from_.angle + at) + turn[i], length = Four::load(rows_.length + at);
      Four sine, cosine;
      sineCosine(angle, sine, cosine);
      angle.store(to.angle + at);
      sine.store(to.sine + at);
      cosine.store(to.cosine + at);
      const Four across = length * cosine, down = length * sine;
      across.store(to.across + at);
      down.store(to.down + at);
      x += across;
      y += down;
    }
    Four bending = nothing(), slope = bending, squared = bending, largest = bending;
    LIMBER_UNROLL
    for (int i = 0; i < V; ++i) {
      const Four turned = i < kLast ? inward(turn[i], turn[i < kLast ? i + 1 : i]) : inwardLast(turn[i], turn[0][0]);
      const Four deflection = deflection_[i] + turned;
      bending += Four::load(rows_.inwardStiffness + 4 * i) * (deflection * deflection);
      slope += pull_[i] * turned;
      squared += turned * turned;
      largest = i == 0 ? absolute(turned) : max(largest, absolute(turned));
    }
    const Four pulls = sumsOf(bending, squared, slope, squared);
    const Four most = max(beside<0>(largest, swing), beside<1>(largest, swing)), all = max(most, otherSide(most));
    trial.squared = pulls[1];
    trial.largest = all[0];
    trial.swing = all[1];
    judgeStep(question, sumsOf(x, y, alongX, alongY), pulls, multiplier, pulled_, trial);
  }

  const PlanarRows& rows_;
  const PlanarAngles& from_;
  Four across_[V], down_[V];      // length * (cos, sin)
  Four deflection_[V], pull_[V];  // of the joints: angle from rest, moment
  Four N_, D_ = Four::all(1.0);
  Four row_, bend_;                                   // right-hand sides of the current step
  Four carry_[2 * V], toRow_[2 * V], toBend_[2 * V];  // by step; right-hand sides / pivots, then turns
  Four squares_, product_ = nothing(), pulled_;       // sums over the steps: S and its right-hand side
  Four lowest_, highest_;                             // of the carries
  Four reaction_;                                     // minus the multiplier
  Four pivot_, difference_;                           // the last pivot; difference of the sides whose sum it is
  Four determinant_, magnitude_;                      // of S times the pivot, as squares_ after meet()
};

template <int V>
inline constexpr PlanarKernels kPlanarFold{evaluateFold, foldGradientNorm,     nullptr,
                                           nullptr,      PlanarFold<V>::solve, PlanarFold<V>::examine};

inline const PlanarKernels& choosePlanarFold(const PlanarRows& rows) {
  static constexpr const PlanarKernels* kFolds[] = {&kPlanarFold<1>, &kPlanarFold<2>, &kPlanarFold<3>, &kPlanarFold<4>};
  return *kFolds[rows.rows / 2 - 1];
}

}  // namespace limber::LIMBER_KERNEL_NAMESPACE

// SPDX-License-Identifier: MIT
// The two sweeps of objective/sweep/planar_system.h, with one part of the chain in each lane: segment i is in lane i /
// rows and row i % rows, at [row * lanes + lane] of its array. Compiled twice (vector/lanes.h).
//
// The sweep in a lane is that of a chain whose base is the last segment of the lane before (its "end"); its response to
// a turn of that base is a further right-hand side, the spike (as in the SPIKE algorithm). The caller solves the
// remaining system, which couples the ends. Two lanes mean a short, folded chain (objective/sweep/planar_fold.h).
#pragma once

#include "limber/vector/lanes.h"

namespace limber {

inline constexpr double kLargestCarry = 1e4;     // the pivot is too small relative to its neighbours to be reliable
inline constexpr double kNearlySingular = 1e-9;  // relative to the numbers whose difference is tested
// Tolerances of the system's second row: relative to the residual, and 256 roundings of its terms.
inline constexpr double kGoodStep = 1e-6, kStepRoundings = 256.0 * std::numeric_limits<double>::epsilon();

inline constexpr int kMaxPlanarLanes = 8;
using PlanarLanes = double[kMaxPlanarLanes];

struct PlanarRows {
  int lanes = 4;  ///< 4 or 8; 2 for a folded chain
  int rows = 0;
  const double* length;     ///< of the segments
  const double* stiffness;  ///< of the joints: weight of the regularisers
  const double* rest;       ///< of the joints: rest angle between a segment and the one before
  /// For a folded chain: of the joint between a segment and the next one toward the middle; the angle is that of the
  /// next one minus the segment's own. The middle has the first joint of the chain.
  const double *inwardStiffness = nullptr, *inwardRest = nullptr;
};

/// Directions of the segments in the world.
struct PlanarAngles {
  double *angle, *sine, *cosine;
  double *across = nullptr, *down = nullptr;  ///< for a folded chain: length times cosine and sine
};

/// Rows of the factors, without the last one of each lane.
struct PlanarFactors {
  double *bend, *x, *y, *spike;  ///< right-hand sides z / pivot: regularisers, rows x and y of T, base
  double* carry;                 ///< stiffness of the next joint / pivot
};

/// The results of the forward sweep at the ends.
struct PlanarEnds {
  PlanarLanes stiffness;                    ///< pivots of the ends, without the next lane's terms
  PlanarLanes bend, x, y, spike;            ///< their right-hand sides
  PlanarLanes firstStiffness, firstMoment;  ///< of the joint that begins each lane
  PlanarLanes xx, xy, yy, bendX, bendY, spikeSpike, spikeBend, spikeX, spikeY;  ///< sums of z z' / pivot
  double negatives = 0.0;                                                       ///< pivots below zero
  double largestCarry = 0.0;
};

/// Input of a system with one goal, at the chain's end. Pairs (x, y) are read as vectors and must be written as
/// vectors, too, because reading in one access what was written in two stalls the processor.
struct alignas(32) PlanarQuestion {
  double target[4];  ///< x, y, 0, 0
  double residual[2];
  double wanted[2];      ///< residual on the right-hand side
  double multiplier[2];  ///< weight of the second derivatives
  double damping;        ///< added to every stiffness
  double weight;         ///< of the goal
  double compliance;     ///< 1 / weight
  double constant;       ///< of f
  double reach;          ///< of the chain
};

/// Quantities that determine whether the system of a folded chain is positive definite.
struct PlanarMiddle {
  double xx, determinant;  ///< of S times `pivot`, in coordinates (y, -x)
  double magnitude;        ///< sum of the two products of which the determinant is the difference
  double pivot;            ///< the last pivot
  double difference;       ///< of the two sides whose sum is the pivot
  double largestCarry;
  int negatives;  ///< pivots below zero, without the last one
};

/// The solution at the ends of a chain in lanes.
struct PlanarAnswer {
  PlanarLanes end;       ///< step, by lane
  double multiplier[2];  ///< of the step
  double pulled[2];      ///< right-hand side of S
};

/// Sums over a chain: the position of its tip, and twice the value of its regularisers.
struct PlanarSums {
  double x = 0.0, y = 0.0, bending = 0.0;
};

/// A chain moved by a step.
struct alignas(32) PlanarTrial {
  double residual[2] = {0.0, 0.0};
  double multiplier[2] = {0.0, 0.0};
  double bending = 0.0;  ///< twice the value of the regularisers
  double squared = 0.0;  ///< squared norm of the step in the joints
  double largest = 0.0;  ///< max-norm of the step in the joints
  double swing = 0.0;    ///< largest turn of a segment in the world
  double objective = 0.0;
  double decrement = 0.0;   ///< -gradient . step
  bool isGood = false;      ///< the system's second row holds up to tolerances
  bool isDefinite = false;  ///< folded chain: the system is certainly positive definite
};

/// The sweeps for one number of lanes.
struct PlanarKernels {
  /// Computes sines and cosines of the angles and the sums.
  void (*evaluate)(const PlanarRows& rows, const PlanarAngles& angles, PlanarSums& sums);
  /// Largest entry of the gradient  moment_i + sum over j >= i of force . t_j.
  double (*gradientNorm)(const PlanarRows& rows, const PlanarAngles& angles, double forceX, double forceY);
  /// Eliminates every row but the ends. Not for a folded chain.
  void (*forward)(const PlanarRows& rows, const PlanarQuestion& question, const PlanarAngles& angles,
                  const PlanarFactors& factors, PlanarEnds& ends);
  /// Back substitution from the ends to the base, and the moved chain. Not for a folded chain.
  void (*back)(const PlanarRows& rows, const PlanarQuestion& question, const PlanarFactors& factors,
               const PlanarAnswer& answer, const PlanarAngles& from, const PlanarAngles& to, PlanarTrial& trial);
  /// For a folded chain only: factorisation, multiplier and moved chain. The factors are not kept.
  void (*solve)(const PlanarRows& rows, const PlanarAngles& from, const PlanarQuestion& question,
                const PlanarAngles& to, PlanarTrial& trial);
  /// For a folded chain only: computes what the verdict needs where solve() is not certain.
  void (*examine)(const PlanarRows& rows, const PlanarAngles& from, const PlanarQuestion& question,
                  PlanarMiddle& middle);
};

inline constexpr int kMostFoldedRows = 8;  ///< for a folded chain; always even

/// wide: those compiled for AVX2, if there are any.
const PlanarKernels& planarKernels(const PlanarRows& rows, bool wide);

namespace avx2 {
const PlanarKernels& planarKernels(const PlanarRows& rows);
const PlanarKernels& planarFold(const PlanarRows& rows);  ///< for a folded chain
}  // namespace avx2

namespace LIMBER_KERNEL_NAMESPACE {

template <int N>
LIMBER_INLINE Lanes<double, N> behind(Lanes<double, N> a) {
  Lanes<double, N> result;
  result.set(0, 0.0);
  for (int i = 1; i < N; ++i) result.set(i, a[i - 1]);
  return result;
}

template <int N>
LIMBER_INLINE double sumOf(Lanes<double, N> a) {
  double sum = a[0];
  for (int i = 1; i < N; ++i) sum += a[i];
  return sum;
}

template <int N>
LIMBER_INLINE double maxOf(Lanes<double, N> a) {
  double largest = a[0];
  for (int i = 1; i < N; ++i) largest = largest < a[i] ? a[i] : largest;
  return largest;
}

using Four = Lanes<double, 4>;

LIMBER_INLINE Four swapped(Four a) { return pick<1, 0>(a, a); }

/// A pair, repeated.
LIMBER_INLINE Four repeat(const double* pair) { return repeat<double, 4>(pair); }

/// Computes the trial of a step. sums: tip (x, y) and its first-order move (x, y); pulls: twice the value of the
/// regularisers, -, their slope along the step, -. multiplier, and pulled, the right-hand side of S: (x, y, x, y).
LIMBER_INLINE void judgeStep(const PlanarQuestion& question, Four sums, Four pulls, Four multiplier, Four pulled,
                             PlanarTrial& trial) {
  const Four wanted = repeat(question.wanted), there = sums - Four::load(question.target);
  const Four by = there * blend<0b1100>(there, repeat(question.residual));
  const Four energy = pulls + Four::all(question.weight) * (by + swapped(by));
  for (int i = 0; i < 2; ++i) {
    trial.residual[i] = there[i];
    trial.multiplier[i] = multiplier[i];
  }
  trial.bending = pulls[0];
  trial.objective = question.constant + 0.5 * energy[0];
  trial.decrement = -energy[2];
  const Four apart = absolute((there + wanted) - Four::all(question.compliance) * multiplier);
  const Four bound = Four::all(kGoodStep) * absolute(wanted) +
                     Four::all(kStepRoundings) * (absolute(pulled) + Four::all(question.reach));
  trial.isGood = (apart + swapped(apart) <= max(bound, swapped(bound)))[2] != 0;
}

template <int N>
void evaluatePlanar(const PlanarRows& rows, const PlanarAngles& angles, PlanarSums& sums) {
  using L = Lanes<double, N>;
  L x = L::all(0.0), y = x, bending = x;
  L before = behind(L::load(angles.angle + (rows.rows - 1) * N));
  for (int r = 0; r < rows.rows; ++r) {
    const int at = r * N;
    const L angle = L::load(angles.angle + at), length = L::load(rows.length + at);
    L sine, cosine;
    sineCosine(angle, sine, cosine);
    sine.store(angles.sine + at);
    cosine.store(angles.cosine + at);
    x += length * cosine;
    y += length * sine;
    const L bent = (angle - before) - L::load(rows.rest + at);
    bending += L::load(rows.stiffness + at) * (bent * bent);
    before = angle;
  }
  sums.x = sumOf(x);
  sums.y = sumOf(y);
  sums.bending = sumOf(bending);
}

template <int N>
double planarGradientNorm(const PlanarRows& rows, const PlanarAngles& angles, double forceX, double forceY) {
  using L = Lanes<double, N>;
  const L fx = L::all(forceX), fy = L::all(forceY);
  const auto torque = [&](int at) LIMBER_INLINE_CALL {
    return L::load(rows.length + at) * (fy * L::load(angles.cosine + at) - fx * L::load(angles.sine + at));
  };
  L sum = L::all(0.0);
  for (int r = 0; r < rows.rows; ++r) sum += torque(r * N);
  L beyond = L::all(0.0);  // the torques of the lanes beyond
  for (int i = N - 2; i >= 0; --i) beyond.set(i, beyond[i + 1] + sum[i + 1]);
  L largest = L::all(0.0);
  const L lastBefore = behind(L::load(angles.angle + (rows.rows - 1) * N));
  for (int r = rows.rows - 1; r >= 0; --r) {
    const int at = r * N;
    beyond += torque(at);
    const L before = r > 0 ? L::load(angles.angle + at - N) : lastBefore;
    const L bent = (L::load(angles.angle + at) - before) - L::load(rows.rest + at);
    largest = max(largest, absolute(beyond + L::load(rows.stiffness + at) * bent));
  }
  return maxOf(largest);
}

template <int N>
void sweepPlanarForward(const PlanarRows& rows, const PlanarQuestion& question, const PlanarAngles& angles,
                        const PlanarFactors& factors, PlanarEnds& ends) {
  using L = Lanes<double, N>;
  const L nuX = L::all(question.multiplier[0]), nuY = L::all(question.multiplier[1]), lambda = L::all(question.damping);
  const L one = L::all(1.0), zero = L::all(0.0);
  L before = behind(L::load(angles.angle + (rows.rows - 1) * N));
  L stiffness = zero, bend = zero, x = zero, y = zero, spike = zero;
  L xx = zero, xy = zero, yy = zero, bendX = zero, bendY = zero;
  L spikeSpike = zero, spikeBend = zero, spikeX = zero, spikeY = zero, negatives = zero, largest = zero;
  for (int r = 0; r < rows.rows; ++r) {
    const int at = r * N;
    const L angle = L::load(angles.angle + at), length = L::load(rows.length + at);
    const L across = length * L::load(angles.cosine + at), down = length * L::load(angles.sine + at);
    const L curvature = nuX * across + nuY * down;
    const L own = L::load(rows.stiffness + at), w = own + lambda;
    const L moment = own * ((angle - before) - L::load(rows.rest + at));
    before = angle;
    if (r == 0) {
      stiffness = w - curvature;
      bend = moment;
      x = -down;
      y = across;
      spike = w;
      w.store(ends.firstStiffness);
      moment.store(ends.firstMoment);
      continue;
    }
    // The row before is complete now, and is eliminated.
    const L pivot = stiffness + w, inverse = one / pivot, carry = w * inverse;
    bend -= moment;
    const L toBend = bend * inverse, toX = x * inverse, toY = y * inverse;
    const int done = at - N;
    toBend.store(factors.bend + done);
    toX.store(factors.x + done);
    toY.store(factors.y + done);
    carry.store(factors.carry + done);
    xx += x * toX;
    xy += x * toY;
    yy += y * toY;
    bendX += bend * toX;
    bendY += bend * toY;
    const L toSpike = spike * inverse;
    toSpike.store(factors.spike + done);
    spikeSpike += spike * toSpike;
    spikeBend += bend * toSpike;
    spikeX += x * toSpike;
    spikeY += y * toSpike;
    spike = carry * spike;
    negatives += L::select(pivot < zero, one, zero);
    largest = max(largest, absolute(carry));
    // Stiffnesses in series, without differences of large numbers.
    stiffness = carry * stiffness - curvature;
    bend = moment + carry * bend;
    x = carry * x - down;
    y = carry * y + across;
  }
  stiffness.store(ends.stiffness);
  bend.store(ends.bend);
  x.store(ends.x);
  y.store(ends.y);
  spike.store(ends.spike);
  xx.store(ends.xx);
  xy.store(ends.xy);
  yy.store(ends.yy);
  bendX.store(ends.bendX);
  bendY.store(ends.bendY);
  spikeSpike.store(ends.spikeSpike);
  spikeBend.store(ends.spikeBend);
  spikeX.store(ends.spikeX);
  spikeY.store(ends.spikeY);
  ends.negatives = sumOf(negatives);
  ends.largestCarry = maxOf(largest);
}

template <int N>
void sweepPlanarBack(const PlanarRows& rows, const PlanarQuestion& question, const PlanarFactors& factors,
                     const PlanarAnswer& answer, const PlanarAngles& from, const PlanarAngles& to, PlanarTrial& trial) {
  using L = Lanes<double, N>;
  const L nuX = L::all(answer.multiplier[0]), nuY = L::all(answer.multiplier[1]);
  L x = L::all(0.0), y = x, bending = x, slope = x, squared = x, largest = x, swing = x;
  L alongX = x, alongY = x;
  L turn = L::load(answer.end), oldNext = x, newNext = x, turnNext = x;
  const L base = behind(turn);  // turn of the base of each lane
  const auto addJoint = [&](int at, L turned, L oldBent, L newBent) LIMBER_INLINE_CALL {
    const L w = L::load(rows.stiffness + at), rest = L::load(rows.rest + at);
    oldBent -= rest;
    newBent -= rest;
    bending += w * (newBent * newBent);
    slope += w * (oldBent * turned);
    squared += turned * turned;
    largest = max(largest, absolute(turned));
  };
  L lastOld = L::load(from.angle + (rows.rows - 1) * N), lastNew = lastOld + turn;
  for (int r = rows.rows - 1; r >= 0; --r) {
    const int at = r * N;
    if (r < rows.rows - 1) {
      const L rhs = L::load(factors.bend + at) + nuX * L::load(factors.x + at) + nuY * L::load(factors.y + at) -
                    L::load(factors.spike + at) * base;
      turn = L::load(factors.carry + at) * turnNext - rhs;
    }
    const L oldAngle = L::load(from.angle + at), newAngle = oldAngle + turn;
    newAngle.store(to.angle + at);
    swing = max(swing, absolute(turn));
    const L length = L::load(rows.length + at), moved = length * turn;
    alongX -= moved * L::load(from.sine + at);
    alongY += moved * L::load(from.cosine + at);
    L sine, cosine;
    sineCosine(newAngle, sine, cosine);
    sine.store(to.sine + at);
    cosine.store(to.cosine + at);
    x += length * cosine;
    y += length * sine;
    if (r < rows.rows - 1) addJoint(at + N, turnNext - turn, oldNext - oldAngle, newNext - newAngle);
    turnNext = turn;
    oldNext = oldAngle;
    newNext = newAngle;
  }
  addJoint(0, turnNext - base, oldNext - behind(lastOld), newNext - behind(lastNew));
  trial.squared = sumOf(squared);
  trial.largest = maxOf(largest);
  trial.swing = maxOf(swing);
  judgeStep(question, Four::of(sumOf(x), sumOf(y), sumOf(alongX), sumOf(alongY)),
            Four::of(sumOf(bending), 0.0, sumOf(slope), 0.0), repeat(answer.multiplier), repeat(answer.pulled), trial);
}

template <int N>
inline constexpr PlanarKernels kPlanarKernels{
    evaluatePlanar<N>, planarGradientNorm<N>, sweepPlanarForward<N>, sweepPlanarBack<N>, nullptr, nullptr};

inline const PlanarKernels& choosePlanarKernels(const PlanarRows& rows) {
  return rows.lanes == 8 ? kPlanarKernels<8> : kPlanarKernels<4>;
}

}  // namespace LIMBER_KERNEL_NAMESPACE
}  // namespace limber

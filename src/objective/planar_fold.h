// SPDX-License-Identifier: MIT
// The sweeps of objective/planar_system.h for a short chain, folded at its middle: both halves are eliminated at once,
// each from its end of the chain, and meet in the segment between them. Compiled twice (kinematics/lanes.h).
//
// With 2 R - 1 segments, step k takes segments k and 2 R - 2 - k, which stand beside each other at 2 k and 2 k + 1.
// The middle one stands at 2 R - 2, and after it a place without length and stiffness that repeats its angle. R is
// even: two steps fill a vector of four lanes, in which all is computed that does not go from segment to segment.
//
// A pivot is D' / D of the recurrence  D' = N + w D,  N' = w N - c D' = (w - c) N - c w D,  with w the stiffness of the
// joint toward the middle, c the curvature of the next segment and N / D what holds the segment from the other side: no
// step of it waits for a division.
#pragma once

#include "objective/planar_kernels.h"

namespace limber::LIMBER_KERNEL_NAMESPACE {

// Of a loop whose numbers then stay in registers.
#if defined(__clang__)
#define LIMBER_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define LIMBER_UNROLL _Pragma("GCC unroll 16")
#else
#define LIMBER_UNROLL
#endif

/// A chain folded into V vectors: R = 2 V.
template <int V>
class PlanarFold {
  using Four = Lanes<double, 4>;
  using Two = Lanes<double, 2>;
  static constexpr int kSteps = 2 * V - 1;

  /// A number for each place.
  struct All {
    Four v[V];
    LIMBER_INLINE Two pair(int k) const {
      return k % 2 == 0 ? Two::of(v[k / 2][0], v[k / 2][1]) : Two::of(v[k / 2][2], v[k / 2][3]);
    }
  };

  template <class F>
  static LIMBER_INLINE All each(F f) {
    All all;
    LIMBER_UNROLL
    for (int i = 0; i < V; ++i) all.v[i] = f(i);
    return all;
  }
  static LIMBER_INLINE All load(const double* from) {
    return each([&](int i) LIMBER_INLINE_CALL { return Four::load(from + 4 * i); });
  }
  static LIMBER_INLINE All loadAngles(const PlanarAngles& angles) {
    All angle = load(angles.angle);
    const Four last = angle.v[V - 1];
    angle.v[V - 1] = Four::of(last[0], last[1], last[2], last[2]);
    return angle;
  }
  static LIMBER_INLINE All join(const Two (&pairs)[2 * V]) {
    return each([&](int i) LIMBER_INLINE_CALL {
      const Two a = pairs[2 * i], b = pairs[2 * i + 1];
      return Four::of(a[0], a[1], b[0], b[1]);
    });
  }
  /// What each segment has more than the one before it, toward the base.
  static LIMBER_INLINE All joints(const All& a) {
    return each([&](int i) LIMBER_INLINE_CALL {
      const double base = i > 0 ? a.v[i > 0 ? i - 1 : 0][2] : 0.0, next = a.v[i + 1 < V ? i + 1 : i][i + 1 < V ? 1 : 3];
      return a.v[i] - Four::of(base, a.v[i][3], a.v[i][0], next);
    });
  }
  /// How far the joints are from rest.
  static LIMBER_INLINE All bends(const PlanarRows& rows, const PlanarAngles& angles) {
    const All bent = joints(loadAngles(angles));
    return each([&](int i) LIMBER_INLINE_CALL { return bent.v[i] - Four::load(rows.rest + 4 * i); });
  }

  /// The sums of four vectors, side by side.
  static LIMBER_INLINE Four sums(Four a, Four b, Four c, Four d) {
    const Four ab = Four::of(a[0], b[0], a[2], b[2]) + Four::of(a[1], b[1], a[3], b[3]);
    const Four cd = Four::of(c[0], d[0], c[2], d[2]) + Four::of(c[1], d[1], c[3], d[3]);
    return Four::of(ab[0], ab[1], cd[0], cd[1]) + Four::of(ab[2], ab[3], cd[2], cd[3]);
  }

  struct Sums {
    Four x = Four::all(0.0), y = x, bending = x;
  };
  /// Sines, cosines, and what four segments add to the sums.
  static LIMBER_INLINE void place(const PlanarRows& rows, int at, Four angle, Four bent, const PlanarAngles& angles,
                                  Sums& sums) {
    Four sine, cosine;
    sineCosine(angle, sine, cosine);
    sine.store(angles.sine + at);
    cosine.store(angles.cosine + at);
    const Four length = Four::load(rows.length + at);
    sums.x += length * cosine;
    sums.y += length * sine;
    sums.bending += Four::load(rows.stiffness + at) * (bent * bent);
  }

 public:
  static void evaluate(const PlanarRows& rows, const PlanarAngles& angles, PlanarTrial& trial) {
    const All angle = loadAngles(angles), bent = bends(rows, angles);
    Sums all;
    for (int i = 0; i < V; ++i) place(rows, 4 * i, angle.v[i], bent.v[i], angles, all);
    const Four sum = sums(all.x, all.y, all.bending, all.bending);
    trial.x = sum[0];
    trial.y = sum[1];
    trial.bending = sum[2];
  }

  static double gradientNorm(const PlanarRows& rows, const PlanarAngles& angles, double forceX, double forceY) {
    const Four fx = Four::all(forceX), fy = Four::all(forceY);
    const All bent = bends(rows, angles);
    double torque[4 * V], moment[4 * V];
    for (int i = 0; i < V; ++i) {
      const int at = 4 * i;
      const Four across = fy * Four::load(angles.cosine + at) - fx * Four::load(angles.sine + at);
      (Four::load(rows.length + at) * across).store(torque + at);
      (Four::load(rows.stiffness + at) * bent.v[i]).store(moment + at);
    }
    double beyond = 0.0, norm = 0.0;
    const auto add = [&](int at) LIMBER_INLINE_CALL {
      beyond += torque[at];
      const double entry = std::abs(beyond + moment[at]);
      norm = entry <= norm ? norm : entry;
    };
    for (int k = 0; k < kSteps; ++k) add(2 * k + 1);
    for (int k = kSteps; k >= 0; --k) add(2 * k);
    return norm;
  }

  /// Both halves, up to the middle: there their stiffnesses and right-hand sides add up. Leaves the right-hand sides
  /// not divided by the pivots, whose inverses stand in the place of the spike.
  static void forward(const PlanarRows& rows, const PlanarAngles& angles, double multiplierX, double multiplierY,
                      double damping, const PlanarFactors& factors, PlanarEnds& ends) {
    const Four nuX = Four::all(multiplierX), nuY = Four::all(multiplierY), lambda = Four::all(damping);
    const All bent = bends(rows, angles), length = load(rows.length);
    const All across = each([&](int i) LIMBER_INLINE_CALL { return length.v[i] * Four::load(angles.cosine + 4 * i); });
    const All down = each([&](int i) LIMBER_INLINE_CALL { return length.v[i] * Four::load(angles.sine + 4 * i); });
    const All curvature = each([&](int i) LIMBER_INLINE_CALL { return nuX * across.v[i] + nuY * down.v[i]; });
    const All moment = each([&](int i) LIMBER_INLINE_CALL { return Four::load(rows.stiffness + 4 * i) * bent.v[i]; });
    const All weight = each([&](int i) LIMBER_INLINE_CALL {  // of the joint toward the middle
      const Four own = Four::load(rows.stiffness + 4 * i), next = Four::load(rows.stiffness + 4 * i + 2);
      return Four::of(next[0], own[1], next[2], own[3]) + lambda;
    });
    Two N = Two::of(rows.stiffness[0] + damping, 0.0) - curvature.pair(0), D = Two::all(1.0);
    Two negatives = Two::all(0.0), largest = negatives;
    Two inverses[2 * V], carries[2 * V], pulls[2 * V];
    LIMBER_UNROLL
    for (int k = 0; k < kSteps; ++k) {
      const Two w = weight.pair(k), c = curvature.pair(k + 1), next = N + w * D;
      N = (w - c) * N - (c * w) * D;
      inverses[k] = D / next;
      carries[k] = w * inverses[k];
      pulls[k] = Two::of(moment.pair(k + 1)[0], -moment.pair(k)[1]);
      negatives += Two::select(inverses[k] < Two::all(0.0), Two::all(1.0), Two::all(0.0));
      largest = max(largest, max(carries[k], -carries[k]));
      D = next;
    }
    (N / D + (D - D)).store(ends.stiffness);  // no number where D has grown beyond all numbers
    Two bend[2 * V], x[2 * V], y[2 * V];
    bend[0] = Two::of(moment.v[0][0], 0.0);
    x[0] = -down.pair(0);
    y[0] = across.pair(0);
    LIMBER_UNROLL
    for (int k = 0; k < kSteps; ++k) {
      bend[k] -= pulls[k];
      bend[k + 1] = pulls[k] + carries[k] * bend[k];
      x[k + 1] = carries[k] * x[k] - down.pair(k + 1);
      y[k + 1] = carries[k] * y[k] + across.pair(k + 1);
    }
    bend[kSteps].store(ends.bend);
    x[kSteps].store(ends.x);
    y[kSteps].store(ends.y);
    inverses[kSteps] = carries[kSteps] = Two::all(0.0);
    const All inverse = join(inverses), carry = join(carries), right = join(bend), rightX = join(x), rightY = join(y);
    Four xx = Four::all(0.0), xy = xx, yy = xx, bendX = xx, bendY = xx;
    LIMBER_UNROLL
    for (int i = 0; i < V; ++i) {
      inverse.v[i].store(factors.spike + 4 * i);
      carry.v[i].store(factors.carry + 4 * i);
      right.v[i].store(factors.bend + 4 * i);
      rightX.v[i].store(factors.x + 4 * i);
      rightY.v[i].store(factors.y + 4 * i);
      const Four toX = rightX.v[i] * inverse.v[i], toY = rightY.v[i] * inverse.v[i];
      xx += rightX.v[i] * toX;
      xy += rightX.v[i] * toY;
      yy += rightY.v[i] * toY;
      bendX += right.v[i] * toX;
      bendY += right.v[i] * toY;
    }
    const Four first = sums(xx, xy, yy, bendX);
    ends.xx[0] = first[0];
    ends.xy[0] = first[1];
    ends.yy[0] = first[2];
    ends.bendX[0] = first[3];
    ends.bendY[0] = (bendY[0] + bendY[2]) + (bendY[1] + bendY[3]);
    ends.negatives = negatives[0] + negatives[1];
    ends.largestCarry = largest[0] < largest[1] ? largest[1] : largest[0];
  }

  /// From the middle's turn, end[0], outward.
  static void back(const PlanarRows& rows, const PlanarFactors& factors, const PlanarLanes& end, double multiplierX,
                   double multiplierY, const PlanarAngles& from, const PlanarAngles& to, PlanarTrial& trial) {
    const Four nuX = Four::all(multiplierX), nuY = Four::all(multiplierY);
    const All right = each([&](int i) LIMBER_INLINE_CALL {
      const int at = 4 * i;
      return Four::load(factors.spike + at) *
             (Four::load(factors.bend + at) + nuX * Four::load(factors.x + at) + nuY * Four::load(factors.y + at));
    });
    const All carry = load(factors.carry);
    Two turns[2 * V];
    turns[kSteps] = Two::all(end[0]);
    LIMBER_UNROLL
    for (int k = kSteps - 1; k >= 0; --k) turns[k] = carry.pair(k) * turns[k + 1] - right.pair(k);
    const All turn = join(turns), old = loadAngles(from), oldBent = bends(rows, from), turned = joints(turn);
    Four slope = Four::all(0.0), alongX = slope, alongY = slope, squared = slope, largest = slope, swing = slope;
    LIMBER_UNROLL
    for (int i = 0; i < V; ++i) {
      const int at = 4 * i;
      const Four moved = Four::load(rows.length + at) * turn.v[i];
      alongX -= moved * Four::load(from.sine + at);
      alongY += moved * Four::load(from.cosine + at);
      slope += Four::load(rows.stiffness + at) * (oldBent.v[i] * turned.v[i]);
      squared += turned.v[i] * turned.v[i];
      largest = max(largest, max(turned.v[i], -turned.v[i]));
      swing = max(swing, max(turn.v[i], -turn.v[i]));
    }
    Sums all;
    LIMBER_UNROLL
    for (int i = 0; i < V; ++i) {
      const Four angle = old.v[i] + turn.v[i];
      angle.store(to.angle + 4 * i);
      place(rows, 4 * i, angle, oldBent.v[i] + turned.v[i], to, all);
    }
    const Four first = sums(all.x, all.y, all.bending, slope), second = sums(alongX, alongY, squared, squared);
    trial.x = first[0];
    trial.y = first[1];
    trial.bending = first[2];
    trial.slope = first[3];
    trial.alongX = second[0];
    trial.alongY = second[1];
    trial.squared = second[2];
    const Four most = max(Four::of(largest[0], swing[0], largest[2], swing[2]),
                          Four::of(largest[1], swing[1], largest[3], swing[3]));
    trial.largest = most[0] < most[2] ? most[2] : most[0];
    trial.swing = most[1] < most[3] ? most[3] : most[1];
  }
};

template <int V>
inline constexpr PlanarKernels kPlanarFold{PlanarFold<V>::evaluate, PlanarFold<V>::gradientNorm, PlanarFold<V>::forward,
                                           PlanarFold<V>::back};

inline const PlanarKernels& choosePlanarKernels(const PlanarRows& rows) {
  static constexpr const PlanarKernels* kFolds[] = {&kPlanarFold<1>, &kPlanarFold<2>, &kPlanarFold<3>, &kPlanarFold<4>};
  static_assert(kMostFoldedRows == 8);
  if (rows.lanes == 2) return *kFolds[rows.rows / 2 - 1];
  return rows.lanes == 8 ? kPlanarKernels<8> : kPlanarKernels<4>;
}

}  // namespace limber::LIMBER_KERNEL_NAMESPACE

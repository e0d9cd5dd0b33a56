// SPDX-License-Identifier: MIT
// The inner loops of the tree sweep along a run of scalar coordinates (kinematics/lanes.h says how such a header is
// compiled). Twists, wrenches and h are six numbers in a row, matrices 36 by columns.
#pragma once

#include "kinematics/lanes.h"

namespace limber {

struct SweepArrays {
  const int* coordinates;     ///< by element: column of `twists`
  const double* twists;
  const char* free;           ///< by element
  const double* pull;         ///< by element: regulariser's weight and damping
  const double* slope;        ///< by element: regulariser's gradient
  double *h, *inverse;        ///< by element: six numbers; 1 / d, 0 where nothing moves
  double *right, *solution;   ///< by element: alpha / d; the step
};

/// What a run takes from below and hands on above.
struct RunState {
  const double* wrench;       ///< g
  double *articulated, *bias; ///< P, pA
};

struct SweepKernel {
  /// Eliminates the elements from end - 1 to first, with the gradient as right-hand side. Returns the element whose pivot is
  /// bad, -1 for none.
  int (*factorRun)(const SweepArrays&, int first, int end, const RunState&, double* badPivot);
  /// Eliminates them from another right-hand side, `bias` alone.
  void (*eliminateRun)(const SweepArrays&, int first, int end, double* bias);
  /// Back from first to end: `motion` in is the twist of what is above, out that of the run's end.
  void (*moveRun)(const SweepArrays&, int first, int end, double* motion);
};

extern const SweepKernel kSweepBaseline, kSweepAvx2;

/// A pivot below this part of its own regulariser and damping is rounding.
inline constexpr double kSweepPivotFloor = 1e-10;

}  // namespace limber

namespace limber::LIMBER_KERNEL_NAMESPACE {

/// Six numbers.
struct Six {
  Lanes<double, 4> head;
  Lanes<double, 2> tail;

  static LIMBER_INLINE Six load(const double* from) { return {Lanes<double, 4>::load(from), Lanes<double, 2>::load(from + 4)}; }
  LIMBER_INLINE void store(double* to) const {
    head.store(to);
    tail.store(to + 4);
  }
  friend LIMBER_INLINE Six operator+(Six a, Six b) { return {a.head + b.head, a.tail + b.tail}; }
  friend LIMBER_INLINE Six operator-(Six a, Six b) { return {a.head - b.head, a.tail - b.tail}; }
  friend LIMBER_INLINE Six operator*(Six a, double b) {
    return {a.head * Lanes<double, 4>::all(b), a.tail * Lanes<double, 2>::all(b)};
  }
};

LIMBER_INLINE double dot(Six a, Six b) {
  const auto head = a.head * b.head;
  const auto tail = a.tail * b.tail;
  return ((head[0] + head[2]) + (head[1] + head[3])) + (tail[0] + tail[1]);
}

/// 1/2 S x* g: (w x m + v x f; w x f) of a twist (w; v) and a wrench (m; f), halved.
LIMBER_INLINE Six halfCrossDual(const double* s, const double* g) {
  double out[6];
  for (int i = 0; i < 3; ++i) {
    const int j = i == 2 ? 0 : i + 1, k = i == 0 ? 2 : i - 1;
    out[i] = 0.5 * ((s[j] * g[k] - s[k] * g[j]) + (s[3 + j] * g[3 + k] - s[3 + k] * g[3 + j]));
    out[3 + i] = 0.5 * (s[j] * g[3 + k] - s[k] * g[3 + j]);
  }
  return Six::load(out);
}

LIMBER_INLINE bool isZero(const double* h) {
  bool zero = true;
  for (int i = 0; i < 6; ++i) zero = zero && h[i] == 0.0;
  return zero;
}

inline int factorRun(const SweepArrays& a, int first, int end, const RunState& run, double* badPivot) {
  Six p[6];
  for (int k = 0; k < 6; ++k) p[k] = Six::load(run.articulated + 6 * k);
  Six bias = Six::load(run.bias);
  for (int e = end - 1; e >= first; --e) {
    const double* s = a.twists + 6 * a.coordinates[e];
    double* h = a.h + 6 * e;
    if (!a.free[e]) {
      a.inverse[e] = a.right[e] = 0.0;
      for (int i = 0; i < 6; ++i) h[i] = 0.0;
      continue;
    }
    const Six twist = Six::load(s);
    const Six force = ((p[0] * s[0] + p[1] * s[1]) + (p[2] * s[2] + p[3] * s[3])) + (p[4] * s[4] + p[5] * s[5]);
    const Six column = force + halfCrossDual(s, run.wrench);
    column.store(h);
    const double own = a.pull[e];
    const double pivot = dot(twist, force) + own;  // the bracket term has no part in it
    if (!(pivot > kSweepPivotFloor * own) || pivot <= 0.0) {
      if (own == 0.0 && pivot == 0.0 && isZero(h)) {  // nothing depends on it: it stays where it is
        a.inverse[e] = a.right[e] = 0.0;
        continue;
      }
      *badPivot = pivot;
      return e;
    }
    const double inverse = 1.0 / pivot;
    a.inverse[e] = inverse;
    a.right[e] = inverse * (dot(twist, bias) + a.slope[e]);
    bias = bias - column * a.right[e];
    const Six scaled = column * inverse;
    for (int k = 0; k < 6; ++k) p[k] = p[k] - scaled * h[k];
  }
  for (int k = 0; k < 6; ++k) p[k].store(run.articulated + 6 * k);
  bias.store(run.bias);
  return -1;
}

inline void eliminateRun(const SweepArrays& a, int first, int end, double* bias) {
  Six left = Six::load(bias);
  for (int e = end - 1; e >= first; --e) {
    a.right[e] = a.inverse[e] * dot(Six::load(a.twists + 6 * a.coordinates[e]), left);
    left = left - Six::load(a.h + 6 * e) * a.right[e];
  }
  left.store(bias);
}

inline void moveRun(const SweepArrays& a, int first, int end, double* motion) {
  Six total = Six::load(motion);
  for (int e = first; e < end; ++e) {
    a.solution[e] = -(a.right[e] + a.inverse[e] * dot(Six::load(a.h + 6 * e), total));
    total = total + Six::load(a.twists + 6 * a.coordinates[e]) * a.solution[e];
  }
  total.store(motion);
}

}  // namespace limber::LIMBER_KERNEL_NAMESPACE

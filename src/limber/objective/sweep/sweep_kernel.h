// SPDX-License-Identifier: MIT
// The inner loops of the tree sweep along a run of scalar coordinates. Twists, wrenches and h are six consecutive
// numbers, matrices 36 by columns. vector/lanes.h says how this header is compiled.
#pragma once

#include "limber/vector/lanes.h"

namespace limber {

struct SweepArrays {
  const int* coordinates;  ///< by element: column of `twists`
  const double* twists;
  const char* free;          ///< by element
  const double* pull;        ///< by element: the regularisers' weight plus damping
  const double* slope;       ///< by element: the regularisers' gradient
  double* h;                 ///< by element, kSweepRows numbers: h, alpha, 0
  double* inverse;           ///< by element: 1 / d, 0 if it does not move
  double* above;             ///< by moving element: h . S of the next moving one above it in the run
  double *right, *solution;  ///< by element: alpha / d; the step
};

inline constexpr int kSweepRows = 8;

/// The state of an elimination: at a run's end before it, at its beginning after it.
struct RunState {
  const double* wrench;        ///< g
  double *articulated, *bias;  ///< P, pA
};

/// Columns of open unknowns (wrenches) along a run: F = B F_0, with the same B (6 x 6) for all. An element's entries
/// are e F_0 with e = S . B, six numbers. Matrices are in rows of kSweepRows.
struct ColumnState {
  double* basis;    ///< B, six rows
  double* gram;     ///< sum of e' e / d, six rows
  double* borders;  ///< by element: e
  /// Null, or the sum of F_0 F_0' over goals with several links, six rows, which the pivots do not contain yet. Then
  /// small pivots are rejected.
  const double* missing;
};

struct SweepKernel {
  /// Eliminates the elements from end - 1 to first, with the gradient as right-hand side. Returns the element with a
  /// bad pivot, -1 for none.
  int (*factorRun)(const SweepArrays&, int first, int end, const RunState&, double* badPivot);
  /// The same with columns of open unknowns. The states are those above the returned element.
  int (*factorOpenRun)(const SweepArrays&, int first, int end, const RunState&, const ColumnState&, double* badPivot);
  /// Eliminates the elements from another right-hand side, which `bias` contains.
  void (*eliminateRun)(const SweepArrays&, int first, int end, double* bias);
  /// Back substitution from first to end. `above` is the motion of the run's parent; `motion`, out, that of its end.
  void (*moveRun)(const SweepArrays&, int first, int end, const double* above, double* motion);
};

extern const SweepKernel kSweepBaseline, kSweepAvx2;

/// A smaller pivot, relative to its own regulariser and damping, is rounding.
inline constexpr double kSweepPivotFloor = 1e-10;

/// Below a goal with several links, a pivot may be small or negative because the goal's contribution is not in it yet.
/// Eliminating it would cause large numbers that cancel later. A pivot must be at least these parts of its own terms
/// and of the missing contribution.
inline constexpr double kLeastPivot = 1e-3, kLeastMissing = 1e-7;

}  // namespace limber

namespace limber::LIMBER_KERNEL_NAMESPACE {

/// Six numbers, a seventh that is carried along, and a zero.
struct Row {
  using L = Lanes<double, 4>;
  L head, tail;

  static LIMBER_INLINE Row load(const double* from) { return {L::load(from), L::load(from + 4)}; }
  static LIMBER_INLINE Row ofSix(const double* from, double seventh = 0.0) {
    return {L::load(from), L::of(from[4], from[5], seventh, 0.0)};
  }
  LIMBER_INLINE void store(double* to) const {
    head.store(to);
    tail.store(to + 4);
  }
  LIMBER_INLINE void storeSix(double* to) const {
    head.store(to);
    to[4] = tail[0];
    to[5] = tail[1];
  }
  friend LIMBER_INLINE Row operator+(Row a, Row b) { return {a.head + b.head, a.tail + b.tail}; }
  friend LIMBER_INLINE Row operator-(Row a, Row b) { return {a.head - b.head, a.tail - b.tail}; }
  friend LIMBER_INLINE Row operator*(Row a, double b) { return {a.head * L::all(b), a.tail * L::all(b)}; }
};

/// Dot product of all eight. If the seventh is not to count, it is zero in one of the two.
LIMBER_INLINE double dot(Row a, Row b) {
  const auto sum = a.head * b.head + a.tail * b.tail;
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/// 1/2 S x* g = 1/2 (w x m + v x f; w x f) of a twist (w; v) and a wrench (m; f). Holds g.
class HalfCrossDual {
 public:
  explicit LIMBER_INLINE HalfCrossDual(const double* wrench) {
    const L g = L::load(wrench) * L::all(0.5);
    const double m0 = g[0], m1 = g[1], m2 = g[2], f0 = g[3], f1 = 0.5 * wrench[4], f2 = 0.5 * wrench[5];
    plus_ = L::of(m2, m0, m1, f2);
    minus_ = L::of(m1, m2, m0, f1);
    shiftPlus_ = L::of(f2, f0, f1, 0.0);
    shiftMinus_ = L::of(f1, f2, f0, 0.0);
    tailPlus_ = L::of(f0, f1, 0.0, 0.0);
    tailMinus_ = L::of(f2, f0, 0.0, 0.0);
  }
  LIMBER_INLINE Row operator()(const double* s) const {
    const L w = L::load(s), v = L::load(s + 2);
    const L before = L::of(w[1], w[2], w[0], w[1]), after = L::of(w[2], w[0], w[1], w[2]);
    const L shiftBefore = L::of(v[2], v[3], v[1], v[0]), shiftAfter = L::of(v[3], v[1], v[2], v[0]);
    return {(before * plus_ - after * minus_) + (shiftBefore * shiftPlus_ - shiftAfter * shiftMinus_),
            after * tailPlus_ - w * tailMinus_};
  }

 private:
  using L = Lanes<double, 4>;
  L plus_, minus_, shiftPlus_, shiftMinus_, tailPlus_, tailMinus_;
};

LIMBER_INLINE bool isZero(Row h) {
  bool zero = true;
  for (int i = 0; i < 4; ++i) zero = zero && h.head[i] == 0.0;
  return zero && h.tail[0] == 0.0 && h.tail[1] == 0.0;
}

/// The columns of P carry pA as a seventh row. The update of P by an element is delayed by one element, and the next
/// one allows for it:  h' = (P S' + 1/2 S' x* g) - h (h . S') / d. So the next element depends on it only through h .
/// S'.
inline int factorRun(const SweepArrays& a, int first, int end, const RunState& run, double* badPivot) {
  Row p[6];
  for (int k = 0; k < 6; ++k) p[k] = Row::ofSix(run.articulated + 6 * k, run.bias[k]);
  const HalfCrossDual bracket(run.wrench);
  const Row none = {Row::L::all(0.0), Row::L::all(0.0)};
  Row last = none;  // h and alpha of the element below, whose update is still to be made
  double lastInverse = 0.0;
  int lastElement = -1;
  const auto change = [&]() LIMBER_INLINE_CALL {
    if (lastElement < 0) return;
    const Row scaled = last * lastInverse;
    const double* h = a.h + kSweepRows * lastElement;
    for (int k = 0; k < 6; ++k) p[k] = p[k] - scaled * h[k];
  };
  for (int e = end - 1; e >= first; --e) {
    const double* s = a.twists + 6 * a.coordinates[e];
    double* h = a.h + kSweepRows * e;
    if (!a.free[e]) {
      a.inverse[e] = a.right[e] = 0.0;
      none.store(h);
      continue;
    }
    const Row twist = Row::ofSix(s);
    const Row force = ((p[0] * s[0] + p[1] * s[1]) + (p[2] * s[2] + p[3] * s[3])) + (p[4] * s[4] + p[5] * s[5]);
    const double above = dot(last, twist), turned = above * lastInverse;
    const Row slope = {Row::L::all(0.0), Row::L::of(0.0, 0.0, a.slope[e], 0.0)};
    const Row column = (force + (bracket(s) + slope)) - last * turned;
    const double own = a.pull[e];
    const double pivot = (dot(force, twist) - above * turned) + own;  // the bracket term is zero here
    column.store(h);
    if (lastElement >= 0) a.above[lastElement] = above;
    if (!(pivot > kSweepPivotFloor * own) || pivot <= 0.0) {
      if (own == 0.0 && pivot == 0.0 && isZero(column)) {  // f does not depend on it, and it does not move
        a.inverse[e] = a.right[e] = 0.0;
        continue;
      }
      *badPivot = pivot;
      return e;
    }
    change();
    const double inverse = 1.0 / pivot;
    a.inverse[e] = inverse;
    a.right[e] = inverse * column.tail[2];
    last = column;
    lastInverse = inverse;
    lastElement = e;
  }
  change();
  for (int k = 0; k < 6; ++k) {
    p[k].storeSix(run.articulated + 6 * k);
    run.bias[k] = p[k].tail[2];
  }
  return -1;
}

/// ColumnState in registers.
class OpenColumns {
 public:
  explicit LIMBER_INLINE OpenColumns(const ColumnState& state) : state_(state) {
    for (int k = 0; k < 6; ++k) {
      basis_[k] = Row::load(state.basis + kSweepRows * k);
      gram_[k] = Row::load(state.gram + kSweepRows * k);
    }
  }
  LIMBER_INLINE void store() const {
    for (int k = 0; k < 6; ++k) {
      basis_[k].store(state_.basis + kSweepRows * k);
      gram_[k].store(state_.gram + kSweepRows * k);
    }
  }
  LIMBER_INLINE Row borderOf(const double* s) const {
    return ((basis_[0] * s[0] + basis_[1] * s[1]) + (basis_[2] * s[2] + basis_[3] * s[3])) +
           (basis_[4] * s[4] + basis_[5] * s[5]);
  }
  LIMBER_INLINE bool isTooSmall(double pivot, double own, const double* s, Row force, Row border) const {
    if (!state_.missing) return false;
    double f[kSweepRows], summed = own;
    force.store(f);
    for (int k = 0; k < 6; ++k) summed += std::abs(s[k] * f[k]);
    double e[kSweepRows], missing = 0.0;
    border.store(e);
    for (int k = 0; k < 6; ++k) missing += e[k] * dot(Row::load(state_.missing + kSweepRows * k), border);
    return pivot < kLeastPivot * summed || pivot < kLeastMissing * missing;
  }
  LIMBER_INLINE void eliminate(const double* h, const double* e, double inverse) {
    const Row scaled = Row::load(e) * inverse;
    for (int k = 0; k < 6; ++k) {
      basis_[k] = basis_[k] - scaled * h[k];
      gram_[k] = gram_[k] + scaled * e[k];
    }
  }

 private:
  const ColumnState& state_;
  Row basis_[6], gram_[6];
};

inline int factorOpenRun(const SweepArrays& a, int first, int end, const RunState& run, const ColumnState& state,
                         double* badPivot) {
  Row p[6];
  for (int k = 0; k < 6; ++k) p[k] = Row::ofSix(run.articulated + 6 * k, run.bias[k]);
  const HalfCrossDual bracket(run.wrench);
  OpenColumns columns(state);
  int last = -1, bad = -1;
  for (int e = end - 1; e >= first; --e) {
    const double* s = a.twists + 6 * a.coordinates[e];
    double* h = a.h + kSweepRows * e;
    double* border = state.borders + kSweepRows * e;
    a.inverse[e] = a.right[e] = 0.0;
    if (!a.free[e]) continue;
    const Row twist = Row::ofSix(s);
    const Row force = ((p[0] * s[0] + p[1] * s[1]) + (p[2] * s[2] + p[3] * s[3])) + (p[4] * s[4] + p[5] * s[5]);
    const Row slope = {Row::L::all(0.0), Row::L::of(0.0, 0.0, a.slope[e], 0.0)};
    const Row column = force + (bracket(s) + slope), coupling = columns.borderOf(s);
    const double own = a.pull[e];
    const double pivot = dot(force, twist) + own;  // the bracket term is zero here
    column.store(h);
    coupling.store(border);
    if (!(pivot > kSweepPivotFloor * own) || pivot <= 0.0 || columns.isTooSmall(pivot, own, s, force, coupling)) {
      if (own == 0.0 && pivot == 0.0 && isZero(column) && isZero(coupling)) continue;  // f does not depend on it
      *badPivot = pivot;
      bad = e;
      break;
    }
    if (last >= 0) a.above[last] = dot(Row::load(a.h + kSweepRows * last), twist);
    const double inverse = 1.0 / pivot;
    a.inverse[e] = inverse;
    a.right[e] = inverse * column.tail[2];
    const Row scaled = column * inverse;
    for (int k = 0; k < 6; ++k) p[k] = p[k] - scaled * h[k];
    columns.eliminate(h, border, inverse);
    last = e;
  }
  for (int k = 0; k < 6; ++k) {
    p[k].storeSix(run.articulated + 6 * k);
    run.bias[k] = p[k].tail[2];
  }
  columns.store();
  return bad;
}

inline void eliminateRun(const SweepArrays& a, int first, int end, double* bias) {
  Row left = Row::ofSix(bias);  // without what the last element takes
  double last = 0.0, above = 0.0;
  const double* h = nullptr;
  for (int e = end - 1; e >= first; --e) {
    if (a.inverse[e] == 0.0) {
      a.right[e] = 0.0;
      continue;
    }
    a.right[e] = a.inverse[e] * (dot(Row::ofSix(a.twists + 6 * a.coordinates[e]), left) - above * last);
    if (h) left = left - Row::load(h) * last;
    last = a.right[e];
    above = a.above[e];
    h = a.h + kSweepRows * e;
  }
  if (h) left = left - Row::load(h) * last;
  left.storeSix(bias);
}

inline void moveRun(const SweepArrays& a, int first, int end, const double* above, double* motion) {
  Row total = Row::ofSix(above);  // without the last element's own
  double last = 0.0;
  Row twist = {Row::L::all(0.0), Row::L::all(0.0)};
  bool isFirst = true;
  for (int e = first; e < end; ++e) {
    if (a.inverse[e] == 0.0) {
      a.solution[e] = 0.0;
      continue;
    }
    const double turned = dot(Row::load(a.h + kSweepRows * e), total) + (isFirst ? 0.0 : a.above[e] * last);
    total = total + twist * last;
    a.solution[e] = last = -(a.right[e] + a.inverse[e] * turned);
    twist = Row::ofSix(a.twists + 6 * a.coordinates[e]);
    isFirst = false;
  }
  (total + twist * last).storeSix(motion);
}

}  // namespace limber::LIMBER_KERNEL_NAMESPACE

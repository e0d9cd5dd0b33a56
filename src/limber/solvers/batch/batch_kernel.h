// SPDX-License-Identifier: MIT
// Many inverse-kinematics problems side by side, one per lane: projected Levenberg-Marquardt with restarts.
//
//   f = sum over goals  1/2 w_p |p - p_t|^2 + 1/2 w_o sum over axes |a_k - t_k|^2
//
// Each iteration computes kinematics, f, gradient and the Gauss-Newton matrix of every lane's trial. A lane whose f
// fell accepts the trial and solves for the next step; the others shorten their last step. With three axes per goal the
// matrix of the directions is 2 w_o 1 in every pose. A coordinate that -g pushes against its limit is held for the
// step. A lane that has reached its goals, or makes no progress, begins the next run or the next problem. Lanes are
// independent, so that an answer depends neither on its neighbours nor on the number of threads.
#pragma once

#include "limber/solvers/batch/batch_plan.h"
#include "limber/vector/lanes.h"

namespace limber::LIMBER_KERNEL_NAMESPACE {

template <class T, int N>
struct Vector3 {
  Lanes<T, N> x, y, z;
};
template <class T, int N>
LIMBER_INLINE Vector3<T, N> cross(const Vector3<T, N>& a, const Vector3<T, N>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T, int N>
LIMBER_INLINE Lanes<T, N> dot(const Vector3<T, N>& a, const Vector3<T, N>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T, int N>
LIMBER_INLINE Vector3<T, N> minus(const Vector3<T, N>& a, const Vector3<T, N>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T, int N>
LIMBER_INLINE Vector3<T, N> scaled(const Vector3<T, N>& a, Lanes<T, N> s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T, int N>
LIMBER_INLINE void add(Vector3<T, N>& a, const Vector3<T, N>& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
}

/// Axes and origin of a frame in the world.
template <class T, int N>
struct Frame {
  Vector3<T, N> x, y, z, p;
};

/// Returns parent * constant; the constant is a rotation by rows and a translation.
template <class T, int N>
LIMBER_INLINE Frame<T, N> times(const Frame<T, N>& f, const T* c) {
  using L = Lanes<T, N>;
  const auto along = [&](T a, T b, T d) LIMBER_INLINE_CALL {
    const L u = L::all(a), v = L::all(b), w = L::all(d);
    return Vector3<T, N>{f.x.x * u + f.y.x * v + f.z.x * w, f.x.y * u + f.y.y * v + f.z.y * w,
                         f.x.z * u + f.y.z * v + f.z.z * w};
  };
  Frame<T, N> result{along(c[0], c[3], c[6]), along(c[1], c[4], c[7]), along(c[2], c[5], c[8]),
                     along(c[9], c[10], c[11])};
  add(result.p, f.p);
  return result;
}

/// SplitMix64, as in solvers/steps/random_pose.h.
inline double nextUniform(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
}

/// J: number of joints at compile time, or 0 for any number. S: BatchPlan::isSerial.
template <class T, int N, int J, bool S>
class BatchRun {
  using L = Lanes<T, N>;
  using V = Vector3<T, N>;
  static constexpr int kRoom = J > 0 ? J : kMaxBatchJoints;

 public:
  BatchRun(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range)
      : plan_(plan), limits_(limits), range_(range), next_(range.begin) {
    for (int j = 0; j < joints(); ++j) {
      for (int i = 0; i < 12; ++i) frames_[j][i] = static_cast<T>(plan.frames[12 * j + i]);
      lower_[j] = static_cast<T>(plan.lower[j]);
      upper_[j] = static_cast<T>(plan.upper[j]);
    }
    for (int g = 0; g < plan.goals; ++g)
      for (int i = 0; i < 12; ++i) goalFrames_[g][i] = static_cast<T>(plan.goalFrames[12 * g + i]);
    for (int i = 0; i < N; ++i) takeProblem(i);
  }

  void run() {
    while (busy_ > 0) {
      computeFrames();
      evaluate();
      judge();
      solve();
    }
  }

 private:
  // Tuned on arms of seven joints: a run that will fail shows it early.
  static constexpr double kLeastDamping = sizeof(T) == 8 ? 1e-12 : 1e-7, kGrowth = 8.0, kShrink = 0.4;
  static constexpr double kShorten = 0.5;
  static constexpr double kMaxStep = 1.0;   // radians, and lengths of the plan
  static constexpr double kHeadway = 0.75;  // of f: an iteration that leaves more than this made no progress

  LIMBER_INLINE int joints() const { return J > 0 ? J : plan_.joints; }
  LIMBER_INLINE bool slides(int j) const { return !S && plan_.slides[j]; }

  // Refilling, lane by lane.

  void takeProblem(int lane) {
    if (next_ >= range_.end) {
      problems_[lane] = -1;
      finish(lane);
      return;
    }
    ++busy_;
    const std::int64_t problem = problems_[lane] = next_++;
    runs_[lane] = 1;
    totals_[lane] = 0;
    lowest_[lane] = -1.0;
    state_[lane] = range_.seeds[problem];
    for (int g = 0; g < plan_.goals; ++g) {
      const double* t = range_.targets + 12 * (problem * plan_.goals + g);
      Frame<T, N>& target = targets_[g];
      V* axes[] = {&target.x, &target.y, &target.z, &target.p};
      for (int a = 0; a < 3; ++a) {
        axes[a]->x.set(lane, static_cast<T>(t[a]));
        axes[a]->y.set(lane, static_cast<T>(t[3 + a]));
        axes[a]->z.set(lane, static_cast<T>(t[6 + a]));
      }
      target.p.x.set(lane, static_cast<T>(t[9]));
      target.p.y.set(lane, static_cast<T>(t[10]));
      target.p.z.set(lane, static_cast<T>(t[11]));
    }
    for (int j = 0; j < joints(); ++j) trial_[j].set(lane, static_cast<T>(range_.starts[problem * joints() + j]));
    begin(lane);
  }

  void restart(int lane) {
    ++runs_[lane];
    for (int j = 0; j < joints(); ++j) {
      const double u = nextUniform(state_[lane]);
      trial_[j].set(lane, static_cast<T>(plan_.restartLower[j] + (plan_.restartUpper[j] - plan_.restartLower[j]) * u));
    }
    begin(lane);
  }

  /// Begins a run from the trial, which is projected into the limits.
  void begin(int lane) {
    for (int j = 0; j < joints(); ++j) {
      T q = trial_[j][lane];
      if (q < lower_[j]) q = lower_[j];
      if (upper_[j] < q) q = upper_[j];
      trial_[j].set(lane, q);
      q_[j].set(lane, q);
      step_[j].set(lane, T(0));
    }
    f_.set(lane, static_cast<T>(1e30));
    damping_.set(lane, static_cast<T>(limits_.firstDamping));
    slow_.set(lane, T(0));
    turns_.set(lane, T(0));
  }

  /// A lane without a problem continues with harmless numbers.
  void finish(int lane) {
    for (int j = 0; j < joints(); ++j) trial_[j].set(lane, T(0));
    for (int g = 0; g < plan_.goals; ++g)
      for (V* axis : {&targets_[g].x, &targets_[g].y, &targets_[g].z, &targets_[g].p}) {
        axis->x.set(lane, T(0));
        axis->y.set(lane, T(0));
        axis->z.set(lane, T(0));
      }
    begin(lane);
  }

  /// Ends a lane's run: keeps its pose if it is the best of the problem, and begins the next run.
  void endRun(int lane, bool reached) {
    const std::int64_t problem = problems_[lane];
    totals_[lane] += static_cast<int>(turns_[lane]);
    const double f = f_[lane];
    if (reached || lowest_[lane] < 0.0 || f < lowest_[lane]) {
      lowest_[lane] = f;
      for (int j = 0; j < joints(); ++j) range_.answers[problem * joints() + j] = static_cast<double>(q_[j][lane]);
    }
    if (!reached && runs_[lane] <= limits_.restarts) return restart(lane);
    range_.iterations[problem] = totals_[lane];
    range_.runs[problem] = runs_[lane];
    --busy_;
    takeProblem(lane);
  }

  // The loop, all lanes at once.

  LIMBER_INLINE void computeFrames() {
    Frame<T, N> world;
    const L one = L::all(T(1)), zero = L::all(T(0));
    world.x = {one, zero, zero};
    world.y = {zero, one, zero};
    world.z = {zero, zero, one};
    world.p = {zero, zero, zero};
    for (int j = 0; j < joints(); ++j) {
      const int parent = S ? j - 1 : plan_.parents[j];
      Frame<T, N> f = times(parent < 0 ? world : world_[parent], frames_[j]);
      if (slides(j)) {
        add(f.p, scaled(f.z, trial_[j]));
        world_[j] = f;
        continue;
      }
      L s, c;
      sineCosine(trial_[j], s, c);
      world_[j].z = f.z;
      world_[j].p = f.p;
      world_[j].x = {f.x.x * c + f.y.x * s, f.x.y * c + f.y.y * s, f.x.z * c + f.y.z * s};
      world_[j].y = {f.y.x * c - f.x.x * s, f.y.y * c - f.x.y * s, f.y.z * c - f.x.z * s};
    }
  }

  LIMBER_INLINE void evaluate() {
    trialF_ = L::all(T(0));
    missed_ = L::all(T(0));
    for (int j = 0; j < joints(); ++j) gradient_[j] = L::all(T(0));
    for (int j = 0; j < joints(); ++j)
      for (int i = 0; i <= j; ++i) matrix_[j][i] = L::all(T(0));
    for (int g = 0; g < (S ? 1 : plan_.goals); ++g) addGoal(g);
  }

  LIMBER_INLINE void addGoal(int g) {
    const Frame<T, N> at = times(world_[S ? joints() - 1 : plan_.goalJoints[g]], goalFrames_[g]);
    const Frame<T, N>& target = targets_[g];
    const L wp = L::all(static_cast<T>(plan_.positionWeights[g])),
            wo = L::all(static_cast<T>(plan_.orientationWeights[g]));
    const L half = L::all(T(0.5)), two = L::all(T(2));
    const V e = minus(at.p, target.p);
    const V dx = minus(at.x, target.x), dy = minus(at.y, target.y), dz = minus(at.z, target.z);
    V turn = cross(at.x, target.x);
    add(turn, cross(at.y, target.y));
    add(turn, cross(at.z, target.z));  // 2 sin(angle) times the axis
    const L far = dot(e, e), apart = dot(dx, dx) + dot(dy, dy) + dot(dz, dz);
    trialF_ += half * (wp * far + wo * apart);
    const L one = L::all(T(1)), zero = L::all(T(0));
    if (plan_.positionWeights[g] > 0.0)
      missed_ +=
          L::select(far <= L::all(static_cast<T>(limits_.positionTolerance * limits_.positionTolerance)), zero, one);
    if (plan_.orientationWeights[g] > 0.0) {
      const T sine = static_cast<T>(4.0 * limits_.angleTolerance * limits_.angleTolerance);
      missed_ += L::select(dot(turn, turn) <= L::all(sine), zero, one);
      missed_ += L::select(apart <= one, zero, one);  // in the same direction, not the opposite one
    }
    const V force = scaled(e, wp), moment = scaled(turn, -wo);
    const L turning = two * wo;
    const int first = S ? 0 : plan_.pathStarts[g], last = S ? joints() : plan_.pathStarts[g + 1];
    for (int b = first; b < last; ++b) {
      const int j = S ? b : plan_.paths[b];
      const V& axis = world_[j].z;
      V& linear = linears_[j];
      if (slides(j)) {
        linear = axis;
        gradient_[j] += dot(axis, force);
      } else {
        linear = cross(axis, minus(at.p, world_[j].p));
        gradient_[j] += dot(axis, moment) + dot(linear, force);
      }
      const V pull = scaled(linear, wp), twist = scaled(axis, turning);
      for (int a = first; a <= b; ++a) {
        const int i = S ? a : plan_.paths[a];
        L h = dot(linears_[i], pull);
        if (!slides(i) && !slides(j)) h += dot(world_[i].z, twist);
        matrix_[j][i] += h;
      }
    }
  }

  /// Decides which lanes accept their trial, and which end their run.
  LIMBER_INLINE void judge() {
    const L zero = L::all(T(0)), one = L::all(T(1));
    const auto falls = trialF_ < f_;
    const L fell = L::select(falls, one, zero);
    const L headway = L::select(L::all(static_cast<T>(kHeadway)) * f_ <= trialF_, slow_ + one, zero);
    for (int j = 0; j < joints(); ++j) {
      q_[j] = L::select(falls, trial_[j], q_[j]);
      step_[j] = step_[j] * L::all(static_cast<T>(kShorten));
    }
    damping_ = max(damping_ * L::select(falls, L::all(static_cast<T>(kShrink)), L::all(static_cast<T>(kGrowth))),
                   L::all(static_cast<T>(kLeastDamping)));
    f_ = L::select(falls, trialF_, f_);
    slow_ = headway;
    turns_ += one;
    fell_ = fell;
    // Accept a trial that reaches the goals, even if f did not fall.
    const L reached = L::select(missed_ <= zero, one, zero);
    const L tired = L::select(L::all(static_cast<T>(limits_.maxSlow)) <= slow_, one, zero) +
                    L::select(L::all(static_cast<T>(limits_.maxIterations)) <= turns_, one, zero);
    const L ends = reached + tired;
    for (int i = 0; i < N; ++i) {
      if (!(ends[i] > T(0)) || problems_[i] < 0) continue;
      if (reached[i] > T(0))
        for (int j = 0; j < joints(); ++j) q_[j].set(i, trial_[j][i]);
      endRun(i, reached[i] > T(0));
      fell_.set(i, T(0));  // its next trial is set: no step yet
    }
  }

  /// Sets the next trial: a step from the accepted pose, or the last step shortened.
  LIMBER_INLINE void solve() {
    const L zero = L::all(T(0)), one = L::all(T(1));
    L free[kRoom];
    for (int j = 0; j < joints(); ++j) {
      const L low = L::all(lower_[j]), high = L::all(upper_[j]);
      const L g = gradient_[j];
      const L atLow = L::select(q_[j] <= low, L::select(zero < g, zero, one), one);
      const L atHigh = L::select(high <= q_[j], L::select(g < zero, zero, one), one);
      free[j] = atLow * atHigh;
      gradient_[j] = g * free[j];
    }
    for (int j = 0; j < joints(); ++j) {
      for (int i = 0; i < j; ++i) matrix_[j][i] = matrix_[j][i] * free[i] * free[j];
      matrix_[j][j] = matrix_[j][j] * free[j] + (one - free[j]) + damping_;
    }
    // L D L^T by rows, together with the forward substitution.
    L inverse[kRoom], y[kRoom];
    for (int j = 0; j < joints(); ++j) {
      for (int i = 0; i < j; ++i) {
        L sum = matrix_[j][i];
        for (int k = 0; k < i; ++k) sum -= matrix_[j][k] * matrix_[i][k];  // row i holds L, row j L D so far
        matrix_[j][i] = sum;
      }
      L pivot = matrix_[j][j], right = -gradient_[j];
      for (int k = 0; k < j; ++k) {
        const L ld = matrix_[j][k];
        const L l = ld * inverse[k];
        pivot -= ld * l;
        right -= l * y[k];
        matrix_[j][k] = l;
      }
      inverse[j] = one / pivot;
      y[j] = right;
    }
    L largest = zero;
    for (int j = joints() - 1; j >= 0; --j) {
      L sum = y[j] * inverse[j];
      for (int k = j + 1; k < joints(); ++k) sum -= matrix_[k][j] * y[k];
      y[j] = sum;
      largest = max(largest, max(sum, -sum));
    }
    const L share = L::all(static_cast<T>(kMaxStep)) / max(largest, L::all(static_cast<T>(kMaxStep)));
    const auto falls = zero < fell_;
    for (int j = 0; j < joints(); ++j) {
      step_[j] = L::select(falls, y[j] * share, step_[j]);
      trial_[j] = min(max(q_[j] + step_[j], L::all(lower_[j])), L::all(upper_[j]));
    }
  }

  const BatchPlan& plan_;
  const BatchLimits& limits_;
  const BatchRange& range_;
  std::int64_t next_;
  int busy_ = 0;
  std::int64_t problems_[N];
  int runs_[N], totals_[N];
  double lowest_[N];
  std::uint64_t state_[N];

  T frames_[kRoom][12], goalFrames_[kMaxBatchGoals][12];
  T lower_[kRoom], upper_[kRoom];
  Frame<T, N> targets_[kMaxBatchGoals];
  Frame<T, N> world_[kRoom];
  V linears_[kRoom];
  L q_[kRoom], trial_[kRoom], step_[kRoom], gradient_[kRoom];
  L matrix_[kRoom][kRoom];
  L f_, trialF_, missed_, damping_, slow_, turns_, fell_;
};

template <class T, int N>
void runBatch(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range) {
  if (plan.isSerial && plan.joints == 7) BatchRun<T, N, 7, true>(plan, limits, range).run();
  else if (plan.isSerial && plan.joints == 6) BatchRun<T, N, 6, true>(plan, limits, range).run();
  else BatchRun<T, N, 0, false>(plan, limits, range).run();
}

}  // namespace limber::LIMBER_KERNEL_NAMESPACE

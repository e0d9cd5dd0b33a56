// SPDX-License-Identifier: MIT
#include "limber/body/nearest_angles.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/kinematics/pose.h"

namespace limber {

namespace {

constexpr int kSweeps = 8;       // over all angles, before the Newton steps
constexpr int kFirstSweeps = 3;  // of them, after which a start that goes where an earlier one ended is left
constexpr double kSwept = 1e-3;  // radians: Newton steps gain more than a sweep that moves less
constexpr double kSame = 0.02;   // radians from an earlier answer: the same minimum
constexpr int kNewtonSteps = 60;
constexpr std::size_t kGridHinges = 3;  // longer rows start only from the preferred and the middle angles
constexpr int kFewHinges = 4;           // rows of so few need no memory of the heap for their steps
constexpr double kAsGood = 1e-9;        // of tr K: answers that differ by less are equally good
constexpr double kNoGain = 1e-14;       // of the error: a step that gains less is the last
constexpr double kExact = 1e-28;        // of tr K: an error below it is rounding

/// Where tr(exp(q a) n) = const + c cos q + s sin q.
struct Wave {
  double c = 0.0, s = 0.0;
};

Wave waveOf(const Eigen::Vector3d& axis, const Eigen::Matrix3d& n) {
  return {n.trace() - axis.dot(n * axis),
          axis.dot(Eigen::Vector3d(n(1, 2) - n(2, 1), n(2, 0) - n(0, 2), n(0, 1) - n(1, 0)))};
}

/// Most: of hinges, or Eigen::Dynamic
template <int Most>
class RowSolver {
 public:
  RowSolver(const HingeRow& row, const Eigen::Matrix3d& wanted, const Eigen::Matrix3d& metric)
      : row_(row), wanted_(wanted), metric_(metric), scale_(std::max(metric.trace(), 1e-300)),
        end_(row.after * metric * wanted.transpose()), turned_(count()), below_(count()), axes_(count()) {}

  std::vector<double> solve() {
    if (count() == 1) return {bestAngle(0, end_ * row_.hinges[0].before)};
    std::vector<double> best, angles(count());
    double bestError = 0.0, bestWay = 0.0;
    for (std::size_t start = 0; start < startCount(); ++start) {
      setStart(start, angles);
      sweep(angles, kFirstSweeps);
      if (isNear(angles, best)) continue;
      sweep(angles, kSweeps - kFirstSweeps);
      if (isNear(angles, best)) continue;
      const double error = polish(angles), way = wayFromPreferred(angles);
      const bool isBetter = error < bestError - kAsGood * scale_;
      const bool isAsGoodAndNearer = error < bestError + kAsGood * scale_ && way < bestWay - 1e-9;
      if (best.empty() || isBetter || isAsGoodAndNearer) {
        best = angles;
        bestError = error;
        bestWay = way;
      }
      if (bestError <= kExact * scale_) break;  // found from the preferred angles first
    }
    return best;
  }

 private:
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Most, Most>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, Most, 1>;

  std::size_t count() const { return row_.hinges.size(); }

  static bool isNear(const std::vector<double>& angles, const std::vector<double>& answer) {
    return std::ranges::equal(angles, answer, [](double a, double b) { return std::abs(a - b) < kSame; });
  }

  double inside(std::size_t i, double angle) const {
    return std::clamp(angle, row_.hinges[i].limits.lower, row_.hinges[i].limits.upper);
  }

  /// The starts: the preferred angles, and a grid over the ranges of all hinges but the first, which a sweep sets
  /// first, whatever its angle was.
  std::size_t startCount() const { return 1 + (count() > kGridHinges ? 1 : std::size_t{1} << (count() - 1)); }

  void setStart(std::size_t start, std::vector<double>& angles) const {
    for (std::size_t i = 0; i < count(); ++i) {
      const Interval& limits = row_.hinges[i].limits;
      const double lower = std::max(limits.lower, -std::numbers::pi), upper = std::min(limits.upper, std::numbers::pi);
      const bool isUpper = start > 0 && ((start - 1) >> (count() - 1 - i)) % 2 == 1;
      const double part = count() > kGridHinges ? 0.5 : isUpper ? 0.8 : 0.2;
      angles[i] = inside(i, start == 0 ? row_.hinges[i].preferred : lower + part * (upper - lower));
    }
  }

  double wayFromPreferred(const std::vector<double>& angles) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < count(); ++i) sum += std::pow(angles[i] - row_.hinges[i].preferred, 2);
    return sum;
  }

  Eigen::Matrix3d turnOf(std::size_t i, double angle) const {
    return Eigen::AngleAxisd(angle, row_.hinges[i].axis).toRotationMatrix();
  }

  /// Sets the link's rotation, and each hinge's axis, in the link that carries the row.
  void place(const std::vector<double>& angles) {
    rotation_.setIdentity();
    for (std::size_t i = 0; i < count(); ++i) {
      rotation_ *= row_.hinges[i].before;
      axes_[i] = rotation_ * row_.hinges[i].axis;
      rotation_ *= turnOf(i, angles[i]);
    }
    rotation_ *= row_.after;
  }

  double errorAt(const std::vector<double>& angles) {
    place(angles);
    const Eigen::Matrix3d d = rotation_ - wanted_;
    return 0.5 * (d * metric_).cwiseProduct(d).sum();
  }

  /// Moves one angle after the other to its own optimum: the maximum of tr(R*' A exp(q a) B K).
  void sweep(std::vector<double>& angles, int rounds) {
    for (std::size_t i = 0; i < count(); ++i) turned_[i] = row_.hinges[i].before * turnOf(i, angles[i]);
    for (int round = 0; round < rounds; ++round) {
      double moved = 0.0;
      below_.back() = end_;
      for (std::size_t i = count() - 1; i > 0; --i) below_[i - 1] = turned_[i] * below_[i];
      Eigen::Matrix3d above = Eigen::Matrix3d::Identity();
      for (std::size_t i = 0; i < count(); ++i) {
        const double best = bestAngle(i, below_[i] * (above * row_.hinges[i].before));
        moved = std::max(moved, std::abs(best - angles[i]));
        if (best != angles[i]) turned_[i] = row_.hinges[i].before * turnOf(i, best);
        angles[i] = best;
        above *= turned_[i];
      }
      if (moved < kSwept) return;
    }
  }

  /// The angle within the limits at which tr(exp(q a) n) is largest.
  double bestAngle(std::size_t i, const Eigen::Matrix3d& n) const {
    const auto [c, s] = waveOf(row_.hinges[i].axis, n);
    const Interval& limits = row_.hinges[i].limits;
    if (std::sqrt(c * c + s * s) < 1e-14 * scale_) return inside(i, row_.hinges[i].preferred);
    double angle = std::atan2(s, c);
    const double turn = 2.0 * std::numbers::pi;
    const double near = inside(i, row_.hinges[i].preferred);
    angle += turn * std::round((near - angle) / turn);
    for (const double candidate : {angle, angle - turn, angle + turn})
      if (candidate >= limits.lower && candidate <= limits.upper) return candidate;
    const auto value = [cosine = c, sine = s](double q) { return cosine * std::cos(q) + sine * std::sin(q); };
    return value(limits.lower) >= value(limits.upper) ? limits.lower : limits.upper;
  }

  /// Damped Newton steps over the angles that no limit stops, and Gauss-Newton steps where the Hessian is not positive;
  /// the error at the end.
  double polish(std::vector<double>& angles) {
    double error = errorAt(angles), damping = 1e-9 * scale_;
    std::vector<double> next(count());
    for (int step = 0; step < kNewtonSteps && error > kExact * scale_; ++step) {
      place(angles);
      setGradient();
      if (!setStep(angles, rotation_ * metric_ * wanted_.transpose(), damping) &&
          !setStep(angles, rotation_ * metric_ * rotation_.transpose(), damping))
        return error;
      double expectedGain = 0.0;
      for (std::size_t i = 0; i < count(); ++i) {
        const auto at = static_cast<Eigen::Index>(i);
        next[i] = inside(i, angles[i] + step_[at]);
        expectedGain += gradient_[at] * (angles[i] - next[i]);
      }
      if (expectedGain < kNoGain * error) return error;
      const double trial = errorAt(next);
      if (trial < error) {
        const bool isDone = error - trial < kNoGain * error;
        std::swap(angles, next);
        error = trial;
        damping = std::max(0.1 * damping, 1e-12 * scale_);
        if (isDone) return error;
      } else {
        damping *= 10.0;
        if (damping > 1e3 * scale_) return error;
      }
    }
    return error;
  }

  /// df/dq_i = tr([a_i] R K (R - R*)').
  void setGradient() {
    const Eigen::Matrix3d n = rotation_ * metric_ * (rotation_ - wanted_).transpose();
    gradient_.resize(std::ssize(axes_));
    for (Eigen::Index i = 0; i < gradient_.size(); ++i) gradient_[i] = waveOf(axes_[static_cast<std::size_t>(i)], n).s;
  }

  /// Sets the step for the curvatures (a_i . a_k) tr M - a_i' M a_k,  i <= k, which are the Hessian with M = R K R*'
  /// and the Gauss-Newton matrix with M = R K R'. Angles that a limit stops do not move. False if the curvatures are
  /// not positive, or if no angle may move downhill.
  bool setStep(const std::vector<double>& angles, const Eigen::Matrix3d& m, double damping) {
    const Eigen::Index n = gradient_.size();
    const auto isStopped = [&](Eigen::Index i) {
      const Interval& limits = row_.hinges[static_cast<std::size_t>(i)].limits;
      const double angle = angles[static_cast<std::size_t>(i)], slope = gradient_[i];
      return (angle <= limits.lower && slope >= 0.0) || (angle >= limits.upper && slope <= 0.0);
    };
    const double trace = m.trace();
    matrix_.setIdentity(n, n);
    step_.setZero(n);
    bool isAnyFree = false;
    for (Eigen::Index k = 0; k < n; ++k) {
      if (isStopped(k)) continue;
      isAnyFree = true;
      step_[k] = -gradient_[k];
      const Eigen::Vector3d& axis = axes_[static_cast<std::size_t>(k)];
      const Eigen::Vector3d turned = trace * axis - m * axis;
      for (Eigen::Index i = 0; i <= k; ++i)
        if (!isStopped(i)) matrix_(k, i) = matrix_(i, k) = axes_[static_cast<std::size_t>(i)].dot(turned);
      matrix_(k, k) += damping;
    }
    if (!isAnyFree) return false;
    const Eigen::LDLT<Square> factors(matrix_);
    if (!factors.isPositive()) return false;
    step_ = factors.solve(Column(step_));
    return step_.allFinite();
  }

  const HingeRow& row_;
  const Eigen::Matrix3d &wanted_, &metric_;
  double scale_;
  Eigen::Matrix3d end_;                          ///< L_k+1 K R*'
  std::vector<Eigen::Matrix3d> turned_, below_;  ///< by hinge: L exp(q a); the product of all below it, and end_
  Eigen::Matrix3d rotation_;
  std::vector<Eigen::Vector3d> axes_;
  Square matrix_;
  Column gradient_, step_;
};

}  // namespace

std::vector<double> nearestAngles(const HingeRow& row, const Eigen::Matrix3d& wanted, const Eigen::Matrix3d& metric) {
  if (row.hinges.empty()) return {};
  if (std::ssize(row.hinges) <= kFewHinges) return RowSolver<kFewHinges>(row, wanted, metric).solve();
  return RowSolver<Eigen::Dynamic>(row, wanted, metric).solve();
}

}  // namespace limber

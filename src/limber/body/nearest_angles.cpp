// SPDX-License-Identifier: MIT
#include "limber/body/nearest_angles.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "limber/kinematics/pose.h"

namespace limber {

namespace {

constexpr int kSweeps = 8;       // over all angles, before the Gauss-Newton steps
constexpr int kFirstSweeps = 3;  // of them, after which a start that goes where an earlier one ended is left
constexpr double kSwept = 1e-3;  // radians: Gauss-Newton steps gain more than a sweep that moves less
constexpr double kSame = 0.02;   // radians from an earlier answer: the same minimum
constexpr int kNewtonSteps = 60;
constexpr std::size_t kGridHinges = 3;  // longer rows start only from the preferred and the middle angles
constexpr double kAsGood = 1e-9;        // of tr K: answers that differ by less are equally good
constexpr double kNoGain = 1e-14;       // of the error: a step that gains less is the last
constexpr double kExact = 1e-28;        // of tr K: an error below it is rounding

class RowSolver {
 public:
  RowSolver(const HingeRow& row, const Eigen::Matrix3d& wanted, const Eigen::Matrix3d& metric)
      : row_(row), wanted_(wanted), metric_(metric), scale_(std::max(metric.trace(), 1e-300)) {}

  std::vector<double> solve() {
    std::vector<double> best;
    double bestError = 0.0, bestWay = 0.0;
    for (std::vector<double>& start : starts()) {
      sweep(start, kFirstSweeps);
      if (isNear(start, best)) continue;
      sweep(start, kSweeps - kFirstSweeps);
      if (isNear(start, best)) continue;
      const double error = count() == 1 ? errorAt(start) : polish(start), way = wayFromPreferred(start);
      const bool isBetter = error < bestError - kAsGood * scale_;
      const bool isAsGoodAndNearer = error < bestError + kAsGood * scale_ && way < bestWay - 1e-9;
      if (best.empty() || isBetter || isAsGoodAndNearer) {
        best = start;
        bestError = error;
        bestWay = way;
      }
      if (bestError <= kExact * scale_) break;  // found from the preferred angles first
    }
    return best;
  }

 private:
  std::size_t count() const { return row_.hinges.size(); }

  static bool isNear(const std::vector<double>& angles, const std::vector<double>& answer) {
    return std::ranges::equal(angles, answer, [](double a, double b) { return std::abs(a - b) < kSame; });
  }

  double inside(std::size_t i, double angle) const {
    return std::clamp(angle, row_.hinges[i].limits.lower, row_.hinges[i].limits.upper);
  }

  /// The starts: the preferred angles, and a grid over the ranges.
  std::vector<std::vector<double>> starts() const {
    std::vector<std::vector<double>> all(1);
    for (std::size_t i = 0; i < count(); ++i) all[0].push_back(inside(i, row_.hinges[i].preferred));
    if (count() < 2) return all;  // a single angle has one minimum
    std::vector<std::vector<double>> grid(1);
    for (std::size_t i = 0; i < count(); ++i) {
      const double lower = std::max(row_.hinges[i].limits.lower, -std::numbers::pi),
                   upper = std::min(row_.hinges[i].limits.upper, std::numbers::pi);
      std::vector<std::vector<double>> finer;
      for (const std::vector<double>& start : grid)
        for (const double part : count() > kGridHinges ? std::vector{0.5} : std::vector{0.2, 0.8}) {
          finer.push_back(start);
          finer.back().push_back(inside(i, lower + part * (upper - lower)));
        }
      grid = std::move(finer);
    }
    all.insert(all.end(), grid.begin(), grid.end());
    return all;
  }

  double wayFromPreferred(const std::vector<double>& angles) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < count(); ++i) sum += std::pow(angles[i] - row_.hinges[i].preferred, 2);
    return sum;
  }

  Eigen::Matrix3d turnOf(std::size_t i, double angle) const {
    return Eigen::AngleAxisd(angle, row_.hinges[i].axis).toRotationMatrix();
  }

  /// The link's rotation, and each hinge's axis, in the link that carries the row.
  Eigen::Matrix3d rotationAt(const std::vector<double>& angles, std::vector<Eigen::Vector3d>* axes) const {
    Eigen::Matrix3d r = Eigen::Matrix3d::Identity();
    for (std::size_t i = 0; i < count(); ++i) {
      r *= row_.hinges[i].before;
      if (axes) axes->push_back(r * row_.hinges[i].axis);
      r *= turnOf(i, angles[i]);
    }
    return r * row_.after;
  }

  double errorAt(const std::vector<double>& angles) const {
    const Eigen::Matrix3d d = rotationAt(angles, nullptr) - wanted_;
    return 0.5 * (d * metric_ * d.transpose()).trace();
  }

  /// Moves one angle after the other to its own optimum: the maximum of tr(R*' A exp(q a) B K).
  void sweep(std::vector<double>& angles, int rounds) const {
    for (int round = 0; round < rounds; ++round) {
      double moved = 0.0;
      Eigen::Matrix3d above = Eigen::Matrix3d::Identity();
      for (std::size_t i = 0; i < count(); ++i) {
        above *= row_.hinges[i].before;
        Eigen::Matrix3d below = Eigen::Matrix3d::Identity();
        for (std::size_t k = i + 1; k < count(); ++k) below *= row_.hinges[k].before * turnOf(k, angles[k]);
        below *= row_.after;
        const double best = bestAngle(i, below * metric_ * wanted_.transpose() * above);
        moved = std::max(moved, std::abs(best - angles[i]));
        angles[i] = best;
        above *= turnOf(i, angles[i]);
      }
      if (count() == 1 || moved < kSwept) return;
    }
  }

  /// The angle within the limits at which tr(exp(q a) n) = const + c cos q + s sin q is largest.
  double bestAngle(std::size_t i, const Eigen::Matrix3d& n) const {
    const Eigen::Vector3d& a = row_.hinges[i].axis;
    const double c = n.trace() - a.dot(n * a);
    const double s = a.dot(Eigen::Vector3d(n(1, 2) - n(2, 1), n(2, 0) - n(0, 2), n(0, 1) - n(1, 0)));
    const Interval& limits = row_.hinges[i].limits;
    if (std::hypot(c, s) < 1e-14 * scale_) return inside(i, row_.hinges[i].preferred);
    double angle = std::atan2(s, c);
    const double turn = 2.0 * std::numbers::pi;
    const double near = inside(i, row_.hinges[i].preferred);
    angle += turn * std::round((near - angle) / turn);
    for (const double candidate : {angle, angle - turn, angle + turn})
      if (candidate >= limits.lower && candidate <= limits.upper) return candidate;
    const auto value = [&](double q) { return c * std::cos(q) + s * std::sin(q); };
    return value(limits.lower) >= value(limits.upper) ? limits.lower : limits.upper;
  }

  /// Damped Gauss-Newton steps over the angles that no limit stops; the error at the end.
  double polish(std::vector<double>& angles) const {
    double error = errorAt(angles), damping = 1e-9 * scale_;
    for (int step = 0; step < kNewtonSteps && error > kExact * scale_; ++step) {
      Eigen::VectorXd gradient;
      Eigen::MatrixXd normal;
      linearise(angles, gradient, normal);
      const std::optional<std::vector<double>> next = stepFrom(angles, gradient, normal, damping);
      if (!next) return error;
      double expectedGain = 0.0;
      for (std::size_t i = 0; i < count(); ++i)
        expectedGain += gradient[static_cast<Eigen::Index>(i)] * (angles[i] - (*next)[i]);
      if (expectedGain < kNoGain * error) return error;
      const double trial = errorAt(*next);
      if (trial < error) {
        const bool isDone = error - trial < kNoGain * error;
        angles = *next;
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

  void linearise(const std::vector<double>& angles, Eigen::VectorXd& gradient, Eigen::MatrixXd& normal) const {
    std::vector<Eigen::Vector3d> axes;
    const Eigen::Matrix3d r = rotationAt(angles, &axes);
    const auto n = static_cast<Eigen::Index>(count());
    gradient.resize(n);
    normal.resize(n, n);
    std::vector<Eigen::Matrix3d> slopes;
    for (const Eigen::Vector3d& axis : axes) {
      Eigen::Matrix3d cross;
      cross << 0, -axis.z(), axis.y(), axis.z(), 0, -axis.x(), -axis.y(), axis.x(), 0;
      slopes.push_back(cross * r);
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Matrix3d weighted = slopes[i] * metric_;
      gradient[i] = (weighted.cwiseProduct(r - wanted_)).sum();
      for (Eigen::Index k = 0; k < n; ++k) normal(i, k) = weighted.cwiseProduct(slopes[k]).sum();
    }
  }

  /// Empty if no angle may move downhill.
  std::optional<std::vector<double>> stepFrom(const std::vector<double>& angles, const Eigen::VectorXd& gradient,
                                              const Eigen::MatrixXd& normal, double damping) const {
    std::vector<Eigen::Index> free;
    for (std::size_t i = 0; i < count(); ++i) {
      const Interval& limits = row_.hinges[i].limits;
      const double slope = gradient[static_cast<Eigen::Index>(i)];
      if ((angles[i] <= limits.lower && slope >= 0.0) || (angles[i] >= limits.upper && slope <= 0.0)) continue;
      free.push_back(static_cast<Eigen::Index>(i));
    }
    if (free.empty()) return std::nullopt;
    Eigen::MatrixXd matrix = normal(free, free);
    matrix.diagonal().array() += damping;
    const Eigen::VectorXd step = -matrix.ldlt().solve(gradient(free).eval());
    if (!step.allFinite()) return std::nullopt;
    std::vector<double> next = angles;
    for (std::size_t k = 0; k < free.size(); ++k) {
      const auto i = static_cast<std::size_t>(free[k]);
      next[i] = inside(i, angles[i] + step[static_cast<Eigen::Index>(k)]);
    }
    return next;
  }

  const HingeRow& row_;
  const Eigen::Matrix3d &wanted_, &metric_;
  double scale_;
};

}  // namespace

std::vector<double> nearestAngles(const HingeRow& row, const Eigen::Matrix3d& wanted, const Eigen::Matrix3d& metric) {
  if (row.hinges.empty()) return {};
  return RowSolver(row, wanted, metric).solve();
}

}  // namespace limber

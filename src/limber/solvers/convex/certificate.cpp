// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/certificate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "limber/kinematics/loops.h"
#include "limber/solvers/convex/global_pose.h"

namespace limber {

namespace {

constexpr double kWithinLimits = 1e-9;    // radians, metres: a smaller violation is rounding
constexpr double kContradiction = 1e-9;   // of L^2 + f: if a pose is below its bound by more, one of them is wrong
constexpr double kNarrow = 0.05;          // radians, half-width: it hardly helps to split narrower intervals
constexpr double kWorthSplitting = 0.01;  // of the gap: if arms lose less, splits would not close it
constexpr double kOnePlace = 1e-6;        // of L: joints no farther apart count as one
constexpr double kInner = 0.6;            // of half an interval: largest distance of a split from its middle

bool movesAny(const Objective& objective, int joint) {
  const Joint& j = objective.figure().joint(joint);
  const auto& moving = objective.moving();
  return std::any_of(moving.begin(), moving.end(),
                     [&](int c) { return c >= j.stepIndex && c < j.stepIndex + stepSize(j.type); });
}

Certificate::LeftOut leftOutOf(const Objective& objective, const Limits& limits) {
  const Figure& figure = objective.figure();
  Certificate::LeftOut left;
  const auto& moving = objective.moving();
  for (const Regulariser& pull : objective.regularisers())
    left.pulls += std::any_of(moving.begin(), moving.end(), [&](int c) { return pull.weights()[c] > 0.0; });
  left.pulls += !objective.stay().isEmpty();
  for (std::size_t k = 0; k < figure.linearLimits().size(); ++k) {
    const auto& terms = figure.linearLimits()[k].terms;
    left.linearLimits += limits.linearLimitEnabled[k] &&
                         std::any_of(terms.begin(), terms.end(),
                                     [&](const LinearLimit::Term& term) { return movesAny(objective, term.joint); });
  }
  for (std::size_t k = 0; k < figure.couplings().size(); ++k)
    left.couplings += limits.couplingEnabled[k] && movesAny(objective, figure.couplings()[k].follower);
  for (const LoopClosure& loop : figure.loops())
    left.loops += std::ranges::any_of(linksAround(figure, loop), [&](int link) { return movesAny(objective, link); });
  return left;
}

/// Empty, or why no bound can be computed.
std::string faultBeforeBound(const Figure& figure, const Pose& pose, std::span<const PointGoal> points) {
  if (!isValid(figure, pose)) return "the pose holds a number that is not finite";
  if (points.empty()) return "there is no position goal with a weight";
  for (const PointGoal& p : points)
    if (!p.target.allFinite() || !std::isfinite(p.weight)) return "a target is not finite";
  return {};
}

double certifiedGap(const CertificateOptions& options, const Certificate& certificate) {
  return std::max(options.tolerance * certificate.value, options.exact * certificate.length * certificate.length);
}

/// A region of the poses within the limits.
struct BoundedRegion {
  Limits limits;
  double bound = 0.0;  ///< of f in this region, square metres
  int hinge = -1;      ///< link of the hinge to split; -1 for none
  double at = 0.0;     ///< angle at which to split, radians
};

/// Per frame: by how much the arms to its points and child frames are shortened, squared and weighed, because its
/// rotation is a mean of rotations. A child frame at the same position adds its own loss.
std::vector<double> lostArms(const Relaxation& relaxation, const InteriorPoint& solved) {
  const std::vector<RelaxationFrame>& frames = relaxation.frames();
  std::vector<double> weights(frames.size(), 0.0), lost(frames.size(), 0.0);
  const auto lose = [&](std::size_t i, const Eigen::Vector3d& arm, double weight) {
    lost[i] += weight * (arm.squaredNorm() - (solved.rotation(static_cast<int>(i)) * arm).squaredNorm());
  };
  for (std::size_t i = frames.size(); i-- > 0;) {
    for (const RelaxationFrame::Point& p : frames[i].points) {
      weights[i] += relaxation.weight(p.index);
      lose(i, p.place.head<3>(), relaxation.weight(p.index));
    }
    if (frames[i].parent < 0) continue;
    const auto above = static_cast<std::size_t>(frames[i].parent);
    const Eigen::Vector3d arm = frames[i].parentFromJoint.topRightCorner<3, 1>();
    weights[above] += weights[i];
    lose(above, arm, weights[i]);
    if (arm.norm() < kOnePlace) lost[above] += lost[i];
  }
  return lost;
}

/// Splits the limits until the pose is certified, or the splits are used up.
class BoundSearch {
 public:
  BoundSearch(const Objective& objective, const Pose& pose, const CertificateOptions& options,
              std::span<const PointGoal> points, const InteriorPointObserver& observer, Certificate& certificate)
      : objective_(objective), pose_(pose), options_(options), points_(points), observer_(observer),
        certificate_(certificate) {
    for (const PointGoal& p : points) targets_.push_back(p.target);
  }

  void run(const Limits& limits, Relaxation& relaxation) {
    regions_.push_back({limits});
    solve(0, relaxation, std::numeric_limits<double>::infinity());
    const double enough = certificate_.value - certifiedGap(options_, certificate_);
    for (int k = 0; k < options_.splits && !certificate_.isCancelled && certificate_.bound < enough; ++k) {
      const auto worst = lowest();
      if (worst->hinge < 0) return;
      for (const std::size_t half : split(static_cast<std::size_t>(worst - regions_.begin()))) {
        if (certificate_.isCancelled) return;
        Relaxation tighter = relaxationOf(objective_, regions_[half].limits, pose_, points_, options_.form);
        solve(half, tighter, enough);
      }
    }
  }

 private:
  /// Splits a region. Returns the indices of the two halves, which start with its bound.
  std::array<std::size_t, 2> split(std::size_t region) {
    const BoundedRegion whole = regions_[region];
    const auto hinge = static_cast<std::size_t>(whole.hinge);
    const Interval& interval = whole.limits.intervals[hinge];
    const bool isRound = !(interval.upper - interval.lower < 2.0 * std::numbers::pi);
    BoundedRegion lower = whole, upper = whole;
    lower.limits.intervals[hinge] = {isRound ? whole.at - std::numbers::pi : interval.lower, whole.at};
    upper.limits.intervals[hinge] = {whole.at, isRound ? whole.at + std::numbers::pi : interval.upper};
    regions_[region] = std::move(lower);
    regions_.push_back(std::move(upper));
    certificate_.regions = static_cast<int>(regions_.size());
    return {region, regions_.size() - 1};
  }

  /// Raises a region's bound as far as possible, or to `enough`.
  void solve(std::size_t region, Relaxation& relaxation, double enough) {
    if (!relaxation.setTargets(targets_)) return;
    const int before = certificate_.iterations;
    InteriorPoint interiorPoint(relaxation);
    const InteriorPointSummary summary =
        interiorPoint.solve(relaxation, options_.relaxation, [&](const InteriorPointSummary& soFar) {
          raise(region, soFar.lowerBound);
          certificate_.iterations = before + soFar.iterations;
          if (soFar.lowerBound >= enough) return false;
          if (observer_ && !observer_({soFar.status, certificate_.iterations, soFar.value, certificate_.bound}))
            certificate_.isCancelled = true;
          return !certificate_.isCancelled;
        });
    raise(region, summary.lowerBound);
    certificate_.iterations = before + summary.iterations;
    const double gap = (certificate_.value - regions_[region].bound) / (certificate_.length * certificate_.length);
    chooseSplit(relaxation, interiorPoint, kWorthSplitting * gap, regions_[region]);
  }

  void raise(std::size_t region, double bound) {
    if (bound > regions_[region].bound) regions_[region].bound = bound;
    certificate_.bound = lowest()->bound;
  }

  std::vector<BoundedRegion>::const_iterator lowest() const {
    return std::min_element(regions_.begin(), regions_.end(),
                            [](const BoundedRegion& a, const BoundedRegion& b) { return a.bound < b.bound; });
  }

  /// Chooses the hinge and angle of the next split: the mean of rotations with the largest loss; none if arms lose less
  /// than `least` (L^2).
  static void chooseSplit(const Relaxation& relaxation, const InteriorPoint& solved, double least,
                          BoundedRegion& region) {
    region.hinge = -1;
    double most = 0.0;
    const std::vector<double> lost = lostArms(relaxation, solved);
    for (std::size_t i = 0; i < relaxation.frames().size(); ++i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      if (frame.kind != RelaxationFrame::Kind::Hinge || frame.half < kNarrow || lost[i] < least) continue;
      const Eigen::Vector2d mean = solved.cosineAndSine(static_cast<int>(i));
      const double open = (1.0 - mean.norm()) * lost[i];
      if (!(open > most)) continue;
      most = open;
      region.hinge = frame.link;
      region.at = frame.middle + wrapAngle(std::atan2(mean.y(), mean.x()) - frame.middle);
      if (frame.half < std::numbers::pi)
        region.at = std::clamp(region.at, frame.middle - kInner * frame.half, frame.middle + kInner * frame.half);
    }
  }

  const Objective& objective_;
  const Pose& pose_;
  const CertificateOptions& options_;
  const std::span<const PointGoal> points_;
  const InteriorPointObserver& observer_;
  Certificate& certificate_;
  std::vector<Eigen::Vector3d> targets_;
  std::vector<BoundedRegion> regions_;
};

/// Computes the bound; for an exact pose 0 is enough.
void findBound(const Objective& objective, const Limits& limits, const Pose& pose, const CertificateOptions& options,
               std::span<const PointGoal> points, const InteriorPointObserver& observer, Certificate& certificate) {
  Relaxation relaxation = relaxationOf(objective, limits, pose, points, options.form);
  certificate.fault = relaxation.fault();
  if (!certificate.fault.empty()) return;
  certificate.length = relaxation.length();
  certificate.leftOut.ballLimits = relaxation.droppedLimits();
  certificate.bound = 0.0;
  if (certificate.value <= options.exact * certificate.length * certificate.length) return;
  BoundSearch(objective, pose, options, points, observer, certificate).run(limits, relaxation);
}

void judgeBound(const CertificateOptions& options, Certificate& certificate) {
  const double unit = certificate.length * certificate.length;
  if (certificate.bound > certificate.value + kContradiction * (unit + certificate.value)) {
    certificate.fault = "the pose is better than its bound: the numbers of the problem differ too much in size";
    certificate.bound = Certificate::kNotKnown;
    return;
  }
  certificate.isOutOfReach = certificate.bound > options.exact * unit;
  certificate.isCertified = certificate.value - certificate.bound <= certifiedGap(options, certificate);
}

}  // namespace

double Certificate::cost() const { return std::sqrt(value); }
double Certificate::leastCost() const { return std::sqrt(bound); }
double Certificate::gap() const {
  return std::isnan(value) || std::isnan(bound) ? kNotKnown : std::max(0.0, cost() - leastCost());
}

Certificate certify(const Objective& objective, const Limits& limits, const Pose& pose,
                    const CertificateOptions& options, std::span<const char> ignored,
                    const InteriorPointObserver& observer) {
  Certificate certificate;
  std::vector<PointGoal> points;
  certificate.leftOut = leftOutOf(objective, limits);
  certificate.leftOut.goals = collectSeenPoints(objective, points, ignored);
  certificate.points = static_cast<int>(points.size());
  certificate.fault = faultBeforeBound(objective.figure(), pose, points);
  if (!certificate.fault.empty()) return certificate;
  certificate.value = meanSquareOf(objective.figure(), pose, points);
  if (!std::isfinite(certificate.value)) {
    certificate.value = Certificate::kNotKnown;
    certificate.fault = "the distances are too large for double precision";
  } else if (objective.feasibleSet().violation(pose) > kWithinLimits) {
    certificate.fault = "the pose is outside its limits";
  } else {
    findBound(objective, limits, pose, options, points, observer, certificate);
  }
  if (certificate.fault.empty()) judgeBound(options, certificate);
  return certificate;
}

Certificate judgeAnother(Certificate known, double value, const CertificateOptions& options) {
  known.value = value;
  known.isCertified = false;
  if (known.fault.empty() && std::isfinite(value)) judgeBound(options, known);
  return known;
}

}  // namespace limber

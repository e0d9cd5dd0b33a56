// SPDX-License-Identifier: MIT
#include "solvers/certificate.h"

#include <algorithm>
#include <cmath>

#include "solvers/global_pose.h"

namespace limber {

namespace {

constexpr double kWithinLimits = 1e-9;  // radians, metres: outside by less is rounding
constexpr double kContradiction = 1e-9;  // of L^2 + f: a pose below its bound by more shows that one of them is wrong

bool movesAny(const Objective& objective, int joint) {
  const Joint& j = objective.figure().joint(joint);
  return std::ranges::any_of(objective.moving(),
                             [&](int c) { return c >= j.stepIndex && c < j.stepIndex + stepSize(j.type); });
}

Certificate::LeftOut leftOutOf(const Objective& objective, const Limits& limits) {
  const Figure& figure = objective.figure();
  Certificate::LeftOut left;
  for (const Regulariser& pull : objective.regularisers())
    left.pulls += std::ranges::any_of(objective.moving(), [&](int c) { return pull.weights()[c] > 0.0; });
  for (std::size_t k = 0; k < figure.linearLimits().size(); ++k)
    left.linearLimits += limits.linearLimitEnabled[k] &&
                         std::ranges::any_of(figure.linearLimits()[k].terms, [&](const LinearLimit::Term& term) {
                           return movesAny(objective, term.joint);
                         });
  for (std::size_t k = 0; k < figure.couplings().size(); ++k)
    left.couplings += limits.couplingEnabled[k] && movesAny(objective, figure.couplings()[k].follower);
  return left;
}

/// Empty, or why there is nothing to bound.
std::string faultBeforeBound(const Figure& figure, const Pose& pose, std::span<const PointGoal> points) {
  if (!isValid(figure, pose)) return "the pose holds a number that is not finite";
  if (points.empty()) return "no goal that weighs anything asks for a place";
  for (const PointGoal& p : points)
    if (!p.target.allFinite() || !std::isfinite(p.weight)) return "a target is not finite";
  return {};
}

/// Finds the bound; 0 is enough for a pose that is exact.
void findBound(const Objective& objective, const Limits& limits, const Pose& pose, const CertificateOptions& options,
               std::span<const PointGoal> points, const InteriorPointObserver& observer, Certificate& certificate) {
  Relaxation relaxation = relaxationOf(objective, limits, pose, points, options.form);
  certificate.fault = relaxation.fault();
  if (!certificate.fault.empty()) return;
  certificate.length = relaxation.length();
  certificate.leftOut.ballLimits = relaxation.droppedLimits();
  certificate.bound = 0.0;
  if (certificate.value <= options.exact * certificate.length * certificate.length) return;
  std::vector<Eigen::Vector3d> targets;
  for (const PointGoal& p : points) targets.push_back(p.target);
  if (!relaxation.setTargets(targets)) {
    certificate.fault = "a target is not finite";
    return;
  }
  const InteriorPointSummary summary = InteriorPoint(relaxation).solve(relaxation, options.relaxation, observer);
  certificate.iterations = summary.iterations;
  certificate.isCancelled = summary.status == InteriorPointStatus::Cancelled;
  if (summary.lowerBound > 0.0) certificate.bound = summary.lowerBound;
}

void judgeBound(const CertificateOptions& options, Certificate& certificate) {
  const double unit = certificate.length * certificate.length, exact = options.exact * unit;
  if (certificate.bound > certificate.value + kContradiction * (unit + certificate.value)) {
    certificate.fault = "the pose is better than its bound: the numbers of the problem are too far apart";
    certificate.bound = Certificate::kNotKnown;
    return;
  }
  certificate.isOutOfReach = certificate.bound > exact;
  certificate.isCertified =
      certificate.value - certificate.bound <= std::max(options.tolerance * certificate.value, exact);
}

}  // namespace

double Certificate::cost() const { return std::sqrt(value); }
double Certificate::leastCost() const { return std::sqrt(bound); }
double Certificate::gap() const {
  return std::isnan(value) || std::isnan(bound) ? kNotKnown : std::max(0.0, cost() - leastCost());
}

double meanSquareOf(const Figure& figure, const Pose& pose, std::span<const PointGoal> points) {
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  double sum = 0.0, weights = 0.0;
  for (const PointGoal& p : points) {
    const Eigen::Vector3d place = kinematics.worldFromLink[static_cast<std::size_t>(p.link)] * p.pointInLink;
    sum += p.weight * (place - p.target).squaredNorm();
    weights += p.weight;
  }
  return sum / weights;
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

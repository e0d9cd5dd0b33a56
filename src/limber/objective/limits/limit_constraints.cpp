// SPDX-License-Identifier: MIT
// The limits of the feasible set one by one, for active-set methods: slacks, normals, largest steps.
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/objective/limits/feasible_set.h"

namespace limber {

void FeasibleSet::listConstraints() {
  constraints_.clear();
  const auto add = [&](const Constraint& c, int group) {
    if (group >= 0) groups_[group].constraints.push_back(constraintCount());
    constraints_.push_back(c);
  };
  for (std::size_t c = 0; c < list_.bounds.size(); ++c) {
    const LimitList::Bound& bound = list_.bounds[c];
    if (bound.poseIndex < 0 || activeIndex_[c] < 0) continue;
    const bool isEquality = bound.interval.lower == bound.interval.upper;
    const int at = static_cast<int>(c);
    if (std::isfinite(bound.interval.upper))
      add({bound.upper.kind, bound.upper.index, isEquality, Shape::Scalar, at, 1}, groupOf_[c]);
    if (std::isfinite(bound.interval.lower) && !isEquality)
      add({bound.lower.kind, bound.lower.index, false, Shape::Scalar, at, -1}, groupOf_[c]);
  }
  for (std::size_t r = 0; r < list_.rows.size(); ++r) {
    const LimitList::Row& row = list_.rows[r];
    if (rowGroups_[r] < 0) continue;
    double squared = 0.0;
    for (const LimitList::Row::Term& term : row.terms)
      if (activeIndex_[term.coordinate] >= 0) squared += term.coefficient * term.coefficient;
    const bool isEquality = row.bounds.lower == row.bounds.upper;
    const int at = static_cast<int>(r);
    const double norm = std::sqrt(squared);
    if (std::isfinite(row.bounds.upper))
      add({row.upperKind, row.index, isEquality, Shape::Row, at, 1, norm}, rowGroups_[r]);
    if (std::isfinite(row.bounds.lower) && !isEquality)
      add({row.lowerKind, row.index, false, Shape::Row, at, -1, norm}, rowGroups_[r]);
  }
  for (std::size_t b = 0; b < list_.balls.size(); ++b) {
    const LimitList::Ball& ball = list_.balls[b];
    if (activeOf(ball) < 0) continue;
    const int at = static_cast<int>(b);
    if (ball.range.isHinge()) {
      for (const int axis : {0, 1}) add({LimitKind::Swing, ball.joint, true, Shape::AcrossHinge, at, axis}, -1);
    } else if (ball.range.limitsSwing()) {
      add({LimitKind::Swing, ball.joint, false, Shape::Swing, at, 1}, -1);
    }
    if (!ball.range.limitsTwist()) continue;
    add({LimitKind::TwistUpper, ball.joint, ball.range.isTwistFixed(), Shape::Twist, at, 1}, -1);
    if (!ball.range.isTwistFixed()) add({LimitKind::TwistLower, ball.joint, false, Shape::Twist, at, -1}, -1);
  }
}

std::string FeasibleSet::nameOf(const Figure& figure, const Constraint& c) {
  if (c.kind == LimitKind::LinearLower || c.kind == LimitKind::LinearUpper || c.kind == LimitKind::Equality)
    return "the linear limit \"" + figure.linearLimits()[c.index].name + "\"";
  return "the limits of joint \"" + figure.joint(c.index).name + "\"";
}

double FeasibleSet::sumOf(const LimitList::Row& row, const Pose& pose) const {
  double sum = 0.0;
  for (const LimitList::Row::Term& term : row.terms) sum += term.coefficient * pose.coordinates[term.poseIndex];
  return sum;
}

/// b of a linear constraint n.x <= b over the active coordinates.
double FeasibleSet::boundOf(const Constraint& c, const Pose& pose) const {
  if (c.shape == Shape::Scalar) {
    const Interval& interval = list_.bounds[c.at].interval;
    return c.side > 0 ? interval.upper : -interval.lower;
  }
  const LimitList::Row& row = list_.rows[c.at];
  double fixed = 0.0;
  for (const LimitList::Row::Term& term : row.terms)
    if (activeIndex_[term.coordinate] < 0) fixed += term.coefficient * pose.coordinates[term.poseIndex];
  return (c.side > 0 ? row.bounds.upper - fixed : fixed - row.bounds.lower) / c.norm;
}

double FeasibleSet::slackOf(const Constraint& c, const Pose& pose) const {
  switch (c.shape) {
    case Shape::Scalar: {
      const double q = pose.coordinates[poseIndices_[c.at]];
      return c.side > 0 ? list_.bounds[c.at].interval.upper - q : q - list_.bounds[c.at].interval.lower;
    }
    case Shape::Row: {
      const LimitList::Row& row = list_.rows[c.at];
      return (c.side > 0 ? row.bounds.upper - sumOf(row, pose) : sumOf(row, pose) - row.bounds.lower) / c.norm;
    }
    default: break;
  }
  const BallRange& range = list_.balls[c.at].range;
  const BallRange::Place place = range.placeOf(rotationAt(pose, list_.balls[c.at].poseIndex));
  if (c.shape == Shape::Swing) return range.swing() - place.swing;
  if (c.shape == Shape::Twist) return (range.halfTwist() - c.side * place.twist) * twistRate(place);
  const Eigen::Vector3d first = place.twistAxis.unitOrthogonal();
  return -place.cone.cross(place.twistAxis).dot(c.side == 0 ? first : Eigen::Vector3d(place.twistAxis.cross(first)));
}

void FeasibleSet::normal(const Pose& pose, int j, Eigen::VectorXd& a) const {
  const Constraint& c = constraints_[j];
  a.setZero(activeCount_);
  if (c.shape == Shape::Scalar) {
    a[activeIndex_[c.at]] = c.side;
    return;
  }
  if (c.shape == Shape::Row) {
    for (const LimitList::Row::Term& term : list_.rows[c.at].terms)
      if (const int k = activeIndex_[term.coordinate]; k >= 0) a[k] = c.side * term.coefficient / c.norm;
    return;
  }
  const LimitList::Ball& ball = list_.balls[c.at];
  const BallRange::Place place = ball.range.placeOf(rotationAt(pose, ball.poseIndex));
  auto part = a.segment<3>(activeOf(ball));
  if (c.shape == Shape::Swing) part = swingNormal(place);
  if (c.shape == Shape::Twist) part = c.side * twistNormal(place);
  if (c.shape != Shape::AcrossHinge) return;
  const Eigen::Vector3d first = place.twistAxis.unitOrthogonal();
  part = c.side == 0 ? first : Eigen::Vector3d(place.twistAxis.cross(first));
}

double FeasibleSet::scaleOf(const Constraint& c, const Pose& pose) const {
  switch (c.shape) {
    case Shape::Scalar: {
      const double rate = (c.side > 0 ? list_.bounds[c.at].upper : list_.bounds[c.at].lower).rate;
      return rate > 0.0 ? 1.0 / rate : 1.0;
    }
    case Shape::Row: return 1.0 / c.norm;
    case Shape::Twist: return twistRate(list_.balls[c.at].range.placeOf(rotationAt(pose, list_.balls[c.at].poseIndex)));
    case Shape::Swing:
    case Shape::AcrossHinge: break;
  }
  return 1.0;
}

double FeasibleSet::maxStep(const Pose& pose, const Eigen::VectorXd& activeStep, double upTo, int& blocking,
                            std::span<const char> ignored) const {
  blocking = -1;
  double longest = upTo;
  const double negligible = 1e-12 * activeStep.norm();
  for (int j = 0; j < constraintCount(); ++j) {
    const Constraint& c = constraints_[j];
    if (c.isEquality || (!ignored.empty() && ignored[j])) continue;
    double most = longest;
    if (c.shape == Shape::Scalar || c.shape == Shape::Row) {
      double outward = 0.0;
      if (c.shape == Shape::Scalar) outward = c.side * activeStep[activeIndex_[c.at]];
      else
        for (const LimitList::Row::Term& term : list_.rows[c.at].terms)
          if (const int k = activeIndex_[term.coordinate]; k >= 0)
            outward += c.side * term.coefficient / c.norm * activeStep[k];
      if (outward > negligible) most = std::max(slackOf(c, pose), 0.0) / outward;
    } else {
      most = ballStep(c, pose, activeStep, longest, negligible);
    }
    if (most >= longest) continue;
    longest = most;
    blocking = j;
  }
  return longest;
}

/// Largest factor of the step in [0, upTo] up to a ball's limit.
double FeasibleSet::ballStep(const Constraint& c, const Pose& pose, const Eigen::VectorXd& activeStep, double upTo,
                             double negligible) const {
  const LimitList::Ball& ball = list_.balls[c.at];
  const Eigen::Vector3d turn = activeStep.segment<3>(activeOf(ball));
  const double angle = turn.norm();
  if (!(angle > 0.0)) return upTo;
  const Eigen::Quaterniond rotation = rotationAt(pose, ball.poseIndex);
  if (slackOf(c, pose) <= kOnLimit) {
    const BallRange::Place place = ball.range.placeOf(rotation);
    const double outward =
        c.shape == Shape::Swing ? swingNormal(place).dot(turn) : c.side * twistNormal(place).dot(turn);
    return outward > std::max(negligible, 1e-9 * angle) ? 0.0 : upTo;
  }
  const double most = upTo * angle;
  const double reach = c.shape == Shape::Swing ? swingReach(ball.range, rotation, turn / angle, most)
                                               : twistReach(ball.range, rotation, turn / angle, most, c.side);
  return reach < most ? reach / angle : upTo;
}

double FeasibleSet::room(const Pose& pose, int coordinate, double step) const {
  const LimitList::Bound& bound = list_.bounds[coordinate];
  if (bound.poseIndex < 0 || groupOf_[coordinate] >= 0) return std::numeric_limits<double>::infinity();
  const double q = pose.coordinates[bound.poseIndex];
  return std::max(0.0, step < 0.0 ? q - bound.interval.lower : bound.interval.upper - q);
}

}  // namespace limber

// SPDX-License-Identifier: MIT
#include "support/long_double_hessian.h"

#include <cmath>

namespace limber::test {

namespace {

using V = Eigen::Matrix<long double, 3, 1>;
using M = Eigen::Matrix<long double, 3, 3>;
using Q = Eigen::Quaternion<long double>;

struct Coordinate {
  int link = 0;
  bool turns = false;
  V axis, centre;
  int together = -1;  ///< first coordinate of its rotation, -1 for scalars
};

struct Links {
  std::vector<M> rotation;
  std::vector<V> translation;
  std::vector<Coordinate> coordinates;
};

Q quaternionAt(const Pose& pose, int at) {
  const Eigen::Vector4d q = pose.coordinates.segment<4>(at);
  return Q(q[3], q[0], q[1], q[2]).normalized();
}

void addRotation(int link, int first, const M& rotation, const V& centre, std::vector<Coordinate>& out) {
  for (int a = 0; a < 3; ++a) out.push_back({link, true, rotation.col(a), centre, first});
}

Links placeLinks(const Figure& figure, const Pose& pose) {
  Links links;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    M r = joint.parentFromJoint.rotation.cast<long double>();
    V p = joint.parentFromJoint.translation.cast<long double>();
    if (const int parent = figure.link(i).parent; parent >= 0) {
      p = links.rotation[parent] * p + links.translation[parent];
      r = links.rotation[parent] * r;
    }
    const V axis = joint.axis.cast<long double>().normalized();
    const int at = joint.poseIndex;
    switch (joint.type) {
      case JointType::Fixed: break;
      case JointType::Revolute:
        r = r * Eigen::AngleAxis<long double>(pose.coordinates[at], axis).toRotationMatrix();
        links.coordinates.push_back({i, true, r * axis, p});
        break;
      case JointType::Prismatic:
        p += r * axis * static_cast<long double>(pose.coordinates[at]);
        links.coordinates.push_back({i, false, r * axis, p});
        break;
      case JointType::Ball:
        r = r * quaternionAt(pose, at).toRotationMatrix();
        addRotation(i, joint.stepIndex, r, p, links.coordinates);
        break;
      case JointType::Free:
        p += r * pose.coordinates.segment<3>(at).cast<long double>();
        for (int a = 0; a < 3; ++a) links.coordinates.push_back({i, false, r.col(a), p});
        r = r * quaternionAt(pose, at + 3).toRotationMatrix();
        addRotation(i, joint.stepIndex + 3, r, p, links.coordinates);
        break;
    }
    links.rotation.push_back(r);
    links.translation.push_back(p);
  }
  return links;
}

V moved(const Coordinate& c, const V& x) { return c.turns ? V(c.axis.cross(x - c.centre)) : c.axis; }

/// Second derivative of a point by two coordinates, `above` not below the other.
V movedTwice(const Coordinate& above, const Coordinate& below, const V& x) {
  if (above.together >= 0 && above.together == below.together)  // they turn at once
    return 0.5L * (above.axis.cross(below.axis.cross(x - below.centre)) +
                   below.axis.cross(above.axis.cross(x - above.centre)));
  return above.turns ? V(above.axis.cross(moved(below, x))) : V(V::Zero());
}

void addGoal(const Figure& figure, const Links& links, const ReachGoal& goal, LongReach& out) {
  const auto link = static_cast<std::size_t>(goal.link);
  const long double scale = 1.0L / figure.meanLinkLength(), weight = goal.weight * scale * scale;
  const V x = links.rotation[link] * goal.point.cast<long double>() + links.translation[link];
  const V e = x - goal.target.cast<long double>();
  std::vector<int> path;
  for (std::size_t c = 0; c < links.coordinates.size(); ++c)
    if (figure.isAncestorOrSelf(links.coordinates[c].link, goal.link)) path.push_back(static_cast<int>(c));
  for (const int i : path) {
    const Coordinate& above = links.coordinates[i];
    out.gradient[i] += weight * e.dot(moved(above, x));
    for (const int j : path) {
      if (j < i) continue;
      const Coordinate& below = links.coordinates[j];
      const long double entry = weight * (moved(above, x).dot(moved(below, x)) + e.dot(movedTwice(above, below, x)));
      out.hessian(i, j) += entry;
      if (i != j) out.hessian(j, i) += entry;
    }
  }
}

/// e of a spread goal, with its derivatives.
struct Sum {
  LongVector value;               // (m x 1)
  LongMatrix slope;               // (m x coordinates)
  std::vector<LongMatrix> bends;  // one per row of e
};

Sum sumOf(const Figure& figure, const Links& links, const SpreadGoal& goal) {
  const auto n = static_cast<Eigen::Index>(links.coordinates.size());
  Sum sum{-goal.constant.cast<long double>(), LongMatrix::Zero(goal.constant.size(), n), {}};
  sum.bends.assign(goal.constant.size(), LongMatrix::Zero(n, n));
  for (const SpreadGoal::Feature& feature : goal.features) {
    const auto link = static_cast<std::size_t>(feature.link);
    const LongMatrix factor = feature.factor.cast<long double>();
    V x = links.rotation[link] * feature.vector.cast<long double>();
    if (!feature.isDirection) x += links.translation[link];
    sum.value += factor * x;
    const auto once = [&](const Coordinate& c, const V& at) -> V {
      if (!feature.isDirection) return moved(c, at);
      return c.turns ? V(c.axis.cross(at)) : V(V::Zero());
    };
    const auto twice = [&](const Coordinate& above, const Coordinate& below) -> V {
      if (!feature.isDirection) return movedTwice(above, below, x);
      if (above.together >= 0 && above.together == below.together)
        return 0.5L * (above.axis.cross(below.axis.cross(x)) + below.axis.cross(above.axis.cross(x)));
      return above.turns ? V(above.axis.cross(once(below, x))) : V(V::Zero());
    };
    for (Eigen::Index i = 0; i < n; ++i) {
      const Coordinate& above = links.coordinates[i];
      if (!figure.isAncestorOrSelf(above.link, feature.link)) continue;
      sum.slope.col(i) += factor * once(above, x);
      for (Eigen::Index j = i; j < n; ++j) {
        const Coordinate& below = links.coordinates[j];
        if (!figure.isAncestorOrSelf(below.link, feature.link)) continue;
        const LongVector bend = factor * twice(above, below);
        for (Eigen::Index row = 0; row < bend.size(); ++row) {
          sum.bends[row](i, j) += bend[row];
          if (i != j) sum.bends[row](j, i) += bend[row];
        }
      }
    }
  }
  return sum;
}

void addSpread(const Figure& figure, const Links& links, const SpreadGoal& goal, LongReach& out) {
  const Sum sum = sumOf(figure, links, goal);
  const long double weight = goal.weight;
  const auto bent = [&](const LongVector& along) {
    LongMatrix total = LongMatrix::Zero(sum.slope.cols(), sum.slope.cols());
    for (Eigen::Index row = 0; row < along.size(); ++row) total += along[row] * sum.bends[row];
    return total;
  };
  if (!goal.isDistance) {
    out.gradient += weight * sum.slope.transpose() * sum.value;
    out.hessian += weight * (sum.slope.transpose() * sum.slope + bent(sum.value));
    return;
  }
  const long double softening = goal.softening, distance = std::sqrt(sum.value.squaredNorm() + softening * softening);
  const long double bound = distance > goal.upper ? goal.upper : distance < goal.lower ? goal.lower : distance;
  if (bound == distance) return;
  const long double r = (distance - bound) / goal.unit;
  const LongVector slope = sum.slope.transpose() * sum.value / (distance * goal.unit);
  LongMatrix bend = (sum.slope.transpose() * sum.slope + bent(sum.value)) / (distance * goal.unit);
  bend -= slope * slope.transpose() * (goal.unit / distance);
  out.gradient += weight * r * slope;
  out.hessian += weight * (slope * slope.transpose() + r * bend);
}

void addRotationPull(const Q& turned, long double weight, int first, LongReach& out) {
  const Q q = turned.w() < 0 ? Q(-turned.w(), -turned.x(), -turned.y(), -turned.z()) : turned;
  const long double s = q.vec().norm(), phi = 2 * std::atan2(s, q.w());
  const V u = s > 0 ? V(q.vec() / s) : V(V::UnitX());
  const long double across = phi < 1e-9L ? 1.0L : 0.5L * phi / std::tan(0.5L * phi);
  out.gradient.segment<3>(first) += weight * phi * u;
  out.hessian.block<3, 3>(first, first) += weight * (across * M::Identity() + (1 - across) * u * u.transpose());
}

void addPull(const Figure& figure, const Pose& pose, const Regulariser& regulariser, LongReach& out) {
  const Pose& reference = regulariser.reference();
  for (const Joint& joint : figure.joints()) {
    const bool hasRotation = joint.type == JointType::Ball || joint.type == JointType::Free;
    const int scalars = stepSize(joint.type) - (hasRotation ? 3 : 0);
    for (int k = 0; k < scalars; ++k) {
      const int c = joint.stepIndex + k, p = joint.poseIndex + k;
      const long double weight = regulariser.weights()[c];
      out.gradient[c] += weight * (static_cast<long double>(pose.coordinates[p]) - reference.coordinates[p]);
      out.hessian(c, c) += weight;
    }
    if (!hasRotation) continue;
    const int c = joint.stepIndex + scalars, p = joint.poseIndex + scalars;
    addRotationPull(quaternionAt(reference, p).conjugate() * quaternionAt(pose, p), regulariser.weights()[c], c, out);
  }
}

}  // namespace

LongReach computeLongReach(const Figure& figure, const Pose& pose, std::span<const ReachGoal> goals,
                           const Regulariser& regulariser, std::span<const SpreadGoal> spread) {
  LongReach out{LongVector::Zero(figure.stepSize()), LongMatrix::Zero(figure.stepSize(), figure.stepSize())};
  const Links links = placeLinks(figure, pose);
  for (const ReachGoal& goal : goals) addGoal(figure, links, goal, out);
  for (const SpreadGoal& goal : spread) addSpread(figure, links, goal, out);
  addPull(figure, pose, regulariser, out);
  return out;
}

LongReach foldFollowers(const LongReach& full, const Objective& objective, const Pose& pose) {
  using Kind = Couplings::Drive::Kind;
  const Couplings& couplings = objective.feasibleSet().couplings();
  const Eigen::Index n = objective.activeCount();
  LongMatrix chain = LongMatrix::Zero(full.gradient.size(), n), bends = LongMatrix::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k) chain(objective.active()[k], k) = 1;
  for (const Couplings::Follower& follower : couplings.followers())
    for (const Couplings::Drive& drive : couplings.drivesOf(follower)) {
      const int k = objective.activeIndex(drive.driver);
      if (k < 0) continue;
      if (drive.kind == Kind::Alike) {
        const int axis = follower.coordinate - couplings.terms()[drive.firstTerm].follower;
        chain(follower.coordinate, k + axis) += 1;
        continue;
      }
      const bool points = drive.kind == Kind::Pointing;
      V b = V::Zero(), bone = V::Zero();
      if (points) {
        bone = drive.pointing.bone.cast<long double>();
        b = quaternionAt(pose, drive.driverPoseIndex).conjugate() * drive.pointing.axis.cast<long double>();
      }
      const long double x = points ? b.dot(bone) : static_cast<long double>(pose.coordinates[drive.driverPoseIndex]);
      const auto& c = drive.curve.coefficients;
      const long double slope = c[0] + 2 * c[1] * x + 3 * c[2] * x * x + 4 * c[3] * x * x * x;
      const long double bend = 2 * c[1] + 6 * c[2] * x + 12 * c[3] * x * x;
      const long double felt = full.gradient[follower.coordinate];
      if (!points) {
        chain(follower.coordinate, k) += slope;
        bends(k, k) += felt * bend;
        continue;
      }
      const V along = bone.cross(b);
      const M outer = 0.5L * (b * bone.transpose() + bone * b.transpose());
      chain.block<1, 3>(follower.coordinate, k) += slope * along.transpose();
      bends.block<3, 3>(k, k) += felt * (bend * along * along.transpose() + slope * (outer - x * M::Identity()));
    }
  return {chain.transpose() * full.gradient, chain.transpose() * full.hessian * chain + bends};
}

}  // namespace limber::test

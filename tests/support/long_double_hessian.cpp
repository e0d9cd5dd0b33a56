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
      const auto above = static_cast<std::size_t>(parent);
      p = links.rotation[above] * p + links.translation[above];
      r = links.rotation[above] * r;
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
    const Coordinate& above = links.coordinates[static_cast<std::size_t>(i)];
    out.gradient[i] += weight * e.dot(moved(above, x));
    for (const int j : path) {
      if (j < i) continue;
      const Coordinate& below = links.coordinates[static_cast<std::size_t>(j)];
      const long double entry = weight * (moved(above, x).dot(moved(below, x)) + e.dot(movedTwice(above, below, x)));
      out.hessian(i, j) += entry;
      if (i != j) out.hessian(j, i) += entry;
    }
  }
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
                           const Regulariser& regulariser) {
  LongReach out{LongVector::Zero(figure.stepSize()), LongMatrix::Zero(figure.stepSize(), figure.stepSize())};
  const Links links = placeLinks(figure, pose);
  for (const ReachGoal& goal : goals) addGoal(figure, links, goal, out);
  addPull(figure, pose, regulariser, out);
  return out;
}

}  // namespace limber::test

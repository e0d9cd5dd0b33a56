// SPDX-License-Identifier: MIT
#include "limber/objective/stay_term.h"

#include <cassert>
#include <cmath>

namespace limber {

namespace {

bool isMoved(const Joint& joint, std::span<const char> moves) {
  for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c)
    if (moves[c]) return true;
  return false;
}

/// Adds a part to a body; all in the body's frame.
void join(StayTerm::Body& body, double weight, const Eigen::Vector3d& centre, const Eigen::Matrix3d& moments) {
  const double whole = body.weight + weight, fraction = weight / whole;
  const Eigen::Vector3d apart = centre - body.centre;
  body.centre += fraction * apart;
  body.moments =
      (1.0 - fraction) * body.moments + fraction * moments + fraction * (1.0 - fraction) * apart * apart.transpose();
  body.weight = whole;
}

/// E of a pure rotation by u, and its derivatives.
double saturate(double u, double saturation, StayTerm::State& state) {
  const double squared = saturation * saturation, root = std::sqrt(1.0 + 2.0 * u / squared);
  state.slope = 1.0 / root;
  state.bend = -1.0 / (squared * root * root * root);
  return 2.0 * u / (1.0 + root);
}

Eigen::Vector3d axial(const Eigen::Matrix3d& m) { return {m(1, 2) - m(2, 1), m(2, 0) - m(0, 2), m(0, 1) - m(1, 0)}; }

}  // namespace

Eigen::Matrix3d secondMoments(const Link& link) {
  StayTerm::Body whole;
  for (const Capsule& capsule : link.capsules) {
    const double volume = volumeOf(capsule), r = capsule.radius;
    if (!(volume > 0.0)) continue;
    const Eigen::Vector3d bone = capsule.end - capsule.start;
    join(whole, volume, 0.5 * (capsule.start + capsule.end),
         bone * bone.transpose() / 12.0 + 0.25 * r * r * Eigen::Matrix3d::Identity());
  }
  return whole.moments;
}

StayTerm::StayTerm(const Figure& figure, std::span<const double> weights, const Kinematics& there,
                   std::span<const char> moves, std::span<const Rotation> rotations) {
  const int count = figure.linkCount();
  assert(static_cast<int>(weights.size()) == count && static_cast<int>(there.worldFromLink.size()) == count);
  std::vector<int> carrier(count, -1);  // the body that a link belongs to, -1 if nothing moves it
  std::vector<Body> all(count);
  for (int link = 0; link < count; ++link) {
    const int parent = figure.link(link).parent;
    carrier[link] = isMoved(figure.joint(link), moves) ? link : parent < 0 ? -1 : carrier[parent];
    if (carrier[link] < 0 || !(weights[link] > 0.0)) continue;
    const int body = carrier[link];
    const Transform bodyFromLink = there.worldFromLink[body].inverse() * there.worldFromLink[link];
    join(all[body], weights[link], bodyFromLink * figure.link(link).centreOfMass,
         bodyFromLink.rotation * secondMoments(figure.link(link)) * bodyFromLink.rotation.transpose());
  }
  const auto add = [&](int link, Body body) {
    body.link = link;
    body.place = there.worldFromLink[link] * body.centre;
    body.rotation = there.worldFromLink[link].rotation;
    bodies_.push_back(body);
  };
  for (int i = 0; i < count; ++i)
    if (all[i].weight > 0.0) add(i, all[i]);
  for (const Rotation& rotation : rotations)
    if (const int body = carrier[rotation.link]; body >= 0)
      add(body,
          {.weight = rotation.weight, .saturation = rotation.saturation, .moments = 0.5 * Eigen::Matrix3d::Identity()});
}

double StayTerm::evaluate(const Kinematics& kinematics, std::vector<State>& states) const {
  states.resize(bodies_.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    State& state = states[i];
    const Transform& worldFromLink = kinematics.worldFromLink[body.link];
    const Eigen::Vector3d centre = worldFromLink * body.centre;
    state.turned.noalias() = worldFromLink.rotation * body.moments;
    state.change = worldFromLink.rotation - body.rotation;
    const double turn = state.change.cwiseProduct(state.change.lazyProduct(body.moments)).sum();
    if (body.saturation > 0.0) {
      state.offset.setZero();
      state.arm.setZero();
      sum += body.weight * saturate(0.5 * turn, body.saturation, state);
      continue;
    }
    state.offset = centre - body.place;
    state.arm = centre - kinematics.origin;
    sum += 0.5 * body.weight * (state.offset.squaredNorm() + turn);
  }
  return sum;
}

double StayTerm::rounding(const std::vector<State>& states, double position) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (bodies_[i].saturation == 0.0) sum += bodies_[i].weight * position * (states[i].offset.norm() + position);
  return sum;
}

void StayTerm::computeWrench(const Body& body, State& state) {
  state.moments.noalias() = state.turned * state.change.transpose();
  state.moments.noalias() += state.arm * state.offset.transpose();
  state.wrench.head<3>() = body.weight * axial(state.moments);
  state.wrench.tail<3>() = body.weight * state.offset;
  if (body.saturation > 0.0) state.wrench *= state.slope;
}

void StayTerm::computeInertia(const Body& body, const State& state, Curvature curvature, Matrix6d& inertia) {
  Eigen::Matrix3d angular = -state.arm * state.arm.transpose();
  angular.noalias() -= state.turned * (state.change + body.rotation).transpose();
  angular.diagonal().array() -= angular.trace();
  Eigen::Vector3d across = state.arm;
  if (curvature == Curvature::Exact) {
    angular += 0.5 * (state.moments + state.moments.transpose());
    angular.diagonal().array() -= state.moments.trace();
    across -= 0.5 * state.offset;
  }
  if (body.saturation > 0.0) {
    inertia.setZero();
    inertia.topLeftCorner<3, 3>() = body.weight * state.slope * angular;
    if (curvature == Curvature::GaussNewton) return;
    const Eigen::Vector3d gradient = axial(state.moments);  // of u
    inertia.topLeftCorner<3, 3>() += body.weight * state.bend * gradient * gradient.transpose();
    return;
  }
  const Eigen::Matrix3d cross = body.weight * skew(across);
  inertia.topLeftCorner<3, 3>() = body.weight * angular;
  inertia.topRightCorner<3, 3>() = cross;
  inertia.bottomLeftCorner<3, 3>() = -cross;
  inertia.bottomRightCorner<3, 3>() = body.weight * Eigen::Matrix3d::Identity();
}

}  // namespace limber

// SPDX-License-Identifier: MIT
#include "limber/proof/reach_chain.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/kinematics/coupling.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber {

namespace {

constexpr double kNoSwing = 1e-10;  // radians: a smaller cone is a line

bool isFinite(const Interval& range) { return std::isfinite(range.lower) && std::isfinite(range.upper); }

/// The interval, limited to a whole turn.
Interval asTurn(const Interval& range) {
  constexpr double kPi = std::numbers::pi;
  return isFinite(range) && range.upper - range.lower < 2.0 * kPi ? range : Interval{-kPi, kPi};
}

/// Collects motions, and combines fixed transforms between two of them.
class ChainBuilder {
 public:
  ChainBuilder(const IkProblem& problem, const Pose& pose, std::span<const char> moves)
      : problem_(problem), figure_(*problem.figure), couplings_(activeCouplings(problem)), pose_(pose), moves_(moves) {}

  void addFixed(const Transform& transform) { pending_ = pending_ * transform; }
  void addFixed(const Eigen::Vector3d& translation) { addFixed(Transform::fromTranslation(translation)); }
  void addSphere() { add(ChainMotion::Kind::Swing, Eigen::Vector3d::UnitZ(), {0.0, std::numbers::pi}); }
  /// Adds all rotations that a link with this rotation can have.
  void addAnyRotation(const Eigen::Matrix3d& rotation) {
    if (!figure_.isPlanar()) return addSphere();
    add(ChainMotion::Kind::Turn, Eigen::Vector3d::UnitZ(), asTurn({}));
    addFixed(Transform{rotation, Eigen::Vector3d::Zero()});
  }

  /// Adds the motion from the parent's frame to the link's, or back.
  void descend(int link) {
    addFixed(figure_.joint(link).parentFromJoint);
    addJoint(link, false);
  }
  void ascend(int link) {
    addJoint(link, true);
    addFixed(figure_.joint(link).parentFromJoint.inverse());
  }

  ReachChain finish(const Eigen::Vector3d& point) {
    chain_.point = pending_ * point;
    return std::move(chain_);
  }

 private:
  bool isMoving(const Joint& joint, int coordinate = 0) const {
    return stepSize(joint.type) > 0 && moves_[joint.stepIndex + coordinate] != 0;
  }

  void add(ChainMotion::Kind kind, const Eigen::Vector3d& axis, const Interval& range) {
    chain_.motions.push_back({kind, pending_, axis, range});
    pending_ = {};
  }
  void addScalar(ChainMotion::Kind kind, const Joint& joint, const Interval& range, bool isInverse) {
    add(kind, joint.axis, isInverse ? Interval{-range.upper, -range.lower} : range);
  }
  void addRotation(const Eigen::Quaterniond& rotation, bool isInverse) {
    addFixed(Transform{(isInverse ? rotation.conjugate() : rotation).toRotationMatrix(), Eigen::Vector3d::Zero()});
  }

  void addJoint(int index, bool isInverse) {
    const Joint& joint = figure_.joint(index);
    const double q = isScalar(joint) ? pose_.coordinates[joint.poseIndex] : 0.0;
    const double sign = isInverse ? -1.0 : 1.0;
    switch (joint.type) {
      case JointType::Fixed: break;
      case JointType::Revolute:
        if (isMoving(joint)) addScalar(ChainMotion::Kind::Turn, joint, asTurn(rangeOf(index)), isInverse);
        else addRotation(Eigen::Quaterniond(Eigen::AngleAxisd(q, joint.axis)), isInverse);
        break;
      case JointType::Prismatic:
        if (isMoving(joint)) addSlide(index, isInverse);
        else addFixed(Eigen::Vector3d(sign * q * joint.axis));
        break;
      case JointType::Ball: addBall(index, isInverse); break;
      case JointType::Free: addFree(index, isInverse); break;
    }
  }

  void addSlide(int index, bool isInverse) {
    const Interval range = rangeOf(index);
    if (!isFinite(range)) return noteUnbounded(index);
    addScalar(ChainMotion::Kind::Slide, figure_.joint(index), range, isInverse);
  }

  /// R = swing * twist * R0 (kinematics/ball_limits.h).
  void addBall(int index, bool isInverse) {
    const Joint& joint = figure_.joint(index);
    if (!isMoving(joint)) return addRotation(jointRotation(figure_, pose_, index), isInverse);
    const BallLimits& limits = problem_.joints[index].ballLimits;
    if (limits.swing >= std::numbers::pi) return addSphere();
    const Eigen::Quaterniond rest = shortestTurn(limits.twistAxis, limits.coneAxis);
    const Interval twist =
        asTurn({std::max(limits.twist.lower, -std::numbers::pi), std::min(limits.twist.upper, std::numbers::pi)});
    const auto swing = [&] {
      if (limits.swing > kNoSwing) add(ChainMotion::Kind::Swing, limits.coneAxis, {0.0, limits.swing});
    };
    if (!isInverse) {
      swing();
      add(ChainMotion::Kind::Turn, limits.coneAxis, twist);
      return addRotation(rest, false);
    }
    addRotation(rest, true);
    add(ChainMotion::Kind::Turn, limits.coneAxis, {-twist.upper, -twist.lower});
    swing();
  }

  void addFree(int index, bool isInverse) {
    const Joint& joint = figure_.joint(index);
    if (isMoving(joint, 0)) return noteUnbounded(index);
    const Eigen::Vector3d shift = pose_.coordinates.segment<3>(joint.poseIndex);
    const auto turn = [&] {
      if (isMoving(joint, 3)) addSphere();
      else addRotation(jointRotation(figure_, pose_, index), isInverse);
    };
    if (isInverse) turn();
    addFixed(Eigen::Vector3d(isInverse ? -shift : shift));
    if (!isInverse) turn();
  }

  void noteUnbounded(int index) {
    if (chain_.unbounded.empty()) chain_.unbounded = figure_.joint(index).name;
  }

  Interval limitsOf(int joint) const { return problem_.joints[joint].limits; }

  /// The joint's own limits; for a follower, reduced to the values that its drivers allow.
  Interval rangeOf(int joint) const {
    Interval range = limitsOf(joint);
    for (std::size_t i = 0; i < figure_.couplings().size(); ++i) {
      const Coupling& coupling = figure_.couplings()[i];
      if (coupling.follower != joint || !couplings_[i] || !isScalar(figure_.joint(joint))) continue;
      Interval sum{coupling.offset, coupling.offset};
      for (const Coupling::Term& term : coupling.terms) {
        const Joint& driver = figure_.joint(term.driver);
        const double q = pose_.coordinates[driver.poseIndex];
        const Interval driven = term.pointing      ? Interval{-1.0, 1.0}
                                : isMoving(driver) ? limitsOf(term.driver)
                                                   : Interval{q, q};
        if (!isFinite(driven)) return range;
        const Interval share = limber::rangeOf({term.coefficients}, driven);
        sum = {sum.lower + share.lower, sum.upper + share.upper};
      }
      range = {std::max(range.lower, sum.lower), std::min(range.upper, sum.upper)};
    }
    return range.lower <= range.upper ? range : limitsOf(joint);
  }

  const IkProblem& problem_;
  const Figure& figure_;
  std::vector<char> couplings_;  ///< active couplings
  const Pose& pose_;
  std::span<const char> moves_;
  ReachChain chain_;
  Transform pending_;
};

/// The links from `above` (-1: the world; excluded) down to `link`.
void descendFrom(int above, int link, const Figure& figure, ChainBuilder& builder) {
  std::vector<int> way;
  for (; link != above; link = figure.link(link).parent) way.push_back(link);
  for (auto at = way.rbegin(); at != way.rend(); ++at) builder.descend(*at);
}

ReachChain chainFromPin(const IkProblem& problem, const Pin& pin, int link, const Eigen::Vector3d& point,
                        ChainBuilder builder) {
  const Figure& figure = *problem.figure;
  if (pin.rotation) builder.addFixed(pin.worldFromLink);
  else {
    builder.addFixed(Eigen::Vector3d(pin.worldFromLink * pin.pointInLink));
    builder.addAnyRotation(pin.worldFromLink.rotation);
    builder.addFixed(Eigen::Vector3d(-pin.pointInLink));
  }
  int at = pin.link;
  for (; at >= 0 && !figure.isAncestorOrSelf(at, link); at = figure.link(at).parent) builder.ascend(at);
  descendFrom(at, link, figure, builder);
  return builder.finish(point);
}

}  // namespace

ReachChain::Ball ReachChain::ballOf(std::size_t motion) const {
  Ball ball{.centre = Eigen::Vector3d::Zero(), .radius = point.norm(), .least = point.norm()};
  for (std::size_t i = motions.size(); i-- > motion;) {
    const ChainMotion& m = motions[i];
    if (m.kind == ChainMotion::Kind::Slide) {
      const double slide = std::max(std::abs(m.range.lower), std::abs(m.range.upper));
      ball.least = std::max(0.0, ball.least - slide);
      ball.radius += slide;
    }
    if (i == motion) break;
    const double offset = m.before.translation.norm();
    ball.least = std::max({0.0, offset - ball.radius, ball.least - offset});
    ball.radius += offset;
  }
  return ball;
}

ReachChain::Ball ReachChain::ball() const {
  if (motions.empty()) return {.centre = point};
  Ball ball = ballOf(0);
  ball.centre = motions.front().before.translation;
  return ball;
}

std::vector<ReachChain> reachChains(const IkProblem& problem, const Pose& pose, std::span<const char> moves, int link,
                                    const Eigen::Vector3d& pointInLink) {
  std::vector<ReachChain> chains;
  ChainBuilder world(problem, pose, moves);
  descendFrom(-1, link, *problem.figure, world);
  chains.push_back(world.finish(pointInLink));
  for (const Pin& pin : problem.pins)
    if (pin.position) chains.push_back(chainFromPin(problem, pin, link, pointInLink, {problem, pose, moves}));
  return chains;
}

}  // namespace limber

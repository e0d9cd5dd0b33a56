// SPDX-License-Identifier: MIT
#include "limber/ways/self_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/kinematics/pose.h"

namespace limber::ways {

namespace {

constexpr int kMaxPoints = 4000;

/// In the arm's own unit.
struct Tracer {
  const ArmSolver& solver;
  Transform goal;

  double distance(const Coordinates& a, const Coordinates& b) const {
    Coordinates d = a - b;
    for (int i = 0; i < d.size(); ++i)
      if (!solver.chain().screws[i].isSlide) d[i] = wrapAngle(d[i]);
    return d.norm();
  }

  /// Unit direction of the curve, on the side of `before`.
  Coordinates directionAt(const Coordinates& q, const Coordinates& before) const {
    Error error;
    ArmJacobian jacobian;
    errorOf(solver.scaled(), Aspect::Place, goal, q, error, jacobian);
    const Coordinates direction = singularDirectionsOf(jacobian, Aspect::Place).direction[0];
    return direction.dot(before) < 0.0 ? Coordinates(-direction) : direction;
  }

  /// The next point along a direction; its step shrinks until Newton's method stays near. False at an end.
  bool advance(Coordinates& q, Coordinates& direction) const {
    for (double step = kCurveStep; step > 1e-4; step *= 0.5) {
      Coordinates next = q + 0.9 * step * direction;
      if (polish(solver.scaled(), Aspect::Place, goal, next) > 1e-10) continue;
      const Coordinates change = next - q;
      if (change.norm() > step || change.dot(direction) < 0.5 * step) continue;
      direction = directionAt(next, change);
      q = next;
      return true;
    }
    return false;
  }

  SelfMotion trace(const Coordinates& start) const {
    SelfMotion curve;
    curve.points.push_back(start);
    const Coordinates first = directionAt(start, Coordinates::Ones(start.size()));
    for (const double side : {1.0, -1.0}) {
      Coordinates q = start, direction = side * first;
      for (int steps = 1; steps < kMaxPoints && advance(q, direction); ++steps) {
        const bool isRound = steps > 4 && distance(q, start) < 0.75 * kCurveStep && direction.dot(side * first) > 0.0;
        if (isRound) {
          curve.isClosed = true;
          return curve;
        }
        curve.points.push_back(q);
      }
      std::reverse(curve.points.begin(), curve.points.end());  // goes on from the start to the other side
    }
    return curve;
  }
};

}  // namespace

int jointToHold(const ArmSolver& solver, const Coordinates& at) {
  for (const int joint : {2, 3, 6, 0, 1, 4, 5})
    if (solver.hasClosedForm(joint, at)) return joint;
  return 2;
}

std::vector<SelfMotion> selfMotionsOf(const ArmSolver& solver, const Transform& worldFromTip,
                                      const Coordinates& preferred, int samples) {
  std::vector<SelfMotion> curves;
  if (solver.chain().count != kMaxJoints || !solver.fault().empty()) return curves;
  const Tracer tracer{solver, solver.scaled(worldFromTip)};
  const int joint = jointToHold(solver, preferred);
  const bool isSlide = solver.chain().screws[joint].isSlide;
  const double range =
      isSlide ? solver.unscaled(Coordinates::Constant(kMaxJoints, 4.0))[joint] : 2.0 * std::numbers::pi;
  Ways ways;
  for (int i = 0; i < samples; ++i) {
    Coordinates held = preferred;
    held[joint] = preferred[joint] + range * i / samples - (isSlide ? 0.5 * range : 0.0);
    if (!isSlide) held[joint] = wrapAngle(held[joint]);
    solver.solveHolding(joint, worldFromTip, held, ways, Effort::Quick);
    for (const Way& way : ways.all) {
      const Coordinates q = solver.scaled(way.q);
      const bool isKnown = std::any_of(curves.begin(), curves.end(), [&](const SelfMotion& curve) {
        return std::any_of(curve.points.begin(), curve.points.end(),
                           [&](const Coordinates& p) { return tracer.distance(p, q) < kCurveStep; });
      });
      if (!isKnown) curves.push_back(tracer.trace(q));
    }
  }
  for (SelfMotion& curve : curves)
    for (Coordinates& point : curve.points) point = solver.unscaled(point);
  return curves;
}

}  // namespace limber::ways

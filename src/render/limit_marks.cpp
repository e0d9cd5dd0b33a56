// SPDX-License-Identifier: MIT
#include "render/marks.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/shortest_turn.h"
#include "render/limbs.h"

namespace limber::render {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kArcSegments = 48;
constexpr int kConeSegments = 48;
constexpr int kSpokes = 8;
constexpr float kSpokeAlpha = 0.45f;
constexpr double kTwistRadius = 0.4;  // relative to the cone's
constexpr double kLeastAcross = 0.1;  // sine between bone and axis: below, the needle is an arbitrary normal
constexpr double kBarOverLimb = 1.3;
constexpr double kTwistOverLimb = 1.6;   // radius of the twist's arc, in radii of the limb
constexpr double kMaxLengthening = 2.0;  // of a cone
constexpr double kLimitKnob = 3.0;       // in strokes
constexpr double kMinLockPixels = 5.0;

/// The drawn interval, and the bounds at which a value is.
struct Drawn {
  double lower, upper;
  bool atLower, atUpper;
  bool isHeld() const { return atLower || atUpper; }
};

/// An infinite bound is replaced by one `span` from the other (from zero without any), or by the value if that is
/// beyond.
Drawn drawnInterval(const Interval& limits, double value, double span) {
  const bool hasLower = std::isfinite(limits.lower), hasUpper = std::isfinite(limits.upper);
  return {hasLower ? limits.lower : std::min(value, (hasUpper ? limits.upper : 0.0) - span),
          hasUpper ? limits.upper : std::max(value, (hasLower ? limits.lower : 0.0) + span),
          hasLower && value - limits.lower <= kOnLimitTolerance, hasUpper && limits.upper - value <= kOnLimitTolerance};
}

Color limitColor(bool held) { return held ? kOnLimit : kAccent; }

/// A needle, with a knob if it is at a bound.
void appendNeedle(const Eigen::Vector3d& centre, const Eigen::Vector3d& end, bool held, const Stroke& stroke,
                  DrawList& list) {
  const Stroke needle = colored(thicker(stroke, 1.5), held ? kOnLimit : lighter(kAccent));
  appendLine(centre, end, needle, list);
  if (held) appendBall(end, kLimitKnob * stroke.thickness, needle, list);
}

/// An arc about `axis` with a spoke at each finite bound, and a needle along `needle` for the current value.
void appendInterval(const Eigen::Vector3d& centre, const Eigen::Vector3d& axis, const Eigen::Vector3d& needle,
                    const Interval& limits, double value, const Stroke& stroke, DrawList& list) {
  const Drawn b = drawnInterval(limits, value, kPi);
  const auto at = [&](double angle) { return Eigen::Vector3d(Eigen::AngleAxisd(angle - value, axis) * needle); };
  appendArc(centre, at(b.lower), axis, std::min(b.upper - b.lower, 2.0 * kPi), kArcSegments, stroke, list);
  if (std::isfinite(limits.lower))
    appendLine(centre, centre + at(b.lower), colored(stroke, limitColor(b.atLower)), list);
  if (std::isfinite(limits.upper))
    appendLine(centre, centre + at(b.upper), colored(stroke, limitColor(b.atUpper)), list);
  appendNeedle(centre, centre + needle, b.isHeld(), stroke, list);
}

void appendHinge(const Document& document, const Kinematics& kinematics, int joint, double radius, const Stroke& stroke,
                 DrawList& list) {
  const Figure& figure = *document.figure;
  const Joint& j = figure.joint(joint);
  const Transform& worldFromLink = kinematics.worldFromLink[joint];
  const Eigen::Vector3d axis = worldFromJoint(figure, kinematics, joint).rotation * j.axis;
  const Eigen::Vector3d limb = limbVector(figure, kinematics, joint).normalized();
  Eigen::Vector3d needle = limb - axis.dot(limb) * axis;
  const bool isTwist = needle.norm() < kLeastAcross;
  if (isTwist) needle = worldFromLink.rotation * j.axis.unitOrthogonal();
  const Interval& limits = document.joints[joint].limits;
  const double value = document.pose.coordinates[j.poseIndex];
  appendInterval(worldFromLink.translation, axis, radius * needle.normalized(), limits, value, stroke, list);
  if (isTwist) return;  // the needle is normal to the limb and so visible
  const bool held = drawnInterval(limits, value, kPi).isHeld();
  const Eigen::Vector3d bar = kBarOverLimb * limbRadius(figure, joint) * axis;  // the needle may hide in the limb
  const Eigen::Vector3d end = worldFromLink.translation + radius * needle.normalized();
  const Stroke thick = colored(thicker(stroke, 1.5), held ? kOnLimit : lighter(kAccent));
  appendLine(end - bar, end + bar, thick, list);
  for (const double side : {-1.0, 1.0})
    if (held) appendBall(end + side * bar, kLimitKnob * stroke.thickness, thick, list);
}

void appendSlide(const Document& document, const Kinematics& kinematics, int joint, double radius, const Stroke& stroke,
                 DrawList& list) {
  const Joint& j = document.figure->joint(joint);
  const Transform start = worldFromJoint(*document.figure, kinematics, joint);
  const Eigen::Vector3d axis = start.rotation * j.axis;
  const Interval& limits = document.joints[joint].limits;
  const double value = document.pose.coordinates[j.poseIndex];
  const Drawn b = drawnInterval(limits, value, 2.0 * radius);
  const auto at = [&](double length) { return Eigen::Vector3d(start.translation + length * axis); };
  appendLine(at(b.lower), at(b.upper), stroke, list);
  if (std::isfinite(limits.lower))
    appendRing(at(b.lower), axis, 0.3 * radius, kArcSegments / 2, colored(stroke, limitColor(b.atLower)), list);
  if (std::isfinite(limits.upper))
    appendRing(at(b.upper), axis, 0.3 * radius, kArcSegments / 2, colored(stroke, limitColor(b.atUpper)), list);
  appendBall(at(value), (b.isHeld() ? 2.0 : 1.0) * kLimitKnob * stroke.thickness,
             colored(stroke, b.isHeld() ? kOnLimit : lighter(kAccent)), list);
}

void appendCone(const Eigen::Vector3d& centre, const Eigen::Matrix3d& frame, const BallLimits& limits, double radius,
                const Stroke& stroke, DrawList& list) {
  const auto at = [&](double around) { return Eigen::Vector3d(centre + radius * (frame * onCone(limits, around))); };
  Eigen::Vector3d previous = at(0.0);
  for (int i = 1; i <= kConeSegments; ++i) {
    const Eigen::Vector3d next = at(2.0 * kPi * i / kConeSegments);
    appendLine(previous, next, stroke, list);
    previous = next;
  }
  const Stroke spoke = colored(stroke, withAlpha(stroke.color, kSpokeAlpha));
  for (int i = 0; i < kSpokes; ++i) appendLine(centre, at(2.0 * kPi * i / kSpokes), spoke, list);
}

void appendBallLimits(const Document& document, const Kinematics& kinematics, int joint, double radius,
                      const Stroke& stroke, DrawList& list) {
  const BallLimits& limits = document.joints[joint].ballLimits;
  const Transform& worldFromLink = kinematics.worldFromLink[joint];
  const Eigen::Matrix3d frame = worldFromJoint(*document.figure, kinematics, joint).rotation;
  const Eigen::Vector3d& centre = worldFromLink.translation;
  const Eigen::Quaterniond rotation = jointRotation(*document.figure, document.pose, joint);
  const SwingTwist present = swingTwist(limits, rotation);
  const bool onSwing = limits.swing < kPi && limits.swing - present.swing <= kOnLimitTolerance;
  const Eigen::Vector3d twistAxis = worldFromLink.rotation * limits.twistAxis;

  // A narrow cone is drawn longer, to be visible around the limb.
  const double clear = kTwistOverLimb * limbRadius(*document.figure, joint) / std::max(std::sin(limits.swing), 1e-3);
  const double length = std::max(radius, std::min(clear, kMaxLengthening * radius));
  if (limits.swing < kPi) appendCone(centre, frame, limits, length, colored(stroke, limitColor(onSwing)), list);
  appendNeedle(centre, centre + radius * twistAxis, onSwing, stroke, list);
  if (onSwing)  // a collar, for the needle may hide in the limb
    appendRing(centre + radius * twistAxis, twistAxis, kTwistOverLimb * limbRadius(*document.figure, joint),
               kArcSegments / 2, colored(thicker(stroke, 1.5), kOnLimit), list);
  if (!limits.twist.isBounded()) return;
  const Eigen::Vector3d needle = frame * atTwist(limits, rotation, present.twist);
  const double across = std::max(kTwistRadius * radius, kTwistOverLimb * limbRadius(*document.figure, joint));
  appendInterval(centre + 0.8 * radius * twistAxis, twistAxis, across * needle, limits.twist, present.twist, stroke,
                 list);
}

/// A normal to the cone's axis: the twist's needle at zero swing and twist.
Eigen::Vector3d acrossCone(const BallLimits& limits) { return limits.coneAxis.unitOrthogonal(); }

}  // namespace

Eigen::Vector3d onCone(const BallLimits& limits, double around) {
  const Eigen::Vector3d across = Eigen::AngleAxisd(around, limits.coneAxis) * acrossCone(limits);
  return std::cos(limits.swing) * limits.coneAxis + std::sin(limits.swing) * across;
}

Eigen::Vector3d atTwist(const BallLimits& limits, const Eigen::Quaterniond& rotation, double twist) {
  // rotation R0^-1 = swing * twist, so the swing is the shortest rotation from the cone's axis to the turned twist
  // axis.
  const Eigen::Quaterniond swing = shortestTurn(limits.coneAxis, rotation * limits.twistAxis);
  return swing * (Eigen::AngleAxisd(twist, limits.coneAxis) * acrossCone(limits));
}

bool isLimited(const Document& document, int joint) {
  const JointSettings& settings = document.joints[joint];
  switch (document.figure->joint(joint).type) {
    case JointType::Revolute:
    case JointType::Prismatic: return settings.limits.isBounded();
    case JointType::Ball: return settings.ballLimits.isBounded();
    case JointType::Fixed:
    case JointType::Free: break;
  }
  return false;
}

void appendLimits(const Document& document, const Kinematics& kinematics, int joint, double radius, DrawList& list) {
  if (!isLimited(document, joint)) return;
  const Stroke stroke{0.022 * radius, kAccent};
  switch (document.figure->joint(joint).type) {
    case JointType::Revolute: appendHinge(document, kinematics, joint, radius, stroke, list); break;
    case JointType::Prismatic: appendSlide(document, kinematics, joint, radius, stroke, list); break;
    case JointType::Ball: appendBallLimits(document, kinematics, joint, radius, stroke, list); break;
    case JointType::Fixed:
    case JointType::Free: break;
  }
}

void appendLock(const Document& document, const Highlight& highlight, const Eigen::Vector3d& centre, int joint,
                double radius, DrawList& list) {
  const JointSettings& settings = document.joints[joint];
  const bool isShiftLocked = document.figure->joint(joint).type == JointType::Free && settings.translationLocked;
  const bool isLocked = settings.locked || settings.rigidity >= 1.0;
  if (!isLocked && !isShiftLocked) return;
  const auto [right, up] = screenAxes(highlight.view);
  const double size = std::max(0.2 * radius, pixels(highlight, kMinLockPixels, centre));
  const Eigen::Vector3d foot = centre + 1.25 * radius * right;
  const Stroke stroke{0.16 * size, kAccent};
  if (isLocked) appendPadlock(foot, right, up, size, stroke, list);
  else appendShackle(foot, right, up, size, stroke, list);
}

}  // namespace limber::render

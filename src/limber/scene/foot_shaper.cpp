// SPDX-License-Identifier: MIT
#include "limber/scene/foot_shaper.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "limber/body/nearest_angles.h"
#include "limber/kinematics/shortest_turn.h"
#include "limber/scene/smooth_offsets.h"

namespace limber {

namespace {

constexpr double kFootTime = 0.12;  // seconds in which the correction of a foot decays
constexpr double kOnGround = 1e4;   // weight of a sole on the ground, of the offsets' stiffness
constexpr int kGroundRounds = 8;
constexpr double kMostTilt = std::numbers::pi / 3.0;  // of a foot that is called level: more is another pose
constexpr double kMostRise = 1.0, kRiseStep = 0.02, kRiseTolerance = 1e-5;  // radians of the foot about its ball
constexpr int kRiseSteps = 20;
constexpr double kForcedTurn = 1e-4;  // radians of the foot by the limits of its ankle

double yawOf(const Eigen::Matrix3d& turn) { return std::atan2(turn(0, 2), turn(2, 2)); }
Eigen::Matrix3d yawTurn(double yaw) { return Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitY()).toRotationMatrix(); }

/// The constant turn that makes a foot level on average in the frames in which it is flat: skeletons differ in what
/// they call level.
Eigen::Matrix3d levelling(const FootTrack& foot, const std::vector<Eigen::Matrix3d>& turns) {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (!foot.isFlat(static_cast<int>(i))) continue;
    const Eigen::Vector4d tilt =
        Eigen::Quaterniond(yawTurn(yawOf(turns[i])).transpose() * turns[i]).normalized().coeffs();
    sum += tilt.w() < 0.0 ? Eigen::Vector4d(-tilt) : tilt;
  }
  const Eigen::Quaterniond mean(sum);
  if (!(sum.norm() > 0.0) || Eigen::AngleAxisd(mean.normalized()).angle() > kMostTilt)
    return Eigen::Matrix3d::Identity();
  return mean.normalized().toRotationMatrix().transpose();
}

}  // namespace

double leastAngle(const std::function<double(double)>& function) {
  double lower = 0.0, atLower = function(0.0) - kForcedTurn;
  if (atLower <= 0.0) return 0.0;
  double upper = 0.0, atUpper = atLower;
  while (atUpper > 0.0 && upper < kMostRise) {
    lower = upper;
    atLower = atUpper;
    upper = std::min(kMostRise, upper + std::max(kRiseStep, 1.1 * atUpper));
    atUpper = function(upper) - kForcedTurn;
  }
  for (int step = 0; step < kRiseSteps && upper - lower > kRiseTolerance && atUpper < -kForcedTurn; ++step) {
    const double middle =
        std::clamp((lower * atUpper - upper * atLower) / (atUpper - atLower) + kRiseTolerance, lower, upper);
    const double atMiddle = function(middle) - kForcedTurn;
    if (atMiddle > 0.0) {
      lower = middle;
      atLower = atMiddle;
      atUpper *= 0.5;
    } else {
      upper = middle;
      atUpper = atMiddle;
      atLower *= 0.5;
    }
  }
  return upper;
}

Eigen::Matrix3d FootShaper::turnOf(int link, const Kinematics& now) const {
  return parts_.worldFromBody.transpose() * now.worldFromLink[link].rotation * parts_.linkFromStraight[link];
}

Eigen::Matrix3d FootShaper::worldOf(int link, const Eigen::Matrix3d& turn) const {
  return parts_.worldFromBody * turn * parts_.linkFromStraight[link].transpose();
}

/// Turns each frame by the smooth correction that makes it as wanted where `isHeld`.
void FootShaper::correctTurns(std::vector<Eigen::Matrix3d>& turns, const std::vector<Eigen::Matrix3d>& held,
                              const std::function<bool(int)>& isHeld) const {
  SmoothOffsets offsets(frames_.count, frames_.time, kFootTime);
  for (int i = 0; i < frames_.count; ++i)
    if (isHeld(i))
      offsets.fix(i, logarithm(Eigen::Quaterniond(Eigen::Matrix3d(held[i] * turns[i].transpose())).normalized()));
  const Eigen::Matrix3Xd by = offsets.solve();
  for (int i = 0; i < frames_.count; ++i)
    turns[i] = isHeld(i) ? held[i] : Eigen::Matrix3d(exponential(by.col(i)).toRotationMatrix() * turns[i]);
}

void FootShaper::levelFoot(FootTrack& foot) const {
  const Eigen::Matrix3d level = levelling(foot, foot.turns);
  for (Eigen::Matrix3d& turn : foot.turns) turn *= level;
  foot.levelled = foot.turns;
  std::vector<Eigen::Matrix3d> held(foot.turns.size());
  for (int begin = 0; begin < frames_.count; ++begin) {
    if (!foot.isFlat(begin)) continue;
    int end = begin;
    Eigen::Vector2d ahead = Eigen::Vector2d::Zero();
    for (; end < frames_.count && foot.isFlat(end); ++end)
      ahead += Eigen::Vector2d(std::sin(yawOf(foot.turns[end])), std::cos(yawOf(foot.turns[end])));
    for (int i = begin; i < end; ++i) held[i] = yawTurn(std::atan2(ahead.x(), ahead.y()));
    begin = end;
  }
  correctTurns(foot.turns, held, [&](int i) { return foot.isFlat(i); });
  const Eigen::Vector3d rearward =
      parts_.linkFromStraight[foot.sole.foot].transpose() * (foot.sole.heel - foot.sole.ball);
  for (int i = 0; i < frames_.count; ++i) {
    if (foot.isFlat(i) || !foot.isHeld(i)) continue;
    const Eigen::Vector3d way = foot.turns[i] * (foot.ball[i] ? rearward : -rearward);
    const double least = foot.ball[i] ? -foot.sole.ballHeight : foot.sole.ballHeight;  // rise along it on the ground
    const double along = std::hypot(way.x(), way.z());
    if (!(way.y() < least) || !(along > 0.0)) continue;
    const double part = std::sqrt(std::max(0.0, way.squaredNorm() - least * least)) / along;
    foot.turns[i] =
        shortestTurn(way, Eigen::Vector3d(part * way.x(), least, part * way.z())).toRotationMatrix() * foot.turns[i];
  }
  if (foot.sole.toes < 0) return;
  const Eigen::Matrix3d flatToes = levelling(foot, foot.toeTurns);
  for (int i = 0; i < frames_.count; ++i) {
    foot.toeTurns[i] *= flatToes;
    held[i] = yawTurn(yawOf(foot.turns[i]));
  }
  correctTurns(foot.toeTurns, held, [&](int i) { return foot.ball[i] != 0; });
  lowerHeels(foot);
}

/// Lowers the heel of a foot that stands on its ball as far as its toes do not bend enough to stay as wanted.
void FootShaper::lowerHeels(FootTrack& foot) const {
  if (!foot.turnsToes) return;
  const Eigen::Vector3d across = parts_.linkFromStraight[foot.sole.foot].transpose() * foot.leftInFoot;
  std::vector<Eigen::Matrix3d> held = foot.turns;
  for (int i = 0; i < frames_.count; ++i) {
    if (!foot.ball[i] || foot.heel[i]) continue;
    const auto lowered = [&](double angle) {
      return Eigen::Matrix3d(foot.turns[i] * Eigen::AngleAxisd(-angle, across));
    };
    const auto stoppedBy = [&](double angle) {
      const Eigen::Matrix3d world = worldOf(foot.sole.foot, lowered(angle));
      const Eigen::Matrix3d toes = world * footFromToeJoint(foot) * toeRotation(foot, i, world).toRotationMatrix();
      const Eigen::Matrix3d by = toes * worldOf(foot.sole.toes, foot.toeTurns[i]).transpose();
      return logarithm(Eigen::Quaterniond(by).normalized()).dot(world * foot.leftInFoot);
    };
    held[i] = lowered(leastAngle(stoppedBy));
  }
  correctTurns(foot.turns, held, [&](int i) { return foot.isHeld(i); });
}

void FootShaper::blendTurns(FootTrack& foot) const {
  std::vector<Eigen::Matrix3d> turns = foot.levelled, held(turns.size());
  for (int i = 0; i < frames_.count; ++i)
    held[i] = parts_.worldFromBody.transpose() * foot.reached[i].rotation * parts_.linkFromStraight[foot.sole.foot];
  correctTurns(turns, held, [&](int i) { return foot.isHeld(i); });
  for (int i = 0; i < frames_.count; ++i)
    if (!foot.isHeld(i)) foot.turns[i] = turns[i];
}

Eigen::Vector3d FootShaper::fromAnkle(const FootTrack& foot, StancePoint point, int frame) const {
  return worldOf(foot.sole.foot, foot.turns[frame]) * (point == StancePoint::Heel ? foot.sole.heel : foot.sole.ball);
}

/// The runs of frames in which heel or ball stand.
std::vector<FootShaper::Anchor> FootShaper::anchorsOf(const FootTrack& foot) const {
  std::vector<Anchor> anchors;
  for (const StancePoint point : {StancePoint::Ball, StancePoint::Heel}) {
    const std::vector<char>& stands = point == StancePoint::Heel ? foot.heel : foot.ball;
    for (int begin = 0; begin < frames_.count; ++begin) {
      if (!stands[begin]) continue;
      int end = begin;
      while (end + 1 < frames_.count && stands[end + 1]) ++end;
      anchors.push_back({point, begin, end});
      begin = end;
    }
  }
  return anchors;
}

/// The mean place of the point in the frames in which the foot is flat, or else in all.
Eigen::Vector3d FootShaper::meanPlace(const FootTrack& foot, const Anchor& anchor) const {
  Eigen::Vector3d flat = Eigen::Vector3d::Zero(), all = flat;
  int flats = 0;
  for (int i = anchor.begin; i <= anchor.end; ++i) {
    const Eigen::Vector3d place = foot.ankles[i] + fromAnkle(foot, anchor.point, i);
    all += place;
    if (!foot.isFlat(i)) continue;
    flat += place;
    ++flats;
  }
  Eigen::Vector3d mean =
      flats > 0 ? Eigen::Vector3d(flat / flats) : Eigen::Vector3d(all / (anchor.end - anchor.begin + 1));
  const double onGround = ground_ + (anchor.point == StancePoint::Ball ? foot.sole.ballHeight : 0.0);
  if (mean.y() < onGround + kElevated * parts_.legLength) mean.y() = onGround;
  return mean;
}

/// Anchors heel and ball so that both fit each flat time that they share.
void FootShaper::setAnchors(const FootTrack& foot, std::vector<Anchor>& anchors) const {
  std::vector<Anchor*> open;
  for (Anchor& first : anchors) {
    if (first.place) continue;
    first.place = meanPlace(foot, first);
    open.push_back(&first);
    while (!open.empty()) {
      const Anchor& known = *open.back();
      open.pop_back();
      for (Anchor& other : anchors) {
        const int shared = std::max(known.begin, other.begin);
        if (other.place || other.point == known.point || shared > std::min(known.end, other.end)) continue;
        other.place = *known.place + fromAnkle(foot, other.point, shared) - fromAnkle(foot, known.point, shared);
        open.push_back(&other);
      }
    }
  }
}

void FootShaper::placeFoot(FootTrack& foot) const {
  std::vector<Anchor> anchors = anchorsOf(foot);
  setAnchors(foot, anchors);
  SmoothOffsets offsets(frames_.count, frames_.time, kFootTime);
  foot.wanted = foot.ankles;
  for (const Anchor& anchor : anchors)  // the ball's before the heel's, which are the same if the foot is flat
    for (int i = anchor.begin; i <= anchor.end; ++i) {
      if (anchor.point == StancePoint::Heel && foot.ball[i]) continue;
      foot.wanted[i] = *anchor.place - fromAnkle(foot, anchor.point, i) + foot.raised[i] * Eigen::Vector3d::UnitY();
      offsets.fix(i, (foot.reached.empty() ? foot.wanted[i] : foot.reached[i].translation) - foot.ankles[i]);
    }
  std::vector<double> lowest(frames_.count);
  for (int i = 0; i < frames_.count; ++i) lowest[i] = lowestFromAnkle(foot, i, foot.turns[i]);
  for (int round = 0; round < kGroundRounds; ++round) {
    const Eigen::Matrix3Xd by = offsets.solve();
    bool isAbove = true;
    for (int i = 0; i < frames_.count; ++i) {
      if (foot.isHeld(i)) continue;
      foot.wanted[i] = foot.ankles[i] + by.col(i);
      const double sunk = ground_ + foot.raised[i] - foot.wanted[i].y() - lowest[i];
      if (sunk < kSunk * parts_.legLength) continue;
      offsets.demand(i, Eigen::Vector3d::UnitY(), by(1, i) + sunk, kOnGround * offsets.stiffness());
      foot.wanted[i].y() += sunk;
      isAbove = false;
    }
    if (isAbove) return;
  }
}

/// The height of the sole's lowest point above the ankle, with the foot turned so, and the toes as far as they can be
/// as wanted.
double FootShaper::lowestFromAnkle(const FootTrack& foot, int frame, const Eigen::Matrix3d& turn) const {
  const Kinematics& rest = body_.rest();
  const Transform footFromWorld = rest.worldFromLink[foot.sole.foot].inverse();
  const Eigen::Matrix3d world = worldOf(foot.sole.foot, turn);
  Eigen::Matrix3d worldFromToes = world;
  if (foot.sole.toes >= 0) worldFromToes = world * footFromToeJoint(foot);
  if (foot.turnsToes) worldFromToes *= toeRotation(foot, frame, world).toRotationMatrix();
  double lowest = std::numeric_limits<double>::infinity();
  for (const SolePoint& point : foot.sole.points) {
    Eigen::Vector3d place = world * (footFromWorld * (rest.worldFromLink[point.link] * point.place));
    if (foot.sole.toes >= 0 && figure_.isAncestorOrSelf(foot.sole.toes, point.link)) {
      const Transform& toes = rest.worldFromLink[foot.sole.toes];
      place = world * (footFromWorld * toes.translation) +
              worldFromToes * (toes.inverse() * (rest.worldFromLink[point.link] * point.place));
    }
    lowest = std::min(lowest, place.y() - point.radius);
  }
  return lowest;
}

/// The rotation of the toes' joint, within its limits, that turns them as wanted if the foot has this rotation.
Eigen::Quaterniond FootShaper::toeRotation(const FootTrack& foot, int frame,
                                           const Eigen::Matrix3d& worldFromFoot) const {
  const Joint& joint = figure_.joint(foot.sole.toes);
  const JointSettings& settings = problem_.joints[foot.sole.toes];
  const Eigen::Matrix3d wanted =
      (worldFromFoot * footFromToeJoint(foot)).transpose() * worldOf(foot.sole.toes, foot.toeTurns[frame]);
  if (joint.type == JointType::Ball)
    return BallRange(settings.ballLimits).clamp(Eigen::Quaterniond(wanted).normalized());
  const HingeRow row{.hinges = {{.axis = joint.axis, .limits = settings.limits}}};
  return Eigen::Quaterniond(
      Eigen::AngleAxisd(nearestAngles(row, wanted, Eigen::Matrix3d::Identity()).front(), joint.axis));
}

Eigen::Matrix3d FootShaper::footFromToeJoint(const FootTrack& foot) const {
  const Kinematics& rest = body_.rest();
  return rest.worldFromLink[foot.sole.foot].rotation.transpose() *
         worldFromJoint(figure_, rest, foot.sole.toes).rotation;
}

void FootShaper::turnToes(const FootTrack& foot, int frame, Pose& pose) const {
  if (!foot.turnsToes) return;
  const Eigen::Quaterniond rotation = toeRotation(foot, frame, foot.leg.worldFromFoot().rotation);
  const Joint& joint = figure_.joint(foot.sole.toes);
  if (joint.type == JointType::Ball) setJointRotation(figure_, foot.sole.toes, rotation, pose);
  else pose.coordinates[joint.poseIndex] = 2.0 * std::atan2(rotation.vec().dot(joint.axis), rotation.w());
}

}  // namespace limber

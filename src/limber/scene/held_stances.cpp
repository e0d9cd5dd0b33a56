// SPDX-License-Identifier: MIT
#include "limber/scene/held_stances.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "limber/body/body_map.h"
#include "limber/body/leg_placer.h"
#include "limber/body/nearest_angles.h"
#include "limber/kinematics/shortest_turn.h"
#include "limber/scene/arm_clearing.h"
#include "limber/scene/smooth_offsets.h"

namespace limber {

namespace {

constexpr double kOnGround = 1e4;  // weight of a sole on the ground, of the offsets' stiffness
constexpr double kSunk = 1e-5;     // lengths of the leg: a sole this far below the ground is raised
constexpr int kGroundRounds = 8;
constexpr int kReachRounds = 12;
constexpr int kLimitRounds = 12;
constexpr int kPelvisRounds = 1;         // of them: before feet are raised
constexpr double kMissed = 1e-4;         // lengths of the leg: a larger error of a standing point moves the pelvis
constexpr double kStood = 5e-4;          // lengths of the leg: a point that stands so near to its place stands
constexpr double kMostShift = 0.02;      // lengths of the leg: largest such move
constexpr double kShiftWeight = 1.0;     // first weight of that shift, of the offsets' stiffness
constexpr double kFootTime = 0.12;       // seconds in which the correction of a foot decays
constexpr double kPelvisTime = 0.05;     // the same of the pelvis
constexpr double kPelvisPull = 0.5;      // of the pelvis to the motion, of a standing leg's own length
constexpr double kMostStretch = 0.9985;  // of thigh and shank: a leg is stretched farther only if it is in the motion
constexpr double kReachWeight = 1.0;     // first weight of a leg that is too long, of the offsets' stiffness
constexpr double kReachGrowth = 5.0;     // of that weight, in each round in which it still is
constexpr double kElevated = 0.08;       // lengths of the leg: a higher anchor is not on the ground
constexpr double kMostTilt = std::numbers::pi / 3.0;  // of a foot that is called level: more is another pose
constexpr double kMostRise = 1.0, kRiseStep = 0.02, kRiseTolerance = 1e-5;  // radians of the foot about its ball
constexpr int kRiseSteps = 20;
constexpr double kForcedTurn = 1e-4;   // radians of the foot by the limits of its ankle
constexpr double kFootLength = 0.2;    // lengths of the leg, about
constexpr double kLooseWeight = 0.01;  // of a point of the foot that does not stand

double yawOf(const Eigen::Matrix3d& turn) { return std::atan2(turn(0, 2), turn(2, 2)); }
Eigen::Matrix3d yawTurn(double yaw) { return Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitY()).toRotationMatrix(); }

/// One foot in all frames.
struct FootTrack {
  Sole sole;
  LegPlacer leg;
  Eigen::Vector3d leftInFoot;                 ///< to the body's left of a level foot that points ahead
  std::vector<char> heel, ball;               ///< by frame: 1 if it stands
  std::vector<Eigen::Matrix3d> levelled;      ///< of the foot in the motion, in the body's axes; level on average
  std::vector<Eigen::Matrix3d> turns;         ///< the same as wanted; the identity if level and ahead
  std::vector<Eigen::Matrix3d> toeTurns;      ///< the same of the toes; empty without
  std::vector<Eigen::Vector3d> hips, ankles;  ///< world
  std::vector<Eigen::Vector3d> wanted;        ///< of the ankle, world
  std::vector<double> raised;                 ///< metres by which limits force the foot up
  std::vector<double> reachWeights;           ///< of a leg that was too long
  // After the legs were placed:
  std::vector<Transform> reached;        ///< of the foot, world; empty before
  std::vector<double> misses, sunk;      ///< metres: of the standing points; of the sole below the ground
  std::vector<Eigen::Vector3d> missing;  ///< shift of the pelvis with which the standing points would be in place

  FootTrack(const IkProblem& problem, const PoseParts& parts, const Sole& s, int frames)
      : sole(s), leg(problem, parts, s), leftInFoot(parts.linkFromStraight[s.foot].col(0)), heel(frames, 0),
        ball(frames, 0), raised(frames, 0.0), reachWeights(frames, 0.0), misses(frames, 0.0), sunk(frames, 0.0),
        missing(frames, Eigen::Vector3d::Zero()) {}

  bool isHeld(int frame) const { return heel[frame] || ball[frame]; }
  bool isFlat(int frame) const { return heel[frame] && ball[frame]; }
};

struct Anchor {
  StancePoint point = StancePoint::Ball;
  int begin = 0, end = 0;
  std::optional<Eigen::Vector3d> place = {};  ///< world
};

class StanceHolder {
 public:
  StanceHolder(const IkProblem& problem, const Frames& frames, const std::vector<Stance>& stances)
      : problem_(problem), figure_(*problem.figure), body_(bodyMapOf(figure_)), parts_(body_.poseParts()),
        frames_(frames) {
    for (const Sole& sole : solesOf(figure_, parts_)) {
      FootTrack foot(problem, parts_, sole, frames.count);
      if (!foot.leg.isLeg()) continue;
      for (const Stance& stance : stances)
        for (int frame = std::max(0, stance.begin); frame <= std::min(stance.end, frames.count - 1); ++frame)
          if (stance.side == sole.side)
            (stance.point == StancePoint::Heel && sole.length > 0.0 ? foot.heel : foot.ball)[frame] = 1;
      feet_.push_back(std::move(foot));
    }
  }

  HeldStances run() {
    HeldStances out;
    if (feet_.empty()) {
      for (int frame = 0; frame < frames_.count; ++frame) out.poses.push_back(frames_.poseAt(frame));
      return out;
    }
    readFrames();
    for (FootTrack& foot : feet_) {
      levelFoot(foot);
      placeFoot(foot);
    }
    shiftPelvis();
    out.poses.resize(frames_.count);
    for (FootTrack& foot : feet_) foot.reached.resize(frames_.count);
    std::vector<char> isChanged(frames_.count, 1);
    for (int round = 0; std::ranges::count(isChanged, 1) > 0; ++round) {
      for (int frame = 0; frame < frames_.count; ++frame)
        if (isChanged[frame]) out.poses[frame] = placeLegs(frame);
      if (round + 1 == kLimitRounds) break;
      const Eigen::MatrixXd before = placesAskedFor();
      correctForLimits(round >= kPelvisRounds);
      shiftPelvis();
      for (FootTrack& foot : feet_) {
        blendTurns(foot);
        placeFoot(foot);
      }
      const Eigen::RowVectorXd change = (placesAskedFor() - before).cwiseAbs().colwise().maxCoeff();
      for (int frame = 0; frame < frames_.count; ++frame) isChanged[frame] = change[frame] > kSunk * parts_.legLength;
    }
    measure(out);
    return out;
  }

 private:
  /// What the legs of each frame are placed for, by column: the shift of the pelvis, then the place and two axes of
  /// each foot. Metres.
  Eigen::MatrixXd placesAskedFor() const {
    Eigen::MatrixXd places(3 + 9 * std::ssize(feet_), frames_.count);
    places.topRows<3>() = shift_;
    for (Eigen::Index k = 0; k < std::ssize(feet_); ++k) {
      const FootTrack& foot = feet_[static_cast<std::size_t>(k)];
      for (int i = 0; i < frames_.count; ++i)
        places.block<9, 1>(3 + 9 * k, i) << foot.wanted[i], kFootLength * parts_.legLength * foot.turns[i].col(0),
            kFootLength * parts_.legLength * foot.turns[i].col(2);
    }
    return places;
  }

  // ---- What the motion does ----

  Eigen::Matrix3d turnOf(int link, const Kinematics& now) const {
    return parts_.worldFromBody.transpose() * now.worldFromLink[link].rotation * parts_.linkFromStraight[link];
  }
  Eigen::Matrix3d worldOf(int link, const Eigen::Matrix3d& turn) const {
    return parts_.worldFromBody * turn * parts_.linkFromStraight[link].transpose();
  }

  void readFrames() {
    for (int frame = 0; frame < frames_.count; ++frame) {
      computeTransforms(figure_, frames_.poseAt(frame), now_);
      for (FootTrack& foot : feet_) {
        foot.turns.push_back(turnOf(foot.sole.foot, now_));
        if (foot.sole.toes >= 0) foot.toeTurns.push_back(turnOf(foot.sole.toes, now_));
        foot.ankles.push_back(now_.worldFromLink[foot.sole.foot].translation);
        foot.hips.push_back(now_.worldFromLink[foot.leg.thigh()].translation);
      }
    }
  }

  // ---- Rotation ----

  /// The constant turn that makes a foot level on average in the frames in which it is flat: skeletons differ in what
  /// they call level.
  static Eigen::Matrix3d levelling(const FootTrack& foot, const std::vector<Eigen::Matrix3d>& turns) {
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

  /// Turns each frame by the smooth correction that makes it as wanted where `isHeld`.
  template <typename IsHeld>
  void correctTurns(std::vector<Eigen::Matrix3d>& turns, const std::vector<Eigen::Matrix3d>& held,
                    const IsHeld& isHeld) const {
    SmoothOffsets offsets(frames_.count, frames_.time, kFootTime);
    for (int i = 0; i < frames_.count; ++i)
      if (isHeld(i))
        offsets.fix(i, logarithm(Eigen::Quaterniond(Eigen::Matrix3d(held[i] * turns[i].transpose())).normalized()));
    const Eigen::Matrix3Xd by = offsets.solve();
    for (int i = 0; i < frames_.count; ++i)
      turns[i] = isHeld(i) ? held[i] : Eigen::Matrix3d(exponential(by.col(i)).toRotationMatrix() * turns[i]);
  }

  /// Makes the foot level while it is flat, with one yaw for each flat time, and keeps the other end of a foot that
  /// turns about its heel or ball above the ground.
  void levelFoot(FootTrack& foot) const {
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
  void lowerHeels(FootTrack& foot) const {
    if (!turnsToes(foot)) return;
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

  /// The smallest angle, at most kMostRise, at which a continuous function is no more than kForcedTurn, if it is larger
  /// at 0. Regula falsi with the halving of Illinois; the angle is on the side where it is not larger.
  template <typename Function>
  static double leastAngle(const Function& function) {
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

  /// Blends the turns of a foot in the air into those that its stances reached.
  void blendTurns(FootTrack& foot) const {
    std::vector<Eigen::Matrix3d> turns = foot.levelled, held(turns.size());
    for (int i = 0; i < frames_.count; ++i)
      held[i] = parts_.worldFromBody.transpose() * foot.reached[i].rotation * parts_.linkFromStraight[foot.sole.foot];
    correctTurns(turns, held, [&](int i) { return foot.isHeld(i); });
    for (int i = 0; i < frames_.count; ++i)
      if (!foot.isHeld(i)) foot.turns[i] = turns[i];
  }

  // ---- Place ----

  Eigen::Vector3d fromAnkle(const FootTrack& foot, StancePoint point, int frame) const {
    return worldOf(foot.sole.foot, foot.turns[frame]) * (point == StancePoint::Heel ? foot.sole.heel : foot.sole.ball);
  }

  /// The runs of frames in which heel or ball stand.
  std::vector<Anchor> anchorsOf(const FootTrack& foot) const {
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
  Eigen::Vector3d meanPlace(const FootTrack& foot, const Anchor& anchor) const {
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
  void setAnchors(const FootTrack& foot, std::vector<Anchor>& anchors) const {
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

  void placeFoot(FootTrack& foot) const {
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
  double lowestFromAnkle(const FootTrack& foot, int frame, const Eigen::Matrix3d& turn) const {
    const Kinematics& rest = body_.rest();
    const Transform footFromWorld = rest.worldFromLink[foot.sole.foot].inverse();
    const Eigen::Matrix3d world = worldOf(foot.sole.foot, turn);
    Eigen::Matrix3d worldFromToes = world;
    if (foot.sole.toes >= 0) worldFromToes = world * footFromToeJoint(foot);
    if (turnsToes(foot)) worldFromToes *= toeRotation(foot, frame, world).toRotationMatrix();
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

  // ---- Pelvis ----

  /// Shifts the pelvis by the smoothest offsets with which standing legs are as long as in the motion, and reach.
  void shiftPelvis() {
    root_ = freeLinkFor(problem_, parts_.links.at({BodyPart::Hips, BodySide::Middle}).front());
    const bool isHeld = std::ranges::any_of(feet_, [](const FootTrack& foot) {
      return std::ranges::count(foot.heel, 1) + std::ranges::count(foot.ball, 1) > 0;
    });
    if (root_ < 0 || !isHeld) return;
    SmoothOffsets offsets(frames_.count, frames_.time, kPelvisTime, kPelvisPull);
    for (int round = 0; round < kReachRounds; ++round) {
      offsets.clearDemands();
      bool isReached = true;
      for (FootTrack& foot : feet_)
        for (int i = 0; i < frames_.count; ++i) isReached &= demandLength(foot, i, offsets);
      for (const Demand& demand : demands_)
        offsets.demand(demand.frame, demand.direction, demand.offset, demand.weight * offsets.stiffness());
      if (round > 1 && isReached) return;
      shift_ = offsets.solve();
    }
  }

  /// The largest distance of an ankle from its hip.
  static double longestLeg(const FootTrack& foot, int frame) {
    const double whole = foot.leg.upperLength() + foot.leg.lowerLength();
    return std::clamp((foot.hips[frame] - foot.ankles[frame]).norm(), kMostStretch * whole, (1.0 - 1e-6) * whole);
  }

  /// Demands that the leg be as long as in the motion if the foot stands, and never longer than it can be. False if it
  /// is too long now.
  bool demandLength(FootTrack& foot, int frame, SmoothOffsets& offsets) const {
    if (!foot.isHeld(frame)) return true;
    const Eigen::Vector3d leg = foot.hips[frame] + shift_.col(frame) - foot.wanted[frame];
    const double length = leg.norm(), inMotion = (foot.hips[frame] - foot.ankles[frame]).norm();
    const double whole = foot.leg.upperLength() + foot.leg.lowerLength();
    if (!(length > 0.0)) return true;
    const Eigen::Vector3d direction = leg / length;
    const double now = direction.dot(shift_.col(frame));
    offsets.demand(frame, direction, now + std::min(inMotion, whole) - length, 1.0);
    const double most = longestLeg(foot, frame);
    const bool isTooLong = length > most + kSunk * parts_.legLength;
    double& weight = foot.reachWeights[frame];
    if (isTooLong) weight = std::max(kReachWeight * offsets.stiffness(), kReachGrowth * weight);
    else if (length < most) weight = 0.0;  // otherwise the demand would pull the leg to its full length
    if (weight > 0.0) offsets.demand(frame, direction, now + most - length, weight);
    return !isTooLong;
  }

  // ---- Legs ----

  /// A foot in the air is moved to where its leg reaches.
  Transform wantedFoot(const FootTrack& foot, int frame) const {
    Eigen::Vector3d place = foot.wanted[frame];
    const Eigen::Vector3d hip = foot.hips[frame] + shift_.col(frame), leg = place - hip;
    const double longest = longestLeg(foot, frame);
    if (!foot.isHeld(frame) && leg.norm() > longest) place = hip + longest / leg.norm() * leg;
    return {worldOf(foot.sole.foot, foot.turns[frame]), place};
  }
  static LegPlacer::Weights weightsOf(const FootTrack& foot, int frame) {
    if (!foot.isHeld(frame)) return {};
    return {foot.heel[frame] ? 1.0 : kLooseWeight, foot.ball[frame] ? 1.0 : kLooseWeight, kLooseWeight};
  }

  /// The pose of a frame with its legs placed. Stores how far limits keep each foot from its place.
  Pose placeLegs(int frame) {
    Pose pose = frames_.poseAt(frame);
    computeTransforms(figure_, pose, now_);
    if (root_ >= 0)
      pose.coordinates.segment<3>(figure_.joint(root_).poseIndex) +=
          worldFromJoint(figure_, now_, root_).rotation.transpose() * shift_.col(frame);
    for (FootTrack& foot : feet_) {
      Transform base = now_.worldFromLink[foot.leg.base()];
      base.translation += shift_.col(frame);
      const Transform wanted = wantedFoot(foot, frame);
      const Pose unplaced = pose;
      foot.leg.place(base, wanted, weightsOf(foot, frame), pose);
      const double miss = missOf(foot, wanted, frame);
      foot.missing[frame].setZero();
      if (miss > kMissed * parts_.legLength)
        foot.missing[frame] = foot.leg.missingShift(wanted, weightsOf(foot, frame), pose);
      if (foot.ball[frame] && miss > kStood * parts_.legLength) standOnBall(foot, base, wanted, unplaced, pose);
      turnToes(foot, frame, pose);
      foot.reached[frame] = foot.leg.worldFromFoot();
      foot.misses[frame] = missOf(foot, wanted, frame);
    }
    computeTransforms(figure_, pose, now_);
    for (FootTrack& foot : feet_) foot.sunk[frame] = ground_ - lowestOf(foot.sole, now_);
    return pose;
  }

  /// Places a foot whose heel cannot stand: the heel rises, and where that is not enough, the ball counts alone.
  void standOnBall(FootTrack& foot, const Transform& base, const Transform& wanted, const Pose& unplaced, Pose& pose) {
    const Transform risen = withRisenHeel(foot, base, wanted, unplaced);
    const auto missOfBall = [&] {
      return (wanted * foot.sole.ball - foot.leg.worldFromFoot() * foot.sole.ball).norm();
    };
    for (const double heelWeight : {1.0, kLooseWeight}) {
      pose = unplaced;
      foot.leg.place(base, risen, {heelWeight, 1.0, kLooseWeight}, pose);
      if (missOfBall() < kStood * parts_.legLength) return;
    }
  }

  /// The foot turned about its ball by the smallest angle with which its ankle keeps its limits: deep knee bends raise
  /// the heel.
  static Transform withRisenHeel(FootTrack& foot, const Transform& base, const Transform& wanted, const Pose& pose) {
    const Eigen::Vector3d across = wanted.rotation * foot.leftInFoot, ball = wanted * foot.sole.ball;
    const auto risen = [&](double angle) {
      const Eigen::Matrix3d turn = Eigen::AngleAxisd(angle, across).toRotationMatrix();
      return Transform{turn * wanted.rotation, ball + turn * (wanted.translation - ball)};
    };
    return risen(leastAngle([&](double angle) { return foot.leg.turnByLimits(base, risen(angle), pose).dot(across); }));
  }

  /// The largest distance of the standing points from where they are wanted.
  static double missOf(const FootTrack& foot, const Transform& wanted, int frame) {
    const auto missOfPoint = [&](const Eigen::Vector3d& place) {
      return (wanted * place - foot.leg.worldFromFoot() * place).norm();
    };
    return std::max(foot.heel[frame] ? missOfPoint(foot.sole.heel) : 0.0,
                    foot.ball[frame] ? missOfPoint(foot.sole.ball) : 0.0);
  }

  /// Demands that the pelvis move where limits keep a standing point from its place, and raises feet that limits tilt
  /// into the ground: a standing one for its whole stance.
  void correctForLimits(bool raises) {
    bool isAny = false;
    for (FootTrack& foot : feet_) {
      for (int i = 0; i < frames_.count; ++i) {
        const double length = foot.missing[i].norm(), most = kMostShift * parts_.legLength;
        if (!(length > 0.0) || root_ < 0 || raises) continue;
        const Eigen::Vector3d direction = foot.missing[i] / length;
        demands_.push_back({i, direction, direction.dot(shift_.col(i)) + std::min(length, most), kShiftWeight});
        isAny = true;
      }
    }
    for (FootTrack& foot : feet_)
      if (raises || !isAny) raise(foot);
  }

  void raise(FootTrack& foot) const {
    for (int begin = 0; begin < frames_.count; ++begin) {
      int end = begin + 1;
      while (foot.isHeld(begin) && end < frames_.count && foot.isHeld(end)) ++end;
      double sunk = 0.0;
      for (int i = begin; i < end; ++i) sunk = std::max(sunk, foot.sunk[i]);
      if (sunk > kMissed * parts_.legLength)
        for (int i = begin; i < end; ++i) foot.raised[i] += sunk;
      begin = end - 1;
    }
  }

  void measure(HeldStances& out) const {
    for (const FootTrack& foot : feet_)
      for (int i = 0; i < frames_.count; ++i) {
        if (!foot.isHeld(i) || (out.largestMissFrame >= 0 && foot.misses[i] <= out.largestMiss)) continue;
        out.largestMiss = foot.misses[i];
        out.largestMissFrame = i;
      }
  }

  /// The rotation of the toes' joint, within its limits, that turns them as wanted if the foot has this rotation.
  Eigen::Quaterniond toeRotation(const FootTrack& foot, int frame, const Eigen::Matrix3d& worldFromFoot) const {
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

  Eigen::Matrix3d footFromToeJoint(const FootTrack& foot) const {
    const Kinematics& rest = body_.rest();
    return rest.worldFromLink[foot.sole.foot].rotation.transpose() *
           worldFromJoint(figure_, rest, foot.sole.toes).rotation;
  }

  bool turnsToes(const FootTrack& foot) const {
    if (foot.sole.toes < 0) return false;
    const JointType type = figure_.joint(foot.sole.toes).type;
    const JointSettings& settings = problem_.joints[foot.sole.toes];
    return !settings.locked && settings.rigidity < 1.0 && (type == JointType::Ball || type == JointType::Revolute);
  }

  void turnToes(const FootTrack& foot, int frame, Pose& pose) const {
    if (!turnsToes(foot)) return;
    const Eigen::Quaterniond rotation = toeRotation(foot, frame, foot.leg.worldFromFoot().rotation);
    const Joint& joint = figure_.joint(foot.sole.toes);
    if (joint.type == JointType::Ball) setJointRotation(figure_, foot.sole.toes, rotation, pose);
    else pose.coordinates[joint.poseIndex] = 2.0 * std::atan2(rotation.vec().dot(joint.axis), rotation.w());
  }

  const IkProblem& problem_;
  const Figure& figure_;
  const BodyMap& body_;
  const PoseParts& parts_;
  const Frames& frames_;
  std::vector<FootTrack> feet_;
  double ground_ = parts_.hasBody ? groundOf(figure_, parts_) : 0.0;
  int root_ = -1;
  struct Demand {
    int frame = 0;
    Eigen::Vector3d direction = Eigen::Vector3d::UnitY();
    double offset = 0.0, weight = 0.0;
  };
  std::vector<Demand> demands_;  ///< on the shift of the pelvis, because of limits
  Eigen::Matrix3Xd shift_ = Eigen::Matrix3Xd::Zero(3, frames_.count);  ///< of the pelvis, by frame, world
  Kinematics now_;
};

}  // namespace

Frames framesOf(const Figure& figure, const Motion& motion) {
  constexpr double kShortestFrame = 1e-3,
                   kLongestFrame = 1.0;  // seconds; files may hold 0 and other times without sense
  return {motion.frameCount, std::clamp(motion.frameTime, kShortestFrame, kLongestFrame),
          [&](int frame) { return motion.poseAt(figure, frame); }};
}

HeldStances holdStances(const IkProblem& problem, const Frames& frames, const std::vector<Stance>& stances) {
  return StanceHolder(problem, frames, stances).run();
}

std::shared_ptr<const Motion> withStances(const IkProblem& problem, const std::shared_ptr<const Motion>& motion,
                                          std::vector<Stance> stances) {
  const auto unheld = motion->unheld ? motion->unheld : motion;
  if (stances.empty()) return unheld;
  auto held = std::make_shared<Motion>();
  held->name = unheld->name;
  held->frameTime = unheld->frameTime;
  held->unheld = unheld;
  const Frames frames = framesOf(*problem.figure, *unheld);
  std::vector<Pose> poses = holdStances(problem, frames, stances).poses;
  clearArms(problem, frames.time, poses);
  for (const Pose& pose : poses) held->append(pose);
  held->stances = std::move(stances);
  return held;
}

void setStances(Document& document, std::vector<Stance> stances) {
  const std::shared_ptr<const Motion> shown = document.motion;
  if (!shown || shown->frameCount == 0) return;
  auto held = withStances(document, shown->beneath ? shown->beneath : shown, std::move(stances));
  if (shown->beneath) held = withLayer(held, shown->layer);
  std::ranges::replace(document.clips, shown, held);
  setMotion(document, std::move(held));
  showFrame(document, document.frame);
}

}  // namespace limber

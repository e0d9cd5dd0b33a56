// SPDX-License-Identifier: MIT
#include "limber/scene/held_stances.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/body/body_map.h"
#include "limber/kinematics/coupling.h"
#include "limber/scene/arm_clearing.h"
#include "limber/scene/foot_shaper.h"
#include "limber/scene/smooth_offsets.h"

namespace limber {

namespace {

constexpr int kReachRounds = 12;
constexpr int kLimitRounds = 12;
constexpr double kLeastRaised = 0.1;     // of a raise: what comes through, at least
constexpr double kMissed = 1e-4;         // lengths of the leg: a larger error of a standing point moves the pelvis
constexpr double kStood = 5e-4;          // lengths of the leg: a point that stands so near to its place stands
constexpr double kMostShift = 0.02;      // lengths of the leg: largest such move
constexpr double kShiftWeight = 1.0;     // first weight of that shift, of the offsets' stiffness
constexpr double kPelvisTime = 0.05;     // seconds in which the correction of the pelvis decays
constexpr double kPelvisPull = 0.5;      // of the pelvis to the motion, of a standing leg's own length
constexpr double kMostStretch = 0.9985;  // of thigh and shank: a leg is stretched farther only if it is in the motion
constexpr double kReachWeight = 1.0;     // first weight of a leg that is too long, of the offsets' stiffness
constexpr double kReachGrowth = 5.0;     // of that weight, in each round in which it still is
constexpr double kLowStances = 0.1;      // of the heights of standing points
constexpr double kFootLength = 0.2;      // lengths of the leg, about
constexpr double kLooseWeight = 0.01;    // of a point of the foot that does not stand
constexpr double kApproach = 0.15;       // seconds before and after a stance in which a foot is as near to it as it can
constexpr double kBendSpan = 0.15;       // seconds: deviation of the weights with which planes of bending are averaged
constexpr double kClearBend = 0.04;      // sine: a leg that bends by more has a plane of bending of its own
constexpr double kLegJump = 0.35;        // radians from a frame to the next: another way of the same leg
constexpr double kJumpOverMotion = 3.0;  // of the turn in the motion
constexpr int kCalmSweeps = 8;           // over the frames in which legs are jerked
constexpr double kCalmer = 0.98;         // of the largest acceleration: a pose with less is taken

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

  HeldStances run(std::optional<Accelerations> most) {
    HeldStances out;
    if (feet_.empty()) {
      for (int frame = 0; frame < frames_.count; ++frame) out.poses.push_back(frames_.poseAt(frame));
      return out;
    }
    readFrames();
    for (FootTrack& foot : feet_) {
      shaper_.levelFoot(foot);
      shaper_.placeFoot(foot);
    }
    shiftPelvis();
    out.poses.resize(frames_.count);
    for (FootTrack& foot : feet_) foot.reached.resize(frames_.count);
    std::vector<char> isChanged(frames_.count, 1);
    for (int round = 0; std::ranges::count(isChanged, 1) > 0; ++round) {
      const bool movesPelvis = round == 0 && root_ >= 0;
      for (int frame = 0; frame < frames_.count; ++frame)
        if (isChanged[frame]) out.poses[frame] = placeLegs(frame, movesPelvis);
      if (round + 1 == kLimitRounds) break;
      const Eigen::MatrixXd before = placesAskedFor();
      if (!movesPelvis || !demandMissing())
        for (FootTrack& foot : feet_) raise(foot);
      shiftPelvis();
      for (FootTrack& foot : feet_) {
        shaper_.blendTurns(foot);
        shaper_.placeFoot(foot);
      }
      const Eigen::RowVectorXd change = (placesAskedFor() - before).cwiseAbs().colwise().maxCoeff();
      for (int frame = 0; frame < frames_.count; ++frame) isChanged[frame] = change[frame] > kSunk * parts_.legLength;
      if (movesPelvis)  // feet that miss their places wait for this
        for (const FootTrack& foot : feet_)
          for (int frame = 0; frame < frames_.count; ++frame)
            if (misses(foot, frame)) isChanged[frame] = 1;
    }
    for (int frame = 1; frame < frames_.count; ++frame) stayOnWay(frame, out.poses);
    if (most) calmLegs(out.poses, *most);
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

  void readFrames() {
    std::vector<double> heights;  // of standing points
    for (int frame = 0; frame < frames_.count; ++frame) {
      computeTransforms(figure_, frames_.poseAt(frame), now_);
      for (FootTrack& foot : feet_) {
        foot.turns.push_back(shaper_.turnOf(foot.sole.foot, now_));
        if (foot.sole.toes >= 0) foot.toeTurns.push_back(shaper_.turnOf(foot.sole.toes, now_));
        foot.ankles.push_back(now_.worldFromLink[foot.sole.foot].translation);
        foot.hips.push_back(now_.worldFromLink[foot.leg.thigh()].translation);
        foot.bends.push_back(bendOf(foot, now_));
        const Transform& worldFromFoot = now_.worldFromLink[foot.sole.foot];
        if (foot.heel[frame]) heights.push_back((worldFromFoot * foot.sole.heel).y());
        if (foot.ball[frame]) heights.push_back((worldFromFoot * foot.sole.ball).y() - foot.sole.ballHeight);
      }
    }
    setGround(std::move(heights));
    for (FootTrack& foot : feet_) {
      averageBends(foot);
      measureApproach(foot);
    }
  }

  /// The axis about which the knee bends, times the sine of its angle, in the link above the leg.
  Eigen::Vector3d bendOf(const FootTrack& foot, const Kinematics& now) const {
    const Eigen::Vector3d &hip = now.worldFromLink[foot.leg.thigh()].translation,
                          &knee = now.worldFromLink[foot.leg.shank()].translation,
                          &ankle = now.worldFromLink[foot.sole.foot].translation;
    const double size = (knee - hip).norm() * (ankle - knee).norm();
    if (!(size > 0.0)) return Eigen::Vector3d::Zero();
    return now.worldFromLink[foot.leg.base()].rotation.transpose() * (knee - hip).cross(ankle - knee) / size;
  }

  /// A leg that is nearly straight has no plane of bending of its own: it takes that of the frames around.
  void averageBends(FootTrack& foot) const {
    foot.meanBends.assign(foot.bends.size(), Eigen::Vector3d::Zero());
    const int span = static_cast<int>(std::ceil(3.0 * kBendSpan / frames_.time));
    for (int i = 0; i < frames_.count; ++i)
      for (int k = std::max(0, i - span); k <= std::min(frames_.count - 1, i + span); ++k) {
        const double by = (k - i) * frames_.time / kBendSpan;
        foot.meanBends[i] += std::exp(-0.5 * by * by) * foot.bends[k];
      }
  }

  /// 1 in a stance, and 0 a while before and after it.
  void measureApproach(FootTrack& foot) const {
    foot.approach.assign(foot.ankles.size(), 0.0);
    const int span = static_cast<int>(std::ceil(kApproach / frames_.time));
    for (int i = 0; i < frames_.count; ++i)
      for (int k = std::max(0, i - span); k <= std::min(frames_.count - 1, i + span); ++k) {
        if (!foot.isHeld(k)) continue;
        const double near = std::max(0.0, 1.0 - std::abs(k - i) * frames_.time / kApproach);
        foot.approach[i] = std::max(foot.approach[i], near * near * (3.0 - 2.0 * near));
      }
  }

  /// Bends a ball knee that is nearly straight a little, in the plane of the frames around. Its angle follows from the
  /// place of the foot later.
  void bendKnee(const FootTrack& foot, int frame, const Transform& base, Pose& pose) const {
    const int shank = foot.leg.shank();
    const double bend = foot.bends[frame].norm(), mean = foot.meanBends[frame].norm();
    if (figure_.joint(shank).type != JointType::Ball || bend >= kClearBend || !(mean > kClearBend)) return;
    const double straightness = 1.0 - bend / kClearBend;
    const Eigen::Vector3d axis =
        foot.bends[frame] + kClearBend * straightness * straightness / mean * foot.meanBends[frame];
    if (!(axis.norm() > 1e-9)) return;
    const Eigen::Vector3d to = std::max(1.0, kClearBend / axis.norm()) * axis;  // at least clearly bent
    const Eigen::Matrix3d& link = now_.worldFromLink[shank].rotation;
    const Eigen::Vector3d by = link.transpose() * base.rotation * (to - foot.bends[frame]);  // small angles
    setJointRotation(figure_, shank, jointRotation(figure_, pose, shank) * exponential(by), pose);
  }

  /// The ground of the body, or the floor of a motion that stands clearly below it, as one whose file has its zero at
  /// the height of the hips. The lowest stances count, because others may be on stairs.
  void setGround(std::vector<double> heights) {
    if (heights.empty()) return;
    const auto low =
        heights.begin() + static_cast<std::ptrdiff_t>(kLowStances * static_cast<double>(heights.size() - 1));
    std::ranges::nth_element(heights, low);
    if (*low < ground_ - kElevated * parts_.legLength) ground_ = *low;
    shaper_.setGround(ground_);
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

  /// A foot in the air is moved to where its leg reaches: the nearer a leg is to its full length, the less of a further
  /// stretch it takes, because a leg that stops at once moves its knee by a jerk. Near a stance it takes more of it,
  /// because it is whole in the stance.
  Transform wantedFoot(const FootTrack& foot, int frame) const {
    Eigen::Vector3d place = foot.wanted[frame];
    const Eigen::Vector3d hip = foot.hips[frame] + shift_.col(frame), leg = place - hip;
    const double inMotion = (foot.hips[frame] - foot.ankles[frame]).norm(), length = leg.norm();
    if (!foot.isHeld(frame) && length > inMotion) {
      const double room = longestLeg(foot, frame) - inMotion;
      const double eased = room > 0.0 ? room * (1.0 - std::exp((inMotion - length) / room)) : 0.0;
      const double whole = std::min(length - inMotion, std::max(room, 0.0));
      const double taken = eased + foot.approach[frame] * (whole - eased);
      place = hip + (inMotion + taken) / length * leg;
    }
    return {shaper_.worldOf(foot.sole.foot, foot.turns[frame]), place};
  }
  static LegPlacer::Weights weightsOf(const FootTrack& foot, int frame) {
    if (!foot.isHeld(frame)) return {};
    return {foot.heel[frame] ? 1.0 : kLooseWeight, foot.ball[frame] ? 1.0 : kLooseWeight, kLooseWeight};
  }

  bool misses(const FootTrack& foot, int frame) const {
    return foot.ball[frame] && foot.misses[frame] > kStood * parts_.legLength;
  }

  /// The pose of a frame with its legs placed. Stores how far limits keep each foot from its place, and if the pelvis
  /// can still move, how it should; no heel rises before.
  ///
  /// startsAt  a pose whose legs are where the steps begin, instead of those of the motion; null for these
  Pose placeLegs(int frame, bool movesPelvis, const Pose* startsAt = nullptr) {
    Pose pose = frames_.poseAt(frame);
    computeTransforms(figure_, pose, now_);
    if (root_ >= 0)
      pose.coordinates.segment<3>(figure_.joint(root_).poseIndex) +=
          worldFromJoint(figure_, now_, root_).rotation.transpose() * shift_.col(frame);
    for (FootTrack& foot : feet_) {
      Transform base = now_.worldFromLink[foot.leg.base()];
      base.translation += shift_.col(frame);
      const Transform wanted = wantedFoot(foot, frame);
      bendKnee(foot, frame, base, pose);
      if (startsAt) copyLeg(foot, *startsAt, pose);
      const Pose unplaced = pose;
      if (!foot.rises[frame]) {
        foot.leg.place(base, wanted, weightsOf(foot, frame), pose);
        foot.misses[frame] = missOf(foot, wanted, frame);
        if (movesPelvis && foot.misses[frame] > kMissed * parts_.legLength)
          foot.missing[frame] = foot.leg.missingShift(wanted, weightsOf(foot, frame), pose);
        foot.rises[frame] = !movesPelvis && misses(foot, frame);
      }
      if (foot.rises[frame]) {
        standOnBall(foot, base, wanted, unplaced, pose);
        foot.misses[frame] = missOf(foot, wanted, frame);
      }
      shaper_.turnToes(foot, frame, pose);
      foot.reached[frame] = foot.leg.worldFromFoot();
    }
    couplings_.apply(pose);
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

  /// Demands that the pelvis move where limits keep a standing point from its place. False if there is none.
  bool demandMissing() {
    for (const FootTrack& foot : feet_)
      for (int i = 0; i < frames_.count; ++i) {
        const double length = foot.missing[i].norm(), most = kMostShift * parts_.legLength;
        if (!(length > 0.0)) continue;
        const Eigen::Vector3d direction = foot.missing[i] / length;
        demands_.push_back({i, direction, direction.dot(shift_.col(i)) + std::min(length, most), kShiftWeight});
      }
    return !demands_.empty();
  }

  /// Raises a foot that limits tilt into the ground: a standing one for its whole stance. Limits may tilt it farther as
  /// it rises, so that the last raise tells how much of one comes through.
  void raise(FootTrack& foot) const {
    for (int begin = 0; begin < frames_.count; ++begin) {
      int end = begin + 1;
      while (foot.isHeld(begin) && end < frames_.count && foot.isHeld(end)) ++end;
      double sunk = 0.0;
      for (int i = begin; i < end; ++i) sunk = std::max(sunk, foot.sunk[i]);
      FootTrack::Raise& last = foot.lastRaises[begin];
      double by = 0.0;
      if (sunk > kMissed * parts_.legLength) {
        const double part = last.by > 0.0 ? (last.sunk - sunk) / last.by : 1.0;
        by = part > 0.0 ? sunk / std::clamp(part, kLeastRaised, 1.0) : sunk;
        for (int i = begin; i < end; ++i) foot.raised[i] += by;
      }
      last = {sunk, by};
      begin = end - 1;
    }
  }

  void copyLeg(const FootTrack& foot, const Pose& from, Pose& to) const {
    for (const int link : foot.leg.links()) {
      const Joint& joint = figure_.joint(link);
      const int size = poseSize(joint.type);
      to.coordinates.segment(joint.poseIndex, size) = from.coordinates.segment(joint.poseIndex, size);
    }
  }

  // ---- Jerks ----

  /// The largest turn of a joint of the legs between two poses.
  double turnOfLegs(const Pose& from, const Pose& to) const {
    Eigen::VectorXd step;
    difference(figure_, from, to, step);
    double turn = 0.0;
    for (const FootTrack& foot : feet_)
      for (const int link : foot.leg.links()) {
        const Joint& joint = figure_.joint(link);
        turn = std::max(turn, step.segment(joint.stepIndex, stepSize(joint.type)).norm());
      }
    return turn;
  }

  /// A leg that leaves the way of the frame before, although the motion does not, is placed from there.
  void stayOnWay(int frame, std::vector<Pose>& poses) {
    const double turn = turnOfLegs(poses[frame - 1], poses[frame]);
    if (turn < kLegJump || turn < kJumpOverMotion * turnOfLegs(frames_.poseAt(frame - 1), frames_.poseAt(frame)))
      return;
    const std::vector<FootTrack::Placed> before = placedAt(frame);
    const Pose nearer = placeLegs(frame, false, &poses[frame - 1]);
    if (turnOfLegs(poses[frame - 1], nearer) < turn && isAsGood(frame, before)) poses[frame] = nearer;
    else setPlacedAt(frame, before);
  }

  std::vector<FootTrack::Placed> placedAt(int frame) const {
    std::vector<FootTrack::Placed> placed;
    for (const FootTrack& foot : feet_) placed.push_back(foot.placedAt(frame));
    return placed;
  }
  void setPlacedAt(int frame, const std::vector<FootTrack::Placed>& placed) {
    for (std::size_t i = 0; i < feet_.size(); ++i) feet_[i].setPlacedAt(frame, placed[i]);
  }
  /// True if no foot is farther from its place, or deeper below the ground, than before.
  bool isAsGood(int frame, const std::vector<FootTrack::Placed>& before) const {
    const double missed = kMissed * parts_.legLength;
    for (std::size_t i = 0; i < feet_.size(); ++i)
      if (feet_[i].misses[frame] > std::max(before[i].miss, missed) ||
          feet_[i].sunk[frame] > std::max(before[i].sunk, missed))
        return false;
    return true;
  }

  void noteLegs(int frame) {
    legs_[frame].clear();
    for (const FootTrack& foot : feet_)
      for (const int link : {foot.leg.thigh(), foot.leg.shank(), foot.sole.foot})
        legs_[frame].push_back(now_.worldFromLink[link]);
  }

  /// The largest acceleration of the legs in a frame, of the one that is allowed.
  double jerkAt(int frame) const {
    double largest = 0.0;
    if (frame < 1 || frame + 1 >= frames_.count) return largest;
    for (std::size_t k = 0; k < legs_[frame].size(); ++k) {
      const Accelerations by = secondDifferences(legs_[frame - 1][k], legs_[frame][k], legs_[frame + 1][k]);
      largest = std::max({largest, by.places / mostDifferences_.places, by.turns / mostDifferences_.turns});
    }
    return largest;
  }
  double jerkAround(int frame) const { return std::max({jerkAt(frame - 1), jerkAt(frame), jerkAt(frame + 1)}); }

  /// Where limits hold a leg, or hinges have several ways to one place, a leg may leave the way of the frames around.
  /// A jerked leg is placed from their legs, which lead to the nearest way.
  void calmLegs(std::vector<Pose>& poses, Accelerations most) {
    mostDifferences_ = largestDifferences(most, parts_.legLength, frames_.time);
    legs_.resize(poses.size());
    for (int frame = 0; frame < frames_.count; ++frame) {
      computeTransforms(figure_, poses[frame], now_);
      noteLegs(frame);
    }
    std::vector<char> isOpen(poses.size(), 1);
    bool isCalm = false;
    for (int sweep = 0; sweep < kCalmSweeps && !isCalm; ++sweep) {
      isCalm = true;
      for (int step = 1; step + 1 < frames_.count; ++step) {
        const int frame = sweep % 2 == 0 ? step : frames_.count - 1 - step;
        if (!isOpen[frame] || jerkAt(frame) <= 1.0) continue;
        isOpen[frame] = 0;
        if (!placeNearer(frame, poses)) continue;
        for (int k = std::max(0, frame - 1); k <= frame + 1; ++k) isOpen[k] = 1;
        isCalm = false;
      }
    }
  }

  /// Places the legs from their mean in the frames around, or from one of these. False if none is as good and calmer.
  bool placeNearer(int frame, std::vector<Pose>& poses) {
    Eigen::VectorXd step;
    Pose mean;
    difference(figure_, poses[frame - 1], poses[frame + 1], step);
    integrate(figure_, poses[frame - 1], 0.5 * step, mean);
    const std::vector<FootTrack::Placed> before = placedAt(frame);
    const std::vector<Transform> legsBefore = legs_[frame];
    const double jerk = jerkAround(frame);
    for (const Pose* from :
         {&std::as_const(mean), &std::as_const(poses[frame - 1]), &std::as_const(poses[frame + 1])}) {
      const Pose placed = placeLegs(frame, false, from);
      noteLegs(frame);
      if (jerkAround(frame) < kCalmer * jerk && isAsGood(frame, before)) {
        poses[frame] = placed;
        return true;
      }
      setPlacedAt(frame, before);
    }
    legs_[frame] = legsBefore;
    return false;
  }

  void measure(HeldStances& out) const {
    for (const FootTrack& foot : feet_)
      for (int i = 0; i < frames_.count; ++i) {
        if (!foot.isHeld(i) || (out.largestMissFrame >= 0 && foot.misses[i] <= out.largestMiss)) continue;
        out.largestMiss = foot.misses[i];
        out.largestMissFrame = i;
      }
  }

  const IkProblem& problem_;
  const Figure& figure_;
  const Couplings couplings_{figure_, activeCouplings(problem_)};
  const BodyMap& body_;
  const PoseParts& parts_;
  const Frames& frames_;
  std::vector<FootTrack> feet_;
  double ground_ = parts_.hasBody ? groundOf(figure_, parts_) : 0.0;
  FootShaper shaper_{problem_, parts_, frames_, ground_};
  int root_ = -1;
  struct Demand {
    int frame = 0;
    Eigen::Vector3d direction = Eigen::Vector3d::UnitY();
    double offset = 0.0, weight = 0.0;
  };
  std::vector<Demand> demands_;  ///< on the shift of the pelvis, because of limits
  Eigen::Matrix3Xd shift_ = Eigen::Matrix3Xd::Zero(3, frames_.count);  ///< of the pelvis, by frame, world
  Accelerations mostDifferences_;                                      ///< of the legs
  std::vector<std::vector<Transform>> legs_;                           ///< by frame: of thighs, shanks and feet
  Kinematics now_;
};

}  // namespace

Frames framesOf(const Figure& figure, const Motion& motion) {
  constexpr double kShortestFrame = 1e-3,
                   kLongestFrame = 1.0;  // seconds; files may hold 0 and other times without sense
  return {motion.frameCount, std::clamp(motion.frameTime, kShortestFrame, kLongestFrame),
          [&](int frame) { return motion.poseAt(figure, frame); }};
}

HeldStances holdStances(const IkProblem& problem, const Frames& frames, const std::vector<Stance>& stances,
                        std::optional<Accelerations> most) {
  return StanceHolder(problem, frames, stances).run(most);
}

std::shared_ptr<const Motion> withStances(const IkProblem& problem, const std::shared_ptr<const Motion>& motion,
                                          std::vector<Stance> stances, std::optional<Accelerations> most) {
  constexpr double kMore = 1.1;  // of the accelerations before
  const auto unheld = motion->unheld ? motion->unheld : motion;
  if (stances.empty()) return unheld;
  auto held = std::make_shared<Motion>();
  held->name = unheld->name;
  held->frameTime = unheld->frameTime;
  held->unheld = unheld;
  const Frames frames = framesOf(*problem.figure, *unheld);
  if (!most) most = largestAccelerations(*problem.figure, frames) * kMore;
  std::vector<Pose> poses = holdStances(problem, frames, stances, most).poses;
  clearArms(problem, frames.time, *most, poses);
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

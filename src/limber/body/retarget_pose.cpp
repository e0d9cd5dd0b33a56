// SPDX-License-Identifier: MIT
#include "limber/body/retarget_pose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "limber/body/body_map.h"
#include "limber/body/nearest_angles.h"
#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber {

namespace {

constexpr double kStopped = 5.0 * std::numbers::pi / 180.0;  // of a bone's direction: a larger error is reported
constexpr double kCarried = 0.5;                             // weight of the next bone's direction, of this one's own
constexpr double kTwist = 0.05;                              // weight of the rest of the rotation
constexpr int kShareSteps = 40;                              // iterations in which vertebrae compensate for others
constexpr double kShared = 1e-10;                            // radians: tolerance of the end of the row
constexpr double kShareGain = 0.999;    // of the error of the step before: a step that gains less is the last
constexpr double kShareDamping = 1e-9;  // of the trace: suppresses motions that no joint can make
constexpr double kShortestStep = 0.1;   // of a step
constexpr double kStands = 0.03;        // lengths of the leg: a foot no higher above the ground stands on it
constexpr double kPlanted = 1e-6;       // the same: tolerance of a foot's height
constexpr int kPlantRounds = 4;         // of bending knees, then letting the root sink
constexpr double kStraightLeg = 0.02;   // sine of the bend of a knee without a plane of bending
constexpr int kFollowerRounds = 20;     // until a row and its followers agree
constexpr double kFollowed = 1e-12;     // radians

constexpr std::array<BodyPart, 4> kFourFingers = {BodyPart::MiddleFinger, BodyPart::IndexFinger, BodyPart::RingFinger,
                                                  BodyPart::LittleFinger};

using LinkTurns = std::vector<Eigen::Quaterniond>;

const LinkTurns* findTurns(const RolePose& pose, BodyPlace place) {
  const auto found = pose.turns.find(place);
  return found == pose.turns.end() ? nullptr : &found->second;
}

// ---- What this figure's parts are to take ---------------------------------------------------------------------------

/// The turns of a part, distributed over `count` links. A single link for a whole finger takes the turn of its middle.
LinkTurns sharedOut(const Eigen::Quaterniond& from, const LinkTurns& turns, std::size_t count, bool isDigit) {
  LinkTurns out;
  for (std::size_t i = 0; i < count; ++i) {
    const bool isWhole = isDigit && count == 1 && turns.size() > 1;
    out.push_back(turnAlong(from, turns, isWhole ? 0.5 : static_cast<double>(i + 1) / static_cast<double>(count)));
  }
  return out;
}

/// The turn at the base of a part: the trunk begins at the hips, the neck at the trunk.
Eigen::Quaterniond turnBelow(const RolePose& pose, BodyPart part) {
  const LinkTurns* hips = findTurns(pose, {BodyPart::Hips, BodySide::Middle});
  const LinkTurns* trunk = findTurns(pose, {BodyPart::Spine, BodySide::Middle});
  if (part == BodyPart::Neck && trunk) return trunk->back();
  const bool isMiddle = part == BodyPart::Spine || part == BodyPart::Neck;
  return isMiddle && hips ? hips->front() : Eigen::Quaterniond::Identity();
}

/// The parts that can replace one, itself first: the block of fingers for a finger, a finger for the block.
std::vector<BodyPlace> standInsFor(BodyPlace place) {
  std::vector<BodyPlace> places = {place};
  if (std::ranges::count(kFourFingers, place.part) > 0) places.push_back({BodyPart::Fingers, place.side});
  if (place.part == BodyPart::Fingers)
    for (const BodyPart finger : kFourFingers) places.push_back({finger, place.side});
  return places;
}

/// The turns of one part of the figure; empty if the pose has none for it.
LinkTurns turnsFor(const RolePose& pose, BodyPlace place, std::size_t count) {
  for (const BodyPlace told : standInsFor(place))
    if (const LinkTurns* turns = findTurns(pose, told))
      return sharedOut(turnBelow(pose, place.part), *turns, count, isDigit(place.part));
  const LinkTurns* head = findTurns(pose, {BodyPart::Head, BodySide::Middle});
  if (place.part != BodyPart::Neck || !head) return {};
  LinkTurns out;  // a neck moves with the head
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(
        turnAlong(turnBelow(pose, place.part), *head, static_cast<double>(i + 1) / static_cast<double>(count + 1)));
  return out;
}

/// True if the figure has the part, or one that can replace it.
bool hasPlace(const PoseParts& parts, BodyPlace place) {
  return std::ranges::any_of(standInsFor(place), [&](BodyPlace told) { return parts.links.contains(told); });
}

// ---- Directions -----------------------------------------------------------------------------------------------------

/// Along the bone in the T-pose, in the body's axes; of a phalanx in the hand's.
Eigen::Vector3d straightBone(BodyPlace place) {
  const double outward = place.side == BodySide::Right ? -1.0 : 1.0;
  switch (place.part) {
    case BodyPart::Clavicle:
    case BodyPart::UpperArm:
    case BodyPart::LowerArm:
    case BodyPart::Hand: return outward * Eigen::Vector3d::UnitX();
    case BodyPart::UpperLeg:
    case BodyPart::LowerLeg: return -Eigen::Vector3d::UnitY();
    case BodyPart::Foot:
    case BodyPart::Toes: return Eigen::Vector3d::UnitZ();
    case BodyPart::Thumb: return kStraightThumb;
    default: return Eigen::Vector3d::UnitY();
  }
}

std::optional<BodyPart> carriedBy(BodyPart part) {
  if (part == BodyPart::UpperArm) return BodyPart::LowerArm;
  if (part == BodyPart::UpperLeg) return BodyPart::LowerLeg;
  return std::nullopt;
}

bool isLongBone(BodyPart part) {
  return isDigit(part) || part == BodyPart::Clavicle || part == BodyPart::UpperArm || part == BodyPart::LowerArm ||
         part == BodyPart::UpperLeg || part == BodyPart::LowerLeg || part == BodyPart::Toes;
}

// ---- The pose -------------------------------------------------------------------------------------------------------

class Retargeter {
 public:
  Retargeter(const IkProblem& problem, const PoseParts& parts, const RolePose& wanted, const Pose& present)
      : problem_(problem), figure_(*problem.figure), rest_(bodyMapOf(figure_).rest()), parts_(parts), wanted_(wanted),
        couplings_(figure_, activeCouplings(problem)) {
    out_.pose = present;
    for (int i = 0; i < figure_.linkCount(); ++i)
      linkOfStep_.resize(linkOfStep_.size() + stepSize(figure_.joint(i).type), i);
  }

  RetargetedPose run() {
    for (const auto& [place, links] : parts_.links) {
      partLinks_.insert(links.begin(), links.end());
      if (isDigit(place.part)) partLinks_.insert(parts_.hands.at(place.side).palm);
      const LinkTurns turns = turnsFor(wanted_, place, links.size());
      for (std::size_t i = 0; i < turns.size(); ++i) targets_[links[i]] = {place, turns[i].toRotationMatrix()};
    }
    if (wanted_.hasBody()) restBetweenParts();
    update();
    turnRoot();
    const std::vector<int> trunk = rowOfParts({BodyPart::Spine, BodyPart::Hips}),
                           neck = rowOfParts({BodyPart::Neck, BodyPart::Head});
    for (const auto& [link, target] : targets_) {
      reach(link, worldOf(link, target));
      for (const std::vector<int>& row : {trunk, neck})
        if (row.size() > 1 && link == row.back()) shareOut(row);
    }
    if (wanted_.hasBody() && root_ >= 0) {
      placeRoot();
      plantFeet();
    }
    report();
    return std::move(out_);
  }

 private:
  struct Target {
    BodyPlace place;
    Eigen::Matrix3d turn;
  };

  /// After any change of the pose.
  void update() {
    couplings_.apply(out_.pose);
    computeTransforms(figure_, out_.pose, now_);
    computedCount_ = figure_.linkCount();
  }

  /// After a change of this joint alone. Links from the first moved one on are computed when they are asked for,
  /// because the next joints mostly ask for a few links above them.
  void updateFrom(int joint) {
    computedCount_ = std::min(computedCount_, joint);
    if (couplings_.isEmpty()) return;
    before_ = out_.pose.coordinates;
    couplings_.apply(out_.pose);
    for (const Couplings::Follower& follower : couplings_.followers()) {
      const Eigen::Index at = follower.poseIndex, size = follower.isScalar ? 1 : 4;
      if (before_.segment(at, size) != out_.pose.coordinates.segment(at, size))
        computedCount_ = std::min(computedCount_, linkOfStep_[follower.coordinate]);
    }
  }

  /// The transforms, with those of links up to this one as in the pose.
  const Kinematics& upTo(int link) const {
    for (; computedCount_ <= link; ++computedCount_) {
      const int i = computedCount_, parent = figure_.link(i).parent;
      const Transform parentFromLink = figure_.joint(i).parentFromJoint * jointMotion(figure_, out_.pose, i);
      now_.parentFromLink[i] = parentFromLink;
      now_.worldFromLink[i] = parent < 0 ? parentFromLink : now_.worldFromLink[parent] * parentFromLink;
      if (i == 0) now_.origin = now_.worldFromLink[0].translation;
    }
    return now_;
  }
  const Kinematics& whole() const { return upTo(figure_.linkCount() - 1); }
  const Transform& worldFromLink(int link) const { return upTo(link).worldFromLink[link]; }
  Eigen::Matrix3d rotationAbove(int link) const {
    const int parent = figure_.link(link).parent;
    return parent < 0 ? Eigen::Matrix3d::Identity() : worldFromLink(parent).rotation;
  }

  bool isLocked(int link) const {
    const JointSettings& settings = problem_.joints[link];
    return settings.locked || settings.rigidity >= 1.0;
  }
  bool isFree(int link) const {
    const Joint& joint = figure_.joint(link);
    if (isLocked(link)) return false;
    return (hasRotation(joint) || joint.type == JointType::Revolute) && !couplings_.isFollower(joint.stepIndex);
  }

  /// Joints above and between the parts of the body.
  void restBetweenParts() {
    const Pose rest = restPose(figure_);
    std::set<int> links;
    root_ = freeLinkFor(problem_, parts_.links.at({BodyPart::Hips, BodySide::Middle}).front());
    for (const auto& [place, row] : parts_.links)
      if (!isDigit(place.part))
        for (const int part : row)
          for (int link = part; link >= 0 && links.insert(link).second;) link = figure_.link(link).parent;
    for (const int link : links) {
      if (isLocked(link) && link != root_) continue;
      const Joint& joint = figure_.joint(link);
      out_.pose.coordinates.segment(joint.poseIndex, poseSize(joint.type)) =
          rest.coordinates.segment(joint.poseIndex, poseSize(joint.type));
    }
  }

  /// The rotation of a link that its part's turn requires, in the world.
  Eigen::Matrix3d worldOf(int link, const Target& target) const {
    const Eigen::Matrix3d& frame = parts_.linkFromStraight[link];
    if (!isDigit(target.place.part)) return parts_.worldFromBody * target.turn * frame.transpose();
    const HandParts& hand = parts_.hands.at(target.place.side);
    return worldFromLink(hand.palm).rotation * hand.palmFromHand * target.turn * frame.transpose();
  }

  /// Turns the free joint so that the first part below it has the wanted rotation.
  void turnRoot() {
    if (root_ < 0 || !wanted_.hasBody()) return;
    for (const auto& [link, target] : targets_) {
      if (isDigit(target.place.part) || !figure_.isAncestorOrSelf(root_, link)) continue;
      const Eigen::Matrix3d turn = worldOf(link, target) * worldFromLink(link).rotation.transpose();
      setRotation(root_, turn * worldFromLink(root_).rotation);
      turnedByRoot_ = link;
      return;
    }
  }

  void setRotation(int link, const Eigen::Matrix3d& world) {
    const Eigen::Matrix3d joint = rotationAbove(link) * figure_.joint(link).parentFromJoint.rotation;
    const Eigen::Quaterniond rotation(joint.transpose() * world);
    setJointRotation(figure_, link, withinLimits(link, rotation.normalized()), out_.pose);
    updateFrom(link);
  }

  /// The rotation inside the limits of a ball joint and of the ball joints that follow it.
  Eigen::Quaterniond withinLimits(int link, Eigen::Quaterniond rotation) const {
    const Joint& joint = figure_.joint(link);
    if (joint.type != JointType::Ball) return rotation;
    const auto clampFor = [&](int ball) {
      const BallLimits& limits = problem_.joints[ball].ballLimits;
      if (limits.isBounded()) rotation = BallRange(limits).clamp(rotation);
    };
    clampFor(link);
    for (const Couplings::Term& term : couplings_.terms()) {
      const int follower = linkOfStep_[term.follower];
      const Joint& following = figure_.joint(follower);
      const bool turnsAlike = following.type == JointType::Ball && term.follower == following.stepIndex;
      if (turnsAlike && term.driver == joint.stepIndex) clampFor(follower);
    }
    return rotation;
  }

  void reach(int link, const Eigen::Matrix3d& world) {
    const bool isRotation = hasRotation(figure_.joint(link));
    if (link == turnedByRoot_ || (isRotation && !isFree(link))) return;
    const int rounds = movesItself(link) ? kFollowerRounds : 1;
    for (int round = 0; round < rounds; ++round) {
      const Eigen::VectorXd before = out_.pose.coordinates;
      if (isRotation) setRotation(link, world);
      else reachByHinges(link, world);
      if ((out_.pose.coordinates - before).cwiseAbs().maxCoeff() < kFollowed) return;
    }
  }

  /// True if a joint at or above the link follows another one there.
  bool movesItself(int link) const {
    const auto isAbove = [&](int coordinate) { return figure_.isAncestorOrSelf(linkOfStep_[coordinate], link); };
    return std::ranges::any_of(couplings_.terms(), [&](const Couplings::Term& term) {
      return isAbove(term.follower) && isAbove(term.driver);
    });
  }

  /// The row of joints without a rotation of three axes that ends in the link, outward.
  std::vector<int> hingesAbove(int link) const {
    std::vector<int> row;
    for (int i = link; i >= 0 && !hasRotation(figure_.joint(i)); i = figure_.link(i).parent) {
      if (i != link && partLinks_.contains(i)) break;
      row.push_back(i);
    }
    std::ranges::reverse(row);
    return row;
  }

  void reachByHinges(int link, const Eigen::Matrix3d& world) {
    const std::vector<int> links = hingesAbove(link);
    HingeRow row;
    std::vector<int> free;
    for (const int i : links) {
      const Joint& joint = figure_.joint(i);
      row.after *= joint.parentFromJoint.rotation;
      if (joint.type != JointType::Revolute) continue;
      const double angle = out_.pose.coordinates[joint.poseIndex];
      if (!isFree(i)) {
        row.after *= Eigen::AngleAxisd(angle, joint.axis).toRotationMatrix();
        continue;
      }
      row.hinges.push_back({row.after, joint.axis, problem_.joints[i].limits, figure_.restPose()[joint.poseIndex]});
      row.after = Eigen::Matrix3d::Identity();
      free.push_back(i);
    }
    if (free.empty()) return;
    const Eigen::Matrix3d base = rotationAbove(links.front());
    const std::vector<double> angles = nearestAngles(row, base.transpose() * world, metricOf(link));
    bool isChanged = false;
    for (std::size_t i = 0; i < free.size(); ++i) {
      double& angle = out_.pose.coordinates[figure_.joint(free[i]).poseIndex];
      isChanged |= angle != angles[i];
      angle = angles[i];
    }
    if (isChanged) updateFrom(free.front());
  }

  /// The weights of a link's directions: of a long bone, its own direction and that of the bone it carries count most.
  Eigen::Matrix3d metricOf(int link) const {
    const Target& target = targets_.at(link);
    if (!isLongBone(target.place.part)) return Eigen::Matrix3d::Identity();
    const Eigen::Matrix3d& frame = parts_.linkFromStraight[link];
    const Eigen::Vector3d bone = frame * straightBone(target.place);
    Eigen::Matrix3d metric = kTwist * Eigen::Matrix3d::Identity() + bone * bone.transpose();
    if (const auto next = carriedBy(target.place.part)) {
      const BodyPlace place{*next, target.place.side};
      if (const LinkTurns* turns = findTurns(wanted_, place)) {
        const Eigen::Vector3d carried = frame * (target.turn.transpose() * (turns->front() * straightBone(place)));
        metric += kCarried * carried * carried.transpose();
      }
    }
    return metric;
  }

  // ---- Parts of several links ----

  /// The links of these parts that form one chain, outward.
  std::vector<int> rowOfParts(std::initializer_list<BodyPart> parts) const {
    std::vector<int> row;
    for (const auto& [link, target] : targets_)
      if (std::ranges::find(parts, target.place.part) != parts.end() && link != turnedByRoot_ &&
          (row.empty() || figure_.isAncestorOrSelf(row.back(), link)))
        row.push_back(link);
    return row;
  }

  Eigen::Vector3d errorOf(int link) const {
    const Eigen::Matrix3d wanted = worldOf(link, targets_.at(link));
    return logarithm(Eigen::Quaterniond(wanted * worldFromLink(link).rotation.transpose()));
  }

  /// Turns the row's end to its wanted rotation by small changes of all its joints and their followers: Gauss-Newton
  /// steps of least norm within the limits.
  void shareOut(const std::vector<int>& row) {
    const std::vector<int> coordinates = freeCoordinates(row);
    double error = errorOf(row.back()).norm();
    for (int step = 0; step < kShareSteps && error > kShared && !coordinates.empty(); ++step) {
      const Pose before = out_.pose;
      const Eigen::VectorXd by = stepToward(row, coordinates);
      double reached = error;
      for (double part = 1.0; part > kShortestStep && reached > kShareGain * error; part *= 0.5) {
        integrate(figure_, before, part * by, out_.pose);
        clamp(row);
        reached = errorOf(row.back()).norm();
      }
      if (reached >= error) {
        out_.pose = before;
        update();
        break;
      }
      const bool isLast = reached > kShareGain * error;
      error = reached;
      if (isLast) break;
    }
    // Links that hang on the row, and were turned before it moved, are turned again.
    for (const auto& [link, target] : targets_) {
      if (link > row.back()) break;
      if (std::ranges::find(row, link) == row.end() && figure_.isAncestorOrSelf(row.front(), link))
        reach(link, worldOf(link, target));
    }
  }

  /// The joints that turn the links of a row, outward.
  std::vector<int> jointsOf(const std::vector<int>& row) const {
    std::vector<int> joints;
    for (const int link : row) {
      if (hasRotation(figure_.joint(link))) joints.push_back(link);
      else
        for (const int hinge : hingesAbove(link)) joints.push_back(hinge);
    }
    return joints;
  }

  std::vector<int> freeCoordinates(const std::vector<int>& row) const {
    std::vector<int> coordinates;
    for (const int link : jointsOf(row)) {
      const Joint& joint = figure_.joint(link);
      if (!isFree(link)) continue;
      const int size = stepSize(joint.type), first = joint.type == JointType::Free ? 3 : 0;
      for (int k = first; k < size; ++k) coordinates.push_back(joint.stepIndex + k);
    }
    return coordinates;
  }

  /// The step of least norm that turns the row's end as wanted, without coordinates that it would push past a limit.
  Eigen::VectorXd stepToward(const std::vector<int>& row, std::vector<int> coordinates) {
    const Eigen::Vector3d missing = errorOf(row.back());
    whole();
    computeTwists(figure_, now_);
    couplings_.differentiate(out_.pose, slopes_, bends_, crossBends_);
    Eigen::VectorXd step = Eigen::VectorXd::Zero(figure_.stepSize());
    for (bool isAllowed = false; !isAllowed && !coordinates.empty();) {
      Eigen::Matrix3Xd turns(3, std::ssize(coordinates));
      for (std::size_t k = 0; k < coordinates.size(); ++k)
        turns.col(static_cast<Eigen::Index>(k)) = turnBy(coordinates[k]);
      Eigen::Matrix3d square = turns * turns.transpose();
      square.diagonal().array() += kShareDamping * std::max(square.trace(), 1e-12);
      const Eigen::VectorXd by = turns.transpose() * square.ldlt().solve(missing);
      step.setZero();
      for (std::size_t k = 0; k < coordinates.size(); ++k) step[coordinates[k]] = by[static_cast<Eigen::Index>(k)];
      isAllowed = std::erase_if(coordinates, [&](int c) { return isStoppedBy(c, step[c]); }) == 0;
      if (!isAllowed) step.setZero();
    }
    return step;
  }

  /// The rotation of the row's end per radian of a coordinate, followers included; world.
  Eigen::Vector3d turnBy(int coordinate) const {
    Eigen::Vector3d turn = now_.twists.col(coordinate).head<3>();
    for (std::size_t i = 0; i < couplings_.terms().size(); ++i)
      if (const Couplings::Term& term = couplings_.terms()[i]; term.driver == coordinate)
        turn += slopes_[i] * now_.twists.col(term.follower).head<3>();
    return turn;
  }

  bool isStoppedBy(int coordinate, double by) const {
    const int link = linkOfStep_[coordinate];
    const Joint& joint = figure_.joint(link);
    if (joint.type != JointType::Revolute) return false;
    const Interval& limits = problem_.joints[link].limits;
    const double angle = out_.pose.coordinates[joint.poseIndex];
    return (by > 0.0 && angle >= limits.upper) || (by < 0.0 && angle <= limits.lower);
  }

  void clamp(const std::vector<int>& row) {
    for (const int link : jointsOf(row)) {
      const Joint& joint = figure_.joint(link);
      const Interval& limits = problem_.joints[link].limits;
      if (!isFree(link)) continue;
      if (joint.type == JointType::Ball)
        setJointRotation(figure_, link, withinLimits(link, jointRotation(figure_, out_.pose, link)), out_.pose);
      if (joint.type != JointType::Revolute) continue;
      double& angle = out_.pose.coordinates[joint.poseIndex];
      angle = std::clamp(angle, limits.lower, limits.upper);
    }
    update();
  }

  // ---- Place and report ----

  void placeRoot() {
    const int hips = parts_.links.at({BodyPart::Hips, BodySide::Middle}).front();
    const Eigen::Vector3d shift(wanted_.shift.x(), 0.0, wanted_.shift.y());
    Eigen::Vector3d by = rest_.worldFromLink[hips].translation + parts_.legLength * (parts_.worldFromBody * shift) -
                         worldFromLink(hips).translation;
    by.y() = groundOf(figure_, parts_) + parts_.legLength * wanted_.clearance - lowestPoint(figure_, parts_, whole());
    moveRootBy(by);
  }

  void moveRootBy(const Eigen::Vector3d& by) {
    out_.pose.coordinates.segment<3>(figure_.joint(root_).poseIndex) +=
        worldFromJoint(figure_, whole(), root_).rotation.transpose() * by;
    updateFrom(root_);
  }

  /// Puts each standing foot as high above the ground as it is in the pose.
  void plantFeet() {
    for (int round = 0; round < kPlantRounds; ++round) {
      double missing = 0.0;  // the length by which stretched legs are too short
      for (const auto& [side, clearance] : wanted_.feet) {
        if (clearance > kStands || !lowestOfFoot(figure_, parts_, whole(), side)) continue;
        const double wanted = *lowestOfFoot(figure_, parts_, rest_, side) - lowestPoint(figure_, parts_, rest_) +
                              groundOf(figure_, parts_) + parts_.legLength * clearance;
        const double by = wanted - *lowestOfFoot(figure_, parts_, whole(), side);
        if (std::abs(by) < kPlanted * parts_.legLength) continue;
        raiseFoot(side, by);
        missing = std::max(missing, *lowestOfFoot(figure_, parts_, whole(), side) - wanted);
      }
      if (missing < kPlanted * parts_.legLength) return;
      moveRootBy(Eigen::Vector3d(0.0, -missing, 0.0));
    }
  }

  Eigen::Vector3d placeOf(int link) const { return worldFromLink(link).translation; }
  int linkOf(BodyPart part, BodySide side) const {
    const auto found = parts_.links.find({part, side});
    return found == parts_.links.end() ? -1 : found->second.front();
  }

  /// Moves the ankle up by `by` metres: bends the knee in the plane in which the leg is bent, as far as the leg
  /// reaches.
  void raiseFoot(BodySide side, double by) {
    const int thigh = linkOf(BodyPart::UpperLeg, side), shank = linkOf(BodyPart::LowerLeg, side),
              foot = linkOf(BodyPart::Foot, side);
    if (!targets_.contains(thigh) || !targets_.contains(shank) || !targets_.contains(foot)) return;
    const Eigen::Vector3d hip = placeOf(thigh), upper = placeOf(shank) - hip, lower = placeOf(foot) - placeOf(shank);
    const Eigen::Vector3d leg = upper + lower, wanted = leg + Eigen::Vector3d(0.0, by, 0.0);
    const double a = upper.norm(), b = lower.norm();
    if (!(a > 0.0) || !(b > 0.0) || !(leg.norm() > 0.0) || !(wanted.norm() > 0.0)) return;
    Eigen::Vector3d axis = upper.cross(lower);
    if (axis.norm() < kStraightLeg * a * b) axis = parts_.worldFromBody.col(0);  // of a straight knee
    axis -= axis.dot(upper) / (a * a) * upper;
    if (!(axis.norm() > 0.0)) return;
    axis.normalize();
    const double span = std::clamp(wanted.norm(), std::abs(a - b), a + b);
    const double bend = std::acos(std::clamp((span * span - a * a - b * b) / (2.0 * a * b), -1.0, 1.0));
    const double bent = std::atan2(upper.cross(lower).dot(axis), upper.dot(lower));
    const Eigen::Matrix3d knee = Eigen::AngleAxisd(bend - bent, axis).toRotationMatrix();
    const Eigen::Matrix3d turn = shortestTurn(upper + knee * lower, wanted).toRotationMatrix();
    const Eigen::Matrix3d shankTurned = turn * knee * worldFromLink(shank).rotation;
    askFor(thigh, turn * worldFromLink(thigh).rotation);
    askFor(shank, shankTurned);
    for (const BodyPart part : {BodyPart::Foot, BodyPart::Toes})
      if (const int link = linkOf(part, side); targets_.contains(link)) reach(link, worldOf(link, targets_.at(link)));
  }

  void askFor(int link, const Eigen::Matrix3d& world) {
    Target& target = targets_.at(link);
    target.turn = parts_.worldFromBody.transpose() * world * parts_.linkFromStraight[link];
    reach(link, world);
  }

  /// The angle between the bone's direction and the wanted one; for parts that are not long bones, the remaining turn.
  double offOf(int link, const Target& target) const {
    if (!isLongBone(target.place.part)) return errorOf(link).norm();
    const Eigen::Vector3d bone = parts_.linkFromStraight[link] * straightBone(target.place);
    return angleBetween(worldFromLink(link).rotation * bone, worldOf(link, target) * bone);
  }

  bool canTurn(int link) const {
    if (link == turnedByRoot_) return true;
    if (hasRotation(figure_.joint(link))) return !isLocked(link);
    return std::ranges::any_of(hingesAbove(link), [&](int i) { return isFree(i); });
  }

  void report() {
    std::set<BodyPlace> rigid;
    for (const auto& [place, links] : parts_.links) {  // a part is judged by its outermost link
      const auto target = targets_.find(*std::ranges::max_element(links));
      if (target == targets_.end() || offOf(target->first, target->second) <= kStopped) continue;
      if (std::ranges::any_of(links, [&](int link) { return canTurn(link); })) out_.stopped.push_back(place);
      else rigid.insert(place);
    }
    for (const auto& [place, turns] : wanted_.turns) {
      out_.told.push_back(place);
      if (!hasPlace(parts_, place) || rigid.contains(place)) out_.leftOut.push_back(place);
    }
  }

  const IkProblem& problem_;
  const Figure& figure_;
  const Kinematics& rest_;
  const PoseParts& parts_;
  const RolePose& wanted_;
  Couplings couplings_;
  std::vector<int> linkOfStep_;    ///< by step coordinate
  std::set<int> partLinks_;        ///< links that belong to a part, whether the pose has it or not
  std::map<int, Target> targets_;  ///< by link
  mutable Kinematics now_;         ///< upTo()
  mutable int computedCount_ = 0;  ///< links whose transforms are those of the pose: from 0 up to this one
  Eigen::VectorXd before_;
  std::vector<double> slopes_, bends_, crossBends_;  ///< of the couplings
  RetargetedPose out_;
  int root_ = -1, turnedByRoot_ = -1;
};

bool isFinitePose(const RolePose& pose) {
  return pose.shift.allFinite() && std::isfinite(pose.clearance) &&
         std::ranges::all_of(pose.turns, [](const auto& entry) {
           return std::ranges::all_of(entry.second, [](const auto& turn) { return turn.coeffs().allFinite(); });
         });
}

std::string faultOf(const PoseParts& parts, const RolePose& pose, const RolePose& wanted) {
  if (!isFinitePose(pose)) return "the pose holds a number that is not finite";
  if (pose.isEmpty()) return "the pose contains no part of a body or a hand";
  if (parts.isEmpty())
    return "neither a human body nor a hand is recognised in this figure: no names, and no shape, of two arms and two "
           "legs or of fingers on a palm";
  if (!wanted.isEmpty() &&
      std::ranges::any_of(wanted.turns, [&](const auto& entry) { return hasPlace(parts, entry.first); }))
    return {};
  return pose.hasBody() ? "the pose is one of a whole body, and this figure is a hand"
                        : "the pose is one of a hand, and no fingers are recognised on this figure";
}

// ---- Words ----------------------------------------------------------------------------------------------------------

/// The names of parts, with one plural for a part of both sides.
std::vector<std::string> inFewWords(const std::vector<BodyPlace>& places) {
  std::vector<std::string> words;
  const auto has = [&](BodyPlace place) { return std::ranges::count(places, place) > 0; };
  const auto plural = [](BodyPart part) {
    const std::string name = poseName({part, BodySide::Middle});
    return part == BodyPart::Foot ? std::string("feet") : name.ends_with("s") ? name : name + "s";
  };
  for (const BodyPlace& place : places) {
    const BodyPlace left{place.part, BodySide::Left}, right{place.part, BodySide::Right};
    if (place.side == BodySide::Middle || !(has(left) && has(right))) words.push_back(poseName(place));
    else if (place == left) words.push_back(plural(place.part));
  }
  return words;
}

}  // namespace

RolePose wantedOf(const PoseParts& parts, const RolePose& pose, HandChoice choice) {
  const auto isTaken = [&](BodySide side) {
    return parts.hands.contains(side) && (!parts.hasBody || choice == HandChoice::Both ||
                                          side == (choice == HandChoice::Left ? BodySide::Left : BodySide::Right));
  };
  if (parts.hasBody && pose.hasBody()) return pose;
  const bool isHandOnHand = !parts.hasBody && !pose.hasBody();  // the wrist turns with it
  const auto isToldOf = [&](BodyPart part) { return isDigit(part) || (isHandOnHand && part == BodyPart::Hand); };
  RolePose out;
  for (const BodySide side : {BodySide::Left, BodySide::Right}) {
    if (!isTaken(side)) continue;
    const BodySide from = pose.hasHand(side) ? side : otherSide(side);
    for (const auto& [place, turns] : pose.turns)
      if (isToldOf(place.part) && place.side == from &&
          (isDigit(place.part) || parts.links.contains({place.part, side})))
        out.turns[{place.part, side}] = turns;
  }
  return out;
}

RetargetedPose retargetPose(const IkProblem& problem, const PoseParts& parts, const RolePose& pose, const Pose& present,
                            HandChoice hands) {
  const RolePose wanted = wantedOf(parts, pose, hands);
  if (std::string fault = faultOf(parts, pose, wanted); !fault.empty()) {
    RetargetedPose none;
    none.pose = present;
    none.fault = std::move(fault);
    return none;
  }
  const bool isSound = isValid(*problem.figure, present);
  return Retargeter(problem, parts, wanted, isSound ? present : restPose(*problem.figure)).run();
}

std::string leftOutInWords(const RetargetedPose& retargeted) {
  if (retargeted.leftOut.empty()) return {};
  std::string text = std::to_string(retargeted.leftOut.size()) + " of " + std::to_string(retargeted.told.size()) +
                     (retargeted.told.size() == 1 ? " part" : " parts") + " left out: ";
  const std::vector<std::string> words = inFewWords(retargeted.leftOut);
  for (std::size_t i = 0; i < words.size(); ++i) text += (i > 0 ? ", " : "") + words[i];
  return text;
}

}  // namespace limber

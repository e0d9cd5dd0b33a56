// SPDX-License-Identifier: MIT
#include "limber/scene/accelerations.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "limber/body/body_map.h"
#include "limber/body/limited_joints.h"
#include "limber/kinematics/coupling.h"

namespace limber {

namespace {

constexpr double kUnseen = 1.0, kUnseenTurn = 20.0;  // smallest bounds: legs per s^2, radians per s^2
constexpr double kSpread = 0.25;                     // seconds before and after an excess that may change with it
constexpr int kLeastSpread = 6;                      // frames
constexpr int kMostSweeps = 200;
constexpr double kAllowed = 1.0 + 1e-3;  // of the bound
constexpr double kStepOver = 1.1;        // of the part of the way to the mean that the bound requires
constexpr double kMostChange = 0.35;     // radians or metres of a joint from its place in the motion
constexpr double kLeastGain = 1e-6;      // of an excess: a move that gains less is none
constexpr double kStepDamping = 1e-4;    // of the trace: suppresses large turns for small moves
constexpr int kLongestWindow = 2000;     // frames whose transforms are held at a time

/// The rotation vector, world, from one rotation to another.
Eigen::Vector3d turnBetween(const Eigen::Matrix3d& from, const Eigen::Matrix3d& to) {
  return logarithm(Eigen::Quaterniond(Eigen::Matrix3d(to * from.transpose())).normalized());
}

/// Three frames of a motion in a row.
struct Triple {
  const Kinematics &before, &now, &after;

  struct OfLink {
    const Transform &before, &now, &after;
  };
  OfLink of(int link) const { return {before.worldFromLink[link], now.worldFromLink[link], after.worldFromLink[link]}; }

  Accelerations differencesOf(int link) const {
    const OfLink at = of(link);
    return secondDifferences(at.before, at.now, at.after);
  }
};

/// A part of the body whose joints move together, from the trunk outward.
struct Limb {
  bool isTrunk = false;
  std::vector<int> links;  ///< of its parts
  LimitedJoints joints;
};

/// A link whose acceleration exceeds the bound.
struct Excess {
  double ratio = 0.0;  ///< to the bound
  int link = -1;
  bool isPlace = true;
};

class Limiter {
 public:
  Limiter(const IkProblem& problem, double frameTime, Accelerations most, CalmedParts which, std::vector<Pose>& poses)
      : problem_(problem), figure_(*problem.figure), parts_(bodyMapOf(figure_).poseParts()), poses_(poses),
        spread_(std::max(kLeastSpread, static_cast<int>(std::ceil(kSpread / frameTime)))), isChanged_(poses.size(), 0) {
    most_ = largestDifferences(most, parts_.legLength, frameTime);
    if (!parts_.hasBody || !(parts_.legLength > 0.0)) return;
    using enum BodyPart;
    if (which == CalmedParts::All) {
      addLimb({Spine, Neck, Head}, BodySide::Middle);
      for (const BodySide side : kSides) addLimb({UpperLeg, LowerLeg, Foot, Toes}, side);
    }
    for (const BodySide side : kSides) addLimb({Clavicle, UpperArm, LowerArm, Hand}, side);
  }

  std::vector<char> run() {
    const std::size_t trunks = !limbs_.empty() && limbs_.front().isTrunk ? 1 : 0;  // it carries the others
    calm({limbs_.data(), trunks});
    calm(std::span(limbs_).subspan(trunks));
    return std::move(isChanged_);
  }

 private:
  static constexpr std::array<BodySide, 2> kSides = {BodySide::Left, BodySide::Right};

  int count() const { return static_cast<int>(poses_.size()); }

  void addLimb(std::initializer_list<BodyPart> parts, BodySide side) {
    Limb limb{.isTrunk = side == BodySide::Middle};
    for (const BodyPart part : parts)
      if (const auto found = parts_.links.find({part, side}); found != parts_.links.end())
        limb.links.insert(limb.links.end(), found->second.begin(), found->second.end());
    if (limb.links.empty()) return;
    const int outermost = *std::ranges::max_element(limb.links);
    std::vector<int> joints;
    for (int link = outermost; link >= 0 && !isTrunk(link, side); link = figure_.link(link).parent)
      if (stepSize(figure_.joint(link).type) > 0) joints.push_back(link);
    std::ranges::reverse(joints);
    limb.joints = LimitedJoints(problem_, std::move(joints));
    const auto size = std::ssize(limb.joints.coordinates());
    if (size > 0 && size <= LimitedJoints::kMost) limbs_.push_back(std::move(limb));
  }

  /// True for the links that carry a limb: the hips and what carries them, and for arms and legs the trunk.
  bool isTrunk(int link, BodySide side) const {
    const auto carries = [&](BodyPart part) {
      const auto found = parts_.links.find({part, BodySide::Middle});
      return found != parts_.links.end() && figure_.isAncestorOrSelf(link, found->second.back());
    };
    return carries(BodyPart::Hips) || (side != BodySide::Middle && carries(BodyPart::Spine));
  }

  Excess worstOf(const Limb& limb, const Triple& frames) const {
    Excess worst;
    for (const int link : limb.links) {
      const Accelerations now = frames.differencesOf(link);
      const double place = now.places / most_.places, turn = now.turns / most_.turns;
      if (place > worst.ratio) worst = {place, link, true};
      if (turn > worst.ratio) worst = {turn, link, false};
    }
    return worst;
  }

  /// Calms limbs that do not carry each other.
  void calm(std::span<const Limb> limbs) {
    if (limbs.empty()) return;
    std::vector<std::vector<int>> exceeding(limbs.size());  // frames
    std::array<Kinematics, 3> now;
    for (int frame = 0; frame < count(); ++frame) {
      computeTransforms(figure_, poses_[frame], now[frame % 3]);
      if (frame < 2) continue;
      const Triple triple{now[(frame - 2) % 3], now[(frame - 1) % 3], now[frame % 3]};
      for (std::size_t i = 0; i < limbs.size(); ++i)
        if (worstOf(limbs[i], triple).ratio > kAllowed) exceeding[i].push_back(frame - 1);
    }
    for (std::size_t i = 0; i < limbs.size(); ++i) calmAround(limbs[i], exceeding[i]);
  }

  void calmAround(const Limb& limb, const std::vector<int>& frames) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const int first = std::max(0, frames[i] - spread_);
      int last = frames[i] + spread_;
      for (; i + 1 < frames.size() && frames[i + 1] - spread_ <= last && last - first < kLongestWindow; ++i)
        last = frames[i + 1] + spread_;
      calm(limb, first, std::min(last, count() - 1));
    }
  }

  /// Calms one limb in the frames from `first` to `last`. The outermost two do not change, unless the motion begins or
  /// ends there.
  void calm(const Limb& limb, int first, int last) {
    const std::vector<Pose> motion(poses_.begin() + first, poses_.begin() + last + 1);
    std::vector<Kinematics> now(motion.size());
    for (std::size_t i = 0; i < motion.size(); ++i) computeTransforms(figure_, motion[i], now[i]);
    std::vector<char> isStuck(motion.size(), 0), isOpen(motion.size(), 1);  // open: may exceed the bound
    const int begin = std::max(first + 1, first > 0 ? first + 2 : 0), end = last - (last + 1 < count() ? 2 : 1);
    bool isCalm = false;
    for (int sweep = 0; sweep < kMostSweeps && !isCalm; ++sweep) {
      isCalm = true;
      for (int step = 0; step <= end - begin; ++step) {
        const int frame = sweep % 2 == 0 ? begin + step : end - step;
        const auto at = static_cast<std::size_t>(frame - first);
        if (isStuck[at] || !isOpen[at]) continue;
        const Triple triple{now[at - 1], now[at], now[at + 1]};
        const Excess excess = worstOf(limb, triple);
        isOpen[at] = excess.ratio > kAllowed;
        if (!isOpen[at]) continue;
        const Pose before = poses_[frame];
        const auto reduces = [&](const Pose& moved) {
          if (!isNear(limb, moved, motion[at])) return false;
          computeTransforms(figure_, moved, now[at]);
          return worstOf(limb, triple).ratio < (1.0 - kLeastGain) * excess.ratio;
        };
        poses_[frame] = movedToMean(limb, excess, frame);
        if (!reduces(poses_[frame])) {
          computeTransforms(figure_, before, now[at]);
          poses_[frame] = movedLink(limb, excess, triple, before);
          if (!reduces(poses_[frame])) {
            poses_[frame] = before;
            computeTransforms(figure_, before, now[at]);
            isStuck[at] = 1;
            continue;
          }
        }
        isChanged_[frame] = isOpen[at - 1] = isOpen[at + 1] = 1;
        isCalm = false;
      }
    }
  }

  static double partOf(const Excess& excess) { return std::min(1.0, kStepOver * (1.0 - 1.0 / excess.ratio)); }

  /// The pose of a frame whose joints that move the exceeding link are moved toward the mean of their neighbours in
  /// time.
  Pose movedToMean(const Limb& limb, const Excess& excess, int frame) const {
    const double part = partOf(excess);
    const Pose &before = poses_[frame - 1], &after = poses_[frame + 1];
    Pose pose = poses_[frame];
    for (std::size_t entry = 0; entry < limb.joints.links().size(); ++entry) {
      const int link = limb.joints.links()[entry];
      if (!limb.joints.isFree(link) || !figure_.isAncestorOrSelf(link, excess.link)) continue;
      if (excess.isPlace && link == excess.link) continue;
      const Joint& joint = figure_.joint(link);
      if (joint.type == JointType::Revolute) {
        double& value = pose.coordinates[joint.poseIndex];
        const auto offset = [&](const Pose& other) {
          const double by = other.coordinates[joint.poseIndex] - value;
          return std::isfinite(problem_.joints[link].limits.upper) ? by : wrapAngle(by);
        };
        value += 0.5 * part * (offset(before) + offset(after));
      } else if (joint.type == JointType::Ball) {
        const Eigen::Quaterniond mean =
            jointRotation(figure_, before, link).slerp(0.5, jointRotation(figure_, after, link));
        const Eigen::Quaterniond turned = jointRotation(figure_, pose, link).slerp(part, mean).normalized();
        setJointRotation(figure_, link, limb.joints.rangeOf(entry).clamp(turned), pose);
      }
    }
    couplings_.apply(pose);
    return pose;
  }

  /// The pose whose exceeding link itself is moved toward the mean of its places, or rotations, by the least step of
  /// the joints. For rows of hinges, whose angles may turn fast where the link does not.
  Pose movedLink(const Limb& limb, const Excess& excess, const Triple& frames, const Pose& pose) const {
    const auto [before, now, after] = frames.of(excess.link);
    const Eigen::Vector3d wanted =
        excess.isPlace ? Eigen::Vector3d(0.5 * (before.translation + after.translation) - now.translation)
                       : Eigen::Vector3d(0.5 * (turnBetween(now.rotation, before.rotation) +
                                                turnBetween(now.rotation, after.rotation)));
    const auto& coordinates = limb.joints.coordinates();
    Eigen::Matrix3Xd slopes = Eigen::Matrix3Xd::Zero(3, std::ssize(coordinates));
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const int link = limb.joints.links()[static_cast<std::size_t>(coordinates[k].entry)];
      if (!figure_.isAncestorOrSelf(link, excess.link)) continue;
      const Transform& joint = frames.now.worldFromLink[link];
      const Eigen::Vector3d axis = limb.joints.axisOf(coordinates[k], joint);
      slopes.col(static_cast<Eigen::Index>(k)) =
          excess.isPlace ? Eigen::Vector3d(axis.cross(now.translation - joint.translation)) : axis;
    }
    Eigen::Matrix3d square = slopes * slopes.transpose();
    square.diagonal().array() += std::max(kStepDamping * square.trace(), 1e-12);
    const Eigen::VectorXd step = slopes.transpose() * square.ldlt().solve(partOf(excess) * wanted);
    return limb.joints.moved(pose, step);
  }

  /// True if no joint of the limb is far from where it is in the motion.
  bool isNear(const Limb& limb, const Pose& pose, const Pose& motion) const {
    return std::ranges::all_of(limb.joints.links(), [&](int link) {
      const Joint& joint = figure_.joint(link);
      if (joint.type == JointType::Ball)
        return jointRotation(figure_, pose, link).angularDistance(jointRotation(figure_, motion, link)) <= kMostChange;
      return !isScalar(joint) ||
             std::abs(pose.coordinates[joint.poseIndex] - motion.coordinates[joint.poseIndex]) <= kMostChange;
    });
  }

  const IkProblem& problem_;
  const Figure& figure_;
  const PoseParts& parts_;
  const Couplings couplings_{figure_, activeCouplings(problem_)};
  std::vector<Pose>& poses_;
  std::vector<Limb> limbs_;
  Accelerations most_;  ///< second differences
  int spread_;          ///< frames
  std::vector<char> isChanged_;
};

}  // namespace

Accelerations secondDifferences(const Transform& before, const Transform& now, const Transform& after) {
  return {(before.translation - 2.0 * now.translation + after.translation).norm(),
          (turnBetween(now.rotation, after.rotation) - turnBetween(before.rotation, now.rotation)).norm()};
}

Accelerations largestDifferences(Accelerations most, double legLength, double frameTime) {
  const double square = frameTime * frameTime;
  return {std::max(most.places, kUnseen) * legLength * square, std::max(most.turns, kUnseenTurn) * square};
}

Accelerations largestAccelerations(const Figure& figure, const Frames& frames) {
  const PoseParts& parts = bodyMapOf(figure).poseParts();
  Accelerations largest;
  if (!parts.hasBody || !(parts.legLength > 0.0)) return largest;
  std::array<Kinematics, 3> now;
  for (int frame = 0; frame < frames.count; ++frame) {
    computeTransforms(figure, frames.poseAt(frame), now[frame % 3]);
    if (frame < 2) continue;
    const Triple triple{now[(frame - 2) % 3], now[(frame - 1) % 3], now[frame % 3]};
    for (const auto& [place, links] : parts.links) {
      if (isDigit(place.part)) continue;
      for (const int link : links) {
        const Accelerations by = triple.differencesOf(link);
        largest.places = std::max(largest.places, by.places);
        largest.turns = std::max(largest.turns, by.turns);
      }
    }
  }
  const double square = frames.time * frames.time;
  return {largest.places / (square * parts.legLength), largest.turns / square};
}

std::vector<char> limitAccelerations(const IkProblem& problem, double frameTime, Accelerations most, CalmedParts which,
                                     std::vector<Pose>& poses) {
  return Limiter(problem, frameTime, most, which, poses).run();
}

}  // namespace limber

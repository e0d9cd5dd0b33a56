// SPDX-License-Identifier: MIT
#include "limber/posing/limb_start.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/body/limb.h"
#include "limber/kinematics/shortest_turn.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "limber/solvers/convex/rigid_fit.h"

namespace limber {

namespace {

constexpr int kRounds = 4;             // of folding, turning and orienting, each of which disturbs the others slightly
constexpr double kPlacedStart = 1e-5;  // mean link lengths: error that needs no further round
constexpr double kBentEnough = 0.02;   // radians: a limb bent by less is straight, and bends to its preferred side
constexpr double kBentAtStart = 0.35;  // radians: a ball joint bent by more folds in its present plane
constexpr double kLeastAcross = 0.1;  // of an axis across the upper bone: an axis along the bone does not fold the limb
constexpr double kAtFold = 0.1;       // of the lower bone: a dragged point nearer to the fold does not fold the limb
constexpr int kHeelRounds = 8;        // of placing a leg whose heel rises
constexpr double kHeelPlaced = 1e-3;  // radians
constexpr double kMeetAhead = 0.6;    // of a limb's length: so far before the body two hands meet
constexpr double kLikeHinge = std::numbers::pi / 6.0;  // radians: a ball joint whose axis swings by less is a hinge

class LimbPlacer {
 public:
  LimbPlacer(const IkProblem& problem, const Objective& objective, const Kinematics& reference, Pose& pose)
      : problem_(problem), figure_(*problem.figure), objective_(objective), reference_(reference), pose_(pose) {
    computeTransforms(figure_, pose_, now_);
  }

  void place(const TwoBones& bones, const GoalItem& goal) {
    bones_ = &bones;
    goal_ = &goal;
    findChain();
    const auto isAbove = [&](const std::vector<int>& joints) {
      return !joints.empty() && figure_.isAncestorOrSelf(joints.front(), goal.link);
    };
    const bool isAtEnd = isAbove(bones.endJoints), isBelowFold = isAbove(bones.foldJoints);
    const double fromFold = (pointNow() - foldNow()).norm();
    const bool folds = isAtEnd || (isBelowFold && fromFold > kAtFold * bones.lowerLength);
    for (int round = 0; round < kRounds; ++round) {
      if (isAtEnd) orient(bones.endJoints);
      const Eigen::Vector3d carried = isAtEnd ? Eigen::Vector3d(pointNow() - endNow()) : Eigen::Vector3d::Zero();
      const Eigen::Vector3d target = goal.target - carried;
      if (folds) fold(isAtEnd ? bones.lower() : goal.link, isAtEnd ? bones.end : goal.pointInLink, target);
      for (auto joint = bones.rootJoints.rbegin(); joint != bones.rootJoints.rend(); ++joint)
        aim(*joint, isAtEnd ? endNow() : pointNow(), target);
      if (!folds) orient(bones.foldJoints);
      orient(bones.endJoints);
      objective_.feasibleSet().project(pose_);
      computeTransforms(figure_, pose_, now_);  // a follower above the limb, such as a clavicle, moves the whole limb
      if ((pointNow() - goal.target).norm() < kPlacedStart * figure_.meanLinkLength()) break;
    }
  }

  /// Places a leg on its foot. The heel rises as far as the ankle is beyond its limit.
  void stand(const StandingLeg& leg) {
    const Transform& foot = reference_.worldFromLink[leg.foot];
    const Eigen::Vector3d pivot = leg.ball ? Eigen::Vector3d(foot * leg.ball->place) : foot.translation;
    const Eigen::Vector3d axis = leg.ball ? Eigen::Vector3d(foot.rotation * leg.ball->axis) : Eigen::Vector3d::UnitX();
    GoalItem goal{.type = GoalType::PositionOrientation, .link = leg.foot};
    double pitch = 0.0;
    for (int round = 0; round < (leg.ball ? kHeelRounds : 1); ++round) {
      const Eigen::Matrix3d turn = Eigen::AngleAxisd(pitch, axis).toRotationMatrix();
      goal.target = pivot + turn * (foot.translation - pivot);
      goal.targetFrame = turn * foot.rotation;
      place(leg.bones, goal);
      const Eigen::Matrix3d off = now_.worldFromLink[leg.foot].rotation * goal.targetFrame.transpose();
      const double left = std::atan2(0.5 * axis.dot(axial(off)), 0.5 * (off.trace() - axis.dot(off * axis)));
      if (std::abs(left) < kHeelPlaced) break;
      pitch = std::max(0.0, pitch + left);
    }
  }

 private:
  /// sin(angle) times twice the axis of a rotation.
  static Eigen::Vector3d axial(const Eigen::Matrix3d& r) {
    return {r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
  }

  /// The links between the limb's base and its end or the dragged link, each after its parent.
  void findChain() {
    chain_.clear();
    const int base = bones_->rootJoints.front();
    const int end = bones_->endJoints.empty() ? bones_->lower() : bones_->endJoints.back();
    for (const int from : {end, goal_->link})
      for (int i = from; i >= 0 && figure_.isAncestorOrSelf(base, i); i = figure_.link(i).parent) chain_.push_back(i);
    std::ranges::sort(chain_);
    chain_.erase(std::unique(chain_.begin(), chain_.end()), chain_.end());
  }

  void refreshFrom(int link) {
    for (const int i : chain_)
      if (i >= link) now_.worldFromLink[i] = worldFromJoint(figure_, now_, i) * jointMotion(figure_, pose_, i);
  }

  Eigen::Vector3d pointNow() const { return now_.worldFromLink[goal_->link] * goal_->pointInLink; }
  Eigen::Vector3d foldNow() const { return now_.worldFromLink[bones_->upper()] * bones_->fold; }
  Eigen::Vector3d endNow() const { return now_.worldFromLink[bones_->lower()] * bones_->end; }

  bool mayMove(int joint) const { return objective_.activeIndex(figure_.joint(joint).stepIndex) >= 0; }
  bool isHinge(int joint) const { return figure_.joint(joint).type == JointType::Revolute && mayMove(joint); }
  bool isBall(int joint) const { return figure_.joint(joint).type == JointType::Ball && mayMove(joint); }

  Eigen::Vector3d axisOf(int joint) const {
    return worldFromJoint(figure_, now_, joint).rotation * figure_.joint(joint).axis;
  }

  void turnHinge(int joint, double angle) {
    const Interval& limits = problem_.joints[joint].limits;
    double& q = pose_.coordinates[figure_.joint(joint).poseIndex];
    q = std::clamp(q + angle, limits.lower, limits.upper);
    refreshFrom(joint);
  }

  void setBall(int joint, const Eigen::Matrix3d& worldFromLink) {
    const Eigen::Matrix3d rotation = worldFromJoint(figure_, now_, joint).rotation.transpose() * worldFromLink;
    setJointRotation(figure_, joint, Eigen::Quaterniond(rotation).normalized(), pose_);
    refreshFrom(joint);
  }

  /// Turns a joint until a point below it is nearest to the ray from the joint to the target.
  void aim(int joint, const Eigen::Vector3d& point, const Eigen::Vector3d& target) {
    const Transform& at = now_.worldFromLink[joint];
    const Eigen::Vector3d here = point - at.translation, there = target - at.translation;
    const double least = kPlacedStart * figure_.meanLinkLength();
    if (here.norm() < least || there.norm() < least) return;
    if (isHinge(joint)) {
      const Eigen::Vector3d axis = axisOf(joint);
      turnHinge(joint, std::atan2(axis.dot(here.cross(there)), here.dot(there) - axis.dot(here) * axis.dot(there)));
    } else if (isBall(joint)) {
      setBall(joint, shortestTurn(here, there) * at.rotation);
    }
  }

  /// Turns joints until their links are nearest to the rotation that the goal asks for, or that of the reference pose.
  void orient(const std::vector<int>& joints) {
    for (const int joint : joints) {
      const bool isAsked = goal_->type == GoalType::PositionOrientation && joint == goal_->link;
      const Eigen::Matrix3d wanted = isAsked ? Eigen::Matrix3d(goal_->targetFrame * goal_->frameInLink.transpose())
                                             : reference_.worldFromLink[joint].rotation;
      if (isBall(joint)) setBall(joint, wanted);
      if (!isHinge(joint)) continue;
      const Eigen::Matrix3d off = now_.worldFromLink[joint].rotation * wanted.transpose();
      const Eigen::Vector3d axis = axisOf(joint);
      turnHinge(joint, std::atan2((skew(axis) * off).trace(), off.trace() - axis.dot(off * axis)));
    }
  }

  /// Bends the limb until a point below the fold is as far from its root as the target.
  void fold(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& target) {
    HingeBend best;
    int hinge = -1;
    for (const int joint : bones_->foldJoints) {
      if (!isHinge(joint)) continue;
      const auto bend = bendOf(problem_, pose_, now_, joint, link, pointInLink);
      if (!bend || (hinge >= 0 && bend->above * bend->below <= best.above * best.below)) continue;
      best = *bend;
      hinge = joint;
    }
    if (hinge >= 0) {
      const double far = (target - best.root).squaredNorm() - best.along * best.along;
      const bool isBent = best.side == 0 || std::abs(best.angle) > kBentEnough;
      const double side = isBent ? (best.angle < 0.0 ? -1.0 : 1.0) : best.side;
      turnHinge(hinge, side * bendFor(far, best.above, best.below) - best.angle);
      return;
    }
    for (const int joint : bones_->foldJoints)
      if (isBall(joint)) return foldBall(joint, now_.worldFromLink[link] * pointInLink, target);
  }

  /// The angle between both bones, radians, at which root and end have a squared distance.
  static double bendFor(double squared, double above, double below) {
    const double cosine = (squared - above * above - below * below) / (2.0 * above * below);
    return std::acos(std::clamp(cosine, -1.0, 1.0));
  }

  void foldBall(int joint, const Eigen::Vector3d& end, const Eigen::Vector3d& target) {
    const Eigen::Vector3d root = now_.worldFromLink[bones_->upper()].translation, middle = foldNow();
    const Eigen::Vector3d above = middle - root, below = end - middle;
    const Eigen::Vector3d bent = above.cross(below);
    const double bend = std::atan2(bent.norm(), above.dot(below));
    const Eigen::Vector3d known = foldAxisOf(joint);
    if (bend < kBentEnough && known.isZero(0.0)) return;  // the side to which it bends is unknown
    // A straight limb folds about the known axis, a clearly bent one about its own.
    const double share = known.isZero(0.0) ? 1.0 : std::min(bend / kBentAtStart, 1.0);
    const Eigen::Vector3d own = bent.norm() > 0.0 ? Eigen::Vector3d(bent.normalized()) : known;
    Eigen::Vector3d axis = (1.0 - share) * known + share * own;
    axis -= axis.dot(above) / above.squaredNorm() * above;
    if (!(axis.norm() > kLeastAcross)) return;
    const double wanted = bendFor((target - root).squaredNorm(), above.norm(), below.norm());
    setBall(joint, Eigen::AngleAxisd(wanted, axis.normalized()) * Eigen::AngleAxisd(-bend, own) *
                       now_.worldFromLink[joint].rotation);
  }

  /// The axis (unit, world) about which a ball joint is known to fold by a positive angle; zero if unknown.
  Eigen::Vector3d foldAxisOf(int joint) const {
    const BallLimits& limits = problem_.joints[joint].ballLimits;
    const double side = limits.twist.lower + limits.twist.upper < 0.0 ? -1.0 : 1.0;
    if (limits.swing <= kLikeHinge) return side * (now_.worldFromLink[joint].rotation * limits.twistAxis);
    return now_.worldFromLink[bones_->lower()].rotation * bones_->foldAxis;
  }

  const IkProblem& problem_;
  const Figure& figure_;
  const Objective& objective_;
  const Kinematics& reference_;
  Pose& pose_;
  Kinematics now_;
  const TwoBones* bones_ = nullptr;
  const GoalItem* goal_ = nullptr;
  std::vector<int> chain_;
};

/// Translates the whole body until the goal is met. If the standing legs are not attached to the dragged link, as they
/// are to a pelvis, only downward: a chest that keeps its rotation sinks with the body. False if there is no root that
/// moves, or if nothing is to be done.
bool moveBody(const IkProblem& problem, const Objective& objective, const Staying& staying, const GoalItem& goal,
              Pose& pose) {
  const Figure& figure = *problem.figure;
  const int root = figure.findFreeRootAbove(goal.link), trunk = rigidTopOf(figure, goal.link);
  const bool isPelvis = std::ranges::all_of(staying.standingLegs(), [&](const StandingLeg& leg) {
    return figure.isAncestorOrSelf(trunk, leg.bones.rootJoints.front());
  });
  if (root < 0 || !(isPelvis || staying.keepsRotation(goal.link))) return false;
  if (objective.activeIndex(figure.joint(root).stepIndex) < 0) return false;
  const Kinematics now = transformsOf(figure, pose);
  Eigen::Vector3d way = goal.target - now.worldFromLink[goal.link] * goal.pointInLink;
  if (!isPelvis) way = std::min(way.y(), 0.0) * Eigen::Vector3d::UnitY();
  if (way.isZero(0.0)) return false;
  moveRoot(figure, root, now.worldFromLink[root], {Eigen::Matrix3d::Identity(), way}, pose);
  return true;
}

/// The 24 rotations of a cube.
std::vector<Eigen::Matrix3d> rotationsOfCube() {
  std::vector<Eigen::Matrix3d> rotations;
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y)
      for (const double signX : {1.0, -1.0})
        for (const double signY : {1.0, -1.0}) {
          if (x == y) continue;
          Eigen::Matrix3d rotation;
          rotation.col(0) = signX * Eigen::Vector3d::Unit(x);
          rotation.col(1) = signY * Eigen::Vector3d::Unit(y);
          rotation.col(2) = rotation.col(0).cross(rotation.col(1));
          rotations.push_back(rotation);
        }
  return rotations;
}

/// Two limbs and the goal that ties their ends.
struct TiedLimbs {
  const GoalItem& goal;
  const TwoBones &bones, &otherBones;
  const GoalItem* position;  ///< a goal that determines the place of either end; null for none
};

/// The first two limbs that a goal ties to each other and whose ends are far apart.
std::optional<TiedLimbs> findTiedLimbs(const IkProblem& problem, const PosedProblem& posed, const Staying& staying,
                                       const Kinematics& now) {
  for (const PosedGoal& goal : posed.goals) {
    const GoalItem& item = goal.item;
    if (!goal.isLive || item.type != GoalType::Relative) continue;
    if (goalErrorOf(problem, now, item).length < problem.figure->meanLinkLength()) continue;
    const TwoBones *bones = staying.findTwoBones(item.link), *other = staying.findTwoBones(item.otherLink);
    if (!bones || !other || bones->rootJoints == other->rootJoints) continue;
    if (problem.figure->link(bones->rootJoints.front()).parent < 0) continue;
    TiedLimbs tied{item, *bones, *other, nullptr};
    for (const PosedGoal& placed : posed.goals)
      if (placed.isPulled() && infoOf(placed.item.type).isPlace &&
          (placed.item.link == item.link || placed.item.link == item.otherLink))
        tied.position = &placed.item;
    return tied;
  }
  return std::nullopt;
}

/// Where both ends meet: the target of `goal` when the frame there has a rotation. Without a goal for either end,
/// halfway between the roots of both limbs, and three fifths of a limb ahead of them.
Eigen::Vector3d meetingPlace(const Kinematics& now, const TiedLimbs& tied, const Eigen::Matrix3d& rotation,
                             const Eigen::Vector3d& ahead) {
  const GoalItem& goal = tied.goal;
  const Eigen::Matrix3d link = rotation * goal.frameInLink.transpose(),
                        other = rotation * goal.frameInOther.transpose();
  if (tied.position) {
    const bool isOther = tied.position->link == goal.otherLink;
    const Eigen::Vector3d way = isOther ? Eigen::Vector3d(other * (goal.pointInOther - tied.position->pointInLink))
                                        : Eigen::Vector3d(link * (goal.pointInLink - tied.position->pointInLink));
    return tied.position->target + way;
  }
  const auto rootOf = [&](const TwoBones& bones) { return now.worldFromLink[bones.upper()].translation; };
  const Eigen::Vector3d between = 0.5 * (rootOf(tied.bones) + rootOf(tied.otherBones));
  const double length = tied.bones.lowerLength + tied.bones.fold.norm();
  return between + kMeetAhead * length * ahead + 0.5 * (link * goal.pointInLink + other * goal.pointInOther);
}

}  // namespace

bool placeLimbs(const IkProblem& problem, const PosedProblem& posed, const Staying& staying, Pose& pose) {
  std::optional<LimbPlacer> placer;
  for (const PosedGoal& goal : posed.goals) {
    if (!goal.isPulled() || !infoOf(goal.item.type).isPlace) continue;
    if (const TwoBones* bones = staying.findTwoBones(goal.item.link)) {
      if (!placer) placer.emplace(problem, *posed.objective, staying.there(), pose);
      placer->place(*bones, goal.item);
    } else if (!staying.standingLegs().empty() && moveBody(problem, *posed.objective, staying, goal.item, pose)) {
      placer.emplace(problem, *posed.objective, staying.there(), pose);
      for (const StandingLeg& leg : staying.standingLegs()) placer->stand(leg);
    }
  }
  return placer.has_value();
}

std::vector<Pose> tiedStarts(const IkProblem& problem, const PosedProblem& posed, const Staying& staying,
                             const Pose& pose) {
  const auto ties = [](const PosedGoal& goal) { return goal.item.type == GoalType::Relative; };
  if (std::ranges::none_of(posed.goals, ties)) return {};
  const Figure& figure = *problem.figure;
  const Kinematics now = transformsOf(figure, pose);
  const auto tied = findTiedLimbs(problem, posed, staying, now);
  if (!tied) return {};
  const GoalItem& item = tied->goal;
  const int trunk = figure.link(tied->bones.rootJoints.front()).parent;
  const Kinematics rest = transformsOf(figure, restPose(figure));
  // The trunk's axes, which are the world's at rest.
  const Eigen::Matrix3d body = now.worldFromLink[trunk].rotation * rest.worldFromLink[trunk].rotation.transpose();
  GoalItem end = item, other = item;
  end.type = other.type = GoalType::PositionOrientation;
  other.link = item.otherLink;
  other.pointInLink = item.pointInOther;
  other.frameInLink = item.frameInOther;
  std::vector<Pose> starts;
  for (const Eigen::Matrix3d& turn : rotationsOfCube()) {
    const Eigen::Matrix3d frame = body * turn * rest.worldFromLink[other.link].rotation * other.frameInLink;
    end.targetFrame = other.targetFrame = frame;
    end.target = other.target = meetingPlace(now, *tied, frame, body.col(2));
    LimbPlacer placer(problem, *posed.objective, staying.there(), starts.emplace_back(pose));
    placer.place(tied->otherBones, other);
    placer.place(tied->bones, end);
  }
  return starts;
}

}  // namespace limber

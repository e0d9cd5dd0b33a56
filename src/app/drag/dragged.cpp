// SPDX-License-Identifier: MIT
#include "app/drag/dragged.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <optional>

#include "app/drag/drag.h"
#include "app/drag/drag_chain.h"
#include "limber/body/body_map.h"
#include "limber/posing/held_feet.h"
#include "limber/posing/loops_along.h"
#include "limber/posing/staying.h"
#include "limber/problem/goal_types.h"
#include "limber/problem/joint_turn.h"

namespace limber::app {

namespace {

constexpr double kAtLimit = 1e-9;  // radians or metres

Transform turnedAbout(const Transform& before, const Rotation& rotation) {
  return {rotation.matrix * before.rotation,
          rotation.centre + rotation.matrix * (before.translation - rotation.centre)};
}

/// True if the joint is at a limit. Always false for joints with several coordinates.
bool isAtLimit(const Document& document, int joint) {
  const Joint& j = document.figure->joint(joint);
  if (stepSize(j.type) != 1) return false;
  const Interval& limits = document.joints[joint].limits;
  const double q = document.pose.coordinates[j.poseIndex];
  return limits.isBounded() && (q <= limits.lower + kAtLimit || q >= limits.upper - kAtLimit);
}

/// A link, target or point that the joints above a link follow.
struct Pulled : Dragged {
  using Dragged::Dragged;
  /// If the link is part of the root body, frees the root and holds the feet; in Natural, posing holds them itself.
  void fillRequest(Drag& drag, const Kinematics& kinematics, const Eigen::Vector3d&) override {
    const Document& document = drag.before;
    drag.request.draggedGoal = goal;
    const bool movesWholeFigure = document.figure->isFreeRoot(rigidTopOf(*document.figure, link));
    if (!movesWholeFigure) return;
    drag.request.freeRoot = true;
    if (document.pins.empty() && !dragsNaturally(document)) drag.request.holds = feetUnder(document, kinematics, link);
  }

  bool changeFollowers(Drag& drag, Document& document, int by) override {
    const int count = static_cast<int>(candidates.size());
    if (count == 0) return false;
    const int present = followers < 0 ? count : followers, wanted = std::clamp(present + by, 1, count);
    followers = wanted == count ? -1 : wanted;
    drag.hasMoved = false;  // the request changes: joints that no longer follow go back
    document.pose = drag.before.pose;
    setChain(drag, document, chosenFollowers());
    return true;
  }
  std::vector<int> chosenFollowers() const override {
    return followers < 0 ? std::vector<int>{} : nearest(candidates, followers);
  }
  void appendWords(const Drag&, const Document&, std::vector<std::string>& words) const override {
    if (followers < 0) return;
    words.push_back(std::to_string(followers) + " of " + std::to_string(candidates.size()) +
                    (candidates.size() == 1 ? " joint follows" : " joints follow"));
  }

  /// Sets the joints that follow; empty restores the default ones.
  virtual void setChain(Drag&, Document&, const std::vector<int>& /*chain*/) const {}

  std::vector<int> candidates;  ///< joints that may follow, from the root on; empty if none or all do
  int followers = -1;           ///< number of candidates that follow; -1: all
};

struct DraggedLink : Pulled {
  using Pulled::Pulled;
  void fillRequest(Drag& drag, const Kinematics& kinematics, const Eigen::Vector3d& grabbed) override {
    const Document& document = drag.before;
    drag.request.drag = DragGoal{link, kinematics.worldFromLink[link].inverse() * grabbed, grabbed, 1.0};
    Pulled::fillRequest(drag, kinematics, grabbed);
    const Pin* pin = findPin(document, link);
    isTrunk_ = !(pin && pin->rotation) && bodyMapOf(*document.figure).trunks()[link] != 0;
    if (isTrunk_) keepOrientation(drag, kinematics);
    candidates = joinedAbove(document, link, drag.request.freeRoot);
  }
  bool shift(Drag& drag, Document&, const Shift& by) const override {
    drag.request.drag->target = by.target;
    return true;
  }
  Eigen::Matrix3d axes(const Document&, const Kinematics& kinematics) const override {
    return kinematics.worldFromLink[link].rotation;
  }
  void setChain(Drag& drag, Document&, const std::vector<int>& chain) const override {
    drag.request.drag->chain = chain;
  }
  bool isTrunk() const override { return isTrunk_; }
  /// In Natural, posing keeps the orientation of a dragged trunk by itself.
  void keepOrientation(Drag& drag, const Kinematics& kinematics) const override {
    drag.request.letsTrunkTurn = false;
    if (!dragsNaturally(drag.before))
      drag.request.holds.push_back(holdRotation(link, kinematics.worldFromLink[link].rotation));
  }
  void appendWords(const Drag& drag, const Document& document, std::vector<std::string>& words) const override {
    if (isTrunk_) words.push_back(keepsOrientation(drag) ? "not turned: O lets it turn" : "turns freely: O keeps it");
    Pulled::appendWords(drag, document, words);
  }

 private:
  bool isTrunk_ = false;
};

struct DraggedGoal : Pulled {
  using Pulled::Pulled;
  void fillRequest(Drag& drag, const Kinematics& kinematics, const Eigen::Vector3d& grabbed) override {
    Pulled::fillRequest(drag, kinematics, grabbed);
    const GoalItem* item = findGoal(drag.before, goal);
    if (!infoOf(item->type).hasEndEffector()) return;  // every joint moves it
    candidates = item->chain.empty() ? joinedAbove(drag.before, link, drag.request.freeRoot) : item->chain;
  }
  bool shift(Drag&, Document& document, const Shift& by) const override {
    if (GoalItem* item = findGoal(document, goal)) item->target = by.target;
    return true;
  }
  bool turn(Drag& drag, Document& document, const Rotation& by) const override {
    if (GoalItem* item = findGoal(document, goal))
      item->targetFrame = by.matrix * findGoal(drag.before, goal)->targetFrame;
    return true;
  }
  Eigen::Matrix3d axes(const Document& document, const Kinematics& kinematics) const override {
    const GoalItem& item = *findGoal(document, goal);
    return hasTargetFrame(item) ? item.targetFrame
                                : Eigen::Matrix3d(kinematics.worldFromLink[item.link].rotation * item.frameInLink);
  }
  void setChain(Drag& drag, Document& document, const std::vector<int>& chain) const override {
    if (GoalItem* item = findGoal(document, goal))
      item->chain = followers < 0 ? findGoal(drag.before, goal)->chain : chain;
  }
  std::string label(const Figure&, bool isTurn) const override { return isTurn ? "turn target" : "drag"; }
};

struct DraggedPathPoint : Pulled {
  DraggedPathPoint(int movedLink, int ofGoal, int number) : Pulled(movedLink, ofGoal), point(number) {}
  bool shift(Drag&, Document& document, const Shift& by) const override {
    movePathPoint(document, goal, point, by.target);
    followPath(document, goal);
    return true;
  }
  int point;
};

struct DraggedPin : Dragged {
  using Dragged::Dragged;
  void fillRequest(Drag& drag, const Kinematics&, const Eigen::Vector3d&) override { drag.request.draggedPin = link; }
  bool shift(Drag& drag, Document& document, const Shift& by) const override {
    if (const auto [pin, before] = pins(drag, document); pin)
      pin->worldFromLink.translation = before->worldFromLink.translation + by.way;
    return true;
  }
  bool turn(Drag& drag, Document& document, const Rotation& by) const override {
    if (const auto [pin, before] = pins(drag, document); pin)
      pin->worldFromLink = turnedAbout(before->worldFromLink, by);
    return true;
  }
  Eigen::Matrix3d axes(const Document& document, const Kinematics&) const override {
    return findPin(document, link)->worldFromLink.rotation;
  }
  bool needsSolve(const Document& document) const override { return asksSomething(document); }
  std::string label(const Figure&, bool isTurn) const override { return isTurn ? "turn pin" : "move pin"; }

 private:
  /// The pin now and at mouse-down; null if it was removed.
  std::pair<Pin*, const Pin*> pins(const Drag& drag, Document& document) const {
    const auto now = std::ranges::find(document.pins, link, &Pin::link);
    const Pin* before = findPin(drag.before, link);
    return {before && now != document.pins.end() ? &*now : nullptr, before};
  }
};

struct DraggedObstacle : Dragged {
  using Dragged::Dragged;
  bool shift(Drag& drag, Document& document, const Shift& by) const override {
    return change(drag, document,
                  [&](const Transform& before, Transform& now) { now.translation = before.translation + by.way; });
  }
  bool turn(Drag& drag, Document& document, const Rotation& by) const override {
    return change(drag, document, [&](const Transform& before, Transform& now) { now = turnedAbout(before, by); });
  }
  Eigen::Matrix3d axes(const Document& document, const Kinematics&) const override {
    return findObstacle(document, obstacle)->worldFromObstacle.rotation;
  }
  bool isInPlane() const override { return false; }
  bool needsSolve(const Document& document) const override { return asksSomething(document); }
  std::string label(const Figure&, bool isTurn) const override { return isTurn ? "turn obstacle" : "move obstacle"; }

 private:
  template <typename Change>
  bool change(const Drag& drag, Document& document, const Change& change) const {
    Obstacle* now = findObstacle(document, obstacle);
    const Obstacle* before = findObstacle(drag.before, obstacle);
    if (now && before) change(before->worldFromObstacle, now->worldFromObstacle);
    return now && before;
  }
};

struct DraggedJoint : Dragged {
  using Dragged::Dragged;
  bool shift(Drag& drag, Document& document, const Shift& by) const override {
    return moveByHand(drag, document, [&](const Kinematics& before) {
      if (document.figure->joint(link).type == JointType::Free)
        shiftFree(document, link, inJointFrame(document, before, link, by.way));
      else turnJoint(document, link, 0, by.along);
      bringLoopsAlong(drag.before.pose, std::span(&link, 1), document);
    });
  }
  bool turn(Drag& drag, Document& document, const Rotation& by) const override {
    return moveByHand(drag, document, [&](const Kinematics& before) {
      if (hasOneAxis(*document.figure)) turnJoint(document, link, 0, by.angle);
      else turnAbout(document, link, inJointFrame(document, before, link, by.axis), by.angle);
      for (const Companion& other : companions_)
        if (isScalar(document.figure->joint(other.joint))) turnJoint(document, other.joint, 0, other.sign * by.angle);
        else turnAbout(document, other.joint, other.axis, by.angle);
      std::vector<int> turned = {link};
      for (const Companion& other : companions_) turned.push_back(other.joint);
      bringLoopsAlong(drag.before.pose, turned, document);
    });
  }
  Eigen::Matrix3d axes(const Document&, const Kinematics& kinematics) const override {
    return kinematics.worldFromLink[link].rotation;
  }
  bool hasOneAxis(const Figure& figure) const override { return stepSize(figure.joint(link).type) == 1; }
  bool setsPose() const override { return true; }
  bool needsSolve(const Document&) const override { return false; }

  int turnTogether(const Document& document, const std::vector<int>& joints,
                   const Eigen::Vector3d& direction) override {
    const Figure& figure = *document.figure;
    Kinematics kinematics;
    computeTransforms(figure, document.pose, kinematics);
    for (std::size_t i = 1; i < joints.size(); ++i) {
      const int joint = joints[i];
      const Joint& j = figure.joint(joint);
      if (joint == link || j.type == JointType::Fixed || j.type == JointType::Prismatic) continue;
      const Eigen::Vector3d axis = worldFromJoint(figure, kinematics, joint).rotation * j.axis;
      companions_.push_back(
          {joint, axis.dot(direction) < 0.0 ? -1.0 : 1.0, inJointFrame(document, kinematics, joint, direction)});
    }
    return static_cast<int>(companions_.size());
  }

  std::string label(const Figure& figure, bool isTurn) const override {
    return (isTurn ? "turn " : "slide ") + figure.joint(link).name;
  }
  void appendWords(const Drag&, const Document& document, std::vector<std::string>& words) const override {
    const bool isInverse = document.mode == Mode::Inverse;
    words.push_back(document.figure->joint(link).name + (isAtLimit(document, link) ? " is at its limit" : "") +
                    (isInverse && !document.goals.empty() ? ", targets follow" : "") +
                    (isInverse && !document.pins.empty() ? ", pins stay" : ""));
  }

 private:
  /// A joint that turns by the same angle: a hinge about its own axis, in the sense nearer to the ring's; any other
  /// joint about the axis of the ring.
  struct Companion {
    int joint = -1;
    double sign = 1.0;
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< in the joint's frame
  };

  static Eigen::Vector3d inJointFrame(const Document& document, const Kinematics& kinematics, int joint,
                                      const Eigen::Vector3d& direction) {
    return worldFromJoint(*document.figure, kinematics, joint).rotation.transpose() * direction;
  }

  /// Changes the pose from that at mouse-down; in inverse mode the targets move along.
  template <typename Change>
  static bool moveByHand(const Drag& drag, Document& document, const Change& change) {
    document.pose = drag.before.pose;
    document.goals = drag.before.goals;
    Kinematics before;
    computeTransforms(*drag.before.figure, drag.before.pose, before);
    change(before);
    if (document.mode == Mode::Inverse) bringTargetsAlong(drag.before, document);
    return true;
  }

  std::vector<Companion> companions_;  ///< joints that turn with `link`
};

/// The link that a goal moves.
int linkOf(const Document& document, int goal) {
  const GoalItem* item = findGoal(document, goal);
  return item ? item->link : -1;
}

}  // namespace

std::unique_ptr<Dragged> makeDragged(const Document& document, Subject subject, int id) {
  switch (subject) {
    case Subject::Link: return std::make_unique<DraggedLink>(id);
    case Subject::Goal: return std::make_unique<DraggedGoal>(linkOf(document, id), id);
    case Subject::Pin: return std::make_unique<DraggedPin>(id);
    case Subject::Joint: return std::make_unique<DraggedJoint>(id);
    case Subject::Obstacle: break;
  }
  return std::make_unique<DraggedObstacle>(-1, -1, id);
}

std::unique_ptr<Dragged> makeDraggedPathPoint(const Document& document, int goal, int point) {
  return std::make_unique<DraggedPathPoint>(linkOf(document, goal), goal, point);
}

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// The items that can be dragged: links, targets, points of paths, pins, obstacles and joints, with the operations in
// which they differ. drag.h has the motions.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber::app {

struct Drag;

/// The slide of an item since mouse-down; world, metres.
struct Shift {
  Eigen::Vector3d way;
  Eigen::Vector3d target;  ///< the place of the grabbed point
  double along = 0.0;      ///< the component of `way` along the line of the slide
};

/// The turn of an item since mouse-down.
struct Rotation {
  Eigen::Vector3d centre, axis;  ///< world; the axis is unit
  double angle = 0.0;            ///< radians
  Eigen::Matrix3d matrix;        ///< of axis and angle
};

/// An item that can be dragged. The defaults are those of an item that can be neither slid nor turned.
struct Dragged {
  explicit Dragged(int ofLink = -1, int ofGoal = -1, int ofObstacle = -1)
      : link(ofLink), goal(ofGoal), obstacle(ofObstacle) {}
  virtual ~Dragged() = default;

  int link;      ///< pulled, pinned or moved by its joint; for a goal, the link that it moves; -1 for none
  int goal;      ///< id of the goal to which it belongs; -1 for none
  int obstacle;  ///< id of the obstacle; -1 for anything else

  /// Fills the drag's request, before the first movement, for a point that was grabbed (world).
  virtual void fillRequest(Drag&, const Kinematics&, const Eigen::Vector3d& /*grabbed*/) {}
  /// Sets it to its state at mouse-down, shifted or turned. Returns false if that is impossible.
  virtual bool shift(Drag&, Document&, const Shift&) const { return false; }
  virtual bool turn(Drag&, Document&, const Rotation&) const { return false; }

  /// Its own axes, as columns in the world.
  virtual Eigen::Matrix3d axes(const Document&, const Kinematics&) const { return Eigen::Matrix3d::Identity(); }
  /// True for joints that slide or turn about a single axis, which no lock can change.
  virtual bool hasOneAxis(const Figure&) const { return false; }
  /// True if it stays in the plane of a planar figure.
  virtual bool isInPlane() const { return true; }
  /// True if the drag sets the pose itself, without a solve.
  virtual bool setsPose() const { return false; }
  /// True if the pose follows by a solve.
  virtual bool needsSolve(const Document& document) const { return document.mode == Mode::Inverse; }

  /// Lets joints turn with the joint whose ring is dragged, about `axis` (world): all but the first, which is the main
  /// joint of the ring's own part. Returns their number.
  virtual int turnTogether(const Document&, const std::vector<int>& /*joints*/, const Eigen::Vector3d& /*axis*/) {
    return 0;
  }

  /// True if a link that carries limbs is pulled. It keeps its orientation until toggleOrientation() (drag.h).
  virtual bool isTrunk() const { return false; }
  virtual void keepOrientation(Drag&, const Kinematics&) const {}
  /// Changes how many joints follow, at least one. Returns false if none can follow.
  virtual bool changeFollowers(Drag&, Document&, int /*by*/) { return false; }
  /// The joints that follow if the user has chosen how many; else empty.
  virtual std::vector<int> chosenFollowers() const { return {}; }

  /// The label of the drag's undo step.
  virtual std::string label(const Figure&, bool /*isTurn*/) const { return "drag"; }
  /// Appends its part of the status line.
  virtual void appendWords(const Drag&, const Document&, std::vector<std::string>& /*words*/) const {}
};

/// The kinds of subjects of a gizmo.
enum class Subject {
  Link,  ///< pulled by inverse kinematics
  Goal,  ///< its target, or its target frame
  Pin,   ///< the place where a link is pinned
  Obstacle,
  Joint,  ///< turned or slid by forward kinematics
};

/// `id` is that of a goal or obstacle, else the index of a link or joint.
std::unique_ptr<Dragged> makeDragged(const Document& document, Subject subject, int id);
/// A point of the path of a goal's target.
std::unique_ptr<Dragged> makeDraggedPathPoint(const Document& document, int goal, int point);

}  // namespace limber::app

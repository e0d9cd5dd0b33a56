// SPDX-License-Identifier: MIT
// Drags that translate (slides) or rotate (turns) an item in three dimensions, freely, locked to an axis, or by a typed
// number. app/drag/drag.h describes the calls of a drag and their results.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/drag/drag.h"
#include "app/settings/units.h"
#include "app/view/gizmo.h"

namespace limber::app {

/// Restricts a drag to one axis, or to the plane normal to it.
struct AxisLock {
  int axis = 0;  ///< column of FreeDrag::axes
  bool isPlane = false;
  bool operator==(const AxisLock&) const = default;
};

/// A slide or a turn in space, with a lock to an axis or plane and a typed number.
struct FreeDrag : Drag {
  FreeDrag(const Document& document, const Press& press, std::unique_ptr<Dragged> what);

  /// True if the dragged item can be locked like this. False for joints with one axis, for turns locked to a plane, and
  /// for locks that would move a planar figure out of its plane.
  bool canLock(const AxisLock& wanted) const;
  /// Sets the lock, which canLock() must allow, or removes it if this lock is set. The next move() follows it.
  void toggleLock(const AxisLock& wanted);

  /// Computes the start of the slide or turn again, from the first ray and the present lock.
  virtual void take() = 0;
  FreeDrag* asFree() override { return this; }
  virtual bool isTurn() const = 0;
  /// Of a slide: the present position of the grabbed point. Of a turn: the centre of the ring. World, metres.
  virtual Eigen::Vector3d centre() const = 0;
  /// Sets the unit of typed lengths, and steps of snapping that suit the figure's size (metres).
  virtual void measureIn(LengthUnit, double /*figureSize*/) {}
  /// The distance or angle so far, "+12.4 cm", or the typed number.
  std::string measureWords(LengthUnit unit) const;
  /// Shows the drag in its gizmo.
  virtual void showIn(render::GizmoMark&) const {}

  Eigen::Vector3d start;                               ///< grabbed point, or a ring's centre; world
  Eigen::Vector3d direction;                           ///< of the line, the plane's normal or the ring's axis, if there
                                                       ///< is no lock; world, unit vector
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< axes of locks, as columns
  std::optional<AxisLock> lock;
  bool hasOwnAxes = false;     ///< `axes` are local, not the world's
  TypedNumber typed;           ///< the exact distance or angle
  bool isUnderCursor = false;  ///< an option: the point goes to the cursor after the camera has moved, instead of
                               ///< staying at its offset from the cursor

 protected:
  bool follow(Document& document, const render::View& view, double x, double y, const Modifiers& held) override;
  virtual bool followRay(Document& document, const render::Ray& ray, const Modifiers& held) = 0;
  /// Restarts the drag after the camera has moved. The item itself does not move.
  virtual void takeAnew() = 0;
  virtual bool allows(const AxisLock& wanted) const = 0;
  /// The distance or angle with its sign and unit.
  virtual std::string measured(LengthUnit unit) const = 0;
  /// The unit after a typed number.
  virtual std::string unitAfter(LengthUnit unit) const = 0;

  bool isPlanar() const { return before.figure->isPlanar() && dragged->isInPlane(); }
  Eigen::Vector3d presentDirection() const { return lock ? Eigen::Vector3d(axes.col(lock->axis)) : direction; }

  render::Ray firstRay_;  ///< at which the slide or turn began
  render::View view_;     ///< when it changes, the slide or turn restarts
};

/// The grabbed point follows the cursor, in a plane or along a line.
struct SlideDrag : FreeDrag {
  /// Slides in the plane through the grabbed point that is parallel to the screen.
  SlideDrag(const Document& document, const Press& press, std::unique_ptr<Dragged> what);

  void slideAlong(const Eigen::Vector3d& axis);
  /// inPlane: one of the two directions of snapping. World, unit vectors.
  void slideIn(const Eigen::Vector3d& normal, const Eigen::Vector3d& inPlane);
  /// Slides in the horizontal plane, unless the view is within 12 degrees of horizontal.
  void slideOnGroundSeenFromAbove();
  /// Keeps points of a planar figure in its plane, unless that is seen edge on.
  void stayInPlane();

  bool pushAway(double wheelSteps) override;
  void take() override;
  bool isTurn() const override { return false; }
  Eigen::Vector3d centre() const override { return target; }
  void measureIn(LengthUnit unit, double figureSize) override;

  Eigen::Vector3d target;                         ///< the position wanted for the grabbed point; world
  Eigen::Vector3d way = Eigen::Vector3d::Zero();  ///< translation so far
  SnapSteps steps;                                ///< of snapping; metres

 protected:
  bool followRay(Document& document, const render::Ray& ray, const Modifiers& held) override;
  void takeAnew() override;
  bool allows(const AxisLock& wanted) const override;
  std::string measured(LengthUnit unit) const override;
  std::string unitAfter(LengthUnit unit) const override { return std::string(" ") + unitSuffix(unit); }

 private:
  Eigen::Vector3d wayAtTake() const;

  double typedUnit_ = 1.0;  ///< metres per typed unit
  bool isLine_ = false;
  Eigen::Vector3d across_;                              ///< a direction of snapping in the plane without lock
  Eigen::Vector3d firstWay_ = Eigen::Vector3d::Zero();  ///< translation at the first ray
  double depth_ = 1.0;  ///< factor of the point's distance from the eye, set by pushAway()
  Slide slide_;
};

/// Turns the item about the axis of a ring of its gizmo.
struct TurnDrag : FreeDrag {
  /// Turns about `axis` through `centre` (world).
  TurnDrag(const Document& document, const Press& press, std::unique_ptr<Dragged> what, const Eigen::Vector3d& centre,
           const Eigen::Vector3d& axis);

  int turnTogether(const std::vector<int>& joints) override { return dragged->turnTogether(before, joints, direction); }
  void take() override;
  bool isTurn() const override { return true; }
  Eigen::Vector3d centre() const override { return start; }
  void showIn(render::GizmoMark& mark) const override;

  double angle = 0.0;  ///< rotation so far, radians
  Turn ring;

 protected:
  bool followRay(Document& document, const render::Ray& ray, const Modifiers& held) override;
  void takeAnew() override;
  bool allows(const AxisLock& wanted) const override { return !wanted.isPlane && !isPlanar(); }
  std::string measured(LengthUnit unit) const override;
  std::string unitAfter(LengthUnit) const override { return "\u00b0"; }

 private:
  Eigen::Vector3d grabbed_;  ///< point on the ring; world
};

}  // namespace limber::app

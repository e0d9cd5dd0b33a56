// SPDX-License-Identifier: MIT
// The geometry of dragging in space: computes translations and angles from rays of the cursor, for the arrows, squares
// and rings of gizmos and for drags without a gizmo.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "render/view.h"

namespace limber::app {

/// A dragged point that moves along a line or in a plane.
///
/// Rays are intersected with a plane through the point; for a line, with the plane that contains it and faces the eye
/// most. Near the horizon of the plane one pixel would be a huge distance: below a third of the first ray's slope the
/// distance from the eye is bounded smoothly by kFarthest times the first one, and beyond the horizon the point stops.
/// A line that points at the eye follows the cursor's vertical motion; a plane seen edge on becomes the line seen.
struct Slide {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();     ///< at the start of the drag, world
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();   ///< of the plane that rays meet; unit
  Eigen::Vector3d along = Eigen::Vector3d::Zero();     ///< direction of the line, unit; zero for a plane
  Eigen::Vector3d across = Eigen::Vector3d::UnitX();   ///< plane: one of its two directions of snapping; unit
  Eigen::Vector3d measured = Eigen::Vector3d::Zero();  ///< line: direction in the plane that counts as along it
  Eigen::Vector3d met = Eigen::Vector3d::Zero();       ///< where the first ray met the plane
  double side = 1.0;                                   ///< 1 if the first ray came from the side of the normal, else -1
  double least = 0.0;                                  ///< lower bound of the sine between ray and plane

  bool isLine() const { return along != Eigen::Vector3d::Zero(); }
};

inline constexpr double kFarthest = 6.0;  ///< longest ray towards a horizon, in lengths of the first ray

/// Begin a slide of `point` with the ray of the cursor. `normal` and `axis` are unit; `across` is a unit vector in the
/// plane, an arbitrary one if it is not given.
Slide takeInPlane(const render::Ray& ray, const Eigen::Vector3d& point, const Eigen::Vector3d& normal,
                  const std::optional<Eigen::Vector3d>& across = {});
Slide takeAlongLine(const render::Ray& ray, const Eigen::Vector3d& point, const Eigen::Vector3d& axis);

/// The translation of the point so far: exactly zero for the first ray, finite, and continuous in the ray.
Eigen::Vector3d slideBy(const Slide& slide, const render::Ray& ray);

/// Rounds a translation to whole steps (metres) along the line or along both directions of the plane; its component
/// normal to the plane stays. A step of 0 leaves it unchanged.
Eigen::Vector3d inSteps(const Slide& slide, const Eigen::Vector3d& way, double step);

/// A translation with another length (metres), signed on a line; in a plane along `way` or, if that is zero, `across`.
Eigen::Vector3d withLength(const Slide& slide, const Eigen::Vector3d& way, double length);

/// A ring that is dragged about its axis.
struct Turn {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< world
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< unit
  Eigen::Vector3d from = Eigen::Vector3d::UnitX();   ///< from the centre to the grabbed point, normal to the axis
  bool isEdgeOn = false;  ///< seen as a line, the ring turns like a wheel by the cursor's way along it
  Slide slide;            ///< in the ring's plane, or edge on in the plane that faces the eye
  Eigen::Vector3d rim = Eigen::Vector3d::Zero();  ///< edge on: way of the cursor per radian
  double angle = 0.0;                             ///< so far, radians; full turns add up
  double last = 0.0;                              ///< angle of the last ray, in (-pi, pi]
};

/// Begins to turn a ring at `grabbed`, a point on or near the ring but not on its axis. `axis` is unit.
Turn takeRing(const render::Ray& ray, const Eigen::Vector3d& centre, const Eigen::Vector3d& axis,
              const Eigen::Vector3d& grabbed);

/// Follows the cursor and returns the angle so far, radians. From ray to ray the ring turns the shorter way.
double turnBy(Turn& turn, const render::Ray& ray);

double inSteps(double value, double step);  ///< the nearest multiple; the value itself for a step of 0

/// Steps of snapping: the power of ten nearest to a twentieth of the figure's size (metres), and a tenth of that.
struct SnapSteps {
  double coarse = 0.1, fine = 0.01;  ///< metres
};
SnapSteps snapStepsOf(double figureSize);
inline constexpr double kCoarseTurn = 15.0, kFineTurn = 1.0;  ///< degrees

/// A number that is typed during a drag.
class TypedNumber {
 public:
  /// Takes a digit, point or comma, or a minus, which changes the sign at any time. False for other characters.
  bool type(char32_t character);
  /// Removes the last character; false if the number is empty.
  bool erase();
  bool isEmpty() const { return text_.empty() && !isNegative_; }
  std::optional<double> value() const;  ///< nothing before the first digit
  std::string text() const { return (isNegative_ ? "-" : "") + text_; }

 private:
  std::string text_;
  bool isNegative_ = false;
};

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// The arithmetic of dragging in space: the cursor's rays in, translations and angles out. Functions of numbers, for
// the gizmos' arrows, squares and rings, and for what is dragged without any.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "render/view.h"

namespace limber::app {

/// A point in hand that goes along a line or in a plane.
///
/// The rays are met in a plane through the point; for a line in the one that holds it and faces the eye the most. Near
/// the horizon of that plane a pixel would be a mile: from a third of the first ray's slope on the way is clamped
/// smoothly, to kFarthest times what it was from the eye, and beyond the horizon the point stays put. A line that
/// points at the eye follows the cursor's way up instead; of a plane seen edge on there is left the line that is seen.
struct Slide {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< where it was taken, world
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< of the plane in which rays are met; unit
  Eigen::Vector3d along = Eigen::Vector3d::Zero();    ///< of a line: unit; zero in a plane
  Eigen::Vector3d across = Eigen::Vector3d::UnitX();  ///< of a plane: one of the two directions that snapping counts in
  Eigen::Vector3d measured = Eigen::Vector3d::Zero(); ///< of a line: the way in the plane that counts for one along it
  Eigen::Vector3d met = Eigen::Vector3d::Zero();      ///< where the first ray met the plane
  double side = 1.0;                                  ///< 1 when the first ray came from where the normal points
  double least = 0.0;                                 ///< sine between ray and plane that counts as parallel

  bool isLine() const { return along != Eigen::Vector3d::Zero(); }
};

inline constexpr double kFarthest = 6.0;  ///< of the first ray's length: the most that a drag reaches at a horizon

/// Takes hold of `point` with the ray of the cursor. `normal`, `axis`: unit. `across`: in the plane, unit; where it is
/// not given, any.
Slide takeInPlane(const render::Ray& ray, const Eigen::Vector3d& point, const Eigen::Vector3d& normal,
                  const std::optional<Eigen::Vector3d>& across = {});
Slide takeAlongLine(const render::Ray& ray, const Eigen::Vector3d& point, const Eigen::Vector3d& axis);

/// How far the point has come: zero, to the bit, for the ray it was taken with. Finite and continuous in the ray.
Eigen::Vector3d slideBy(const Slide& slide, const render::Ray& ray);

/// The same in whole steps, metres: along the line, or along both directions of the plane; what it goes across the
/// plane stays. A step of 0 rounds nothing.
Eigen::Vector3d inSteps(const Slide& slide, const Eigen::Vector3d& way, double step);

/// The same way with another length, metres: along the line signed; in a plane in the direction it has, or `across`.
Eigen::Vector3d withLength(const Slide& slide, const Eigen::Vector3d& way, double length);

/// A ring in hand, turned about its axis.
struct Turn {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< world
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< unit
  Eigen::Vector3d from = Eigen::Vector3d::UnitX();   ///< from the centre to where it was taken; across the axis
  bool isEdgeOn = false;  ///< the ring is seen as a line: it turns as a wheel does under a hand, by the way along it
  Slide slide;            ///< in the ring's plane, or in the one that faces the eye
  Eigen::Vector3d rim = Eigen::Vector3d::Zero();     ///< edge on: the way of the cursor that counts, per radian
  double angle = 0.0;     ///< so far, radians: more than a turn is more than 2 pi
  double last = 0.0;      ///< of the last ray, in (-pi, pi]
};

/// Takes hold of a ring at `grabbed`, which is on it or near it and not on the axis. `axis`: unit.
Turn takeRing(const render::Ray& ray, const Eigen::Vector3d& centre, const Eigen::Vector3d& axis,
              const Eigen::Vector3d& grabbed);

/// Follows the cursor; returns the angle so far. Between two rays it goes the short way round.
double turnBy(Turn& turn, const render::Ray& ray);

double inSteps(double value, double step);  ///< the nearest multiple; the value itself for a step of 0

/// The steps of a figure so large (metres): a power of ten near a twentieth of it, and a tenth of that.
struct SnapSteps {
  double coarse = 0.1, fine = 0.01;  ///< metres
};
SnapSteps snapStepsOf(double figureSize);
inline constexpr double kCoarseTurn = 15.0, kFineTurn = 1.0;  ///< degrees

/// A number that is typed while something is dragged.
class TypedNumber {
 public:
  /// Digits, a point or comma, a minus, which may come at any time. False for another character.
  bool type(char32_t character);
  /// Takes the last character away; false when there was none.
  bool erase();
  bool isEmpty() const { return text_.empty() && !isNegative_; }
  std::optional<double> value() const;  ///< nothing before the first digit
  std::string text() const { return (isNegative_ ? "-" : "") + text_; }

 private:
  std::string text_;
  bool isNegative_ = false;
};

}  // namespace limber::app

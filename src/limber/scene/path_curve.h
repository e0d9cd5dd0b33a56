// SPDX-License-Identifier: MIT
// The curve of a target's path: cubic Bezier pieces, parametrised by arc length.
//
//   Bezier        the pieces as the path has them (de Casteljau)
//   Catmull-Rom   centripetal: between p1 and p2, with p0 before and p3 after and d_i = |p_{i+1} - p_i|^(1/2), the
//                 tangent at p1, for a piece of unit parameter, is
//                   d1 ((p1 - p0) / d0 - (p2 - p0) / (d0 + d1) + (p2 - p1) / d1)
//                 There are neither loops nor cusps within a piece (Yuksel, Schaefer, Keyser 2011, "Parameterization
//                 and applications of Catmull-Rom curves"). Beyond an open end the curve is continued by mirroring.
//
// Arc length is integrated by Gauss-Legendre quadrature with five points; intervals are halved until their halves agree
// with the whole. Lengths are metres. A curve is immutable.
#pragma once

#include <array>
#include <vector>

#include "limber/scene/timeline.h"

namespace limber {

class PathCurve {
 public:
  PathCurve() = default;
  /// The path's points must be finite. One point, or points that all coincide, give a curve at that position; no points
  /// give the origin.
  explicit PathCurve(const TargetPath& path);

  /// Number of pieces, each between successive points on the curve.
  int pieceCount() const { return static_cast<int>(pieces_.size()); }
  double length() const { return knots_.empty() ? 0.0 : knots_.back().length; }

  /// The place at a parameter in [0, pieceCount], to which it is clamped. Integers are the points on the curve.
  Eigen::Vector3d at(double parameter) const;
  /// The place at an arc length, which is clamped to [0, length]. The relative error of the length is below 1e-8.
  Eigen::Vector3d atLength(double metres) const { return at(parameterAt(metres)); }
  double parameterAt(double metres) const;
  double lengthAt(double parameter) const;
  /// The parameter of the place nearest to a point, within 1e-6.
  double parameterNearest(const Eigen::Vector3d& point) const;

  /// The fraction of the length that a target has covered at a time: linear from path.begin to path.end, and clamped.
  static double partAt(const TargetPath& path, double time);

  using Piece = std::array<Eigen::Vector3d, 4>;  ///< of a cubic Bezier
  const Piece& piece(int i) const { return pieces_[i]; }

 private:
  struct Knot {
    double parameter = 0.0, length = 0.0;
  };
  void measure(int piece, double from, double to, double whole, int depth);

  std::vector<Piece> pieces_;
  std::vector<Knot> knots_;                          ///< ascending; the first is (0, 0)
  Eigen::Vector3d place_ = Eigen::Vector3d::Zero();  ///< without pieces
  double tolerance_ = 0.0;                           ///< metres, of one measurement
};

}  // namespace limber

// SPDX-License-Identifier: MIT
// A term that keeps the rest of a figure in place while a limb is dragged: it pulls the mass of each link to where it
// was,
//
//   f = sum over bodies of w E,   E = 1/(2 m) integral |x - x_ref|^2 dm  =  1/2 |c - c_ref|^2 + 1/2 tr(dR C dR'),
//
// with c the centre of mass, C the second moments about c divided by m (link frame), R the link's rotation and dR = R -
// R_ref. This is a sum of position goals of mass points in closed form and smooth everywhere, without a logarithm. With
// y = c - origin, D = c - c_ref, W = R C dR' + y D', Y = R C R' + y y', and twists about the origin:
//
//   wrench        (axial W; D),   axial W = (W23 - W32, W31 - W13, W12 - W21)
//   Gauss-Newton  [[tr(Y) 1 - Y, [y]x], [-[y]x, 1]],   the spatial inertia
//   curvature     [[sym W - tr(W) 1, -[D]x / 2], [[D]x / 2, 0]],   which vanishes at the reference
//
// A body may instead keep its rotation alone, against a limited torque. With C = 1/2 and D = y = 0 above, u = 1 -
// cos(angle of dR) and the angle s of saturation,
//
//   E = s^2 (sqrt(1 + 2 u / s^2) - 1),
//
// which is angle^2 / 2 for angles below s, and from there on grows at the constant rate s.
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber {

/// The exact Hessian, or a part that is positive semidefinite everywhere.
enum class Curvature { Exact, GaussNewton };

class StayTerm {
 public:
  /// Links that move as one rigid body.
  struct Body {
    int link = 0;                                            ///< whose frame is the body's
    double weight = 0.0;                                     ///< w > 0, per square metre; of a rotation without unit
    double saturation = 0.0;                                 ///< s, radians; 0 for a body that keeps its position, too
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();        ///< centre of mass, link frame, metres
    Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();       ///< C, link frame, square metres
    Eigen::Vector3d place = Eigen::Vector3d::Zero();         ///< c_ref, world, metres
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  ///< R_ref
  };
  /// Quantities of a body at one pose.
  struct State {
    Eigen::Vector3d offset;   ///< D
    Eigen::Vector3d arm;      ///< y
    Eigen::Matrix3d turned;   ///< R C
    Eigen::Matrix3d change;   ///< dR
    double slope, bend;       ///< of a rotation alone: first and second derivative of E by u
    Eigen::Matrix3d moments;  ///< W; computeWrench()
    Vector6d wrench;          ///< J' times the force; computeWrench()
  };

  /// A link that keeps only its rotation.
  struct Rotation {
    int link = 0;
    double weight = 0.0;      ///< w > 0
    double saturation = 1.0;  ///< s > 0, radians
  };

  StayTerm() = default;
  /// `weights` has one entry >= 0 for each link, 0 for links that may move freely. `rotations` lists links that keep
  /// their rotation alone, each with its weight. `there` are the transforms of the reference pose. `moves`
  /// has one entry for each step coordinate; links between which no joint moves form one body, and links that cannot
  /// move have none.
  StayTerm(const Figure& figure, std::span<const double> weights, const Kinematics& there, std::span<const char> moves,
           std::span<const Rotation> rotations = {});

  bool isEmpty() const { return bodies_.empty(); }
  const std::vector<Body>& bodies() const { return bodies_; }

  /// Returns the value and computes the states, one for each body, except what computeWrench() computes.
  double evaluate(const Kinematics& kinematics, std::vector<State>& states) const;
  /// Bound on the rounding error of the value for points with an error of `position` metres.
  double rounding(const std::vector<State>& states, double position) const;

  /// Computes W and the wrench of one body.
  static void computeWrench(const Body& body, State& state);
  /// The term of one body in the Hessian by its link's twist, symmetric (6 x 6); after computeWrench().
  static void computeInertia(const Body& body, const State& state, Curvature curvature, Matrix6d& inertia);

 private:
  std::vector<Body> bodies_;  ///< in the order of their links
};

/// Second moments of a link's mass about its centre of mass, divided by the mass; link frame, square metres. Each
/// capsule has L^2 / 12 along its axis plus r^2 / 4 in every direction. Zero without capsules.
Eigen::Matrix3d secondMoments(const Link& link);

}  // namespace limber

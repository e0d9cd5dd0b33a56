// SPDX-License-Identifier: MIT
// What keeps the rest of a figure where it stands while a limb is dragged: the mass of a link pulled to the places where
// it was,
//
//   f = sum over bodies of w E,   E = 1/(2 m) integral |x - x_ref|^2 dm  =  1/2 |c - c_ref|^2 + 1/2 tr(dR C dR'),
//
// with c the centre of mass, C its second moments about c divided by m (in the link), R the link's rotation and
// dR = R - R_ref. That is a sum of position goals of mass points in closed form: it has no logarithm and no cut, and is
// smooth everywhere. With y = c - origin, D = c - c_ref, W = R C dR' + y D', Y = R C R' + y y', twists about the origin:
//
//   wrench        (axial W; D),   axial W = (W23 - W32, W31 - W13, W12 - W21)
//   Gauss-Newton  [[tr(Y) 1 - Y, [y]x], [-[y]x, 1]],   the spatial inertia
//   curvature     [[sym W - tr(W) 1, -[D]x / 2], [[D]x / 2, 0]],   which vanishes at the reference
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber {

/// Of the Hessian: all of it, or the part that is positive semidefinite everywhere.
enum class Curvature { Exact, GaussNewton };

class StayTerm {
 public:
  /// Links that move as one.
  struct Body {
    int link = 0;                   ///< that carries it
    double weight = 0.0;            ///< w, for a squared metre; > 0
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();     ///< of mass, in the link, metres
    Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();    ///< C, in the link, square metres
    Eigen::Vector3d place = Eigen::Vector3d::Zero();      ///< c_ref: of the centre, world
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  ///< R_ref
  };
  /// What one pose makes of a body.
  struct State {
    Eigen::Vector3d offset;     ///< D
    Eigen::Vector3d arm;        ///< y
    Eigen::Matrix3d turned;     ///< R C
    Eigen::Matrix3d change;     ///< dR
    Eigen::Matrix3d moments;    ///< W; computeWrench()
    Vector6d wrench;            ///< J' times the force; computeWrench()
  };

  StayTerm() = default;
  /// weights: one a link, >= 0, zero for a link that is free to go. there: transforms of the reference pose. moves: one a
  /// step coordinate; links that no joint moves against each other make one body, and what nothing moves has none.
  StayTerm(const Figure& figure, std::span<const double> weights, const Kinematics& there, std::span<const char> moves);

  bool isEmpty() const { return bodies_.empty(); }
  const std::vector<Body>& bodies() const { return bodies_; }

  /// The value, at the kinematics' transforms; fills the states, one a body, but for their moments.
  double evaluate(const Kinematics& kinematics, std::vector<State>& states) const;
  /// How far rounding can move it when places are off by `position` metres.
  double rounding(const std::vector<State>& states, double position) const;

  /// Fills W and the wrench of one body.
  static void computeWrench(const Body& body, State& state);
  /// What one body adds to the Hessian at its link, symmetric (6 x 6); after computeWrench().
  static void computeInertia(const Body& body, const State& state, Curvature curvature, Matrix6d& inertia);

 private:
  std::vector<Body> bodies_;  ///< in the order of their links
};

/// Second moments of a link's mass about its centre of mass, divided by the mass; in the link, square metres. By its
/// capsules, each L^2 / 12 along its bone and r^2 / 4 along every axis; zero without any.
Eigen::Matrix3d secondMoments(const Link& link);

}  // namespace limber

// SPDX-License-Identifier: MIT
// The semidefinite blocks of the relaxation (relaxation.h), each affine in the local numbers of one frame.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

namespace limber {

// Where the local numbers of a frame stand. From the parent come `state` of them, 12 or, lifted, 16:
constexpr int kLocalN = 0, kLocalP = 9, kLocalH = 12, kLocalG = 15;  // n_a n_b n_c, p_j, h', g_j
// then the frame's own. Of a hinge, as far as its form has them:
constexpr int kOwnU = 0, kOwnW = 3, kOwnC = 6, kOwnS = 7, kOwnPb = 8, kOwnPc = 9;
constexpr int kOwnCNa = 10, kOwnSNa = 13, kOwnCNb = 16, kOwnSNb = 19;  // c n_a, s n_a, c n_b, s n_b

/// [R p h g] of a frame: where each stands among its local numbers, R column by column.
using StatePlaces = std::array<int, 16>;

/// S = constant + sum of terms, basis' S basis >= 0. A term adds coefficient * x[variable] at (row, column), row <=
/// column, and at its mirror image; x are the local numbers of a frame.
struct RelaxationBlock {
  struct Term {
    int row = 0, column = 0, variable = 0;
    double coefficient = 1.0;
  };
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 9, 9>;
  int size = 0;             ///< of basis' S basis
  Matrix constant;
  Matrix basis;             ///< (full x size), orthonormal columns
  bool isWhole = true;      ///< the basis is the identity
  std::vector<Term> terms;  ///< by variable; one for each of an entry's variables
};

/// E[q q'] of the unit quaternions q (w x y z) of R, times 4.
RelaxationBlock makeRotationBlock(const StatePlaces& places);

/// Of [e1 e2 e3 | R | p].
RelaxationBlock makeFrameGram(const StatePlaces& places);

/// Of [e1 e2 e3 | n_a n_b n_c | u w], lifted with p_j at its end.
RelaxationBlock makeHingeGram(int state, bool isLifted);

/// cos(m) c + sin(m) s >= cos(h) for the interval of middle m and half width h.
RelaxationBlock makeChord(int state, double middle, double half);

/// E[(q x t)(q x t)'], times 4, of the quaternion q of [n_a n_b n_c] and the angle's t = (cos theta/2, sin theta/2).
RelaxationBlock makeHull(int state);

/// E[(cos(theta - m) - cos(h)) q q'], times 4.
RelaxationBlock makeArc(int state, double middle, double half);

}  // namespace limber

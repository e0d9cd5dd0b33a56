// SPDX-License-Identifier: MIT
// The semidefinite blocks of the relaxation (relaxation.h), each affine in the local numbers of one frame.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include "limber/solvers/convex/products.h"

namespace limber {

// Indices of the local numbers of a frame. The first `state` of them, 12 or in the hull form 24, come from the parent:
constexpr int kLocalN = 0, kLocalP = 9, kLocalH = 12, kLocalG = 15;      // n_a n_b n_c, p_j, h', g_j
constexpr int kLocalNb = 16, kLocalNc = 19, kLocalC = 22, kLocalS = 23;  // a parent hinge's own n_b, n_c, c, s
// then come the frame's own. For a hinge, if its form has them:
constexpr int kOwnU = 0, kOwnW = 3, kOwnC = 6, kOwnS = 7, kOwnPb = 8, kOwnPc = 9;
constexpr int kOwnCNa = 10, kOwnSNa = 13, kOwnCNb = 16, kOwnSNb = 19;  // c n_a, s n_a, c n_b, s n_b
constexpr int kOwnCC = 22, kOwnCS = 23, kOwnSC = 24, kOwnSS = 25;      // the parent's c, s times its own c, s

/// Indices of [R p h g n_b n_c c s] among the local numbers of a frame, matrices column by column.
using StatePlaces = std::array<int, 24>;

/// S = constant + sum of terms, with the constraint basis' S basis >= 0. A term adds coefficient * x[variable] at (row,
/// column), row <= column, and at its mirror image; x are the local numbers of a frame.
struct RelaxationBlock {
  struct Term {
    int row = 0, column = 0, variable = 0;
    double coefficient = 1.0;
  };
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 10, 10>;
  int size = 0;  ///< rows of basis' S basis
  Matrix constant;
  Matrix basis;             ///< (full x size), orthonormal columns
  bool isWhole = true;      ///< the basis is the identity
  std::vector<Term> terms;  ///< ordered by variable; one per variable of an entry
};

/// hessian += A' (W (A .) Z), W = S^-1 and Z symmetric and whole, A the linear part of S: with F_k the matrix of
/// variable k, <F_k, W F_l Z> for k <= l and its mirror.
void addHessian(const RelaxationBlock& block, MatrixIn w, MatrixIn z, MatrixOut hessian);

/// The block E[q q'] of the unit quaternions q (w x y z) of R, times 4.
RelaxationBlock makeRotationBlock(const StatePlaces& places);

/// The Gram block of [e1 e2 e3 | R | p].
RelaxationBlock makeFrameGram(const StatePlaces& places);

/// The Gram block of [e1 e2 e3 | n_a n_b n_c | u w], optionally with p_j at its end.
RelaxationBlock makeHingeGram(int state, bool hasPlace);

/// cos(m) c + sin(m) s >= cos(h) for the interval with middle m and half-width h.
RelaxationBlock makeChord(int state, double middle, double half);

/// E[(q x t)(q x t)'], times 4, of the quaternion q of [n_a n_b n_c] and the angle's t = (cos theta/2, sin theta/2).
RelaxationBlock makeHull(int state);

/// E[(cos(theta - m) - cos(h)) q q'], times 4.
RelaxationBlock makeArc(int state, double middle, double half);

// Blocks of a hinge whose parent is also a hinge:
/// The Gram block of [e1 e2 e3 | n_a n_b n_c | u w | the parent's n_b n_c]; turn: the joint's axes in the parent's.
RelaxationBlock makePairGram(int state, const Eigen::Matrix3d& turn);

/// E[(t_p x t)(t_p x t)'], times 4, of the two angles' t.
RelaxationBlock makePair(int state);

/// E[(cos(theta - m) - cos(h)) t_p t_p'], times 2; or the same with the parent's angle and this hinge's t.
RelaxationBlock makePairArc(int state, bool isOfParent, double middle, double half);

}  // namespace limber

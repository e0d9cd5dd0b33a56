// SPDX-License-Identifier: MIT
// A convex relaxation of "which pose brings the points of a figure nearest to where they were observed": Yenamandra,
// Bernard, Wang, Mueller and Theobalt, "Convex Optimisation for Inverse Kinematics" (2019), eq. 14, rewritten without
// its redundant variables; it has the same value.
//
//   minimise  f = sum_k w_k |x_k - y_k|^2 / sum_k w_k,    x_k = p_j + R_j v_k  for the point v_k of frame j
//
// A frame is a link with all links fixed to it: R_j its rotation, p_j the position of its joint,
//
//   p_j = p_p + R_p v_j                                                           p: the parent frame       (6)
//   R_j = n_a a' + u b' + w c'      n_x = R_p x,  u = R_j b,  w = R_j c           (a, b, c) right-handed, a the axis
//
// A hinge's unknowns are u, w (3 numbers each) and its cosine and sine, c and s. For true rotations the numbers below
// belong to orthonormal vectors; the relaxation only requires the matrices to be positive semidefinite:
//
//   Gram      of [e1 e2 e3 | n_a n_b n_c | u w] with <n_b,u> = <n_c,w> = c, <n_c,u> = s, <n_b,w> = -s: the paper's M
//             without its vector that is always zero                                                        8 x 8
//   rotation  E[q q'] of unit quaternions q, linear in R_j: R_j is a mean of rotations (Saunderson, Parrilo and Willsky
//             2015); equivalent to the paper's lifted 10 x 10                                               4 x 4
//   limit     cos(m) c + sin(m) s >= cos(h), m the middle and h half the width of its interval: the chord (8)
//
// A ball joint has R_j as its unknowns, with only a rotation block. A hinge on a fixed base needs no Gram matrix: the
// quaternions of its rotation block imply c^2 + s^2 <= 1.
//
// The hull form adds the inner products that make f linear: h_j = R_j' p_j and g_j = <p_j, p_j>,
//
//   g_j = g_p + 2 h_p.v_j + |v_j|^2      h_j = h'_a a + pb b + pc c      h' = R_p' p_j = h_p + v_j, in its axes
//   f = sum_k w_k (g_j + 2 h_j.v_k + |v_k|^2 - 2 y_k.x_k + |y_k|^2) / sum_k w_k
//
// with two more unknowns per hinge, pb = <p_j, u> and pc = <p_j, w>, and p_j as the last vector of its Gram matrix.
// Balls have h_j, free roots h_j and g_j, and the Gram matrix of [e1 e2 e3 | R_j | p_j] unless that of a hinge contains
// it.
//
// For each hinge with a parent frame it adds the products c n_a, s n_a, c n_b, s n_b (12 unknowns; s n_c = u - c n_b
// and c n_c = w + s n_b follow). With q the quaternion of [n_a n_b n_c] and t = (cos theta/2, sin theta/2),
//
//   hull      E[(q x t)(q x t)'], linear in n, the products, c and s; it implies the rotation block            8 x 8
//   arc       E[(cos(theta - m) - cos h) q q'] instead of the chord                                          4 x 4
//
// and, if the parent is also a hinge, with its t' and n', the four products of their cosines and sines (without which
// distant hinges are coupled only by the mean of a rotation):
//
//   pair      E[(t' x t)(t' x t)']; each angle's arc times the other's t t'                       4 x 4, 2 x 2, 2 x 2
//   pair Gram of [e1 e2 e3 | n_a n_b n_c | u w | n'_b n'_c]                                                 10 x 10
//
// Many figures have relations that hold in all poses: a link on a fixed base turns about one axis of the world, some
// positions are fixed, links have no length. Some block is then singular in every pose, and the problem has no
// interior. Such relations are found and removed (facial_reduction.h).
//
// Cones and twists of ball joints and linear limits are left out, so that the value remains a lower bound. Limits with
// a half-width below a degree are widened to one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "limber/objective/limits/limit_list.h"
#include "limber/solvers/convex/relaxation_block.h"

namespace limber {

/// One frame. Its local numbers are [n_a n_b n_c p_j] column by column (12), in the hull form h', g_j and a parent
/// hinge's own n_b, n_c, c, s (12), then its unknowns: u, w, c, s of a hinge, R_j of a ball, R_j, p_j of a free root.
/// In the hull form these are followed by pb, pc and the products for a hinge, h_j for a ball, h_j, g_j for a free
/// root.
struct RelaxationFrame {
  enum class Kind { Hinge, Ball, Free };
  Kind kind = Kind::Hinge;
  int parent = -1;                  ///< frame, -1 for the fixed base
  int tree = 0;                     ///< Relaxation::centres
  int link = 0;                     ///< index of the link in the figure, and of its joint
  Eigen::Matrix4d parentFromJoint;  ///< rotation (a b c) and position of the joint in the parent frame, lengths scaled
  Eigen::Matrix3d linkFromFrame;    ///< the axes of the frame (a b c) in its link
  double middle = 0.0, half = 0.0;  ///< of the limits, radians; half = pi without limits
  int unknowns = 0;
  StatePlaces places{};  ///< the first stateSize(form) of them
  std::vector<RelaxationBlock> blocks;

  // unknowns = offset + reduction * free unknowns, up to `slack` in any pose; each differs from its offset by at most
  // `bound`.
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 26, 26>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 26, 1>;
  Matrix reduction;  ///< (unknowns x free), orthonormal columns
  Vector offset, slack, bound;
  Vector start;         ///< free unknowns with which all blocks are positive definite
  bool isWhole = true;  ///< the reduction is the identity, offset and slack are zero

  struct Point {
    int index = 0;          ///< index of the point in the Relaxation
    Eigen::Vector4d place;  ///< position in the frame, scaled, with 1 appended
  };
  std::vector<Point> points;
};

/// Forms of the relaxation, each at least as tight as the one before.
enum class RelaxationForm {
  Compact,  ///< that of the paper
  Hull,     ///< with the inner products that make f linear, and with each hinge's angle and parent rotation in the
            ///< convex hull of their possible values
};

/// Size of a frame's state for its children: R_j and p_j, in the hull form also h_j, g_j, n_b, n_c, c and s.
constexpr int stateSize(RelaxationForm form) { return form == RelaxationForm::Compact ? 12 : 24; }

/// Several threads may read it while no thread sets targets.
class Relaxation {
 public:
  struct Point {
    int link = 0;
    Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();
    double weight = 1.0;  ///< w_k >= 0
  };

  /// isActive, per step coordinate: may move; other coordinates stay as in `around`.
  Relaxation(const Figure& figure, const Limits& limits, std::span<const char> isActive, const Pose& around,
             std::vector<Point> points, RelaxationForm form = RelaxationForm::Compact);

  /// Empty, or why there is no relaxation of this figure: an active slide or follower, a free joint that is not a root,
  /// no observed point, a number that is not finite.
  const std::string& fault() const { return fault_; }
  /// Number of ball joints with a cone or a twist, which the relaxation leaves out (as it does linear limits and
  /// couplings).
  int droppedLimits() const { return droppedLimits_; }

  /// y_k, one per point, metres; a target that is not finite counts as not observed. False, without a change, if none
  /// is observed.
  bool setTargets(std::span<const Eigen::Vector3d> targets);

  // Data for the interior-point method. Lengths are in units of length(), from the centre of each tree.
  const std::vector<RelaxationFrame>& frames() const { return frames_; }  ///< parents first
  RelaxationForm form() const { return form_; }
  double length() const { return length_; }  ///< metres
  const Eigen::Vector3d& centre(int tree) const { return centres_[tree]; }
  double weight(int point) const { return weights_[point]; }  ///< w_k / sum w; 0 if unobserved
  const Eigen::Vector3d& target(int point) const { return targets_[point]; }
  double standing() const { return standing_; }  ///< part of f due to points that cannot move
  double reach() const { return reach_; }        ///< largest distance from a root to any of its points
  bool isSeen(int tree) const { return isSeen_[tree] != 0; }

 private:
  struct Builder;
  RelaxationForm form_ = RelaxationForm::Compact;
  std::vector<RelaxationFrame> frames_;
  std::vector<Point> points_;
  std::vector<int> treeOfPoint_;                 ///< -1 if it cannot move
  std::vector<Eigen::Vector3d> standingPlaces_;  ///< positions of points that cannot move, metres
  std::vector<Eigen::Vector3d> centres_;         ///< metres; setTargets() moves those of trees with free roots
  std::vector<char> isShifting_, isSeen_;
  std::vector<Eigen::Vector3d> targets_;
  std::vector<double> weights_;
  double length_ = 1.0, reach_ = 0.0, standing_ = 0.0;
  int droppedLimits_ = 0;
  std::string fault_;
};

}  // namespace limber

// SPDX-License-Identifier: MIT
// A convex relaxation of "which pose brings the points of a figure nearest to where they were observed": Yenamandra,
// Bernard, Wang, Mueller and Theobalt, "Convex Optimisation for Inverse Kinematics" (2019), eq. 14, rewritten without
// its redundant variables. The value is that of the paper's form.
//
//   minimise  f = sum_k w_k |x_k - y_k|^2 / sum_k w_k,    x_k = p_j + R_j v_k  for the point v_k of frame j
//
// A frame is a link with all that is welded to it: R_j its rotation, p_j the place of its joint,
//
//   p_j = p_p + R_p v_j                                                           p: the parent frame       (6)
//   R_j = n_a a' + u b' + w c'      n_x = R_p x,  u = R_j b,  w = R_j c           (a, b, c) right-handed, a the axis
//
// A hinge's unknowns are u, w (3 numbers each) and its cosine and sine, c and s. With true rotations the numbers below
// are those of orthonormal vectors; the relaxation asks only that the matrices be positive semidefinite:
//
//   Gram      of [e1 e2 e3 | n_a n_b n_c | u w] with <n_b,u> = <n_c,w> = c, <n_c,u> = s, <n_b,w> = -s: the paper's M
//             without the vector that it always sends to zero                                               8 x 8
//   rotation  E[q q'] of unit quaternions q, linear in R_j: R_j is a mean of rotations (Saunderson, Parrilo and Willsky
//             2015); the paper's lifted 10 x 10 says the same                                               4 x 4
//   limit     cos(m) c + sin(m) s >= cos(h), m the middle and h half the width of its interval: the chord (8)
//
// A ball joint has R_j as its unknowns, under a rotation block alone. A hinge on what stands needs no Gram matrix: the
// quaternions of its rotation block say c^2 + s^2 <= 1.
//
// The hull form adds the inner products that make f linear: h_j = R_j' p_j and g_j = <p_j, p_j>,
//
//   g_j = g_p + 2 h_p.v_j + |v_j|^2      h_j = h'_a a + pb b + pc c      h' = R_p' p_j = h_p + v_j, in its axes
//   f = sum_k w_k (g_j + 2 h_j.v_k + |v_k|^2 - 2 y_k.x_k + |y_k|^2) / sum_k w_k
//
// with two unknowns a hinge more, pb = <p_j, u> and pc = <p_j, w>, and p_j as the last vector of its Gram matrix. Balls
// have h_j, free roots h_j and g_j, and the Gram matrix of [e1 e2 e3 | R_j | p_j] unless a hinge's has it in it.
//
// For each hinge with a parent frame it adds the products c n_a, s n_a, c n_b, s n_b (12 unknowns; s n_c = u - c n_b
// and c n_c = w + s n_b follow). With q the quaternion of [n_a n_b n_c] and t = (cos theta/2, sin theta/2),
//
//   hull      E[(q x t)(q x t)'], linear in n, the products, c and s; it implies the rotation block            8 x 8
//   arc       E[(cos(theta - m) - cos h) q q'] in place of the chord                                          4 x 4
//
// and, where the parent is a hinge, too, with t' of its angle and n' as it has them, the four products of their cosines
// and sines (without which two hinges apart are tied by the mean of a rotation alone):
//
//   pair      E[(t' x t)(t' x t)']; each angle's arc times the other's t t'                       4 x 4, 2 x 2, 2 x 2
//   pair Gram of [e1 e2 e3 | n_a n_b n_c | u w | n'_b n'_c]                                                 10 x 10
//
// Many a figure has relations that hold in all its poses: what hangs on a fixed base turns about one axis of the world,
// places stand still, links have no length. There some block is singular in every pose, and the interior of the problem
// empty. Such relations are found and taken out (facial_reduction.h).
//
// What the relaxation cannot express is left out of it, which leaves its value a lower bound: cones and twists of ball
// joints, linear limits. Limits narrower than a degree either way are widened to one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "limber/objective/limits/limit_list.h"
#include "limber/solvers/convex/relaxation_block.h"

namespace limber {

/// One frame. Its local numbers are those of [n_a n_b n_c p_j] column by column (12), of the hull form h', g_j and a
/// parent hinge's own n_b, n_c, c, s (12), then its unknowns: u, w, c, s of a hinge, R_j of a ball, R_j, p_j of a free
/// root. The hull form has pb, pc and the products after those of a hinge, h_j of a ball, h_j, g_j of a free root.
struct RelaxationFrame {
  enum class Kind { Hinge, Ball, Free };
  Kind kind = Kind::Hinge;
  int parent = -1;                  ///< frame, -1: it hangs on what stands
  int tree = 0;                     ///< Relaxation::centres
  int link = 0;                     ///< of the figure; its joint's number, too
  Eigen::Matrix4d parentFromJoint;  ///< rotation (a b c) and place of the joint in the parent frame, lengths scaled
  Eigen::Matrix3d linkFromFrame;    ///< the axes of the frame (a b c) in its link
  double middle = 0.0, half = 0.0;  ///< of the limits, radians; half = pi without
  int unknowns = 0;
  StatePlaces places{};  ///< the first stateSize(form) of them
  std::vector<RelaxationBlock> blocks;

  // unknowns = offset + reduction * free unknowns, to within `slack` in any pose; each at most `bound` from its offset.
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 26, 26>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 26, 1>;
  Matrix reduction;  ///< (unknowns x free), orthonormal columns
  Vector offset, slack, bound;
  Vector start;         ///< free unknowns that make all blocks positive definite
  bool isWhole = true;  ///< the reduction is the identity, offset and slack are zero

  struct Point {
    int index = 0;          ///< among Relaxation's points
    Eigen::Vector4d place;  ///< in the frame, scaled; 1 at its end
  };
  std::vector<Point> points;
};

/// How tight the relaxation is: each at least as tight as the one before.
enum class RelaxationForm {
  Compact,  ///< the paper's
  Hull,     ///< with the inner products that make f linear, and each hinge's angle and parent in the hull of what they
            ///< can be: tells what is optimal
};

/// Of what a frame passes on to its children: R_j and p_j, of the hull form its h_j, g_j, n_b, n_c, c and s.
constexpr int stateSize(RelaxationForm form) { return form == RelaxationForm::Compact ? 12 : 24; }

/// Several threads may read one while none gives it other targets.
class Relaxation {
 public:
  struct Point {
    int link = 0;
    Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();
    double weight = 1.0;  ///< w_k >= 0
  };

  /// isActive, by step coordinate: what may move; all else stays as it stands in `around`.
  Relaxation(const Figure& figure, const Limits& limits, std::span<const char> isActive, const Pose& around,
             std::vector<Point> points, RelaxationForm form = RelaxationForm::Compact);

  /// Empty, or why there is no relaxation of this figure: a slide or a follower that may move, a free joint that is no
  /// root, nothing observed, a number that is not finite.
  const std::string& fault() const { return fault_; }
  /// Ball joints with a cone or a twist; the relaxation leaves those out, and linear limits and couplings.
  int droppedLimits() const { return droppedLimits_; }

  /// y_k, one a point, metres; a target that is not finite was not observed. False, and no change, when none was.
  bool setTargets(std::span<const Eigen::Vector3d> targets);

  // What the interior-point method reads. Lengths are in units of length(), from the centre of each tree.
  const std::vector<RelaxationFrame>& frames() const { return frames_; }  ///< parents first
  RelaxationForm form() const { return form_; }
  double length() const { return length_; }  ///< metres
  const Eigen::Vector3d& centre(int tree) const { return centres_[tree]; }
  double weight(int point) const { return weights_[point]; }  ///< w_k / sum w; 0 unseen
  const Eigen::Vector3d& target(int point) const { return targets_[point]; }
  double standing() const { return standing_; }  ///< what points that cannot move add to f
  double reach() const { return reach_; }        ///< from a root to any of its points, at most
  bool isSeen(int tree) const { return isSeen_[tree] != 0; }

 private:
  struct Builder;
  RelaxationForm form_ = RelaxationForm::Compact;
  std::vector<RelaxationFrame> frames_;
  std::vector<Point> points_;
  std::vector<int> treeOfPoint_;                 ///< -1: it cannot move
  std::vector<Eigen::Vector3d> standingPlaces_;  ///< of those, metres
  std::vector<Eigen::Vector3d> centres_;         ///< metres; of trees that may shift: moved by setTargets
  std::vector<char> isShifting_, isSeen_;
  std::vector<Eigen::Vector3d> targets_;
  std::vector<double> weights_;
  double length_ = 1.0, reach_ = 0.0, standing_ = 0.0;
  int droppedLimits_ = 0;
  std::string fault_;
};

}  // namespace limber

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
// A ball joint has R_j as its unknowns, under a rotation block alone. Where the parent frame stands, u = c n_b + s n_c,
// and a disc c^2 + s^2 <= 1 says it all. A frame that turns about one axis k of the world (hinged to one that stands,
// or in parallel to such a hinge) has R a = k for good: that vector leaves the Gram matrix, and the unknowns along k
// with it, or no matrix would be positive definite and the interior of the problem empty.
//
// What the relaxation cannot express is left out of it, which leaves its value a lower bound: cones and twists of ball
// joints, linear limits. Limits narrower than a degree either way are widened to one.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "objective/limit_list.h"

namespace limber {

/// S = constant + sum of terms, basis' S basis >= 0. A term adds coefficient * x[variable] at (row, column) and at its
/// mirror image; x are the local numbers of a frame (RelaxationFrame).
struct RelaxationBlock {
  struct Term {
    int row = 0, column = 0, variable = 0;
    double coefficient = 1.0;
  };
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 8, 8>;
  int size = 0;             ///< of basis' S basis
  Matrix constant;
  Matrix basis;             ///< (full x size); columns independent
  bool isWhole = true;      ///< the basis is the identity
  std::vector<Term> terms;
};

/// One frame. Its local numbers are those of [n_a n_b n_c p_j] column by column (12), then its unknowns (at most 12):
/// u, w, c, s of a hinge; R_j of a ball; R_j and p_j of a free root.
struct RelaxationFrame {
  enum class Kind { Hinge, Ball, Free };
  Kind kind = Kind::Hinge;
  int parent = -1;                 ///< frame, -1: it hangs on what stands
  int tree = 0;                    ///< Relaxation::centres
  int link = 0;                    ///< of the figure; its joint's number, too
  Eigen::Matrix4d parentFromJoint; ///< rotation (a b c) and place of the joint in the parent frame, lengths scaled
  Eigen::Matrix3d linkFromFrame;   ///< the axes of the frame (a b c) in its link
  double middle = 0.0, half = 0.0; ///< of the limits, radians; half = pi without
  int unknowns = 0;                ///< 8, 9, 12
  /// unknowns = reduction * free unknowns; (unknowns x free). The identity but below what stands.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 12, 12> reduction;
  std::array<int, 12> place{};     ///< among the local numbers: [R_j p_j], column by column
  std::vector<RelaxationBlock> blocks;

  bool turnsAboutOneAxis = false;
  Eigen::Vector3d worldAxis = Eigen::Vector3d::Zero();  ///< R_j e_x, where it does

  struct Point {
    int index = 0;                 ///< among Relaxation's points
    Eigen::Vector4d place;         ///< in the frame, scaled; 1 at its end
  };
  std::vector<Point> points;
};

/// How tight the relaxation is.
enum class RelaxationForm {
  Compact,  ///< the paper's
};

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
  /// Joints some limit of which the relaxation leaves out.
  int droppedLimits() const { return droppedLimits_; }

  /// y_k, one a point, metres; a target that is not finite was not observed. False, and no change, when none was.
  bool setTargets(std::span<const Eigen::Vector3d> targets);

  // What the interior-point method reads. Lengths are in units of length(), from the centre of each tree.
  const std::vector<RelaxationFrame>& frames() const { return frames_; }  ///< parents first
  RelaxationForm form() const { return form_; }
  double length() const { return length_; }                    ///< metres
  const Eigen::Vector3d& centre(int tree) const { return centres_[static_cast<std::size_t>(tree)]; }
  double weight(int point) const { return weights_[static_cast<std::size_t>(point)]; }  ///< w_k / sum w; 0 unseen
  const Eigen::Vector3d& target(int point) const { return targets_[static_cast<std::size_t>(point)]; }
  double standing() const { return standing_; }                ///< what points that cannot move add to f
  double reach() const { return reach_; }                      ///< from a root to any of its points, at most
  bool isSeen(int tree) const { return isSeen_[static_cast<std::size_t>(tree)] != 0; }

 private:
  struct Builder;
  RelaxationForm form_ = RelaxationForm::Compact;
  std::vector<RelaxationFrame> frames_;
  std::vector<Point> points_;
  std::vector<int> treeOfPoint_;                ///< -1: it cannot move
  std::vector<Eigen::Vector3d> standingPlaces_; ///< of those, metres
  std::vector<Eigen::Vector3d> centres_;        ///< metres; of trees that may shift: moved by setTargets
  std::vector<char> isShifting_, isSeen_;
  std::vector<Eigen::Vector3d> targets_;
  std::vector<double> weights_;
  double length_ = 1.0, reach_ = 0.0, standing_ = 0.0;
  int droppedLimits_ = 0;
  std::string fault_;
};

}  // namespace limber

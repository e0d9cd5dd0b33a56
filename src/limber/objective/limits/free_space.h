// SPDX-License-Identifier: MIT
// The directions that the limits leave free at a pose, for a given gradient.
#pragma once

#include <algorithm>
#include <vector>

#include <Eigen/Core>

namespace limber {

/// Kinds of limits: of joints, and (LinearLower, LinearUpper, Equality) of the figure's linear limits.
enum class LimitKind { Lower, Upper, Swing, TwistLower, TwistUpper, LinearLower, LinearUpper, Equality };

/// A limit that holds at a pose: f decreases beyond it.
struct ActiveLimit {
  LimitKind kind = LimitKind::Lower;
  int index = 0;            ///< joint or linear limit
  double multiplier = 0.0;  ///< decrease of f per radian (metre) of relaxation; >= 0 except for equalities

  bool operator==(const ActiveLimit&) const = default;
};

/// It belongs to one solve: it contains the scratch memory of project(), so threads must not share one, even to read
/// it.
struct FreeSpace {
  /// Coordinates that share limits: those of a limited ball, or scalars that linear limits tie.
  struct Block {
    std::vector<int> active;    ///< active indices of its coordinates, ascending
    int ball = -1;              ///< index among the feasible set's balls, -1 for scalars
    std::vector<char> holds;    ///< for scalars: which of their limits hold, in the order of the feasible set
    int held = 0;               ///< limits that hold; if 0, the projector is 1 and the curvature 0
    bool holdsSwing = false;    ///< for a ball
    int twistSide = 0;          ///< for a ball: 1 if the upper twist limit holds, -1 if the lower one does
    Eigen::MatrixXd projector;  ///< onto the free directions, symmetric
    Eigen::MatrixXd curvature;  ///< sum over the limits that hold of multiplier * second derivative
  };
  std::vector<char> free;           ///< by active coordinate, 0 if a limit holds it
  std::vector<Block> blocks;        ///< the same at every pose of an objective, in the same order
  std::vector<ActiveLimit> limits;  ///< the limits that hold

  /// v <- P v, (active x 1).
  void project(Eigen::VectorXd& v) const;
  /// Sets the metric's entries (active x 1) of scalars in a linear limit to the largest one, so that damping turns a
  /// step toward the projected gradient, which is feasible.
  void evenOut(Eigen::VectorXd& metric) const;

  mutable Eigen::VectorXd blockBefore, blockAfter;  ///< scratch of project()
};

inline void FreeSpace::project(Eigen::VectorXd& v) const {
  for (std::size_t k = 0; k < free.size(); ++k)
    if (!free[k]) v[k] = 0.0;
  for (const Block& block : blocks) {
    if (block.held == 0) continue;
    const auto size = static_cast<Eigen::Index>(block.active.size());
    if (blockBefore.size() < size) blockBefore.resize(size);
    if (blockAfter.size() < size) blockAfter.resize(size);
    for (Eigen::Index i = 0; i < size; ++i) blockBefore[i] = v[block.active[i]];
    blockAfter.head(size).noalias() = block.projector * blockBefore.head(size);
    for (Eigen::Index i = 0; i < size; ++i) v[block.active[i]] = blockAfter[i];
  }
}

inline void FreeSpace::evenOut(Eigen::VectorXd& metric) const {
  for (const Block& block : blocks) {
    if (block.ball >= 0) continue;
    double most = 0.0;
    for (const int k : block.active) most = std::max(most, metric[k]);
    for (const int k : block.active) metric[k] = most;
  }
}

}  // namespace limber

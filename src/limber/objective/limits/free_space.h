// SPDX-License-Identifier: MIT
// What the limits leave free at a pose, for a given gradient.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace limber {

/// Index: a joint; for LinearLower, LinearUpper and Equality one of the figure's linear limits.
enum class LimitKind { Lower, Upper, Swing, TwistLower, TwistUpper, LinearLower, LinearUpper, Equality };

/// A limit that holds a pose back: f would be lower beyond it.
struct ActiveLimit {
  LimitKind kind = LimitKind::Lower;
  int index = 0;            ///< see LimitKind
  double multiplier = 0.0;  ///< how far f falls for each radian (metre) that it gives way; >= 0 but for equalities

  bool operator==(const ActiveLimit&) const = default;
};

struct FreeSpace {
  /// Coordinates that limits take together: a limited ball, or scalars that linear limits tie.
  struct Block {
    std::vector<int> active;    ///< its coordinates, in active order
    int ball = -1;              ///< which of the feasible set's balls, -1 for scalars
    std::vector<char> holds;    ///< of scalars: which of their limits hold, in the order of the feasible set
    int held = 0;               ///< limits that hold; 0 leaves the projector the identity and the curvature zero
    bool holdsSwing = false;    ///< of a ball
    int twistSide = 0;          ///< of a ball: 1 where the upper twist limit holds, -1 the lower
    Eigen::MatrixXd projector;  ///< onto the directions that no limit holds, symmetric
    Eigen::MatrixXd curvature;  ///< sum over the limits that hold of multiplier * second derivative
  };
  std::vector<char> free;           ///< (active), 0 where a limit holds the coordinate outright
  std::vector<Block> blocks;        ///< the same ones, in the same order, at every pose of an objective
  std::vector<ActiveLimit> limits;  ///< those that hold

  /// v <- P v, (active x 1).
  void project(Eigen::VectorXd& v) const;

  mutable Eigen::VectorXd blockBefore, blockAfter;  ///< scratch of project(): not for two threads at once
};

inline void FreeSpace::project(Eigen::VectorXd& v) const {
  for (std::size_t k = 0; k < free.size(); ++k)
    if (!free[k]) v[static_cast<Eigen::Index>(k)] = 0.0;
  for (const Block& block : blocks) {
    if (block.held == 0) continue;
    const auto size = static_cast<Eigen::Index>(block.active.size());
    if (blockBefore.size() < size) blockBefore.resize(size);
    if (blockAfter.size() < size) blockAfter.resize(size);
    for (Eigen::Index i = 0; i < size; ++i) blockBefore[i] = v[block.active[static_cast<std::size_t>(i)]];
    blockAfter.head(size).noalias() = block.projector * blockBefore.head(size);
    for (Eigen::Index i = 0; i < size; ++i) v[block.active[static_cast<std::size_t>(i)]] = blockAfter[i];
  }
}

}  // namespace limber

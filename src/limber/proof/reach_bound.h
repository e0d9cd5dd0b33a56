// SPDX-License-Identifier: MIT
// Proves which points a chain of motions cannot reach. From the end effector to the base, the set W_i of all points
// that motion i and those after it can reach is extended by one motion at a time:
//
//   W_i = union over q of M_i(q) B_(i+1) W_(i+1)       W_(n+1) = the point
//   d_i(x) = min over q of d_(i+1)(B_(i+1)^-1 M_i(q)^-1 x)       d: the distance to W, since motions are isometries
//
// Each d_i is stored at the nodes of a grid, rounded down, and bounded between them by |d(x) - d(y)| <= |x - y|. The
// minimum is found by the same bound: a range of q whose middle is far from W is excluded as a whole, the others are
// halved (Piyavskii 1972). At distances of several cells of the map, only a lower bound is stored. So every number is a
// lower bound of the true distance, too small by a fraction of a grid step per motion. A millionth of the reach allows
// for rounding.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "limber/proof/reach_chain.h"

namespace limber {

class ReachBound {
 public:
  /// Called with the finished part, in [0, 1]; false cancels, and the bound then excludes nothing.
  using Watch = std::function<bool(double part)>;

  /// nodes: per side of each grid, at least 2. plane: for a figure that moves in the plane z = *plane, else null.
  ReachBound(ReachChain chain, int nodes, const double* plane = nullptr, const Watch& watch = {});

  /// True if the chain cannot reach any point within `radius` of x (world).
  bool excludes(const Eigen::Vector3d& x, double radius) const;

 private:
  /// A lower bound of the distance to W_i. Depends only on the distance from the origin if W_i consists of whole
  /// spheres.
  struct Field {
    enum class Shape { Radial, Planar, Spatial } shape = Shape::Spatial;
    double radius = 0.0, step = 0.0, plane = 0.0;
    int nodes = 0;
    std::vector<float> values;

    Eigen::Vector3d nodeAt(int i, int j, int k) const;
    double least(const Eigen::Vector3d& x) const;
    double leastInBall(const Eigen::Vector3d& x) const;
    double valueAt(const std::array<int, 3>& node, const Eigen::Vector3d& x, double& best) const;
  };
  /// The search for a minimum: whether it is above the threshold; with a slack, its value to within the slack, up to
  /// the cap.
  struct Search {
    double threshold, slack, cap;
    int budget;                                    ///< maximum number of evaluations
    Eigen::Vector2d at = Eigen::Vector2d::Zero();  ///< in: first guess; out: the position of the minimum
    bool hasGuess = false;
    double enough(double best) const;
  };

  double inner(std::size_t motion, const Eigen::Vector3d& x) const;
  double least(std::size_t motion, const Eigen::Vector3d& x, Search& search) const;
  double leastTurned(std::size_t motion, const Eigen::Vector3d& x, Search& search) const;
  double leastSwung(std::size_t motion, const Eigen::Vector3d& x, Search& search) const;
  double swung(std::size_t motion, const Eigen::Vector2d& by, const Eigen::Vector3d& x) const;
  double ofBall(std::size_t motion, const Eigen::Vector3d& x) const;
  bool fill(std::size_t motion, int nodes, const double* plane, const std::function<bool(double)>& watch);
  static void fillBeyond(Field& field);
  void fillNode(std::size_t motion, Field& field, const Eigen::Vector3d& node, std::size_t place, Search& search) const;

  ReachChain chain_;
  std::vector<ReachChain::Ball> balls_;  ///< one per motion
  std::vector<Transform> intoNext_;      ///< one per motion: B_(i+1)^-1, the identity for the last
  std::vector<Field> fields_;            ///< one per motion; without nodes: computed anew for each point
  std::size_t depth_ = 0;                ///< motions from here on are replaced by their ball
  double rounding_ = 0.0;
  bool isKnown_ = true;
};

}  // namespace limber

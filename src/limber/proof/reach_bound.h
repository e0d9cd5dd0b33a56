// SPDX-License-Identifier: MIT
// Places that a chain of motions cannot reach, proved. From the end effector to the base, the set W_i of all places
// that motion i and those after it give grows by one motion at a time:
//
//   W_i = union over q of M_i(q) B_(i+1) W_(i+1)       W_(n+1) = the point
//   d_i(x) = min over q of d_(i+1)(B_(i+1)^-1 M_i(q)^-1 x)       d: the distance to W, for the motions are isometries
//
// Each d_i is kept on the nodes of a grid, rounded down, and read between them by |d(x) - d(y)| <= |x - y|. The minimum
// is found by the same bound: a range of q whose middle is far from W is left out as a whole, the others are halved
// (Piyavskii 1972). Far away, by several cells of the map, a distance is only said to be at least so much. So every
// number is a lower bound of the true distance, short of it by a part of a grid's step for each motion. Rounding is
// allowed for by a millionth of the reach.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "limber/proof/reach_chain.h"

namespace limber {

class ReachBound {
 public:
  /// Told the part that is done, in [0, 1]; false cancels, and the bound then rules nothing out.
  using Watch = std::function<bool(double part)>;

  /// nodes: along a side of each grid, at least 2. plane: of a figure that moves in the plane z = *plane, else null.
  ReachBound(ReachChain chain, int nodes, const double* plane = nullptr, const Watch& watch = {});

  /// True when no place of the chain lies within `radius` of x (world).
  bool excludes(const Eigen::Vector3d& x, double radius) const;

 private:
  /// A lower bound of the distance to W_i. By distance from the origin alone where W_i is made of whole spheres.
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
  /// How a minimum is sought: whether it is above the threshold; if there is a slack, to within that, up to the cap.
  struct Search {
    double threshold, slack, cap;
    int budget;                                    ///< of evaluations
    Eigen::Vector2d at = Eigen::Vector2d::Zero();  ///< where to look first; then where it was least
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
  std::vector<ReachChain::Ball> balls_;  ///< one a motion
  std::vector<Transform> intoNext_;      ///< one a motion: B_(i+1)^-1, of the last the identity
  std::vector<Field> fields_;            ///< one a motion; without nodes: sought anew for each place
  std::size_t depth_ = 0;                ///< motions from here on are taken for their ball
  double rounding_ = 0.0;
  bool isKnown_ = true;
};

}  // namespace limber

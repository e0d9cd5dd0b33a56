// SPDX-License-Identifier: MIT
// Groups of links that move rigidly and look like one body.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "limber/kinematics/figure.h"

namespace limber {

struct RigidBody {
  std::vector<int> links;                           ///< ascending
  int main = -1;                                    ///< the link that has the shape; of hinges in a row, the last
  int parent = -1;                                  ///< the body that carries it, -1 for none
  std::vector<int> children;                        ///< in the order of their links
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< of the joint that moves it, world at rest, metres
  double reach = 0.0;  ///< the longest path outward from there, along joints and to a capsule's end, metres
  int count = 1;       ///< number of bodies: itself and all below
};

struct RigidBodies {
  std::vector<RigidBody> bodies;  ///< parents before children
  std::vector<int> bodyOfLink;

  int count() const { return static_cast<int>(bodies.size()); }
  const RigidBody& operator[](int body) const { return bodies[body]; }
  /// The distance from the parent's joint to the body's own, metres.
  double stepTo(int body) const;
  /// The same, plus the distance to its end.
  double armOf(int body) const { return stepTo(body) + (*this)[body].reach; }
};

/// A link that is fixed to its parent belongs to the parent's body. A parent without capsules and mass belongs to the
/// body of its only child, if both joints are at one point or the parent is a root.
/// cost  linear in the links
RigidBodies findRigidBodies(const Figure& figure);

}  // namespace limber

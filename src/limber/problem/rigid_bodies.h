// SPDX-License-Identifier: MIT
// Links that move as one: what joints between them do not show, a person takes for one thing.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "limber/kinematics/figure.h"

namespace limber {

struct RigidBody {
  std::vector<int> links;     ///< ascending
  int main = -1;              ///< the link that has the shape: of hinges in a row the last
  int parent = -1;            ///< the body that carries it, -1 for none
  std::vector<int> children;  ///< in the order of their links
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< of the joint that moves it, world at rest, metres
  double reach = 0.0;         ///< the longest way outward from there, along the joints and to the end, metres
  int count = 1;              ///< bodies: itself and all below
};

struct RigidBodies {
  std::vector<RigidBody> bodies;  ///< carriers before what they carry
  std::vector<int> bodyOfLink;

  int count() const { return static_cast<int>(bodies.size()); }
  const RigidBody& operator[](int body) const { return bodies[body]; }
  /// From the joint of what carries it to its own.
  double stepTo(int body) const;
  /// The same, and on to its end.
  double armOf(int body) const { return stepTo(body) + (*this)[body].reach; }
};

/// A link that is fixed to its parent is of the parent's body. So is a parent without capsules and mass of its
/// only child's, where both joints stand at one place, or the parent is a root.  cost: linear
RigidBodies findRigidBodies(const Figure& figure);

}  // namespace limber

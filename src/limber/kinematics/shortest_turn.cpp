// SPDX-License-Identifier: MIT
#include "limber/kinematics/shortest_turn.h"

namespace limber {

Eigen::Quaterniond shortestTurn(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  return Eigen::Quaterniond::FromTwoVectors(from, to);
}

}  // namespace limber

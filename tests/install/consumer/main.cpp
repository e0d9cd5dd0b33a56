// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "kinematics/forward_kinematics.h"
#include "kinematics/standard_figures.h"

// The last of three unit links along x starts at x = 2.
int main() {
  const auto chain = limber::makePlanarChain(3);
  limber::Kinematics kinematics;
  limber::computeKinematics(*chain, limber::restPose(*chain), kinematics);
  const double x = (kinematics.worldFromLink.back() * Eigen::Vector3d::Zero().eval()).x();
  return x == 2.0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

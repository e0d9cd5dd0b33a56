// SPDX-License-Identifier: MIT
#include "bench/peers/entrants.h"

namespace limber::bench {

Entrants makeEntrants() {
  Entrants entrants;
  addLimberEntrants(entrants);
#ifdef LIMBER_PEER_KDL
  addKdlEntrants(entrants);
#endif
#ifdef LIMBER_PEER_NLOPT
  addNloptEntrants(entrants);
#endif
#ifdef LIMBER_PEER_CERES
  addCeresEntrants(entrants);
#endif
#ifdef LIMBER_PEER_MUJOCO
  addMujocoEntrants(entrants);
#endif
  return entrants;
}

std::vector<std::string> missingPeers() {
  std::vector<std::string> missing;
#ifndef LIMBER_PEER_KDL
  missing.push_back("Orocos KDL (liborocos-kdl-dev)");
#endif
#ifndef LIMBER_PEER_NLOPT
  missing.push_back("NLopt (libnlopt-dev)");
#endif
#ifndef LIMBER_PEER_CERES
  missing.push_back("Ceres (libceres-dev)");
#endif
#ifndef LIMBER_PEER_MUJOCO
  missing.push_back("MuJoCo (libmujoco-dev)");
#endif
  return missing;
}

}  // namespace limber::bench

// SPDX-License-Identifier: MIT
// Who takes part. The libraries' files are built where the library is installed.
#pragma once

#include "bench/peers/contest.h"

namespace limber::bench {

using Entrants = std::vector<std::unique_ptr<Entrant>>;

void addLimberEntrants(Entrants& entrants);
void addKdlEntrants(Entrants& entrants);
void addNloptEntrants(Entrants& entrants);
void addCeresEntrants(Entrants& entrants);
void addMujocoEntrants(Entrants& entrants);

/// Limber's methods, then those of every library that was found.
Entrants makeEntrants();

/// "Orocos KDL", ...: the libraries that this program was built without.
std::vector<std::string> missingPeers();

}  // namespace limber::bench

// SPDX-License-Identifier: MIT
// Ways of an arm within its limits, near a start: for solvers that continue from them.
#pragma once

#include <vector>

#include "limber/ways/arm_solver.h"

namespace limber::ways {

class NearWays {
 public:
  /// Finds ways within the limits of the chain, with angles by whole turns as near to the start as the limits allow.
  /// All of an arm of up to six joints are found, as far as a Quick solve finds them. For seven joints, one joint is
  /// held at its start, then at values farther and farther from it, until there are `most`. The nearest way is the
  /// first. Allocates nothing when warm.
  const std::vector<Coordinates>& find(const ArmSolver& solver, const Transform& worldFromTip, const Coordinates& start,
                                       int most);

 private:
  void take(const ArmSolver& solver, const Coordinates& start);

  Ways ways_;
  std::vector<Coordinates> found_;
};

}  // namespace limber::ways

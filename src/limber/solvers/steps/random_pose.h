// SPDX-License-Identifier: MIT
// Random poses within the limits, the same on every machine.
#pragma once

#include <cstdint>

#include "limber/objective/objective.h"

namespace limber {

/// SplitMix64 (Steele, Lea and Flood 2014): its state is one word and needs no warm-up.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed = 0) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// A number in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  double uniform(double lower, double upper) { return lower + (upper - lower) * uniform(); }

 private:
  std::uint64_t state_;
};

/// out = `around` with its active scalars uniform within their limits, its active balls uniform within cone and twist,
/// then projected into the feasible set. Coordinates without limits are uniform within a turn (a mean link length) of
/// `around`; in a chain of n such joints within a turn times sqrt(4 / n). Free joints stay. space: of any pose of the
/// objective.
void randomizePose(const Objective& objective, const FreeSpace& space, const Pose& around, RandomStream& random,
                   Pose& out);

}  // namespace limber

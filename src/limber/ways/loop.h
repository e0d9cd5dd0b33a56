// SPDX-License-Identifier: MIT
// The equation  E_1(q_1) ... E_n(q_n) = goal  of an arm, and the list of its answers. The arm
// with its goal is a closed loop, so that any joint can be the first: with the goal G
//
//   E_2 ... E_n (G^-1 E_1 G) = G.
#pragma once

#include <array>

#include "limber/ways/screw.h"

namespace limber::ways {

/// Loops of seven joints are only solved with one joint held, see without().
inline constexpr int kMaxLoop = 7;

struct Loop {
  int count = 0;
  std::array<Screw, kMaxLoop> screws = {};
  std::array<int, kMaxLoop> joint = {};         ///< of the arm, for each screw
  std::array<double, kMaxLoop> preferred = {};  ///< coordinate of each screw that has no effect
  Transform goal = {};
};

/// The same loop, seen from its joint `first` on.
Loop startedAt(int first, const Loop& loop);
/// The loop with joint `index` held at a coordinate.
Loop without(int index, double coordinate, const Loop& loop);

/// Coordinates that solve a loop, before Newton's method; some do not solve it.
struct Candidates {
  static constexpr int kMax = 192;
  int count = 0;
  std::array<std::array<double, kMaxJoints>, kMax> value = {};  ///< by joint of the arm
  bool isFree = false;      ///< a coordinate had no effect: there is a family of answers
  bool isUnsure = false;    ///< rounding may hide an answer that has another one very close
  bool isOverflow = false;  ///< more than kMax

  void add(const Loop& loop, const std::array<double, kMaxLoop>& coordinates);
};

}  // namespace limber::ways

// SPDX-License-Identifier: MIT
// Joints that follow others, as robot files state them, brought into the form that a figure wants: no driver follows
// anything itself, and the rest pose obeys all limits.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limber/kinematics/figure_builder.h"

namespace limber::io {

/// q_follower = c0 + c1 q_driver + ... + c4 q_driver^4. No driver (-1): the follower stands at c0.
struct FollowRule {
  int follower = 0;
  int driver = 0;
  std::array<double, 5> polynomial = {0, 1, 0, 0, 0};
};

struct FollowFault {
  enum class Kind {
    Cycle,      ///< the joints drive one another: the rule is left out
    NotScalar,  ///< follower or driver is neither revolute nor prismatic: left out
    Twice,      ///< the follower has a rule already: left out
    Degree,     ///< what follows from a chain of rules is beyond a quartic: left out
    Limits,     ///< the follower's limits cannot be met: these are left out
  };
  Kind kind = Kind::Cycle;
  std::size_t rule = 0;  ///< place in the list that was given
};

/// outer(inner(q)); nothing when it is beyond a quartic.
std::optional<std::array<double, 5>> compose(const std::array<double, 5>& outer, const std::array<double, 5>& inner);

/// Adds the couplings and sets the rest of every scalar joint: `wanted` (by joint), moved as little as the limits of
/// the joint and of what follows it ask. All joints have been added.
std::vector<FollowFault> addFollowRules(const std::vector<FollowRule>& rules, const std::vector<double>& wanted,
                                        FigureBuilder& builder);

/// A sentence for people.
std::string describe(const FollowFault& fault, const std::vector<FollowRule>& rules, FigureBuilder& builder);

}  // namespace limber::io

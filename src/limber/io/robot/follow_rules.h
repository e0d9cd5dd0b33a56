// SPDX-License-Identifier: MIT
// Mimic joints of robot files as couplings of a figure, in which no driver follows another joint and the rest pose
// obeys all limits.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limber/kinematics/figure_builder.h"

namespace limber::io {

/// q_follower = c0 + c1 q_driver + ... + c4 q_driver^4; without a driver (-1) q_follower = c0.
struct FollowRule {
  int follower = 0;
  int driver = 0;
  std::array<double, 5> polynomial = {0, 1, 0, 0, 0};
};

struct FollowFault {
  enum class Kind {
    Cycle,      ///< the joints drive each other: the rule is left out
    NotScalar,  ///< follower or driver is neither revolute nor prismatic: left out
    Twice,      ///< the follower has a rule already: left out
    Degree,     ///< a chain of rules has a degree above 4: left out
    Limits,     ///< the follower's limits cannot be met: they are left out
  };
  Kind kind = Kind::Cycle;
  std::size_t rule = 0;  ///< index in the given list
};

/// outer(inner(q)); nothing when its degree is above 4.
std::optional<std::array<double, 5>> compose(const std::array<double, 5>& outer, const std::array<double, 5>& inner);

/// Adds the couplings, and sets the rest coordinate of every scalar joint to the value nearest to `wanted` (by joint)
/// at which the joint and its followers are within their limits. The builder must have all joints.
std::vector<FollowFault> addFollowRules(const std::vector<FollowRule>& rules, const std::vector<double>& wanted,
                                        FigureBuilder& builder);

/// The fault as a sentence for people.
std::string describe(const FollowFault& fault, const std::vector<FollowRule>& rules, FigureBuilder& builder);

}  // namespace limber::io

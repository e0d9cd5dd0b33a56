// SPDX-License-Identifier: MIT
// Lengths, transforms, joint limits and couplings, as figure, scene and problem files write them. Readers throw
// JsonFault.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>

#include "limber/kinematics/figure.h"

namespace limber::io {

class JsonValue;

using IndexByName = std::unordered_map<std::string, int>;

inline constexpr double kLargestLength = 1e9;   ///< metres; products of lengths cannot overflow
inline constexpr double kLargestWeight = 1e12;  ///< of goals and of the regulariser
inline constexpr int kLargestId = 1'000'000'000;

/// Three lengths of at most kLargestLength.
Eigen::Vector3d lengthsFromJson(const JsonValue& value);
/// The transform of "position" and "rotation"; each defaults to the identity.
Transform placeFromJson(const JsonValue& value);

/// "limits" of a joint: [lower, upper], null for no limit.
Interval intervalFromJson(const JsonValue& value);
nlohmann::ordered_json intervalToJson(const Interval& interval);

/// "ball_limits" of a ball joint. Axes are normalised; missing keys have their defaults.
BallLimits ballLimitsFromJson(const JsonValue& value);
nlohmann::ordered_json ballLimitsToJson(const BallLimits& limits);

/// An element of a figure's "couplings", and of its "linear_limits".
Coupling couplingFromJson(const JsonValue& value, const IndexByName& jointByName,
                          const std::function<bool(int)>& isBall);
nlohmann::ordered_json couplingToJson(const Figure& figure, const Coupling& coupling);
LinearLimit linearLimitFromJson(const JsonValue& value, const IndexByName& jointByName);
nlohmann::ordered_json linearLimitToJson(const Figure& figure, const LinearLimit& limit);

}  // namespace limber::io

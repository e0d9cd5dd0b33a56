// SPDX-License-Identifier: MIT
// Lengths, places, and what bounds and ties coordinates, in the words of figures, scenes and problems. Readers throw
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

inline constexpr double kLargestLength = 1e9;   ///< metres; keeps products of lengths far from overflow
inline constexpr double kLargestWeight = 1e12;  ///< of goals, and of the regulariser
inline constexpr int kLargestId = 1'000'000'000;

/// Three lengths, none beyond kLargestLength.
Eigen::Vector3d lengthsFromJson(const JsonValue& value);
/// The object's "position" and "rotation"; the identity where they are missing.
Transform placeFromJson(const JsonValue& value);

/// A joint's "limits": [lower, upper], null for an open end.
Interval intervalFromJson(const JsonValue& value);
nlohmann::ordered_json intervalToJson(const Interval& interval);

/// A ball joint's "ball_limits". Axes are brought to unit length; a missing key takes its default.
BallLimits ballLimitsFromJson(const JsonValue& value);
nlohmann::ordered_json ballLimitsToJson(const BallLimits& limits);

/// One of a figure's "couplings" and "linear_limits".
Coupling couplingFromJson(const JsonValue& value, const IndexByName& jointByName,
                          const std::function<bool(int)>& isBall);
nlohmann::ordered_json couplingToJson(const Figure& figure, const Coupling& coupling);
LinearLimit linearLimitFromJson(const JsonValue& value, const IndexByName& jointByName);
nlohmann::ordered_json linearLimitToJson(const Figure& figure, const LinearLimit& limit);

}  // namespace limber::io

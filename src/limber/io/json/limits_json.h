// SPDX-License-Identifier: MIT
// What bounds and ties coordinates, in the words of figure and scene files. Readers throw JsonFault.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>

#include "limber/kinematics/figure.h"

namespace limber::io {

class JsonValue;

using IndexByName = std::unordered_map<std::string, int>;

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

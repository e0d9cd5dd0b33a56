// SPDX-License-Identifier: MIT
// What moves when a point is dragged, as problems and scenes say it: "posing" and "body_follows".
#pragma once

#include "io/json.h"
#include "io/json_format.h"
#include "scene/document.h"

namespace limber::io {

/// Reads both keys of an object where they are; without them the settings stay as they are.
void readPosing(const JsonValue& value, SolverSettings& settings);

/// Writes what differs from the default.
void appendPosing(const SolverSettings& settings, OrderedJson& out);

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// What moves when a point is dragged, as problems and scenes say it: "posing" and "body_follows".
#pragma once

#include "limber/io/base/json.h"
#include "limber/io/base/json_format.h"
#include "limber/scene/document.h"

namespace limber::io {

/// Reads both keys of an object where they are; without them the settings stay as they are.
void readPosing(const JsonValue& value, SolverSettings& settings);

/// Writes what differs from the default.
void appendPosing(const SolverSettings& settings, OrderedJson& out);

}  // namespace limber::io

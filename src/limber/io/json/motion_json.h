// SPDX-License-Identifier: MIT
// The motion in a scene: channels with a row of raw values per frame, tracks of keys, or a pose per frame; or a layer
// of keys over one of these (scene/motion_layer.h).
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "limber/scene/motion.h"

namespace limber::io {

class JsonValue;

/// Both throw JsonFault.
std::shared_ptr<const Motion> motionFromJson(const JsonValue& value, const Figure& figure);
nlohmann::ordered_json motionToJson(const Motion& motion, const Figure& figure);

}  // namespace limber::io

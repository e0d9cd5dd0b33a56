// SPDX-License-Identifier: MIT
// Joint states for other programs: what each joint of a take stands at, in the units of the figure's file.
#pragma once

#include <string>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

/// A pose (io/json/pose_json.h) for a document without a motion, else {"frame_time": seconds, "frames": [pose, ...]}.
Result<std::string> formatJointStatesJson(const Document& document);

/// A line a frame after the header line  time [s],shoulder [rad],slider [file units],hip.x,hip.y,hip.z,hip.w ...  :
/// every joint that moves; of a ball its quaternion, of a free joint x, y, z before it (as name.tx, name.ty, name.tz).
/// A freed base is told by both only where some frame has moved it.
Result<std::string> formatJointStatesCsv(const Document& document);

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// Joint states for other programs: the joint coordinates of a take, in the units of the figure's file.
#pragma once

#include <string>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

/// A pose (io/json/pose_json.h) for a document without a motion, else {"frame_time": seconds, "frames": [pose, ...]}.
Result<std::string> formatJointStatesJson(const Document& document);

/// One line per frame after the header  time [s],shoulder [rad],slider [file units],hip.x,hip.y,hip.z,hip.w ...  for
/// all joints that can move. Ball joints have a quaternion, free joints a position (name.tx, name.ty, name.tz) and a
/// quaternion. Both formats name a freed base only if some frame moves it.
Result<std::string> formatJointStatesCsv(const Document& document);

}  // namespace limber::io

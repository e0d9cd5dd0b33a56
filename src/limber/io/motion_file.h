// SPDX-License-Identifier: MIT
// Motions from files for a figure that is already open, and joint states as files.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

struct ReadMotions {
  std::vector<std::shared_ptr<const Motion>> motions;  ///< all motions of the file; at least one
  std::shared_ptr<const Motion> shown;                 ///< the one that is shown when the file opens
  std::vector<std::string> notes;                      ///< on contradicted couplings
};

/// The motions of a file, as motions of the problem's figure: joint states as below, or a file with a figure and a
/// motion. Joints are matched by name where the figure has every joint that moves in the file, with the same type and
/// the same frame at rest; otherwise the same coordinates would be another pose. Followers have the values of their
/// couplings, and other joints of the figure stay at rest.
///
/// If the joints do not match and both figures are human bodies, the motions are retargeted part by part: by the bones
/// of VRM between avatars and VRM animations (io/gltf/vrm_rig.h), otherwise like a pose of the library
/// (body/retarget_pose.h), within the limits of the problem's joints.
Result<ReadMotions> readMotionsFor(const IkProblem& problem, const std::filesystem::path& path,
                                   const OpenContext& context = {});
/// The motion that the file shows.
Result<std::shared_ptr<const Motion>> readMotionFor(const IkProblem& problem, const std::filesystem::path& path);

// Joint states for other programs: the joint coordinates of a take, in the units of the figure's file.

/// A pose (io/json/pose_json.h) for a document without a motion, else {"frame_time": seconds, "frames": [pose, ...]}.
Result<std::string> formatJointStatesJson(const Document& document);

/// One line per frame after the header  time [s],shoulder [rad],slider [file units],hip.x,hip.y,hip.z,hip.w ...  for
/// all joints that can move. Ball joints have a quaternion, free joints a position (name.tx, name.ty, name.tz) and a
/// quaternion. Both formats name a freed base only if some frame moves it.
Result<std::string> formatJointStatesCsv(const Document& document);

/// True for a table whose first cell is "time [s]", as formatJointStatesCsv writes it.
bool looksLikeJointStatesCsv(std::string_view text);

/// The motion of such a table. Its columns may be in any order; joints without columns stay at rest. The times may
/// begin anywhere and must be evenly spaced. Errors name the line and the column.
///
/// mostFrames  a longer table is refused
/// isNamed     gets an entry per link: 1 if its joint has columns
Result<std::shared_ptr<const Motion>> parseJointStatesCsv(std::string_view text, const std::string& file,
                                                          const Figure& figure, std::size_t mostFrames,
                                                          std::vector<char>& isNamed);

}  // namespace limber::io

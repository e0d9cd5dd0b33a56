// SPDX-License-Identifier: MIT
// What VRM adds to glTF for posing: which node is which part of a human body.
#pragma once

#include <map>
#include <string>

#include "limber/io/gltf/gltf_file.h"

namespace limber::io {

struct VrmHumanoid {
  int version = -1;                    ///< 0 or 1; -1 for a file that is no VRM
  std::map<int, std::string> boneOf;   ///< node to bone, "leftUpperArm", as VRM 1 names them
};

/// extensions.VRM (0.x) or extensions.VRMC_vrm (1.0). Throws JsonFault.
VrmHumanoid readVrmHumanoid(const GltfFile& file);

}  // namespace limber::io

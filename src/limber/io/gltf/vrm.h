// SPDX-License-Identifier: MIT
// The humanoid of a VRM file: which node is which bone of a human body.
#pragma once

#include <map>
#include <string>

#include "limber/io/gltf/gltf_file.h"

namespace limber::io {

struct VrmHumanoid {
  int version = -1;                   ///< 0 or 1; -1 for a file that is no VRM
  std::map<int, std::string> boneOf;  ///< by node: the bone by its name in VRM 1, "leftUpperArm"
};

/// Reads extensions.VRM (0.x) or extensions.VRMC_vrm (1.0). Throws JsonFault.
VrmHumanoid readVrmHumanoid(const GltfFile& file);

}  // namespace limber::io

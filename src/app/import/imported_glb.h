// SPDX-License-Identifier: MIT
// A scene that assimp has read, as GLB.
#pragma once

#include <filesystem>
#include <string>

#include "app/import/imported_nodes.h"

namespace limber::app {

/// Nodes with their names and the full precision of their transforms, meshes with skins and morph targets, materials,
/// and an animation for each of the scene's. `file` is where the scene was read, for its images. Throws JsonFault and
/// std::length_error with a sentence.
std::string glbOf(const aiScene& scene, const std::filesystem::path& file, const ImportFrame& frame);

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// glTF 2.0 (.gltf, .glb), VRM 0 and 1 (.vrm) and VRM animations (.vrma): reads figures with skins and motions, writes
// poses and motions back into the figure's file, and writes new files. docs/formats.md explains the choices.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "limber/io/export_formats.h"
#include "limber/io/figure_source.h"

namespace limber::io {

/// True for the magic word of a GLB, and for JSON with a top-level member "asset".
bool looksLikeGltf(std::string_view bytes);
/// True for such a file with a VRM extension.
bool looksLikeVrm(std::string_view bytes);
/// True for such a file with a VRM animation.
bool looksLikeVrma(std::string_view bytes);

/// The figure and skin of the file's scene, and the file itself. Notes name what was guessed or left out. Buffers and
/// images in other files are searched relative to `path` (findUri()).
Result<FigureSource> readGltf(std::string_view bytes, const std::filesystem::path& path,
                              const OpenContext& context = {});

/// Without a motion, the transforms of the nodes that were posed are replaced by those of the document's pose. With a
/// motion, the nodes are unchanged and each motion is an animation: the file's own animation that it came from, with
/// the pose of the present frame, or a new one. New keys are appended to a GLB's binary chunk, or to a .gltf as a
/// buffer with a data URI.
///
/// Meshes, materials, extensions, extras, other animations and all chunks but the JSON stay byte for byte; so does the
/// whole file when nothing was posed.
///
/// isBinary  true for GLB, false for JSON; by default as the file. The other container holds all buffers and pictures.
///
/// Errors: the figure did not come from a glTF file, its bones are no longer those of the file, or the pose is not
/// finite.
Result<Exported> formatGltf(const Document& document, std::optional<bool> isBinary = std::nullopt);

/// A new file, for a figure that did not come from one. One node for each link, with the link's name and its capsules
/// as a mesh; metres, y up. With a motion (scene/document.h) the nodes have the rest pose, and each motion is an
/// animation with a key per frame for every joint that can move: a rotation, and for prismatic and free joints a
/// translation. Without a motion the nodes have the document's pose. Numbers are floats.
///
/// isBinary  true for GLB, false for JSON with a data URI
/// Errors: a pose is not finite. Throws nothing.
Result<std::string> formatNewGltf(const Document& document, bool isBinary);

/// A VRM animation: the humanoid bones of the figure in the T-pose, and the take with a key per frame for the rotation
/// of each bone and the position of the hips (vrm_rig.h). Numbers are floats.
///
/// Errors: a pose is not finite; the figure is not a human body. Throws nothing.
Result<Exported> formatVrma(const Document& document);

}  // namespace limber::io

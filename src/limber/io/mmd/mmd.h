// SPDX-License-Identifier: MIT
// Motions (.vmd) and poses (.vpd) of MikuMikuDance. They have bones by name, without a skeleton: they open as a body of
// common proportions (mmd_bones.h) in the T-pose, whose links are bones of VRM, so that any other body takes the
// motion.
#pragma once

#include <filesystem>
#include <string_view>

#include "limber/io/export_formats.h"
#include "limber/io/figure_source.h"

namespace limber::io {

bool looksLikeVmd(std::string_view bytes);
bool looksLikeVpd(std::string_view bytes);

/// All frames at 30 a second, between keys as MikuMikuDance interpolates. Legs reach the places of their IK bones,
/// unless the file switches that off, or turns the legs and has no key of these. Bones that models do not have in
/// common, expressions, cameras and lights are left out with a note.
Result<FigureSource> readVmd(std::string_view bytes, const std::filesystem::path& path,
                             const OpenContext& context = {});

/// A pose as a motion of one frame.
Result<FigureSource> readVpd(std::string_view bytes, const std::filesystem::path& path,
                             const OpenContext& context = {});

/// The take (scene/document.h) of a human body at 30 frames a second, with IK of the legs switched off. Errors: a pose
/// is not finite; the figure is no human body.
Result<Exported> formatVmd(const Document& document);

/// The pose. The bones of the legs' IK have the places of the ankles.
Result<Exported> formatVpd(const Document& document);

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// Scenes of USD in text form (.usda): a skeleton with its animations (UsdSkel), or a robot of bodies and joints
// (UsdPhysics).
#pragma once

#include "limber/io/figure_source.h"

namespace limber::io {

/// True for "#usda".
bool looksLikeUsda(std::string_view text);

/// The robot of the joints of the scene, if there are any, else the skeleton with most joints. Notes name what was left
/// out. Errors: invalid text, neither joints nor a skeleton, cycles.
Result<FigureSource> readUsda(std::string_view text, const std::filesystem::path& path,
                              const OpenContext& context = {});

class UsdaScene;
/// The parts of readUsda. Throw a Fault or an Error.
Result<FigureSource> readUsdaSkeleton(const UsdaScene& scene, int skeleton, const std::filesystem::path& path);
Result<FigureSource> readUsdaRobot(const UsdaScene& scene, const std::filesystem::path& path,
                                   const OpenContext& context);

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// Where shaders, figures and fonts are: beside the binary, wherever it was built, installed or copied to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace limber::io {

/// The program "limber": this one, or one in the same folder.
std::optional<std::filesystem::path> findProgram();

/// The file or folder `relative` ("shaders/mesh.vert", "figures") in the first of these that has it:
///
///   1. $LIMBER_RESOURCES            a developer's or packager's word goes first
///   2. <executable>/../share/limber an installation, and the build tree, which has the same shape
///   3. <executable>/share/limber    a folder that was unpacked and carried about
///   4. the share folder of the build that made this binary: a test or tool that stands elsewhere
std::optional<std::filesystem::path> findResource(const std::string& relative);

/// The files of the folder `relative` whose names end in `extension` (".limber"), by name. The folder is the one that
/// findResource gives; none is no files.
std::vector<std::filesystem::path> listResources(const std::string& relative, const std::string& extension);

/// Where the program stands, for platforms that do not tell. Call once, first thing in main, with argv[0].
void setExecutablePath(const char* argv0);

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// The folder of shaders, figures and fonts, relative to the executable in the build tree, an installation or a copy,
// and the folders for the user's files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace limber::io {

/// The program "limber": this executable, or one in the same folder.
std::optional<std::filesystem::path> findProgram();

/// The file or folder `relative` ("shaders/mesh.vert", "figures") in the first of these folders that has it:
///
///   1. $LIMBER_RESOURCES            set by developers and packagers
///   2. <executable>/../share/limber an installation, and the build tree, which has the same layout
///   3. <executable>/share/limber    an unpacked folder
///   4. the share folder of the build that made this binary: tests and tools elsewhere in the build tree
std::optional<std::filesystem::path> findResource(const std::string& relative);

/// The files in the folder findResource(relative) whose names end in `extension` (".limber"), sorted by name. Empty
/// without such a folder.
std::vector<std::filesystem::path> listResources(const std::string& relative, const std::string& extension);

/// `below` in the user's folder that an XDG variable ("XDG_STATE_HOME") names, else in `usual` (".local/state") of the
/// home folder; empty if neither the variable nor HOME is set.
std::filesystem::path inUserFolder(const char* variable, const char* usual, const char* below);

/// Sets the path of the executable on platforms that cannot query it. Call once at the start of main with argv[0].
void setExecutablePath(const char* argv0);

}  // namespace limber::io

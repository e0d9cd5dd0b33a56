// SPDX-License-Identifier: MIT
// The filters of the dialogs for opening and saving, for each command that takes a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/editing/command.h"
#include "app/editing/file_listing.h"
#include "limber/scene/document.h"

namespace limber::app {

/// The filters to choose from: the first is the default, the last shows all files. Those of an export are the formats
/// in which the document can be written.
std::vector<FileFilter> fileFilters(Command command, const Document& document);

/// The index of the filter whose only ending is that of the name, else 0.
int filterFor(const std::vector<FileFilter>& filters, const std::string& name);

/// The name with its ending replaced by the filter's, if the filter has exactly one.
std::string withEndingOf(const FileFilter& filter, const std::string& name);

/// The suggested name of an export, in the format of the document's source if that can be written, else in the usual
/// one: BVH for bodies and characters, joint states for robots and chains.
std::string exportName(const Document& document);

/// The name without its last ending if another ending of the filters precedes it: "walk.bvh.json", typed in front of a
/// suggested ending, becomes "walk.bvh".
std::string withOneEnding(const std::vector<FileFilter>& filters, const std::string& name);

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// Which files the dialog for opening and saving shows, by what it is asked for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/editing/ui_state.h"
#include "limber/scene/document.h"

namespace limber::app {

/// To choose among, the first to begin with; the last is every file. When exporting: the formats that the document can
/// be written in.
std::vector<FileFilter> fileFilters(FileBrowserState::Purpose purpose, const Document& document);

/// Of the filters, the one that has this name's ending alone, else the first.
int filterFor(const std::vector<FileFilter>& filters, const std::string& name);

/// The name with the filter's ending in the place of its own, where the filter has one alone and the name another.
std::string withEndingOf(const FileFilter& filter, const std::string& name);

/// What an export is called to begin with, in the format that the document came in, else in that in which its kind is
/// passed on: BVH for bodies and characters, joint states for robots and chains.
std::string exportName(const Document& document);

/// The name without its last ending where it has one of the filters' before it: "walk.bvh.json", a whole name typed over
/// what stood before the ending that was suggested, is "walk.bvh".
std::string withOneEnding(const std::vector<FileFilter>& filters, const std::string& name);

}  // namespace limber::app

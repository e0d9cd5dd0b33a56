// SPDX-License-Identifier: MIT
#include "app/editing/file_listing.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "limber/io/base/text.h"

namespace limber::app {

namespace {
namespace fs = std::filesystem;

bool comesBefore(const FileEntry& a, const FileEntry& b) {
  if (a.isFolder != b.isFolder) return a.isFolder;
  const std::string lowerA = io::lowerCase(a.name), lowerB = io::lowerCase(b.name);
  return lowerA != lowerB ? lowerA < lowerB : a.name < b.name;
}

}  // namespace

bool passes(const FileFilter& filter, const std::string& name) {
  if (filter.extensions.empty()) return true;
  const std::string lower = io::lowerCase(name);
  return std::any_of(filter.extensions.begin(), filter.extensions.end(), [&](std::string_view extension) {
    return lower.size() > extension.size() && lower.ends_with(extension);
  });
}

Listing listFolder(const fs::path& folder, const FileFilter& filter, bool showHidden) {
  Listing listing;
  std::error_code error;
  fs::directory_iterator it(folder, fs::directory_options::none, error), end;
  if (error) {
    listing.error = folder.string() + ": " + error.message();
    return listing;
  }
  for (std::size_t visited = 0; it != end && !error; it.increment(error), ++visited) {
    if (visited >= kMaxVisited) {
      listing.isCut = true;
      break;
    }
    FileEntry entry;
    entry.name = it->path().filename().string();
    if (!showHidden && entry.name.starts_with('.')) continue;
    std::error_code ignored;
    entry.isFolder = it->is_directory(ignored);
    if (!entry.isFolder && !passes(filter, entry.name)) continue;
    if (!entry.isFolder) entry.size = it->file_size(ignored);
    if (ignored) entry.size = 0;
    listing.entries.push_back(std::move(entry));
  }
  std::sort(listing.entries.begin(), listing.entries.end(), comesBefore);
  if (listing.entries.size() > kMaxEntries) {
    listing.entries.resize(kMaxEntries);
    listing.isCut = true;
  }
  return listing;
}

fs::path typedPath(const fs::path& folder, const std::string& typed) {
  const char* home = std::getenv("HOME");
  if (home && (typed == "~" || typed.starts_with("~/"))) return fs::path(home + typed.substr(1)).lexically_normal();
  const fs::path path(typed);
  return (path.is_absolute() ? path : folder / path).lexically_normal();
}

std::string complete(const fs::path& folder, const std::string& typed, bool showHidden) {
  const std::size_t slash = typed.find_last_of('/');
  const std::string head = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string tail = typed.substr(head.size());
  const bool hidden = showHidden || tail.starts_with('.');
  const Listing listing = listFolder(head.empty() ? folder : typedPath(folder, head), {}, hidden);
  std::string common;
  int matches = 0;
  bool isFolder = false;
  for (const FileEntry& entry : listing.entries) {
    if (!entry.name.starts_with(tail)) continue;
    isFolder = entry.isFolder;
    if (matches++ == 0) {
      common = entry.name;
      continue;
    }
    const auto differ = std::mismatch(common.begin(), common.end(), entry.name.begin(), entry.name.end());
    common.erase(differ.first, common.end());
  }
  if (matches == 0) return typed;
  return head + common + (matches == 1 && isFolder ? "/" : "");
}

std::string withExtension(const std::string& name, std::string_view extension) {
  return io::lowerCase(name).ends_with(extension) ? name : name + std::string(extension);
}

std::string sizeText(std::uintmax_t bytes) {
  char text[32];
  if (bytes < 1000) std::snprintf(text, sizeof text, "%d B", static_cast<int>(bytes));
  else if (bytes < 1000000) std::snprintf(text, sizeof text, "%.0f kB", static_cast<double>(bytes) / 1e3);
  else std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / 1e6);
  return text;
}

}  // namespace limber::app

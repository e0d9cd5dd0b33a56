// SPDX-License-Identifier: MIT
#include "limber/io/base/resources.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>

namespace limber::io {
namespace fs = std::filesystem;
namespace {

fs::path executableFromArguments;

/// The path of the executable: from Linux, with symbolic links resolved; elsewhere from setExecutablePath(), or empty.
fs::path executable() {
  std::error_code ignored;
  const fs::path running = fs::read_symlink("/proc/self/exe", ignored);
  return running.empty() ? executableFromArguments : running;
}

fs::path executableFolder() { return executable().parent_path(); }

}  // namespace

void setExecutablePath(const char* argv0) {
  std::error_code ignored;
  executableFromArguments = fs::weakly_canonical(argv0 ? argv0 : "", ignored);
}

std::optional<fs::path> findProgram() {
  std::error_code ignored;
  const fs::path running = executable();
  if (running.stem() == "limber") return running;
  const fs::path beside = running.parent_path() / (std::string("limber") + running.extension().string());
  if (!running.empty() && fs::is_regular_file(beside, ignored)) return beside;
  return std::nullopt;
}

std::optional<fs::path> findResource(const std::string& relative) {
  const char* chosen = std::getenv("LIMBER_RESOURCES");
  const fs::path folder = executableFolder();
  const std::array<fs::path, 5> folders = {
      chosen ? fs::path(chosen) : fs::path(),
      folder.empty() ? fs::path() : (folder / LIMBER_SHARE_FROM_BIN).lexically_normal(),
      folder.empty() ? fs::path() : folder / "share" / "limber",
      LIMBER_BUILD_SHARE,
      LIMBER_INSTALLED_SHARE,  // for other programs that link the library
  };
  for (const fs::path& place : folders) {
    std::error_code ignored;
    if (!place.empty() && fs::exists(place / relative, ignored)) return place / relative;
  }
  return std::nullopt;
}

fs::path inUserFolder(const char* variable, const char* usual, const char* below) {
  if (const char* folder = std::getenv(variable); folder && *folder) return fs::path(folder) / below;
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / usual / below;
  return {};
}

std::vector<fs::path> listResources(const std::string& relative, const std::string& extension) {
  std::vector<fs::path> files;
  const auto folder = findResource(relative);
  if (!folder) return files;
  std::error_code fault;
  for (fs::directory_iterator at(*folder, fault), end; !fault && at != end; at.increment(fault))
    if (at->path().extension() == extension) files.push_back(at->path());
  std::ranges::sort(files);
  return files;
}

}  // namespace limber::io

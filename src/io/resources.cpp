// SPDX-License-Identifier: MIT
#include "io/resources.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>

namespace limber::io {
namespace fs = std::filesystem;
namespace {

fs::path executableFromArguments;

/// Linux answers by itself, symbolic links followed; elsewhere main has told us, or nobody knows.
fs::path executableFolder() {
  std::error_code ignored;
  const fs::path running = fs::read_symlink("/proc/self/exe", ignored);
  return (running.empty() ? executableFromArguments : running).parent_path();
}

}  // namespace

void setExecutablePath(const char* argv0) {
  std::error_code ignored;
  executableFromArguments = fs::weakly_canonical(argv0 ? argv0 : "", ignored);
}

std::optional<fs::path> findResource(const std::string& relative) {
  const char* chosen = std::getenv("LIMBER_RESOURCES");
  const fs::path executable = executableFolder();
  const std::array<fs::path, 4> folders = {
      chosen ? fs::path(chosen) : fs::path(),
      executable.empty() ? fs::path() : executable.parent_path() / "share" / "limber",
      executable.empty() ? fs::path() : executable / "share" / "limber",
      LIMBER_BUILD_SHARE,
  };
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    if (!folder.empty() && fs::exists(folder / relative, ignored)) return folder / relative;
  }
  return std::nullopt;
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

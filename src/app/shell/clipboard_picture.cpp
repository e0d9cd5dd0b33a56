// SPDX-License-Identifier: MIT
#include "app/shell/clipboard_picture.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

#include "limber/io/base/child_process.h"

namespace limber::app {

namespace {

/// The program of that name in the folders of PATH; empty for none.
std::filesystem::path findProgram(const char* name) {
  const char* folders = std::getenv("PATH");
  std::istringstream list(folders ? folders : "");
  for (std::string folder; std::getline(list, folder, ':');) {
    std::error_code ignored;
    if (!folder.empty() && std::filesystem::exists(std::filesystem::path(folder) / name, ignored))
      return std::filesystem::path(folder) / name;
  }
  return {};
}

std::string printedBy(const char* name, const std::vector<std::string>& arguments) {
  const std::filesystem::path program = findProgram(name);
  if (program.empty()) return {};
  io::ChildLimits limits{.processorSeconds = 2.0, .idleSeconds = 2.0, .maxBytes = 256u << 20};
  const auto printed = io::runChild(program, arguments, limits, {}, "clipboard");
  return printed ? *printed : "";
}

}  // namespace

std::string clipboardPicture() {
  for (const char* type : {"image/png", "image/jpeg"}) {
    if (std::getenv("WAYLAND_DISPLAY"))
      if (std::string bytes = printedBy("wl-paste", {"--type", type, "--no-newline"}); !bytes.empty()) return bytes;
    if (std::string bytes = printedBy("xclip", {"-selection", "clipboard", "-target", type, "-out"}); !bytes.empty())
      return bytes;
  }
  return {};
}

}  // namespace limber::app

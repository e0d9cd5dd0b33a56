// SPDX-License-Identifier: MIT
// Pictures without a window: a document drawn into memory, and memory written as PNG.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "render/view.h"
#include "scene/document.h"

namespace limber::render {

/// Red, green, blue, eight bits each; rows from the top.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  ///< 3 x width x height
};

inline constexpr int kMinPictureSize = 16;
inline constexpr int kMaxPictureSize = 8192;

/// The document drawn offscreen, multisampled where the driver can. Without a view the figure is framed as the Home
/// key does. Nothing, with a sentence in `error`, when the size is outside [kMinPictureSize, kMaxPictureSize], when
/// there is no figure, or when no OpenGL context can be made. Same document and driver, same bytes.
std::optional<Picture> drawPicture(const Document& document, int width, int height,
                                   const std::filesystem::path& shaderFolder, std::string& error,
                                   const View* view = nullptr);

/// The bytes of a PNG file.
std::vector<std::uint8_t> encodePng(const Picture& picture);

/// drawPicture and encodePng: the bytes of a PNG file, or nothing and a sentence.
std::optional<std::vector<std::uint8_t>> renderPicture(const Document& document, int width, int height,
                                                       const std::filesystem::path& shaderFolder, std::string& error);

/// Reads a framebuffer of the current context (0: the window's back buffer). For screenshots.
Picture readPicture(unsigned framebuffer, int width, int height);

}  // namespace limber::render

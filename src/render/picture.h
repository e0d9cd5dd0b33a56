// SPDX-License-Identifier: MIT
// Pictures without a window: drawing a document into memory, and encoding it as PNG.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/scene/document.h"
#include "render/draw_list.h"
#include "render/view.h"

namespace limber::render {

/// Red, green, blue and optionally alpha, eight bits each; rows from the top.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  ///< (channels x width x height)
  int channels = 3;                  ///< 4 with alpha, by which colours are not multiplied
};

struct PictureOptions {
  const View* view = nullptr;  ///< null frames the figure, from `side`
  ViewFrom side = ViewFrom::ThreeQuarters;
  bool isOrthographic = false;                    ///< without `view`
  Surroundings surroundings = kDarkSurroundings;  ///< ground and backdrop
  bool isTransparent = false;                     ///< without ground and backdrop; the picture has alpha
  SkinView skinView = SkinView::Skin;             ///< for a document with a skin
  LinkStyle linkStyle = LinkStyle::Parts;
  DrawShell shell = {};       ///< of a reachable workspace
  bool hasReference = false;  ///< the document's shown picture
};

inline constexpr int kMinPictureSize = 16;
inline constexpr int kMaxPictureSize = 8192;

/// Draws the document offscreen, multisampled if the driver supports it. Without a view the figure is framed as in a
/// new window. Nothing, with a sentence in `error`, if the size is outside [kMinPictureSize, kMaxPictureSize], there is
/// no figure, or no OpenGL context can be created. The same document and driver give the same bytes.
std::optional<Picture> drawPicture(const Document& document, int width, int height,
                                   const std::filesystem::path& shaderFolder, std::string& error,
                                   const PictureOptions& options = {});

/// Draws many pictures of one size with the same context, shaders and skin. Fails as drawPicture does.
class PicturePainter {
 public:
  static std::unique_ptr<PicturePainter> create(int width, int height, const std::filesystem::path& shaderFolder,
                                                std::string& error);
  ~PicturePainter();

  /// The document must have a figure (asserted).
  Picture draw(const Document& document, const PictureOptions& options = {});

 private:
  struct Tools;
  explicit PicturePainter(std::unique_ptr<Tools> tools);
  std::unique_ptr<Tools> tools_;
};

/// The bytes of a PNG file.
std::vector<std::uint8_t> encodePng(const Picture& picture);
/// The bytes of a JPEG file, without transparency.
std::vector<std::uint8_t> encodeJpeg(const Picture& picture);

/// Reads a framebuffer of the current context (0 for the window's back buffer). For screenshots.
Picture readPicture(unsigned framebuffer, int width, int height, int channels = 3);

}  // namespace limber::render

// SPDX-License-Identifier: MIT
// Pictures without a window: a document drawn into memory, and memory written as PNG.
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

/// Red, green, blue, and alpha where there is one, eight bits each; rows from the top.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  ///< channels x width x height
  int channels = 3;                  ///< 4 with alpha; colours are not multiplied by it
};

struct PictureOptions {
  const View* view = nullptr;            ///< null frames the figure, from `side`
  ViewFrom side = ViewFrom::ThreeQuarters;
  bool isOrthographic = false;           ///< of what is framed
  Surroundings surroundings = kDarkSurroundings;  ///< ground and backdrop
  bool isTransparent = false;            ///< no ground and no backdrop; the picture has alpha
  SkinView skinView = SkinView::Skin;    ///< of a document that has a skin
  LinkStyle linkStyle = LinkStyle::Capsules;
  DrawShell shell = {};                  ///< of a reachable workspace
};

inline constexpr int kMinPictureSize = 16;
inline constexpr int kMaxPictureSize = 8192;

/// The document drawn offscreen, multisampled where the driver can. Without a view the figure is framed as the window
/// opens with it. Nothing, with a sentence in `error`, when the size is outside [kMinPictureSize, kMaxPictureSize],
/// when there is no figure, or when no OpenGL context can be made. Same document and driver, same bytes.
std::optional<Picture> drawPicture(const Document& document, int width, int height,
                                   const std::filesystem::path& shaderFolder, std::string& error,
                                   const PictureOptions& options = {});

/// For many pictures of one size: context, shaders and skin are made ready once. Fails as drawPicture does.
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

/// drawPicture and encodePng: the bytes of a PNG file, or nothing and a sentence.
std::optional<std::vector<std::uint8_t>> renderPicture(const Document& document, int width, int height,
                                                       const std::filesystem::path& shaderFolder, std::string& error,
                                                       const PictureOptions& options = {});

/// Reads a framebuffer of the current context (0: the window's back buffer). For screenshots.
Picture readPicture(unsigned framebuffer, int width, int height, int channels = 3);

}  // namespace limber::render

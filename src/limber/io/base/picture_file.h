// SPDX-License-Identifier: MIT
// Files of reference pictures, decoded and upright.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "limber/io/base/image.h"
#include "limber/io/base/result.h"
#include "limber/scene/reference_picture.h"

namespace limber::io {

/// True for a file that begins as PNG, JPEG, WebP or AVIF.
bool holdsPicture(const std::filesystem::path& path);

/// Limits for all pictures of one scene together: about ten photographs of 24 million pixels.
struct PictureBudget {
  ImageBudget image = {.pixels = std::size_t{1} << 28};
  std::uintmax_t bytes = std::uintmax_t{512} << 20;  ///< of their files
};

/// Decodes an image and turns it upright by its EXIF orientation, within the budget and at most 8192 x 8192 pixels.
/// Errors have a cause only.
Result<std::shared_ptr<const PictureFile>> decodePicture(std::string bytes, const std::filesystem::path& path,
                                                         PictureBudget& budget);

/// Reads and decodes a picture file; errors name it.
Result<std::shared_ptr<const PictureFile>> readPictureFile(const std::filesystem::path& path, PictureBudget& budget);

/// A picture of the file. Its camera is at the world's origin, and looks through the middle of the picture.
ReferencePicture makeReferencePicture(std::shared_ptr<const PictureFile> file);

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// Files of reference pictures, decoded and upright.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "limber/io/base/result.h"
#include "limber/scene/reference_picture.h"

namespace limber::io {

/// True for a file that begins as PNG, JPEG, WebP or AVIF.
bool holdsPicture(const std::filesystem::path& path);

/// Decodes an image and turns it as its EXIF orientation says. Errors have a cause only.
Result<std::shared_ptr<const PictureFile>> decodePicture(std::string bytes, const std::filesystem::path& path);

/// The file of a picture, of at most 256 MiB and 8192 x 8192 pixels.
Result<std::shared_ptr<const PictureFile>> readPictureFile(const std::filesystem::path& path);

/// A picture of the file that covers what a camera sees: in the middle of it, without a place in the world yet.
ReferencePicture makeReferencePicture(std::shared_ptr<const PictureFile> file);

}  // namespace limber::io

// SPDX-License-Identifier: MIT
#include "limber/io/base/picture_file.h"

#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "limber/io/base/file.h"

namespace limber::io {

namespace {

/// Numbers of a TIFF structure, which states its own byte order.
class TiffNumbers {
 public:
  explicit TiffNumbers(std::string_view bytes) : bytes_(bytes), isLittle_(bytes.starts_with("II")) {}

  /// Nullopt beyond the end.
  std::optional<std::size_t> at(std::size_t place, std::size_t size) const {
    if (place > bytes_.size() || size > bytes_.size() - place) return std::nullopt;
    std::size_t number = 0;
    for (std::size_t i = 0; i < size; ++i)
      number = number << 8 | static_cast<unsigned char>(bytes_[place + (isLittle_ ? size - 1 - i : i)]);
    return number;
  }

 private:
  std::string_view bytes_;
  bool isLittle_;
};

/// The orientation, tag 274 of the first directory of the TIFF structure (EXIF 2.3, section 4.6): 1 to 8; 1 by default.
int orientationOfTiff(std::string_view tiff) {
  constexpr std::size_t kEntry = 12, kOrientation = 274;
  const TiffNumbers numbers(tiff);
  const auto directory = numbers.at(4, 4);
  const auto count = directory ? numbers.at(*directory, 2) : std::nullopt;
  for (std::size_t i = 0; count && i < *count; ++i) {
    const std::size_t entry = *directory + 2 + kEntry * i;
    const auto tag = numbers.at(entry, 2), value = numbers.at(entry + 8, 2);
    if (!value) break;
    if (tag == kOrientation) return *value >= 1 && *value <= 8 ? static_cast<int>(*value) : 1;
  }
  return 1;
}

/// Contents of the segments of a JPEG file.
struct JpegHeader {
  int orientation = 1;     ///< of EXIF, in the segment APP1
  std::size_t pixels = 0;  ///< offset of the scan; the number of bytes without a scan
};

JpegHeader headerOfJpeg(std::string_view bytes) {
  constexpr std::string_view kExif("Exif\0\0", 6);
  constexpr unsigned char kApp1 = 0xE1, kScan = 0xDA;
  JpegHeader header{.pixels = bytes.size()};
  std::size_t place = 2;
  while (place + 4 <= bytes.size() && static_cast<unsigned char>(bytes[place]) == 0xFF) {
    const auto marker = static_cast<unsigned char>(bytes[place + 1]);
    const std::size_t size =
        static_cast<unsigned char>(bytes[place + 2]) * 256u + static_cast<unsigned char>(bytes[place + 3]);
    if (size < 2) break;
    if (marker == kScan) {
      header.pixels = place;
      break;
    }
    const std::string_view segment = bytes.substr(place + 4, size - 2);
    if (marker == kApp1 && segment.starts_with(kExif))
      header.orientation = orientationOfTiff(segment.substr(kExif.size()));
    place += 2 + size;
  }
  return header;
}

bool isJpeg(std::string_view bytes) { return bytes.starts_with("\xFF\xD8\xFF"); }

/// The image turned or mirrored by its EXIF orientation, so that row 0 is the top and column 0 the left side.
SkinTexture upright(SkinTexture image, int orientation) {
  if (orientation == 1) return image;
  const bool isTurned = orientation >= 5;
  const bool mirrorsX = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool mirrorsY = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  SkinTexture out{isTurned ? image.height : image.width, isTurned ? image.width : image.height, {}};
  out.pixels.resize(image.pixels.size());
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      int column = isTurned ? y : x, row = isTurned ? x : y;
      if (mirrorsX) column = image.width - 1 - column;
      if (mirrorsY) row = image.height - 1 - row;
      const auto from = 4 * (static_cast<std::size_t>(row) * image.width + column);
      const auto to = 4 * (static_cast<std::size_t>(y) * out.width + x);
      std::memcpy(&out.pixels[to], &image.pixels[from], 4);
    }
  return out;
}

}  // namespace

bool holdsPicture(const std::filesystem::path& path) {
  std::string begin(16, '\0');
  const auto file = openToRead(path);
  if (!file || std::fread(begin.data(), 1, begin.size(), file->get()) == 0) return false;
  const std::string_view view = begin;
  return isJpeg(view) || view.starts_with("\x89PNG\r\n") || (view.starts_with("RIFF") && view.substr(8, 4) == "WEBP") ||
         view.substr(4, 8) == "ftypavif";
}

Result<std::shared_ptr<const PictureFile>> decodePicture(std::string bytes, const std::filesystem::path& path,
                                                         PictureBudget& budget) {
  constexpr std::string_view kEndOfJpeg = "\xFF\xD9";
  const JpegHeader header = isJpeg(bytes) ? headerOfJpeg(bytes) : JpegHeader{};
  if (isJpeg(bytes) && bytes.find(kEndOfJpeg, header.pixels) == std::string::npos)  // the rest would be grey
    return Error{"", "", "is cut off: the end of the picture is missing"};
  if (bytes.size() > budget.bytes) return Error{"", "", "is larger than the files of all pictures may be together"};
  budget.bytes -= bytes.size();
  Result<SkinTexture> image = decodeImage(bytes, budget.image);
  if (!image) return image.error();
  auto file = std::make_shared<PictureFile>();
  file->path = path;
  file->image = upright(std::move(*image), header.orientation);
  file->bytes = std::move(bytes);
  return std::shared_ptr<const PictureFile>(std::move(file));
}

Result<std::shared_ptr<const PictureFile>> readPictureFile(const std::filesystem::path& path, PictureBudget& budget) {
  Result<std::string> bytes = readFile(path, budget.bytes);
  if (!bytes) return bytes.error();
  auto file = decodePicture(std::move(*bytes), path, budget);
  if (!file) return Error{path.string(), "", file.error().cause};
  return file;
}

ReferencePicture makeReferencePicture(std::shared_ptr<const PictureFile> file) {
  ReferencePicture picture{.width = file->image.width, .height = file->image.height};
  picture.camera.centre = 0.5 * picture.size();
  picture.file = std::move(file);
  return picture;
}

}  // namespace limber::io

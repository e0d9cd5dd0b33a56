// SPDX-License-Identifier: MIT
#include "limber/io/unread_formats.h"

#include <algorithm>
#include <array>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/figure_formats.h"
#include "limber/io/points/key_points.h"
#include "limber/io/points/observations.h"

namespace limber::io {

namespace {

constexpr std::string_view kCharacter = ": export the character from its program as glTF (.glb) or FBX";
constexpr std::string_view kMesh =
    ": the panel World adds it as an obstacle by Mesh ..., and a robot's file may refer to it";
constexpr std::string_view kPicture = ": the window shows it behind a figure, by File > Reference picture";
constexpr std::string_view kMarkers =
    ", and no figure: open a figure, and fit it to them in the panel Fit, or by: limber fit FIGURE FILE";

/// How a format is recognised, and the sentence about it.
struct UnreadFormat {
  std::string_view beginning;  ///< of the file; empty if only the ending identifies it
  std::string_view endings;    ///< with the dot, separated by blanks
  std::string_view what;
  std::string_view advice;
};

constexpr std::array kUnreadFormats = {
    UnreadFormat{"BLENDER", ".blend", "is a Blender file", kCharacter},
    UnreadFormat{"PXR-USDC", ".usdc .usd", "is a scene of USD in its binary form", ": export it as text (.usda)"},
    UnreadFormat{"", ".usdz", "is a scene of USD in an archive", ": export it as text (.usda)"},
    UnreadFormat{"Ogawa", ".abc", "is a cache of Alembic, which holds no joints", kCharacter},
    UnreadFormat{"//Maya ASCII", ".ma", "is a scene of Maya", kCharacter},
    UnreadFormat{"FOR4", ".mb", "is a scene of Maya", kCharacter},
    UnreadFormat{"FOR8", ".mb", "is a scene of Maya", kCharacter},
    UnreadFormat{"QC4DC4D", ".c4d", "is a scene of Cinema 4D", kCharacter},
    UnreadFormat{"", ".max", "is a scene of 3ds Max", kCharacter},
    UnreadFormat{"", ".3ds", "is a mesh of 3D Studio, which holds no joints", kCharacter},
    UnreadFormat{"", ".x3d .wrl", "is a scene of VRML or X3D", kCharacter},
    UnreadFormat{"", ".pmx .pmd", "is a model of MikuMikuDance", ": convert it to VRM"},
    UnreadFormat{"ply\n", ".ply", "is a mesh without joints (PLY)", ": convert it to OBJ"},
    UnreadFormat{"solid ", ".stl", "is a mesh without joints (STL)", kMesh},
    UnreadFormat{"", ".obj", "is a mesh without joints (OBJ)", kMesh},
    UnreadFormat{"", ".c3d", "holds markers of a motion capture (C3D)", kMarkers},
    UnreadFormat{"PK\x03\x04", ".zip", "is an archive (ZIP)", ": unpack it, and open the file in it"},
    UnreadFormat{"7z\xBC\xAF\x27\x1C", ".7z", "is an archive (7z)", ": unpack it, and open the file in it"},
    UnreadFormat{"Rar!", ".rar", "is an archive (RAR)", ": unpack it, and open the file in it"},
    UnreadFormat{"\x1F\x8B", ".gz .tgz", "is an archive (gzip)", ": unpack it, and open the file in it"},
    UnreadFormat{"%PDF-", ".pdf", "is a PDF document", ""},
    UnreadFormat{"\x89PNG", ".png", "is a picture (PNG)", kPicture},
    UnreadFormat{"\xFF\xD8\xFF", ".jpg .jpeg", "is a picture (JPEG)", kPicture},
    UnreadFormat{"GIF8", ".gif", "is a picture (GIF)", ""},
    UnreadFormat{"", ".webp .avif", "is a picture", kPicture},
    UnreadFormat{"", ".svg .bmp .tif .tiff .tga", "is a picture", ""},
    UnreadFormat{"", ".mp4 .mov .avi .mkv .webm", "is a video", ""},
    UnreadFormat{"\x7F"
                 "ELF",
                 ".exe .dll .so", "is a program", ""},
    UnreadFormat{"", ".yaml .yml", "is a file of settings (YAML)", ""},
    UnreadFormat{"", ".py .m .lua .cpp .h .js", "is source code", ""},
    UnreadFormat{"", ".md .txt .rst .doc .docx", "is text", ""},
};

std::string sentence(const UnreadFormat& format) { return std::string(format.what) + std::string(format.advice); }

bool isHtml(std::string_view bytes) {
  constexpr std::size_t kNear = 512;
  const std::string start = lowerCase(trimmed(withoutMark(bytes.substr(0, kNear))));
  return start.starts_with("<!doctype html") || start.starts_with("<html");
}

/// A sentence about contents that replace the intended file; empty for others.
std::string standInFor(std::string_view bytes) {
  if (isHtml(bytes)) return "is a web page (HTML) saved instead of a file: download the file itself (on GitHub: Raw)";
  if (isLfsPointer(bytes))
    return "is a pointer of Git LFS, not the file itself: git lfs pull, in the repository it came from, fetches that";
  if (looksLikeTrc(bytes)) return "holds observed markers (TRC)" + std::string(kMarkers);
  return {};
}

std::string nameOfUnread(std::string_view bytes, const std::filesystem::path& path) {
  if (std::string cause = standInFor(bytes); !cause.empty()) return cause;
  const std::string ending = endingOf(path), wanted = " " + ending + " ";
  if (ending == ".csv" || ending == ".tsv") return "is a table, perhaps of observed points" + std::string(kMarkers);
  for (const UnreadFormat& format : kUnreadFormats)
    if (!ending.empty() && (" " + std::string(format.endings) + " ").find(wanted) != std::string::npos)
      return sentence(format);
  for (const UnreadFormat& format : kUnreadFormats)
    if (!format.beginning.empty() && bytes.starts_with(format.beginning)) return sentence(format);
  return {};
}

}  // namespace

bool isLfsPointer(std::string_view bytes) { return bytes.starts_with("version https://git-lfs."); }

std::optional<Error> findUnread(std::string_view bytes, const std::filesystem::path& path) {
  if (bytes.empty()) return Error{path.string(), "", "the file is empty"};
  if (findFigureFormatByContents(bytes)) return std::nullopt;
  if (looksLikeJson(bytes) && looksLikeKeyPoints(bytes))
    return Error{path.string(), "", "holds key points of pictures" + std::string(kMarkers)};
  if (looksLikeJson(bytes)) return std::nullopt;
  std::string cause = nameOfUnread(bytes, path);
  return cause.empty() ? std::nullopt : std::optional(Error{path.string(), "", std::move(cause)});
}

}  // namespace limber::io

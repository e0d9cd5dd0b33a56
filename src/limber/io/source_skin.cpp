// SPDX-License-Identifier: MIT
#include "limber/io/open.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/picture_file.h"
#include "limber/io/figure_formats.h"
#include "limber/scene/figure_change.h"

namespace limber::io {

namespace {

/// Scenes have U+FFFD for bytes of names that are not UTF-8. Returns the path with the names on the disk that are
/// written like that.
std::filesystem::path withNamesOfDisk(const std::filesystem::path& path) {
  std::filesystem::path found;
  std::error_code status;
  for (const std::filesystem::path& part : path) {
    std::filesystem::path name = part;
    if (part.string().find("\xef\xbf\xbd") != std::string::npos && !std::filesystem::exists(found / part, status))
      for (const auto& entry : std::filesystem::directory_iterator(found.empty() ? "." : found, status))
        if (compactJson(entry.path().filename().string()) == compactJson(part.string())) name = entry.path().filename();
    found /= name;
  }
  return found;
}

/// A file at its own path, else in one of the context's folders.
std::filesystem::path find(const std::filesystem::path& path, const OpenContext& context) {
  std::error_code status;
  for (const std::filesystem::path& candidate : {path, withNamesOfDisk(path)})
    if (std::filesystem::is_regular_file(candidate, status)) return candidate;
  for (const std::filesystem::path& folder : context.folders)
    if (std::filesystem::is_regular_file(folder / path.filename(), status)) return folder / path.filename();
  return {};
}

Result<FigureSource> readAgain(const std::filesystem::path& wanted, const OpenContext& context) {
  const std::filesystem::path path = find(wanted, context);
  if (path.empty()) return Error{wanted.string(), "", "there is no such file"};
  const Result<std::string> bytes = readFile(path);
  if (!bytes) return bytes.error();
  const FigureFormat* format = findFigureFormat(*bytes, path);
  if (!format) return Error{path.string(), "", "is not a figure of another program"};
  return format->read(*bytes, path, context);
}

/// The picture's file, if it is still the one of the scene. The error lists it as missing if it is not found.
Result<std::shared_ptr<const PictureFile>> readAgain(const ReferencePicture& picture, const OpenContext& context,
                                                     PictureBudget& budget) {
  const std::filesystem::path path = find(picture.file->path, context);
  if (path.empty())
    return Error{picture.file->path.string(), "", "there is no such file", {picture.file->path.filename().string()}};
  auto file = readPictureFile(path, budget);
  if (file && ((*file)->image.width != picture.width || (*file)->image.height != picture.height))
    return Error{path.string(), "",
                 "is not the picture of the scene, which has " + std::to_string(picture.width) + " x " +
                     std::to_string(picture.height) + " pixels"};
  return file;
}

/// linkOf: by link of the source, that of the document; -1 for none.
void takeBones(const Figure& source, const std::vector<int>& linkOf, Document& document) {
  if (!source.namesBones()) return;
  std::vector<std::string> bones(document.figure->linkCount());
  for (int i = 0; i < source.linkCount(); ++i)
    if (linkOf[i] >= 0) bones[linkOf[i]] = source.link(i).bone;
  document.figure = document.figure->withBones(bones);
}

}  // namespace

SourceNotes readSourceAgain(Document& document, const OpenContext& context) {
  if (!document.source) return {};
  OpenContext asSaved = context;
  asSaved.offsetRule = document.source->offsetRule;
  const Result<FigureSource> source = readAgain(document.source->path, asSaved);
  if (!source) {
    SourceNotes out{
        {"The file that the figure came from cannot be read, so that it has no skin: " + source.error().message()},
        source.error().missing};
    if (out.missing.empty()) out.missing = {document.source->path.filename().string()};
    return out;
  }
  if (source->file) document.source = source->file;
  if (!source->skin && !source->figure->namesBones()) return {{}, source->missing};
  const std::vector<int> linkOf = matchLinksByName(*source->figure, *document.figure);
  Document worn = makeDocument(source->figure);
  worn.skin = source->skin;
  SourceNotes out{source->notes, source->missing};
  replaceFigure(worn, document.figure, linkOf);
  takeBones(*source->figure, linkOf, document);
  if (!source->skin) return {{}, source->missing};
  document.skin = worn.skin;
  if (!document.skin)
    out.notes.push_back(document.source->path.string() +
                        ": its skin does not fit the figure any more and is left out.");
  return out;
}

SourceNotes readPictures(Document& document, const OpenContext& context) {
  SourceNotes out;
  PictureBudget budget;
  for (ReferencePicture& picture : document.pictures) {
    if (!picture.file->bytes.empty()) continue;
    const auto file = readAgain(picture, context, budget);
    if (file) {
      picture.file = *file;
    } else {
      out.notes.push_back("A reference picture is not shown: " + file.error().message());
      std::ranges::copy(file.error().missing, std::back_inserter(out.missing));
    }
  }
  return out;
}

}  // namespace limber::io

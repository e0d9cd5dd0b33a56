// SPDX-License-Identifier: MIT
#include "limber/io/open.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "limber/body/anatomy.h"
#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/bvh/bvh.h"
#include "limber/io/figure_formats.h"
#include "limber/io/json/problem_json.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/unread_formats.h"
#include "limber/scene/closed_motion.h"
#include "limber/scene/figure_change.h"

namespace limber::io {

namespace {

Error noBaseChoice(const std::string& file) { return {file, "--base", std::string(kNoBaseChoice)}; }

Error noOffsetRule(const std::string& file) { return {file, "--bvh-positions", std::string(kNoOffsetRule)}; }

Opened openedFigure(const FigurePointer& figure) { return {makeDocument(figure), FileKind::Figure}; }

/// Changes the saved base of a figure or scene, if the context asks for another one.
Result<Opened> withBase(Opened opened, const std::string& file, const OpenContext& context) {
  if (!context.base) return opened;
  Document& document = opened.document;
  if (!hasBaseChoice(document)) return noBaseChoice(file);
  const bool isFree = *context.base == BaseChoice::Free;
  if (isFree == hasFreedBase(*document.figure)) return opened;
  const FigureEdit edit = changeBase(*document.figure, isFree);
  if (!edit.figure) return Error{file, "--base", edit.fault};
  replaceFigure(document, edit.figure, edit.linkFromOld);
  return opened;
}

/// Reads the BVH file of a scene or problem by another rule, if the context asks for one.
Result<Opened> withOffsetRule(Result<Opened> read, const std::string& file, const OpenContext& context) {
  if (!read || !context.offsetRule) return read;
  Opened opened = *read;
  if (!hasOffsetRule(opened.document)) return noOffsetRule(file);
  if (*context.offsetRule == opened.document.source->offsetRule) return opened;
  if (std::string fault = changeOffsetRule(opened.document, *context.offsetRule); !fault.empty())
    return Error{file, "--bvh-positions", std::move(fault)};
  return opened;
}

Result<Opened> openProblem(const JsonValue& value, const std::filesystem::path& path, const OpenContext& context) {
  const Result<Problem> problem = problemFromJson(value, path.parent_path(), context);
  if (!problem) return problem.error();
  return Opened{problem->document, FileKind::Problem, {}, problem->notes};
}

Opened openScene(const JsonValue& value, const std::filesystem::path& path, const OpenContext& context) {
  Opened scene{documentFromJson(value, path.parent_path()), FileKind::Scene};
  SourceNotes source = readSourceAgain(scene.document, context);
  scene.notes = std::move(source.notes);
  scene.missing = std::move(source.missing);
  SourceNotes pictures = readPictures(scene.document, context);
  std::ranges::move(pictures.notes, std::back_inserter(scene.notes));
  std::ranges::move(pictures.missing, std::back_inserter(scene.missing));
  return scene;
}

Result<Opened> openJson(std::string_view text, const std::filesystem::path& path, const OpenContext& context) {
  return readJsonText<Opened>(text, path.string(), [&](const JsonValue& value) -> Result<Opened> {
    if (const auto format = value.find("format")) {
      const bool isScene = format->text() == "limber scene";
      if (isScene || format->text() == "limber figure")
        return withBase(isScene ? openScene(value, path, context) : openedFigure(figureFromJson(value)), path.string(),
                        context);
      format->fail("must be \"limber scene\" or \"limber figure\"");
    }
    if (value.find("figure")) return openProblem(value, path, context);
    value.fail("has neither \"format\" (scene, figure) nor \"figure\" (problem)");
  });
}

std::string knownFormats() {
  std::string names;
  for (const FigureFormat& format : figureFormats()) names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

Result<Opened> openWithBase(const std::string& nameOrPath, const OpenContext& context) {
  if (isStandardFigure(nameOrPath)) {
    const Result<FigureSource> source = openStandardFigure(nameOrPath);
    if (!source) return source.error();
    if (context.base) return noBaseChoice(nameOrPath);
    if (context.offsetRule) return noOffsetRule(nameOrPath);
    return Opened{documentOf(*source), FileKind::StandardFigure};
  }
  const std::filesystem::path path = nameOrPath;
  const Result<std::string> text = readFile(path);
  if (!text) return text.error();
  if (auto fault = findUnread(*text, path)) return *std::move(fault);
  if (const FigureFormat* format = findFigureFormat(*text, path)) {
    const Result<FigureSource> source = format->read(*text, path, context);
    if (!source) return source.error();
    Opened opened{documentOf(*source), FileKind::Import, format->name, source->notes, source->missing};
    if (context.base && !hasBaseChoice(opened.document)) return noBaseChoice(nameOrPath);
    if (context.offsetRule && !hasOffsetRule(opened.document)) return noOffsetRule(nameOrPath);
    chooseBase(opened.document, context.base.value_or(BaseChoice::ByLegs), opened.notes);
    if (wantsAnatomicalLimits(opened.document))
      opened.notes.push_back("This is a human body without limits: Pose > Apply human joint limits gives it some.");
    return opened;
  }
  const std::string ending = endingOf(path);
  const bool isJson = looksLikeJson(*text) || ending == ".json" || ending == ".limber";
  if (isJson && text->size() > kMaxJsonBytes) return Error{nameOrPath, "", "is larger than 128 MiB"};
  if (isJson) return withOffsetRule(openJson(*text, path, context), nameOrPath, context);
  return Error{nameOrPath, "",
               "is neither a Limber scene, figure or problem (JSON) nor one of these: " + knownFormats()};
}

}  // namespace

Document documentOf(const FigureSource& source) {
  Document document = makeDocument(source.figure, source.motion);
  document.clips = source.clips;
  document.skin = source.skin;
  document.source = source.file;
  if (!source.file) return document;
  for (const auto& [link, other] : source.file->disabledPairs)
    document.disabledPairs.push_back({document.figure->findLink(link), document.figure->findLink(other)});
  std::erase_if(document.disabledPairs, [](const LinkPair& pair) { return pair.link < 0 || pair.other < 0; });
  for (LinkPair& pair : document.disabledPairs)
    if (pair.link > pair.other) std::swap(pair.link, pair.other);
  std::ranges::sort(document.disabledPairs);
  return document;
}

std::optional<std::size_t> findMotion(const Document& document, const std::string& nameOrNumber) {
  const auto motions = motionsOf(document);
  for (std::size_t i = 0; i < motions.size(); ++i)
    if (motions[i]->name == nameOrNumber) return i;
  const auto number = numberOf(nameOrNumber);
  for (std::size_t i = 0; number && i < motions.size(); ++i)
    if (*number == static_cast<double>(i + 1)) return i;
  return std::nullopt;
}

std::optional<Error> chooseMotion(Document& document, const std::string& nameOrNumber, const std::string& file) {
  const auto motions = motionsOf(document);
  const auto found = findMotion(document, nameOrNumber);
  if (!found) {
    constexpr std::size_t kMostNamed = 40;
    std::string known;
    for (std::size_t i = 0; i < std::min(motions.size(), kMostNamed); ++i)
      known += (i == 0 ? "" : ", ") + std::to_string(i + 1) + " " + inQuotes(motions[i]->name);
    if (motions.size() > kMostNamed) known += ", and " + std::to_string(motions.size() - kMostNamed) + " more";
    return Error{file, "--motion",
                 "there is no motion " + inQuotes(nameOrNumber) +
                     (known.empty() ? ": the file has none" : "; the file has " + known)};
  }
  if (motions[*found] == document.motion) return std::nullopt;
  setMotion(document, motions[*found]);
  document.frame = 0;
  if (document.motion->frameCount > 0) document.pose = document.motion->poseAt(*document.figure, 0);
  return std::nullopt;
}

Result<Opened> openAny(const std::string& nameOrPath, const OpenContext& context) {
  Result<Opened> opened = openWithBase(nameOrPath, context);
  if (opened && !context.motion.empty())
    if (auto fault = chooseMotion(opened->document, context.motion, nameOrPath)) return *fault;
  if (opened) std::ranges::move(closePose(opened->document), std::back_inserter(opened->notes));
  return opened;
}

}  // namespace limber::io

// SPDX-License-Identifier: MIT
#include "io/open.h"

#include <filesystem>

#include "io/bvh.h"
#include "io/figure_source.h"
#include "io/file.h"
#include "io/json.h"
#include "io/problem_json.h"
#include "io/scene_json.h"

namespace limber::io {

namespace {

bool looksLikeJson(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

Opened openedFigure(const FigurePointer& figure) { return {makeDocument(figure), FileKind::Figure, {}}; }

Result<Opened> openProblem(const JsonValue& value, const std::filesystem::path& path) {
  const Result<Problem> problem = problemFromJson(value, path.parent_path());
  if (!problem) return problem.error();
  return Opened{problem->document, FileKind::Problem, problem->notes};
}

Result<Opened> openJson(std::string_view text, const std::filesystem::path& path) {
  try {
    const Json json = parseJson(text);
    const JsonValue value(json);
    if (const auto format = value.find("format")) {
      if (format->text() == "limber scene") return Opened{documentFromJson(value), FileKind::Scene, {}};
      if (format->text() == "limber figure") return openedFigure(figureFromJson(value));
      format->fail("must be \"limber scene\" or \"limber figure\"");
    }
    if (value.find("figure")) return openProblem(value, path);
    value.fail("has neither \"format\" (scene, figure) nor \"figure\" (problem)");
  } catch (const JsonFault& fault) {
    return Error{path.string(), fault.place, fault.cause};
  }
}

Result<Opened> openBvh(std::string_view text, const std::string& file) {
  const Result<BvhFile> bvh = parseBvh(text, file);
  if (!bvh) return bvh.error();
  return Opened{makeDocument(bvh->figure, bvh->motion), FileKind::Motion, bvh->notes};
}

}  // namespace

Result<Opened> openAny(const std::string& nameOrPath) {
  if (isStandardFigure(nameOrPath)) {
    const Result<FigureSource> source = openStandardFigure(nameOrPath);
    if (!source) return source.error();
    return Opened{makeDocument(source->figure), FileKind::StandardFigure, {}};
  }
  const std::filesystem::path path = nameOrPath;
  const Result<std::string> text = readFile(path);
  if (!text) return text.error();
  const std::string extension = path.extension().string();
  if (looksLikeBvh(*text) || extension == ".bvh" || extension == ".BVH") return openBvh(*text, nameOrPath);
  const bool isJson = looksLikeJson(*text) || extension == ".json" || extension == ".limber";
  if (isJson && text->size() > kMaxJsonBytes) return Error{nameOrPath, "", "is larger than 128 MiB"};
  if (isJson) return openJson(*text, path);
  if (text->empty()) return Error{nameOrPath, "", "the file is empty"};
  return Error{nameOrPath, "", "is neither a Limber scene, figure or problem (JSON) nor a BVH motion file"};
}

}  // namespace limber::io

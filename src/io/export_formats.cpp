// SPDX-License-Identifier: MIT
#include "io/export_formats.h"

#include <algorithm>

#include "io/bvh_export.h"
#include "io/figure_formats.h"
#include "io/file.h"
#include "io/gltf_export.h"
#include "io/joint_states.h"
#include "io/obj.h"
#include "io/scene_json.h"

namespace limber::io {

namespace {

Result<Exported> exported(Result<std::string> text) {
  if (!text) return text.error();
  return Exported{std::move(*text), {}};
}

Result<Exported> writeBvh(const Document& document) {
  Result<BvhExport> bvh = formatBvh(document);
  if (!bvh) return bvh.error();
  return Exported{std::move(bvh->text), std::move(bvh->notes)};
}

Result<Exported> writeGltf(const Document& document, SourceFormat format) {
  if (!document.source || document.source->format != format)
    return Error{"", "", std::string("only a figure that came from a ") +
                             (format == SourceFormat::Gltf ? ".gltf" : ".glb or .vrm") + " file goes back into one"};
  Result<GltfExport> gltf = formatGltf(document);
  if (!gltf) return gltf.error();
  return Exported{std::move(gltf->bytes), std::move(gltf->notes)};
}
Result<Exported> writeTextGltf(const Document& document) { return writeGltf(document, SourceFormat::Gltf); }
Result<Exported> writeBinaryGltf(const Document& document) { return writeGltf(document, SourceFormat::Glb); }

std::string knownEndings() {
  std::string endings;
  for (const ExportFormat& format : exportFormats()) endings += (endings.empty() ? "" : ", ") + std::string(format.ending);
  return endings;
}

}  // namespace

std::span<const ExportFormat> exportFormats() {
  static const std::vector<ExportFormat> formats = {
      {"BVH motion", ".bvh", writeBvh},
      {"glTF, pose or motion", ".gltf", writeTextGltf},
      {"GLB, pose or motion", ".glb", writeBinaryGltf},
      {"VRM, pose or motion", ".vrm", writeBinaryGltf},
      {"OBJ, the posed skin", ".obj", [](const Document& d) { return exported(formatObj(d)); }},
      {"Joint states, JSON", ".json", [](const Document& d) { return exported(formatJointStatesJson(d)); }},
      {"Joint states, table", ".csv", [](const Document& d) { return exported(formatJointStatesCsv(d)); }},
      {"Limber scene", ".limber", [](const Document& d) { return exported(formatScene(d)); }},
  };
  return formats;
}

const ExportFormat* findExportFormat(const std::filesystem::path& path) {
  const std::string ending = endingOf(path);
  const auto found = std::ranges::find(exportFormats(), ending, &ExportFormat::ending);
  return found == exportFormats().end() ? nullptr : &*found;
}

Result<std::vector<std::string>> exportFile(const Document& document, const std::filesystem::path& path) {
  const ExportFormat* format = findExportFormat(path);
  if (!format) return Error{path.string(), "", "the name must end in one of " + knownEndings()};
  Result<Exported> file = format->write(document);
  if (!file) return Error{path.string(), file.error().place, file.error().cause};
  if (const auto fault = writeFileAtomically(path, file->bytes)) return *fault;
  return std::move(file->notes);
}

}  // namespace limber::io

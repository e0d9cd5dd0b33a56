// SPDX-License-Identifier: MIT
#include "limber/io/export_formats.h"

#include <algorithm>
#include <optional>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/bvh/bvh.h"
#include "limber/io/fbx/fbx.h"
#include "limber/io/figure_formats.h"
#include "limber/io/gltf/gltf.h"
#include "limber/io/gltf/vrm_rig.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/mesh/obj.h"
#include "limber/io/mmd/mmd.h"
#include "limber/io/motion_file.h"
#include "limber/io/robot/robot.h"

namespace limber::io {

namespace {

bool always(const Document&) { return true; }
bool cameFrom(const Document& document, SourceFormat format) {
  return document.source && document.source->format == format;
}
bool isAvatar(const Document& document) {
  return cameFrom(document, SourceFormat::Glb) && document.figure->namesBones() &&
         endingOf(document.source->path) != ".vrma";
}
bool hasSkin(const Document& document) { return document.skin && !document.skin->surfaces.empty(); }

Result<Exported> exported(Result<std::string> text) {
  if (!text) return text.error();
  return Exported{.bytes = std::move(*text)};
}

Result<Exported> writeBvh(const Document& document, const std::filesystem::path&) { return formatBvh(document); }

template <bool isBinary>
Result<Exported> writeGltf(const Document& document, const std::filesystem::path&) {
  if (cameFrom(document, SourceFormat::Glb) || cameFrom(document, SourceFormat::Gltf))
    return formatGltf(document, isBinary);
  Result<Exported> out = exported(formatNewGltf(document, isBinary));
  if (out && hasSkin(document)) out->notes.push_back("The skin is left out: capsules stand for the links.");
  return out;
}

Result<Exported> writeUrdf(const Document& document, const std::filesystem::path&) { return formatUrdf(document); }

bool isMjcf(const Document& document) { return cameFrom(document, SourceFormat::Mjcf); }

Result<Exported> writeMjcf(const Document& document, const std::filesystem::path&) { return formatMjcf(document); }

Result<Exported> writeVrm(const Document& document, const std::filesystem::path& path) {
  if (!isAvatar(document)) return Error{"", "", "only an avatar read from a VRM file can be written as VRM"};
  return writeGltf<true>(document, path);
}

bool hasVrmBones(const Document& document) { return namesVrmBones(*document.figure); }

Result<Exported> writeVrma(const Document& document, const std::filesystem::path&) { return formatVrma(document); }

Result<Exported> writeFbx(const Document& document, const std::filesystem::path&) { return formatFbx(document); }

Result<Exported> writeVmd(const Document& document, const std::filesystem::path&) { return formatVmd(document); }

Result<Exported> writeVpd(const Document& document, const std::filesystem::path&) { return formatVpd(document); }

Result<Exported> writeObj(const Document& document, const std::filesystem::path& path) {
  const std::string stem = objStem(path.filename().string());
  Result<ObjExport> obj = formatObj(document, stem);
  if (!obj) return obj.error();
  Exported out{.bytes = std::move(obj->text)};
  if (obj->materials.empty()) return out;
  for (std::size_t i = 0; i < obj->pictures.size(); ++i)
    out.beside.push_back({stem + '_' + std::to_string(i) + ".png", std::move(obj->pictures[i])});
  out.beside.push_back({stem + ".mtl", std::move(obj->materials)});
  const std::size_t pictures = out.beside.size() - 1;
  out.notes.push_back(
      "Colours are in " + stem + ".mtl beside it" +
      (pictures == 0 ? "." : ", textures in " + stem + "_0.png" + (pictures > 1 ? " and so on." : ".")));
  return out;
}

/// The writer of a format that consists of text only.
template <Result<std::string> (*format)(const Document&)>
Result<Exported> writeText(const Document& document, const std::filesystem::path&) {
  return exported(format(document));
}

Result<Exported> writeSceneFile(const Document& document, const std::filesystem::path& path) {
  return exported(formatScene(document, path.parent_path()));
}

/// Writes the files that the file at `path` refers to, before that file is written.
std::optional<Error> writeBeside(const std::vector<FileBeside>& files, const std::filesystem::path& path) {
  std::error_code error;
  for (const FileBeside& file : files)
    if (const auto there = path.parent_path() / file.name;
        !std::filesystem::exists(path, error) && std::filesystem::exists(there, error))
      return Error{there.string(), "", "is in the way: " + path.filename().string() + " needs a file of this name"};
  for (const FileBeside& file : files)
    if (auto fault = writeFileAtomically(path.parent_path() / file.name, file.bytes)) return fault;
  return std::nullopt;
}

std::string nameOfMotion(const Motion& motion) { return motion.name.empty() ? "unnamed" : inQuotes(motion.name); }

/// Adds a note about which motion is written, if there are others.
void noteOthersLeftOut(const Document& document, std::vector<std::string>& notes) {
  constexpr std::size_t kMostNamed = 10;
  std::size_t others = 0;
  std::string names;
  for (const auto& motion : motionsOf(document)) {
    if (motion == document.motion) continue;
    if (++others <= kMostNamed) names += (others == 1 ? "" : ", ") + nameOfMotion(*motion);
  }
  if (!document.motion || others == 0) return;
  if (others > kMostNamed) names += ", ...";
  notes.push_back("The format holds one motion: " + nameOfMotion(*document.motion) + " is written, " +
                  std::to_string(others) + (others == 1 ? " other is not: " : " others are not: ") + names + ".");
}

/// Why no export format fits a file name.
std::string knownEndings() {
  std::string endings;
  for (const ExportFormat& format : exportFormats())
    endings += (endings.empty() ? "" : ", ") + std::string(format.ending);
  return endings;
}

}  // namespace

std::span<const ExportFormat> exportFormats() {
  static const std::vector<ExportFormat> formats = {
      {"BVH motion", ".bvh", always, true, writeBvh, "skeleton, all frames", "skin, limits, goals"},
      {"glTF, pose or motion", ".gltf", always, false, writeGltf<false>,
       "pose and motions; the whole file for a figure that came from one", "limits, goals; of other figures the skin"},
      {"GLB, pose or motion", ".glb", always, false, writeGltf<true>,
       "pose and motions; the whole file for a figure that came from one", "limits, goals; of other figures the skin"},
      {"FBX, pose or motion", ".fbx", always, false, writeFbx,
       "skeleton, skin with materials and textures, pose or all motions", "limits, goals, capsules"},
      {"VRM, pose or motion", ".vrm", isAvatar, false, writeVrm,
       "pose and motions, and all of the file that it came from", "limits, goals"},
      {"VRM animation", ".vrma", hasVrmBones, true, writeVrma,
       "pose or motion of a humanoid's bones; expressions and gaze of the VRM animation that it came from",
       "fingertips and other links, skin, limits, goals"},
      {"MikuMikuDance motion", ".vmd", hasVrmBones, true, writeVmd, "pose or motion of a humanoid's bones",
       "chest above the second bone of the trunk, other links, skin, limits, goals"},
      {"MikuMikuDance pose", ".vpd", hasVrmBones, true, writeVpd, "the pose of a humanoid's bones",
       "motion, other links, skin, limits, goals"},
      {"OBJ, the posed skin", ".obj", hasSkin, false, writeObj, "the skin as it is posed, colours, textures",
       "joints, motion, limits, goals"},
      {"URDF robot", ".urdf", always, false, writeUrdf,
       "links, joints, limits, mimics, masses, capsules, sites; of a robot that came from URDF all of its file",
       "pose, motion, skin, goals, limits of ball joints"},
      {"MuJoCo model (MJCF)", ".xml", isMjcf, false, writeMjcf,
       "ranges, masses, joint equalities, sites and added loops, in the file that the model came from",
       "pose, motion, goals"},
      {"Joint states, JSON", ".json", always, true, writeText<formatJointStatesJson>,
       "pose or all frames of the motion", "the figure, goals"},
      {"Joint states, table", ".csv", always, true, writeText<formatJointStatesCsv>, "pose or all frames of the motion",
       "the figure, goals"},
      {"Limber scene", ".limber", always, false, writeSceneFile, "all", "the skin, which is read again from its file"},
  };
  return formats;
}

const ExportFormat* findExportFormat(const std::filesystem::path& path) {
  const std::string ending = endingOf(path);
  const auto found = std::ranges::find(exportFormats(), ending, &ExportFormat::ending);
  return found == exportFormats().end() ? nullptr : &*found;
}

std::optional<Error> findEndingFault(const std::filesystem::path& path) {
  if (findExportFormat(path)) return std::nullopt;
  return Error{path.string(), "", "the name must end in one of " + knownEndings()};
}

Result<std::vector<std::string>> exportFile(const Document& document, const std::filesystem::path& path) {
  if (auto fault = findEndingFault(path)) return *std::move(fault);
  const ExportFormat* format = findExportFormat(path);
  Result<Exported> file = format->write(document, path);
  if (!file) return Error{path.string(), file.error().place, file.error().cause};
  if (format->holdsOneMotion) noteOthersLeftOut(document, file->notes);
  if (const auto fault = writeBeside(file->beside, path)) return *fault;
  if (const auto fault = writeFileAtomically(path, file->bytes)) return *fault;
  return std::move(file->notes);
}

}  // namespace limber::io

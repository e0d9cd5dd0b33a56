// SPDX-License-Identifier: MIT
#include "app/editing/file_filters.h"

#include <algorithm>
#include <string_view>

#include "limber/body/body_map.h"
#include "limber/io/base/text.h"
#include "limber/io/export_formats.h"
#include "limber/io/figure_formats.h"
#include "limber/io/points/observations.h"

namespace limber::app {

namespace {

using Endings = std::vector<std::string_view>;

/// Inserts at the front a filter of `endings` and the endings of all other filters.
void addAll(const std::string& label, std::vector<FileFilter>& filters, Endings endings = {}) {
  for (const FileFilter& filter : filters)
    endings.insert(endings.end(), filter.extensions.begin(), filter.extensions.end());
  filters.insert(filters.begin(), {label, std::move(endings)});
}

void addFigureFormats(std::vector<FileFilter>& filters) {
  for (const io::FigureFormat& format : io::figureFormats())
    filters.push_back({std::string(format.name), format.endings});
}

std::vector<FileFilter> filtersToOpen() {
  std::vector<FileFilter> filters = {{"Scenes (.limber)", {".limber"}}, {"Figures (.json)", {".json"}}};
  addFigureFormats(filters);
  addAll("All readable files", filters);
  return filters;
}

std::vector<FileFilter> filtersToObserve() {
  std::vector<FileFilter> filters;
  for (const io::ObservationFormat& format : io::observationFormats())
    filters.push_back({std::string(format.name), format.endings});
  addFigureFormats(filters);
  addAll("Observed points and motions", filters, {".limber"});
  return filters;
}

std::vector<FileFilter> filtersToLoadMotion() {
  std::vector<FileFilter> filters = {{"Joint states (.csv .json)", {".csv", ".json"}}};
  addFigureFormats(filters);
  addAll("All motions", filters, {".limber"});
  return filters;
}

std::vector<FileFilter> filtersToExport(const Document& document) {
  std::vector<FileFilter> filters;
  for (const io::ExportFormat& format : io::exportFormats())
    if (format.fits(document))
      filters.push_back({std::string(format.name) + " (" + std::string(format.ending) + ")", {format.ending}});
  addAll("All formats for this figure", filters);
  return filters;
}

std::vector<FileFilter> filtersOf(Command command, const Document& document) {
  switch (command) {
    case Command::Open: return filtersToOpen();
    case Command::LoadMotion: return filtersToLoadMotion();
    case Command::OpenObservations: return filtersToObserve();
    case Command::Export: return filtersToExport(document);
    case Command::SaveAs: return {{"Scenes (.limber)", {".limber"}}};
    case Command::SaveFigureAs: return {{"Figures (.json)", {".json"}}};
    case Command::SaveRace: return {{"Tables (.csv)", {".csv"}}};
    case Command::SaveShell: return {{"Meshes (.ply)", {".ply"}}};
    case Command::SavePicture:
    case Command::SavePictures: return {{"Pictures (.png)", {".png"}}};
    case Command::AddProp: return {{"Meshes (.obj .stl .dae)", {".obj", ".stl", ".dae"}}};
    case Command::OpenReference:
      return {{"Pictures (.png .jpg .webp .avif)", {".png", ".jpg", ".jpeg", ".webp", ".avif"}}};
    default: return {};
  }
}

}  // namespace

std::vector<FileFilter> fileFilters(Command command, const Document& document) {
  std::vector<FileFilter> filters = filtersOf(command, document);
  filters.push_back({"All files", {}});
  return filters;
}

int filterFor(const std::vector<FileFilter>& filters, const std::string& name) {
  const std::string wanted = io::endingOf(name);
  const Endings ending = {wanted};
  const auto found = std::ranges::find(filters, ending, &FileFilter::extensions);
  return found == filters.end() ? 0 : static_cast<int>(found - filters.begin());
}

std::string withEndingOf(const FileFilter& filter, const std::string& name) {
  if (filter.extensions.size() != 1 || name.empty() || io::endingOf(name) == filter.extensions[0]) return name;
  return std::filesystem::path(name).replace_extension(filter.extensions[0]).string();
}

std::string exportName(const Document& document) {
  const SourceFile* source = document.source.get();
  const std::string name = source ? io::asUtf8(source->path.filename().string()) : document.figure->name();
  const bool isRobot = source && (source->format == SourceFormat::Urdf || source->format == SourceFormat::Sdf ||
                                  source->format == SourceFormat::Mjcf);
  if (source && !isRobot && io::findExportFormat(name)) return name;
  const std::string stem = source ? io::asUtf8(source->path.stem().string()) : name;
  if (source && source->format == SourceFormat::Glb) return stem + ".glb";
  const bool isBody = source || bodyMapOf(*document.figure).isPerson();
  return stem + (isBody && !isRobot ? ".bvh" : ".json");
}

std::string withOneEnding(const std::vector<FileFilter>& filters, const std::string& name) {
  const auto isKnown = [&](const std::string& ending) {
    return std::ranges::any_of(filters, [&](const FileFilter& filter) {
      return std::ranges::find(filter.extensions, ending) != filter.extensions.end();
    });
  };
  const std::string rest = std::filesystem::path(name).replace_extension().string();
  return isKnown(io::endingOf(name)) && isKnown(io::endingOf(rest)) ? rest : name;
}

}  // namespace limber::app

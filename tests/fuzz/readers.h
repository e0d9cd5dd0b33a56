// SPDX-License-Identifier: MIT
// All readers with one interface, so that broken files can be given to each.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/figure_formats.h"
#include "limber/io/mesh/foreign.h"
#include "limber/io/motion_file.h"
#include "limber/io/points/key_point_views.h"
#include "limber/io/points/observations.h"
#include "limber/io/robot/xacro_yaml.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::test {

struct Reader {
  std::string_view name;  ///< for people
  std::vector<std::string_view> endings;
  /// Reads, and uses what was read. The error, or nothing when the file opened.
  std::function<std::optional<io::Error>(std::string_view bytes, const std::filesystem::path& path)> take;
  bool asksChild = false;  ///< a process for each file: slow

  bool reads(const std::filesystem::path& file) const {
    return std::ranges::find(endings, io::endingOf(file)) != endings.end();
  }
};

inline std::optional<io::Error> takeFigure(const io::Result<io::FigureSource>& source) {
  if (!source) return source.error();
  Kinematics kinematics;
  computeTransforms(*source->figure, restPose(*source->figure), kinematics);
  return std::nullopt;
}

/// A child process reads what stands on the disk.
inline std::optional<io::Error> takeFromDisk(const io::FigureFormat& format, std::string_view bytes,
                                             const std::filesystem::path& path) {
  const std::string name = "limber_broken_" + std::to_string(getpid()) + path.extension().string();
  const std::filesystem::path file = std::filesystem::temp_directory_path() / name;
  std::ofstream(file, std::ios::binary) << bytes;
  const std::optional<io::Error> error = takeFigure(format.read(bytes, file, {}));
  std::filesystem::remove(file);
  return error;
}

/// All that a fit relies on must hold.
inline std::optional<io::Error> takeObservations(const io::Result<io::ObservationSource>& source) {
  if (!source) return source.error();
  const Observations& seen = source->observations;
  const bool isWhole = !seen.names.empty() && seen.frameCount > 0 && seen.weights.size() == seen.names.size() &&
                       seen.positions.size() == static_cast<std::size_t>(seen.frameCount) * seen.names.size();
  return isWhole ? std::nullopt : std::optional(io::Error{});  // without a cause: a failure
}

/// A table of joint states of a planar chain. It ends in .csv outside of these tests, as tables of points do.
inline std::optional<io::Error> takeJointStates(std::string_view bytes, const std::filesystem::path& path) {
  constexpr std::size_t kMostFrames = 1000;
  const auto figure = makePlanarChain(2);
  std::vector<char> isNamed;
  const auto motion = io::parseJointStatesCsv(bytes, path.string(), *figure, kMostFrames, isNamed);
  if (!motion) return motion.error();
  const bool isWhole = (*motion)->frameCount > 0 && isValid(*figure, (*motion)->poseAt(*figure, 0));
  return isWhole ? std::nullopt : std::optional(io::Error{});
}

/// A file of key points, which may be a folder and is read from the disk.
inline std::optional<io::Error> takeKeyPoints(std::string_view bytes, const std::filesystem::path&) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("limber_key_points_" + std::to_string(getpid()) + ".json");
  std::ofstream(file, std::ios::binary) << bytes;
  const auto source = io::readKeyPointViews(file, {.width = 100, .height = 100, .progress = {}});
  std::filesystem::remove(file);
  if (!source) return source.error();
  const KeyPoints& points = source->views.front();
  const auto isSound = [](const SeenPixel& seen) { return !seen.isSeen() || seen.confidence <= 1.0; };
  const bool isWhole = points.frameCount > 0 && std::ranges::all_of(points.seen, isSound) &&
                       points.seen.size() == static_cast<std::size_t>(points.frameCount) * points.names.size();
  return isWhole ? std::nullopt : std::optional(io::Error{});
}

/// A file of YAML, which a robot in xacro loads.
inline std::optional<io::Error> takeYaml(std::string_view bytes, const std::filesystem::path& path) {
  try {
    io::readXacroYaml(std::string(bytes));
    return std::nullopt;
  } catch (const io::XacroFault& fault) {
    return io::Error{path.string(), "", fault.cause};
  }
}

inline std::vector<Reader> allReaders() {
  using Path = std::filesystem::path;
  std::vector<Reader> readers;
  for (const io::FigureFormat& format : io::figureFormats()) {
    const bool asksChild = format.read == io::readForeign;
    readers.push_back({format.name, format.endings,
                       [&format, asksChild](std::string_view bytes, const Path& path) {
                         return asksChild ? takeFromDisk(format, bytes, path)
                                          : takeFigure(format.read(bytes, path, {}));
                       },
                       asksChild});
  }
  for (const io::ObservationFormat& format : io::observationFormats())
    readers.push_back({format.name, format.endings, [&format](std::string_view bytes, const Path& path) {
                         return takeObservations(format.read(bytes, path.string(), {}));
                       }});
  readers.push_back({"Joint states", {".states"}, takeJointStates});
  readers.push_back({"Key points", {".keypoints"}, takeKeyPoints});
  readers.push_back({"YAML of xacro", {".yaml"}, takeYaml});
  return readers;
}

}  // namespace limber::test

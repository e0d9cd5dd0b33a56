// SPDX-License-Identifier: MIT
// Files of observed points: JSON, tables (CSV), marker files (TRC, C3D), and motions of figures, whose joints are the
// points.
#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"
#include "limber/io/base/text.h"
#include "limber/kinematics/figure.h"
#include "limber/scene/observations.h"

namespace limber::io {

inline constexpr std::size_t kMaxObservedPositions = 10'000'000;  ///< frames times points: 240 MB
inline constexpr std::size_t kMaxObservationBytes = 64u << 20;    ///< in a table or marker file
inline constexpr std::size_t kMaxObservationJsonBytes = 16u << 20;

struct ObservationSource {
  Observations observations;
  std::vector<std::string> notes;  ///< what was guessed or left out, one sentence each
  std::string_view format;         ///< for people: "CSV table"
};

struct ObservationFormat {
  std::string_view name;                      ///< for people
  std::vector<std::string_view> endings;      ///< of file names, with the dot, lower case
  bool (*looksLike)(std::string_view bytes);  ///< a quick test of the contents; null where only the ending tells
  /// `file` is the name for errors. `up` is the file's vertical axis: 'x', 'y' or 'z'. It defaults to the axis that the
  /// file says, else to y.
  Result<ObservationSource> (*read)(std::string_view bytes, const std::string& file, std::optional<char> up);
};

/// The formats of observed points: JSON, CSV, TRC and C3D.
std::span<const ObservationFormat> observationFormats();

/// True for a file of one of these formats, by its contents or the ending of its name. Such a file has points to fit a
/// figure to, and no figure. Reads the file.
bool holdsObservations(const std::filesystem::path& path);

/// The points of a file of one of these formats; of any other file, the joints and sites of its figure over its motion.
Result<ObservationSource> readObservations(const std::filesystem::path& path, std::optional<char> up = {},
                                           const OpenContext& context = {});

inline constexpr double kFarthestMarker = 1e12;  ///< file units; larger coordinates are errors

// The readers in observationFormats().
Result<ObservationSource> readObservationsJson(std::string_view bytes, const std::string& file, std::optional<char> up);
Result<ObservationSource> readObservationsCsv(std::string_view bytes, const std::string& file, std::optional<char> up);
Result<ObservationSource> readObservationsTrc(std::string_view bytes, const std::string& file, std::optional<char> up);
bool looksLikeObservationsJson(std::string_view bytes);
/// Without an axis that the file names, z is up.
Result<ObservationSource> readObservationsC3d(std::string_view bytes, const std::string& file, std::optional<char> up);
bool looksLikeTrc(std::string_view bytes);
bool looksLikeC3d(std::string_view bytes);

/// Converts positions of a file to metres with y up.
class ObservationFrame {
 public:
  /// up: 'x', 'y' or 'z'.
  ObservationFrame(double metresPerUnit, char up);
  Eigen::Vector3d operator()(const Eigen::Vector3d& place) const { return sceneFromFile_ * place; }

 private:
  Eigen::Matrix3d sceneFromFile_;
};

/// The common part of the readers of tables and of marker files.
class MarkerReader {
 protected:
  explicit MarkerReader(std::string_view bytes) : lines_(bytes) {}

  [[noreturn]] void fail(std::string cause) const { throw Fault{lines_.place(), std::move(cause)}; }
  /// The number in a cell of the current line; NaN for a missing number and beyond the end of the line.
  double cell(std::size_t column) const;
  /// Begins a frame at a time in seconds, NaN when unknown. Fails on too many frames.
  void beginFrame(double time);
  /// Adds a position to the frame; a coordinate that is NaN marks it as missing.
  void addPlace(const Eigen::Vector3d& place, const ObservationFrame& frame);
  /// The mean time between frames, seconds; nothing when first or last time are unknown.
  std::optional<double> frameTime() const;

  LineReader lines_;
  std::vector<std::string> cells_;
  ObservationSource source_;

 private:
  double firstTime_ = std::numeric_limits<double>::quiet_NaN(), lastTime_ = firstTime_;
};

/// The length of a unit in metres by its name in files ("mm", "Meters", "inches"); nothing for other words.
std::optional<double> metresPerUnit(std::string_view word);

/// An error message when there are too many positions; else empty.
std::string tooManyPositions(std::size_t frames, std::size_t points);

/// An error message with a name that occurs twice; else empty.
std::string repeatedName(const std::vector<std::string>& names);

/// Which point of a figure each observed point is, as people write it: {"observed name": "link, site or joint"}, or
/// null
/// ("") to leave the point out.
using PointMap = std::map<std::string, std::string>;

Result<PointMap> readPointMap(const std::filesystem::path& path);

/// Overrides guessed `names`, one for each observed point, by the map. A name that the map gives to a point is removed
/// from the point for which it was guessed. Errors: a point was not observed, or the figure has no such name. `file` is
/// the name for errors.
std::optional<Error> applyPointMap(const PointMap& map, const std::string& file, const Figure& figure,
                                   const std::vector<std::string>& observed, std::vector<std::string>& names);

}  // namespace limber::io

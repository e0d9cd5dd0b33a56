// SPDX-License-Identifier: MIT
// Files of observed points: JSON, tables (CSV), marker files (TRC), and the joints of whatever opens with a motion.
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"
#include "limber/io/base/text_table.h"
#include "limber/scene/observations.h"

namespace limber::io {

inline constexpr std::size_t kMaxObservedPositions = 10'000'000;  ///< frames times points: 240 MB
inline constexpr std::size_t kMaxObservationBytes = 64u << 20;    ///< of a table or marker file
inline constexpr std::size_t kMaxObservationJsonBytes = 16u << 20;

struct ObservationSource {
  Observations observations;
  std::vector<std::string> notes;  ///< what was guessed or left out, one sentence each
  std::string_view format;         ///< for people: "CSV table"
};

struct ObservationFormat {
  std::string_view name;                      ///< for people
  std::vector<std::string_view> endings;      ///< of file names, with the dot, lower case
  bool (*looksLike)(std::string_view bytes);  ///< tells by the contents, quickly; null where the ending alone does
  /// `file` is what errors carry. up: 'x', 'y' or 'z' in the file; what the file says, else y, when not given.
  Result<ObservationSource> (*read)(std::string_view bytes, const std::string& file, std::optional<char> up);
};

/// JSON, CSV and TRC.
std::span<const ObservationFormat> observationFormats();

/// True for a file of one of these formats, which opens as points to fit to and not as a figure: by its contents, then
/// by the ending of its name. Reads it.
bool holdsObservations(const std::filesystem::path& path);

/// A file of one of these formats; else the joints and sites of the figure that the file holds, over its motion.
Result<ObservationSource> readObservations(const std::filesystem::path& path, std::optional<char> up = {},
                                           const OpenContext& context = {});

inline constexpr double kFarthestMarker = 1e12;  ///< file units: a coordinate beyond is an error

// The readers of the table.
Result<ObservationSource> readObservationsJson(std::string_view bytes, const std::string& file, std::optional<char> up);
Result<ObservationSource> readObservationsCsv(std::string_view bytes, const std::string& file, std::optional<char> up);
Result<ObservationSource> readObservationsTrc(std::string_view bytes, const std::string& file, std::optional<char> up);
bool looksLikeObservationsJson(std::string_view bytes);
bool looksLikeTrc(std::string_view bytes);

/// A place of a file in metres with y up.
class ObservationFrame {
 public:
  /// up: 'x', 'y' or 'z'.
  ObservationFrame(double metresPerUnit, char up);
  Eigen::Vector3d operator()(const Eigen::Vector3d& place) const { return sceneFromFile_ * place; }

 private:
  Eigen::Matrix3d sceneFromFile_;
};

/// What is wrong in a table or marker file, and in which line.
struct MarkerFault {
  std::string place, cause;
};

/// What the readers of tables and of marker files have in common. Faults travel as MarkerFault.
class MarkerReader {
 protected:
  explicit MarkerReader(std::string_view bytes) : lines_(bytes) {}

  [[noreturn]] void fail(std::string cause) const { throw MarkerFault{lines_.place(), std::move(cause)}; }
  /// The number in a cell of the present line; NaN where it is missing, as beyond the end of the line.
  double cell(std::size_t column) const;
  /// Begins a frame at a time in seconds, NaN for an unknown one. Fails on too many frames.
  void beginFrame(double time);
  /// A place of the frame, missing where a coordinate is NaN.
  void addPlace(const Eigen::Vector3d& place, const ObservationFrame& frame);
  /// Seconds between frames by the first and the last time; nothing where they tell none.
  std::optional<double> frameTime() const;

  LineReader lines_;
  std::vector<std::string> cells_;
  ObservationSource source_;

 private:
  double firstTime_ = std::numeric_limits<double>::quiet_NaN(), lastTime_ = firstTime_;
};

/// Metres in a unit as files write it ("mm", "Meters", "inches"); nothing for a word that is none.
std::optional<double> metresPerUnit(std::string_view word);

/// Empty, or that so many positions are too many.
std::string tooManyPositions(std::size_t frames, std::size_t points);

/// Empty, or which name occurs twice.
std::string repeatedName(const std::vector<std::string>& names);

}  // namespace limber::io

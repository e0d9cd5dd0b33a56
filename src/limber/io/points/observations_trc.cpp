// SPDX-License-Identifier: MIT
// Marker files (TRC) of motion capture programs and OpenSim:
//
//   PathFileType  4  (X/Y/Z)  walk.trc
//   DataRate  CameraRate  NumFrames  NumMarkers  Units  ...
//   100       100         300        39          mm     ...
//   Frame#  Time  LASI            RASI  ...
//                 X1    Y1    Z1  X2    ...
//   1       0.0   12.0  940.1 ...                            empty or NaN: the marker is missing
#include <algorithm>
#include <cctype>
#include <cmath>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/points/observations.h"

namespace limber::io {

namespace {

class TrcReader : MarkerReader {
 public:
  TrcReader(std::string_view bytes, std::optional<char> up) : MarkerReader(bytes), up_(up.value_or('y')) {}

  ObservationSource read() {
    readHead();
    readNames();
    const ObservationFrame frame(metres_, up_);
    while (nextRow(false)) readRow(frame);
    Observations& out = source_.observations;
    if (out.frameCount == 0) fail("there is no frame");
    if (frames_ >= 0.0 && frames_ != out.frameCount)
      source_.notes.push_back("The file announces " + std::to_string(std::lround(frames_)) + " frames and holds " +
                              std::to_string(out.frameCount) + ".");
    if (hasUnnamed_)
      source_.notes.push_back("Trajectories beyond the " + std::to_string(out.names.size()) +
                              " named markers are left out.");
    out.weights.assign(out.names.size(), 1.0);
    if (rate_ > 0.0) out.frameTime = 1.0 / rate_;
    else if (const auto time = frameTime()) out.frameTime = *time;
    else source_.notes.push_back("There is neither rate nor time: 30 frames per second are assumed.");
    return std::move(source_);
  }

 private:
  /// Reads the cells of the next line that is not blank; false at the end.
  bool nextRow(bool isHead) {
    while (const auto line = lines_.next()) {
      if (trimmed(*line).empty()) continue;
      const bool hasTabs = line->find('\t') != std::string_view::npos;
      if (!splitCells(*line, hasTabs ? '\t' : ' ', cells_)) fail("has too many columns");
      return true;
    }
    if (isHead) fail("the file ends before its first frame");
    return false;
  }

  /// Reads the three lines above the names.
  void readHead() {
    nextRow(true);
    if (cells_.empty() || !looksLikeTrc(cells_[0])) fail("does not begin with PathFileType");
    nextRow(true);
    const std::vector<std::string> words = cells_;
    nextRow(true);
    const auto valueOf = [&](std::string_view word) -> std::string {
      const auto found = static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
      return found < std::min(words.size(), cells_.size()) ? cells_[found] : std::string();
    };
    const std::string units = valueOf("Units");
    const auto metres = metresPerUnit(units);
    if (!metres && !units.empty()) fail("Units: " + inQuotes(units) + " is not a unit of length (m, cm, mm, in, ft)");
    if (!metres) source_.notes.push_back("There is no unit of length: millimetres are assumed.");
    metres_ = metres.value_or(0.001);
    rate_ = numberOf(valueOf("DataRate")).value_or(0.0);
    if (!(rate_ > 1e-6 && rate_ < 1e9)) rate_ = 0.0;
    frames_ = numberOf(valueOf("NumFrames")).value_or(-1.0);
    if (!(frames_ < 1e9)) frames_ = -1.0;
  }

  /// Reads the line of names and the line of axes below it.
  void readNames() {
    nextRow(true);
    if (cells_.size() < 3 || !cells_[0].starts_with("Frame")) fail("the line of names must begin with Frame# and Time");
    for (std::size_t i = 2; i < cells_.size(); ++i)
      if (!cells_[i].empty()) source_.observations.names.push_back(cells_[i]);
    if (source_.observations.names.empty()) fail("names no marker");
    if (const std::string fault = repeatedName(source_.observations.names); !fault.empty()) fail(fault);
    nextRow(true);
    const auto axis = std::ranges::find_if(cells_, [](const std::string& cell) { return !cell.empty(); });
    if (axis == cells_.end() || std::toupper(static_cast<unsigned char>(axis->front())) != 'X')
      fail("the axes X1, Y1, Z1 ... are missing below the names");
  }

  void readRow(const ObservationFrame& frame) {
    const std::size_t count = source_.observations.names.size();
    beginFrame(cell(1));
    for (std::size_t i = 2 + 3 * count; i < cells_.size() && !hasUnnamed_; ++i) hasUnnamed_ = !cells_[i].empty();
    for (std::size_t i = 2; i < 2 + 3 * count; i += 3) addPlace({cell(i), cell(i + 1), cell(i + 2)}, frame);
  }

  char up_;
  double metres_ = 0.001, rate_ = 0.0, frames_ = -1.0;
  bool hasUnnamed_ = false;
};

}  // namespace

bool looksLikeTrc(std::string_view bytes) { return withoutMark(bytes).starts_with("PathFileType"); }

Result<ObservationSource> readObservationsTrc(std::string_view bytes, const std::string& file, std::optional<char> up) {
  if (bytes.size() > kMaxObservationBytes) return Error{file, "", "is larger than 64 MiB"};
  return faultsAsErrors<ObservationSource>(file, [&] { return TrcReader(bytes, up).read(); });
}

}  // namespace limber::io

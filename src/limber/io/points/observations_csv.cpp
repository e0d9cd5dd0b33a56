// SPDX-License-Identifier: MIT
// Observed points as a table: a line of names, then a line for each frame.
//
//   time, hips.x, hips.y, hips.z, head.x, ...     one column per coordinate: .x _x :x [x] or " x", in any case
//   frame, hips, , , head, , ,                    or a name above the first of three columns or all of them;
//   , X, Y, Z, X, Y, Z                            axes may follow below
//
// Cells are separated by tabs, semicolons, commas or blanks. Empty cells and NaN are missing. Lines that begin with #
// are comments.
#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <unordered_map>

#include "limber/io/base/json.h"
#include "limber/io/points/observations.h"

namespace limber::io {

namespace {

/// Splits "hips.x" into {"hips", 0}; the axis is -1 for a name without one.
struct ColumnName {
  std::string point;
  int axis = -1;
};

ColumnName splitAxis(std::string_view cell) {
  std::string_view name = cell;
  const bool isBracketed = name.size() > 3 && (name.ends_with(']') || name.ends_with(')'));
  if (isBracketed) name.remove_suffix(1);
  if (name.size() < 3) return {std::string(cell), -1};
  const char axis = static_cast<char>(std::tolower(static_cast<unsigned char>(name.back())));
  const char before = name[name.size() - 2];
  const std::string_view separators = isBracketed ? "[(" : "._: -";
  if (axis < 'x' || axis > 'z' || separators.find(before) == std::string_view::npos) return {std::string(cell), -1};
  return {std::string(trimmed(name.substr(0, name.size() - 2))), axis - 'x'};
}

/// The contents of the table's columns.
struct Layout {
  int timeColumn = -1;
  std::vector<std::string> names;
  std::vector<std::array<int, 3>> columns;  ///< of x, y and z, for each point
};

bool isTime(const std::string& cell) {
  constexpr std::array<std::string_view, 6> kWords = {"time", "t", "time [s]", "time (s)", "time_s", "seconds"};
  return std::ranges::find(kWords, lowerCase(cell)) != kWords.end();
}

bool isFrameNumber(const std::string& cell) { return isAmong(lowerCase(cell), "frame frame# frames index #"); }

class TableReader : MarkerReader {
 public:
  TableReader(std::string_view bytes, std::optional<char> up) : MarkerReader(bytes), frame_(1.0, up.value_or('y')) {}

  ObservationSource read() {
    readHeader();
    while (nextRow()) readRow();
    Observations& out = source_.observations;
    if (out.frameCount == 0) fail("there is no frame below the names");
    out.weights.assign(out.names.size(), 1.0);
    if (const auto time = frameTime()) out.frameTime = *time;
    else source_.notes.push_back("There is no column of times: 30 frames per second are assumed.");
    return std::move(source_);
  }

 private:
  /// Reads the cells of the next line that is not blank; false at the end. A line of separators only is a frame in
  /// which all points are missing.
  bool nextRow() {
    while (const auto line = lines_.next()) {
      const std::string_view text = trimmed(*line);
      if (text.empty() || (text.front() == '#' && !lowerCase(text).starts_with("#,"))) continue;
      if (separator_ == 0) separator_ = separatorOf(text);
      if (!splitCells(separator_ == ' ' ? text : *line, separator_, cells_)) fail("has too many columns");
      const bool isEmpty = std::ranges::all_of(cells_, &std::string::empty);
      if (!isEmpty || !header_.empty()) return true;
    }
    return false;
  }

  void readHeader() {
    if (!nextRow()) fail("there is no line of names");
    header_ = cells_;
    const bool hasAxes =
        std::ranges::any_of(header_, [](const std::string& cell) { return splitAxis(cell).axis >= 0; });
    const std::string headerPlace = lines_.place();
    if (!nextRow())
      fail(hasAxes ? "there is no frame below the names"
                   : "is not a table of points: its header needs names such as wrist.x, wrist.y, wrist.z");
    isRowRead_ = !isAxisRow();
    if (hasAxes) findNamedColumns(headerPlace);
    else findTriples(headerPlace);
    Observations& out = source_.observations;
    out.names = layout_.names;
    if (out.names.empty())
      throw Fault{headerPlace, "names no point: name.x, name.y, name.z, or a name over three columns"};
    if (const std::string fault = repeatedName(out.names); !fault.empty()) throw Fault{headerPlace, fault};
    if (isRowRead_) readRow();
  }

  /// True when the cells are axes ("X", "Y1", ...), which follow a line of names.
  bool isAxisRow() const {
    bool hasAny = false;
    for (const std::string& cell : cells_) {
      if (cell.empty() || isTime(cell) || isFrameNumber(cell)) continue;
      const char axis = static_cast<char>(std::tolower(static_cast<unsigned char>(cell[0])));
      if (axis < 'x' || axis > 'z') return false;
      hasAny = true;
    }
    return hasAny;
  }

  void findNamedColumns(const std::string& place) {
    std::unordered_map<std::string, std::size_t> points;
    for (std::size_t i = 0; i < header_.size(); ++i) {
      if (isTime(header_[i])) layout_.timeColumn = static_cast<int>(i);
      const ColumnName column = splitAxis(header_[i]);
      if (column.axis < 0) continue;
      const auto [point, isNew] = points.emplace(column.point, layout_.names.size());
      if (isNew) {
        layout_.names.push_back(column.point);
        layout_.columns.push_back({-1, -1, -1});
      }
      int& slot = layout_.columns[point->second][column.axis];
      if (slot >= 0) throw Fault{place, "the column " + inQuotes(header_[i]) + " occurs twice"};
      slot = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < layout_.names.size(); ++i)
      if (std::ranges::find(layout_.columns[i], -1) != layout_.columns[i].end())
        throw Fault{place, "the point " + inQuotes(layout_.names[i]) + " lacks one of x, y and z"};
  }

  /// Finds three columns for each name. Names may be repeated or followed by empty cells, or be dense: the table then
  /// has three times as many columns as names.
  void findTriples(const std::string& place) {
    std::size_t first = 0;
    for (; first < header_.size(); ++first) {
      if (isTime(header_[first])) layout_.timeColumn = static_cast<int>(first);
      else if (!isFrameNumber(header_[first]) && !header_[first].empty()) break;
    }
    std::vector<std::string> cells(header_.begin() + static_cast<std::ptrdiff_t>(first), header_.end());
    while (!cells.empty() && cells.back().empty()) cells.pop_back();
    const bool areDense =
        std::ranges::none_of(cells, &std::string::empty) && !(cells.size() > 1 && cells[0] == cells[1]);
    const std::size_t stride = areDense ? 1 : 3;
    for (std::size_t i = 0; i < cells.size(); i += stride) {
      if (cells[i].empty()) throw Fault{place, "column " + std::to_string(first + i + 1) + " has no name"};
      for (std::size_t k = i + 1; k < std::min(i + stride, cells.size()); ++k)
        if (!cells[k].empty() && cells[k] != cells[i])
          throw Fault{place, inQuotes(cells[i]) + " has fewer than three columns"};
      const int column = static_cast<int>(first + 3 * layout_.names.size());
      layout_.names.push_back(cells[i]);
      layout_.columns.push_back({column, column + 1, column + 2});
    }
  }

  void readRow() {
    std::size_t used = 0;
    beginFrame(layout_.timeColumn >= 0 ? cell(layout_.timeColumn) : std::numeric_limits<double>::quiet_NaN());
    for (const auto& [x, y, z] : layout_.columns) {
      addPlace({cell(x), cell(y), cell(z)}, frame_);
      used = std::max<std::size_t>(used, std::max({x, y, z}) + 1);
    }
    for (std::size_t i = std::max(used, header_.size()); i < cells_.size(); ++i)
      if (!cells_[i].empty()) fail("has more columns than the names say");
  }

  ObservationFrame frame_;
  char separator_ = 0;
  std::vector<std::string> header_;
  Layout layout_;
  bool isRowRead_ = false;
};

}  // namespace

Result<ObservationSource> readObservationsCsv(std::string_view bytes, const std::string& file, std::optional<char> up) {
  if (bytes.size() > kMaxObservationBytes) return Error{file, "", "is larger than 64 MiB"};
  return faultsAsErrors<ObservationSource>(file, [&] { return TableReader(bytes, up).read(); });
}

}  // namespace limber::io

// SPDX-License-Identifier: MIT
#include "limber/io/points/key_points.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/open_context.h"
#include "limber/io/base/text.h"
#include "limber/io/figure_formats.h"
#include "limber/io/points/key_point_builder.h"
#include "limber/io/points/key_point_json.h"
#include "limber/io/points/observations.h"

namespace limber::io {

namespace {

constexpr double kGuessedMargin = 1.1;  // size of the picture / farthest key point

// ---- CSV

struct PointTable {
  int frame = -1, point = -1, x = -1, y = -1, confidence = -1;  ///< columns

  bool isWhole() const { return point >= 0 && x >= 0 && y >= 0; }
};

PointTable columnsOf(const std::vector<std::string>& header) {
  PointTable table;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string name = lowerCase(header[i]);
    const int column = static_cast<int>(i);
    if (name == "frame") table.frame = column;
    if (name == "point" || name == "joint" || name == "keypoint" || name == "name") table.point = column;
    if (name == "x") table.x = column;
    if (name == "y") table.y = column;
    if (name == "z") return {};  // points in space
    if (name == "confidence" || name == "score" || name == "visibility" || name == "c") table.confidence = column;
  }
  return table;
}

class PointTableReader {
 public:
  PointTableReader(std::string_view bytes, KeyPointBuilder& builder) : lines_(bytes), builder_(builder) {}

  void read() {
    if (!nextRow()) fail("holds nothing");
    table_ = columnsOf(cells_);
    if (!table_.isWhole()) fail("has no columns point, x and y");
    std::map<long long, Person> frames;
    while (nextRow()) readRow(frames);
    long long next = frames.empty() ? 0 : frames.begin()->first;
    for (auto& [frame, person] : frames) {
      if (frame - next > static_cast<long long>(kMaxKeyPointFrames)) fail("leaves out too many frames");
      for (; next < frame; ++next) builder_.addFrame({});
      builder_.addFrame({std::move(person)});
      ++next;
    }
  }

 private:
  [[noreturn]] void fail(std::string cause) const { throw Fault{lines_.place(), std::move(cause)}; }

  bool nextRow() {
    while (const auto line = lines_.next()) {
      const std::string_view text = trimmed(*line);
      if (text.empty() || text.front() == '#') continue;
      if (separator_ == 0) separator_ = separatorOf(text);
      if (!splitCells(text, separator_, cells_)) fail("has too many columns");
      return true;
    }
    return false;
  }

  double numberAt(int column, double missing) const {
    if (column < 0 || column >= std::ssize(cells_) || isMissing(cells_[column])) return missing;
    const auto number = numberOf(cells_[column]);
    if (!number || std::abs(*number) > kFarthestPixel) fail("has a cell that is not a number of pixels");
    return *number;
  }

  void readRow(std::map<long long, Person>& frames) {
    const double frame = numberAt(table_.frame, 0.0), x = numberAt(table_.x, NAN), y = numberAt(table_.y, NAN);
    if (frame != std::floor(frame)) fail("has a frame that is not a whole number");
    if (table_.point >= std::ssize(cells_) || cells_[table_.point].empty()) fail("names no point");
    Person& person = frames[static_cast<long long>(frame)];
    if (frames.size() > kMaxKeyPointFrames) fail("has too many frames");
    if (std::isnan(x) || std::isnan(y)) return;
    person.add(cells_[table_.point], x, y, numberAt(table_.confidence, 1.0));
  }

  LineReader lines_;
  KeyPointBuilder& builder_;
  std::vector<std::string> cells_;
  PointTable table_;
  char separator_ = 0;
};

// ---- Files

/// Appends the frames of one file.
std::optional<Error> addFile(const std::filesystem::path& path, PictureSize& size, KeyPointBuilder& builder,
                             std::string_view& format) {
  const Result<std::string> bytes = readFile(path, kMaxKeyPointBytes);
  if (!bytes) return bytes.error();
  const std::string file = path.string();
  if (!looksLikeJson(*bytes)) {
    try {
      PointTableReader(*bytes, builder).read();
    } catch (const Fault& fault) {
      return Error{file, fault.place, fault.cause};
    }
    format = "CSV table";
  } else {
    const auto read = readJsonText<std::string_view>(
        *bytes, file, [&](const JsonValue& value) { return addKeyPointJson(value, size, builder); });
    if (!read) return read.error();
    format = *read;
  }
  if (std::string fault = builder.fault(); !fault.empty()) return Error{file, "", std::move(fault)};
  return std::nullopt;
}

Result<std::vector<std::filesystem::path>> filesOf(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return std::vector{path};
  std::vector<std::filesystem::path> files;
  for (auto entry = std::filesystem::directory_iterator(path, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (lowerCase(entry->path().extension().string()) == ".json") files.push_back(entry->path());
    if (files.size() > kMaxKeyPointFrames) return Error{path.string(), "", "holds too many files"};
  }
  if (error) return Error{path.string(), "", "cannot be read: " + error.message()};
  if (files.empty()) return Error{path.string(), "", "holds no .json files of key points"};
  std::ranges::sort(files, [](const auto& a, const auto& b) { return comesBefore(a.string(), b.string()); });
  return files;
}

/// If no file gives a size, takes one that holds the farthest key point.
void guessSize(KeyPointSource& source) {
  KeyPoints& points = source.points;
  if (points.width > 0 && points.height > 0) return;
  Eigen::Vector2d farthest = Eigen::Vector2d::Ones();
  for (const SeenPixel& seen : points.seen)
    if (seen.isSeen()) farthest = farthest.cwiseMax(seen.place);
  points.width = static_cast<int>(std::ceil(kGuessedMargin * farthest.x()));
  points.height = static_cast<int>(std::ceil(kGuessedMargin * farthest.y()));
  source.notes.push_back("The size of the pictures is not known: " + std::to_string(points.width) + " x " +
                         std::to_string(points.height) + " pixels are assumed.");
}

}  // namespace

bool looksLikeKeyPoints(std::string_view bytes) {
  const auto has = [&](std::string_view word) { return bytes.find(word) != std::string_view::npos; };
  if (looksLikeJson(bytes) && (has("\"links\"") || has("\"figure\""))) return false;  // a file of Limber
  if (looksLikeJson(bytes))
    return has("keypoints_2d\"") || has("\"keypoints\"") || has("andmarks\"") || has("\"key_points\"") ||
           has("\"bodies\"") || (has("\"people\"") && has("\"version\"")) ||
           (trimmed(bytes).starts_with('[') && has("\"x\"") && has("\"visibility\""));
  LineReader lines(bytes);
  std::vector<std::string> cells;
  while (const auto line = lines.next()) {
    const std::string_view text = trimmed(*line);
    if (text.empty() || text.front() == '#') continue;
    return splitCells(text, separatorOf(text), cells) && columnsOf(cells).isWhole();
  }
  return false;
}

bool holdsKeyPoints(const std::filesystem::path& path) {
  std::error_code error;
  const bool isFolder = std::filesystem::is_directory(path, error);
  if (!isFolder && !isAmong(endingOf(path), ".json .csv .tsv .txt")) return false;
  const auto files = filesOf(path);
  if (!files) return false;
  const Result<std::string> bytes = readFile(files->front(), kMaxKeyPointBytes);
  return bytes && looksLikeKeyPoints(*bytes);
}

Result<KeyPointSource> readKeyPoints(const std::filesystem::path& path, const KeyPointChoices& choices) {
  const auto files = filesOf(path);
  if (!files) return files.error();
  KeyPointBuilder builder;
  PictureSize size{choices.width, choices.height, choices.shownWidth, choices.shownHeight};
  std::string_view format;
  for (std::size_t i = 0; i < files->size(); ++i) {
    if (choices.progress && !choices.progress(static_cast<double>(i) / static_cast<double>(files->size()), "reading"))
      return Error{path.string(), "", std::string(kCancelled)};
    if (auto fault = addFile((*files)[i], size, builder, format)) return *fault;
  }
  KeyPointSource source = builder.finish();
  source.format = format;
  size.takeShown();
  source.points.width = size.width;
  source.points.height = size.height;
  if (std::ranges::none_of(source.points.seen, &SeenPixel::isSeen))
    return Error{path.string(), "", "there is no person, or all confidences are zero"};
  guessSize(source);
  return source;
}

}  // namespace limber::io

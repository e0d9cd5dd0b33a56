// SPDX-License-Identifier: MIT
// People seen in pictures, frame by frame, of which one is followed.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/io/points/key_points.h"
#include "limber/io/points/observations.h"

namespace limber::io {

inline constexpr double kFarthestPixel = 1e6;

/// The size of the pictures, pixels; 0 where it is not known yet. The shown size is used if no file gives one.
struct PictureSize {
  int width = 0, height = 0;
  int shownWidth = 0, shownHeight = 0;

  void takeShown() {
    if (width > 0 && height > 0) return;
    width = shownWidth;
    height = shownHeight;
  }
};

struct Person {
  std::vector<std::pair<std::string, SeenPixel>> points;

  void add(const std::string& name, double x, double y, double confidence) {
    if (confidence > 0.0) points.emplace_back(name, SeenPixel{{x, y}, std::min(confidence, 1.0)});
  }
  Eigen::Vector2d middle() const {
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    for (const auto& [name, seen] : points) sum += seen.place / static_cast<double>(points.size());
    return sum;
  }
  /// The area of the bounding box of the points, times their mean confidence.
  double size() const {
    if (points.empty()) return 0.0;
    Eigen::Vector2d low = points.front().second.place, high = low;
    double confidence = 0.0;
    for (const auto& [name, seen] : points) {
      low = low.cwiseMin(seen.place);
      high = high.cwiseMax(seen.place);
      confidence += seen.confidence / static_cast<double>(points.size());
    }
    return (high - low).prod() * confidence;
  }
};

/// Collects frames in order. Among several people it follows the one that is largest in the first frame with any.
class KeyPointBuilder {
 public:
  void addFrame(std::vector<Person> people) {
    std::erase_if(people, [](const Person& person) { return person.points.empty(); });
    mostPeople_ = std::max(mostPeople_, people.size());
    Row& row = rows_.emplace_back();
    if (people.empty()) return;
    const auto chosen = last_ ? std::ranges::min_element(
                                    people, {}, [&](const Person& person) { return (person.middle() - *last_).norm(); })
                              : std::ranges::max_element(people, {}, &Person::size);
    last_ = chosen->middle();
    for (const auto& [name, seen] : chosen->points) row.emplace_back(columnOf(name), seen);
  }

  /// Empty, or why the data is too large.
  std::string fault() const {
    if (rows_.size() > kMaxKeyPointFrames) return "has too many frames";
    if (names_.size() > kMaxKeyPointNames) return "has too many points";
    return tooManyPositions(rows_.size(), names_.size());
  }

  KeyPointSource finish() const {
    KeyPointSource source;
    KeyPoints& out = source.points;
    out.names = names_;
    out.frameCount = static_cast<int>(rows_.size());
    out.seen.assign(rows_.size() * names_.size(), SeenPixel{.confidence = 0.0});
    for (std::size_t frame = 0; frame < rows_.size(); ++frame)
      for (const auto& [column, seen] : rows_[frame]) {
        SeenPixel& place = out.seen[frame * names_.size() + column];
        if (seen.confidence > place.confidence) place = seen;  // body and hand both have a wrist
      }
    if (mostPeople_ > 1)
      source.notes.push_back("There are up to " + std::to_string(mostPeople_) +
                             " people: the one that is largest at first is followed.");
    return source;
  }

 private:
  using Row = std::vector<std::pair<std::size_t, SeenPixel>>;  ///< the points seen in a frame, by column

  std::size_t columnOf(const std::string& name) {
    const auto [found, isNew] = columns_.try_emplace(name, names_.size());
    if (isNew) names_.push_back(name);
    return found->second;
  }

  std::map<std::string, std::size_t> columns_;
  std::vector<std::string> names_;
  std::vector<Row> rows_;
  std::optional<Eigen::Vector2d> last_;
  std::size_t mostPeople_ = 0;
};

}  // namespace limber::io

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
#include "limber/io/points/observations.h"

namespace limber::io {

namespace {

constexpr double kFarthestPixel = 1e6;
constexpr double kGuessedMargin = 1.1;  // size of the picture / farthest key point

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

// ---- The names of points that files only number

std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> out;
  splitCells(words, ' ', out);
  return out;
}

/// 21 points of a hand, the wrist first.
void addHand(const std::string& side, std::vector<std::string>& names) {
  names.push_back(side + "_wrist");
  for (const std::string finger : {"thumb", "index", "middle", "ring", "pinky"})
    for (const std::string joint :
         finger == "thumb" ? std::array{"cmc", "mcp", "ip", "tip"} : std::array{"mcp", "pip", "dip", "tip"})
      names.push_back(side + "_" + finger + "_" + joint);
}

std::vector<std::string> handNames(const std::string& side) {
  std::vector<std::string> names;
  addHand(side, names);
  return names;
}

/// The points of OpenPose's body model with this number of points; empty for other numbers.
std::vector<std::string> openPoseNames(std::size_t count) {
  const std::string upper = "nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist ";
  const std::string legs = "right_hip right_knee right_ankle left_hip left_knee left_ankle ";
  const std::string face = "right_eye left_eye right_ear left_ear";
  if (count == 18) return split(upper + legs + face);
  if (count != 25) return {};
  return split(upper + "mid_hip " + legs + face +
               " left_big_toe left_small_toe left_heel right_big_toe right_small_toe right_heel");
}

std::vector<std::string> cocoNames(std::size_t count) {
  std::vector<std::string> names = split(
      "nose left_eye right_eye left_ear right_ear left_shoulder right_shoulder left_elbow right_elbow left_wrist "
      "right_wrist left_hip right_hip left_knee right_knee left_ankle right_ankle");
  if (count == names.size()) return names;
  if (count != 133) return {};
  for (const std::string& foot :
       split("left_big_toe left_small_toe left_heel right_big_toe right_small_toe right_heel"))
    names.push_back(foot);
  for (int i = 0; i < 68; ++i) names.push_back("face_" + std::to_string(i));
  addHand("left", names);
  addHand("right", names);
  return names;
}

std::vector<std::string> mediaPipeNames() {
  return split(
      "nose left_eye_inner left_eye left_eye_outer right_eye_inner right_eye right_eye_outer left_ear right_ear "
      "mouth_left mouth_right left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist left_pinky "
      "right_pinky left_index right_index left_thumb right_thumb left_hip right_hip left_knee right_knee left_ankle "
      "right_ankle left_heel right_heel left_foot_index right_foot_index");
}

// ---- People in pictures

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

  KeyPointSource finish() {
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

void checkPixel(const JsonValue& place, double x, double y) {
  if (!(std::abs(x) <= kFarthestPixel && std::abs(y) <= kFarthestPixel)) place.fail("is too far from the picture");
}

/// Triples of x, y and a confidence, which is multiplied by `share`.
void addTriples(const JsonValue& value, const std::vector<std::string>& names, Person& person, double share = 1.0) {
  const std::vector<double> numbers = value.numbers();
  if (numbers.size() != 3 * names.size())
    value.fail("has " + std::to_string(numbers.size()) + " numbers for " + std::to_string(names.size()) + " points");
  for (std::size_t i = 0; i < names.size(); ++i) {
    checkPixel(value, numbers[3 * i], numbers[3 * i + 1]);
    person.add(names[i], numbers[3 * i], numbers[3 * i + 1], share * numbers[3 * i + 2]);
  }
}

// ---- OpenPose

void readOpenPose(const JsonValue& file, KeyPointBuilder& builder) {
  std::vector<Person> people;
  for (const JsonValue& value : file.at("people").elements()) {
    Person person;
    const JsonValue body = value.at("pose_keypoints_2d");
    const std::vector<std::string> names = openPoseNames(body.size() / 3);
    if (names.empty() && body.size() > 0)
      body.fail("has " + std::to_string(body.size()) + " numbers: 75 (BODY_25) and 54 (COCO) are known");
    addTriples(body, names, person);
    for (const std::string side : {"left", "right"})
      if (const auto hand = value.find("hand_" + side + "_keypoints_2d"); hand && hand->size() > 0)
        addTriples(*hand, handNames(side), person);
    people.push_back(std::move(person));
  }
  builder.addFrame(std::move(people));
}

// ---- COCO

struct CocoFile {
  std::map<double, std::vector<Person>> people;      ///< by image
  std::map<double, std::vector<std::string>> names;  ///< by category
};

void addCocoPerson(const JsonValue& value, CocoFile& file) {
  const auto points = value.find("keypoints");
  std::vector<Person>& image = file.people[value.at("image_id").number()];
  if (!points || points->size() == 0) return;
  const auto category = value.find("category_id");
  const auto named = category ? file.names.find(category->number()) : file.names.end();
  std::vector<std::string> names = cocoNames(points->size() / 3);
  if (named != file.names.end() && 3 * named->second.size() == points->size()) names = named->second;
  if (names.empty())
    points->fail("has " + std::to_string(points->size()) + " numbers: 51 (17 points) and 399 (133) are known");
  const std::vector<double> numbers = points->numbers();
  bool isMarkedByHand = false;  // 1: hidden, 2: visible
  for (std::size_t i = 2; i < numbers.size(); i += 3) isMarkedByHand = isMarkedByHand || numbers[i] == 2.0;
  addTriples(*points, names, image.emplace_back(), isMarkedByHand ? 0.5 : 1.0);
}

void readCoco(const JsonValue& value, KeyPointBuilder& builder) {
  CocoFile file;
  std::vector<double> order;
  if (value.isObject()) {
    if (const auto categories = value.find("categories"))
      for (const JsonValue& category : categories->elements())
        if (const auto names = category.find("keypoints"))
          for (const JsonValue& name : names->elements())
            file.names[category.at("id").number()].push_back(lowerCase(name.name()));
    if (const auto images = value.find("images"))
      for (const JsonValue& image : images->elements()) order.push_back(image.at("id").number());
  }
  for (const JsonValue& person : (value.isObject() ? value.at("annotations") : value).elements())
    addCocoPerson(person, file);
  if (order.empty())
    for (const auto& [image, people] : file.people) order.push_back(image);
  for (const double image : order) builder.addFrame(std::move(file.people[image]));
}

// ---- MediaPipe

/// A list of points in shares of the picture.
void addLandmarks(const JsonValue& list, const std::vector<std::string>& names, const PictureSize& size,
                  Person& person) {
  const std::vector<JsonValue> points = list.elements();
  if (points.size() != names.size())
    list.fail("has " + std::to_string(points.size()) + " points, not " + std::to_string(names.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = points[i].at("x").number() * size.width, y = points[i].at("y").number() * size.height;
    checkPixel(points[i], x, y);
    const auto visibility = points[i].find("visibility");
    person.add(names[i], x, y, visibility && visibility->isNumber() ? visibility->number() : 1.0);
  }
}

std::optional<JsonValue> findAny(const JsonValue& value, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    if (const auto found = value.find(key); found && !found->isNull()) return found;
  return std::nullopt;
}

void readMediaPipe(const JsonValue& value, const PictureSize& size, KeyPointBuilder& builder) {
  std::vector<Person> people;
  if (const auto body = findAny(value, {"pose_landmarks", "poseLandmarks", "landmarks"}); body && body->size() > 0) {
    const std::vector<JsonValue> first = body->elements();
    const bool isList = first.front().isArray();  // a list of people
    for (const JsonValue& list : isList ? first : std::vector{*body})
      addLandmarks(list, mediaPipeNames(), size, people.emplace_back());
  }
  if (people.size() <= 1)
    for (const std::string side : {"left", "right"})
      if (const auto hand = findAny(value, {side + "_hand_landmarks", side + "HandLandmarks"});
          hand && hand->size() > 0) {
        if (people.empty()) people.emplace_back();
        addLandmarks(*hand, handNames(side), size, people.front());
      }
  builder.addFrame(std::move(people));
}

// ---- Any JSON

bool isMediaPipe(const JsonValue& value) {
  return value.isObject() && findAny(value, {"pose_landmarks", "poseLandmarks", "landmarks", "left_hand_landmarks",
                                             "right_hand_landmarks", "leftHandLandmarks", "rightHandLandmarks"});
}

void addMediaPipe(const JsonValue& list, PictureSize& size, KeyPointBuilder& builder) {
  size.takeShown();
  if (size.width == 0)
    list.fail("has coordinates relative to a picture of unknown size: give it by --size WIDTHxHEIGHT");
  if (!list.isArray()) return readMediaPipe(list, size, builder);
  for (const JsonValue& frame : list.elements()) readMediaPipe(frame, size, builder);
}

/// Adds what the value holds; returns the name of its format, for people.
std::string_view addJson(const JsonValue& value, PictureSize& size, KeyPointBuilder& builder) {
  if (value.isObject())
    for (const auto& [key, out] : {std::pair("width", &size.width), std::pair("height", &size.height)})
      if (const auto told = value.find(key); told && *out == 0) *out = told->integerIn(1, 1'000'000);
  if (value.isObject() && value.find("people")) {
    readOpenPose(value, builder);
    return "OpenPose";
  }
  const std::optional<JsonValue> frames = value.isObject() ? value.find("frames") : value;
  const std::vector<JsonValue> list = frames && frames->isArray() ? frames->elements() : std::vector<JsonValue>();
  if (isMediaPipe(value) || (!list.empty() && isMediaPipe(list.front()))) {
    addMediaPipe(isMediaPipe(value) ? value : *frames, size, builder);
    return "MediaPipe";
  }
  const bool isResults = value.isArray() && !list.empty() && list.front().isObject() && list.front().find("image_id");
  if (!isResults && !(value.isObject() && value.find("annotations")))
    value.fail("holds no key points: \"people\" (OpenPose), \"annotations\" (COCO) or \"landmarks\" (MediaPipe)");
  readCoco(value, builder);
  return "COCO";
}

/// Takes the size of the largest picture that a COCO file names.
void addSizes(const JsonValue& value, PictureSize& size) {
  if (!value.isObject() || size.width > 0) return;
  const auto images = value.find("images");
  if (!images) return;
  for (const JsonValue& image : images->elements())
    for (const auto& [key, out] : {std::pair("width", &size.width), std::pair("height", &size.height)})
      if (const auto told = image.find(key)) *out = std::max(*out, told->integerIn(1, 1'000'000));
}

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
    const auto read = readJsonText<std::string_view>(*bytes, file, [&](const JsonValue& value) {
      addSizes(value, size);
      return addJson(value, size, builder);
    });
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
  std::ranges::sort(files);
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
           (has("\"people\"") && has("\"version\""));
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

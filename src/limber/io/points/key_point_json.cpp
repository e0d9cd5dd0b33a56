// SPDX-License-Identifier: MIT
#include "limber/io/points/key_point_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "limber/io/base/text.h"

namespace limber::io {

namespace {

constexpr double kMostShare = 2.0;  // of the picture, if coordinates are relative to it; points may lie outside

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
  if (count == 26 || count == 136)  // of Halpe
    for (const std::string& more : split("head neck mid_hip left_big_toe right_big_toe left_small_toe right_small_toe "
                                         "left_heel right_heel"))
      names.push_back(more);
  if (count == 26) return names;
  if (count != 133 && count != 136) return {};
  if (count == 133)
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

/// The names of points that a list gives without any, by their number; empty for other numbers.
std::vector<std::string> namesOf(std::size_t count) {
  if (count == 33) return mediaPipeNames();
  std::vector<std::string> names = cocoNames(count);
  return names.empty() ? openPoseNames(count) : names;
}

/// "leftEye" and "Left Eye" are "left_eye".
std::string inSnakeCase(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool isUpper = c >= 'A' && c <= 'Z';
    if ((isUpper || c == ' ' || c == '-') && !out.empty() && out.back() != '_') out.push_back('_');
    if (c != ' ' && c != '-') out.push_back(isUpper ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return out;
}

// ---- Lists of points

std::optional<JsonValue> findAny(const JsonValue& value, std::initializer_list<std::string_view> keys) {
  if (!value.isObject()) return std::nullopt;
  for (const std::string_view key : keys)
    if (const auto found = value.find(key); found && !found->isNull()) return found;
  return std::nullopt;
}

struct ListedPoint {
  std::string name;  ///< empty: by its number
  double x = 0.0, y = 0.0, confidence = 0.0;
};

/// [x, y], [x, y, confidence], {"x": ..., "y": ..., "score": ..., "name": ...} or null.
ListedPoint listedPoint(const JsonValue& value) {
  ListedPoint out;
  if (value.isNull()) return out;
  if (value.isArray()) {
    const std::vector<double> numbers = value.numbers();
    if (numbers.size() < 2 || numbers.size() > 3) value.fail("must be x, y and perhaps a confidence");
    return {{}, numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 1.0};
  }
  const JsonValue place = findAny(value, {"position"}).value_or(value);
  out.x = place.at("x").number();
  out.y = place.at("y").number();
  const auto confidence = findAny(value, {"visibility", "score", "confidence"});
  out.confidence = confidence && confidence->isNumber() ? confidence->number() : 1.0;
  if (const auto name = findAny(value, {"name", "part"})) out.name = inSnakeCase(name->name());
  return out;
}

/// Points one after the other, or three numbers for each.
std::vector<ListedPoint> listedPoints(const JsonValue& list) {
  std::vector<ListedPoint> out;
  const std::vector<JsonValue> elements = list.elements();
  if (elements.empty() || !elements.front().isNumber()) {
    for (const JsonValue& element : elements) out.push_back(listedPoint(element));
    return out;
  }
  const std::vector<double> numbers = list.numbers();
  if (numbers.size() % 3 != 0)
    list.fail("has " + std::to_string(numbers.size()) + " numbers: not three for each point");
  for (std::size_t i = 0; i < numbers.size(); i += 3) out.push_back({{}, numbers[i], numbers[i + 1], numbers[i + 2]});
  return out;
}

/// The people of one frame, with what the file says about pictures.
class PeopleReader {
 public:
  explicit PeopleReader(PictureSize& size) : size_(size) {}

  std::vector<Person> take() { return std::exchange(people_, {}); }
  Person& newPerson() { return people_.emplace_back(); }
  std::size_t count() const { return people_.size(); }

  /// Adds a list of points to a person. names: of the points that have none.
  void add(const JsonValue& list, const std::vector<std::string>& names, Person& person, double share = 1.0,
           const std::vector<double>& scores = {}) {
    std::vector<ListedPoint> points = listedPoints(list);
    if (!scores.empty() && scores.size() != points.size())
      list.fail("has " + std::to_string(points.size()) + " points and " + std::to_string(scores.size()) + " scores");
    const bool isNamed = std::ranges::none_of(points, [](const ListedPoint& p) { return p.name.empty(); });
    if (!isNamed && names.size() != points.size())
      list.fail("has " + std::to_string(points.size()) +
                " points without names: 17, 26, 133 and 136 (COCO and Halpe), 18 and 25 (OpenPose), 21 (a hand) and "
                "33 (MediaPipe) are known");
    if (isRelative(points)) scaleToPicture(list, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      ListedPoint& point = points[i];
      if (!(std::abs(point.x) <= kFarthestPixel && std::abs(point.y) <= kFarthestPixel))
        list.fail("has a point that is too far from the picture");
      const double confidence = scores.empty() ? point.confidence : scores[i];
      person.add(point.name.empty() ? names[i] : point.name, point.x, point.y, share * confidence);
    }
  }

  /// The same with names by the number of points.
  void addPerson(const JsonValue& list, const std::vector<double>& scores = {}) {
    const std::vector<JsonValue> elements = list.elements();
    const std::size_t count = !elements.empty() && elements.front().isNumber() ? elements.size() / 3 : elements.size();
    if (count > 0) add(list, namesOf(count), newPerson(), 1.0, scores);
  }

 private:
  /// True if all points are in shares of the picture.
  static bool isRelative(const std::vector<ListedPoint>& points) {
    return std::ranges::any_of(points, [](const ListedPoint& p) { return p.confidence > 0.0 && p.x > 0.0; }) &&
           std::ranges::all_of(points, [](const ListedPoint& p) {
             return !(p.confidence > 0.0) || (std::abs(p.x) <= kMostShare && std::abs(p.y) <= kMostShare);
           });
  }

  void scaleToPicture(const JsonValue& list, std::vector<ListedPoint>& points) {
    size_.takeShown();
    if (size_.width == 0)
      list.fail("has coordinates relative to a picture of unknown size: give it by --size WIDTHxHEIGHT");
    for (ListedPoint& point : points) {
      point.x *= size_.width;
      point.y *= size_.height;
    }
  }

  PictureSize& size_;
  std::vector<Person> people_;
};

/// Takes the size of a picture that an object gives, if none is known.
void takeSize(const JsonValue& value, PictureSize& size) {
  for (const auto& [keys, out] : {std::pair(std::array{"width", "canvas_width"}, &size.width),
                                  {std::array{"height", "canvas_height"}, &size.height}})
    for (const char* key : keys)
      if (const auto told = findAny(value, {key}); told && *out == 0) *out = told->integerIn(1, 1'000'000);
}

// ---- Frames

/// OpenPose, ControlNet.
void addOpenPosePerson(const JsonValue& value, PeopleReader& people) {
  Person& person = people.newPerson();
  if (const JsonValue body = value.at("pose_keypoints_2d"); body.size() > 0)  // null has none
    people.add(body, openPoseNames(body.size() / 3), person);
  for (const std::string side : {"left", "right"})
    if (const auto hand = findAny(value, {"hand_" + side + "_keypoints_2d"}); hand && hand->size() > 0)
      people.add(*hand, handNames(side), person);
}

/// True also for a frame without a person, whose landmarks are null.
bool isMediaPipe(const JsonValue& value) {
  constexpr std::string_view kKeys[] = {"pose_landmarks",      "poseLandmarks",        "landmarks",
                                        "left_hand_landmarks", "right_hand_landmarks", "leftHandLandmarks",
                                        "rightHandLandmarks"};
  return value.isObject() &&
         std::ranges::any_of(kKeys, [&](std::string_view key) { return value.find(key).has_value(); });
}

void addMediaPipe(const JsonValue& value, PeopleReader& people) {
  if (const auto body = findAny(value, {"pose_landmarks", "poseLandmarks", "landmarks"}); body && body->size() > 0) {
    const std::vector<JsonValue> first = body->elements();
    const bool isList = first.front().isArray();  // a list of people
    for (const JsonValue& list : isList ? first : std::vector{*body}) people.addPerson(list);
  }
  if (people.count() > 1) return;
  for (const std::string side : {"left", "right"})
    if (const auto hand = findAny(value, {side + "_hand_landmarks", side + "HandLandmarks"});
        hand && hand->size() > 0) {
      std::vector<Person> body = people.take();
      Person& person = people.newPerson();
      if (!body.empty()) person = std::move(body.front());
      people.add(*hand, handNames(side), person);
    }
}

bool isPoint(const JsonValue& value) { return findAny(value, {"x"}) && findAny(value, {"y"}); }

std::string_view addPeople(const JsonValue& value, PeopleReader& people);

/// A list of people, or the points of one.
std::string_view addPeopleOf(const std::vector<JsonValue>& list, const JsonValue& value, PeopleReader& people) {
  if (list.empty()) return {};
  if (isPoint(list.front())) {
    people.addPerson(value);
    return list.size() == 33 ? "MediaPipe" : "points";
  }
  std::string_view format;
  for (const JsonValue& person : list) format = addPeople(person, people);
  return format;
}

/// Adds what a frame, or one person in it, holds. Returns the name of the format.
std::string_view addPeople(const JsonValue& value, PeopleReader& people) {
  if (value.isArray()) return addPeopleOf(value.elements(), value, people);
  if (const auto list = findAny(value, {"people"})) {
    for (const JsonValue& person : list->elements()) addOpenPosePerson(person, people);
    return "OpenPose";
  }
  if (isMediaPipe(value)) {
    addMediaPipe(value, people);
    return "MediaPipe";
  }
  if (const auto list = findAny(value, {"instances", "bodies", "poses"})) {
    addPeopleOf(list->elements(), *list, people);
    return value.find("bodies") ? "AlphaPose" : "MMPose";
  }
  const auto points = findAny(value, {"keypoints", "joints"});
  if (!points)
    value.fail(
        "holds no key points: \"people\" (OpenPose), \"annotations\" (COCO), \"landmarks\" (MediaPipe), "
        "\"instances\" (MMPose) or \"keypoints\"");
  const auto scores = findAny(value, {"keypoint_scores"});
  people.addPerson(*points, scores ? scores->numbers() : std::vector<double>());
  return scores ? "MMPose" : "key points";
}

/// True if a list of such values has one frame for each.
bool isFrame(const JsonValue& value) {
  return value.isArray() || isMediaPipe(value) || findAny(value, {"people", "instances", "bodies", "poses"});
}

// ---- COCO

/// The id of a person's picture as text: a number or the name of a file.
std::optional<std::string> pictureOf(const JsonValue& person) {
  const auto id = findAny(person, {"image_id", "frame_id", "frame"});
  if (!id) return std::nullopt;
  return id->isText() ? id->text() : id->json().dump();
}

struct InNumericOrder {
  bool operator()(const std::string& a, const std::string& b) const { return comesBefore(a, b); }
};

struct CocoFile {
  std::map<std::string, PeopleReader, InNumericOrder> people;  ///< by picture
  std::map<double, std::vector<std::string>> names;            ///< by category
};

void addCocoPerson(const JsonValue& value, PictureSize& size, CocoFile& file) {
  const auto points = findAny(value, {"keypoints"});
  const auto picture = pictureOf(value);
  if (!picture) value.fail("has no \"image_id\"");
  PeopleReader& people = file.people.try_emplace(*picture, size).first->second;
  if (!points || points->size() == 0) return;
  const std::size_t count = listedPoints(*points).size();
  const auto category = value.find("category_id");
  const auto named = category ? file.names.find(category->number()) : file.names.end();
  const bool isNamed = named != file.names.end() && named->second.size() == count;
  bool isMarkedByHand = false;  // 1: hidden, 2: visible
  for (const ListedPoint& point : listedPoints(*points)) isMarkedByHand = isMarkedByHand || point.confidence == 2.0;
  people.add(*points, isNamed ? named->second : namesOf(count), people.newPerson(), isMarkedByHand ? 0.5 : 1.0);
}

void readCoco(const JsonValue& value, PictureSize& size, KeyPointBuilder& builder) {
  CocoFile file;
  std::vector<std::string> order;
  if (const auto categories = findAny(value, {"categories"}))
    for (const JsonValue& category : categories->elements())
      if (const auto names = category.find("keypoints"))
        for (const JsonValue& name : names->elements())
          file.names[category.at("id").number()].push_back(lowerCase(name.name()));
  if (const auto images = findAny(value, {"images"}))
    for (const JsonValue& image : images->elements()) order.push_back(image.at("id").json().dump());
  for (const JsonValue& person : (value.isObject() ? value.at("annotations") : value).elements())
    addCocoPerson(person, size, file);
  if (order.empty())
    for (const auto& [picture, people] : file.people) order.push_back(picture);
  for (const std::string& picture : order) {
    const auto people = file.people.find(picture);
    builder.addFrame(people == file.people.end() ? std::vector<Person>() : people->second.take());
  }
}

/// Takes the size of the largest picture that a COCO file names.
void takeLargestSize(const JsonValue& value, PictureSize& size) {
  const auto images = findAny(value, {"images"});
  if (!images || size.width > 0) return;
  for (const JsonValue& image : images->elements())
    for (const auto& [key, out] : {std::pair("width", &size.width), std::pair("height", &size.height)})
      if (const auto told = image.find(key)) *out = std::max(*out, told->integerIn(1, 1'000'000));
}

}  // namespace

std::string_view addKeyPointJson(const JsonValue& value, PictureSize& size, KeyPointBuilder& builder) {
  takeLargestSize(value, size);
  takeSize(value, size);
  const JsonValue frames = findAny(value, {"frames", "instance_info"}).value_or(value);
  const std::vector<JsonValue> list = frames.isArray() ? frames.elements() : std::vector<JsonValue>();
  const bool isOfPictures = frames.isArray() && !list.empty() && !isFrame(list.front()) && pictureOf(list.front());
  if (isOfPictures || findAny(value, {"annotations"})) {
    readCoco(isOfPictures ? frames : value, size, builder);
    return "COCO";
  }
  PeopleReader people(size);
  std::string_view format;
  if (list.empty() || !isFrame(list.front())) {
    format = addPeople(frames, people);
    builder.addFrame(people.take());
    return format.empty() ? "key points" : format;
  }
  for (const JsonValue& frame : list) {
    takeSize(frame, size);
    if (const std::string_view found = addPeople(frame, people); !found.empty()) format = found;
    builder.addFrame(people.take());
  }
  return format.empty() ? "key points" : format;
}

}  // namespace limber::io

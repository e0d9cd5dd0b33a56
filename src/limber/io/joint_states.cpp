// SPDX-License-Identifier: MIT
#include "limber/io/motion_file.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/json/pose_json.h"
#include "limber/scene/base.h"

namespace limber::io {

namespace {

constexpr std::string_view kTimeColumn = "time [s]";

double frameTime(const Document& document) { return document.motion ? document.motion->frameTime : 0.0; }

/// A cell of CSV, in quotation marks where RFC 4180 requires them.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::span<const std::string_view> columnsOf(JointType type) {
  static constexpr std::string_view kAngleColumns[] = {" [rad]"}, kLengthColumns[] = {" [file units]"},
                                    kBallColumns[] = {".x", ".y", ".z", ".w"},
                                    kFreeColumns[] = {".tx", ".ty", ".tz", ".x", ".y", ".z", ".w"};
  switch (type) {
    case JointType::Revolute: return kAngleColumns;
    case JointType::Prismatic: return kLengthColumns;
    case JointType::Ball: return kBallColumns;
    case JointType::Free: return kFreeColumns;
    case JointType::Fixed: break;
  }
  return {};
}

/// The number of leading coordinates that are lengths.
int lengthsIn(JointType type) { return type == JointType::Free ? 3 : type == JointType::Prismatic ? 1 : 0; }

/// A freed base, which the robot's file has fixed, is written only if it moves.
bool namesFreedBase(const Document& document) {
  for (int frame = 0; frame < takeLength(document); ++frame)
    if (hasMovedBase(*document.figure, poseOfTake(document, frame))) return true;
  return false;
}

void appendRow(const Document& document, int frame, bool withFreedBase, std::string& out) {
  const Figure& figure = *document.figure;
  const Pose pose = poseOfTake(document, frame);
  appendNumber(frame * frameTime(document), out);
  for (const Joint& joint : figure.joints()) {
    if (joint.freed && !withFreedBase) continue;
    const int lengths = lengthsIn(joint.type);
    for (int k = 0; k < poseSize(joint.type); ++k) {
      out += ',';
      const double number = pose.coordinates[joint.poseIndex + k];
      appendNumber(k < lengths ? inFileUnits(number, figure.fileFrame().metresPerUnit) : number, out);
    }
  }
  out += '\n';
}

std::optional<Error> faultOf(const Document& document) {
  if (isValid(*document.figure, document.pose)) return std::nullopt;
  return Error{"", "pose", "holds a number that is not finite"};
}

constexpr double kUnevenTime = 0.02;  // frames
constexpr double kLongestFrame = 1e6, kShortestFrame = 1e-9;

/// Reads a table of joint states row by row.
class JointStatesTable {
 public:
  JointStatesTable(std::string_view text, const Figure& figure) : figure_(figure), lines_(text) {}

  std::shared_ptr<const Motion> read(std::size_t mostFrames, std::vector<char>& isNamed) {
    readHeader();
    for (const Joint& joint : figure_.joints())
      isNamed.push_back(poseSize(joint.type) > 0 && isGiven_[joint.poseIndex]);
    auto motion = std::make_shared<Motion>();
    while (nextRow()) {
      if (times_.size() >= mostFrames) fail("is one frame too many for a figure of so many joints");
      motion->append(readRow());
    }
    if (times_.empty()) fail("there is no frame below the names");
    if (times_.size() > 1) motion->frameTime = frameTimeOfRows();
    return motion;
  }

 private:
  [[noreturn]] void fail(const std::string& cause) const { throw JsonFault{lines_.place(), cause}; }

  bool nextRow() {
    while (const auto line = lines_.next()) {
      if (trimmed(*line).empty()) continue;
      if (!splitCells(*line, ',', cells_)) fail("has too many columns");
      return true;
    }
    return false;
  }

  void readHeader() {
    nextRow();
    std::unordered_map<std::string, int> coordinateOf;  // by column
    for (const Joint& joint : figure_.joints()) {
      int coordinate = joint.poseIndex;
      for (const std::string_view column : columnsOf(joint.type))
        coordinateOf.emplace(joint.name + std::string(column), coordinate++);
    }
    isGiven_.assign(figure_.poseSize(), 0);
    for (std::size_t i = 1; i < cells_.size(); ++i) {
      const auto found = coordinateOf.find(cells_[i]);
      if (found == coordinateOf.end()) fail("the figure has no joint for the column " + inQuotes(cells_[i]));
      if (isGiven_[found->second]++) fail("the column " + inQuotes(cells_[i]) + " occurs twice");
      coordinates_.push_back(found->second);
      names_.push_back(cells_[i]);
    }
    for (const Joint& joint : figure_.joints())
      if (const auto given = std::span(isGiven_).subspan(joint.poseIndex, poseSize(joint.type));
          std::ranges::count(given, 1) % std::max<std::ptrdiff_t>(std::ssize(given), 1) != 0)
        fail("only some of the columns of the joint " + inQuotes(joint.name) + " are there");
  }

  double numberIn(std::size_t cell, std::string_view column) const {
    const auto number = numberOf(cells_[cell]);
    if (!number) fail(inQuotes(cells_[cell]) + " in the column " + inQuotes(column) + " is not a number");
    return *number;
  }

  Pose readRow() {
    if (cells_.size() != coordinates_.size() + 1)
      fail("has " + std::to_string(cells_.size()) + " columns, the names are " +
           std::to_string(coordinates_.size() + 1));
    times_.push_back(numberIn(0, kTimeColumn));
    places_.push_back(lines_.line());
    Pose pose = restPose(figure_);
    for (std::size_t i = 0; i < coordinates_.size(); ++i)
      pose.coordinates[coordinates_[i]] = numberIn(i + 1, names_[i]);
    for (const Joint& joint : figure_.joints()) {
      const int size = poseSize(joint.type), lengths = lengthsIn(joint.type);
      auto own = pose.coordinates.segment(joint.poseIndex, size);
      if (size > 0 && isGiven_[joint.poseIndex]) own.head(lengths) *= figure_.fileFrame().metresPerUnit;
      if (hasRotation(joint) && !normalizeQuaternion(own.tail<4>()))
        fail("the quaternion of the joint " + inQuotes(joint.name) + " is not of length 1");
    }
    return pose;
  }

  double frameTimeOfRows() const {
    const auto count = static_cast<double>(times_.size() - 1);
    const double exact = times_[1] - times_[0], mean = (times_.back() - times_.front()) / count;
    const bool isFirstMeant = times_[0] == 0.0 && std::abs(exact - mean) <= 1e-9 * std::abs(mean);
    const double time = isFirstMeant ? exact : mean;
    if (!(time >= kShortestFrame && time <= kLongestFrame))
      throw JsonFault{"line " + std::to_string(places_[1]), "the times must rise"};
    for (std::size_t i = 0; i < times_.size(); ++i)
      if (std::abs(times_[i] - times_[0] - static_cast<double>(i) * time) > kUnevenTime * time)
        throw JsonFault{"line " + std::to_string(places_[i]), "the times are not evenly spaced"};
    return time;
  }

  const Figure& figure_;
  LineReader lines_;
  std::vector<std::string> cells_, names_;
  std::vector<int> coordinates_;  ///< of the pose, by column after the first
  std::vector<char> isGiven_;     ///< by coordinate of the pose
  std::vector<double> times_;
  std::vector<std::size_t> places_;  ///< the line of each time
};

}  // namespace

bool looksLikeJointStatesCsv(std::string_view text) {
  const auto line = LineReader(text).next();
  return line && trimmed(line->substr(0, line->find(','))) == kTimeColumn;
}

Result<std::shared_ptr<const Motion>> parseJointStatesCsv(std::string_view text, const std::string& file,
                                                          const Figure& figure, std::size_t mostFrames,
                                                          std::vector<char>& isNamed) {
  return faultsAsErrors<std::shared_ptr<const Motion>>(
      file, [&] { return JointStatesTable(text, figure).read(mostFrames, isNamed); });
}

Result<std::string> formatJointStatesJson(const Document& document) {
  if (const auto fault = faultOf(document)) return *fault;
  const bool withFreedBase = namesFreedBase(document);
  return faultsAsErrors<std::string>("", [&] {
    if (!document.motion || document.motion->frameCount == 0)
      return formatJson(poseToJson(*document.figure, document.pose, withFreedBase));
    OrderedJson out = {{"frame_time", toJson(frameTime(document))}, {"frames", OrderedJson::array()}};
    for (int frame = 0; frame < takeLength(document); ++frame)
      out["frames"].push_back(poseToJson(*document.figure, poseOfTake(document, frame), withFreedBase));
    return formatJson(out);
  });
}

Result<std::string> formatJointStatesCsv(const Document& document) {
  if (const auto fault = faultOf(document)) return *fault;
  const bool withFreedBase = namesFreedBase(document);
  std::string out(kTimeColumn);
  for (const Joint& joint : document.figure->joints())
    if (!joint.freed || withFreedBase)
      for (const std::string_view column : columnsOf(joint.type)) out += ',' + field(joint.name + std::string(column));
  out += '\n';
  for (int frame = 0; frame < takeLength(document); ++frame) appendRow(document, frame, withFreedBase, out);
  return out;
}

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// C3D files of motion capture: a header of 512 bytes, parameters, and for each frame the points and analog samples.
//
//   header      bytes 0 first block of the parameters, 1 0x50, 2 points, 4 analog samples of a frame, 6 first frame,
//               8 last frame, 12 scale, 16 first block of the data, 20 frames a second; blocks of 512 bytes count from
//               1
//   parameters  groups and their entries in any order (POINT:LABELS); byte 3 names the processor that wrote all numbers
//   data        x, y, z and a residual for each point: floats where the scale is negative, else integers times the
//               scale. A negative residual: the point is missing
//
// Source: The C3D File Format User Guide, Motion Lab Systems, 2008.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/points/observations.h"

namespace limber::io {

namespace {

constexpr std::size_t kBlock = 512;
constexpr unsigned char kMark = 0x50;
constexpr std::size_t kMostDimensions = 7;
constexpr std::size_t kMostParameters = 65536, kMostPoints = 65535;
constexpr double kMostC3dFrames = 1e9;

/// Numbers as the processor wrote them. Reading beyond the end throws a Fault that names the byte.
class C3dBytes {
 public:
  enum class Processor { Intel = 84, Dec = 85, Mips = 86 };

  explicit C3dBytes(std::string_view bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  void setProcessor(Processor processor) { processor_ = processor; }

  [[noreturn]] static void fail(std::size_t at, std::string cause) {
    throw Fault{"byte " + std::to_string(at), std::move(cause)};
  }

  std::string_view text(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) fail(bytes_.size(), "the file ends too early");
    return bytes_.substr(at, size);
  }
  unsigned byte(std::size_t at) const { return static_cast<unsigned char>(text(at, 1)[0]); }
  unsigned word(std::size_t at) const {
    const std::string_view two = text(at, 2);
    const auto first = static_cast<unsigned char>(two[0]), second = static_cast<unsigned char>(two[1]);
    return processor_ == Processor::Mips ? first << 8 | second : second << 8 | first;
  }
  double integer(std::size_t at) const { return static_cast<std::int16_t>(word(at)); }
  double real(std::size_t at) const {
    const std::uint32_t low = word(at), high = word(at + 2);
    const std::uint32_t bits = processor_ == Processor::Intel ? high << 16 | low : low << 16 | high;
    const double value = std::bit_cast<float>(bits);
    return processor_ == Processor::Dec ? value / 4.0 : value;  // the same bits with another exponent bias
  }

 private:
  std::string_view bytes_;
  Processor processor_ = Processor::Intel;
};

/// The parameters by group and name: "POINT:LABELS".
class C3dParameters {
 public:
  /// The parameters between two bytes. A record that says that the next one is beyond the end is the last.
  C3dParameters(const C3dBytes& bytes, std::size_t at, std::size_t end) : bytes_(bytes) {
    std::map<int, std::string> groups;
    std::vector<std::pair<int, Entry>> entries;
    while (at + 2 <= std::min(end, bytes.size())) {
      const int length = std::abs(static_cast<std::int8_t>(bytes.byte(at)));  // negative: locked
      const int group = static_cast<std::int8_t>(bytes.byte(at + 1));
      if (length == 0) break;
      const std::string name(bytes.text(at + 2, length));
      const std::size_t nextAt = at + 2 + length, step = bytes.word(nextAt);
      if (entries.size() + groups.size() >= kMostParameters) C3dBytes::fail(at, "there are too many parameters");
      if (group < 0) groups.emplace(-group, name);
      else entries.emplace_back(group, readEntry(name, nextAt + 2));
      if (step < 2) break;  // the last one
      at = nextAt + step;
    }
    for (auto& [group, entry] : entries)
      if (groups.contains(group)) entries_.emplace(upper(groups[group] + ":" + entry.name), std::move(entry));
  }

  std::optional<double> number(const std::string& name, std::size_t index = 0) const {
    const Entry* entry = find(name);
    if (!entry || index >= entry->count) return std::nullopt;
    const std::size_t at = entry->at + index * entry->size();
    if (entry->type == Real) return bytes_.real(at);
    if (entry->type == Integer) return bytes_.integer(at);
    return std::nullopt;
  }

  /// A count, which may be stored as a negative integer if it exceeds 32767, or as a float.
  std::optional<double> count(const std::string& name) const {
    const auto value = number(name);
    const Entry* entry = find(name);
    return value && *value < 0.0 && entry->type == Integer ? *value + 65536.0 : value;
  }

  /// The texts of a parameter, trimmed, followed by those of "<name>2", "<name>3" ...
  std::vector<std::string> texts(const std::string& name) const {
    std::vector<std::string> out;
    for (int part = 1;; ++part) {
      const Entry* entry = find(part == 1 ? name : name + std::to_string(part));
      if (!entry || entry->type != Text) return out;
      for (std::size_t i = 0; entry->length > 0 && i < entry->count / entry->length && out.size() < kMostPoints; ++i)
        out.push_back(asUtf8(cleaned(bytes_.text(entry->at + i * entry->length, entry->length))));
    }
  }

 private:
  enum Type { Text = -1, Byte = 1, Integer = 2, Real = 4 };

  struct Entry {
    std::string name;
    int type = Text;
    std::size_t at = 0;      ///< of its data
    std::size_t count = 1;   ///< numbers or letters
    std::size_t length = 1;  ///< letters of a text

    std::size_t size() const { return static_cast<std::size_t>(std::abs(type)); }
  };

  Entry readEntry(const std::string& name, std::size_t at) const {
    Entry entry{.name = name, .type = static_cast<std::int8_t>(bytes_.byte(at))};
    if (entry.type != Text && entry.type != Byte && entry.type != Integer && entry.type != Real)
      C3dBytes::fail(at, "the parameter " + inQuotes(name) + " has a type that C3D does not know");
    const std::size_t dimensions = bytes_.byte(at + 1);
    if (dimensions > kMostDimensions)
      C3dBytes::fail(at + 1, "the parameter " + inQuotes(name) + " has more than 7 dimensions");
    for (std::size_t i = 0; i < dimensions; ++i) entry.count *= bytes_.byte(at + 2 + i);
    if (dimensions > 0) entry.length = bytes_.byte(at + 2);
    entry.at = at + 2 + dimensions;
    bytes_.text(entry.at, entry.count * entry.size());  // throws if it is not there
    return entry;
  }

  const Entry* find(const std::string& name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second;
  }

  static std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
  }

  static std::string cleaned(std::string_view text) {
    std::string out(text.substr(0, text.find('\0')));
    std::ranges::replace_if(
        out, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return std::string(trimmed(out));
  }

  const C3dBytes& bytes_;
  std::map<std::string, Entry> entries_;
};

/// Where the parameters begin and end. Their number of blocks may be left out.
std::size_t parametersAt(const C3dBytes& bytes) { return (std::max(bytes.byte(0), 1u) - 1) * kBlock; }
std::size_t parametersEnd(const C3dBytes& bytes) {
  const std::size_t at = parametersAt(bytes), blocks = bytes.byte(at + 2);
  return blocks > 0 ? at + blocks * kBlock : bytes.size();
}

class C3dReader {
 public:
  C3dReader(std::string_view bytes, std::optional<char> up)
      : bytes_(withProcessor(bytes)), parameters_(bytes_, parametersAt(bytes_) + 4, parametersEnd(bytes_)), up_(up) {}

  ObservationSource read() {
    readLayout();
    readNames();
    const double metres = unit();
    readFrames(ObservationFrame(metres, upAxis()));
    readRate();
    return std::move(source_);
  }

 private:
  /// The bytes with the processor that the parameters name.
  static C3dBytes withProcessor(std::string_view all) {
    C3dBytes bytes(all);
    if (bytes.byte(1) != kMark) C3dBytes::fail(1, "is not a C3D file");
    const std::size_t at = parametersAt(bytes) + 3;
    const unsigned processor = bytes.byte(at);
    if (processor < 84 || processor > 86)
      C3dBytes::fail(at, "the processor " + std::to_string(processor) + " is not 84 (Intel), 85 (DEC) or 86 (MIPS)");
    bytes.setProcessor(static_cast<C3dBytes::Processor>(processor));
    return bytes;
  }

  /// The contents of a frame, and the position of the first one.
  void readLayout() {
    const double points = parameters_.count("POINT:USED").value_or(bytes_.word(2));
    if (!(points >= 1.0 && points <= kMostPoints)) C3dBytes::fail(2, "there is no point");
    pointCount_ = static_cast<std::size_t>(points);
    scale_ = parameters_.number("POINT:SCALE").value_or(bytes_.real(12));
    if (scale_ == 0.0 || !std::isfinite(scale_)) C3dBytes::fail(12, "the scale of the points is zero or not finite");
    numberBytes_ = scale_ < 0.0 ? 4 : 2;
    frameBytes_ = (4 * pointCount_ + bytes_.word(4)) * numberBytes_;
    double block = bytes_.word(16);
    if (block == 0.0) block = parameters_.count("POINT:DATA_START").value_or(0.0);
    if (!(block >= 2.0 && block <= 65535.0)) C3dBytes::fail(16, "the header does not say where the data begin");
    dataAt_ = (static_cast<std::size_t>(block) - 1) * kBlock;
  }

  /// The number of frames in the file. The field in the header can only count to 65535.
  double announcedFrames() const {
    const auto field = [&](const std::string& name) -> std::optional<double> {
      const auto low = parameters_.count(name);
      const auto high = parameters_.number(name, 1);
      return low && high ? std::optional(*low + 65536.0 * *high) : std::nullopt;
    };
    const auto first = field("TRIAL:ACTUAL_START_FIELD"), last = field("TRIAL:ACTUAL_END_FIELD");
    if (first && last && *last >= *first) return *last - *first + 1.0;
    if (const auto frames = parameters_.number("POINT:LONG_FRAMES"); frames && *frames > 0.0) return *frames;
    if (const auto frames = parameters_.count("POINT:FRAMES"); frames && *frames > 0.0) return *frames;
    return static_cast<double>(bytes_.word(8)) - bytes_.word(6) + 1.0;
  }

  /// Leaves out angles, forces and similar data, which are stored among the points.
  void readNames() {
    std::vector<std::string> names = parameters_.texts("POINT:LABELS");
    names.resize(pointCount_);
    for (std::size_t i = 0; i < pointCount_; ++i)
      if (names[i].empty()) names[i] = "point " + std::to_string(i + 1);
    std::set<std::string> others;
    for (const char* list : {"POINT:ANGLES", "POINT:FORCES", "POINT:MOMENTS", "POINT:POWERS", "POINT:SCALARS"})
      for (std::string& name : parameters_.texts(list)) others.insert(std::move(name));
    for (std::size_t i = 0; i < pointCount_; ++i)
      if (!others.contains(names[i])) kept_.push_back(i);
    if (kept_.size() < pointCount_)
      source_.notes.push_back(std::to_string(pointCount_ - kept_.size()) +
                              " angles, forces and similar data among the points are left out.");
    if (kept_.empty()) C3dBytes::fail(2, "there is no point");
    makeUnique(names);
    for (const std::size_t i : kept_) source_.observations.names.push_back(names[i]);
    source_.observations.weights.assign(kept_.size(), 1.0);
  }

  /// Some programs keep only the first four letters of a unit.
  static std::string wholeUnit(const std::string& unit) {
    for (const std::string whole : {"millimeter", "centimeter", "meter", "metre", "inches"})
      if (unit.size() == 4 && whole.starts_with(lowerCase(unit))) return whole;
    return unit;
  }

  double unit() {
    const std::vector<std::string> units = parameters_.texts("POINT:UNITS");
    if (units.empty() || units[0].empty()) {
      source_.notes.push_back("There is no unit of length: millimetres are assumed.");
      return 0.001;
    }
    const auto metres = metresPerUnit(wholeUnit(units[0]));
    if (!metres)
      C3dBytes::fail(parametersAt(bytes_),
                     "POINT:UNITS: " + inQuotes(units[0]) + " is not a unit of length (m, cm, mm, in, ft)");
    return *metres;
  }

  /// The axis that points up on the screen: "+Z".
  char upAxis() {
    if (up_) return *up_;
    const std::vector<std::string> axes = parameters_.texts("POINT:Y_SCREEN");
    const std::string axis = axes.empty() ? "" : lowerCase(axes[0]);
    if (!axis.empty() && axis.back() >= 'x' && axis.back() <= 'z') return axis.back();
    source_.notes.push_back("The file does not say which axis points up: z is assumed.");
    return 'z';
  }

  void readFrames(const ObservationFrame& frame) {
    const std::size_t there = dataAt_ < bytes_.size() ? (bytes_.size() - dataAt_) / frameBytes_ : 0;
    const double announced = announcedFrames();
    if (!(announced >= 1.0 && announced <= kMostC3dFrames)) C3dBytes::fail(6, "there is no frame");
    if (there == 0) C3dBytes::fail(bytes_.size(), "the file ends before its first frame");
    const std::size_t frames = std::min(there, static_cast<std::size_t>(announced));
    if (static_cast<double>(frames) < announced)
      source_.notes.push_back("The file announces " + std::to_string(std::lround(announced)) + " frames and holds " +
                              std::to_string(frames) + ".");
    if (const std::string fault = tooManyPositions(frames, kept_.size()); !fault.empty()) C3dBytes::fail(6, fault);
    Observations& out = source_.observations;
    out.frameCount = static_cast<int>(frames);
    out.positions.reserve(frames * kept_.size());
    for (std::size_t i = 0; i < frames; ++i)
      for (const std::size_t point : kept_)
        out.positions.push_back(place(dataAt_ + i * frameBytes_ + 4 * numberBytes_ * point, frame));
  }

  Eigen::Vector3d place(std::size_t at, const ObservationFrame& frame) const {
    const auto number = [&](std::size_t i) {
      return scale_ < 0.0 ? bytes_.real(at + 4 * i) : bytes_.integer(at + 2 * i);
    };
    Eigen::Vector3d place(number(0), number(1), number(2));
    if (number(3) < 0.0 || !place.allFinite()) return Observations::missing();
    if (scale_ > 0.0) place *= scale_;
    if (!(place.cwiseAbs().maxCoeff() <= kFarthestMarker)) C3dBytes::fail(at, "the point is too far away");
    return frame(place);
  }

  void readRate() {
    const double rate = parameters_.number("POINT:RATE").value_or(bytes_.real(20));
    if (rate > 1e-6 && rate < 1e9) source_.observations.frameTime = 1.0 / rate;
    else source_.notes.push_back("There is no rate: 30 frames per second are assumed.");
  }

  C3dBytes bytes_;
  C3dParameters parameters_;
  std::optional<char> up_;
  ObservationSource source_;
  std::size_t pointCount_ = 0;
  std::vector<std::size_t> kept_;  ///< the points without angles, forces and similar data
  double scale_ = 1.0;             ///< negative: the numbers are floats, not to be scaled
  std::size_t numberBytes_ = 2, frameBytes_ = 0, dataAt_ = 0;
};

}  // namespace

bool looksLikeC3d(std::string_view bytes) {
  if (bytes.size() < kBlock || static_cast<unsigned char>(bytes[1]) != kMark) return false;
  const std::size_t at = (std::max<std::size_t>(static_cast<unsigned char>(bytes[0]), 1) - 1) * kBlock + 3;
  const bool isBinary = bytes.substr(0, kBlock).find('\0') != std::string_view::npos;
  return isBinary && at < bytes.size() && bytes[at] >= 84 && bytes[at] <= 86;
}

Result<ObservationSource> readObservationsC3d(std::string_view bytes, const std::string& file, std::optional<char> up) {
  return faultsAsErrors<ObservationSource>(file, [&] { return C3dReader(bytes, up).read(); });
}

}  // namespace limber::io

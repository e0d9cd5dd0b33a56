// SPDX-License-Identifier: MIT
#include "limber/io/bvh/bvh_parser.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/json/figure_json.h"
#include "limber/problem/decimal.h"

namespace limber::io {

namespace {

constexpr double kMaxBvhLength = 1e12;      // file units; products of lengths cannot overflow
constexpr int kMaxBvhFrames = 100'000'000;  // of a file without channels; the size of the file bounds others
constexpr std::size_t kMaxChannelsOfJoint = 6;

/// True for the word in any case; `word` is in lower case.
bool isWord(std::string_view text, std::string_view word) {
  return text.size() == word.size() && lowerCase(text) == word;
}

/// Splits the text into words and braces, and counts lines.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text), at_(text.size() - withoutMark(text).size()) {}

  std::size_t line() const { return line_; }  ///< of the last word
  std::size_t at() const { return at_; }      ///< byte offset behind the last word
  std::size_t bytesLeft() const { return text_.size() - at_; }
  [[noreturn]] void fail(std::string cause) const { throw Fault{"line " + std::to_string(line_), std::move(cause)}; }

  /// The next word or brace; empty at the end of the text.
  std::string_view next() {
    skipSpace();
    const std::size_t start = at_;
    if (at_ < text_.size() && isBrace(text_[at_])) return text_.substr(at_++, 1);
    while (at_ < text_.size() && !isSpace(text_[at_]) && !isBrace(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  std::string_view peek() {
    const std::size_t at = at_, line = line_;
    const std::string_view word = next();
    at_ = at;
    line_ = line;
    return word;
  }

  /// The rest of the line up to a brace, trimmed: a name that may contain spaces.
  std::string_view restOfLine() {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r' && text_[at_] != '{') ++at_;
    return trimmed(text_.substr(start, at_ - start));
  }

  void expect(std::string_view word, const std::string& where) {
    const std::string_view found = next();
    if (!isWord(found, word))
      fail(std::string("\"") + std::string(word) + "\" expected " + where + ", found " + named(found));
  }

  /// A word and its colon: "Frames: 3", "Frames : 3", "Frames:3" and "Frames 3". `label` is for the error.
  void expectLabel(std::string_view word, const std::string& label) {
    skipSpace();
    const std::size_t start = at_;
    while (at_ < text_.size() && !isSpace(text_[at_]) && !isBrace(text_[at_]) && text_[at_] != ':') ++at_;
    if (!isWord(text_.substr(start, at_ - start), word)) {
      at_ = start;
      fail(inQuotes(label) + " expected, found " + named(next()));
    }
    if (peek().starts_with(':')) {
      skipSpace();
      ++at_;
    }
  }

  double number(const std::string& what) {
    const std::string_view word = next();
    if (word.empty()) fail("the file ends where " + what + " should be");
    return toNumber(word, what);
  }

  static std::string named(std::string_view word) { return word.empty() ? "the end of the file" : inQuotes(word); }

 private:
  static bool isBrace(char c) { return c == '{' || c == '}'; }

  void skipSpace() {
    for (; at_ < text_.size() && isSpace(text_[at_]); ++at_)
      if (text_[at_] == '\n' || (text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] != '\n'))) ++line_;
  }

  double toNumber(std::string_view word, const std::string& what) const {
    std::string_view digits = word;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0.0;
    const auto [end, status] = readDecimal(digits.data(), digits.data() + digits.size(), value);
    if (end != digits.data() + digits.size() || status == std::errc::invalid_argument)
      fail(named(word) + " is not a number (" + what + ")");
    if (status == std::errc::result_out_of_range)
      value = std::strtod(std::string(digits).c_str(), nullptr);  // 0 or inf
    if (!std::isfinite(value)) fail(named(word) + " is not a finite number (" + what + ")");
    return value;
  }

  std::string_view text_;
  std::size_t at_;
  std::size_t line_ = 1;
};

ChannelType readChannel(Scanner& scanner) {
  constexpr std::array<std::string_view, 6> kNames = {"xposition", "yposition", "zposition",
                                                      "xrotation", "yrotation", "zrotation"};
  const std::string_view word = scanner.next();
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (isWord(word, kNames[i])) return static_cast<ChannelType>(i);
  scanner.fail(Scanner::named(word) + " is not a channel (Xposition ... Zrotation)");
}

std::vector<ChannelType> readChannels(Scanner& scanner) {
  const double count = scanner.number("the number of channels");
  if (count != std::floor(count) || count < 0 || count > kMaxChannelsOfJoint)
    scanner.fail("a joint has 0 to 6 channels");
  std::vector<ChannelType> channels;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    channels.push_back(readChannel(scanner));
    if (channels.back() <= ChannelType::ZPosition && std::count(channels.begin(), channels.end(), channels.back()) > 1)
      scanner.fail("a position channel occurs twice");
  }
  return channels;
}

Eigen::Vector3d readOffset(Scanner& scanner) {
  Eigen::Vector3d offset;
  for (double& number : offset) {
    number = scanner.number("an OFFSET");
    if (std::abs(number) > kMaxBvhLength) scanner.fail("an OFFSET is larger than 1e12");
  }
  return offset;
}

/// "{ OFFSET x y z }" of an End Site, which may also have "CHANNELS 0".
Eigen::Vector3d readEndSite(Scanner& scanner) {
  scanner.restOfLine();  // "Site"
  scanner.expect("{", "after End Site");
  scanner.expect("offset", "in the End Site");
  const Eigen::Vector3d offset = readOffset(scanner);
  if (isWord(scanner.peek(), "channels")) {
    scanner.next();
    if (!readChannels(scanner).empty()) scanner.fail("an End Site has no channels");
  }
  scanner.expect("}", "after the End Site");
  return offset;
}

int openJoint(Scanner& scanner, int parent, BvhText& out) {
  const std::string_view name = scanner.restOfLine();
  if (name.empty()) scanner.fail("a joint has no name");
  if (out.joints.size() >= kMaxLinks) scanner.fail("more than 100000 joints");
  out.joints.push_back({.name = printable(asUtf8(name)), .parent = parent});
  scanner.expect("{", std::string("after the joint ") + inQuotes(name));
  return static_cast<int>(out.joints.size()) - 1;
}

/// Reads from ROOT to its closing brace; `open` is the innermost joint with an open brace.
void readRoot(Scanner& scanner, BvhText& out) {
  int open = openJoint(scanner, -1, out);
  std::vector<bool> hasOffset(out.joints.size(), false);
  while (open >= 0) {
    const std::string_view word = scanner.next();
    if (word == "}") {
      if (!hasOffset[open])
        scanner.fail(std::string("the joint ") + inQuotes(out.joints[open].name) + " has no OFFSET");
      open = out.joints[open].parent;
    } else if (isWord(word, "offset")) {
      out.joints[open].offset = readOffset(scanner);
      hasOffset[open] = true;
    } else if (isWord(word, "channels")) {
      if (!out.joints[open].channels.empty() || open + 1 != std::ssize(out.joints))
        scanner.fail("CHANNELS must occur once, before the joints below");
      out.joints[open].channels = readChannels(scanner);
      out.joints[open].firstColumn = out.channelCount;
      out.channelCount += static_cast<int>(out.joints[open].channels.size());
    } else if (isWord(word, "joint")) {
      open = openJoint(scanner, open, out);
      hasOffset.resize(out.joints.size(), false);
    } else if (isWord(word, "end")) {
      out.joints[open].endSites.push_back(readEndSite(scanner));
    } else {
      scanner.fail(std::string("OFFSET, CHANNELS, JOINT, End Site or \"}\" expected in the joint ") +
                   inQuotes(out.joints[open].name) + ", found " + Scanner::named(word));
    }
  }
}

void readHierarchy(Scanner& scanner, BvhText& out) {
  if (!isWord(scanner.next(), "hierarchy"))
    scanner.fail("the file does not begin with HIERARCHY: it is not a BVH file");
  while (isWord(scanner.peek(), "root")) {
    scanner.next();
    readRoot(scanner, out);
  }
  if (out.joints.empty())
    scanner.fail(std::string("\"root\" expected after HIERARCHY, found ") + Scanner::named(scanner.next()));
}

constexpr std::string_view kMotion = "motion";

void readMotionHead(Scanner& scanner, BvhText& out) {
  scanner.expect(kMotion, "after the hierarchy");
  out.motionAt = scanner.at() - kMotion.size();
  scanner.expectLabel("frames", "Frames:");
  const double count = scanner.number("the number of frames");
  if (count != std::floor(count) || count < 0) scanner.fail("the number of frames must be a whole number");
  // A value takes at least two bytes, which bounds the allocation.
  const double room = 0.5 * static_cast<double>(scanner.bytesLeft() + 1);
  if (count > kMaxBvhFrames || count * out.channelCount > room)
    scanner.fail(std::string("the file is too short for the ") +
                 Json(static_cast<std::uint64_t>(std::min(count, 1e18))).dump() + " frames of " +
                 std::to_string(out.channelCount) + " channels that it announces");
  out.frameCount = static_cast<int>(count);
  scanner.expect("frame", "after the number of frames");
  scanner.expectLabel("time", "Frame Time:");
  out.frameTime = scanner.number("the frame time");
  if (out.frameTime < 0.0) scanner.fail("the frame time is negative");
  out.valuesAt = scanner.at();
}

void readValues(Scanner& scanner, BvhText& out) {
  const auto columns = static_cast<std::size_t>(out.channelCount);
  const std::size_t count = columns * static_cast<std::size_t>(out.frameCount);
  out.values.reserve(count);
  while (out.values.size() < count && !scanner.peek().empty()) out.values.push_back(scanner.number("a frame value"));
  if (out.values.size() < count) {
    scanner.next();
    scanner.fail(std::string("the file ends in frame ") + std::to_string(out.values.size() / columns) +
                 " (counted from 0): " + std::to_string(out.values.size() % columns) + " of " +
                 std::to_string(columns) + " values; " + std::to_string(out.frameCount) + " frames are announced");
  }
  std::size_t leftover = 0;
  for (; !scanner.peek().empty(); ++leftover) scanner.number("a frame value");
  if (leftover > 0 && (columns == 0 || leftover % columns != 0))
    scanner.fail(std::to_string(leftover) + " values are left over after " + std::to_string(out.frameCount) +
                 " frames of " + std::to_string(columns) + " channels");
  out.leftoverRows = columns == 0 ? 0 : leftover / columns;
}

}  // namespace

Result<BvhText> parseBvhText(std::string_view text, const std::string& file) {
  if (trimmed(text).empty()) return Error{file, "", "the file is empty"};
  return faultsAsErrors<BvhText>(file, [&] {
    BvhText out;
    Scanner scanner(text);
    readHierarchy(scanner, out);
    readMotionHead(scanner, out);
    readValues(scanner, out);
    return out;
  });
}

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// A .vmd file: little-endian, without alignment.
//
//   header   30 bytes of magic words, the model's name (20 bytes; 10 in the first version)
//   bones    count, then of each key: name (15 bytes, Shift-JIS), frame (4), place (3 floats), quaternion (4 floats),
//            64 bytes of interpolation
//   faces, cameras, lights, shadows   count, then keys of 23, 61, 28 and 9 bytes
//   IK       count, then of each key: frame (4), shown (1), count (4), of each a name (20) and whether it is on (1)
//
// Sections at the end may be missing. The 64 bytes are four rows of 16: row i has in every fourth byte x1, y1, x2, y2
// of a Bezier curve from (0, 0) to (1, 1), in 127ths, for x, y, z and the rotation. It leads to the key from the one
// before.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

#include "limber/io/base/text.h"
#include "limber/io/mmd/mmd.h"
#include "limber/io/mmd/mmd_body.h"
#include "limber/scene/motion.h"

namespace limber::io {

namespace {

constexpr std::string_view kVmdMagic = "Vocaloid Motion Data";
constexpr std::size_t kVmdMagicSize = 30, kVmdNameSize = 15, kVmdKeySize = 111, kIkNameSize = 20;
constexpr std::size_t kMostVmdNumbers = 32'000'000;  // of all poses: 256 MB
constexpr float kFarthestVmd = 1e6f;                 // units

struct VmdCurve {
  double x1 = 0.0, y1 = 0.0, x2 = 1.0, y2 = 1.0;

  /// y at x, both in [0, 1]; x grows with the parameter.
  double at(double x) const {
    if (x1 == y1 && x2 == y2) return x;
    double lower = 0.0, upper = 1.0;
    constexpr int kHalvings = 30;
    for (int i = 0; i < kHalvings; ++i) {
      const double t = 0.5 * (lower + upper);
      (along(x1, x2, t) < x ? lower : upper) = t;
    }
    return along(y1, y2, 0.5 * (lower + upper));
  }

 private:
  static double along(double a, double b, double t) {
    const double s = 1.0 - t;
    return 3.0 * s * s * t * a + 3.0 * s * t * t * b + t * t * t;
  }
};

struct VmdKey {
  std::uint32_t frame = 0;
  MmdTurn turn;
  std::array<VmdCurve, 4> curves;  ///< x, y, z, rotation
};

/// Reading beyond the end throws a Fault that names the byte.
class VmdBytes {
 public:
  explicit VmdBytes(std::string_view bytes) : bytes_(bytes) {}

  bool isAtEnd() const { return at_ >= bytes_.size(); }
  std::size_t at() const { return at_; }

  std::string_view take(std::size_t size, const char* what) {
    if (size > bytes_.size() - at_) fail(std::string("the file ends within ") + what);
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  std::uint32_t number(const char* what) {
    const std::string_view four = take(4, what);
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(four[i])} << 8 * i;
    return value;
  }
  float real(const char* what) { return std::bit_cast<float>(number(what)); }
  /// The number of items of this size that follow.
  std::uint32_t count(std::size_t size, const char* what) {
    const std::uint32_t count = number(what);
    if (count > (bytes_.size() - at_) / size)
      fail("announces " + std::to_string(count) + " " + what + ", more than the file holds");
    return count;
  }
  [[noreturn]] void fail(std::string cause) const { throw Fault{"byte " + std::to_string(at_), std::move(cause)}; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// A name up to its zero byte.
std::string_view vmdNameIn(std::string_view field) { return field.substr(0, field.find('\0')); }

class VmdReader {
 public:
  VmdReader(std::string_view bytes, const std::filesystem::path& path, const OpenContext& context)
      : bytes_(bytes), path_(path), context_(context), keys_(mmdBones().size()) {}

  Result<FigureSource> read() {
    readFile();
    bool isEmpty = true;
    std::uint32_t last = 0;
    for (std::vector<VmdKey>& keys : keys_) {
      std::ranges::stable_sort(keys, {}, &VmdKey::frame);
      if (keys.empty()) continue;
      isEmpty = false;
      last = std::max(last, keys.back().frame);
    }
    if (isEmpty) bytes_.fail("the file has no key of a bone that bodies have in common");
    const Result<FigurePointer> figure = makeMmdFigure(path_);
    if (!figure) return figure.error();
    if (last >= kMostVmdNumbers / static_cast<std::size_t>((*figure)->poseSize()))
      return Error{path_.string(), "", "its last key, in frame " + std::to_string(last) + ", is too late"};
    auto motion = std::make_shared<Motion>();
    motion->name = asUtf8(path_.stem().string());
    motion->frameTime = 1.0 / kMmdFramesPerSecond;
    decideReaches();
    for (std::uint32_t frame = 0; frame <= last; ++frame) {
      if (frame % 1000 == 0 && !context_.goesOn(static_cast<double>(frame) / (last + 1.0), "reading motion"))
        return Error{path_.string(), "", std::string(kCancelled)};
      motion->append(mmdPose(**figure, placesAt(frame)));
    }
    return FigureSource{.figure = *figure, .motion = motion, .notes = notes()};
  }

 private:
  void readFile() {
    const std::string_view magic = vmdNameIn(bytes_.take(kVmdMagicSize, "the header"));
    bytes_.take(magic == "Vocaloid Motion Data file" ? 10 : 20, "the header");
    const std::uint32_t count = bytes_.count(kVmdKeySize, "keys of bones");
    for (std::uint32_t i = 0; i < count; ++i) readKey();
    if (!bytes_.isAtEnd()) faces_ = skip(23, "keys of expressions");
    if (!bytes_.isAtEnd()) cameras_ = skip(61, "keys of cameras");
    if (!bytes_.isAtEnd()) skip(28, "keys of lights");
    if (!bytes_.isAtEnd()) skip(9, "keys of shadows");
    if (!bytes_.isAtEnd()) readSwitches();
    if (count == 0 && cameras_ > 0) bytes_.fail("this is the motion of a camera: there are no bones");
  }

  std::uint32_t skip(std::size_t size, const char* what) {
    const std::uint32_t count = bytes_.count(size, what);
    bytes_.take(count * size, what);
    return count;
  }

  void readKey() {
    const std::size_t start = bytes_.at();
    const std::string_view name = vmdNameIn(bytes_.take(kVmdNameSize, "a key"));
    VmdKey key{.frame = bytes_.number("a key")};
    std::array<float, 7> numbers;
    for (float& number : numbers) {
      number = bytes_.real("a key");
      if (!(std::abs(number) <= kFarthestVmd))
        throw Fault{"byte " + std::to_string(start), "a key has a number that is not finite, or too large"};
    }
    const std::string_view rows = bytes_.take(64, "a key");
    const int bone = findMmdBone(name);
    if (bone < 0) {
      ++others_;
      return;
    }
    const auto real = [&](std::size_t i) { return static_cast<double>(numbers[i]); };
    key.turn.shift = {real(0), real(1), -real(2)};
    const Eigen::Quaterniond turn(real(6), -real(3), -real(4), real(5));
    if (turn.norm() > 1e-6) key.turn.turn = turn.normalized();  // some programs write zeros for no rotation
    for (std::size_t i = 0; i < 4; ++i) {
      const auto part = [&](std::size_t at) {
        return std::min(static_cast<unsigned char>(rows[16 * i + at]) / 127.0, 1.0);
      };
      key.curves[i] = {part(0), part(4), part(8), part(12)};
    }
    keys_[static_cast<std::size_t>(bone)].push_back(key);
  }

  void readSwitches() {
    const std::uint32_t count = bytes_.count(9, "keys of IK");
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t frame = bytes_.number("a key of IK");
      bytes_.take(1, "a key of IK");
      const std::uint32_t names = bytes_.count(kIkNameSize + 1, "names of IK");
      for (std::uint32_t k = 0; k < names; ++k) {
        const int bone = findMmdBone(vmdNameIn(bytes_.take(kIkNameSize, "a name of IK")));
        const bool isOn = bytes_.take(1, "a key of IK")[0] != 0;
        for (std::size_t side = 0; side < 2; ++side)
          if (bone == mmdLegs()[side].target) switches_[side][frame] = isOn;
      }
    }
  }

  /// Legs that the file turns by themselves, without a key of their targets, are not to reach them.
  void decideReaches() {
    for (std::size_t side = 0; side < 2; ++side) {
      const MmdLeg& leg = mmdLegs()[side];
      const auto turns = [&](int bone) {
        return std::ranges::any_of(keys_[static_cast<std::size_t>(bone)],
                                   [](const VmdKey& key) { return std::abs(key.turn.turn.w()) < 1.0 - 1e-6; });
      };
      reaches_[side] = !keys_[static_cast<std::size_t>(leg.target)].empty() || !(turns(leg.leg) || turns(leg.knee));
    }
  }

  bool reaches(std::size_t side, std::uint32_t frame) const {
    const auto after = switches_[side].upper_bound(frame);
    return after == switches_[side].begin() ? reaches_[side] : std::prev(after)->second && reaches_[side];
  }

  static MmdTurn turnAt(const std::vector<VmdKey>& keys, std::uint32_t frame) {
    if (keys.empty()) return {};
    const auto after = std::ranges::upper_bound(keys, frame, {}, &VmdKey::frame);
    if (after == keys.begin()) return keys.front().turn;
    const VmdKey& before = *std::prev(after);
    if (after == keys.end() || before.frame == frame) return before.turn;
    const double part = static_cast<double>(frame - before.frame) / (after->frame - before.frame);
    MmdTurn turn;
    for (int axis = 0; axis < 3; ++axis) {
      const double way = after->curves[static_cast<std::size_t>(axis)].at(part);
      turn.shift[axis] = before.turn.shift[axis] + way * (after->turn.shift[axis] - before.turn.shift[axis]);
    }
    turn.turn = before.turn.turn.slerp(after->curves[3].at(part), after->turn.turn);
    return turn;
  }

  MmdPlaces placesAt(std::uint32_t frame) const {
    std::vector<MmdTurn> turns;
    for (const std::vector<VmdKey>& keys : keys_) turns.push_back(turnAt(keys, frame));
    return placesOf(turns, {reaches(0, frame), reaches(1, frame)});
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes = {
        "A motion of MikuMikuDance has no skeleton: it is shown on a body of common proportions."};
    if (others_ > 0)
      notes.push_back(countInWords(others_, "key") + " of other bones (hair, clothes, eyes, ...) are left out.");
    if (faces_ > 0) notes.push_back(countInWords(faces_, "key") + " of expressions are left out.");
    if (cameras_ > 0) notes.push_back(countInWords(cameras_, "key") + " of cameras are left out.");
    return notes;
  }

  VmdBytes bytes_;
  const std::filesystem::path& path_;
  const OpenContext& context_;
  std::vector<std::vector<VmdKey>> keys_;  ///< by bone
  std::array<std::map<std::uint32_t, bool>, 2> switches_;
  std::array<bool, 2> reaches_ = {true, true};
  std::size_t others_ = 0;
  std::uint32_t faces_ = 0, cameras_ = 0;
};

// ---- Writing

void appendNumber32(std::uint32_t value, std::string& out) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> 8 * i & 255u);
}

void appendVmdField(std::string_view text, std::size_t size, std::string& out) {
  out.append(text.substr(0, size)).append(size - std::min(size, text.size()), '\0');
}

void appendVmdKey(const MmdBone& bone, std::uint32_t frame, const MmdTurn& turn, std::string& out) {
  appendVmdField(bone.shiftJis, kVmdNameSize, out);
  appendNumber32(frame, out);
  const Eigen::Quaterniond& q = turn.turn;
  for (const double number : {turn.shift.x(), turn.shift.y(), -turn.shift.z(), -q.x(), -q.y(), q.z(), q.w()})
    appendNumber32(std::bit_cast<std::uint32_t>(static_cast<float>(number)), out);
  // Straight lines, as MikuMikuDance writes them.
  constexpr std::string_view kRow = "\x14\x14\x14\x14\x14\x14\x14\x14\x6b\x6b\x6b\x6b\x6b\x6b\x6b\x6b";
  for (std::size_t row = 0; row < 4; ++row) {
    out.append(kRow.substr(row));
    for (std::size_t i = 0; i < row; ++i) out += i + 1 == row ? '\0' : '\1';
  }
}

bool isSameTurn(const MmdTurn& a, const MmdTurn& b) { return a.shift == b.shift && a.turn.coeffs() == b.turn.coeffs(); }

/// The pose at a frame of MikuMikuDance: that of the take where its frames are as far apart.
Pose poseAtVmdFrame(const Document& document, int frame, bool isSameRate) {
  if (isSameRate || !document.motion) return poseOfTake(document, frame);
  return document.motion->poseAtSeconds(*document.figure, static_cast<double>(frame) / kMmdFramesPerSecond);
}

}  // namespace

bool looksLikeVmd(std::string_view bytes) { return bytes.starts_with(kVmdMagic); }

Result<FigureSource> readVmd(std::string_view bytes, const std::filesystem::path& path, const OpenContext& context) {
  if (!context.goesOn(0.0, "reading motion")) return Error{path.string(), "", std::string(kCancelled)};
  if (!looksLikeVmd(bytes)) return Error{path.string(), "byte 0", "does not begin with \"Vocaloid Motion Data\""};
  return faultsAsErrors<FigureSource>(path.string(), [&] { return VmdReader(bytes, path, context).read(); });
}

Result<Exported> formatVmd(const Document& document) {
  if (!isValid(*document.figure, document.pose)) return Error{"", "pose", "holds a number that is not finite"};
  const MmdWriter writer(*document.figure);
  if (!writer.isPossible())
    return Error{"", "", "motions of MikuMikuDance need a human body, and none is recognised in this figure"};
  const double seconds = document.motion ? (takeLength(document) - 1) * document.motion->secondsPerFrame() : 0.0;
  constexpr double kSameRate = 1e-4;  // seconds, over a frame
  const bool isSameRate =
      !document.motion || std::abs(document.motion->secondsPerFrame() - 1.0 / kMmdFramesPerSecond) < kSameRate;
  if (seconds > 1e6) return Error{"", "motion", "is longer than 1,000,000 seconds"};
  const int frames =
      isSameRate ? takeLength(document) : 1 + static_cast<int>(std::lround(seconds * kMmdFramesPerSecond));
  const auto& bones = mmdBones();
  std::string keys;
  std::uint32_t count = 0;
  std::vector<MmdTurn> before;
  std::vector<char> isStill(bones.size(), 1);  // since its last key
  const auto add = [&](std::size_t bone, int frame, const MmdTurn& turn) {
    appendVmdKey(bones[bone], static_cast<std::uint32_t>(frame), turn, keys);
    ++count;
  };
  for (int frame = 0; frame < frames; ++frame) {
    const std::vector<MmdTurn> turns = writer.turnsOf(poseAtVmdFrame(document, frame, isSameRate));
    for (std::size_t i = 0; i < bones.size(); ++i) {
      if (static_cast<int>(i) != mmdCentre() && !writer.has(static_cast<int>(i))) continue;
      const bool moves = frame == 0 || !isSameTurn(turns[i], before[i]);
      if (moves && frame > 0 && isStill[i] && frame > 1) add(i, frame - 1, before[i]);  // ends a pause
      if (moves) add(i, frame, turns[i]);
      isStill[i] = !moves;
    }
    before = turns;
  }
  Exported out;
  appendVmdField("Vocaloid Motion Data 0002", kVmdMagicSize, out.bytes);
  appendVmdField("Limber", 20, out.bytes);
  appendNumber32(count, out.bytes);
  out.bytes += keys;
  for (int section = 0; section < 4; ++section) appendNumber32(0, out.bytes);
  appendNumber32(1, out.bytes);
  appendNumber32(0, out.bytes);
  out.bytes += '\1';
  appendNumber32(4, out.bytes);
  for (const MmdLeg& leg : mmdLegs())
    for (const int target : {leg.target, leg.toeTarget}) {
      appendVmdField(bones[static_cast<std::size_t>(target)].shiftJis, kIkNameSize, out.bytes);
      out.bytes += '\0';
    }
  if (!isSameRate) out.notes.push_back("The motion is written at 30 frames a second, as MikuMikuDance plays it.");
  return out;
}

}  // namespace limber::io

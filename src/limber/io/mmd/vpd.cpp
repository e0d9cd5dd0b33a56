// SPDX-License-Identifier: MIT
// A .vpd file: text in Shift-JIS, with comments after "//".
//
//   Vocaloid Pose Data file
//   Miku.osm;           the model
//   2;                  the number of bones
//   Bone0{NAME
//     0.0,0.0,0.0;      place
//     0.0,0.0,0.0,1.0;  quaternion
//   }
#include <algorithm>
#include <cmath>

#include "limber/io/base/text.h"
#include "limber/io/mmd/mmd.h"
#include "limber/io/mmd/mmd_body.h"
#include "limber/scene/motion.h"

namespace limber::io {

namespace {

constexpr std::string_view kVpdMagic = "Vocaloid Pose Data file";
constexpr double kFarthestVpd = 1e6;  // units

class VpdReader {
 public:
  VpdReader(std::string_view text, const std::filesystem::path& path)
      : lines_(text), path_(path), turns_(mmdBones().size()), isGiven_(mmdBones().size(), 0) {}

  Result<FigureSource> read() {
    lines_.next();
    while (const auto line = next())
      if (const std::size_t open = line->find('{'); open != std::string_view::npos) {
        const std::string name(trimmed(line->substr(open + 1)));
        if (line->starts_with("Bone")) readBone(name);
        else if (line->starts_with("Morph")) ++faces_;
      }
    if (std::ranges::count(isGiven_, 1) == 0)
      return Error{path_.string(), lines_.place(), "there is no bone that bodies have in common"};
    const Result<FigurePointer> figure = makeMmdFigure(path_);
    if (!figure) return figure.error();
    auto motion = std::make_shared<Motion>();
    motion->name = asUtf8(path_.stem().string());
    motion->frameTime = 1.0 / kMmdFramesPerSecond;
    std::array<bool, 2> reaches;
    for (std::size_t side = 0; side < 2; ++side) {
      const MmdLeg& leg = mmdLegs()[side];
      reaches[side] = isGiven_[leg.target] || !(isGiven_[leg.leg] || isGiven_[leg.knee]);
    }
    motion->append(mmdPose(**figure, placesOf(turns_, reaches)));
    FigureSource out{.figure = *figure, .motion = motion};
    out.notes.push_back("A pose of MikuMikuDance has no skeleton: it is shown on a body of common proportions.");
    if (others_ > 0) out.notes.push_back(countInWords(others_, "other bone") + " (hair, clothes, eyes, ...) left out.");
    if (faces_ > 0) out.notes.push_back(countInWords(faces_, "expression") + " left out.");
    return out;
  }

 private:
  /// The next line that is not empty, without its comment.
  std::optional<std::string_view> next() {
    while (const auto line = lines_.next())
      if (const std::string_view text = trimmed(line->substr(0, line->find("//"))); !text.empty()) return text;
    return std::nullopt;
  }

  [[noreturn]] void fail(std::string cause) const { throw Fault{lines_.place(), std::move(cause)}; }

  std::vector<double> numbers(std::size_t count, const char* what) {
    const auto line = next();
    if (!line) fail(std::string("the file ends before ") + what + " of a bone");
    std::vector<std::string> cells;
    splitCells(line->substr(0, line->find(';')), ',', cells);
    std::vector<double> out;
    for (const std::string& cell : cells) {
      const auto number = numberOf(cell);
      if (!number || std::abs(*number) > kFarthestVpd) fail(std::string(what) + " must be numbers up to 1e6");
      out.push_back(*number);
    }
    if (out.size() != count) fail(std::string(what) + " must be " + std::to_string(count) + " numbers");
    return out;
  }

  void readBone(const std::string& name) {
    const std::vector<double> place = numbers(3, "the place"), q = numbers(4, "the quaternion");
    const int bone = findMmdBone(name);
    if (bone < 0) {
      ++others_;
      return;
    }
    const Eigen::Quaterniond turn(q[3], -q[0], -q[1], q[2]);
    if (!(turn.norm() > 1e-6)) fail("the quaternion has no length");
    turns_[bone] = {{place[0], place[1], -place[2]}, turn.normalized()};
    isGiven_[bone] = 1;
  }

  LineReader lines_;
  const std::filesystem::path& path_;
  std::vector<MmdTurn> turns_;
  std::vector<char> isGiven_;
  std::size_t others_ = 0, faces_ = 0;
};

void appendVpdNumbers(std::initializer_list<double> numbers, std::string& out) {
  out += "  ";
  for (const double number : numbers) {
    if (out.back() != ' ') out += ',';
    char digits[48];
    std::snprintf(digits, sizeof digits, "%.6f", number == 0.0 ? 0.0 : number);
    out += digits;
  }
  out += ";\r\n";
}

}  // namespace

bool looksLikeVpd(std::string_view bytes) { return withoutMark(bytes).starts_with(kVpdMagic); }

Result<FigureSource> readVpd(std::string_view bytes, const std::filesystem::path& path, const OpenContext&) {
  if (!looksLikeVpd(bytes)) return Error{path.string(), "line 1", "is not \"Vocaloid Pose Data file\""};
  return faultsAsErrors<FigureSource>(path.string(), [&] { return VpdReader(bytes, path).read(); });
}

Result<Exported> formatVpd(const Document& document) {
  if (!isValid(*document.figure, document.pose)) return Error{"", "pose", "holds a number that is not finite"};
  const MmdWriter writer(*document.figure);
  if (!writer.isPossible())
    return Error{"", "", "poses of MikuMikuDance need a human body, and none is recognised in this figure"};
  const std::vector<MmdTurn> turns = writer.turnsOf(document.pose);
  const auto& bones = mmdBones();
  std::string list;
  int count = 0;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const int bone = static_cast<int>(i);
    const bool isTarget = std::ranges::any_of(mmdLegs(), [&](const MmdLeg& leg) { return leg.target == bone; });
    if (bone != mmdCentre() && !isTarget && !writer.has(bone)) continue;
    list += "Bone" + std::to_string(count++) + "{" + bones[i].shiftJis + "\r\n";
    const MmdTurn& turn = turns[i];
    appendVpdNumbers({turn.shift.x(), turn.shift.y(), -turn.shift.z()}, list);
    appendVpdNumbers({-turn.turn.x(), -turn.turn.y(), turn.turn.z(), turn.turn.w()}, list);
    list += "}\r\n\r\n";
  }
  Exported out;
  out.bytes = std::string(kVpdMagic) + "\r\n\r\nlimber.osm;\r\n" + std::to_string(count) + ";\r\n\r\n" + list;
  return out;
}

}  // namespace limber::io

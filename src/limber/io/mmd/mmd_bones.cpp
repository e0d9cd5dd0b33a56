// SPDX-License-Identifier: MIT
#include "limber/io/mmd/mmd_bones.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace limber::io {

namespace {

/// A name in UTF-8 and in Shift-JIS, the encoding of MikuMikuDance.
struct Name {
  std::string_view utf8, shiftJis;
};

/// A bone of the middle, or of both sides with the place of the left one.
struct Entry {
  Name name, parent;
  Eigen::Vector3d place;      ///< units of MikuMikuDance, arms sideways
  std::string_view vrm = {};  ///< "hips", or without its side: "UpperArm"
  std::string_view readAs = {};
};

constexpr Name kLeft{"左", "\215\266"}, kRight{"右", "\211\105"};
constexpr Name kRoot{"全ての親", "\221\123\202\304\202\314\220\145"};
constexpr Name kCentre{"センター", "\203\132\203\223\203\136\201\133"};
constexpr Name kGroove{"グルーブ", "\203\117\203\213\201\133\203\165"};
constexpr Name kWaist{"腰", "\215\230"};
constexpr Name kLower{"下半身", "\211\272\224\274\220\147"};
constexpr Name kUpper{"上半身", "\217\343\224\274\220\147"};
constexpr Name kUpper2{"上半身2", "\217\343\224\274\220\147\062"};
constexpr Name kNeck{"首", "\216\361"};
constexpr Name kHead{"頭", "\223\252"};
constexpr Name kShoulder{"肩", "\214\250"};
constexpr Name kArm{"腕", "\230\162"};
constexpr Name kArmTwist{"腕捩", "\230\162\235\200"};
constexpr Name kElbow{"ひじ", "\202\320\202\266"};
constexpr Name kHandTwist{"手捩", "\216\350\235\200"};
constexpr Name kWrist{"手首", "\216\350\216\361"};
constexpr Name kLeg{"足", "\221\253"};
constexpr Name kKnee{"ひざ", "\202\320\202\264"};
constexpr Name kAnkle{"足首", "\221\253\216\361"};
constexpr Name kLegIk{"足ＩＫ", "\221\253\202\150\202\152"};
constexpr Name kToeIk{"つま先ＩＫ", "\202\302\202\334\220\346\202\150\202\152"};
constexpr Name kThumb0{"親指０", "\220\145\216\167\202\117"};
constexpr Name kThumb1{"親指１", "\220\145\216\167\202\120"};
constexpr Name kThumb2{"親指２", "\220\145\216\167\202\121"};
constexpr Name kIndex1{"人指１", "\220\154\216\167\202\120"};
constexpr Name kIndex2{"人指２", "\220\154\216\167\202\121"};
constexpr Name kIndex3{"人指３", "\220\154\216\167\202\122"};
constexpr Name kMiddle1{"中指１", "\222\206\216\167\202\120"};
constexpr Name kMiddle2{"中指２", "\222\206\216\167\202\121"};
constexpr Name kMiddle3{"中指３", "\222\206\216\167\202\122"};
constexpr Name kRing1{"薬指１", "\226\362\216\167\202\120"};
constexpr Name kRing2{"薬指２", "\226\362\216\167\202\121"};
constexpr Name kRing3{"薬指３", "\226\362\216\167\202\122"};
constexpr Name kLittle1{"小指１", "\217\254\216\167\202\120"};
constexpr Name kLittle2{"小指２", "\217\254\216\167\202\121"};
constexpr Name kLittle3{"小指３", "\217\254\216\167\202\122"};

// The proportions of common models of 20 units of 8 cm: a body of 1.6 m.
const std::vector<Entry>& middle() {
  static const std::vector<Entry> entries = {
      {kRoot, {}, {0, 0, 0}},
      {kCentre, kRoot, {0, 8, 0}},
      {kGroove, kCentre, {0, 8.2, 0}},
      {kWaist, kGroove, {0, 12, 0}},
      {kLower, kWaist, {0, 12.4, 0}, "hips"},
      {kUpper, kWaist, {0, 12.4, 0}, "spine"},
      {kUpper2, kUpper, {0, 13.6, 0}, "chest"},
      {kNeck, kUpper2, {0, 16.4, 0}, "neck"},
      {kHead, kNeck, {0, 17.2, 0.1}, "head"},
  };
  return entries;
}

const std::vector<Entry>& sides() {
  static const std::vector<Entry> entries = {
      {kShoulder, kUpper2, {0.3, 15.9, 0}, "Shoulder"},
      {kArm, kShoulder, {1.3, 15.9, 0}, "UpperArm", kArmTwist.utf8},
      {kArmTwist, kArm, {2.6, 15.9, 0}},
      {kElbow, kArmTwist, {4.1, 15.9, 0}, "LowerArm", kHandTwist.utf8},
      {kHandTwist, kElbow, {5.2, 15.9, 0}},
      {kWrist, kHandTwist, {6.6, 15.9, 0}, "Hand"},
      {kThumb0, kWrist, {6.85, 15.8, 0.3}, "ThumbMetacarpal"},
      {kThumb1, kThumb0, {7.15, 15.8, 0.55}, "ThumbProximal"},
      {kThumb2, kThumb1, {7.45, 15.8, 0.8}, "ThumbDistal"},
      {kIndex1, kWrist, {7.6, 15.9, 0.3}, "IndexProximal"},
      {kIndex2, kIndex1, {8, 15.9, 0.3}, "IndexIntermediate"},
      {kIndex3, kIndex2, {8.4, 15.9, 0.3}, "IndexDistal"},
      {kMiddle1, kWrist, {7.65, 15.9, 0.08}, "MiddleProximal"},
      {kMiddle2, kMiddle1, {8.09, 15.9, 0.08}, "MiddleIntermediate"},
      {kMiddle3, kMiddle2, {8.53, 15.9, 0.08}, "MiddleDistal"},
      {kRing1, kWrist, {7.6, 15.9, -0.14}, "RingProximal"},
      {kRing2, kRing1, {8, 15.9, -0.14}, "RingIntermediate"},
      {kRing3, kRing2, {8.4, 15.9, -0.14}, "RingDistal"},
      {kLittle1, kWrist, {7.5, 15.9, -0.36}, "LittleProximal"},
      {kLittle2, kLittle1, {7.82, 15.9, -0.36}, "LittleIntermediate"},
      {kLittle3, kLittle2, {8.14, 15.9, -0.36}, "LittleDistal"},
      {kLeg, kLower, {0.95, 11.2, 0}, "UpperLeg"},
      {kKnee, kLeg, {0.95, 6.2, 0}, "LowerLeg"},
      {kAnkle, kKnee, {0.95, 1.1, 0}, "Foot"},
      {kLegIk, kRoot, {0.95, 1.1, 0}},
      {kToeIk, kLegIk, {0.95, 0, 1.4}},
  };
  return entries;
}

/// The bones of the middle are without a side.
std::string joined(std::string_view side, std::string_view stem) {
  const bool isOfMiddle = std::ranges::any_of(middle(), [&](const Entry& e) { return e.name.utf8 == stem; });
  return isOfMiddle ? std::string(stem) : std::string(side).append(stem);
}

std::vector<MmdBone> makeBones() {
  std::vector<MmdBone> bones;
  const auto find = [&](const std::string& name) {
    const auto found = std::ranges::find(bones, name, &MmdBone::name);
    return found == bones.end() ? -1 : static_cast<int>(found - bones.begin());
  };
  for (const Entry& entry : middle())
    bones.push_back({std::string(entry.name.utf8), std::string(entry.name.shiftJis),
                     find(std::string(entry.parent.utf8)), entry.place, std::string(entry.vrm)});
  for (const bool isLeft : {true, false}) {
    const Name& side = isLeft ? kLeft : kRight;
    const std::size_t first = bones.size();
    for (const Entry& entry : sides()) {
      MmdBone bone{joined(side.utf8, entry.name.utf8), std::string(side.shiftJis).append(entry.name.shiftJis),
                   find(joined(side.utf8, entry.parent.utf8)), entry.place,
                   entry.vrm.empty() ? "" : (isLeft ? "left" : "right") + std::string(entry.vrm)};
      if (!isLeft) bone.place.x() = -bone.place.x();
      // From the upper arm on, bones hang down at rest.
      const int above = bone.parent;
      const bool isArm = entry.name.utf8 == kArm.utf8 || (above >= 0 && bones[above].isOfArm);
      bone.isOfArm = isArm;
      bones.push_back(std::move(bone));
    }
    for (std::size_t i = 0; i < sides().size(); ++i)
      if (!sides()[i].readAs.empty()) bones[first + i].readAs = find(joined(side.utf8, sides()[i].readAs));
  }
  for (std::size_t i = 0; i < bones.size(); ++i)
    if (bones[i].readAs < 0) bones[i].readAs = static_cast<int>(i);
  return bones;
}

MmdLeg legOf(const Name& side) {
  const auto need = [&](const Name& name) { return mmdBone(joined(side.utf8, name.utf8)); };
  return {need(kLeg), need(kKnee), need(kAnkle), need(kLegIk), need(kToeIk)};
}

}  // namespace

const std::vector<MmdBone>& mmdBones() {
  static const std::vector<MmdBone> bones = makeBones();
  return bones;
}

int findMmdBone(std::string_view name) {
  static const std::map<std::string, int, std::less<>> index = [] {
    std::map<std::string, int, std::less<>> all;
    for (std::size_t i = 0; i < mmdBones().size(); ++i) {
      all[mmdBones()[i].name] = static_cast<int>(i);
      all[mmdBones()[i].shiftJis] = static_cast<int>(i);
    }
    return all;
  }();
  const auto found = index.find(name);
  return found == index.end() ? -1 : found->second;
}

int mmdBone(std::string_view name) {
  const int bone = findMmdBone(name);
  if (bone < 0) throw std::logic_error("there is no bone " + std::string(name));
  return bone;
}

const std::array<MmdLeg, 2>& mmdLegs() {
  static const std::array<MmdLeg, 2> legs = {legOf(kLeft), legOf(kRight)};
  return legs;
}

int mmdCentre() { return mmdBone(kCentre.utf8); }

Eigen::Matrix3d restTurn(const MmdBone& bone) {
  if (!bone.isOfArm) return Eigen::Matrix3d::Identity();
  // A slope of 3 to 4, as most models have it; right angles of fingers and forearms go with the arm.
  constexpr double kCosine = 0.8, kSine = 0.6;
  const double sine = bone.place.x() > 0.0 ? -kSine : kSine;
  Eigen::Matrix3d turn;
  turn << kCosine, -sine, 0, sine, kCosine, 0, 0, 0, 1;
  return turn;
}

}  // namespace limber::io

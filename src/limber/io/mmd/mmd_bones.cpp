// SPDX-License-Identifier: MIT
#include "limber/io/mmd/mmd_bones.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace limber::io {

namespace {

/// A name in UTF-8 and in Shift-JIS, the encoding of MikuMikuDance.
struct MmdName {
  std::string_view utf8, shiftJis;
};

/// A bone of the middle, or of both sides with the place of the left one.
struct MmdEntry {
  MmdName name, parent;
  Eigen::Vector3d place;      ///< units of MikuMikuDance, arms sideways
  std::string_view vrm = {};  ///< "hips", or without its side: "UpperArm"
  std::string_view readAs = {};
};

constexpr MmdName kMmdLeft{"左", "\215\266"}, kMmdRight{"右", "\211\105"};
constexpr MmdName kMmdRoot{"全ての親", "\221\123\202\304\202\314\220\145"};
constexpr MmdName kMmdCentre{"センター", "\203\132\203\223\203\136\201\133"};
constexpr MmdName kMmdGroove{"グルーブ", "\203\117\203\213\201\133\203\165"};
constexpr MmdName kMmdWaist{"腰", "\215\230"};
constexpr MmdName kMmdLower{"下半身", "\211\272\224\274\220\147"};
constexpr MmdName kMmdUpper{"上半身", "\217\343\224\274\220\147"};
constexpr MmdName kMmdUpper2{"上半身2", "\217\343\224\274\220\147\062"};
constexpr MmdName kMmdNeck{"首", "\216\361"};
constexpr MmdName kMmdHead{"頭", "\223\252"};
constexpr MmdName kMmdShoulder{"肩", "\214\250"};
constexpr MmdName kMmdArm{"腕", "\230\162"};
constexpr MmdName kMmdArmTwist{"腕捩", "\230\162\235\200"};
constexpr MmdName kMmdElbow{"ひじ", "\202\320\202\266"};
constexpr MmdName kMmdHandTwist{"手捩", "\216\350\235\200"};
constexpr MmdName kMmdWrist{"手首", "\216\350\216\361"};
constexpr MmdName kMmdLeg{"足", "\221\253"};
constexpr MmdName kMmdKnee{"ひざ", "\202\320\202\264"};
constexpr MmdName kMmdAnkle{"足首", "\221\253\216\361"};
constexpr MmdName kMmdLegIk{"足ＩＫ", "\221\253\202\150\202\152"};
constexpr MmdName kMmdToeIk{"つま先ＩＫ", "\202\302\202\334\220\346\202\150\202\152"};
constexpr MmdName kMmdThumb0{"親指０", "\220\145\216\167\202\117"};
constexpr MmdName kMmdThumb1{"親指１", "\220\145\216\167\202\120"};
constexpr MmdName kMmdThumb2{"親指２", "\220\145\216\167\202\121"};
constexpr MmdName kMmdIndex1{"人指１", "\220\154\216\167\202\120"};
constexpr MmdName kMmdIndex2{"人指２", "\220\154\216\167\202\121"};
constexpr MmdName kMmdIndex3{"人指３", "\220\154\216\167\202\122"};
constexpr MmdName kMmdMiddle1{"中指１", "\222\206\216\167\202\120"};
constexpr MmdName kMmdMiddle2{"中指２", "\222\206\216\167\202\121"};
constexpr MmdName kMmdMiddle3{"中指３", "\222\206\216\167\202\122"};
constexpr MmdName kMmdRing1{"薬指１", "\226\362\216\167\202\120"};
constexpr MmdName kMmdRing2{"薬指２", "\226\362\216\167\202\121"};
constexpr MmdName kMmdRing3{"薬指３", "\226\362\216\167\202\122"};
constexpr MmdName kMmdLittle1{"小指１", "\217\254\216\167\202\120"};
constexpr MmdName kMmdLittle2{"小指２", "\217\254\216\167\202\121"};
constexpr MmdName kMmdLittle3{"小指３", "\217\254\216\167\202\122"};

// The proportions of common models of 20 units of 8 cm: a body of 1.6 m.
const std::vector<MmdEntry>& middleEntries() {
  static const std::vector<MmdEntry> entries = {
      {kMmdRoot, {}, {0, 0, 0}},
      {kMmdCentre, kMmdRoot, {0, 8, 0}},
      {kMmdGroove, kMmdCentre, {0, 8.2, 0}},
      {kMmdWaist, kMmdGroove, {0, 12, 0}},
      {kMmdLower, kMmdWaist, {0, 12.4, 0}, "hips"},
      {kMmdUpper, kMmdWaist, {0, 12.4, 0}, "spine"},
      {kMmdUpper2, kMmdUpper, {0, 13.6, 0}, "chest"},
      {kMmdNeck, kMmdUpper2, {0, 16.4, 0}, "neck"},
      {kMmdHead, kMmdNeck, {0, 17.2, 0.1}, "head"},
  };
  return entries;
}

const std::vector<MmdEntry>& sideEntries() {
  static const std::vector<MmdEntry> entries = {
      {kMmdShoulder, kMmdUpper2, {0.3, 15.9, 0}, "Shoulder"},
      {kMmdArm, kMmdShoulder, {1.3, 15.9, 0}, "UpperArm", kMmdArmTwist.utf8},
      {kMmdArmTwist, kMmdArm, {2.6, 15.9, 0}},
      {kMmdElbow, kMmdArmTwist, {4.1, 15.9, 0}, "LowerArm", kMmdHandTwist.utf8},
      {kMmdHandTwist, kMmdElbow, {5.2, 15.9, 0}},
      {kMmdWrist, kMmdHandTwist, {6.6, 15.9, 0}, "Hand"},
      {kMmdThumb0, kMmdWrist, {6.85, 15.8, 0.3}, "ThumbMetacarpal"},
      {kMmdThumb1, kMmdThumb0, {7.15, 15.8, 0.55}, "ThumbProximal"},
      {kMmdThumb2, kMmdThumb1, {7.45, 15.8, 0.8}, "ThumbDistal"},
      {kMmdIndex1, kMmdWrist, {7.6, 15.9, 0.3}, "IndexProximal"},
      {kMmdIndex2, kMmdIndex1, {8, 15.9, 0.3}, "IndexIntermediate"},
      {kMmdIndex3, kMmdIndex2, {8.4, 15.9, 0.3}, "IndexDistal"},
      {kMmdMiddle1, kMmdWrist, {7.65, 15.9, 0.08}, "MiddleProximal"},
      {kMmdMiddle2, kMmdMiddle1, {8.09, 15.9, 0.08}, "MiddleIntermediate"},
      {kMmdMiddle3, kMmdMiddle2, {8.53, 15.9, 0.08}, "MiddleDistal"},
      {kMmdRing1, kMmdWrist, {7.6, 15.9, -0.14}, "RingProximal"},
      {kMmdRing2, kMmdRing1, {8, 15.9, -0.14}, "RingIntermediate"},
      {kMmdRing3, kMmdRing2, {8.4, 15.9, -0.14}, "RingDistal"},
      {kMmdLittle1, kMmdWrist, {7.5, 15.9, -0.36}, "LittleProximal"},
      {kMmdLittle2, kMmdLittle1, {7.82, 15.9, -0.36}, "LittleIntermediate"},
      {kMmdLittle3, kMmdLittle2, {8.14, 15.9, -0.36}, "LittleDistal"},
      {kMmdLeg, kMmdLower, {0.95, 11.2, 0}, "UpperLeg"},
      {kMmdKnee, kMmdLeg, {0.95, 6.2, 0}, "LowerLeg"},
      {kMmdAnkle, kMmdKnee, {0.95, 1.1, 0}, "Foot"},
      {kMmdLegIk, kMmdRoot, {0.95, 1.1, 0}},
      {kMmdToeIk, kMmdLegIk, {0.95, 0, 1.4}},
  };
  return entries;
}

/// The bones of the middle are without a side.
std::string sidedMmdName(std::string_view side, std::string_view stem) {
  const bool isOfMiddle = std::ranges::any_of(middleEntries(), [&](const MmdEntry& e) { return e.name.utf8 == stem; });
  return isOfMiddle ? std::string(stem) : std::string(side).append(stem);
}

std::vector<MmdBone> makeMmdBones() {
  std::vector<MmdBone> bones;
  const auto find = [&](const std::string& name) {
    const auto found = std::ranges::find(bones, name, &MmdBone::name);
    return found == bones.end() ? -1 : static_cast<int>(found - bones.begin());
  };
  for (const MmdEntry& entry : middleEntries())
    bones.push_back({std::string(entry.name.utf8), std::string(entry.name.shiftJis),
                     find(std::string(entry.parent.utf8)), entry.place, std::string(entry.vrm)});
  for (const bool isLeft : {true, false}) {
    const MmdName& side = isLeft ? kMmdLeft : kMmdRight;
    const std::size_t first = bones.size();
    for (const MmdEntry& entry : sideEntries()) {
      MmdBone bone{sidedMmdName(side.utf8, entry.name.utf8), std::string(side.shiftJis).append(entry.name.shiftJis),
                   find(sidedMmdName(side.utf8, entry.parent.utf8)), entry.place,
                   entry.vrm.empty() ? "" : (isLeft ? "left" : "right") + std::string(entry.vrm)};
      if (!isLeft) bone.place.x() = -bone.place.x();
      // From the upper arm on, bones hang down at rest.
      const int above = bone.parent;
      const bool isArm = entry.name.utf8 == kMmdArm.utf8 || (above >= 0 && bones[above].isOfArm);
      bone.isOfArm = isArm;
      bones.push_back(std::move(bone));
    }
    for (std::size_t i = 0; i < sideEntries().size(); ++i)
      if (!sideEntries()[i].readAs.empty())
        bones[first + i].readAs = find(sidedMmdName(side.utf8, sideEntries()[i].readAs));
  }
  for (std::size_t i = 0; i < bones.size(); ++i)
    if (bones[i].readAs < 0) bones[i].readAs = static_cast<int>(i);
  return bones;
}

MmdLeg mmdLegOf(const MmdName& side) {
  const auto need = [&](const MmdName& name) { return mmdBone(sidedMmdName(side.utf8, name.utf8)); };
  return {need(kMmdLeg), need(kMmdKnee), need(kMmdAnkle), need(kMmdLegIk), need(kMmdToeIk)};
}

}  // namespace

const std::vector<MmdBone>& mmdBones() {
  static const std::vector<MmdBone> bones = makeMmdBones();
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
  static const std::array<MmdLeg, 2> legs = {mmdLegOf(kMmdLeft), mmdLegOf(kMmdRight)};
  return legs;
}

int mmdCentre() { return mmdBone(kMmdCentre.utf8); }

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

// SPDX-License-Identifier: MIT
// The vocabulary of bodies: their parts, sides and fingers, what files and people call them, and how the names of links
// are read. One table (body_words.cpp) has all of the words.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// The parts of a human body: first those of the middle, then those that both sides have, last the digits. An undivided
/// trunk is Spine.
enum class BodyPart {
  Hips,
  Spine,
  Chest,
  UpperChest,
  Neck,
  Head,
  Clavicle,
  UpperArm,
  LowerArm,
  Hand,
  UpperLeg,
  LowerLeg,
  Foot,
  Toes,
  Thumb,
  IndexFinger,
  MiddleFinger,
  RingFinger,
  LittleFinger,
  Fingers  ///< fingers that the names do not distinguish, or one block for all four
};
inline constexpr int kBodyPartCount = 20;

enum class BodySide { Middle, Left, Right };

struct BodyPlace {
  BodyPart part = BodyPart::Hips;
  BodySide side = BodySide::Middle;

  auto operator<=>(const BodyPlace&) const = default;
};

using BodyPlaces = std::map<int, BodyPlace>;  ///< by link

inline bool isPaired(BodyPart part) { return part >= BodyPart::Clavicle; }  ///< there is a left and a right one
inline bool isDigit(BodyPart part) { return part >= BodyPart::Thumb; }
/// The part that carries a part; the hips carry themselves.
BodyPart partAbove(BodyPart part);

/// The side across from left or right.
inline BodySide otherSide(BodySide side) { return side == BodySide::Left ? BodySide::Right : BodySide::Left; }
/// "left hand" for the left one; a name of the middle is unchanged.
std::string withSide(BodySide side, const std::string& name);
/// The first link that is this part; -1 for none.
int linkAt(const BodyPlaces& places, BodyPlace place);

// ---- What parts are called

/// "upperArm": the part's bone in VRM and in the pose prior's file, without a side; of a digit the beginning of its
/// bones. Empty for Fingers.
std::string_view boneName(BodyPart part);
/// "trunk", "left forearm": as in the files of poses and in messages about them. Chest and UpperChest have no name.
std::string poseName(BodyPlace place);
std::optional<BodyPlace> findPosePlace(std::string_view name);
/// "shin": the displayed name in a list of parts.
std::string_view spokenName(BodyPart part);
/// "arm": the limb that begins with this part.
std::string_view limbName(BodyPart part);

// ---- Names of links

/// A name without its side. All of these names are of the left side:
///
///   left_hand, hand_left, LeftHand, mixamorig:LeftHand, hand.L, L_Hand, lHand, LHand, leftHand, FL_thigh, lf_foot
///
/// In the two letters of a four-legged figure's legs, one is the side; the other (front, back, hind or rear) stays.
struct SidedName {
  BodySide side = BodySide::Middle;
  std::string stem;  ///< the words without the side, in lower case: equal for the names of both sides
};

SidedName sidedName(std::string_view name);
/// The same as one word, without the prefixes and endings of exporters: "mixamorig:LeftForeArm" and "fore_arm_left" are
/// {Left, "forearm"}.
SidedName bareName(std::string_view name);

/// The digit that a stem names; Fingers for a finger without a name of its own.
std::optional<BodyPart> digitNamed(std::string_view stem);

/// The parts of a human body that names mean, by the index of the name. Spine, neck and fingers may have several names,
/// and fingers are not told apart; of other parts the first one counts. Whether the parts make a whole body is not
/// checked.
BodyPlaces recogniseParts(const std::vector<std::string>& names);
/// True for parts that may have several links in a row.
bool maybeSeveral(BodyPart part);

}  // namespace limber

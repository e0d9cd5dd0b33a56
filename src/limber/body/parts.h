// SPDX-License-Identifier: MIT
// The parts of a figure that a person would name: a foot, a hand, a thigh. Users pick, list, pin and lock parts, while
// links depend on how a file was built.
//
// Links that move as one form a rigid body (body/rigid_bodies.h). Bodies are grouped into parts:
//
//   people   by role (body/anatomy.h, body/body_roles.h). A body without a role belongs to the nearest one with a
//            role: a foot has its toes, a head its eyes, a thigh the hinges of its hip. Each vertebra is a part
//   others   every body is a part, except twigs, which are much shorter than their sibling branches. Branches of
//            similar length are limbs; short branches at the end of a much longer limb are the fingers of a hand
//
// Parts form a tree: a limb contains parts, and a hand contains fingers. Every link is in exactly one part.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limber {

enum class PartKind {
  Limb,   ///< contains parts, but no links of its own: "left arm"
  Part,   ///< "left hand"
  Digit,  ///< of a hand: "left thumb"
};

struct FigurePart {
  PartKind kind = PartKind::Part;
  std::string name;           ///< displayed name, unique
  int parent = -1;            ///< the part that contains it; -1 for none
  std::vector<int> children;  ///< the parts that it contains
  std::vector<int> links;     ///< its own, ascending
  int mainLink = -1;          ///< the main link of its first body: the foot, not the toes; -1 for a limb
};

struct NamedParts {
  std::vector<FigurePart> parts;  ///< in the order of lists; containers before what they contain
  std::vector<int> partOfLink;

  const FigurePart& operator[](int part) const { return parts[part]; }
  /// The part of the kind Part that contains the link: a finger's is the hand.
  int wholeOf(int link) const;
  /// The links of a part and of all parts that it contains, ascending.
  std::vector<int> linksOf(int part) const;
  /// mainLink; for a limb, that of its first part.
  int mainLinkOf(int part) const;
};

/// "left upper arm" for "LeftUpperArm_link", "panda link3" for "panda_link3".
std::string readableName(std::string_view name);

}  // namespace limber

// SPDX-License-Identifier: MIT
// The parts that a person would name of a figure: a foot, a hand, a thigh. They are what is picked, listed, pinned and
// locked; links are how a file happens to build them.
//
// Links that move as one are a body: what is fixed to a link is of its body, and links without a shape that stand at
// one place, each with no other child than the next, are of the body that the last of them turns (hinges in a row).
// Bodies are put together to parts:
//
//   people   by role (problem/anatomy.h, problem/body_roles.h). What has no role goes with the nearest body that has one: a
//            foot has its toes, a head its eyes, a thigh the hinges of its hip. Vertebrae are parts of their own
//   others   every body is a part, but for twigs, which are much shorter than what hangs beside them. Where branches
//            rival each other, each is a limb; short ones at the end of something much longer are fingers of its hand
//
// Contained in each other, parts make a tree: a limb has parts, a hand has fingers. Every link is in exactly one part.
#pragma once

#include <string>
#include <vector>

#include "limber/problem/ik_problem.h"

namespace limber {

enum class PartKind {
  Limb,   ///< holds parts, and no link itself: "left arm"
  Part,   ///< "left hand"
  Digit,  ///< of a hand: "left thumb"
};

struct FigurePart {
  PartKind kind = PartKind::Part;
  std::string name;           ///< as a person would say it; no two are alike
  int parent = -1;            ///< the part that holds it; -1 for none
  std::vector<int> children;  ///< the parts that it holds
  std::vector<int> links;     ///< its own, ascending
  int mainLink = -1;          ///< its body, of several the first: the foot, not the toes; -1 for a limb
};

struct NamedParts {
  std::vector<FigurePart> parts;  ///< what holds others before these, in the order in which they are read
  std::vector<int> partOfLink;

  const FigurePart& operator[](int part) const { return parts[part]; }
  /// Of the kind Part, with what it holds: a finger's is the hand.
  int wholeOf(int link) const;
  /// The links of a part and of all that it holds, ascending.
  std::vector<int> linksOf(int part) const;
  /// mainLink, of a limb that of its first part.
  int mainLinkOf(int part) const;
};

/// cost   linear in the links; for a figure with two sides that no name explains, that of findSymmetry()
NamedParts findParts(const IkProblem& problem);

/// "left upper arm" for "LeftUpperArm_link", "panda link3" for "panda_link3".
std::string readableName(std::string_view name);

}  // namespace limber

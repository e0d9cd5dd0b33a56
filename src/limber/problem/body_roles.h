// SPDX-License-Identifier: MIT
// Which link of a figure is which part of the pose prior (problem/pose_prior.h), and how the prior's frames lie in them.
//
// Parts are found by the names of the file's bones or of the links (problem/anatomy.h). Where names say nothing, by shape:
// a figure with a mirror plane, two legs down to the ground, two arms that do not reach it, and a head above them.
// Quadrupeds, hexapods, hands and robot arms have no roles.
//
// The T-pose is reached from rest by A_i, fixed for each link, in the body's axes: upper arm, forearm and hand swing to
// the side, thigh and shank down, one after the other, each by the shortest turn from where the one above has taken it;
// the feet, level at rest or square to their shanks, turn about the vertical until they point ahead; all else stands as
// it is, and what hangs on a part goes along. With W_i the rotation of a link at rest and B the body's axes there,
//
//   F_i = W_i' B A_i'     and so, in any pose,   R_j = (W_p F_p)' W_j F_j     of a link j against the part p above it
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "limber/problem/pose_prior.h"
#include "limber/problem/ik_problem.h"

namespace limber {

struct BodyRole {
  PriorPart part = PriorPart::Hips;
  BodySide side = BodySide::Middle;
  int count = 1;  ///< links in a row that share the part: vertebrae
};

struct BodyRoles {
  std::map<int, BodyRole> links;                ///< by link: those that move a part; of hinges in a row the last
  std::vector<Eigen::Matrix3d> linkFromTPose;   ///< by link: F

  int find(PriorPart part, BodySide side = BodySide::Middle) const;  ///< the first such link, -1 for none
};

/// Nothing for a figure that is no human body. cost: links, and where names say nothing that of findSymmetry().
std::optional<BodyRoles> findBodyRoles(const IkProblem& problem);

/// What findBodyRoles() finds where names say nothing; links as recogniseHumanoid() gives them, empty for no body.
std::map<int, BodyPlace> recogniseByShape(const Figure& figure);

}  // namespace limber

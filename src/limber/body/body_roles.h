// SPDX-License-Identifier: MIT
// The links of a figure that are parts of the pose prior (body/pose_prior.h), and the prior's frames in them.
//
// Parts are found by the names of the file's bones or of the links (body/anatomy.h). If names do not identify them,
// parts are found by shape: the figure has a mirror plane, two legs down to the ground, two arms that do not reach the
// ground, and a head above the arms. Quadrupeds, hexapods, hands and robot arms have no roles.
//
// The frames are defined by the T-pose. A rotation A_i in the body's axes takes link i there from rest. Upper arm,
// forearm and hand swing to the side, and thigh and shank down, one after the other, each by the shortest turn from its
// direction after the turn of the link above. The feet, which are level at rest or square to their shanks, turn about
// the vertical until they point ahead. All other links stay, and links below a part move with it. With W_i the rotation
// of a link at rest and B the body's axes there,
//
//   F_i = W_i' B A_i'     and, in any pose,   R_j = (W_p F_p)' W_j F_j     of a link j against the part p above it
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "limber/body/pose_prior.h"

namespace limber {

struct BodyRole {
  BodyPart part = BodyPart::Hips;
  BodySide side = BodySide::Middle;
  int count = 1;  ///< links in a row that share the part: vertebrae
};

struct BodyRoles {
  std::map<int, BodyRole> links;               ///< by link that moves a part; of hinges in a row the last one
  std::vector<Eigen::Matrix3d> linkFromTPose;  ///< by link: F

  int find(BodyPart part, BodySide side = BodySide::Middle) const;  ///< the first such link, -1 for none
};

}  // namespace limber

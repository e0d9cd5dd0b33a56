// SPDX-License-Identifier: MIT
// Closed loops that the user adds to a document's figure, changes and removes.
#pragma once

#include <memory>
#include <vector>

#include "limber/kinematics/figure_edit.h"
#include "limber/kinematics/open_loops.h"
#include "limber/scene/document.h"

namespace limber {

/// A point of a link.
struct JoinedPoint {
  int link = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in the link
};

/// A ball that joins two points. Its frames coincide in rotation at these transforms, and their z axes are the axis of
/// the first link's joint, or of the second one's, so that a hinge or weld can take its place. The name is new.
LoopClosure loopBetween(const Figure& figure, const Kinematics& kinematics, const JoinedPoint& first,
                        const JoinedPoint& second);

/// A change of the loops of a document's figure, tried on a copy.
struct LoopChange {
  FigureEdit edit = {};             ///< its figure is null if the change is impossible
  Pose pose = {};                   ///< the document's pose, with the loops closed as nearly as was found
  std::vector<OpenLoop> open = {};  ///< the loops that stay open
};
/// edit: addLoop(), changeLoop() or removeLoop() of the document's figure. The rest pose of the edited figure is
/// closed, too.
LoopChange tryLoops(const Document& document, FigureEdit edit);
/// Carries out a change that was tried on this document.
void takeLoops(const LoopChange& change, Document& document);

}  // namespace limber

// SPDX-License-Identifier: MIT
// Edits of a figure. A figure is immutable: each edit builds another one that shares nothing with it, or returns a
// sentence that says why it cannot. Links keep their order; a new link comes last.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"

namespace limber {

struct FigureEdit {
  std::shared_ptr<const Figure> figure = {};  ///< null if the edit failed
  std::string fault = {};                     ///< why it failed; else empty
  std::vector<int> linkFromOld = {};          ///< new index of each old link, -1 if it was removed
  std::vector<std::string> notes = {};        ///< what else was removed or moved, one sentence each
};

/// Multiplies the link's length by a positive factor. Child joints, sites, capsule ends and the centre of mass scale
/// with it; radii and mass do not.
FigureEdit scaleLink(const Figure& figure, int link, double factor);

/// Sets the authored limits of a revolute or prismatic joint. A rest outside them is clamped.
FigureEdit setLimits(const Figure& figure, int joint, const Interval& limits);
/// Sets the authored limits of a ball joint. A rest outside them is clamped as by BallRange::clamp.
FigureEdit setBallLimits(const Figure& figure, int joint, const BallLimits& limits);
/// Sets the authored resistance in [0, 1]; 1 locks the joint.
FigureEdit setRigidity(const Figure& figure, int joint, double rigidity);
/// Sets the authored pose, which must be inside the limits. Followers get the values that their drivers give them.
FigureEdit setRest(const Figure& figure, const Pose& pose);

/// Replaces the fixed joint between a link and the world (or a link that cannot move) by a free one: locked, at rest
/// where the link was, and marked as freed. Fails if that joint, or one above it, is not fixed.
FigureEdit freeBase(const Figure& figure, int link);
/// Adds a free base above a root whose own joint moves: a link without extent or mass, at the place of the root's
/// joint. The base is the first link; link and joint are called `name`.
FigureEdit addFreeBase(const Figure& figure, int root, const std::string& name);
/// Makes joints that freeBase freed fixed again.
FigureEdit fixBase(const Figure& figure);
/// Translates the whole figure so that its file's origin is at `origin` in the scene, metres.
FigureEdit setFileOrigin(const Figure& figure, const Eigen::Vector3d& origin);

struct NewLink {
  std::string name = {};  ///< of the link and of its joint; both must be new
  int parent = -1;        ///< -1 for the world
  JointType type = JointType::Revolute;
  Transform parentFromJoint = {};
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< joint frame; revolute and prismatic only
  Eigen::Vector3d end = Eigen::Vector3d::Zero();    ///< of the bone, link frame, metres; zero for no extent
  double radius = 0.0;                              ///< of its capsule, metres; 0 for an estimate
};
/// A link without a name that continues its parent: from its end, with its direction, length and radius.
NewLink continuationOf(const Figure& figure, int parent);
/// Adds a link. If it has an extent, it gets a site "<name>_end" at its end, a capsule and a mass.
FigureEdit addLink(const Figure& figure, const NewLink& link);

/// Removes a link and its descendants, with their sites, all couplings and linear limits that name their joints, and
/// their loops.
/// Fails if no link would be left.
FigureEdit removeLink(const Figure& figure, int link);
/// The link and its descendants, ascending.
std::vector<int> subtreeOf(const Figure& figure, int link);

FigureEdit renameLink(const Figure& figure, int link, const std::string& name);
FigureEdit renameJoint(const Figure& figure, int joint, const std::string& name);

FigureEdit addSite(const Figure& figure, const Site& site);
FigureEdit removeSite(const Figure& figure, int site);
FigureEdit renameSite(const Figure& figure, int site, const std::string& name);
/// Places a site elsewhere on its link.
FigureEdit moveSite(const Figure& figure, int site, const Transform& linkFromSite);

/// Adds a closed loop. The rest pose need not close it.
FigureEdit addLoop(const Figure& figure, const LoopClosure& loop);
/// Replaces a loop.
FigureEdit changeLoop(const Figure& figure, int loop, const LoopClosure& changed);
FigureEdit removeLoop(const Figure& figure, int loop);

}  // namespace limber

// SPDX-License-Identifier: MIT
// Edits of a figure. A figure is immutable: each edit builds another one that shares nothing with it, or says in a
// sentence why it cannot. Links keep their order; new ones come last.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"

namespace limber {

struct FigureEdit {
  std::shared_ptr<const Figure> figure;  ///< null when the edit failed
  std::string fault;                     ///< empty, or what is wrong
  std::vector<int> linkFromOld;          ///< by old link: its index now, -1 when it is gone
  std::vector<std::string> notes;        ///< what went or moved along, one sentence each
};

/// Multiplies the link's length: its child joints, sites, capsule ends and centre of mass move along, radii and mass
/// stay. factor: positive.
FigureEdit scaleLink(const Figure& figure, int link, double factor);

/// The authored limits of a revolute or prismatic joint. A rest outside them moves to the nearest end.
FigureEdit setLimits(const Figure& figure, int joint, const Interval& limits);
/// Those of a ball joint. A rest outside them turns by as much of its swing and twist as they allow.
FigureEdit setBallLimits(const Figure& figure, int joint, const BallLimits& limits);
/// The authored resistance in [0, 1]; 1 locks.
FigureEdit setRigidity(const Figure& figure, int joint, double rigidity);
/// The authored pose. Followers go where their drivers want them. It must be inside the limits.
FigureEdit setRest(const Figure& figure, const Pose& pose);

/// The joint of a link that hangs on the world, or on what stands for the world, free in place of fixed: locked, at rest
/// where it was, and marked as freed. Fails for a joint that is not fixed, or has something above it that moves.
FigureEdit freeBase(const Figure& figure, int link);
/// A base for a root whose own joint moves: a link without extent or mass, `name` by link and joint, that stands where the
/// root's joint stood and carries it. It is the first link then.
FigureEdit addFreeBase(const Figure& figure, int root, const std::string& name);
/// What was freed as the file has it again.
FigureEdit fixBase(const Figure& figure);
/// The whole figure shifted: its file's origin stands there in the scene.
FigureEdit setFileOrigin(const Figure& figure, const Eigen::Vector3d& origin);

struct NewLink {
  std::string name;                                        ///< of the link and its joint; neither may be taken
  int parent = -1;                                         ///< -1 for the world
  JointType type = JointType::Revolute;
  Transform parentFromJoint;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();         ///< in the joint frame; revolute and prismatic only
  Eigen::Vector3d end = Eigen::Vector3d::Zero();           ///< where it ends, in its own frame; zero: it has no extent
  double radius = 0.0;                                     ///< of its capsule, metres; 0: estimated
};
/// What continues the parent: as long and as thin, in its direction, from its end. Unnamed.
NewLink continuationOf(const Figure& figure, int parent);
/// A link with an extent gets a site at its end, "<name>_end", and so a capsule and a mass.
FigureEdit addLink(const Figure& figure, const NewLink& link);

/// Removes the link and all that hangs on it, with their sites and the couplings and linear limits that name their
/// joints. Fails for a link without which nothing is left.
FigureEdit removeLink(const Figure& figure, int link);
/// The link and all below it, ascending.
std::vector<int> subtreeOf(const Figure& figure, int link);

FigureEdit renameLink(const Figure& figure, int link, const std::string& name);
FigureEdit renameJoint(const Figure& figure, int joint, const std::string& name);

FigureEdit addSite(const Figure& figure, const Site& site);
FigureEdit removeSite(const Figure& figure, int site);
FigureEdit renameSite(const Figure& figure, int site, const std::string& name);
/// Puts the site elsewhere on its link.
FigureEdit moveSite(const Figure& figure, int site, const Transform& linkFromSite);

}  // namespace limber

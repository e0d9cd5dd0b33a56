// SPDX-License-Identifier: MIT
// What robot formats have in common: z is up, lengths are metres, links may have no mass.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "limber/io/figure_source.h"
#include "limber/io/robot/mesh_reference.h"
#include "limber/kinematics/figure_builder.h"

namespace limber::io {

// Bounds, far beyond any robot: building a figure takes time by the product of both.
inline constexpr std::size_t kMaxRobotLinks = 20'000;
inline constexpr std::size_t kMaxRobotSites = 5'000;

/// The frame that maps the file's z to the scene's y, and x to x.
FileFrame zUpFrame();

struct LinkWeight {
  double mass = 0.0;  ///< kilograms
  Eigen::Vector3d centreOfMass = Eigen::Vector3d::Zero();
};

/// The name, with "_" appended until it is not in `taken`, to which it is added.
std::string unusedName(std::string name, std::set<std::string>& taken);

/// Sets mass and capsules of every link in three steps; `weights` has one element for each link. Must be called before
/// end effectors are added, whose sites depend on the capsules.
///
///   masses   If the file has any mass, links without one get mass 0. Else FigureBuilder estimates all masses from the
///            capsules.
///   bodies   A link with a mass but no shape, such as a link with a mesh only, gets capsules from its joint to the
///            centre of its child joints and from there to each child joint. Their radius gives the mass the density of
///            water. A link without child joints gets a sphere around its centre of mass.
///   sticks   Thin capsules connect a link's capsules with joints that these do not reach, so that the robot is drawn
///            in one piece. Links without a shape and without a moving joint, such as sensor frames, get none.
void shapeLinks(const std::vector<LinkWeight>& weights, FigureBuilder& builder);

/// The figure of a robot and its skin: resolves the meshes and adds those that are found. The result has `notes`,
/// followed by sentences about the meshes.
Result<FigureSource> finishRobot(FigureBuilder& builder, std::vector<MeshReference> meshes, Skin skin,
                                 const SourceFile& file, const OpenContext& context, std::vector<std::string> notes);

}  // namespace limber::io

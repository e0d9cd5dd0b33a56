// SPDX-License-Identifier: MIT
// What the formats of robots have in common: z is up, lengths are metres, links may weigh nothing.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "limber/io/figure_source.h"
#include "limber/io/robot/mesh_reference.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/scene/source_file.h"

namespace limber::io {

// Bounds, far beyond any robot: building a figure takes time by the product of both.
inline constexpr std::size_t kMaxRobotLinks = 20'000;
inline constexpr std::size_t kMaxRobotSites = 5'000;

/// The file's z becomes the scene's y, its x stays.
FileFrame zUpFrame();

struct LinkWeight {
  double mass = 0.0;  ///< kilograms
  Eigen::Vector3d centreOfMass = Eigen::Vector3d::Zero();
};

/// The name, with "_" added until no other has it; it is taken then.
std::string unusedName(std::string name, std::set<std::string>& taken);

/// Gives every link its mass and its capsules, in three steps; `weights` has one a link. Call before sites are guessed.
///
///   masses   Where the file gives any mass, a link without one weighs nothing; where it gives none, FigureBuilder
///            estimates all of them from the capsules.
///   bodies   A link that weighs something and has no shape, as where a mesh describes it, gets capsules from its joint
///            to the middle of the joints that it carries, and from there to each of them, as thick as water of its
///            mass. A link that carries no joint gets a ball around its centre of mass.
///   sticks   Thin capsules join a link's capsules with its joints where they do not reach them, so that the robot
///            hangs together. Frames without a shape in which nothing moves, such as those of sensors, get none.
void shapeLinks(const std::vector<LinkWeight>& weights, FigureBuilder& builder);

/// The figure of a robot that was read, with its skin: resolves the meshes and adds those that are found. `notes`
/// become those of the figure, with sentences about the meshes behind them.
Result<FigureSource> finishRobot(FigureBuilder& builder, std::vector<MeshReference> meshes, Skin skin,
                                 const SourceFile& file, const OpenContext& context, std::vector<std::string> notes);

}  // namespace limber::io

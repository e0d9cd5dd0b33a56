// SPDX-License-Identifier: MIT
// What the formats of robots have in common: z is up, lengths are metres, links may weigh nothing.
#pragma once

#include <vector>

#include "limber/kinematics/figure_builder.h"

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

/// Takes the masses over. Where the file gives any, a link without one weighs nothing and does not get that of its
/// capsules; where it gives none, all are estimated.
void weighLinks(const std::vector<LinkWeight>& weights, FigureBuilder& builder);

/// A body for each link that weighs something and has no shape, as where it is described by a mesh: from its joint to the
/// middle of those that it carries, and from there to each, as thick as water of its mass would be; what carries no joint
/// is a ball around its centre of mass. Call after weighLinks.
void addBodies(int linkCount, FigureBuilder& builder);

/// Joins the capsules of a link with its joints by thin sticks where they do not reach, so that the robot hangs
/// together; but for frames that nothing moves in and that have no shape, as those of sensors. Links without capsules
/// get theirs from FigureBuilder. Call after addBodies and before sites are guessed.
void addSticks(int linkCount, FigureBuilder& builder);

}  // namespace limber::io

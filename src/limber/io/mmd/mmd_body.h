// SPDX-License-Identifier: MIT
// The standard body of MikuMikuDance: from the transforms of its bones as in files to poses of a figure.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "limber/io/figure_source.h"
#include "limber/io/mmd/mmd_bones.h"

namespace limber::io {

/// What a file has for a bone in a frame, with z mirrored (mmd_bones.h).
struct MmdTurn {
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();  ///< from rest, units
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
};

/// The bones in the world, units.
struct MmdPlaces {
  std::vector<Eigen::Matrix3d> rotations;
  std::vector<Eigen::Vector3d> places;
};

/// Forward kinematics, then for each leg that `reaches` the shortest way to the place of its target: the knee bends
/// about x as the distance demands, the thigh turns in the plane of both directions, the ankle turns the foot to the
/// target of the toes. A leg that is already there keeps its pose.
MmdPlaces placesOf(std::span<const MmdTurn> turns, const std::array<bool, 2>& reaches);

/// The figure in the T-pose.
Result<FigurePointer> makeMmdFigure(const std::filesystem::path& file);
/// Its pose.
Pose mmdPose(const Figure& figure, const MmdPlaces& bones);

/// The transforms as in a file for a body in this pose; nothing for a figure that is no human body.
class MmdWriter {
 public:
  explicit MmdWriter(const Figure& figure);
  ~MmdWriter();
  bool isPossible() const;
  /// False for bones that a written file leaves out.
  bool has(int bone) const;
  std::vector<MmdTurn> turnsOf(const Pose& pose) const;

 private:
  struct Rig;
  const Figure& figure_;
  std::unique_ptr<Rig> rig_;
};

}  // namespace limber::io

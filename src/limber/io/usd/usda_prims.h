// SPDX-License-Identifier: MIT
// What the readers of skeletons and robots in USD have in common: the axes of the file and the places of prims.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <unordered_map>
#include <vector>

#include "limber/io/usd/usda_text.h"
#include "limber/kinematics/figure.h"

namespace limber::io {

/// A matrix of USD, whose rows are multiplied by points from the left.
Eigen::Affine3d usdaMatrix(const double* sixteen);
/// A quaternion of USD, w x y z; the identity if it is zero.
Eigen::Quaterniond usdaQuaternion(const double* four);
/// The rotation nearest to a linear map.
Eigen::Matrix3d rotationOf(const Eigen::Matrix3d& linear);

class UsdaScene {
 public:
  /// Throws a Fault, for places too.
  explicit UsdaScene(std::string_view text);

  const UsdaText& text() const { return text_; }
  const std::vector<UsdaPrim>& prims() const { return text_.prims; }
  const FileFrame& frame() const { return frame_; }
  double timeCodesPerSecond() const;
  /// From the file's axes and unit, at the first time.
  const Eigen::Affine3d& worldFromPrim(int prim) const { return worldFromPrim_[prim]; }
  /// Index of the prim that a relation names first; -1 for none.
  int target(const UsdaPrim& prim, std::string_view relation) const;
  /// "Prims refer to other files (references, ...), which are not read."; empty if none does.
  std::string noteAboutArcs() const;

 private:
  Eigen::Affine3d parentFromPrim(const UsdaPrim& prim, bool& isReset) const;

  UsdaText text_;
  FileFrame frame_;
  std::unordered_map<std::string, int> index_;
  std::vector<Eigen::Affine3d> worldFromPrim_;
};

}  // namespace limber::io

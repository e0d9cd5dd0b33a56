// SPDX-License-Identifier: MIT
// Smooth offsets over the frames of a motion: of a foot, of its rotation, of the pelvis.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace limber {

/// The offsets x_f in R^3, one per frame, that minimise
///
///   sum_f  T^4 |x_{f-1} - 2 x_f + x_{f+1}|^2 / h^4  +  pull |x_f|^2  +  sum of the demands  w (u . x_f - d)^2
///
/// with h the time of a frame. An offset that demands fix at some frames so goes from one to the next along a cubic,
/// and decays within about the time T where nothing is demanded.
class SmoothOffsets {
 public:
  /// frameTime, smoothTime: h and T, seconds, > 0
  SmoothOffsets(int frameCount, double frameTime, double smoothTime, double pull = 1.0);

  /// Adds a demand for one direction, unit.
  void demand(int frame, const Eigen::Vector3d& direction, double offset, double weight);
  /// Fixes the offset of a frame.
  void fix(int frame, const Eigen::Vector3d& offset);
  void clearDemands();
  /// A demand of much more than this weight is met whatever the smoothness.
  double stiffness() const { return pull_ + bending_; }

  /// (3 x frameCount). Linear in the frames.
  Eigen::Matrix3Xd solve() const;

 private:
  int count_;
  double bending_, pull_;
  std::vector<Eigen::Matrix3d> weights_;  ///< per frame: sum of w u u'
  Eigen::Matrix3Xd sides_;                ///< per frame: sum of w d u
};

}  // namespace limber

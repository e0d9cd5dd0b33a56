// SPDX-License-Identifier: MIT
// Path-independent poses are a function of the targets, which must jump somewhere: there the picture takes 150 ms from
// the pose that it shows to the one that the document has. The document has it at once.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "posing/posing.h"

namespace limber::app {

inline constexpr double kBlendSeconds = 0.15;

/// The largest turn of a joint between two poses (radians; shifts in mean link lengths).
double largestMove(const Figure& figure, const Pose& from, const Pose& to);

/// True when the poses differ by more than targets that moved by `moved` (mean link lengths) account for. An almost
/// straight limb turns as the root of what its end moves, so that this allows 0.05 + 4 sqrt(moved) radians.
bool isJump(const Figure& figure, const Pose& from, const Pose& to, double moved);

class PoseBlend {
 public:
  /// A solve of this begins: how far its targets are from those of the last one.
  void ask(const Document& document, const PosingRequest& request);
  /// The solve that began with the pose `before` ended with document.pose; `shown` is what the picture showed. Begins a
  /// blend from there where the pose has jumped; one that is under way goes on to the new pose.
  void arrive(const Document& document, const Pose& before, const Pose& shown, double now);
  void end() { to_ = {}; }

  /// What the picture shows in place of document.pose; nothing while no blend to it is under way. Within the limits.
  std::optional<Pose> at(const Document& document, double now) const;
  bool isRunning(double now) const { return to_.coordinates.size() > 0 && now < started_ + kBlendSeconds; }

  /// When the last jump was, seconds; it is named in the status.
  double lastJump() const { return lastJump_; }
  std::string sentence() const;

 private:
  std::vector<Eigen::Vector3d> asked_;  ///< every target, and the axes asked for times the mean link length
  double moved_ = 0.0;                  ///< the largest move of these from one solve to the next, mean link lengths
  bool isSameQuestion_ = false;         ///< only targets have moved
  Pose from_, to_;                      ///< to_ without coordinates: no blend
  double started_ = -1e9, lastJump_ = -1e9;
};

}  // namespace limber::app

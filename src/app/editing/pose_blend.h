// SPDX-License-Identifier: MIT
// When a pose jumps, the picture blends within 150 ms from the shown pose to the pose of the document, which changes at
// once. A path-independent pose is a function of the targets, and such a function cannot be continuous everywhere. In
// other drags the bend of a limb may cease to be a local minimum; the solve then converges to another one.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber::app {

inline constexpr double kBlendSeconds = 0.15;

/// The largest change of a joint between two poses: turns in radians, translations in mean link lengths.
double largestMove(const Figure& figure, const Pose& from, const Pose& to);

/// True if the poses differ by more than the movement of the targets explains. moved: that movement, in limb lengths.
/// The threshold is 0.05 + 3 sqrt(2 moved) radians, because an almost straight limb turns in proportion to the square
/// root of the movement of its end.
bool isJump(const Figure& figure, const Pose& from, const Pose& to, double moved);

class PoseBlend {
 public:
  /// Records that a solve begins, and how far the targets have moved since the last one.
  void ask(const Document& document, const PosingRequest& request);
  /// Records that the solve, which began with the pose `before`, has ended with document.pose. If the pose has jumped
  /// in a drag or a path-independent solve, a blend begins at `shown`, the pose in the picture. A running blend
  /// continues to the new pose.
  void arrive(const Document& document, const Pose& before, const Pose& shown, double now);
  void end() { to_ = {}; }

  /// The pose, within the limits, that the picture shows instead of document.pose; empty unless a blend to
  /// document.pose is running.
  std::optional<Pose> at(const Document& document, double now) const;
  bool isRunning(double now) const { return to_.coordinates.size() > 0 && now < started_ + kBlendSeconds; }

  /// The time of the last jump, seconds. The status bar describes the jump by sentence().
  double lastJump() const { return lastJump_; }
  std::string sentence() const;

 private:
  /// The target position of a link, metres; or, with link -1, an axis of a target frame.
  struct Asked {
    int link = -1;
    Eigen::Vector3d target;
  };
  static std::vector<Asked> whatIsAsked(const Document& document, const PosingRequest& request);
  void findWay(const Document& document, bool goesOn);

  std::vector<Asked> asked_;
  double moved_ = 0.0;           ///< largest move of a target since the last solve, in lengths of its limb
  bool isSameQuestion_ = false;  ///< only targets have moved since the last solve
  Pose from_, to_;               ///< to_ without coordinates: no blend
  Eigen::VectorXd way_;          ///< the step from from_ to to_
  double started_ = -1e9, lastJump_ = -1e9;
};

}  // namespace limber::app

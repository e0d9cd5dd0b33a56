// SPDX-License-Identifier: MIT
// Where a pose jumps, the picture blends for 150 ms from the shown pose to that of the document, which changes at once.
// Path-independent poses are a function of the targets, which must jump somewhere; in any other drag the bend of a limb
// may cease to be a local minimum, and the pose goes over to another.
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

/// True if the poses differ by more than a move of targets explains; `moved` is that move in lengths of the limb. As an
/// almost straight limb turns by the square root of its end's move, this allows 0.05 + 3 sqrt(2 moved) radians.
bool isJump(const Figure& figure, const Pose& from, const Pose& to, double moved);

class PoseBlend {
 public:
  /// Notes that a solve begins, and how far its targets are from those of the last one.
  void ask(const Document& document, const PosingRequest& request);
  /// Notes that the solve, which began with the pose `before`, has ended with document.pose. If the pose has jumped, in
  /// a drag or a path-independent solve, a blend begins at `shown`, the pose of the picture; one under way goes on to
  /// the new pose.
  void arrive(const Document& document, const Pose& before, const Pose& shown, double now);
  void end() { to_ = {}; }

  /// The pose, within the limits, that the picture shows instead of document.pose; nothing without a blend to that.
  std::optional<Pose> at(const Document& document, double now) const;
  bool isRunning(double now) const { return to_.coordinates.size() > 0 && now < started_ + kBlendSeconds; }

  /// The time of the last jump, seconds, of which the status tells by sentence().
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

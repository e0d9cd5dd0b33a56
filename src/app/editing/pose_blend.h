// SPDX-License-Identifier: MIT
// Where a pose jumps, the picture takes 150 ms from the pose that it shows to the one that the document has. The document
// has it at once. Path-independent poses are a function of the targets, which must jump somewhere; in any other drag the
// bend that a limb is in may cease to be a minimum, and the pose goes over to another.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber::app {

inline constexpr double kBlendSeconds = 0.15;

/// The largest turn of a joint between two poses (radians; shifts in mean link lengths).
double largestMove(const Figure& figure, const Pose& from, const Pose& to);

/// True when the poses differ by more than targets that moved by `moved` account for: parts of the reach of the limb that
/// follows. An almost straight limb turns as the root of what its end moves, so that this allows 0.05 + 3 sqrt(2 moved)
/// radians.
bool isJump(const Figure& figure, const Pose& from, const Pose& to, double moved);

class PoseBlend {
 public:
  /// A solve of this begins: how far its targets are from those of the last one.
  void ask(const Document& document, const PosingRequest& request);
  /// The solve that began with the pose `before` ended with document.pose; `shown` is what the picture showed. Begins a
  /// blend from there where the pose has jumped, in a drag or a path-independent solve; one that is under way goes on to
  /// the new pose.
  void arrive(const Document& document, const Pose& before, const Pose& shown, double now);
  void end() { to_ = {}; }

  /// What the picture shows in place of document.pose; nothing while no blend to it is under way. Within the limits.
  std::optional<Pose> at(const Document& document, double now) const;
  bool isRunning(double now) const { return to_.coordinates.size() > 0 && now < started_ + kBlendSeconds; }

  /// When the last jump was, seconds; it is named in the status.
  double lastJump() const { return lastJump_; }
  std::string sentence() const;

 private:
  /// A target, metres, of what link; or an axis that is asked for, whose `link` is -1.
  struct Asked {
    int link = -1;
    Eigen::Vector3d target;
  };
  static std::vector<Asked> whatIsAsked(const Document& document, const PosingRequest& request);
  void findWay(const Document& document, bool goesOn);

  std::vector<Asked> asked_;
  double moved_ = 0.0;           ///< the largest move from one solve to the next, in reaches of the limb that follows
  bool isSameQuestion_ = false;  ///< only targets have moved
  Pose from_, to_;                      ///< to_ without coordinates: no blend
  Eigen::VectorXd way_;                 ///< the step from one to the other; angles go on the way round that they took
  double started_ = -1e9, lastJump_ = -1e9;
};

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// Baking: a timeline as a motion. Every frame is solved to the end, each from the one before (scene/player.h),
// beginning with the document's pose or the keyed one. The same document and options give the same bits.
//
// If a joint turns more than BakeOptions::maxTurn between two frames, the time between them is divided into 2, 4, ...
// 16 steps, and the first division that keeps the bound is taken: with small steps the solve stays on its branch of
// solutions. If none does, because the target itself jumps or comes back into reach, the result reports a jump.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber {

struct BakeOptions {
  double from = 0.0;             ///< seconds
  double to = -1.0;              ///< seconds; the timeline's end when below 0
  double framesPerSecond = 0.0;  ///< the timeline's when 0
  double maxTurn = 0.35;         ///< radians, of any joint between two frames, before smaller steps are tried; > 0
  int maxSteps = 16;             ///< steps of time between two frames; >= 1
};

struct BakedFrame {
  double time = 0.0;                ///< seconds
  Outcome outcome = Outcome::Idle;  ///< Idle without goals: the pose is the keyed one
  double error = 0.0;               ///< distance left, of the worst goal or pin, metres
  double angle = 0.0;               ///< angle left, of the worst goal or pin, radians
  double inside = 0.0;  ///< metres: how much nearer than the safety distance a link is, beyond the tolerance
  double turn = 0.0;    ///< radians: the largest turn of a joint since the frame before
  int steps = 1;        ///< steps of time since the frame before

  bool isReached() const { return outcome == Outcome::Reached || outcome == Outcome::Idle; }
};

struct BakeResult {
  std::string fault;         ///< empty, or why the timeline cannot be baked
  bool isCancelled = false;  ///< frames and motion then end where the bake was cancelled
  std::vector<BakedFrame> frames;
  std::shared_ptr<const Motion> motion;  ///< one pose per frame; null without frames
  int unreached = 0;                     ///< frames whose goals were not reached
  int worstFrame = -1;                   ///< with the largest error; -1 without frames
  double worstError = 0.0, worstAngle = 0.0;
  int insideFrames = 0;  ///< frames in which a link is inside an obstacle or another link
  double deepest = 0.0;  ///< metres, the deepest of them
  int jumps = 0;         ///< frames in which a joint turned more than maxTurn, even with maxSteps
  int mostSteps = 0;     ///< the largest number of steps of time of a frame
  double largestTurn = 0.0;
  int largestTurnFrame = -1;

  /// "91 frames, 3 not reached (12.3 mm at worst, frame 40), largest turn 4.2 degrees"
  std::string sentence() const;
};

/// Called with the finished part, in [0, 1]; returns false to cancel.
using BakeProgress = std::function<bool(double part)>;

BakeResult bake(const Document& document, const BakeOptions& options = {}, const BakeProgress& progress = {});

/// Makes the motion the document's own and shows its first frame. A document with several clips gets it as a further
/// clip.
void takeBaked(const BakeResult& result, Document& document);

/// Sets pose keys such that linear interpolation between them (Blend::Linear) is within `tolerance`, in radians and
/// mean link lengths, of every joint in every frame; keys are added by bisection. They replace the keyed poses from the
/// first to the last frame. Goal keys and paths stay, and the timeline's blend becomes linear.
void keyBaked(const BakeResult& result, double tolerance, Document& document);

/// The largest turn of a joint between two poses, radians.
double largestTurnBetween(const Figure& figure, const Pose& from, const Pose& to);

}  // namespace limber

// SPDX-License-Identifier: MIT
// A timeline as a motion: every frame solved to the end, each from the last (scene/player.h), beginning with the
// document's pose, or the keyed one. The same document and options give the same bits.
//
// Where a joint turns more than BakeOptions::maxTurn from a frame to the next, that way is gone again in 2, 4, ... 16
// smaller steps of time, and the first that is calm enough is taken: with small steps the solve follows the branch that
// it is on. A way that stays unsteady (the target itself jumps, or comes back from beyond reach) is said so.
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
  int maxSteps = 16;             ///< of time between two frames; >= 1
};

struct BakedFrame {
  double time = 0.0;                 ///< seconds
  Outcome outcome = Outcome::Idle;   ///< Idle where nothing was asked: the pose is as keyed
  double error = 0.0;                ///< metres left, of the worst goal or pin
  double angle = 0.0;                ///< radians left, likewise
  double inside = 0.0;               ///< metres that a link is deeper in an obstacle or another link than it may be
  double turn = 0.0;                 ///< radians: the most that a joint turned since the frame before
  int steps = 1;                     ///< of time that it took from the frame before

  bool isReached() const { return outcome == Outcome::Reached || outcome == Outcome::Idle; }
};

struct BakeResult {
  std::string fault;                     ///< empty, or why there is nothing to bake
  bool isCancelled = false;              ///< frames are then those up to there, and the motion is of them
  std::vector<BakedFrame> frames;
  std::shared_ptr<const Motion> motion;  ///< a pose a frame; null without frames
  int unreached = 0;                     ///< frames that left something
  int worstFrame = -1;                   ///< with the largest error; -1 without frames
  double worstError = 0.0, worstAngle = 0.0;
  int insideFrames = 0;                  ///< frames in which a link is inside of what it keeps out of
  double deepest = 0.0;                  ///< metres, of them
  int jumps = 0;                         ///< frames before which a joint turned more than maxTurn all the same
  int mostSteps = 0;                     ///< the most steps of time that a frame took
  double largestTurn = 0.0;
  int largestTurnFrame = -1;

  /// "91 frames, 3 not reached (12.3 mm at worst, frame 40), largest turn 4.2 degrees"
  std::string sentence() const;
};

/// Told the part that is done, in [0, 1]; false cancels.
using BakeProgress = std::function<bool(double part)>;

/// Of a figure's poses in all frames of a bake: 400 MB.
inline constexpr double kMaxBakedCoordinates = 50e6;

BakeResult bake(const Document& document, const BakeOptions& options = {}, const BakeProgress& progress = {});

/// The motion takes the place of the document's own, at its first frame; a figure with several clips gets one more.
void takeBaked(const BakeResult& result, Document& document);

/// A key a frame where the poses need it: the fewest that a search by halving finds such that the way from key to key
/// (Blend::Linear) is off by no more than so many radians, and mean link lengths, in any joint at any frame. Replaces
/// the keyed poses from the first to the last frame; goal keys and paths stay, and the blend is linear from then on.
void keyBaked(const BakeResult& result, double tolerance, Document& document);

/// The most that a joint turns from one pose to the other, radians.
double largestTurnBetween(const Figure& figure, const Pose& from, const Pose& to);

}  // namespace limber

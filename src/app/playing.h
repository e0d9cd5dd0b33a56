// SPDX-License-Identifier: MIT
// The timeline's transport: play, scrub, step, key, bake. Each frame puts the targets where the timeline has them and
// asks for a solve from the last pose (scene/player.h), within the window's budget. After a bake the baked frames are
// shown, as long as nothing that they came from has changed.
#pragma once

#include <optional>
#include <string>

#include "limber/scene/bake.h"
#include "limber/scene/player.h"

namespace limber::app {

struct Session;

enum class BakeAs { Motion, Keys };

/// The finest that a bake to keys gives up, radians: a sixth of a degree.
inline constexpr double kBakeKeysWithin = 0.003;

class Playing {
 public:
  bool isPlaying() const { return isPlaying_; }
  bool loop = true;

  /// Plays from the present time (from the start when it stands at the end), or stops.
  void toggle(Session& session);
  void stop() { isPlaying_ = false; }
  /// Stands at the frame nearest to a time. All scrubs of one gesture (not empty) are one step of the history.
  void goTo(Session& session, double time, const std::string& gesture);
  /// The next frame, when its time has come. Once a frame of the window.
  void update(Session& session);
  /// When the window must wake for it, seconds; nothing while it stands.
  std::optional<double> nextFrame(const Document& document) const;

  /// The motion that was baked from a document as it stands.
  void noteBaked(const Document& document);
  /// True while a document still is what its motion was baked from: its frames are shown then.
  bool isBaked(const Document& document) const;

 private:
  void show(Session& session, double time, bool goesOn, const char* label, const std::string& gesture);

  bool isPlaying_ = false;
  double started_ = 0.0;   ///< seconds: when the frame at from_ was shown
  double from_ = 0.0;      ///< seconds of the timeline
  int frame_ = -1;         ///< shown last while playing
  std::string scrubbed_;   ///< gesture of the last scrub
  std::optional<Player> player_;
  Document baked_;         ///< what was baked, with its motion; without a figure: nothing
};

/// True where neither keys nor paths make a timeline.
bool hasNothingToPlay(const Document& document);

// Actions (app/playing.cpp).
void stepFrame(Session& session, int by);     ///< of the timeline, else of the motion
void goToKey(Session& session, int direction);
void keyPresentPose(Session& session);
void keyPresentGoals(Session& session);
void removePresentKey(Session& session);

/// Bakes beside the window; the motion, or the keys, are one step.
void startBake(Session& session, BakeAs what);

}  // namespace limber::app

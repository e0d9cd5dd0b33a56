// SPDX-License-Identifier: MIT
// Playback of the timeline and of the document's motion; one of them at a time. Each frame of a timeline puts the
// targets where the timeline has them and asks for a solve from the last pose (scene/player.h), within the window's
// budget. After a bake the baked frames are shown, as long as nothing that they came from has changed.
#pragma once

#include <optional>
#include <string>

#include "app/editing/editor.h"
#include "app/editing/solving.h"
#include "limber/scene/player.h"

namespace limber::app {

enum class BakeAs { Motion, Keys };

/// Of the document's motion.
struct MotionPlayback {
  bool isPlaying = false;
  bool loop = true;
  double started = 0.0;  ///< seconds: when frame `from` was shown
  int from = 0;
};

class Playing {
 public:
  MotionPlayback motion;
  bool loop = true;  ///< the timeline

  bool isPlaying() const { return isPlaying_; }  ///< the timeline
  bool isAnyPlaying() const { return isPlaying_ || motion.isPlaying; }
  /// Whichever plays.
  void stop();
  void stopTimeline() { isPlaying_ = false; }
  /// Forgets what is kept from frame to frame.
  void restart();

  /// Plays from the present time (from the start when it stands at the end), or stops: the timeline where it has keys or
  /// paths, else the motion. False when there is nothing to play.
  bool toggle(Editor& editor, double now);
  void toggleMotion(const Document& document, double now);

  /// Stands at the frame nearest to a time. All scrubs of one gesture (not empty) are one step of the history. Empty, or
  /// why the timeline cannot be shown.
  std::string goTo(Editor& editor, Solving& solving, double time, const std::string& gesture);

  /// The next frame, when its time has come. Once a frame of the window. Empty, or why the timeline cannot be shown.
  std::string update(Editor& editor, Solving& solving, double now);
  /// When the window must wake for it, seconds; nothing while it stands.
  std::optional<double> nextFrame(const Document& document, double now) const;

  /// The motion that was baked from a document as it stands.
  void noteBaked(const Document& document);
  /// True while a document still is what its motion was baked from: its frames are shown then.
  bool isBaked(const Document& document) const;

 private:
  void updateMotion(Editor& editor, double now);
  std::string show(Editor& editor, Solving& solving, double time, bool goesOn, const char* label,
                   const std::string& gesture);

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

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// Playback of the timeline or of the document's motion. Each frame of a timeline sets the targets and requests a solve
// from the last pose (scene/player.h), within the window's budget. After a bake the baked frames are shown, as long as
// nothing on which they depend has changed.
#pragma once

#include <optional>
#include <string>

#include "app/editing/editor.h"
#include "app/editing/solving.h"
#include "limber/scene/player.h"

namespace limber::app {

enum class BakeAs { Motion, Keys };

/// Playback of the document's motion.
struct MotionPlayback {
  bool isPlaying = false;
  bool loop = true;
  double started = 0.0;  ///< seconds: when frame `from` was shown
  int from = 0;
};

class Playing {
 public:
  MotionPlayback motion;
  bool loop = true;  ///< of the timeline

  bool isPlaying() const { return isPlaying_; }  ///< of the timeline
  bool isAnyPlaying() const { return isPlaying_ || motion.isPlaying; }
  /// Stops the timeline and the motion.
  void stop();
  void stopTimeline() { isPlaying_ = false; }
  /// Resets everything except `motion` and `loop`.
  void restart();

  /// Starts or stops the timeline if it has keys or paths, else the motion. It starts at the present time, or at 0 if
  /// that is the end. Returns false without keys, paths and motion.
  bool toggle(Editor& editor, double now);
  void toggleMotion(const Document& document, double now);

  /// Stops and shows the frame nearest to a time, seconds. All scrubs of one non-empty gesture are one step of the
  /// history. Returns an empty text, or why the timeline cannot be shown.
  std::string goTo(Editor& editor, Solving& solving, double time, const std::string& gesture);

  /// Shows the next frame if it is due. It is called once per frame of the window, and returns as goTo() does.
  std::string update(Editor& editor, Solving& solving, double now);
  /// The time at which the window must wake for the next frame, seconds; empty while nothing plays.
  std::optional<double> nextFrame(const Document& document, double now) const;

  /// Records that the document's motion was baked from the present document.
  void noteBaked(const Document& document);
  /// True while the document has not changed since its motion was baked. The baked frames are then shown.
  bool isBaked(const Document& document) const;

 private:
  void updateMotion(Editor& editor, double now);
  std::string show(Editor& editor, Solving& solving, double time, bool goesOn, const char* label,
                   const std::string& gesture);

  bool isPlaying_ = false;
  double started_ = 0.0;  ///< seconds: when the frame at from_ was shown
  double from_ = 0.0;     ///< seconds of the timeline
  int frame_ = -1;        ///< the frame that playback has shown last
  std::string scrubbed_;  ///< gesture of the last scrub
  std::optional<Player> player_;
  Document baked_;  ///< the document at the bake; without a figure before any bake
};

/// True if there is no timeline with keys or paths.
bool hasNothingToPlay(const Document& document);

}  // namespace limber::app

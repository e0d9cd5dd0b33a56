// SPDX-License-Identifier: MIT
// Playback by the document's clock (scene/clock.h). Frames of a motion alone are shown as they are. With keys or paths
// each frame sets the targets and requests a solve from the last pose (scene/player.h), within the window's budget.
// After a bake the baked frames are shown, as long as nothing on which they depend has changed.
#pragma once

#include <optional>
#include <string>

#include "app/editing/editor.h"
#include "app/editing/solving.h"
#include "limber/scene/player.h"

namespace limber::app {

enum class BakeAs { Motion, Keys };

class Playing {
 public:
  /// A running playback.
  struct Run {
    int from = 0;          ///< frame of the clock
    double started = 0.0;  ///< seconds: when `from` was due

    bool operator==(const Run&) const = default;
  };
  bool loop = true;

  bool isPlaying() const { return run_.has_value(); }
  void stop() { run_.reset(); }
  /// Forgets what lies between frames: the next one starts anew. A playback continues.
  void restart();
  const std::optional<Run>& run() const { return run_; }
  void setRun(const std::optional<Run>& run);

  /// Starts or stops. It starts at the current time, or at 0 if that is the end. Returns false if the document has
  /// nothing to play.
  bool toggle(Editor& editor, double now);
  /// Starts, if there is anything to play.
  void start(const Document& document, double now);

  /// Stops and shows the frame nearest to a time, seconds. All scrubs of one non-empty gesture are one step of the
  /// history. Returns an empty text, or why the timeline cannot be shown.
  std::string goTo(Editor& editor, Solving& solving, double time, const std::string& gesture);

  /// Shows the next frame if it is due. It is called once per frame of the window, and returns as goTo() does.
  std::string update(Editor& editor, Solving& solving, double now);
  /// The time at which the window must wake for the next frame, seconds; empty while nothing plays.
  std::optional<double> nextFrame(const Document& document, double now) const;

  /// Records that the document's motion was baked from the present document.
  void noteBaked(const Document& document) { baked_ = document; }
  /// True while the document has not changed since its motion was baked. The baked frames are then shown.
  bool isBaked(const Document& document) const;

 private:
  int frameDue(const Document& document, double now) const;
  std::string show(Editor& editor, Solving& solving, double time, bool goesOn, const char* label,
                   const std::string& gesture);
  std::string showSolved(Editor& editor, Solving& solving, double time, bool goesOn, const char* label,
                         const std::string& gesture);

  std::optional<Run> run_;
  int frame_ = -1;        ///< the frame that playback has shown last
  std::string scrubbed_;  ///< gesture of the last scrub
  std::optional<Player> player_;
  Document baked_;  ///< the document at the bake; without a figure before any bake
};

}  // namespace limber::app

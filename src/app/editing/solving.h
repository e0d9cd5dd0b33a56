// SPDX-License-Identifier: MIT
// Solves in slices between frames, so that the mouse never waits, and says on the console how each went.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/editing/pose_blend.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber::app {

inline constexpr double kSliceMs = 8.0;           ///< of a frame, for solving
inline constexpr double kConsoleInterval = 0.2;   ///< seconds between lines while dragging

/// "gdls 20, nm 5 iterations, f = 0.0123": the iterations of each part of the method, as the assignment asks.
std::string consoleLine(const Summary& summary);

class Solving {
 public:
  using Print = std::function<void(const std::string&)>;
  /// `print` is given the console's lines; may be empty.
  explicit Solving(Print print = {}) : print_(std::move(print)) {}

  /// What stands between the clock and the solver: a recording notes the counts that are granted, a replay grants the
  /// same ones whatever the clock says.
  struct Grants {
    std::function<void(int iterations, bool isFirst)> note;  ///< before they are run; isFirst: of an advance()
    std::function<std::optional<int>(bool isFirst)> next;    ///< set: these are granted, until there is none
  };
  void setGrants(Grants grants) { grants_ = std::move(grants); }

  /// As when it was made: what is kept from solve to solve is forgotten.
  void restart();

  /// Asks for a solve of the document as it will be at the next advance(); a running one is dropped.
  void request(PosingRequest request = {});
  void cancel();

  /// A slight push within the limits, solved to the end at once and kept if f is lower; what runs is dropped.
  struct Nudged {
    std::string fault;   ///< empty, or why there is nothing to solve
    double before = 0.0, after = 0.0;  ///< f
    bool isBetter = false;
  };
  Nudged nudge(Document& document, unsigned seed, double now);
  /// What the next advance() will start; null for nothing.
  const PosingRequest* wanted() const { return wanted_ ? &*wanted_ : nullptr; }
  bool isBusy() const { return wanted_.has_value() || posing_->isRunning(); }

  /// Starts what was asked for and runs it for about `milliseconds`; writes document.pose. A path-independent solve
  /// writes it when it has ended, and the next event of its drag waits for that. `now` is in seconds, of any steady
  /// clock.
  void advance(Document& document, double milliseconds, double now);

  /// Prints the line that waits for its turn, when its time has come or `force`.
  void printWaiting(double now, bool force = false);
  /// When the waiting line wants to be printed; nothing when none waits.
  std::optional<double> nextPrint() const;

  const Posing& posing() const { return *posing_; }
  /// The iterations of the last solve, while the figure that it posed is the document's; else none.
  std::span<const IterationRecord> historyFor(const Document& document) const;
  /// How the picture follows where poses jump.
  const PoseBlend& blend() const { return blend_; }
  void endBlend() { blend_.end(); }
  /// The report of the last solve, while figure and pose are still those that it found.
  const PosingReport* reportFor(const Document& document) const;

 private:
  void notePose(const Document& document);
  void noteEnd(double now);
  bool run(Document& document, double milliseconds);

  std::unique_ptr<Posing> posing_ = std::make_unique<Posing>();
  double msPerIteration_ = 0.01;  ///< of the last slice
  PoseBlend blend_;
  std::optional<PosingRequest> wanted_;
  Print print_;
  Grants grants_;
  std::string waitingLine_;
  double lastPrint_ = -1e9;
  std::shared_ptr<const Figure> solvedFigure_;
  Pose solvedPose_;
};

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// Solves in slices between frames, so that the mouse never waits, and prints a line on the console for each solve.
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

inline constexpr double kSliceMs = 8.0;          ///< milliseconds of a frame that are used for solving
inline constexpr double kConsoleInterval = 0.2;  ///< seconds between lines while dragging

/// "gdls 20, nm 5 iterations, f = 0.0123": the iterations of each phase of the solver, and f.
std::string consoleLine(const Summary& summary);

class Solving {
 public:
  using Print = std::function<void(const std::string&)>;
  /// `print` receives the lines for the console; it may be empty.
  explicit Solving(Print print = {}) : print_(std::move(print)) {}

  /// Hooks between the clock and the solver: a recording stores the granted iteration counts, and a replay grants the
  /// same counts regardless of the clock.
  struct Grants {
    std::function<void(int iterations, bool isFirst)> note;  ///< called before a slice; isFirst: of an advance()
    std::function<std::optional<int>(bool isFirst)> next;    ///< if set, the granted counts; empty after the last
  };
  void setGrants(Grants grants) { grants_ = std::move(grants); }

  /// Drops all state that is kept between solves.
  void restart();

  /// Requests a solve of the document as it will be at the next advance(); a running one is dropped.
  void request(PosingRequest request = {});
  void cancel();

  /// The result of nudge(), which drops a running solve, perturbs the pose slightly, solves to the end, and keeps the
  /// new pose if its f is lower.
  struct Nudged {
    std::string fault;                 ///< empty, or why the solve was not possible
    double before = 0.0, after = 0.0;  ///< f
    bool isBetter = false;
  };
  Nudged nudge(Document& document, unsigned seed, double now);
  /// The request that the next advance() will start; null if none.
  const PosingRequest* wanted() const { return wanted_ ? &*wanted_ : nullptr; }
  bool isBusy() const { return wanted_.has_value() || posing_->isRunning(); }

  /// Starts the wanted solve and runs it for about `milliseconds`; writes document.pose. A solve that is
  /// path-independent or meets its holds (PosingRequest) writes it only at its end, and the next event of its drag
  /// waits for that. `now` is in seconds of any steady clock.
  void advance(Document& document, double milliseconds, double now);

  /// Prints the waiting line if it is due or if `force`.
  void printWaiting(double now, bool force = false);
  /// The time at which the waiting line is due, seconds; empty if no line waits.
  std::optional<double> nextPrint() const;

  const Posing& posing() const { return *posing_; }
  /// The iterations of the last solve; empty if it posed another figure.
  std::span<const IterationRecord> historyFor(const Document& document) const;
  /// The blend that the picture shows after a jump of the pose.
  const PoseBlend& blend() const { return blend_; }
  void endBlend() { blend_.end(); }
  /// The report of the last solve; null if figure or pose have changed since.
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

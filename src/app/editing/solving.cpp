// SPDX-License-Identifier: MIT
#include "app/editing/solving.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

namespace limber::app {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr double kMsPerCoordinate = 2e-4;  // per coordinate: assumed at first, for a short first slice

double millisecondsSince(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

}  // namespace

std::string consoleLine(const Summary& summary) {
  std::string text;
  for (int i = 0; i < summary.phaseCount; ++i) {
    const PhaseCount& phase = summary.phases[i];
    if (i > 0) text += ", ";
    text += phase.phase;
    text += ' ';
    text += std::to_string(phase.iterations);
  }
  char value[48];
  std::snprintf(value, sizeof value, " iterations, f = %.6g", summary.objective);
  return text + value;
}

void Solving::request(PosingRequest request) { wanted_ = std::move(request); }

void Solving::cancel() {
  wanted_.reset();
  posing_->cancel();
}

void Solving::advance(Document& document, double milliseconds, double now) {
  const SteadyClock::time_point start = SteadyClock::now();
  const bool showsEndOnly = document.solver.pathIndependent || (wanted_ && wanted_->meetsHolds);
  const bool waits = posing_->isRunning() && showsEndOnly && wanted_ && wanted_->followsLast;
  if (wanted_ && !waits) {
    wanted_->leadingLink = leadingLink(document);
    blend_.ask(document, *wanted_);
    const bool started = posing_->start(document, *wanted_);
    wanted_.reset();
    if (!started) {
      notePose(document);
      return;
    }
    msPerIteration_ = std::max(msPerIteration_, kMsPerCoordinate * posing_->activeCount());
  }
  if (!posing_->isRunning()) return;
  const Pose before = document.pose;
  const Pose shown = blend_.at(document, now).value_or(document.pose);
  const bool ended = run(document, milliseconds);
  notePose(document);
  if (ended) blend_.arrive(document, before, shown, now);
  if (ended) noteEnd(now);
  // A waiting request starts even if no time is left, with at least one iteration, because a replay does the same.
  if (ended && wanted_) advance(document, milliseconds - millisecondsSince(start), now);
}

/// Runs slices of iterations until about `milliseconds` have passed or, in a replay, the granted iterations. Returns
/// true if the solve has ended.
bool Solving::run(Document& document, double milliseconds) {
  bool isFirst = true;
  if (grants_.next) {
    while (const auto granted = grants_.next(std::exchange(isFirst, false)))
      if (posing_->advance(document, *granted)) return true;
    return !posing_->isRunning();
  }
  const SteadyClock::time_point start = SteadyClock::now();
  while (true) {
    const double left = milliseconds - millisecondsSince(start);
    const int slice = std::clamp(static_cast<int>(0.5 * left / msPerIteration_), 1, 1000);
    const int before = posing_->report().summary.iterations();
    if (grants_.note) grants_.note(slice, std::exchange(isFirst, false));
    const bool hasEnded = posing_->advance(document, slice);
    const int done = std::max(1, posing_->report().summary.iterations() - before);
    msPerIteration_ = std::max(1e-4, posing_->report().timeMs / done);
    if (hasEnded) return true;
    if (millisecondsSince(start) + msPerIteration_ > milliseconds) return false;
  }
}

void Solving::restart() {
  wanted_.reset();
  posing_ = std::make_unique<Posing>();
  blend_ = {};
  solvedFigure_.reset();
}

void Solving::notePose(const Document& document) {
  solvedFigure_ = document.figure;
  solvedPose_ = document.pose;
}

Solving::Nudged Solving::nudge(Document& document, unsigned seed, double now) {
  cancel();
  const PosingRequest request{.leadingLink = leadingLink(document), .startPose = document.pose};
  const PosingReport before = solveToEnd(*posing_, document, request);
  if (before.outcome == Outcome::BadInput) return {.fault = before.sentence};
  const PosingReport after = limber::nudge(*posing_, document, request, seed);
  notePose(document);
  noteEnd(now);
  constexpr double kRounding = 1e-6;  // relative to f: a smaller decrease is ignored
  const double f = before.summary.objective;
  return {{}, f, after.summary.objective, after.summary.objective < (1.0 - kRounding) * f};
}

void Solving::noteEnd(double now) {
  waitingLine_ = consoleLine(posing_->report().summary);
  printWaiting(now);
}

void Solving::printWaiting(double now, bool force) {
  if (waitingLine_.empty() || (!force && now < lastPrint_ + kConsoleInterval)) return;
  if (print_) print_(waitingLine_);
  waitingLine_.clear();
  lastPrint_ = now;
}

std::optional<double> Solving::nextPrint() const {
  if (waitingLine_.empty()) return std::nullopt;
  return lastPrint_ + kConsoleInterval;
}

std::span<const IterationRecord> Solving::historyFor(const Document& document) const {
  if (solvedFigure_ != document.figure) return {};
  return posing_->history();
}

const PosingReport* Solving::reportFor(const Document& document) const {
  const bool isThatPose = solvedFigure_ == document.figure && solvedPose_ == document.pose;
  return isThatPose && posing_->report().outcome != Outcome::Idle ? &posing_->report() : nullptr;
}

}  // namespace limber::app

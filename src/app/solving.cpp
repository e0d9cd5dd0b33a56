// SPDX-License-Identifier: MIT
#include "app/solving.h"

#include <cstdio>
#include <utility>

namespace limber::app {

std::string consoleLine(const Summary& summary) {
  std::string text;
  for (int i = 0; i < summary.phaseCount; ++i) {
    const PhaseCount& phase = summary.phases[static_cast<std::size_t>(i)];
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
  posing_.cancel();
}

void Solving::advance(Document& document, double milliseconds, double now) {
  const bool waits = posing_.isRunning() && document.solver.pathIndependent && wanted_ && wanted_->followsLast;
  if (wanted_ && !waits) {
    if (document.solver.pathIndependent) blend_.ask(document, *wanted_);
    const bool started = posing_.start(document, *wanted_);
    wanted_.reset();
    if (!started) {
      notePose(document);
      return;
    }
  }
  if (!posing_.isRunning()) return;
  const bool blends = document.solver.pathIndependent;
  const Pose before = blends ? document.pose : Pose();
  const Pose shown = blends ? blend_.at(document, now).value_or(document.pose) : Pose();
  const bool ended = posing_.advanceFor(document, milliseconds);
  notePose(document);
  if (ended && blends) blend_.arrive(document, before, shown, now);
  if (ended) noteEnd(now);
  const double left = milliseconds - posing_.report().timeMs;
  if (ended && wanted_ && left > 0.0) advance(document, left, now);  // what has waited for this
}

void Solving::notePose(const Document& document) {
  solvedFigure_ = document.figure;
  solvedPose_ = document.pose;
}

Solving::Nudged Solving::nudge(Document& document, unsigned seed, double now) {
  cancel();
  PosingRequest request;
  request.startPose = document.pose;
  const PosingReport before = solveToEnd(posing_, document, request);
  if (before.outcome == Outcome::BadInput) return {.fault = before.sentence};
  const PosingReport after = limber::nudge(posing_, document, request, seed);
  notePose(document);
  noteEnd(now);
  constexpr double kRounding = 1e-6;  // of f: less is no better pose
  const double f = before.summary.objective;
  return {{}, f, after.summary.objective, after.summary.objective < (1.0 - kRounding) * f};
}

void Solving::noteEnd(double now) {
  waitingLine_ = consoleLine(posing_.report().summary);
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

const PosingReport* Solving::reportFor(const Document& document) const {
  const bool isThatPose = solvedFigure_ == document.figure && solvedPose_ == document.pose;
  return isThatPose && posing_.report().outcome != Outcome::Idle ? &posing_.report() : nullptr;
}

}  // namespace limber::app

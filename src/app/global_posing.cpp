// SPDX-License-Identifier: MIT
#include "app/global_posing.h"

#include <cmath>
#include <cstdio>
#include <utility>

#include "app/session.h"
#include "app/units.h"
#include "limber/posing/posed_problem.h"

namespace limber::app {

namespace {

constexpr const char* kGlobalTitle = "Global pose";

/// True when both ask the same of the same figure. Pose, selection, motion, mode and the solver's settings may differ:
/// no bound depends on them.
bool asksTheSame(const Document& a, const Document& b) {
  return a.figure == b.figure && a.joints == b.joints && a.goals == b.goals && a.pins == b.pins &&
         a.couplingEnabled == b.couplingEnabled && a.linearLimitEnabled == b.linearLimitEnabled &&
         a.obstacles == b.obstacles && a.avoidsItself == b.avoidsItself && a.keepsBalance == b.keepsBalance;
}

std::string inMillimetres(double metres) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g mm", 1e3 * metres);
  return text;
}

/// "trying starts: 210 iterations, 12.3 mm at best so far"
std::string progressInWords(const GlobalProgress& progress) {
  const bool isCertificate = progress.phase == GlobalProgress::Phase::Certificate;
  std::string text = isCertificate                                             ? "seeking a certificate"
                     : progress.phase == GlobalProgress::Phase::Relaxation ? "solving the relaxation"
                                                                               : "trying starts";
  text += ": " + std::to_string(progress.iterations) + " iterations";
  if (std::isfinite(progress.cost)) text += ", " + inMillimetres(progress.cost) + " at best";
  if (isCertificate && std::isfinite(progress.leastCost))
    text += ", none below " + inMillimetres(progress.leastCost);
  return text;
}

}  // namespace

void GlobalPosing::start(const Document& document) {
  asked_ = document;
  answer_.reset();
  points_.clear();
  job_.start(kGlobalTitle, [document](const Job::Progress& progress) -> Job::Finish {
    const auto tell = [&](const GlobalProgress& now) { return progress(0.0, progressInWords(now)); };
    auto answer = std::make_shared<const GlobalAnswer>(searchGlobally(document, {}, {}, tell));
    return [answer = std::move(answer)](Session& session) { session.global.take(session, answer); };
  });
}

void GlobalPosing::take(Session& session, std::shared_ptr<const GlobalAnswer> answer) {
  if (!answer->fault.empty()) return session.fail("There is no global pose: " + answer->fault);
  answer_ = std::move(answer);
  const PosedProblem problem = makeProblem(asked_, {});
  if (problem.objective) points_ = boundedPoints(problem);
  session.ui.reveal = Panel::Global;
  session.say("Global pose: " + inUnit(answer_->sentence(), session.settings.unit), 8.0);
}

void GlobalPosing::update(Session& session) {
  if ((job_.isRunning() || answer_) && !asksTheSame(asked_, session.document())) {
    job_.cancel();
    answer_.reset();
  }
  if (const auto finish = job_.collect(); finish && *finish) (*finish)(session);
}

std::optional<Certificate> GlobalPosing::judge(const Document& document) const {
  if (!answer_ || !answer_->isCertificateSought || points_.empty()) return std::nullopt;
  return judgeAnother(answer_->result.certificate, meanSquareOf(*document.figure, document.pose, points_));
}

void goToGlobalPose(Session& session) {
  const GlobalAnswer* answer = session.global.answer();
  if (!answer) return;
  session.solving.cancel();
  session.editor.endGesture();
  session.editor.edit("go to the global pose", "", [&](Document& d) { d.pose = answer->pose; });
}

}  // namespace limber::app

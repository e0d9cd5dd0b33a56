// SPDX-License-Identifier: MIT
#include "app/features/global_posing.h"

#include <cmath>
#include <cstdio>
#include <utility>

#include "app/settings/units.h"
#include "limber/posing/posed_problem.h"

namespace limber::app {

namespace {

constexpr const char* kGlobalTitle = "Global pose";

/// True when both pose the same problem. Pose, selection, motion, mode and solver settings may differ, since no bound
/// depends on them.
bool asksTheSame(const Document& a, const Document& b) {
  return a.figure == b.figure && a.joints == b.joints && a.goals == b.goals && a.pins == b.pins &&
         a.couplingEnabled == b.couplingEnabled && a.linearLimitEnabled == b.linearLimitEnabled && hasSameWorld(a, b);
}

std::string inMillimetres(double metres) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g mm", 1e3 * metres);
  return text;
}

/// "trying start poses: 210 iterations, 12.3 mm at best"
std::string progressInWords(const GlobalProgress& progress) {
  const bool isCertificate = progress.phase == GlobalProgress::Phase::Certificate;
  std::string text = isCertificate                                         ? "seeking a certificate"
                     : progress.phase == GlobalProgress::Phase::Relaxation ? "solving the relaxation"
                                                                           : "trying start poses";
  text += ": " + std::to_string(progress.iterations) + " iterations";
  if (std::isfinite(progress.cost)) text += ", " + inMillimetres(progress.cost) + " at best";
  if (isCertificate && std::isfinite(progress.leastCost)) text += ", none below " + inMillimetres(progress.leastCost);
  return text;
}

}  // namespace

void GlobalPosing::start(const Document& document, LengthUnit unit) {
  asked_ = document;
  answer_.reset();
  points_.clear();
  job_.start(kGlobalTitle, [this, document, unit](const Job::Progress& progress) -> Job::Finish {
    const auto tell = [&](const GlobalProgress& now) { return progress(0.0, progressInWords(now)); };
    auto answer = std::make_shared<const GlobalAnswer>(searchGlobally(document, {}, {}, tell));
    return [this, answer = std::move(answer), unit] { take(answer, unit); };
  });
}

void GlobalPosing::take(std::shared_ptr<const GlobalAnswer> answer, LengthUnit unit) {
  if (!answer->fault.empty()) {
    notice_ = Notice::error("There is no global pose: " + answer->fault);
    return;
  }
  answer_ = std::move(answer);
  const PosedProblem problem = makeProblem(asked_, {});
  if (problem.objective) points_ = boundedPoints(problem);
  notice_ = {"Global pose: " + inUnit(answer_->sentence(), unit), false, 8.0};
}

std::optional<Notice> GlobalPosing::update(const Document& document) {
  if ((job_.isRunning() || answer_) && !asksTheSame(asked_, document)) {
    job_.cancel();
    answer_.reset();
  }
  if (const auto finish = job_.collect(); finish && *finish) (*finish)();
  return std::exchange(notice_, std::nullopt);
}

std::optional<Certificate> GlobalPosing::judge(const Document& document) const {
  if (!answer_ || !answer_->isCertificateSought || points_.empty()) return std::nullopt;
  return judgeAnother(answer_->result.certificate, meanSquareOf(*document.figure, document.pose, points_));
}

}  // namespace limber::app

// SPDX-License-Identifier: MIT
#include "app/session/fit_job.h"

#include <memory>

#include "limber/io/json/pose_prior_json.h"
#include "limber/io/points/observations.h"

namespace limber::app {

namespace {

void finishReading(Editing& session, const std::filesystem::path& path, io::Result<io::ObservationSource> source) {
  if (!source) {
    if (source.error().cause == io::kCancelled) return;
    session.showError(source.error().message());
    return;
  }
  FitState& fit = session.ui.fit;
  fit = {};
  fit.plan = planFit(session.document(), std::make_shared<const Observations>(std::move(source->observations)),
                     path.filename().string());
  fit.figure = session.document().figure;
  fit.notes = source->notes;
  session.noteFolder(path);
  session.ui.reveal = Panel::Fit;
}

/// Replaces the document's motion by the fitted one and plays it, as one undo step.
void finishFit(Editing& session, const std::shared_ptr<const Figure>& figure, const FitPlan& plan, FitAnswer answer) {
  if (answer.result.isCancelled) return;
  if (!answer.result.fault.empty()) return session.fail("The fit could not begin: " + answer.result.fault);
  if (session.document().figure != figure) return session.fail("The figure has changed: the fit is discarded");
  session.solving.cancel();
  session.editor.endGesture();
  session.editor.edit("fit to " + plan.source, "play", [&](Document& document) { takeFit(plan, answer, document); });
  const auto frames = std::to_string(answer.result.frames.size());
  session.say(frames + (frames == "1" ? " frame" : " frames") + " fitted, Ctrl+Z goes back");
  session.playing.stop();
  session.playing.motion = {.isPlaying = answer.result.frames.size() > 1, .started = session.now};
  session.ui.fit.answer = std::make_shared<const FitAnswer>(std::move(answer));
}

}  // namespace

void openObservations(Session& session, const std::filesystem::path& path) {
  session.services.job.start("Reading " + path.filename().string(),
                             [&session, path](const Job::Progress& progress) -> Job::Finish {
                               auto source = std::make_shared<io::Result<io::ObservationSource>>(
                                   io::readObservations(path, std::nullopt, {.progress = progress}));
                               return [&session, path, source] { finishReading(session, path, std::move(*source)); };
                             });
  finishIfQuick(session);
}

void startFit(Session& session) {
  FitState& fit = session.ui.fit;
  if (!fit.plan) return;
  fit.answer.reset();
  session.playing.motion = {};
  auto document = std::make_shared<Document>(session.document());
  io::addPosePrior(*document);
  const FitPlan asked = *fit.plan;
  const Job::Work work = [&session, document, plan = asked](const Job::Progress& progress) -> Job::Finish {
    const auto told = [&](double part) { return progress(part, "frame by frame"); };
    auto answer = std::make_shared<FitAnswer>(runFit(*document, plan, told));
    return [&session, document, plan, answer] { finishFit(session, document->figure, plan, std::move(*answer)); };
  };
  session.services.job.start("Fitting to " + asked.source, work);
  finishIfQuick(session);
}

void followFigure(const Document& document, FitState& fit) {
  if (!fit.plan || fit.figure == document.figure) return;
  fit.figure = document.figure;
  fit.plan->names = guessPointNames(document, fit.plan->observations->names);
  fit.answer.reset();
}

}  // namespace limber::app

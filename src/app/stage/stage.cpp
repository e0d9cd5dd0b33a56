// SPDX-License-Identifier: MIT
#include "app/stage/stage.h"

#include <utility>

namespace limber::app {

namespace {

constexpr double kAtOnce = 0.05;  // seconds: a job done within them is finished in the same frame

}  // namespace

Stage::Stage(Document document, Settings someSettings, Solving::Print print)
    : Editing{.editor = Editor(std::move(document)),
              .solving = Solving(std::move(print)),
              .playing = {},
              .settings = std::move(someSettings),
              .ui = {}} {
  services.setFail([this](const std::string& fault) { showError(fault); });
}

void requestSolve(Stage& stage, bool searches) {
  if (!asksSomething(stage.document())) return;
  PosingRequest request;
  const Document* start = stage.editor.gestureStart();
  if (const Drag* drag = stage.pointer.moved()) request = drag->request;
  else if (start && start->figure == stage.document().figure) request.startPose = start->pose;
  request.searches = searches;
  stage.solving.request(std::move(request));
}

void advanceSolving(Stage& stage, double milliseconds) {
  if (!stage.solving.isBusy()) return;
  if (const PosingRequest* wanted = stage.solving.wanted())
    stage.services.racing.offer(stage.document(), stage.settings,
                                stage.pointer.moved() ? "drag" : stage.editor.gesture(), *wanted);
  const double jumpBefore = stage.solving.blend().lastJump();
  stage.solving.advance(stage.editor.touch(), milliseconds, stage.ui.now);
  if (stage.solving.blend().lastJump() != jumpBefore) stage.say(stage.solving.blend().sentence());
  stage.services.racing.keepBeside(stage.document());
}

void takeJobs(Stage& stage) {
  if (stage.pointer.isDragging()) return;
  for (Job* job : {&stage.services.job, &stage.services.drawing})
    if (const auto finish = job->collect(); finish && *finish) {
      pauseFollow(stage);
      (*finish)();
    }
}

bool isJobQuick(Stage& stage) { return stage.services.job.wait(kAtOnce); }

}  // namespace limber::app

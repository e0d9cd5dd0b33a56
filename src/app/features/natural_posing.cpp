// SPDX-License-Identifier: MIT
#include "app/features/pose_actions.h"

#include <algorithm>

#include "app/editing/editing.h"
#include "limber/io/json/pose_prior_json.h"
#include "limber/posing/body_prior.h"
#include "limber/posing/held_feet.h"

namespace limber::app {

namespace {

/// The prior for the document's figure; null, with a message to the user, if there is no prior.
std::optional<BodyPrior> bodyOf(Editing& editing, std::shared_ptr<const PosePrior>& prior) {
  if (editing.document().mode != Mode::Inverse) {
    editing.say("a body is posed in inverse mode: Space switches");
    return std::nullopt;
  }
  const auto shipped = io::shippedPosePrior();
  if (!shipped) {
    editing.fail(shipped.error().message());
    return std::nullopt;
  }
  prior = *shipped;
  auto body = findBodyPrior(editing.document(), *prior);
  if (!body) editing.say("this figure has no human body: no arms, legs and head are found by name or shape");
  return body;
}

void begin(Editing& editing, const char* label, std::shared_ptr<const PosePrior> prior, PosingRequest request) {
  editing.stop();
  editing.editor.beginStep(label);  // the pose comes in slices, frame by frame
  editing.editor.touch().posePrior = std::move(prior);
  editing.solving.request(std::move(request));
}

}  // namespace

void poseBodyFromTargets(Editing& editing) {
  const Document& document = editing.document();
  if (std::ranges::none_of(document.goals, &GoalItem::enabled))
    return editing.say("there are no goals to pose the body from");
  std::shared_ptr<const PosePrior> prior;
  if (bodyOf(editing, prior)) begin(editing, "pose body from targets", std::move(prior), {.natural = true});
}

void relaxRest(Editing& editing) {
  std::shared_ptr<const PosePrior> prior;
  const std::optional<BodyPrior> body = bodyOf(editing, prior);
  if (!body) return;
  const Document& document = editing.document();
  PosingRequest request{.natural = true};
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  if (body->root >= 0) request.holds = heldFeet(*document.figure, kinematics);
  if (asksSomething(document) || !request.holds.empty())
    return begin(editing, "relax the rest", std::move(prior), std::move(request));
  editing.solving.cancel();
  editing.editor.edit("relax the rest", "", [&](Document& d) { d.pose = priorStart(d, *body, d.pose, {}); });
}

}  // namespace limber::app

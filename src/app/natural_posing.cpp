// SPDX-License-Identifier: MIT
#include "app/natural_posing.h"

#include <algorithm>

#include "app/session.h"
#include "limber/io/json/pose_prior_json.h"
#include "limber/posing/body_prior.h"
#include "limber/posing/held_feet.h"

namespace limber::app {

namespace {

/// The prior on the document's figure; nothing, with a message that says why, where it has none.
std::optional<BodyPrior> bodyOf(Session& session, std::shared_ptr<const PosePrior>& prior) {
  if (session.document().mode != Mode::Inverse) {
    session.say("a body is posed in inverse mode: Space switches");
    return std::nullopt;
  }
  const auto shipped = io::shippedPosePrior();
  if (!shipped) {
    session.fail(shipped.error().message());
    return std::nullopt;
  }
  prior = *shipped;
  auto body = findBodyPrior(session.document(), *prior);
  if (!body) session.say("this figure has no human body: neither its names nor its shape tell arms, legs and head");
  return body;
}

void begin(Session& session, const char* label, std::shared_ptr<const PosePrior> prior, PosingRequest request) {
  session.solving.cancel();
  session.playing.stop();
  session.editor.beginStep(label);  // the pose comes in slices, frame by frame
  session.editor.touch().posePrior = std::move(prior);
  session.solving.request(std::move(request));
}

}  // namespace

void poseBodyFromTargets(Session& session) {
  const Document& document = session.document();
  if (std::ranges::none_of(document.goals, &GoalItem::enabled))
    return session.say("nothing is planted that a body could be posed from");
  std::shared_ptr<const PosePrior> prior;
  if (bodyOf(session, prior)) begin(session, "pose body from targets", std::move(prior), {.natural = true});
}

void relaxRest(Session& session) {
  std::shared_ptr<const PosePrior> prior;
  const std::optional<BodyPrior> body = bodyOf(session, prior);
  if (!body) return;
  const Document& document = session.document();
  PosingRequest request{.natural = true};
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  if (body->root >= 0) request.holds = heldFeet(*document.figure, kinematics);
  if (asksSomething(document) || !request.holds.empty())
    return begin(session, "relax the rest", std::move(prior), std::move(request));
  session.solving.cancel();
  session.editor.edit("relax the rest", "",
                      [&](Document& d) { d.pose = priorStart(d, *body, d.pose, {}); });
}

}  // namespace limber::app

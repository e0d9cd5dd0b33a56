// SPDX-License-Identifier: MIT
#include "app/mirroring.h"

#include <functional>

#include "app/session.h"
#include "scene/mirror.h"

namespace limber::app {

namespace {

/// That of the document, else one looked for; null, and a message, when there is none.
FoundSymmetry symmetryFor(Session& session) {
  if (session.document().symmetry) return {session.document().symmetry, {}};
  FoundSymmetry found = findSymmetry(*session.document().figure);
  if (!found.symmetry) session.fail(found.note);
  return found;
}

BodySide sideOfSelection(const Document& document, const Symmetry& symmetry) {
  const GoalItem* goal = findGoal(document, document.selection.goal);
  const int link = goal ? goal->link : document.selection.joint;
  const BodySide side = link < 0 ? BodySide::Middle : symmetry.side[static_cast<std::size_t>(link)];
  return side == BodySide::Middle ? BodySide::Left : side;
}

std::string clampedInWords(const std::vector<std::string>& joints) {
  if (joints.empty()) return {};
  std::string text = "; " + joints.front();
  if (joints.size() > 1) text += " and " + std::to_string(joints.size() - 1) + " more";
  return text + (joints.size() == 1 ? " stops at its limit" : " stop at their limits") + ": the two sides' differ";
}

void stopWhatMoves(Session& session) {
  session.ui.playback.isPlaying = false;
  session.playing.stop();
  session.solving.cancel();
}

/// One step: the document's pose becomes what `change` makes of it, within its limits.
void changePose(Session& session, const FoundSymmetry& found, const std::string& label, const std::string& done,
                const std::function<Pose(const Document&)>& change) {
  stopWhatMoves(session);
  const Document before = session.document();
  std::vector<std::string> clamped;
  session.editor.edit(label, "", [&](Document& d) {
    d.pose = change(d);
    const Pose wanted = d.pose;
    clampToLimits(d, d.pose);
    clamped = jointsThatDiffer(*d.figure, wanted, d.pose);
    moveTargetsToEndEffectors(d);
  });
  if (isSameContent(before, session.document())) return session.say("both sides are alike already");
  session.say(done + ", Ctrl+Z undoes" + clampedInWords(clamped) + (found.note.empty() ? "" : "; " + found.note), 6.0);
}

}  // namespace

void mirrorPose(Session& session, std::optional<BodySide> from) {
  const FoundSymmetry found = symmetryFor(session);
  if (!found.symmetry) return;
  const BodySide side = from ? *from : sideOfSelection(session.document(), *found.symmetry);
  const bool isLeft = side == BodySide::Left;
  changePose(session, found, isLeft ? "mirror left to right" : "mirror right to left",
             isLeft ? "the right side is the left one's mirror image" : "the left side is the right one's mirror image",
             [&](const Document& d) { return copiedAcross(*d.figure, *found.symmetry, d.pose, side); });
}

void flipPose(Session& session) {
  const FoundSymmetry found = symmetryFor(session);
  if (!found.symmetry) return;
  changePose(session, found, "flip left and right", "left and right have changed places",
             [&](const Document& d) { return flipped(*d.figure, *found.symmetry, d.pose); });
}

void toggleSymmetry(Session& session) {
  if (session.document().symmetry) {
    session.editor.edit("live symmetry off", "", [](Document& d) { d.symmetry = nullptr; });
    return session.say("live symmetry is off: each side is posed alone");
  }
  const FoundSymmetry found = symmetryFor(session);
  if (!found.symmetry) return;
  stopWhatMoves(session);
  const BodySide side = sideOfSelection(session.document(), *found.symmetry);
  session.editor.edit("live symmetry", "", [&](Document& d) {
    d.symmetry = found.symmetry;
    const Pose before = d.pose;
    makeSymmetric(d, *d.symmetry, side, d.pose);
    if (!(d.pose == before)) moveTargetsToEndEffectors(d);
  });
  session.say("live symmetry: both sides are posed alike, Ctrl+M ends it" +
              (found.note.empty() ? "" : "; " + found.note), 6.0);
}

}  // namespace limber::app

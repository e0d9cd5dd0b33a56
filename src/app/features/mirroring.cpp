// SPDX-License-Identifier: MIT
#include "app/features/pose_actions.h"

#include <functional>

#include "app/editing/editing.h"
#include "limber/body/body_map.h"
#include "limber/body/mirror.h"
#include "limber/posing/arms_out.h"

namespace limber::app {

namespace {

/// The document's symmetry, else one found for its figure; null, with a message to the user, if the figure has none.
FoundSymmetry symmetryFor(Editing& editing) {
  if (editing.document().symmetry) return {editing.document().symmetry, {}};
  FoundSymmetry found = bodyMapOf(*editing.document().figure).symmetry();
  if (!found.symmetry) editing.fail(found.note);
  return found;
}

BodySide sideOfSelection(const Document& document, const Symmetry& symmetry) {
  const GoalItem* goal = findGoal(document, document.selection.goal);
  const int link = goal ? goal->link : document.selection.joint;
  const BodySide side = link < 0 ? BodySide::Middle : symmetry.side[link];
  return side == BodySide::Middle ? BodySide::Left : side;
}

/// The selected links of a side that have a mirror image.
std::vector<int> selectedOn(const Document& document, const Symmetry& symmetry, BodySide side) {
  std::vector<int> links;
  for (const int link : document.selection.allLinks())
    if (symmetry.side[link] == side && symmetry.partner[link] >= 0) links.push_back(link);
  return links;
}

/// `pose` with the mirror partners of the links set as in `whole`.
Pose imagesOf(const Figure& figure, const Symmetry& symmetry, const std::vector<int>& links, const Pose& whole,
              Pose pose) {
  for (const int link : links) {
    const Joint& joint = figure.joint(symmetry.partner[link]);
    const int size = poseSize(joint.type);
    pose.coordinates.segment(joint.poseIndex, size) = whole.coordinates.segment(joint.poseIndex, size);
  }
  return pose;
}

std::string clampedInWords(const std::vector<std::string>& joints) {
  if (joints.empty()) return {};
  std::string text = "; " + joints.front();
  if (joints.size() > 1) text += " and " + std::to_string(joints.size() - 1) + " more";
  return text + (joints.size() == 1 ? " stops at its limit" : " stop at their limits") + ": the sides' limits differ";
}

/// One undo step that replaces the document's pose by the result of `change`, clamped to its limits.
void changePose(Editing& editing, const FoundSymmetry& found, const std::string& label, const std::string& done,
                const std::function<Pose(const Document&)>& change) {
  editing.stop();
  const Document before = editing.document();
  std::vector<std::string> clamped;
  editing.editor.edit(label, "", [&](Document& d) {
    const Pose authored = d.pose;
    d.pose = change(d);
    const Pose wanted = d.pose;
    clampToLimits(d, d.pose);
    clamped = jointsThatDiffer(*d.figure, wanted, d.pose);
    if (ArmsOut arms(d); d.selfAvoidance != SelfAvoidance::Off && !arms.isInside(authored)) arms.bringOut(d.pose);
    moveTargetsToEndEffectors(d);
  });
  if (isSameContent(before, editing.document())) return editing.say("both sides are alike already");
  editing.say(done + ", Ctrl+Z undoes" + clampedInWords(clamped) + (found.note.empty() ? "" : "; " + found.note), 6.0);
}

}  // namespace

void mirrorPose(Editing& editing, std::optional<BodySide> from) {
  const FoundSymmetry found = symmetryFor(editing);
  if (!found.symmetry) return;
  const BodySide side = from ? *from : sideOfSelection(editing.document(), *found.symmetry);
  const bool isLeft = side == BodySide::Left;
  const std::vector<int> selected = from ? std::vector<int>{} : selectedOn(editing.document(), *found.symmetry, side);
  const std::string other = isLeft ? "right" : "left";
  const std::string done =
      selected.empty()
          ? "the " + other + " side is the " + (isLeft ? "left" : "right") + " one's mirror image"
          : selectionInWords(editing.document(), partsOf(editing.document()), editing.document().selection) +
                ": mirrored to the " + other;
  changePose(editing, found, isLeft ? "mirror left to right" : "mirror right to left", done, [&](const Document& d) {
    const Pose whole = copiedAcross(*d.figure, *found.symmetry, d.pose, side);
    return selected.empty() ? whole : imagesOf(*d.figure, *found.symmetry, selected, whole, d.pose);
  });
}

void flipPose(Editing& editing) {
  const FoundSymmetry found = symmetryFor(editing);
  if (!found.symmetry) return;
  changePose(editing, found, "flip left and right", "left and right are swapped",
             [&](const Document& d) { return flipped(*d.figure, *found.symmetry, d.pose); });
}

void toggleSymmetry(Editing& editing) {
  if (editing.document().symmetry) {
    editing.editor.edit("live symmetry off", "", [](Document& d) { d.symmetry = nullptr; });
    return editing.say("live symmetry is off: each side is posed alone");
  }
  const FoundSymmetry found = symmetryFor(editing);
  if (!found.symmetry) return;
  editing.stop();
  const BodySide side = sideOfSelection(editing.document(), *found.symmetry);
  editing.editor.edit("live symmetry", "", [&](Document& d) {
    d.symmetry = found.symmetry;
    const Pose before = d.pose;
    makeSymmetric(d, *d.symmetry, side, d.pose);
    if (!(d.pose == before)) moveTargetsToEndEffectors(d);
  });
  editing.say(
      "live symmetry: both sides are posed alike, Ctrl+M ends it" + (found.note.empty() ? "" : "; " + found.note), 6.0);
}

}  // namespace limber::app

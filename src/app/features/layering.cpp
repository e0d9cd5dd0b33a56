// SPDX-License-Identifier: MIT
#include "app/features/layering.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "limber/scene/clock.h"
#include "limber/scene/motion_layer.h"
#include "render/ghosts.h"

namespace limber::app {

namespace {

constexpr double kOnionSpacing = 0.1;                       // seconds, at least one frame
constexpr std::array<int, 4> kOnionSkins = {-1, 1, -2, 2};  // in spacings; the first of equal ones is drawn
constexpr render::Color kBefore = {0.95f, 0.45f, 0.30f, 0.22f}, kAfter = {0.35f, 0.80f, 0.45f, 0.22f};

std::string frameText(int frame) { return "frame " + std::to_string(frame); }

}  // namespace

std::optional<Notice> AutoKey::update(Editor& editor, bool isInHand) {
  const Document& document = editor.document();
  if (isInHand) return std::nullopt;
  const bool isSameMotion = figure_.lock() == document.figure && motion_.lock() == document.motion;
  const bool isUnchanged = isSameMotion && frame_ == document.frame && pose_ == document.pose;
  if (isUnchanged) return std::nullopt;
  const bool isSameFrame = isSameMotion && frame_ == document.frame;
  bool unkeyed = showsMotion(document) && isUnkeyed(document);
  if (isOn && unkeyed && isSameFrame && keyLayer(editor.touch())) unkeyed = false;
  std::optional<Notice> notice;
  if (wasUnkeyed_ && isSameMotion && !isSameFrame && !unkeyed)
    notice = {frameText(frame_) + " was left with an unkeyed pose: undo restores it"};
  figure_ = document.figure;
  motion_ = document.motion;
  frame_ = document.frame;
  pose_ = document.pose;
  wasUnkeyed_ = unkeyed;
  return notice;
}

void keyOverMotion(Editing& editing) {
  std::vector<int> also;
  if (!isUnkeyed(editing.document())) {  // key the selected joints as they are, else all joints that have keys
    also = editing.document().selection.allLinks();
    if (also.empty())
      for (const LayerTrack& track : editing.document().motion->layer.tracks) also.push_back(track.joint);
  }
  bool isKeyed = false;
  editing.editor.edit("key over the motion", "", [&](Document& d) { isKeyed = keyLayer(d, also); });
  editing.say(isKeyed ? "keyed over " + frameText(editing.document().frame)
                      : "nothing to key: pose the figure at this frame, or select the parts to keep as they are");
}

void removeKeyOverMotion(Editing& editing) {
  bool isRemoved = false;
  editing.editor.edit("back to the motion", "", [&](Document& d) {
    const std::vector<int> selected = d.selection.allLinks();
    isRemoved = showsMotion(d) && isUnkeyed(d);
    if (isRemoved) showFrame(d, d.frame);
    isRemoved = removeLayerKeys(d, selected) || (!selected.empty() && removeLayerKeys(d)) || isRemoved;
  });
  if (isRemoved && !showsMotion(editing.document())) editing.solving.request();  // for keyed goals and paths
  editing.say(isRemoved ? frameText(editing.document().frame) + " is the motion's own again"
                        : frameText(editing.document().frame) + " has no key");
}

void appendOnionSkin(const Document& document, const Kinematics& kinematics, double pixel, render::DrawList& list) {
  const limber::Motion& motion = *document.motion;
  const double frames = std::min(kOnionSpacing / motion.secondsPerFrame(), 1e6);
  const int spacing = std::max(1, static_cast<int>(std::lround(frames)));
  std::vector<Kinematics> skins;
  std::vector<render::Ghost> ghosts;
  skins.reserve(kOnionSkins.size());
  for (const int skin : kOnionSkins) {
    const int frame = document.frame + skin * spacing;
    if (frame < 0 || frame >= motion.frameCount) continue;
    computeTransforms(*document.figure, motion.poseAt(*document.figure, frame), skins.emplace_back());
    ghosts.push_back({&skins.back(), skin < 0 ? kBefore : kAfter});
  }
  render::appendGhosts(*document.figure, kinematics, ghosts, pixel, list);
}

}  // namespace limber::app

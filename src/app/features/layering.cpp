// SPDX-License-Identifier: MIT
#include "app/features/layering.h"

#include <algorithm>
#include <string>
#include <vector>

#include "limber/scene/clock.h"
#include "limber/scene/motion_layer.h"

namespace limber::app {

namespace {

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

}  // namespace limber::app

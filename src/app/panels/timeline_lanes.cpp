// SPDX-License-Identifier: MIT
#include "app/panels/timeline_lanes.h"

#include <algorithm>

#include "limber/problem/goal_types.h"
#include "limber/scene/clock.h"

namespace limber::app {

namespace {

using Mark = LaneItem::Mark;

void appendMotionLane(const Document& document, std::vector<Lane>& lanes) {
  if (!hasFrames(document)) return;
  const Motion& motion = *document.motion;
  const bool isShown = showsMotion(document) || motionBeneath(document) != nullptr;
  lanes.push_back(
      {.name = "Motion",
       .items = {
           {.begin = 0.0, .end = motion.timeOf(motion.frameCount - 1), .mark = isShown ? Mark::Bar : Mark::FaintBar}}});
}

void appendLayerLane(const Document& document, std::vector<Lane>& lanes) {
  if (!keysLayer(document)) return;
  Lane lane{.name = "Changes"};
  for (const int frame : document.motion->layer.frames()) {
    const double time = document.motion->timeOf(frame);
    lane.items.push_back({.begin = time, .end = time});
  }
  lanes.push_back(std::move(lane));
}

void moveLayerItem(Document& document, int, const LaneItem& item, double begin, double) {
  moveLayerKeys(document, document.motion->frameAt(item.begin), document.motion->frameAt(begin));
}

void removeLayerItem(Document& document, int, const LaneItem& item) {
  removeLayerKeysAt(document, document.motion->frameAt(item.begin));
}

void appendKeyLane(const Document& document, std::vector<Lane>& lanes) {
  const bool isEmpty = !document.timeline || document.timeline->keys.empty();
  if (isEmpty && keysLayer(document)) return;
  Lane lane{.name = "Keys"};
  if (!isEmpty)
    for (const TimelineKey& key : document.timeline->keys)
      lane.items.push_back({.begin = key.time,
                            .end = key.time,
                            .mark = !key.hasPose()      ? Mark::Goals
                                    : key.goals.empty() ? Mark::Pose
                                                        : Mark::PoseAndGoals});
  lanes.push_back(std::move(lane));
}

void moveKeyItem(Document& document, int, const LaneItem& item, double begin, double) {
  moveKey(document, item.begin, begin);
}

void removeKeyItem(Document& document, int, const LaneItem& item) { removeKey(document, item.begin); }

void addKeyAt(int, double time, CommandQueue& queue) {
  queue.add(Command::ScrubTo, Scrub{time});
  queue.add(Command::KeyPose);
}

void appendPathLanes(const Document& document, std::vector<Lane>& lanes) {
  if (!document.timeline) return;
  for (const TargetPath& path : document.timeline->paths) {
    const GoalItem* goal = findGoal(document, path.goal);
    lanes.push_back({.name = goal ? titleOf(*goal) : "path",
                     .owner = path.goal,
                     .items = {{.begin = path.begin,
                                .end = path.end,
                                .mark = path.enabled ? Mark::Bar : Mark::FaintBar,
                                .isSelected = document.selection.goal == path.goal}}});
  }
}

void movePathItem(Document& document, int goal, const LaneItem&, double begin, double end) {
  if (TargetPath* path = findPath(changeTimeline(document), goal)) {
    path->begin = begin;
    path->end = end;
  }
}

constexpr LaneKind kLaneKinds[] = {
    {.noun = "motion", .tip = "the frames of the motion", .append = appendMotionLane},
    {.noun = "change",
     .tip = "keys over the motion: drag a key to move it, click it to go there, right-click for more",
     .append = appendLayerLane,
     .move = moveLayerItem,
     .remove = removeLayerItem,
     .add = addKeyAt},
    {.noun = "key",
     .tip = "drag a key to move it, click it to go there, right-click for more. Filled: a pose, hollow: only goals, "
            "framed: both",
     .append = appendKeyLane,
     .move = moveKeyItem,
     .remove = removeKeyItem,
     .add = addKeyAt},
    {.noun = "path",
     .tip = "when the target moves along its path: drag the bar or its ends, right-click for more",
     .append = appendPathLanes,
     .move = movePathItem,
     .remove = [](Document& d, int goal, const LaneItem&) { removePath(d, goal); },
     .select =
         [](const Document& d, int goal) {
           return Selection{d.selection.joint, goal};
         }},
};

}  // namespace

std::span<const LaneKind> laneKinds() { return kLaneKinds; }

std::vector<Lane> lanesOf(const Document& document) {
  std::vector<Lane> lanes;
  for (std::size_t kind = 0; kind < std::size(kLaneKinds); ++kind) {
    const std::size_t first = lanes.size();
    kLaneKinds[kind].append(document, lanes);
    for (std::size_t i = first; i < lanes.size(); ++i) lanes[i].kind = kind;
  }
  return lanes;
}

}  // namespace limber::app

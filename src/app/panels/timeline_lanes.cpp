// SPDX-License-Identifier: MIT
#include "app/panels/timeline_lanes.h"

#include <algorithm>
#include <array>

#include "limber/problem/goal_types.h"
#include "limber/scene/clock.h"
#include "limber/scene/held_stances.h"

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

/// A lane of stances, by its owner.
struct StanceLane {
  BodySide side;
  StancePoint point;
  const char* name;
};
constexpr std::array<StanceLane, 4> kStanceLanes = {{{BodySide::Left, StancePoint::Heel, "Left heel"},
                                                     {BodySide::Left, StancePoint::Ball, "Left ball"},
                                                     {BodySide::Right, StancePoint::Heel, "Right heel"},
                                                     {BodySide::Right, StancePoint::Ball, "Right ball"}}};

bool isInLane(const Stance& stance, int owner) {
  const StanceLane& lane = kStanceLanes[static_cast<std::size_t>(owner)];
  return stance.side == lane.side && stance.point == lane.point;
}

const std::vector<Stance>* stancesOf(const Document& document) {
  return hasFrames(document) && document.motion->bare().unheld ? &document.motion->bare().stances : nullptr;
}

void appendStanceLanes(const Document& document, std::vector<Lane>& lanes) {
  const std::vector<Stance>* stances = stancesOf(document);
  if (!stances) return;
  for (int owner = 0; owner < static_cast<int>(kStanceLanes.size()); ++owner) {
    Lane lane{.name = kStanceLanes[static_cast<std::size_t>(owner)].name, .owner = owner};
    for (const Stance& stance : *stances)
      if (isInLane(stance, owner))
        lane.items.push_back({.begin = document.motion->timeOf(stance.begin),
                              .end = document.motion->timeOf(stance.end),
                              .mark = Mark::Bar});
    lanes.push_back(std::move(lane));
  }
}

/// Calls `change` with the stances of the document and the one of an item, and holds the changed ones.
template <typename Change>
void changeStance(Document& document, int owner, const LaneItem& item, const Change& change) {
  const std::vector<Stance>* held = stancesOf(document);
  if (!held) return;
  std::vector<Stance> stances = *held;
  const int begin = document.motion->frameAt(item.begin);
  const auto found = std::ranges::find_if(
      stances, [&](const Stance& stance) { return isInLane(stance, owner) && stance.begin == begin; });
  if (found == stances.end()) return;
  change(stances, found);
  setStances(document, std::move(stances));
}

void moveStanceItem(Document& document, int owner, const LaneItem& item, double begin, double end) {
  changeStance(document, owner, item, [&](std::vector<Stance>&, auto stance) {
    stance->begin = document.motion->frameAt(begin);
    stance->end = std::max(stance->begin, document.motion->frameAt(end));
  });
}

void removeStanceItem(Document& document, int owner, const LaneItem& item) {
  changeStance(document, owner, item, [](std::vector<Stance>& stances, auto stance) { stances.erase(stance); });
}

/// Adds a stance of a quarter of a second.
void addStanceAt(int owner, double time, CommandQueue& queue) {
  constexpr double kNewStance = 0.25;
  queue.edit("add a stance", "", AfterEdit::Nothing, [owner, time](Document& document) {
    const std::vector<Stance>* held = stancesOf(document);
    if (!held) return;
    std::vector<Stance> stances = *held;
    const StanceLane& lane = kStanceLanes[static_cast<std::size_t>(owner)];
    stances.push_back({lane.side, lane.point, document.motion->frameAt(time),
                       document.motion->frameAt(
                           std::min(time + kNewStance, document.motion->timeOf(document.motion->frameCount - 1)))});
    std::ranges::stable_sort(stances, {}, &Stance::begin);
    setStances(document, std::move(stances));
  });
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
    {.noun = "stance",
     .tip = "when heel and ball of a foot stand still: drag a bar or its ends, right-click for more",
     .append = appendStanceLanes,
     .move = moveStanceItem,
     .remove = removeStanceItem,
     .add = addStanceAt},
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

// SPDX-License-Identifier: MIT
#include "app/drag/null_space.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "limber/problem/goal_types.h"
#include "limber/problem/new_goal.h"

namespace limber::app {

namespace {

/// Of multiplier updates, mean link lengths and radians: tighter than that of other holds, which tells them apart. The
/// solve then meets the holds to rounding (PosingRequest::meetsHolds).
constexpr double kHeldInNullSpace = 0.5 * kHoldTolerance;

bool isPlaceGoal(const GoalItem& goal) {
  return goal.type == GoalType::Position || goal.type == GoalType::Orientation ||
         goal.type == GoalType::PositionOrientation;
}

/// Holds what the goal asks for where the pose has it.
Hold heldAt(const Kinematics& kinematics, const GoalItem& goal) {
  const Transform& link = kinematics.worldFromLink[goal.link];
  Hold hold{.goal = goal, .tolerance = kHeldInNullSpace};
  hold.goal.target = link * goal.pointInLink;
  hold.goal.targetFrame = link.rotation * goal.frameInLink;
  hold.goal.chain.clear();  // a joint that the goal may not use would move the end effector, too
  hold.goal.anyOf = -1;
  hold.goal.weight = 1.0;
  return hold;
}

/// The leaf at the end of the chain that begins at a link; none if there are several, or the link is one itself.
std::optional<int> onlyLeafBeyond(const Figure& figure, int link) {
  std::vector<char> hasChild(figure.linkCount());
  for (int i = 0; i < figure.linkCount(); ++i)
    if (const int parent = figure.link(i).parent; parent >= 0) hasChild[parent] = 1;
  std::optional<int> leaf;
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (hasChild[i] || i == link || !figure.isAncestorOrSelf(link, i)) continue;
    if (leaf) return std::nullopt;
    leaf = i;
  }
  return leaf;
}

/// The end effector beyond a link: the leaf of a chain; of a limb that branches, as an arm into fingers, the last link
/// before that.
std::optional<EndEffector> endBeyond(const Figure& figure, int link) {
  if (const auto leaf = onlyLeafBeyond(figure, link)) return endEffectorOf(figure, *leaf);
  int end = link;
  while (true) {
    int only = -1, count = 0;
    for (int i = end + 1; i < figure.linkCount(); ++i)
      if (figure.link(i).parent == end) only = i, ++count;
    if (count != 1) break;
    end = only;
  }
  if (end == link) return std::nullopt;
  return endEffectorOf(figure, end);
}

std::vector<Hold> holdsOfEnds(const Document& document, const Kinematics& kinematics, int dragged) {
  std::vector<Hold> holds;
  for (const GoalItem& goal : document.goals)
    if (goal.enabled && goal.weight > 0.0 && !isPreference(goal) && isPlaceGoal(goal) && goal.link != dragged)
      holds.push_back(heldAt(kinematics, goal));
  if (!holds.empty()) return holds;
  if (const auto end = endBeyond(*document.figure, dragged))
    holds.push_back(heldAt(kinematics, {.type = GoalType::PositionOrientation,
                                        .link = end->link,
                                        .pointInLink = end->point,
                                        .frameInLink = end->frame}));
  return holds;
}

}  // namespace

bool isOfNullSpace(const Hold& hold) { return hold.tolerance == kHeldInNullSpace; }

bool holdEnds(Drag& drag, const Document& document, bool isOn) {
  PosingRequest& request = drag.request;
  std::erase_if(request.holds, isOfNullSpace);
  const Kinematics kinematics = transformsOf(*document.figure, document.pose);
  if (isOn)
    for (Hold& hold : holdsOfEnds(document, kinematics, request.drag->link)) request.holds.push_back(std::move(hold));
  request.meetsHolds = std::ranges::any_of(request.holds, isOfNullSpace);
  drag.hasMoved = false;  // the request changes: the next solve does not continue the last one
  return request.meetsHolds;
}

}  // namespace limber::app

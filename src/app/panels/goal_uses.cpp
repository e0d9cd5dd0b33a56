// SPDX-License-Identifier: MIT
// The joint chain of a goal, its group of alternatives, of which one is active, and its priority among the goals.
#include <imgui.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "app/panels/goal_details.h"
#include "app/panels/widgets.h"
#include "limber/problem/goal_types.h"

namespace limber::app {

namespace {

void setChain(CommandQueue& queue, int id, std::vector<int> chain) {
  editGoal(queue, "joint chain", "", id, [chain = std::move(chain)](GoalItem& g) { g.chain = chain; });
}

std::vector<int> movingJoints(const Figure& figure) {
  std::vector<int> joints;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (stepSize(figure.joint(i).type) > 0) joints.push_back(i);
  return joints;
}

/// The index from which the path equals the chain; -1 if they differ at every start.
int startOf(const std::vector<int>& chain, const std::vector<int>& path) {
  if (chain.empty() || chain.size() > path.size()) return -1;
  const auto begin = path.end() - static_cast<std::ptrdiff_t>(chain.size());
  return std::equal(begin, path.end(), chain.begin()) ? static_cast<int>(begin - path.begin()) : -1;
}

/// A list of all movable joints with checkboxes.
void drawChainList(const Session& session, const GoalItem& goal, CommandQueue& queue) {
  constexpr std::size_t kFewJoints = 10;
  const Figure& figure = *session.document().figure;
  const std::vector<int> joints = movingJoints(figure);
  someRows("chain", joints.size(), kFewJoints, ImGui::GetFrameHeightWithSpacing(), [&](std::size_t row) {
    const int joint = joints[row];
    bool used = std::find(goal.chain.begin(), goal.chain.end(), joint) != goal.chain.end();
    if (!ImGui::Checkbox(figure.joint(joint).name.c_str(), &used)) return;
    std::vector<int> chain = goal.chain;  // an empty one means all joints
    if (used) chain.insert(std::upper_bound(chain.begin(), chain.end(), joint), joint);
    else std::erase(chain, joint);
    setChain(queue, goal.id, std::move(chain));
  });
}

/// The joints of a group that the figure still has, ascending.
std::vector<int> jointsOf(const SourceGroup& group, const Figure& figure) {
  std::vector<int> joints;
  for (const std::string& name : group.joints)
    if (const int joint = figure.findJoint(name); joint >= 0) joints.push_back(joint);
  std::ranges::sort(joints);
  return joints;
}

void drawChain(const Session& session, const GoalItem& goal, UiState& ui, CommandQueue& queue) {
  enum { All, From, List };
  const Figure& figure = *session.document().figure;
  const std::vector<int> path =
      infoOf(goal.type).hasEndEffector() ? movingJointsAbove(figure, goal.link) : std::vector<int>{};
  const int start = startOf(goal.chain, path);
  int uses = goal.chain.empty() ? All : start >= 0 && ui.goals.listedChain != goal.id ? From : List;
  const char* names[] = {"all joints", "from a joint on", "a list of joints"};
  const std::span<const SourceGroup> groups =
      session.document().source ? session.document().source->groups : std::span<const SourceGroup>();
  const auto used = std::ranges::find_if(
      groups, [&](const SourceGroup& group) { return !goal.chain.empty() && jointsOf(group, figure) == goal.chain; });
  rowLabel("Uses", groups.empty() ? "the joints that this goal may move; a joint may serve several goals"
                                  : "the joints that this goal may move, such as a group of the robot's SRDF file");
  if (ImGui::BeginCombo("##uses", used != groups.end() ? used->name.c_str() : names[uses])) {
    for (int i : {All, From, List}) {
      if (i == From && path.empty()) continue;
      if (!ImGui::Selectable(names[i], i == uses)) continue;
      ui.goals.listedChain = i == List ? goal.id : -1;
      if (i == All) setChain(queue, goal.id, {});
      else if (i == From && start < 0) setChain(queue, goal.id, path);
      else if (i == List && goal.chain.empty()) setChain(queue, goal.id, path.empty() ? movingJoints(figure) : path);
    }
    for (const SourceGroup& group : groups)
      if (std::vector<int> joints = jointsOf(group, figure);
          ImGui::Selectable(group.name.c_str(), joints == goal.chain))
        setChain(queue, goal.id, std::move(joints));
    ImGui::EndCombo();
  }
  if (uses == From) {
    std::vector<std::string> joints;
    for (const int joint : path) joints.push_back(figure.joint(joint).name);
    rowLabel("From", "the first joint of the chain, which ends at the end effector");
    if (const int chosen = choose("##from", joints, start, "", ui); chosen >= 0)
      setChain(queue, goal.id, {path.begin() + chosen, path.end()});
  } else if (uses == List) {
    drawChainList(session, goal, queue);
  }
}

/// A choice of none, the groups in use, and a new one.
void drawGroup(const Session& session, const GoalItem& goal, UiState& ui, CommandQueue& queue) {
  std::vector<int> groups = {-1};
  int unused = 0;
  for (const GoalItem& other : session.document().goals) {
    if (other.anyOf >= 0) groups.push_back(other.anyOf);
    unused = std::max(unused, other.anyOf + 1);
  }
  if (unused > 0 || session.document().goals.size() > 1) groups.push_back(unused);
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  std::vector<std::string> names;
  for (const int group : groups) names.push_back(group < 0 ? "none" : "group " + groupName(group));
  const auto present = std::find(groups.begin(), groups.end(), goal.anyOf) - groups.begin();
  rowLabel("Any of", "only the goal of a group that can be met best counts");
  if (const int chosen = choose("##group", names, static_cast<int>(present), "none", ui); chosen >= 0)
    editGoal(queue, "group of a goal", "", goal.id, [group = groups[chosen]](GoalItem& g) { g.anyOf = group; });
}

/// Before, with or after the other goals.
void drawRank(const GoalItem& goal, UiState& ui, CommandQueue& queue) {
  const GoalTypeInfo& info = infoOf(goal.type);
  if (info.kept || info.isGentle) return;  // they are preferences
  std::vector<std::string> names;
  for (int priority = 1; priority <= kLowestPriority; ++priority)
    names.push_back("goal, priority " + std::to_string(priority));
  names.push_back("preference");
  rowLabel(
      "Rank",
      "goals of priority 1 are met first, then those of 2, whatever their weights; a preference only chooses among "
      "the poses that meet the goals, and does not count for \"reached\"");
  const int present = goal.preference ? kLowestPriority : goal.priority - 1;
  const int chosen = choose("##rank", names, present, "", ui);
  if (chosen < 0) return;
  editGoal(queue, "rank of a goal", "", goal.id, [chosen](GoalItem& g) {
    g.preference = chosen == kLowestPriority;
    if (!g.preference) g.priority = chosen + 1;
  });
}

}  // namespace

std::string groupName(int anyOf) {
  return anyOf < 26 ? std::string(1, static_cast<char>('A' + anyOf)) : std::to_string(anyOf + 1);
}

std::vector<int> movingJointsAbove(const Figure& figure, int link) {
  std::vector<int> path;
  for (int i = link; i >= 0; i = figure.link(i).parent)
    if (stepSize(figure.joint(i).type) > 0) path.push_back(i);
  std::reverse(path.begin(), path.end());
  return path;
}

void drawGoalUses(const Session& session, const GoalItem& goal, UiState& ui, CommandQueue& queue) {
  drawChain(session, goal, ui, queue);
  drawGroup(session, goal, ui, queue);
  drawRank(goal, ui, queue);
}

}  // namespace limber::app

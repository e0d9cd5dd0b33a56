// SPDX-License-Identifier: MIT
// Adds a goal where the user clicks.
#include "app/tools/tools.h"
#include "limber/body/named_axes.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_types.h"

namespace limber::app {

namespace {

void plant(Stage& stage, GoalType type, const EndEffector& end, const std::optional<EndEffector>& other = {}) {
  stage.ui.planting.reset();
  const GoalTypeInfo& info = infoOf(type);
  stage.editor.edit(std::string("add goal: ") + info.label, "",
                    [&](Document& d) { d.selection.goal = addGoal(d, type, end, other); });
  stage.ui.goals.scrolls = true;
  stage.ui.reveal = Panel::Goals;
  if (!info.hasEndEffector()) return stage.say(std::string("goal added: ") + info.label);
  stage.say(std::string("goal added on ") + stage.document().figure->link(end.link).name + ": " + info.label);
}

/// The end effector of an aim or direction goal: the link's first named axis, such as that of a face or of fingers.
EndEffector looking(const Document& document, GoalType type, const EndEffector& end) {
  if (infoOf(type).axes != 1) return end;
  const std::vector<NamedAxis> axes = namedAxes(*document.figure, end.link);
  return axes.empty() ? end : axes.front().end;
}

/// The link's natural end effector, moved to where its surface was clicked.
EndEffector clickedEnd(const Stage& stage, const Hit& hit) {
  EndEffector end = endEffectorOf(*stage.document().figure, hit.link);
  Eigen::Vector3d point = hit.point;
  if (stage.document().figure->isPlanar()) point.z() = 0.0;
  end.point = stage.picture.kinematics.worldFromLink[hit.link].inverse() * point;
  return end;
}

struct PlantTool : Tool {
  std::unique_ptr<Tool> leave(Stage& stage, const Modifiers& held) override { return besideTool(stage, held); }
  void release(Stage& stage, const Modifiers&) override { plantAt(stage, stage.pointer.pressed); }
  std::string hint(const Planting& planting) const override {
    const GoalTypeInfo& info = infoOf(planting.type);
    const std::string what = std::string("Add goal, ") + info.label + ": click ";
    const bool mayBeBeside = planting.first && info.other == OtherLink::Optional;
    const char* where = info.isBend       ? "the bone below the bend, a shank or a forearm"
                        : !planting.first ? "its point on the figure"
                        : mayBeBeside     ? "the other link, or beside the figure for a place"
                                          : "the other link";
    return what + where + ".  Esc cancels.";
  }
};

}  // namespace

std::unique_ptr<Tool> makePlantTool() { return std::make_unique<PlantTool>(); }

void startPlanting(Stage& stage, GoalType type) {
  if (!infoOf(type).hasEndEffector()) return plant(stage, type, {});
  stage.ui.planting = Planting{.type = type};
  stage.ui.message = {};
}

void plantAt(Stage& stage, const std::optional<Hit>& hit) {
  const Planting planting = *stage.ui.planting;
  const GoalTypeInfo& info = infoOf(planting.type);
  const bool isOnLink = hit && hit->link >= 0;
  if (!planting.first) {
    if (!isOnLink) return;
    if (info.isBend && upperBoneOf(*stage.document().figure, hit->link).link < 0)
      return stage.fail("there is no bone above it to bend against: click a shank or a forearm");
    const EndEffector end = looking(stage.document(), planting.type, clickedEnd(stage, *hit));
    if (info.other == OtherLink::None) return plant(stage, planting.type, end);
    stage.ui.planting->first = end;
  } else if (isOnLink && hit->link == planting.first->link) {
    stage.fail("that is the same link: click another one");
  } else if (isOnLink) {
    plant(stage, planting.type, *planting.first, clickedEnd(stage, *hit));
  } else if (info.other == OtherLink::Optional && !hit) {
    plant(stage, planting.type, *planting.first);
  }
}

}  // namespace limber::app

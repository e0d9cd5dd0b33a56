// SPDX-License-Identifier: MIT
#include "app/panels/goal_details.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/vector_rows.h"
#include "app/panels/widgets.h"
#include "limber/body/named_axes.h"
#include "limber/problem/goal_place.h"
#include "limber/problem/goal_types.h"

namespace limber::app {

namespace {

/// The fields of a goal for one of its end effectors: its own, or that on the other link.
struct EndFields {
  int GoalItem::*link;
  Eigen::Vector3d GoalItem::*point;
  Eigen::Matrix3d GoalItem::*frame;
};
constexpr EndFields kOwnEnd{&GoalItem::link, &GoalItem::pointInLink, &GoalItem::frameInLink};
constexpr EndFields kOtherEnd{&GoalItem::otherLink, &GoalItem::pointInOther, &GoalItem::frameInOther};

/// Returns the function that writes a row's new value into a field of the goal.
template <typename T>
auto setterOf(T GoalItem::*field, const GoalItem& goal, const char* label, CommandQueue& queue) {
  return [field, id = goal.id, label, &queue](const T& value, const std::string& gesture) {
    editGoal(queue, label, gesture, id, [=](GoalItem& g) { g.*field = value; });
  };
}

void setEnd(GoalItem& goal, const EndFields& fields, const EndEffector& end) {
  goal.*fields.link = end.link;
  goal.*fields.point = end.point;
  goal.*fields.frame = end.frame;
}

/// A choice of links; with `noneWord` the first entry means none. A goal's two links must differ.
void linkRow(const Session& session, const GoalItem& goal, const EndFields& fields, const char* label,
             const char* about, const char* noneWord, UiState& ui, CommandQueue& queue) {
  const Figure& figure = *session.document().figure;
  rowLabel(label, about);
  std::vector<std::string> names;
  if (noneWord) names.emplace_back(noneWord);
  for (const Link& link : figure.links()) names.push_back(link.name);
  const int offset = noneWord ? 1 : 0;
  const int chosen =
      choose((std::string("##link") + label).c_str(), names, goal.*fields.link + offset, "choose a link", ui);
  if (chosen < 0) return;
  const int link = chosen - offset;
  const bool isBetweenLinks = infoOf(goal.type).other != OtherLink::None;
  if (link >= 0 && link == (fields.link == kOwnEnd.link ? goal.otherLink : goal.link) && isBetweenLinks) {
    ui.message = {"a goal cannot relate a link to itself", true, ui.now + 6.0};
    return;
  }
  const EndEffector end = link < 0 ? EndEffector{.link = -1} : endEffectorOf(figure, link);
  editGoal(queue, "link of a goal", "", goal.id, [fields, end](GoalItem& g) { setEnd(g, fields, end); });
}

/// A choice of the figure's sites, which sets link, point and frame.
void siteRow(const Session& session, const GoalItem& goal, const EndFields& fields, UiState& ui, CommandQueue& queue) {
  const auto sites = session.document().figure->sites();
  if (sites.empty()) return;
  std::vector<std::string> names;
  int present = -1;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    names.push_back(sites[i].name);
    const Transform& place = sites[i].linkFromSite;
    if (sites[i].link == goal.*fields.link && place.translation == goal.*fields.point &&
        place.rotation == goal.*fields.frame)
      present = static_cast<int>(i);
  }
  rowLabel("Site", "a named point and frame of the figure, which sets link, point and axes");
  const int chosen = choose("##site", names, present, "a point of its own", ui);
  if (chosen < 0) return;
  const Site& site = sites[chosen];
  const EndEffector end{site.link, site.linkFromSite.translation, site.linkFromSite.rotation};
  editGoal(queue, "site of a goal", "", goal.id, [fields, end](GoalItem& g) { setEnd(g, fields, end); });
}

void endRows(const Session& session, const GoalItem& goal, const EndFields& fields, bool isOther, UiState& ui,
             CommandQueue& queue) {
  const GoalTypeInfo& info = infoOf(goal.type);
  const EndEffector natural = endEffectorOf(*session.document().figure, goal.*fields.link);
  if (info.point)
    placeRow(isOther ? "Point in it" : "Point", "x, y, z of the point in its link", goal.*fields.point, natural.point,
             ui, setterOf(fields.point, goal, "point of a goal", queue));
  const char* labels[2] = {isOther ? "x in it" : "x in link", isOther ? "y in it" : "y in link"};
  for (int axis = 0; axis < info.axes; ++axis)
    directionRow(labels[axis], "the axis of the end effector, as a direction of its link", goal.*fields.frame, axis,
                 natural.frame, ui, setterOf(fields.frame, goal, "axis of a goal", queue));
}

/// For a head or a hand: a choice of the axis that is aimed.
void lookRow(const Session& session, const GoalItem& goal, UiState& ui, CommandQueue& queue) {
  if (infoOf(goal.type).axes != 1) return;
  const std::vector<NamedAxis> axes = namedAxes(*session.document().figure, goal.link);
  if (axes.empty() || axes.front().end.link != goal.link) return;
  std::vector<std::string> names;
  int present = -1;
  for (const NamedAxis& axis : axes) {
    if ((axis.end.frame.col(0) - goal.frameInLink.col(0)).norm() < 1e-9) present = static_cast<int>(names.size());
    names.emplace_back(axis.name);
  }
  rowLabel("Looks along", "the axis that points at the target: out of the face, along the fingers, out of the palm");
  const int chosen = choose("##looks", names, present, "an axis of its own", ui);
  if (chosen < 0) return;
  const EndEffector end = axes[chosen].end;
  editGoal(queue, "what a goal looks along", "", goal.id, [end](GoalItem& g) { setEnd(g, kOwnEnd, end); });
}

/// The whole orientation of a target frame as axes, angles or a quaternion, and the choice of them.
void orientationRows(const GoalItem& goal, const GoalItem& present, RotationView& view, UiState& ui,
                     CommandQueue& queue) {
  rowLabel("Orientation", "how the orientation of the target is shown");
  int chosen = static_cast<int>(view);
  constexpr const char* kViews[] = {"axes", "roll, pitch, yaw", "quaternion"};
  if (ImGui::Combo("##orientation", &chosen, kViews, 3)) view = static_cast<RotationView>(chosen);
  const auto setScene = setterOf(&GoalItem::targetFrame, goal, "target direction", queue);
  const ShownWorld& world = ui.world;
  const SetFrame set = [&](const Eigen::Matrix3d& shown, const std::string& gesture) {
    setScene(world.turnedToScene(shown), gesture);
  };
  const Eigen::Matrix3d shown = world.turnedToShown(goal.targetFrame), now = world.turnedToShown(present.targetFrame);
  switch (view) {
    case RotationView::Axes:
      worldDirectionRow("x along", "a direction in the world; its length does not matter", goal.targetFrame, 0,
                        present.targetFrame, ui, setScene);
      worldDirectionRow("y along", "a direction in the world, across that of x", goal.targetFrame, 1,
                        present.targetFrame, ui, setScene);
      break;
    case RotationView::Angles: anglesRow("Angles", shown, now, "back to how it is now", ui, set); break;
    case RotationView::Quaternion: quaternionRow("w, x, y, z", shown, now, ui, set); break;
  }
}

void targetRows(const Session& session, const GoalItem& goal, UiState& ui, Settings& settings, CommandQueue& queue) {
  const GoalTypeInfo& info = infoOf(goal.type);
  GoalItem present = goal;
  askForPresent(session.document(), session.picture.kinematics, present);
  if (info.target && goal.otherLink < 0)
    worldPlaceRow("Target", "x, y, z in the world", goal.target, present.target, ui,
                  setterOf(&GoalItem::target, goal, "target", queue));
  if (!info.hasTargetFrame()) return;
  if (info.axes == 2) return orientationRows(goal, present, settings.rotations, ui, queue);
  worldDirectionRow(info.targetAxis, "a direction in the world; its length does not matter", goal.targetFrame, 0,
                    present.targetFrame, ui, setterOf(&GoalItem::targetFrame, goal, "target direction", queue));
}

/// Where a picture shows the goal's point.
void seenRow(const ReferencePicture& picture, const GoalItem& goal) {
  const Eigen::Vector2d pixel = picture.camera.project(goal.target);
  rowLabel("Seen at",
           "where the picture shows the point, in pixels from its upper left corner; drag its mark to move it");
  ImGui::AlignTextToFramePadding();
  disabledText("%.1f, %.1f", pixel.x(), pixel.y());
}

/// c_d = 180 / (pi d): one length unit equals d degrees (Zhao and Badler 1994, eq. 8).
void scaleRow(const GoalItem& goal, int axis, UiState& ui, CommandQueue& queue) {
  constexpr const char* kAbout =
      "this angle weighs as much as a distance of one mean link length, so fewer degrees weigh more; a free direction "
      "has no weight";
  const auto which = static_cast<std::size_t>(axis);
  const double scale = goal.directionScale[which];
  const char* label = infoOf(goal.type).axes < 2 ? "Tolerance" : axis == 0 ? "Tolerance of x" : "Tolerance of y";
  const auto set = [&](double value, const std::string& gesture) {
    editGoal(queue, "weight of a direction", gesture, goal.id, [=](GoalItem& g) { g.directionScale[which] = value; });
  };
  ImGui::PushID(label);
  rowLabel(label, kAbout, kResetEms + 3.4f);
  const bool isFree = !(scale > 0.0);
  double degrees = isFree ? kDegrees : kDegrees / scale;
  ImGui::BeginDisabled(isFree);
  const std::string gesture = gestureOf("##degrees");
  const NumberStyle style{
      .minimum = 0.1, .maximum = 1e4, .format = isFree ? "free" : "%.4g°", .logarithmic = true, .tooltip = kAbout};
  if (editNumber("##degrees", degrees, style, ui)) set(kDegrees / degrees, gesture);
  ImGui::EndDisabled();
  ImGui::SameLine(0.0f, 0.3f * ImGui::GetFontSize());
  bool free = isFree;
  if (ImGui::Checkbox("free", &free)) set(free ? 0.0 : 1.0, "");
  tooltip("the direction has no weight");
  if (resetButton("##reset", scale == 1.0)) set(1.0, "");
  ImGui::PopID();
}

void shareRow(const GoalItem& goal, UiState& ui, CommandQueue& queue) {
  char format[32];
  std::snprintf(format, sizeof format, "%%.2f : %.2f", 1.0 - goal.positionShare);
  numberRow("Place : turn", goal.positionShare, 0.5,
            {.minimum = 0.0,
             .maximum = 1.0,
             .format = format,
             .tooltip = "ratio of the weights of position and orientation, w_p : w_o, whose sum is 1"},
            ui, setterOf(&GoalItem::positionShare, goal, "share of the position", queue));
}

enum class DistanceRule { Exactly, AtLeast, AtMost, Between };

DistanceRule ruleOf(const Interval& distance) {
  if (distance.lower == distance.upper) return DistanceRule::Exactly;
  if (!std::isfinite(distance.upper)) return DistanceRule::AtLeast;
  return distance.lower > 0.0 ? DistanceRule::Between : DistanceRule::AtMost;
}

/// The distances changed to fit another rule.
Interval underRule(const Interval& distance, DistanceRule rule) {
  const double lower = std::isfinite(distance.lower) ? std::max(distance.lower, 0.0) : 0.0;
  const double upper = std::isfinite(distance.upper) ? distance.upper : std::max(lower, 1e-3);
  switch (rule) {
    case DistanceRule::Exactly: return {upper, upper};
    case DistanceRule::AtLeast: return {lower > 0.0 ? lower : upper, std::numeric_limits<double>::infinity()};
    case DistanceRule::AtMost: return {0.0, upper};
    case DistanceRule::Between: return {lower > 0.0 && lower < upper ? lower : 0.5 * upper, upper};
  }
  return distance;
}

void distanceRows(const Session& session, const GoalItem& goal, UiState& ui, CommandQueue& queue) {
  const auto set = setterOf(&GoalItem::distance, goal, "distance", queue);
  const char* rules[] = {"exactly", "at least", "at most", "between"};
  const DistanceRule rule = ruleOf(goal.distance);
  int index = static_cast<int>(rule);
  rowLabel("Distance", "how far apart the two points may be");
  if (ImGui::Combo("##rule", &index, rules, 4)) set(underRule(goal.distance, static_cast<DistanceRule>(index)), "");
  const StandingGoal standing(session.document(), session.picture.kinematics, goal);
  const double now = (standing.point - otherPointOf(session.picture.kinematics, goal)).norm();
  const NumberStyle style{.minimum = 0.0, .speed = 0.002, .tooltip = "the reset takes the present distance"};
  const Interval d = goal.distance;
  if (rule == DistanceRule::Exactly)
    lengthRow("Length", d.lower, now, style, ui, [&](double v, const std::string& g) { set({v, v}, g); });
  if (rule == DistanceRule::AtLeast || rule == DistanceRule::Between)
    lengthRow("Shortest", d.lower, now, style, ui, [&](double v, const std::string& g) {
      set({v, std::max(v, d.upper)}, g);
    });
  if (rule == DistanceRule::AtMost || rule == DistanceRule::Between)
    lengthRow("Longest", d.upper, now, style, ui, [&](double v, const std::string& g) {
      set({std::min(d.lower, v), v}, g);
    });
}

void nameRow(const GoalItem& goal, UiState& ui, CommandQueue& queue) {
  rowLabel("Name", "Enter accepts it");
  std::string name = goal.name;
  if (editName("##name", titleOf(goal).c_str(), name, ui))
    queue.edit("rename goal", "", AfterEdit::Nothing, [id = goal.id, name](Document& d) {
      if (GoalItem* g = findGoal(d, id)) g->name = name;
    });
}

}  // namespace

void editGoal(CommandQueue& queue, const char* label, const std::string& gesture, int id,
              std::function<void(GoalItem&)> change) {
  queue.edit(label, gesture, AfterEdit::Solve, [id, change = std::move(change)](Document& d) {
    if (GoalItem* goal = findGoal(d, id)) change(*goal);
  });
}

void drawGoalDetails(const Session& session, const GoalItem& goal, UiState& ui, Settings& settings,
                     CommandQueue& queue) {
  const GoalTypeInfo& info = infoOf(goal.type);
  ImGui::PushID(goal.id);
  disabledText("%s", info.label);
  tooltip(info.about);
  nameRow(goal, ui, queue);
  if (info.hasEndEffector()) {
    const std::string title = "End effector: " + session.document().figure->link(goal.link).name + "###own";
    if (ImGui::TreeNodeEx(title.c_str(), ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_NoTreePushOnOpen)) {
      ImGui::PushID("own");
      linkRow(session, goal, kOwnEnd, "Link", "the link that the goal moves", nullptr, ui, queue);
      siteRow(session, goal, kOwnEnd, ui, queue);
      endRows(session, goal, kOwnEnd, false, ui, queue);
      ImGui::PopID();
    }
  }
  lookRow(session, goal, ui, queue);
  if (info.other != OtherLink::None) {
    ImGui::PushID("other");
    linkRow(session, goal, kOtherEnd, "Other link", "the link that the goal relates the end effector to",
            info.other == OtherLink::Optional ? "none: a place" : nullptr, ui, queue);
    if (goal.otherLink >= 0) {
      siteRow(session, goal, kOtherEnd, ui, queue);
      endRows(session, goal, kOtherEnd, true, ui, queue);
    }
    ImGui::PopID();
  }
  if (const ReferencePicture* picture = pictureOf(session.document(), goal)) seenRow(*picture, goal);
  else targetRows(session, goal, ui, settings, queue);
  if (info.distance) distanceRows(session, goal, ui, queue);
  for (int axis = 0; axis < info.axes; ++axis) scaleRow(goal, axis, ui, queue);
  if (info.share) shareRow(goal, ui, queue);
  numberRow("Weight", goal.weight, 1.0,
            {.minimum = 0.0,
             .maximum = 100.0,
             .format = "%.3g",
             .logarithmic = true,
             .tooltip = "weight of this goal relative to the others; 0 disables it"},
            ui, setterOf(&GoalItem::weight, goal, "goal weight", queue));
  drawPathRows(session, goal, ui, queue);
  drawGoalUses(session, goal, ui, queue);
  if (button("Set target to current",
             "sets place, directions, distance, relation or pose of the goal to their present values"))
    queue.edit("set target to current", "", AfterEdit::Nothing, [id = goal.id](Document& d) {
      Kinematics kinematics;
      computeTransforms(*d.figure, d.pose, kinematics);
      if (GoalItem* g = findGoal(d, id)) askForPresent(d, kinematics, *g);
    });
  ImGui::PopID();
}

}  // namespace limber::app

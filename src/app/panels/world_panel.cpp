// SPDX-License-Identifier: MIT
// The world around the figure: balance, self-collision, obstacles and contacts.
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/drag/obstacle_handles.h"
#include "app/panels/panels.h"
#include "app/panels/vector_rows.h"
#include "app/panels/widgets.h"
#include "limber/body/balance.h"
#include "limber/body/body_map.h"
#include "limber/goals/centre_of_mass_goal.h"
#include "limber/posing/contacts.h"
#include "limber/problem/goal_error.h"

namespace limber::app {

namespace {

using ChangeObstacle = std::function<void(Obstacle&)>;

void editObstacle(CommandQueue& queue, const char* label, const std::string& gesture, int id, ChangeObstacle change) {
  queue.edit(label, gesture, AfterEdit::Solve, [id, change = std::move(change)](Document& d) {
    if (Obstacle* obstacle = findObstacle(d, id)) change(*obstacle);
  });
}

/// Shows the margin of balance of the pose on screen: "inside by 84 mm".
void drawStance(const Session& session, LengthUnit unit) {
  const Document& document = session.document();
  const std::vector<int> planted = plantedLinks(document, session.picture.kinematics);
  if (planted.empty() || !CentreOfMassGoal::isDefined(*document.figure)) {
    wrappedNote(CentreOfMassGoal::isDefined(*document.figure) ? "This figure does not stand: its root does not move "
                                                                "freely, or no foot is on the ground."
                                                              : "This figure has no mass.");
    return;
  }
  const auto polygon = supportPolygon(*document.figure, session.picture.kinematics, planted);
  const double margin = supportMargin(polygon, onGround(centreOfMassOf(*document.figure, session.picture.kinematics)));
  const bool isInside = margin >= 0.0;
  statusMark(isInside);
  ImGui::SameLine();
  ImGui::TextColored(isInside ? colors::kAccent : colors::kUnmet, "%s by %s", isInside ? "inside" : "outside",
                     lengthText(std::abs(margin), unit).c_str());
  tooltip("distance of the centre of mass from the edge of the support polygon, seen from above");
  if (polygon.size() < 3) wrappedNote("The support is only a line, on which balance is not possible.");
}

void drawBalance(const Session& session, Settings& settings, CommandQueue& queue) {
  commandCheckbox(Command::ToggleBalance, session, queue);
  ImGui::SameLine();
  ImGui::Checkbox("Show", &settings.showBalance);
  tooltip("shows the centre of mass, its plumb line and the support polygon, also when balance is not kept");
  if (session.document().keepsBalance || settings.showBalance) drawStance(session, settings.unit);
}

void drawAdding(const Session& session, CommandQueue& queue) {
  const double size = session.picture.drawList.figureSize, ground = session.picture.drawList.groundHeight;
  const auto add = [&](const Obstacle& obstacle) {
    queue.edit("add " + obstacle.name, "", AfterEdit::Solve,
               [obstacle](Document& d) { d.selection = {.obstacle = addObstacle(d, obstacle)}; });
  };
  if (button("Box", "adds a box in front of the figure: drag it to move it, drag its knobs to resize it"))
    add(newBox(size, ground));
  ImGui::SameLine();
  if (button("Sphere", "adds a sphere in front of the figure")) add(newSphere(size, ground));
  ImGui::SameLine();
  if (button("Capsule", "adds an upright capsule in front of the figure: a pole or a pipe"))
    add(newCapsule(size, ground));
  if (button("Floor", "makes the ground an obstacle")) add(newFloor(ground));
  ImGui::SameLine();
  if (button("Wall", "adds a plane behind the figure")) add(newWall(size));
  ImGui::SameLine();
  if (button("Mesh ...",
             "adds a mesh from an OBJ, STL or Collada file: its surface is shown, links keep out of its convex hull"))
    queue.add(Command::AddProp);
}

void drawObstacleRow(const Session& session, const Obstacle& obstacle, CommandQueue& queue) {
  ImGui::PushID(obstacle.id);
  bool enabled = obstacle.enabled;
  if (ImGui::Checkbox("##enabled", &enabled))
    editObstacle(queue, "switch obstacle", "", obstacle.id, [enabled](Obstacle& o) { o.enabled = enabled; });
  tooltip("enables the obstacle");
  ImGui::SameLine();
  const float right = ImGui::GetContentRegionMax().x - ImGui::GetFrameHeight();
  const bool isSelected = session.document().selection.obstacle == obstacle.id;
  const std::string title = obstacle.name.empty() ? "obstacle " + std::to_string(obstacle.id) : obstacle.name;
  ImGui::AlignTextToFramePadding();
  if (ImGui::Selectable(title.c_str(), isSelected, 0, ImVec2(std::max(right - ImGui::GetCursorPosX() - 2.0f, 1.0f), 0)))
    queue.add(Command::Select, Selection{.obstacle = obstacle.id});
  ImGui::SameLine(right);
  if (crossButton("##remove", "remove it (Delete)"))
    queue.edit("remove obstacle", "", AfterEdit::Solve, [id = obstacle.id](Document& d) { removeObstacle(d, id); });
  ImGui::PopID();
}

/// A choice of the links that keep out of the obstacle; all when none is chosen.
void drawWho(const Document& document, const Obstacle& obstacle, UiState& ui, CommandQueue& queue) {
  const Figure& figure = *document.figure;
  std::vector<std::string> names;
  for (const Link& link : figure.links()) names.push_back(link.name);
  rowLabel("Keeps out", "the links that keep out of the obstacle; all links if none is chosen");
  const int chosen = choose("##links", names, -1, obstacle.links.empty() ? "all links" : "choose more links ...", ui);
  if (chosen >= 0)
    editObstacle(queue, "links of an obstacle", "", obstacle.id, [chosen](Obstacle& o) {
      if (std::find(o.links.begin(), o.links.end(), chosen) == o.links.end()) o.links.push_back(chosen);
    });
  for (const int link : obstacle.links) {
    ImGui::PushID(link);
    if (crossButton("##link", "remove this link; without any, all links keep out"))
      editObstacle(queue, "links of an obstacle", "", obstacle.id, [link](Obstacle& o) { std::erase(o.links, link); });
    ImGui::SameLine();
    ImGui::TextUnformatted(figure.link(link).name.c_str());
    ImGui::PopID();
  }
}

/// Further points that keep out, such as the end effector of a goal on a fingertip without thickness.
void drawPoints(const Document& document, const Obstacle& obstacle, CommandQueue& queue) {
  for (std::size_t i = 0; i < obstacle.points.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (crossButton("##point", "remove this point"))
      editObstacle(queue, "points of an obstacle", "", obstacle.id, [i](Obstacle& o) {
        if (i < o.points.size()) o.points.erase(o.points.begin() + static_cast<std::ptrdiff_t>(i));
      });
    ImGui::SameLine();
    ImGui::Text("a point of %s", document.figure->link(obstacle.points[i].link).name.c_str());
    ImGui::PopID();
  }
  if (document.goals.empty()) return;
  const GoalItem& goal = document.goals.back();
  const Obstacle::Point point{goal.link, goal.pointInLink};
  const bool isThere = std::find(obstacle.points.begin(), obstacle.points.end(), point) != obstacle.points.end();
  if (button("Add the last goal's point", "the end effector of the last goal also keeps out of the obstacle", !isThere))
    editObstacle(queue, "points of an obstacle", "", obstacle.id, [point](Obstacle& o) { o.points.push_back(point); });
}

/// Radius of a sphere or capsule, and length of a capsule.
void drawRoundSize(const Obstacle& obstacle, UiState& ui, CommandQueue& queue) {
  const double radius = 0.5 * obstacle.size.x();
  constexpr double kLeastRadius = 1e-6, kUsual = 0.1;
  lengthRow("Radius", radius, kUsual, {.minimum = kLeastRadius, .tooltip = "distance of its surface from its axis"}, ui,
            [&](double value, const std::string& gesture) {
              editObstacle(queue, "size obstacle", gesture, obstacle.id, [value](Obstacle& o) {
                o.size.x() = o.size.z() = 2.0 * value;
                if (o.shape == Obstacle::Shape::Sphere) o.size.y() = 2.0 * value;
              });
            });
  if (obstacle.shape != Obstacle::Shape::Capsule) return;
  lengthRow("Length", obstacle.size.y(), kUsual, {.minimum = 0.0, .tooltip = "between the centres of its ends"}, ui,
            [&](double value, const std::string& gesture) {
              editObstacle(queue, "size obstacle", gesture, obstacle.id, [value](Obstacle& o) { o.size.y() = value; });
            });
}

void drawObstacle(const Session& session, const Obstacle& obstacle, UiState& ui, CommandQueue& queue) {
  const int id = obstacle.id;
  ImGui::PushID("details");
  std::string name = obstacle.name;
  rowLabel("Name", "name in lists and in the status bar");
  if (inputText("##name", "a name", name, 0))
    editObstacle(queue, "rename obstacle", gestureOf("##name"), id, [name](Obstacle& o) { o.name = name; });
  worldPlaceRow("Place", "x, y, z of its centre", obstacle.worldFromObstacle.translation, std::nullopt, ui,
                [&](const Eigen::Vector3d& value, const std::string& gesture) {
                  editObstacle(queue, "move obstacle", gesture, id,
                               [value](Obstacle& o) { o.worldFromObstacle.translation = value; });
                });
  // The shape's own axes are shown as the world's are, so that an unturned box has its height along the shown vertical.
  const Eigen::Matrix3d axes = ui.world.sceneFromShown;
  anglesRow("Turn", axes.transpose() * obstacle.worldFromObstacle.rotation * axes, Eigen::Matrix3d::Identity(),
            "unturned", ui, [&](const Eigen::Matrix3d& value, const std::string& gesture) {
              editObstacle(queue, "turn obstacle", gesture, id,
                           [rotation = axes * value * axes.transpose()](Obstacle& o) {
                             o.worldFromObstacle.rotation = rotation;
                           });
            });
  if (isRound(obstacle)) drawRoundSize(obstacle, ui, queue);
  else if (obstacle.shape != Obstacle::Shape::Plane) {
    const bool isBox = obstacle.shape == Obstacle::Shape::Box;
    const SetVector set = [&](const Eigen::Vector3d& value, const std::string& gesture) {
      if (!(value.minCoeff() > 0.0)) {
        ui.message = {"an obstacle needs a volume: every size must be above zero", true, ui.now + 6.0};
        return;
      }
      editObstacle(queue, "size obstacle", gesture, id,
                   [size = (axes.cwiseAbs() * value).eval()](Obstacle& o) { o.size = size; });
    };
    const Eigen::Vector3d size = axes.cwiseAbs().transpose() * obstacle.size;
    if (isBox) placeRow("Size", "the edges along its x, y, z", size, std::nullopt, ui, set);
    else factorsRow("Scale", "factors along its x, y, z", size, ui, set);
  }
  drawWho(session.document(), obstacle, ui, queue);
  drawPoints(session.document(), obstacle, queue);
  ImGui::PopID();
}

/// Lists the contacts in the pose on screen.
void drawContacts(const Session& session, CommandQueue& queue) {
  const std::vector<ContactReport>& contacts = session.picture.touching.contacts();
  if (contacts.empty()) return;
  constexpr std::size_t kMostContacts = 8;
  const Figure& figure = *session.document().figure;
  ImGui::TextDisabled("Contacts");
  tooltip("links that touch or penetrate something, the deepest first");
  for (std::size_t i = 0; i < std::min(contacts.size(), kMostContacts); ++i) {
    const ContactReport& contact = contacts[i];
    ImGui::PushID(static_cast<int>(i));
    statusMark(!contact.isInside);
    ImGui::SameLine();
    const std::string text = figure.link(contact.link).name + (contact.stops ? " stopped by " : " at ") + contact.other;
    if (ImGui::Selectable(text.c_str())) queue.add(Command::Select, Selection{contact.link, -1});
    const std::string apart = lengthText(std::abs(contact.clearance), session.settings.unit);
    if (contact.isInside) tooltip(apart + (contact.clearance < 0.0 ? " inside" : " apart"));
    ImGui::PopID();
  }
  if (contacts.size() > kMostContacts) disabledText("and %zu more", contacts.size() - kMostContacts);
}

const char* selfAvoidanceTitle(SelfAvoidance choice) {
  switch (choice) {
    case SelfAvoidance::Off: return "Off";
    case SelfAvoidance::Arms: return "Arms";
    case SelfAvoidance::All: return "All links";
  }
  return "Off";
}

const char* selfAvoidanceMeaning(SelfAvoidance choice) {
  switch (choice) {
    case SelfAvoidance::Off: return "Links may pass through each other.";
    case SelfAvoidance::Arms:
      return "Arms and hands stay outside of trunk, neck, head, legs and the other arm. An arm that is inside already "
             "goes no deeper.";
    case SelfAvoidance::All: return "No link enters another; neighbours and links that overlap at rest are ignored.";
  }
  return "";
}

/// A choice of the links that keep out of each other. The arms alone are a choice only for people.
void drawSelfAvoidance(const Document& document, CommandQueue& queue) {
  const bool hasArms = bodyMapOf(*document.figure).isPerson();
  const SelfAvoidance chosen = selfAvoidanceOf(document);
  const SelfAvoidance present = chosen == SelfAvoidance::Arms && !hasArms ? SelfAvoidance::Off : chosen;
  rowLabel("Self-avoidance", "which links keep out of each other", 1.8f);
  if (ImGui::BeginCombo("##self-avoidance", selfAvoidanceTitle(present))) {
    for (const SelfAvoidance choice : {SelfAvoidance::Off, SelfAvoidance::Arms, SelfAvoidance::All}) {
      if (choice == SelfAvoidance::Arms && !hasArms) continue;
      if (ImGui::Selectable(selfAvoidanceTitle(choice), choice == present))
        queue.edit("self-avoidance", "", AfterEdit::Solve, [choice](Document& d) { d.selfAvoidance = choice; });
      tooltip(selfAvoidanceMeaning(choice));
    }
    ImGui::EndCombo();
  }
  tooltip(selfAvoidanceMeaning(present));
  if (const std::string fault = selfAvoidanceFault(*document.figure); present == SelfAvoidance::All && !fault.empty())
    disabledText("%s", fault.c_str());
}

}  // namespace

void drawWorld(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue) {
  const Document& document = session.document();
  drawBalance(session, settings, queue);
  drawSelfAvoidance(document, queue);
  lengthRow("Safety distance", document.safetyDistance, 0.0,
            {.minimum = 0.0, .tooltip = "the distance that links keep from obstacles and from each other"}, ui,
            [&](double value, const std::string& gesture) {
              queue.edit("safety distance", gesture, AfterEdit::Solve,
                         [value](Document& d) { d.safetyDistance = value; });
            });
  ImGui::Separator();
  drawAdding(session, queue);
  for (const Obstacle& obstacle : document.obstacles) drawObstacleRow(session, obstacle, queue);
  if (const Obstacle* selected = findObstacle(document, document.selection.obstacle))
    drawObstacle(session, *selected, ui, queue);
  drawContacts(session, queue);
}

}  // namespace limber::app

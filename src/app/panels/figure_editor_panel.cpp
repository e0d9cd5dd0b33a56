// SPDX-License-Identifier: MIT
#include "app/panels/panels.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "app/editing/figure_editing.h"
#include "app/panels/dialog.h"
#include "app/panels/vector_rows.h"
#include "app/panels/widgets.h"
#include "limber/io/bvh/bvh.h"
#include "limber/scene/base.h"
#include "limber/scene/closed_rest.h"
#include "limber/scene/join.h"

namespace limber::app {

namespace {

constexpr double kShortest = 1e-4, kLongest = 1e4;           // metres
constexpr double kSmallestUnit = 1e-4, kLargestUnit = 10.0;  // metres

constexpr JointType kNewTypes[] = {JointType::Revolute, JointType::Ball, JointType::Prismatic, JointType::Fixed};
constexpr const char* kTypeWords[] = {"turns about one axis", "turns every way", "slides along one axis",
                                      "does not move"};

bool hasAxis(JointType type) { return type == JointType::Revolute || type == JointType::Prismatic; }

template <typename Rename>
void nameRow(const Session& session, const char* label, const char* tip, std::string name, UiState& ui,
             CommandQueue& queue, Rename rename) {
  ImGui::PushID(label);
  rowLabel(label, tip, kResetEms);
  if (const std::string old = name; editName("##name", "", name, ui))
    editFigure(session.document(), "rename " + old, "", rename(name), ui, queue);
  ImGui::PopID();
}

/// "-60.0° to 90.0°", "swing 45.0°, twist free"
std::string rangeText(const Interval& range, double toShown, const char* unit) {
  if (!range.isBounded()) return "free";
  const auto end = [&](double value, const char* open) {
    char text[48];
    std::snprintf(text, sizeof text, "%.4g%s", value * toShown, unit);
    return std::isfinite(value) ? std::string(text) : std::string(open);
  };
  return end(range.lower, "open") + " to " + end(range.upper, "open");
}

std::string limitsText(const Joint& joint, LengthUnit unit) {
  if (joint.type == JointType::Revolute) return rangeText(joint.limits, kDegrees, "°");
  if (joint.type == JointType::Prismatic)
    return rangeText(joint.limits, unitsPerMetre(unit), (std::string(" ") + unitSuffix(unit)).c_str());
  if (joint.type != JointType::Ball) return {};
  char swing[48] = "swing free";
  if (joint.ballLimits.swing < std::numbers::pi)
    std::snprintf(swing, sizeof swing, "swing %.4g°", joint.ballLimits.swing * kDegrees);
  return swing + std::string(", twist ") + rangeText(joint.ballLimits.twist, kDegrees, "°");
}

/// A row for the unit of a BVH file, which the reader guesses because the format has none.
void drawUnit(const Session& session, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  if (!document.source || document.source->format != SourceFormat::Bvh) return;
  const char* tip =
      "length of one unit of the BVH file in metres, guessed from the figure's height; "
      "the numbers in the file do not change";
  rowLabel("File's unit", tip, kResetEms);
  double metres = document.figure->fileFrame().metresPerUnit;
  const std::string gesture = gestureOf("##unit");
  const NumberStyle style{
      .minimum = kSmallestUnit, .maximum = kLargestUnit, .format = "%.5g m", .logarithmic = true, .tooltip = tip};
  if (editNumber("##unit", metres, style, ui)) setFileUnit(document, metres, gesture, ui, queue);
}

constexpr OffsetRule kOffsetRules[] = {OffsetRule::ByMotion, OffsetRule::Replace, OffsetRule::Add};

/// A row for the meaning of a BVH file's position channels, on which programs differ.
void drawOffsetRule(const Document& document, UiState& ui, CommandQueue& queue) {
  if (!document.motion || !io::hasOffsetRule(document)) return;
  const std::vector<Channel>& channels = document.motion->bare().channels;
  const auto isPosition = [](const Channel& channel) { return channel.type <= ChannelType::ZPosition; };
  if (std::ranges::none_of(channels, isPosition)) return;
  constexpr const char* kTip =
      "what the file's position channels do with a joint's OFFSET: they replace it in files of Blender and Rokoko, and "
      "are added to it in files of MakeHuman; by default, chosen for each joint from its motion";
  rowLabel("Positions", kTip);
  const int present =
      static_cast<int>(std::ranges::find(kOffsetRules, document.source->offsetRule) - std::begin(kOffsetRules));
  const int chosen =
      choose("##positions", {"chosen from the motion", "replace OFFSET", "are added to OFFSET"}, present, "", ui);
  if (chosen >= 0 && chosen != present) setOffsetRule(document, kOffsetRules[chosen], ui, queue);
}

void drawBase(const Session& session, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  if (!hasBaseChoice(document)) return;
  rowLabel("Base",
           "free: the robot moves as a whole, with its feet held if it has legs; "
           "fixed: its base stays where the file puts it",
           kResetEms);
  const bool isFree = hasFreedBase(*document.figure);
  for (const auto& [label, wanted] : {std::pair{"free", true}, {"fixed", false}}) {
    if (ImGui::RadioButton(label, isFree == wanted) && isFree != wanted) setBase(document, wanted, ui, queue);
    ImGui::SameLine();
  }
  ImGui::NewLine();
}

/// Queues a change of loops, or asks whether a loop that it leaves open is kept.
void changeLoops(const Document& document, const std::string& label, FigureEdit edit, UiState& ui,
                 CommandQueue& queue) {
  if (!edit.figure) {
    ui.message = {edit.fault, true, ui.now + 8.0};
    return;
  }
  auto change = std::make_shared<const LoopChange>(tryLoops(document, std::move(edit)));
  const bool wasOpen = !openLoopsOf(*document.figure, transformsOf(*document.figure, document.pose)).empty();
  if (!change->open.empty() && !wasOpen) {
    ui.figure.join = {label, std::move(change)};
    ui.figure.joinWanted = true;
    return;
  }
  queue.edit(label, "", AfterEdit::Solve, [from = document.figure, change](Document& d) {
    if (d.figure == from) takeLoops(*change, d);
  });
}

std::string gapText(const LoopGap& gap, LengthUnit unit) {
  return gap.isClosed() ? "closed" : "open by " + errorText(gap.length, gap.angle, unit);
}

void drawLoop(const Session& session, int index, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const Figure& figure = *document.figure;
  const LoopClosure& loop = figure.loops()[index];
  ImGui::PushID(index);
  rowLabel(loop.name.c_str(), "what the two parts share: a point (ball), an axis (hinge) or their place (weld)",
           kResetEms);
  constexpr LoopClosure::Kind kKinds[] = {LoopClosure::Kind::Ball, LoopClosure::Kind::Hinge, LoopClosure::Kind::Weld};
  const int present = static_cast<int>(std::ranges::find(kKinds, loop.kind) - std::begin(kKinds));
  const int chosen = choose("##kind", {"ball", "hinge", "weld"}, present, "", ui);
  if (chosen >= 0 && chosen != present) {
    LoopClosure changed = loop;
    changed.kind = kKinds[chosen];
    changeLoops(document, "change loop " + loop.name, changeLoop(figure, index, changed), ui, queue);
  }
  ImGui::SameLine();
  if (crossButton("##remove", "remove the loop"))
    changeLoops(document, "remove loop " + loop.name, removeLoop(figure, index), ui, queue);
  const LoopGap gap = gapOf(loop, session.picture.kinematics);
  ImGui::TextColored(gap.isClosed() ? colors::kMet : colors::kUnmet, "   %s",
                     gapText(gap, session.settings.unit).c_str());
  ImGui::PopID();
}

void drawLoops(const Session& session, UiState& ui, CommandQueue& queue) {
  const std::shared_ptr<const Figure>& figure = session.document().figure;
  commandButton(Command::Join, session, queue);
  if (figure->loops().empty()) return;
  FigureEditorState::Freedom& freedom = ui.figure.freedom;
  if (freedom.figure.lock() != figure) freedom = {figure, degreesOfFreedom(figure)};
  ImGui::SameLine();
  disabledText("%d degrees of freedom", freedom.degrees);
  for (int i = 0; i < std::ssize(figure->loops()); ++i) drawLoop(session, i, ui, queue);
}

void drawOpenLoop(const Session& session, UiState& ui, CommandQueue& queue) {
  FigureEditorState& state = ui.figure;
  Dialog dialog("Loop stays open", state.joinWanted, ui);
  if (!dialog || !state.join.change) return;
  for (const OpenLoop& open : state.join.change->open)
    dialog.text("The loop \"" + open.name + "\" cannot be closed here: the nearest pose found leaves it " +
                gapText(open.gap, session.settings.unit) + ".");
  const int answer = dialog.answers({"Keep it open", "Leave it out"});
  if (answer < 0) return;
  if (answer == 0)
    queue.edit(state.join.label, "", AfterEdit::Nothing,
               [from = session.document().figure, change = state.join.change](Document& d) {
                 if (d.figure == from) takeLoops(*change, d);
               });
  state.join = {};
  dialog.close();
}

void drawWhole(const Session& session, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  if (button("This pose is the rest pose",
             "the figure's rest pose becomes the present one; "
             "the limits, rigidities and locks of the Joint panel become its own"))
    takePoseAsRest(document, ui, queue);
  if (button("Take over joint settings", "the limits, rigidities and locks of the Joint panel become the figure's own"))
    takeSettings(document, ui, queue);
  commandButton(Command::SaveFigureAs, session, queue);
  drawBase(session, ui, queue);
  drawUnit(session, ui, queue);
  drawOffsetRule(session.document(), ui, queue);
}

void drawLength(const Session& session, int link, UiState& ui, CommandQueue& queue) {
  const double length = session.document().figure->linkLength(link);
  const char* tip = "child joints, sites and capsules move along: drag, or double-click to type";
  rowLabel("Length", tip, kResetEms);
  if (length <= 0.0) {
    disabledText("none: a child or a site gives it one");
    return;
  }
  double edited = length;
  const std::string gesture = gestureOf("##length");
  const NumberStyle style{.minimum = kShortest, .maximum = kLongest, .logarithmic = true, .tooltip = tip};
  if (editLength("##length", edited, style, ui)) setLinkLength(session.document(), link, edited, gesture, ui, queue);
}

void drawSite(const Session& session, int index, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const Figure& figure = *document.figure;
  const Site& site = figure.sites()[index];
  ImGui::PushID(index);
  rowLabel("Site", "a named point of the link: Enter accepts the name", kResetEms);
  std::string name = site.name;
  if (editName("##name", "", name, ui))
    editFigure(document, "rename " + site.name, "", renameSite(figure, index, name), ui, queue);
  ImGui::SameLine();
  if (crossButton("##remove", "remove the site"))
    editFigure(document, "remove site " + site.name, "", removeSite(figure, index), ui, queue);
  const Eigen::Vector3d place = site.linkFromSite.translation;
  placeRow("   at", "position relative to the link's joint, in the link's axes", place, place, ui,
           [&](const Eigen::Vector3d& moved, const std::string& gesture) {
             editFigure(document, "move site " + site.name, gesture,
                        moveSite(figure, index, {site.linkFromSite.rotation, moved}), ui, queue);
           });
  ImGui::PopID();
}

void drawSites(const Session& session, int link, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const Figure& figure = *document.figure;
  for (int i = 0; i < static_cast<int>(figure.sites().size()); ++i)
    if (figure.sites()[i].link == link) drawSite(session, i, ui, queue);
  if (button("Add site", "adds a named point at the end of the link, which can then be moved")) {
    const std::string name = freeName(figure, figure.link(link).name + "_site");
    editFigure(document, "add site " + name, "",
               addSite(figure, {name, link, continuationOf(figure, link).parentFromJoint}), ui, queue);
  }
}

void startNewLink(const Figure& figure, int parent, FigureEditorState& state) {
  state.newLinkWanted = true;
  state.newLink = continuationOf(figure, parent);
  state.newLink.name = freeName(figure, figure.link(parent).name + "_child");
  state.parentAxis = state.newLink.axis;
}

void drawLinks(const Session& session, int link, UiState& ui, CommandQueue& queue) {
  const Figure& figure = *session.document().figure;
  if (button("Add child link ...", "adds a link at the end of this one")) startNewLink(figure, link, ui.figure);
  ImGui::SameLine();
  if (button("Remove link", "removes this link with all its descendants")) {
    if (figure.children(link).empty()) removeLinkFrom(session.document(), link, ui, queue);
    else {
      const FigureEdit edit = removeLink(figure, link);
      ui.figure.removed = figure.link(link).name;
      ui.figure.going = edit.figure ? consequencesOf(session.document(), edit) : std::vector{edit.fault};
      ui.figure.removeWanted = true;
    }
  }
}

void drawType(NewLink& link, UiState& ui) {
  std::vector<std::string> names;
  int present = 0;
  for (std::size_t i = 0; i < std::size(kNewTypes); ++i) {
    if (kNewTypes[i] == link.type) present = static_cast<int>(i);
    names.push_back(std::string(jointTypeName(kNewTypes[i])) + ": " + kTypeWords[i]);
  }
  rowLabel("Joint", "how the link moves on its parent");
  if (const int chosen = choose("##type", names, present, "", ui); chosen >= 0) link.type = kNewTypes[chosen];
}

void drawAxis(NewLink& link, UiState& ui) {
  const Eigen::Vector3d& parentAxis = ui.figure.parentAxis;
  int present = 0;
  for (int i = 0; i < 3; ++i)
    if (link.axis == Eigen::Vector3d::Unit(i) && link.axis != parentAxis) present = i + 1;
  rowLabel("Axis", "the axis that the joint turns about or slides along");
  if (const int chosen = choose("##axis", {"as its parent's", "x of the parent", "y of the parent", "z of the parent"},
                                present, "", ui);
      chosen >= 0)
    link.axis = chosen == 0 ? parentAxis : Eigen::Vector3d(Eigen::Vector3d::Unit(chosen - 1));
}

void drawNewLink(const Session& session, UiState& ui, CommandQueue& queue) {
  FigureEditorState& state = ui.figure;
  Dialog dialog("New link", state.newLinkWanted, ui);
  if (!dialog) return;
  NewLink& link = state.newLink;
  const bool hasParent = link.parent >= 0 && link.parent < session.document().figure->linkCount();
  dialog.text("Hangs on " + (hasParent ? session.document().figure->link(link.parent).name : std::string("the world")));
  ImGui::Dummy(ImVec2(dialog.width(26.0f), 0.0f));
  rowLabel("Name", "of the link and its joint");
  inputText("##name", "a name that no other link has", link.name);
  dialog.stop(true);
  drawType(link, ui);
  dialog.stop();
  if (hasAxis(link.type)) {
    drawAxis(link, ui);
    dialog.stop();
  }
  rowLabel("Length", "type, or drag");
  double length = link.end.norm();
  const NumberStyle style{.minimum = kShortest, .maximum = kLongest, .logarithmic = true, .tooltip = "type, or drag"};
  if (editLength("##length", length, style, ui)) link.end *= length / link.end.norm();
  dialog.stop();
  if (dialog.answers({"Add", "Cancel"}) == 0 && addLinkTo(session.document(), link, ui, queue)) dialog.close();
  if (ui.message.isError && !ui.message.text.empty()) dialog.error(ui.message.text);
}

void drawRemoval(const Session& session, UiState& ui, CommandQueue& queue) {
  FigureEditorState& state = ui.figure;
  Dialog dialog("Remove link", state.removeWanted, ui);
  if (!dialog) return;
  const int link = session.document().figure->findLink(state.removed);
  for (const std::string& sentence : state.going) dialog.text(sentence);
  dialog.note("Ctrl+Z undoes it.");
  if (dialog.answers({"Remove", "Keep it"}) != 0 || link < 0) return;
  removeLinkFrom(session.document(), link, ui, queue);
  dialog.close();
}

}  // namespace

void drawFigureEditor(const Session& session, UiState& ui, CommandQueue& queue) {
  drawWhole(session, ui, queue);
  drawLoops(session, ui, queue);
  const Document& document = session.document();
  const Figure& figure = *document.figure;
  const int link = document.selection.joint;
  if (link < 0 || link >= figure.linkCount()) {
    wrappedNote("Click a link of the figure to edit it.");
    return;
  }
  ImGui::PushID(link);
  nameRow(session, "Link", "name of the link: Enter accepts it", figure.link(link).name, ui, queue,
          [&](const std::string& name) { return renameLink(figure, link, name); });
  nameRow(session, "Joint", "name of the joint to the parent link: Enter accepts it", figure.joint(link).name, ui,
          queue, [&](const std::string& name) { return renameJoint(figure, link, name); });
  drawLength(session, link, ui, queue);
  if (const std::string limits = limitsText(figure.joint(link), ui.unit); !limits.empty()) {
    rowLabel("Own limits", "the figure's own limits; the Joint panel changes the document's, which can be taken over");
    disabledText("%s", limits.c_str());
  }
  drawLinks(session, link, ui, queue);
  drawSites(session, link, ui, queue);
  ImGui::PopID();
}

void drawFigureDialogs(const Session& session, UiState& ui, CommandQueue& queue) {
  drawNewLink(session, ui, queue);
  drawOpenLoop(session, ui, queue);
  drawRemoval(session, ui, queue);
}

}  // namespace limber::app

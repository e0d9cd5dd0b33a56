// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "limber/problem/goal_error.h"
#include "render/marks.h"

namespace limber::app {

namespace {

/// Sets what the pin of a link holds. A newly held position or rotation is the present one; holding neither unpins.
void setKinds(Document& document, int link, bool position, bool rotation) {
  for (Pin& pin : document.pins)
    if (pin.link == link) {
      const bool isMore = (position && !pin.position) || (rotation && !pin.rotation);
      if (isMore || (!position && !rotation)) return pinLink(document, link, position, rotation, pin.pointInLink);
      pin.position = position;
      pin.rotation = rotation;
      return;
    }
}

void kindBox(const char* label, const char* about, const Pin& pin, bool isRotation, CommandQueue& queue) {
  bool on = isRotation ? pin.rotation : pin.position;
  if (ImGui::Checkbox(label, &on))
    queue.edit("pin", "", AfterEdit::Solve,
               [link = pin.link, position = isRotation ? pin.position : on,
                rotation = isRotation ? on : pin.rotation](Document& d) { setKinds(d, link, position, rotation); });
  tooltip(about);
}

void drawPin(const Session& session, const Pin& pin, CommandQueue& queue) {
  const Document& document = session.document();
  const GoalError error = pinErrorOf(session.picture.kinematics, pin);
  const bool isMet =
      render::isHeld(*document.figure, session.picture.kinematics, pin, session.picture.drawList.figureSize);
  ImGui::PushID(pin.link);
  statusMark(isMet);
  tooltip(isMet ? "stays where it was pinned" : "cannot stay where it was pinned");
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const float left = ImGui::GetCursorPosX(), right = ImGui::GetContentRegionMax().x - ImGui::GetFrameHeight();
  const std::string text = errorText(error.length, error.angle, session.settings.unit);
  const float textLeft = right - ImGui::CalcTextSize(text.c_str()).x - 0.3f * ImGui::GetFontSize();
  const bool isSelected = document.selection.joint == pin.link;
  if (ImGui::Selectable(document.figure->link(pin.link).name.c_str(), isSelected, 0,
                        ImVec2(std::max(textLeft - left - 0.4f * ImGui::GetFontSize(), 1.0f), 0.0f)))
    queue.add(Command::Select, Selection{pin.link, -1});
  ImGui::SameLine(textLeft);
  ImGui::TextColored(isMet ? colors::kMet : colors::kUnmet, "%s", text.c_str());
  tooltip("the distance from where it was pinned");
  ImGui::SameLine(right);
  if (crossButton("##remove", "unpin it"))
    queue.edit("unpin", "", AfterEdit::Nothing, [link = pin.link](Document& d) { unpinLink(d, link); });
  ImGui::SetCursorPosX(left);
  kindBox("position", "its point stays (Shift+P)", pin, false, queue);
  ImGui::SameLine();
  kindBox("rotation", "it does not turn (Ctrl+P)", pin, true, queue);
  ImGui::PopID();
}

}  // namespace

void drawPins(const Session& session, CommandQueue& queue) {
  const auto& pins = session.document().pins;
  if (pins.empty())
    return wrappedNote(
        "Nothing is pinned. P pins what is selected or dragged: it stays where it is, whatever else "
        "moves.");
  rowsInSight(pins.size(), 2.0f * ImGui::GetFrameHeightWithSpacing(),
              [&](std::size_t i) { drawPin(session, pins[i], queue); });
}

}  // namespace limber::app

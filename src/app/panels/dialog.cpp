// SPDX-License-Identifier: MIT
#include "app/panels/dialog.h"

#include <algorithm>
#include <utility>

#include "app/panels/widgets.h"

namespace limber::app {

namespace {

constexpr float kMostOfWindow = 0.96f;  // of its width and height
constexpr float kTextEms = 32.0f;       // width at which text wraps, since a dialog grows with its text
constexpr int kTries = 3;               // frames in which a stop is offered the keyboard: an item may be disabled

/// Gives the last item the keyboard; a field then takes text.
void focusLastItem() {
  ImGui::SetKeyboardFocusHere(1);  // else Dear ImGui 1.86 goes where its own Tab went last
  ImGui::SetKeyboardFocusHere(-1);
}

}  // namespace

Dialog::Dialog(const char* title, bool& open, UiState& ui, const ImVec2& size) : ui_(ui) {
  if (std::exchange(open, false)) {
    ImGui::OpenPopup(title);
    ui.dialog = {};
  }
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const ImVec2 most(kMostOfWindow * window.x, kMostOfWindow * window.y);
  const bool isSized = size.x > 0.0f;
  if (isSized) ImGui::SetNextWindowSize(ImVec2(std::min(size.x, most.x), std::min(size.y, most.y)));
  else ImGui::SetNextWindowSizeConstraints(ImVec2(0.0f, 0.0f), most);
  ImGui::SetNextWindowPos(ImVec2(0.5f * window.x, 0.5f * window.y), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
  const ImGuiWindowFlags flags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                 (isSized ? ImGuiWindowFlags_NoResize : ImGuiWindowFlags_AlwaysAutoResize);
  isOpen_ = ImGui::BeginPopupModal(title, nullptr, flags);
  if (!isOpen_) return;
  isOnTop_ = !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  ui.popups.isDialogOnTop = isOnTop_;
  if (!isOnTop_) return;
  if (ui.popups.closes) close();
  // The key that opened the dialog is not an answer to it.
  isEntered_ =
      !ImGui::IsWindowAppearing() && (isKeyPressed(ImGuiKey_Enter, false) || isKeyPressed(ImGuiKey_KeyPadEnter, false));
}

Dialog::~Dialog() {
  if (!isOpen_) return;
  if (isOnTop_ && stops_ > 0 && !isTabTaken_ && isKeyPressed(ImGuiKey_Tab)) {
    const int at = ui_.dialog.at, by = ImGui::GetIO().KeyShift ? stops_ - 1 : 1;
    want(at < 0 || at >= stops_ ? 0 : (at + by) % stops_);
  }
  ImGui::EndPopup();
}

void Dialog::close() { ImGui::CloseCurrentPopup(); }

void Dialog::stop(bool isFirst) {
  DialogFocus& focus = ui_.dialog;
  const int index = stops_++;
  if (!isOnTop_) return;
  if (isFirst && !std::exchange(focus.isBegun, true)) want(index);
  if (ImGui::IsItemFocused() || ImGui::IsItemActive()) focus.at = index;
  if (focus.wanted != index) return;
  if (focus.at == index || focus.tries-- <= 0) focus.wanted = -1;
  else focusLastItem();
}

void Dialog::want(int index) {
  ui_.dialog.wanted = index;
  ui_.dialog.tries = kTries;
}

float Dialog::width(float ems) const {
  const float room = kMostOfWindow * ImGui::GetIO().DisplaySize.x - 2.0f * ImGui::GetStyle().WindowPadding.x -
                     ImGui::GetStyle().ScrollbarSize;
  return std::min(ems * ImGui::GetFontSize(), room);
}

void Dialog::draw(const std::string& text, const ImVec4& color) const {
  wrappedText(text, color, ImGui::GetCursorPosX() + width(kTextEms));
}
void Dialog::text(const std::string& text) const { draw(text, ImGui::GetStyleColorVec4(ImGuiCol_Text)); }
void Dialog::note(const std::string& text) const { draw(text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled)); }
void Dialog::error(const std::string& text) const { draw(text, colors::kUnmet); }

int Dialog::drawButtons(std::initializer_list<const char*> labels, float leastEms, bool areAnswers) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float left = ImGui::GetCursorPosX(), right = left + width(1e6f);
  float end = left;
  int pressed = -1, index = 0, focused = -1;
  for (const char* label : labels) {
    const float needed =
        std::max(width(leastEms), ImGui::CalcTextSize(label, nullptr, true).x + 2.0f * style.FramePadding.x);
    if (index > 0 && end + style.ItemSpacing.x + needed <= right) {
      ImGui::SameLine();
      end += style.ItemSpacing.x + needed;
    } else {
      end = left + needed;
    }
    const bool isDefault = areAnswers && index == 0;
    if (isDefault) ImGui::PushStyleColor(ImGuiCol_Button, withOpacity(colors::kAccent, 0.45f));
    if (ImGui::Button(label, ImVec2(needed, 0.0f))) pressed = index;
    if (isDefault) ImGui::PopStyleColor();
    stop(isDefault);
    if (ImGui::IsItemFocused()) focused = index;
    ++index;
  }
  if (isEntered_ && focused >= 0) {
    isEntered_ = false;
    pressed = focused;
  }
  return pressed;
}

int Dialog::buttons(std::initializer_list<const char*> labels, float leastEms) {
  return drawButtons(labels, leastEms, false);
}

int Dialog::answers(std::initializer_list<const char*> labels) {
  ImGui::Dummy(ImVec2(0.0f, 0.3f * ImGui::GetFontSize()));
  int pressed = drawButtons(labels, kButtonEms, true);
  if (isEntered_) pressed = 0;
  if (pressed == static_cast<int>(labels.size()) - 1) close();
  return pressed;
}

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// The widgets of panels: rows of label and value, number fields, buttons, notes, lists, grounds of plots.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "app/editing/ui_state.h"
#include "app/settings/theme.h"
#include "app/settings/units.h"

namespace limber::app {

struct Session;

inline constexpr double kDegrees = 180.0 / std::numbers::pi;  ///< degrees in a radian

/// Format and range of a number field.
struct NumberStyle {
  double minimum = -std::numeric_limits<double>::infinity();  ///< with a finite range the field shows a slider's bar
  double maximum = std::numeric_limits<double>::infinity();
  const char* format = "%.3f";  ///< with the unit: "%.1f°", "%.0f links"
  double speed = 0.01;          ///< change per pixel of drag, for infinite ranges
  bool logarithmic = false;
  const char* tooltip = "";
};

/// A number field: drag it, or double-click to type. True when the value has changed. A number that is not finite is
/// refused with a message; others are clamped to the range.
bool editNumber(const char* id, double& value, const NumberStyle& style, UiState& ui);

/// The same for a length, shown in the chosen unit; `metres` and the style's range and speed are in metres.
bool editLength(const char* id, double& metres, NumberStyle style, UiState& ui);

/// The gesture name of an item, by which all edits of one drag become one undo step.
std::string gestureOf(const char* id);
inline constexpr const char* kWidgetGesture = "widget ";

/// A label on the left; the next item fills the rest of the row except `reservedEms` on the right.
void rowLabel(const char* label, const char* tooltip = "", float reservedEms = 0.0f);

inline constexpr float kResetEms = 1.8f;  ///< room of a row for its reset button

/// A small round arrow at the end of a row; true when clicked. It is faint and disabled when `isDefault`.
bool resetButton(const char* id, bool isDefault, const char* tooltip = "back to the default");

/// A row with a number and its reset button; `set(value, gesture)` writes it.
template <typename Set>
void numberRow(const char* label, double value, double byDefault, const NumberStyle& style, UiState& ui, Set set,
               bool isLength = false) {
  ImGui::PushID(label);
  rowLabel(label, style.tooltip, kResetEms);
  const std::string gesture = gestureOf("##value");
  if (isLength ? editLength("##value", value, style, ui) : editNumber("##value", value, style, ui)) set(value, gesture);
  if (resetButton("##reset", value == byDefault)) set(byDefault, std::string());
  ImGui::PopID();
}

/// The same for a length in metres.
template <typename Set>
void lengthRow(const char* label, double metres, double byDefault, const NumberStyle& style, UiState& ui, Set set) {
  numberRow(label, metres, byDefault, style, ui, set, true);
}

/// A combo of names, with a search field when there are many; returns the index chosen in this frame, else -1.
/// `present` is -1 for none, for which the closed combo shows `none`.
int choose(const char* id, const std::vector<std::string>& names, int present, const char* none, UiState& ui);

/// A small cross; true when clicked.
bool crossButton(const char* id, const char* tooltip);

/// A button; without `enabled` it is faint and cannot be clicked. True when clicked.
bool button(const char* label, const char* tooltip, bool enabled = true);

/// A button that stays down while `on`.
bool toggleButton(const char* label, bool on, const char* tooltip);

/// The menu item of a command: its key, its tip, and a check mark if it is on. `label` replaces that of the table.
void commandItem(Command command, const Session& session, CommandQueue& queue, const char* label = nullptr);
/// Its button. `label` and `tip` replace those of the table; it is faint without `enabled` and if it is not possible.
void commandButton(Command command, const Session& session, CommandQueue& queue, const char* label = nullptr,
                   const char* tip = nullptr, bool enabled = true);
/// Its check box.
void commandCheckbox(Command command, const Session& session, CommandQueue& queue, const char* label = nullptr);
/// Its tip with its key: "solves all goals (S)". `tip` replaces that of the table.
std::string tipOf(Command command, const Session& session, const char* tip = nullptr);

/// A check mark in a disc when met, else a cross in a diamond, so that colour is not the only difference.
void statusMark(bool isMet);

/// The same for a task that is done or not: a check mark in a disc, or a ring.
void statusDot(bool isDone);

/// A tooltip of the last item.
void tooltip(const char* text);
inline void tooltip(const std::string& text) { tooltip(text.c_str()); }

/// A text field over a std::string.
bool inputText(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags = 0);

/// A text field for a name: leaving it accepts the new name, Esc restores the old one. True when `name` has changed.
bool editName(const char* id, const char* hint, std::string& name, UiState& ui);

void disabledText(const char* format, ...) IM_FMTARGS(1);
/// The text, cut between characters so that it is at most `width` pixels wide with the ellipsis at its end.
std::string cutText(const std::string& text, float width, const char* ellipsis);
/// A note, cut to the rest of the line; if it is cut, a tooltip shows the whole text.
void fittedNote(const std::string& text);
/// Text that wraps at `end`, pixels from the window's left edge; 0 for its right edge.
void wrappedText(const std::string& text, const ImVec4& color = ImGui::GetStyleColorVec4(ImGuiCol_Text),
                 float end = 0.0f);
void wrappedNote(const std::string& text);
/// Text at the right end of the last item's line.
void textAtRight(const std::string& text);

/// Calls `row(i)` for those of `count` rows that are in sight. height: of a row with its spacing, in pixels; below 0 it
/// is measured.
template <typename Row>
void rowsInSight(std::size_t count, float height, Row row) {
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(count), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) row(static_cast<std::size_t>(i));
}

/// A small button that shows all rows of a list, or fewer again; true when clicked.
bool moreButton(std::size_t count, bool showsAll);

/// The same for a long list: only `few` rows, those around the row `focus`, until the user asks for all. Each row has
/// an id of its own.
template <typename Row>
void someRows(const char* id, std::size_t count, std::size_t few, float height, Row row, std::size_t focus = 0) {
  const ImGuiID key = ImGui::GetID(id);
  const bool isLong = count > few + 1, showsAll = !isLong || ImGui::GetStateStorage()->GetBool(key);
  const std::size_t first = showsAll ? 0 : std::min(focus > few / 2 ? focus - few / 2 : 0, count - few);
  ImGui::PushID(id);
  rowsInSight(showsAll ? count : few, height, [&](std::size_t i) {
    ImGui::PushID(static_cast<int>(first + i));
    row(first + i);
    ImGui::PopID();
  });
  if (isLong && moreButton(count, showsAll)) ImGui::GetStateStorage()->SetBool(key, !showsAll);
  ImGui::PopID();
}

/// Scrolls the window, if need be, so that a part of it is in sight; from the top and to the bottom, as of
/// ImGui::GetCursorPosY(). Of a part that is too high the top is in sight.
void scrollIntoView(float top, float bottom);

/// "1.23°"
std::string angleText(double radians);
/// The remaining error of a goal: "12.3 mm", "4.01°", "532 mm  24.5°". A value below 0 is left out; "free" for none.
std::string errorText(double metres, double radians, LengthUnit unit);

/// The smallest of 1, 2 or 5 times a power of ten that is not below `least`.
double roundStep(double least);

/// Fills a plot's area, and draws as many lines at powers of ten as there is room for, with labels on the left.
///
/// corner, size  the area, in screen coordinates
/// low, high     exponents of ten at its lower and upper edge, low < high
void drawDecades(const ImVec2& corner, const ImVec2& size, int low, int high);

/// True in the frame in which the key goes down; if it `repeats`, also while it is held, at the rate of the keyboard.
bool isKeyPressed(ImGuiKey key, bool repeats = true);

bool containsIgnoringCase(std::string text, std::string part);

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// The few parts that panels are made of: rows of label and value, number fields that refuse what is no number.
#pragma once

#include <imgui.h>

#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "app/editing/ui_state.h"
#include "app/settings/theme.h"
#include "app/settings/units.h"

namespace limber::app {

inline constexpr double kDegrees = 180.0 / std::numbers::pi;  ///< in a radian

/// How a number is shown and what it may be.
struct NumberStyle {
  double minimum = -std::numeric_limits<double>::infinity();  ///< with both ends finite the field fills like a slider
  double maximum = std::numeric_limits<double>::infinity();
  const char* format = "%.3f";  ///< with the unit: "%.1f°", "%.0f links"
  double speed = 0.01;          ///< change for a pixel of drag, for open ranges
  bool logarithmic = false;
  const char* tooltip = "";
};

/// Drag, or double-click to type. True when the value changed. What is not finite is refused with a message and the
/// old value stays; what is outside the range stops at its end.
bool editNumber(const char* id, double& value, const NumberStyle& style, UiState& ui);

/// The same for a length, in the unit that was chosen: `metres` and the style's range and speed are metres.
bool editLength(const char* id, double& metres, NumberStyle style, UiState& ui);

/// The name of the gesture of an item: all edits of one drag of it are one undo step.
std::string gestureOf(const char* id);
inline constexpr const char* kWidgetGesture = "widget ";

/// Label on the left, the next item fills the rest, less `reserved` em on the right.
void rowLabel(const char* label, const char* tooltip = "", float reservedEms = 0.0f);

inline constexpr float kResetEms = 1.8f;  ///< what a row leaves for its reset button

/// A small round arrow at the end of a row; true when clicked. Faint and idle when there is nothing to reset.
bool resetButton(const char* id, bool isDefault, const char* tooltip = "back to the default");

/// A row of one number and its reset; `set(value, gesture)` writes it.
template <typename Set>
void numberRow(const char* label, double value, double byDefault, const NumberStyle& style, UiState& ui, Set set) {
  ImGui::PushID(label);
  rowLabel(label, style.tooltip, kResetEms);
  const std::string gesture = gestureOf("##value");
  if (editNumber("##value", value, style, ui)) set(value, gesture);
  if (resetButton("##reset", value == byDefault)) set(byDefault, std::string());
  ImGui::PopID();
}

/// The same of a length; `set(metres, gesture)` writes it.
template <typename Set>
void lengthRow(const char* label, double metres, double byDefault, const NumberStyle& style, UiState& ui, Set set) {
  ImGui::PushID(label);
  rowLabel(label, style.tooltip, kResetEms);
  const std::string gesture = gestureOf("##value");
  if (editLength("##value", metres, style, ui)) set(metres, gesture);
  if (resetButton("##reset", metres == byDefault)) set(byDefault, std::string());
  ImGui::PopID();
}

/// A combo over names, with a field that finds among many; the one that was chosen in this frame, else -1.
/// `present` is -1 for none; its name, or `none`, shows while the combo is closed.
int choose(const char* id, const std::vector<std::string>& names, int present, const char* none, UiState& ui);

/// A small cross; true when clicked.
bool crossButton(const char* id, const char* tooltip);

/// A button that stays down while `on`.
bool toggleButton(const char* label, bool on, const char* tooltip);

/// A tick in a disc, or a cross in a diamond, as tall as the text: met or not, not by colour alone.
void statusMark(bool isMet);

/// Shown over the last item after a moment.
void tooltip(const char* text);

/// A text field over a std::string.
bool inputText(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags = 0);

void disabledText(const char* format, ...) IM_FMTARGS(1);
/// What fits in the rest of the line, an ellipsis for what does not; then the tooltip tells all of it.
void fittedNote(const std::string& text);
void wrappedNote(const std::string& text);

/// "1.23°"
std::string angleText(double radians);
/// What is left of a goal, each in its unit and short: "12.3 mm", "4.01°", "532 mm  24.5°". Below 0 is not asked for.
std::string errorText(double metres, double radians, LengthUnit unit);

bool containsIgnoringCase(std::string text, std::string part);

}  // namespace limber::app

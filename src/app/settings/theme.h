// SPDX-License-Identifier: MIT
// The colours of panels, dark and light. A test holds the contrast of all text at 4.5 to 1 or more (WCAG 2.1, 1.4.3).
#pragma once

#include <imgui.h>

#include "app/settings/preferences.h"

namespace limber::app {

struct ThemeColors {
  ImVec4 text, dimText;
  ImVec4 met, unmet, amber, accent;  ///< as text and as marks
  ImVec4 axes[3];                    ///< x, y, z
  ImVec4 folder;                     ///< in a list of files
  ImVec4 window, popup, menuBar;     ///< backgrounds of text
  ImVec4 field, fieldHovered, fieldActive;
  ImVec4 button, buttonHovered, buttonDown;
  ImVec4 header, rowHovered, selected, selectedText;
  ImVec4 border, line;  ///< `border` of popups; `line` of separators and plots
  ImVec4 scrollbar, scrollbarHovered;
  ImVec4 slider;
  ImVec4 sign;  ///< symbols on discs of met and unmet
  ImVec4 dim;   ///< over the window behind a dialog
};

inline const ThemeColors kDarkTheme{
    .text = {0.89f, 0.90f, 0.92f, 1.0f},
    .dimText = {0.69f, 0.72f, 0.765f, 1.0f},
    .met = {0.35f, 0.80f, 0.48f, 1.0f},
    .unmet = {0.98f, 0.50f, 0.48f, 1.0f},
    .amber = {1.00f, 0.72f, 0.25f, 1.0f},
    .accent = {0.33f, 0.68f, 1.00f, 1.0f},
    .axes = {{1.00f, 0.52f, 0.52f, 1.0f}, {0.50f, 0.82f, 0.40f, 1.0f}, {0.54f, 0.70f, 1.0f, 1.0f}},
    .folder = {0.62f, 0.80f, 1.0f, 1.0f},
    .window = {0.137f, 0.149f, 0.172f, 1.0f},
    .popup = {0.165f, 0.178f, 0.204f, 1.0f},
    .menuBar = {0.118f, 0.128f, 0.149f, 1.0f},
    .field = {0.095f, 0.104f, 0.122f, 1.0f},
    .fieldHovered = {0.205f, 0.222f, 0.255f, 1.0f},
    .fieldActive = {0.215f, 0.235f, 0.270f, 1.0f},
    .button = {0.225f, 0.245f, 0.285f, 1.0f},
    .buttonHovered = {0.28f, 0.305f, 0.355f, 1.0f},
    .buttonDown = {0.15f, 0.39f, 0.62f, 1.0f},
    .header = {0.185f, 0.20f, 0.232f, 1.0f},
    .rowHovered = {0.245f, 0.268f, 0.312f, 1.0f},
    .selected = {0.130f, 0.295f, 0.440f, 1.0f},
    .selectedText = {0.25f, 0.62f, 0.95f, 0.40f},
    .border = {0.0f, 0.0f, 0.0f, 0.28f},
    .line = {1.0f, 1.0f, 1.0f, 1.0f},
    .scrollbar = {0.30f, 0.325f, 0.37f, 1.0f},
    .scrollbarHovered = {0.37f, 0.40f, 0.45f, 1.0f},
    .slider = {0.25f, 0.62f, 0.95f, 0.55f},
    .sign = {0.08f, 0.09f, 0.11f, 1.0f},
    .dim = {0.05f, 0.06f, 0.08f, 0.45f},
};

inline const ThemeColors kLightTheme{
    .text = {0.10f, 0.115f, 0.14f, 1.0f},
    .dimText = {0.32f, 0.345f, 0.385f, 1.0f},
    .met = {0.03f, 0.40f, 0.16f, 1.0f},
    .unmet = {0.74f, 0.09f, 0.09f, 1.0f},
    .amber = {0.48f, 0.285f, 0.00f, 1.0f},
    .accent = {0.03f, 0.37f, 0.70f, 1.0f},
    .axes = {{0.72f, 0.10f, 0.10f, 1.0f}, {0.10f, 0.39f, 0.04f, 1.0f}, {0.10f, 0.29f, 0.78f, 1.0f}},
    .folder = {0.05f, 0.33f, 0.66f, 1.0f},
    .window = {0.925f, 0.930f, 0.938f, 1.0f},
    .popup = {0.965f, 0.968f, 0.972f, 1.0f},
    .menuBar = {0.875f, 0.883f, 0.895f, 1.0f},
    .field = {1.0f, 1.0f, 1.0f, 1.0f},
    .fieldHovered = {0.955f, 0.968f, 0.985f, 1.0f},
    .fieldActive = {0.930f, 0.952f, 0.980f, 1.0f},
    .button = {0.825f, 0.838f, 0.858f, 1.0f},
    .buttonHovered = {0.775f, 0.795f, 0.825f, 1.0f},
    .buttonDown = {0.580f, 0.770f, 0.950f, 1.0f},
    .header = {0.845f, 0.856f, 0.872f, 1.0f},
    .rowHovered = {0.805f, 0.825f, 0.855f, 1.0f},
    .selected = {0.700f, 0.835f, 0.960f, 1.0f},
    .selectedText = {0.25f, 0.62f, 0.95f, 0.35f},
    .border = {0.0f, 0.0f, 0.0f, 0.22f},
    .line = {0.0f, 0.0f, 0.0f, 1.0f},
    .scrollbar = {0.68f, 0.70f, 0.73f, 1.0f},
    .scrollbarHovered = {0.58f, 0.60f, 0.64f, 1.0f},
    .slider = {0.25f, 0.62f, 0.95f, 0.65f},
    .sign = {1.0f, 1.0f, 1.0f, 1.0f},
    .dim = {0.20f, 0.22f, 0.25f, 0.35f},
};

inline const ThemeColors& themeColors(ThemeName name) { return name == ThemeName::Light ? kLightTheme : kDarkTheme; }

/// The theme in use; global, as Dear ImGui's style is. applyTheme() sets both.
inline ThemeColors presentTheme = kDarkTheme;

namespace colors {
inline constexpr const ImVec4& kText = presentTheme.text;
inline constexpr const ImVec4& kMet = presentTheme.met;
inline constexpr const ImVec4& kUnmet = presentTheme.unmet;
inline constexpr const ImVec4& kAmber = presentTheme.amber;
inline constexpr const ImVec4& kAccent = presentTheme.accent;
inline constexpr const ImVec4 (&kAxes)[3] = presentTheme.axes;
}  // namespace colors

/// The colour of a separator or plot line of this opacity, in [0, 1].
inline ImVec4 faintLine(float strength) {
  ImVec4 color = presentTheme.line;
  color.w = strength;
  return color;
}

inline ImVec4 withOpacity(ImVec4 color, float opacity) {
  color.w = opacity;
  return color;
}

/// Sets presentTheme and Dear ImGui's style, whose sizes are multiplied by `scale`.
void applyTheme(double scale, ThemeName name = ThemeName::Dark);

}  // namespace limber::app

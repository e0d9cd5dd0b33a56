// SPDX-License-Identifier: MIT
#include "app/settings/theme.h"

namespace limber::app {

namespace {

void setColors(const ThemeColors& theme, ImVec4* colors) {
  const ImVec4 none(0.0f, 0.0f, 0.0f, 0.0f);
  colors[ImGuiCol_Text] = theme.text;
  colors[ImGuiCol_TextDisabled] = theme.dimText;
  colors[ImGuiCol_WindowBg] = theme.window;
  colors[ImGuiCol_ChildBg] = none;
  colors[ImGuiCol_PopupBg] = theme.popup;
  colors[ImGuiCol_Border] = theme.border;
  colors[ImGuiCol_FrameBg] = theme.field;
  colors[ImGuiCol_FrameBgHovered] = theme.fieldHovered;
  colors[ImGuiCol_FrameBgActive] = theme.fieldActive;
  colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgActive] = colors[ImGuiCol_TitleBgCollapsed] = theme.popup;
  colors[ImGuiCol_MenuBarBg] = theme.menuBar;
  colors[ImGuiCol_ScrollbarBg] = none;
  colors[ImGuiCol_ScrollbarGrab] = theme.scrollbar;
  colors[ImGuiCol_ScrollbarGrabHovered] = colors[ImGuiCol_ScrollbarGrabActive] = theme.scrollbarHovered;
  colors[ImGuiCol_CheckMark] = theme.accent;
  colors[ImGuiCol_SliderGrab] = theme.slider;
  colors[ImGuiCol_SliderGrabActive] = theme.accent;
  colors[ImGuiCol_Button] = theme.button;
  colors[ImGuiCol_ButtonHovered] = theme.buttonHovered;
  colors[ImGuiCol_ButtonActive] = theme.buttonDown;
  colors[ImGuiCol_Header] = theme.selected;
  colors[ImGuiCol_HeaderHovered] = theme.rowHovered;
  colors[ImGuiCol_HeaderActive] = theme.buttonHovered;
  colors[ImGuiCol_Separator] = withOpacity(theme.line, 0.09f);
  colors[ImGuiCol_SeparatorHovered] = colors[ImGuiCol_SeparatorActive] = theme.accent;
  colors[ImGuiCol_TableHeaderBg] = theme.header;
  colors[ImGuiCol_TableBorderStrong] = colors[ImGuiCol_TableBorderLight] = withOpacity(theme.line, 0.09f);
  colors[ImGuiCol_PlotHistogram] = theme.slider;
  colors[ImGuiCol_TextSelectedBg] = theme.selectedText;
  colors[ImGuiCol_ModalWindowDimBg] = theme.dim;
}

}  // namespace

void applyTheme(double scale, ThemeName name) {
  presentTheme = themeColors(name);
  ImGuiStyle style;
  if (name == ThemeName::Light) ImGui::StyleColorsLight(&style);
  else ImGui::StyleColorsDark(&style);
  style.WindowPadding = {10, 10};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.IndentSpacing = 14;
  style.ScrollbarSize = 11;
  style.FrameRounding = 4;
  style.PopupRounding = 6;
  style.WindowRounding = 6;
  style.ScrollbarRounding = 6;
  style.GrabRounding = 4;
  style.WindowBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = name == ThemeName::Light ? 1.0f : 0.0f;  // white fields need an edge on a light ground
  setColors(presentTheme, style.Colors);
  style.ScaleAllSizes(static_cast<float>(scale));
  ImGui::GetStyle() = style;
}

}  // namespace limber::app

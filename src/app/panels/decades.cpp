// SPDX-License-Identifier: MIT
#include "app/panels/widgets.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/settings/theme.h"

namespace limber::app {

double roundStep(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= least) return step * power;
  return 10.0 * power;
}

void drawDecades(const ImVec2& corner, const ImVec2& size, int low, int high) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  list.AddRectFilled(corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg), ImGui::GetStyle().FrameRounding);
  const int room = std::max(2, static_cast<int>(size.y / (1.5f * em)));
  const int step = (high - low + room - 1) / room;
  for (int power = high; power >= low; power -= step) {
    const float y = corner.y + size.y * static_cast<float>(high - power) / static_cast<float>(high - low);
    list.AddLine(ImVec2(corner.x, y), ImVec2(end.x, y), ImGui::GetColorU32(faintLine(0.09f)));
    char text[16];
    std::snprintf(text, sizeof text, "1e%d", power);
    const ImVec2 extent = ImGui::CalcTextSize(text);
    const float top = std::clamp(y - 0.5f * extent.y, corner.y - 0.2f * em, end.y - extent.y);
    list.AddText(ImVec2(corner.x - extent.x - 0.35f * em, top), ImGui::GetColorU32(ImGuiCol_TextDisabled), text);
  }
}

}  // namespace limber::app

// SPDX-License-Identifier: MIT
#include "app/panels/picture_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/settings/theme.h"

namespace limber::app {

namespace {

constexpr float kPictureEms = 5.6f;  // least width of a cell

}  // namespace

PictureGrid::PictureGrid(float width, int linesBelow) : lines(linesBelow) {
  const float em = ImGui::GetFontSize();
  gap = 0.4f * em;
  line = ImGui::GetTextLineHeightWithSpacing();
  columns = std::max(1, static_cast<int>((width + gap) / (kPictureEms * em + gap)));
  cell = std::floor((width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
}

void drawPictureCell(unsigned texture, const ImVec2& corner, float width, bool isChosen, bool isHovered) {
  const float em = ImGui::GetFontSize(), round = 0.25f * em;
  const ImVec2 end(corner.x + width, corner.y + width);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg), round);
  if (texture != 0)  // OpenGL has the lowest row first
    list.AddImageRounded((ImTextureID)(std::intptr_t)texture, corner, end, ImVec2(0, 1), ImVec2(1, 0), IM_COL32_WHITE,
                         round);
  if (isChosen || isHovered)
    list.AddRect(corner, end, ImGui::GetColorU32(isChosen ? colors::kAccent : colors::kText), round, 0, 0.13f * em);
}

void drawPictureCaption(const ImVec2& corner, float width, int lineBelow, const std::string& text,
                        const ImVec4& color) {
  const float size = ImGui::CalcTextSize(text.c_str()).x, line = ImGui::GetTextLineHeightWithSpacing();
  const ImVec2 from(corner.x, corner.y + width + 0.1f * ImGui::GetFontSize() + static_cast<float>(lineBelow) * line);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(from, ImVec2(from.x + width, from.y + line), true);
  list.AddText(ImVec2(from.x + std::max(0.5f * (width - size), 0.0f), from.y), ImGui::GetColorU32(color), text.c_str());
  list.PopClipRect();
}

}  // namespace limber::app

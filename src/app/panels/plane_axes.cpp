// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/settings/units.h"

namespace limber::app {

namespace {

constexpr double kLeastGapEms = 5.0;  // between two numbers

struct PlaneAxis {
  int axis;     ///< 0 for x, along the lower edge; 1 for y, along the left one
  double unit;  ///< shown units for a metre
  const char* suffix;
};

/// The screen coordinate along the edge of a point on the axis.
float alongEdge(const Session& session, const Rectangle& picture, int axis, double metres) {
  const auto pixel = render::projectToPixel(session.picture.view(), metres * Eigen::Vector3d::Unit(axis));
  if (!pixel) return -1.0f;
  const double scale = picture.width / std::max(session.picture.area.width, 1.0);
  return static_cast<float>(axis == 0 ? picture.x + scale * pixel->x() : picture.y + scale * pixel->y());
}

void drawTick(const Rectangle& picture, int axis, float at, const char* text, float em) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const float size = 0.85f * em, left = static_cast<float>(picture.x);
  const float bottom = static_cast<float>(picture.y + picture.height);
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const ImVec2 extent = ImGui::GetFont()->CalcTextSizeA(size, 1e6f, 0.0f, text);
  const ImVec2 corner = axis == 0 ? ImVec2(at - 0.5f * extent.x, bottom - 0.5f * em - extent.y)
                                  : ImVec2(left + 0.55f * em, at - 0.5f * extent.y);
  const ImVec2 end = axis == 0 ? ImVec2(at, bottom - 0.35f * em) : ImVec2(left + 0.35f * em, at);
  list.AddLine(axis == 0 ? ImVec2(at, bottom) : ImVec2(left, at), end, color, std::max(1.0f, 0.07f * em));
  list.AddText(ImGui::GetFont(), size, corner, color, text);
}

void drawPlaneAxis(const Session& session, const Rectangle& picture, const PlaneAxis& along) {
  const float em = ImGui::GetFontSize();
  const double perNumber = render::pixelSize(session.picture.view(), session.picture.camera.centre) *
                           (session.picture.area.width / picture.width) * along.unit;  // shown units per screen pixel
  const double step = roundStep(kLeastGapEms * em * perNumber);
  const double extent = along.axis == 0 ? picture.width : picture.height;
  const double middle = session.picture.camera.centre[along.axis] * along.unit, half = 0.5 * extent * perNumber;
  const double margin = 1.5 * em * perNumber;  // leaves room at the corner, where the two axes meet
  for (double number = std::ceil((middle - half) / step) * step; number <= middle + half; number += step) {
    const double shown = std::abs(number) < 0.5 * step ? 0.0 : number;
    const float at = alongEdge(session, picture, along.axis, shown / along.unit);
    const bool isFirst = along.axis == 0 ? at < picture.x + 2.5 * em : at > picture.y + picture.height - 1.8 * em;
    if (isFirst) continue;
    char text[48];
    const bool isLast = number + step > middle + half - margin;
    std::snprintf(text, sizeof text, isLast ? "%.6g %s" : "%.6g", shown, along.suffix);
    drawTick(picture, along.axis, at, text, em);
  }
}

}  // namespace

void drawPlaneAxes(const Session& session, const Rectangle& picture) {
  if (picture.width < 1.0 || picture.height < 1.0 || session.picture.area.width < 1.0) return;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect(
      ImVec2(static_cast<float>(picture.x), static_cast<float>(picture.y)),
      ImVec2(static_cast<float>(picture.x + picture.width), static_cast<float>(picture.y + picture.height)));
  const LengthUnit unit = session.settings.unit;
  for (const int axis : {0, 1}) drawPlaneAxis(session, picture, {axis, unitsPerMetre(unit), unitSuffix(unit)});
  list.PopClipRect();
}

}  // namespace limber::app

// SPDX-License-Identifier: MIT
#include "app/panels/distribution_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "app/panels/widgets.h"

namespace limber::app {

namespace {

constexpr std::size_t kFewest = 3;  // joints that make a curve worth a plot
constexpr double kDegree = std::numbers::pi / 180.0;

std::string labelOf(const std::string& joint) { return joint.substr(0, joint.rfind('_')); }

/// Angle in degrees of the i-th joint from the outer end.
double degreesAt(const Document& document, const JointGroup& curve, std::size_t i) {
  const int joint = curve.joints[curve.joints.size() - 1 - i];
  return document.pose.coordinates[document.figure->joint(joint).poseIndex] / kDegree;
}

/// The area of the plot and the ranges of its axes.
struct DistributionAxes {
  ImVec2 corner, size;
  double low = -1.0, high = 1.0;  ///< degrees
  std::size_t count = 1;

  float x(std::size_t i) const {
    return corner.x + size.x * (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
  }
  float y(double degrees) const { return corner.y + size.y * static_cast<float>((high - degrees) / (high - low)); }
};

/// The distance between grid lines, for about four lines.
double gridStep(double span) { return roundStep(span / 4.0); }

DistributionAxes axesOf(const Document& document, const Distribution& distribution, const ImVec2& corner,
                        const ImVec2& size) {
  DistributionAxes axes{corner, size, -1.0, 1.0, distribution.labels.size()};
  for (const JointGroup& curve : distribution.curves)
    for (std::size_t i = 0; i < axes.count; ++i) {
      axes.low = std::min(axes.low, degreesAt(document, curve, i));
      axes.high = std::max(axes.high, degreesAt(document, curve, i));
    }
  const double step = gridStep(axes.high - axes.low);
  axes.low = step * std::floor(axes.low / step);
  axes.high = step * std::ceil(axes.high / step);
  return axes;
}

void drawGrid(const DistributionAxes& axes, float labelWidth) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(axes.corner, ImVec2(axes.corner.x + axes.size.x, axes.corner.y + axes.size.y),
                     ImGui::GetColorU32(ImGuiCol_FrameBg), ImGui::GetStyle().FrameRounding);
  const double step = gridStep(axes.high - axes.low);
  for (double degrees = axes.low; degrees < axes.high + 0.5 * step; degrees += step) {
    const float y = axes.y(degrees), faint = std::abs(degrees) < 0.5 * step ? 0.28f : 0.09f;
    list.AddLine(ImVec2(axes.corner.x, y), ImVec2(axes.corner.x + axes.size.x, y),
                 ImGui::GetColorU32(faintLine(faint)));
    char text[24];
    std::snprintf(text, sizeof text, "%.3g°", std::abs(degrees) < 0.5 * step ? 0.0 : degrees);
    const ImVec2 size = ImGui::CalcTextSize(text);
    const float top = std::clamp(y - 0.5f * size.y, axes.corner.y, axes.corner.y + axes.size.y - size.y);
    list.AddText(ImVec2(axes.corner.x - size.x - 0.12f * labelWidth, top), ImGui::GetColorU32(ImGuiCol_TextDisabled),
                 text);
  }
}

/// Draws as many of the names under the plot as fit.
void drawNames(const DistributionAxes& axes, const Distribution& distribution) {
  float widest = 1.0f;
  for (const std::string& label : distribution.labels) widest = std::max(widest, ImGui::CalcTextSize(label.c_str()).x);
  const float room = axes.size.x / static_cast<float>(axes.count);
  const auto stride = static_cast<std::size_t>(std::max(1.0f, std::ceil(1.25f * widest / room)));
  for (std::size_t i = 0; i < axes.count; i += stride) {
    const char* label = distribution.labels[i].c_str();
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(axes.x(i) - 0.5f * ImGui::CalcTextSize(label).x, axes.corner.y + axes.size.y),
        ImGui::GetColorU32(ImGuiCol_TextDisabled), label);
  }
}

/// Draws a disc, a square or a diamond, so that curves differ by more than their colours.
void drawMark(ImDrawList& list, const ImVec2& at, float radius, std::size_t curve, ImU32 color) {
  if (curve % 3 == 1)
    list.AddRectFilled(ImVec2(at.x - radius, at.y - radius), ImVec2(at.x + radius, at.y + radius), color);
  else list.AddNgonFilled(at, 1.2f * radius, color, curve % 3 == 0 ? 12 : 4);
}

void drawCurves(const Document& document, const Distribution& distribution, const DistributionAxes& axes) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  for (std::size_t k = 0; k < distribution.curves.size(); ++k) {
    const ImU32 color = ImGui::GetColorU32(colors::kAxes[k % 3]);
    for (std::size_t i = 0; i < axes.count; ++i) {
      const ImVec2 at(axes.x(i), axes.y(degreesAt(document, distribution.curves[k], i)));
      if (i > 0)
        list.AddLine(ImVec2(axes.x(i - 1), axes.y(degreesAt(document, distribution.curves[k], i - 1))), at, color,
                     std::max(1.0f, 0.08f * em));
      drawMark(list, at, 0.15f * em, k, color);
    }
  }
}

void drawLegend(const Distribution& distribution) {
  const float em = ImGui::GetFontSize();
  for (std::size_t k = 0; k < distribution.curves.size(); ++k) {
    if (k > 0) ImGui::SameLine(0.0f, em);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawMark(*ImGui::GetWindowDrawList(), ImVec2(at.x + 0.3f * em, at.y + 0.55f * em), 0.22f * em, k,
             ImGui::GetColorU32(colors::kAxes[k % 3]));
    ImGui::Dummy(ImVec2(0.6f * em, em));
    ImGui::SameLine(0.0f, 0.3f * em);
    ImGui::TextUnformatted(distribution.curves[k].name.c_str());
  }
}

/// Shows the angles under the mouse; a click selects the joint whose point is nearest.
void point(const Document& document, const Distribution& distribution, const DistributionAxes& axes,
           CommandQueue& queue) {
  const ImVec2 mouse = ImGui::GetMousePos();
  const float place = (mouse.x - axes.corner.x) / axes.size.x * static_cast<float>(axes.count);
  const auto i = static_cast<std::size_t>(std::clamp(place, 0.0f, static_cast<float>(axes.count) - 1.0f));
  std::string text = distribution.labels[i];
  const JointGroup* nearest = nullptr;
  float least = 0.0f;
  for (const JointGroup& curve : distribution.curves) {
    const double degrees = degreesAt(document, curve, i);
    char line[160];
    std::snprintf(line, sizeof line, "\n%s %.2f°", curve.name.c_str(), degrees);
    text += line;
    const float distance = std::abs(axes.y(degrees) - mouse.y);
    if (!nearest || distance < least) nearest = &curve, least = distance;
  }
  ImGui::SetTooltip("%s", text.c_str());
  if (nearest && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    queue.add(Command::Select, Selection{nearest->joints[nearest->joints.size() - 1 - i], -1});
}

void drawOne(const Document& document, const Distribution& distribution, CommandQueue& queue) {
  const float em = ImGui::GetFontSize(), labelWidth = 2.4f * em, height = 8.0f * em;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::max(ImGui::GetContentRegionAvail().x - labelWidth, em), height);
  const DistributionAxes axes = axesOf(document, distribution, ImVec2(origin.x + labelWidth, origin.y), size);
  drawGrid(axes, labelWidth);
  drawNames(axes, distribution);
  drawCurves(document, distribution, axes);
  ImGui::Dummy(ImVec2(labelWidth + size.x, height + 1.1f * em));
  if (ImGui::IsItemHovered()) point(document, distribution, axes, queue);
  drawLegend(distribution);
}

}  // namespace

std::vector<Distribution> distributions(const Figure& figure) {
  std::vector<Distribution> result;
  for (JointGroup& group : jointGroups(figure)) {
    if (!group.isRow || group.joints.size() < kFewest) continue;
    std::vector<std::string> labels;
    for (auto joint = group.joints.rbegin(); joint != group.joints.rend(); ++joint)
      labels.push_back(labelOf(figure.joint(*joint).name));
    auto same = std::ranges::find(result, labels, &Distribution::labels);
    if (same == result.end()) same = result.insert(result.end(), Distribution{std::move(labels), {}});
    same->curves.push_back(std::move(group));
  }
  std::erase_if(result, [&](const Distribution& distribution) {  // the axis shows only angles
    return std::ranges::any_of(distribution.curves, [&](const JointGroup& curve) {
      return std::ranges::any_of(curve.joints, [&](int j) { return figure.joint(j).type != JointType::Revolute; });
    });
  });
  return result;
}

void drawDistributions(const Document& document, const std::vector<Distribution>& distributions, CommandQueue& queue) {
  int id = 0;
  for (const Distribution& distribution : distributions) {
    ImGui::PushID(id++);
    drawOne(document, distribution, queue);
    ImGui::PopID();
  }
}

}  // namespace limber::app

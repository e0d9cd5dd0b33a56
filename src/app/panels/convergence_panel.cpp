// SPDX-License-Identifier: MIT
// Plots objective and gradient norm of the last solve over the iterations, on a logarithmic scale.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

const ImVec4 kPhaseColors[2] = {{0.98f, 0.70f, 0.30f, 1.0f}, {0.35f, 0.70f, 1.0f, 1.0f}};
constexpr double kLowest = 1e-16;  // smaller values are drawn here

/// The area of the plot and the ranges of its axes.
struct Axes {
  ImVec2 corner, size;
  double low = 0.0, high = 1.0;  ///< powers of ten
  std::size_t count = 1;

  ImVec2 place(std::size_t i, double value) const {
    const double x = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
    const double y = (std::log10(std::max(value, kLowest)) - low) / (high - low);
    return {corner.x + static_cast<float>(x) * size.x, corner.y + size.y - static_cast<float>(y) * size.y};
  }
};

Axes axesOf(std::span<const IterationRecord> history, const ImVec2& corner, const ImVec2& size) {
  Axes axes{corner, size};
  double low = 1e300, high = kLowest;
  for (const IterationRecord& record : history)
    for (const double value : {record.objective, record.gradientNorm}) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, std::max(value, kLowest));
      high = std::max(high, value);
    }
  axes.low = std::floor(std::log10(std::min(low, high)));
  axes.high = std::max(std::ceil(std::log10(high)), axes.low + 1.0);
  axes.count = history.size();
  return axes;
}

/// Draws f as a thick line and the gradient norm as a thin one; the colour tells the phase of the solver.
void drawCurves(const Axes& axes, std::span<const IterationRecord> history) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  const std::size_t stride = std::max<std::size_t>(1, history.size() / 400);
  for (std::size_t i = 0; i < history.size(); i += stride) {
    const IterationRecord& now = history[i];
    const ImVec4 color = kPhaseColors[std::clamp(now.phase, 0, 1)];
    const ImVec2 f = axes.place(i, now.objective), g = axes.place(i, now.gradientNorm);
    const ImU32 solid = ImGui::GetColorU32(color), faint = ImGui::GetColorU32(ImVec4(color.x, color.y, color.z, 0.5f));
    if (i >= stride) {
      const IterationRecord& last = history[i - stride];
      list.AddLine(axes.place(i - stride, last.objective), f, solid, std::max(1.5f, 0.13f * em));
      list.AddLine(axes.place(i - stride, last.gradientNorm), g, faint, std::max(1.0f, 0.06f * em));
    }
    if (history.size() <= 60) {
      list.AddCircleFilled(f, 0.17f * em, solid, 12);
      list.AddCircle(g, 0.15f * em, faint, 12, std::max(1.0f, 0.06f * em));
    }
  }
}

void drawLegend(const Summary& summary) {
  const float em = ImGui::GetFontSize();
  for (int i = 0; i < std::min(summary.phaseCount, 2); ++i) {
    const PhaseCount& phase = summary.phases[i];
    if (i > 0) ImGui::SameLine(0.0f, em);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, at.y + 0.35f * em),
                                              ImVec2(at.x + 0.7f * em, at.y + 0.8f * em),
                                              ImGui::GetColorU32(kPhaseColors[i]), 2.0f);
    ImGui::Dummy(ImVec2(0.7f * em, em));
    ImGui::SameLine(0.0f, 0.4f * em);
    ImGui::Text("%s %d", std::string(phase.phase).c_str(), phase.iterations);
    tooltip("iterations of this part of the solver");
  }
  if (summary.phaseCount > 0) ImGui::SameLine(0.0f, em);
  disabledText("f thick, |g| thin");
  tooltip("objective, and the largest entry of its projected gradient");
  if (!std::isfinite(summary.gradientDifference)) return;
  disabledText(
      std::isfinite(summary.hessianDifference) ? "forward differences: g %.1e, H %.1e" : "forward differences: g %.1e",
      summary.gradientDifference, summary.hessianDifference);
  tooltip(
      "largest deviation from forward differences of step 1e-7 over all iterations, relative to 1 + the largest "
      "entry;\nthe differences themselves have an error of half the step times the next derivative, such as 5e-4 "
      "for a curvature of 1e4");
}

}  // namespace

void drawConvergence(const Session& session, float height) {
  const std::span<const IterationRecord> history = session.solving.historyFor(session.document());
  const Summary& summary = session.solving.posing().report().summary;
  const float em = ImGui::GetFontSize(), labelWidth = 2.4f * em;
  ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::max(ImGui::GetContentRegionAvail().x - labelWidth, em), height);
  corner.x += labelWidth;
  Axes axes = axesOf(history, corner, size);
  if (history.empty()) axes.low = -6.0, axes.high = 3.0;
  drawDecades(corner, size, static_cast<int>(axes.low), static_cast<int>(axes.high));
  if (history.size() == 1) axes.count = 2;
  drawCurves(axes, history);
  ImGui::Dummy(ImVec2(labelWidth + size.x, height));
  if (history.empty()) disabledText("no solve yet");
  else drawLegend(summary);
}

void drawConvergencePanel(const Session& session, UiState& ui) {
  drawConvergence(session, 8.0f * ImGui::GetFontSize());
  if (ImGui::SmallButton("Enlarge ...")) ui.showIterations = true;
  tooltip("opens a window with the curves and a table of all iterations that can be copied");
}

}  // namespace limber::app

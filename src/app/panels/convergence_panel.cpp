// SPDX-License-Identifier: MIT
// Plots objective and gradient norm of the last solve over the iterations, on a logarithmic scale.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
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
  double floor = 0.0;  ///< subtracted from f

  double above(const IterationRecord& record) const { return record.objective - floor; }

  ImVec2 place(std::size_t i, double value) const {
    const double x = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
    const double y = std::max((std::log10(std::max(value, kLowest)) - low) / (high - low), 0.0);
    return {corner.x + static_cast<float>(x) * size.x, corner.y + size.y - static_cast<float>(y) * size.y};
  }
};

/// The lowest finite f.
double lowestOf(std::span<const IterationRecord> history) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const IterationRecord& record : history)
    if (std::isfinite(record.objective)) lowest = std::min(lowest, record.objective);
  return std::isfinite(lowest) ? lowest : 0.0;
}

Axes axesOf(std::span<const IterationRecord> history, bool isAboveLowest, const ImVec2& corner, const ImVec2& size) {
  Axes axes{corner, size};
  if (isAboveLowest) axes.floor = lowestOf(history);
  double low = 1e300, high = kLowest;
  for (const IterationRecord& record : history)
    for (const double value : {axes.above(record), record.gradientNorm}) {
      if (!std::isfinite(value) || (isAboveLowest && !(value > 0.0))) continue;  // the lowest f is at the bottom
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
    const ImVec2 f = axes.place(i, axes.above(now)), g = axes.place(i, now.gradientNorm);
    const ImU32 solid = ImGui::GetColorU32(color), faint = ImGui::GetColorU32(ImVec4(color.x, color.y, color.z, 0.5f));
    if (i >= stride) {
      const IterationRecord& last = history[i - stride];
      list.AddLine(axes.place(i - stride, axes.above(last)), f, solid, std::max(1.5f, 0.13f * em));
      list.AddLine(axes.place(i - stride, last.gradientNorm), g, faint, std::max(1.0f, 0.06f * em));
    }
    if (history.size() <= 60) {
      list.AddCircleFilled(f, 0.17f * em, solid, 12);
      list.AddCircle(g, 0.15f * em, faint, 12, std::max(1.0f, 0.06f * em));
    }
  }
}

/// Draws the numbers and the title of the axis of iterations, below the plot, and the title of the other one in it.
void labelAxes(const Axes& axes, bool isAboveLowest) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize(), bottom = axes.corner.y + axes.size.y + 0.15f * em;
  const ImU32 grey = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const char* across = "iteration";
  const float end = axes.corner.x + axes.size.x - ImGui::CalcTextSize(across).x;
  list.AddText(ImVec2(end, bottom), grey, across);
  const char* upward = isAboveLowest ? "f - min f, |g|" : "f, |g|";
  list.AddText(
      ImVec2(axes.corner.x + axes.size.x - ImGui::CalcTextSize(upward).x - 0.4f * em, axes.corner.y + 0.2f * em), grey,
      upward);
  if (axes.count < 2) return;
  const auto last = static_cast<double>(axes.count - 1);
  const double step = std::max(1.0, roundStep(last * 4.0 * em / std::max(axes.size.x, em)));
  for (double tick = 0.0; tick <= last; tick += step) {
    const std::string text = std::to_string(static_cast<long>(tick));
    const float x = axes.corner.x + static_cast<float>(tick / last) * axes.size.x;
    const float width = ImGui::CalcTextSize(text.c_str()).x, left = std::max(x - 0.5f * width, axes.corner.x);
    if (left + width > end - 0.5f * em) break;
    list.AddLine(ImVec2(x, axes.corner.y), ImVec2(x, axes.corner.y + axes.size.y),
                 ImGui::GetColorU32(faintLine(0.06f)));
    list.AddText(ImVec2(left, bottom), grey, text.c_str());
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

void drawConvergence(const Session& session, UiState& ui, float height) {
  const std::span<const IterationRecord> history = session.solving.historyFor(session.document());
  const Summary& summary = session.solving.posing().report().summary;
  const float em = ImGui::GetFontSize(), labelWidth = 2.4f * em, labelHeight = 1.3f * em;
  ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::max(ImGui::GetContentRegionAvail().x - labelWidth, em), std::max(height - labelHeight, em));
  corner.x += labelWidth;
  Axes axes = axesOf(history, ui.convergence.isAboveLowest, corner, size);
  if (history.empty()) axes.low = -6.0, axes.high = 3.0;
  drawDecades(corner, size, static_cast<int>(axes.low), static_cast<int>(axes.high));
  labelAxes(axes, ui.convergence.isAboveLowest);
  if (history.size() == 1) axes.count = 2;
  drawCurves(axes, history);
  ImGui::Dummy(ImVec2(labelWidth + size.x, height));
  if (history.empty()) disabledText("no solve yet");
  else drawLegend(summary);
  ImGui::Checkbox("f minus its minimum", &ui.convergence.isAboveLowest);
  tooltip("shows the distance of f from its lowest value, so that the rate of convergence is a slope");
}

void drawConvergencePanel(const Session& session, UiState& ui) {
  drawConvergence(session, ui, 8.5f * ImGui::GetFontSize());
  if (ImGui::SmallButton("Enlarge ...")) ui.convergence.hasWindow = true;
  tooltip("opens a window with the curves and a table of all iterations that can be copied");
}

}  // namespace limber::app

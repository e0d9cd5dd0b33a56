// SPDX-License-Identifier: MIT
// Fits the figure to observed points: matches points, sets the scale and shows the errors of the result.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/stage/fit_job.h"

namespace limber::app {

namespace {

constexpr std::size_t kWorst = 5;    // count of listed points
constexpr double kFitLowest = 1e-6;  // mm; smaller values are drawn here

void drawSource(const FitState& fit, CommandQueue& queue) {
  const Observations& seen = *fit.plan->observations;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fit.plan->source.c_str());
  for (const std::string& note : fit.notes) tooltip(note);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::GetFrameHeight());
  if (crossButton("##close", "closes the observations; the fitted motion stays")) queue.add(Command::CloseFit);
  disabledText("%d points, %d frames, %.4g frames/s", seen.pointCount(), seen.frameCount, 1.0 / seen.frameTime);
  ImGui::SameLine();
  if (ImGui::SmallButton("Other ...")) queue.add(Command::OpenObservations);
}

void drawChoices(FitPlan& plan, const FitAnswer* answer, UiState& ui) {
  rowLabel("Points", "ends and root: uses only the ends of limbs and the point nearest to the root");
  if (ImGui::RadioButton("all", !plan.onlyEnds)) plan.onlyEnds = false;
  ImGui::SameLine();
  if (ImGui::RadioButton("ends and root", plan.onlyEnds)) plan.onlyEnds = true;

  rowLabel("Scale", "length in the figure for one unit of observed length; auto: from the lengths of bones");
  bool isAutomatic = !plan.scale;
  const double shown = plan.scale.value_or(answer ? answer->scale.scale : 1.0);
  if (ImGui::Checkbox("auto", &isAutomatic)) plan.scale = isAutomatic ? std::nullopt : std::optional(shown);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1.0f);
  double scale = shown;
  ImGui::BeginDisabled(isAutomatic);
  const char* format = isAutomatic && !answer ? "by the bones" : "%.4g";
  if (editNumber("##scale", scale, {.minimum = 1e-6, .maximum = 1e6, .format = format, .logarithmic = true}, ui))
    plan.scale = scale;
  ImGui::EndDisabled();

  numberRow("Damping", plan.options.damping, FitOptions{}.damping,
            {.minimum = 0.0,
             .maximum = 100.0,
             .format = "%.1f",
             .tooltip = "damping of poorly observed joints, such as the twist of a straight arm"},
            ui, [&](double value, const std::string&) { plan.options.damping = value; });
}

/// Which observed point is which point of the figure.
void drawMap(const Document& document, FitPlan& plan, UiState& ui) {
  const auto matched = static_cast<int>(plan.names.size()) - static_cast<int>(std::ranges::count(plan.names, ""));
  char title[64];
  std::snprintf(title, sizeof title, "%d of %d points are matched###map", matched, static_cast<int>(plan.names.size()));
  const bool isOpen = ImGui::TreeNodeEx(title, matched == 0 ? ImGuiTreeNodeFlags_DefaultOpen : 0);
  tooltip("which observed point is which site or joint of the figure");
  if (!isOpen) return;
  std::vector<std::string> choices = {"(none)"};
  for (const std::string& name : pointNames(*document.figure)) choices.push_back(name);
  constexpr std::size_t kFewRows = 8;
  someRows("map", plan.names.size(), kFewRows, ImGui::GetFrameHeightWithSpacing(), [&](std::size_t i) {
    std::string& name = plan.names[i];
    rowLabel(plan.observations->names[i].c_str());
    const auto at = static_cast<int>(std::ranges::find(choices, name) - choices.begin());
    const int chosen = choose("##name", choices, at, name.empty() ? "(none)" : name.c_str(), ui);
    if (chosen < 0) return;
    const std::string given = chosen == 0 ? "" : choices[chosen];
    if (!given.empty()) std::ranges::replace(plan.names, given, std::string());  // each name is used once
    name = given;
  });
  if (ImGui::SmallButton("Guess again")) plan.names = guessPointNames(document, plan.observations->names);
  tooltip("matches equal names, and names with the same meaning for human bodies");
  ImGui::TreePop();
}

/// The costs of the frames on a logarithmic axis, millimetres.
class CostPlot {
 public:
  CostPlot(const std::vector<FittedFrame>& frames, const ImVec2& corner, const ImVec2& size)
      : frames_(frames), corner_(corner), size_(size) {
    double low = 1e300, high = kFitLowest;
    for (const FittedFrame& frame : frames)
      if (frame.points > 0) {
        low = std::min(low, std::max(1e3 * frame.cost, kFitLowest));
        high = std::max(high, 1e3 * frame.cost);
      }
    low_ = std::floor(std::log10(std::min(low, high)));
    high_ = std::max(std::ceil(std::log10(high)), low_ + 1.0);
  }

  void draw(int shown) const {
    drawDecades(corner_, size_, static_cast<int>(low_), static_cast<int>(high_));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float em = ImGui::GetFontSize();
    const std::size_t stride = std::max<std::size_t>(1, frames_.size() / 600);
    // The worst of the frames at one pixel is drawn; the line is interrupted where no point was observed.
    bool hasLast = false;
    ImVec2 last;
    for (std::size_t i = 0; i < frames_.size(); i += stride) {
      const double worst = worstOf(i, std::min(i + stride, frames_.size()));
      const ImVec2 at(x(static_cast<double>(i)), y(worst));
      const ImU32 color = ImGui::GetColorU32(colors::kAccent);
      if (worst >= 0.0 && hasLast) list.AddLine(last, at, color, std::max(1.5f, 0.11f * em));
      else if (worst >= 0.0) list.AddCircleFilled(at, 0.1f * em, color, 8);
      hasLast = worst >= 0.0;
      last = at;
    }
    const float now = x(shown);
    list.AddLine(ImVec2(now, corner_.y), ImVec2(now, corner_.y + size_.y), ImGui::GetColorU32(faintLine(0.45f)));
  }

  int frameAt(float mouse) const {
    const double part = (mouse - corner_.x) / size_.x;
    return std::clamp(static_cast<int>(std::lround(part * last())), 0, static_cast<int>(frames_.size()) - 1);
  }

 private:
  double last() const { return std::max(static_cast<double>(frames_.size()) - 1.0, 1.0); }
  float x(double frame) const { return corner_.x + size_.x * static_cast<float>(frame / last()); }
  float y(double millimetres) const {
    const double part = (std::log10(std::max(millimetres, kFitLowest)) - low_) / (high_ - low_);
    return corner_.y + size_.y * static_cast<float>(1.0 - part);
  }
  /// The largest cost of the frames in millimetres; below 0 when no point was observed.
  double worstOf(std::size_t first, std::size_t end) const {
    double worst = -1.0;
    for (std::size_t i = first; i < end; ++i)
      if (frames_[i].points > 0) worst = std::max(worst, 1e3 * frames_[i].cost);
    return worst;
  }

  const std::vector<FittedFrame>& frames_;
  ImVec2 corner_, size_;
  double low_ = 0.0, high_ = 1.0;  ///< powers of ten
};

void show(const Document& document, int frame, const std::string& gesture, CommandQueue& queue) {
  if (document.motion) queue.add(Command::ScrubTo, Scrub{document.motion->timeOf(frame), gesture});
}

void drawCosts(const Document& document, const FitAnswer& answer, LengthUnit unit, CommandQueue& queue) {
  const std::vector<FittedFrame>& frames = answer.result.frames;
  const float em = ImGui::GetFontSize(), labelWidth = 2.4f * em, height = 6.5f * em;
  ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::max(ImGui::GetContentRegionAvail().x - labelWidth, em), height);
  corner.x += labelWidth;
  const CostPlot plot(frames, corner, size);
  plot.draw(document.frame);
  ImGui::InvisibleButton("##costs", ImVec2(labelWidth + size.x, height));
  if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
  const int frame = plot.frameAt(ImGui::GetMousePos().x);
  const FittedFrame& at = frames[frame];
  if (at.points == 0) ImGui::SetTooltip("frame %d: no point was observed, the pose is kept", frame);
  else
    ImGui::SetTooltip("frame %d: %s from %d points, %d iterations, %s", frame, lengthText(at.cost, unit).c_str(),
                      at.points, at.iterations, std::string(fitStatusName(at.status)).c_str());
  if (ImGui::IsItemActive() && frame != document.frame) show(document, frame, gestureOf("##costs"), queue);
}

void drawWorst(const Document& document, const FitPlan& plan, const FitAnswer& answer, LengthUnit unit,
               CommandQueue& queue) {
  const std::vector<std::size_t> order = worstPoints(answer);
  const float right = ImGui::GetContentRegionMax().x;
  disabledText("Worst points: mean, and worst");
  for (std::size_t k = 0; k < std::min(order.size(), kWorst); ++k) {
    const PointError& error = answer.result.points[order[k]];
    const auto observed = static_cast<std::size_t>(answer.points[order[k]].observed);
    ImGui::PushID(static_cast<int>(k));
    const std::string text = lengthText(error.mean, unit) + "   " + lengthText(error.worst, unit);
    const float at = right - ImGui::CalcTextSize(text.c_str()).x;
    if (ImGui::Selectable(plan.observations->names[observed].c_str(), false, 0,
                          ImVec2(std::max(at - ImGui::GetCursorPosX() - 0.4f * ImGui::GetFontSize(), 1.0f), 0.0f)))
      show(document, error.worstFrame, {}, queue);
    tooltip("worst in frame " + std::to_string(error.worstFrame) + ": a click shows it");
    ImGui::SameLine(at);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopID();
  }
}

void drawAnswer(const Document& document, const FitPlan& plan, const FitAnswer& answer, UiState& ui,
                CommandQueue& queue) {
  const FitResult& result = answer.result;
  if (result.worstFrame < 0) return disabledText("no point was observed in any frame");
  ImGui::Text("Cost %s, at worst %s", lengthText(result.meanCost, ui.unit).c_str(),
              lengthText(result.worstCost, ui.unit).c_str());
  tooltip(
      "root mean square distance between the figure's points and the observed ones in a frame: mean and worst frame");
  if (result.unobservedFrames > 0) disabledText("%d frames without any point keep their pose", result.unobservedFrames);
  const bool isShown = document.motion && document.motion->frameCount == static_cast<int>(result.frames.size());
  if (isShown) drawCosts(document, answer, ui.unit, queue);
  drawWorst(document, plan, answer, ui.unit, queue);
  wrappedNote(answer.scale.sentence);
}

}  // namespace

void drawFit(const Session& session, UiState& ui, CommandQueue& queue) {
  FitState& fit = ui.fit;
  followFigure(session.document(), fit);
  FitPlan& plan = *fit.plan;
  drawSource(fit, queue);
  drawChoices(plan, fit.answer.get(), ui);
  drawMap(session.document(), plan, ui);
  const bool isMatched = std::ranges::any_of(plan.names, [](const std::string& name) { return !name.empty(); });
  ImGui::BeginDisabled(!isMatched || session.services.job.isRunning());
  if (ImGui::Button("Fit", ImVec2(6.0f * ImGui::GetFontSize(), 0.0f))) queue.add(Command::Fit);
  ImGui::EndDisabled();
  tooltip(isMatched ? "fits every frame; the fitted motion replaces the present one, in one undo step"
                    : "no observed point is matched: match some above");
  if (fit.answer) drawAnswer(session.document(), plan, *fit.answer, ui, queue);
}

}  // namespace limber::app

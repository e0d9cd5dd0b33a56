// SPDX-License-Identifier: MIT
#include "app/panels/race_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/widgets.h"
#include "limber/solvers/registry.h"

namespace limber::app {

namespace {

using Quantity = RaceView::Quantity;

constexpr double kMostDecades = 18.0;     // below the highest value; smaller values are drawn at the bottom
constexpr std::size_t kMostPoints = 400;  // of one curve
constexpr float kHoverEms = 1.1f;

struct Curve {
  const LaneResult* result = nullptr;
  LaneLook look;
  int lane = 0;
  bool isFocused = false, isFaint = false;
};

/// One axis of the plot, which maps values to [0, 1].
struct Scale {
  double low = 0.0, high = 1.0;  ///< range of the value, or of its logarithm
  bool isLogarithmic = false;
  double offset = 0.0;  ///< added before the logarithm, so that iteration 0 has a place

  double share(double value) const {
    const double v = isLogarithmic ? std::log10(std::max(value + offset, 1e-300)) : value;
    return std::clamp((v - low) / (high - low), 0.0, 1.0);
  }
};

struct Plot {
  ImVec2 corner, size;
  Scale x, y;
  double best = 0.0;
  Quantity quantity = Quantity::AboveBest;
  RaceView::Axis axis = RaceView::Axis::Iterations;

  double xOf(const RaceIterate& iterate) const {
    return axis == RaceView::Axis::Time ? iterate.timeMs : static_cast<double>(iterate.iteration);
  }
  double yOf(const RaceIterate& iterate) const {
    switch (quantity) {
      case Quantity::AboveBest: return iterate.record.objective - best;
      case Quantity::Objective: return iterate.record.objective;
      case Quantity::Gradient: return iterate.record.gradientNorm;
    }
    return 0.0;
  }
  ImVec2 place(double xValue, double yValue) const {
    return {corner.x + static_cast<float>(x.share(xValue)) * size.x,
            corner.y + size.y * (1.0f - static_cast<float>(y.share(yValue)))};
  }
  ImVec2 place(const RaceIterate& iterate) const { return place(xOf(iterate), yOf(iterate)); }
};

/// A lane's colour, darkened in the light theme so that its letters stay legible.
ImVec4 vectorOf(const render::Color& color, float alpha = 1.0f) {
  constexpr float kOnLight = 0.48f;
  const float part = presentTheme.text.x < 0.5f ? kOnLight : 1.0f;
  return {part * color.red, part * color.green, part * color.blue, alpha};
}

/// Lengths of dashes and gaps in ems; the gap of a solid line is 0.
struct Dashes {
  float drawn, gap;
};
constexpr Dashes kDashes[3] = {{1.0f, 0.0f}, {0.55f, 0.3f}, {0.14f, 0.26f}};

/// Draws a dashed line from a to b. `along` is the position in the pattern, which continues from line to line.
void addDashed(ImDrawList& list, const ImVec2& a, const ImVec2& b, ImU32 color, float width, const Dashes& dashes,
               float em, float& along) {
  const float length = std::hypot(b.x - a.x, b.y - a.y), drawn = dashes.drawn * em, period = drawn + dashes.gap * em;
  if (dashes.gap == 0.0f || !(length > 0.0f)) {
    list.AddLine(a, b, color, width);
    return;
  }
  for (float at = 0.0f; at < length;) {
    const float phase = std::fmod(along, period);
    const float rest = std::min((phase < drawn ? drawn : period) - phase, length - at);
    const auto point = [&](float s) { return ImVec2(a.x + (b.x - a.x) * s / length, a.y + (b.y - a.y) * s / length); };
    if (phase < drawn) list.AddLine(point(at), point(at + rest), color, width);
    const float step = std::max(rest, 0.01f);
    at += step;
    along += step;
  }
}

void fitVertically(const std::vector<Curve>& curves, Plot& plot) {
  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  for (const Curve& curve : curves)
    for (const RaceIterate& iterate : curve.result->iterates)
      for (const double value : {plot.yOf(iterate), curve.isFocused ? iterate.record.gradientNorm : 0.0}) {
        if (!std::isfinite(value) || value <= 0.0) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
  if (!(low <= high)) low = 1e-6, high = 1.0;
  plot.y.isLogarithmic = true;
  plot.y.high = std::ceil(std::log10(high) + 1e-9);
  plot.y.low = std::max({std::floor(std::log10(low)), plot.y.high - kMostDecades, -16.0});
  plot.y.high = std::max(plot.y.high, plot.y.low + 1.0);
}

void fitAcross(const std::vector<Curve>& curves, bool isLogarithmic, Plot& plot) {
  const bool isTime = plot.axis == RaceView::Axis::Time;
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const Curve& curve : curves)
    for (const RaceIterate& iterate : curve.result->iterates) {
      const double value = plot.xOf(iterate);
      most = std::max(most, value);
      if (value > 0.0) least = std::min(least, value);
    }
  if (!(most > 0.0)) most = least = 1.0;
  plot.x.isLogarithmic = isLogarithmic;
  plot.x.offset = isLogarithmic && !isTime ? 1.0 : 0.0;
  plot.x.low = !isLogarithmic ? 0.0 : isTime ? std::log10(0.8 * least) : 0.0;
  plot.x.high = isLogarithmic ? std::log10(most + plot.x.offset) : most;
  if (plot.x.high <= plot.x.low) plot.x.high = plot.x.low + 1.0;
}

std::string numberText(double value, bool isTime) {
  char text[32];
  if (!isTime) {
    std::snprintf(text, sizeof text, value >= 1e5 ? "%.0e" : "%.0f", value);
  } else if (value == 0.0) {
    return "0";
  } else if (value < 0.9995) {
    std::snprintf(text, sizeof text, "%.3g µs", 1e3 * value);
  } else if (value < 999.5) {
    std::snprintf(text, sizeof text, "%.3g ms", value);
  } else {
    std::snprintf(text, sizeof text, "%.3g s", 1e-3 * value);
  }
  return text;
}

/// Round values for the horizontal axis: 0, 1, 2, 5, 10 ... or equal steps.
std::vector<double> ticksOf(const Plot& plot) {
  std::vector<double> ticks;
  if (plot.x.isLogarithmic) {
    if (plot.x.offset > 0.0) ticks.push_back(0.0);
    for (double decade = std::pow(10.0, std::floor(plot.x.low)); ticks.size() < 60 && std::log10(decade) <= plot.x.high;
         decade *= 10.0)
      for (const double factor : {1.0, 2.0, 5.0}) ticks.push_back(factor * decade);
    return ticks;
  }
  double step = std::pow(10.0, std::floor(std::log10(plot.x.high)));
  for (const double factor : {0.5, 0.4, 0.5})
    if (plot.x.high / step < 4.0) step *= factor;
  if (plot.axis == RaceView::Axis::Iterations) step = std::max(1.0, std::round(step));
  for (double tick = 0.0; tick <= plot.x.high * (1.0 + 1e-9); tick += step) ticks.push_back(tick);
  return ticks;
}

void drawTicks(const Plot& plot) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize(), bottom = plot.corner.y + plot.size.y;
  const ImU32 line = ImGui::GetColorU32(faintLine(0.08f)), grey = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  float free = plot.corner.x - em;  // where the next label may begin
  const auto inside = [&](double tick) {
    const double v = plot.x.isLogarithmic ? std::log10(std::max(tick + plot.x.offset, 1e-300)) : tick;
    return v >= plot.x.low - 1e-9 && v <= plot.x.high + 1e-9;
  };
  for (const double tick : ticksOf(plot)) {
    if (!inside(tick)) continue;
    const float x = plot.place(tick, 1.0).x;
    const std::string text = numberText(tick, plot.axis == RaceView::Axis::Time);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    const float left = std::min(x - 0.5f * width, plot.corner.x + plot.size.x - width);
    if (left < free) continue;
    list.AddLine(ImVec2(x, plot.corner.y), ImVec2(x, bottom), line);
    list.AddText(ImVec2(left, bottom + 0.15f * em), grey, text.c_str());
    free = left + width + 0.7f * em;
  }
}

/// Draws a curve, interrupted where the solver restarted within the solve and where a value is not finite.
template <typename Value>
void drawCurve(const Plot& plot, const Curve& curve, ImU32 color, float width, Value value) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  const std::vector<RaceIterate>& iterates = curve.result->iterates;
  const std::size_t stride = std::max<std::size_t>(1, iterates.size() / kMostPoints);
  const Dashes& dashes = kDashes[curve.look.line];
  float along = 0.0f;
  const RaceIterate* last = nullptr;
  const auto next = [&](std::size_t i) {  // the last one is always drawn
    return i + 1 == iterates.size() ? i + 1 : std::min(i + stride, iterates.size() - 1);
  };
  for (std::size_t i = 0; i < iterates.size(); i = next(i)) {
    const RaceIterate& now = iterates[i];
    if (!std::isfinite(value(now))) {
      last = nullptr;
      continue;
    }
    const ImVec2 to = plot.place(plot.xOf(now), value(now));
    if (last && last->run == now.run) {
      addDashed(list, plot.place(plot.xOf(*last), value(*last)), to, color, width, dashes, em, along);
      if (last->record.phase != now.record.phase)  // the next phase of a solver begins
        list.AddNgonFilled(to, 1.6f * width, color, 4);
    } else if (last) {
      list.AddCircle(to, 1.6f * width, color, 12, 0.6f * width);
    }
    if (iterates.size() == 1) list.AddCircleFilled(to, 1.3f * width, color, 12);
    last = &now;
  }
}

void drawCurves(const Plot& plot, const std::vector<Curve>& curves) {
  const float em = ImGui::GetFontSize();
  for (const bool focused : {false, true})  // the curve in focus is drawn last
    for (const Curve& curve : curves) {
      if (curve.isFocused != focused) continue;
      const ImU32 color = ImGui::GetColorU32(vectorOf(curve.look.color, curve.isFaint ? 0.35f : 1.0f));
      drawCurve(plot, curve, color, std::max(1.5f, (focused ? 0.17f : 0.11f) * em),
                [&](const RaceIterate& iterate) { return plot.yOf(iterate); });
      if (focused && plot.quantity != Quantity::Gradient)
        drawCurve(plot, curve, ImGui::GetColorU32(vectorOf(curve.look.color, 0.55f)), std::max(1.0f, 0.055f * em),
                  [](const RaceIterate& iterate) { return iterate.record.gradientNorm; });
    }
}

/// Draws the letters at the ends of the curves, moved so that they do not overlap.
void drawLetters(const Plot& plot, const std::vector<Curve>& curves) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float radius = 0.55f * ImGui::GetFontSize();
  std::vector<ImVec2> taken;
  for (const Curve& curve : curves) {
    if (curve.isFaint && curves.size() > kMostClearLanes) continue;
    const ImVec2 end = plot.place(curve.result->iterates.back());
    std::optional<ImVec2> best;
    for (int ring = 0; ring < 5 && !best; ++ring)
      for (const float turn : {-0.79f, 0.79f, -2.36f, 2.36f, -1.57f, 1.57f, 0.0f, 3.14f}) {
        const float distance = (1.7f + 2.0f * static_cast<float>(ring)) * radius;
        const ImVec2 at(end.x + distance * std::cos(turn), end.y + distance * std::sin(turn));
        const bool isInside = at.x > plot.corner.x + radius && at.x < plot.corner.x + plot.size.x - radius &&
                              at.y > plot.corner.y + radius && at.y < plot.corner.y + plot.size.y - radius;
        const bool isFree = std::ranges::none_of(
            taken, [&](const ImVec2& other) { return std::hypot(other.x - at.x, other.y - at.y) < 2.1f * radius; });
        if (!isInside || !isFree) continue;
        best = at;
        break;
      }
    if (!best) continue;
    taken.push_back(*best);
    list.AddLine(end, *best, ImGui::GetColorU32(vectorOf(curve.look.color, 0.4f)));
    drawLaneLetter(list, *best, radius, curve.look);
  }
}

struct Nearest {
  const Curve* curve = nullptr;
  int step = -1;
  ImVec2 place;
};

Nearest nearestTo(const Plot& plot, const std::vector<Curve>& curves, const ImVec2& mouse) {
  Nearest nearest;
  float least = kHoverEms * ImGui::GetFontSize();
  for (const Curve& curve : curves)
    for (std::size_t i = 0; i < curve.result->iterates.size(); ++i) {
      const ImVec2 at = plot.place(curve.result->iterates[i]);
      const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
      if (!(distance < least)) continue;
      least = distance;
      nearest = {&curve, static_cast<int>(i), at};
    }
  return nearest;
}

std::string solverTitle(const std::string& solver) {
  const Solver* found = findSolver(solver);
  return found ? std::string(found->title()) : solver;
}

void showValues(const Nearest& nearest) {
  const LaneResult& result = *nearest.curve->result;
  const RaceIterate& iterate = result.iterates[nearest.step];
  const Summary& summary = result.report.summary;
  const int phase = iterate.record.phase;
  ImGui::BeginTooltip();
  ImGui::TextColored(vectorOf(nearest.curve->look.color), "%c  %s", nearest.curve->look.letter,
                     solverTitle(result.solver).c_str());
  ImGui::Text(
      "iteration %d%s%s", iterate.iteration, summary.phaseCount > 1 && phase < summary.phaseCount ? ", " : "",
      summary.phaseCount > 1 && phase < summary.phaseCount ? std::string(summary.phases[phase].phase).c_str() : "");
  ImGui::Text("f  %.6g", iterate.record.objective);
  ImGui::Text("gradient  %.3g", iterate.record.gradientNorm);
  ImGui::Text("step  %.3g", iterate.record.stepNorm);
  if (iterate.record.damping != 0.0) ImGui::Text("damping  %.3g", iterate.record.damping);
  ImGui::Text("%s", numberText(iterate.timeMs, true).c_str());
  ImGui::EndTooltip();
}

void drawCursor(const Plot& plot, const Curve& curve, int step) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  const ImVec2 at = plot.place(curve.result->iterates[step]);
  list.AddLine(ImVec2(at.x, plot.corner.y), ImVec2(at.x, plot.corner.y + plot.size.y),
               ImGui::GetColorU32(vectorOf(curve.look.color, 0.35f)));
  list.AddCircleFilled(at, 0.3f * em, ImGui::GetColorU32(ImGuiCol_WindowBg), 16);
  list.AddCircle(at, 0.3f * em, ImGui::GetColorU32(vectorOf(curve.look.color)), 16, 0.12f * em);
}

}  // namespace

void drawLaneLine(const LaneLook& look, float width) {
  const float em = ImGui::GetFontSize(), y = 0.5f * ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float along = 0.0f;
  addDashed(*ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + y), ImVec2(at.x + width, at.y + y),
            ImGui::GetColorU32(vectorOf(look.color)), 0.14f * em, kDashes[look.line], em, along);
  ImGui::Dummy(ImVec2(width, ImGui::GetTextLineHeight()));
}

void drawLaneLetter(ImDrawList& list, const ImVec2& centre, float radius, const LaneLook& look, bool isOn) {
  const ImU32 color = ImGui::GetColorU32(vectorOf(look.color));
  const char text[2] = {look.letter, 0};
  const float size = 1.5f * radius;
  const ImVec2 extent = ImGui::GetFont()->CalcTextSizeA(size, 1e9f, 0.0f, text);
  if (isOn) list.AddCircleFilled(centre, radius, color, 20);
  else list.AddCircle(centre, radius, color, 20, 0.15f * radius);
  list.AddText(ImGui::GetFont(), size, ImVec2(centre.x - 0.5f * extent.x, centre.y - 0.5f * extent.y),
               isOn ? ImGui::GetColorU32(presentTheme.sign) : color, text);
}

void drawRacePlot(const Racing& racing, RaceView& view, int hoveredLane, float height) {
  const float em = ImGui::GetFontSize(), left = 2.9f * em, below = 1.35f * em;
  const int focus = hoveredLane >= 0 ? hoveredLane : racing.focus(view);
  const bool isCrowded = hoveredLane >= 0 || racing.race().lanes().size() > kMostClearLanes;
  std::vector<Curve> curves;
  std::vector<const LaneResult*> results;
  for (std::size_t i = 0; i < racing.race().lanes().size(); ++i) {
    const auto& result = racing.race().lanes()[i].result;
    if (!result || result->iterates.empty()) continue;
    const bool isFocused = static_cast<int>(i) == focus;
    curves.push_back({result.get(), lookOf(result->solver), static_cast<int>(i), isFocused, isCrowded && !isFocused});
    results.push_back(result.get());
  }
  Plot plot;
  plot.corner = ImGui::GetCursorScreenPos();
  plot.corner.x += left;
  plot.size = ImVec2(std::max(ImGui::GetContentRegionAvail().x - left, em), std::max(height - below, em));
  plot.quantity = view.quantity;
  plot.axis = view.axis;
  plot.best = lowestObjective(results);
  fitVertically(curves, plot);
  fitAcross(curves, view.isAxisLogarithmic, plot);

  ImGui::InvisibleButton("##plot", ImVec2(left + plot.size.x, height));
  const bool isHovered = ImGui::IsItemHovered(), isClicked = ImGui::IsItemClicked();
  drawDecades(plot.corner, plot.size, static_cast<int>(plot.y.low), static_cast<int>(plot.y.high));
  if (curves.empty()) {
    const char* hint = "drag the figure: the solvers that are ticked follow the same drag";
    const ImVec2 size = ImGui::CalcTextSize(hint, nullptr, false, plot.size.x - em);
    ImGui::GetWindowDrawList()->AddText(
        ImGui::GetFont(), em,
        ImVec2(plot.corner.x + 0.5f * (plot.size.x - size.x), plot.corner.y + 0.5f * (plot.size.y - size.y)),
        ImGui::GetColorU32(ImGuiCol_TextDisabled), hint, nullptr, plot.size.x - em);
    return;
  }
  drawTicks(plot);
  ImGui::GetWindowDrawList()->PushClipRect(ImVec2(plot.corner.x, plot.corner.y - 1.0f),
                                           ImVec2(plot.corner.x + plot.size.x, plot.corner.y + plot.size.y + 1.0f),
                                           true);
  drawCurves(plot, curves);
  drawLetters(plot, curves);
  for (const Curve& curve : curves)
    if (curve.lane == racing.focus(view)) drawCursor(plot, curve, racing.shownStep(view));
  const char* title = kQuantityTitles[static_cast<std::size_t>(view.quantity)];
  const float width = ImGui::CalcTextSize(title).x;
  ImGui::GetWindowDrawList()->AddText(
      ImVec2(plot.corner.x + plot.size.x - width - 0.5f * em, plot.corner.y + 0.25f * em),
      ImGui::GetColorU32(ImGuiCol_TextDisabled), title);
  const Nearest nearest = isHovered ? nearestTo(plot, curves, ImGui::GetIO().MousePos) : Nearest{};
  if (nearest.curve)
    ImGui::GetWindowDrawList()->AddCircle(nearest.place, 0.32f * em, ImGui::GetColorU32(ImGuiCol_Text), 16, 0.08f * em);
  ImGui::GetWindowDrawList()->PopClipRect();
  if (!nearest.curve) return;
  showValues(nearest);
  if (!isClicked) return;
  view.lane = nearest.curve->result->solver;
  racing.stepTo(view, nearest.step);
}

}  // namespace limber::app

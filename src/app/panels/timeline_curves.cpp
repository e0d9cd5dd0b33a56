// SPDX-License-Identifier: MIT
#include "app/panels/timeline_curves.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/panels/widgets.h"
#include "limber/scene/key_curves.h"
#include "limber/scene/keyed_poses.h"
#include "limber/scene/motion_layer.h"

namespace limber::app {

namespace {

constexpr float kDotEms = 0.3f, kHandleEms = 0.22f, kReachEms = 0.6f;
constexpr float kPadding = 0.12f;     // of the height, above and below the curves
constexpr double kLeastRange = 1e-3;  // radians or metres
using CurveGrip = TimelineState::CurveGrip;

struct EasePreset {
  const char* name;
  Ease ease;
};
constexpr EasePreset kEases[] = {{"linear", {Ease::Kind::Curve, 1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}},
                                 {"smooth", {Ease::Kind::Curve, 0.42, 0.0, 0.58, 1.0}},
                                 {"ease in", {Ease::Kind::Curve, 0.42, 0.0, 1.0, 1.0}},
                                 {"ease out", {Ease::Kind::Curve, 0.0, 0.0, 0.58, 1.0}},
                                 {"step", {.kind = Ease::Kind::Step}}};

constexpr const char *kLinearName = "all keys: linear", *kSmoothName = "all keys: smooth";

/// The way between keys without an ease of their own.
const char* nameOfBlend(const Document& document) {
  const bool isLinear = !showsMotion(document) && document.timeline && document.timeline->blend == Blend::Linear;
  return isLinear ? kLinearName : kSmoothName;
}

/// The values that fit into the height of the plot.
struct ValueRange {
  double low = 0.0, high = 0.0;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// The plot and its curves. Angles and lengths have a range each.
struct CurvePlot {
  const Document& document;
  const Ruler& ruler;
  const std::vector<KeyCurve>& curves;
  float top = 0.0f, height = 1.0f;
  ValueRange ranges[2] = {};  ///< of lengths, of angles
  float em = ImGui::GetFontSize();

  const ValueRange& rangeOf(const KeyCurve& curve) const { return ranges[curve.isAngle ? 1 : 0]; }
  float y(const KeyCurve& curve, double value) const {
    const ValueRange& range = rangeOf(curve);
    const double part = (value - range.low) / (range.high - range.low);
    return top + height * (1.0f - kPadding - (1.0f - 2.0f * kPadding) * static_cast<float>(part));
  }
  double value(const KeyCurve& curve, float at) const {
    const ValueRange& range = rangeOf(curve);
    const float part = (1.0f - kPadding - (at - top) / height) / (1.0f - 2.0f * kPadding);
    return range.low + part * (range.high - range.low);
  }
  float x(int frame) const { return ruler.x(ruler.clock.timeOf(frame)); }
  ImVec2 at(const KeyCurve& curve, const KeyCurve::Point& point) const {
    return {x(point.frame), y(curve, point.value)};
  }
};

void measure(CurvePlot& plot) {
  for (const bool isAngle : {false, true}) {
    ValueRange& range = plot.ranges[isAngle ? 1 : 0];
    bool isFirst = true;
    for (const KeyCurve& curve : plot.curves)
      for (const KeyCurve::Point& point : curve.points) {
        if (curve.isAngle != isAngle) continue;
        if (isFirst) range = {point.value, point.value};
        isFirst = false;
        range.include(point.value);
      }
    const double middle = 0.5 * (range.low + range.high);
    range.low = std::min(range.low, middle - kLeastRange);
    range.high = std::max(range.high, middle + kLeastRange);
  }
}

/// The ease from a key to the next one of the curve, if it has handles.
std::optional<Ease> curveEase(const CurvePlot& plot, const KeyedNumber& number, int frame) {
  const auto ease = easeOfKey(plot.document, number, frame);
  return ease && ease->kind == Ease::Kind::Curve ? ease : std::nullopt;
}

/// Calls `visit(grip, place, from)` for each dot and handle of a curve. from: the dot of a handle.
template <typename Visit>
void visitGrips(const CurvePlot& plot, const KeyCurve& curve, Visit visit) {
  const KeyCurve::Point* before = nullptr;
  for (const KeyCurve::Point& point : curve.points) {
    if (!point.isKey) continue;
    const ImVec2 dot = plot.at(curve, point);
    if (const auto ease = before ? curveEase(plot, curve.number, before->frame) : std::nullopt) {
      const ImVec2 first = plot.at(curve, *before);
      const auto between = [&](double x, double y) {
        return ImVec2(first.x + static_cast<float>(x) * (dot.x - first.x),
                      first.y + static_cast<float>(y) * (dot.y - first.y));
      };
      visit(CurveGrip{.number = curve.number, .frame = before->frame, .next = point.frame, .handle = 1},
            between(ease->x1, ease->y1), first);
      visit(CurveGrip{.number = curve.number, .frame = before->frame, .next = point.frame, .handle = 2},
            between(ease->x2, ease->y2), dot);
    }
    visit(CurveGrip{.number = curve.number, .frame = point.frame, .next = point.frame}, dot, dot);
    before = &point;
  }
}

std::optional<CurveGrip> gripUnder(const CurvePlot& plot, ImVec2 cursor) {
  std::optional<CurveGrip> best;
  float nearest = kReachEms * plot.em;
  for (const KeyCurve& curve : plot.curves)
    visitGrips(plot, curve, [&](const CurveGrip& grip, ImVec2 place, ImVec2) {
      const float off = std::hypot(place.x - cursor.x, place.y - cursor.y);
      if (off >= nearest) return;
      nearest = off;
      best = grip;
    });
  return best;
}

const KeyCurve* curveOf(const CurvePlot& plot, const KeyedNumber& number) {
  const auto found = std::ranges::find(plot.curves, number, &KeyCurve::number);
  return found == plot.curves.end() ? nullptr : &*found;
}

double valueAt(const KeyCurve& curve, int frame) {
  const auto found = std::ranges::find(curve.points, frame, &KeyCurve::Point::frame);
  return found == curve.points.end() ? 0.0 : found->value;
}

/// Queues an edit of a key, and shows the current frame anew.
template <typename Change>
void editKey(const Session& session, const char* label, const std::string& gesture, CommandQueue& queue,
             Change change) {
  queue.edit(label, gesture, AfterEdit::Nothing, change);
  const Document& document = session.document();
  queue.add(Command::ScrubTo, Scrub{clockOf(document).timeOf(currentFrame(document)), gesture});
}

/// A handle follows the cursor within the box of its two keys.
void dragHandle(const Session& session, const CurvePlot& plot, const KeyCurve& curve, const CurveGrip& grip,
                ImVec2 cursor, CommandQueue& queue) {
  const auto present = curveEase(plot, grip.number, grip.frame);
  if (!present) return;
  Ease ease = *present;
  const float left = plot.x(grip.frame), right = plot.x(grip.next);
  const double from = valueAt(curve, grip.frame), to = valueAt(curve, grip.next);
  double& x = grip.handle == 1 ? ease.x1 : ease.x2;
  double& y = grip.handle == 1 ? ease.y1 : ease.y2;
  x = std::clamp(static_cast<double>((cursor.x - left) / (right - left)), 0.0, 1.0);
  if (std::abs(to - from) > kLeastRange) y = std::clamp((plot.value(curve, cursor.y) - from) / (to - from), 0.0, 1.0);
  if (ease == *present) return;
  editKey(session, "ease of a key", gestureOf("##curves"), queue,
          [number = grip.number, frame = grip.frame, ease](Document& d) { setEaseOfKey(d, number, frame, ease); });
}

/// Brings a document back to the keys that it had at mouse-down.
void restoreKeys(const CurveGrip& grip, Document& document) {
  document.timeline = grip.timeline;
  std::ranges::replace(document.clips, document.motion, grip.motion);
  document.motion = grip.motion;
}

/// A dot follows the cursor: its key changes in time and value. Keys that it passes over stay.
void dragDot(const Session& session, const CurvePlot& plot, const KeyCurve& curve, CurveGrip& grip, ImVec2 cursor,
             CommandQueue& queue) {
  const Clock& clock = plot.ruler.clock;
  const int frame = clock.frameAt(plot.ruler.time(cursor.x));
  const double value = plot.value(curve, cursor.y + grip.offset);
  if (frame == grip.next && value == grip.value) return;
  grip.next = frame;
  grip.value = value;
  editKey(session, "drag a key", gestureOf("##curves"), queue,
          [grip, from = clock.timeOf(grip.frame), to = clock.timeOf(frame)](Document& d) {
            restoreKeys(grip, d);
            setKeyedNumber(d, grip.number, grip.frame, grip.value);
            if (grip.number.joint >= 0 && keysLayer(d))
              moveLayerKeys(d, d.motion->frameAt(from), d.motion->frameAt(to));
            else moveKey(d, from, to);
          });
}

void handleCurveMouse(const Session& session, const CurvePlot& plot, TimelineState& state, CommandQueue& queue) {
  const ImVec2 cursor = ImGui::GetIO().MousePos;
  std::optional<CurveGrip>& grip = state.curveGrip;
  if (ImGui::IsItemActivated()) {
    grip = gripUnder(plot, cursor);
    const KeyCurve* curve = grip ? curveOf(plot, grip->number) : nullptr;
    if (curve) {
      grip->value = valueAt(*curve, grip->frame);
      grip->offset = plot.y(*curve, grip->value) - cursor.y;
      grip->timeline = plot.document.timeline;
      grip->motion = plot.document.motion;
    }
    state.wasCurveDragged = false;
  }
  const KeyCurve* curve = grip ? curveOf(plot, grip->number) : nullptr;
  if (ImGui::IsItemActive() && !grip) {
    const double time = plot.ruler.time(cursor.x);
    if (plot.ruler.clock.frameAt(time) != currentFrame(plot.document))
      queue.add(Command::ScrubTo, Scrub{time, gestureOf("##curves")});
  } else if (ImGui::IsItemActive() && curve && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    state.wasCurveDragged = true;
    if (grip->handle == 0) dragDot(session, plot, *curve, *grip, cursor, queue);
    else dragHandle(session, plot, *curve, *grip, cursor, queue);
  }
  if (!ImGui::IsItemDeactivated()) return;
  if (grip && grip->handle == 0 && !state.wasCurveDragged)
    queue.add(Command::ScrubTo, Scrub{plot.ruler.clock.timeOf(grip->frame)});
  grip.reset();
}

ImU32 colorOf(const KeyCurve& curve, std::size_t count) {
  return ImGui::GetColorU32(count == 1 ? colors::kAccent : colors::kAxes[curve.number.coordinate % 3]);
}

void drawCurve(const CurvePlot& plot, const KeyCurve& curve, ImDrawList& list) {
  const ImU32 color = colorOf(curve, plot.curves.size());
  std::vector<ImVec2> line;
  for (const KeyCurve::Point& point : curve.points) line.push_back(plot.at(curve, point));
  list.AddPolyline(line.data(), static_cast<int>(line.size()), color, 0, 1.5f);
  const int now = currentFrame(plot.document);
  visitGrips(plot, curve, [&](const CurveGrip& grip, ImVec2 place, ImVec2 from) {
    if (grip.handle != 0) {
      const float half = kHandleEms * plot.em;
      list.AddLine(from, place, ImGui::GetColorU32(ImGuiCol_TextDisabled));
      list.AddRectFilled(ImVec2(place.x - half, place.y - half), ImVec2(place.x + half, place.y + half), color);
      return;
    }
    list.AddCircleFilled(place, kDotEms * plot.em, grip.frame == now ? ImGui::GetColorU32(colors::kText) : color);
  });
}

std::string valueText(const KeyCurve& curve, double value, LengthUnit unit) {
  return curve.isAngle ? angleText(value) : lengthText(value, unit);
}

/// The names of the curves with their values at the current frame, in the room for names.
void drawLegend(const CurvePlot& plot, LengthUnit unit, ImDrawList& list) {
  const int now = currentFrame(plot.document);
  float y = plot.top + 0.2f * plot.em;
  list.PushClipRect(ImVec2(plot.ruler.corner.x, plot.top),
                    ImVec2(plot.ruler.left - 0.3f * plot.em, plot.top + plot.height), true);
  for (const KeyCurve& curve : plot.curves) {
    const auto next = std::ranges::lower_bound(curve.points, now, {}, &KeyCurve::Point::frame);
    const double value = next == curve.points.end() ? 0.0 : next->value;
    const std::string text = curve.name + "  " + valueText(curve, value, unit);
    list.AddText(ImGui::GetFont(), 0.9f * plot.em, ImVec2(plot.ruler.corner.x + 0.4f * plot.em, y),
                 colorOf(curve, plot.curves.size()), text.c_str());
    y += 1.1f * plot.em;
  }
  list.PopClipRect();
}

/// The curves of the document, which are computed when it changes.
const std::vector<KeyCurve>& curvesShown(const Document& document, TimelineState& state) {
  TimelineState::Curves& shown = state.curves;
  if (shown.figure != document.figure || shown.timeline != document.timeline || shown.motion != document.motion ||
      !(shown.selection == document.selection))
    shown = {document.figure, document.timeline, document.motion, document.selection, keyCurvesOf(document)};
  return shown.curves;
}

}  // namespace

void drawCurves(const Session& session, const Ruler& ruler, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float em = ImGui::GetFontSize();
  const ImVec2 size(ruler.size.x, std::max(room.y, 4.0f * em)), end(corner.x + size.x, corner.y + size.y);
  const std::vector<KeyCurve>& curves = curvesShown(document, ui.timeline);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg), 4.0f);
  CurvePlot plot{.document = document, .ruler = ruler, .curves = curves, .top = corner.y, .height = size.y};
  measure(plot);
  ImGui::InvisibleButton("##curves", size);
  handleCurveMouse(session, plot, ui.timeline, queue);
  if (!ImGui::IsItemActive())
    tooltip("drag a dot to change a key's value or time, a square to change the ease; elsewhere a drag scrubs");
  if (curves.empty())
    list.AddText(ImVec2(ruler.left, corner.y + 0.5f * em), ImGui::GetColorU32(ImGuiCol_TextDisabled),
                 "Select a joint or a goal that is keyed: its values over time are shown here.");
  for (const KeyCurve& curve : curves) drawCurve(plot, curve, list);
  drawLegend(plot, ui.unit, list);
  const float x = plot.x(currentFrame(document));
  list.AddLine(ImVec2(x, corner.y), ImVec2(x, end.y), ImGui::GetColorU32(colors::kAmber), std::max(1.5f, 0.1f * em));
}

void drawEase(const Session& session, CommandQueue& queue) {
  const Document& document = session.document();
  const std::set<int> keys = keyedFrames(document);
  const auto next = keys.upper_bound(currentFrame(document));
  const int frame = next == keys.begin() ? -1 : *std::prev(next);  // the last key at or before the current frame
  Ease ease;
  bool hasEase = false;
  if (frame >= 0)
    if (const auto found = easeOfKey(document, {}, frame)) {
      ease = *found;
      hasEase = true;
    }
  const auto preset = std::ranges::find_if(kEases, [&](const EasePreset& p) { return hasEase && p.ease == ease; });
  const bool isOfAll = !hasEase || ease.kind == Ease::Kind::Blend;
  const char* shown = isOfAll ? nameOfBlend(document) : preset != std::end(kEases) ? preset->name : "by handles";
  ImGui::SetNextItemWidth(8.5f * ImGui::GetFontSize());
  const bool isOpen = ImGui::BeginCombo("##ease", shown);
  tooltip("the way between all keys, or from this key to the next one; the squares in the curves shape it, too");
  if (!isOpen) return;
  const auto offer = [&](const char* name, const Ease& wanted, std::optional<Blend> ofAll) {
    if (ImGui::Selectable(name, name == shown, hasEase || ofAll ? 0 : ImGuiSelectableFlags_Disabled))
      editKey(session, "way between keys", "way between keys", queue, [frame, wanted, ofAll](Document& d) {
        if (ofAll) changeTimeline(d).blend = *ofAll;
        if (frame >= 0) setEaseOfKey(d, {}, frame, wanted);
      });
  };
  if (showsMotion(document)) offer(kSmoothName, {}, std::nullopt);
  else
    for (const Blend blend : {Blend::Linear, Blend::Smooth})
      offer(blend == Blend::Linear ? kLinearName : kSmoothName, {}, blend);
  ImGui::Separator();
  for (const EasePreset& p : kEases) offer(p.name, p.ease, std::nullopt);
  ImGui::EndCombo();
}

}  // namespace limber::app

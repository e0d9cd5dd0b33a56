// SPDX-License-Identifier: MIT
#include "app/panels/timeline_track.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/timeline_lanes.h"
#include "app/panels/widgets.h"
#include "app/settings/layout.h"

namespace limber::app {

namespace {

constexpr float kMarginEms = 0.9f, kRulerEms = 1.35f, kKeyEms = 0.4f, kBarEms = 0.55f;
constexpr float kNamesEms = 7.5f;  // room for the names of lanes
constexpr float kTickEms = 4.2f;   // least distance of numbers on the ruler
constexpr float kEndEms = 0.35f;   // reach of the ends of a bar
constexpr const char* kMenu = "##lane menu";

using Held = TimelineState::Held;

/// The lanes and the held item, with their places on the screen.
struct TrackView {
  const Ruler ruler;
  const std::vector<Lane> lanes;
  const std::optional<Held>& held;

  float em = ImGui::GetFontSize();

  float top(std::size_t lane) const {
    return ruler.corner.y + (kRulerEms + 0.2f + kLaneEms * static_cast<float>(lane)) * em;
  }
  float middle(std::size_t lane) const { return top(lane) + 0.5f * kLaneEms * em; }
  bool isHeld(const Lane& lane, const LaneItem& item) const {
    return held && held->kind == lane.kind && held->owner == lane.owner && held->begin == item.begin &&
           held->end == item.end;
  }
};

/// The lane under the cursor; null for none.
const Lane* laneUnder(const TrackView& track, ImVec2 cursor) {
  for (std::size_t i = 0; i < track.lanes.size(); ++i)
    if (cursor.y >= track.top(i) && cursor.y < track.top(i + 1)) return &track.lanes[i];
  return nullptr;
}

/// The part of an item at x: -1 or 1 for an end of an interval, 0 for its inside or a key; empty if x is beside it.
std::optional<int> partAt(const TrackView& track, const LaneItem& item, float x) {
  const float begin = track.ruler.x(item.begin), end = track.ruler.x(item.end), reach = kEndEms * track.em;
  if (item.isKey()) return std::abs(x - begin) <= 1.5f * kKeyEms * track.em ? std::optional(0) : std::nullopt;
  if (std::abs(x - end) <= reach) return 1;
  if (std::abs(x - begin) <= reach) return -1;
  return x > begin && x < end ? std::optional(0) : std::nullopt;
}

/// The item under the cursor; empty for none.
std::optional<Held> itemUnder(const TrackView& track, ImVec2 cursor) {
  const Lane* lane = laneUnder(track, cursor);
  if (!lane) return std::nullopt;
  std::optional<Held> best;
  float bestOff = 0.0f;
  for (const LaneItem& item : lane->items) {
    const auto part = partAt(track, item, cursor.x);
    const float off = std::abs(track.ruler.x(item.begin) - cursor.x);
    if (!part || item.begin > track.ruler.length || (best && off >= bestOff)) continue;
    best = Held{lane->kind, lane->owner, item.begin, item.end, *part, track.ruler.time(cursor.x), item.begin, item.end};
    bestOff = off;
  }
  return best;
}

/// Brings the held item to the time under the cursor.
void follow(const Ruler& ruler, double time, Held& held) {
  const Clock& clock = ruler.clock;
  const double by = time - held.grabbed, span = held.end - held.begin;
  if (held.part < 0) held.toBegin = std::min(clock.snapped(held.begin + by), held.end);
  else if (held.part > 0) held.toEnd = std::max(clock.snapped(held.end + by), held.begin);
  else {
    held.toBegin = std::clamp(clock.snapped(held.begin + by), 0.0, std::max(ruler.length - span, 0.0));
    held.toEnd = held.toBegin + span;
  }
}

void scrubTo(double time, const Session& session, CommandQueue& queue) {
  if (clockOf(session.document()).frameAt(time) != currentFrame(session.document()))
    queue.add(Command::ScrubTo, Scrub{time, gestureOf("##track")});
}

/// Ends the drag of an item: it is moved, or a click goes to it.
void drop(const Session& session, const TrackView& track, const Held& held, CommandQueue& queue) {
  const LaneKind& kind = laneKinds()[held.kind];
  const LaneItem item{.begin = held.begin, .end = held.end};
  if (held.toBegin != held.begin || held.toEnd != held.end) {
    queue.edit(std::string("move ") + kind.noun, "", AfterEdit::Nothing,
               [&kind, held, item](Document& d) { kind.move(d, held.owner, item, held.toBegin, held.toEnd); });
    return;
  }
  if (kind.select) queue.add(Command::Select, kind.select(session.document(), held.owner));
  const bool isKey = held.begin == held.end;
  queue.add(Command::ScrubTo, Scrub{isKey ? held.begin : track.ruler.clock.snapped(held.grabbed)});
}

void openMenu(const TrackView& track, ImVec2 cursor, TimelineState& state) {
  const Lane* lane = laneUnder(track, cursor);
  if (!lane) return;
  state.menu = itemUnder(track, cursor);
  if (!state.menu) state.menu = Held{.kind = lane->kind, .owner = lane->owner, .begin = -1.0, .end = -1.0};
  state.menu->toBegin = track.ruler.clock.snapped(track.ruler.time(cursor.x));
  ImGui::OpenPopup(kMenu);
}

void drawMenu(TimelineState& state, CommandQueue& queue) {
  if (!ImGui::BeginPopup(kMenu)) return;
  const Held menu = state.menu.value_or(Held());
  const LaneKind& kind = laneKinds()[menu.kind];
  const bool hasItem = menu.begin >= 0.0;
  const std::string noun = kind.noun;
  if (ImGui::MenuItem("Go here"))
    queue.add(Command::ScrubTo, Scrub{hasItem && menu.begin == menu.end ? menu.begin : menu.toBegin});
  if (kind.add && ImGui::MenuItem(("Add " + noun + " here").c_str())) kind.add(menu.owner, menu.toBegin, queue);
  if (kind.remove && ImGui::MenuItem(("Remove " + noun).c_str(), nullptr, false, hasItem))
    queue.edit("remove " + noun, "", AfterEdit::Nothing,
               [&kind, menu](Document& d) { kind.remove(d, menu.owner, {.begin = menu.begin, .end = menu.end}); });
  ImGui::EndPopup();
}

/// Handles the mouse on the track.
void handleMouse(const Session& session, const TrackView& track, TimelineState& state, CommandQueue& queue) {
  const ImVec2 cursor = ImGui::GetIO().MousePos;
  const double time = track.ruler.time(cursor.x);
  if (ImGui::IsItemActivated()) {
    state.held = itemUnder(track, cursor);
    const bool isName = cursor.x < track.ruler.left - kMarginEms * track.em;
    const Lane* lane = isName ? laneUnder(track, cursor) : nullptr;
    if (lane && laneKinds()[lane->kind].select)
      queue.add(Command::Select, laneKinds()[lane->kind].select(session.document(), lane->owner));
    if (state.held && !laneKinds()[state.held->kind].move) state.held.reset();
    state.isScrubbing = !state.held && !isName;
  }
  if (ImGui::IsItemActive() && state.held && ImGui::IsMouseDragging(ImGuiMouseButton_Left))
    follow(track.ruler, time, *state.held);
  if (ImGui::IsItemActive() && state.isScrubbing) scrubTo(time, session, queue);
  if (ImGui::IsItemDeactivated()) {
    if (state.held) drop(session, track, *state.held, queue);
    state.held.reset();
    state.isScrubbing = false;
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) openMenu(track, cursor, state);
}

void showTips(const TrackView& track) {
  const ImVec2 cursor = ImGui::GetIO().MousePos;
  if (!ImGui::IsItemHovered() || ImGui::IsItemActive()) return;
  const auto item = itemUnder(track, cursor);
  if (item && item->part != 0 && laneKinds()[item->kind].move) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  const Lane* lane = laneUnder(track, cursor);
  tooltip(lane ? laneKinds()[lane->kind].tip : "drag to scrub");
}

void drawTicks(const Ruler& ruler, ImDrawList& list) {
  const float em = ImGui::GetFontSize();
  double step = 0.1;
  for (const double factor : {2.0, 2.5, 2.0, 2.0, 2.5, 2.0, 2.0, 2.5, 2.0, 2.0, 2.5, 2.0})
    if (ruler.width * step / ruler.length < kTickEms * em) step *= factor;
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const float bottom = ruler.corner.y + kRulerEms * em;
  for (int i = 0; i * step <= ruler.length * (1.0 + 1e-9); ++i) {
    const float x = ruler.x(i * step);
    list.AddLine(ImVec2(x, bottom - 0.45f * em), ImVec2(x, bottom), color);
    char text[16];
    std::snprintf(text, sizeof text, "%.3g s", i * step);
    const float room = 0.85f * ImGui::CalcTextSize(text).x + 0.25f * em;
    const bool fits = x + room < ruler.corner.x + ruler.size.x;
    list.AddText(ImGui::GetFont(), 0.85f * em, ImVec2(fits ? x + 0.25f * em : x - room, ruler.corner.y + 0.1f * em),
                 color, text);
    const float half = ruler.x((i + 0.5) * step);
    if (half < ruler.left + ruler.width) list.AddLine(ImVec2(half, bottom - 0.2f * em), ImVec2(half, bottom), color);
  }
  list.AddLine(ImVec2(ruler.left, bottom), ImVec2(ruler.left + ruler.width, bottom), color);
}

void drawDiamond(ImVec2 c, float r, LaneItem::Mark mark, ImU32 color, ImDrawList& list) {
  const auto corners = [&](float size) {
    return std::array<ImVec2, 4>{ImVec2(c.x - size, c.y), ImVec2(c.x, c.y - size), ImVec2(c.x + size, c.y),
                                 ImVec2(c.x, c.y + size)};
  };
  const auto outline = [&](float size) {
    const auto at = corners(size);
    list.AddQuad(at[0], at[1], at[2], at[3], color, 1.5f);
  };
  const auto at = corners(r);
  if (mark == LaneItem::Mark::Goals) return outline(r);
  list.AddQuadFilled(at[0], at[1], at[2], at[3], color);
  if (mark == LaneItem::Mark::PoseAndGoals) outline(1.45f * r);
}

void drawItem(const TrackView& track, std::size_t row, const LaneItem& item, bool isNow, ImDrawList& list) {
  const Lane& lane = track.lanes[row];
  const bool isHeld = track.isHeld(lane, item);
  const double begin = isHeld ? track.held->toBegin : item.begin, end = isHeld ? track.held->toEnd : item.end;
  const float y = track.middle(row);
  if (item.isKey()) {
    const ImU32 color = ImGui::GetColorU32(isNow || isHeld ? colors::kText : colors::kAccent);
    return drawDiamond(ImVec2(track.ruler.x(begin), y), kKeyEms * track.em, item.mark, color, list);
  }
  const ImVec4 quiet = ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
  const ImU32 color = ImGui::GetColorU32(item.isSelected || isHeld ? colors::kAccent : quiet);
  const float from = track.ruler.x(std::min(begin, track.ruler.length)), half = 0.5f * kBarEms * track.em;
  const float to = std::max(track.ruler.x(std::min(end, track.ruler.length)), from + 2.0f);
  if (item.mark == LaneItem::Mark::Bar) list.AddRectFilled(ImVec2(from, y - half), ImVec2(to, y + half), color, 2.0f);
  else list.AddRect(ImVec2(from, y - half), ImVec2(to, y + half), color, 2.0f);
}

void drawLanes(const TrackView& track, int frame, ImDrawList& list) {
  const Ruler& ruler = track.ruler;
  const float namesEnd = ruler.left - kMarginEms * track.em;
  for (std::size_t row = 0; row < track.lanes.size(); ++row) {
    const Lane& lane = track.lanes[row];
    const float top = track.top(row);
    list.AddLine(ImVec2(ruler.corner.x, top), ImVec2(ruler.corner.x + ruler.size.x, top),
                 ImGui::GetColorU32(faintLine(0.06f)));
    const bool isSelected = std::ranges::any_of(lane.items, &LaneItem::isSelected);
    const ImVec4& color = isSelected ? colors::kAccent : ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
    list.PushClipRect(ImVec2(ruler.corner.x, top), ImVec2(namesEnd, top + kLaneEms * track.em), true);
    list.AddText(ImGui::GetFont(), 0.9f * track.em, ImVec2(ruler.corner.x + 0.4f * track.em, top + 0.1f * track.em),
                 ImGui::GetColorU32(color), lane.name.c_str());
    list.PopClipRect();
    for (const LaneItem& item : lane.items)
      if (item.begin <= ruler.length) drawItem(track, row, item, ruler.clock.frameAt(item.begin) == frame, list);
  }
}

void drawPlayhead(const Ruler& ruler, double now, ImDrawList& list) {
  const float em = ImGui::GetFontSize(), x = ruler.x(std::min(now, ruler.length));
  const ImU32 color = ImGui::GetColorU32(colors::kAmber);
  list.AddLine(ImVec2(x, ruler.corner.y), ImVec2(x, ruler.corner.y + ruler.size.y), color, std::max(1.5f, 0.1f * em));
  list.AddTriangleFilled(ImVec2(x - 0.4f * em, ruler.corner.y), ImVec2(x + 0.4f * em, ruler.corner.y),
                         ImVec2(x, ruler.corner.y + 0.55f * em), color);
}

}  // namespace

double Ruler::time(float at) const {
  return std::clamp(static_cast<double>((at - left) / width), 0.0, 1.0) * clock.length();
}

Ruler rulerHere(const Document& document) {
  const float em = ImGui::GetFontSize(), margin = kMarginEms * em;
  const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const Clock clock = clockOf(document);
  Ruler ruler{.corner = corner, .size = ImVec2(std::max(room.x, 4.0f * em), room.y), .clock = clock};
  ruler.left = corner.x + kNamesEms * em + margin;
  ruler.width = std::max(corner.x + ruler.size.x - margin - ruler.left, 1.0f);
  ruler.length = std::max(clock.length(), clock.timeOf(1));
  return ruler;
}

Ruler drawTrack(const Session& session, bool fills, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  std::vector<Lane> lanes = lanesOf(document);
  Ruler ruler = rulerHere(document);
  const float least = (kRulerEms + 0.4f + kLaneEms * static_cast<float>(lanes.size())) * ImGui::GetFontSize();
  ruler.size.y = fills ? std::max(ruler.size.y, least) : least;
  const TrackView track{.ruler = ruler, .lanes = std::move(lanes), .held = ui.timeline.held};
  ImGui::InvisibleButton("##track", ruler.size);
  handleMouse(session, track, ui.timeline, queue);
  showTips(track);
  drawMenu(ui.timeline, queue);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(ruler.corner.x + ruler.size.x, ruler.corner.y + ruler.size.y);
  list.AddRectFilled(ruler.corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg), 4.0f);
  const int frame = currentFrame(document);
  drawTicks(ruler, list);
  drawLanes(track, frame, list);
  drawPlayhead(ruler, ruler.clock.timeOf(frame), list);
  return ruler;
}

}  // namespace limber::app

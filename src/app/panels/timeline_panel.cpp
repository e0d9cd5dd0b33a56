// SPDX-License-Identifier: MIT
// The timeline below the picture: transport controls, a ruler in seconds with keys and paths, and baking.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

constexpr double kShortestTimeline = 0.1, kLongestTimeline = 3600.0;  // seconds
constexpr double kFastestTimeline = 240.0;                            // frames per second
constexpr float kMarginEms = 0.9f, kRulerEms = 1.35f, kKeyEms = 0.42f, kBarEms = 0.32f;
constexpr float kTimeEms = 8.5f;  // "12.34 s  370 / 3600"
constexpr float kTickEms = 4.2f;  // least distance of numbers on the ruler

/// Keeps the next item on this line if it has room there.
void sameLineFor(float width) {
  const float right = ImGui::GetWindowContentRegionMax().x + ImGui::GetWindowPos().x;
  if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right) ImGui::SameLine();
}

float buttonWidth(const char* label) {
  return ImGui::CalcTextSize(label, nullptr, true).x + 2.0f * ImGui::GetStyle().FramePadding.x;
}

bool flowButton(const char* label, const char* tip, bool enabled = true) {
  sameLineFor(buttonWidth(label));
  return button(label, tip, enabled);
}

void flowCommand(Command command, const Session& session, CommandQueue& queue, bool enabled = true) {
  sameLineFor(buttonWidth(infoOf(command).item.label));
  commandButton(command, session, queue, nullptr, nullptr, enabled);
}

/// A field for a number of the timeline, with its label on the left.
template <typename Set>
void flowNumber(const char* label, double value, const NumberStyle& style, UiState& ui, CommandQueue& queue, Set set) {
  const float em = ImGui::GetFontSize(), field = 5.2f * em;
  sameLineFor(ImGui::CalcTextSize(label).x + ImGui::GetStyle().ItemSpacing.x + field);
  ImGui::AlignTextToFramePadding();
  disabledText("%s", label);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(field);
  ImGui::PushID(label);
  const std::string gesture = gestureOf("##value");
  if (editNumber("##value", value, style, ui))
    queue.edit(std::string("timeline: ") + label, gesture, AfterEdit::Nothing,
               [set, value](Document& d) { set(changeTimeline(d), value); });
  ImGui::PopID();
}

void drawTransport(const Session& session, const Timeline& timeline, UiState& ui, CommandQueue& queue) {
  const float em = ImGui::GetFontSize();
  if (ImGui::Button(session.playing.isPlaying() ? "Pause" : "Play", ImVec2(4.0f * em, 0.0f)))
    queue.add(Command::PlayOrPause);
  tooltip(tipOf(Command::PlayOrPause, session));
  sameLineFor(4.5f * em);
  bool loop = session.playing.loop;
  if (ImGui::Checkbox("Loop", &loop)) queue.add(Command::LoopTimeline, loop);
  sameLineFor(kTimeEms * em);
  ImGui::AlignTextToFramePadding();
  const float left = ImGui::GetCursorPosX();
  const int frame = frameNearest(timeline, session.document().time);
  ImGui::Text("%.2f s", session.document().time);
  ImGui::SameLine();
  disabledText("%d / %d", frame, frameCountOf(timeline) - 1);
  tooltip("present and last frame; Left and Right go by one frame");
  ImGui::SameLine(left + kTimeEms * em);  // keeps the items behind it in place when its digits change
  ImGui::Dummy(ImVec2(0.0f, 0.0f));
  flowNumber("length", timeline.length,
             {.minimum = kShortestTimeline,
              .maximum = kLongestTimeline,
              .format = "%.2f s",
              .logarithmic = true,
              .tooltip = "seconds"},
             ui, queue, [](Timeline& t, double value) { t.length = value; });
  flowNumber("frames/s", timeline.framesPerSecond,
             {.minimum = 1.0,
              .maximum = kFastestTimeline,
              .format = "%.4g",
              .logarithmic = true,
              .tooltip = "frames per second of playback and of a bake"},
             ui, queue, [](Timeline& t, double value) { t.framesPerSecond = value; });
}

void drawKeyButtons(const Session& session, const Timeline& timeline, CommandQueue& queue) {
  const float em = ImGui::GetFontSize();
  flowCommand(Command::KeyPose, session, queue);
  flowCommand(Command::KeyGoals, session, queue);
  flowCommand(Command::RemoveKey, session, queue, findKey(timeline, session.document().time) != nullptr);
  const char* blends[] = {"linear", "smooth"};
  int blend = static_cast<int>(timeline.blend);
  sameLineFor(6.0f * em);
  ImGui::SetNextItemWidth(6.0f * em);
  if (ImGui::Combo("##blend", &blend, blends, 2))
    queue.edit("way between keys", "", AfterEdit::Nothing,
               [blend](Document& d) { changeTimeline(d).blend = static_cast<Blend>(blend); });
  tooltip("interpolation between keys: linear by the shortest rotation, or smooth");
}

void drawBakeButtons(const Session& session, const Timeline& timeline, CommandQueue& queue) {
  const bool isEmpty = timeline.keys.empty() && timeline.paths.empty();
  const bool bakes = !isEmpty && !session.services.job.isRunning();
  if (flowButton("Bake", "solves every frame to convergence and makes a motion, which can be played and exported",
                 bakes))
    queue.add(Command::Bake, BakeAs::Motion);
  if (flowButton("To keys", "bakes to as few pose keys as keep every frame within a sixth of a degree", bakes))
    queue.add(Command::Bake, BakeAs::Keys);
  flowCommand(Command::Export, session, queue, session.document().motion != nullptr);
}

/// Maps times to screen coordinates.
struct Ruler {
  ImVec2 corner, size;
  float left = 0.0f, width = 1.0f;
  double length = 1.0;

  float x(double time) const { return left + width * static_cast<float>(time / length); }
  double time(float at) const { return std::clamp(static_cast<double>((at - left) / width), 0.0, 1.0) * length; }
};

Ruler rulerOf(const Timeline& timeline, ImVec2 corner, ImVec2 size) {
  const float margin = kMarginEms * ImGui::GetFontSize();
  return {corner, size, corner.x + margin, std::max(size.x - 2.0f * margin, 1.0f), timeline.length};
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

float keyHeight(const Ruler& ruler) {
  const float em = ImGui::GetFontSize();
  return ruler.corner.y + (kRulerEms + 0.35f + kKeyEms) * em;
}

void drawDiamond(ImVec2 c, float r, bool isFilled, bool hasGoals, ImU32 color, ImDrawList& list) {
  const std::array<ImVec2, 4> corners = {ImVec2(c.x - r, c.y), ImVec2(c.x, c.y - r), ImVec2(c.x + r, c.y),
                                         ImVec2(c.x, c.y + r)};
  if (isFilled) list.AddQuadFilled(corners[0], corners[1], corners[2], corners[3], color);
  else list.AddQuad(corners[0], corners[1], corners[2], corners[3], color, 1.5f);
  if (isFilled && hasGoals)  // a frame marks a key with both
    list.AddQuad(ImVec2(c.x - 1.45f * r, c.y), ImVec2(c.x, c.y - 1.45f * r), ImVec2(c.x + 1.45f * r, c.y),
                 ImVec2(c.x, c.y + 1.45f * r), color, 1.5f);
}

void drawKeyMarks(const Ruler& ruler, const Timeline& timeline, const TimelineState& state, double now,
                  ImDrawList& list) {
  const float radius = kKeyEms * ImGui::GetFontSize();
  const TimelineKey* present = findKey(timeline, now);
  for (const TimelineKey& key : timeline.keys) {
    if (key.time > timeline.length) continue;
    const bool isHeld = state.heldKey && *state.heldKey == key.time;
    const ImU32 color = ImGui::GetColorU32(&key == present || isHeld ? colors::kText : colors::kAccent);
    drawDiamond(ImVec2(ruler.x(isHeld ? state.heldTo : key.time), keyHeight(ruler)), radius, key.hasPose(),
                !key.goals.empty(), color, list);
  }
}

void drawPathBars(const Ruler& ruler, const Document& document, const Timeline& timeline, ImDrawList& list) {
  const float em = ImGui::GetFontSize(), bar = kBarEms * em;
  float y = keyHeight(ruler) + (kKeyEms + 0.4f) * em;
  for (const TargetPath& path : timeline.paths) {
    if (y + bar > ruler.corner.y + ruler.size.y) break;
    const bool isSelected = document.selection.goal == path.goal;
    const ImVec4 quiet = ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
    const ImU32 color = ImGui::GetColorU32(isSelected ? colors::kAccent : quiet);
    const float from = ruler.x(std::min(path.begin, timeline.length));
    const float to = std::max(ruler.x(std::min(path.end, timeline.length)), from + 2.0f);
    if (path.enabled) list.AddRectFilled(ImVec2(from, y), ImVec2(to, y + bar), color, 2.0f);
    else list.AddRect(ImVec2(from, y), ImVec2(to, y + bar), color, 2.0f);
    y += bar + 0.15f * em;
  }
}

void drawPlayhead(const Ruler& ruler, double now, ImDrawList& list) {
  const float em = ImGui::GetFontSize(), x = ruler.x(std::min(now, ruler.length));
  const ImU32 color = ImGui::GetColorU32(colors::kAmber);
  list.AddLine(ImVec2(x, ruler.corner.y), ImVec2(x, ruler.corner.y + ruler.size.y), color, std::max(1.5f, 0.1f * em));
  list.AddTriangleFilled(ImVec2(x - 0.4f * em, ruler.corner.y), ImVec2(x + 0.4f * em, ruler.corner.y),
                         ImVec2(x, ruler.corner.y + 0.55f * em), color);
}

/// The key under the cursor; null for none.
const TimelineKey* keyUnder(const Ruler& ruler, const Timeline& timeline, ImVec2 cursor) {
  const float reach = 1.5f * kKeyEms * ImGui::GetFontSize();
  const TimelineKey* best = nullptr;
  for (const TimelineKey& key : timeline.keys) {
    const float off = std::abs(ruler.x(key.time) - cursor.x);
    if (off > reach || std::abs(keyHeight(ruler) - cursor.y) > reach) continue;
    if (!best || off < std::abs(ruler.x(best->time) - cursor.x)) best = &key;
  }
  return best;
}

/// Handles the mouse on the track: it scrubs or drags a key; a click on a key goes to it.
void handleTrack(const Session& session, const Ruler& ruler, const Timeline& timeline, UiState& ui,
                 CommandQueue& queue) {
  TimelineState& state = ui.timeline;
  const ImVec2 cursor = ImGui::GetIO().MousePos;
  if (ImGui::IsItemActivated()) {
    const TimelineKey* key = keyUnder(ruler, timeline, cursor);
    state.heldKey = key ? std::optional(key->time) : std::nullopt;
    if (key) state.heldTo = key->time;
    state.isScrubbing = !key;
  }
  if (ImGui::IsItemActive() && state.heldKey && ImGui::IsMouseDragging(ImGuiMouseButton_Left))
    state.heldTo = snapToFrame(timeline, ruler.time(cursor.x));
  if (ImGui::IsItemActive() && state.isScrubbing) {
    const double wanted = snapToFrame(timeline, ruler.time(cursor.x));
    if (wanted != session.document().time) {
      queue.add(Command::ScrubTo, Scrub{wanted, gestureOf("##track")});
    }
  }
  if (ImGui::IsItemDeactivated()) {
    if (state.heldKey && state.heldTo != *state.heldKey)
      queue.edit("move key", "", AfterEdit::Nothing,
                 [from = *state.heldKey, to = state.heldTo](Document& d) { moveKey(d, from, to); });
    else if (state.heldKey) queue.add(Command::ScrubTo, Scrub{*state.heldKey});
    state.heldKey.reset();
    state.isScrubbing = false;
  }
}

void drawTrack(const Session& session, const Timeline& timeline, UiState& ui, CommandQueue& queue) {
  const float em = ImGui::GetFontSize();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::max(ImGui::GetContentRegionAvail().x, 4.0f * em),
                    std::max(ImGui::GetContentRegionAvail().y, 3.4f * em));
  const Ruler ruler = rulerOf(timeline, corner, size);
  ImGui::InvisibleButton("##track", size);
  if (session.document().timeline) handleTrack(session, ruler, timeline, ui, queue);
  if (!ImGui::IsItemActive())
    tooltip(
        "drag to scrub; drag a key to move it, click a key to go there. Filled: a pose, hollow: only goals, "
        "framed: both. Bars: paths");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, ImVec2(corner.x + size.x, corner.y + size.y), ImGui::GetColorU32(ImGuiCol_FrameBg), 4.0f);
  drawTicks(ruler, list);
  drawPathBars(ruler, session.document(), timeline, list);
  drawKeyMarks(ruler, timeline, ui.timeline, session.document().time, list);
  drawPlayhead(ruler, session.document().time, list);
}

}  // namespace

void drawTimeline(const Session& session, UiState& ui, CommandQueue& queue) {
  const Timeline none;
  const Timeline& timeline = session.document().timeline ? *session.document().timeline : none;
  drawTransport(session, timeline, ui, queue);
  drawKeyButtons(session, timeline, queue);
  drawBakeButtons(session, timeline, queue);
  drawTrack(session, timeline, ui, queue);
}

}  // namespace limber::app

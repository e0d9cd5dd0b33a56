// SPDX-License-Identifier: MIT
// A sheet of all keys and mouse gestures of the present preset.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

// Widths of the columns of the sheet.
constexpr float kSectionEms = 4.2f, kKeysEms = 14.5f, kWhatEms = 18.0f, kBetweenEms = 1.5f;
constexpr float kLeastWhatEms = 8.0f, kMarginEms = 3.0f;  // in a narrow window, margins and scroll bar included
constexpr float kColumnEms = kSectionEms + kKeysEms + kWhatEms + kBetweenEms;
constexpr float kRowGapEms = 0.2f, kSectionGapEms = 0.5f;

/// Draws text and boxes, or only measures them when the list is null.
struct Sheet {
  ImDrawList* list;
  float em;
  float whatEms;  ///< width of the text

  void text(const ImVec2& at, ImU32 color, std::string_view text, float width) const {
    if (list)
      list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, color, text.data(), text.data() + text.size(), width);
  }

  /// Draws keys side by side, in as many rows as they need; returns their height.
  float caps(const ImVec2& at, const std::vector<std::string>& keys) const {
    const float pad = 0.4f * em, height = 1.25f * em, gap = 0.3f * em;
    float x = at.x, y = at.y;
    for (const std::string& key : keys) {
      const float width = ImGui::CalcTextSize(key.c_str()).x + 2.0f * pad;
      if (x > at.x && x + width > at.x + (kKeysEms - 0.5f) * em) {
        x = at.x;
        y += height + 0.2f * em;
      }
      if (list) {
        const ImVec2 corner(x, y), end(x + width, y + height);
        list->AddRectFilled(corner, end, ImGui::GetColorU32(presentTheme.button), 0.25f * em);
        text(ImVec2(x + pad, y + 0.5f * (height - ImGui::GetFontSize())), ImGui::GetColorU32(ImGuiCol_Text), key, 0.0f);
      }
      x += width + gap;
    }
    return y + height - at.y;
  }

  /// Draws one line; returns its height.
  float line(const ImVec2& at, const KeyLine& line, bool isFirst) const {
    if (isFirst) text(ImVec2(at.x, at.y + 0.12f * em), ImGui::GetColorU32(colors::kAccent), line.section, 0.0f);
    const float keys = caps(ImVec2(at.x + kSectionEms * em, at.y), line.keys);
    const float width = whatEms * em;
    const ImVec2 extent = ImGui::CalcTextSize(line.what.data(), line.what.data() + line.what.size(), false, width);
    text(ImVec2(at.x + (kSectionEms + kKeysEms) * em, at.y + 0.12f * em), ImGui::GetColorU32(ImGuiCol_Text), line.what,
         width);
    return std::max(keys, extent.y + 0.12f * em) + kRowGapEms * em;
  }

  /// Draws lines below each other; returns their height.
  float lines(ImVec2 at, const std::vector<KeyLine>& all, std::size_t first, std::size_t end) const {
    const float top = at.y;
    for (std::size_t i = first; i < end; ++i) {
      const bool isFirst = i == first || all[i].section != all[i - 1].section;
      if (isFirst && i > first) at.y += kSectionGapEms * em;
      at.y += line(at, all[i], isFirst);
    }
    return at.y - top;
  }
};

bool speaksOf(const KeyLine& line, const std::string& part) {
  if (containsIgnoringCase(std::string(line.what), part) || containsIgnoringCase(std::string(line.section), part))
    return true;
  return std::ranges::any_of(line.keys, [&](const std::string& key) { return containsIgnoringCase(key, part); });
}

/// The line at which a second column begins so that the taller column is as short as possible.
std::size_t middleOf(const Sheet& measure, const std::vector<KeyLine>& lines) {
  std::size_t best = lines.size();
  float least = measure.lines(ImVec2(0, 0), lines, 0, lines.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].section == lines[i - 1].section) continue;
    const float height =
        std::max(measure.lines(ImVec2(0, 0), lines, 0, i), measure.lines(ImVec2(0, 0), lines, i, lines.size()));
    if (height < least) std::tie(best, least) = std::pair(i, height);
  }
  return best;
}

void drawChoices(UiState& ui, Settings& settings) {
  const float em = ImGui::GetFontSize();
  ImGui::SetNextItemWidth(11.0f * em);
  if (ImGui::BeginCombo("##preset", titleOf(settings.keys))) {
    for (const KeyPreset preset : {KeyPreset::Limber, KeyPreset::Blender, KeyPreset::Maya})
      if (ImGui::Selectable(titleOf(preset), preset == settings.keys)) settings.keys = preset;
    ImGui::EndCombo();
  }
  tooltip("the program whose keys and mouse gestures are used");
  ImGui::SameLine();
  bool isTrackpad = settings.scrolling == Scrolling::Orbits;
  if (ImGui::Checkbox("Trackpad", &isTrackpad)) settings.scrolling = isTrackpad ? Scrolling::Orbits : Scrolling::Zooms;
  tooltip("two fingers orbit, with Shift they pan, with Ctrl, as a pinch does, they zoom");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(12.0f * em);
  inputText("##find key", "find a key", ui.keySheet.filter);
}

}  // namespace

void drawKeys(UiState& ui, Settings& settings) {
  if (!ui.keySheet.isShown) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowPos(ImVec2(0.5f * size.x, 0.5f * size.y), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
  ImGui::SetNextWindowSizeConstraints(ImVec2(0.0f, 0.0f), ImVec2(size.x, 0.97f * size.y));  // else it scrolls
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
  if (ImGui::Begin("Keys and mouse", &ui.keySheet.isShown,
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoSavedSettings)) {
    drawChoices(ui, settings);
    std::vector<KeyLine> lines = keySheet(settings.keys, settings.scrolling);
    if (!ui.keySheet.filter.empty())
      std::erase_if(lines, [&](const KeyLine& line) { return !speaksOf(line, ui.keySheet.filter); });
    const float what = std::clamp(size.x / em - kSectionEms - kKeysEms - kMarginEms, kLeastWhatEms, kWhatEms);
    const Sheet measure{nullptr, em, what}, sheet{ImGui::GetWindowDrawList(), em, what};
    const bool hasTwo = size.x > (2.0f * kColumnEms + 2.0f) * em;
    const std::size_t middle = hasTwo ? middleOf(measure, lines) : lines.size();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float left = sheet.lines(corner, lines, 0, middle);
    const float right = sheet.lines(ImVec2(corner.x + kColumnEms * em, corner.y), lines, middle, lines.size());
    ImGui::Dummy(ImVec2((hasTwo ? 2.0f * kColumnEms - kBetweenEms : kSectionEms + kKeysEms + what) * em,
                        std::max({left, right, 2.0f * em})));
  }
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace limber::app

// SPDX-License-Identifier: MIT
#include "app/panels/widgets.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "app/session/session.h"
#include "app/stage/commands.h"

namespace limber::app {

namespace {

constexpr float kLabelShare = 0.42f;  // of a row's width

/// The lower end of a logarithmic slider: its minimum, or 1e-7 of the maximum when the minimum is zero.
double leastOf(const NumberStyle& style) { return style.minimum > 0.0 ? style.minimum : 1e-7 * style.maximum; }

/// The filled part of a number's bar, 0 to 1.
float shareOf(double value, const NumberStyle& style) {
  if (!style.logarithmic) return static_cast<float>((value - style.minimum) / (style.maximum - style.minimum));
  const double least = leastOf(style);
  return static_cast<float>(std::log(std::max(value, least) / least) / std::log(style.maximum / least));
}

double roundToTwoDigits(double value) {
  if (!(value > 0.0)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  return std::round(value / unit) * unit;
}

/// Drags the last item as a logarithmic slider in round steps, since ImGui's own drag cannot go below a thousandth.
bool slideLogarithmically(ImGuiID field, const NumberStyle& style, float width, double value, double& edited,
                          UiState& ui) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsItemActive() || io.WantTextInput) {
    if (ui.fields.slid.field == field) ui.fields.slid = {};
    return false;
  }
  if (!ImGui::IsMouseDragging(0) || io.MouseDelta.x == 0.0f) return false;
  const double least = leastOf(style);
  const double from = ui.fields.slid.field == field ? ui.fields.slid.value : value;
  const double slid = std::max(from, least) * std::pow(style.maximum / least, io.MouseDelta.x / std::max(width, 1.0f));
  ui.fields.slid = {field, std::clamp(slid, least, style.maximum)};
  edited =
      ui.fields.slid.value <= least ? style.minimum : std::min(roundToTwoDigits(ui.fields.slid.value), style.maximum);
  return true;
}

void drawBar(const ImVec2& corner, float width, float share) {
  const ImGuiStyle& look = ImGui::GetStyle();
  const float height = ImGui::GetFrameHeight();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + width, corner.y + height);
  const bool hovered = ImGui::IsMouseHoveringRect(corner, end) && ImGui::IsWindowHovered();
  list.AddRectFilled(corner, end, ImGui::GetColorU32(hovered ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg),
                     look.FrameRounding);
  const float filled = std::clamp(share, 0.0f, 1.0f) * width;
  if (filled < 1.0f) return;
  list.PushClipRect(corner, ImVec2(corner.x + filled, end.y), true);
  list.AddRectFilled(corner, end, ImGui::GetColorU32(withOpacity(presentTheme.slider, hovered ? 0.50f : 0.34f)),
                     look.FrameRounding);
  list.PopClipRect();
}

/// An invisible button as tall as a frame for a drawn icon; sets the icon's centre and colour, and returns true when
/// clicked.
bool signButton(const char* id, ImVec2& centre, ImU32& color, bool faint) {
  const float side = ImGui::GetFrameHeight();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, ImVec2(side, side));
  centre = ImVec2(corner.x + 0.5f * side, corner.y + 0.5f * side);
  const float strength = faint ? 0.16f : ImGui::IsItemHovered() ? 1.0f : 0.55f;
  color = ImGui::GetColorU32(withOpacity(colors::kText, strength));
  return clicked && !faint;
}

/// True when `edited` is accepted: at once during a drag; for a typed value when the field is left, unless by Esc.
bool takeTyped(ImGuiID field, bool touched, double& edited, UiState& ui) {
  if (ImGui::IsItemActive() && ImGui::GetIO().WantTextInput) {
    if (touched) ui.fields.typed = {field, edited};
    return false;
  }
  if (ui.fields.typed.field != field) return touched;
  if (!touched) edited = ui.fields.typed.value;
  ui.fields.typed = {};
  return !ui.popups.isEscape;
}

}  // namespace

bool editNumber(const char* id, double& value, const NumberStyle& style, UiState& ui) {
  const bool hasRange = std::isfinite(style.minimum) && std::isfinite(style.maximum) && style.maximum > style.minimum;
  const float width = ImGui::CalcItemWidth();
  if (hasRange) drawBar(ImGui::GetCursorScreenPos(), width, shareOf(value, style));
  const ImVec4 clear(0, 0, 0, 0);
  for (const ImGuiCol part : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
    ImGui::PushStyleColor(part, hasRange ? clear : ImGui::GetStyleColorVec4(part));
  double edited = value;
  bool touched = false;
  if (style.logarithmic) {
    touched = ImGui::DragScalar(id, ImGuiDataType_Double, &edited, 1e-30f, nullptr, nullptr, style.format,
                                ImGuiSliderFlags_NoRoundToFormat);
    touched = slideLogarithmically(ImGui::GetID(id), style, width, value, edited, ui) || touched;
  } else {
    const double speed = hasRange ? (style.maximum - style.minimum) / std::max(width, 1.0f) : style.speed;
    touched = ImGui::DragScalar(id, ImGuiDataType_Double, &edited, static_cast<float>(speed),
                                hasRange ? &style.minimum : nullptr, hasRange ? &style.maximum : nullptr, style.format);
  }
  ImGui::PopStyleColor(3);
  if (*style.tooltip) tooltip(style.tooltip);
  if (!takeTyped(ImGui::GetID(id), touched, edited, ui)) return false;
  if (!std::isfinite(edited)) {
    ui.message = {"not a finite number: the old value stays", true, ui.now + 6.0};
    return false;
  }
  edited = std::clamp(edited, style.minimum, style.maximum);
  if (edited == value) return false;
  if (ui.message.isError) ui.message = {};
  value = edited;
  return true;
}

bool editLength(const char* id, double& metres, NumberStyle style, UiState& ui) {
  const double scale = unitsPerMetre(ui.unit);
  style.minimum *= scale;
  style.maximum *= scale;
  style.speed *= scale;
  style.format = lengthFormat(ui.unit);
  double shown = scale * metres;
  if (!editNumber(id, shown, style, ui)) return false;
  metres = shown / scale;
  return true;
}

std::string gestureOf(const char* id) { return kWidgetGesture + std::to_string(ImGui::GetID(id)); }

void rowLabel(const char* label, const char* tip, float reservedEms) {
  ImGui::AlignTextToFramePadding();
  const float left = ImGui::GetCursorPosX(), whole = ImGui::GetContentRegionAvail().x;
  ImGui::TextUnformatted(label);
  if (*tip) tooltip(tip);
  const float labelEnd = ImGui::CalcTextSize(label).x + 0.6f * ImGui::GetFontSize();
  ImGui::SameLine(left + std::max(kLabelShare * whole, labelEnd));
  const float reserved = reservedEms * ImGui::GetFontSize();
  ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x - reserved, ImGui::GetFontSize()));
}

bool resetButton(const char* id, bool isDefault, const char* tip) {
  ImGui::SameLine(0.0f, 2.0f);
  ImVec2 centre;
  ImU32 color;
  const bool clicked = signButton(id, centre, color, isDefault);
  const float radius = 0.28f * ImGui::GetFontSize();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PathArcTo(centre, radius, -0.6f, 4.2f, 20);
  list.PathStroke(color, 0, std::max(1.0f, 0.09f * ImGui::GetFontSize()));
  const ImVec2 end(centre.x + radius * std::cos(-0.6f), centre.y + radius * std::sin(-0.6f));
  const float size = 0.2f * ImGui::GetFontSize();
  list.AddTriangleFilled(ImVec2(end.x - size, end.y - 0.4f * size), ImVec2(end.x + size, end.y - 0.7f * size),
                         ImVec2(end.x + 0.3f * size, end.y + size), color);
  if (!isDefault) tooltip(tip);
  return clicked;
}

int choose(const char* id, const std::vector<std::string>& names, int present, const char* none, UiState& ui) {
  constexpr std::size_t kFew = 12;
  const bool hasPresent = present >= 0 && present < static_cast<int>(names.size());
  if (!ImGui::BeginCombo(id, hasPresent ? names[present].c_str() : none)) return -1;
  if (ImGui::IsWindowAppearing()) ui.fields.filter.clear();
  if (names.size() > kFew) {
    ImGui::SetNextItemWidth(-1.0f);
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    inputText("##find", "find", ui.fields.filter);
  }
  int chosen = -1;
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    const std::string& name = names[i];
    if (!containsIgnoringCase(name, ui.fields.filter)) continue;
    ImGui::PushID(i);
    if (ImGui::Selectable(name.c_str(), i == present)) chosen = i;
    if (i == present && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
    ImGui::PopID();
  }
  ImGui::EndCombo();
  return chosen;
}

bool crossButton(const char* id, const char* tip) {
  ImVec2 centre;
  ImU32 color;
  const bool clicked = signButton(id, centre, color, false);
  const float size = 0.24f * ImGui::GetFontSize(), thickness = std::max(1.0f, 0.1f * ImGui::GetFontSize());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine(ImVec2(centre.x - size, centre.y - size), ImVec2(centre.x + size, centre.y + size), color, thickness);
  list.AddLine(ImVec2(centre.x - size, centre.y + size), ImVec2(centre.x + size, centre.y - size), color, thickness);
  tooltip(tip);
  return clicked;
}

bool button(const char* label, const char* tip, bool enabled) {
  ImGui::BeginDisabled(!enabled);
  const bool clicked = ImGui::Button(label);
  ImGui::EndDisabled();
  tooltip(tip);
  return clicked;
}

std::string tipOf(Command command, const Session& session, const char* tip) {
  const std::string key = keyIn(session, command);
  return (tip ? tip : infoOf(command).item.tip) + (key.empty() ? "" : " (" + key + ")");
}

void commandItem(Command command, const Session& session, CommandQueue& queue, const char* label) {
  const CommandItem& item = infoOf(command).item;
  if (ImGui::MenuItem(label ? label : item.label, keyIn(session, command).c_str(), item.isOn && item.isOn(session),
                      !item.isPossible || item.isPossible(session)))
    queue.add(command);
  if (*item.tip) tooltip(item.tip);
}

void commandButton(Command command, const Session& session, CommandQueue& queue, const char* label, const char* tip,
                   bool enabled) {
  const CommandItem& item = infoOf(command).item;
  const bool isPossible = enabled && (!item.isPossible || item.isPossible(session));
  if (button(label ? label : item.label, tipOf(command, session, tip).c_str(), isPossible)) queue.add(command);
}

void commandCheckbox(Command command, const Session& session, CommandQueue& queue, const char* label) {
  const CommandItem& item = infoOf(command).item;
  bool isOn = item.isOn(session);
  if (ImGui::Checkbox(label ? label : item.label, &isOn)) queue.add(command);
  tooltip(tipOf(command, session));
}

bool toggleButton(const char* label, bool on, const char* tip) {
  if (on) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  const bool clicked = button(label, tip);
  if (on) ImGui::PopStyleColor();
  return clicked;
}

void statusMark(bool isMet) {
  const float em = ImGui::GetFontSize(), height = ImGui::GetFrameHeight();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 c(corner.x + 0.5f * em, corner.y + 0.5f * height);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = ImGui::GetColorU32(isMet ? colors::kMet : colors::kUnmet);
  const ImU32 sign = ImGui::GetColorU32(presentTheme.sign);
  const float r = 0.42f * em, s = 0.18f * em, thickness = std::max(1.2f, 0.11f * em);
  if (isMet) {
    list.AddCircleFilled(c, r, color, 24);
    list.AddLine(ImVec2(c.x - 1.1f * s, c.y), ImVec2(c.x - 0.2f * s, c.y + 0.9f * s), sign, thickness);
    list.AddLine(ImVec2(c.x - 0.2f * s, c.y + 0.9f * s), ImVec2(c.x + 1.2f * s, c.y - 0.8f * s), sign, thickness);
  } else {
    list.AddQuadFilled(ImVec2(c.x, c.y - 1.15f * r), ImVec2(c.x + 1.15f * r, c.y), ImVec2(c.x, c.y + 1.15f * r),
                       ImVec2(c.x - 1.15f * r, c.y), color);
    list.AddLine(ImVec2(c.x - 0.8f * s, c.y - 0.8f * s), ImVec2(c.x + 0.8f * s, c.y + 0.8f * s), sign, thickness);
    list.AddLine(ImVec2(c.x - 0.8f * s, c.y + 0.8f * s), ImVec2(c.x + 0.8f * s, c.y - 0.8f * s), sign, thickness);
  }
  ImGui::Dummy(ImVec2(em, height));
}

void statusDot(bool isDone) {
  if (isDone) return statusMark(true);
  const float em = ImGui::GetFontSize(), height = ImGui::GetFrameHeight();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircle(ImVec2(corner.x + 0.5f * em, corner.y + 0.5f * height), 0.38f * em,
                                        ImGui::GetColorU32(ImGuiCol_TextDisabled), 24, std::max(1.0f, 0.08f * em));
  ImGui::Dummy(ImVec2(em, height));
}

void tooltip(const char* text) {
  // Nothing covers a field while the user types.
  if (ImGui::GetIO().WantTextInput || ImGui::IsMouseDown(0)) return;
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::BeginTooltip();
  wrappedText(text, colors::kText, 24.0f * ImGui::GetFontSize());
  ImGui::EndTooltip();
}

bool inputText(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags) {
  const auto resize = [](ImGuiInputTextCallbackData* data) {
    if (data->EventFlag != ImGuiInputTextFlags_CallbackResize) return 0;
    auto& target = *static_cast<std::string*>(data->UserData);
    target.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = target.data();
    return 0;
  };
  return ImGui::InputTextWithHint(id, hint, text.data(), text.capacity() + 1,
                                  flags | ImGuiInputTextFlags_CallbackResize, resize, &text);
}

bool editName(const char* id, const char* hint, std::string& name, UiState& ui) {
  const ImGuiID field = ImGui::GetID(id);
  std::string shown = ui.fields.text.field == field ? ui.fields.text.text : name;
  inputText(id, hint, shown);
  const bool isActive = ImGui::IsItemActive(), isLeft = ImGui::IsItemDeactivatedAfterEdit();
  if (isActive) ui.fields.text = {field, shown};
  else if (ui.fields.text.field == field) ui.fields.text = {};
  if (!isLeft || ui.popups.isEscape || shown == name) return false;
  name = shown;
  return true;
}

void disabledText(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ImGui::TextDisabledV(format, arguments);
  va_end(arguments);
}

std::string cutText(const std::string& text, float width, const char* ellipsis) {
  const auto isWide = [&](const std::string& part) { return ImGui::CalcTextSize(part.c_str()).x > width; };
  if (!isWide(text)) return text;
  std::string cut = text;
  while (!cut.empty() && (cut.size() == text.size() || isWide(cut + ellipsis))) {
    while (cut.size() > 1 && (cut.back() & 0xC0) == 0x80) cut.pop_back();  // continuation bytes of UTF-8
    cut.pop_back();
  }
  return cut + ellipsis;
}

void fittedNote(const std::string& text) {
  const std::string shown = cutText(text, ImGui::GetContentRegionAvail().x, "...");
  disabledText("%s", shown.c_str());
  if (shown != text) tooltip(text);
}

void wrappedText(const std::string& text, const ImVec4& color, float end) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::PushTextWrapPos(end);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void wrappedNote(const std::string& text) { wrappedText(text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled)); }

bool moreButton(std::size_t count, bool showsAll) {
  return ImGui::SmallButton(showsAll ? "Show fewer" : ("Show all " + std::to_string(count)).c_str());
}

void scrollIntoView(float top, float bottom) {
  const float seen = ImGui::GetWindowHeight(), at = ImGui::GetScrollY();
  if (top >= at && bottom <= at + seen) return;
  ImGui::SetScrollY(top < at || bottom - top > seen ? top : bottom - seen);
}

void textAtRight(const std::string& text) {
  ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(text.c_str()).x);
  ImGui::TextUnformatted(text.c_str());
}

bool isKeyPressed(ImGuiKey key, bool repeats) {
#if IMGUI_VERSION_NUM < 18700
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), repeats);
#else
  return ImGui::IsKeyPressed(key, repeats);
#endif
}

bool containsIgnoringCase(std::string text, std::string part) {
  const auto lower = [](std::string& s) {
    std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return std::tolower(c); });
  };
  lower(text);
  lower(part);
  return text.find(part) != std::string::npos;
}

std::string angleText(double radians) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f°", radians * kDegrees);
  return text;
}

std::string errorText(double metres, double radians, LengthUnit unit) {
  char length[32] = "", angle[32] = "";
  const auto places = [](double value) { return value < 9.995 ? 2 : value < 99.95 ? 1 : 0; };
  if (unit == LengthUnit::Metres && metres >= 1.0) {
    std::snprintf(length, sizeof length, "%.2f m", metres);
  } else if (metres >= 0.0) {
    const LengthUnit shown = unit == LengthUnit::Metres ? LengthUnit::Millimetres : unit;
    const double value = unitsPerMetre(shown) * metres;
    const int more = shown == LengthUnit::Centimetres ? 1 : 0;  // the same resolution as in millimetres
    std::snprintf(length, sizeof length, "%.*f %s", places(value) + (value < 9.995 ? more : 0), value,
                  unitSuffix(shown));
  }
  if (radians >= 0.0) std::snprintf(angle, sizeof angle, "%.*f°", places(radians * kDegrees), radians * kDegrees);
  if (!*length && !*angle) return "free";
  return std::string(length) + (*length && *angle ? "  " : "") + angle;
}

}  // namespace limber::app

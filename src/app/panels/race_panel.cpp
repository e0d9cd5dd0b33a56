// SPDX-License-Identifier: MIT
// The race of solvers: a choice of them, a table of their results, their curves, and a slider through the iterates.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/race_plot.h"
#include "app/panels/widgets.h"
#include "limber/solvers/registry.h"

namespace limber::app {

namespace {

constexpr float kRaceTableEms = 34.5f;   // the table with all columns
constexpr float kTableShare = 0.5f;      // of the panel's width, if that is more
constexpr float kObjectiveEms = 4.4f;    // the column that is dropped first
constexpr float kRaceCurvesEms = 16.0f;  // with less room only the table or the curves are shown
constexpr float kTurnsEms = 6.0f;
constexpr float kLabelRadiusEms = 0.62f;

const LaneView* laneOf(const Race& race, std::string_view solver) {
  for (const LaneView& lane : race.lanes())
    if (lane.solver == solver) return &lane;
  return nullptr;
}

void drawToolbar(const Session& session, Settings& settings, CommandQueue& queue) {
  const Race& race = session.services.racing.race();
  const auto all = [&](bool on) {
    for (const Solver* solver : allSolvers()) setRaced(settings, solver->name(), on, session.document().solver.solver);
  };
  if (ImGui::SmallButton("All")) all(true);
  ImGui::SameLine();
  if (ImGui::SmallButton("None")) all(false);
  ImGui::SameLine(0.0f, ImGui::GetFontSize());
  const auto small = [](const char* label, const char* tip, bool enabled) {
    ImGui::BeginDisabled(!enabled);
    const bool isClicked = ImGui::SmallButton(label);
    tooltip(tip);
    ImGui::EndDisabled();
    return isClicked;
  };
  if (small("From the drag's start",
            "runs all solvers, without warm start, from the pose at mouse-down to the last target",
            race.lastRequest() != nullptr))
    queue.add(Command::Race, RaceStart::Drag);
  ImGui::SameLine();
  if (small("From rest",
            "runs all solvers, without warm start, from the rest pose to the last target, or for the goals",
            race.lastRequest() || !session.document().goals.empty()))
    queue.add(Command::Race, RaceStart::Rest);
  ImGui::SameLine(0.0f, ImGui::GetFontSize());
  const bool hasIterates = std::ranges::any_of(
      race.lanes(), [](const LaneView& lane) { return lane.result && !lane.result->iterates.empty(); });
  if (small("Export CSV ...", "writes every iterate of every solver, for a spreadsheet", hasIterates))
    queue.add(Command::SaveRace);
}

ImVec4 colorOf(const LaneView& lane) {
  if (lane.isRunning) return ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
  switch (lane.result->report.outcome) {
    case Outcome::Reached: return colors::kMet;
    case Outcome::OutOfReach: return colors::kUnmet;
    default: return colors::kAmber;
  }
}

std::string iterationsText(const LaneResult& result) {
  const Summary& summary = result.report.summary;
  std::string text = std::to_string(result.iterations);
  if (summary.phaseCount < 2) return text;
  text += " =";
  for (int i = 0; i < summary.phaseCount; ++i) {
    const PhaseCount& phase = summary.phases[i];
    text += (i > 0 ? " + " : " ") + std::to_string(phase.iterations) + ' ' + std::string(phase.phase);
  }
  return text;
}

/// Draws a number right-aligned in its column.
void numberCell(const char* format, double value) {
  ImGui::TableNextColumn();
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(room, 0.0f));
  ImGui::TextUnformatted(text);
}

void drawNumbers(const LaneView& lane, LengthUnit unit) {
  const LaneResult& result = *lane.result;
  const PosingReport& report = result.report;
  numberCell("%.0f", result.iterations);
  if (result.isEnded) tooltip(iterationsText(result));
  numberCell(result.timeMs < 9.995 ? "%.3f" : result.timeMs < 999.5 ? "%.1f" : "%.0f", result.timeMs);
  numberCell("%.3g", report.summary.objective);  // clipped while the column is hidden
  ImGui::TableNextColumn();
  if (!result.isEnded) return disabledText("-");
  const double angle = report.worstAngle > 0.0 ? report.worstAngle : -1.0;
  const std::string left = errorText(report.worstError, angle, unit);
  ImGui::TextUnformatted(left.c_str());
}

/// Draws why a solver does not run, across the columns for numbers.
void drawRefusal(const std::string& sentence) {
  ImGui::TableNextColumn();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  list.PushClipRect(ImVec2(at.x, list.GetClipRectMin().y), ImVec2(right, list.GetClipRectMax().y));
  list.AddText(at, ImGui::GetColorU32(ImGuiCol_TextDisabled), sentence.c_str());
  list.PopClipRect();
}

const char* workOf(const LaneView& lane) {
  if (!lane.isRunning) return "";
  return lane.isWaiting ? "waiting" : "running";
}

void drawStatus(const LaneView* lane, LengthUnit unit) {
  ImGui::TableNextColumn();
  if (!lane) return;
  if (!lane->result) {
    disabledText("%s", workOf(*lane));
    return;
  }
  const std::string text(lane->result->isRefused() ? "refused"
                         : lane->isRunning         ? workOf(*lane)
                                                   : outcomeName(lane->result->report.outcome));
  ImGui::TextColored(colorOf(*lane), "%s", text.c_str());
  if (lane->result->isEnded && !lane->result->isRefused()) tooltip(inUnit(lane->result->report.sentence, unit));
}

/// The tooltip of a row: the description of the solver over its name, and why it does not run.
void explainRow(const Solver& solver, const LaneView* lane, float nameEnd) {
  const bool isRefused = lane && lane->result && lane->result->isRefused();
  const bool isOnName = ImGui::GetIO().MousePos.x < nameEnd;
  std::string text;
  if (isOnName)
    text = std::string(solver.title()) + " (" + std::string(solver.name()) + ")\n" + std::string(solver.description());
  if (isRefused) text += (isOnName ? "\n\n" : "") + lane->result->report.sentence;
  if (!text.empty()) tooltip(text);
}

/// Draws the row of a solver; true while the mouse is on it.
bool drawRow(const Session& session, const Solver& solver, bool isFocused, UiState& ui, Settings& settings) {
  const std::string name(solver.name());
  const LaneLook look = lookOf(name);
  const float em = ImGui::GetFontSize();
  const LaneView* lane = laneOf(session.services.racing.race(), name);
  const std::string& inUse = session.document().solver.solver;
  bool on = isRaced(settings, name, inUse);
  ImGui::PushID(name.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.0f, 0.0f));
  if (ImGui::Checkbox("##on", &on)) setRaced(settings, name, on, inUse);
  ImGui::PopStyleVar();
  ImGui::SameLine(0.0f, 0.35f * em);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawLaneLetter(*ImGui::GetWindowDrawList(), ImVec2(at.x + 0.55f * em, at.y + 0.5f * ImGui::GetTextLineHeight()),
                 0.52f * em, look, on);
  ImGui::Dummy(ImVec2(1.25f * em, ImGui::GetTextLineHeight()));
  ImGui::SameLine(0.0f, 0.0f);
  drawLaneLine(look, 1.3f * em);
  ImGui::TableNextColumn();
  const float nameEnd = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  if (name == inUse) ImGui::PushStyleColor(ImGuiCol_Text, colors::kAccent);
  const std::string title = std::string(solver.title()) + (name == inUse ? " (in use)" : "");
  if (ImGui::Selectable(cutText(title, ImGui::GetContentRegionAvail().x, "...").c_str(), isFocused,
                        ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap)) {
    ui.race.lane = name;
    ui.race.step = -1;
  }
  if (name == inUse) ImGui::PopStyleColor();
  const bool isHovered = ImGui::IsItemHovered();
  explainRow(solver, lane, nameEnd);
  drawStatus(lane, settings.unit);
  if (lane && lane->result) {
    if (lane->result->isRefused()) drawRefusal(lane->result->report.sentence);
    else drawNumbers(*lane, settings.unit);
  }
  ImGui::PopID();
  return isHovered;
}

/// Draws the table; returns the lane under the mouse, -1 for none.
int drawTable(const Session& session, UiState& ui, Settings& settings) {
  const float em = ImGui::GetFontSize();
  const bool hasRoom = ImGui::GetContentRegionAvail().x >= kRaceTableEms * em;
  const std::vector<LaneView>& lanes = session.services.racing.race().lanes();
  const int focus = session.services.racing.focus(ui.race);
  int hovered = -1;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(0.2f * em, 0.1f * em));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, 0.2f * em));
  const bool isOpen = ImGui::BeginTable("##solvers", 7, ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit);
  if (isOpen) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, 3.7f * em);
    ImGui::TableSetupColumn("solver", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("status", ImGuiTableColumnFlags_WidthFixed, 5.9f * em);
    ImGui::TableSetupColumn("iter.", ImGuiTableColumnFlags_WidthFixed, 2.7f * em);
    ImGui::TableSetupColumn("ms", ImGuiTableColumnFlags_WidthFixed, 3.0f * em);
    ImGui::TableSetupColumn("f", hasRoom ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_Disabled,
                            4.0f * em);
    ImGui::TableSetupColumn("left", ImGuiTableColumnFlags_WidthFixed, 6.2f * em);
    ImGui::TableHeadersRow();
    for (const Solver* solver : allSolvers()) {
      const bool isFocused = focus >= 0 && lanes[focus].solver == solver->name();
      if (!drawRow(session, *solver, isFocused, ui, settings)) continue;
      for (std::size_t i = 0; i < lanes.size(); ++i)
        if (lanes[i].solver == solver->name() && lanes[i].result) hovered = static_cast<int>(i);
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar(2);
  return hovered;
}

void drawAxesChoice(RaceView& view) {
  const float em = ImGui::GetFontSize();
  const auto combo = [&](const char* id, const char* const* names, int count, int chosen, float ems) {
    ImGui::SetNextItemWidth(ems * em);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ImGui::GetStyle().FramePadding.x, 0.0f));
    ImGui::Combo(id, &chosen, names, count);
    ImGui::PopStyleVar();
    return chosen;
  };
  constexpr const char* kAxes[] = {"iterations", "time"};
  view.quantity =
      static_cast<RaceView::Quantity>(combo("##quantity", kQuantityTitles, 3, static_cast<int>(view.quantity), 5.8f));
  tooltip("the quantity of the thick curves, on a logarithmic axis; a thin curve is |gradient| of the solver in focus");
  ImGui::SameLine();
  view.axis = static_cast<RaceView::Axis>(combo("##axis", kAxes, 2, static_cast<int>(view.axis), 5.8f));
  tooltip("the horizontal axis");
  ImGui::SameLine();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.0f, 0.0f));
  ImGui::Checkbox("log", &view.isAxisLogarithmic);
  ImGui::PopStyleVar();
  tooltip("a logarithmic axis for iterations or time, too");
}

/// Draws buttons and a slider that step through the iterates of the lane in focus.
void drawSteps(const Racing& racing, RaceView& view) {
  const float em = ImGui::GetFontSize();
  const int focus = racing.focus(view), step = racing.shownStep(view);
  const LaneResult* result = focus >= 0 ? racing.race().lanes()[focus].result.get() : nullptr;
  ImGui::BeginDisabled(step < 0);
  const auto button = [&](const char* label, const char* tip, int to) {
    if (ImGui::Button(label, ImVec2(1.7f * em, 0.0f))) racing.stepTo(view, to);
    tooltip(tip);
    ImGui::SameLine(0.0f, 0.2f * em);
  };
  const int last = result ? static_cast<int>(result->iterates.size()) - 1 : 0;
  button("|<", "the first iterate", 0);
  button("<", "one iteration back: [", step - 1);
  button(">", "one iteration on: ]", step + 1);
  button(">|", "the last iterate", last);
  std::string text = "iteration -";
  if (step >= 0) {
    const RaceIterate& iterate = result->iterates[step];
    text = std::string(1, lookOf(result->solver).letter) + "  iteration " + std::to_string(iterate.iteration) + " of " +
           std::to_string(result->iterations);
    char value[32];
    std::snprintf(value, sizeof value, ", f %.4g", iterate.record.objective);
    text += value;
  }
  ImGui::SetNextItemWidth(-1.0f);
  int wanted = std::max(step, 0);
  if (ImGui::SliderInt("##step", &wanted, 0, std::max(last, 1), text.c_str(), ImGuiSliderFlags_NoInput) && step >= 0)
    racing.stepTo(view, wanted);
  ImGui::EndDisabled();
}

/// Buttons for table or curves, at the end of the toolbar or below it.
void drawTurns(RaceView& view) {
  const float em = ImGui::GetFontSize();
  ImGui::SameLine(0.0f, em);
  if (ImGui::GetContentRegionAvail().x < kTurnsEms * em) ImGui::NewLine();
  const auto turn = [&](const char* label, bool curves) {
    const ImVec4& color =
        ImGui::GetStyleColorVec4(view.showsCurves == curves ? ImGuiCol_ButtonActive : ImGuiCol_Button);
    ImGui::PushStyleColor(ImGuiCol_Button, color);
    if (ImGui::SmallButton(label)) view.showsCurves = curves;
    ImGui::PopStyleColor();
  };
  turn("Table", false);
  ImGui::SameLine(0.0f, 0.2f * em);
  turn("Curves", true);
}

}  // namespace

void drawRace(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue) {
  const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x;
  const bool isWide = width >= (kRaceTableEms - kObjectiveEms + kRaceCurvesEms) * em;
  const bool showsTable = isWide || !ui.race.showsCurves, showsCurves = isWide || ui.race.showsCurves;
  const float least = width >= (kRaceTableEms + kRaceCurvesEms) * em ? kRaceTableEms : kRaceTableEms - kObjectiveEms;
  const float table = isWide ? std::max(least * em, kTableShare * width) : 0.0f;
  drawToolbar(session, settings, queue);
  if (isWide) {
    ImGui::SameLine(table + ImGui::GetStyle().WindowPadding.x + 0.9f * em);
    drawAxesChoice(ui.race);
  } else {
    drawTurns(ui.race);
  }
  int hovered = -1;
  if (showsTable) {
    if (ImGui::BeginChild("##table", ImVec2(table, 0.0f))) hovered = drawTable(session, ui, settings);
    ImGui::EndChild();
    if (isWide) ImGui::SameLine(0.0f, 0.6f * em);
  }
  if (!showsCurves) return;
  if (ImGui::BeginChild("##curves")) {
    if (!isWide) drawAxesChoice(ui.race);
    const float steps = ImGui::GetFrameHeightWithSpacing();
    drawRacePlot(session.services.racing, ui.race, hovered,
                 std::max(ImGui::GetContentRegionAvail().y - steps, 3.0f * em));
    drawSteps(session.services.racing, ui.race);
  }
  ImGui::EndChild();
}

void drawRaceSwitch(const Session& session, CommandQueue& queue) {
  commandCheckbox(Command::ToggleRace, session, queue, "Race on every drag");
  const auto raced = std::ranges::count_if(allSolvers(), [&](const Solver* s) {
    return isRaced(session.settings, s->name(), session.document().solver.solver);
  });
  disabledText("%d of %zu solvers take part", static_cast<int>(raced), allSolvers().size());
  tooltip("the solvers are chosen in the table below the picture");
  if (session.services.racing.race().isBusy()) disabledText("running");
}

void drawRaceLabels(const Session& session, const Rectangle& picture) {
  if (session.services.racing.labels().empty() || session.picture.area.width < 1.0) return;
  const float em = ImGui::GetFontSize(), radius = kLabelRadiusEms * em;
  const double perPixel = picture.width / session.picture.area.width;
  const render::View view = session.picture.view();
  struct Group {
    ImVec2 place;
    std::vector<int> lanes;
  };
  std::vector<Group> groups;  // lanes whose end effectors are close share a row of letters
  for (const Racing::Label& label : session.services.racing.labels()) {
    const auto pixel = render::projectToPixel(view, label.tip);
    if (!pixel) continue;
    const ImVec2 at(static_cast<float>(picture.x + perPixel * pixel->x()),
                    static_cast<float>(picture.y + perPixel * pixel->y()));
    const auto near = std::ranges::find_if(groups, [&](const Group& group) {
      return std::hypot(group.place.x - at.x, group.place.y - at.y) < 2.2f * radius;
    });
    if (near != groups.end()) near->lanes.push_back(label.lane);
    else groups.push_back({at, {label.lane}});
  }
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect(
      ImVec2(static_cast<float>(picture.x), static_cast<float>(picture.y)),
      ImVec2(static_cast<float>(picture.x + picture.width), static_cast<float>(picture.y + picture.height)));
  for (const Group& group : groups)
    for (std::size_t i = 0; i < group.lanes.size(); ++i) {
      const LaneView& lane = session.services.racing.race().lanes()[group.lanes[i]];
      const ImVec2 at(group.place.x + 1.6f * radius + 2.1f * radius * static_cast<float>(i),
                      group.place.y - 1.6f * radius);
      drawLaneLetter(list, at, radius, lookOf(lane.solver));
    }
  list.PopClipRect();
}

}  // namespace limber::app

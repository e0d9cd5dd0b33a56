// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/session.h"
#include "app/tools/tools.h"
#include "limber/scene/clock.h"
#include "limber/solvers/registry.h"

namespace limber::app {

namespace {

std::string hintOf(const Session& session) {
  if (session.pointer.isDragging()) return toolStatus(session);
  if (session.ui.planting)
    return session.ui.planting->isInPicture()                      ? "the picture waits for clicks"
           : session.ui.planting->clicks == Planting::Clicks::Join ? "the next click joins two parts"
                                                                   : "the next click adds a goal";
  if (session.pointer.following) return "a click leaves the target there, Esc cancels";
  if (session.solving.isBusy()) return "solving, Esc stops";
  if (session.document().mode == Mode::Inverse) return "drag any part of the figure";
  if (session.document().selection.joint < 0) return "click a link or press Tab to choose a joint";
  return "the keys . and , turn the joint, with Shift by 1°";
}

ImVec4 colorOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::Reached: return colors::kMet;
    case Outcome::OutOfReach:
    case Outcome::BadInput: return colors::kUnmet;
    case Outcome::Idle:
    case Outcome::Cancelled: return ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
    default: return colors::kAmber;
  }
}

std::string numbersOf(const Session& session, const PosingReport* report, const FrameTimes& times) {
  const Solver* solver = findSolver(session.document().solver.solver);
  char part[64];
  std::string text;
  if (times.framesPerSecond > 0.0) {  // first, so that it does not shift the rest when it comes and goes
    std::snprintf(part, sizeof part, "%.0f fps   ", times.framesPerSecond);
    text += part;
  }
  text += solver ? std::string(solver->title()) : session.document().solver.solver;
  if (report) {
    std::snprintf(part, sizeof part, "   %d it   %.2f ms   ", report->summary.iterations(), report->totalMs);
    text += part + lengthText(report->worstError, session.settings.unit);
  }
  return text;
}

/// Draws the outcome of a solve: a disc in its colour and its sentence, clipped to the room.
void drawSentence(const PosingReport& report, const std::string& sentence, float room) {
  const float em = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddCircleFilled(ImVec2(at.x + 0.3f * em, at.y + 0.55f * em), 0.27f * em,
                       ImGui::GetColorU32(colorOf(report.outcome)));
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + em);
  ImGui::PushClipRect(at, ImVec2(at.x + room, at.y + 2.0f * em), true);
  ImGui::TextUnformatted(sentence.c_str());
  ImGui::PopClipRect();
  if (ImGui::GetItemRectMax().x > at.x + room) tooltip(sentence);
}

}  // namespace

/// When there is no room for all, the sentence of the solve comes first, then its numbers, then the hint.
void drawStatusBar(const Session& session, const FrameTimes& times) {
  const float em = ImGui::GetFontSize(), width = ImGui::GetWindowSize().x, margin = ImGui::GetStyle().WindowPadding.x;
  const float gap = 1.5f * em;
  ImGui::SetCursorPosY(0.5f * (ImGui::GetWindowSize().y - em));
  const bool inverse = session.document().mode == Mode::Inverse;
  ImGui::TextColored(colors::kAccent, inverse ? "INVERSE" : "FORWARD");
  tooltip("Space switches");
  if (session.document().symmetry) {
    ImGui::SameLine(0.0f, 0.8f * em);
    ImGui::TextColored(colors::kAccent, "BOTH SIDES");
    tooltip("live symmetry: each change of one side also applies to the other; " +
            keyIn(session, Command::ToggleSymmetry) + " ends it");
  }
  if (inverse && session.settings.dragsInNullSpace) {
    ImGui::SameLine(0.0f, 0.8f * em);
    ImGui::TextColored(colors::kAccent, "NULL SPACE");
    tooltip("a dragged inner link leaves the end effectors of the goals in place; " +
            keyIn(session, Command::ToggleNullSpace) + " ends it");
  }
  if (showsMotion(session.document()) && isUnkeyed(session.document())) {
    ImGui::SameLine(0.0f, 0.8f * em);
    ImGui::TextColored(colors::kAmber, "UNKEYED");
    tooltip("this pose differs from the motion and is lost when the frame changes: " +
            keyIn(session, Command::KeyPose) + " keys it");
  }
  const float left = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + 0.8f * em;

  const PosingReport* report = session.solving.reportFor(session.document());
  const std::string numbers = numbersOf(session, report, times), hint = hintOf(session);
  const std::string sentence = report ? inUnit(report->sentence, session.settings.unit) : std::string();
  const auto widthOf = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  const float room = width - margin - left;
  const float told = report ? widthOf(sentence) + em : 0.0f;
  const float numbersRoom = widthOf(numbers) + gap, hintRoom = widthOf(hint) + gap;
  const bool showsNumbers = told + numbersRoom <= room;
  const bool showsHint = told + hintRoom + (showsNumbers ? numbersRoom : 0.0f) <= room;
  if (showsHint) {
    ImGui::SameLine(left);
    disabledText("%s", hint.c_str());
  }
  if (showsNumbers) {
    ImGui::SameLine(width - margin - widthOf(numbers));
    disabledText("%s", numbers.c_str());
    tooltip("frames per second while something moves, solver, iterations, time of the solve, remaining distance");
  }
  if (!report) return;
  const float from = left + (showsHint ? hintRoom : 0.0f);
  const float end = width - margin - (showsNumbers ? numbersRoom : 0.0f);
  const float middle = std::clamp(0.5f * (width - told), from, std::max(end - told, from));
  ImGui::SameLine(middle);
  drawSentence(*report, sentence, end - middle);
}

namespace {

/// Begins a small window over the picture, at a share of its width and height and then shifted by so many pixels.
void beginOverlay(const char* id, const Rectangle& picture, const ImVec2& share, const ImVec2& shift, float opacity,
                  ImGuiWindowFlags flags) {
  ImGui::SetNextWindowPos(ImVec2(static_cast<float>(picture.x + share.x * picture.width) + shift.x,
                                 static_cast<float>(picture.y + share.y * picture.height) + shift.y),
                          ImGuiCond_Always, share);
  ImGui::SetNextWindowBgAlpha(opacity);
  ImGui::Begin(id, nullptr,
               flags | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
}

/// A button to choose the folder of files that were not found.
void drawLocate(UiState& ui) {
  if (ui.missing.names.empty()) return;
  if (ImGui::SmallButton("Locate folder ...")) ui.browser.ask(Command::LookIn);
  std::string names = "choose the folder with these files or their packages; it is remembered for the opened file:";
  constexpr std::size_t kMostNames = 20;
  for (std::size_t i = 0; i < ui.missing.names.size() && i <= kMostNames; ++i)
    names += "\n" + (i < kMostNames ? ui.missing.names[i] : "...");
  tooltip(names);
  ImGui::SameLine();
}

/// Draws the notes of a file's reader in a corner of the picture.
void drawNotes(UiState& ui, const Rectangle& picture) {
  if (ui.notes.empty()) return;
  constexpr float kWidthEms = 28.0f;
  constexpr double kMostHeight = 0.3;  // of the picture's
  const float em = ImGui::GetFontSize();
  beginOverlay("##notes", picture, {0.0f, 1.0f}, {em, -em}, 0.86f, ImGuiWindowFlags_NoMove);
  const float text = ImGui::CalcTextSize(ui.notes.c_str(), nullptr, false, kWidthEms * em).y;
  const float height = std::min(text, static_cast<float>(kMostHeight * picture.height));
  if (ImGui::BeginChild("text", ImVec2((kWidthEms + 1.0f) * em, std::max(height, em)))) {
    wrappedText(ui.notes, ImGui::GetStyleColorVec4(ImGuiCol_Text), kWidthEms * em);
  }
  ImGui::EndChild();
  drawLocate(ui);
  if (ImGui::SmallButton("Understood")) {
    ui.notes.clear();
    ui.missing = {};
  }
  ImGui::End();
}

}  // namespace

void drawMessage(const Session& session, UiState& ui, const Rectangle& picture) {
  const float em = ImGui::GetFontSize();
  const bool isMessage = !ui.message.text.empty() && session.ui.now < ui.message.until;
  const std::string hint = ui.planting && !isMessage ? plantingHint(*ui.planting) : "";
  if (isMessage || !hint.empty()) {
    beginOverlay("##message", picture, {0.5f, 0.0f}, {0.0f, em}, 0.86f, ImGuiWindowFlags_NoInputs);
    if (!isMessage) ImGui::TextColored(colors::kAccent, "%s", hint.c_str());
    else if (ui.message.isError) ImGui::TextColored(colors::kUnmet, "%s", ui.message.text.c_str());
    else ImGui::TextUnformatted(ui.message.text.c_str());
    ImGui::End();
  }
  drawNotes(ui, picture);
}

namespace {

/// Draws a progress bar over the picture, at a fraction of its width and height; true when the user cancels the job.
bool drawProgress(const char* id, const Job& job, const Rectangle& picture, const ImVec2& share) {
  constexpr double kPatience = 0.5;  // seconds
  if (!job.isRunning()) return false;
  const Job::Status status = job.status();
  if (status.seconds < kPatience) return false;
  const float em = ImGui::GetFontSize();
  beginOverlay(id, picture, share, {0.0f, 0.0f}, 0.94f, ImGuiWindowFlags_NoMove);
  ImGui::TextUnformatted(status.title.c_str());
  ImGui::ProgressBar(static_cast<float>(status.part), ImVec2(22.0f * em, 0.0f), "");
  disabledText("%s", status.what.c_str());
  ImGui::SameLine(17.0f * em);
  const bool isCancelled = ImGui::Button("Cancel", ImVec2(5.0f * em, 0.0f));
  ImGui::End();
  return isCancelled;
}

}  // namespace

void drawJob(const Session& session, const Rectangle& picture, CommandQueue& queue) {
  if (drawProgress("##job", session.services.job, picture, {0.5f, 0.5f})) queue.add(Command::CancelJob);
  if (drawProgress("##drawing", session.services.drawing, picture, {1.0f, 1.0f})) queue.add(Command::CancelDrawing);
}

}  // namespace limber::app

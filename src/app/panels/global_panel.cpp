// SPDX-License-Identifier: MIT
// The global pose search: its progress, the pose found, and the certificate for the pose on screen.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

constexpr double kLeastShown = 1e-5;  // metres; smaller distances are not drawn

void drawSearch(const Session& session, CommandQueue& queue) {
  if (!session.services.global.isRunning()) {
    commandButton(Command::FindGlobalPose, session, queue,
                  session.services.global.answer() ? "Search again" : "Search");
    return;
  }
  const Job::Status status = session.services.global.status();
  if (button("Cancel", "ends the search (Esc)")) queue.add(Command::CancelGlobal);
  ImGui::SameLine();
  ImGui::Text("%.1f s", status.seconds);
  if (!status.what.empty()) wrappedNote(inUnit(status.what, session.settings.unit));
}

/// A row with a label and a length on the right.
void boundRow(const char* label, double metres, const char* tip, LengthUnit unit) {
  ImGui::TextUnformatted(label);
  tooltip(tip);
  textAtRight(std::isfinite(metres) ? lengthText(metres, unit) : "-");
}

/// Draws the distances on one axis from zero: hatched where no pose can be, with a tick for the pose found (below) and
/// one for the pose on screen (above).
void drawDistances(double now, double found, double least) {
  const double most = 1.08 * std::max({now, found, least});
  if (!(most > kLeastShown)) return;
  const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x, height = 0.9f * em;
  const ImVec2 corner = ImGui::GetCursorScreenPos(), end(corner.x + width, corner.y + height);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto x = [&](double metres) { return corner.x + width * static_cast<float>(metres / most); };
  list.AddRectFilled(corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg));
  list.PushClipRect(corner, ImVec2(x(least), end.y), true);
  for (float at = corner.x - height; at < x(least); at += 0.4f * em)
    list.AddLine(ImVec2(at, end.y), ImVec2(at + height, corner.y), ImGui::GetColorU32(ImGuiCol_TextDisabled), 1.0f);
  list.PopClipRect();
  const float thick = std::max(2.0f, 0.15f * em);
  list.AddLine(ImVec2(x(found), corner.y + 0.45f * height), ImVec2(x(found), end.y),
               ImGui::GetColorU32(colors::kAccent), thick);
  list.AddLine(ImVec2(x(now), corner.y), ImVec2(x(now), corner.y + 0.55f * height), ImGui::GetColorU32(colors::kText),
               thick);
  ImGui::Dummy(ImVec2(width, height));
  tooltip(
      "distances from zero to the right. Hatched: proved that no pose comes so near. Upper tick: the pose on "
      "screen. Lower, blue tick: the pose found.");
}

void drawBadge(const Certificate& certificate, bool isFound, LengthUnit unit) {
  if (certificate.isCertified || certificate.isOutOfReach) {
    statusMark(certificate.isCertified);
    ImGui::SameLine();
  }
  const ImVec4& color = certificate.isCertified    ? colors::kMet
                        : certificate.isOutOfReach ? colors::kUnmet
                                                   : colors::kAmber;
  wrappedText(inUnit(sentenceOf(certificate, isFound), unit), color);
  tooltip(
      "for the pose on screen. Certified: no pose within the limits is better by more than 1 % of the mean squared "
      "distance, or a thousandth of half the reach.");
}

void drawFound(const Session& session, const GlobalAnswer& answer, CommandQueue& queue) {
  const Certificate& found = answer.result.certificate;
  const auto now = session.services.global.judge(session.document());
  const bool isThere = session.document().pose == answer.pose;
  const Certificate& shown = now ? *now : found;
  const LengthUnit unit = session.settings.unit;
  boundRow("On screen", now ? now->cost() : Certificate::kNotKnown,
           "weighted root mean square distance of the points from their targets in the pose on screen", unit);
  boundRow("Best found", found.cost(), "the same in the best pose that the search found", unit);
  boundRow("No pose below", found.leastCost(), "proved: no pose has a smaller distance", unit);
  boundRow("Gap", shown.gap(), "the most by which any pose could be better than that on screen", unit);
  if (now) drawDistances(now->cost(), found.cost(), found.leastCost());
  if (now) drawBadge(*now, isThere, unit);
  else wrappedNote(inUnit(answer.sentence(), unit));
  if (button("Go to the global pose",
             isThere ? "the figure is in this pose" : "poses the figure as found, in one undo step", !isThere))
    queue.add(Command::GoToGlobalPose);
  if (answer.result.leftOut.empty()) return;
  std::string text;
  for (const std::string& what : answer.result.leftOut) text += (text.empty() ? "" : ", ") + what;
  wrappedNote("Not in the bound: " + text + ".");
  tooltip("the bound still holds, but is less tight");
}

}  // namespace

void drawGlobal(const Session& session, CommandQueue& queue) {
  if (session.document().goals.empty())
    return wrappedNote(
        "Add goals first (tab Pose, panel Goals): the search finds the best of all poses for them, and "
        "proves how good it is.");
  drawSearch(session, queue);
  if (const GlobalAnswer* answer = session.services.global.answer()) return drawFound(session, *answer, queue);
  if (!session.services.global.isRunning())
    wrappedNote(
        "Is the solve stuck, or is the goal out of reach? The search finds the best of all poses and proves "
        "how good it is.");
}

}  // namespace limber::app

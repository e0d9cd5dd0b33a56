// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "app/panels/dialog.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

constexpr float kTableEms = 32.0f;  // width of a table of derivatives

void drawError(UiState& ui) {
  Dialog dialog("That did not work", ui.showError, ui);
  if (!dialog) return;
  dialog.text(ui.error);
  dialog.note("The open document is unchanged.");
  dialog.answers({"Close"});
}

void drawNewChain(UiState& ui, CommandQueue& queue) {
  Dialog dialog("New figure", ui.newChain.isWanted, ui);
  if (!dialog) return;
  if (ImGui::RadioButton("Planar chain", !ui.newChain.ofBalls)) ui.newChain.ofBalls = false;
  dialog.stop();
  ImGui::SameLine();
  if (ImGui::RadioButton("Chain of ball joints", ui.newChain.ofBalls)) ui.newChain.ofBalls = true;
  dialog.stop();
  ImGui::SetNextItemWidth(dialog.width(10.0f));
  double links = ui.newChain.links;
  const NumberStyle style{.minimum = 1.0,
                          .maximum = kMaxNewLinks,
                          .format = "%.0f links",
                          .logarithmic = true,
                          .tooltip = "1 to 10,000: type, or drag"};
  if (editNumber("##links", links, style, ui)) ui.newChain.links = static_cast<int>(links + 0.5);
  dialog.stop(true);
  constexpr int kQuick[] = {1, 2, 4, 10, 100, 1000};
  if (const int quick = dialog.buttons({"1", "2", "4", "10", "100", "1000"}, 2.0f); quick >= 0)
    ui.newChain.links = kQuick[quick];
  const int answer = dialog.answers({"Create", "Human", "Cancel"});
  if (answer != 0 && answer != 1) return;
  using Kind = NewFigure::Kind;
  queue.add(Command::CreateFigure,
            answer == 1 ? NewFigure{Kind::Human, 0}
                        : NewFigure{ui.newChain.ofBalls ? Kind::BallChain : Kind::PlanarChain, ui.newChain.links});
  dialog.close();
}

/// Proportions of Drillis and Contini, as in docs/humanoid.md.
void drawProportions(double height, LengthUnit unit) {
  for (const auto& [part, share] :
       {std::pair{"eyes at", 0.936}, {"shoulders at", 0.818}, {"hips at", 0.530}, {"arm with hand", 0.440}}) {
    ImGui::TextDisabled("%-14s", part);
    ImGui::SameLine(9.0f * ImGui::GetFontSize());
    disabledText(lengthFormat(unit), share * height * unitsPerMetre(unit));
  }
}

void drawNewHuman(UiState& ui, CommandQueue& queue) {
  Dialog dialog("New human", ui.newHuman.isWanted, ui);
  if (!dialog) return;
  io::HumanShape& shape = ui.newHuman.shape;
  const float em = ImGui::GetFontSize();
  const auto label = [&](const char* text) {
    ImGui::TextUnformatted(text);
    ImGui::SameLine(9.0f * em);
    ImGui::SetNextItemWidth(dialog.width(12.0f));
  };
  double height = shape.height;
  label("Height");
  if (editLength("##height", height,
                 {.minimum = io::kLeastHeight,
                  .maximum = io::kMostHeight,
                  .tooltip = "all lengths scale with it: drag, or double-click to type"},
                 ui)) {
    height = std::clamp(height, io::kLeastHeight, io::kMostHeight);
    shape.mass *= (height * height) / (shape.height * shape.height);  // keeps the body mass index
    shape.height = height;
  }
  dialog.stop(true);
  const double least = io::lightestMass(shape.height), most = io::heaviestMass(shape.height);
  label("Mass");
  editNumber("##mass", shape.mass,
             {.minimum = least,
              .maximum = most,
              .format = "%.1f kg",
              .tooltip = "makes all parts thinner or thicker in proportion: drag, or double-click to type"},
             ui);
  dialog.stop();
  shape.mass = std::clamp(shape.mass, least, most);
  ImGui::Checkbox("with fingers", &shape.hasFingers);
  dialog.stop();
  tooltip("without them the four fingers of a hand are one part, and there are 40 fewer joints");
  drawProportions(shape.height, ui.unit);
  disabledText("body mass index %.1f kg per square metre", shape.mass / (shape.height * shape.height));
  if (dialog.answers({"Create", "Cancel"}) != 0) return;
  queue.add(Command::CreateFigure, NewFigure{NewFigure::Kind::Human, 0, shape});
  dialog.close();
}

/// A matrix with the names of its columns.
void matrixTable(const char* title, const char* about, const std::vector<std::string>& columns,
                 const Eigen::MatrixXd& matrix, Dialog& dialog) {
  const bool isOpen = ImGui::TreeNode(title);
  dialog.stop();
  tooltip(about);
  if (!isOpen) return;
  const int count = static_cast<int>(matrix.cols());
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_Borders | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float height = line * static_cast<float>(std::min<Eigen::Index>(matrix.rows() + 2, 14));
  if (ImGui::BeginTable(title, count, kFlags, ImVec2(dialog.width(kTableEms), height))) {
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const std::string& name : columns) ImGui::TableSetupColumn(name.c_str());
    ImGui::TableHeadersRow();
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      ImGui::TableNextRow();
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
        ImGui::TableNextColumn();
        ImGui::Text("%.6g", matrix(i, j));
      }
    }
    ImGui::EndTable();
  }
  ImGui::TreePop();
}

/// f, g and H, and x, x' and x'' of each target's point, as the assignment has them.
void drawMatrices(const Session& session, const UiState& ui, Dialog& dialog) {
  const DerivativeCheck& check = *ui.derivatives.check;
  if (check.gradient.size() == 0) return;
  if (check.gradient.size() > kMostShownCoordinates)
    return dialog.note("g and H have too many entries to be shown: limber solve --derivatives prints them.");
  matrixTable("g", "the gradient of f by the active coordinates", check.coordinateNames, check.gradient.transpose(),
              dialog);
  matrixTable("H", "the Hessian of f by the active coordinates", check.coordinateNames, check.hessian, dialog);
  const Figure& figure = *session.document().figure;
  for (std::size_t i = 0; i < ui.derivatives.ofPoint.size(); ++i) {
    const PointDerivatives& point = ui.derivatives.ofPoint[i];
    if (point.link >= figure.linkCount()) continue;
    ImGui::PushID(static_cast<int>(i));
    ImGui::Text("x of %s = (%.6g, %.6g, %.6g)", figure.link(point.link).name.c_str(), point.x.x(), point.x.y(),
                point.x.z());
    matrixTable("x'", "rows x, y, z; in the unit of the figure's file and radians", check.coordinateNames, point.first,
                dialog);
    matrixTable("x''", "three rows for each coordinate by which x' is differentiated", check.coordinateNames,
                point.second, dialog);
    ImGui::PopID();
  }
}

void drawDerivatives(const Session& session, UiState& ui) {
  Dialog dialog("Derivatives", ui.derivatives.isShown, ui);
  if (!dialog) return;
  if (ui.derivatives.check) {
    const DerivativeCheck& check = *ui.derivatives.check;
    ImGui::Text("f = %.10g, %d active coordinates", check.objective, static_cast<int>(check.gradient.size()));
    drawMatrices(session, ui, dialog);
    char line[160];
    const auto tell = [&](const char* format, double worst, const std::string& entry) {
      std::snprintf(line, sizeof line, format, worst);
      dialog.text(line);
      dialog.note("    " + entry);
    };
    tell("Gradient: worst difference %.2e (relative to 1 + the largest entry within the step)",
         check.worstGradientError, check.worstGradientEntry);
    tell("Hessian: worst difference %.2e", check.worstHessianError, check.worstHessianEntry);
    dialog.note("Against central differences, at the present pose.");
    if (!check.note.empty()) dialog.note(check.note);
  }
  dialog.answers({"Close"});
}

void drawUnsaved(const Editor& editor, UiState& ui, CommandQueue& queue) {
  Dialog dialog("Unsaved changes", ui.askUnsaved, ui);
  if (!dialog) return;
  const bool isOpen = editor.isChanged();
  const std::filesystem::path file = editor.unsaved().file;
  const std::string other = file.empty() ? "A document" : file.filename().string();
  dialog.text(isOpen ? "The document has unsaved changes."
                     : other + ", which was open before, has unsaved changes: Ctrl+Z goes back to it.");
  // Enter saves, or stays where nothing can be saved.
  const int answer = isOpen ? dialog.answers({"Save", "Quit anyway", "Stay"}) : dialog.answers({"Stay", "Quit anyway"});
  if (answer < 0) return;
  if (answer == 1) queue.add(Command::QuitAnyway);
  else if (isOpen && answer == 0) queue.add(Command::Save);
  dialog.close();
}

}  // namespace

void drawDialogs(const Session& session, UiState& ui, CommandQueue& queue) {
  drawError(ui);
  drawAbout(ui);
  drawNewChain(ui, queue);
  drawNewHuman(ui, queue);
  drawDerivatives(session, ui);
  drawUnsaved(session.editor, ui, queue);
  drawLostWork(session, ui, queue);
  drawFigureDialogs(session, ui, queue);
  drawPoseDialogs(session, ui, queue);
}

}  // namespace limber::app

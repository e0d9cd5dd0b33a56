// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

bool beginDialog(const char* title, bool& open, UiState& ui) {
  if (open) ImGui::OpenPopup(title);
  open = false;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0.5f * size.x, 0.45f * size.y), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
  if (!ImGui::BeginPopupModal(
          title, nullptr,
          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings))
    return false;
  ui.isDialogOpen = true;
  if (ui.closePopups) ImGui::CloseCurrentPopup();
  return true;
}

bool dialogButton(const char* label) { return ImGui::Button(label, ImVec2(7.5f * ImGui::GetFontSize(), 0.0f)); }

void endDialog(const char* label, bool isBeside) {
  if (isBeside) ImGui::SameLine();
  if (dialogButton(label)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

namespace {

constexpr float kTextEms = 32.0f;  // width at which text wraps, since a dialog grows with its text

void dialogText(const std::string& text, ImGuiCol color) {
  wrappedText(text, ImGui::GetStyleColorVec4(color), ImGui::GetCursorPosX() + kTextEms * ImGui::GetFontSize());
}

void dialogNote(const std::string& text) { dialogText(text, ImGuiCol_TextDisabled); }

void drawError(UiState& ui) {
  if (!beginDialog("That did not work", ui.showError, ui)) return;
  dialogText(ui.error, ImGuiCol_Text);
  dialogNote("The open document is unchanged.");
  endDialog("Close", false);
}

void drawNewChain(UiState& ui, CommandQueue& queue) {
  if (!beginDialog("New figure", ui.newChainWanted, ui)) return;
  const float em = ImGui::GetFontSize();
  if (ImGui::RadioButton("Planar chain", !ui.newChainOfBalls)) ui.newChainOfBalls = false;
  ImGui::SameLine();
  if (ImGui::RadioButton("Chain of ball joints", ui.newChainOfBalls)) ui.newChainOfBalls = true;
  ImGui::SetNextItemWidth(10.0f * em);
  double links = ui.newChainLinks;
  const NumberStyle style{.minimum = 1.0,
                          .maximum = kMaxNewLinks,
                          .format = "%.0f links",
                          .logarithmic = true,
                          .tooltip = "1 to 10,000: drag, or double-click to type"};
  if (editNumber("##links", links, style, ui)) ui.newChainLinks = static_cast<int>(links + 0.5);
  for (const int quick : {1, 2, 4, 10, 100, 1000}) {
    ImGui::SameLine();
    if (ImGui::Button(std::to_string(quick).c_str())) ui.newChainLinks = quick;
  }
  ImGui::Dummy(ImVec2(0.0f, 0.3f * em));
  if (dialogButton("Create")) {
    queue.add(
        Command::CreateFigure,
        NewFigure{ui.newChainOfBalls ? NewFigure::Kind::BallChain : NewFigure::Kind::PlanarChain, ui.newChainLinks});
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (dialogButton("Human")) {
    queue.add(Command::CreateFigure, NewFigure{NewFigure::Kind::Human, 0});
    ImGui::CloseCurrentPopup();
  }
  endDialog("Cancel");
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
  if (!beginDialog("New human", ui.newHumanWanted, ui)) return;
  io::HumanShape& shape = ui.newHuman;
  const float em = ImGui::GetFontSize();
  const auto label = [&](const char* text) {
    ImGui::TextUnformatted(text);
    ImGui::SameLine(9.0f * em);
    ImGui::SetNextItemWidth(12.0f * em);
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
  const double least = io::lightestMass(shape.height), most = io::heaviestMass(shape.height);
  label("Mass");
  editNumber("##mass", shape.mass,
             {.minimum = least,
              .maximum = most,
              .format = "%.1f kg",
              .tooltip = "makes all parts thinner or thicker in proportion: drag, or double-click to type"},
             ui);
  shape.mass = std::clamp(shape.mass, least, most);
  ImGui::Checkbox("with fingers", &shape.hasFingers);
  tooltip("without them the four fingers of a hand are one part, and there are 40 fewer joints");
  drawProportions(shape.height, ui.unit);
  disabledText("body mass index %.1f kg per square metre", shape.mass / (shape.height * shape.height));
  ImGui::Dummy(ImVec2(0.0f, 0.3f * em));
  if (dialogButton("Create")) {
    queue.add(Command::CreateFigure, NewFigure{NewFigure::Kind::Human, 0, shape});
    ImGui::CloseCurrentPopup();
  }
  endDialog("Cancel");
}

/// A matrix with the names of its columns.
void matrixTable(const char* title, const char* about, const std::vector<std::string>& columns,
                 const Eigen::MatrixXd& matrix) {
  const bool isOpen = ImGui::TreeNode(title);
  tooltip(about);
  if (!isOpen) return;
  const int count = static_cast<int>(matrix.cols());
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_Borders | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit;
  const float line = ImGui::GetTextLineHeightWithSpacing(), em = ImGui::GetFontSize();
  const float height = line * static_cast<float>(std::min<Eigen::Index>(matrix.rows() + 2, 14));
  if (ImGui::BeginTable(title, count, kFlags, ImVec2(kTextEms * em, height))) {
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
void drawMatrices(const Session& session, const UiState& ui) {
  const DerivativeCheck& check = *ui.derivatives;
  if (check.gradient.size() == 0) return;
  if (check.gradient.size() > kMostShownCoordinates)
    return dialogNote("g and H have too many entries to be shown: limber solve --derivatives prints them.");
  matrixTable("g", "the gradient of f by the active coordinates", check.coordinateNames, check.gradient.transpose());
  matrixTable("H", "the Hessian of f by the active coordinates", check.coordinateNames, check.hessian);
  const Figure& figure = *session.document().figure;
  for (std::size_t i = 0; i < ui.pointDerivatives.size(); ++i) {
    const PointDerivatives& point = ui.pointDerivatives[i];
    if (point.link >= figure.linkCount()) continue;
    ImGui::PushID(static_cast<int>(i));
    ImGui::Text("x of %s = (%.6g, %.6g, %.6g)", figure.link(point.link).name.c_str(), point.x.x(), point.x.y(),
                point.x.z());
    matrixTable("x'", "rows x, y, z; in the unit of the figure's file and radians", check.coordinateNames, point.first);
    matrixTable("x''", "three rows for each coordinate by which x' is differentiated", check.coordinateNames,
                point.second);
    ImGui::PopID();
  }
}

void drawDerivatives(const Session& session, UiState& ui) {
  if (!beginDialog("Derivatives", ui.showDerivatives, ui)) return;
  if (ui.derivatives) {
    const DerivativeCheck& check = *ui.derivatives;
    ImGui::Text("f = %.10g, %d active coordinates", check.objective, static_cast<int>(check.gradient.size()));
    drawMatrices(session, ui);
    ImGui::Text("Gradient: worst difference %.2e (relative to 1 + the largest entry within the step)",
                check.worstGradientError);
    disabledText("    %s", check.worstGradientEntry.c_str());
    ImGui::Text("Hessian: worst difference %.2e", check.worstHessianError);
    disabledText("    %s", check.worstHessianEntry.c_str());
    dialogNote("Against central differences, at the present pose.");
    if (!check.note.empty()) dialogNote(check.note);
  }
  endDialog("Close", false);
}

void drawUnsaved(const Editor& editor, UiState& ui, CommandQueue& queue) {
  if (!beginDialog("Unsaved changes", ui.askUnsaved, ui)) return;
  const bool isOpen = editor.isChanged();
  const std::filesystem::path file = editor.unsaved().file;
  const std::string other = file.empty() ? "A document" : file.filename().string();
  if (isOpen) ImGui::TextUnformatted("The document has unsaved changes.");
  else
    ImGui::TextUnformatted((other + ", which was open before, has unsaved changes: Ctrl+Z goes back to it.").c_str());
  ImGui::Dummy(ImVec2(0.0f, 0.3f * ImGui::GetFontSize()));
  if (isOpen && dialogButton("Save")) {
    queue.add(Command::Save);
    ImGui::CloseCurrentPopup();
  }
  if (isOpen) ImGui::SameLine();
  if (dialogButton("Quit anyway")) queue.add(Command::QuitAnyway);
  endDialog("Stay");
}

}  // namespace

void drawDialogs(const Session& session, UiState& ui, CommandQueue& queue) {
  drawError(ui);
  drawNewChain(ui, queue);
  drawNewHuman(ui, queue);
  drawDerivatives(session, ui);
  drawUnsaved(session.editor, ui, queue);
  drawLostWork(session, ui, queue);
  drawFigureDialogs(session, ui, queue);
  drawPoseDialogs(session, ui, queue);
}

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// The guide in a window of its own, and the dialog About.
#include <imgui.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "app/panels/dialog.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "limber/io/base/file.h"
#include "limber/io/base/resources.h"
#include "limber/version.h"

namespace limber::app {

namespace {

/// Markdown without the marks of emphasis, code and links: "**Poses** ([more](poses.md))" gives "Poses (more)".
std::string plainText(const std::string& line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '*' || c == '`' || c == '[') continue;
    if (c == ']') {
      if (i + 1 < line.size() && line[i + 1] == '(') i = std::min(line.find(')', i), line.size());
      continue;
    }
    text += c;
  }
  return text;
}

/// The cells of a table's row: "| a | b |" gives "a - b"; empty for the line under its head.
std::string rowText(const std::string& line) {
  if (line.find_first_not_of("|-: ") == std::string::npos) return {};
  std::istringstream cells(line.substr(1));
  std::string text;
  for (std::string cell; std::getline(cells, cell, '|');) {
    const std::size_t from = cell.find_first_not_of(' '), to = cell.find_last_not_of(' ');
    if (from == std::string::npos) continue;
    text += (text.empty() ? "" : "  -  ") + cell.substr(from, to - from + 1);
  }
  return text;
}

/// Reads a Markdown file into headings and paragraphs.
std::vector<GuideBlock> readGuide(const std::string& text) {
  std::vector<GuideBlock> blocks;
  std::string paragraph;
  const auto end = [&] {
    if (!paragraph.empty()) blocks.push_back({0, plainText(paragraph)});
    paragraph.clear();
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t marks = line.find_first_not_of('#');
    const bool isHeading = marks != 0 && marks != std::string::npos && line[marks] == ' ';
    const bool isRow = line.starts_with("|"), isItem = line.starts_with("- ");
    if (line.empty() || isHeading || isRow || isItem || line.starts_with("!")) end();
    if (isHeading) blocks.push_back({static_cast<int>(marks), plainText(line.substr(marks + 1))});
    else if (isRow) paragraph = rowText(line), end();
    else if (!line.starts_with("!") && line.find("](#") == std::string::npos)
      paragraph += (paragraph.empty() ? "" : " ") + line;
  }
  end();
  return blocks;
}

void drawBlock(const GuideBlock& block) {
  const float em = ImGui::GetFontSize();
  if (block.heading == 0) {
    wrappedText(block.text);
    ImGui::Dummy(ImVec2(0.0f, 0.2f * em));
    return;
  }
  ImGui::Dummy(ImVec2(0.0f, 0.4f * em));
  wrappedText(block.text, colors::kAccent);
  ImGui::Separator();
}

}  // namespace

void drawGuide(UiState& ui) {
  GuideView& guide = ui.guide;
  if (!guide.isShown) return;
  if (guide.blocks.empty()) {
    const auto file = io::findResource("guide.md");
    const auto text = file ? io::readFile(*file) : io::Result<std::string>(io::Error{});
    guide.blocks = readGuide(text ? *text : "The guide is not installed.");
  }
  const float em = ImGui::GetFontSize();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowSize(ImVec2(std::min(48.0f * em, 0.9f * screen.x), std::min(40.0f * em, 0.9f * screen.y)),
                           ImGuiCond_Appearing);
  ImGui::SetNextWindowPos(ImVec2(0.5f * screen.x, 0.5f * screen.y), ImGuiCond_Appearing, ImVec2(0.5f, 0.5f));
  if (ui.popups.isEscape && !ui.popups.isOpen) guide.isShown = false;
  if (ImGui::Begin("Guide", &guide.isShown, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    ImGui::SetNextItemWidth(16.0f * em);
    inputText("##find", "find", guide.filter);
    if (ImGui::BeginChild("text"))
      for (const GuideBlock& block : guide.blocks)
        if (guide.filter.empty() || containsIgnoringCase(block.text, guide.filter)) drawBlock(block);
    ImGui::EndChild();
  }
  ImGui::End();
}

void drawAbout(UiState& ui) {
  Dialog dialog("About Limber", ui.guide.showsAbout, ui);
  if (!dialog) return;
  dialog.text("Limber " LIMBER_VERSION);
  dialog.text(
      "Poses articulated figures by inverse kinematics: drag any point, and the rest follows within its limits.");
  dialog.note("Copyright (c) 2026 The Limber authors. Free software under the MIT licence, without any warranty.");
  dialog.note(
      "Built with Eigen, Dear ImGui, GLFW, glad, glm, nlohmann/json, CLI11, tinyxml2, stb, Qhull and assimp. "
      "The font is Roboto.");
  dialog.answers({"Close"});
}

}  // namespace limber::app

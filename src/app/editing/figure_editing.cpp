// SPDX-License-Identifier: MIT
#include "app/editing/figure_editing.h"

#include <utility>

#include "limber/io/bvh/bvh.h"
#include "limber/scene/base.h"

namespace limber::app {

namespace {

std::string inOneLine(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
  return text;
}

}  // namespace

std::vector<std::string> consequencesOf(const Document& document, const FigureEdit& edit) {
  std::vector<std::string> all = edit.notes;
  if (!edit.figure) return all;
  Document tried = document;
  for (std::string& note : replaceFigure(tried, edit.figure, edit.linkFromOld)) all.push_back(std::move(note));
  return all;
}

bool editFigure(const Document& document, const std::string& label, const std::string& gesture, FigureEdit edit,
                UiState& ui, CommandQueue& queue, Change also) {
  if (!edit.figure) {
    ui.message = {edit.fault, true, ui.now + 8.0};
    return false;
  }
  if (const auto notes = consequencesOf(document, edit); !notes.empty())
    ui.message = {inOneLine(notes), false, ui.now + 6.0};
  else if (ui.message.isError) ui.message = {};
  queue.edit(label, gesture, AfterEdit::Solve,
             [from = document.figure, edit = std::move(edit), also = std::move(also)](Document& d) {
               if (d.figure != from) return;  // another edit came first
               replaceFigure(d, edit.figure, edit.linkFromOld);
               if (also) also(d);
             });
  return true;
}

void setLinkLength(const Document& document, int link, double length, const std::string& gesture, UiState& ui,
                   CommandQueue& queue) {
  const double present = document.figure->linkLength(link);
  const double factor = present > 0.0 ? length / present : 0.0;
  editFigure(document, "length of " + document.figure->link(link).name, gesture,
             scaleLink(*document.figure, link, factor), ui, queue,
             [link, factor](Document& d) { scalePointsOnLink(d, link, factor); });
}

void setFileUnit(const Document& document, double metresPerUnit, const std::string& gesture, UiState& ui,
                 CommandQueue& queue) {
  const double factor = metresPerUnit / document.figure->fileFrame().metresPerUnit;
  editFigure(document, "unit of the file", gesture, changeUnit(*document.figure, metresPerUnit), ui, queue,
             [factor](Document& d) { scaleLengths(d, factor); });
}

void setBase(const Document& document, bool isFree, UiState& ui, CommandQueue& queue) {
  editFigure(document, isFree ? "free the base" : "fix the base", "", changeBase(*document.figure, isFree), ui, queue);
}

void setOffsetRule(const Document& document, OffsetRule rule, UiState& ui, CommandQueue& queue) {
  Document tried = document;
  if (std::string fault = io::changeOffsetRule(tried, rule); !fault.empty()) {
    ui.message = {std::move(fault), true, ui.now + 8.0};
    return;
  }
  queue.edit("position channels", "", AfterEdit::Nothing, [rule](Document& d) { io::changeOffsetRule(d, rule); });
}

bool addLinkTo(const Document& document, const NewLink& link, UiState& ui, CommandQueue& queue) {
  return editFigure(document, "add link " + link.name, "", addLink(*document.figure, link), ui, queue, [](Document& d) {
    d.selection = {d.figure->linkCount() - 1, -1};
  });
}

void removeLinkFrom(const Document& document, int link, UiState& ui, CommandQueue& queue) {
  const int parent = document.figure->link(link).parent;  // before the link, so its index stays
  editFigure(document, "remove link " + document.figure->link(link).name, "", removeLink(*document.figure, link), ui,
             queue, [parent](Document& d) {
               d.selection = {parent, -1};
             });
}

void takePoseAsRest(const Document& document, UiState& ui, CommandQueue& queue) {
  editFigure(document, "new rest pose", "", bakeSettings(document, document.pose), ui, queue);
}

void takeSettings(const Document& document, UiState& ui, CommandQueue& queue) {
  editFigure(document, "settings into the figure", "", bakeSettings(document), ui, queue);
}

std::string freeName(const Figure& figure, const std::string& name) {
  const auto isTaken = [&](const std::string& tried) {
    return figure.findLink(tried) >= 0 || figure.findJoint(tried) >= 0 || figure.findSite(tried) >= 0;
  };
  std::string free = name;
  for (int i = 2; isTaken(free); ++i) free = name + "_" + std::to_string(i);
  return free;
}

}  // namespace limber::app

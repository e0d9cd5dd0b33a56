// SPDX-License-Identifier: MIT
// Edits of the document's figure. Each is tried at once, then queued, performed and undone like all other edits.
#pragma once

#include <string>
#include <vector>

#include "app/editing/command.h"
#include "app/editing/ui_state.h"
#include "limber/scene/figure_change.h"

namespace limber::app {

/// Queues an edit that was made from `document`'s figure, and shows its consequences or, if it failed, the cause.
/// `also` changes the document once the new figure is in place. Returns true if the edit was queued.
bool editFigure(const Document& document, const std::string& label, const std::string& gesture, FigureEdit edit,
                UiState& ui, CommandQueue& queue, Change also = {});

/// The side effects of the edit on figure and document, one sentence each.
std::vector<std::string> consequencesOf(const Document& document, const FigureEdit& edit);

/// Sets the length of a link, metres. The points of goals and pins on it are scaled with it.
void setLinkLength(const Document& document, int link, double length, const std::string& gesture, UiState& ui,
                   CommandQueue& queue);
/// Sets the metres per unit of the figure's file, which scales the whole document.
void setFileUnit(const Document& document, double metresPerUnit, const std::string& gesture, UiState& ui,
                 CommandQueue& queue);
/// Frees or fixes the base of a robot.
void setBase(const Document& document, bool isFree, UiState& ui, CommandQueue& queue);
/// Reads the document's BVH file again, with position channels that replace OFFSET or are added to it.
void setOffsetRule(const Document& document, OffsetRule rule, UiState& ui, CommandQueue& queue);
/// Adds a link and selects it. Returns true if the edit was queued.
bool addLinkTo(const Document& document, const NewLink& link, UiState& ui, CommandQueue& queue);
/// Removes a link and selects its parent.
void removeLinkFrom(const Document& document, int link, UiState& ui, CommandQueue& queue);
/// Makes the present pose the rest pose, and the user's limits, rigidities and locks those of the figure.
void takePoseAsRest(const Document& document, UiState& ui, CommandQueue& queue);
/// Makes only the user's limits, rigidities and locks those of the figure.
void takeSettings(const Document& document, UiState& ui, CommandQueue& queue);

/// The name, with a number appended if a link, joint or site already has it.
std::string freeName(const Figure& figure, const std::string& name);

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// Edits of the open document's figure: tried at once, carried out like every other edit, undone like every other.
#pragma once

#include <string>
#include <vector>

#include "app/editing/requests.h"
#include "app/editing/ui_state.h"
#include "limber/scene/figure_change.h"

namespace limber::app {

/// Queues the edit, which was made from `document`'s figure, and says what it takes along; or says why it failed.
/// `also` changes the document once the new figure is in place. True when it was queued.
bool editFigure(const Document& document, const std::string& label, const std::string& gesture, FigureEdit edit,
                UiState& ui, Requests& requests, Change also = {});

/// What the edit takes along, of the figure and of the document: one sentence each.
std::vector<std::string> consequencesOf(const Document& document, const FigureEdit& edit);

/// A length in metres for the link: goals and pins on it move along.
void setLinkLength(const Document& document, int link, double length, const std::string& gesture, UiState& ui,
                   Requests& requests);
/// Metres that one unit of the figure's file is taken for: the whole document is scaled.
void setFileUnit(const Document& document, double metresPerUnit, const std::string& gesture, UiState& ui,
                 Requests& requests);
/// Whether the base of a robot is free.
void setBase(const Document& document, bool isFree, UiState& ui, Requests& requests);
/// Selects the new link.
bool addLinkTo(const Document& document, const NewLink& link, UiState& ui, Requests& requests);
/// Selects the parent.
void removeLinkFrom(const Document& document, int link, UiState& ui, Requests& requests);
/// The present pose becomes the rest pose, the user's limits, rigidities and locks the figure's own.
void takePoseAsRest(const Document& document, UiState& ui, Requests& requests);
/// The limits, rigidities and locks alone.
void takeSettings(const Document& document, UiState& ui, Requests& requests);

/// The name, with a number when a link, joint or site has it already.
std::string freeName(const Figure& figure, const std::string& name);

}  // namespace limber::app

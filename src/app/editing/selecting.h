// SPDX-License-Identifier: MIT
// Selection by clicks and boxes: parts of the figure first, then single links. Functions of the document.
#pragma once

#include <string>
#include <vector>

#include "limber/body/body_map.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/document.h"
#include "render/view.h"

namespace limber::app {

/// The parts of the open figure.
inline const NamedParts& partsOf(const Document& document) { return bodyMapOf(*document.figure).parts(); }

/// The selection after a click on a link: its part; if that is selected already, its finger, then the link alone.
Selection clickedSelection(const NamedParts& parts, const Selection& present, int link);

/// Adds the links to the selection, or removes them if all are selected already.
Selection toggledSelection(const Selection& present, const std::vector<int>& links, int main);

/// Adds the parts whose middle is in a rectangle of the picture to the selection. Corners are in pixels.
Selection boxedSelection(const Document& document, const Kinematics& kinematics, const NamedParts& parts,
                         const render::View& view, const Eigen::Vector2d& corner, const Eigen::Vector2d& opposite);

/// The links by which a selection is grabbed or turned: the main link of each part that is selected as a whole, and
/// each other selected link. A foot includes its toes.
std::vector<int> leadingLinks(const NamedParts& parts, const Selection& selection);

/// The joints that a ring turns: the selected one, which represents its own part, and the other leadingLinks().
std::vector<int> turnedTogether(const NamedParts& parts, const Selection& selection);

/// The displayed name of a grabbed link: that of the part whose main link it is ("left foot"), else its own.
std::string heldName(const Document& document, const NamedParts& parts, int link);

/// "left foot", "left foot and right foot", "left foot and 3 more"; a single link by its name.
std::string selectionInWords(const Document& document, const NamedParts& parts, const Selection& selection);

}  // namespace limber::app

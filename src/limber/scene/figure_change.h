// SPDX-License-Identifier: MIT
// A document whose figure changes: what the user has set and planted is carried over to the new figure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/figure_edit.h"
#include "limber/scene/document.h"

namespace limber {

/// Puts another figure in place. Joints keep their coordinates, and the user's settings where the figure's own value is
/// the same in both figures; where it is not, the new one counts. Goals, pins, chains, kept poses, switches, selection,
/// motion and timeline go with their links. What speaks of links that are gone goes too.
///
/// figure       not null
/// linkFromOld  by old link: the same link in the new figure, -1 when it is gone; a joint of another type begins at its
///              rest
/// returns      what went, one sentence each
std::vector<std::string> replaceFigure(Document& document, std::shared_ptr<const Figure> figure,
                                       const std::vector<int>& linkFromOld);

/// linkFromOld for figures that come from different places: links of one name whose joints are of one type, in the file
/// at least where a base was freed.
std::vector<int> matchLinksByName(const Figure& old, const Figure& now);

/// The document's figure with the user's limits, rigidities and locks as its own, and `rest` as its rest pose.
FigureEdit bakeSettings(const Document& document, const Pose& rest);
/// The same with the figure's own rest pose, moved into the user's limits.
FigureEdit bakeSettings(const Document& document);

/// The figure as it would be if one unit of its file were so many metres: every length along, masses with their cube.
/// The file's own numbers, which fileFrame() tells from metres, stay.
FigureEdit changeUnit(const Figure& figure, double metresPerUnit);
/// What else of a document is measured in metres: the pose, goals, pins, obstacles, the timeline, and
/// motions but for raw channels.
void scaleLengths(Document& document, double factor);

/// Goals and pins on a link that is scaled: their points move along.
void scalePointsOnLink(Document& document, int link, double factor);

}  // namespace limber

// SPDX-License-Identifier: MIT
// Changing a document's figure. The user's settings, goals, pins, motions and keys are carried over to the new figure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/figure_edit.h"
#include "limber/scene/document.h"

namespace limber {

struct FigureParts;

/// Replaces the document's figure. Joints keep their coordinates. A user's setting is kept if the figure's own value is
/// the same in both figures; otherwise the new figure's value is used. Goals, pins, chains, kept poses, switches,
/// selection, motion and timeline follow their links; references to removed links are removed.
///
/// figure       not null
/// linkFromOld  by old link: the same link in the new figure, -1 if it was removed. A joint whose type changed
///              starts at rest
/// returns      the removed things, one sentence each
std::vector<std::string> replaceFigure(Document& document, std::shared_ptr<const Figure> figure,
                                       const std::vector<int>& linkFromOld);

/// linkFromOld for figures from different sources: links match when their names and the types of their joints in the
/// file are equal.
std::vector<int> matchLinksByName(const Figure& old, const Figure& now);

/// The document's figure with the user's limits, rigidities and locks as its own values, and `rest` as its rest pose.
FigureEdit bakeSettings(const Document& document, const Pose& rest);
/// The same with the figure's own rest pose, moved into the user's limits.
FigureEdit bakeSettings(const Document& document);

/// The figure with another size of its file's unit: lengths scale with it, masses with its cube. In the unit of the
/// file, as fileFrame() converts them, the numbers stay the same.
FigureEdit changeUnit(const Figure& figure, double metresPerUnit);
/// Scales every length of a figure's parts; masses and the file's unit stay.
void scaleLengths(FigureParts& parts, double factor);
/// Scales the lengths of a document outside its figure: pose, goals, pins, obstacles, timeline, and motions except raw
/// channels, which are in file units.
void scaleLengths(Document& document, double factor);

/// Scales the points of goals, pins and obstacles on a link that was scaled.
void scalePointsOnLink(Document& document, int link, double factor);

}  // namespace limber

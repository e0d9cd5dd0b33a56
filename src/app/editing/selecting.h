// SPDX-License-Identifier: MIT
// What clicks and boxes select: parts of the figure first, links where one asks for them. Functions of the document.
#pragma once

#include <string>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/parts.h"
#include "limber/scene/document.h"
#include "render/view.h"

namespace limber::app {

/// The parts of the open figure, found anew when it is another.
class PartsOfFigure {
 public:
  const NamedParts& of(const Document& document);
  /// As they were found last.
  const NamedParts& last() const { return parts_; }

 private:
  NamedParts parts_;
  std::shared_ptr<const Figure> figure_;
  std::shared_ptr<const SourceFile> source_;
};

/// A click on a link: its part; on what is selected already, what is narrower: the finger, then the link alone.
Selection clickedSelection(const NamedParts& parts, const Selection& present, int link);

/// The links of a part, or one link, selected besides what is, or no longer when all of them were.
Selection toggledSelection(const Selection& present, const std::vector<int>& links, int main);

/// The parts whose middle is in a rectangle of the picture, besides what is selected. Corners in pixels.
Selection boxedSelection(const Document& document, const Kinematics& kinematics, const NamedParts& parts,
                         const render::View& view, const Eigen::Vector2d& corner, const Eigen::Vector2d& opposite);

/// What of a selection is held or turned as one: of a part that is wholly selected the link that it is known by, of a
/// finger or a single link each. A foot's toes are of the foot.
std::vector<int> leadingLinks(const NamedParts& parts, const Selection& selection);

/// The joints that are turned with the main one: leadingLinks(), in whose place the main joint stands for its own part.
std::vector<int> turnedTogether(const NamedParts& parts, const Selection& selection);

/// What a person calls a link that is held: the part that it is known for, "left foot", else its own name.
std::string heldName(const Document& document, const NamedParts& parts, int link);

/// "left foot", "left foot and right foot", "left foot and 3 more"; a single link by its name.
std::string selectionInWords(const Document& document, const NamedParts& parts, const Selection& selection);

}  // namespace limber::app

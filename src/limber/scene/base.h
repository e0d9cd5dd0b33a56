// SPDX-License-Identifier: MIT
// The base of a robot. Its file may fix it to the world or leave that open; a robot on legs gets a free base.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/body/footholds.h"
#include "limber/kinematics/figure_edit.h"
#include "limber/scene/document.h"

namespace limber {

/// ByLegs frees a robot that stands on legs, unless its file has a link that is the world.
enum class BaseChoice { ByLegs, Free, Fixed };
/// The base mode "free" or "fixed"; empty for other words.
std::optional<BaseChoice> findBase(std::string_view word);

/// The link by which a robot is attached to the world: the root of the largest tree. A fixed link called "world" stands
/// for the world; its children count as roots.
int baseLinkOf(const Figure& figure);

/// The feet of a robot that stands on legs, in order of their links; else empty. They are found by the shape at rest
/// alone: at least two limbs come down to the ground and end there in a foot (body/footholds.h), and the base does
/// not touch the ground.
///
///   a leg      is at least as long as the chain from the base to it, unlike the fingers of an arm that points down
///   no foot    a wheel: a hinge without limits about a level axis through the middle of its ground contacts
std::vector<Foothold> legsOf(const Figure& figure);

/// True if the base is fixed in the file and was freed.
bool hasFreedBase(const Figure& figure);
/// True if a freed base has moved from its place in the file. Exports name the base only then.
bool hasMovedBase(const Figure& figure, const Pose& pose);
/// True for a robot (URDF, SDF, MJCF) without a free joint of its own, or one whose base was freed.
bool hasBaseChoice(const Document& document);

/// Applies a choice to a robot that was just read: frees its base, and puts it on y = 0 when it stands on legs, or
/// leaves it as in the file. A free joint of the file at the base stays, whatever the choice. `notes` gets a sentence
/// about the change.
void chooseBase(Document& document, BaseChoice choice, std::vector<std::string>& notes);

/// Frees or fixes the base of a figure, which keeps its place at rest. The edit's figure is null, with the reason, if
/// the base already is as requested or cannot be changed.
FigureEdit changeBase(const Figure& figure, bool isFree);

/// The fault for a document whose base cannot be chosen.
inline constexpr std::string_view kNoBaseChoice =
    "only a robot (URDF, SDF, MJCF) without a free joint of its own has a base that can be free or fixed";

}  // namespace limber

// SPDX-License-Identifier: MIT
// The base of a robot: its file fixes it to the world, or leaves open whether it does. A robot on legs stands free.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/kinematics/figure_edit.h"
#include "limber/problem/footholds.h"
#include "limber/scene/document.h"

namespace limber {

/// ByLegs frees a robot that stands on legs, unless its file has a link that is the world.
enum class BaseChoice { ByLegs, Free, Fixed };
/// "free" and "fixed"; nothing for other words.
std::optional<BaseChoice> findBase(std::string_view word);

/// The link that a robot hangs on the world by: of several trees the one with the most links. A link called "world"
/// that does not move stands for the world, and what hangs on it counts.
int baseLinkOf(const Figure& figure);

/// The feet of a robot that stands on legs, in order of their links; else empty. Told by its shape at rest alone: two
/// limbs or more that come down to the ground and end there in a foot (problem/footholds.h), while the base does not
/// touch it.
///
///   a leg      no shorter than the way to it from the base: the fingers of an arm that points down are shorter
///   no foot    a wheel, which is a hinge without limits about a level axis through what touches
std::vector<Foothold> legsOf(const Figure& figure);

/// True when a base was freed that the file has fixed.
bool hasFreedBase(const Figure& figure);
/// True when a freed base stands elsewhere than where the file has it: for other programs its place is told only then.
bool hasMovedBase(const Figure& figure, const Pose& pose);
/// True for a robot (URDF, MJCF) without a free joint of its own, or one whose base was freed.
bool hasBaseChoice(const Document& document);

/// Frees the base of a robot that was read, and sets it upon y = 0 when it stands on legs; or leaves it as the file has
/// it. A file that has a free joint of its own at the base keeps that, whatever the choice. What was done is said in
/// notes.
void chooseBase(Document& document, BaseChoice choice, std::vector<std::string>& notes);

/// The same of a figure that is open: it stays where it rests in the scene. The edit's figure is null, with the reason,
/// where there is nothing to change.
FigureEdit changeBase(const Figure& figure, bool isFree);

/// Why a document has no choice of a base.
inline constexpr std::string_view kNoBaseChoice =
    "only a robot (URDF, MJCF) without a free joint of its own has a base that can be free or fixed";

}  // namespace limber

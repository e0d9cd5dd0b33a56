// SPDX-License-Identifier: MIT
// Goals and pins in the words of scenes and problems (the table is in docs/formats.md). Readers throw JsonFault.
//
// Points, targets and distances are in the file's own units, targets and their axes in the file's own axes: those of
// the figure's file in a problem, metres and the world in a scene. Points and frames in a link have the link's axes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "limber/scene/document.h"

namespace limber::io {

class JsonValue;

/// Everything of a goal but its id. What is missing takes the default of GoalItem, except that a target is needed where
/// the type has one; without "kept" the pose `present` is kept. The end effector defaults to the site "tip".
GoalItem goalFromJson(const JsonValue& value, const Figure& figure, const FileFrame& frame, const Pose& present);

/// Refuses keys that play no part in the goal's type, and what its type cannot do without: for files that people write.
void checkGoalKeys(const JsonValue& value, const GoalItem& goal);

/// As scenes hold it: what its type needs, and what differs from the default.
nlohmann::ordered_json goalToJson(const GoalItem& goal, const Figure& figure);

/// A pin without "world_from_link" holds its link where `present` has it.
Pin pinFromJson(const JsonValue& value, const Figure& figure, const FileFrame& frame, const Pose& present);
nlohmann::ordered_json pinToJson(const Pin& pin, const Figure& figure);

/// Index of the link or joint that is named.
int linkFromJson(const JsonValue& value, const Figure& figure);
int jointFromJson(const JsonValue& value, const Figure& figure);

}  // namespace limber::io

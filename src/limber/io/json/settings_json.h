// SPDX-License-Identifier: MIT
// What problems and scenes say alike: settings of joints and of the solver, and pins. Readers throw JsonFault.
#pragma once

#include "limber/io/base/json.h"
#include "limber/io/base/json_format.h"
#include "limber/scene/document.h"

namespace limber::io {

/// Reads "limits", "ball_limits", "rigidity", "locked", "translation_locked" and "preferred" where they are; what is
/// missing stays as it is. "limits" of a sliding joint are in lengths of `metresPerUnit`.
void readJointSettings(const JsonValue& value, const Joint& joint, double metresPerUnit, JointSettings& settings);

/// Reads "insist", "path_independent", "posing" and "body_follows" where they are; what is missing stays as it is.
void readSolverSettings(const JsonValue& value, SolverSettings& settings);
/// Writes those of these keys that differ from the default.
void appendSolverSettings(const SolverSettings& settings, OrderedJson& out);

/// At most one pin a link (pinFromJson()).
std::vector<Pin> pinsFromJson(const JsonValue& value, const Figure& figure, const FileFrame& frame,
                              const Pose& present);

}  // namespace limber::io

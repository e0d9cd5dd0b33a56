// SPDX-License-Identifier: MIT
// What problem and scene files have in common: settings of joints and of the solver, and pins. Readers throw JsonFault.
#pragma once

#include "limber/io/base/json.h"
#include "limber/scene/document.h"

namespace limber::io {

/// Reads "limits", "ball_limits", "rigidity", "locked", "translation_locked" and "preferred"; missing keys leave the
/// settings unchanged. "limits" of a prismatic joint are lengths in units of `metresPerUnit`.
void readJointSettings(const JsonValue& value, const Joint& joint, double metresPerUnit, JointSettings& settings);

/// Reads "insist", "path_independent", "posing" and "body_follows"; missing keys leave the settings unchanged.
void readSolverSettings(const JsonValue& value, SolverSettings& settings);
/// Writes those of these keys whose values differ from the defaults.
void appendSolverSettings(const SolverSettings& settings, OrderedJson& out);

/// The pins of an array (pinFromJson()), at most one for each link.
std::vector<Pin> pinsFromJson(const JsonValue& value, const Figure& figure, const FileFrame& frame,
                              const Pose& present);

}  // namespace limber::io

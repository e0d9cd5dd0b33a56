// SPDX-License-Identifier: MIT
// The pose prior (problem/pose_prior.h) as a file, and the one that comes with the program.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "limber/io/base/result.h"
#include "limber/problem/pose_prior.h"

namespace limber::io {

class JsonValue;

/// Refuses a part that is missing, a mean that is no rotation, a precision that is not symmetric or not positive (the
/// hips' is zero about y), and couplings that are not positive definite.
Result<PosePrior> parsePosePrior(std::string_view text, const std::string& file);

/// Of the resource pose_prior.json.
Result<std::shared_ptr<const PosePrior>> shippedPosePrior();

/// Gives it to a problem that asks for it. Throws JsonFault at `place`.
void readPosePriorFor(const JsonValue& place, IkProblem& problem);

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// The file of a pose prior (body/pose_prior.h), and the prior in the program's resources.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "limber/body/pose_prior.h"
#include "limber/io/base/result.h"

namespace limber {
struct IkProblem;
}

namespace limber::io {

class JsonValue;

/// Errors: a part is missing, a mean is not a rotation, a precision is not symmetric or not positive (the hips' is zero
/// about y), or the couplings are not positive definite.
Result<PosePrior> parsePosePrior(std::string_view text, const std::string& file);

/// The prior in the resource pose_prior.json; read once.
Result<std::shared_ptr<const PosePrior>> shippedPosePrior();

/// Sets the problem's prior to shippedPosePrior(), where that can be read.
void addPosePrior(IkProblem& problem);

/// Sets the problem's prior to shippedPosePrior(). Throws JsonFault at `place`.
void readPosePriorFor(const JsonValue& place, IkProblem& problem);

}  // namespace limber::io

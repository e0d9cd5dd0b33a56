// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "app/commands/pose_argument.h"
#include "limber/solvers/convex/certificate.h"

namespace limber::app {

struct CertifyArguments {
  std::string file;                ///< a problem or a scene
  std::optional<BaseChoice> base;  ///< of a robot, overrides the file
  PoseArgument pose;               ///< overrides the file's
  int splits = CertificateOptions{}.splits;
};

/// `limber certify`: bounds how much better than the pose any other could be, as JSON (docs/global.md). Ctrl+C cancels.
/// Returns the exit code: 0 whether certified or not, 1 if there is no bound.
int runCertify(const CertifyArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app

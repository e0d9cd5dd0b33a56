// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "app/commands/pose_argument.h"
#include "limber/solvers/convex/certificate.h"

namespace limber::app {

struct CertifyArguments {
  std::string file;    ///< a problem or a scene
  std::optional<BaseChoice> base;  ///< of a robot, in place of what the file says
  PoseArgument pose;   ///< in place of the file's
  int splits = CertificateOptions{}.splits;
};

/// `limber certify`: how much better than the pose any other could be, as JSON (docs/global.md). Ctrl+C cancels. Exit
/// code: 0 whether certified or not, 1 where there is no bound.
int runCertify(const CertifyArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app

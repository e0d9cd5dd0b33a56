// SPDX-License-Identifier: MIT
// The child process that reads FBX, Collada, STL and OBJ for io/foreign.h. No verb for people.
#pragma once

#include <ostream>
#include <string>

namespace limber::app {

/// kind: "figure" or "mesh". Prints GLB on `out`, or a sentence on `err`. Takes limits of memory and processor time
/// upon this very process.
int runImportWorker(const std::string& kind, const std::string& path, std::ostream& out, std::ostream& err);

}  // namespace limber::app

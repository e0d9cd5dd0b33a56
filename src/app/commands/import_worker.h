// SPDX-License-Identifier: MIT
// The child process that reads FBX, Collada, STL and OBJ for io/mesh/foreign.h. No verb for people.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace limber::app {

/// kind: "figure" or "mesh". Prints an answer for each file: "glb N", end of line, N bytes of GLB; or "fault N", end of
/// line, N bytes of why there is none. Takes limits of memory and processor time upon this very process.
int runImportWorker(const std::string& kind, const std::vector<std::string>& paths, std::ostream& out);

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// The child process that reads FBX, Collada, STL and OBJ for io/mesh/foreign.h. It is not for people.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace limber::app {

/// kind: "figure" or "mesh". Prints for each file "glb N", an end of line and N bytes of GLB; or "fault N", an end of
/// line and N bytes that say why there is none. Limits the memory and processor time of this process.
int runImportWorker(const std::string& kind, const std::vector<std::string>& paths, std::ostream& out);

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// A header of the program's own under a name that the library has, too: each takes its own.
#pragma once

inline int ownAnswer() { return 42; }

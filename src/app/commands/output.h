// SPDX-License-Identifier: MIT
// How every verb ends: what it returns to the shell, and that nothing it prints is lost without a word.
#pragma once

#include <ostream>
#include <string>

#include "io/result.h"

namespace limber::app {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;    ///< an input that cannot be used, an output that cannot be written
inline constexpr int kUsage = 2;      ///< the command line itself is wrong
inline constexpr int kDisagrees = 3;  ///< `check`: a derivative is wrong

/// Prints "limber: file: place: cause"; returns kFailure.
int fail(const io::Error& error, std::ostream& err);

/// Prints the whole text and flushes it; a full disk or a broken pipe is a failure.
int print(const std::string& text, std::ostream& out, std::ostream& err);

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// Output of verbs: errors are named, and a failure to print is reported.
#pragma once

#include <ostream>
#include <string>

#include "app/commands/exit_code.h"
#include "limber/io/base/result.h"

namespace limber::app {

/// Prints "limber: file: place: cause"; returns kBadInput.
int fail(const io::Error& error, std::ostream& err);

/// Prints the text and flushes it. Returns kBadInput, and says so on `err`, on a full disk or a broken pipe.
int print(const std::string& text, std::ostream& out, std::ostream& err);

}  // namespace limber::app

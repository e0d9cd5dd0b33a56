// SPDX-License-Identifier: MIT
// How every verb ends: its errors are named, and nothing it prints is lost without a word.
#pragma once

#include <ostream>
#include <string>

#include "app/commands/exit_code.h"
#include "limber/io/base/result.h"

namespace limber::app {

/// Prints "limber: file: place: cause"; returns kBadInput.
int fail(const io::Error& error, std::ostream& err);

/// Prints the whole text and flushes it; a full disk or a broken pipe is a failure.
int print(const std::string& text, std::ostream& out, std::ostream& err);

}  // namespace limber::app

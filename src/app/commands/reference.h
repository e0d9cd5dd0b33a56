// SPDX-License-Identifier: MIT
// The manual page and the completion of shells, made from the table of verbs and options that parses the command line.
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace limber::app {

inline constexpr const char* kReferenceKinds[] = {"man", "bash", "zsh", "fish"};

/// The text of one of kReferenceKinds for the program's verbs; hidden ones are left out.
std::string referenceOf(const CLI::App& app, std::string_view kind);

/// The name most similar to a mistyped word; empty if none is similar.
std::string nearestVerb(const CLI::App& app, std::string_view word);

}  // namespace limber::app

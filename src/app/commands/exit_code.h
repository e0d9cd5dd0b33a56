// SPDX-License-Identifier: MIT
// Exit codes of verbs, documented in docs/formats.md and in --help.
#pragma once

namespace limber::app {

inline constexpr int kSuccess = 0;
inline constexpr int kBadInput = 1;      ///< a file that cannot be read, understood or written; a setting out of range
inline constexpr int kUsage = 2;         ///< the command line itself is wrong
inline constexpr int kDisagreement = 3;  ///< `check`: derivatives are wrong; `replay`: a pose differs

}  // namespace limber::app

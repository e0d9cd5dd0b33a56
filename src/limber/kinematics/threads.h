// SPDX-License-Identifier: MIT
// Whether this system has threads. A page in a browser has none: std::thread exists, and its constructor throws.
#pragma once

namespace limber {

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
inline constexpr bool kHasThreads = false;
#else
inline constexpr bool kHasThreads = true;
#endif

}  // namespace limber

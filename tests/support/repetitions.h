// SPDX-License-Identifier: MIT
#pragma once

namespace limber::test {

/// How often a test repeats itself: sanitizers make each time slow.
int repetitions(int count, int sanitized);

}  // namespace limber::test

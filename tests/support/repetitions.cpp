// SPDX-License-Identifier: MIT
#include "support/repetitions.h"

#if defined(__SANITIZE_ADDRESS__)
#define LIMBER_SANITIZED
#elif defined(__has_feature)  // Clang
#if __has_feature(address_sanitizer)
#define LIMBER_SANITIZED
#endif
#endif

namespace limber::test {

int repetitions([[maybe_unused]] int count, [[maybe_unused]] int sanitized) {
#if defined(LIMBER_SANITIZED)
  return sanitized;
#else
  return count;
#endif
}

}  // namespace limber::test

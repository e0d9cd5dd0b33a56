// SPDX-License-Identifier: MIT
#include "limber/vector/processor.h"

#include <cstdlib>
#include <string_view>

namespace limber {

namespace {

bool findAvx2() {
#ifdef LIMBER_HAS_AVX2_CODE
  const char* baseline = std::getenv("LIMBER_BASELINE");
  return (!baseline || std::string_view(baseline) == "0") && __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

}  // namespace

bool hasAvx2() {
  static const bool has = findAvx2();
  return has;
}

}  // namespace limber

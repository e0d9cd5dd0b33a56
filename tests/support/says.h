// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace limber::test {

/// True if the text contains all these words, in this order. For messages: tests hold on to the file, the place and the
/// essential words of the cause, so that a better sentence needs no other test.
inline testing::AssertionResult says(const std::string& text, std::initializer_list<std::string_view> words) {
  std::size_t from = 0;
  for (const std::string_view word : words) {
    const std::size_t at = text.find(word, from);
    if (at == std::string::npos) return testing::AssertionFailure() << "\"" << text << "\" lacks \"" << word << "\"";
    from = at + word.size();
  }
  return testing::AssertionSuccess();
}

}  // namespace limber::test

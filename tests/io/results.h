// SPDX-License-Identifier: MIT
// Values, errors and notes of readers and writers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limber/io/base/result.h"

namespace limber::test {

/// The value of a result. Throws the message of an error, which fails the test.
template <typename T>
T valueOf(io::Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return std::move(*result);
}

/// The message of an error; empty for a value.
template <typename T>
std::string messageOf(const io::Result<T>& result) {
  return result ? "" : result.error().message();
}

/// True when one of the notes contains the words.
inline bool hasNote(const std::vector<std::string>& notes, std::string_view words) {
  return std::ranges::any_of(notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

/// The text with `from`, which it must contain, replaced by `to`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace limber::test

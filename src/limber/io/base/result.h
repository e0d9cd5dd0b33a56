// SPDX-License-Identifier: MIT
// What readers and writers return: a value, or an error that names file, place and cause.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace limber::io {

/// The message joins {file, place, cause}: "humanoid.json: joints[3].limits: lower above upper". The place is a line
/// ("line 12"), a JSON path, or empty.
struct Error {
  std::string file = {};
  std::string place = {};
  std::string cause = {};
  /// Required files that were not found, by their names in the file. They can be found by additional
  /// OpenContext::folders. Empty if that would not help.
  std::vector<std::string> missing = {};

  std::string message() const;
};

template <typename T>
class Result {
 public:
  Result(T value) : value_(std::move(value)) {}      // NOLINT: implicit on purpose, so that readers can return either
  Result(Error error) : error_(std::move(error)) {}  // NOLINT

  explicit operator bool() const { return value_.has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  const Error& error() const { return error_; }

 private:
  std::optional<T> value_;
  Error error_;
};

/// An error in the text being read, and its position: a line, a byte or a JSON path. Within io/ such faults are
/// exceptions; each public reader catches them.
struct Fault {
  std::string place = {};
  std::string cause = {};
};

/// The result of `read`, which returns T or Result<T>, or the Error that it throws. A Fault becomes an Error that names
/// `file`.
template <typename T, typename Read>
Result<T> faultsAsErrors(const std::string& file, const Read& read) {
  try {
    return read();
  } catch (const Fault& fault) {
    return Error{file, fault.place, fault.cause};
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace limber::io

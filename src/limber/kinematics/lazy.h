// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <optional>

namespace limber {

/// A value that is computed when it is first requested. Several threads may request it at the same time. A copy starts
/// without the value.
template <typename T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(const Lazy&) {}
  Lazy& operator=(const Lazy&) = delete;

  template <typename Make>
  const T& get(const Make& make) const {
    std::call_once(once_, [&] { value_.emplace(make()); });
    return *value_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::optional<T> value_;
};

}  // namespace limber

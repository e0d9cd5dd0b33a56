// SPDX-License-Identifier: MIT
// libc++ before 15 has the concepts of C++20's ranges, but not their algorithms, and before 14 no std::bit_cast. With
// Clang, this file is included before each source (src/CMakeLists.txt) and defines those that it uses, for these
// versions only.
#pragma once

#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 15000
#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace std::ranges {

namespace limber_detail {
template <typename Compare, typename Projection>
auto compared(Compare& compare, Projection& by) {
  return [&](auto&& a, auto&& b) -> bool { return std::invoke(compare, std::invoke(by, a), std::invoke(by, b)); };
}
template <typename Test, typename Projection>
auto tested(Test& test, Projection& by) {
  return [&](auto&& a) -> bool { return std::invoke(test, std::invoke(by, a)); };
}
template <typename Value, typename Projection>
auto equalTo(const Value& value, Projection& by) {
  return [&](auto&& a) -> bool { return std::invoke(by, a) == value; };
}
}  // namespace limber_detail

#define LIMBER_TESTING(name)                                                               \
  template <typename Range, typename Test, typename Projection = std::identity>            \
  auto name(Range&& range, Test test, Projection by = {}) {                                \
    return std::name(std::begin(range), std::end(range), limber_detail::tested(test, by)); \
  }
LIMBER_TESTING(all_of)
LIMBER_TESTING(any_of)
LIMBER_TESTING(none_of)
LIMBER_TESTING(find_if)
LIMBER_TESTING(count_if)
#undef LIMBER_TESTING

#define LIMBER_COMPARING(name)                                                                   \
  template <typename Range, typename Compare = std::less<>, typename Projection = std::identity> \
  auto name(Range&& range, Compare compare = {}, Projection by = {}) {                           \
    return std::name(std::begin(range), std::end(range), limber_detail::compared(compare, by));  \
  }
LIMBER_COMPARING(sort)
LIMBER_COMPARING(stable_sort)
LIMBER_COMPARING(is_sorted)
LIMBER_COMPARING(min_element)
LIMBER_COMPARING(max_element)
#undef LIMBER_COMPARING

template <typename At, typename End, typename Value, typename Projection = std::identity>
requires std::sentinel_for<End, At> At find(At first, End last, const Value& value, Projection by = {}) {
  return std::find_if(first, last, limber_detail::equalTo(value, by));
}
template <typename Range, typename Value, typename Projection = std::identity>
auto find(Range&& range, const Value& value, Projection by = {}) {
  return std::find_if(std::begin(range), std::end(range), limber_detail::equalTo(value, by));
}
template <typename Range, typename Value, typename Projection = std::identity>
auto count(Range&& range, const Value& value, Projection by = {}) {
  return std::count_if(std::begin(range), std::end(range), limber_detail::equalTo(value, by));
}
template <typename Range, typename Value, typename Compare = std::less<>, typename Projection = std::identity>
auto lower_bound(Range&& range, const Value& value, Compare compare = {}, Projection by = {}) {
  return std::partition_point(std::begin(range), std::end(range),
                              [&](auto&& a) -> bool { return std::invoke(compare, std::invoke(by, a), value); });
}
template <typename Range, typename Value, typename Compare = std::less<>, typename Projection = std::identity>
auto upper_bound(Range&& range, const Value& value, Compare compare = {}, Projection by = {}) {
  return std::partition_point(std::begin(range), std::end(range),
                              [&](auto&& a) -> bool { return !std::invoke(compare, value, std::invoke(by, a)); });
}
template <typename Range, typename Value, typename Compare = std::less<>, typename Projection = std::identity>
bool binary_search(Range&& range, const Value& value, Compare compare = {}, Projection by = {}) {
  const auto at = lower_bound(range, value, compare, by);
  return at != std::end(range) && !std::invoke(compare, value, std::invoke(by, *at));
}
template <typename A, typename B, typename Same = std::equal_to<>, typename OfA = std::identity,
          typename OfB = std::identity>
bool equal(A&& a, B&& b, Same same = {}, OfA ofA = {}, OfB ofB = {}) {
  return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b), [&](auto&& x, auto&& y) -> bool {
    return std::invoke(same, std::invoke(ofA, x), std::invoke(ofB, y));
  });
}
template <typename Range, typename Value>
void replace(Range&& range, const Value& from, const Value& to) {
  std::replace(std::begin(range), std::end(range), from, to);
}
template <typename Range, typename Test, typename Value>
void replace_if(Range&& range, Test test, const Value& to) {
  std::replace_if(std::begin(range), std::end(range), test, to);
}
template <typename Range>
void reverse(Range&& range) {
  std::reverse(std::begin(range), std::end(range));
}
template <typename Range, typename To>
void copy(Range&& range, To to) {
  std::copy(std::begin(range), std::end(range), to);
}
template <typename Range, typename To>
void move(Range&& range, To to) {
  std::move(std::begin(range), std::end(range), to);
}
template <typename Range, typename To, typename Test, typename Projection = std::identity>
void copy_if(Range&& range, To to, Test test, Projection by = {}) {
  std::copy_if(std::begin(range), std::end(range), to, limber_detail::tested(test, by));
}
template <typename Range, typename At, typename Compare = std::less<>, typename Projection = std::identity>
void nth_element(Range&& range, At nth, Compare compare = {}, Projection by = {}) {
  std::nth_element(std::begin(range), nth, std::end(range), limber_detail::compared(compare, by));
}
template <typename Range, typename Compare = std::less<>, typename Projection = std::identity>
auto max(Range&& range, Compare compare = {}, Projection by = {}) {
  return *std::max_element(std::begin(range), std::end(range), limber_detail::compared(compare, by));
}
template <typename Range, typename Compare = std::less<>, typename Projection = std::identity>
auto min(Range&& range, Compare compare = {}, Projection by = {}) {
  return *std::min_element(std::begin(range), std::end(range), limber_detail::compared(compare, by));
}
template <typename A, typename B, typename To>
void set_union(A&& a, B&& b, To to) {
  std::set_union(std::begin(a), std::end(a), std::begin(b), std::end(b), to);
}
template <typename A, typename B, typename To>
void set_difference(A&& a, B&& b, To to) {
  std::set_difference(std::begin(a), std::end(a), std::begin(b), std::end(b), to);
}
template <typename Range>
auto unique(Range&& range) {
  return subrange(std::unique(std::begin(range), std::end(range)), std::end(range));
}
template <typename Range>
auto next_permutation(Range&& range) {
  struct Result {
    bool found;
  };
  return Result{std::next_permutation(std::begin(range), std::end(range))};
}
template <typename Range, typename To, typename Change>
void transform(Range&& range, To to, Change change) {
  std::transform(std::begin(range), std::end(range), to, [&](auto&& a) { return std::invoke(change, a); });
}

}  // namespace std::ranges

#if _LIBCPP_VERSION < 14000
namespace std {
template <typename To, typename From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
#endif

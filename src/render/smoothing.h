// SPDX-License-Identifier: MIT
// How the edges of a picture are smoothed while it moves: as well as the time allows, and without going back and forth.
// Numbers only.
#pragma once

#include <array>
#include <cstddef>

namespace limber::render {

enum class Smoothing {
  None,
  Filtered,  ///< one sample a pixel, edges found and blurred afterwards (fxaa.frag)
  Sampled,   ///< several samples a pixel
};

inline constexpr double kFrameBudget = 1.0 / 30.0;  ///< seconds that a moving picture may take, panels and all

/// Chooses by what frames took: the median of a few decides, so that one slow frame changes nothing. A way that proved
/// too slow is tried again after a pause that doubles with each failure.
class SmoothingChoice {
 public:
  /// Begins with `first`, and never goes above `best`.
  SmoothingChoice(Smoothing first, Smoothing best) : level_(first), best_(best) {}

  Smoothing moving() const { return level_; }
  /// A frame drawn as moving() says took `seconds`; it ended at `now`, seconds of any clock.
  void tell(double seconds, double now);

 private:
  static constexpr std::size_t kFrames = 7;  // that the median is taken of

  void moveTo(Smoothing level);
  double median() const;

  Smoothing level_, best_;
  std::array<double, kFrames> took_{};
  std::size_t count_ = 0;     // of frames at this level
  double pause_ = 2.0;        // seconds until a better way is tried
  double tryAfter_ = 0.0;     // when
};

}  // namespace limber::render

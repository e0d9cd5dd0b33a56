// SPDX-License-Identifier: MIT
// The choice of resolution and antialiasing for a moving picture: as good as time allows, without oscillation. Without
// OpenGL.
#pragma once

#include <array>
#include <cstddef>

namespace limber::render {

enum class Smoothing {
  Coarse,  ///< fewer pixels, enlarged
  None,
  Filtered,  ///< one sample per pixel and a filter that blurs edges (fxaa.frag)
  Sampled,   ///< several samples per pixel
};

inline constexpr double kFrameBudget = 1.0 / 50.0;  ///< seconds for a frame with a moving picture, panels included

/// Chooses by the median time of several frames, so that one slow frame changes nothing. A level that was too slow is
/// tried again after a pause that doubles with each failure.
class SmoothingChoice {
 public:
  /// Begins with `first` and never exceeds `best`.
  SmoothingChoice(Smoothing first, Smoothing best) : level_(first), best_(best) {}

  Smoothing moving() const { return level_; }
  /// Reports that a frame at level moving() took `seconds` and ended at `now`, seconds of any clock.
  void tell(double seconds, double now);

 private:
  static constexpr std::size_t kFrames = 7;  // of the median

  void moveTo(Smoothing level);
  double median() const;

  Smoothing level_, best_;
  std::array<double, kFrames> took_{};
  std::size_t count_ = 0;  // frames at this level
  double pause_ = 2.0;     // seconds until a better level is tried
  double tryAfter_ = 0.0;  // time of the next try
};

}  // namespace limber::render

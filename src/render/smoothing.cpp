// SPDX-License-Identifier: MIT
#include "render/smoothing.h"

#include <algorithm>

namespace limber::render {

namespace {

constexpr double kRoom = 0.55;           // part of the budget below which a better level is tried
constexpr double kRoomOfCoarse = 0.72;   // the same for more pixels, which cost less than smooth edges
constexpr double kLongestPause = 120.0;  // seconds

}  // namespace

double SmoothingChoice::median() const {
  std::array<double, kFrames> sorted = took_;
  std::ranges::nth_element(sorted, sorted.begin() + kFrames / 2);
  return sorted[kFrames / 2];
}

void SmoothingChoice::moveTo(Smoothing level) {
  level_ = level;
  count_ = 0;
}

void SmoothingChoice::tell(double seconds, double now) {
  took_[count_++ % kFrames] = seconds;
  if (count_ < kFrames) return;
  const int level = static_cast<int>(level_);
  if (median() > kFrameBudget && level_ != Smoothing::Coarse) {
    tryAfter_ = now + pause_;
    pause_ = std::min(2.0 * pause_, kLongestPause);
    moveTo(static_cast<Smoothing>(level - 1));
  } else if (median() < (level_ == Smoothing::Coarse ? kRoomOfCoarse : kRoom) * kFrameBudget && level_ < best_ &&
             now >= tryAfter_) {
    moveTo(static_cast<Smoothing>(level + 1));
  }
}

}  // namespace limber::render

// SPDX-License-Identifier: MIT
// The fingers of a hand closed by one slider: from the library's open hand to its fist, on any figure with fingers
// (problem/hand_parts.h).
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "app/features/library_pose.h"
#include "limber/problem/hand_parts.h"
#include "limber/scene/document.h"

namespace limber::app {

class HandClosing {
 public:
  /// Finds the figure's hands, where it is another than before. `fitter` is one of the document's figure.
  void update(const Document& document, PoseFitter& fitter);

  /// The joints of the fingers of the hands that some of the links belong to; empty for none.
  std::vector<int> fingersOf(const Figure& figure, const std::vector<int>& links) const;
  /// How far they are closed: 0 open, 1 a fist; of a pose between, or beside, the nearest place on the way.
  double amount(const Document& document, const std::vector<int>& fingers) const;
  /// Puts them there, within limits.
  void close(Document& document, const std::vector<int>& fingers, double amount) const;

 private:
  std::weak_ptr<const Figure> figure_;
  std::map<BodySide, HandParts> hands_;
  Pose open_, fist_;
};

}  // namespace limber::app

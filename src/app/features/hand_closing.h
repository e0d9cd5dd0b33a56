// SPDX-License-Identifier: MIT
// One slider closes the fingers of a hand: it blends from the library's open hand to its fist, on any figure with
// fingers (body/hand_parts.h).
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "app/features/library_pose.h"
#include "limber/body/hand_parts.h"
#include "limber/scene/document.h"

namespace limber::app {

class HandClosing {
 public:
  /// Finds the hands of the figure when the figure is new. `fitter` must be made for the document's figure.
  void update(const Document& document, PoseFitter& fitter);

  /// The finger joints of each hand that at least one of the links belongs to; empty for none.
  std::vector<int> fingersOf(const Figure& figure, const std::vector<int>& links) const;
  /// The closing of the fingers: 0 open, 1 a fist; any pose is projected onto the path between the two.
  double amount(const Document& document, const std::vector<int>& fingers) const;
  /// Sets the fingers to this amount, within limits; locked joints stay.
  void close(Document& document, const std::vector<int>& fingers, double amount) const;

 private:
  std::weak_ptr<const Figure> figure_;
  std::map<BodySide, HandParts> hands_;
  Pose open_, fist_;
};

}  // namespace limber::app

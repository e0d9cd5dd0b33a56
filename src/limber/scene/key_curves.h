// SPDX-License-Identifier: MIT
// Keyed numbers over time, for a curve editor: the coordinates of a joint, or of a goal's target. Angles of ball and
// free joints are the components of the rotation vector from the joint's zero.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/scene/document.h"

namespace limber {

/// A number that is keyed.
struct KeyedNumber {
  int joint = -1;      ///< -1 for a goal, and for all that a key holds
  int goal = -1;       ///< id; -1 for a joint
  int coordinate = 0;  ///< index in the joint's step, or x, y, z of the target
  bool operator==(const KeyedNumber&) const = default;
};

struct KeyCurve {
  KeyedNumber number;
  std::string name;      ///< "angle", "x", "turn y"
  bool isAngle = false;  ///< values are radians; else metres
  struct Point {
    int frame = 0;
    double value = 0.0;
    bool isKey = false;
  };
  std::vector<Point> points;  ///< by frame, from the clock's first to its last, with all keys; some hundred at most
};

/// The curves of the selected goal if its target is keyed, else of the selected joint if its pose is; empty for none.
/// The values are those of the keys' blend: goals are not solved. A target that follows a path has no keys here.
std::vector<KeyCurve> keyCurvesOf(const Document& document);

/// The ease of the key of a number at a frame; empty without a key.
std::optional<Ease> easeOfKey(const Document& document, const KeyedNumber& number, int frame);
bool setEaseOfKey(Document& document, const KeyedNumber& number, int frame, const Ease& ease);

/// Sets the number of the key at a frame; a pose is brought back into its limits. False if there is no such key.
bool setKeyedNumber(Document& document, const KeyedNumber& number, int frame, double value);

}  // namespace limber

// SPDX-License-Identifier: MIT
// Cables of MuJoCo: <composite type="cable"> stands for a chain of bodies with ball joints along a curve.
#pragma once

#include <memory>
#include <string>

#include "limber/io/robot/xml.h"

namespace limber::io {

struct MjcfCable {
  std::unique_ptr<XmlFile> bodies;  ///< a root whose child is the first body; null if there is a fault
  std::string fault = {};           ///< why the composite has no bodies, a sentence
};

/// The bodies that MuJoCo makes of a composite, as elements of MJCF. Body i begins at vertex i of the curve, with its x
/// along the edge to the next one; its y turns with the curve without twist. Names are those of MuJoCo: PREFIXB_first,
/// PREFIXB_1, ..., PREFIXB_last, with joints J and sites S. Throws an Error for numbers that are invalid.
MjcfCable cableBodies(const XmlElement& composite);

}  // namespace limber::io

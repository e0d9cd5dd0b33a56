// SPDX-License-Identifier: MIT
// A URDF as a model of SDF, for an <include> that refers to one.
#pragma once

#include "limber/io/robot/xml.h"

namespace limber::io {

/// Adds <sdf> with one <model> to an empty file. A link is at the frame of its joint, and a joint is in the frame of
/// its parent. Errors in it name the places of the URDF. Throws an Error.
void addSdfOfUrdf(const XmlElement& robot, XmlFile& out);

}  // namespace limber::io

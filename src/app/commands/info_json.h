// SPDX-License-Identifier: MIT
// The contents of a file as JSON for programs: `limber info --json` (docs/formats.md).
#pragma once

#include "limber/io/base/json.h"
#include "limber/io/open.h"

namespace limber::app {

/// Links, joints with their limits, sites, couplings, unit and axes, goals and motions. Lengths are in the unit of the
/// figure's file, angles in radians.
io::OrderedJson infoJson(const io::Opened& opened);

/// The metres or radians of one unit of a scalar joint's coordinate in the file.
double unitOf(const Figure& figure, int joint);

}  // namespace limber::app

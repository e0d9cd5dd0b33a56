// SPDX-License-Identifier: MIT
// The iterates of a race as a table for spreadsheets and plots (docs/formats.md).
#pragma once

#include <string>
#include <vector>

#include "limber/posing/race_lane.h"

namespace limber {

/// A header line with units, then one line an iterate, solver after solver. RFC 4180: commas, CRLF. Numbers have the
/// digits that give back the same double; one that is not known is an empty field.
std::string raceCsv(const std::vector<const LaneResult*>& results);

}  // namespace limber

// SPDX-License-Identifier: MIT
// The list of all poses of an arm as JSON, for `limber solve --all` and `limber serve`.
#pragma once

#include "limber/io/base/json.h"
#include "limber/posing/all_ways.h"
#include "limber/scene/document.h"

namespace limber::app {

/// The fields of docs/all_ways.md; lengths in the unit of the figure's file.
io::OrderedJson allWaysJson(const Document& document, const AllWays& all);

}  // namespace limber::app

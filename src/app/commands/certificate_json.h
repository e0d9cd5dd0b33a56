// SPDX-License-Identifier: MIT
// Certificates as JSON (docs/global.md).
#pragma once

#include "limber/io/base/json_format.h"
#include "limber/posing/certify.h"

namespace limber::app {

/// Costs are root mean squares in millimetres; unknown numbers are null. isSearched: the pose is the best of a search.
io::OrderedJson certificateJson(const PoseCertificate& result, bool isSearched);

}  // namespace limber::app

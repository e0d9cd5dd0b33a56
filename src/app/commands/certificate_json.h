// SPDX-License-Identifier: MIT
// How verbs say what a certificate says (docs/global.md).
#pragma once

#include "limber/io/base/json_format.h"
#include "limber/posing/certify.h"

namespace limber::app {

/// Lengths in millimetres, root mean squares; null for what is not known. isSearched: of the best pose of a search.
io::OrderedJson certificateJson(const PoseCertificate& result, bool isSearched);

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// Drags within the null space: a link follows the mouse as far as the end effectors beyond it stay where they are.
#pragma once

#include "app/drag/drag.h"

namespace limber::app {

/// Holds the end effectors of the document's goals exactly where its pose has them, from now on, or no longer. Without
/// such a goal it is the end of the chain beyond the dragged link that stays. The drag must pull a link (request.drag).
/// Returns false if nothing is held.
bool holdEnds(Drag& drag, const Document& document, bool isOn);

/// True for a hold of holdEnds(), unlike those of feet and trunks.
bool isOfNullSpace(const Hold& hold);

}  // namespace limber::app

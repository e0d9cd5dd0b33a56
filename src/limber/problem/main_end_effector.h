// SPDX-License-Identifier: MIT
#pragma once

#include "limber/problem/new_goal.h"

namespace limber {

/// What one means by a figure's end effector as long as none is named: the first site on a link that nothing hangs on,
/// else the end of the last such link.
EndEffector mainEndEffector(const Figure& figure);

}  // namespace limber

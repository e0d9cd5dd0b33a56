// SPDX-License-Identifier: MIT
#pragma once

#include "limber/problem/new_goal.h"

namespace limber {

/// The end effector of a figure when none is named: the first site on a leaf link, else the end of the last leaf link.
EndEffector mainEndEffector(const Figure& figure);

}  // namespace limber

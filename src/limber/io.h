// SPDX-License-Identifier: MIT
// Figures and problems from files. Link limber::io.
#pragma once

#include "limber/io/read.h"

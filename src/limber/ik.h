// SPDX-License-Identifier: MIT
// The header for programs that use inverse kinematics: figures built in C++, Ik with its goals, and the parts of a
// problem. Link limber::ik.
#pragma once

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/certify.h"
#include "limber/posing/ik.h"
#include "limber/posing/velocity_step.h"
#include "limber/problem/ik_problem.h"

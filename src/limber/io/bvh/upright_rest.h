// SPDX-License-Identifier: MIT
// The rest pose of a body whose file has none: in some motion files the pose without rotations is no body, as when all
// bones point along one axis.
#pragma once

#include <string>
#include <vector>

#include "limber/io/json/figure_json.h"
#include "limber/scene/motion.h"

namespace limber::io {

/// The figure with a T-pose as rest pose, made from the most upright frame of its motion, if its links have the names
/// of a human body that does not stand at rest; a note then says so. Otherwise the figure itself.
FigurePointer withUprightRest(const FigurePointer& figure, const Motion& motion, std::vector<std::string>& notes);

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// Figures and problems from files, for programs that use the library. Each function returns a value, or an error that
// names file, place and cause. Nothing is printed, and no exception leaves.
//
// A name is a path, or that of a figure that needs no file: "planar:N", "ball:N", "arm", "human", "humanoid". The
// contents decide about the format, then the name's ending: URDF, MJCF, BVH, glTF, VRM and Limber's own. FBX and
// Collada are read by the program limber, which must then stand beside the program that asks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/kinematics/figure.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// The figure of a file. Its axes are the world's, y up, and its lengths metres; Figure::fileFrame() leads to those of
/// the file.
io::Result<std::shared_ptr<const Figure>> readFigure(const std::string& nameOrPath);

/// The same with all that a problem or a scene holds beside the figure: settings, pose, goals, pins, obstacles. For
/// another file it is the problem of its figure, in the first pose of its motion where it has one. notes: what was
/// guessed or left out, one sentence each; null where nobody asks.
io::Result<IkProblem> readProblem(const std::string& nameOrPath, std::vector<std::string>* notes = nullptr);

}  // namespace limber

// SPDX-License-Identifier: MIT
// Figures and problems from files, for programs that use the library. Each function returns a value, or an error that
// names file, place and cause. Nothing is printed, no exception is thrown, and calls from several threads are safe.
//
// A name is a path or a standard figure: "planar:N", "ball:N", "arm", "human", "humanoid". The format is found by the
// contents, then by the name's ending: URDF, SDF, MJCF, OpenSim, BVH, glTF, VRM and Limber's own. FBX and Collada are
// read by the program limber, which must be in the folder of the calling program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/kinematics/figure.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// The figure of a file, in metres and the world's axes (y up); Figure::fileFrame() converts to those of the file.
io::Result<std::shared_ptr<const Figure>> readFigure(const std::string& nameOrPath);

/// The inverse kinematics problem of a problem or a scene: figure, settings, pose, goals, pins and obstacles. For any
/// other file, the problem of its figure in the first pose of its motion, or in the rest pose.
///
/// notes  may be null; gets what was guessed or left out, one sentence each
io::Result<IkProblem> readProblem(const std::string& nameOrPath, std::vector<std::string>* notes = nullptr);

}  // namespace limber

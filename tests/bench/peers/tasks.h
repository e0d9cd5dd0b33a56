// SPDX-License-Identifier: MIT
// The problems of the contest. The same seed gives the same problems.
#pragma once

#include <random>

#include "bench/peers/contest.h"

namespace limber::bench {

/// The arm of seven hinges: full pose of the tool to 1e-5 (metres, radians), from a random start within the limits to
/// where a random pose within them puts it.
Task makeArmTask(int problems);

/// The planar chain of n links, straight at first; targets uniform in the disc that it reaches. Solved is who ends at
/// the least f that anybody finds: 1/2 1e3 |x - target|^2 + 1/2 |q|^2.
Task makeChainTask(int links, int problems);

/// The human with single vertebrae of resources/scenes: both hands on a tube, elbows to the side, the eyes on its axis
/// and looking down it. From rest; every problem is met by a pose that was drawn at random about the scene's own.
/// Empty problems, with `fault` saying why, when the files cannot be read.
Task makeHumanTask(int problems, std::string& fault);

/// A tree of 61 hinges with five limbs whose ends are dragged 6 mm further at each problem, to 1 mm.
Task makeDragTask(int problems);

/// Scalars uniform within their limits, unlimited ones within half a turn. Figures of hinges and slides.
Pose randomPoseWithin(const Figure& figure, std::mt19937& random);

}  // namespace limber::bench

// SPDX-License-Identifier: MIT
// Live symmetry: what one side of a figure is asked, the other is asked as the mirror shows it. Objective and start are
// then their own mirror images, and so is the pose that is found.
#pragma once

#include "limber/body/anatomy.h"
#include "limber/posing/posing.h"

namespace limber {

/// The request with the images of its drag and holds, and of the problem's goals and pins, where the problem keeps
/// symmetry; else as it is. What the other side is asked itself needs no image. Alternatives have none.
PosingRequest withMirrorImages(const IkProblem& problem, PosingRequest request);

/// The side that the other one takes after: that of what is dragged, else of
/// PosingRequest::leadingLink, else the left one.
BodySide leadingSide(const IkProblem& problem, const PosingRequest& request);

}  // namespace limber

// SPDX-License-Identifier: MIT
// Live symmetry: each goal, hold and pin of one side gets its mirror image on the other side. Objective and start are
// then symmetric, and so is the pose.
#pragma once

#include "limber/body/anatomy.h"
#include "limber/posing/posing.h"

namespace limber {

/// Adds the images of drag and holds, and of the problem's goals and pins, if the problem keeps symmetry. A goal whose
/// image's link has a goal of its own gets no image, nor do alternatives.
PosingRequest withMirrorImages(const IkProblem& problem, PosingRequest request);

/// The side that the other one mirrors: that of the dragged link, else of PosingRequest::leadingLink, else the left.
BodySide leadingSide(const IkProblem& problem, const PosingRequest& request);

}  // namespace limber

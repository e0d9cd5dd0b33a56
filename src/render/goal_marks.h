// SPDX-License-Identifier: MIT
// What each type of goal looks like. Colour and shape say whether it is met, as a target's do; the mark of the selected
// goal is large and has handles, the others are small.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// How one goal's mark is drawn; sizes in metres.
struct GoalLook {
  double size = 0.1;    ///< radius of the target's ball
  double reach = 0.5;   ///< of arrows, planes and rings of the selected goal; the others' are half as large
  double extent = 1.0;  ///< half the length of a line
  double ground = 0.0;  ///< height of the ground
  bool met = false, faint = false, hovered = false, selected = false, planar = false;
  Grip hoveredGrip = Grip::None;
  bool ringsRest = false;  ///< a gizmo has them
  const View* view = nullptr;  ///< null: what faces the eye faces along z
};

/// The mark of one well-formed goal:
///
///   position              the target, and a line to it while unmet
///   orientation           the end effector's axes and, thicker, those asked for; a knob on the x asked for; while
///                         unmet an arc from x to x. Rings when selected
///   position, orientation both
///   direction             an arrow at the end effector; while unmet an arc from the link's own direction
///   aim                   the target and a dashed ray to where the link points
///   line                  the target, the line through it, a ring around the point's foot
///   plane                 the target, a square with a cross, the normal, the foot
///   half-space            the same, hatched with ticks to the allowed side
///   distance              the line between both points with a washer at each bound; selected: the bounds as circles
///   relative              both frames and the line between the points
///   keep-pose             a diamond before the link
///   centre of mass        a ball there, its plumb line, and the target
///   swivel                an arrow with a knob from the bend of the limb, across the dashed line through its ends;
///                         while unmet an arc from where the bend points; selected: the ring on which the knob turns
void appendGoalMark(const Document& document, const Kinematics& kinematics, const GoalItem& goal, const GoalLook& look,
                    DrawList& list);

/// All of the document's enabled goals, and the transient target of a drag. `list` knows the ground and the figure's
/// size.
void appendGoals(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

}  // namespace limber::render

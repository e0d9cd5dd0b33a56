// SPDX-License-Identifier: MIT
// The marks of goals. Colour and shape show whether a goal is met. The mark of the selected goal is large and has
// handles; the others are small.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// Size and state of one goal's mark, metres.
struct GoalLook {
  double size = 0.1;    ///< radius of the target's ball
  double reach = 0.5;   ///< of arrows, planes and rings of the selected goal; half for others
  double extent = 1.0;  ///< half the length of a line
  double ground = 0.0;  ///< height of the ground
  bool met = false, faint = false, hovered = false, selected = false, planar = false;
  Grip hoveredGrip = Grip::None;
  bool ringsRest = false;      ///< a gizmo replaces the rings
  const View* view = nullptr;  ///< if null, what should face the eye faces z
};

/// Appends the mark of one well-formed goal:
///
///   position              the target, and a line to it while unmet
///   orientation           the end effector's axes and, thicker, the target's, with a knob on its x axis; while unmet
///                         an arc between the x axes. Rings if selected
///   position, orientation both
///   direction             an arrow at the end effector; while unmet an arc from the link's own direction
///   aim                   the target and a dashed ray to where the link points
///   line                  the target, the line through it, a ring around the nearest point of the line
///   plane                 the target, a square with a cross, the normal, the nearest point
///   half-space            the same, with ticks to the allowed side
///   distance              the line between both points with a washer at each bound; selected: the bounds as circles
///   relative              both frames and the line between the points
///   keep-pose             a diamond in front of the link
///   centre of mass        a ball there, its plumb line, and the target
///   swivel                an arrow with a knob from the bend of the limb, normal to the dashed line through its ends;
///                         while unmet an arc from the bend's direction; selected: the ring on which the knob turns
void appendGoalMark(const Document& document, const Kinematics& kinematics, const GoalItem& goal, const GoalLook& look,
                    DrawList& list);

/// Appends the marks of all enabled goals, and the transient target of a drag. list.groundHeight and list.figureSize
/// must be set.
void appendGoals(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

}  // namespace limber::render

// SPDX-License-Identifier: MIT
// The functions of commands that belong to no other file. A function without effect shows a message with the reason.
#pragma once

#include "app/session/session.h"
#include "app/tools/tools.h"

namespace limber::app {

void toggleMode(Session& session);
/// Turns or slides the selected joint by one step of the keys.
void turn(Session& session, double sign, bool fine);
/// Selects the next movable joint in a direction, 1 or -1.
void cycleJoint(Session& session, int direction);
void select(Session& session, const Selection& wanted);
void resetToRest(Session& session);
/// Locks all selected joints; unlocks them when all are locked already.
void lockSelected(Session& session);
/// Pins or unpins the dragged link, else the selected ones, else the one under the cursor.
void togglePin(Session& session, bool position, bool rotation);
void grab(Session& session, Grabbed what);
void toggleBalance(Session& session);
void togglePathIndependent(Session& session);
void toggleFollow(Session& session);
/// Removes the chosen point of a path, else the selected goal or obstacle.
void removeSelected(Session& session);

void solveNow(Session& session);
void nudgePose(Session& session);
void findAnyPose(Session& session);
void findGlobalPose(Session& session);
void findWorkspace(Session& session);
/// Replaces the present pose by the one that the global search has found, as one undo step.
void goToGlobalPose(Session& session);
/// Lists all poses in which the arm of the selected goal reaches it.
void findWays(Session& session);
/// Takes a pose of that list, as one undo step.
void takeWay(Session& session, int way);
/// Moves the arm along its self-motion.
void slideAlongWay(Session& session, const WayPosition& position);
/// Whether drags of links hold the end effectors exactly (app/drag/null_space.h).
void toggleNullSpace(Session& session);
/// Cancels the running job, else the tool, else the solve, else a search. If none is running, ends the drawing of
/// pictures, the wait for clicks and the follow, and closes the sheet of keys.
void cancel(Session& session);

void showNextSkinView(Session& session);
void stepRace(Session& session, int by);
void play(Session& session);
void checkAllDerivatives(Session& session);

void goThroughHistory(Session& session, bool back);
/// Undoes or redoes until `step` steps of the history are done.
void goToStep(Session& session, int step);
void copyPose(Session& session);
void paste(Session& session);
void save(Session& session);
void quit(Session& session);
/// Live input cannot be replayed, so it is off during a recording.
void useLive(Session& session, LiveWish wish);

}  // namespace limber::app

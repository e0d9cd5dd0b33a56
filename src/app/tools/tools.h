// SPDX-License-Identifier: MIT
// The tools of the mouse. tools.cpp chooses the tool for a press and forwards events to it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/navigation.h"
#include "app/stage/commands.h"
#include "app/stage/stage.h"

namespace limber::app {

void pressButton(Stage& stage, const ButtonChange& change);
void releaseButton(Stage& stage, const ButtonChange& change);
void moveCursor(Stage& stage, const CursorMove& move);
/// Offers a key, a typed character or the wheel to the tool that has the mouse. Returns true if the tool took it.
bool offerToTool(Stage& stage, const InputEvent& event);
/// The drawings of the tools over the picture.
Overlay overlayOf(const Stage& stage);

/// The tool for the left button: the one that waits for clicks, else the selection.
std::unique_ptr<Tool> clickTool(const std::optional<Planting>& planting);
/// The tool for a movement that begins over empty space: a box that selects, else the camera.
std::unique_ptr<Tool> besideTool(const Stage& stage, const Modifiers& held);

std::unique_ptr<Tool> makeSelectTool();
std::unique_ptr<Tool> makeBoxTool();
std::unique_ptr<Tool> makeCameraTool(CameraGesture gesture);
std::unique_ptr<Tool> makePlantTool();
std::unique_ptr<Tool> makeJoinTool();
std::unique_ptr<Tool> makeMarkTool();
std::unique_ptr<Tool> makeEdgesTool();
std::unique_ptr<Tool> makeStatureTool();
/// A drag of the item at stage.pointer.pressed.
std::unique_ptr<Tool> makeDragTool(std::unique_ptr<Drag> drag);
/// Moves the target of the selected goal, else of the last one, with the cursor; null if it cannot be moved.
std::unique_ptr<Tool> makeFollowTool(Stage& stage);

/// Moves the camera by the wheel or a trackpad (camera_tool.cpp).
void scrollPicture(Stage& stage, const WheelTurn& turn);
/// Chooses the point of a path that was hit, or none (select_tool.cpp).
void choosePathPoint(Stage& stage, const std::optional<Hit>& hit);

/// Ends a drag: restores the document from before it (drag_tool.cpp).
void cancelDrag(Stage& stage, Drag& drag);

// Move or turn the selection without a mouse button, until a click accepts the result (grabbing.cpp).

enum class Grabbed { Place, Turn };

/// Grabs the selection: a target, a link, a pin or an obstacle; to turn it, also a joint. A running grab of the other
/// kind is cancelled first. A message says why when nothing can be grabbed.
void grabSelected(Stage& stage, Grabbed what);

/// Resets the place or rotation of the selection as one undo step: a joint, with those at the same point, to its rest
/// pose; a goal to its end effector; an obstacle to that of a new one. Without a selection it resets all joints.
void clearSelected(Stage& stage, Grabbed what);

/// Chooses the gizmo; choosing it again switches between world and local axes.
void chooseTool(Stage& stage, GizmoTool::Kind kind);
void toggleAxes(Stage& stage);

// Tools that wait for clicks. stage.ui.planting has their state.

/// A tool for clicks in the shown reference picture. Without a picture it ends.
struct PictureTool : Tool {
  std::unique_ptr<Tool> leave(Stage& stage, const Modifiers& held) override { return besideTool(stage, held); }
  void release(Stage& stage, const Modifiers& held) override;
  std::string hint(const Planting& planting) const override { return prompt(planting) + ".  Esc ends."; }

 protected:
  virtual void click(Stage& stage) = 0;
  virtual std::string prompt(const Planting& planting) const = 0;
};
/// The pixel of the shown picture at the cursor. Without one, a message says what to click.
std::optional<Eigen::Vector2d> clickedPixel(Stage& stage, const char* fault);

/// Waits for clicks on the two points that a loop joins (join_tool.cpp); the end of a selected link is the first one.
void startJoining(Stage& stage);
/// A click on the figure while points are awaited.
void joinAt(Stage& stage, const std::optional<Hit>& hit);

/// Waits for a click, regardless of the selection; a goal that needs no point of the figure is added at once.
void startPlanting(Stage& stage, GoalType type);
/// Takes a click on the hit item, or on empty space (no hit).
void plantAt(Stage& stage, const std::optional<Hit>& hit);
/// The prompt over the picture for the next click: "Add goal, position: click its point on the figure.".
std::string plantingHint(const Planting& planting);

/// Waits for a click on any joint and one in the picture.
void startMarking(Stage& stage);
/// Asks for the joints of a human body one by one.
void walkThroughJoints(Stage& stage);
/// Skips joints, or goes back to earlier ones.
void skipJoints(Stage& stage, int count);

/// Looks through the camera of the shown picture, and waits for clicks that determine it: ends of edges of two
/// perpendicular directions, or ground and head of a standing figure (limber/vision/camera_from_picture.h).
void startShowingCamera(Stage& stage, Planting::Clicks clicks);

}  // namespace limber::app

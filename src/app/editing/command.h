// SPDX-License-Identifier: MIT
// Commands: everything that users can do except with the mouse in the picture. Keys, menus, the sheet of keys and
// recordings read the table of commands (app/session/command_table.cpp). Panels do not change the session: they queue
// commands, which it performs at the next frame.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/editing/editor.h"
#include "app/editing/playing.h"
#include "limber/io/human.h"

namespace limber::app {

/// Recordings contain these names, so commands must not be renamed. The order is that of the table.
enum class Command {
  ToggleMode,
  TurnUp,
  TurnDown,
  TurnUpFine,
  TurnDownFine,
  NextJoint,
  PreviousJoint,
  RestPose,
  ClearPlace,
  ClearRotation,
  LockJoint,
  MirrorPose,
  MirrorLeft,
  MirrorRight,
  FlipPose,
  ToggleSymmetry,
  Pin,
  PinPosition,
  PinRotation,
  Join,
  Solve,
  PoseFromTargets,
  RelaxRest,
  ApplyHumanLimits,
  RemoveHumanLimits,
  ToggleBalance,
  TogglePathIndependent,
  ToggleNullSpace,
  ToggleFollow,
  Nudge,
  FindAnyPose,
  FindGlobalPose,
  FindWorkspace,
  FindWays,
  Grab,
  Rotate,
  MoveTool,
  TurnTool,
  SelectTool,
  ToggleAxes,
  DeleteGoal,
  Cancel,
  LockX,
  LockY,
  LockZ,
  LockPlaneX,
  LockPlaneY,
  LockPlaneZ,
  LetTurn,
  FrameSelection,
  FrameAll,
  ViewHome,
  ViewFront,
  ViewBack,
  ViewRight,
  ViewLeft,
  ViewTop,
  ViewBottom,
  TurnViewLeft,
  TurnViewRight,
  TurnViewUp,
  TurnViewDown,
  ToggleReference,
  LookThroughReference,
  ToggleOrthographic,
  NextSkinView,
  ToggleTree,
  TogglePanels,
  ToggleRace,
  RaceStepBack,
  RaceStepForward,
  ToggleTimeline,
  PlayOrPause,
  FrameBack,
  FrameForward,
  PreviousKey,
  NextKey,
  KeyPose,
  KeyGoals,
  RemoveKey,
  FindStances,
  New,
  Open,
  Save,
  SaveAs,
  SaveFigureAs,
  Export,
  SavePicture,
  SavePictures,
  LoadMotion,
  OpenObservations,
  OpenReference,
  Undo,
  Redo,
  CopyPose,
  PastePose,
  CheckDerivatives,
  ToggleRecording,
  Quit,
  Help,
  OpenMenu,
  Edit,
  Select,
  GoToStep,
  Plant,
  AddProp,
  UseLibrary,
  UseLive,
  UseReference,
  CreateFigure,
  OpenExample,
  LookIn,
  RecoverLost,
  DiscardLost,
  Fit,
  CloseFit,
  Race,
  SaveRace,
  GoToGlobalPose,
  TakeWay,
  SlideAlongWay,
  CancelGlobal,
  CancelWorkspace,
  ForgetWorkspace,
  CancelWays,
  ForgetWays,
  SaveShell,
  ShowTimeline,
  ScrubTo,
  Bake,
  LoopTimeline,
  PauseTimeline,
  AutoKey,
  CancelJob,
  CancelDrawing,
  Scale,
  QuitAnyway,  ///< must be last
};
inline constexpr int kCommandCount = static_cast<int>(Command::QuitAnyway) + 1;

/// The action after an edit in inverse mode.
enum class AfterEdit {
  Nothing,  ///< no solve: the edit has set the pose, or does not affect it
  Solve,    ///< goals, limits or settings changed: solve again
};

struct DocumentEdit {
  std::string label;
  std::string gesture;  ///< names the slider drag; empty for a single edit
  Change change;
  AfterEdit after = AfterEdit::Nothing;
};

/// The largest number of links of a new chain. Longer chains can be opened by name, but are drawn slowly.
inline constexpr int kMaxNewLinks = 10000;

struct NewFigure {
  enum class Kind { PlanarChain, BallChain, Human, Humanoid, SpineHuman, TorsoHuman, Arm } kind = Kind::Human;
  int links = 1;         ///< number of links of a chain
  io::HumanShape human;  ///< of Human
};

/// An action of the pose library.
struct PoseWish {
  enum class Kind { Apply, Blend, Save, Rename, Remove, LookAgain } kind = Kind::Apply;
  std::filesystem::path file;  ///< of the library; not for Save
  std::string name;            ///< Save, Rename: the new name
  double amount = 1.0;         ///< Blend: fraction of the way from the previous pose, in [0, 1]
  std::string gesture;         ///< Apply, Blend: all requests of one gesture form one undo step
};

/// The start pose of a race that a button starts.
enum class RaceStart {
  Drag,  ///< the pose at the last mouse-down
  Rest,  ///< the rest pose
};

/// An action on the live avatars.
enum class LiveWish { Receive, StopReceiving, Send, StopSending, Calibrate };

/// An action on the shown reference picture.
enum class ReferenceWish {
  Mark,           ///< mark joints that the user clicks at their places in the picture
  WalkThrough,    ///< the same for the joints of a human body, one by one
  Skip,           ///< the requested joint is not visible
  Back,           ///< return to the previous joint
  Finish,         ///< end the marking
  PoseFromMarks,  ///< fit the whole pose to the marks
  FindCamera,     ///< the same, with the camera
  NextDepth,      ///< flip the limb of the selected mark in depth
  DrawEdges,      ///< draw edges in the picture, which determine rotation and focal length of its camera
  ShowStature,    ///< click a figure that stands upright in the picture, which determines the camera's place
};

/// A time of the timeline to go to.
struct Scrub {
  double time = 0.0;    ///< seconds
  std::string gesture;  ///< all scrubs of one gesture form one undo step
};

/// A position on the self-motion of an arm of seven joints.
struct WayPosition {
  int path = 0;
  double at = 0.0;      ///< part of the path, in [0, 1]
  std::string gesture;  ///< all positions of one gesture form one undo step
};

/// The argument of a command. The table of commands gives its type for each command.
using Argument = std::variant<std::monostate, bool, int, double, std::filesystem::path, Selection, GoalType, NewFigure,
                              PoseWish, LiveWish, ReferenceWish, RaceStart, Scrub, WayPosition, BakeAs, DocumentEdit>;

struct CommandCall {
  Command command = {};
  Argument argument = {};
};

/// The commands that panels have chosen in a frame, in their order.
struct CommandQueue {
  std::vector<CommandCall> calls;

  void add(Command command, Argument argument = {}) { calls.push_back({command, std::move(argument)}); }
  void edit(std::string label, std::string gesture, AfterEdit after, Change change) {
    add(Command::Edit, DocumentEdit{std::move(label), std::move(gesture), std::move(change), after});
  }
};

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// Requests of panels, which change nothing themselves. The session carries them out at the next frame.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/editing/editor.h"
#include "app/editing/playing.h"
#include "app/settings/keymap.h"
#include "limber/body/anatomy.h"
#include "limber/io/human.h"

namespace limber::app {

/// What follows an edit in inverse mode.
enum class AfterEdit {
  Nothing,  ///< the edit has set the pose, or does not affect it
  Solve,    ///< goals, limits or settings changed: pose anew
};

struct EditRequest {
  std::string label;
  std::string gesture;  ///< of one slider drag; empty for a single edit
  Change change;
  AfterEdit after = AfterEdit::Nothing;
};

/// The most links of a new chain. Longer ones can be opened by name, and are drawn slowly.
inline constexpr int kMaxNewLinks = 10000;

struct NewFigure {
  enum class Kind { PlanarChain, BallChain, Human, Humanoid, SpineHuman, TorsoHuman, Arm } kind = Kind::Human;
  int links = 1;         ///< of a chain
  io::HumanShape human;  ///< of Human
};

/// A request to the pose library.
struct PoseWish {
  enum class Kind { Apply, Blend, Save, Rename, Remove, LookAgain } kind = Kind::Apply;
  std::filesystem::path file;  ///< of the library; not for Save
  std::string name;            ///< Save, Rename: the new one
  double amount = 1.0;         ///< Blend: part of the way from the pose before, in [0, 1]
  std::string gesture;         ///< Apply, Blend: requests of one gesture are one undo step
};

/// The start pose of a race that a button starts.
enum class RaceStart {
  Drag,  ///< the pose at the last mouse-down
  Rest,  ///< the rest pose
};

/// A request to the live avatars.
enum class LiveWish { Receive, StopReceiving, Send, StopSending, Calibrate };

/// A request about the shown reference picture.
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

struct Requests {
  std::vector<EditRequest> edits;
  std::vector<Action> actions;
  std::optional<Selection> select;
  std::optional<GoalType> plant;  ///< at the selected link, or by the next click
  std::optional<NewFigure> create;
  std::optional<std::filesystem::path> open;
  std::optional<std::filesystem::path> openExample;  ///< a shipped scene, which is saved elsewhere
  std::optional<std::filesystem::path> lookIn;       ///< a folder with the files that ui.missing.file names
  std::optional<std::filesystem::path> save;
  std::optional<std::filesystem::path> saveFigure;
  std::optional<std::filesystem::path> saveRace;        ///< its iterates as CSV
  std::optional<std::filesystem::path> saveShell;       ///< of the workspace, as PLY
  std::optional<std::filesystem::path> exportTo;        ///< the take, in the format of the name's ending
  std::optional<std::filesystem::path> drawTo;          ///< the picture, as ui.browser.pictures says
  std::optional<std::filesystem::path> drawSequenceTo;  ///< a name with %d or %04d
  std::optional<std::filesystem::path> loadMotion;      ///< for the open figure
  std::optional<std::filesystem::path> observe;         ///< observed points for the Fit panel
  std::optional<std::filesystem::path> prop;            ///< a mesh as an obstacle
  std::optional<BodySide> mirrorFrom;                   ///< mirrors this side to the other
  std::optional<PoseWish> pose;
  std::optional<LiveWish> live;
  std::optional<std::filesystem::path> reference;  ///< a picture to open as reference
  std::optional<ReferenceWish> onReference;
  bool fit = false;  ///< as the Fit panel says
  bool closeFit = false;
  std::optional<RaceStart> race;
  std::optional<double> scrubTo;  ///< seconds of the timeline
  std::string scrubGesture;       ///< scrubs of one gesture are one undo step
  std::optional<BakeAs> bake;
  bool showTimeline = false;
  bool pauseTimeline = false;
  bool playMotion = false, pauseMotion = false;
  std::optional<bool> loopTimeline, loopMotion, autoKey;
  bool checkDerivatives = false;
  bool goToGlobalPose = false;
  bool cancelGlobal = false;
  bool cancelWorkspace = false;
  bool forgetWorkspace = false;
  bool cancelJob = false;
  bool cancelDrawing = false;
  std::optional<int> goToStep;             ///< number of steps of the history to be done
  std::optional<std::size_t> recoverLost;  ///< index in session.services.autosave.lost()
  std::optional<std::size_t> discardLost;
  bool toggleRecording = false;
  bool quitAnyway = false;
  std::optional<double> scale;

  void edit(std::string label, std::string gesture, AfterEdit after, Change change) {
    edits.push_back({std::move(label), std::move(gesture), std::move(change), after});
  }
  void act(Action action) { actions.push_back(action); }
};

}  // namespace limber::app

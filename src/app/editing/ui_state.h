// SPDX-License-Identifier: MIT
// What the window remembers between frames and forgets at its end. What survives is in app/settings/settings.h.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/editing/file_listing.h"
#include "app/editing/fitting.h"
#include "app/editing/race_view.h"
#include "app/settings/panel_list.h"
#include "app/settings/preferences.h"
#include "limber/io/human.h"
#include "limber/kinematics/figure_edit.h"
#include "limber/posing/posing.h"
#include "limber/problem/new_goal.h"

namespace limber::app {

/// A short note over the picture.
struct Message {
  std::string text;
  bool isError = false;
  double until = 0.0;  ///< seconds
};

/// How the next picture, or the next sequence of them, will be.
struct PictureChoice {
  int width = 0, height = 0;   ///< pixels; 0 until a dialog has asked
  bool isTransparent = false;  ///< nothing behind the figure
  int first = 0, last = 0, step = 1;  ///< frames of a sequence
};

struct FileBrowserState {
  enum class Purpose {
    Open, Save, SaveFigure, SaveRace, SaveShell, Export, Picture, Pictures, Folder, Observations, Prop
  };
  bool wanted = false;  ///< open the dialog at the next frame
  bool isOpen = false;
  Purpose purpose = Purpose::Open;
  std::filesystem::path folder;
  std::string typed;         ///< the name field
  std::string selected;      ///< name of the entry clicked last
  std::vector<FileFilter> filters;
  int filter = 0;            ///< which of them
  bool showHidden = false;
  std::string error;         ///< shown in the dialog
  std::filesystem::path chosen;                    ///< what is saved to
  std::optional<std::filesystem::path> overwrite;  ///< what stands there already, asked about before saving
  Listing listing;
  bool listingStale = true;
  bool focusName = false;
  bool selectStem = false;   ///< once the name field has the keyboard
  PictureChoice pictures;  ///< of the purposes Picture and Pictures
};

/// What a file names and that was not found: beside the notes a button offers to look in a folder.
struct MissingFiles {
  std::filesystem::path file;
  std::vector<std::string> names;  ///< as the file names them; empty for none
};

/// A text that a field holds while it is typed.
struct TextInHand {
  unsigned field = 0;  ///< 0 for none
  std::string text;
};

struct FigureEditorState {
  TextInHand name;
  bool newLinkWanted = false;  ///< open the dialog at the next frame
  NewLink newLink;
  Eigen::Vector3d parentAxis = Eigen::Vector3d::UnitZ();
  bool removeWanted = false;
  std::string removed;             ///< the link that the question is about
  std::vector<std::string> going;  ///< what it takes along
};

/// A key of the timeline in hand, and the chosen point of a path.
struct TimelineState {
  std::optional<double> heldKey;   ///< its time when it was taken, seconds
  double heldTo = 0.0;             ///< where it would go
  bool isScrubbing = false;
  int pathGoal = -1, pathPoint = -1;  ///< -1 for none
};

/// The Fit panel, there while it has observations.
struct FitState {
  std::optional<FitPlan> plan;
  std::shared_ptr<const Figure> figure;      ///< that the plan's names are of
  std::vector<std::string> notes;            ///< of the observations' reader
  std::shared_ptr<const FitAnswer> answer;   ///< to the plan as it was when it was asked for; null for none
};

/// The panel of the pose library.
struct PosesView {
  bool isOpen = false;      ///< it is shown in this frame
  bool hasArrowKeys = false;///< its grid has the keyboard: arrows step through it
  bool onlySelection = false;
  std::string typedName;    ///< of the pose to be saved
  std::string renamed, removed;  ///< files that a dialog is about
  std::string newName;
  bool renameWanted = false, removeWanted = false;  ///< open the dialog at the next frame
  int pictureWanted = -1;   ///< the first entry in sight that has no picture yet
};

/// A goal that waits for clicks.
struct Planting {
  GoalType type = GoalType::Position;
  std::optional<EndEffector> first;  ///< set: the next click names the other link
};

/// A number that a field holds while it is edited: one being typed counts when the field is left, not with every key.
struct NumberInHand {
  unsigned field = 0;  ///< 0 for none
  double value = 0.0;
};

/// What waits for an answer about unsaved changes.
enum class AfterQuestion { Nothing, Quit };

struct UiState {
  double now = 0.0;            ///< seconds, of this frame
  LengthUnit unit = LengthUnit::Metres;  ///< of this frame
  Message message;
  std::string error;           ///< of a load or save, in a dialog of its own until it is closed
  std::string notes;           ///< of an importer: scale guessed, up axis
  bool showError = false;
  int coordinate = 0;          ///< of the selected joint, counted in its step
  int coordinateJoint = -1;    ///< the joint that `coordinate` belongs to
  std::array<double, 3> turn{};///< degrees of the relative turn under way, for ball joints
  std::optional<Planting> planting;  ///< a goal that waits for a click
  bool scrollGoals = false;    ///< to the selected goal
  bool showKeys = false;
  bool showIterations = false; ///< the convergence in a window of its own
  bool toldOfPlane = false;    ///< why a drag beside a planar figure does not orbit
  std::string keyFilter;       ///< of the sheet of keys
  int historyAt = -1;          ///< the step that the list of the history shows as the present one
  bool scrollTree = false;     ///< to what is selected
  std::set<std::string> unfolded;///< names of the parts whose rows of the tree show what they hold
  std::vector<int> hoveredRow; ///< links of the row of the tree under the cursor, ascending
  std::optional<Panel> reveal;   ///< show the panels, go to its tab, unfold it, scroll to it
  bool isWorkspaceShown = false; ///< its panel is shown in this frame
  bool showReach = true;       ///< the shell, while there is one
  unsigned nudgeSeed = 0;      ///< counts the nudges, so that each looks elsewhere
  std::string treeFilter;
  int renamedGoal = -1;        ///< the goal that goalName belongs to while it is typed
  std::string goalName;
  int listedChain = -1;        ///< the goal whose chain is shown as a list though it could be told shorter
  std::string choiceFilter;    ///< of the open combo of names
  bool newChainWanted = false; ///< the dialog that asks for the number of links
  bool newChainOfBalls = false;
  int newChainLinks = 100;
  bool newHumanWanted = false;  ///< the dialog that asks for height and build
  io::HumanShape newHuman;
  std::optional<DerivativeCheck> derivatives;
  bool showDerivatives = false;
  bool askUnsaved = false;
  bool askLost = false;        ///< what to do with work that was never saved (app/jobs/autosave.h)
  AfterQuestion afterQuestion = AfterQuestion::Nothing;
  bool quit = false;
  bool closePopups = false;    ///< Esc, with a dialog open
  char menuWanted = 0;         ///< the first letter of the menu to open at the next frame; 0 for none
  bool isDialogOpen = false;   ///< in this frame
  bool isEscape = false;       ///< Esc was pressed for this frame
  NumberInHand typed;
  NumberInHand slid;            ///< what a logarithmic slider stands on, before it is rounded
  bool isPopupOpen = false;    ///< in the last frame
  FileBrowserState browser;
  MissingFiles missing;
  FigureEditorState figure;
  TimelineState timeline;
  PosesView poses;
  FitState fit;
  RaceView race;
  bool isTimelineShown = false;  ///< as isRaceShown
  bool isRaceShown = false;    ///< a drag under way keeps its picture where it is: what was switched waits for its end
};

}  // namespace limber::app

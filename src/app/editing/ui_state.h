// SPDX-License-Identifier: MIT
// State of panels and dialogs that is not saved. State that is saved is in app/settings/settings.h.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/editing/command.h"
#include "app/editing/file_listing.h"
#include "app/editing/fitting.h"
#include "app/settings/panel_list.h"
#include "app/settings/preferences.h"
#include "app/settings/shown_world.h"
#include "limber/kinematics/figure_edit.h"
#include "limber/posing/posing.h"
#include "limber/posing/race.h"
#include "limber/problem/figure_point.h"
#include "limber/problem/new_goal.h"
#include "limber/scene/join.h"
#include "limber/scene/key_curves.h"

namespace limber::app {

/// A short note over the picture.
struct Message {
  std::string text;
  bool isError = false;
  double until = 0.0;  ///< seconds
};

/// The options of the next picture or sequence of pictures.
struct PictureChoice {
  int width = 0, height = 0;          ///< pixels; 0 until a dialog has set them
  bool isTransparent = false;         ///< nothing behind the figure
  int first = 0, last = 0, step = 1;  ///< frames of a sequence
};

struct FileBrowserState {
  bool wanted = false;  ///< open the dialog at the next frame
  bool isOpen = false;
  Command command = Command::Open;  ///< the command that takes the file
  std::filesystem::path folder;
  std::string typed;     ///< the name field
  std::string selected;  ///< name of the entry clicked last
  std::vector<FileFilter> filters;
  int filter = 0;  ///< index of the chosen filter
  bool showHidden = false;
  std::string error;                               ///< shown in the dialog
  std::filesystem::path chosen;                    ///< the file to save to
  std::optional<std::filesystem::path> overwrite;  ///< an existing file; the dialog asks whether to replace it
  Listing listing;
  bool listingStale = true;
  bool focusName = false, focusAnswer = false;  ///< gets the keyboard: the name field, the question whether to replace
  bool scrollToSelected = false;
  bool isTabTaken = false;  ///< Tab has completed the name in this frame
  bool selectStem = false;  ///< select the name without its ending when the field gets the focus
  PictureChoice pictures;   ///< of SavePicture and SavePictures

  void ask(Command why) {
    command = why;
    wanted = true;
  }
};

/// Files to which `file` refers and that were not found. A button next to the notes opens a dialog for the folder to
/// search.
struct MissingFiles {
  std::filesystem::path file;
  std::vector<std::string> names;  ///< as the file names them; empty for none
};

/// The text of a field while it is typed.
struct TextInHand {
  unsigned field = 0;  ///< 0 for none
  std::string text;
};

struct FigureEditorState {
  bool newLinkWanted = false;  ///< open the dialog at the next frame
  NewLink newLink;
  Eigen::Vector3d parentAxis = Eigen::Vector3d::UnitZ();
  bool removeWanted = false;
  std::string removed;             ///< the link whose removal the dialog confirms
  std::vector<std::string> going;  ///< names of all that is removed with it
  bool joinWanted = false;         ///< ask whether a loop that cannot be closed is kept
  struct Join {
    std::string label;  ///< of the step
    std::shared_ptr<const LoopChange> change;
  } join;
  struct Freedom {
    std::weak_ptr<const Figure> figure;
    int degrees = 0;
  } freedom;  ///< of the figure for which it was computed
};

/// The dragged item of the timeline, and the chosen point of a path.
struct TimelineState {
  /// An item of a lane (app/panels/timeline_lanes.h), from mouse-down on.
  struct Held {
    std::size_t kind = 0;               ///< index of the kind of lane
    int owner = -1;                     ///< of the lane
    double begin = 0.0, end = 0.0;      ///< seconds, at mouse-down; they name the item
    int part = 0;                       ///< -1: its begin is dragged, 1: its end, 0: all of it
    double grabbed = 0.0;               ///< seconds: the time under the cursor at mouse-down
    double toBegin = 0.0, toEnd = 0.0;  ///< where the drag has brought it, seconds
  };
  std::optional<Held> held;
  std::optional<Held> menu;  ///< the item, or with kind and owner alone the lane, whose menu is open; toBegin: the time
  bool isShown = false;      ///< in this frame; a change during a drag takes effect at its end
  bool isScrubbing = false;
  int lanes = 0;  ///< for the height of the timeline, which does not change while the figure is dragged

  bool showsCurves = false;
  /// A dot of a curve, or a handle between two dots.
  struct CurveGrip {
    KeyedNumber number = {};
    int frame = 0;                                  ///< of the key at mouse-down, or of the key before the handle
    int next = 0;                                   ///< where the drag has brought the key, or the key after the handle
    int handle = 0;                                 ///< 1: at the key before, 2: at the key after; 0 for a dot
    double value = 0.0;                             ///< to which the drag has brought the key; radians or metres
    float offset = 0.0f;                            ///< pixels: the dot's height less the cursor's at mouse-down
    std::shared_ptr<const Timeline> timeline = {};  ///< at mouse-down
    std::shared_ptr<const Motion> motion = {};      ///< at mouse-down
  };
  std::optional<CurveGrip> curveGrip;  ///< held
  bool wasCurveDragged = false;
  /// The curves, and the document that they belong to.
  struct Curves {
    std::shared_ptr<const Figure> figure;
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const Motion> motion;
    Selection selection;
    std::vector<KeyCurve> curves;
  } curves;
  int pathGoal = -1, pathPoint = -1;  ///< -1 for none
};

/// The Fit panel, which is shown while it has a plan.
struct FitState {
  std::optional<FitPlan> plan;
  std::shared_ptr<const Figure> figure;     ///< the figure whose names the plan has
  std::vector<std::string> notes;           ///< of the observations' reader
  std::shared_ptr<const FitAnswer> answer;  ///< for the plan at that time; null for none
};

/// The panel of the pose library.
struct PosesView {
  bool isOpen = false;        ///< in this frame
  bool hasArrowKeys = false;  ///< its grid has the keyboard: arrows step through it
  bool onlySelection = false;
  std::string typedName;         ///< name of the pose to save
  std::string renamed, removed;  ///< files that the dialogs rename and remove
  std::string newName;
  bool renameWanted = false, removeWanted = false;  ///< open the dialog at the next frame
  bool scrollToChosen = false;                      ///< once its picture is in the library
  bool showsAll = false;                            ///< all pictures, not only a few rows
  int pictureWanted = -1;                           ///< the first entry in sight that has no picture yet
};

/// The state of the Race panel, which shows a race and steps through its iterates.
struct RaceView {
  enum class Quantity { AboveBest, Objective, Gradient };
  enum class Axis { Iterations, Time };

  std::string lane;  ///< the solver in focus, whose curve is thick; empty: the first with a result
  int step = -1;     ///< iterate of `stepped`; -1 for the last one
  std::shared_ptr<const LaneResult> stepped;  ///< the result of `step`; others show their last iterate
  Quantity quantity = Quantity::AboveBest;
  Axis axis = Axis::Iterations;
  bool isAxisLogarithmic = true;
  bool showsCurves = false;  ///< if there is no room for both: curves, not the table
  bool isShown = false;      ///< in this frame; a change during a drag takes effect at its end
};

/// A joint that a picture may show.
struct AskedMark {
  FigurePoint point;
  std::string name;  ///< "left elbow"
};

/// The action that waits for clicks: a new goal, or marks in the reference picture.
struct Planting {
  enum class Clicks {
    Goal,     ///< the ends of a new goal
    Join,     ///< two points of the figure that a closed loop joins
    Joints,   ///< joints and their places in the picture, one by one
    Edges,    ///< two edges along each of two directions in the picture, which determine its camera
    Stature,  ///< the ground under a standing figure and the top of its head, which locate the camera
  };
  GoalType type = GoalType::Position;
  std::optional<EndEffector> first = {};  ///< if set, the next click names the other link, or the place in the picture
  Clicks clicks = Clicks::Goal;
  std::vector<AskedMark> asked = {};         ///< Joints: the joints to mark, in order; empty: the user clicks them
  std::size_t step = 0;                      ///< in `asked`
  std::vector<Eigen::Vector2d> pixels = {};  ///< Edges: their ends, in pairs; Stature: the clicks
  int inHand = -1;                           ///< Edges: the end that follows the cursor until the next click

  bool isInPicture() const { return clicks != Clicks::Goal && clicks != Clicks::Join; }
  bool showsCamera() const { return clicks == Clicks::Edges || clicks == Clicks::Stature; }
  /// The next click is in the picture, not on the figure.
  bool awaitsPicture() const { return showsCamera() || (clicks == Clicks::Joints && (first || !asked.empty())); }
};

/// The Reference picture panel, and the view of the shown picture.
struct ReferenceState {
  bool isShown = true;       ///< if false, its camera still determines the view
  bool isNew = false;        ///< it has no camera until the window has its size
  bool movesCamera = false;  ///< the mouse moves the picture's camera during the view through it
};

/// The number of a field while it is edited. A typed number takes effect when the field is left, not with every key.
struct NumberInHand {
  unsigned field = 0;  ///< 0 for none
  double value = 0.0;
};

/// A scene that ships with Limber, and its picture.
struct ExampleEntry {
  std::filesystem::path scene;
  std::string title;
  std::size_t group = 0;
  unsigned picture = 0;  ///< OpenGL name of a texture; 0 for none
  bool isTried = false;  ///< its picture was read, or is missing
};

struct ExamplesView {
  bool isListed = false;
  bool isOpen = false;  ///< in this frame
  std::vector<ExampleEntry> entries;
};

/// The task of the tour under way, and the session when it began.
struct TourView {
  int task = -1;
  int step = 0;  ///< of the history
  std::size_t pins = 0;
  double yaw = 0.0, pitch = 0.0;  ///< of the camera
};

/// A heading (1 to 6) or a paragraph (0) of the guide.
struct GuideBlock {
  int heading = 0;
  std::string text;
};

struct GuideView {
  bool isShown = false;
  std::vector<GuideBlock> blocks;  ///< read when it is shown first
  std::string filter;
  bool showsAbout = false;  ///< the window with version and licences
};

/// The stops of Tab in the open dialog (app/panels/dialog.h).
struct DialogFocus {
  int at = -1;      ///< index of the stop that has the keyboard; -1 for none
  int wanted = -1;  ///< the stop that shall get it; -1 for none
  int tries = 0;    ///< frames left for that
  bool isBegun = false;
};

/// A figure with more coordinates has no table of derivatives.
inline constexpr Eigen::Index kMostShownCoordinates = 64;

/// The tree of parts and links.
struct TreeView {
  std::string filter;
  std::set<std::string> unfolded;  ///< names of the parts whose rows are unfolded
  std::vector<int> hoveredRow;     ///< links of the row under the cursor, ascending
  bool scrolls = false;            ///< to the selection, at the next frame
};

struct GoalsView {
  bool scrolls = false;  ///< to the rows of the selected goal, at the next frame
  int listedChain = -1;  ///< the goal whose chain is always shown as a list
};

/// The coordinate of the selected joint that the keys turn.
struct JointView {
  int coordinate = 0;            ///< index within the joint's step
  int owner = -1;                ///< the joint that `coordinate` belongs to
  std::array<double, 3> turn{};  ///< degrees of the running relative turn, for ball joints
};

struct WorkspaceView {
  bool isShown = false;    ///< in this frame
  bool showsShell = true;  ///< the shell of the workspace in the picture
};

/// The panel of all ways of an arm.
struct WaysView {
  bool isShown = false;    ///< in this frame
  bool showsAll = false;   ///< all pictures, not only a few rows
  int hovered = -1;        ///< the way under the cursor, whose ghost the picture shows; -1 for none
  int pictureWanted = -1;  ///< the first way in sight that has no picture yet
  int path = -1;           ///< the chosen self-motion; -1: the one nearest to the pose
};

struct ConvergenceView {
  bool hasWindow = false;      ///< shown in its own window
  bool isAboveLowest = false;  ///< shows f minus the lowest f instead of f
};

struct KeySheetView {
  bool isShown = false;
  std::string filter;
};

/// The dialog that asks for the number of links of a new chain.
struct NewChainView {
  bool isWanted = false;  ///< open the dialog at the next frame
  bool ofBalls = false;   ///< of ball joints, not of hinges
  int links = 100;
};

/// The dialog that asks for height and build of a new human.
struct NewHumanView {
  bool isWanted = false;  ///< open the dialog at the next frame
  io::HumanShape shape;
};

/// The dialog that compares derivatives with differences.
struct DerivativesView {
  bool isShown = false;
  std::vector<PointDerivatives> ofPoint;  ///< empty for a figure with many coordinates
  std::optional<DerivativeCheck> check;
};

/// The fields of all panels that are edited.
struct FieldsInHand {
  NumberInHand typed;
  NumberInHand slid;   ///< value of a logarithmic slider before rounding
  TextInHand text;     ///< of a field for a name
  std::string filter;  ///< of the open list of names
};

/// The open menus, lists and dialogs.
struct PopupState {
  bool isOpen = false;         ///< any of them, in the last frame
  bool isDialogOnTop = false;  ///< a dialog is open in this frame, without a list over it
  bool isEscape = false;       ///< Esc was pressed for this frame
  bool closes = false;         ///< Esc was pressed with a dialog open
  char menuWanted = 0;         ///< the first letter of the menu to open at the next frame; 0 for none
};

struct UiState {
  double now = 0.0;                      ///< seconds, of any steady clock: the time of this frame
  LengthUnit unit = LengthUnit::Metres;  ///< of this frame
  ShownWorld world;                      ///< of this frame
  Message message;
  std::string error;  ///< of a load or save, shown in a dialog
  std::string notes;  ///< of an importer: scale guessed, up axis
  bool showError = false;
  std::optional<Planting> planting;
  bool toldOfPlane = false;     ///< a message has explained why no drag orbits a planar figure
  std::optional<Panel> reveal;  ///< a panel to show, unfold and scroll to
  unsigned nudgeSeed = 0;       ///< counts the nudges, so that each is different
  bool askUnsaved = false;
  bool askLost = false;  ///< ask what to do with lost work (app/jobs/autosave.h)
  bool quit = false;
  DialogFocus dialog;
  FileBrowserState browser;
  MissingFiles missing;
  FigureEditorState figure;
  TimelineState timeline;
  PosesView poses;
  FitState fit;
  ReferenceState reference;
  RaceView race;
  ExamplesView examples;
  TourView tour;
  GuideView guide;
  TreeView tree;
  GoalsView goals;
  JointView joint;
  WorkspaceView workspace;
  WaysView ways;
  ConvergenceView convergence;
  KeySheetView keySheet;
  NewChainView newChain;
  NewHumanView newHuman;
  DerivativesView derivatives;
  FieldsInHand fields;
  PopupState popups;
};

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// The rows of the table of commands, in the order of the sheet of keys; within a menu's group also in that of the menu.
#include <algorithm>
#include <iterator>
#include <type_traits>

#include "app/features/pose_actions.h"
#include "app/features/timeline_actions.h"
#include "app/session/actions.h"
#include "app/session/documents.h"
#include "app/session/reference_picture.h"
#include "app/stage/fit_job.h"
#include "app/stage/picture_view.h"
#include "app/stage/viewing.h"
#include "limber/body/body_map.h"
#include "limber/scene/clock.h"

namespace limber::app {

namespace {

using render::ViewFrom;

constexpr KeyBinding on(char letter, unsigned held = 0) { return {{Key::Letter, letter, held}}; }
constexpr KeyBinding on(Key key, unsigned held = 0) { return {{key, 0, held}}; }
/// In the row above the letters or on the number pad.
constexpr KeyBinding onDigit(char digit, unsigned held = 0) { return {{Key::Digit, digit, held}}; }
constexpr KeyBinding typed(char32_t sign) { return {{.sign = sign}}; }
constexpr KeyBinding whateverIsHeld(Key key) { return {{.key = key, .isWhatever = true}}; }

/// The type of the argument that a function takes after the session.
template <typename Function>
struct ArgumentOf;
template <typename S>
struct ArgumentOf<void (*)(S&)> {
  using Type = std::monostate;
};
template <typename S, typename A>
struct ArgumentOf<void (*)(S&, A)> {
  using Type = std::remove_cvref_t<A>;
};

/// Runs `function(session)`, or `function(session, argument)` with the argument of the command.
template <auto function>
constexpr CommandRun runs() {
  using A = typename ArgumentOf<decltype(+function)>::Type;
  return {[](Session& session, [[maybe_unused]] const Argument& argument) {
            if constexpr (std::is_same_v<A, std::monostate>) function(session);
            else function(session, std::get<A>(argument));
          },
          [] { return Argument(A()); }};
}

/// Runs `function(session, constants...)`.
template <auto function, auto first, auto... others>
constexpr CommandRun runs() {
  return {[](Session& session, const Argument&) { function(session, first, others...); }, [] { return Argument(); }};
}

void leaveToDrag(Session&) {}  // app/tools/drag_tool.cpp carries it out

template <bool PanelVisibility::*part>
void toggle(Session& session) {
  session.settings.visible.*part = !(session.settings.visible.*part);
}
template <bool PanelVisibility::*part>
bool isVisible(const Session& session) {
  return session.settings.visible.*part;
}

bool hasGoals(const Session& session) { return !session.document().goals.empty(); }
bool isDrawn(const Session& session) { return shownPicture(session.document()) != nullptr; }
bool hasManyFrames(const Session& session) {
  return session.document().motion && session.document().motion->frameCount > 1;
}
bool hasHumanLimits(const Session& session) {
  return !wantsAnatomicalLimits(session.document()) && bodyMapOf(*session.document().figure).isPerson();
}
template <GizmoTool::Kind kind>
bool isTool(const Session& session) {
  return session.picture.gizmo.kind == kind;
}

constexpr CommandInfo row(Command command, CommandRun run, CommandItem item, Keys keys, SheetPlace sheet = {},
                          unsigned flags = 0) {
  return {command, run, item, keys, sheet, flags};
}
constexpr CommandInfo row(Command command, CommandRun run, CommandItem item) { return row(command, run, item, {}); }
constexpr CommandInfo row(Command command, CommandRun run, unsigned flags = 0) {
  return row(command, run, {}, {}, {}, flags);
}

// Space, . and , are the same in all presets; R is the rest pose only where the preset does not use R otherwise. Escape
// works with any modifiers, because Shift and Ctrl have meanings of their own during a drag.
constexpr CommandInfo kTable[] = {
    row(Command::ToggleMode, runs<toggleMode>(),
        {Menu::Modes, "Inverse kinematics", "", [](const Session& s) { return s.document().mode == Mode::Inverse; }},
        {on(Key::Space)}, {"Pose", "switch between forward and inverse kinematics"}, kPausesFollow),
    row(Command::TurnUp, runs<turn, 1, false>(), {}, {typed(U'.')},
        {"Pose", "turn the selected joint by +5 or -5 degrees (forward)"}, kRepeats),
    row(Command::TurnDown, runs<turn, -1, false>(), {}, {typed(U',')}, {"Pose"}, kRepeats),
    row(Command::TurnUpFine, runs<turn, 1, true>(), {}, {typed(U'>'), typed(U':')}, {"Pose", "the same by 1 degree"},
        kRepeats),
    row(Command::TurnDownFine, runs<turn, -1, true>(), {}, {typed(U'<'), typed(U';')}, {"Pose"}, kRepeats),
    row(Command::NextJoint, runs<cycleJoint, 1>(), {}, {on(Key::Tab)}, {"Pose", "next, previous joint (forward)"},
        kRepeats),
    row(Command::PreviousJoint, runs<cycleJoint, -1>(), {}, {on(Key::Tab, kShift)}, {"Pose"}, kRepeats),
    row(Command::RestPose, runs<resetToRest>(), {Menu::Reset, "Rest pose"},
        {on('r').in(kInLimber), on('r', kCtrl | kAlt).in(kInBlender | kInMaya)},
        {"Pose", "rest pose; the targets move along"}),
    row(Command::ClearPlace, runs<clearSelected, Grabbed::Place>(),
        {Menu::Reset, "Clear place",
         "resets the selected joints, or all joints, to rest; a selected target goes to its end effector"},
        {on('g', kAlt)},
        {"Pose", "clear the position, the rotation of the selection; of all joints if nothing is selected"}),
    row(Command::ClearRotation, runs<clearSelected, Grabbed::Turn>(),
        {Menu::Reset, "Clear rotation", "the same for the rotation"}, {on('r', kAlt)}, {"Pose"}),
    row(Command::LockJoint, runs<lockSelected>(),
        {Menu::Reset, "Lock or unlock", "", nullptr,
         [](const Session& s) { return s.document().selection.joint >= 0; }},
        {on('l')}, {"Pose", "lock or unlock the selection: a part with all its joints"}),
    row(Command::MirrorPose, runs<[](Session& s) { mirrorPose(s); }>(),
        {Menu::Mirror, "Mirror to the other side",
         "copies the selected parts, or the left side if nothing is selected, to the other side"},
        {on('m')}, {"Pose", "mirror the selected side, else the left one, to the other side"}),
    row(Command::MirrorLeft, runs<mirrorPose, BodySide::Left>(), {Menu::Mirror, "Mirror left to right"}),
    row(Command::MirrorRight, runs<mirrorPose, BodySide::Right>(), {Menu::Mirror, "Mirror right to left"}),
    row(Command::FlipPose, runs<flipPose>(),
        {Menu::Mirror, "Flip left and right", "swaps both sides; the figure stays in place"}, {on('m', kShift)},
        {"Pose", "flip: exchange both sides"}),
    row(Command::ToggleSymmetry, runs<toggleSymmetry>(),
        {Menu::Mirror, "Live symmetry", "applies each change of one side to the other side, too",
         [](const Session& s) { return s.document().symmetry != nullptr; }},
        {on('m', kCtrl)}, {"Pose", "live symmetry: both sides are posed alike"}),
    row(Command::Pin, runs<togglePin, true, true>(), {}, {on('p')},
        {"Pose", "pin the dragged link or the selected part where it is, or unpin it"}, kInDrags),
    row(Command::PinPosition, runs<togglePin, true, false>(), {}, {on('p', kShift)},
        {"Pose", "the same for its position only, its rotation only"}, kInDrags),
    row(Command::PinRotation, runs<togglePin, false, true>(), {}, {on('p', kCtrl)}, {"Pose"}, kInDrags),
    row(Command::Join, runs<startJoining>(),
        {Menu::Solve, "Join to ...",
         "joins two points of the figure to a closed loop: the end of the selected part, or a point that you click, "
         "and "
         "the next one that you click"},
        {on('j', kShift)}, {"Pose", "join the selected part to another one: a closed loop"}, kPausesFollow),
    row(Command::Solve, runs<solveNow>(),
        {Menu::Solve, "Solve", "solves all goals from the present pose", nullptr,
         [](const Session& s) { return hasGoals(s) || !s.document().pins.empty(); }},
        {on('s').in(kInLimber | kInBlender), on('g').in(kInMaya)}, {"Pose", "solve: pose the figure for all goals"}),
    row(Command::PoseFromTargets, runs<poseBodyFromTargets>(),
        {Menu::Solve, "Pose body from targets",
         "poses a whole human body naturally from its targets, independent of the present pose (4 to 6 suffice)",
         nullptr, hasGoals},
        {on('b', kShift)}, {"Pose", "pose a whole body from the planted targets"}),
    row(Command::RelaxRest, runs<relaxRest>(),
        {Menu::Solve, "Relax the rest",
         "keeps pins, targets and feet on the ground, and poses the rest of a human body naturally"},
        {on('n').in(kInLimber | kInMaya), on('n', kAlt).in(kInBlender)},
        {"Pose", "relax the rest: joints that no goal holds take a natural pose"}),
    row(Command::ApplyHumanLimits, runs<[](Session& s) {
          applyEdit(s, {"apply human joint limits", "", [](Document& d) { applyAnatomicalLimits(d); }});
        }>(),
        {Menu::HumanLimits, "Apply human joint limits",
         "for a human body without limits: cones for shoulders and hips, hinges for elbows and knees", nullptr,
         [](const Session& s) { return wantsAnatomicalLimits(s.document()); }},
        {}, {}, kPausesFollow),
    row(Command::RemoveHumanLimits, runs<[](Session& s) {
          applyEdit(s, {"remove human joint limits", "", removeAnatomicalLimits});
        }>(),
        {Menu::HumanLimits, "Remove human joint limits", "", nullptr, hasHumanLimits}, {}, {}, kPausesFollow),
    row(Command::ToggleBalance, runs<toggleBalance>(),
        {Menu::Modes, "Keep balance",
         "the centre of mass stays above the planted feet while anything is dragged: the feet are held, the pelvis "
         "moves",
         [](const Session& s) { return s.document().keepsBalance; }},
        {on('b')}, {"Pose", "keep balance: the centre of mass stays above the planted feet"}),
    row(Command::TogglePathIndependent, runs<togglePathIndependent>(),
        {Menu::Modes, "Path-independent",
         "the same targets give the same pose, whatever the pose was before (more in the Solver panel)",
         [](const Session& s) { return s.document().solver.pathIndependent; }},
        {}, {}, kPausesFollow),
    row(Command::ToggleNullSpace, runs<toggleNullSpace>(),
        {Menu::Modes, "Null space",
         "a dragged inner link, such as an elbow, moves while the end effectors of the goals stay exactly in place; "
         "without goals it is the end of the chain that stays",
         [](const Session& s) { return s.settings.dragsInNullSpace; }},
        {on('j')}, {"Pose", "null space: drags of inner links leave the end effectors in place"}, kInDrags),
    row(Command::ToggleFollow, runs<toggleFollow>(),
        {Menu::Modes, "Target follows the mouse",
         "the target follows the mouse without a button; a click leaves it there",
         [](const Session& s) { return s.document().follow; }},
        {on('t').in(kInLimber | kInMaya), on('t', kAlt).in(kInBlender)},
        {"Pose", "follow: the target follows the mouse, a click plants it"}, kInDrags),
    row(Command::Nudge, runs<nudgePose>(),
        {Menu::Search, "Nudge",
         "solves again from a slightly changed pose, and keeps the result if it is better; each nudge differs", nullptr,
         hasGoals},
        {on('n', kShift)}, {"Pose", "nudge: a slight push, kept if a better pose is found"}),
    row(Command::FindAnyPose, runs<findAnyPose>(),
        {Menu::Search, "Find any pose", "searches for a pose that meets the goals, also from random start poses",
         nullptr, hasGoals},
        {on('s', kShift).in(kInLimber | kInBlender), on('g', kCtrl).in(kInMaya)},
        {"Pose", "find any pose that meets the goals, from random starts too"}),
    row(Command::FindGlobalPose, runs<findGlobalPose>(),
        {Menu::Search, "Find the global pose",
         "finds the best of all poses for the targets, and proves how much better any other could be", nullptr,
         hasGoals},
        {on('g', kShift)}, {"Pose", "search for the best pose of all in the background, with a proof"}),
    row(Command::FindWorkspace, runs<findWorkspace>(),
        {Menu::Search, "Map the workspace",
         "maps where the end effector of the selected goal or link can go, within limits, locks and pins"},
        {on('w', kShift)}, {"Pose", "map where the selected end effector can go, in the background"}),
    row(Command::FindWays, runs<findWays>(),
        {Menu::Search, "All the ways",
         "shows all poses in which the arm of the selected goal reaches it, by closed forms", nullptr, hasGoals},
        {on('a', kShift)}, {"Pose", "show all poses in which an arm reaches its goal"}),
    row(Command::Grab, runs<grab, Grabbed::Place>(), {}, {on('g').in(kInBlender)},
        {"Pose", "grab, rotate the selection with the mouse; a click accepts, a right click or Esc cancels"}, kInGrabs),
    row(Command::Rotate, runs<grab, Grabbed::Turn>(), {}, {on('r').in(kInBlender)}, {"Pose"}, kInGrabs),
    row(Command::MoveTool, runs<chooseTool, GizmoTool::Kind::Move>(),
        {Menu::Gizmos, "Move gizmo",
         "arrows on the selected target, link, pinned link or obstacle; again: world or local axes",
         isTool<GizmoTool::Kind::Move>},
        {on('w')}, {"Pose", "move gizmo, rotate gizmo, none; again: world or local axes"}),
    row(Command::TurnTool, runs<chooseTool, GizmoTool::Kind::Turn>(),
        {Menu::Gizmos, "Rotate gizmo",
         "rings on the selected joint, target with a direction, pinned link or obstacle; again: world or local axes",
         isTool<GizmoTool::Kind::Turn>},
        {on('e')}, {"Pose"}),
    row(Command::SelectTool, runs<chooseTool, GizmoTool::Kind::Select>(),
        {Menu::Gizmos, "No gizmo", "only the rings of the selected joint", isTool<GizmoTool::Kind::Select>}, {on('q')},
        {"Pose"}),
    row(Command::ToggleAxes, runs<toggleAxes>(),
        {Menu::Gizmos, "Own axes", "gizmos and the locks X, Y, Z use the axes of the selection instead of the world's",
         [](const Session& s) { return s.picture.gizmo.isLocal; }},
        {on('a').in(kInLimber | kInBlender), on('x').in(kInMaya)},
        {"Pose", "axes of gizmos and locks: world or local"}),
    row(Command::DeleteGoal, runs<removeSelected>(),
        {Menu::None, "Remove goal", "", nullptr,
         [](const Session& s) { return s.document().selection.goal >= 0 || s.document().selection.obstacle >= 0; }},
        {on('x').in(kInBlender), on(Key::Delete)}, {"Pose", "remove the selected goal or obstacle"}),
    row(Command::Cancel, runs<cancel>(), {}, {whateverIsHeld(Key::Escape)}, {}, kInDrags),

    row(Command::LockX, runs<leaveToDrag>(), {}, {on('x')}, {"Drag", "only along that axis; again: free"}, kDragKey),
    row(Command::LockY, runs<leaveToDrag>(), {}, {on('y')}, {"Drag"}, kDragKey),
    row(Command::LockZ, runs<leaveToDrag>(), {}, {on('z')}, {"Drag"}, kDragKey),
    row(Command::LockPlaneX, runs<leaveToDrag>(), {}, {on('x', kShift)}, {"Drag", "in the plane normal to it"},
        kDragKey),
    row(Command::LockPlaneY, runs<leaveToDrag>(), {}, {on('y', kShift)}, {"Drag"}, kDragKey),
    row(Command::LockPlaneZ, runs<leaveToDrag>(), {}, {on('z', kShift)}, {"Drag"}, kDragKey),
    row(Command::LetTurn, runs<leaveToDrag>(), {}, {on('o')},
        {"Drag", "a dragged pelvis or chest turns; again: it keeps its orientation"}, kDragKey),

    row(Command::FrameSelection, runs<frameSelection>(), {Menu::Frame, "Frame selection"},
        {on('f'), KeyBinding{{Key::Numpad, '.'}}.in(kInBlender)}, {"View", "frame the selection"}, kInDrags),
    row(Command::FrameAll, runs<frameEverything>(), {Menu::Frame, "Frame all"},
        {on('f', kShift).in(kInLimber), on(Key::Home).in(kInBlender), on('a').in(kInMaya)},
        {"View", "frame everything, without turning the view"}, kInDrags),
    row(Command::ViewHome, runs<goHome>(), {Menu::Frame, "Home", "the view that a file opens with"},
        {on(Key::Home).in(kInLimber | kInMaya), onDigit('0')}, {"View", "the view that a file opens with"}, kInDrags),
    row(Command::ViewFront, runs<lookFrom, ViewFrom::Front>(), {Menu::LookFrom, "Front"}, {onDigit('1')},
        {"View", "from the front, from the back"}),
    row(Command::ViewBack, runs<lookFrom, ViewFrom::Back>(), {Menu::LookFrom, "Back"}, {onDigit('1', kCtrl)}, {"View"}),
    row(Command::ViewRight, runs<lookFrom, ViewFrom::Right>(), {Menu::LookFrom, "Right"}, {onDigit('3')},
        {"View", "from the right, from the left"}),
    row(Command::ViewLeft, runs<lookFrom, ViewFrom::Left>(), {Menu::LookFrom, "Left"}, {onDigit('3', kCtrl)}, {"View"}),
    row(Command::ViewTop, runs<lookFrom, ViewFrom::Top>(), {Menu::LookFrom, "Top"}, {onDigit('7')},
        {"View", "from above, from below"}),
    row(Command::ViewBottom, runs<lookFrom, ViewFrom::Bottom>(), {Menu::LookFrom, "Bottom"}, {onDigit('7', kCtrl)},
        {"View"}),
    row(Command::TurnViewLeft, runs<turnView, -1, 0>(), {Menu::TurnView, "15° to the left"}, {onDigit('4')},
        {"View", "turn the view by 15 degrees to the left, right, up, down"}, kRepeats),
    row(Command::TurnViewRight, runs<turnView, 1, 0>(), {Menu::TurnView, "15° to the right"}, {onDigit('6')}, {"View"},
        kRepeats),
    row(Command::TurnViewUp, runs<turnView, 0, 1>(), {Menu::TurnView, "15° up"}, {onDigit('8')}, {"View"}, kRepeats),
    row(Command::TurnViewDown, runs<turnView, 0, -1>(), {Menu::TurnView, "15° down"}, {onDigit('2')}, {"View"},
        kRepeats),
    row(Command::ToggleReference, runs<toggleReference>(),
        {Menu::None, "Show", "shows or hides the reference picture",
         [](const Session& s) { return s.ui.reference.isShown; }},
        {on('h')}, {"View", "show or hide the reference picture"}),
    row(Command::LookThroughReference, runs<toggleLookThrough>(),
        {Menu::Projection, "Through the reference picture",
         "sees the figure as the picture's camera does, so that both coincide",
         [](const Session& s) { return s.picture.camera.through.isOn; }, isDrawn},
        {on('h', kShift)}, {"View", "look through the camera of the reference picture, or no longer"}),
    row(Command::ToggleOrthographic, runs<switchProjection>(),
        {Menu::Projection, "Orthographic", "",
         [](const Session& s) { return endOf(s.picture.turn, s.picture.camera).isOrthographic; }},
        {onDigit('5')}, {"View", "perspective or orthographic"}),
    row(Command::NextSkinView, runs<showNextSkinView>(), {}, {on('x').in(kInLimber), on('v').in(kInBlender | kInMaya)},
        {"View", "skin alone, the figure shown through it, the figure alone"}),
    row(Command::ToggleTree, runs<toggle<&PanelVisibility::tree>>(),
        {Menu::Parts, "Figure tree", "", isVisible<&PanelVisibility::tree>},
        {on('t').in(kInBlender), on('t', kCtrl).in(kInLimber | kInMaya)},
        {"View", "show or hide the tree, the panels"}),
    row(Command::TogglePanels, runs<toggle<&PanelVisibility::panels>>(),
        {Menu::None, "Shown", "", isVisible<&PanelVisibility::panels>},
        {on('n').in(kInBlender), on('t', kCtrl | kShift).in(kInLimber | kInMaya)}, {"View"}),
    row(Command::ToggleRace, runs<toggle<&PanelVisibility::race>>(),
        {Menu::Parts, "Race of solvers",
         "shows several solvers on the same drag as ghosts, with their times and curves",
         isVisible<&PanelVisibility::race>},
        {on('c')}, {"View", "race: compare solvers on the same drag, as ghosts"}, kInDrags),
    row(Command::RaceStepBack, runs<stepRace, -1>(), {}, {typed(U'[')}, {"View", "race: one iteration back, forward"}),
    row(Command::RaceStepForward, runs<stepRace, 1>(), {}, {typed(U']')}, {"View"}),

    row(Command::ToggleTimeline, runs<toggle<&PanelVisibility::timeline>>(),
        {Menu::Parts, "Timeline", "shows motions, keys of poses and goals, and paths of targets over time",
         isVisible<&PanelVisibility::timeline>},
        {on('t', kShift)}, {"Time", "the timeline below the picture"}, kInDrags),
    row(Command::PlayOrPause, runs<play>(),
        {Menu::None, "", "plays from the present time; with keys or paths each frame is solved, within limits"},
        {on('v', kAlt).in(kInMaya), on(Key::Enter)}, {"Time", "play, pause"}),
    row(Command::FrameBack, runs<stepFrame, -1>(), {}, {on(Key::Left)}, {"Time", "one frame back, forward"}, kRepeats),
    row(Command::FrameForward, runs<stepFrame, 1>(), {}, {on(Key::Right)}, {"Time"}, kRepeats),
    row(Command::PreviousKey, runs<goToKey, -1>(), {}, {on(Key::Down).in(kInBlender), on(Key::Left, kShift)},
        {"Time", "to the previous key, the next key"}),
    row(Command::NextKey, runs<goToKey, 1>(), {}, {on(Key::Up).in(kInBlender), on(Key::Right, kShift)}, {"Time"}),
    row(Command::KeyPose, runs<keyPresentPose>(),
        {Menu::None, "Key pose",
         "keys the figure's pose at the present time; over a motion the joints that were posed or are selected"},
        {on('i').in(kInBlender), on('s').in(kInMaya), on('k')}, {"Time", "key the pose at the present time"}),
    row(Command::KeyGoals, runs<keyPresentGoals>(),
        {Menu::None, "Key goals", "keys the selected goal, or all goals, at the present time", nullptr, hasGoals},
        {on('i', kShift).in(kInBlender), on('s', kShift).in(kInMaya), on('k', kShift)},
        {"Time", "key the selected goal, or all goals"}),
    row(Command::RemoveKey, runs<removePresentKey>(),
        {Menu::None, "Remove key",
         "removes the key at the present time; over a motion the changes there, only of the selected joints if there "
         "are "
         "any"},
        {on('i', kAlt).in(kInBlender), on('k', kCtrl)}, {"Time", "remove the key at the present time"}),

    row(Command::FindStances, runs<findMotionStances>(),
        {Menu::HumanLimits, "Hold standing feet",
         "finds when the feet of the motion stand still and holds them in place; again: lets them slide as before",
         [](const Session& s) { return s.document().motion && s.document().motion->bare().unheld; },
         [](const Session& s) { return hasFrames(s.document()); }},
        {}, {}),
    row(Command::New, runs<[](Session& s) { s.ui.newChain.isWanted = true; }>(), {}, {on('n', kCtrl)},
        {"File", "new, open"}),
    row(Command::Open, runs<[](Session& s, const std::filesystem::path& file) { openFile(s, file); }>(),
        {Menu::Open, "Open ..."}, {on('o', kCtrl)}, {"File"}, kInDrags),
    row(Command::Save, runs<save>(), {Menu::Save, "Save"}, {on('s', kCtrl)}, {"File", "save, save as"}),
    row(Command::SaveAs, runs<saveFile>(), {Menu::Save, "Save as ..."}, {on('s', kCtrl | kShift)}, {"File"},
        kInDrags | kEffectOnly),
    row(Command::SaveFigureAs, runs<saveFigure>(),
        {Menu::Save, "Save figure as ...",
         "saves only the figure, with the limits, rigidities and locks that you gave its joints"},
        {}, {}, kInDrags | kEffectOnly),
    row(Command::Export, runs<exportTake>(),
        {Menu::Save, "Export as ...",
         "writes the pose or the motion for other programs, in the format of the file extension"},
        {on('e', kCtrl)}, {"File", "export the pose or motion: BVH, joint states, ..."}, kInDrags | kEffectOnly),
    row(Command::SavePicture, runs<drawPictureTo>(),
        {Menu::Save, "Picture ...",
         "saves what the window shows as a PNG of any size, with a transparent background if you like"},
        {}, {}, kInDrags | kEffectOnly),
    row(Command::SavePictures, runs<drawSequenceTo>(),
        {Menu::Save, "PNG sequence ...", "saves the motion as pictures, one for each frame, seen by the present camera",
         nullptr, hasManyFrames},
        {}, {}, kInDrags | kEffectOnly),
    row(Command::LoadMotion, runs<loadMotion>(),
        {Menu::Import, "Load motion ...",
         "gives the open figure the motions of a file: joint states, a file of the same skeleton, or one of another "
         "human body or avatar, which are carried over part by part"},
        {}, {}, kInDrags),
    row(Command::OpenObservations, runs<openObservations>(),
        {Menu::Import, "Fit to observations ...",
         "fits the figure frame by frame to markers, joint positions, or another figure's motion"},
        {}, {}, kInDrags),
    row(Command::OpenReference, runs<openReference>(),
        {Menu::Import, "Reference picture ...",
         "shows a photograph or drawing behind the figure, to pose it after; or drop a picture on the window"},
        {}, {}, kInDrags),
    row(Command::Undo, runs<goThroughHistory, true>(),
        {Menu::None, "Undo", "", nullptr, [](const Session& s) { return s.editor.history().canUndo(); }},
        {on('z', kCtrl), on('z').in(kInMaya)}, {"File", "undo"}, kWithResult | kRepeats),
    row(Command::Redo, runs<goThroughHistory, false>(),
        {Menu::None, "Redo", "", nullptr, [](const Session& s) { return s.editor.history().canRedo(); }},
        {on('z', kCtrl | kShift), on('y', kCtrl), on('z', kShift).in(kInMaya)}, {"File", "redo"},
        kWithResult | kRepeats),
    row(Command::CopyPose, runs<copyPose>(),
        {Menu::Clipboard, "Copy pose",
         "copies joint names and values as text, which limber fk and limber convert read"},
        {on('c', kCtrl)}, {"File", "copy the pose as text, paste one or a picture"}),
    row(Command::PastePose, runs<paste>(),
        {Menu::Clipboard, "Paste pose or picture",
         "a pose as text, or a reference picture: itself, or the path of its file"},
        {on('v', kCtrl)}, {"File"}),
    row(Command::CheckDerivatives, runs<checkAllDerivatives>(),
        {Menu::Checks, "Check derivatives",
         "compares gradient and Hessian of the objective at this pose with central differences"},
        {}, {}, kInDrags | kEffectOnly),
    row(Command::ToggleRecording, runs<[](Session& s) { s.outside.toggleRecording(); }>(),
        {Menu::Record, "Record a bug report",
         "records everything that you do in a file, from which it can be replayed exactly; again: ends the recording "
         "and shows the name of its file",
         [](const Session& s) { return s.outside.witness != nullptr; }},
        {}, {}, kInDrags | kEffectOnly),
    row(Command::Quit, runs<quit>(), {Menu::Quit, "Quit"}, {on('q', kCtrl)}, {"File", "quit"}),
    row(Command::Help, runs<[](Session& s) { s.ui.keySheet.isShown = !s.ui.keySheet.isShown; }>(), {Menu::Help, "Keys"},
        {on(Key::F1)}, {"File", "this sheet"}),
    row(Command::OpenMenu, runs<[](Session& s) { s.ui.popups.menuWanted = 'F'; }>(), {}, {on(Key::Alt), on(Key::F10)},
        {"File", "open the menus; use arrows, Enter and Esc there"}),

    // Commands of panels and dialogs, without a key.
    row(Command::Edit, runs<applyEdit>(), kPausesFollow),
    row(Command::Select, runs<select>(), kInDrags),
    row(Command::GoToStep, runs<goToStep>(), kWithResult),
    row(Command::Plant, runs<startPlanting>(), kPausesFollow),
    row(Command::AddProp, runs<addProp>(), kInDrags),
    row(Command::UseLibrary, runs<[](Session& s, const PoseWish& wish) { s.services.poses.carryOut(s, wish); }>(),
        kInDrags | kEffectOnly),
    row(Command::UseLive, runs<useLive>(), kInDrags | kEffectOnly),
    row(Command::UseReference, runs<carryOutReference>(), kInDrags),
    row(Command::CreateFigure, runs<createFigure>(), kPausesFollow | kEffectOnly),
    row(Command::OpenExample, runs<openExample>(), kPausesFollow | kEffectOnly),
    row(Command::LookIn, runs<openWithFolder>(), kInDrags | kEffectOnly),
    row(Command::RecoverLost, runs<recoverLost>(), kInDrags | kEffectOnly),
    row(Command::DiscardLost,
        runs<[](Session& s, int index) { s.services.autosave.discard(static_cast<std::size_t>(index)); }>(),
        kInDrags | kEffectOnly),
    row(Command::Fit, runs<startFit>(), kPausesFollow),
    row(Command::CloseFit, runs<[](Session& s) { s.ui.fit = {}; }>(), kInDrags | kEffectOnly),
    row(Command::Race,
        runs<[](Session& s, RaceStart start) { s.services.racing.start(s.document(), s.settings, start); }>(),
        kInDrags | kEffectOnly),
    row(Command::SaveRace, runs<saveRace>(), kInDrags | kEffectOnly),
    row(Command::GoToGlobalPose, runs<goToGlobalPose>(), kPausesFollow | kEffectOnly),
    row(Command::TakeWay, runs<takeWay>(), kPausesFollow | kEffectOnly),
    row(Command::SlideAlongWay, runs<slideAlongWay>(), kPausesFollow | kEffectOnly),
    row(Command::CancelGlobal, runs<[](Session& s) { s.services.global.cancel(); }>(), kInDrags),
    row(Command::CancelWorkspace, runs<[](Session& s) { s.services.reaching.finishEarly(); }>(), kInDrags),
    row(Command::ForgetWorkspace, runs<[](Session& s) { s.services.reaching.forget(); }>(), kInDrags),
    row(Command::CancelWays, runs<[](Session& s) { s.services.ways.forget(); }>(), kInDrags),
    row(Command::ForgetWays, runs<[](Session& s) { s.services.ways.forget(); }>(), kInDrags),
    row(Command::SaveShell, runs<saveShell>(), kInDrags | kEffectOnly),
    row(Command::ShowTimeline, runs<[](Session& s) { s.settings.visible.timeline = true; }>(), kInDrags | kEffectOnly),
    row(Command::ScrubTo, runs<[](Session& s, const Scrub& scrub) { goToTime(s, scrub.time, scrub.gesture); }>(),
        kPausesFollow),
    row(Command::Bake, runs<[](Session& s, BakeAs what) {
          if (startBake(s, s.services.job, what)) finishIfQuick(s);
        }>(),
        kPausesFollow),
    row(Command::LoopTimeline, runs<[](Session& s, bool isOn) { s.playing.loop = isOn; }>(), kInDrags | kEffectOnly),
    row(Command::PauseTimeline, runs<[](Session& s) {  // only in older recordings, which had two kinds of playback
          if (!showsMotion(s.document())) s.playing.stop();
        }>(),
        kInDrags),
    row(Command::AutoKey, runs<[](Session& s, bool isOn) { s.services.autoKey.isOn = isOn; }>(),
        kInDrags | kEffectOnly),
    row(Command::CancelJob, runs<[](Session& s) { s.services.job.cancel(); }>(), kInDrags),
    row(Command::CancelDrawing, runs<[](Session& s) { s.services.drawing.cancel(); }>(), kInDrags),
    row(Command::Scale, runs<[](Session& s, double scale) { s.settings.scale = scale; }>(), kInDrags | kEffectOnly),
    row(Command::QuitAnyway, runs<[](Session& s) { s.ui.quit = true; }>(), kInDrags | kEffectOnly),
};

static_assert(std::size(kTable) == kCommandCount);
static_assert([] {
  for (std::size_t i = 0; i < std::size(kTable); ++i)
    if (kTable[i].command != static_cast<Command>(i)) return false;
  return true;
}());

}  // namespace

const CommandInfo& infoOf(Command command) { return kTable[static_cast<std::size_t>(command)]; }
std::span<const CommandInfo> allCommands() { return kTable; }

}  // namespace limber::app

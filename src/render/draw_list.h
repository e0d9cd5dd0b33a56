// SPDX-License-Identifier: MIT
// What one picture shows, as plain data made from a document. No GL: tests, picking and the renderer all read it.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/document.h"
#include "limber/scene/reach_shell.h"
#include "render/color.h"
#include "render/link_blocks.h"
#include "render/palette.h"
#include "render/skin_groups.h"
#include "render/view.h"

namespace limber::render {

enum class Layer {
  Scene,    ///< lit, casts a shadow, hidden by what is nearer
  Overlay,  ///< targets, residual lines, rings: lit flat, shown faintly through what hides them, no shadow
  Ghost,    ///< other poses of the figure (ghosts.h): translucent, hidden by what is nearer, no shadow
};

/// What of a goal's mark a hand can take hold of.
enum class Grip {
  None,
  Mark,                 ///< the ball of a mark that cannot be dragged: selects its goal
  Target,               ///< the ball: moves the target
  Tip,                  ///< of an arrow: points the target frame's x
  TurnX, TurnY, TurnZ,  ///< rings: turn the target frame about its own axes
  TurnView,             ///< the ring that faces the eye: turns it about the line of sight
  Shortest, Longest,    ///< washers on the line of a distance: its bounds
  PathPoint,            ///< a point or handle of the path that its target follows: moves it
  PathCurve,            ///< that path between its points: a click with Ctrl adds one
  SizeLowX, SizeHighX, SizeLowY, SizeHighY, SizeLowZ, SizeHighZ,  ///< knobs on an obstacle's sides
  Lift,                 ///< the arrow that moves an obstacle up and down
  MoveX, MoveY, MoveZ,     ///< arrows of the gizmo (gizmo_marks.h): along its axes
  MoveYZ, MoveZX, MoveXY,  ///< its squares: in the planes across them
  RingX, RingY, RingZ,     ///< its rings: turn about them
  RingView,                ///< the one that faces the eye
};

/// True for what belongs to the gizmo: to whatever is selected, not to the mark of a goal or an obstacle.
inline bool isGizmo(Grip grip) { return grip >= Grip::MoveX && grip <= Grip::RingView; }

/// The line around links that are lit up, so that more than a colour tells which they are.
enum class Outline : std::uint8_t { None, Hovered, Selected };  ///< thin and plain; broad and in the accent

/// The one primitive: a capsule in the world. Equal ends make a ball; a small radius makes a line.
struct DrawCapsule {
  Eigen::Vector3d start;
  Eigen::Vector3d end;
  double radius = 0.0;
  Color color;
  Layer layer = Layer::Scene;
  int link = -1;  ///< the link it belongs to, -1 for none: picking returns it
  int goal = -1;  ///< the id of the goal whose mark it is, -1 for none
  Grip grip = Grip::None;  ///< what of that mark; None for what only shows
  int part = -1;           ///< which of several: the point of a path
  int obstacle = -1;  ///< the id of the obstacle whose handle it is, -1 for none
  Outline outline = Outline::None;

  bool operator==(const DrawCapsule&) const = default;
};

/// A link or a part of it as a block (LinkStyle), in the world; of the Scene layer.
struct DrawBlock {
  Block block;
  Color color;
  int link = -1;
  Outline outline = Outline::None;

  bool operator==(const DrawBlock&) const = default;
};

/// What of a figure with a skin is shown.
enum class SkinView {
  Skin,          ///< the skin; of the figure only what is selected or under the cursor
  FigureInSkin,  ///< the figure, the skin translucent around it
  Figure,        ///< the figure alone
};

/// The skin and where the pose puts it.
struct DrawSkin {
  bool isShown = false;
  bool isTranslucent = false;                ///< casts no shadow then, and shows what is inside
  std::shared_ptr<const SkinGroups> groups;  ///< of the document's skin, kept from picture to picture
  std::vector<Eigen::Affine3d> worldFromSkin;///< of every bone of every surface, those of the first surface first
  std::vector<Color> tints;                  ///< by bone, for links that are lit up; alpha says how much of it
  std::vector<Outline> outlines;             ///< by bone; empty where nothing is lit up

  bool operator==(const DrawSkin& other) const;
};

/// The shell of a reachable workspace, translucent; hidden by what is nearer, no shadow.
struct DrawShell {
  std::shared_ptr<const ReachShell> shell;  ///< null for none
  float opacity = 0.5f;                     ///< [0, 1]

  bool operator==(const DrawShell&) const = default;
};

struct DrawList {
  std::vector<DrawCapsule> capsules;
  std::vector<DrawBlock> blocks;    ///< of the links, where they are not capsules
  DrawSkin skin;
  DrawShell shell;
  DrawSkin props;                   ///< the obstacles: a surface each, with one bone (obstacle_shapes.h)
  std::vector<Obstacle> obstacles;  ///< those, in the same order
  bool showGround = true;           ///< grid and shadow on y = 0; a planar chain gets a grid behind it in z = 0 instead
  bool isTransparent = false;       ///< neither ground nor backdrop: nothing where nothing is drawn
  Surroundings surroundings = kDarkSurroundings;
  bool planar = false;
  double groundHeight = 0.0;        ///< y of the ground
  Eigen::Vector3d boundsMin = Eigen::Vector3d::Zero();  ///< of the Scene layer and the skin; for shadow map and framing
  Eigen::Vector3d boundsMax = Eigen::Vector3d::Zero();

  double outlinePixels = 3.0;       ///< how broad the outline of what is selected is

  double figureSize = 1.0;          ///< of the first pose: the longest side of the box around it, metres

  /// For which figure and motion these were found: posing the figure must not move the ground.
  std::shared_ptr<const Figure> groundFigure;
  std::shared_ptr<const Motion> groundMotion;

  std::shared_ptr<const LinkBlocks> linkBlocks;  ///< of the figure, kept from picture to picture; null for capsules

  /// The same picture, from the same view.
  bool operator==(const DrawList&) const = default;
};

inline constexpr int kClutterLinks = 2000;

/// What is lit up besides what the document itself says.
struct Highlight {
  int hoveredLink = -1;                                     ///< under the cursor
  std::vector<int> hoveredLinks;                            ///< all that a click there is for, ascending
  int hoveredGoal = -1;                                     ///< id
  Grip hoveredGrip = Grip::None;                            ///< of that goal
  int hoveredPart = -1;                                     ///< of that grip
  int pathPoint = -1;                                       ///< chosen, of the selected goal's path
  int hoveredObstacle = -1;                                 ///< id
  std::vector<int> hitObstacles;                            ///< ids of those that the figure is in
  bool showBalance = false;                                 ///< centre of mass and support
  int draggedLink = -1;
  std::vector<char> follows;                                ///< by link, 1 for those whose joint would move along:
                                                            ///< lit lightly. Empty for none
  bool jointHasGizmo = false;                               ///< the selected joint: its own axes are not shown
  bool goalHasRings = false, obstacleHasArrows = false;     ///< of a gizmo: their own rest
  bool showTargets = true;                                  ///< targets and residual lines of enabled goals
  bool showJoints = true;                                   ///< joint spheres
  SkinView skinView = SkinView::Skin;                       ///< of a document that has one
  LinkStyle linkStyle = LinkStyle::Capsules;
  Surroundings surroundings = kDarkSurroundings;
  std::vector<int> heldFeet;                                ///< links that a drag holds on the ground
  bool hasDragTarget = false;                               ///< a transient target of the drag in progress
  int dragTargetLink = -1;                                  ///< the link it pulls
  Eigen::Vector3d dragPointInLink = Eigen::Vector3d::Zero();
  Eigen::Vector3d dragTarget = Eigen::Vector3d::Zero();     ///< world
  std::vector<int> limitedJoints;                           ///< joints on a limit: amber, and marked by a shape
  std::vector<int> idleGoals;                               ///< ids of alternatives that do not count now: faint
  DrawShell shell;
  const View* view = nullptr;                               ///< when given, marks never get too small to see and grab
  double displayScale = 1.0;                                ///< of the least sizes: pixels for one on a plain display
};

/// `kinematics` are those of document.pose. `list` is refilled (its memory is reused).
///
///   links    their capsules, or blocks in their place, clay; hovered lighter with a thin outline, selected towards
///            the accent with a broad one, dragged nearly in it
///   joints   a slate ball at each moving joint, one where several stand on one point; on a limit: amber and an amber
///            ring. Selected: accent, its limits or, without any, its rotation rings, and a padlock when it is locked
///   goals    marks of the enabled ones (goal_marks.h). Met: green with a ring. Unmet: red with a cross, and a line
///            from the end effector to the place that is asked for. Faint in forward mode, and while another
///            alternative counts
///   paths    of targets (path_marks.h)
///   pins     padlocks: green where they hold, red where they cannot, with a line from where the point is
///   obstacles  their surfaces; handles on the selected one (obstacle_shapes.h)
///   feet     that a drag holds: the outline of what touches the ground (sole_marks.h)
///   balance  where it is asked for, the centre of mass and what it stands on (balance_marks.h)
///   ground   y = 0, or below what of the figure's first pose is clearly lower; a planar chain: z = 0
///   skin     where there is one and it is asked for. Alone it takes the place of links and joints: links are lit up on
///            it, and balls of joints that are selected, on a limit or under the cursor shine through
///   shell    as the highlight has it; it counts for framing where it is shown (frameList)
///
/// A figure of more than kClutterLinks links shows no joint balls and no limit marks, and is always made of capsules.
/// Cost: one sweep; no allocation once the list has been filled with the same figure and goals.
void makeDrawList(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

/// The view that shows the scene of a list as frameFigure does, but closer: the box lies along the camera's axes.
View frameList(const DrawList& list, int width, int height, ViewFrom side = ViewFrom::ThreeQuarters,
               bool isOrthographic = false);

}  // namespace limber::render

// SPDX-License-Identifier: MIT
// The contents of a picture as plain data, made from a document without OpenGL. Tests, picking and the renderer read
// it.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/document.h"
#include "limber/scene/reach_shell.h"
#include "render/link_blocks.h"
#include "render/palette.h"
#include "render/skin_groups.h"
#include "render/view.h"

namespace limber::render {

enum class Layer {
  Scene,    ///< lit, casts a shadow
  Overlay,  ///< targets, residual lines, rings: unlit, faint where hidden, without shadow
  Ghost,    ///< other poses of the figure (ghosts.h): translucent, without shadow
};

/// Parts of marks that can be dragged or clicked.
enum class Grip {
  None,
  Mark,    ///< ball of a mark that cannot be dragged: selects its goal
  Target,  ///< ball: moves the target
  Tip,     ///< tip of an arrow: turns the target frame's x axis
  TurnX,
  TurnY,
  TurnZ,     ///< rings: turn the target frame about its axes
  TurnView,  ///< ring that faces the eye: turns the frame about the line of sight
  Shortest,
  Longest,    ///< washers on the line of a distance goal: its bounds
  PathPoint,  ///< point or handle of the target's path: moves it
  PathCurve,  ///< path between its points: Ctrl+click adds one
  SizeLowX,
  SizeHighX,
  SizeLowY,
  SizeHighY,
  SizeLowZ,
  SizeHighZ,  ///< knobs on an obstacle's sides: resize it
  Lift,       ///< arrow that moves an obstacle up and down
  MoveX,
  MoveY,
  MoveZ,  ///< arrows of the gizmo (gizmo_marks.h): move along its axes
  MoveYZ,
  MoveZX,
  MoveXY,  ///< squares of the gizmo: move in the planes normal to its axes
  RingX,
  RingY,
  RingZ,     ///< rings of the gizmo: turn about its axes
  RingView,  ///< ring of the gizmo that faces the eye
  TrailKey,  ///< dot on the path of a point: goes to the key of frame `part`, or drags what it keys
  KeyGhost,  ///< ghost of the frame `part`: goes there
};

/// True for parts of the gizmo, which belongs to the selection and not to a goal or an obstacle.
inline bool isGizmo(Grip grip) { return grip >= Grip::MoveX && grip <= Grip::RingView; }

/// True for keys in the picture, which belong to the timeline.
inline bool isKey(Grip grip) { return grip == Grip::TrailKey || grip == Grip::KeyGhost; }

/// The line around highlighted links, which does not rely on colour alone.
enum class Outline : std::uint8_t { None, Hovered, Selected };  ///< thin and plain; thick, in the accent colour

/// The only primitive: a capsule in the world; a ball if both ends are equal, a line if its radius is small.
struct DrawCapsule {
  Eigen::Vector3d start;
  Eigen::Vector3d end;
  double radius = 0.0;
  Color color;
  Layer layer = Layer::Scene;
  int link = -1;           ///< to which it belongs, for picking; -1 for none
  int goal = -1;           ///< id of the goal whose mark it is; -1 for none
  Grip grip = Grip::None;  ///< part of that mark; None if it cannot be dragged
  int part = -1;           ///< index among several parts: the point of a path, or a frame
  int obstacle = -1;       ///< id of the obstacle whose handle it is; -1 for none
  Outline outline = Outline::None;

  bool operator==(const DrawCapsule&) const = default;
};

/// A link or a part of it as a block (LinkStyle), in the world, in the Scene layer.
struct DrawBlock {
  Block block;
  Color color;
  int link = -1;
  Outline outline = Outline::None;

  bool operator==(const DrawBlock&) const = default;
};

/// How a figure with a skin is shown.
enum class SkinView {
  Skin,          ///< the skin, and of the figure only what is selected or under the cursor
  FigureInSkin,  ///< the figure in a translucent skin
  Figure,        ///< the figure alone
};

/// A posed skin.
struct DrawSkin {
  bool isShown = false;
  bool isTranslucent = false;                  ///< without shadow then
  std::shared_ptr<const SkinGroups> groups;    ///< of the document's skin, kept between pictures
  std::vector<Eigen::Affine3d> worldFromSkin;  ///< of every bone of every surface, in order
  std::vector<Color> tints;                    ///< by bone, for highlighted links; alpha is the amount
  std::vector<Outline> outlines;               ///< by bone; empty if no link is highlighted

  bool operator==(const DrawSkin& other) const;
};

/// The shell of a reachable workspace, translucent and without shadow.
struct DrawShell {
  std::shared_ptr<const ReachShell> shell;  ///< null for none
  float opacity = 0.5f;                     ///< [0, 1]

  bool operator==(const DrawShell&) const = default;
};

inline constexpr double kReferenceBeyond = 0.75;  ///< from the middle of the figure to its picture, in figure sizes

/// A reference picture in the world, without depth: behind or over everything else in any view.
struct DrawReference {
  std::shared_ptr<const PictureFile> file;   ///< null for none; has pixels
  std::array<Eigen::Vector3d, 4> corners{};  ///< of the part that is shown, from the upper left one clockwise
  std::array<double, 4> crop{};              ///< as in ReferencePicture
  float opacity = 1.0f;                      ///< [0, 1]
  bool isInFront = false;

  bool operator==(const DrawReference&) const = default;
};

struct DrawList {
  std::vector<DrawCapsule> capsules;
  std::vector<DrawBlock> blocks;  ///< of links that are not drawn as capsules
  DrawSkin skin;
  DrawShell shell;
  DrawReference reference;
  DrawSkin props;                   ///< obstacles, each a surface with one bone (obstacle_shapes.h)
  std::vector<Obstacle> obstacles;  ///< the obstacles of props, in the same order
  bool showGround = true;           ///< grid and shadow on y = 0, or on z = 0 behind a planar chain
  bool isTransparent = false;       ///< without ground and backdrop
  Surroundings surroundings = kDarkSurroundings;
  bool planar = false;
  double groundHeight = 0.0;                            ///< y of the ground
  std::array<int, 2> groundAxes = {0, 2};               ///< which shown axes its two coloured lines are: 0 for x, ...
  Eigen::Vector3d boundsMin = Eigen::Vector3d::Zero();  ///< of Scene layer and skin, for shadows and framing
  Eigen::Vector3d boundsMax = Eigen::Vector3d::Zero();

  double outlinePixels = 3.0;  ///< thickness of the selection's outline

  int frontTurns = 0;  ///< quarter turns about y from +z to where a body faces in the first pose

  double figureSize = 1.0;  ///< longest side of the box around the first pose, metres

  /// The figure and motion for which groundHeight, frontTurns and figureSize were computed; a pose does not change
  /// them.
  std::shared_ptr<const Figure> groundFigure;
  std::shared_ptr<const Motion> groundMotion;

  std::shared_ptr<const LinkBlocks> linkBlocks;  ///< of the figure, kept between pictures; null for capsules

  /// True if both give the same picture from the same view.
  bool operator==(const DrawList&) const = default;
};

inline constexpr int kClutterLinks = 2000;

/// Highlights and display options, which are not part of the document.
struct Highlight {
  int hoveredLink = -1;           ///< under the cursor
  std::vector<int> hoveredLinks;  ///< all that a click there would select, ascending
  int hoveredGoal = -1;           ///< id
  Grip hoveredGrip = Grip::None;  ///< part of that goal's mark
  int hoveredPart = -1;           ///< index of that part
  int pathPoint = -1;             ///< selected point of the selected goal's path
  int hoveredObstacle = -1;       ///< id
  std::vector<int> hitObstacles;  ///< ids of obstacles that the figure penetrates
  bool showBalance = false;       ///< centre of mass and support polygon
  int draggedLink = -1;
  std::vector<char> follows;                             ///< by link: 1 if a drag would move its joint; or empty
  bool jointHasGizmo = false;                            ///< replaces the selected joint's own axes
  bool goalHasRings = false, obstacleHasArrows = false;  ///< of a gizmo, which replace their own
  bool showTargets = true;                               ///< targets and residual lines of enabled goals
  bool showJoints = true;                                ///< joint spheres
  SkinView skinView = SkinView::Skin;                    ///< of a document with a skin
  LinkStyle linkStyle = LinkStyle::Parts;
  Surroundings surroundings = kDarkSurroundings;
  std::vector<int> heldFeet;   ///< links that a drag keeps on the ground
  bool hasDragTarget = false;  ///< of the drag in progress
  int dragTargetLink = -1;     ///< the link it pulls
  Eigen::Vector3d dragPointInLink = Eigen::Vector3d::Zero();
  Eigen::Vector3d dragTarget = Eigen::Vector3d::Zero();  ///< world
  std::vector<int> limitedJoints;                        ///< joints at a limit
  std::vector<int> idleGoals;                            ///< ids of alternatives that are not active
  DrawShell shell;
  bool showReference = false;                               ///< the document's shown picture
  Eigen::Matrix3d worldAxes = Eigen::Matrix3d::Identity();  ///< columns: the axes in which the world is shown
  const View* view = nullptr;                               ///< if given, marks have a least size in pixels
  double displayScale = 1.0;                                ///< pixels per pixel of a display without scaling
};

/// Fills `list`, whose memory is reused, from a document and the kinematics of its pose:
///
///   links      capsules or blocks in clay. Hovered: lighter, with a thin outline; selected: tinted with the accent
///              colour, with a thick outline; dragged: nearly the accent colour
///   joints     a slate ball at each moving joint, one for several at the same point. At a limit: amber, with a ring.
///              Selected: accent colour, with its limits or else its rotation rings, and a padlock if it is locked
///   goals      marks of enabled goals (goal_marks.h). Met: green with a ring. Unmet: red with a cross and a line from
///              the end effector to the target. Faint in forward mode and while another alternative is active. None
///              for goals that are seen in a picture other than the shown one
///   paths      of targets (path_marks.cpp)
///   pins       padlocks (pin_marks.cpp)
///   obstacles  their surfaces, and handles of the selected one (obstacle_shapes.h)
///   feet       contacts of feet that a drag keeps on the ground (sole_marks.cpp)
///   balance    centre of mass and support polygon, if asked for (balance_marks.cpp)
///   ground     y = 0, or lower if the figure's first pose is clearly lower; z = 0 for a planar chain
///   skin       if there is one and it is asked for. Alone it replaces links and joints: links are highlighted on it,
///              and joints that are selected, at a limit or under the cursor show through it
///   shell      that of the highlight, which frameList includes
///   reference  the shown picture of the document, if asked for, beyond the figure as its camera sees it
///
/// A figure of more than kClutterLinks links is drawn as capsules, without joint balls and limit marks. Cost: one
/// sweep; no allocation once the list has been filled with the same figure and goals.
void makeDrawList(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

/// The view of a list's scene, like that of frameFigure but closer: it frames the box along the camera's axes.
View frameList(const DrawList& list, int width, int height, ViewFrom side = ViewFrom::ThreeQuarters,
               bool isOrthographic = false);

}  // namespace limber::render

// SPDX-License-Identifier: MIT
#include "render/draw_list.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/body/body_map.h"
#include "limber/body/body_words.h"
#include "render/goal_marks.h"
#include "render/limbs.h"
#include "render/marks.h"
#include "render/obstacle_shapes.h"

namespace limber::render {

namespace {

// Sizes, in mean link lengths unless a comment says otherwise.
constexpr double kRingRatio = 0.35;  // of a rotation ring, in lengths of the link
constexpr double kMinRing = 0.25;
constexpr double kLowGround = 0.1;  // of the figure's height: a smaller depth below zero is a sole or a radius
constexpr double kMinRingPixels = 26.0;
constexpr double kLimitRatio = 0.5;        // of arcs and cones, in lengths of the limb
constexpr double kLimitOverLimb = 3.0;     // the same, in radii of the limb
constexpr double kBallOfBones = 0.45;      // radius of a joint between bones, relative to one between limbs
constexpr double kMostBallOfBones = 0.12;  // the same, at most
constexpr double kMinLimitPixels = 40.0;

constexpr double kOutlinePixels = 3.0;  // on a display without scaling
// Amounts of the accent colour in highlighted links; of white for hovered ones.
constexpr float kSelectedTint = 0.35f, kHoveredTint = 0.25f, kDraggedTint = 0.75f, kFollowsTint = 0.14f,
                kFollowsJointTint = 0.5f;

bool isSkinAlone(const DrawList& list) { return list.skin.isShown && !list.skin.isTranslucent; }

Color bodyColor(const Figure& figure, int link) {
  if (figure.linkCount() > kClutterLinks) return kBody;
  const BodySide side = sidedName(figure.link(link).name).side;
  return side == BodySide::Left ? kLeftLimb : side == BodySide::Right ? kRightLimb : kBody;
}

bool follows(const Highlight& highlight, int link) {
  return static_cast<std::size_t>(link) < highlight.follows.size() && highlight.follows[link];
}

bool isHovered(const Highlight& highlight, int link) {
  return link == highlight.hoveredLink || std::ranges::binary_search(highlight.hoveredLinks, link);
}

Outline outlineOf(int link, const Document& document, const Highlight& highlight) {
  if (document.selection.hasLink(link)) return Outline::Selected;
  return isHovered(highlight, link) ? Outline::Hovered : Outline::None;
}

/// A link's colour with its highlight.
Color litUp(Color color, int link, const Document& document, const Highlight& highlight) {
  if (document.selection.hasLink(link)) color = mix(color, kAccent, kSelectedTint);
  if (link == highlight.draggedLink) return mix(color, kAccent, kDraggedTint);
  if (isHovered(highlight, link)) return mix(color, {1.0f, 1.0f, 1.0f, color.alpha}, kHoveredTint);
  return follows(highlight, link) ? mix(color, kAccent, kFollowsTint) : color;
}

/// Only the highlight, which is mixed into the skin's own colour.
Color tintOf(int link, const Document& document, const Highlight& highlight) {
  if (link == highlight.draggedLink) return withAlpha(kAccent, kDraggedTint);
  if (document.selection.hasLink(link)) return withAlpha(kAccent, kSelectedTint);
  if (isHovered(highlight, link)) return withAlpha({1.0f, 1.0f, 1.0f, 1.0f}, kHoveredTint);
  return withAlpha(kAccent, follows(highlight, link) ? kFollowsTint : 0.0f);
}

void placeSkin(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawSkin& out) {
  out.isShown = document.skin && highlight.skinView != SkinView::Figure;
  out.isTranslucent = highlight.skinView == SkinView::FigureInSkin;
  if (!document.skin) out.groups.reset();
  if (!out.isShown) return;
  if (!out.groups || out.groups->skin != document.skin) out.groups = groupTriangles(document.skin);
  computeBoneTransforms(*document.skin, kinematics, out.worldFromSkin);
  out.tints.clear();
  out.outlines.clear();
  for (const SkinSurface& surface : document.skin->surfaces)
    for (const SkinBone& bone : surface.bones) {
      out.tints.push_back(tintOf(bone.link, document, highlight));
      out.outlines.push_back(outlineOf(bone.link, document, highlight));
    }
  const bool isPlain = std::ranges::all_of(out.outlines, [](Outline each) { return each == Outline::None; });
  if (isPlain || out.isTranslucent) out.outlines.clear();
}

/// True for a robot whose file has neither meshes nor shapes.
bool isBareRobot(const Document& document) {
  if (document.skin || !document.source) return false;
  const SourceFormat format = document.source->format;
  return format == SourceFormat::Urdf || format == SourceFormat::Sdf || format == SourceFormat::Mjcf;
}

/// True if the links are drawn as their capsules.
bool showsCapsules(const Document& document, const Highlight& highlight) {
  return highlight.linkStyle == LinkStyle::Capsules || document.figure->linkCount() > kClutterLinks ||
         (highlight.linkStyle == LinkStyle::Parts && !isBareRobot(document));
}

/// Rebuilds the blocks of the figure's links if figure or style have changed.
void keepBlocks(const Document& document, const Highlight& highlight, std::shared_ptr<const LinkBlocks>& blocks) {
  if (showsCapsules(document, highlight)) return blocks.reset();
  if (blocks && blocks->figure == document.figure && blocks->style == highlight.linkStyle) return;
  blocks = std::make_shared<const LinkBlocks>(makeLinkBlocks(document.figure, highlight.linkStyle));
}

void appendLinks(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  const Figure& figure = *document.figure;
  keepBlocks(document, highlight, list.linkBlocks);
  if (list.linkBlocks) {
    for (const LinkBlock& placed : list.linkBlocks->blocks) {
      const int link = placed.link;
      list.blocks.push_back({kinematics.worldFromLink[link] * placed.block,
                             litUp(bodyColor(figure, link), link, document, highlight), link,
                             outlineOf(link, document, highlight)});
    }
    return;
  }
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Color color = litUp(bodyColor(figure, i), i, document, highlight);
    const Transform& worldFromLink = kinematics.worldFromLink[i];
    const Outline outline = outlineOf(i, document, highlight);
    for (const Capsule& capsule : figure.link(i).capsules) {
      list.capsules.push_back(
          {worldFromLink * capsule.start, worldFromLink * capsule.end, capsule.radius, color, Layer::Scene, i, -1});
      list.capsules.back().outline = outline;
    }
  }
}

/// Radius of a joint's ball.
double ballRadius(const Figure& figure, int joint, const Highlight& highlight) {
  const double radius = jointRadius(figure, joint);
  if (highlight.linkStyle != LinkStyle::Bones || figure.linkCount() > kClutterLinks) return radius;
  return std::min(kBallOfBones * radius, kMostBallOfBones * figure.meanLinkLength());
}

/// The motor of a hinge between the parts of a robot, a ball for other joints: along its axis, clearly thicker than the
/// tube that it turns, because surfaces at about the same place would meet in a jagged line.
DrawCapsule motorOf(const Figure& figure, const Kinematics& kinematics, int joint, double ball) {
  constexpr double kOverTube = 1.3, kAxle = 0.6;  // radius, relative to the tube; half the length, in radii
  constexpr double kThickest = 0.17;              // radius without a tube, in lengths of the longer part
  const Joint& j = figure.joint(joint);
  const double length = std::max(j.parentFromJoint.translation.norm(), boneEnd(figure, joint).norm());
  const double tube = tubeRadius(figure, joint), usual = length > 0.0 ? std::min(ball, kThickest * length) : ball;
  const double radius = tube > 0.0 ? kOverTube * tube : usual;
  const Eigen::Vector3d& centre = kinematics.worldFromLink[joint].translation;
  const Eigen::Vector3d half = j.type == JointType::Revolute
                                   ? (kAxle * radius * (kinematics.worldFromLink[joint].rotation * j.axis)).eval()
                                   : Eigen::Vector3d::Zero().eval();
  return {centre - half, centre + half, radius, kJoint, Layer::Scene, joint, -1};
}

void appendJoints(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  const Figure& figure = *document.figure;
  if (figure.linkCount() > kClutterLinks) return;
  const bool hasMotors = list.linkBlocks && list.linkBlocks->style == LinkStyle::Parts;
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (!showsBall(figure, i) || standsOnShownJoint(figure, i)) continue;
    const Eigen::Vector3d& centre = kinematics.worldFromLink[i].translation;
    const Color color = follows(highlight, i) ? mix(kJoint, kAccent, kFollowsJointTint) : kJoint;
    const double radius = ballRadius(figure, i, highlight);
    list.capsules.push_back(hasMotors ? motorOf(figure, kinematics, i, radius)
                                      : DrawCapsule{centre, centre, radius, kJoint, Layer::Scene, i, -1});
    list.capsules.back().color = color;
  }
  for (int joint : highlight.limitedJoints)
    if (joint >= 0 && joint < figure.linkCount() && showsBall(figure, joint))
      appendLimitMark(figure, kinematics, joint, jointRadius(figure, joint), list);
}

/// Appends the joint under the cursor and those at a limit, which show through a skin.
void appendJointsInSkin(const Document& document, const Kinematics& kinematics, const Highlight& highlight,
                        DrawList& list) {
  const Figure& figure = *document.figure;
  const auto append = [&](int joint, const Color& color) {
    if (joint < 0 || joint >= figure.linkCount() || !showsBall(figure, joint)) return;
    const Eigen::Vector3d& centre = kinematics.worldFromLink[joint].translation;
    list.capsules.push_back({centre, centre, jointRadius(figure, joint), color, Layer::Overlay});
  };
  if (highlight.hoveredLink != document.selection.joint) append(highlight.hoveredLink, kJoint);
  for (const int joint : highlight.limitedJoints)
    if (joint != document.selection.joint) append(joint, kOnLimit);
}

void appendSelectedJoint(const Document& document, const Kinematics& kinematics, const Highlight& highlight,
                         DrawList& list) {
  const Figure& figure = *document.figure;
  const int joint = document.selection.joint;
  if (joint < 0 || joint >= figure.linkCount() || figure.joint(joint).type == JointType::Fixed) return;
  const Eigen::Vector3d& centre = kinematics.worldFromLink[joint].translation;
  const double ball = isSkinAlone(list) ? jointRadius(figure, joint) : ballRadius(figure, joint, highlight);
  const Layer layer = isSkinAlone(list) ? Layer::Overlay : Layer::Scene;
  if (highlight.showJoints) list.capsules.push_back({centre, centre, 1.08 * ball, kAccent, layer, joint, -1});
  double radius = std::max({kRingRatio * figure.linkLength(joint), kMinRing * figure.meanLinkLength(), 1.8 * ball,
                            pixels(highlight, kMinRingPixels, centre)});
  if (isLimited(document, joint)) {
    radius = std::max({radius, kLimitRatio * limbVector(figure, kinematics, joint).norm(),
                       kLimitOverLimb * limbRadius(figure, joint), pixels(highlight, kMinLimitPixels, centre)});
    appendLimits(document, kinematics, joint, radius, list);
  } else if (!highlight.jointHasGizmo) {
    appendRotationAxes(figure, kinematics, joint, radius, list);
  }
  appendLock(document, highlight, centre, joint, radius, list);
}

void extend(Eigen::AlignedBox3d& box, const Eigen::Vector3d& start, const Eigen::Vector3d& end, double radius) {
  box.extend((start.cwiseMin(end).array() - radius).matrix());
  box.extend((start.cwiseMax(end).array() + radius).matrix());
}

/// The box around the skin, the blocks and the capsules of the Scene layer, along the rows of a rotation.
Eigen::AlignedBox3d sceneBox(const DrawList& list, const Eigen::Matrix3d& axes) {
  Eigen::AlignedBox3d box;
  if (list.skin.isShown) box.extend(boxAround(*list.skin.groups, list.skin.worldFromSkin, axes));
  for (const DrawCapsule& capsule : list.capsules)
    if (capsule.layer == Layer::Scene) extend(box, axes * capsule.start, axes * capsule.end, capsule.radius);
  for (const DrawBlock& drawn : list.blocks)
    for (const Eigen::Vector3d& corner : cornersOf(drawn.block)) box.extend(axes * corner);
  return box;
}

void computeBounds(DrawList& list) {
  Eigen::AlignedBox3d box = sceneBox(list, Eigen::Matrix3d::Identity());
  for (const Obstacle& obstacle : list.obstacles)
    for (const Eigen::Vector3d& corner : hullInWorld(obstacle).vertices) box.extend(corner);
  if (box.isEmpty()) box.extend(Eigen::Vector3d::Zero());
  list.boundsMin = box.min();
  list.boundsMax = box.max();
}

/// The quarter turns about y that bring +z nearest to where a human body faces; 0 for other figures.
int frontTurnsOf(const Figure& figure, const Kinematics& kinematics) {
  const BodyMap& body = bodyMapOf(figure);
  const int left = body.find(BodyPart::UpperLeg, BodySide::Left),
            right = body.find(BodyPart::UpperLeg, BodySide::Right);
  if (left < 0 || right < 0) return 0;
  const Eigen::Vector3d across =
      kinematics.worldFromLink[left].translation - kinematics.worldFromLink[right].translation;
  const Eigen::Vector3d ahead = across.cross(Eigen::Vector3d::UnitY());
  if (!(ahead.norm() > 0.5 * across.norm())) return 0;  // it lies on its side
  return static_cast<int>(std::lround(std::atan2(ahead.x(), ahead.z()) / (0.5 * std::numbers::pi))) & 3;
}

/// Computes groundHeight, which is zero unless the figure's first pose is clearly lower, frontTurns and figureSize.
void findGround(const Document& document, DrawList& list) {
  const Figure& figure = *document.figure;
  Kinematics kinematics;
  const bool hasMotion = document.motion && document.motion->frameCount > 0;
  computeTransforms(figure, hasMotion ? document.motion->poseAt(figure, 0) : restPose(figure), kinematics);
  Eigen::AlignedBox3d box;
  for (int i = 0; i < figure.linkCount(); ++i)
    for (const Capsule& capsule : figure.link(i).capsules)
      extend(box, kinematics.worldFromLink[i] * capsule.start, kinematics.worldFromLink[i] * capsule.end,
             capsule.radius);
  if (box.isEmpty()) box.extend(Eigen::Vector3d::Zero());
  const double low = box.min().y();
  list.groundHeight = low < -kLowGround * (box.max().y() - low) ? low : 0.0;
  list.figureSize = std::max(box.sizes().maxCoeff(), figure.meanLinkLength());
  list.frontTurns = figure.linkCount() > kClutterLinks ? 0 : frontTurnsOf(figure, kinematics);
}

}  // namespace

bool DrawSkin::operator==(const DrawSkin& other) const {
  if (!isShown && !other.isShown) return true;
  const auto isSamePlace = [](const Eigen::Affine3d& a, const Eigen::Affine3d& b) { return a.matrix() == b.matrix(); };
  return isShown == other.isShown && isTranslucent == other.isTranslucent && groups == other.groups &&
         std::ranges::equal(worldFromSkin, other.worldFromSkin, isSamePlace) && tints == other.tints &&
         outlines == other.outlines;
}

namespace {

/// The index of the shown axis along an axis of the scene.
int shownAxisAlong(const Highlight& highlight, int axis) {
  Eigen::Index shown = axis;
  highlight.worldAxes.row(axis).cwiseAbs().maxCoeff(&shown);
  return static_cast<int>(shown);
}

/// Places the shown picture on its plane, or beyond the figure, as its camera sees it.
void placeReference(const Document& document, DrawList& list) {
  const ReferencePicture* picture = shownPicture(document);
  if (!picture || picture->file->image.pixels.empty()) return;
  const double depth =
      picture->camera.depthOf(0.5 * (list.boundsMin + list.boundsMax)) + kReferenceBeyond * list.figureSize;
  list.reference = {.file = picture->file,
                    .corners = cornersAt(*picture, std::max(depth, kReferenceBeyond * list.figureSize)),
                    .crop = picture->crop,
                    .opacity = static_cast<float>(picture->opacity),
                    .isInFront = picture->isInFront};
}

}  // namespace

void makeDrawList(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  list.capsules.clear();
  list.blocks.clear();
  list.skin.isShown = false;
  list.shell = highlight.shell;
  list.reference = {};
  list.surroundings = highlight.surroundings;
  list.outlinePixels = kOutlinePixels * highlight.displayScale;
  if (!document.figure) {
    computeBounds(list);
    return;
  }
  if (list.groundFigure != document.figure || list.groundMotion != document.motion) {
    findGround(document, list);
    list.groundFigure = document.figure;
    list.groundMotion = document.motion;
  }
  list.planar = document.figure->isPlanar();
  list.groundAxes = {shownAxisAlong(highlight, 0), shownAxisAlong(highlight, list.planar ? 1 : 2)};

  placeSkin(document, kinematics, highlight, list.skin);
  if (isSkinAlone(list)) {
    if (highlight.showJoints) appendJointsInSkin(document, kinematics, highlight, list);
  } else {
    appendLinks(document, kinematics, highlight, list);
    if (highlight.showJoints) appendJoints(document, kinematics, highlight, list);
  }
  appendSelectedJoint(document, kinematics, highlight, list);
  appendLoops(document, kinematics, highlight, list);
  appendPins(document, kinematics, highlight, list);
  appendGoals(document, kinematics, highlight, list);
  appendPaths(document, highlight, list);
  placeObstacles(document, highlight, list);
  appendObstacleMarks(document, highlight, list);
  if (highlight.showBalance) appendBalance(document, kinematics, highlight, list);
  appendSoles(document, kinematics, highlight, list);
  computeBounds(list);
  if (highlight.showReference) placeReference(document, list);
}

View frameList(const DrawList& list, int width, int height, ViewFrom side, bool isOrthographic) {
  View view = frameFigure(list.boundsMin, list.boundsMax, list.planar, width, height, side, list.frontTurns);
  if (isOrthographic) view = asOrthographic(view);
  Eigen::Matrix3d axes = cameraFromWorld(view).topLeftCorner<3, 3>();
  axes.row(2) *= -1.0;  // forward
  Eigen::AlignedBox3d box = sceneBox(list, axes);
  if (list.shell.shell)
    for (const Eigen::Vector3d& vertex : list.shell.shell->vertices) box.extend(axes * vertex);
  return box.isEmpty() ? view : frameCameraBox(view, box.min(), box.max());
}

}  // namespace limber::render

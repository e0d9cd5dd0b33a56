// SPDX-License-Identifier: MIT
#include <algorithm>

#include "app/stage/stage.h"

#include "app/drag/drag_chain.h"
#include "app/drag/free_drag.h"
#include "app/editing/why.h"
#include "app/stage/picture_view.h"
#include "app/stage/viewing.h"
#include "limber/scene/clock.h"

namespace limber::app {

namespace {

void highlightSettings(const Stage& session, render::Highlight& h) {
  const Document& document = session.document();
  const Settings& settings = session.settings;
  h.showJoints = settings.showJoints;
  h.showReference = session.ui.reference.isShown;
  h.skinView = settings.skinView;
  h.surroundings = settings.theme == ThemeName::Light ? render::kLightSurroundings : render::kDarkSurroundings;
  h.linkStyle = settings.linkStyle;
  if (session.ui.timeline.pathGoal == document.selection.goal) h.pathPoint = session.ui.timeline.pathPoint;
  h.displayScale = session.picture.displayScale;
  h.worldAxes = session.picture.gizmo.world;
  const FoundReach* found = session.services.reaching.found();
  h.shell = {session.ui.workspace.showsShell && found ? found->shell : nullptr,
             static_cast<float>(settings.reachOpacity)};
  h.showBalance = document.keepsBalance || settings.showBalance;
}

/// Highlights touched obstacles, joints at limits, and goals that are not active.
void highlightReport(const Document& document, const PosingReport* report, const ContactsShown& touching,
                     render::Highlight& h) {
  for (const ContactReport& contact : touching.contacts())
    if (contact.isInside && contact.obstacle >= 0) h.hitObstacles.push_back(contact.obstacle);
  if (!report) return;
  h.limitedJoints = blockedJoints(*document.figure, *report);
  for (const GoalReport& goal : report->goals)
    if (!goal.live) h.idleGoals.push_back(goal.id);
}

/// Highlights what is under the cursor.
void highlightHover(const Stage& session, render::Highlight& h) {
  const Picture& picture = session.picture;
  const auto hit = pick(picture.drawList, picture.view(), session.pointer.x, session.pointer.y, picture.displayScale);
  if (!hit) return;
  h.hoveredLink = hit->link;
  h.hoveredGoal = hit->goal;
  h.hoveredGrip = hit->grip;
  h.hoveredPart = hit->part;
  h.hoveredObstacle = hit->obstacle;
  if (hit->link >= 0 && hit->goal < 0 && hit->obstacle < 0)
    h.hoveredLinks = clickedSelection(partsOf(session.document()), session.document().selection, hit->link).allLinks();
}

/// The links, one flag for each, that would move first if the link or target under the cursor were dragged.
std::vector<char> followersOfHovered(const Document& document, const render::Highlight& highlight) {
  const GoalItem* goal = findGoal(document, highlight.hoveredGoal);
  const int link = highlight.hoveredLink >= 0 ? highlight.hoveredLink : goal ? goal->link : -1;
  if (link < 0) return {};
  if (std::vector<char> limb = limbThatReaches(document, link); !limb.empty()) return limb;
  if (highlight.hoveredLink < 0) return {};
  const bool freesRoot = document.figure->isFreeRoot(link);
  return byLink(document, joinedAbove(document, link, freesRoot));
}

/// Hides the marks that the gizmo replaces.
void highlightGizmo(const Stage& session, render::Highlight& highlight) {
  const auto gizmo = gizmoOf(session.document(), session.picture.kinematics, session.picture.gizmo);
  if (!gizmo) return;
  const bool hasRings = gizmo->mark.rings != std::array<bool, 3>{};
  highlight.jointHasGizmo = gizmo->subject != Subject::Goal && gizmo->subject != Subject::Obstacle;
  highlight.goalHasRings = gizmo->subject == Subject::Goal && hasRings;
  highlight.obstacleHasArrows = gizmo->subject == Subject::Obstacle && !hasRings;
}

void updateHighlight(Stage& session) {
  render::Highlight& h = session.picture.highlight;
  const Document& document = session.document();
  const Pointer& pointer = session.pointer;
  const PosingReport* report = session.solving.reportFor(document);
  h = {};
  highlightSettings(session, h);
  session.picture.touching.update(document, report);
  highlightReport(document, report, session.picture.touching, h);
  highlightGizmo(session, h);
  if (pointer.isDragging()) pointer.tool->highlight(session, h);
  else if (pointer.following) pointer.following->highlight(session, h);
  else if (!pointer.tool && pointer.isInside) highlightHover(session, h);
  else if (!pointer.tool) h.hoveredLinks = session.ui.tree.hoveredRow;
  if (!pointer.isDragging() && document.mode == Mode::Inverse && !session.ui.planting)
    h.follows = followersOfHovered(document, h);
}

/// Appends the gizmo of the selection and the lines of an axis lock.
void appendGizmoAndLocks(const Stage& session, render::DrawList& list) {
  Drag* drag = session.pointer.drag();
  const FreeDrag* free = drag ? drag->asFree() : nullptr;
  const render::View view = session.picture.view();
  if (auto gizmo = gizmoOf(session.document(), session.picture.kinematics, session.picture.gizmo)) {
    render::GizmoMark& mark = gizmo->mark;
    mark.isHeld = drag && isGizmo(drag->grip);
    mark.lit = mark.isHeld                                      ? drag->grip
               : isGizmo(session.picture.highlight.hoveredGrip) ? session.picture.highlight.hoveredGrip
                                                                : render::Grip::None;
    if (mark.isHeld && free) free->showIn(mark);
    if (!drag || mark.isHeld) render::appendGizmo(mark, view, session.picture.displayScale, list);
  }
  if (!free || !free->lock) return;
  for (int axis = 0; axis < 3; ++axis)
    if ((axis == free->lock->axis) != free->lock->isPlane)
      render::appendLockLine(free->centre(), free->axes.col(axis), axis, view, session.picture.displayScale, list);
}

/// Shows the picture over the figure, which would hide the places to click, while a click in it is awaited.
void showClickedPicture(Stage& session) {
  constexpr float kMostOpaque = 0.8f;  // the figure stays visible, faintly, while its joints are marked
  const std::optional<Planting>& planting = session.ui.planting;
  if (!planting || !planting->awaitsPicture()) return;
  render::DrawReference& reference = session.picture.drawList.reference;
  reference.isInFront = true;
  if (!planting->showsCamera()) reference.opacity = std::min(reference.opacity, kMostOpaque);
}

}  // namespace

void updateScene(Stage& session) {
  if (std::string note = session.editor.takeLoopNote(); !note.empty()) session.say(std::move(note), 8.0);
  const Document& document = session.document();
  session.picture.gizmo.world = shownWorld(session.settings.worldAxes, *document.figure).sceneFromShown;
  const auto blended = session.solving.blend().at(document, session.ui.now);
  computeKinematics(*document.figure, blended ? *blended : document.pose, session.picture.kinematics);
  const bool showedPlane = session.picture.drawList.planar && seesPlane(session.picture.camera);
  if (session.picture.framed != document.figure.get()) session.picture.drawList = {};  // of another figure
  if (session.editor.isSameDocument(session.picture.framed)) session.picture.framed = document.figure.get();
  if (session.picture.framed != document.figure.get() && session.picture.area.width >= 1.0) {
    const Settings& settings = session.settings;
    render::makeDrawList(document, session.picture.kinematics,
                         {.skinView = settings.skinView, .linkStyle = settings.linkStyle}, session.picture.drawList);
    if (showedPlane) session.picture.camera.isOrthographic = false;  // it was orthographic only for the plane
    session.picture.camera = homeView(session);
    if (document.view) takeStoredView(session.picture.camera, *document.view);
    session.picture.camera.through.isOn = shownPicture(document) && !session.ui.reference.isNew;
    session.picture.turn.reset();
    session.picture.framed = document.figure.get();
  }
  followReference(session);
  updateHighlight(session);
  const render::View view = session.picture.view();
  session.picture.highlight.view = &view;  // marks stay large enough to see and grab
  render::makeDrawList(document, session.picture.kinematics, session.picture.highlight, session.picture.drawList);
  KeyTrail& trail = session.services.trail;
  trail.update(document, session.settings.visible.timeline, session.settings.onionSkin && !session.playing.isPlaying());
  render::appendTrail(document, trail.path(), session.picture.highlight, session.picture.drawList);
  session.picture.highlight.view = nullptr;
  showClickedPicture(session);
  appendGizmoAndLocks(session, session.picture.drawList);
  const double pixel = session.picture.pixelSize();
  const Drag* grabbed = session.pointer.tool ? session.pointer.tool->drag() : nullptr;
  session.services.racing.appendGhosts(document, session.picture.kinematics, session.ui.race,
                                       grabbed ? grabbed->dragged->goal : -1, pixel, session.picture.drawList);
  trail.appendGhosts(document, session.picture.kinematics, pixel, session.picture.drawList);
  session.services.ways.appendGhost(document, session.ui.ways.hovered, session.picture.kinematics, pixel,
                                    session.picture.drawList);
  session.picture.camera.boundsMin = session.picture.drawList.boundsMin;
  session.picture.camera.boundsMax = session.picture.drawList.boundsMax;
}

}  // namespace limber::app

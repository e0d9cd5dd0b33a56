// SPDX-License-Identifier: MIT
#include "app/session/picture_camera.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/session/picture_view.h"
#include "app/view/reference_camera.h"
#include "limber/posing/outcome.h"

namespace limber::app {

namespace {

using Clicks = Planting::Clicks;

constexpr std::size_t kEnds = 8;  // of two edges for each of two directions
constexpr double kReach = 10.0;   // from the cursor to an end that is picked, pixels at display scale 1
constexpr const char* kShownCameraGesture = "camera from the picture";

/// Where the window shows a pixel of the picture.
std::optional<Eigen::Vector2d> inWindow(const Session& session, const Eigen::Vector2d& pixel) {
  const PictureCamera& camera = shownPicture(session.document())->camera;
  const double depth = camera.depthOf(session.picture.drawList.reference.corners[0]);
  return render::projectToPixel(session.picture.view(), camera.pointAt(pixel, depth));
}

/// The index of the end that is drawn there; -1 for none.
int endNear(const Session& session, double x, double y) {
  const auto& pixels = session.ui.planting->pixels;
  int nearest = -1;
  double least = kReach * session.picture.displayScale;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const auto at = inWindow(session, pixels[i]);
    if (!at || (*at - Eigen::Vector2d(x, y)).norm() >= least) continue;
    least = (*at - Eigen::Vector2d(x, y)).norm();
    nearest = static_cast<int>(i);
  }
  return nearest;
}

/// Changes the camera of the shown picture, in one undo step with the preceding changes.
template <typename Change>
void changeCamera(Session& session, const char* label, const Change& change) {
  session.editor.edit(label, kShownCameraGesture,
                      [&](Document& document) { change(findPicture(document, document.shownPicture)->camera); });
  followReference(session);
  requestSolve(session);
}

void useEdges(Session& session) {
  const auto& pixels = session.ui.planting->pixels;
  std::array<PictureEdge, kEnds / 2> edges;
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = {pixels[2 * i], pixels[2 * i + 1]};
  const auto found =
      cameraFromEdges(std::span(edges).first(2), std::span(edges).last(2), shownPicture(session.document())->camera);
  if (!found)
    return session.fail(
        "These edges do not determine the camera: draw two parallel edges some distance apart, and two at right angles "
        "to them");
  const Eigen::Vector3d pivot = referencePivot(session);
  changeCamera(session, "camera from edges", [&](PictureCamera& camera) {
    setFocal(camera, pivot, found->focal);
    turnAbout(camera, pivot, found->worldFromCamera);
  });
  if (found->tellsFocal) session.say("The camera fits the edges. Drag an end to correct it", 8.0);
  else session.say("The camera is turned; the edges do not determine its field of view, which is unchanged", 8.0);
}

/// Places the grabbed end of an edge, or else grabs the end at the cursor or begins an edge there.
void placeEnd(Session& session, double x, double y) {
  Planting& planting = *session.ui.planting;
  const auto pixel = shownPixelAt(session, x, y);
  if (!pixel) return session.fail("click in the picture");
  if (planting.inHand >= 0) {
    planting.pixels[static_cast<std::size_t>(planting.inHand)] = *pixel;
    planting.inHand = -1;
    if (planting.pixels.size() == kEnds) useEdges(session);
    return;
  }
  planting.inHand = endNear(session, x, y);
  if (planting.inHand >= 0 || planting.pixels.size() == kEnds) return;
  planting.pixels.insert(planting.pixels.end(), 2, *pixel);
  planting.inHand = static_cast<int>(planting.pixels.size()) - 1;
}

/// The height of the figure as shown, in its rest pose.
double heightAtRest(const Session& session) {
  Document document = session.document();
  document.pose = restPose(*document.figure);
  document.obstacles.clear();
  render::DrawList list;
  render::makeDrawList(document, transformsOf(*document.figure, document.pose),
                       {.skinView = session.settings.skinView, .linkStyle = session.settings.linkStyle}, list);
  return list.boundsMax.y() - list.boundsMin.y();
}

void placeByStature(Session& session) {
  Planting& planting = *session.ui.planting;
  const auto pixel = shownPixelAt(session, session.pointer.x, session.pointer.y);
  if (!pixel) return session.fail("click in the picture");
  Eigen::Vector3d ground = referencePivot(session);
  ground.y() = session.picture.drawList.groundHeight;
  if (planting.pixels.empty()) {
    planting.pixels.push_back(*pixel);
    return changeCamera(session, "camera over the ground",
                        [&](PictureCamera& camera) { slideTo(camera, ground, *pixel); });
  }
  const double height = heightAtRest(session);
  const auto found =
      cameraFromHeight(shownPicture(session.document())->camera, planting.pixels.front(), *pixel, ground, height);
  if (!found) return session.fail("The top of the head is above the ground: click it there");
  changeCamera(session, "camera from a standing figure", [&](PictureCamera& camera) { camera = *found; });
  session.ui.planting.reset();
  session.say((found->isParallel ? "The picture is scaled to this figure's height, "
                                 : "The camera is placed by this figure's height, ") +
                  lengthInWords(height),
              6.0);
}

}  // namespace

void startShowingCamera(Session& session, Clicks clicks) {
  if (!hasReference(session)) return;
  session.ui.reference.isShown = true;
  session.ui.planting = Planting{.clicks = clicks};
  session.ui.message = {};
  session.editor.endGesture();
  if (!session.picture.camera.through.isOn) toggleLookThrough(session);
}

void showCamera(Session& session) {
  if (session.ui.planting->clicks == Clicks::Stature) return placeByStature(session);
  placeEnd(session, session.pointer.x, session.pointer.y);
}

bool showsCamera(const Session& session) {
  const auto& planting = session.ui.planting;
  return planting && (planting->clicks == Clicks::Edges || planting->clicks == Clicks::Stature);
}

std::string cameraHint(const Planting& planting) {
  if (planting.clicks == Clicks::Stature)
    return planting.pixels.empty() ? "Click the ground under a figure that stands upright (1 of 2)"
                                   : "Click the top of its head (2 of 2)";
  constexpr const char* kAsked[] = {"Draw an edge of a room, a street or a table", "Draw another edge parallel to it",
                                    "Draw an edge at right angles to these two", "Draw another edge parallel to that"};
  const std::size_t drawn = (planting.pixels.size() - (planting.inHand >= 0 ? 1 : 0)) / 2;
  if (planting.pixels.size() == kEnds && planting.inHand != kEnds - 1) return "Drag an end to correct the camera";
  return std::string(kAsked[drawn]) + " (" + std::to_string(drawn + 1) + " of 4)";
}

bool startSketching(Session& session) {
  const auto& planting = session.ui.planting;
  if (!planting || planting->clicks != Clicks::Edges) return false;
  if (planting->inHand < 0) placeEnd(session, session.pointer.pressX, session.pointer.pressY);
  return planting->inHand >= 0;
}

void sketch(Session& session) {
  auto& planting = session.ui.planting;
  if (!planting || planting->inHand < 0) return;
  if (const auto pixel = shownPixelAt(session, session.pointer.x, session.pointer.y))
    planting->pixels[static_cast<std::size_t>(planting->inHand)] = *pixel;
}

std::vector<ShownEdge> shownEdges(const Session& session) {
  std::vector<ShownEdge> edges;
  const auto& planting = session.ui.planting;
  if (!planting || planting->clicks != Clicks::Edges || !shownPicture(session.document())) return edges;
  for (std::size_t i = 0; i + 1 < planting->pixels.size(); i += 2) {
    const auto from = inWindow(session, planting->pixels[i]), to = inWindow(session, planting->pixels[i + 1]);
    if (from && to) edges.push_back({{*from, *to}, i < kEnds / 2 ? 0 : 1});
  }
  return edges;
}

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// Reference pictures: which one is shown and how, its camera, and the joints that are marked in it.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/reference_picture.h"
#include "app/stage/picture_view.h"
#include "app/tools/tools.h"
#include "app/view/reference_camera.h"
#include "limber/io/base/text.h"

namespace limber::app {

namespace {

constexpr double kLeastFieldOfView = 1.0 / kDegrees, kMostFieldOfView = 150.0 / kDegrees;
constexpr double kUsualFieldOfView = 40.1 / kDegrees;
constexpr double kFarthestPlane = 1e6;  // metres from the figure
constexpr double kSamePlace = 1e-9;     // metres

/// The focal length, in pixels, of a pinhole camera with this vertical field of view.
double focalFor(const ReferencePicture& picture, double fieldOfView) {
  return 0.5 * picture.height / std::tan(0.5 * fieldOfView);
}

using ChangePicture = std::function<void(ReferencePicture&)>;

void editPicture(CommandQueue& queue, const char* label, const std::string& gesture, AfterEdit after, int id,
                 ChangePicture change) {
  queue.edit(label, gesture, after, [id, change = std::move(change)](Document& d) {
    if (ReferencePicture* picture = findPicture(d, id)) change(*picture);
  });
}

std::string titleOf(const ReferencePicture& picture) {
  return io::asUtf8(picture.file->path.filename().string()) +
         (picture.file->image.pixels.empty() ? " (not found)" : "");
}

/// The list of pictures, and a button that removes the shown one.
void drawChoice(const Document& document, const ReferencePicture* shown, UiState& ui, CommandQueue& queue) {
  std::vector<std::string> names;
  int present = -1;
  for (const ReferencePicture& picture : document.pictures) {
    if (&picture == shown) present = static_cast<int>(names.size());
    names.push_back(std::to_string(names.size() + 1) + "  " + titleOf(picture));
  }
  rowLabel("Picture", "the picture that is shown", kResetEms);
  const int chosen = choose("##picture", names, present, "none", ui);
  if (chosen >= 0)
    queue.edit("show another picture", "", AfterEdit::Nothing,
               [id = document.pictures[static_cast<std::size_t>(chosen)].id](Document& d) { d.shownPicture = id; });
  ImGui::SameLine();
  if (shown && crossButton("##remove", "remove this picture; its marks become goals on a line"))
    queue.edit("remove picture", "", AfterEdit::Nothing, [id = shown->id](Document& d) { removePicture(d, id); });
}

void drawSwitches(const Session& session, UiState& ui, CommandQueue& queue) {
  commandCheckbox(Command::ToggleReference, session, queue);
  ImGui::SameLine();
  commandCheckbox(Command::LookThroughReference, session, queue, "Look through it");
  ImGui::BeginDisabled(!session.picture.camera.through.isOn);
  const ReferencePicture* shown = shownPicture(session.document());
  const bool isOnPlane = shown && shown->isOnPlane();
  ImGui::Checkbox(isOnPlane ? "Move the picture###moves" : "Move the camera###moves", &ui.reference.movesCamera);
  ImGui::EndDisabled();
  tooltip(isOnPlane
              ? "orbit, pan and zoom turn, move and scale the picture about the figure; otherwise they move figure "
                "and picture together on the screen"
              : "orbit, pan and zoom move the picture's camera about the figure; otherwise they move figure and "
                "picture together on the screen");
}

void drawLook(const ReferencePicture& picture, UiState& ui, CommandQueue& queue) {
  const int id = picture.id;
  numberRow("Opacity", 100.0 * picture.opacity, 100.0 * ReferencePicture().opacity,
            {.minimum = 0.0, .maximum = 100.0, .format = "%.0f %%", .tooltip = "of the picture"}, ui,
            [&](double value, const std::string& gesture) {
              editPicture(queue, "opacity of the picture", gesture, AfterEdit::Nothing, id,
                          [value](ReferencePicture& p) { p.opacity = std::clamp(0.01 * value, 0.0, 1.0); });
            });
  bool isInFront = picture.isInFront, isInScene = picture.isInScene;
  if (ImGui::Checkbox("In front of the figure", &isInFront))
    editPicture(queue, "picture in front or behind", "", AfterEdit::Nothing, id,
                [isInFront](ReferencePicture& p) { p.isInFront = isInFront; });
  tooltip("draws the picture over the figure instead of behind it");
  if (ImGui::Checkbox("Save inside the scene", &isInScene))
    editPicture(queue, "picture inside the scene", "", AfterEdit::Nothing, id,
                [isInScene](ReferencePicture& p) { p.isInScene = isInScene; });
  tooltip("a saved scene contains the picture; otherwise it holds the path of its file");
}

void drawCrop(const ReferencePicture& picture, UiState& ui, CommandQueue& queue) {
  if (!ImGui::TreeNodeEx("Crop", ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_NoTreePushOnOpen)) return;
  constexpr const char* kSides[] = {"Left", "Top", "Right", "Bottom"};
  for (std::size_t side = 0; side < std::size(kSides); ++side) {
    const double most = kMostCrop - picture.crop[(side + 2) % 4];
    numberRow(kSides[side], 100.0 * picture.crop[side], 0.0,
              {.minimum = 0.0, .maximum = 100.0 * most, .format = "%.1f %%", .tooltip = "share that is cut off there"},
              ui, [&](double value, const std::string& gesture) {
                editPicture(queue, "crop the picture", gesture, AfterEdit::Nothing, picture.id,
                            [=](ReferencePicture& p) { p.crop[side] = std::clamp(0.01 * value, 0.0, most); });
              });
  }
}

void angleRow(const char* label, const char* about, double CameraAngles::*angle, double most,
              const ReferencePicture& picture, const Eigen::Vector3d& pivot, UiState& ui, CommandQueue& queue) {
  numberRow(label, kDegrees * (anglesOf(picture.camera).*angle), 0.0,
            {.minimum = -most, .maximum = most, .format = "%.1f°", .tooltip = about}, ui,
            [&](double value, const std::string& gesture) {
              editPicture(queue, "direction of the camera", gesture, AfterEdit::Solve, picture.id,
                          [=](ReferencePicture& p) {
                            CameraAngles angles = anglesOf(p.camera);
                            angles.*angle = value / kDegrees;
                            turnAbout(p.camera, pivot, angles);
                          });
            });
}

/// The choice between a picture before its own camera and one on a plane of the world.
void drawStand(const Session& session, const ReferencePicture& picture, UiState& ui, CommandQueue& queue) {
  rowLabel("Stands", "before a camera of its own, as a photograph; or on a plane of the world, as a front or side view",
           kResetEms);
  const bool isOnPlane = picture.isOnPlane();
  const int chosen = choose("##stands", {"before its camera", "on a plane"}, isOnPlane ? 1 : 0, "", ui);
  if (chosen < 0 || (chosen == 1) == isOnPlane) return;
  const Eigen::Vector3d pivot = referencePivot(session);
  editPicture(queue, isOnPlane ? "picture before its camera" : "picture on a plane", "", AfterEdit::Solve, picture.id,
              [pivot, beyond = beyondFigure(session), isOnPlane](ReferencePicture& p) {
                if (isOnPlane) return putBeforePinhole(p.camera, pivot, focalFor(p, kUsualFieldOfView));
                placeAtSide(p.camera, pivot, nearestSide(p.camera));
                putOnPlane(p.camera, p.size(), pivot, beyond);
              });
}

/// The side from which the plane is seen, and the size, distance and place of the picture on it.
void drawPlane(const Session& session, const ReferencePicture& picture, UiState& ui, CommandQueue& queue) {
  const Eigen::Vector3d pivot = referencePivot(session);
  std::vector<std::string> names;
  for (const render::ViewFrom side : kSides) names.emplace_back(render::nameOf(side));
  const auto present = sideOf(picture.camera);
  const int index = present ? static_cast<int>(std::ranges::find(kSides, *present) - kSides.begin()) : -1;
  rowLabel("View from", "the side of the figure that the picture shows", kResetEms);
  const int chosen = choose("##side", names, index, "turned", ui);
  if (chosen >= 0)
    editPicture(queue, "side of the picture", "", AfterEdit::Solve, picture.id,
                [pivot, side = kSides[static_cast<std::size_t>(chosen)]](ReferencePicture& p) {
                  placeAtSide(p.camera, pivot, side);
                });
  const double width = picture.width / picture.camera.focal, beyond = -picture.camera.depthOf(pivot);
  lengthRow(
      "Width", width, width,
      {.minimum = 1e-3, .speed = 0.005, .tooltip = "of the whole picture in the world; the figure stays in place"}, ui,
      [&](double value, const std::string& gesture) {
        editPicture(queue, "size of the picture", gesture, AfterEdit::Solve, picture.id,
                    [=](ReferencePicture& p) { setFocal(p.camera, pivot, p.width / value); });
      });
  const double usual = beyondFigure(session);
  lengthRow("Distance", beyond, usual,
            {.minimum = -kFarthestPlane,
             .maximum = kFarthestPlane,
             .speed = 0.01,
             .tooltip = "from the middle of the figure to the picture, along the line of sight"},
            ui, [&](double value, const std::string& gesture) {
              editPicture(queue, "distance of the picture", gesture, AfterEdit::Nothing, picture.id,
                          [=](ReferencePicture& p) { setBeyond(p.camera, pivot, value); });
            });
  const auto slideRow = [&](const char* label, const char* about, int axis, double sign) {
    const Eigen::Vector2d middle = picture.camera.project(pivot) - 0.5 * picture.size();
    const double exact = sign * middle[axis] / picture.camera.focal,
                 offset = std::abs(exact) < kSamePlace ? 0.0 : exact;
    lengthRow(label, offset, 0.0,
              {.minimum = -kFarthestPlane, .maximum = kFarthestPlane, .speed = 0.005, .tooltip = about}, ui,
              [&](double value, const std::string& gesture) {
                editPicture(queue, "move the picture", gesture, AfterEdit::Solve, picture.id, [=](ReferencePicture& p) {
                  p.camera.worldFromCamera.translation +=
                      sign * (offset - value) * p.camera.worldFromCamera.rotation.col(axis);
                });
              });
  };
  slideRow("To the right", "of the picture's middle relative to that of the figure, in the picture", 0, -1.0);
  slideRow("Upward", "of the picture's middle relative to that of the figure, in the picture", 1, 1.0);
}

/// Field of view, and distance from the figure.
void drawPinhole(const Session& session, const ReferencePicture& picture, UiState& ui, CommandQueue& queue) {
  const Eigen::Vector3d pivot = referencePivot(session);
  numberRow("Field of view", kDegrees * 2.0 * std::atan(0.5 * picture.height / picture.camera.focal),
            kDegrees * kUsualFieldOfView,
            {.minimum = kDegrees * kLeastFieldOfView,
             .maximum = kDegrees * kMostFieldOfView,
             .format = "%.1f°",
             .tooltip = "vertical, of the picture; the figure keeps its size in it"},
            ui, [&](double value, const std::string& gesture) {
              const double angle = std::clamp(value / kDegrees, kLeastFieldOfView, kMostFieldOfView);
              editPicture(queue, "field of view", gesture, AfterEdit::Solve, picture.id,
                          [=](ReferencePicture& p) { setFocal(p.camera, pivot, focalFor(p, angle)); });
            });
  lengthRow("Distance", picture.camera.depthOf(pivot), picture.camera.depthOf(pivot),
            {.minimum = 0.05, .speed = 0.01, .tooltip = "from the camera to the middle of the figure"}, ui,
            [&](double value, const std::string& gesture) {
              editPicture(queue, "distance of the camera", gesture, AfterEdit::Solve, picture.id,
                          [=](ReferencePicture& p) {
                            const render::Ray ahead{p.camera.worldFromCamera.translation, p.camera.ahead()};
                            approach(p.camera, pivot, ahead, value / p.camera.depthOf(pivot));
                          });
            });
}

void drawCamera(const Session& session, const ReferencePicture& picture, UiState& ui, CommandQueue& queue) {
  const bool isOnPlane = picture.isOnPlane();
  if (!ImGui::TreeNodeEx(isOnPlane ? "Plane###camera" : "Camera###camera", ImGuiTreeNodeFlags_SpanAvailWidth |
                                                                               ImGuiTreeNodeFlags_NoTreePushOnOpen |
                                                                               ImGuiTreeNodeFlags_DefaultOpen))
    return;
  drawStand(session, picture, ui, queue);
  if (!isOnPlane) {
    if (button(
            "From edges",
            "draw two edges of a room or a street along one direction, and two at right angles to them: they determine "
            "direction and field of view"))
      queue.add(Command::UseReference, ReferenceWish::DrawEdges);
    ImGui::SameLine();
  }
  if (button("From a standing figure",
             isOnPlane ? "click the ground under a figure that stands upright in the picture, and the top of its head: "
                         "with the height of this figure they determine the picture's size and place"
                       : "click the ground under a figure that stands upright in the picture, and the top of its head: "
                         "with the height of this figure they determine where the camera is"))
    queue.add(Command::UseReference, ReferenceWish::ShowStature);
  if (isOnPlane) drawPlane(session, picture, ui, queue);
  else drawPinhole(session, picture, ui, queue);
  const Eigen::Vector3d pivot = referencePivot(session);
  angleRow("Horizon", "downward pitch of the line of sight; it moves the horizon up in the picture",
           &CameraAngles::pitch, 89.0, picture, pivot, ui, queue);
  angleRow("Tilt", "of the horizon, about the line of sight", &CameraAngles::roll, 180.0, picture, pivot, ui, queue);
  angleRow("Heading", "of the line of sight, about the figure", &CameraAngles::heading, 180.0, picture, pivot, ui,
           queue);
}

std::size_t markCount(const Document& document, const ReferencePicture& picture) {
  return static_cast<std::size_t>(std::ranges::count_if(
      document.goals, [&](const GoalItem& g) { return g.enabled && pictureOf(document, g) == &picture; }));
}

void drawMarking(const Session& session, const ReferencePicture& picture, UiState& ui, CommandQueue& queue) {
  if (ui.planting && ui.planting->isInPicture()) {
    if (!ui.planting->asked.empty()) {
      if (button("Not visible", "skips to the next joint")) queue.add(Command::UseReference, ReferenceWish::Skip);
      ImGui::SameLine();
      if (button("Back", "returns to the previous joint", ui.planting->step > 0))
        queue.add(Command::UseReference, ReferenceWish::Back);
      ImGui::SameLine();
    }
    if (button("Done", "ends the clicks in the picture (Esc)")) queue.add(Command::UseReference, ReferenceWish::Finish);
    // The hint takes one line or two. It is below the buttons, so that it does not move them.
    wrappedText(plantingHint(*ui.planting), colors::kAccent);
    return;
  }
  if (button("Walk through the joints", "asks for the joints of a human body one after the other; each is optional"))
    queue.add(Command::UseReference, ReferenceWish::WalkThrough);
  ImGui::SameLine();
  if (button("Mark joints", "click a joint of the figure, then the same joint in the picture"))
    queue.add(Command::UseReference, ReferenceWish::Mark);
  const std::size_t marks = markCount(session.document(), picture);
  disabledText("%zu joints are marked", marks);
  if (button("Pose from the marks", "poses the whole figure by the marks and natural posing", marks > 0))
    queue.add(Command::UseReference, ReferenceWish::PoseFromMarks);
  ImGui::SameLine();
  const bool isFound =
      picture.isOnPlane()
          ? button("Also estimate its place",
                   "finds size and place of the picture on its plane with the pose, and improves the "
                   "cameras of other pictures that have marks",
                   marks > 3)
          : button("Also estimate the camera",
                   "finds field of view, direction and distance with the pose, of every picture that has "
                   "marks; six marks in each are needed, ten are usually enough",
                   marks > 3);
  if (isFound) queue.add(Command::UseReference, ReferenceWish::FindCamera);
  const GoalItem* selected = findGoal(session.document(), session.document().selection.goal);
  if (button(
          "Other depth",
          "flips the limb of the selected mark (elbow, wrist, knee, ankle) in depth, toward the camera or away, which "
          "one picture cannot determine",
          selected && pictureOf(session.document(), *selected) == &picture))
    queue.add(Command::UseReference, ReferenceWish::NextDepth);
}

}  // namespace

void drawReference(const Session& session, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const ReferencePicture* shown = shownPicture(document);
  drawChoice(document, shown, ui, queue);
  if (!shown) return;
  drawSwitches(session, ui, queue);
  ImGui::Separator();
  drawMarking(session, *shown, ui, queue);
  ImGui::Separator();
  drawLook(*shown, ui, queue);
  drawCamera(session, *shown, ui, queue);
  drawCrop(*shown, ui, queue);
}

}  // namespace limber::app

// SPDX-License-Identifier: MIT
// A cube in the picture's corner that turns with the camera; a click on a face looks from that side.
#include <imgui.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "render/strokes.h"

namespace limber::app {

namespace {

struct Face {
  Eigen::Vector3d normal;
  const char* name;
  Command command;
};

const std::array<Face, 6> kFaces = {{{Eigen::Vector3d::UnitZ(), "front", Command::ViewFront},
                                     {-Eigen::Vector3d::UnitZ(), "back", Command::ViewBack},
                                     {Eigen::Vector3d::UnitX(), "right", Command::ViewRight},
                                     {-Eigen::Vector3d::UnitX(), "left", Command::ViewLeft},
                                     {Eigen::Vector3d::UnitY(), "top", Command::ViewTop},
                                     {-Eigen::Vector3d::UnitY(), "bottom", Command::ViewBottom}}};

constexpr float kHalfEms = 1.25f;        // half an edge
constexpr float kCubeMarginEms = 3.4f;   // from the picture's corner to the cube's middle
constexpr double kLeastPictureEms = 16;  // a smaller picture has no cube
constexpr double kSeen = 0.02;           // least cosine between a visible face's normal and the direction to the eye

/// The normal of a face at the side, of which "front" is where the body faces.
Eigen::Vector3d frontNormal(const Session& session, const Face& face) {
  const double turn = 0.5 * std::numbers::pi * session.picture.drawList.frontTurns;
  return (Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitY()) * face.normal).array().round().matrix();
}

/// The orthographic projection of the cube.
struct CubeView {
  ImVec2 middle;
  float half;
  Eigen::Vector3d right, up, back;

  ImVec2 place(const Eigen::Vector3d& point) const {
    return {middle.x + half * static_cast<float>(point.dot(right)),
            middle.y - half * static_cast<float>(point.dot(up))};
  }
  std::array<ImVec2, 4> corners(const Face& face) const {
    const Eigen::Vector3d u(face.normal.y(), face.normal.z(), face.normal.x()), v = face.normal.cross(u);
    return {place(face.normal - u - v), place(face.normal + u - v), place(face.normal + u + v),
            place(face.normal - u + v)};
  }
};

bool isInside(const std::array<ImVec2, 4>& corners, const ImVec2& at) {
  int signs = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const ImVec2 &a = corners[i], &b = corners[(i + 1) % 4];
    signs += (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x) > 0.0f ? 1 : -1;
  }
  return signs == 4 || signs == -4;
}

void drawFace(const CubeView& view, const Face& face, bool isHovered) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double facing = face.normal.dot(view.back);
  const std::array<ImVec2, 4> c = view.corners(face);
  const ImVec4 fill = isHovered ? presentTheme.buttonHovered : presentTheme.button;
  list.AddQuadFilled(c[0], c[1], c[2], c[3], ImGui::GetColorU32(withOpacity(fill, 0.92f)));
  list.AddQuad(c[0], c[1], c[2], c[3], ImGui::GetColorU32(faintLine(0.35f)), std::max(1.0f, 0.06f * view.half));
  if (facing < 0.4) return;
  const float size = 0.78f * ImGui::GetFontSize();
  const ImVec2 extent = ImGui::GetFont()->CalcTextSizeA(size, 1e6f, 0.0f, face.name);
  const ImVec2 at = view.place(face.normal);
  list.AddText(ImGui::GetFont(), size, ImVec2(at.x - 0.5f * extent.x, at.y - 0.5f * extent.y),
               ImGui::GetColorU32(ImGuiCol_Text), face.name);
}

/// Draws the shown axes of the world along the cube's edges, from the corner that is the lowest in all of them.
void drawAxes(const CubeView& view, const Eigen::Matrix3d& axes, bool areInFront) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Eigen::Vector3d corner = -axes.rowwise().sum();
  for (int axis = 0; axis < 3; ++axis) {
    const Eigen::Vector3d direction = axes.col(axis);
    const ImVec2 end = view.place(corner + 2.6 * direction);
    // An edge is visible when one of the two faces that meet in it is.
    const bool isSeen =
        -view.back.dot(axes.col((axis + 1) % 3)) > kSeen || -view.back.dot(axes.col((axis + 2) % 3)) > kSeen;
    if (isSeen != areInFront) continue;
    const ImU32 color = ImGui::GetColorU32(colors::kAxes[axis]);
    list.AddLine(view.place(corner), end, color, std::max(1.5f, 0.1f * view.half));
    const char name[2] = {static_cast<char>('X' + axis), 0};
    const float size = 0.78f * ImGui::GetFontSize();
    const ImVec2 away(end.x - view.place(corner).x, end.y - view.place(corner).y);
    const float length = std::hypot(away.x, away.y);
    if (length < 0.5f * view.half) continue;  // it points at the eye
    const ImVec2 at(end.x + 0.45f * size * away.x / length, end.y + 0.45f * size * away.y / length);
    list.AddText(ImGui::GetFont(), size, ImVec2(at.x - 0.3f * size, at.y - 0.5f * size), color, name);
  }
}

}  // namespace

void drawViewCube(const Session& session, const Rectangle& picture, CommandQueue& queue) {
  const float em = ImGui::GetFontSize();
  if (std::min(picture.width, picture.height) < kLeastPictureEms * em) return;
  const render::View seen = session.picture.view();
  const auto [right, up] = render::screenAxes(&seen);
  CubeView view{ImVec2(static_cast<float>(picture.x + picture.width) - kCubeMarginEms * em,
                       static_cast<float>(picture.y) + kCubeMarginEms * em),
                kHalfEms * em, right, up, -render::forwardDirection(seen)};
  const float room = 1.75f * view.half;  // as far as a corner comes
  ImGui::SetNextWindowPos(ImVec2(view.middle.x - room, view.middle.y - room));
  ImGui::SetNextWindowSize(ImVec2(2.0f * room, 2.0f * room));
  ImGui::Begin("##cube", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
  ImGui::GetWindowDrawList()->PushClipRectFullScreen();
  drawAxes(view, session.ui.world.sceneFromShown, false);
  for (Face face : kFaces) {
    if (face.normal.y() == 0.0) face.normal = frontNormal(session, face);
    if (face.normal.dot(view.back) <= kSeen) continue;
    const bool isHovered = ImGui::IsWindowHovered() && isInside(view.corners(face), ImGui::GetIO().MousePos);
    drawFace(view, face, isHovered);
    if (!isHovered) continue;
    const bool isThere = face.normal.dot(view.back) > 0.9999;
    const Command command = isThere ? Command::ViewHome : face.command;
    ImGui::SetTooltip(
        "%s (%s)",
        isThere ? "back to the view that the file opened with" : (std::string("look from the ") + face.name).c_str(),
        keyIn(session, command).c_str());
    if (ImGui::IsMouseReleased(0)) queue.add(command);
  }
  drawAxes(view, session.ui.world.sceneFromShown, true);
  ImGui::GetWindowDrawList()->PopClipRect();
  ImGui::End();
}

}  // namespace limber::app

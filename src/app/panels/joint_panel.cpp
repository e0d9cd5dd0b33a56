// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/joint_ties.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "limber/body/body_words.h"
#include "limber/posing/loops_along.h"
#include "limber/problem/joint_turn.h"

namespace limber::app {

namespace {

constexpr float kNameShare = 0.46f;  // of a row's width

/// How the panel shows the coordinate of a hinge or slide: in degrees or in the unit of length.
struct Scalar {
  double toShown;
  const char* format;
  double openReach;  ///< shown range of a coordinate without limits
};

Scalar scalarOf(JointType type, LengthUnit unit) {
  const double perMetre = unitsPerMetre(unit);
  return type == JointType::Prismatic ? Scalar{perMetre, lengthFormat(unit), 2.0 * perMetre}
                                      : Scalar{kDegrees, "%.2f°", 180.0};
}

/// A slider for the coordinate of a joint with one coordinate, with a reset to rest.
void drawScalar(const Session& session, int index, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const Joint& joint = document.figure->joint(index);
  const Scalar scalar = scalarOf(joint.type, ui.unit);
  const Interval& limits = document.joints[index].limits;
  const double rest = document.figure->restPose()[joint.poseIndex];
  const double present = document.pose.coordinates[joint.poseIndex];
  const auto set = [&](double q, const std::string& gesture) {
    queue.edit("turn " + joint.name, gesture, AfterEdit::Nothing, [index, q](Document& d) {
      const Pose before = d.pose;
      double& coordinate = d.pose.coordinates[d.figure->joint(index).poseIndex];
      if (follows(d, index)) {
        turnJoint(d, index, 0, q - coordinate);  // turns its drivers
      } else {
        coordinate = q;
        clampToLimits(d, d.pose);
      }
      bringLoopsAlong(before, std::span(&index, 1), d);
    });
  };
  NumberStyle style{.format = scalar.format};
  style.minimum = std::isfinite(limits.lower) ? limits.lower * scalar.toShown : -scalar.openReach;
  style.maximum = std::isfinite(limits.upper) ? limits.upper * scalar.toShown : scalar.openReach;
  double shown = present * scalar.toShown;
  const std::string gesture = gestureOf("##value");
  if (editNumber("##value", shown, style, ui)) set(shown / scalar.toShown, gesture);
  if (resetButton("##rest", present == rest)) set(rest, "");
}

void drawValue(const Session& session, int index, UiState& ui, CommandQueue& queue) {
  const bool slides = session.document().figure->joint(index).type == JointType::Prismatic;
  rowLabel(slides ? "Shift" : "Angle", "drag, or double-click to type", kResetEms);
  drawScalar(session, index, ui, queue);
}

/// The joints of the selected part, each with its slider and a choice of the joint that the rows below are about. False
/// when there is only one joint.
bool drawJointsOfPart(const Session& session, int index, UiState& ui, CommandQueue& queue) {
  constexpr std::size_t kMostJoints = 24;
  const Document& document = session.document();
  const NamedParts& parts = partsOf(session.document());
  std::vector<int> joints;
  for (const int link : document.selection.links)
    if (parts.wholeOf(link) == parts.wholeOf(index) && stepSize(document.figure->joint(link).type) > 0)
      joints.push_back(link);
  if (joints.size() < 2) return false;
  joints.resize(std::min(joints.size(), kMostJoints));
  const float whole = ImGui::GetContentRegionAvail().x, left = ImGui::GetCursorPosX();
  for (const int joint : joints) {
    ImGui::PushID(joint);
    const std::string name = sidedName(document.figure->joint(joint).name).stem;
    if (ImGui::RadioButton("##main", joint == index))
      queue.add(Command::Select, selectionOf(document.selection.links, joint));
    tooltip(document.figure->joint(joint).name + ": the rows below are about it");
    ImGui::SameLine(0.0f, 0.3f * ImGui::GetFontSize());
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name.c_str());
    if (isScalar(document.figure->joint(joint))) {
      const float nameEnd = ImGui::CalcTextSize(name.c_str()).x + 2.6f * ImGui::GetFontSize();
      ImGui::SameLine(left + std::max(kNameShare * whole, nameEnd));
      ImGui::SetNextItemWidth(
          std::max(ImGui::GetContentRegionAvail().x - kResetEms * ImGui::GetFontSize(), ImGui::GetFontSize()));
      drawScalar(session, joint, ui, queue);
    }
    ImGui::PopID();
  }
  ImGui::Separator();
  return true;
}

void drawLimits(const Session& session, int index, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const Joint& joint = document.figure->joint(index);
  const Scalar scalar = scalarOf(joint.type, ui.unit);
  const Interval limits = document.joints[index].limits;
  const auto set = [&](const Interval& wanted, const std::string& gesture) {
    queue.edit("limits of " + joint.name, gesture, AfterEdit::Solve, [index, wanted](Document& d) {
      d.joints[index].limits = wanted;
      clampToLimits(d, d.pose);
    });
  };
  rowLabel("Limits", "the smallest and the largest value that the joint may take", 1.8f);
  if (!limits.isBounded()) {
    if (ImGui::Button("none: set", ImVec2(ImGui::CalcItemWidth(), 0.0f)))
      set({-scalar.openReach / scalar.toShown, scalar.openReach / scalar.toShown}, "");
    tooltip("gives the joint limits that can then be changed");
  } else {
    editInterval(limits, {}, scalar.toShown, {.format = scalar.format, .speed = 0.2 * scalar.toShown / kDegrees}, ui,
                 set);
  }
  if (resetButton("##limits", limits == joint.limits)) set(joint.limits, "");
}

/// Three turns about the link's axes, relative to its present rotation: each drag adds to the rotation.
void drawTurns(const Session& session, int index, int firstCoordinate, UiState& ui, CommandQueue& queue) {
  const Joint& joint = session.document().figure->joint(index);
  const Eigen::AngleAxisd rotation(jointRotation(*session.document().figure, session.document().pose, index));
  rowLabel("Rotation", "total rotation relative to the joint's frame", 0.0f);
  disabledText("%.1f°", rotation.angle() * kDegrees);
  const char* labels[3] = {"Turn x", "Turn y", "Turn z"};
  bool isHeld = false;
  for (int axis = 0; axis < 3; ++axis) {
    ImGui::PushID(axis);
    rowLabel(labels[axis], "about the link's own axis, from here: drag, or double-click to type", 1.8f);
    auto& turned = ui.joint.turn[axis];
    double shown = turned;
    const std::string gesture = gestureOf("##turn");
    ImGui::PushStyleColor(ImGuiCol_Text, colors::kAxes[axis]);
    if (editNumber("##turn", shown, {.minimum = -180.0, .maximum = 180.0, .format = "%+.1f°"}, ui)) {
      const double amount = (shown - turned) / kDegrees;
      turned = shown;
      queue.edit("turn " + joint.name, gesture, AfterEdit::Nothing, [=](Document& d) {
        const Pose before = d.pose;
        turnJoint(d, index, firstCoordinate + axis, amount);
        bringLoopsAlong(before, std::span(&index, 1), d);
      });
    }
    ImGui::PopStyleColor();
    isHeld = isHeld || ImGui::IsItemActive();
    ImGui::SameLine(0.0f, 0.3f * ImGui::GetFontSize());
    if (ImGui::RadioButton("##keys", ui.joint.owner == index && ui.joint.coordinate == firstCoordinate + axis)) {
      ui.joint.owner = index;
      ui.joint.coordinate = firstCoordinate + axis;
    }
    tooltip("the keys . and , turn about this axis");
    ImGui::PopID();
  }
  if (!isHeld) ui.joint.turn = {};
}

void drawResistance(const Session& session, int index, UiState& ui, CommandQueue& queue) {
  drawRigidity("Rigidity", session.document(), index, ui, queue);
  bool locked = session.document().joints[index].locked;
  rowLabel("Locked", "inverse kinematics does not move a locked joint; L locks all selected joints");
  if (ImGui::Checkbox("##locked", &locked))
    queue.edit(locked ? "lock joint" : "unlock joint", "", AfterEdit::Solve,
               [index, locked](Document& d) { d.joints[index].locked = locked; });
}

/// For hinges: the side to which a straight limb bends when both sides are possible.
void drawPreferred(const Session& session, int index, UiState& ui, CommandQueue& queue) {
  const Joint& joint = session.document().figure->joint(index);
  const std::optional<double>& preferred = session.document().joints[index].preferred;
  const auto set = [&](std::optional<double> angle, const std::string& gesture) {
    queue.edit("preferred bend of " + joint.name, gesture, AfterEdit::Nothing,
               [index, angle](Document& d) { d.joints[index].preferred = angle; });
  };
  rowLabel("Prefers", "the side to which a straight limb bends, as an angle, when limits allow both sides", 1.8f);
  if (!preferred) {
    if (ImGui::Button("set an angle", ImVec2(ImGui::CalcItemWidth(), 0.0f))) set(0.5, "");
    tooltip(
        "sets an angle towards which the joint bends; without one, limits that allow only one side decide, then the "
        "rest pose");
  } else {
    double shown = *preferred * kDegrees;
    const std::string gesture = gestureOf("##preferred");
    if (editNumber("##preferred", shown, {.minimum = -180.0, .maximum = 180.0, .format = "%.2f°"}, ui))
      set(shown / kDegrees, gesture);
  }
  if (resetButton("##noPreference", !preferred)) set(std::nullopt, "");
}

/// Checkboxes that pin position and rotation; a new pin holds the present ones.
void drawPinned(const Session& session, int index, CommandQueue& queue) {
  const Pin* pin = findPin(session.document(), index);
  rowLabel("Pinned",
           "the link stays where it is while others are dragged: P pins the selection, Shift+P its position, "
           "Ctrl+P its rotation");
  bool position = pin && pin->position, rotation = pin && pin->rotation;
  bool changed = ImGui::Checkbox("position", &position);
  ImGui::SameLine();
  changed = ImGui::Checkbox("rotation", &rotation) || changed;
  if (changed)
    queue.edit("pin", "", AfterEdit::Solve, [=](Document& d) {
      const Pin* held = findPin(d, index);
      pinLink(d, index, position, rotation, held ? held->pointInLink : Eigen::Vector3d(Eigen::Vector3d::Zero()));
    });
}

void resetJoint(Document& d, int index) {
  const Joint& joint = d.figure->joint(index);
  d.pose.coordinates.segment(joint.poseIndex, poseSize(joint.type)) =
      d.figure->restPose().segment(joint.poseIndex, poseSize(joint.type));
  clampToLimits(d, d.pose);
}

/// A slider that closes the fingers of the selected hand together.
void drawHand(const Session& session, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const HandClosing& closing = session.services.handClosing;
  const std::vector<int> fingers = closing.fingersOf(*document.figure, document.selection.allLinks());
  if (fingers.empty()) return;
  double percent = 100.0 * closing.amount(document, fingers);
  const std::string gesture = gestureOf("##closed");
  rowLabel("Hand closed", "closes all fingers, from the open hand to the fist; each finger can still be dragged");
  if (editNumber("##closed", percent, {.minimum = 0.0, .maximum = 100.0, .format = "%.0f %%"}, ui))
    queue.edit("close hand", gesture, AfterEdit::Nothing,
               [closing, fingers, percent](Document& d) { closing.close(d, fingers, percent / 100.0); });
}

}  // namespace

void drawRigidity(const char* label, const Document& document, int index, UiState& ui, CommandQueue& queue) {
  const Joint& joint = document.figure->joint(index);
  numberRow(label, document.joints[index].rigidity, joint.rigidity,
            {.minimum = 0.0, .maximum = 1.0, .format = "%.2f", .tooltip = "0: moves freely, 1: does not move"}, ui,
            [&](double value, const std::string& gesture) {
              queue.edit("rigidity of " + joint.name, gesture, AfterEdit::Solve,
                         [index, value](Document& d) { d.joints[index].rigidity = value; });
            });
}

void drawJoint(const Session& session, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const int index = document.selection.joint;
  if (index < 0 || index >= document.figure->linkCount()) {
    wrappedNote(
        "Click a part of the figure. Then turn its joints here, by their rings in the picture, or by "
        "dragging.");
    return;
  }
  const Joint& joint = document.figure->joint(index);
  ImGui::PushID(index);
  ImGui::TextUnformatted(selectionInWords(document, partsOf(session.document()), document.selection).c_str());
  drawHand(session, ui, queue);
  const bool hasSeveral = drawJointsOfPart(session, index, ui, queue);
  disabledText("%s, %s", joint.name.c_str(), std::string(jointTypeName(joint.type)).c_str());
  if (stepSize(joint.type) == 1) {
    if (!hasSeveral) drawValue(session, index, ui, queue);
    drawLimits(session, index, ui, queue);
  } else if (stepSize(joint.type) >= 3) {
    drawTurns(session, index, stepSize(joint.type) - 3, ui, queue);
    if (joint.type == JointType::Ball) drawBallLimits(session, index, ui, queue);
  }
  if (stepSize(joint.type) > 0) {
    drawCouplings(session, index, queue);
    drawLinearLimits(session, index, queue);
    drawResistance(session, index, ui, queue);
    if (joint.type == JointType::Revolute) drawPreferred(session, index, ui, queue);
    if (button("Back to rest", "sets this joint alone to the figure's rest pose"))
      queue.edit("rest " + joint.name, "", AfterEdit::Nothing, [index](Document& d) { resetJoint(d, index); });
  }
  drawPinned(session, index, queue);
  ImGui::PopID();
}

}  // namespace limber::app

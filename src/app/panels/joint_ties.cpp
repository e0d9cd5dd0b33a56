// SPDX-License-Identifier: MIT
#include "app/panels/joint_ties.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "app/editing/why.h"
#include "app/panels/widgets.h"
#include "limber/kinematics/ball_limits.h"

namespace limber::app {

namespace {

constexpr double kHalfTurn = std::numbers::pi;
constexpr Interval kFirstTwist{-0.5 * kHalfTurn, 0.5 * kHalfTurn};  // for a twist that was free
constexpr double kFirstSwing = 0.5 * kHalfTurn;

/// A checkbox at the end of a row; true when clicked, with the new state in `isFree`.
bool freeBox(bool& isFree, const char* about) {
  ImGui::SameLine(0.0f, 0.3f * ImGui::GetFontSize());
  const bool clicked = ImGui::Checkbox("free", &isFree);
  tooltip(about);
  return clicked;
}

constexpr float kFreeEms = kResetEms + 3.4f;

template <typename Set>
void swingRow(const BallLimits& limits, const BallLimits& authored, UiState& ui, Set set) {
  ImGui::PushID("swing");
  rowLabel("Swing up to", "half the opening angle of the cone that the twist axis may swing in; 180 degrees are free",
           kFreeEms);
  bool isFree = !(limits.swing < kHalfTurn);
  double degrees = std::min(limits.swing, kHalfTurn) * kDegrees;
  const auto with = [&](double swing) {
    BallLimits wanted = limits;
    wanted.swing = swing;
    return wanted;
  };
  const std::string gesture = gestureOf("##value");
  if (editNumber("##value", degrees, {.minimum = 0.0, .maximum = 180.0, .format = isFree ? "free" : "%.1f°"}, ui))
    set(with(degrees >= 180.0 ? kHalfTurn : degrees / kDegrees), gesture);
  if (freeBox(isFree, "swings every way")) set(with(isFree ? kHalfTurn : kFirstSwing), "");
  if (resetButton("##reset", limits.swing == authored.swing)) set(with(authored.swing), "");
  ImGui::PopID();
}

template <typename Set>
void twistRow(const BallLimits& limits, const BallLimits& authored, UiState& ui, Set set) {
  ImGui::PushID("twist");
  rowLabel("Twist", "about the twist axis, from the smallest to the largest", kFreeEms);
  bool isFree = !limits.twist.isBounded();
  const auto with = [&](Interval twist) {
    BallLimits wanted = limits;
    wanted.twist = twist;
    return wanted;
  };
  const Interval shown{std::max(limits.twist.lower, -kHalfTurn), std::min(limits.twist.upper, kHalfTurn)};
  ImGui::BeginDisabled(isFree);
  editInterval(shown, {-kHalfTurn, kHalfTurn}, kDegrees, {.format = isFree ? "free" : "%.1f°", .speed = 0.2}, ui,
               [&](const Interval& twist, const std::string& gesture) { set(with(twist), gesture); });
  ImGui::EndDisabled();
  if (freeBox(isFree, "twists all round")) set(with(isFree ? Interval{} : kFirstTwist), "");
  if (resetButton("##reset", limits.twist == authored.twist)) set(with(authored.twist), "");
  ImGui::PopID();
}

void axisText(const char* label, const char* about, const Eigen::Vector3d& axis) {
  rowLabel(label, about);
  disabledText("%.2f  %.2f  %.2f", axis.x(), axis.y(), axis.z());
}

/// The names of a group of joints; for many only the first few.
std::string listOf(const Figure& figure, const std::vector<int>& joints) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(joints.size(), kMost); ++i)
    text += (i ? ", " : "") + figure.joint(joints[i]).name;
  if (joints.size() > kMost) text += " and " + std::to_string(joints.size() - kMost) + " more";
  return text;
}

double sumOf(const Document& document, const LinearLimit& limit) {
  double sum = 0.0;
  for (const LinearLimit::Term& term : limit.terms)
    sum += term.coefficient * document.pose.coordinates[document.figure->joint(term.joint).poseIndex];
  return sum;
}

std::string boundsText(const Interval& bounds, double toShown, const char* unit) {
  char text[64];
  if (bounds.lower == bounds.upper) std::snprintf(text, sizeof text, "= %.1f%s", bounds.lower * toShown, unit);
  else if (!std::isfinite(bounds.lower)) std::snprintf(text, sizeof text, "<= %.1f%s", bounds.upper * toShown, unit);
  else if (!std::isfinite(bounds.upper)) std::snprintf(text, sizeof text, ">= %.1f%s", bounds.lower * toShown, unit);
  else std::snprintf(text, sizeof text, "%.1f to %.1f%s", bounds.lower * toShown, bounds.upper * toShown, unit);
  return text;
}

}  // namespace

void drawBallLimits(const Session& session, int joint, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const BallLimits& limits = document.joints[joint].ballLimits;
  const BallLimits& authored = document.figure->joint(joint).ballLimits;
  const auto set = [&](const BallLimits& wanted, const std::string& gesture) {
    queue.edit("limits of " + document.figure->joint(joint).name, gesture, AfterEdit::Solve,
               [joint, wanted](Document& d) {
                 d.joints[joint].ballLimits = wanted;
                 clampToLimits(d, d.pose);
               });
  };
  swingRow(limits, authored, ui, set);
  twistRow(limits, authored, ui, set);
  if (!limits.isBounded()) return;
  const SwingTwist now = swingTwist(limits, jointRotation(*document.figure, document.pose, joint));
  rowLabel("Now", "how far it is swung and twisted");
  disabledText("%.1f° swing, %.1f° twist", now.swing * kDegrees, now.twist * kDegrees);
  axisText("Cone's axis", "the middle of the cone, in the joint's frame", limits.coneAxis);
  axisText("Twist axis", "in the link's frame, usually along the bone", limits.twistAxis);
}

void drawCouplings(const Session& session, int joint, CommandQueue& queue) {
  const Document& document = session.document();
  const Figure& figure = *document.figure;
  std::vector<std::string> groups;
  std::vector<int> drivers, followers;
  for (const Coupling& coupling : figure.couplings()) {
    const bool follows = coupling.follower == joint;
    const bool drives =
        std::any_of(coupling.terms.begin(), coupling.terms.end(), [&](const auto& t) { return t.driver == joint; });
    if (!follows && !drives) continue;
    if (drives) followers.push_back(coupling.follower);
    if (follows)
      for (const auto& term : coupling.terms) drivers.push_back(term.driver);
    if (std::find(groups.begin(), groups.end(), coupling.name) == groups.end()) groups.push_back(coupling.name);
  }
  if (groups.empty()) return;
  ImGui::PushTextWrapPos(0.0f);
  if (!drivers.empty()) disabledText("follows %s", listOf(figure, drivers).c_str());
  if (!followers.empty()) disabledText("leads %s", listOf(figure, followers).c_str());
  ImGui::PopTextWrapPos();
  for (const std::string& name : groups) {
    bool enabled = false;
    for (std::size_t i = 0; i < figure.couplings().size(); ++i)
      enabled = enabled || (figure.couplings()[i].name == name && document.couplingEnabled[i]);
    const std::string label = "tied: " + (name.empty() ? std::string("its followers") : name);
    if (ImGui::Checkbox(label.c_str(), &enabled))
      queue.edit(enabled ? "tie joints" : "untie joints", "", AfterEdit::Solve,
                 [name, enabled](Document& d) { setGroupEnabled(d, name, enabled); });
    tooltip("the joints of this group move together; untied, each moves by itself");
  }
}

void drawLinearLimits(const Session& session, int joint, CommandQueue& queue) {
  const Document& document = session.document();
  const auto limits = document.figure->linearLimits();
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const LinearLimit& limit = limits[i];
    if (std::none_of(limit.terms.begin(), limit.terms.end(), [&](const auto& t) { return t.joint == joint; })) continue;
    const bool slides = document.figure->joint(joint).type == JointType::Prismatic;
    const LengthUnit lengths =
        session.settings.unit == LengthUnit::Metres ? LengthUnit::Millimetres : session.settings.unit;
    const std::string suffix = slides ? std::string(" ") + unitSuffix(lengths) : "°";
    const double toShown = slides ? unitsPerMetre(lengths) : kDegrees, sum = sumOf(document, limit);
    const bool holds = sum >= limit.bounds.lower - 1e-9 && sum <= limit.bounds.upper + 1e-9;
    ImGui::PushID(static_cast<int>(i));
    bool enabled = document.linearLimitEnabled[i] != 0;
    if (ImGui::Checkbox((limit.name.empty() ? sumInWords(*document.figure, limit) : limit.name).c_str(), &enabled))
      queue.edit("linear limit", "", AfterEdit::Solve,
                 [i, enabled](Document& d) { d.linearLimitEnabled[i] = enabled; });
    tooltip(sumInWords(*document.figure, limit));
    const std::string bounds = boundsText(limit.bounds, toShown, suffix.c_str());
    char text[96];
    std::snprintf(text, sizeof text, "   %.1f%s, allowed %s", sum * toShown, suffix.c_str(), bounds.c_str());
    ImGui::TextColored(holds || !enabled ? ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled) : colors::kUnmet, "%s",
                       text);
    ImGui::PopID();
  }
}

void editInterval(const Interval& value, const Interval& allowed, double toShown, const NumberStyle& style, UiState& ui,
                  const std::function<void(const Interval&, const std::string& gesture)>& set) {
  const float gap = 0.25f * ImGui::GetFontSize(), width = 0.5f * (ImGui::CalcItemWidth() - gap);
  const auto edit = [&](const char* id, double end, double lowest, double highest, auto with) {
    ImGui::SetNextItemWidth(width);
    double shown = end * toShown;
    const std::string gesture = gestureOf(id);
    if (editNumber(id, shown, style, ui)) set(with(std::clamp(shown / toShown, lowest, highest)), gesture);
  };
  edit("##lower", value.lower, allowed.lower, value.upper, [&](double v) { return Interval{v, value.upper}; });
  ImGui::SameLine(0.0f, gap);
  edit("##upper", value.upper, value.lower, allowed.upper, [&](double v) { return Interval{value.lower, v}; });
}

bool follows(const Document& document, int joint) {
  const auto couplings = document.figure->couplings();
  const std::vector<char> active = activeCouplings(document);
  for (std::size_t i = 0; i < couplings.size(); ++i)
    if (couplings[i].follower == joint && active[i]) return true;
  return false;
}

void setGroupEnabled(Document& document, const std::string& name, bool enabled) {
  const auto couplings = document.figure->couplings();
  for (std::size_t i = 0; i < couplings.size(); ++i)
    if (couplings[i].name == name) document.couplingEnabled[i] = enabled;
  clampToLimits(document, document.pose);
}

}  // namespace limber::app

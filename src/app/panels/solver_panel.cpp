// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/settings/window_defaults.h"
#include "limber/posing/posed_problem.h"
#include "limber/solvers/registry.h"

namespace limber::app {

namespace {

/// True when a joint that may move has a limit.
bool isLimited(const Document& document) {
  const Figure& figure = *document.figure;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const JointSettings& settings = document.joints[i];
    const JointType type = figure.joint(i).type;
    const bool scalar = type == JointType::Revolute || type == JointType::Prismatic;
    if (!settings.locked &&
        ((scalar && settings.limits.isBounded()) || (type == JointType::Ball && settings.ballLimits.isBounded())))
      return true;
  }
  const auto& linear = document.linearLimitEnabled;
  return std::any_of(linear.begin(), linear.end(), [](char enabled) { return enabled != 0; });
}

/// Shows how the solver treats limits; for an inexact one, a checkbox that allows it for a figure with limits.
void drawLimitHandling(const Session& session, const Solver& solver, CommandQueue& queue) {
  const bool isExact = solver.limitHandling() == LimitHandling::Exact;
  const bool isPenalty = solver.limitHandling() == LimitHandling::Penalty;
  disabledText("limits: %s", std::string(limitHandlingName(solver.limitHandling())).c_str());
  tooltip(isExact     ? "every iterate is within the joint limits, and the result is a minimum within them"
          : isPenalty ? "joint limits act like springs; a result outside the limits is moved inside"
                      : "every iterate is within the joint limits, but the solve may stop before the minimum");
  if (isExact || isPenalty || !isLimited(session.document())) return;
  bool insist = session.document().solver.insist;
  if (!insist)
    wrappedText("The solver is not used on this figure, because it does not treat joint limits exactly.",
                colors::kAmber);
  if (ImGui::Checkbox("Use anyway", &insist))
    queue.edit(insist ? "insist on the solver" : "do not insist", "", AfterEdit::Solve,
               [insist](Document& d) { d.solver.insist = insist; });
  tooltip("the pose stays within the limits, but the solve may stop although a better pose is near");
}

/// Why the solver cannot solve the problem at all; empty when it can.
std::string refusalOf(const Solver& solver, const PosedProblem& problem) {
  return problem.objective ? solver.refusal(*problem.objective) : std::string();
}

/// Lists the solvers; one that cannot solve the document's problem is disabled, and its tooltip says why.
void drawSolvers(const Session& session, const Solver* present, CommandQueue& queue) {
  const PosedProblem problem = makeProblemToJudge(session.document());
  for (const Solver* solver : allSolvers()) {
    std::string label(solver->title());
    if (solver->limitHandling() != LimitHandling::Exact)
      label += ", limits: " + std::string(limitHandlingName(solver->limitHandling()));
    const std::string refusal = refusalOf(*solver, problem);
    ImGui::BeginDisabled(!refusal.empty());
    if (ImGui::Selectable(label.c_str(), solver == present))
      queue.edit("choose solver", "", AfterEdit::Solve,
                 [name = std::string(solver->name())](Document& d) { d.solver.solver = name; });
    ImGui::EndDisabled();
    tooltip(refusal.empty() ? std::string(solver->description()) : refusal);
  }
}

/// Shows why the solver refused the last solve.
void drawRefusal(const Session& session, const Solver& solver) {
  const PosingReport* report = session.solving.reportFor(session.document());
  if (!report || report->outcome != Outcome::BadInput) return;
  const std::string refusal = refusalOf(solver, makeProblemToJudge(session.document()));
  if (!refusal.empty()) wrappedText(refusal + ".", colors::kAmber);
}

void drawChoice(const Session& session, CommandQueue& queue) {
  const SolverSettings& settings = session.document().solver;
  const Solver* present = findSolver(settings.solver);
  const std::string title = present ? std::string(present->title()) : settings.solver;
  ImGui::SetNextItemWidth(-1.0f);
  if (ImGui::BeginCombo("##solver", title.c_str(), ImGuiComboFlags_HeightLargest)) {
    drawSolvers(session, present, queue);
    ImGui::EndCombo();
  }
  if (!present) return;
  wrappedNote(std::string(present->description()));
  drawRefusal(session, *present);
  drawLimitHandling(session, *present, queue);
}

/// A row for a number of the settings; `set` writes it.
template <typename Set>
void settingRow(const char* label, double value, double byDefault, const NumberStyle& style, AfterEdit after,
                UiState& ui, CommandQueue& queue, Set set) {
  numberRow(label, value, byDefault, style, ui, [&](double v, const std::string& gesture) {
    queue.edit(label, gesture, after, [v, set](Document& d) { set(d, v); });
  });
}

void drawWeights(const Session& session, UiState& ui, CommandQueue& queue) {
  const SolverSettings& s = session.document().solver;
  const SolverSettings defaults = defaultSolverSettings(*session.document().figure);
  settingRow("Target weight", s.targetWeight, defaults.targetWeight,
             {.minimum = 1e-3,
              .maximum = 1e7,
              .format = "%.4g",
              .logarithmic = true,
              .tooltip = "w_tar: cost of a missed target per squared mean link length"},
             AfterEdit::Solve, ui, queue, [](Document& d, double v) { d.solver.targetWeight = v; });
  settingRow("Rest weight", s.restWeight, defaults.restWeight,
             {.minimum = 0.0,
              .maximum = 1e3,
              .format = "%.4g",
              .logarithmic = true,
              .tooltip = "w_reg: cost of leaving the reference pose per squared radian"},
             AfterEdit::Solve, ui, queue, [](Document& d, double v) { d.solver.restWeight = v; });
  rowLabel("Reference", "the pose that the rest weight pulls to", 1.8f);
  const char* names[] = {"rest pose", "start of the drag"};
  int reference = s.reference == RestReference::RestPose ? 0 : 1;
  if (ImGui::Combo("##reference", &reference, names, 2))
    queue.edit("reference", "", AfterEdit::Solve, [reference](Document& d) {
      d.solver.reference = reference == 0 ? RestReference::RestPose : RestReference::StartPose;
    });
  settingRow("Reached within", s.reachedTolerance, defaults.reachedTolerance,
             {.minimum = 1e-9,
              .maximum = 1.0,
              .format = "%.2g links",
              .logarithmic = true,
              .tooltip = "a target counts as reached when its error is at most this, in mean link lengths"},
             AfterEdit::Nothing, ui, queue, [](Document& d, double v) {
               d.solver.reachedTolerance = v;
               d.solver.reachedDistance.reset();
               d.solver.reachedAngle.reset();
             });
}

const char* posingTitle(PosingChoice choice) {
  switch (choice) {
    case PosingChoice::Natural: return "Natural";
    case PosingChoice::Still: return "Still";
    case PosingChoice::Even: return "Even";
  }
  return "Even";
}

const char* posingMeaning(PosingChoice choice) {
  switch (choice) {
    case PosingChoice::Natural:
      return "The dragged limb moves first, the rest of the body follows when the limb does not reach, and the feet "
             "stay in place.";
    case PosingChoice::Still:
      return "Everything, the dragged limb included, stays where it is as far as possible: the "
             "least mass moves.";
    case PosingChoice::Even: return "All joints turn equally easily, the back as easily as an elbow.";
  }
  return "";
}

/// A choice of the joints that move when a point is dragged.
void drawPosing(const SolverSettings& settings, UiState& ui, CommandQueue& queue) {
  rowLabel("Posing", "what moves when a point is dragged", 1.8f);
  if (ImGui::BeginCombo("##posing", posingTitle(settings.posing))) {
    for (const PosingChoice choice : {PosingChoice::Natural, PosingChoice::Still, PosingChoice::Even}) {
      if (ImGui::Selectable(posingTitle(choice), choice == settings.posing))
        queue.edit("posing", "", AfterEdit::Solve, [choice](Document& d) { d.solver.posing = choice; });
      tooltip(posingMeaning(choice));
    }
    ImGui::EndCombo();
  }
  tooltip(posingMeaning(settings.posing));
  if (settings.posing != PosingChoice::Natural) return;
  constexpr double kPercent = 100.0;
  settingRow("Body follows", kPercent * settings.bodyFollows, 0.0,
             {.minimum = 0.0,
              .maximum = kPercent,
              .format = "%.0f %%",
              .tooltip = "how easily the rest of the body follows while the limb alone still reaches"},
             AfterEdit::Solve, ui, queue, [](Document& d, double v) { d.solver.bodyFollows = v / kPercent; });
}

double optionValue(const SolverSettings& settings, const OptionInfo& option) {
  const auto solver = settings.options.find(settings.solver);
  if (solver == settings.options.end()) return option.defaultValue;
  const auto value = solver->second.find(std::string(option.name));
  return value == solver->second.end() ? option.defaultValue : value->second;
}

/// Sets an option; a default value is not stored, so that files contain only differences.
void setOption(Document& document, const OptionInfo& option, double value) {
  auto& values = document.solver.options[document.solver.solver];
  if (value == option.defaultValue) values.erase(std::string(option.name));
  else values[std::string(option.name)] = value;
  if (values.empty()) document.solver.options.erase(document.solver.solver);
}

void drawOption(const Session& session, const OptionInfo& option, UiState& ui, CommandQueue& queue) {
  const std::string label(option.label);
  const double value = optionValue(session.document().solver, option);
  const auto set = [&option](Document& d, double v) { setOption(d, option, v); };
  std::string about(option.tooltip);
  if (!option.unit.empty()) about += "\nunit: " + std::string(option.unit);
  if (option.kind == OptionInfo::Kind::Switch) {
    ImGui::PushID(label.c_str());
    rowLabel(label.c_str(), about.c_str(), 1.8f);
    bool on = value != 0.0;
    if (ImGui::Checkbox("##value", &on))
      queue.edit(label, "", AfterEdit::Solve, [set, on](Document& d) { set(d, on ? 1.0 : 0.0); });
    tooltip(about);
    ImGui::PopID();
    return;
  }
  NumberStyle style{.minimum = option.minimum, .maximum = option.maximum, .tooltip = about.c_str()};
  style.format = option.kind == OptionInfo::Kind::Integer ? "%.0f" : "%.4g";
  style.logarithmic = option.kind == OptionInfo::Kind::LogarithmicReal ||
                      (option.kind == OptionInfo::Kind::Integer && option.maximum > 1000.0);
  const bool isInteger = option.kind == OptionInfo::Kind::Integer;
  settingRow(label.c_str(), value, option.defaultValue, style, AfterEdit::Solve, ui, queue,
             [set, isInteger](Document& d, double v) { set(d, isInteger ? std::round(v) : v); });
}

/// Rows for path-independent solving: a checkbox, and the base pose.
void drawPathIndependence(const Session& session, CommandQueue& queue) {
  const Document& document = session.document();
  rowLabel("Path-independent",
           "the same targets give the same pose, whatever was posed before: no drift over closed loops");
  commandCheckbox(Command::TogglePathIndependent, session, queue, "##pathIndependent");
  tooltip(
      "every solve begins at the base pose, to which joints return that no goal or pin holds. A jump of the pose "
      "is shown as a movement of 150 ms, with a message");
  if (!document.solver.pathIndependent) return;
  const bool isRest = document.basePose.coordinates.size() == 0;
  const auto setBase = [&](const char* label, bool takesPresent) {
    queue.edit(label, "", AfterEdit::Solve,
               [takesPresent](Document& d) { d.basePose = takesPresent ? d.pose : Pose(); });
  };
  rowLabel("Base pose", "where every solve begins");
  disabledText(isRest ? "the rest pose" : "one of its own");
  if (button("Take the present", "makes the present pose the base pose")) setBase("base pose", true);
  ImGui::SameLine();
  ImGui::BeginDisabled(isRest);
  if (ImGui::Button("Take the rest pose")) setBase("rest pose as base", false);
  ImGui::EndDisabled();
}

/// A row for each movable joint, as in the Joint panel.
void drawRigidities(const Document& document, UiState& ui, CommandQueue& queue) {
  const Figure& figure = *document.figure;
  std::vector<int> joints;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (stepSize(figure.joint(i).type) > 0) joints.push_back(i);
  rowsInSight(joints.size(), ImGui::GetFrameHeightWithSpacing(), [&](std::size_t row) {
    drawRigidity(figure.joint(joints[row]).name.c_str(), document, joints[row], ui, queue);
  });
}

}  // namespace

void drawSolver(const Session& session, UiState& ui, CommandQueue& queue) {
  drawChoice(session, queue);
  drawPosing(session.document().solver, ui, queue);
  drawWeights(session, ui, queue);
  drawPathIndependence(session, queue);
  const Solver* solver = findSolver(session.document().solver.solver);
  constexpr ImGuiTreeNodeFlags kNode = ImGuiTreeNodeFlags_SpanAvailWidth;
  if (solver && ImGui::TreeNodeEx("Options of the solver", kNode | ImGuiTreeNodeFlags_DefaultOpen)) {
    for (const OptionInfo& option : solver->options()) drawOption(session, option, ui, queue);
    ImGui::TreePop();
  }
  if (ImGui::TreeNodeEx("Rigidities", kNode)) {
    drawRigidities(session.document(), ui, queue);
    ImGui::TreePop();
  }
  if (button("Reset all to defaults",
             "resets weights, tolerance and the options of every solver; the chosen solver stays"))
    queue.edit("reset solver settings", "", AfterEdit::Solve, [](Document& d) {
      const SolverSettings old = d.solver;
      d.solver = windowSolverSettings(*d.figure);
      d.solver.solver = old.solver;
    });
}

}  // namespace limber::app

// SPDX-License-Identifier: MIT
#include "app/commands/report_json.h"

#include <algorithm>
#include <cmath>

#include "limber/io/json/pose_json.h"
#include "limber/posing/posed_problem.h"
#include "limber/scene/base.h"
#include "limber/solvers/registry.h"

namespace limber::app {

namespace {

/// The error of one goal or pin: lengths in the file's unit, angles in radians.
io::OrderedJson goalResult(const Document& document, const GoalReport& goal, double metresPerUnit) {
  const GoalItem* item = findGoal(document, goal.id);
  io::OrderedJson result = io::OrderedJson::object();
  result.get_ref<io::OrderedJson::object_t&>().reserve(6);
  if (item) result["name"] = item->name;
  result["error"] = goal.error / metresPerUnit;
  result["angle"] = goal.angle;
  result["reached"] = goal.reached;
  if (goal.pinnedLink >= 0) result["pin"] = document.figure->link(goal.pinnedLink).name;
  if (goal.heldLink >= 0) result["held"] = document.figure->link(goal.heldLink).name;
  if (goal.isPreference) result["preference"] = true;
  if (item && item->anyOf >= 0) result["live"] = goal.live;
  return result;
}

/// A contact or penetration of a link; lengths are in the file's unit, the clearance is negative inside.
io::OrderedJson contactResult(const Document& document, const ContactReport& contact, double metresPerUnit) {
  return {{"link", document.figure->link(contact.link).name},
          {"with", contact.other},
          {"clearance", contact.clearance / metresPerUnit},
          {"asked", contact.asked / metresPerUnit},
          {"stops", contact.stops},
          {"inside", contact.isInside}};
}

/// Adds contacts and balance.
void addWorld(const Document& document, const PosingReport& report, double metresPerUnit, io::OrderedJson& result) {
  for (const ContactReport& contact : report.contacts)
    result["contacts"].push_back(contactResult(document, contact, metresPerUnit));
  if (!report.balance) return;
  result["balance"] = {{"margin", numberOrNull(report.balance->margin / metresPerUnit)},
                       {"kept", report.balance->isKept},
                       {"holds_back", report.balance->holdsBack}};
}

}  // namespace

io::OrderedJson numberOrNull(double value) {
  return std::isfinite(value) ? io::OrderedJson(value) : io::OrderedJson(nullptr);
}

double microseconds(double milliseconds) { return std::round(1e6 * milliseconds) / 1e3; }

std::string unknownSolver(const std::string& name) {
  std::string fault;
  if (!name.empty() && !findSolver(name)) solverOptions({.solver = name}, fault);
  return fault;
}

io::OrderedJson iterationsOf(const Summary& summary) {
  io::OrderedJson iterations = io::OrderedJson::object();
  for (int i = 0; i < summary.phaseCount; ++i) {
    const PhaseCount& phase = summary.phases[i];
    iterations[std::string(phase.phase)] = phase.iterations;
  }
  return iterations;
}

io::OrderedJson relaxationJson(const RelaxationSummary& relaxation) {
  return {{"rank", relaxation.rank},
          {"tight", relaxation.isTight},
          {"cost_mm", numberOrNull(1e3 * relaxation.cost)},
          {"bound_mm", numberOrNull(1e3 * relaxation.leastCost)},
          {"gap_mm", numberOrNull(1e3 * std::max(0.0, relaxation.cost - relaxation.leastCost))}};
}

io::OrderedJson certificateJson(const PoseCertificate& result, bool isSearched) {
  const Certificate& certificate = result.certificate;
  io::OrderedJson json;
  json["certified"] = certificate.isCertified;
  json["out_of_reach"] = certificate.isOutOfReach;
  json["badge"] = badgeOf(certificate);
  json["sentence"] = sentenceOf(certificate, isSearched);
  json["cost_mm"] = numberOrNull(1e3 * certificate.cost());
  json["bound_mm"] = numberOrNull(1e3 * certificate.leastCost());
  json["gap_mm"] = numberOrNull(1e3 * certificate.gap());
  json["points"] = certificate.points;
  json["regions"] = certificate.regions;
  json["left_out"] = result.leftOut;
  return json;
}

void addSolveReport(const Document& document, const PosingReport& report, io::OrderedJson& result) {
  const double metresPerUnit = document.figure->fileFrame().metresPerUnit;
  const Summary& summary = report.summary;
  result.get_ref<io::OrderedJson::object_t&>().reserve(16);
  result["status"] = solveStatusName(summary.status);
  result["outcome"] = outcomeName(report.outcome);
  result["solver"] = document.solver.solver;
  result["objective_before"] = numberOrNull(summary.objectiveBefore);
  result["objective"] = numberOrNull(summary.objective);
  result["iterations"] = iterationsOf(summary);
  result["gradient_norm"] = numberOrNull(summary.gradientNorm);
  if (std::isfinite(summary.gradientDifference))
    result["forward_differences"] = {{"gradient", summary.gradientDifference},
                                     {"hessian", numberOrNull(summary.hessianDifference)}};
  if (summary.relaxation.rank > 0) result["relaxation"] = relaxationJson(summary.relaxation);
  io::OrderedJson& goals = result["goals"] = io::OrderedJson::array();
  for (const GoalReport& goal : report.goals) goals.push_back(goalResult(document, goal, metresPerUnit));
  addWorld(document, report, metresPerUnit, result);
  result["pose"] = io::poseToJson(*document.figure, document.pose, hasMovedBase(*document.figure, document.pose));
  result["time_us"] = microseconds(report.totalMs);
}

}  // namespace limber::app

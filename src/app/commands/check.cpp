// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <sstream>

#include "app/commands/output.h"
#include "limber/io/open.h"
#include "limber/posing/posing.h"
#include "limber/posing/potential.h"

namespace limber::app {

namespace {

/// One line per goal: 1/2 |r|^2, and the potential of the paper, of which it is half.
std::string potentialsText(const Document& document) {
  std::ostringstream text;
  for (const GoalPotential& goal : goalPotentials(document)) {
    text << goal.goal << " (" << goal.type << ", weight " << goal.weight << "): 1/2 |r|^2 = " << goal.ours;
    if (goal.paper) text << "; P " << goal.equation << " of Zhao and Badler = " << *goal.paper;
    text << "\n";
  }
  if (!text.str().empty()) text << "lengths in mean link lengths of " << document.figure->meanLinkLength() << " m\n";
  return text.str();
}

std::string kinksText(const DerivativeCheck& check) {
  if (check.kinks == 0) return {};
  return std::to_string(check.kinks) +
         " coordinates are not compared: within the step an inequality begins or ends to hold\n";
}

}  // namespace

int runCheck(const FileArguments& arguments, Console& console) {
  const auto opened = io::openAny(arguments.file, arguments.context);
  if (!opened) return console.fail(opened.error());
  const DerivativeCheck check = checkDerivatives(opened->document);
  if (!check.fault.empty()) return console.fail(arguments.file + ": " + check.fault);
  std::ostringstream text;
  if (!check.note.empty()) text << check.note << "\n";
  text << "f = " << check.objective << ", " << check.gradient.size() << " active coordinates\n"
       << "gradient: worst error " << check.worstGradientError << " of its largest entry at "
       << check.worstGradientEntry << "\n"
       << "Hessian:  worst error " << check.worstHessianError << " of its largest entry at " << check.worstHessianEntry
       << "\n"
       << kinksText(check) << potentialsText(opened->document)
       << (check.agrees() ? "the derivatives agree with central differences\n"
                          : "the derivatives do not agree with central differences\n");
  if (const int code = console.print(text.str()); code != kSuccess) return code;
  return check.agrees() ? kSuccess : kDisagreement;
}

}  // namespace limber::app

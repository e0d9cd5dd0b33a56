// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <filesystem>
#include <map>
#include <utility>

#include "app/commands/output.h"
#include "app/commands/report_json.h"
#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"
#include "limber/proof/global_search.h"
#include "limber/solvers/registry.h"

namespace limber::app {

namespace {

using io::OrderedJson;

OrderedJson rows(const Eigen::MatrixXd& matrix) {
  OrderedJson result = OrderedJson::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) result.push_back(io::toJson(Eigen::VectorXd(matrix.row(i))));
  return result;
}

/// f, gradient and Hessian at the document's pose, in the order of the active coordinates; x, x' and x'' of the points
/// of position goals.
void addDerivatives(const Document& document, OrderedJson& result) {
  const Kinematics kinematics = transformsOf(*document.figure, document.pose);
  const PosedProblem problem = makeProblem(document, {}, chooseBranches(document, kinematics, {}));
  if (!problem.objective) return;
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
  result["f"] = problem.objective->evaluate(document.pose, evaluation);
  problem.objective->computeGradient(evaluation, gradient);
  problem.objective->computeHessian(evaluation, hessian);
  result["gradient"] = io::toJson(gradient);
  result["hessian"] = rows(hessian);
  result["end_effectors"] = OrderedJson::array();
  for (const PointDerivatives& point : pointDerivatives(document))
    result["end_effectors"].push_back({{"link", document.figure->link(point.link).name},
                                       {"x", io::toJson(Eigen::VectorXd(point.x))},
                                       {"x'", rows(point.first)},
                                       {"x''", rows(point.second)}});
}

OrderedJson globalJson(const GlobalAnswer& answer) {
  const Summary& summary = answer.report.summary;
  OrderedJson result = certificateJson(answer.result, true);
  OrderedJson& iterations = result["iterations"] = iterationsOf(summary);
  iterations["certificate"] = answer.result.certificate.iterations;
  result["times_us"] = {{"relaxation", microseconds(answer.relaxationMs)},
                        {"refinement", microseconds(answer.refinementMs)},
                        {"certificate", microseconds(answer.result.timeMs)}};
  return result;
}

/// Solves the document; `further` gets what the solver adds to the result.
PosingReport solve(Document& document, OrderedJson& further, bool& isCancelled) {
  if (document.solver.solver != "global") {
    Posing posing;
    return solveToEnd(posing, document, {.searches = true, .leadingLink = leadingLink(document)});
  }
  const InterruptWatch watch;
  const GlobalAnswer answer = searchGlobally(document, {}, {}, [](const GlobalProgress&) { return interrupted == 0; });
  isCancelled = answer.isCancelled;
  document.pose = answer.pose;
  if (answer.isCertificateSought) further["global"] = globalJson(answer);
  return answer.report;
}

/// Changes the solver. Options of the file's solver that the new one also has are copied; a note names the others.
void changeSolver(const SolveArguments& arguments, SolverSettings& settings, Console& console) {
  const Solver* solver = findSolver(arguments.solver);
  const std::string before = std::exchange(settings.solver, arguments.solver);
  const auto given = settings.options.find(before);
  if (!solver || before == arguments.solver || given == settings.options.end()) return;
  const std::map<std::string, double> options = given->second;
  std::string leftOut;
  for (const auto& [name, value] : options) {
    OptionValues values = defaultOptions(*solver);
    if (setOption(*solver, name, value, values) && validate(*solver, values).empty())
      settings.options[arguments.solver].emplace(name, value);
    else leftOut += (leftOut.empty() ? "" : ", ") + name;
  }
  if (!leftOut.empty())
    console.note(arguments.file, "options of \"" + before + "\" that \"" + arguments.solver +
                                     "\" does not take are left out: " + leftOut);
}

int write(const SolveArguments& arguments, const Document& document, const std::string& result, Console& console) {
  if (arguments.output.empty() || arguments.output == "-") return console.print(result);
  const bool isScene = std::filesystem::path(arguments.output).extension() == ".limber";
  const auto fault =
      isScene ? io::writeScene(arguments.output, document) : io::writeFileAtomically(arguments.output, result);
  return fault ? console.fail(*fault) : kSuccess;
}

}  // namespace

int runSolve(const SolveArguments& arguments, Console& console) {
  if (const std::string fault = unknownSolver(arguments.solver); !fault.empty())
    return console.failUsage("--solver: " + fault);
  auto opened = io::openAny(arguments.file, arguments.context);
  if (!opened) return console.fail(opened.error());
  Document& document = opened->document;
  if (!arguments.solver.empty()) changeSolver(arguments, document.solver, console);
  if (arguments.pathIndependent) document.solver.pathIndependent = true;
  if (const auto posing = findPosing(arguments.posing)) document.solver.posing = *posing;
  if (arguments.bodyFollows) document.solver.bodyFollows = *arguments.bodyFollows;
  OrderedJson further = OrderedJson::object();
  if (arguments.derivatives) {
    const PosedProblem problem = makeProblem(document, {});
    if (const int count = problem.objective ? problem.objective->activeCount() : 0; count > kMaxDenseCoordinates)
      return console.fail({arguments.file, "", tooManyCoordinates(count)});
    addDerivatives(document, further);
  }

  bool isCancelled = false;
  const PosingReport report = solve(document, further, isCancelled);
  if (isCancelled) return console.fail({arguments.file, "", "cancelled"});
  if (report.outcome == Outcome::BadInput)
    return console.fail(
        {arguments.file, "", report.sentence.empty() ? "the objective is not finite" : report.sentence});
  OrderedJson result = OrderedJson::object();
  addSolveReport(document, report, result);
  result.update(further);
  if (const int code = write(arguments, document, io::formatJson(result), console); code != kSuccess) return code;
  return arguments.requiresReached && report.outcome != Outcome::Reached ? kNotReached : kSuccess;
}

}  // namespace limber::app

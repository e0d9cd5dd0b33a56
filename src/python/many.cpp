// SPDX-License-Identifier: MIT
// Many targets, and many frames of observed points, at once.
#include <algorithm>

#include "limber/io/json/pose_prior_json.h"
#include "limber/posing/clear_batch.h"
#include "limber/posing/posed_problem.h"
#include "limber/problem/goal_error.h"
#include "limber/scene/fit.h"
#include "limber/solvers/batch/batch.h"
#include "python/module.h"

namespace limber::python {

namespace {

struct BatchResult {
  Eigen::MatrixXd posesByColumns;  ///< one pose per column; in memory the same as the row-major Poses
  Eigen::Array<bool, Eigen::Dynamic, 1> reached;
  Eigen::VectorXd errors, angles;
  Eigen::VectorXi restarts;

  Eigen::Map<const Poses> poses() const {
    return {posesByColumns.data(), posesByColumns.cols(), posesByColumns.rows()};
  }
};

/// The number n of problems in targets of shape (n, width) or (n, goals, width), which have the same layout.
py::ssize_t rowsOf(const Numbers& targets, std::size_t goals, py::ssize_t width, const char* name) {
  const bool isFlat = targets.ndim() == 2 && goals == 1 && targets.shape(1) == width;
  const bool isDeep =
      targets.ndim() == 3 && targets.shape(1) == static_cast<py::ssize_t>(goals) && targets.shape(2) == width;
  if (isFlat || isDeep) return targets.shape(0);
  throw py::value_error(std::string(name) + " must have the shape (n, " + std::to_string(width) + "), or (n, ends, " +
                        std::to_string(width) + ")");
}

/// The goals of named sites and links.
std::vector<BatchGoal> goalsOf(const Figure& figure, const std::vector<std::string>& ends, bool hasPositions,
                               bool hasRotations) {
  std::vector<BatchGoal> goals;
  for (const std::string& end : ends) {
    const EndEffector effector = endNamed(figure, end);
    goals.push_back({.link = effector.link,
                     .linkFromFrame = {effector.frame, effector.point},
                     .position = hasPositions,
                     .orientation = hasRotations});
  }
  return goals;
}

/// The target frames (scene from frame) of all ends, problem by problem; `count` in all.
std::vector<Transform> targetsOf(const FileFrame& frame, std::size_t count, const std::optional<Numbers>& positions,
                                 const std::optional<Numbers>& rotations) {
  std::vector<Transform> targets;
  targets.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Transform& target = targets.emplace_back();
    if (positions) target.translation = Eigen::Map<const Eigen::Vector3d>(positions->data() + 3 * i);
    if (rotations)
      target.rotation = rotationFromQuaternion(Eigen::Map<const Eigen::Vector4d>(rotations->data() + 4 * i));
    target = frame.toScene(target);
  }
  return targets;
}

/// A figure in its first pose, with the settings of its file; or the problem of an Ik in its pose, and its axes.
IkProblem problemOf(const py::object& from, std::string& axes) {
  if (!py::isinstance<PyIk>(from)) return from.cast<const FigureFile&>().document;
  PyIk& ik = from.cast<PyIk&>();
  if (axes.empty()) axes = ik.get().axes() == Axes::File ? "file" : "scene";
  const IkProblem& problem = ik.get().problem();
  if (!problem.pins.empty()) throw py::value_error("links are pinned, which solve_batch does not take: unpin them");
  if (problem.keepsBalance) throw py::value_error("balance is kept, which solve_batch does not take: switch it off");
  return problem;
}

BatchResult solveBatch(const py::object& from, const std::vector<std::string>& ends,
                       const std::optional<Numbers>& positions, const std::optional<Numbers>& rotations,
                       const std::optional<Poses>& starts, int threads, int restarts, bool isDouble, bool polishes,
                       const std::function<bool()>& progress, std::string axes) {
  const IkProblem problem = problemOf(from, axes);
  if (axes.empty()) axes = "file";
  const Figure& figure = *problem.figure;
  const FileFrame frame = figure.frameIn(axesNamed(axes));
  if (ends.empty() || (!positions && !rotations)) throw py::value_error("there is no target");
  const py::ssize_t count =
      positions ? rowsOf(*positions, ends.size(), 3, "positions") : rowsOf(*rotations, ends.size(), 4, "rotations");
  if (positions && rotations && rowsOf(*rotations, ends.size(), 4, "rotations") != count)
    throw py::value_error("positions and rotations differ in number");
  BatchProblems problems;
  problems.starts = problem.pose.coordinates.replicate(1, count);
  if (starts) {
    if (starts->rows() != count || starts->cols() != figure.poseSize())
      throw py::value_error("starts must have the shape (n, poseSize)");
    problems.starts = starts->transpose();
  }
  problems.targets = targetsOf(frame, static_cast<std::size_t>(count) * ends.size(), positions, rotations);
  std::vector<char> isLocked;
  for (const JointSettings& joint : problem.joints) isLocked.push_back(joint.locked || joint.rigidity >= 1.0);
  const BatchSolver solver(problem.figure, goalsOf(figure, ends, positions.has_value(), rotations.has_value()),
                           limitsOf(problem), problem.pose, isLocked);
  const Tolerance tolerance = toleranceOf(problem);
  const BatchOptions options{.positionTolerance = tolerance.length,
                             .angleTolerance = tolerance.angle,
                             .restarts = restarts,
                             .doublePrecision = isDouble,
                             .polish = polishes,
                             .threads = threads};
  if (const std::string fault = solver.fault(problems, options); !fault.empty()) throw py::value_error(fault);
  BatchAnswers answers;
  Watch watch(true);
  {
    const py::gil_scoped_release released;
    const auto goesOn = [&] { return watch.goesOn([&] { return !progress || progress(); }); };
    const auto itemsOf = [&](Eigen::Index i) {
      const std::span<const Transform> targets(problems.targets);
      return goalItemsOf(solver.goals(), targets.subspan(static_cast<std::size_t>(i) * ends.size(), ends.size()));
    };
    solver.solve(problems, options, answers, goesOn);
    keepClear(problem, problems, options, itemsOf, answers, goesOn);
  }
  watch.rethrow();
  BatchResult result{std::move(answers.poses), {}, {}, {}, {}};
  result.reached.resize(count);
  result.errors.resize(count);
  result.angles.resize(count);
  result.restarts.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const BatchAnswer& answer = answers.answers[i];
    result.reached[i] = answer.isSolved && answer.reached;
    result.errors[i] = answer.isSolved ? answer.positionError / frame.metresPerUnit : NAN;
    result.angles[i] = answer.isSolved ? answer.angleError : NAN;
    result.restarts[i] = answer.restarts;
  }
  return result;
}

struct PyFit {
  Poses poses;
  Eigen::VectorXd costs;
  double scale = 1.0;
  std::vector<std::string> names;  ///< for each observed point that of the figure, "" for none
};

PyFit fitAll(const FigureFile& file, const std::vector<std::string>& names, const Numbers& places,
             const std::map<std::string, std::string>& map, std::optional<double> scale,
             const std::function<bool(double)>& progress, const std::string& axes) {
  const FileFrame frame = file.figure().frameIn(axesNamed(axes));
  const bool isDeep =
      places.ndim() == 3 && places.shape(1) == static_cast<py::ssize_t>(names.size()) && places.shape(2) == 3;
  if (!isDeep) throw py::value_error("points must have the shape (frames, names, 3)");
  auto observations = std::make_shared<Observations>();
  observations->names = names;
  observations->weights.assign(names.size(), 1.0);
  observations->frameCount = static_cast<int>(places.shape(0));
  for (py::ssize_t i = 0; i < places.shape(0) * places.shape(1); ++i)
    observations->positions.push_back(frame.toScene(Eigen::Vector3d(places.data() + 3 * i)));
  Document document = file.document;
  io::addPosePrior(document);
  FitPlan plan = planFit(document, observations, "");
  plan.scale = scale;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto given = map.find(names[i]); given != map.end()) {
      endNamed(file.figure(), given->second);
      plan.names[i] = given->second;
    }
  FitAnswer answer;
  Watch watch(true);
  {
    const py::gil_scoped_release released;
    answer =
        runFit(document, plan, [&](double part) { return watch.goesOn([&] { return !progress || progress(part); }); });
  }
  watch.rethrow();
  const FitResult& result = answer.result;
  if (!result.fault.empty()) throw Failure(result.fault);
  PyFit out{.scale = answer.scale.scale, .names = plan.names};
  out.poses.resize(static_cast<Eigen::Index>(result.frames.size()), file.figure().poseSize());
  out.costs.resize(out.poses.rows());
  for (Eigen::Index i = 0; i < out.poses.rows(); ++i) {
    out.poses.row(i) = result.frames[i].pose.coordinates.transpose();
    out.costs[i] = result.frames[i].cost / frame.metresPerUnit;
  }
  return out;
}

}  // namespace

void addMany(py::module_& module) {
  py::class_<BatchResult>(module, "BatchResult", "The answers to many targets, in their order.")
      .def_property_readonly("poses", &BatchResult::poses, py::return_value_policy::reference_internal,
                             "(n, poseSize); the nearest pose found if not reached.")
      .def_readonly("reached", &BatchResult::reached, "(n,) of bool, by forward kinematics.")
      .def_readonly("errors", &BatchResult::errors, "(n,): lengths, of the worst end; NaN if not solved.")
      .def_readonly("angles", &BatchResult::angles, "(n,): radians, likewise.")
      .def_readonly("restarts", &BatchResult::restarts, "(n,): random starts after the given one.")
      .def("__len__", [](const BatchResult& r) { return r.reached.size(); })
      .def("__repr__", [](const BatchResult& r) {
        return "<limber.BatchResult: " + std::to_string(r.reached.count()) + " of " + std::to_string(r.reached.size()) +
               " reached>";
      });
  module.def(
      "solve_batch", &solveBatch, py::arg("figure"), py::arg("ends"), py::arg("positions") = py::none(),
      py::arg("rotations") = py::none(), py::arg("starts") = py::none(), py::arg("threads") = 0,
      py::arg("restarts") = 200, py::arg("isDouble") = false, py::arg("polishes") = true,
      py::arg("progress") = std::function<bool()>(), py::arg("axes") = "",
      "Poses a figure for many targets of the same sites or links, over threads (0: all) and vector registers. "
      "Given an Ik instead, it has the pose, limits, locks, obstacles, self-avoidance and safety distance of "
      "the Ik, but not its goals; poses that collide are solved anew, one by one. "
      "positions: (n, 3), or (n, ends, 3), in the axes and unit of the figure's file or of the scene (axes: those of "
      "the Ik, else \"file\"); "
      "rotations: (n, 4) or (n, ends, 4), quaternions x y z w. "
      "progress() is called from time to time; returning False ends the solve.");
  py::class_<PyFit>(module, "Fit", "A motion that follows observed points.")
      .def_readonly("poses", &PyFit::poses, "(frames, poseSize)")
      .def_readonly("costs", &PyFit::costs, "(frames,): root mean square distance; NaN without a point.")
      .def_readonly("scale", &PyFit::scale, "The figure's lengths per observed length.")
      .def_readonly("names", &PyFit::names, "The figure's point for each observed one, \"\" for none.")
      .def("__repr__", [](const PyFit& fit) {
        return "<limber.Fit of " + std::to_string(fit.poses.rows()) + " frames, scale " + shortly(fit.scale) + ">";
      });
  module.def(
      "fit", &fitAll, py::arg("figure"), py::arg("names"), py::arg("points"),
      py::arg("map") = std::map<std::string, std::string>(), py::arg("scale") = py::none(),
      py::arg("progress") = std::function<bool(double)>(), py::arg("axes") = "file",
      "Fits a figure to points (frames, names, 3), NaN where one was not seen, in the axes and unit of the figure's "
      "file or of the scene. Names are matched "
      "with those of the figure, or by map. If progress(part) returns False, the fit ends without all frames.");
}

}  // namespace limber::python

// SPDX-License-Identifier: MIT
// VelocityStep: joint velocities for wanted twists.
#include "limber/posing/velocity_step.h"
#include "python/module.h"

namespace limber::python {

namespace {

/// A VelocityStep with the figure whose names it uses.
struct PyVelocityStep {
  std::shared_ptr<const FigureFile> file;
  VelocityStep step;
};

struct PyVelocityAnswer : VelocityAnswer {
  std::shared_ptr<const FigureFile> file;
};

Vector6d twistFrom(const Numbers& given) {
  if (given.ndim() != 1 || given.size() != 6)
    throw py::value_error("a twist has six numbers: the linear velocity, then the angular velocity");
  return Eigen::Map<const Vector6d>(given.data());
}

int addVelocityGoal(PyVelocityStep& self, const std::string& end, const Numbers& twist, const Numbers& point,
                    bool inEndAxes, bool moves, bool turns, double weight, int priority) {
  return self.step.add({.end = end,
                        .twist = twistFrom(twist),
                        .point = vectorFrom(point),
                        .inEndAxes = inEndAxes,
                        .moves = moves,
                        .turns = turns,
                        .weight = weight,
                        .priority = priority});
}

/// The joints that a limit of velocity or position holds, each once.
std::vector<std::string> jointsAtLimits(const PyVelocityAnswer& answer) {
  std::vector<std::string> names;
  for (const Joint& joint : answer.file->figure().joints())
    for (int k = 0; k < stepSize(joint.type); ++k)
      if (answer.isLimited[static_cast<std::size_t>(joint.stepIndex + k)]) {
        names.push_back(joint.name);
        break;
      }
  return names;
}

}  // namespace

void addVelocity(py::module_& module) {
  py::class_<PyVelocityAnswer>(module, "VelocityAnswer", "Joint velocities, and what they attain.")
      .def_property_readonly(
          "velocity", [](const PyVelocityAnswer& a) { return readOnly(a.velocity); },
          "(stepSize,): radians, or metres for slides, per second.")
      .def_property_readonly(
          "pose", [](const PyVelocityAnswer& a) { return readOnly(a.pose.coordinates); },
          "(poseSize,): after the period.")
      .def_readonly("missed", &PyVelocityAnswer::missed, "What each goal misses of its twist.")
      .def_readonly("isReached", &PyVelocityAnswer::isReached, "True if all twists are attained.")
      .def_property_readonly("jointsAtLimits", &jointsAtLimits, "Joints that a limit of velocity or position holds.")
      .def("__bool__", [](const PyVelocityAnswer& a) { return a.isReached; })
      .def("__repr__", [](const PyVelocityAnswer& a) {
        return std::string("<limber.VelocityAnswer, ") + (a.isReached ? "reached>" : "not reached>");
      });
  const std::array<double, 3> origin = {0.0, 0.0, 0.0};
  const std::array<double, 6> still = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  py::class_<PyVelocityStep>(module, "VelocityStep",
                             "Joint velocities that move sites and links as wanted, within velocity limits and joint "
                             "limits, by priorities; one call per control period.")
      .def(py::init([](const std::shared_ptr<FigureFile>& file, const std::string& axes) {
             if (!file) throw py::type_error("the figure is None: pass the Figure that limber.readFigure() returns");
             return PyVelocityStep{file, VelocityStep(file->document.figure, axesNamed(axes))};
           }),
           py::arg("figure"), py::arg("axes") = "file", "With the limits, velocity limits and couplings of the figure.")
      .def(py::init([](const std::shared_ptr<PyIk>& ik) {
             if (!ik) throw py::type_error("the Ik is None");
             return PyVelocityStep{ik->sharedFile(), VelocityStep(ik->get().problem(), ik->get().axes())};
           }),
           py::arg("ik"), "With the limits and locks of an Ik, in its axes.")
      .def(
          "add", &addVelocityGoal, py::arg("end"), py::arg("twist") = still, py::arg("point") = origin,
          py::arg("inEndAxes") = false, py::arg("moves") = true, py::arg("turns") = true, py::arg("weight") = 1.0,
          py::arg("priority") = 1,
          "Adds a goal: a twist (6,) of a point of a site or link, its linear velocity, then the angular one. Without "
          "moves or turns that half does not count. Goals of a smaller priority come first. Returns the goal's number.")
      .def(
          "setTwist",
          [](PyVelocityStep& self, int goal, const Numbers& twist) { self.step[goal].twist = twistFrom(twist); },
          py::arg("goal"), py::arg("twist"))
      .def(
          "setVelocityLimit",
          [](PyVelocityStep& self, const std::string& joint, double limit) {
            self.step.setVelocityLimit(joint, limit);
          },
          py::arg("joint"), py::arg("limit"), "The largest speed of a joint, radians or metres per second.")
      .def(
          "solve",
          [](PyVelocityStep& self, const Eigen::VectorXd& pose, double seconds) {
            return PyVelocityAnswer{self.step.solve({pose}, seconds), self.file};
          },
          py::arg("pose"), py::arg("seconds"),
          "The velocities in a pose (poseSize,), for a period at whose end the limits of the joints hold.")
      .def("__repr__", [](const PyVelocityStep& self) {
        return "<limber.VelocityStep of \"" + self.file->figure().name() +
               "\": " + std::to_string(self.step.goalCount()) + " goals>";
      });
}

}  // namespace limber::python

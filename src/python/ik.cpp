// SPDX-License-Identifier: MIT
// Ik, its goals and answers.
#include "limber/posing/certify.h"
#include "limber/posing/outcome.h"
#include "limber/solvers/registry.h"
#include "python/module.h"

namespace limber::python {

namespace {

/// A goal of an Ik, which it keeps alive.
struct PyGoal {
  std::shared_ptr<PyIk> owner;
  GoalId id;

  GoalItem& item() const { return owner->ik[id]; }
};

std::shared_ptr<PyIk> makeIk(const std::shared_ptr<FigureFile>& file) { return std::make_shared<PyIk>(file); }

NewGoal withRest(NewGoal goal, double weight, std::vector<std::string> uses) {
  goal.weight(weight);
  if (!uses.empty()) goal.uses(std::move(uses));
  return goal;
}

/// `make` as a function of the module that takes weight and uses, too.
template <class... Arguments, class... Extra>
void addGoal(py::module_& module, const char* name, NewGoal (*make)(Arguments...), const char* about,
             const Extra&... extra) {
  module.def(
      name,
      [make](Arguments... arguments, double weight, std::vector<std::string> uses) {
        return withRest(make(arguments...), weight, std::move(uses));
      },
      extra..., py::arg("weight") = 1.0, py::arg("uses") = std::vector<std::string>(), about);
}

NewGoal orientationOf(std::string end, const Eigen::MatrixXd& rotation) {
  return orientation(std::move(end), rotationFrom(rotation));
}
NewGoal placementOf(std::string end, const Eigen::Vector3d& target, const Eigen::MatrixXd& rotation) {
  return placement(std::move(end), {rotationFrom(rotation), target});
}
NewGoal distanceOf(std::string end, std::string other, double shortest, double longest) {
  return distance(std::move(end), std::move(other), {shortest, longest});
}
NewGoal centreOf(const Eigen::Vector3d& target) { return centreOfMass(target); }

void addGoals(py::module_& module) {
  py::class_<NewGoal>(module, "NewGoal", "What is asked of a site or a link; Ik.add() takes it.")
      .def("__repr__", [](const NewGoal& goal) {
        return "<limber.NewGoal of \"" + goal.end + "\", weight " + shortly(goal.item.weight) + ">";
      });
  addGoal(
      module, "position", +[](std::string end, const Eigen::Vector3d& target) { return position(end, target); },
      "The origin of a site or link at a point (3,) of the world.", py::arg("end"), py::arg("target"));
  addGoal(module, "orientation", &orientationOf,
          "The axes of a site or link along those of a rotation: a quaternion (x, y, z, w) or a matrix (3, 3).",
          py::arg("end"), py::arg("rotation"));
  addGoal(module, "placement", &placementOf, "A position and an orientation.", py::arg("end"), py::arg("target"),
          py::arg("rotation"));
  addGoal(
      module, "direction",
      +[](std::string end, const Eigen::Vector3d& axis, const Eigen::Vector3d& direction) {
        return limber::direction(end, axis, direction);
      },
      "An axis (3,) of a site or link along a direction (3,) of the world.", py::arg("end"), py::arg("axisInEnd"),
      py::arg("directionInWorld"));
  addGoal(
      module, "lookAt",
      +[](std::string end, const Eigen::Vector3d& axis, const Eigen::Vector3d& target) {
        return lookAt(end, axis, target);
      },
      "The ray from a site or link along an axis of it through a point.", py::arg("end"), py::arg("axisInEnd"),
      py::arg("target"));
  addGoal(
      module, "onLine",
      +[](std::string end, const Eigen::Vector3d& point, const Eigen::Vector3d& direction) {
        return onLine(end, point, direction);
      },
      "The origin of a site or link on the line through a point.", py::arg("end"), py::arg("point"),
      py::arg("directionInWorld"));
  addGoal(
      module, "onPlane",
      +[](std::string end, const Eigen::Vector3d& point, const Eigen::Vector3d& normal) {
        return onPlane(end, point, normal);
      },
      "The origin of a site or link on the plane through a point.", py::arg("end"), py::arg("point"),
      py::arg("normal"));
  addGoal(
      module, "onSide",
      +[](std::string end, const Eigen::Vector3d& point, const Eigen::Vector3d& normal) {
        return onSide(end, point, normal);
      },
      "The origin of a site or link on the plane, or on the side into which the normal points.", py::arg("end"),
      py::arg("point"), py::arg("normal"));
  addGoal(module, "distance", &distanceOf, "The distance between two sites or links within an interval, metres.",
          py::arg("end"), py::arg("other"), py::arg("shortest") = 0.0,
          py::arg("longest") = std::numeric_limits<double>::infinity());
  addGoal(
      module, "together", +[](std::string end, std::string other) { return together(end, other); },
      "A site or link where another one is, with its axes.", py::arg("end"), py::arg("other"));
  addGoal(module, "centreOfMass", &centreOf, "The centre of mass above or below a point.", py::arg("target"));

  py::class_<PyGoal>(module, "Goal", "A goal of an Ik. What is set counts from the next solve.")
      .def_property(
          "target", [](const PyGoal& g) { return g.item().target; },
          [](const PyGoal& g, const Eigen::Vector3d& target) { g.item().target = target; },
          "(3,): a point of the world, metres.")
      .def_property(
          "rotation", [](const PyGoal& g) { return quaternionOf(g.item().targetFrame); },
          [](const PyGoal& g, const Eigen::MatrixXd& r) { g.item().targetFrame = rotationFrom(r); },
          "The axes asked for: a quaternion (x, y, z, w); a matrix (3, 3) can be set, too.")
      .def_property(
          "weight", [](const PyGoal& g) { return g.item().weight; },
          [](const PyGoal& g, double weight) { g.item().weight = weight; }, "Relative to other goals, >= 0.")
      .def_property(
          "enabled", [](const PyGoal& g) { return g.item().enabled; },
          [](const PyGoal& g, bool isEnabled) { g.item().enabled = isEnabled; })
      .def("__repr__", [](const PyGoal& g) {
        return "<limber.Goal " + std::to_string(g.id.value) + " on \"" +
               g.owner->file->figure().link(g.item().link).name + "\">";
      });
}

std::string describe(const Answer& answer) {
  return "<limber.Answer " + std::string(outcomeName(answer.outcome)) + ": " +
         (answer.sentence.empty() ? "error " + shortly(1e3 * answer.worstError) + " mm" : answer.sentence) + ", " +
         std::to_string(answer.summary.iterations()) + " iterations, " + shortly(1e3 * answer.totalMs) + " us>";
}

void addAnswers(py::module_& module) {
  py::class_<GoalReport>(module, "GoalReport", "What is left of a goal or a pin.")
      .def_readonly("error", &GoalReport::error, "Metres, by forward kinematics.")
      .def_readonly("angle", &GoalReport::angle, "Radians.")
      .def_readonly("isReached", &GoalReport::reached)
      .def_readonly("isOutOfReach", &GoalReport::outOfReach, "Proved: no pose reaches it.")
      .def("__repr__", [](const GoalReport& g) {
        return "<limber.GoalReport " + shortly(1e3 * g.error) + " mm, " + shortly(g.angle) + " rad" +
               (g.reached ? ", reached>" : ">");
      });
  py::class_<Answer>(module, "Answer", "A pose, and what it reaches by forward kinematics.")
      .def_property_readonly(
          "pose", [](const Answer& a) { return a.pose.coordinates; }, "(poseSize,)")
      .def_property_readonly("isReached", &Answer::isReached, "True when all goals and pins are met.")
      .def_property_readonly(
          "outcome", [](const Answer& a) { return outcomeName(a.outcome); },
          "\"reached\", \"at limits\", \"out of reach\" and others, docs/formats.md.")
      .def_readonly("sentence", &Answer::sentence, "For people: what is left, and what holds it back.")
      .def_readonly("error", &Answer::worstError, "Metres, of the worst goal.")
      .def_readonly("angle", &Answer::worstAngle, "Radians, of the worst goal.")
      .def_readonly("goals", &Answer::goals)
      .def_property_readonly("iterations", [](const Answer& a) { return a.summary.iterations(); })
      .def_property_readonly(
          "time_us", [](const Answer& a) { return 1e3 * a.totalMs; }, "Microseconds of the solve.")
      .def("__bool__", &Answer::isReached)
      .def("__repr__", &describe);
  py::class_<PoseCertificate>(module, "Certificate", "A bound on how much better any pose could be.")
      .def_property_readonly("isCertified", [](const PoseCertificate& c) { return c.certificate.isCertified; })
      .def_property_readonly("isOutOfReach", [](const PoseCertificate& c) { return c.certificate.isOutOfReach; })
      .def_property_readonly(
          "cost", [](const PoseCertificate& c) { return c.certificate.cost(); },
          "Root mean square distance of the points from their targets, metres.")
      .def_property_readonly(
          "bound", [](const PoseCertificate& c) { return c.certificate.leastCost(); },
          "No pose brings it below this, metres.")
      .def_readonly("leftOut", &PoseCertificate::leftOut)
      .def("__repr__",
           [](const PoseCertificate& c) { return "<limber.Certificate " + sentenceOf(c.certificate) + ">"; })
      .def("__str__", [](const PoseCertificate& c) { return sentenceOf(c.certificate); });
}

Keep keepNamed(const std::string& keep) {
  if (keep == "place") return Keep::Place;
  if (keep == "position") return Keep::Position;
  if (keep == "rotation") return Keep::Rotation;
  throw py::value_error("keep must be \"place\", \"position\" or \"rotation\"");
}

void setSolver(PyIk& self, const std::string& name, const std::map<std::string, double>& options) {
  const Solver* solver = findSolver(name);
  if (!solver) {
    std::string known;
    for (const Solver* other : allSolvers()) known += (known.empty() ? "" : ", ") + std::string(other->name());
    throw py::value_error("there is no solver \"" + name + "\"; there are " + known);
  }
  OptionValues values = defaultOptions(*solver);
  for (const auto& [option, value] : options)
    if (!setOption(*solver, option, value, values))
      throw py::value_error("the solver \"" + name + "\" has no option \"" + option + "\"");
  if (const std::string fault = validate(*solver, values); !fault.empty()) throw py::value_error(fault);
  self.ik.problem().solver.solver = name;
  self.ik.problem().solver.options[name] = options;
}

FittedFrame fitOnce(PyIk& self, const std::map<std::string, Eigen::Vector3d>& points) {
  std::vector<SeenPoint> seen;
  for (const auto& [end, place] : points) seen.push_back({end, place});
  const py::gil_scoped_release released;
  return self.ik.fit(seen);
}

}  // namespace

void addIk(py::module_& module) {
  addGoals(module);
  addAnswers(module);
  using Self = std::shared_ptr<PyIk>;
  py::class_<PyIk, Self>(module, "Ik",
                         "The inverse kinematics of a figure: goals and pins, and the pose that meets them. One thread "
                         "at a time may use an Ik; several may share a Figure.")
      .def(py::init(&makeIk), py::arg("figure"),
           "In the figure's first pose, with the goals and settings of its file, if that is a problem or a scene.")
      .def(
          "add",
          [](const Self& self, const NewGoal& goal) {
            return PyGoal{self, self->ik.add(goal)};
          },
          py::arg("goal"), "Adds a goal. Raises ValueError for a name that the figure does not have.")
      .def(
          "remove", [](const Self& self, const PyGoal& goal) { self->ik.remove(goal.id); }, py::arg("goal"))
      .def(
          "pin",
          [](const Self& self, const std::string& end, const std::string& keep) { self->ik.pin(end, keepNamed(keep)); },
          py::arg("end"), py::arg("keep") = "place",
          "Keeps a site or link where it is, exactly: its place, or its position or rotation alone.")
      .def(
          "unpin", [](const Self& self, const std::string& end) { self->ik.unpin(end); }, py::arg("end"))
      .def(
          "lock", [](const Self& self, const std::string& joint, bool isLocked) { self->ik.lock(joint, isLocked); },
          py::arg("joint"), py::arg("isLocked") = true, "Keeps a joint at its angle, or lets it go.")
      .def(
          "setSolver",
          [](const Self& self, const std::string& name, const py::kwargs& options) {
            setSolver(*self, name, options.cast<std::map<std::string, double>>());
          },
          py::arg("name"), "Another solver by its name, with its options (docs/solvers.md).")
      .def(
          "solve", [](const Self& self) { return self->ik.solve(); }, py::call_guard<py::gil_scoped_release>(),
          "Solves from the present pose, which becomes that of the answer. The same calls give the same bits.")
      .def(
          "search", [](const Self& self) { return self->ik.search(); }, py::call_guard<py::gil_scoped_release>(),
          "As solve(); where goals are missed that might be met, it looks farther, from other poses.")
      .def(
          "certify", [](const Self& self) { return self->ik.certify(); }, py::call_guard<py::gil_scoped_release>(),
          "How much nearer to their targets any pose at all could bring the points with position goals.")
      .def(
          "fit",
          [](const Self& self, const std::map<std::string, Eigen::Vector3d>& points) {
            const FittedFrame frame = fitOnce(*self, points);
            return py::make_tuple(frame.pose.coordinates, frame.cost);
          },
          py::arg("points"),
          "Moves the figure so that sites and links are as near as can be to points {name: (3,)}. Returns the pose "
          "and the root mean square distance, metres.")
      .def_property(
          "pose", [](const Self& self) { return self->ik.pose().coordinates; },
          [](const Self& self, const Eigen::VectorXd& pose) { self->ik.setPose(checkedPose(self->ik.figure(), pose)); },
          "(poseSize,): the present pose.")
      .def_property_readonly("figure",
                             [](const Self& self) {
                               return std::const_pointer_cast<FigureFile>(self->file);  // its members do not change it
                             })
      .def(
          "placeOf",
          [](const Self& self, const std::string& end) {
            const Transform place = self->ik.placeOf(end);
            return py::make_tuple(place.translation, quaternionOf(place.rotation));
          },
          py::arg("end"), "Position (3,), metres, and quaternion (4,), x y z w, of a site or link.")
      .def_property(
          "keepsBalance", [](const Self& self) { return self->ik.problem().keepsBalance; },
          [](const Self& self, bool keeps) { self->ik.problem().keepsBalance = keeps; },
          "Whether the centre of mass stays above the feet.")
      .def_property(
          "avoidsItself", [](const Self& self) { return self->ik.problem().avoidsItself; },
          [](const Self& self, bool avoids) { self->ik.problem().avoidsItself = avoids; },
          "Whether links stay out of each other.")
      .def("__repr__", [](const Self& self) {
        return "<limber.Ik of \"" + self->ik.figure().name() +
               "\": " + std::to_string(self->ik.problem().goals.size()) + " goals, " +
               std::to_string(self->ik.problem().pins.size()) + " pins>";
      });
}

}  // namespace limber::python

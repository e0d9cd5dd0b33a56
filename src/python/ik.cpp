// SPDX-License-Identifier: MIT
// Ik, its goals and answers.
#include "limber/posing/certify.h"
#include "limber/posing/outcome.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "limber/solvers/registry.h"
#include "python/module.h"

namespace limber::python {

namespace {

/// An answer, the figure whose names it uses, and the unit of its lengths. Attributes are made when they are read.
struct PyAnswer {
  std::shared_ptr<const Answer> answer;
  std::shared_ptr<const FigureFile> file;
  double metresPerUnit = 1.0;

  const Answer& operator*() const { return *answer; }
  const Answer* operator->() const { return answer.get(); }
  double millimetres(double length) const { return 1e3 * metresPerUnit * length; }
};

/// A contact with the name of its link.
struct PyContact : ContactReport {
  std::string name;
};

/// A goal of an Ik, which it keeps alive.
struct PyGoal {
  std::shared_ptr<PyIk> owner;
  GoalId id;

  GoalItem& item() const { return owner->get()[id]; }
};

/// The joints that a goal may use; None for all.
using Uses = std::optional<std::vector<std::string>>;

NewGoal withRest(NewGoal goal, double weight, const Uses& uses, int priority, bool isPreference) {
  goal.weight(weight).priority(priority);
  if (isPreference) goal.preference();
  if (uses) goal.uses(*uses);
  return goal;
}

/// Adds `make` to the module as a function that also takes weight, uses, priority and preference.
template <class... Arguments, class... Extra>
void addGoal(py::module_& module, const char* name, NewGoal (*make)(Arguments...), const char* about,
             const Extra&... extra) {
  module.def(
      name,
      [make](Arguments... arguments, double weight, const Uses& uses, int priority, bool isPreference) {
        return withRest(make(arguments...), weight, uses, priority, isPreference);
      },
      extra..., py::arg("weight") = 1.0, py::arg("uses") = py::none(), py::arg("priority") = 1,
      py::arg("preference") = false, about);
}

/// A point or direction, as Python gives it.
using Vector = const Numbers&;

NewGoal distanceOf(std::string end, std::string other, double shortest, double longest) {
  return distance(std::move(end), std::move(other), {shortest, longest});
}

/// Goals of a single point.
void addPointGoals(py::module_& module) {
  const auto end = py::arg("end"), target = py::arg("target");
  addGoal(
      module, "position", +[](std::string e, Vector t) { return position(std::move(e), vectorFrom(t)); },
      "The origin of a site or link at a point (3,) of the world.", end, target);
  addGoal(
      module, "onLine",
      +[](std::string e, Vector p, Vector d) { return onLine(std::move(e), vectorFrom(p), vectorFrom(d)); },
      "The origin of a site or link on the line through a point.", end, py::arg("point"), py::arg("directionInWorld"));
  addGoal(
      module, "onPlane",
      +[](std::string e, Vector p, Vector n) { return onPlane(std::move(e), vectorFrom(p), vectorFrom(n)); },
      "The origin of a site or link on the plane through a point.", end, py::arg("point"), py::arg("normal"));
  addGoal(
      module, "onSide",
      +[](std::string e, Vector p, Vector n) { return onSide(std::move(e), vectorFrom(p), vectorFrom(n)); },
      "The origin of a site or link on the plane, or on the side into which the normal points.", end, py::arg("point"),
      py::arg("normal"));
  addGoal(module, "distance", &distanceOf, "The distance between two sites or links within an interval.", end,
          py::arg("other"), py::arg("shortest") = 0.0, py::arg("longest") = std::numeric_limits<double>::infinity());
  addGoal(
      module, "swivel", +[](std::string e, Vector d) { return swivel(std::move(e), vectorFrom(d)); },
      "The bend of a limb, such as an elbow, toward a direction (3,); a preference. The end is its lower bone or a "
      "site "
      "on it.",
      end, py::arg("directionInWorld"));
  addGoal(
      module, "keepPose", +[](const Eigen::VectorXd& pose) { return keepPose({pose}); },
      "Every joint at its coordinates in a pose (poseSize,); a preference.", py::arg("pose"));
  addGoal(
      module, "centreOfMass", +[](Vector t) { return centreOfMass(vectorFrom(t)); },
      "The centre of mass above or below a point.", target);
}

/// Goals of axes, or of a point and axes.
void addAxisGoals(py::module_& module) {
  const auto end = py::arg("end"), target = py::arg("target"), rotation = py::arg("rotation");
  addGoal(
      module, "orientation",
      +[](std::string e, const Numbers& r) { return orientation(std::move(e), rotationFrom(r)); },
      "The axes of a site or link along those of a rotation: a quaternion (x, y, z, w) or a matrix (3, 3).", end,
      rotation);
  addGoal(
      module, "placement",
      +[](std::string e, Vector t, const Numbers& r, double share) {
        return placement(std::move(e), {rotationFrom(r), vectorFrom(t)}).positionShare(share);
      },
      "A position and an orientation. positionShare is how much the position counts, in [0, 1].", end, target, rotation,
      py::arg("positionShare") = 0.5);
  addGoal(
      module, "direction",
      +[](std::string e, Vector a, Vector d) { return direction(std::move(e), vectorFrom(a), vectorFrom(d)); },
      "An axis (3,) of a site or link along a direction (3,) of the world.", end, py::arg("axisInEnd"),
      py::arg("directionInWorld"));
  addGoal(
      module, "lookAt",
      +[](std::string e, Vector a, Vector t) { return lookAt(std::move(e), vectorFrom(a), vectorFrom(t)); },
      "The ray from a site or link along an axis of it through a point.", end, py::arg("axisInEnd"), target);
  addGoal(
      module, "together", +[](std::string e, std::string other) { return together(std::move(e), std::move(other)); },
      "A site or link where another one is, with its axes.", end, py::arg("other"));
}

std::string describe(const PyGoal& goal) {
  const GoalItem& item = goal.item();
  return "<limber.Goal " + std::to_string(goal.id.value) + ": " + std::string(infoOf(item.type).label) +
         (infoOf(item.type).hasEndEffector() ? " of \"" + item.name + "\">" : ">");
}

void addGoals(py::module_& module) {
  py::class_<NewGoal>(module, "NewGoal", "A goal for a site or a link, to pass to Ik.add().")
      .def("__repr__", [](const NewGoal& goal) {
        return "<limber.NewGoal" + (goal.end.empty() ? "" : " of \"" + goal.end + "\"") + ", weight " +
               shortly(goal.item.weight) + ">";
      });
  addPointGoals(module);
  addAxisGoals(module);
  py::class_<PyGoal>(module, "Goal", "A goal of an Ik. Changes take effect in the next solve.")
      .def_property(
          "target", [](const PyGoal& g) { return readOnly(g.item().target); },
          [](const PyGoal& g, Vector target) { g.item().target = vectorFrom(target); },
          "(3,): a point of the world. Reading gives a read-only copy; assign all three numbers.")
      .def_property(
          "rotation", [](const PyGoal& g) { return readOnly(quaternionOf(g.item().targetFrame)); },
          [](const PyGoal& g, const Numbers& r) { g.item().targetFrame = rotationFrom(r); },
          "The target axes: a quaternion (x, y, z, w), read-only; a matrix (3, 3) can be assigned, too.")
      .def_property(
          "weight", [](const PyGoal& g) { return g.item().weight; },
          [](const PyGoal& g, double weight) { g.item().weight = weight; }, "Relative to other goals, >= 0.")
      .def_property(
          "preference", [](const PyGoal& g) { return g.item().preference; },
          [](const PyGoal& g, bool isPreference) { g.item().preference = isPreference; },
          "Whether it only chooses among the poses that meet the other goals.")
      .def_property(
          "priority", [](const PyGoal& g) { return g.item().priority; },
          [](const PyGoal& g, int priority) {
            if (priority < 1 || priority > kLowestPriority) throw py::value_error("priority must be in 1 to 9");
            g.item().priority = priority;
          },
          "1 to 9: goals of a smaller number are met first, whatever the weights.")
      .def_property(
          "enabled", [](const PyGoal& g) { return g.item().enabled; },
          [](const PyGoal& g, bool isEnabled) { g.item().enabled = isEnabled; })
      .def("__repr__", py::overload_cast<const PyGoal&>(&describe));
}

std::string describe(const PyAnswer& answer) {
  return "<limber.Answer " + std::string(outcomeName(answer->outcome)) + ": " +
         (answer->sentence.empty() ? "error " + shortly(answer.millimetres(answer->worstError)) + " mm"
                                   : answer->sentence) +
         ", " + std::to_string(answer->summary.iterations()) + " iterations, " + shortly(1e3 * answer->totalMs) +
         " us>";
}

void addAnswers(py::module_& module) {
  py::class_<GoalReport>(module, "GoalReport", "The remaining error of a goal or a pin.")
      .def_readonly("error", &GoalReport::error, "A length, by forward kinematics.")
      .def_readonly("angle", &GoalReport::angle, "Radians.")
      .def_readonly("isReached", &GoalReport::reached)
      .def_readonly("isPreference", &GoalReport::isPreference, "True if Answer.isReached does not depend on it.")
      .def_readonly("isOutOfReach", &GoalReport::outOfReach, "True if it is proved that no pose reaches it.")
      .def("__repr__", [](const GoalReport& g) {
        return "<limber.GoalReport " + shortly(g.error) + ", " + shortly(g.angle) + " rad" +
               (g.reached ? ", reached>" : ">");
      });
  py::class_<PyContact>(module, "Contact",
                        "A link that touches an obstacle or another link, or is nearer than allowed.")
      .def_readonly("link", &PyContact::name, "The link's name.")
      .def_readonly("other", &PyContact::other, "In words: obstacle \"table\", or a link's name.")
      .def_readonly("clearance", &PyContact::clearance, "A length, by forward kinematics; below zero: inside.")
      .def_readonly("asked", &PyContact::asked, "The clearance that the pair must keep: the safety distance.")
      .def_readonly("isTooNear", &PyContact::isInside, "True if the clearance is less than asked.")
      .def_readonly("point", &PyContact::point, "(3,): of the link's surface, in the world.")
      .def_readonly("normal", &PyContact::normal, "(3,): out of the obstacle or the other link.")
      .def("__repr__", [](const PyContact& c) {
        return "<limber.Contact of " + c.name + " with " + c.other + ", clearance " + shortly(c.clearance) + ">";
      });
  py::class_<PyAnswer>(module, "Answer", "A pose, and its errors by forward kinematics.")
      .def_property_readonly(
          "pose", [](const PyAnswer& a) -> const Eigen::VectorXd& { return a->pose.coordinates; },
          "(poseSize,), read-only.")
      .def_property_readonly(
          "isReached", [](const PyAnswer& a) { return a->isReached(); }, "True if all goals and pins are met.")
      .def_property_readonly(
          "outcome", [](const PyAnswer& a) { return outcomeName(a->outcome); },
          "\"reached\", \"at limits\", \"out of reach\" and others, docs/formats.md.")
      .def_property_readonly(
          "sentence", [](const PyAnswer& a) -> const std::string& { return a->sentence; },
          "For people: the remaining error, and what causes it.")
      .def_property_readonly(
          "error", [](const PyAnswer& a) { return a->worstError; },
          "A length, of the worst goal, in the unit of the Ik's axes.")
      .def_property_readonly(
          "angle", [](const PyAnswer& a) { return a->worstAngle; }, "Radians, of the worst goal.")
      .def_property_readonly(
          "goals", [](const PyAnswer& a) -> const std::vector<GoalReport>& { return a->goals; },
          "A report of each goal and pin.")
      .def_property_readonly(
          "contacts",
          [](const PyAnswer& a) {
            std::vector<PyContact> contacts;
            for (const ContactReport& contact : a->contacts)
              contacts.push_back({contact, a.file->figure().link(contact.link).name});
            return contacts;
          },
          "Links that touch something or are nearer than the safety distance, the deepest first.")
      .def_property_readonly(
          "jointsAtLimits",
          [](const PyAnswer& a) {
            std::vector<std::string> names;
            for (const int joint : a->limitedJoints) names.push_back(a.file->figure().joint(joint).name);
            return names;
          },
          "The joints at a limit that would move beyond it if they could.")
      .def_property_readonly("iterations", [](const PyAnswer& a) { return a->summary.iterations(); })
      .def_property_readonly(
          "time_us", [](const PyAnswer& a) { return std::round(1e4 * a->totalMs) / 10.0; },
          "Microseconds of the solve, in tenths.")
      .def("__bool__", [](const PyAnswer& a) { return a->isReached(); })
      .def("__repr__", py::overload_cast<const PyAnswer&>(&describe));
  py::class_<PoseCertificate>(module, "Certificate", "A bound on how much better any pose could be.")
      .def_property_readonly("isCertified", [](const PoseCertificate& c) { return c.certificate.isCertified; })
      .def_property_readonly("isOutOfReach", [](const PoseCertificate& c) { return c.certificate.isOutOfReach; })
      .def_property_readonly(
          "cost", [](const PoseCertificate& c) { return c.certificate.cost(); },
          "Root mean square distance of the points from their targets, metres.")
      .def_property_readonly(
          "bound", [](const PoseCertificate& c) { return c.certificate.leastCost(); },
          "A lower bound of the cost over all poses, metres.")
      .def_readonly("leftOut", &PoseCertificate::leftOut)
      .def("__repr__",
           [](const PoseCertificate& c) { return "<limber.Certificate " + sentenceOf(c.certificate) + ">"; })
      .def("__str__", [](const PoseCertificate& c) { return sentenceOf(c.certificate); });
}

/// All ways with the figure whose joints they name.
struct PyWays : AllWays {
  std::shared_ptr<const FigureFile> file;
};

std::vector<std::string> freeJointsOf(const PyWays& all, const ArmWay& way) {
  std::vector<std::string> names;
  for (const int joint : way.freeJoints) names.push_back(all.file->figure().joint(joint).name);
  return names;
}

py::list waysOf(const PyWays& all) {
  py::list list;
  for (const ArmWay& way : all.ways) {
    py::dict one;
    one["pose"] = way.pose.coordinates;
    if (!way.shoulder.empty()) {
      one["shoulder"] = std::string(way.shoulder);
      one["elbow"] = std::string(way.elbow);
      one["wrist"] = std::string(way.wrist);
    }
    if (way.curve >= 0) one["curve"] = way.curve;
    one["distance"] = way.distance;
    one["manipulability"] = way.manipulability;
    one["error"] = way.error;
    one["angle"] = way.angle;
    one["windings"] = way.windings;
    one["freeJoints"] = freeJointsOf(all, way);
    if (all.isCompared) {
      one["clearance"] = way.clearance;
      one["collides"] = way.collides;
      one["nearest"] = py::make_tuple(all.file->figure().link(way.nearestLink).name, way.nearestOther);
    }
    list.append(one);
  }
  return list;
}

py::list curvesOf(const PyWays& all) {
  py::list list;
  for (const WayCurve& curve : all.curves) {
    py::list poses;
    for (const Pose& pose : curve.poses) poses.append(pose.coordinates);
    py::dict one;
    one["poses"] = poses;
    one["isClosed"] = curve.isClosed;
    one["endsAtLimits"] = curve.endsAtLimits;
    if (all.isCompared) {
      one["clearances"] = curve.clearances;
      one["collides"] = std::vector<bool>(curve.collides.begin(), curve.collides.end());
    }
    list.append(one);
  }
  return list;
}

void addAllWays(py::module_& module) {
  py::class_<PyWays>(module, "AllWays", "All poses of an arm that meet a place.")
      .def_property_readonly("ways", &waysOf, "Dictionaries, the nearest to the pose first: pose, shoulder, ...")
      .def_property_readonly("curves", &curvesOf, "Of arms of seven joints: dictionaries with poses along a curve.")
      .def_readonly("isComplete", &PyWays::isComplete, "True if it is proved that no other way exists.")
      .def_readonly("reason", &PyWays::reason)
      .def_property_readonly("shape", [](const PyWays& all) { return std::string(all.shape); })
      .def_readonly("outsideLimits", &PyWays::outsideLimits, "The number of ways that limits exclude.")
      .def_readonly("colliding", &PyWays::colliding, "The number of ways that collide, also if they are left out.")
      .def("__len__", [](const PyWays& all) { return all.ways.size(); })
      .def("__repr__", [](const PyWays& all) {
        return "<limber.AllWays: " + std::to_string(all.ways.size()) + " ways, " + all.reason + ">";
      });
}

Keep keepNamed(const std::string& keep) {
  if (keep == "place") return Keep::Place;
  if (keep == "position") return Keep::Position;
  if (keep == "rotation") return Keep::Rotation;
  throw py::value_error("keep must be \"place\", \"position\" or \"rotation\"");
}

/// Called after every iteration: progress(iteration, f). Returning False ends the solve.
using SolveProgress = std::function<bool(int, double)>;

/// Lets Ctrl+C and a progress function end a computation of an Ik.
class SolveWatch final : public Observer {
 public:
  explicit SolveWatch(const SolveProgress& progress) : progress_(progress), watch_(bool(progress)) {}

  bool onIteration(const IterationRecord& record, const Pose&) override {
    ++iterations_;
    return watch_.goesOn([&] { return !progress_ || progress_(iterations_, record.objective); });
  }
  void rethrow() const { watch_.rethrow(); }

 private:
  const SolveProgress& progress_;
  Watch watch_;
  int iterations_ = 0;
};

/// Runs work(ik), which Ctrl+C and the progress function can end.
template <class Work>
auto watched(PyIk& self, const Work& work, const SolveProgress& progress = {}) {
  SolveWatch watch(progress);
  auto answer = self.solveBy([&](Ik& ik) {
    struct Watched {
      Ik& ik;
      ~Watched() { ik.observe(nullptr); }
    } const watched{ik};
    ik.observe(&watch);
    return work(ik);
  });
  watch.rethrow();
  return answer;
}

/// Runs a solve or a search.
PyAnswer answerOf(PyIk& self, const SolveProgress& progress, const Answer& (Ik::*solve)()) {
  self.get();  // another thread that solves needs the memory of its own answer
  const std::shared_ptr<Answer>& answer = self.unusedAnswer();
  watched(
      self,
      [&](Ik& ik) {
        *answer = (ik.*solve)();
        return true;
      },
      progress);
  return {answer, self.sharedFile(), self.metresPerUnit()};
}

PyAnswer solve(PyIk& self, const SolveProgress& progress) { return answerOf(self, progress, &Ik::solve); }

PyAnswer search(PyIk& self, const SolveProgress& progress) { return answerOf(self, progress, &Ik::search); }

PyWays solveAll(PyIk& self, bool listsWindings, bool leavesOutColliding) {
  AllWays all = self.solveBy([&](const Ik& ik) {
    return ik.solveAll({.leavesOutColliding = leavesOutColliding, .listsWindings = listsWindings});
  });
  if (!all.fault.empty()) throw py::value_error(all.fault);
  return {std::move(all), self.sharedFile()};
}

PoseCertificate certify(PyIk& self) {
  Watch watch(false);
  auto certificate = self.solveBy([&](const Ik& ik) {
    return certifyPose(ik.problem(), {}, {}, [&](const InteriorPointSummary&) { return watch.goesOn(); });
  });
  watch.rethrow();
  return certificate;
}

py::tuple fitOnce(PyIk& self, const std::map<std::string, Numbers>& points) {
  std::vector<SeenPoint> seen;
  for (const auto& [end, place] : points) seen.push_back({end, vectorFrom(place)});
  const FittedFrame frame = watched(self, [&](Ik& ik) { return ik.fit(seen); });
  return py::make_tuple(frame.pose.coordinates, frame.cost);
}

int addBox(PyIk& self, Vector middle, Vector size, const Numbers& rotation, const std::string& name) {
  return self.get().addBox({rotationFrom(rotation), vectorFrom(middle)}, vectorFrom(size), name);
}

int addPlane(PyIk& self, Vector point, Vector normal, const std::string& name) {
  return self.get().addPlane(vectorFrom(point), vectorFrom(normal), name);
}

int addMesh(PyIk& self, const Eigen::Ref<const Points>& points, Vector place, const Numbers& rotation,
            const std::string& name) {
  std::vector<Eigen::Vector3d> all;
  for (Eigen::Index i = 0; i < points.rows(); ++i) all.push_back(points.row(i).transpose());
  return self.get().addMesh(all, {rotationFrom(rotation), vectorFrom(place)}, name);
}

py::array_t<double> array(const Poses& rows) { return py::array_t<double>({rows.rows(), rows.cols()}, rows.data()); }

py::array_t<double> jacobianOf(PyIk& self, const std::string& end, Vector point, bool inEndAxes) {
  return array(self.get().jacobianOf(end, {.point = vectorFrom(point), .inEndAxes = inEndAxes}));
}

/// All columns, or those of one goal.
py::array_t<double> answerJacobian(PyIk& self, const std::optional<PyGoal>& goal) {
  const AnswerJacobian derivative = self.get().answerJacobian();
  if (!derivative.fault.empty()) throw Failure(derivative.fault);
  if (!goal) return array(derivative.matrix);
  for (const AnswerJacobian::Columns& columns : derivative.goals) {
    if (columns.goal != goal->id) continue;
    const int first = columns.position >= 0 ? columns.position : std::max(columns.rotation, 0);
    const int count = 3 * (int(columns.position >= 0) + int(columns.rotation >= 0));
    return array(derivative.matrix.middleCols(first, count));
  }
  throw py::value_error("the last answer does not have this goal");
}

std::string describeIk(PyIk& self) {
  const IkProblem& problem = self.get().problem();
  return "<limber.Ik of \"" + self.figure().name() + "\": " + std::to_string(problem.goals.size()) + " goals, " +
         std::to_string(problem.pins.size()) + " pins>";
}

constexpr std::array<double, 4> kNoTurn = {0.0, 0.0, 0.0, 1.0};  // x, y, z, w

using Self = std::shared_ptr<PyIk>;
using IkClass = py::class_<PyIk, Self>;

/// Adds the methods for goals, pins, obstacles and settings.
void addRequests(IkClass& type) {
  type.def(
          "add",
          [](const Self& self, const NewGoal& goal) {
            return PyGoal{self, self->get().add(goal)};
          },
          py::arg("goal"), "Adds a goal. Raises ValueError for a name that the figure does not have.")
      .def(
          "remove", [](PyIk& self, const PyGoal& goal) { self.get().remove(goal.id); }, py::arg("goal"))
      .def_property_readonly(
          "goals",
          [](const Self& self) {
            std::vector<PyGoal> all;
            for (const GoalId id : self->get().goals()) all.push_back({self, id});
            return all;
          },
          "All goals, in the order in which they were added; first those of the figure's file.")
      .def(
          "pin",
          [](PyIk& self, const std::string& end, const std::string& keep) { self.get().pin(end, keepNamed(keep)); },
          py::arg("end"), py::arg("keep") = "place",
          "Keeps a site or link where it is, exactly: its place, or its position or rotation alone.")
      .def(
          "unpin", [](PyIk& self, const std::string& end) { self.get().unpin(end); }, py::arg("end"))
      .def(
          "lock", [](PyIk& self, const std::string& joint, bool isLocked) { self.get().lock(joint, isLocked); },
          py::arg("joint"), py::arg("isLocked") = true, "Locks a joint at its present angle, or unlocks it.")
      .def(
          "setLimits",
          [](PyIk& self, const std::string& joint, double lower, double upper) {
            self.get().setLimits(joint, lower, upper);
          },
          py::arg("joint"), py::arg("lower"), py::arg("upper"),
          "Changes the limits of a hinge, radians, or of a slide, metres.")
      .def(
          "setRigidity",
          [](PyIk& self, const std::string& joint, double rigidity) { self.get().setRigidity(joint, rigidity); },
          py::arg("joint"), py::arg("rigidity"), "Resistance of a joint to motion: 0 for none; 1: it does not move.")
      .def(
          "anyOf",
          [](PyIk& self, const std::vector<PyGoal>& goals) {
            std::vector<GoalId> ids;
            for (const PyGoal& goal : goals) ids.push_back(goal.id);
            self.get().anyOf(ids);
          },
          py::arg("goals"), "Makes goals alternatives: only the nearest counts.")
      .def("addBox", &addBox, py::arg("middle"), py::arg("size"), py::arg("rotation") = kNoTurn, py::arg("name") = "",
           "Adds a box that the links avoid, with the lengths of its edges. Returns its number.")
      .def("addPlane", &addPlane, py::arg("point"), py::arg("normal"), py::arg("name") = "",
           "Adds a floor or wall; the links stay on the side of its normal. Returns its number.")
      .def("addMesh", &addMesh, py::arg("points"), py::arg("place") = std::array<double, 3>{0.0, 0.0, 0.0},
           py::arg("rotation") = kNoTurn, py::arg("name") = "",
           "Adds the convex hull of points (n, 3), such as the vertices of a mesh, which the links avoid. The points "
           "are "
           "relative to the place and rotation. Returns its number.")
      .def(
          "addSphere",
          [](PyIk& self, Vector centre, double radius, const std::string& name) {
            return self.get().addSphere(vectorFrom(centre), radius, name);
          },
          py::arg("centre"), py::arg("radius"), py::arg("name") = "",
          "Adds a sphere that the links avoid. Returns its number.")
      .def(
          "addCapsule",
          [](PyIk& self, Vector start, Vector end, double radius, const std::string& name) {
            return self.get().addCapsule(vectorFrom(start), vectorFrom(end), radius, name);
          },
          py::arg("start"), py::arg("end"), py::arg("radius"), py::arg("name") = "",
          "Adds a capsule that the links avoid: all points within the radius of the line between two points. Returns "
          "its number.")
      .def(
          "disableCollision",
          [](PyIk& self, const std::string& link, const std::string& other, bool isDisabled) {
            self.get().disableCollision(link, other, isDisabled);
          },
          py::arg("link"), py::arg("other"), py::arg("isDisabled") = true,
          "Lets two links overlap although links avoid each other, or no longer. The pairs that a robot's SRDF file "
          "disables are disabled at first.")
      .def(
          "removeObstacle", [](PyIk& self, int number) { self.get().removeObstacle(number); }, py::arg("number"))
      .def(
          "setSolver",
          [](PyIk& self, const std::string& name, const py::kwargs& options) {
            self.get().setSolver(name, options.cast<std::map<std::string, double>>());
          },
          py::arg("name"), "Chooses a solver by its name, with its options (docs/solvers.md).")
      .def_property(
          "keepsBalance", [](PyIk& self) { return self.get().keepsBalance(); },
          [](PyIk& self, bool keeps) { self.get().setKeepsBalance(keeps); },
          "Whether the centre of mass stays above the feet.")
      .def_property(
          "avoidsItself", [](PyIk& self) { return self.get().avoidsItself(); },
          [](PyIk& self, bool avoids) { self.get().setAvoidsItself(avoids); }, "Whether links avoid each other.")
      .def_property(
          "safetyDistance", [](PyIk& self) { return self.get().safetyDistance(); },
          [](PyIk& self, double length) { self.get().setSafetyDistance(length); },
          "The distance that links keep from obstacles, and from each other where they avoid each other; 0 at first.")
      .def_property(
          "reachedDistance", [](PyIk& self) { return self.get().reachedDistance(); },
          [](PyIk& self, double length) { self.get().setReachedDistance(length); },
          "The error below which a goal is reached, a length; at first 0.001 mean link lengths (0.01 for a chain).")
      .def_property(
          "reachedAngle", [](PyIk& self) { return self.get().reachedAngle(); },
          [](PyIk& self, double radians) { self.get().setReachedAngle(radians); },
          "The same for directions and rotations, radians; at first 0.001 (0.01 for a chain).")
      .def_property(
          "restWeight", [](PyIk& self) { return self.get().restWeight(); },
          [](PyIk& self, double weight) { self.get().setRestWeight(weight); },
          "The weight of the pull to the rest pose or the present one, >= 0, where goals have 1000.");
}

/// Adds the methods that solve.
void addSolving(IkClass& type) {
  const auto progress = py::arg("progress") = SolveProgress();
  type.def("solve", &solve, progress,
           "Solves from the present pose, which becomes that of the answer. The same calls give the same bits. "
           "progress(iteration, f) is called after each iteration; returning False ends the solve.")
      .def("search", &search, progress,
           "Like solve(); if it misses goals that may be reachable, it also searches from other poses.")
      .def("answer_jacobian", &answerJacobian, py::arg("goal") = py::none(),
           "The derivative (stepSize, columns) of the last answer's pose by the targets of its goals, or of one goal: "
           "for each goal, in the order of `goals`, three columns for its target point and three for a turn of its "
           "target axes or direction (radians), as far as it has them, about x, y and z of the Ik's axes. Rows are "
           "steps of the joints, radians and metres. Raises limber.Error if the pose has no derivative.")
      .def("solve_all", &solveAll, py::arg("listsWindings") = false, py::arg("leavesOutColliding") = false,
           "All poses of an arm that meet the only goal, by closed forms. Raises ValueError if it has none.")
      .def("certify", &certify,
           "Bounds how much nearer to their targets any pose could bring the points with position goals.")
      .def("fit", &fitOnce, py::arg("points"),
           "Moves the figure so that sites and links are as near as possible to points {name: (3,)}. Returns the pose "
           "and the root mean square distance.");
}

/// Adds the methods that read, save and draw the posed figure.
void addShowing(IkClass& type) {
  type.def_property(
          "pose", [](PyIk& self) { return readOnly(self.get().pose().coordinates); },
          [](PyIk& self, const Eigen::VectorXd& pose) { self.get().setPose(checkedPose(self.figure(), pose)); },
          "(poseSize,): the present pose. Reading gives a read-only copy; assign a whole pose.")
      .def_property_readonly("figure",
                             [](PyIk& self) {
                               return std::const_pointer_cast<FigureFile>(self.sharedFile());  // no member changes it
                             })
      .def(
          "placeOf",
          [](PyIk& self, const std::string& end) {
            const Transform place = self.get().placeOf(end);
            return py::make_tuple(place.translation, quaternionOf(place.rotation));
          },
          py::arg("end"), "Position (3,) and quaternion (4,), x y z w, of a site or link.")
      .def("jacobianOf", &jacobianOf, py::arg("end"), py::arg("point") = std::array<double, 3>{0.0, 0.0, 0.0},
           py::arg("inEndAxes") = false,
           "The Jacobian (6, stepSize) of a point of a site or link in the present pose: Figure.jacobiansOf().")
      .def(
          "save", [](PyIk& self, const std::filesystem::path& path) { return write(documentOf(self), path); },
          py::arg("path"),
          "Writes the figure in its pose, with goals and pins if the format has them (.limber). Returns what the "
          "format cannot hold.")
      .def(
          "render",
          [](PyIk& self, int width, int height, const std::string& view, bool isTransparent, bool isLight) {
            return render(documentOf(self), width, height, view, isTransparent, isLight);
          },
          py::arg("width") = 700, py::arg("height") = 500, py::arg("view") = "home", py::arg("isTransparent") = false,
          py::arg("isLight") = false, "A picture with the goals: (height, width, 3) of bytes, 4 with transparency.");
}

/// Adds copies and pickling. A copy shares the figure, and solves without the memory of earlier solves.
void addCopying(IkClass& type) {
  const auto copy = [](PyIk& self) { return std::make_shared<PyIk>(self.sharedFile(), self.get()); };
  type.def_property_readonly(
          "axes", [](PyIk& self) { return self.get().axes() == Axes::File ? "file" : "scene"; },
          "\"file\" or \"scene\": the axes and unit of points and lengths.")
      .def("__copy__", copy)
      .def("__deepcopy__", [copy](PyIk& self, const py::dict&) { return copy(self); })
      .def(py::pickle(
          [](const py::object& self) {
            PyIk& ik = self.cast<PyIk&>();
            return py::make_tuple(self.attr("figure"), textOf(documentOf(ik), &ik.file().document), self.attr("axes"));
          },
          [](const py::tuple& state) {
            const auto file = state[0].cast<std::shared_ptr<FigureFile>>();
            const Document document = documentFromText(state[1].cast<std::string>(), &file->document);
            return std::make_shared<PyIk>(file, document, axesNamed(state[2].cast<std::string>()));
          }));
}

}  // namespace

Document documentOf(PyIk& ik) {
  Document document = ik.file().document;
  static_cast<IkProblem&>(document) = ik.get().problem();
  return document;
}

void addIk(py::module_& module) {
  addGoals(module);
  addAnswers(module);
  addAllWays(module);
  IkClass type(
      module, "Ik",
      "The inverse kinematics of a figure: goals and pins, and the pose that meets them. Points and lengths are "
      "in the axes and unit of the figure's file, or of the scene (metres, y up) with axes=\"scene\". One thread "
      "at a time may use an Ik; several may share a Figure.");
  type.def(py::init([](const std::shared_ptr<FigureFile>& file, const std::string& axes) {
             if (!file) throw py::type_error("the figure is None: pass the Figure that limber.readFigure() returns");
             return std::make_shared<PyIk>(file, file->document, axesNamed(axes));
           }),
           py::arg("figure"), py::arg("axes") = "file",
           "In the figure's first pose, with the goals and settings of its file, if that is a problem or a scene.");
  addRequests(type);
  addSolving(type);
  addShowing(type);
  addCopying(type);
  type.def("__repr__", &describeIk);
}

}  // namespace limber::python

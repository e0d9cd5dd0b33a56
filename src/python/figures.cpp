// SPDX-License-Identifier: MIT
// Figures, files and pictures.
#include <cstdio>
#include <map>

#include "limber/io/base/resources.h"
#include "limber/io/export_formats.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/motion_file.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "python/module.h"
#include "render/picture.h"

namespace limber::python {

namespace {

std::shared_ptr<FigureFile> readFigure(const std::filesystem::path& name) {
  auto opened = valueOrThrow(io::openAny(name.string()));
  return std::make_shared<FigureFile>(FigureFile{std::move(opened.document), std::move(opened.notes)});
}

template <class Items>
std::vector<std::string> namesOf(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

std::map<std::string, std::vector<std::string>> groupsOf(const FigureFile& file) {
  std::map<std::string, std::vector<std::string>> groups;
  if (file.document.source)
    for (const SourceGroup& group : file.document.source->groups) groups[group.name] = group.joints;
  return groups;
}

/// (poseSize, 2): lower and upper limit of each coordinate of a pose, infinite without a limit.
Poses coordinateLimits(const Figure& figure) {
  Poses limits(figure.poseSize(), 2);
  limits.col(0).setConstant(-std::numeric_limits<double>::infinity());
  limits.col(1).setConstant(std::numeric_limits<double>::infinity());
  for (const Joint& joint : figure.joints())
    if (isScalar(joint)) limits.row(joint.poseIndex) << joint.limits.lower, joint.limits.upper;
  return limits;
}

/// Places of sites and links in many poses: positions (n, k, 3) and quaternions (n, k, 4).
py::tuple placesOf(const FigureFile& file, const Eigen::Ref<const Poses>& poses, const std::vector<std::string>& ends,
                   const std::string& axes) {
  const Figure& figure = file.figure();
  std::vector<Pose> all;
  for (Eigen::Index i = 0; i < poses.rows(); ++i) all.push_back({poses.row(i).transpose()});
  const std::vector<Transform> places = limber::placesOf(figure, all, ends, axesNamed(axes));
  const auto n = static_cast<py::ssize_t>(all.size()), k = static_cast<py::ssize_t>(ends.size());
  py::array_t<double> positions({n, k, py::ssize_t{3}}), rotations({n, k, py::ssize_t{4}});
  for (std::size_t i = 0; i < places.size(); ++i) {
    Eigen::Map<Eigen::Vector3d>(positions.mutable_data() + 3 * i) = places[i].translation;
    Eigen::Map<Eigen::Vector4d>(rotations.mutable_data() + 4 * i) = quaternionOf(places[i].rotation);
  }
  return py::make_tuple(positions, rotations);
}

/// Jacobians of a point of a site or link in many poses: (n, 6, stepSize).
py::array_t<double> jacobiansOf(const FigureFile& file, const Eigen::Ref<const Poses>& poses, const std::string& end,
                                const Numbers& point, bool inEndAxes, const std::string& axes) {
  const Figure& figure = file.figure();
  const JacobianOf of{.point = vectorFrom(point), .inEndAxes = inEndAxes, .axes = axesNamed(axes)};
  const EndEffector effector = endNamed(figure, end);
  py::array_t<double> out(
      {static_cast<py::ssize_t>(poses.rows()), py::ssize_t{6}, static_cast<py::ssize_t>(figure.stepSize())});
  Jacobians jacobians(figure);
  Jacobian one;
  for (Eigen::Index i = 0; i < poses.rows(); ++i) {
    jacobians.setPose(figure, checkedPose(figure, poses.row(i).transpose()));
    jacobians.compute(figure, effector, of, one);
    Eigen::Map<Poses>(out.mutable_data() + i * one.size(), 6, one.cols()) = one;
  }
  return out;
}

/// A step of the figure. Throws ValueError for a wrong size.
void expectStep(const Figure& figure, const Eigen::VectorXd& step) {
  if (step.size() != figure.stepSize())
    throw py::value_error("a step of this figure has " + std::to_string(figure.stepSize()) + " coordinates, not " +
                          std::to_string(step.size()));
}

Eigen::VectorXd integrated(const FigureFile& file, const Eigen::VectorXd& pose, const Eigen::VectorXd& step) {
  const Figure& figure = file.figure();
  Pose out = checkedPose(figure, pose);
  expectStep(figure, step);
  integrate(figure, out, step, out);
  Couplings(figure, std::vector<char>(figure.couplings().size(), 1)).apply(out);
  return out.coordinates;
}

Eigen::VectorXd differenceOf(const FigureFile& file, const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  Eigen::VectorXd step;
  difference(file.figure(), checkedPose(file.figure(), from), checkedPose(file.figure(), to), step);
  return step;
}

/// (stepSize,): the largest speed of each coordinate, infinite without a limit.
Eigen::VectorXd velocityLimits(const Figure& figure) {
  Eigen::VectorXd limits = Eigen::VectorXd::Constant(figure.stepSize(), std::numeric_limits<double>::infinity());
  for (const Joint& joint : figure.joints())
    if (isScalar(joint)) limits[joint.stepIndex] = joint.velocityLimit;
  return limits;
}

Points converted(const FigureFile& file, const Eigen::Ref<const Points>& points, bool toScene) {
  Points out(points.rows(), 3);
  const FileFrame& frame = file.figure().fileFrame();
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const Eigen::Vector3d point = points.row(i).transpose();
    out.row(i) = (toScene ? frame.toScene(point) : frame.toFile(point)).transpose();
  }
  return out;
}

struct PyMotion {
  std::string name;
  double frameTime = 0.0;
  Poses poses;
};

PyMotion motionOf(const Figure& figure, const Motion& motion) {
  PyMotion out{motion.name, motion.frameTime, Poses(motion.frameCount, figure.poseSize())};
  for (int i = 0; i < motion.frameCount; ++i) out.poses.row(i) = motion.poseAt(figure, i).coordinates.transpose();
  return out;
}

std::vector<PyMotion> readMotions(const FigureFile& file, const std::filesystem::path& path) {
  const auto read = valueOrThrow(io::readMotionsFor(file.document, path));
  std::vector<PyMotion> out;
  for (const auto& motion : read.motions) out.push_back(motionOf(file.figure(), *motion));
  return out;
}

/// The file's figure in a pose, or with the frames of a motion.
Document posed(const FigureFile& file, const std::optional<Poses>& poses, double frameTime) {
  Document document = file.document;
  if (!poses) return document;
  if (!(frameTime > 0.0)) throw py::value_error("frameTime must be positive, seconds");
  if (poses->rows() == 0) throw py::value_error("there is no pose");
  const Figure& figure = file.figure();
  auto motion = std::make_shared<Motion>();
  motion->frameTime = frameTime;
  for (Eigen::Index i = 0; i < poses->rows(); ++i) motion->append(checkedPose(figure, poses->row(i).transpose()));
  document.clips.clear();
  document.pose = motion->poseAt(figure, 0);
  setMotion(document, poses->rows() > 1 ? std::shared_ptr<const Motion>(motion) : nullptr);
  document.frame = 0;
  return document;
}

/// The bytes of the GLB of a document.
py::bytes glbOf(const Document& document) {
  const io::ExportFormat* format = io::findExportFormat("figure.glb");
  return py::bytes(valueOrThrow(format->write(document, "figure.glb")).bytes);
}

/// (height, width, 3 or 4) of bytes as PNG.
py::bytes encodePng(const py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>& pixels) {
  if (pixels.ndim() != 3 || (pixels.shape(2) != 3 && pixels.shape(2) != 4))
    throw py::value_error("pixels must have the shape (height, width, 3 or 4)");
  render::Picture picture{static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)),
                          std::vector<std::uint8_t>(pixels.data(), pixels.data() + pixels.size()),
                          static_cast<int>(pixels.shape(2))};
  const std::vector<std::uint8_t> bytes = render::encodePng(picture);
  return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::string describe(const FigureFile& file) {
  const Figure& figure = file.figure();
  return "<limber.Figure \"" + figure.name() + "\": " + std::to_string(figure.linkCount()) + " links, " +
         std::to_string(figure.stepSize()) + " coordinates>";
}

}  // namespace

Pose checkedPose(const Figure& figure, const Eigen::VectorXd& coordinates) {
  Pose pose{coordinates};
  expectPose(figure, pose);
  return pose;
}

Eigen::Matrix3d rotationFromQuaternion(const Eigen::Vector4d& xyzw) {
  if (!(std::abs(xyzw.norm() - 1.0) <= 1e-3)) throw py::value_error("the quaternion is not of unit length");
  return Eigen::Quaterniond(xyzw).normalized().toRotationMatrix();
}

Eigen::Matrix3d rotationFrom(const Numbers& given) {
  if (given.ndim() == 1 && given.size() == 4)
    return rotationFromQuaternion(Eigen::Map<const Eigen::Vector4d>(given.data()));
  if (given.ndim() != 2 || given.shape(0) != 3 || given.shape(1) != 3)
    throw py::value_error("a rotation is a quaternion (x, y, z, w) or a matrix (3, 3)");
  const Eigen::Matrix3d matrix = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(given.data());
  if (!(matrix * matrix.transpose()).isIdentity(1e-6) || matrix.determinant() < 0.0)
    throw py::value_error("the matrix is not a rotation");
  return matrix;
}

Eigen::Vector3d vectorFrom(const Numbers& given) {
  if (given.ndim() != 1 || given.size() != 3) throw py::value_error("a point or direction has three numbers");
  return Eigen::Map<const Eigen::Vector3d>(given.data());
}

py::array_t<double> readOnly(const Eigen::Ref<const Eigen::VectorXd>& numbers) {
  py::array_t<double> array(numbers.size(), numbers.data());
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

Eigen::Vector4d quaternionOf(const Eigen::Matrix3d& rotation) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(rotation).normalized();
  return q.w() < 0.0 ? Eigen::Vector4d(-q.coeffs()) : Eigen::Vector4d(q.coeffs());
}

Axes axesNamed(const std::string& name) {
  if (name == "file") return Axes::File;
  if (name == "scene") return Axes::Scene;
  throw py::value_error("axes must be \"file\" or \"scene\"");
}

std::string textOf(const Document& document, const Document* shared) {
  return valueOrThrow(io::formatScene(document, "/", shared));
}

Document documentFromText(const std::string& text, const Document* shared) {
  return valueOrThrow(io::parseScene(text, "/pickled", shared));
}

std::string shortly(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return text;
}

std::vector<std::string> write(const Document& document, const std::filesystem::path& path) {
  return valueOrThrow(io::exportFile(document, path));
}

py::array_t<std::uint8_t> render(const Document& document, int width, int height, const std::string& view,
                                 bool isTransparent, bool isLight) {
  const auto side = render::viewFromNamed(view);
  if (!side) throw py::value_error("view must be home, front, back, right, left, top or bottom");
  const auto shaders = io::findResource("shaders");
  if (!shaders) throw Failure("the folder \"shaders\" is missing; LIMBER_RESOURCES can name its place");
  std::string fault;
  std::optional<render::Picture> picture;
  {
    const py::gil_scoped_release released;
    picture = render::drawPicture(document, width, height, *shaders, fault,
                                  {.side = *side,
                                   .surroundings = isLight ? render::kLightSurroundings : render::kDarkSurroundings,
                                   .isTransparent = isTransparent});
  }
  if (!picture) throw Failure(fault);
  py::array_t<std::uint8_t> out({picture->height, picture->width, picture->channels});
  std::copy(picture->pixels.begin(), picture->pixels.end(), out.mutable_data());
  return out;
}

void addFigures(py::module_& module) {
  py::class_<PyMotion>(module, "Motion", "Poses of a figure over time.")
      .def_readonly("name", &PyMotion::name)
      .def_readonly("frameTime", &PyMotion::frameTime, "Seconds between frames.")
      .def_readonly("poses", &PyMotion::poses, "(frames, poseSize): the pose of each frame.")
      .def("__len__", [](const PyMotion& motion) { return motion.poses.rows(); })
      .def("__repr__", [](const PyMotion& motion) {
        return "<limber.Motion \"" + motion.name + "\": " + std::to_string(motion.poses.rows()) + " frames of " +
               shortly(motion.frameTime) + " s>";
      });
  py::class_<FigureFile, std::shared_ptr<FigureFile>>(
      module, "Figure", "A tree of links and joints, with the skin and the motions of its file. It never changes.")
      .def_property_readonly("name", [](const FigureFile& f) { return f.figure().name(); })
      .def_readonly("notes", &FigureFile::notes, "What was guessed or left out when the file was read.")
      .def_property_readonly("linkNames", [](const FigureFile& f) { return namesOf(f.figure().links()); })
      .def_property_readonly("jointNames", [](const FigureFile& f) { return namesOf(f.figure().joints()); })
      .def_property_readonly("siteNames", [](const FigureFile& f) { return namesOf(f.figure().sites()); })
      .def_property_readonly("groups", &groupsOf,
                             "The joints of each group of the robot's SRDF file, by name: uses=figure.groups[\"arm\"].")
      .def_property_readonly(
          "poseSize", [](const FigureFile& f) { return f.figure().poseSize(); },
          "Number of coordinates of a pose: 1 for an angle or a length, 4 for a ball joint, 7 for a free joint.")
      .def_property_readonly(
          "stepSize", [](const FigureFile& f) { return f.figure().stepSize(); }, "Degrees of freedom.")
      .def_property_readonly(
          "restPose", [](const FigureFile& f) { return readOnly(f.figure().restPose()); }, "(poseSize,)")
      .def_property_readonly(
          "limits", [](const FigureFile& f) { return coordinateLimits(f.figure()); },
          "(poseSize, 2): lower and upper limit of each coordinate, infinite without a limit.")
      .def_property_readonly(
          "velocityLimits", [](const FigureFile& f) { return velocityLimits(f.figure()); },
          "(stepSize,): the largest speed of each coordinate of a step, radians or metres per second; infinite without "
          "a limit.")
      .def_property_readonly(
          "meanLinkLength", [](const FigureFile& f) { return f.figure().meanLinkLength(); }, "Metres.")
      .def_property_readonly(
          "metresPerUnit", [](const FigureFile& f) { return f.figure().fileFrame().metresPerUnit; },
          "The unit of length of the figure's file.")
      .def(
          "coordinateOf",
          [](const FigureFile& f, const std::string& joint) {
            return f.figure().joint(jointNamed(f.figure(), joint)).poseIndex;
          },
          py::arg("joint"), "The index of the first coordinate of a joint in a pose.")
      .def(
          "stepOf",
          [](const FigureFile& f, const std::string& joint) {
            return f.figure().joint(jointNamed(f.figure(), joint)).stepIndex;
          },
          py::arg("joint"), "The index of the first coordinate of a joint in a step.")
      .def("placesOf", &placesOf, py::arg("poses"), py::arg("ends"), py::arg("axes") = "file",
           "Where sites and links are in each of the poses (n, poseSize): positions (n, k, 3) and quaternions "
           "(n, k, 4), x y z w; in the axes and unit of the figure's file, or of the \"scene\": metres, y up.")
      .def("jacobiansOf", &jacobiansOf, py::arg("poses"), py::arg("end"),
           py::arg("point") = std::array<double, 3>{0.0, 0.0, 0.0}, py::arg("inEndAxes") = false,
           py::arg("axes") = "file",
           "Jacobians (n, 6, stepSize) of a point (3,) of a site or link, given in its own axes, for each of the poses "
           "(n, poseSize): (linear velocity, angular velocity) = J @ step velocity, in the axes of the world or of the "
           "end. Columns of followers are zero: the columns of their drivers contain them.")
      .def("integrate", &integrated, py::arg("pose"), py::arg("step"),
           "The pose (poseSize,) moved by a step (stepSize,): angles and lengths add, rotations turn about the link's "
           "axes, followers follow.")
      .def("difference", &differenceOf, py::arg("start"), py::arg("end"),
           "The step (stepSize,) from one pose (poseSize,) to another.")
      .def(
          "toScene", [](const FigureFile& f, const Eigen::Ref<const Points>& p) { return converted(f, p, true); },
          py::arg("points"), "Points (n, 3) in the axes and unit of the figure's file, in the world: metres, y up.")
      .def(
          "toFile", [](const FigureFile& f, const Eigen::Ref<const Points>& p) { return converted(f, p, false); },
          py::arg("points"), "Points (n, 3) of the world in the axes and unit of the figure's file.")
      .def_property_readonly("motions",
                             [](const FigureFile& f) {
                               std::vector<PyMotion> out;
                               for (const auto& motion : motionsOf(f.document))
                                 out.push_back(motionOf(f.figure(), *motion));
                               return out;
                             })
      .def("readMotions", &readMotions, py::arg("path"), py::call_guard<py::gil_scoped_release>(),
           "The motions of a file as motions of this figure: joint states, a file of the same skeleton, or one of "
           "another human body or avatar, part by part.")
      .def(
          "save",
          [](const FigureFile& f, const std::filesystem::path& path, const std::optional<Poses>& poses,
             double frameTime) { return write(posed(f, poses, frameTime), path); },
          py::arg("path"), py::arg("poses") = py::none(), py::arg("frameTime") = 1.0 / 30.0,
          "Writes the figure in the format of the name's ending, with poses (n, poseSize) as its motion. Returns "
          "what the format cannot hold.")
      .def(
          "render",
          [](const FigureFile& f, const std::optional<Eigen::VectorXd>& pose, int width, int height,
             const std::string& view, bool isTransparent, bool isLight) {
            Document document = f.document;
            if (pose) document.pose = checkedPose(f.figure(), *pose);
            return render(document, width, height, view, isTransparent, isLight);
          },
          py::arg("pose") = py::none(), py::arg("width") = 700, py::arg("height") = 500, py::arg("view") = "home",
          py::arg("isTransparent") = false, py::arg("isLight") = false,
          "A picture of a pose, of the file's pose by default: (height, width, 3) of bytes, 4 with transparency.")
      .def(
          "glb",
          [](const FigureFile& f, const std::optional<Eigen::VectorXd>& pose) {
            Document document = f.document;
            if (pose) document.pose = checkedPose(f.figure(), *pose);
            setMotion(document, nullptr);
            document.clips.clear();
            return glbOf(document);
          },
          py::arg("pose") = py::none(), "The bytes of a GLB file of the figure in a pose.")
      .def("__repr__", &describe)
      .def("__copy__", [](const py::object& self) { return self; })
      .def("__deepcopy__", [](const py::object& self, const py::dict&) { return self; })
      .def(py::pickle([](const FigureFile& f) { return py::make_tuple(textOf(f.document), f.notes); },
                      [](const py::tuple& state) {
                        auto file = std::make_shared<FigureFile>(FigureFile{
                            documentFromText(state[0].cast<std::string>()), state[1].cast<std::vector<std::string>>()});
                        io::readSourceAgain(file->document, {});  // its skin is not in the text
                        return file;
                      }));
  module.def("readFigure", &readFigure, py::arg("nameOrPath"), py::call_guard<py::gil_scoped_release>(),
             "The figure of a file (URDF, SDF, MJCF, BVH, glTF, VRM, FBX and others), or a standard one: \"arm\", "
             "\"human\", \"planar:N\". Raises limber.Error, which names file, place and cause.");
  module.def("encodePng", &encodePng, py::arg("pixels"), "A picture (height, width, 3 or 4) of bytes as a PNG file.");
}

}  // namespace limber::python

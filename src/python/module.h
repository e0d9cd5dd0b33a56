// SPDX-License-Identifier: MIT
// The module limber._limber in parts: figures and files, Ik, and what is done to many at once. limber/__init__.py adds
// the views of a notebook.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/posing/ik.h"
#include "limber/scene/document.h"

namespace limber::python {

namespace py = pybind11;

/// What cannot be read, written or computed: limber.Error.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <typename T>
T valueOrThrow(io::Result<T> result) {
  if (!result) throw Failure(result.error().message());
  return std::move(*result);
}

/// A figure with all that its file holds beside it: skin, motions, the file's own bytes.
struct FigureFile {
  Document document;
  std::vector<std::string> notes;

  const Figure& figure() const { return *document.figure; }
};

/// An Ik, and the figure that it poses.
struct PyIk {
  explicit PyIk(std::shared_ptr<const FigureFile> from)
      : file(std::move(from)), ik(static_cast<const IkProblem&>(file->document)) {}

  std::shared_ptr<const FigureFile> file;
  Ik ik;
};

using Points = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
using Rotations = Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor>;
using Poses = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A pose of the figure. Throws ValueError for a wrong size, numbers that are not finite, no unit quaternions.
Pose checkedPose(const Figure& figure, const Eigen::VectorXd& coordinates);
/// The rotation of a quaternion (x, y, z, w). Throws ValueError if it is not of unit length.
Eigen::Matrix3d rotationFromQuaternion(const Eigen::Vector4d& xyzw);
/// A rotation from a quaternion (x, y, z, w) or a matrix (3, 3).
Eigen::Matrix3d rotationFrom(const Eigen::MatrixXd& given);
Eigen::Vector4d quaternionOf(const Eigen::Matrix3d& rotation);  ///< (x, y, z, w), w >= 0
/// Link and place in it of a site or a link. Throws ValueError with the names that there are.
FigurePoint pointOf(const Figure& figure, const std::string& end);
/// A number as people read it.
std::string shortly(double number);

/// The figure's document with the pose of an Ik and its problem.
Document documentOf(const PyIk& ik);

void addFigures(py::module_& module);
void addIk(py::module_& module);
void addMany(py::module_& module);

}  // namespace limber::python

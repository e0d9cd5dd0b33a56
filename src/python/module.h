// SPDX-License-Identifier: MIT
// The module limber._limber in parts: figures and files, Ik, and batches. limber/__init__.py adds the views of a
// notebook.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <chrono>
#include <exception>
#include <filesystem>
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

/// limber.Error: something cannot be read, written or computed.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <typename T>
T valueOrThrow(io::Result<T> result) {
  if (!result) throw Failure(result.error().message());
  return std::move(*result);
}

/// A figure with the other contents of its file: skin, motions, the file's own bytes.
struct FigureFile {
  Document document;
  std::vector<std::string> notes;

  const Figure& figure() const { return *document.figure; }
};

/// File for "file", Scene for "scene". Throws ValueError for other words.
Axes axesNamed(const std::string& name);
/// A document as text, and back. Figure, motions and timeline that it shares with `shared` are not in the text.
std::string textOf(const Document& document, const Document* shared = nullptr);
Document documentFromText(const std::string& text, const Document* shared = nullptr);

/// Tells a thread that computes without the GIL whether to go on: not after Ctrl+C, nor once `progress` has returned
/// False or raised. It takes the GIL for that, at most once in kPatience unless asksAlways.
class Watch {
 public:
  explicit Watch(bool asksAlways) : asksAlways_(asksAlways) {}

  template <class Progress>
  bool goesOn(const Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (!asksAlways_ && now - last_ < kPatience) return !isEnded_;
    last_ = now;
    const py::gil_scoped_acquire acquired;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!isEnded_) isEnded_ = !progress();
    } catch (...) {  // a Python exception, which must not pass through the solvers
      fault_ = std::current_exception();
      isEnded_ = true;
    }
    return !isEnded_;
  }
  bool goesOn() {
    return goesOn([] { return true; });
  }
  /// Needs the GIL. Throws the exception that ended the work, such as KeyboardInterrupt.
  void rethrow() const {
    if (fault_) std::rethrow_exception(fault_);
  }

 private:
  static constexpr std::chrono::milliseconds kPatience{50};
  bool asksAlways_, isEnded_ = false;
  std::exception_ptr fault_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// An Ik, and the figure that it poses. A thread solves without the GIL; meanwhile, no other thread may use the Ik.
class PyIk {
 public:
  PyIk(std::shared_ptr<const FigureFile> from, const IkProblem& problem, Axes axes)
      : file_(std::move(from)), ik_(problem, axes) {}
  PyIk(std::shared_ptr<const FigureFile> from, const Ik& ik) : file_(std::move(from)), ik_(ik) {}

  const FigureFile& file() const { return *file_; }
  const std::shared_ptr<const FigureFile>& sharedFile() const { return file_; }
  const Figure& figure() const { return file_->figure(); }
  double metresPerUnit() const { return metresPerUnit_; }

  /// An answer that no Python object refers to, with the memory of an earlier one: a loop that drops its answers
  /// allocates none. Needs the GIL.
  const std::shared_ptr<Answer>& unusedAnswer() {
    for (std::shared_ptr<Answer>& answer : answers_)
      if (answer.use_count() == 1) return answer;
    std::shared_ptr<Answer>& oldest = answers_[nextAnswer_++ % answers_.size()];
    return oldest = std::make_shared<Answer>();
  }

  /// Throws Failure while another thread solves.
  Ik& get() {
    if (isBusy_) throw Failure("another thread solves with this Ik: give each thread one of its own");
    return ik_;
  }

  /// Runs work(ik) without the GIL, while no other thread can use the Ik.
  template <class Work>
  auto solveBy(const Work& work) {
    get();
    isBusy_ = true;
    struct Release {
      bool& isBusy;
      ~Release() { isBusy = false; }
    } const release{isBusy_};
    const py::gil_scoped_release released;  // the GIL is taken again before isBusy_ changes
    return work(ik_);
  }

 private:
  std::shared_ptr<const FigureFile> file_;
  Ik ik_;
  double metresPerUnit_ = file_->figure().frameIn(ik_.axes()).metresPerUnit;
  std::array<std::shared_ptr<Answer>, 2> answers_;  ///< `answer = ik.solve()` drops the last answer after the next
  std::size_t nextAnswer_ = 0;
  bool isBusy_ = false;  ///< read and written with the GIL
};

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Points = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
using Poses = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A pose of the figure. Throws ValueError for a wrong size, numbers that are not finite, no unit quaternions.
Pose checkedPose(const Figure& figure, const Eigen::VectorXd& coordinates);
/// The rotation of a quaternion (x, y, z, w). Throws ValueError if it is not of unit length.
Eigen::Matrix3d rotationFromQuaternion(const Eigen::Vector4d& xyzw);
/// A rotation from a quaternion (x, y, z, w) or a matrix (3, 3).
Eigen::Matrix3d rotationFrom(const Numbers& given);
/// Throws ValueError if the shape is not (3,).
Eigen::Vector3d vectorFrom(const Numbers& given);
/// A read-only copy, since writes to it would be lost.
py::array_t<double> readOnly(const Eigen::Ref<const Eigen::VectorXd>& numbers);
Eigen::Vector4d quaternionOf(const Eigen::Matrix3d& rotation);  ///< (x, y, z, w), w >= 0
/// A number with at most four significant digits, for people.
std::string shortly(double number);

/// The document of an Ik's figure with the problem of the Ik.
Document documentOf(PyIk& ik);
/// Writes a document in the format of the name's ending. Returns what the format cannot hold.
std::vector<std::string> write(const Document& document, const std::filesystem::path& path);
/// A picture: (height, width, 3 or 4) of bytes.
py::array_t<std::uint8_t> render(const Document& document, int width, int height, const std::string& view,
                                 bool isTransparent, bool isLight);

void addFigures(py::module_& module);
void addIk(py::module_& module);
void addMany(py::module_& module);
void addVelocity(py::module_& module);

}  // namespace limber::python

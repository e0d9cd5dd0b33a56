// SPDX-License-Identifier: MIT
#include "python/module.h"

#include "limber/version.h"

PYBIND11_MODULE(_limber, module) {
  namespace py = pybind11;
  module.doc() =
      "Inverse kinematics of articulated figures. Places are in the axes and unit of a figure's file; angles are "
      "radians.";
  module.attr("__version__") = LIMBER_VERSION;
  py::register_exception<limber::python::Failure>(module, "Error", PyExc_RuntimeError);
  limber::python::addFigures(module);
  limber::python::addIk(module);
  limber::python::addMany(module);
  limber::python::addVelocity(module);
}

// SPDX-License-Identifier: MIT
// Common code of the tests of resources/scenes.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "limber/io/open.h"
#include "limber/posing/posed_problem.h"
#include "limber/solvers/registry.h"
#include "locations.h"

namespace limber::test {

inline Document openExample(const std::string& name) {
  const auto opened = io::openAny(LIMBER_SOURCE_DIR "/resources/scenes/" + name + ".limber");
  EXPECT_TRUE(opened) << opened.error().message();
  return opened ? opened->document : Document{};
}

inline FeasibleSet feasibleSetOf(const Document& document) { return FeasibleSet(*document.figure, limitsOf(document)); }

/// True for solvers without curvature across joints, which converge slowly.
inline bool isFirstOrder(std::string_view name) {
  return name == "gdls" || name == "gdls-penalty" || name == "gd" || name == "ccd";
}

/// Registry names of the solvers that keep limits exactly, know curvature and go down to a minimum of f. Without limits
/// the second part of gdls+nm is the bare Newton's method, which goes anywhere.
inline std::vector<std::string> exactSecondOrderSolvers() {
  std::vector<std::string> names;
  for (const Solver* solver : allSolvers())
    if (solver->limitHandling() == LimitHandling::Exact && solver->isMonotone() && !isFirstOrder(solver->name()) &&
        solver->name() != "gdls+nm")
      names.emplace_back(solver->name());
  return names;
}

}  // namespace limber::test

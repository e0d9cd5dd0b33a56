// SPDX-License-Identifier: MIT
#include "app/panels/iteration_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <vector>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber::app::iteration_table_test {
namespace {

TEST(IterationTable, HasEveryIterationToTheBit) {
  Document document = makeDocument(makePlanarChain(4));
  document.goals[0].target = {2, 2, 0};
  document.solver.solver = "gdls+nm";
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  std::istringstream lines(iterationTable(posing.history(), report.summary));
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(line, "iteration\tpart\tf\tgradient norm\tstep norm\tdamping");
  std::size_t row = 0;
  for (; std::getline(lines, line); ++row) {
    ASSERT_LT(row, posing.history().size());
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, '\t');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 6u) << line;
    const IterationRecord& record = posing.history()[row];
    EXPECT_EQ(cells[0], std::to_string(row));
    EXPECT_EQ(cells[1], partOf(record, report.summary));
    EXPECT_EQ(std::strtod(cells[2].c_str(), nullptr), record.objective);
    EXPECT_EQ(std::strtod(cells[3].c_str(), nullptr), record.gradientNorm);
    EXPECT_EQ(std::strtod(cells[4].c_str(), nullptr), record.stepNorm);
    EXPECT_EQ(std::strtod(cells[5].c_str(), nullptr), record.damping);
  }
  EXPECT_EQ(row, posing.history().size());
  EXPECT_GT(row, 3u);
}

}  // namespace
}  // namespace limber::app::iteration_table_test

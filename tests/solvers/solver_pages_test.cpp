// SPDX-License-Identifier: MIT
// The pages of docs/solvers against the registry: each solver has one, with its options as they are. If a table
// differs, the failure prints the correct one.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "limber/solvers/registry.h"
#include "locations.h"

namespace limber::solver_pages_test {
namespace {

namespace fs = std::filesystem;

const fs::path kDocs = fs::path(LIMBER_SOURCE_DIR) / "docs";

std::string textOf(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string pageOf(const Solver& solver) { return textOf(kDocs / "solvers" / (std::string(solver.name()) + ".md")); }

std::string numberText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

/// A bar would end the cell.
std::string cellText(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

std::string rowOf(const OptionInfo& option) {
  const bool isSwitch = option.kind == OptionInfo::Kind::Switch;
  const std::string unit = option.unit.empty() ? "" : " (" + std::string(option.unit) + ")";
  const std::string range = isSwitch ? "on, off" : numberText(option.minimum) + " to " + numberText(option.maximum);
  const std::string value = !isSwitch ? numberText(option.defaultValue) : option.defaultValue != 0.0 ? "on" : "off";
  return "| `" + std::string(option.name) + "` | " + cellText(option.label) + cellText(unit) + " | " + value + " | " +
         range + " | " + cellText(option.tooltip) + " |\n";
}

std::string tableOf(const Solver& solver) {
  std::string table = "| name | option | default | range | what it controls |\n| --- | --- | --- | --- | --- |\n";
  for (const OptionInfo& option : solver.options()) table += rowOf(option);
  return table;
}

TEST(SolverPages, EachMethodHasOneAndTheOverviewLeadsThere) {
  const std::string overview = textOf(kDocs / "solvers.md");
  for (const Solver* solver : allSolvers()) {
    const std::string name(solver->name());
    EXPECT_NE(pageOf(*solver).find("(`" + name + "`)"), std::string::npos) << "docs/solvers/" << name << ".md";
    EXPECT_NE(overview.find("| [`" + name + "`](solvers/" + name + ".md)"), std::string::npos) << "docs/solvers.md";
  }
  for (const auto& entry : fs::directory_iterator(kDocs / "solvers"))
    EXPECT_TRUE(findSolver(entry.path().stem().string())) << entry.path() << " is of no method of the registry";
}

TEST(SolverPages, OptionsAreThoseOfTheRegistry) {
  for (const Solver* solver : allSolvers()) {
    const std::string table = "## Options\n\n" + tableOf(*solver) + "\n";
    EXPECT_NE(pageOf(*solver).find(table), std::string::npos)
        << "docs/solvers/" << solver->name() << ".md should have\n"
        << table;
  }
}

TEST(SolverPages, LimitsAreTreatedAsTheRegistrySays) {
  for (const Solver* solver : allSolvers()) {
    const std::string row = "| limits | " + std::string(limitHandlingName(solver->limitHandling()));
    EXPECT_NE(pageOf(*solver).find(row), std::string::npos) << "docs/solvers/" << solver->name() << ".md: " << row;
  }
}

}  // namespace
}  // namespace limber::solver_pages_test

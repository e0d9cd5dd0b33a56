// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "limber/solvers/registry.h"
#include "support/temporary_folder.h"

namespace limber::app::race_command_test {
namespace {

const char* const kChain = R"({"figure": "planar:4", "goals": [{"type": "position", "target": [2, 2, 0]}]})";
const char* const kNoGoals = R"({"figure": "planar:4", "goals": []})";

class RaceCommand : public test::TemporaryFolder {
 protected:
  int run(const RaceArguments& arguments) {
    out_.str("");
    err_.str("");
    Console console("race", out_, err_);
    return runRace(arguments, console);
  }
  std::ostringstream out_, err_;
};

TEST_F(RaceCommand, TellsOfEveryMethodInTheRegistry) {
  const std::string file = write("chain.json", kChain).string();
  ASSERT_EQ(run({.file = file}), 0) << err_.str();
  for (const Solver* solver : allSolvers()) EXPECT_NE(out_.str().find(solver->name()), std::string::npos);
  ASSERT_EQ(run({.file = file, .json = true}), 0);
  const auto json = nlohmann::json::parse(out_.str());
  ASSERT_EQ(json["lanes"].size(), allSolvers().size());
  EXPECT_EQ(json["lanes"][0]["solver"], allSolvers()[0]->name());
  EXPECT_EQ(json["lanes"][0]["outcome"], "reached");
  EXPECT_LT(json["lanes"][0]["error"].get<double>(), 0.01);
}

TEST_F(RaceCommand, RunsThoseThatAreNamedAndWritesTheirIterates) {
  const std::string file = write("chain.json", kChain).string();
  const std::filesystem::path csv = folder_ / "race.csv";
  ASSERT_EQ(run({.file = file, .solvers = {"gdls+nm", "newton", "gdls+nm"}, .csv = csv.string(), .json = true}), 0)
      << err_.str();
  const auto json = nlohmann::json::parse(out_.str());
  ASSERT_EQ(json["lanes"].size(), 2u);
  EXPECT_EQ(json["lanes"][0]["solver"], "gdls+nm");
  int iterations = 0;
  for (const auto& lane : json["lanes"])
    for (const auto& phase : lane["iterations"]) iterations += phase.get<int>();
  std::ifstream in(csv);
  int lines = 0;
  for (std::string line; std::getline(in, line);) ++lines;
  EXPECT_GE(lines, iterations / 2);
  EXPECT_LE(lines, 1 + 2 + iterations) << "a header, the start of each, and one an iteration";
}

TEST_F(RaceCommand, NamesWhatItCannotUse) {
  const std::string file = write("chain.json", kChain).string();
  EXPECT_EQ(run({.file = file, .solvers = {"bogus"}}), 2);
  EXPECT_NE(err_.str().find("bogus"), std::string::npos);
  EXPECT_NE(err_.str().find(allSolvers()[0]->name()), std::string::npos) << "and says what there is";
  EXPECT_EQ(run({.file = (folder_ / "none.json").string()}), 1);
  EXPECT_EQ(run({.file = file, .csv = (folder_ / "none" / "race.csv").string()}), 1);
  EXPECT_EQ(run({.file = write("idle.json", kNoGoals).string()}), 1) << "there is nothing to race";
}

}  // namespace
}  // namespace limber::app::race_command_test

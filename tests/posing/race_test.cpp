// SPDX-License-Identifier: MIT
#include "limber/posing/race.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <sstream>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/document.h"
#include "limber/solvers/registry.h"

namespace limber::race_test {
namespace {

std::vector<std::string> everySolver() {
  std::vector<std::string> names;
  for (const Solver* solver : allSolvers()) names.emplace_back(solver->name());
  return names;
}

Document chainWithTarget(int links, double x, double y) {
  Document document = makeDocument(makePlanarChain(links));
  document.goals[0].target = {x, y, 0.0};
  return document;
}

const LaneView& laneOf(const Race& race, const std::string& solver) {
  for (const LaneView& view : race.lanes())
    if (view.solver == solver) return view;
  throw std::runtime_error("no lane " + solver);
}

double objectiveAt(const Document& document, const PosingRequest& request, const Pose& pose) {
  Document there = document;
  there.pose = pose;
  Posing posing;
  PosingRequest same = request;
  if (!same.startPose) same.startPose = document.pose;
  there.solver.solver = allSolvers().front()->name();
  posing.start(there, same);
  posing.advance(there, 1);
  return posing.report().summary.objectiveBefore;
}

TEST(Race, EveryLaneAnswersAsItsMethodDoesAlone) {
  const Document document = chainWithTarget(6, 3.0, 2.0);
  Race race;
  race.choose(everySolver());
  race.request(document, {}, Race::From::Given);
  race.wait();
  ASSERT_EQ(race.lanes().size(), allSolvers().size());
  for (const LaneView& view : race.lanes()) {
    SCOPED_TRACE(view.solver);
    Document alone = document;
    alone.solver.solver = view.solver;
    Posing posing;
    const PosingReport report = solveToEnd(posing, alone);
    ASSERT_TRUE(view.result);
    EXPECT_FALSE(view.isRunning);
    EXPECT_TRUE(view.result->isEnded);
    EXPECT_TRUE(view.result->pose == alone.pose);
    EXPECT_EQ(view.result->report.outcome, report.outcome);
    EXPECT_EQ(view.result->report.sentence, report.sentence);
    EXPECT_EQ(view.result->report.summary.iterations(), report.summary.iterations());
    if (report.outcome != Outcome::BadInput) {
      EXPECT_EQ(view.result->report.summary.objective, report.summary.objective);
      EXPECT_EQ(view.result->report.worstError, report.worstError);
    }
  }
}

TEST(Race, KeepsTheIteratesWithTheirPoses) {
  const Document document = chainWithTarget(5, 2.0, 3.0);
  for (const Solver* solver : allSolvers()) {
    SCOPED_TRACE(solver->name());
    RaceLane lane{std::string(solver->name())};
    PosingRequest request;
    request.startPose = document.pose;
    const LaneResult result = lane.solve(document, request);
    if (result.isRefused()) continue;
    ASSERT_FALSE(result.iterates.empty());
    EXPECT_EQ(result.iterates.front().iteration, 0);
    EXPECT_TRUE(result.iterates.front().pose == document.pose);
    EXPECT_EQ(result.iterates.back().iteration, result.iterations);
    EXPECT_TRUE(result.iterates.back().pose == result.pose);
    double time = 0.0;
    for (std::size_t i = 0; i < result.iterates.size(); ++i) {
      const RaceIterate& iterate = result.iterates[i];
      EXPECT_GE(iterate.timeMs, time);
      time = iterate.timeMs;
      EXPECT_TRUE(isValid(*document.figure, iterate.pose));
      if (i == 0) continue;
      EXPECT_GT(iterate.iteration, result.iterates[i - 1].iteration);
      if (i + 1 == result.iterates.size()) continue;  // the pose is the answer's, whose angles are wrapped
      EXPECT_NEAR(iterate.record.objective, objectiveAt(document, request, iterate.pose),
                  1e-9 * (1.0 + iterate.record.objective));
    }
    EXPECT_LE(time, result.timeMs) << "both are sums of the same readings, however long these took";
  }
}

TEST(Race, TheSamePosesWhateverTheThreads) {
  const Document start = chainWithTarget(12, 5.0, 4.0);
  std::vector<Pose> first;
  for (const int threads : {1, 2, 5}) {
    Race race(threads);
    race.choose(everySolver());
    Document document = start;
    for (int frame = 0; frame < 4; ++frame) {
      document.goals[0].target.y() -= 0.7;
      race.request(document, {.startPose = start.pose}, frame == 0 ? Race::From::Given : Race::From::OwnPose);
      race.wait();
    }
    for (std::size_t i = 0; i < race.lanes().size(); ++i) {
      ASSERT_TRUE(race.lanes()[i].result);
      if (threads == 1) first.push_back(race.lanes()[i].result->pose);
      else EXPECT_TRUE(race.lanes()[i].result->pose == first[i]) << race.lanes()[i].solver;
    }
  }
}

TEST(Race, EachLaneFollowsADragFromItsOwnPose) {
  Document document = chainWithTarget(4, 2.0, 2.0);
  Race race;
  const std::string solver(allSolvers().front()->name());
  race.choose({solver});
  race.request(document, {}, Race::From::Given);
  race.wait();
  const Pose reached = laneOf(race, solver).result->pose;
  document.goals[0].target.x() += 0.05;
  race.request(document, {.startPose = document.pose}, Race::From::OwnPose);
  race.wait();
  EXPECT_TRUE(laneOf(race, solver).result->iterates.front().pose == reached);
  race.request(document, {}, Race::From::Given);
  race.wait();
  EXPECT_TRUE(laneOf(race, solver).result->iterates.front().pose == document.pose);
}

/// A descent in tiny steps, with a cap of hundreds of thousands: it runs until it is stopped.
Document endlessDocument(std::string& solver) {
  Document document = chainWithTarget(400, 200.0, 250.0);
  solver = "gdls";
  document.solver.targetWeight = 1e-3;
  document.solver.restWeight = 1e-6;
  document.solver.options[solver] = {
      {"gdlsIterationsPerCoordinate", 1000.0}, {"gdlsTol", 0.0}, {"alphaInit", 1e-10}, {"carryAlpha", 0.0}};
  return document;
}

TEST(Race, ANewInputTakesThePlaceOfOneThatStillRuns) {
  std::string slow;
  const Document endless = endlessDocument(slow);
  Race race(1);
  std::atomic<int> wakes = 0;
  race.setWake([&] { ++wakes; });
  race.choose({slow});
  race.request(endless, {}, Race::From::Given);
  while (wakes == 0) std::this_thread::yield();  // it reports progress
  race.collect();
  ASSERT_TRUE(laneOf(race, slow).result);
  EXPECT_TRUE(laneOf(race, slow).isRunning);
  EXPECT_FALSE(laneOf(race, slow).result->isEnded);
  EXPECT_GT(laneOf(race, slow).result->iterates.size(), 1u);
  const std::uint64_t old = laneOf(race, slow).result->revision;

  Document quick = endless;
  quick.solver.options.clear();
  race.request(quick, {.startPose = endless.pose}, Race::From::OwnPose);
  race.wait();
  const LaneView& view = laneOf(race, slow);
  EXPECT_FALSE(view.isRunning);
  EXPECT_TRUE(view.result->isEnded);
  EXPECT_GT(view.result->revision, old);
  EXPECT_NE(view.result->report.outcome, Outcome::Cancelled);
  EXPECT_FALSE(view.result->iterates.front().pose == quick.pose) << "it goes on from where it was stopped";
}

TEST(Race, WhatHasNotBegunWaits) {
  std::string slow;
  const Document endless = endlessDocument(slow);
  const std::string other(allSolvers().front()->name());
  Race race(1);
  std::atomic<int> wakes = 0;
  race.setWake([&] { ++wakes; });
  race.choose({slow, other});
  race.request(endless, {}, Race::From::Given);
  EXPECT_TRUE(laneOf(race, other).isRunning && laneOf(race, other).isWaiting);
  while (wakes == 0) std::this_thread::yield();
  race.collect();
  EXPECT_FALSE(laneOf(race, slow).isWaiting) << "the one thread there is has it";
  EXPECT_TRUE(laneOf(race, other).isWaiting);
  race.choose({other});
  race.wait();
  EXPECT_FALSE(laneOf(race, other).isWaiting);
}

TEST(Race, NothingIsShownOfWhatWasForgotten) {
  std::string slow;
  const Document endless = endlessDocument(slow);
  Race race(2);
  std::atomic<int> wakes = 0;
  race.setWake([&] { ++wakes; });
  race.choose({slow, std::string(allSolvers().front()->name())});
  race.request(endless, {}, Race::From::Given);
  while (wakes == 0) std::this_thread::yield();
  race.clear();
  race.wait();
  for (const LaneView& view : race.lanes()) {
    EXPECT_FALSE(view.result);
    EXPECT_FALSE(view.isRunning);
  }
  EXPECT_FALSE(race.problem());
}

TEST(Race, AMethodChosenLaterBeginsWithTheInputOfTheOthers) {
  const Document document = chainWithTarget(4, 2.0, 2.0);
  Race race;
  const std::string first(allSolvers().front()->name()), second = "variable-metric";
  race.choose({first});
  race.request(document, {}, Race::From::Given);
  race.wait();
  const auto before = laneOf(race, first).result;
  race.choose({second, first});
  race.wait();
  EXPECT_EQ(laneOf(race, first).result, before);
  ASSERT_TRUE(laneOf(race, second).result);
  EXPECT_EQ(laneOf(race, second).result->report.outcome, Outcome::Reached);
  race.choose({second});
  EXPECT_EQ(race.lanes().size(), 1u);
}

TEST(Race, EndsAtOnceHoweverSlowAMethodIs) {
  std::string slow;
  const Document endless = endlessDocument(slow);
  Race race(2);
  race.choose({slow});
  race.request(endless, {}, Race::From::Given);
  race.stop();
  race.request(chainWithTarget(3, 1.0, 1.0), {}, Race::From::Given);  // it can be begun again
  race.wait();
  EXPECT_TRUE(laneOf(race, slow).result);
}

TEST(Race, AMethodThatKnowsNoLimitsSaysWhyItDoesNotRun) {
  Document document = chainWithTarget(3, 1.0, 1.0);
  document.joints[1].limits = {-0.5, 0.5};
  Race race;
  race.choose(everySolver());
  race.request(document, {}, Race::From::Given);
  race.wait();
  for (const LaneView& view : race.lanes()) {
    const bool knowsNone = findSolver(view.solver)->limitHandling() == LimitHandling::None;
    EXPECT_TRUE(view.result->isRefused() || !knowsNone) << view.solver;
    if (!view.result->isRefused()) continue;
    EXPECT_FALSE(view.result->report.sentence.empty());
    EXPECT_TRUE(view.result->iterates.empty());
  }
  document.solver.insist = true;
  race.request(document, {}, Race::From::Given);
  race.wait();
  EXPECT_FALSE(laneOf(race, "nm").result->isRefused());
}

TEST(Race, RefusesADenseMethodThatCouldNotBeInterrupted) {
  const Document document = chainWithTarget(kMaxRacedDense + 1, 100.0, 100.0);
  Race race;
  race.choose({"nm"});
  race.request(document, {}, Race::From::Given);
  race.wait();
  EXPECT_TRUE(laneOf(race, "nm").result->isRefused());
  EXPECT_NE(laneOf(race, "nm").result->report.sentence.find("too slow"), std::string::npos);
}

TEST(Race, KeepsEveryKthIterateOfALongSolve) {
  std::string slow;
  Document document = endlessDocument(slow);
  RaceLane lane(slow);
  PosingRequest request;
  request.startPose = document.pose;
  const auto stop = [](const LaneResult& soFar, const RaceIterate&, const Pose&) { return soFar.iterations < 10001; };
  const LaneResult result = lane.solve(document, request, stop);
  EXPECT_EQ(result.report.outcome, Outcome::Cancelled);
  ASSERT_EQ(result.iterations, 10001);
  EXPECT_LE(result.iterates.size(), kHistoryCapacity + 2);
  EXPECT_GT(result.iterates.size(), kHistoryCapacity / 2 - 2);
  const int stride = result.iterates[1].iteration - result.iterates[0].iteration;
  EXPECT_GT(stride, 1);
  for (std::size_t i = 1; i + 1 < result.iterates.size(); ++i)
    EXPECT_EQ(result.iterates[i].iteration, static_cast<int>(i) * stride);
  EXPECT_EQ(result.iterates.back().iteration, 10001);
}

TEST(Race, ALongChainKeepsItsPosesWithinTheirMemory) {
  const Document document = chainWithTarget(10000, 5000.0, 3000.0);
  RaceLane lane("gdls");
  PosingRequest request;
  request.startPose = document.pose;
  const auto stop = [](const LaneResult& soFar, const RaceIterate&, const Pose&) { return soFar.iterations < 250; };
  const LaneResult result = lane.solve(document, request, stop);
  std::size_t bytes = 0;
  for (const RaceIterate& iterate : result.iterates)
    bytes += sizeof(double) * static_cast<std::size_t>(iterate.pose.coordinates.size());
  EXPECT_LE(bytes, kIterateBytes + 3 * sizeof(double) * 10000);
  EXPECT_GT(result.iterates.size(), 50u);
}

TEST(RaceCsv, HasOneLineAnIterateWithTheDigitsOfADouble) {
  const Document document = chainWithTarget(4, 2.0, 2.0);
  PosingRequest request;
  request.startPose = document.pose;
  const LaneResult two = RaceLane("gdls+nm").solve(document, request);
  const LaneResult one = RaceLane(std::string(allSolvers().front()->name())).solve(document, request);
  std::istringstream lines(raceCsv({&two, &one}));
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(line, "solver,run,iteration,phase,f [1],gradient norm [1/rad],step norm [rad],damping [1],time [ms]\r");
  std::size_t count = 0;
  bool hasSecondPhase = false;
  while (std::getline(lines, line)) {
    std::vector<std::string> fields(1);
    for (const char c : line)
      if (c == ',') fields.emplace_back();
      else if (c != '\r') fields.back() += c;
    ASSERT_EQ(fields.size(), 9u) << line;
    const LaneResult& result = count < two.iterates.size() ? two : one;
    const RaceIterate& iterate = result.iterates[count < two.iterates.size() ? count : count - two.iterates.size()];
    EXPECT_EQ(fields[0], result.solver);
    EXPECT_EQ(fields[2], std::to_string(iterate.iteration));
    EXPECT_EQ(std::stod(fields[4]), iterate.record.objective);
    EXPECT_EQ(std::stod(fields[8]), iterate.timeMs);
    hasSecondPhase = hasSecondPhase || fields[3] == "nm";
    ++count;
  }
  EXPECT_EQ(count, two.iterates.size() + one.iterates.size());
  EXPECT_TRUE(hasSecondPhase);
}

TEST(RaceCsv, LeavesOutWhatIsNotKnown) {
  LaneResult result;
  result.solver = "some";
  result.iterates.push_back({0, 0, {0, 1.0, std::nan(""), 0.0, 0.0}, 0.0, {}});
  const std::string text = raceCsv({&result});
  EXPECT_NE(text.find("some,0,0,,1,,0,0,0\r\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace limber::race_test

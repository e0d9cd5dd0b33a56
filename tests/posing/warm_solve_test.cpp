// SPDX-License-Identifier: MIT
// Repeated solves of one problem reuse its objective (posed_problem.h: retarget()): the bits are those of an objective
// that is made anew, and a warm solve that reaches its goals allocates nothing.
#include <gtest/gtest.h>

#include <functional>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/ik.h"
#include "limber/posing/posed_problem.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"

namespace limber::warm_solve_test {
namespace {

using V = Eigen::Vector3d;

constexpr int kSolves = 60;  // of a lap

/// A point on a small circle.
V onCircle(const V& middle, double radius, int step) {
  const double angle = 2.0 * 3.14159265358979 * step / kSolves;
  return middle + radius * V(std::cos(angle), std::sin(angle), std::sin(2.0 * angle));
}

/// The largest number of allocations in one solve of the second lap of a loop that moves targets by `move`; in the
/// first lap memory is sized.
std::size_t mostAllocations(Ik& ik, const std::function<void(int)>& move, bool isReached = true) {
  std::size_t most = 0;
  for (int step = 0; step < 2 * kSolves; ++step) {
    move(step);
    const std::size_t before = test::allocationCount();
    const Answer& answer = ik.solve();
    const std::size_t count = test::allocationCount() - before;
    EXPECT_EQ(answer.isReached(), isReached) << step << ": " << answer.sentence;
    if (step >= kSolves) most = std::max(most, count);
  }
  return most;
}

/// The arm, bent so that no target of the tests is near a singular pose.
Ik bentArm() {
  Ik ik(makeArm());
  Pose pose = ik.pose();
  pose.coordinates.array() += 0.4;
  ik.setPose(pose);
  return ik;
}

TEST(WarmSolve, OfAPositionAllocatesNothing) {
  Ik ik = bentArm();
  const V middle = ik.placeOf("tool").translation;
  const GoalId tool = ik.add(position("tool", middle));
  EXPECT_EQ(mostAllocations(ik, [&](int step) { ik[tool].target = onCircle(middle, 0.05, step); }), 0u);
}

TEST(WarmSolve, OfAPlacementWithLockLimitsAndPinAllocatesNothing) {
  Ik ik = bentArm();
  const Transform begin = ik.placeOf("tool");
  ik.lock(ik.figure().joint(2).name);
  ik.setLimits(ik.figure().joint(5).name, -2.0, 2.0);
  ik.pin(ik.figure().link(0).name, Keep::Position);
  const GoalId tool = ik.add(position("tool", begin.translation)
                                 .uses({ik.figure().joint(1).name, ik.figure().joint(3).name, ik.figure().joint(4).name,
                                        ik.figure().joint(5).name}));
  EXPECT_EQ(mostAllocations(ik, [&](int step) { ik[tool].target = onCircle(begin.translation, 0.02, step); }), 0u);
}

TEST(WarmSolve, AtALimitAllocatesNothing) {
  Ik ik = bentArm();
  const V middle = ik.placeOf("tool").translation;
  const GoalId tool = ik.add(position("tool", middle));
  const int joint = 2;
  const double stop = ik.pose().coordinates[ik.figure().joint(joint).poseIndex];
  ik.setLimits(ik.figure().joint(joint).name, stop, stop + 1.0);
  bool isLimited = false;
  EXPECT_EQ(mostAllocations(ik,
                            [&](int step) {
                              isLimited |= ik.pose().coordinates[ik.figure().joint(joint).poseIndex] == stop;
                              ik[tool].target = onCircle(middle, 0.1, step);
                            }),
            0u);
  EXPECT_TRUE(isLimited);
}

/// Two goals of different priority, whose multipliers are updated.
TEST(WarmSolve, WithPrioritiesAllocatesNothing) {
  Ik ik = bentArm();
  const Transform begin = ik.placeOf("tool");
  const GoalId tool = ik.add(position("tool", begin.translation));
  const GoalId elbow = ik.add(
      onPlane(ik.figure().link(3).name, ik.placeOf(ik.figure().link(3).name).translation, V::UnitX()).priority(2));
  EXPECT_EQ(mostAllocations(ik,
                            [&](int step) {
                              ik[tool].target = onCircle(begin.translation, 0.03, step);
                              ik[elbow].weight = 1.0;
                            }),
            0u);
}

TEST(WarmSolve, OfEveryTypeOfOneEndAllocatesNothing) {
  const Transform begin = bentArm().placeOf("tool");
  const std::vector<std::pair<const char*, NewGoal>> goals = {
      {"orientation", orientation("tool", begin.rotation)},
      {"placement", placement("tool", begin)},
      {"direction", direction("tool", V::UnitX(), begin.rotation.col(0))},
      {"lookAt", lookAt("tool", V::UnitY(), begin * V(0, 1, 0))},
      {"onLine", onLine("tool", begin.translation, V(1, 1, 0))},
      {"onPlane", onPlane("tool", begin.translation, V(1, 2, 3))},
      {"onSide", onSide("tool", begin.translation, V(1, 2, 3))}};
  for (const auto& [name, goal] : goals) {
    Ik ik = bentArm();
    const GoalId id = ik.add(goal);
    const GoalItem item = ik[id];
    EXPECT_EQ(mostAllocations(ik,
                              [&](int step) {
                                ik[id].target = onCircle(item.target, 0.02, step);
                                ik[id].targetFrame =
                                    Eigen::AngleAxisd(0.1 * std::sin(0.3 * step), V::UnitZ()) * item.targetFrame;
                              }),
              0u)
        << name;
  }
}

/// What a solve allocates that is not as simple: bounds, so that they do not grow unnoticed.
TEST(WarmSolve, AllocatesLittleWithPosturesContactsAndMissedGoals) {
  const auto most = [](const std::function<void(Ik&)>& prepare, double radius, bool isReached) {
    Ik ik = bentArm();
    const V middle = ik.placeOf("tool").translation;
    const GoalId tool = ik.add(position("tool", middle));
    prepare(ik);
    return mostAllocations(
        ik, [&](int step) { ik[tool].target = onCircle(middle, radius, step); }, isReached);
  };
  const auto keepPosture = [](Ik& ik) { ik.add(keepPose(ik.pose()).weight(1e-3)); };
  const auto addFloor = [](Ik& ik) { ik.addPlane(V(0, -1, 0), V::UnitY()); };
  const auto addChoice = [](Ik& ik) {
    const std::string elbow = ik.figure().link(3).name;
    const V place = ik.placeOf(elbow).translation;
    ik.anyOf({ik.add(onPlane(elbow, place, V::UnitX())), ik.add(onPlane(elbow, place + V(1, 0, 0), V::UnitX()))});
  };
  EXPECT_LE(most(keepPosture, 0.05, true), 5u);  // its potential
  EXPECT_LE(most(addFloor, 0.05, true), 2u);
  EXPECT_LE(most(addChoice, 0.02, true), 260u);   // the objective is made anew, twice
  EXPECT_LE(most([](Ik&) {}, 4.0, false), 130u);  // proofs, other poses, and what holds it back, in words
}

/// A solve with the last problem reused, and one whose problem is made anew because the goal's name changes, which has
/// no other effect.
struct Pair {
  IkProblem reused, anew;
  Posing posing, posingAnew;
  int event = 0;

  void change(const std::function<void(IkProblem&)>& change) {
    change(reused);
    change(anew);
  }

  void expectSameBits() {
    for (GoalItem& goal : anew.goals) goal.name = event % 2 == 0 ? "even" : "odd";
    const PosingRequest request{.followsLast = event++ > 0};
    const PosingReport a = solveToEnd(posing, reused, request), b = solveToEnd(posingAnew, anew, request);
    ASSERT_TRUE(reused.pose == anew.pose) << event;
    ASSERT_EQ(a.summary.objective, b.summary.objective) << event;
    ASSERT_EQ(a.summary.iterations(), b.summary.iterations()) << event;
    ASSERT_EQ(a.outcome, b.outcome) << event;
    ASSERT_EQ(a.goals.size(), b.goals.size());
    for (std::size_t i = 0; i < a.goals.size(); ++i) {
      ASSERT_EQ(a.goals[i].error, b.goals[i].error);
      ASSERT_EQ(a.goals[i].objective, b.goals[i].objective);
      ASSERT_EQ(a.goals[i].force, b.goals[i].force);
    }
  }
};

GoalItem goalOf(GoalType type, int id, int link, int other) {
  GoalItem goal{.id = id, .type = type, .link = link, .pointInLink = {0.1, 0.05, -0.02}};
  if (type == GoalType::Distance || type == GoalType::Relative) goal.otherLink = other;
  if (type == GoalType::Distance) goal.distance = {0.2, 0.5};
  return goal;
}

/// Moves the targets of a random problem, and now and then changes something else.
void walk(const std::shared_ptr<const Figure>& figure, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto anyPoint = [&] { return V(uniform(random), uniform(random), uniform(random)); };
  Pair pair;
  pair.reused = makeIkProblem(figure);
  pair.reused.pose = test::randomPose(*figure, random);
  int id = 1;
  for (const GoalType type :
       {GoalType::Position, GoalType::PositionOrientation, GoalType::Distance, GoalType::Plane, GoalType::Direction}) {
    GoalItem goal = goalOf(type, id, test::kAwkwardTips[id % 2], test::kAwkwardTips[2]);
    goal.weight = 1.0 + 0.5 * uniform(random);
    goal.priority = 1 + id++ % 2;
    pair.reused.goals.push_back(goal);
  }
  GoalItem kept{.id = id++, .type = GoalType::KeepPose};
  kept.kept = test::randomPose(*figure, random);
  kept.weight = 1e-3;
  pair.reused.goals.push_back(kept);
  pair.reused.nextGoalId = id;
  pair.anew = pair.reused;
  const Kinematics start = transformsOf(*figure, pair.reused.pose);
  for (int step = 0; step < 40; ++step) {
    const std::size_t moved = random() % 5;
    const V target = start.worldFromLink[pair.reused.goals[moved].link].translation + 0.5 * anyPoint();
    const Eigen::Matrix3d frame = Eigen::AngleAxisd(uniform(random), anyPoint().normalized()).toRotationMatrix();
    const double number = 0.5 + 0.4 * uniform(random);
    const int joint = static_cast<int>(random() % figure->linkCount());
    pair.change([&](IkProblem& problem) {
      problem.goals[moved].target = target;
      problem.goals[moved].targetFrame = frame;
      switch (step % 16) {
        case 3: problem.goals[moved].weight = number; break;
        case 5: problem.joints[joint].rigidity = number; break;
        case 7: problem.joints[joint].locked = !problem.joints[joint].locked; break;
        case 9: problem.solver.restWeight = number; break;
        case 11: pinLink(problem, 3, true, step % 32 == 11); break;
        case 13: problem.goals[moved].enabled = !problem.goals[moved].enabled; break;
        case 15: problem.solver.reference = step % 32 == 15 ? RestReference::RestPose : RestReference::StartPose; break;
        default: break;
      }
    });
    pair.expectSameBits();
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(WarmSolve, HasTheBitsOfAProblemMadeAnew) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    walk(test::makeAwkwardFigure(), seed);
    walk(test::makeCoupledFigure(), seed);
  }
}

PosedProblem posedOf(const IkProblem& problem) { return makeProblem(problem, PosingRequest{}); }

bool isReused(PosedProblem& posed, const IkProblem& problem) {
  return retarget(posed, problem, completed(problem, PosingRequest{}));
}

TEST(Retarget, TakesTargetsAndPosesAlone) {
  IkProblem problem = makeIkProblem(makeArm());
  const int id = addGoal(problem, 6, {0, 0.1, 0});
  PosedProblem posed = posedOf(problem);
  problem.pose.coordinates.array() += 0.1;
  findGoal(problem, id)->target += V(0.1, 0, 0);
  ASSERT_TRUE(isReused(posed, problem));
  EXPECT_EQ(posed.goals[0].item.target, problem.goals[0].target);
  EXPECT_TRUE(posed.reference == problem.pose);
  Evaluation evaluation, anew;
  EXPECT_EQ(posed.objective->evaluate(problem.pose, evaluation),
            posedOf(problem).objective->evaluate(problem.pose, anew));
}

TEST(Retarget, RefusesWhatChangesTheObjective) {
  const auto refuses = [](const std::function<void(IkProblem&)>& change) {
    IkProblem problem = makeIkProblem(makeArm());
    addGoal(problem, 6, {0, 0.1, 0});
    PosedProblem posed = posedOf(problem);
    EXPECT_TRUE(posed.origin.has_value());
    change(problem);
    return !isReused(posed, problem);
  };
  EXPECT_FALSE(refuses([](IkProblem&) {}));
  EXPECT_TRUE(refuses([](IkProblem& p) { p.goals[0].weight = 2.0; }));
  EXPECT_TRUE(refuses([](IkProblem& p) { p.goals[0].pointInLink.x() = 0.1; }));
  EXPECT_TRUE(refuses([](IkProblem& p) { p.goals[0].target.x() = std::nan(""); }));
  EXPECT_TRUE(refuses([](IkProblem& p) { addGoal(p, 3, V::Zero()); }));
  EXPECT_TRUE(refuses([](IkProblem& p) { pinLink(p, 2, true, false); }));
  EXPECT_TRUE(refuses([](IkProblem& p) { p.joints[1].limits = {-0.1, 0.1}; }));
  EXPECT_TRUE(refuses([](IkProblem& p) { p.joints[1].locked = true; }));
  EXPECT_TRUE(refuses([](IkProblem& p) { p.solver.restWeight *= 2.0; }));
  EXPECT_TRUE(refuses([](IkProblem& p) { p.solver.reference = RestReference::RestPose; }));
  EXPECT_TRUE(refuses([](IkProblem& p) { p.figure = makeArm(); }));
  EXPECT_TRUE(refuses([](IkProblem& p) { p.pose.coordinates[0] = std::nan(""); }));
}

}  // namespace
}  // namespace limber::warm_solve_test

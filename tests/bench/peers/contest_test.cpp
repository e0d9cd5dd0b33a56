// SPDX-License-Identifier: MIT
// The contest believes nobody: what it counts as solved is solved.
#include "bench/peers/contest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/peers/tasks.h"

namespace limber::bench::contest_test {
namespace {

/// The arm with its tool where its own pose puts it, so that this pose is an answer.
struct ArmAnswer {
  ArmAnswer() : task(makeArmTask(1)) {
    std::mt19937 random(11);
    answer = randomPoseWithin(*task.figure, random);
    Kinematics kinematics;
    computeTransforms(*task.figure, answer, kinematics);
    FrameTarget& target = problem().targets[0];
    target.worldFromTarget = kinematics.worldFromLink[static_cast<std::size_t>(target.link)] * target.linkFromFrame;
  }
  Problem& problem() { return task.problems[0]; }
  Verdict judged(const Pose& pose) { return judge(task, problem(), problem().start, pose); }

  Task task;
  Pose answer;
};

TEST(Judge, CountsAnAnswerThatIsRight) {
  ArmAnswer arm;
  const Verdict verdict = arm.judged(arm.answer);
  EXPECT_TRUE(verdict.solved);
  EXPECT_LT(verdict.length, 1e-12);
  EXPECT_LT(verdict.angle, 1e-12);
  EXPECT_EQ(verdict.violation, 0.0);
  EXPECT_GT(verdict.distance, 0.1);
}

TEST(Judge, MeasuresWhatIsLeftInMetresAndRadians) {
  ArmAnswer arm;
  Transform& target = arm.problem().targets[0].worldFromTarget;
  target.translation.x() += 2e-5;
  Verdict verdict = arm.judged(arm.answer);
  EXPECT_FALSE(verdict.solved);
  EXPECT_NEAR(verdict.length, 2e-5, 1e-12);
  target.translation.x() -= 2e-5;
  target.rotation = target.rotation * Eigen::AngleAxisd(2e-5, Eigen::Vector3d(1, 2, 2) / 3.0).toRotationMatrix();
  verdict = arm.judged(arm.answer);
  EXPECT_FALSE(verdict.solved);
  EXPECT_NEAR(verdict.angle, 2e-5, 1e-12);
}

TEST(Judge, NeverCountsAPoseOutsideTheLimitsOrOneThatIsNoPose) {
  ArmAnswer arm;
  Pose outside = arm.answer;
  outside.coordinates[6] += 2.0 * std::numbers::pi;  // the same place, a turn further
  EXPECT_LT(arm.judged(outside).length, 1e-9);
  EXPECT_FALSE(arm.judged(outside).solved);
  Pose broken = arm.answer;
  broken.coordinates[2] = std::nan("");
  EXPECT_FALSE(arm.judged(broken).solved);
  broken.coordinates.resize(3);
  EXPECT_FALSE(arm.judged(broken).solved);
}

TEST(Judge, NeverCountsAnAnswerThatMovesWhatIsNotGivenAway) {
  std::string fault;
  Task task = makeHumanTask(1, fault);
  ASSERT_TRUE(fault.empty()) << fault;
  const Problem& problem = task.problems[0];
  Pose moved = problem.start;
  const int pelvis = task.figure->findJoint("pelvis");
  ASSERT_GE(pelvis, 0);
  moved.coordinates[task.figure->joint(pelvis).poseIndex] += 0.01;
  const Verdict verdict = judge(task, problem, problem.start, moved);
  EXPECT_FALSE(verdict.solved);
  EXPECT_TRUE(std::isinf(verdict.violation));
}

TEST(Judge, AsksADocumentForAllOfItsGoals) {
  std::string fault;
  Task task = makeHumanTask(1, fault);
  ASSERT_TRUE(fault.empty()) << fault;
  const Problem& problem = task.problems[0];
  EXPECT_FALSE(judge(task, problem, problem.start, problem.start).solved) << "the human at rest holds no tube";
}

TEST(Judge, OfFAloneCountsTheLeast) {
  const auto withF = [](double f) {
    Verdict verdict;
    verdict.objective = f;
    verdict.solved = true;
    return verdict;
  };
  std::vector<std::vector<Verdict>> verdicts = {{withF(2.0), withF(3.0)}, {withF(2.0 + 1e-7), withF(3.1)}};
  verdicts.push_back({withF(1.0), withF(9.0)});
  verdicts[2][0].solved = false;  // below all others, but outside the limits
  shareBest(verdicts);
  EXPECT_TRUE(verdicts[0][0].solved);
  EXPECT_TRUE(verdicts[1][0].solved);
  EXPECT_TRUE(verdicts[0][1].solved);
  EXPECT_FALSE(verdicts[1][1].solved);
  EXPECT_FALSE(verdicts[2][0].solved);
}

TEST(Judge, KnowsAnglesFromTheSmallestToHalfATurn) {
  const Eigen::Vector3d axis = Eigen::Vector3d(1, -2, 2) / 3.0;
  const Eigen::Matrix3d a = Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitY()).toRotationMatrix();
  for (const double angle : {0.0, 1e-9, 1e-5, 1.0, 3.14})
    EXPECT_NEAR(angleBetween(a, a * Eigen::AngleAxisd(angle, axis).toRotationMatrix()), angle, 1e-14 + 1e-9 * angle);
}

/// Says that it has solved everything, and has solved nothing.
class Boaster final : public Entrant {
 public:
  std::string name() const override { return "boaster"; }
  bool prepare(const Task&) override { return true; }
  void solve(const Problem&, Pose& pose) override { pose.coordinates.setZero(); }
};

TEST(Contest, GivesNothingForAWrongAnswer) {
  std::vector<std::unique_ptr<Entrant>> entrants;
  entrants.push_back(std::make_unique<Boaster>());
  const Result result = run(makeArmTask(25), entrants);
  ASSERT_EQ(result.scores.size(), 1u);
  EXPECT_EQ(result.scores[0].problems, 25);
  EXPECT_EQ(result.scores[0].solved, 0.0);
  EXPECT_GT(result.floorMicroseconds, 0.0);
}

TEST(Contest, TakesTheMiddleOfItsTimes) {
  std::vector<double> values = {5, 1, 4, 2, 3};
  EXPECT_EQ(quantile(values, 0.5), 3.0);
  EXPECT_EQ(quantile(values, 1.0), 5.0);
  EXPECT_EQ(quantile(values, 0.0), 1.0);
}

TEST(Tasks, BeginWithinTheLimits) {
  std::string fault;
  for (const Task& task : {makeArmTask(3), makeChainTask(5, 3), makeHumanTask(2, fault), makeDragTask(3)}) {
    ASSERT_FALSE(task.problems.empty()) << task.name << ": " << fault;
    for (const Problem& problem : task.problems)
      EXPECT_LE(problem.objective->feasibleSet().violation(problem.start), kOutside) << task.name;
  }
}

TEST(Tasks, AreTheSameAtEachRun) {
  const Task a = makeArmTask(4), b = makeArmTask(4);
  for (std::size_t i = 0; i < a.problems.size(); ++i) {
    EXPECT_EQ(a.problems[i].start, b.problems[i].start);
    EXPECT_EQ(a.problems[i].targets[0].worldFromTarget, b.problems[i].targets[0].worldFromTarget);
  }
}

}  // namespace
}  // namespace limber::bench::contest_test

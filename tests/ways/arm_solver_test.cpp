// SPDX-License-Identifier: MIT
#include "limber/ways/arm_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "random_arms.h"
#include "support/allocation_count.h"

namespace limber::arm_solver_test {
namespace {

using namespace ways;

bool contains(const Ways& ways, const ScrewChain& chain, const Coordinates& q, double tolerance) {
  for (const Way& way : ways.all)
    if (test::differenceOf(chain, way.q, q) <= tolerance) return true;
  return false;
}

/// Places differ by at most this after forward kinematics, metres and radians.
constexpr double kSamePlace = 1e-8;

void expectReaches(const ScrewChain& chain, const Ways& ways, const Transform& target, const std::string& name) {
  for (const Way& way : ways.all) {
    const Transform reached = chain.place(way.q);
    EXPECT_LT((reached.translation - target.translation).norm(), kSamePlace) << name;
    EXPECT_LT((reached.rotation - target.rotation).norm(), kSamePlace) << name;
  }
}

TEST(ArmSolver, FindsTheGeneratingPoseOfEveryFamily) {
  test::RandomArms random{std::mt19937{11}};
  for (const test::ArmFamily& family : test::armFamilies()) {
    const int trials = family.isClosedForm ? 200 : 40;
    for (int trial = 0; trial < trials; ++trial) {
      const ScrewChain chain = family.make(random);
      const ArmSolver solver(chain, Aspect::Place);
      ASSERT_EQ(solver.fault(), "");
      const Coordinates q = random.coordinates(chain);
      const Transform target = chain.place(q);
      Ways ways;
      solver.solve(target, Coordinates::Zero(chain.count), ways);
      EXPECT_TRUE(contains(ways, chain, q, 1e-6)) << family.name << ", trial " << trial;
      EXPECT_EQ(ways.shape != Shape::General, family.isClosedForm) << family.name;
      expectReaches(chain, ways, target, family.name);
      for (std::size_t i = 0; i < ways.all.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
          EXPECT_GT(test::differenceOf(chain, ways.all[i].q, ways.all[k].q), 1e-6) << family.name << ": twice";
    }
  }
}

/// Newton's method from random poses finds nothing that the list does not have.
TEST(ArmSolver, FindsAllThatRandomStartsFind) {
  test::RandomArms random{std::mt19937{12}};
  for (const test::ArmFamily& family : test::armFamilies()) {
    const int targets = family.isClosedForm ? 5 : 3;
    for (int trial = 0; trial < targets; ++trial) {
      const ScrewChain chain = family.make(random);
      const ArmSolver solver(chain, Aspect::Place);
      const Transform target = chain.place(random.coordinates(chain));
      Ways ways;
      solver.solve(target, Coordinates::Zero(chain.count), ways);
      for (int start = 0; start < 300; ++start) {
        Coordinates q = random.coordinates(chain);
        if (polish(chain, Aspect::Place, target, q) > 1e-11) continue;
        EXPECT_TRUE(contains(ways, chain, q, 1e-5)) << family.name << ", trial " << trial;
      }
    }
  }
}

TEST(ArmSolver, HasTheKnownNumberOfWays) {
  test::RandomArms random{std::mt19937{13}};
  const auto families = test::armFamilies();
  for (int trial = 0; trial < 50; ++trial) {
    const ScrewChain chain = families[0].make(random);  // like the PUMA 560: eight ways
    Ways ways;
    ArmSolver(chain, Aspect::Place).solve(chain.place(random.coordinates(chain)), Coordinates::Zero(6), ways);
    EXPECT_EQ(ways.all.size() % 2, 0u);
    EXPECT_LE(ways.all.size(), 8u);
    EXPECT_EQ(ways.completeness, Completeness::Proved);
  }
}

TEST(ArmSolver, UnreachablePlacesHaveNoWay) {
  test::RandomArms random{std::mt19937{14}};
  for (const test::ArmFamily& family : test::armFamilies()) {
    if (!family.isClosedForm || std::string(family.name).find("slide") != std::string::npos) continue;
    const ScrewChain chain = family.make(random);
    Transform target = chain.place(random.coordinates(chain));
    target.translation += Eigen::Vector3d(40, 30, 20);
    Ways ways;
    ArmSolver(chain, Aspect::Place).solve(target, Coordinates::Zero(chain.count), ways);
    EXPECT_TRUE(ways.all.empty()) << family.name;
  }
}

TEST(ArmSolver, AnAlignedWristIsFree) {
  test::RandomArms random{std::mt19937{15}};
  const ScrewChain chain = test::armFamilies()[1].make(random);
  for (int trial = 0; trial < 30; ++trial) {
    Coordinates q = random.coordinates(chain);
    q[4] = 0.0;
    const Transform target = chain.place(q);
    Ways ways;
    Coordinates preferred = Coordinates::Constant(6, 0.25);
    ArmSolver(chain, Aspect::Place).solve(target, preferred, ways);
    EXPECT_EQ(ways.completeness, Completeness::Infinite);
    bool isFound = false;
    for (const Way& way : ways.all)
      isFound = isFound || (std::abs(way.q[4]) < 1e-6 && way.isFree && way.freeJoints == 0b101000u &&
                            std::abs(wrapAngle(way.q[3] + way.q[5] - q[3] - q[5])) < 1e-6);
    EXPECT_TRUE(isFound);
    expectReaches(chain, ways, target, "aligned wrist");
  }
}

/// The angle of one of two parallel hinges has no effect on the turn of the tip, from which the closed form begins.
TEST(ArmSolver, FindsJointsThatOneEquationLeavesFree) {
  test::RandomArms random{std::mt19937{21}};
  for (int trial = 0; trial < 200; ++trial) {
    auto screws = random.screws("HHH");
    screws[2].axis = trial % 2 == 0 ? screws[1].axis : -screws[1].axis;
    const ScrewChain chain = random.chainOf(screws);
    const Coordinates q = random.coordinates(chain);
    Ways ways;
    ArmSolver(chain, Aspect::Place).solve(chain.place(q), Coordinates::Zero(3), ways);
    EXPECT_TRUE(contains(ways, chain, q, 1e-6)) << trial;
    EXPECT_NE(ways.completeness, Completeness::Proved) << trial;
  }
}

/// A slide in the plane of three parallel hinges: each place has a curve of ways, some of which miss any given slide.
TEST(ArmSolver, APlanarArmOfFourJointsIsFree) {
  test::RandomArms random{std::mt19937{22}};
  for (int trial = 0; trial < 200; ++trial) {
    auto screws = random.screws(trial % 2 == 0 ? "SHHH" : "HHHH");
    for (int i = 2; i < 4; ++i) screws[i].axis = -screws[1].axis;
    if (trial % 2 == 0) screws[0].axis = screws[1].axis.cross(screws[0].axis).normalized();
    else screws[0].axis = screws[1].axis;
    const ScrewChain chain = random.chainOf(screws);
    const Transform target = chain.place(random.coordinates(chain));
    Ways ways;
    ArmSolver(chain, Aspect::Place).solve(target, Coordinates::Zero(4), ways);
    EXPECT_FALSE(ways.all.empty()) << trial;
    EXPECT_EQ(ways.completeness, Completeness::Infinite) << trial;
    expectReaches(chain, ways, target, "planar arm");
  }
}

TEST(ArmSolver, AStraightElbowIsTwoWaysInOneAndNotFree) {
  test::RandomArms random{std::mt19937{16}};
  const ScrewChain chain = test::armFamilies()[1].make(random);
  for (int trial = 0; trial < 30; ++trial) {
    Coordinates q = random.coordinates(chain);
    q[2] = -std::numbers::pi / 2;  // the upper and the lower arm in line
    Ways ways;
    ArmSolver(chain, Aspect::Place).solve(chain.place(q), Coordinates::Zero(6), ways);
    EXPECT_TRUE(contains(ways, chain, q, 1e-6));
    EXPECT_NE(ways.completeness, Completeness::Proved);
    for (const Way& way : ways.all) EXPECT_FALSE(way.isFree);
  }
}

TEST(ArmSolver, PositionsOfThreeJoints) {
  test::RandomArms random{std::mt19937{17}};
  for (const char* types : {"HHH", "SHH", "HSH", "HHS", "SSH", "SHS", "HSS", "SSS", "HH", "H"})
    for (int trial = 0; trial < 100; ++trial) {
      const ScrewChain chain = random.chainOf(random.screws(types));
      const Coordinates q = random.coordinates(chain);
      Ways ways;
      ArmSolver(chain, Aspect::Position).solve(chain.place(q), Coordinates::Zero(chain.count), ways);
      EXPECT_TRUE(contains(ways, chain, q, 1e-6)) << types << ", trial " << trial;
    }
}

/// Random and degenerate axes: parallel, equal, through one point, in the same place.
TEST(ArmSolver, NeverFailsOnDegenerateArms) {
  test::RandomArms random{std::mt19937{18}};
  for (int trial = 0; trial < 400; ++trial) {
    std::string types;
    const int count = 1 + trial % 6;
    for (int i = 0; i < count; ++i) types += random.number() < 0.6 ? 'H' : 'S';
    auto screws = random.screws(types);
    for (int i = 1; i < count; ++i) {
      if (random.number() < 0.0) screws[i].axis = (random.number() < 0 ? -1.0 : 1.0) * screws[i - 1].axis;
      if (random.number() < 0.0) screws[i].point = screws[i - 1].point;
      if (random.number() < -0.6) screws[i].axis = screws[i - 1].axis.unitOrthogonal();
    }
    const ScrewChain chain = random.chainOf(screws);
    const ArmSolver solver(chain, Aspect::Place);
    Ways ways;
    Coordinates q = random.coordinates(chain);
    if (trial % 3 == 0) q.setZero();
    const Transform target = chain.place(q);
    solver.solve(target, Coordinates::Zero(count), ways);
    for (const Way& way : ways.all) EXPECT_TRUE(way.q.allFinite());
    expectReaches(chain, ways, target, types);
  }
}

TEST(ArmSolver, AllocatesNothingWhenWarm) {
  test::RandomArms random{std::mt19937{19}};
  const auto families = test::armFamilies();
  for (const std::size_t family : {0u, 2u, 16u}) {
    const ScrewChain chain = families[family].make(random);
    const ArmSolver solver(chain, Aspect::Place);
    Ways ways;
    ways.all.reserve(64);
    const Transform target = chain.place(random.coordinates(chain));
    const Coordinates preferred = Coordinates::Zero(6);
    solver.solve(target, preferred, ways);
    const long before = test::allocationCount();
    solver.solve(target, preferred, ways);
    EXPECT_EQ(test::allocationCount(), before) << families[family].name;
  }
}

}  // namespace
}  // namespace limber::arm_solver_test

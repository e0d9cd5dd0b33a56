// SPDX-License-Identifier: MIT
// Reading files with the functions of the library's public headers.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "limber/ik.h"
#include "limber/io.h"
#include "results.h"

namespace limber::read_test {
namespace {

std::string write(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

const char* const kArm = R"(<robot name="two links">
  <link name="base"/>
  <link name="upper"/>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="tool"/><origin xyz="0.4 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
</robot>)";

TEST(Read, PosesARobotInTheAxesOfItsFile) {
  const auto robot = test::valueOf(readFigure(write("two_links.urdf", kArm)));
  Ik ik(robot);
  const Eigen::Vector3d target(0.0, 0.0, 0.9);  // z up, as the file has it: straight above the shoulder
  ik.add(position("tool", target));
  const Answer answer = ik.solve();
  EXPECT_TRUE(answer.isReached()) << answer.sentence;
  EXPECT_LT((ik.placeOf("tool").translation - target).norm(), 1e-3);
  EXPECT_GT(placeOf(*robot, ik.pose(), "tool", Axes::Scene).translation.y(), 0.8) << "y is up in the scene";
  EXPECT_EQ(robot->joint(robot->findJoint("elbow")).velocityLimit, 1.0);
}

TEST(Read, TakesWhatAProblemAsks) {
  const auto problem = test::valueOf(readProblem(write("asked.json", R"({"figure": "planar:3",
    "goals": [{"type": "position", "target": [1.5, 1, 0]}], "pins": [{"link": "link0"}]})")));
  Ik ik(problem);
  EXPECT_EQ(ik.problem().pins.size(), 1u);
  const Answer answer = ik.solve();
  EXPECT_TRUE(answer.isReached()) << answer.sentence;
}

TEST(Read, TellsWhatWasGuessed) {
  std::vector<std::string> notes{"of something else"};
  ASSERT_TRUE(readProblem("human", &notes));
  EXPECT_TRUE(notes.empty());
}

TEST(Read, SaysWhatIsWrong) {
  std::vector<std::string> notes{"of something else"};
  EXPECT_FALSE(readProblem("no/such.json", &notes));
  EXPECT_TRUE(notes.empty());
  const auto missing = readFigure("no/such.urdf");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message().find("no/such.urdf"), std::string::npos);
  const std::string path = write("broken.urdf", "<robot name=\"x\"><link/></robot>");
  const auto broken = readFigure(path);
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message().find("broken.urdf"), std::string::npos);
}

}  // namespace
}  // namespace limber::read_test

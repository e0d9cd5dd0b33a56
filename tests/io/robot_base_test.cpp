// SPDX-License-Identifier: MIT
// Robots on legs open with a free base on the ground; all others as in their files. The export of a pose names the base
// only where it has moved.
#include "limber/scene/base.h"

#include <gtest/gtest.h>

#include "limber/io/figure_source.h"
#include "limber/io/json/pose_json.h"
#include "limber/io/json/problem_json.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/motion_file.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "locations.h"
#include "results.h"
#include "support/robot_texts.h"
#include "support/temporary_folder.h"

namespace limber::io::robot_base_test {
namespace {

using namespace limber::test;

constexpr double kRounding = 1e-14;  // metres: of a dozen sums of lengths up to 2 m

class RobotBase : public TemporaryFolder {
 protected:
  Opened open(const std::string& text, std::optional<BaseChoice> base = std::nullopt) {
    const bool isModel = text.find("<mujoco") != std::string::npos;
    file_ = write(isModel ? "robot.xml" : "robot.urdf", text);
    return valueOf(openAny(file_.string(), {.base = base}));
  }
  std::filesystem::path file_;
};

double lowestOf(const Document& document) {
  const Kinematics kinematics = transformsOf(*document.figure, document.pose);
  double lowest = 1e9;
  for (int i = 0; i < document.figure->linkCount(); ++i)
    for (const Capsule& capsule : document.figure->link(i).capsules)
      for (const auto& end : {capsule.start, capsule.end})
        lowest = std::min(lowest, (kinematics.worldFromLink[i] * end).y() - capsule.radius);
  return lowest;
}

/// Expects equal transforms of all links in the file's frame.
void expectSamePlacesInFile(const Document& a, const Document& b) {
  Kinematics one, other;
  computeTransforms(*a.figure, a.pose, one);
  computeTransforms(*b.figure, b.pose, other);
  ASSERT_EQ(a.figure->linkCount(), b.figure->linkCount());
  for (std::size_t i = 0; i < one.worldFromLink.size(); ++i) {
    EXPECT_EQ(one.worldFromLink[i].rotation, other.worldFromLink[i].rotation);
    EXPECT_LT((a.figure->fileFrame().toFile(one.worldFromLink[i].translation) -
               b.figure->fileFrame().toFile(other.worldFromLink[i].translation))
                  .norm(),
              kRounding);
  }
}

TEST_F(RobotBase, OfARobotOnLegsIsFreeLockedAndUponTheGround) {
  for (const auto& [text, legs] :
       {std::pair{quadrupedText(), 4}, {hexapodText(), 6}, {bipedText(), 2}, {quadrupedModel(false), 4}}) {
    SCOPED_TRACE(text.substr(0, 40));
    const Opened opened = open(text);
    const Document& document = opened.document;
    ASSERT_TRUE(document.figure);
    const Joint& base = document.figure->joint(0);
    EXPECT_EQ(base.type, JointType::Free);
    EXPECT_TRUE(base.freed);
    EXPECT_TRUE(document.joints[0].locked);
    EXPECT_TRUE(hasNote(opened.notes, "stands on " + std::to_string(legs) + " legs")) << opened.notes.size();
    EXPECT_EQ(legsOf(*document.figure).size(), static_cast<std::size_t>(legs));
    EXPECT_NEAR(lowestOf(document), 0.0, legs == 2 ? 0.02 : 1e-4)
        << "what is drawn stands on the ground: facets for a capsule, and of a box a capsule that is a little lower";
    EXPECT_FALSE(hasMovedBase(*document.figure, document.pose));
    const Document fixed = open(text, BaseChoice::Fixed).document;
    EXPECT_FALSE(hasFreedBase(*fixed.figure));
    expectSamePlacesInFile(document, fixed);
  }
}

TEST_F(RobotBase, FixedIsWhatTheReaderReads) {
  const Document fixed = open(quadrupedText(), BaseChoice::Fixed).document;
  const auto source = openFigureSource(file_.string(), "");
  ASSERT_TRUE(source);
  EXPECT_EQ(fixed.figure->stepSize(), 12);
  EXPECT_EQ(formatFigure(*fixed.figure), formatFigure(*source->figure));
}

TEST_F(RobotBase, OfARobotWithoutLegsStaysAsTheFileHasIt) {
  for (const std::string& text :
       {wheeledArmText(), tableArmText(), hoveringArmText(), worldQuadrupedText(), quadrupedModel(true),
        quadrupedModel(false, "<geom type=\"box\" size=\"1 1 0.1\" pos=\"0 0 -0.1\"/>")}) {
    SCOPED_TRACE(text.substr(0, 40));
    const Opened opened = open(text);
    EXPECT_FALSE(hasFreedBase(*opened.document.figure));
    EXPECT_EQ(opened.document.figure->fileFrame().origin, Eigen::Vector3d::Zero());
    EXPECT_FALSE(hasNote(opened.notes, "legs"));
  }
}

TEST_F(RobotBase, IsFreedWhereThatIsAskedFor) {
  for (const std::string& text : {hoveringArmText(), tableArmText(), worldQuadrupedText(), wheeledArmText()}) {
    SCOPED_TRACE(text.substr(0, 40));
    const Document fixed = open(text).document;
    const Opened opened = open(text, BaseChoice::Free);
    const Figure& figure = *opened.document.figure;
    ASSERT_TRUE(hasFreedBase(figure));
    EXPECT_EQ(figure.stepSize(), fixed.figure->stepSize() + 6);
    const auto freed = std::ranges::find_if(figure.joints(), &Joint::freed) - figure.joints().begin();
    EXPECT_EQ(figure.link(static_cast<int>(freed)).name == "body", text == worldQuadrupedText());
    EXPECT_TRUE(figure.isFreeRoot(static_cast<int>(freed)));
    expectSamePlacesInFile(opened.document, fixed);
  }
}

// An arm whose first joint is attached to the world has no link that could be freed, and gets one.
TEST_F(RobotBase, IsAddedAboveAJointThatMoves) {
  const std::string text =
      "<mujoco><worldbody><body name=\"arm\" pos=\"0 0 1\"><joint name=\"turn\" axis=\"0 0 1\"/>"
      "<geom type=\"capsule\" fromto=\"0 0 0 0.4 0 0\" size=\"0.02\"/><body name=\"hand\" pos=\"0.4 0 0\">"
      "<joint name=\"slide\" type=\"slide\" axis=\"1 0 0\" range=\"0 1\"/><geom size=\"0.03\"/>"
      "</body></body></worldbody></mujoco>";
  const Document fixed = open(text).document, free = open(text, BaseChoice::Free).document;
  const Figure& figure = *free.figure;
  ASSERT_EQ(figure.linkCount(), fixed.figure->linkCount() + 1);
  EXPECT_EQ(figure.link(0).name, "base");
  EXPECT_TRUE(figure.joint(0).freed);
  EXPECT_EQ(figure.meanLinkLength(), fixed.figure->meanLinkLength());
  Kinematics one, other;
  computeTransforms(*fixed.figure, fixed.pose, one);
  computeTransforms(figure, free.pose, other);
  for (std::size_t i = 0; i < one.worldFromLink.size(); ++i)
    EXPECT_LT((one.worldFromLink[i].translation - other.worldFromLink[i + 1].translation).norm(), 1e-12);
}

TEST_F(RobotBase, OfAProblemIsWhatItSays) {
  open(quadrupedText());
  const auto problem = [&](const std::string& base) {
    return parseProblem(
        R"({"figure": "robot.urdf", "goals": [{"link": "front_left_toe", "target": [0.3, 0.2, -0.3]}])" + base + "}",
        "p.json", folder_);
  };
  const auto free = problem(""), fixed = problem(R"(, "base": "fixed")");
  ASSERT_TRUE(free && fixed);
  EXPECT_TRUE(hasFreedBase(*free->document.figure));
  EXPECT_FALSE(hasFreedBase(*fixed->document.figure));
  EXPECT_EQ(fixed->document.goals[0].target, Eigen::Vector3d(0.3, -0.3, -0.2));
  const Eigen::Vector3d lift = free->document.figure->fileFrame().origin;
  EXPECT_GT(lift.y(), 0.3);
  EXPECT_EQ(free->document.goals[0].target, Eigen::Vector3d(0.3, -0.3, -0.2) + lift) << "a target goes with the robot";
  const auto wrong = problem(R"(, "base": "flying")");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message().find("base: must be \"free\" or \"fixed\""), std::string::npos)
      << wrong.error().message();
  const auto chain = parseProblem(R"({"figure": "planar:2", "goals": [], "base": "free"})", "p.json", folder_);
  ASSERT_FALSE(chain);
  EXPECT_NE(chain.error().message().find("only a robot"), std::string::npos) << chain.error().message();
}

TEST_F(RobotBase, IsRefusedOfWhatIsNoRobot) {
  for (const char* name : {"planar:3", "humanoid"}) {
    const auto opened = openAny(name, {.base = BaseChoice::Free});
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message().find("only a robot"), std::string::npos);
  }
  file_ = write("model.xml", quadrupedModel(true));
  EXPECT_FALSE(openAny(file_.string(), {.base = BaseChoice::Free})) << "it has a free joint of its own";
}

TEST_F(RobotBase, IsNamedInPosesForOthersOnlyWhereItHasMoved) {
  Document document = open(quadrupedText()).document;
  const auto json = formatJointStatesJson(document);
  const auto csv = formatJointStatesCsv(document);
  ASSERT_TRUE(json && csv);
  EXPECT_EQ(json->find("\"body\""), std::string::npos) << *json;
  EXPECT_EQ(csv->find("body"), std::string::npos) << *csv;
  document.pose.coordinates[document.figure->joint(0).poseIndex + 2] = -0.05;
  const auto moved = formatJointStatesJson(document);
  const auto columns = formatJointStatesCsv(document);
  ASSERT_TRUE(moved && columns);
  EXPECT_NE(columns->find("body.tx,body.ty,body.tz,body.x,body.y,body.z,body.w"), std::string::npos) << *columns;
  const auto back = test::valueOf(parsePose(*moved, "p.json", *document.figure, restPose(*document.figure)));
  EXPECT_TRUE(back == document.pose);
}

// A frame whose base is in its place of the file must not inherit the place of the frame before.
TEST_F(RobotBase, IsNamedInEveryFrameOfAMotionOrInNone) {
  Document document = open(quadrupedText()).document;
  auto motion = std::make_shared<Motion>();
  motion->frameTime = 0.1;
  for (const double down : {0.0, -0.05, 0.0}) {
    Pose pose = restPose(*document.figure);
    pose.coordinates[document.figure->joint(0).poseIndex + 2] = down;
    motion->append(pose);
  }
  document.motion = motion;
  showFrame(document, 0);
  const auto json = formatJointStatesJson(document);
  ASSERT_TRUE(json);
  const auto back = test::valueOf(readMotionFor(document, write("states.json", *json)));
  EXPECT_EQ(back->poses, motion->poses);
}

TEST_F(RobotBase, GoesWithItsScene) {
  Document document = open(quadrupedText()).document;
  document.pose.coordinates[document.figure->joint(0).poseIndex] = 0.1;
  const auto scene = folder_ / "robot.limber";
  ASSERT_FALSE(writeScene(scene, document));
  const auto again = test::valueOf(openAny(scene.string()));
  EXPECT_EQ(formatFigure(*again.document.figure), formatFigure(*document.figure));
  EXPECT_TRUE(again.document.pose == document.pose);
  EXPECT_TRUE(again.document.skin) << "the file has its base fixed, and its surfaces are worn all the same";
  EXPECT_TRUE(again.notes.empty()) << again.notes.front();
  const auto fixed = test::valueOf(openAny(scene.string(), {.base = BaseChoice::Fixed}));
  EXPECT_FALSE(hasFreedBase(*fixed.document.figure));
  EXPECT_EQ(fixed.document.figure->fileFrame().origin, document.figure->fileFrame().origin)
      << "it stays upon the ground";
}

TEST_F(RobotBase, OfASceneThatWasSavedFixedStaysFixed) {
  const Document document = open(quadrupedText(), BaseChoice::Fixed).document;
  const auto scene = folder_ / "robot.limber";
  ASSERT_FALSE(writeScene(scene, document));
  const auto again = test::valueOf(openAny(scene.string()));
  EXPECT_FALSE(hasFreedBase(*again.document.figure));
  EXPECT_TRUE(again.document.pose == document.pose);
  EXPECT_TRUE(again.document.skin);
  const auto freed = test::valueOf(openAny(scene.string(), {.base = BaseChoice::Free}));
  EXPECT_TRUE(hasFreedBase(*freed.document.figure));
  EXPECT_EQ(freed.document.figure->fileFrame().origin, Eigen::Vector3d::Zero()) << "it stays where it was";
}

TEST_F(RobotBase, OfTheSampleDataIsFreeForThoseOnLegs) {
  const std::filesystem::path data = LIMBER_SHARED_DATA_DIR;
  if (!std::filesystem::exists(data / "urdf")) GTEST_SKIP() << "no sample data in " << data;
  for (const auto& [file, legs] : {std::pair{"urdf/pupper/pupper_v2a.urdf", 4},
                                   {"urdf/g1/g1_29dof_rev_1_0.urdf", 2},
                                   {"urdf/panda/panda.urdf", 0},
                                   {"urdf/allegro_hand/allegro_hand_right.urdf", 0},
                                   {"mjcf/humanoid.xml", 0}}) {
    SCOPED_TRACE(file);
    const auto opened = test::valueOf(openAny((data / file).string()));
    EXPECT_EQ(hasFreedBase(*opened.document.figure), legs > 0);
    if (legs == 0) continue;
    EXPECT_EQ(legsOf(*opened.document.figure).size(), static_cast<std::size_t>(legs));
    EXPECT_NEAR(lowestOf(opened.document), 0.0, 1e-6);
    const auto fixed = openAny((data / file).string(), {.base = BaseChoice::Fixed});
    ASSERT_TRUE(fixed);
    expectSamePlacesInFile(opened.document, fixed->document);
  }
}

}  // namespace
}  // namespace limber::io::robot_base_test

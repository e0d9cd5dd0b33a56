// SPDX-License-Identifier: MIT
// The pose library: poses of Limber, and poses that the user saves, renames and deletes.
#include "app/features/poses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numbers>

#include "headless_gui.h"
#include "limber/body/blend_pose.h"
#include "limber/body/mirror.h"
#include "limber/io/base/resources.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/joint_turn.h"
#include "support/temporary_folder.h"

namespace limber::app::poses_test {
namespace {

namespace fs = std::filesystem;

/// The poses that come with Limber in one folder.
std::vector<fs::path> shipped(const std::string& figure) { return io::listResources("poses/" + figure, ".json"); }

struct Shipped {
  const char* figure;
  std::size_t count;
};

TEST(ShippedPoses, AreAllOfTheFigureAndWithinItsLimits) {
  for (const auto& [figure, count] : {Shipped{"humanoid", 12}, Shipped{"hand", 8}}) {
    const auto path = io::findResource(std::string("figures/") + figure + ".json");
    ASSERT_TRUE(path);
    const auto opened = io::openAny(path->string());
    ASSERT_TRUE(opened) << opened.error().message();
    const Document& document = opened->document;
    EXPECT_GE(shipped(figure).size(), count);
    std::vector<std::string> names;
    for (const fs::path& file : shipped(figure)) {
      const auto pose = io::readNamedPose(file);
      ASSERT_TRUE(pose) << pose.error().message();
      EXPECT_EQ(pose->figure, document.figure->name());
      names.push_back(pose->name);
      const io::FittedPose fitted = io::fitPose(*pose, *document.figure, document.pose);
      EXPECT_TRUE(fitted.unknown.empty()) << file << ": " << fitted.unknown.front();
      EXPECT_EQ(fitted.without, 0) << file;
      EXPECT_TRUE(isValid(*document.figure, fitted.pose)) << file;
      Pose inside = fitted.pose;
      clampToLimits(document, inside);
      EXPECT_EQ(inside.coordinates, fitted.pose.coordinates) << file;
    }
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
  }
}

constexpr double kDepth = 0.025;  // metres, of capsules in the ground: soles and knees give

TEST(ShippedPoses, StandOnTheGroundAndNotInIt) {
  const auto opened = io::openAny("humanoid");
  ASSERT_TRUE(opened);
  const Figure& figure = *opened->document.figure;
  for (const fs::path& file : shipped("humanoid")) {
    const auto pose = io::readNamedPose(file);
    ASSERT_TRUE(pose);
    const Kinematics kinematics = transformsOf(figure, io::fitPose(*pose, figure, restPose(figure)).pose);
    double lowest = 1.0;
    std::string link;
    for (int i = 0; i < figure.linkCount(); ++i)
      for (const Capsule& capsule : figure.link(i).capsules)
        for (const Eigen::Vector3d& end : {capsule.start, capsule.end}) {
          const double y = (kinematics.worldFromLink[static_cast<std::size_t>(i)] * end).y() - capsule.radius;
          if (y < lowest) link = figure.link(i).name;
          lowest = std::min(lowest, y);
        }
    EXPECT_GT(lowest, -kDepth) << pose->name << ": " << link;
    if (pose->name != "Jump") {
      EXPECT_LT(lowest, kDepth) << pose->name << ": " << link;
    }
  }
}

class PosesPanel : public test::TemporaryFolder, protected HeadlessWindow {
 protected:
  PosesPanel() : HeadlessWindow(io::openAny("humanoid")->document) {}

  void SetUp() override {
    TemporaryFolder::SetUp();
    setenv("XDG_DATA_HOME", folder_.c_str(), 1);
    open();
  }
  void TearDown() override {
    unsetenv("XDG_DATA_HOME");
    TemporaryFolder::TearDown();
  }

  void open() {
    session_.ui.reveal = Panel::Poses;
    frames(3);
  }
  const Poses::Entry* find(const std::string& name) const {
    const auto& all = session_.services.poses.entries();
    const auto found = std::ranges::find_if(all, [&](const Poses::Entry& entry) { return entry.pose.name == name; });
    return found == all.end() ? nullptr : &*found;
  }
  void wish(PoseWish wanted) {
    queue_.add(Command::UseLibrary, std::move(wanted));
    frames(2);
  }
  void apply(const std::string& name, const std::string& gesture = {}) {
    ASSERT_TRUE(find(name)) << name;
    wish({.kind = PoseWish::Kind::Apply, .file = find(name)->file, .gesture = gesture});
  }
  void blend(double amount) { wish({.kind = PoseWish::Kind::Blend, .amount = amount, .gesture = "widget blend"}); }
  void keep(const std::string& name) { wish({.kind = PoseWish::Kind::Save, .name = name}); }
  Pose poseOf(const std::string& name) const {
    return io::fitPose(find(name)->pose, *session_.document().figure, restPose(*session_.document().figure)).pose;
  }
  const Pose& pose() const { return session_.document().pose; }
};

TEST_F(PosesPanel, OffersThePosesOfTheFigure) {
  EXPECT_GE(session_.services.poses.entries().size(), 12u);
  EXPECT_TRUE(find("Wave"));
  EXPECT_TRUE(find("T pose"));
  ASSERT_TRUE(find("Fist"));
  EXPECT_EQ(find("Fist")->way, PoseFitter::Way::HandByParts) << "its fingers are one block, which closes";
  const auto& all = session_.services.poses.entries();
  EXPECT_TRUE(std::ranges::is_partitioned(all, [](const Poses::Entry& entry) {
    return entry.way != PoseFitter::Way::HandByParts;
  })) << "poses of hands come last";
}

TEST_F(PosesPanel, ReadsNothingWhileItIsClosed) {
  Session closed(io::openAny("humanoid")->document, {}, {});
  closed.services.poses.update(closed.document(), closed.ui.poses.isOpen);
  EXPECT_TRUE(closed.services.poses.entries().empty());
}

TEST_F(PosesPanel, AClickAppliesThePoseInOneStep) {
  const Pose before = pose();
  apply("Wave");
  EXPECT_EQ(pose(), poseOf("Wave"));
  EXPECT_EQ(session_.editor.history().undoLabel(), "pose Wave");
  EXPECT_EQ(session_.services.poses.amount(session_.document()), 1.0);
  perform(session_, Command::Undo);
  EXPECT_EQ(pose(), before);
}

TEST_F(PosesPanel, AppliesToTheSelectionAndWhatHangsFromIt) {
  const Figure& figure = *session_.document().figure;
  const Pose before = pose();
  const int clavicle = figure.findLink("right_clavicle_protraction");
  session_.editor.touch().selection = {clavicle, -1};
  session_.ui.poses.onlySelection = true;
  apply("Wave");
  EXPECT_EQ(pose(), takeFrom(figure, before, poseOf("Wave"), {clavicle}));
  EXPECT_FALSE(pose() == before);
  EXPECT_FALSE(pose() == poseOf("Wave"));
}

TEST_F(PosesPanel, TheSliderBlendsFromThePoseBeforeInOneStep) {
  const Pose before = pose();
  apply("Sit");
  for (const double amount : {0.8, 0.5, 0.25}) blend(amount);
  EXPECT_DOUBLE_EQ(session_.services.poses.amount(session_.document()), 0.25);
  Pose expected = blendPoses(session_.document(), before, poseOf("Sit"), 0.25);
  clampToLimits(session_.document(), expected);
  EXPECT_LT((pose().coordinates - expected.coordinates).cwiseAbs().maxCoeff(), 1e-15);
  blend(0.0);
  EXPECT_LT((pose().coordinates - before.coordinates).cwiseAbs().maxCoeff(), 1e-15);
  perform(session_, Command::Undo);
  EXPECT_EQ(pose(), poseOf("Sit")) << "the slider's drag was one step";
}

TEST_F(PosesPanel, AfterAnotherEditTheSliderBeginsAnew) {
  apply("Sit");
  session_.editor.edit("turn", "", [](Document& d) { turnJoint(d, d.figure->findJoint("neck_rotation"), 0, 0.2); });
  frames(1);
  EXPECT_EQ(session_.services.poses.amount(session_.document()), 0.0);
  const Pose turned = pose();
  blend(0.5);
  Pose expected = blendPoses(session_.document(), turned, poseOf("Sit"), 0.5);
  clampToLimits(session_.document(), expected);
  EXPECT_LT((pose().coordinates - expected.coordinates).cwiseAbs().maxCoeff(), 1e-15);
}

TEST_F(PosesPanel, SteppingIsOneStepOfTheHistory) {
  const Pose before = pose();
  for (const char* name : {"Bow", "Cheer", "Crouch"}) apply(name, "step through poses");
  EXPECT_EQ(pose(), poseOf("Crouch"));
  perform(session_, Command::Undo);
  EXPECT_EQ(pose(), before);
}

TEST_F(PosesPanel, KeepsThePresentPoseUnderAName) {
  apply("Wave");
  const Pose kept = pose();
  keep("  My wave! ");
  ASSERT_TRUE(find("My wave!")) << session_.ui.message.text;
  EXPECT_EQ(find("My wave!")->file, folder_ / "limber/poses/humanoid/my_wave_.json");
  EXPECT_TRUE(find("My wave!")->isOwn);
  apply("T pose");
  apply("My wave!");
  EXPECT_EQ(pose(), kept);
}

TEST_F(PosesPanel, RenamesAndDeletesTheUsersOwnAlone) {
  keep("first");
  keep("second");
  wish({.kind = PoseWish::Kind::Rename, .file = find("first")->file, .name = "second"});
  EXPECT_TRUE(session_.ui.message.isError) << "taken";
  wish({.kind = PoseWish::Kind::Rename, .file = find("first")->file, .name = "Third"});
  EXPECT_FALSE(find("first"));
  ASSERT_TRUE(find("Third"));
  EXPECT_EQ(find("Third")->file.filename(), "third.json");
  EXPECT_FALSE(fs::exists(folder_ / "limber/poses/humanoid/first.json"));
  wish({.kind = PoseWish::Kind::Remove, .file = find("Third")->file});
  EXPECT_FALSE(find("Third"));
  const fs::path wave = find("Wave")->file;
  wish({.kind = PoseWish::Kind::Remove, .file = wave});
  EXPECT_TRUE(fs::exists(wave)) << "comes with Limber";
}

TEST_F(PosesPanel, ListsABrokenFileWithItsFaultAndTheOthers) {
  write("limber/poses/humanoid/broken.json", "{\"format\": \"limber pose\", ");
  wish({.kind = PoseWish::Kind::LookAgain});
  ASSERT_TRUE(find("broken"));
  EXPECT_NE(find("broken")->fault.find("broken.json"), std::string::npos);
  EXPECT_TRUE(find("Wave"));
  const Pose before = pose();
  apply("broken");
  EXPECT_TRUE(session_.ui.message.isError);
  EXPECT_EQ(pose(), before);
}

TEST_F(PosesPanel, SaysWhichJointsAFigureDoesNotHave) {
  write("limber/poses/other/alien.json",
        R"({"format": "limber pose", "version": 1, "name": "Alien", "pose": {"neck_flexion": 0.2, "tail": 1}})");
  wish({.kind = PoseWish::Kind::LookAgain});
  apply("Alien");
  EXPECT_NE(session_.ui.message.text.find("tail"), std::string::npos) << session_.ui.message.text;
}

TEST_F(PosesPanel, TakesThePosesOfOneHumanoidToAnother) {
  const auto path = io::findResource("figures/body.json");
  ASSERT_TRUE(path);
  session_.editor.open(io::openAny(path->string())->document, {}, "open");
  frames(3);
  ASSERT_TRUE(find("Wave"));
  apply("Wave");
  EXPECT_EQ(pose(), poseOf("Wave"));
}

/// The direction of the bone from one link to another in the world.
Eigen::Vector3d boneOf(const Figure& figure, const Pose& pose, const std::string& from, const std::string& to) {
  const Kinematics kinematics = transformsOf(figure, pose);
  const auto placeOf = [&](const std::string& link) -> Eigen::Vector3d {
    return kinematics.worldFromLink[static_cast<std::size_t>(figure.findLink(link))].translation;
  };
  return (placeOf(to) - placeOf(from)).normalized();
}

double degreesBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return 180.0 / std::numbers::pi * std::atan2(a.cross(b).norm(), a.dot(b));
}

constexpr double kSameBone = 5.0;  // degrees: larger errors are reported as held back by limits

TEST_F(PosesPanel, TakesThePosesOfTheHumanoidToABodyOfOtherJointsByItsParts) {
  const auto humanoid = session_.document().figure;
  std::map<std::string, Pose> poses;
  for (const char* name : {"Wave", "Sit", "Run"}) poses[name] = poseOf(name);
  session_.editor.open(io::openAny("human")->document, {}, "open");
  frames(3);
  const Figure& human = *session_.document().figure;
  for (const auto& [name, wanted] : poses) {
    ASSERT_TRUE(find(name));
    EXPECT_EQ(find(name)->way, PoseFitter::Way::ByParts);
    apply(name);
    EXPECT_FALSE(session_.ui.message.isError) << session_.ui.message.text;
    EXPECT_LT(degreesBetween(boneOf(human, pose(), "right forearm", "right hand"),
                             boneOf(*humanoid, wanted, "right_forearm", "right_hand")),
              kSameBone)
        << name;
    EXPECT_LT(degreesBetween(boneOf(human, pose(), "left shank", "left foot"),
                             boneOf(*humanoid, wanted, "left_shank", "left_foot")),
              kSameBone)
        << name;
    Pose inside = pose();
    clampToLimits(session_.document(), inside);
    EXPECT_LT((inside.coordinates - pose().coordinates).cwiseAbs().maxCoeff(), 1e-12);
  }
}

/// Legs, neck and pelvis of these figures have the humanoid's joints by name, the spine has others.
TEST_F(PosesPanel, BowBendsTheSpineOfFiguresWithOtherVertebrae) {
  for (const auto& [file, top] :
       {std::pair("figures/spine_human.json", "T1"), std::pair("figures/torso_human.json", "upper_thorax")}) {
    session_.editor.open(io::openAny(io::findResource(file)->string())->document, {}, "open");
    frames(3);
    ASSERT_TRUE(find("Bow"));
    EXPECT_EQ(find("Bow")->way, PoseFitter::Way::ByParts) << file;
    apply("Bow");
    const Figure& figure = *session_.document().figure;
    const Kinematics kinematics = transformsOf(figure, pose());
    const auto rotationOf = [&](const char* link) {
      return kinematics.worldFromLink[static_cast<std::size_t>(figure.findLink(link))].rotation;
    };
    const Eigen::Matrix3d bend = rotationOf("pelvis").transpose() * rotationOf(top);
    EXPECT_GT(degreesBetween(bend.col(1), Eigen::Vector3d::UnitY()), 25.0) << file;
    EXPECT_GT(degreesBetween(rotationOf("pelvis").col(1), Eigen::Vector3d::UnitY()), 20.0) << file;
    EXPECT_GT(degreesBetween(rotationOf("left_thigh").col(1), rotationOf("pelvis").col(1)), 20.0) << file;
  }
}

TEST_F(PosesPanel, AHandsPoseGoesOntoTheSelectedHandElseOntoBoth) {
  session_.editor.open(io::openAny("human")->document, {}, "open");
  frames(3);
  const Figure& human = *session_.document().figure;
  const Pose before = pose();
  const int left = human.findLink("left hand");
  ASSERT_GE(left, 0);
  session_.editor.touch().selection = {left, -1};
  apply("Fist");
  const auto hasMoved = [&](const std::string& side) {
    for (const std::string& joint : jointsThatDiffer(human, before, pose()))
      if (joint.find(side) != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(hasMoved("left"));
  EXPECT_FALSE(hasMoved("right"));
  perform(session_, Command::Undo);
  session_.editor.touch().selection = {};
  apply("Fist");
  EXPECT_TRUE(hasMoved("left"));
  EXPECT_TRUE(hasMoved("right"));
}

TEST_F(PosesPanel, KeepsThePartsOfABodyForFiguresOfOtherJoints) {
  session_.editor.open(io::openAny("human")->document, {}, "open");
  frames(3);
  apply("Sit");
  const Eigen::Vector3d shank = boneOf(*session_.document().figure, pose(), "left shank", "left foot");
  keep("My seat");
  session_.editor.open(io::openAny("humanoid")->document, {}, "open");
  frames(3);
  ASSERT_TRUE(find("My seat"));
  apply("My seat");
  EXPECT_LT(degreesBetween(boneOf(*session_.document().figure, pose(), "left_shank", "left_foot"), shank), kSameBone);
}

TEST_F(PosesPanel, LeavesLiveSymmetryInForce) {
  perform(session_, Command::ToggleSymmetry);
  apply("Wave");
  const Figure& figure = *session_.document().figure;
  const auto angle = [&](const char* joint) {
    return pose().coordinates[figure.joint(figure.findJoint(joint)).poseIndex];
  };
  EXPECT_NEAR(angle("left_elbow_flexion"), angle("right_elbow_flexion"), 1e-9);
  EXPECT_GT(angle("left_elbow_flexion"), 1.0) << "both hands wave";
}

}  // namespace
}  // namespace limber::app::poses_test

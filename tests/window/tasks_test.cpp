// SPDX-License-Identifier: MIT
// The tasks of docs/guide.md ("Fifteen things to try"), done to the real program by real keys and clicks, each with no
// more presses of the mouse than the guide says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>

#include "app/features/hand_closing.h"
#include "app/features/library_pose.h"
#include "app/session/session.h"
#include "app/view/picking.h"
#include "limber/body/footholds.h"
#include "limber/io/base/resources.h"
#include "limber/io/open.h"
#include "locations.h"
#include "window/window_fixture.h"

namespace limber::tasks_test {
namespace {

// The picture in the window of the display's size, as the settings come; where things of the panels stand in it.
constexpr app::Rectangle kPicture{240, 24, 718, 749};
constexpr double kStrip = 165;  // height of the timeline, which opens with a motion
struct Place {
  int x, y;
};
constexpr Place kFirstPose{1010, 225};
constexpr Place kAddGoal{1000, 608}, kAimInList{1030, 611};
constexpr Place kHandClosed{1112, 552};
constexpr Place kBake{988, 629};
constexpr int kRulerHeight = 683;  // of the strip

class Task : public test::WindowFixture {
 protected:
  /// Opens a copy of a named figure or file, as a scene that Ctrl+S writes back to.
  void open(const std::string& nameOrFile) {
    const auto opened = io::openAny(nameOrFile);
    ASSERT_TRUE(opened) << opened.error().message();
    open(opened->document);
  }
  void open(Document document) {
    document.solver.posing = PosingChoice::Natural;  // as the window sets it after opening
    ASSERT_NO_FATAL_FAILURE(openScene(document, "task.limber"));
    document_ = *io::readScene(scene_);
    session_ = std::make_unique<app::Session>(document_, app::Settings(), app::Solving::Print());
    session_->picture.area = kPicture;
    if (hasFrames(document_)) session_->picture.area.height -= kStrip;
    app::refreshScene(*session_);
  }

  /// The document of the window, read through Ctrl+S.
  const Document& now() { return document_ = saved(); }

  /// The position in the window of a link, or a point of it, in the view with which files open.
  Place at(const std::string& link, const Eigen::Vector3d& point = Eigen::Vector3d::Zero()) const {
    const Kinematics kinematics = transformsOf(*document_.figure, document_.pose);
    const int index = document_.figure->findLink(link);
    EXPECT_GE(index, 0) << link;
    return atPoint(kinematics.worldFromLink[static_cast<std::size_t>(std::max(index, 0))] * point);
  }
  Place atPoint(const Eigen::Vector3d& inWorld) const {
    const auto pixel = render::projectToPixel(session_->picture.view(), inWorld);
    EXPECT_TRUE(pixel);
    if (!pixel) return {0, 0};
    return {static_cast<int>(std::lround(kPicture.x + pixel->x())),
            static_cast<int>(std::lround(kPicture.y + pixel->y()))};
  }

  void click(Place place, bool withShift = false) {
    display_->moveTo(place.x, place.y);
    display_->press(withShift ? "keydown shift " : "");
    display_->release(withShift ? " keyup shift" : "");
    ++presses_;
  }
  void drag(Place from, int x, int y) {
    display_->drag(from.x, from.y, from.x + x, from.y + y);
    ++presses_;
  }
  void key(const std::string& name, int times = 1) {
    for (int i = 0; i < times; ++i) display_->key(name);
  }

  Eigen::Vector3d placeOf(const Document& document, const std::string& link) const {
    const Kinematics kinematics = transformsOf(*document.figure, document.pose);
    return kinematics.worldFromLink[static_cast<std::size_t>(document.figure->findLink(link))].translation;
  }
  Document document_;
  std::unique_ptr<app::Session> session_;  ///< as the file opened: its view and positions
  int presses_ = 0;                        ///< of the mouse
};

double distanceBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b) { return (a - b).norm(); }

double elbowOf(const Document& document, const std::string& side) {
  const Figure& figure = *document.figure;
  return document.pose.coordinates[figure.joint(figure.findJoint(side + " elbow")).poseIndex];
}

double closedOf(const Document& document, const std::string& hand) {
  app::PoseFitter fitter(document);
  app::HandClosing closing;
  closing.update(document, fitter);
  return closing.amount(document, closing.fingersOf(*document.figure, {document.figure->findLink(hand)}));
}

const Eigen::Vector3d kPalm(0.0, -0.06, 0.0);  // of a hand, below its wrist

TEST_F(Task, RaiseAHand) {
  ASSERT_NO_FATAL_FAILURE(open("human"));
  const Document before = document_;
  drag(at("right hand", kPalm), -60, -160);
  EXPECT_GT(placeOf(now(), "right hand").y(), placeOf(before, "right hand").y() + 0.2);
  for (const char* still : {"left hand", "left foot", "right foot"})
    EXPECT_LT(distanceBetween(placeOf(document_, still), placeOf(before, still)), 5e-3) << still;
  EXPECT_LE(presses_, 1);
}

TEST_F(Task, PoseARunner) {
  ASSERT_NO_FATAL_FAILURE(open("human"));
  click(kFirstPose);
  key("Right", 11);
  app::PoseFitter fitter(document_);
  const auto run = io::readNamedPose(*io::findResource("poses/humanoid/run.json"));
  ASSERT_TRUE(run);
  const Pose wanted = fitter.fit(document_, *run, document_.pose).pose;
  EXPECT_LT((now().pose.coordinates - wanted.coordinates).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LE(presses_, 1);
}

TEST_F(Task, BothFeetPinnedHipsDown) {
  ASSERT_NO_FATAL_FAILURE(open("human"));
  const Document before = document_;
  click(at("left foot"));
  click(at("right foot"), true);
  key("p");
  drag(at("pelvis"), 0, 90);
  EXPECT_EQ(now().pins.size(), 2u);
  EXPECT_LT(placeOf(document_, "pelvis").y(), placeOf(before, "pelvis").y() - 0.04) << "as far as the ankles bend";
  for (const char* foot : {"left foot", "right foot"})
    EXPECT_LT(distanceBetween(placeOf(document_, foot), placeOf(before, foot)), 2e-3) << foot;
  EXPECT_LE(presses_, 3);
}

TEST_F(Task, LookAtABall) {
  ASSERT_NO_FATAL_FAILURE(open("human"));
  const Place head = at("head", {0.0, 0.1, 0.05});
  click(kAddGoal);
  click(kAimInList);
  click(head);
  ASSERT_EQ(now().goals.size(), 1u);
  ASSERT_EQ(document_.goals[0].type, GoalType::Aim);
  const Eigen::Vector3d ball = document_.goals[0].target;
  drag(atPoint(ball), -120, 60);
  const GoalItem& goal = now().goals[0];
  EXPECT_GT(distanceBetween(goal.target, ball), 0.05);
  const Kinematics kinematics = transformsOf(*document_.figure, document_.pose);
  const Transform& link = kinematics.worldFromLink[static_cast<std::size_t>(goal.link)];
  const Eigen::Vector3d sight = link.rotation * goal.frameInLink.col(0);
  EXPECT_GT(sight.dot((goal.target - link * goal.pointInLink).normalized()), std::cos(0.02)) << "it looks at the ball";
  EXPECT_LE(presses_, 4);
}

TEST_F(Task, ThreeKeysToABvh) {
  ASSERT_NO_FATAL_FAILURE(open("human"));
  key("k");
  key("Right", 5);
  drag(at("right hand", kPalm), -60, -160);
  key("k");
  key("Right", 5);
  now();
  drag(at("left hand", kPalm), 60, -160);
  key("k");
  now();
  ASSERT_TRUE(document_.timeline);
  EXPECT_EQ(document_.timeline->keys.size(), 3u);
  click(kBake);
  key("ctrl+e");
  const auto file = display_->folder() / "three.bvh";
  display_->type(file.string());
  key("Return");
  EXPECT_TRUE(test::waitFor([&] { return std::filesystem::exists(file); }));
  const auto motion = io::openAny(file.string());
  ASSERT_TRUE(motion) << motion.error().message();
  ASSERT_TRUE(motion->document.motion);
  EXPECT_GT(motion->document.motion->frameCount, 10);
  EXPECT_LE(presses_, 3);
}

TEST_F(Task, APoseOfTheLibraryOnAnAvatar) {
  const std::filesystem::path avatar = std::filesystem::path(LIMBER_SHARED_DATA_DIR) / "vrm/cryptovoxels.vrm";
  if (!std::filesystem::exists(avatar)) GTEST_SKIP() << "no sample data: " << avatar;
  ASSERT_NO_FATAL_FAILURE(open(avatar.string()));
  const Document before = document_;
  click(kFirstPose);  // the A pose
  EXPECT_LT(placeOf(now(), "Left wrist").y(), placeOf(before, "Left wrist").y() - 0.1);
  EXPECT_LE(presses_, 1);
}

TEST_F(Task, AFistAndThenTheOtherHandAlike) {
  ASSERT_NO_FATAL_FAILURE(open("human"));
  click(at("left hand", kPalm));
  drag(kHandClosed, 150, 0);
  EXPECT_GT(closedOf(now(), "left hand"), 0.9);
  const Document fist = document_;
  EXPECT_LT(closedOf(fist, "right hand"), 0.4);
  key("m");
  EXPECT_GT(closedOf(now(), "right hand"), 0.9);
  for (const char* still : {"right forearm", "head", "left foot"})
    EXPECT_LT(distanceBetween(placeOf(document_, still), placeOf(fist, still)), 1e-9) << still;
  EXPECT_LE(presses_, 2);
}

TEST_F(Task, APlanarChainInTwoDimensions) {
  ASSERT_NO_FATAL_FAILURE(open("planar:4"));
  const Eigen::Vector3d before = document_.goals.at(0).target;
  drag(atPoint(before), -150, -120);
  const Document& after = now();
  EXPECT_GT(distanceBetween(after.goals[0].target, before), 0.5);
  EXPECT_EQ(after.goals[0].target.z(), 0.0);
  const Kinematics kinematics = transformsOf(*after.figure, after.pose);
  EXPECT_LT(distanceBetween(kinematics.worldFromLink.back() * Eigen::Vector3d::UnitX(), after.goals[0].target), 0.04);
  EXPECT_LE(presses_, 1);
}

TEST_F(Task, MoveAHandByTenCentimetresExactly) {
  ASSERT_NO_FATAL_FAILURE(open("human"));
  const Place hand = at("right hand");
  const auto hit =
      app::pick(session_->picture.drawList, session_->picture.view(), hand.x - kPicture.x, hand.y - kPicture.y);
  ASSERT_TRUE(hit);
  ASSERT_GE(hit->link, 0);
  const auto link = static_cast<std::size_t>(hit->link);
  const Eigen::Vector3d inLink = session_->picture.kinematics.worldFromLink[link].inverse() * hit->point;
  display_->moveTo(hand.x, hand.y);
  display_->press();
  ++presses_;
  for (int i = 1; i <= 5; ++i) display_->moveTo(hand.x - 4 * i, hand.y);
  key("y");
  display_->type("0.1");
  key("Return");
  display_->release();
  const Kinematics after = transformsOf(*now().figure, document_.pose);
  const Eigen::Vector3d way = after.worldFromLink[link] * inLink - hit->point;
  EXPECT_LT(distanceBetween(way, {0.0, 0.1, 0.0}), 4e-3)  // where it was taken is known to a pixel, 3 mm, and it turns
      << way.transpose();
  EXPECT_LE(presses_, 1);
}

TEST_F(Task, BendAnElbowByThirtyDegrees) {
  ASSERT_NO_FATAL_FAILURE(open("human"));
  const double before = elbowOf(document_, "left");
  key("space");
  click(at("left forearm", {0.0, -0.12, 0.0}));
  key("period", 6);
  EXPECT_NEAR(std::abs(elbowOf(now(), "left") - before), std::numbers::pi / 6.0, 1e-9);
  EXPECT_LE(presses_, 1);
}

TEST_F(Task, ALockedElbowKeepsItsAngle) {
  ASSERT_NO_FATAL_FAILURE(open("human"));
  const double before = elbowOf(document_, "right");
  const Eigen::Vector3d hand = placeOf(document_, "right hand");
  click(at("right forearm", {0.0, -0.12, 0.0}));
  key("l");
  drag(at("right hand", kPalm), -80, -120);
  EXPECT_EQ(elbowOf(now(), "right"), before);
  EXPECT_GT(distanceBetween(placeOf(document_, "right hand"), hand), 0.1);
  EXPECT_LE(presses_, 2);
}

TEST_F(Task, BothSidesChangePlaces) {
  ASSERT_NO_FATAL_FAILURE(open("human"));
  drag(at("right hand", kPalm), -60, -160);
  const Document raised = now();
  key("shift+m");
  EXPECT_NEAR(placeOf(now(), "left hand").y(), placeOf(raised, "right hand").y(), 1e-3);
  EXPECT_NEAR(placeOf(document_, "right hand").y(), placeOf(raised, "left hand").y(), 1e-3);
  EXPECT_LE(presses_, 1);
}

TEST_F(Task, ARobotOnLegsBowsOverItsFeet) {
  ASSERT_NO_FATAL_FAILURE(open(LIMBER_SOURCE_DIR "/resources/figures/pupper.json"));
  const Document before = document_;
  drag(at("torso"), 0, 40);
  EXPECT_LT(placeOf(now(), "torso").y(), placeOf(before, "torso").y() - 0.01);
  Kinematics stood, stands;
  computeTransforms(*before.figure, before.pose, stood);
  computeTransforms(*document_.figure, document_.pose, stands);
  const auto feet = findFootholds(before, stood, {});
  EXPECT_EQ(feet.size(), 4u);
  for (const Foothold& foot : feet) {
    const auto link = static_cast<std::size_t>(foot.link);
    EXPECT_LT(distanceBetween(stands.worldFromLink[link] * foot.point, stood.worldFromLink[link] * foot.point), 2e-3);
  }
  EXPECT_LE(presses_, 1);
}

/// The human, turning its head.
Document humanInMotion() {
  Document document = io::openAny("human")->document;
  auto motion = std::make_shared<Motion>();
  motion->name = "turn";
  motion->frameCount = 60;
  for (int frame = 0; frame < motion->frameCount; ++frame) {
    Pose pose = restPose(*document.figure);
    setJointRotation(*document.figure, document.figure->findJoint("head"), exponential({0.0, 0.01 * frame, 0.0}), pose);
    motion->poses.insert(motion->poses.end(), pose.coordinates.begin(), pose.coordinates.end());
  }
  document.motion = motion;
  showFrame(document, 0);
  return document;
}

TEST_F(Task, AHandRaisedOverAFrameOfAMotionStays) {
  ASSERT_NO_FATAL_FAILURE(open(humanInMotion()));
  key("Right", 8);
  now();
  drag(at("right hand", kPalm), -60, -160);
  const Document raised = now();
  key("Right", 9);
  EXPECT_LT(placeOf(now(), "right hand").y(), placeOf(raised, "right hand").y() - 0.2) << "it has faded out";
  key("Left", 9);
  EXPECT_LT(distanceBetween(placeOf(now(), "right hand"), placeOf(raised, "right hand")), 1e-9);
  EXPECT_LE(presses_, 1);
}

TEST_F(Task, AMotionIsScrubbedInTheStrip) {
  ASSERT_NO_FATAL_FAILURE(open(humanInMotion()));
  click({640, kRulerHeight});
  const int clicked = now().frame;
  EXPECT_GT(clicked, 20);
  EXPECT_LT(clicked, 40);
  drag({640, kRulerHeight}, 300, 0);
  EXPECT_GT(now().frame, clicked + 10);
  EXPECT_EQ(document_.pose, document_.motion->poseAt(*document_.figure, document_.frame));
  click(kFirstPose);  // the library has the mouse, and the arrows still mean time
  const int before = now().frame;
  key("Left", 2);
  EXPECT_EQ(now().frame, before - 2);
}

TEST_F(Task, TwoDragsAreTakenBackInTwoSteps) {
  ASSERT_NO_FATAL_FAILURE(open("human"));
  const Pose before = document_.pose;
  drag(at("right hand", kPalm), -60, -160);
  now();
  drag(at("left hand", kPalm), 60, -100);
  key("ctrl+z", 2);
  EXPECT_EQ(now().pose, before);
  EXPECT_LE(presses_, 2);
}

}  // namespace
}  // namespace limber::tasks_test

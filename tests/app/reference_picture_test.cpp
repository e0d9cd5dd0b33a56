// SPDX-License-Identifier: MIT
// Reference pictures in the window: looking through one, moving its camera, marking joints, and the pose of the marks.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "app/session/reference_picture.h"
#include "app/stage/fit_job.h"
#include "app/stage/picture_view.h"
#include "app/stage/viewing.h"
#include "app/view/reference_camera.h"
#include "headless_session.h"
#include "limber/io/base/file.h"
#include "limber/io/base/image.h"
#include "limber/io/base/referred_file.h"
#include "limber/io/base/resources.h"
#include "limber/io/open.h"
#include "limber/io/points/key_points.h"
#include "limber/posing/fit_coordinates.h"
#include "limber/problem/goal_error.h"
#include "support/temporary_folder.h"

namespace limber::app::reference_picture_test {
namespace {

SkinTexture grey(int width, int height) {
  SkinTexture image{.width = width, .height = height};
  image.pixels.assign(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 128);
  return image;
}

constexpr int kWidth = 900, kHeight = 600;  // of the window's picture

class ReferencePictures : public test::TemporaryFolder, protected HeadlessSession {
 protected:
  ReferencePictures() : HeadlessSession(io::openAny("human")->document) {
    session_.picture.area = {0, 0, kWidth, kHeight};
  }

  void SetUp() override {
    TemporaryFolder::SetUp();
    refreshScene(session_);
  }

  void open(int width = 400, int height = 500) {
    perform(session_, Command::OpenReference, write("photo.png", io::encodeImage(grey(width, height))));
    for (int i = 0; i < 200 && session_.services.job.isRunning(); ++i) {
      frame();
      finishJob(session_);
    }
    settle();
    ASSERT_NE(shownPicture(document()), nullptr);
  }
  void wish(ReferenceWish what) {
    perform(session_, Command::UseReference, what);
    for (int i = 0; i < 2000 && session_.services.job.isRunning(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      frame();
    }
    settle();
  }
  void dragFromMiddle(Button button, double dx, double dy) {
    down({450, 300}, button);
    lead({450 + dx, 300 + dy}, {}, 2);
    up(button);
  }

  const ReferencePicture& picture() const { return *shownPicture(document()); }
  bool isThrough() const { return session_.picture.camera.through.isOn; }
  Eigen::Vector2d inWindow(const Eigen::Vector3d& point) const {
    return *render::projectToPixel(session_.picture.view(), point);
  }
  /// The position in the window of a pixel of the picture.
  Eigen::Vector2d windowOf(const Eigen::Vector2d& pixel) const {
    const PictureCamera& camera = picture().camera;
    return inWindow(camera.pointAt(pixel, 3.0));
  }
  Eigen::Vector3d placeOfLink(const char* name) const {
    return transformsOf(*document().figure, document().pose)
        .worldFromLink[static_cast<std::size_t>(document().figure->findLink(name))]
        .translation;
  }
};

TEST_F(ReferencePictures, OpenedOneIsLookedThroughAndTheFigureStaysWhereItWas) {
  const Eigen::Vector3d hand = placeOfLink("left hand"), foot = placeOfLink("right foot");
  const Eigen::Vector2d before = inWindow(hand), footBefore = inWindow(foot);
  open();
  EXPECT_TRUE(isThrough());
  EXPECT_LT((inWindow(hand) - before).norm(), 1e-6);
  EXPECT_LT((inWindow(foot) - footBefore).norm(), 1e-6);
  // The window is wider than the picture, which has its whole height and is in the middle.
  EXPECT_LT((windowOf({0, 0}) - Eigen::Vector2d(210, 0)).norm(), 1e-6);
  EXPECT_LT((windowOf({400, 500}) - Eigen::Vector2d(690, 600)).norm(), 1e-6);
  const auto& drawn = session_.picture.drawList.reference;
  ASSERT_TRUE(drawn.file);
  EXPECT_LT((inWindow(drawn.corners[0]) - Eigen::Vector2d(210, 0)).norm(), 1e-6);
  EXPECT_LT((inWindow(drawn.corners[2]) - Eigen::Vector2d(690, 600)).norm(), 1e-6);
  EXPECT_EQ(session_.editor.history().undoLabel(), "add picture photo.png");
  perform(session_, Command::Undo);
  settle();
  EXPECT_FALSE(isThrough());
  EXPECT_FALSE(session_.picture.drawList.reference.file);
  EXPECT_LT((inWindow(hand) - before).norm(), 1e-6) << "the view of before is back";
}

TEST_F(ReferencePictures, OneThatComesBeforeTheWindowHasItsSizeIsPlacedByTheFirstView) {
  Session early(io::openAny("human")->document, {}, {});
  perform(early, Command::OpenReference, write("photo.png", io::encodeImage(grey(400, 500))));
  for (int i = 0; i < 200 && early.services.job.isRunning(); ++i) app::frame(early);
  finishJob(early);
  ASSERT_NE(shownPicture(early.document()), nullptr);
  app::frame(early);
  early.picture.area = {0, 0, kWidth, kHeight};
  app::frame(early);
  EXPECT_TRUE(early.picture.camera.through.isOn);
  open();
  const PictureCamera &placed = shownPicture(early.document())->camera, &usual = picture().camera;
  EXPECT_NEAR(placed.focal, usual.focal, 1e-9);
  EXPECT_LT((placed.worldFromCamera.translation - usual.worldFromCamera.translation).norm(), 1e-9);
}

TEST_F(ReferencePictures, ASceneWithOneOpensLookingThroughIt) {
  open();
  const PictureCamera camera = picture().camera;
  Document scene = document();
  Session later(scene, {}, {});
  later.picture.area = {0, 0, kWidth, kHeight};
  refreshScene(later);
  EXPECT_TRUE(later.picture.camera.through.isOn);
  EXPECT_EQ(later.picture.camera.through.camera, camera);
}

TEST_F(ReferencePictures, LookedThroughZoomAndPanMoveBothAndOrbitIsLocked) {
  open();
  const PictureCamera camera = picture().camera;
  const Eigen::Vector3d hand = placeOfLink("left hand");
  const Eigen::Vector2d pixel = camera.project(hand);
  scrollPicture(session_, WheelTurn{.steps = 3.0, .x = 500, .y = 200});
  settle();
  EXPECT_LT((windowOf(pixel) - inWindow(hand)).norm(), 1e-6);
  EXPECT_GT((windowOf({400, 0}) - windowOf({0, 0})).norm(), 500.0);
  const Eigen::Vector2d before = windowOf(pixel);
  makeCameraTool(CameraGesture::Pan)->move(session_, {}, {30.0, -12.0});
  settle();
  EXPECT_LT((windowOf(pixel) - before - Eigen::Vector2d(30, -12)).norm(), 1e-6);
  EXPECT_LT((windowOf(pixel) - inWindow(hand)).norm(), 1e-6);
  dragFromMiddle(Button::Middle, 60, 20);
  EXPECT_EQ(picture().camera, camera);
  EXPECT_NE(session_.ui.message.text.find("the view is locked to the picture"), std::string::npos);
  // Another view leaves the picture's camera and shows the picture in the world.
  perform(session_, Command::ViewRight);
  settle();
  EXPECT_FALSE(isThrough());
  EXPECT_TRUE(session_.picture.drawList.reference.file);
  perform(session_, Command::LookThroughReference);
  settle();
  EXPECT_LT((windowOf(pixel) - inWindow(hand)).norm(), 1e-6);
  perform(session_, Command::ToggleReference);
  settle();
  EXPECT_TRUE(isThrough());
  EXPECT_FALSE(session_.picture.drawList.reference.file) << "hidden, it is still looked through";
}

TEST_F(ReferencePictures, TheMouseMovesTheCameraOfThePictureAsOneStep) {
  open();
  session_.ui.reference.movesCamera = true;
  const PictureCamera before = picture().camera;
  const Eigen::Vector3d pivot = referencePivot(session_);
  dragFromMiddle(Button::Middle, 80, 30);
  const CameraAngles from = anglesOf(before), to = anglesOf(picture().camera);
  EXPECT_NEAR(to.heading, from.heading - 80 * kOrbitPerHeight / kHeight, 1e-9);
  EXPECT_NEAR(to.pitch, from.pitch + 30 * kOrbitPerHeight / kHeight, 1e-9);
  EXPECT_NEAR(to.roll, 0.0, 1e-9);
  EXPECT_LT((picture().camera.project(pivot) - before.project(pivot)).norm(), 1e-6);
  EXPECT_LT((windowOf({0, 0}) - Eigen::Vector2d(210, 0)).norm(), 1e-6) << "the picture stays on the screen";
  perform(session_, Command::Undo);
  settle();
  EXPECT_EQ(picture().camera, before);
}

TEST(ReferenceCamera, TurnsAndApproachesAboutThePivot) {
  const Eigen::Vector3d pivot(0.2, 0.9, -0.3);
  PictureCamera camera = cameraLookingAt({1.0, 2.0, 3.0}, {0.0, 1.0, 0.0}, 800.0, {320.0, 200.0});
  const CameraAngles angles{0.4, -0.3, 0.25};
  const PictureCamera before = camera;
  turnAbout(camera, pivot, angles);
  const CameraAngles back = anglesOf(camera);
  EXPECT_NEAR(back.heading, angles.heading, 1e-12);
  EXPECT_NEAR(back.pitch, angles.pitch, 1e-12);
  EXPECT_NEAR(back.roll, angles.roll, 1e-12);
  EXPECT_LT((camera.project(pivot) - before.project(pivot)).norm(), 1e-9);
  EXPECT_NEAR(camera.depthOf(pivot), before.depthOf(pivot), 1e-12);
  const Eigen::Matrix3d& axes = camera.worldFromCamera.rotation;
  EXPECT_NEAR(axes.determinant(), 1.0, 1e-12);
  EXPECT_LT((axes.transpose() * axes - Eigen::Matrix3d::Identity()).norm(), 1e-12);
  setFocal(camera, pivot, 400.0);
  EXPECT_NEAR(camera.focal / camera.depthOf(pivot), 800.0 / before.depthOf(pivot), 1e-9) << "as large as before";
  const Eigen::Vector2d seen(100.0, 150.0);
  const render::Ray ray{camera.worldFromCamera.translation, camera.rayThrough(seen).direction};
  const Eigen::Vector3d along =
      ray.origin + camera.depthOf(pivot) / ray.direction.dot(camera.worldFromCamera.rotation.col(2)) * ray.direction;
  const double depth = camera.depthOf(pivot);
  approach(camera, pivot, ray, 0.5);
  EXPECT_NEAR(camera.depthOf(pivot), 0.5 * depth, 1e-9);
  EXPECT_LT((camera.project(along) - seen).norm(), 1e-6);
  for (int i = 0; i < 100; ++i) approach(camera, pivot, ray, 0.5);
  EXPECT_TRUE(isFinite(camera.worldFromCamera));
  EXPECT_GT(camera.depthOf(pivot), 0.0);
}

/// The shown picture on a plane beyond the figure.
void putShownOnPlane(Session& session, render::ViewFrom side = render::ViewFrom::Front) {
  const Eigen::Vector3d pivot = referencePivot(session);
  session.editor.edit("plane", "", [&](Document& document) {
    ReferencePicture& picture = *findPicture(document, document.shownPicture);
    placeAtSide(picture.camera, pivot, side);
    putOnPlane(picture.camera, picture.size(), pivot, beyondFigure(session));
  });
  app::settle(session);
}

TEST(ReferenceCamera, GoesOntoAPlaneAndBack) {
  const Eigen::Vector3d pivot(0.2, 0.9, -0.3);
  const Eigen::Vector2d size(640.0, 480.0);
  const PictureCamera pinhole = cameraLookingAt({1.0, 2.0, 3.0}, {0.0, 1.0, 0.0}, 800.0, {320.0, 200.0});
  for (const render::ViewFrom side : kSides) {
    PictureCamera camera = pinhole;
    placeAtSide(camera, pivot, side);
    EXPECT_EQ(sideOf(camera), side);
    EXPECT_EQ(nearestSide(camera), side);
    EXPECT_TRUE(isRotation(camera.worldFromCamera.rotation));
    EXPECT_LT((camera.ahead() + render::backwardFrom(side)).norm(), 1e-12);
    EXPECT_LT((camera.project(pivot) - pinhole.project(pivot)).norm(), 1e-9);
    const PictureCamera upright = camera;
    putOnPlane(camera, size, pivot, 1.5);
    EXPECT_TRUE(camera.isParallel);
    EXPECT_EQ(camera.centre, 0.5 * size) << "the camera is at the middle of the picture";
    EXPECT_NEAR(camera.depthOf(pivot), -1.5, 1e-12);
    EXPECT_LT((camera.project(pivot) - pinhole.project(pivot)).norm(), 1e-9);
    EXPECT_NEAR(camera.focal, 800.0 / pinhole.depthOf(pivot), 1e-9) << "as large at the figure";
    // It turns about the figure, and grows about what is pointed at.
    PictureCamera turned = camera;
    turnAbout(turned, pivot, CameraAngles{0.4, 0.1, 0.2});
    EXPECT_LT((turned.project(pivot) - camera.project(pivot)).norm(), 1e-9);
    EXPECT_EQ(sideOf(turned), std::nullopt);
    const render::Ray ray{camera.pointAt({100.0, 150.0}, -9.0), camera.ahead()};
    PictureCamera larger = camera;
    approach(larger, pivot, ray, 0.5);
    EXPECT_NEAR(larger.focal, 2.0 * camera.focal, 1e-9);
    EXPECT_LT((larger.project(camera.pointAt({100.0, 150.0}, 0.3)) - Eigen::Vector2d(100.0, 150.0)).norm(), 1e-9);
    EXPECT_NEAR(larger.depthOf(pivot), -1.5, 1e-9) << "the plane is as far away";
    for (int i = 0; i < 100; ++i) approach(larger, pivot, ray, 0.5);
    EXPECT_TRUE(isFinite(larger.worldFromCamera) && std::isfinite(larger.focal));
    putBeforePinhole(camera, pivot, 800.0);
    EXPECT_FALSE(camera.isParallel);
    EXPECT_LT((camera.project(pivot) - upright.project(pivot)).norm(), 1e-9);
    EXPECT_NEAR(camera.depthOf(pivot), upright.depthOf(pivot), 1e-9);
  }
}

TEST_F(ReferencePictures, OpenedInAParallelViewItStandsOnAPlaneThatFacesIt) {
  perform(session_, Command::ViewFront);
  session_.ui.now += kTurnSeconds;
  settle();
  if (!session_.picture.camera.isOrthographic) perform(session_, Command::ToggleOrthographic);
  settle();
  const Eigen::Vector3d hand = placeOfLink("left hand");
  const Eigen::Vector2d before = inWindow(hand);
  open();
  ASSERT_TRUE(picture().isOnPlane());
  EXPECT_TRUE(isThrough());
  EXPECT_LT((inWindow(hand) - before).norm(), 1e-6);
  EXPECT_LT((windowOf({0, 0}) - Eigen::Vector2d(210, 0)).norm(), 1e-6);
  EXPECT_EQ(sideOf(picture().camera), render::ViewFrom::Front);
  const auto corners = session_.picture.drawList.reference.corners;
  EXPECT_LT(corners[0].z(), session_.picture.drawList.boundsMin.z()) << "behind the figure";
  const Eigen::Vector2d pixel = picture().camera.project(hand);
  scrollPicture(session_, WheelTurn{.steps = 3.0, .x = 500, .y = 200});
  makeCameraTool(CameraGesture::Pan)->move(session_, {}, {30.0, -12.0});
  settle();
  EXPECT_LT((windowOf(pixel) - inWindow(hand)).norm(), 1e-6) << "figure and picture move together";
  EXPECT_EQ(shownPixelAt(session_, windowOf(pixel).x(), windowOf(pixel).y()).has_value(), picture().contains(pixel));
  perform(session_, Command::ViewRight);
  settle();
  EXPECT_FALSE(isThrough());
  EXPECT_EQ(session_.picture.drawList.reference.corners, corners) << "it stays in the world";
}

TEST_F(ReferencePictures, TheMouseTurnsAndScalesAPictureOnAPlane) {
  open();
  putShownOnPlane(session_);
  session_.ui.reference.movesCamera = true;
  const Eigen::Vector3d pivot = referencePivot(session_);
  const PictureCamera before = picture().camera;
  dragFromMiddle(Button::Middle, 80, 0);
  EXPECT_NEAR(anglesOf(picture().camera).heading, -80 * kOrbitPerHeight / kHeight, 1e-9);
  EXPECT_LT((picture().camera.project(pivot) - before.project(pivot)).norm(), 1e-6);
  perform(session_, Command::Undo);
  settle();
  EXPECT_EQ(picture().camera, before);
  scrollPicture(session_, WheelTurn{.steps = 2.0, .x = 450, .y = 300});
  settle();
  EXPECT_NEAR(picture().camera.focal, before.focal / std::pow(kZoomPerStep, 2.0), 1e-9);
  EXPECT_NEAR(picture().camera.depthOf(pivot), before.depthOf(pivot), 1e-9);
}

TEST_F(ReferencePictures, AStandingFigureTellsTheSizeOfAPictureOnAPlane) {
  open();
  putShownOnPlane(session_);
  wish(ReferenceWish::ShowStature);
  click(windowOf({200.0, 480.0}));
  click(windowOf({200.0, 30.0}));
  EXPECT_FALSE(session_.ui.planting);
  const double height = session_.picture.drawList.boundsMax.y() - session_.picture.drawList.boundsMin.y();
  EXPECT_NEAR(450.0 / picture().camera.focal, height, 0.02 * height) << session_.ui.message.text;
  EXPECT_NEAR(picture().camera.pointAt({200.0, 480.0}, 0.0).y(), session_.picture.drawList.groundHeight, 1e-6);
}

TEST_F(ReferencePictures, AJointIsMarkedByTwoClicksAndGoesThere) {
  open();
  wish(ReferenceWish::Mark);
  ASSERT_TRUE(session_.ui.planting);
  const Eigen::Vector3d wrist = placeOfLink("left hand");
  const int steps = session_.editor.history().presentStep();
  click({5, 5});
  EXPECT_TRUE(session_.ui.message.isError) << "not on the figure";
  EXPECT_FALSE(session_.picture.drawList.reference.isInFront) << "the figure is clicked first";
  click(inWindow(wrist + 0.001 * Eigen::Vector3d::UnitY()));
  ASSERT_TRUE(session_.ui.planting && session_.ui.planting->first);
  frame();
  EXPECT_TRUE(session_.picture.drawList.reference.isInFront) << "the next click is in the picture";
  EXPECT_EQ(document().figure->link(session_.ui.planting->first->link).name, "left hand");
  click({100, 300});
  EXPECT_TRUE(document().goals.empty()) << "beside the picture";
  const Eigen::Vector2d place = inWindow(wrist) + Eigen::Vector2d(-25.0, -60.0);
  click(place);
  ASSERT_EQ(document().goals.size(), 1u);
  const GoalItem& goal = document().goals[0];
  EXPECT_EQ(goal.seenIn, document().shownPicture);
  EXPECT_EQ(goal.name, "left hand in the picture");
  EXPECT_LT((inWindow(placeOfLink("left hand")) - place).norm(), 0.5) << "solved at once";
  EXPECT_EQ(session_.editor.history().presentStep(), steps + 1);
  EXPECT_TRUE(session_.ui.planting) << "the next joint";
  perform(session_, Command::Cancel);
  EXPECT_FALSE(session_.ui.planting);
}

TEST_F(ReferencePictures, ADraggedMarkIsFollowedInThePicture) {
  open();
  const int hand = document().figure->findLink("left hand");
  session_.editor.edit("mark", "", [&](Document& d) {
    addSeenGoal(d, {hand}, d.shownPicture, d.pictures[0].camera.project(placeOfLink("left hand")));
  });
  settle();
  const Eigen::Vector2d from = inWindow(document().goals[0].target), to = from + Eigen::Vector2d(-20.0, -50.0);
  drag(from, to);
  up();
  const GoalItem& goal = document().goals[0];
  EXPECT_LT((inWindow(goal.target) - to).norm(), 1e-6);
  EXPECT_LT((inWindow(placeOfLink("left hand")) - to).norm(), 1.0);
  const Eigen::Vector3d ray = goal.target - picture().camera.worldFromCamera.translation;
  EXPECT_LT(ray.normalized().cross(goal.targetFrame.col(0)).norm(), 1e-9);
}

TEST_F(ReferencePictures, MarksStayWhereThePictureShowsThem) {
  open();
  const int hand = document().figure->findLink("left hand");
  session_.editor.edit("mark", "", [&](Document& d) { addSeenGoal(d, {hand}, d.shownPicture, {120.0, 90.0}); });
  const Eigen::Vector3d target = document().goals[0].target;
  for (const Command action : {Command::ToggleMode, Command::ToggleMode, Command::RestPose}) {
    perform(session_, action);
    settle();
    EXPECT_EQ(document().goals[0].target, target) << "a picture does not change with the pose";
  }
}

TEST_F(ReferencePictures, WalkAsksForEachJointOfABody) {
  open();
  wish(ReferenceWish::WalkThrough);
  ASSERT_TRUE(session_.ui.planting);
  const std::size_t count = session_.ui.planting->asked.size();
  EXPECT_GE(count, 13u);
  EXPECT_NE(plantingHint(*session_.ui.planting).find("(1 of "), std::string::npos);
  EXPECT_TRUE(session_.picture.drawList.reference.isInFront);
  wish(ReferenceWish::Skip);
  EXPECT_EQ(session_.ui.planting->step, 1u);
  wish(ReferenceWish::Back);
  wish(ReferenceWish::Back);
  EXPECT_EQ(session_.ui.planting->step, 0u);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_TRUE(session_.ui.planting) << i;
    if (i % 3 == 1) wish(ReferenceWish::Skip);
    else click(windowOf({150.0 + 5.0 * static_cast<double>(i), 200.0}));
  }
  EXPECT_FALSE(session_.ui.planting);
  frame();
  EXPECT_FALSE(session_.picture.drawList.reference.isInFront) << "as the user has it";
  EXPECT_EQ(document().goals.size(), count - (count + 1) / 3);
  wish(ReferenceWish::Skip);  // nothing is asked for any more
  EXPECT_FALSE(session_.ui.planting);
}

/// Marks all joints of the walk where the camera sees them in another pose.
class MarkedPose : public ReferencePictures {
 protected:
  void markAll(const PictureCamera& camera) {
    wish(ReferenceWish::WalkThrough);
    asked_ = session_.ui.planting->asked;
    wish(ReferenceWish::Finish);
    Document posed = document();
    const auto turn = [&](const char* link, const Eigen::Vector3d& axis, double angle) {
      const Figure& figure = *posed.figure;
      const int joint = figure.findLink(link);
      ASSERT_GE(joint, 0) << link;
      Eigen::VectorXd step = Eigen::VectorXd::Zero(figure.stepSize());
      step.segment<3>(figure.joint(joint).stepIndex) = angle * axis;
      Pose turned;
      integrate(figure, posed.pose, step, turned);
      posed.pose = turned;
    };
    const auto bend = [&](const char* link, double angle) {
      const Figure& figure = *posed.figure;
      Eigen::VectorXd step = Eigen::VectorXd::Zero(figure.stepSize());
      const Joint& hinge = figure.joint(figure.findLink(link));
      step[hinge.stepIndex] = hinge.limits.upper > -hinge.limits.lower ? angle : -angle;
      Pose bent;
      integrate(figure, posed.pose, step, bent);
      posed.pose = bent;
    };
    bend("left forearm", 1.2);
    bend("right shank", 0.8);
    turn("left upper arm", Eigen::Vector3d::UnitX(), -1.0);
    turn("right thigh", Eigen::Vector3d::UnitX(), -0.6);
    clampToLimits(posed, posed.pose);
    pose_ = posed.pose;
    markPose(camera);
  }
  /// Marks them in the shown picture, too.
  void markPose(const PictureCamera& camera) {
    const Kinematics kinematics = transformsOf(*document().figure, pose_);
    session_.editor.edit("mark all", "", [&](Document& d) {
      for (const AskedMark& mark : asked_)
        addSeenGoal(d, mark.point, d.shownPicture,
                    camera.project(kinematics.worldFromLink[static_cast<std::size_t>(mark.point.link)] *
                                   mark.point.pointInLink));
    });
  }
  double farthestMark() const {
    const Kinematics kinematics = transformsOf(*document().figure, document().pose);
    double most = 0.0;
    for (const GoalItem& goal : document().goals) {
      const PictureCamera& camera = pictureOf(document(), goal)->camera;
      const Eigen::Vector3d place = kinematics.worldFromLink[static_cast<std::size_t>(goal.link)] * goal.pointInLink;
      most = std::max(most, (camera.project(place) - camera.project(goal.target)).norm());
    }
    return most;
  }
  std::vector<AskedMark> asked_;
  Pose pose_;
};

TEST_F(MarkedPose, IsFoundByTheKnownCamera) {
  open();
  markAll(picture().camera);
  const int steps = session_.editor.history().presentStep();
  const PictureCamera camera = picture().camera;
  wish(ReferenceWish::PoseFromMarks);
  EXPECT_EQ(session_.editor.history().presentStep(), steps + 1);
  EXPECT_EQ(picture().camera, camera);
  EXPECT_LT(farthestMark(), 3.0) << session_.ui.message.text;
  EXPECT_NE(session_.ui.message.text.find("pixels off on average"), std::string::npos) << session_.ui.message.text;
}

TEST_F(MarkedPose, IsFoundOnAPlaneAndWithItsPlace) {
  open();
  putShownOnPlane(session_);
  const PictureCamera plane = picture().camera;
  markAll(plane);
  wish(ReferenceWish::PoseFromMarks);
  EXPECT_EQ(picture().camera, plane);
  EXPECT_LT(farthestMark(), 3.0) << session_.ui.message.text;
  // The picture is a third too small, and next to the figure: its marks determine size and position.
  session_.editor.edit("smaller", "", [&](Document& d) {
    PictureCamera& camera = findPicture(d, d.shownPicture)->camera;
    camera.focal *= 1.5;
    camera.worldFromCamera.translation += Eigen::Vector3d(0.4, -0.2, 0.0);
  });
  settle();
  wish(ReferenceWish::FindCamera);
  EXPECT_TRUE(picture().isOnPlane());
  EXPECT_EQ(picture().camera.worldFromCamera.rotation, plane.worldFromCamera.rotation);
  EXPECT_NEAR(picture().camera.focal / plane.focal, 1.0, 0.05);
  EXPECT_LT(farthestMark(), 4.0) << session_.ui.message.text;
}

TEST_F(MarkedPose, ALimbGoesRoundItsWaysInDepth) {
  open();
  markAll(picture().camera);
  wish(ReferenceWish::PoseFromMarks);
  session_.ui.message = {};
  session_.editor.touch().selection = {};
  wish(ReferenceWish::NextDepth);
  EXPECT_NE(session_.ui.message.text.find("Select the mark"), std::string::npos) << session_.ui.message.text;
  const int elbow = document().figure->findLink("left forearm");
  for (const GoalItem& goal : document().goals)
    if (goal.link == elbow) session_.editor.touch().selection = {.goal = goal.id};
  const PictureCamera camera = picture().camera;
  const auto depth = [&] {
    return camera.depthOf(placeOfLink("left hand")) - camera.depthOf(placeOfLink("left forearm"));
  };
  std::vector<double> depths = {depth()};
  for (int i = 0; i < 2; ++i) {
    wish(ReferenceWish::NextDepth);
    EXPECT_LT(farthestMark(), 15.0) << "the picture shows this way, too. " << session_.ui.message.text;
    depths.push_back(depth());
  }
  const auto [least, most] = std::ranges::minmax(depths);
  EXPECT_GT(most - least, 0.1) << "metres: the hand is before the elbow, or behind it";
  EXPECT_EQ(session_.editor.history().undoLabel(), "other depth");
}

TEST_F(MarkedPose, IsFoundWithTheCamera) {
  open();
  const Eigen::Vector3d pivot = referencePivot(session_);
  const PictureCamera camera = cameraLookingAt(pivot + Eigen::Vector3d(1.5, 0.6, 3.2), pivot, 620.0, {200.0, 250.0});
  markAll(camera);
  wish(ReferenceWish::FindCamera);
  EXPECT_FALSE(picture().camera == camera);
  EXPECT_LT(farthestMark(), 5.0) << session_.ui.message.text;
  perform(session_, Command::Undo);
  settle();
  EXPECT_EQ(session_.editor.history().redoLabel(), "pose from the picture");
}

TEST_F(MarkedPose, AWalkThroughAFurtherPictureWaitsForItsCamera) {
  open();
  markAll(picture().camera);
  wish(ReferenceWish::PoseFromMarks);
  const auto drawn = [&] {
    refreshScene(session_);
    std::set<int> goals;
    for (const render::DrawCapsule& capsule : session_.picture.drawList.capsules)
      if (capsule.goal >= 0) goals.insert(capsule.goal);
    return goals.size();
  };
  EXPECT_EQ(drawn(), asked_.size());
  open(600, 500);
  EXPECT_EQ(drawn(), 0u) << "marks of another picture are not shown in this one";
  const Pose before = document().pose;
  wish(ReferenceWish::WalkThrough);
  for (std::size_t i = 0; i < asked_.size(); ++i) click(windowOf({150.0 + 10.0 * static_cast<double>(i), 200.0}));
  EXPECT_FALSE(session_.ui.planting);
  EXPECT_TRUE(document().pose == before);
  EXPECT_EQ(drawn(), asked_.size());
  EXPECT_NE(session_.ui.message.text.find("by all pictures"), std::string::npos) << session_.ui.message.text;
}

/// The largest difference of a distance between two joints from that in the pose that was marked, metres.
double differenceOfShape(const Document& document, const Pose& truth, const std::vector<AskedMark>& marks) {
  const Kinematics was = transformsOf(*document.figure, truth), is = transformsOf(*document.figure, document.pose);
  double most = 0.0;
  for (const AskedMark& a : marks)
    for (const AskedMark& b : marks)
      most = std::max(most, std::abs((placeOf(was, a.point) - placeOf(was, b.point)).norm() -
                                     (placeOf(is, a.point) - placeOf(is, b.point)).norm()));
  return most;
}

TEST_F(MarkedPose, FrontAndSideViewsOnPlanesTellItWithTheirSizes) {
  open();
  putShownOnPlane(session_);
  const PictureCamera front = picture().camera;
  markAll(front);
  open();
  putShownOnPlane(session_, render::ViewFrom::Right);
  const PictureCamera side = picture().camera;
  markPose(side);
  session_.editor.edit("sizes and places", "", [&](Document& d) {
    d.pictures[0].camera.focal *= 1.3;
    d.pictures[1].camera.focal *= 0.8;
    d.pictures[1].camera.worldFromCamera.translation += Eigen::Vector3d(0.0, 0.3, -0.2);
  });
  settle();
  wish(ReferenceWish::FindCamera);
  EXPECT_NEAR(document().pictures[0].camera.focal / front.focal, 1.0, 0.02);
  EXPECT_NEAR(document().pictures[1].camera.focal / side.focal, 1.0, 0.02);
  EXPECT_LT(farthestMark(), 4.0) << session_.ui.message.text;
  EXPECT_LT(differenceOfShape(document(), pose_, asked_), 0.06);
}

TEST_F(MarkedPose, AViewOnAPlaneAndAPhotographTellItWithBothCameras) {
  open();
  const Eigen::Vector3d pivot = referencePivot(session_);
  const PictureCamera photo = cameraLookingAt(pivot + Eigen::Vector3d(3.0, 0.5, 0.2), pivot, 700.0, {200.0, 250.0});
  markAll(photo);  // opened as if from the front
  open();
  putShownOnPlane(session_);
  const PictureCamera plane = picture().camera;
  markPose(plane);
  session_.editor.edit("size", "", [&](Document& d) { d.pictures[1].camera.focal *= 1.3; });
  settle();
  wish(ReferenceWish::FindCamera);
  EXPECT_NEAR(document().pictures[1].camera.focal / plane.focal, 1.0, 0.02);
  EXPECT_LT(farthestMark(), 4.0) << session_.ui.message.text;
  EXPECT_LT(differenceOfShape(document(), pose_, asked_), 0.06);
}

TEST_F(MarkedPose, TwoPicturesTellItWithBothCamerasOrByThem) {
  open();
  const Eigen::Vector3d pivot = referencePivot(session_);
  const PictureCamera front = cameraLookingAt(pivot + Eigen::Vector3d(0.5, 0.3, 3.5), pivot, 620.0, {200.0, 250.0});
  const PictureCamera side = cameraLookingAt(pivot + Eigen::Vector3d(3.0, 0.5, 0.2), pivot, 700.0, {300.0, 250.0});
  markAll(front);
  open(600, 500);
  markPose(side);
  wish(ReferenceWish::FindCamera);
  EXPECT_LT(farthestMark(), 4.0) << session_.ui.message.text;
  EXPECT_LT(differenceOfShape(document(), pose_, asked_), 0.06);
  session_.editor.edit("cameras", "", [&](Document& d) {
    d.pictures[0].camera = front;
    d.pictures[1].camera = side;
  });
  const std::size_t marks = document().goals.size();
  wish(ReferenceWish::PoseFromMarks);
  EXPECT_EQ(document().pictures[0].camera, front);
  EXPECT_EQ(document().pictures[1].camera, side);
  EXPECT_LT(farthestMark(), 3.0) << session_.ui.message.text;
  EXPECT_LT(differenceOfShape(document(), pose_, asked_), 0.03);
  EXPECT_EQ(document().goals.size(), marks);
  EXPECT_EQ(session_.ui.message.text.substr(0, 8), "30 marks") << session_.ui.message.text;
}

TEST_F(ReferencePictures, OneIsPastedAsDataOrByItsPath) {
  const auto paste = [&](const std::string& text) {
    session_.ui.message = {};
    session_.outside.clipboard.read = [text] { return text; };
    perform(session_, Command::PastePose);
    for (int i = 0; i < 200 && session_.services.job.isRunning(); ++i) frame();
    finishJob(session_);
    settle();
  };
  const std::string bytes = io::encodeImage(grey(400, 500));
  paste(io::makeDataUri(bytes));
  ASSERT_EQ(document().pictures.size(), 1u) << session_.ui.message.text << session_.ui.error;
  EXPECT_TRUE(picture().isInScene) << "there is no file";
  EXPECT_EQ(picture().file->bytes, bytes);
  EXPECT_TRUE(isThrough());
  const std::string path = write("my photo.png", bytes).string();
  paste(path);
  ASSERT_EQ(document().pictures.size(), 2u);
  EXPECT_FALSE(picture().isInScene);
  EXPECT_EQ(picture().file->path, path);
  paste("file://" + path.substr(0, path.size() - 10) + "%20photo.png\r\nfile:///elsewhere.png\r\n");
  ASSERT_EQ(document().pictures.size(), 3u) << session_.ui.message.text;
  for (const char* text : {"photo.png", "/nothing/there.png", "file:///%00", ""}) {
    paste(text);
    EXPECT_TRUE(session_.ui.message.isError) << text;
    EXPECT_NE(session_.ui.message.text.find("clipboard"), std::string::npos) << session_.ui.message.text;
  }
  for (const char* text : {"data:image/png;base64,AAAA", "data:text/plain,hello", "data:"}) {
    session_.ui.error.clear();
    paste(text);
    EXPECT_NE(session_.ui.error.find("pasted picture"), std::string::npos) << text << ": " << session_.ui.error;
  }
  EXPECT_EQ(document().pictures.size(), 3u);
}

/// A room with edges two metres long, seen by a camera that is not the present one.
class ShownCamera : public ReferencePictures {
 protected:
  void SetUp() override {
    ReferencePictures::SetUp();
    open();
    pivot_ = referencePivot(session_);
    truth_ = cameraLookingAt(pivot_ + Eigen::Vector3d(2.2, 1.1, 3.4), pivot_, 480.0, {200.0, 250.0});
  }

  Eigen::Vector2d seen(const Eigen::Vector3d& fromPivot) const { return truth_.project(pivot_ + fromPivot); }
  /// Draws from one pixel of the picture to another.
  void draw(const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
    ASSERT_TRUE(picture().contains(from) && picture().contains(to));
    down(windowOf(from));
    lead(windowOf(to), {}, 2);
    up();
  }
  void drawEdges() {
    draw(seen({-0.7, -0.8, 0.3}), seen({0.7, -0.8, 0.3}));
    draw(seen({-0.7, 0.8, -0.3}), seen({0.7, 0.8, -0.3}));
    draw(seen({-0.5, -0.6, -0.6}), seen({-0.5, -0.6, 0.6}));
    draw(seen({0.4, 0.7, -0.6}), seen({0.4, 0.7, 0.6}));
  }
  void expectDirectionOfTruth() const {
    EXPECT_NEAR(picture().camera.focal, truth_.focal, 1e-4 * truth_.focal) << session_.ui.message.text;
    EXPECT_LT((picture().camera.worldFromCamera.rotation - truth_.worldFromCamera.rotation).norm(), 1e-4);
  }

  Eigen::Vector3d pivot_;
  PictureCamera truth_;
};

TEST_F(ShownCamera, EdgesTellDirectionAndLensInOneStep) {
  const PictureCamera before = picture().camera;
  const Eigen::Vector2d pixel = before.project(pivot_);
  wish(ReferenceWish::DrawEdges);
  EXPECT_NE(plantingHint(*session_.ui.planting).find("(1 of 4)"), std::string::npos);
  drawEdges();
  expectDirectionOfTruth();
  EXPECT_LT((picture().camera.project(pivot_) - pixel).norm(), 1e-6) << "the figure stays where it is seen";
  ASSERT_TRUE(session_.ui.planting) << "to correct an end";
  EXPECT_NE(plantingHint(*session_.ui.planting).find("correct"), std::string::npos);
  // An end that is drawn wrong and then right again, by clicks this time.
  const Eigen::Vector2d end = seen({0.7, 0.8, -0.3}), wrong = end + Eigen::Vector2d(0.0, 20.0);
  draw(end, wrong);
  EXPECT_GT((picture().camera.worldFromCamera.rotation - truth_.worldFromCamera.rotation).norm(), 1e-3);
  click(windowOf(wrong));
  click(windowOf(end));
  expectDirectionOfTruth();
  wish(ReferenceWish::Finish);
  EXPECT_FALSE(session_.ui.planting);
  perform(session_, Command::Undo);
  settle();
  EXPECT_EQ(picture().camera, before);
}

TEST_F(ShownCamera, EdgesOfOneDirectionAreRefusedAndCanBeCorrected) {
  const PictureCamera before = picture().camera;
  wish(ReferenceWish::DrawEdges);
  draw({50, 100}, {350, 100});
  draw({50, 200}, {350, 200});
  draw({50, 300}, {350, 300});
  draw({50, 400}, {350, 400});
  EXPECT_NE(session_.ui.message.text.find("do not determine the camera"), std::string::npos);
  EXPECT_EQ(picture().camera, before);
  draw({350, 300}, {50, 450});
  draw({350, 400}, {52, 420});
  EXPECT_NE(picture().camera, before) << session_.ui.message.text;
}

TEST_F(ShownCamera, AStandingFigureTellsWhereItIs) {
  wish(ReferenceWish::DrawEdges);
  drawEdges();
  wish(ReferenceWish::Finish);
  const double height = 2.0 * (pivot_.y() - session_.picture.drawList.groundHeight);  // the human opens at rest
  wish(ReferenceWish::ShowStature);
  const Eigen::Vector3d ground(0.0, -0.5 * height, 0.0);
  click(windowOf(seen(ground)));
  EXPECT_LT((picture().camera.project(pivot_ + ground) - seen(ground)).norm(), 1e-6);
  const PictureCamera before = picture().camera;
  click(windowOf(seen(ground) + Eigen::Vector2d(0.0, 20.0)));
  EXPECT_NE(session_.ui.message.text.find("above the ground"), std::string::npos);
  EXPECT_EQ(picture().camera, before);
  click(windowOf(seen(-ground)));
  EXPECT_FALSE(session_.ui.planting);
  EXPECT_LT((picture().camera.worldFromCamera.translation - truth_.worldFromCamera.translation).norm(), 0.05);
}

TEST_F(ReferencePictures, KeyPointsAreTakenForThoseOfTheShownPicture) {
  const std::string people = io::readFile(*io::findResource("key_points/wave_keypoints.json"), 1 << 20)->substr(1);
  for (const auto& [side, told] : {std::pair(1000, ""), std::pair(500, R"("width": 1000, "height": 1000,)")}) {
    open(side, side);
    const auto file = write("wave_keypoints.json", std::string("{") + told + people);
    openObservations(session_, file);
    for (int i = 0; i < 2000 && session_.services.job.isRunning(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      frame();
    }
    settle();
    EXPECT_EQ(session_.ui.message.text.find("is not known"), std::string::npos) << session_.ui.message.text;
    const KeyPoints seen = io::readKeyPoints(file)->points;
    const Kinematics kinematics = transformsOf(*document().figure, document().pose);
    double off = 0.0;
    const auto points = io::pointsOfKeyPoints(document(), seen.names);
    for (const FitPoint& point : points) {
      const Eigen::Vector3d place = kinematics.worldFromLink[point.point.link] * point.point.pointInLink;
      const Eigen::Vector2d pixel = seen.at(0, static_cast<std::size_t>(point.observed)).place;
      off += (1000.0 / side * picture().camera.project(place) - pixel).norm() / static_cast<double>(points.size());
    }
    EXPECT_GT(points.size(), 10u);
    EXPECT_LT(off, 15.0) << "pixels of 1,000";
  }
}

TEST_F(ReferencePictures, WhatCannotBeIsSaid) {
  const auto said = [&](ReferenceWish what) {
    session_.ui.message = {};
    wish(what);
    return session_.ui.message.text;
  };
  EXPECT_NE(said(ReferenceWish::Mark).find("File > Reference picture"), std::string::npos);
  EXPECT_NE(said(ReferenceWish::DrawEdges).find("File > Reference picture"), std::string::npos);
  EXPECT_NE(said(ReferenceWish::ShowStature).find("File > Reference picture"), std::string::npos);
  EXPECT_NE(said(ReferenceWish::PoseFromMarks).find("There is no picture"), std::string::npos);
  perform(session_, Command::LookThroughReference);
  EXPECT_NE(session_.ui.message.text.find("File > Reference picture"), std::string::npos);
  perform(session_, Command::OpenReference, write("photo.jpg", "no picture"));
  for (int i = 0; i < 200 && session_.services.job.isRunning(); ++i) frame();
  finishJob(session_);
  EXPECT_NE(session_.ui.error.find("photo.jpg: is not an image"), std::string::npos) << session_.ui.error;
  EXPECT_TRUE(document().pictures.empty());
  open();
  EXPECT_NE(said(ReferenceWish::FindCamera).find("Mark joints"), std::string::npos);
}

}  // namespace
}  // namespace limber::app::reference_picture_test

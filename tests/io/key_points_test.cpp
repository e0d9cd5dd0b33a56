// SPDX-License-Identifier: MIT
// Key points of vision programs: the contents of each format, the person that is followed, and error messages.
#include "limber/io/points/key_points.h"
#include "limber/io/points/key_point_views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "limber/io/json/pose_prior_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/fit_coordinates.h"
#include "limber/scene/picture_fit.h"
#include "locations.h"
#include "support/awkward_figure.h"
#include "support/temporary_folder.h"

namespace limber::io::key_points_test {
namespace {

class KeyPointFiles : public test::TemporaryFolder {
 protected:
  KeyPoints read(const std::string& name, const std::string& text, const KeyPointChoices& choices = {}) const {
    const auto source = readKeyPoints(write(name, text), choices);
    EXPECT_TRUE(source) << (source ? "" : source.error().message());
    return source ? source->points : KeyPoints();
  }
  std::string faultOf(const std::string& name, const std::string& text) const {
    const auto source = readKeyPoints(write(name, text));
    EXPECT_FALSE(source) << name;
    return source ? "" : source.error().message();
  }
};

/// So many points, each at (10 i, 20 i) with this confidence.
std::string triples(int count, double confidence, double shift = 0.0) {
  std::string text = "[";
  for (int i = 1; i <= count; ++i)
    text += (i > 1 ? ", " : "") + std::to_string(10.0 * i + shift) + ", " + std::to_string(20.0 * i) + ", " +
            std::to_string(confidence);
  return text + "]";
}

const SeenPixel& at(const KeyPoints& points, int frame, const std::string& name) {
  const auto found = std::ranges::find(points.names, name);
  EXPECT_NE(found, points.names.end()) << name;
  return points.at(frame, static_cast<std::size_t>(found - points.names.begin()));
}

TEST_F(KeyPointFiles, OpenPoseIsAFolderOfFrames) {
  for (const char* frame : {"b_keypoints.json", "a_keypoints.json"})
    write(frame, R"({"version": 1.3, "people": [{"pose_keypoints_2d": )" +
                     triples(25, 0.8, frame[0] == 'b' ? 1.0 : 0.0) + R"(, "hand_left_keypoints_2d": )" +
                     triples(21, 0.5) + "}]}");
  EXPECT_TRUE(holdsKeyPoints(folder_));
  const auto source = readKeyPoints(folder_, {.width = 640, .height = 480, .progress = {}});
  ASSERT_TRUE(source) << source.error().message();
  const KeyPoints& points = source->points;
  EXPECT_EQ(source->format, "OpenPose");
  EXPECT_EQ(points.frameCount, 2);
  EXPECT_EQ(points.width, 640);
  EXPECT_EQ(at(points, 0, "nose").place, Eigen::Vector2d(10, 20));
  EXPECT_EQ(at(points, 1, "nose").place, Eigen::Vector2d(11, 20)) << "by their names";
  EXPECT_EQ(at(points, 0, "right_heel").place, Eigen::Vector2d(250, 500));
  EXPECT_EQ(at(points, 0, "left_wrist").confidence, 0.8) << "the surer of body and hand";
  EXPECT_EQ(at(points, 0, "left_index_mcp").place, Eigen::Vector2d(60, 120));
}

TEST_F(KeyPointFiles, CocoHasPeopleByImage) {
  const std::string person = R"({"image_id": 7, "category_id": 1, "keypoints": )";
  const KeyPoints points = read("coco.json", R"({"images": [{"id": 7, "width": 800, "height": 600}, {"id": 9}],
      "annotations": [)" + person + triples(17, 2.0) +
                                                 "}]}");
  EXPECT_EQ(points.frameCount, 2);
  EXPECT_EQ(points.height, 600);
  EXPECT_EQ(at(points, 0, "left_eye").confidence, 1.0) << "marked by hand as seen";
  EXPECT_FALSE(at(points, 1, "left_eye").isSeen()) << "nobody in that picture";
  const KeyPoints results = read("results.json", "[" + person + triples(133, 0.4) + ", \"score\": 0.9}]");
  EXPECT_EQ(at(results, 0, "left_wrist").confidence, 0.4);
  EXPECT_EQ(results.names.size(), 17u + 6 + 68 + 2 * 20) << "the wrists are told twice";
}

/// A body of MediaPipe's, each point at a half and a quarter of the picture.
std::string landmarks() {
  std::string list = "[";
  for (int i = 0; i < 33; ++i)
    list += std::string(i ? ", " : "") + R"({"x": 0.5, "y": 0.25, "z": 0, "visibility": 0.9})";
  return list + "]";
}

TEST_F(KeyPointFiles, MediaPipeCountsInSharesOfThePicture) {
  const std::string list = landmarks();
  const KeyPoints points = read("one.json", R"({"landmarks": [)" + list + R"(], "width": 1000, "height": 800})");
  EXPECT_EQ(at(points, 0, "left_foot_index").place, Eigen::Vector2d(500, 200));
  EXPECT_EQ(at(points, 0, "nose").confidence, 0.9);
  const KeyPoints sequence =
      read("many.json", "[" + std::string(R"({"pose_landmarks": )") + list + R"(}, {"pose_landmarks": null}])",
           {.width = 100, .height = 100, .progress = {}});
  EXPECT_EQ(sequence.frameCount, 2);
  EXPECT_FALSE(at(sequence, 1, "nose").isSeen());
  EXPECT_NE(faultOf("shares.json", R"({"landmarks": )" + list + "}").find("--size"), std::string::npos);
}

TEST_F(KeyPointFiles, ThePictureBesideTellsTheSizeWhereNothingElseDoes) {
  const KeyPointChoices beside{.shownWidth = 640, .shownHeight = 480, .progress = {}};
  const auto sizeOf = [&](const std::string& name, const std::string& text) {
    const KeyPoints points = read(name, text, beside);
    return Eigen::Vector2i(points.width, points.height);
  };
  EXPECT_EQ(sizeOf("points.csv", "point,x,y\nnose,10,20\n"), Eigen::Vector2i(640, 480));
  EXPECT_EQ(sizeOf("shares.json", R"({"landmarks": )" + landmarks() + "}"), Eigen::Vector2i(640, 480));
  EXPECT_EQ(sizeOf("told.json", R"({"width": 100, "height": 90, "landmarks": )" + landmarks() + "}"),
            Eigen::Vector2i(100, 90));
  const KeyPointSource source = *readKeyPoints(folder_ / "points.csv", beside);
  EXPECT_TRUE(std::ranges::none_of(
      source.notes, [](const std::string& note) { return note.find("not known") != std::string::npos; }));
}

TEST_F(KeyPointFiles, ATableHasALineForEachPoint) {
  const KeyPoints points = read(
      "points.csv", "# a comment\nframe,point,x,y,confidence\n3,nose,10,20,0.5\n3,left_hip,,30,1\n5,nose,11,21,1\n");
  EXPECT_EQ(points.frameCount, 3) << "frame 4 has nobody";
  EXPECT_EQ(at(points, 0, "nose").confidence, 0.5);
  EXPECT_FALSE(at(points, 1, "nose").isSeen());
  EXPECT_EQ(at(points, 2, "nose").place, Eigen::Vector2d(11, 21));
  EXPECT_EQ(points.names, std::vector<std::string>({"nose"}));
  EXPECT_FALSE(holdsKeyPoints(write("space.csv", "frame,point,x,y,z\n0,nose,1,2,3\n"))) << "points in space";
}

TEST_F(KeyPointFiles, TheLargestPersonIsFollowed) {
  const std::string small = R"({"pose_keypoints_2d": )" + triples(18, 0.1) + "}";
  const auto person = [](double shift) { return R"({"pose_keypoints_2d": )" + triples(18, 0.9, shift) + "}"; };
  write("0.json", R"({"people": [)" + small + ", " + person(1000.0) + "]}");
  write("1.json", R"({"people": [)" + person(1010.0) + ", " + person(0.0) + "]}");
  const auto source = readKeyPoints(folder_);
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_EQ(at(source->points, 0, "nose").place.x(), 1010.0);
  EXPECT_EQ(at(source->points, 1, "nose").place.x(), 1020.0);
  EXPECT_NE(source->notes.front().find("2 people"), std::string::npos);
}

TEST_F(KeyPointFiles, WhatIsWrongIsSaid) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {R"({"people": []})", "there is no person"},
      {R"({"people": [{"pose_keypoints_2d": )" + triples(25, 0.0) + "}]}", "there is no person"},
      {R"({"people": [{"pose_keypoints_2d": [1, 2, 3]}]})", "18 and 25 (OpenPose)"},
      {R"({"people": [{"pose_keypoints_2d": )" + triples(25, 1.0, 1e9) + "}]}", "too far from the picture"},
      {R"({"people": [{}]})", "pose_keypoints_2d"},
      {R"({"annotations": [{"image_id": 1, "keypoints": [1, 2]}]})", "not three for each point"},
      {R"({"answer": 42})", "holds no key points"},
      {R"({"landmarks": [{"x": 1, "y": 1}], "width": 10, "height": 10})", "has 1 points without names"},
      {R"({"people": )", "line 1"},
      {"frame,point,x,y\n0,nose,ten,20\n", "line 2"},
      {"frame,point,x,y\n0.5,nose,10,20\n", "whole number"},
      {"frame,point,x,y\n0,,10,20\n", "names no point"},
      {"frame,point,x,y\n0,nose,1,2\n900000,nose,1,2\n", "too many frames"},
  };
  for (const auto& [text, cause] : faults) EXPECT_NE(faultOf("bad.json", text).find(cause), std::string::npos) << text;
  EXPECT_FALSE(readKeyPoints(folder_ / "nowhere.json"));
}

TEST_F(KeyPointFiles, AreBoundedInMemory) {
  std::string text = "frame,point,x,y\n";  // 60,000 frames of 1,000 names would be 60 million places
  for (int i = 0; i < 60'000; ++i) text += std::to_string(i) + ",p" + std::to_string(i % 1000) + ",1,2\n";
  EXPECT_NE(faultOf("wide.csv", text).find("60000 frames"), std::string::npos) << faultOf("wide.csv", text);
}

TEST_F(KeyPointFiles, AreNoFigureAndNoNamesOfOne) {
  const auto opened = openAny(write("people.json", R"({"people": [{"pose_keypoints_2d": []}]})").string());
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message().find("limber fit FIGURE FILE"), std::string::npos) << opened.error().message();
  EXPECT_FALSE(looksLikeKeyPoints(R"({"links": [{"name": "landmarks"}]})"));
}

TEST_F(KeyPointFiles, CamerasAreReadAndChecked) {
  const auto cameras = readCameras(write("cameras.json", R"({"cameras": [
      {"focal_px": 1400, "centre": [500, 400], "position": [0, 1, 4], "look_at": [0, 1, 0]},
      {"focal_px": 900, "centre": [1, 2], "position": [1, 2, 3], "rotation": [0, 0, 0, 1]},
      {"pixels_per_metre": 250, "centre": [1, 2], "position": [0, 1, 0], "look_at": [0, 1, -1]}]})"));
  ASSERT_TRUE(cameras) << cameras.error().message();
  EXPECT_TRUE((*cameras)[0].project({0, 1, 0}).isApprox(Eigen::Vector2d(500, 400)));
  EXPECT_EQ((*cameras)[1].worldFromCamera.rotation, Eigen::Matrix3d::Identity());
  EXPECT_TRUE((*cameras)[2].isParallel);
  EXPECT_TRUE((*cameras)[2].project({0.1, 1.2, 7.0}).isApprox(Eigen::Vector2d(26.0, -48.0)));
  for (const char* bad :
       {R"({"cameras": []})",
        R"({"cameras": [{"focal_px": 0, "centre": [1, 2], "position": [0, 0, 0], "look_at": [0, 0, 1]}]})",
        R"({"cameras": [{"pixels_per_metre": 0, "centre": [1, 2], "position": [0, 0, 0], "look_at": [0, 0, 1]}]})",
        R"({"cameras": [{"focal_px": 1, "pixels_per_metre": 1, "centre": [1, 2], "position": [0, 0, 0],
                         "look_at": [0, 0, 1]}]})",
        R"({"cameras": [{"focal_px": 1, "centre": [1, 2], "position": [0, 0, 0], "look_at": [0, 0, 1],
                         "rotation": [0, 0, 0, 1]}]})",
        R"({"cameras": [{"focal_px": 1, "centre": [1, 2], "position": [0, 0, 0]}]})",
        R"({"cameras": [{"focal_px": 1, "centre": [1, 2], "position": [0, 0, 0], "look_at": [0, 5, 0]}]})",
        R"({"cameras": [{"focal_px": 1, "centre": [1e10, 2], "position": [0, 0, 0], "look_at": [0, 0, 1]}]})",
        R"({"cameras": [{"focal_px": 1, "centre": [1, 2], "position": [0, 1e10, 0], "rotation": [0, 0, 0, 1]}]})"})
    EXPECT_FALSE(readCameras(write("bad.json", bad))) << bad;
}

TEST(KeyPointPlaces, AreOnTheSideThatTheyName) {
  const auto opened = openAny("human");
  ASSERT_TRUE(opened);
  const Kinematics rest = transformsOf(*opened->document.figure, opened->document.pose);
  const std::vector<std::string> names = {"nose",       "left_ear",  "right_ear", "left_elbow",     "right_elbow",
                                          "left_ankle", "left_heel", "mid_hip",   "left_index_pip", "face_3"};
  const std::vector<FitPoint> points = pointsOfKeyPoints(opened->document, names);
  ASSERT_EQ(points.size(), names.size() - 1) << "nothing is face_3";
  const auto place = [&](const std::string& name) {
    for (const FitPoint& point : points)
      if (names[static_cast<std::size_t>(point.observed)] == name) return placeOf(rest, point.point);
    return Eigen::Vector3d::Constant(NAN).eval();
  };
  EXPECT_GT(place("left_ear").x(), 0.03);
  EXPECT_LT(place("right_ear").x(), -0.03);
  EXPECT_GT(place("nose").z(), place("left_ear").z() + 0.05);
  EXPECT_GT(place("left_elbow").x(), 0.1);
  EXPECT_LT(place("right_elbow").x(), -0.1);
  EXPECT_LT(place("left_heel").y(), place("left_ankle").y());
  EXPECT_LT(std::abs(place("mid_hip").x()), 0.01);
  EXPECT_GT((place("left_index_pip") - place("left_elbow")).norm(), 0.3);
}

TEST_F(KeyPointFiles, AFileOfViewsNamesTheKeyPointsOfEach) {
  write("front.csv", "point,x,y\nnose,10,20\nneck,10,40\n");
  write("side.csv", "point,x,y\nneck,30,40\nleft_knee,31,90\n");
  const auto path = write("views.json", R"({"views": [{"key_points": "front.csv", "size": [100, 120]},
                                                      {"key_points": "side.csv", "size": [60, 80]}]})");
  EXPECT_TRUE(holdsKeyPoints(path));
  const auto views = readKeyPointViews(path);
  ASSERT_TRUE(views) << views.error().message();
  ASSERT_EQ(views->views.size(), 2u);
  EXPECT_TRUE(views->cameras.empty());
  EXPECT_EQ(views->views[1].names, (std::vector<std::string>{"nose", "neck", "left_knee"}));
  EXPECT_FALSE(views->views[1].at(0, 0).isSeen());
  EXPECT_EQ(views->views[1].at(0, 2).place, Eigen::Vector2d(31.0, 90.0));
  EXPECT_EQ(views->views[1].height, 80);
  const std::string camera = R"("camera": {"focal_px": 90, "centre": [50, 60], "position": [0, 1, 4],
                                           "look_at": [0, 1, 0]})";
  const auto one = readKeyPointViews(write("one.json", R"({"views": [{"key_points": "front.csv", )" + camera + "}]}"));
  ASSERT_TRUE(one) << one.error().message();
  ASSERT_EQ(one->cameras.size(), 1u);
  EXPECT_EQ(one->cameras[0].focal, 90.0);
  ASSERT_FALSE(one->notes.empty());
  for (const std::string& bad :
       {std::string(R"({"views": [], "key_points": 1})"), std::string(R"({"views": []})"),
        std::string(R"({"views": [{"key_points": "nowhere.csv"}]})"),
        std::string(R"({"views": [{"key_points": "bad.json"}]})"),
        std::string(R"({"views": [{"key_points": "front.csv", "size": [0, 4]}]})"),
        std::string(R"({"views": [{"key_points": "front.csv", "colour": 1}]})"),
        R"({"views": [{"key_points": "front.csv"}, {"key_points": "side.csv", )" + camera + "}]}"})
    EXPECT_FALSE(readKeyPointViews(write("bad.json", bad))) << bad;
  std::string points = "point,x,y\n";  // as many names as a file may have
  for (std::size_t i = 0; i < kMaxKeyPointNames; ++i) points += "p" + std::to_string(i) + ",1,2\n";
  write("many.csv", points);
  const auto many =
      readKeyPointViews(write("many.json", R"({"views": [{"key_points": "many.csv"}, {"key_points": "front.csv"}]})"));
  ASSERT_FALSE(many);
  EXPECT_NE(many.error().message().find("too many points"), std::string::npos) << many.error().message();
}

TEST(PictureFits, SayWhatCannotBeFitted) {
  const auto opened = openAny("human");
  ASSERT_TRUE(opened);
  PictureFitPlan plan;
  const auto fault = [&] { return fitPictures(opened->document, plan).fault; };
  EXPECT_NE(fault(), "");
  KeyPoints& view = plan.views.emplace_back();
  view.names = {"nose", "neck", "left_hip", "right_hip"};
  view.seen.assign(4, SeenPixel{{10.0, 20.0}, 1.0});
  view.frameCount = 1;
  plan.points = pointsOfKeyPoints(opened->document, view.names);
  EXPECT_EQ(fault(), "the size of the pictures is not known");
  view.width = view.height = 100;
  EXPECT_EQ(fitPictures(opened->document, plan, [](double) { return false; }).fault, "") << "cancelled at once";
  plan.cameras = {PictureCamera{.focal = -1.0}};
  EXPECT_NE(fault().find("focal length"), std::string::npos);
  plan.cameras.clear();
  plan.points[0].observed = 9;
  EXPECT_EQ(fault(), "a point has no name");
  view.seen.clear();
  EXPECT_NE(fault().find("does not match its frames"), std::string::npos);
}

TEST(KeyPointPlaces, NamesOfTheFiguresOwnPointsAreThose) {
  const auto opened = openAny(std::string(LIMBER_SHARED_DATA_DIR) + "/urdf/g1/g1_29dof_rev_1_0.urdf");
  if (!opened) GTEST_SKIP() << opened.error().message();
  const Figure& figure = *opened->document.figure;
  std::vector<std::string> names;
  for (int i = 0; i < figure.linkCount(); ++i) names.push_back(figure.link(i).name);
  const std::vector<FitPoint> points = pointsOfKeyPoints(opened->document, names);
  ASSERT_EQ(points.size(), names.size());
  for (int i = 0; i < figure.linkCount(); ++i) {
    const FigurePoint is = points[static_cast<std::size_t>(i)].point, own = *findPoint(figure, figure.link(i).name);
    EXPECT_EQ(is.link, own.link) << figure.link(i).name;
    EXPECT_EQ(is.pointInLink, own.pointInLink) << figure.link(i).name;
  }
}

// The base of this arm does not move, so that the camera must.
TEST(PictureFits, TheCameraOfAFigureWithAFixedBaseIsFound) {
  const auto opened = openAny("arm");
  ASSERT_TRUE(opened);
  const Figure& figure = *opened->document.figure;
  Document posed = opened->document;
  std::mt19937 random(3);
  Eigen::VectorXd step;
  difference(figure, restPose(figure), test::randomPose(figure, random), step);
  integrate(figure, restPose(figure), 0.3 * step, posed.pose);  // the search begins at rest
  clampToLimits(posed, posed.pose);
  const PictureCamera camera = cameraLookingAt({1.5, 1.0, 2.0}, {0.0, 0.4, 0.0}, 900.0, {400.0, 300.0});
  PictureFitPlan plan{.noise = 0.5};
  KeyPoints& view = plan.views.emplace_back();
  view.width = 800;
  view.height = 600;
  view.frameCount = 1;
  const Kinematics truth = transformsOf(figure, posed.pose);
  for (int i = 0; i < figure.linkCount(); ++i) {
    view.names.push_back(figure.link(i).name);
    view.seen.push_back({camera.project(truth.worldFromLink[static_cast<std::size_t>(i)].translation), 1.0});
    plan.points.push_back({i, {i}});
  }
  const PictureFitResult result = fitPictures(opened->document, plan);
  ASSERT_EQ(result.fault, "");
  EXPECT_LT(result.meanError, 5.0);
}

TEST(PictureFits, AreCancelledWithinAFrame) {
  const auto opened = openAny("human");
  ASSERT_TRUE(opened);
  PictureFitPlan plan;
  KeyPoints& view = plan.views.emplace_back();
  view.names = {"nose", "neck", "left_hip", "right_hip"};
  view.seen = {{{50, 10}, 1.0}, {{50, 20}, 1.0}, {{55, 50}, 1.0}, {{45, 50}, 1.0}};
  view.frameCount = 1;
  view.width = view.height = 100;
  plan.points = pointsOfKeyPoints(opened->document, view.names);
  int asked = 0;
  const PictureFitResult result = fitPictures(opened->document, plan, [&](double) { return ++asked < 3; });
  EXPECT_TRUE(result.isCancelled);
  EXPECT_EQ(asked, 3);
}

// A person seen by a camera that is not known stands on the ground in about the same pose.
TEST(PictureFits, APersonIsFoundWithTheCamera) {
  auto opened = openAny("human");
  ASSERT_TRUE(opened);
  Document person = opened->document;
  addPosePrior(person);
  const Figure& figure = *person.figure;
  PictureFitPlan plan;
  plan.views.resize(1);
  KeyPoints& view = plan.views[0];
  view.names = {"left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist", "nose",
                "left_hip",      "right_hip",      "left_knee",  "right_knee",  "left_ankle", "right_ankle", "neck"};
  view.width = view.height = 1000;
  view.frameCount = 1;
  plan.points = pointsOfKeyPoints(person, view.names);
  ASSERT_EQ(plan.points.size(), view.names.size());
  const PictureCamera camera = cameraLookingAt({1.0, 1.5, 4.0}, {0.0, 0.9, 0.0}, 1400.0, {500.0, 500.0});
  const Kinematics truth = transformsOf(figure, person.pose);
  for (const FitPoint& point : plan.points) view.seen.push_back({camera.project(placeOf(truth, point.point)), 1.0});
  const PictureFitResult result = fitPictures(person, plan);
  ASSERT_EQ(result.fault, "");
  EXPECT_TRUE(result.isCameraFound);
  EXPECT_LT(result.meanError, 5.0);
  const Kinematics found = transformsOf(figure, result.frames[0].pose);
  double lowest = 1e9;
  for (const Transform& link : found.worldFromLink) lowest = std::min(lowest, link.translation.y());
  EXPECT_NEAR(lowest, 0.0, 1e-9);
  for (const FitPoint& a : plan.points)  // distances tell no place in the world
    for (const FitPoint& b : plan.points) {
      const double was = (placeOf(truth, a.point) - placeOf(truth, b.point)).norm();
      EXPECT_NEAR((placeOf(found, a.point) - placeOf(found, b.point)).norm(), was, 0.25);
    }
}

/// A person of `size` times the figure's, seen from two sides.
PictureFitPlan seenFromTwoSides(const Document& person, double size) {
  PictureFitPlan plan;
  plan.cameras = {cameraLookingAt({0.5, 1.5, 4.0}, {0.0, 0.9, 0.0}, 1400.0, {500.0, 500.0}),
                  cameraLookingAt({3.5, 1.2, -0.5}, {0.0, 0.9, 0.0}, 1100.0, {640.0, 360.0})};
  plan.views.resize(2);
  const Kinematics truth = transformsOf(*person.figure, person.pose);
  for (std::size_t v = 0; v < 2; ++v) {
    KeyPoints& view = plan.views[v];
    view.names = {"left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist",
                  "left_hip",      "right_hip",      "left_knee",  "right_knee",  "left_ankle", "right_ankle"};
    view.frameCount = 1;
    plan.points = pointsOfKeyPoints(person, view.names);
    for (const FitPoint& point : plan.points)
      view.seen.push_back({plan.cameras[v].project(size * placeOf(truth, point.point)), 1.0});
  }
  return plan;
}

TEST(PictureFits, SeveralViewsTellTheSize) {
  auto opened = openAny("human");
  ASSERT_TRUE(opened);
  addPosePrior(opened->document);
  PictureFitPlan plan = seenFromTwoSides(opened->document, 0.8);
  plan.noise = 0.5;
  const PictureFitResult found = fitPictures(opened->document, plan);
  ASSERT_EQ(found.fault, "");
  EXPECT_NEAR(found.scale.scale, 1.25, 1e-9);
  EXPECT_NE(found.scale.sentence.find("bones"), std::string::npos);
  EXPECT_LT(found.meanError, 0.5);
  EXPECT_NEAR((found.cameras[0].worldFromCamera.translation - Eigen::Vector3d(0.625, 1.875, 5.0)).norm(), 0.0, 1e-8);
  plan.scale = 1.0;
  EXPECT_GT(fitPictures(opened->document, plan).meanError, 2.0 * found.meanError);
  plan.scale = 1e300;
  EXPECT_NE(fitPictures(opened->document, plan).fault.find("metres away"), std::string::npos);
  plan.scale = -1.0;
  EXPECT_EQ(fitPictures(opened->document, plan).fault, "the scale must be a number > 0");
  plan.scale = 1.0;
  plan.cameras.clear();
  plan.views.resize(1);
  plan.views[0].width = plan.views[0].height = 1000;
  EXPECT_EQ(fitPictures(opened->document, plan).fault, "a scale needs cameras that are known");
}

// Cameras and pose are found together: to the size of the figure, everything is unchanged, except for the position and
// the heading in the world.
TEST(PictureFits, TheCamerasOfSeveralViewsAreFound) {
  auto opened = openAny("human");
  ASSERT_TRUE(opened);
  addPosePrior(opened->document);
  const Figure& figure = *opened->document.figure;
  PictureFitPlan plan = seenFromTwoSides(opened->document, 1.0);
  plan.noise = 1.0;
  const std::vector<PictureCamera> truth = std::exchange(plan.cameras, {});
  EXPECT_EQ(fitPictures(opened->document, plan).fault, "the size of the pictures is not known");
  for (std::size_t v = 0; v < 2; ++v) {
    plan.views[v].width = static_cast<int>(2.0 * truth[v].centre.x());
    plan.views[v].height = static_cast<int>(2.0 * truth[v].centre.y());
  }
  const PictureFitResult result = fitPictures(opened->document, plan);
  ASSERT_EQ(result.fault, "");
  EXPECT_TRUE(result.isCameraFound);
  ASSERT_EQ(result.cameras.size(), 2u);
  EXPECT_LT(result.meanError, 2.0);
  const Kinematics was = transformsOf(figure, opened->document.pose), is = transformsOf(figure, result.frames[0].pose);
  for (const FitPoint& a : plan.points)
    for (const FitPoint& b : plan.points)
      EXPECT_NEAR((placeOf(is, a.point) - placeOf(is, b.point)).norm(),
                  (placeOf(was, a.point) - placeOf(was, b.point)).norm(), 0.05);
  for (std::size_t v = 0; v < 2; ++v) EXPECT_NEAR(result.cameras[v].focal / truth[v].focal, 1.0, 0.25);
  const auto turnOf = [](const std::vector<PictureCamera>& cameras) -> Eigen::Matrix3d {
    return cameras[0].worldFromCamera.rotation.transpose() * cameras[1].worldFromCamera.rotation;
  };
  EXPECT_LT(Eigen::AngleAxisd(turnOf(result.cameras).transpose() * turnOf(truth)).angle(), 0.1);
  for (SeenPixel& seen : plan.views[1].seen) seen.confidence = 0.0;
  EXPECT_EQ(fitPictures(opened->document, plan).fault, "view 2 has too few key points to determine its camera");
}

TEST(PictureFits, APointThatAViewSeesElsewhereTellsNoSize) {
  auto opened = openAny("human");
  ASSERT_TRUE(opened);
  PictureFitPlan plan = seenFromTwoSides(opened->document, 0.8);
  plan.views[1].seen[4].place += Eigen::Vector2d(60.0, 200.0);
  plan.views[0].seen[9].confidence = 0.0;
  EXPECT_NEAR(guessPictureScale(*opened->document.figure, plan, 2.0).scale, 1.25, 1e-9);
}

TEST(PictureFits, ALongFilmTellsTheSizeByAFewOfItsFrames) {
  auto opened = openAny("human");
  ASSERT_TRUE(opened);
  PictureFitPlan plan = seenFromTwoSides(opened->document, 0.8);
  for (KeyPoints& view : plan.views) {
    const std::vector<SeenPixel> frame = view.seen;
    while (view.frameCount < 701) {
      view.seen.insert(view.seen.end(), frame.begin(), frame.end());
      ++view.frameCount;
    }
  }
  EXPECT_NEAR(guessPictureScale(*opened->document.figure, plan, 2.0).scale, 1.25, 1e-9);
}

TEST(PictureFits, OneViewOrTwoFromOnePlaceTellNoSize) {
  auto opened = openAny("human");
  ASSERT_TRUE(opened);
  PictureFitPlan plan = seenFromTwoSides(opened->document, 0.8);
  plan.cameras[1] = plan.cameras[0];
  plan.views[1] = plan.views[0];
  EXPECT_EQ(guessPictureScale(*opened->document.figure, plan, 2.0).scale, 1.0);
  plan.cameras.pop_back();
  plan.views.pop_back();
  EXPECT_EQ(guessPictureScale(*opened->document.figure, plan, 2.0).scale, 1.0);
}

/// Points in a list, each [10 i, 20 i] or as an object.
std::string listed(int count, const std::string& before, const std::string& between, const std::string& after) {
  std::string text = "[";
  for (int i = 1; i <= count; ++i)
    text += (i > 1 ? ", " : "") + before + std::to_string(10.0 * i) + between + std::to_string(20.0 * i) + after;
  return text + "]";
}

TEST_F(KeyPointFiles, FramesOfControlNetAreAList) {
  const std::string person = R"({"people": [{"pose_keypoints_2d": )" + triples(18, 1.0) +
                             R"(, "face_keypoints_2d": null, "hand_left_keypoints_2d": null}], "canvas_width": 512,
                             "canvas_height": 768})";
  const KeyPoints points = read("frames.json", "[" + person + ", " + person + "]");
  EXPECT_EQ(points.frameCount, 2);
  EXPECT_EQ(points.width, 512);
  EXPECT_EQ(points.height, 768);
  EXPECT_TRUE(at(points, 1, "neck").place.isApprox(Eigen::Vector2d(20.0, 40.0)));
}

TEST_F(KeyPointFiles, CoordinatesRelativeToTheCanvasBecomePixels) {
  const KeyPoints points = read(
      "relative.json", R"({"people": [{"pose_keypoints_2d": [)" + [] {
        std::string text;
        for (int i = 0; i < 18; ++i) text += (i > 0 ? ", " : "") + std::string("0.5, 0.25, 1");
        return text;
      }() + R"(]}], "canvas_width": 400, "canvas_height": 800, "version": "x"})");
  EXPECT_TRUE(at(points, 0, "nose").place.isApprox(Eigen::Vector2d(200.0, 200.0)));
}

TEST_F(KeyPointFiles, EditorsWriteAListOfPairs) {
  const KeyPoints points =
      read("editor.json", R"({"width": 512, "height": 768, "keypoints": )" + listed(18, "[", ", ", "]") + "}");
  EXPECT_EQ(points.width, 512);
  EXPECT_TRUE(at(points, 0, "right_shoulder").place.isApprox(Eigen::Vector2d(30.0, 60.0)));
}

TEST_F(KeyPointFiles, AlphaPoseNamesItsPictures) {
  const auto person = [](const std::string& picture, double shift) {
    return R"({"image_id": ")" + picture + R"(", "category_id": 1, "score": 2.5, "keypoints": )" +
           triples(26, 0.9, shift) + "}";
  };
  const KeyPoints points = read("alpha.json", "[" + person("10.jpg", 5.0) + ", " + person("2.jpg", 0.0) + "]");
  EXPECT_EQ(points.frameCount, 2);  // 2 before 10
  EXPECT_TRUE(at(points, 0, "nose").place.isApprox(Eigen::Vector2d(10.0, 20.0)));
  EXPECT_TRUE(at(points, 1, "nose").place.isApprox(Eigen::Vector2d(15.0, 20.0)));
  EXPECT_TRUE(at(points, 0, "mid_hip").isSeen());
}

TEST_F(KeyPointFiles, MmposeHasScoresBesideItsPoints) {
  std::string scores = "[";
  for (int i = 0; i < 17; ++i) scores += (i > 0 ? ", " : "") + std::string(i == 0 ? "0.25" : "0.75");
  const std::string instances =
      R"([{"keypoints": )" + listed(17, "[", ", ", "]") + R"(, "keypoint_scores": )" + scores + "]}]";
  const KeyPoints video = read("video.json", R"({"meta_info": {}, "instance_info": [{"frame_id": 1, "instances": )" +
                                                 instances + R"(}, {"frame_id": 2, "instances": []}]})");
  EXPECT_EQ(video.frameCount, 2);
  EXPECT_DOUBLE_EQ(at(video, 0, "nose").confidence, 0.25);
  EXPECT_FALSE(at(video, 1, "nose").isSeen());
  EXPECT_EQ(read("picture.json", instances).frameCount, 1);
}

TEST_F(KeyPointFiles, NamedPointsNeedNoOrder) {
  const KeyPoints points = read("movenet.json", R"([{"score": 0.9, "keypoints": [
      {"x": 10, "y": 20, "score": 0.5, "name": "left_eye"}, {"x": 30, "y": 40, "score": 0.6, "name": "nose"}]}])");
  EXPECT_TRUE(at(points, 0, "nose").place.isApprox(Eigen::Vector2d(30.0, 40.0)));
  const KeyPoints posenet = read("posenet.json", R"({"score": 0.9, "keypoints": [
      {"position": {"x": 10, "y": 20}, "part": "leftEye", "score": 0.5}]})");
  EXPECT_DOUBLE_EQ(at(posenet, 0, "left_eye").confidence, 0.5);
}

TEST_F(KeyPointFiles, ABareListOfMediaPipeIsAFrame) {
  std::string list = "[";
  for (int i = 0; i < 33; ++i)
    list += (i > 0 ? ", " : "") + std::string(R"({"x": 0.5, "y": 0.25, "z": 0, "visibility": 0.8})");
  list += "]";
  const KeyPointChoices choices{.width = 200, .height = 400, .progress = {}};
  EXPECT_TRUE(at(read("one.json", list, choices), 0, "nose").place.isApprox(Eigen::Vector2d(100.0, 100.0)));
  EXPECT_EQ(read("two.json", "[" + list + ", " + list + "]", choices).frameCount, 2);
}

TEST_F(KeyPointFiles, AFolderIsSortedAsPeopleCount) {
  for (int frame : {1, 2, 10})
    write("f" + std::to_string(frame) + ".json",
          R"({"version": 1.3, "people": [{"pose_keypoints_2d": )" + triples(25, 0.8, frame) + "}]}");
  const auto source = readKeyPoints(folder_);
  ASSERT_TRUE(source);
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(at(source->points, i, "nose").place.x(), 10.0 + (i == 2 ? 10 : i + 1));
}

}  // namespace
}  // namespace limber::io::key_points_test

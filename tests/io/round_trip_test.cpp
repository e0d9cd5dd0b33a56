// SPDX-License-Identifier: MIT
// Exports can be opened again without loss: each figure in each format that can be opened, at rest, in an awkward pose
// and with a motion. Files of the sample data are skipped where they are not present.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <unordered_map>

#include "limber/io/base/file.h"
#include "limber/io/export_formats.h"
#include "limber/io/json/pose_json.h"
#include "limber/io/motion_file.h"
#include "limber/io/open.h"
#include "limber/io/robot/robot.h"
#include "limber/kinematics/forward_kinematics.h"
#include "locations.h"
#include "results.h"
#include "support/awkward_figure.h"
#include "support/repetitions.h"
#include "support/temporary_folder.h"

namespace limber::io::round_trip_test {
namespace {
namespace fs = std::filesystem;

constexpr double kRounding = 1e-6;  // of the figure's size: animations of glTF are floats
constexpr double kFrameTime = 0.0083333;

/// How a format shows places: BVH knows neither the world's unit and axes nor the links' own axes.
enum class Shows { Scene, File };

struct Places {
  std::vector<Eigen::Vector3d> points;
  std::vector<Eigen::Matrix3d> turns;
};

Places placesOf(const Figure& figure, const Pose& pose, Shows shows) {
  const Kinematics rest = transformsOf(figure, restPose(figure)), now = transformsOf(figure, pose);
  const FileFrame& frame = figure.fileFrame();
  Places out;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Transform& place = now.worldFromLink[i];
    const bool isScene = shows == Shows::Scene;
    out.points.push_back(isScene ? place.translation : frame.toFile(place.translation));
    const Eigen::Matrix3d turn = place.rotation * rest.worldFromLink[i].rotation.transpose();
    out.turns.push_back(isScene ? place.rotation
                                : Eigen::Matrix3d(frame.sceneFromFile.transpose() * turn * frame.sceneFromFile));
  }
  return out;
}

double sizeOf(const std::vector<Eigen::Vector3d>& points) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& point : points) box.extend(point);
  return std::max(box.diagonal().norm(), 1e-3);
}

/// The link's name as a format can hold it.
std::string nameIn(Shows shows, std::string name) {
  if (shows == Shows::File)
    std::ranges::replace_if(
        name, [](char c) { return c == ' ' || c == '\t' || c == '{' || c == '}'; }, '_');
  return name;
}

/// The first link of each name.
std::unordered_map<std::string, int> linksByName(const Figure& figure, Shows shows) {
  std::unordered_map<std::string, int> links;
  for (int i = 0; i < figure.linkCount(); ++i) links.emplace(nameIn(shows, figure.link(i).name), i);
  return links;
}

void expectSame(const Document& ours, const Pose& pose, const Document& theirs, const Pose& read, Shows shows) {
  const Figure &figure = *ours.figure, &other = *theirs.figure;
  ASSERT_EQ(figure.linkCount(), other.linkCount());
  const Places a = placesOf(figure, pose, shows), b = placesOf(other, read, shows);
  const double size = sizeOf(placesOf(figure, restPose(figure), shows).points) + a.points[0].norm();
  const auto links = linksByName(other, shows);
  double apart = 0.0, turned = 0.0;
  std::string worst;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const auto found = links.find(nameIn(shows, figure.link(i).name));
    ASSERT_NE(found, links.end()) << figure.link(i).name << " is lost";
    const int same = found->second;
    const double distance = (a.points[i] - b.points[same]).norm() / size;
    if (distance > apart) worst = figure.link(i).name;
    apart = std::max(apart, distance);
    turned = std::max(turned, (a.turns[i] - b.turns[same]).norm());
  }
  EXPECT_LE(apart, kRounding) << worst;
  EXPECT_LE(turned, 3 * kRounding) << worst;
}

/// The motion of the same name, or the one that was shown; null for none.
std::shared_ptr<const Motion> sameMotion(const Document& ours, const Document& theirs) {
  for (const auto& motion : motionsOf(theirs))
    if (motion->name == ours.motion->name) return motion;
  return theirs.motion;
}

void expectSameMotion(const Document& ours, const Document& theirs, Shows shows) {
  const auto motion = sameMotion(ours, theirs);
  if (!motion && ours.motion->frameCount == 1) return expectSame(ours, ours.pose, theirs, theirs.pose, shows);
  ASSERT_TRUE(motion);
  ASSERT_EQ(motion->frameCount, ours.motion->frameCount);
  EXPECT_NEAR(motion->frameTime, ours.motion->frameTime, 1e-12);
  EXPECT_TRUE(shows != Shows::Scene || motion->name == ours.motion->name) << motion->name;
  const int count = ours.motion->frameCount, step = std::max(1, count / 5);
  for (int frame = 0; frame < count; frame += step) {
    SCOPED_TRACE("frame " + std::to_string(frame));
    expectSame(ours, poseOfTake(ours, frame), theirs, motion->poseAt(*theirs.figure, frame), shows);
    if (testing::Test::HasFailure()) return;
  }
}

class RoundTrip : public test::TemporaryFolder, public testing::WithParamInterface<std::string> {
 protected:
  /// Exports and opens again. Files that a .gltf refers to are searched in its own folder.
  Document sent(const Document& document, const std::string& ending, std::vector<std::string>& notes) const {
    const fs::path path = folder_ / ("sent" + ending);
    notes = test::valueOf(exportFile(document, path));
    OpenContext context;
    if (document.source) context.folders.push_back(document.source->path.parent_path());
    return test::valueOf(openAny(path.string(), context)).document;
  }

  void sendAll(const Document& document) const {
    for (const std::string ending : {".bvh", ".gltf", ".glb", ".limber"}) {
      SCOPED_TRACE(ending);
      const Shows shows = ending == ".bvh" ? Shows::File : Shows::Scene;
      std::vector<std::string> notes;
      const Document back = sent(document, ending, notes);
      if (test::hasNote(notes, "cannot express")) continue;  // channels of the BVH file itself
      if (document.motion) expectSameMotion(document, back, shows);
      else if (!back.motion || shows == Shows::File) expectSame(document, document.pose, back, back.pose, shows);
      else expectSame(document, document.pose, back, restPose(*back.figure), shows);  // and the file's own motions
    }
  }

  /// A robot's file has no pose: the same coordinates must give the same places. A link for the world and links for
  /// sites may be added.
  void sendAsUrdf(const Document& document) const {
    SCOPED_TRACE(".urdf");
    const fs::path path = folder_ / "sent.urdf";
    test::valueOf(exportFile(document, path));
    const FigureSource back = test::valueOf(readUrdf(test::valueOf(readFile(path)), path));
    const Figure &figure = *document.figure, &other = *back.figure;
    Pose ours = document.pose, theirs = restPose(other);
    for (const Joint& joint : figure.joints()) {
      const int size = poseSize(joint.type), same = other.findJoint(joint.name);
      const auto rest = figure.restPose().segment(joint.poseIndex, size);
      if (joint.freed) ours.coordinates.segment(joint.poseIndex, size) = rest;
      if (joint.freed || size == 0) continue;
      ASSERT_TRUE(same >= 0 && other.joint(same).type == joint.type) << joint.name;
      theirs.coordinates.segment(other.joint(same).poseIndex, size) = ours.coordinates.segment(joint.poseIndex, size);
      if (isScalar(joint)) {
        EXPECT_EQ(other.joint(same).limits, document.joints[figure.findJoint(joint.name)].limits);
      }
    }
    const Places a = placesOf(figure, ours, Shows::Scene), b = placesOf(other, theirs, Shows::Scene);
    const bool isRobot = figure.fileFrame().sceneFromFile == other.fileFrame().sceneFromFile;
    const Eigen::Vector3d shift = isRobot ? figure.fileFrame().origin : Eigen::Vector3d::Zero().eval();
    const double size = sizeOf(a.points) + a.points[0].norm();
    for (int i = 0; i < figure.linkCount(); ++i) {
      const int same = other.findLink(figure.link(i).name);
      ASSERT_GE(same, 0) << figure.link(i).name << " is lost";
      EXPECT_LE((a.points[i] - shift - b.points[same]).norm(), kRounding * size) << figure.link(i).name;
      EXPECT_LE((a.turns[i] - b.turns[same]).norm(), kRounding) << figure.link(i).name;
      const double mass = figure.link(i).mass;
      EXPECT_NEAR(other.link(same).mass, mass, 1e-9 * (mass + 1.0)) << figure.link(i).name;
    }
  }

  void sendJointStates(const Document& document) const {
    const Figure& figure = *document.figure;
    for (const std::string ending : {".json", ".csv"}) {
      SCOPED_TRACE(ending);
      const fs::path path = folder_ / ("states" + ending);
      test::valueOf(exportFile(document, path));
      const auto motion = test::valueOf(readMotionFor(document, path));
      ASSERT_EQ(motion->frameCount, document.motion->frameCount);
      EXPECT_NEAR(motion->frameTime, document.motion->frameTime, 1e-12);
      for (int frame = 0; frame < motion->frameCount; ++frame)
        EXPECT_LE(
            (motion->poseAt(figure, frame).coordinates - poseOfTake(document, frame).coordinates).cwiseAbs().maxCoeff(),
            1e-12);
    }
  }
};

std::shared_ptr<const Motion> awkwardMotion(const Figure& figure, int frames) {
  std::mt19937 random(5);
  auto motion = std::make_shared<Motion>();
  motion->name = "awkward";
  motion->frameTime = kFrameTime;
  for (int frame = 0; frame < frames; ++frame) motion->append(test::randomPose(figure, random));
  return motion;
}

std::string pathOfSample(const std::string& name) {
  if (isStandardFigure(name)) return name;
  return (name.starts_with("resources/") ? fs::path(LIMBER_SOURCE_DIR) : fs::path(LIMBER_SHARED_DATA_DIR)) / name;
}

TEST_P(RoundTrip, KeepsLinksNamesPlacesAndFrames) {
  const std::string path = pathOfSample(GetParam());
  if (!isStandardFigure(path) && !fs::exists(path)) GTEST_SKIP() << "no sample data: " << path;
  const auto opened = openAny(path);
  if (!opened && path.ends_with(".fbx")) GTEST_SKIP() << opened.error().message();
  ASSERT_TRUE(opened) << opened.error().message();
  {
    SCOPED_TRACE("as it opens");
    sendAll(opened->document);
  }
  Document still = opened->document;
  still.clips.clear();
  still.motion = nullptr;
  still.frame = 0;
  still.pose = restPose(*still.figure);
  {
    SCOPED_TRACE("at rest");
    sendAll(still);
  }
  std::mt19937 random(9);
  still.pose = test::randomPose(*still.figure, random);
  {
    SCOPED_TRACE("in an awkward pose");
    // A pose of unevenly scaled nodes would be the rest of another figure.
    if (!test::hasNote(opened->notes, "scaled unevenly")) sendAll(still);
    sendAsUrdf(still);
  }
  setMotion(still, awkwardMotion(*still.figure, still.figure->linkCount() > 200 ? 3 : test::repetitions(130, 12)));
  still.pose = still.motion->poseAt(*still.figure, 0);
  SCOPED_TRACE("with a motion");
  sendAll(still);
  if (still.figure->poseSize() > 0) sendJointStates(still);
}

std::vector<std::string> samples() {
  std::vector<std::string> out = {"planar:7", "ball:5", "arm", "human", "human-without-fingers", "humanoid"};
  for (const fs::path& root : {fs::path(LIMBER_SOURCE_DIR) / "resources", fs::path(LIMBER_SHARED_DATA_DIR)}) {
    std::error_code fault;
    for (const auto& entry : fs::recursive_directory_iterator(root, fault)) {
      const std::string name = entry.path().string(), ending = entry.path().extension().string();
      static const std::vector<std::string> kEndings = {".limber", ".bvh", ".urdf", ".xml", ".gltf",
                                                        ".glb",    ".vrm", ".fbx",  ".json"};
      const bool isFigure =
          entry.is_regular_file() && std::ranges::count(kEndings, ending) > 0 &&
          name.find("/poses/") == std::string::npos && name.find("/key_points/") == std::string::npos &&
          name.find("/schemas/") == std::string::npos && entry.path().filename() != "pose_prior.json" &&
          entry.path().filename() != "ground_truth.json";
      const fs::path base = root.filename() == "resources" ? root.parent_path() : root;
      if (isFigure) out.push_back(entry.path().lexically_relative(base).string());
    }
  }
  if (!fs::exists(LIMBER_SHARED_DATA_DIR)) out.push_back("sample data");  // is then seen to be skipped
  std::ranges::sort(out);
  return out;
}

std::string nameOf(const testing::TestParamInfo<std::string>& param) {
  std::string name;
  for (const char c : param.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(, RoundTrip, testing::ValuesIn(samples()), nameOf);

}  // namespace
}  // namespace limber::io::round_trip_test

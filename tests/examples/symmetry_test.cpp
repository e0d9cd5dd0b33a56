// SPDX-License-Identifier: MIT
// The two sides of the figures that Limber brings along and of imported characters: found, flipped, mirrored, and posed
// alike while a hand is dragged.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "limber/body/body_map.h"
#include "limber/body/mirror.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/posing.h"
#include "locations.h"

namespace limber::symmetry_examples_test {
namespace {

struct Case {
  const char* name;  ///< as openAny takes it; a path below the shared data when it has a slash
  int pairs;         ///< of moving joints
  double misfit;     ///< metres: how far the figure itself is from symmetric
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

// The models of others are symmetric as far as their authors made them.
constexpr double kAsModelled = 0.1;  // metres
const Case kCases[] = {
    {"humanoid", 17, 1e-9},
    {LIMBER_SOURCE_DIR "/resources/figures/body.json", 17, 1e-9},
    {LIMBER_SOURCE_DIR "/resources/figures/torso_human.json", 13, 1e-9},
    {LIMBER_SOURCE_DIR "/resources/figures/spine_human.json", 15, 1e-9},
    {LIMBER_SOURCE_DIR "/resources/figures/pupper.json", 6, 1e-9},
    {"shared:bvh/cmu_01_01.bvh", 12, kAsModelled},
    {"shared:bvh/fair_wave_hello.bvh", 10, kAsModelled},
    {"shared:bvh/makehuman_tpose.bvh", 75, kAsModelled},
    {"shared:gltf/CesiumMan.gltf", 7, kAsModelled},
    {"shared:gltf/Fox.glb", 7, kAsModelled},
    {"shared:mjcf/humanoid.xml", 9, kAsModelled},
    {"shared:urdf/g1/g1_29dof_rev_1_0.urdf", 13, kAsModelled},
    {"shared:vrm/cryptovoxels.vrm", 25, kAsModelled},
};

/// Empty when the file is not here.
std::string pathOf(const Case& c) {
  const std::string name = c.name;
  if (!name.starts_with("shared:")) return name;
  const std::string path = std::string(LIMBER_SHARED_DATA_DIR) + "/" + name.substr(7);
  return std::filesystem::exists(path) ? path : std::string();
}

class SymmetryOf : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const std::string path = pathOf(GetParam());
    if (path.empty()) GTEST_SKIP() << GetParam().name << " is not here";
    auto opened = io::openAny(path);
    ASSERT_TRUE(opened) << opened.error().message();
    document_ = std::move(opened->document);
    const FoundSymmetry found = bodyMapOf(figure()).symmetry();
    ASSERT_TRUE(found.symmetry) << found.note;
    symmetry_ = found.symmetry;
    note_ = found.note;
  }

  const Figure& figure() const { return *document_.figure; }

  /// Somewhere within the joints' own limits.
  Pose randomPose(std::mt19937& random) const {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    Pose pose = restPose(figure());
    for (int i = 0; i < figure().linkCount(); ++i) {
      const Joint& joint = figure().joint(i);
      const Interval& limits = document_.joints[static_cast<std::size_t>(i)].limits;
      if (isScalar(joint)) {
        const double low = std::max(limits.lower, -2.0), high = std::min(limits.upper, 2.0);
        pose.coordinates[joint.poseIndex] = low + 0.5 * (unit(random) + 1.0) * (high - low);
      }
      if (hasRotation(joint))
        setJointRotation(
            figure(), i,
            jointRotation(figure(), pose, i) * exponential(Eigen::Vector3d(unit(random), unit(random), unit(random))),
            pose);
      if (joint.type == JointType::Free)
        for (int k = 0; k < 3; ++k) pose.coordinates[joint.poseIndex + k] += unit(random);
    }
    clampToLimits(document_, pose);
    return pose;
  }

  Document document_;
  std::shared_ptr<const Symmetry> symmetry_;
  std::string note_;
};

TEST_P(SymmetryOf, PairsEveryPartner) {
  int pairs = 0;
  for (int i = 0; i < figure().linkCount(); ++i) {
    const int j = symmetry_->partner[static_cast<std::size_t>(i)];
    if (j < 0) continue;
    EXPECT_EQ(symmetry_->partner[static_cast<std::size_t>(j)], i);
    EXPECT_EQ(figure().joint(i).type, figure().joint(j).type);
    if (j > i && stepSize(figure().joint(i).type) > 0) ++pairs;
  }
  RecordProperty("pairs", pairs);
  RecordProperty("note", note_);
  EXPECT_GE(pairs, GetParam().pairs);
}

TEST_P(SymmetryOf, FlippedTwiceIsThePoseItself) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Pose pose = randomPose(random);
    const Pose twice = flipped(figure(), *symmetry_, flipped(figure(), *symmetry_, pose));
    EXPECT_LT((twice.coordinates - pose.coordinates).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST_P(SymmetryOf, FlippedIsWhatTheMirrorShows) {
  std::mt19937 random(8);
  Kinematics before, after;
  for (int trial = 0; trial < 10; ++trial) {
    const Pose pose = randomPose(random);
    const Mirror mirror = mirrorAt(figure(), *symmetry_, pose);
    computeTransforms(figure(), pose, before);
    computeTransforms(figure(), flipped(figure(), *symmetry_, pose), after);
    double worst = 0.0;
    for (int i = 0; i < figure().linkCount(); ++i)
      if (const int j = symmetry_->partner[static_cast<std::size_t>(i)]; j >= 0)
        worst = std::max(worst, (mirror.imageOf(before.worldFromLink[static_cast<std::size_t>(i)].translation) -
                                 after.worldFromLink[static_cast<std::size_t>(j)].translation)
                                    .norm());
    EXPECT_LT(worst, GetParam().misfit);
  }
}

TEST_P(SymmetryOf, MadeSymmetricIsItsOwnImageAndWithinLimits) {
  std::mt19937 random(9);
  for (int trial = 0; trial < 10; ++trial)
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
      Pose pose = randomPose(random);
      makeSymmetric(document_, *symmetry_, side, pose);
      EXPECT_LT(asymmetry(figure(), *symmetry_, pose), 1e-9);
      Pose inside = pose;
      clampToLimits(document_, inside);
      EXPECT_LT((inside.coordinates - pose.coordinates).cwiseAbs().maxCoeff(), 1e-12);
    }
}

TEST_P(SymmetryOf, ADragPosesBothSidesAlike) {
  int hand = -1;  // the farthest link of the left side
  for (int i = 0; i < figure().linkCount(); ++i)
    if (symmetry_->side[static_cast<std::size_t>(i)] == BodySide::Left && figure().children(i).empty() && hand < 0)
      hand = i;
  ASSERT_GE(hand, 0);
  document_.symmetry = symmetry_;
  document_.mode = Mode::Inverse;
  document_.goals.clear();
  makeSymmetric(document_, *symmetry_, BodySide::Left, document_.pose);
  Kinematics kinematics;
  computeTransforms(figure(), document_.pose, kinematics);
  const Eigen::Vector3d start = kinematics.worldFromLink[static_cast<std::size_t>(hand)].translation;
  Posing posing;
  PosingRequest request;
  request.startPose = document_.pose;
  const double length = figure().meanLinkLength();
  for (int event = 1; event <= 8; ++event) {
    const Eigen::Vector3d target = start + length * event / 8.0 * Eigen::Vector3d(0.3, 1.0, 0.7);
    request.drag = DragGoal{hand, Eigen::Vector3d::Zero(), target, 1.0};
    const PosingReport report = solveToEnd(posing, document_, request);
    ASSERT_NE(report.outcome, Outcome::BadInput) << report.sentence;
    EXPECT_LT(asymmetry(figure(), *symmetry_, document_.pose), 1e-9) << report.sentence;
    Pose inside = document_.pose;
    clampToLimits(document_, inside);
    EXPECT_LT((inside.coordinates - document_.pose.coordinates).cwiseAbs().maxCoeff(), 1e-12);
    computeTransforms(figure(), document_.pose, kinematics);
    const double left = (kinematics.worldFromLink[static_cast<std::size_t>(hand)].translation - target).norm();
    if (report.outcome == Outcome::Reached) {  // what is said is of the pose that is shown
      EXPECT_LT(left, 2.0 * document_.solver.reachedTolerance * length);
    }
    request.followsLast = true;
  }
}

INSTANTIATE_TEST_SUITE_P(Figures, SymmetryOf, testing::ValuesIn(kCases),
                         [](const auto& param) { return std::to_string(param.index); });

TEST(SymmetryOfAHand, IsNone) {
  const auto opened = io::openAny(LIMBER_SOURCE_DIR "/resources/figures/hand.json");
  ASSERT_TRUE(opened) << opened.error().message();
  const FoundSymmetry found = bodyMapOf(*opened->document.figure).symmetry();
  EXPECT_FALSE(found.symmetry);
  EXPECT_NE(found.note.find("no two sides"), std::string::npos) << found.note;
}

}  // namespace
}  // namespace limber::symmetry_examples_test

// SPDX-License-Identifier: MIT
// Motions and poses of MikuMikuDance, against files that are made here byte by byte and places worked out by hand.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "limber/io/gltf/vrm_rig.h"
#include "limber/io/mmd/mmd.h"
#include "limber/io/mmd/mmd_bones.h"
#include "limber/io/motion_file.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "results.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::mmd_test {
namespace {

using test::hasNote;

constexpr double kFloat = 2e-6;

// In Shift-JIS.
const std::string kCentre = "\x83\x5a\x83\x93\x83\x5e\x81\x5b", kUpper = "\x8f\xe3\x94\xbc\x90\x67",
                  kLeftArm = "\x8d\xb6\x98\x72", kLeftLeg = "\x8d\xb6\x91\xab",
                  kLeftIk = "\x8d\xb6\x91\xab\x82\x68\x82\x6a";

void put(std::uint32_t value, std::string& out) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> 8 * i & 255u);
}

/// A .vmd file that grows key by key.
class Vmd {
 public:
  Vmd& key(const std::string& bone, std::uint32_t frame, const Eigen::Vector3f& place, const Eigen::Vector4f& xyzw,
           const std::string& curve = "\x14\x14\x6b\x6b") {
    keys_ += bone + std::string(15 - bone.size(), '\0');
    put(frame, keys_);
    for (const float number : place) put(std::bit_cast<std::uint32_t>(number), keys_);
    for (const float number : xyzw) put(std::bit_cast<std::uint32_t>(number), keys_);
    for (int row = 0; row < 4; ++row)
      for (const char part : curve) keys_ += std::string(1, part) + std::string(3, '\1');
    ++count_;
    return *this;
  }
  Vmd& ikOff(const std::string& name) {
    end_ = std::string(16, '\0');  // expressions, cameras, lights, shadows
    put(1, end_);
    put(0, end_);
    end_ += '\1';
    put(1, end_);
    end_ += name + std::string(20 - name.size(), '\0') + '\0';
    return *this;
  }
  std::string bytes() const {
    std::string out = "Vocaloid Motion Data 0002";
    out += std::string(50 - out.size(), '\0');
    put(count_, out);
    return out + keys_ + end_;
  }

 private:
  std::string keys_, end_;
  std::uint32_t count_ = 0;
};

const Eigen::Vector4f kNoTurn(0, 0, 0, 1);

Eigen::Vector4f turn(int axis, double angle) {
  Eigen::Vector4f xyzw = Eigen::Vector4f::Zero();
  xyzw[axis] = static_cast<float>(std::sin(0.5 * angle));
  xyzw[3] = static_cast<float>(std::cos(0.5 * angle));
  return xyzw;
}

FigureSource read(const Vmd& vmd) { return test::valueOf(readVmd(vmd.bytes(), "folder/dance.vmd")); }

Eigen::Vector3d placeOf(const FigureSource& source, int frame, const std::string& bone) {
  const Figure& figure = *source.figure;
  return transformsOf(figure, source.motion->poseAt(figure, frame)).worldFromLink[figure.findLink(bone)].translation;
}

TEST(Mmd, OpensAsABodyOfItsBones) {
  const FigureSource source = read(Vmd().key(kCentre, 0, {0, 0, 0}, kNoTurn).key("xyz", 3, {0, 0, 0}, kNoTurn));
  EXPECT_EQ(source.motion->frameCount, 1) << "of keys of bones that are known";
  EXPECT_DOUBLE_EQ(source.motion->frameTime, 1.0 / 30.0);
  EXPECT_TRUE(source.figure->namesBones());
  EXPECT_EQ(source.figure->fileFrame().metresPerUnit, 0.08);
  EXPECT_TRUE(hasNote(source.notes, "1 key of other bones"));
  const Eigen::Vector3d arm = placeOf(source, 0, "leftHand") - placeOf(source, 0, "leftUpperArm");
  EXPECT_LT((arm.normalized() - Eigen::Vector3d(0.8, -0.6, 0)).norm(), 1e-12) << "arms hang down at a slope";
}

TEST(Mmd, TurnsAndPlacesAreMirrored) {
  const double slope = std::atan2(0.6, 0.8);
  const FigureSource source = read(Vmd()
                                       .key(kLeftArm, 0, {0, 0, 0}, turn(2, slope))
                                       .key(kUpper, 0, {0, 0, 0}, turn(0, 0.5))
                                       .key(kCentre, 0, {1, 0, -2}, kNoTurn)
                                       .ikOff(kLeftIk));
  const FigureSource still = read(Vmd().key(kCentre, 0, {0, 0, 0}, kNoTurn));
  const Eigen::Vector3d shift = placeOf(source, 0, "hips") - placeOf(still, 0, "hips");
  EXPECT_LT((shift - Eigen::Vector3d(0.08, 0, 0.16)).norm(), kFloat) << "a body that faces z steps forward";
  const Eigen::Vector3d arm = placeOf(source, 0, "leftHand") - placeOf(source, 0, "leftUpperArm");
  EXPECT_LT((arm.normalized() - Eigen::Vector3d::UnitX()).norm(), kFloat) << "sideways, whatever the trunk does";
  const Eigen::Vector3d trunk = placeOf(source, 0, "chest") - placeOf(source, 0, "spine");
  EXPECT_LT((trunk.normalized() - Eigen::Vector3d(0, std::cos(0.5), -std::sin(0.5))).norm(), kFloat)
      << "a positive turn about x leans back in the left-handed axes of MikuMikuDance";
}

TEST(Mmd, FeetStayWhereTheirTargetsAre) {
  const FigureSource still = read(Vmd().key(kCentre, 0, {0, 0, 0}, kNoTurn));
  const FigureSource low = read(Vmd().key(kCentre, 0, {0, -2, 0}, kNoTurn).key(kLeftIk, 0, {0, 1, -1}, turn(0, 0.3)));
  for (const std::string side : {"left", "right"}) {
    const Eigen::Vector3d foot = placeOf(low, 0, side + "Foot"), knee = placeOf(low, 0, side + "LowerLeg");
    const Eigen::Vector3d shift = side == "left" ? Eigen::Vector3d(0, 0.08, 0.08) : Eigen::Vector3d::Zero();
    EXPECT_LT((foot - placeOf(still, 0, side + "Foot") - shift).norm(), 1e-5) << side;
    EXPECT_GT(knee.z() - 0.5 * foot.z(), 0.05) << side << ": knees bend forward";
  }
  const FigureSource far = read(Vmd().key(kCentre, 0, {0, 3, 0}, kNoTurn));
  EXPECT_NEAR((placeOf(far, 0, "leftFoot") - placeOf(far, 0, "leftUpperLeg")).norm(), 10.1 * 0.08, 1e-9) << "stretched";
}

TEST(Mmd, LegsThatTurnByThemselvesAreNotPulled) {
  const Vmd turned = Vmd().key(kLeftLeg, 0, {0, 0, 0}, turn(0, -0.7));
  const FigureSource source = read(turned), pulled = read(Vmd(turned).key(kLeftIk, 0, {0, 0, 0}, kNoTurn)),
                     off = read(Vmd(turned).key(kLeftIk, 0, {0, 0, 0}, kNoTurn).ikOff(kLeftIk));
  const auto directionOf = [](const FigureSource& of) {
    return Eigen::Vector3d((placeOf(of, 0, "leftFoot") - placeOf(of, 0, "leftUpperLeg")).normalized());
  };
  const Eigen::Vector3d expected(0, -std::cos(0.7), -std::sin(0.7));
  EXPECT_LT((directionOf(source) - expected).norm(), kFloat);
  EXPECT_LT((directionOf(off) - expected).norm(), kFloat);
  EXPECT_LT((directionOf(pulled) + Eigen::Vector3d::UnitY()).norm(), 1e-4);
}

TEST(Mmd, KeysHaveCurves) {
  const std::string early("\0\x7f\x7f\x7f", 4);  // x1 0, y1 1, x2 1, y2 1: at half the way in x, 7/8 in y
  const FigureSource source = read(Vmd()
                                       .key(kCentre, 0, {0, 0, 0}, kNoTurn)
                                       .key(kCentre, 10, {1, 0, 0}, turn(1, 0.8), early)
                                       .key(kCentre, 20, {3, 0, 0}, turn(1, 0.8)));
  ASSERT_EQ(source.motion->frameCount, 21);
  EXPECT_NEAR(placeOf(source, 5, "hips").x(), 0.875 * 0.08, kFloat);
  EXPECT_NEAR(placeOf(source, 15, "hips").x(), 2.0 * 0.08, kFloat);
  const Figure& figure = *source.figure;
  const Eigen::Quaterniond hips = jointRotation(figure, source.motion->poseAt(figure, 5), 0);
  EXPECT_NEAR(2.0 * std::asin(-hips.y()), 0.7, kFloat);
}

Document human() { return test::valueOf(openAny("human")).document; }

/// A pose far from rest; limits do not matter.
Pose somePose(const Figure& figure, std::uint32_t seed) {
  std::mt19937 random(seed);
  Eigen::VectorXd step(figure.stepSize());
  for (double& number : step) number = 0.8 * (static_cast<double>(random()) / 4294967295.0 - 0.5);
  Pose pose;
  integrate(figure, restPose(figure), step, pose);
  return pose;
}

void expectSameBody(const Figure& a, const Pose& poseA, const Figure& b, const Pose& poseB, double tolerance) {
  const VrmPose one = vrmPoseOf(a, *findVrmRig(a), poseA), other = vrmPoseOf(b, *findVrmRig(b), poseB);
  EXPECT_LT((one.shift - other.shift).norm(), tolerance);
  int compared = 0;
  for (const auto& [name, rotation] : other.rotations) {
    const auto told = one.rotations.find(name == "chest" && one.rotations.contains("upperChest") ? "upperChest" : name);
    if (told == one.rotations.end()) continue;
    EXPECT_LT((told->second - rotation).norm(), tolerance) << name;
    ++compared;
  }
  EXPECT_GE(compared, 35);
}

TEST(Mmd, MotionsComeBack) {
  Document document = human();
  auto motion = std::make_shared<Motion>();
  motion->frameTime = 1.0 / 30.0;
  for (std::uint32_t i = 0; i < 5; ++i) motion->append(somePose(*document.figure, i == 2 ? 1 : i));  // one pause
  setMotion(document, motion);
  document.pose = motion->poseAt(*document.figure, 0);
  const Exported out = test::valueOf(formatVmd(document));
  EXPECT_TRUE(out.notes.empty());
  const FigureSource again = test::valueOf(readVmd(out.bytes, "again.vmd"));
  ASSERT_EQ(again.motion->frameCount, 5);
  for (int i = 0; i < 5; ++i)
    expectSameBody(*document.figure, motion->poseAt(*document.figure, i), *again.figure,
                   again.motion->poseAt(*again.figure, i), 1e-5);
}

TEST(Mmd, PosesComeBack) {
  Document document = human();
  document.pose = somePose(*document.figure, 9);
  const FigureSource again = test::valueOf(readVpd(test::valueOf(formatVpd(document)).bytes, "again.vpd"));
  expectSameBody(*document.figure, document.pose, *again.figure, again.motion->poseAt(*again.figure, 0), 1e-5);
}

TEST(Mmd, OtherRatesAreWrittenAtThirtyFramesASecond) {
  Document document = human();
  auto motion = std::make_shared<Motion>();
  motion->frameTime = 1.0 / 60.0;
  for (std::uint32_t i = 0; i < 61; ++i) motion->append(somePose(*document.figure, 5));
  setMotion(document, motion);
  const Exported out = test::valueOf(formatVmd(document));
  EXPECT_TRUE(hasNote(out.notes, "30 frames a second"));
  EXPECT_EQ(test::valueOf(readVmd(out.bytes, "a.vmd")).motion->frameCount, 1) << "nothing moves: one key";
}

using MmdFiles = test::TemporaryFolder;

TEST_F(MmdFiles, AnyBodyTakesThem) {
  const auto path =
      write("squat.vmd", Vmd().key(kCentre, 0, {0, 0, 0}, kNoTurn).key(kCentre, 30, {0, -3, 0}, kNoTurn).bytes());
  const Document document = human();
  const auto motion = test::valueOf(readMotionFor(document, path));
  ASSERT_EQ(motion->frameCount, 31);
  const std::string hips = findVrmRig(*document.figure)->bones.front().name;
  const int link = findVrmRig(*document.figure)->bones.front().link;
  const auto heightOf = [&](int frame) {
    const Kinematics now = transformsOf(*document.figure, motion->poseAt(*document.figure, frame));
    return now.worldFromLink[link].translation.y();
  };
  EXPECT_LT(heightOf(30), heightOf(0) - 0.15) << hips;
}

TEST(Mmd, VpdIsTextInEitherEncoding) {
  const std::string head = "Vocaloid Pose Data file\r\n\r\nmiku.osm;\t\t// model\r\n1;\r\n\r\n";
  const std::string numbers = "\r\n  0.0,-1.0,0.0;\t// place\r\n  0.0,0.0,0.0,1.0;\r\n}\r\n";
  for (const std::string& name : {kCentre, std::string("センター")}) {
    const FigureSource source = test::valueOf(readVpd(head + "Bone0{" + name + numbers, "p.vpd"));
    EXPECT_NEAR(placeOf(source, 0, "hips").y(), (11.2 - 1.0) * 0.08, 1e-9);
  }
}

TEST(Mmd, FaultsAreNamed) {
  const std::string good = Vmd().key(kCentre, 0, {0, 0, 0}, kNoTurn).bytes();
  const auto faultOf = [](const std::string& bytes) { return test::messageOf(readVmd(bytes, "a.vmd")); };
  EXPECT_TRUE(test::says(faultOf(good.substr(0, 100)), {"a.vmd: byte 54", "1 keys of bones", "more than the file"}));
  EXPECT_TRUE(test::says(faultOf(good.substr(0, 40)), {"a.vmd: byte 30", "header"}));
  std::string endless = good;
  endless[50] = '\xff';
  EXPECT_TRUE(test::says(faultOf(endless), {"announces 255 keys of bones"}));
  const float nan = std::nanf("");
  EXPECT_TRUE(test::says(faultOf(Vmd().key(kCentre, 0, {nan, 0, 0}, kNoTurn).bytes()), {"byte 54", "not finite"}));
  EXPECT_TRUE(test::says(faultOf(Vmd().key(kCentre, 4000000000u, {0, 0, 0}, kNoTurn).bytes()),
                         {"a.vmd", "frame 4000000000", "too late"}));
  EXPECT_TRUE(test::says(faultOf(Vmd().key("hair", 0, {0, 0, 0}, kNoTurn).bytes()), {"no key of a bone"}));
  const auto pose = [](const std::string& text) {
    return test::messageOf(readVpd("Vocaloid Pose Data file\n" + text, "a.vpd"));
  };
  EXPECT_TRUE(test::says(pose("Bone0{" + kCentre + "\n1,2;\n"), {"a.vpd: line 3", "the place", "3 numbers"}));
  EXPECT_TRUE(test::says(pose("Bone0{" + kCentre + "\n1,2,3;\n0,0,0,0;\n}"), {"a.vpd: line 4", "no length"}));
  EXPECT_TRUE(test::says(pose("Bone0{" + kCentre + "\n1,2,3;\n"), {"ends before the quaternion"}));
  EXPECT_TRUE(test::says(pose(""), {"no bone"}));
  Document chain = test::valueOf(openAny("planar:3")).document;
  EXPECT_TRUE(test::says(test::messageOf(formatVmd(chain)), {"human body"}));
}

}  // namespace
}  // namespace limber::io::mmd_test

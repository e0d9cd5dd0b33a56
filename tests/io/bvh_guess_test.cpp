// SPDX-License-Identifier: MIT
// Guesses from the motion of a BVH file: whether position channels replace OFFSET, the up axis, the unit.
#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "limber/io/bvh/bvh.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/figure_change.h"
#include "results.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::bvh_guess_test {
namespace {

using Eigen::Vector3d;

struct BodyJoint {
  const char* name;
  int parent;
  Vector3d offset;
  Vector3d end = Vector3d::Zero();  // of its End Site; zero for none
};

// A body of 170 cm that stands on the ground when its hips are 93 cm high.
const std::vector<BodyJoint> kBody = {{"Hips", -1, {0, 93, 0}},
                                      {"LeftUpLeg", 0, {9, -3, 0}},
                                      {"LeftLeg", 1, {0, -43, 0}},
                                      {"LeftFoot", 2, {0, -42, 0}, {0, -5, 12}},
                                      {"RightUpLeg", 0, {-9, -3, 0}},
                                      {"RightLeg", 4, {0, -43, 0}},
                                      {"RightFoot", 5, {0, -42, 0}, {0, -5, 12}},
                                      {"Spine", 0, {0, 12, 0}},
                                      {"Head", 7, {0, 45, 0}, {0, 20, 0}}};
constexpr int kHips = 0, kSpine = 7, kHead = 8;

struct File {
  std::vector<BodyJoint> joints = kBody;
  bool hasInnerPositions = false;  // six channels on every joint
  int frames = 5;
  std::function<Vector3d(int frame, int joint)> position = [](int, int) { return Vector3d(0, 0, 0); };
  std::function<Vector3d(int frame, int joint)> rotation = [](int, int) { return Vector3d(0, 0, 0); };  // z x y

  std::string text() const {
    std::ostringstream out;
    out << "HIERARCHY\n";
    write(0, "ROOT", out);
    out << "MOTION\nFrames: " << frames << "\nFrame Time: 0.05\n";
    for (int frame = 0; frame < frames; ++frame) {
      for (int joint = 0; joint < static_cast<int>(joints.size()); ++joint) {
        if (hasPositions(joint)) out << position(frame, joint).transpose() << " ";
        out << rotation(frame, joint).transpose() << " ";
      }
      out << "\n";
    }
    return out.str();
  }

 private:
  bool hasPositions(int joint) const { return joint == kHips || hasInnerPositions; }

  void write(int joint, const char* word, std::ostream& out) const {
    const BodyJoint& j = joints[joint];
    out << word << " " << j.name << "\n{\nOFFSET " << j.offset.transpose() << "\nCHANNELS "
        << (hasPositions(joint) ? "6 Xposition Yposition Zposition" : "3") << " Zrotation Xrotation Yrotation\n";
    for (int child = joint + 1; child < static_cast<int>(joints.size()); ++child)
      if (joints[child].parent == joint) write(child, "JOINT", out);
    if (!j.end.isZero()) out << "End Site\n{\nOFFSET " << j.end.transpose() << "\n}\n";
    out << "}\n";
  }
};

/// A walk with OFFSET in the channels, as Blender and others write it.
File replacing() {
  File file{.hasInnerPositions = true};
  file.position = [](int frame, int joint) {
    return joint == kHips ? Vector3d(2 * frame, 93 + frame % 2, 40 * frame) : kBody[joint].offset;
  };
  return file;
}

FigureSource read(const File& file, std::optional<OffsetRule> rule = {}) {
  return test::valueOf(readBvh(file.text(), "body.bvh", {.offsetRule = rule}));
}

/// The place of a link in a frame, centimetres.
Vector3d placeOf(const Document& document, const std::string& link, int frame) {
  const Kinematics kinematics = transformsOf(*document.figure, document.motion->poseAt(*document.figure, frame));
  return 100.0 * kinematics.worldFromLink[document.figure->findLink(link)].translation;
}

Vector3d placeOf(const FigureSource& source, const std::string& link, int frame) {
  return placeOf(documentOf(source), link, frame);
}

bool hasNote(const FigureSource& source, const std::string& words) {
  return std::ranges::any_of(source.notes, [&](const std::string& note) { return note.find(words) != note.npos; });
}

std::string allNotes(const FigureSource& source) {
  std::string all;
  for (const std::string& note : source.notes) all += note + "\n";
  return all;
}

void expectBody(const FigureSource& source, int frame, const Vector3d& hips) {
  EXPECT_EQ(source.figure->fileFrame().metresPerUnit, 0.01) << allNotes(source);
  EXPECT_LT((placeOf(source, "Hips", frame) - hips).norm(), 1e-9) << placeOf(source, "Hips", frame).transpose();
  EXPECT_LT((placeOf(source, "LeftFoot", frame) - hips - Vector3d(9, -88, 0)).norm(), 1e-9);
  EXPECT_LT((placeOf(source, "Head", frame) - hips - Vector3d(0, 57, 0)).norm(), 1e-9);
}

TEST(BvhGuess, ARootThatRepeatsItsOffsetIsReplaced) {
  File file = replacing();
  file.hasInnerPositions = false;
  const FigureSource source = read(file);
  expectBody(source, 3, {6, 94, 120});
  EXPECT_TRUE(hasNote(source, "Position channels replace OFFSET, as the motion shows.")) << allNotes(source);
}

TEST(BvhGuess, ARootThatWandersAroundZeroIsAdded) {
  File file;
  file.position = [](int frame, int) { return Vector3d(3 * frame, -2 + frame, 50 * frame); };
  const FigureSource source = read(file);
  expectBody(source, 2, {6, 93, 100});
  EXPECT_TRUE(hasNote(source, "Position channels are added to OFFSET, as the motion shows.")) << allNotes(source);
}

TEST(BvhGuess, ZeroPositionsOfEveryJointAreAdded) {
  File file{.hasInnerPositions = true, .frames = 1};
  const FigureSource source = read(file);
  expectBody(source, 0, {0, 93, 0});
  EXPECT_TRUE(hasNote(source, "are added to OFFSET, as the motion shows.")) << allNotes(source);
}

TEST(BvhGuess, PositionsOfEveryJointThatRepeatOffsetReplaceIt) {
  const FigureSource source = read(replacing());
  expectBody(source, 4, {8, 93, 160});
  EXPECT_EQ(source.figure->joint(kSpine).type, JointType::Ball) << "its channels never change";
  EXPECT_TRUE(hasNote(source, "replace OFFSET, as the motion shows.")) << allNotes(source);
  const Kinematics rest = transformsOf(*source.figure, restPose(*source.figure));
  EXPECT_NEAR(rest.worldFromLink[kHead].translation.y(), 1.5, 1e-12) << "the rest pose stands on the ground";
}

TEST(BvhGuess, NoisyPositionsOfInnerJointsReplaceOffset) {
  File file = replacing();
  file.position = [inner = file.position](int frame, int joint) {
    return Vector3d(inner(frame, joint) + Vector3d(0.3, -0.4, 0.2) * (frame % 3));
  };
  const FigureSource source = read(file);
  EXPECT_EQ(source.figure->joint(kSpine).type, JointType::Free);
  EXPECT_LT((placeOf(source, "Spine", 2) - placeOf(source, "Hips", 2) - Vector3d(0.6, 11.2, 0.4)).norm(), 1e-9);
  EXPECT_NEAR(source.figure->linkLength(kSpine), 0.45, 1e-9) << "the link keeps its length";
}

TEST(BvhGuess, ARootWithoutOffsetNeedsNoChoice) {
  File file;
  file.joints[kHips].offset.setZero();
  file.position = [](int frame, int) { return Vector3d(0, 93, frame); };
  const FigureSource source = read(file);
  expectBody(source, 1, {0, 93, 1});
  EXPECT_FALSE(hasNote(source, "OFFSET")) << allNotes(source);
}

TEST(BvhGuess, JointsThatDisagreeAreNamed) {
  File file = replacing();
  file.position = [inner = file.position](int frame, int joint) {
    return joint == kHead ? Vector3d(0, 0, 0) : inner(frame, joint);
  };
  const FigureSource source = read(file);
  expectBody(source, 3, {6, 94, 120});
  EXPECT_TRUE(hasNote(source, "replace OFFSET, as the motion shows, but those of Head are added to it."))
      << allNotes(source);
}

TEST(BvhGuess, UndecidedJointsFollowTheOthers) {
  for (const bool isReplacing : {true, false}) {
    File file = replacing();
    file.position = [isReplacing](int, int joint) {
      const double part = joint == kSpine ? 0.5 : isReplacing ? 1.0 : 0.0;
      return Vector3d(part * kBody[joint].offset);
    };
    const FigureSource source = read(file);
    const double spine = placeOf(source, "Spine", 0).y() - placeOf(source, "Hips", 0).y();
    EXPECT_NEAR(spine, isReplacing ? 6 : 18, 1e-9) << allNotes(source);
    EXPECT_FALSE(hasNote(source, "Spine"));
  }
}

TEST(BvhGuess, HipsBelowAReferenceAreJudgedByTheGround) {
  // A sitting figure: half of OFFSET is near neither OFFSET nor zero.
  File file;
  file.joints.insert(file.joints.begin(), {"Reference", -1, {0, 0, 0}});
  for (std::size_t i = 1; i < file.joints.size(); ++i) ++file.joints[i].parent;
  file.hasInnerPositions = true;
  file.position = [](int frame, int joint) {
    if (joint == 0) return Vector3d(0, 0, 0);
    return joint == 1 ? Vector3d(4 * frame, 51, 3 * frame) : kBody[joint - 1].offset;
  };
  file.rotation = [](int, int joint) {  // thighs forward, shanks down
    const bool isThigh = joint == 2 || joint == 5, isShank = joint == 3 || joint == 6;
    return Vector3d(0, isThigh ? -90 : isShank ? 90 : 0, 0);
  };
  const FigureSource source = read(file);
  EXPECT_NEAR(placeOf(source, "Hips", 2).y(), 51, 1e-9) << allNotes(source);
  EXPECT_FALSE(hasNote(source, "but those of")) << allNotes(source);
}

TEST(BvhGuess, AFigureThatLiesStaysOnTheGround) {
  File file;
  file.position = [](int frame, int) { return Vector3d(frame, 12, 30); };
  file.rotation = [](int, int joint) { return Vector3d(0, joint == kHips ? -90 : 0, 0); };
  const FigureSource source = read(file);
  EXPECT_TRUE(hasNote(source, "y is assumed to be up: over the motion, the figure's lowest point stays near y = 0."))
      << allNotes(source);
  EXPECT_NEAR(placeOf(source, "Hips", 2).y(), 12, 1e-9) << allNotes(source);
}

TEST(BvhGuess, WithoutFramesPositionsAreAdded) {
  File file{.hasInnerPositions = true, .frames = 0};
  const FigureSource source = read(file);
  EXPECT_TRUE(hasNote(source, "are added to OFFSET, because the motion does not show otherwise.")) << allNotes(source);
  EXPECT_EQ(source.figure->fileFrame().metresPerUnit, 0.01);
}

TEST(BvhGuess, TheUnitComesFromTheMotionNotFromTheBones) {
  // A braid of 12 m with all rotations zero, which the motion folds behind the head.
  File file;
  int parent = kHead;
  for (int i = 0; i < 12; ++i) {
    file.joints.push_back({"Braid", parent, {0, i == 0 ? 0.0 : 100.0, 0}});
    parent = static_cast<int>(file.joints.size()) - 1;
  }
  file.position = [](int frame, int) { return Vector3d(0, 93, 20 * frame); };
  file.rotation = [](int, int joint) {
    return joint == kHead + 1 ? Vector3d(0, -90, 0) : joint > kHead + 1 ? Vector3d(180, 0, 0) : Vector3d(0, 0, 0);
  };
  const FigureSource source = read(file);
  EXPECT_EQ(source.figure->fileFrame().metresPerUnit, 0.01) << allNotes(source);
  EXPECT_TRUE(hasNote(source, "Lengths are assumed to be centimetres: over the motion, the figure is 1.7 m tall."))
      << allNotes(source);
}

TEST(BvhGuess, TheUpAxisComesFromTheMotion) {
  File file;
  file.joints[kHips].offset.setZero();
  file.position = [](int frame, int) { return Vector3d(10 * frame, 0, 93); };
  file.rotation = [](int, int joint) { return Vector3d(0, joint == kHips ? 90 : 0, 0); };
  const FigureSource source = read(file);
  EXPECT_TRUE(hasNote(source, "z is assumed to be up: over the motion, the figure is longer along z than along y."))
      << allNotes(source);
  expectBody(source, 0, {0, 93, 0});
}

TEST(BvhGuess, TheCallerOverridesTheMotion) {
  const FigureSource added = read(replacing(), OffsetRule::Add);
  const double factor = added.figure->fileFrame().metresPerUnit / 0.01;
  EXPECT_NEAR(placeOf(added, "Hips", 0).y(), factor * 186, 1e-9);
  EXPECT_TRUE(hasNote(added, "Position channels are added to OFFSET, as requested.")) << allNotes(added);
  File zero{.hasInnerPositions = true};
  const FigureSource replaced = read(zero, OffsetRule::Replace);
  EXPECT_LT(placeOf(replaced, "Head", 0).norm(), 1e-9) << "all joints stand at one point";
}

TEST(BvhGuess, NumbersBeyondAllMeasureDoNoHarm) {
  File file = replacing();
  file.position = [](int frame, int joint) {
    const double huge = frame % 2 == 0 ? 1e308 : -1e308;
    return Vector3d(joint == kHead ? Vector3d(huge, huge, -huge) : Vector3d(0, huge, 0));
  };
  EXPECT_TRUE(readBvh(file.text(), "body.bvh"));
}

// Written back in the file's own manner.

TEST(BvhGuess, AnUntouchedMotionIsWrittenToTheLetter) {
  for (const OffsetRule rule : {OffsetRule::ByMotion, OffsetRule::Replace, OffsetRule::Add}) {
    const File file = replacing();
    EXPECT_EQ(test::valueOf(formatBvh(documentOf(read(file, rule)))).bytes, file.text());
  }
}

TEST(BvhGuess, AShiftedRootIsWrittenWithItsOffset) {
  const File file = replacing();
  Document document = documentOf(read(file));
  showFrame(document, 1);
  document.pose.coordinates.head<3>() += Vector3d(0.5, 0.25, 0);
  const std::string text = test::valueOf(formatBvh(document)).bytes;
  const auto rowOf = [](const std::string& whole, int frame) {
    std::istringstream lines(whole.substr(whole.find("MOTION")));
    std::string line;
    for (int i = 0; i < 4 + frame; ++i) std::getline(lines, line);
    return line;
  };
  for (const int frame : {0, 2, 3, 4}) EXPECT_EQ(rowOf(text, frame), rowOf(file.text(), frame));
  double x = 0, y = 0;
  std::string z;
  std::istringstream(rowOf(text, 1)) >> x >> y >> z;
  EXPECT_NEAR(x, 52, 1e-9);
  EXPECT_NEAR(y, 119, 1e-9);
  EXPECT_EQ(z, "40") << "the number that did not change";
}

TEST(BvhGuess, AFileWithoutFramesIsFilledByTheRule) {
  File file{.hasInnerPositions = true, .frames = 0};
  for (const OffsetRule rule : {OffsetRule::Replace, OffsetRule::Add}) {
    const Document document = documentOf(read(file, rule));
    const std::string text = test::valueOf(formatBvh(document)).bytes;
    const Document back = documentOf(test::valueOf(readBvh(text, "body.bvh", {.offsetRule = rule})));
    const Kinematics kinematics = transformsOf(*document.figure, document.pose);
    for (const char* link : {"Hips", "Head", "LeftFoot"}) {
      const Vector3d place = 100.0 * kinematics.worldFromLink[document.figure->findLink(link)].translation;
      EXPECT_LT((placeOf(back, link, 0) - place).norm(), 1e-9) << link;
    }
  }
}

// The choice of an open document.

TEST(BvhGuess, ChangingTheRuleIsReadingByIt) {
  const File file = replacing();
  for (const auto& [from, to] : {std::pair{OffsetRule::Add, OffsetRule::Replace},
                                 {OffsetRule::Replace, OffsetRule::Add},
                                 {OffsetRule::Add, OffsetRule::ByMotion}}) {
    Document document = documentOf(read(file, from));
    showFrame(document, 3);
    document.joints[kHead].rigidity = 0.5;
    EXPECT_EQ(changeOffsetRule(document, to), "");
    const Document wanted = documentOf(read(file, to));
    EXPECT_EQ(document.source->offsetRule, to);
    EXPECT_TRUE(hasSameBones(*document.figure, *wanted.figure));
    EXPECT_NEAR(document.figure->fileFrame().metresPerUnit, wanted.figure->fileFrame().metresPerUnit, 1e-12);
    EXPECT_LT((placeOf(document, "Head", 3) - placeOf(wanted, "Head", 3)).norm(), 1e-9);
    EXPECT_EQ(document.pose, document.motion->poseAt(*document.figure, 3)) << "the frame is still shown";
    EXPECT_EQ(document.joints[kHead].rigidity, 0.5) << "the user's settings stay";
    EXPECT_EQ(test::valueOf(formatBvh(document)).bytes, file.text());
  }
}

TEST(BvhGuess, AUnitThatTheUserChoseStays) {
  Document document = documentOf(read(replacing(), OffsetRule::Replace));
  const FigureEdit edit = changeUnit(*document.figure, 0.02);
  replaceFigure(document, edit.figure, edit.linkFromOld);
  scaleLengths(document, 2.0);
  EXPECT_EQ(changeOffsetRule(document, OffsetRule::Add), "");
  EXPECT_EQ(document.figure->fileFrame().metresPerUnit, 0.02);
}

TEST(BvhGuess, OtherFiguresHaveNoRule) {
  Document chain = test::valueOf(openAny("planar:3")).document;
  EXPECT_EQ(changeOffsetRule(chain, OffsetRule::Add), kNoOffsetRule);
  EXPECT_TRUE(test::says(test::messageOf(openAny("planar:3", {.offsetRule = OffsetRule::Add})),
                         {"planar:3: --bvh-positions", "BVH"}));
  Document cut = documentOf(read(replacing()));
  const FigureEdit edit = removeLink(*cut.figure, kHead);
  replaceFigure(cut, edit.figure, edit.linkFromOld);
  EXPECT_EQ(changeOffsetRule(cut, OffsetRule::Add), "the figure no longer has the joints of its file");
}

using BvhScene = test::TemporaryFolder;

TEST_F(BvhScene, KeepsItsRuleWhichCanBeOverridden) {
  const std::string text = replacing().text();
  const auto bvh = write("body.bvh", text), scene = folder_ / "body.limber";
  for (const OffsetRule rule : {OffsetRule::ByMotion, OffsetRule::Replace, OffsetRule::Add}) {
    const Document saved = test::valueOf(openAny(bvh.string(), {.offsetRule = rule})).document;
    ASSERT_FALSE(writeScene(scene, saved));
    const Document back = test::valueOf(openAny(scene.string())).document;
    EXPECT_EQ(back.source->offsetRule, rule);
    EXPECT_LT((placeOf(back, "Head", 2) - placeOf(saved, "Head", 2)).norm(), 1e-12);
    EXPECT_EQ(test::valueOf(formatBvh(back)).bytes, text) << "of a scene that was opened";
    const Document added = test::valueOf(openAny(scene.string(), {.offsetRule = OffsetRule::Add})).document;
    EXPECT_EQ(added.source->offsetRule, OffsetRule::Add);
    const Document wanted = documentOf(read(replacing(), OffsetRule::Add));
    EXPECT_LT((placeOf(added, "Head", 2) - placeOf(wanted, "Head", 2)).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace limber::io::bvh_guess_test

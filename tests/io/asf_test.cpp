// SPDX-License-Identifier: MIT
// Skeletons and motions of Acclaim's form, as the CMU library has them.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "limber/io/bvh/asf.h"
#include "limber/kinematics/forward_kinematics.h"
#include "results.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::asf_test {
namespace {

using Eigen::Vector3d;

// A trunk and a leg of 30 units, 0.45 units to an inch: 1.69 m.
const std::string kSkeleton = R"(# a comment
:version 1.10
:name VICON
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
   free text, with begin and end
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name femur
     direction 0 -1 0
     length 10
     axis 0 0 90  XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
     id 2
     name tibia
     direction 0 -2 0
     length 10
     axis 0 0 0  XYZ
    dof rx
    limits (-10.0 170.0)
  end
  begin
     id 3
     name trunk
     direction 0 1 0
     length 10
     axis 0 0 0  XYZ
  end
:hierarchy
  begin
    root femur trunk
    femur tibia
  end
)";
const std::string kMotion =
    "#!OML:ASF\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 20 3 0 0 0\nfemur 90 0 0\ntibia 90\n"
    "2\nroot 1 20 3 0 90 0\ntibia 0\n";

class Asf : public test::TemporaryFolder {
 protected:
  FigureSource read(const std::string& file) { return test::valueOf(openFigureSource(file, folder_)); }

  /// The place of a link in a frame, in the file's units.
  static Vector3d placeOf(const FigureSource& source, const std::string& link, int frame) {
    const Kinematics kinematics = transformsOf(*source.figure, source.motion->poseAt(*source.figure, frame));
    return source.figure->fileFrame().toFile(kinematics.worldFromLink[source.figure->findLink(link)].translation);
  }
};

std::string asfFault(const std::string& text) { return test::messageOf(readAsf(text, "f.asf")); }

std::string with(std::string text, const std::string& old, const std::string& now) {
  return text.replace(text.find(old), old.size(), now);
}

TEST_F(Asf, ASkeletonIsAFigure) {
  write("a.asf", kSkeleton);
  const FigureSource source = read("a.asf");
  const Figure& figure = *source.figure;
  ASSERT_EQ(figure.linkCount(), 4);
  EXPECT_EQ(figure.joint(figure.findLink("root")).type, JointType::Free);
  EXPECT_EQ(figure.joint(figure.findLink("femur")).type, JointType::Ball);
  EXPECT_EQ(figure.joint(figure.findLink("trunk")).type, JointType::Fixed);
  const Joint& knee = figure.joint(figure.findLink("tibia"));
  EXPECT_EQ(knee.type, JointType::Revolute);
  EXPECT_EQ(knee.axis, Vector3d(1, 0, 0));
  EXPECT_NEAR(knee.limits.lower, -10 * std::numbers::pi / 180, 1e-12);
  EXPECT_NEAR(knee.limits.upper, 170 * std::numbers::pi / 180, 1e-12);
  EXPECT_NEAR(figure.fileFrame().metresPerUnit, 0.0254 / 0.45, 1e-12);
  EXPECT_NEAR(knee.parentFromJoint.translation.y(), -10 * 0.0254 / 0.45, 1e-12);
  EXPECT_FALSE(source.motion);
  const Kinematics rest = transformsOf(figure, restPose(figure));
  EXPECT_NEAR(rest.worldFromLink[figure.findLink("root")].translation.y(), 20 * 0.0254 / 0.45, 1e-12);
  EXPECT_NE(std::ranges::find(source.notes, "Limits of 1 joints that turn about several axes are left out."),
            source.notes.end());
}

TEST_F(Asf, AMotionBesideItIsRead) {
  write("a.asf", kSkeleton);
  write("a.amc", kMotion);
  for (const char* file : {"a.asf", "a.amc"}) {
    const FigureSource source = read(file);
    ASSERT_TRUE(source.motion) << file;
    ASSERT_EQ(source.motion->frameCount, 2);
    EXPECT_NEAR(source.motion->frameTime, 1.0 / 120.0, 1e-15);
    EXPECT_LT((placeOf(source, "root", 0) - Vector3d(1, 20, 3)).norm(), 1e-9);
    // The femur's x points along y, as its axes are turned by 90 degrees about z: it turns about y, and stays.
    EXPECT_LT((placeOf(source, "tibia", 0) - Vector3d(1, 10, 3)).norm(), 1e-9);
    // The root's y turns the femur, too, which keeps the numbers of the frame before.
    EXPECT_LT((placeOf(source, "tibia", 1) - Vector3d(1, 10, 3)).norm(), 1e-9);
  }
}

TEST_F(Asf, AnglesTurnInTheOrderListedAboutTheBonesAxes) {
  write("a.asf", kSkeleton);
  // x, then y in the femur's axes, which are y and -x of the file: first about y, then about -x.
  write("a.amc", ":DEGREES\n1\nroot 0 0 0 0 0 0\nfemur 30 40 0\ntibia 0\n2\nroot 0 0 0 90 0 90\nfemur 0 0 0\n");
  const FigureSource source = read("a.amc");
  const auto turn = [](double degrees, const Vector3d& axis) {
    return Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis).toRotationMatrix();
  };
  const Vector3d knee = turn(40, -Vector3d::UnitX()) * turn(30, Vector3d::UnitY()) * Vector3d(0, -10, 0);
  EXPECT_LT((placeOf(source, "tibia", 0) - knee).norm(), 1e-9);
  const Vector3d turned = turn(90, Vector3d::UnitZ()) * turn(90, Vector3d::UnitX()) * Vector3d(0, -10, 0);
  EXPECT_LT((placeOf(source, "tibia", 1) - turned).norm(), 1e-9);
}

TEST_F(Asf, TheSkeletonOfAMotionIsFoundByItsName) {
  write("walks/02.asf", kSkeleton);
  write("walks/02_01.amc", kMotion);
  EXPECT_EQ(read("walks/02_01.amc").figure->name(), "02");
  write("only/body.asf", kSkeleton);
  write("only/walk.amc", kMotion);
  EXPECT_EQ(read("only/walk.amc").figure->name(), "body");
  const auto alone = write("alone/walk.amc", kMotion);
  const auto missing = openFigureSource(alone.string(), {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().cause, "its skeleton walk.asf is not in the same folder");
  EXPECT_EQ(missing.error().missing, std::vector<std::string>{"walk.asf"});
  EXPECT_TRUE(openFigureSource(alone.string(), {}, {.folders = {folder_ / "only"}}));
}

TEST_F(Asf, FaultsNameFileLineAndCause) {
  EXPECT_EQ(asfFault(""), "f.asf: line 0: there is no :hierarchy");
  EXPECT_EQ(asfFault(with(kSkeleton, "length 0.45", "length 0")),
            "f.asf: line 6: the unit of length must be above zero");
  EXPECT_EQ(asfFault(with(kSkeleton, "dof rx ry rz", "dof rx ry rw")),
            "f.asf: line 22: \"rw\" is not one of rx ry rz tx ty tz l");
  EXPECT_EQ(asfFault(with(kSkeleton, "(-60.0 70.0)", "(-60.0 70.0) (1 2)")),
            "f.asf: line 25: there are more limits than numbers");
  EXPECT_EQ(asfFault(with(kSkeleton, "name tibia", "name femur")), "f.asf: line 35: the bone \"femur\" occurs twice");
  EXPECT_EQ(asfFault(with(kSkeleton, "femur tibia", "femur shin")), "f.asf: line 46: there is no bone \"shin\"");
  EXPECT_EQ(asfFault(with(kSkeleton, "femur tibia", "femur trunk")),
            "f.asf: line 46: the bone \"trunk\" has two parents");
  EXPECT_TRUE(test::says(asfFault(with(kSkeleton, "root femur trunk", "root trunk")),
                         {"f.asf: line 47", "\"femur\"", "not connected"}));
  EXPECT_EQ(asfFault(with(kSkeleton, "direction 0 -1", "direction 0 1e300")),
            "f.asf: line 19: \"1e300\" is not a number");
  write("a.asf", kSkeleton);
  const auto amcFault = [&](const std::string& text) {
    const auto source = openFigureSource(write("a.amc", text).string(), {});
    return source ? std::string() : source.error().place + ": " + source.error().cause;
  };
  EXPECT_EQ(amcFault(":DEGREES\n"), "line 1: there is no frame");
  EXPECT_EQ(amcFault(":DEGREES\nroot 1 2 3 4 5 6\n"), "line 2: the number of a frame is missing");
  EXPECT_TRUE(test::says(amcFault(":DEGREES\n1\ntibia 1 2\n"), {"line 3", "\"tibia\"", "1 number", "2"}));
  EXPECT_EQ(amcFault(":DEGREES\n1\nwing 1\n"), "line 3: the skeleton has no bone \"wing\"");
  EXPECT_EQ(amcFault(":DEGREES\n1\ntibia nan\n"), "line 3: \"nan\" is not a number");
}

}  // namespace
}  // namespace limber::io::asf_test

// SPDX-License-Identifier: MIT
#include "limber/body/mass_shares.h"

#include <gtest/gtest.h>

#include <numeric>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/document.h"
#include "support/built_figure.h"

namespace limber::mass_shares_test {
namespace {

using V = Eigen::Vector3d;
constexpr double kRounding = 1e-12;

int addBone(FigureBuilder& builder, const std::string& name, int parent, const V& end, double mass = 0.0) {
  Link link{.name = name, .parent = parent, .mass = mass};
  if (!end.isZero()) link.capsules = {{V::Zero(), end, 0.05}};
  return builder.addLink(link, {.name = name, .type = JointType::Ball});
}

Document documentOf(FigureBuilder& builder) {
  auto figure = test::built(builder);
  return makeDocument(figure);
}

Document makePerson(double massOfHips = 0.0) {
  FigureBuilder builder("person");
  const int frame = addBone(builder, "frame", -1, V(0, 1, 0));
  const int hips = addBone(builder, "Hips", frame, V(0, 0.2, 0), massOfHips);
  const int spine = addBone(builder, "Spine", hips, V(0, 0.2, 0));
  const int chest = addBone(builder, "Spine1", spine, V(0, 0.4, 0));
  addBone(builder, "Neck", chest, V(0, 0.1, 0));
  addBone(builder, "Head", chest, V(0, 0.2, 0));
  for (const std::string s : {"Left", "Right"}) {
    const int shoulder = addBone(builder, s + "Shoulder", chest, V(0.1, 0, 0));
    const int arm = addBone(builder, s + "Arm", shoulder, V(0.15, 0, 0));
    addBone(builder, s + "ArmTwist", arm, V(0.15, 0, 0));
    const int forearm = addBone(builder, s + "ForeArm", arm, V(0.25, 0, 0));
    const int hand = addBone(builder, s + "Hand", forearm, V(0.1, 0, 0));
    addBone(builder, s + "HandIndex1", hand, V(0.1, 0, 0));
    const int thigh = addBone(builder, s + "UpLeg", hips, V(0, -0.4, 0));
    const int shank = addBone(builder, s + "Leg", thigh, V(0, -0.4, 0));
    const int foot = addBone(builder, s + "Foot", shank, V(0, 0, 0.15));
    addBone(builder, s + "ToeBase", foot, V(0, 0, 0.05));
  }
  return documentOf(builder);
}

double shareOf(const Document& document, const std::string& link) {
  return massShares(*document.figure).at(document.figure->findLink(link));
}

double sumOf(const std::vector<double>& shares) { return std::accumulate(shares.begin(), shares.end(), 0.0); }

TEST(MassShares, PersonHasTheFractionsOfItsSegments) {
  const Document person = makePerson();
  EXPECT_NEAR(sumOf(massShares(*person.figure)), 1.0, kRounding);
  EXPECT_NEAR(shareOf(person, "Hips"), 0.142, kRounding);
  EXPECT_NEAR(shareOf(person, "Spine") + shareOf(person, "Spine1"), 0.3234, kRounding);
  EXPECT_NEAR(shareOf(person, "LeftLeg"), 0.0465, kRounding);
  EXPECT_EQ(shareOf(person, "frame"), 0.0) << "what stands above the hips is not a part of the body";
}

TEST(MassShares, LinksOfAPartShareByVolume) {
  const Document person = makePerson();
  EXPECT_GT(shareOf(person, "Spine1"), 1.5 * shareOf(person, "Spine"));
  EXPECT_NEAR(shareOf(person, "LeftArm"), 0.014, kRounding);
  EXPECT_NEAR(shareOf(person, "LeftArmTwist"), 0.014, kRounding);
  EXPECT_NEAR(shareOf(person, "RightHand"), 0.003, kRounding);
  EXPECT_NEAR(shareOf(person, "RightHandIndex1"), 0.003, kRounding);
}

TEST(MassShares, MassesOfTheFileGoFirst) {
  const Document person = makePerson(100.0);
  double total = 0.0;
  for (const Link& link : person.figure->links()) total += link.mass;
  EXPECT_NEAR(shareOf(person, "Hips"), 100.0 / total, kRounding);
  EXPECT_GT(shareOf(person, "frame"), 0.0);
}

TEST(MassShares, OthersShareByVolume) {
  const std::vector<double> shares = massShares(*makeBallChain(4));
  for (const double share : shares) EXPECT_NEAR(share, 0.25, kRounding);
}

TEST(MassShares, WithoutMassLinksWithALengthCountAlike) {
  FigureBuilder builder("bare");
  const int root = addBone(builder, "root", -1, V::Zero());
  const auto addBare = [&](const std::string& name, int parent, const V& at) {
    Link link{.name = name, .parent = parent};
    link.capsules = {{V::Zero(), V(1, 0, 0), 0.0}};
    Joint joint{.name = name, .type = JointType::Ball};
    joint.parentFromJoint.translation = at;
    return builder.addLink(link, joint);
  };
  addBare("b", addBare("a", root, V::Zero()), V(1, 0, 0));
  EXPECT_EQ(massShares(*documentOf(builder).figure), (std::vector<double>{0.0, 0.5, 0.5}));
}

TEST(MassShares, PointHasItAll) {
  FigureBuilder builder("point");
  addBone(builder, "root", -1, V::Zero());
  EXPECT_EQ(massShares(*documentOf(builder).figure), std::vector<double>{1.0});
}

}  // namespace
}  // namespace limber::mass_shares_test

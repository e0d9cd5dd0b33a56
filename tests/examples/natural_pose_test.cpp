// SPDX-License-Identifier: MIT
// Whole bodies from a few places: the shipped prior on the figure that Limber opens with, on people made here, and on
// sample data where it is present.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <filesystem>

#include "limber/body/body_map.h"
#include "limber/io/json/pose_prior_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/body_prior.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"
#include "locations.h"
#include "support/standing_body.h"

namespace limber::natural_pose_test {
namespace {

constexpr double kReached = 1e-3;  // mean link lengths

Document naturalDocument(std::shared_ptr<const Figure> figure) {
  Document document = makeDocument(std::move(figure));
  const auto prior = io::shippedPosePrior();
  EXPECT_TRUE(prior);
  if (prior) document.posePrior = *prior;
  document.solver.reference = RestReference::Natural;
  return document;
}

Document humanoid() {
  auto opened = io::openAny(LIMBER_SOURCE_DIR "/resources/figures/humanoid.json");
  EXPECT_TRUE(opened);
  Document document = naturalDocument(opened->document.figure);
  return document;
}

Eigen::Vector3d placeOf(const Document& document, int link) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  return kinematics.worldFromLink[static_cast<std::size_t>(link)].translation;
}

/// Hands before the chest, feet a step apart.
void plantHandsAndFeet(Document& document, const BodyRoles& roles) {
  const auto plant = [&](BodyPart part, BodySide side, const Eigen::Vector3d& target) {
    const int id = addGoal(document, roles.find(part, side), Eigen::Vector3d::Zero());
    findGoal(document, id)->target = target;
  };
  plant(BodyPart::Hand, BodySide::Left, {0.25, 1.2, 0.35});
  plant(BodyPart::Hand, BodySide::Right, {-0.2, 1.0, 0.4});
  plant(BodyPart::Foot, BodySide::Left, {0.12, 0.08, 0.2});
  plant(BodyPart::Foot, BodySide::Right, {-0.12, 0.08, -0.2});
}

/// How far a knee is bent, radians; below zero the wrong way.
double kneeOf(const Document& document, const BodyRoles& roles, BodySide side) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  const auto frame = [&](BodyPart part) -> Eigen::Matrix3d {
    const auto link = static_cast<std::size_t>(roles.find(part, side));
    return kinematics.worldFromLink[link].rotation * roles.linkFromTPose[link];
  };
  const Eigen::Matrix3d knee = frame(BodyPart::UpperLeg).transpose() * frame(BodyPart::LowerLeg);
  return logarithm(Eigen::Quaterniond(knee)).x();
}

void expectWithinLimits(const Document& document) {
  Pose clamped = document.pose;
  clampToLimits(document, clamped);
  EXPECT_LT((clamped.coordinates - document.pose.coordinates).cwiseAbs().maxCoeff(), 1e-7);
}

void expectGoodPose(Document document) {
  const auto roles = bodyMapOf(*document.figure).roles();
  ASSERT_TRUE(roles);
  plantHandsAndFeet(document, *roles);
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_EQ(report.outcome, Outcome::Reached) << report.sentence;
  ASSERT_TRUE(document.pose.coordinates.allFinite());
  EXPECT_LT(report.worstError, kReached * document.figure->meanLinkLength());
  expectWithinLimits(document);
  for (const BodySide side : {BodySide::Left, BodySide::Right}) {
    EXPECT_GT(kneeOf(document, *roles, side), -0.05);
    EXPECT_LT(placeOf(document, roles->find(BodyPart::Foot, side)).y(),
              placeOf(document, roles->find(BodyPart::Hips)).y() - 0.5);
  }
  EXPECT_LT(report.summary.iterations(), 40);
}

TEST(NaturalPose, ReachesHandsAndFeetWithinLimits) {
  expectGoodPose(humanoid());
  for (const double down : {0.0, 0.8, 1.5}) {
    SCOPED_TRACE(down);
    expectGoodPose(naturalDocument(test::makeStandingBody({.armsDown = down})));
    expectGoodPose(naturalDocument(test::makeStandingBody({.armsDown = down, .hasNames = false})));
  }
}

TEST(NaturalPose, DependsOnTheTargetsAloneAndHasTheSameBitsTwice) {
  Document document = humanoid();
  const auto roles = bodyMapOf(*document.figure).roles();
  ASSERT_TRUE(roles);
  plantHandsAndFeet(document, *roles);
  Document again = document;
  again.pose.coordinates[8] += 0.3;
  Posing first, second;
  solveToEnd(first, document);
  solveToEnd(second, again);
  EXPECT_TRUE(document.pose == again.pose);
  solveToEnd(second, again);
  EXPECT_TRUE(document.pose == again.pose) << "a pose that was found is found again";
}

TEST(NaturalPose, TurnsWithItsTargets) {
  Document document = naturalDocument(test::makeStandingBody());
  const auto roles = bodyMapOf(*document.figure).roles();
  ASSERT_TRUE(roles);
  plantHandsAndFeet(document, *roles);
  Document turned = document;
  const Transform motion{Eigen::AngleAxisd(2.0, Eigen::Vector3d::UnitY()).toRotationMatrix(), {3.0, 0.5, -2.0}};
  for (GoalItem& goal : turned.goals) goal.target = motion * goal.target;
  Posing posing;
  solveToEnd(posing, document);
  solveToEnd(posing, turned);
  for (int link = 0; link < document.figure->linkCount(); ++link)
    EXPECT_LT((motion * placeOf(document, link) - placeOf(turned, link)).norm(), 1e-5)
        << document.figure->link(link).name;
}

TEST(NaturalPose, FewTargetsKeepTheHeading) {
  for (Document document : {humanoid(), naturalDocument(test::makeStandingBody({.turned = 1.0}))}) {
    const auto roles = bodyMapOf(*document.figure).roles();
    ASSERT_TRUE(roles);
    const auto ahead = [&](const Document& d) -> Eigen::Vector3d {
      Kinematics kinematics;
      computeTransforms(*d.figure, d.pose, kinematics);
      const auto hips = static_cast<std::size_t>(roles->find(BodyPart::Hips));
      return kinematics.worldFromLink[hips].rotation * roles->linkFromTPose[hips].col(2);
    };
    const Eigen::Vector3d before = ahead(document);
    const int hand = roles->find(BodyPart::Hand, BodySide::Left);
    const int id = addGoal(document, hand, Eigen::Vector3d::Zero());
    findGoal(document, id)->target = {2.0, 1.4, 3.0};
    Posing posing;
    EXPECT_EQ(solveToEnd(posing, document).outcome, Outcome::Reached) << posing.report().sentence;
    ASSERT_TRUE(document.pose.coordinates.allFinite());
    EXPECT_GT(before.dot(ahead(document)), 0.95);
  }
}

TEST(NaturalPose, TargetsOutOfReachAreMissedWithoutHarm) {
  Document document = humanoid();
  const auto roles = bodyMapOf(*document.figure).roles();
  ASSERT_TRUE(roles);
  plantHandsAndFeet(document, *roles);
  document.goals[0].target = {4.0, 1.2, 0.5};
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_NE(report.outcome, Outcome::Reached);
  EXPECT_NE(report.outcome, Outcome::BadInput);
  ASSERT_TRUE(document.pose.coordinates.allFinite());
  expectWithinLimits(document);
}

TEST(NaturalPose, LockedJointsStay) {
  Document document = humanoid();
  const auto roles = bodyMapOf(*document.figure).roles();
  ASSERT_TRUE(roles);
  plantHandsAndFeet(document, *roles);
  const int knee = document.figure->findLink("left_shank"), index = document.figure->joint(knee).poseIndex;
  document.pose.coordinates[index] = 0.8;
  document.joints[static_cast<std::size_t>(knee)].locked = true;
  Posing posing;
  solveToEnd(posing, document);
  EXPECT_EQ(document.pose.coordinates[index], 0.8);
}

TEST(NaturalPose, MeanStandsUprightOnBentKneesAsItLooksNow) {
  for (Document document : {humanoid(), naturalDocument(test::makeStandingBody({.turned = 1.0}))}) {
    const auto body = findBodyPrior(document, *document.posePrior);
    ASSERT_TRUE(body);
    document.pose = priorStart(document, *body, document.pose, {});
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
      EXPECT_GT(kneeOf(document, body->roles, side), 0.1);
      const Eigen::Vector3d foot = placeOf(document, body->roles.find(BodyPart::Foot, side)),
                            hips = placeOf(document, body->roles.find(BodyPart::Hips)),
                            hand = placeOf(document, body->roles.find(BodyPart::Hand, side));
      EXPECT_LT(foot.y(), hips.y() - 0.6);
      EXPECT_LT(hand.y(), placeOf(document, body->roles.find(BodyPart::UpperArm, side)).y() - 0.2) << "arms hang";
    }
  }
}

/// A limited elbow's axis is not where the prior's is, and yet the mean bends it as far as the prior says, to the same
/// place.
TEST(NaturalPose, ElbowsThatAreHingesBendAboutTheirOwnAxes) {
  for (const double down : {0.0, 0.8, 1.5}) {
    SCOPED_TRACE(down);
    Document free = naturalDocument(test::makeStandingBody({.armsDown = down})), hinged = free;
    ASSERT_GT(applyAnatomicalLimits(hinged), 0);
    const auto freeBody = findBodyPrior(free, *free.posePrior), body = findBodyPrior(hinged, *hinged.posePrior);
    ASSERT_TRUE(freeBody && body);
    free.pose = freeBody->mean;
    hinged.pose = body->mean;
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
      const int elbow = body->roles.find(BodyPart::LowerArm, side), hand = body->roles.find(BodyPart::Hand, side);
      const BallLimits& limits = hinged.joints[static_cast<std::size_t>(elbow)].ballLimits;
      EXPECT_LT(swingTwist(limits, jointRotation(*hinged.figure, hinged.pose, elbow)).swing, 0.02);
      EXPECT_LT((placeOf(hinged, hand) - placeOf(free, hand)).norm(), 1e-9);
      EXPECT_GT(swingTwist(limits, jointRotation(*free.figure, free.pose, elbow)).swing, 0.2) << "what this is about";
    }
  }
}

TEST(NaturalPose, AHingeThatIsAnElbowIsAsStiffAsOne) {
  const Document document = humanoid();
  const auto body = findBodyPrior(document, *document.posePrior);
  ASSERT_TRUE(body);
  const PriorJoint elbow = document.posePrior->joint(BodyPart::LowerArm, BodySide::Left);
  const Eigen::Vector3d axis = logarithm(elbow.mean).normalized();
  const auto link = static_cast<std::size_t>(document.figure->findLink("left_elbow_flexion"));
  const double expected = axis.dot(elbow.precision * axis);
  EXPECT_NEAR(body->weights[link], expected, 0.3 * expected) << "the figure's axis is not quite square to its arm";
}

TEST(NaturalPose, DerivativesMatchDifferences) {
  for (Document document : {humanoid(), naturalDocument(test::makeStandingBody())}) {
    const auto roles = bodyMapOf(*document.figure).roles();
    ASSERT_TRUE(roles);
    plantHandsAndFeet(document, *roles);
    const DerivativeCheck check = checkDerivatives(document);
    EXPECT_TRUE(check.agrees()) << check.fault << check.worstGradientEntry << "; " << check.worstHessianEntry;
  }
}

TEST(NaturalPose, SaysWhyThereIsNone) {
  Document document = naturalDocument(makeBallChain(4));
  addGoal(document, 3, Eigen::Vector3d::UnitX());
  Posing posing;
  EXPECT_FALSE(posing.start(document));
  EXPECT_NE(posing.report().sentence.find("has no human body"), std::string::npos) << posing.report().sentence;
  Document withoutPrior = humanoid();
  withoutPrior.posePrior.reset();
  addGoal(withoutPrior, 3, Eigen::Vector3d::Zero());
  EXPECT_FALSE(posing.start(withoutPrior));
  EXPECT_NE(posing.report().sentence.find("pose prior"), std::string::npos) << posing.report().sentence;
}

struct Sample {
  const char* file;
  bool isPerson;
};

class NaturalPoseOfSamples : public testing::TestWithParam<Sample> {};

TEST_P(NaturalPoseOfSamples, PeopleHaveRolesAndNothingElseHas) {
  const std::filesystem::path path = std::filesystem::path(LIMBER_SHARED_DATA_DIR) / GetParam().file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
  auto opened = io::openAny(path.string());
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_EQ(bodyMapOf(*opened->document.figure).roles().has_value(), GetParam().isPerson);
}

INSTANTIATE_TEST_SUITE_P(Files, NaturalPoseOfSamples,
                         testing::Values(Sample{"vrm/cryptovoxels.vrm", true}, Sample{"bvh/cmu_01_01.bvh", true},
                                         Sample{"bvh/fair_dab.bvh", true}, Sample{"bvh/makehuman_tpose.bvh", true},
                                         Sample{"gltf/CesiumMan.gltf", true}, Sample{"gltf/Fox.glb", false},
                                         Sample{"gltf/generic_hand_right.glb", false},
                                         Sample{"urdf/pupper/pupper_v2a.urdf", false},
                                         Sample{"urdf/panda/panda.urdf", false},
                                         Sample{"urdf/allegro_hand/allegro_hand_right.urdf", false}),
                         [](const auto& sample) {
                           std::string name;
                           for (const char c : std::string(sample.param.file)) name += std::isalnum(c) ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace limber::natural_pose_test

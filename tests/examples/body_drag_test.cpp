// SPDX-License-Identifier: MIT
// Drags of legs, hips and arms in many small events, as in the window: limbs bend from the first event, nothing jumps,
// and the rest of the body stays.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "puller.h"
#include "support/standing_body.h"

namespace limber::body_drag_test {
namespace {

using test::openFigure;
using test::Puller;
using V = Eigen::Vector3d;

/// The largest turn of a joint between two poses, radians.
double largestTurn(const Figure& figure, const Pose& a, const Pose& b) {
  Eigen::VectorXd step;
  difference(figure, a, b, step);
  double largest = 0.0;
  for (const Joint& joint : figure.joints()) {
    const int slides = joint.type == JointType::Free ? 3 : joint.type == JointType::Prismatic ? 1 : 0;
    const int size = stepSize(joint.type) - slides;
    if (size > 0) largest = std::max(largest, step.segment(joint.stepIndex + slides, size).norm());
  }
  return largest;
}

/// Pulls along a way in 60 even events, and checks that no joint jumps: its turn in an event is no more than three
/// times that in the event before or after, or the median. A straight knee turns fastest in the first event, since its
/// angle grows with the square root of the way; so the median alone is no measure.
void pullWithoutJump(Puller& puller, const Eigen::Vector3d& way, const std::string& name) {
  constexpr std::size_t kEvents = 60;
  std::vector<double> turns;
  for (std::size_t event = 1; event <= kEvents; ++event) {
    const Pose before = puller.document.pose;
    puller.to(puller.start() + static_cast<double>(event) / kEvents * way);
    turns.push_back(largestTurn(*puller.document.figure, before, puller.document.pose));
  }
  std::vector<double> sorted = turns;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < kEvents; ++i) {
    const double before = i > 0 ? turns[i - 1] : 0.0, after = i + 1 < kEvents ? turns[i + 1] : 0.0;
    EXPECT_LT(turns[i], 3.0 * std::max({before, after, sorted[kEvents / 2]})) << name << ", event " << i + 1;
  }
}

struct Pull {
  const char* link;
  Eigen::Vector3d way;
};

TEST(BodyDrag, NoPullJumps) {
  const Pull pulls[] = {
      {"right foot", {0, 0.4, 0}},     {"left foot", {0, 0.4, 0}},          {"right toes", {0, 0.3, 0}},
      {"left toes", {0, 0.3, 0.1}},    {"right shank", {-0.1, 0.02, 0.05}}, {"right foot", {0, 0.2, 0.4}},
      {"right hand", {0.1, 0.3, 0.3}}, {"left forearm", {0.2, 0.1, 0.1}},   {"pelvis", {0, -0.4, 0}},
      {"pelvis", {0.05, -0.2, 0.05}},
  };
  for (const Pull& pull : pulls) {
    Puller puller(openFigure("human"), pull.link);
    pullWithoutJump(puller, pull.way, pull.link);
    EXPECT_LT(puller.miss(), 1e-3) << pull.link;
  }
}

/// The bend of a knee, degrees.
double kneeOf(const Puller& puller, const std::string& side) {
  const auto at = [&](const char* link) { return puller.place(puller.now, (side + link).c_str()); };
  const V thigh = at(" shank") - at(" thigh"), shank = at(" foot") - at(" shank");
  return test::kDegree * std::atan2(thigh.cross(shank).norm(), thigh.dot(shank));
}

/// The angle of a shank from the vertical, degrees.
double slantOf(const Puller& puller, const std::string& side) {
  const V way =
      puller.place(puller.now, (side + " shank").c_str()) - puller.place(puller.now, (side + " foot").c_str());
  return test::kDegree * std::acos(way.y() / way.norm());
}

TEST(BodyDrag, AStraightKneeBendsFromTheFirstCentimetre) {
  for (const std::string side : {"left", "right"})
    for (const std::string link : {" foot", " toes"})
      for (const double up : {0.01, 0.05, 0.2}) {
        Puller puller(openFigure("human"), (side + link).c_str());
        puller.to(puller.start() + V(0, up, 0));
        EXPECT_LT(puller.miss(), 1e-4) << side << link << " " << up;
        EXPECT_GT(kneeOf(puller, side), 130.0 * std::sqrt(up)) << side << link << " " << up;
        EXPECT_LT(puller.turn("pelvis"), 0.5) << side << link << " " << up;
        if (up < 0.1) {  // higher up the ankle is at its limit
          EXPECT_LT(puller.turn((side + " foot").c_str()), 5.0) << side << link << " " << up;
        }
      }
}

TEST(BodyDrag, TheShankHangsOnAKneeThatIsLed) {
  for (const std::string side : {"left", "right"}) {
    Puller puller(openFigure("human"), (side + " shank").c_str());
    const V hip = puller.place(puller.before, (side + " thigh").c_str());
    const double thigh = (puller.start() - hip).norm();
    for (const double angle : {0.3, 0.8, 1.4}) {
      puller.to(V(puller.start().x(), hip.y() - thigh * std::cos(angle), hip.z() + thigh * std::sin(angle)));
      EXPECT_LT(slantOf(puller, side), 5.0) << side << " " << angle;
      EXPECT_LT(puller.turn((side + " foot").c_str()), 5.0) << side << " " << angle;
      EXPECT_LT(puller.turn("pelvis"), 0.5) << side << " " << angle;
    }
  }
}

TEST(BodyDrag, TheForearmHangsOnAnElbowThatIsLed) {
  Puller puller(openFigure("human"), "left forearm");
  const V shoulder = puller.place(puller.before, "left upper arm");
  const double length = (puller.start() - shoulder).norm();
  puller.to(shoulder + length * V(0.1, -0.8, -0.5).normalized());
  const auto forearm = [&](const Kinematics& k) {
    return V(puller.place(k, "left hand") - puller.place(k, "left forearm"));
  };
  const V before = forearm(puller.before), now = forearm(puller.now);
  EXPECT_LT(test::kDegree * std::atan2(before.cross(now).norm(), before.dot(now)), 12.0);
  EXPECT_LT(puller.turn("chest"), 1.0);
}

TEST(BodyDrag, APelvisThatIsPulledDownSquatsOnTheBallsOfItsFeet) {
  Puller puller(openFigure("human"), "pelvis");
  for (int event = 1; event <= 30; ++event) puller.to(puller.start() - V(0, 0.4 * event / 30.0, 0));
  EXPECT_LT(puller.miss(), 1e-3);
  EXPECT_LT(puller.turn("pelvis"), 10.0);
  for (const std::string side : {"left", "right"}) {
    EXPECT_LT(puller.way((side + " toes").c_str()), 1e-4);
    EXPECT_LT(puller.turn((side + " toes").c_str()), 0.1);
    EXPECT_GT(puller.place(puller.now, (side + " foot").c_str()).y(),
              puller.place(puller.before, (side + " foot").c_str()).y() + 0.02)
        << "its heel rises";
    EXPECT_GT(kneeOf(puller, side), 90.0);
  }
  for (int event = 29; event >= 0; --event) puller.to(puller.start() - V(0, 0.4 * event / 30.0, 0));
  EXPECT_LT(puller.way("left foot"), 1e-4) << "its heel is on the ground again";
}

TEST(BodyDrag, KneesAndElbowsThatMayTurnAnyWayFoldAsAPersonsDo) {
  for (const double turned : {0.0, 2.0}) {
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(turned, V::UnitY()).toRotationMatrix();
    const V ahead = turn * V::UnitZ();
    Document document = makeDocument(test::makeStandingBody({.turned = turned}));
    document.solver.reference = RestReference::StartPose;
    Puller squat(document, "Hips");
    squat.to(squat.start() + V(0, -0.25, 0));
    EXPECT_LT(squat.miss(), 1e-3);
    Puller reach(document, "LeftHand");
    reach.to(reach.start() + turn * V(-0.2, 0, 0.1));
    EXPECT_LT(reach.miss(), 1e-3);
    for (const char* side : {"Left", "Right"}) {
      const std::string knee = std::string(side) + "Leg", foot = std::string(side) + "Foot";
      const V way = squat.place(squat.now, knee.c_str()) - squat.place(squat.now, foot.c_str());
      EXPECT_GT(way.dot(ahead), 0.15) << side << " " << turned;
      EXPECT_LT(std::abs(way.dot(turn * V::UnitX())), 0.05) << side << " " << turned;
    }
    const V arm = reach.place(reach.now, "LeftForeArm") - reach.place(reach.now, "LeftArm");
    EXPECT_LT(arm.dot(ahead), 0.0) << "the elbow stays behind the line from shoulder to hand";
  }
}

TEST(BodyDrag, AChestThatIsPulledDownSquatsWithItsHipsBack) {
  for (const double down : {0.1, 0.2, 0.3}) {
    Puller puller(openFigure("human"), "chest");
    puller.to(puller.start() + V(0, -down, 0));
    EXPECT_LT(puller.miss(), 1e-4) << down;
    EXPECT_LT(puller.turn("chest"), 15.0) << down;  // it leans a little
    EXPECT_LT(puller.place(puller.now, "pelvis").z(), puller.place(puller.before, "pelvis").z() - 0.05) << down;
    for (const std::string side : {"left", "right"}) {
      EXPECT_GT(kneeOf(puller, side), 20.0) << down;
      const std::string foot = side + " foot", shank = side + " shank";
      EXPECT_GT(puller.place(puller.now, shank.c_str()).z(), 0.05) << "knees ahead, " << down;
      EXPECT_GT(puller.place(puller.now, foot.c_str()).y(), puller.place(puller.before, foot.c_str()).y() - 1e-4)
          << "no heel in the ground, " << down;
    }
  }
}

TEST(BodyDrag, HeelsStayDownWhileAHandIsDragged) {
  Puller puller(openFigure("human"), "right hand");
  puller.to(puller.start() + V(0, 0.3, 0.3));
  EXPECT_LT(puller.shift("left foot"), 1e-5);
  puller.to(puller.start() + V(-0.2, 0.5, 1.2));
  EXPECT_LT(puller.shift("left foot"), 1e-5);
}

TEST(BodyDrag, TwoHandsOnABarAreRaisedBeforeAnUprightBody) {
  Document document = openFigure(LIMBER_SOURCE_DIR "/resources/figures/spine_human.json");
  document.solver.posing = PosingChoice::Natural;
  const Figure& figure = *document.figure;
  const auto siteOf = [&](const char* name) { return figure.sites()[static_cast<std::size_t>(figure.findSite(name))]; };
  const Site left = siteOf("left_palm"), right = siteOf("right_palm");
  GoalItem bar{.id = 1, .type = GoalType::Relative, .link = left.link, .pointInLink = left.linkFromSite.translation};
  bar.otherLink = right.link;
  bar.pointInOther = right.linkFromSite.translation + V(0, 0, 0.3);
  bar.frameInOther = Eigen::AngleAxisd(std::numbers::pi, V::UnitY()).toRotationMatrix();
  GoalItem place{
      .id = 2, .link = right.link, .pointInLink = right.linkFromSite.translation, .target = {-0.15, 1.2, 0.4}};
  document.goals = {bar, place};
  Posing posing;
  Kinematics before, now;
  computeTransforms(figure, document.pose, before);
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_EQ(report.outcome, Outcome::Reached) << report.sentence;
  computeTransforms(figure, document.pose, now);
  const auto chest = static_cast<std::size_t>(figure.findLink("T1"));
  const Eigen::Matrix3d turned = now.worldFromLink[chest].rotation * before.worldFromLink[chest].rotation.transpose();
  EXPECT_LT(test::kDegree * Eigen::AngleAxisd(turned).angle(), 10.0);
}

}  // namespace
}  // namespace limber::body_drag_test

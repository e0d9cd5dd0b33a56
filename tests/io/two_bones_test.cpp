// SPDX-License-Identifier: MIT
#include "limber/body/two_bones.h"

#include <gtest/gtest.h>

#include "limber/body/body_map.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::two_bones_test {
namespace {

std::optional<TwoBones> twoBonesOf(const Figure& figure, const std::string& link) {
  const int index = figure.findLink(link);
  EXPECT_GE(index, 0) << link;
  return findTwoBones(bodyMapOf(figure), index);
}

TEST(TwoBones, OfAPersonAreThoseOfArmsAndLegs) {
  const auto opened = io::openAny("human");
  ASSERT_TRUE(opened) << opened.error().message();
  const Figure& figure = *opened->document.figure;
  const Kinematics rest = transformsOf(figure, restPose(figure));
  const auto placeOf = [&](int link, const Eigen::Vector3d& point) {
    return Eigen::Vector3d(rest.worldFromLink[static_cast<std::size_t>(link)] * point);
  };
  for (const std::string side : {"left", "right"}) {
    for (const std::string link : {" thigh", " shank", " foot", " toes"}) {
      const auto leg = twoBonesOf(figure, side + link);
      ASSERT_TRUE(leg) << side << link;
      EXPECT_EQ(figure.link(leg->upper()).name, side + " thigh");
      EXPECT_EQ(figure.link(leg->lower()).name, side + " shank");
      ASSERT_EQ(leg->endJoints.size(), 2u);
      EXPECT_EQ(figure.link(leg->endJoints[0]).name, side + " foot");
      const int foot = leg->endJoints[0];
      EXPECT_LT((placeOf(leg->lower(), leg->end) - placeOf(foot, Eigen::Vector3d::Zero())).norm(), 1e-12);
    }
    const auto arm = twoBonesOf(figure, side + " hand");
    ASSERT_TRUE(arm);
    EXPECT_EQ(figure.link(arm->upper()).name, side + " upper arm");
    EXPECT_EQ(figure.link(arm->lower()).name, side + " forearm");
    ASSERT_EQ(arm->endJoints.size(), 1u) << "a palm ends the limb, not a finger";
    EXPECT_EQ(figure.link(arm->endJoints[0]).name, side + " hand");
  }
  EXPECT_FALSE(twoBonesOf(figure, "chest"));
  EXPECT_FALSE(twoBonesOf(figure, "left index finger tip")) << "a finger has three bones";
}

TEST(TwoBones, AChainOfManyAlikeHasNone) {
  const auto chain = makePlanarChain(6);
  EXPECT_FALSE(findTwoBones(bodyMapOf(*chain), 5));
}

}  // namespace
}  // namespace limber::two_bones_test

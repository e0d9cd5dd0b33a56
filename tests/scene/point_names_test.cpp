// SPDX-License-Identifier: MIT
// Which observed point is which point of a figure.
#include "limber/scene/point_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"

namespace limber::point_names_test {
namespace {

using Names = std::vector<std::string>;

/// Links in a row of the given parent, in the manner of one naming or another.
std::shared_ptr<const Figure> makeBody(const std::vector<std::pair<std::string, std::string>>& linksAndParents) {
  FigureBuilder builder("body");
  Names names;
  for (const auto& [name, parent] : linksAndParents) {
    Link link;
    link.name = name;
    link.parent = static_cast<int>(std::ranges::find(names, parent) - names.begin());
    if (parent.empty()) link.parent = -1;
    Joint joint;
    joint.name = "to " + name;
    joint.type = JointType::Ball;
    joint.parentFromJoint = Transform::fromTranslation({0.0, 0.1, 0.0});
    builder.addLink(std::move(link), std::move(joint));
    names.push_back(name);
  }
  builder.addSite({"left_toe_tip", static_cast<int>(std::ranges::find(names, "left_foot") - names.begin()),
                   Transform::fromTranslation({0.0, 0.0, 0.2})});
  return test::built(builder);
}

std::shared_ptr<const Figure> makePerson() {
  return makeBody({{"pelvis", ""},
                   {"lumbar", "pelvis"},
                   {"chest", "lumbar"},
                   {"neck", "chest"},
                   {"head", "neck"},
                   {"left_clavicle", "chest"},
                   {"left_upper_arm", "left_clavicle"},
                   {"left_forearm", "left_upper_arm"},
                   {"left_hand", "left_forearm"},
                   {"right_clavicle", "chest"},
                   {"right_upper_arm", "right_clavicle"},
                   {"right_forearm", "right_upper_arm"},
                   {"right_hand", "right_forearm"},
                   {"left_thigh", "pelvis"},
                   {"left_shank", "left_thigh"},
                   {"left_foot", "left_shank"},
                   {"right_thigh", "pelvis"},
                   {"right_shank", "right_thigh"},
                   {"right_foot", "right_shank"}});
}

TEST(PointNames, FindsSitesLinksAndJoints) {
  const auto figure = makePerson();
  const auto site = findPoint(*figure, "left_toe_tip");
  ASSERT_TRUE(site);
  EXPECT_EQ(site->link, figure->findLink("left_foot"));
  EXPECT_EQ(site->pointInLink, Eigen::Vector3d(0.0, 0.0, 0.2));
  const auto link = findPoint(*figure, "head"), joint = findPoint(*figure, "to head");
  ASSERT_TRUE(link && joint);
  EXPECT_EQ(link->link, figure->findLink("head"));
  EXPECT_EQ(joint->link, link->link);
  EXPECT_TRUE(link->pointInLink.isZero());
  EXPECT_FALSE(findPoint(*figure, "tail"));
}

TEST(PointNames, EqualNamesGoFirst) {
  const Document document = makeDocument(makePerson());
  EXPECT_EQ(guessPointNames(document, {"head", "Left Toe-Tip", "to neck", "nose", "HEAD"}),
            (Names{"head", "left_toe_tip", "to neck", "", ""}));
}

TEST(PointNames, PartsOfTheBodyMeetInManyNamings) {
  const Document document = makeDocument(makePerson());
  const Names wanted = {
      "",           "",           "left_upper_arm", "left_forearm", "left_hand",  "right_upper_arm", "right_forearm",
      "left_thigh", "left_shank", "left_foot",      "right_thigh",  "right_shank"};
  const std::vector<Names> namings = {
      {"Hips", "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "RightArm", "RightForeArm", "LeftUpLeg", "LeftLeg",
       "LeftFoot", "RightUpLeg", "RightLeg"},
      {"mixamorig:Hips", "mixamorig:LeftShoulder", "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand",
       "mixamorig:RightArm", "mixamorig:RightForeArm", "mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot",
       "mixamorig:RightUpLeg", "mixamorig:RightLeg"},
      {"Pelvis", "L_Collar", "L_Shoulder", "L_Elbow", "L_Wrist", "R_Shoulder", "R_Elbow", "L_Hip", "L_Knee", "L_Ankle",
       "R_Hip", "R_Knee"},
  };
  for (const Names& naming : namings) EXPECT_EQ(guessPointNames(document, naming), wanted) << naming.front();
}

TEST(PointNames, WithoutLimbsTheTrunkIsMatched) {
  const Document document = makeDocument(makePerson());
  EXPECT_EQ(guessPointNames(document, {"Hips", "LeftHand", "Head"}), (Names{"pelvis", "left_hand", "head"}));
}

TEST(PointNames, EndsOfASpineMeet) {
  const Document document = makeDocument(makePerson());
  EXPECT_EQ(guessPointNames(document, {"Spine", "Spine1", "Spine2"}), (Names{"lumbar", "chest", ""}));
}

TEST(PointNames, NoNameIsGivenTwice) {
  const Document document = makeDocument(makePerson());
  const Names guessed = guessPointNames(document, {"LeftFoot", "left_foot", "LeftAnkle", "L_Foot", "foot.L"});
  std::multiset<std::string> given(guessed.begin(), guessed.end());
  given.erase("");
  EXPECT_EQ(given.size(), std::set<std::string>(given.begin(), given.end()).size());
  EXPECT_EQ(guessed[1], "left_foot");
}

}  // namespace
}  // namespace limber::point_names_test

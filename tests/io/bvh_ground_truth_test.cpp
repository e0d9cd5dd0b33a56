// SPDX-License-Identifier: MIT
// Positions of real motion files against values computed by other programs. Needs the sample data next to the sources.
#include <gtest/gtest.h>

#include "ground_truth.h"
#include "limber/io/bvh/bvh.h"
#include "limber/kinematics/forward_kinematics.h"
#include "results.h"

namespace limber::io::bvh_ground_truth_test {
namespace {

constexpr double kToleranceOfHeight = 1e-4;  // as the reference asks; its values have six decimals

using BvhGroundTruth = test::GroundTruth;
using test::toVector;

Eigen::Vector3d inFile(const Figure& figure, const Eigen::Vector3d& point) {
  return figure.fileFrame().sceneFromFile.transpose() * point / figure.fileFrame().metresPerUnit;
}

double heightInFile(const Figure& figure) {
  const Kinematics kinematics = transformsOf(figure, restPose(figure));
  double height = 0.0;
  for (const Transform& worldFromLink : kinematics.worldFromLink)
    height = std::max(height, worldFromLink.translation.y());
  return height / figure.fileFrame().metresPerUnit;
}

void expectPose(const FigureSource& file, const nlohmann::json& pose, double tolerance) {
  const Figure& figure = *file.figure;
  const Kinematics kinematics = transformsOf(figure, file.motion->poseAt(figure, pose.at("frame_index").get<int>()));
  for (const auto& [name, joint] : pose.at("joints").items()) {
    SCOPED_TRACE(name);
    const int link = figure.findLink(name);
    ASSERT_GE(link, 0);
    const Transform& worldFromLink = kinematics.worldFromLink[link];
    EXPECT_LT((inFile(figure, worldFromLink.translation) - toVector(joint.at("world"))).norm(), tolerance);
    if (!joint.contains("end_site_world")) continue;
    const int site = figure.findSite(name + "_end");
    ASSERT_GE(site, 0);
    const Eigen::Vector3d end = worldFromLink * figure.sites()[site].linkFromSite.translation;
    EXPECT_LT((inFile(figure, end) - toVector(joint.at("end_site_world"))).norm(), tolerance);
  }
}

TEST_F(BvhGroundTruth, PositionsMatchInEveryFile) {
  for (const auto& [name, truth] : truth_.at("bvh").items()) {
    SCOPED_TRACE(name);
    const auto file = test::valueOf(openFigureSource(name, folder_));
    EXPECT_EQ(file.figure->linkCount(), truth.at("joints"));
    EXPECT_EQ(file.figure->sites().size(), truth.at("end_sites"));
    EXPECT_EQ(file.motion->channels.size(), truth.at("channels"));
    EXPECT_EQ(file.motion->frameCount, truth.at("frames_declared"));
    EXPECT_EQ(file.motion->frameTime, truth.at("frame_time"));
    const double tolerance = kToleranceOfHeight * heightInFile(*file.figure);
    for (const nlohmann::json& pose : truth.at("poses")) expectPose(file, pose, tolerance);
  }
}

TEST_F(BvhGroundTruth, UpAxisIsFound) {
  for (const auto& [name, truth] : truth_.at("bvh").items()) {
    const auto file = test::valueOf(openFigureSource(name, folder_));
    const bool zUp = file.figure->fileFrame().sceneFromFile(1, 2) == 1.0;
    EXPECT_EQ(zUp, name.find("cmu") == std::string::npos) << name;
  }
}

}  // namespace
}  // namespace limber::io::bvh_ground_truth_test

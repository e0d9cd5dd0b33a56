// SPDX-License-Identifier: MIT
// Forward kinematics of real robots against values computed by other programs. Needs the sample data next to the
// sources.
#include <gtest/gtest.h>

#include "ground_truth.h"
#include "limber/io/figure_source.h"
#include "limber/io/json/pose_json.h"
#include "limber/kinematics/forward_kinematics.h"
#include "results.h"

namespace limber::io::robots_ground_truth_test {
namespace {

constexpr double kTolerance = 1e-6;  // metres and components of quaternions; the reference has nine decimals

class RobotsGroundTruth : public test::GroundTruth {
 protected:
  FigureSource open(const std::string& name) const { return test::valueOf(openFigureSource(name, folder_)); }
};

/// Largest difference of the named links from the reference, in the file's own axes.
double largestError(const Figure& figure, const Pose& pose, const nlohmann::json& links) {
  const Kinematics kinematics = transformsOf(figure, pose);
  const Eigen::Matrix3d fileFromScene = figure.fileFrame().sceneFromFile.transpose();
  double largest = 0.0;
  for (const auto& [name, truth] : links.items()) {
    const int link = figure.findLink(name);
    EXPECT_GE(link, 0) << name;
    if (link < 0) continue;
    const Transform& worldFromLink = kinematics.worldFromLink[link];
    const auto p = truth.at("position").get<std::vector<double>>(),
               q = truth.at("quaternion_xyzw").get<std::vector<double>>();
    const Eigen::Quaterniond expected(q[3], q[0], q[1], q[2]);
    Eigen::Quaterniond found(Eigen::Matrix3d(fileFromScene * worldFromLink.rotation));
    if (found.dot(expected) < 0.0) found.coeffs() = -found.coeffs();
    largest = std::max({largest,
                        (fileFromScene * worldFromLink.translation - Eigen::Vector3d(p.data())).cwiseAbs().maxCoeff(),
                        (found.coeffs() - expected.coeffs()).cwiseAbs().maxCoeff()});
  }
  return largest;
}

TEST_F(RobotsGroundTruth, UrdfPosesMatchInEveryFile) {
  for (const auto& [name, truth] : truth_.at("urdf").items()) {
    SCOPED_TRACE(name);
    const FigureSource source = open(name);
    ASSERT_TRUE(source.figure);
    const Figure& figure = *source.figure;
    EXPECT_EQ(figure.name(), truth.at("robot"));
    EXPECT_EQ(figure.linkCount(), truth.at("links"));
    EXPECT_EQ(figure.stepSize(), truth.at("movable_joints"));
    EXPECT_EQ(figure.couplings().size(), truth.at("mimic"));
    for (const nlohmann::json& pose : truth.at("poses")) {
      const auto given = test::valueOf(parsePose(pose.at("q").dump(), "q", figure, restPose(figure)));
      EXPECT_LT(largestError(figure, given, pose.at("links")), kTolerance) << pose.at("name");
    }
  }
}

/// A pose from MuJoCo's qpos, in which quaternions begin with w.
Pose poseOf(const Figure& figure, const nlohmann::json& joints, const std::vector<double>& qpos) {
  Pose pose = restPose(figure);
  for (const nlohmann::json& truth : joints) {
    const Joint& joint = figure.joint(figure.findJoint(truth.at("name").get<std::string>()));
    const double* q = qpos.data() + truth.at("qpos_address").get<std::size_t>();
    auto to = pose.coordinates.segment(joint.poseIndex, poseSize(joint.type));
    if (joint.type == JointType::Free) to << q[0], q[1], q[2], q[4], q[5], q[6], q[3];
    else if (joint.type == JointType::Ball) to << q[1], q[2], q[3], q[0];
    else to << q[0];
  }
  return pose;
}

TEST_F(RobotsGroundTruth, MjcfPosesMatchInEveryFile) {
  for (const auto& [name, truth] : truth_.at("mjcf").items()) {
    SCOPED_TRACE(name);
    const FigureSource source = open(name);
    ASSERT_TRUE(source.figure);
    const Figure& figure = *source.figure;
    EXPECT_EQ(figure.stepSize(), truth.at("nv"));
    EXPECT_EQ(figure.poseSize(), truth.at("nq"));
    for (const nlohmann::json& joint : truth.at("joint_order")) {
      const int index = figure.findJoint(joint.at("name").get<std::string>());
      ASSERT_GE(index, 0) << joint.at("name");
      if (joint.at("range").is_null()) continue;
      EXPECT_NEAR(figure.joint(index).limits.lower, joint.at("range").at(0).get<double>(), 1e-8);
      EXPECT_NEAR(figure.joint(index).limits.upper, joint.at("range").at(1).get<double>(), 1e-8);
    }
    for (const nlohmann::json& pose : truth.at("poses"))
      EXPECT_LT(largestError(figure, poseOf(figure, truth.at("joint_order"), pose.at("qpos")), pose.at("bodies")),
                kTolerance)
          << pose.at("name");
  }
}

}  // namespace
}  // namespace limber::io::robots_ground_truth_test

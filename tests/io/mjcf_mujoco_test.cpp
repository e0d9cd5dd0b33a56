// SPDX-License-Identifier: MIT
// Models compared with MuJoCo's own reading: transforms, masses, limits and equality constraints, in random poses.
#include <gtest/gtest.h>

#ifdef LIMBER_HAVE_MUJOCO

#include <mujoco/mujoco.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <random>

#include "limber/io/figure_source.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/forward_kinematics.h"
#include "locations.h"
#include "results.h"
#include "support/temporary_folder.h"

namespace limber::io::mjcf_mujoco_test {
namespace {

constexpr double kTolerance = 1e-9;  // both compute in double from the same text

struct DeleteModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DeleteData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};

class MjcfAsMuJoCo : public test::TemporaryFolder {
 protected:
  void compare(const std::filesystem::path& path, bool withMasses = true) {
    char error[500] = "";
    const std::unique_ptr<mjModel, DeleteModel> model(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    ASSERT_TRUE(model) << error;
    const auto source = test::valueOf(openFigureSource(path.string(), ""));
    model_ = model.get();
    figure_ = source.figure.get();
    EXPECT_EQ(figure_->poseSize(), model->nq);
    EXPECT_EQ(figure_->stepSize(), model->nv);
    if (withMasses) compareMasses();
    compareLimits();
    compareEqualities();
    const std::unique_ptr<mjData, DeleteData> data(mj_makeData(model.get()));
    for (int trial = 0; trial < 20; ++trial) comparePose(*data, trial == 0);
  }
  void compareText(const std::string& text) { compare(write("model.xml", text)); }

  const Joint& jointOf(int id) const {
    const char* name = mj_id2name(model_, mjOBJ_JOINT, id);
    const int index = figure_->findJoint(name);
    EXPECT_GE(index, 0) << name;
    return figure_->joint(std::max(index, 0));
  }

  void compareMasses() const {
    for (int id = 1; id < model_->nbody; ++id) {
      const Link& link = figure_->link(figure_->findLink(mj_id2name(model_, mjOBJ_BODY, id)));
      EXPECT_NEAR(link.mass, model_->body_mass[id], 1e-9 * (1.0 + link.mass)) << link.name;
      if (link.mass < 1e-9) continue;
      EXPECT_NEAR((link.centreOfMass - Eigen::Vector3d(model_->body_ipos + 3 * id)).norm(), 0.0, kTolerance)
          << link.name;
    }
  }

  void compareLimits() const {
    for (int id = 0; id < model_->njnt; ++id) {
      const Joint& joint = jointOf(id);
      if (poseSize(joint.type) != 1) continue;
      EXPECT_EQ(joint.limits.isBounded(), model_->jnt_limited[id] != 0) << joint.name;
      if (!model_->jnt_limited[id]) continue;
      EXPECT_NEAR(joint.limits.lower, model_->jnt_range[2 * id], kTolerance) << joint.name;
      EXPECT_NEAR(joint.limits.upper, model_->jnt_range[2 * id + 1], kTolerance) << joint.name;
    }
  }

  /// The followers' coordinates by MuJoCo's equalities, from the drivers of a pose with couplings applied.
  void compareEqualities() {
    Pose pose = restPose(*figure_);
    for (int id = 0; id < model_->njnt; ++id)
      if (poseSize(jointOf(id).type) == 1) pose.coordinates[jointOf(id).poseIndex] = uniform_(random_);
    Couplings(*figure_, std::vector<char>(figure_->couplings().size(), 1)).apply(pose);
    for (int id = 0; id < model_->neq; ++id) {
      if (model_->eq_type[id] != mjEQ_JOINT || model_->eq_obj2id[id] < 0) continue;
      const int follower = model_->eq_obj1id[id], driver = model_->eq_obj2id[id];
      const double x = pose.coordinates[jointOf(driver).poseIndex] - model_->qpos0[model_->jnt_qposadr[driver]];
      const mjtNum* c = model_->eq_data + mjNEQDATA * id;
      const double y =
          c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4]))) + model_->qpos0[model_->jnt_qposadr[follower]];
      EXPECT_NEAR(pose.coordinates[jointOf(follower).poseIndex], y, kTolerance) << jointOf(follower).name;
    }
  }

  /// The rest pose, or random coordinates within or beyond limits.
  void comparePose(mjData& data, bool isRest) {
    Pose pose = restPose(*figure_);
    for (int i = 0; i < model_->nq; ++i) data.qpos[i] = isRest ? model_->qpos0[i] : uniform_(random_);
    for (int id = 0; id < model_->njnt; ++id) {
      mjtNum* q = data.qpos + model_->jnt_qposadr[id];
      const Joint& joint = jointOf(id);
      auto to = pose.coordinates.segment(joint.poseIndex, poseSize(joint.type));
      if (joint.type == JointType::Free) mju_normalize4(q + 3);
      if (joint.type == JointType::Ball) mju_normalize4(q);
      if (joint.type == JointType::Free) to << q[0], q[1], q[2], q[4], q[5], q[6], q[3];
      else if (joint.type == JointType::Ball) to << q[1], q[2], q[3], q[0];
      else to << q[0];
    }
    mj_kinematics(model_, &data);
    const Kinematics kinematics = transformsOf(*figure_, pose);
    for (int id = 1; id < model_->nbody; ++id) {
      const int link = figure_->findLink(mj_id2name(model_, mjOBJ_BODY, id));
      ASSERT_GE(link, 0) << mj_id2name(model_, mjOBJ_BODY, id);
      expectPlace(kinematics.worldFromLink[link], data.xpos + 3 * id, data.xmat + 9 * id, figure_->link(link).name);
    }
    for (int id = 0; id < model_->nsite; ++id) {
      const int index = figure_->findSite(mj_id2name(model_, mjOBJ_SITE, id));
      ASSERT_GE(index, 0) << mj_id2name(model_, mjOBJ_SITE, id);
      const Site& site = figure_->sites()[index];
      expectPlace(kinematics.worldFromLink[site.link] * site.linkFromSite, data.site_xpos + 3 * id,
                  data.site_xmat + 9 * id, site.name);
    }
  }

  void expectPlace(const Transform& worldFromFrame, const mjtNum* position, const mjtNum* matrix,
                   const std::string& name) const {
    const Eigen::Matrix3d fileFromScene = figure_->fileFrame().sceneFromFile.transpose();
    const Eigen::Matrix3d rotation = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(matrix);
    EXPECT_NEAR((fileFromScene * worldFromFrame.translation - Eigen::Vector3d(position)).norm(), 0.0, kTolerance)
        << name;
    EXPECT_NEAR((fileFromScene * worldFromFrame.rotation - rotation).norm(), 0.0, kTolerance) << name;
  }

  const mjModel* model_ = nullptr;
  const Figure* figure_ = nullptr;
  std::mt19937 random_{7};
  std::uniform_real_distribution<double> uniform_{-1.5, 1.5};
};

const std::string kInertia = "<inertial pos='.1 .2 .3' mass='2' diaginertia='1 1 1'/>";

TEST_F(MjcfAsMuJoCo, SampleHumanoid) {
  const std::filesystem::path path = std::filesystem::path(LIMBER_SHARED_DATA_DIR) / "mjcf" / "humanoid.xml";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no sample data in " << LIMBER_SHARED_DATA_DIR;
  compare(path);
}

// MuJoCo 2.2 has no alignfree, but the frames that later versions align bodies with.
TEST_F(MjcfAsMuJoCo, FramesOfInertia) {
  for (const std::string shapes :
       {"<geom type='box' size='.1 .2 .3' pos='.5 0 0' euler='10 20 30'/>",
        "<geom type='box' size='.1 .2 .3' pos='.5 0 0' euler='10 20 30'/><geom type='capsule' size='.1 .4' pos='0 1 "
        "0'/>",
        "<geom type='capsule' size='.05' fromto='0 0 0 1 .2 .3'/><geom type='cylinder' size='.1 .3' euler='70 0 5'/>"
        "<geom type='ellipsoid' size='.1 .2 .3' pos='.1 .2 .3' euler='0 20 0'/><geom size='.2' pos='1 1 1'/>",
        "<inertial pos='1 2 3' mass='2' fullinertia='3 2 4 .1 .2 -.3'/>",
        "<inertial pos='1 2 3' mass='2' diaginertia='3 2 4' euler='10 20 30'/>"}) {
    const std::filesystem::path path =
        write("i.xml", "<mujoco><worldbody><body name='a' pos='1 2 3' euler='5 6 7'><freejoint name='f'/>" + shapes +
                           "</body></worldbody></mujoco>");
    char error[500] = "";
    const std::unique_ptr<mjModel, DeleteModel> model(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    ASSERT_TRUE(model) << error;
    const std::unique_ptr<mjData, DeleteData> data(mj_makeData(model.get()));
    mj_kinematics(model.get(), data.get());
    const std::string aligned =
        "<mujoco><compiler alignfree='true'/><worldbody><body name='a' pos='1 2 3' euler='5 6 7'>"
        "<freejoint name='f'/>" +
        shapes + "</body></worldbody></mujoco>";
    const auto source = test::valueOf(openFigureSource(write("j.xml", aligned).string(), ""));
    figure_ = source.figure.get();
    const Kinematics kinematics = transformsOf(*figure_, restPose(*figure_));
    const Eigen::Matrix3d fileFromScene = figure_->fileFrame().sceneFromFile.transpose();
    const Transform& place = kinematics.worldFromLink[0];
    const Eigen::Matrix3d turn = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data->ximat + 9);
    EXPECT_LT((fileFromScene * place.translation - Eigen::Vector3d(data->xipos + 3)).norm(), kTolerance) << shapes;
    // MuJoCo's iteration ends with turns of 4e-8.
    EXPECT_LT((fileFromScene * place.rotation - turn).norm(), 1e-6) << shapes;
  }
}

TEST_F(MjcfAsMuJoCo, EveryJointTypeWithAnchorAndReference) {
  compareText(
      "<mujoco><compiler angle='radian'/><worldbody>"
      "<body name='a' pos='1 2 3' quat='.5 .5 -.5 .5'><freejoint name='free'/>" +
      kInertia + "<body name='b' pos='.1 .2 .3' axisangle='1 2 3 .7'><joint name='ball' type='ball' pos='.1 -.2 .3'/>" +
      kInertia +
      "<body name='c' pos='.3 0 0' zaxis='1 1 -1'><joint name='slide' type='slide' axis='1 2 0' pos='1 1 1' ref='.3' "
      "range='-.5 .5' limited='true'/>" +
      kInertia +
      "<body name='d' pos='0 .3 0' xyaxes='1 1 0 0 1 1'><joint name='hinge' axis='0 1 2' pos='.1 .2 .3' ref='.4' "
      "limited='true' range='-1 1'/>" +
      kInertia + "</body></body></body></body></worldbody></mujoco>");
}

TEST_F(MjcfAsMuJoCo, SeveralJointsInABody) {
  compareText(
      "<mujoco><worldbody><body name='a' pos='0 0 1' euler='10 20 30'>"
      "<joint name='y' axis='0 1 0' pos='0 .1 0' ref='30'/>"
      "<joint name='z' type='slide' axis='0 1 1' pos='.5 .5 .5'/><joint name='v' axis='1 0 0' pos='.3 0 .1'/>"
      "<joint name='w' type='ball' pos='.2 .2 0'/>" +
      kInertia +
      "<body name='b' pos='.5 0 0'><joint name='p' axis='0 0 1' pos='.1 0 0'/><joint name='q' axis='1 0 0'/>" +
      kInertia + "<site name='s' pos='.1 .2 .3' euler='30 0 60'/></body></body></worldbody></mujoco>");
}

TEST_F(MjcfAsMuJoCo, EulerSequences) {
  for (const char* sequence : {"xyz", "XYZ", "zyx", "ZXZ", "xYz", "yzX"})
    compareText("<mujoco><compiler eulerseq='" + std::string(sequence) +
                "'/><worldbody><body name='a' euler='10 -70 130'>"
                "<joint name='j'/>" +
                kInertia + "<site name='s' euler='-20 30 40'/></body></worldbody></mujoco>");
}

TEST_F(MjcfAsMuJoCo, DefaultClasses) {
  compareText(
      "<mujoco><default><joint axis='1 0 0' limited='true' range='-10 10'/><geom size='.1'/><site pos='1 0 0'/>"
      "<default class='one'><joint range='-20 20' pos='.1 0 0'/><geom type='box' size='.1 .2 .3' density='500'/>"
      "<default class='two'><joint type='slide' range='-.1 .3'/><site euler='90 0 0'/></default></default>"
      "<default class='three'><joint limited='false'/></default></default>"
      "<worldbody><body name='a' childclass='one'><joint name='a1'/><joint name='a2' class='two'/><geom/>"
      "<geom class='main' pos='1 1 1'/><site name='sa'/>"
      "<body name='b' pos='0 0 1'><joint name='b1' range='0 90'/><geom class='two' mass='3' pos='.1 .2 .3'/>"
      "<site name='sb' class='two'/>"
      "<body name='c' childclass='three'><joint name='c1' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 1 1 0'/>"
      "<geom type='cylinder' fromto='0 0 0 0 1 1' size='.2'/><geom type='ellipsoid' size='.1 .2 .3'/>"
      "<geom type='box' fromto='0 0 0 1 0 0' size='.05'/></body></body></body></worldbody></mujoco>");
}

TEST_F(MjcfAsMuJoCo, GlobalCoordinates) {
  compareText(
      "<mujoco><compiler coordinate='global' angle='radian'/><worldbody>"
      "<body name='a' pos='0 0 1' euler='.1 .2 .3'><joint name='a1' pos='0 0 1.2' axis='0 1 0'/>"
      "<geom type='sphere' size='.1' pos='.5 0 1'/><geom type='capsule' size='.05' fromto='0 0 1 0 1 1'/>"
      "<body name='b' pos='1 0 1' quat='1 1 0 0'><joint name='b1' pos='.9 0 1' axis='1 0 1'/>"
      "<geom type='sphere' size='.1' pos='1 1 1'/><site name='s' pos='1 1 2' euler='.3 0 0'/></body></body>"
      "</worldbody></mujoco>");
}

TEST_F(MjcfAsMuJoCo, JointEqualities) {
  compareText(
      "<mujoco><compiler angle='radian'/><worldbody>"
      "<body name='a'><joint name='a'/>" +
      kInertia + "<body name='b'><joint name='b' ref='.3'/>" + kInertia +
      "<body name='c'><joint name='c' type='slide' ref='-.2'/>" + kInertia + "<body name='d'><joint name='d'/>" +
      kInertia +
      "</body></body></body></body></worldbody><equality>"
      "<joint joint1='b' joint2='a' polycoef='.1 .5 .2 -.3 .1'/><joint joint1='c' joint2='b' polycoef='.2 2 0 0 0'/>"
      "<joint joint1='d' joint2='a' active='true'/></equality></mujoco>");
}

TEST_F(MjcfAsMuJoCo, Includes) {
  write("defaults.xml", "<mujocoinclude><default><joint axis='0 1 0'/></default></mujocoinclude>");
  write("hand.xml",
        "<mujocoinclude><body name='hand' pos='0 0 1'><joint name='wrist'/>" + kInertia + "</body></mujocoinclude>");
  compareText("<mujoco><include file='defaults.xml'/><worldbody><body name='arm'><joint name='elbow'/>" + kInertia +
              "<include file='hand.xml'/></body></worldbody></mujoco>");
}

TEST_F(MjcfAsMuJoCo, WhatStandsInTheWorld) {
  compareText(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom type='box' size='1 1 .1' pos='0 0 1'/>"
      "<site name='mark' pos='1 2 3' euler='0 90 0'/>"
      "<body name='a' pos='0 0 2' euler='0 0 90'><joint name='a' type='free'/><geom size='.1'/></body>"
      "<body name='b' pos='1 0 2'><joint name='b'/><geom size='.1'/></body></worldbody></mujoco>");
}

}  // namespace
}  // namespace limber::io::mjcf_mujoco_test

#else

TEST(MjcfAsMuJoCo, ModelsAreReadAlike) { GTEST_SKIP() << "MuJoCo (libmujoco-dev) is not installed"; }

#endif

// SPDX-License-Identifier: MIT
#include "render/obstacle_shapes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/kinematics/standard_figures.h"

namespace limber::render::obstacle_shapes_test {
namespace {

using V = Eigen::Vector3d;

struct PropScene {
  Document document = makeDocument(makeBallChain(3));
  Kinematics kinematics;
  Highlight highlight;
  DrawList list;

  PropScene() {
    Obstacle box{.name = "box"};
    box.size = V(1.0, 2.0, 0.5);
    box.worldFromObstacle = {Eigen::AngleAxisd(0.3, V::UnitZ()).toRotationMatrix(), V(5.0, 1.0, 0.0)};
    addObstacle(document, box);
    addObstacle(document, {.name = "floor", .shape = Obstacle::Shape::Plane});
  }
  const DrawList& draw() {
    computeKinematics(*document.figure, document.pose, kinematics);
    makeDrawList(document, kinematics, highlight, list);
    return list;
  }
};

TEST(ObstacleShapes, SurfacesStandWhereTheObstaclesAre) {
  PropScene scene;
  const DrawList& list = scene.draw();
  ASSERT_TRUE(list.props.isShown);
  ASSERT_EQ(list.obstacles.size(), 2u);
  const Skin& skin = *list.props.groups->skin;
  ASSERT_EQ(skin.surfaces.size(), 2u);
  const ConvexHull hull = hullInWorld(scene.document.obstacles[0]);
  for (std::size_t i = 0; i < skin.surfaces[0].positions.size(); ++i) {
    const V place = list.props.worldFromSkin[0] * skin.surfaces[0].positions[i].cast<double>();
    EXPECT_NEAR(heightAbove(hull, place), 0.0, 1e-6);
  }
  EXPECT_EQ(skin.surfaces[0].triangles.size(), 36u);
  for (const V& corner : hull.vertices) {
    EXPECT_TRUE((corner.array() >= list.boundsMin.array() - 1e-9).all());
    EXPECT_TRUE((corner.array() <= list.boundsMax.array() + 1e-9).all());
  }
}

TEST(ObstacleShapes, RoundSurfacesLieOnSpheresAndCapsules) {
  PropScene scene;
  scene.document.obstacles = {makeSphere(V(1, 2, 3), 0.4), makeCapsule(V(0, 0, 1), V(1, 2, 1), 0.2)};
  const auto expectSurfaces = [&] {
    const DrawList& list = scene.draw();
    for (std::size_t k = 0; k < 2; ++k) {
      const SkinSurface& surface = list.props.groups->skin->surfaces[k];
      const Eigen::Affine3d& place = list.props.worldFromSkin[k];
      V mean = V::Zero();
      for (const Eigen::Vector3f& position : surface.positions) {
        EXPECT_NEAR(heightAbove(scene.document.obstacles[k], place * position.cast<double>()), 0.0, 1e-6);
        mean += place * position.cast<double>() / static_cast<double>(surface.positions.size());
      }
      for (std::size_t i = 0; i < surface.triangles.size(); i += 3) {
        const auto corner = [&](std::size_t c) {
          return V(place * surface.positions[surface.triangles[i + c]].cast<double>());
        };
        const V normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        EXPECT_GE(normal.dot(corner(0) - mean), -1e-9) << "seen from outside";
      }
    }
  };
  expectSurfaces();
  scene.document.obstacles[1].size.y() = 0.5;
  scene.document.obstacles[0].size.setConstant(0.3);
  expectSurfaces();
}

TEST(ObstacleShapes, AreMadeAnewOnlyWhenAShapeChanges) {
  PropScene scene;
  const auto first = scene.draw().props.groups;
  scene.document.obstacles[0].worldFromObstacle.translation.x() += 1.0;
  scene.document.obstacles[0].size.y() = 3.0;
  EXPECT_EQ(scene.draw().props.groups, first) << "a place and a size are a matrix";
  scene.document.obstacles[1].enabled = false;
  EXPECT_NE(scene.draw().props.groups, first);
  EXPECT_EQ(scene.list.obstacles.size(), 1u);
  scene.document.obstacles.clear();
  EXPECT_FALSE(scene.draw().props.isShown);
}

TEST(ObstacleShapes, TheSelectedOneHasKnobsAndAnArrow) {
  PropScene scene;
  const auto grips = [&] {
    std::vector<Grip> found;
    for (const DrawCapsule& capsule : scene.draw().capsules)
      if (capsule.obstacle == 1 && (found.empty() || found.back() != capsule.grip)) found.push_back(capsule.grip);
    return found;
  };
  EXPECT_TRUE(grips().empty());
  scene.document.selection.obstacle = 1;
  EXPECT_EQ(grips(), (std::vector<Grip>{Grip::SizeLowX, Grip::SizeHighX, Grip::SizeLowY, Grip::SizeHighY,
                                        Grip::SizeLowZ, Grip::SizeHighZ, Grip::Lift}));
}

TEST(ObstacleShapes, BrokenObstaclesDrawNothing) {
  PropScene scene;
  scene.document.obstacles[0].size.x() = 0.0;
  scene.document.obstacles[1].worldFromObstacle.translation.x() = std::numeric_limits<double>::quiet_NaN();
  scene.document.selection.obstacle = 1;
  EXPECT_FALSE(scene.draw().props.isShown);
  EXPECT_TRUE(scene.list.boundsMax.allFinite());
}

}  // namespace
}  // namespace limber::render::obstacle_shapes_test

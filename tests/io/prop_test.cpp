// SPDX-License-Identifier: MIT
// Mesh files as obstacles: the surface, its convex hull, and errors.
#include "limber/io/mesh/foreign.h"

#include <gtest/gtest.h>

#include "limber/io/base/resources.h"
#include "results.h"
#include "support/temporary_folder.h"

namespace limber::io::prop_test {
namespace {

class Prop : public test::TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    if (!findProgram()) GTEST_SKIP() << "the program \"limber\" is not built beside the tests";
  }
};

/// A pyramid of height 2 on a square of edge 2, with an additional point inside, which is not on the hull.
constexpr const char* kPyramid =
    "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nv 0 2 0\nv 0 0.5 0\n"
    "f 1 2 3\nf 1 3 4\nf 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\nf 1 6 2\n";

TEST_F(Prop, AMeshIsKeptOutOfByItsHull) {
  const auto prop = test::valueOf(readProp(write("tent.obj", kPyramid)));
  EXPECT_EQ(prop.name, "tent");
  EXPECT_EQ(prop.shape, Obstacle::Shape::Polyhedron);
  ASSERT_TRUE(prop.hull && prop.prop);
  EXPECT_EQ(prop.hull->vertices.size(), 5u);
  EXPECT_EQ(prop.hull->faces.size(), 5u) << "the square is one face";
  EXPECT_EQ(prop.prop->triangles.size(), 21u) << "what is shown is the mesh";
  EXPECT_EQ(findFault(prop, 1), "");
  const ConvexHull hull = hullInWorld(prop);
  EXPECT_NEAR(heightAbove(hull, {0.0, -0.3, 0.0}), 0.3, 1e-6);
  EXPECT_NEAR(heightAbove(hull, {0.0, 2.0, 0.0}), 0.0, 1e-6);
  EXPECT_LT(heightAbove(hull, {0.0, 0.6, 0.0}), -0.5);
}

TEST_F(Prop, AMeshWithoutVolumeIsRefusedWithItsCause) {
  const auto flat = readProp(write("flat.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 1 3 4\n"));
  ASSERT_FALSE(flat);
  EXPECT_NE(flat.error().message().find("flat.obj"), std::string::npos) << flat.error().message();
  EXPECT_NE(flat.error().message().find("there is no volume"), std::string::npos) << flat.error().message();
  EXPECT_FALSE(readProp(write("empty.obj", "")));
  EXPECT_FALSE(readProp(write("broken.obj", "f 1 2 900\n")));
  EXPECT_FALSE(readProp("no/such/file.obj"));
}

}  // namespace
}  // namespace limber::io::prop_test

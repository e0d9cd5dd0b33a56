// SPDX-License-Identifier: MIT
#include "io/obj.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <sstream>

#include "io/export_formats.h"
#include "scene/skinning.h"
#include "support/skinned_tube.h"

namespace limber::io {
namespace {

/// What a plain reader of OBJ finds.
struct ReadBack {
  std::vector<Eigen::Vector3d> positions, normals;
  std::vector<Eigen::Vector2d> textures;
  std::vector<std::array<std::size_t, 9>> faces;  ///< position, texture (0 for none), normal of three corners, from 1
  std::vector<std::string> objects;

  explicit ReadBack(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string keyword;
      words >> keyword;
      if (keyword == "o") words >> objects.emplace_back();
      if (keyword == "v" || keyword == "vn") {
        Eigen::Vector3d& read = (keyword == "v" ? positions : normals).emplace_back();
        words >> read.x() >> read.y() >> read.z();
      }
      if (keyword == "vt") {
        Eigen::Vector2d& read = textures.emplace_back();
        words >> read.x() >> read.y();
      }
      if (keyword == "f") {
        auto& face = faces.emplace_back();
        for (std::size_t corner = 0; corner < 3; ++corner) {
          char slash = 0;
          words >> face[3 * corner] >> slash;
          if (words.peek() != '/') words >> face[3 * corner + 1];
          words >> slash >> face[3 * corner + 2];
        }
      }
      EXPECT_FALSE(words.fail()) << line;
    }
  }
};

TEST(Obj, HoldsThePosedSkin) {
  Document document = test::makeSkinnedTube();
  turnJoint(document, 1, 2, 0.9);
  const auto text = formatObj(document);
  ASSERT_TRUE(text) << text.error().message();
  const ReadBack read(*text);
  const SkinSurface& surface = document.skin->surfaces[0];
  ASSERT_EQ(read.positions.size(), surface.positions.size());
  ASSERT_EQ(read.normals.size(), surface.positions.size());
  ASSERT_EQ(read.textures.size(), surface.positions.size());
  ASSERT_EQ(read.faces.size(), surface.triangles.size() / 3);
  EXPECT_EQ(read.objects, std::vector<std::string>{"tube"});

  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  std::vector<Eigen::Affine3d> bones;
  computeBoneTransforms(*document.skin, kinematics, bones);
  for (std::size_t i = 0; i < surface.positions.size(); ++i) {
    const Eigen::Vector3d place = blendedTransform(surface, i, bones) * surface.positions[i].cast<double>();
    EXPECT_LT((read.positions[i] - place).norm(), 1e-6) << i;
    EXPECT_NEAR(read.textures[i].y(), 1.0 - surface.textureCoordinates[i].y(), 1e-6) << "v goes up in OBJ";
  }
  for (std::size_t t = 0; t < read.faces.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t which = 0; which < 3; ++which)
        EXPECT_EQ(read.faces[t][3 * k + which], surface.triangles[3 * t + k] + 1);
}

TEST(Obj, FacesLookOutAndCountOnFromOneSurfaceToTheNext) {
  Document document = test::withSkin(test::makeTube(0));
  Skin skin = *document.skin;
  skin.surfaces.push_back(skin.surfaces[0]);
  skin.surfaces[1].name = "the other\none";
  skin.surfaces[1].textureCoordinates.clear();
  skin.surfaces[1].bones[0].linkFromSkin.linear().diagonal() = Eigen::Vector3f(-1.0f, 1.0f, 0.5f);  // inside out
  document.skin = std::make_shared<const Skin>(skin);
  const auto text = formatObj(document);
  ASSERT_TRUE(text) << text.error().message();
  const ReadBack read(*text);
  EXPECT_EQ(read.objects, (std::vector<std::string>{"tube", "the_other_one"}));
  const std::size_t count = skin.surfaces[0].positions.size();
  ASSERT_EQ(read.positions.size(), 2 * count);
  EXPECT_EQ(read.textures.size(), count);
  for (std::size_t t = 0; t < read.faces.size(); ++t) {
    const auto& face = read.faces[t];
    const auto corner = [&](std::size_t k) { return read.positions.at(face[3 * k] - 1); };
    const Eigen::Vector3d across = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    EXPECT_GT(across.dot(read.normals.at(face[2] - 1)), 0.0) << t;
    EXPECT_EQ(face[0] > count, t >= read.faces.size() / 2);
    EXPECT_EQ(face[1] == 0, t >= read.faces.size() / 2);
  }
}

TEST(Obj, FigureWithoutASkinIsRefused) {
  const auto text = formatObj(makeDocument(makeBallChain(3)));
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().cause.find("no skin"), std::string::npos);
}

TEST(Obj, PoseThatIsNotANumberIsRefused) {
  Document document = test::makeSkinnedTube();
  document.pose.coordinates[0] = std::nan("");
  EXPECT_FALSE(formatObj(document));
}

TEST(Obj, IsAmongTheFormatsOfExport) { EXPECT_NE(findExportFormat("posed.obj"), nullptr); }

}  // namespace
}  // namespace limber::io

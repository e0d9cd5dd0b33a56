// SPDX-License-Identifier: MIT
#include "limber/io/mesh/obj.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "limber/io/base/file.h"
#include "limber/io/base/image.h"
#include "limber/io/base/resources.h"
#include "limber/io/export_formats.h"
#include "limber/io/mesh/foreign.h"
#include "limber/problem/joint_turn.h"
#include "limber/scene/skin.h"
#include "results.h"
#include "support/skinned_tube.h"
#include "support/temporary_folder.h"

namespace limber::io::obj_test {
namespace {

/// The contents of an OBJ by a simple reader.
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
  const auto text = test::valueOf(formatObj(document, "skin"));
  const ReadBack read(text.text);
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
  const auto text = test::valueOf(formatObj(document, "skin"));
  const ReadBack read(text.text);
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
  const auto text = formatObj(makeDocument(makeBallChain(3)), "skin");
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().cause.find("no skin"), std::string::npos);
}

TEST(Obj, PoseThatIsNotANumberIsRefused) {
  Document document = test::makeSkinnedTube();
  document.pose.coordinates[0] = std::nan("");
  EXPECT_FALSE(formatObj(document, "skin"));
}

/// Two tubes with materials, one of them textured, and a tube without a material.
Document makeColored() {
  Document document = test::withSkin(test::makeTube(0));
  Skin skin = *document.skin;
  skin.surfaces.resize(3, skin.surfaces[0]);
  skin.materials = {{.name = "red paint #1", .color = {1.0f, 0.0f, 0.2140411f, 0.5f}, .alpha = SkinAlpha::Blend},
                    {.name = "red paint #1", .texture = 1}};
  skin.textures.resize(2);
  skin.textures[1] = {2, 1, {255, 0, 0, 255, 0, 255, 0, 128}};
  skin.surfaces[0].material = 0;
  skin.surfaces[1].material = 1;
  skin.surfaces[2].material = -1;
  document.skin = std::make_shared<const Skin>(skin);
  return document;
}

std::vector<std::string> linesWith(const std::string& keyword, const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(keyword + " ")) out.push_back(line.substr(keyword.size() + 1));
  return out;
}

using ObjFiles = test::TemporaryFolder;
using Words = std::vector<std::string>;

TEST_F(ObjFiles, ColoursAndTexturesStandBeside) {
  const auto path = folder_ / "my figure.obj";
  const auto notes = test::valueOf(exportFile(makeColored(), path));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes.front().find("my_figure.mtl"), std::string::npos);
  EXPECT_EQ(fileCount(), 3u);
  const std::string obj = *readFile(path), mtl = *readFile(folder_ / "my_figure.mtl");
  EXPECT_EQ(linesWith("mtllib", obj), Words{"my_figure.mtl"});
  EXPECT_EQ(linesWith("usemtl", obj), linesWith("newmtl", mtl)) << "each is used, in order";
  EXPECT_EQ(linesWith("newmtl", mtl), (Words{"red_paint__1", "red_paint__1_", "plain"}));
  EXPECT_EQ(linesWith("map_Kd", mtl), Words{"my_figure_0.png"});
  EXPECT_EQ(linesWith("d", mtl), (Words{"0.5", "1", "1"}));
  std::istringstream color(linesWith("Kd", mtl).at(0));
  double red = 0, green = 1, blue = 0;
  color >> red >> green >> blue;
  EXPECT_NEAR(red, 1.0, 1e-6);
  EXPECT_NEAR(green, 0.0, 1e-6);
  EXPECT_NEAR(blue, 0.5, 1e-4) << "sRGB";
  ImageBudget budget;
  const auto texture = test::valueOf(decodeImage(*readFile(folder_ / "my_figure_0.png"), budget));
  EXPECT_EQ(texture.pixels, makeColored().skin->textures[1].pixels);
}

TEST_F(ObjFiles, NothingOfAnotherNameIsReplacedSilently) {
  write("a_0.png", "a picture of somebody");
  const auto refused = exportFile(makeColored(), folder_ / "a.obj");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("a_0.png"), std::string::npos) << refused.error().message();
  EXPECT_EQ(fileCount(), 1u);
  EXPECT_EQ(*readFile(folder_ / "a_0.png"), "a picture of somebody");
  std::filesystem::remove(folder_ / "a_0.png");
  EXPECT_TRUE(exportFile(makeColored(), folder_ / "a.obj"));
  EXPECT_TRUE(exportFile(makeColored(), folder_ / "a.obj")) << "its own are replaced with it";
}

TEST_F(ObjFiles, AssimpSeesTheColours) {
  if (!findProgram()) GTEST_SKIP() << "the program, which reads by assimp, is not built";
  ASSERT_TRUE(exportFile(makeColored(), folder_ / "a.obj"));
  const std::filesystem::path path = folder_ / "a.obj";
  const auto back = test::valueOf(readMeshes({&path, 1}, {}).front());
  ASSERT_EQ(back->surfaces.size(), 3u);
  const auto isRedPaint = [](const SkinMaterial& material) {
    return (material.color.head<3>() - Eigen::Vector3f(1.0f, 0.0f, 0.5f)).norm() < 1e-3f;
  };
  EXPECT_TRUE(std::ranges::any_of(back->materials, isRedPaint));
}

TEST(Obj, WithoutMaterialsItStandsAlone) {
  Document document = makeColored();
  Skin skin = *document.skin;
  for (SkinSurface& surface : skin.surfaces) surface.material = -1;
  document.skin = std::make_shared<const Skin>(skin);
  const auto out = formatObj(document, "skin");
  ASSERT_TRUE(out);
  EXPECT_TRUE(out->materials.empty());
  EXPECT_EQ(out->text.find("mtl"), std::string::npos);
}

TEST(Obj, IsAmongTheFormatsOfExport) { EXPECT_NE(findExportFormat("posed.obj"), nullptr); }

}  // namespace
}  // namespace limber::io::obj_test

// SPDX-License-Identifier: MIT
#include "limber/io/mesh/foreign.h"

#include <gtest/gtest.h>

#include "limber/io/base/file.h"
#include "limber/io/base/image.h"
#include "limber/io/base/resources.h"
#include "limber/io/open.h"
#include "results.h"
#include "support/temporary_folder.h"

namespace limber::io::foreign_test {
namespace {

/// Reads one mesh like those of robots.
Result<std::shared_ptr<const Skin>> readMesh(const std::filesystem::path& path, const OpenContext& context) {
  return readMeshes({&path, 1}, context).front();
}

class Foreign : public test::TemporaryFolder {
 protected:
  void SetUp() override {
    test::TemporaryFolder::SetUp();
    if (!findProgram()) GTEST_SKIP() << "the program \"limber\" is not built beside the tests";
  }
};

const std::string kObj = "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const std::string kStl =
    "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 5\nvertex 1 0 5\nvertex 0 1 5\nendloop\nendfacet\nendsolid "
    "t\n";
const std::string kDae = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimetre" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 100 0 0 0 0 100</float_array><technique_common>
<accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";

Eigen::Vector3f upperCorner(const Skin& skin) {
  Eigen::Vector3f upper = Eigen::Vector3f::Constant(-1e30f);
  for (const SkinSurface& surface : skin.surfaces)
    for (const Eigen::Vector3f& position : surface.positions) upper = upper.cwiseMax(position);
  return upper;
}

TEST_F(Foreign, MeshesComeInTheirOwnAxesAndUnit) {
  const auto obj = test::valueOf(readMesh(write("t.obj", kObj), {}));
  EXPECT_LT((upperCorner(*obj) - Eigen::Vector3f(2, 3, 4)).norm(), 1e-6f);
  const auto stl = test::valueOf(readMesh(write("t.stl", kStl), {}));
  EXPECT_LT((upperCorner(*stl) - Eigen::Vector3f(1, 1, 5)).norm(), 1e-6f);
  EXPECT_LT((stl->surfaces.at(0).normals.at(0) - Eigen::Vector3f::UnitZ()).norm(), 1e-6f);
  const auto dae = test::valueOf(readMesh(write("t.dae", kDae), {}));
  EXPECT_LT((upperCorner(*dae) - Eigen::Vector3f(1, 0, 1)).norm(), 1e-5f) << "metres, z stays up";
}

TEST_F(Foreign, AMeshHundredsOfUnitsTallIsNotScaled) {
  const auto stl =
      readMesh(write("t.stl",
                     "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 700 0 0\nvertex 0 900 0\n"
                     "endloop\nendfacet\nendsolid t\n"),
               {});
  ASSERT_TRUE(stl) << stl.error().message();
  EXPECT_LT((upperCorner(**stl) - Eigen::Vector3f(700, 900, 0)).norm(), 1e-2f);
}

TEST_F(Foreign, AColladaFileOpensAsAFigure) {
  const auto opened = test::valueOf(openAny(write("t.dae", kDae).string()));
  EXPECT_EQ(opened.format, "Collada model");
  EXPECT_TRUE(opened.document.skin);
}

TEST_F(Foreign, AMaterialThatNobodyCouldSeeIsSolid) {
  const auto alphaOf = [&](const std::string& dissolve) {
    write("t.mtl", "newmtl m\nKd 1 0 0\nd " + dissolve + "\n");
    const auto mesh = readMesh(write("t.obj", "mtllib t.mtl\nusemtl m\n" + kObj), {});
    EXPECT_TRUE(mesh) << mesh.error().message();
    const SkinMaterial& material = (*mesh)->materials.at((*mesh)->surfaces.at(0).material);
    return material.alpha == SkinAlpha::Opaque ? 1.0f : material.color.w();
  };
  EXPECT_EQ(alphaOf("1"), 1.0f);
  EXPECT_EQ(alphaOf("0.4"), 0.4f);
  EXPECT_EQ(alphaOf("0"), 1.0f);
}

TEST_F(Foreign, ATextureOfAnotherMachineIsFoundAndCutsOutWhereItIsClear) {
  const auto meshWith = [&](std::uint8_t clear) {
    SkinTexture leaf{4, 4, std::vector<std::uint8_t>(64, 255)};
    for (std::size_t i = 3; i < 32; i += 4) leaf.pixels[i] = clear;
    write("leaf 1.png", encodeImage(leaf));
    write("t.mtl", "newmtl m\nKd 1 1 1\nmap_Kd C:\\art\\leaf 1.png\n");
    return test::valueOf(readMesh(
        write("t.obj", "mtllib t.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 0.25\nf 1/1 2/2 3/3\n"),
        {}));
  };
  for (const auto& [clear, alpha] : {std::pair<std::uint8_t, SkinAlpha>{0, SkinAlpha::Mask},
                                     {128, SkinAlpha::Opaque}}) {  // gloss, say, for no opacity is told
    const auto mesh = meshWith(clear);
    const SkinSurface& surface = mesh->surfaces.at(0);
    EXPECT_EQ(mesh->materials.at(surface.material).alpha, alpha);
    ASSERT_EQ(mesh->textures.size(), 1u);
    EXPECT_EQ(mesh->textures[0].pixels.at(3), clear);
    ASSERT_EQ(surface.textureCoordinates.size(), 3u);
    EXPECT_EQ(surface.textureCoordinates[2], Eigen::Vector2f(0.0f, 0.75f)) << "v goes down";
  }
}

TEST_F(Foreign, EqualVerticesAreJoinedAndNormalsMade) {
  const auto mesh = test::valueOf(readMesh(write("t.obj", kObj), {}));
  ASSERT_EQ(mesh->surfaces.size(), 1u);
  const SkinSurface& surface = mesh->surfaces[0];
  EXPECT_EQ(surface.positions.size(), 4u);
  EXPECT_EQ(surface.triangles.size(), 12u);
  for (std::size_t i = 0; i < surface.positions.size(); ++i) {
    EXPECT_NEAR(surface.normals[i].norm(), 1.0f, 1e-6f);
    EXPECT_GT(surface.normals[i].dot(surface.positions[i] - Eigen::Vector3f(0.5f, 0.75f, 1.0f)), 0.0f) << "outward";
  }
}

TEST_F(Foreign, RubbishIsAnErrorThatNamesTheFile) {
  for (const auto& [name, bytes] : std::initializer_list<std::pair<std::string, std::string>>{
           {"a.fbx", "Kaydara FBX Binary  \0\x1a\0 and then nothing of it"},
           {"b.fbx", ""},
           {"c.dae", "<COLLADA version=\"1.4.1\"><library_geometries>"},
           {"d.dae", std::string(200000, '<')}}) {
    const auto opened = openAny(write(name, bytes).string());
    ASSERT_FALSE(opened) << name;
    EXPECT_NE(opened.error().message().find(name), std::string::npos);
  }
  for (const std::string name : {"e.stl", "f.obj", "g.dae"}) {
    const auto mesh = readMesh(write(name, std::string(1000, '\x7f')), {});
    ASSERT_FALSE(mesh) << name;
    EXPECT_NE(mesh.error().message().find(name), std::string::npos);
  }
  EXPECT_FALSE(readMesh(folder_ / "missing.stl", {}));
}

TEST_F(Foreign, AFileThatLiesAboutItsSizeEndsSoonAndSmall) {
  std::string stl(80, ' ');
  stl += std::string("\xff\xff\xff\x7f", 4) + std::string(200, '\0');  // two thousand million triangles
  const auto mesh = readMesh(write("big.stl", stl), {});
  EXPECT_FALSE(mesh);
}

TEST_F(Foreign, AMeshThatCannotBeReadKeepsNoOtherFromIt) {
  std::string liar(80, ' ');
  liar += std::string("\xff\xff\xff\x7f", 4) + std::string(200, '\0');
  const std::vector<std::filesystem::path> paths{write("a.obj", kObj), folder_ / "missing.stl", write("b.stl", liar),
                                                 write("c.stl", kStl)};
  const auto meshes = readMeshes(paths, {});
  ASSERT_EQ(meshes.size(), 4u);
  ASSERT_TRUE(meshes[0]) << meshes[0].error().message();
  EXPECT_LT((upperCorner(**meshes[0]) - Eigen::Vector3f(2, 3, 4)).norm(), 1e-6f);
  ASSERT_FALSE(meshes[1]);
  EXPECT_NE(meshes[1].error().message().find("missing.stl"), std::string::npos);
  EXPECT_FALSE(meshes[2]);
  ASSERT_TRUE(meshes[3]) << meshes[3].error().message();
  EXPECT_LT((upperCorner(**meshes[3]) - Eigen::Vector3f(1, 1, 5)).norm(), 1e-6f);
}

TEST_F(Foreign, LoadingIsCancelled) {
  const OpenContext context{.progress = [](double, std::string_view) { return false; }};
  const auto mesh = readMesh(write("t.obj", kObj), context);
  ASSERT_FALSE(mesh);
  EXPECT_EQ(mesh.error().cause, kCancelled);
}

TEST_F(Foreign, FbxOfTheLibrarysOwnSamplesOpens) {
  const std::filesystem::path samples = "/usr/share/assimp/models/FBX";
  if (!std::filesystem::exists(samples)) GTEST_SKIP() << samples << " is not there (Debian's assimp-testmodels)";
  const auto opened = test::valueOf(openAny((samples / "animation_with_skeleton.fbx").string()));
  EXPECT_EQ(opened.format, "FBX character");
  EXPECT_GT(opened.document.figure->linkCount(), 10);
}

}  // namespace
}  // namespace limber::io::foreign_test

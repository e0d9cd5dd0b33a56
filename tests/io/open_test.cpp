// SPDX-License-Identifier: MIT
#include "limber/io/open.h"

#include "limber/io/base/image.h"
#include "limber/io/figure_formats.h"
#include "limber/io/json/figure_json.h"
#include "limber/io/json/scene_json.h"
#include "limber/kinematics/standard_figures.h"
#include "results.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::open_test {
namespace {

using Open = test::TemporaryFolder;

TEST_F(Open, StandardFiguresAreOpenedByName) {
  EXPECT_EQ(openAny("planar:4")->document.figure->linkCount(), 4);
  EXPECT_EQ(openAny("ball:3")->document.goals.size(), 1u);
  const auto humanoid = test::valueOf(openAny("humanoid"));
  EXPECT_EQ(humanoid.kind, FileKind::StandardFigure);
  for (const char* name :
       {"planar:0", "planar:-1", "planar:", "planar:3x", "ball:100001", "planar:99999999999999999999"})
    EXPECT_NE(openAny(name).error().message().find("from 1 to 100000"), std::string::npos) << name;
}

TEST_F(Open, ContentsDecide) {
  const std::string figure = formatFigure(*makePlanarChain(2));
  EXPECT_EQ(openAny(write("figure.txt", figure).string())->kind, FileKind::Figure);
  EXPECT_EQ(openAny(write("scene.txt", *formatScene(makeDocument(makePlanarChain(2)))).string())->kind,
            FileKind::Scene);
  EXPECT_EQ(openAny(write("problem.txt", R"({"figure": "figure.txt", "goals": []})").string())->kind,
            FileKind::Problem);
  EXPECT_EQ(
      openAny(write("motion.txt", "HIERARCHY ROOT a { OFFSET 0 1 0 } MOTION Frames: 0 Frame Time: 1").string())->kind,
      FileKind::Import);
}

TEST_F(Open, WhatIsNotKnownIsRefused) {
  const auto faultOf = [&](const std::string& name, const std::string& bytes) {
    const auto opened = openAny(write(name, bytes).string());
    return opened ? "" : opened.error().message().substr(folder_.string().size() + 1);
  };
  const std::string fault = faultOf("a.dat", "\x01\x02\x03");
  EXPECT_TRUE(fault.starts_with("a.dat: is neither a Limber scene, figure or problem (JSON) nor one of these: "));
  for (const FigureFormat& format : figureFormats()) EXPECT_NE(fault.find(format.name), std::string::npos) << fault;
  EXPECT_TRUE(test::says(faultOf("a.bvh", std::string("\0\1", 2)), {"a.bvh: line 1", "HIERARCHY", "BVH"}));
  EXPECT_EQ(faultOf("a.limber", ""), "a.limber: the file is empty");
  EXPECT_EQ(faultOf("a", ""), "a: the file is empty");
  EXPECT_EQ(faultOf("a.urdf", ""), "a.urdf: the file is empty");
  EXPECT_TRUE(test::says(faultOf("a.json", "{\"links\": []}"), {"a.json", "\"format\"", "\"figure\""}));
  EXPECT_TRUE(test::says(faultOf("b.json", "{\"format\": \"other\"}"),
                         {"b.json: format", "\"limber scene\"", "\"limber figure\""}));
  EXPECT_EQ(faultOf("c.json", "[1]"), "c.json: must be an object, not an array");
  EXPECT_NE(faultOf("d.json", std::string(10'000'000, '[')).find("nested deeper"), std::string::npos);
  EXPECT_TRUE(
      test::says(faultOf("e.json", R"({"figure": "none.json", "goals": []})"), {"none.json", "cannot be opened"}));
  EXPECT_NE(openAny(folder_.string()).error().message().find("is a folder, not a file"), std::string::npos);
}

TEST_F(Open, WhatIsUnreadIsToldForWhatItIs) {
  struct Case {
    const char *name, *bytes, *words;
  };
  const Case cases[] = {
      {"robot.urdf", "\n<!DOCTYPE html>\n<html><head></head></html>", "is a web page (HTML)"},
      {"robot.json", "<html lang='en'>", "is a web page (HTML)"},
      {"hand.fbx", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7\nsize 12345\n", "git lfs pull"},
      {"a.blend", "BLENDER-v300", "is a Blender file: export the character from its program as glTF (.glb) or FBX"},
      {"renamed.urdf", "BLENDER-v300", "is a Blender file"},
      {"a.usdc", "PXR-USDC", "is a scene of USD"},
      {"a.usda", "#usda 1.0", "has neither a skeleton nor joints"},
      {"a.usdz", "PK\x03\x04", "is a scene of USD"},
      {"a.abc", "Ogawa", "is a cache of Alembic"},
      {"a.ma", "//Maya ASCII 2020 scene", "is a scene of Maya"},
      {"a.c4d", "QC4DC4D6", "is a scene of Cinema 4D"},
      {"a.max", "\xd0\xcf\x11\xe0", "is a scene of 3ds Max"},
      {"a.3ds", "MM", "is a mesh of 3D Studio"},
      {"A.STL", "solid a\nendsolid a\n", "is a mesh without joints (STL): the panel World adds it"},
      {"a.obj", "v 0 0 0\n", "is a mesh without joints (OBJ)"},
      {"a.ply", "ply\nformat ascii 1.0\n", "is a mesh without joints (PLY)"},
      {"walk.csv", "time,a_x,a_y,a_z\n0,1,2,3\n", "limber fit FIGURE FILE"},
      {"walk.trc", "PathFileType\t4\t(X/Y/Z)\twalk.trc\n", "observed markers (TRC), and no figure: open a figure"},
      {"walk.c3d", "\x02\x50", "(C3D), and no figure: open a figure, and fit it to them in the panel Fit"},
      {"a.zip", "PK\x03\x04", "is an archive (ZIP): unpack it"},
      {"a.urdf", "%PDF-1.4", "is a PDF document"},
      {"a.png", "\x89PNG\r\n", "is a picture (PNG)"},
      {"notes.txt", "hello", "is text"},
  };
  for (const Case& one : cases) {
    const std::filesystem::path path = write(one.name, one.bytes);
    const std::string fault = test::messageOf(openAny(path.string()));
    EXPECT_TRUE(fault.starts_with(path.string() + ": ")) << fault;
    EXPECT_NE(fault.find(one.words), std::string::npos) << one.name << ": " << fault;
    write("problem.json", "{\"figure\": \"" + std::string(one.name) + "\", \"goals\": []}");
    EXPECT_NE(test::messageOf(openAny((folder_ / "problem.json").string())).find(one.words), std::string::npos)
        << one.name;
  }
}

TEST_F(Open, FilesThatWereNotFoundAreNamedAndFoundInAFolder) {
  const std::filesystem::path robot = write("robot/a.urdf", R"(<robot name="a"><link name="base"><visual><geometry>
    <mesh filename="package://arm/meshes/base.stl"/></geometry></visual></link></robot>)");
  const auto opened = test::valueOf(openAny(robot.string()));
  EXPECT_EQ(opened.missing, std::vector<std::string>{"package://arm/meshes/base.stl"});
  write("packages/arm/meshes/base.stl", "solid t\nendsolid t\n");
  EXPECT_TRUE(openAny(robot.string(), {.folders = {folder_ / "packages"}})->missing.empty());
  EXPECT_TRUE(openAny(robot.string(), {.folders = {folder_ / "packages" / "arm"}})->missing.empty());
}

TEST_F(Open, TexturesOfGltfAreFoundInAFolderToo) {
  const std::string text =
      R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"name": "a", "mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
    "accessors": [{"componentType": 5126, "count": 3, "type": "VEC3"}],
    "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}], "textures": [{"source": 0}],
    "images": [{"uri": "../textures/skin.png"}]})";
  const std::filesystem::path model = write("robot/a.gltf", text);
  write("textures/skin.png", encodeImage({2, 1, {255, 0, 0, 255, 0, 255, 0, 128}}));
  const auto opened = test::valueOf(openAny(model.string()));
  EXPECT_EQ(opened.missing, std::vector<std::string>{"../textures/skin.png"}) << "outside of the folder";
  const auto found = test::valueOf(openAny(model.string(), {.folders = {folder_ / "textures"}}));
  EXPECT_TRUE(found.missing.empty());
  ASSERT_TRUE(found.document.skin);
  EXPECT_EQ(found.document.skin->textures.size(), 1u);
}

}  // namespace
}  // namespace limber::io::open_test

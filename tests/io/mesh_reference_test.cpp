// SPDX-License-Identifier: MIT
#include "limber/io/robot/robot_parts.h"

#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::mesh_reference_test {
namespace {
namespace fs = std::filesystem;

/// folder/ws/arm_description/{urdf/arm.urdf, meshes/a.stl}, folder/other/b.stl
class MeshReferences : public test::TemporaryFolder {
 protected:
  void SetUp() override {
    test::TemporaryFolder::SetUp();
    package_ = folder_ / "ws" / "arm_description";
    for (const fs::path& folder : {package_ / "urdf" / "near", package_ / "meshes", folder_ / "other"})
      fs::create_directories(folder);
    write("ws/arm_description/meshes/a.stl", "solid");
    write("ws/arm_description/urdf/near/c.stl", "solid");
    write("other/b.stl", "solid");
  }
  fs::path find(const std::string& written, const OpenContext& context = {}) const {
    return resolveMesh(written, package_ / "urdf" / "arm.urdf", context);
  }
  fs::path package_;
};

TEST_F(MeshReferences, AreFoundByWalkingUp) {
  const fs::path a = package_ / "meshes" / "a.stl";
  EXPECT_EQ(find("package://arm_description/meshes/a.stl"), a);
  EXPECT_EQ(find("model://arm_description/meshes/a.stl"), a);
  EXPECT_EQ(find("meshes/a.stl"), a);
  EXPECT_EQ(find("../meshes/a.stl"), a) << "without a package, too";
  EXPECT_EQ(find("near/../../meshes/a.stl"), a);
  EXPECT_EQ(find("near/c.stl"), package_ / "urdf" / "near" / "c.stl");
  EXPECT_EQ(find("package://other_description/meshes/a.stl"), "");
  EXPECT_EQ(find("package://arm_description/meshes/none.stl"), "");
}

TEST_F(MeshReferences, AreFoundInFoldersThatWerePointedAt) {
  EXPECT_EQ(find("package://b_description/b.stl", {.folders = {folder_ / "other"}}), folder_ / "other" / "b.stl");
  EXPECT_EQ(find("../../../other/b.stl", {.folders = {folder_}}), folder_ / "other" / "b.stl");
}

TEST_F(MeshReferences, LeaveTheFolderOnlyWhenAllowed) {
  const std::string absolute = (folder_ / "other" / "b.stl").string();
  for (const std::string& written : {std::string("../../../other/b.stl"), absolute, "file://" + absolute}) {
    EXPECT_EQ(find(written), "") << written;
    EXPECT_EQ(find(written, {.mayLeaveFolder = true}), folder_ / "other" / "b.stl") << written;
  }
  for (const char* written : {"package://../other/b.stl", "package://arm_description/../../other/b.stl",
                              "package:///etc/passwd", "package://", "..", ""})
    EXPECT_EQ(find(written), "") << written;
  EXPECT_EQ(find((package_ / "urdf" / "near" / "c.stl").string()), package_ / "urdf" / "near" / "c.stl");
}

TEST_F(MeshReferences, APackageIsKnownByItsPackageFileToo) {
  write("ws/arm_description/package.xml", "<package>\n<name> my_arm </name></package>");
  const fs::path a = package_ / "meshes" / "a.stl";
  EXPECT_EQ(find("package://my_arm/meshes/a.stl"), a) << "a clone's folder may have another name";
  EXPECT_EQ(find("file://package://my_arm/meshes/a.stl"), a) << "as file://$(find my_arm) becomes";
  EXPECT_EQ(find("../meshes/a.stl"), a) << "within the package";
  EXPECT_EQ(find(a.string()), a);
  EXPECT_EQ(find("../../../other/b.stl"), "") << "outside of it";
  EXPECT_EQ(find((folder_ / "other" / "b.stl").string()), "");
}

TEST_F(MeshReferences, PointersOfGitLfsAreToldApart) {
  std::vector<MeshReference> meshes(2);
  meshes[0].path = write("a.stl", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n");
  meshes[1].path = write("b.stl", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7b\nsize 12345\n");
  Skin skin;
  const std::vector<std::string> notes = addMeshes(meshes, {}, skin);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(test::says(notes[0], {"2 meshes", "git lfs pull"}));
  EXPECT_TRUE(skin.surfaces.empty());
}

TEST_F(MeshReferences, MissingOnesAreListedOnce) {
  std::vector<MeshReference> meshes = {{.written = "b.stl"}, {.written = "near/c.stl"}, {.written = "b.stl"}};
  resolveMeshes(meshes, package_ / "urdf" / "arm.urdf", {});
  EXPECT_EQ(missingMeshes(meshes), "1 mesh not found: b.stl");
  meshes.push_back({.written = "a.dae"});
  EXPECT_EQ(missingMeshes(meshes), "2 meshes not found: a.dae, b.stl");
  EXPECT_EQ(missingMeshes({}), "");
}

}  // namespace
}  // namespace limber::io::mesh_reference_test

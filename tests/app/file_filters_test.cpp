// SPDX-License-Identifier: MIT
#include "app/editing/file_filters.h"

#include <gtest/gtest.h>

#include <set>

#include "io/gltf_sample.h"
#include "limber/io/figure_formats.h"
#include "limber/io/gltf/gltf.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::app {
namespace {

using Endings = std::set<std::string_view>;

Endings endingsOf(const FileFilter& filter) { return {filter.extensions.begin(), filter.extensions.end()}; }

TEST(FileFilters, ExportOffersWhatTheFigureCanBeWrittenAs) {
  const auto chain = fileFilters(Command::Export, makeDocument(makePlanarChain(3)));
  EXPECT_EQ(endingsOf(chain.front()), (Endings{".bvh", ".fbx", ".glb", ".gltf", ".urdf", ".json", ".csv", ".limber"}));
  EXPECT_EQ(chain.size(), 10u) << "all, each of the eight, every file";

  const auto human = io::openAny("human");
  ASSERT_TRUE(human) << human.error().message();
  EXPECT_EQ(endingsOf(fileFilters(Command::Export, human->document).front()),
            (Endings{".bvh", ".fbx", ".vmd", ".vpd", ".glb", ".gltf", ".vrma", ".urdf", ".json", ".csv", ".limber"}));

  const auto gltf = io::readGltf(test::twoJoints().text(), "a.gltf", {});
  ASSERT_TRUE(gltf) << gltf.error().message();
  EXPECT_EQ(endingsOf(fileFilters(Command::Export, io::documentOf(*gltf)).front()),
            (Endings{".bvh", ".fbx", ".gltf", ".glb", ".obj", ".urdf", ".json", ".csv", ".limber"}));
  const auto glb = io::readGltf(test::twoJoints().glb(), "a.glb", {});
  ASSERT_TRUE(glb) << glb.error().message();
  EXPECT_EQ(endingsOf(fileFilters(Command::Export, io::documentOf(*glb)).front()),
            (Endings{".bvh", ".fbx", ".gltf", ".glb", ".obj", ".urdf", ".json", ".csv", ".limber"}));
}

TEST(FileFilters, SavingNamesTheFormatThatIsSaved) {
  const Document document = makeDocument(makePlanarChain(3));
  for (const auto& [command, ending] :
       {std::pair(Command::SaveAs, ".limber"), std::pair(Command::SaveFigureAs, ".json"),
        std::pair(Command::SaveRace, ".csv"), std::pair(Command::SavePictures, ".png")})
    EXPECT_EQ(endingsOf(fileFilters(command, document).front()), Endings{ending});
}

TEST(FileFilters, OpeningShowsAllThatIsRead) {
  const auto open = fileFilters(Command::Open, makeDocument(makePlanarChain(3)));
  for (const char* name : {"a.limber", "a.json", "A.BVH", "a.asf", "a.amc", "a.urdf", "a.xacro", "a.sdf", "a.osim",
                           "a.usda", "a.vrm", "a.vrma", "a.fbx"})
    EXPECT_TRUE(passes(open.front(), name)) << name;
  EXPECT_FALSE(passes(open.front(), "a.trc"));
  EXPECT_TRUE(passes(open.back(), "a.trc"));
  const auto motion = fileFilters(Command::LoadMotion, makeDocument(makePlanarChain(3)));
  for (const char* name : {"a.csv", "a.json", "a.bvh", "a.vrma", "a.limber"})
    EXPECT_TRUE(passes(motion.front(), name)) << name;
  const auto observe = fileFilters(Command::OpenObservations, makeDocument(makePlanarChain(3)));
  for (const char* name : {"a.trc", "a.c3d", "a.csv", "a.json", "a.bvh", "a.limber"})
    EXPECT_TRUE(passes(observe.front(), name)) << name;
}

TEST(FileFilters, NameAndFilterFollowEachOther) {
  const auto filters = fileFilters(Command::Export, makeDocument(makePlanarChain(3)));
  const int bvh = filterFor(filters, "walk.bvh");
  EXPECT_EQ(endingsOf(filters[static_cast<std::size_t>(bvh)]), Endings{".bvh"});
  EXPECT_EQ(filterFor(filters, "walk.exe"), 0);
  EXPECT_EQ(withEndingOf(filters[static_cast<std::size_t>(bvh)], "walk.v2.json"), "walk.v2.bvh");
  EXPECT_EQ(withEndingOf(filters[static_cast<std::size_t>(bvh)], "WALK.BVH"), "WALK.BVH");
  EXPECT_EQ(withEndingOf(filters.front(), "walk.json"), "walk.json");
}

TEST(FileFilters, AnExportBeginsInTheFormatOfItsKind) {
  const auto humanoid = io::openAny("humanoid");
  ASSERT_TRUE(humanoid) << humanoid.error().message();
  EXPECT_EQ(io::endingOf(exportName(humanoid->document)), ".bvh");
  EXPECT_EQ(io::endingOf(exportName(makeDocument(makePlanarChain(3)))), ".json");
  EXPECT_EQ(io::endingOf(exportName(makeDocument(makeArm()))), ".json");
  Document document = makeDocument(makePlanarChain(3));
  const auto cameFrom = [&](SourceFormat format, const char* path) {
    auto source = std::make_shared<SourceFile>();
    source->format = format;
    source->path = path;
    document.source = source;
    return exportName(document);
  };
  EXPECT_EQ(cameFrom(SourceFormat::Bvh, "/tmp/walk.bvh"), "walk.bvh");
  EXPECT_EQ(cameFrom(SourceFormat::Fbx, "/tmp/hero.fbx"), "hero.fbx");
  EXPECT_EQ(cameFrom(SourceFormat::Gltf, "/tmp/hero.gltf"), "hero.gltf");
  EXPECT_EQ(cameFrom(SourceFormat::Glb, "/tmp/hero.glb"), "hero.glb");
  EXPECT_EQ(cameFrom(SourceFormat::Urdf, "/tmp/arm.urdf"), "arm.json");
  EXPECT_EQ(cameFrom(SourceFormat::Sdf, "/tmp/arm.sdf"), "arm.json");
  EXPECT_EQ(cameFrom(SourceFormat::Bvh, "/tmp/caf\xe9.bvh"), "caf\xc3\xa9.bvh") << "the new file has a name in UTF-8";
}

TEST(FileFilters, OfTwoEndingsTheTypedOneStays) {
  const auto scenes = fileFilters(Command::SaveAs, makeDocument(makePlanarChain(3)));
  EXPECT_EQ(withOneEnding(scenes, "/tmp/a.limber.limber"), "/tmp/a.limber");
  EXPECT_EQ(withOneEnding(scenes, "walk.v2.limber"), "walk.v2.limber");
  EXPECT_EQ(withOneEnding(scenes, "a.limber"), "a.limber");
  EXPECT_EQ(withOneEnding(scenes, "a.limber/b.limber"), "a.limber/b.limber");
  const auto exports = fileFilters(Command::Export, makeDocument(makePlanarChain(3)));
  EXPECT_EQ(withOneEnding(exports, "walk.bvh.json"), "walk.bvh");
  EXPECT_EQ(withOneEnding(exports, "walk.exe.json"), "walk.exe.json");
}

}  // namespace
}  // namespace limber::app

// SPDX-License-Identifier: MIT
// Every reader takes every broken file: an error that names its cause, or a figure. tests/fuzz does the same at length.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/mutation.h"
#include "io/figure_formats.h"
#include "io/file.h"
#include "kinematics/forward_kinematics.h"
#include "locations.h"

namespace limber::io {
namespace {
namespace fs = std::filesystem;

constexpr int kMutations = 300;  // a file

struct Seed {
  const FigureFormat* format;
  fs::path path;
  std::string bytes;
};

/// The files of tests/fuzz/seeds with their formats.
std::vector<Seed> seeds() {
  std::vector<Seed> all;
  for (const auto& entry : fs::directory_iterator(fs::path(LIMBER_SOURCE_DIR) / "tests" / "fuzz" / "seeds")) {
    const auto bytes = readFile(entry.path());
    if (bytes) all.push_back({findFigureFormat(*bytes, entry.path()), entry.path(), *bytes});
  }
  return all;
}

void expectFigureOrError(const Seed& seed, const std::string& bytes) {
  const auto source = seed.format->read(bytes, seed.path, {});
  if (!source) {
    EXPECT_EQ(source.error().file.empty() || source.error().cause.empty(), false);
    return;
  }
  Kinematics kinematics;
  computeTransforms(*source->figure, restPose(*source->figure), kinematics);
}

TEST(BrokenFiles, AreWholeAtFirst) {
  for (const Seed& seed : seeds()) {
    const auto source = seed.format->read(seed.bytes, seed.path, {});
    EXPECT_TRUE(source) << source.error().message();
  }
}

TEST(BrokenFiles, CutOffAnywhere) {
  for (const Seed& seed : seeds()) {
    SCOPED_TRACE(seed.path.filename());
    for (std::size_t length = 0; length < seed.bytes.size(); length += 64)
      expectFigureOrError(seed, seed.bytes.substr(0, length));
  }
}

TEST(BrokenFiles, ChangedAtRandom) {
  for (const Seed& seed : seeds())
    for (std::uint32_t i = 0; i < kMutations; ++i) {
      SCOPED_TRACE(seed.path.filename().string() + ", " + std::to_string(i));
      expectFigureOrError(seed, test::Mutation(i)(seed.bytes));
    }
}

}  // namespace
}  // namespace limber::io

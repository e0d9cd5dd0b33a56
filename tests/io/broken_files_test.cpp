// SPDX-License-Identifier: MIT
// Every reader handles every broken file: with an error that names its cause, or with its contents. tests/fuzz does the
// same at length.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/mutation.h"
#include "fuzz/readers.h"
#include "limber/io/base/file.h"
#include "limber/io/base/resources.h"
#include "locations.h"

namespace limber::io::broken_files_test {
namespace {
namespace fs = std::filesystem;

constexpr std::uint32_t kMutations = 300, kMutationsByChild = 40;  // a file

struct Seed {
  test::Reader reader;
  fs::path path;
  std::string bytes;
};

/// The files of tests/fuzz/seeds with their readers.
std::vector<Seed> seeds() {
  const std::vector<test::Reader> readers = test::allReaders();
  std::vector<Seed> all;
  for (const auto& entry : fs::directory_iterator(fs::path(LIMBER_SOURCE_DIR) / "tests" / "fuzz" / "seeds")) {
    const auto bytes = readFile(entry.path());
    const auto reader = std::ranges::find_if(readers, [&](const test::Reader& r) { return r.reads(entry.path()); });
    EXPECT_NE(reader, readers.end()) << entry.path();
    if (bytes && reader != readers.end()) all.push_back({*reader, entry.path(), *bytes});
  }
  return all;
}

void expectContentOrError(const Seed& seed, const std::string& bytes) {
  const std::optional<Error> error = seed.reader.take(bytes, seed.path);
  EXPECT_FALSE(error && (error->file.empty() || error->cause.empty()));
}

TEST(BrokenFiles, AreWholeAtFirst) {
  bool isLeftOut = false;
  for (const Seed& seed : seeds()) {
    if (seed.reader.asksChild && !findProgram()) {
      isLeftOut = true;
      continue;
    }
    const std::optional<Error> error = seed.reader.take(seed.bytes, seed.path);
    const bool lacksYaml = error && error->cause.find("does not read YAML") != std::string::npos;
    EXPECT_TRUE(!error || lacksYaml) << error->message();
    isLeftOut = isLeftOut || lacksYaml;
  }
  if (isLeftOut)
    GTEST_SKIP() << "FBX and Collada without the program \"limber\" beside the tests, or xacro without yaml-cpp";
}

TEST(BrokenFiles, CutOffAnywhere) {
  for (const Seed& seed : seeds()) {
    SCOPED_TRACE(seed.path.filename());
    for (std::size_t length = 0; length < seed.bytes.size(); length += 64)
      expectContentOrError(seed, seed.bytes.substr(0, length));
  }
}

TEST(BrokenFiles, ChangedAtRandom) {
  for (const Seed& seed : seeds())
    for (std::uint32_t i = 0; i < (seed.reader.asksChild ? kMutationsByChild : kMutations); ++i) {
      SCOPED_TRACE(seed.path.filename().string() + ", " + std::to_string(i));
      expectContentOrError(seed, test::Mutation(i)(seed.bytes));
    }
}

}  // namespace
}  // namespace limber::io::broken_files_test

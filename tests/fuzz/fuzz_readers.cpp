// SPDX-License-Identifier: MIT
// Feeds broken copies of a file to the reader of its format, cut off at every 64th byte (or at COUNT places, where
// these are fewer), then changed at random; best in a build with sanitizers:
//
//   limber_fuzz_readers FORMAT|all COUNT SEED [FILE]
//
// FORMAT is an ending such as urdf. Copy i comes from SEED + i, so a failure is repeated with that seed and a COUNT of
// 1; after a crash the last line names the hundred that it was in. Without FILE the small files of tests/fuzz/seeds are
// taken. Exits with 1 when a reader gives an error without a cause, takes more than 5 s of the processor, or memory
// goes beyond 1 GiB.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "fuzz/mutation.h"
#include "fuzz/readers.h"
#include "limber/io/base/file.h"
#include "locations.h"

namespace {

namespace fs = std::filesystem;
using namespace limber;

#if defined(__SANITIZE_ADDRESS__)
constexpr double kMaxSeconds = 20.0;  // the sanitizer slows readers down
#else
constexpr double kMaxSeconds = 5.0;
#endif
constexpr long kMaxKilobytes = 1 << 20;
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kCountsMemory = false;  // the sanitizer takes most of it
#else
constexpr bool kCountsMemory = true;
#endif

struct Tally {
  int opened = 0, refused = 0;
  double slowest = 0.0;  ///< seconds
};

/// The fault in the reader's handling of the bytes; empty if there is none.
std::string findFault(const test::Reader& reader, const std::string& bytes, const fs::path& path, Tally& tally) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t startOfProcess = std::clock();
  const std::optional<io::Error> error = reader.take(bytes, path);
  const std::chrono::duration<double> onClock = std::chrono::steady_clock::now() - start;
  const double ofProcess = static_cast<double>(std::clock() - startOfProcess) / CLOCKS_PER_SEC;
  const double taken = reader.asksChild ? onClock.count() : ofProcess;  // other programs cannot prolong the latter
  tally.slowest = std::max(tally.slowest, taken);
  ++(error ? tally.refused : tally.opened);
  if (taken > kMaxSeconds) return "took " + std::to_string(taken) + " s";
  return error && (error->cause.empty() || error->file.empty()) ? "an error without a cause" : "";
}

bool fuzz(const test::Reader& reader, const fs::path& file, int count, std::uint32_t seed) {
  const auto bytes = io::readFile(file);
  if (!bytes) {
    std::cerr << bytes.error().message() << '\n';
    return false;
  }
  Tally tally;
  bool isSound = true;
  const std::string name = file.filename().string();
  const fs::path path = file.parent_path() / ("broken" + file.extension().string());
  const auto expectSound = [&](const std::string& broken, const std::string& how) {
    const std::string fault = findFault(reader, broken, path, tally);
    if (fault.empty()) return;
    std::cerr << name << ", " << how << ": " << fault << '\n';
    isSound = false;
  };
  std::cerr << name << ": cut off" << std::endl;
  const std::size_t step = 64 * (1 + bytes->size() / 64 / static_cast<std::size_t>(count));
  for (std::size_t length = 0; length < bytes->size(); length += step)
    expectSound(bytes->substr(0, length), "cut off after " + std::to_string(length) + " bytes");
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(count); ++i) {
    if (i % 100 == 0) std::cerr << name << ": from seed " << seed + i << std::endl;
    expectSound(test::Mutation(seed + i)(*bytes), "seed " + std::to_string(seed + i));
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::cout << reader.name << ", " << name << ": " << tally.opened << " opened, " << tally.refused
            << " refused, the slowest took " << tally.slowest << " s, " << usage.ru_maxrss / 1024 << " MiB at most\n";
  return isSound && (!kCountsMemory || usage.ru_maxrss <= kMaxKilobytes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5 || std::atoi(argv[2]) < 1) {
    std::cerr << "limber_fuzz_readers FORMAT|all COUNT SEED [FILE]\n";
    return 2;
  }
  const std::string wanted = argv[1];
  const int count = std::atoi(argv[2]);
  const auto seed = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
  std::vector<fs::path> files;
  if (argc == 5) files = {argv[4]};
  else
    for (const auto& entry : fs::directory_iterator(fs::path(LIMBER_SOURCE_DIR) / "tests" / "fuzz" / "seeds"))
      if (wanted == "all" || entry.path().extension() == "." + wanted) files.push_back(entry.path());
  std::ranges::sort(files);
  bool isSound = true;
  int tried = 0;
  for (const test::Reader& reader : test::allReaders())
    for (const fs::path& file : files) {
      if (!reader.reads(argc == 5 ? fs::path("file." + wanted) : file)) continue;
      ++tried;
      isSound = fuzz(reader, file, count, seed) && isSound;
    }
  if (tried == 0) std::cerr << "there is no format or no file for " << wanted << '\n';
  return isSound && tried > 0 ? 0 : 1;
}

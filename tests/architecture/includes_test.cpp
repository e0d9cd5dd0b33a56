// SPDX-License-Identifier: MIT
// The arrows between the rooms of src/, read off the #include lines. A failure names file, line and rule.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "locations.h"

namespace {
namespace fs = std::filesystem;

struct Include {
  std::string from;  ///< "limber/io/result.cpp", below src/
  int line = 0;
  std::string header;
  bool system = false;  ///< <header>, not "header"

  std::string place() const { return "src/" + from + ":" + std::to_string(line) + " includes " + header; }
};

bool startsWith(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

/// "io" of "limber/io/result.cpp", "app" of "app/shell/main.cpp".
std::string roomOf(const std::string& path) {
  const std::string below = startsWith(path, "limber/") ? path.substr(7) : path;
  return below.substr(0, below.find('/'));
}

/// The name in an include line with its quotes or angle brackets; empty for any other line.
std::string includedBy(const std::string& line) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return {};
  const std::size_t word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return {};
  const std::size_t open = line.find_first_of("<\"", word);
  if (open == std::string::npos) return {};
  return line.substr(open, line.find_first_of(">\"", open + 1) - open + 1);
}

std::vector<Include> includesIn(const fs::path& src) {
  std::vector<Include> all;
  for (const auto& entry : fs::recursive_directory_iterator(src)) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    std::string text;
    for (int line = 1; std::getline(file, text); ++line)
      if (const std::string header = includedBy(text); header.size() > 2)
        all.push_back({fs::relative(entry.path(), src).generic_string(), line, header.substr(1, header.size() - 2),
                       header.front() == '<'});
  }
  return all;
}

const std::vector<Include>& allIncludes() {
  static const std::vector<Include> includes = includesIn(fs::path(LIMBER_SOURCE_DIR) / "src");
  return includes;
}

const std::set<std::string> kCore = {"vector", "kinematics", "goals", "objective", "ways", "solvers"};

TEST(Includes, AreFound) { EXPECT_GT(allIncludes().size(), 20u) << "in " << LIMBER_SOURCE_DIR << "/src"; }

// Rooms that a room may look into, besides itself.
TEST(Includes, FollowTheArrowsBetweenRooms) {
  const std::set<std::string> all = {"vector", "kinematics", "goals",  "objective", "solvers", "problem",
                                     "ways",   "body",       "posing", "proof",     "vision",  "scene",
                                     "io",     "render",     "app",    "version.h", "python"};
  const std::map<std::string, std::set<std::string>> mayInclude = {
      {"vector", {}},
      {"kinematics", {"vector"}},
      {"goals", {"kinematics"}},
      {"objective", {"vector", "kinematics", "goals"}},
      {"solvers", {"vector", "kinematics", "goals", "objective", "ways"}},
      {"ways", {"kinematics"}},
      {"problem", {"kinematics", "goals"}},
      {"body", {"kinematics", "goals", "problem"}},
      {"posing", {"kinematics", "goals", "objective", "solvers", "ways", "problem", "body"}},
      {"proof", {"kinematics", "solvers", "problem", "posing"}},
      {"vision", {"kinematics", "goals", "solvers", "problem", "posing"}},
      {"scene", {"kinematics", "goals", "objective", "solvers", "problem", "body", "posing", "proof", "vision"}},
      {"ik.h", {"kinematics", "problem", "posing"}},
      {"io.h", {"io"}},
      {"io", {"kinematics", "goals", "problem", "body", "vision", "scene"}},
      {"render", {"kinematics", "goals", "problem", "body", "scene"}},
      {"app", all},
      {"python", {"kinematics", "solvers", "problem", "posing", "scene", "io", "render", "version.h"}},
  };
  for (const Include& include : allIncludes()) {
    const std::string from = roomOf(include.from), to = roomOf(include.header);
    const auto rule = mayInclude.find(from);
    if (rule == mayInclude.end()) {
      ADD_FAILURE() << "src/" << include.from << ": " << from << "/ is no room of the architecture";
    } else if (!include.system) {
      EXPECT_TRUE(all.count(to)) << include.place() << ": a header of Limber is named from src/";
      EXPECT_TRUE(to == from || !all.count(to) || rule->second.count(to))
          << include.place() << ": " << from << "/ may not look into " << to << "/";
    }
  }
}

/// "limits" of "limber/objective/limits/free_space.h", "panels" of "app/panels/panels.h"; empty for files in the room
/// itself.
std::string subRoomOf(const std::string& path) {
  const std::size_t room = path.find('/', startsWith(path, "limber/") ? 7 : 0);
  const std::size_t end = room == std::string::npos ? room : path.find('/', room + 1);
  return end == std::string::npos ? std::string() : path.substr(room + 1, end - room - 1);
}

// Sub-rooms of a room depend on each other in one direction. Files of the room itself (its interface and its tables)
// know them, and they know the interface.
TEST(Includes, OfSubRoomsMakeNoCircle) {
  std::map<std::string, std::set<std::string>> knows;  // "objective/sweep" -> "objective/limits"
  for (const Include& include : allIncludes()) {
    const std::string room = roomOf(include.from), from = subRoomOf(include.from), to = subRoomOf(include.header);
    if (!include.system && room == roomOf(include.header) && !from.empty() && !to.empty() && from != to)
      knows[room + '/' + from].insert(room + '/' + to);
  }
  EXPECT_GE(knows.size(), 15u) << "sub-rooms were not found";
  for (bool grows = true; grows;) {  // to all that a sub-room knows through others
    grows = false;
    for (auto& [from, known] : knows)
      for (const std::string& other : std::set<std::string>(known))
        for (const std::string& further : knows[other]) grows |= known.insert(further).second;
  }
  for (const auto& [from, known] : knows) EXPECT_FALSE(known.count(from)) << from << " builds on itself";
}

// Eigen and the standard library, less what reads, writes or prints.
TEST(Includes, OfTheCoreAreEigenAndStandardLibrary) {
  const std::set<std::string> forbidden = {"cstdio", "filesystem", "fstream", "iostream", "print", "syncstream"};
  for (const Include& include : allIncludes()) {
    if (!kCore.count(roomOf(include.from)) || !include.system) continue;
    const bool standard = include.header.find_first_of("/.") == std::string::npos && !forbidden.count(include.header);
    EXPECT_TRUE(standard || startsWith(include.header, "Eigen/"))
        << include.place() << ": the core sees Eigen and the standard library, no files and no output";
  }
}

// What each library outside may be seen by; the draw list and the view are numbers, testable without a context.
TEST(Includes, OfOtherLibrariesStayInTheirRoom) {
  const std::vector<std::pair<std::string, std::set<std::string>>> seenBy = {
      {"Eigen/",
       {"kinematics", "goals", "objective", "solvers", "ways", "problem", "body", "posing", "proof", "vision", "scene",
        "io", "render", "app", "python"}},
      {"pybind11/", {"python"}},
      {"glad/", {"render"}},
      {"EGL/", {"render"}},
      {"GL/", {"render"}},
      {"GLES3/", {"render"}},
      {"glm/", {"render", "app"}},
      {"nlohmann/", {"io", "app"}},
      {"GLFW/", {"app"}},
      {"CLI/", {"app"}},
      {"imgui", {"app"}},
      {"libqhull_r/", {"problem"}},
      {"tinyxml2", {"io"}},
      {"assimp/", {"app"}},
      {"lo/", {"app"}},
      {"stb_", {"io", "render"}},
      {"draco/", {"io"}},
      {"meshoptimizer.h", {"io"}},
      {"webp/", {"io"}},
      {"avif/", {"io"}},
      {"yaml-cpp/", {"io"}},
  };
  for (const Include& include : allIncludes()) {
    if (!include.system || include.header.find_first_of("/.") == std::string::npos) continue;
    bool isOfLibrary = false;
    for (const auto& [library, rooms] : seenBy) {
      if (!startsWith(include.header, library)) continue;
      isOfLibrary = true;
      EXPECT_TRUE(rooms.count(roomOf(include.from))) << include.place() << ": " << library << " is for "
                                                     << *rooms.begin() << "/, not for " << roomOf(include.from) << "/";
    }
    EXPECT_TRUE(isOfLibrary || include.from == "limber/io/base/platform.cpp")
        << include.place() << ": platform.cpp alone includes headers of the operating system";
  }
}

TEST(Includes, OfWindowAndCommandsKeepApart) {
  for (const Include& include : allIncludes()) {
    if (roomOf(include.from) != "app" || include.from == "app/shell/main.cpp") continue;
    const bool inCommands = startsWith(include.from, "app/commands/");
    const bool ofCommands = startsWith(include.header, "app/commands/");
    const bool ofWindow = startsWith(include.header, "app/shell/") || startsWith(include.header, "app/panels/");
    EXPECT_FALSE(inCommands && ofWindow) << include.place() << ": commands do not know the window";
    EXPECT_FALSE(!inCommands && ofCommands) << include.place() << ": the window does not know the commands";
  }
}

}  // namespace

// SPDX-License-Identifier: MIT
// README and docs/: every link inside the project has a target, and every picture is used.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "locations.h"

namespace limber::links_test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = LIMBER_SOURCE_DIR;

std::vector<fs::path> allPages() {
  std::vector<fs::path> pages = {kRoot / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  return pages;
}

/// The line without its code spans, where brackets mean other things.
std::string withoutSpans(const std::string& line) {
  std::string rest;
  bool isCode = false;
  for (const char c : line) {
    if (c == '`') isCode = !isCode;
    else if (!isCode) rest += c;
  }
  return rest;
}

/// The page's lines without code.
std::vector<std::string> proseOf(const fs::path& page) {
  std::vector<std::string> lines;
  std::ifstream file(page);
  bool isCode = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) isCode = !isCode;
    else if (!isCode && !line.starts_with("    ")) lines.push_back(withoutSpans(line));
  }
  return lines;
}

struct Reference {
  fs::path page;
  std::string target;  ///< as it is written: "solvers/lm.md#options"
};

std::vector<Reference> allReferences() {
  static const std::regex link("\\]\\(([^)\\s]+)\\)");
  std::vector<Reference> references;
  for (const fs::path& page : allPages())
    for (const std::string& line : proseOf(page))
      for (std::sregex_iterator at(line.begin(), line.end(), link), end; at != end; ++at)
        if (!(*at)[1].str().starts_with("http")) references.push_back({page, (*at)[1]});
  return references;
}

/// The anchor of a heading: small letters, digits, hyphens for spaces.
std::string anchorOf(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> anchorsOf(const fs::path& page) {
  std::set<std::string> anchors;
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("#")) anchors.insert(anchorOf(line.substr(std::min(line.size(), line.find(' ') + 1))));
  return anchors;
}

TEST(Links, AreFound) { EXPECT_GT(allReferences().size(), 50u); }

TEST(Links, OfPagesLeadSomewhere) {
  for (const Reference& reference : allReferences()) {
    const std::size_t hash = reference.target.find('#');
    const std::string file = reference.target.substr(0, hash);
    const fs::path target = file.empty() ? reference.page : reference.page.parent_path() / file;
    EXPECT_TRUE(fs::exists(target)) << reference.page << " leads to " << reference.target;
    if (hash == std::string::npos || !fs::is_regular_file(target)) continue;
    EXPECT_TRUE(anchorsOf(target).count(reference.target.substr(hash + 1)))
        << reference.page << " leads to a heading that is not there: " << reference.target;
  }
}

// Documents are installed without the sources: a link must not leave docs/, except to README.
TEST(Links, OfDocumentsStayAmongDocuments) {
  for (const Reference& reference : allReferences()) {
    const fs::path target = (reference.page.parent_path() / reference.target).lexically_normal();
    const std::string below = fs::relative(target, kRoot).generic_string();
    EXPECT_TRUE(below.starts_with("docs/") || below.starts_with("README.md"))
        << reference.page << " leads to " << below;
  }
}

TEST(Links, ShowEveryPicture) {
  std::set<std::string> shown;
  for (const Reference& reference : allReferences())
    shown.insert((reference.page.parent_path() / reference.target).lexically_normal().generic_string());
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs" / "pictures")) {
    const std::string picture = entry.path().lexically_normal().generic_string();
    EXPECT_TRUE(entry.is_directory() || shown.count(picture)) << picture << " is shown nowhere";
  }
}

}  // namespace
}  // namespace limber::links_test

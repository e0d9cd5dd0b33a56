// SPDX-License-Identifier: MIT
// PLY files, read back by a small reader of the format.
#include "limber/io/mesh/ply.h"

#include <gtest/gtest.h>

#include <sstream>

namespace limber::io::ply_test {
namespace {

struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<std::string> properties;  ///< names; a list's with its types before it
};

struct Ply {
  std::vector<std::string> comments;
  std::vector<Element> elements;
  std::vector<std::vector<std::vector<double>>> rows;  ///< by element; a list is its length and its entries
};

Ply readPly(const std::string& text) {
  Ply ply;
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "ply");
  std::getline(in, line);
  EXPECT_EQ(line, "format ascii 1.0");
  while (std::getline(in, line) && line != "end_header") {
    std::istringstream words(line);
    std::string word, type;
    words >> word;
    if (word == "comment") ply.comments.push_back(line.substr(8));
    else if (word == "element") {
      ply.elements.emplace_back();
      words >> ply.elements.back().name >> ply.elements.back().count;
    } else {
      EXPECT_EQ(word, "property");
      std::getline(words, line);
      ply.elements.back().properties.push_back(line.substr(1));
    }
  }
  for (const Element& element : ply.elements) {
    ply.rows.emplace_back();
    for (std::size_t i = 0; i < element.count; ++i) {
      std::getline(in, line);
      std::istringstream numbers(line);
      ply.rows.back().emplace_back();
      for (double number; numbers >> number;) ply.rows.back().back().push_back(number);
    }
  }
  EXPECT_FALSE(std::getline(in, line)) << "nothing after the last row";
  return ply;
}

ReachShell makeShell() {
  ReachMap map{.corner = {-1.0, 0.5, 0.0}, .edge = 0.25, .size = {3, 3, 3}};
  map.cells.assign(27, CellState::ProvedOutside);
  map.cells[13] = CellState::Reachable;
  map.cells[14] = CellState::NotFound;
  return makeReachShell(map);
}

TEST(Ply, ReadsBackAsItWas) {
  const ReachShell shell = makeShell();
  const std::vector<std::string> comments = {"figure arm", "a cell is 250 mm"};
  const Ply ply = readPly(formatPly(shell, comments));
  EXPECT_EQ(ply.comments, comments);
  ASSERT_EQ(ply.elements.size(), 2u);
  EXPECT_EQ(ply.elements[0].name, "vertex");
  EXPECT_EQ(ply.elements[0].properties,
            (std::vector<std::string>{"float x", "float y", "float z", "float nx", "float ny", "float nz"}));
  EXPECT_EQ(ply.elements[1].name, "face");
  EXPECT_EQ(ply.elements[1].properties, (std::vector<std::string>{"list uchar int vertex_indices", "uchar beyond"}));
  ASSERT_EQ(ply.rows[0].size(), shell.vertices.size());
  for (std::size_t i = 0; i < shell.vertices.size(); ++i) {
    const auto& row = ply.rows[0][i];
    ASSERT_EQ(row.size(), 6u);
    for (int k = 0; k < 3; ++k) {
      ASSERT_NEAR(row[k], shell.vertices[i][k], 1e-6);
      ASSERT_NEAR(row[k + 3], shell.normals[i][k], 1e-6);
    }
  }
  ASSERT_EQ(ply.rows[1].size(), shell.triangles.size());
  int notFound = 0;
  for (std::size_t i = 0; i < shell.triangles.size(); ++i) {
    const auto& row = ply.rows[1][i];
    ASSERT_EQ(row.size(), 5u);
    ASSERT_EQ(row[0], 3.0);
    for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(row[k + 1], shell.triangles[i][k]);
    ASSERT_EQ(row[4], static_cast<int>(shell.beyond[i]));
    notFound += row[4] == 0.0;
  }
  EXPECT_EQ(notFound, 2);
}

TEST(Ply, NamesCannotBreakTheHeader) {
  const std::vector<std::string> comments = {"figure a\nend_header\n1 2 3"};
  const Ply ply = readPly(formatPly(makeShell(), comments));
  ASSERT_EQ(ply.comments.size(), 1u);
  EXPECT_EQ(ply.comments[0], "figure a end_header 1 2 3");
}

TEST(Ply, AnEmptyShellIsAFileToo) {
  const Ply ply = readPly(formatPly({}, {}));
  ASSERT_EQ(ply.elements.size(), 2u);
  EXPECT_EQ(ply.elements[0].count, 0u);
}

}  // namespace
}  // namespace limber::io::ply_test

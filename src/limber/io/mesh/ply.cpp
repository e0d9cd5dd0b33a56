// SPDX-License-Identifier: MIT
#include "limber/io/mesh/ply.h"

#include "limber/io/base/text.h"

namespace limber::io {

namespace {

void appendVector(const Eigen::Vector3d& v, std::string& text) {
  for (int k = 0; k < 3; ++k) {
    if (k > 0) text += ' ';
    appendNumber(static_cast<float>(v[k]), text);
  }
}

/// Replaces line ends, at which a comment would end.
std::string onOneLine(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

void appendHeader(const ReachShell& shell, std::span<const std::string> comments, std::string& text) {
  text += "ply\nformat ascii 1.0\n";
  for (const std::string& comment : comments) text += "comment " + onOneLine(comment) + '\n';
  text += "element vertex " + std::to_string(shell.vertices.size()) + '\n';
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz"}) text += std::string("property float ") + name + '\n';
  text += "element face " + std::to_string(shell.triangles.size()) + '\n';
  text += "property list uchar int vertex_indices\nproperty uchar beyond\nend_header\n";
}

}  // namespace

std::string formatPly(const ReachShell& shell, std::span<const std::string> comments) {
  std::string text;
  appendHeader(shell, comments, text);
  for (std::size_t i = 0; i < shell.vertices.size(); ++i) {
    appendVector(shell.vertices[i], text);
    text += ' ';
    appendVector(shell.normals[i], text);
    text += '\n';
  }
  for (std::size_t i = 0; i < shell.triangles.size(); ++i) {
    text += '3';
    for (const std::uint32_t vertex : shell.triangles[i]) {
      text += ' ';
      appendNumber(vertex, text);
    }
    text += ' ';
    appendNumber(static_cast<int>(shell.beyond[i]), text);
    text += '\n';
  }
  return text;
}

}  // namespace limber::io

// SPDX-License-Identifier: MIT
// Arms of six and seven axes as URDF, posed, with a goal for their tool that the pose meets.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>

#include "limber/io/open.h"
#include "limber/problem/new_goal.h"

namespace limber::test {

/// A joint above the last link by a length, and its link with a cylinder.
inline std::string segmentText(int number, double length, const char* axis, double limit) {
  const std::string n = std::to_string(number), most = std::to_string(limit);
  const std::string parent = number == 1 ? "base" : "link" + std::to_string(number - 1);
  return "<joint name=\"axis" + n + "\" type=\"revolute\"><parent link=\"" + parent + "\"/><child link=\"link" + n +
         "\"/><origin xyz=\"0 0 " + std::to_string(length) + "\"/><axis xyz=\"" + axis + "\"/><limit lower=\"-" + most +
         "\" upper=\"" + most + "\" effort=\"1\" velocity=\"1\"/></joint><link name=\"link" + n +
         "\"><collision><origin xyz=\"0 0 0.05\"/><geometry><cylinder radius=\"0.02\" length=\"0.1\"/></geometry>"
         "</collision></link>\n";
}

/// A spherical wrist.
inline std::string sixAxisText() {
  return "<robot name=\"six_axes\"><link name=\"base\"/>" + segmentText(1, 0.2, "0 0 1", 3.14) +
         segmentText(2, 0.1, "0 1 0", 3.14) + segmentText(3, 0.4, "0 1 0", 3.14) + segmentText(4, 0.35, "0 0 1", 3.14) +
         segmentText(5, 0.0, "0 1 0", 3.14) + segmentText(6, 0.0, "0 0 1", 3.14) +
         "<joint name=\"flange\" type=\"fixed\"><parent link=\"link6\"/><child link=\"tool\"/>"
         "<origin xyz=\"0 0 0.1\"/></joint><link name=\"tool\"/></robot>";
}

/// Spherical shoulder and wrist.
inline std::string sevenAxisText() {
  return "<robot name=\"seven_axes\"><link name=\"base\"/>" + segmentText(1, 0.3, "0 0 1", 2.9) +
         segmentText(2, 0.0, "0 1 0", 2.2) + segmentText(3, 0.0, "0 0 1", 2.9) + segmentText(4, 0.4, "0 1 0", 2.4) +
         segmentText(5, 0.4, "0 0 1", 2.9) + segmentText(6, 0.0, "0 1 0", 2.2) + segmentText(7, 0.0, "0 0 1", 2.9) +
         "<joint name=\"flange\" type=\"fixed\"><parent link=\"link7\"/><child link=\"tool\"/>"
         "<origin xyz=\"0 0 0.15\"/></joint><link name=\"tool\"/></robot>";
}

/// The robot, with its hinges at these angles in their order, and a goal for position and orientation of its tool.
inline Document armDocument(const std::string& text, std::initializer_list<double> angles) {
  const auto file = std::filesystem::temp_directory_path() / ("limber_arm_" + std::to_string(getpid()) + ".urdf");
  std::ofstream(file) << text;
  const auto opened = io::openAny(file.string());
  std::filesystem::remove(file);
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().message());
  if (!opened) return {};
  Document document = opened->document;
  auto angle = angles.begin();
  for (const Joint& joint : document.figure->joints())
    if (joint.type == JointType::Revolute && angle != angles.end())
      document.pose.coordinates[joint.poseIndex] = *angle++;
  document.mode = Mode::Inverse;
  document.goals.clear();
  addGoal(document, GoalType::PositionOrientation, mainEndEffector(*document.figure));
  document.selection.goal = document.goals.front().id;
  return document;
}

}  // namespace limber::test

// SPDX-License-Identifier: MIT
// Small robots as URDF, with and without legs. z is up.
#pragma once

#include <cstdio>
#include <string>
#include <tuple>
#include <utility>

namespace limber::test {

inline std::string numbers(double x, double y, double z) {
  char text[96];
  std::snprintf(text, sizeof text, "%.6g %.6g %.6g", x, y, z);
  return text;
}

/// Builds a URDF from links and joints.
class RobotText {
 public:
  explicit RobotText(const std::string& name) : text_("<robot name=\"" + name + "\">\n") {}

  RobotText& box(const std::string& link, double x, double y, double z, const std::string& at = "0 0 0") {
    return add(link, "<box size=\"" + numbers(x, y, z) + "\"/>", at);
  }
  RobotText& ball(const std::string& link, double radius, const std::string& at = "0 0 0") {
    return add(link, "<sphere radius=\"" + std::to_string(radius) + "\"/>", at);
  }
  RobotText& wheel(const std::string& link, double radius, double width) {
    return add(link, "<cylinder radius=\"" + std::to_string(radius) + "\" length=\"" + std::to_string(width) + "\"/>",
               "0 0 0\" rpy=\"1.5707963 0 0");
  }
  RobotText& frame(const std::string& link) {
    text_ += "<link name=\"" + link + "\"/>\n";
    return *this;
  }
  RobotText& joint(const std::string& type, const std::string& parent, const std::string& child, const std::string& at,
                   const std::string& axis = "0 1 0") {
    text_ += "<joint name=\"" + child + "_joint\" type=\"" + type + "\"><parent link=\"" + parent +
             "\"/><child link=\"" + child + "\"/><origin xyz=\"" + at + "\"/><axis xyz=\"" + axis + "\"/>" +
             (type == "revolute" || type == "prismatic" ? "<limit lower=\"-1.5\" upper=\"1.5\"/>" : "") + "</joint>\n";
    return *this;
  }
  std::string text() const { return text_ + "</robot>\n"; }

  /// Adds a straight leg with three hinges (abduction, hip, knee) that ends in a sphere.
  RobotText& leg(const std::string& name, const std::string& body, double x, double y) {
    box(name + "_hip", 0.04, 0.04, 0.04).joint("revolute", body, name + "_hip", numbers(x, y, 0), "1 0 0");
    box(name + "_thigh", 0.03, 0.03, 0.2, "-0.05 0 -0.1").joint("revolute", name + "_hip", name + "_thigh", "0 0 0");
    box(name + "_shank", 0.02, 0.02, 0.2, "0.05 0 -0.1")
        .joint("revolute", name + "_thigh", name + "_shank", "-0.1 0 -0.2");
    return ball(name + "_toe", 0.02).joint("fixed", name + "_shank", name + "_toe", "0.1 0 -0.2");
  }

 private:
  RobotText& add(const std::string& link, const std::string& shape, const std::string& at) {
    const std::string geometry = "<origin xyz=\"" + at + "\"/><geometry>" + shape + "</geometry>";
    text_ += "<link name=\"" + link + "\"><inertial><mass value=\"1\"/></inertial><visual>" + geometry +
             "</visual><collision>" + geometry + "</collision></link>\n";
    return *this;
  }

  std::string text_;
};

/// A quadruped with its feet 0.42 m below the middle of its body.
inline std::string quadrupedText() {
  RobotText robot("quadruped");
  robot.box("body", 0.6, 0.25, 0.12);
  for (const auto& [name, x] : {std::pair{"front", 0.25}, {"back", -0.25}})
    for (const auto& [side, y] : {std::pair{"left", 0.15}, {"right", -0.15}})
      robot.leg(std::string(name) + "_" + side, "body", x, y);
  return robot.text();
}

inline std::string hexapodText() {
  RobotText robot("hexapod");
  robot.box("body", 0.7, 0.25, 0.12);
  for (const auto& [name, x] : {std::pair{"front", 0.3}, {"middle", 0.0}, {"back", -0.3}})
    for (const auto& [side, y] : {std::pair{"left", 0.15}, {"right", -0.15}})
      robot.leg(std::string(name) + "_" + side, "body", x, y);
  return robot.text();
}

/// A pelvis on two legs of six hinges with soles, and a trunk with two arms.
inline std::string bipedText() {
  RobotText robot("biped");
  robot.box("pelvis", 0.2, 0.25, 0.12);
  for (const auto& [side, y] : {std::pair{"left", 0.1}, {"right", -0.1}}) {
    const std::string s = side;
    robot.box(s + "_yaw", 0.05, 0.05, 0.05).joint("revolute", "pelvis", s + "_yaw", numbers(0, y, -0.06), "0 0 1");
    robot.box(s + "_roll", 0.05, 0.05, 0.05).joint("revolute", s + "_yaw", s + "_roll", "0 0 0", "1 0 0");
    robot.box(s + "_thigh", 0.1, 0.1, 0.4, "0.04 0 -0.2").joint("revolute", s + "_roll", s + "_thigh", "0 0 0");
    robot.box(s + "_shank", 0.08, 0.08, 0.4, "-0.04 0 -0.2")
        .joint("revolute", s + "_thigh", s + "_shank", "0.08 0 -0.4");
    robot.box(s + "_ankle", 0.04, 0.04, 0.04).joint("revolute", s + "_shank", s + "_ankle", "-0.08 0 -0.4");
    robot.box(s + "_foot", 0.25, 0.1, 0.03, "0.05 0 -0.05")
        .joint("revolute", s + "_ankle", s + "_foot", "0 0 0", "1 0 0");
  }
  robot.box("trunk", 0.18, 0.3, 0.5, "0 0 0.25").joint("revolute", "pelvis", "trunk", "0 0 0.06", "0 0 1");
  for (const auto& [side, y] : {std::pair{"left", 0.2}, {"right", -0.2}}) {
    const std::string s = side;
    robot.box(s + "_upper_arm", 0.06, 0.06, 0.3, "0 0 -0.15")
        .joint("revolute", "trunk", s + "_upper_arm", numbers(0, y, 0.45));
    robot.box(s + "_lower_arm", 0.05, 0.05, 0.3, "0 0 -0.15")
        .joint("revolute", s + "_upper_arm", s + "_lower_arm", "0 0 -0.3");
  }
  return robot.text();
}

/// An arm of three hinges whose gripper points down with two fingers.
inline RobotText& addArm(RobotText& robot, const std::string& base, const std::string& at, double down = 0.35,
                         double finger = 0.12) {
  robot.box("arm1", 0.06, 0.06, 0.5, "0 0 0.25").joint("revolute", base, "arm1", at, "0 0 1");
  robot.box("arm2", 0.5, 0.06, 0.06, "0.25 0 0").joint("revolute", "arm1", "arm2", "0 0 0.5");
  robot.box("arm3", 0.06, 0.06, down, numbers(0, 0, -0.5 * down)).joint("revolute", "arm2", "arm3", "0.5 0 0");
  robot.box("palm", 0.1, 0.1, 0.04).joint("revolute", "arm3", "palm", numbers(0, 0, -down), "0 0 1");
  for (const auto& [side, y] : {std::pair{"left", 0.04}, {"right", -0.04}})
    robot.box(std::string(side) + "_finger", 0.02, 0.02, finger, numbers(0, 0, -0.5 * finger))
        .joint("prismatic", "palm", std::string(side) + "_finger", numbers(0, y, -0.02));
  return robot;
}

/// The arm on a table with legs.
inline std::string tableArmText() {
  RobotText robot("table arm");
  robot.box("table", 1.2, 0.8, 0.05, "0 0 0.7");
  for (const auto& [name, x, y] : {std::tuple{"a", 0.5, 0.3}, {"b", 0.5, -0.3}, {"c", -0.5, 0.3}, {"d", -0.5, -0.3}})
    robot.box(std::string("table_leg_") + name, 0.05, 0.05, 0.7, "0 0 0.35")
        .joint("fixed", "table", std::string("table_leg_") + name, numbers(x, y, 0));
  return addArm(robot, "table", "0 0 0.725").text();
}

/// The arm on a table without a shape in the file: nothing is lower than the fingers.
inline std::string hoveringArmText() {
  RobotText robot("hovering arm");
  robot.box("mount", 0.1, 0.1, 0.1);
  return addArm(robot, "mount", "0 0 0", 0.7).text();
}

/// The arm on four wheels.
inline std::string wheeledArmText() {
  RobotText robot("wheeled arm");
  robot.box("chassis", 0.6, 0.4, 0.15);
  for (const auto& [name, x, y] :
       {std::tuple{"a", 0.25, 0.25}, {"b", 0.25, -0.25}, {"c", -0.25, 0.25}, {"d", -0.25, -0.25}}) {
    const std::string fork = std::string("fork_") + name, wheel = std::string("wheel_") + name;
    robot.box(fork, 0.04, 0.04, 0.2, "0 0 -0.1").joint("revolute", "chassis", fork, numbers(x, y, 0), "0 0 1");
    robot.wheel(wheel, 0.15, 0.05).joint("continuous", fork, wheel, "0 0 -0.25");
  }
  return addArm(robot, "chassis", "0 0 0.075").text();
}

/// The quadruped on a link "world", with its feet on the ground.
inline std::string worldQuadrupedText(const std::string& joint = "fixed") {
  std::string text = quadrupedText();
  const std::string head = "<robot name=\"quadruped\">\n";
  return head + "<link name=\"world\"/>\n<joint name=\"world_joint\" type=\"" + joint +
         "\"><parent link=\"world\"/><child link=\"body\"/><origin xyz=\"0 0 0.42\"/></joint>\n" +
         text.substr(head.size());
}

/// A quadruped as MJCF, with or without a free joint.
inline std::string quadrupedModel(bool hasFreeJoint, const std::string& inWorld = "") {
  std::string text = "<mujoco model=\"quadruped\"><compiler angle=\"radian\"/><worldbody>" + inWorld +
                     "<body name=\"body\" pos=\"0 0 0.42\">" + (hasFreeJoint ? "<freejoint name=\"root\"/>" : "") +
                     "<geom type=\"box\" size=\"0.3 0.12 0.06\"/>";
  for (const auto& [name, x, y] :
       {std::tuple{"a", 0.25, 0.15}, {"b", 0.25, -0.15}, {"c", -0.25, 0.15}, {"d", -0.25, -0.15}})
    text += "<body name=\"thigh_" + std::string(name) + "\" pos=\"" + numbers(x, y, 0) + "\">" + "<joint name=\"out_" +
            name + "\" axis=\"1 0 0\" range=\"-1 1\"/><joint name=\"hip_" + name +
            "\" axis=\"0 1 0\" range=\"-1 1\"/><geom type=\"capsule\" fromto=\"0 0 0 -0.1 0 -0.2\" size=\"0.02\"/>" +
            "<body name=\"shank_" + name + "\" pos=\"-0.1 0 -0.2\"><joint name=\"knee_" + name +
            "\" axis=\"0 1 0\" range=\"-1 1\"/><geom type=\"capsule\" fromto=\"0 0 0 0.1 0 -0.2\" size=\"0.02\"/>" +
            "</body></body>";
  return text + "</body></worldbody></mujoco>\n";
}

}  // namespace limber::test

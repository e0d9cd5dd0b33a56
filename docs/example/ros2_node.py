#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A node of ROS 2 that poses a robot by `limber serve`; nothing of Limber is linked.

    joint_states      in   sensor_msgs/JointState     the measured joints, from which the next solve starts
    goal/LINK         in   geometry_msgs/PoseStamped  where a link shall be, for each link of the parameter `links`
    joint_commands    out  sensor_msgs/JointState     the joints that meet all goals that have come
    outcome           out  std_msgs/String            what `limber serve` says of the last solve, "reached"

Parameters: `figure`, the robot's URDF; `links`; `frame`, the frame in which goals must be (the root link's, "world");
`limber`, the program. Joints are commanded only if all goals are reached.

    python3 ros2_node.py --ros-args -p figure:=robot.urdf -p links:="[tool0]"
"""
import functools
import json
import subprocess

import rclpy
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_msgs.msg import String


class LimberNode(Node):
    def __init__(self):
        super().__init__("limber")
        for name, value in (("figure", ""), ("links", [""]), ("frame", "world"), ("limber", "limber")):
            self.declare_parameter(name, value)
        self.process = subprocess.Popen([self.value("limber"), "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.joints = self.ask(open="robot", figure=self.value("figure"), base="fixed")["pose"]
        self.start = None  # the measured joints, until a solve has started from them
        self.commands = self.create_publisher(JointState, "joint_commands", 10)
        self.outcomes = self.create_publisher(String, "outcome", 10)
        self.create_subscription(JointState, "joint_states", self.take_joints, 10)
        for link in self.value("links"):
            self.create_subscription(PoseStamped, f"goal/{link}", functools.partial(self.take_goal, link), 1)

    def value(self, name):
        return self.get_parameter(name).value

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    def take_joints(self, message):
        known = {name: position for name, position in zip(message.name, message.position) if name in self.joints}
        self.start = dict(self.start or {}, **known)

    def take_goal(self, link, message):
        if message.header.frame_id not in ("", self.value("frame")):
            self.get_logger().warning(f"goal/{link}: is in {message.header.frame_id}, not in {self.value('frame')}")
            return
        place, turn = message.pose.position, message.pose.orientation
        goal = {"type": "position_orientation", "link": link, "point": [0, 0, 0], "target": [place.x, place.y, place.z],
                "target_frame": [turn.x, turn.y, turn.z, turn.w]}
        request = {"solve": "robot", "goals": {link: goal}}
        if self.start is not None:
            request["start"], self.start = self.start, None
        try:
            answer = self.ask(**request)
        except ValueError as wrong:
            self.get_logger().warning(f"goal/{link}: {wrong}")
            return
        self.outcomes.publish(String(data=answer["outcome"]))
        if answer["outcome"] != "reached":
            self.get_logger().warning(f"goal/{link}: {answer['outcome']}")
            return
        command = JointState()
        command.header.stamp = self.get_clock().now().to_msg()
        single = {name: value for name, value in answer["pose"].items() if not isinstance(value, list)}
        command.name, command.position = list(single), [float(value) for value in single.values()]
        self.commands.publish(command)

    def destroy_node(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        super().destroy_node()


def main():
    rclpy.init()
    node = LimberNode()
    try:
        rclpy.spin(node)
    except KeyboardInterrupt:
        pass
    node.destroy_node()


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Tests the examples that connect agents and robots to limber serve: docs/example/mcp_server.py by a transcript, and
docs/example/ros2_node.py against stubs of ROS 2, which few test machines have.

Usage: agents.py SOURCE LIMBER
"""
import base64
import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
import types
import unittest

LIMBER, SOURCE = os.path.abspath(sys.argv.pop()), os.path.abspath(sys.argv.pop())
EXAMPLES = os.path.join(SOURCE, "docs", "example")
PATIENCE = 60  # seconds, for a busy machine


class Mcp(unittest.TestCase):
    def serve(self, *options):
        server = subprocess.Popen([sys.executable, "-B", os.path.join(EXAMPLES, "mcp_server.py"), "--limber", LIMBER,
                                   *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        return server

    @staticmethod
    def ask(server, message):
        server.stdin.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
        server.stdin.flush()
        return json.loads(server.stdout.readline())

    def call(self, server, tool, **arguments):
        answer = self.ask(server, {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                                   "params": {"name": tool, "arguments": arguments}})["result"]
        return answer["isError"], answer["content"][0]

    def assert_alike(self, found, expected, place=""):
        """Equal but for the rounding of numbers; texts that hold JSON are compared as JSON."""
        if isinstance(expected, str) and expected.startswith("{"):
            found, expected = json.loads(found), json.loads(expected)
        if isinstance(expected, dict):
            self.assertEqual(list(found), list(expected), place)
            for key in expected:
                if key != "version":
                    self.assert_alike(found[key], expected[key], f"{place}.{key}")
        elif isinstance(expected, list):
            self.assertEqual(len(found), len(expected), place)
            for i, (one, other) in enumerate(zip(found, expected)):
                self.assert_alike(one, other, f"{place}[{i}]")
        elif isinstance(expected, float) or (isinstance(expected, int) and not isinstance(expected, bool)):
            self.assertAlmostEqual(found, expected, 6, place)
        else:
            self.assertEqual(found, expected, place)

    def test_the_transcript_comes_again(self):
        server = self.serve()
        with open(os.path.join(EXAMPLES, "mcp_transcript.jsonl"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        tools = set()
        for i, line in enumerate(lines):
            if "client" not in line:
                continue
            server.stdin.write(json.dumps(line["client"]).encode() + b"\n")
            server.stdin.flush()
            tools.add(line["client"].get("params", {}).get("name"))
            if "id" in line["client"]:
                self.assert_alike(json.loads(server.stdout.readline()), lines[i + 1]["server"], str(i + 2))
        self.assertLessEqual({"open", "describe", "pose", "solve"}, tools)
        server.communicate(timeout=PATIENCE)
        self.assertEqual(server.returncode, 0)

    def test_a_picture(self):
        server = self.serve()
        self.assertFalse(self.call(server, "open", name="a", figure="planar:4")[0])
        is_error, content = self.call(server, "render", name="a", width=64, height=48)
        if is_error and "OpenGL" in content["text"]:
            self.skipTest(content["text"])
        self.assertEqual(content["mimeType"], "image/png")
        self.assertEqual(base64.b64decode(content["data"])[:4], b"\x89PNG")

    def test_mistakes_are_told_and_the_server_goes_on(self):
        server = self.serve()
        self.assertEqual(self.ask(server, b"{")["error"]["code"], -32700)
        self.assertEqual(self.ask(server, b"[1]")["error"]["code"], -32600)
        self.assertEqual(self.ask(server, {"jsonrpc": "2.0", "id": 1, "method": "dance"})["error"]["code"], -32601)
        self.assertEqual(self.ask(server, {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                                           "params": {"name": "main"}})["error"]["code"], -32602)
        for tool, arguments in (("open", {"name": "a", "figure": "/none"}), ("open", {"name": "a"}),
                                ("solve", {"name": "nobody"}), ("describe", {"name": "nobody"}),
                                ("pose", {"name": "nobody"}), ("open", {"name": "a", "figure": "arm", "more": 1})):
            is_error, content = self.call(server, tool, **arguments)
            self.assertTrue(is_error and content["text"], tool)
        self.assertFalse(self.call(server, "open", name="a", figure="arm")[0])
        self.assertTrue(self.call(server, "pose", name="a", pose={"nose": 1})[0])
        self.assertFalse(self.call(server, "pose", name="a")[0])

    def test_a_root_bounds_what_an_agent_may_open(self):
        with tempfile.TemporaryDirectory() as root:
            is_error, content = self.call(self.serve("--root", root), "open", name="a", figure="/etc/passwd")
        self.assertTrue(is_error)
        self.assertIn("--root", content["text"])


ROBOT = """<robot name="r"><link name="base"/><link name="upper"/><link name="lower"/><link name="tool"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.3" rpy="0 0 0.5"/>
<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="lift" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
<joint name="reach" type="prismatic"><parent link="lower"/><child link="tool"/><origin xyz="0.3 0 0" rpy="0.4 0 0"/>
<axis xyz="1 0 0"/><limit lower="0" upper="0.5" effort="1" velocity="1"/></joint></robot>"""


class RosStubs:
    """The few classes of rclpy and of the messages that the node uses; topics by name."""

    def __init__(self, parameters):
        self.published, self.callbacks, self.warnings = {}, {}, []
        stubs, fields = self, types.SimpleNamespace

        class Node:
            def __init__(self, name):
                self.name, self.values = name, {}

            def declare_parameter(self, name, value):
                self.values[name] = parameters.get(name, value)

            def get_parameter(self, name):
                return fields(value=self.values[name])

            def create_publisher(self, kind, topic, _):
                def publish(message):
                    if not isinstance(message, kind):
                        raise TypeError(topic)
                    stubs.published.setdefault(topic, []).append(message)
                return fields(publish=publish)

            def create_subscription(self, _, topic, callback, __):
                stubs.callbacks[topic] = callback

            def get_logger(self):
                return fields(warning=stubs.warnings.append)

            def get_clock(self):
                return fields(now=lambda: fields(to_msg=lambda: "stamp"))

            def destroy_node(self):
                pass

        class JointState:
            def __init__(self):
                self.header, self.name, self.position = fields(stamp=None, frame_id=""), [], []

        class PoseStamped:
            def __init__(self):
                self.header = fields(stamp=None, frame_id="")
                self.pose = fields(position=fields(x=0.0, y=0.0, z=0.0), orientation=fields(x=0.0, y=0.0, z=0.0, w=1.0))

        class String:
            def __init__(self, data=""):
                self.data = data
        self.messages = fields(JointState=JointState, PoseStamped=PoseStamped, String=String)
        self.modules = {"rclpy": {}, "rclpy.node": {"Node": Node}, "geometry_msgs": {}, "sensor_msgs": {}, "std_msgs": {},
                        "geometry_msgs.msg": {"PoseStamped": PoseStamped}, "sensor_msgs.msg": {"JointState": JointState},
                        "std_msgs.msg": {"String": String}}


class Ros(unittest.TestCase):
    def start(self, **parameters):
        stubs = RosStubs(parameters)
        for name, members in stubs.modules.items():
            module = types.ModuleType(name)
            vars(module).update(members)
            self.addCleanup(sys.modules.pop, name, None)
            sys.modules[name] = module
        sys.dont_write_bytecode = True
        spec = importlib.util.spec_from_file_location("ros2_node", os.path.join(EXAMPLES, "ros2_node.py"))
        example = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(example)
        node = example.LimberNode()
        self.addCleanup(node.destroy_node)
        return stubs

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.robot = os.path.join(folder.name, "robot.urdf")
        with open(self.robot, "w") as file:
            file.write(ROBOT)
        self.stubs = self.start(figure=self.robot, links=["tool"], limber=LIMBER)

    def goal(self, pose, frame="world"):
        """A message with the place that the tool has in a pose of the joints."""
        done = subprocess.run([LIMBER, "fk", self.robot, "--pose", json.dumps(pose)], capture_output=True, text=True)
        tool = next(link for link in json.loads(done.stdout)["links"] if link["name"] == "tool")
        message = self.stubs.messages.PoseStamped()
        message.header.frame_id = frame
        place, turn = message.pose.position, message.pose.orientation
        place.x, place.y, place.z = tool["position"]
        turn.x, turn.y, turn.z, turn.w = tool["rotation"]
        return message

    def test_a_goal_that_can_be_reached_is_commanded(self):
        wanted = {"turn": 0.6, "lift": 0.4, "reach": 0.2}
        self.stubs.callbacks["goal/tool"](self.goal(wanted))
        self.assertEqual([message.data for message in self.stubs.published["outcome"]], ["reached"])
        command = self.stubs.published["joint_commands"][-1]
        self.assertEqual(command.header.stamp, "stamp")
        found = dict(zip(command.name, command.position))
        self.assertEqual(set(found), set(wanted))
        for name, value in wanted.items():
            self.assertAlmostEqual(found[name], value, 2)

    def test_a_solve_starts_from_the_measured_joints(self):
        state = self.stubs.messages.JointState()
        state.name, state.position = ["turn", "lift", "reach", "wheel"], [0.6, 0.4, 0.2, 7.0]
        self.stubs.callbacks["joint_states"](state)
        self.stubs.callbacks["goal/tool"](self.goal({"turn": 0.6, "lift": 0.4, "reach": 0.2}))
        found = dict(zip(self.stubs.published["joint_commands"][-1].name, self.stubs.published["joint_commands"][-1].position))
        self.assertTrue(math.isclose(found["turn"], 0.6, abs_tol=1e-6), found)

    def test_what_cannot_be_met_is_told_and_not_commanded(self):
        message = self.goal({})
        message.pose.position.z = 50.0
        self.stubs.callbacks["goal/tool"](message)
        self.assertNotEqual(self.stubs.published["outcome"][-1].data, "reached")
        self.stubs.callbacks["goal/tool"](self.goal({}, frame="camera"))
        self.assertNotIn("joint_commands", self.stubs.published)
        self.assertIn("is in camera, not in world", self.stubs.warnings[-1])


if __name__ == "__main__":
    unittest.main()

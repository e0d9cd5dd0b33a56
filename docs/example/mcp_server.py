#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets a language model pose figures: a server of the Model Context Protocol over standard input and output.

It speaks to `limber serve` and needs no library. An agent starts it by a configuration such as
{"mcpServers": {"limber": {"command": "python3", "args": ["mcp_server.py", "--root", "figures"]}}}.

Usage: mcp_server.py [--limber PROGRAM] [--root FOLDER]
"""
import argparse
import base64
import json
import os
import subprocess
import sys

VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")  # of the protocol, the newest first
TEXT, NUMBERS = {"type": "string"}, {"type": "array", "items": {"type": "number"}}
NAME = {"type": "string", "description": "the name under which the figure was opened"}
POSE = {"type": "object", "description": "joint name to radians, to a length in the file's unit for a sliding joint, or "
                                         "to [x, y, z, w] for a ball joint; other joints are at rest"}
GOALS = {
    "type": "object",
    "description": "goals by name, which stay for later calls; null removes one. Lengths and axes are those of the "
                   "figure's file. A new goal "
                   "needs a link or site; a goal that exists may change its target alone",
    "additionalProperties": {"type": ["object", "null"], "properties": {
        "type": {"type": "string", "description": "position (the default), position_orientation, orientation, aim, "
                                                  "direction, line, plane, half_space, distance"},
        "link": TEXT, "site": TEXT, "point": NUMBERS, "target": NUMBERS,
        "target_frame": dict(NUMBERS, description="quaternion [x, y, z, w]")}}}


def tool(name, description, required, /, **properties):
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": name, "description": description, "inputSchema": schema}


TOOLS = [
    tool("open", "Open a figure: human, humanoid, arm, planar:N, ball:N, or a file (URDF, MJCF, SDF, BVH, glTF, VRM, a "
                 "Limber scene). Returns its pose.", ["name", "figure"], name=NAME, figure=TEXT),
    tool("describe", "List the links, joints with their limits, sites, couplings, unit and axes of an open figure.",
         ["name"], name=NAME),
    tool("pose", "Say where the links and sites are, in the present pose or in one that is given. A given pose becomes "
                 "the present one.", ["name"], name=NAME, pose=POSE),
    tool("solve", "Pose the figure so that its goals are met, from its present pose. Returns which goals were reached, "
                  "the errors of the others, and the pose.", ["name"], name=NAME, goals=GOALS,
         search={"type": "boolean", "description": "also look far from the present pose"}),
    tool("render", "Draw the figure in its present pose, as a PNG.", ["name"], name=NAME,
         width={"type": "integer", "minimum": 16, "maximum": 2048},
         height={"type": "integer", "minimum": 16, "maximum": 2048},
         view={"type": "string", "enum": ["home", "front", "back", "right", "left", "top", "bottom"]}),
]


class Mistake(Exception):
    """An error that the agent is told as the result of a tool."""


class Limber:
    """The figures of `limber serve`, and the verbs that it has no request for."""

    def __init__(self, program, root):
        self.program, self.figures, self.poses = program, {}, {}
        command = [program, "serve"] + (["--root", root] if root else [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Mistake("limber serve has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise Mistake(answer["error"])
        del answer["id"]
        return answer

    def run(self, verb, name, *options):
        """The output of another verb for an open figure in its present pose."""
        if name not in self.figures:
            raise Mistake(f"no figure \"{name}\" is open")
        problem = json.dumps({"figure": self.figures[name], "start": self.poses[name], "goals": []})
        done = subprocess.run([self.program, verb, "-", "--quiet", *options], input=problem.encode(), capture_output=True)
        if done.returncode != 0:
            raise Mistake(done.stderr.decode(errors="replace").strip())
        return done.stdout

    def open(self, name, figure):
        if name in self.figures:
            self.ask(close=name)
            del self.figures[name]
        answer = self.ask(open=name, figure=figure)
        self.figures[name] = os.path.abspath(figure) if os.path.exists(figure) else figure
        self.poses[name] = answer["pose"]
        return answer

    def describe(self, name):
        return json.loads(self.run("info", name, "--json"))

    def pose(self, name, pose=None):
        before = self.poses.get(name)
        if pose is not None:
            self.poses[name] = pose
        try:
            return json.loads(self.run("fk", name))
        except Mistake:
            self.poses[name] = before
            raise

    def solve(self, name, goals=None, search=False):
        request = {"goals": goals} if goals else {}
        answer = self.ask(solve=name, start=self.poses.get(name, {}), search=search, **request)
        self.poses[name] = answer["pose"]
        return {key: answer[key] for key in ("outcome", "goals", "contacts", "pose") if key in answer}

    def render(self, name, width=700, height=600, view=None):
        options = ["-o", "-", "--size", f"{width}x{height}"] + (["--view", view] if view else [])
        return self.run("render", name, *options)


def call(limber, name, arguments):
    """The result of tools/call."""
    try:
        answer = getattr(limber, name)(**arguments)
    except Mistake as mistake:
        return {"content": [{"type": "text", "text": str(mistake)}], "isError": True}
    except TypeError as wrong:
        return {"content": [{"type": "text", "text": f"wrong arguments: {wrong}"}], "isError": True}
    if isinstance(answer, bytes):
        content = {"type": "image", "data": base64.b64encode(answer).decode(), "mimeType": "image/png"}
    else:
        content = {"type": "text", "text": json.dumps(answer)}
    return {"content": [content], "isError": False}


def answer_to(limber, message):
    """The answer to a message of JSON-RPC; None for a notification."""
    def result(value):
        return {"jsonrpc": "2.0", "id": message["id"], "result": value}

    def error(code, text):
        return {"jsonrpc": "2.0", "id": message.get("id") if isinstance(message, dict) else None,
                "error": {"code": code, "message": text}}
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        return error(-32600, "not a request of JSON-RPC 2.0")
    method, parameters = message["method"], message.get("params") or {}
    if "id" not in message:
        return None
    if method == "initialize":
        asked = parameters.get("protocolVersion")
        return result({"protocolVersion": asked if asked in VERSIONS else VERSIONS[0], "capabilities": {"tools": {}},
                       "serverInfo": {"name": "limber", "version": limber.ask(hello=1)["limber"]}})
    if method == "ping":
        return result({})
    if method == "tools/list":
        return result({"tools": TOOLS})
    if method == "tools/call":
        name = parameters.get("name")
        if name not in [tool["name"] for tool in TOOLS]:
            return error(-32602, f"there is no tool {name}")
        return result(call(limber, name, parameters.get("arguments") or {}))
    return error(-32601, f"there is no method {method}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limber", default="limber", help="the program")
    parser.add_argument("--root", help="open only files in this folder; else all that the user may read")
    arguments = parser.parse_args()
    limber = Limber(arguments.limber, arguments.root)
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            message = json.loads(line)
        except ValueError as wrong:
            message = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": str(wrong)}}
            answer = message
        else:
            answer = answer_to(limber, message)
        if answer:
            print(json.dumps(answer), flush=True)
    limber.process.communicate()


if __name__ == "__main__":
    main()

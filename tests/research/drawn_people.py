# SPDX-License-Identifier: MIT
"""Writes a BVH clip of standing people in poses sampled from resources/pose_prior.json, which are nobody's motion.

    drawn_people.py [--seed N] [--count N] [--legs FACTOR] OUT.bvh

Each joint above the hips is turned by its mean plus a normal deviate of its spread, independently about each axis; hips
and legs have the mean pose. Natural posing's weights are chosen on these poses (docs/natural_posing.md).
"""
import argparse
import json
import math
import os
import random

PRIOR = os.path.join(os.path.dirname(__file__), "..", "..", "resources", "pose_prior.json")
# name, part of the prior, offset from the parent in stature (a T-pose, x to the left, y up, z ahead), children
LEG = lambda side, x: (side + "UpLeg", "upperLeg", (x * 0.055, -0.03, 0), [
    (side + "Leg", "lowerLeg", (0, -0.245, 0), [
        (side + "Foot", "foot", (0, -0.246, 0), [(side + "ToeBase", "toes", (0, -0.035, 0.09), (0, 0, 0.04))])])])
ARM = lambda side, x: (side + "Shoulder", "shoulder", (x * 0.02, 0.12, 0.01), [
    (side + "Arm", "upperArm", (x * 0.085, 0, -0.01), [
        (side + "ForeArm", "lowerArm", (x * 0.165, 0, 0), [(side + "Hand", "hand", (x * 0.15, 0, 0), (x * 0.1, 0, 0))])])])
BODY = ("Hips", "hips", (0, 0, 0), [
    LEG("Left", 1), LEG("Right", -1),
    ("Spine", "spine", (0, 0.06, 0), [("Spine1", "chest", (0, 0.08, 0), [("Spine2", "upperChest", (0, 0.08, 0), [
        ("Neck", "neck", (0, 0.13, 0), [("Head", "head", (0, 0.06, 0), (0, 0.1, 0))]),
        ARM("Left", 1), ARM("Right", -1)])])])])


def product(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def turn(vector):
    """The quaternion (x, y, z, w) of a rotation vector."""
    angle = math.sqrt(sum(v * v for v in vector))
    share = math.sin(angle / 2) / angle if angle > 0 else 0.5
    return (vector[0] * share, vector[1] * share, vector[2] * share, math.cos(angle / 2))


def rotated(q, v):
    inverse = (-q[0], -q[1], -q[2], q[3])
    return product(product(q, (*v, 0.0)), inverse)[:3]


def euler(q):
    """Degrees about z, x and y, in the order of BVH's Zrotation Xrotation Yrotation."""
    x, y, z, w = q
    r = lambda i, j: rotated(q, [1.0 if k == j else 0.0 for k in range(3)])[i]
    about_x = math.asin(max(-1.0, min(1.0, r(2, 1))))
    return [math.degrees(a) for a in (math.atan2(-r(0, 1), r(1, 1)), about_x, math.atan2(-r(2, 0), r(2, 2)))]


def mirrored(mean):
    return (mean[0], -mean[1], -mean[2], mean[3])


def pose(prior, deviate):
    """Quaternions by joint."""
    turns = {}

    def add(joint):
        name, part, _, children = joint
        mean = prior[part]["mean"]
        if name.startswith("Right"):
            mean = mirrored(mean)
        stands = part in ("hips", "upperLeg", "lowerLeg", "foot", "toes")
        spread = [0.0 if stands else math.radians(s) for s in prior[part]["spread_degrees"]]
        turns[name] = product(turn([deviate(s) for s in spread]), mean)
        if isinstance(children, list):
            for child in children:
                add(child)
    add(BODY)
    return turns


def write(out, legs, stature, poses):
    def scaled(joint):
        factor = legs if joint[1] in ("lowerLeg", "foot") else 1.0
        return [100.0 * stature * factor * v for v in joint[2]]

    def hierarchy(joint, depth):
        tab = "  " * depth
        offset = " ".join(f"{v:.4f}" for v in scaled(joint))
        channels = "6 Xposition Yposition Zposition" if depth == 0 else "3"
        out.write(f"{tab}{'JOINT' if depth else 'ROOT'} {joint[0]}\n{tab}{{\n{tab}  OFFSET {offset}\n")
        out.write(f"{tab}  CHANNELS {channels} Zrotation Xrotation Yrotation\n")
        if isinstance(joint[3], list):
            for child in joint[3]:
                hierarchy(child, depth + 1)
        else:
            end = " ".join(f"{100.0 * stature * v:.4f}" for v in joint[3])
            out.write(f"{tab}  End Site\n{tab}  {{\n{tab}    OFFSET {end}\n{tab}  }}\n")
        out.write(f"{tab}}}\n")

    def row(turns):
        cells = [0.0, 100.0 * stature * (0.03 + legs * 0.491 + 0.035), 0.0]

        def add(joint):
            cells.extend(euler(turns[joint[0]]))
            if isinstance(joint[3], list):
                for child in joint[3]:
                    add(child)
        add(BODY)
        return " ".join(f"{v:.5f}" for v in cells)

    out.write("HIERARCHY\n")
    hierarchy(BODY, 0)
    out.write(f"MOTION\nFrames: {len(poses)}\nFrame Time: 1.0\n")
    for turns in poses:
        out.write(row(turns) + "\n")


def positive(kind):
    def parse(text):
        value = kind(text)
        if not (0 < value < math.inf):
            raise argparse.ArgumentTypeError(f"{text} is not above zero")
        return value
    parse.__name__ = kind.__name__  # for argparse's messages
    return parse


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=positive(int), default=100)
    parser.add_argument("--legs", type=positive(float), default=1.0, help="shanks and thighs by this factor: 0.6 is a child's")
    parser.add_argument("out")
    arguments = parser.parse_args()
    with open(PRIOR) as file:
        prior = json.load(file)["parts"]
    draw = random.Random(f"{arguments.seed} {arguments.legs}")
    poses = [pose(prior, lambda spread: draw.gauss(0.0, 1.0) * spread) for _ in range(arguments.count)]
    try:
        with open(arguments.out, "w") as out:
            write(out, arguments.legs, 1.75, poses)
    except OSError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()

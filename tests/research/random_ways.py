# SPDX-License-Identifier: MIT
"""Lists all ways of random and degenerate arms, and counts what is wrong:

    PYTHONPATH=build/release/python python3 tests/research/random_ways.py [--arms N] [--seed N] [--random]

Each arm has one to six hinges and slides, half of them with limits. Axes of degenerate arms (without --random) are often
equal, opposite, perpendicular, or in one point; a third of the goals is the pose with all joints at 0. One goal per arm
is the place of a random pose within the limits, so that it has at least that way; for every tenth arm, a second goal is
far away. A list is wrong if

    missed      it has neither the generating pose nor one that can move (a free joint)
    outside     a way is outside the limits by more than 1e-9
    off         a way misses the goal by more than 1e-9 of the arm's size, or 1e-7 radians, by forward kinematics
    twice       two ways differ by less than 1e-6
    not finite  a way, its error or its manipulability is not a number
    refused     there is no list at all
    unproved    a certificate says that the far goal is out of reach, and the list has a way; or the list is empty, and a
                search reaches the goal

A missed pose is told with its seed. A crash ends the program."""
import argparse
import math
import os
import tempfile

import numpy as np

import limber

parser = argparse.ArgumentParser()
parser.add_argument("--arms", type=int, default=1000)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--random", action="store_true", help="axes and points at random instead of degenerate ones")
arguments = parser.parse_args()

KINDS = ("missed", "outside", "off", "twice", "not finite", "refused", "unproved")
counts = dict.fromkeys(KINDS, 0)
ways_found, complete, far_goals = 0, 0, 0
path = os.path.join(tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None), "arm.urdf")


def direction(random):
    v = random.normal(size=3)
    return v / np.linalg.norm(v)


def drawn(random):
    """Axes, origins relative to the joint before, kinds and limits of an arm."""
    axes, origins, slides, limits = [], [], [], []
    for i in range(random.integers(1, 7)):
        axis, origin = direction(random), random.uniform(-1, 1, 3)
        if i > 0 and not arguments.random:
            choice = random.integers(4)
            if choice < 2:
                axis = axes[-1] * (1 if choice == 0 else -1)
            elif choice == 2:
                axis = np.cross(axes[-1], axis)
                axis /= np.linalg.norm(axis)
            if random.random() < 0.5:
                origin = np.zeros(3)
        axes.append(axis)
        origins.append(origin)
        slides.append(random.random() < (0.15 if arguments.random else 0.35))
        reach = 1.0 if slides[-1] else random.uniform(1.0, 3.1)
        limits.append((-reach, reach) if slides[-1] or random.random() < 0.5 else None)
    return axes, origins, slides, limits


def urdf(axes, origins, slides, limits, tool):
    def numbers(v):
        return " ".join(repr(float(x)) for x in v)
    text = ['<robot name="arm"><link name="l0"/>']
    for i, (axis, origin, slide, limit) in enumerate(zip(axes, origins, slides, limits)):
        kind = "prismatic" if slide else "revolute" if limit else "continuous"
        bounds = f'<limit lower="{limit[0]!r}" upper="{limit[1]!r}" effort="1" velocity="1"/>' if limit else ""
        text.append(f'<link name="l{i + 1}"/><joint name="j{i}" type="{kind}"><parent link="l{i}"/><child link="l{i + 1}"/>'
                    f'<origin xyz="{numbers(origin)}" rpy="0 0 0"/><axis xyz="{numbers(axis)}"/>{bounds}</joint>')
    n = len(axes)
    text.append(f'<link name="tool"/><joint name="end" type="fixed"><parent link="l{n}"/><child link="tool"/>'
                f'<origin xyz="{numbers(tool)}" rpy="0 0 0"/></joint></robot>')
    return "".join(text)


def turn_of(a, b):
    """The angle between two rotations, given as quaternions or matrices."""
    if np.shape(a) == (4,):
        return 2 * math.atan2(np.linalg.norm(np.cross(a[:3], b[:3]) - a[3] * b[:3] + b[3] * a[:3]), abs(np.dot(a, b)))
    r = a.T @ b
    return math.atan2(np.linalg.norm([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]]) / 2, (np.trace(r) - 1) / 2)


def difference(p, q, slides):
    d = np.asarray(p) - np.asarray(q)
    return max(abs(x) if slide else abs(math.remainder(x, 2 * math.pi)) for x, slide in zip(d, slides))


def examine(seed):
    global ways_found, complete, far_goals
    random = np.random.default_rng([arguments.seed, seed])
    axes, origins, slides, limits = drawn(random)
    with open(path, "w", encoding="utf-8") as file:
        file.write(urdf(axes, origins, slides, limits, random.uniform(-0.5, 0.5, 3)))
    ik = limber.Ik(limber.readFigure(path))
    pose = np.array([random.uniform(*(limit or (-3.1, 3.1))) for limit in limits])
    if not arguments.random and seed % 3 == 0:
        pose[:] = 0
    home = np.array(ik.pose)
    ik.pose = pose
    place, turn = ik.placeOf("tool")
    ik.pose = home
    goal = ik.add(limber.placement("tool", place, turn))
    size = 1 + sum(np.linalg.norm(o) for o in origins)
    try:
        found = ik.solve_all()
    except ValueError:
        counts["refused"] += 1
        return
    ways = found.ways
    ways_found += len(ways)
    complete += found.isComplete
    poses = [np.asarray(way["pose"]) for way in ways]
    is_there = any(difference(p, pose, slides) < 1e-6 for p in poses)
    if not is_there and not any(way["freeJoints"] for way in ways) and "free" not in found.reason:
        counts["missed"] += 1
        print(f"missed: seed {arguments.seed} {seed}, {found.shape}: {found.reason}", flush=True)
    for k, (way, p) in enumerate(zip(ways, poses)):
        if not (np.isfinite(p).all() and math.isfinite(way["error"]) and math.isfinite(way["manipulability"])):
            counts["not finite"] += 1
            continue
        counts["outside"] += any(limit and not limit[0] - 1e-9 <= x <= limit[1] + 1e-9 for x, limit in zip(p, limits))
        counts["twice"] += any(difference(p, other, slides) < 1e-6 for other in poses[:k])
        ik.pose = p
        there, axes_there = ik.placeOf("tool")
        counts["off"] += np.linalg.norm(there - place) > 1e-9 * size or turn_of(axes_there, turn) > 1e-7
    if seed % 10 == 0:
        far_goals += 1
        ik.pose = home
        goal.target = place + 3 * size * direction(random)
        far = ik.solve_all()
        counts["unproved"] += bool(len(far) and ik.certify().isOutOfReach)
        counts["unproved"] += bool(not len(far) and far.isComplete and not far.outsideLimits and ik.search().isReached)


for arm in range(arguments.arms):
    examine(arm)
print(f"{arguments.arms} {'random' if arguments.random else 'degenerate'} arms, {ways_found} ways, "
      f"{complete} complete lists, {far_goals} far goals; " + ", ".join(f"{counts[kind]} {kind}" for kind in KINDS))

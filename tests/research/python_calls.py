# SPDX-License-Identifier: MIT
"""Times calls of the Python package: PYTHONPATH=build/release/python python3 tests/research/python_calls.py LIMBER

A loop over 2,000 targets of the built-in arm by Ik.solve(), and by PyKDL's LMA if that is installed; a batch of
20,000 targets by solve_batch() and by `limber solve --batch`, each on one thread. Medians of several runs."""
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import limber

CALLS, RUNS, COUNT = 2000, 7, 20000
arm = limber.readFigure("arm")


def timed(work):
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


ik = limber.Ik(arm)
goal = ik.add(limber.position("tool", [0.4, 0.6, 0.1]))
ik.solve()
circle = [np.array([0.4, 0.6 + 0.1 * math.sin(0.00628 * i), 0.1 * math.cos(0.00628 * i)]) for i in range(CALLS)]


def loop():
    for target in circle:
        goal.target = target
        ik.solve()


print(f"Ik.solve, warm, position along a circle: {1e6 * timed(loop) / CALLS:.2f} us a call")


def overheads(ik, goal, targets):
    """Per call, microseconds: of the call, of Answer.time_us, and their difference."""
    calls, solves = [], []
    for target in targets:
        goal.target = target
        start = time.perf_counter()
        answer = ik.solve()
        calls.append(1e6 * (time.perf_counter() - start))
        solves.append(answer.time_us)
    both = np.array([calls, solves])
    return [*np.median(both, axis=1), np.median(both[0] - both[1])]


print("one call: median {:.1f} us, time_us {:.1f} us, difference {:.1f} us".format(*overheads(ik, goal, circle * 10)))

try:
    import PyKDL
except ImportError:
    print("PyKDL is not installed")
else:
    chain, places = PyKDL.Chain(), arm.placesOf(arm.restPose[None], arm.linkNames + ["tool"])[0][0]
    axes = [PyKDL.Joint.RotY, PyKDL.Joint.RotZ] * 4
    for k in range(7):
        chain.addSegment(PyKDL.Segment(PyKDL.Joint(axes[k]), PyKDL.Frame(PyKDL.Vector(*(places[k + 1] - places[k])))))
    weights = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    solver = PyKDL.ChainIkSolverPos_LMA(chain, weights) if hasattr(PyKDL, "ChainIkSolverPos_LMA") else None
    angles, out = PyKDL.JntArray(7), PyKDL.JntArray(7)

    def kdl_loop():
        for target in circle:
            solver.CartToJnt(angles, PyKDL.Frame(PyKDL.Vector(*target)), out)
            for j in range(7):
                angles[j] = out[j]

    for j in range(7):
        angles[j] = 0.3
    if solver:
        print(f"PyKDL ChainIkSolverPos_LMA: {1e6 * timed(kdl_loop) / CALLS:.2f} us a call")

random = np.random.default_rng(1)
positions, rotations = arm.placesOf(random.uniform(arm.limits[:, 0], arm.limits[:, 1], (COUNT, 7)), ["tool"])
batch = timed(lambda: limber.solve_batch(arm, ["tool"], positions[:, 0], rotations[:, 0], threads=1))
print(f"solve_batch: {batch:.3f} s for {COUNT} full poses, one thread")
if len(sys.argv) > 1:
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as lines:
        lines.write('{"figure": "arm"}\n')
        for place, turn in zip(positions[:, 0], rotations[:, 0]):
            lines.write(json.dumps({"goals": [{"type": "position_orientation", "site": "tool", "target": list(place),
                                               "target_frame": list(turn)}]}) + "\n")
        lines.flush()
        command = [sys.argv[1], "solve", lines.name, "--batch", "--threads", "1", "--quiet"]
        print(f"limber solve --batch: {timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)):.3f} s"
              ", with reading and writing of JSON")

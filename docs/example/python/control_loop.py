# SPDX-License-Identifier: MIT
"""A robot's control loop at 1,000 Hz: moves a target, solves from the robot's pose, sends the angles.

control_loop.py [SECONDS]"""
import sys
import time

import numpy as np

import limber

RATE = 1000  # Hz
seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
robot = limber.readFigure("arm")
ik = limber.Ik(robot)
tool = ik.add(limber.position("tool", [0.4, 0.6, 0.0]))
ik.solve()

taken: list[float] = []
missed, begin = 0, time.perf_counter()
for tick in range(int(RATE * seconds)):
    angle = 2 * np.pi * tick / RATE
    start = time.perf_counter()
    tool.target = [0.4, 0.6 + 0.1 * np.sin(angle), 0.1 * np.cos(angle)]
    answer = ik.solve()
    taken.append(time.perf_counter() - start)
    missed += not answer.isReached
    # send(answer.pose)
    time.sleep(max(0.0, begin + (tick + 1) / RATE - time.perf_counter()))
print(f"{len(taken)} ticks, {missed} not reached; a tick's median is {1e6 * np.median(taken):.0f} us, "
      f"the slowest takes {1e6 * max(taken):.0f} us")

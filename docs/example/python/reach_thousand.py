# SPDX-License-Identifier: MIT
"""Poses a robot for 1,000 targets and plots how near it comes: reach_thousand.py [ROBOT [END [PICTURE]]]"""
import sys

import numpy as np

import limber

robot = limber.readFigure(sys.argv[1] if len(sys.argv) > 1 else "arm")
end = sys.argv[2] if len(sys.argv) > 2 else (robot.siteNames or robot.linkNames)[-1]

# Targets that can be reached, because forward kinematics computed them, and a few that cannot.
random = np.random.default_rng(1)
low, high = np.clip(robot.limits[:, 0], -np.pi, np.pi), np.clip(robot.limits[:, 1], -np.pi, np.pi)
positions, rotations = robot.placesOf(random.uniform(low, high, (1000, robot.poseSize)), [end])
positions[:20] *= 3.0

result = limber.solve_batch(robot, [end], positions, rotations)
print(f"{robot.name}: {result.reached.sum()} of {len(result)} reached, "
      f"the worst of them {1e3 * result.errors[result.reached].max():.3f} mm off")

if len(sys.argv) > 3:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.figure(figsize=(7, 4))
    pyplot.loglog(1e3 * np.maximum(np.sort(result.errors), 1e-9), np.arange(1, len(result) + 1))
    pyplot.xlabel("distance left [mm]")
    pyplot.ylabel("targets within it")
    pyplot.grid(True, which="both", alpha=0.3)
    pyplot.savefig(sys.argv[3], dpi=110, bbox_inches="tight")

# SPDX-License-Identifier: MIT
"""A batch of targets for a robot with limits and obstacles: batch_around_obstacles.py [ROBOT]"""
import os
import sys

import numpy as np

import limber

here = os.path.dirname(os.path.abspath(__file__))
robot = limber.readFigure(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", "robot.urdf"))
ik = limber.Ik(robot)
ik.setLimits("elbow", 0.0, 2.2)
ik.addPlane([0, 0, 0], [0, 0, 1], "floor")
ik.addBox([0.5, 0.3, 0.2], [0.2, 0.2, 0.4], name="crate")
ik.avoidsItself = True

targets = np.random.default_rng(1).uniform([0.3, -0.5, 0.1], [0.7, 0.5, 0.7], (500, 3))
result = limber.solve_batch(ik, ["tool"], targets[:, None])
places, _ = robot.placesOf(result.poses, ["tool"])
left = np.linalg.norm(places[:, 0] - targets, axis=1)
elbow = robot.coordinateOf("elbow")
print(f"{result.reached.sum()} of {len(result)} reached, the worst of them to {1e3 * left[result.reached].max():.3f} mm;",
      f"elbow within {result.poses[:, elbow].min():.2f} and {result.poses[:, elbow].max():.2f}")

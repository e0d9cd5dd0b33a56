# SPDX-License-Identifier: MIT
"""Carries the motion of one body to another and writes it: retarget.py MOTION FIGURE OUT

For example: retarget.py walk.bvh avatar.vrm walking.vrm
"""
import sys

import limber

motion_file, figure_file, out = sys.argv[1:4]
figure = limber.readFigure(figure_file)
motion = figure.readMotions(motion_file)[0]
for note in figure.save(out, motion.poses, motion.frameTime):
    print(note)
print(f"{len(motion)} frames of {figure.name} are in {out}")

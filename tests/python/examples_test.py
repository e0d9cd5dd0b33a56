# SPDX-License-Identifier: MIT
"""The examples of docs/python.md run and print what they should.

Usage: examples_test.py EXAMPLES LIMBER. Exits with 77 if NumPy is missing."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy  # noqa: F401
except ImportError:
    print("SKIPPED: NumPy is not installed")
    sys.exit(77)

EXAMPLES, LIMBER = sys.argv[1:3]


def run(name, *arguments):
    return subprocess.run([sys.executable, "-B", os.path.join(EXAMPLES, name), *arguments], check=True,
                          capture_output=True, text=True).stdout


class Examples(unittest.TestCase):
    def test_a_thousand_targets(self):
        self.assertIn("980 of 1000 reached", run("reach_thousand.py"))

    def test_the_plot(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("matplotlib is not installed")
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "errors.png")
            run("reach_thousand.py", "arm", "tool", picture)
            with open(picture, "rb") as file:
                self.assertEqual(file.read(4), b"\x89PNG")

    def test_a_motion_goes_to_another_body(self):
        with tempfile.TemporaryDirectory() as folder:
            walk, out = os.path.join(folder, "walk.bvh"), os.path.join(folder, "out.glb")
            scene = os.path.join(EXAMPLES, "..", "..", "..", "resources", "scenes", "step_over_a_box.limber")
            subprocess.run([LIMBER, "bake", scene, "--out", walk, "--fps", "5", "--quiet"], check=True,
                           stdout=subprocess.DEVNULL)
            self.assertIn("frames of Human are in", run("retarget.py", walk, "human", out))
            info = subprocess.run([LIMBER, "info", out], check=True, capture_output=True, text=True).stdout
            self.assertIn("motion", info)

    def test_the_loop(self):
        self.assertIn("100 ticks, 0 not reached", run("control_loop.py", "0.1"))


    def test_a_batch_keeps_limits_and_obstacles(self):
        said = run("batch_around_obstacles.py")
        reached, worst, least, most = map(float, re.fullmatch(
            r"(\d+) of 500 reached, the worst of them to (\S+) mm; elbow within (\S+) and (\S+)\n", said).groups())
        self.assertGreater(reached, 400)
        self.assertLess(worst, 0.5)
        self.assertGreaterEqual(least, 0.0)
        self.assertLessEqual(most, 2.2)


class ComingFrom(unittest.TestCase):
    """The Python programs of docs/coming_from.md: Limber's runs, those of other libraries compile."""

    def test_all_compile_and_limbers_reaches_its_target(self):
        docs = os.path.join(EXAMPLES, "..", "..")
        with open(os.path.join(docs, "coming_from.md"), encoding="utf-8") as page:
            programs = re.findall(r"^## ([\w-]+)\n\n```python\n(.*?)^```", page.read(), re.M | re.S)
        self.assertEqual([name for name, _ in programs], ["Limber", "Pinocchio", "mink", "Drake"])
        for name, program in programs:
            compile(program, name, "exec")
        with open(os.path.join(docs, "example", "robot.urdf"), encoding="utf-8") as file:
            robot = file.read().replace('"tool"', '"panda_hand_tcp"')
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "panda.urdf"), "w", encoding="utf-8") as file:
                file.write(robot)
            said = subprocess.run([sys.executable, "-B", "-c", programs[0][1]], cwd=folder, check=True,
                                  capture_output=True, text=True).stdout
        self.assertTrue(said.startswith("True "), said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

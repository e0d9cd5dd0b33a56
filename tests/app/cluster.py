# SPDX-License-Identifier: MIT
"""Tests the examples of docs/cluster.md: a few clips fitted by Dask, and one task of a Slurm array.

Usage: cluster.py [TEST] SOURCE LIMBER
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

LIMBER, SOURCE = os.path.abspath(sys.argv.pop()), os.path.abspath(sys.argv.pop())
EXAMPLES = os.path.join(SOURCE, "docs", "example")


def python_with_dask():
    """This Python, or else that of the system, for which Debian packages Dask; None if neither has Dask."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and subprocess.run([python, "-c", "import distributed"], capture_output=True).returncode == 0:
            return python
    return None


class FitsOfACorpus(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        scene = os.path.join(SOURCE, "resources/scenes/step_over_a_box.limber")
        done = subprocess.run([LIMBER, "bake", scene, "--out", self.path("a.bvh"), "--to", "0.3"], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        shutil.copy(self.path("a.bvh"), self.path("b.bvh"))
        self.write("broken.bvh", "HIERARCHY\nROOT hip\n{")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def test_dask_resumes_and_reports_each_failure(self):
        python = python_with_dask()
        if not python:
            print("SKIPPED: Dask (python3-distributed) is not installed")
            self.skipTest("Dask is not installed")

        def run():
            names = ["a.bvh", "b.bvh", "broken.bvh"]
            return subprocess.run([python, "-B", os.path.join(EXAMPLES, "fit_corpus_dask.py"), "humanoid", *names,
                                   "--out", "out", "--workers", "2", "--limber", LIMBER], cwd=self.folder,
                                  capture_output=True, text=True, timeout=120)
        done = run()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("3/3 ", done.stdout)
        self.assertIn("\n2 of 3 clips in ", done.stdout)
        self.assertEqual(sorted(line.split(" ", 1)[1] for line in done.stdout.splitlines()[:-1]),
                         ["failed broken.bvh", "fitted a.bvh", "fitted b.bvh"])
        self.assertIn("broken.bvh: limber fit: ", done.stderr)
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["a.bvh", "b.bvh"])
        os.remove(self.path("out/b.bvh"))
        shutil.copy(self.path("a.bvh"), self.path("broken.bvh"))
        done = run()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(line.split(" ", 1)[1] for line in done.stdout.splitlines()[:-1]),
                         ["fitted b.bvh", "fitted broken.bvh", "kept a.bvh"])

    def task(self, number):
        environment = dict(os.environ, SLURM_ARRAY_TASK_ID=str(number), LIMBER=LIMBER)
        return subprocess.run(["bash", os.path.join(EXAMPLES, "fit_corpus.slurm"), "humanoid", "clips.txt", "out"],
                              cwd=self.folder, env=environment, capture_output=True, text=True)

    def test_a_task_of_a_slurm_array_fits_its_line(self):
        subprocess.run(["bash", "-n", os.path.join(EXAMPLES, "fit_corpus.slurm")], check=True)
        self.write("clips.txt", "a.bvh\nbroken.bvh\n")
        self.assertEqual(self.task(1).returncode, 0)
        self.assertEqual(os.listdir(self.path("out")), ["a.bvh"])
        self.assertEqual(self.task(1).stdout, "a.bvh: fitted before\n")
        self.assertNotEqual(self.task(2).returncode, 0)
        self.assertEqual(self.task(3).stderr, "clips.txt has no line 3\n")

    def test_clips_of_a_slurm_array_that_share_a_stem_are_all_fitted(self):
        clips = ["a.bvh", "one/a.bvh", self.path("two/a.bvh")]
        for clip in clips[1:]:
            os.makedirs(os.path.dirname(self.path(clip)))
            shutil.copy(self.path("a.bvh"), self.path(clip))
        self.write("clips.txt", "\n".join([*clips, "one/../a.bvh"]) + "\n")
        codes = [self.task(number).returncode for number in (1, 2, 3, 4)]
        self.assertEqual(codes, [0, 0, 0, 1])
        for motion in ("a.bvh", "one/a.bvh", self.path("two/a.bvh").lstrip("/")):
            self.assertTrue(os.path.exists(os.path.join(self.path("out"), motion)), motion)


if __name__ == "__main__":
    unittest.main()

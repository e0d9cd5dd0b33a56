# SPDX-License-Identifier: MIT
"""Names that are not UTF-8, in files and of files: every verb ends by itself, and what it writes opens again.

Usage: names_not_utf8.py LIMBER
"""
import os
import subprocess
import sys
import tempfile
import unittest

LIMBER = os.fsencode(os.path.abspath(sys.argv.pop()))

# Two links whose names differ in a Latin-1 letter alone.
URDF = ('<robot name="caf\xe9"><link name="base\xe9"/><link name="base\xe8"/><joint name="j\xe9" type="revolute">'
        '<parent link="base\xe9"/><child link="base\xe8"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>').encode("latin-1")
MJCF = ('<mujoco model="caf\xe9"><worldbody><body name="a\xe9" pos="0 0 1"><joint name="j\xe9" axis="0 1 0"/>'
        '<geom type="capsule" fromto="0 0 0 0 0 1" size="0.1"/></body></worldbody></mujoco>').encode("latin-1")
BVH = ("HIERARCHY\nROOT hip\xe9\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}"
       "\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n").encode("latin-1")
PROBLEM = b'{"figure": "latin.urdf", "goals": [{"type": "position", "link": "base\xc3\xa8", "target": [0.1, 0, 1]}]}'


class NamesNotUtf8(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.fsencode(folder.name)

    def write(self, name, content):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content)
        return name

    def run_limber(self, *arguments):
        done = subprocess.run([LIMBER, *arguments], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr.decode('utf-8', 'replace')}")
        return done.stdout

    def test_figures_of_all_text_formats_are_told_and_written(self):
        for content, ending in ((URDF, b".urdf"), (MJCF, b".xml"), (BVH, b".bvh")):
            for stem in (b"plain", b"caf\xe9"):
                file = self.write(stem + ending, content)
                self.run_limber(b"info", file)
                for out in (b"out.limber", b"out.glb", b"out.gltf", b"caf\xe8.limber"):
                    self.run_limber(b"convert", file, out)
                    self.run_limber(b"info", out)

    def test_names_keep_their_letters_and_stay_apart(self):
        self.run_limber(b"convert", self.write(b"latin.urdf", URDF), b"out.limber")
        with open(os.path.join(self.folder, b"out.limber"), "rb") as file:
            scene = file.read().decode("utf-8")  # throws unless it is
        for name in ("caf\xe9", "base\xe9", "base\xe8", "j\xe9"):
            self.assertIn(f'"{name}"', scene)

    def test_problems_name_such_links_in_utf8(self):
        self.write(b"latin.urdf", URDF)
        answer = self.run_limber(b"solve", self.write(b"caf\xe9.json", PROBLEM))
        self.assertTrue(answer.decode("utf-8"))


unittest.main()

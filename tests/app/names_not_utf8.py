# SPDX-License-Identifier: MIT
"""Names that are not UTF-8, in files and of files: each verb exits normally, and writes files that can be opened.

Usage: names_not_utf8.py LIMBER
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

LIMBER = os.fsencode(os.path.abspath(sys.argv.pop()))

# Two links whose names differ only in a Latin-1 letter.
URDF = ('<robot name="caf\xe9"><link name="base\xe9"/><link name="base\xe8"/><joint name="j\xe9" type="revolute">'
        '<parent link="base\xe9"/><child link="base\xe8"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>').encode("latin-1")
LATIN = b'<?xml version="1.0" encoding="ISO-8859-1"?>\n' + URDF
XACRO = (b'<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="p" value="caf\xe9"/>'
         b'<link name="${p}"/><link name="${p}2"/><joint name="j" type="continuous"><parent link="${p}"/>'
         b'<child link="${p}2"/></joint></robot>')
SDF = (b'<sdf version="1.9"><model name="caf\xe9"><link name="a\xe9"/><link name="b"><pose>0 0 1 0 0 0</pose></link>'
       b'<joint name="j" type="revolute"><parent>a\xe9</parent><child>b</child><axis/></joint></model></sdf>')
SHIFT_JIS = ('<robot name="\u817a"><link name="\u80f4"/><link name="\u8155"/>'
             '<joint name="\u95a2\u7bc0" type="continuous">'
             '<parent link="\u80f4"/><child link="\u8155"/></joint></robot>').encode("shift-jis")
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
        for content, ending in ((URDF, b".urdf"), (LATIN, b".urdf"), (SHIFT_JIS, b".urdf"), (XACRO, b".xacro"),
                                (SDF, b".sdf"), (MJCF, b".xml"), (BVH, b".bvh")):
            for stem in (b"plain", b"caf\xe9"):
                file = self.write(stem + ending, content)
                self.run_limber(b"info", file)
                self.assertIn("links", json.loads(self.run_limber(b"fk", file).decode("utf-8")))
                for out in (b"out.limber", b"out.glb", b"out.gltf", b"caf\xe8.limber"):
                    self.run_limber(b"convert", file, out)
                    self.run_limber(b"info", out)
                for out in (b"out.json", b"caf\xe8.csv"):
                    self.run_limber(b"convert", file, out)

    def test_names_keep_their_letters_and_stay_apart(self):
        self.run_limber(b"convert", self.write(b"latin.urdf", URDF), b"out.limber")
        with open(os.path.join(self.folder, b"out.limber"), "rb") as file:
            scene = file.read().decode("utf-8")  # throws if it is not UTF-8
        for name in ("caf\xe9", "base\xe9", "base\xe8", "j\xe9"):
            self.assertIn(f'"{name}"', scene)

    def test_a_declared_encoding_is_converted(self):
        places = json.loads(self.run_limber(b"fk", self.write(b"latin.urdf", LATIN)).decode("utf-8"))
        self.assertEqual([link["name"] for link in places["links"]], ["base\xe9", "base\xe8"])

    def test_a_scene_finds_the_file_that_its_figure_came_from(self):
        folder = b"f\xe9"
        os.mkdir(os.path.join(self.folder, folder))
        file = self.write(os.path.join(folder, b"caf\xe9.urdf"), URDF)
        for scene in (b"beside.limber", os.path.join(folder, b"in.limber")):
            self.run_limber(b"convert", file, scene)
            self.assertNotIn(b"cannot be read", self.run_limber(b"info", scene))
            self.run_limber(b"convert", scene, os.path.join(folder, b"again.limber"))

    def test_problems_name_such_links_in_utf8(self):
        self.write(b"latin.urdf", URDF)
        answer = self.run_limber(b"solve", self.write(b"caf\xe9.json", PROBLEM))
        self.assertTrue(answer.decode("utf-8"))


unittest.main()

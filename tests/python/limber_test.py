# SPDX-License-Identifier: MIT
"""Tests the Python package: all goals, error messages, batches, pictures, threads.

Usage: limber_test.py (PYTHONPATH names the package). Exits with 77 if NumPy is missing."""
import copy
import inspect
import math
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

try:
    import numpy as np
except ImportError:
    print("SKIPPED: NumPy is not installed")
    sys.exit(77)

import limber


def distance(a, b):
    return float(np.linalg.norm(np.asarray(a) - np.asarray(b)))


class Figures(unittest.TestCase):
    def test_a_figure_tells_what_it_has(self):
        arm = limber.readFigure("arm")
        self.assertEqual(arm.siteNames, ["tool"])
        self.assertEqual((arm.poseSize, arm.stepSize, len(arm.jointNames)), (7, 7, 7))
        self.assertEqual(arm.limits.shape, (7, 2))
        self.assertTrue((arm.limits[:, 0] <= arm.restPose).all() and (arm.restPose <= arm.limits[:, 1]).all())
        self.assertIn("7 links", repr(arm))
        self.assertEqual(arm.coordinateOf(arm.jointNames[3]), 3)
        human = limber.readFigure("human")
        self.assertGreater(human.poseSize, human.stepSize)  # quaternions

    def test_a_goal_uses_a_group_of_the_robots_srdf(self):
        self.assertEqual(limber.readFigure("arm").groups, {})
        links = "".join(f'<link name="{name}"/>' for name in "abc")
        joints = "".join(f'<joint name="{a}{b}" type="continuous"><parent link="{a}"/><child link="{b}"/>'
                         f'<origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>' for a, b in ("ab", "bc"))
        with tempfile.TemporaryDirectory() as folder:
            urdf = pathlib.Path(folder, "r.urdf")
            urdf.write_text(f'<robot name="r">{links}{joints}</robot>')
            urdf.with_suffix(".srdf").write_text('<robot name="r"><group name="hand"><link name="c"/></group></robot>')
            robot = limber.readFigure(urdf)
        self.assertEqual(robot.groups, {"hand": ["bc"]})
        ik = limber.Ik(robot)
        ik.add(limber.direction("c", [1, 0, 0], [1, 1, 1], uses=robot.groups["hand"]))
        pose = ik.solve().pose
        self.assertEqual(pose[robot.coordinateOf("ab")], robot.restPose[robot.coordinateOf("ab")])
        self.assertNotEqual(pose[robot.coordinateOf("bc")], robot.restPose[robot.coordinateOf("bc")])

    def test_forward_kinematics_agrees_with_a_chain_by_hand(self):
        chain = limber.readFigure("planar:3")
        poses = np.array([[0.0, 0.0, 0.0], [0.3, -0.5, 1.1], [math.pi / 2, 0.1, 0.2]])
        positions, quaternions = chain.placesOf(poses, ["tip", "link1"])
        self.assertEqual((positions.shape, quaternions.shape), ((3, 2, 3), (3, 2, 4)))
        angles = np.cumsum(poses, axis=1)
        tips = np.stack([np.cos(angles).sum(1), np.sin(angles).sum(1), np.zeros(3)], axis=1)
        self.assertLess(np.abs(positions[:, 0] - tips).max(), 1e-12)
        self.assertLess(np.abs(np.linalg.norm(quaternions, axis=2) - 1).max(), 1e-12)

    def test_points_go_to_the_file_and_back(self):
        figure = limber.readFigure("arm")
        points = np.array([[0.1, 0.2, 0.3], [-1, 2, 0]])
        self.assertLess(distance(figure.toScene(figure.toFile(points)), points), 1e-12)

    def test_errors_name_file_and_cause(self):
        with self.assertRaisesRegex(limber.Error, "/nowhere/robot.urdf: cannot be opened"):
            limber.readFigure("/nowhere/robot.urdf")
        with self.assertRaisesRegex(ValueError, "7 coordinates, not 3"):
            limber.readFigure("arm").placesOf(np.zeros((1, 3)), ["tool"])
        with self.assertRaisesRegex(ValueError, "no site or link \"hook\".*its sites tool"):
            limber.readFigure("arm").placesOf(np.zeros((1, 7)), ["hook"])


class Goals(unittest.TestCase):
    def setUp(self):
        self.human = limber.readFigure("human")
        self.ik = limber.Ik(self.human)
        self.hand = next(name for name in self.human.linkNames if "hand" in name and "left" in name)
        self.other = self.hand.replace("left", "right")

    def test_each_kind_is_met(self):
        place, rotation = self.ik.placeOf(self.hand)
        there = place + [0.05, 0.1, 0.1]
        half = math.sqrt(0.5)
        for goal in [limber.position(self.hand, there),
                     limber.placement(self.hand, there, rotation),
                     limber.orientation(self.hand, rotation),
                     limber.onPlane(self.hand, there, [0, 1, 0]),
                     limber.onSide(self.hand, there, [0, 1, 0]),
                     limber.onLine(self.hand, there, [0, 0, 1]),
                     limber.distance(self.hand, self.other, 0.3, 0.4),
                     limber.lookAt("head", [0, 0, 1], [0.5, 1.6, 3]),
                     limber.direction(self.hand, [1, 0, 0], [half, 0, half]),
                     limber.centreOfMass([0.02, 1, 0.02])]:
            ik = limber.Ik(self.human)
            ik.add(goal)
            answer = ik.solve()
            self.assertTrue(answer.isReached, f"{goal!r}: {answer!r}")
            self.assertEqual(answer.time_us, round(answer.time_us, 1))
            self.assertTrue(bool(answer))
            self.assertTrue(np.array_equal(answer.pose, ik.pose))
        self.assertIn("weight 1", repr(limber.position(self.hand, there)))

    def test_what_is_set_counts_from_the_next_solve(self):
        place, _ = self.ik.placeOf(self.hand)
        goal = self.ik.add(limber.position(self.hand, place + [0, 0.1, 0.1]))
        self.assertTrue(self.ik.solve())
        self.assertLess(distance(self.ik.placeOf(self.hand)[0], goal.target), 1e-3)
        goal.target = place + [0, 0.2, 0.2]
        self.assertTrue(self.ik.solve())
        self.assertLess(distance(self.ik.placeOf(self.hand)[0], place + [0, 0.2, 0.2]), 1e-3)
        goal.enabled = False
        goal.weight = 2.0
        self.assertEqual((goal.weight, goal.enabled), (2.0, False))
        self.ik.remove(goal)
        self.assertIn("0 goals", repr(self.ik))

    def test_pins_and_locks_hold(self):
        foot = next(name for name in self.human.linkNames if "foot" in name and "left" in name)
        before, _ = self.ik.placeOf(foot)
        self.ik.pin(foot)
        place, _ = self.ik.placeOf(self.hand)
        self.ik.add(limber.position(self.hand, place + [0.1, -0.3, 0.3]))
        self.ik.solve()
        self.assertLess(distance(self.ik.placeOf(foot)[0], before), 1e-4)
        self.ik.unpin(foot)
        with self.assertRaises(ValueError):
            self.ik.pin(foot, keep="everything")

    def test_wrong_names_numbers_and_solvers_are_said(self):
        with self.assertRaisesRegex(ValueError, "no site or link \"tail\""):
            self.ik.add(limber.position("tail", [0, 0, 0]))
        with self.assertRaisesRegex(ValueError, "quaternion"):
            limber.orientation(self.hand, [1, 2, 3, 4])
        with self.assertRaisesRegex(ValueError, "not a rotation"):
            limber.orientation(self.hand, np.ones((3, 3)))
        with self.assertRaises(ValueError):
            self.ik.pose = np.zeros(3)
        with self.assertRaisesRegex(ValueError, "there is no solver"):
            self.ik.setSolver("magic")
        with self.assertRaisesRegex(ValueError, "no option"):
            self.ik.setSolver("newton", speed=3)
        self.ik.add(limber.position(self.hand, [math.nan, 0, 0]))
        self.assertFalse(self.ik.solve().isReached)

    def test_what_is_read_is_a_copy_that_refuses_to_be_written(self):
        goal = self.ik.add(limber.placement(self.hand, *self.ik.placeOf(self.hand)))
        answer = self.ik.solve()
        for array in [goal.target, goal.rotation, self.ik.pose, answer.pose, self.human.restPose]:
            with self.assertRaisesRegex(ValueError, "read-only"):
                array[0] = 9.0

    def test_an_answer_that_is_kept_does_not_change(self):
        ik = limber.Ik(limber.readFigure("arm"))
        tool = ik.add(limber.position("tool", [0.4, 0.6, 0.1]))
        kept, copies, poses = [], [], []
        for i in range(12):
            tool.target = [0.4, 0.6 - 0.03 * i, 0.1 if i % 3 else 5.0]
            answer = ik.solve() if i % 4 else ik.search()
            copies.append((answer.pose.copy(), answer.sentence, answer.error, answer.isReached, repr(answer)))
            poses.append(answer.pose)  # an array that outlives its answer
            if i % 2:
                kept.append((i, answer))
        for pose, copy in zip(poses, copies):
            self.assertTrue(np.array_equal(pose, copy[0]))
            self.assertFalse(pose.flags.writeable)
        for i, answer in kept:
            self.assertTrue(np.array_equal(answer.pose, copies[i][0]))
            self.assertEqual((answer.sentence, answer.error, answer.isReached, repr(answer)), copies[i][1:])

    def test_an_answer_changes_with_its_targets(self):
        arm = limber.readFigure("arm")
        ik = limber.Ik(arm)
        start = 0.3 + 0.1 * (np.arange(7) % 3)
        with self.assertRaisesRegex(limber.Error, "solve first"):
            ik.answer_jacobian()
        ik.pose = start
        place, turn = ik.placeOf("tool")
        tool = ik.add(limber.placement("tool", place + [0.05, 0.02, 0.03], turn))
        hold = ik.add(limber.position("elbow", ik.placeOf("elbow")[0], weight=0.1))
        ik.solve()
        jacobian = ik.answer_jacobian()
        self.assertEqual(jacobian.shape, (7, 9))
        self.assertTrue(np.array_equal(ik.answer_jacobian(tool), jacobian[:, :6]))
        self.assertTrue(np.array_equal(ik.answer_jacobian(hold), jacobian[:, 6:]))
        target, h = tool.target, 1e-4
        for axis in range(3):
            poses = []
            for step in [h, -h]:
                tool.target = target + step * np.eye(3)[axis]
                ik.pose = start
                poses.append(ik.solve().pose)
            self.assertLess(distance(jacobian[:, axis], (poses[0] - poses[1]) / (2 * h)), 1e-3)
        ik.restWeight = 0
        ik.remove(hold)
        ik.solve()
        with self.assertRaisesRegex(limber.Error, "can move without"):
            ik.answer_jacobian()

    def test_a_wrong_shape_is_said(self):
        three = "a point or direction has three numbers"
        goal = self.ik.add(limber.position(self.hand, (0, 1, 0)))
        for wrong in [[0, 1], [0, 1, 2, 3], [[0, 1, 2]], 4.0]:
            with self.assertRaisesRegex(ValueError, three):
                limber.position(self.hand, wrong)
            with self.assertRaisesRegex(ValueError, three):
                goal.target = wrong
            with self.assertRaisesRegex(ValueError, three):
                self.ik.fit({self.hand: wrong})
        with self.assertRaisesRegex(ValueError, "a rotation is"):
            limber.orientation(self.hand, np.zeros((3, 3, 3)))
        with self.assertRaises(TypeError):
            limber.position(self.hand, "here")

    def test_goals_say_what_they_are(self):
        self.assertIn("centre of mass", repr(self.ik.add(limber.centreOfMass([0, 1, 0]))))
        self.assertIn("position of \"" + self.hand, repr(self.ik.add(limber.position(self.hand, [0, 1, 0]))))

    def test_only_the_nearest_of_alternatives_counts(self):
        place, _ = self.ik.placeOf(self.hand)
        near = self.ik.add(limber.position(self.hand, place + [0.05, 0.1, 0.1]))
        far = self.ik.add(limber.position(self.hand, [0, 9, 0]))
        self.assertFalse(self.ik.solve())
        self.ik.pose = self.human.restPose
        self.ik.anyOf([near, far])
        self.assertTrue(self.ik.solve())

    def test_limits_and_rigidities_hold(self):
        arm = limber.readFigure("arm")
        ik = limber.Ik(arm)
        joint = arm.jointNames[3]
        ik.setLimits(joint, -0.1, 0.2)
        ik.setRigidity(arm.jointNames[1], 1.0)
        ik.add(limber.position("tool", [0.2, 0.4, 0.3]))
        answer = ik.solve()
        self.assertTrue(-0.1 - 1e-12 <= answer.pose[3] <= 0.2 + 1e-12)
        self.assertEqual(answer.pose[1], arm.restPose[1])
        self.assertTrue(set(answer.jointsAtLimits) <= set(arm.jointNames))
        with self.assertRaisesRegex(ValueError, "no joint \"elbow9\""):
            ik.setLimits("elbow9", 0, 1)
        with self.assertRaisesRegex(ValueError, "lower limit"):
            ik.setLimits(joint, 1, 0)
        with self.assertRaisesRegex(ValueError, "in \\[0, 1\\]"):
            ik.setRigidity(joint, math.nan)

    def test_a_figure_stays_out_of_obstacles(self):
        place, _ = self.ik.placeOf(self.hand)
        there = place + [0, 0.1, 0.4]
        self.ik.add(limber.position(self.hand, there))
        table = self.ik.addBox(there, [0.2, 0.1, 0.3], name="table")
        answer = self.ik.solve()
        self.assertFalse(answer.isReached)
        self.assertIn("table", " ".join(contact.other for contact in answer.contacts))
        self.assertTrue({contact.link for contact in answer.contacts} <= set(self.human.linkNames))
        self.assertGreater(min(contact.clearance for contact in answer.contacts), -2e-3)
        self.ik.removeObstacle(table)
        self.assertTrue(self.ik.solve())
        self.ik.addPlane([0, -1, 0], [0, 1, 0], "floor")
        self.assertTrue(self.ik.solve())
        with self.assertRaisesRegex(ValueError, "normal"):
            self.ik.addPlane([0, 0, 0], [0, 0, 0])
        with self.assertRaisesRegex(ValueError, "no obstacle 99"):
            self.ik.removeObstacle(99)
        with self.assertRaises(ValueError):
            self.ik.addBox([0, 0, 0], [0, 1, 1])

    def test_a_safety_distance_disabled_pairs_and_round_obstacles(self):
        arm = limber.readFigure("arm")
        ik = limber.Ik(arm)
        ik.add(limber.position("tool", [0.4, 0.6, 0.2]))
        ik.safetyDistance = 0.03
        self.assertAlmostEqual(ik.safetyDistance, 0.03)
        for add in (lambda: ik.addSphere([0.4, 0.6, 0.2], 0.1, "ball"),
                    lambda: ik.addCapsule([0.4, 0.4, 0.2], [0.4, 0.8, 0.2], 0.08, "pole")):
            number = add()
            answer = ik.solve()
            self.assertFalse(answer)
            self.assertTrue(answer.contacts)
            for contact in answer.contacts:
                self.assertAlmostEqual(contact.asked, 0.03)
                self.assertEqual(contact.isTooNear, contact.clearance < 0.03 - 1e-9)
            ik.removeObstacle(number)
        ik.disableCollision(arm.linkNames[0], arm.linkNames[5])
        ik.disableCollision(arm.linkNames[0], arm.linkNames[5], isDisabled=False)
        with self.assertRaisesRegex(ValueError, "nose"):
            ik.disableCollision("nose", "tool")
        with self.assertRaisesRegex(ValueError, "safety distance"):
            ik.safetyDistance = -1
        with self.assertRaisesRegex(ValueError, "volume"):
            ik.addSphere([0, 0, 0], 0)
        with self.assertRaisesRegex(ValueError, "volume"):
            ik.addCapsule([0, 0, 0], [0, 1, 0], -1)

    def test_progress_is_told_and_ends_a_solve(self):
        place, _ = self.ik.placeOf(self.hand)
        self.ik.add(limber.position(self.hand, place + [0.1, 0.2, 0.2]))
        told = []
        answer = self.ik.solve(progress=lambda iteration, f: told.append((iteration, f)) or iteration < 2)
        self.assertEqual([iteration for iteration, _ in told], [1, 2])
        self.assertEqual(answer.outcome, "cancelled")
        self.assertTrue(self.ik.solve())
        with self.assertRaises(ZeroDivisionError):
            ik = limber.Ik(self.human)
            ik.add(limber.position(self.hand, place + [0.1, 0.2, 0.2]))
            ik.solve(progress=lambda iteration, f: 1 / 0)

    def test_the_same_calls_give_the_same_bits(self):
        poses = []
        for _ in range(2):
            ik = limber.Ik(limber.readFigure("arm"))
            ik.setSolver("lm", tolerance=1e-10)
            ik.add(limber.position("tool", [0.4, 0.6, 0.1]))
            poses.append(ik.solve().pose)
        self.assertTrue(np.array_equal(*poses))

    def test_a_certificate_speaks(self):
        ik = limber.Ik(limber.readFigure("arm"))
        ik.add(limber.position("tool", [5, 0, 0]))
        answer = ik.solve()
        certificate = ik.certify()
        self.assertFalse(answer.isReached)
        self.assertTrue(certificate.isOutOfReach)
        self.assertLessEqual(certificate.bound, certificate.cost + 1e-9)
        self.assertIn("out of reach", str(certificate))

    def test_points_that_were_seen(self):
        arm = limber.readFigure("arm")
        wanted = np.clip(arm.restPose + 0.3, arm.limits[:, 0], arm.limits[:, 1])
        places, _ = arm.placesOf(wanted[None], arm.linkNames + ["tool"])
        ik = limber.Ik(arm)
        pose, cost = ik.fit(dict(zip(arm.linkNames + ["tool"], places[0])))
        self.assertLess(cost, 1e-6)
        self.assertLess(distance(arm.placesOf(pose[None], ["tool"])[0][0, 0], places[0, -1]), 1e-5)


ROBOT = """<robot name="two links">
  <link name="base"/><link name="upper"/><link name="tool"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.5"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1.5"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="tool"/><origin xyz="0.4 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="0.5"/></joint>
</robot>"""


def made(text, name):
    folder = tempfile.mkdtemp()
    path = pathlib.Path(folder, name)
    path.write_text(text)
    return path


class Axes(unittest.TestCase):
    def setUp(self):
        self.robot = limber.readFigure(made(ROBOT, "robot.urdf"))

    def test_a_robot_is_posed_in_the_axes_of_its_file(self):
        ik = limber.Ik(self.robot)
        ik.add(limber.position("tool", [0, 0, 0.9]))  # z up: straight above the shoulder
        self.assertTrue(ik.solve())
        self.assertLess(distance(ik.placeOf("tool")[0], [0, 0, 0.9]), 1e-3)
        places, _ = self.robot.placesOf(ik.pose[None], ["tool"])
        self.assertLess(distance(places[0, 0], [0, 0, 0.9]), 1e-3)

    def test_the_scene_is_named(self):
        ik = limber.Ik(self.robot, axes="scene")
        self.assertEqual((ik.axes, limber.Ik(self.robot).axes), ("scene", "file"))
        ik.add(limber.position("tool", self.robot.toScene([[0, 0, 0.9]])[0]))
        self.assertTrue(ik.solve())
        places, _ = self.robot.placesOf(ik.pose[None], ["tool"], axes="scene")
        self.assertLess(distance(places[0, 0], ik.placeOf("tool")[0]), 1e-12)
        self.assertGreater(places[0, 0, 1], 0.8, "y is up")
        with self.assertRaisesRegex(ValueError, "\"file\" or \"scene\""):
            limber.Ik(self.robot, axes="world")

    def test_batches_take_the_axes_of_the_file(self):
        poses = np.random.default_rng(2).uniform(-1.5, 1.5, (20, 2))
        for axes in ["file", "scene"]:
            positions, _ = self.robot.placesOf(poses, ["tool"], axes=axes)
            result = limber.solve_batch(self.robot, ["tool"], positions[:, 0], axes=axes)
            self.assertEqual(result.reached.sum(), 20)
            self.assertLess(np.abs(self.robot.placesOf(result.poses, ["tool"], axes=axes)[0] - positions).max(), 2e-3)

    def test_jacobians_agree_with_differences(self):
        pose, h = np.array([0.3, -0.7]), 1e-6
        jacobian = self.robot.jacobiansOf(pose[None], "tool", point=[0.1, 0.2, 0])[0]
        self.assertEqual(jacobian.shape, (6, self.robot.stepSize))

        def place(q):
            position, (x, y, z, w) = (a[0, 0] for a in self.robot.placesOf(q[None], ["tool"]))
            axis = np.array([x, y, z])
            point = np.array([0.1, 0.2, 0])
            return position + point + 2 * np.cross(axis, np.cross(axis, point) + w * point)

        for c in range(2):
            step = h * np.eye(2)[c]
            near = (place(self.robot.integrate(pose, step)) - place(self.robot.integrate(pose, -step))) / (2 * h)
            self.assertLess(distance(jacobian[:3, c], near), 1e-8)
        ik = limber.Ik(self.robot)
        ik.pose = pose
        self.assertTrue(np.array_equal(ik.jacobianOf("tool", point=[0.1, 0.2, 0]), jacobian))
        self.assertLess(distance(self.robot.difference(pose, self.robot.integrate(pose, [0.1, 0.2])), [0.1, 0.2]), 1e-12)


class Wrong(unittest.TestCase):
    """Calls without a meaning raise an exception that says why."""

    def setUp(self):
        self.arm = limber.readFigure("arm")
        self.ik = limber.Ik(self.arm)

    def test_no_figure(self):
        with self.assertRaisesRegex(TypeError, "figure is None"):
            limber.Ik(None)
        with self.assertRaises(TypeError):
            limber.solve_batch(None, ["tool"], np.zeros((1, 3)))

    def test_goals_of_others(self):
        other = limber.Ik(self.arm)
        goal, own = (ik.add(limber.position("tool", [0.4, 0.6, 0.1])) for ik in (other, self.ik))
        with self.assertRaisesRegex(IndexError, "another Ik"):
            self.ik.remove(goal)
        with self.assertRaisesRegex(IndexError, "another Ik"):
            self.ik.anyOf([own, goal])
        self.assertEqual(len(self.ik.goals), 1)

    def test_numbers(self):
        joint = self.arm.jointNames[2]
        for call, said in [(lambda: self.ik.setLimits(joint, math.nan, 1), "a limit is not a number"),
                           (lambda: self.ik.setLimits(joint, 1, -1), "lower limit is above"),
                           (lambda: self.ik.setLimits("nope", 0, 1), "no joint \"nope\"; its joints are"),
                           (lambda: self.ik.lock("nope"), "no joint \"nope\"; its joints are"),
                           (lambda: self.ik.addBox([0, 0, 0], [0, 0, 0]), "no volume"),
                           (lambda: self.ik.addMesh(np.zeros((3, 3))), "no hull"),
                           (lambda: limber.position("tool", [0, 0, 0], uses=[]), "uses is empty"),
                           (lambda: limber.distance("tool", "hand", 2, 1), "lower limit is above"),
                           (lambda: limber.keepPose([0]) and self.ik.add(limber.keepPose([0])), "7 coordinates, not 1"),
                           (lambda: setattr(self.ik, "restWeight", -1), ">= 0")]:
            with self.assertRaisesRegex(ValueError, said):
                call()


class Copies(unittest.TestCase):
    def test_a_figure_is_pickled_to_the_bit(self):
        for figure in [limber.readFigure("human"), limber.readFigure(made(ROBOT, "robot.urdf"))]:
            again = pickle.loads(pickle.dumps(figure))
            self.assertEqual((again.name, again.linkNames, again.jointNames, again.siteNames, again.notes),
                             (figure.name, figure.linkNames, figure.jointNames, figure.siteNames, figure.notes))
            for name in ["restPose", "limits", "velocityLimits", "metresPerUnit", "meanLinkLength"]:
                self.assertTrue(np.array_equal(getattr(again, name), getattr(figure, name)), name)
            poses = figure.restPose[None]
            for a, b in zip(figure.placesOf(poses, figure.linkNames), again.placesOf(poses, figure.linkNames)):
                self.assertTrue(np.array_equal(a, b))
            self.assertIs(copy.deepcopy(figure), figure)

    def test_an_ik_is_copied_and_pickled(self):
        ik = limber.Ik(limber.readFigure(made(ROBOT, "robot.urdf")))
        ik.add(limber.position("tool", [0.1, 0.2, 0.8]))
        ik.setLimits("elbow", -1, 1)
        ik.addBox([2, 0, 0], [1, 1, 1], name="table")
        ik.pose = [0.1, 0.2]
        for other in [copy.copy(ik), copy.deepcopy(ik), pickle.loads(pickle.dumps(ik))]:
            self.assertTrue(np.array_equal(other.goals[0].target, ik.goals[0].target))
            self.assertEqual((other.axes, len(other.goals)), (ik.axes, 1))
            fresh = copy.copy(ik)
            self.assertTrue(np.array_equal(other.solve().pose, fresh.solve().pose), "to the bit")
            other.goals[0].target = [9, 9, 9]
        self.assertTrue(np.array_equal(ik.goals[0].target, [0.1, 0.2, 0.8]))
        twins = pickle.loads(pickle.dumps([ik, ik.figure]))
        self.assertIs(twins[0].figure, twins[1])

    def test_a_pool_of_processes_solves(self):
        code = ("import multiprocessing, limber\n"
                "def work(ik): return ik.solve().isReached\n"
                "if __name__ == '__main__':\n"
                "    ik = limber.Ik(limber.readFigure('arm'))\n"
                "    ik.add(limber.position('tool', [0.4, 0.6, 0.1]))\n"
                "    with multiprocessing.get_context('spawn').Pool(2) as pool:\n"
                "        print(pool.map(work, [ik] * 3))\n")
        script = made(code, "pool.py")
        done = subprocess.run([sys.executable, "-B", str(script)], capture_output=True, text=True, timeout=100)
        self.assertEqual(done.stdout.strip(), "[True, True, True]", done.stderr)


class Velocities(unittest.TestCase):
    def test_a_twist_is_attained_within_the_limits_of_the_file(self):
        robot = limber.readFigure(made(ROBOT, "robot.urdf"))
        self.assertTrue(np.array_equal(robot.velocityLimits, [1.5, 0.5]))
        step = limber.VelocityStep(robot)
        tool = step.add("tool", twist=[0, 0, -0.04, 0, 0, 0], point=[0.3, 0, 0], turns=False)
        pose = np.array([0.2, 0.3])
        answer = step.solve(pose, 0.001)
        self.assertLess(answer.missed[0], 0.05)
        jacobian = robot.jacobiansOf(pose[None], "tool", point=[0.3, 0, 0])[0]
        step.setTwist(tool, np.r_[(jacobian @ [0.2, 0.1])[:3], 0, 0, 0])
        answer = step.solve(pose, 0.001)
        self.assertTrue(answer)
        self.assertLess(distance(answer.velocity, [0.2, 0.1]), 1e-5)
        self.assertLess(distance(answer.pose, pose + 0.001 * answer.velocity), 1e-12)
        step.setTwist(tool, np.r_[(jacobian @ [3, 3])[:3], 0, 0, 0])
        answer = step.solve(pose, 0.001)
        self.assertEqual(answer.jointsAtLimits, ["shoulder", "elbow"])
        self.assertTrue((np.abs(answer.velocity) <= robot.velocityLimits).all())

    def test_an_ik_gives_its_locks(self):
        ik = limber.Ik(limber.readFigure("arm"))
        ik.lock(ik.figure.jointNames[1])
        step = limber.VelocityStep(ik)
        step.add("tool", twist=[0.1, 0, 0, 0, 0, 0])
        self.assertEqual(step.solve(ik.pose, 0.01).velocity[1], 0)
        with self.assertRaisesRegex(ValueError, "six numbers"):
            step.setTwist(0, [1, 2, 3])
        with self.assertRaisesRegex(ValueError, "period"):
            step.solve(ik.pose, 0)


class Names(unittest.TestCase):
    """The package says what it has, and C++ the same."""

    def test_dir_shows_no_modules(self):
        shown = [name for name in dir(limber) if not name.startswith("_")]
        self.assertFalse([name for name in shown if inspect.ismodule(getattr(limber, name))])
        self.assertIn("Ik", shown)

    def test_the_table_of_names_is_complete(self):
        source = pathlib.Path(__file__).parents[2]
        page = (source / "docs" / "python.md").read_text(encoding="utf-8")
        rows = [row.split("|")[2:4] for row in re.findall(r"^\|.*\|$", page.split("## C++ and Python")[1].split("\n## ")[0],
                                                         re.M)[2:]]
        in_cpp = {name for cpp, _ in rows for name in re.findall(r"`(\w+)`", cpp)}
        in_python = {name for _, python in rows for name in re.findall(r"`(\w+)`", python)}
        headers = "".join((source / "src" / "limber" / "posing" / name).read_text(encoding="utf-8")
                          for name in ["ik.h", "named_end.h", "velocity_step.h"])
        headers = re.sub(r"//.*", "", headers)
        for name in in_cpp:
            self.assertRegex(headers, r"\b" + name + r"\b")
        of_ik = re.search(r"\nclass Ik \{(.*?)\n private:", headers, re.S).group(1)
        declared = set(re.findall(r"\b([a-z]\w+)\([^;{]*\)(?: const)?(?: \{|;)", of_ik))
        declared |= set(re.findall(r"^NewGoal&? ?(\w+)\(", headers, re.M))
        self.assertEqual(declared - in_cpp, {"figure", "axes", "problem", "observe", "value", "valuesOf", "solver"} & declared)
        public = {name for owner in [limber.Ik, limber.VelocityStep] for name in dir(owner) if not name.startswith("_")}
        public |= {name for name in dir(limber) if inspect.isbuiltin(getattr(limber, name))}
        self.assertEqual(public - in_python, {"figure", "axes", "save", "render", "view", "solve_batch", "fit",
                                              "readFigure", "encodePng"} & (public - in_python))


class Many(unittest.TestCase):
    def test_targets_are_met_by_forward_kinematics(self):
        arm = limber.readFigure("arm")
        random = np.random.default_rng(1)
        poses = random.uniform(arm.limits[:, 0], arm.limits[:, 1], (300, 7))
        positions, rotations = arm.placesOf(poses, ["tool"])
        result = limber.solve_batch(arm, ["tool"], positions[:, 0], rotations[:, 0])
        self.assertEqual(len(result), 300)
        self.assertEqual(result.reached.sum(), 300, repr(result))
        found, _ = arm.placesOf(result.poses, ["tool"])
        self.assertLess(np.abs(found - positions).max(), 2e-3)
        self.assertTrue((result.poses >= arm.limits[:, 0] - 1e-9).all())
        one = limber.solve_batch(arm, ["tool"], positions[:, 0], rotations[:, 0], threads=1)
        self.assertTrue(np.array_equal(one.poses, result.poses), "threads change no bit")

    def test_many_poses_keep_out_of_the_obstacles_of_an_ik(self):
        arm = limber.readFigure("arm")
        random = np.random.default_rng(2)
        poses = random.uniform(arm.limits[:, 0], arm.limits[:, 1], (40, 7))
        positions, _ = arm.placesOf(poses, ["tool"])
        free = limber.solve_batch(arm, ["tool"], positions[:, 0])
        ik = limber.Ik(arm)
        self.assertTrue(np.array_equal(limber.solve_batch(ik, ["tool"], positions[:, 0]).poses, free.poses))
        ik.addPlane([0.25, 0, 0], [-1, 0, 0], "wall")
        kept = limber.solve_batch(ik, ["tool"], positions[:, 0], restarts=5)
        links, _ = arm.placesOf(kept.poses, ["tool"])
        self.assertTrue((links[kept.reached, 0, 0] < 0.25 + 1e-3).all())
        self.assertFalse(kept.reached[positions[:, 0, 0] > 0.3].any())
        same = (kept.poses == free.poses).all(axis=1)
        self.assertTrue(same.any() and not same.all())
        ik.pin(arm.linkNames[0])
        with self.assertRaisesRegex(ValueError, "pinned"):
            limber.solve_batch(ik, ["tool"], positions[:, 0])

    def test_wrong_shapes_are_said_and_progress_ends_it(self):
        arm = limber.readFigure("arm")
        with self.assertRaisesRegex(ValueError, "positions must have the shape"):
            limber.solve_batch(arm, ["tool"], np.zeros((3, 2)))
        with self.assertRaisesRegex(ValueError, "there is no target"):
            limber.solve_batch(arm, ["tool"])
        with self.assertRaisesRegex(ValueError, "starts"):
            limber.solve_batch(arm, ["tool"], np.zeros((3, 3)), starts=np.zeros((2, 7)))
        result = limber.solve_batch(arm, ["tool"], np.full((20000, 3), 9.0), threads=1, progress=lambda: False)
        self.assertTrue(np.isnan(result.errors).any(), "the rest is not solved")

    def test_a_motion_is_fitted_and_saved(self):
        arm = limber.readFigure("arm")
        steps = np.linspace(0, 1, 5)[:, None]
        poses = arm.restPose + 0.2 * steps * np.ones(7)
        names = arm.linkNames + ["tool"]
        places, _ = arm.placesOf(poses, names)
        told = []
        fit = limber.fit(arm, names, places, scale=1.0, progress=lambda part: told.append(part) or True)
        self.assertLess(fit.costs.max(), 1e-5)
        self.assertEqual(told[-1], 1.0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "arm.csv")
            arm.save(path, fit.poses, frameTime=0.1)
            motion, = arm.readMotions(path)
            self.assertLess(np.abs(motion.poses - fit.poses).max(), 1e-12)
            self.assertAlmostEqual(motion.frameTime, 0.1)
            with self.assertRaisesRegex(limber.Error, "must end in one of"):
                arm.save(os.path.join(folder, "arm.exe"))

    def test_one_ik_takes_one_thread_at_a_time(self):
        chain = limber.readFigure("ball:400")
        ik = limber.Ik(chain)
        goal = ik.add(limber.position(chain.siteNames[0], [30, 40, 20]))
        ik.setSolver("gd")
        before = repr(ik)
        is_solving, may_end, faults = threading.Event(), threading.Event(), []

        def progress(iteration, f):
            is_solving.set()
            may_end.wait()
            return False

        thread = threading.Thread(target=lambda: ik.solve(progress))
        thread.start()
        is_solving.wait()
        for attempt in [ik.solve, ik.certify, lambda: ik.pose, lambda: setattr(goal, "target", [1, 2, 3]),
                        lambda: ik.add(limber.centreOfMass([0, 0, 0])), lambda: repr(ik)]:
            try:
                attempt()
            except limber.Error as error:
                faults.append(str(error))
        may_end.set()
        thread.join()
        self.assertEqual(len(faults), 6)
        self.assertIn("another thread solves", faults[0])
        self.assertEqual(repr(ik), before)

    def test_ctrl_c_ends_what_takes_long(self):
        code = ("import limber, sys\n"
                "chain = limber.readFigure('ball:400')\n"
                "ik = limber.Ik(chain)\n"
                "ik.add(limber.position(chain.siteNames[0], [30, 40, 20]))\n"
                "ik.setSolver('gd')\n"
                "print('begun', flush=True)\n"
                "while True: ik.solve()\n")
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler)) as child:
            self.assertEqual(child.stdout.readline(), b"begun\n")
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            self.assertIn(b"KeyboardInterrupt", child.communicate(timeout=60)[1])

    def test_paths_may_be_paths(self):
        arm = limber.readFigure("arm")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "arm.limber"
            limber.Ik(arm).save(path)
            arm.save(path.with_suffix(".urdf"))
            self.assertEqual(limber.readFigure(path).linkNames, arm.linkNames)

    def test_threads_solve_side_by_side(self):
        arm = limber.readFigure("arm")
        reached = []

        def work(k):
            ik = limber.Ik(arm)
            goal = ik.add(limber.position("tool", [0.3, 0.6, 0.1]))
            for i in range(50):
                goal.target = [0.3 + 0.001 * i, 0.6, 0.01 * k]
                reached.append(ik.solve().isReached)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(reached, [True] * 200)


class Pictures(unittest.TestCase):
    def test_a_figure_is_drawn_and_stands_in_a_page(self):
        ik = limber.Ik(limber.readFigure("arm"))
        try:
            picture = ik.render(160, 120)
        except limber.Error as error:
            self.skipTest(str(error))
        self.assertEqual((picture.shape, picture.dtype), ((120, 160, 3), np.uint8))
        self.assertGreater(picture.std(), 5, "something is seen")
        self.assertEqual(ik.render(160, 120, isTransparent=True).shape, (120, 160, 4))
        self.assertTrue(ik._repr_png_().startswith(b"\x89PNG"))
        with self.assertRaises(ValueError):
            ik.render(view="above")

    def test_a_page_needs_no_network(self):
        page = limber.Ik(limber.readFigure("arm")).view()
        self.assertTrue(page.startswith("<iframe srcdoc="))
        self.assertNotIn("http", page)
        self.assertTrue(limber.readFigure("arm").glb().startswith(b"glTF"))


if __name__ == "__main__":
    unittest.main()

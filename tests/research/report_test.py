# SPDX-License-Identifier: MIT
"""report_test.py LIMBER_EXPERIMENTS: tests a quick run of the program, and the report on it."""
import csv
import os
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import report  # noqa: E402
import svg  # noqa: E402

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "limber_experiments"
PAGE = "# A page\n\n<!-- figure 4 -->\nold\n<!-- end -->\n\n<!-- times -->\n<!-- end -->\n\nafter\n"


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class QuickRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([PROGRAM, "--quick", "--figure", "hand", "--out", cls.folder.name], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_every_case_has_every_run(self):
        trials = read(self.path("fits.csv"))
        cases = {t["case"] for t in trials}
        self.assertEqual(cases, {f"hand {points} {kind}" for points in ("all", "ends") for kind in ("clean", "noisy")})
        for case in cases:
            for method, runs in (("penalty_mm", 6), ("penalty_m", 6), ("bounds", 6), ("lm", 6), ("neutral", 2),
                                 ("sdp_ik", 2), ("truth", 2)):
                found = [t for t in trials if t["case"] == case and t["method"] == method]
                self.assertEqual(len(found), runs, (case, method))

    def test_sdp_ik_is_exact_without_noise(self):
        for trial in read(self.path("fits.csv")):
            if trial["method"] == "sdp_ik" and trial["case"].endswith("clean"):
                self.assertLess(float(trial["cost_mm"]), 0.1)
                self.assertLess(float(trial["overstep_deg"]), 1e-6)

    def test_no_pose_is_below_its_bound(self):
        certificates = read(self.path("certificates.csv"))
        self.assertEqual(len(certificates), 4)
        for c in certificates:
            self.assertLessEqual(float(c["bound_mm"]), float(c["cost_mm"]))

    def test_every_local_method_has_its_runs_and_curves(self):
        runs, curves = read(self.path("local.csv")), read(self.path("curves.csv"))
        for limits in report.LIMIT_TITLES:
            for method in report.LOCAL_TITLES:
                found = [r for r in runs if r["limits"] == limits and r["method"] == method]
                self.assertEqual(len(found), 4, (limits, method))
        self.assertEqual(len(runs), 4 * len(report.LIMIT_TITLES) * len(report.LOCAL_TITLES))
        self.assertEqual({c["axis"] for c in curves}, set(report.LOCAL_AXES))
        self.assertEqual(len(curves) % len(runs), 0)

    def test_the_table_of_local_methods_has_a_line_for_each_method_and_treatment_of_limits(self):
        runs, curves = (report.read_table(self.folder.name, name) for name in ("local.csv", "curves.csv"))
        lines = report.local_table(runs, curves).splitlines()[2:]
        self.assertEqual(len(lines), len(report.LIMIT_TITLES) * len(report.LOCAL_TITLES))
        kept = [line for line in lines if line.startswith("| within the limits")]
        self.assertEqual(len(kept), 4)
        for line in kept:
            self.assertEqual(line.split(" | ")[4], "0 / 0")

    def test_the_same_seed_gives_the_same_costs(self):
        with tempfile.TemporaryDirectory() as again:
            subprocess.run([PROGRAM, "--quick", "--figure", "hand", "--only", "fig5", "--out", again], check=True)
            costs = [[(t["case"], t["method"], t["cost_mm"]) for t in read(os.path.join(folder, "fits.csv"))
                      if t["case"].endswith("noisy")] for folder in (self.folder.name, again)]
        self.assertEqual(costs[0], costs[1])

    def test_tables_and_plots_are_made(self):
        tables = report.make_tables(self.folder.name, "a note")
        self.assertLessEqual({"run", "figure 3", "figure 3 run", "figure 4", "figure 5", "excess", "times", "oversteps",
                              "certificates", "certificate run"}, set(tables))
        for name in ("fig3.svg", "fig4.svg", "fig5.svg"):
            with open(self.path(name), encoding="utf-8") as file:
                text = file.read()
            self.assertGreater(len(ElementTree.fromstring(text)), 50)
            self.assertNotIn("nan", text)


class Tables(unittest.TestCase):
    def fits(self):
        info = {"figures": {"hand": {"size_mm": 100.0}},
                "methods": [{"name": "penalty_mm", "title": "p of x", "keeps_limits": False},
                            {"name": "bounds", "title": "b", "keeps_limits": True},
                            {"name": "truth", "title": "t", "keeps_limits": True}]}
        rows = [("penalty_mm", 0, 1.0, 5.0), ("bounds", 0, 4.0, 0.0), ("bounds", 0, 4.05, 0.0), ("bounds", 0, 7.0, 0.0),
                ("truth", 0, 4.02, 0.0), ("bounds", 1, 3.0, 0.0), ("bounds", 1, 3.0, 0.0), ("bounds", 1, 3.0, 0.0),
                ("truth", 1, 2.0, 0.0)]
        return report.Fits([{"case": "hand all noisy", "method": m, "pose": p, "cost_mm": c, "time_ms": 1.0,
                             "overstep_deg": o} for m, p, c, o in rows], info)

    def test_the_best_known_keeps_the_limits_and_counts_the_start_at_the_truth(self):
        self.assertEqual(self.fits().best("hand all noisy"), {0: 4.0, 1: 2.0})

    def test_success_is_of_runs_and_of_the_best_of_them(self):
        runs, poses = self.fits().success("hand all noisy", "bounds")
        self.assertAlmostEqual(runs, 2 / 6)
        self.assertAlmostEqual(poses, 1 / 2)

    def test_the_page_keeps_what_is_around_its_tables(self):
        page = report.with_tables(PAGE, {"figure 4": "new"})
        self.assertIn("<!-- figure 4 -->\n\nnew\n\n<!-- end -->", page)
        self.assertNotIn("old", page)
        self.assertTrue(page.endswith("after\n"))
        self.assertEqual(report.with_tables(page, {"figure 4": "new"}), page)
        with self.assertRaises(SystemExit):
            report.with_tables(PAGE, {"nothing": "x"})

    def test_lines_lose_the_inside_of_their_level_parts(self):
        points = [(0, 9), (1, 5), (2, 5), (3, 5), (4, 1), (5, 1), (6, 1)]
        self.assertEqual(report.without_flats(points), [(0, 9), (1, 5), (3, 5), (4, 1), (6, 1)])

    def test_quantiles_and_signed_axes(self):
        self.assertEqual(svg.quantile([3.0, 1.0, 2.0], 0.5), 2.0)
        self.assertEqual(svg.quantile([1.0, 2.0], 0.75), 1.75)
        axis = svg.SignedLogAxis(-3, 3, 0.0, 100.0)
        self.assertEqual(axis.place(0.0), 50.0)
        self.assertAlmostEqual(axis.place(1e3) + axis.place(-1e3), 100.0)
        self.assertGreater(axis.place(1.0), axis.place(0.1))


if __name__ == "__main__":
    unittest.main()

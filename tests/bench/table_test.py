# SPDX-License-Identifier: MIT
"""Tests table.py on small samples: requirements that are met, not met, and not measured."""
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stdout

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import table  # noqa: E402


def case(name, time=1000.0, **counters):
    return dict(name=name, run_type="iteration", real_time=time, cpu_time=2 * time, time_unit="ns", **counters)


def score(entrant, solved, median, distance=1.0):
    return dict(entrant=entrant, problems=10, solved=solved, median_us=median, p95_us=2 * median, distance=distance)


def task(name, *scores):
    return dict(task=name, title=name, coordinates=7, floor_us=0.5, scores=list(scores))


def row_of(text, cases=(), tasks=()):
    rows = table.make_rows(table.read_cases({"benchmarks": list(cases)}), {"results": list(tasks)})
    return next(r for r in rows if r["what"].startswith(text))


class Rows(unittest.TestCase):
    def test_nothing_measured_is_said_and_never_met(self):
        for row in table.make_rows({}, {}):
            self.assertEqual(row["met"], "not measured")
            self.assertIn("did not run", row["value"])

    def test_a_ratio_meets_must_and_ambition_at_their_bounds(self):
        for ratio, met in ((6.0, "ambition"), (6.1, "must"), (20.0, "must"), (20.1, "no")):
            drag = case("tree/drag frame/61/5", floor=2000.0, ratio=ratio)
            row = row_of("drag frame, 61", [drag])
            self.assertEqual(row["met"], met)
            self.assertEqual(row["floor"], "2 us")
            self.assertEqual(row["figure"], table.microseconds(2.0 * ratio))

    def test_the_worst_of_several_sizes_counts(self):
        cases = [case(f"tree/exact iteration/{s}", floor=100.0, ratio=r)
                 for s, r in (("7/1", 1.0), ("23/3", 1.5), ("75/6", 4.0), ("1000/6", 1.0))]
        self.assertEqual(row_of("tree", cases)["met"], "no")

    def test_one_size_that_did_not_run_leaves_the_row_unmeasured(self):
        self.assertEqual(row_of("tree", [case("tree/exact iteration/7/1", floor=1.0, ratio=1.0)])["met"],
                         "not measured")

    def test_a_case_that_failed_is_not_taken(self):
        failed = case("tree/drag frame/61/5", floor=1.0, ratio=1.0, error_occurred=True)
        self.assertEqual(row_of("drag frame, 61", [failed])["met"], "not measured")

    def test_the_slowest_fit_counts_and_all_frames_must_converge(self):
        for rate, solved, met in ((10000.0, 1.0, "ambition"), (1000.0, 1.0, "must"), (999.0, 1.0, "no"),
                                  (20000.0, 0.99, "no")):
            exact = case("fit/body frame/exact", floor=1000.0, rate=50000.0, success=1.0)
            noisy = case("fit/body frame/noise 10 mm", floor=1000.0, rate=rate, success=solved)
            row = row_of("fit of a body", [exact, noisy])
            self.assertEqual(row["met"], met)
            self.assertEqual(row["figure"], f"50,000/s, {rate:,.0f}/s")

    def test_few_iterations_without_convergence_are_not_enough(self):
        def cold(success):
            return [case(f"table/planar cold solve/{n}/manual_time", floor=1.0, iterations=3, success=success)
                    for n in table.LONG]
        self.assertEqual(row_of("cold", cold(1.0))["met"], "ambition")
        self.assertEqual(row_of("cold", cold(0.9))["met"], "no")

    def test_success_is_of_the_worst_size(self):
        def goals(last):
            return [case(f"planar/best-known minimum, newton/{n}/iterations:1", best_known=last if n == 100 else 1.0)
                    for n in (1, 2, 4, 10, 30, 100)]
        for part, met in ((1.0, "ambition"), (0.995, "must"), (0.98, "no")):
            self.assertEqual(row_of("random goals", goals(part))["met"], met)

    def test_cost_for_a_link_is_the_spread_over_the_sizes(self):
        cases = [case(f"table/planar exact iteration/{n}/manual_time", floor=10.0 * n, ratio=2.0 * f)
                 for n, f in zip(table.LONG, (1.2, 1.0, 1.0, 1.1))]
        row = row_of("cost for a link", cases)
        self.assertEqual((row["value"], row["met"]), ("1.2", "must"))

    def test_speed_without_success_is_not_met(self):
        peer = score(table.NLOPT, 1.0, 50.0)
        for solved, median, met in ((1.0, 10.0, "ambition"), (1.0, 50.0, "must"), (1.0, 51.0, "no"),
                                    (0.9995, 10.0, "must"), (0.99, 1.0, "no")):
            row = row_of("7-joint arm", tasks=[task("arm", peer, score("Limber newton", solved, median))])
            self.assertEqual(row["met"], met, (solved, median))

    def test_the_human_must_end_nearer_to_the_start(self):
        peer = score(table.NLOPT, 1.0, 50.0, distance=2.0)
        for distance, met in ((1.9, "ambition"), (2.1, "no")):
            row = row_of("human", tasks=[task("human", peer, score("Limber newton", 1.0, 5.0, distance))])
            self.assertEqual(row["met"], met)

    def test_without_the_peer_there_is_no_verdict(self):
        self.assertEqual(row_of("7-joint arm", tasks=[task("arm", score("Limber newton", 1.0, 1.0))])["met"],
                         "not measured")

    def test_the_batch_is_beside_the_single_solver(self):
        def cases(rate):
            return [case("table/arm one by one", rate=2e5, success=1.0, floor=100.0),
                    case("table/arm batch", rate=rate, success=1.0, floor=100.0)]
        for rate, met in ((7e5, "no"), (8e5, "must"), (1e6, "ambition")):
            self.assertEqual(row_of("batch", cases(rate))["met"], met)


class Peers(unittest.TestCase):
    def test_the_best_solver_solves_most_and_then_is_fastest(self):
        best = table.best_limber(task("t", score("Limber a", 0.5, 1.0), score("Limber b", 1.0, 9.0),
                                      score("Limber c", 1.0, 8.0), score("Peer", 1.0, 1.0)))
        self.assertEqual(best["entrant"], "Limber c")

    def test_it_is_said_where_a_peer_wins(self):
        own = score("Limber a", 0.9, 10.0)
        wins = table.wins_of_peers({"results": [task("t", own, score("Surer", 1.0, 99.0), score("Faster", 0.9, 9.0),
                                                     score("Slower", 0.9, 11.0), score("Rash", 0.5, 1.0))]})
        self.assertEqual([w.split()[1] for w in wins], ["Surer", "Faster"])


class Files(unittest.TestCase):
    def test_both_tables_are_written(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("b.json", "p.json")]
            peers = {"missing": ["Ceres (libceres-dev)"], "results": [task("drag", score("Limber newton", 1.0, 20.0))]}
            for path, content in zip(paths, ({"benchmarks": [case("a/b")]}, peers)):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(content, file)
            with redirect_stdout(io.StringIO()):
                table.main([*paths, folder, "--note", "a note"])
            with open(os.path.join(folder, "benchmark.md"), encoding="utf-8") as file:
                text = file.read()
            with open(os.path.join(folder, "benchmark.json"), encoding="utf-8") as file:
                data = json.load(file)
        self.assertIn("a note", text)
        self.assertIn("| Limber newton | 100 % | 20 us | 40 us | 40 | 1 |", text)
        self.assertIn("Not installed: Ceres", text)
        self.assertEqual(len(data["rows"]), len(table.ROWS))


class Page(unittest.TestCase):
    def test_the_run_replaces_the_last_one_and_nothing_else(self):
        page = table.with_run("# P\n\n## How\n\ntext\n\n## A run\n\nold\n", "# Benchmark\n\nnew\n\n## arm\n")
        self.assertEqual(page, "# P\n\n## How\n\ntext\n\n## A run\n\nnew\n\n### arm\n")

    def test_a_page_without_the_heading_is_left_alone(self):
        with self.assertRaises(SystemExit):
            table.with_run("# P\n", "new")


class Script(unittest.TestCase):
    def bench(self, *arguments):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "bench")
        return subprocess.run([script, *arguments], capture_output=True, text=True, check=False)

    def test_a_debug_build_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "CMakeCache.txt"), "w", encoding="utf-8") as file:
                file.write("CMAKE_BUILD_TYPE:STRING=Debug\n")
            run = self.bench("--build", folder)
        self.assertEqual(run.returncode, 1)
        self.assertIn("Debug build", run.stderr)

    def test_an_unknown_option_gets_the_usage(self):
        run = self.bench("--speed")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--quick", run.stderr)


if __name__ == "__main__":
    unittest.main()

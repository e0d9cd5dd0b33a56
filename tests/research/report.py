#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""report.py FOLDER [--note TEXT] [--page PAGE.md --pictures FOLDER]

Makes plots and tables of the results of limber_experiments in FOLDER: fig3.svg, fig4.svg, fig5.svg, report.md.

In PAGE, each table is put between its marks, <!-- NAME --> and <!-- end -->, and the pictures are copied into their
folder. Tables that were not measured stay unchanged.
"""
import argparse
import csv
import json
import os
import shutil

import svg
from svg import quantile

EXACT = 1e-3           # of L: a clean problem is solved below this cost, a noisy one within this of the best
COLORS = {"penalty_mm": "#CC79A7", "penalty_m": "#8C5E8C", "bounds": "#D55E00", "lm": "#E69F00", "neutral": "#7A7A7A",
          "sdp_ik": "#0072B2", "global": "#009E73", "truth": "#555555"}
SHORT = {"penalty_mm": "trust region, penalty mm²", "penalty_m": "trust region, penalty m²",
         "bounds": "trust region, limits kept", "lm": "LM, laid on, limits kept", "neutral": "LM from rest, laid on",
         "sdp_ik": "SDP-IK", "global": "pipeline global"}
LOCAL_TITLES = {"gdls": "gradient descent", "trust-region": "trust region", "cg": "conjugate gradient",
                "lbfgs": "L-BFGS"}
LOCAL_COLORS = {"gdls": "#7A7A7A", "trust-region": "#D55E00", "cg": "#009E73", "lbfgs": "#0072B2"}
LIMIT_TITLES = {"penalty_mm": "penalty of 100 mm²/rad²", "penalty_m": "penalty of 100 m²/rad²",
                "kept": "within the limits"}
LOCAL_AXES = {"time_s": ("processor time, s", -5, 2), "iterations": ("iterations", 0, 6)}
DEFAULT_CAP = 1000     # iterations: Manopt's default, which is not applied here
TEXT_COLUMNS = ("case", "method", "limits", "axis", "end")
ROWS = (("fig6_observed.png", "observed"), ("fig6_local.png", "trust region, penalty mm², one random start"),
        ("fig6_projected.png", "relaxation, projected"), ("fig6_sdp_ik.png", "SDP-IK"))


# ---- what was measured -----------------------------------------------------------------------------------------------

def read_table(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for key, value in row.items():
            if key not in TEXT_COLUMNS:
                row[key] = float(value)
    return rows


class Fits:
    """Trials by case and method, each a list of (pose, cost, time, overstep)."""

    def __init__(self, trials, info):
        self.info = info
        self.trials = {}
        for t in trials:
            of_case = self.trials.setdefault(t["case"], {})
            of_case.setdefault(t["method"], []).append((int(t["pose"]), t["cost_mm"], t["time_ms"], t["overstep_deg"]))

    def cases(self, kind):
        return [c for c in self.trials if c.endswith(kind)]

    def methods(self, case, but=("truth",)):
        return [m["name"] for m in self.info["methods"] if m["name"] in self.trials[case] and m["name"] not in but]

    def title(self, method):
        return next(m["title"] for m in self.info["methods"] if m["name"] == method)

    def keeps_limits(self, method):
        return next(m["keeps_limits"] for m in self.info["methods"] if m["name"] == method)

    def exact(self, case):
        """The cost below which a fit counts as exact, millimetres."""
        return EXACT * self.info["figures"][case.split()[0]]["size_mm"]

    def least(self, case, methods):
        """The lowest cost of each pose by these methods."""
        least = {}
        for method in methods:
            for pose, cost, _, _ in self.trials[case].get(method, []):
                least[pose] = min(cost, least.get(pose, cost))
        return least

    def best(self, case):
        """The lowest costs of all methods that keep the limits, including the start at the observed pose."""
        return self.least(case, [m for m in self.methods(case, but=()) if self.keeps_limits(m)])

    def bar(self, case):
        """The cost up to which each pose counts as solved."""
        exact = self.exact(case)
        return {pose: exact + (0.0 if case.endswith("clean") else best) for pose, best in self.best(case).items()}

    def success(self, case, method):
        """The fractions of runs that are solved, and of poses whose best run is solved."""
        bar = self.bar(case)
        runs = [cost <= bar[pose] for pose, cost, _, _ in self.trials[case][method]]
        poses = [cost <= bar[pose] for pose, cost in self.least(case, [method]).items()]
        return sum(runs) / len(runs), sum(poses) / len(poses)

    def costs_above(self, case, method, least):
        return [cost - least[pose] for pose, cost, _, _ in self.trials[case][method]]

    def runs_a_pose(self, case, method):
        return len(self.trials[case][method]) // len(self.best(case))


# ---- numbers as text -------------------------------------------------------------------------------------------------

def number(value):
    """Three digits; 0 below 1e-9, where costs are rounding errors."""
    if abs(value) < 1e-9:
        return "0"
    if abs(value) < 1e-3 or abs(value) >= 1e5:
        return f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def percent(part):
    text = f"{100 * part:.1f}"
    return text[:-2] if text.endswith(".0") else text


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


# ---- tables ----------------------------------------------------------------------------------------------------------

def local_table(runs, curves):
    at_cap = {}
    for c in curves:
        if c["axis"] == "iterations" and c["at"] == DEFAULT_CAP:
            at_cap.setdefault((c["limits"], c["method"]), []).append(c["cost_mm"])
    rows = []
    for limits, treated in LIMIT_TITLES.items():
        for method, title in LOCAL_TITLES.items():
            found = [r for r in runs if r["limits"] == limits and r["method"] == method]
            if not found:
                continue
            costs, times = [r["cost_mm"] for r in found], [1e3 * r["time_s"] for r in found]
            oversteps = [r["overstep_deg"] for r in found]
            ends = [sum(r["end"] == end for r in found) for end in ("flat", "stalled", "capped")]
            rows.append([treated, title, " / ".join(number(quantile(costs, p)) for p in (0.25, 0.5, 0.75, 1.0)),
                         percent(sum(c < 0.1 for c in costs) / len(costs)),
                         f"{percent(sum(o > 0.1 for o in oversteps) / len(oversteps))} / {number(max(oversteps))}",
                         " / ".join(number(quantile(times, p)) for p in (0.5, 1.0)),
                         f"{quantile([r['iterations'] for r in found], 0.5):.0f}",
                         number(quantile(at_cap[limits, method], 0.5)),
                         " / ".join(str(count) for count in ends)])
    return table(["limits", "method", "final cost, mm: 25 % / median / 75 % / worst", "exact, %",
                  "outside by 0.1° or more, % / farthest, degrees", "ms: median / longest", "iterations, median",
                  f"cost after {DEFAULT_CAP} of them, mm: median", "runs ended flat / stalled / by 30 s"], rows)


def success_table(fits, kind):
    cases = fits.cases(kind)
    methods = [m for m in fits.methods(cases[0]) if kind == "clean" or fits.keeps_limits(m)]
    rows = []
    for method in methods:
        row = [fits.title(method)]
        for case in cases:
            each, best = fits.success(case, method)
            several = fits.runs_a_pose(case, method) > 1
            row.append(f"{percent(each)} / {percent(best)}" if several else percent(each))
        rows.append(row)
    return table(["% solved"] + [c[:-len(kind) - 1] for c in cases], rows)


def excess_table(fits):
    cases = fits.cases("noisy")
    rows = []
    for method in fits.methods(cases[0]):
        if not fits.keeps_limits(method):
            continue
        row = [fits.title(method)]
        for case in cases:
            least, best = fits.least(case, [method]), fits.best(case)
            above = [least[pose] - best[pose] for pose in best]
            row.append(" / ".join(number(quantile(above, p)) for p in (0.5, 0.95, 1.0)))
        rows.append(row)
    return table(["mm above the best known: median / 95 % / worst"] + [c[:-6] for c in cases], rows)


def time_table(fits):
    methods = fits.methods(next(iter(fits.trials)))
    rows = []
    for case, trials in fits.trials.items():
        row = [case]
        for method in methods:
            times = [time for _, _, time, _ in trials[method]]
            row.append(f"{number(quantile(times, 0.5))} / {number(quantile(times, 0.95))}")
        rows.append(row)
    return table(["ms a run: median / 95 %"] + [SHORT[m] for m in methods], rows)


def overstep_table(fits):
    rows = []
    for case in fits.trials:
        best = fits.best(case)
        for method in fits.methods(case):
            if fits.keeps_limits(method):
                continue
            trials = fits.trials[case][method]
            oversteps = [overstep for _, _, _, overstep in trials]
            least = fits.least(case, [method])
            below = [best[pose] - least[pose] for pose in best]
            gain = f"{number(quantile(below, 0.5))} / {number(max(below))}" if case.endswith("noisy") else ""
            rows.append([case, fits.title(method).split("of ")[1],
                         percent(sum(o > 0.1 for o in oversteps) / len(oversteps)),
                         " / ".join(number(quantile(oversteps, p)) for p in (0.5, 0.95, 1.0)),
                         gain])
    return table(["case", "penalty", "% of runs that end outside by 0.1° or more",
                  "largest overstep of a run, degrees: median / 95 % / worst",
                  "best of its runs, mm below the best known within the limits: median / most"], rows)


def certificate_table(certificates):
    rows = []
    for case in dict.fromkeys(c["case"] for c in certificates):
        of_case = [c for c in certificates if c["case"] == case]
        gaps, times = [c["cost_mm"] - c["bound_mm"] for c in of_case], [c["time_ms"] for c in of_case]
        rows.append([case, percent(sum(c["certified"] for c in of_case) / len(of_case)),
                     " / ".join(number(quantile([c["cost_mm"] for c in of_case], p)) for p in (0.5, 1.0)),
                     " / ".join(number(quantile(gaps, p)) for p in (0.5, 0.95, 1.0)),
                     f"{number(quantile(times, 0.5))} / {number(quantile(times, 0.95))}"])
    return table(["case", "certified to 1 %, % of poses", "cost, mm: median / worst",
                  "at most so much better is possible, mm: median / 95 % / worst", "ms: median / 95 %"], rows)


# ---- plots -----------------------------------------------------------------------------------------------------------

def without_flats(points):
    """A line without the inner points of its level parts, which would only make the file longer."""
    inner = [p for before, p, after in zip(points, points[1:], points[2:])
             if abs(p[1] - before[1]) > 0.05 or abs(p[1] - after[1]) > 0.05]
    return points[:1] + inner + points[-1:]


def draw_curve_panel(drawing, curves, across, down, title, label):
    """The median cost of each method, with quartiles as a band."""
    for place, tick in across.ticks():
        drawing.line(place, down.start, place, down.end, svg.FAINT)
        drawing.text(place, down.start + 15, tick, "middle", 10)
    for place, tick in down.ticks(2):
        drawing.line(across.start, place, across.end, place, svg.FAINT)
        drawing.text(across.start - 6, place + 3, tick, "end", 10)
    drawing.text(across.start, down.end - 9, title, weight="bold")
    drawing.text(across.end, down.start + 30, label, "end", 10)
    for method, color in LOCAL_COLORS.items():
        at = {}
        for c in curves:
            if c["method"] == method:
                at.setdefault(c["at"], []).append(c["cost_mm"])
        line = {p: [(across.place(x), down.place(quantile(at[x], p))) for x in sorted(at)] for p in (0.25, 0.5, 0.75)}
        drawing.path(without_flats(line[0.25]) + without_flats(line[0.75])[::-1], "none", 0, color, 0.13)
        drawing.path(without_flats(line[0.5]), color)


def draw_curves(curves, path):
    """Figure 3: a row of panels for each treatment of the limits, over time and over iterations."""
    height = 250
    drawing = svg.Drawing(980, height * len(LIMIT_TITLES) + 40)
    drawing.text(60, 24, "cost (15), mm")
    for i, (method, title) in enumerate(LOCAL_TITLES.items()):
        drawing.line(300 + 160 * i, 20, 320 + 160 * i, 20, LOCAL_COLORS[method], 3)
        drawing.text(326 + 160 * i, 24, title)
    for row, (limits, title) in enumerate(LIMIT_TITLES.items()):
        for column, (axis, (label, low, high)) in enumerate(LOCAL_AXES.items()):
            left, top = 60 + 470 * column, 66 + height * row
            panel = [c for c in curves if c["limits"] == limits and c["axis"] == axis]
            draw_curve_panel(drawing, panel, svg.LogAxis(low, high, left, left + 430),
                             svg.LogAxis(-6, 2, top + height - 66, top), title, label)
    drawing.write(path)


def draw_panels(fits, kind, lines, make_axis, title, path):
    """A row of panels for each set of poses, one for each set of points. lines(case) gives (label, values, colour)."""
    cases = fits.cases(kind)
    sets = list(dict.fromkeys(c.rsplit(" ", 2)[0] for c in cases))
    count = max(len(lines(case)) for case in cases)
    height = svg.LINE_HEIGHT * count + 76
    drawing = svg.Drawing(980, height * len(sets) + 10)
    for row, name in enumerate(sets):
        top = row * height + 36
        for column, points in enumerate(("all", "ends")):
            case = f"{name} {points} {kind}"
            if case not in fits.trials:
                continue
            left = 200 + 400 * column
            of_case = lines(case)
            seen = "all points" if points == "all" else "ends and root"
            drawing.text(left, top - 12, f"{name}, {seen}", weight="bold")
            svg.draw_boxes(drawing, make_axis(left, left + 350), top, [(v, c) for _, v, c in of_case], 2)
            if column == 0:
                for i, (label, _, color) in enumerate(of_case):
                    drawing.text(188, top + svg.LINE_HEIGHT * (i + 0.5) + 4, label, "end", 11, color=color)
        drawing.text(550, top + svg.LINE_HEIGHT * count + 28, title, "end", 10)
        drawing.text(950, top + svg.LINE_HEIGHT * count + 28, title, "end", 10)
    drawing.write(path)


def draw_clean(fits, path):
    def lines(case):
        return [(SHORT[m], [cost for _, cost, _, _ in fits.trials[case][m]], COLORS[m]) for m in fits.methods(case)]
    draw_panels(fits, "clean", lines, lambda a, b: svg.LogAxis(-8, 4, a, b), "cost (15), mm", path)


def draw_noisy(fits, path):
    """The cost of each method minus the lowest cost of the local runs with which it is compared."""
    def lines(case):
        made = []
        for base in ("penalty_mm", "penalty_m", "bounds"):
            least = fits.least(case, [base])
            beside = ["sdp_ik"] if base != "bounds" else [m for m in fits.methods(case) if m in SHORT and
                                                          m not in ("penalty_mm", "penalty_m", "bounds")]
            for method in [base] + beside:
                label = SHORT[method] if method == base or base == "bounds" else "SDP-IK, beside it"
                made.append((label, fits.costs_above(case, method, least), COLORS[method]))
        return made
    draw_panels(fits, "noisy", lines, lambda a, b: svg.SignedLogAxis(-3, 3, a, b),
                "cost (15) less the least of the local runs, mm", path)


# ---- all of it -------------------------------------------------------------------------------------------------------

def make_tables(folder, note):
    with open(os.path.join(folder, "experiments.json"), encoding="utf-8") as file:
        info = json.load(file)
    tables = {}
    runs, curves = read_table(folder, "local.csv"), read_table(folder, "curves.csv")
    if runs:
        tables["figure 3"] = local_table(runs, curves)
        tables["figure 3 run"] = note
        draw_curves(curves, os.path.join(folder, "fig3.svg"))
    fits = Fits(read_table(folder, "fits.csv"), info)
    if fits.cases("clean"):
        tables["figure 4"] = success_table(fits, "clean")
        draw_clean(fits, os.path.join(folder, "fig4.svg"))
    if fits.cases("noisy"):
        tables["figure 5"] = success_table(fits, "noisy")
        tables["excess"] = excess_table(fits)
        draw_noisy(fits, os.path.join(folder, "fig5.svg"))
    if fits.trials:
        tables["run"] = note
        tables["times"] = time_table(fits)
        tables["oversteps"] = overstep_table(fits)
    certificates = read_table(folder, "certificates.csv")
    if certificates:
        tables["certificates"] = certificate_table(certificates)
        tables["certificate run"] = note
    return tables


def with_tables(page, tables):
    """The page with each table between its marks."""
    for name, text in tables.items():
        mark, end = f"<!-- {name} -->\n", "<!-- end -->"
        if mark not in page:
            raise SystemExit(f"the page has no mark {mark.strip()}")
        start = page.index(mark) + len(mark)
        page = page[:start] + "\n" + text + "\n\n" + page[page.index(end, start):]
    return page


def copy_pictures(folder, pictures):
    os.makedirs(pictures, exist_ok=True)
    for name in ["fig3.svg", "fig4.svg", "fig5.svg"] + [name for name, _ in ROWS]:
        if os.path.exists(os.path.join(folder, name)):
            shutil.copyfile(os.path.join(folder, name), os.path.join(pictures, name))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--note", default="")
    parser.add_argument("--page")
    parser.add_argument("--pictures")
    options = parser.parse_args()
    tables = make_tables(options.folder, options.note)
    with open(os.path.join(options.folder, "report.md"), "w", encoding="utf-8") as file:
        file.write("\n\n".join(f"## {name}\n\n{text}" for name, text in tables.items()) + "\n")
    if options.page:
        with open(options.page, encoding="utf-8") as file:
            page = file.read()
        with open(options.page, "w", encoding="utf-8") as file:
            file.write(with_tables(page, tables))
    if options.pictures:
        copy_pictures(options.folder, options.pictures)


if __name__ == "__main__":
    main()

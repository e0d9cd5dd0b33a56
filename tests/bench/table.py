#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""table.py BENCHMARKS.json PEERS.json OUT_FOLDER [--note TEXT] [--page PAGE.md]

Makes the tables of scripts/bench, benchmark.md and benchmark.json, from the measurements of limber_benchmarks (Google
Benchmark's JSON) and limber_peers.

In PAGE, the tables replace everything below the heading "A run".

A row of the first table has a measurement, its lower bound from the same run, and the required value. If a row has
several sizes, the worst of them counts. A row whose case did not run says so.
"""
import argparse
import json
import os
import re
import sys


class Missing(Exception):
    """A measurement that a row needs is missing."""


# ---- what was measured -----------------------------------------------------------------------------------------------

NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def read_cases(benchmarks):
    """Google Benchmark's cases by name, without its suffixes; cases that failed are left out."""
    cases = {}
    for case in benchmarks.get("benchmarks", []):
        if case.get("error_occurred") or case.get("run_type", "iteration") != "iteration":
            continue
        name = re.sub(r"(/iterations:\d+)?(/manual_time|/real_time)?$", "", case["name"])
        time = case["real_time"] if case["name"].endswith("_time") else case["cpu_time"]
        cases[name] = dict(case, ns=time * NANOSECONDS[case.get("time_unit", "ns")])
    return cases


def counter(cases, name, key):
    if name not in cases or key not in cases[name]:
        raise Missing(f"`{name}` did not run")
    return cases[name][key]


def task_of(peers, name):
    for result in peers.get("results", []):
        if result["task"] == name:
            return result
    raise Missing(f"the peers' task `{name}` did not run")


def score_of(task, entrant):
    for score in task["scores"]:
        if score["entrant"] == entrant:
            return score
    raise Missing(f"{entrant} did not run")


def best_limber(task):
    """The solver of Limber that solves most problems; of equal ones the fastest."""
    own = [s for s in task["scores"] if s["entrant"].startswith("Limber")]
    if not own:
        raise Missing("no solver of Limber ran")
    return min(own, key=lambda s: (-s["solved"], s["median_us"]))


# ---- how figures read ------------------------------------------------------------------------------------------------

def number(value):
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value == 0.0 or abs(value) >= 0.01 else f"{value:.2g}"


def microseconds(value):
    return f"{number(value)} us" if value < 1e4 else f"{number(1e-3 * value)} ms"


def percent(part):
    return f"{100 * part:.4g} %"


# ---- the rows --------------------------------------------------------------------------------------------------------

def row(what, must, ambition, figure, floor, value, meets_must, meets_ambition):
    met = "ambition" if meets_ambition and meets_must else "must" if meets_must else "no"
    return {"what": what, "floor": floor, "figure": figure, "value": value, "must": must, "ambition": ambition,
            "met": met}


def ratios(what, names, must, ambition):
    """The worst ratio of several cases, each to its own lower bound."""
    def make(cases, peers):
        values = [counter(cases, name, "ratio") for name in names]
        floors = [1e-3 * counter(cases, name, "floor") for name in names]
        worst = max(values)
        return row(what, number(must), number(ambition),
                   ", ".join(microseconds(v * f) for v, f in zip(values, floors)),
                   ", ".join(microseconds(f) for f in floors), ", ".join(number(v) for v in values),
                   worst <= must, worst <= ambition)
    return what, must, ambition, make


def iterations(what, names, must, ambition):
    def make(cases, peers):
        values = [counter(cases, name, "iterations") for name in names]
        solved = min(counter(cases, name, "success") for name in names)
        floors = [1e-3 * counter(cases, name, "floor") for name in names]
        times = [1e-3 * cases[name]["ns"] for name in names]
        good = solved == 1.0
        return row(what, f"{must}", f"{ambition}", ", ".join(microseconds(t) for t in times),
                   ", ".join(microseconds(f) for f in floors),
                   ", ".join(number(v) for v in values) + ("" if good else f" ({percent(solved)} converged)"),
                   good and max(values) <= must, good and max(values) <= ambition)
    return what, must, ambition, make


def successes(what, names, must, ambition):
    def make(cases, peers):
        values = [counter(cases, name, "best_known") for name in names]
        return row(what, percent(must), percent(ambition), "", "", ", ".join(percent(v) for v in values), min(values) >= must, min(values) >= ambition)
    return what, percent(must), percent(ambition), make


def spread(what, names, must, ambition):
    """The largest time per iteration and link, divided by the smallest."""
    def make(cases, peers):
        costs = []
        for name in names:
            each = counter(cases, name, "ratio") * counter(cases, name, "floor")
            costs.append(each / int(name.rsplit("/", 1)[1]))
        value = max(costs) / min(costs)
        return row(what, number(must), number(ambition), ", ".join(f"{number(c)} ns" for c in costs), "", number(value),
                   value <= must, value <= ambition)
    return what, must, ambition, make


def against_peer(what, task_name, peer, must_solved, must, ambition, must_text, ambition_text, nearer=False):
    """Limber's best solver compared with a peer: fraction solved, ratio of median times, distance from the start."""
    def make(cases, peers):
        task = task_of(peers, task_name)
        own, other = best_limber(task), score_of(task, peer)
        ratio = own["median_us"] / other["median_us"]
        good = own["solved"] >= must_solved and ratio <= must
        text = f"{percent(own['solved'])}, {number(ratio)} of the time of {peer}"
        if nearer:
            good = good and own["distance"] < other["distance"]
            text += f", {number(own['distance'])} from the start beside {number(other['distance'])}"
        return row(what, must_text, ambition_text, f"{microseconds(own['median_us'])} ({own['entrant']})",
                   microseconds(task["floor_us"]), text, good, own["solved"] == 1.0 and ratio <= ambition)
    return what, must_text, ambition_text, make


def batch(what, single, name):
    """Problems per second on one core, and the rate of the single solver on the same problems."""
    def make(cases, peers):
        rate = counter(cases, name, "rate")
        solved = counter(cases, name, "success")
        ratio = rate / counter(cases, single, "rate")
        return row(what, "4 x the single solver's rate", "1,000,000/s", f"{rate:,.0f}/s, {percent(solved)}",
                   f"{1e-3 * counter(cases, name, 'floor'):.3g} us", f"{number(ratio)} x", ratio >= 4.0, rate >= 1e6)
    return what, "4 x the single solver's rate", "1,000,000/s", make


def frames(what, names, must, ambition):
    """Frames per second on one core; the slowest case counts. All of them must converge."""
    def make(cases, peers):
        rates = [counter(cases, name, "rate") for name in names]
        solved = min(counter(cases, name, "success") for name in names)
        floors = [1e-3 * counter(cases, name, "floor") for name in names]
        good = solved == 1.0
        return row(what, f"{must:,}/s", f"{ambition:,}/s", ", ".join(f"{rate:,.0f}/s" for rate in rates),
                   ", ".join(microseconds(f) for f in floors),
                   ", ".join(number(1e6 / rate / f) for rate, f in zip(rates, floors)) +
                   ("" if good else f" ({percent(solved)} converged)"),
                   good and min(rates) >= must, good and min(rates) >= ambition)
    return what, f"{must:,}/s", f"{ambition:,}/s", make


def sizes(name, values):
    return [f"{name}/{value}" for value in values]


NLOPT = "NLopt L-BFGS, random restarts"
LONG = (10, 100, 1000, 10000)

ROWS = [
    ratios("planar exact iteration / forward kinematics pass, n = 1,000",
           sizes("table/planar exact iteration", [1000]), 5, 2),
    ratios("planar drag frame to convergence, n = 1,000 / forward kinematics pass",
           sizes("table/planar drag frame", [1000]), 30, 6),
    iterations("cold from the arc: median iterations, n = 10, 100, 1,000, 10,000",
               sizes("table/planar cold solve", LONG), 15, 5),
    successes("random goals in the disc, n = 1, 2, 4, 10, 30, 100, at the best-known minimum",
              sizes("planar/best-known minimum, newton", (1, 2, 4, 10, 30, 100)), 0.99, 1.0),
    ratios("tree: exact iteration / (kinematics + gradient), 7, 23, 75, 1,000 degrees of freedom",
           sizes("tree/exact iteration", ("7/1", "23/3", "75/6", "1000/6")), 3.5, 2),
    ratios("drag frame, 61 degrees of freedom, 5 targets / (kinematics + Jacobian pass)",
           sizes("tree/drag frame", ["61/5"]), 20, 6),
    against_peer("7-joint arm, full pose to 1e-5, limits, random start", "arm", NLOPT, 0.999, 1.0, 0.25,
                 "99.9 %, as fast as NLopt L-BFGS with restarts", "100 %, a quarter of its time"),
    against_peer("human, 70 degrees of freedom, mixed goals, from rest", "human", NLOPT, 1.0, 1.0, 0.2,
                 "100 %, its time, nearer to the start pose", "a fifth", nearer=True),
    batch("batch, 7-joint arm, full pose to 0.1 mm, one core", "table/arm one by one", "table/arm batch"),
    frames("fit of a body, 54 degrees of freedom, to its 29 key points, warm: exact, 10 mm of noise",
           sizes("fit/body frame", ("exact", "noise 10 mm")), 1000, 10000),
    spread("cost for a link of an exact iteration, n = 10, 100, 1,000, 10,000: largest / smallest",
           sizes("table/planar exact iteration", LONG), 1.3, 1.1),
]


def make_rows(cases, peers):
    made = []
    for what, must, ambition, make in ROWS:
        try:
            made.append(make(cases, peers))
        except Missing as missing:
            made.append({"what": what, "floor": "", "figure": "", "value": str(missing), "must": str(must),
                         "ambition": str(ambition), "met": "not measured"})
    return made


# ---- where a peer wins -----------------------------------------------------------------------------------------------

def wins_of_peers(peers):
    """All peers that solve more than Limber's best solver, or as many in less time."""
    sentences = []
    for task in peers.get("results", []):
        try:
            own = best_limber(task)
        except Missing:
            continue
        for score in task["scores"]:
            if score["entrant"].startswith("Limber"):
                continue
            if score["solved"] > own["solved"]:
                sentences.append(f"{task['title']}: {score['entrant']} solves {percent(score['solved'])}, "
                                 f"{own['entrant']} {percent(own['solved'])}.")
            elif score["solved"] == own["solved"] and score["median_us"] < own["median_us"]:
                sentences.append(f"{task['title']}: {score['entrant']} takes {microseconds(score['median_us'])}, "
                                 f"{own['entrant']} {microseconds(own['median_us'])}.")
    return sentences


# ---- writing ---------------------------------------------------------------------------------------------------------

def markdown_table(head, lines):
    text = "| " + " | ".join(head) + " |\n|" + " --- |" * len(head) + "\n"
    return text + "".join("| " + " | ".join(line) + " |\n" for line in lines)


def markdown(rows, peers, wins, note):
    text = f"# Benchmark\n\n{note}\n\n" if note else "# Benchmark\n\n"
    text += markdown_table(["what", "floor", "figure", "ratio or count", "must", "ambition", "met"],
                           [[r[k] for k in ("what", "floor", "figure", "value", "must", "ambition", "met")] for r in rows])
    for task in peers.get("results", []):
        text += (f"\n## {task['title']}\n\n{task['coordinates']} coordinates, {task['scores'][0]['problems']} problems; "
                 f"forward kinematics and twists: {microseconds(task['floor_us'])}.\n\n")
        lines = [[s["entrant"], percent(s["solved"]), microseconds(s["median_us"]), microseconds(s["p95_us"]),
                  number(s["median_us"] / task["floor_us"]), number(s["distance"]) if s["solved"] else ""]
                 for s in sorted(task["scores"], key=lambda s: (-s["solved"], s["median_us"]))]
        text += markdown_table(["solver", "solved", "median", "p95", "median / floor", "distance"], lines)
    text += "\n## Where a peer wins\n\n"
    text += "".join(f"- {sentence}\n" for sentence in wins) if wins else "Nowhere in this run.\n"
    if peers.get("missing"):
        text += "\nNot installed: " + ", ".join(peers["missing"]) + ".\n"
    return text


RUN = "## A run\n"


def with_run(page, text):
    """The page with the tables of this run below its heading, one heading level deeper."""
    if RUN not in page:
        raise SystemExit('the page has no heading "A run"')
    body = "".join("#" + line if line.startswith("##") else line
                   for line in text.splitlines(keepends=True) if not line.startswith("# "))
    return page[:page.index(RUN)] + RUN + body


def main(arguments):
    parser = argparse.ArgumentParser(description="tables of what limber_benchmarks and limber_peers measured")
    parser.add_argument("benchmarks")
    parser.add_argument("peers")
    parser.add_argument("out")
    parser.add_argument("--note", default="")
    parser.add_argument("--page")
    options = parser.parse_args(arguments)
    with open(options.benchmarks, encoding="utf-8") as file:
        benchmarks = json.load(file)
    with open(options.peers, encoding="utf-8") as file:
        peers = json.load(file)
    cases = read_cases(benchmarks)
    rows, wins = make_rows(cases, peers), wins_of_peers(peers)
    text = markdown(rows, peers, wins, options.note)
    with open(os.path.join(options.out, "benchmark.md"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(options.out, "benchmark.json"), "w", encoding="utf-8") as file:
        json.dump({"note": options.note, "rows": rows, "peers": peers, "wins_of_peers": wins,
                   "machine": benchmarks.get("context", {}), "cases": cases}, file, indent=1)
    if options.page:
        with open(options.page, encoding="utf-8") as file:
            page = file.read()
        with open(options.page, "w", encoding="utf-8") as file:
            file.write(with_run(page, text))
    print(text, end="")


if __name__ == "__main__":
    main(sys.argv[1:])

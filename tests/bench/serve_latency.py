# SPDX-License-Identifier: MIT
"""Measures how long `limber serve` takes to answer over a pipe: the humanoid with four goals; those of the hands move.

Usage: serve_latency.py LIMBER [ANSWERS]

Prints the median and the 95th percentile of the time from the write of a line to the read of its answer, in
milliseconds, and of the solve within it. The times to prepare the request and to parse the answer do not count.
"""
import json
import math
import statistics
import subprocess
import sys
import time

ENDS = {"left hand": ("left_palm", [0.3, 0.95, 0.26]), "right hand": ("right_palm", [-0.3, 0.95, 0.26]),
        "left foot": ("left_heel", [0.09, 0.0, -0.05]), "right foot": ("right_heel", [-0.09, 0.0, -0.05])}


def request(step):
    angle = 0.02 * step
    moved = {"left hand": [0.3 + 0.1 * math.sin(angle), 0.95 + 0.1 * math.cos(angle), 0.26],
             "right hand": [-0.3 + 0.1 * math.sin(angle), 0.95 + 0.1 * math.sin(angle), 0.26]}
    goals = {name: {"target": moved.get(name, target)} for name, (_, target) in ENDS.items()}
    return {"id": step, "solve": "body", "goals": goals}


def said(name, milliseconds):
    cuts = statistics.quantiles(milliseconds, n=20)
    print(f"{name}: median {statistics.median(milliseconds):.3f} ms, 95 % under {cuts[-1]:.3f} ms")


def main(limber, count):
    server = subprocess.Popen([limber, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(line):
        server.stdin.write(line)
        server.stdin.flush()
        return server.stdout.readline()

    goals = [{"name": name, "site": site, "target": target} for name, (site, target) in ENDS.items()]
    ask(json.dumps({"open": "body", "figure": "humanoid", "goals": goals}).encode() + b"\n")
    whole, solves, reached = [], [], 0
    for step in range(count):
        line = json.dumps(request(step)).encode() + b"\n"
        begin = time.perf_counter()
        answer = ask(line)
        whole.append(1e3 * (time.perf_counter() - begin))
        answer = json.loads(answer)
        solves.append(1e-3 * answer["time_us"])
        reached += answer["outcome"] == "reached"
    server.communicate()
    said(f"{count} answers, {reached} reached", whole)
    said("solves", solves)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5000)

# SPDX-License-Identifier: MIT
"""Tables and plots of the drags that `limber_experiments natural-drags` has made (docs/natural_posing.md).

    natural_drags.py drags.csv [--plots FOLDER]
"""
import argparse
import csv
import os

from svg import FAINT, INK, Drawing

POSINGS = ("even", "natural", "still")
COLORS = {"even": "#b5651d", "natural": "#2a6fbb", "still": "#7a7a7a"}


def numbers(rows, column):
    return sorted(float(row[column]) for row in rows)


def mean(values):
    return sum(values) / len(values)


def percentile(values, share):
    return values[min(len(values) - 1, int(share * len(values)))]


def spread(values):
    return f"{mean(values):.3g} / {percentile(values, 0.95):.3g} / {values[-1]:.3g}"


def of(rows, what, posing):
    return [row for row in rows if row["what"] == what and row["posing"] == posing]


def tabulate(rows):
    print("| mean / 95th percentile / largest | " + " | ".join(POSINGS) + " |")
    print("| --- " * (len(POSINGS) + 1) + "|")

    def line(title, cells):
        print(f"| {title} | " + " | ".join(cells) + " |")

    def each(title, what, column, keep=lambda row: True, show=spread):
        cells = []
        for posing in POSINGS:
            values = numbers([row for row in of(rows, what, posing) if keep(row)], column)
            cells.append(show(values) if values else "")
        line(title, cells)

    within = lambda row: 0.3 < float(row["distance"]) <= 0.9
    count = len([row for row in of(rows, "cold", "natural") if within(row)])
    line(f"hand pulled to 0.35 to 0.9 arm lengths, {count} drags", [""] * len(POSINGS))
    each("chest turns, degrees", "cold", "chest", within)
    each("other hand moves, mm", "cold", "hand", within)
    each("target missed by, mm", "cold", "miss", within)
    beyond = lambda row: abs(float(row["distance"]) - 1.3) < 0.01
    each("target at 1.3 arm lengths missed by, mm", "cold", "miss", beyond)
    each("iterations", "cold", "iterations", within, lambda v: f"{mean(v):.3g}")
    line(f"out to 1.6 arm lengths and back, 33 mm a frame, {len(of(rows, 'sweep', 'natural'))} lines", [""] * len(POSINGS))
    each("largest turn of the chest in a frame, degrees", "sweep", "chest_step")
    each("the same within 0.9", "sweep", "near_step")
    each("any joint off its place in the end, mm", "sweep", "off")
    each("feet moved, mm", "sweep", "feet")
    each("iterations a frame", "sweep", "iterations", show=lambda v: f"{mean(v):.3g}")
    for what in ("real hand", "real foot"):
        drags = of(rows, what, "natural")
        if drags:
            still = mean(numbers(of(rows, what, "nothing moves"), "error"))
            each(f"{what} drags, {len(drags)}: error of the other joints, % (nothing moves: {still:.3g})", what, "error",
                 show=lambda v: f"{mean(v):.3g}")
    avatars = []
    for row in rows:
        if row["what"].startswith("avatar") and row["what"] not in avatars:
            avatars.append(row["what"])
    for what in avatars:
        cells = [" / ".join(f"{float(row[c]):.2g}" for c in ("hips", "chest", "feet")) for posing in POSINGS
                 for row in of(rows, what, posing)[:1]]
        line(f"{what}: hips, chest, degrees; feet, mm", cells)


def plot(rows, column, title, unit, path):
    width, height, left, top, bottom = 560, 340, 60, 46, 50
    drawing = Drawing(width, height)
    drawing.text(left, 26, title, size=14, weight="bold")
    cold = [row for row in rows if row["what"] == "cold"]
    distances = sorted({float(row["distance"]) for row in cold})
    curves = {posing: [mean(numbers([row for row in of(rows, "cold", posing) if float(row["distance"]) == d], column))
                       for d in distances] for posing in POSINGS}
    most = max(max(curve) for curve in curves.values()) * 1.05
    x = lambda d: left + (width - left - 90) * (d - distances[0]) / (distances[-1] - distances[0])
    y = lambda v: height - bottom - (height - top - bottom) * v / most
    for i in range(5):
        v = most * i / 4
        drawing.line(left, y(v), x(distances[-1]), y(v), FAINT)
        drawing.text(left - 8, y(v) + 4, f"{v:.3g}", anchor="end")
    for d in distances:
        if round(10 * d) % 2 == 0:
            drawing.text(x(d), height - bottom + 18, f"{d:.1f}", anchor="middle")
    drawing.line(x(1.0), top, x(1.0), height - bottom, INK, 0.6)
    drawing.text((left + x(distances[-1])) / 2, height - 12, "target's distance from the shoulder, arm lengths", anchor="middle")
    drawing.text(left, top - 6, unit, size=11)
    for posing, curve in curves.items():
        drawing.path([(x(d), y(v)) for d, v in zip(distances, curve)], COLORS[posing])
        drawing.text(x(distances[-1]) + 8, y(curve[-1]) + 4, posing, color=COLORS[posing], weight="bold")
    drawing.write(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("drags")
    parser.add_argument("--plots")
    arguments = parser.parse_args()
    with open(arguments.drags, newline="") as file:
        rows = list(csv.DictReader(file))
    tabulate(rows)
    if arguments.plots and any(row["what"] == "cold" for row in rows):
        plot(rows, "chest", "How far the chest turns", "degrees", os.path.join(arguments.plots, "chest.svg"))
        plot(rows, "hand", "How far the other hand goes", "mm", os.path.join(arguments.plots, "other_hand.svg"))


if __name__ == "__main__":
    main()

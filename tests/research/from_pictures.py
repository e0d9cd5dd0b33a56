# SPDX-License-Identifier: MIT
"""Tables (Markdown) and a plot (SVG) of `limber_experiments pictures`.

Usage: from_pictures.py PICTURES.csv [--plots FOLDER]"""
import csv
import os
import sys

import svg

WITH, WITHOUT = "#3a7ca5", "#d98b3a"


def mean(rows, key):
    numbers = [float(row[key]) for row in rows]
    return sum(numbers) / len(numbers) if numbers else float("nan")


def share(rows):
    sides = sum(int(row["sides"]) for row in rows)
    return 100.0 * sum(int(row["right"]) for row in rows) / sides if sides else float("nan")


def chosen(rows, **wanted):
    return [row for row in rows if all(row[key] in values for key, values in wanted.items())]


def table(rows, kinds):
    print("| pictures | reprojection, px | error, % of height | depth right, % | ms a picture |")
    print("|---|---|---|---|---|")
    for name, wanted in kinds:
        found = chosen(rows, **wanted)
        if found:
            print(f"| {name} | {mean(found, 'reprojection'):.2f} | {mean(found, 'aligned'):.1f} | {share(found):.0f} | "
                  f"{mean(found, 'ms'):.0f} |")


def plot(rows, path):
    views = ["front", "three-quarter", "side", "above"]
    drawing = svg.Drawing(640, 60 + 56 * len(views))
    drawing.text(20, 26, "Error of joints, % of the height: 35 mm, 3 pixels, one picture", size=14, weight="bold")
    across = 440 / max(20.0, max(float(row["aligned"]) for row in rows if row["prior"] == "none"))
    for i, view in enumerate(views):
        top = 48 + 56 * i
        drawing.text(110, top + 24, view, anchor="end")
        for k, (prior, color, words) in enumerate([("natural", WITH, "natural posing"), ("none", WITHOUT, "without")]):
            found = chosen(rows, view=[view], lens=["35"], noise=["3"], points=["all"], prior=[prior], camera=["known"])
            width = across * mean(found, "aligned")
            drawing.rectangle(120, top + 4 + 18 * k, width, 15, color)
            drawing.text(126 + width, top + 16 + 18 * k, f"{mean(found, 'aligned'):.1f}  {words}", size=11)
    drawing.write(path)


def main(arguments):
    with open(arguments[0], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    single = ["front", "three-quarter", "side", "above"]
    known = {"camera": ["known"], "points": ["all"], "prior": ["natural"]}
    kinds = [(f"{view}, {lens} mm, {noise} px", dict(known, view=[view], lens=[lens], noise=[noise]))
             for view in single for lens in ["35", "85"] for noise in ["0", "3", "10"]]
    kinds += [(f"one picture, {noise} px, all views and lenses", dict(known, view=single, noise=[noise]))
              for noise in ["0", "3", "10"]]
    kinds += [("one picture, 3 px, a fifth hidden", dict(known, view=single, noise=["3"], points=["a fifth hidden"])),
              ("one picture, 3 px, camera found", dict(known, view=single, noise=["3"], camera=["found"])),
              ("one picture, 3 px, without natural posing", dict(known, view=single, noise=["3"], prior=["none"]))]
    kinds += [(f"two pictures, {noise} px", dict(known, view=["two"], noise=[noise])) for noise in ["0", "3", "10"]]
    kinds += [(f"two pictures, {lens} mm, {noise} px, cameras found",
               dict(known, view=["two"], lens=[lens], noise=[noise], camera=["found"]))
              for lens, noise in [("35", "3"), ("85", "3"), ("35", "10")]]
    table(rows, kinds)
    print(f"\nThe longest picture took {max(float(row['most_ms']) for row in rows if row['camera'] == 'known'):.0f} ms.")
    tried = chosen(rows, **dict(known, view=single, noise=["3"]))
    print(f"In {sum(int(row['missed']) for row in tried)} of {sum(int(row['pictures']) for row in tried)} pictures of 3 px "
          "by known cameras, a pose next to the truth has a lower f than the one that was found.")
    if "--plots" in arguments:
        plot(rows, os.path.join(arguments[arguments.index("--plots") + 1], "from_pictures.svg"))


if __name__ == "__main__":
    main(sys.argv[1:])

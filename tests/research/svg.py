# SPDX-License-Identifier: MIT
"""Plots as SVG: box plots in rows, curves with a band, on logarithmic axes. Dark on a light card, so that they can be
read on any background."""
import math

INK, FAINT, CARD = "#333333", "#d9d9d6", "#fbfbfa"
LINE_HEIGHT = 19


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Drawing:
    def __init__(self, width, height):
        self.width, self.height, self.items = width, height, []
        self.rectangle(0, 0, width, height, CARD, radius=6)

    def rectangle(self, x, y, width, height, fill, radius=0, stroke="none", opacity=1.0):
        self.items.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.0):.1f}" height="{height:.1f}" '
                          f'rx="{radius}" fill="{fill}" fill-opacity="{opacity}" stroke="{stroke}"/>')

    def line(self, x1, y1, x2, y2, color=INK, width=1.0):
        self.items.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" '
                          f'stroke-width="{width}"/>')

    def path(self, points, color, width=2.0, fill="none", opacity=1.0):
        where = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        kind = "polyline" if fill == "none" else "polygon"
        self.items.append(f'<{kind} points="{where}" fill="{fill}" fill-opacity="{opacity}" stroke="{color}" '
                          f'stroke-width="{width}" stroke-linejoin="round"/>')

    def dot(self, x, y, color, radius=2.0):
        self.items.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{color}"/>')

    def text(self, x, y, text, anchor="start", size=12, weight="normal", color=INK):
        self.items.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
                          f'font-weight="{weight}" fill="{color}">{escape(text)}</text>')

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                       f'width="{self.width}" height="{self.height}" font-family="sans-serif">\n'
                       + "\n".join(self.items) + "\n</svg>\n")


class LogAxis:
    """From the lowest to the highest power of ten; lower values are drawn at the lowest."""

    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = low, high, start, end

    def place(self, value):
        power = math.log10(value) if value > 0.0 else self.low
        part = (min(max(power, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self, step=1):
        return [(self.place(10.0 ** k), label_of_power(k)) for k in range(self.low, self.high + 1, step)]


class SignedLogAxis:
    """Both signs: linear within +-10^low, logarithmic beyond, up to +-10^high."""

    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = low, high, start, end

    def place(self, value):
        size = math.log10(1.0 + abs(value) / 10.0 ** self.low) / math.log10(1.0 + 10.0 ** (self.high - self.low))
        part = 0.5 + 0.5 * math.copysign(min(size, 1.0), value)
        return self.start + part * (self.end - self.start)

    def ticks(self, step=1):
        powers = list(range(self.high, self.low, -step))  # the lowest one would be too near to 0
        return ([(self.place(-10.0 ** k), "−" + label_of_power(k)) for k in powers] + [(self.place(0.0), "0")]
                + [(self.place(10.0 ** k), label_of_power(k)) for k in reversed(powers)])


def label_of_power(k):
    if -2 <= k <= 3:
        return f"{10.0 ** k:g}"
    return "10" + str(k).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def quantile(values, part):
    """A quantile, interpolated linearly between the sorted values."""
    values = sorted(values)
    at = part * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def draw_boxes(drawing, axis, top, rows, step=1):
    """rows: (values, colour), from top to bottom: box from quartile to quartile, a line at the median, whiskers from
    5 % to 95 %, dots at the ends."""
    bottom = top + LINE_HEIGHT * len(rows)
    for place, label in axis.ticks(step):
        drawing.line(place, top, place, bottom, FAINT)
        drawing.text(place, bottom + 13, label, "middle", 10)
    for i, (values, color) in enumerate(rows):
        if not values:
            continue
        middle = top + LINE_HEIGHT * (i + 0.5)
        lowest, low, first, median, third, high, highest = (
            axis.place(quantile(values, part)) for part in (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0))
        drawing.line(low, middle, high, middle, color)
        for end in (low, high):
            drawing.line(end, middle - 3, end, middle + 3, color)
        drawing.rectangle(first, middle - 6, third - first, 12, color, stroke=color, opacity=0.3)
        drawing.line(median, middle - 6, median, middle + 6, color, 2.5)
        for end in (lowest, highest):
            drawing.dot(end, middle, color)

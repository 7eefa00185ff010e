# SPDX-License-Identifier: GPL-2.0-or-later
"""Medians and how far to trust them."""
from math import comb
from statistics import median


def interval(values):
    """The values between which the median lies with at least 95 %, whatever the distribution;
    the extremes where there are too few values for that."""
    values = sorted(values)
    n = len(values)
    cut = 0
    while 2 * sum(comb(n, i) for i in range(cut + 1)) / 2 ** n <= 0.05:
        cut += 1
    cut = max(0, cut - 1)
    return values[cut], values[n - 1 - cut]


class Ratio:
    """A quantity of one tool against another, paired within each round."""

    def __init__(self, samples, tool, base, key):
        by_round = {}
        for sample in samples:
            by_round.setdefault(sample["round"], {})[sample["tool"]] = sample
        self.values = [row[tool][key] / row[base][key] for row in by_round.values()
                       if tool in row and base in row and row[base].get(key)]

    def text(self):
        if not self.values:
            return "–"
        low, high = interval(self.values)
        digits = 1 if median(self.values) >= 5 else 2
        return f"{median(self.values):.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"

    def median(self):
        return median(self.values) if self.values else None


def of_tool(samples, tool, key):
    return [sample[key] for sample in samples if sample["tool"] == tool]

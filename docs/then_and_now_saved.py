# SPDX-License-Identifier: GPL-2.0-or-later
"""Saved measurements, as docs/refresh-then-and-now reads them. Medians, intervals and ratios are
forktax's own, from its CSV: nothing is computed a second time here."""
import csv
import json
import time


def as_number(text):
    return float(text) if text else None


class Figure:
    """A value with its interval; `low` and `high` are None if there is none."""

    def __init__(self, value, low=None, high=None):
        self.value, self.low, self.high = value, low, high

    def times(self, factor):
        return Figure(*(None if part is None else part * factor
                        for part in (self.value, self.low, self.high)))

    def inverse(self):
        return Figure(1 / self.value, self.high and 1 / self.high, self.low and 1 / self.low)

    def no_difference(self):
        return self.low is not None and self.low <= 1 <= self.high


class Bench:
    def __init__(self, path, table):
        with open(path, encoding="utf-8") as file:
            saved = json.load(file)
        command = saved["command"]
        self.command = " ".join(command[:command.index("--json")])
        self.rounds = saved["rounds"]
        self.started = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(saved["started"] / 1e9))
        self.machine = {fact["name"]: fact["value"] for fact in saved["machine"]}
        self.warnings = saved["warnings"]
        self.columns = [column["name"] for column in saved["columns"]] or [""]
        rows = [row["name"] for row in saved["rows"]]
        self.then = {(rows[old["row"]], self.columns[old["column"]]): old["value"]
                     for old in saved["history"]}
        self.figures = {}
        for line in csv.DictReader(table.splitlines()):
            key = line["row"], line["column"], line["figure"], line["baseline"]
            if line["value"]:
                self.figures[key] = Figure(*(as_number(line[part])
                                             for part in ("value", "low", "high")))

    def get(self, row, figure, column="", baseline=""):
        """None if it was not measured."""
        return self.figures.get((row, column, figure, baseline))


class Comparison:
    def __init__(self, path, table):
        with open(path, encoding="utf-8") as file:
            self.columns = [column["label"] for column in json.load(file)["columns"]]
        self.cells = {(line["column"], line["section"], line["key"]): line["value"]
                      for line in csv.DictReader(table.splitlines())}

    def get(self, column, section, key):
        return as_number(self.cells[column, section, key])

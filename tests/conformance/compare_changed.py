# SPDX-License-Identifier: GPL-2.0-or-later
"""compare_changed.py FORKTAX SAMPLES WITNESS CASE BASE OTHER: two programs (changed.c) of which is known what
one has more, and that `forktax compare` names it, and nothing else of that kind: of runs that it traces
itself, of saved comparisons, and of directories of saved runs."""
import json
import os
import sys

import rules
from check import Check
from runs import Tools

RUNS = 4  # as many as a difference needs to be shown
THINGS = ("programs", "libraries", "groups", "processes", "symbols")
EXPECTED = {  # what is new, by section; and what ends the name of the page that children copy
    "same": ({}, None),
    "page": ({}, ".data page_between"),
    "symbol": ({"symbols": "mrand48"}, None),
    "library": ({"libraries": "libm.so.6"}, None),
}


def run(tools, *words):
    result = tools.execute([tools.forktax, *words])
    if result.returncode:
        raise RuntimeError(result.stderr.decode())
    return result.stdout.decode()


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def measure(tools, name, *commands):
    """A saved comparison of live runs, again where some may be inexact."""
    saved = tools.path(name)
    for _ in range(rules.EXACT_TRIES):
        run(tools, "compare", "--anatomy", "--no-aslr", "--no-time", "--traced-runs", str(RUNS), "--json",
            "-o", saved, *commands)
        if not any(rules.inexact_by_preemption(one["integrity"]) for runs in load(saved)["runs"]
                   for one in runs):
            break
    return saved


def record(tools, name, command):
    """A directory of saved runs."""
    directory = tools.path(name)
    os.mkdir(directory)
    for number in range(RUNS):
        path = f"{directory}/{number}.json"
        for _ in range(rules.EXACT_TRIES):
            run(tools, "run", "--anatomy", "--no-aslr", "--json", "-o", path, "--", command)
            if not rules.inexact_by_preemption(load(path)["integrity"]):
                break
    return directory


def shown(comparison, section):
    return [row for row in comparison["rows"] if row["section"] == section
            and row["moved"][1] not in ("same", "not shown", "unknown")]


def copied(rows):
    """Pages of the program's .data that children copy. (Which of ld.so's and libc's they copy depends on who writes
    first, parent or child: of four runs and four, chance alone makes a difference now and then.)"""
    return [row for row in rows if row["of"].endswith("fork, no exec") and not row["of"].startswith("parent")
            and row["key"].split(": ", 1)[1].startswith("changed-") and ".data" in row["key"]
            and "copied by the program" in (row["states"][1] or "")]


def check_comparison(check, comparison, case):
    new, page = EXPECTED[case]
    for section in THINGS:
        rows = shown(comparison, section)
        # The name of the program is another one, its role is not.
        names = [row["key"].split(": ")[-1].split(" in ")[0] for row in rows]
        check.equal(section, names, [new[section]] if section in new else [])
        for row in rows:
            check.equal(f"{section}: runs bear it out", row["moved"], ["same", "shown"])
            check.equal(f"{section}: where", [cell["median"] for cell in row["cells"]], [0, 1])
    pages = copied(shown(comparison, "pages"))
    check.equal("pages of .data", len(pages), 1 if page else 0)
    for row in pages:
        check.that(row["key"].endswith(page), f"the page is {row['key']}, not {page}")
        check.equal("in each child", [row["cells"][0]["median"], row["cells"][1]["median"]], [0, 1])
        check.that("write_to_pages" in row["states"][1], f"whose code: {row['states'][1]}")
    for column, runs in enumerate(comparison["runs"]):
        check.equal("runs", len(runs), RUNS)
        check.that(all(one["integrity"]["exact"] for one in runs), f"column {column} is not exact")


def main():
    tools, (case, base, other) = Tools(*sys.argv[1:4]), sys.argv[4:]
    check = Check()
    check.context = f"{case}, live"
    live = measure(tools, "live.json", base, other)
    check_comparison(check, load(live), case)
    words = [word for word in (*EXPECTED[case][0].values(), EXPECTED[case][1]) if word]
    text = " ".join(run(tools, "report", "-v", live).split())
    for word in words:
        check.that(word in text, f"the report does not name {word}")
    if case != "page":  # what follows is the same for all
        check.finish()
    for context, sides in (
            ("saved", [measure(tools, "a.json", base), measure(tools, "b.json", other)]),
            ("directories", [record(tools, "a", base), record(tools, "b", other)])):
        check.context = f"{case}, {context}"
        check_comparison(check, json.loads(run(tools, "compare", "--json", *sides)), case)
    check.finish()


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all
"""Many processes: short-lived, alive at once, deep."""
import os

import support
from support import Case, needs, needs_root

STORM = 20000
LIVE = 500
DEEP = 200
ROUNDS = 1000


@needs_root
class Storms(Case):
    def test_vfork_storm(self):
        run = self.trace(self.sample("forkloop", "static"), "-n", str(STORM), "-m", "vfork")
        self.assertEqual((run["totals"]["forks"], run["totals"]["processes"]), (STORM, STORM + 1))
        self.assertEqual(self.calls(run, "vfork"), STORM)
        group, = run["groups"]
        self.assertEqual((group["birth"], group["children"]), ("vfork", STORM))
        self.assertEqual(group["syscalls"]["total"],
                         run["totals"]["syscalls"] - sum(row["calls"] for row in run["roots"]["calls"]))

    def test_vfork_storm_row_by_row(self):
        """With a row for each child something may be lost: then it is said, and counts stay right."""
        result = self.forktax("run", "--json", "-o", "run.json", "--show=processes",
                              self.sample("forkloop", "static"), "-n", str(STORM), "-m", "vfork")
        self.assertEqual(result.status, 0, result)
        run = self.saved()
        self.assertEqual(run["totals"]["forks"], STORM)
        self.assertEqual(self.calls(run, "vfork"), STORM)
        missing = STORM + 1 - len(run["processes"])
        self.assertEqual(missing == 0, run["integrity"]["exact"], (missing, run["integrity"]))

    def test_threads_that_end_at_once(self):
        """Whichever of them is the last to end, it must not sum the process up before the others."""
        run = self.trace(self.sample("threadsexit", "static"), "-n", str(ROUNDS), "-t", "2")
        self.assertEqual(self.calls(run, "getppid"), 2 * ROUNDS)
        group, = run["groups"]
        self.assertEqual((group["children"], group["unfinished"]), (ROUNDS, 0))
        self.assertEqual(group["syscalls"]["total"], sum(row["calls"] for row in group["calls"]))

    @needs("perl")
    def test_durations_of_very_many_different_calls(self):
        """More than have a slot for their durations: the others have durations, too."""
        run = self.trace("perl", "-e", "for (1..3) { syscall($_, 0) for 1000..1399 } "
                         "select(undef, undef, undef, 0.05)", options=["-T"])
        rows = {row["name"]: row for row in run["syscalls"]}
        for number in range(1000, 1400):
            row = rows[f"unknown({number})"]
            self.assertEqual(row["calls"], 3)
            self.assertTrue(0 < row["min_ns"] <= row["p99_ns"] <= row["max_ns"], row)
            self.assertTrue(row["min_ns"] + row["max_ns"] < row["time_ns"] <= 3 * row["max_ns"], row)
        self.assertGreaterEqual(rows["pselect6"]["min_ns"], 50e6)

    def test_many_alive_at_once(self):
        run = self.trace(self.sample("manychildren"), "-n", str(LIVE), options=["--show=processes"])
        self.assertEqual(run["totals"]["forks"], LIVE)
        self.assertEqual(len(run["processes"]), LIVE + 1)
        self.assertEqual(self.calls(run, "getppid"), LIVE)

    def test_deep_chain(self):
        run = self.trace(self.sample("forkchain"), "-n", str(DEEP), options=["--show=tree"])
        self.assertEqual(run["totals"]["forks"], DEEP)
        parents = {process["id"]: process["parent"] for process in run["processes"]}
        depth, process = 0, max(parents)
        while parents[process]:
            process = parents[process]
            depth += 1
        self.assertEqual(depth, DEEP)
        for columns in ("20", "80", "1000"):
            result = self.forktax("report", "--show=tree", "run.json",
                                  env={**os.environ, "COLUMNS": columns})
            self.assertEqual((result.status, result.err), (0, b""))
            self.assertGreaterEqual(result.out.count(b"forkchain"), DEEP)


@needs_root
class Tracers(Case):
    def test_command_that_traces_its_child(self):
        result = self.forktax("run", "--json", "-o", "run.json", self.sample("ptraced"))
        if result.status == 77:
            self.skipTest(result.err.decode().strip())
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertTrue(self.saved()["integrity"]["exact"])

    @needs("strace")
    def test_strace_within(self):
        run = self.trace("strace", "-f", "-o", "log", self.sample("getppidloop"), "-n", "100")
        self.assertEqual(self.calls(run, "getppid"), 100)

    def test_forktax_within_forktax(self):
        true = self.sample("true", "static")
        alone = self.trace(true)
        inner = self.forktax("run", "--json", "-o", "outer.json", "--show=processes", "--", support.FORKTAX,
                             "run", "--json", "-o", "inner.json", "--", true)
        self.assertEqual((inner.status, inner.err), (0, b""))
        outer, inner = self.saved("outer.json"), self.saved("inner.json")
        self.assertTrue(outer["integrity"]["exact"] and inner["integrity"]["exact"])
        self.assertEqual(inner["totals"]["syscalls"], alone["totals"]["syscalls"])
        self.assertEqual(inner["totals"]["processes"], 1)
        # The outer one sees the inner, its child at the gate, and the same command again.
        self.assertEqual(outer["totals"]["processes"], 2)
        command, = [process for process in outer["processes"] if process["parent"]]
        self.assertEqual(command["images"][-1]["syscalls"], alone["totals"]["syscalls"] - 1)

    def test_two_at_once(self):
        loop = self.sample("getppidloop")
        processes = [self.start("run", "--json", "-o", f"run{count}.json", loop, "-n", str(count))
                     for count in (1000, 2000)]
        for count, process in zip((1000, 2000), processes):
            self.assertEqual(self.finish(process).status, 0)
            self.assertEqual(self.calls(self.saved(f"run{count}.json"), "getppid"), count)

# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax compare of one command: several runs, whose counts have a range."""
import json
import subprocess

from support import Case, needs, needs_root

# Sends signal 0 once in the first run, twice in the second, and so on; all else is the same.
MORE_EACH_TIME = """
read n 2>/dev/null <n || :
n=$((${n:-0} + 1))
echo $n >n
while [ $n -gt 0 ]; do kill -0 $$; n=$((n - 1)); done
"""
KILLS = (1, 2, 3, 4)


@needs_root
class Repeated(Case):
    def repeat(self, count, command):
        with open("n", "w", encoding="ascii") as file:
            file.write("0\n")
        with open("script", "w", encoding="ascii") as file:
            file.write(MORE_EACH_TIME)
        result = self.forktax("compare", "--json", "-o", "runs.json", "--no-time", f"--traced-runs={count}", command)
        self.assertEqual((result.status, result.err), (0, b""))
        return self.saved("runs.json")

    def row(self, saved, section, key):
        cells = [row["cells"][0] for row in saved["rows"] if (row["section"], row["key"]) == (section, key)]
        self.assertEqual(len(cells), 1, (section, key))
        return cells[0]

    def test_range_of_a_count_that_grows(self):
        saved = self.repeat(4, "sh script")
        self.assertEqual([self.calls(run, "kill") for run in saved["runs"][0]], list(KILLS))
        self.assertEqual(self.row(saved, "syscalls", "kill"), {"median": 2, "min": 1, "max": 4})
        for run in saved["runs"][0]:
            self.assertTrue(run["integrity"]["exact"], run["integrity"])
        printed = self.forktax("report", "--top=99", "runs.json").out
        self.assertRegex(printed, rb"\n\d+ of \d+ counts are the same in all 4 traced runs; \d+ var(y|ies): ")
        self.assertRegex(printed, rb"\bkill \(1\.\.4\)")
        self.assertRegex(printed, rb"\n  kill +~2 +1\.\.4\n")
        self.assertRegex(printed, rb"\n  execve +1 +same\n")

    @needs("strace")
    def test_range_is_that_of_strace(self):
        """The same four runs by an independent tracer."""
        saved = self.repeat(4, "sh script")
        expected = []
        with open("n", "w", encoding="ascii") as file:
            file.write("0\n")
        for _ in KILLS:
            subprocess.run(["strace", "-f", "-qq", "-e", "trace=kill,read,openat", "-o", "log", "sh", "script"],
                           check=True)
            with open("log", encoding="utf-8") as log:
                lines = log.read().splitlines()
            expected.append({call: sum(f" {call}(" in line for line in lines)
                             for call in ("kill", "read", "openat")})
        for call in ("kill", "read", "openat"):
            counts = sorted(one[call] for one in expected)
            self.assertEqual(self.row(saved, "syscalls", call),
                             {"median": counts[1], "min": counts[0], "max": counts[-1]}, call)

    def test_answer_counts_what_csv_lists(self):
        self.repeat(3, "sh script")
        rows = [line.split(",") for line in self.forktax("report", "--csv", "runs.json").out.decode().splitlines()]
        counts = [row for row in rows if row[1] in ("syscalls", "errors", "faults") and row[3] and row[5] != "0"]
        varied = [row for row in counts if row[4] != row[5]]
        answer = " ".join(self.forktax("report", "runs.json").out.decode().split())
        self.assertIn(f"{len(counts) - len(varied)} of {len(counts)} counts", answer)

    def test_one_run_says_nothing_of_ranges(self):
        saved = self.repeat(1, "true")
        self.assertEqual(len(saved["runs"][0]), 1)
        self.assertNotIn(b"counts", self.forktax("report", "-q", "runs.json").out)

    def test_who_reads_it(self):
        """compare takes it as a column of its runs; check refuses it; report of a single run's forms does, too."""
        self.repeat(4, "true").clear()
        self.shell("mv runs.json before.json")
        self.repeat(4, "sh -c 'exit 0'")
        both = self.forktax("compare", "--json", "before.json", "runs.json")
        self.assertEqual((both.status, both.err), (0, b""))
        both = json.loads(both.out)
        self.assertEqual([len(runs) for runs in both["runs"]], [4, 4])
        self.assertEqual([column["label"] for column in both["columns"]], ["before.json", "runs.json"])
        self.assertEqual([row["moved"] for row in both["rows"]
                          if (row["section"], row["key"]) == ("syscalls", "getppid")], [["same", "shown"]])
        self.assert_fails(self.forktax("check", "-f", "runs.json"), 125, "is not a baseline")
        self.assert_fails(self.forktax("report", "--pprof", "runs.json"), 2, "single run")
        self.assert_fails(self.forktax("report", "--status=failed", "runs.json"), 2, "cannot be shown by status")

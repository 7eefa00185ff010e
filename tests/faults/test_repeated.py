# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax run -n: one command several times, as one run whose counts have a range."""
import json
import os
import signal
import subprocess

from support import Case, needs, needs_root, wait_until

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
    def repeat(self, *words):
        result = self.forktax("run", "--json", "-o", "runs.json", *words)
        self.assertEqual((result.status, result.err), (0, b""))
        return self.saved("runs.json")

    def row(self, saved, section, key):
        cells = [row["cells"][0] for row in saved["rows"] if (row["section"], row["key"]) == (section, key)]
        self.assertEqual(len(cells), 1, (section, key))
        return cells[0]

    def test_range_of_a_count_that_grows(self):
        with open("n", "w", encoding="ascii") as file:
            file.write("0\n")
        saved = self.repeat("-n4", "sh", "-c", MORE_EACH_TIME)
        self.assertEqual(saved["schema"], "forktax-compare/1")
        self.assertEqual([self.calls(run, "kill") for run in saved["runs"][0]], list(KILLS))
        self.assertEqual(self.row(saved, "syscalls", "kill"), {"median": 2, "min": 1, "max": 4})
        for run in saved["runs"][0]:
            self.assertTrue(run["integrity"]["exact"], run["integrity"])
        printed = self.forktax("report", "-v", "--no-pager", "runs.json").out
        self.assertRegex(printed, rb"\Ash: \d+ of \d+ counts are the same in all 4 runs; \d+ var(y|ies): ")
        self.assertIn(b"kill (1..4)", printed.split(b"4 runs of")[0])
        self.assertRegex(printed, rb"\n  kill +2 +1\.\.4\n")
        self.assertRegex(printed, rb"\n  execve +1 +same\n")

    @needs("strace")
    def test_range_is_that_of_strace(self):
        """The same four runs by an independent tracer."""
        expected = []
        with open("n", "w", encoding="ascii") as file:
            file.write("0\n")
        for _ in KILLS:
            subprocess.run(["strace", "-f", "-qq", "-e", "trace=kill,read,openat", "-o", "log", "sh", "-c",
                            MORE_EACH_TIME], check=True)
            with open("log", encoding="utf-8") as log:
                lines = log.read().splitlines()
            expected.append({call: sum(f" {call}(" in line for line in lines)
                             for call in ("kill", "read", "openat")})
        with open("n", "w", encoding="ascii") as file:
            file.write("0\n")
        saved = self.repeat("-n4", "sh", "-c", MORE_EACH_TIME)
        for call in ("kill", "read", "openat"):
            counts = sorted(one[call] for one in expected)
            self.assertEqual(self.row(saved, "syscalls", call),
                             {"median": counts[1], "min": counts[0], "max": counts[-1]}, call)

    def test_answer_counts_what_csv_lists(self):
        self.repeat("-n3", "sh", "-c", MORE_EACH_TIME)
        rows = [line.split(",") for line in self.forktax("report", "--csv", "runs.json").out.decode().splitlines()]
        counts = [row for row in rows if row[1] in ("syscalls", "errors", "faults") and row[3] and row[5] != "0"]
        varied = [row for row in counts if row[4] != row[5]]
        answer = self.forktax("report", "--no-pager", "runs.json").out.split(b"\n")[0].decode()
        self.assertIn(f"{len(counts) - len(varied)} of {len(counts)} counts", answer)

    def test_one_run_is_a_document_of_runs_too(self):
        saved = self.repeat("-n1", "true")
        self.assertEqual((saved["schema"], len(saved["runs"][0])), ("forktax-compare/1", 1))
        self.assertRegex(self.forktax("report", "--no-pager", "runs.json").out,
                         rb"\Atrue: one run, which does not tell which of its \d+ counts vary\.")

    def test_times_of_calls(self):
        saved = self.repeat("-T", "-n3", "sleep", "0.05")
        times = self.row(saved, "syscall_ns", "clock_nanosleep")
        self.assertEqual(times["median"], sorted(
            sum(actor["time_ns"] for actor in row["by_actor"].values())
            for run in saved["runs"][0] for row in run["syscalls"] if row["name"] == "clock_nanosleep")[1])
        self.assertGreaterEqual(times["min"], 50e6)
        # A call that never returns has no time.
        self.assertEqual([row["cells"] for row in saved["rows"]
                          if (row["section"], row["key"]) == ("syscall_ns", "exit_group")], [[None]])

    def test_stops_at_the_first_failure(self):
        script = "echo x >>ran; [ $(wc -l <ran) -lt 2 ] || exit 3"
        result = self.forktax("run", "-n5", "-o", "report", "sh", "-c", script)
        self.assert_fails(result, 3, "exited with status 3 in run 2 of 5; -i goes on")
        self.assertEqual(os.path.getsize("ran"), 2 * len("x\n"))
        self.assertFalse(os.path.exists("report"))

    def test_dies_as_the_command_did(self):
        result = self.forktax("run", "-n5", "sh", "-c", "echo x >>ran; kill -KILL $$")
        self.assert_fails(result, -signal.SIGKILL, "killed by signal 9", "run 1 of 5")
        self.assertEqual(os.path.getsize("ran"), len("x\n"))

    def test_failures_that_are_ignored(self):
        result = self.forktax("run", "-in3", "-o", "report", "sh", "-c",
                              "echo x >>ran; exit $(($(wc -l <ran) % 2))")
        self.assertEqual((result.status, result.err), (0, b""))
        with open("report", "rb") as file:
            self.assertIn(b"exit 1 in 2, exit 0 in 1.", b" ".join(file.read().split()))

    def test_stdin_is_that_of_all_runs(self):
        """As of perf stat -r: the first run reads it, the others find its end."""
        result = self.forktax("run", "-n3", "-o", "report", "cat", data=b"once\n")
        self.assertEqual((result.status, result.out), (0, b"once\n"))

    def test_report_goes_to_stderr(self):
        result = self.forktax("run", "-n2", "echo", "x")
        self.assertEqual((result.status, result.out), (0, b"x\nx\n"))
        self.assertTrue(result.err.startswith(b"echo: "))

    def test_interrupted(self):
        process = self.start("run", "-n5", "-o", "report", "sh", "-c", "echo x >>ran; [ $(wc -l <ran) -lt 3 ] || exec sleep 1000")
        wait_until(lambda: os.path.exists("ran") and os.path.getsize("ran") == 3 * len("x\n"))
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assert_fails(result, -signal.SIGINT, "interrupted after 2 of 5 runs")
        with open("report", "rb") as file:
            self.assertIn(b"the same in all 2 runs", b" ".join(file.read().split()))

    def test_what_does_not_exist(self):
        self.assert_fails(self.forktax("run", "-n3", "./missing"), 127, "command not found")

    def test_what_only_one_run_has(self):
        for options in (["--per-child"], ["--tree"], ["--files"], ["--anatomy"],
                        ["--duration=1"]):
            with self.subTest(options):
                self.assert_fails(self.forktax("run", "-n2", *options, "touch", "ran"), 2, "--runs")
                self.assert_not_run()
        self.assert_fails(self.forktax("run", "-n2", "-p", str(os.getpid())), 2, "--runs repeats a command")
        self.assert_fails(self.forktax("run", "-i", "touch", "ran"), 2, "-i goes with -n")
        self.assert_not_run()

    def test_who_reads_it(self):
        """compare takes it as a column of its runs; check refuses it; report of a single run's forms does, too."""
        self.repeat("-n4", "true")
        os.rename("runs.json", "before.json")
        self.repeat("-n4", "sh", "-c", "exit 0")
        both = self.forktax("compare", "--json", "before.json", "runs.json")
        self.assertEqual((both.status, both.err), (0, b""))
        both = json.loads(both.out)
        self.assertEqual([len(runs) for runs in both["runs"]], [4, 4])
        self.assertEqual([column["label"] for column in both["columns"]], ["before.json", "runs.json"])
        self.assertEqual([row["moved"] for row in both["rows"]
                          if (row["section"], row["key"]) == ("syscalls", "getppid")], [["same", "shown"]])
        self.assert_fails(self.forktax("check", "-f", "runs.json"), 125, "is not a baseline")
        self.assert_fails(self.forktax("report", "--pprof", "runs.json"), 2, "single run")
        self.assert_fails(self.forktax("report", "--status=failed", "runs.json"), 2, "several runs cannot be shown by status")
        again = self.forktax("report", "--json", "runs.json")
        with open("runs.json", "rb") as file:
            self.assertEqual(again.out, file.read())

    def test_files_of_each_run_are_saved(self):
        saved = self.repeat("-n2", "--files", "cat", "/etc/hostname")
        for run in saved["runs"][0]:
            self.assertIn("/etc/hostname", [row["path"] for row in run["files"]["rows"]])

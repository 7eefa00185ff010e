# SPDX-License-Identifier: GPL-2.0-or-later
"""Comparisons in which a command fails, cannot be found, or is interrupted."""
import json
import os
import signal
import subprocess
import time

from support import Case, needs_root, wait_until


@needs_root
class Compare(Case):
    def test_failing_command(self):
        for command, told in (("false", "status 1"), ("sh -c 'kill -KILL $$'", "signal 9")):
            for options in (["-n1"], ["--no-time", "--traced-runs=1"]):
                with self.subTest(command=command, options=options):
                    result = self.forktax("compare", *options, "true", command)
                    self.assert_fails(result, 125, told)
                    self.assertEqual(result.out, b"")

    def test_failure_that_is_accepted(self):
        result = self.forktax("compare", "-n1", "--traced-runs=1", "-i", "true", "false")
        self.assertEqual((result.status, result.err), (0, b""))

    def test_bad_quotes(self):
        for word in ("echo 'x", "true | true", "echo $(touch ran)", "echo `touch ran`", "", " "):
            with self.subTest(word):
                self.assert_fails(self.forktax("compare", "-n1", word), 2)
                self.assert_not_run()

    def test_output_of_commands_does_not_show(self):
        result = self.forktax("compare", "-n1", "--traced-runs=1", "echo MARK", "sh -c 'echo MARK >&2'")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertNotIn(b"\nMARK", result.out)

    def test_disturbed_by_others(self):
        """More busy loops than CPUs: each run sees it, and the report says so."""
        burn = "n=0; while [ $n -lt 80000 ]; do n=$((n + 1)); done"
        loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"])
                 for _ in range(2 * len(os.sched_getaffinity(0)))]
        try:
            result = self.forktax("compare", "-n2", "--traced-runs=0", "--shell", "--json", "-o",
                                  "saved", burn, burn + " ")
        finally:
            for loop in loops:
                loop.kill()
                loop.wait()
        self.assertEqual((result.status, result.err), (0, b""))
        with open("saved", encoding="utf-8") as file:
            columns = json.load(file)["columns"]
        for column in columns:
            self.assertGreater(min(column["others_share"]), 0.3)
        printed = self.forktax("report", "saved").out
        self.assertIn(b"Other programs had the CPU during 4 of 4 measurements", printed)

    def test_interrupted(self):
        """Neither a report nor a command is left."""
        for options in (["-n5"], ["--no-time", "--traced-runs=5"]):
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(options=options, number=number):
                    process = self.start("compare", *options, "-o", "report",
                                         "sh -c 'touch ready; exec sleep 60'", start_new_session=True)
                    self.assertTrue(wait_until(lambda: os.path.exists("ready")))
                    time.sleep(0.1)
                    os.killpg(process.pid, number)
                    status = self.finish(process).status
                    self.assertIn(status, (-number, 125))
                    self.assertFalse(os.path.exists("report"))
                    os.unlink("ready")

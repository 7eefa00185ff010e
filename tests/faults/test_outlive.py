# SPDX-License-Identifier: GPL-2.0-or-later
"""Processes that still run when counting stops: what is counted of them is theirs, and the run
says that it is not all of it."""
import signal
import subprocess
import time

from support import Case, descendants, needs_root, wait_until

CALLS = 20000
TRIES = 30


@needs_root
class Outlive(Case):
    def leave(self, script, *options):
        """Traces a shell that leaves something behind; the saved run, and what was left behind."""
        result = self.forktax("run", "--json", "-o", "run.json", "--show=processes", *options, "--",
                              "sh", "-c", script, "sh", self.sample("getppidloop", "static"))
        self.assertEqual((result.status, result.err), (0, b""))
        run = self.saved()
        return run, [one for one in run["processes"] if one["parent"]]

    def assert_whole_or_cut(self, run, child):
        """Either all was counted, or the run says that it was not."""
        group, = run["groups"]
        calls = sum(row["calls"] for row in group["calls"] if row["name"] == "getppid")
        integrity = run["integrity"]
        self.assertEqual(integrity["exact"], child["finished"], integrity)
        self.assertEqual(integrity["unfinished"], int(not child["finished"]))
        if child["finished"]:
            self.assertEqual(calls, CALLS)
        else:
            self.assertLessEqual(calls, CALLS)
            self.assertIsNone(child["end_ns"])
            self.assertEqual(child["exit"], {"status": None, "signal": None})
        self.assertEqual((group["children"], group["unfinished"]),
                         (int(child["finished"]), int(not child["finished"])))

    # ctest: all
    def test_by_milliseconds(self):
        ends = set()
        for i in range(TRIES):
            delay = f"sleep 0.0{i % 5}" if i % 2 else "true"
            run, (child, *_) = self.leave(f'"$1" -n {CALLS} & exec {delay}')
            self.assert_whole_or_cut(run, child)
            ends.add(child["finished"])
        self.assertIn(False, ends, "nothing outlived its command")

    def test_followed(self):
        run, (child,) = self.leave(f'"$1" -n {CALLS} &', "--follow-daemons")
        self.assertTrue(child["finished"])
        self.assert_whole_or_cut(run, child)

    def test_classes_end_with_the_counters(self):
        """What a cut process took after the cut is in no number of it: neither class nor total."""
        for _ in range(5):
            result = self.forktax("run", "--json", "-o", "run.json", "--show=processes", "--", "sh", "-c",
                                  '"$0" & exec sleep 0.002', self.sample("manypages", "static"))
            self.assertEqual((result.status, result.err), (0, b""))
            run = self.saved()
            for process in run["processes"]:
                for image in process["images"]:
                    # One page of arguments is filled without an event.
                    self.assertLessEqual(image["faults"]["unattributed"], 1, image)

    def test_said_to_people(self):
        result = self.forktax("run", "--", "sh", "-c", "sleep 0.5 &")
        first = result.err.splitlines()[0]
        self.assertRegex(first, rb"^NOT EXACT: 1 process still ran when counting stopped")
        self.assertIn(b"--follow-daemons", first)
        self.assertEqual(result.status, 0)

    def test_strict(self):
        for options, status in (["--strict"], 3), (["--strict", "--follow-daemons"], 0):
            result = self.forktax("run", "-q", "-o", "report", *options, "--", "sh", "-c", "sleep 0.3 &")
            self.assertEqual(result.status, status, result)

    def test_duration(self):
        result = self.forktax("run", "--json", "-o", "run.json", "--duration", "0.2", "--", "sleep", "1")
        self.assertEqual(result.status, 0, result)
        run = self.saved()
        self.assertFalse(run["integrity"]["exact"])
        self.assertEqual(run["integrity"]["unfinished"], 1)

    def test_second_signal(self):
        tracer = self.start("run", "--json", "-o", "run.json", "--", "sh", "-c",
                            "trap '' INT; sleep 1; sleep 1")
        self.assertTrue(wait_until(lambda: len(list(descendants(tracer.pid))) > 1))
        for _ in range(2):
            time.sleep(0.2)
            tracer.send_signal(signal.SIGINT)
        self.finish(tracer)
        run = self.saved()
        self.assertFalse(run["integrity"]["exact"])
        self.assertGreater(run["integrity"]["unfinished"], 0)

    def test_root_killed_first(self):
        result = self.forktax("run", "--json", "-o", "run.json", "--", "sh", "-c",
                              "sleep 1 & kill -KILL $$")
        self.assertEqual(result.status, -signal.SIGKILL)
        run = self.saved()
        self.assertEqual((run["integrity"]["exact"], run["integrity"]["unfinished"]), (False, 1))

    def test_attached_and_asked_to_stop(self):
        """What was counted up to the moment that was asked for is exact; that it lives on is said."""
        target = subprocess.Popen(["sleep", "60"])
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        result = self.forktax("run", "--strict", "-v", "-p", str(target.pid), "--duration", "200ms")
        self.assertEqual(result.status, 0, result)
        self.assertNotIn(b"NOT EXACT", result.err)
        self.assertRegex(result.err, rb"process %d: counted for [0-9.]+ ms: .*; 1 process still running\n"
                         % target.pid)
        self.assertIn(b"how it ended is not known", result.err)
        target.kill()
        target.wait()

    def test_attached(self):
        target = subprocess.Popen(["sleep", "60"])
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        result = self.forktax("run", "--json", "-o", "run.json", "-p", str(target.pid),
                              "--duration", "0.2")
        self.assertEqual(result.status, 0, result)
        run = self.saved()
        self.assertEqual((run["integrity"]["exact"], run["integrity"]["unfinished"]), (True, 1))
        target.kill()
        target.wait()

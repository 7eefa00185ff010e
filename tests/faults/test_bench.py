# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax bench: numbers that cannot be, what is missing, what fails on the way, and Ctrl-C."""
import json
import os
import resource
import signal
import stat
import time

import support
from cgroups import Cgroup

QUICK = ("--rounds", "3", "--count", "3")
LOOP = """#!/bin/sh
for last; do :; done
echo "forktax-loop operations=$last elapsed_ns=$((last * 1000))"
"""


class Bench(support.Case):
    def bench(self, *arguments, **popen):
        return self.forktax("bench", "fork", *arguments, **popen)

    def script(self, name, text):
        with open(name, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(name, stat.S_IRWXU)
        return os.path.abspath(name)

    def measured(self, *arguments, status=0, **popen):
        """The saved bench of a quick measurement, its cells by row."""
        result = self.bench(*QUICK, "--json", "-o", "bench.json", *arguments, **popen)
        self.assertEqual(result.status, status, result)
        saved = self.saved("bench.json")
        names = [row["name"] for row in saved["rows"]]
        return saved, {names[cell["row"]]: cell for cell in saved["cells"]}, result

    @staticmethod
    def alone(loop, linkage="static"):
        """Makes this program the only one to measure, or one of few; needs no options."""
        os.makedirs(f"alone/{linkage}", exist_ok=True)
        if os.path.lexists(f"alone/{linkage}/forkloop"):
            os.unlink(f"alone/{linkage}/forkloop")
        os.symlink(loop, f"alone/{linkage}/forkloop")
        os.environ["FORKTAX_LOOPS"] = "alone"
        return ()

    def only(self, loop, **popen):
        """Measured with this program as the only one."""
        self.alone(loop)
        return self.measured(**popen)

    # Usage

    def test_counts_that_cannot_be(self):
        for option in ("--count", "--rounds", "--resident"):
            for value in ("-1", "x", "", "1e3", "99999999999999999999999", "0x10", " 1"):
                with self.subTest(option=option, value=value):
                    self.assert_fails(self.bench(f"{option}={value}"), 2, option)
        for option in ("--count", "--rounds"):
            self.assert_fails(self.bench(option, "0"), 2, "from 1 to")
        self.assert_fails(self.bench("--resident", "10000000T"), 2, "at most 512G")

    def test_busy_cpu(self):
        """Somebody else has half of the CPU all the time: it is noticed, and nothing is claimed."""
        cpu = max(os.sched_getaffinity(0))
        with support.busy_loops(1, {cpu}):
            self.loops_of("static", "diet")
            _, cells, _ = self.measured("--rounds=6", "--count=1000")
        for name in ("static", "dietlibc"):
            self.assertGreater(min(cells[name]["metrics"]["others_share"]), 0.3)
        shown = self.forktax("report", "bench.json")
        self.assertIn(b"Other programs had the CPU during 12 of 12 measurements", shown.out)
        self.assertRegex(shown.out, rb"dietlibc .* x [0-9.]+\*")

    def loops_of(self, *linkages):
        """Only these linkages are measured."""
        for linkage in linkages:
            os.makedirs(f"loops/{linkage}")
            os.symlink(self.sample("forkloop", linkage), f"loops/{linkage}/forkloop")
        os.environ["FORKTAX_LOOPS"] = "loops"

    def test_no_such_measurement(self):
        self.assert_fails(self.forktax("bench", "spoon"), 2, "spoon")
        self.assert_fails(self.bench("operand"), 2, "operand")
        self.assert_fails(self.bench("--json", "--html"), 2, "exclude")
        self.assertEqual(self.forktax("bench").status, 2)

    def test_output_that_cannot_be_written(self):
        self.assert_fails(self.bench("-o", "/nowhere/x"), 125, "/nowhere/x")

    # What is missing

    def test_more_memory_than_there_is(self):
        self.sample("forkloop")
        result = self.bench(*QUICK, "--resident", "512G")
        self.assert_fails(result, 125, "this needs 512G of memory")
        self.assertEqual(result.out, b"")

    def test_no_loop_programs(self):
        os.mkdir("none")
        os.environ["FORKTAX_LOOPS"] = "none"
        self.assert_fails(self.bench(*QUICK), 125, "nothing could be measured", "FORKTAX_LOOPS")

    def test_a_missing_libc(self):
        """A row of its own, and how to get it; the others are measured."""
        self.loops_of("static")
        saved, cells, _ = self.measured()
        self.assertEqual(cells["static"]["state"], "measured")
        self.assertEqual(cells["musl"]["state"], "not available")
        self.assertEqual(len(cells["static"]["metrics"]["ns_per_op"]), saved["rounds"])
        shown = self.forktax("report", "bench.json").out
        self.assertIn(b"dietlibc: not available", shown)

    # What fails on the way

    def test_a_program_of_ones_own(self):
        loop = self.script("loop", LOOP)
        saved, cells, _ = self.only(loop)
        self.assertEqual(set(cells["static"]["metrics"]["ns_per_op"]), {1000})
        self.assertNotIn("cpu_ns_per_op", cells["static"]["metrics"])
        self.assertEqual(saved["rounds"], 3)

    def test_programs_that_do_not_keep_to_it(self):
        for name, text, words in (
                ("silent", "#!/bin/sh\n", "printed no line"),
                ("wrong", "#!/bin/sh\necho forktax-loop operations=1 elapsed_ns=x\n", "no number"),
                ("fails", "#!/bin/sh\necho no luck >&2\nexit 3\n", "no luck"),
                ("mute", "#!/bin/sh\nexit 3\n", "status 3"),
                ("killed", "#!/bin/sh\nkill -9 $$\n", "killed by signal 9"),
                ("noisy", "#!/bin/sh\nyes | head -c 300000\n", "printed no line"),
                ("hostile", "#!/bin/sh\nprintf '\\033[31mred\\n' >&2\nexit 1\n", r"\x1b[31mred")):
            with self.subTest(name):
                path = self.script(name, text)
                self.alone(path)
                result = self.bench(*QUICK)
                self.assert_fails(result, 125, words)
                self.assertEqual(result.out, b"")

    def test_one_row_fails_the_others_are_shown(self):
        loop = self.script("loop", LOOP)
        bad = self.script("bad", "#!/bin/sh\nexit 9\n")
        self.alone(bad, "musl")
        _, cells, result = self.only(loop, status=125)
        self.assertIn(b"1 of 7 cells failed", result.err)
        self.assertEqual(cells["static"]["state"], "measured")
        self.assertEqual((cells["musl"]["state"], cells["musl"]["metrics"]), ("failed", {}))

    def test_ignored_sigchld(self):
        """A loop that fails is noticed."""
        bad = self.script("bad", "#!/bin/sh\nexit 9\n")
        self.alone(bad)
        result = self.bench(*QUICK, preexec_fn=support.ignore_children)
        self.assert_fails(result, 125, "status 9")

    def test_fork_refused(self):
        """EAGAIN in the loop, then in forktax itself: the reason is shown, no process remains."""
        loop = self.sample("forkloop", "static")
        for processes in (2, 1):
            cgroup = Cgroup(self, "pids", {version: {"pids.max": processes} for version in (1, 2)})
            self.alone(loop)
            result = self.bench(*QUICK, prefix=cgroup.prefix)
            self.assert_fails(result, 125, "Resource temporarily unavailable")
            self.assertEqual(result.out, b"")
            cgroup.remove()

    def test_no_descriptors(self):
        loop = self.script("loop", LOOP)
        self.alone(loop)
        result = self.bench(*QUICK, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (7, 7)))
        self.assert_fails(result, 125, "Too many open files")

    def test_leftovers_are_ended(self):
        """What a loop leaves behind, in its group or out of it, is gone at the end."""
        for how in ("sleep 300 &", "setsid sleep 300 &"):
            loop = self.script("loop", LOOP + how + "\n")
            self.only(loop)
            self.assertEqual(list(support.descendants(os.getpid())), [])

    def test_jobs_of_the_shell_are_left_alone(self):
        """They are children of forktax once a shell has executed it."""
        loop = self.script("loop", LOOP + "setsid sleep 300 &\n")
        result = self.shell("sleep 300 >/dev/null 2>&1 & echo $! >job; exec $FORKTAX bench fork "
                            f"{' '.join((*QUICK, *self.alone(loop)))}")
        self.assertEqual(result.status, 0, result)
        left = list(support.descendants(os.getpid()))
        with open("job", encoding="ascii") as file:
            self.assertEqual(left, [int(file.read())])
        os.kill(left[0], signal.SIGKILL)

    # Ctrl-C

    def interrupted(self, *arguments, after, number=signal.SIGINT):
        process = self.start("bench", "fork", *arguments)
        self.assertTrue(support.wait_until(after))
        process.send_signal(number)
        result = self.finish(process)
        self.assertEqual(result.status, -number, result)
        return result

    def test_interrupt_prints_what_is_complete(self):
        loop = self.script("loop", LOOP + "echo >>rounds\nsleep 0.05\n")
        result = self.interrupted(
            *self.alone(loop), "--rounds", "1000", "-n", "1",
            after=lambda: os.path.exists("rounds") and os.path.getsize("rounds") > 6)
        self.assertIn(b"static", result.out)
        self.assertIn(b"was interrupted", result.out)

    def test_interrupt_before_the_first_round(self):
        loop = self.script("loop", "#!/bin/sh\necho >started\nexec sleep 300\n")
        begin = time.monotonic()
        result = self.interrupted(*self.alone(loop),
                                  after=lambda: os.path.exists("started"))
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(result.out, b"")
        self.assert_one_line(result.err, "interrupted before a round")

    @support.needs_root
    def test_interrupt_while_tracing(self):
        """The rounds are complete by then: all of them are shown, the traced loop is ended."""
        loop = self.script("loop", LOOP + "echo >>runs\n[ $(wc -l <runs) -lt 4 ] || sleep 300\n")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for _ in range(8): # of a busy machine, which may disturb a round: it is repeated, and the loop ends in that
                result = self.interrupted(
                    *self.alone(loop), "--rounds", "2", "-n", "1",
                    after=lambda: os.path.exists("runs") and os.path.getsize("runs") > 3, number=number)
                os.unlink("runs")
                if b"interrupted after 1 complete rounds" not in result.out:
                    break
            self.assertIn(b"2 complete rounds", result.out)
            self.assertIn(b"not counted per operation: interrupted before", result.out)

    @support.needs("perl")
    def test_interrupt_of_a_loop_in_another_group(self):
        """Whoever starts it cannot end it by its group, once it has left that for another one."""
        loop = self.script("loop", "#!/usr/bin/perl\nsetpgrp(0, getpgrp(getppid)) or die;\n"
                           "open F, '>started'; close F; sleep 300\n")
        self.interrupted(*self.alone(loop),
                         after=lambda: os.path.exists("started"))

    def test_killed_forktax_leaves_nothing(self):
        loop = self.script("loop", "#!/bin/sh\necho >started\nexec sleep 300\n")
        process = self.start("bench", "fork", *self.alone(loop))
        self.assertTrue(support.wait_until(lambda: os.path.exists("started")))
        process.kill()
        self.assertEqual(self.wait_alone(process), -signal.SIGKILL)

    # Saved measurements

    def test_damaged_files(self):
        loop = self.script("loop", LOOP)
        saved, _, _ = self.only(loop)
        for key in saved:
            damaged = {name: value for name, value in saved.items() if name != key}
            with open("damaged.json", "w", encoding="ascii") as file:
                json.dump(damaged, file)
            if key == "schema":
                continue  # nobody would take it for a bench
            result = self.forktax("report", "damaged.json")
            self.assert_fails(result, 125, key)


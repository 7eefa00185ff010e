# SPDX-License-Identifier: GPL-2.0-or-later
"""`forktax explain`: what it refuses, how it is interrupted, and what it says about odd commands."""
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

import support
from support import Case, ignore_children, needs, needs_root, wait_until

COSTS = ("syscall", "copy", "reuse", "fill", "zero_page", "map", "map_around", "file_copy",
         "page_table", "fork_page", "fork_call", "fork_table", "vma", "mapping", "fork", "vfork", "spawn",
         "symbol")
# Others may be at work: that is said, and no more.
BUSY = rb"\A(forktax explain: warning: Other programs[^\n]* used the CPUs for [^\n]*\n)?\Z"
WORTH_SAYING = 0.02  # what saves less of a start is not said
MANY_DIRECTORIES = 300  # so that looking there is worth saying of a start that waits for the CPU, too
HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled"


class ExplainCase(Case):
    def explain(self, *command, options=("-n3", "--traced-runs=1"), **popen):
        result = self.forktax("explain", "--json", "-o", "run.json", *options, "--", *command,
                              **popen)
        self.assertEqual((result.status, result.out), (0, b""))
        self.assertRegex(result.err, BUSY)
        return self.saved()

    @staticmethod
    def quiet(result):
        """Without the line that others were at work."""
        return result._replace(err=re.sub(rb"(?m)^forktax explain: warning: Other programs[^\n]*\n", b"",
                                          result.err))

    def advice_on_searches(self, start_of):
        """Of a start in which look-ups that fail take, without waiting, more than the share that is worth saying: S1
        must be there. On a busy machine one start may wait for the CPU for a hundred times as long as it runs."""
        for _ in range(10):
            start = start_of()
            times = [call["ns"] for call in start["calls"]
                     if call["reason"] in ("search", "search_directory") and call["result"] < 0]
            waits = 10 * statistics.median(times)
            ns = sum(min(ns, waits) for ns in times)
            if ns > WORTH_SAYING * start["marks"]["end_ns"]:
                return next(item for item in start["advice"] if item["rule"] == "S1"), times, ns
        self.fail(f"each of ten starts waited: of {start['marks']} the look-ups take {ns} ns")

    def advice(self, run, rule):
        return next((item for item in run["advice"] if item["rule"] == rule), None)


class Refused(ExplainCase):
    def test_usage(self):
        for words in ([], ["-p", "1", "true"], ["--duration=1", "true"], ["-p"], ["-p", "x"],
                      ["-n0", "true"], ["-nx", "true"], ["--duration=0", "-p1"],
                      ["--startup", "-p", "1"], ["--no-such-option", "true"],
                      ["--traced-runs=-1", "true"]):
            with self.subTest(words):
                self.assert_fails(self.forktax("explain", *words), 2)

    @needs_root
    def test_not_executable(self):
        self.assert_stanzas("""
            no-such-command     => not found""", 127, ["explain"])
        self.assert_stanzas("""
            /tmp                => /tmp""", 126, ["explain"])
        self.assert_stanzas("-o /no/such/directory/file true => /no/such", 125, ["explain"])

    @needs_root
    def test_no_such_process(self):
        self.assert_fails(self.forktax("explain", "-p", "4194303"), 125, "4194303")

    @needs_root
    @needs("setpriv")
    def test_without_privileges(self):
        result = self.forktax("explain", "touch", "ran",
                              prefix=("setpriv", "--reuid=65534", "--clear-groups"))
        self.assert_fails(result, 125, "tracing needs")
        self.assert_not_run()


@needs_root
class Odd(ExplainCase):
    def test_failing_command(self):
        for command, message in (("false", "status 1"), ("kill -KILL $$", "signal 9")):
            with self.subTest(command):
                self.assert_fails(self.forktax("explain", "sh", "-c", command), 125, message)
        result = self.forktax("explain", "-i", "--no-try", "false")
        self.assertEqual((result.status, result.err), (0, b""))

    def test_never_forks(self):
        run = self.explain("true")
        self.assertEqual(run["advice"], [])
        self.assertIn("never forks", run["verdict"])
        self.assertIn(b"never forks", self.forktax("report", "run.json").out)

    def test_answer_first(self):
        """The answer is one screen, with the best advice in its head; -v has the rest."""
        self.explain("bash", "-c", "for i in $(seq 20); do (:); done", options=("--no-try",))
        shown = self.forktax("report", "run.json").out.decode()
        self.assertLessEqual(len(shown.splitlines()), 40)
        self.assertLessEqual(max(map(len, shown.splitlines()[1:])), 80)
        for part in ("of overhead", "Best advice: ", "Where the ", "Causes of the overhead"):
            self.assertIn(part, shown)
        for part in ("Faults in the child", "Costs on this machine", "Cross-check"):
            self.assertNotIn(part, shown)
            self.assertIn(part, self.forktax("report", "-v", "run.json").out.decode())
        shown = self.forktax("report", "--show=causes", "run.json").out.decode()
        self.assertIn("code and constants of libc.so.6 are mapped again", shown)
        self.assertNotIn("Where the ", shown)

    def test_start_instead(self):
        """Without forks it is the start that is explained; with them, if it is asked for."""
        run = self.explain("true", options=("--no-try",))
        self.assertEqual(run["start"]["calls"][0]["name"], "execve")
        self.assertIn(b"Phases of the start", self.forktax("report", "run.json").out)
        self.assertNotIn("start", self.explain("sh", "-c", "true; true | true"))
        run = self.explain("sh", "-c", "true; true | true", options=("--no-try", "--startup"))
        image = run["processes"][0]["images"][0]
        self.assertEqual(len(run["start"]["calls"]), image["syscalls"])
        self.assertEqual(sum(phase["ns"] or 0 for phase in run["start"]["phases"].values()),
                         run["start"]["marks"]["end_ns"])

    def test_start_by_strace(self):
        """The same calls, without faults; and nothing else than a start."""
        by_ebpf = self.explain("true", options=("--no-try",))["start"]
        by_strace = self.explain("true", options=("--source=strace",))["start"]
        self.assertEqual([call["name"] for call in by_strace["calls"]],
                         [call["name"] for call in by_ebpf["calls"]])
        shown = self.forktax("explain", "--source=strace", "true").out
        self.assertIn(b"Phases of the start", shown)
        self.assertIn(b"ld.so finds and maps libraries", shown)
        self.assertIn(b"\nNext: see its page faults, main(), and what would shorten it", shown)
        self.assertIn(b"\nMore: -v", shown)
        self.assertLessEqual(len(shown.splitlines()), 40)
        self.assert_stanzas("""
            -k true             => -k
            -p 1                => have started already""", before=["explain", "--source=strace"])
        self.assert_stanzas("false => false failed", 125, ["explain", "--source=strace"])

    def test_start_that_ends_otherwise(self):
        """By a signal, or by another program; and one whose calls are too many to be listed."""
        for words, last in (("kill -KILL $$", "kill"), ("exec true", "execve")):
            run = self.explain("sh", "-c", words, options=("--no-try", "--startup", "-i"))
            self.assertEqual(run["start"]["calls"][-1]["name"], last)
        run = self.explain("dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=10000",
                           options=("--no-try",))
        start, image = run["start"], run["processes"][0]["images"][0]
        self.assertGreater(start["left_out"], 0)
        self.assertEqual(start["calls"][-1]["name"], "exit_group")
        self.assertEqual(sum(phase["calls"] for phase in start["phases"].values()),
                         image["syscalls"])
        self.assertIn(b"more calls are counted, not listed",
                      self.forktax("report", "-v", "run.json").out)

    def test_hostile_start(self):
        """Paths are text from outside."""
        name = "evil\x1b[2Jname\nline"
        with open(name, "w"):
            pass
        run = self.explain("cat", name, options=("--no-try",))
        self.assertIn(name, [call["path"] for call in run["start"]["calls"]])
        for option in ("-v", "--show=start-calls", "--csv"):
            self.assertNotIn(b"\x1b", self.forktax("report", option, "run.json").out)

    def start_advice(self, rule, *command, **more):
        run = self.explain(*command, **more)
        return next((item for item in run["start"]["advice"] if item["rule"] == rule), None)

    def assert_tried(self, advice, way):
        """Measured both ways, in an interval unless others had the CPU; which way it goes is not for
        a test."""
        self.assertEqual(advice["tried_with"], way)
        self.assertIn("CPU time of 6 runs", advice["tried"])
        self.assertIn("faults of 1 traced", advice["tried"])
        measured = advice["measured"]["ns"]
        if measured["low"] is None:
            self.assertIn("no interval", advice["tried"])
        else:
            self.assertLessEqual(measured["low"], measured["value"])
            self.assertLessEqual(measured["value"], measured["high"])
        self.assertIsNotNone(advice["measured"]["faults"])

    START_TRIED = ("--startup", "-n6", "--traced-runs=1")

    def compile_c(self, name, source, *options):
        if not shutil.which("cc"):
            self.skipTest("no C compiler")
        with open(name + ".c", "w") as file:
            file.write(source)
        subprocess.run(["cc", "-o", name, name + ".c", *options], check=True)
        return os.path.abspath(name)

    # ctest: all
    def test_start_bound_at_once(self):
        lazy = self.compile_c("lazy", "#include <stdlib.h>\n#include <math.h>\n"
                              "int main(int n, char **v) { return cos(atof(v[0])) > 2; }\n",
                              "-fno-builtin", "-Wl,-z,lazy", "-Wl,--no-as-needed", "-lm")
        advice = self.start_advice("S2", lazy, options=self.START_TRIED)
        self.assert_tried(advice, "LD_BIND_NOW=1")
        advice = self.start_advice("S2", lazy, options=self.START_TRIED,
                                   env=dict(os.environ, LD_BIND_NOW="1"))
        self.assertIsNone(advice)  # nothing waits for its first call then

    LOCALE = "import ctypes; ctypes.CDLL(None).setlocale(6, b'')"

    def python(self):
        """Not a script that stands for it."""
        path = os.path.realpath(sys.executable)
        if not os.path.basename(path).startswith("python"):
            self.skipTest(f"{path} is not python")
        return path

    # ctest: all
    def test_start_without_a_locale(self):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("LC_")}
        advice = self.start_advice("S3", self.python(), "-c", self.LOCALE,
                                   options=self.START_TRIED, env=dict(environment, LANG="C.UTF-8"))
        self.assert_tried(advice, "LC_ALL=C")
        self.assertIsNone(advice["predicted"]["ns"])

    # ctest: all
    def test_start_of_python(self):
        """Without site it takes fewer faults, as strace and wait4 would count them, too."""
        advice = self.start_advice("S5", self.python(), "-c", "pass", options=self.START_TRIED)
        self.assert_tried(advice, "-S")
        run = self.explain(self.python(), "-S", "-c", "pass", options=("--no-try",))
        with_site = self.explain(self.python(), "-c", "pass", options=("--no-try",))
        fewer = with_site["start"]["image_faults"] - run["start"]["image_faults"]
        self.assertEqual(advice["measured"]["faults"]["value"] > 0, fewer > 0)
        self.assertNotIn("S5", [item["rule"] for item in run["start"]["advice"]])

    # ctest: all
    def test_start_that_needs_what_is_left_out(self):
        """What makes the command end in another way is said, not measured, and ends nothing."""
        script = "import sys; sys.exit('site' not in sys.modules)"
        advice = self.start_advice("S5", self.python(), "-c", script, options=self.START_TRIED)
        self.assertEqual((advice["tried_with"], advice["tried"]), ("-S", "with it the command ends differently"))
        self.assertIsNone(advice["measured"]["ns"])
        # A script takes the option for its own.
        with open("script", "w") as file:
            file.write(f"#!{self.python()}\npass\n")
        os.chmod("script", 0o755)
        advice = self.start_advice("S5", "./script", options=self.START_TRIED)
        self.assertIn("the command is a script", advice["tried"])

    def test_start_that_searches(self):
        """As many failures as there are directories, and their subdirectories, without the library."""
        names = [f"no{i}" for i in range(100)] + ["there"]
        for name in names:
            os.mkdir(name)
        self.compile_c("there/libfar.so", "int far(void) { return 0; }\n", "-shared", "-fPIC")
        self.compile_c("main", "int far(void); int main(void) { return far(); }\n", "-Lthere",
                       "-lfar", "-Wl,-rpath," + ":".join(map(os.path.abspath, names)))
        advice, times, ns = self.advice_on_searches(lambda: self.explain("./main", options=("--no-try",))["start"])
        self.assertGreaterEqual(len(times), 100)
        self.assertIn(f"and fail: {len(times)},", advice["evidence"])
        self.assertEqual(advice["predicted"]["ns"]["high"], sum(times))
        self.assertAlmostEqual(advice["predicted"]["ns"]["value"], ns, delta=1)

    def memory_of(self, *options):
        """The parent's mapping of 64 MiB, as it was counted."""
        run = self.explain(self.sample("forkloop"), "-n", "50", "-r", "65536", *options,
                           options=("--no-try",))
        return next(vma for vma in run["layouts"][0]["vmas"]
                    if vma["place"] == "anon" and vma["end"] - vma["start"] >= 64 << 20)

    def test_large_memory(self):
        """More pages than a page map shows are counted all the same, and huge ones as such."""
        memory = self.memory_of()
        self.assertIsNone(memory["pages"])
        self.assertGreaterEqual(memory["own"], 16384)
        self.assertEqual((memory["present"], memory["huge"], memory["kept_out"]),
                         (memory["own"], 0, False))

    def largest_mapping(self, script):
        """Of the parents of a script. A parent that ends before its mappings are read has only some of them: once more."""
        for _ in range(10):
            run = self.explain("python3", "-c", script, options=("--no-try",))
            # Not of the first group: `python3` may be a script that forks, too, and slower ones stand first.
            vmas = [vma for layout in run["layouts"] for vma in layout["vmas"]]
            largest = max(vmas, key=lambda vma: vma["end"] - vma["start"], default=None)
            if largest and largest["own"] is not None:
                return largest
        self.fail("each of ten parents ended before its mappings were read")

    def test_wiped_memory(self):
        """Fork copies nothing of what children find wiped."""
        script = ("import mmap, os, time\n"
                  "memory = mmap.mmap(-1, 64 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\n"
                  "memory.write(b'x' * (64 << 20))\n"
                  "if ADVICE: memory.madvise(ADVICE)\n"
                  "if os.fork() == 0: os._exit(0)\n"
                  "os.wait()\n"
                  "time.sleep(0.2)\n")
        for advice, wiped in ((0, False), (18, True)): # MADV_WIPEONFORK
            largest = self.largest_mapping(script.replace("ADVICE", str(advice)))
            self.assertGreaterEqual(largest["own"], 16384)
            self.assertEqual(largest["kept_out"], wiped)

    def test_huge_memory(self):
        try:
            with open(HUGE_PAGES) as file:
                if "[never]" in file.read():
                    self.skipTest("this system gives no huge pages")
        except OSError:
            self.skipTest("this kernel has no huge pages")
        memory = self.memory_of("-H")
        # What does not begin or end on a huge page is in small ones.
        self.assertGreaterEqual(memory["huge"], 16384 - 2 * 512)
        self.assertGreaterEqual(memory["own"], 16384)

    def test_many_pages(self):
        """Where lines of single pages leave most of the time out, sections tell where it is."""
        self.explain(self.sample("manypages"), options=("--no-try",))
        shown = self.forktax("report", "-v", "run.json").out.decode()
        self.assertIn("The same by section, per child: manypages, fork, no exec", shown)
        self.explain(self.sample("forkloop"), "-n", "5", options=("--no-try",))
        self.assertNotIn("The same by section", self.forktax("report", "-v", "run.json").out.decode())

    # A store, whose child reads all of it, and one whose child would have none of it.
    STORE = ("import mmap, os, sys\n"
             "memory = mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\n"
             "memory.write(b'x' * len(memory))\n"
             "if 'dontfork' in sys.argv: memory.madvise(mmap.MADV_DONTFORK)\n"
             "child = os.fork()\n"
             "if child == 0: os._exit(sum(memory[::4096]) != ord('x') << 14)\n"
             "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n")

    def test_memory_that_a_child_reads(self):
        """It takes no fault for that; but without the memory it is killed, so that is no advice."""
        for argument, status in ((), "0"), (("dontfork",), str(-signal.SIGSEGV)):
            done = subprocess.run([self.python(), "-c", self.STORE, *argument], capture_output=True, text=True,
                                  check=True)
            self.assertEqual(done.stdout.strip(), status)
        self.explain(self.python(), "-c", self.STORE, options=("--no-try",))
        for level in ((), ("-v",)):
            shown = self.forktax("report", *level, "run.json").out.decode()
            self.assertIn("page tables", " ".join(shown.split()))
            self.assertNotIn("DONTFORK", shown)

    def test_start_without_ld_so(self):
        """It is told by the same clock as one with ld.so."""
        for linkage in ("dynamic", "static", "static-pie", "musl", "diet"):
            if not os.path.exists(self.sample("getppidloop", linkage)):
                continue
            with self.subTest(linkage):
                self.explain(self.sample("getppidloop", linkage), "-n", "1")
                shown = " ".join(self.forktax("report", "run.json").out.decode().split())
                self.assertRegex(shown, r"takes [0-9.]+ [mu]?s before main\(\) \(not traced, median\): [0-9.]+ % of")

    def test_start_of_a_wrapper(self):
        """It ends when the wrapper executes something, not when that ends."""
        run = self.explain("sh", "-c", "exec sleep 0.6", options=("--startup", "-n1", "--traced-runs=1"))
        shown = " ".join(self.forktax("report", "run.json").out.decode().split())
        whole = re.search(r"\((?:not )?traced[^)]*\): [0-9.]+ % of the ([0-9.]+) (us|ms|s) until it executes another",
                          shown)
        seconds = float(whole[1]) * {"us": 1e-6, "ms": 1e-3, "s": 1}[whole[2]]
        self.assertLess(seconds, 0.6, shown)
        self.assertAlmostEqual(seconds, run["start"]["marks"]["end_ns"] / 1e9, delta=0.01 * seconds)

    def test_shares_of_threads(self):
        """What threads wait for side by side is no share of the time on the clock."""
        threads = ("import threading, time\n"
                   "all = [threading.Thread(target=time.sleep, args=(0.3,)) for _ in range(8)]\n"
                   "[one.start() for one in all]\n[one.join() for one in all]\n")
        self.explain(self.python(), "-c", threads, options=("--startup", "--no-try"))
        shown = self.forktax("report", "--show=causes", "--top=20", "run.json").out.decode()
        for row in re.findall(r"(?m)^ *[0-9.]+ +([0-9.]+) .*[a-z]", shown):
            self.assertLessEqual(float(row), 100, shown)

    def test_memory_behind_a_library(self):
        """A large mapping lies right behind the library mapped last, and is not its .bss."""
        # So many forks that they are a large part of the run time, of which a busy machine has them wait.
        script = ("import ctypes, os\n"
                  "memory = bytearray(64 << 20)\n"
                  "for _ in range(20):\n"
                  "    if os.fork() == 0: os._exit(0)\n"
                  "    os.wait()\n")
        run = self.explain(self.python(), "-c", script, options=("--no-try",))
        large = [vma for layout in run["layouts"] for vma in layout["vmas"]
                 if vma["end"] - vma["start"] > 60 << 20 and vma["place"] in ("bss", "anon")]
        self.assertTrue(large)
        self.assertEqual({vma["place"] for vma in large}, {"anon"})

    def test_musl(self):
        self.explain(self.sample("forkloop", "musl-dyn"), "-n", "5", options=("--no-try",))
        shown = b" ".join(self.forktax("report", "-v", "run.json").out.split())
        self.assertIn(b"musl's C library and dynamic linker are one file", shown)

    def test_interpreter(self):
        """What opens modules as it runs is not called static."""
        run = self.explain("perl", "-MPOSIX", "-e",
                           "for (1..30) { fork or POSIX::_exit(0); wait }",
                           options=("--no-try",))
        opened = {os.path.basename(one["object"]) for one in run["bindings"] if one["opened"]}
        self.assertIn("POSIX.so", opened)
        self.assertNotIn("libc.so.6", opened)
        self.assertNotIn("perl", opened)
        self.assertIsNone(self.advice(run, "A2"))

    def test_forks_once(self):
        run = self.explain("sh", "-c", "sleep 0.2 & wait")
        self.assertRegex(run["verdict"], r"The only fork of .* takes .* \(not traced\)\. Forks are a small part of the run\.")

    def test_runs_once(self):
        self.explain("sh", "-c", "echo x >> ran; exec " + self.sample("forkloop"),
                     options=["--no-try"])
        with open("ran", encoding="utf-8") as file:
            self.assertEqual(file.read(), "x\n")

    def test_output_of_command_does_not_show(self):
        result = self.forktax("explain", "--no-try", "sh", "-c", "echo MARK; echo MARK >&2")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertNotIn(b"\nMARK", result.out)

    def test_every_cost_is_measured(self):
        costs = self.explain("true")["costs"]
        costs.pop("fork_huge") # there are systems without huge pages,
        costs.pop("fork_uncached") # and with little memory
        self.assertEqual(set(costs), set(COSTS))
        for name, cost in costs.items():
            self.assertLess(0, cost["value"], name)
            self.assertLessEqual(cost["low"], cost["value"], name)
            self.assertLessEqual(cost["value"], cost["high"], name)

    def test_ignored_sigchld(self):
        """Children that nobody reaps, forktax's own included."""
        result = self.forktax("explain", "--no-try", "true", preexec_fn=ignore_children)
        self.assertEqual((result.status, result.err), (0, b""))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            result = self.forktax("explain", "--no-try", "true", stdout=full)
        self.assert_fails(result, 125, "No space left")


@needs_root
class Tried(ExplainCase):
    def test_binding(self):
        """The faults that binding takes are those that are gone when everything is bound."""
        run = self.explain(self.sample("forkloop"), "-n", "300")
        advice = self.advice(run, "A1")
        self.assertIn("_exit", advice["evidence"])
        recorded = sum(one["children"] for one in run["sampling"]["samples"])
        self.assertGreaterEqual(run["sampling"]["got_reads"], 2 * (recorded - 1))
        self.assertGreater(run["sampling"]["got_ns"], 0)
        self.assertGreaterEqual(advice["predicted"]["faults"]["value"], 7)
        self.assertAlmostEqual(advice["predicted"]["faults"]["value"],
                               advice["measured"]["faults"]["value"], delta=0.1)
        self.assertEqual(advice["tried_with"], "LD_BIND_NOW=1")
        self.assertIsNotNone(advice["measured"]["ns"])

    # ctest: all
    def test_nothing_to_bind(self):
        for linkage in ("now", "static", "musl"):
            with self.subTest(linkage):
                run = self.explain(self.sample("forkloop", linkage), "-n", "300")
                self.assertIsNone(self.advice(run, "A1"))

    def test_not_tried(self):
        run = self.explain(self.sample("forkloop"), "-n", "300", options=["--no-try"])
        advice = self.advice(run, "A1")
        self.assertIsNone(advice["measured"]["faults"])
        self.assertIn("--no-try", advice["tried"])

    def test_environment(self):
        """One setting is added, and what was set before stays."""
        script = f'echo "$GLIBC_TUNABLES $LD_BIND_NOW" >> seen; exec {self.sample("forkloop")} -n 300'
        self.explain("sh", "-c", script,
                     env={**os.environ, "GLIBC_TUNABLES": "glibc.malloc.arena_max=2"})
        with open("seen", encoding="utf-8") as file:
            seen = set(file.read().splitlines())
        self.assertLessEqual({"glibc.malloc.arena_max=2 ", "glibc.malloc.arena_max=2 1"}, seen)
        rest = seen - {"glibc.malloc.arena_max=2 ", "glibc.malloc.arena_max=2 1"}
        self.assertLessEqual(rest, {"glibc.malloc.arena_max=2:glibc.pthread.rseq=0 "})

    def test_setting_that_breaks_the_command(self):
        script = f'[ -z "$LD_BIND_NOW" ] || exit 3; exec {self.sample("forkloop")} -n 300'
        self.assert_fails(self.forktax("explain", "-n1", "--traced-runs=1", "sh", "-c", script), 125,
                          "LD_BIND_NOW=1", "status 3")
        run = self.explain("sh", "-c", script, options=["-i", "-n3", "--traced-runs=1"])
        advice = self.advice(run, "A1")
        self.assertEqual(advice["measured"], {"faults": None, "ns": None})
        self.assertIn("the command ends differently", advice["tried"])


@needs_root
class Attached(ExplainCase):
    def test_running_process(self):
        loop = subprocess.Popen([self.sample("forkloop"), "-n", "1000000"])
        try:
            result = self.forktax("explain", "-p", str(loop.pid), "--duration=0.5", "--json",
                                  "-o", "run.json")
            counting = f"forktax explain: counting process {loop.pid}\n".encode()
        finally:
            loop.kill()
            loop.wait()
        self.assertEqual((result.status, result.err), (0, counting))
        advice = self.advice(self.saved(), "A1")
        self.assertIn("_exit", advice["evidence"])
        self.assertIn("another start", advice["tried"])

    def test_ended_by_a_signal(self):
        sleeper = subprocess.Popen(["sleep", "60"])
        process = self.start("explain", "-p", str(sleeper.pid))
        self.assertEqual(self.next_line(process),
                         b"forktax explain: counting process %d until Ctrl-C\n" % sleeper.pid)
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        sleeper.kill()
        sleeper.wait()
        self.assertIn(b"did not fork while they were counted", result.out)


@needs_root
class Interrupted(ExplainCase):
    def test_while_it_measures_costs(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                process = self.start("explain", "-o", "report", "touch", "ran")
                time.sleep(0.3)
                process.send_signal(number)
                result = self.finish(process)
                self.assertEqual(result.status, -number)
                self.assertEqual(result.err, b"" if number == signal.SIGKILL else
                                 b"forktax explain: interrupted before a round was complete\n")
                self.assertFalse(os.path.exists("report"))
                self.assert_not_run()

    # ctest: all
    def test_while_it_tries(self):
        """What was found before is shown; no command is left."""
        script = f'echo >> runs; sleep 0.3; exec {self.sample("forkloop")} -n 300'
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process = self.start("explain", "-i", "--json", "-o", "run.json", "sh", "-c",
                                     script, start_new_session=True)
                self.assertTrue(wait_until(lambda: os.path.exists("runs") and
                                           os.path.getsize("runs") >= 3))
                os.killpg(process.pid, number)
                result = self.finish(process, timeout=20)
                self.assert_fails(result, -number, "before a round was complete")
                advice = self.advice(self.saved(), "A1")
                self.assertIn("interrupted before", advice["tried"])
                self.assertEqual(advice["measured"], {"faults": None, "ns": None})
                os.unlink("runs")

    def test_after_some_rounds(self):
        """Rounds that were complete count."""
        script = "echo >> runs; [ $(wc -l < runs) -lt 30 ] || { touch ready; exec sleep 60; }; " \
                 f"exec {self.sample('forkloop')} -n 300"
        process = self.start("explain", "-n20", "--json", "-o", "run.json", "sh", "-c", script)
        # With one variant or with eight, a timed round is complete by the thirtieth run and no traced one
        # has begun. How many are tried depends on what they are predicted to save on this machine.
        wait_until(lambda: os.path.exists("ready") or process.poll() is not None, 180)
        self.assertTrue(os.path.exists("ready"), process.poll() is None or self.finish(process))
        process.send_signal(signal.SIGINT)
        result = self.quiet(self.finish(process, timeout=20))
        self.assert_fails(result, -signal.SIGINT, "0 of 6 traced")
        rounds = int(re.search(rb"(\d+) of 20 timed rounds", result.err).group(1))
        self.assertGreater(rounds, 0)
        advice = self.advice(self.saved(), "A1")
        self.assertIn(f"CPU time of {rounds} runs each way, alternating", advice["tried"])
        self.assertIsNotNone(advice["measured"]["ns"])
        self.assertIsNone(advice["measured"]["faults"])

    def test_at_the_first_look(self):
        process = self.start("explain", "-o", "report", "sh", "-c", "touch ready; exec sleep 60",
                             start_new_session=True)
        self.assertTrue(wait_until(lambda: os.path.exists("ready")))
        os.killpg(process.pid, signal.SIGINT)
        self.assert_fails(self.finish(process), -signal.SIGINT, "before a round was complete")
        self.assertFalse(os.path.exists("report"))


@needs_root
@needs("cc")
class StartEvidence(ExplainCase):
    """A reason or advice for a start needs more than a path: each where it holds, and where the path misleads."""

    def start_of(self, *command, options=("--startup", "--no-try"), **more):
        return self.explain(*command, options=options, **more)["start"]

    @staticmethod
    def reasons(start, path):
        """Of the calls on that path, and on descriptors of it."""
        names = (path, os.path.basename(path))
        return {call["reason"] for call in start["calls"] if call["path"] == path or call["subject"] in names}

    @staticmethod
    def rules(start):
        return {advice["rule"] for advice in start["advice"]}

    def build(self, name, source, *options):
        with open(f"{name}.c", "w", encoding="utf-8") as file:
            file.write(source)
        subprocess.run(["cc", "-o", name, f"{name}.c", *options], check=True)
        return f"./{name}"

    def read_it(self, *paths):
        """A program that opens files by itself, as most do, and reads them in small pieces."""
        lines = "".join(f'read_file("{path}");' for path in paths)
        return self.build("reader", "#include <fcntl.h>\n#include <unistd.h>\n"
                          "static void read_file(const char *path)\n{\n"
                          "char c[16]; int file = open(path, O_RDONLY);\n"
                          "while (read(file, c, sizeof(c)) > 0);\nclose(file);\n}\n"
                          f"int main(void) {{ {lines} return 0; }}\n")

    # ctest: all
    def test_operands_of_the_command(self):
        for path in ("/etc/passwd", "/etc/group", "/etc/hosts"):
            start = self.start_of("cat", path)
            self.assertEqual(self.reasons(start, path), {"file"})
            self.assertNotIn("S14", self.rules(start))
        start = self.start_of(self.read_it("/etc/nsswitch.conf", "/etc/passwd"))
        self.assertEqual(self.reasons(start, "/etc/nsswitch.conf") | self.reasons(start, "/etc/passwd"), {"file"})

    def test_name_service(self):
        asking = self.build("asking", "#include <pwd.h>\nint main(void) { return !getpwuid(0); }\n")
        start = self.start_of(asking)
        for path in ("/etc/nsswitch.conf", "/etc/passwd"):
            self.assertEqual(self.reasons(start, path), {"nss"})

    def test_directories_called_locale(self):
        for directory in ("srv/locale", "srv/gconv", "srv/terminfo", "srv/locale/LC_x"):
            os.makedirs(directory, exist_ok=True)
            with open(f"{directory}/en.json", "w", encoding="utf-8") as file:
                file.write("{}\n" * 100)
        here = os.getcwd()
        paths = [f"{here}/srv/{name}/en.json" for name in ("locale", "gconv", "terminfo", "locale/LC_x")]
        start = self.start_of(self.read_it(*paths, f"{here}/srv/locale/none.json"),
                              options=("--startup", "-n6", "--traced-runs=1"))
        for path in paths:
            self.assertEqual(self.reasons(start, path), {"file"})
        self.assertNotIn("S3", self.rules(start))

    def test_files_of_a_locale_that_are_read(self):
        paths = ("/usr/lib/locale/C.utf8/LC_CTYPE", "/usr/share/locale/locale.alias", "/etc/localtime")
        start = self.start_of(self.read_it(*paths))
        for path in paths:
            self.assertEqual(self.reasons(start, path), {"file"})
        self.assertNotIn("S3", self.rules(start))

    def test_files_of_the_system_used_by_the_program_itself(self):
        """Opened and mapped as the C library does it, by other code."""
        names = ("/usr/lib/locale/C.utf8/LC_CTYPE", "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd")
        start = self.start_of(self.build("own", """#include <fcntl.h>
#include <sys/mman.h>
int main(void)
{
	int fd = open("/usr/lib/locale/C.utf8/LC_CTYPE", O_RDONLY | O_CLOEXEC);

	open("/etc/localtime", O_RDONLY | O_CLOEXEC);
	open("/etc/nsswitch.conf", O_RDONLY | O_CLOEXEC);
	open("/etc/passwd", O_RDONLY | O_CLOEXEC);
	return mmap(0, 1, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED;
}
"""))
        for path in names:
            self.assertEqual({call["reason"] for call in start["calls"] if call["path"] == path}, {"file"}, path)

    def test_locale_and_time_zone(self):
        """What the C library does for setlocale, iconv, gettext and localtime."""
        program = self.build("local", """#include <iconv.h>
#include <libintl.h>
#include <locale.h>
#include <time.h>
int main(void)
{
	time_t now = 0;
	setlocale(LC_ALL, "");
	textdomain("libc");
	gettext("Success");
	localtime(&now);
	return iconv_open("UTF-16", "UTF-8") == (iconv_t)-1;
}
""")
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("LC_", "TZ", "LANGUAGE"))}
        start = self.start_of(program, env=dict(environment, LANG="C.UTF-8"))
        by_reason = {}
        for call in start["calls"]:
            if call["path"]:
                by_reason.setdefault(call["reason"], set()).add(call["path"])
        self.assertIn("/usr/lib/locale/C.utf8/LC_CTYPE", by_reason["locale"])
        self.assertIn("/etc/localtime", by_reason["time_zone"])
        self.assertTrue(any("gconv-modules" in path for path in by_reason["gconv"]), by_reason)
        self.assertIn("S3", self.rules(start))

    def searching(self, directories):
        self.build("libfar.so", "int far(void) { return 0; }\n", "-shared", "-fPIC")
        for directory in directories:
            os.makedirs(directory, exist_ok=True)
        os.rename("libfar.so", f"{directories[-1]}/libfar.so")
        return self.build("far", "int far(void); int main(void) { return far(); }\n", f"-L{directories[-1]}",
                          "-lfar", "-Wl,-rpath," + ":".join(map(os.path.abspath, directories)))

    def test_searches_of_a_variable(self):
        """What LD_LIBRARY_PATH makes ld.so try is not said of RUNPATH, which the program has not."""
        for number in range(MANY_DIRECTORIES):
            os.makedirs(f"no{number}", exist_ok=True)
        program = self.build("plain", "int main(void) { return 0; }\n")
        directories = ":".join(os.path.abspath(f"no{number}") for number in range(MANY_DIRECTORIES))
        advice, _, _ = self.advice_on_searches(
            lambda: self.start_of(program, env={**os.environ, "LD_LIBRARY_PATH": directories}))
        self.assertIn("LD_LIBRARY_PATH", advice["action"])
        self.assertNotIn("RUNPATH", advice["action"])
        self.assertNotIn("linked again", advice["tried"])

    def test_directory_with_so_in_its_name(self):
        start = self.start_of(self.searching(["acme.solver", "libx.so.d", "libs"]))
        reasons = {call["path"]: call["reason"] for call in start["calls"] if call["path"]}
        for name in ("acme.solver", "libx.so.d"):
            self.assertEqual(reasons[os.path.abspath(name)], "search_directory")
        self.assertLessEqual({"libfar.so"}, {search["name"] for search in start["searches"]})
        for search in start["searches"]:
            self.assertRegex(search["name"], r"\.so(\.|$)")

    def test_questions_of_the_linker(self):
        """In a RUNPATH that two objects share, ld.so asks for the same directories; the program asks nothing."""
        program = self.searching([f"no{i}" for i in range(MANY_DIRECTORIES)] * 2 + ["libs"])
        starts = []
        self.advice_on_searches(lambda: starts.append(self.start_of(program)) or starts[-1])
        self.assertNotIn("S7", self.rules(starts[-1]))

    # ctest: all
    def test_tried_in_vain(self):
        """What was tried and saves nothing is reported, and is no advice: to bind 3,000 functions that nobody calls."""
        names = [f"function{i}" for i in range(3000)]
        self.build("libmany.so", "".join(f"void {name}(void) {{}}\n" for name in names), "-shared", "-fPIC")
        program = self.build("many", "".join(f"void {name}(void);\n" for name in names) +
                             "int main(int n, char **v)\n{\nif (n < 9) return 0;\n" +
                             "".join(f"{name}();\n" for name in names) + "return 0;\n}\n",
                             "-Wl,-z,lazy", "-L.", "-lmany", "-Wl,-rpath,$ORIGIN")
        start = self.start_of(program, options=("--startup", "-n20", "--traced-runs=1"))
        advice, = (item for item in start["advice"] if item["rule"] == "S2")
        text = " ".join(self.forktax("report", "-v", "run.json").out.decode().split())
        low, faults = (advice["measured"][key] for key in ("ns", "faults"))
        if low["low"] is None or low["low"] > 0 or faults["value"] > 0:
            self.skipTest(f"this machine says otherwise: {advice['measured']}")
        self.assertRegex(text, "S2: symbols are bound one by one, when they are first called. Tried(, no saving of time "
                               "shown| and slower, what it saves is negative): us")
        self.assertNotIn("LD_BIND_NOW=1 (its children inherit that)", text)

    def test_settings_shift_no_stack(self):
        """What is tried beside the command as it is has as many bytes in its environment, pointers included."""
        program = self.build("sizes", "#include <stdio.h>\n#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
                             "extern char **environ;\nint main(void)\n{\nFILE *file = fopen(\"sizes.txt\", \"a\");\n"
                             "size_t all = 0, padded = 0;\nfor (char **entry = environ; *entry; entry++) {\n"
                             "all += strlen(*entry) + 9; padded |= !strncmp(*entry, \"FORKTAX_P\", 9); }\n"
                             "fprintf(file, \"%zu %zu\\n\", padded, all); fclose(file);\n"
                             "for (int i = 0; i < 50; i++) { if (!fork()) _exit(0); wait(0); }\nreturn 0;\n}\n", "-Wl,-z,lazy")
        run = self.explain(program, options=("-n6", "--traced-runs=1"))
        self.assertIn("LD_BIND_NOW=1", [advice["tried_with"] for advice in run["advice"]])
        with open("sizes.txt", encoding="ascii") as file:
            sizes = [line.split()[1] for line in file if line.startswith("1 ")]
        self.assertGreaterEqual(len(sizes), 12)
        self.assertEqual(len(set(sizes)), 1, sizes)

    def test_32_bit(self):
        """It has its phases: its auxiliary vector and its return address are of other words."""
        words = "int main(void) { for (volatile int i = 0; i < 1000; i++); return 0; }\n" \
                '__asm__(".globl _start\\n_start: call main\\nmov $1, %eax\\nxor %ebx, %ebx\\nint $0x80\\n");\n'
        with open("narrow.c", "w", encoding="ascii") as file:
            file.write(words)
        made = subprocess.run(["cc", "-m32", "-O1", "-ffreestanding", "-static", "-nostdlib", "-o", "narrow", "narrow.c"],
                              capture_output=True, check=False)
        if made.returncode:
            self.skipTest("cc makes no 32-bit programs here")
        start = self.start_of("./narrow", options=("--startup", "--no-try", "--no-time"))
        self.assertIsNone(start["unmarked"])
        self.assertEqual(start["phases"]["program"]["ns"] or 0, 0)
        self.assertLess(start["marks"]["main_ns"], start["marks"]["returned_ns"])

    def test_set_user_id(self):
        """The kernel ends what a user could watch such a program by."""
        if os.statvfs(".").f_flag & os.ST_NOSUID:
            self.skipTest("set-user-id is off for this file system")
        shutil.copy("/bin/true", "true")
        os.chown("true", support.NOBODY, -1)
        os.chmod("true", 0o4755)
        start = self.start_of("./true", options=("--startup", "--no-try", "--no-time"))
        self.assertIn("set-user-ID", start["unmarked"])

    def test_nothing_waits_for_its_first_call(self):
        """-fno-plt leaves the program no slots."""
        program = self.build("noplt", "#include <unistd.h>\nint main(void) { return getppid() == 0; }\n",
                             "-fno-plt", "-Wl,-z,lazy")
        self.assertNotIn("S2", self.rules(self.start_of(program)))


@needs_root
@needs("strace", "setarch")
class StartCalls(Case):
    """The list of the calls of a start, beside strace of the same command: the same calls, in the same words."""

    ADDRESS = re.compile("0x[0-9a-f]{5,}$")

    def arguments(self, text):
        """Those of a call, split at the commas that are in no string, struct or array; without comments."""
        words, depth, quoted, begin = [], 0, False, 0
        text = re.sub(r" /\*.*?\*/", "", text)
        for at, letter in enumerate(text):
            if letter == '"' and text[at - 1] != "\\":
                quoted = not quoted
            elif not quoted:
                depth += (letter in "{[") - (letter in "}]")
                if letter == "," and not depth:
                    words.append(text[begin:at].strip())
                    begin = at + 1
        return [word for word in words + [text[begin:].strip()] if word]

    def listed(self, *command):
        result = self.forktax("explain", "--startup", "--no-try", "--no-time", "--show=start-calls",
                              *command)
        self.assertEqual(result.status, 0, result)
        found = re.findall(r"^ +[\d.-]+ +(?:S\d+ +)?(\w+)\((.*?)\) = (\S+)(?: E\w+)? \(", result.out.decode(), re.M)
        return [(name, self.arguments(arguments), value) for name, arguments, value in found]

    def by_strace(self, *command):
        subprocess.run(["setarch", "-R", "strace", "-qq", "-s", "300", "-o", "log", *command], check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open("log", encoding="utf-8") as log:
            found = [re.match(r"(\w+)\((.*)\) += (\S+)", line) for line in log]
        return [(line[1], self.arguments(line[2]), line[3]) for line in found if line]

    def assert_same(self, *command):
        ours, theirs = self.listed(*command), self.by_strace(*command)
        self.assertEqual([name for name, *_ in ours], [name for name, *_ in theirs])
        compared = 0
        for (name, here, result), (_, there, expected) in zip(ours, theirs):
            for one, other in zip(here, there):
                if other[0] in "{[" or self.ADDRESS.match(one) or self.ADDRESS.match(other):
                    continue  # contents of memory, or where it lies
                self.assertEqual(one, other, (name, here, there))
                compared += 1
            if not self.ADDRESS.match(result) and name not in ("set_tid_address", "getpid", "getppid", "gettid"):
                self.assertEqual(*(text if text in ("-1", "?") else int(text, 0) for text in (result, expected)),
                                 (name, here, there))
        return compared

    def test_calls_in_the_words_of_strace(self):
        self.assertGreater(self.assert_same("ls", "/"), 200)
        self.assertGreater(self.assert_same("sort", "/dev/null"), 100)
        for linkage in ("dynamic", "static", "musl"):
            self.assertGreater(self.assert_same(self.sample("true", linkage)), 2)

    @needs("bash", "python3")
    def test_calls_of_interpreters(self):
        self.assertGreater(self.assert_same("bash", "-c", ":"), 100)
        self.assertGreater(self.assert_same("python3", "-I", "-S", "-c", "pass"), 300)

    def test_one_line_each(self):
        """On a terminal none is broken, and none is wider."""
        terminal = support.Terminal("explain", "--startup", "--no-try", "--no-time", "--show=start-calls",
                                    "ls", columns=80, NO_COLOR="1")
        status, shown = terminal.rest()
        self.assertEqual(status, 0, shown)
        lines = re.sub(r"[^\n]*\x1b\[K", "", shown.decode().replace("\r\n", "\n")).split("Calls of the start")[1].splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertTrue(any(line.endswith("...") for line in lines))
        self.assertLess(len(lines), 1.3 * len(self.listed("ls")))

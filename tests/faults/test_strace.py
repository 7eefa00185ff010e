# SPDX-License-Identifier: GPL-2.0-or-later
"""The source strace, as an ordinary user: as root these tests become nobody."""
import os
import re
import shutil
import signal
import stat as modes
import subprocess
import time
import unittest

from support import NOBODY, PATIENCE_S, Case, children, is_alive, needs, needs_root, stat, wait_until
import support

ORDINARY = [] if os.geteuid() else ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}",
                                    "--clear-groups"]
# What the kernel adds to wait4's sum between the gate and the execve, where eBPF begins to count.
TRIES = 10  # of what a busy machine disturbs now and then
AT_THE_GATE = 3
KILLED = 100


def tracer_of(pid):
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return int(re.search(r"^TracerPid:\s*(\d+)", file.read(), re.M).group(1))
    except OSError:
        return None


def named(name):
    """Pids of the processes with that name."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                if file.read().strip() == name:
                    yield int(pid)
        except OSError:
            pass


@needs("strace", *ORDINARY[:1])
class Strace(Case):
    def setUp(self):
        super().setUp()
        # The user may not be able to reach the directory of the build.
        self.copy = shutil.copy(support.FORKTAX, "forktax")
        os.chmod(self.copy, 0o755)
        if subprocess.run([*ORDINARY, "./forktax", "--version"], capture_output=True,
                          check=False).returncode:
            self.skipTest("nobody cannot execute a file in the directory for temporary files")

    def begin(self, *arguments, prefix=ORDINARY, **popen):
        popen.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen([*prefix, "./forktax", *arguments], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **popen)

    def as_user(self, *arguments, data=None, **popen):
        if data is not None:
            popen["stdin"] = subprocess.PIPE
        return self.finish(self.begin(*arguments, **popen), data)

    def counted(self, *command, options=(), status=0):
        """The saved run of a command by strace."""
        result = self.as_user("run", "--source=strace", "--json", "-o", "run.json", *options, "--",
                              *command)
        self.assertEqual((result.status, result.err), (status, b""), result)
        return self.saved()

    def started_sleep(self, *options):
        """forktax with `sleep` below it, which strace traces already; the log has the lines until it sleeps."""
        process = self.begin("run", "--source=strace", "--json", "-o", "run.json", *options, "--",
                             "sleep", "60")
        sleeper = wait_until(lambda: [pid for pid in children(process.pid)
                                      if self.name_of(pid) == "sleep" and tracer_of(pid) and stat(pid)[0] == "S"])
        return process, sleeper[0]

    @staticmethod
    def name_of(pid):
        try:
            with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                return file.read().strip()
        except OSError:
            return None

    # The choice

    def test_auto_says_what_it_takes(self):
        result = self.as_user("run", "-o", "report", "true")
        self.assertEqual((result.status, result.out), (0, b""))
        self.assert_one_line(result.err, "counted by strace", "no page faults by class",
                             "eBPF needs CAP_BPF", "forktax doctor")
        result = self.as_user("run", "-q", "-o", "report", "true")
        self.assertEqual((result.status, result.err), (0, b""))

    def test_auto_compares(self):
        result = self.as_user("compare", "-i", "-n1", "--traced-runs=1", "true", "false")
        self.assertEqual(result.status, 0, result)
        self.assert_one_line(result.err, "counted by strace")
        self.assertRegex(result.out, rb"(?m)^system calls +30 +30$|both make 30 system calls")
        self.assertNotIn(b"COW", result.out)

    def test_doctor_shows_both(self):
        result = self.as_user("doctor")
        self.assertEqual((result.status, result.err), (0, b""), result)
        said = b" ".join(result.out.split())
        self.assertTrue(said.startswith(b"forktax can trace commands here by strace only: no page faults by class"),
                        result)
        self.assertIn(b"Missing: privileges (eBPF): CAP_BPF and CAP_PERFMON missing. Effect: nothing can be traced by eBPF. "
                      b"Fix: run forktax as root, or give it these capabilities: sudo setcap "
                      b"cap_bpf,cap_perfmon+ep /", said)

    def test_what_it_cannot_know_is_refused(self):
        for options in (["--anatomy"], ["--faults=classes"], ["--faults=totals"]):
            result = self.as_user("run", "--source=strace", *options, "touch", "ran")
            self.assert_fails(result, 125, "the source strace cannot", "sees no page faults")
            self.assert_not_run()

    def test_not_installed(self):
        result = self.as_user("run", "--source=strace", shutil.which("touch"), "ran",
                              prefix=[*ORDINARY, "env", "PATH=/nowhere"])
        self.assert_fails(result, 125, "strace is not installed", "install")
        self.assert_not_run()

    def pretended(self, script):
        """A run by a strace that is a script."""
        os.mkdir("bin")
        with open("bin/strace", "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod("bin/strace", 0o755)
        return self.as_user("run", "--source=strace", "touch", "ran",
                            prefix=[*ORDINARY, "env", f"PATH={self.scratch}/bin:{os.environ['PATH']}"])

    def test_not_allowed_to_attach(self):
        result = self.pretended(
            '[ "$1" = -V ] && echo "strace -- version 6.1" && exit\n'
            'echo "strace: attach: ptrace(PTRACE_SEIZE, 7): Operation not permitted" >&2; exit 1')
        self.assert_fails(result, 125, "strace could not attach", "PTRACE_SEIZE",
                          "Operation not permitted")
        self.assert_not_run()

    def test_a_strace_that_says_nothing(self):
        self.assert_fails(self.pretended("exit 1"), 125, "prints no version")
        self.assert_not_run()

    def test_a_strace_that_ends_at_once(self):
        result = self.pretended('[ "$1" = -V ] && echo "strace -- version 6.1"')
        self.assert_fails(result, 125, "ended without a message")
        self.assert_not_run()

    # What is counted

    def strace_c(self, *command):
        """Calls by name, by strace -c -f: without those that never return."""
        subprocess.run([*ORDINARY, "strace", "-f", "-c", "-U", "name,calls", "-o", "table", *command],
                       stdin=subprocess.DEVNULL, capture_output=True, check=False)
        with open("table", encoding="utf-8") as file:
            rows = [line.split() for line in file.read().splitlines()[2:]]
        return {row[0]: int(row[1]) for row in rows
                if len(row) == 2 and row[1].isdigit() and row[0] != "total"}

    def check_counts(self, *command):
        run = self.counted(*command)
        counted = {row["name"]: row["calls"] for row in run["syscalls"]
                   if row["name"] not in ("exit_group", "exit")}
        self.assertEqual(counted, self.strace_c(*command))
        self.assertTrue(run["integrity"]["exact"], run["integrity"])
        return run

    def test_counts_of_programs(self):
        """One child after the other: two at once end when they do, and a wait starts again or not."""
        for command in (["true"], ["ls", "/"], ["sh", "-c", "ls /; wc -l /etc/passwd; exit 0"],
                        ["env", "-i", "cat", "/etc/passwd"], ["find", "/etc", "-maxdepth", "1"],
                        ["sort", "/etc/passwd"], ["grep", "-c", "root", "/etc/passwd"]):
            with self.subTest(command):
                self.check_counts(*command)

    def test_counts_of_samples(self):
        for linkage, sample in (("dynamic", "forkloop"), ("static", "forkloop"),
                                ("dynamic", "true"), ("static", "true")):
            shutil.copy(self.sample(sample, linkage), f"{linkage}-{sample}")
            with self.subTest((linkage, sample)):
                run = self.check_counts(f"./{linkage}-{sample}", *(["-n", "20"] if "loop" in sample
                                                                   else []))
                self.assertEqual(run["totals"]["forks"], 20 if "loop" in sample else 0)

    @unittest.skipIf(os.geteuid(), "needs root: eBPF is compared with")
    def test_same_as_ebpf(self):
        script = "ls / >/dev/null; (cat /etc/passwd; true) >/dev/null; exit 0"
        by_strace = self.counted("sh", "-c", script, options=["--no-aslr"])
        by_ebpf = self.trace("sh", "-c", script, options=["--no-aslr", "--source=ebpf"])
        rows = [{(row["name"], row["abi"]): (row["calls"], row["errors"])
                 for row in run["syscalls"]} for run in (by_strace, by_ebpf)]
        self.assertEqual(*rows)
        for key in ("processes", "forks", "execs", "threads", "syscalls"):
            self.assertEqual(by_strace["totals"][key], by_ebpf["totals"][key], key)
        self.assertEqual(*[[(group["birth"], group["children"], group["syscalls"]["median"])
                            for group in run["groups"]] for run in (by_strace, by_ebpf)])

    @staticmethod
    def files_of(run):
        """What was done with which file: both sources tell the same but for the actors."""
        return {(row["kind"], row["path"], use, figure): value
                for row in run["files"]["rows"] if row["group"] is None
                for use, counts in row["uses"].items()
                for figure, value in counts.items() if value and figure != "by_ldso"}

    @unittest.skipIf(os.geteuid(), "needs root: eBPF is compared with")
    def test_files_are_those_of_ebpf(self):
        for name in ("given", "relative"):
            with open(name, "w", encoding="utf-8") as file:
                file.write("1234567")
        seen = []
        for source in ("ebpf", "strace"):
            with open("given", encoding="utf-8") as given:
                result = self.forktax("run", "-q", f"--source={source}", "--files", "--json", "-o",
                                      "run.json", "--", "cat", "-", "relative", stdin=given,
                                      pass_fds=[given.fileno()])
            self.assertEqual(result.status, 0, result)
            seen.append(self.files_of(self.saved()))
        self.assertEqual(*seen)
        for name in ("given", "relative"):
            self.assertEqual(seen[0]["path", os.path.realpath(name), "read", "bytes"], 7, seen[0])

    # The three ways in which the kernel goes on after a signal: the call is restarted, fails with EINTR,
    # or goes on by restart_syscall. A signal that is ignored, as SIGCHLD is, would interrupt it under
    # strace only: so the sender lives longer than the call.
    RESTARTED = """
import ctypes, os, signal, time
libc, way = ctypes.CDLL(None), os.environ["WAY"]
signal.signal(signal.SIGUSR1, lambda *_: None)
signal.siginterrupt(signal.SIGUSR1, way != "read")
waits, wake = os.pipe()
stays, leave = os.pipe()
me = os.getpid()
if not os.fork():
    os.close(leave)
    asleep = lambda: open(f"/proc/{me}/stat").read().rsplit(")", 1)[1].split()[0] == "S"
    time.sleep(0.3)
    while not asleep():
        time.sleep(0.05)
    for number in (signal.SIGSTOP, signal.SIGCONT) if way == "nanosleep" else (signal.SIGUSR1,):
        os.kill(me, number)
        time.sleep(0.3)
    os.write(wake, b"x")
    os.read(stays, 1)
    os._exit(0)
if way == "pause":
    libc.pause()
elif way == "read":
    libc.read(waits, ctypes.create_string_buffer(1), 1)
else:
    libc.usleep(2000000)
"""

    def restarted(self, source, way):
        result = self.forktax("run", f"--source={source}", "--json", "-o", "run.json", "--", "env",
                              f"WAY={way}", "python3", "-c", self.RESTARTED)
        self.assertEqual((result.status, result.err), (0, b""), result)
        names = (way, "clock_nanosleep", "restart_syscall", "rt_sigreturn")
        return {row["name"]: (row["calls"], {error["name"]: error["calls"] for error in row["errnos"]})
                for row in self.saved()["roots"]["calls"] if row["name"] in names}

    @unittest.skipIf(os.geteuid(), "needs root: eBPF is compared with")
    def test_restarted_calls_count_as_by_ebpf(self):
        for way, name, error in (("pause", "pause", "ERESTARTNOHAND"), ("read", "read", "ERESTARTSYS"),
                                 ("nanosleep", "clock_nanosleep", "ERESTART_RESTARTBLOCK")):
            with self.subTest(way):
                by_ebpf, by_strace = (self.restarted(source, way) for source in ("ebpf", "strace"))
                self.assertEqual(by_ebpf, by_strace)
                self.assertEqual(by_ebpf[name][1][error], 1)
                self.assertEqual(by_ebpf.get("restart_syscall", (0,))[0], way == "nanosleep")

    # Left out are those whose calls depend on time (all with threads), that use ptrace or seccomp, or
    # make untraced children.
    SAME_SAMPLES = ("clone3 cloneparent clonevm execchain forkchain forkloop gotslots int80 pidreuse "
                    "robustlist spawn true vforkexec vforkexit vvar").split()

    @needs("perl")
    def test_children_that_are_killed_at_once(self):
        """
        Where a child is killed while strace asks for its call, strace shows what it had read before: an
        errno without bounds, a number that no call has, or another child's call or outcome.
        """
        script = f"for (1..{KILLED // 5}) {{ @p = (); for (1..5) {{ " \
                 "if (!($p = fork)) { while (1) { stat q(/nowhere); getppid } } push @p, $p } " \
                 "kill 9, @p; wait for @p }"
        run = self.counted("perl", "-e", script)
        self.assertEqual(run["totals"]["forks"], KILLED)
        for row in run["syscalls"]:
            self.assertFalse(row["name"].startswith("unknown("), row)
            for error in row["errnos"]:
                self.assertFalse(error["name"].startswith("errno "), row)
        unsure = run["integrity"]["unsure_calls"]
        self.assertEqual(run["integrity"]["exact"], unsure == 0, run["integrity"])
        kills = self.calls(run, "kill")
        self.assertLessEqual(kills - unsure, KILLED)
        self.assertGreaterEqual(kills, KILLED)
        if os.geteuid() == 0:
            self.assertEqual(self.calls(self.trace("perl", "-e", script), "kill"), KILLED)

    # ctest: all
    @unittest.skipIf(os.geteuid(), "needs root: eBPF is compared with")
    def test_samples_are_the_same_as_by_ebpf(self):
        for name in self.SAME_SAMPLES:
            runs = []
            for source in ("ebpf", "strace"):
                result = self.forktax("run", f"--source={source}", "--json", "-o", "run.json", "--",
                                      self.sample(name))
                run = self.saved()
                runs.append((result.status, {(row["name"], row["abi"]): (row["calls"], row["errors"])
                                             for row in run["syscalls"]},
                             {key: run["totals"][key] for key in ("processes", "forks", "execs",
                                                                  "threads", "syscalls")}))
            with self.subTest(name):
                self.assertEqual(*runs)

    def test_faults_are_those_of_wait4(self):
        """By Python's wait4, of the same command without a tracer."""
        for command in (["true"], ["sh", "-c", "ls / >/dev/null; exit 0"]):
            run = self.counted(*command, options=["--no-aslr"])
            faults = run["totals"]["faults"]
            self.assertEqual(run["origins"]["faults"], "counted")
            seen = set()
            for _ in range(5):
                pid = os.posix_spawnp("setarch", [*"setarch -R".split(), *ORDINARY, *command],
                                      {**os.environ})
                _, _, usage = os.wait4(pid, 0)
                pid = os.posix_spawnp("setarch", [*"setarch -R".split(), *ORDINARY, "/nowhere"],
                                      {**os.environ}, file_actions=[
                                          (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
                _, _, before = os.wait4(pid, 0)
                seen.add(usage.ru_minflt + usage.ru_majflt - before.ru_minflt - before.ru_majflt)
            self.assertGreater(faults["total"], 0)
            # setarch and setpriv are in both, up to their own execve.
            self.assertLessEqual(abs(faults["total"] - sorted(seen)[len(seen) // 2]), 25, (faults, seen))

    @unittest.skipIf(os.geteuid(), "needs root: eBPF is compared with")
    def test_faults_are_those_of_ebpf(self):
        # Without rseq, to whose area the kernel writes after a preemption: on a busy machine, often
        # after a fork.
        environment = {**os.environ, "GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
        for command in (["true"], ["sh", "-c", "ls / >/dev/null; exit 0"],
                        [self.sample("forkloop"), "-n", "50"]):
            # Reuses of a page after a fork depend on who is quicker: one or two in fifty forks, and more where
            # others have the CPU meanwhile. A difference that is not theirs is there each time.
            pairs = []
            for _ in range(TRIES):
                pairs.append(self.faults_by_both(command, environment))
                if abs(pairs[-1][0] - pairs[-1][1]) <= AT_THE_GATE + 4:
                    break
            else:
                self.fail(f"{command}: by strace and eBPF {pairs}")

    def faults_by_both(self, command, environment):
        by_ebpf = self.trace(*command, env=environment,
                             options=["--no-aslr", "--source=ebpf", "--faults=totals"])
        result = self.forktax("run", "--no-aslr", "--source=strace", "--json", "-o", "run.json", "--",
                              *command, env=environment)
        self.assertEqual(result.status, 0, result)
        return self.saved()["totals"]["faults"]["total"], by_ebpf["totals"]["faults"]["total"]

    def test_what_is_not_known_is_null(self):
        run = self.counted("sh", "-c", "ls / >/dev/null; exit 0", options=["--show=processes"])
        for key in ("process_faults", "fault_classes", "actors", "denied"):
            self.assertEqual(run["origins"][key], "not supported", key)
        self.assertIsNone(run["roots"]["faults"])
        self.assertIsNone(run["totals"]["faults"]["cow_copy"])
        self.assertEqual([process["minflt"] for process in run["processes"]], [None, None])
        self.assertEqual([row["by_actor"] for row in run["syscalls"]], [None] * len(run["syscalls"]))
        for option in ("-v", "--show=processes,tree"):
            report = self.forktax("report", option, "run.json")
            self.assertEqual(report.status, 0, report)
            for word in (b"ld.so", b"COW", b"minflt", b"unattributed"):
                self.assertNotIn(word, report.out)
        self.assertIn(b"Not supported by strace", self.forktax("report", "-v", "run.json").out)

    def test_executables_are_looked_up_by_path(self):
        shutil.copy(self.sample("true", "static"), "static-true")
        run = self.counted("sh", "-c", "./static-true; exit 0")
        self.assertEqual([(exe["path"], exe["linkage"] in ("dynamic", "dynamic-now"), exe["ino"])
                          for exe in run["exes"]],
                         [(shutil.which("sh"), True, None), ("./static-true", False, None)])
        self.assertEqual(run["exes"][1]["linkage"], "static")

    def test_times(self):
        run = self.counted("sleep", "0.05", options=["--time"])
        rows = {row["name"]: row for row in run["syscalls"]}
        self.assertGreaterEqual(rows["clock_nanosleep"]["time_ns"], 50_000_000)
        self.assertGreaterEqual(run["wall_ns"], rows["clock_nanosleep"]["time_ns"])
        self.assertIsNone(self.counted("true")["syscalls"][0]["time_ns"])

    # How a command ends, and what it gets

    def test_exit_status(self):
        for status in (0, 3, 255):
            self.counted("sh", "-c", f"exit {status}", status=status)
            self.assertEqual(self.saved()["exit"], {"status": status, "signal": None})

    def test_death_by_signal(self):
        result = self.as_user("run", "--source=strace", "--json", "-o", "run.json", "sh", "-c",
                              "kill -TERM $$")
        self.assertEqual((result.status, result.err), (-signal.SIGTERM, b""))
        self.assertEqual(self.saved()["exit"], {"status": None, "signal": signal.SIGTERM})

    def test_no_such_command(self):
        with open("data", "w", encoding="utf-8") as file:
            file.write("#!/nowhere/sh\n")
        for command, status in (("./nosuch", 127), ("./data", 126), ("/", 126)):
            self.assert_fails(self.as_user("run", "--source=strace", command), status)
        os.chmod("data", 0o755)
        self.assert_fails(self.as_user("run", "--source=strace", "./data"), 127, "interpreter")

    def test_input_and_output(self):
        result = self.as_user("run", "--source=strace", "-o", "report", "sh", "-c",
                              "cat; echo error >&2", data=b"text\n")
        self.assertEqual(result, (0, b"text\n", b"error\n"))

    def test_the_command_is_our_child(self):
        """Not strace's, which it cannot see: no child of its own, the group of forktax."""
        result = self.as_user("run", "--source=strace", "-o", "report", "sh", "-c",
                              "echo $PPID; ps -o pgid= -p $$; ps -o pgid= -p $PPID; "
                              "ps -o comm= -p $PPID; ps --ppid $$ -o comm=")
        parent, group, parents_group, name, *children_of_it = result.out.split()
        self.assertEqual((group, name), (parents_group, b"forktax"), result)
        self.assertEqual(children_of_it, [b"ps"], parent)

    # Signals

    def test_a_signal_is_passed_on(self):
        process, sleeper = self.started_sleep()
        os.kill(process.pid, signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual((result.status, result.err), (-signal.SIGTERM, b""))
        self.assertFalse(is_alive(sleeper))
        self.assertEqual(self.saved()["exit"]["signal"], signal.SIGTERM)

    def test_two_signals_end_the_tracing(self):
        script = "trap 'echo >>passed-on' TERM; while :; do sleep 0.01; done"
        process = self.begin("run", "--source=strace", "--json", "-o", "run.json", "sh", "-c", script)
        shell = wait_until(lambda: [pid for pid in children(process.pid) if tracer_of(pid)
                                    and self.name_of(pid) == "sh"])[0]
        wait_until(lambda: children(shell))
        os.kill(process.pid, signal.SIGTERM)
        # Two that are pending at once would be one.
        self.assertTrue(wait_until(lambda: os.path.exists("passed-on")))
        self.assertTrue(tracer_of(shell))
        time.sleep(0.3)  # it is no echo of the first
        os.kill(process.pid, signal.SIGTERM)
        self.assertEqual(self.wait_alone(process), -signal.SIGTERM)
        self.assertTrue(is_alive(shell))
        self.assertEqual(tracer_of(shell), 0)
        os.kill(shell, signal.SIGKILL)
        run = self.saved()
        self.assertFalse(run["integrity"]["exact"])
        self.assertIn("tracing ended before the command did", run["integrity"]["notes"])

    def test_forktax_killed(self):
        process, sleeper = self.started_sleep()
        os.kill(process.pid, signal.SIGKILL)
        self.wait_alone(process)
        self.assertTrue(wait_until(lambda: tracer_of(sleeper) == 0))
        self.assertTrue(is_alive(sleeper))
        os.kill(sleeper, signal.SIGKILL)

    def test_strace_killed(self):
        process, sleeper = self.started_sleep()
        os.kill(tracer_of(sleeper), signal.SIGKILL)
        self.assertTrue(wait_until(lambda: tracer_of(sleeper) == 0))
        self.assertTrue(is_alive(sleeper))
        os.kill(sleeper, signal.SIGTERM)
        self.assertEqual(self.finish(process).status, -signal.SIGTERM)
        run = self.saved()
        self.assertFalse(run["integrity"]["exact"])
        self.assertIn("strace ended before the processes that it traced, by signal KILL: the rest was not counted",
                      run["integrity"]["notes"])

    def test_duration(self):
        process = self.begin("run", "--source=strace", "--json", "-o", "run.json", "--duration=0.3",
                             "sleep", "60")
        sleeper = wait_until(lambda: [pid for pid in children(process.pid)
                                      if self.name_of(pid) == "sleep"])[0]
        self.wait_alone(process)
        self.assertTrue(is_alive(sleeper))
        self.assertEqual(tracer_of(sleeper), 0)
        os.kill(sleeper, signal.SIGKILL)
        self.assertEqual(self.saved()["origins"]["faults"], "not counted")

    # Attaching

    def attached(self, *options, script="while :; do true; sleep 0.01; done"):
        """A shell that runs already, and forktax attached to it."""
        shell = subprocess.Popen([*ORDINARY, "sh", "-c", script], stdin=subprocess.DEVNULL)
        wait_until(lambda: self.name_of(shell.pid) == "sh")
        process = self.begin("run", "--source=strace", "--json", "-o", "run.json", *options, "-p",
                             str(shell.pid))
        wait_until(lambda: tracer_of(shell.pid))
        return shell, process

    def test_attach_for_a_while(self):
        shell, process = self.attached("-q", "--duration=0.5")
        result = self.finish(process)
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertTrue(is_alive(shell.pid))
        self.assertEqual(tracer_of(shell.pid), 0)
        shell.kill()
        shell.wait()
        run = self.saved()
        self.assertEqual(run["attached"], [shell.pid])
        self.assertEqual(run["origins"]["faults"], "not supported")
        self.assertGreater(run["totals"]["forks"], 0)
        self.assertEqual(run["processes"][0]["birth"], "attached")

    def test_files_of_what_was_open_before(self):
        with open("given", "w", encoding="utf-8") as file:
            file.write("1234567\n" * 9)
        _, process = self.attached("-q", "--files", script="exec <given; sleep 0.5; read x; exit 7")
        self.assertEqual(self.finish(process).status, 0)
        read = {row["path"]: row["uses"]["read"]["bytes"] for row in self.saved()["files"]["rows"]
                if "read" in row["uses"]}
        self.assertGreater(read.get(os.path.realpath("given"), 0), 0, read)

    def test_attach_until_its_end(self):
        shell, process = self.attached("-q", script="sleep 0.5; exit 7")
        self.assertEqual(shell.wait(timeout=PATIENCE_S), 7)
        self.assertEqual(self.finish(process).status, 0)
        self.assertTrue(self.calls(self.saved(), "exit_group"))

    def test_attach_to_what_is_traced_already(self):
        shell, first = self.attached("-q")
        second = self.as_user("run", "--source=strace", "-q", "-p", str(shell.pid))
        self.assert_fails(second, 125, "strace could not attach", "Operation not permitted")
        shell.kill()
        shell.wait()
        self.finish(first)

    # What goes otherwise under strace

    def test_a_command_that_traces(self):
        result = self.as_user("run", "--source=strace", "--json", "-o", "run.json", "strace", "-o",
                              "log", "true")
        self.assertNotEqual(result.status, 0)
        self.assertTrue([note for note in self.saved()["integrity"]["notes"]
                         if note.startswith("ptrace failed")])

    @needs_root
    def test_set_user_id(self):
        shutil.copy(shutil.which("id"), "id")
        os.chmod("id", modes.S_ISUID | 0o755)
        result = self.as_user("run", "--source=strace", "--json", "-o", "run.json", "./id", "-u")
        self.assertEqual(result.out.strip(), str(NOBODY).encode(), result)
        self.assertTrue([note for note in self.saved()["integrity"]["notes"]
                         if "./id is set-user-ID" in note or "id is set-user-ID" in note])

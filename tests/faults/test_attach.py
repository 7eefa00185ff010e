# SPDX-License-Identifier: GPL-2.0-or-later
"""-p: what cannot be attached to, and what happens to what can."""
import os
import signal
import subprocess
import threading

from support import (NOBODY, Case, TargetCase, busy_loops, descendants, is_alive, needs, needs_root, stat,
                     wait_until)

# Calls getpriority, which nothing else here does, 1000 times when it gets SIGUSR1, and ends.
WORK_ON_SIGNAL = "$SIG{USR1} = sub { getpriority(0, 0) for 1..1000; exit 3 }; $| = 1; print qq(.); " \
                 "sleep 60 while 1"


@needs_root
class Refused(TargetCase):
    def target(self, *command, **popen):
        process = subprocess.Popen(command, **popen)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def refused(self, pid, *words, prefix=()):
        result = self.forktax("run", "-p", str(pid), "--duration", "5", prefix=prefix)
        self.assert_fails(result, 125, *words)

    def test_missing(self):
        with open("/proc/sys/kernel/pid_max", encoding="utf-8") as file:
            self.refused(int(file.read()) - 1, "no such process")

    def test_one_of_two_missing(self):
        process = self.target("sleep", "60")
        self.refused(f"{process.pid},2147483647", "2147483647: no such process")
        self.assertTrue(is_alive(process.pid))

    def test_hidden_from_tracing_programs(self):
        """Either it can be attached to, or that is said: never an empty report that claims to be exact."""
        result = self.forktax("run", "--json", "-o", "run.json", "-p", "1", "--duration", "0.2")
        if result.status:
            self.assert_fails(result, 125, "nothing was traced")
            self.assertFalse(os.path.exists("run.json"))
        else:
            self.assertEqual(self.saved()["totals"]["processes"], 1)

    def test_zombie(self):
        process = self.target("true")
        wait_until(lambda: stat(process.pid)[0] == "Z")
        self.refused(process.pid, "zombie")

    def test_kernel_thread(self):
        with open("/proc/2/status", encoding="utf-8") as file:
            if "\nVmSize:" in file.read():
                self.skipTest("process 2 is no kernel thread here")
        self.refused(2, "kernel thread")

    def test_thread_of_a_process(self):
        end = threading.Event()
        thread = threading.Thread(target=end.wait)
        thread.start()
        try:
            self.refused(thread.native_id, "thread")
        finally:
            end.set()
            thread.join()

    def test_itself(self):
        result = self.shell('exec $FORKTAX run -p $$')
        self.assert_fails(result, 125, "itself")

    @needs("setpriv")
    def test_foreign_process(self):
        process = self.target("sleep", "60", user=NOBODY)
        self.refused(process.pid, "another user", "CAP_SYS_PTRACE",
                     prefix=["setpriv", "--bounding-set=-sys_ptrace"])
        self.assertTrue(is_alive(process.pid))


@needs_root
class Attached(Case):
    def target(self):
        process = subprocess.Popen(["perl", "-e", WORK_ON_SIGNAL], stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.read(1), b".")
        process.stdout.close()
        return process

    def attach(self, path, *arguments):
        """Attaches, and comes back when it counts."""
        ready, tell = os.pipe()
        process = self.start("run", "--json", "-q", "-o", path, f"--ready-fd={tell}", *arguments,
                             pass_fds=[tell])
        os.close(tell)
        with os.fdopen(ready, "rb") as stream:
            self.assertEqual(stream.read(), b"ready\n", "never attached")
        return process

    def work(self, process):
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(), 3)

    @needs("perl")
    def test_ends_while_attached(self):
        target = self.target()
        tracer = self.attach("run.json", "-p", str(target.pid))
        self.work(target)
        self.assertEqual(self.finish(tracer), (0, b"", b""))
        run = self.saved()
        self.assertEqual(self.calls(run, "getpriority"), 1000)
        self.assertTrue(run["integrity"]["exact"])
        self.assertEqual(run["exit"], {"status": None, "signal": None})

    @needs("perl")
    def test_descendants_that_run_already(self):
        """The child of a child works: only with --descendants it is counted."""
        for name, script in (("outer.sh", 'sh inner.sh "$1"; :'), ("inner.sh", 'perl -e "$1"; :')):
            with open(name, "w", encoding="ascii") as file:
                file.write(script)
        for options, calls in ((["--descendants"], 1000), ([], 0)):
            parent = subprocess.Popen(["sh", "outer.sh", WORK_ON_SIGNAL], stdout=subprocess.PIPE)
            self.assertEqual(parent.stdout.read(1), b".")
            parent.stdout.close()
            worker = list(descendants(parent.pid))[-1]
            tracer = self.attach("run.json", "-p", str(parent.pid), *options)
            os.kill(worker, signal.SIGUSR1)
            parent.wait()
            self.assertEqual(self.finish(tracer).status, 0)
            run = self.saved()
            self.assertEqual(self.calls(run, "getpriority"), calls)
            self.assertTrue(run["integrity"]["exact"], run["integrity"])
            self.assertEqual(run["totals"]["processes"], 3 if options else 1)

    @needs("perl")
    def test_killed_while_attached(self):
        target = self.target()
        tracer = self.attach("run.json", "-p", str(target.pid))
        target.kill()
        target.wait()
        self.assertEqual(self.finish(tracer).status, 0)

    @needs("perl")
    def test_several(self):
        targets = [self.target() for _ in range(3)]
        pids = [str(target.pid) for target in targets]
        # One of them twice: it counts once.
        tracer = self.attach("run.json", "-p", ",".join(pids[:2]), "-p", pids[2], "-p", pids[0])
        for target in targets:
            self.work(target)
        self.assertEqual(self.finish(tracer).status, 0)
        run = self.saved()
        self.assertEqual(self.calls(run, "getpriority"), 3000)
        self.assertEqual(run["totals"]["processes"], 3)

    @needs("perl")
    def test_two_tracers_of_one_process(self):
        target = self.target()
        tracers = [self.attach(f"run{i}.json", "-p", str(target.pid)) for i in range(2)]
        self.work(target)
        for i, tracer in enumerate(tracers):
            self.assertEqual(self.finish(tracer).status, 0)
            self.assertEqual(self.calls(self.saved(f"run{i}.json"), "getpriority"), 1000)

    @needs("perl")
    def test_detached_process_lives_on(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            target = self.target()
            tracer = self.attach("run.json", "-p", str(target.pid))
            tracer.send_signal(number)
            result = self.finish(tracer)
            self.assertEqual(result.status, -9 if number == signal.SIGKILL else 0, result)
            self.assertTrue(is_alive(target.pid))
            target.send_signal(signal.SIGUSR1)
            self.assertEqual(target.wait(), 3)

    # ctest: all
    @needs("perl")
    def test_in_the_middle_of_an_execve(self):
        """A program that executes itself, with as much to copy as fits: it is in execve for most of its time.
        The faults of the image that it leaves are those since the attaching, and never fewer than none."""
        environment = {**os.environ, **{f"V{i}": "x" * 120000 for i in range(12)}}
        for _ in range(4):
            target = subprocess.Popen([self.sample("execchain", "static"), "--leaf", "600"],
                                      env=environment)
            self.addCleanup(target.wait)
            self.addCleanup(target.kill)
            result = self.forktax("run", "--json", "-o", "run.json", "-p", str(target.pid))
            self.assertEqual(result.status, 0, result)
            run = self.saved()
            images = [image["faults"]["total"] for image in run["processes"][0]["images"]]
            self.assertTrue(run["integrity"]["exact"], run["integrity"])
            self.assertLess(max(images), 2000)
            self.assertEqual(sum(images), run["totals"]["faults"]["total"])

    def test_duration(self):
        target = self.target()
        result = self.forktax("run", "-p", str(target.pid), "--duration", "0.2")
        self.assertEqual(result.status, 0, result)
        self.assertTrue(is_alive(target.pid))
        target.send_signal(signal.SIGUSR1)
        self.assertEqual(target.wait(), 3)

    @needs("perl")
    def test_says_when_it_counts(self):
        """What a process does from that line on is counted."""
        target = self.target()
        tracer = self.start("run", "--json", "-o", "run.json", "-p", str(target.pid))
        line = self.next_line(tracer)
        self.work(target)
        self.assertEqual(line, b"forktax run: counting process %d until Ctrl-C\n" % target.pid)
        self.assertEqual(self.finish(tracer), (0, b"", b""))
        self.assertEqual(self.calls(self.saved(), "getpriority"), 1000)

    @needs("perl")
    def test_line_that_says_so(self):
        targets = [self.target() for _ in range(9)]
        pids = [str(target.pid) for target in targets]
        for count, options, expected in (
                (2, [], f"forktax run: counting processes {pids[0]} {pids[1]}\n"),
                (9, [], "forktax run: counting 9 processes\n"), (1, ["-q"], "")):
            with self.subTest(count):
                result = self.forktax("run", "-o", "report", "--duration=0.1", *options, "-p",
                                      ",".join(pids[:count]))
                self.assertEqual(result, (0, b"", expected.encode()))
        for target in targets:
            self.work(target)

    @needs("perl")
    def test_in_the_background_of_a_script(self):
        """SIGINT is ignored there: it says so, goes on counting, and ends by SIGTERM."""
        target = self.target()
        result = self.shell(f"""mkfifo ready
            $FORKTAX run --json -o run.json --ready-fd=3 -p {target.pid} 3>ready & read -r word <ready
            echo $word; kill -INT $!; sleep 0.3; kill -0 $! && echo counting; kill $!; wait $!""")
        self.assertEqual((result.status, result.out), (0, b"ready\ncounting\n"))
        self.assertTrue(result.err.endswith(b" until SIGTERM (SIGINT is ignored here)\n"), result.err)
        self.work(target)

    @needs("perl")
    def test_ready_descriptor_whose_reader_has_gone(self):
        target = self.target()
        ready, tell = os.pipe()
        os.close(ready)
        result = self.finish(self.start("run", "-q", "-o", "report", "--duration=0.1", "-p",
                                        str(target.pid), f"--ready-fd={tell}", pass_fds=[tell]))
        os.close(tell)
        self.assertEqual(result, (0, b"", b""))
        self.work(target)


@needs_root
class Forking(TargetCase):
    def forkloops(self, count, *prefix):
        """Most of their time is spent in copying their mappings, when nobody can look at these."""
        loops = [subprocess.Popen([*prefix, "setarch", "-R", self.sample("forkloop"), "-n", "1000000", "-r", "100000"])
                 for _ in range(count)]
        for loop in loops:
            self.addCleanup(loop.wait)
            self.addCleanup(loop.kill)
        return loops

    def faults_of_a_child(self):
        """On mapped files, by actor. Fault-around decides how many: it depends on the layout, which is fixed here."""
        few, many = ([run["totals"]["faults"]["by_actor"][actor]["file_map"] for actor in ("program", "ld.so")]
                     for run in (self.trace(self.sample("forkloop"), "-n", forks, "-r", "100000",
                                            options=["--no-aslr"]) for forks in ("10", "30")))
        return [(more - less) / 20 for more, less in zip(many, few)]

    def assert_linker_is_known(self, loops, result):
        self.assertEqual((result.status, result.err), (0, b""))
        totals = self.saved()["totals"]
        actors = totals["faults"]["by_actor"]
        by_program, by_linker = self.faults_of_a_child()
        # One of each loop may not have ended.
        self.assertGreater(totals["forks"], len(loops))
        self.assertLess(actors["program"]["file_map"], (by_program + 0.5) * totals["forks"])
        self.assertGreater(actors["ld.so"]["file_map"], (by_linker - 2) * (totals["forks"] - len(loops)))

    @needs("setarch")
    def test_linker_is_known(self):
        loops = self.forkloops(6)
        result = self.forktax("run", "-q", "--json", "-o", "run.json", "--duration=1", "-p",
                              ",".join(str(loop.pid) for loop in loops))
        self.assert_linker_is_known(loops, result)

    @staticmethod
    def copies_mappings(pid):
        with open(f"/proc/{pid}/stack", encoding="ascii") as file:
            return "copy_page_range" in file.read()

    @staticmethod
    def faults_of_children(pid):
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return int(file.read().rpartition(")")[2].split()[8])

    def attach_in_a_fork(self, loop, cpu):
        """Attaches while it waits for the CPU in the middle of a fork."""
        for _ in range(100):
            with busy_loops(1, {cpu}, nice=-20):
                if not wait_until(lambda: self.copies_mappings(loop.pid), 0.1):
                    continue
                process = self.start("run", "--json", "-o", "run.json", "-p", str(loop.pid))
                self.assertIn(b"counting process", self.next_line(process))
                if self.copies_mappings(loop.pid):
                    return process
            process.send_signal(signal.SIGINT)
            self.finish(process)
        self.skipTest("it never waits in a fork")

    @needs("taskset", "setarch")
    def test_linker_is_known_of_who_waits_in_a_fork(self):
        """As long as it does nobody can tell where its ld.so is; the end of that fork tells."""
        cpu = min(os.sched_getaffinity(0))
        loop, = self.forkloops(1, "taskset", "-c", str(cpu), "nice", "-n", "19")
        process = self.attach_in_a_fork(loop, cpu)
        before = self.faults_of_children(loop.pid)
        self.assertTrue(wait_until(lambda: self.faults_of_children(loop.pid) > before + 2000))
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertRegex(" ".join(self.saved()["integrity"]["notes"]), "stayed busy")
        self.assert_linker_is_known([loop], result)

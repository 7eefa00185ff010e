# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all
"""forktax workers --load: pools and loads that fail, and that nothing stays behind."""
import json
import os
import signal
import socket
import subprocess
import sys
import unittest

from support import NOBODY, Case, children, is_alive, needs, needs_root, wait_until

# Two workers that write 3 of 4 MiB of their master's memory as it was. Notes its pid; ends at SIGTERM.
POOL = """
import mmap, os, signal, sys, time
memory = mmap.mmap(-1, 4 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory[:] = os.urandom(len(memory))
for n in range(2):
    if not os.fork():
        for at in range(0, 3 << 20, 4096):
            memory[at] = memory[at]
        signal.pause()
with open("pid", "w") as file:
    file.write(str(os.getpid()))
print("hello", flush=True)
signal.pause()
"""
KSM = "/sys/kernel/mm/ksm"
AS_NOBODY = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]
needs_merging = unittest.skipUnless(os.access(f"{KSM}/run", os.W_OK),
                                    "no same-page merging that may be switched on")


def settings():
    found = {}
    for name in ("run", "pages_to_scan", "sleep_millisecs"):
        with open(f"{KSM}/{name}", encoding="ascii") as file:
            found[name] = file.read()
    return found


def argv_of(pid):
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read()


class WorkersLoad(Case):
    def load(self, load, *command, options=(), **popen):
        command = command or (sys.executable, "-c", POOL)
        return self.forktax("workers", "--no-try", *options, "--load", load, "--", *command, **popen)

    def assert_refused(self, result, status, *words):
        self.assert_fails(result, status, *words)
        self.assertEqual(result.out, b"")

    # The load

    def test_load_that_is_missing(self):
        self.assert_refused(self.load("no-such-load 1 2"), 127, "the load was not found (status 127)",
                            "no-such-load")

    def test_load_that_fails(self):
        self.assert_refused(self.load("echo first; echo no luck >&2; exit 3"), 125,
                            "the load failed (status 3): no luck")

    def test_load_that_is_killed(self):
        self.assert_refused(self.load("kill -SEGV $$"), 125, "the load was killed by signal 11")

    def test_hostile_last_words(self):
        self.assert_refused(self.load("printf 'a\\n\\033[2Jb\\r\\n\\n'; exit 1"), 125, "(status 1)")

    def test_load_leaves_processes(self):
        """They end with it; what it prints is nobody's."""
        result = self.load("sleep 1000 & setsid sleep 1001 & echo noise")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertNotIn(b"noise", result.out.replace(b"echo noise", b""))
        self.assertNotIn(b"\nhello", result.out)

    # The pool

    def test_command_that_is_missing(self):
        self.assert_refused(self.load("touch ran", "no-such-pool"), 127,
                            "no-such-pool: command not found")
        with open("text", "w", encoding="ascii") as file:
            file.write("no program\n")
        self.assert_refused(self.load("touch ran", "./text"), 126, "not executable")
        os.chmod("text", 0o755)
        self.assert_refused(self.load("touch ran", "./text"), 126, "cannot run ./text")
        self.assert_not_run()

    def test_pool_that_never_forks(self):
        result = self.load("touch ran", "sleep", "60", options=("--wait", "0.7s"))
        self.assert_refused(result, 125, "sleep has not forked within 1 s", "--ready")
        self.assert_not_run()

    def test_pool_that_ends_at_once(self):
        self.assert_refused(self.load("touch ran", "sh", "-c", "echo why >&2; exit 7"), 125,
                            "sh ended with status 7 before it was ready", "foreground", ": why")
        self.assert_not_run()

    def test_pool_that_goes_to_the_background(self):
        """The daemon that it leaves is ended, too."""
        result = self.load("touch ran", "sh", "-c", "setsid sleep 1000 & exit 0")
        self.assert_refused(result, 125, "sh ended with status 0", "stay in the foreground")

    def test_port_in_use(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            program = ("import os, socket; one = socket.socket(); "
                       f"one.bind(('127.0.0.1', {taken.getsockname()[1]})); os.fork()")
            self.assert_refused(self.load("touch ran", sys.executable, "-c", program), 125,
                                "ended with status 1", "Address already in use")
        self.assert_not_run()

    def test_pool_that_ends_before_its_load(self):
        result = self.load("kill -9 $(cat pid); sleep 1000")
        self.assert_refused(result, 125, "ended by signal 9 before its load did")

    def test_workers_that_have_ended_after_the_load(self):
        result = self.load("kill -9 $(cat /proc/$(cat pid)/task/*/children); sleep 0.2")
        self.assert_refused(result, 125, "after the load there is no pool", "no living process")

    def test_pool_behind_a_shell(self):
        result = self.load("true", "sh", "-c", f"{sys.executable} -c '{POOL}'; true",
                           options=("--json",))
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertEqual(len(json.loads(result.out)["workers"]), 2)

    def test_pool_that_ignores_sigterm(self):
        ignores = POOL.replace("for n in", "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nfor n in")
        result = self.load("true", sys.executable, "-c", ignores, options=("--json",))
        self.assertEqual((result.status, result.err), (0, b""))

    def test_when_it_is_ready(self):
        """By a command that succeeds the third time, and before there are workers."""
        late = "import signal, os, time\nopen('up', 'w')\nwhile not os.path.exists('ran'): " \
               "time.sleep(0.05)\n" + POOL
        result = self.load("touch ran; until [ -e pid ]; do sleep 0.05; done; sleep 0.5",
                           sys.executable, "-c", late,
                           options=("--json", "--ready", "echo >> asked; [ $(wc -l < asked) -ge 3 ]"))
        self.assertEqual((result.status, result.err), (0, b""))
        ready = json.loads(result.out)["trials"]["ways"][0]["samples"][0]["ready"]
        self.assertEqual(ready["workers"], 0)
        with open("asked", encoding="ascii") as file:
            self.assertEqual(file.read(), "\n\n\n")

    def test_never_ready(self):
        result = self.load("touch ran", options=("--ready", "false", "--wait", "0.5s"))
        self.assert_refused(result, 125, "is not ready", "'false' does not succeed")
        self.assert_not_run()

    def test_command_of_ready_that_hangs(self):
        """--wait holds; and it ends with the pool, whose end is reported."""
        hangs = ("--ready", "touch asked; sleep 1000; true", "--wait", "1s")
        self.assert_refused(self.load("touch ran", options=hangs), 125, "is not ready after 1 s")
        os.remove("asked")
        result = self.load("touch ran", "sh", "-c", "until [ -e asked ]; do sleep 0.05; done; exit 7",
                           options=hangs[:2])
        self.assert_refused(result, 125, "ended with status 7 before it was ready")
        self.assert_not_run()

    def sample(self, pool):
        result = self.load("sleep 0.1", sys.executable, "-c", pool, options=("--json",))
        self.assertEqual((result.status, result.err), (0, b""))
        return json.loads(result.out)["trials"]["ways"][0]["samples"][0]

    def test_pool_that_forgets_its_children(self):
        """What they have used is in no sum of the kernel: not known, rather than too little."""
        sample = self.sample("import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n" + POOL)
        self.assertEqual((sample["cpu_ns"], sample["end_faults"]), (None, None))
        self.assertIsInstance(self.sample(POOL)["cpu_ns"], int)

    # What is tried

    def tried(self, result):
        self.assertEqual((result.status, result.err), (0, b""))
        return {one["rule"]: one["tried"] for one in json.loads(result.out)["trials"]["advice"]}

    def all_ways(self, *options, python=sys.executable, load="true", **popen):
        return self.forktax("workers", "--json", "-n", "1", *options, "--load", load, "--", python,
                            "-c", POOL, **popen)

    @needs_root
    @needs("unshare")
    def test_without_merging(self):
        hide = ["unshare", "-m", "sh", "-c", f'mount -t tmpfs none {KSM} && exec "$@"', "sh"]
        if subprocess.run([*hide, "true"], check=False, capture_output=True).returncode:
            self.skipTest("nothing can be mounted here")
        tried = self.tried(self.all_ways(prefix=hide))
        self.assertIn("no: this kernel does not merge pages", tried["W1"])

    @needs_root
    @needs_merging
    def test_merging_that_is_switched_off_meanwhile(self):
        """By somebody else: then nothing was measured."""
        tried = self.tried(self.all_ways(load=f"[ $(cat {KSM}/run) = 0 ] || echo 0 > {KSM}/run"))
        self.assertIn("no: another program has switched same-page merging off", tried["W1"])

    @needs_root
    @needs("setpriv")
    def test_ordinary_user(self):
        tried = self.tried(self.all_ways(prefix=AS_NOBODY, python="/usr/bin/python3"))
        self.assertIn("may not be written: run forktax as root", tried["W1"])
        self.assertIn("1 run, alternating", tried["W2"])

    def test_remedy_that_the_runtime_ignores(self):
        result = self.forktax("workers", "--json", "-n", "1", "--load", "true", "--", sys.executable,
                              "-I", "-c", POOL)
        self.assertIn("no: Python has not imported our sitecustomize", self.tried(result)["W2"])

    def test_remedy_with_which_the_load_fails(self):
        result = self.all_ways(load='! tr "\\0" "\\n" < /proc/$(cat pid)/environ | grep PYTHONPATH')
        self.assertIn("no: the load failed (status 1)", self.tried(result)["W2"])

    def test_users_own_sitecustomize(self):
        """It is imported, too, behind ours."""
        os.mkdir("site")
        with open("site/sitecustomize.py", "w", encoding="ascii") as file:
            file.write("open('site/came', 'a').write('.')\n")
        result = self.all_ways(env={**os.environ, "PYTHONPATH": "site"})
        runs = 1 + len(json.loads(result.out)["trials"]["ways"])  # the first tells what to try
        self.assertIn("1 run, alternating", self.tried(result)["W2"])
        with open("site/came", encoding="ascii") as file:
            self.assertIn(len(file.read()), range(runs, runs + runs // 2 + 1))  # some repeated, perhaps

    def test_disturbed_round_is_repeated(self):
        """While gc.freeze() is tried first, somebody else wants our only CPU: then once more, and that is one
        run of it in this round. (Or the machine is so busy that all repeats were used up before.)"""
        cpu = min(os.sched_getaffinity(0))
        notes = "open('runs', 'a').write('freeze\\n' if 'forktax-' in os.environ.get('PYTHONPATH', '') " \
                "else 'other\\n')\n"
        pool = POOL.replace("memory[:]", notes + "memory[:]", 1)
        process = self.start("workers", "--json", "-n", "2", "--load", "echo >> loads; sleep 2", "--",
                             sys.executable, "-c", pool, prefix=["taskset", "-c", str(cpu)])
        self.assertTrue(wait_until(lambda: "freeze" in self.runs()), self.runs())
        count = len(self.runs())
        with subprocess.Popen(["taskset", "-c", str(cpu), sys.executable, "-c",
                               "while True: pass"]) as other:
            wait_until(lambda: len(self.runs()) > count)
            other.kill()
        result = self.finish(process)
        self.assertEqual((result.status, result.err), (0, b""))
        ways = {one["way"]: len(one["samples"]) for one in json.loads(result.out)["trials"]["ways"]}
        self.assertEqual((ways["as-is"], ways["freeze"]), (2, 2))
        planned = sum(ways.values())
        if len(self.runs()) - 1 - planned < planned // 2:
            self.assertEqual(self.runs()[count - 1:count + 1], ["freeze", "freeze"])

    @staticmethod
    def runs():
        if not os.path.exists("runs"):
            return []
        with open("runs", encoding="ascii") as file:
            return file.read().split()

    # Nothing stays behind (tearDown looks for processes)

    def until_loaded(self, *options):
        """A forktax whose load runs: the first, or that with same-page merging."""
        os.mkdir("tmp")
        process = self.start("workers", "-n", "1", *options, "--load", "echo >> ran; sleep 1000", "--",
                             sys.executable, "-c", POOL,
                             env={**os.environ, "TMPDIR": f"{self.scratch}/tmp"})
        wait_until(lambda: os.path.exists("ran"))
        return process

    def test_interrupted(self):
        process = self.until_loaded()
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.status, -signal.SIGINT)
        self.assert_one_line(result.err, "interrupted before the first run was complete")
        self.assertEqual(os.listdir("tmp"), [])

    @needs_root
    @needs_merging
    def test_interrupted_while_a_remedy_is_tried(self):
        """What was complete is printed; settings and files are gone."""
        before = settings()
        os.mkdir("tmp")
        process = self.start("workers", "--json", "-n", "1", "--load",
                             f"[ $(cat {KSM}/run) = 0 ] || {{ touch merging; sleep 1000; }}", "--",
                             sys.executable, "-c", POOL,
                             env={**os.environ, "TMPDIR": f"{self.scratch}/tmp"})
        self.assertTrue(wait_until(lambda: os.path.exists("merging")))
        self.assertEqual(len(os.listdir("tmp")), 1)
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual(result.status, -signal.SIGTERM)
        self.assert_one_line(result.err, "interrupted")
        self.assertEqual(json.loads(result.out)["trials"]["ways"][0]["way"], "as-is")
        self.assertEqual(settings(), before)
        self.assertEqual(os.listdir("tmp"), [])

    @needs_root
    @needs_merging
    def test_killed(self):
        """Even then the pool is ended, and same-page merging is as it was."""
        before = settings()
        process = self.start("workers", "-n", "1", "--load",
                             f"[ $(cat {KSM}/run) = 0 ] || {{ touch merging; sleep 1000; }}", "--",
                             sys.executable, "-c", POOL,
                             env={**os.environ, "TMPDIR": self.scratch})
        self.assertTrue(wait_until(lambda: os.path.exists("merging")))
        self.assertNotEqual(settings(), before)
        process.kill()
        self.wait_alone(process)
        self.assertTrue(wait_until(lambda: settings() == before, 20), settings())

    @needs_root
    @needs_merging
    def test_killed_guard(self):
        """The process that would clean up after us is gone: then we still do it ourselves."""
        before = settings()
        process = self.start("workers", "--json", "-n", "1", "--load",
                             f"[ $(cat {KSM}/run) = 0 ] || {{ touch merging; until [ -e on ]; do "
                             "sleep 0.05; done; }", "--", sys.executable, "-c", POOL,
                             env={**os.environ, "TMPDIR": self.scratch})
        self.assertTrue(wait_until(lambda: os.path.exists("merging")))
        guard, = [pid for pid in children(process.pid) if argv_of(pid) == argv_of(process.pid)]
        os.kill(guard, signal.SIGKILL)
        self.assertTrue(wait_until(lambda: not is_alive(guard)))
        open("on", "w", encoding="ascii").close()
        self.assertIn("1 run, alternating", self.tried(self.finish(process))["W1"])
        self.assertEqual(settings(), before)

    def test_restart_that_fails(self):
        """A pool that grows while its load runs; the command that is to restart its workers does not work."""
        grow = POOL.replace("4 << 20", "16 << 20").replace("3 << 20", "16 << 20").replace(
            "memory[at] = memory[at]", "memory[at] = memory[at]; time.sleep(0.0005)")
        result = self.forktax("workers", "--json", "-n", "1", "--ready", "[ -e pid ]", "--restart",
                              "echo no luck >&2; false", "--load", "sleep 3; rm pid", "--", sys.executable,
                              "-c", grow)
        tried = self.tried(result)["W10"]
        self.assertIn("no: 'echo no luck >&2; false' failed (status 1): no luck", tried)

    def test_killed_before_it_is_ready(self):
        process = self.start("workers", "--load", "true", "--ready",
                             "sleep 0.1; touch ran; sleep 1000; true", "--", sys.executable, "-c", POOL)
        self.assertTrue(wait_until(lambda: os.path.exists("ran")))
        process.kill()
        self.wait_alone(process)

    def test_usage(self):
        for words, message in (
                (("--load", "true"), "needs the command that starts the pool"),
                (("--load", "true", "-p", "1"), "without -p, --every, --duration, --sample"),
                (("--load", "true", "--every", "1s", "true"), "without -p, --every"),
                (("--load", "true", "--duration", "1s", "true"), "without -p"),
                (("--load", "true", "--sample", "2", "true"), "without -p"),
                (("-p", "1", "--sample", "2", "--duration", "1s"), "without a command or --duration"),
                (("--sample", "2", "true"), "--sample needs -p"),
                (("--restart", "true", "-p", "1"), "--load"),
                (("-n", "2", "-p", "1"), "--load"), (("--no-try", "-p", "1"), "--load"),
                (("--wait", "x", "--load", "true", "true"), "must be a time"),
                (("-n", "0", "--load", "true", "true"), "must be")):
            self.assert_fails(self.forktax("workers", *words), 2, message)

# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all
"""Bad input and bad days of forktax bench serve: no orphan, no half table, one clear line."""
import contextlib
import json
import os
import signal
import socket
import subprocess
import time

import support
from cgroups import Cgroup
from support import Case, descendants, needs, needs_root, wait_until

SHORT = ["--rounds=2", "--duration=0.02", "--linkages=static"]
ENDLESS = ["--rounds=10000", "--duration=0.02", "--linkages=static"]


def command_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


class BenchServe(Case):
    def setUp(self):
        super().setUp()
        self.sample("server", "static")

    def serve(self, *arguments, **popen):
        return self.forktax("bench", "serve", *arguments, **popen)

    def assert_refused(self, *arguments, words=()):
        result = self.serve(*arguments)
        self.assert_fails(result, 2, *words)
        self.assertEqual(result.out, b"")

    def measured(self, *arguments, **popen):
        """What it saves, cell by cell, with the row's name."""
        result = self.serve(*SHORT, "--json", *arguments, **popen)
        saved = json.loads(result.out)
        return result, {saved["rows"][cell["row"]]["name"]: cell for cell in saved["cells"]}

    def servers(self, model):
        """Processes of that model, the first one among them, as soon as there are some."""
        def find():
            return [pid for pid in descendants(os.getpid()) if model in command_of(pid)]
        found = wait_until(lambda: len(find()) > 2 and find())
        self.assertTrue(found, "no server was started")
        return found

    def script_server(self, script):
        """That script is the only server, a static one."""
        os.environ["FORKTAX_LOOPS"] = self.scratch
        os.mkdir("static")
        with open("static/server", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod("static/server", 0o755)

    # What is asked for

    def test_numbers(self):
        for option in ("workers", "concurrency", "count", "rounds"):
            for number in ("0", "-1", "x", "", "1e3", "99999999999999999999"):
                self.assert_refused(f"--{option}={number}", words=[f"--{option}"])
        self.assert_refused("--concurrency=4097", words=["4096"])
        self.assert_refused("--workers=1025", words=["1024"])
        self.assert_refused("--count=10000001", words=["at most 10000000"])
        self.assert_refused("--resident=1.5X", words=["size"])

    def test_names(self):
        self.assert_refused("--models=fork,nix", words=["nix", "prefork"])
        self.assert_refused("--models=", words=["prefork"])
        self.assert_refused("--linkages=fork", words=["dynamic"])
        self.assert_refused("--linkages=dynamic,,static", words=["dynamic"])
        self.assert_refused("fork", words=["operands"])

    # What is missing

    def test_no_programs(self):
        os.environ["FORKTAX_LOOPS"] = self.scratch
        result = self.serve(*SHORT)
        self.assert_fails(result, 125, "static/server", "FORKTAX_LOOPS")
        self.assertEqual(result.out, b"")

    def test_some_programs(self):
        os.environ["FORKTAX_LOOPS"] = self.scratch
        os.mkdir("static")
        os.symlink(self.sample("server", "static"), "static/server")
        result = self.serve("--rounds=1", "--duration=0.01", "--models=fork",
                            "--linkages=dynamic,static")
        self.assertEqual(result.status, 0, result)
        self.assertIn(b"fork at dynamic: not available", result.out)

    def test_too_much_memory(self):
        result = self.serve(*SHORT, "--models=fork", "--resident=4T")
        self.assert_fails(result, 125, "4T", "available")

    # What runs out

    def test_no_descriptors(self):
        result = self.serve(*SHORT, "--models=fork", "--concurrency=50",
                            prefix=["prlimit", "--nofile=30"])
        self.assert_fails(result, 125, "open files", "--concurrency")

    def test_no_descriptors_of_server(self):
        # Connections that nobody answers pile up in the server alone.
        self.script_server(f'ulimit -n 12\nexec {support.SAMPLES}/static/server "$@"\n')
        result = self.serve(*SHORT, "--models=threads", "--concurrency=64")
        self.assert_fails(result, 125, "server: cannot accept", "open files")

    @needs_root
    def test_no_processes(self):
        cgroup = Cgroup(self, "pids", {version: {"pids.max": 12} for version in (1, 2)})
        result, cells = self.measured("--models=fork,prefork,threads", "--workers=30",
                                      "--concurrency=3", prefix=cgroup.prefix)
        self.assertEqual(result.status, 125)
        self.assertIn(b"Resource temporarily unavailable", result.err)
        self.assertEqual(cells["pre-fork"]["state"], "failed")
        self.assertIn("cannot fork", cells["pre-fork"]["reason"])
        self.assertFalse(cells["pre-fork"]["metrics"], "a failed cell has figures")
        self.assertEqual(cells["fork"]["state"], "measured")

    # What dies

    def lasting_servers(self, process, model, ended):
        """The processes of a server that has run for a while; [] once forktax has ended. None: of
        those that have `ended` some are still there."""
        seen = {}

        def find():
            if process.poll() is not None:
                return [[]]
            found = [pid for pid in descendants(process.pid) if model in command_of(pid)]
            began = seen.setdefault(tuple(found), time.monotonic())
            lasts = len(found) > 2 and time.monotonic() - began > 0.5
            return [found] if lasts and ended.isdisjoint(found) else None
        return (wait_until(find) or [None])[0]

    def kill_one(self, model, victim, words, *options):
        """One process of a server in the middle of a round that would take minutes."""
        process = self.start("bench", "serve", "--count=5000000", "--rounds=3",
                             "--linkages=static", f"--models={model}", *options)
        ended = set()
        # On a busy machine it may be a server of the warm-up which has just answered the last
        # request: then nobody misses anything, and another server follows.
        while found := self.lasting_servers(process, model.encode(), ended):
            ended.update(found)
            with contextlib.suppress(ProcessLookupError):
                os.kill(found[victim], signal.SIGKILL)
        self.assertIsNotNone(found, "it goes on without the process that was killed")
        result = self.finish(process)
        self.assert_fails(result, 125, "nothing could be measured", words)
        self.assertEqual(result.out, b"")

    def servers_end(self, name):
        self.assertTrue(wait_until(lambda: not [pid for pid in descendants(os.getpid())
                                                if name in command_of(pid)]))

    def test_killed_worker(self):
        self.kill_one("prefork", -1, "a worker has ended")

    @needs("strace")
    def test_killed_worker_of_a_slow_server(self):
        """Its client sees a connection break long before the server has said why, and ended."""
        self.script_server("exec strace -f -qq -o /dev/null -e trace=exit_group "
                           "-e inject=exit_group:delay_enter=1500000 "
                           f"{self.sample('server', 'static')} \"$@\"\n")
        self.kill_one("prefork", -1, "a worker has ended")

    def test_killed_server(self):
        self.kill_one("passing", 0, "killed by signal 9")

    def test_killed_worker_of_others(self):
        self.kill_one("passing", 2, "a worker has ended")

    @needs("strace")
    def test_ended_while_it_forks(self):
        """No worker stays behind that the server has forked, but not yet written down."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        for linkage in ("dynamic", "static", "diet"):
            strace = subprocess.Popen(
                ["strace", "-f", "-qq", "-o", "log", "-e", "trace=clone,fork",
                 "-e", "inject=clone,fork:delay_exit=500000", self.sample("server", linkage),
                 "-m", "prefork", "-w", "1", "-L", str(listener.fileno())],
                stdin=subprocess.DEVNULL, pass_fds=[listener.fileno()])
            os.kill(self.servers(b"prefork")[1], signal.SIGTERM)  # [0] is strace
            self.assertEqual(self.finish(strace, timeout=20).status, 0)

    def test_server_that_does_not_serve(self):
        self.script_server("echo what is this >&2\nexit 3\n")
        result = self.serve(*SHORT, "--models=fork")
        self.assert_fails(result, 125, "what is this")

    @needs_root
    def test_traced_server_that_begins_late(self):
        """Who makes the load does not give up before there is a server that it could end."""
        # The server that is traced leads no group.
        self.script_server("read -r _ _ _ _ group _ </proc/$$/stat\n"
                           "[ $group = $$ ] || [ -e slept ] || { >slept; sleep 22; }\n"
                           f"exec {self.sample('server', 'static')} \"$@\"\n")
        result = self.serve("--rounds=1", "--count=50", "--linkages=static", "--models=fork")
        self.assertEqual(result.status, 0, result)
        self.assertTrue(os.path.exists("slept"))
        self.assertNotIn(b"not counted", result.out)

    # What is interrupted

    def interrupt(self, number, *options):
        process = self.start("bench", "serve", *options, "--models=fork,prefork,daemon")
        self.servers(b"daemon")
        process.send_signal(number)
        return self.finish(process)

    def test_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            result = self.interrupt(number, *ENDLESS)
            self.assertEqual(result.status, -number, result)

    def test_interrupted_prints_what_is_complete(self):
        self.script_server(f"echo >>starts\nexec {self.sample('server', 'static')} \"$@\"\n")
        process = self.start("bench", "serve", "--rounds=10000", "--count=1",
                             "--linkages=static", "--models=fork,prefork")
        # Each once in the warm-up, and up to three times in the first round, if others disturb it; with the next
        # one that is complete.
        self.assertTrue(wait_until(lambda: os.path.exists("starts") and
                                   os.path.getsize("starts") > 2 + 2 * 3))
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.status, -signal.SIGINT)
        self.assertIn(b"interrupted", result.out)
        self.assertIn(b"pre-fork", result.out)

    @needs_root
    def test_interrupted_while_tracing(self):
        process = self.start("bench", "serve", "--linkages=static", "--rounds=1",
                             "--duration=0.01", "--models=fork,prefork,daemon,passing,bash")
        self.assertTrue(wait_until(lambda: support.programs_of(process.pid)))
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.status, -signal.SIGINT, result)

    def test_killed_forktax(self):
        process = self.start("bench", "serve", *ENDLESS, "--models=prefork,passing")
        self.servers(b"prefork")
        process.kill()
        self.finish(process)
        self.servers_end(b"prefork")


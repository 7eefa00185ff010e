# SPDX-License-Identifier: GPL-2.0-or-later
"""watch: what it refuses, how it ends, and what it goes on without."""
import contextlib
import json
import os
import signal
import socket
import subprocess
import time

from support import Case, needs, needs_root, programs_of, wait_until
from watching import WatchCase, metrics, remove

USAGE = """
    watch true => takes no command
    watch --level=all => --level all: must be classes, totals or forks
    watch --budget=101 => must be a percentage of all CPUs
    watch --budget=x% => must be a percentage of all CPUs
    watch --every=0 => must be a time
    watch --textfile=x --json => give --textfile or --json, not both
    watch --pprof-dir=x => --pprof-dir needs --level=classes
    watch --pprof-dir=x --level=classes --pprof-keep=0 => must be
    watch -a -p 1 => exclude each other
    watch -p 0 => must be a process id
"""


class Usage(Case):
    def test_usage(self):
        self.assert_stanzas(USAGE)


@needs_root
class Watch(WatchCase):
    def test_terminated(self):
        for signal_number in (signal.SIGTERM, signal.SIGINT):
            process = self.watch("--json", "--every=1h")
            wait_until(lambda: programs_of(process.pid))
            programs = programs_of(process.pid)
            process.send_signal(signal_number)
            result = self.finish(process)
            self.assertEqual((result.status, result.err), (0, b""))
            first, last = self.samples(result)
            self.assertGreaterEqual(last["time"], first["time"])
            self.assert_unloaded(programs)

    def test_killed(self):
        """Nothing stays attached, and no half file is left."""
        process = self.watch("--textfile=x.prom", "--every=0.1")
        wait_until(lambda: os.path.exists("x.prom"))
        programs = programs_of(process.pid)
        process.kill()
        self.finish(process)
        self.assert_unloaded(programs)
        self.assertGreater(metrics("x.prom")["forktax_start_time_seconds"], 0)
        self.assertLessEqual(set(os.listdir(".")) - {"x.prom"}, {name for name in os.listdir(".") if ".prom" not in name})

    def test_hangup_asks_for_a_sample(self):
        process = self.watch("--json", "--every=1h")
        self.assertTrue(process.stdout.readline())
        process.send_signal(signal.SIGHUP)
        self.assertTrue(json.loads(process.stdout.readline())["units"])
        self.assertIsNone(process.poll())
        process.terminate()
        self.assertEqual(self.finish(process).status, 0)

    def test_duration(self):
        result = self.forktax("watch", "--json", "--every=0.2", "--duration=0.5")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertIn(len(self.samples(result)), (3, 4))

    def test_two_at_once(self):
        watches = [self.watch("--json", "--every=1h", "--level=classes") for _ in range(2)]
        path, directory = self.cgroup("two")
        subprocess.run(["sh", "-c", f"echo $$ >{directory}/cgroup.procs; for i in 1 2 3 4 5; do (:); done"], check=True)
        for process in watches:
            process.terminate()
            units = {unit["name"]: unit for unit in self.samples(self.finish(process))[-1]["units"]}
            self.assertEqual(units[path]["forks"], 5)

    def test_reader_is_gone(self):
        read, write = os.pipe()
        process = self.watch("--json", "--every=0.1", stdout=write)
        os.close(write)
        os.close(read)
        self.assertIn(self.finish(process).status, (125, -signal.SIGPIPE))

    def test_no_place_for_the_textfile(self):
        """It says so once, goes on, and says when it is better; else its exit status does."""
        process = self.watch("--textfile=no/x.prom", "--every=0.1")
        line = process.stderr.readline()
        self.assert_one_line(line, "no/x.prom", "No such file or directory")
        time.sleep(0.5)
        os.mkdir("no")
        self.assert_one_line(process.stderr.readline(), "no/x.prom is up to date again")
        os.rename("no", "other")
        line = process.stderr.readline()
        self.assert_one_line(line, "no/x.prom")
        process.terminate()
        result = self.finish(process)
        self.assert_fails(result, 125, "no/x.prom is not up to date")
        self.assertGreater(metrics("other/x.prom")["forktax_start_time_seconds"], 0)

    def test_full_textfile_directory(self):
        os.mkdir("full")
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", "full"], check=False).returncode:
            self.skipTest("no file system can be mounted")
        self.addCleanup(subprocess.run, ["umount", "-l", f"{self.scratch}/full"], check=True)
        process = self.watch("--textfile=full/x.prom", "--every=0.1")
        wait_until(lambda: os.path.exists("full/x.prom"))
        with open("full/filling", "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        self.assert_one_line(process.stderr.readline(), "full/x.prom", "No space left on device")
        self.assertGreater(metrics("full/x.prom")["forktax_start_time_seconds"], 0)
        os.truncate("full/filling", 0)
        self.assert_one_line(process.stderr.readline(), "full/x.prom is up to date again")
        process.terminate()
        self.assertEqual(self.finish(process).status, 0)
        self.assertEqual(set(os.listdir("full")), {"x.prom", "filling"})

    def test_vanished_cgroup(self):
        """It comes again under its name, as another one, and is watched from its creation on."""
        path, directory = self.cgroup("gone")
        process = self.watch("--json", "--every=0.1", f"--cgroup={path}")
        run = ["sh", "-c", f"echo $$ >{directory}/cgroup.procs; (:); (:)"]
        subprocess.run(run, check=True)
        self.assertTrue(wait_until(lambda: remove(directory), 10))
        time.sleep(0.3)
        os.mkdir(directory)
        subprocess.run(run, check=True)
        process.terminate()
        result = self.finish(process)
        self.assertEqual((result.status, result.err), (0, b""))
        units = {unit["name"]: unit for unit in self.samples(result)[-1]["units"]}
        self.assertEqual(units[path]["forks"], 4)

    def test_cgroup_of_two_lives(self):
        """With -a both cgroups of a name are one unit."""
        path, directory = self.cgroup("lives")
        process = self.watch("--json", "--every=0.1")
        run = ["sh", "-c", f"echo $$ >{directory}/cgroup.procs; (:); (:)"]
        for _ in range(3):
            subprocess.run(run, check=True)
            self.assertTrue(wait_until(lambda: remove(directory), 10))
            os.mkdir(directory)
        process.terminate()
        units = {unit["name"]: unit for unit in self.samples(self.finish(process))[-1]["units"]}
        self.assertEqual(units[path]["forks"], 6)

    def test_bomb(self):
        """As many processes as fit, again and again: none is lost."""
        path, directory = self.cgroup("bomb")
        process = self.watch("--json", "--every=0.1")
        forks = 'for i in $(seq 300); do (:) & done; wait'
        bomb = ["sh", "-c", f"echo $$ >{directory}/cgroup.procs; {forks}"]
        subprocess.run(bomb, check=True)
        process.terminate()
        last = self.samples(self.finish(process))[-1]
        units = {unit["name"]: unit for unit in last["units"]}
        self.assertTrue(last["is_exact"], last["lost_events"])
        self.assertEqual((units[path]["forks"], units[path]["ends"]), (301, 302))  # one is for seq

    @needs("unshare")
    def test_version_1_alone(self):
        """Every process is counted, in one unit."""
        with open("alone.sh", "w", encoding="ascii") as file:
            file.write("""while v2=$(awk '$3 == "cgroup2" {print $2; exit}' /proc/self/mounts); test "$v2"; do umount "$v2"; done
                       exec "$FORKTAX" watch --json --every=1h --duration=1 --budget=0""")
        result = self.shell("exec unshare --mount sh alone.sh")
        self.assertEqual(result.status, 0)
        self.assert_one_line(result.err, "warning: no cgroup file system of version 2")
        self.assertEqual([unit["name"] for unit in self.samples(result)[-1]["units"]], ["other"])

    def test_nobody_may_watch(self):
        result = self.forktax("watch", "--json", "--duration=1", user=65534, group=65534, extra_groups=[])
        self.assert_fails(result, 125, "CAP_BPF")

    def test_service_manager_is_told(self):
        for path in ("@forktax-test-%d" % os.getpid(), f"{self.scratch}/notify"):
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
                manager.bind(path.replace("@", "\0", 1) if path[0] == "@" else path)
                manager.settimeout(60)
                environment = {**os.environ, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "400000"}
                process = self.start("watch", "--textfile=x.prom", "--every=1h", env=environment)
                self.assertEqual(manager.recv(100), b"READY=1")
                self.assertTrue(os.path.exists("x.prom"))
                self.assertEqual(manager.recv(100), b"WATCHDOG=1")
                self.assertEqual(manager.recv(100), b"WATCHDOG=1")
                process.terminate()
                said = b""
                while said != b"STOPPING=1":
                    said = manager.recv(100)
                self.assertEqual(self.finish(process).status, 0)

    def test_steps_down(self):
        """A thousandth of a per cent is less than it needs at any level."""
        process = self.start("watch", "--json", "--every=0.2", "--level=classes", "--budget=0.001%")
        self.assert_one_line(process.stderr.readline(), "it counts less now, at level totals")
        self.assert_one_line(process.stderr.readline(), "it counts less now, at level forks")
        process.terminate()
        samples = self.samples(self.finish(process))
        self.assertEqual((samples[-1]["level"], samples[-1]["gaps"]), ("forks", 2))
        self.assertGreater(samples[-1]["gap_seconds"], 0)
        forks = [sum(unit["forks"] for unit in sample["units"]) for sample in samples]
        self.assertEqual(forks, sorted(forks))

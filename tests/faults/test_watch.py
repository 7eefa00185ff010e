# SPDX-License-Identifier: GPL-2.0-or-later
"""watch: what it refuses, how it ends, and what it goes on without."""
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time

from support import Case, needs, needs_root, programs_of, wait_until
from watching import WatchCase, metrics, remove
import support
from test_cgroups import mount_point

# Of so many MiB, inherited by so many workers, the second of which copies so many pages, in the first tenth.
POOL = """
import mmap, os, sys
size, workers, copied = int(sys.argv[1]) << 20, int(sys.argv[2]), int(sys.argv[3])
memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for at in range(0, size, 4096): memory[at] = 1
for worker in range(workers):
    told = os.pipe()
    if not os.fork():
        for page in range(copied if worker == 1 else 0): memory[page * 4096] = 2
        os.write(told[1], b"."); sys.stdin.read(); os._exit(0)
    os.read(told[0], 1)
print("ready", flush=True)
sys.stdin.read()
for worker in range(workers): os.wait()
"""
USAGE = """
    watch true => takes no command
    watch --level=all => --level all: must be classes or totals
    watch --every=0 => must be a time
    watch -a --cgroup=/x => exclude each other
"""


class Usage(Case):
    def test_usage(self):
        self.assert_stanzas(USAGE)


@needs_root
class Watch(WatchCase):
    def test_terminated(self):
        for signal_number in (signal.SIGTERM, signal.SIGINT):
            process = self.watch("--every=1h")
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
        self.assertLessEqual(set(os.listdir(".")) - {"x.prom"}, {name for name in os.listdir(".") if ".prom" not in name} | {".x.prom.lock"})

    def test_hangup_asks_for_a_sample(self):
        process = self.watch("--every=1h")
        self.assertTrue(process.stdout.readline())
        process.send_signal(signal.SIGHUP)
        self.assertTrue(json.loads(process.stdout.readline())["units"])
        self.assertIsNone(process.poll())
        process.terminate()
        self.assertEqual(self.finish(process).status, 0)

    @contextlib.contextmanager
    def pool(self, name, *sizes):
        """A pool of such sizes in a cgroup of its own: pid, cgroup."""
        path, directory = self.cgroup(name)
        with subprocess.Popen(["sh", "-c", f'echo $$ >{directory}/cgroup.procs; exec "$@"', "sh", sys.executable, "-c", POOL,
                               *map(str, sizes)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as pool:
            self.assertEqual(pool.stdout.readline(), b"ready\n")
            yield pool.pid, path

    @contextlib.contextmanager
    def pool_of(self, name, *sizes):
        """A pool of such sizes, and what the watch says of it."""
        with self.pool(name, *sizes) as (pid, path):
            process = self.watch("--every=1h", f"--cgroup={path}")
            process.stdout.readline()
            process.send_signal(signal.SIGHUP)
            units = {unit["name"]: unit for unit in json.loads(process.stdout.readline())["units"]}
            process.terminate()
            self.assertEqual(self.finish(process).status, 0)
            yield pid, units[path]["pool"]

    def test_pool_as_a_whole(self):
        """What is known of it, page for page, and that is what `workers` says."""
        with self.pool_of("whole", 300, 3, 7000) as (pid, pool):
            state = json.loads(self.forktax("workers", "--json", "-p", str(pid)).out)
        self.assertEqual(pool["workers"], 3)
        self.assertEqual(pool["shared_bytes"], sum(one["shared_pages"] for one in state["workers"]) * 4096)
        self.assertTrue(0 <= pool["unshared_bytes"] - 7000 * 4096 < 8 << 20, pool)
        self.assertTrue(0 <= pool["shared_bytes"] - (3 * 300 * 256 - 7000) * 4096 < 32 << 20, pool)

    def test_pool_too_large(self):
        """Of more than 8 GiB nothing is said; its memory exists once."""
        with self.pool_of("large", 560, 15, 0) as (_, pool):
            self.assertIsNone(pool)

    @needs("cc")
    def test_pools_take_turns(self):
        """Reading that takes long is made up for by a later reading, which begins with the units that were not reached."""
        with self.pool("turns", 1, 3, 0) as (_, first), self.pool("turns-too", 1, 2, 0) as (_, second):
            environment = self.jumping_clock()
            self.set_clock(slower=100000)
            process = self.watch("--textfile=x.prom", "--every=0.1", f"--cgroup={first}*", env=environment)
            name = 'forktax_pool_workers{unit="%s"}'
            self.assertTrue(wait_until(lambda: os.path.exists("x.prom") and metrics("x.prom").get(name % first) == 3))
            self.set_clock(0, 310, 100000)
            self.wait_for_sample()
            self.assertNotIn(name % second, metrics("x.prom"))
            self.set_clock(0, 10 ** 8, 100000)
            self.assertTrue(wait_until(lambda: metrics("x.prom").get(name % second) == 2))
            process.terminate()
            self.assertEqual(self.finish(process).status, 0)

    def test_duration(self):
        result = self.forktax("watch", "--every=0.2", "--duration=0.5")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertIn(len(self.samples(result)), (3, 4))

    def test_two_at_once(self):
        watches = [self.watch("--every=1h", "--level=classes") for _ in range(2)]
        path, directory = self.cgroup("two")
        subprocess.run(["sh", "-c", f"echo $$ >{directory}/cgroup.procs; for i in 1 2 3 4 5; do (:); done"], check=True)
        for process in watches:
            process.terminate()
            units = {unit["name"]: unit for unit in self.samples(self.finish(process))[-1]["units"]}
            self.assertEqual(units[path]["forks"], 5)

    def test_reader_is_gone(self):
        read, write = os.pipe()
        process = self.watch("--every=0.1", stdout=write)
        os.close(write)
        os.close(read)
        self.assertIn(self.finish(process).status, (125, -signal.SIGPIPE))

    def test_no_place_for_the_textfile(self):
        """It says so once, goes on, and says when it is better; else its exit status does."""
        process = self.watch("--textfile=no/x.prom", "--every=0.1")
        line = self.next_line(process)
        self.assert_one_line(line, "no/x.prom", "No such file or directory")
        time.sleep(0.5)
        os.mkdir("no")
        self.assert_one_line(self.next_line(process), "no/x.prom is up to date again")
        os.rename("no", "other")
        line = self.next_line(process)
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
        self.assert_one_line(self.next_line(process), "full/x.prom", "No space left on device")
        self.assertGreater(metrics("full/x.prom")["forktax_start_time_seconds"], 0)
        os.truncate("full/filling", 0)
        self.assert_one_line(self.next_line(process), "full/x.prom is up to date again")
        process.terminate()
        self.assertEqual(self.finish(process).status, 0)
        self.assertEqual(set(os.listdir("full")), {"x.prom", "filling"})

    def test_two_at_one_textfile(self):
        """The second one ends at once; after the first one, whatever ended it, another may write."""
        for end in (signal.SIGTERM, signal.SIGKILL):
            process = self.watch("--textfile=x.prom", "--every=0.1")
            self.assertTrue(wait_until(lambda: os.path.exists("x.prom")))
            second = self.forktax("watch", "--textfile=./x.prom", "--duration=1")
            self.assert_fails(second, 125, "another forktax watch writes ./x.prom")
            beside = self.forktax("watch", "--textfile=y.prom", "--duration=0.1")
            self.assertEqual((beside.status, beside.err), (0, b""))
            self.wait_for_sample()
            process.send_signal(end)
            self.finish(process)
        last = self.forktax("watch", "--textfile=x.prom", "--duration=0.1")
        self.assertEqual((last.status, last.err), (0, b""))
        self.assertEqual({name for name in os.listdir(".") if "prom" in name}, {"x.prom", "y.prom"})

    def test_vanished_cgroup(self):
        """It comes again under its name, as another one, and is watched from its creation on."""
        path, directory = self.cgroup("gone")
        process = self.watch("--every=0.1", f"--cgroup={path}")
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
        process = self.watch("--every=0.1")
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
        process = self.watch("--every=0.1")
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
        """Every process is counted; those of cgroups that existed before are in one unit."""
        with open("alone.sh", "w", encoding="ascii") as file:
            file.write("""while v2=$(awk '$3 == "cgroup2" {print $2; exit}' /proc/self/mounts); test "$v2"; do umount "$v2"; done
                       exec "$FORKTAX" watch --every=1h --duration=1""")
        result = self.shell("exec unshare --mount sh alone.sh")
        self.assertEqual(result.status, 0)
        self.assert_one_line(result.err, "warning: no cgroup file system of version 2")
        names = [unit["name"] for unit in self.samples(result)[-1]["units"]]
        later = "/forktax-"  # cgroups that tests beside this one have created meanwhile
        self.assertEqual([name for name in names if not name.startswith(later)], ["other"])

    def set_clock(self, ahead=0, never_set=0, slower=1):
        """What clock.c reads, replaced as a whole."""
        with open("clock.new", "w", encoding="ascii") as file:
            file.write(f"{ahead} {never_set} {slower}\n")
        os.rename("clock.new", "clock")

    def preload(self, *names):
        """A value of LD_PRELOAD with these files of C."""
        for name in names:
            source = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.c")
            subprocess.run(["cc", "-shared", "-fPIC", "-o", f"{name}.so", source], check=True)
        return ":".join(f"{self.scratch}/{name}.so" for name in names)

    def jumping_clock(self, *names):
        """The environment of a forktax whose clocks set_clock() sets."""
        self.set_clock()
        return {**os.environ, "LD_PRELOAD": self.preload("clock", *names), "TEST_CLOCK": f"{self.scratch}/clock"}

    @needs("cc")
    def test_clock_that_jumps(self):
        """Samples go on as often as before, no count goes down, and a saved line can be read."""
        path, directory = self.cgroup("clock")
        process = self.watch("--every=0.2", f"--cgroup={path}", env=self.jumping_clock())
        run = ["sh", "-c", f"echo $$ >{directory}/cgroup.procs; (:); (:)"]
        lines = [process.stdout.readline()]
        begin = json.loads(lines[0])["time"]
        for ahead in (86400, -86400, 0):
            self.set_clock(ahead)
            subprocess.run(run, check=True)
            while abs(json.loads(lines[-1])["time"] - begin - ahead) > 3600:
                lines.append(process.stdout.readline())
            lines += [process.stdout.readline() for _ in range(2)]
        self.assertLess(len(lines), 100)
        process.terminate()
        result = self.finish(process)
        self.assertEqual((result.status, result.err), (0, b""))
        samples = [json.loads(line) for line in [*lines, *result.out.splitlines()]]
        self.assertEqual(len({sample["began_at"] for sample in samples}), 1)
        forks = [unit["forks"] for sample in samples for unit in sample["units"] if unit["name"] == path]
        self.assertEqual((forks, forks[-1]), (sorted(forks), 6))
        early = min(lines, key=lambda line: json.loads(line)["time"])
        self.assertLess(json.loads(early)["time"], begin)
        with open("early.json", "wb") as file:
            file.write(early)
        report = self.forktax("report", "early.json")
        self.assertEqual((report.status, report.err), (0, b""))

    @needs("cc")
    def test_gone_units_leave_after_an_hour(self):
        """By the clock that is never set: if the other one is, nothing leaves early."""
        path, directory = self.cgroup("leaves")
        process = self.watch("--textfile=x.prom", "--every=0.1", f"--cgroup={path}*", env=self.jumping_clock())
        name = f'forktax_forks_total{{unit="{path}"}}'
        subprocess.run(["sh", "-c", f"echo $$ >{directory}/cgroup.procs; (:)"], check=True)
        wait_until(lambda: metrics("x.prom").get(name) == 1)
        self.assertTrue(wait_until(lambda: remove(directory), 10))
        for never_set in (20, 40, 60): # it walks through the cgroups again and does not find it
            self.set_clock(0, never_set)
            self.wait_for_sample()
        for ahead in (7200, -7200):
            self.set_clock(ahead, 80)
            self.wait_for_sample()
            self.assertEqual(metrics("x.prom").get(name), 1)
        self.set_clock(0, 3600 + 15)
        self.wait_for_sample()
        self.assertEqual(metrics("x.prom").get(name), 1)
        self.set_clock(0, 3600 + 90)
        self.assertTrue(wait_until(lambda: name not in metrics("x.prom")))
        process.terminate()
        self.assertEqual(self.finish(process).status, 0)

    @needs("cc")
    def test_cgroup_created_unseen(self):
        """The event of its creation is lost: a look for new cgroups finds it, and the watch says what is missing."""
        path, directory = self.cgroup("unseen")
        environment = {**self.jumping_clock("deaf"), "TEST_DEAF": "on_cgroup_mkdir"}
        process = self.watch("--every=0.1", f"--cgroup={path}/*", env=environment)
        time.sleep(0.3)  # the first look is over
        os.mkdir(f"{directory}/late")
        self.addCleanup(wait_until, lambda: remove(f"{directory}/late"), 10)
        run = ["sh", "-c", f"echo $$ >{directory}/late/cgroup.procs; (:); (:)"]
        subprocess.run(run, check=True)
        self.set_clock(0, 20)
        self.assert_one_line(self.next_line(process), f"{path}/late was created unseen", "is not counted")
        subprocess.run(run, check=True)
        process.terminate()
        result = self.finish(process)
        self.assertEqual((result.status, result.err), (0, b""))
        samples = self.samples(result)
        self.assertEqual((samples[0]["is_exact"], samples[0]["doubts"]), (True, 0))
        self.assertEqual((samples[-1]["is_exact"], samples[-1]["doubts"], samples[-1]["lost_events"]), (False, 1, 0))
        self.assertEqual([unit["forks"] for unit in samples[-1]["units"] if unit["name"] == f"{path}/late"], [2])

    def wait_for_sample(self):
        """The second one from now on has seen all that was there before."""
        for _ in range(2):
            before = os.stat("x.prom").st_ino, os.stat("x.prom").st_mtime_ns
            self.assertTrue(wait_until(lambda: (os.stat("x.prom").st_ino, os.stat("x.prom").st_mtime_ns) != before))

    def test_read_only_textfile_directory(self):
        """It becomes read-only while the watch runs, and writable again."""
        os.mkdir("disk")
        if subprocess.run(["mount", "-t", "tmpfs", "none", "disk"], check=False).returncode:
            self.skipTest("no file system can be mounted")
        self.addCleanup(subprocess.run, ["umount", "-l", f"{self.scratch}/disk"], check=True)
        process = self.watch("--textfile=disk/x.prom", "--every=0.1")
        wait_until(lambda: os.path.exists("disk/x.prom"))
        # A file that is being written keeps it from being remounted.
        wait_until(lambda: not subprocess.run(["mount", "-o", "remount,ro", "disk"], check=False, stderr=subprocess.DEVNULL).returncode)
        self.assert_one_line(self.next_line(process), "disk/x.prom", "Read-only file system")
        whole = metrics("disk/x.prom")
        self.assertGreater(whole["forktax_start_time_seconds"], 0)
        subprocess.run(["mount", "-o", "remount,rw", "disk"], check=True)
        self.assert_one_line(self.next_line(process), "disk/x.prom is up to date again")
        process.terminate()
        self.assertEqual(self.finish(process).status, 0)
        self.assertEqual(os.listdir("disk"), ["x.prom"])

    def test_renamed_cgroup(self):
        """Cgroups of version 2 cannot be renamed. A kernel that could would need another answer here."""
        _, directory = self.cgroup("name")
        with self.assertRaises(OSError):
            os.rename(directory, directory + "-other")

    def last_of_ten_thousand_cgroups(self, every):
        """The last sample of a watch of 10,000 cgroups. In each, a shell forks once."""
        count = 10000
        path, directory = self.cgroup("many")
        inner = [f"{directory}/{chr(97 + i % 26)}{i:x}" for i in range(count)]
        for name in inner:
            os.mkdir(name)
        self.addCleanup(lambda: [os.rmdir(name) for name in inner])
        with open("lines", "wb") as lines:  # a pipe that nobody reads would be full soon
            process = self.watch(f"--every={every}", f"--cgroup={path}", stdout=lines)
        script = 'cd "$1"; for i in *; do [ -d "$i" ] || continue; echo $$ >$i/cgroup.procs; (:); done; echo $$ >../cgroup.procs'
        subprocess.run(["sh", "-c", script, "sh", directory], check=True)
        process.terminate()
        self.assertEqual(self.finish(process).status, 0)
        with open("lines", encoding="utf-8") as lines:
            last = json.loads(list(lines)[-1])
        self.assertTrue(last["is_exact"], last["lost_events"])
        self.assertEqual(sum(unit["forks"] for unit in last["units"]), count)
        for unit in last["units"]:
            self.assertEqual(sum(group["children"] for group in unit["groups"]), unit["forks"])
        return last

    # ctest: all
    def test_ten_thousand_cgroups(self):
        """Sums are exact, names are bounded, and samples still come."""
        count, named = 10000, 200
        last = self.last_of_ten_thousand_cgroups("1")
        self.assertEqual(len(last["units"]), named + 1)
        self.assertGreaterEqual(last["units_merged"], count - named)

    # ctest: all
    def test_more_kinds_of_children_than_room(self):
        """10,000 between two samples: the kernel half keeps 8,192. The others are counted, without the names of their parents."""
        last = self.last_of_ten_thousand_cgroups("1h")
        parents = {group["parent"] for unit in last["units"] for group in unit["groups"]}
        self.assertEqual(parents, {"sh", "other"})

    def test_nobody_may_watch(self):
        result = self.forktax("watch", "--duration=1", user=65534, group=65534, extra_groups=[])
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

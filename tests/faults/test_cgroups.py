# SPDX-License-Identifier: GPL-2.0-or-later
"""run --cgroup and -a: what cannot be watched, and how it ends."""
import os
import signal
import subprocess
import time

from cgroups import Cgroup as Limit
from support import (Case, TargetCase, children, is_alive, needs, needs_root, programs_of, wait_until)


def mount_point():
    with open("/proc/self/mounts", encoding="utf-8") as file:
        return next((line.split()[1] for line in file if line.split()[2] == "cgroup2"), None)


@needs_root
class Cgroups(TargetCase):
    def setUp(self):
        super().setUp()
        root = mount_point()
        if not root:
            self.skipTest("no cgroup file system of version 2 is mounted")
        self.path = f"/forktax-faults-{os.getpid()}"
        self.directory = root + self.path
        try:
            os.mkdir(self.directory)
        except OSError as error:
            self.skipTest(f"no cgroup can be made: {error}")
        self.addCleanup(wait_until, lambda: self.remove(""))  # killed processes leave it a moment later

    def member(self, *command):
        process = subprocess.Popen(["sh", "-c", f'echo $$ >{self.directory}/cgroup.procs && exec "$@"', "sh",
                                    *command], stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_missing(self):
        result = self.forktax("run", "--cgroup=/no-such-cgroup", "--duration=1")
        self.assert_fails(result, 125, "--cgroup /no-such-cgroup: no such cgroup below")

    def test_file_is_no_cgroup(self):
        result = self.forktax("run", f"--cgroup={self.path}/cgroup.procs", "--duration=1")
        self.assert_fails(result, 125, "no such cgroup below")

    def test_nobody_in_it(self):
        result = self.forktax("run", "-q", "--json", "-o", "run.json", f"--cgroup={self.path}", "--duration=0.2")
        self.assert_fails(result, 125, "there was no process in the cgroup")
        self.assertFalse(os.path.exists("run.json"))

    def test_by_its_directory_until_interrupted(self):
        """A member that lives on is no reason to be inexact, and it does live on."""
        member = self.member("sh", "-c", "echo; exec sleep 60")
        member.stdout.readline()
        process = self.start("run", "-o", "report", "--strict", f"--cgroup={self.directory}/")
        self.assertIn(b"counting the processes in", self.next_line(process))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), 0)
        self.assertTrue(is_alive(member.pid))
        with open("report", encoding="utf-8") as file:
            self.assertRegex(file.readline(), f"^cgroup {self.path}: counted for .*; 1 process still running$")

    def watch(self, *arguments, command="run"):
        """forktax once it counts; it writes run.json when it is terminated."""
        ready, said = os.pipe()
        process = self.start(command, "--json", "-o", "run.json", f"--ready-fd={said}", *arguments, pass_fds=[said])
        os.close(said)
        with os.fdopen(ready, "rb") as stream:
            self.assertEqual(stream.read(), b"ready\n")
        return process

    def stop(self, process, status=0):
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual(result.status, status, result)
        return result

    def make(self, name):
        os.mkdir(f"{self.directory}/{name}")
        self.addCleanup(wait_until, lambda: self.remove(name))
        return f"{self.directory}/{name}/cgroup.procs"

    def remove(self, name):
        try:
            os.rmdir(f"{self.directory}/{name}")
        except FileNotFoundError:
            pass
        except OSError:
            return False
        return True

    def test_pattern_that_matches_later(self):
        process = self.watch(f"--cgroup={self.path}/job-*")
        self.shell(f"echo $$ >{self.make('job-1')}; for i in 1 2 3; do (:); done")
        result = self.stop(process)
        self.assertIn(f"no cgroup matches {self.path}/job-* yet", result.err.decode())
        run = self.saved()
        self.assertTrue(run["integrity"]["exact"], run["integrity"])
        self.assertEqual((run["totals"]["forks"], run["cgroups"]), (3, [f"{self.path}/job-1"]))

    def test_pattern_that_matches_nothing(self):
        result = self.forktax("run", "-q", f"--cgroup={self.path}/job-*", "--duration=0.2")
        self.assert_fails(result, 125, "nothing was traced: no cgroup matched")

    def test_rename_is_not_possible(self):
        """So the id of a cgroup, by which it is watched, and its path belong together."""
        self.make("before")
        with self.assertRaises(PermissionError):
            os.rename(f"{self.directory}/before", f"{self.directory}/after")

    def test_that_it_vanishes_and_comes_again(self):
        self.make("in")
        process = self.watch(f"--cgroup={self.path}/in")
        for _ in range(3):
            self.shell(f"echo $$ >{self.directory}/in/cgroup.procs; (:)")
            wait_until(lambda: self.remove("in"))
            os.mkdir(f"{self.directory}/in")
        self.stop(process)
        self.assertEqual(self.saved()["totals"]["forks"], 3)
        self.assertTrue(self.saved()["integrity"]["exact"])

    @needs("unshare")
    def test_version_1_alone(self):
        with open("alone.sh", "w", encoding="ascii") as file:
            file.write("""while v2=$(awk '$3 == "cgroup2" {print $2; exit}' /proc/self/mounts); test "$v2"; do umount "$v2"; done
                       exec "$FORKTAX" run --cgroup=/x --duration=1""")
        result = self.shell("exec unshare --mount sh alone.sh")
        self.assert_fails(result, 125, "ersion 2")

    def test_ten_thousand(self):
        """As many as there are on no machine: half of them before, half while it watches."""
        names = [f"c{i}" for i in range(10000)]
        self.addCleanup(lambda: [os.rmdir(f"{self.directory}/{name}") for name in names
                                 if os.path.isdir(f"{self.directory}/{name}")])
        for name in names[:5000]:
            os.mkdir(f"{self.directory}/{name}")
        process = self.watch(f"--cgroup={self.path}/c*")
        for name in names[5000:]:
            os.mkdir(f"{self.directory}/{name}")
        for name in (names[0], names[4999], names[-1]):
            self.shell(f"echo $$ >{self.directory}/{name}/cgroup.procs; (:)")
        self.stop(process)
        run = self.saved()
        self.assertTrue(run["integrity"]["exact"], run["integrity"])
        self.assertEqual(run["totals"]["forks"], 3)
        self.assertEqual((len(set(run["cgroups"])), run["unnamed_cgroups"]), (256, 10000 - 256))

    def test_fork_bomb(self):
        """Bounded by a limit of pids, it is counted while it lasts, and nothing stays attached."""
        limit = Limit(self, "pids", {1: {"pids.max": 200}, 2: {"pids.max": 200}})
        process = self.watch(f"--cgroup={self.path}")
        programs = programs_of(process.pid)
        bomb = subprocess.Popen(["sh", "-c", f"echo $$ >{limit.path}/cgroup.procs; echo $$ >{self.directory}/cgroup.procs; "
                                 "b() { b | b & }; b; while :; do (:); done"], stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(1)
        self.stop(process)
        with open(f"{self.directory}/cgroup.kill", "w", encoding="ascii") as file:
            file.write("1")
        bomb.wait()
        self.assert_unloaded(programs)
        run = self.saved()
        self.assertEqual([run["integrity"][name] for name in ("lost_events", "map_full", "storage_failures")], [0, 0, 0])
        self.assertGreater(run["totals"]["forks"], 100)
        wait_until(lambda: not self.pids())

    def pids(self):
        with open(f"{self.directory}/cgroup.procs", encoding="ascii") as file:
            return file.read().split()

    def test_files_and_anatomy(self):
        """What a member had open when it entered is known by its name; its forks are recorded."""
        with open("before", "w", encoding="ascii") as file:
            file.write("abc")
        process = self.watch(f"--cgroup={self.path}", "--files", "--anatomy")
        self.shell(f"exec 5<before; echo $$ >{self.directory}/cgroup.procs; (:); (:); sleep 0.5; cat <&5")
        self.stop(process)
        run = self.saved()
        self.assertTrue(run["integrity"]["exact"], run["integrity"])
        read = [file for file in run["files"]["rows"] if file["path"].endswith("/before")]
        self.assertEqual([file["uses"]["read"]["bytes"] for file in read], [3])
        self.assertEqual(sum(group["children"] for group in run["groups"] if group["fate_exe"] is None), 2)
        self.assertTrue(run["anatomy"])

    def test_explain(self):
        process = self.start("explain", f"--cgroup={self.path}")
        self.next_line(process)
        self.shell(f"echo $$ >{self.directory}/cgroup.procs; for i in 1 2 3 4; do (:); done")
        result = self.stop(process)
        self.assertRegex(result.out.decode(), "Each of 4 forks of sh")

    def test_by_strace(self):
        result = self.forktax("run", "--source=strace", f"--cgroup={self.path}", "--duration=1")
        self.assert_fails(result, 125, "strace attaches to processes by their pids")

    @needs("unshare")
    def test_all_of_a_pid_namespace(self):
        """What runs outside is not seen, and so not counted."""
        outside = subprocess.Popen(["sh", "-c", "while :; do /bin/true; done"])
        self.addCleanup(outside.wait)
        self.addCleanup(outside.kill)
        inside = ('mkfifo ready; "$FORKTAX" run -q -a --json -o run.json --ready-fd=9 9>ready & read x <ready; '
                  'for i in 1 2 3; do (:); done; kill $!; wait $!')
        result = self.shell(f"unshare --pid --fork --mount-proc sh -c '{inside}'")
        self.assertEqual(result.status, 0, result)
        run = self.saved()
        self.assertTrue(run["whole_machine"])
        self.assertTrue(run["integrity"]["exact"], run["integrity"])
        self.assertEqual(run["totals"]["forks"], 3)

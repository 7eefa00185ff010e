# SPDX-License-Identifier: GPL-2.0-or-later
"""run --cgroup and -a: what cannot be watched, and how it ends."""
import os
import signal
import subprocess

from support import TargetCase, is_alive, needs, needs_root


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
        self.addCleanup(os.rmdir, self.directory)

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
        self.assertIn(b"counting the processes in", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), 0)
        self.assertTrue(is_alive(member.pid))
        with open("report", encoding="utf-8") as file:
            self.assertRegex(file.readline(), f"^cgroup {self.path}: counted for .*; 1 process still running$")

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

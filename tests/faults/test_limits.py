# SPDX-License-Identifier: GPL-2.0-or-later
"""Too little of something: descriptors, memory, processes."""
import os
import resource
import signal

from cgroups import Cgroup
from support import NOBODY, Case, needs, needs_root

MIB = 1 << 20


@needs_root
class Limits(Case):
    def with_limit(self, limit, value, *arguments):
        return self.forktax(*arguments,
                            preexec_fn=lambda: resource.setrlimit(limit, (value, value)))

    def test_few_descriptors(self):
        for count in (4, 6, 8, 12, 16):  # ld.so itself wants one beyond the first three
            with self.subTest(count):
                result = self.with_limit(resource.RLIMIT_NOFILE, count, "run", "touch", "ran")
                self.assert_fails(result, 125)
                self.assert_not_run()
        self.assertIn(b"descriptors", result.err)

    def test_limit_of_descriptors_is_passed_on(self):
        result = self.with_limit(resource.RLIMIT_NOFILE, 321, "run", "sh", "-c", "ulimit -n")
        self.assertEqual(result.out, b"321\n")

    def test_one_cpu(self):
        """Nobody helps to load the programs, and --anatomy has the most of them."""
        cpu = min(os.sched_getaffinity(0))
        result = self.forktax("run", "--json", "-o", "run.json", "--anatomy", "-T", "true",
                              preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        self.assertEqual(result.status, 0, result)
        self.assertTrue(self.saved()["integrity"]["exact"])

    def test_one_process(self):
        """Nor can anybody be asked to."""
        cgroup = Cgroup(self, "pids", {version: {"pids.max": 2} for version in (1, 2)})
        result = self.forktax("run", "true", prefix=cgroup.prefix)
        self.assertEqual(result.status, 0, result)
        cgroup.remove()

    def test_no_locked_memory(self):
        result = self.with_limit(resource.RLIMIT_MEMLOCK, 0, "run", "sh", "-c", "ulimit -l")
        self.assertEqual((result.status, result.out), (0, b"0\n"))

    def test_little_address_space(self):
        for size in (8, 12, 16):
            with self.subTest(size):
                result = self.with_limit(resource.RLIMIT_AS, size * MIB, "run", "--source=ebpf",
                                         "touch", "ran")
                if result.status == 0:
                    self.skipTest(f"{size} MiB are enough")
                self.assertIn(result.status, (125, 127), result)  # 127: ld.so has failed
                self.assertEqual(result.err.count(b"\n"), 1, result.err)
                self.assertNotIn(b"damaged", result.err)
                self.assert_not_run()

    def test_small_stack(self):
        for size in (128, 256):  # with less ld.so may end already
            with self.subTest(size):
                result = self.with_limit(resource.RLIMIT_STACK, size << 10, "run", "touch", "ran")
                self.assert_fails(result, 125, "ulimit -s")
                self.assert_not_run()
        result = self.with_limit(resource.RLIMIT_STACK, 512 << 10, "explain", "--no-try", "-k",
                                 self.sample("forkloop"), "-n", "3")
        self.assertEqual(result.status, 0, result)

    def test_small_files(self):
        """What forktax itself writes to load its programs is not the command's to limit."""
        for size in (0, 1, 1024, 4096):
            with self.subTest(size):
                result = self.with_limit(resource.RLIMIT_FSIZE, size, "run", "--source=ebpf", "sh", "-c",
                                         "ulimit -f; exit 3")
                self.assertEqual((result.status, result.out), (3, b"%d\n" % (size // 512)), result)

    def test_the_signal_of_large_files_is_the_commands(self):
        """forktax does not die of it; the command has it as it would have without forktax."""
        for action in (signal.SIG_DFL, signal.SIG_IGN):
            with self.subTest(action):
                result = self.forktax("run", "grep", "^SigIgn", "/proc/self/status",
                                      preexec_fn=lambda: signal.signal(signal.SIGXFSZ, action))
                ignored = int(result.out.split()[1], 16) >> (signal.SIGXFSZ - 1) & 1
                self.assertEqual(ignored, action == signal.SIG_IGN, result)

    def test_no_room_for_the_report(self):
        result = self.with_limit(resource.RLIMIT_FSIZE, 0, "run", "--json", "-o", "run.json", "true")
        self.assert_fails(result, 125, "run.json", "File too large")
        self.assertEqual(os.listdir("."), [])

    @needs("setpriv", "prlimit")
    def test_no_more_processes(self):
        chosen = "-all,+bpf,+perfmon"
        os.chmod(self.scratch, 0o777)
        result = self.shell(
            f"cp $FORKTAX forktax && exec setpriv --reuid={NOBODY - 1} --clear-groups "
            f"--inh-caps={chosen} --ambient-caps={chosen} --bounding-set={chosen} "
            "prlimit --nproc=1 ./forktax run touch ran")
        self.assert_fails(result, 125, "touch")
        self.assert_not_run()

    def test_little_memory(self):
        """The kernel may kill it; what must not happen is a command that runs all the same."""
        for size in (1, 4):
            cgroup = Cgroup(self, "memory", {1: {"memory.limit_in_bytes": size * MIB},
                                             2: {"memory.max": size * MIB, "memory.swap.max": 0}})
            result = self.forktax("run", "-o", "report", "touch", "ran", prefix=cgroup.prefix)
            if result.status == 0:
                self.assertTrue(os.path.exists("report"))
                self.skipTest(f"{size} MiB are enough")
            self.assertIn(result.status, (125, -signal.SIGKILL), result)
            if result.status == 125:
                self.assert_one_line(result.err, "memory")
            self.assert_not_run()
            cgroup.remove()

    def test_enough_memory(self):
        cgroup = Cgroup(self, "memory", {1: {"memory.limit_in_bytes": 48 * MIB},
                                         2: {"memory.max": 48 * MIB}})
        self.assertEqual(self.forktax("run", "true", prefix=cgroup.prefix).status, 0)

    @needs("perl")
    def test_fork_bomb(self):
        # Forks that fail are no children: perl's own counts tell.
        # Children live until nobody has the writing end of the pipe any more.
        script = "pipe R, W; for (1..200) { $p = fork; if (!defined $p) { $failed++ } " \
                 "elsif (!$p) { close W; <R>; exit } else { $made++ } } close W; 1 while wait > 0; " \
                 "print qq($made $failed)"
        cgroup = Cgroup(self, "pids", {version: {"pids.max": 40} for version in (1, 2)})
        result = self.forktax("run", "--json", "-o", "run.json", "perl", "-e", script,
                              prefix=cgroup.prefix)
        self.assertEqual((result.status, result.err), (0, b""))
        made, failed = map(int, result.out.split())
        run = self.saved()
        self.assertTrue(run["integrity"]["exact"])
        self.assertEqual(run["totals"]["forks"], made)
        row, = [row for row in run["syscalls"] if row["name"] == "clone"]
        self.assertEqual((row["calls"] - row["errors"], row["errors"]), (made, failed))
        self.assertGreater(failed, 0)

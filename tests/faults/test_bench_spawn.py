# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all
"""forktax bench spawn: sizes, shells and programs that cannot be; what fails on the way."""

from bench_case import QUICK, Bench
from cgroups import Cgroup


class Spawn(Bench):
    kind = "spawn"

    def test_usage(self):
        for value in ("0", "-1", "x", "", "1.5", "99999999999999999999"):
            self.refuses("--count", value, words=("--count",))
        for value in ("", "x", "-1M", "3M,2M", "2M,2M", "1.5T", "2M,", "nan"):
            self.refuses("--sizes", value, words=("--sizes",))
        for value in ("", "fork,", "spork", "fork vfork"):
            self.refuses("--methods", value, words=("--methods",))
        self.refuses("operand", words=("no operands",))

    def test_missing_shell(self):
        self.refuses("--shell", "/nowhere/sh", words=("/nowhere/sh", "No such file"))
        self.refuses("--shell", "/bin/sh", "--shell", "/usr/bin/sh", words=("another row has that name",))

    def test_sizes_beyond_memory(self):
        result = self.bench(*QUICK, "--methods=fork", "--sizes=511G")
        self.assert_fails(result, 125, "this needs 511G of memory")
        self.assertEqual(result.out, b"")

    def test_one_size_does_not_fit(self):
        """The others are measured."""
        cells = self.measured("--methods=fork,vfork", "--sizes=0.1M,4M,511G")
        self.assertEqual([cells["vfork", column]["state"] for column in ("0.10 MB", "4M", "511G")],
                         ["not available", "measured", "not available"])
        sizes = set(cells["vfork", "4M"]["metrics"]["vsz_bytes"])
        self.assertEqual(sizes, {4 << 20})

    def test_shell_that_fails(self):
        shell = self.script("badsh", "#!/bin/sh\nexit 3\n")
        cells = self.measured("--methods=system", "--sizes=2M", "--shell", shell, status=125)
        self.assertEqual(cells["system()", "2M"]["state"], "measured")
        self.assertEqual(cells["system(), badsh", "2M"]["state"], "failed")

    def test_no_process_to_be_had(self):
        for method in ("fork", "vfork", "clone", "pidfd", "posix_spawn", "clone3-exec"):
            cgroup = Cgroup(self, "pids", {version: {"pids.max": 2} for version in (1, 2)})
            result = self.bench(*QUICK, f"--methods={method}", "--sizes=2M", prefix=cgroup.prefix)
            with self.subTest(method):
                self.assert_fails(result, 125, f"{method}: Resource temporarily unavailable")
            cgroup.remove()

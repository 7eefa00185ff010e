# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all needs:build/viewers
"""soak.py FORKTAX [NAME...]: days of a busy machine in minutes. Is the memory of a watch flat?

Short cgroups and processes come and go in rounds, under names that change from round to round; the clock of the watch (which
tests/faults/clock.c moves) is an hour later after each of them, so that what is gone leaves. After rounds in which everything
fills up, neither the process nor the maps of its programs may grow.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import common
from common import ROOT, main, read, wait_until, write

sys.path.insert(0, f"{ROOT}/tests/conformance")
import cgroup  # pylint: disable=wrong-import-position,import-error

ROUNDS, WARM_UP = 12, 4
CGROUPS = int(os.environ.get("SOAK_CGROUPS", 150)) # of each round; more of them are more days
CHILDREN = 12 # of each cgroup, half of them with a program
# In each cgroup: children without a program, and children of a shell whose name is new.
WORK = """
cd "$1" && round=$2 && shift 2
for name in "$@"; do
    echo $$ >"$name/cgroup.procs"
    for i in 1 2 3 4 5 6; do (:); /bin/true; done
    "$SCRATCH/shell-$round" -c '(:); (:)'
done
echo $$ >cgroup.procs
"""


class Soak(unittest.TestCase):
    def setUp(self):
        if os.geteuid() != 0:
            self.skipTest("needs root")
        self.scratch = tempfile.mkdtemp(prefix="forktax-soak-")
        self.addCleanup(shutil.rmtree, self.scratch)
        os.environ["SCRATCH"] = self.scratch
        subprocess.run(["cc", "-shared", "-fPIC", "-o", f"{self.scratch}/clock.so", f"{ROOT}/tests/faults/clock.c"], check=True)
        self.textfile = f"{self.scratch}/x.prom"

    def start(self, group):
        self.set_clock(0)
        environment = {**os.environ, "LD_PRELOAD": f"{self.scratch}/clock.so", "TEST_CLOCK": f"{self.scratch}/clock"}
        process = subprocess.Popen([common.forktax, "watch", f"--textfile={self.textfile}", "--every=0.5", 
                                    "--level=classes", f"--cgroup={group.path}"], env=environment)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: os.path.exists(self.textfile), "a textfile")
        return process

    def set_clock(self, seconds):
        write(f"{self.scratch}/clock.new", f"{seconds} {seconds}\n")
        os.rename(f"{self.scratch}/clock.new", f"{self.scratch}/clock")

    def wait_for_sample(self):
        """Two files from now: the second one was begun after now."""
        for _ in range(2):
            before = os.stat(self.textfile).st_ino
            wait_until(lambda before=before: os.stat(self.textfile).st_ino != before, "a sample")

    def metric(self, name):
        return sum(float(value) for value in re.findall(rf"^forktax_{name}(?:{{.*}})? (\S+)$", read(self.textfile), re.M))

    def round(self, group, number):
        """Returns how many forks it was."""
        names = [f"job-{number}-{i}" for i in range(CGROUPS)]
        shell = f"{self.scratch}/shell-{number}"
        shutil.copy(shutil.which("dash") or "/bin/sh", shell)
        for name in names:
            os.mkdir(f"{group.directory}/{name}")
        subprocess.run(["sh", "-c", WORK, "sh", group.directory, str(number), *names], check=True)
        os.unlink(shell)
        for name in names:
            wait_until(lambda name=name: self.remove(f"{group.directory}/{name}"), "a cgroup is empty")
        return CGROUPS * (CHILDREN + 3)

    @staticmethod
    def remove(directory):
        try:
            os.rmdir(directory)
        except OSError:
            return False
        return True

    @staticmethod
    def sizes(pid):
        """Bytes: of the process, and of the maps of its programs, as the kernel accounts them."""
        resident = int(re.search(r"^RssAnon:\s+(\d+)", read(f"/proc/{pid}/status"), re.M)[1]) * 1024
        maps = {}
        for path in glob.glob(f"/proc/{pid}/fdinfo/*"):
            try:
                text = read(path)
            except OSError:
                continue
            found = re.search(r"^map_id:\s+(\d+)$", text, re.M)
            if found:
                maps[found[1]] = int(re.search(r"^memlock:\s+(\d+)$", text, re.M)[1])
        return resident, sum(maps.values())

    def test_soak_is_flat(self):
        forks, sizes = 0, []
        with cgroup.Cgroup() as group:
            process = self.start(group)
            for number in range(ROUNDS):
                forks += self.round(group, number)
                hour = (number + 1) * 4000
                for seconds in (hour, hour + 20, hour + 40): # it looks, looks again, and takes out what is gone
                    self.set_clock(seconds)
                    self.wait_for_sample()
                sizes.append(self.sizes(process.pid))
                units = len(re.findall(r"^forktax_processes{", read(self.textfile), re.M))
                print(f"round {number}: {forks} forks, {units} units, process {sizes[-1][0] >> 10} KiB, maps {sizes[-1][1] >> 10} KiB",
                      flush=True)
                self.assertEqual(self.metric("exact"), 1)
                self.assertLessEqual(units, CGROUPS + 2) # those of one round: the last ones have left
        for what, (before, after) in enumerate(zip(map(max, zip(*sizes[:WARM_UP])), map(max, zip(*sizes[WARM_UP:])))):
            self.assertLessEqual(after, before * 1.05 + (1 << 18), "process" if what == 0 else "maps")
        process.terminate()
        self.assertEqual(process.wait(), 0)


if __name__ == "__main__":
    main(Soak)

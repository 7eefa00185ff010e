# SPDX-License-Identifier: GPL-2.0-or-later
"""Capabilities that forktax was given to trace: it keeps them to itself, and passes on all others."""
import os
import re
import shutil
import sys

from limits import HostileCase
from support import NOBODY, needs, needs_root
import support

OWN = ("bpf", "perfmon", "sys_ptrace", "sys_admin", "dac_read_search")
SETS = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")
NUMBERS = {"dac_read_search": 2, "net_bind_service": 10, "sys_ptrace": 19, "sys_admin": 21, "perfmon": 38, "bpf": 39}


def bits(*names):
    return sum(1 << NUMBERS[name] for name in names)


@needs_root
@needs("setpriv")
class Ambient(HostileCase):
    def setUp(self):
        super().setUp()
        shutil.copy(support.FORKTAX, "forktax")
        os.chmod("forktax", 0o755)

    def sets_of(self, names, *command):
        """The sets of capabilities of a command that a user with these ambient ones starts."""
        given = ",".join(f"+{name}" for name in names)
        result = self.shell(f"exec setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups --inh-caps=-all,{given} "
                            f"--ambient-caps=-all,{given} {' '.join(command)} grep ^Cap /proc/self/status")
        self.assertEqual(result.status, 0, result)
        return {name: int(value, 16) for name, value in re.findall(r"(Cap\w+):\s*(\w+)", result.out.decode())}

    def assert_kept(self, *command):
        names = (*OWN, "net_bind_service")
        plain, traced = self.sets_of(names), self.sets_of(names, *command)
        self.assertEqual(plain["CapAmb"], bits(*names))
        for name in SETS:
            with self.call(name):
                expected = plain[name] if name == "CapBnd" else plain[name] & ~bits(*OWN)
                self.assertEqual(traced[name], expected)

    def test_by_ebpf(self):
        self.assert_kept("./forktax", "run", "--source=ebpf", "-o", "/dev/null")

    @needs("strace")
    def test_by_strace(self):
        self.assert_kept("./forktax", "run", "--source=strace", "-o", "/dev/null")

    def test_others(self):
        """Without any of forktax's own nothing is changed."""
        names = ["net_bind_service"]
        traced = self.sets_of(names, "./forktax", "run", "--source=strace", "-o", "/dev/null")
        self.assertEqual(self.sets_of(names), traced)

    def test_root(self):
        """Root's command has what root has."""
        script = f"{sys.executable} -c 'print(open(\"/proc/self/status\").read())'"
        plain, traced = self.shell(script), self.shell(f"$FORKTAX run -o /dev/null {script}")
        for name in SETS:
            find = re.compile(rf"{name}:\s*(\w+)".encode())
            self.assertEqual(find.search(plain.out)[1], find.search(traced.out)[1])

# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all needs:build/viewers needs:systemd needs:systemd-container
"""service.py FORKTAX [TEST]: forktax watch as docs/use/fleet/forktax-watch.service starts it."""
import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import common
from common import FLEET, ROOT, main, program, read, run, wait_until, write

sys.path.insert(0, f"{ROOT}/tests/faults")
import cgroups  # pylint: disable=wrong-import-position,import-error

UNIT = f"{FLEET}/forktax-watch.service"
DIRECTORY = "/var/lib/prometheus/node-exporter"
NOBODY = 65534
# What the load does while it is watched: forks, pages, execs, vforks.
LOAD = (20, 100, 5, 3)
# A container of systemd, whose only service of its own this is. It ends with the script.
CHECK_UNIT = """[Unit]
Wants=forktax-watch.service
After=forktax-watch.service
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
ExecStart=/bin/sh -eux /opt/check
StandardError=file:/out/trace
TimeoutStartSec=90
"""
# The textfile is known to hold the counts of the load once it was replaced twice.
CHECK = f"""
replaced() {{
	for i in 1 2; do
		was=$(stat -c %i {DIRECTORY}/forktax.prom)
		while [ "$(stat -c %i {DIRECTORY}/forktax.prom)" = "$was" ]; do sleep 0.1; done
	done
}}
systemctl show forktax-watch.service >/out/started
main=$(systemctl show -P MainPID forktax-watch.service)
grep -E '^(Uid|Cap[A-Z]..|NoNewPrivs|Seccomp):' /proc/$main/status >/out/rights
echo '{' '.join(map(str, LOAD))}' | /opt/fleet-load 0 >/out/load
replaced
cp {DIRECTORY}/forktax.prom /out/textfile
kill -STOP $main
while [ "$(systemctl show -P NRestarts forktax-watch.service)" = 0 ]; do sleep 0.1; done
while [ "$(systemctl is-active forktax-watch.service)" != active ]; do sleep 0.1; done
systemctl stop forktax-watch.service
systemctl show forktax-watch.service >/out/stopped
journalctl -o cat -u forktax-watch.service >/out/journal
"""
PREPARE = f"""[Unit]
Before=forktax-watch.service
[Service]
Type=oneshot
ExecStart=/bin/chgrp forktax {DIRECTORY}
ExecStart=/bin/chmod g+w {DIRECTORY}
"""


def setting(name):
    return re.search(rf"^{name}=(.*)$", read(UNIT), re.M)[1]


def allowed_calls():
    """Those that the unit's lines SystemCallFilter= let pass, in their order."""
    analyze = program("systemd-analyze")

    def members(name):
        if not name.startswith("@"):
            return {name}
        said = run(analyze, "syscall-filter", "--no-pager", name).stdout
        words = [line.strip() for line in said.splitlines()[1:] if not line.strip().startswith("#")]
        return set().union(*(members(word) for word in words if word))
    allowed = set()
    for line in re.findall(r"^SystemCallFilter=(.*)$", read(UNIT), re.M):
        found = set().union(*(members(word) for word in line.lstrip("~").split()))
        allowed = allowed - found if line.startswith("~") else allowed | found
    return allowed


class Service(unittest.TestCase):
    def setUp(self):
        if os.geteuid() != 0:
            self.skipTest("needs root")
        self.scratch = tempfile.mkdtemp(prefix="forktax-fleet-")
        self.addCleanup(shutil.rmtree, self.scratch)
        os.mkdir(f"{self.scratch}/textfiles")
        self.textfile = f"{self.scratch}/textfiles/forktax.prom"

    def words(self):
        """The command of the unit, once a second and into a directory of the test."""
        words = shlex.split(setting("ExecStart").replace("%%", "%"))
        words[0] = common.forktax
        for old, new in (("60s", "1s"), (f"{DIRECTORY}/forktax.prom", self.textfile)):
            words[words.index(old)] = new
        return words

    def start(self, *before, after=(), **options):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.textfile)
        with open(f"{self.scratch}/log", "wb") as log:
            process = subprocess.Popen([*before, *self.words(), *after], stdout=log, stderr=log, **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: process.poll() is not None or os.path.exists(self.textfile), "a textfile")
        self.assertIsNone(process.poll(), read(f"{self.scratch}/log"))
        return process

    def terminate(self, process):
        process.terminate()
        self.assertEqual(process.wait(common.PATIENCE_S), 0, read(f"{self.scratch}/log"))

    def load(self):
        result = run(f"{common.build()}/tests/fleet/fleet-load", "0", input=" ".join(map(str, LOAD)))
        return json.loads(result.stdout)

    def assert_counted(self, textfile, unit=""):
        """The children of the load are in it, by program, birth and fate."""
        found = {tuple(key): int(value) for *key, value in re.findall(
            rf'^forktax_children_total{{unit="[^"]*{unit}",parent="fleet-load",birth="(\w+)",fate="(\w+)"}} (\d+)$',
            textfile, re.M)}
        forks, _, execs, vforks = LOAD
        self.assertEqual(found, {("fork", "no_exec"): forks, ("fork", "exec"): execs, ("vfork", "exec"): vforks})

    # As a user that has the two capabilities

    def as_user_of_the_unit(self):
        """What starts a command as the unit does: another user, with its capabilities and no other."""
        given = ",".join(f"+{name.removeprefix('CAP_').lower()}" for name in setting("AmbientCapabilities").split())
        os.chown(f"{self.scratch}/textfiles", NOBODY, NOBODY)
        os.chmod(self.scratch, 0o755)
        return [program("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", f"--inh-caps={given}",
                f"--ambient-caps={given}", f"--bounding-set=-all,{given}", "--no-new-privs"]

    def test_service_rights(self):
        """With these rights alone it counts the processes of all users."""
        process = self.start(*self.as_user_of_the_unit())
        self.load()
        self.terminate(process)
        self.assert_counted(read(self.textfile))

    # ctest: needs:libcap2-bin
    def test_service_file_capabilities(self):
        """The same with a forktax that has them as a file, too, as the package of Debian gives them."""
        copied = f"{self.scratch}/forktax"
        shutil.copy(common.forktax, copied)
        if run(program("setcap"), "cap_bpf,cap_perfmon=ep", copied).returncode:
            self.skipTest("no capabilities of files here")
        words = self.words()
        with open(f"{self.scratch}/log", "wb") as log:
            process = subprocess.Popen([*self.as_user_of_the_unit(), copied, *words[1:]], stdout=log, stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: process.poll() is not None or os.path.exists(self.textfile), "a textfile")
        self.assertIsNone(process.poll(), read(f"{self.scratch}/log"))
        self.terminate(process)

    def test_service_calls(self):
        """Each call that it makes is one that the unit allows."""
        strace = program("strace")
        made = set()
        for level in ("classes", "totals"):
            process = self.start(strace, "-f", "-qq", "-e", "signal=none", "-o", f"{self.scratch}/calls",
                                 after=[f"--level={level}"])
            self.load()
            time.sleep(1.5)
            [child] = [int(pid) for pid in read(f"/proc/{process.pid}/task/{process.pid}/children").split()]
            os.kill(child, signal.SIGTERM)
            self.assertEqual(process.wait(common.PATIENCE_S), 0)
            made |= set(re.findall(r"^\d+ +(\w+)\(", read(f"{self.scratch}/calls"), re.M))
        self.assertIn("bpf", made)
        self.assertEqual(made - allowed_calls(), set())

    def test_service_memory(self):
        """It keeps within MemoryMax, the maps of its programs included."""
        most = int(re.fullmatch(r"(\d+)M", setting("MemoryMax"))[1]) << 20
        limits = {1: {"memory.limit_in_bytes": most}, 2: {"memory.max": most, "memory.swap.max": 0}}
        group = cgroups.Cgroup(self, "memory", limits)
        process = self.start(*group.prefix)
        self.load()
        time.sleep(1.5)
        self.terminate(process)
        self.assert_counted(read(self.textfile))
        for name in ("memory.max_usage_in_bytes", "memory.peak"):
            with contextlib.suppress(OSError):
                used = int(read(f"{group.path}/{name}"))
                print(f"{used / (1 << 20):.0f} MiB of {most >> 20}")
                self.assertLess(used, most)

    # The notifications of systemd

    def test_service_notifications(self):
        """It says when it has begun, that it is alive, and that it ends."""
        path = f"{self.scratch}/notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
            receiver.bind(path)
            receiver.settimeout(common.PATIENCE_S)
            process = self.start(env={**os.environ, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "1000000"})
            said, seen = [], time.monotonic()
            while said.count("WATCHDOG=1") < 4:
                said += receiver.recv(4096).decode().splitlines()
            self.assertIn("READY=1", said)
            self.assertLess(time.monotonic() - seen, common.PATIENCE_S)
            process.terminate()
            while "STOPPING=1" not in said:
                said += receiver.recv(4096).decode().splitlines()
            self.assertEqual(process.wait(common.PATIENCE_S), 0)

    def test_service_without_a_watchdog(self):
        """Nobody asked it to say that it is alive: it says only that it has begun, and that it ends."""
        path = f"{self.scratch}/notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
            receiver.bind(path)
            process = self.start(env={**os.environ, "NOTIFY_SOCKET": path})
            time.sleep(2.5)
            self.terminate(process)
            receiver.setblocking(False)
            said = []
            with contextlib.suppress(BlockingIOError):
                while True:
                    said += receiver.recv(4096).decode().splitlines()
        self.assertEqual([line for line in said if not line.startswith("STATUS=")], ["READY=1", "STOPPING=1"])

    # systemd itself

    def container(self):
        """The words that boot systemd in a container, with the unit as it is but for the path and the times."""
        nspawn = program("systemd-nspawn")
        unit = read(UNIT)
        for old, new in (("/usr/bin/forktax", "/opt/forktax"), ("60s", "1s"), ("WatchdogSec=3min", "WatchdogSec=3s"),
                         ("RestartSec=10s", "RestartSec=1s")):
            self.assertIn(old, unit)
            unit = unit.replace(old, new)
        files = {"/etc/systemd/system/forktax-watch.service": unit, "/etc/systemd/system/check.service": CHECK_UNIT,
                 "/etc/systemd/system/prepare.service": PREPARE, "/opt/check": CHECK,
                 "/etc/systemd/system/forktax-watch.service.d/prepare.conf": "[Unit]\nWants=prepare.service\n",
                 "/etc/sysusers.d/forktax.conf": "g forktax -\n"}
        binds = [f"--bind-ro={common.forktax}:/opt/forktax", f"--bind={self.scratch}/textfiles:{DIRECTORY}",
                 f"--bind-ro={common.build()}/tests/fleet/fleet-load:/opt/fleet-load", f"--bind={self.scratch}/out:/out"]
        for number, (place, text) in enumerate(files.items()):
            write(f"{self.scratch}/{number}", text)
            binds.append(f"--bind-ro={self.scratch}/{number}:{place}")
        os.mkdir(f"{self.scratch}/out")
        os.chmod(self.scratch, 0o755)
        return [nspawn, "--quiet", "--directory=/", "--volatile=yes", "--register=no", "--keep-unit", "--private-network",
                f"--machine=forktax-{os.getpid()}", "--capability=CAP_BPF,CAP_PERFMON", "--console=pipe",
                "--system-call-filter=bpf perf_event_open", *binds, "--boot", "systemd.firstboot=no",
                "systemd.unit=check.service"]

    def shown(self, name):
        return dict(line.split("=", 1) for line in read(f"{self.scratch}/out/{name}").splitlines())

    def test_service_under_systemd(self):
        """systemd starts it with these settings; it counts; one that hangs is started again; it stops."""
        result = subprocess.run(self.container(), check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=2 * common.PATIENCE_S)
        out = f"{self.scratch}/out"
        if not os.path.exists(f"{out}/started"):
            trace = read(f"{out}/trace") if os.path.exists(f"{out}/trace") else ""
            self.skipTest(f"no container of systemd here: {trace}{result.stdout.decode(errors='replace')[-2000:]}")
        started = self.shown("started")
        self.assertEqual(result.returncode, 0, read(f"{out}/trace") + result.stdout.decode(errors="replace"))
        self.assertEqual((started["ActiveState"], started["SubState"], started["NRestarts"]), ("active", "running", "0"))
        rights = dict(line.split(":\t") for line in read(f"{out}/rights").splitlines())
        two = 1 << 38 | 1 << 39 # CAP_PERFMON and CAP_BPF
        for kind in ("CapPrm", "CapEff", "CapBnd"):
            self.assertEqual(int(rights[kind], 16), two, kind)
        self.assertEqual(int(rights["CapAmb"], 16), 0) # forktax keeps them to itself
        self.assertNotIn("0", rights["Uid"].split())
        self.assertEqual((rights["NoNewPrivs"], rights["Seccomp"]), ("1", "2"))
        self.assert_counted(read(f"{out}/textfile"), "check.service")
        stopped = self.shown("stopped")
        self.assertEqual((stopped["ActiveState"], stopped["Result"], stopped["NRestarts"]), ("inactive", "success", "1"))
        self.assertIn("Watchdog timeout", read(f"{out}/journal"))


if __name__ == "__main__":
    main(Service)

# SPDX-License-Identifier: GPL-2.0-or-later
"""The machine: what it is, and whether it is quiet enough to be measured."""
import glob
import json
import os
import platform
import resource
import subprocess
import time

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
NICE = -10  # of all that is measured, so that other programs wait for it and not it for them
QUIET = 0.15  # CPUs that other programs may use while we measure


def read(path, otherwise="unknown"):
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return otherwise


def cpu_model():
    for line in read("/proc/cpuinfo", "").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def mitigations():
    active = []
    for path in sorted(glob.glob("/sys/devices/system/cpu/vulnerabilities/*")):
        state = read(path)
        if state.startswith("Mitigation:"):
            active.append(f"{os.path.basename(path)}: {state[12:]}")
    return active


def version(command):
    try:
        lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
        return lines[0] if lines else "unknown"
    except OSError:
        return "not installed"


def describe(forktax):
    governor = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
    jit = "/proc/sys/net/core/bpf_jit_enable"
    return {
        "kernel": platform.release().split("-")[0], "cpu": cpu_model(), "cpus": os.cpu_count(),
        "virtual machine": "yes" if " hypervisor" in read("/proc/cpuinfo") else "no",
        "governor": read(governor, "none visible"), "BPF JIT": read(jit),
        "mitigations": "; ".join(mitigations()) or "none",
        "versions": [version([forktax, "--version"]), version(["strace", "--version"]),
                     version(["perf", "--version"])],
    }


class Others:
    """CPU time that other programs, and other guests of the same host, used since start."""

    def __init__(self):
        self.start = self.sample()

    @staticmethod
    def sample():
        fields = read("/proc/stat").split("\n", 1)[0].split()[1:9]
        user, nice, system, _, _, irq, softirq, steal = (int(field) * TICK_S for field in fields)
        ours = 0
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
            usage = resource.getrusage(who)
            ours += usage.ru_utime + usage.ru_stime
        return time.monotonic(), user + nice + system + irq + softirq + steal - ours

    def cpus(self):
        now, busy = self.sample()
        return max(0.0, (busy - self.start[1]) / max(now - self.start[0], TICK_S))


def listed_links():
    """None if others come and go while bpftool lists them, which makes it fail."""
    shown = subprocess.run(["bpftool", "-j", "link", "show"], capture_output=True, text=True)
    try:
        links = json.loads(shown.stdout or "[]")
    except ValueError:
        return None
    return links if shown.returncode == 0 and isinstance(links, list) else None


def foreign_programs():
    """Attached programs of others slow every process of the machine down, the untraced one too."""
    try:
        links = listed_links()
    except OSError:
        return 0
    if links is None:
        return 1
    return sum(link.get("type") in ("tracing", "raw_tracepoint", "perf_event", "kprobe_multi")
               for link in links)


def wait_until_quiet(patience_s):
    """Waits for a second without much else going on; False if there was none in that time."""
    deadline = time.monotonic() + patience_s
    while True:
        others = Others()
        time.sleep(0.5)
        if others.cpus() < QUIET and not foreign_programs():
            return True
        if time.monotonic() > deadline:
            return False

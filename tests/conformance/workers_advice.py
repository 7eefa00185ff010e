# SPDX-License-Identifier: GPL-2.0-or-later
"""What forktax workers advises for a pool, tried by the line that it prints: does the pool then use as much less?

usage: workers_advice.py FORKTAX SAMPLES WITNESS CASE
"""
import ctypes
import os
import shlex
import subprocess
import sys
import tempfile
import time

import check as checks
from workers_look import PAGE, end_group, kernel_sums, look, read

KSM = "/sys/kernel/mm/ksm"
WORKERS = 3
# Its workers do their job and say so. It ends with its stdin.
POOL = """\
import gc, mmap, os, sys
job = sys.argv[1]
memory = mmap.mmap(-1, 2000 * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory[:] = os.urandom(len(memory))
records = [{"a": [n], "b": str(n)} for n in range(60000)] if job != "same" else []
if job in ("reading", "frozen"):
    gc.disable()
if job == "frozen":
    gc.freeze()
gate, opened = os.pipe()
done, tell = os.pipe()
pids = []
for worker in range(3):
    pid = os.fork()
    if not pid:
        os.close(opened)
        if job == "same":
            for page in range(1000):
                memory[page * mmap.PAGESIZE] = memory[page * mmap.PAGESIZE]
        elif job == "collect":
            gc.collect()
        else:
            for n in range(50):
                total = sum(len(one["b"]) for one in records)
        os.write(tell, b".")
        os.read(gate, 1)
        os._exit(0)
    pids.append(pid)
for worker in range(3):
    os.read(done, 1)
print(os.getpid(), *pids, flush=True)
sys.stdin.read()
"""


def settings():
    return {name: read(f"{KSM}/{name}").strip() for name in ("run", "pages_to_scan", "sleep_millisecs")}


class Pool:
    """It runs while the block does. `line`: as of advice, with COMMAND for the pool; for a shell."""

    def __init__(self, line, job):
        self.command = line.replace("COMMAND", f"{shlex.quote(sys.executable)} pool.py {job}")
        self.scratch = tempfile.TemporaryDirectory(prefix="forktax-advice-")
        self.process, self.pids = None, []

    def __enter__(self):
        with open(f"{self.scratch.name}/pool.py", "w", encoding="ascii") as file:
            file.write(POOL)
        self.process = subprocess.Popen(["sh", "-c", self.command], cwd=self.scratch.name, stdin=subprocess.PIPE,
                                        env={**os.environ, "TMPDIR": self.scratch.name}, stdout=subprocess.PIPE,
                                        start_new_session=True)
        self.pids = [int(pid) for pid in self.process.stdout.readline().split()]
        if len(self.pids) != WORKERS + 1:
            raise SystemExit(f"no pool: {self.command}")
        return self

    def __exit__(self, *_):
        end_group(self.process)
        self.scratch.cleanup()

    def bytes(self):
        sums = [kernel_sums(pid) for pid in self.pids]
        return sum(one["Pss_Anon"] + one["SwapPss"] for one in sums) * 1024


def advised(forktax, job):
    """The state of the pool as it is, its advice by rule, and its memory by the kernel."""
    with Pool("COMMAND", job) as pool:
        state = look(forktax, pool.pids[0])
        return state, {one["rule"]: one for one in state["advice"]}, pool.bytes()


def memory_with(advice, job):
    with Pool(advice["by_hand"], job) as pool:
        return pool.bytes()


def collect(check, forktax):
    """The collector runs in each worker: freezing before the fork gives back what was predicted."""
    state, advice, before = advised(forktax, "collect")
    extra = state["pool"]["extra_bytes"]
    predicted = advice["W2"]["predicted_bytes"]
    check.that(extra > 10 << 20, f"the collector copied only {extra}")
    copies = extra + state["pool"]["unknown_origin_extra_bytes"]
    check.that(0.9 * copies < predicted["high"] <= copies, f"predicted {predicted}, of {copies} that copies cost")
    saved = before - memory_with(advice["W2"], "collect")
    print(f"gc.freeze(): predicted {predicted}, saved {saved} of {before}")
    check.that(0.7 * predicted["high"] <= saved <= 1.05 * predicted["high"], f"saved {saved}, predicted {predicted}")


def reading(check, forktax):
    """Without the collector freezing does nothing, and is not advised."""
    state, advice, before = advised(forktax, "reading")
    check.that(state["pool"]["extra_bytes"] > 10 << 20, f"reading copied only {state['pool']}")
    check.that("W2" not in advice and "W3" in advice, f"advice {advice}")
    with Pool("COMMAND", "frozen") as pool:
        saved = before - pool.bytes()
    print(f"gc.freeze() saved {saved} of {before}, counts wrote to {advice['W3']['predicted_bytes']}")
    check.that(saved < 0.1 * advice["W3"]["predicted_bytes"]["high"], f"gc.freeze() saved {saved} of {before}")


def same(check, forktax):
    """Pages that workers write as they were: merging gives them back, where the kernel can merge."""
    _, advice, before = advised(forktax, "same")
    copied = WORKERS * 1000 * PAGE
    predicted = advice["W1"]["predicted_bytes"]["value"]
    check.that(copied <= predicted <= copied + (8 << 20), f"of {copied} bytes copied: {predicted}")
    merges = ctypes.CDLL(None).prctl(68, 0, 0, 0, 0) >= 0  # PR_GET_MEMORY_MERGE, Linux 6.4
    if not merges or not os.access(f"{KSM}/run", os.W_OK):
        return
    kept = settings()
    try:
        with Pool(advice["W1"]["by_hand"], "same") as pool:
            end = time.monotonic() + checks.PATIENCE_S / 2
            while before - pool.bytes() < 0.9 * predicted and time.monotonic() < end:
                time.sleep(0.5)
            saved = before - pool.bytes()
    finally:
        for name, value in kept.items():
            with open(f"{KSM}/{name}", "w", encoding="ascii") as file:
                file.write(value)
    print(f"merging: predicted {predicted}, saved {saved} of {before}")
    check.that(saved >= 0.9 * predicted, f"merging saved {saved}, predicted {predicted}")


CASES = {"collect": collect, "reading": reading, "same": same}


def main():
    if os.geteuid():
        checks.skip("needs root")
    check = checks.Check()
    CASES[sys.argv[4]](check, sys.argv[1])
    check.finish()


main()

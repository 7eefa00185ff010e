# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax workers --load on pools that note how they were run, and what the kernel says of their memory.

usage: workers_trials.py FORKTAX SAMPLES WITNESS CASE
"""
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import check as checks
from workers_look import HINTS, PAGE, flat, read

KSM = "/sys/kernel/mm/ksm"
WORKERS, PAGES = 3, 2000

# Three workers that do their job at SIGUSR1. At SIGTERM the master notes what it knows of this run.
POOL = """\
import ctypes, gc, json, mmap, os, signal, sys, time
job = sys.argv[1]
memory = mmap.mmap(-1, 2000 * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory[:] = os.urandom(len(memory))
records = [{"a": n, "b": str(n)} for n in range(30000)] if job in ("read", "collect") else []
if job == "read":
    gc.disable()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
pids = []
def leave(*_):
    for page in range(2000):
        memory[page * mmap.PAGESIZE] = memory[page * mmap.PAGESIZE]
    os._exit(0)
for worker in range(3):
    pid = os.fork()
    if not pid:
        signal.signal(signal.SIGTERM, leave)
        signal.sigwait([signal.SIGUSR1])
        if job == "same":
            for page in range(1000):
                memory[page * mmap.PAGESIZE] = memory[page * mmap.PAGESIZE]
        elif job == "change":
            for page in range(1000):
                at = page * mmap.PAGESIZE
                memory[at:at + 2048] = os.urandom(2048)
        elif job == "grow":
            more = os.urandom(4 << 20)
        elif job == "collect":
            gc.collect()
        else:
            for n in range(50):
                total = sum(len(one["b"]) for one in records)
        open(f"done.{os.getpid()}", "w").close()
        while True:
            signal.pause()
    pids.append(pid)
def end(*_):
    pss = ticks = 0
    for pid in pids:
        ticks += sum(map(int, open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[11:13]))
    for pid in [os.getpid(), *pids]:
        for line in open(f"/proc/{pid}/smaps_rollup"):
            if line.startswith("Pss_Anon:"):
                pss += int(line.split()[1]) * 1024
    for pid in pids:
        os.kill(pid, signal.SIGTERM if job == "exit" else signal.SIGKILL)
        os.wait()
    note = {"merge": ctypes.CDLL(None).prctl(68, 0, 0, 0, 0) == 1, "frozen": gc.get_freeze_count(),
            "arena": os.environ.get("MALLOC_ARENA_MAX"), "pss_anon": pss, "ticks": ticks,
            "pids": [os.getpid(), *pids]}
    with open("runs", "a") as file:
        file.write(json.dumps(note) + "\\n")
    os._exit(0)
signal.signal(signal.SIGTERM, end)
with open("pids", "w") as file:
    file.write(" ".join(map(str, pids)))
while True:
    signal.pause()
"""

# Mappings of 100 pages with guards between, and what becomes of them at SIGUSR1, by who they are: 0 to 2
# are workers, 3 is the master. Prints its ledger: what each worker has in each mapping then.
LEDGER = """\
import ctypes, json, os, signal
PAGE, PAGES = os.sysconf("SC_PAGE_SIZE"), 100
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
space = libc.mmap(None, 64 << 20, 0, 0x4022, -1, 0)
def place(number):
    return space + (number + 1) * (4 << 20)
def map_pages(number, seed):
    libc.mmap(place(number), PAGES * PAGE, 3, 0x32, -1, 0)
    ctypes.memmove(place(number), os.urandom(PAGES * PAGE), PAGES * PAGE)
def write(number, pages, same=True):
    for page in pages:
        at = place(number) + page * PAGE
        ctypes.memmove(at, ctypes.string_at(at, 8) if same else os.urandom(512), 8 if same else 512)
def job(who):
    if who < 3:
        write(0, range(PAGES))                  # all workers copy; the master is left with the old pages
        write(1, range(PAGES), same=False)      # the same, with other contents
    if who == 3:
        write(2, range(40))                     # the master alone
    if who != 2:
        write(3, range(PAGES))                  # all but one worker, to whom the old pages are left
    if who == 0:
        write(5, range(30))
    map_pages(4, who)                           # new, at the same addresses everywhere
workers = {
    0: {"private": 100, "identical": 100, "baselined": 100, "copied": 100, "last_owner": 0},
    1: {"private": 100, "different": 100, "baselined": 100, "copied": 100, "last_owner": 0},
    2: {"shared": 100, "baselined": 0, "copied": 0, "last_owner": 0},
    3: {"private": 100, "identical": 100, "baselined": 100, "copied": 100, "last_owner": 0},
    4: {"private": 100, "unknown_origin": 100, "perhaps_different": 100, "baselined": 0, "copied": 0, "last_owner": 0},
    5: {"shared": 100, "baselined": 0, "copied": 0, "last_owner": 0},
}
ledger = {}
for number in (0, 1, 2, 3, 5):
    map_pages(number, 0)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
pids = []
for who in range(3):
    pid = os.fork()
    if not pid:
        signal.sigwait([signal.SIGUSR1])
        job(who)
        open(f"done.{os.getpid()}", "w").close()
        while True:
            signal.pause()
    pids.append(pid)
    expect = json.loads(json.dumps(workers))
    if who == 2:
        expect["3"].update(copied=0, last_owner=100)
    if who == 0:
        expect["5"] = {"private": 30, "shared": 70, "identical": 30, "baselined": 30, "copied": 30, "last_owner": 0}
    ledger[pid] = [{"start": place(int(number)), "expect": one} for number, one in expect.items()]
with open("ledger", "w") as file:
    json.dump(ledger, file)
with open("pids", "w") as file:
    file.write(f"{os.getpid()} " + " ".join(map(str, pids)))
signal.sigwait([signal.SIGUSR1])
job(3)
open(f"done.{os.getpid()}", "w").close()
while True:
    signal.pause()
"""
LOAD = ("rm -f done.*; kill -USR1 $(cat pids); "
        "for pid in $(cat pids); do until [ -e done.$pid ]; do sleep 0.02; done; done")


def settings():
    return {name: read(f"{KSM}/{name}") for name in ("run", "pages_to_scan", "sleep_millisecs", "smart_scan")
            if os.path.exists(f"{KSM}/{name}")}


def way_of(note):
    return ("merge" if note["merge"] else "freeze" if note["frozen"] else
            "arena" if note["arena"] == "1" else "as-is")


class Trials:
    """A pool that was tried: what forktax says, and what the pool has noted, by run."""

    def __init__(self, forktax, job, *options):
        with tempfile.TemporaryDirectory(prefix="forktax-trials-") as scratch:
            os.mkdir(f"{scratch}/tmp")
            with open(f"{scratch}/pool.py", "w", encoding="ascii") as file:
                file.write(POOL)
            done = subprocess.run([forktax, "workers", "--json", *options, "--load", LOAD, "--",
                                   sys.executable, "pool.py", job], cwd=scratch, check=False,
                                  env={**os.environ, "TMPDIR": f"{scratch}/tmp"}, timeout=checks.PATIENCE_S,
                                  capture_output=True, text=True)
            if done.returncode or done.stderr:
                raise SystemExit(f"forktax workers: {done.returncode} {done.stderr}")
            self.left = os.listdir(f"{scratch}/tmp")
            with open(f"{scratch}/runs", encoding="ascii") as file:
                self.notes = [json.loads(line) for line in file]
            self.report = self.reported(forktax, done.stdout, scratch)
        self.state = json.loads(done.stdout)
        self.trials = self.state["trials"]
        # A load that takes long on a busy machine lets W10 speak, which no command is given for.
        self.ways = {one["way"]: one["samples"] for one in self.trials["ways"] if one["way"] != "restart"}
        self.advice = {one["rule"]: one for one in self.trials["advice"]}
        print(self.report)

    @staticmethod
    def reported(forktax, saved, scratch):
        """The saved file can be read again."""
        with open(f"{scratch}/saved", "w", encoding="utf-8") as file:
            file.write(saved)
        return subprocess.run([forktax, "report", "-v", "-q", f"{scratch}/saved"], check=True,
                              capture_output=True, text=True).stdout

    def saved(self, rule):
        return self.advice[rule]["measured"]["bytes"]["value"]


def runs_of(check, trials, ways, rounds):
    """Pairs of a note and the sample that tells of it: the run that found what to try came first, then rounds
    with all ways, in whatever order. Disturbed runs were repeated: then nobody knows which sample is whose."""
    seen = [way_of(note) for note in trials.notes]
    check.equal("the first run", seen[0], "as-is")
    if not rounds:
        check.equal("further runs", seen[1:], [])
        return [(trials.notes[0], trials.ways["as-is"][0])]
    pairs, size = [], len(ways)
    if len(seen) > 1 + rounds * size:
        print(f"repeated: {seen}")
        check.that(len(seen) - 1 <= 1.5 * rounds * size, "too many repeats")
        for way in ways:
            mine = [note for note in trials.notes if way_of(note) == way]
            for sample in trials.ways[way]:
                pairs.append((min(mine, key=lambda note, wanted=sample["loaded"]["pss_anon_bytes"]:
                                  abs(note["pss_anon"] - wanted)), sample))
        return pairs
    for number in range(rounds):
        notes = trials.notes[1 + number * size:][:size]
        check.equal(f"ways of round {number + 1}", sorted(map(way_of, notes)), sorted(ways))
        pairs += [(note, trials.ways[way_of(note)][number]) for note in notes]
    return pairs


def check_runs(check, trials, ways, rounds):
    """Each way ran as it says, alternately, and had the memory that the kernel reported to the pool itself."""
    for note, sample in runs_of(check, trials, ways, rounds):
        way = way_of(note)
        check.context = way
        gap = abs(sample["loaded"]["pss_anon_bytes"] - note["pss_anon"])
        most = 1 << 20 if way == "merge" else 64 * PAGE  # the handler of SIGTERM writes, too
        check.that(gap <= most, f"{gap} bytes beside the pool's own sum {note['pss_anon']}")
        check.equal("workers", sample["loaded"]["workers"], WORKERS)
        check.equal("CPU time of merging is known", sample["ksmd_ns"] is not None, way == "merge")
    for note in trials.notes:
        for pid in note["pids"]:
            check.that(not os.path.exists(f"/proc/{pid}"), f"process {pid} is left")
    check.context = "pool"
    check.equal("files left", trials.left, [])
    check.equal("samples", {way: len(samples) for way, samples in trials.ways.items()},
                dict.fromkeys(ways, max(rounds, 1)))


def same(check, forktax):
    """Pages that workers write as they were: merging gives them back."""
    if not os.access(f"{KSM}/run", os.W_OK):
        checks.skip("no same-page merging that may be switched on")
    before = settings()
    trials = Trials(forktax, "same", "-n", "2", "--wait=300s")  # on a busy machine ksmd gets little time
    ways = list(trials.ways)
    check.equal("first ways", ways[:2], ["as-is", "merge"])
    check_runs(check, trials, ways, 2)
    check.equal("settings of same-page merging", settings(), before)
    copied = WORKERS * 1000 * PAGE
    pool = trials.state["pool"]
    check.that(copied <= pool["mergeable_bytes"] <= pool["extra_bytes"] <= copied + (8 << 20),
               f"of {copied} bytes copied: {pool}")
    check.equal("predicted", trials.advice["W1"]["predicted_bytes"]["value"],
                pool["mergeable_bytes"] + pool["unknown_origin_mergeable_bytes"])
    check.that(0.95 * copied <= trials.saved("W1"), f"merging saved {trials.saved('W1')}")


def change(check, forktax):
    """Pages that workers fill with something else: nothing to merge, nothing to advise of it."""
    trials = Trials(forktax, "change", "--no-try")
    check_runs(check, trials, ["as-is"], 0)
    pool = trials.state["pool"]
    check.that(pool["extra_bytes"] >= WORKERS * 1000 * PAGE, f"copies are missing: {pool}")
    check.that(pool["mergeable_bytes"] < pool["extra_bytes"] / 4, f"mergeable: {pool}")
    check.that("no: --no-try was given" in trials.advice.get("W1", {"tried": "no: --no-try "
               "was given"})["tried"], "tried after all")


def collect(check, forktax):
    """The collector runs in each worker: freezing saves what it copies, and counts are not blamed."""
    trials = Trials(forktax, "collect", "-n", "1")
    ways = list(trials.ways)
    check_runs(check, trials, ways, 1)
    check.that("freeze" in ways, f"freezing was not tried: {ways}")
    extra = trials.state["pool"]["extra_bytes"]
    check.that(extra > 10 << 20, f"the collector copied only {extra}")
    check.that(trials.saved("W2") > 0.7 * extra, f"freezing saved {trials.saved('W2')} of {extra}")
    check.that("W3" not in trials.advice, "counts are blamed")


def reading(check, forktax):
    """Without the collector: freezing does nothing, and that is said; counts are blamed."""
    trials = Trials(forktax, "read", "-n", "1")
    check_runs(check, trials, list(trials.ways), 1)
    extra = trials.state["pool"]["extra_bytes"]
    check.that(extra > 10 << 20, f"reading copied only {extra}")
    check.that(abs(trials.saved("W2")) < 0.1 * extra, f"freezing saved {trials.saved('W2')}")
    check.that("it saved nothing here" in trials.advice["W2"]["tried"], trials.advice["W2"]["tried"])
    check.that("W3" in trials.advice, "counts are not blamed")
    for way, (sample,) in trials.ways.items():
        ticks = sample["cpu_ns"] / 1e9 * os.sysconf("SC_CLK_TCK")
        by_kernel = [note["ticks"] for note in trials.notes[1:] if way_of(note) == way]  # several: it was repeated
        check.that(min(by_kernel) >= 10 and any(abs(ticks - one) <= 3 + 0.2 * one for one in by_kernel),
                   f"{way}: {ticks} ticks of CPU time, by the kernel {by_kernel}")


def grow(check, forktax):
    """4 MiB of new memory in each worker are no matter of sharing."""
    trials = Trials(forktax, "grow", "--no-try")
    check_runs(check, trials, ["as-is"], 0)
    sample = trials.ways["as-is"][0]
    grown = sample["loaded"]["new_bytes"] - sample["ready"]["new_bytes"]
    check.that(WORKERS << 22 <= grown <= WORKERS * (5 << 20), f"new memory grew by {grown}")
    stated = re.search(r"([\d.]+) % of that growth", trials.advice["W9"]["evidence"])
    check.that(stated and float(stated[1]) >= 80, trials.advice["W9"]["evidence"])


def baseline(check, forktax):
    """By the frames of the look before the load: what was inherited though nothing of it is shared any
    more, who has copied it, and to whom it was left. Without frames only the first of it is known."""
    state = look_twice(check, forktax, [])
    check.context = "master"
    master = state["master"]
    check.that(140 <= master["copied_pages"] <= 140 + 400, f"{master['copied_pages']} copied")
    check.that(200 <= master["last_owner_pages"] <= 200 + 400, f"{master['last_owner_pages']} left to it")
    sums = state["trials"]["ways"][0]["samples"][0]["loaded"]
    check.equal("copied by the master", sums["copied_by_master_bytes"],
                master["copied_pages"] * PAGE)
    check.equal("copied by workers", sums["copied_bytes"],
                sum(one["copied_pages"] for one in state["workers"]) * PAGE)
    check.that(state["integrity"]["baseline"] < state["started"], "no baseline is named")
    state = look_twice(check, forktax, ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"])
    check.context = "without frames"
    check.equal("copied by the master", state["master"]["copied_pages"], None)
    check.equal("witness", state["integrity"]["witness"], "exclusive")


def look_twice(check, forktax, before):
    with tempfile.TemporaryDirectory(prefix="forktax-trials-") as scratch:
        with open(f"{scratch}/ledger.py", "w", encoding="ascii") as file:
            file.write(LEDGER)
        done = subprocess.run([*before, forktax, "workers", "--json", "--no-try", "--load", LOAD, "--",
                               sys.executable, "ledger.py"], cwd=scratch, check=False, timeout=checks.PATIENCE_S,
                              capture_output=True, text=True)
        if done.returncode or done.stderr:
            raise SystemExit(f"forktax workers: {done.returncode} {done.stderr}")
        with open(f"{scratch}/ledger", encoding="ascii") as file:
            ledger = json.load(file)
    state = json.loads(done.stdout)
    for worker in state["workers"]:
        found = {state["mappings"][one["mapping"]]["start"]: one for one in worker["mappings"]}
        for number, entry in enumerate(ledger[str(worker["pid"])]):
            check.context = f"mapping {number} of {worker['pid']}"
            counts = found[entry["start"]]
            got = flat(counts) | {name: counts[f"{name}_pages"]
                                  for name in ("baselined", "copied", "last_owner")}
            for name, value in got.items():
                if before and name in ("copied", "last_owner"):
                    check.equal(name, value, None)
                elif name not in ("proven", "assumed", *HINTS):
                    check.equal(name, value, entry["expect"].get(name, 0))
    return state


# Three workers that collect garbage once at SIGUSR1.
RUBY = """\
data = Array.new(100_000) { |n| "string number #{n} that is long enough" }
pids = 3.times.map do
  fork do
    go = false
    trap("USR1") { go = true }
    File.write("up.#{Process.pid}", "")
    sleep 0.02 until go
    GC.start
    data.sum(&:size)
    File.write("done.#{Process.pid}", "")
    sleep
  end
end
File.write("pids", pids.join(" "))
trap("TERM") { pids.each { |pid| Process.kill("KILL", pid) }; exit! }
sleep
"""


def ruby(check, forktax):
    """Collecting and compacting before the fork keeps Ruby's collector from most of its copies."""
    if not shutil.which("ruby"):
        checks.skip("not installed: ruby")
    with tempfile.TemporaryDirectory(prefix="forktax-trials-") as scratch:
        with open(f"{scratch}/pool.rb", "w", encoding="ascii") as file:
            file.write(RUBY)
        done = subprocess.run([forktax, "workers", "--json", "-n", "1", "--ready",
                               "kill -0 $(cat pids) && ls $(sed 's/[0-9]*/up.&/g' pids)", "--load", LOAD,
                               "--", "ruby", "pool.rb"], cwd=scratch, check=False, timeout=checks.PATIENCE_S,
                              capture_output=True, text=True)
    if done.returncode or done.stderr:
        raise SystemExit(f"forktax workers: {done.returncode} {done.stderr}")
    state = json.loads(done.stdout)
    advice = {one["rule"]: one for one in state["trials"]["advice"]}
    extra = state["pool"]["extra_bytes"]
    check.that(extra > 5 << 20, f"the collector copied only {extra}")
    check.that("W4" in advice and "W2" not in advice, f"rules: {list(advice)}")
    check.that(advice["W4"]["measured"]["bytes"]["value"] > 0.5 * extra,
               f"of {extra}: {advice['W4']}")


def leaving(check, forktax):
    """Workers that write to all they share when they end: these faults are counted, and laid on the end."""
    trials = Trials(forktax, "exit", "--no-try")
    check_runs(check, trials, ["as-is"], 0)
    faults = trials.ways["as-is"][0]["end_faults"]
    most = WORKERS * PAGES
    check.that(most - PAGES <= faults <= most + 4000, f"{faults} faults at the end, not {most}")
    check.that(f"took {faults} minor faults" in trials.advice["W8"]["evidence"],
               trials.advice["W8"]["evidence"])


def brief(check, forktax):
    """One run each way, for guests: merging where the kernel can, and else that it cannot."""
    if not os.access(f"{KSM}/run", os.W_OK):
        checks.skip("no same-page merging that may be switched on")
    before = settings()
    trials = Trials(forktax, "same", "-n", "1", "--wait=300s")  # ksmd takes most of an emulated CPU
    trials.ways = {way: samples for way, samples in trials.ways.items() if samples}
    ways = list(trials.ways)
    check_runs(check, trials, ways, 1)
    check.equal("settings of same-page merging", settings(), before)
    copied = WORKERS * 1000 * PAGE
    check.that(copied <= trials.state["pool"]["mergeable_bytes"], "copies are missing")
    check.context = "W1"
    merges = ctypes.CDLL(None).prctl(68, 0, 0, 0, 0) >= 0  # PR_GET_MEMORY_MERGE, Linux 6.4
    check.equal("merging was tried", "merge" in ways, merges)
    if merges:
        check.that(0.95 * copied <= trials.saved("W1"), f"merging saved {trials.saved('W1')}")
    else:
        check.that("PR_SET_MEMORY_MERGE, Linux 6.4" in trials.advice["W1"]["tried"],
                   trials.advice["W1"]["tried"])


CASES = {"brief": brief, "baseline": baseline, "same": same, "change": change, "collect": collect,
         "reading": reading, "grow": grow, "leaving": leaving, "ruby": ruby}


def main():
    if os.geteuid():
        checks.skip("needs root")
    check = checks.Check()
    CASES[sys.argv[4]](check, sys.argv[1])
    check.finish()


main()

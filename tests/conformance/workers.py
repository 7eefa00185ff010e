# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax workers against pools that know their memory (workerpool.c) and the kernel's sums.

usage: workers.py FORKTAX SAMPLES WITNESS CASE
"""
import collections
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import check as checks
import pool_reader
from workers_look import ALL, PAGE, compare_with_kernel, flat, kernel_sums, look, read


class Pool:
    """The pool of workerpool.c, with its ledger."""

    def __init__(self, program, cases=(), before=()):
        self.process = subprocess.Popen([*before, program, *cases], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.ledger, self.absent = [], []
        for line in self.process.stdout:
            entry = json.loads(line)
            if "ready" in entry:
                self.master, self.workers = entry["ready"], entry["workers"]
                return
            if "absent" in entry:
                print(f"not on this machine: case {entry['absent']}")
                self.absent.append(entry["absent"])
            else:
                self.ledger.append(entry)
        raise SystemExit("workerpool ended")

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.process.stdin.close()
        self.process.wait()

    def members(self):
        return [self.master, *self.workers]


def pages_at(state, pid, start, pages):
    """Sums over the mappings of the worker that begin in the range."""
    sums = dict.fromkeys(ALL, 0)
    worker = next(one for one in state["workers"] if one["pid"] == pid)
    for one in worker["mappings"]:
        mapping = state["mappings"][one["mapping"]]
        if start <= mapping["start"] < start + pages * PAGE:
            for name, value in flat(one).items():
                sums[name] = None if None in (value, sums[name]) else sums[name] + value
    return sums


def compare_with_ledger(check, state, ledger):
    for entry in ledger:
        check.context = f"{entry['case']} of {entry['pid']}"
        got = pages_at(state, entry["pid"], entry["start"], entry["pages"])
        for name in ALL:
            if name != "huge" or got[name] is not None:  # before Linux 6.7 not by mapping
                check.equal(name, got[name], entry["expect"].get(name, 0))


def ledger(check, forktax, program, before=()):
    with Pool(program, before=before) as pool:
        state = look(forktax, pool.master)
        compare_with_ledger(check, state, pool.ledger)
        compare_with_kernel(check, state)
        check.equal("workers", sorted(one["pid"] for one in state["workers"]),
                    sorted(pool.workers))
        check.equal("children that execute another program", state["integrity"]["executed"], 1)
        check.that(state["integrity"]["exact"], "not exact")
    with Pool(program, ["zero", "identical"], before=before) as pool:  # without huge pages
        compare_with_ledger(check, look(forktax, pool.master), pool.ledger)


def pagemap(pid, start, end):
    with open(f"/proc/{pid}/pagemap", "rb") as file:
        file.seek(start // PAGE * 8)
        data = file.read((end - start) // PAGE * 8)
    return [int.from_bytes(data[at:at + 8], "little") for at in range(0, len(data), 8)]


def flags_of(frame):
    with open("/proc/kpageflags", "rb") as file:
        file.seek(frame * 8)
        return int.from_bytes(file.read(8), "little")


def all_pages(pids):
    """{address: {pid: (frame, mapping, backing)}} of all anonymous pages of private mappings."""
    pages = {}
    for pid in pids:
        for number, line in enumerate(read(f"/proc/{pid}/maps").splitlines()):
            where, rights, offset, device, inode = line.split()[:5]
            start, end = (int(part, 16) for part in where.split("-"))
            if rights[3] != "p" or "[v" in line:
                continue
            backing = (device, inode, start - int(offset, 16) if inode != "0" else 0)
            for page, entry in enumerate(pagemap(pid, start, end)):
                if entry >> 63 and not entry >> 61 & 1:
                    pages.setdefault(start + page * PAGE, {})[pid] = (
                        entry & (1 << 55) - 1, (pid, number), backing)
    return pages


def contents_of(pid, address):
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        return os.pread(file.fileno(), PAGE, address)


def sums_by_hand(pids):
    """Extra and mergeable pages, from page maps and bytes alone. The master comes first."""
    pages = all_pages(pids)
    holders = {}
    for at in pages.values():
        for pid, (frame, *_) in at.items():
            holders.setdefault(frame, set()).add(pid)
    zeros = {frame for frame in holders if flags_of(frame) >> 24 & 1}
    shown, mappings = {}, set()
    for address, at in pages.items():
        for pid in [pid for pid, (frame, *_) in at.items() if frame in zeros]:
            del at[pid]
        frames = [frame for frame, *_ in at.values()]
        shown[address] = {frame for frame in frames if frames.count(frame) > 1}
        if shown[address]:
            mappings |= {mapping for _, mapping, _ in at.values()}
    extra = mergeable = 0
    for address, at in pages.items():
        first = next((pid for pid in pids if pid == pids[0] and pid in at or
                      pid in at and at[pid][0] in shown[address]), None)
        if first is None:
            continue
        copies = {at[first][0]: first}
        for pid, (frame, mapping, backing) in at.items():
            alone = len(holders[frame]) == 1 and (shown[address] or mapping in mappings)
            if backing == at[first][2] and (alone or frame in shown[address]):
                copies.setdefault(frame, pid)
        extra += len(copies) - 1
        if len(copies) > 1:
            mergeable += len(copies) - len({contents_of(pid, address) for pid in copies.values()})
    return extra, mergeable


def sums(check, forktax, program):
    with Pool(program) as pool:
        state = look(forktax, pool.master)["pool"]
        extra, mergeable = sums_by_hand(pool.members())
    check.context = "pool"
    check.equal("extra pages", state["extra_bytes"] / PAGE, extra)
    check.equal("mergeable pages", state["mergeable_bytes"] / PAGE, mergeable)
    check.that(extra > 60 and 20 < mergeable < extra, f"{extra} extra, {mergeable} mergeable")


def members(check, forktax, program):
    """Any member finds the pool; a master that has ended is replaced by the oldest."""
    with Pool(program, ["identical"]) as pool:
        for pid in pool.members():
            state = look(forktax, pid)
            check.equal("master", state["master"]["pid"], pool.master)
            check.equal("workers", sorted(one["pid"] for one in state["workers"]),
                        sorted(pool.workers))
        os.kill(pool.workers[0], 9)  # A: its child C has another parent then
        time.sleep(0.2)
        state = look(forktax, pool.workers[1])
        check.equal("without A", sorted(one["pid"] for one in state["workers"]),
                    sorted(pool.workers[1:]))


def snapshot(pids):
    """All that looking might change: faults, page maps, sums."""
    seen = {}
    for pid in pids:
        stat = read(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()
        seen[pid, "faults"] = stat[7], stat[9]
        reported = kernel_sums(pid)  # those of files depend on what else runs
        seen[pid, "sums"] = [reported.get(key) for key in ("Anonymous", "Pss_Anon", "AnonHugePages",
                                                       "Swap", "KSM")]
        for line in read(f"/proc/{pid}/maps").splitlines():
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            if end - start <= 64 << 20 and "[v" not in line:
                seen[pid, start] = pagemap(pid, start, end)
    return seen


def settled(pool):
    """A snapshot that the next one equals: the end of a process that shared their memory may be under way."""
    before, now = None, snapshot(pool.members())
    while now != before:
        before, now = now, snapshot(pool.members())
    return now


def said_of(before, after):
    """The difference, of what is short."""
    return f": {before} before, {after} after" if len(before) < 10 else ""


def undisturbed(check, forktax, program):
    with Pool(program) as pool:
        before = settled(pool)
        for _ in range(3):
            look(forktax, pool.master)
        after = snapshot(pool.members())
        check.that(len(before) > 60, "the page maps were not read")
        for key, value in before.items():
            check.context = str(key)
            check.that(after.get(key) == value, "changed by looking" + said_of(value, after.get(key)))


def unprivileged(check, forktax, program):
    """Without frames: the same but for what the bit cannot tell."""
    user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    if subprocess.run([*user, forktax, "--version"], check=False, capture_output=True).returncode:
        print("another user cannot execute forktax here: root without capabilities instead")
        user = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"]
    with Pool(program, before=user) as pool:
        state = look(forktax, pool.master, before=user)
        check.equal("witness", state["integrity"]["witness"], "exclusive")
        scans = not any("zero" in gap["what"] for gap in state["integrity"]["not_known"])
        for entry in pool.ledger:
            expect = entry["expect"]
            if entry["case"] == "huge" and not scans:
                entry["expect"] = {"unknown": entry["pages"]}
            elif entry["case"] == "huge":  # the first one is mapped by small ones by now
                huge = expect["huge"]
                expect["unknown"], expect["shared"] = huge, expect["shared"] - huge
                expect["huge"] = huge if scans else 0
            expect.pop("remapped", None)
        known = [one for one in pool.ledger if scans or one["case"] != "zero"]
        compare_with_ledger(check, state, known)
        compare_with_kernel(check, state, exact=scans)
        check.that(state["pool"]["at_least"], "at_least is not said")
        for name, most in look(forktax, pool.master)["pool"].items():
            if name.endswith("_bytes"):
                check.that(min(most, 1) <= state["pool"][name] <= most, f"{name}: {state['pool'][name]} is at "
                           f"least more than {most}")
        check.that(not state["integrity"]["exact"], "it is called exact")
        check.equal("counted", state["pool"]["cross_check"]["counted_bytes"], None)


def bit(check, _forktax, program):
    """What the page map's bit says, on which an ordinary user's look rests: beside /proc/kpagecount."""
    with Pool(program) as pool, open("/proc/kpagecount", "rb", buffering=0) as counts:
        huge = {one["start"] for one in pool.ledger if one["case"] == "huge"}
        pages = wrong = wrong_huge = 0
        for address, at in all_pages(pool.members()).items():
            is_huge = any(start <= address < start + (4 << 20) for start in huge)
            for pid, (frame, *_) in at.items():
                says = pagemap(pid, address, address + PAGE)[0] >> 56 & 1
                zero = flags_of(frame) >> 24 & 1
                alone = os.pread(counts.fileno(), 8, frame * 8) == (1).to_bytes(8, "little")
                pages += not zero
                wrong += not zero and says != alone and not is_huge
                wrong_huge += not zero and says != alone and is_huge
        print(f"{pages} pages; wrong: {wrong}, of huge pages {wrong_huge}")
        check.equal("wrong for pages of 4 KiB", wrong, 0)
        check.that(pages > 1000, "too few pages")


def merged(check, forktax, program):
    base = "/sys/kernel/mm/ksm"
    if not os.access(f"{base}/run", os.W_OK):
        checks.skip("no same-page merging that may be switched on")
    names = ("run", "pages_to_scan", "sleep_millisecs")
    settings = {name: read(f"{base}/{name}") for name in names}

    def write(name, value):
        with open(f"{base}/{name}", "w", encoding="ascii") as file:
            file.write(str(value))
    try:
        with Pool(program, ["merged", "shared"]) as pool:
            write("pages_to_scan", 5000)
            write("sleep_millisecs", 10)
            write("run", 1)
            for _ in range(100):
                state = look(forktax, pool.master)
                entry = next(one for one in pool.ledger if one["case"] == "merged")
                if pages_at(state, entry["pid"], entry["start"], 16)["merged"] == 16:
                    break
                time.sleep(0.2)
            write("run", 0)
            state = look(forktax, pool.master)
            compare_with_ledger(check, state, pool.ledger)
            compare_with_kernel(check, state)
    finally:
        if not int(settings["run"]):
            write("run", 2)  # leave nothing merged
        for name, value in settings.items():
            write(name, value)


def folios(check, forktax, program):
    """The ledger with folios of 64 KiB where the machine has them."""
    path = "/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled"
    if not os.access(path, os.W_OK):
        checks.skip("no folios of 64 KiB (Linux 6.8), or they may not be switched on")
    now = read(path).split("[")[1].split("]")[0]

    def write(value):
        with open(path, "w", encoding="ascii") as file:
            file.write(value)
    try:
        write("madvise")
        with Pool(program, ["folios", "shared"]) as pool:
            state = look(forktax, pool.master)
            compare_with_ledger(check, state, pool.ledger)
            compare_with_kernel(check, state)
    finally:
        write(now)


def swapped(check, forktax, program):
    """Pages in swap are counted and stay there; without swap, a file is made one meanwhile."""
    with tempfile.NamedTemporaryFile(dir="/var/tmp") as file:
        added = read("/proc/swaps").count("\n") < 2
        if added:
            os.posix_fallocate(file.fileno(), 0, 16 << 20)
            os.chmod(file.name, 0o600)
            made = subprocess.run(f"mkswap {file.name} && swapon {file.name}", shell=True,
                                  capture_output=True, text=True, check=False)
            if made.returncode:
                checks.skip(f"no swap here: {made.stderr.strip()}")
        try:
            with Pool(program, ["swapped", "shared"]) as pool:
                if pool.absent:
                    checks.skip("pages are not swapped on demand here")
                for _ in range(2):
                    state = look(forktax, pool.master)
                    compare_with_ledger(check, state, pool.ledger)
                compare_with_kernel(check, state)
        finally:
            if added:
                subprocess.run(["swapoff", file.name], check=True)


def bounded(check, forktax, program):
    """500 workers; 64 GiB that are reserved: memory of forktax, and that it ends."""
    script = ("import mmap, os, sys, time\n"
              "flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000\n"  # MAP_NORESERVE
              "big = mmap.mmap(-1, 64 << 30, flags=flags)\n"
              "for at in range(0, 64 << 30, 1 << 30): big[at] = 1\n"
              "for n in range(500):\n"
              "    if not os.fork():\n"
              "        big[n << 12] = 2; sys.stdin.read(); os._exit(0)\n"
              "print('ready', flush=True); sys.stdin.read()\n")
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as pool:
        pool.stdout.readline()
        time.sleep(1)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        state = look(forktax, pool.pid)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        pool.stdin.close()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    readings = state["pool"]["cross_check"]["readings"]
    print(f"{cpu:.2f} s of CPU, {after.ru_maxrss} KiB, {readings} readings")
    check.context = "500 workers"
    check.equal("workers", len(state["workers"]), 500)
    check.that(after.ru_maxrss < 50 * 1024, f"{after.ru_maxrss} KiB of memory")
    check.that(state["pool"]["extra_bytes"] >= 499 * PAGE, "copies are missing")
    check.that(state["pool"]["cross_check"]["matches"], "the totals do not match")


# A pool of which each piece of 2 MiB holds another number of pages, and of copies.
UNEVEN = """
import mmap, os, sys
memory = mmap.mmap(-1, 802 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
memory.madvise(mmap.MADV_NOHUGEPAGE)
def touch(piece, pages):
    for page in range(pages):
        memory[(piece << 21) + page * 4096] = 1
for piece in range(400):
    touch(piece, piece * 37 % 97 + 1)
for worker in range(2):
    if not os.fork():
        for piece in range(400):
            touch(piece, piece * 53 % 61)
        more = mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        for at in range(0, 64 << 20, 4096 * (7 + worker)):
            more[at] = 2
        sys.stdin.read()
        os._exit(0)
    print("", flush=True)
print("ready", flush=True)
sys.stdin.read()
"""


def huge_master(check, forktax, _program):
    """64 GiB that are reserved, a page in each 2 MiB: all of it, in little memory."""
    script = ("import mmap, os, sys, time\n"
              "flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000\n"  # MAP_NORESERVE
              "big = mmap.mmap(-1, 64 << 30, flags=flags)\n"
              "big.madvise(mmap.MADV_NOHUGEPAGE)\n"
              "for at in range(0, 64 << 30, 2 << 20): big[at] = 1\n"
              "for n in range(2):\n"
              "    if not os.fork():\n"
              "        for at in range(0, 32 << 30, 2 << 20): big[at] = 1\n"
              "        print('.', flush=True); sys.stdin.read(); os._exit(0)\n"
              "sys.stdin.read()\n")
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as pool:
        pool.stdout.readline()
        pool.stdout.readline()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        state = look(forktax, pool.pid)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        pool.stdin.close()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    copied, extra = 2 * 16384 * PAGE, state["pool"]["extra_bytes"]
    print(f"{cpu:.2f} s of CPU, {extra} bytes of copies")
    check.that(copied <= extra < 1.05 * copied, f"extra: {extra}, copied {copied}")
    check.that(state["integrity"]["exact"], f"not exact: {state['integrity']}")
    check.that(after.ru_maxrss < 50 * 1024, f"{after.ru_maxrss} KiB of memory")


# A mapping that the kernel needs long to sum up; the worker has copied a part, and given back another.
LARGE = """
import mmap, os, sys
memory = mmap.mmap(-1, 1100 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for at in range(0, 1100 << 20, 4096):
    memory[at] = 1
if not os.fork():
    for at in range(0, 8 << 20, 4096):
        memory[at] = 2
    memory.madvise(mmap.MADV_DONTNEED, 16 << 20, 1 << 20)
    print("ready", flush=True)
    sys.stdin.read()
    os._exit(0)
sys.stdin.read()
"""


def large(check, forktax, _program):
    """Where the kernel's sums would hold up the pool, they are not read, and its counters bear witness."""
    if available_kib() < 3 << 20:
        checks.skip("less than 3 GiB of memory are free")
    with subprocess.Popen([sys.executable, "-c", LARGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as pool:
        pool.stdout.readline()
        state = look(forktax, pool.pid)
        compare_with_kernel(check, state)
        for one in [state["master"], *state["workers"]]:
            check.context = f"process {one['pid']}"
            sums = kernel_sums(one["pid"])
            check.equal("Pss_Anon", one["pss_anon_bytes"], None)
            check.equal("KiB present, by the counter", one["rss_anon_bytes"], sums["Anonymous"] * 1024)
        text = first_screen(forktax, pool.pid)
        pool.stdin.close()
    check.context = "pool"
    check.equal("exact", state["integrity"]["exact"], True)
    check.that(any("PSS" in gap["what"] for gap in state["integrity"]["not_known"]), "it is not said")
    check.that(1100 << 8 > state["workers"][0]["shared_pages"] >= 1091 << 8, "what is shared")
    rows = table_of(text)
    check.equal("members with a PSS", sorted(float(row["PSS"]) > 500 for row in rows), [True, True])


def available_kib():
    return next(int(line.split()[1]) for line in read("/proc/meminfo").splitlines() if line.startswith("MemAvailable:"))


def first_screen(forktax, pid):
    return subprocess.run([forktax, "workers", "-p", str(pid)], check=True, capture_output=True,
                          text=True).stdout


def table_of(text):
    """The rows of the first table, by column; a head of two lines is one name."""
    lines = text.split("\nMemory, ", 1)[1].splitlines()[1:]
    rule = next(at for at, line in enumerate(lines) if line.startswith("-"))
    spans = [(found.start(), found.end()) for found in re.finditer("-+", lines[rule])]
    heads = [" ".join(part for line in lines[:rule] if (part := line[start:end].strip())) for start, end in spans]
    rows = []
    for line in lines[rule + 1:]:
        if not line.strip()[:1].isdigit():
            break
        rows.append(dict(zip(heads, line.split())))
    return rows


# Four workers of a master with 120 MiB, of which they have copied 0, 1, 2 and 3 MiB; and a shared segment of 96 MiB, each
# worker has touched all of.
SHARED = """
import mmap, os, sys
memory = mmap.mmap(-1, 120 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
segment = mmap.mmap(-1, 96 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for at in range(0, 120 << 20, 4096): memory[at] = 1
for at in range(0, 96 << 20, 4096): segment[at] = 1
for who in range(4):
    ready = os.pipe()
    if not os.fork():
        for at in range(0, who << 20, 4096): memory[at] = 2
        for at in range(0, 96 << 20, 4096): segment[at]
        os.write(ready[1], b"."); sys.stdin.read(); os._exit(0)
    os.read(ready[0], 1)
print("ready", flush=True); sys.stdin.read()
"""
COUNTERS = {"rss_anon_bytes": "RssAnon", "rss_file_bytes": "RssFile", "rss_shmem_bytes": "RssShmem"}
SUMS = {"pss_anon_bytes": "Pss_Anon", "pss_file_bytes": "Pss_File", "pss_shmem_bytes": "Pss_Shmem"}


def counters_of(pid):
    return {line.split(":")[0]: int(line.split()[1]) for line in read(f"/proc/{pid}/status").splitlines()
            if line.startswith("Rss")}


def compare_member(check, one, row):
    """What is saved of a member, and its row on the screen in MiB, beside smaps_rollup and status."""
    check.context = f"process {one['pid']}"
    sums, counters = kernel_sums(one["pid"]), counters_of(one["pid"])
    for name, key in COUNTERS.items():
        check.equal(key, one[name], counters[key] * 1024)
    for name, key in SUMS.items():
        # Files are mapped by processes outside, which come and go.
        check.that(one[name] == sums[key] * 1024 or key == "Pss_File" and one[name] is not None, f"{key}: {one[name]}")
    check.that(abs(float(row["PSS"]) - sums["Pss"] / 1024) < 1, f"PSS {row['PSS']}, by smaps_rollup {sums['Pss']} kB")
    check.that(abs(float(row["RSS"]) - sum(counters.values()) / 1024) < 0.6, f"RSS {row['RSS']}, by status {counters}")
    check.that(abs(float(row["shmem"]) - counters["RssShmem"] / 1024) < 0.6, f"shmem {row['shmem']}")
    anonymous = float(row["anon shared"]) + float(row["anon private"])
    check.that(abs(anonymous - sums["Anonymous"] / 1024) < 1, f"{anonymous} MiB anonymous, by smaps_rollup {sums}")


def shared_memory(check, forktax, _program):
    """Shared memory, and what is still shared, on the first screen; each member beside the kernel's sums."""
    with subprocess.Popen([sys.executable, "-c", SHARED], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as pool:
        pool.stdout.readline()
        time.sleep(0.5)
        state, text = look(forktax, pool.pid), first_screen(forktax, pool.pid)
        compare_with_kernel(check, state)
        rows = {int(row["pid"]): row for row in table_of(text)}
        anonymous = sum(counters_of(one["pid"])["RssAnon"] for one in state["workers"]) / 4 / 1024
        for one in [state["master"], *state["workers"]]:
            compare_member(check, one, rows[one["pid"]])
        pool.stdin.close()
    check.context = "first screen"
    words = " ".join(text.split())
    print(text)
    own = float(re.search(r"One more worker costs (\S+) MiB", words)[1])
    once, segment = map(float, re.search(r"(\S+) MiB of that exist once; (\S+) MiB of these are shared memory", words).groups())
    used = float(re.search(r"use (\S+) MiB \(PSS\)", words)[1])
    check.that(1.5 <= own < 3, f"{own} MiB for itself, of which 1.5 are copies of the mapping")
    check.that(96 <= segment < 97, f"{segment} MiB of shared memory")
    check.that(abs(once + 4 * own - used) < 2, f"{once} MiB once, and 4 times {own}: {used}")
    check.that(118 < anonymous - own < 135, f"{own} of {anonymous} MiB by status: 118.5 of the mapping are still shared")
    check.that(once > segment + 118, f"{once} MiB once: the segment, and the mapping")


def second_reader(check, forktax, program):
    """Page for page beside a reader of its own (pool_reader.py), in C with all cases, and huge pages."""
    for cases in ([], ["huge", "shared"], ["identical", "few_words", "different"]):
        with Pool(program, cases) as pool:
            total = pool_reader.compare(check, lambda pid: look(forktax, pid), pool.master)
    check.context = "the last pool"
    check.that(min(total[name] for name in ("shared", "identical", "few_words", "different")) > 4, f"{total}")
    with subprocess.Popen([sys.executable, "-c", UNEVEN], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as pool:
        while "ready" not in pool.stdout.readline():
            pass
        pool_reader.compare(check, lambda pid: look(forktax, pid), pool.pid)
        pool.stdin.close()


# Three workers have copied nearly all, and hold the same but for the last, all of whose pages are different.
STILL = """
import ctypes, mmap, os, sys
ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)  # PR_SET_THP_DISABLE: of huge pages counts are asked for
memory = mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for at in range(0, 16 << 20, 4096): memory[at] = 1
for who in range(3):
    ready = os.pipe()
    if not os.fork():
        for at in range(0, 15 << 20, 4096):
            memory[at:at + 256] = bytes([who // 2 + at // 4096 % 199]) * 256
        os.write(ready[1], b"."); sys.stdin.read(); os._exit(0)
    os.read(ready[0], 1)
print("ready", flush=True); sys.stdin.read()
"""


def preads(trace):
    """(file, offset, bytes) of each pread64 in an output of strace -y."""
    for line in read(trace).splitlines():
        found = re.match(r"pread64\(\d+<([^>]*)>.*, (\d+|0x[0-9a-f]+)\) += (\d+)$", line)
        if found:
            yield found[1], int(found[2], 0), int(found[3])


def traced_look(forktax, pid, *options):
    """What a look says, and its preads. One whose pool came to rest only then is left out."""
    for _ in range(5):
        with tempfile.NamedTemporaryFile("w+") as trace:
            state = look(forktax, pid, *options,
                         before=["strace", "-y", "-o", trace.name, "-e", "trace=pread64"])
            calls = list(preads(trace.name))
        if state["pool"]["cross_check"]["readings"] == 1:
            return state, calls
    raise SystemExit("the pool never came to rest")


def is_sampled(offset, size):
    """One page in 8 that Python's processes share is read for what objects it holds, whoever is compared with it."""
    return size == PAGE and offset // PAGE % 8 == 0


def compare_blocks(check, calls, pages):
    """How often frames are mapped is read in blocks of 16; not of those that belong to one process alone."""
    holders = collections.Counter(frame for there in pages.values() for frame, _, _ in there.values())
    own, shared = ({frame // 16 for frame, count in holders.items() if (count == 1) == alone} for alone in (True, False))
    asked = {offset // 128 for file, offset, _ in calls if file == "/proc/kpagecount"}
    print(f"{len(own - shared)} blocks of own pages alone, {len(asked)} blocks were asked for")
    check.that(asked & shared, "nothing was asked of shared pages")
    check.equal("blocks of own pages alone that were asked for", len(asked & (own - shared)), 0)


def read_once(check, forktax, _program):
    """While nobody runs, no page is read twice; of pages that one process alone has mapped, no count is read."""
    with subprocess.Popen([sys.executable, "-c", STILL], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as pool:
        pool.stdout.readline()
        state, calls = traced_look(forktax, pool.pid)
        contents = collections.Counter((file, (offset + at) // PAGE) for file, offset, size in calls
                                       if file.endswith("/mem") and size >= PAGE and not is_sampled(offset, size)
                                       for at in range(0, size, PAGE))
        windows = collections.Counter((file, page >> 9) for file, page in contents)
        many = [page for page in contents if windows[page[0], page[1] >> 9] >= 16]  # fewer are read twice at once
        check.that(len(many) >= 4 * 15 << 8, f"only {len(many)} pages were read")
        check.equal("pages read twice", [page for page in many if contents[page] > 1], [])
        pages = all_pages([state["master"]["pid"], *(one["pid"] for one in state["workers"])])
        compare_blocks(check, calls, pages)
        check.context = "a watch"
        compare_blocks(check, traced_look(forktax, pool.pid, "--duration", "0.1s")[1], pages)
        pool.stdin.close()


CASES = {
    "read-once": read_once,
    "second-reader": second_reader,
    "large": large,
    "shared-memory": shared_memory,
    "ledger": ledger,
    "no-aslr": lambda *all: ledger(*all, before=["setarch", "-R"]),
    "sums": sums,
    "members": members,
    "undisturbed": undisturbed,
    "unprivileged": unprivileged,
    "bit": bit,
    "merged": merged,
    "folios": folios,
    "swapped": swapped,
    "bounded": bounded,
    "huge-master": huge_master,
}


def main():
    forktax, witness, case = sys.argv[1], sys.argv[3], sys.argv[4]
    program = os.path.join(os.path.dirname(witness), "conformance-workerpool")
    if os.geteuid():
        checks.skip("needs root")
    check = checks.Check()
    CASES[case](check, forktax, program)
    check.finish()


main()

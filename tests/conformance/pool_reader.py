# SPDX-License-Identifier: GPL-2.0-or-later
"""A second reader of pools, which shares nothing with forktax: page maps, frames and bytes of all members, held still.

It knows no windows and no passes: every page of every member is in a table, and the terms of docs/use/workers.md are
asked of that.
"""
import array
import collections
import contextlib
import os
import signal
import time

PAGE = os.sysconf("SC_PAGE_SIZE")
PRESENT, SWAPPED, OF_FILE, FRAME = 1 << 63, 1 << 62, 1 << 61, (1 << 55) - 1
KSM, ZERO = 1 << 21, 1 << 24
WORDS = PAGE // 8


def text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def random_bytes(pid):
    """What an execve renews, and a fork leaves (AT_RANDOM); None: it has ended."""
    try:
        with open(f"/proc/{pid}/auxv", "rb") as file:
            pairs = array.array("Q", file.read())
        where = dict(zip(pairs[::2], pairs[1::2]))[25]
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
            return os.pread(file.fileno(), 16, where)
    except (OSError, KeyError, ValueError):
        return None


def members_of(pid):
    """All living processes with the same random bytes."""
    wanted = random_bytes(pid)
    return sorted(int(one) for one in os.listdir("/proc")
                  if one.isdigit() and wanted and random_bytes(one) == wanted)


def state_of(pid):
    return text(f"/proc/{pid}/stat").rpartition(")")[2].split()[0]


@contextlib.contextmanager
def held_still(pids):
    """Stops them; those that were stopped stay so."""
    stopped = [pid for pid in pids if state_of(pid) != "T"]
    try:
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        while any(state_of(pid) not in "TtZ" for pid in pids):
            time.sleep(0.01)
        yield
    finally:
        for pid in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


class Numbers:
    """/proc/kpagecount and /proc/kpageflags, a MiB of frames at a time."""

    def __init__(self, name):
        self.file = open(f"/proc/{name}", "rb", buffering=0)  # pylint: disable=consider-using-with
        self.pieces = {}

    def __getitem__(self, frame):
        piece = frame >> 8
        if piece not in self.pieces:
            self.pieces[piece] = array.array("Q", os.pread(self.file.fileno(), 8 << 8, piece << 11))
        return self.pieces[piece][frame & 255]


Entry = collections.namedtuple("Entry", "frame backing")


class Member:
    """Its private anonymous pages: {page number: Entry}."""

    def __init__(self, pid, flags):
        self.pid, self.pages, self.swapped = pid, {}, 0
        with open(f"/proc/{pid}/pagemap", "rb", buffering=0) as pagemap:
            for line in text(f"/proc/{pid}/maps").splitlines():
                self.read_mapping(line.split(maxsplit=5), pagemap.fileno(), flags)

    def read_mapping(self, words, pagemap, flags):
        name = words[5] if len(words) > 5 else ""
        if words[1][3] != "p" or name.startswith(("[v", "[uprobes]", "/anon_hugepage", "/dev/hugepages/")):
            return
        start, end = (int(one, 16) // PAGE for one in words[0].split("-"))
        backing = (words[3], words[4], start - int(words[2], 16) // PAGE) if words[4] != "0" else None
        for first in range(start, end, 1 << 15):
            count = min(1 << 15, end - first)
            for at, entry in enumerate(array.array("Q", os.pread(pagemap, 8 * count, 8 * first)), first):
                if not entry & (PRESENT | SWAPPED) or entry & OF_FILE:
                    continue
                if entry & SWAPPED:
                    self.swapped += 1
                elif not flags[entry & FRAME] & ZERO:
                    self.pages[at] = Entry(entry & FRAME, backing)


class Pool:
    """All members, the master first, and who has which frame."""

    def __init__(self, master, pids):
        self.flags, self.counts = Numbers("kpageflags"), Numbers("kpagecount")
        self.members = [Member(pid, self.flags) for pid in [master, *sorted(set(pids) - {master})]]
        self.memories = {one.pid: open(f"/proc/{one.pid}/mem", "rb", buffering=0)  # pylint: disable=consider-using-with
                         for one in self.members}
        self.holders, self.at = collections.defaultdict(set), collections.defaultdict(list)
        for member in self.members:
            for page, entry in member.pages.items():
                self.holders[entry.frame].add(member.pid)
                self.at[page].append((member, entry))

    def close(self):
        for file in [*self.memories.values(), self.flags.file, self.counts.file]:
            file.close()

    def bytes_of(self, member, page):
        return os.pread(self.memories[member.pid].fileno(), PAGE, page * PAGE)

    def partner(self, page):
        """Whom others are compared with: the master, else the first of the largest group that shares a frame."""
        master = self.members[0]
        if page in master.pages:
            return master
        groups = collections.Counter(entry.frame for _, entry in self.at[page]
                                     if not self.flags[entry.frame] & KSM)
        frame, holders = groups.most_common(1)[0] if groups else (None, 0)
        return next(one for one, entry in self.at[page] if entry.frame == frame) if holders > 1 else None

    def class_of(self, member, page, partner):
        """By how many of the words differ."""
        mine, theirs = (array.array("Q", self.bytes_of(one, page)) for one in (member, partner))
        changed = sum(left != right for left, right in zip(mine, theirs)) if mine != theirs else 0
        return "identical" if not changed else "few_words" if changed <= 8 else "different"

    def is_repeated(self, member, page):
        """Another worker has the same bytes there, in new memory of its own; bytes that are not all the same."""
        mine = self.bytes_of(member, page)
        others = [one for one, entry in self.at[page]
                  if one is not member and entry.backing == member.pages[page].backing and len(self.holders[entry.frame]) == 1]
        return mine != mine[:1] * PAGE and any(self.bytes_of(one, page) == mine for one in others)

    def figures(self, member):
        """Pages by what they are."""
        found = collections.Counter(swapped=member.swapped)
        for page, entry in member.pages.items():
            found["bytes"] += PAGE / max(1, self.counts[entry.frame])
            if len(self.holders[entry.frame]) > 1:
                found["shared"] += 1
                continue
            found["private"] += 1
            if member is self.members[0]:
                continue
            partner = self.partner(page)
            if partner is None or partner.pages[page].backing != entry.backing:
                found["new"] += 1
                found["repeated"] += partner is None and self.is_repeated(member, page)
            else:
                found["partnered"] += 1
                found[self.class_of(member, page, partner)] += 1
        return found


def pss_anon(pid):
    return next(int(line.split()[1]) * 1024 for line in text(f"/proc/{pid}/smaps_rollup").splitlines()
                if line.startswith("Pss_Anon:"))


def compare_worker(check, reported, found):
    """Of pages whose origin forktax does not know, it says no class."""
    unknown = reported["unknown_origin_pages"]
    check.equal("new", reported["new_pages"] + reported["file_private_pages"], found["new"])
    check.equal("repeated", reported["repeated_pages"], found["repeated"])
    check.equal("with a partner", unknown + sum(reported["private"].values()), found["partnered"])
    check.equal("unstable or unread, though held still", reported["private"]["unstable"] +
                reported["private"]["unread"], 0)
    for name in ("identical", "few_words", "different"):
        least = reported["private"][name]
        check.that(least <= found[name] <= least + unknown, f"{name}: {least}, not {found[name]} "
                   f"(of {unknown} the origin is not known)")


def compare(check, look, pid):
    """Holds the pool still, reads it by both, and compares figure by figure. `look` asks forktax."""
    with held_still(members_of(pid)):
        pids = members_of(pid)
        reported = look(pid)
        pool = Pool(reported["master"]["pid"], pids)
        check.context = "pool"
        check.equal("members", sorted([reported["master"]["pid"], *(one["pid"] for one in reported["workers"])]), pids)
        check.equal("exact", reported["integrity"]["exact"], True)
        by_pid = {member.pid: member for member in pool.members}
        total = collections.Counter()
        for one in [reported["master"], *reported["workers"]]:
            check.context = f"process {one['pid']}"
            if one["pid"] not in by_pid:
                continue
            found = pool.figures(by_pid[one["pid"]])
            total.update(found)
            for name in ("shared", "private", "swapped"):
                check.equal(name, one[f"{name}_pages"], found[name])
            if one is not reported["master"]:
                compare_worker(check, one, found)
            gap = found["bytes"] - pss_anon(one["pid"])
            check.that(-1 <= gap < 1025, f"Pss_Anon of the kernel, and page by page: {gap} bytes apart")
            check.that(abs(one["counted_bytes"] - found["bytes"]) <= 1024,
                       f"{one['counted_bytes']} bytes counted, not {found['bytes']:.0f}")
        pool.close()
    print(f"{len(pids)} processes: {dict(total)}")
    return total

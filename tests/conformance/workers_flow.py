# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax workers --duration on a pool that knows who wrote to which page when (workerflow.c).

usage: workers_flow.py FORKTAX SAMPLES WITNESS CASE
"""
import array
import collections
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import check as checks
import rules
import tracefs
from workers_look import PAGE, kernel_sums, read

FRESH = 42  # pages that write_fresh fills


class Inexact(Exception):
    """What was watched is to be watched again."""


def read_document(path):
    document = json.loads(read(path))
    if rules.flow_inexact_by_preemption(document["flow"]["integrity"]):
        raise Inexact
    return document


def watch(forktax, program, *options, witness=None):
    """The pool's ledger, what forktax says, and what the kernel summed up at the end. A witness learns when
    it begins and ends."""
    ready, reported = os.pipe()
    with tempfile.NamedTemporaryFile() as saved, \
            subprocess.Popen([program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             text=True) as pool:
        head = json.loads(pool.stdout.readline())
        with subprocess.Popen([forktax, "workers", "-q", "-p", str(head["b"]), "--duration", "1h",
                               f"--ready-fd={reported}", "--json", "-o", saved.name],
                              pass_fds=[reported]) as looking:
            os.close(reported)
            if os.read(ready, 6) != b"ready\n":
                raise SystemExit("forktax did not begin")
            if witness:
                witness.begin([head["master"], head["a"], head["b"]])
            ledger = act(pool, head)
            looking.send_signal(signal.SIGINT)
            looking.wait(timeout=checks.PATIENCE_S)
        sums = {pid: kernel_sums(pid)["Pss_Anon"] for pid in (head["master"], head["a"], head["b"])}
        if witness:
            witness.end()
        pool.stdin.close()
        os.close(ready)
        if looking.returncode:
            raise SystemExit(f"forktax workers: {looking.returncode}")
        return head, ledger, read_document(saved.name), sums


def act(pool, head):
    """The ledger; what the pool says at the end is added to what it said at first."""
    pool.stdin.write("g")
    pool.stdin.flush()
    ledger = []
    for line in pool.stdout:
        entry = json.loads(line)
        if "done" in entry:
            head.update(entry)
            return ledger
        ledger.append(entry)
    raise SystemExit("workerflow ended")


def in_region(head, address):
    return head["region"] <= address < head["region"] + head["pages"] * PAGE or \
        head["huge"] and head["huge"] <= address < head["huge"] + (2 << 20)


def compare_pages(check, head, ledger, flow):
    """Each write that had to copy is there once, at its moment, by its writer; and nothing else."""
    copies = collections.defaultdict(list)
    for copy in flow["copies"]:
        if in_region(head, copy["page"]):
            pid = flow["members"][copy["member"]]["pid"]
            copies[pid, copy["page"]].append((flow["begin_ns"] + copy["ns"],
                                              flow["writers"][copy["writer"]]))
    for entry in ledger:
        check.context = f"{entry['case']} of {entry['pid']}, page {entry['page']:#x}"
        found = [one for one in copies[entry["pid"], entry["page"] & -PAGE]
                 if entry["from"] <= one[0] <= entry["to"]]
        check.equal("copies", len(found), int(entry["copied"]))
        for one in found:
            check.equal("writer", one[1]["symbol"] or one[1]["call"], entry["writer"])
            check.equal("actor", one[1]["actor"],
                        "kernel" if entry["case"] == "kernel" else "program")
            copies[entry["pid"], entry["page"] & -PAGE].remove(one)
    check.context = "not in the ledger"
    for (pid, page), rest in copies.items():
        check.equal(f"copies of page {page:#x} by {pid}", len(rest), 0)


def sums_of(check, head, ledger, flow):
    """What sums hold is what is listed."""
    members = flow["members"]
    for number, member in enumerate(members):
        check.context = f"process {member['pid']}"
        own = [one for one in flow["copies"] if one["member"] == number]
        check.equal("copies", member["copies"], len(own))
        if member["shared_after"] is not None:
            check.equal("shared before and after", member["shared_before"] + member["newly_shared"],
                        sum(member[key] for key in ("shared_after", "copied", "last_owner", "unmapped",
                                                    "unexplained")))
    check.context = "new memory"
    fresh = [one["filled"] for one in flow["writers"] if one["symbol"] == "write_fresh"]
    check.equal("pages by write_fresh", fresh, [FRESH])
    for name, pages in (("write_huge", 512), ("write_read_first", head["read_first"])):
        filled = [one["filled"] for one in flow["writers"] if one["symbol"] == name]
        check.equal(f"pages by {name}", filled, [pages] if head["huge"] else [])
    check.context = "last second"
    d = next(one["pid"] for one in ledger if one["case"] == "exit")
    number = next(i for i, one in enumerate(members) if one["pid"] == d)
    end = members[number]["ended_ns"]
    late = [one for one in flow["copies"] if one["member"] == number and one["ns"] >= end - 10**9]
    pages = {one["page"] & -PAGE for one in ledger if one["case"] == "exit"}
    check.that(pages <= {one["page"] for one in late}, "writes of the exit are missing")
    check.that(not {one["page"] & -PAGE for one in ledger if one["case"] == "born"} &
               {one["page"] for one in late}, "writes before are among them")


def settled(check, head, document, strays):
    """Where shared pages went, by the page maps; the state at the end is the other witness."""
    by_pid = {one["pid"]: one for one in document["flow"]["members"]}
    a, b = by_pid[head["a"]], by_pid[head["b"]]
    check.context = "A"
    check.equal("unmapped", a["unmapped"], 8)
    check.equal("without an event", a["unexplained"], strays)
    check.equal("newly shared", a["newly_shared"], 1)
    check.context = "B"
    check.equal("unmapped", b["unmapped"], 13)
    check.equal("without an event", b["unexplained"], 0)
    check.equal("newly shared", b["newly_shared"], 0)
    check.context = "master"
    check.that(by_pid[head["master"]]["last_owner"] >= 2, "it is alone with two pages")
    for one in [document["master"], *document["workers"]]:
        check.context = f"process {one['pid']}"
        check.equal("shared at the end", by_pid[one["pid"]]["shared_after"], one["shared_pages"])


def check_totals(check, head, document, sums, strays):
    reported = document["flow"]["cross_check"]
    check.context = f"totals {reported}"
    check.that(abs(reported["after_bytes"] - 1024 * sum(sums.values())) < 3 * 1024,
               f"after, by smaps: {sums}")
    gap = (reported["before_bytes"] + reported["copied_bytes"] + reported["filled_bytes"] -
           reported["given_back_bytes"] - reported["after_bytes"])
    check.that(abs(gap + strays * PAGE) <= 3 * 1024, f"gap of {gap}, and {strays} pages untold")
    check.equal("matches", reported["matches"], abs(gap) <= 1024 * len(document["flow"]["members"]))
    check.that(reported["matches"] == (not strays), "whether they are closed")
    check.that(reported["given_back_bytes"] >= 10 * PAGE, "what B gave back")
    check.equal("exact", document["flow"]["integrity"]["exact"], True)
    check.equal("master", document["flow"]["members"][0]["pid"], head["master"])


def ledger(check, forktax, program, strays=5, options=()):
    head, writes, document, sums = watch(forktax, program, *options)
    compare_pages(check, head, writes, document["flow"])
    sums_of(check, head, writes, document["flow"])
    settled(check, head, document, strays)
    check_totals(check, head, document, sums, strays)
    check.context = "ledger"
    check.that(len(writes) > 70, f"only {len(writes)} writes")
    if not head["huge"]:
        print("not on this machine: huge pages")


def command(check, forktax, program):
    """The same pool as a command, from its first fork on; the watch ends before it."""
    with tempfile.NamedTemporaryFile() as saved:
        with subprocess.Popen([forktax, "workers", "-q", "--json", "-o", saved.name, "--", program,
                               "quiet"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as looking:
            head = json.loads(looking.stdout.readline())
            writes = act(looking, head)
            for _ in range(2):  # the first one goes to the command
                looking.send_signal(signal.SIGINT)
                time.sleep(0.3)
            looking.wait(timeout=checks.PATIENCE_S)
            sums = {pid: kernel_sums(pid)["Pss_Anon"]
                    for pid in (head["master"], head["a"], head["b"])}
            looking.stdin.close()
        check.equal("exit status", looking.returncode, 0)
        document = read_document(saved.name)
    compare_pages(check, head, writes, document["flow"])
    sums_of(check, head, writes, document["flow"])
    settled(check, head, document, 0)
    check_totals(check, head, document, sums, 0)
    check.context = "members"
    check.equal("number", len(document["flow"]["members"]), 5)
    check.equal("live", {one["pid"] for one in document["flow"]["members"]
                         if one["ended_ns"] is None}, set(sums))
    shared = {one["shared_before"] for one in document["flow"]["members"][:3]}
    check.equal("shared at the first fork, by each", len(shared), 1)


# A page of a process: __GFP_HIGHMEM | __GFP_MOVABLE, as in all of GFP_HIGHUSER_MOVABLE.
FOR_USERS = 0x2 | 0x8


class Frames:
    """The frames of anonymous memory of a pool, by the kernel's own events: which it got, and which came back
    to the allocator. Page maps say only what there is at first, and at the end."""

    def __init__(self):
        self.trace = tracefs.Instance({"kmem/mm_page_alloc": ["pfn", "order", "gfp_flags"],
                                       "kmem/mm_page_free": ["pfn", "order"],
                                       "kmem/mm_page_free_batched": ["pfn"]})
        self.held, self.given_back, self.unseen, self.got = set(), 0, 0, 0

    def begin(self, pids):
        self.pids = pids
        pool = f'comm == "flow{pids[0]}"'
        # Whoever reads of a process that ends may be the one that gives its memory back.
        either = f'{pool} || comm == "forktax"'
        self.trace.start(filters={"kmem/mm_page_alloc": pool, "kmem/mm_page_free": either,
                                  "kmem/mm_page_free_batched": either})
        for pid in pids:
            self.held |= anonymous_frames(pid)

    def end(self):
        """A frame comes back once, whatever events tell of it."""
        self.trace.stop()
        left = set().union(*map(anonymous_frames, self.pids))
        for _, name, _, _, pfn, *more in self.trace.events():
            frames = set(range(pfn, pfn + (1 << (more[0] if more else 0))))
            is_got = name == "mm_page_alloc"
            if is_got and more[1] & FOR_USERS != FOR_USERS:
                continue
            self.given_back += len(self.held & frames)
            self.unseen += len(self.held & frames) if is_got else 0
            self.held = self.held | frames if is_got else self.held - frames
            self.got += len(frames) if is_got else 0
        # Of somebody else's batch of pages that go to a list (folio_batch): he gives them back.
        self.unseen += len(self.held - left)
        self.given_back += len(self.held - left)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.trace.__exit__(*failure)


def anonymous_frames(pid):
    frames = set()
    with open(f"/proc/{pid}/pagemap", "rb", buffering=0) as pagemap:
        for line in read(f"/proc/{pid}/maps").splitlines():
            start, end = (int(word, 16) // PAGE for word in line.split()[0].split("-"))
            if "[vsyscall]" in line:
                continue
            pagemap.seek(8 * start)
            entries = array.array("Q", pagemap.read(8 * (end - start)))
            frames |= {entry & (1 << 55) - 1 for entry in entries if entry >> 61 & 5 == 4}
    return frames


def given_back(check, forktax, program, options=("quiet",)):
    """What came back to the allocator, page by page, beside what the cross-check says was given back."""
    with Frames() as frames:
        head, _, document, _ = watch(forktax, program, *options, witness=frames)
    reported = document["flow"]["cross_check"]
    check.context = f"given back, {reported}"
    check.equal("pages", reported["given_back_bytes"] // PAGE, frames.given_back)
    check.context = "got"
    check.equal("pages copied and filled", (reported["copied_bytes"] + reported["filled_bytes"]) // PAGE,
                frames.got)
    check.that(frames.given_back > 30, f"only {frames.given_back} pages came back")
    check.that(frames.unseen <= frames.given_back // 4, f"{frames.unseen} of them came back unseen")
    if not head["huge"]:
        print("not on this machine: huge pages")


def compare_window(check, document, name, symbol, key, spans):
    """What was recorded is what the pool did until the end of the watch, no more and no less."""
    flow = document["flow"]
    end = flow["begin_ns"] + flow["duration_ns"]
    found = sum(one[key] for one in flow["writers"] if one["symbol"] == symbol)
    least = sum(to <= end for _, to in spans)
    most = sum(begin <= end for begin, _ in spans)
    check.context = f"{name}, watched for {flow['duration_ns'] / 1e9:.3f} s"
    check.that(least <= found <= most, f"{found} recorded; the pool did {least} to {most} by then")
    check.that(0 < least < len(spans), f"{least} of {len(spans)} by then: the end was not met")


def steady(check, forktax, program):
    """A pool that copies and fills until after the watch: both are reported for the same time."""
    program = os.path.join(os.path.dirname(program), "conformance-workersteady")
    ready, reported = os.pipe()
    with tempfile.NamedTemporaryFile() as saved, \
            subprocess.Popen([program, "64"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             text=True) as pool:
        pid = pool.stdout.readline().split()[0]
        with subprocess.Popen([forktax, "workers", "-q", "-p", pid, "--duration", "1h", f"--ready-fd={reported}",
                               "--json", "-o", saved.name], pass_fds=[reported]) as looking:
            os.close(reported)
            if os.read(ready, 6) != b"ready\n":
                raise SystemExit("forktax did not begin")
            pool.stdin.write("g")
            pool.stdin.flush()
            time.sleep(1)
            looking.send_signal(signal.SIGINT)
            looking.wait(timeout=checks.PATIENCE_S)
        os.close(ready)
        pool.stdin.write("e")
        pool.stdin.flush()
        spans = {"copy": [], "fill": []}
        for line in iter(pool.stdout.readline, "done\n"):
            kind, begin, end = line.split()
            spans[kind].append((int(begin), int(end)))
        document = read_document(saved.name)
        pool.stdin.close()
    compare_window(check, document, "copies", "copy_page", "copies", spans["copy"])
    compare_window(check, document, "new memory", "fill_page", "filled", spans["fill"])
    check.context = "flow"
    check.equal("exact", document["flow"]["integrity"]["exact"], True)


CASES = {
    "steady": steady,
    "given-back": given_back,
    "ledger": ledger,
    "quiet": lambda *all: ledger(*all, strays=0, options=["quiet"]),
    "command": command,
}


def main():
    forktax, witness, case = sys.argv[1], sys.argv[3], sys.argv[4]
    if os.geteuid():
        checks.skip("needs root")
    rules.stay_on_one_cpu()
    check = checks.Check()
    for _ in range(rules.EXACT_TRIES):
        try:
            CASES[case](check, forktax, os.path.join(os.path.dirname(witness), "conformance-workerflow"))
            break
        except Inexact:
            print("again: not exact, because of recursion misses")
    else:
        check.fail(f"{rules.EXACT_TRIES} times")
    check.finish()


if __name__ == "__main__":
    main()

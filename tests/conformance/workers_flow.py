# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax workers --duration on a pool that knows who wrote to which page when (workerflow.c).

usage: workers_flow.py FORKTAX SAMPLES WITNESS CASE
"""
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
from workers_look import PAGE, kernel_sums, read

FRESH = 42  # pages that write_fresh fills


def watch(forktax, program, *options):
    """The pool's ledger, what forktax says, and what the kernel summed up at the end."""
    ready, told = os.pipe()
    with tempfile.NamedTemporaryFile() as saved, \
            subprocess.Popen([program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             text=True) as pool:
        head = json.loads(pool.stdout.readline())
        with subprocess.Popen([forktax, "workers", "-q", "-p", str(head["b"]), "--duration", "60s",
                               f"--ready-fd={told}", "--json", "-o", saved.name],
                              pass_fds=[told]) as looking:
            os.close(told)
            if os.read(ready, 6) != b"ready\n":
                raise SystemExit("forktax did not begin")
            ledger = act(pool)
            looking.send_signal(signal.SIGINT)
            looking.wait(timeout=60)
        sums = {pid: kernel_sums(pid)["Pss_Anon"] for pid in (head["master"], head["a"], head["b"])}
        pool.stdin.close()
        os.close(ready)
        if looking.returncode:
            raise SystemExit(f"forktax workers: {looking.returncode}")
        return head, ledger, json.loads(read(saved.name)), sums


def act(pool):
    pool.stdin.write("g")
    pool.stdin.flush()
    ledger = []
    for line in pool.stdout:
        entry = json.loads(line)
        if "done" in entry:
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
    """What is told in sums is what is listed."""
    members = flow["members"]
    for number, member in enumerate(members):
        check.context = f"process {member['pid']}"
        own = [one for one in flow["copies"] if one["member"] == number]
        check.equal("copies", member["copies"], len(own))
        if member["shared_after"] is not None:
            check.equal("shared before and after", member["shared_before"] + member["newly_shared"],
                        sum(member[key] for key in ("shared_after", "copied", "sole", "unmapped",
                                                    "unexplained")))
    check.context = "new memory"
    fresh = [one["filled"] for one in flow["writers"] if one["symbol"] == "write_fresh"]
    check.equal("pages by write_fresh", fresh, [FRESH])
    huge = [one["filled"] for one in flow["writers"] if one["symbol"] == "write_huge"]
    if head["huge"] and rules.rss_is_cached():
        print("left out: pages by write_huge: before Linux 6.2 a huge page counts as one")
    else:
        check.equal("pages by write_huge", huge, [512] if head["huge"] else [])
    check.context = "last second"
    d = next(one["pid"] for one in ledger if one["case"] == "exit")
    number = next(i for i, one in enumerate(members) if one["pid"] == d)
    end = members[number]["ended_ns"]
    late = [one for one in flow["copies"] if one["member"] == number and one["ns"] >= end - 10**9]
    check.equal("copies", members[number]["last_second"], len(late))
    pages = {one["page"] & -PAGE for one in ledger if one["case"] == "exit"}
    check.that(pages <= {one["page"] for one in late}, "writes of the exit are missing")
    check.that(not {one["page"] & -PAGE for one in ledger if one["case"] == "born"} &
               {one["page"] for one in late}, "writes before are among them")


def settled(check, head, document, strays):
    """Where shared pages went, by the page maps; the state at the end is the other witness."""
    by_pid = {one["pid"]: one for one in document["flow"]["members"]}
    a, b = by_pid[head["a"]], by_pid[head["b"]]
    check.context = "A"
    check.equal("unmapped", a["unmapped"], 4)
    check.equal("without an event", a["unexplained"], strays)
    check.equal("newly shared", a["newly_shared"], 1)
    check.context = "B"
    check.equal("unmapped", b["unmapped"], 9)
    check.equal("without an event", b["unexplained"], 0)
    check.equal("newly shared", b["newly_shared"], 0)
    check.context = "master"
    check.that(by_pid[head["master"]]["sole"] >= 2, "it is alone with two pages")
    for one in [document["master"], *document["workers"]]:
        check.context = f"process {one['pid']}"
        check.equal("shared at the end", by_pid[one["pid"]]["shared_after"], one["shared_pages"])


def books(check, head, document, sums, strays, slack=0):
    """`slack`: pages that may be missed where a pool is first read while it is being born."""
    told = document["flow"]["books"]
    check.context = f"books {told}"
    check.that(abs(told["after_bytes"] - 1024 * sum(sums.values())) < 3 * 1024,
               f"after, by smaps: {sums}")
    gap = (told["before_bytes"] + told["copied_bytes"] + told["filled_bytes"] -
           told["given_back_bytes"] - told["after_bytes"])
    check.that(abs(gap + strays * PAGE) <= 3 * 1024 + slack * PAGE, f"gap of {gap}, and {strays} pages untold")
    check.equal("closed", told["closed"], abs(gap) <= 1024 * len(document["flow"]["members"]))
    check.that(slack or told["closed"] == (not strays), "whether they are closed")
    check.that(told["given_back_bytes"] >= 10 * PAGE, "what B gave back")
    check.equal("exact", document["flow"]["integrity"]["exact"], True)
    check.equal("master", document["flow"]["members"][0]["pid"], head["master"])


def ledger(check, forktax, program, strays=5, options=()):
    head, writes, document, sums = watch(forktax, program, *options)
    compare_pages(check, head, writes, document["flow"])
    sums_of(check, head, writes, document["flow"])
    settled(check, head, document, strays)
    books(check, head, document, sums, strays)
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
            writes = act(looking)
            for _ in range(2):  # the first one goes to the command
                looking.send_signal(signal.SIGINT)
                time.sleep(0.3)
            looking.wait(timeout=60)
            sums = {pid: kernel_sums(pid)["Pss_Anon"]
                    for pid in (head["master"], head["a"], head["b"])}
            looking.stdin.close()
        check.equal("exit status", looking.returncode, 0)
        document = json.loads(read(saved.name))
    compare_pages(check, head, writes, document["flow"])
    sums_of(check, head, writes, document["flow"])
    settled(check, head, document, 0)
    # What the master has at its first fork is read while all of them run on: a few pages may be
    # missed, and then the books do not call themselves closed.
    books(check, head, document, sums, 0, slack=4)
    check.context = "members"
    check.equal("number", len(document["flow"]["members"]), 5)
    check.equal("live", {one["pid"] for one in document["flow"]["members"]
                         if one["ended_ns"] is None}, set(sums))
    shared = {one["shared_before"] for one in document["flow"]["members"][:3]}
    check.that(max(shared) - min(shared) <= 8, f"shared at the first fork: {shared}")


CASES = {
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
    CASES[case](check, forktax, os.path.join(os.path.dirname(witness), "conformance-workerflow"))
    check.finish()


if __name__ == "__main__":
    main()

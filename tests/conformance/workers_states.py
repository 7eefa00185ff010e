# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax workers on pools in states that are easily taken for healthy ones: all is copied, the master has
gone, merging has left several frames. Each says what its memory is, and the page maps are the witness.

usage: workers_states.py FORKTAX SAMPLES WITNESS CASE
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import check as checks
from workers_look import PAGE, flat, kernel_sums, look, read

MIB = 1 << 20
OWN = 7 * MIB  # what Python itself copies, in four or five processes
KSM = "/sys/kernel/mm/ksm"

# A master with one mapping, and workers that each do `job` with it; then all wait until stdin ends.
POOL = """
import ctypes, mmap, os, signal, sys, time
PAGE = mmap.PAGESIZE
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
def place(pages, advice=15):  # MADV_NOHUGEPAGE
    at = libc.mmap(None, (pages + 2) * PAGE, 0, 0x4022, -1, 0) + PAGE  # a guard on either side
    libc.mmap(at, pages * PAGE, 3, 0x32, -1, 0)
    libc.madvise(at, pages * PAGE, 15)
    libc.madvise(at, pages * PAGE, advice)
    return at
def fill(at, pages, seed):
    for page in range(pages):
        ctypes.memmove(at + page * PAGE, (b"%d page %d;" % (seed, page) * 2000)[:PAGE], PAGE)
def same(at, pages):
    for page in pages:
        ctypes.memmove(at + page * PAGE, ctypes.string_at(at + page * PAGE, 8), 8)
def change(at, pages, word=b"changed!", words=1):
    for page in pages:
        for one in range(words):
            ctypes.memmove(at + page * PAGE + 128 + 16 * one, word, 8)
def fork_workers(count, job):
    pids = []
    for who in range(count):
        done = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(done[0])
            job(who)
            os.write(done[1], b".")
            os.close(done[1])
            sys.stdin.read()
            os._exit(0)
        os.close(done[1])
        os.read(done[0], 1)
        os.close(done[0])
        pids.append(pid)
    return pids
"""


class Pool:
    """A program of POOL and what follows it, which prints a line when all is done."""

    def __init__(self, program, *words, before=()):
        self.process = subprocess.Popen([*before, "python3" if before else sys.executable, "-c", POOL + program, *words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.reported = json.loads(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def text_of(forktax, pid, *options):
    return " ".join(subprocess.run([forktax, "workers", "-v", "-p", str(pid), *options], check=True,
                                   capture_output=True, text=True).stdout.split())


def at(state, pid, start):
    """The pages of a worker in the mapping that begins there."""
    worker = next(one for one in state["workers"] if one["pid"] == pid)
    for one in worker["mappings"]:
        if state["mappings"][one["mapping"]]["start"] == start:
            return {**flat(one), "perhaps": one["unknown_origin"]}
    raise SystemExit(f"no mapping of {pid} at {start:#x}")


ALL_COPIED = """
at = place(4096); fill(at, 4096, 1)
other = place(512); fill(other, 512, 2)
def job(who):
    same(at, range(4096))
    change(other, range(256), b"%08d" % who); same(other, range(256, 512))
    change(other, range(100), b"%08d" % who, 20)
pids = fork_workers(3, job)
import json
print(json.dumps({"master": os.getpid(), "pids": pids, "at": at, "other": other}), flush=True)
sys.stdin.read()
"""


def all_copied(check, forktax):
    """Where nothing is shared any more, contents are compared all the same, and the first sentence says so."""
    with Pool(ALL_COPIED) as pool:
        reported = pool.reported
        state = look(forktax, reported["master"])
        text = text_of(forktax, reported["master"])
    for pid in reported["pids"]:
        check.context = f"worker {pid}"
        got = at(state, pid, reported["at"])
        check.equal("unknown origin", got["unknown_origin"], 4096)
        check.equal("of it", got["perhaps"], {"identical": 4096, "few_words": 0, "different": 0,
                                              "unstable": 0, "unread": 0})
        got = at(state, pid, reported["other"])
        check.equal("changed", got["perhaps"], {"identical": 256, "few_words": 156, "different": 100,
                                                "unstable": 0, "unread": 0})
        check.equal("changed words", got["changed_words"], 156 + 100 * 20)
        check.equal("known to be inherited", (got["identical"], got["different"]), (0, 0))
    pool = state["pool"]
    check.context = f"pool {pool}"
    copies = 3 * (4096 + 512) * PAGE
    check.that(copies <= pool["unknown_origin_extra_bytes"] + pool["extra_bytes"] <= copies + OWN, "extra")
    # What workers changed they changed each in its own way; 48 MiB and half of the other are as they were.
    same = 3 * (4096 + 256) * PAGE
    check.that(same <= pool["unknown_origin_mergeable_bytes"] + pool["mergeable_bytes"] <= same + OWN, "mergeable")
    check.context = text
    said = re.search(r"One more worker costs ([\d.]+) MiB", text)
    check.that(said is not None and 18 <= float(said[1]) < 18 + OWN / MIB, "what one more costs")
    check.that("above all copies with the same contents as the master's memory" in " ".join(text.split()), "what it is")
    # The sum includes small mappings of Python's own. They share no page.
    unknown = [re.search(r"whether ([\d.]+) MiB", one["what"]) for one in state["integrity"]["not_known"]]
    check.that([one for one in unknown if one and 54 <= float(one[1]) < 54 + OWN / MIB], f"not known: {unknown}")


ORPHANS = """
at = place(512); fill(at, 512, 1)
other = place(256); fill(other, 256, 2)
alone = place(64)
def job(who):
    change(at, range(who * 16, who * 16 + 16), words=20)    # each its own 16; who 3 none of them
    if who < 2: same(at, range(100, 120))
    if who == 1: fill(alone, 64, 3)
    change(other, range(100), b"%08d" % (who == 2))         # nobody shares it: three alike, one not
    change(other, range(100, 200), b"%08d" % who)           # all different, in a word
    same(other, range(200, 256))
parts = os.pipe()
if not os.fork():
    os.setsid()
    pids = fork_workers(4, job)
    import json
    os.write(parts[1], json.dumps({"pids": pids, "at": at, "other": other, "alone": alone}).encode())
    os._exit(0)
text = os.read(parts[0], 1000).decode()
os.wait()
os.close(parts[0]); os.close(parts[1])
# By an execve this process is none of the pool, but it keeps its stdin open.
os.execlp(sys.executable, sys.executable, "-c", "import sys; print(sys.argv[1], flush=True); sys.stdin.read()", text)
"""


def orphans(check, forktax):
    """The workers of a master that has ended: none of them is made the master, and all are there."""
    with Pool(ORPHANS) as pool:
        reported, pids = pool.reported, pool.reported["pids"]
        state = look(forktax, pids[1])
        text = text_of(forktax, pids[1])
        by_kernel = {pid: kernel_sums(pid)["Pss_Anon"] for pid in pids}
        watched = subprocess.run([forktax, "workers", "-p", str(pids[0]), "--duration", "0.5s", "--json"],
                                 check=True, capture_output=True, text=True).stdout
        with tempfile.NamedTemporaryFile("w") as saved:
            json.dump(state, saved)
            saved.flush()
            again = subprocess.run([forktax, "report", "--json", saved.name], check=True,
                                   capture_output=True, text=True).stdout
    check.context = "pool"
    check.equal("master", state["master"], None)
    check.equal("workers", sorted(one["pid"] for one in state["workers"]), sorted(pids))
    check.that(not state["integrity"]["exact"], "called exact")
    check.that(any("master" in one["what"] for one in state["integrity"]["not_known"]), "not among what is not known")
    check.that(state["pool"]["cross_check"]["matches"], f"the totals do not match: {state['pool']['cross_check']}")
    check.that(abs(state["pool"]["cross_check"]["pss_anon_bytes"] / 1024 - sum(by_kernel.values())) < 64, "sum of Pss_Anon")
    check.equal("saved and read again", json.loads(again), state)
    check.context = text
    check.that("Pool without a master, 4 workers" in text, "the head")
    check.that("The process that forked these 4 workers has ended, or executes another program" in text, "the first sentence")
    check.that("what the master has" not in text, "a master is named")
    for who, pid in enumerate(pids):
        check.context = f"worker {who}"
        got = at(state, pid, reported["at"])
        own = 16 + (20 if who < 2 else 0)
        check.equal("shared", got["shared"], 512 - own)
        check.equal("different", got["different"], 16)
        check.equal("identical", got["identical"], 20 if who < 2 else 0)
        perhaps = at(state, pid, reported["other"])["perhaps"]
        check.equal("where nobody shares", perhaps,
                    {"identical": 56 + (100 if who != 2 else 0), "few_words": 100 + (100 if who == 2 else 0),
                     "different": 0, "unstable": 0, "unread": 0})
    check.context = "memory of one alone"
    check.equal("new", at(state, pids[1], reported["alone"])["new"], 64)
    flow = json.loads(watched)["flow"]
    check.context = "flow"
    check.equal("members", sorted(one["pid"] for one in flow["members"]), sorted(pids))
    check.equal("orphans", flow.get("orphans"), True)


DAEMON = """
at = place(64); fill(at, 64, 1)
parts = os.pipe()
if not os.fork():
    pids = fork_workers(2, lambda who: None)
    import json
    os.write(parts[1], json.dumps({"master": os.getpid(), "pids": pids}).encode())
    os.close(parts[0])
    os.close(parts[1])
    sys.stdin.read()
    os._exit(0)
text = os.read(parts[0], 1000).decode()
os.execlp(sys.executable, sys.executable, "-c", "import sys; print(sys.argv[1], flush=True); sys.stdin.read()", text)
"""


def daemon(check, forktax):
    """A daemon whose starter has left is the master: all others were forked from it."""
    with Pool(DAEMON) as pool:
        state = look(forktax, pool.reported["pids"][0])
    check.equal("master", state["master"]["pid"], pool.reported["master"])
    check.equal("workers", sorted(one["pid"] for one in state["workers"]), sorted(pool.reported["pids"]))
    check.that(state["integrity"]["exact"], "not exact")


# What four workers write, by who they are; then all pages are merged.
MERGED = """
MERGEABLE = 12
lone = place(512, MERGEABLE); fill(lone, 512, 1)
pairs = place(512, MERGEABLE); fill(pairs, 512, 2)
flat = place(1024, MERGEABLE); fill(flat, 1024, 3)
def job(who):
    change(lone, range(512), b"workers!")                   # all the same: two frames are left
    change(pairs, range(512), b"%08d" % (who // 2))         # two and two: three are left
    for page in range(512):                                 # one content at all addresses
        ctypes.memset(flat + page * PAGE, 5, PAGE)
    change(flat, range(512, 1024), b"%08d" % who)           # nothing to merge
pids = fork_workers(4, job)
import json
print(json.dumps({"master": os.getpid(), "pids": pids, "lone": lone, "pairs": pairs, "flat": flat}), flush=True)
sys.stdin.read()
"""


def merge_all(state_of, is_done):
    """Scans until it is done, with the machine's settings put back."""
    settings = {name: read(f"{KSM}/{name}") for name in ("run", "pages_to_scan", "sleep_millisecs")}

    def write(name, value):
        with open(f"{KSM}/{name}", "w", encoding="ascii") as file:
            file.write(str(value))
    try:
        write("pages_to_scan", 20000)
        write("sleep_millisecs", 10)
        write("run", 1)
        for _ in range(200):
            if is_done():
                break
            time.sleep(0.2)
        write("run", 0)
        return state_of()
    finally:
        write("run", 0 if int(settings["run"]) else 2)  # leave nothing merged of ours
        for name, value in settings.items():
            write(name, value)


def extra_of(state):
    return state["pool"]["extra_bytes"] + state["pool"]["unknown_origin_extra_bytes"]


def merged_frames(check, forktax):
    """Extra memory is what the kernel's sum has beyond one page per address, before merging and after."""
    if not os.access(f"{KSM}/run", os.W_OK):
        checks.skip("no same-page merging that may be switched on")
    with Pool(MERGED) as pool:
        reported = pool.reported

        def pss():
            return 1024 * sum(kernel_sums(pid)["Pss_Anon"] for pid in [reported["master"], *reported["pids"]])
        before, pss_before = look(forktax, reported["master"]), pss()
        # 3 of 4, 2 of 4, and all but one of 4 x 512.
        left = 4 * PAGE * 512 * 3 - PAGE * (512 + 2 * 512 + 1)
        after, pss_after = merge_all(lambda: (look(forktax, reported["master"]), pss()),
                                     lambda: pss_before - pss() >= 0.995 * left)
    first, then = extra_of(before), extra_of(after)
    print(f"extra {first} -> {then}, Pss_Anon {pss_before} -> {pss_after}")
    check.context = "before"
    copies = 4 * 4 * 512 * PAGE
    check.that(copies <= first <= copies + OWN, f"extra is {first}, of {copies} copied")
    check.context = "after"
    gone = pss_before - pss_after
    check.that(gone > 0.9 * left, f"merging gave back {gone} of {left}: nothing to test")
    check.that(abs((first - then) - gone) <= 256 << 10,
               f"extra fell by {first - then}, Pss_Anon by {gone}")
    rest = PAGE * (512 + 2 * 512 + 1 + 4 * 512)
    check.that(rest <= then <= rest + OWN, f"extra is {then}, and {rest} are left")
    mergeable = after["pool"]["mergeable_bytes"] + after["pool"]["unknown_origin_mergeable_bytes"]
    check.that(mergeable <= OWN, f"{mergeable} could still be merged")


# Three workers that copy next to nothing. Each has eight helpers, which copy much before they execute a
# program; the first one starts another pool that way, as a server does that makes way for its next version.
HELPERS = """
import json
at = place(8192); fill(at, 8192, 1)
directory = sys.argv[1]
NEXT = "import os, signal, sys; [os.fork() for one in range(2)]; sys.stdin.read()"
def wait_for(name):
    while not os.path.exists(directory + "/" + name):
        time.sleep(0.02)
def helper(*command):
    pid = os.fork()
    if not pid:
        change(at, range(7000))
        os.execv(command[0], command)
    return pid
pids = []
for who in range(3):
    pids.append(os.fork())
    if not pids[-1]:
        wait_for("go")
        if not who:
            helper(sys.executable, "-c", NEXT)
        for one in range(8):
            os.waitpid(helper("/bin/true"), 0)
        open(directory + f"/done.{who}", "w").close()
        sys.stdin.read()
        os._exit(0)
print(json.dumps({"master": os.getpid(), "pids": pids}), flush=True)
for who in range(3):
    wait_for(f"done.{who}")
time.sleep(0.5)
print("done", flush=True)
sys.stdin.read()
"""


def watch(forktax, pool, scratch, *options):
    """What is said of the pool from before it acts until it is done: the document, and the text of it."""
    ready, reported = os.pipe()
    saved = f"{scratch}/flow.json"
    with subprocess.Popen([forktax, "workers", "-q", "-p", str(pool.reported["master"]), "--duration", "1h",
                           f"--ready-fd={reported}", "--json", "-o", saved, *options],
                          pass_fds=[reported]) as looking:
        os.close(reported)
        if os.read(ready, 6) != b"ready\n":
            raise SystemExit("forktax did not begin")
        os.close(ready)
        with open(f"{scratch}/go", "w", encoding="ascii"):
            pass
        if pool.process.stdout.readline() != "done\n":
            raise SystemExit("the pool ended")
        looking.send_signal(signal.SIGINT)
        looking.wait(timeout=checks.PATIENCE_S)
    text = subprocess.run([forktax, "report", "-v", saved], check=True, capture_output=True, text=True).stdout
    return json.loads(read(saved)), text


def helpers(check, forktax):
    """Who executes another program was no worker, whatever it copied before."""
    with tempfile.TemporaryDirectory(prefix="forktax-states-") as scratch, \
            Pool(HELPERS, scratch) as pool:
        reported = pool.reported
        document, text = watch(forktax, pool, scratch)
    flow = document["flow"]
    print(text[text.index("Watched for"):][:1200])
    helping = [one for one in flow["members"] if one.get("executed")]
    staying = [one for one in flow["members"] if not one.get("executed")]
    check.equal("members", [one["pid"] for one in staying], [reported["master"], *reported["pids"]])
    check.equal("helpers", len(helping), 25)
    check.equal("what helpers shared", {one["shared_before"] for one in helping}, {None})
    for one in helping:
        check.that(one["copies"] >= 7000, f"{one['copies']} copies of a helper")
    check.equal("unread", flow["integrity"]["unread"], 0)
    check.that(flow["cross_check"]["matches"], f"the totals do not match: {flow['cross_check']}")
    check.equal("workers of the state", sorted(one["pid"] for one in document["workers"]),
                sorted(reported["pids"]))
    words = " ".join(text.split())
    check.context = words[words.index("Watched for"):][:900]
    check.that("Every worker born meanwhile" not in words, "what helpers did could be done before the fork")
    check.that("25 members executed another program and are no workers; before that they copied" in words,
               "what helpers copied")
    check.that("workers ended" not in words, "helpers are workers that ended")


# Workers that end soon, each after another time: some while their page maps are read.
SHORT = """
import json
at = place(20000); fill(at, 20000, 1)
directory = sys.argv[1]
stays = os.fork()
if not stays:
    sys.stdin.read()
    os._exit(0)
print(json.dumps({"master": os.getpid(), "pids": [stays]}), flush=True)
while not os.path.exists(directory + "/go"):
    time.sleep(0.02)
for one in range(150):
    pid = os.fork()
    if not pid:
        time.sleep(one % 50 / 1000)
        if one % 2:
            os.execv("/bin/true", ["true"])
        os._exit(0)
    os.waitpid(pid, 0)
print("done", flush=True)
sys.stdin.read()
"""


def torn(check, forktax):
    """A page map that was read while its memory went away is none: what was shared is known whole, or not."""
    with tempfile.TemporaryDirectory(prefix="forktax-states-") as scratch, \
            Pool(SHORT, scratch) as pool:
        document, _ = watch(forktax, pool, scratch)
    shared = [one["shared_before"] for one in document["flow"]["members"]]
    known = [one for one in shared if one is not None]
    print(f"known of {len(known)} of {len(shared)}: {sorted(known)[:10]} to {max(known)}")
    check.that(len(known) >= 2 and len(shared) > 100, "too few")
    check.that(min(known) >= 20000, f"torn: {[one for one in known if one < 20000]}")


# The master alone has huge pages: it mapped them after the fork.
HUGE = """
import json
at = place(64); fill(at, 64, 1)
pids = fork_workers(2, lambda who: None)
space = libc.mmap(None, 18 << 20, 3, 0x22, -1, 0)
huge = (space + (2 << 20) - 1) & -(2 << 20)
libc.madvise(huge, 16 << 20, 14)  # MADV_HUGEPAGE
ctypes.memset(huge, 1, 16 << 20)
print(json.dumps({"master": os.getpid(), "pids": pids}), flush=True)
sys.stdin.read()
"""
AS_NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


def huge_master(check, forktax):
    """What an ordinary user cannot know of a master's huge pages is in its row."""
    if subprocess.run([*AS_NOBODY, forktax, "--version"], check=False, capture_output=True).returncode:
        checks.skip("another user cannot execute forktax here")
    with Pool(HUGE, before=AS_NOBODY) as pool:
        master = pool.reported["master"]
        if kernel_sums(master)["AnonHugePages"] != 16 << 10:
            checks.skip("no huge pages on demand here")
        state = look(forktax, master, before=AS_NOBODY)
        text = subprocess.run([*AS_NOBODY, forktax, "workers", "-v", "-p", str(master)], check=True,
                              capture_output=True, text=True).stdout
    check.equal("unknown pages of the master", state["master"]["unknown_pages"], 4096)
    lines = text.splitlines()
    row = next((line.split() for line in lines if line.startswith(f"{master} master")), [])
    check.context = text
    head = next((line for line in lines if "Pss_Anon" in line and "pid" in line), "")
    check.that("unknown" in head, "no column")
    check.that("16" in row, f"not in the row of the master: {row}")


# In each process the first thread has ended, and another one goes on.
LEADERS = """
import json, threading, time
at = place(1024); fill(at, 1024, 1)
def leave_to(work):
    threading.Thread(target=work).start()
    libc.syscall(60, 0)  # exit of this thread; ctypes has given Python's lock away
def go_on(who, done):
    change(at, range(100), b"%08d" % who)
    os.write(done, b".")
    while not os.path.exists(sys.argv[1]): time.sleep(0.01)
    for page in range(200, 300):
        change(at, [page]); time.sleep(0.001)
    time.sleep(1000)
pids, done = [], os.pipe()
for who in range(2):
    pids.append(os.fork())
    if not pids[-1]:
        leave_to(lambda: go_on(who, done[1]))
for pid in pids: os.read(done[0], 1)
def wait():
    while True:
        if all(open(f"/proc/{pid}/stat").read().split()[2] == "Z" for pid in [*pids, os.getpid()]): break
        time.sleep(0.01)
    print(json.dumps({"master": os.getpid(), "pids": pids, "at": at}), flush=True)
    sys.stdin.read()
    for pid in pids: os.kill(pid, 9)
    os._exit(0)
leave_to(wait)
"""


def leaders(check, forktax):
    """Processes whose first threads have ended live on, and are looked at, watched and traced as all are."""
    with tempfile.TemporaryDirectory() as scratch:
        go, saved = os.path.join(scratch, "go"), os.path.join(scratch, "run.json")
        with Pool(LEADERS, go) as pool:
            reported = pool.reported
            pid = str(reported["master"])
            state = look(forktax, reported["master"])
            with subprocess.Popen([forktax, "workers", "-q", "-p", pid, "--duration", "3s", "--json"],
                                  stdout=subprocess.PIPE, text=True) as watch:
                time.sleep(1.5)
                with open(go, "w", encoding="ascii"):
                    pass
                flow = json.loads(watch.stdout.read())["flow"]
            subprocess.run([forktax, "run", "-q", "--json", "-o", saved, "-p", pid, "--duration", "0.1"], check=True)
            traced = json.loads(read(saved))
    for pid in reported["pids"]:
        check.context = f"worker {pid}"
        got = at(state, pid, reported["at"])
        check.equal("changed in a word", got["few_words"], 100)
        check.equal("shared", got["shared"], 924)
        copies = next((one["copies"] for one in flow["members"] if one["pid"] == pid), None)
        check.that(copies is not None and copies >= 100, f"{copies} copies while it was watched")
    check.context = "pool"
    check.equal("master", state["master"]["pid"], reported["master"])
    check.that(state["integrity"]["exact"], f"not exact: {state['integrity']}")
    check.equal("processes traced", traced["attached"], [reported["master"]])


WRITING = """
import json, threading
at = place(16); fill(at, 16, 1)
def write(_):
    for count in range(10 ** 8):
        change(at, [count % 15], b"%08d" % count)
def job(who):
    change(at, range(15))
    if who:
        threading.Thread(target=write, args=[None], daemon=True).start()
pids = fork_workers(2, job)
print(json.dumps({"master": os.getpid(), "pids": pids, "at": at}), flush=True)
sys.stdin.read()
"""


def writing(check, forktax):
    """What a thread writes while it is compared is unstable; what a worker holds that sleeps is not."""
    seen = {}
    with Pool(WRITING) as pool:
        asleep, awake = pool.reported["pids"]
        for _ in range(100):
            state = look(forktax, pool.reported["master"])
            check.equal("few words, of who sleeps", at(state, asleep, pool.reported["at"])["few_words"], 15)
            seen = at(state, awake, pool.reported["at"])
            check.equal("inherited, of who writes", sum(seen[name] for name in
                                                        ("few_words", "identical", "different", "unstable")), 15)
            if seen["unstable"]:
                break
    check.that(seen["unstable"], "what is written all the time never changed while it was compared")


UNMAPPED = """
at = place(4096); fill(at, 4096, 1)
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
pids = fork_workers(3, lambda who: libc.munmap(at + 8 * PAGE, 4000 * PAGE) if not who else None)
import json
print(json.dumps({"master": os.getpid(), "pids": pids}), flush=True)
sys.stdin.read()
"""


def unmapped(check, forktax):
    """Where others share pages with objects of Python, a worker may have no mapping any more."""
    with Pool(UNMAPPED) as pool:
        state = look(forktax, pool.reported["master"])
        sums = [kernel_sums(pid)["Pss_Anon"] * 1024 for pid in (pool.reported["master"], *pool.reported["pids"])]
    shared = {one["pid"]: one["shared_pages"] for one in state["workers"]}
    first, second, third = (shared[pid] for pid in pool.reported["pids"])
    check.that(4000 <= second - first <= 4000 + OWN // PAGE and abs(third - second) < OWN // PAGE, f"shared pages {shared}")
    check.that(abs(state["pool"]["cross_check"]["pss_anon_bytes"] - sum(sums)) < OWN, f"the kernel's sums {sums}")


OWN_MEMORY = """
def job(who):
    if sys.argv[1] == "own":
        fill(place(6000), 6000, who + 1)
import json
print(json.dumps({"master": os.getpid(), "pids": fork_workers(3, job)}), flush=True)
sys.stdin.read()
"""


def own_memory(check, forktax):
    """What each worker makes for itself cannot be shared: one worker less saves as much as its own memory is."""
    with Pool(OWN_MEMORY, "own") as pool:
        screen = " ".join(subprocess.run([forktax, "workers", "-p", str(pool.reported["master"])], check=True, text=True,
                                         capture_output=True).stdout.split())
        private = kernel_sums(pool.reported["pids"][0])["Private_Dirty"] / 1024
    said = re.search(r"Nothing to share: .* Fewer workers take less.*: one worker less saves ([0-9.]+) MiB of", screen)
    check.that(said and abs(float(said[1]) - private) < 3, f"{private} MiB are the worker's own: {screen[:600]}")
    with Pool(OWN_MEMORY, "none") as pool:
        check.that("ewer workers" not in text_of(forktax, pool.reported["master"]), "advice for a pool that has nothing of its own")


CASES = {
    "writing": writing,
    "own-memory": own_memory,
    "unmapped": unmapped,
    "all-copied": all_copied,
    "orphans": orphans,
    "daemon": daemon,
    "merged-frames": merged_frames,
    "huge-master": huge_master,
    "helpers": helpers,
    "leaders": leaders,
    "torn": torn,
}


def main():
    forktax, case = sys.argv[1], sys.argv[4]
    if os.geteuid():
        checks.skip("needs root")
    check = checks.Check()
    CASES[case](check, forktax)
    check.finish()


main()

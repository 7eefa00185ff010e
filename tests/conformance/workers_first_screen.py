# SPDX-License-Identifier: GPL-2.0-or-later
"""The first screen of forktax workers: does it name the remedy, and does the pool then use as much less?

usage: workers_first_screen.py FORKTAX SAMPLES WITNESS CASE

Each pool is started twice, without its remedy and with it; the kernel's sums of its anonymous memory (smaps_rollup) tell what
the remedy saves. Innocent pools must get no advice.
"""
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

import check as checks
from workers_look import PAGE, end_group, kernel_sums, look

LINES, COLUMNS = 24, 80
# Four workers do their job and say so. The pool ends with its stdin.
POOL = """\
import array, gc, os, random, sys, time
job, remedy = sys.argv[1:]
def table():
    return [random.Random(n).randbytes(3000) for n in range(8000)]
class Packed:
    def __init__(self, texts):
        self.ends, text = array.array("Q", [0]), []
        for one in texts:
            text.append(one.encode())
            self.ends.append(self.ends[-1] + len(text[-1]))
        self.text = b"".join(text)
    def __len__(self):
        return len(self.ends) - 1
    def __getitem__(self, n):
        return self.text[self.ends[n]:self.ends[n + 1]].decode()
if job in ("read", "later"):
    texts = ["a sample of text, number %d" % n for n in range(300000)]
    data = Packed(texts) if remedy == "packed" else texts
    del texts
elif job == "collect":
    data = [[n] for n in range(200000)]
elif job == "load" and remedy == "before":
    data = table()
elif job == "wait":
    import asyncio, email.mime.multipart, http.server, sqlite3, unittest.mock, xml.dom.minidom
if remedy == "freeze":
    gc.collect()
    gc.freeze()
gate, opened = os.pipe()
done, tell = os.pipe()
for worker in range(4):
    if not os.fork():
        os.close(opened)
        if job == "load" and remedy != "before":
            data = table()
        elif job == "later":
            os.write(tell, b".")
            while not os.path.exists("go"):
                time.sleep(0.05)
            for n in range(len(data)):
                len(data[n])
        elif job == "read":
            for n in range(len(data)):
                len(data[n])
        elif job == "collect":
            gc.collect()
        elif job == "wait":
            for n in range(20):
                time.sleep(0.01)
                email.mime.multipart.MIMEMultipart().as_string()
        elif job == "own":
            data = os.urandom(24 << 20)
        elif job == "zeros":
            data = bytearray(b"x") * (24 << 20)
        os.write(tell, b".")
        os.read(gate, 1)
        os._exit(0)
for worker in range(4):
    os.read(done, 1)
print(os.getpid(), flush=True)
sys.stdin.read()
"""


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(one) for one in file.read().split()]


def descendants(pid):
    return [pid] + [one for child in children_of(pid) for one in descendants(child)]


class Pool:
    """A program that runs while the block does; `pid`: of a member."""

    def __init__(self, command, files, answers=None):
        self.scratch = tempfile.TemporaryDirectory(prefix="forktax-screen-")
        for name, text in files.items():
            with open(f"{self.scratch.name}/{name}", "w", encoding="ascii") as file:
                file.write(text)
        os.chmod(self.scratch.name, 0o755)
        self.command, self.answers, self.process, self.pid = command, answers, None, 0

    def __enter__(self):
        self.process = subprocess.Popen(self.command, cwd=self.scratch.name, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        if self.answers:
            self.pid = self.process.pid
            self.ask()
        else:
            self.pid = int(self.process.stdout.readline())
        return self

    def __exit__(self, *_):
        end_group(self.process)
        with contextlib.suppress(ProcessLookupError):  # workers that end may have the port still
            while True:
                os.killpg(self.process.pid, signal.SIGKILL)
                time.sleep(0.02)
        self.scratch.cleanup()

    def ask(self):
        """A server, until its workers have answered often enough that each has answered once."""
        end, asked = time.monotonic() + checks.PATIENCE_S, 0
        while asked < 200:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.answers}/", timeout=30) as answer:
                    answer.read()
                asked += 1
            except OSError as problem:
                if time.monotonic() > end:
                    raise SystemExit(f"no answer: {problem}") from problem
                time.sleep(0.1)

    def bytes(self):
        return sum(kernel_sums(pid)["Pss_Anon"] for pid in descendants(self.process.pid)) * 1024


def python(job, remedy="none"):
    return Pool([sys.executable, "pool.py", job, remedy], {"pool.py": POOL})


def screen(forktax, pool):
    """Its first lines as one, and what they predict, MiB; 0: no advice."""
    done = subprocess.run([forktax, "workers", "-p", str(pool.pid)], capture_output=True, text=True, check=False,
                          timeout=checks.PATIENCE_S, env={**os.environ, "COLUMNS": str(COLUMNS), "LC_ALL": "C.UTF-8"})
    print(done.stdout, done.stderr)
    words = " ".join("\n".join(done.stdout.split("\n")[:LINES]).split())
    found = re.search(r"Best advice: .*Predicted: saves (?:up to )?(\S+) MiB", words)
    return words, float(found[1]) if found else 0


def compare(check, forktax, before, after, says, least=0.8):
    """`before` says `says`, and predicts what `after` saves, within a fifth; but `least` may be less. `says`: patterns."""
    with before:
        words, predicted = screen(forktax, before)
        used = before.bytes()
        state = look(forktax, before.pid)
    with after:
        saved = (used - after.bytes()) / (1 << 20)
    for one in says:
        check.that(re.search(one, words), f"'{one}' is not in: {words}")
    print(f"predicted {predicted} MiB, saved {saved:.1f} of {used / (1 << 20):.1f}")
    check.that(least * predicted <= saved <= 1.2 * predicted, f"saved {saved} MiB, predicted {predicted}")
    return words, state


def marginal(check, words, state):
    """What one more worker costs is what it has for itself, by the kernel."""
    own = sum(kernel_sums(one["pid"])["Private_Dirty"] for one in state["workers"]) / len(state["workers"]) / 1024
    cost = float(re.search(r"One more worker costs (\S+) MiB", words)[1])
    check.that(abs(own - cost) < 0.5, f"one more costs {cost} MiB, and each has {own} of its own")


def load(check, forktax):
    """Each worker loads the same after the fork."""
    with python("load") as pool:
        words, _ = screen(forktax, pool)
        marginal(check, words, look(forktax, pool.pid))
    compare(check, forktax, python("load"), python("load", "before"),
            ["Best advice: Let the master do, before it forks, what each worker does first",
             "import and load before Process or Pool is called", "new memory with the same contents as in other workers"])


def read(check, forktax):
    """Workers only read a list of str: neither is it the collector, nor does freezing help."""
    with python("read", "freeze") as pool:
        frozen = pool.bytes()
    words, state = compare(check, forktax, python("read"), python("read", "packed"),
                           ["Best advice: Keep large data in few objects: bytes with an array of offsets",
                            "gc.freeze\\(\\) does not help", "Likely cause: reference counts"])
    check.that("W2" not in [one["rule"] for one in state["advice"]], f"W2: {words}")
    check.that(frozen / (1 << 20) > 0.9 * state["pool"]["cross_check"]["pss_anon_bytes"] / (1 << 20),
               f"{frozen} bytes after gc.freeze()")


def later(check, forktax):
    """Workers that copy all they share while they are watched: that they shared it is known by that."""
    ready, tell = os.pipe()
    with python("later") as pool:
        watch = subprocess.Popen([forktax, "workers", "--duration", "3s", "--json", "-p", str(pool.pid), "--ready-fd", str(tell)],
                                 pass_fds=[tell], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        os.read(ready, 5)
        with open(f"{pool.scratch.name}/go", "w", encoding="ascii"):
            pass
        state = json.loads(watch.communicate(timeout=checks.PATIENCE_S)[0])
        after = look(forktax, pool.pid)
    unknown, afterwards = (sum(one["unknown_origin_pages"] for one in which["workers"]) * PAGE for which in (state, after))
    check.that(afterwards > 40 << 20, f"without a watch the origin of {afterwards} bytes is not known")
    check.that(unknown < 1 << 20, f"with it that of {unknown}")
    check.that(state["pool"]["cross_check"]["matches"], f"{state['pool']}")


def collect(check, forktax):
    """The collector runs in each worker."""
    words, state = compare(check, forktax, python("collect"), python("collect", "freeze"),
                           ["Best advice: Call gc.freeze\\(\\) in the master before it forks"])
    check.that("W3" not in [one["rule"] for one in state["advice"]], f"W3: {words}")


def innocent(check, forktax):
    """Workers that wait, or have memory of their own: nothing is to be gained."""
    for job in ("wait", "own", "zeros"):
        check.context = job
        with python(job) as pool:
            words, predicted = screen(forktax, pool)
            state = look(forktax, pool.pid)
        check.that(not predicted and "Best advice" not in words, f"advice: {words}")
        rules = {one["rule"] for one in state["advice"]}
        check.that(not rules & {"W2", "W3", "W5", "W6"}, f"advice {rules}")


CASES = {"load": load, "read": read, "later": later, "collect": collect, "innocent": innocent}


def main(cases):
    if os.geteuid():
        checks.skip("needs root")
    check = checks.Check()
    cases[sys.argv[4]](check, sys.argv[1])
    check.finish()


if __name__ == "__main__":
    main(CASES)

# SPDX-License-Identifier: GPL-2.0-or-later
"""Work that every child does again, and that could be done once, before the fork."""
import collections
import glob
import os
import re
import resource
import shutil
import statistics
import subprocess

from support import Case, needs, needs_root

ROUNDS = 3
LINES = 24
MODULES = "json, decimal, email.message, http.client, xml.dom.minidom"
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else shutil.which("python3")

# usage: workers.py WHEN; each child needs the modules, which are imported then: early, late (in the child), never
WORKERS = f"""
import os, sys
if sys.argv[1] == "early":
    import {MODULES}
for _ in range(10):
    if os.fork() == 0:
        if sys.argv[1] != "never":
            import {MODULES}
        os._exit(0)
    os.wait()
"""
# usage: pools.py METHOD POOLS; so many pools of two, one after the other, of processes that need the modules
POOLS = f"""
import multiprocessing, sys
import {MODULES}
def square(number):
    return number * number
if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    context.set_forkserver_preload(["pools"])
    for _ in range(int(sys.argv[2])):
        with context.Pool(2) as pool:
            pool.map(square, range(8))
            pool.close()
            pool.join()
"""
# usage: itself.py WORK; it starts itself so that each of these works for longer than it starts
ITSELF = """
import sys
if len(sys.argv) > 2:
    for i in range(30):
        open(f"same{i}", "a").close()
    sum(i * i for i in range(5_000_000))
else:
    import subprocess
    for i in range(4):
        subprocess.run([sys.executable, "-S", "itself.py", "1", "2"], check=True)
"""
# Each child opens files of its own.
OWN_FILES = """
import os
for child in range(10):
    for name in range(10):
        open(f"own-{child}-{name}", "w").close()
for child in range(10):
    if os.fork() == 0:
        for name in range(10):
            open(f"own-{child}-{name}").read()
            sum(range(20000))
        os._exit(0)
    os.wait()
"""

# usage: freeing.py OBJECTS END; each child frees what it has inherited, unless it ends at once (now)
FREEING = """
import os, sys
kept = [{i: str(i)} for i in range(int(sys.argv[1]))]
for _ in range(8):
    if os.fork() == 0:
        os._exit(0) if sys.argv[2] == "now" else sys.exit(0)
    os.wait()
"""


@needs_root
@needs("python3")
class Children(Case):
    def setUp(self):
        super().setUp()
        for name, text in (("workers.py", WORKERS), ("own.py", OWN_FILES), ("freeing.py", FREEING),
                           ("pools.py", POOLS), ("itself.py", ITSELF)):
            with open(name, "w", encoding="ascii") as file:
                file.write(text)

    def cpu_s(self, *words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([PYTHON, *words], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def screen(self, *words, options=()):
        result = self.forktax("explain", *options, PYTHON, *words, env={**os.environ, "COLUMNS": "80"})
        self.assertEqual(result.status, 0, result.err)
        return re.sub(r"\s+", " ", " ".join(result.out.decode().split("\n")[:LINES]))

    def faults(self, *words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
        subprocess.run([PYTHON, *words], check=True)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before

    def rule(self, *words, name="R5"):
        result = self.forktax("explain", "-n", "1", "--json", "-o", "run.json", PYTHON, *words)
        self.assertEqual(result.status, 0, result.err)
        return next((item for item in self.saved().get("run_advice", ()) if item["rule"] == name), None)

    def test_imports(self):
        self.cpu_s("workers.py", "late")  # what is compiled is kept from here on
        saving = statistics.median(self.cpu_s("workers.py", "late") - self.cpu_s("workers.py", "early")
                                   for _ in range(ROUNDS)) * 1e9
        predicted = self.rule("workers.py", "late")["predicted"]["ns"]
        self.assertLess(predicted["low"] / 2, saving)
        self.assertGreater(predicted["high"] * 1.5, saving)
        screen = self.screen("workers.py", "late")
        self.assertRegex(screen, r"(Every|Nearly every) child opens the same \d\d files again \(.* which its parent has not")
        self.assertRegex(screen, r"Best advice: import them before the fork: multiprocessing.set_forkserver_preload")

    def test_no_cure_for_what_is_loaded_before(self):
        self.assertIsNone(self.rule("workers.py", "early"))

    def test_no_cure_for_children_that_load_nothing(self):
        self.assertIsNone(self.rule("workers.py", "never"))

    def test_no_cure_for_files_of_their_own(self):
        self.assertIsNone(self.rule("own.py"))

    def opened_by_all(self, *words):
        """Files but libraries that nearly all programs open which the command starts, as strace sees them."""
        subprocess.run(["strace", "-ff", "-o", "log", "-e", "trace=openat,execve", PYTHON, *words], check=True)
        logs = [open(name, encoding="utf-8").read() for name in glob.glob("log.*")]
        started = [set(re.findall(r'openat\([^"]*"([^"]+)".* = \d', log)) for log in logs if "execve(" in log]
        counts = collections.Counter(path for paths in started[1:] for path in paths)
        return sum(n >= 0.9 * (len(started) - 1) and ".so" not in os.path.basename(path) and
                   not path.startswith(("/dev/", "/proc/", "/sys/")) for path, n in counts.items()), len(started) - 1

    # ctest: all
    @needs("strace")
    def test_processes_that_start_anew(self):
        self.cpu_s("pools.py", "spawn", "1")
        saving = statistics.median(1 - self.cpu_s("pools.py", "forkserver", "5") / self.cpu_s("pools.py", "spawn", "5")
                                   for _ in range(ROUNDS))
        predicted = self.rule("pools.py", "spawn", "5", name="R24")["predicted"]["ns"]
        bill = self.saved()["bill"]
        waiting = sum(row["wall_ns"] for row in bill["rows"] if row["kind"] == "ready") / bill["wall_ns"]
        busy = (bill["untraced_wall_ns"] or bill["wall_ns"]) * (1 - waiting)  # others on the machine make a run longer
        self.assertGreater(predicted["high"] / busy, saving - 0.15)
        self.assertLess(predicted["value"] / busy, saving + 0.15)
        screen = self.screen("pools.py", "spawn", "5")
        said = re.search(r"python3 starts itself (\d+) times, and nearly each of these opens the same (\d+) files again \(", screen)
        files, started = self.opened_by_all("pools.py", "spawn", "5")
        self.assertEqual(int(said[1]), started)
        self.assertLessEqual(abs(int(said[2]) - files), 3)
        self.assertRegex(screen, r"Best advice: keep one pool for the whole run; or let multiprocessing use forkserver")

    def test_no_cure_for_what_a_fork_server_has_loaded(self):
        self.assertIsNone(self.rule("pools.py", "forkserver", "5", name="R24"))

    def test_no_cure_for_processes_that_work(self):
        self.assertIsNone(self.rule("itself.py", "work", name="R24"))

    def test_no_try_runs_once(self):
        self.assertNotIn("again", self.screen("workers.py", "late", options=["--no-try"]))

    def test_copies_at_the_end(self):
        copies = (self.faults("freeing.py", "150000", "late") - self.faults("freeing.py", "150000", "now")) / 8
        screen = self.screen("freeing.py", "150000", "late")
        said = int(re.search(r"Each child of python3\S* copies (\d+) pages that it inherits", screen)[1])
        self.assertLess(abs(said - copies), 0.1 * copies, screen)
        saving = re.search(r"Best advice: end children by os\._exit\(\).*? predicted ([0-9.]+ m?s)( per fork|)", screen)
        self.assertTrue(saving, screen)
        rows = re.findall(r"(?:costs|in which forks take|what their children do) ([0-9.]+ m?s)", screen)
        said = [float(number) / (1e3 if unit == "ms" else 1) for number, unit in map(str.split, [saving[1], *rows])]
        self.assertLessEqual(said[0], (said[-1] if saving[2] else sum(said[1:-1])) * 1.01, screen)

    def test_no_cure_for_few_copies(self):
        self.assertNotRegex(self.screen("freeing.py", "100", "now"), r"copies \d+ pages that it inherits")

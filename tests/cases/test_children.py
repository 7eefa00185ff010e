# SPDX-License-Identifier: GPL-2.0-or-later
"""Work that every child does again, and that could be done once, before the fork."""
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
        for name, text in (("workers.py", WORKERS), ("own.py", OWN_FILES), ("freeing.py", FREEING)):
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

    def rule(self, *words):
        result = self.forktax("explain", "--json", "-o", "run.json", PYTHON, *words)
        self.assertEqual(result.status, 0, result.err)
        return next((item for item in self.saved().get("run_advice", ()) if item["rule"] == "R5"), None)

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

    def test_no_try_runs_once(self):
        self.assertNotIn("again", self.screen("workers.py", "late", options=["--no-try"]))

    def test_copies_at_the_end(self):
        copies = (self.faults("freeing.py", "150000", "late") - self.faults("freeing.py", "150000", "now")) / 8
        screen = self.screen("freeing.py", "150000", "late")
        said = int(re.search(r"Each child of python3\S* copies (\d+) pages that it inherits", screen)[1])
        self.assertLess(abs(said - copies), 0.1 * copies, screen)
        self.assertRegex(screen, r"Best advice: end children by os._exit\(\)")

    def test_no_cure_for_few_copies(self):
        self.assertNotRegex(self.screen("freeing.py", "100", "now"), r"copies \d+ pages that it inherits")

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


@needs_root
@needs("python3")
class Children(Case):
    def setUp(self):
        super().setUp()
        for name, text in (("workers.py", WORKERS), ("own.py", OWN_FILES)):
            with open(name, "w", encoding="ascii") as file:
                file.write(text)

    def cpu_s(self, *words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([PYTHON, *words], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def screen(self, *words, options=()):
        result = self.forktax("explain", "--no-pager", *options, PYTHON, *words, env={**os.environ, "COLUMNS": "80"})
        self.assertEqual(result.status, 0, result.err)
        return re.sub(r"\s+", " ", " ".join(result.out.decode().split("\n")[:LINES]))

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
        self.assertRegex(screen, r"Every child opens the same \d\d files again \(.* which its parent has not")
        self.assertRegex(screen, r"Best advice: import them before the fork: multiprocessing.set_forkserver_preload")

    def test_no_cure_for_what_is_loaded_before(self):
        self.assertIsNone(self.rule("workers.py", "early"))

    def test_no_cure_for_children_that_load_nothing(self):
        self.assertIsNone(self.rule("workers.py", "never"))

    def test_no_cure_for_files_of_their_own(self):
        self.assertIsNone(self.rule("own.py"))

    def test_no_try_runs_once(self):
        self.assertNotIn("again", self.screen("workers.py", "late", options=["--no-try"]))

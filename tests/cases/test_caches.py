# SPDX-License-Identifier: GPL-2.0-or-later
"""What is made again at each start, as nothing keeps it: does the first screen say so, and what keeping it saves?"""
import os
import re
import subprocess

from savings import Savings
from support import needs, needs_root

PYTHON = "/usr/bin/python3"
LINES = 24
MODULES = 40
MODULE = "def f{0}(a, b=None, *, c=3):\n    x = [i for i in range(a) if i % 2]\n    return {{'a': x, 'b': b, 'c': c}}\n"
MAIN = f"import importlib\nfor i in range({MODULES}):\n    importlib.import_module(f'package.m{{i}}')\n"
READS = "import glob\nfor name in glob.glob('package/*.py'):\n    open(name).read().split()\n"
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir><cachedir>{}</cachedir></fontconfig>
"""


@needs_root
class Caches(Savings):
    def setUp(self):
        super().setUp()
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        self.environment["COLUMNS"] = "80"

    def write(self, name, text):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def make_package(self):
        os.mkdir("package")
        for i in range(MODULES):
            self.write(f"package/m{i}.py", "".join(MODULE.format(j) for j in range(40)))
        return self.write("main.py", MAIN)

    def explain(self, *words, env=None):
        """The first screen, in one line; and the advice on the run, by rule."""
        environment = {**self.environment, **(env or {})}
        result = self.forktax("explain", "-n", "3", "--traced-runs", "1", "--json", "-o", "run.json", *words, env=environment)
        self.assertEqual(result.status, 0, result)
        shown = self.forktax("report", "run.json", env=environment).out.decode()
        advice = {advice["rule"]: advice for advice in self.saved().get("run_advice", ())}
        return re.sub(r"\s+", " ", " ".join(shown.split("\n")[:LINES])), advice

    def kept_saves(self, words, unkept, kept):
        """After a run that keeps."""
        self.cpu_ns(words, kept)
        return self.share_saved(words, words, unkept, kept)

    def share_from_nothing(self, advice):
        self.assertEqual(advice["predicted"]["ns"]["low"], 0)
        return self.share_of_busy(advice)

    @needs("python3")
    def test_compiled_files_are_not_kept(self):
        words = [PYTHON, self.make_package()]
        unkept = {"PYTHONDONTWRITEBYTECODE": "1"}
        screen, advice = self.explain(*words, env=unkept)
        found = re.match(r"python3 opens (\d+) \.py files, as files that keep what it makes of them are missing \((\d+) \.pyc\): "
                         r"that takes [0-9.]+ ms of the [0-9.]+ m?s\. Best advice: let python keep what it compiles", screen)
        self.assertTrue(found, screen)
        calls = subprocess.run(["strace", "-e", "trace=openat", *words], env={**self.environment, **unkept},
                               capture_output=True, text=True, check=True).stderr
        self.assertEqual(int(found.group(1)), len(re.findall(r'/m\d+\.py", .* = \d+$', calls, re.M)))
        self.assertEqual(int(found.group(2)), len(re.findall(r'\.pyc", .* = -1 ENOENT', calls)))
        saved = self.kept_saves(words, unkept, {"PYTHONPYCACHEPREFIX": os.path.abspath("kept")})
        self.assertGreater(saved, 0.2)
        self.assertGreater(self.share_from_nothing(advice["R20"]), saved - 0.1)
        self.assertNotIn("R8", advice)

    @needs("python3")
    def test_compiled_files_are_kept(self):
        """The first run of the command has compiled them."""
        self.assertNotIn("R20", self.explain(PYTHON, self.make_package())[1])

    @needs("python3")
    def test_sources_are_the_work(self):
        self.make_package()
        self.assertNotIn("R20", self.explain(PYTHON, self.write("reads.py", READS))[1])

    @needs("fc-list")
    def test_fonts(self):
        def use(name, cache):
            return {"FONTCONFIG_FILE": os.path.abspath(self.write(name, FONTS.format(cache)))}

        unkept, kept = use("unkept.conf", "/proc/none"), use("kept.conf", os.path.abspath("kept"))
        found = subprocess.run(["fc-list"], env={**self.environment, **kept}, capture_output=True, text=True, check=True).stdout
        if found.count(".ttf") + found.count(".otf") < 10:
            self.skipTest("there are fewer than ten fonts")
        screen, advice = self.explain("fc-list", env=unkept)
        self.assertRegex(screen, r"^fc-list opens \d+ \.[ot]tf files, as files that keep what it makes of them are missing "
                                 r"\(\d+ of fontconfig\): that takes .* Best advice: let fontconfig keep what it finds: run fc-cache")
        saved = self.kept_saves(["fc-list"], unkept, kept)
        self.assertGreater(self.share_from_nothing(advice["R20"]), saved - 0.2)
        self.assertNotIn("R20", self.explain("fc-list", env=kept)[1])

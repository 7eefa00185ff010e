# SPDX-License-Identifier: GPL-2.0-or-later
"""`forktax explain --path-first`: which starts took a program of the directory; whether the command does the same."""
import os
import re
import shutil
import subprocess

from support import Case, needs, needs_root

STARTS = 12


@needs_root
class PathFirst(Case):
    def setUp(self):
        super().setUp()
        for directory, linkage in (("here", "dynamic"), ("there", "static")):
            os.mkdir(directory)
            shutil.copy(self.sample("true", linkage), f"{directory}/ft-one")
        shutil.copy("here/ft-one", "here/ft-two")
        self.environment = {**os.environ, "PATH": f"{os.path.abspath('here')}:{os.environ['PATH']}"}

    def try_path(self, script, *options, directory="there"):
        """What was saved of it, and what is printed, in one line."""
        result = self.forktax("explain", "--no-try", "--json", "-o", "run.json", f"--path-first={directory}",
                              *(options or ("-n8",)), "--", "bash", "-c", script, env=self.environment)
        self.assertEqual((result.status, result.out), (0, b""), result.err)
        shown = self.forktax("report", "run.json").out.decode()
        self.assertLessEqual(len(shown.splitlines()), 40)
        return self.saved()["tree_times"]["path_trial"], re.sub(r"\s+", " ", shown)

    @needs("strace")
    def test_same(self):
        """Programs that are elsewhere, or called by a path, are named; the starts are those that strace counts."""
        script = (f"for i in $(seq {STARTS}); do ft-one; echo $i; done; for i in 1 2 3; do ft-two; done; "
                  f"{os.path.abspath('here')}/ft-one; echo end >&2")
        trial, shown = self.try_path(script)
        there = os.path.abspath("there")
        with_it = {**self.environment, "PATH": f"{there}:{self.environment['PATH']}"}
        subprocess.run(["strace", "-f", "-qq", "-e", "trace=execve", "-e", "status=successful", "-e", "signal=none",
                        "-o", "calls", "bash", "-c", script], env=with_it, check=True, capture_output=True)
        with open("calls", encoding="utf-8") as file:
            paths = re.findall(r'execve\("([^"]+)"', file.read())
        self.assertEqual(trial["starts"], len(paths) - 1)
        self.assertEqual(trial["taken"], sum(os.path.dirname(path) == there for path in paths))
        self.assertEqual((trial["starts"], trial["taken"]), (STARTS + 5, STARTS))
        missed = {os.path.relpath(one["path"]): (one["starts"], one["is_there"]) for one in trial["missed"]}
        self.assertEqual(missed.pop("here/ft-two"), (3, False))
        self.assertEqual(missed.pop("here/ft-one"), (1, True))
        self.assertEqual([value for value in missed.values()], [(1, False)]) # seq
        written = sum(len(f"{i}\n") for i in range(1, STARTS + 1)) + len("end\n")
        self.assertEqual((trial["output"], trial["difference"], trial["bytes"]), ("same", None, written))
        self.assertIsNotNone(trial["saved_cpu_ns"])
        # ld.so maps and relocates in each of the dynamic ones.
        self.assertGreater(trial["without"]["faults"], trial["with"]["faults"] + 10 * STARTS)
        self.assertEqual(trial["without"]["processes"], trial["with"]["processes"])
        self.assertIn(f"first in PATH, {STARTS} of {STARTS + 5} starts of other programs took one of it.", shown)
        self.assertIn("here/ft-one (1 start, not by PATH)", shown)
        self.assertIn("here/ft-two (3 starts, not in the directory)", shown)
        self.assertIn(f"wrote the same {written} bytes and ended in the same way", shown)

    def test_differs(self):
        """In what it writes, or in how it ends: nothing is timed. The exit status alone is a difference, too."""
        other = "there/ft-one"
        for program, script, difference in (("echo", "ft-one x", "stdout"), ("echo", "ft-one x >&2", "stderr"),
                                            ("false", "ft-one", "exit status")):
            with self.subTest(difference):
                shutil.copy(shutil.which(program), other)
                trial, shown = self.try_path(f"{script}; status=$?; : $(:); exit $status", "-i", "-n8")
                self.assertEqual((trial["taken"], trial["output"], trial["difference"]), (1, "differs", difference))
                self.assertEqual((trial["saved_cpu_ns"], trial["with"]["cpu_ns"]), (None, None))
                self.assertIn(f"Do not use it for this command: its {difference} differs with it.", shown)

    def test_varies(self):
        trial, shown = self.try_path("ft-one; echo $$ $RANDOM")
        self.assertEqual((trial["output"], trial["difference"]), ("varies", "stdout"))
        self.assertIsNone(trial["saved_cpu_ns"])
        self.assertIn("differs from run to run without it, too", shown)

    def test_nothing_taken(self):
        trial, shown = self.try_path("ft-two; ft-two; :")
        self.assertEqual((trial["starts"], trial["taken"], trial["output"]), (2, 0, "not compared"))
        self.assertIn("none of 2 starts of other programs took one of it", shown)
        self.assertIn("ft-two (2 starts, not in the directory). Nothing was compared.", shown)
        trial, shown = self.try_path(":")
        self.assertEqual(trial["starts"], 0)
        self.assertIn("nothing changes: the command starts no other program", shown)

    def test_scripts(self):
        """Their starts are not seen as such: that is said, and what they write is compared all the same."""
        with open("there/ft-one", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho other\n")
        trial, shown = self.try_path("ft-one; :")
        self.assertEqual((trial["scripts"], trial["taken"], trial["output"]), (1, 0, "differs"))
        self.assertIn("It has 1 script, whose starts count as those of the interpreter.", shown)

    def test_without_time(self):
        trial, shown = self.try_path("ft-one; :", "--no-time")
        self.assertEqual((trial["output"], trial["saved_cpu_ns"]), ("same", None))
        self.assertNotIn("CPU time 0", shown)

    def test_advised(self):
        """Where ld.so takes a fifth of the CPU time, the program that spends most time in it, if it starts 20 times."""
        for starts, is_said in ((20, True), (19, False)):
            result = self.forktax("explain", "--no-try", "--json", "-o", "run.json", "--", "bash", "-c",
                                  f"for i in {{1..{starts}}}; do ft-one; done; ft-two", env=self.environment)
            self.assertEqual(result.status, 0, result.err)
            run = self.saved()
            times = run["tree_times"]
            row = next(one for one in times["rows"] if run["exes"][one["exe"]]["path"].endswith("/ft-one"))
            share = sum(one["cpu_ns"]["ldso"] for one in times["rows"]) / times["cpu_ns"]
            shown = re.sub(r"\s+", " ", self.forktax("report", "run.json").out.decode())
            self.assertEqual(row["images"], starts)
            said = re.search(r"ft-one: (\d+) starts, (\S+) ms of (\S+) ms of CPU time in ld.so, .* --path-first=DIR", shown)
            self.assertEqual(said is not None, is_said and share >= 0.2, (share, shown))
            if said:
                self.assertEqual(int(said[1]), starts)
                self.assertAlmostEqual(float(said[2]), row["cpu_ns"]["ldso"] / 1e6, delta=0.06)
                self.assertAlmostEqual(float(said[3]), sum(row["cpu_ns"].values()) / 1e6, delta=0.06)

    def test_refused(self):
        os.mkdir("empty")
        with open("empty/ft-one", "w", encoding="utf-8"):
            pass
        self.assert_stanzas(f"""
            --path-first=empty true                 => no file in it can be executed
            --path-first=missing true               => No such file
            --path-first=here/ft-one true           => --against compares with a program
            --path-first=there -p 1                 => --path-first and -p exclude each other
            --path-first=there --against=true true  => exclude each other
            --path-first=there --source=strace true => leave out --path-first""", before=["explain"])

# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all needs:chromium needs:build/viewers
"""exports.py FORKTAX [TEST]: what other tools read of a run is what the run says."""
import collections
import gzip
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FORKTAX = None
DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/use")
VIEWERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/viewers")
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden")
# Quotes, a backslash, a newline and a semicolon: in no format may they end anything.
ODD = 'ls /none "a;b" \'c\\d\'\n>/dev/null 2>&1'
COMMAND = ["bash", "-c", f"for i in 1 2 3; do (echo $i) >/dev/null; {ODD}; done; true"]
COPIES = ("cow_copy", "file_cow")


def run(*words, **options):
    return subprocess.run(words, check=False, capture_output=True, **options)


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(prefix="forktax-exports-")
        cls.saved = f"{cls.scratch}/run.json"
        traced = run(FORKTAX, "run", "--anatomy", "--show=processes", "--json", "-o", cls.saved, "--", *COMMAND)
        if traced.returncode:
            raise AssertionError(traced)
        with open(cls.saved, encoding="utf-8") as file:
            cls.data = json.load(file)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def export(self, form, *more, saved=None):
        result = run(FORKTAX, "report", form, *more, saved or self.saved)
        self.assertEqual((result.returncode, result.stderr), (0, b""), result)
        return result.stdout

    def rows(self, *classes):
        return [row for row in self.data["anatomy"] if not classes or row["class"] in classes]

    # pprof

    def test_pprof(self):
        if not shutil.which("go"):
            self.skipTest("no go: `go tool pprof` is what reads the profile")
        path = f"{self.scratch}/profile.pb.gz"
        with open(path, "wb") as file:
            file.write(self.export("--pprof"))
        raw = run("go", "tool", "pprof", "-raw", path).stdout.decode()
        samples = re.findall(r"^ +(\d+) +(\d+) +(\d+) +(\d+): ", raw, re.M)
        faults, copies, copied, _ = (sum(int(sample[i]) for sample in samples) for i in range(4))
        self.assertEqual(faults, sum(row["faults"] for row in self.rows()))
        self.assertEqual(copies, sum(row["faults"] for row in self.rows(*COPIES)))
        self.assertEqual(copied, 4096 * copies)
        self.assertIn("faults/count[dflt] copies/count copied/bytes time/nanoseconds", raw)
        for key, words in (("class", {row["class"] for row in self.rows()}),
                           ("phase", {row["phase"] for row in self.rows()})):
            self.assertEqual(set(re.findall(rf"{key}:\[([^]]*)\]", raw)), words)
        timed = sum(int(sample[3]) for sample in samples)
        self.assertGreaterEqual(timed, sum(row["ns"] or 0 for row in self.rows()) - len(samples))
        top = run("go", "tool", "pprof", "-top", "-nodecount=5", path).stdout.decode()
        self.assertIn("File: bash", top)
        none = run("go", "tool", "pprof", "-top", f"-diff_base={path}", path).stdout.decode()
        self.assertRegex(none, r"0 of \d+|Showing nodes accounting for 0, 0%")

    def test_pprof_is_one_gzip_member(self):
        data = self.export("--pprof")
        self.assertEqual(data[:2], b"\x1f\x8b")
        self.assertTrue(gzip.decompress(data))

    # Collapsed stacks

    def test_collapsed(self):
        """Of a run without call stacks, and of one with."""
        for saved in (self.saved, f"{GOLDEN}/stacks.json"):
            with open(saved, encoding="utf-8") as file:
                wanted = sum(row["faults"] for row in json.load(file)["anatomy"])
            text, total = self.export("--collapsed", saved=saved).decode(), 0
            for line in text.splitlines():
                stack, _, count = line.rpartition(" ")
                self.assertTrue(count.isdigit(), line)
                self.assertGreaterEqual(stack.count(";"), 2, line)
                total += int(count)
            self.assertEqual(total, wanted)
        self.assertRegex(text, r"(?m);anonymous;program <- __memset\w+\+0x7a;clear_cache\+0x21 \(callers\);serve.* 300$")

    # speedscope, in the browser that it is for

    def imported(self, *forms):
        """Of each form the profile that speedscope makes of it, as it saves that."""
        page_of_it = f"{VIEWERS}/speedscope/node_modules/speedscope/dist/release/index.html"
        chromium = shutil.which("chromium")
        if not os.path.exists(page_of_it) or not chromium:
            self.skipTest("no chromium" if not chromium else "no speedscope: tests/run fetches it by npm")
        from playwright.sync_api import sync_playwright
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for name, data in forms:
                path = f"{self.scratch}/{name}"
                with open(path, "wb") as file:
                    file.write(data)
                page = browser.new_page()
                page.goto("file://" + os.path.realpath(page_of_it))
                page.set_input_files("input[type=file]", path)
                page.get_by_text("Export").wait_for()  # it has read the file
                with page.expect_download() as download:
                    page.keyboard.press("Control+s")
                with open(download.value.path(), encoding="utf-8") as file:
                    yield json.load(file)
            browser.close()

    @staticmethod
    def stacks(profile):
        """{stack: weight} of what speedscope has drawn: frames that open and close along an axis."""
        names, found = [frame["name"] for frame in profile["shared"]["frames"]], collections.Counter()
        [drawn] = profile["profiles"]
        stack, at = [], drawn["startValue"]
        for event in drawn["events"]:
            if event["at"] > at:
                found[";".join(stack)] += event["at"] - at
                at = event["at"]
            if event["type"] == "O":
                stack.append(names[event["frame"]])
            else:
                stack.pop()
        return found

    def test_speedscope(self):
        collapsed, pprof = self.export("--collapsed"), self.export("--pprof")
        of_collapsed, of_pprof = self.imported(("run.collapsed", collapsed), ("run.pb.gz", pprof))
        wanted = collections.Counter()
        for line in collapsed.decode().splitlines():
            stack, _, count = line.rpartition(" ")
            wanted[stack] += int(count)
        self.assertEqual(self.stacks(of_collapsed), wanted)
        faults = sum(row["faults"] for row in self.rows())
        self.assertEqual(sum(self.stacks(of_pprof).values()), faults)
        # The leaf is what was touched.
        leaves = {stack.rsplit(";", 1)[-1] for stack in self.stacks(of_pprof)}
        self.assertIn("[stack]", leaves)

    # Textfiles of a watch: tests/unit holds forktax against these.

    def lint(self, text):
        promtool = shutil.which("promtool", path=f"{VIEWERS}:{os.environ['PATH']}")
        if not promtool:
            self.skipTest("no promtool (Debian's package prometheus): tests/exports/viewers fetches it")
        result = run(promtool, "check", "metrics", input=text)
        return result.returncode, result.stdout + result.stderr

    WATCHES = ("classes", "totals")

    def watch_textfile(self, name):
        with open(f"{GOLDEN}/watch/{name}.prom", "rb") as file:
            return file.read()

    def test_promtool(self):
        for name in self.WATCHES:
            self.assertEqual(self.lint(self.watch_textfile(name)), (0, b""), name)
        # It does find fault, with names and with what is no text of Prometheus.
        status, said = self.lint(b"# HELP calls Of it.\n# TYPE calls counter\ncalls 1\n")
        self.assertNotEqual(status, 0)
        self.assertIn(b"_total", said)
        self.assertNotEqual(self.lint(self.watch_textfile(self.WATCHES[0]).replace(b'"} ', b'} '))[0], 0)

    def test_prometheus_text_of_watches(self):
        """Each series once, sums as in the sample, and nothing of what the level does not count."""
        from prometheus_client import parser
        for name in self.WATCHES:
            families = {family.name: family for family
                        in parser.text_string_to_metric_families(self.watch_textfile(name).decode())}
            with open(f"{GOLDEN}/watch/{name}.json", encoding="utf-8") as file:
                sample = json.load(file)
            units = sample["units"]
            series = [(one.name, *sorted(one.labels.items())) for family in families.values() for one in family.samples]
            self.assertEqual(len(series), len(set(series)), name)
            for family, key in (("forks", "forks"), ("execs", "execs"), ("exits", "ends"), ("syscalls", "calls"),
                                ("page_faults", "faults"), ("cow_copied_bytes", "copied_bytes")):
                values = [unit[key] for unit in units if unit[key] is not None]
                if not values:
                    self.assertNotIn(f"forktax_{family}", families)
                    continue
                self.assertEqual([one.value for one in families[f"forktax_{family}"].samples], values, family)
                self.assertEqual(families[f"forktax_{family}"].type, "counter")
            children = sum(group["children"] for unit in units for group in unit["groups"])
            self.assertEqual(sum(one.value for one in families["forktax_children"].samples), children)
            if units[0]["fork_calls"]:
                self.check_histogram(families["forktax_fork_seconds"], units)
            else:
                self.assertNotIn("forktax_fork_seconds", families)

    def check_histogram(self, family, units):
        self.assertEqual(family.type, "histogram")
        for unit in units:
            buckets = [(float(one.labels["le"]), one.value) for one in family.samples
                       if one.name.endswith("_bucket") and one.labels["unit"] == self.labelled(unit)]
            sums = [sum(count for bound, count in unit["fork_calls"].items() if float(bound) <= le) for le, _ in buckets]
            self.assertEqual([value for _, value in buckets], sums)
            self.assertEqual(buckets[-1][0], float("inf"))
            [total] = [one.value for one in family.samples
                       if one.name.endswith("_sum") and one.labels["unit"] == self.labelled(unit)]
            self.assertAlmostEqual(total, unit["fork_ns"] / 1e9)

    @staticmethod
    def labelled(unit):
        """Control characters are written as in all reports."""
        return unit["name"].replace("\n", "\\x0a")

    # Tables for data frames

    def test_howto_dataframe(self):
        """The examples of docs/use/howto-dataframe.md, as they stand there."""
        os.makedirs(f"{self.scratch}/runs", exist_ok=True)
        for name in ("a", "b"):
            run(FORKTAX, "run", "--json", "-o", f"{self.scratch}/runs/{name}.json", "--", *COMMAND)
        with open(f"{DOCS}/howto-dataframe.md", encoding="utf-8") as file:
            blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
        self.assertGreaterEqual(len(blocks), 3)
        for block in blocks:
            result = run(sys.executable, "-c", block, cwd=self.scratch)
            self.assertEqual(result.returncode, 0, (block, result.stderr.decode()))
            self.assertIn(b"openat", result.stdout, block)

    # What cannot be had

    def refused(self, *words, **options):
        result = run(FORKTAX, *words, **options)
        self.assertEqual((result.returncode, result.stdout), (2, b""), result)
        self.assertEqual(result.stderr.count(b"\n"), 1, result)
        return result.stderr.decode()

    def test_without_faults(self):
        for form in ("--pprof", "--collapsed"):
            self.assertIn("--anatomy", self.refused("report", form, f"{GOLDEN}/true.json"))
            touched = f"{self.scratch}/touched"
            self.assertIn("--anatomy", self.refused("run", form, "--", "touch", touched))
            self.assertFalse(os.path.exists(touched), "the command was run")

    def test_of_single_runs_only(self):
        for saved in ("bench/fork", "bindnow/forkloop", "compare/three"):
            out = f"{self.scratch}/none"
            message = self.refused("report", "--pprof", "-o", out, f"{GOLDEN}/{saved}.json")
            self.assertIn("single run", message)
            self.assertFalse(os.path.exists(out))
        self.assertIn("single run", self.refused("report", "--pprof", f"{GOLDEN}/workers/pool.json"))

    def test_not_of_some_calls(self):
        self.assertIn("-e", self.refused("report", "--pprof", "-e", "openat", self.saved))

    def test_one_form_only(self):
        self.refused("report", "--pprof", "--json", self.saved)
        self.refused("report", "--csv=long", self.saved)

    def test_binary_on_a_terminal(self):
        ours, theirs = pty.openpty()
        result = subprocess.run([FORKTAX, "report", "--pprof", self.saved], check=False, stdout=theirs,
                                stderr=subprocess.PIPE)
        os.close(theirs)
        os.close(ours)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"-o FILE", result.stderr)

    def test_full_disk(self):
        for form in ("--pprof", "--collapsed"):
            result = run(FORKTAX, "report", form, "-o", "/dev/full", self.saved)
            self.assertEqual(result.returncode, 125, result)
            self.assertIn(b"No space left", result.stderr)


if __name__ == "__main__":
    FORKTAX = sys.argv[1]
    program = unittest.main(argv=[sys.argv[0], *(f"Exports.test_{name}" for name in sys.argv[2:])],
                            exit=False)
    skipped = program.result.skipped
    for _, reason in skipped:
        print(f"skipped: {reason}")
    sys.exit(77 if skipped and program.result.wasSuccessful() else not program.result.wasSuccessful())
